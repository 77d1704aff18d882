"""What was applied and harvested, out of logged points, added up exactly; what was applied: area times rate.

Ag Leader Advanced and Yield Editor text, shapefiles with their columns, and points with headings. How bushels are
counted, in whole numbers until the end and rounded once, half even, to thousandths:

- weight of a point, lb = grain flow (lb/s) x logging interval (s), or what its area and yield make;
- wet bushels = weight / pounds in a bushel of the crop (corn 56);
- dry bushels = weight x min(1, (100 - moisture %) / (100 - base moisture %)) / pounds in a bushel: grain drier than the
  base is not written up above its weight;
- logged acres = distance (in) x swath (in) / 144 / 43,560, which is not the field's area: passes overlap and skip.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl
from shapely import contains_xy, from_geojson, prepare

from provender.exact import half_even, show
from provender.formats import points, yield_points
from provender.formats.detect import Kind, advice, content_of, sniff
from provender.formats.isoxml.passes import Applied, MachineData, MachinePass
from provender.formats.isoxml.tasks import Practice
from provender.formats.parsed import Problems, reader
from provender.formats.point_columns import LABELS, Layer
from provender.formats.work import POUNDS, FieldYield, YieldLog, crop_of, rate, usual_base
from provender.problem import listed

_MOST_POINTS: Final = 2_000_000


def _is_inside(outline: str, frame: pl.DataFrame, x: str, y: str) -> pl.Series:
    """Tell for each point whether it lies in a GeoJSON area; one without a place does not."""
    area = from_geojson(outline)
    prepare(area)
    return pl.Series(contains_xy(area, *(frame[each].fill_null(float("nan")).to_numpy() for each in (x, y))))


# What was applied: total by area times rate, one pass for each field, product and day.

_MOST_RATE: Final = 100_000
_RATE: Final = "rate_of_point"
_UNIT: Final = "unit_of_point"
_BY: Final = (_UNIT, "product", points.DAY)
_FEW_PCT: Final = 5


@reader
def read_applied(path: Path, problems: Problems, *, outlines: Mapping[str, str] | None = None) -> MachineData | None:
    """Read as-applied points; by the GeoJSON outlines of units those without a field's name are told apart."""
    passes: list[MachinePass] = []
    for layer in points.read_layers(path, problems, sniff(path, problems.place.file)):
        if layer.layer is Layer.APPLIED:
            passes += _passes_of(layer, outlines or {})
        else:
            cause = f"the file holds {LABELS.get(layer.layer, 'points of an unknown kind')}; nothing was taken from it."
            layer.problems.doubt(cause, "Export what was applied.", "other_points")
    if not passes and not problems.found:
        raise problems.refusal("no point says what was applied.", "Export the layer again.", "no_points")
    return MachineData(tuple(passes)) if passes else None


def _passes_of(layer: points.Logged, outlines: Mapping[str, str]) -> Iterator[MachinePass]:
    """Yield the passes that a layer shows; what is asked of it is told."""
    problems = layer.problems
    if layer.frame.height > _MOST_POINTS:
        problems.error(f"the layer has over {_MOST_POINTS} points.", "Export one field at a time.", "too_many_rows")
        return
    layer.frame = yield_points.without_doubles(layer.frame, problems)
    points.add_days(layer)
    areas = points.areas_of(layer)
    points.tell_assumed(layer, ("rate",))
    if areas is None:
        return
    points.leave_out_marked(layer)
    if layer.frame.is_empty():
        return
    heading, unit = layer.columns["rate"].heading, layer.columns["rate"].unit
    if unit and rate(Fraction(1), unit) is None:
        cause = f"{heading} is no rate: {unit} is no pounds or gallons an acre. Nothing was read."
        problems.error(cause, "Export it with its rate an acre, such as gal/ac.", "no_rate_unit")
        return
    frame = layer.frame.with_columns(
        points.millionths("rate", 0, _MOST_RATE).alias(_RATE), areas.expression.alias(points.AREA)
    )
    whole = pl.all_horizontal(pl.col(_RATE, points.AREA, points.DAY).is_not_null())
    points.tell_unreadable(layer, frame.filter(~whole), "day, rate or area")
    # A point at rate zero was driven over, not treated: it adds neither product nor area.
    treated = frame.filter(whole & (pl.col(_RATE) > 0) & (pl.col(points.AREA) > 0))
    if treated.is_empty():
        cause = "no point has a day, a rate above zero and an area, so nothing was applied by this file."
        problems.error(cause, "Export the layer again.", "no_points")
        return
    treated = _by_unit(layer, treated, outlines)
    if not unit:
        cause = f"the file names no unit of {heading}, so what was applied has a rate without one."
        remedy = "Say it: --kind nutrient_application --set rate_unit=gal/ac; or export it with units in the headings."
        problems.error(cause, remedy, "no_rate_unit")
    if "product" not in layer.columns:
        remedy = "Say it: --kind nutrient_application --set product='UAN 32'."
        problems.error("the file names no product.", remedy, "no_product")
    yield from _made(layer, treated, areas)


def _by_unit(layer: points.Logged, frame: pl.DataFrame, outlines: Mapping[str, str]) -> pl.DataFrame:
    """Tell points of several units apart: by the field's name, else by the outline in which they lie."""
    if "field" in layer.columns or not outlines:
        return frame.with_columns(
            (pl.col("field").fill_null("") if "field" in layer.columns else pl.lit("")).alias(_UNIT)
        )
    unit, several = _laid(frame, outlines)
    frame = _with_outside(layer, frame.with_columns(unit))
    if doubled := int(several.sum()):
        cause = f"{doubled} of {frame.height} points lie inside the boundaries of several fields; they "
        if doubled * 100 > _FEW_PCT * frame.height:
            frame = frame.with_columns(pl.when(several).then(pl.lit("")).otherwise(_UNIT).alias(_UNIT))
            cause += "stand as a field of their own."
            remedy = "Correct the boundaries, or say which unit they are: --unit UNIT."
        else:
            cause += "were counted for the first of them."
            remedy = "Confirm it, or correct the boundaries."
        layer.problems.doubt(cause, remedy, "points_in_several")
    return frame


def _laid(frame: pl.DataFrame, outlines: Mapping[str, str]) -> tuple[pl.Series, pl.Series]:
    """Return the first unit in whose outline each point lies, empty for none; and which points lie in several."""
    unit = pl.Series(_UNIT, [""] * frame.height, pl.String)
    several = pl.Series([False] * frame.height, dtype=pl.Boolean)
    for name, outline in outlines.items():
        inside = _is_inside(outline, frame, points.X, points.Y)
        several |= inside & (unit != "")
        unit = unit.zip_with(~inside | (unit != ""), pl.Series([name] * frame.height, dtype=pl.String))
    return unit, several


def _with_outside(layer: points.Logged, frame: pl.DataFrame) -> pl.DataFrame:
    """Ask about points outside every outline; a few are counted for the unit with the most points."""
    outside = frame.filter(pl.col(_UNIT) == "").height
    if not outside:
        return frame
    inside = frame.filter(pl.col(_UNIT) != "").group_by(_UNIT).len().sort("len", _UNIT, descending=[True, False])
    cause = f"{outside} of {frame.height} points lie outside every field's boundary; they "
    if inside.is_empty() or outside * 100 > _FEW_PCT * frame.height:
        remedy = "Check the boundaries, or say which unit they are: --unit UNIT."
        layer.problems.doubt(f"{cause}stand as a field of their own.", remedy, "points_outside")
        return frame
    most = str(inside[_UNIT][0])
    layer.problems.doubt(f"{cause}were counted for {most}.", "Confirm it, or correct the boundary.", "points_outside")
    return frame.with_columns(pl.when(pl.col(_UNIT) == "").then(pl.lit(most)).otherwise(_UNIT).alias(_UNIT))


def _made(layer: points.Logged, treated: pl.DataFrame, areas: points.Areas) -> Iterator[MachinePass]:
    """Yield the passes in the order in which they begin."""
    texts = ("product", "machine", "method")
    lacking = [pl.lit("").alias(each) for each in texts if each not in treated.columns]
    named = treated.with_columns(*lacking).with_columns(pl.col(texts).fill_null(""))
    named = named.with_columns(applied=pl.col(_RATE) * pl.col(points.AREA))
    groups = named.group_by(_BY, maintain_order=True).agg(
        pl.len(),
        pl.col("applied", points.AREA).sum(),
        pl.col("machine").first(),
        pl.col(points.X, points.Y).median(),
        pl.when(pl.col("method").n_unique() == 1).then(pl.col("method").first()).otherwise(pl.lit("")),
    )
    unit, name = layer.columns["rate"].unit, Path(layer.problems.place.file).stem
    for row in groups.iter_rows(named=True):
        mean = Fraction(int(row["applied"]), int(row[points.AREA]) * points.MILLION)
        found = rate(mean, unit) if unit else None
        told = found or (half_even(mean.numerator * 1000, mean.denominator), "")
        acres = int(row[points.AREA]) * areas.acres
        spot = None if row[points.X] is None or row[points.Y] is None else (float(row[points.X]), float(row[points.Y]))
        yield MachinePass(
            task=name, field=str(row[_UNIT]), operation="", machine=str(row["machine"]),
            practice=Practice.FERTILIZING, day=row[points.DAY], log=name, points=int(row["len"]),
            acres=half_even(acres.numerator * 1000, acres.denominator), width_ft=None, speed_mph=None, depth_in=None,
            applied=(Applied(str(row["product"]), *told),), place=spot, method=str(row["method"]),
        )  # fmt: skip


# What was harvested: weights, bushels and acres by field and crop.

_NAMED: Final = 10


def _brief(problems: Problems) -> None:
    """Keep the first unreadable rows in full and count the rest, so that a damaged file stays legible."""
    rows = [each for each in problems.found if each.code == "unreadable_point"]
    if len(rows) > _NAMED:
        more = listed(each.place.row for each in rows[_NAMED:])
        problems.found[:] = [each for each in problems.found if each not in rows[_NAMED:]]
        cause = f"{len(rows)} rows in all could not be read and are not counted, among them row {more}."
        problems.error(cause, rows[0].remedy, "unreadable_points")


@reader
def read_yield_log(path: Path, problems: Problems, *, boundary: str = "") -> YieldLog | None:
    """Read a yield log and total it; points outside a boundary, GeoJSON of the field, are counted and flagged."""
    kind = sniff(path, problems.place.file)
    if kind.reader not in ("yield_log", "boundaries", "spreadsheet"):
        told = advice(replace(kind, reader=""), problems.place.file)
        problems.found.extend([told] if told else [])
        return None
    logged = _points_in(path, problems, kind)
    if logged.height > _MOST_POINTS:
        cause = f"the log has over {_MOST_POINTS} points."
        raise problems.refusal(cause, "Export one field at a time.", "too_many_rows")
    _brief(problems)
    logged = yield_points.without_doubles(logged, problems)
    logged = yield_points.without_marked(logged, "status", "header status", problems)
    known = [grain for grain in logged["grain"].unique() if crop_of(grain) in POUNDS]
    logged = yield_points.with_moisture(logged, known, problems)
    if logged.is_empty():
        if not any(each.code in ("no_points", "no_moisture") for each in problems.found):
            _tell_unread(problems)
        return None
    outside = ~_is_inside(boundary, logged, "longitude", "latitude") if boundary else pl.lit(value=False)
    log, unknown = total(logged.with_columns(outside.alias("outside")))
    for crop, count in unknown.items():
        cause = f"{count} points are of the grain {crop!r}, whose bushel weight and base moisture are not known here."
        problems.error(cause, "The points are not counted: type the bushels from scale tickets.", "unknown_grain")
    for field in log.fields if log else ():
        if field.outside_points:
            share = f"{field.outside_points} of {field.points} points of {field.field}"
            cause = f"{share} ({show(field.outside_dry_bushels)} dry bushels) lie outside the field's boundary."
            remedy = "Check the boundary, or whether another field was logged under this name."
            problems.doubt(cause, remedy, "points_outside")
    return log


def _tell_unread(problems: Problems) -> None:
    unreadable = [each.cause for each in problems.found if each.code == "unreadable_point"]
    first = f" The first one: {unreadable[0]}" if unreadable else ""
    problems.found[:] = [each for each in problems.found if not each.code.startswith("unreadable_point")]
    cause = f"no row could be read as one of Ag Leader Advanced or Yield Editor text.{first}"
    problems.error(cause, "Export harvest as Ag Leader Advanced, or as a shapefile with its columns.", "no_points")


def _points_in(path: Path, problems: Problems, kind: Kind) -> pl.DataFrame:
    """Return the points of a log; what is wrong with those that are none is told."""
    if kind.kind.startswith("points_"):
        return points.points_with_headings(path, problems, kind)
    if kind.kind in ("yield_shapefile", "shapefile"):
        return yield_points.points_of_shapefiles(path, problems)
    return yield_points.points_of_text(*content_of(path, problems, kind.inside))


_FULL: Final = 100_000_000
"""Millionths of a percent."""


def total(logged: pl.DataFrame) -> tuple[YieldLog | None, Mapping[str, int]]:
    """Add up points, each of which may lie ``outside`` the boundary.

    Returns the log, None where nothing could be counted, and the number of points by logged grain of which nobody here
    knows pounds in a bushel and base moisture; those are not counted.
    """
    crops = {grain: crop_of(grain) for grain in logged["grain"].unique(maintain_order=True)}
    bases = {crop: usual_base(crop) for crop in crops.values() if crop in POUNDS and usual_base(crop)}
    named = logged.with_columns(pl.col("grain").replace_strict(crops, return_dtype=pl.String).alias("crop"))
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


def _traces(logged: pl.DataFrame) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return when and where each field and crop was logged; see ``FieldYield.trace``."""
    thousandths = {name: np.rint(logged[name].to_numpy() * 1000).astype(np.int64) for name in ("longitude", "latitude")}
    places = logged.select("field", "crop", pl.col("time") // 60).with_columns(
        pl.Series(name, values) for name, values in thousandths.items()
    )
    found = {}
    for (name, crop), mine in places.unique().sort("time", "longitude", "latitude").group_by("field", "crop"):
        said = mine.select(pl.format("{}/{}/{}", "time", "longitude", "latitude")).to_series()
        found[str(name), str(crop)] = tuple(said)
    return found
