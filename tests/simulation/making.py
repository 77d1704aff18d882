"""What a request is made of, who there is and the turns of the quarters: a seeded hand, a look at the ledger."""

from datetime import date, timedelta
from itertools import islice
from random import Random
from typing import Any, Final

from tests.simulation import cast
from tests.simulation.auditor import Auditor
from tests.simulation.cast import FIRST_DAY, SITES
from tests.simulation.ledger import PRODUCTS, Event, Seg, Spot, text_of
from tests.simulation.ledger import thousandths as th
from tests.simulation.texts import seen


class Maker:
    """Makes parts of requests, looking at the auditor's ledger to make most of them possible."""

    def __init__(self, seed: int, auditor: Auditor) -> None:
        self.random = Random(seed)
        self.auditor = auditor
        self.day = FIRST_DAY
        self.quarter = FIRST_DAY
        self.number = 0
        self.year = 2025
        self.origins: list[str] = []
        self.recent: list[Event] = []
        self.open_sales: list[Event] = []
        self.open_slips: list[str] = []
        self.open_pending: list[str] = []
        self.suspended: list[str] = []
        self.sited: dict[str, list[Event]] = {}

    def event(self, kind: str, **fields: Any) -> Event:  # noqa: ANN401 - fields of any event
        self.number += 1
        made = {"type": kind, "id": f"m{self.number}", "day": self.day.isoformat(), **fields}
        self.recent = [*self.recent[-40:], made]
        return made

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def some(self, most: int) -> int:
        """Return an amount up to the most there is: often whole bushels, often odd thousandths."""
        amount = self.random.randrange(1, max(2, most + 1))
        return amount // 1000 * 1000 if amount > 1000 and self.chance(0.5) else amount

    def noted(self, event: Event) -> None:
        """Remember what was posted and waits for an answer."""
        event = seen(event)
        match event["type"]:
            case "sale" | "document":
                self.open_sales.append(event)
            case "accept" | "reject":
                self._answered(event["movement"])
            case "slip":
                self.open_slips.append(event["id"])
            case "purchase_pending":
                self.open_pending.append(event["id"])
            case "purchase" | "assign" | "correct":
                slips = self.auditor.slips
                self.open_slips = [slip for slip in self.open_slips[-80:] if slips[slip].open]
            case "report":
                name = f"{event['entity']}/{event['crop']}/{event['harvest_year']}"
                self.origins = [*(origin for origin in self.origins[-30:] if origin != name), name]
            case "shipment" | "receipt" | "close_site" as kind:
                self.sited[kind] = [*self.sited.get(kind, ())[-30:], event]
            case "suspend":
                self.suspended.append(event["origin"])
            case "reinstate" | "withdraw":
                self.suspended = [origin for origin in self.suspended if origin != event["origin"]]

    def at(self, who: str) -> str:
        """Return a site of an entity, rarely one that it does not have."""
        if self.chance(0.01):
            return "nowhere"
        return self.random.choice(SITES[who]) if who in SITES else ""

    def maybe_early(self, event: Event) -> Event:
        """Sometimes date an event back, as far as into a closed period."""
        if self.chance(0.05):
            event["day"] = (self.day - timedelta(days=self.random.choice((1, 2, 9, 120, 400)))).isoformat()
        return event

    def latest(self, number: int) -> list[Event]:
        return [deed.event for deed in islice(reversed(self.auditor.books.deeds.values()), number)][::-1]

    def _answered(self, movement: str) -> None:
        """Forget a sale: nearly always one of the oldest."""
        for at, sale in enumerate(self.open_sales):
            if sale["id"] == movement:
                del self.open_sales[at]
                return

    # of what an entity has

    def holding(self, who: str) -> tuple[str, str, list[Seg]]:
        """Return a crop, a form and what an entity has of it: something it has, if it has anything."""
        segs = list(self.auditor.books.owned.get(who, {}).values())
        if not segs or self.chance(0.02):
            return "soybeans", "soybeans", []
        one = self.random.choice(segs)
        return one.crop, one.form, [seg for seg in segs if (seg.crop, seg.form) == (one.crop, one.form)]

    def claims(self, held: tuple[str, str, list[Seg]], site: str = "") -> Event:
        crop, form, segs = held
        mine = [seg for seg in segs if site in ("", seg.site)] or segs
        more: Event = {"crop": crop} if form == crop else {"crop": crop, "form": form}
        unit = "pounds" if form in PRODUCTS else "bushels"
        if mine and self.chance(0.55):
            return {**more, **self.named(self.random.choice(mine), unit)}
        total = sum(seg.amount for seg in mine)
        most = total // 2 if self.chance(0.9) else total * 12 // 10
        more[unit] = text_of(self.some(max(most, 1000)))
        if mine and self.chance(0.1):
            more["ci_min"] = text_of(self.random.choice(mine).ci, 2)
        if mine and self.chance(0.1):
            more["ci_max"] = text_of(self.random.choice(mine).ci, 2)
        if self.chance(0.05):
            more["harvest_year"] = self.year
        return more

    def named(self, seg: Seg, unit: str) -> Event:
        start, stop, more = seg.start, seg.stop, {}
        if self.chance(0.3):
            stop = start + self.some(seg.size)
        if self.chance(0.1):
            start = self.random.randrange(start, stop)
        if self.chance(0.03):
            start, stop = max(0, start - 1), stop + 1
        if self.chance(0.1):
            more[unit] = text_of(self.some(seg.part(start, stop).amount * 11 // 10))
        if self.chance(0.01):
            stop = start
        return {"lots": [{"origin": seg.origin, "start": text_of(start), "stop": text_of(stop)}], **more}


POLICIES: Final = ("oldest_first", "oldest_first", "proportional", "proportional", "named")
KEPT: Final = 30
"""Lots of a form that an owner keeps when a quarter ends."""
CLEARED: Final = 400
"""Lots of which one movement disposes at most."""
LONG: Final = {"start_day": "2025-07-01", "end_day": "2190-12-31", "campaign": "all"}


class Quarters(Maker):
    """Opens the season, and closes a quarter and declares the next for everybody."""

    def opening(self) -> list[Event]:
        """Return the entities, the first periods, the yields and the statements."""
        made: list[Event] = []
        kinds = {
            "farm": cast.FARMS,
            "landowner": cast.LANDOWNERS,
            "first_point": [*cast.ELEVATORS, *cast.BEYOND],
            "intermediary": [*cast.CRUSHERS, *cast.TRADERS, *cast.ABROAD],
            "refiner": cast.REFINERS,
            "service_provider": cast.TANKS,
        }
        self.day = cast.FIRST_DAY - timedelta(days=30)
        for role, names in kinds.items():
            made.extend(
                self.event("entity", entity=name, name=name, roles=[role], sites=cast.SITES.get(name, []))
                for name in names
            )
        made.extend(self.declare(name, cast.FIRST_DAY) for name in cast.BOOKS)
        for name in cast.CRUSHERS:
            for site in cast.SITES[name]:
                if name in cast.RUNS:
                    made.append(self.rate(name, site, cast.FIRST_DAY))
                else:
                    made.append(self.yielded(name, site, "soybeans", "soybean_oil"))
                made.append(self.yielded(name, site, "soybean_oil", "refined_soybean_oil"))
        for name in cast.REFINERS:
            made.extend(self.yielded(name, site, "corn", "ground_corn") for site in cast.SITES[name])
        made.extend(
            self.statement(name, cast.FIRST_DAY)
            for name in (*cast.BOOKS, *cast.ABROAD, *cast.BEYOND)
            if name not in cast.UNPROVEN
        )
        self.day = cast.FIRST_DAY
        return made

    def declare(self, name: str, start: date) -> Event:
        end = cast.quarter_after(start) - timedelta(days=1)
        days = {"start_day": start.isoformat(), "end_day": end.isoformat()}
        return self.event("period", entity=name, policy=self.random.choice(POLICIES), **days)

    def declared_late(self, name: str) -> list[Event]:
        """Return a declaration that forgets the policy of the last period, or its borders, and one that keeps both."""
        terms = self.auditor.books.terms[name]
        day = {"day": (self.quarter + timedelta(days=self.random.randrange(9))).isoformat()}
        right = {**self.declare(name, self.quarter), **day, "policy": terms[-1].policy}
        wrong = {**self.declare(name, self.quarter), **day}
        if self.chance(0.5):
            wrong["end_day"] = (self.quarter + timedelta(days=self.random.randrange(1, 60))).isoformat()
        return [wrong, right]

    def statement(self, name: str, start: date) -> Event:
        days = {"start_day": start.isoformat(), "end_day": (start + timedelta(days=36500)).isoformat()}
        words = {"verifier": "v", "number": f"S{self.number}", "crops": ["soybeans", "corn"], "opinion": "favourable"}
        return self.event("statement", entity=name, **days, **words)

    def yielded(self, name: str, site: str, made_of: str, output: str) -> Event:
        rate = text_of(cast.RATES[output], 6)
        return self.event("yield", entity=name, site=site, made_of=made_of, output=output, rate=rate, **LONG)

    def rate(self, name: str, site: str, start: date, basis: str = "provisional") -> Event:
        """Return a yield of one quarter, which is its own campaign."""
        end = cast.quarter_after(start) - timedelta(days=1)
        days = {"start_day": start.isoformat(), "end_day": end.isoformat(), "campaign": f"run {start}"}
        step = {"made_of": "soybeans", "output": "soybean_oil", "basis": basis}
        rate = text_of(self.random.randrange(10_600_000, 11_500_000), 6)
        return self.event("yield", entity=name, site=site, rate=rate, **days, **step)

    def advance(self) -> None:
        """Let time pass, slowly."""
        if self.chance(0.02):
            self.day += timedelta(days=1)

    @property
    def due(self) -> bool:
        return self.day >= cast.quarter_after(self.quarter)

    def turn(self) -> list[Event]:
        """Close a quarter for everybody, true the plants up and declare the next one before it begins."""
        made = []
        last = self.day
        ended = cast.quarter_after(self.quarter) - timedelta(days=1)
        self.day = ended
        for name in cast.RUNS:
            for site in cast.SITES[name]:
                made.extend(self.final(name, site))
        for name in (*cast.BOOKS, *cast.FARMS, *cast.LANDOWNERS):
            made.extend(self.clearing(name))
        for name in cast.BOOKS:
            for term in self.auditor.books.terms[name]:
                if not term.closed and term.end <= ended:
                    made.extend(self.closing(name, term.end))
        self.quarter = ended + timedelta(days=1)
        slow = [name for name in cast.BOOKS if self.chance(0.15)]
        made.extend(self.declare(name, self.quarter) for name in cast.BOOKS if name not in slow)
        for name in slow:
            made.extend(self.declared_late(name))
        made.extend(self.rate(name, site, self.quarter) for name in cast.RUNS for site in cast.SITES[name])
        self.day = max(last, self.quarter)
        return made

    def clearing(self, name: str) -> list[Event]:
        """Return the end of what an owner has too much of, the oldest, so that a stock is as large late as early."""
        made = []
        stock = sorted(self.auditor.books.owned[name].values(), key=lambda seg: (seg.acquired, seg.origin, seg.start))
        stock = [seg for seg in stock if self.auditor.origins[seg.origin].standing == "active"]
        for crop, form in sorted({(seg.crop, seg.form) for seg in stock}):
            mine = [seg for seg in stock if (seg.crop, seg.form) == (crop, form)][:-KEPT]
            if not mine:
                continue
            lots = [
                {"origin": seg.origin, "start": text_of(seg.start), "stop": text_of(seg.stop)}
                for seg in mine[-CLEARED:]
            ]
            made.append(self.event("release", entity=name, crop=crop, form=form, lots=lots))
        return made

    def final(self, name: str, site: str) -> list[Event]:
        """Return final yield, totals and true-up of a quarter's campaign."""
        run = {"made_of": "soybeans", "output": "soybean_oil", "campaign": f"run {self.quarter}"}
        claims = self.auditor.claimed.get(f"{name}/{site}/soybeans/soybean_oil/{run['campaign']}", {})
        used, made = (sum(pair[place] for pair in claims.values()) for place in (0, 1))
        used, made = max(used, 1000) * 11 // 10, max(made, 1000) * self.random.randrange(95, 120) // 100
        totals = {"crop_crushed": text_of(used), "product_made": text_of(made)}
        one = self.rate(name, site, self.quarter, "final")
        if self.chance(0.9):
            one["rate"] = text_of(min(th(one["rate"], 6), made * 10**6 // used), 6)
        two = self.event("crush", entity=name, site=site, **run, **totals)
        batches = self.batches({"entity": name, "site": site, **run}, used, made) if self.chance(0.6) else []
        others = [owner for owner in claims if owner != name]
        own = self.event("true_up", entity=name, site=site, **run)
        tolled = [self.event("true_up", entity=owner, plant=name, site=site, **run) for owner in others]
        stated = [one, *batches, two] if self.chance(0.5) else [*batches, two, one]
        return [*stated, own, *tolled]

    def batches(self, run: Event, used: int, made: int) -> list[Event]:
        """Return the conversion records of a campaign: two that add up, one typed twice and one that is void."""
        days = {"start_day": (self.quarter + timedelta(days=self.random.choice((0, 0, -30)))).isoformat()}
        half = (used // 2, made // 2)
        pairs = (half, (used - half[0], made - half[1]), half)
        some = [
            self.event("convert", **run, number=f"B{number}", put_in=text_of(put_in), made=text_of(out), **days)
            for number, (put_in, out) in zip((1, 2, 3), pairs, strict=True)
        ]
        again = {**some[0], "id": f"{some[0]['id']}-again"}
        return [*some, again, {**some[2], "id": f"{some[2]['id']}-void", "void": True}]

    def closing(self, name: str, ended: date) -> list[Event]:
        made = []
        lay = self.auditor.books.lay(name, ended)
        surplus = self.random.choice(("refused", "refused", "released"))
        for spot in sorted(lay):
            claims = self.auditor.claims_on(spot, ended)
            made.append(self.measure(spot, claims * self.random.choice((9, 10, 10, 10)) // 10, ended))
        made.append(self.close(name, ended, surplus))
        made.extend(self.cured(name, ended))
        for spot in sorted(lay):
            claims = self.auditor.claims_on(spot, ended) + self.random.randrange(3000)
            made.append(self.measure(spot, claims, ended))
        return [*made, self.close(name, ended, "refused")]

    def cured(self, name: str, ended: date) -> list[Event]:
        """Return tickets that came late: the grain behind the claims that were sold without."""
        term = next(one for one in self.auditor.books.terms[name] if one.end == ended)
        missing = [(crop, site or cast.SITES[name][0], amount) for crop in ("soybeans", "corn")
                   for site, amount in self.auditor.without_grain(name, crop, term).items()]  # fmt: skip
        made = [
            self.event("receipt", entity=name, site=site, form=crop, number=f"L{self.number}", amount=text_of(amount))
            for crop, site, amount in missing
        ]
        return [{**one, "day": ended.isoformat()} for one in made]

    def measure(self, spot: Spot, amount: int, day: date) -> Event:
        place = {"entity": spot[0], "site": spot[1], "form": spot[2]}
        made = self.event("measurement", **place, amount=text_of(amount), number=f"M{self.number}")
        made["day"] = day.isoformat()
        return made

    def close(self, name: str, ended: date, surplus: str) -> Event:
        made = self.event("close", entity=name, closed_on=(ended + timedelta(days=1)).isoformat(), surplus=surplus)
        return {**made, "day": ended.isoformat()}
