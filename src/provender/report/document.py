"""The Biofuel Feedstock Report as plain data: everything 2100.031(c) asks for, and the working behind it.

Numbers are decimal text; nothing depends on a clock, so the same records give the same bytes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import polars as pl

from provender import __version__
from provender.catalog.places import find_county
from provender.exact import CI_SCALE, STIR_SCALE, half_even, show
from provender.intensity.calculator import Combination, Label
from provender.intensity.completeness import UNSIGNED
from provender.intensity.disagreement import Disagreement
from provender.intensity.quantify import Quantification, UnitResult, farm_facts
from provender.practices.assess import Assessment
from provender.practices.explain import IntervalVerdict, PracticeVerdict
from provender.practices.verdict import Verdict
from provender.records.kind import BASES
from provender.records.kind import KINDS as KIND_KINDS
from provender.report.attestation import Claim, statements
from provender.report.plausibility import contradictions, evidence_named, of_this_crop
from provender.report.season import Pass, farm_passes, passes_json
from provender.report.supporting import Leaves, rests_on
from provender.report.typ import TYPE
from provender.rule.crops import Practice, claimable
from provender.rule.law import RuleVersion

# On what the credited bushels rest: the weakest grade among the rows of each unit (interpretation 57).

# The kinds whose rows credit a practice. A declaration is not among them: it is always the producer's own word, given
# after the season, and would put every farm under the weakest grade (interpretation 62).
KINDS = ("operation", "cover_crop", "nutrient_application", "planting", "nutrient_budget")


def grades(assessment: Assessment, quantification: Quantification) -> Mapping[str, int]:
    """Return the credited bushels (thousandths) by the weakest grade of the unit's rows.

    A row that does not say how it is known counts as typed after harvest, the weakest. Every grade is present.
    """
    weakest = _weakest(assessment, quantification)
    shares = dict.fromkeys(BASES, 0)
    for unit in quantification.units:
        if unit.credited and unit.bushels:
            shares[weakest.get(unit.unit_id, BASES[-1])] += unit.bushels
    return shares


def _weakest(assessment: Assessment, q: Quantification) -> dict[str, str]:
    harvests = assessment.book.rows_of("harvest", q.farm_id)
    units = {row["harvest_id"]: row["unit_id"] for row in harvests}
    wanted = {key for unit in q.units for key in unit.harvest_ids}
    seasons = _seasons(assessment, q)
    found: dict[str, int] = {}
    for kind in KINDS:
        rows = assessment.loaded.graded[kind].filter(pl.col("farm_id") == q.farm_id)
        named = [name for name in ("unit_id", "harvest_id", "day") if name in rows.columns]
        for row in rows.select(*named, pl.col("known_by").cast(pl.String)).iter_rows(named=True):
            entry = row.get("harvest_id")
            if entry is not None and entry not in wanted:
                continue
            unit_id = row["unit_id"] if "unit_id" in row else units.get(entry)
            if unit_id is None or (kind == "operation" and not _in_season(row["day"], seasons.get(unit_id, ()))):
                continue
            known_by = row["known_by"]
            rank = BASES.index(known_by) if known_by else len(BASES) - 1
            found[unit_id] = max(found.get(unit_id, 0), rank)
    return {unit: BASES[rank] for unit, rank in found.items()}


Span = tuple[date | None, date]


def _seasons(assessment: Assessment, q: Quantification) -> dict[str, list[Span]]:
    """Return first and last day of the crop's seasons by unit; no first day where the season before is not known."""
    found: dict[str, list[Span]] = {}
    for one in assessment.of(q.farm_id, q.crop, q.harvest_year):
        found.setdefault(one.unit_id, []).append((one.facts.get("season_from"), one.facts["last_day"]))
    return found


def _in_season(day: date | None, seasons: Sequence[Span]) -> bool:
    """Tell whether a pass is of the crop's seasons, or of no known day: another season says nothing of this crop."""
    return any(day is None or ((first is None or first <= day) and day <= last) for first, last in seasons)


# What the calculator was given for each unit, and so which practices its CI rests on (2100.020(a), .031(c)(2)(i)).

# Columns of a run in the order in which the calculator asks, and the decimals of its amounts.
ASKED: Final = (
    "county_fips", "crop", "yield_bu_per_ac", "acres", "tillage", "cover_crop", "n_timing", "inhibitor",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Given:
    """What stands behind the CI of one unit."""

    # the practices entered in the calculator, in the order of the rule; empty for conventional crop
    used: tuple[Practice, ...]
    # name, value, unit and paragraph of everything entered, where no printout shows it (models)
    inputs: tuple[dict[str, Any], ...]
    # the printouts, each with its inputs, its output and its evidence; empty for a model
    runs: tuple[dict[str, Any], ...]


def given(assessment: Assessment, q: Quantification) -> Mapping[str, Given]:
    """Return by unit what the calculator was given.

    Which practices those are, the quantification says (``UnitResult.used``).
    """
    facts = farm_facts(assessment, q.farm_id, q.crop, q.harvest_year)
    official = q.label is not Label.ESTIMATE
    runs = [run for run in facts.runs if official and (run.tool, run.version) == (q.calculator, q.version)]
    printed = _printouts(assessment, q.farm_id, {run.run for run in runs})
    found = {}
    for unit in q.units:
        mine = [run for run in runs if run.unit == unit.unit_id]
        inputs = () if official or unit.conventional else tuple(_inputs(_of_model(unit, q)))
        found[unit.unit_id] = Given(unit.used, inputs, tuple(printed[run.run] for run in mine))
    return found


def _of_model(unit: UnitResult, q: Quantification) -> dict[str, Any]:
    entered = Combination.of(unit.used)
    return {
        "county_fips": unit.county_fips, "crop": str(q.crop), "tillage": str(entered.tillage),
        "cover_crop": entered.cover_crop, "n_timing": str(entered.timing), "inhibitor": entered.inhibitor,
    }  # fmt: skip


def _printouts(assessment: Assessment, farm_id: str, run_ids: set[str]) -> dict[str, dict[str, Any]]:
    """Return the runs as plain data by their key."""
    mine = pl.col("farm_id") == farm_id
    rows = assessment.book["calculator_run"].filter(mine & pl.col("run_id").is_in(list(run_ids)))
    # A hash that no row records yet is that of the file: what is signed names the printout by its content.
    held = assessment.book.files
    files = {
        row["evidence_id"]: {**row, "sha256": row["sha256"] or held.hash_of(farm_id, row["file"] or "") or None}
        for row in assessment.book["evidence"].filter(mine).iter_rows(named=True)
    }
    return {row["run_id"]: _printout(row, files) for row in rows.iter_rows(named=True)}


def _printout(row: Mapping[str, Any], files: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    named = [name.strip() for name in (row["evidence"] or "").split(";") if name.strip()]
    return {
        "run_id": row["run_id"],
        "calculator": row["calculator"],
        "version": row["version"],
        "status": row["status"],
        "run_on": None if row["run_on"] is None else row["run_on"].isoformat(),
        "inputs": list(_inputs(row)),
        "ci_g_per_bu": _ci(row["ci_g_per_bu"]),
        "farm_ci_g_per_bu": _ci(row["farm_ci_g_per_bu"]),
        "evidence": [
            {"evidence_id": name, **{part: files.get(name, {}).get(part) for part in ("file", "sha256")}}
            for name in named
        ],
    }


def _inputs(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Describe what was entered with the labels of the records; what is not known stays null."""
    fields = KIND_KINDS["calculator_run"].fields
    return [
        {"name": fields[name].label.removesuffix(" entered"), "value": _value(name, row[name]),
         "unit": fields[name].unit, "cite": fields[name].cite}
        for name in ASKED
        if name in row
    ]  # fmt: skip


def _value(name: str, value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return show(value)
    if name == "county_fips":
        county = find_county(str(value))
        return f"{value} ({county.name}, {county.state})" if county else str(value)
    return str(value).replace("_", " ")


def _ci(value: int | None) -> str | None:
    return None if value is None else show(value, CI_SCALE, places=CI_SCALE)


# Each unit of a report as plain data: its calculation, its passes, and every requirement with its verdict.

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


FORMAT: Final = 1
FLAGS: Final[Mapping[str, str]] = {
    "calculator_final": "calculator final",
    "records_complete": "records complete",
    "rule_current": "rule current",
}
"""What *official* says, each apart, and its words (interpretation 79)."""


@dataclass(frozen=True, slots=True)
class Edition:
    """Which version of the report this is (interpretations 34, 35)."""

    version: int = 1  # 1 for the first
    replaces: str = ""  # the hash of the document it replaces, or empty
    changes: tuple[str, ...] = ()  # what changed, in sentences; empty for the first
    origin_id: str = ""  # the id under which books know the origin
    salt: str = ""  # what opens the blinded id; empty while the report is an estimate
    under: str = ""  # the text that the signer names, where it is not shown to be the rule in force
    # whether it is more than looked at. What says where it stands and what is left to do is there without: all but the
    # working of its units, the grades of evidence, the records it rests on and what is only told.
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
        "crop": str(q.crop),
        "crop_label": q.crop.label,
        "harvest_year": q.harvest_year,
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
        **(
            {"problems": [one.as_json() for one in (*of_this_crop(assessment, q, papers), *q.problems)]}
            if whole
            else {}
        ),
        **_contradictions(assessment, q, as_of),
    }


def _made(q: Quantification, as_of: date) -> dict[str, Any]:
    """Return what the document is, and who made it when."""
    software = {"name": "provender", "version": __version__}
    return {"type": TYPE, "format": FORMAT, "label": str(q.label), "made_on": as_of.isoformat(), "software": software}


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
