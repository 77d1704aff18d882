"""A book judged in columns: every crop interval with its verdicts, for portfolios and for the comparison of engines."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import polars as pl

from provender.practices.evaluate import evaluate
from provender.practices.explain import IntervalVerdict, explain
from provender.practices.prepared_book import PreparedBook, load
from provender.problem import Place, Problem, Weight
from provender.records.book import RecordBook

# Fact, least count (or the parameter of the rule that is it), what it is, what follows from it, paragraph.
DOUBTS: Final = (
    ("intensive_passes", "intensive_tillage_passes_flag", "intensive tillage",
     "Passes with plow, disk or chisel go to the verifier.", "2100.002"),
    ("stand_tilled", 1, "full-width tillage, inversion or fire before a stand that was given up",
     "The interval begins where the stand was given up; show the verifier its record.", "2100.002"),
    ("part_field_passes", 1, "a pass on part of the unit",
     "It counts in full, never averaged; you may split the unit where it ended, each part with its acres and bushels.",
     "2100.051(c)(1)"),
    ("below_minimum_passes", 1, "speed or depth below the published least",
     "The published value counts until evidence is added.", "2100.051(c)(3)"),
    ("passes_after_planting", 1, "full-width tillage after planting into a cover crop",
     "It counts for STIR and no-till; its residue goes to the verifier.", "2100.052(a)(7)"),
    ("stir_recorded", "stir_scale_max", "a STIR at the top of the scale or beyond it",
     "Check speed and depth of the passes: such a sum points to a typing error.", "2100.002"),
    ("n_trace", 1, "trace nitrogen", "Listed for the verifier; it breaks no requirement.", "2100.053(b)(1)"),
    ("n_early_share", 1, "more than a quarter of the nitrogen need before emergence",
     "Told to the verifier; the split is judged by what went on after it.", "2100.053(d)(1)"),
    ("n_reduced_beyond_plan", 1, "more nitrogen counted as left out than the plan still lacked",
     "Of a reduction only what the applications lack of the plan counts.", "2100.053(d)(1)"),
    ("n_part_field", 1, "nitrogen on part of the unit", "After emergence it counts as uncertain.", "2100.053(d)(1)"),
)  # fmt: skip
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Assessment:
    """All verdicts of a book."""

    book: RecordBook  # the records
    loaded: PreparedBook  # the records with keys and the catalogue's values
    intervals: tuple[IntervalVerdict, ...]  # in the order of unit and day
    kept: dict[tuple[str, str], Any] = field(default_factory=dict, compare=False, repr=False)

    def once(self, what: str, farm_id: str, make: Callable[[], T]) -> T:
        """Return what is asked of a farm several times, made where it is not kept yet."""
        if (what, farm_id) not in self.kept:
            self.kept[what, farm_id] = make()
        made: T = self.kept[what, farm_id]
        return made


def harvest_years(intervals: pl.DataFrame) -> dict[tuple[str, str], int | None]:
    """Return the year of every harvest of some intervals, by farm and each crop entry that is a part of it."""
    of = intervals.select("farm_id", "harvest_ids", "harvest_year").explode("harvest_ids")
    return {(farm, entry): year for farm, entry, year in of.iter_rows()}


def assess(book: RecordBook) -> Assessment:
    """Judge a whole book."""
    loaded = load(book)
    return Assessment(book, loaded, tuple(explain(evaluate(loaded))))


def during_harvest(loaded: PreparedBook) -> list[Problem]:
    """Tell of passes on the days of a harvest that took several: they count in the new interval (interpretation 9)."""
    before = pl.when(pl.col("unit_key") == pl.col("unit_key").shift(1)).then(pl.col("last_day").shift(1))
    spans = (
        loaded.intervals.with_columns(before.alias("harvest_over"))
        .filter(pl.col("harvest_over") > pl.col("starts_on"))
        .select("interval_key", "unit_id", "harvest_id", "starts_on", "harvest_over", "source_file", "source_row")
    )
    days = pl.col("day").is_between("starts_on", "harvest_over")
    if spans.is_empty():
        return []
    rows = (
        loaded.operations.filter(~pl.col("is_harvest"))
        .select("interval_key", "day")
        .join(spans, on="interval_key", how="inner", maintain_order="right")
        .filter(days)
    )
    found = []
    shown = ("interval_key", "unit_id", "harvest_id", "source_file", "source_row")
    for row in rows.group_by(shown, maintain_order=True).len("passes").iter_rows(named=True):
        place = Place(row["source_file"] or "harvest", row=row["source_row"] or 0)
        count = row["passes"]
        passes = "1 pass lies" if count == 1 else f"{count} passes lie"
        cause = (
            f"{row['unit_id']}, {row['harvest_id']}: {passes} between the first and the last day of the harvest before."
        )
        remedy = "It counts for this crop; check its day if it was made before that harvest began."
        found.append(Problem(place, cause, remedy, "2100.002", Weight.NOTE, "passes_during_harvest"))
    return found
