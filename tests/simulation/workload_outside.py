"""Requests about what no report of this book made, or what a farm shares: seeded like the others, and among them."""

from itertools import islice
from typing import TYPE_CHECKING, Final

from tests.simulation import cast
from tests.simulation.ledger import Event, Seg, text_of
from tests.simulation.texts import tainted
from tests.simulation.workload import Workload

if TYPE_CHECKING:
    from collections.abc import Callable

PART: Final = 0.09
"""Share of requests that are of these kinds."""
SITED: Final = 0.02
"""Share of requests by which grain goes between sites with its tickets, or a site is closed."""
TAINTED: Final = 0.012
"""Share of requests with a text that nobody should type."""
RECEIVERS: Final = [*cast.CRUSHERS, *cast.TRADERS, *cast.REFINERS, *cast.ELEVATORS]
REASONS: Final = ("worse_ci", "worse_ci", "suspended", "reinstated", "reinstated", "fewer_bushels", "withdrawn")


BINS: Final = "b" * 64
"""The hash of the evidence of opening stock."""


class WholeWorkload(Workload):
    """The whole repertoire."""

    def opening(self) -> list[Event]:
        """Return the opening events, with opening stock of some houses before their first period."""
        made = super().opening()
        self.day = self.quarter.replace(month=self.quarter.month - 1)
        made.extend(self.contract(name, number) for name in cast.SELLERS for number in (1, 2))
        made.append(self.event("file", entity=cast.ELEVATORS[0], sha256=BINS, name="bins.pdf"))
        made.extend(self.stocked(name) for name in (*cast.ELEVATORS[:2], *cast.CRUSHERS[:2], *cast.REFINERS[:1]))
        self.day = self.quarter
        return made

    def single(self) -> list[Event]:
        """Return one request, or none where there is nothing to ask for; some are typed badly, or by an enemy."""
        made = self.clean()
        return [tainted(event, self.random) if self.chance(TAINTED) else event for event in made]

    def clean(self) -> list[Event]:
        """Return one request as it should be typed."""
        if self.origins and self.chance(PART):
            kinds: tuple[Callable[[], Event | None], ...] = (
                self.share, self.landlords, self.away, self.handed_on, self.blind, self.blind, self.notice,
                self.stored, self.tolled, self.late,
            )  # fmt: skip
            made = self.random.choice(kinds)()
            return [made] if made else []
        if self.chance(SITED):
            ways: tuple[Callable[[], list[Event]], ...] = (self.whole_move, self.whole_move, self.shutting)
            return self.random.choice(ways)()
        if self.chance(SITED / 3):
            ticket = self.ticket_again()
            return [ticket] if ticket else []
        return super().single()

    def stocked(self, name: str) -> Event:
        number, evidence = f"O{self.number}", BINS if self.chance(0.8) else "bin sheet"
        about = {"crop": "soybeans", "harvest_year": 2024, "ci": "5900", "number": number, "evidence": evidence}
        oil = {"form": "soybean_oil", "pounds": "550000", "rate": "11"} if name in cast.CRUSHERS else {}
        return self.event("opening", entity=name, site=self.at(name), bushels="50000", **about, **oil)

    def late(self) -> Event:
        """Return opening stock declared when the first period has begun."""
        return self.stocked(self.random.choice(cast.ELEVATORS))

    # at the farm

    def share(self) -> Event:
        origin = self.random.choice(self.origins)
        one = self.auditor.origins[origin]
        giver = one.farm if self.chance(0.95) else self.random.choice(cast.FARMS)
        taker = self.random.choice(cast.LANDOWNERS if self.chance(0.95) else cast.FARMS)
        fields = {"giver": giver, "taker": taker, "origin": origin}
        return self.event("share", bushels=text_of(self.some(one.bushels // 6)), **fields)

    def landlords(self) -> Event | None:
        """Return a slip of a landowner over part of its share."""
        giver = self.random.choice(cast.LANDOWNERS)
        segs = list(self.auditor.books.owned[giver].values())
        if not segs:
            return None
        seg = self.random.choice(segs)
        spans = [[text_of(seg.start), text_of(seg.start + self.some(seg.size))]]
        taker = self.random.choice([*cast.ELEVATORS, *cast.REFINERS])
        return self.event("slip", giver=giver, taker=taker, origin=seg.origin, spans=spans)

    def away(self) -> Event:
        """Return a slip of a farm to a house whose book is elsewhere."""
        origin = self.random.choice(self.origins)
        fields = {
            "giver": self.auditor.origins[origin].farm,
            "taker": self.random.choice(cast.BEYOND),
            "origin": origin,
        }
        return self.event("slip", bushels=text_of(self.some(800_000)), **fields)

    # documents

    def paper(self, giver: str, lines: list[Event]) -> Event:
        taker = self.random.choice(RECEIVERS)
        return self.event("document", giver=giver, taker=taker, number=f"D{self.number}", lines=lines)

    def handed_on(self) -> Event | None:
        """Return a document over serials that a farm signed away, mostly as they are."""
        signed = self.open_slips[-200:]
        slips = [
            slip for slip in map(self.auditor.slips.__getitem__, signed) if slip.taker in cast.BEYOND and slip.open
        ]
        if not slips:
            return None
        slip = self.random.choice(slips)
        low, high = self.random.choice(slip.open)
        start, stop = low, low + self.some(high - low)
        if self.chance(0.1):
            stop = high + 1
        return self.paper(cast.BEYOND[0], [self.line(slip.origin, start, stop)])

    def line(self, origin: str, start: int, stop: int) -> Event:
        """Return a line over known serials, at times at another carbon intensity or as oil."""
        found = self.auditor.books.at(origin, start, stop)
        one = self.auditor.origins[origin]
        ci = (found[0].ci if found else one.ci) + self.random.choice((0, 0, 0, 0, 0, 0, 100, -100))
        about: Event = {"crop": one.crop, "harvest_year": one.year, "ci": text_of(ci, 2), "form": one.crop}
        about |= {"origin": origin, "start": text_of(start), "bushels": text_of(stop - start)}
        if one.crop == "soybeans" and stop - start > 1000 and self.chance(0.15):
            pounds = (stop - start) * cast.RATES["soybean_oil"] // 10**6
            about |= {"form": "soybean_oil", "pounds": text_of(pounds), "rate": text_of(cast.RATES["soybean_oil"], 6)}
        return about

    def blind(self) -> Event:
        """Return a document over a report that this book does not have: new serials, or some it has seen."""
        giver = self.random.choice([*cast.ABROAD, *cast.BEYOND])
        returned = [seg for seg in self.auditor.books.owned[giver].values() if self.auditor.origins[seg.origin].blind]
        if returned and self.chance(0.4):
            seg = self.random.choice(returned)
            cut = seg.start + self.some(seg.size)
            spans = [(cut, seg.stop), (seg.start, cut)] if cut < seg.stop else [(seg.start, seg.stop)]
            return self.paper(giver, [self.resold(seg, *span) for span in spans])
        known = [name for name, one in self.latest_blind() if one > 0]
        name = self.random.choice(known) if known and self.chance(0.7) else f"blind-{self.number}"
        issued = self.auditor.origins[name].issued if known and name in self.auditor.origins else 0
        start = issued if self.chance(0.85) else max(0, issued - self.some(100_000))
        lines, ci = [], str(self.random.randrange(50, 70) * 100)
        for _ in range(self.random.randrange(1, 4)):
            stop = start + self.random.randrange(1_000, 300_000)
            about: Event = {"crop": "soybeans", "harvest_year": 2025, "ci": ci, "form": "soybeans", "origin": name}
            lines.append({**about, "start": text_of(start), "bushels": text_of(stop - start)})
            start = stop
        self.random.shuffle(lines)
        return self.paper(giver, lines)

    def resold(self, seg: Seg, start: int, stop: int) -> Event:
        about: Event = {"crop": seg.crop, "harvest_year": seg.year, "ci": text_of(seg.ci, 2), "form": seg.form}
        about |= {"origin": seg.origin, "start": text_of(start), "bushels": text_of(stop - start)}
        pounds = seg.part(start, stop).pounds
        return {**about, "pounds": text_of(pounds)} if pounds else about

    def latest_blind(self) -> list[tuple[str, int]]:
        """Return the latest reports that only documents told of, and how many serials of them were seen."""
        names = islice(reversed(self.auditor.books.came_by), 12)
        return [(name, self.auditor.origins[name].issued) for name in names]

    def notice(self) -> Event | None:
        """Return a seller's notice that such a report changed."""
        known = [name for name, _ in self.latest_blind()]
        if not known:
            return None
        origin = self.random.choice(known if self.chance(0.97) else self.origins)
        ways = {way: spans for way, spans in self.auditor.books.came_by.get(origin, {}).items() if way[1] in RECEIVERS}
        if not ways:
            return None
        giver, taker = self.random.choice(list(ways))
        low, high = self.random.choice(ways[giver, taker])
        stop = high if self.chance(0.6) else low + self.some(high - low)
        spans = [[text_of(low), text_of(stop + (1 if self.chance(0.03) else 0))]]
        reason = self.random.choice(REASONS)
        ci = {"ci": str(self.random.randrange(55, 75) * 100)} if reason == "worse_ci" else {}
        about = {"giver": giver, "taker": taker, "origin": origin, "number": f"N{self.number}"}
        return self.maybe_early(self.event("notice", **about, reason=reason, spans=spans, **ci))

    # toll crushing

    def stored(self) -> Event | None:
        """Return beans going to somebody else's plant."""
        who, plant = self.random.choice([*cast.ELEVATORS, *cast.TRADERS]), self.random.choice(cast.CRUSHERS)
        segs = [seg for seg in self.auditor.books.owned[who].values() if seg.form == "soybeans"]
        if not segs:
            return None
        lots = self.named(self.random.choice(segs), "none")["lots"]
        return self.event("storage", owner=who, custodian=plant, site=self.at(plant), lots=lots)

    def tolled(self) -> Event | None:
        """Return the crushing of somebody's own beans at a plant that is another's."""
        owners = [*cast.ELEVATORS, *cast.TRADERS]
        segs = [
            seg
            for owner in owners
            for seg in self.auditor.books.owned[owner].values()
            if seg.custodian in cast.CRUSHERS and seg.form == "soybeans"
        ]
        if not segs:
            return None
        seg = self.random.choice(segs)
        site = seg.site if self.chance(0.95) else cast.SITES[seg.custodian][0]
        about = {"crop": "soybeans", "output": "soybean_oil", "plant": seg.custodian, "site": site}
        return self.maybe_early(self.event("process", entity=seg.owner, **about, **self.named(seg, "bushels")))
