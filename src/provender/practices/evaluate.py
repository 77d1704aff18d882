"""Verdicts for a whole book: one wide row per crop interval, one three-valued column per requirement and practice."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from typing import Final

import polars as pl

from provender.catalog.names import at_once
from provender.practices import cover_crops, nutrients, record_keeping, tillage
from provender.practices import verdict as v
from provender.practices.facts import facts
from provender.practices.operation_wide import sufficiency
from provender.practices.prepared_book import PreparedBook
from provender.practices.requirement import REQUIREMENTS, Part, of_practice
from provender.rule.crops import Crop, Practice, claimable
from provender.rule.law import NotInForceError, RuleVersion, rule_version

# Importing these registers the requirements.
ROOMS: Final = (tillage, cover_crops, nutrients, record_keeping)
RECORDS: Final = "_records"
DAMAGED: Final = "damaged_"

# Units judged at once.
BLOCK: Final = 100_000


def evaluate(loaded: PreparedBook) -> pl.DataFrame:
    """Judge every requirement of every closed interval of a feedstock crop.

    Returns:
        The facts of each interval, one Boolean column per requirement (true met, false not met, null not shown), one
        per practice (its implementation), one per practice with ``_records`` (its records), ``rule_id`` and
        ``later_rule``. A practice that the crop may not claim is false (2100.012). Intervals that ended before the
        rule was in force, or on an unknown day, are left out: ``not_covered`` returns them.
    """
    farm_wide = sufficiency(loaded)
    parts = []
    for block in _blocks(loaded):
        groups = versions(block.intervals)
        parts += [
            _judge(_restrict(block, keys, whole=len(groups) == 1), law, farm_wide) for law, keys in groups.items()
        ]
    if not parts:
        return pl.DataFrame(schema={"interval_key": pl.UInt32, "farm_id": pl.String})
    judged = pl.concat(parts, how="diagonal") if len(parts) > 1 else parts[0]
    # Under one version of the rule the rows are in order already, and sorting two hundred columns is dear.
    return judged if judged["interval_key"].is_sorted() else judged.sort("interval_key")


def _blocks(loaded: PreparedBook) -> Iterator[PreparedBook]:
    """Cut a large book into blocks of whole units, so that what is half done never fills the memory."""
    if loaded.units.height <= BLOCK:
        yield loaded
        return
    keyed = ("intervals", "operations", "applications", "budgets", "plantings", "covers", "implied", "tests",
             "declarations")  # fmt: skip
    for first in range(0, loaded.units.height, BLOCK):
        mine = pl.col("unit_key").is_between(first, first + BLOCK, closed="left")
        yield replace(loaded, **{name: getattr(loaded, name).filter(mine) for name in keyed})


def not_covered(loaded: PreparedBook) -> pl.DataFrame:
    """Return the intervals of feedstock crops that no loaded rule version governs, or whose day is unknown."""
    covered = list(versions(loaded.intervals).values())
    known = pl.concat(covered) if covered else pl.Series("interval_key", [], pl.UInt32)
    return loaded.intervals.filter(pl.col("feedstock") & ~pl.col("interval_key").is_in(known.implode()))


def versions(intervals: pl.DataFrame) -> dict[RuleVersion, pl.Series]:
    """Group intervals of feedstock crops by the version of the rule that governs their harvest (interpretation 1)."""
    rows = intervals.filter(pl.col("feedstock") & pl.col("last_day").is_not_null())
    days: dict[RuleVersion, list[object]] = {}
    for day in rows["last_day"].unique().sort():
        try:
            days.setdefault(rule_version(day), []).append(day)
        except NotInForceError:
            continue
    return {law: rows.filter(pl.col("last_day").is_in(of))["interval_key"] for law, of in days.items()}


def _restrict(loaded: PreparedBook, keys: pl.Series, *, whole: bool) -> PreparedBook:
    """Keep only the intervals of one rule version; a book under a single one needs no filter but that of its crops."""
    intervals = loaded.intervals.filter(pl.col("interval_key").is_in(keys.implode()))
    if whole:
        return replace(loaded, intervals=intervals)
    mine = pl.col("interval_key").is_in(keys.implode())
    passes = pl.col("crop_key").is_in(keys.implode())
    operations = loaded.operations.filter(mine | passes | pl.col("day").is_null())
    return replace(loaded, intervals=intervals, operations=operations)


def _judge(loaded: PreparedBook, law: RuleVersion, farm_wide: pl.DataFrame) -> pl.DataFrame:
    frame = _with_damage(facts(loaded, law, farm_wide), loaded)
    marked = frozenset(name for name in frame.columns if name.startswith(DAMAGED))
    answered = frame.lazy().with_columns(_answers(law))
    withheld = answered.with_columns(_withheld(marked)) if marked else answered
    governed = (pl.lit(law.id).alias("rule_id"), pl.lit(law.later_rule_in_force).alias("later_rule"))
    return at_once(withheld.with_columns(*_credit(), *governed))


@lru_cache(maxsize=32)
def _answers(law: RuleVersion) -> tuple[pl.Expr, ...]:
    """Return each requirement's answer; there are fifty of many parts, built once for a version."""
    return tuple(one.decide(law).alias(name) for name, one in REQUIREMENTS.items())


def _withheld(marked: frozenset[str]) -> list[pl.Expr]:
    """Return the answers that rest on records some of which could not be read; written out twice they would be dear."""
    return [
        v.withhold_met(
            v.any_mark([pl.col(DAMAGED + kind) for kind in one.rests_on if DAMAGED + kind in marked]), pl.col(name)
        ).alias(name)
        for name, one in REQUIREMENTS.items()
        if any(DAMAGED + kind in marked for kind in one.rests_on)
    ]


@cache
def _credit() -> tuple[pl.Expr, ...]:
    """Return each practice's two answers, of what was done and of its records, from those of its requirements."""
    crop = pl.col("crop").cast(pl.String)
    return tuple(
        v.if_claimable(
            crop.is_in([str(c) for c in Crop if practice in claimable(c)]),
            v.all_of([one.name for one in of_practice(practice, part)]),
        ).alias(str(practice) + ending)
        for practice in Practice
        for part, ending in ((Part.IMPLEMENTATION, ""), (Part.RECORDS, RECORDS))
    )


def _with_damage(frame: pl.DataFrame, loaded: PreparedBook) -> pl.DataFrame:
    """Mark, kind by kind, the intervals whose records could not all be read (interpretation 2)."""
    marks = []
    for (kind,), rows in loaded.damaged.group_by("kind", maintain_order=True):
        farms = rows.filter(pl.col("unit_key").is_null())["farm_id"].unique()
        placed = rows.filter(pl.col("unit_key").is_not_null())
        units = placed.filter(pl.col("day").is_null())["unit_key"].unique()
        intervals = placed["interval_key"].drop_nulls().unique()
        hit = (
            pl.col("farm_id").is_in(farms.implode())
            | pl.col("unit_key").is_in(units.implode())
            | pl.col("interval_key").is_in(intervals.implode())
        )
        marks.append(hit.alias(DAMAGED + str(kind)))
    return frame.with_columns(marks)
