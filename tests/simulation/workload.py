"""Requests, most of them honest and some of them not: seeded, so that a seed is a whole season."""

from datetime import date, timedelta
from itertools import islice
from random import Random
from typing import Any, Final

from tests.simulation.auditor import STOCK, Auditor, Event

UNIT: Final = 100
"""Bushels in a cell. At 11.07 pounds a bushel a cell of oil is a whole number of pounds."""
RATE: Final = "11.07"
POUNDS: Final = 1107

FARMS: Final = [f"farm{number}" for number in range(14)]
ELEVATORS: Final = [f"elevator{number}" for number in range(5)]
CRUSHERS: Final = [f"crusher{number}" for number in range(4)]
REFINERS: Final = [f"refiner{number}" for number in range(3)]
TRADERS: Final = [f"trader{number}" for number in range(3)]
SELLERS: Final = [*ELEVATORS, *CRUSHERS, *TRADERS]
BOOKS: Final = [*SELLERS, *REFINERS]
UNPROVEN: Final = ("elevator4", "trader2")
"""No statement covers them at first."""

CONTESTED: Final = ("sale", "slip", "purchase", "accept", "process", "release", "loss", "retire", "return", "correct")
"""What two can ask for and only one can get."""

FIRST_DAY: Final = date(2025, 7, 1)


def quarter_after(start: date) -> date:
    """Return the first day of the quarter after one that begins on the first of a month."""
    month = start.month + 3
    return date(start.year + (month > 12), (month - 1) % 12 + 1, 1)


class Workload:
    """Makes requests, looking at the auditor's cells to make most of them possible."""

    def __init__(self, seed: int, auditor: Auditor) -> None:
        self.random = Random(seed)
        self.auditor = auditor
        self.day = FIRST_DAY
        self.quarter = FIRST_DAY
        self.number = 0
        self.year = 2025
        self.origins: list[str] = []
        self.versions: dict[str, int] = {}
        self.recent: list[Event] = []
        self.open_sales: list[Event] = []
        self.open_slips: list[str] = []
        self.suspended: list[str] = []

    def event(self, kind: str, **fields: Any) -> Event:  # noqa: ANN401 - fields of any event
        self.number += 1
        made = {"type": kind, "id": f"m{self.number}", "day": self.day.isoformat(), **fields}
        self.recent = [*self.recent[-40:], made]
        return made

    def noted(self, event: Event) -> None:
        """Remember what was posted and waits for an answer."""
        match event["type"]:
            case "sale":
                self.open_sales.append(event)
            case "accept" | "reject":
                self.open_sales = [sale for sale in self.open_sales if sale["id"] != event["movement"]]
            case "slip":
                self.open_slips.append(event["id"])
            case "purchase":
                self.open_slips = [slip for slip in self.open_slips if slip != event["slip"]]
            case "suspend":
                self.suspended.append(event["origin"])
            case "reinstate":
                self.suspended.remove(event["origin"])

    def opening(self) -> list[Event]:
        """Return the entities, the first two periods, the yields and the statements."""
        made = []
        kinds = [
            ("farm", FARMS),
            ("first_point", ELEVATORS),
            ("intermediary", [*CRUSHERS, *TRADERS]),
            ("refiner", REFINERS),
        ]
        self.day = FIRST_DAY - timedelta(days=30)
        for role, names in kinds:
            for name in names:
                sites = [] if role == "farm" else [f"{name}-site"]
                made.append(self.event("entity", entity=name, name=name, roles=[role], sites=sites))
        made.extend(self.declare(name, FIRST_DAY) for name in BOOKS)
        for name in CRUSHERS:
            years = {"start_day": "2025-07-01", "end_day": "2099-12-31"}
            step = {"made_of": "soybeans", "output": "soybean_oil", "campaign": "all", "rate": RATE}
            made.append(self.event("yield", entity=name, site=f"{name}-site", **years, **step))
        made.extend(self.statement(name, FIRST_DAY) for name in BOOKS if name not in UNPROVEN)
        self.day = FIRST_DAY
        return made

    def declare(self, name: str, start: date) -> Event:
        end = quarter_after(start) - timedelta(days=1)
        days = {"start_day": start.isoformat(), "end_day": end.isoformat()}
        return self.event("period", entity=name, policy="oldest_first", **days)

    def statement(self, name: str, start: date) -> Event:
        days = {"start_day": start.isoformat(), "end_day": (start + timedelta(days=400)).isoformat()}
        words = {"verifier": "v", "number": f"S{self.number}", "crops": ["soybeans"], "opinion": "favourable"}
        return self.event("statement", entity=name, **days, **words)

    def batch(self) -> list[Event]:
        """Return the next requests: one, or the whole turn of a quarter."""
        self.advance()
        return self.turn() if self.due else self.single()

    def advance(self) -> None:
        """Let time pass, slowly."""
        if self.random.random() < 0.02:
            self.day += timedelta(days=1)

    @property
    def due(self) -> bool:
        """Tell whether the quarter is over."""
        return self.day >= quarter_after(self.quarter)

    def single(self) -> list[Event]:
        """Return one request, or none where there is nothing to ask for."""
        if len(self.origins) < 10 or self.random.random() < 0.01:
            return [self.report()]
        roll = self.random.random()
        table = (
            (0.14, self.slip), (0.15, self.purchase), (0.20, self.sale), (0.20, self.answer), (0.06, self.process),
            (0.05, self.ending), (0.03, self.back), (0.03, self.correct), (0.01, self.again), (0.01, self.standing),
            (0.005, self.worse), (0.005, self.wrong_period), (0.004, self.wrong_close), (0.001, self.cure),
        )  # fmt: skip
        for weight, make in table:
            roll -= weight
            if roll < 0:
                return [made] if (made := make()) else []
        made = self.retire()
        return [made] if made else []

    def rival(self, event: Event) -> Event | None:
        """Return a request that somebody else makes at the same moment and that cannot stand beside the first."""
        if event["type"] not in CONTESTED:
            return None
        if self.random.random() < 0.1:
            return event
        self.number += 1
        other = {**event, "id": f"m{self.number}"}
        if event["type"] in ("sale", "slip") and self.random.random() < 0.7:
            other["taker"] = self.random.choice(TRADERS if event["type"] == "sale" else ELEVATORS)
        if event["type"] == "accept" and self.random.random() < 0.5:
            sale = self.auditor.seen.get(event["movement"], {})
            giver = sale.get("giver", SELLERS[0])
            other = {**other, "type": "reject", "giver": giver, "site": f"{giver}-site"}
        return other

    def turn(self) -> list[Event]:
        """Close a quarter for everybody and declare the next but one before it begins."""
        made = []
        last = self.day
        ended = quarter_after(self.quarter) - timedelta(days=1)
        self.day = ended
        for name in BOOKS:
            claims = self.auditor.claims(name)
            for key, number in sorted(claims.items()):
                short = number - 1 if self.random.random() < 0.1 else number
                made.append(self.measure(key, short))
            made.append(self.close(name, ended))
            for key, number in sorted(claims.items()):
                made.append(self.measure(key, number + self.random.randrange(3)))
            made.append(self.close(name, ended))
        self.quarter = ended + timedelta(days=1)
        made.extend(self.declare(name, self.quarter) for name in BOOKS)
        self.day = max(last, self.quarter)
        return made

    def measure(self, key: tuple[str, str, str], number: int) -> Event:
        amount = number * (UNIT if key[2] == "soybeans" else POUNDS)
        place = {"entity": key[0], "site": key[1], "form": key[2]}
        return self.event("measurement", **place, amount=str(amount), number=f"M{self.number}", number_of_cells=number)

    def close(self, name: str, ended: date) -> Event:
        made = self.event("close", entity=name, closed_on=(ended + timedelta(days=1)).isoformat(), surplus="refused")
        return {**made, "day": ended.isoformat()}

    def report(self) -> Event:
        farm = self.random.choice(FARMS)
        while f"{farm}/soybeans/{self.year}" in self.auditor.cells and self.random.random() < 0.9:
            farm = self.random.choice(FARMS)
            if all(f"{name}/soybeans/{self.year}" in self.auditor.cells for name in FARMS):
                self.year += 1
        origin = f"{farm}/soybeans/{self.year}"
        bushels = self.random.randrange(60, 300) * UNIT
        if origin not in self.origins and origin not in self.auditor.cells:
            self.origins = [*self.origins[-30:], origin]
            self.versions[origin] = 1
        ci = str(self.random.randrange(50, 70) * 100)
        return self.event(
            "report", entity=farm, crop="soybeans", harvest_year=self.year, bushels=bushels, ci=ci, unit=UNIT
        )

    def slip(self) -> Event | None:
        origin = self.random.choice(self.origins)
        cells = self.auditor.cells.get(origin)
        if cells is None:
            return None
        farm = self.auditor.farm_of[origin]
        start = self.random.randrange(len(cells))
        free = [place for place, cell in enumerate(cells) if cell.owner == farm and cell.state == "held"]
        if free and self.random.random() < 0.9:
            start = self.random.choice(free[:3])
        stop = start + self.random.randrange(1, 25)
        taker = self.random.choice(ELEVATORS + REFINERS if self.random.random() < 0.95 else CRUSHERS)
        giver = farm if self.random.random() < 0.98 else self.random.choice(FARMS)
        spans = [[start * UNIT, stop * UNIT]]
        return self.event("slip", giver=giver, taker=taker, origin=origin, spans=spans, cells=[start, stop])

    def purchase(self) -> Event | None:
        slips = self.open_slips[-60:]
        if self.random.random() < 0.05:
            slips = list(islice(reversed(self.auditor.slips), 60))
        if not slips:
            return None
        slip = self.random.choice(slips)
        giver, taker = self.auditor.slips[slip][:2]
        if self.random.random() < 0.03:
            taker = self.random.choice(ELEVATORS)
        made = self.event("purchase", giver=giver, taker=taker, slip=slip, site=f"{taker}-site")
        return self.maybe_early(made)

    def maybe_early(self, event: Event) -> Event:
        """Sometimes date an event back, as far as into a closed period."""
        if self.random.random() < 0.06:
            event["day"] = (self.day - timedelta(days=self.random.choice((1, 2, 9, 120, 400)))).isoformat()
        return event

    def claims(self, who: str, form: str) -> dict[str, Any]:
        """Return which claims an event takes: some of what there is, or what there is not."""
        auditor = self.auditor
        mine = [name for name in auditor.owned[who] if auditor.at(name).form == form]
        if mine and self.random.random() < 0.5:
            origin, place = self.random.choice(mine)
            first, last = place, place + 1
            while (origin, last) in auditor.owned[who] and self.random.random() < 0.8:
                last += 1
            if self.random.random() < 0.06:
                first, last = max(0, first - 1), last + 1
            lots = [{"origin": origin, "start": str(first * UNIT), "stop": str(last * UNIT)}]
            return {"lots": lots, "range": [origin, first, last]}
        number = self.random.randrange(1, max(2, len(mine) // 2 if self.random.random() < 0.9 else len(mine) + 5))
        amount = {"bushels": str(number * UNIT)} if form == "soybeans" else {"pounds": str(number * POUNDS)}
        return {**amount, "count": number}

    def sale(self) -> Event:
        giver = self.random.choice(SELLERS)
        form = "soybean_oil" if giver not in ELEVATORS and self.random.random() < 0.5 else "soybeans"
        takers = [*CRUSHERS, *TRADERS, *REFINERS] if form == "soybean_oil" else [*ELEVATORS[:2], *CRUSHERS, *TRADERS]
        taker = self.random.choice(takers)
        if self.random.random() < 0.03:
            giver, taker = self.random.choice(((giver, giver), ("ghost", taker), (giver, FARMS[0]), (FARMS[1], taker)))
        choice = self.claims(giver if giver in SELLERS else SELLERS[0], form)
        more = {} if form == "soybeans" else {"form": form}
        return self.maybe_early(self.event("sale", giver=giver, taker=taker, crop="soybeans", **choice, **more))

    def answer(self) -> Event | None:
        sales = self.open_sales[:40]
        if self.random.random() < 0.06:
            sales = [deed.event for deed in self.auditor.latest(150) if deed.event["type"] == "sale"]
        if not sales:
            return None
        sale = self.random.choice(sales)
        taker = sale["taker"] if self.random.random() < 0.97 else self.random.choice(CRUSHERS)
        if self.random.random() < 0.93:
            made = self.event("accept", taker=taker, movement=sale["id"], site=f"{taker}-site")
        else:
            giver = sale["giver"] if self.random.random() < 0.9 else SELLERS[0]
            made = self.event("reject", taker=taker, giver=giver, movement=sale["id"], site=f"{giver}-site")
        return self.maybe_early(made)

    def process(self) -> Event:
        who = self.random.choice(CRUSHERS)
        made = self.event(
            "process",
            entity=who,
            crop="soybeans",
            output="soybean_oil",
            site=f"{who}-site",
            **self.claims(who, "soybeans"),
        )
        return self.maybe_early(made)

    def ending(self) -> Event:
        who = self.random.choice([*BOOKS, *FARMS[:3]])
        form = "soybean_oil" if who in CRUSHERS and self.random.random() < 0.5 else "soybeans"
        kind = self.random.choice(("release", "loss"))
        more = {} if form == "soybeans" else {"form": form}
        claims = self.claims(who, form)
        return self.maybe_early(self.event(kind, entity=who, crop="soybeans", **more, **claims))

    def retire(self) -> Event:
        who = self.random.choice(REFINERS if self.random.random() < 0.97 else CRUSHERS)
        form = "soybean_oil" if self.random.random() < 0.7 else "soybeans"
        more = {} if form == "soybeans" else {"form": form}
        fuel = {"fuel": "renewable diesel", "batch": f"B{self.number}", "gallons": "10"}
        return self.maybe_early(
            self.event("retire", entity=who, crop="soybeans", **more, **fuel, **self.claims(who, form))
        )

    def back(self) -> Event | None:
        sales = [deed.event for deed in self.auditor.latest(400) if deed.event["type"] == "sale"]
        if not sales:
            return None
        sale = self.random.choice(sales)
        giver, taker = sale["taker"], sale["giver"]
        if self.random.random() < 0.05:
            taker = SELLERS[0]
        if giver == taker:
            return None
        return self.maybe_early(
            self.event("return", giver=giver, taker=taker, movement=sale["id"], site=f"{taker}-site")
        )

    def correct(self) -> Event | None:
        kinds = ("purchase", "sale", "accept", "process", "release", "loss", "retire", "return", "correct", "reject")
        deeds = [deed.event for deed in self.auditor.latest(60) if deed.event["type"] in kinds]
        if not deeds:
            return None
        event = self.random.choice(deeds)
        who = event.get("entity") or event.get("giver") or event["taker"]
        if self.random.random() < 0.03:
            who = self.random.choice(SELLERS)
        return self.maybe_early(self.event("correct", entity=who, movement=event["id"], reason="typed wrongly"))

    def again(self) -> Event | None:
        known = [event for event in self.recent[:-1] if event["id"] in self.auditor.seen]
        if not known:
            return None
        event = self.random.choice(known)
        return event if self.random.random() < 0.5 else {**event, "day": "2030-01-01"}

    def standing(self) -> Event:
        if self.suspended and self.random.random() < 0.8:
            return self.event("reinstate", origin=self.suspended[0])
        kind = self.random.choice(("suspend", "reinstate"))
        return self.event(
            kind, origin=self.random.choice([name for name in self.origins if name in self.auditor.cells])
        )

    def worse(self) -> Event | None:
        origin = self.random.choice(self.origins)
        cells = self.auditor.cells.get(origin)
        if cells is None:
            return None
        self.versions[origin] += 1
        farm, crop, year = origin.split("/")
        fields = {"bushels": len(cells) * UNIT, "ci": str(self.random.randrange(50, 75) * 100), "unit": UNIT}
        made = self.event(
            "report", entity=farm, crop=crop, harvest_year=int(year), version=self.versions[origin], **fields
        )
        made["day"] = self.day.isoformat()
        return made

    def wrong_period(self) -> Event:
        name = self.random.choice(BOOKS)
        start = self.random.choice((self.quarter, quarter_after(self.quarter)))
        made = self.declare(name, start)
        made["end_day"] = (start + timedelta(days=self.random.choice((93, 120, 200)))).isoformat()
        return made

    def wrong_close(self) -> Event:
        ended = quarter_after(self.quarter) - timedelta(days=1)
        days = (self.quarter - timedelta(days=1), ended - timedelta(days=3), ended)
        made = self.close(self.random.choice(BOOKS), self.random.choice(days))
        return {**made, "closed_on": self.quarter.isoformat()}

    def cure(self) -> Event:
        return self.statement(self.random.choice(UNPROVEN), FIRST_DAY)


__all__ = ["POUNDS", "STOCK", "UNIT", "Workload"]
