"""What the producer declared for an interval: complete lists, and answers of yes or no (interpretation 2)."""

from typing import Final

import polars as pl

from provender.practices.loaded import Loaded

ANSWERS: Final = (
    "residue_burned",
    "cover_grazed",
    "cover_harvested",
    "cover_fertilized",
    "manure_applied",
    "irrigation_n",
)


def declared_facts(loaded: Loaded) -> pl.DataFrame:
    """Return one row per interval with a declaration.

    A declaration counts from the day the interval closed: one made earlier cannot speak for what followed, so its
    *no* and its *all listed* are null; a *yes* to something that must not happen stands whenever it was said.
    """
    rows = loaded.declarations.join(
        loaded.intervals.select("interval_key", "last_day"), on="interval_key", how="left", maintain_order="left"
    )
    in_time = (pl.col("made_on") >= pl.col("last_day")).fill_null(False)
    return rows.select(
        "interval_key",
        pl.col("made_on").alias("declared_on"),
        in_time.alias("declared_in_time"),
        *(pl.when(in_time | pl.col(name)).then(pl.col(name)).alias(name) for name in ANSWERS),
        *(
            pl.when(in_time).then(pl.col(name)).alias(name)
            for name in ("all_operations_listed", "all_nutrients_listed")
        ),
    )
