"""The Biofuel Feedstock Report as plain data: everything 2100.031(c) asks for, and the working behind it.

Numbers are decimal text; nothing depends on a clock, so the same records give the same bytes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import polars as pl

from provender import __version__
from provender.catalog.counties import find_county
from provender.intensity.calculator import Label
from provender.intensity.completeness import UNSIGNED
from provender.intensity.disagreement import Disagreement
from provender.intensity.quantify import Quantification
from provender.practices.assess import Assessment
from provender.practices.explain import IntervalVerdict
from provender.quantity import CI_SCALE, half_even, show
from provender.report.calculator_inputs import Given, given
from provender.report.grades import grades
from provender.report.of_one_crop import evidence_named, of_this_crop
from provender.report.plausible import contradictions
from provender.report.record_rows import Leaves
from provender.report.statements import Claim, statements
from provender.report.supporting_records import rests_on
from provender.report.typ import TYPE
from provender.report.unit_working import open_practices, units_json
from provender.rule.crops import Practice, claimable
from provender.rule.version import RuleVersion

FORMAT: Final = 1
FLAGS: Final[Mapping[str, str]] = {
    "calculator_final": "calculator final",
    "records_complete": "records complete",
    "rule_current": "rule current",
}
"""What *official* says, each apart, and its words (interpretation 79)."""


@dataclass(frozen=True, slots=True)
class Edition:
    """Which version of the report this is (interpretations 34, 35).

    Attributes:
        version: 1 for the first.
        replaces: the hash of the document it replaces, or empty.
        changes: what changed, in sentences; empty for the first.
        origin_id: the id under which books know the origin.
        salt: what opens the blinded id; empty while the report is an estimate.
        under: the text that the signer names, where it is not shown to be the rule in force.
        whole: whether it is more than looked at. What says where it stands and what is left to do is there without:
            all but the working of its units, the grades of evidence, the records it rests on and what is only told.
    """

    version: int = 1
    replaces: str = ""
    changes: tuple[str, ...] = ()
    origin_id: str = ""
    salt: str = ""
    under: str = ""
    whole: bool = True


def build(
    assessment: Assessment,
    q: Quantification,
    *,
    as_of: date,
    producer_id: str = "",
    edition: Edition | None = None,
    book_head: str = "",
    leaves: Leaves | None = None,
) -> dict[str, Any]:
    """Return the report of one farm, crop and harvest year as JSON data.

    Args:
        assessment: the book, judged.
        q: the same, quantified.
        as_of: the day it is made.
        producer_id: who signs; the producer in operational control without it.
        edition: which version this is; the first without it.
        book_head: hash of the last change of a book that is kept as a chain of changes; empty for a folder.
        leaves: salted leaves of the records (``record_rows``); a report without them rests on plain hashes.
    """
    edition = edition or Edition()
    whole = edition.whole
    intervals = assessment.of(q.farm_id, q.crop, q.harvest_year)
    law = _law(intervals)
    signer = producer_id or _producer_in_control(assessment, q.farm_id)
    inputs = given(assessment, q)
    open_records = tuple(unit for unit, of in inputs.items() if open_practices(unit, of.used, intervals))
    claim = Claim(assessment, q, signer, law, open_records)
    papers = evidence_named(assessment, q) if whole else frozenset()
    head = {"book_head": book_head} if book_head else {}
    return {
        **_made(q, as_of),
        "rule": _rule(law, edition.under),
        "official": _flags(q, law, open_records),
        "edition": _edition(edition),
        "farm": _farm(assessment, q.farm_id),
        "producer": _producer(assessment, q.farm_id, signer),
        **_harvest(q),
        **_totals(q),
        "calculator": _calculator(q),
        "completeness": {"whole_harvest_shown": q.whole_harvest_shown, "explained": list(q.explained)},
        "average": q.average.as_json(),
        "units": units_json(assessment, q, intervals, inputs, whole=whole),
        "practices": _practices(q, inputs),
        **({"evidence_grades": _grades(assessment, q)} if whole else {}),
        "rests_on": {**(rests_on(assessment, q, papers, leaves) if whole else {"records": {}}), **head},
        "attestation": [one.as_json() for one in statements(claim)],
        "findings": [_finding(one) for one in q.findings],
        **(_problems(assessment, q, papers) if whole else {}),
        **_contradictions(assessment, q, as_of),
    }


def _made(q: Quantification, as_of: date) -> dict[str, Any]:
    """Return what the document is, and who made it when."""
    software = {"name": "provender", "version": __version__}
    return {"type": TYPE, "format": FORMAT, "label": str(q.label), "made_on": as_of.isoformat(), "software": software}


def _harvest(q: Quantification) -> dict[str, Any]:
    return {"crop": str(q.crop), "crop_label": q.crop.label, "harvest_year": q.harvest_year}


def _problems(assessment: Assessment, q: Quantification, papers: frozenset[str]) -> dict[str, Any]:
    return {"problems": [one.as_json() for one in (*of_this_crop(assessment, q, papers), *q.problems)]}


def _contradictions(assessment: Assessment, q: Quantification, as_of: date) -> dict[str, Any]:
    """Return what cannot be under a name of its own, which most reports lack."""
    found = [one.as_json() for one in contradictions(assessment, q, as_of)]
    return {"contradictions": found} if found else {}


def _edition(edition: Edition) -> dict[str, Any]:
    return {
        "version": edition.version,
        "replaces": edition.replaces,
        "changes": list(edition.changes),
        "origin_id": edition.origin_id,
        "salt": edition.salt,
    }


def _law(intervals: Sequence[IntervalVerdict]) -> RuleVersion:
    """Return the text of the last day of harvest: what is not shown to be in force for one unit is not for the farm."""
    return max(intervals, key=lambda one: one.facts["last_day"]).rule


def _rule(law: RuleVersion, under: str) -> dict[str, Any]:
    """Return the text, whether it is shown to be the rule in force, and under which text the signer signs."""
    return {
        "id": law.id,
        "citation": law.citation,
        "warning": law.warning,
        "read_up_to": law.read_up_to.isoformat(),
        "state": law.state,
        "signed_under": under if law.state else "",
    }


def _flags(q: Quantification, law: RuleVersion, open_records: tuple[str, ...]) -> dict[str, bool]:
    """Return the three things that *official* says, apart (interpretation 79)."""
    unshown = any(one.code in UNSIGNED or one.code.startswith("run_") for one in q.findings)
    return {
        "calculator_final": q.label is Label.OFFICIAL,
        "records_complete": not open_records and not unshown,
        "rule_current": not law.state,
    }


def _calculator(q: Quantification) -> dict[str, Any]:
    """Return the calculator as a list names it, and who wrote that list; null where none names it."""
    listed = q.listed
    return {
        "name": q.calculator,
        "version": q.version,
        "status": str(listed.status) if listed else None,
        "example": q.example,
        "listed_by": listed.listed_by.as_json() if listed else None,
    }


def _finding(one: Disagreement) -> dict[str, Any]:
    effect = None if one.effect_bushels is None else show(one.effect_bushels)
    return {**one.as_json(), "effect_bushels": effect}


def _totals(q: Quantification) -> dict[str, Any]:
    ci, default = q.average.ci_g_per_bu, q.national_default
    return {
        "total_acres": _sum([unit.acres for unit in q.units]),
        "total_bushels": _sum([unit.bushels for unit in q.units]),
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
    rows = assessment.book["farm"].filter(pl.col("farm_id") == farm_id)
    if rows.is_empty():  # a book that begins with its crops: the report is looked at, and not signed (``signing``)
        return {"farm_id": farm_id, "name": None, "county": None, "state": None, "county_fips": None}
    row = rows.row(0, named=True)
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


def _practices(q: Quantification, inputs: Mapping[str, Given]) -> list[dict[str, Any]]:
    """Return units, acres and bushels of each practice behind the CI (2100.052(b)(4), .053(e)(7), (8)).

    Of two practices of which the calculator takes one, a unit counts under the one it was entered with.
    """
    found = []
    for practice in Practice:
        units = [unit for unit in q.units if practice in inputs[unit.unit_id].used]
        found.append(
            {
                "practice": str(practice),
                "label": practice.label,
                "claimable": practice in claimable(q.crop),
                "units": [unit.unit_id for unit in units],
                "acres": _sum([unit.acres for unit in units]),
                "bushels": _sum([unit.bushels for unit in units]),
            }
        )
    return found


def _sum(amounts: list[int | None]) -> str | None:
    """Return the sum of amounts as text, or null where one of them is not recorded."""
    known = [amount for amount in amounts if amount is not None]
    return show(sum(known)) if len(known) == len(amounts) else None


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
