"""The equation of 2100.034(d): beginning + incoming = outgoing + ending, per entity, crop, year, CI and period.

Amounts are crop equivalents across forms: a product counts as the bushels whose serials it carries, which are never
fewer than product over yield. Everything is summed from the steps of lots; nobody types a total. Sheets per form
stand beneath, in the form's own unit. The beginning of a period is the ending of the one before it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from provender.custody.model.entities import Entity, Period
from provender.custody.model.lots import LIVE, STOCK, Lot, LotState, Slip, joined, subtract_spans, unit_of
from provender.custody.model.lots import Span as LotsSpan
from provender.custody.model.store_view import CustodyStep, StoreView
from provender.exact import CI_SCALE, show
from provender.problem import refuse
from provender.schema import frozen

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
    """One form's share of a line, in the form's own unit (thousandths)."""

    beginning: int = 0  # stock at the start
    incoming: int = 0  # what came in, processing included
    outgoing: int = 0  # what left, processing and rounding included

    @property
    def ending(self) -> int:
        return self.beginning + self.incoming - self.outgoing


@dataclass(slots=True)
class BalanceLine:
    """One equation: a CI of one crop and harvest year, in thousandths of a bushel."""

    key: Key  # crop, harvest year and CI
    beginning: int = 0  # beginning stored feedstock
    incoming: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # by kind
    outgoing: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # by kind, losses included
    unverified: int = 0  # how much of the ending stock is held unverified
    sheets: dict[str, Sheet] = field(default_factory=lambda: defaultdict(Sheet))  # per form

    @property
    def total_incoming(self) -> int:
        return sum(self.incoming.values())

    @property
    def total_outgoing(self) -> int:
        """Return all that left: sold, lost, released, retired."""
        return sum(self.outgoing.values())

    @property
    def ending(self) -> int:
        return self.beginning + self.total_incoming - self.total_outgoing


@frozen
class Balance:
    """All equations of an entity for one stretch of days."""

    entity: str  # whose
    start: date  # first day
    end: date  # last day
    lines: tuple[BalanceLine, ...]  # one per key, sorted


@frozen
class Ending:
    """What one equation leaves for the next period."""

    crop: str  # the crop
    harvest_year: int  # year of harvest
    ci: int  # hundredths of a gram CO2e per bushel
    bushels: int  # ending stored feedstock, thousandths
    unverified: int  # of which unverified
    forms: tuple[tuple[str, int], ...]  # per form, thousandths of its unit

    @property
    def key(self) -> Key:
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
                    went = ENDINGS.get(step.after.state) or OUTGOING.get(step.type, RESTATED)
                    line.outgoing[went] += step.after.crop_amount
            if self.owns(step.after):
                line = self.line(step.after)
                units[line.key, step.after.form] += step.after.amount
                line.unverified += _unverified(step.after, step.after)
                if step.came:
                    # A report that only changes the carbon intensity moves a claim from one equation to another.
                    restated = step.type == "report" and step.before is not None
                    came = RESTATED if restated else INCOMING.get(step.type, RESTATED)
                    line.incoming[came] += step.after.crop_amount
        for lot in parents.values():
            units[self.line(lot).key, lot.form] -= lot.amount
        for (key, form), change in units.items():
            sheet = self.lines[key].sheets[form]
            if change > 0:
                sheet.incoming += change
            else:
                sheet.outgoing -= change

    def open(self, opening: Iterable[Ending]) -> None:
        for one in opening:
            line = self.lines.setdefault(one.key, BalanceLine(one.key))
            line.beginning, line.unverified = one.bushels, one.unverified
            for form, amount in one.forms:
                line.sheets[form].beginning = amount

    def carry(self, earlier: "_Ledger") -> None:
        for key, old in earlier.lines.items():
            line = self.lines.setdefault(key, BalanceLine(key))
            line.beginning += old.ending
            line.unverified += old.unverified
            for form, sheet in old.sheets.items():
                if sheet.ending:
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
    return [
        one
        for one in lines
        if one.incoming or one.outgoing or any(sheet.incoming or sheet.outgoing for sheet in one.sheets.values())
    ]


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


def period_balances(store: StoreView, entity: str) -> list[Balance]:
    """Return the equations of every declared period of an entity."""
    spans = [Span(period.start, period.end) for period in store.many(Period, entity)]
    return balances(store.steps(entity), entity, spans) if spans else []


def balance_between(store: StoreView, entity: str, first: date, last: date) -> Balance:
    """Return the equations of an entity over any stretch of days: a month, or the days of a period so far.

    They are what the book says now, whatever was closed; what came before the first day is their beginning.
    """
    return balances(store.steps(entity), entity, [Span(first, last)])[0]


def check_date_range(first: date | None, last: date) -> None:
    """Refuse days of which the first lies after the last. Raises ProblemsError: it does."""
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


# Balances as plain documents: what ``--json`` prints, what a closed period signs, what a verifier reads.

_EQUATION = "beginning + incoming = outgoing + ending"


def line_document(line: BalanceLine) -> dict[str, object]:
    """Return one equation in decimal text, bushels throughout, with its sheets per form beneath."""
    return {
        "crop": line.key.crop,
        "harvest_year": line.key.harvest_year,
        "ci_g_per_bu": show(line.key.ci, CI_SCALE),
        "beginning_bu": show(line.beginning),
        "incoming_bu": show(line.total_incoming),
        "outgoing_bu": show(line.total_outgoing),
        "ending_bu": show(line.ending),
        "incoming": {name: show(amount) for name, amount in sorted(line.incoming.items())},
        "outgoing": {name: show(amount) for name, amount in sorted(line.outgoing.items())},
        "unverified_bu": show(line.unverified),
        "forms": [
            {
                "form": form,
                "unit": unit_of(form),
                "beginning": show(sheet.beginning),
                "incoming": show(sheet.incoming),
                "outgoing": show(sheet.outgoing),
                "ending": show(sheet.ending),
            }
            for form, sheet in sorted(line.sheets.items())
        ],
    }


def balance_document(balance: Balance) -> dict[str, object]:
    """Return all equations of an entity for a period; an account without any says so and claims nothing."""
    return {
        "entity": balance.entity,
        "start": balance.start.isoformat(),
        "end": balance.end.isoformat(),
        "equation": _EQUATION,
        "cite": "2100.034(d)",
        "lines": [line_document(line) for line in balance.lines],
    }


# Serials that a farm signed over to a party whose book is elsewhere (interpretations 34, 45).
#
# This book holds the farm's report and so all its serials, but sees only what the farm sold here. What it sold
# elsewhere may come back on a trader's document. The farm's sale slip to that party shows that it gave them away: then,
# and only then, a document may take them out of the farm's hands. Without it anybody's document could take unsold
# bushels.


def slips_to_others(store: StoreView, origin: str) -> list[Slip]:
    """Return the slips over serials of an origin to parties that keep no book in this store."""
    return [slip for slip in store.many(Slip, origin) if not store.many(Period, slip.taker)]


def slips_here(store: StoreView, origin: str) -> list[Slip]:
    """Return the slips over serials of an origin to parties that keep their book in this store."""
    return [slip for slip in store.many(Slip, origin) if store.many(Period, slip.taker)]


def may_be_sold_elsewhere(store: StoreView, lot: Lot, start: int, stop: int, here: Iterable[Slip]) -> bool:
    """Tell whether serials were last seen with somebody whose later sales this book need not know.

    That is a party whose book is elsewhere, or a farm or landowner who has them as crop, unless a slip assigns some of
    them to a party of this book: then two papers of the farm stand against each other.
    """
    holder = store.one(Entity, lot.owner)
    if holder is None or lot.state not in LIVE:
        return False
    if holder.keeps_balance:
        return not store.many(Period, holder.id)
    spans = (span for slip in here if slip.giver == lot.owner for span in slip.open_spans)
    return all(high <= max(start, lot.start) or min(stop, lot.stop) <= low for low, high in spans)


def seen_on_documents(store: StoreView, origin: str) -> list[LotsSpan]:
    """Return the serials of an origin that this book first saw on a trader's document."""
    came = (step for step in store.steps_of(origin) if step.before is None and step.type == "document")
    return joined((step.after.start, step.after.stop) for step in came)


def _opened(store: StoreView, lot: Lot) -> CustodyStep | None:
    """Return the step that opened a lot: its movement is in its id, so that no other step is looked at."""
    posted = store.posted(lot.id.rpartition("/")[0])
    if posted is None:
        return None
    before = store.lots_named([lot.parent])[lot.parent] if lot.parent else None
    return CustodyStep(posted.event.id, posted.event.type, posted.event.day, before, lot)


def may_have_been_elsewhere(store: StoreView, lot: Lot, day: date, *, gone_on: bool) -> bool:
    """Tell whether a lot may have been in hands, on a day, that this book does not see.

    From hand to hand, back to the farm's report: with a party whose book is elsewhere nobody here knows what it did in
    between; with a grower only where its serials came back on somebody's document, or on a slip that says so. Of a day
    on which they lay with this book's owner, or with a grower that sold them straight on from here, the book knows.
    What was taken back as entered in error says nothing. ``gone_on``: whoever has it now may have sold it elsewhere.
    """
    ended: CustodyStep | None = None
    while True:
        came = _step_in(store, lot)
        begun = date.min if came is None or _is_grown(came) else came.day
        unseen = gone_on if ended is None else day <= ended.day and _acts_unseen(store, lot, ended)
        if begun <= day and unseen:
            return True
        if came is None or came.before is None:
            return came is not None and not _is_grown(came) and day <= came.day
        entered = store.posted(came.movement)
        if begun <= day and entered is not None and entered.corrected_by:
            return True
        lot, ended = came.before, came


def _step_in(store: StoreView, lot: Lot) -> CustodyStep | None:
    """Return the step by which a lot came to its owner, before which it was cut and changed in the same hands."""
    step = _opened(store, lot)
    while step is not None and step.before is not None and step.before.owner == lot.owner:
        step = _opened(store, step.before)
    return step


def _is_grown(step: CustodyStep) -> bool:
    return step.before is None and step.type in ("report", "opening")


def _acts_unseen(store: StoreView, lot: Lot, ended: CustodyStep) -> bool:
    """Tell whether a lot's owner may have given it away and had it again before it gave it on by a step."""
    holder = store.one(Entity, lot.owner)
    if holder is not None and holder.keeps_balance:
        return holder.id != store.owner and not store.many(Period, holder.id)
    entered = store.posted(ended.movement)
    named = getattr(entered.event, "slip", ended.movement) if entered else ""
    slip = store.one(Slip, named)
    return ended.type == "document" or bool(slip and slip.returned)


def is_handed_on(lot: Lot, start: int, stop: int, slips: Iterable[Slip]) -> bool:
    """Tell whether serials that lie with a grower are all on its slips to parties elsewhere, not used up yet."""
    if lot.state is not LotState.HELD or lot.is_product:
        return False
    spans = joined(span for slip in slips if slip.giver == lot.owner for span in slip.open_spans)
    return any(low <= max(start, lot.start) and min(stop, lot.stop) <= high for low, high in spans)


def used_up(slips: Iterable[Slip], taken: Sequence[LotsSpan]) -> Iterator[Slip]:
    """Yield the slips that serials are on, without these serials."""
    for slip in slips:
        left = tuple(subtract_spans(slip.open_spans, taken))
        if left != slip.open_spans:
            yield replace(slip, open_spans=left)
