"""A book judged: every crop interval with its verdicts, ready for quantification, reports and pages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, TypeVar

import polars as pl

from provender.practices.claims import claim_problems, with_claims
from provender.practices.contradictions import contradictions
from provender.practices.evaluate import evaluate, not_covered
from provender.practices.evidence_problems import evidence_problems
from provender.practices.explain import IntervalVerdict, explain
from provender.practices.known_by import unheld_words
from provender.practices.prepared_book import PreparedBook, load
from provender.practices.shallow import shallow_problems
from provender.problem import Place, Problem, Weight
from provender.records.book import RecordBook
from provender.rule.crops import Crop
from provender.rule.law import rule_version

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
YEARS: Final = ("harvest_year", "")
"""Under which name an assessment keeps the year of each crop entry (``harvest_years``)."""
_NAMED: Final = ("unit_id", "harvest_id", "last_day", "source_file", "source_sheet", "source_row")
_OF_THE_WHOLE: Final = ("n_early_share", "n_reduced_beyond_plan", "stir_recorded")


@dataclass(frozen=True, slots=True)
class Assessment:
    """All verdicts of a book."""

    book: RecordBook  # the records
    loaded: PreparedBook  # the records with keys and the catalogue's values
    verdicts: pl.DataFrame  # the wide frame of ``evaluate``
    intervals: tuple[IntervalVerdict, ...]  # the same for people, in the order of unit and day
    problems: tuple[Problem, ...]  # of the book, and of crops that no loaded version of the rule governs
    # what several reports and pages ask of it, made once: whoever makes it names it
    kept: dict[tuple[str, str], Any] = field(default_factory=dict, compare=False, repr=False)

    def once(self, what: str, farm_id: str, make: Callable[[], T]) -> T:
        """Return what several reports and pages ask of a farm, made where it is not kept yet."""
        if (what, farm_id) not in self.kept:
            self.kept[what, farm_id] = make()
        made: T = self.kept[what, farm_id]
        return made

    def of(self, farm_id: str, crop: Crop, harvest_year: int) -> tuple[IntervalVerdict, ...]:
        """Return the intervals of one farm, crop and harvest year."""
        return tuple(
            one for one in self.intervals if (one.farm_id, one.crop, one.harvest_year) == (farm_id, crop, harvest_year)
        )

    def harvest_year(self, row: Mapping[str, Any]) -> int | None:
        """Return the harvest year of a row of ``harvest``: of the harvest it is a part of, else of its last day."""
        known = self.once(*YEARS, lambda: harvest_years(self.loaded.intervals))
        day = row["last_day"] or row["first_day"]
        return known.get((row["farm_id"], row["harvest_id"])) or (day.year if isinstance(day, date) else None)

    @property
    def harvests(self) -> Mapping[tuple[str, Crop, int], tuple[IntervalVerdict, ...]]:
        """Return the intervals grouped by farm, crop and harvest year, in that order."""
        groups: dict[tuple[str, Crop, int], list[IntervalVerdict]] = {}
        for one in self.intervals:
            groups.setdefault((one.farm_id, one.crop, one.harvest_year), []).append(one)
        return {key: tuple(groups[key]) for key in sorted(groups)}


def harvest_years(intervals: pl.DataFrame) -> dict[tuple[str, str], int | None]:
    """Return the year of every harvest of some intervals, by farm and each crop entry that is a part of it."""
    of = intervals.select("farm_id", "harvest_ids", "harvest_year").explode("harvest_ids")
    return {(farm, entry): year for farm, entry, year in of.iter_rows()}


def assess(book: RecordBook) -> Assessment:
    """Judge a whole book."""
    loaded = load(book)
    verdicts = evaluate(loaded)
    told = (
        *_doubts(verdicts),
        *contradictions(loaded, verdicts),
        *during_harvest(loaded),
        *shallow_problems(loaded.graded["operation"]),
        *unheld_words(loaded.graded),
        *claim_problems(book["harvest"]),
    )
    problems = (*book.problems, *evidence_problems(loaded), *_uncovered(loaded), *told)
    return Assessment(book, loaded, verdicts, tuple(with_claims(explain(verdicts), book)), problems)


def _uncovered(loaded: PreparedBook) -> list[Problem]:
    """Tell of feedstock crops without a verdict: harvested before the rule, or on no known day."""
    found = []
    for row in not_covered(loaded).filter(pl.col("bushels").is_not_null()).iter_rows(named=True):
        place = Place(row["source_file"] or "harvest", row["source_sheet"] or "", row["source_row"] or 0, "last_day")
        if row["last_day"] is None:
            cause, remedy = f"Crop entry {row['harvest_id']} has no day of harvest.", "Fill in its last day."
            weight = Weight.ERROR
        else:
            cause = f"Crop entry {row['harvest_id']} was harvested on {row['last_day']}, before the rule was in force."
            remedy, weight = "It gets no verdict; it only starts the next interval.", Weight.NOTE
        found.append(Problem(place, cause, remedy, "2100.020", weight, "not_covered"))
    return found


def _doubts(verdicts: pl.DataFrame) -> list[Problem]:
    """Name passes whose place in an interval, extent or value a verifier may question (interpretations 10, 11, 13)."""
    if verdicts.is_empty():
        return []
    found = []
    counts = [column for column, *_ in DOUBTS]
    judged = verdicts.select(*counts, *_NAMED).rows(named=True)
    for column, least, what, remedy, cite in DOUBTS:
        for row in judged:
            law = rule_version(row["last_day"])
            if not row[column] or row[column] < (getattr(law, least) if isinstance(least, str) else least):
                continue
            place = Place(row["source_file"] or "harvest", row["source_sheet"] or "", row["source_row"] or 0)
            rows = "1 row" if row[column] == 1 else f"{row[column]} rows"
            where = "" if column in _OF_THE_WHOLE else f" in {rows}"
            cause = f"{row['unit_id']}, {row['harvest_id']}: {what}{where}."
            found.append(Problem(place, cause, remedy, cite, Weight.NOTE, column))
    return found


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
