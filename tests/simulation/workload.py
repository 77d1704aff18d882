"""Requests, most of them honest and some of them not: seeded, so that a seed is a whole season.

Some come back to what was asked before: returns, corrections, the same again, periods and closes that cannot be. Some
are about what no report of this book made, or what a farm shares, seeded like the others and among them."""

from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING, Final

from provender.signing.canonical import sha256_hex
from tests.simulation import cast
from tests.simulation.auditor import Auditor
from tests.simulation.cast import BOOKS, ELEVATORS, FIRST_DAY, SELLERS, SITES, TRADERS, UNPROVEN, quarter_after
from tests.simulation.ledger import Event, Seg, text_of
from tests.simulation.making import Quarters
from tests.simulation.requests import FarmRequests, TradeRequests
from tests.simulation.texts import tainted

if TYPE_CHECKING:
    from collections.abc import Callable


class AfterRequests(Quarters):
    """What comes back to earlier requests or to the frame of the quarters."""

    def back(self) -> Event | None:
        kinds = ("sale", "sale", "purchase", "assign", "document") if self.chance(0.98) else ("slip",)
        sales = [event for event in self.latest(400) if event["type"] in kinds]
        if not sales:
            return None
        sale = self.random.choice(sales)
        giver, taker = sale["taker"], sale["giver"]
        if self.chance(0.03):
            taker = SELLERS[0]
        size = sum(made.amount for _, made in self.auditor.books.deeds[sale["id"]].changed)
        more = {"amount": text_of(self.some(size))} if size and self.chance(0.4) else {}
        made = self.event("return", giver=giver, taker=taker, movement=sale["id"], site=self.at(taker), **more)
        return self.maybe_early(made)

    def correct(self) -> Event | None:
        deeds = [
            event for event in self.latest(60) if event["type"] not in ("entity", "period", "close", "measurement")
        ]
        if self.chance(0.15):
            deeds = self.crushed_before() or deeds
        if not deeds:
            return None
        event = self.random.choice(deeds)
        who = event.get("entity") or event.get("giver") or event.get("owner") or event.get("taker") or SELLERS[0]
        if self.chance(0.03):
            who = self.random.choice(SELLERS)
        return self.maybe_early(self.event("correct", entity=who, movement=event["id"], reason="typed wrongly"))

    def settle(self) -> Event | None:
        """Ask to end a dispute: by who had the bushels, now and then by somebody else."""
        doubtful = [seg for seg in self.auditor.books.between.values() if seg.state == "disputed"]
        if not doubtful:
            return None
        seg = self.random.choice(doubtful)
        who = self.auditor.had(seg.by, seg) if self.chance(0.9) else self.random.choice(SELLERS)
        return self.maybe_early(self.event("settle", entity=who, movement=seg.by))

    def crushed_before(self) -> list[Event]:
        """Return what made the oil in stock that campaigns trued up by now have given."""
        books, trued = self.auditor.books, self.auditor.trued
        oil = (seg for who in sorted({who for _, who in trued}) for seg in books.owned[who].values())
        return [books.deeds[name].event for name in sorted({seg.by for seg in oil if (seg.batch, seg.owner) in trued})]

    def again(self) -> Event | None:
        known = [event for event in self.recent[:-1] if event["id"] in self.auditor.seen]
        if not known:
            return None
        event = self.random.choice(known)
        return event if self.chance(0.5) else {**event, "day": "2030-01-01"}

    def wrong_period(self) -> Event:
        name = self.random.choice(BOOKS)
        start = self.random.choice((self.quarter, quarter_after(self.quarter)))
        made = self.declare(name, start)
        made["end_day"] = (start + timedelta(days=self.random.choice((93, 120, 200)))).isoformat()
        return made

    def changed_role(self) -> list[Event]:
        """Return an attempt to slip out of a closed period in another role, and the way back."""
        name = self.random.choice(BOOKS)
        own = {"entity": name, "name": name, "sites": SITES.get(name, [])}
        early = self.event("release", entity=name, **self.claims(self.holding(name)))
        early["day"] = (self.quarter - timedelta(days=self.random.choice((1, 40, 500)))).isoformat()
        role = self.auditor.roles[name]
        return [self.event("entity", **own, roles=["farm"]), early, self.event("entity", **own, roles=[role])]

    def wrong_close(self) -> Event:
        ended = quarter_after(self.quarter) - timedelta(days=1)
        days = (self.quarter - timedelta(days=1), ended - timedelta(days=3), ended)
        made = self.close(self.random.choice(BOOKS), self.random.choice(days), "refused")
        return {**made, "closed_on": self.quarter.isoformat()}

    def cure(self) -> Event:
        made = self.statement(self.random.choice(UNPROVEN), FIRST_DAY)
        if self.chance(0.3):
            made["opinion"] = "adverse"
        elif self.chance(0.5):
            made["start_day"] = self.day.isoformat()
            made["opinion"] = self.random.choice(("first_audit_contracted", "next_audit_contracted"))
        if self.chance(0.5):
            made["end_day"] = (self.day + timedelta(days=self.random.randrange(300))).isoformat()
        return made


CONTESTED: Final = frozenset(
    {
        "sale",
        "slip",
        "purchase",
        "assign",
        "accept",
        "process",
        "release",
        "loss",
        "retire",
        "return",
        "correct",
        "move",
    }
)
"""What two can ask for and only one can get."""


class Workload(FarmRequests, TradeRequests, AfterRequests):
    """Chooses what is asked for next."""

    def __init__(self, seed: int, auditor: Auditor) -> None:
        super().__init__(seed, auditor)
        self.table: tuple[tuple[float, Callable[[], Event | None]], ...] = (
            (0.13, self.slip), (0.12, self.purchase), (0.02, self.pending), (0.03, self.assign), (0.21, self.sale),
            (0.18, self.answer), (0.02, self.document), (0.06, self.process), (0.06, self.ending), (0.02, self.shrink),
            (0.03, self.back), (0.03, self.correct), (0.02, self.move), (0.01, self.store), (0.01, self.again),
            (0.008, self.standing), (0.006, self.amend), (0.001, self.withdraw), (0.004, self.wrong_period),
            (0.003, self.wrong_close), (0.001, self.cure), (0.002, self.receipt),
            (0.008, self.settle),
        )  # fmt: skip

    def batch(self) -> list[Event]:
        """Return the next requests: one, or the whole turn of a quarter."""
        self.advance()
        return self.turn() if self.due else self.single()

    def single(self) -> list[Event]:
        """Return one request, or none where there is nothing to ask for."""
        if len(self.origins) < 10 or self.chance(0.02):
            return [self.report()]
        if self.chance(0.002):
            return self.changed_role()
        roll = self.random.random()
        for weight, make in self.table:
            roll -= weight
            if roll < 0:
                return [made] if (made := make()) else []
        made = self.retire()
        return [made] if made else []

    def rival(self, event: Event) -> Event | None:
        """Return a request that somebody else makes at the same moment and that cannot stand beside the first."""
        if event["type"] not in CONTESTED:
            return None
        if self.chance(0.1):
            return event
        self.number += 1
        other = {**event, "id": f"m{self.number}"}
        if event["type"] in ("sale", "slip") and self.chance(0.7):
            other["taker"] = self.random.choice(TRADERS if event["type"] == "sale" else ELEVATORS)
        if event["type"] == "accept" and self.chance(0.5):
            giver = self.auditor.seen.get(event["movement"], {}).get("giver", SELLERS[0])
            other = {name: value for name, value in other.items() if name not in ("site", "custodian")}
            other = {**other, "type": "reject", "giver": giver, "site": self.at(giver)}
        return other


PART: Final = 0.09
"""Share of requests that are of these kinds."""
SITED: Final = 0.02
"""Share of requests by which grain goes between sites with its tickets, or a site is closed."""
TAINTED: Final = 0.012
"""Share of requests with a text that nobody should type."""
RECEIVERS: Final = [*cast.CRUSHERS, *cast.TRADERS, *cast.REFINERS, *cast.ELEVATORS]
REASONS: Final = ("worse_ci", "worse_ci", "suspended", "reinstated", "reinstated", "fewer_bushels", "withdrawn")


def bin_sheet(name: str) -> str:
    """Return the hash of a party's evidence of opening stock."""
    return sha256_hex(name.encode())


class WholeWorkload(Workload):
    """The whole repertoire."""

    def opening(self) -> list[Event]:
        """Return the opening events, with opening stock of some traders before their first period."""
        made = super().opening()
        self.day = self.quarter.replace(month=self.quarter.month - 1)
        made.extend(self.contract(name, number) for name in cast.SELLERS for number in (1, 2))
        stocked = (*cast.ELEVATORS[:2], *cast.CRUSHERS[:2], *cast.REFINERS[:1])
        made.extend(self.event("file", entity=name, sha256=bin_sheet(name), name="bins.pdf") for name in stocked)
        made.extend(map(self.stocked, stocked))
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
        number, evidence = f"O{self.number}", bin_sheet(name) if self.chance(0.8) else "bin sheet"
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
        """Return a slip of a farm to a party whose book is elsewhere."""
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
