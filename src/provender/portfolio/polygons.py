"""Fields of two farms that lie on each other: boxes in a tree, then outlines, then acres on the ellipsoid.

Neighbours share borders, so most boxes meet. Pairs of one farm, and pairs whose boxes share no more than an acre, fall
away before any outline is cut.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Final

import numpy as np
import polars as pl
import shapely
from pyproj import CRS
from pyproj.exceptions import CRSError

from provender.formats.geometry import ACRE_M2, UNITED_STATES, acres_of
from provender.portfolio.export import GEOMETRY, geometry_column
from provender.portfolio.frames import HARVEST_COLUMNS, with_year_of_many
from provender.portfolio.jobs import read_records
from provender.portfolio.layout import FAILURES, PREFIX, DataFile, Portfolio
from provender.portfolio.reading import read_columns, scan, tidy
from provender.problem import Place, Problem
from provender.records.kind import KINDS
from provender.records.kinds.quantification import FEEDSTOCKS

# Outlines of units against their acres and the map: axes exchanged, metres for degrees, acres for thousandths.
#
# Only what no honest field is: whether an outline fits its acres and county closely is asked where a report is signed
# (``report.plausibility``).

_DEGREE_M: Final = 111_320.0
_TIMES: Final = 20.0
"""An outline of so many times the acres, or of so small a part of them, is of another unit of measurement."""
_NAMED: Final = 5


def outline_problems(portfolio: Portfolio) -> Iterator[Problem]:
    """Tell of outlines that lie nowhere in the United States, and of acres that are of another order than theirs."""
    yield from unread_outlines(portfolio)
    for one in portfolio.parquet("unit"):
        with suppress(*FAILURES):  # ``validate`` tells of it
            yield from _of_file(portfolio, one)


def unread_outlines(portfolio: Portfolio) -> Iterator[Problem]:
    """Tell of outlines that are no WKB or in no degrees: their fields are compared with nothing."""
    for one in portfolio.parquet("unit"):
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


LEAST: Final = 1_000
"""Thousandths of an acre above which two fields are the same ground; lines drawn twice differ by less."""
_ACRE_DEGREES: Final = 4046.8564224 / 111_320**2
"""An acre in square degrees at the equator; away from it a degree of longitude is shorter, and an acre is more."""
_GLOBE: Final = (180.0, 90.0, 180.0, 90.0)
_SLACK: Final = 0.9
"""Of an acre: below it by the coarse measure no pair is measured well."""

SCHEMA: Final = {
    "farm_a": pl.String, "unit_a": pl.String, "farm_b": pl.String, "unit_b": pl.String, "crop_year": pl.Int32,
    "acres": pl.Int64, "bushels": pl.Int64,
}  # fmt: skip


def overlaps(portfolio: Portfolio) -> pl.DataFrame:
    """Return pairs of fields of two farms that share more than an acre and bore feedstock in one year.

    Columns of ``SCHEMA``; acres in whole thousandths, ``bushels`` the fewer of the two fields' harvests.
    """
    pairs = same_ground(_units(portfolio))
    if pairs.is_empty():
        return pl.DataFrame(schema=SCHEMA)
    grown = _grown(portfolio)
    keys = ["farm_a", "unit_a", "farm_b", "unit_b"]
    left = grown.rename({"farm_id": "farm_a", "unit_id": "unit_a", "bushels": "bushels_a"})
    right = grown.rename({"farm_id": "farm_b", "unit_id": "unit_b", "bushels": "bushels_b"})
    both = pairs.join(left, on=keys[:2]).join(right, on=[*keys[2:], "crop_year"])
    return both.with_columns(pl.min_horizontal("bushels_a", "bushels_b").alias("bushels")).select(list(SCHEMA))


def _units(portfolio: Portfolio) -> pl.DataFrame:
    parts = [pl.DataFrame(schema={"farm_id": pl.String, "unit_id": pl.String, GEOMETRY: pl.Binary})]
    for one in portfolio.parquet("unit"):
        lazy = scan(portfolio.root, one.inside)
        schema = lazy.collect_schema()
        names = {name.casefold().removeprefix(PREFIX): name for name in schema}
        # Outlines of another type or in other coordinates are told (``unread_outlines``).
        outline = geometry_column(schema)
        degrees = schema.get(outline) == pl.Binary and not other_system(portfolio, one, outline)
        if {"farm_id", "unit_id"} <= names.keys() and degrees:
            text = [tidy(pl.col(names[name]).cast(pl.String)).alias(name) for name in ("farm_id", "unit_id")]
            parts.append(lazy.select(*text, pl.col(outline).alias(GEOMETRY)).collect())
    # A unit may stand there twice, with two outlines: each is ground that it lies on.
    return pl.concat(parts).drop_nulls().unique(maintain_order=True)


def _grown(portfolio: Portfolio) -> pl.DataFrame:
    """Return the bushels of feedstock of each unit and harvest year; zero where they are not recorded."""
    rows = read_records(portfolio, "harvest", (*HARVEST_COLUMNS, "bushels"))
    planting = partial(read_records, portfolio, "planting", ("farm_id", "harvest_id", "planted_on"))
    fed = with_year_of_many(rows, planting).filter(
        pl.col("crop").cast(pl.String).is_in(FEEDSTOCKS) & (pl.col("ending").cast(pl.String) == "harvested")
    )
    year = pl.col("harvest_year")
    # What grew before the farm had the field stands in its book as history, without bushels: nobody reports it.
    reported = fed.filter((year == year.max().over("farm_id")) | pl.col("bushels").is_not_null())
    return reported.group_by("farm_id", "unit_id", year.alias("crop_year")).agg(pl.col("bushels").sum())


def same_ground(units: pl.DataFrame) -> pl.DataFrame:
    """Return pairs of fields of two farms that share more than an acre: ``farm_a``, ``unit_a``, ..., ``acres``.

    Args:
        units: ``farm_id``, ``unit_id`` and ``geometry`` (WKB, degrees).
    """
    shapes = shapely.from_wkb(units[GEOMETRY].to_numpy(), on_invalid="ignore")
    usable = np.array([shape is not None for shape in shapes], dtype=bool) & ~shapely.is_empty(shapes)
    # What lies on no globe is in other coordinates, whatever the file says.
    usable &= (np.abs(shapely.bounds(shapes)) <= _GLOBE).all(axis=1)
    drawn, shapes = units.filter(pl.Series(usable)), shapes[usable]
    broken = ~shapely.is_valid(shapes)
    shapes[broken] = shapely.make_valid(shapes[broken])
    if drawn.height < 2:  # noqa: PLR2004 - two fields are needed
        return pl.DataFrame(schema={name: of for name, of in SCHEMA.items() if name not in ("crop_year", "bushels")})
    first, second = _near(shapes, drawn["farm_id"].rank("dense").to_numpy())
    shared = shapely.intersection(shapes[first], shapes[second])
    least = _SLACK * _ACRE_DEGREES
    kept = shapely.area(shared) > least
    acres = [acres_of(shape) for shape in shared[kept]]
    a, b = drawn[first[kept]], drawn[second[kept]]
    found = pl.DataFrame({"farm_a": a["farm_id"], "unit_a": a["unit_id"], "farm_b": b["farm_id"],
                          "unit_b": b["unit_id"], "acres": pl.Series(acres, dtype=pl.Int64)})  # fmt: skip
    pair = ["farm_a", "unit_a", "farm_b", "unit_b"]
    return found.filter(pl.col("acres") > LEAST).group_by(pair, maintain_order=True).agg(pl.col("acres").max())


def _near(shapes: Any, farms: Any) -> tuple[Any, Any]:  # noqa: ANN401 - arrays of NumPy, whose types say nothing here
    """Return the numbers of fields of different farms whose boxes share more than about an acre."""
    bounds = shapely.bounds(shapes)
    boxes: Any = shapely.box(*bounds.T)
    tree = shapely.STRtree(boxes)
    firsts, seconds = [], []
    step = 100_000
    for start in range(0, len(shapes), step):
        found, other = tree.query(boxes[start : start + step])
        found = found + start
        pair = (found < other) & (farms[found] != farms[other])
        found, other = found[pair], other[pair]
        wide = np.minimum(bounds[found, 2], bounds[other, 2]) - np.maximum(bounds[found, 0], bounds[other, 0])
        high = np.minimum(bounds[found, 3], bounds[other, 3]) - np.maximum(bounds[found, 1], bounds[other, 1])
        large = wide * high > _SLACK * _ACRE_DEGREES
        firsts.append(found[large])
        seconds.append(other[large])
    return np.concatenate(firsts), np.concatenate(seconds)
