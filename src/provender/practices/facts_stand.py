"""What the records say of a stand that was given up: that it was ever planted, and what its passes did (66)."""

from typing import Final

import polars as pl

from provender.practices import verdict as v
from provender.practices.facts_tillage import judged_passes
from provender.practices.prepared_book import PreparedBook
from provender.practices.requirement import Gap

STAND_UNPLANTED: Final = Gap(
    "planting.planted_on (of the stand that was given up before: a day after the crop before it and before its end)",
    pl.col("stand_unplanted"),
)


def stand_passes(loaded: PreparedBook) -> pl.DataFrame:
    """Count, per crop planted into a failed stand, the passes before it that would break a practice in its interval.

    The interval restarts where the stand was given up: full-width passes, inversion and fire before it break nothing,
    and whoever verifies is told of them.
    """
    again = loaded.intervals.filter("replanted")["interval_key"]
    if again.is_empty():
        return pl.DataFrame(schema={"interval_key": pl.UInt32, "stand_tilled": pl.Int32})
    of_stand = (pl.col("crop_key") != pl.col("interval_key")) & pl.col("crop_key").is_in(again.implode())
    marked = v.any_mark(pl.col(name) for name in ("is_full_width", "is_inversion", "is_burning"))
    return (
        judged_passes(loaded)
        .filter(of_stand)
        .group_by(pl.col("crop_key").alias("interval_key"))
        .agg(v.count_true(marked).alias("stand_tilled"))
    )
