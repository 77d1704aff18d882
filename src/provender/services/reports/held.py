"""Whether the records that a signed report rests on are still as they were signed, kind by kind and unit by unit.

The report as it would be signed today also rests on what was recorded since of later days, such as seed of the next
season. What a signed report rests on is held by the day it was made, as whoever verifies it holds it.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from django.conf import settings

from provender.database.models import Change, ReportVersion
from provender.intensity.quantify import quantify
from provender.practices.assess import Assessment
from provender.report.record_rows import GOES_ON, WHOLE_FARM, BoundRows
from provender.rule.calculators import known_calculators
from provender.rule.crops import Crop
from provender.services.farm.book import FarmBook
from provender.services.farm.bound_files import bound_files, leaf_secret_of_book
from provender.services.farm.verdicts import cached_result
from provender.signing.salted_leaves import roots_over

WHAT: Final = "report moved 2"
Roots = Mapping[str, Mapping[str, str]]


def moved_records(
    farm: FarmBook, last: ReportVersion, signed: Mapping[str, Any], now: Mapping[str, Any]
) -> frozenset[tuple[str, str]]:
    """Return unit (or ``farm``) and kind of the records that are others than those signed.

    Args:
        farm: the version of the book.
        last: the version in force.
        signed: its document.
        now: the report as it would be signed today.
    """
    touched = _differ(signed["rests_on"]["records"], now["rests_on"]["records"])
    otherwise = _judged(signed) != _judged(now)
    if not touched and not otherwise:
        return frozenset()
    what = f"{WHAT} {last.crop} {last.harvest_year} {last.number}"
    rows, moved = cached_result(farm, what, lambda judged: _looked_closer(judged, farm, last, signed))
    if rows or not (otherwise and moved):
        return frozenset((unit, kind) for unit, kind in rows)
    # A row of no report or of a later day moved a verdict all the same: what a whole farm has is weighed together.
    return frozenset(touched) or frozenset({(WHOLE_FARM, "")})


def _looked_closer(
    judged: Assessment, farm: FarmBook, last: ReportVersion, signed: Mapping[str, Any]
) -> tuple[list[tuple[str, str]], bool]:
    """Return what of the records moved, and whether verdicts did that this program gives then and now."""
    head = Change.objects.filter(book=farm.book, hash=last.book_head).first()
    rows = sorted(_moved(judged, farm, last, signed))
    then = FarmBook(farm.book, head.number).judged if head else judged
    return rows, _verdicts(then, last) != _verdicts(judged, last)


def _verdicts(judged: Assessment, last: ReportVersion) -> dict[tuple[str, str, str], tuple[str, str]]:
    return {
        (of.unit_id, of.harvest_id, str(one.practice)): (str(one.implementation), str(one.records))
        for of in judged.intervals if (str(of.crop), of.harvest_year) == (last.crop, last.harvest_year)
        for one in of.practices
    }  # fmt: skip


def _judged(report: Mapping[str, Any]) -> dict[tuple[str, str, str], tuple[str, str]]:
    """Return how a report judges each practice of each crop: whether it was carried out, and is shown."""
    return {
        (unit["unit_id"], of["harvest_id"], one["practice"]): (one["implementation"], one["records"])
        for unit in report["units"] for of in unit.get("intervals", ()) for one in of["practices"]
    }  # fmt: skip


def _moved(judged: Assessment, farm: FarmBook, last: ReportVersion, signed: Mapping[str, Any]) -> set[tuple[str, str]]:
    before, day = signed["rests_on"]["records"], date.fromisoformat(signed["made_on"])
    return _differ(before, _roots(judged, farm, last, day))


def _roots(judged: Assessment, farm: FarmBook, last: ReportVersion, day: date) -> Roots:
    known = known_calculators(settings.CALCULATORS)
    (farm_id,) = {one for one, crop, year in judged.harvests if (str(crop), year) == (last.crop, last.harvest_year)}
    quantified = quantify(judged, farm_id, Crop(last.crop), last.harvest_year, known=known)
    leaves = BoundRows(judged, quantified, day, bound_files(farm)).leaves(leaf_secret_of_book(farm))
    return {unit: roots_over(kinds) for unit, kinds in leaves.items()}


def _differ(before: Roots, after: Roots) -> set[tuple[str, str]]:
    """Return unit and kind of the roots that differ, without kinds that go on growing after a report."""
    return {
        (unit, kind)
        for unit in {*before, *after}
        for kind in {*before.get(unit, {}), *after.get(unit, {})} - GOES_ON
        if before.get(unit, {}).get(kind) != after.get(unit, {}).get(kind)
    }
