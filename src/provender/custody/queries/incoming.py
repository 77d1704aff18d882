"""What came in over some days, from whom, and at which mean carbon intensity.

It counts what was bought and accepted and stands. What was taken back as entered in error is not in it; nor is what
came back from a buyer, which had come in before.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from provender.custody.model.balances import Span, check_date_range, stretch_to
from provender.custody.model.entities import Entity
from provender.custody.model.periods import Period, first_open, period_of
from provender.custody.model.store_view import StoreView, taken_back_by
from provender.plain import field, view
from provender.quantity import Bushels, Ci, half_even

CAME: Final = frozenset({"purchase", "assign", "accept"})


@view
class CameInView:
    """What one entry brought of one crop, year and carbon intensity, as it came in."""

    day: date = field("Day")
    entry: str = field("Entry")
    type: str = field("Kind")
    supplier: str = field("From")
    name: str = field("Name")
    form: str = field("What")
    crop: str = field("Crop")
    harvest_year: int = field("Harvest year")
    bushels: Bushels = field("Bushels", help="Of crop, in whatever form it came.")
    ci_g_per_bu: Ci = field("CI")


@view
class CameInSumView:
    """What came in of a crop or product in all, or from one supplier; its mean is weighted by bushels of crop."""

    form: str = field("What")
    supplier: str = field("From", help="Empty for all suppliers together.")
    name: str = field("Name")
    entries: int = field("Entries")
    bushels: Bushels = field("Bushels", help="Of crop, in whatever form it came.")
    mean_ci_g_per_bu: Ci = field("Mean CI", help="Weighted by bushels of crop, rounded half to even.")
    lowest_ci_g_per_bu: Ci = field("Lowest CI")
    highest_ci_g_per_bu: Ci = field("Highest CI")


@dataclass(frozen=True, slots=True)
class CameIn:
    """What came in over some days.

    Attributes:
        span: the days.
        rows: the latest first, by carbon intensity.
        entries: the same, each entry once for a crop or product: its first row and its sum.
        in_all: one sum for each crop or product.
        by_supplier: one for each of its suppliers, who supplied most first.
    """

    span: Span
    rows: Sequence[CameInView]
    entries: Sequence[tuple[CameInView, CameInSumView]]
    in_all: Sequence[CameInSumView]
    by_supplier: Sequence[CameInSumView]


def days_meant(periods: Sequence[Period], today: date, first: date | None = None, last: date | None = None) -> Span:
    """Return the days that are asked for: without any those of the open period up to today.

    Args:
        periods: of the entity.
        today: the day.
        first: without it the first day of the period that holds the last one, else of its month.
        last: without it today.

    Raises:
        ProblemsError: the first day lies after the last one.
    """
    if first is None and last is None:
        held, waits = period_of(periods, today), first_open(periods)
        found = held if held and held.closed is None else waits
        if found and found.start <= today:
            return Span(found.start, min(found.end, today))
    until = last or today
    check_date_range(first, until)
    return stretch_to(periods, until, first)


def came_in(facts: StoreView, entity: str, span: Span) -> CameIn:
    """Return what came into an entity's stock over some days."""
    rows = _rows(facts, entity, span)
    of_form: dict[str, list[CameInView]] = {}
    of_supplier: dict[tuple[str, str], list[CameInView]] = {}
    of_entry: dict[tuple[str, str, str], list[CameInView]] = {}
    for row in rows:
        of_entry.setdefault((row.entry, row.form, row.supplier), []).append(row)
        of_form.setdefault(row.form, []).append(row)
        of_supplier.setdefault((row.form, row.supplier), []).append(row)
    parts = [_sum(form, supplier, some[0].name, some) for (form, supplier), some in of_supplier.items()]
    return CameIn(
        span=span,
        rows=rows,
        entries=[(some[0], _sum(some[0].form, some[0].supplier, some[0].name, some)) for some in of_entry.values()],
        in_all=[_sum(form, "", "", some) for form, some in sorted(of_form.items())],
        by_supplier=sorted(parts, key=lambda one: (one.form, -one.bushels, one.supplier)),
    )


def _rows(facts: StoreView, entity: str, span: Span) -> list[CameInView]:
    """Return what each entry brought, by crop, year, carbon intensity and supplier, the latest entry first."""
    stands = _standing(facts)
    name_of = _names(facts)
    found: dict[tuple[date, str, str, str, str, str, int, int], int] = {}
    for step in facts.steps(entity, span.start):
        lot = step.after
        if step.day > span.end or step.type not in CAME or lot.owner != entity or not step.came:
            continue
        if stands(step.movement):
            key = (step.day, step.movement, step.type, lot.supplier, lot.form, lot.crop, lot.harvest_year, lot.ci)
            found[key] = found.get(key, 0) + lot.crop_amount
    ordered = sorted(found.items(), key=lambda one: one[0][0], reverse=True)
    return [
        CameInView(
            day=day, entry=entry, type=kind, supplier=supplier, name=name_of(supplier), form=form, crop=crop,
            harvest_year=year, bushels=bushels, ci_g_per_bu=ci,
        )
        for (day, entry, kind, supplier, form, crop, year, ci), bushels in ordered
    ]  # fmt: skip


def _standing(facts: StoreView) -> Callable[[str], bool]:
    known: dict[str, bool] = {}

    def stands(movement: str) -> bool:
        if movement not in known:
            posted = facts.posted(movement)
            known[movement] = posted is not None and not taken_back_by(facts, posted)
        return known[movement]

    return stands


def _names(facts: StoreView) -> Callable[[str], str]:
    known: dict[str, str] = {}

    def name_of(party: str) -> str:
        if party not in known:
            found = facts.one(Entity, party)
            known[party] = found.name if found else party
        return known[party]

    return name_of


def _sum(form: str, supplier: str, name: str, rows: Sequence[CameInView]) -> CameInSumView:
    bushels = sum(row.bushels for row in rows)
    values = [row.ci_g_per_bu for row in rows]
    return CameInSumView(
        form=form, supplier=supplier, name=name, entries=len({row.entry for row in rows}), bushels=bushels,
        mean_ci_g_per_bu=half_even(sum(row.bushels * row.ci_g_per_bu for row in rows), bushels),
        lowest_ci_g_per_bu=min(values), highest_ci_g_per_bu=max(values),
    )  # fmt: skip
