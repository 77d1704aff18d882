"""Yield logs read and added up exactly: weights, bushels and acres by field and crop.

Ag Leader Advanced and Yield Editor text, shapefiles with their columns, and points with headings. How bushels are
counted, in whole numbers until the end and rounded once, half even, to thousandths:

- weight of a point, lb = grain flow (lb/s) x logging interval (s), or what its area and yield make;
- wet bushels = weight / pounds in a bushel of the crop (corn 56);
- dry bushels = weight x min(1, (100 - moisture %) / (100 - base moisture %)) / pounds in a bushel: grain drier than the
  base is not written up above its weight;
- logged acres = distance (in) x swath (in) / 144 / 43,560, which is not the field's area: passes overlap and skip.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl
from shapely import contains_xy, from_geojson, prepare

from provender.exact import half_even, show
from provender.formats.detect import Kind, advice, content_of, sniff
from provender.formats.parsed import Parsed, doubt, refused
from provender.formats.points import points_with_headings
from provender.formats.yield_points import (
    points_of_shapefiles,
    points_of_text,
    with_moisture,
    without_doubles,
    without_marked,
)
from provender.formats.yields import POUNDS, FieldYield, YieldLog, crop_of, usual_base
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


def read_yield_log(path: Path, name: str, *, boundary: str = "") -> Parsed[YieldLog]:
    """Read a yield log and total it; points outside a boundary, GeoJSON of the field, are counted and flagged."""
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
    known = [grain for grain in points["grain"].unique() if crop_of(grain) in POUNDS]
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
    log, unknown = total(placed)
    for crop, count in unknown.items():
        cause = f"{count} points are of the grain {crop!r}, whose bushel weight and base moisture are not known here."
        remedy = "The points are not counted: type the bushels from scale tickets."
        problems.append(Problem(Place(name), cause, remedy, code="unknown_grain"))
    for field in log.fields if log else ():
        if field.outside_points:
            share = f"{field.outside_points} of {field.points} points of {field.field}"
            cause = f"{share} ({show(field.outside_dry_bushels)} dry bushels) lie outside the field's boundary."
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


_FULL: Final = 100_000_000
"""Millionths of a percent."""


def total(points: pl.DataFrame) -> tuple[YieldLog | None, Mapping[str, int]]:
    """Add up points, each of which may lie ``outside`` the boundary.

    Returns the log, None where nothing could be counted, and the number of points by logged grain of which nobody here
    knows pounds in a bushel and base moisture; those are not counted.
    """
    crops = {logged: crop_of(logged) for logged in points["grain"].unique(maintain_order=True)}
    bases = {crop: usual_base(crop) for crop in crops.values() if crop in POUNDS and usual_base(crop)}
    named = points.with_columns(pl.col("grain").replace_strict(crops, return_dtype=pl.String).alias("crop"))
    unweighed = named.filter(~pl.col("crop").is_in(list(bases)))
    unknown = dict(unweighed.group_by("crop", maintain_order=True).len().iter_rows())
    counted = named.filter(pl.col("crop").is_in(list(bases)))
    if counted.is_empty():
        return None, unknown
    # Whole numbers of 128 bits: sums of any log fit them.
    weight, moisture = pl.col("weight").cast(pl.Int128), pl.col("moisture").cast(pl.Int128)
    kept = {crop: _FULL - base * 1000 for crop, base in bases.items()}
    base = pl.col("crop").replace_strict(kept, return_dtype=pl.Int128)
    dry = weight * pl.min_horizontal(_FULL - moisture, base)
    sums = counted.group_by("field", "crop", maintain_order=True).agg(
        pl.len(), weight.sum(), (weight * moisture).sum().alias("water"), dry.sum().alias("dry"),
        pl.col("square_inches").cast(pl.Int128).sum(), pl.col("day").min().alias("first"),
        pl.col("day").max().alias("last"), pl.col("outside").sum(),
        dry.filter(pl.col("outside")).sum().alias("outside_dry"),
    )  # fmt: skip
    traces = _traces(counted)
    fields = []
    for row in sums.iter_rows(named=True):
        crop = row["crop"]
        bushel = POUNDS[crop] * 10**6  # of 10^-9 lb, for thousandths of a bushel
        fields.append(
            FieldYield(
                field=row["field"],
                crop=crop,
                points=row["len"],
                wet_bushels=half_even(row["weight"], bushel),
                dry_bushels=half_even(row["dry"], bushel * kept[crop]),
                base_moisture_pct=bases[crop],
                moisture_pct=half_even(row["water"], row["weight"] * 1000) if row["weight"] else 0,
                logged_acres=half_even(row["square_inches"] * 1000, 10**6 * 144 * 43_560),
                first_day=row["first"],
                last_day=row["last"],
                outside_points=row["outside"],
                outside_dry_bushels=half_even(row["outside_dry"], bushel * kept[crop]),
                trace=traces[row["field"], crop],
            )
        )
    return YieldLog(tuple(fields)), unknown


def _traces(points: pl.DataFrame) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return when and where each field and crop was logged; see ``FieldYield.trace``."""
    thousandths = {name: np.rint(points[name].to_numpy() * 1000).astype(np.int64) for name in ("longitude", "latitude")}
    places = points.select("field", "crop", pl.col("time") // 60).with_columns(
        pl.Series(name, values) for name, values in thousandths.items()
    )
    found = {}
    for (name, crop), mine in places.unique().sort("time", "longitude", "latitude").group_by("field", "crop"):
        said = mine.select(pl.format("{}/{}/{}", "time", "longitude", "latitude")).to_series()
        found[str(name), str(crop)] = tuple(said)
    return found
