"""Each unit of a report as plain data: its calculation, its passes, and every requirement with its verdict."""

from collections.abc import Mapping
from typing import Any, Final

from provender.catalog.counties import find_county
from provender.intensity.quantify import Quantification, UnitResult
from provender.practices.assess import Assessment
from provender.practices.explain import IntervalVerdict, PracticeVerdict
from provender.practices.verdict import Verdict
from provender.quantity import CI_SCALE, STIR_SCALE, half_even, show
from provender.report.calculator_inputs import Given
from provender.report.passes import Pass, farm_passes, passes_json
from provender.rule.crops import Practice

# Facts of an interval that people check by hand: column, name, unit, decimals of an amount (None for a day).
WORKING: Final = (
    ("starts_on", "Interval starts", "", None),
    ("last_day", "Interval ends", "", None),
    ("passes", "Passes", "", 0),
    ("stir_recorded", "STIR by recorded values", "", STIR_SCALE),
    ("stir_published", "STIR by published values", "", STIR_SCALE),
    ("seeded_on", "Cover seeded", "", None),
    ("terminated_on", "Cover terminated", "", None),
    ("planted_first", "Planted", "", None),
    ("n_first_day", "First synthetic N", "", None),
    ("n_lb_per_ac", "Synthetic N", "lb/ac", 3),
    ("n_inhibited", "N with inhibitor", "lb/ac", 3),
    ("n_before", "N before emergence", "lb/ac", 3),
    ("n_after_with_reductions", "N after emergence, with reductions", "lb/ac", 3),
    ("synthetic_n_need_lb_per_ac", "Synthetic N need", "lb/ac", 3),
    ("budget_made_on", "Budget made", "", None),
    ("sampled_on", "Soil sampled", "", None),
)  # fmt: skip


def units_json(
    assessment: Assessment,
    q: Quantification,
    intervals: tuple[IntervalVerdict, ...],
    inputs: Mapping[str, Given],
    *,
    whole: bool = True,
) -> list[dict[str, Any]]:
    """Return every unit of the crop, credited or conventional, in the order of the quantification.

    Unless ``whole``, without the facts and passes that people add up by hand.
    """
    passes = farm_passes(assessment, q.farm_id) if whole else None
    names = {
        row["unit_id"]: row["name"]
        for row in assessment.book["unit"].iter_rows(named=True)
        if row["farm_id"] == q.farm_id
    }
    return [
        {
            **_unit(unit, inputs[unit.unit_id]),
            "name": names.get(unit.unit_id),
            "records_met": not open_practices(unit.unit_id, inputs[unit.unit_id].used, intervals),
            "intervals": [_interval(one, passes) for one in intervals if one.unit_id == unit.unit_id],
        }
        for unit in q.units
    ]


def open_practices(
    unit_id: str, used: tuple[Practice, ...], intervals: tuple[IntervalVerdict, ...]
) -> tuple[Practice, ...]:
    """Return the practices behind a unit's CI whose record requirements are not all met (interpretation 6)."""
    mine = [one for one in intervals if one.unit_id == unit_id]
    return tuple(practice for practice in used if any(one[practice].records is not Verdict.MET for one in mine))


def _unit(unit: UnitResult, of: Given) -> dict[str, Any]:
    county = find_county(unit.county_fips or "")
    return {
        "unit_id": unit.unit_id,
        "acres": None if unit.acres is None else show(unit.acres),
        "bushels": None if unit.bushels is None else show(unit.bushels),
        "yield_bu_per_ac": _yield(unit),
        "county_fips": unit.county_fips,
        "county": f"{county.name}, {county.state}" if county else None,
        "conventional": unit.conventional,
        "credited": [str(practice) for practice in unit.credited],
        "used": [str(practice) for practice in of.used],
        "inputs": list(of.inputs),
        "runs": list(of.runs),
        "ci_g_per_bu": _ci(unit.result.ci_g_per_bu) if unit.result else None,
        "label": str(unit.result.label) if unit.result else "conventional",
        "notes": list(unit.result.notes) if unit.result else [],
        "working": [{"step": s.name, "ci_g_per_bu": _ci(s.ci_g_per_bu)} for s in unit.result.working]
        if unit.result
        else [],
    }


def _ci(value: int | None) -> str | None:
    return None if value is None else show(value, CI_SCALE, places=CI_SCALE)


def _yield(unit: UnitResult) -> str | None:
    if not unit.acres or unit.bushels is None:
        return None
    return show(half_even(unit.bushels * 100, unit.acres), 2)


def _interval(one: IntervalVerdict, passes: Mapping[int, tuple[Pass, ...]] | None) -> dict[str, Any]:
    return {
        "harvest_id": one.harvest_id,
        **(_working(one, passes) if passes is not None else {}),
        "practices": [_verdict(found) for found in one.practices if found.claimable],
    }


def _working(one: IntervalVerdict, passes: Mapping[int, tuple[Pass, ...]]) -> dict[str, Any]:
    facts = [
        {"name": name, "value": show(value, scale) if scale is not None else str(value), "unit": measure}
        for column, name, measure, scale in WORKING
        if (value := one.facts.get(column)) is not None
    ]
    return {
        "facts": facts,
        "stir_limits": {
            str(Practice.no_till): show(one.rule.no_till_stir_max, STIR_SCALE),
            str(Practice.reduced_till): show(one.rule.reduced_till_stir_max, STIR_SCALE),
        },
        "passes": passes_json(passes.get(one.facts["interval_key"], ())),
    }


def _verdict(found: PracticeVerdict) -> dict[str, Any]:
    return {
        "practice": str(found.practice),
        "label": found.practice.label,
        "implementation": str(found.implementation),
        "records": str(found.records),
        "requirements": [
            {
                "name": one.requirement,
                "cite": one.cite,
                "part": str(one.part),
                "says": one.says,
                "verdict": str(one.verdict),
                "observed": one.observed,
                "limit": one.limit,
                "gap": one.gap,
                "missing": list(one.missing),
                "remedy": one.remedy,
            }
            for one in found.findings
        ],
    }
