"""Yield logs read and added up exactly: weights, bushels and acres by field, load and crop.

Ag Leader Advanced and Yield Editor text, shapefiles with their columns, and points with headings. How bushels are
counted, in whole numbers until the end and rounded once, half even, to thousandths:

- weight of a point, lb = grain flow (lb/s) x logging interval (s), or what its area and yield make;
- wet bushels = weight / pounds in a bushel of the crop (corn 56);
- dry bushels = weight x min(1, (100 - moisture %) / (100 - base moisture %)) / pounds in a bushel: grain drier than the
  base is not written up above its weight;
- logged acres = distance (in) x swath (in) / 144 / 43,560, which is not the field's area: passes overlap and skip.
"""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl
from shapely import contains_xy, from_geojson, prepare

from provender.exact import half_even, show
from provender.formats.archive import content_of
from provender.formats.detect import Kind, advice, sniff
from provender.formats.parsed import Parsed, doubt, refused
from provender.formats.points import points_with_headings
from provender.formats.yield_points import (
    points_of_shapefiles,
    points_of_text,
    with_moisture,
    without_doubles,
    without_marked,
)
from provender.formats.yields import POUNDS, YieldLoad, YieldLog, crop_of, usual_base
from provender.problem import Place, Problem, ProblemsError, listed

MOST_POINTS: Final = 2_000_000
_NAMED: Final = 10


def _brief(problems: list[Problem], name: str) -> list[Problem]:
    """Keep the first unreadable rows in full and count the rest, so that a damaged file stays legible."""
    rows = [each for each in problems if each.code == "unreadable_point"]
    if len(rows) <= _NAMED:
        return problems
    more = listed(each.place.row for each in rows[_NAMED:])
    cause = f"{len(rows)} rows in all could not be read and are not counted, among them row {more}."
    summed = Problem(Place(name), cause, rows[0].remedy, code="unreadable_points")
    return [*(each for each in problems if each not in rows[_NAMED:]), summed]


def read_yield_log(
    path: Path, name: str, *, boundary: str = "", base_moisture_pct: int = 0, pounds_per_bushel: int = 0
) -> Parsed[YieldLog]:
    """Read a yield log and total it by field, load and crop.

    Points outside a boundary, GeoJSON of the field, are counted and flagged. A base moisture (thousandths of a percent)
    or bushel weight of 0 takes the crop's usual one.
    """
    try:
        kind = sniff(path, name)
        if kind.reader not in ("yield_log", "boundaries", "spreadsheet"):
            told = advice(Kind(kind.kind, kind.label, "", kind.inside), name)
            return Parsed(None, (told,) if told else ())
        points, problems = _points_in(path, name, kind)
    except ProblemsError as trouble:
        return Parsed(None, trouble.problems)
    if points.height > MOST_POINTS:
        cause = f"the log has over {MOST_POINTS} points."
        return refused(Place(name), cause, "Export one field at a time.", "too_many_rows")
    problems = _brief(problems, name)
    points, doubled = without_doubles(points, Place(name))
    points, marked = without_marked(points, "status", "header status", Place(name))
    known = [grain for grain in points["grain"].unique() if pounds_per_bushel or crop_of(grain) in POUNDS]
    points, untold = with_moisture(points, known, Place(name))
    problems += [*doubled, *marked, *untold]
    if points.is_empty() and any(each.code in ("no_points", "no_moisture") for each in problems):
        return Parsed(None, tuple(problems))
    if points.is_empty():
        unreadable = [each.cause for each in problems if each.code == "unreadable_point"]
        first = f" The first one: {unreadable[0]}" if unreadable else ""
        cause = f"no row could be read as one of Ag Leader Advanced or Yield Editor text.{first}"
        remedy = "Export harvest as Ag Leader Advanced, or as a shapefile with its columns."
        kept = [each for each in problems if not each.code.startswith("unreadable_point")]
        return Parsed(None, (*kept, Problem(Place(name), cause, remedy, code="no_points")))
    placed = points.with_columns(_outside(points, boundary).alias("outside"))
    log, unknown = total(placed, pounds=pounds_per_bushel, base_moisture_pct=base_moisture_pct)
    for crop, count in unknown.items():
        cause = f"{count} points are of the grain {crop!r}, whose bushel weight and base moisture are not known here."
        remedy = "State pounds in a bushel and base moisture; the points are not counted."
        problems.append(Problem(Place(name), cause, remedy, code="unknown_grain"))
    for load in log.loads if log else ():
        if load.outside_points:
            share = f"{load.outside_points} of {load.points} points of {load.field}"
            cause = f"{share} ({show(load.outside_dry_bushels)} dry bushels) lie outside the field's boundary."
            remedy = "Check the boundary, or whether another field was logged under this name."
            problems.append(doubt(Place(name), cause, remedy, "points_outside"))
    return Parsed(log, tuple(problems))


def _points_in(path: Path, name: str, kind: Kind) -> tuple[pl.DataFrame, list[Problem]]:
    """Return the points of a log, and what is wrong with those that are none."""
    if kind.kind.startswith("points_"):
        return points_with_headings(path, name, kind)
    if kind.kind in ("yield_shapefile", "shapefile"):
        return points_of_shapefiles(path, name)
    return points_of_text(*content_of(path, name, kind.inside))


def _outside(points: pl.DataFrame, boundary: str) -> pl.Series:
    """Tell for each point whether it lies outside a GeoJSON area; all inside where none is given."""
    if not boundary:
        return pl.repeat(value=False, n=points.height, eager=True)
    area = from_geojson(boundary)
    prepare(area)
    return pl.Series(~contains_xy(area, points["longitude"].to_numpy(), points["latitude"].to_numpy()))


Key = tuple[str, str, str]
"""Field, load and crop."""
_FULL: Final = 100_000_000
"""Millionths of a percent."""


def total(
    points: pl.DataFrame, *, pounds: int = 0, base_moisture_pct: int = 0
) -> tuple[YieldLog | None, Mapping[str, int]]:
    """Add up points, each of which may lie ``outside`` the boundary; 0 takes the crop's own weight and base.

    Returns the log, None where nothing could be counted, and the number of points by logged grain for which
    neither the caller nor the table here knows pounds and base moisture; those are not counted.
    """
    crops = {logged: crop_of(logged) for logged in points["grain"].unique(maintain_order=True)}
    weights = {crop: pounds or POUNDS.get(crop, 0) for crop in crops.values()}
    bases = {crop: base_moisture_pct or usual_base(crop) for crop in crops.values()}
    known = [crop for crop in weights if weights[crop] and bases[crop]]
    named = points.with_columns(pl.col("grain").replace_strict(crops, return_dtype=pl.String).alias("crop"))
    unweighed = named.filter(~pl.col("crop").is_in(known))
    unknown = dict(unweighed.group_by("crop", maintain_order=True).len().iter_rows())
    counted = named.filter(pl.col("crop").is_in(known))
    if counted.is_empty():
        return None, unknown
    kept = {crop: _FULL - bases[crop] * 1000 for crop in known}
    # Whole numbers of 128 bits: sums of any log fit them.
    weight, moisture = pl.col("weight").cast(pl.Int128), pl.col("moisture").cast(pl.Int128)
    base = pl.col("crop").replace_strict(kept, return_dtype=pl.Int128)
    weighed = counted.with_columns(
        weight=weight, water=weight * moisture, dry=weight * pl.min_horizontal(_FULL - moisture, base)
    )
    traces = _traces(weighed)

    def bushels(row: Mapping[str, Any], column: str) -> Fraction:
        """Return thousandths of bushels of what was summed: 10^-9 lb, or that times what the base leaves of it."""
        part = 1 if column == "weight" else kept[row["crop"]]
        return Fraction(row[column] * 1000, weights[row["crop"]] * 10**9 * part)

    def made(row: Mapping[str, Any]) -> YieldLoad:
        key: Key = row["field"], row.get("load", ""), row["crop"]
        return YieldLoad(
            *key,
            points=row["len"],
            pounds=half_even(row["weight"], 10**6),
            wet_bushels=round(bushels(row, "weight")),
            dry_bushels=round(bushels(row, "dry")),
            base_moisture_pct=bases[row["crop"]],
            moisture_pct=half_even(row["water"], row["weight"] * 1000) if row["weight"] else 0,
            logged_acres=_acres(row["square_inches"]),
            first_day=row["first"],
            last_day=row["last"],
            outside_points=row["outside"],
            outside_dry_bushels=round(bushels(row, "outside_dry")),
            trace=() if "load" in row else traces[key],
        )

    loads = _sums(weighed, "field", "load", "crop")
    log = YieldLog(
        loads=tuple(map(made, loads)),
        fields=tuple(map(made, _sums(weighed, "field", "crop"))),
        wet_bushels=round(sum(bushels(row, "weight") for row in loads)),
        dry_bushels=round(sum(bushels(row, "dry") for row in loads)),
        logged_acres=_acres(sum(row["square_inches"] for row in loads)),
    )
    return log, unknown


def _acres(square_inches: int) -> int:
    return half_even(square_inches * 1000, 10**6 * 144 * 43_560)


def _sums(points: pl.DataFrame, *keys: str) -> list[dict[str, Any]]:
    """Return the exact sums of each group, in the order in which they begin."""
    found = points.group_by(keys, maintain_order=True).agg(
        pl.len(), pl.col("weight", "water", "dry").sum(), pl.col("square_inches").cast(pl.Int128).sum(),
        pl.col("day").min().alias("first"), pl.col("day").max().alias("last"),
        pl.col("outside").sum(), pl.col("dry").filter("outside").sum().alias("outside_dry"),
    )  # fmt: skip
    return found.rows(named=True)


def _traces(points: pl.DataFrame) -> dict[Key, tuple[str, ...]]:
    """Return when and where each field and crop was logged; see ``YieldLoad.trace``."""
    thousandths = {name: np.rint(points[name].to_numpy() * 1000).astype(np.int64) for name in ("longitude", "latitude")}
    places = points.select("field", "crop", pl.col("time") // 60).with_columns(
        pl.Series(name, values) for name, values in thousandths.items()
    )
    found: dict[Key, tuple[str, ...]] = {}
    for (name, crop), mine in places.unique().sort("time", "longitude", "latitude").group_by("field", "crop"):
        said = mine.select(pl.format("{}/{}/{}", "time", "longitude", "latitude")).to_series()
        found[str(name), "", str(crop)] = tuple(said)
    return found
