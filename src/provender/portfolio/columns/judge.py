"""Verdicts of a batch of farms: one wide row per crop interval of a plain farm, one column per requirement."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import polars as pl

from provender.portfolio.columns import care, cover_crop, nutrients, tillage
from provender.portfolio.columns import three_valued as v
from provender.portfolio.columns.prepare import PreparedBook
from provender.portfolio.columns.supply import supplies
from provender.portfolio.columns.three_valued import EXPRESSIONS
from provender.portfolio.frames import at_once, rows_of
from provender.rule.crops import Crop, Practice, claimable
from provender.rule.law import RuleVersion, governing_version
from provender.standards.standard import Part, of_practice

RECORDS = "_records"
SHOWN = ("full_width_passes", "stir_recorded", "stir_published", "cover_acres", "synthetic_n_lb_per_ac")
"""Numbers beside the verdicts: STIR in ten-thousandths, acres and pounds per acre in thousandths."""


class Judged(NamedTuple):
    """What the columns say of a batch."""

    verdicts: pl.DataFrame  # of the plain farms
    care: pl.Series  # the farms that are not plain


def judge(loaded: PreparedBook) -> Judged:
    """Judge every requirement of every closed interval of a feedstock crop of the plain farms.

    Returns:
        The facts of each interval, one Boolean column per requirement (true met, false not met, null not shown), one
        per practice (its implementation), one per practice with ``_records`` (its records), ``rule_id`` and
        ``later_rule``. A practice that the crop may not claim is false (2100.012). Intervals that ended before the
        rule was in force, or on an unknown day, are left out: ``not_covered`` returns them.
    """
    farm_wide = supplies(loaded)
    parts = [_answered(_facts(loaded, keys, law, farm_wide), law) for law, keys in _versions(loaded.intervals).items()]
    none = pl.DataFrame(schema={"interval_key": pl.UInt32, "farm_id": pl.String})
    facts = pl.concat([*parts, none], how="diagonal").sort("interval_key") if len(parts) != 1 else parts[0]
    odd = care.farms_to_hand_over(loaded, facts, farm_wide)
    return Judged(facts.filter(~pl.col("farm_id").is_in(odd.implode())), odd)


def not_covered(loaded: PreparedBook) -> pl.DataFrame:
    """Return the intervals of feedstock crops that no loaded rule version governs, or whose day is unknown."""
    covered = list(_versions(loaded.intervals).values())
    known = pl.concat(covered) if covered else pl.Series("interval_key", [], pl.UInt32)
    return loaded.intervals.filter(pl.col("feedstock") & ~pl.col("interval_key").is_in(known.implode()))


def _versions(intervals: pl.DataFrame) -> dict[RuleVersion, pl.Series]:
    """Group intervals of feedstock crops by the version of the rule that governs their harvest (interpretation 1)."""
    rows = intervals.filter(pl.col("feedstock") & pl.col("last_day").is_not_null())
    days: dict[RuleVersion, list[object]] = {}
    for day in rows["last_day"].unique().sort():
        if law := governing_version(day):
            days.setdefault(law, []).append(day)
    return {law: rows.filter(pl.col("last_day").is_in(of))["interval_key"] for law, of in days.items()}


def _facts(book: PreparedBook, keys: pl.Series, law: RuleVersion, farm_wide: pl.DataFrame) -> pl.DataFrame:
    """Return one row per interval; counts are 0 where there are no rows, days and answers null where nobody says."""
    loaded = replace(book, intervals=book.intervals.filter(pl.col("interval_key").is_in(keys.implode())))
    planted = _planted(loaded.plantings, law)
    covers = cover_crop.cover_facts(loaded, planted, law)
    implied = tillage.implied_facts(
        loaded.operations, loaded.applications, loaded.covers.filter(pl.col("unit_key") == pl.col("unit_of_crop")),
        loaded.plantings, law.implied_pass_days,
    )  # fmt: skip
    counted = [
        tillage.tillage_facts(loaded.operations), covers, implied,
        nutrients.application_facts(loaded, planted, covers, law),
    ]  # fmt: skip
    frame = _beside(loaded.intervals, counted, counts=True)
    said = [planted, _declared(loaded), nutrients.budget_facts(loaded, law)]
    frame = _beside(frame, said)
    frame = _beside(frame, [cover_crop.residue_facts(loaded.operations, frame)], counts=True)
    frame = frame.join(farm_wide, on="farm_id", how="left", maintain_order="left")
    return at_once(nutrients.derived(tillage.derived(frame.lazy(), law), law))


def _beside(frame: pl.DataFrame, parts: Iterable[pl.DataFrame], *, counts: bool = False) -> pl.DataFrame:
    """Put facts beside their intervals; of rows that are counted there are none where a part has no row."""
    found = [rows_of(part, "interval_key", frame["interval_key"]) for part in parts]
    if counts:
        found = [part.with_columns(pl.col(pl.Int32, pl.Int64, pl.UInt32).fill_null(0)) for part in found]
    return pl.concat([frame, *found], how="horizontal")


def _planted(plantings: pl.DataFrame, law: RuleVersion) -> pl.DataFrame:
    """Return first and last planting of each interval, and the first and last day on which the crop may have emerged.

    Emergence seen on every planting gives its days, unless it was seen sooner than any crop emerges.
    """
    day, up, soonest = pl.col("planted_on"), pl.col("emerged_on"), law.emergence_days_earliest
    seen = (up.null_count() == 0) & ((up - day).dt.total_days().min() >= soonest)
    first = pl.when(seen).then(up.min()).otherwise(day.min() + pl.duration(days=soonest))
    last = pl.when(seen).then(up.max()).otherwise(day.max() + pl.duration(days=law.emergence_days_latest))
    return (
        plantings.filter(pl.col("interval_key").is_not_null())
        .group_by("interval_key")
        .agg(
            v.earliest(day).alias("planted_first"),
            v.latest(day).alias("planted_last"),
            first.alias("emerges_from"),
            last.alias("emerged_by"),
        )
    )


_ANSWERS = ("residue_burned", "cover_grazed", "cover_harvested", "cover_fertilized", "manure_applied", "irrigation_n")
_LISTED = ("all_operations_listed", "all_nutrients_listed")


def _declared(loaded: PreparedBook) -> pl.DataFrame:
    """Return what the declaration of each interval says.

    One made before the interval closed cannot speak for what followed, so its *no* and its *all listed* are null; a
    *yes* to something that must not happen stands whenever it was said (interpretation 2).
    """
    ends = loaded.intervals.select("interval_key", "last_day")
    rows = loaded.declarations.join(ends, on="interval_key").unique("interval_key", keep="any")
    in_time = (pl.col("made_on") >= pl.col("last_day")).fill_null(value=False)
    return rows.select(
        "interval_key",
        *(pl.when(in_time | pl.col(name)).then(pl.col(name)).alias(name) for name in _ANSWERS),
        *(pl.when(in_time).then(pl.col(name)).alias(name) for name in _LISTED),
    )


def _answered(facts: pl.DataFrame, law: RuleVersion) -> pl.DataFrame:
    crop = pl.col("crop").cast(pl.String)
    credit = (
        pl.when(crop.is_in([str(of) for of in Crop if practice in claimable(of)]))
        .then(v.all_of([one.name for one in of_practice(practice, part)]))
        .otherwise(statement=False)
        .alias(str(practice) + ending)
        for practice in Practice
        for part, ending in ((Part.IMPLEMENTATION, ""), (Part.RECORDS, RECORDS))
    )
    governed = (pl.lit(law.id).alias("rule_id"), pl.lit(law.later_rule_in_force).alias("later_rule"))
    answers = (answer(law).alias(name) for name, answer in EXPRESSIONS.items())
    acres = pl.when(pl.col("seedings_without_acres") == 0).then("cover_acres").alias("cover_acres")
    pounds = pl.col("n_lb_per_ac").alias("synthetic_n_lb_per_ac")
    return at_once(facts.lazy().with_columns(answers).with_columns(*credit, *governed, acres, pounds))
