"""Rows of a target as text, however they were made: by a column map, or from a format whose meaning is fixed."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from provender.problem import Place, Problem
from provender.schema import frozen


@frozen
class MappedRow:
    """One row of the target: its number in the file and the text of each field that has one."""

    number: int
    values: dict[str, str]


@dataclass(frozen=True, slots=True)
class MappedTable:
    """Rows of a target as text: quantities in the target's units, days as year-month-day."""

    file: str  # the file's name
    sheet: str  # the sheet, or empty
    target: str  # what the rows are
    rows: tuple[MappedRow, ...]  # in the file's order


def without_future(table: MappedTable, days: Iterable[str], as_of: dt.date) -> tuple[MappedTable, list[Problem]]:
    """Take out days after ``as_of``, since they are certainly wrong and would make a test look younger than it is.

    Args:
        table: rows with days as year-month-day.
        days: the fields that hold days on which something has happened.
        as_of: today, as the caller states it.
    """
    problems: list[Problem] = []
    rows: list[MappedRow] = []
    names = tuple(days)
    for row in table.rows:
        wrong = [name for name in names if _day(row.values.get(name, "")) > as_of]
        if not wrong:
            rows.append(row)
            continue
        for name in sorted(wrong):
            cause = f"{row.values[name]} is after {as_of}; a day that is still to come shows nothing."
            remedy = "Ask the sender for the right day, and type it."
            place = Place(table.file, table.sheet, row.number, name)
            problems.append(Problem(place, cause, remedy, code="future_day"))
        kept = {name: text for name, text in row.values.items() if name not in wrong}
        rows.append(MappedRow(row.number, kept))
    return MappedTable(table.file, table.sheet, table.target, tuple(rows)), problems


@lru_cache(maxsize=1_024)
def _day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return dt.date.min
