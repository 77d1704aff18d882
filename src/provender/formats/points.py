"""Points that machines log, by columns with headings: what such a layer is, what was applied, what was harvested.

Ag Leader Advanced and Yield Editor texts have no headings and are read by ``yield_points``.
"""

import datetime as dt
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl
from pyproj import Transformer
from pyproj.exceptions import ProjError

from provender.days import MIXED, DayTextError, is_open, order_in, read_day
from provender.exact import half_even
from provender.formats.archive import is_zip, opened
from provender.formats.boundaries import package_points
from provender.formats.detect import Kind, content_of
from provender.formats.geometry import load_json
from provender.formats.parsed import Problems
from provender.formats.point_columns import Column, Layer, columns_of, layer_of
from provender.formats.shapefiles import BROKEN, Parts, gather, to_degrees
from provender.formats.spreadsheet import read_delimited
from provender.formats.units import KINDS_OF_UNIT, UnitError, convert
from provender.formats.work import POUNDS, ask_day, crop_of, day_of, is_greenwich, usual_base
from provender.formats.yield_points import AMOUNTS, ROW, SCHEMA, cell_text, table_cells, without_marked
from provender.problem import Place, ProblemsError, listed

# Layers of logged points with headings, as text under what each column means: shapefiles, GeoJSON, CSV, GeoPackage.
#
# A frame of a layer has the number of each row, longitude and latitude in degrees (null where it has none), and a
# column of text for each heading that is known, by its meaning in ``data/point_columns.toml``.

X, Y = "x", "y"
_HEAD, _RECORD = 100, 28
"""Bytes of the head of a .shp, and of each plain point in it."""
_AGAIN: Final = "Export the layer again, and put all its parts in one zip."
_METADATA: Final = "metadata.json"


@dataclass(slots=True)
class Logged:
    """One layer of points."""

    problems: Problems  # what was found, told of the layer
    columns: dict[str, Column]  # the known columns by what they mean
    frame: pl.DataFrame  # see above

    @property
    def layer(self) -> Layer:
        return layer_of(self.columns)


def read_layers(path: Path, problems: Problems, kind: Kind) -> list[Logged]:
    """Return every layer of points in a file; what cannot be read is told by its layer."""
    found = list(_layers(path, problems, kind))
    for layer in found:
        degrees = (pl.when(pl.col(axis).is_between(-most, most)).then(axis) for axis, most in ((X, 180), (Y, 90)))
        layer.frame = layer.frame.with_columns(*degrees)
    return found


def _layers(path: Path, problems: Problems, kind: Kind) -> Iterable[Logged]:
    name = problems.place.file
    if kind.kind == "points_geopackage":
        return [_of_rows(told, rows) for told, rows in package_points(path, problems)]
    if kind.kind in ("points_csv", "points_geojson"):
        return [(_of_text if kind.kind == "points_csv" else _of_json)(*content_of(path, problems, kind.inside))]
    units = _units_beside(path, name)
    return [one for parts in gather(path, name) for one in _of_shapefile(parts, units, problems.at(Place(parts.name)))]


def _units_beside(path: Path, name: str) -> dict[str, str]:
    """Return the units by heading that a list in the zip states, as Operations Center puts one beside a shapefile."""
    if not is_zip(path):
        return {}
    with opened(path, name) as archive:
        lists = [archive.read(each) for each in archive.members if each.lower().endswith(_METADATA)]
    found: dict[str, str] = {}
    for data in lists:
        try:
            document = json.loads(data)
        except (ValueError, RecursionError):
            continue
        told = document.get("DataAttributes") if isinstance(document, dict) else None
        for each in told if isinstance(told, list) else ():
            if isinstance(each, dict) and isinstance(each.get("Name"), str) and isinstance(each.get("Unit"), str):
                found[each["Name"].casefold()] = each["Unit"]
    return found


def _of_text(data: bytes, problems: Problems) -> Logged:
    """Read a text whose first row holds the headings."""
    sheet, unread = read_delimited(data, problems.place.file)
    problems.found.extend(unread)
    lines = sheet.lines if sheet else ()
    headings = [cell.strip() for cell in lines[0].cells] if lines else []
    columns = columns_of(headings)
    at = {role: headings.index(column.heading) for role, column in columns.items()}
    rows = [(line.number, *(line.cell(index) for index in at.values())) for line in lines[1:]]
    frame = pl.DataFrame(rows, {ROW: pl.Int64, **dict.fromkeys(at, pl.String)}, orient="row")
    for axis, role in ((X, "longitude"), (Y, "latitude")):
        value = pl.col(role).cast(pl.Float64, strict=False) if role in at else pl.lit(None, pl.Float64)
        frame = frame.with_columns(value.alias(axis))
    return Logged(problems, columns, frame)


def _of_json(data: bytes, problems: Problems) -> Logged:
    """Read the points of a collection of features."""
    document = load_json(data, problems)
    listed = document.get("features") if isinstance(document, dict) else None
    features = listed if isinstance(listed, list) else [document]
    rows: list[tuple[object, object, Mapping[str, object]]] = []
    for each in features:
        geometry = each.get("geometry") if isinstance(each, dict) else None
        properties = each.get("properties") if isinstance(each, dict) else None
        if isinstance(geometry, dict) and geometry.get("type") == "Point" and isinstance(properties, dict):
            spot = geometry.get("coordinates")
            x, y = spot[:2] if isinstance(spot, list) and len(spot) > 1 else (None, None)
            rows.append((x, y, properties))
    if len(rows) < len(features):
        cause = f"{len(features) - len(rows)} entries of the file are no points with values; they were not counted."
        problems.error(cause, _AGAIN, "not_points")
    return _of_rows(problems, rows)


def _of_rows(problems: Problems, rows: Sequence[tuple[object, object, Mapping[str, Any]]]) -> Logged:
    """Return points with their properties as a layer."""
    columns = columns_of(dict.fromkeys(str(key) for _, _, properties in rows for key in properties))
    texts = []
    for number, (x, y, properties) in enumerate(rows, start=1):
        values = [properties.get(each.heading) for each in columns.values()]
        cells = (cell_text(each).strip() if isinstance(each, str | int | float) else "" for each in values)
        texts.append((number, _degree(x), _degree(y), *cells))
    schema = {ROW: pl.Int64, X: pl.Float64, Y: pl.Float64, **dict.fromkeys(columns, pl.String)}
    return Logged(problems, columns, pl.DataFrame(texts, schema, orient="row"))


def _degree(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 10**9:
        return None
    return float(value)


def _of_shapefile(parts: Parts, units: Mapping[str, str], problems: Problems) -> Iterator[Logged]:
    """Yield the points of a shapefile and their attributes; of a damaged one those before its damage."""
    try:
        reader = parts.open()
        headings = [each.name for each in reader.fields if each.name != "DeletionFlag"] if parts.dbf else []
        columns = columns_of(headings, units)
        transform = to_degrees(parts, reader.bbox, problems)
        cells = table_cells(reader, parts, {role: each.heading.upper() for role, each in columns.items()}, problems)
        spots = _spots(parts, transform)
    except ProblemsError as trouble:
        problems.found.extend(trouble.problems)
        return
    except (*BROKEN, ProjError) as wrong:
        cause = f"the shapefile is damaged ({type(wrong).__name__}: {str(wrong)[:100]})."
        problems.error(cause, _AGAIN, "bad_shapefile")
        return
    if cells.height != len(spots):
        cause = f"there are {len(spots)} points and {cells.height} rows of attributes; they may not belong together."
        problems.error(cause, _AGAIN, "bad_shapefile")
    least = min(cells.height, len(spots))
    places = pl.DataFrame(spots[:least], {X: pl.Float64, Y: pl.Float64})
    yield Logged(problems, columns, cells.head(least).hstack(places))


def _spots(parts: Parts, transform: Transformer | None) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """Return longitude and latitude of each point; not a number where a shape is none.

    Raises:
        any of ``BROKEN``: the shapes are damaged.
    """
    count, rest = divmod(len(parts.shp) - _HEAD, _RECORD)
    plain = np.frombuffer(parts.shp, np.uint8, count * _RECORD, _HEAD).reshape(count, _RECORD) if count > 0 else None
    if plain is not None and not rest and (plain[:, 8:12].copy().view("<i4") == 1).all():
        found = plain[:, 12:28].copy().view("<f8")
    else:
        shapes = (each.points[:1] for each in parts.open().iterShapes())
        found = np.array([tuple(each[0][:2]) if each else (np.nan, np.nan) for each in shapes], float).reshape(-1, 2)
    if transform is not None:
        found = np.stack(transform.transform(found[:, 0], found[:, 1]), axis=1)
    return found


def tell_assumed(layer: Logged, roles: Iterable[str]) -> None:
    """Ask about the units that nothing but custom tells."""
    guessed = (column for role in roles if (column := layer.columns.get(role)) and not column.told)
    if named := ", ".join(f"{each.heading} as {each.unit}" for each in guessed if each.unit):
        cause = f"the file names no units; {named} is how such exports hold them."
        layer.problems.doubt(cause, "Confirm them, or export it with units in the headings.", "units_assumed")


# The day and moment of each logged point, out of whatever its columns say.

DAY, SECONDS = "day", "seconds"
_CLOCK: Final = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*([AaPp])?")
_UNIVERSAL: Final = re.compile(r"\W*(?:utc|gps)", re.IGNORECASE)
"""Headings of clocks that run by Greenwich's time, within the seconds that satellites are ahead."""
_UNIX: Final = re.compile(r"[1-9]\d{8,9}")
_NOON: Final = 12


def add_days(layer: Logged) -> None:
    """Add the field's own day and Unix seconds to each point; null where its columns tell none.

    Days such as 5/4/2026 are read month first where no other day of the file tells, and asked about.
    """
    frame = layer.frame
    roles = [each for each in ("iso_time", "date", "time") if each in layer.columns]
    split = roles == ["date", "time"] and not frame["date"].str.contains(r"\d:\d").any()
    if split:
        frame = frame.with_columns(date=pl.concat_str("date", "time", separator=" "))
    middle = frame[X].median()
    longitude = float(middle) if isinstance(middle, int | float) else None
    found = pl.DataFrame({DAY: [None] * frame.height, SECONDS: [None] * frame.height}, _SCHEMA)
    for role in roles:
        clocks = ("date", "time") if split else (role,)
        universal = any(_UNIVERSAL.match(layer.columns[each].heading) for each in clocks)
        texts = frame[role].fill_null("")
        alone = texts.unique(maintain_order=True).to_list()
        bare = [text.split(" ")[0] for text in alone]
        order = order_in(bare)
        asked = "mdy" if order in ("", MIXED) else order
        read = {text: _moment(text, asked, longitude, universal=universal) for text in alone}
        if not any(read.values()):
            continue
        found = pl.DataFrame([read[text] or (None, None) for text in texts], _SCHEMA, orient="row")
        if order in ("", MIXED) and any(is_open(text) for text in bare):
            cause = f"days such as {next(text for text in bare if is_open(text))} were read with the month first."
            layer.problems.doubt(cause, "Confirm it, or export days as year-month-day.", "day_order")
        day = next((each for each, _ in filter(None, read.values())), None)
        unknown = longitude is None or (universal and any(":" not in text for text in alone if read[text]))
        if unknown and day and (universal or any(is_greenwich(text) for text in alone)):
            ask_day(layer.problems, day)
        break
    layer.frame = frame.with_columns(found[DAY], found[SECONDS])


_SCHEMA: Final = pl.Schema({DAY: pl.Date, SECONDS: pl.Int64})


def _moment(text: str, order: str, longitude: float | None, *, universal: bool) -> tuple[dt.date, int] | None:
    plain = text.strip()
    if _UNIX.fullmatch(plain):
        day = day_of(int(plain), longitude)
        return (day, int(plain)) if day else None
    try:
        moment = dt.datetime.fromisoformat(plain)
    except ValueError:
        found = _written(plain, order)
        if found is None or not universal or not _CLOCK.search(plain):
            return found
        day = day_of(found[1], longitude)
        return (day, found[1]) if day else None
    stated = moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
    day = day_of(f"{plain}Z" if universal and moment.tzinfo is None and ":" in plain else plain, longitude)
    return (day, int(stated.timestamp())) if day else None


def _written(text: str, order: str) -> tuple[dt.date, int] | None:
    """Read a day with a clock after it, such as ``9/19/2016 4:45:46 PM``."""
    try:
        day = read_day(text, order)
    except DayTextError:
        return None
    clock = _CLOCK.search(text)
    hour = int(clock[1]) % 24 if clock else 0
    if clock and clock[4]:
        hour = hour % _NOON + (_NOON if clock[4] in "Pp" else 0)
    seconds = (hour * 60 + int(clock[2])) * 60 + int(clock[3] or 0) if clock else 0
    return day, int(dt.datetime(day.year, day.month, day.day, tzinfo=dt.UTC).timestamp()) + seconds


# Exact numbers and areas of logged points: whole millionths, summed without rounding.
#
# More than six decimals, as programs write what they converted, are rounded to six. The area of a point is stated, or
# its distance times its width; whether distances are feet or meters is told by how far apart the points lie.

_DECIMALS: Final = 6
MILLION: Final = 10**_DECIMALS
AREA: Final = "area_of_point"
_EARTH_M: Final = 6_371_000
_MOST_LENGTH: Final = 10_000
_MOST_ACRES: Final = 100
_NEAR: Final = {"m": (0.75, 1.35), "ft": (0.23, 0.41), "in": (0.019, 0.034)}
"""Meters between two points over the distance stated, for each unit that it may be in."""
_FEET_IN_ACRE: Final = 43_560
_EXPORT: Final = "Export it with the distance and the width of each point, or with its area."


@dataclass(frozen=True, slots=True)
class Areas:
    """How large each point is."""

    expression: pl.Expr  # whole numbers, null where nothing tells
    acres: Fraction  # of one of them


def millionths(role: str, least: int, most: int) -> pl.Expr:
    """Return a column's numbers in whole millionths; null where it has none between the bounds."""
    exact = pl.col(role).str.strip_chars().cast(pl.Decimal(38, _DECIMALS), strict=False)
    value = exact.to_physical().cast(pl.Int128)
    return pl.when(value.is_between(least * MILLION, most * MILLION)).then(value)


def areas_of(layer: Logged) -> Areas | None:
    """Return the area of each point; what is asked of it is told, and an error where nothing tells it."""
    columns, problems = layer.columns, layer.problems
    area = columns.get("area")
    if area is not None and area.unit in KINDS_OF_UNIT["area"]:
        return Areas(millionths("area", 0, _MOST_ACRES), convert(Fraction(1), area.unit, "acres") / MILLION)
    if "distance" not in columns or "width" not in columns:
        cause = "the points state neither their area nor both distance and width, so no total can be made of them."
        if area is not None and area.unit:
            cause = f"{area.heading} is no area, and distance and width of the points are not both stated."
        problems.error(cause, _EXPORT, "no_area")
        return None
    seen = _distance_unit(layer.frame)
    said, width = columns["distance"], columns["width"]
    unit = said.unit or seen or "ft"
    across = width.unit or unit
    guessed = [each.heading for each in (said, width) if not each.told]
    if guessed:
        why = " as the points lie apart" if seen == unit and not said.unit else ""
        both = unit if unit == across else f"{unit} and {across}"
        cause = f"the file names no unit of {listed(guessed)}; they were read in {both}{why}."
        problems.doubt(cause, "Confirm it, or export it with units.", "units_assumed")
    if seen and seen != unit:
        cause = f"{said.heading} is said to be in {unit}, but the points lie as far apart as {seen} would be."
        problems.doubt(cause, "Check the unit of distances and widths.", "unit_against_ground")
    try:
        feet = convert(Fraction(1), unit, "ft") * convert(Fraction(1), across, "ft")
    except UnitError as wrong:
        problems.error(f"{wrong}.", _EXPORT, "no_area")
        return None
    product = millionths("distance", 0, _MOST_LENGTH) * millionths("width", 0, _MOST_LENGTH)
    return Areas(product, feet / _FEET_IN_ACRE / MILLION**2)


def _distance_unit(frame: pl.DataFrame) -> str:
    """Return the unit in which the stated distances are those between successive points; empty for none.

    Only which unit it is rests on this, so the arithmetic need not be exact.
    """
    moments = frame.unique(SECONDS, keep="first", maintain_order=True) if frame[SECONDS].null_count() == 0 else frame
    x, y = (np.radians(moments[each].cast(pl.Float64).to_numpy()) for each in (X, Y))
    stated = moments["distance"].cast(pl.Float64, strict=False).to_numpy()[1:]
    apart = _EARTH_M * np.hypot(np.diff(x) * np.cos(y[1:]), np.diff(y))
    with np.errstate(all="ignore"):
        ratios = apart / stated
    ratios = ratios[np.isfinite(ratios) & (ratios > 0)]
    if not ratios.size:
        return ""
    middle = float(np.median(ratios))
    return next((unit for unit, (least, most) in _NEAR.items() if least <= middle <= most), "")


def tell_unreadable(layer: Logged, rows: pl.DataFrame, lacks: str) -> None:
    if not rows.is_empty():
        cause = f"{rows.height} points have no {lacks} that can be read and are not counted, among them row "
        cause += f"{listed(rows[ROW].to_list())}."
        layer.problems.error(cause, "Export the layer again, or correct these rows.", "unreadable_points")


def leave_out_marked(layer: Logged) -> None:
    """Leave out the points that the file itself marks as not counted."""
    for role in ("area_count", "working", "left_out"):
        if role in layer.columns:
            called, left_out = layer.columns[role].heading, role == "left_out"
            layer.frame = without_marked(layer.frame, role, called, layer.problems, left_out=left_out)


# Points of harvest as the frame of points that ``point_totals`` adds up.
#
# What each point weighs: its flow times its time; else its wet mass an acre times its area; else its dry bushels or dry
# mass an acre times its area, at the base moisture, since that is what they were brought to. A yield that is called
# neither wet nor dry is taken for wet where moisture stands beside it, which never counts more bushels than dry would;
# without moisture it is taken for dry, and asked about. What is wet is not counted without its moisture.

_CODES: Final = {"173": "corn", "174": "soybeans"}
"""Operations Center's numbers of crops; soybeans' is borne out by a public export, corn's is general knowledge."""
_MOST: Final = 100_000
_POUNDS: Final = "pounds_of_point"
_DRY: Final = ("dry_volume", "dry_mass")
_WEIGHS: Final = {
    "wet_mass": "lb/ac",
    "flow": "lb/s",
    "dry_volume": "bu/ac",
    "dry_mass": "lb/ac",
    "wet_volume": "bu/ac",
    "volume": "bu/ac",
}
"""What tells the weight of a point, the best first, and the unit in which it is read."""
_SQUARE_INCHES: Final = 43_560 * 144
_EXPORT_HARVEST: Final = "Export harvest with its wet mass or dry yield, or give the totals by hand."


def points_with_headings(path: Path, problems: Problems, kind: Kind) -> pl.DataFrame:
    """Return the points of every layer of harvest in a file; what is wrong with them is told."""
    layers = (layer for layer in read_layers(path, problems, kind) if layer.layer is Layer.HARVEST)
    return pl.concat([SCHEMA.to_frame(), *(_points(layer) for layer in layers if not layer.frame.is_empty())])


def _points(layer: Logged) -> pl.DataFrame:
    problems = layer.problems
    add_days(layer)
    areas = areas_of(layer)
    ways = [each for each in _WEIGHS if each in layer.columns and (areas or each == "flow")]
    weighing = next((each for each in ways if each != "flow" or "duration" in layer.columns), "")
    if not weighing:
        if areas:
            problems.error("no column tells what a point weighs.", _EXPORT_HARVEST, "no_yield")
        return SCHEMA.to_frame()
    if "moisture" not in layer.columns and weighing not in _DRY:
        heading = layer.columns[weighing].heading
        if weighing != "volume":
            cause = f"{heading} is wet grain, and no column tells its moisture, so nobody can say how much dry grain "
            problems.error(f"{cause}it is.", _EXPORT_HARVEST, "no_moisture")
            return SCHEMA.to_frame()
        cause = f"the file does not say whether {heading} is wet or dry, and tells no moisture; it was counted as dry."
        problems.doubt(cause, "Confirm that it is dry yield, or export it with its moisture.", "dry_assumed")
    tell_assumed(layer, (weighing, "duration" if weighing == "flow" else "", "moisture"))
    leave_out_marked(layer)
    _add_crops(layer)
    known = areas or Areas(pl.repeat(0, pl.len(), dtype=pl.Int128), Fraction(0))
    frame = _weighed(layer, known, weighing)
    whole = pl.all_horizontal(pl.col(DAY, X, Y, _POUNDS, "moisture").is_not_null())
    tell_unreadable(layer, frame.filter(~whole), "day, place, yield or moisture")
    return _as_logged(layer, frame.filter(whole), known)


def _add_crops(layer: Logged) -> None:
    """Name each point's crop; Operations Center's numbers are read as what they stand for, and asked about."""
    role = next((each for each in ("crop", "product") if each in layer.columns), "")
    said = layer.frame[role].fill_null("") if role else pl.Series([""] * layer.frame.height, dtype=pl.String)
    said = said.str.strip_chars().str.replace(r"^(\d+)\.0+$", "${1}")
    if coded := sorted({each for each in said.unique() if each in _CODES}):
        cause = f"the crop is the number {coded[0]}, which was read as {_CODES[coded[0]]}."
        layer.problems.doubt(cause, "Confirm the crop.", "crop_number")
    layer.frame = layer.frame.with_columns(grain=said.replace(_CODES))


def _weighed(layer: Logged, areas: Areas, weighing: str) -> pl.DataFrame:
    """Add millionths of a pound of each point, and its moisture in millionths of a percent."""
    frame, column, wanted = layer.frame, layer.columns[weighing], _WEIGHS[weighing]
    crops = {each: crop_of(each) for each in frame["grain"].unique()}
    per_bushel = {each: POUNDS.get(crop, 0) for each, crop in crops.items()}
    bases = {each: usual_base(crop) * 1000 for each, crop in crops.items()}
    grain = pl.col("grain")
    moisture = grain.replace_strict(bases, return_dtype=pl.Int128)
    if "moisture" in layer.columns and weighing not in _DRY:
        moisture = millionths("moisture", AMOUNTS["moisture"][1], AMOUNTS["moisture"][2])
    try:
        one = convert(Fraction(1), column.unit, wanted)
    except UnitError as wrong:
        layer.problems.error(f"{column.heading}: {wrong}.", _EXPORT_HARVEST, "no_yield")
        return frame.with_columns(pl.lit(None).alias(_POUNDS), moisture.alias("moisture"))
    by, scale = areas.expression, one * areas.acres
    if weighing == "flow":
        by, scale = millionths("duration", 0, AMOUNTS["interval"][2]), one / MILLION
    bushel = grain.replace_strict(per_bushel, return_dtype=pl.Int128) if wanted == "bu/ac" else pl.lit(1, pl.Int128)
    parts = frame.select(millionths(weighing, 0, _MOST), by=by, bushel=bushel).rows()
    top, bottom = scale.numerator, scale.denominator
    pounds = [None if None in row else half_even(row[0] * row[1] * row[2] * top, bottom) for row in parts]
    return frame.with_columns(pl.Series(_POUNDS, pounds, pl.Int64), moisture.alias("moisture"))


def _as_logged(layer: Logged, points: pl.DataFrame, areas: Areas) -> pl.DataFrame:
    """Return points in the columns of ``SCHEMA``; what the layer does not say is blank."""
    covered = points.with_columns(covered=areas.expression.fill_null(0))["covered"].to_list()
    inches = areas.acres * _SQUARE_INCHES * MILLION
    squares = [half_even(each * inches.numerator, inches.denominator) for each in covered]
    said: dict[str, pl.Expr | pl.Series] = {
        "longitude": pl.col(X), "latitude": pl.col(Y), "time": pl.col(SECONDS), "weight": pl.col(_POUNDS) * 1000,
        "square_inches": pl.Series(squares, dtype=pl.Int64),
        "field": pl.col("field") if "field" in layer.columns else pl.lit(Path(layer.problems.place.file).stem),
        "load": pl.col("load") if "load" in layer.columns else pl.lit(""),
    }  # fmt: skip
    said |= {name: pl.lit("") for name in SCHEMA if name not in (*said, ROW, "moisture", DAY, "grain")}
    return points.with_columns(**said).select(pl.col(name).cast(kind) for name, kind in SCHEMA.items())
