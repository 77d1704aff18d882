"""What was applied, out of logged points: total by area times rate, one pass for each field, product and day."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Final

import polars as pl
from shapely import contains_xy, from_geojson, prepare

from provender.exact import half_even
from provender.formats import points
from provender.formats.boundaries import Boundaries
from provender.formats.detect import sniff
from provender.formats.isoxml.passes import Applied, MachineData, MachinePass
from provender.formats.isoxml.tasks import Practice
from provender.formats.parsed import Parsed, doubt, refused
from provender.formats.point_columns import LABELS, Layer
from provender.formats.work import rate
from provender.formats.yield_points import without_doubles
from provender.problem import Place, Problem, ProblemsError

MOST_POINTS: Final = 2_000_000
_MOST_RATE: Final = 100_000
_RATE: Final = "rate_of_point"
_UNIT: Final = "unit_of_point"
_BY: Final = (_UNIT, "product", points.DAY)
_FEW_PCT: Final = 5


def read_applied(path: Path, name: str, *, outlines: Mapping[str, str] | None = None) -> Parsed[MachineData]:
    """Read as-applied points; by the GeoJSON outlines of units those without a field's name are told apart."""
    try:
        layers = points.read_layers(path, name, sniff(path, name))
    except ProblemsError as trouble:
        return Parsed(None, trouble.problems)
    passes: list[MachinePass] = []
    problems: list[Problem] = []
    for layer in layers:
        problems += layer.problems
        if layer.layer is Layer.APPLIED:
            found, told = _passes_of(layer, outlines or {})
            passes += found
            problems += told
        elif not layer.problems:
            what = LABELS.get(layer.layer, "points of an unknown kind")
            cause = f"the file holds {what}; nothing was taken from it."
            problems.append(doubt(layer.place, cause, "Export what was applied.", "other_points"))
    if not passes and not problems:
        return refused(Place(name), "no point says what was applied.", "Export the layer again.", "no_points")
    made = MachineData(Boundaries(()), tuple(passes), sum(each.points for each in passes)) if passes else None
    return Parsed(made, tuple(problems))


def _passes_of(layer: points.Logged, outlines: Mapping[str, str]) -> tuple[list[MachinePass], list[Problem]]:
    """Return the passes that a layer shows, and what is asked of it."""
    if layer.frame.height > MOST_POINTS:
        cause = f"the layer has over {MOST_POINTS} points."
        return [], [Problem(layer.place, cause, "Export one field at a time.", code="too_many_rows")]
    frame, problems = without_doubles(layer.frame, layer.place)
    layer.frame = frame
    frame, told = points.with_days(layer)
    problems += told
    areas, told = points.areas_of(layer, frame)
    problems += [*told, *points.assumed(layer, ("rate",))]
    if areas is None:
        return [], problems
    frame, told = points.without_left_out(layer, frame)
    problems += told
    if frame.is_empty():
        return [], problems
    unit = layer.columns["rate"].unit
    if unit and rate(Fraction(1), unit) is None:
        cause = f"{layer.columns['rate'].heading} is no rate: {unit} is no pounds or gallons an acre. Nothing was read."
        remedy = "Export it with its rate an acre, such as gal/ac."
        return [], [*problems, Problem(layer.place, cause, remedy, code="no_rate_unit")]
    frame = frame.with_columns(
        points.millionths("rate", 0, _MOST_RATE).alias(_RATE), areas.expression.alias(points.AREA)
    )
    whole = pl.all_horizontal(pl.col(_RATE, points.AREA, points.DAY).is_not_null())
    problems += points.unreadable(layer, frame.filter(~whole), "day, rate or area")
    # A point at rate zero was driven over, not treated: it adds neither product nor area.
    treated = frame.filter(whole & (pl.col(_RATE) > 0) & (pl.col(points.AREA) > 0))
    if treated.is_empty():
        cause = "no point has a day, a rate above zero and an area, so nothing was applied by this file."
        return [], [*problems, Problem(layer.place, cause, "Export the layer again.", code="no_points")]
    treated, told = _by_unit(layer, treated, outlines)
    problems += told
    if not layer.columns["rate"].unit:
        heading = layer.columns["rate"].heading
        cause = f"the file names no unit of {heading}, so what was applied has a rate without one."
        remedy = "Say it: --kind nutrient_application --set rate_unit=gal/ac; or export it with units in the headings."
        problems.append(Problem(layer.place, cause, remedy, code="no_rate_unit"))
    if "product" not in layer.columns:
        cause = "the file names no product."
        remedy = "Say it: --kind nutrient_application --set product='UAN 32'."
        problems.append(Problem(layer.place, cause, remedy, code="no_product"))
    return list(_made(layer, treated, areas)), problems


def _by_unit(
    layer: points.Logged, frame: pl.DataFrame, outlines: Mapping[str, str]
) -> tuple[pl.DataFrame, list[Problem]]:
    """Tell points of several units apart: by the field's name, else by the outline in which they lie."""
    if "field" in layer.columns or not outlines:
        named = pl.col("field").fill_null("") if "field" in layer.columns else pl.lit("")
        return frame.with_columns(named.alias(_UNIT)), []
    unit, several = _laid(frame, outlines)
    frame, told = _outside(layer, frame.with_columns(unit))
    doubled = int(several.sum())
    if not doubled:
        return frame, told
    cause = f"{doubled} of {frame.height} points lie inside the boundaries of several fields"
    if doubled * 100 > _FEW_PCT * frame.height:
        frame = frame.with_columns(pl.when(several).then(pl.lit("")).otherwise(_UNIT).alias(_UNIT))
        cause += "; they stand as a field of their own."
        remedy = "Correct the boundaries, or say which unit they are: --unit UNIT."
    else:
        cause += "; they were counted for the first of them."
        remedy = "Confirm it, or correct the boundaries."
    return frame, [*told, doubt(layer.place, cause, remedy, "points_in_several")]


def _laid(frame: pl.DataFrame, outlines: Mapping[str, str]) -> tuple[pl.Series, pl.Series]:
    """Return the first unit in whose outline each point lies, empty for none; and which points lie in several."""
    unit = pl.Series(_UNIT, [""] * frame.height, pl.String)
    several = pl.Series([False] * frame.height, dtype=pl.Boolean)
    x, y = (frame[each].fill_null(float("nan")).to_numpy() for each in (points.X, points.Y))
    for name, text in outlines.items():
        area = from_geojson(text)
        prepare(area)
        inside = pl.Series(contains_xy(area, x, y), dtype=pl.Boolean)
        several |= inside & (unit != "")
        unit = unit.zip_with(~inside | (unit != ""), pl.Series([name] * frame.height, dtype=pl.String))
    return unit, several


def _outside(layer: points.Logged, frame: pl.DataFrame) -> tuple[pl.DataFrame, list[Problem]]:
    """Ask about points outside every outline; a few are counted for the unit with the most points."""
    outside = frame.filter(pl.col(_UNIT) == "").height
    if not outside:
        return frame, []
    inside = frame.filter(pl.col(_UNIT) != "").group_by(_UNIT).len().sort("len", _UNIT, descending=[True, False])
    cause = f"{outside} of {frame.height} points lie outside every field's boundary"
    if inside.is_empty() or outside * 100 > _FEW_PCT * frame.height:
        cause += "; they stand as a field of their own."
        remedy = "Check the boundaries, or say which unit they are: --unit UNIT."
        return frame, [doubt(layer.place, cause, remedy, "points_outside")]
    most = str(inside[_UNIT][0])
    cause += f"; they were counted for {most}."
    joined = frame.with_columns(pl.when(pl.col(_UNIT) == "").then(pl.lit(most)).otherwise(_UNIT).alias(_UNIT))
    return joined, [doubt(layer.place, cause, "Confirm it, or correct the boundary.", "points_outside")]


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
    unit, name = layer.columns["rate"].unit, Path(layer.name).stem
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
