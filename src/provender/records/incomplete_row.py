"""Rows that could not be read in full: an unreadable row is not a missing row (interpretations 2, 3).

An incomplete row makes everything that needs completeness in its unit and interval *not shown*. Without a unit it
does so for its kind of record on the whole farm.
"""

import datetime as dt
from collections.abc import Mapping
from typing import Final, NamedTuple

import polars as pl

SCHEMA: Final = {
    "kind": pl.String,
    "farm_id": pl.String,
    "unit_id": pl.String,
    "day": pl.Date,
    "harvest_id": pl.String,
}
"""What a portfolio keeps of incomplete rows; a book in memory knows more (``REACH``)."""
REACH: Final = {**SCHEMA, "crop": pl.String, "harvest_year": pl.Int64, "file": pl.String, "row": pl.Int64}

# The kinds whose rows stand on one day of one unit: only there does a readable day narrow an incomplete row to an
# interval.
DAY_COLUMNS: Final = {"operation": "day", "nutrient_application": "day"}


class IncompleteRow(NamedTuple):
    """One row that could not be used in full.

    Attributes:
        kind: the kind of record.
        farm_id: its farm.
        unit_id: its management unit, or None when that is unknown: then the whole farm is meant.
        day: its day, or None: then every interval of the unit is meant.
        harvest_id: the crop entry it names, from which a missing unit is found.
        crop, harvest_year: those it names, or None: then any may be meant.
        file, row: where it stands, or None.
    """

    kind: str
    farm_id: str
    unit_id: str | None = None
    day: dt.date | None = None
    harvest_id: str | None = None
    crop: str | None = None
    harvest_year: int | None = None
    file: str | None = None
    row: int | None = None


def incomplete_row_of(kind: str, row: Mapping[str, object]) -> IncompleteRow:
    """Say how far a damaged row reaches: its interval, its unit, or its kind on the whole farm."""
    unit_id, harvest_id = row.get("unit_id"), row.get("harvest_id")
    day = row.get(DAY_COLUMNS.get(kind, ""))
    return IncompleteRow(
        kind,
        str(row["farm_id"]),
        unit_id if isinstance(unit_id, str) else None,
        day if isinstance(day, dt.date) else None,
        harvest_id if isinstance(harvest_id, str) else None,
        *beside(row),
    )


def beside(row: Mapping[str, object]) -> tuple[str | None, int | None, str | None, int | None]:
    """Return the crop and the harvest year that a row names, and where it stands; None for what it does not say."""
    crop, file = row.get("crop"), row.get("source_file")
    year, number = row.get("harvest_year"), row.get("source_row")
    return (
        str(crop) if crop is not None else None,
        year if isinstance(year, int) else None,
        str(file) if file is not None else None,
        number if isinstance(number, int) else None,
    )


def frame(incomplete_rows: list[IncompleteRow], harvest: pl.DataFrame) -> pl.DataFrame:
    """Return incomplete rows as a frame with the columns of ``REACH``, without repeats.

    A row that names no unit but a crop entry (planting, declaration, budget) gets the unit of that entry in the
    ``harvest`` records.
    """
    found = pl.DataFrame(incomplete_rows, schema=REACH, orient="row").unique(maintain_order=True)
    if found["harvest_id"].null_count() == found.height:
        return found
    units = harvest.select("farm_id", "harvest_id", pl.col("unit_id").alias("_unit"))
    joined = found.join(units, on=["farm_id", "harvest_id"], how="left", maintain_order="left")
    return joined.with_columns(pl.coalesce("unit_id", "_unit").alias("unit_id")).drop("_unit")
