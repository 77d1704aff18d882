"""Columns of a record, declared once: type, unit in the name, bounds, label, help and paragraph.

Each function returns a dataclass field with a ``Field``, which every adapter reads (checks, template, importer, web
form, JSON schema, API). Nobody writes a field's name twice. Blank is None, but where ``required``.
"""

import dataclasses
import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypedDict, Unpack

from provender.exact import SCALE, parse
from provender.schema import When

# ruff: noqa: ANN401 - the annotation beside it says what a column holds, and a test holds the two together

KEY_MAX: Final = 80
"""Letters of a key."""
KEY_FIRST: Final = r"[\p{L}\p{N}]"
KEY_LETTER: Final = r"[\p{L}\p{N} ._:/#()-]"
KEY_PATTERN: Final = rf"^{KEY_FIRST}{KEY_LETTER}{{0,{KEY_MAX - 1}}}$"
KEY: Final = re.compile("(?!_)" + KEY_PATTERN[1:-1].replace(r"\p{L}\p{N}", r"\w"))
"""The same pattern as Python writes it, for a whole text."""
TEXT_MAX: Final = 2000
_DAYS: Final = dt.date(1980, 1, 1), dt.date(2100, 1, 1)
METADATA: Final = "provender"


# Numbers of tickets and papers as spreadsheets leave them: with fifteen digits and no zeros before the first.

_SHORTENED: Final = re.compile(r"[1-9](?:[.,]\d+E\+?|E\+)\d{1,3}", re.ASCII | re.IGNORECASE)
_KEPT_DIGITS: Final = 15
_MONTHS: Final = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_AS_A_DAY: Final = re.compile(
    rf"(?:\d{{1,2}}-)?(?:{_MONTHS})(?:-\d{{2}}(?:\d{{2}})?)?|(?:{_MONTHS})-\d{{1,2}}", re.IGNORECASE
)

_A_DAY: Final = re.compile(r"\d{1,2}/\d{1,2}/\d{4}|\d{4}-\d\d-\d\d(?:[T ]00:00(?::00)?)?", re.ASCII)


def is_shortened(text: str) -> bool:
    """Tell whether a spreadsheet shortened a number to such as ``2.02601E+11``: nobody can tell which it was."""
    return _SHORTENED.fullmatch(text) is not None


def lost_digits(texts: Iterable[str], *, of_tickets: bool = False) -> dict[str, str]:
    """Return the numbers of a column of which a spreadsheet lost digits, each with what became of it.

    A number of more than fifteen digits ends in zeros then; where one of the column does not, none was lost. No ticket
    has a whole day for its number.
    """
    numbers = set(texts)
    long = {text for text in numbers if text.isdecimal() and len(text) > _KEPT_DIGITS and text[0] != "0"}
    cut = long if all(text[_KEPT_DIGITS:].strip("0") == "" for text in long) else set()
    found = dict.fromkeys(cut, "a spreadsheet keeps fifteen digits of a number and writes zeros for the others")
    found |= {text: "a spreadsheet shortened the number" for text in numbers if is_shortened(text)}
    days = {text for text in numbers if _AS_A_DAY.fullmatch(text) or (of_tickets and _A_DAY.fullmatch(text))}
    return found | dict.fromkeys(days, "a spreadsheet made a date of it")


def as_printed(number: str) -> str:
    """Return the number of a ticket without what spreadsheets add: a fraction of zeros, commas between thousands."""
    if found := re.fullmatch(r"(\d+)\.0+", number, re.ASCII):
        return found[1]
    return number.replace(",", "") if re.fullmatch(r"[1-9]\d{0,2}(?:,\d{3})+", number, re.ASCII) else number


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
    least: Any = None  # the first value that can be right, where only some can
    most: Any = None  # the last one
    refers: str = ""  # the kind of record whose key this column names, or empty
    part: bool = False  # the record's key, or a part of it
    required: bool = False  # a row without it cannot be used
    internal: bool = False  # filled by the reader (where the row came from), never typed
    share: bool = False  # a value below one is a share of one: a moisture of 0.172 is 17.2 percent
    later: bool = False  # added after documents were signed over rows without it: blank, it stays out of what is signed
    unsigned: bool = False  # says nothing of what happened, so no report rests on it: it is never among what is signed
    when: When | None = None  # what another column must say for a form to show this one
    seldom: bool = False  # a form folds it away where the farm never filled it


def only(column: str, *words: str) -> When:
    """Say that a column matters where another holds one of these words, or nothing yet."""
    return When(column, ("", *words))


def unless(column: str, *words: str) -> When:
    """Say that a column matters but where another holds one of these words; an empty word stands for nothing."""
    return When(column, words, hides=True)


class Traits(TypedDict, total=False):
    """What the declaration of a column may say; see ``Field``."""

    cite: str
    least: Any
    most: Any
    required: bool
    part: bool
    later: bool
    unsigned: bool
    share: bool
    when: When | None
    seldom: bool


def _column(kind: ColumnKind, label: str, hint: str = "", /, *, traits: Traits, **more: Any) -> Any:
    found = Field(kind, label, hint, **traits, **more)
    return dataclasses.field(default=dataclasses.MISSING if found.required else None, metadata={METADATA: found})


def key(label: str, hint: str = "", **traits: Unpack[Traits]) -> Any:
    """Declare the identifier of the record itself; unique within its farm and kind."""
    return _column(ColumnKind.KEY, label, hint, traits={**traits, "required": True, "part": True})


def refers(kind: str, label: str, hint: str = "", **traits: Unpack[Traits]) -> Any:
    """Declare the identifier of another record of the same farm; ``part`` makes it part of this record's own key."""
    needed = traits.get("required", True) or traits.get("part", False)
    return _column(ColumnKind.KEY, label, hint, traits={**traits, "required": needed}, refers=kind)


def text(label: str, hint: str = "", **traits: Unpack[Traits]) -> Any:
    """Declare free text of at most 2,000 characters."""
    return _column(ColumnKind.TEXT, label, hint, traits=traits)


def choice(options: Iterable[str], label: str, hint: str = "", **traits: Unpack[Traits]) -> Any:
    """Declare one word out of a list."""
    return _column(ColumnKind.CHOICE, label, hint, traits=traits, options=tuple(options))


def quantity(unit: str, label: str, hint: str = "", *, scale: int = SCALE, **traits: Unpack[Traits]) -> Any:
    """Declare an exact number of ``unit``, kept as whole units of ``10**-scale``; bounds are written as decimals.

    Where no value below one can be meant, ``share`` reads such a value as a share of one: 0.172 is 17.2 percent.
    """
    least, most = parse(traits.get("least", "0"), scale), parse(traits.get("most", "1000000"), scale)
    bounded: Traits = {**traits, "least": least, "most": most}
    return _column(ColumnKind.QUANTITY, label, hint, traits=bounded, unit=unit, scale=scale)


def whole(label: str, hint: str = "", **traits: Unpack[Traits]) -> Any:
    """Declare a whole number between bounds, such as a year."""
    return _column(ColumnKind.WHOLE, label, hint, traits=traits)


def day(label: str, hint: str = "", **traits: Unpack[Traits]) -> Any:
    least, most = _DAYS
    return _column(ColumnKind.DAY, label, hint, traits={**traits, "least": least, "most": most})


def yes_no(label: str, hint: str = "", **traits: Unpack[Traits]) -> Any:
    """Declare an answer of yes or no; blank means that the record does not say."""
    return _column(ColumnKind.YES_NO, label, hint, traits=traits)


def internal(label: str, kind: ColumnKind = ColumnKind.TEXT) -> Any:
    """Declare what the reader fills: file, sheet and row, as a person counts."""
    return _column(kind, label, traits={}, internal=True)


# Labels of columns and kinds of records inside a sentence.


def starting_small(label: str) -> str:
    """Write a label inside a sentence: its first letter small, abbreviations and units as they are."""
    return label[:1].lower() + label[1:] if label[1:2].islower() else label
