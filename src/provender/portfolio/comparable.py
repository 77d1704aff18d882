"""``portfolio sister``, farm by farm: what of a field can be compared with the fields of its neighbours."""

from collections.abc import Mapping
from typing import Final

import polars as pl

from provender.portfolio.layout import PROBLEM
from provender.portfolio.tables import problem_frame
from provender.practices import verdict as v
from provender.practices.prepared_book import PreparedBook, load
from provender.records.book import RecordBook

FIELD: Final = "field"
RUN: Final = "run"
INPUTS: Final = ("tillage", "cover_crop", "n_timing", "inhibitor")
_WHERE: Final = ("farm_id", "unit_id", "crop", "harvest_year", "county_fips", "bushels")


def comparable(book: RecordBook) -> Mapping[str, pl.DataFrame]:
    """Return a row for each harvested field and for each calculator run.

    Returns:
        ``field``: farm, unit, crop, year, county, bushels, ``yield_bu_per_ac``, ``ci_g_per_bu`` (of its one run),
        ``n_lb_per_ac`` and ``moisture_pct``, null where a record lacks; ``run``: the inputs and the CI of each run.
    """
    loaded = load(book)
    fields, runs = _fields(loaded), _runs(book, loaded)
    only = runs.group_by("farm_id", "interval_key").agg(
        pl.col("ci_g_per_bu").first(), pl.len().alias("_runs")
    ).filter(pl.col("_runs") == 1).drop("_runs")  # fmt: skip
    kept = fields.join(only, on=["farm_id", "interval_key"], how="left", maintain_order="left")
    return {
        FIELD: kept.select(*_WHERE, "yield_bu_per_ac", "ci_g_per_bu", "n_lb_per_ac", "moisture_pct"),
        RUN: runs.drop("interval_key"),
        PROBLEM: problem_frame(book.problems),
    }


def _fields(loaded: PreparedBook) -> pl.DataFrame:
    nitrogen = loaded.applications.group_by("interval_key").agg(v.sum_of_all("n_lb_per_ac"))
    acres = pl.coalesce("harvested_acres", "acres")
    rate = pl.when(acres > 0).then(pl.col("bushels") * 1000 // acres)
    grain = pl.col("use").cast(pl.String).fill_null("grain") == "grain"
    return (
        loaded.intervals.filter(pl.col("feedstock") & grain)
        .join(loaded.units.select("unit_key", "county_fips"), on="unit_key", how="left", maintain_order="left")
        .join(nitrogen, on="interval_key", how="left", maintain_order="left")
        .with_columns(pl.col("crop").cast(pl.String), rate.alias("yield_bu_per_ac"))
    )


def _runs(book: RecordBook, loaded: PreparedBook) -> pl.DataFrame:
    entries = loaded.intervals.select(
        "farm_id", pl.col("harvest_ids").alias("harvest_id"), "interval_key", "harvest_year", "bushels",
        pl.col("crop").cast(pl.String).alias("_crop"),
    ).explode("harvest_id")  # fmt: skip
    crop = pl.coalesce(pl.col("crop").cast(pl.String), "_crop").alias("crop")
    return (
        book["calculator_run"]
        .join(entries, on=["farm_id", "harvest_id"], how="inner", maintain_order="left")
        .select(
            *(crop if name == "crop" else pl.col(name) for name in _WHERE), "run_id", "calculator", "version",
            *(pl.col(name) if name in ("cover_crop", "inhibitor") else pl.col(name).cast(pl.String) for name in INPUTS),
            "ci_g_per_bu", "interval_key",
        )
    )  # fmt: skip
