"""The row of units that laboratories write under their headings, and units written behind a number in its cell."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from provender.formats.column_map import plain_heading
from provender.formats.sheet import TextRow
from provender.formats.units import canonical

MARKS: Final = ("units", "unit")
_BRACKET: Final = re.compile(r"[\[(]([^\])]{1,20})[\])]")
_BEHIND: Final = re.compile(r"\s*([-+]?[\d.,\u00a0 ]*\d)\s*([^\d\s].*)", re.DOTALL)


def unit_in(text: str) -> str:
    """Return the unit that a heading or a unit cell names: in brackets, or as its last word; empty for none."""
    for found in reversed(_BRACKET.findall(text)):
        if unit := canonical(found):
            return unit
    plain = " ".join(text.replace("\u00a0", " ").replace("_", " ").split())
    return canonical(plain) or canonical(plain.rpartition(" ")[2] if " " in plain else "")


def without_unit(text: str) -> str:
    """Return a heading without the unit that stands in brackets at its end; the text as it is where none does."""
    bare, _, unit = text.rstrip(" )]").replace("[", "(").rpartition("(")
    return bare.strip() if bare.strip() and canonical(unit) else text


def behind(text: str) -> tuple[str, str]:
    """Return a number and the unit written behind it, as ``62 lb/ac``; the text and nothing where it is no such."""
    found = _BEHIND.fullmatch(text)
    unit = canonical(found[2]) if found else ""
    return (found[1].strip(), unit) if found and unit else (text, "")


def units_row(below: Sequence[TextRow], numbers: Iterable[int]) -> TextRow | None:
    """Return the row under the headings that states units, or None.

    It says so in its first cell, or in the columns of numbers it holds units and nothing else, two at least.

    Args:
        below: the rows under the headings.
        numbers: places of the columns that hold numbers.
    """
    if not below:
        return None
    first = below[0]
    if plain_heading(first.cell(0)) in MARKS:
        return first
    said = [first.cell(at) for at in numbers if first.cell(at)]
    # A value with its unit behind it begins with a figure; it is a row of values.
    return first if len(said) > 1 and all(unit_in(text) and not text[0].isdigit() for text in said) else None
