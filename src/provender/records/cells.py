"""From the text of a cell to a typed value: one parser per kind of column."""

import datetime as dt
import re
import unicodedata
from collections.abc import Callable
from difflib import get_close_matches
from typing import Final

from provender.days import DayTextError, is_open, read_day
from provender.quantity import parse
from provender.records.field import KEY_PATTERN, TEXT_MAX, ColumnKind, Field

Value = str | int | bool | dt.date | None

YES: Final = frozenset({"yes", "y", "true", "1", "x"})
NO: Final = frozenset({"no", "n", "false", "0"})
_KEY = re.compile(KEY_PATTERN.replace(r"\p{L}\p{N}", r"\w"))
_BELOW_ONE = re.compile(r"\+?0*\.\d*[1-9]\d*", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class CellError(ValueError):
    """A cell that cannot be read: why, and what to write instead."""

    def __init__(self, cause: str, remedy: str) -> None:
        super().__init__(cause)
        self.cause = cause
        self.remedy = remedy


def _key(text: str, _: Field) -> str:
    if not _KEY.fullmatch(text):
        raise CellError(f"{text[:80]!r} is no identifier", "Use letters, digits and . _ : / # - ( ), at most 80.")
    return text


def _text(text: str, _: Field) -> str:
    if len(text) > TEXT_MAX:
        raise CellError(f"the text has {len(text):,} characters", f"Keep it within {TEXT_MAX:,}.")
    return text


def _choice(text: str, field: Field) -> str:
    folded = re.sub(r"[\s-]+", "_", text.casefold())
    if folded in field.options:
        return folded
    near = get_close_matches(folded, field.options, n=1)
    hint = f"Did you mean {near[0]}? " if near else ""
    raise CellError(f"{text[:80]!r} is not among the choices", f"{hint}Write one of: {', '.join(field.options)}.")


def _quantity(text: str, field: Field) -> int:
    plain, stated = _without_unit(text, field.unit)
    try:
        if field.share and not stated and _BELOW_ONE.fullmatch(plain):
            return parse(plain, field.scale + 2)  # 0.172 is 17.2 percent: two digits more, and a hundred times as much
        return parse(plain, field.scale)
    except ValueError as wrong:
        unit = f" (unit: {field.unit})" if field.unit else ""
        raise CellError(str(wrong)[:200], f"Write the number alone, such as 12.5{unit}.") from None


def _without_unit(text: str, unit: str) -> tuple[str, bool]:
    """Return a number without the column's own unit behind it, and whether that stood there."""
    for written in filter(None, (unit, "%" if unit == "pct" else "")):
        number = text[: -len(written)].rstrip()
        if text.casefold().endswith(written.casefold()) and number[-1:].isdigit():
            return number, True
    return text, False


def _whole(text: str, _: Field) -> int:
    try:
        return parse(text, 0)
    except ValueError as wrong:
        raise CellError(str(wrong)[:200], "Write a whole number.") from None


def _day(text: str, _: Field, order: str) -> dt.date:
    try:
        return read_day(text, order if is_open(text) else "")
    except DayTextError as wrong:
        raise CellError(str(wrong), wrong.remedy) from None


def _yes_no(text: str, _: Field) -> bool:
    folded = text.casefold()
    if folded in YES:
        return True
    if folded in NO:
        return False
    raise CellError(f"{text[:40]!r} is neither yes nor no", "Write yes or no, or leave the cell blank.")


_PARSERS: Final[dict[ColumnKind, Callable[[str, Field], Value]]] = {
    ColumnKind.KEY: _key,
    ColumnKind.TEXT: _text,
    ColumnKind.CHOICE: _choice,
    ColumnKind.QUANTITY: _quantity,
    ColumnKind.WHOLE: _whole,
    ColumnKind.YES_NO: _yes_no,
}


def read_cell(text: str, field: Field, order: str = "") -> Value:
    """Read one cell; blank text is None.

    Args:
        text: of the cell.
        field: its column.
        order: ``mdy`` or ``dmy``, where something tells which number of 5/4/2026 is the month.

    Raises:
        CellError: the text does not fit the column.
    """
    clean = (text if text.isascii() else unicodedata.normalize("NFC", text)).strip()
    if not clean:
        return None
    if _CONTROL.search(clean):
        raise CellError("the cell holds control characters", "Type the value again; the file may be damaged.")
    return _day(clean, field, order) if field.kind is ColumnKind.DAY else _PARSERS[field.kind](clean, field)
