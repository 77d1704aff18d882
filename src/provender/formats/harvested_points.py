"""Points of a yield monitor with headings, as the frame of points that ``yield_sums`` adds up.

What each point weighs: its flow times its time; else its wet mass an acre times its area; else its dry bushels or dry
mass an acre times its area, at the base moisture, since that is what they were brought to. A yield that is called
neither wet nor dry is taken for wet where moisture stands beside it, which never counts more bushels than dry would;
without moisture it is taken for dry, and asked about. What is wet is not counted without its moisture.
"""

from fractions import Fraction
from pathlib import Path
from typing import Final

import polars as pl

from provender.exact import half_even
from provender.formats.detect import Kind
from provender.formats.parsed import doubt
from provender.formats.point_columns import Layer
from provender.formats.points import (
    DAY,
    MILLION,
    SECONDS,
    Areas,
    Logged,
    X,
    Y,
    areas_of,
    assumed,
    millionths,
    read_layers,
    unreadable,
    with_days,
    without_left_out,
)
from provender.formats.units import UnitError, convert
from provender.formats.yield_points import AMOUNTS, ROW, SCHEMA
from provender.formats.yields import POUNDS, crop_of, usual_base
from provender.problem import Problem

_CODES: Final = {"173": "corn", "174": "soybeans"}
"""Operations Center's numbers of crops; soybeans' is borne out by a public export, corn's is general knowledge."""
_MOST: Final = 100_000
_POUNDS: Final = "pounds_of_point"
_WET: Final = ("wet_mass", "wet_volume")
_DRY: Final = ("dry_volume", "dry_mass")
_SQUARE_INCHES: Final = 43_560 * 144
_SECOND: Final = 1000
_EXPORT: Final = "Export harvest with its wet mass or dry yield, or give the totals by hand."


def points_with_headings(path: Path, name: str, kind: Kind) -> tuple[pl.DataFrame, list[Problem]]:
    """Return the points of every layer of harvest in a file, and what is wrong with them.

    Raises:
        ProblemsError: the zip is damaged or hostile.
    """
    frames, problems = [SCHEMA.to_frame()], []
    for layer in read_layers(path, name, kind):
        problems += layer.problems
        if layer.layer is Layer.HARVEST and not layer.frame.is_empty():
            found, told = _points(layer)
            frames.append(found)
            problems += told
    return pl.concat(frames), problems


def _points(layer: Logged) -> tuple[pl.DataFrame, list[Problem]]:
    frame, problems = with_days(layer)
    areas, told = areas_of(layer, frame)
    problems += told
    weighing = next((each for each in _ways(layer, areas) if each), "")
    if not weighing:
        cause = "no column tells what a point weighs."
        untold = [Problem(layer.place, cause, _EXPORT, code="no_yield")] if areas else []
        return SCHEMA.to_frame(), [*problems, *untold]
    if "moisture" not in layer.columns and weighing not in _DRY:
        heading = layer.columns[weighing.split(maxsplit=1)[0]].heading
        if weighing != "volume":
            cause = (
                f"{heading} is wet grain, and no column tells its moisture, so nobody can say how much dry grain it is."
            )
            return SCHEMA.to_frame(), [*problems, Problem(layer.place, cause, _EXPORT, code="no_moisture")]
        cause = f"the file does not say whether {heading} is wet or dry, and tells no moisture; it was counted as dry."
        remedy = "Confirm that it is dry yield, or export it with its moisture."
        problems.append(doubt(layer.place, cause, remedy, "dry_assumed"))
    problems += assumed(layer, (*weighing.split(), "moisture"))
    frame, told = without_left_out(layer, frame)
    problems += told
    frame, told = _with_crops(layer, frame)
    problems += told
    frame, told = _weighed(layer, frame, areas, weighing)
    problems += told
    whole = pl.all_horizontal(pl.col(DAY, X, Y, _POUNDS, "moisture").is_not_null())
    problems += unreadable(layer, frame.filter(~whole), "day, place, yield or moisture")
    return _as_logged(layer, frame.filter(whole), areas), problems


def _ways(layer: Logged, areas: Areas | None) -> list[str]:
    """Return what tells the weight of a point, the best first."""
    columns = layer.columns
    flows = "flow duration" if "flow" in columns and "duration" in columns else ""
    if areas is None:
        return [flows]
    plain = "volume" if "volume" in columns else ""
    return [
        "wet_mass" if "wet_mass" in columns else "",
        flows,
        *(each for each in (*_DRY, *_WET) if each in columns),
        plain,
    ]


def _with_crops(layer: Logged, frame: pl.DataFrame) -> tuple[pl.DataFrame, list[Problem]]:
    """Name each point's crop; Operations Center's numbers are read as what they stand for, and asked about."""
    role = next((each for each in ("crop", "product") if each in layer.columns), "")
    if not role:
        return frame.with_columns(grain=pl.lit("")), []
    said = frame[role].fill_null("").str.strip_chars().str.replace(r"^(\d+)\.0+$", "${1}")
    coded = sorted({each for each in said.unique() if each in _CODES})
    told = []
    if coded:
        cause = f"the crop is the number {coded[0]}, which was read as {_CODES[coded[0]]}."
        told.append(doubt(layer.place, cause, "Confirm the crop.", "crop_number"))
    return frame.with_columns(grain=said.replace(_CODES)), told


def _weighed(
    layer: Logged, frame: pl.DataFrame, areas: Areas | None, weighing: str
) -> tuple[pl.DataFrame, list[Problem]]:
    """Add millionths of a pound of each point, and its moisture in millionths of a percent."""
    crops = {each: crop_of(each) for each in frame["grain"].unique()}
    per_bushel = {each: POUNDS.get(crop, 0) for each, crop in crops.items()}
    bases = {each: usual_base(crop) * 1000 for each, crop in crops.items()}
    grain = pl.col("grain")
    base = grain.replace_strict(bases, return_dtype=pl.Int128)
    dry = weighing in _DRY or (weighing == "volume" and "moisture" not in layer.columns)
    moist = "moisture" in layer.columns and not dry
    moisture = millionths("moisture", AMOUNTS["moisture"][1], AMOUNTS["moisture"][2]) if moist else base
    first = weighing.split(maxsplit=1)[0]
    unit = layer.columns[first].unit
    wanted = "lb/s" if first == "flow" else "bu/ac" if first in ("dry_volume", "wet_volume", "volume") else "lb/ac"
    try:
        one = Fraction(1) if unit == wanted == "lb/s" else convert(Fraction(1), unit, wanted)
    except UnitError as wrong:
        told = Problem(layer.place, f"{layer.columns[first].heading}: {wrong}.", _EXPORT, code="no_yield")
        return frame.with_columns(pl.lit(None).alias(_POUNDS), moisture.alias("moisture")), [told]
    by = millionths("duration", 0, AMOUNTS["interval"][2]) if first == "flow" else areas.expression if areas else None
    scale = one / MILLION if first == "flow" else one * (areas.acres if areas else 0)
    bushel = grain.replace_strict(per_bushel, return_dtype=pl.Int128) if wanted == "bu/ac" else pl.lit(1, pl.Int128)
    parts = frame.select(millionths(first, 0, _MOST), by=by, bushel=bushel).rows()
    top, bottom = scale.numerator, scale.denominator
    pounds = [None if None in row else half_even(row[0] * row[1] * row[2] * top, bottom) for row in parts]
    return frame.with_columns(pl.Series(_POUNDS, pounds, pl.Int64), moisture.alias("moisture")), []


def _as_logged(layer: Logged, points: pl.DataFrame, areas: Areas | None) -> pl.DataFrame:
    """Return points as a monitor logs them: a second of flow each, and an area one inch wide."""
    square_inches = areas.acres * _SQUARE_INCHES if areas else Fraction(0)
    covered = points.select(areas.expression.fill_null(0)).to_series().to_list() if areas else [0] * points.height
    top, bottom = square_inches.numerator * _SECOND, square_inches.denominator
    columns = {
        ROW: points[ROW], "longitude": points[X], "latitude": points[Y], "flow": points[_POUNDS],
        "time": points[SECONDS], "interval": pl.repeat(_SECOND, points.height, eager=True),
        "distance": pl.Series([half_even(each * top, bottom) for each in covered], dtype=pl.Int64),
        "swath": pl.repeat(_SECOND, points.height, eager=True), "moisture": points["moisture"], "day": points[DAY],
        "field": points["field"] if "field" in layer.columns else _same(Path(layer.name).stem, points),
        "load": points["load"] if "load" in layer.columns else _same("", points), "grain": points["grain"],
    }  # fmt: skip
    blank = {name: _same("", points) for name in SCHEMA if name not in columns}
    return pl.DataFrame({name: (columns | blank)[name].alias(name).cast(kind) for name, kind in SCHEMA.items()})


def _same(text: str, points: pl.DataFrame) -> pl.Series:
    return pl.Series([text] * points.height, dtype=pl.String)
