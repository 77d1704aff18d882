"""Cover crops beside what the catalogue knows of their species."""

import polars as pl

from provender.catalog.cover_crops import species_frame
from provender.catalog.names import folded
from provender.practices import verdict as v
from provender.records.book import RecordBook


def covers(cover_crop: pl.DataFrame, book: RecordBook, intervals: pl.DataFrame) -> pl.DataFrame:
    """Return one row per cover crop with the interval of the crop that follows and what is known of its species.

    A cover crop that names a crop of another unit follows nothing and falls away: it can earn nothing.

    Adds ``species_rows``, ``species_legume`` (how many are legumes), ``species_unknown`` (not in the catalogue),
    ``rate_unknown`` (species without a rate).
    """
    species = (
        book["cover_species"]
        .with_columns(folded("species").alias("species_key"))
        .join(species_frame().select("species_key", "legume"), on="species_key", how="left")
        .group_by("farm_id", "cover_id")
        .agg(
            pl.len().cast(pl.Int32).alias("species_rows"),
            v.count_true(pl.col("legume")).alias("species_legume"),
            v.count_null(pl.col("legume")).alias("species_unknown"),
            v.count_null(pl.col("rate_lb_per_ac")).alias("rate_unknown"),
        )
    )
    counts = ("species_rows", "species_legume", "species_unknown", "rate_unknown")
    keys = intervals.select(
        "farm_id", "harvest_id", "unit_key", "interval_key", "state", "last_day", pl.col("crop").cast(pl.String)
    )
    return (
        cover_crop.join(keys, on=["farm_id", "harvest_id", "unit_key"], how="inner", maintain_order="left")
        .join(species, on=["farm_id", "cover_id"], how="left", maintain_order="left")
        .with_columns(pl.col(counts).fill_null(0))
    )
