"""Field operations placed in their crop intervals beside what the operations list knows of them, and cover crops."""

from functools import cache
from typing import Final

import polars as pl

from provender.catalog.names import at_once, folded, rows_at, spellings, without
from provender.catalog.operations import operations_frame
from provender.catalog.plants import species_frame
from provender.practices import verdict as v
from provender.practices.intervals import place
from provender.practices.stands import entries_of, to_harvested
from provender.practices.stir import published_stir, tools_factor
from provender.records.book import RecordBook

_HARVEST_GROUP: Final = "harvest"
SEEDING: Final = ("seeding", "planting")
INTENSIVE: Final = ("plowing", "disking", "chisel")
# Passes that only drive over the ground have no depth or width of disturbance.
TRAFFIC: Final = ("spraying", "spreading", "harvest", "mowing", "irrigation", "burning", "growth")
_KEPT: Final = (
    "farm_id", "operation_id", "unit_key", "day", "known_by", "equipment", "depth_in", "speed_mph", "width_ft",
    "surface_pct", "full_width", "primary_inversion",
)  # fmt: skip

_RECORDED_TOO: Final = ("speed_mph", "depth_in", "surface_pct", "full_width", "primary_inversion")
_OF_LIST: Final = (
    *_RECORDED_TOO, "type_hundredths", "speed_mph_min", "depth_in_min", "published_stir", "several_tools", "gang_stir",
    "op_group",
)  # fmt: skip
"""What verdicts ask the list; the columns of the first line the farm records too, and bear ``_listed`` at the end."""


def operations(
    records: pl.DataFrame, tools: pl.DataFrame, units: pl.DataFrame, intervals: pl.DataFrame, *, named: bool = False
) -> pl.DataFrame:
    """Return field operations with their intervals and what ``catalog.operations.operations_frame`` knows of them.

    ``interval_key`` is the crop interval the pass lies in, ``crop_key`` that of the crop harvested at last, where it
    lies in that of a stand that failed.
    ``named`` keeps ``operation_id``, which verdicts do not need and a report on one farm does.

    A recorded depth of zero means *not recorded* (interpretation 10). ``tools_factor`` is null unless the tools of the
    implement are recorded; ``part_field`` marks a pass over less than the unit's acres (interpretation 13).
    """
    distinct, which = spellings(records["operation"])
    # The key of a unit is the number of its row.
    part = (pl.col("treated_acres") < pl.lit(units["acres"]).gather("unit_key")).fill_null(False)
    own = pl.when(pl.col("depth_in") != 0).then("depth_in").alias("depth_in")
    kept = records.select(*_KEPT, "evidenced", "treated_acres").with_columns(part.alias("part_field"), own)
    rows = without(kept, "treated_acres").hstack(rows_at(_listed(distinct), which))
    placed = place(rows, intervals, at_end=pl.col("op_group") == _HARVEST_GROUP).with_columns(
        to_harvested(pl.col("interval_key"), intervals).alias("crop_key")
    )
    unneeded = ("farm_id",) if named else ("farm_id", "operation_id")
    found = without(_with_tools(placed, tools), *unneeded)
    # Sorted keys make the grouping of every later step cheap.
    return found if found["interval_key"].is_sorted() else found.sort("interval_key")


def _listed(names: pl.Series) -> pl.DataFrame:
    """Look up each name once, however many passes bear it, and decide once what kind of pass it is."""
    keys = names.to_frame("operation").lazy().select(folded("operation").alias("operation_key"))
    group = pl.col("op_group")
    kinds = {"is_traffic": TRAFFIC, "is_seeding": SEEDING, "is_intensive": INTENSIVE, "is_harvest": (_HARVEST_GROUP,),
             "is_burning": ("burning",)}  # fmt: skip
    found = keys.join(_list().lazy(), on="operation_key", how="left", maintain_order="left").with_columns(
        published_stir().alias("stir_published"),
        pl.col("operation_key").str.contains("manure").fill_null(False).alias("is_manure"),
        *(group.is_in(words).fill_null(False).alias(name) for name, words in kinds.items()),
    )
    return without(at_once(found), "operation_key")


@cache
def _list() -> pl.DataFrame:
    """Return what verdicts ask the list."""
    both = {name: f"{name}_listed" for name in _RECORDED_TOO}
    return operations_frame().select("operation_key", *_OF_LIST).rename(both)


def _with_tools(rows: pl.DataFrame, tools: pl.DataFrame) -> pl.DataFrame:
    """Add what the recorded tools say; where one of them works the whole surface, the farm's *not full width* is void.

    The list decides of its own implements; of those that only press the ground alone does it say *no* there (12).
    """
    if tools.is_empty():
        nothing = pl.lit(None, pl.Int64).alias("tools_factor"), pl.lit(None, pl.Boolean).alias("has_tools")
        return rows.with_columns(nothing)
    denied = pl.col("works_whole_surface").fill_null(False) & ~pl.col("full_width").fill_null(True)
    joined = rows.join(tools_factor(tools), on=["farm_id", "operation_id"], how="left", maintain_order="left")
    return joined.with_columns(pl.when(~denied).then("full_width").alias("full_width")).drop("works_whole_surface")


def place_by_day(incomplete_rows: pl.DataFrame, intervals: pl.DataFrame, *, at_end: bool) -> pl.DataFrame:
    """Give each incomplete row with unit and day its interval, as a pass of harvest (``at_end``) or another."""
    return place(incomplete_rows, intervals, at_end=pl.lit(at_end))


def covers(cover_crop: pl.DataFrame, book: RecordBook, intervals: pl.DataFrame) -> pl.DataFrame:
    """Return one row per cover crop with the interval of the crop that follows and what is known of its species.

    A cover crop that names a crop of another unit follows nothing and falls away: it can earn nothing.

    Adds ``species_rows``, ``species_legume`` (how many are legumes), ``species_unknown`` (not in the catalogue),
    ``rate_unknown`` (species without a rate).
    """
    species = (
        book["cover_species"]
        .lazy()
        .with_columns(folded("species").alias("species_key"))
        .join(species_frame().lazy().select("species_key", "legume"), on="species_key", how="left")
        .group_by("farm_id", "cover_id")
        .agg(
            pl.len().cast(pl.Int32).alias("species_rows"),
            v.count_true(pl.col("legume")).alias("species_legume"),
            v.count_null(pl.col("legume")).alias("species_unknown"),
            # Seeding nothing is no rate.
            v.count_null(pl.col("rate_lb_per_ac").replace(0, None)).alias("rate_unknown"),
        )
    )
    counts = ("species_rows", "species_legume", "species_unknown", "rate_unknown")
    crops = intervals.lazy().select("interval_key", "state", pl.col("crop").cast(pl.String))
    keys = without(entries_of(intervals), "unit_id").lazy().join(crops, on="interval_key", how="left")
    return at_once(
        cover_crop.lazy()
        .join(keys, on=["farm_id", "harvest_id", "unit_key"], how="inner", maintain_order="left")
        .join(species, on=["farm_id", "cover_id"], how="left", maintain_order="left")
        .with_columns(pl.col(counts).fill_null(0))
    )
