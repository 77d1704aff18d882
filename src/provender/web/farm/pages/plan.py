"""What other practices would do, on a page: the CI of every combination a crop may claim, unit by unit.

Estimates, not USDA FD-CIC: for deciding what to do next season, never for a report.
"""

from typing import Any, Final
from urllib.parse import urlencode

from django.http import Http404, HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_GET

from provender.intensity.calculator import ARGONNE, UnitCase
from provender.intensity.combination import Combination
from provender.intensity.plan import Option, plan
from provender.intensity.quantify import Quantification, UnitResult, quantify
from provender.intensity.two_step import TwoStepArgonne
from provender.practices.assess import Assessment
from provender.practices.explain import PracticeVerdict
from provender.practices.requirement import Part
from provender.practices.verdict import Verdict
from provender.quantity import CI_SCALE, SCALE, show
from provender.rule.crops import Practice
from provender.services.farm.records import FarmBook
from provender.services.farm.verdicts import kept
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.farm.context import farm_book
from provender.web.tables import Cell, Column, Table, page_with_tables

WHAT: Final = "plan 1"
NO_ANSWER: Final = "no answer"
NOW: Final = "Today"
UNITS: Final = (
    Column("Unit"),
    Column("Crop"),
    Column("Bushels", number=True),
    Column("Practices today"),
    Column("CI today", number=True),
    Column("Lowest CI", number=True),
    Column("With"),
)
OPTIONS: Final = (
    Column("Practices"),
    Column("CI", number=True),
    Column("To today", number=True),
    Column("To national", number=True),
    Column("kg CO2e", number=True),
    Column("Missing today"),
)
CAPTION: Final = (
    "CI in g CO2e/bu (estimate), from the lowest to the highest; its distance to today's and to the national default, "
    "below zero is better; kilograms on these bushels against today"
)
GRAMS: Final = 3
"""Decimals by which grams become kilograms."""


def plans_of(farm: FarmBook) -> list[dict[str, Any]]:
    """Return every unit and crop with its options from the lowest CI to the highest, computed once per version."""
    found: list[dict[str, Any]] = kept(farm, WHAT, _plan_all)
    return found


def _plan_all(judged: Assessment) -> list[dict[str, Any]]:
    model = TwoStepArgonne()
    found = []
    for farm_id, crop, year in judged.harvests:
        one = quantify(judged, farm_id, crop, year, ARGONNE)
        verdicts = {each.unit_id: each.practices for each in judged.of(farm_id, crop, year)}
        for unit in one.units:
            case = UnitCase(unit.unit_id, crop, year, unit.county_fips, Combination.of(unit.credited))
            found.append(_unit(one, unit, plan(case, model), verdicts.get(unit.unit_id, ())))
    return found


def _unit(
    one: Quantification, unit: UnitResult, options: tuple[Option, ...], verdicts: tuple[PracticeVerdict, ...]
) -> dict[str, Any]:
    gaps = {found.practice: _gap(found) for found in verdicts if found.implementation is not Verdict.MET}
    return {
        "unit_id": unit.unit_id,
        "harvest_id": unit.harvest_ids[0] if unit.harvest_ids else "",
        "crop": one.crop.label,
        "harvest_year": one.harvest_year,
        "bushels": None if unit.bushels is None else show(unit.bushels, group=True),
        "notes": list(dict.fromkeys(note for option in options for note in option.result.notes)),
        "options": [_option(option, unit.bushels, gaps) for option in options],
    }


def _option(option: Option, bushels: int | None, gaps: dict[Practice, str]) -> dict[str, Any]:
    claimed = option.combination.practices
    return {
        "practices": str(option.combination),
        "today": option.is_today,
        "ci": _ci(option.result.ci_g_per_bu),
        "to_today": _ci(option.against_today),
        "to_national": _ci(option.against_national),
        "kilograms": _kilograms(option.against_today, bushels),
        "missing": [gaps[practice] for practice in Practice if practice in claimed and practice in gaps],
    }


def _gap(found: PracticeVerdict) -> str:
    """Say in one line what keeps a practice from being credited today."""
    open_ = [one for one in found.findings if one.part is Part.IMPLEMENTATION and one.verdict is not Verdict.MET]
    wrong = next((one for one in open_ if one.verdict is Verdict.NOT_MET), None)
    if wrong is not None:
        more = "; ".join(part for part in (wrong.observed, wrong.limit, wrong.gap) if part)
        return f"{found.practice.label}: not met ({more or wrong.says.rstrip('.')})"
    missing = len({record for one in open_ for record in one.missing})
    return f"{found.practice.label}: not shown ({missing} record{'' if missing == 1 else 's'} missing)"


def _ci(value: int | None) -> str | None:
    return None if value is None else show(value, CI_SCALE, places=CI_SCALE, group=True)


def _kilograms(difference: int | None, bushels: int | None) -> str | None:
    """Multiply grams a bushel (hundredths) by bushels (thousandths), in whole kilograms toward zero."""
    if difference is None or bushels is None:
        return None
    whole = abs(difference) * bushels // 10 ** (CI_SCALE + SCALE + GRAMS)
    return f"{'-' if difference < 0 and whole else ''}{whole:,}"


@require_GET
@of_organisation("read")
def farm_plan(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List the units with their CI today and the lowest there is; with ``crop`` every combination of one crop entry.

    Raises:
        Http404: no such crop entry was planned.
    """
    found, entry = plans_of(farm_book(access)), request.GET.get("crop")
    if entry is None:
        return page_with_tables(request, "farm/plan.html", {"units": _units(access, found)}, {})
    one = next((unit for unit in found if unit["harvest_id"] == entry), None)
    if one is None:
        raise Http404
    context = {"one": one, "gaps": _gaps(one)}
    return page_with_tables(request, "farm/plan_unit.html", {"options": _options(one)}, context)


def _units(access: Access, found: list[dict[str, Any]]) -> Table:
    where = reverse("farm_plan", args=(access.organisation.handle,))
    rows = []
    for one in found:
        today = next((option for option in one["options"] if option["today"]), None)
        best = one["options"][0]
        rows.append(
            [
                Cell(one["unit_id"], f"{where}?{urlencode({'crop': one['harvest_id']})}"),
                Cell(f"{one['crop']} {one['harvest_year']}"),
                Cell(one["bushels"] or "not recorded"),
                Cell(today["practices"] if today else ""),
                Cell((today["ci"] if today else None) or NO_ANSWER),
                Cell(best["ci"] or NO_ANSWER),
                Cell(best["practices"] if best["ci"] else ""),
            ]
        )
    empty = "No corn, soybeans or sorghum with a day of harvest yet. Add a management unit, then its crops."
    return Table("plan", UNITS, rows, empty=empty, caption="Units; CI in g CO2e/bu is an estimate, not USDA FD-CIC")


def _gaps(one: dict[str, Any]) -> list[str]:
    """Return what keeps each practice from being credited today, once; the table names the practices alone."""
    return list(dict.fromkeys(gap for option in one["options"] for gap in option["missing"]))


def _options(one: dict[str, Any]) -> Table:
    rows = [
        [
            Cell(option["practices"], note=NOW if option["today"] else ""),
            *(Cell(option[name] or NO_ANSWER) for name in ("ci", "to_today", "to_national", "kilograms")),
            Cell(
                ", ".join(text.partition(":")[0] for text in option["missing"]) or "nothing",
                saved="; ".join(option["missing"]) or "nothing",
            ),
        ]
        for option in one["options"]
    ]
    name = f"options {one['harvest_id']}"
    return Table(name, OPTIONS, rows, caption=CAPTION)
