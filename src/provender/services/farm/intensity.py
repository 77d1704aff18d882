"""Carbon intensity of a farm's crops as plain data: by official runs, and by the open model as an estimate."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from django.conf import settings

from provender.exact import CI_SCALE, SCALE, show
from provender.intensity import ARGONNE, OFFICIAL
from provender.intensity.calculator import Label
from provender.intensity.plan import Line, Option, Piece, UnitPlan, unit_plan
from provender.intensity.quantify import Quantification, quantify
from provender.paper.charts import in_two_widths
from provender.problem import ProblemsError
from provender.report.season import intensity_svg
from provender.rule.calculators import known_calculators
from provender.rule.crops import Practice
from provender.services.farm.book import FarmBook
from provender.services.farm.verdicts import cached_result, judged_result
from provender.verdicts.assess import Assessment

WHAT: Final = "intensity 5"
_PRODUCT_SCALE: Final = SCALE + CI_SCALE
OFFICIAL_RUNS: Final = "official"
ESTIMATED: Final = "estimate"
SOURCES: Final = {OFFICIAL_RUNS: "USDA FD-CIC runs", ESTIMATED: "open model (an estimate)"}
"""The two sides of a quantification and what pages and messages call them."""
_DEFAULTS: Final = {
    OFFICIAL_RUNS: "the national default is {amount}",
    ESTIMATED: "the open model's own default is {amount}",
}
"""What each side is held against: an estimate is never held against the calculator's default, nor a run against the
model's."""


def intensities_of(farm: FarmBook) -> list[dict[str, Any]]:
    """Return the quantification of every crop and harvest year, by official runs and by the open model."""
    return judged_result(farm, WHAT, quantify_all)


def leading(one: Mapping[str, Any]) -> str:
    """Return the side of a quantification that a farm goes by: its official runs, else the estimate."""
    return OFFICIAL_RUNS if one[OFFICIAL_RUNS]["ci"] else ESTIMATED


def default_said(one: Mapping[str, Any], source: str) -> str:
    """Return the default that a side is held against, with its name; empty where it is not at hand."""
    amount = one[source]["national_default"]
    return _DEFAULTS[source].format(amount=amount) if amount else ""


def quantify_all(judged: Assessment) -> list[dict[str, Any]]:
    """Return the quantification of every crop and harvest year of a judged book."""
    known = known_calculators(settings.CALCULATORS)
    return [
        {
            "crop": str(crop),
            "crop_label": crop.label,
            "harvest_year": year,
            "official": _as_data(quantify(judged, farm_id, crop, year, OFFICIAL, known=known)),
            "estimate": _as_data(quantify(judged, farm_id, crop, year, ARGONNE)),
        }
        for farm_id, crop, year in judged.harvests
    ]


def _as_data(one: Quantification) -> dict[str, Any]:
    """Return one quantification for a page; amounts are text as people read them, None where not shown."""
    ci, default = one.average.ci_g_per_bu, one.national_default
    products = {row.unit: row.product for row in one.average.rows}
    return {
        "label": str(one.label),
        "rule_state": one.rule_state,
        "official": one.label is Label.OFFICIAL,
        "calculator": one.calculator,
        "version": one.version,
        "national_default": _shown_ci(default),
        "ci": _shown_ci(ci),
        "below": _shown_ci(default - ci) if ci is not None and default is not None else None,
        "worse": ci is not None and default is not None and ci >= default,
        "bushels": show(one.average.bushels, group=True) if one.average.rows else None,
        "product": show(one.average.product, _PRODUCT_SCALE, group=True) if one.average.rows else None,
        "missing": list(one.average.missing),
        "notes": list(dict.fromkeys(note for unit in one.units if unit.result for note in unit.result.notes)),
        "findings": [finding.as_json() for finding in one.findings],
        "units": [
            {
                "unit_id": unit.unit_id,
                "credited": ", ".join(practice.label for practice in unit.credited),
                "behind_ci": unit.behind_ci,
                "bushels": None if unit.bushels is None else show(unit.bushels, group=True),
                "ci": _shown_ci(unit.result.ci_g_per_bu if unit.result else default),
                "product": _product(products.get(unit.unit_id)),
            }
            for unit in one.units
        ],
        "chart": _chart(one),
    }


def _shown_ci(value: int | None) -> str | None:
    """Return a CI as people read it, with both decimals."""
    return None if value is None else show(value, CI_SCALE, places=CI_SCALE, group=True)


def _product(value: int | None) -> str | None:
    return None if value is None else show(value, _PRODUCT_SCALE, group=True)


def _chart(one: Quantification) -> str:
    try:
        return in_two_widths(lambda width: intensity_svg(one, width=width))
    except ProblemsError:
        return ""


# What other practices would do, as plain data: the CI of every combination a crop may claim, unit by unit.
#
# Estimates, not USDA FD-CIC: for deciding what to do next season, never for a report.

_PLAN_WHAT: Final = "plan 3"


def plans_of(farm: FarmBook) -> list[dict[str, Any]]:
    """Return every unit and crop with its options from the lowest CI to the highest, computed once per version."""
    return cached_result(farm, _PLAN_WHAT, _plan_all)


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
        "ci": _shown_ci(option.result.ci_g_per_bu),
        "to_today": _shown_ci(option.against_today),
        "to_national": _shown_ci(option.against_national),
        "kilograms": _kilograms(planned.grams(option)),
        "missing": [_piece(lacking[practice]) for practice in Practice if practice in claimed and practice in lacking],
    }


def _result(line: Line, planned: UnitPlan) -> dict[str, Any]:
    missing = [_piece(one) for one in line.pieces]
    more = {"today": line.is_today, "missing": missing, "dearer": line.dearer}
    return _option(line.option, str(line), planned) | more


def _piece(piece: Piece) -> dict[str, str]:
    return {"practice": piece.practice.label, "says": str(piece)}


def _kilograms(grams: Decimal | None) -> str | None:
    """Return whole kilograms toward zero, as text."""
    return None if grams is None else f"{int(grams / 1000):,}"
