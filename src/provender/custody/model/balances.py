"""The equation of 2100.034(d): beginning + incoming = outgoing + ending, per entity, crop, year, CI and period.

Amounts are crop equivalents across forms: a product counts as the bushels whose serials it carries, which are never
fewer than product over yield. Everything is summed from the steps of lots; nobody types a total. Sheets per form
stand beneath, in the form's own unit. The beginning of a period is the ending of the one before it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from provender.custody.model.lots import STOCK, Lot, LotState
from provender.custody.model.periods import Period
from provender.custody.model.store_view import CustodyStep, StoreView
from provender.frozen import frozen
from provender.problem import refuse

INCOMING: Final = {
    "report": "grown",
    "share": "share received",
    "purchase": "purchased",
    "assign": "purchased",
    "accept": "purchased",
    "opening": "opening stock",
    "return": "returned to us",
    "reject": "not accepted",
    "correct": "corrected",
}
OUTGOING: Final = {
    "share": "share given",
    "purchase": "sold",
    "assign": "sold",
    "sale": "sold",
    "return": "returned by us",
    "correct": "corrected",
}
ENDINGS: Final = {
    LotState.LOST: "lost",
    LotState.RELEASED: "released without claim",
    LotState.RETIRED: "retired into fuel",
    LotState.VOID: "voided by the report",
}
RESTATED: Final = "restated by the report"


class Key(NamedTuple):
    """What one equation is about."""

    crop: str
    harvest_year: int
    ci: int


@dataclass(slots=True)
class Sheet:
    """One form's share of a line, in the form's own unit (thousandths).

    Attributes:
        beginning: stock at the start.
        incoming: what came in, processing included.
        outgoing: what left, processing and rounding included.
    """

    beginning: int = 0
    incoming: int = 0
    outgoing: int = 0

    @property
    def ending(self) -> int:
        """Return the stock at the end."""
        return self.beginning + self.incoming - self.outgoing


@dataclass(slots=True)
class BalanceLine:
    """One equation: a CI of one crop and harvest year, in thousandths of a bushel.

    Attributes:
        key: crop, harvest year and CI.
        beginning: beginning stored feedstock.
        incoming: by kind.
        outgoing: by kind, losses included.
        unverified: how much of the ending stock is held unverified.
        sheets: per form.
    """

    key: Key
    beginning: int = 0
    incoming: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    outgoing: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    unverified: int = 0
    sheets: dict[str, Sheet] = field(default_factory=lambda: defaultdict(Sheet))

    @property
    def total_incoming(self) -> int:
        """Return all that came in."""
        return sum(self.incoming.values())

    @property
    def total_outgoing(self) -> int:
        """Return all that left: sold, lost, released, retired."""
        return sum(self.outgoing.values())

    @property
    def ending(self) -> int:
        """Return ending stored feedstock: what the equation leaves."""
        return self.beginning + self.total_incoming - self.total_outgoing


@frozen
class Balance:
    """All equations of an entity for one stretch of days.

    Attributes:
        entity: whose.
        start: first day.
        end: last day.
        lines: one per key, sorted.
    """

    entity: str
    start: date
    end: date
    lines: tuple[BalanceLine, ...]


@frozen
class Ending:
    """What one equation leaves for the next period.

    Attributes:
        crop: the crop.
        harvest_year: year of harvest.
        ci: hundredths of a gram CO2e per bushel.
        bushels: ending stored feedstock, thousandths.
        unverified: of which unverified.
        forms: per form, thousandths of its unit.
    """

    crop: str
    harvest_year: int
    ci: int
    bushels: int
    unverified: int
    forms: tuple[tuple[str, int], ...]

    @property
    def key(self) -> Key:
        """Return which equation it belongs to."""
        return Key(self.crop, self.harvest_year, self.ci)


def endings(balance: Balance) -> tuple[Ending, ...]:
    """Return what a balance leaves for the next period."""
    return tuple(
        Ending(
            *line.key,
            line.ending,
            line.unverified,
            tuple(sorted((form, sheet.ending) for form, sheet in line.sheets.items() if sheet.ending)),
        )
        for line in balance.lines
        if line.ending
    )


class Span(NamedTuple):
    """A stretch of days that gets equations of its own."""

    start: date
    end: date


def _came_as(step: CustodyStep) -> str:
    # A report that only changes the carbon intensity moves a claim from one equation to another.
    restated = step.type == "report" and step.before is not None
    return RESTATED if restated else INCOMING.get(step.type, RESTATED)


def _left_as(step: CustodyStep) -> str:
    return ENDINGS.get(step.after.state) or OUTGOING.get(step.type, RESTATED)


def _unverified(lot: Lot, span: Lot) -> int:
    return span.crop_amount if lot.state is LotState.UNVERIFIED else 0


class _Ledger:
    """Lines of one entity for one stretch of days, in the making."""

    def __init__(self, entity: str) -> None:
        self.entity = entity
        self.lines: dict[Key, BalanceLine] = {}

    def line(self, lot: Lot) -> BalanceLine:
        key = Key(lot.crop, lot.harvest_year, lot.ci)
        if key not in self.lines:
            self.lines[key] = BalanceLine(key)
        return self.lines[key]

    def owns(self, lot: Lot | None) -> bool:
        return lot is not None and lot.owner == self.entity and lot.state in STOCK

    def add(self, movement: Sequence[CustodyStep]) -> None:
        """Add the steps of one movement: bushels by step, units of each form by lot."""
        units: dict[tuple[Key, str], int] = defaultdict(int)
        parents: dict[str, Lot] = {}
        for step in movement:
            if step.before is not None and self.owns(step.before):
                line = self.line(step.before)
                parents[step.before.id] = step.before
                line.unverified -= _unverified(step.before, step.after)
                if step.left:
                    line.outgoing[_left_as(step)] += step.after.crop_amount
            if self.owns(step.after):
                line = self.line(step.after)
                units[line.key, step.after.form] += step.after.amount
                line.unverified += _unverified(step.after, step.after)
                if step.came:
                    line.incoming[_came_as(step)] += step.after.crop_amount
        for lot in parents.values():
            units[self.line(lot).key, lot.form] -= lot.amount
        for (key, form), change in units.items():
            sheet = self.lines[key].sheets[form]
            if change > 0:
                sheet.incoming += change
            else:
                sheet.outgoing -= change

    def open(self, opening: Iterable[Ending]) -> None:
        """Begin with what a closed period ended with."""
        for one in opening:
            line = self.lines.setdefault(one.key, BalanceLine(one.key))
            line.beginning, line.unverified = one.bushels, one.unverified
            for form, amount in one.forms:
                line.sheets[form].beginning = amount

    def carry(self, earlier: "_Ledger") -> None:
        """Begin with what another stretch ended with."""
        for key, old in earlier.lines.items():
            line = self.lines.setdefault(key, BalanceLine(key))
            line.beginning += old.ending
            line.unverified += old.unverified
            for form, sheet in old.sheets.items():
                line.sheets[form].beginning += sheet.ending

    def balance(self, span: Span) -> Balance:
        moved = (line for line in self.lines.values() if line.beginning or line.incoming or line.outgoing)
        return Balance(self.entity, span.start, span.end, tuple(sorted(moved, key=lambda line: line.key)))


def by_movement(steps: Iterable[CustodyStep]) -> Iterable[list[CustodyStep]]:
    """Return the steps of a day by movement, whole: those of two that were written at once may lie among each other."""
    found: dict[str, list[CustodyStep]] = {}
    for step in steps:
        found.setdefault(step.movement, []).append(step)
    return found.values()


def lines_moved(movement: Sequence[CustodyStep], entity: str) -> list[BalanceLine]:
    """Return what one movement adds to the equations of an entity, in their order; nothing where it adds nothing."""
    ledger = _Ledger(entity)
    ledger.add(movement)
    lines = (ledger.lines[key] for key in sorted(ledger.lines))
    return [one for one in lines if one.incoming or one.outgoing or any(map(_moves, one.sheets.values()))]


def _moves(sheet: Sheet) -> bool:
    return bool(sheet.incoming or sheet.outgoing)


def balances(
    steps: Iterable[CustodyStep], entity: str, spans: Sequence[Span], opening: Iterable[Ending] = ()
) -> list[Balance]:
    """Return the equations of an entity for stretches of days that follow one another.

    Args:
        steps: its steps, by day; with an opening, those from the first stretch on.
        entity: whose.
        spans: continuous, oldest first. What came before the first is its beginning; what comes after the last is
            left out.
        opening: what the period before the first was closed with.
    """
    ledgers = [_Ledger(entity) for _ in range(len(spans) + 1)]
    ledgers[0].open(opening)
    for day, of_day in groupby(steps, key=lambda step: step.day):
        place = sum(1 for span in spans if span.start <= day)
        if not spans or day <= spans[-1].end:
            for movement in by_movement(of_day):
                ledgers[place].add(movement)
    for earlier, later in pairwise(ledgers):
        later.carry(earlier)
    return [ledger.balance(span) for ledger, span in zip(ledgers[1:], spans, strict=True)]


def balances_of_book(store: StoreView, entity: str) -> list[Balance]:
    """Return the equations of every declared period of an entity, out of its store."""
    return period_balances(store.steps(entity), entity, store.many(Period, entity))


def period_balances(steps: Iterable[CustodyStep], entity: str, periods: Sequence[Period]) -> list[Balance]:
    """Return the equations of every declared period of an entity."""
    return balances(steps, entity, [Span(period.start, period.end) for period in periods])


def balance_between(store: StoreView, entity: str, first: date, last: date) -> Balance:
    """Return the equations of an entity over any stretch of days: a month, or the days of a period so far.

    They are what the book says now, whatever was closed; what came before the first day is their beginning.
    """
    return balances(store.steps(entity), entity, [Span(first, last)])[0]


def check_date_range(first: date | None, last: date) -> None:
    """Refuse days of which the first lies after the last.

    Raises:
        ProblemsError: it does.
    """
    if first and first > last:
        raise refuse("days", f"{first} lies after {last}.", "Say the earlier day first.", code="days_reversed")


def stretch_to(periods: Sequence[Period], last: date, first: date | None = None) -> Span:
    """Return the days of an interim statement: from a day, from the period's first day, or from that of the month."""
    if first is None:
        held = next((period for period in periods if period.holds(last)), None)
        first = held.start if held else last.replace(day=1)
    return Span(first, last)


Place = tuple[str, str, str]
"""Custodian, site and form."""


def held_on(current: Iterable[Lot], later: Iterable[CustodyStep], at: Callable[[Lot], bool]) -> dict[Place, int]:
    """Return how much lay at each place at the end of a day, in the unit of the form.

    Amounts and not lots: a sale dated back may have been cut from a lot that a later day's movement had split.

    Args:
        current: the lots that answer the question now.
        later: all steps after that day that concern it: they are taken back.
        at: the question, such as whose and in which state.
    """
    found: dict[Place, int] = defaultdict(int)
    for lot in current:
        if at(lot):
            found[lot.custodian, lot.site, lot.form] += lot.amount
    ended: set[str] = set()
    for step in later:
        before, after = step.before, step.after
        if at(after):
            found[after.custodian, after.site, after.form] -= after.amount
        if before is not None and before.id not in ended and at(before):
            ended.add(before.id)
            found[before.custodian, before.site, before.form] += before.amount
    return {place: amount for place, amount in found.items() if amount}
