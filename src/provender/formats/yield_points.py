"""Points of a yield log as exact whole numbers, out of texts and shapefiles of Ag Leader Advanced and Yield Editor."""

import struct
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl
import shapefile

from provender.exact import half_even, show
from provender.formats.parsed import Problems
from provender.formats.point_columns import is_counted
from provender.formats.shapefiles import AGAIN, BROKEN, Parts, gather, letters_of
from provender.formats.spreadsheet import read_delimited
from provender.problem import Place

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
_DEGREES: Final = {"longitude": 180, "latitude": 90}
"""The most that each may be."""
AMOUNTS: Final = {
    "flow": (6, 0, 500, "grain flow"),
    "time": (0, _FIRST_TIME, _LAST_TIME, "GPS time"),
    "interval": (3, 0, 60, "interval"),
    "distance": (3, 0, 100_000, "distance"),
    "swath": (3, 0, 10_000, "swath"),
    "moisture": (6, 0, 99, "moisture"),
}
"""Decimals that each may have, least and most, and what it is called: lb/s, seconds, inches and percent."""
_TEXTS: Final = ("serial", "field", "load", "grain", "status", "pass", "gps", "pdop", "altitude", "variety")
"""Columns of which no amount is made; they keep their texts, so that equal points are equal rows."""

ROW: Final = "row"
SCHEMA: Final = pl.Schema({
    ROW: pl.Int64, **dict.fromkeys(_DEGREES, pl.Float64), "time": pl.Int64, "weight": pl.Int64, "moisture": pl.Int64,
    "square_inches": pl.Int64, "day": pl.Date, **dict.fromkeys(_TEXTS, pl.String),
})  # fmt: skip
"""Degrees in WGS 84, Unix seconds, 10^-9 lb, 10^-6 of a percent and of a square inch; days as in ``FieldYield``."""
_AROUND: Final = ' \t\r\u00a0"'
_NUMBER: Final = r"^[-+]?(\d{1,15}|\d{1,3}(,\d{3}){1,4})?(\.\d*)?$"
_UNREAD: Final = "The row is not counted. Export the log again, or correct the row."


def points_of_text(data: bytes, problems: Problems) -> pl.DataFrame:
    """Return the points of a text without heading; the rows that are none are told."""
    sheet, unread = read_delimited(data, problems.place.file, delimiter=",")
    told = Problems(problems.place, unread)
    by_layout: dict[int, list[tuple[int | str, ...]]] = {}
    for line in sheet.lines if sheet else ():
        by_layout.setdefault(len(line.cells), []).append((line.number, *line.cells))
    frames = [SCHEMA.to_frame()]
    for count, rows in by_layout.items():
        if count in LAYOUTS:
            schema = {ROW: pl.Int64, **dict.fromkeys(LAYOUTS[count], pl.String)}
            frames.append(points_of(pl.DataFrame(rows, schema, orient="row"), told))
        else:
            cause = f"the row has {count} columns; Ag Leader Advanced text has 17, Yield Editor's 14 to 16."
            for at, *_ in rows:
                told.row(int(at)).error(cause, _UNREAD, "unreadable_point")
    problems.found.extend(sorted(told.found, key=lambda each: each.place.row))
    return pl.concat(frames).sort(ROW)


def points_of(cells: pl.DataFrame, problems: Problems) -> pl.DataFrame:
    """Return the points of rows of text, in columns of a layout; those that are none are told."""
    texts = cells.with_columns(pl.col(pl.String).str.strip_chars(_AROUND))
    lacking = [pl.lit("").alias(each) for each in _TEXTS if each not in cells.columns]
    numbers = texts.with_columns(*map(_degree, _DEGREES), *map(_amount, AMOUNTS), *lacking)
    first = pl.coalesce(pl.when(pl.col(each).is_null()).then(pl.lit(each)) for each in (*_DEGREES, *AMOUNTS))
    wrong = numbers.select(first.alias("wrong")).to_series()
    for row in texts.with_columns(wrong).filter(wrong.is_not_null()).iter_rows(named=True):
        each = row["wrong"]
        most = _DEGREES.get(each, 0)
        scale, least, most, what = AMOUNTS.get(each, (0, -most, most, each))
        limit = "" if each in _DEGREES else f" with at most {scale} decimals"
        cause = f"the row cannot be read: {what} {row[each]} is no number from {least} to {most}{limit}."
        problems.row(row[ROW]).error(cause, _UNREAD, "unreadable_point")
    good = numbers.filter(wrong.is_null())
    hours = np.rint(good["longitude"].to_numpy() / 15).astype(np.int64)  # as ``days.hours_by_sun`` counts them
    days = (good["time"].to_numpy() + hours * 3600) // 86_400
    points = good.with_columns(
        pl.Series("day", days.astype(np.int32)).cast(pl.Date),
        weight=pl.col("flow") * pl.col("interval"),
        square_inches=pl.col("distance") * pl.col("swath"),
    )
    return points.select(pl.col(each).cast(kind) for each, kind in SCHEMA.items())


def _degree(name: str) -> pl.Expr:
    value = pl.col(name).cast(pl.Float64, strict=False)
    return pl.when(value.abs() <= _DEGREES[name]).then(value).alias(name)


def _amount(name: str) -> pl.Expr:
    """Return whole units of an amount; null for what ``exact.parse`` would not read, and beyond its bounds."""
    scale, least, most, _ = AMOUNTS[name]
    plain = pl.col(name).str.strip_prefix("+").str.replace_all(",", "")
    is_read = pl.col(name).str.contains(_NUMBER) & pl.col(name).str.contains(rf"^[^.]*(\.\d{{0,{scale}}}0*)?$")
    value = pl.when(is_read).then(plain).cast(pl.Decimal(38, scale), strict=False).to_physical().cast(pl.Int64)
    return pl.when(value.is_between(least * 10**scale, most * 10**scale)).then(value).alias(name)


def without_doubles(points: pl.DataFrame, problems: Problems) -> pl.DataFrame:
    """Return points without those that repeat another in every value, the first of them kept."""
    left = points.unique([name for name in points.columns if name != ROW], keep="first", maintain_order=True)
    if doubled := points.height - left.height:
        cause = f"{doubled} rows repeat another row in every value; each was counted once."
        problems.doubt(cause, "Check that a card was not exported twice.", "doubled_points")
    return left


def without_marked(
    frame: pl.DataFrame, column: str, called: str, problems: Problems, *, left_out: bool = False
) -> pl.DataFrame:
    """Return the points that a column does not mark as not counted; the others are told.

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
        problems.error(cause, remedy, "no_points")
        return kept
    if off:
        cause = f"{frame.height - kept.height} of {frame.height} points are marked as not counted ({said}); they give "
        problems.note(f"{cause}no area and no amount.", "Nothing to do.", "points_not_counted")
    if unknown := [mark for mark, counts in known.items() if counts is None]:
        cause = f"nobody here knows what {called} {', '.join(unknown[:_NAMED])} means; these points were counted."
        problems.doubt(cause, "Confirm it, or export the layer without them.", "unknown_mark")
    return kept


_NAMED: Final = 5


def with_moisture(points: pl.DataFrame, grains: Iterable[str], problems: Problems) -> pl.DataFrame:
    """Give grain that passed a sensor which read 0, and so was not reading yet, the mean moisture of its field.

    Where none was read, the grain is not counted: nobody can say how much of it is dry.
    """
    weight = pl.col("weight").cast(pl.Int128)
    unread = (pl.col("moisture") == 0) & (weight > 0) & pl.col("grain").is_in(list(grains))
    if points.filter(unread).is_empty():
        return points
    by = ["field", "grain"]
    sums = (
        points.filter(pl.col("moisture") > 0).group_by(by).agg(weight.sum(), water=(weight * pl.col("moisture")).sum())
    )
    means = {(name, grain): half_even(water, pounds) for name, grain, pounds, water in sums.rows() if pounds}
    frames = [points.filter(~unread)]
    for (name, grain), zeros in points.filter(unread).group_by(by, maintain_order=True):
        mean = means.get((name, grain))
        where = (
            f"{zeros.height} points of {name or 'the field'} have moisture 0, which no grain has: the sensor was not"
        )
        if mean is None:
            cause = f"{where} reading. No other point tells their moisture, so they are not counted."
            problems.error(cause, "Type the bushels from scale tickets.", "no_moisture")
        else:
            frames.append(zeros.with_columns(moisture=pl.lit(mean, pl.Int64)))
            said = show(half_even(mean, 1000))
            cause = f"{where} reading yet. They were counted at the mean of the others, {said} %."
            problems.doubt(cause, "Hold the bushels against scale tickets.", "moisture_not_read")
    return pl.concat(frames).sort(ROW)


# The attributes of a shapefile as columns of text.

_PLAIN: Final = r"^-?\d*(\.\d*)?$"
_ALIVE: Final = ord(" ")
"""The first byte of a row that was not deleted."""


def table_cells(reader: shapefile.Reader, parts: Parts, wanted: Mapping[str, str], problems: Problems) -> pl.DataFrame:
    """Return attributes as columns of text, with the number of each row; of a damaged table those before its damage.

    The library takes half a minute for a million rows, one after the other; here each column is cut at once.
    ``wanted`` is the table's column in capitals by the name it is to have; one that the table lacks is empty.

    Raises:
        any of ``BROKEN``: not even a row can be read.
    """
    table = parts.dbf or b""
    count, head, size = struct.unpack_from("<IHH", table, 4)
    held = min(count, max(len(table) - head, 0) // size)
    rows = np.frombuffer(table, np.uint8, held * size, head).reshape(held, size)
    alive = np.flatnonzero(rows[:, 0] == _ALIVE)
    frame = pl.DataFrame({ROW: pl.Series(alive + 1, dtype=pl.Int64)})
    places, at = {}, 1
    for each in reader.fields:
        if each.name != "DeletionFlag":
            places[each.name.upper()] = str(each.field_type), slice(at, at + each.size)
            at += each.size
    if at > size:
        raise ValueError("its columns are wider than its rows")
    letters = letters_of(parts, problems)
    errors = "ignore" if letters == "utf-8" else "replace"  # a name that fills its column may end within a letter
    for name, column in wanted.items():
        kind, place = places.get(column, ("", slice(0)))
        texts = [""] * len(alive)
        if kind:
            bare = np.ascontiguousarray(rows[alive, place]).view(f"S{place.stop - place.start}").ravel()
            texts = [cell.decode(letters, errors).replace("\x00", " ").strip() for cell in bare]
        frame = frame.with_columns(_as_read(pl.Series(name, texts, dtype=pl.String), kind))
    if len(alive) != count:
        problems.error(f"{count} rows are announced, {len(alive)} could be read.", AGAIN, "bad_shapefile")
    return frame


def _as_read(column: pl.Series, kind: str) -> pl.Series:
    """Return the texts of a column of a table as other files write them: days with hyphens, numbers as decimals."""
    if kind == "D":
        return column.str.replace(r"^(\d{4})(\d\d)(\d\d)$", "$1-$2-$3")
    if kind == "L":
        return column.str.replace("?", "", literal=True)
    if kind not in ("N", "F") or column.str.contains(_PLAIN).all():
        return column

    def short(text: str) -> str:
        try:  # numbers that stand as powers of ten (``1.25e+001``), and signs for none
            return cell_text(float(text.replace("*", "") or "nan"))
        except ValueError:
            return text

    return pl.Series(column.name, ["" if (said := short(each)) == "nan" else said for each in column], pl.String)


def cell_text(value: object) -> str:
    """Return a value as text; a float as its shortest decimal, which is what a table's text said."""
    if value is None:
        return ""
    return format(value, "f") if isinstance(value, float) and "e" in repr(value) else str(value)


# Points of a yield log out of the attributes of shapefiles with the columns of Ag Leader Advanced.

_NAMES: Final = {**{each: each.upper() for each in COLUMNS}, "interval": "CYCLES", "grain": "CROP"}


def points_of_shapefiles(path: Path, problems: Problems) -> pl.DataFrame:
    """Return the points of every shapefile given; which rows and files cannot be read is told."""
    frames = [SCHEMA.to_frame()]
    for parts in gather(path, problems.place.file):
        here = problems.at(Place(parts.name))
        try:
            reader = parts.open()
            present = {entry.name.upper() for entry in reader.fields} if parts.dbf else set()
            if lacking := [_NAMES[each] for each in COLUMNS[:14] if _NAMES[each] not in present]:
                cause = f"the shapefile lacks the columns {', '.join(lacking)}."
                remedy = "Export harvest with the columns of Ag Leader Advanced, or give the totals by hand."
                here.error(cause, remedy, "missing_column")
                continue
            if parts.prj is None:
                cause = "there is no .prj file; LONGITUDE and LATITUDE were read as WGS 84."
                here.doubt(cause, "Confirm, or add the .prj file.", "assumed_wgs84")
            frames.append(points_of(table_cells(reader, parts, _NAMES, here), here))
        except BROKEN as wrong:
            here.error(f"the table is damaged ({type(wrong).__name__}).", AGAIN, "bad_shapefile")
    return pl.concat(frames)
