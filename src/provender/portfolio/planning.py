"""``portfolio plan``: the best combination of practices of every field, and what a missing record costs it.

By the open model, as ``provender plan``: estimates, not USDA FD-CIC. The model has one answer for each county, crop and
set of practices, so each is asked once, however many fields there are.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

import polars as pl

from provender.intensity.calculator import ARGONNE, UnitCase
from provender.intensity.combination import Combination
from provender.intensity.plan import Option, plan
from provender.intensity.quantify import Quantification, UnitResult
from provender.intensity.two_step import TwoStepArgonne
from provender.portfolio.checking import MISSING, missing_records
from provender.portfolio.layout import PROBLEM
from provender.portfolio.quantifying import quantified
from provender.portfolio.tables import problem_frame
from provender.practices.evaluate import evaluate
from provender.practices.prepared_book import load
from provender.practices.requirement import Part, of_practice
from provender.records.book import RecordBook
from provender.rule.calculators import packaged_calculators
from provender.rule.crops import Crop, Practice, claimable

BEST: Final = "plan"
COST: Final = "cost"
PLANS: Final[Mapping[str, pl.DataType | type[pl.DataType]]] = {
    "farm_id": pl.String, "unit_id": pl.String, "crop": pl.String, "harvest_year": pl.Int32, "county_fips": pl.String,
    "bushels": pl.Int64, "today": pl.List(pl.String), "today_g_per_bu": pl.Int64, "best": pl.List(pl.String),
    "best_g_per_bu": pl.Int64, "against_today_g_per_bu": pl.Int64, "against_national_g_per_bu": pl.Int64,
}  # fmt: skip
"""One row per field; CIs in whole hundredths, estimates; below zero is better."""
COSTS: Final[Mapping[str, pl.DataType | type[pl.DataType]]] = {
    "farm_id": pl.String, "unit_id": pl.String, "crop": pl.String, "harvest_year": pl.Int32, "practice": pl.String,
    MISSING: pl.List(pl.String), "bushels": pl.Int64, "with_g_per_bu": pl.Int64, "against_today_g_per_bu": pl.Int64,
}  # fmt: skip
"""One row per field and practice that is not shown: the records that lack, and what the CI would be with them."""
_Entries = Mapping[tuple[str, str], Mapping[str, object]]


@cache
def options(crop: Crop, county_fips: str | None, today: Combination) -> tuple[Option, ...]:
    """Return what ``provender plan`` says of a field of this crop, county and practices of today."""
    return plan(UnitCase("", crop, 0, county_fips, today), TwoStepArgonne())


def plans(book: RecordBook) -> Mapping[str, pl.DataFrame]:
    """Plan every field of every farm; see ``PLANS`` and ``COSTS``."""
    loaded = load(book)
    verdicts = evaluate(loaded)
    found = list(quantified(book, loaded, verdicts, ARGONNE, packaged_calculators()))
    fields = [(one, unit) for one in found for unit in one.units]
    return {
        BEST: pl.DataFrame([_row(*field) for field in fields], schema=PLANS, orient="row"),
        COST: pl.DataFrame(list(_costs(fields, _entries(verdicts))), schema=COSTS, orient="row"),
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
    """Return the answers and missing records of each crop."""
    if verdicts.is_empty():
        return {}
    practices = [str(practice) for practice in Practice]
    rows = verdicts.with_columns(missing_records(verdicts)).select("farm_id", "harvest_id", *practices, MISSING)
    return {(row["farm_id"], row["harvest_id"]): row for row in rows.iter_rows(named=True)}


def _costs(fields: Iterable[tuple[Quantification, UnitResult]], entries: _Entries) -> Iterator[tuple[object, ...]]:
    """Yield what each practice would give that no record refutes and some record lacks."""
    implementation = {one: {each.name for each in of_practice(one, Part.IMPLEMENTATION)} for one in Practice}
    for one, unit in fields:
        mine = [entries[key] for name in unit.harvest_ids if (key := (one.farm_id, name)) in entries]
        today = Combination.of(unit.credited)
        for practice in claimable(one.crop):
            if practice in unit.credited or not mine or any(row[practice] is False for row in mine):
                continue
            lacking = [
                text for row in mine for text in _texts(row) if text.partition(": ")[0] in implementation[practice]
            ]
            shown = Combination.of({*unit.credited, practice})
            if not lacking or shown == today:
                continue
            offer = next(each for each in options(one.crop, unit.county_fips, today) if each.combination == shown)
            yield (
                one.farm_id, unit.unit_id, str(one.crop), one.harvest_year, str(practice),
                list(dict.fromkeys(lacking)), unit.bushels, offer.result.ci_g_per_bu, offer.against_today,
            )  # fmt: skip


def _texts(row: Mapping[str, object]) -> list[str]:
    missing = row[MISSING]
    return missing if isinstance(missing, list) else []
