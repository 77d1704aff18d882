"""A saved answer to the question what the columns of someone's file mean."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from provender.formats.parsed import letters
from provender.schema import read, write


@dataclass(frozen=True, slots=True)
class ColumnRule:
    """What one column means."""

    heading: str  # as written in the file
    field: str  # the field of the target it fills
    unit: str = ""  # the unit its numbers are in; empty: the field's own


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """How a table of one layout becomes rows of one target."""

    name: str  # for people, such as ``UGA soil laboratory``
    target: str  # a kind of record or an elevator document, such as ``soil_test`` or ``ticket``
    # of the headings; see ``fingerprint``. Empty: any table that has the headings of ``columns``.
    fingerprint: str = ""
    columns: tuple[ColumnRule, ...] = ()  # those that are used
    ignored: tuple[str, ...] = ()  # headings that are left out on purpose
    # rows whose first cell begins so, case aside, hold no data (units, comments, totals)
    skip_marks: tuple[str, ...] = ()
    date_order: str = ""  # ``mdy``, ``dmy``, ``ymd``, or empty where dates leave no doubt
    decimal: str = "."  # the sign before a fraction; empty where the file writes both
    constants: dict[str, str] = field(default_factory=dict)  # fields that the file does not have, the same for each row
    # for a field, what the file's words mean in ours (``YC`` is ``corn``); empty while nobody has said it
    words: dict[str, dict[str, str]] = field(default_factory=dict)
    confirmed: bool = False  # a person has looked at it
    # headings that tell the layout of a map that ships, which may name columns that a file does not have
    known_by: tuple[str, ...] = ()

    def to_text(self) -> str:
        """Return the map as JSON text to be saved."""
        return json.dumps(write(self, whole=True), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_text(cls, text: str) -> "ColumnMap":
        """Read a saved map.

        Raises:
            ValueError, TypeError, KeyError: the text is not a saved map.
        """
        return read(cls, json.loads(text))


def plain_heading(text: str) -> str:
    """Return a heading for comparing: case, accents of width, signs and runs of blanks do not count."""
    if text.isascii() and text.isalnum():
        return text.lower()  # such as most numbers of tickets
    folded = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[^\w%#$/]+", " ", folded.replace("_", " ")).strip()


BY_POSITION: Final = "by-position"
"""The layout of every table without headings."""


def position_names(count: int) -> tuple[str, ...]:
    """Return what columns without headings are called: ``Column A``, ``Column B``."""
    return tuple(f"Column {letters(at)}" for at in range(count))


def fingerprint(headings: Iterable[str]) -> str:
    """Return a short name for a layout: the same headings in the same order give the same name."""
    headings = tuple(headings)
    if headings and headings == position_names(len(headings)):
        return BY_POSITION
    joined = "\x1f".join(plain_heading(each) for each in headings).rstrip("\x1f")
    return hashlib.sha256(joined.encode()).hexdigest()[:16]
