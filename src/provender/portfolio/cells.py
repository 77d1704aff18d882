"""A column of somebody's Parquet as a column of a record: what fits is taken, what does not is marked, cell by cell.

Programs write one and the same value in many types. A quantity is always a whole number of thousandths, whatever the
type that holds it; a column of floats in which any value has a fraction, or of decimals with room for one, was meant
otherwise, and then nobody can know what its whole numbers mean: all of it is marked.
"""

import datetime as dt
from collections.abc import Mapping
from typing import Final

import polars as pl

from provender.quantity import show
from provender.records.cells import CellError, read_cell
from provender.records.field import ColumnKind, Field

_WHOLE_TEXT: Final = r"^[+-]?\d{1,18}$"
_PLAIN: Final = r"^[!-~](?:[ -~]*[!-~])?$"
"""A text without anything to tidy, and one look at each: letters of ASCII, with neither blank before nor after."""
_UNTIDY: Final = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
_EXACT: Final[Mapping[type[pl.DataType], int]] = {pl.Float16: 2**11, pl.Float32: 2**24, pl.Float64: 2**53}
"""Below which a float holds every whole number; others may have been rounded."""
_COUNTY: Final = "county_fips"
_FIPS: Final = 5
"""Digits of a county: a whole number has lost the nought that Alabama to Connecticut begin with."""


def read_column(raw: pl.Series, field: Field, dtype: pl.DataType) -> tuple[pl.Series, pl.Series | None]:
    """Return the column typed, null where a cell could not be read, and where that is; None where all could be."""
    if raw.null_count() == raw.len():
        return pl.Series(raw.name, [None], dtype).new_from_index(0, raw.len()), None
    if raw.dtype != dtype:
        raw = _as_text(raw)
    if raw.dtype == dtype:
        return _tidied(raw, field, dtype) if field.kind in (ColumnKind.KEY, ColumnKind.TEXT) else (raw, None)
    match field.kind:
        case ColumnKind.KEY | ColumnKind.TEXT | ColumnKind.CHOICE:
            value, bad = _text(raw, field, dtype)
        case ColumnKind.QUANTITY | ColumnKind.WHOLE:
            value, bad = _number(raw, thousandths=field.kind is ColumnKind.QUANTITY)
        case ColumnKind.DAY:
            value, bad = _day(raw, field)
        case ColumnKind.YES_NO:
            value, bad = _yes_no(raw, field)
    return value, bad if bad is not None and bad.any() else None


def _as_text(raw: pl.Series) -> pl.Series:
    """Return categories and bytes as the text they stand for; bytes that are no text stay what they are."""
    if isinstance(raw.dtype, pl.Categorical | pl.Enum):
        return raw.cast(pl.String)
    if raw.dtype == pl.Binary:
        text = _decoded(raw)
        return text if text.null_count() == raw.null_count() else raw
    return raw


def _decoded(raw: pl.Series) -> pl.Series:
    """Return bytes as text, null where they are none."""
    try:
        return raw.cast(pl.String)
    except pl.exceptions.ComputeError:
        return pl.Series(raw.name, [None if one is None else _utf8(one) for one in raw], pl.String)


def _utf8(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _none(raw: pl.Series, dtype: pl.DataType | type[pl.DataType]) -> tuple[pl.Series, pl.Series | None]:
    """Return a column of which nothing could be read."""
    return pl.Series(raw.name, [None], dtype).new_from_index(0, raw.len()), raw.is_not_null()


def _text(raw: pl.Series, field: Field, dtype: pl.DataType) -> tuple[pl.Series, pl.Series | None]:
    if raw.dtype == pl.String:
        quick = raw.cast(dtype, strict=False)
        return (quick, None) if quick.null_count() == raw.null_count() else _by_value(raw, field, dtype)
    if raw.dtype == pl.Binary:
        text = _decoded(raw)
        value, bad = read_column(text, field, dtype)
        lost = raw.is_not_null() & text.is_null()
        return value, lost if bad is None else lost | bad
    # Numbers as names; 17.0 where a data frame had a blank among them, which what is required has not.
    numbers = raw.dtype.is_integer() or (raw.dtype.is_numeric() and not field.required)
    if numbers and field.kind is not ColumnKind.CHOICE:
        whole, bad = _number(raw, thousandths=False)
        text = (raw if raw.dtype.is_integer() else whole).cast(pl.String)
        named = text.str.zfill(_FIPS) if raw.name.endswith(_COUNTY) else text
        return named, None if raw.dtype.is_integer() else bad
    return _none(raw, dtype)


def _tidied(raw: pl.Series, field: Field, dtype: pl.DataType) -> tuple[pl.Series, pl.Series | None]:
    """Return texts as a cell of a CSV file would have them: trimmed, composed, blank ones null.

    Keys are looked at once a run; other texts have few distinct values, and those are looked at.
    """
    if field.internal:
        return raw, None
    looked = raw.filter(raw.ne_missing(raw.shift(1))) if field.kind is ColumnKind.KEY else raw.unique()
    if looked.str.contains(_PLAIN).all():
        return raw, None
    trimmed = looked.str.strip_chars()
    untidy = (trimmed != looked).any() or (looked.str.len_bytes() == 0).any()
    foreign = (looked.str.len_bytes() != looked.str.len_chars()).any()
    if not untidy and not foreign and (field.kind is ColumnKind.KEY or not looked.str.contains(_UNTIDY).any()):
        return raw, None
    value, bad = _by_value(raw, field, dtype)
    return value, bad if bad is not None and bad.any() else None


def _by_value(raw: pl.Series, field: Field, dtype: pl.DataType) -> tuple[pl.Series, pl.Series | None]:
    """Read each distinct text once, as a cell of a CSV file is read."""
    texts = raw.drop_nulls().unique()
    values: list[object] = []
    for text in texts:
        try:
            values.append(read_cell(text, field))
        except CellError:
            values.append(CellError)
    bad = pl.Series("bad", [value is CellError for value in values], pl.Boolean)
    read = pl.Series("value", [None if value is CellError else value for value in values], dtype)
    table = pl.DataFrame({"raw": texts, "value": read, "bad": bad})
    joined = raw.to_frame("raw").join(table, on="raw", how="left", maintain_order="left")
    return joined["value"].alias(raw.name), joined["bad"].fill_null(value=False)


def _number(raw: pl.Series, *, thousandths: bool) -> tuple[pl.Series, pl.Series | None]:
    if raw.dtype == pl.String:
        value = pl.when(raw.str.contains(_WHOLE_TEXT)).then(raw.str.to_integer(strict=False))
        read = raw.to_frame().select(value.cast(pl.Int64).alias(raw.name)).to_series()
        blank = raw.str.strip_chars() == ""
        return read, raw.is_not_null() & read.is_null() & ~blank
    if isinstance(raw.dtype, pl.Decimal) and raw.dtype.scale and thousandths:
        # Room for fractions of the unit itself: 80.000 acres and 80 thousandths would look the same.
        return _none(raw, pl.Int64)
    if not raw.dtype.is_numeric():
        return _none(raw, pl.Int64)
    whole = raw.cast(pl.Int64, strict=False)
    bad = raw.is_not_null() & whole.is_null()
    if raw.dtype.is_integer():
        return whole, bad
    fractions = (whole.cast(raw.dtype, strict=False) != raw).fill_null(value=False)
    if fractions.any():
        return _none(raw, pl.Int64)
    if most := _EXACT.get(raw.dtype.base_type()):
        bad = bad | (whole.abs() >= most).fill_null(value=False)
    return whole.to_frame().select(pl.when(~bad).then(pl.col(raw.name))).to_series(), bad


def _day(raw: pl.Series, field: Field) -> tuple[pl.Series, pl.Series | None]:
    if raw.dtype == pl.String:
        return _by_value(raw, field, pl.Date())
    if isinstance(raw.dtype, pl.Datetime):
        day = raw.dt.date()
        odd = raw.is_not_null() & (raw.dt.time() != dt.time())
        return day.to_frame().select(pl.when(~odd).then(pl.col(raw.name))).to_series(), odd
    return _none(raw, pl.Date)


def _yes_no(raw: pl.Series, field: Field) -> tuple[pl.Series, pl.Series | None]:
    if raw.dtype == pl.String:
        return _by_value(raw, field, pl.Boolean())
    if raw.dtype.is_numeric():
        bad = raw.is_not_null() & (raw != 0) & (raw != 1)
        return raw.to_frame().select(pl.when(~bad).then(pl.col(raw.name) == 1)).to_series(), bad
    return _none(raw, pl.Boolean)


def shown(value: object, field: Field) -> str:
    """Write a value that could not be read, for people."""
    if isinstance(value, int) and field.kind is ColumnKind.QUANTITY:
        return show(value, field.scale)
    return repr(value)[:80]


def remedy(field: Field) -> str:
    """Say what a column must hold."""
    match field.kind:
        case ColumnKind.QUANTITY:
            unit = f"10^-{field.scale} {field.unit}"
            return f"Write a 64-bit whole number of {unit}: {show(2500, field.scale)} {field.unit} is 2500."
        case ColumnKind.WHOLE:
            return "Write a whole number."
        case ColumnKind.DAY:
            return "Write a date without a time of day."
        case ColumnKind.YES_NO:
            return "Write a Boolean, or yes and no."
        case ColumnKind.CHOICE:
            return f"Write one of: {', '.join(field.options)}."
        case _:
            return "Write it as UTF-8 text."
