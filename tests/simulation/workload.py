"""Requests, most of them honest and some of them not: seeded, so that a seed is a whole season."""

from datetime import date, timedelta
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, Final

from tests.simulation.auditor import Auditor
from tests.simulation.ledger import PRODUCTS, Event, Seg, Spot, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

FARMS: Final = [f"farm{number}" for number in range(14)]
ELEVATORS: Final = [f"elevator{number}" for number in range(5)]
CRUSHERS: Final = [f"crusher{number}" for number in range(4)]
REFINERS: Final = [f"refiner{number}" for number in range(3)]
TRADERS: Final = [f"trader{number}" for number in range(3)]
ABROAD: Final = ["abroad0", "abroad1"]
"""Sellers whose books are elsewhere: they send documents and declare no periods here."""
BEYOND: Final = ["beyond0"]
"""A first point whose book is elsewhere: farms of this book sell to it by slip, and its documents come back."""
LANDOWNERS: Final = ["landowner0", "landowner1"]
TANKS: Final = ["tank0", "tank1"]
"""Houses that store for others."""
SELLERS: Final = [*ELEVATORS, *CRUSHERS, *TRADERS]
BOOKS: Final = [*SELLERS, *REFINERS]
UNPROVEN: Final = ("elevator4", "trader2", "abroad1")
"""No statement covers them at first."""
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
SITES: Final = {
    **{name: [f"{name}-north", f"{name}-south"] for name in (*ELEVATORS[:3], *CRUSHERS[:1], *REFINERS[:1])},
    **{name: [f"{name}-site"] for name in (*ELEVATORS[3:], *CRUSHERS[1:], *REFINERS[1:], *TRADERS, *TANKS)},
}
RUNS: Final = ("crusher2", "crusher3")
"""Plants that state a provisional yield for a quarter and true it up in the next."""
RATES: Final = {"soybean_oil": 11_070_000, "refined_soybean_oil": 957_131, "ground_corn": 55_333_333}
POLICIES: Final = ("oldest_first", "oldest_first", "proportional", "proportional", "named")
KEPT: Final = 30
"""Lots of a form that an owner keeps when a quarter ends."""
CLEARED: Final = 400
"""Lots of which one movement disposes at most."""
LONG: Final = {"start_day": "2025-07-01", "end_day": "2190-12-31", "campaign": "all"}

FIRST_DAY: Final = date(2025, 7, 1)


def quarter_after(start: date) -> date:
    """Return the first day of the quarter after one that begins on the first of a month."""
    month = start.month + 3
    return date(start.year + (month > 12), (month - 1) % 12 + 1, 1)


class Workload:
    """Makes requests, looking at the auditor's ledger to make most of them possible."""

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
        self.table: tuple[tuple[float, Callable[[], Event | None]], ...] = (
            (0.13, self.slip), (0.12, self.purchase), (0.02, self.pending), (0.03, self.assign), (0.21, self.sale),
            (0.18, self.answer), (0.02, self.document), (0.06, self.process), (0.06, self.ending), (0.02, self.shrink),
            (0.03, self.back), (0.03, self.correct), (0.02, self.move), (0.01, self.store), (0.01, self.again),
            (0.008, self.standing), (0.006, self.amend), (0.001, self.withdraw), (0.004, self.wrong_period),
            (0.003, self.wrong_close), (0.001, self.cure), (0.002, self.receipt),
        )  # fmt: skip

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
        match event["type"]:
            case "sale" | "document":
                self.open_sales.append(event)
            case "accept" | "reject":
                self.open_sales = [sale for sale in self.open_sales if sale["id"] != event["movement"]]
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
            case "suspend":
                self.suspended.append(event["origin"])
            case "reinstate" | "withdraw":
                self.suspended = [origin for origin in self.suspended if origin != event["origin"]]

    # the frame: who there is, and the turns of the quarters

    def opening(self) -> list[Event]:
        """Return the entities, the first periods, the yields and the statements."""
        made: list[Event] = []
        kinds = {
            "farm": FARMS,
            "landowner": LANDOWNERS,
            "first_point": [*ELEVATORS, *BEYOND],
            "intermediary": [*CRUSHERS, *TRADERS, *ABROAD],
            "refiner": REFINERS,
            "service_provider": TANKS,
        }
        self.day = FIRST_DAY - timedelta(days=30)
        for role, names in kinds.items():
            made.extend(
                self.event("entity", entity=name, name=name, roles=[role], sites=SITES.get(name, [])) for name in names
            )
        made.extend(self.declare(name, FIRST_DAY) for name in BOOKS)
        for name in CRUSHERS:
            for site in SITES[name]:
                if name in RUNS:
                    made.append(self.rate(name, site, FIRST_DAY))
                else:
                    made.append(self.yielded(name, site, "soybeans", "soybean_oil"))
                made.append(self.yielded(name, site, "soybean_oil", "refined_soybean_oil"))
        for name in REFINERS:
            made.extend(self.yielded(name, site, "corn", "ground_corn") for site in SITES[name])
        made.extend(self.statement(name, FIRST_DAY) for name in (*BOOKS, *ABROAD, *BEYOND) if name not in UNPROVEN)
        self.day = FIRST_DAY
        return made

    def declare(self, name: str, start: date) -> Event:
        end = quarter_after(start) - timedelta(days=1)
        days = {"start_day": start.isoformat(), "end_day": end.isoformat()}
        return self.event("period", entity=name, policy=self.random.choice(POLICIES), **days)

    def statement(self, name: str, start: date) -> Event:
        days = {"start_day": start.isoformat(), "end_day": (start + timedelta(days=36500)).isoformat()}
        words = {"verifier": "v", "number": f"S{self.number}", "crops": ["soybeans", "corn"], "opinion": "favourable"}
        return self.event("statement", entity=name, **days, **words)

    def yielded(self, name: str, site: str, made_of: str, output: str) -> Event:
        rate = text_of(RATES[output], 6)
        return self.event("yield", entity=name, site=site, made_of=made_of, output=output, rate=rate, **LONG)

    def rate(self, name: str, site: str, start: date, basis: str = "provisional") -> Event:
        """Return a yield of one quarter, which is its own campaign."""
        end = quarter_after(start) - timedelta(days=1)
        days = {"start_day": start.isoformat(), "end_day": end.isoformat(), "campaign": f"run {start}"}
        step = {"made_of": "soybeans", "output": "soybean_oil", "basis": basis}
        rate = text_of(self.random.randrange(10_600_000, 11_500_000), 6)
        return self.event("yield", entity=name, site=site, rate=rate, **days, **step)

    def batch(self) -> list[Event]:
        """Return the next requests: one, or the whole turn of a quarter."""
        self.advance()
        return self.turn() if self.due else self.single()

    def advance(self) -> None:
        """Let time pass, slowly."""
        if self.chance(0.02):
            self.day += timedelta(days=1)

    @property
    def due(self) -> bool:
        """Tell whether the quarter is over."""
        return self.day >= quarter_after(self.quarter)

    def turn(self) -> list[Event]:
        """Close a quarter for everybody, true the plants up and declare the next one before it begins."""
        made = []
        last = self.day
        ended = quarter_after(self.quarter) - timedelta(days=1)
        self.day = ended
        for name in RUNS:
            for site in SITES[name]:
                made.extend(self.final(name, site))
        for name in (*BOOKS, *FARMS, *LANDOWNERS):
            made.extend(self.clearing(name))
        for name in BOOKS:
            for term in self.auditor.books.terms[name]:
                if not term.closed and term.end <= ended:
                    made.extend(self.closing(name, term.end))
        self.quarter = ended + timedelta(days=1)
        made.extend(self.declare(name, self.quarter) for name in BOOKS)
        made.extend(self.rate(name, site, self.quarter) for name in RUNS for site in SITES[name])
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
        batch = f"{name}/{site}/soybeans/soybean_oil/{run['campaign']}"
        claims = self.auditor.claimed.get(batch, {})
        used, made = (sum(pair[place] for pair in claims.values()) for place in (0, 1))
        used, made = max(used, 1000) * 11 // 10, max(made, 1000) * self.random.randrange(95, 120) // 100
        totals = {"crop_crushed": text_of(used), "product_made": text_of(made)}
        one = self.rate(name, site, self.quarter, "final")
        two = self.event("crush", entity=name, site=site, **run, **totals)
        others = [owner for owner in claims if owner != name]
        own = self.event("true_up", entity=name, site=site, **run)
        tolled = [self.event("true_up", entity=owner, plant=name, site=site, **run) for owner in others]
        return [one, two, own, *tolled]

    def closing(self, name: str, ended: date) -> list[Event]:
        made = []
        lay = self.auditor.books.lay(name, ended)
        surplus = self.random.choice(("refused", "refused", "released"))
        for spot in sorted(lay):
            claims = self.auditor.claims_on(spot, ended)
            made.append(self.measure(spot, claims * self.random.choice((9, 10, 10, 10)) // 10, ended))
        made.append(self.close(name, ended, surplus))
        for spot in sorted(lay):
            claims = self.auditor.claims_on(spot, ended) + self.random.randrange(3000)
            made.append(self.measure(spot, claims, ended))
        return [*made, self.close(name, ended, "refused")]

    def measure(self, spot: Spot, amount: int, day: date) -> Event:
        place = {"entity": spot[0], "site": spot[1], "form": spot[2]}
        made = self.event("measurement", **place, amount=text_of(amount), number=f"M{self.number}")
        made["day"] = day.isoformat()
        return made

    def close(self, name: str, ended: date, surplus: str) -> Event:
        made = self.event("close", entity=name, closed_on=(ended + timedelta(days=1)).isoformat(), surplus=surplus)
        return {**made, "day": ended.isoformat()}

    def single(self) -> list[Event]:
        """Return one request, or none where there is nothing to ask for."""
        if len(self.origins) < 10 or self.chance(0.02):
            return [self.report()]
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
            sale = self.auditor.seen.get(event["movement"], {})
            giver = sale.get("giver", SELLERS[0])
            other = {name: value for name, value in other.items() if name not in ("site", "custodian")}
            other = {**other, "type": "reject", "giver": giver, "site": self.at(giver)}
        return other

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

    # farms

    def report(self) -> Event:
        farm, crop = self.random.choice(FARMS), self.random.choice(("soybeans", "soybeans", "corn"))
        known = self.auditor.origins
        while f"{farm}/{crop}/{self.year}" in known and self.chance(0.9):
            farm = self.random.choice(FARMS)
            if all(f"{name}/{crop}/{self.year}" in known for name in FARMS):
                self.year += 1
        bushels, ci = text_of(self.random.randrange(6_000_000, 30_000_000)), str(self.random.randrange(50, 70) * 100)
        return self.event("report", entity=farm, crop=crop, harvest_year=self.year, bushels=bushels, ci=ci)

    def slip(self) -> Event | None:
        origin = self.random.choice(self.origins)
        one = self.auditor.origins[origin]
        free = [seg for seg in self.auditor.books.segs[origin] if seg.owner == one.farm and seg.state == "held"]
        taker = self.random.choice([*ELEVATORS, *REFINERS] if self.chance(0.95) else CRUSHERS)
        giver = one.farm if self.chance(0.98) else self.random.choice(FARMS)
        fields = {"giver": giver, "taker": taker, "origin": origin}
        if self.chance(0.4):
            left = sum(seg.size for seg in free)
            return self.event("slip", bushels=text_of(self.some(max(left // 2, 2000))), **fields)
        if not free:
            return None
        seg = self.random.choice(free)
        taken = [stop for slip in self.auditor.by_origin.get(origin, []) for _, stop in slip.open]
        start = max([seg.start, *(stop for stop in taken if stop < seg.stop)])
        if self.chance(0.1):
            start = self.random.randrange(one.issued)
        stop = start + self.some(max(seg.size // 2, 50_000))
        stop = stop if self.chance(0.1) else max(start + 1, min(stop, seg.stop))
        return self.event("slip", spans=[[text_of(start), text_of(stop)]], **fields)

    def a_slip(self) -> str | None:
        slips = self.open_slips[-60:]
        if self.chance(0.03):
            slips = list(islice(reversed(self.auditor.slips), 60))
        return self.random.choice(slips) if slips else None

    def purchase(self) -> Event | None:
        name = self.a_slip()
        if name is None:
            return None
        slip = self.auditor.slips[name]
        taker = slip.taker if self.chance(0.97) else self.random.choice(ELEVATORS)
        more = {}
        if self.chance(0.2):
            more["bushels"] = text_of(self.some(sum(stop - start for start, stop in slip.open) * 11 // 10))
        fields = {"giver": slip.giver, "taker": taker, "slip": name, "site": self.at(taker)}
        return self.maybe_early(self.event("purchase", **fields, **more))

    def pending(self) -> Event:
        """Return a purchase whose report is said to come later; a ticket is all there is."""
        taker, origin = self.random.choice(ELEVATORS), self.auditor.origins[self.random.choice(self.origins)]
        bushels = self.random.randrange(20_000, 900_000)
        weighed = bushels + self.random.randrange(900) if self.chance(0.95) else bushels - 1
        ticket = {"number": f"T{self.number}", "bushels": text_of(weighed)}
        crop = {"crop": origin.crop, "harvest_year": origin.year, "bushels": text_of(bushels), "tickets": [ticket]}
        made = self.event("purchase_pending", giver=origin.farm, taker=taker, site=self.at(taker), **crop)
        return self.maybe_early(made)

    def assign(self) -> Event | None:
        """Return an assignment of a slip to a purchase that waits, mostly one that fits."""
        if not self.open_pending:
            return None
        name = self.random.choice(self.open_pending[-30:])
        bought = self.auditor.waiting[name]
        slips = [slip for slip in self.open_slips[-80:] if self.auditor.slips[slip].giver == bought.giver]
        fits = [slip for slip in slips if self.auditor.slips[slip].taker == bought.taker]
        if not fits:
            origin = f"{bought.giver}/{bought.crop}/{bought.year}"
            fields = {"giver": bought.giver, "taker": bought.taker, "origin": origin}
            return self.event("slip", bushels=text_of(bought.bushels), **fields)
        slip = self.random.choice(fits if self.chance(0.95) else slips)
        more = {"bushels": text_of(self.some(bought.bushels))} if self.chance(0.3) else {}
        made = self.event("assign", giver=bought.giver, taker=bought.taker, pending=name, slip=slip, **more)
        return self.maybe_early(made)

    def receipt(self) -> Event:
        """Return conventional grain coming in: it makes room for claims and makes none."""
        name = self.random.choice(ELEVATORS)
        amount, number = text_of(self.random.randrange(1, 10**7)), f"R{self.number}"
        crop = self.random.choice(("soybeans", "corn"))
        return self.event("receipt", entity=name, site=SITES[name][0], form=crop, amount=amount, number=number)

    def amend(self) -> Event:
        origin = self.random.choice(self.origins)
        one = self.auditor.origins[origin]
        bushels = one.bushels * self.random.choice((100, 100, 97, 70, 104)) // 100
        farm, crop, year = origin.split("/")
        fields = {"bushels": text_of(bushels), "ci": str(self.random.randrange(50, 75) * 100)}
        number = one.number + (1 if self.chance(0.9) else 2)
        return self.event("report", entity=farm, crop=crop, harvest_year=int(year), version=number, **fields)

    def withdraw(self) -> Event:
        return self.event("withdraw", origin=self.random.choice(self.origins), reason="signed in error")

    def standing(self) -> Event:
        if self.suspended and self.chance(0.8):
            return self.event("reinstate", origin=self.suspended[0])
        kind = self.random.choice(("suspend", "reinstate"))
        return self.event(kind, origin=self.random.choice(self.origins) if self.chance(0.95) else "no/such/9")

    # traders

    def holding(self, who: str) -> tuple[str, str, list[Seg]]:
        """Return a crop, a form and what an entity has of it: something it has, if it has anything."""
        segs = list(self.auditor.books.owned.get(who, {}).values())
        if not segs or self.chance(0.02):
            return "soybeans", "soybeans", []
        one = self.random.choice(segs)
        return one.crop, one.form, [seg for seg in segs if (seg.crop, seg.form) == (one.crop, one.form)]

    def claims(self, held: tuple[str, str, list[Seg]], site: str = "") -> Event:
        """Return which claims an event takes: some of what there is, or what there is not."""
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

    def sale(self) -> Event:
        giver = self.random.choice(SELLERS)
        held = self.holding(giver)
        takers = [*CRUSHERS, *REFINERS, *TRADERS[:1]] if self.chance(0.7) else [*SELLERS, *REFINERS]
        taker = self.random.choice(takers)
        site = self.at(giver) if self.chance(0.2) else ""
        choice = self.claims(held, site)
        if self.chance(0.02):
            giver, taker = self.random.choice(((giver, giver), ("ghost", taker), (giver, FARMS[0]), (FARMS[1], taker)))
        more = {"site": site} if site else {}
        return self.maybe_early(self.event("sale", giver=giver, taker=taker, **choice, **more))

    def document(self) -> Event:
        """Return a sale of somebody whose book is elsewhere: the paper is all there is."""
        giver, taker = self.random.choice(ABROAD), self.random.choice([*CRUSHERS, *TRADERS, *REFINERS])
        lines = []
        for _ in range(self.random.randrange(1, 4)):
            bushels = self.random.randrange(1_000, 400_000)
            line = {"crop": "soybeans", "harvest_year": 2025, "ci": str(self.random.randrange(50, 70) * 100)}
            line |= {"form": "soybeans", "bushels": text_of(bushels)}
            if self.chance(0.5):
                pounds = bushels * RATES["soybean_oil"] // 10**6 + (1 if self.chance(0.05) else 0)
                line |= {"form": "soybean_oil", "pounds": text_of(pounds)}
                line |= {"rate": text_of(RATES["soybean_oil"], 6)} if self.chance(0.7) else {}
            lines.append(line)
        number = f"D{self.number}"
        if self.chance(0.05) and self.auditor.documents:
            giver, number = min(self.auditor.documents)
        return self.event("document", giver=giver, taker=taker, number=number, lines=lines)

    def waiting_sale(self) -> Event | None:
        """Return one of the oldest sales that wait for an answer; what was corrected or withdrawn waits no longer."""
        while self.open_sales:
            sale = self.random.choice(self.open_sales[:40])
            if self.auditor.underway(sale):
                return sale
            self.open_sales.remove(sale)
        return None

    def answer(self) -> Event | None:
        sale = self.waiting_sale()
        if self.chance(0.04):
            sales = [event for event in self.latest(150) if event["type"] in ("sale", "document")]
            sale = self.random.choice(sales) if sales else None
        if sale is None:
            return None
        taker = sale["taker"] if self.chance(0.98) else self.random.choice(CRUSHERS)
        if self.chance(0.93):
            house = self.random.choice(TANKS) if self.chance(0.03) else taker
            more = {} if house == taker else {"custodian": house}
            made = self.event("accept", taker=taker, movement=sale["id"], site=self.at(house), **more)
        else:
            giver = sale["giver"] if self.chance(0.9) else SELLERS[0]
            made = self.event("reject", taker=taker, giver=giver, movement=sale["id"], site=self.at(giver))
        return self.maybe_early(made)

    def process(self) -> Event | None:
        who = self.random.choice([*CRUSHERS, *CRUSHERS, *REFINERS])
        _, form, segs = held = self.holding(who)
        outputs = [output for output, inputs in PRODUCTS.items() if form in inputs]
        if not outputs:
            return None
        output = self.random.choice(outputs)
        if self.chance(0.9):
            output = {"soybeans": "soybean_oil", "soybean_oil": "refined_soybean_oil"}.get(form, output)
        site = self.random.choice(segs).site if segs and self.chance(0.9) else self.at(who)
        site = site if site in SITES[who] else self.at(who)
        return self.maybe_early(self.event("process", entity=who, output=output, **self.claims(held, site), site=site))

    def ending(self) -> Event:
        who = self.random.choice([*BOOKS, *FARMS[:3]])
        kind = self.random.choice(("release", "loss"))
        return self.maybe_early(self.event(kind, entity=who, **self.claims(self.holding(who))))

    def shrink(self) -> Event | None:
        """Return a loss of a whole site, of which claims bear their share."""
        who = self.random.choice(BOOKS)
        crop, form, segs = self.holding(who)
        if not segs:
            return None
        seg = self.random.choice(segs)
        unit = "pounds" if form in PRODUCTS else "bushels"
        fields = {"crop": crop, "form": form, unit: text_of(self.some(max(seg.amount // 20, 1000)))}
        return self.maybe_early(self.event("loss", entity=who, site=seg.site or self.at(who), shared=True, **fields))

    def retire(self) -> Event:
        who = self.random.choice(REFINERS if self.chance(0.97) else CRUSHERS)
        fuel = {"fuel": "renewable diesel", "batch": f"B{self.number}", "gallons": "10"}
        return self.maybe_early(self.event("retire", entity=who, **fuel, **self.claims(self.holding(who))))

    def move(self) -> Event | None:
        who = self.random.choice([name for name, sites in SITES.items() if len(sites) > 1])
        held = self.holding(who)
        site = SITES[who][self.chance(0.5)]
        return self.maybe_early(
            self.event("move", entity=who, **self.claims(held, site), site=site, to_site=self.at(who))
        )

    def store(self) -> Event | None:
        """Return an owner's crop going into somebody's house; title stays."""
        who, house = self.random.choice([*FARMS, *TRADERS, *ELEVATORS]), self.random.choice(TANKS)
        crop, form, segs = self.holding(who)
        if not segs:
            return None
        choice = self.named(self.random.choice(segs), "none")
        more = {} if form == crop else {"form": form}
        return self.maybe_early(
            self.event("storage", owner=who, custodian=house, site=self.at(house), lots=choice["lots"], **more)
        )

    # afterwards

    def latest(self, number: int) -> list[Event]:
        return [deed.event for deed in islice(reversed(self.auditor.books.deeds.values()), number)][::-1]

    def back(self) -> Event | None:
        kinds = ("sale", "sale", "purchase", "assign", "document") if self.chance(0.98) else ("slip",)
        sales = [event for event in self.latest(400) if event["type"] in kinds]
        if not sales:
            return None
        sale = self.random.choice(sales)
        giver, taker = sale["taker"], sale["giver"]
        if self.chance(0.03):
            taker = SELLERS[0]
        deed = self.auditor.books.deeds[sale["id"]]
        size = sum(made.amount for _, made in deed.changed)
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

    def wrong_close(self) -> Event:
        ended = quarter_after(self.quarter) - timedelta(days=1)
        days = (self.quarter - timedelta(days=1), ended - timedelta(days=3), ended)
        made = self.close(self.random.choice(BOOKS), self.random.choice(days), "refused")
        return {**made, "closed_on": self.quarter.isoformat()}

    def cure(self) -> Event:
        made = self.statement(self.random.choice(UNPROVEN), FIRST_DAY)
        if self.chance(0.3):
            made["opinion"] = "adverse"
        return made


__all__ = ["Workload"]
