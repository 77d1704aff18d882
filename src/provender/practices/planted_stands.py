"""When each crop was planted, and whether a stand that was given up had been planted at all (interpretations 9, 66)."""

import polars as pl

from provender.practices import verdict as v
from provender.records.harvest_years import TERMINATED


def planted_days(plantings: pl.DataFrame) -> pl.DataFrame:
    """Return first and last planting and seen emergence of each interval; an undated planting leaves it unknown."""
    return (
        plantings.group_by("interval_key")
        .agg(
            v.earliest(pl.col("planted_on")).alias("planted_first"),
            v.latest(pl.col("planted_on")).alias("planted_last"),
            v.earliest(pl.col("emerged_on")).alias("emerged_first"),
            v.latest(pl.col("emerged_on")).alias("emerged_last"),
            v.count_null(pl.col("planted_on")).alias("plantings_undated"),
            v.count_null(pl.col("emerged_on")).alias("emergence_unseen"),
            v.earliest((pl.col("emerged_on") - pl.col("planted_on")).dt.total_days()).alias("emergence_soonest"),
        )
        .with_columns(
            pl.when(pl.col("plantings_undated") == 0).then(pl.col(name)).alias(name)
            for name in ("planted_first", "planted_last")
        )
    )


def with_unplanted_stands(
    intervals: pl.DataFrame, operations: pl.DataFrame, covers: pl.DataFrame, plantings: pl.DataFrame, *, near: int
) -> pl.DataFrame:
    """Add ``stand_unplanted``: the interval begins with the end of a stand that nobody planted.

    Where the crop before a stand is on record too, so is the time in which it was planted: a row of ``planting``, or
    a seeding pass that was neither the cover's nor another planting's, lies in it. Otherwise a line *given up* would
    wipe out what was done before.

    Args:
        intervals: the result of ``intervals.crop_intervals``.
        operations: passes, as ``PreparedBook`` has them.
        covers: cover crops, likewise.
        plantings: plantings, likewise.
        near: days within which a seeding pass may be that of another record (``implied_pass_days``).
    """
    before = (pl.col("unit_key") == pl.col("unit_key").shift(1)).fill_null(value=False)
    gave_up = before & (pl.col("ending").cast(pl.String) == TERMINATED).shift(1, fill_value=False)
    of_stand = (pl.col(name).shift(1).alias(to) for name, to in (("starts_on", "from"), ("leads_to", "crop")))
    stands = intervals.select(
        "interval_key", "unit_key", *of_stand, pl.col("starts_on").alias("to"), gave_up.alias("is")
    )
    stands = stands.filter(pl.col("is"), pl.col("from").is_not_null(), pl.col("to").is_not_null())
    if stands.is_empty():
        return intervals.with_columns(pl.lit(value=False).alias("stand_unplanted"))
    planted = plantings.select("unit_key", "interval_key", pl.col("planted_on").alias("day")).drop_nulls()
    other = (planted.drop("interval_key"), covers.select("unit_key", pl.col("seeded_on").alias("day")).drop_nulls())
    grew = (
        stands.join(planted, left_on=["unit_key", "crop"], right_on=["unit_key", "interval_key"]),
        stands.join(_seedings(operations, pl.concat(other), near), on="unit_key"),
    )
    shown = pl.concat(rows.filter(pl.col("day").is_between("from", "to")).select("interval_key") for rows in grew)[
        "interval_key"
    ]
    bare = stands.filter(~pl.col("interval_key").is_in(shown.implode()))["interval_key"]
    return intervals.with_columns(pl.col("interval_key").is_in(bare.implode()).alias("stand_unplanted"))


def _seedings(operations: pl.DataFrame, other: pl.DataFrame, near: int) -> pl.DataFrame:
    """Return the days of passes that sow, or that the list does not know, without those near something ``other``."""
    sows = pl.col("is_seeding") | pl.col("op_group").is_null()
    days = operations.filter(sows).select("unit_key", "day").drop_nulls()
    beside = days.join(other, on="unit_key", suffix="_other")
    of_other = beside.filter((pl.col("day") - pl.col("day_other")).dt.total_days().abs() <= near)
    return days.join(of_other, on=["unit_key", "day"], how="anti")
