"""Outlines of units against their acres and the map: axes exchanged, metres for degrees, acres for thousandths.

Only what no honest field is: whether an outline fits its acres and county closely is asked where a report is signed
(``report.plausible``).
"""

import json
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import polars as pl
import shapely
from pyproj import CRS
from pyproj.exceptions import CRSError

from provender.formats.geometry import ACRE_M2, UNITED_STATES
from provender.portfolio.geometry import geometry_column
from provender.portfolio.manifest import DataFile
from provender.portfolio.on_disk import Portfolio
from provender.portfolio.reading import read_columns, scan
from provender.portfolio.unreadable import FAILURES
from provender.problem import Place, Problem
from provender.records import KINDS

_DEGREE_M: Final = 111_320.0
_TIMES: Final = 20.0
"""An outline of so many times the acres, or of so small a part of them, is of another unit of measurement."""
_NAMED: Final = 5


def outline_problems(portfolio: Portfolio) -> Iterator[Problem]:
    """Tell of outlines that lie nowhere in the United States, and of acres that are of another order than theirs."""
    yield from unread_outlines(portfolio)
    for one in portfolio.files:
        if one.data_set == "unit" and one.sha256:
            try:
                yield from _of_file(portfolio, one)
            except FAILURES:
                continue  # ``validate`` tells of it


def unread_outlines(portfolio: Portfolio) -> Iterator[Problem]:
    """Tell of outlines that are no WKB or in no degrees: their fields are compared with nothing."""
    for one in portfolio.files:
        if one.data_set != "unit" or not one.sha256:
            continue
        try:
            schema = scan(portfolio.root, one.inside).collect_schema()
            name = geometry_column(schema)
            system = other_system(portfolio, one, name)
        except FAILURES:
            continue  # ``validate`` tells of it
        if name and schema[name] not in (pl.Binary, pl.Null):
            cause = f"The outlines are of type {schema[name]}, which is not read; no field of the file is compared."
            remedy = "Write them as WKB in a binary column: in GeoPandas `to_parquet`."
            yield Problem(Place(one.path, column=name), cause, remedy, code="outlines_unread")
        elif system:
            cause = f"The outlines are in {system}, not in longitude and latitude; no field of the file is compared."
            remedy = "Write them in degrees (OGC:CRS84): in GeoPandas `to_crs('OGC:CRS84')`."
            yield Problem(Place(one.path, column=name), cause, remedy, code="other_coordinates")


def _of_file(portfolio: Portfolio, one: DataFile) -> Iterator[Problem]:
    schema = scan(portfolio.root, one.inside).collect_schema()
    column = geometry_column(schema)
    if schema.get(column) != pl.Binary or other_system(portfolio, one, column):
        return
    units = read_columns(portfolio.root, [one.inside], KINDS["unit"], ("farm_id", "unit_id", "acres"))
    drawn: Any = scan(portfolio.root, one.inside).select(column).collect()[column].to_numpy()
    shapes: Any = shapely.from_wkb(drawn, on_invalid="ignore")
    bounds, area = shapely.bounds(shapes), shapely.area(shapes)
    (west, east), (south, north) = UNITED_STATES
    there = ~np.isnan(bounds[:, 0])
    inside = (bounds[:, 0] >= west) & (bounds[:, 2] <= east) & (bounds[:, 1] >= south) & (bounds[:, 3] <= north)
    yield from _told(one, units.filter(pl.Series(there & ~inside)), "lie outside the United States",
                     "Write longitude before latitude, in degrees.", "outline_elsewhere")  # fmt: skip
    ground = area * np.cos(np.radians((bounds[:, 1] + bounds[:, 3]) / 2)) * _DEGREE_M**2 / ACRE_M2
    share = pl.Series(np.where(there & inside, ground, np.nan)) * 1000 / units["acres"]
    wrong = share.is_finite() & ((share > _TIMES) | (share < 1 / _TIMES))
    yield from _told(one, units.filter(wrong.fill_null(value=False)), "cover ground of another order than their acres",
                     "Acres are whole thousandths: 80.25 acres is 80250.", "acres_of_another_unit")  # fmt: skip


def _told(one: DataFile, units: pl.DataFrame, what: str, remedy: str, code: str) -> Iterator[Problem]:
    if units.height:
        named = [f"{farm} unit {unit}" for farm, unit, _ in units.head(_NAMED).iter_rows()]
        more = f" and {units.height - _NAMED:,} more" if units.height > _NAMED else ""
        yield Problem(Place(one.path), f"The outlines of {', '.join(named)}{more} {what}.", remedy, code=code)


def other_system(portfolio: Portfolio, one: DataFile, column: str) -> str:
    """Return the name of the coordinates that a GeoParquet file says it has, where they are no degrees; else ""."""
    told = pl.read_parquet_metadata(portfolio.root / one.path).get("geo")
    try:
        columns = json.loads(told)["columns"] if told else {}
        said = columns.get(column, {}).get("crs")
        system = CRS.from_user_input(said) if said else None
    except (ValueError, KeyError, TypeError, AttributeError, CRSError):
        return "coordinates that the file does not explain"
    return "" if system is None or system.is_geographic else str(system.name)
