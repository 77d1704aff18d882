"""What is one crop of a unit: a harvest entered in parts, and a stand that was given up and planted again.

Harvest rows of one unit, crop and interval are one harvest; the records of a failed stand stay with the crop that was
harvested at last, while the interval restarts where the stand was given up (interpretations 9, 66).
"""

from typing import Final

import polars as pl

from provender.catalog.names import without
from provender.practices import verdict as v
from provender.records.harvest_years import TERMINATED, with_harvest_years
from provender.rule.crops import Crop

FEEDSTOCKS: Final = tuple(str(crop) for crop in Crop)
SILAGE: Final = "silage"
_SUMMED: Final = ("bushels", "harvested_acres")


def harvested_in_parts(ended: pl.DataFrame, planting: pl.DataFrame, over: int) -> pl.DataFrame:
    """Join harvest entries of one crop, unit and year into one, unless one was planted after the other was cut.

    Args:
        ended: crop entries with ``unit_key``, sorted by unit and day.
        planting: ``planting`` records.
        over: days that a harvest over New Year takes at most (``harvest_over_new_year_days``).

    Returns:
        The rows in order, with ``harvest_year``, ``harvest_ids`` and ``planted_on``, the first planting recorded. A
        joined row bears the name of its first entry, runs from the first day to the last, and has the bushels and
        harvested acres of all; null where one of them is not recorded; what was cut as silage beside grain has none.
    """
    marked = with_harvest_years(ended, planting, over, ("unit_key",))
    if not v.is_anywhere(marked["part"]):
        return without(marked, "part").with_columns(pl.concat_list("harvest_id").alias("harvest_ids"))
    stand = pl.when(~pl.col("part")).then(pl.int_range(pl.len())).forward_fill().alias("_stand")
    grain = pl.col("use").cast(pl.String).fill_null("") != SILAGE
    # End rows cut as silage have no bushels of grain.
    beside = (~grain & (v.count_true(grain).over("_stand") > 0)).alias("_beside")
    joined = (
        marked.with_columns(stand)
        .with_columns(beside)
        .with_columns(pl.when("_beside").then(0).otherwise("bushels").cast(pl.Int64).alias("bushels"))
        .drop("part", "_beside")
        .group_by("_stand", maintain_order=True)
        .agg(
            pl.exclude("_stand", "first_day", "last_day", *_SUMMED).first(),
            v.earliest(pl.col("first_day")).alias("first_day"),
            v.latest(pl.col("last_day")).alias("last_day"),
            *(v.sum_of_all(name) for name in _SUMMED),
            pl.col("harvest_id").alias("harvest_ids"),
        )
    )
    return joined.select(*ended.columns, "planted_on", "harvest_year", "harvest_ids")


def with_failed_stands(intervals: pl.DataFrame) -> pl.DataFrame:
    """Add ``leads_to``, ``replanted`` (a failed stand stood before) and the season's start, and give each its entries.

    ``season_from``, ``after_ending`` and ``after_planted`` say when the season began, and how the crop before it ended
    and when it was planted.

    A stand failed where a feedstock crop was given up, a record says so, and the next crop of the unit is a feedstock
    crop harvested in the same year. Several may fail one after the other.
    """
    crop, ending = pl.col("crop").cast(pl.String), pl.col("ending").cast(pl.String)
    own = (pl.col("unit_key") == pl.col("unit_key").shift(-1)).fill_null(False)
    same_year = (pl.col("first_day").dt.year() == pl.col("harvest_year").shift(-1)).fill_null(False)
    next_is_feedstock = crop.is_in(FEEDSTOCKS).shift(-1, fill_value=False)
    failed = (
        (ending == TERMINATED) & pl.col("termination_record").is_not_null()
        & crop.is_in(FEEDSTOCKS) & own & same_year & next_is_feedstock
    )  # fmt: skip
    marked = intervals.with_columns(failed.alias("_failed"))
    if not v.is_anywhere(marked["_failed"]):
        return without(marked, "_failed").with_columns(
            pl.col("interval_key").alias("leads_to"),
            pl.lit(value=False).alias("replanted"),
            *_season(),
        )
    key = pl.when(~pl.col("_failed")).then("interval_key").backward_fill()
    again = pl.col("_failed").shift(1, fill_value=False)
    since = pl.when(~again).then("interval_key").forward_fill()
    led = marked.with_columns(key.alias("leads_to"), again.alias("replanted"), since.alias("_since"))
    starts = led.with_columns(_season()).select(
        pl.col("interval_key").alias("_since"), "season_from", "after_ending", "after_planted"
    )
    entries = led.group_by("leads_to").agg(pl.col("harvest_ids").explode())
    return (
        led.join(starts, on="_since", how="left", maintain_order="left")
        .drop("harvest_ids")
        .join(entries, on="leads_to", how="left", maintain_order="left")
        .drop("_failed", "_since")
    )


def _season() -> tuple[pl.Expr, ...]:
    before = (pl.col("unit_key") == pl.col("unit_key").shift(1)).fill_null(False)
    return (
        pl.col("starts_on").alias("season_from"),
        pl.when(before).then(pl.col("ending").cast(pl.String).shift(1)).alias("after_ending"),
        pl.when(before).then(pl.col("planted_on").shift(1)).alias("after_planted"),
    )


def entries_of(intervals: pl.DataFrame) -> pl.DataFrame:
    """Return each crop entry with the interval its records belong to.

    Returns:
        ``farm_id``, ``harvest_id``, ``unit_key``, ``unit_id``, ``interval_key`` and the interval's ``last_day``, one
        row per entry: those of a failed stand lead to the crop that was harvested.
    """
    several = intervals["harvest_ids"].list.len() > 1
    if not v.is_anywhere(several) and not _is_moved(intervals):
        return intervals.select("farm_id", "harvest_id", "unit_key", "unit_id", "interval_key", "last_day")
    return (
        intervals.filter(pl.col("leads_to") == pl.col("interval_key"))
        .select("farm_id", pl.col("harvest_ids").alias("harvest_id"), "unit_key", "unit_id", "interval_key", "last_day")
        .explode("harvest_id")
    )


def _is_moved(intervals: pl.DataFrame) -> bool:
    return v.is_anywhere(intervals["leads_to"] != intervals["interval_key"])


def to_harvested(interval_key: pl.Expr, intervals: pl.DataFrame) -> pl.Expr:
    """Return the key of the crop harvested at last for the interval of a failed stand, any other key as it is."""
    if not _is_moved(intervals):
        return interval_key
    moved = intervals.filter(pl.col("leads_to") != pl.col("interval_key"))
    return interval_key.replace(moved["interval_key"], moved["leads_to"])
