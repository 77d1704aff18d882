"""``portfolio sample``, farm by farm: place and acres of every farm and crop, for the lists of supplying farms."""

from collections.abc import Mapping
from typing import Final

import polars as pl

from provender.portfolio.layout import PROBLEM
from provender.portfolio.tables import problem_frame
from provender.practices.prepared_book import load
from provender.records.book import RecordBook

PLACE: Final = "farm_crop"


def suppliers(book: RecordBook) -> Mapping[str, pl.DataFrame]:
    """Return ``farm_crop``: farm, crop, harvest year, county and acres (thousandths; null where a unit has none).

    The county is that of the farm record, or of the unit with most acres where the record names none.
    """
    loaded = load(book)
    largest = loaded.units.drop_nulls("county_fips").sort("acres", descending=True, nulls_last=True)
    of_units = largest.unique("farm_id", keep="first", maintain_order=True).select(
        "farm_id", pl.col("county_fips").alias("_of_units")
    )
    grown = loaded.intervals.filter("feedstock").with_columns(pl.coalesce("harvested_acres", "acres").alias("_acres"))
    rows = grown.group_by("farm_id", pl.col("crop").cast(pl.String), "harvest_year", maintain_order=True).agg(
        pl.when(pl.col("_acres").null_count() == 0).then(pl.col("_acres").sum()).alias("acres")
    )
    placed = rows.join(
        book["farm"].select("farm_id", "county_fips"), on="farm_id", how="left", maintain_order="left"
    ).join(of_units, on="farm_id", how="left", maintain_order="left")
    county = pl.coalesce("county_fips", "_of_units").alias("county_fips")
    return {
        PLACE: placed.select("farm_id", "crop", "harvest_year", county, "acres"), PROBLEM: problem_frame(book.problems)
    }  # fmt: skip
