"""Points of a yield log as exact whole numbers: row by row, by columns, and out of shapefiles."""

import datetime as dt
import io
import math
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl
import shapefile

from provender.days import hours_by_sun
from provender.exact import half_even, parse, show
from provender.formats.parsed import doubt, note
from provender.formats.point_columns import is_counted
from provender.formats.shapefiles import AGAIN, BROKEN, Parts, gather, letters_of
from provender.formats.spreadsheet import MOST_CELLS, MOST_ROWS, decode_text, read_delimited
from provender.problem import Place, Problem

# The columns of Ag Leader Advanced text, in order, with the names the shapefile gives them.
COLUMNS: Final = (
    *("longitude", "latitude", "flow", "time", "interval", "distance", "swath", "moisture", "status", "pass"),
    *("serial", "field", "load", "grain", "gps", "pdop", "altitude"),
)
LAYOUTS: Final[dict[int, Sequence[str]]] = {
    len(COLUMNS): COLUMNS,
    16: (*COLUMNS[:14], "variety", "altitude"),
    15: (*COLUMNS[:14], "variety"),
    14: COLUMNS[:14],
}
"""Columns by their number: Ag Leader Advanced text, and what USDA's Yield Editor reads and writes."""
_FIRST_TIME: Final = 315_964_800  # 6 January 1980: GPS time begins
_LAST_TIME: Final = 4_102_444_800  # 1 January 2100
DEGREES: Final = {"longitude": 180, "latitude": 90}
"""The most that each may be."""
AMOUNTS: Final = {
    "flow": (6, 0, 500, "grain flow"),
    "time": (0, _FIRST_TIME, _LAST_TIME, "GPS time"),
    "interval": (3, 0, 60, "interval"),
    "distance": (3, 0, 100_000, "distance"),
    "swath": (3, 0, 10_000, "swath"),
    "moisture": (6, 0, 99, "moisture"),
}
"""Decimals that each may have, least and most, and what it is called."""
REST: Final = ("status", "pass", "gps", "pdop", "altitude", "variety")
"""Columns of which no amount is made."""


@dataclass(frozen=True, slots=True)
class Point:
    """One logged point."""

    longitude: float  # degrees, WGS 84
    latitude: float  # degrees, WGS 84
    flow: int  # millionths of lb/s
    time: int  # GPS time, Unix seconds
    interval: int  # thousandths of a second
    distance: int  # thousandths of an inch
    swath: int  # thousandths of an inch
    moisture: int  # millionths of a percent
    day: dt.date  # see ``YieldLoad.first_day``
    serial: str  # as logged, without quotation marks
    field: str  # as logged, without quotation marks
    load: str  # as logged, without quotation marks
    grain: str  # as logged, without quotation marks
    rest: tuple[str, ...] = ()  # the columns that are not used here, so that equal points are equal rows


def _amount(row: dict[str, str], name: str) -> int:
    scale, least, most, what = AMOUNTS[name]
    value = parse(row[name], scale)
    if not least * 10**scale <= value <= most * 10**scale:
        raise ValueError(f"{what} {row[name].strip()} is outside {least} to {most}")
    return value


def _degrees(row: dict[str, str], name: str) -> float:
    value = float(row[name])
    if not math.isfinite(value) or abs(value) > DEGREES[name]:
        raise ValueError(f"{name} {row[name].strip()} is no degree")
    return value


def read_point(cells: Sequence[str], place: Place) -> Point | Problem:
    """Read one row of fourteen to seventeen cells, or say what is wrong with it."""
    remedy = "The row is not counted. Export the log again, or correct the row."
    columns = LAYOUTS.get(len(cells))
    if columns is None:
        cause = f"the row has {len(cells)} columns; Ag Leader Advanced text has 17, Yield Editor's 14 to 16."
        return Problem(place, cause, remedy, code="unreadable_point")
    row = {name: cell.strip().strip('"').strip() for name, cell in zip(columns, cells, strict=True)}
    try:
        longitude, latitude = (_degrees(row, name) for name in DEGREES)
        flow, time, interval, distance, swath, moisture = (_amount(row, name) for name in AMOUNTS)
        day = (dt.datetime.fromtimestamp(time, dt.UTC) + dt.timedelta(hours=hours_by_sun(longitude))).date()
        serial, field, load, grain = (row[name] for name in ("serial", "field", "load", "grain"))
        rest = tuple(row.get(name, "") for name in REST)
        return Point(
            longitude, latitude, flow, time, interval, distance, swath, moisture, day, serial, field, load, grain, rest
        )
    except (ValueError, OverflowError) as wrong:
        return Problem(place, f"the row cannot be read: {wrong}.", remedy, code="unreadable_point")


# Points of a yield log by columns: what reads as plain numbers at once, every other row by ``read_point``.
#
# Two million points are read so in seconds. A frame of points has one column for each field of ``Point``, in its units;
# the columns that are not counted keep their texts, so that equal points are equal rows.

ROW: Final = "row"
_TEXTS: Final = ("serial", "field", "load", "grain", *REST)
_BESIDE_QUOTES: Final = (',"', '",', '"\n', '"\r')
"""Where quotation marks stand that open or close a cell; a first cell has none."""
_AROUND: Final = ' \t\r\u00a0"'
_DIGITS: Final = 15
"""More digits than an amount of a log has; what has more is read by itself, and refused in words."""
SCHEMA: Final = pl.Schema({
    ROW: pl.Int64, **dict.fromkeys(DEGREES, pl.Float64), **dict.fromkeys(AMOUNTS, pl.Int64), "day": pl.Date,
    **dict.fromkeys(_TEXTS, pl.String),
})  # fmt: skip


def points_of_text(data: bytes, name: str) -> tuple[pl.DataFrame, list[Problem]]:
    """Return the points of a text without heading, and what is wrong with the rows that are none."""
    text, problems = decode_text(data, name)
    if text is None:
        return SCHEMA.to_frame(), problems
    plain = _plain_rows(text)
    if plain is not None:
        found, told = points_of(plain, LAYOUTS[plain.width - 1], name)
        return found, problems + told
    sheet, problems = read_delimited(data, name, delimiter=",")
    by_layout: dict[int, list[tuple[int, tuple[str, ...]]]] = {}
    for line in sheet.lines if sheet else ():
        by_layout.setdefault(len(line.cells), []).append((line.number, line.cells))
    frames = [SCHEMA.to_frame()]
    for count, lines in by_layout.items():
        if count in LAYOUTS:
            names = LAYOUTS[count]
            cells = pl.DataFrame([cells for _, cells in lines], dict.fromkeys(names, pl.String), orient="row")
            found, told = points_of(cells.with_columns(pl.Series(ROW, [number for number, _ in lines])), names, name)
            frames.append(found)
            problems += told
        else:
            wrong = (read_point(cells, Place(name, row=number)) for number, cells in lines)
            problems += [each for each in wrong if isinstance(each, Problem)]
    problems.sort(key=lambda each: each.place.row or 0)
    return pl.concat(frames).sort(ROW), problems


def _plain_rows(text: str) -> pl.DataFrame | None:
    """Return the rows of a text that is what it should be: one layout, a row a line; None for any other.

    A quotation mark that is left open, a cell too many or a zero byte is for the reader that tells of them.
    """
    lines = text.count("\n") + (not text.endswith("\n"))
    count = text[: text.find("\n") if "\n" in text else len(text)].count(",") + 1
    odd = "\x00" in text or text.count("\r") != text.count("\r\n") or text.count(",") != lines * (count - 1)
    odd = odd or text.count('"') != sum(text.count(each) for each in _BESIDE_QUOTES) + text.endswith('"')
    if odd or count not in LAYOUTS or lines > MOST_ROWS or lines * count > MOST_CELLS:
        return None
    names = list(LAYOUTS[count])
    try:
        found = pl.read_csv(io.StringIO(text), has_header=False, infer_schema=False, new_columns=names)
    except pl.exceptions.PolarsError:
        return None
    if (found.height, found.width) != (lines, count):
        return None
    return found.with_columns(pl.all().fill_null("")).with_row_index(ROW, 1)


def points_of(cells: pl.DataFrame, columns: Sequence[str], name: str) -> tuple[pl.DataFrame, list[Problem]]:
    """Return the points of rows of text, by a layout of ``LAYOUTS``, and what is wrong with those that are none."""
    texts = cells.select(pl.col(ROW).cast(pl.Int64), *(pl.col(each).str.strip_chars(_AROUND) for each in columns))
    numbers = texts.select(
        ROW,
        *(_degree_column(each) for each in DEGREES),
        *(_amount_column(each) for each in AMOUNTS),
        *(pl.col(each) if each in columns else pl.lit("").alias(each) for each in _TEXTS),
    )
    plain = numbers.select(pl.all_horizontal(pl.col(*DEGREES, *AMOUNTS).is_not_null())).to_series()
    read = [read_point(row, Place(name, row=at)) for at, *row in cells.filter(~plain).select(ROW, *columns).iter_rows()]
    odd = cells.filter(~plain)[ROW].to_list()
    good = _with_days(numbers.filter(plain))
    others = frame_of([(at, each) for at, each in zip(odd, read, strict=True) if isinstance(each, Point)])
    return pl.concat([good, others]).sort(ROW), [each for each in read if isinstance(each, Problem)]


def _degree_column(name: str) -> pl.Expr:
    text, most = pl.col(name), DEGREES[name]
    value = pl.when(text.str.contains(r"^-?\d{1,3}(\.\d+)?$")).then(text).cast(pl.Float64, strict=False)
    return pl.when(value.abs() <= most).then(value).alias(name)


def _amount_column(name: str) -> pl.Expr:
    """Return whole units of an amount; null for anything but plain digits with no more decimals than it has."""
    scale, least, most, _ = AMOUNTS[name]
    text = pl.col(name)
    shape = rf"^\d{{1,{_DIGITS - scale}}}(\.\d{{0,{scale}}}0*)?$"
    exact = pl.when(text.str.contains(shape)).then(text).cast(pl.Decimal(18, scale), strict=False)
    value = exact.to_physical().cast(pl.Int64)
    return pl.when(value.is_between(least * 10**scale, most * 10**scale)).then(value).alias(name)


def _with_days(points: pl.DataFrame) -> pl.DataFrame:
    """Add the day by GPS time and the sun, as ``read_point`` does."""
    hours = np.rint(points["longitude"].to_numpy() / 15).astype(np.int64)
    days = (points["time"].to_numpy() + hours * 3600) // 86_400
    return points.with_columns(pl.Series("day", days.astype(np.int32)).cast(pl.Date)).select(*SCHEMA)


def frame_of(points: Iterable[tuple[int, Point]]) -> pl.DataFrame:
    """Return points with the numbers of their rows as a frame."""
    names = [each.name for each in fields(Point) if each.name != "rest"]
    rows = [
        {ROW: at, **{name: getattr(point, name) for name in names}, **dict(zip(REST, point.rest, strict=False))}
        for at, point in points
    ]
    return pl.DataFrame(rows, SCHEMA).with_columns(pl.col(*REST).fill_null(""))


def without_doubles(points: pl.DataFrame, place: Place) -> tuple[pl.DataFrame, list[Problem]]:
    """Return points without those that repeat another in every value, the first of them kept."""
    moment = [name for name in ("time", "longitude", "latitude") if name in points.columns]
    if moment and points.select(moment).is_unique().all():
        return points, []
    left = points.unique([name for name in points.columns if name != ROW], keep="first", maintain_order=True)
    doubled = points.height - left.height
    if not doubled:
        return points, []
    cause = f"{doubled} rows repeat another row in every value; each was counted once."
    return left, [doubt(place, cause, "Check that a card was not exported twice.", "doubled_points")]


def without_marked(
    frame: pl.DataFrame, column: str, called: str, place: Place, *, left_out: bool = False
) -> tuple[pl.DataFrame, list[Problem]]:
    """Return the points that a column does not mark as not counted, and what is said of the others.

    ``called`` is what the file calls it; with ``left_out`` a mark says that a point is left out, not that it counts.
    """
    marks = frame[column].fill_null("")
    known = {mark: is_counted(mark) for mark in marks.unique(maintain_order=True)}
    off = [mark for mark, counts in known.items() if mark and counts is left_out]
    kept = frame.filter(~marks.is_in(off)) if off else frame
    said = f"{called} {', '.join(off)}"
    if off and kept.is_empty():
        cause = f"all {frame.height} points are marked as not counted ({said}), so nothing of the file counts."
        remedy = "Export the layer again. If the monitor did not record it, export it without that column."
        return kept, [Problem(place, cause, remedy, code="no_points")]
    problems = []
    if off:
        cause = f"{frame.height - kept.height} of {frame.height} points are marked as not counted ({said}); they give "
        problems.append(note(place, f"{cause}no area and no amount.", "Nothing to do.", "points_not_counted"))
    if unknown := [mark for mark, counts in known.items() if counts is None]:
        cause = f"nobody here knows what {called} {', '.join(unknown[:_NAMED])} means; these points were counted."
        problems.append(doubt(place, cause, "Confirm it, or export the layer without them.", "unknown_mark"))
    return kept, problems


_NAMED: Final = 5


def with_moisture(points: pl.DataFrame, grains: Iterable[str], place: Place) -> tuple[pl.DataFrame, list[Problem]]:
    """Give grain that passed a sensor which read 0, and so was not reading yet, the mean moisture of its field.

    Where none was read, the grain is not counted: nobody can say how much of it is dry.
    """
    weight = pl.col("flow").cast(pl.Int128) * pl.col("interval")
    unread = (pl.col("moisture") == 0) & (weight > 0) & pl.col("grain").is_in(list(grains))
    if points.filter(unread).is_empty():
        return points, []
    by = ["field", "grain"]
    sums = (
        points.filter(pl.col("moisture") > 0).group_by(by).agg(weight.sum(), water=(weight * pl.col("moisture")).sum())
    )
    means = {(name, grain): half_even(water, pounds) for name, grain, pounds, water in sums.rows() if pounds}
    problems, frames = [], [points.filter(~unread)]
    for (name, grain), zeros in points.filter(unread).group_by(by, maintain_order=True):
        mean = means.get((name, grain))
        cause = (
            f"{zeros.height} points of {name or 'the field'} have moisture 0, which no grain has: the sensor was not "
        )
        if mean is None:
            cause += "reading. No other point tells their moisture, so they are not counted."
            problems.append(Problem(place, cause, "Type the bushels from scale tickets.", code="no_moisture"))
        else:
            frames.append(zeros.with_columns(moisture=pl.lit(mean, pl.Int64)))
            cause += f"reading yet. They were counted at the mean of the others, {show(half_even(mean, 1000))} %."
            problems.append(doubt(place, cause, "Hold the bushels against scale tickets.", "moisture_not_read"))
    return pl.concat(frames).sort(ROW), problems


# The attributes of a shapefile as columns of text: cut at once where the table is plain, else row by row.

_SEPARATOR: Final = 0x1F
_PLAIN: Final = r"^-?\d*(\.\d*)?$"
_ASCII: Final = 0x7F
_BLANK: Final = 0x20
_TYPES: Final = ("N", "F", "C")


def table_cells(
    reader: shapefile.Reader, parts: Parts, wanted: Mapping[str, str]
) -> tuple[pl.DataFrame, list[Problem]]:
    """Return attributes as columns of text, with the number of each row; of a damaged table those before its damage.

    ``wanted`` is the table's column in capitals by the name it is to have; one that the table lacks is empty.
    """
    place = Place(parts.name)
    problems: list[Problem] = []
    rows: list[tuple[str | int, ...]] = []
    try:
        plain = _plain_table(reader, parts.dbf or b"", wanted)
        if plain is not None:
            return plain, problems
        for number, record in enumerate(reader.iterRecords(), start=1):
            row = {key.upper(): value for key, value in record.as_dict().items()}
            rows.append((number, *(cell_text(row.get(each)) for each in wanted.values())))
        if len(rows) != len(reader):
            cause = f"{len(reader)} rows are announced, {len(rows)} could be read."
            problems.append(Problem(place, cause, AGAIN, code="bad_shapefile"))
    except BROKEN as wrong:
        cause = f"the table is damaged after row {len(rows)} ({type(wrong).__name__})."
        problems.append(Problem(place, cause, AGAIN, code="bad_shapefile"))
    schema = {ROW: pl.Int64, **dict.fromkeys(wanted, pl.String)}
    return pl.DataFrame(rows, schema, orient="row"), problems


def cell_text(value: object) -> str:
    """Return a value as text; a float as its shortest decimal, which is what a table's text said."""
    if value is None:
        return ""
    return format(value, "f") if isinstance(value, float) and "e" in repr(value) else str(value)


def _plain_table(reader: shapefile.Reader, table: bytes, asked: Mapping[str, str]) -> pl.DataFrame | None:
    """Return a table of plain texts and numbers, cut into columns at once; None for any other."""
    entries = [(each.name.upper(), str(each.field_type), each.size) for each in reader.fields if each.size > 0]
    entries = [each for each in entries if each[0] != "DELETIONFLAG"]
    names = [name for name, _, _ in entries]
    edges = np.cumsum([1, *(size for _, _, size in entries)]).tolist()
    count, head, size = struct.unpack_from("<IHH", table, 4)
    wanted = [(names.index(column), each) for each, column in asked.items() if column in names]
    if size != edges[-1] or len(table) < head + count * size or len(set(names)) < len(names) or not count or not wanted:
        return None
    if any(entries[at][1] not in _TYPES for at, _ in wanted):
        return None
    rows = np.frombuffer(table, np.uint8, count * size, head).reshape(count, size)
    spans = list(pairwise(edges))
    cut = np.full((count, 1), _SEPARATOR, np.uint8)
    pieces = [piece for at, _ in wanted for piece in (rows[:, slice(*spans[at])], cut)]
    text = np.concatenate([*pieces[:-1], np.full((count, 1), ord("\n"), np.uint8)], axis=1)
    inner = np.concatenate(pieces[::2], axis=1)
    odd = (inner > _ASCII).any() or ((inner < _BLANK) & (inner != 0)).any() or (rows[:, 0] != _BLANK).any()
    if odd:
        return None
    text[text == 0] = _BLANK
    found = pl.read_csv(
        io.BytesIO(text.tobytes()), has_header=False, infer_schema=False, separator=chr(_SEPARATOR), quote_char=None,
        new_columns=[each for _, each in wanted],
    )  # fmt: skip
    numbers = [each for at, each in wanted if entries[at][1] != "C"]
    texts = found.with_columns(pl.all().fill_null("").str.strip_chars())
    short = [
        texts[each] if bool(texts[each].str.contains(_PLAIN).all()) else _shortest(texts[each]) for each in numbers
    ]
    missing = [pl.lit("").alias(each) for each in asked if each not in texts.columns]
    return texts.with_columns(*short, *missing).with_row_index(ROW, 1)


def _shortest(column: pl.Series) -> pl.Series:
    """Return numbers that stand as powers of ten (``1.25e+001``) as decimals; what is none stays as it is."""

    def short(text: str) -> str:
        try:
            return cell_text(float(text.replace("*", "") or "nan"))
        except ValueError:
            return text

    return pl.Series(column.name, ["" if (said := short(each)) == "nan" else said for each in column], pl.String)


# Points of a yield log out of the attributes of shapefiles, by columns where the table is plain, else row by row.

_NAMES: Final = {**{each: each.upper() for each in COLUMNS}, "interval": "CYCLES", "grain": "CROP"}
_NEEDED: Final = tuple(_NAMES[each] for each in COLUMNS[:14])


def points_of_shapefiles(path: Path, name: str) -> tuple[pl.DataFrame, list[Problem]]:
    """Return the points of every shapefile given, and which rows and files cannot be read."""
    frames, problems = [SCHEMA.to_frame()], []
    for parts in gather(path, name):
        cells, told = _cells(parts)
        problems += told
        if cells is not None:
            found, told = points_of(cells, COLUMNS, parts.name)
            frames.append(found)
            problems += told
    return pl.concat(frames), problems


def _cells(parts: Parts) -> tuple[pl.DataFrame | None, list[Problem]]:
    """Return the attributes of a shapefile as columns of text; of a damaged one those before its damage."""
    place = Place(parts.name)
    problems: list[Problem] = []
    try:
        reader = parts.open()
        present = {entry.name.upper() for entry in reader.fields} if parts.dbf else set()
        lacking = [wanted for wanted in _NEEDED if wanted not in present]
        if lacking:
            cause = f"the shapefile lacks the columns {', '.join(lacking)}."
            remedy = "Export harvest with the columns of Ag Leader Advanced, or give the totals by hand."
            return None, [Problem(place, cause, remedy, code="missing_column")]
        if parts.prj is None:
            cause = "there is no .prj file; LONGITUDE and LATITUDE were read as WGS 84."
            problems.append(doubt(place, cause, "Confirm, or add the .prj file.", "assumed_wgs84"))
        problems += letters_of(parts)[1]
        cells, told = table_cells(reader, parts, _NAMES)
    except BROKEN as wrong:
        cause = f"the table is damaged ({type(wrong).__name__})."
        return None, [*problems, Problem(place, cause, AGAIN, code="bad_shapefile")]
    return cells, problems + told
