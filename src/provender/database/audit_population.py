"""The farms behind a first point's incoming lots, as this server's custody book has them (2100.040(a)(3)(i)).

Amounts and CI come from the purchases of the covered days; place and acres from the farm's latest report of the crop,
which the first point keeps. A farm that one of these is not known of stops the whole list: it could never be drawn.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Final

from provender.audit.population import FarmCrop, Population, freeze
from provender.custody.facts import Step
from provender.database.custody_store import SqlStore
from provender.database.deeds.actor import Actor
from provender.database.models import Audit, ReportVersion
from provender.problem import Place, Problem, ProblemsError
from provender.quantity import parse

CITE: Final = "2100.040(a)(3)(i)"
BROUGHT_BY: Final = frozenset({"purchase", "assign"})
LATE: Final = "typed_after_harvest"


def incoming(audit: Audit) -> list[Step]:
    """Return the steps by which farms' crop came to the audited party on the covered days."""
    party = audit.audited.handle
    with SqlStore(Actor(None, "audit")).reading() as facts:
        steps = facts.steps(party, audit.covered_first)
    return [
        one
        for one in steps
        if one.type in BROUGHT_BY
        and one.day <= audit.covered_last
        and one.after.owner == party
        and one.after.by == one.movement
    ]


def bought(steps: Iterable[Step]) -> dict[tuple[str, str], tuple[int, int]]:
    """Return bushels (thousandths) and the last CI (hundredths) by farm and crop."""
    sums: dict[tuple[str, str], tuple[int, int]] = {}
    for step in steps:
        key = (step.after.supplier, step.after.crop)
        sums[key] = (sums.get(key, (0, 0))[0] + step.after.crop_amount, step.after.ci)
    return sums


def population_from_lots(audit: Audit) -> Population:
    """Gather the farms of an audit.

    Raises:
        ProblemsError: nobody supplied anything, or place or acres of a farm are not known; one problem per farm.
    """
    found = bought(incoming(audit))
    reports = reports_of({farm for farm, _ in found})
    problems = []
    rows = []
    for (farm, crop), (bushels, ci) in sorted(found.items()):
        report = reports.get((farm, crop))
        row = _row(farm, crop, bushels, ci, report) if report else None
        if row is None:
            cause = f"Place and acres of {crop} of farm {farm} are not known: its report is not on this server."
            remedy = "Ask the farm to sign its report here, or freeze a list that the first point hands over."
            problems.append(Problem(Place("incoming lots", column=farm), cause, remedy, CITE, code="no_report"))
        else:
            rows.append(row)
    if not found:
        cause = f"No farm supplied {audit.audited} from {audit.covered_first} to {audit.covered_last}."
        remedy = "Check the covered days of this audit."
        problems.append(Problem(Place("incoming lots"), cause, remedy, CITE, code="no_farms"))
    if problems:
        raise ProblemsError(problems)
    return freeze(rows)


def reports_of(farms: Iterable[str]) -> dict[tuple[str, str], Mapping[str, Any]]:
    """Return the latest report of each farm and crop."""
    rows = ReportVersion.objects.filter(book__organisation__handle__in=list(farms))
    found = rows.select_related("book__organisation").order_by("harvest_year", "number")
    return {(one.book.organisation.handle, one.crop): json.loads(one.document) for one in found}


def _row(farm: str, crop: str, bushels: int, ci: int, report: Mapping[str, Any]) -> FarmCrop | None:
    try:
        acres, county = parse(str(report["total_acres"])), str(report["farm"]["county_fips"])
        late = [one["percent"] for one in report.get("evidence_grades", ()) if one["grade"] == LATE]
        share = parse(str(late[0])) if late else None
        return FarmCrop(farm, crop, county, bushels, ci, acres, late_evidence_pct=share) if county else None
    except (KeyError, TypeError, ValueError):
        return None


def first_handled(party: str) -> date | None:
    """Return the day on which a party first took in reduced-CI crop or product, None before."""
    with SqlStore(Actor(None, "audit")).reading() as facts:
        days = [one.day for one in facts.steps(party) if one.came and one.after.owner == party]
    return min(days, default=None)
