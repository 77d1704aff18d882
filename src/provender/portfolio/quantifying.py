"""``portfolio intensity``: the CI of every unit and the farm-level average, by what quantifies one book.

A batch of farms is judged at once. Farms of which there is nothing to say are averaged together (``plain_farms``);
every other farm is quantified from its own rows, as ``provender intensity`` does it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import polars as pl

from provender.intensity.calculator import OFFICIAL
from provender.intensity.county_table import CountyTable, load_county_table
from provender.intensity.disagreement import Disagreement
from provender.intensity.quantify import Quantification, quantify
from provender.portfolio.layout import PROBLEM
from provender.portfolio.plain_farms import GROUP, PlainFarms, plain_farms
from provender.portfolio.tables import problem_frame
from provender.practices.assess import YEARS, Assessment, harvest_years
from provender.practices.evaluate import evaluate
from provender.practices.evidence_links import PRINTOUT
from provender.practices.explain import IntervalVerdict, standings
from provender.practices.prepared_book import PreparedBook, load
from provender.problem import Place, Problem, ProblemsError
from provender.records import KINDS
from provender.records.book import RecordBook
from provender.rule.calculators import Calculators, known_calculators
from provender.rule.crops import Crop
from provender.signing.hashes import sha256_hex

if TYPE_CHECKING:
    from provender.portfolio.jobs import Judge

CALCULATOR: Final = "calculator"
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
TOGETHER: Final = 1_000
"""Farms whose records are in rows at once: rows take ten times the room of columns."""


def options_of(calculator: str, county_table: Path | None, calculators: Path | None) -> dict[str, str]:
    """Return the options of the job; files by path and hash, so that a changed one is computed anew."""
    found = {CALCULATOR: calculator}
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


def quantifier(options: Mapping[str, str]) -> "Judge":
    """Return the job for a calculator or a county table."""

    def judge(book: RecordBook) -> Mapping[str, pl.DataFrame]:
        calculator = county_table(options) or options.get(CALCULATOR, OFFICIAL)
        known = _known(options.get(KNOWN, ""), options.get(KNOWN + _HASH, ""))
        loaded = load(book)
        verdicts = evaluate(loaded)
        plain = None
        if calculator == OFFICIAL and not verdicts.is_empty():
            plain = plain_farms(book, loaded, verdicts, known)
            verdicts = verdicts.filter(~pl.col("farm_id").is_in(plain.farms.implode()))
        found = list(quantified(book, loaded, verdicts, calculator, known))
        told = [*book.problems, *(problem for one in found for problem in one.problems)]
        return results(found, plain) | {PROBLEM: problem_frame(told)}

    return judge


def quantified(
    book: RecordBook, loaded: PreparedBook, verdicts: pl.DataFrame, calculator: str | CountyTable, known: Calculators
) -> Iterator[Quantification]:
    """Quantify every farm, crop and harvest year of a batch, farm by farm."""
    by_farm: dict[str, list[IntervalVerdict]] = {}
    for one in standings(verdicts):
        by_farm.setdefault(one.farm_id, []).append(one)
    unprinted = _unprinted(loaded)
    printed = replace(loaded, supported={PRINTOUT.kind: loaded.supported[PRINTOUT.kind].clear()})
    empty = {kind: of.empty() for kind, of in KINDS.items()}
    farms = sorted(by_farm)
    # Once for all: each farm would else look through the harvests of all.
    years = {YEARS: harvest_years(loaded.intervals.filter(pl.col("farm_id").is_in(farms)))}
    for number, farm in enumerate(farms):
        if number % TOGETHER == 0:
            some = pl.col("farm_id").is_in(farms[number : number + TOGETHER])
            mine = {kind: book[kind].filter(some) for kind in _RECORDS}
            own = RecordBook({**empty, **mine}, book.incomplete_rows.clear(), (), files=book.files)
        assessment = Assessment(own, unprinted.get(farm, printed), verdicts, tuple(by_farm[farm]), (), years)
        for _, crop, year in assessment.harvests:
            yield quantify(assessment, farm, Crop(crop), year, calculator, known=known)


def _unprinted(loaded: PreparedBook) -> dict[str, PreparedBook]:
    """Return by farm the book with its runs that no printout documents: what is asked of each is asked of few rows."""
    kind = PRINTOUT.kind
    runs = loaded.supported[kind].with_row_index("row").filter(~pl.col("supported"))
    own = pl.int_range(pl.len(), dtype=pl.UInt32).over("farm_id").alias("_own")
    numbers = runs.select("row", own)
    links = loaded.links[kind].join(numbers, on="row", maintain_order="left").with_columns(pl.col("_own").alias("row"))
    of_farm = links.drop("_own").partition_by("farm_id", as_dict=True)
    return {
        str(farm): replace(loaded, supported={kind: rows}, links={kind: of_farm.get((farm,), links.clear())})
        for (farm,), rows in runs.drop("row").partition_by("farm_id", as_dict=True).items()
    }


def results(found: list[Quantification], plain: PlainFarms | None = None) -> dict[str, pl.DataFrame]:
    """Return the frames of ``UNITS``, ``FARMS`` and ``FINDINGS``, in the order of farm, crop and harvest year."""
    told = [(one.farm_id, one.crop, one.harvest_year, finding) for one in found for finding in one.findings]
    frames = {UNIT: [_unit_rows(found)], FARM: [_farm_rows(found)]}
    if plain is not None:
        told += plain.findings
        frames[UNIT].append(plain.units.cast(pl.Schema(UNITS)))
        frames[FARM].append(plain.averages.cast(pl.Schema(FARMS)))
    ordered = {name: pl.concat(parts).sort(GROUP, maintain_order=True) for name, parts in frames.items()}
    return ordered | {FINDING: _finding_rows(told)}


def _unit_rows(found: list[Quantification]) -> pl.DataFrame:
    rows = [
        (one.farm_id, unit.unit_id, str(one.crop), one.harvest_year, unit.county_fips, unit.acres, unit.bushels,
         [str(practice) for practice in unit.credited], unit.records_met, unit.conventional,
         unit.result.ci_g_per_bu if unit.result else None, str(unit.result.label) if unit.result else None,
         list(unit.result.notes) if unit.result else [])
        for one in found
        for unit in one.units
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=UNITS, orient="row")


def _farm_rows(found: list[Quantification]) -> pl.DataFrame:
    rows = [
        (one.farm_id, str(one.crop), one.harvest_year, one.calculator, one.version, str(one.label),
         one.national_default, len(one.units), one.average.bushels, one.average.ci_g_per_bu, list(one.average.missing))
        for one in found
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=FARMS, orient="row")


def _finding_rows(found: Iterable[tuple[str, Crop, int, Disagreement]]) -> pl.DataFrame:
    rows = [
        (farm, str(crop), year, told.code, told.cite, told.subject, told.cause, told.claimed, told.expected,
         told.effect_bushels, told.remedy)
        for farm, crop, year, told in found
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=FINDINGS, orient="row").sort(GROUP, maintain_order=True)
