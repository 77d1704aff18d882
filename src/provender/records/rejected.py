"""Rows that an import could not take, kept with their cells and what is wrong until somebody settles them.

An unreadable row is not a missing row (interpretations 2, 3). A row that stayed outside its table would be missing, and
"all operations are listed" could then be believed although one pass is known to be lost. So every such row stays in the
book as it was written, with its place and its problems, and makes the book incomplete as if it stood in its table.

In a folder they lie in ``rejected/``, one JSON file a kind of record. Those of ``unknown.json`` are of no known kind: a
stray file is no record of this farm until somebody says so, so they mark nothing. They are told, and offered again.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from provender.problem import Place, Problem, Weight, listed
from provender.records.kind import KINDS, IncompleteRow, Kind, check_rows, incomplete_row_of
from provender.records.reading import TextTable, read_table
from provender.schema import UnreadableError, read, write

REJECTED: Final = "rejected"
UNKNOWN: Final = "unknown"
_TOLD: Final = 3
_LIST: Final = "See them with `provender rejects list BOOK`."


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """One row that stays out."""

    kind: str  # of the record; empty where nobody can tell
    place: Place  # where it stood; row 0 for a file that was lost whole
    cells: tuple[tuple[str, str], ...]  # (column, text) as written
    problems: tuple[Problem, ...]  # why it stays out
    sha256: str = ""  # of the file it stood in

    @property
    def why(self) -> str:
        """Return the reasons in words, each once."""
        fields = KINDS[self.kind].fields if self.kind else {}
        said = []
        for one in self.problems:
            column = fields[one.place.column].label if one.place.column in fields else one.place.column
            said.append(f"{column}: {one.cause}" if column else one.cause)
        return " ".join(dict.fromkeys(said))


def rejected_name(kind: str) -> str:
    """Return the path, in a book, of the rejected rows of a kind."""
    return f"{REJECTED}/{kind or UNKNOWN}.json"


def write_rejected(rows: Iterable[RejectedRow]) -> dict[str, str]:
    """Return the text of each file of rejected rows, by its path in the book."""
    by_kind: dict[str, list[RejectedRow]] = {}
    for row in rows:
        by_kind.setdefault(row.kind, []).append(row)
    return {
        rejected_name(kind): json.dumps(write(tuple(found), whole=True), ensure_ascii=False, indent=1) + "\n"
        for kind, found in by_kind.items()
    }


def read_rejected(files: Mapping[str, str]) -> list[RejectedRow]:
    """Return the rejected rows of a book.

    Args:
        files: their texts by path in the book. One that cannot be read gives a row without cells: its kind is lost.
    """
    found: list[RejectedRow] = []
    for name, text in sorted(files.items()):
        kind = Path(name).stem if Path(name).stem in KINDS else ""
        try:
            rows = read(tuple[RejectedRow, ...], json.loads(text))
            found += [replace(row, kind=row.kind and KINDS[row.kind].name) for row in rows]
        except (UnreadableError, ValueError, KeyError, TypeError):
            cause = "This file of rejected rows cannot be read."
            lost = Problem(Place(name), cause, "Import their source again, then delete this file.", code="lost_file")
            found.append(RejectedRow(kind, Place(name), (), (lost,)))
    return found


def rejected_in(folder: Path) -> list[RejectedRow]:
    """Return the rejected rows of the book in a folder."""
    inside = folder / REJECTED
    paths = sorted(path for path in inside.glob("[!.]*") if path.is_file()) if inside.is_dir() else []
    return read_rejected({f"{REJECTED}/{path.name}": path.read_text("utf-8", errors="replace") for path in paths})


def rejected_marks(
    rows: Iterable[RejectedRow], farm_id: str, units: Iterable[tuple[str, str]]
) -> tuple[list[Problem], list[IncompleteRow]]:
    """Return what the rejected rows of a book mean for it: a problem a kind, an incomplete row for each row.

    Args:
        rows: the rejected rows.
        farm_id: fills a blank farm column.
        units: (farm, unit) of the book; a row that names none of them could be on any.
    """
    known = set(units)
    problems: list[Problem] = []
    marks: list[IncompleteRow] = []
    by_kind: dict[str, list[RejectedRow]] = {}
    for row in rows:
        by_kind.setdefault(row.kind, []).append(row)
    for name, found in by_kind.items():
        problems.append(_problem(name, found))
        if name:
            marks += _incomplete_rows(KINDS[name], found, farm_id, known)
    return problems, marks


def _problem(kind: str, rows: list[RejectedRow]) -> Problem:
    place = Place(rejected_name(kind))
    if not kind:
        where = listed(dict.fromkeys(str(row.place) for row in rows))
        cause = f"Nobody could tell what some rows are ({where}); they mark nothing."
        remedy = "Import the file again with --kind, or let them go with `provender rejects dismiss`."
        return Problem(place, cause, remedy, weight=Weight.CONFIRM, code="stray_rows")
    said = "; ".join(f"{row.place}: {row.why.rstrip('.')}" for row in rows[:_TOLD])
    more = f"; and {len(rows) - _TOLD} more" if len(rows) > _TOLD else ""
    count = "1 row" if len(rows) == 1 else f"{len(rows)} rows"
    cause = f"{count} of {KINDS[kind].label.lower()} could not be imported ({said}{more}). "
    cause += "What rests on them is not shown."
    remedy = f"Correct them at their source and import it again, or here. {_LIST}"
    return Problem(place, cause, remedy, KINDS[kind].cite, code="rejected_rows")


def _incomplete_rows(
    kind: Kind, rows: list[RejectedRow], farm_id: str, units: set[tuple[str, str]]
) -> list[IncompleteRow]:
    tables: dict[tuple[str, ...], list[tuple[int, tuple[str, ...]]]] = {}
    for number, row in enumerate(rows, 1):
        if row.cells:
            heading, cells = zip(*row.cells, strict=True)
            tables.setdefault(heading, []).append((number, cells))
    marks = [] if all(row.cells for row in rows) else [IncompleteRow(kind.name, farm_id)]
    for heading, lines in tables.items():
        reading = read_table(kind, TextTable(rejected_name(kind.name), "", heading, tuple(lines)), farm_id=farm_id)
        # A row waits here for a day or a year that cannot be right, too: that says nothing of where it belongs.
        rows_left, out_of_bounds, beyond = check_rows(kind, reading.rows)
        # What is only asked about a row, such as why it stands there twice, leaves no mark: the row still does.
        told = (one for one in (*reading.problems, *out_of_bounds) if one.weight is Weight.ERROR)
        marked = {problem.place.row for problem in told}
        whole = [row for row in rows_left if row.source_row not in marked]
        # Columns that no record has leave a mark on the farm, which is right: nobody knows what they said.
        marks += [*reading.incomplete_rows, *beyond, *(incomplete_row_of(kind.name, row) for row in whole)]
    return list(dict.fromkeys(_widened(mark, units) for mark in marks))


def _widened(mark: IncompleteRow, units: set[tuple[str, str]]) -> IncompleteRow:
    """Let a row that names no unit of the book reach the whole farm."""
    if mark.unit_id is None or (mark.farm_id, mark.unit_id) in units:
        return mark
    return IncompleteRow(mark.kind, mark.farm_id)
