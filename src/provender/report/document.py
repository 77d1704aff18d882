"""The Biofuel Feedstock Report as plain data: everything 2100.031(c) asks for, and the working behind it.

Numbers are decimal text; nothing depends on a clock, so the same records give the same bytes.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from provender import __version__
from provender.catalog.places import find_county
from provender.exact import CI_SCALE, STIR_SCALE, half_even, show
from provender.intensity.average import UNSIGNED
from provender.intensity.calculator import Combination, Label
from provender.intensity.harvests import Disagreement, UnitResult
from provender.intensity.quantify import Quantification, farm_facts
from provender.problem import Problem, Weight
from provender.records.book import FarmRows
from provender.records.kind import BASES
from provender.records.kind import KINDS as KIND_KINDS
from provender.records.kinds.nutrients import NutrientBudget
from provender.report.attestation import Claim, statements
from provender.report.plausibility import contradictions
from provender.report.season import passes_json
from provender.report.supporting import PARENTS, Leaves, evidence_named, of_this_crop, photograph_doubts, rests_on
from provender.report.typ import TYPE
from provender.rule.crops import Practice, claimable
from provender.rule.law import RuleVersion
from provender.standards.evidence import grade, names_in
from provender.standards.judge import IntervalJudged, PracticeJudged
from provender.standards.season import Season
from provender.standards.standard import Verdict
from provender.standards.supply import inhibitor_of
from provender.verdicts import words
from provender.verdicts.assess import Assessment

# On what the credited bushels rest: the weakest grade among the rows of each unit (interpretation 57).


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
    found: dict[str, int] = {}
    for one in assessment.of(q.farm_id, q.crop, q.harvest_year):
        ranks = [BASES.index(by or BASES[-1]) for by in _known_by(one.season)]
        found[one.unit_id] = max(found.get(one.unit_id, 0), *ranks) if ranks else len(BASES) - 1
    return {unit: BASES[rank] for unit, rank in found.items()}


def _known_by(season: Season) -> Iterator[str | None]:
    """Yield how the rows are known that credit a practice of a season.

    A declaration is not among them: it is always the producer's own word, given after the season, and would put every
    farm under the weakest grade (interpretation 62).
    """
    yield from (one.known_by for one in (*season.season_passes, *season.undated_passes))
    rows = (*season.covers, *season.applications, *season.lost_applications, *season.plantings)
    yield from (grade(season.rows, row).known_by for row in (*rows, *season.rows_of_crop(NutrientBudget)))


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
    book = assessment.book
    # A hash that no row records yet is that of the file: what is signed names the printout by its content.
    files = {
        row["evidence_id"]: {**row, "sha256": row["sha256"] or book.files.hash_of(farm_id, row["file"] or "") or None}
        for row in book.rows_of("evidence", farm_id)
    }
    runs = book.rows_of("calculator_run", farm_id)
    return {row["run_id"]: _printout(row, files) for row in runs if row["run_id"] in run_ids}


def _printout(row: Mapping[str, Any], files: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    named = names_in(row["evidence"])
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


def _first_n(one: IntervalJudged) -> date | None:
    return min(filter(None, (each.day for each in one.nitrogen.synthetic)), default=None)


def _with_inhibitor(one: IntervalJudged) -> int:
    return sum(each.n or 0 for each in one.nitrogen.synthetic if inhibitor_of(one.season, each).went_on)


# Each unit of a report as plain data: its calculation, its passes, and every requirement with its verdict.

# Facts of an interval that people check by hand: name, unit, decimals of an amount (None for a day), and where it is.
_WORKING: Final[tuple[tuple[str, str, int | None, Callable[[IntervalJudged], Any]], ...]] = (
    ("Interval starts", "", None, lambda one: one.season.starts_on),
    ("Interval ends", "", None, lambda one: one.last_day),
    ("Passes", "", 0, lambda one: len(one.season.passes)),
    ("STIR by recorded values", "", STIR_SCALE, lambda one: one.season.stir.recorded),
    ("STIR by published values", "", STIR_SCALE, lambda one: one.season.stir.published),
    ("Cover seeded", "", None, lambda one: one.season.cover_first),
    ("Cover terminated", "", None, lambda one: min(one.season.covers_ended, default=None)),
    ("Planted", "", None, lambda one: one.season.first_planting),
    ("First synthetic N", "", None, _first_n),
    ("Synthetic N", "lb/ac", 3, lambda one: sum(each.n or 0 for each in one.nitrogen.synthetic)),
    ("N with inhibitor", "lb/ac", 3, _with_inhibitor),
    ("N before emergence", "lb/ac", 3, lambda one: one.nitrogen.timing.before),
    ("N after emergence, with reductions", "lb/ac", 3, lambda one: one.nitrogen.timing.after + one.nitrogen.left_out),
    ("Synthetic N need", "lb/ac", 3, lambda one: one.nitrogen.need),
    ("Budget made", "", None, lambda one: one.season.budget and one.season.budget.made_on),
    ("Soil sampled", "", None, lambda one: one.season.soil_test and one.season.soil_test.sampled_on),
)


def _units_json(
    assessment: Assessment,
    q: Quantification,
    intervals: tuple[IntervalJudged, ...],
    inputs: Mapping[str, Given],
    *,
    whole: bool = True,
) -> list[dict[str, Any]]:
    """Return every unit of the crop, credited or conventional, in the order of the quantification.

    Unless ``whole``, without the facts and passes that people add up by hand.
    """
    names = {row["unit_id"]: row["name"] for row in assessment.book.rows_of("unit", q.farm_id)}
    grown = frozenset(unit.unit_id for unit in q.units)
    return [
        {
            **_unit(unit, inputs[unit.unit_id]),
            "name": names.get(unit.unit_id),
            "records_met": not _open_practices(unit.unit_id, inputs[unit.unit_id].used, intervals),
            "intervals": [
                _interval(one, grown, inputs[unit.unit_id].used, whole=whole)
                for one in intervals
                if one.unit_id == unit.unit_id
            ],
        }
        for unit in q.units
    ]


def _open_practices(
    unit_id: str, used: tuple[Practice, ...], intervals: tuple[IntervalJudged, ...]
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


def _interval(one: IntervalJudged, units: frozenset[str], used: Sequence[Practice], *, whole: bool) -> dict[str, Any]:
    """Return a crop with the practices that it may claim; unless ``whole``, with those used or claimed alone."""
    chosen = [each for each in one.practices if each.claimable and (whole or each.claimed or each.practice in used)]
    return {
        "harvest_id": one.harvest_id,
        **(_working(one) if whole else {}),
        **_verdicts(one, units, chosen, shown=whole),
    }


_OTHER_FIELD: Final = "of another field"


def _verdicts(
    one: IntervalJudged, units: frozenset[str], practices: Sequence[PracticeJudged], *, shown: bool
) -> dict[str, Any]:
    """Return practices of a crop with their requirements.

    What was bought is held against what all fields used, and a buyer reads nothing of fields with other crops.
    """
    found = words.verdicts_json(one, practices, shown=shown)
    for rule in found["requirements"].values():
        for told in (*rule["against"], *rule["missing"], *rule.get("shown", ())):
            if _unit_of(one.season.rows, told["kind"], told["row"]) not in (None, *units):
                told.update(row="", words=_OTHER_FIELD)
    return found


def _unit_of(rows: FarmRows, kind: str, key: str) -> str | None:
    """Return the unit that a record names, or the record that it belongs to; None where neither does."""
    row = rows.row(kind, key) if key else None
    if row is not None and kind in PARENTS:
        parent, column = PARENTS[kind]
        row = rows.row(parent, getattr(row, column))
    unit_id: str | None = getattr(row, "unit_id", None)
    return unit_id


def _working(one: IntervalJudged) -> dict[str, Any]:
    found = ((name, unit, scale, value_of(one)) for name, unit, scale, value_of in _WORKING)
    return {
        "facts": [
            {"name": name, "value": str(value) if scale is None else show(value, scale), "unit": unit}
            for name, unit, scale, value in found
            if value is not None
        ],
        "stir_limits": {
            str(Practice.no_till): show(one.rule.no_till_stir_max, STIR_SCALE),
            str(Practice.reduced_till): show(one.rule.reduced_till_stir_max, STIR_SCALE),
        },
        "passes": passes_json(one),
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
    open_records = tuple(unit for unit, of in inputs.items() if _open_practices(unit, of.used, intervals))
    claim = Claim(assessment, q, signer, law, open_records)
    papers = evidence_named(assessment, q) if whole else frozenset()
    head = {"book_head": book_head} if book_head else {}
    pictures = [*photograph_doubts(assessment, q)] if whole else []
    notes = [one for one in pictures if one.weight is Weight.NOTE]
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
        "units": _units_json(assessment, q, intervals, inputs, whole=whole),
        "practices": _practices(q, inputs),
        **({"evidence_grades": _grades(assessment, q)} if whole else {}),
        "rests_on": {**(rests_on(assessment, q, papers, leaves) if whole else {"records": {}}), **head},
        "attestation": [one.as_json() for one in statements(claim)],
        "findings": [_finding(one) for one in q.findings],
        **(
            {"problems": [one.as_json() for one in (*of_this_crop(assessment, q, papers), *q.problems, *notes)]}
            if whole
            else {}
        ),
        **_contradictions(assessment, q, as_of, [one for one in pictures if one not in notes]),
    }


def _made(q: Quantification, as_of: date) -> dict[str, Any]:
    software = {"name": "provender", "version": __version__}
    return {"type": TYPE, "format": FORMAT, "label": str(q.label), "made_on": as_of.isoformat(), "software": software}


def _contradictions(
    assessment: Assessment, q: Quantification, as_of: date, pictures: Sequence[Problem]
) -> dict[str, Any]:
    """Return what cannot be under a name of its own, which most reports lack."""
    found = [one.as_json() for one in (*contradictions(assessment, q, as_of), *pictures)]
    return {"contradictions": found} if found else {}


def _edition(edition: Edition) -> dict[str, Any]:
    return {
        "version": edition.version,
        "replaces": edition.replaces,
        "changes": list(edition.changes),
        "origin_id": edition.origin_id,
        "salt": edition.salt,
    }


def _law(intervals: Sequence[IntervalJudged]) -> RuleVersion:
    """Return the text of the last day of harvest: what is not shown to be in force for one unit is not for the farm."""
    return max(intervals, key=lambda one: one.last_day).rule


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
    row = next(iter(assessment.book.rows_of("farm", farm_id)), None)
    if row is None:  # a book that begins with its crops: the report is looked at, and not signed (``signing``)
        return {"farm_id": farm_id, "name": None, "county": None, "state": None, "county_fips": None}
    county = find_county(row["county_fips"] or "")
    return {
        "farm_id": farm_id,
        "name": row["name"],
        "county": row["county"] or (county.name if county else None),
        "state": row["state"] or (county.state if county else None),
        "county_fips": row["county_fips"],
    }


def _producer_in_control(assessment: Assessment, farm_id: str) -> str:
    rows = assessment.book.rows_of("producer", farm_id)
    return next((str(row["producer_id"]) for row in rows if row["operational_control"]), "")


def _producer(assessment: Assessment, farm_id: str, producer_id: str) -> dict[str, Any]:
    for row in assessment.book.rows_of("producer", farm_id):
        if row["producer_id"] == producer_id:
            return {"producer_id": producer_id, "name": row["name"], "role": row["role"]}
    return {"producer_id": "", "name": "", "role": None}


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
