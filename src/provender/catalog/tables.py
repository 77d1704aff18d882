"""The tables that ship in this room's ``data`` folder, read once and as text, and the three ways to read a cell."""

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from provender.exact import SCALE, parse


def text(name: str) -> str:
    """Return ``data/<name>`` as text."""
    return (files("provender.catalog") / "data" / name).read_text(encoding="utf-8")


@cache
def rows(name: str) -> tuple[Mapping[str, str], ...]:
    """Return the rows of ``data/<name>`` as text by column."""
    return tuple(csv.DictReader(text(name).splitlines()))


def number(cell: str, scale: int = SCALE) -> int | None:
    """Read a cell as whole units of ``10**-scale``; a blank cell is None.

    Raises:
        ValueError: the cell is not a number.
    """
    return parse(cell, scale) if cell.strip() else None


def yes(cell: str) -> bool | None:
    """Read a cell that answers yes or no; a blank cell is None.

    Raises:
        KeyError: the cell is neither.
    """
    return {"yes": True, "y": True, "no": False, "n": False, "": None}[cell.strip().lower()]
