"""An honest season of farms, elevators, crushers, a trader and refiners, for books that are kept apart: seeded."""

from datetime import date, timedelta
from random import Random
from typing import TYPE_CHECKING, Any, Final

from provender.custody.model.lots import Lot, LotState, Origin, Slip, origin_name
from provender.exact import CI_SCALE, show
from tests.simulation.apart import Apart, Trade
from tests.simulation.cast import quarter_after
from tests.simulation.ledger import Event, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

TRADING: Final = {
    "first_point": ("east", "west"), "intermediary": ("press", "mill", "trader"), "refiner": ("fuel", "diesel"),
}  # fmt: skip
SITES: Final = {"east": ("north", "south"), "press": ("works", "yard")}
PLANTS: Final = ("press", "mill", "fuel", "diesel")
TRADERS: Final = ("east", "west", "press", "mill", "trader", "fuel", "diesel")
UNPROVEN: Final = "west"
"""A trader that no statement covers in some seasons."""
START: Final = date(2025, 10, 1)
RATES: Final = {"soybean_oil": ("soybeans", 11), "ground_corn": ("corn", 55)}
CROWD: Final = 9
"""Farms."""


class ApartSeason:
    """Chooses what honest parties do next, out of what they have."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.apart = Apart()
        self.farms = [f"farm{number}" for number in range(CROWD)]
        self.day = START
        self.quarter = START
        self.number = 0
        self.policies: dict[str, str] = {}
        self.waiting: list[Trade] = []
        self.rounds = self.chance(0.3)
        self.choices: tuple[tuple[int, Callable[[], None]], ...] = (
            (24, self.buy), (28, self.sell), (20, self.answer), (10, self.process), (6, self.retire), (5, self.end),
            (4, self.give_back), (2, self.take_back), (3, self.move), (2, self.worsen), (1, self.rest),
        )  # fmt: skip
        self._open()

    # what a request is made of

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def event(self, kind: str, **fields: Any) -> Event:  # noqa: ANN401 - fields of any event
        self.number += 1
        return {"type": kind, "id": f"n{self.number}", "day": self.day.isoformat(), **fields}

    def some(self, most: int) -> int:
        amount = self.random.randint(1, max(1, most))
        return max(1000, amount // 1000 * 1000) if most >= 1000 and self.chance(0.6) else amount

    def site(self, who: str) -> str:
        return self.random.choice(SITES.get(who, (f"{who} site",)))

    def all_of(self, who: str) -> list[Lot]:
        return [lot for crop in ("soybeans", "corn") for lot in self.apart.own[who].lots_of(who, crop)]

    def stock(self, who: str) -> list[Lot]:
        book, lots = self.apart.own[who], self.all_of(who)
        resting = {one.id for one in book.doubtful_origins({lot.origin for lot in lots})}
        return [lot for lot in lots if lot.origin not in resting and lot.state is LotState.HELD]

    def chosen(self, who: str, lots: list[Lot]) -> Event | None:
        """Return which claims an event takes of what somebody has, in one of the ways that there are."""
        if not lots:
            return None
        one = self.random.choice(sorted(lots, key=lambda lot: (lot.origin, lot.start)))
        unit = "pounds" if one.is_product else "bushels"
        more: Event = {"crop": one.crop} | ({"form": one.form} if one.form != one.crop else {})
        if self.policies[who] == "named" or self.chance(0.3):
            stop = one.start + self.some(one.crop_amount) if self.chance(0.5) else one.stop
            return {**more, "lots": [{"origin": one.origin, "start": show(one.start), "stop": show(stop)}]}
        same = [lot for lot in lots if (lot.crop, lot.form) == (one.crop, one.form)]
        if self.chance(0.2):
            more["ci_max"] = show(one.ci, CI_SCALE)
            same = [lot for lot in same if lot.ci <= one.ci]
        return {**more, unit: text_of(self.some(sum(lot.amount for lot in same)))}

    # the frame

    def _open(self) -> None:
        self.day = START - timedelta(days=40)
        traders = [name for names in TRADING.values() for name in names]
        events = [self._entity(name, "farm") for name in self.farms]
        events += [self._entity(name, role) for role, names in TRADING.items() for name in names]
        proven = [name for name in traders if name != UNPROVEN or self.chance(0.5)]
        events += [
            self.event("statement", entity=name, verifier="verity", number=f"V {name}", opinion="favourable",
                       start_day="2025-09-01", end_day="2026-11-30", crops=["soybeans", "corn"])
            for name in proven
        ]  # fmt: skip
        self.day = START - timedelta(days=1)
        for name in traders:
            self.policies[name] = self.random.choice(("oldest_first", "oldest_first", "proportional", "named"))
            events.append(self._period(name))
        for name in PLANTS:
            for site in SITES.get(name, (f"{name} site",)):
                events += [self._yield(name, site, output, START) for output in RATES]
        self.apart.begin([*self.farms, *traders], events)
        self.day = START
        for name in traders:
            self._grain(name)
        for farm in self.farms:
            for crop in ("soybeans", "corn")[: self.random.randint(1, 2)]:
                bushels, ci = text_of(self.random.randint(5_000, 30_000) * 1000), str(self.random.randint(50, 70) * 100)
                about = {"crop": crop, "harvest_year": 2025, "bushels": bushels, "ci": ci}
                self.apart.together(
                    self.event("report", entity=farm, salt=f"salt of {farm}, {crop} 2025", **about), farm
                )

    def _entity(self, name: str, role: str) -> Event:
        sites = list(SITES.get(name, (f"{name} site",))) if role != "farm" else []
        return self.event("entity", entity=name, name=name.title(), roles=[role], sites=sites)

    def _period(self, name: str) -> Event:
        days = {"start_day": self.quarter.isoformat(), "end_day": self._last().isoformat()}
        return self.event("period", entity=name, policy=self.policies[name], **days)

    def _last(self) -> date:
        return quarter_after(self.quarter) - timedelta(days=1)

    def _yield(self, name: str, site: str, output: str, start: date, basis: str = "provisional") -> Event:
        made_of, rate = RATES[output]
        days = {"start_day": start.isoformat(), "end_day": (quarter_after(start) - timedelta(days=1)).isoformat()}
        found = text_of(rate * 1_000_000 * self.random.randint(98, 101) // 100, 6)
        return self.event("yield", entity=name, site=site, made_of=made_of, output=output, rate=found, basis=basis,
                          campaign=f"run {start}", **days)  # fmt: skip

    def _grain(self, name: str) -> None:
        """Take in grain without claims, so that there is always enough behind them."""
        for site in SITES.get(name, (f"{name} site",)):
            for crop in ("soybeans", "corn"):
                self._own(name, self.event("receipt", entity=name, site=site, form=crop, amount="900000",
                                           number=f"R{self.number}"))  # fmt: skip

    def _own(self, who: str, event: Event) -> bool:
        return self.apart.together(event, who)

    def turn(self) -> None:
        """Close the quarter for every trader, and open the next one."""
        self.day = self._last()
        for name in PLANTS:
            for site in SITES.get(name, (f"{name} site",)):
                self._true_up(name, site)
        ended, self.quarter = self.day, quarter_after(self.quarter)
        for name in self.policies:
            for spot in sorted({(lot.site, lot.form) for lot in self.all_of(name)}):
                self._own(name, self.event("measurement", entity=name, site=spot[0], form=spot[1], amount="9000000",
                                           number=f"M{self.number}"))  # fmt: skip
            closed_on = (ended + timedelta(days=1)).isoformat()
            self._own(name, self.event("close", entity=name, closed_on=closed_on, surplus="refused"))
            self._own(name, self._period(name))
        self.day = self.quarter
        for name in self.policies:
            self._grain(name)
        for name in PLANTS:
            for site in SITES.get(name, (f"{name} site",)):
                for output in RATES:
                    self._own(name, self._yield(name, site, output, self.quarter))

    def _true_up(self, name: str, site: str) -> None:
        for output in RATES:
            self._own(name, self._yield(name, site, output, self.quarter, "final"))
            batch = f"{name}/{site}/{RATES[output][0]}/{output}/run {self.quarter}"
            if any(lot.batch == batch for lot in self.stock(name)) and self.chance(0.8):
                about = {"made_of": RATES[output][0], "output": output, "campaign": f"run {self.quarter}"}
                self._own(name, self.event("true_up", entity=name, site=site, **about))

    def step(self) -> None:
        """Let one party do one thing."""
        if self.chance(0.35):
            self.day += timedelta(days=self.random.randint(1, 3))
        if self.day > self._last():
            self.turn()
        weights = [weight for weight, _ in self.choices]
        self.random.choices([make for _, make in self.choices], weights)[0]()

    # what the parties do

    def buy(self) -> None:
        """Let a farm sell to a first point, by its slip and report."""
        farm, taker = self.random.choice(self.farms), self.random.choice([*TRADING["first_point"], "fuel"])
        own = self.apart.own[farm]
        reports = [one for crop in ("soybeans", "corn") for one in own.many(Origin, origin_name(farm, crop, 2025))]
        origin = self.random.choice(reports)
        signed = sum(stop - start for slip in own.many(Slip, origin.id) for start, stop in slip.spans)
        if (left := origin.current.bushels - signed) < 1000:
            return
        bushels = text_of(self.some(min(left, 4_000_000)))
        self.apart.hand_over(farm, origin.crop, 2025, taker, self.day)
        slip = self.event("slip", giver=farm, taker=taker, origin=origin.id, bushels=bushels)
        if self.apart.slip(slip):
            ticket = {"number": f"T{self.number}", "bushels": bushels}
            self._own(taker, self.event("purchase", giver=farm, taker=taker, slip=slip["id"], site=self.site(taker),
                                        tickets=[ticket]))  # fmt: skip

    def sell(self) -> None:
        giver = self.random.choice([name for name in TRADERS if name not in TRADING["refiner"]])
        claims = self.chosen(giver, self.stock(giver))
        if claims is None:
            return
        rank = {"east": 0, "west": 1, "trader": 2, "press": 3, "mill": 4, "fuel": 5, "diesel": 6}
        takers = [name for name in TRADERS if name != giver and (self.rounds or rank[name] > rank[giver])]
        if trade := self.apart.sell(self.event("sale", giver=giver, taker=self.random.choice(takers), **claims)):
            self.waiting.append(trade)
            if self.chance(0.6):
                self.answer()

    def answer(self) -> None:
        if not self.waiting:
            return
        trade = self.waiting.pop(self.random.randrange(len(self.waiting)))
        taker = trade.event["taker"]
        if self.chance(0.92):
            self.apart.accept(trade, self.event("accept")["id"], self.day, self.site(taker))
        else:
            self._undo(trade, self.event("reject", taker=taker, giver=trade.event["giver"]))

    def _undo(self, trade: Trade, event: Event) -> None:
        site = {"site": self.site(trade.event["giver"])} if event["type"] != "correct" else {}
        if self.apart.undo(trade, {**event, **site}) and event["type"] != "return":
            self.apart.trades.remove(trade)

    def give_back(self) -> None:
        """Let a buyer return all it still has of a sale, or part of it."""
        trades = [one for one in self.apart.trades[-30:] if one.accepted]
        if trades:
            trade = self.random.choice(trades)
            held = [lot for lot in self.stock(trade.event["taker"]) if lot.by == f"accept-{trade.taken}"]
            more = {"amount": text_of(self.some(sum(lot.amount for lot in held)))} if self.chance(0.5) else {}
            if held:
                about = {"giver": trade.event["taker"], "taker": trade.event["giver"]}
                self._undo(trade, self.event("return", **about, **more))

    def take_back(self) -> None:
        """Let both parties of a sale agree that it was entered in error."""
        trades = [one for one in self.apart.trades[-12:] if not one.accepted and one in self.waiting]
        if trades:
            trade = self.random.choice(trades)
            self.waiting.remove(trade)
            self._undo(trade, self.event("correct", entity=trade.event["taker"], reason="typed twice"))

    def process(self) -> None:
        who = self.random.choice(PLANTS)
        lots = [lot for lot in self.stock(who) if lot.form == lot.crop]
        if claims := self.chosen(who, lots):
            sites = {lot.site for lot in lots if lot.crop == claims["crop"]}
            output = "soybean_oil" if claims["crop"] == "soybeans" else "ground_corn"
            if "lots" not in claims:
                site = self.random.choice(sorted(sites))
                here = sum(lot.amount for lot in lots if (lot.site, lot.crop) == (site, claims["crop"])
                           and lot.ci <= int(claims.get("ci_max", "999999").split(".")[0]) * 100)  # fmt: skip
                if not here:
                    return
                claims["bushels"] = text_of(self.some(here))
            else:
                named = claims["lots"][0]
                site = next(
                    lot.site for lot in lots if (lot.origin, show(lot.start)) == (named["origin"], named["start"])
                )
            self._own(who, self.event("process", entity=who, output=output, site=site, **claims))

    def retire(self) -> None:
        who = self.random.choice(TRADING["refiner"])
        if claims := self.chosen(who, [lot for lot in self.stock(who) if lot.is_product]):
            fuel = {
                "fuel": "renewable diesel",
                "batch": f"B{self.number}",
                "gallons": str(self.random.randint(10, 9000)),
            }
            self._own(who, self.event("retire", entity=who, **fuel, **claims))

    def end(self) -> None:
        who = self.random.choice(TRADERS)
        if claims := self.chosen(who, self.stock(who)):
            self._own(who, self.event(self.random.choice(("release", "loss")), entity=who, **claims))

    def move(self) -> None:
        who = self.random.choice(sorted(SITES))
        site, to = self.random.sample(SITES[who], 2)
        if claims := self.chosen(who, [lot for lot in self.stock(who) if lot.site == site]):
            self._own(who, self.event("move", entity=who, site=site, to_site=to, **claims))

    def worsen(self) -> None:
        """Let a farm sign a new version of its report with a worse carbon intensity; everybody is told at once."""
        farm, crop = self.random.choice(self.farms), self.random.choice(("soybeans", "corn"))
        group = origin_name(farm, crop, 2025)
        for origin in self.apart.own[farm].many(Origin, group):
            now = origin.current
            about = {"crop": crop, "harvest_year": 2025, "bushels": text_of(now.bushels), "version": now.number + 1}
            ci = text_of(now.ci + self.random.randint(1, 20) * 1000, 2)
            if self.apart.together(self.event("report", entity=farm, ci=ci, **about), farm):
                for name, book in self.apart.own.items():
                    if name != farm and book.many(Origin, group):
                        self.apart.hand_over(farm, crop, 2025, name, self.day)

    def rest(self) -> None:
        """Let time pass."""
        self.day += timedelta(days=self.random.randint(2, 9))


def played(seed: int, steps: int = 220) -> Apart:
    season = ApartSeason(seed)
    for _ in range(steps):
        season.step()
    while season.waiting:
        season.answer()
    return season.apart
