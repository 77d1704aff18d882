"""Rows that an import could not take, kept in the book's ``rejected/`` folder until somebody settles them.

An unreadable row is not a missing row (interpretations 2, 3). A row that stayed outside its CSV file would be missing,
and "all operations are listed" could then be believed although one pass is known to be lost. So every such row lies
here as it was written, with its place and the reason, and make the book incomplete as if it stood in its file.
Correcting the rows and importing the file again settles them; deleting the file says that its rows are not to count.

A file is called ``<kind>--<name>.csv``; its first two columns are ``rejected_from`` and ``rejected_because``, the
others are those of the source. ``unknown--<name>.csv`` holds rows of which not even the kind is known: a stray file is
no record of this farm until somebody says so, so it marks nothing. It is told, and offered again.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from provender.problem import Place, Problem, ProblemsError, Weight
from provender.records.checks import check_frame
from provender.records.incomplete_row import IncompleteRow, incomplete_row_of
from provender.records.kind import KINDS, Kind
from provender.records.reading import read_table
from provender.records.table import TextTable, read_csv_table

REJECTED: Final = "rejected"
UNKNOWN: Final = "unknown"
FROM: Final = "rejected_from"
BECAUSE: Final = "rejected_because"
_TOLD: Final = 3


@dataclass(frozen=True, slots=True)
class RejectedFile:
    """One file of rejected rows.

    Attributes:
        path: where it lies.
        kind: of its rows, or None where that is unknown.
        table: the rows without our two columns; None where the file cannot be read.
        reasons: (from where, why) of each row, in the order of ``table``.
    """

    path: Path
    kind: Kind | None
    table: TextTable | None
    reasons: tuple[tuple[str, str], ...]


def kind_of_file(path: Path) -> Kind | None:
    """Return the kind that a file of rejected rows is named after, or None."""
    return KINDS.get(path.name.partition("--")[0])


def read_rejected(path: Path) -> RejectedFile:
    """Read one file of rejected rows as text."""
    name = f"{REJECTED}/{path.name}"
    try:
        table = read_csv_table(path, name)
    except (ProblemsError, OSError):
        return RejectedFile(path, kind_of_file(path), None, ())
    ours = [index for index, heading in enumerate(table.heading) if heading in (FROM, BECAUSE)]
    reasons = tuple((_cell(table, cells, FROM), _cell(table, cells, BECAUSE)) for _, cells in table.rows)
    rows = tuple((number, _without(cells, ours)) for number, cells in table.rows)
    return RejectedFile(
        path, kind_of_file(path), replace(table, heading=_without(table.heading, ours), rows=rows), reasons
    )


def _cell(table: TextTable, cells: tuple[str, ...], heading: str) -> str:
    index = table.heading.index(heading) if heading in table.heading else len(cells)
    return cells[index] if index < len(cells) else ""


def _without(cells: tuple[str, ...], ours: list[int]) -> tuple[str, ...]:
    return tuple(cell for index, cell in enumerate(cells) if index not in ours)


def rejected_marks(
    folder: Path, farm_id: str, units: Iterable[tuple[str, str]]
) -> tuple[list[Problem], list[IncompleteRow]]:
    """Return what the rejected rows of a book mean for it: a problem per file, an incomplete row per row.

    Args:
        folder: the book.
        farm_id: fills a blank farm column.
        units: (farm, unit) of the book; a row that names none of them could be on any.
    """
    problems: list[Problem] = []
    incomplete_rows: list[IncompleteRow] = []
    known = set(units)
    inside = folder / REJECTED
    for path in sorted(inside.iterdir()) if inside.is_dir() else ():
        if path.name.startswith("."):
            continue
        found = read_rejected(path)
        if found.table is not None and not found.table.rows:
            continue
        problems.append(_problem(found, folder))
        incomplete_rows += _incomplete_rows(found, farm_id, known)
    return problems, incomplete_rows


def _problem(found: RejectedFile, folder: Path) -> Problem:
    place = Place(f"{REJECTED}/{found.path.name}")
    what = f"of {found.kind.label.lower()} " if found.kind else ""
    if found.kind is None:
        cause = "Rows of which nobody could tell what they are lie here; they mark nothing."
        remedy = f"Say what they are with `provender import {found.path} --into {folder} --kind KIND`, "
        remedy += f"or let them go with `provender rejects dismiss {folder} {found.path.name}`."
        return Problem(place, cause, remedy, weight=Weight.CONFIRM, code="stray_rows")
    if found.table is None:
        cause = f"Rows {what}that could not be imported lie here, and the file cannot be read."
        remedy = "Import the original again, then delete this file."
        return Problem(place, cause, remedy, code="rejected_rows")
    said = "; ".join(f"{where}: {why}" for where, why in found.reasons[:_TOLD])
    more = f"; and {len(found.reasons) - _TOLD} more" if len(found.reasons) > _TOLD else ""
    count = "1 row" if len(found.reasons) == 1 else f"{len(found.reasons)} rows"
    cause = f"{count} {what}could not be imported ({said}{more}). What rests on them is not shown."
    remedy = (
        f"Correct them in this file and run `provender import {found.path} --into {folder}`, "
        "or delete the file if they are not to count."
    )
    return Problem(place, cause, remedy, found.kind.cite if found.kind else "", code="rejected_rows")


def _incomplete_rows(found: RejectedFile, farm_id: str, units: set[tuple[str, str]]) -> list[IncompleteRow]:
    if found.kind is None:
        return []
    if found.table is None:
        return [IncompleteRow(found.kind.name, farm_id)]
    reading = read_table(found.kind, found.table, farm_id=farm_id)
    # A row waits here for a day or a year that cannot be right, too: that says nothing of where it belongs.
    # A row waits here for a day or a year that cannot be right, too: that says nothing of where it belongs.
    frame, out_of_bounds, beyond = check_frame(found.kind, reading.frame)
    # What is only asked about a row, such as why it stands there twice, leaves no mark: the row still does.
    told = (one for one in (*reading.problems, *out_of_bounds) if one.weight is Weight.ERROR)
    marked = {problem.place.row for problem in told}
    whole = [row for row in frame.iter_rows(named=True) if row["source_row"] not in marked]
    # Columns that no record has leave a mark on the farm, which is right: nobody knows what they said.
    marks = [*reading.incomplete_rows, *beyond, *(incomplete_row_of(found.kind.name, row) for row in whole)]
    return list(dict.fromkeys(_widened(mark, units) for mark in marks))


def _widened(mark: IncompleteRow, units: set[tuple[str, str]]) -> IncompleteRow:
    """Let a row that names no unit of the book reach the whole farm."""
    if mark.unit_id is None or (mark.farm_id, mark.unit_id) in units:
        return mark
    return IncompleteRow(mark.kind, mark.farm_id)
