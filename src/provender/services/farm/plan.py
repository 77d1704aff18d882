"""What other practices would do, as plain data: the CI of every combination a crop may claim, unit by unit.

Estimates, not USDA FD-CIC: for deciding what to do next season, never for a report.
"""

from decimal import Decimal
from typing import Any, Final

from provender.intensity.calculator import ARGONNE
from provender.intensity.distinct import Line, UnitPlan, unit_plan
from provender.intensity.plan import Option
from provender.intensity.quantify import quantify
from provender.practices.assess import Assessment
from provender.quantity import show
from provender.rule.crops import Practice
from provender.services.farm.book import FarmBook
from provender.services.farm.intensity import shown_ci
from provender.services.farm.verdicts import cached_result

WHAT: Final = "plan 2"


def plans_of(farm: FarmBook) -> list[dict[str, Any]]:
    """Return every unit and crop with its options from the lowest CI to the highest, computed once per version."""
    found: list[dict[str, Any]] = cached_result(farm, WHAT, _plan_all)
    return found


def _plan_all(judged: Assessment) -> list[dict[str, Any]]:
    crops = [quantify(judged, farm_id, crop, year, ARGONNE) for farm_id, crop, year in judged.harvests]
    return [_unit(unit_plan(judged, one, unit)) for one in crops for unit in one.units]


def _unit(planned: UnitPlan) -> dict[str, Any]:
    one, unit = planned.crop, planned.unit
    return {
        "unit_id": unit.unit_id,
        "harvest_id": unit.harvest_ids[0] if unit.harvest_ids else "",
        "crop": one.crop.label,
        "harvest_year": one.harvest_year,
        "bushels": None if unit.bushels is None else show(unit.bushels, group=True),
        "notes": list(dict.fromkeys(note for option in planned.options for note in option.result.notes)),
        "options": [_option(option, str(option.combination), planned) for option in planned.options],
        "results": [_result(line, planned) for line in planned.lines],
    }


def _option(option: Option, name: str, planned: UnitPlan) -> dict[str, Any]:
    claimed, lacking = option.combination.practices, planned.lacking
    return {
        "practices": name,
        "today": option.is_today,
        "ci": shown_ci(option.result.ci_g_per_bu),
        "to_today": shown_ci(option.against_today),
        "to_national": shown_ci(option.against_national),
        "kilograms": _kilograms(planned.grams(option)),
        "missing": [str(lacking[practice]) for practice in Practice if practice in claimed and practice in lacking],
    }


def _result(line: Line, planned: UnitPlan) -> dict[str, Any]:
    missing = [str(piece) for piece in line.pieces]
    more = {"today": line.is_today, "missing": missing, "dearer": line.dearer}
    return _option(line.option, str(line), planned) | more


def _kilograms(grams: Decimal | None) -> str | None:
    """Return whole kilograms toward zero, as text."""
    return None if grams is None else f"{int(grams / 1000):,}"
