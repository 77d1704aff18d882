"""Points of a yield log by columns: what reads as plain numbers at once, every other row by ``read_point``.

Two million points are read so in seconds. A frame of points has one column for each field of ``Point``, in its units;
the columns that are not counted keep their texts, so that equal points are equal rows.
"""

import io
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Final

import numpy as np
import polars as pl

from provender.formats.delimited import MOST_CELLS, MOST_ROWS, decode_text, read_delimited
from provender.formats.yield_points import AMOUNTS, DEGREES, LAYOUTS, REST, Point, read_point
from provender.problem import Place, Problem

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
    """Return the points of rows of text, and what is wrong with those that are none.

    Args:
        cells: one column of text for each of ``columns``, and the number of each row.
        columns: a layout of ``LAYOUTS``.
        name: what problems call the file.
    """
    texts = cells.select(pl.col(ROW).cast(pl.Int64), *(_stripped(each) for each in columns))
    numbers = texts.select(
        ROW,
        *(_degrees(each) for each in DEGREES),
        *(_amount(each) for each in AMOUNTS),
        *(pl.col(each) if each in columns else pl.lit("").alias(each) for each in _TEXTS),
    )
    plain = numbers.select(pl.all_horizontal(pl.col(*DEGREES, *AMOUNTS).is_not_null())).to_series()
    read = [read_point(row, Place(name, row=at)) for at, *row in cells.filter(~plain).select(ROW, *columns).iter_rows()]
    odd = cells.filter(~plain)[ROW].to_list()
    good = _with_days(numbers.filter(plain))
    others = frame_of([(at, each) for at, each in zip(odd, read, strict=True) if isinstance(each, Point)])
    return pl.concat([good, others]).sort(ROW), [each for each in read if isinstance(each, Problem)]


def _stripped(name: str) -> pl.Expr:
    return pl.col(name).str.strip_chars(_AROUND)


def _degrees(name: str) -> pl.Expr:
    text, most = pl.col(name), DEGREES[name]
    value = pl.when(text.str.contains(r"^-?\d{1,3}(\.\d+)?$")).then(text).cast(pl.Float64, strict=False)
    return pl.when(value.abs() <= most).then(value).alias(name)


def _amount(name: str) -> pl.Expr:
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


def without_doubles(points: pl.DataFrame) -> pl.DataFrame:
    """Return points without those that repeat another in every value, the first of them kept."""
    moment = ["time", "longitude", "latitude"]
    if points.select(moment).is_unique().all():
        return points
    return points.unique([name for name in SCHEMA if name != ROW], keep="first", maintain_order=True)
