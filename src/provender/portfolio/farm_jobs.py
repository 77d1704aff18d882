"""The jobs that judge the farms of a portfolio batch by batch: ``check``, ``intensity``, ``plan`` and others."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import polars as pl

from provender.exact import sum_of_known
from provender.intensity import ARGONNE, OFFICIAL
from provender.intensity.calculator import Combination, UnitCase
from provender.intensity.county_files import CountyTable, load_county_table
from provender.intensity.harvests import UnitResult
from provender.intensity.plan import Option, TwoStepArgonne, plan
from provender.intensity.quantify import Quantification, quantify
from provender.portfolio import jobs
from provender.portfolio.columns import intervals as v
from provender.portfolio.columns.judge import RECORDS, SHOWN, judge, not_covered
from provender.portfolio.columns.prepare import PreparedBook, load
from provender.portfolio.frames import FrameBook, problem_frame, records_in
from provender.portfolio.jobs import Judge
from provender.portfolio.layout import PROBLEM, Portfolio
from provender.problem import Place, Problem, ProblemsError
from provender.records.book import FarmRows, RecordBook
from provender.records.kind import KINDS
from provender.rule.calculators import Calculators, known_calculators, packaged_calculators
from provender.rule.crops import Crop, Practice, claimable
from provender.rule.law import RuleVersion, rule_version
from provender.signing.canonical import sha256_hex
from provender.standards.judge import IntervalJudged
from provender.standards.judge import judge as judge_by_law
from provender.standards.standard import REQUIREMENTS, Part, Verdict, of_practice
from provender.verdicts.assess import Assessment, stands_not_covered

_Types = Mapping[str, pl.DataType | type[pl.DataType]]
MISSING: Final = "missing"
"""Column of the names of the requirements that are not shown, in the order of the paragraphs."""
_NOT_COVERED_TYPES: Final[_Types] = {
    "farm_id": pl.String, "unit_id": pl.String, "harvest_id": pl.String, "crop": pl.String, "harvest_year": pl.Int32,
    "last_day": pl.Date, "bushels": pl.Int64,
}  # fmt: skip
ANSWERS: Final = tuple(str(practice) + end for practice in Practice for end in ("", RECORDS))
VERDICTS: Final[_Types] = {
    **_NOT_COVERED_TYPES, "county_fips": pl.String, "state": pl.String, "acres": pl.Int64, "rule_id": pl.String,
    "later_rule": pl.Boolean, **dict.fromkeys((*ANSWERS, *REQUIREMENTS), pl.Boolean),
    **dict.fromkeys(SHOWN, pl.Int64), MISSING: pl.List(pl.Enum(list(REQUIREMENTS))),
}  # fmt: skip
AT_ONCE: Final = 100
"""Farms whose judged seasons are in memory at once."""


class Batch(NamedTuple):
    """A batch of farms with the verdicts of those that are plain."""

    plain: FrameBook  # the farms that columns judge
    loaded: PreparedBook  # their records in frames, and those of farms that turned out not to be plain
    verdicts: pl.DataFrame  # of the plain farms, facts beside them (``columns.judge.judge``)
    others: FrameBook  # the farms that the law judges


def judge_batch(book: FrameBook) -> Batch:
    """Judge the plain farms of a batch; a farm of which a row could not be read in full is not plain.

    A row of a farm that the batch does not have may be of any that it has: none of them is plain then.
    """
    damaged = book.incomplete_rows["farm_id"].unique()
    if damaged.filter(~damaged.is_in(_farms(book).implode())).len():
        damaged = pl.concat([damaged, _farms(book)])
    read = _part_of(book, ~pl.col("farm_id").is_in(damaged.implode())) if damaged.len() else book
    loaded = load(read)
    verdicts, care = judge(loaded)
    if not damaged.len() and not care.len():
        return Batch(book, loaded, verdicts, _part_of(book, pl.lit(value=False)))
    apart = pl.col("farm_id").is_in(pl.concat([damaged, care]).implode())
    return Batch(_part_of(book, ~apart), loaded, verdicts, _part_of(book, apart))


def _farms(book: FrameBook) -> pl.Series:
    return pl.concat([book[kind]["farm_id"] for kind in ("farm", "unit")]).unique()


def _part_of(book: FrameBook, farms: pl.Expr) -> FrameBook:
    """Return the rows of some farms as a book of their own, without the problems of the whole.

    Rows that could not be read of a farm that the whole does not have stay with every part.
    """
    frames = {kind: frame.filter(farms) if frame.height else frame for kind, frame in book.frames.items()}
    nobodys = ~pl.col("farm_id").is_in(_farms(book).implode())
    return FrameBook(frames, book.incomplete_rows.filter(farms | nobodys), (), files=book.files)


def assessed(book: FrameBook) -> Iterator[Assessment]:
    """Judge farms by the law, some at a time, in the order of the book."""
    farms = list(dict.fromkeys((*book["unit"]["farm_id"], *book["farm"]["farm_id"])))
    for first in range(0, len(farms), AT_ONCE):
        some = _part_of(book, pl.col("farm_id").is_in(farms[first : first + AT_ONCE])).as_records()
        rows: dict[str, FarmRows] = {}
        intervals = judge_by_law(some, rows)
        yield Assessment(some, intervals, kept={("rows", farm): of for farm, of in rows.items()})


def verdicts_in_columns(batch: Batch) -> pl.DataFrame:
    """Return the verdicts of the plain farms of a batch as ``VERDICTS`` has them."""
    if batch.verdicts.is_empty():
        return pl.DataFrame(schema=VERDICTS)
    told = batch.verdicts.with_columns(_not_shown(batch.verdicts))
    return told.select(pl.col(name).cast(of) for name, of in VERDICTS.items())


def _not_shown(verdicts: pl.DataFrame) -> pl.Series:
    """Return ``MISSING``: few sets of requirements occur among many intervals, so each is put into a list once."""
    bits = (pl.col(name).is_null() * pl.lit(1 << at, pl.Int64) for at, name in enumerate(REQUIREMENTS))
    coded = verdicts.select(pl.sum_horizontal(bits).alias("code"))
    codes = coded["code"].unique()
    lists = [[name for at, name in enumerate(REQUIREMENTS) if code >> at & 1] for code in codes]
    table = pl.DataFrame([codes, pl.Series(MISSING, lists, VERDICTS[MISSING])])
    return coded.join(table, on="code", how="left", maintain_order="left")[MISSING]


def verdicts_by_law(judged: Assessment) -> pl.DataFrame:
    """Return intervals that the law judged as ``VERDICTS`` has them."""
    return pl.DataFrame([_verdict_row(one) for one in judged.intervals], VERDICTS, orient="row")


_THREE_VALUED: Final = {Verdict.MET: True, Verdict.NOT_MET: False, Verdict.NOT_SHOWN: None}


def _verdict_row(one: IntervalJudged) -> tuple[Any, ...]:
    answers = [of for each in one.practices for of in (each.implementation, each.records)]
    verdicts = {name: judged.verdict for name, judged in one.requirements.items()}
    seeded = sum_of_known(cover.seeded_acres for cover in one.season.covers)
    synthetic_n = sum(each.n or 0 for each in one.nitrogen.synthetic)
    full_width = sum(each.full_width is True for each in one.season.passes)
    return (
        one.farm_id, one.unit_id, one.harvest_id, str(one.crop), one.harvest_year, one.last_day,
        one.season.harvest.bushels, one.county_fips, one.season.state_of(one.unit_id) or None,
        one.season.acres, one.rule.id, one.rule.later_rule_in_force,
        *(_THREE_VALUED[said] for said in (*answers, *verdicts.values())),
        full_width, one.season.stir.recorded, one.season.stir.published, seeded, synthetic_n,
        [name for name, said in verdicts.items() if said is Verdict.NOT_SHOWN],
    )  # fmt: skip


# Harvests of feedstock crops that get no verdict: no version of the rule governs them, or their day is unknown.


def _not_covered_in_columns(batch: Batch) -> pl.DataFrame:
    """Return those of the plain farms of a batch."""
    others = pl.col("farm_id").is_in(batch.others["unit"]["farm_id"].unique().implode())
    rows = not_covered(batch.loaded).filter(pl.col("bushels").is_not_null() & ~others)
    return rows.select(pl.col(name).cast(of) for name, of in _NOT_COVERED_TYPES.items())


def _not_covered_by_law(judged: Assessment) -> pl.DataFrame:
    rows = [
        (farm, unit, stand.harvest_id, stand.crop, stand.harvest_year, stand.last_day, stand.bushels)
        for farm in dict.fromkeys(row.farm_id for row in judged.book["unit"])
        for unit, stand in stands_not_covered(judged.rows(farm))
    ]
    return pl.DataFrame(rows, _NOT_COVERED_TYPES, orient="row")


VERDICT: Final = "verdict"
_NOT_COVERED: Final = "not_covered"


def check(book: FrameBook) -> Mapping[str, pl.DataFrame]:
    """Judge every unit of every farm.

    Returns:
        ``verdict``: one row per crop interval as ``judging.VERDICTS`` has it; ``not_covered``: harvests that get none;
        ``problem``: what a person must fix.
    """
    batch = judge_batch(book)
    verdicts, without = [verdicts_in_columns(batch)], [_not_covered_in_columns(batch)]
    for some in assessed(batch.others):
        verdicts.append(verdicts_by_law(some))
        without.append(_not_covered_by_law(some))
    told = {VERDICT: pl.concat(verdicts), _NOT_COVERED: pl.concat(without)}
    return {name: frame for name, frame in told.items() if frame.height} | {PROBLEM: problem_frame(book.problems)}


# ``portfolio intensity``: the CI of every unit and the farm-level average, by what quantifies one book.
#
# A batch of farms is judged at once; every farm is quantified from its own rows, as ``provender intensity`` does it.

_CALCULATOR: Final = "calculator"
COUNTY_TABLE: Final = "county_table"
KNOWN: Final = "calculators"
_HASH: Final = "_sha256"
UNIT: Final = "unit_ci"
FARM: Final = "farm_ci"
FINDING: Final = "finding"
UNITS: Final[Mapping[str, pl.DataType | type[pl.DataType]]] = {
    "farm_id": pl.String, "unit_id": pl.String, "crop": pl.String, "harvest_year": pl.Int32, "county_fips": pl.String,
    "acres": pl.Int64, "bushels": pl.Int64, "practices": pl.List(pl.String), "records_met": pl.Boolean,
    "conventional": pl.Boolean, "ci_g_per_bu": pl.Int64, "label": pl.String, "notes": pl.List(pl.String),
}  # fmt: skip
"""One row per unit and crop; the CI in whole hundredths, null where conventional crop or nothing is shown."""
FARMS: Final[Mapping[str, pl.DataType | type[pl.DataType]]] = {
    "farm_id": pl.String, "crop": pl.String, "harvest_year": pl.Int32, "calculator": pl.String, "version": pl.String,
    "label": pl.String, "national_default_g_per_bu": pl.Int64, "units": pl.Int32, "bushels": pl.Int64,
    "ci_g_per_bu": pl.Int64, "missing": pl.List(pl.String),
}  # fmt: skip
FINDINGS: Final = {
    "farm_id": pl.String, "crop": pl.String, "harvest_year": pl.Int32, "code": pl.String, "cite": pl.String,
    "subject": pl.String, "cause": pl.String, "claimed": pl.String, "expected": pl.String, "bushels": pl.Int64,
    "remedy": pl.String,
}  # fmt: skip
_RECORDS: Final = (
    "unit", "harvest", "calculator_run", "national_default", "bushel_total", "reported_acres", "evidence",
)  # fmt: skip
"""Kinds that quantification reads beside the verdicts."""
_TOGETHER: Final = 1_000
"""Farms whose records are in rows at once: rows take ten times the room of columns."""


def options_of(calculator: str, county_table: Path | None, calculators: Path | None) -> dict[str, str]:
    """Return the options of the job; files by path and hash, so that a changed one is computed anew."""
    found = {_CALCULATOR: calculator}
    for name, path in ((COUNTY_TABLE, county_table), (KNOWN, calculators)):
        if path is not None:
            found |= {name: str(path.resolve()), name + _HASH: sha256_hex(_content(path))}
    return found


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        cause = f"The file cannot be read: {error.strerror}."
        raise ProblemsError([Problem(Place(str(path)), cause, "Check the path.", code="unreadable_file")]) from None


def county_table(options: Mapping[str, str]) -> CountyTable | None:
    """Return the table that the options name, if any.

    Raises:
        ProblemsError: the file is no county table, or no longer the one whose hash is named.
    """
    return _table(options[COUNTY_TABLE], options[COUNTY_TABLE + _HASH]) if COUNTY_TABLE in options else None


@cache
def _table(path: str, sha256: str) -> CountyTable:
    content = _content(Path(path))
    if sha256_hex(content) != sha256:
        cause = "The file changed while the job ran."
        raise ProblemsError([Problem(Place(path), cause, "Run the job again.", code="changed_file")])
    return load_county_table(content, Path(path).name)


@cache
def _known(path: str, sha256: str) -> Calculators:  # noqa: ARG001 - another content is another list
    return known_calculators(Path(path) if path else None)


def _quantifier(options: Mapping[str, str]) -> "Judge":
    """Return the job for a calculator or a county table."""

    def judge(book: FrameBook) -> Mapping[str, pl.DataFrame]:
        calculator = county_table(options) or options.get(_CALCULATOR, OFFICIAL)
        known = _known(options.get(KNOWN, ""), options.get(KNOWN + _HASH, ""))
        batch = judge_batch(book)
        found = list(quantified(batch, calculator, known))
        for some in assessed(batch.others):
            found += _quantified_by_season(some, calculator, known)
        told = [*book.problems, *(problem for one in found for problem in one.problems)]
        return results(found) | {PROBLEM: problem_frame(told)}

    return judge


class _Practice(NamedTuple):
    """The verdict on the records of a practice."""

    records: Verdict


@dataclass(frozen=True, slots=True)
class JudgedInterval:
    """An interval judged in columns, as far as ``quantify`` asks of it."""

    unit_id: str
    harvest_ids: tuple[str, ...]  # its crop entries
    crop: Crop
    harvest_year: int
    county_fips: str | None
    rule: RuleVersion
    answers: Mapping[str, bool | None]  # by practice, and by practice with ``_records``

    @property
    def credited(self) -> tuple[Practice, ...]:
        """Return the practices whose implementation is met: only these earn credit (interpretation 5)."""
        return tuple(practice for practice in Practice if self.answers[practice])

    def __getitem__(self, practice: Practice) -> _Practice:
        return _Practice(Verdict.MET if self.answers[practice + RECORDS] else Verdict.NOT_SHOWN)


@dataclass(frozen=True, slots=True)
class JudgedFarm:
    """A farm of a batch, judged in columns, as far as ``quantify`` asks of it."""

    book: RecordBook  # with the records of some farms
    intervals: tuple[JudgedInterval, ...]  # of this farm
    years: Mapping[tuple[str, str], int | None]  # of crop entries, by farm
    known: FarmRows  # the records of this farm

    def rows(self, _: str) -> FarmRows:
        return self.known

    def of(self, _: str, crop: Crop, harvest_year: int) -> tuple[JudgedInterval, ...]:
        return tuple(one for one in self.intervals if (one.crop, one.harvest_year) == (crop, harvest_year))

    def harvest_year(self, row: Mapping[str, Any]) -> int | None:
        """Return the harvest year of a row of ``harvest``: of the harvest it is a part of, else of its last day."""
        day = row["last_day"] or row["first_day"]
        return self.years.get((row["farm_id"], row["harvest_id"])) or (day.year if day else None)


def _judged_intervals(verdicts: pl.DataFrame) -> dict[str, list[JudgedInterval]]:
    by_farm: dict[str, list[JudgedInterval]] = {}
    if verdicts.is_empty():
        return by_farm
    names = [name for practice in Practice for name in (str(practice), practice + RECORDS)]
    keys = ("farm_id", "unit_id", "harvest_ids", "crop", "harvest_year", "county_fips", "last_day")
    for farm, unit, entries, crop, year, county, day, *said in verdicts.select(*keys, *names).iter_rows():
        answers = dict(zip(names, said, strict=True))
        one = JudgedInterval(unit, tuple(entries), Crop(crop), year, county, rule_version(day), answers)
        by_farm.setdefault(farm, []).append(one)
    return by_farm


def quantified(batch: Batch, calculator: str | CountyTable, known: Calculators) -> Iterator[Quantification]:
    """Quantify every farm, crop and harvest year of the plain farms, farm by farm."""
    book, by_farm = batch.plain, _judged_intervals(batch.verdicts)
    empty = dict.fromkeys(KINDS, ())
    farms = sorted(by_farm)
    # Once for all: each farm would else look through the harvests of all.
    crops = batch.loaded.intervals.filter(pl.col("farm_id").is_in(farms)).explode("harvest_ids")
    ended = crops.select("farm_id", "harvest_ids", "harvest_year").iter_rows()
    years = {(farm, entry): year for farm, entry, year in ended}
    for number, farm in enumerate(farms):
        if number % _TOGETHER == 0:
            some = pl.col("farm_id").is_in(farms[number : number + _TOGETHER])
            mine = {kind: records_in(KINDS[kind], book[kind].filter(some)) for kind in _RECORDS}
            own = RecordBook({**empty, **mine}, (), (), files=book.files)
        judged = JudgedFarm(own, tuple(by_farm[farm]), years, FarmRows(own, farm))
        for crop, year in sorted({(one.crop, one.harvest_year) for one in judged.intervals}):
            yield quantify(judged, farm, crop, year, calculator, known=known)


def _quantified_by_season(
    judged: Assessment, calculator: str | CountyTable, known: Calculators
) -> Iterator[Quantification]:
    """Quantify farms that were judged season by season, as a single book is."""
    for farm, crop, year in judged.harvests:
        yield quantify(judged, farm, crop, year, calculator, known=known)


def results(found: Sequence[Quantification]) -> dict[str, pl.DataFrame]:
    """Return the frames of ``UNITS``, ``FARMS`` and ``FINDINGS``, in the order of farm, crop and harvest year."""
    rows = {
        UNIT: (UNITS, _unit_rows(found)),
        FARM: (FARMS, _farm_rows(found)),
        FINDING: (FINDINGS, _finding_rows(found)),
    }
    frames = {name: pl.DataFrame(list(of), schema=schema, orient="row") for name, (schema, of) in rows.items()}
    return {name: frame.sort("farm_id", "crop", "harvest_year", maintain_order=True) for name, frame in frames.items()}


def _unit_rows(found: Sequence[Quantification]) -> Iterator[tuple[object, ...]]:
    for one in found:
        for unit in one.units:
            yield (
                one.farm_id, unit.unit_id, str(one.crop), one.harvest_year, unit.county_fips, unit.acres, unit.bushels,
                [str(practice) for practice in unit.credited], unit.records_met, unit.conventional,
                unit.result.ci_g_per_bu if unit.result else None, str(unit.result.label) if unit.result else None,
                list(unit.result.notes) if unit.result else [],
            )  # fmt: skip


def _farm_rows(found: Sequence[Quantification]) -> Iterator[tuple[object, ...]]:
    for one in found:
        yield (
            one.farm_id, str(one.crop), one.harvest_year, one.calculator, one.version, str(one.label),
            one.national_default, len(one.units), one.average.bushels, one.average.ci_g_per_bu,
            list(one.average.missing),
        )  # fmt: skip


def _finding_rows(found: Sequence[Quantification]) -> Iterator[tuple[object, ...]]:
    for one in found:
        for told in one.findings:
            yield (
                one.farm_id, str(one.crop), one.harvest_year, told.code, told.cite, told.subject, told.cause,
                told.claimed, told.expected, told.effect_bushels, told.remedy,
            )  # fmt: skip


# ``portfolio plan``: the best combination of practices of every field, and what a missing record costs it.
#
# By the open model, as ``provender plan``: estimates, not USDA FD-CIC. The model has one answer for each county, crop
# and set of practices, so each is asked once, however many fields there are.

BEST: Final = "plan"
COST: Final = "cost"
_PLANS: Final[Mapping[str, pl.DataType | type[pl.DataType]]] = {
    "farm_id": pl.String, "unit_id": pl.String, "crop": pl.String, "harvest_year": pl.Int32, "county_fips": pl.String,
    "bushels": pl.Int64, "today": pl.List(pl.String), "today_g_per_bu": pl.Int64, "best": pl.List(pl.String),
    "best_g_per_bu": pl.Int64, "against_today_g_per_bu": pl.Int64, "against_national_g_per_bu": pl.Int64,
}  # fmt: skip
"""One row per field; CIs in whole hundredths, estimates; below zero is better."""
_COSTS: Final[Mapping[str, pl.DataType | type[pl.DataType]]] = {
    "farm_id": pl.String, "unit_id": pl.String, "crop": pl.String, "harvest_year": pl.Int32, "practice": pl.String,
    MISSING: pl.List(pl.String), "bushels": pl.Int64, "with_g_per_bu": pl.Int64, "against_today_g_per_bu": pl.Int64,
}  # fmt: skip
"""One row per field and practice not shown: which of its requirements are not, and what the CI would be with them."""
_Entries = Mapping[tuple[str, str], Mapping[str, Any]]


@cache
def options(crop: Crop, county_fips: str | None, today: Combination) -> tuple[Option, ...]:
    """Return what ``provender plan`` says of a field of this crop, county and practices of today."""
    return plan(UnitCase("", crop, 0, county_fips, today), TwoStepArgonne())


def plans(book: FrameBook) -> Mapping[str, pl.DataFrame]:
    """Plan every field of every farm; see ``_PLANS`` and ``_COSTS``."""
    batch, known = judge_batch(book), packaged_calculators()
    found = list(quantified(batch, ARGONNE, known))
    entries = dict(_entries(verdicts_in_columns(batch)))
    for some in assessed(batch.others):
        found += _quantified_by_season(some, ARGONNE, known)
        entries |= _entries(verdicts_by_law(some))
    fields = [(one, unit) for one in found for unit in one.units]
    return {
        BEST: pl.DataFrame([_row(*field) for field in fields], schema=_PLANS, orient="row"),
        COST: pl.DataFrame(list(_costs(fields, entries)), schema=_COSTS, orient="row"),
        PROBLEM: problem_frame(book.problems),
    }


def _row(one: Quantification, unit: UnitResult) -> tuple[object, ...]:
    offered = options(one.crop, unit.county_fips, Combination.of(unit.credited))
    best, today = offered[0], next((option for option in offered if option.is_today), None)
    return (
        one.farm_id, unit.unit_id, str(one.crop), one.harvest_year, unit.county_fips, unit.bushels,
        _names(today.combination.practices if today else ()), today.result.ci_g_per_bu if today else None,
        _names(best.combination.practices), best.result.ci_g_per_bu, best.against_today, best.against_national,
    )  # fmt: skip


def _names(practices: Iterable[Practice]) -> list[str]:
    wanted = frozenset(practices)
    return [str(practice) for practice in Practice if practice in wanted]


def _entries(verdicts: pl.DataFrame) -> _Entries:
    """Return the answers and the requirements not shown of each crop."""
    practices = [str(practice) for practice in Practice]
    rows = verdicts.select("farm_id", "harvest_id", *practices, MISSING)
    return {(row["farm_id"], row["harvest_id"]): row for row in rows.iter_rows(named=True)}


def _costs(fields: Iterable[tuple[Quantification, UnitResult]], entries: _Entries) -> Iterator[tuple[object, ...]]:
    """Yield what each practice would give that nothing speaks against and that is not shown."""
    for one, unit in fields:
        mine = [entries[key] for name in unit.harvest_ids if (key := (one.farm_id, name)) in entries]
        today = Combination.of(unit.credited)
        for practice in claimable(one.crop):
            if practice in unit.credited or not mine or any(row[practice] is False for row in mine):
                continue
            asked = of_practice(practice, Part.IMPLEMENTATION)
            lacking = [needed for needed in asked if any(needed.name in row[MISSING] for row in mine)]
            shown = Combination.of({*unit.credited, practice})
            if not lacking or shown == today:
                continue
            offer = next(each for each in options(one.crop, unit.county_fips, today) if each.combination == shown)
            yield (
                one.farm_id, unit.unit_id, str(one.crop), one.harvest_year, str(practice),
                [f"{needed.says} ({needed.cite})" for needed in lacking], unit.bushels, offer.result.ci_g_per_bu,
                offer.against_today,
            )  # fmt: skip


# ``portfolio sister``, farm by farm: what of a field can be compared with the fields of its neighbours.

FIELD: Final = "field"
RUN: Final = "run"
INPUTS: Final = ("tillage", "cover_crop", "n_timing", "inhibitor")
_WHERE: Final = ("farm_id", "unit_id", "crop", "harvest_year", "county_fips", "bushels")


def comparable(book: FrameBook) -> Mapping[str, pl.DataFrame]:
    """Return a row for each harvested field and for each calculator run.

    Returns:
        ``field``: farm, unit, crop, year, county, bushels, ``yield_bu_per_ac``, ``ci_g_per_bu`` (of its one run),
        ``n_lb_per_ac`` and ``moisture_pct``, null where a record lacks; ``run``: the inputs and the CI of each run.
    """
    loaded = load(book)
    fields, runs = _fields(loaded), _runs(book, loaded)
    only = runs.group_by("farm_id", "interval_key").agg(
        pl.col("ci_g_per_bu").first(), pl.len().alias("_runs")
    ).filter(pl.col("_runs") == 1).drop("_runs")  # fmt: skip
    kept = fields.join(only, on=["farm_id", "interval_key"], how="left", maintain_order="left")
    return {
        FIELD: kept.select(*_WHERE, "yield_bu_per_ac", "ci_g_per_bu", "n_lb_per_ac", "moisture_pct"),
        RUN: runs.drop("interval_key"),
        PROBLEM: problem_frame(book.problems),
    }


def _fields(loaded: PreparedBook) -> pl.DataFrame:
    nitrogen = loaded.applications.group_by("interval_key").agg(v.sum_of_all("n_lb_per_ac"))
    acres = pl.coalesce("harvested_acres", "acres")
    rate = pl.when(acres > 0).then(pl.col("bushels") * 1000 // acres)
    grain = pl.col("use").cast(pl.String).fill_null("grain") == "grain"
    return (
        loaded.intervals.filter(pl.col("feedstock") & grain)
        .join(nitrogen, on="interval_key", how="left", maintain_order="left")
        .with_columns(pl.col("crop").cast(pl.String), rate.alias("yield_bu_per_ac"))
    )


def _runs(book: FrameBook, loaded: PreparedBook) -> pl.DataFrame:
    entries = loaded.intervals.select(
        "farm_id", pl.col("harvest_ids").alias("harvest_id"), "interval_key", "harvest_year", "bushels",
        pl.col("crop").cast(pl.String).alias("_crop"),
    ).explode("harvest_id")  # fmt: skip
    crop = pl.coalesce(pl.col("crop").cast(pl.String), "_crop").alias("crop")
    return (
        book["calculator_run"]
        .join(entries, on=["farm_id", "harvest_id"], how="inner", maintain_order="left")
        .select(
            *(crop if name == "crop" else pl.col(name) for name in _WHERE), "run_id", "calculator", "version",
            *(pl.col(name) if name in ("cover_crop", "inhibitor") else pl.col(name).cast(pl.String) for name in INPUTS),
            "ci_g_per_bu", "interval_key",
        )
    )  # fmt: skip


# The jobs that judge farms batch by batch, by name: a task on another machine knows its work by it.

Options = Mapping[str, str]
"""What else decides a result, by name; texts, so that they travel and stand in the lineage."""

_JOBS: Final[Mapping[str, Callable[[Options], Judge]]] = {
    "check": lambda _: check,
    "intensity": _quantifier,
    "plan": lambda _: plans,
    "sister": lambda _: comparable,
}


def judge_of(job: str, options: Options) -> Judge:
    """Return what a job does with the records of whole farms."""
    return _JOBS[job](options)


# ``portfolio check --recheck``: the verdicts of some farms of the user's own data, held against the law itself.

_KEY: Final = ("farm_id", "unit_id", "harvest_id")
_COMPARED: Final = (*ANSWERS, *REQUIREMENTS)
_WORDS: Final = {True: "met", False: "not met", None: "not shown"}
_NO_VERDICT: Final = "no verdict"


class Difference(NamedTuple):
    """A verdict of the result that is not the law's."""

    farm_id: str
    unit_id: str
    harvest_id: str
    name: str  # of the requirement or practice; empty where one of the two has no verdict on the crop
    found: str  # in the result
    by_law: str

    def __str__(self) -> str:
        where = f"{self.farm_id} {self.unit_id} {self.harvest_id}:{f' {self.name}:' if self.name else ''}"
        return f"{where} {self.found} in the result, {self.by_law} judged alone"


class Recheck(NamedTuple):
    """What came of it."""

    farms: int
    intervals: int
    verdicts: int
    differences: tuple[Difference, ...]


def recheck(portfolio: Portfolio, out: Path, count: int, seed: str) -> Recheck:
    """Judge so many random farms of a portfolio by the law and hold the verdicts of a result against it.

    Args:
        portfolio: the records.
        out: the folder of the result of ``check``.
        count: how many farms; all where there are fewer.
        seed: the same farms are drawn for the same seed.
    """
    named = jobs.read_records(portfolio, "farm", ["farm_id"])["farm_id"].drop_nulls().unique().sort().to_list()
    chosen = sorted(Random(seed).sample(named, min(count, len(named))))  # noqa: S311 - no secret is drawn
    found = {_key(row): row for row in _result_of(out, chosen).iter_rows(named=True)}
    farms, expected = 0, dict[tuple[str, ...], Mapping[str, Any]]()
    for book in _books_of(portfolio, chosen):
        farms += book["farm"]["farm_id"].n_unique()
        for some in assessed(book):
            expected |= {_key(row): row for row in verdicts_by_law(some).iter_rows(named=True)}
    both = sorted(found.keys() | expected.keys())
    differences = tuple(one for key in both for one in _differences(key, found.get(key), expected.get(key)))
    return Recheck(farms, len(both), len(both) * len(_COMPARED), differences)


def _key(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(row[name] for name in _KEY)


def _result_of(out: Path, farms: list[str]) -> pl.DataFrame:
    rows = jobs.read_result(out, VERDICT)
    if not rows.collect_schema().names():
        return pl.DataFrame(schema=dict.fromkeys((*_KEY, *_COMPARED), pl.String))
    return rows.filter(pl.col("farm_id").is_in(farms)).select(*_KEY, *_COMPARED).collect()


def _books_of(portfolio: Portfolio, farms: list[str]) -> Iterator[FrameBook]:
    """Read the chosen farms where they are judged; batches with none of them are not read."""
    asked = pl.DataFrame({"farm_id": farms})
    for partition in portfolio.partitions:
        for batch in jobs.batches(portfolio, partition):
            if asked.filter(batch.farms.meant(pl.col("farm_id"))).is_empty():
                continue
            book = jobs.read_batch(portfolio, partition, batch)
            mine = sorted(set(farms).intersection(book["farm"]["farm_id"]))
            yield _part_of(book, pl.col("farm_id").is_in(mine))


def _differences(
    key: tuple[str, ...], found: Mapping[str, Any] | None, expected: Mapping[str, Any] | None
) -> Iterator[Difference]:
    farm, unit, entry = key
    if found is None or expected is None:
        told = ("a verdict" if row else _NO_VERDICT for row in (found, expected))
        yield Difference(farm, unit, entry, "", *told)
        return
    for name in _COMPARED:
        if found[name] is not expected[name]:
            yield Difference(farm, unit, entry, name, _WORDS[found[name]], _WORDS[expected[name]])
