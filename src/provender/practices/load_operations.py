"""Field operations placed in their crop intervals, beside what the operations list knows of them."""

from typing import Final

import polars as pl

from provender.catalog.names import folded
from provender.catalog.operations import operations_frame
from provender.practices.intervals import place
from provender.practices.stir import tools_factor

_HARVEST_GROUP: Final = "harvest"


def operations(
    records: pl.DataFrame, tools: pl.DataFrame, units: pl.DataFrame, intervals: pl.DataFrame
) -> pl.DataFrame:
    """Return field operations with ``interval_key`` and the columns of ``catalog.operations.operations_frame``.

    A recorded depth of zero means *not recorded* (READINGS 10). ``tools_factor`` is null unless the tools of the
    implement are recorded; ``part_field`` marks a pass over less than the unit's acres (READINGS 13).
    """
    rows = records.with_columns(
        folded("operation").alias("operation_key"),
        pl.when(pl.col("depth_in") > 0).then(pl.col("depth_in")).alias("depth_in"),
    )
    kept = pl.all().exclude("name", "source", "tillage_type", "reason")
    listed = rows.join(operations_frame().select(kept), on="operation_key", how="left", suffix="_listed")
    part = (pl.col("treated_acres") < pl.col("unit_acres")).fill_null(False)
    acres = units.select("unit_key", pl.col("acres").alias("unit_acres"))
    sized = listed.join(acres, on="unit_key", how="left").with_columns(part.alias("part_field")).drop("unit_acres")
    placed = place(sized, intervals, at_end=pl.col("op_group") == _HARVEST_GROUP)
    return placed.join(tools_factor(tools), on=["farm_id", "operation_id"], how="left")


def place_by_day(blemishes: pl.DataFrame, intervals: pl.DataFrame) -> pl.DataFrame:
    """Give each blemish with unit and day the interval it lies in; a harvest row's day closes no interval here."""
    return place(blemishes, intervals, at_end=pl.lit(False))
