"""What other practices would do, as plain data: the CI of every combination a crop may claim, unit by unit.

Estimates, not USDA FD-CIC: for deciding what to do next season, never for a report.
"""

from typing import Any, Final

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
from provender.services.farm.book import FarmBook
from provender.services.farm.intensity import shown_ci
from provender.services.farm.verdicts import cached_result

WHAT: Final = "plan 1"
GRAMS: Final = 3
"""Decimals by which grams become kilograms."""


def plans_of(farm: FarmBook) -> list[dict[str, Any]]:
    """Return every unit and crop with its options from the lowest CI to the highest, computed once per version."""
    found: list[dict[str, Any]] = cached_result(farm, WHAT, _plan_all)
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
        "ci": shown_ci(option.result.ci_g_per_bu),
        "to_today": shown_ci(option.against_today),
        "to_national": shown_ci(option.against_national),
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


def _kilograms(difference: int | None, bushels: int | None) -> str | None:
    """Multiply grams a bushel (hundredths) by bushels (thousandths), in whole kilograms toward zero."""
    if difference is None or bushels is None:
        return None
    whole = abs(difference) * bushels // 10 ** (CI_SCALE + SCALE + GRAMS)
    return f"{'-' if difference < 0 and whole else ''}{whole:,}"
