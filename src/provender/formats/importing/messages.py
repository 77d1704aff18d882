"""What an import says, at most once a cause: causes first, then what follows from them, repeats counted."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from provender.problem import Problem, Weight, listed
from provender.records.kind import KINDS

_COUNTED: Final = ("unreadable_", "blank_required", "out_of_bounds", "error_cell")
"""How codes begin of which each row has a cause of its own, though a column has one reason for all of them."""
_NO_UNIT: Final = "no_unit"
_UNREAD: Final = frozenset({"unknown_column", "double_column"})
_FOLLOWS: Final = frozenset({"blank_required", "missing_column"})
"""What is said of cells that may stand in a column that was not recognised."""


def causes_first(problems: Iterable[Problem]) -> list[Problem]:
    """Return one problem for each cause: errors before doubts and notes, tables before their rows."""
    groups: dict[tuple[object, ...], list[Problem]] = {}
    for one in problems:
        alike = one.place.column if one.code.startswith(_COUNTED) else (one.cause, one.remedy)
        alike = alike if one.code != _NO_UNIT else ""
        groups.setdefault((one.place.file, one.place.sheet, one.code, one.weight, alike), []).append(one)
    unread: dict[tuple[str, str], list[str]] = {}
    for found in groups.values():
        if found[0].code in _UNREAD:
            unread.setdefault((found[0].place.file, found[0].place.sheet), []).append(found[0].place.column)
    said = [_counted(found, unread.get((found[0].place.file, found[0].place.sheet), [])) for found in groups.values()]
    weights = list(Weight)
    return sorted(said, key=lambda one: (weights.index(one.weight), one.place.row > 0, one.code in _FOLLOWS))


def _counted(found: list[Problem], unread: list[str]) -> Problem:
    """Return what is said of several rows as one sentence, with the columns that it may come from."""
    one = found[0]
    if one.code == _NO_UNIT and len(found) > 1:
        read = listed(
            (f"{each.place.column!r} in {each.cause.rpartition(' as ')[2].rstrip('.')}" for each in found), 20
        )
        cause = f"the file states no unit for {len(found)} columns; they were read: {read}."
        return replace(one, cause=cause, place=replace(one.place, row=0, column=""))
    rows = sorted({each.place.row for each in found if each.place.row})
    why = f", since the column {listed(map(repr, unread))} was not recognized" if unread else ""
    if one.code == "blank_required" and (len(rows) > 1 or why):
        name = next((kind.fields[one.place.column].label for kind in KINDS.values() if one.place.column in kind.fields),
                    one.place.column)  # fmt: skip
        count = f"in {len(rows)} rows" if len(rows) > 1 else f"in row {rows[0]}"
        return replace(one, cause=f"{name} is blank {count}{why}.")
    if len(rows) < 2:  # noqa: PLR2004 - one row is said as it is
        return one
    return replace(one, cause=f"{one.cause} So it is in {len(rows)} rows: {listed(rows, 12)}.")
