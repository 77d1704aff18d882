"""The Biofuel Feedstock Report as plain data: everything 2100.031(c) asks for, and the working behind it.

Numbers are decimal text; nothing depends on a clock, so the same records give the same bytes.
"""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import polars as pl

from provender import __version__
from provender.catalog.counties import find_county
from provender.intensity.quantify import Quantification, UnitResult
from provender.practices.assess import Assessment
from provender.practices.explain import IntervalVerdict, PracticeVerdict
from provender.quantity import CI_SCALE, STIR_SCALE, half_even, show
from provender.report.grades import grades
from provender.report.statements import statements
from provender.rule.crops import Practice

TYPE: Final = "biofuel-feedstock-report"
FORMAT: Final = 1

# Facts of an interval that people check by hand.
WORKING: Final = (
    ("starts_on", "interval starts", None),
    ("last_day", "interval ends", None), ("passes", "passes", 0),
    ("stir_recorded", "STIR by recorded values", STIR_SCALE),
    ("stir_published", "STIR by published values", STIR_SCALE),
    ("seeded_on", "cover seeded", None), ("terminated_on", "cover terminated", None),
    ("planted_first", "planted", None), ("n_first_day", "first synthetic N", None),
    ("n_lb_per_ac", "synthetic N, lb/ac", 3), ("n_inhibited", "with inhibitor, lb N/ac", 3),
    ("n_before", "before emergence, lb N/ac", 3), ("n_after_with_reductions", "after emergence, lb N/ac", 3),
    ("synthetic_n_need_lb_per_ac", "synthetic N need, lb/ac", 3), ("budget_made_on", "budget made", None),
    ("sampled_on", "soil sampled", None),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Edition:
    """Which version of the report this is (READINGS 34, 35).

    Attributes:
        version: 1 for the first.
        replaces: the hash of the document it replaces, or empty.
        changes: what changed, in sentences; empty for the first.
        origin_id: the id under which books know the origin.
        salt: what opens the blinded id; empty while the report is an estimate.
    """

    version: int = 1
    replaces: str = ""
    changes: tuple[str, ...] = ()
    origin_id: str = ""
    salt: str = ""


def build(
    assessment: Assessment, q: Quantification, *, as_of: date, producer_id: str = "", edition: Edition | None = None
) -> dict[str, Any]:
    """Return the report of one farm, crop and harvest year as JSON data."""
    edition = edition or Edition()
    intervals = assessment.of(q.farm_id, q.crop, q.harvest_year)
    law = intervals[0].rule
    signer = producer_id or _producer_in_control(assessment, q.farm_id)
    return {
        "type": TYPE,
        "format": FORMAT,
        "label": str(q.label),
        "made_on": as_of.isoformat(),
        "software": {"name": "provender", "version": __version__},
        "rule": {"id": law.id, "citation": law.citation, "warning": law.warning},
        "edition": {
            "version": edition.version,
            "replaces": edition.replaces,
            "changes": list(edition.changes),
            "origin_id": edition.origin_id,
            "salt": edition.salt,
        },
        "farm": _farm(assessment, q.farm_id),
        "producer": _producer(assessment, q.farm_id, signer),
        "crop": str(q.crop),
        "crop_label": q.crop.label,
        "harvest_year": q.harvest_year,
        **_totals(q),
        "calculator": {"name": q.calculator, "version": q.version},
        "average": q.average.as_json(),
        "units": [_unit(unit, intervals) for unit in q.units],
        "practices": _practices(q),
        "evidence_grades": _grades(assessment, q),
        "attestation": [
            {"cite": one.cite, "text": one.text, "footing": str(one.footing), "why": one.why}
            for one in statements(assessment, q, signer, law)
        ],
        "findings": [one.as_json() for one in q.findings],
        "problems": [one.as_json() for one in (*assessment.problems, *q.problems)],
    }


def _totals(q: Quantification) -> dict[str, Any]:
    ci, default = q.average.ci_g_per_bu, q.national_default
    bushels = [unit.bushels for unit in q.units]
    return {
        "total_bushels": show(sum(b for b in bushels if b is not None)) if None not in bushels else None,
        "farm_ci_g_per_bu": _ci(ci),
        "national_default_g_per_bu": _ci(default),
        "below_national_g_per_bu": _ci(default - ci) if ci is not None and default is not None else None,
        "warning": (
            "The farm CI is not below the national default."
            if ci is not None and default is not None and ci >= default
            else ""
        ),
    }


def _ci(value: int | None) -> str | None:
    return None if value is None else show(value, CI_SCALE, places=CI_SCALE)


def _farm(assessment: Assessment, farm_id: str) -> dict[str, Any]:
    row = assessment.book["farm"].row(by_predicate=pl.col("farm_id") == farm_id, named=True)
    county = find_county(row["county_fips"] or "")
    return {
        "farm_id": farm_id,
        "name": row["name"],
        "county": row["county"] or (county.name if county else None),
        "state": row["state"] or (county.state if county else None),
        "county_fips": row["county_fips"],
    }


def _producer_in_control(assessment: Assessment, farm_id: str) -> str:
    rows = assessment.book["producer"].filter((pl.col("farm_id") == farm_id) & pl.col("operational_control"))
    return str(rows["producer_id"][0]) if rows.height else ""


def _producer(assessment: Assessment, farm_id: str, producer_id: str) -> dict[str, Any]:
    rows = assessment.book["producer"].filter((pl.col("farm_id") == farm_id) & (pl.col("producer_id") == producer_id))
    if rows.is_empty():
        return {"producer_id": "", "name": "", "role": None}
    row = rows.row(0, named=True)
    return {"producer_id": producer_id, "name": row["name"], "role": row["role"]}


def _unit(unit: UnitResult, intervals: tuple[IntervalVerdict, ...]) -> dict[str, Any]:
    mine = [one for one in intervals if one.unit_id == unit.unit_id]
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
        "records_met": unit.records_met,
        "ci_g_per_bu": _ci(unit.result.ci_g_per_bu) if unit.result else None,
        "label": str(unit.result.label) if unit.result else "conventional",
        "notes": list(unit.result.notes) if unit.result else [],
        "working": [{"step": s.name, "ci_g_per_bu": _ci(s.ci_g_per_bu)} for s in unit.result.working]
        if unit.result
        else [],
        "intervals": [_interval(one) for one in mine],
    }


def _yield(unit: UnitResult) -> str | None:
    if unit.acres is None or unit.bushels is None:
        return None
    return show(half_even(unit.bushels * 100, unit.acres), 2)


def _interval(one: IntervalVerdict) -> dict[str, Any]:
    facts = [
        {"name": label, "value": show(value, scale) if scale is not None else str(value)}
        for column, label, scale in WORKING
        if (value := one.facts.get(column)) is not None
    ]
    return {
        "harvest_id": one.harvest_id,
        "facts": facts,
        "practices": [_verdict(found) for found in one.practices if found.claimable],
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


def _practices(q: Quantification) -> list[dict[str, Any]]:
    """Return units, acres and bushels of each practice across the operation (2100.052(b)(4), .053(e)(7), (8))."""
    found = []
    for practice in Practice:
        units = [unit for unit in q.units if practice in unit.credited]
        found.append(
            {
                "practice": str(practice),
                "label": practice.label,
                "units": [unit.unit_id for unit in units],
                "acres": show(sum(unit.acres or 0 for unit in units)),
                "bushels": show(sum(unit.bushels or 0 for unit in units)),
            }
        )
    return found


def _grades(assessment: Assessment, q: Quantification) -> list[dict[str, Any]]:
    shares = grades(assessment, q)
    whole = sum(shares.values())
    return [
        {
            "grade": grade,
            "bushels": show(bushels),
            "percent": show(half_even(bushels * 1000, whole), 1) if whole else "0",
        }
        for grade, bushels in shares.items()
    ]
