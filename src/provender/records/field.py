"""Columns of a record, declared once: type, unit in the name, bounds, label, help and paragraph.

Each function returns a dataframely column whose metadata every adapter reads (checks, template, importer, web form,
JSON schema, API). Nobody writes a field's name twice.
"""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import dataframely as dy

from provender.exact import SCALE, parse
from provender.schema import When

KEY_MAX: Final = 80
"""Letters of a key."""
KEY_FIRST: Final = r"[\p{L}\p{N}]"
KEY_LETTER: Final = r"[\p{L}\p{N} ._:/#()-]"
KEY_PATTERN: Final = rf"^{KEY_FIRST}{KEY_LETTER}{{0,{KEY_MAX - 1}}}$"
TEXT_MAX: Final = 2000
_METADATA: Final = "provender"


class ColumnKind(StrEnum):
    """How the text of a cell becomes a value: one parser each."""

    KEY = "key"
    TEXT = "text"
    CHOICE = "choice"
    QUANTITY = "quantity"
    WHOLE = "whole"
    DAY = "day"
    YES_NO = "yes_no"


@dataclass(frozen=True, slots=True)
class Field:
    """What people and adapters need to know of a column."""

    kind: ColumnKind  # which parser reads it
    label: str  # the heading a person sees
    help: str = ""  # one sentence on what to enter
    cite: str = ""  # the paragraph that asks for it, or empty
    unit: str = ""  # the unit of a quantity, as its name ends
    scale: int = 0  # decimal digits of a quantity (3: whole thousandths)
    options: tuple[str, ...] = ()  # the words of a choice
    refers: str = ""  # the kind of record whose key this column names, or empty
    required: bool = False  # a row without it cannot be used
    internal: bool = False  # filled by the reader (where the row came from), never typed
    share: bool = False  # a value below one is a share of one: a moisture of 0.172 is 17.2 percent
    later: bool = False  # added after documents were signed over rows without it: blank, it stays out of what is signed
    unsigned: bool = False  # says nothing of what happened, so no report rests on it: it is never among what is signed
    when: When | None = None  # what another column must say for a form to show this one
    seldom: bool = False  # a form folds it away where the farm never filled it


def describe(column: dy.Column) -> Field:
    """Return what a column was declared with.

    Raises:
        KeyError: the column was not made by this module.
    """
    found = (column.metadata or {})[_METADATA]
    if not isinstance(found, Field):
        raise KeyError(column.name)
    return found


def only(column: str, *words: str) -> When:
    """Say that a column matters where another holds one of these words, or nothing yet."""
    return When(column, ("", *words))


def unless(column: str, *words: str) -> When:
    """Say that a column matters but where another holds one of these words; an empty word stands for nothing."""
    return When(column, words, hides=True)


def _meta(kind: ColumnKind, label: str, /, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - keyword bundle of Field
    return {_METADATA: Field(kind, label, **more)}


def key(label: str, hint: str = "", *, cite: str = "") -> dy.String:
    """Declare the identifier of the record itself; unique within its farm and kind."""
    meta = _meta(ColumnKind.KEY, label, help=hint, cite=cite, required=True)
    return dy.String(primary_key=True, regex=KEY_PATTERN, metadata=meta)


def refers(
    kind: str, label: str, hint: str = "", *, cite: str = "", required: bool = True, part: bool = False,
    when: When | None = None,
) -> dy.String:  # fmt: skip
    """Declare the identifier of another record of the same farm; ``part`` makes it part of this record's own key."""
    needed = required or part
    meta = _meta(ColumnKind.KEY, label, help=hint, cite=cite, refers=kind, required=needed, when=when)
    return dy.String(primary_key=part, nullable=not needed, regex=KEY_PATTERN, metadata=meta)


def text(  # noqa: PLR0913 - one place where a column is described
    label: str, hint: str = "", *, cite: str = "", required: bool = False, part: bool = False, later: bool = False,
    unsigned: bool = False, when: When | None = None, seldom: bool = False,
) -> dy.String:  # fmt: skip
    """Declare free text of at most 2,000 characters; see ``Field.later`` and ``Field.unsigned``."""
    meta = _meta(
        ColumnKind.TEXT, label, help=hint, cite=cite, required=required, later=later, unsigned=unsigned, when=when,
        seldom=seldom,
    )  # fmt: skip
    return dy.String(nullable=not required, primary_key=part, max_length=TEXT_MAX, min_length=1, metadata=meta)


def choice(  # noqa: PLR0913 - one place where a column is described
    options: Iterable[str],
    label: str,
    hint: str = "",
    *,
    cite: str = "",
    required: bool = False,
    part: bool = False,
    later: bool = False,
    when: When | None = None,
) -> dy.Enum:
    """Declare one word out of a list."""
    words = tuple(options)
    meta = _meta(
        ColumnKind.CHOICE, label, help=hint, cite=cite, options=words, required=required, later=later, when=when
    )
    return dy.Enum(words, nullable=not required, primary_key=part, metadata=meta)


def quantity(  # noqa: PLR0913 - one place where a column is described
    unit: str,
    label: str,
    hint: str = "",
    *,
    least: str = "0",
    most: str = "1000000",
    cite: str = "",
    scale: int = SCALE,
    required: bool = False,
    share: bool = False,
    when: When | None = None,
    seldom: bool = False,
) -> dy.Int64:
    """Declare an exact number of ``unit``, kept as whole units of ``10**-scale``; bounds are written as decimals.

    Where no value below one can be meant, ``share`` reads such a value as a share of one: 0.172 is 17.2 percent.
    """
    meta = _meta(
        ColumnKind.QUANTITY, label, help=hint, cite=cite, unit=unit, scale=scale, required=required, share=share,
        when=when, seldom=seldom,
    )  # fmt: skip
    return dy.Int64(nullable=not required, min=parse(least, scale), max=parse(most, scale), metadata=meta)


def whole(  # noqa: PLR0913 - one place where a column is described
    label: str,
    hint: str = "",
    *,
    least: int,
    most: int,
    cite: str = "",
    required: bool = False,
    part: bool = False,
    later: bool = False,
) -> dy.Int64:
    """Declare a whole number, such as a year; see ``Field.later``."""
    meta = _meta(ColumnKind.WHOLE, label, help=hint, cite=cite, required=required, later=later)
    return dy.Int64(nullable=not required, primary_key=part, min=least, max=most, metadata=meta)


def day(label: str, hint: str = "", *, cite: str = "", required: bool = False, when: When | None = None) -> dy.Date:
    """Declare a calendar day."""
    meta = _meta(ColumnKind.DAY, label, help=hint, cite=cite, required=required, when=when)
    return dy.Date(nullable=not required, min=dt.date(1980, 1, 1), max=dt.date(2100, 1, 1), metadata=meta)


def yes_no(
    label: str, hint: str = "", *, cite: str = "", required: bool = False, later: bool = False, seldom: bool = False
) -> dy.Bool:
    """Declare an answer of yes or no; blank means that the record does not say. See ``Field.later``."""
    meta = _meta(ColumnKind.YES_NO, label, help=hint, cite=cite, required=required, later=later, seldom=seldom)
    return dy.Bool(nullable=not required, metadata=meta)


def internal(label: str) -> dy.String:
    """Declare text that the reader fills: file and sheet of a row."""
    return dy.String(nullable=True, metadata=_meta(ColumnKind.TEXT, label, internal=True))


def internal_whole(label: str) -> dy.Int64:
    """Declare a number that the reader fills: the row in its sheet, as a person counts."""
    return dy.Int64(nullable=True, metadata=_meta(ColumnKind.WHOLE, label, internal=True))


# Labels of columns and kinds of records inside a sentence.


def starting_small(label: str) -> str:
    """Write a label inside a sentence: its first letter small, abbreviations and units as they are."""
    return label[:1].lower() + label[1:] if label[1:2].islower() else label
