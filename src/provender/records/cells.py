"""From the text of a cell to a typed value: one parser per kind of column."""

import datetime as dt
import re
import unicodedata
from collections.abc import Callable
from difflib import get_close_matches
from typing import Final

from provender.quantity import parse
from provender.records.field import KEY_PATTERN, TEXT_MAX, ColumnKind, Field

Value = str | int | bool | dt.date | None

YES: Final = frozenset({"yes", "y", "true", "1", "x"})
NO: Final = frozenset({"no", "n", "false", "0"})
_KEY = re.compile(KEY_PATTERN.replace(r"\p{L}\p{N}", r"\w"))
_ISO_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[ T]00:00(?::00(?:\.0+)?)?)?", re.ASCII)
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
    try:
        return parse(text, field.scale)
    except ValueError as wrong:
        unit = f" (unit: {field.unit})" if field.unit else ""
        raise CellError(str(wrong)[:200], f"Write the number alone, such as 12.5{unit}.") from None


def _whole(text: str, _: Field) -> int:
    try:
        return parse(text, 0)
    except ValueError as wrong:
        raise CellError(str(wrong)[:200], "Write a whole number.") from None


def _day(text: str, _: Field) -> dt.date:
    found = _ISO_DAY.fullmatch(text)
    if found is None:
        raise CellError(f"{text[:40]!r} is not a date", "Write year-month-day, such as 2026-05-14.")
    try:
        return dt.date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        raise CellError(f"{text!r} is no day of the calendar", "Check month and day.") from None


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
    ColumnKind.DAY: _day,
    ColumnKind.YES_NO: _yes_no,
}


def read_cell(text: str, field: Field) -> Value:
    """Read one cell; blank text is None.

    Raises:
        CellError: the text does not fit the column.
    """
    clean = unicodedata.normalize("NFC", text).strip()
    if not clean:
        return None
    if _CONTROL.search(clean):
        raise CellError("the cell holds control characters", "Type the value again; the file may be damaged.")
    return _PARSERS[field.kind](clean, field)
