"""RecordBook folders: one plain CSV per kind, ``evidence/`` and ``boundaries/``; a person can open and diff them."""

import csv
import datetime as dt
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import polars as pl

from provender.days import order_of_country
from provender.exact import show
from provender.problem import Place, Problem, ProblemsError, Weight
from provender.records.book import EvidenceFiles, FolderFiles, RecordBook
from provender.records.field import ColumnKind, Field
from provender.records.kind import KINDS, IncompleteRow, Kind, check_frame, incomplete_row_of
from provender.records.reading import TableRead, TextTable, read_csv_table, read_table, with_heading

# Rows that an import could not take, kept in the book's ``rejected/`` folder until somebody settles them.
#
# An unreadable row is not a missing row (interpretations 2, 3). A row that stayed outside its CSV file would be
# missing, and "all operations are listed" could then be believed although one pass is known to be lost. So every such
# row lies here as it was written, with its place and the reason, and make the book incomplete as if it stood in its
# file. Correcting the rows and importing the file again settles them; deleting the file says that its rows are not to
# count.
#
# A file is called ``<kind>--<name>.csv``; its first two columns are ``rejected_from`` and ``rejected_because``, the
# others are those of the source. ``unknown--<name>.csv`` holds rows of which not even the kind is known: a stray file
# is no record of this farm until somebody says so, so it marks nothing. It is told, and offered again.

REJECTED: Final = "rejected"
UNKNOWN: Final = "unknown"
FROM: Final = "rejected_from"
BECAUSE: Final = "rejected_because"
_TOLD: Final = 3


@dataclass(frozen=True, slots=True)
class RejectedFile:
    """One file of rejected rows."""

    path: Path  # where it lies
    kind: Kind | None  # of its rows, or None where that is unknown
    table: TextTable | None  # the rows without our two columns; None where the file cannot be read
    reasons: tuple[tuple[str, str], ...]  # (from where, why) of each row, in the order of ``table``


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


EVIDENCE: Final = "evidence"
BOUNDARIES: Final = "boundaries"
MAPS: Final = "maps"
SOURCES: Final = "sources.csv"
_KNOWN_OTHERS: Final = frozenset({EVIDENCE, BOUNDARIES, "README.md", "reports", MAPS, REJECTED, SOURCES})


def load_book(folder: Path, evidence: EvidenceFiles | None = None) -> RecordBook:
    """Read a RecordBook folder; every problem of every file is in the book.

    Args:
        folder: where it lies.
        evidence: the files of its evidence; those in the folder itself where none are given.

    Raises:
        ProblemsError: the folder is not there, or holds no readable ``farm.csv``.
    """
    farm_file = folder / "farm.csv"
    if not farm_file.is_file():
        cause = "No record book is here: there is no farm.csv."
        raise ProblemsError([Problem(Place(str(folder)), cause, "Make one with `provender template --book FOLDER`.")])
    farm = read_csv_table(farm_file, "farm.csv")
    farm_id = _only_farm(farm)
    otherwise = order_of_country(country_of(farm))
    readings: list[tuple[str, TableRead]] = []
    problems = _strangers(folder)
    for name, kind in KINDS.items():
        path = folder / f"{name}.csv"
        if not path.is_file():
            continue
        try:
            table = with_heading(read_csv_table(path, path.name))
        except ProblemsError as unusable:
            readings.append((name, _lost(kind, farm_id, unusable)))
            continue
        readings.append((name, read_table(kind, table, farm_id=farm_id, otherwise=otherwise)))
    units = [row for name, reading in readings if name == "unit" for row in reading.frame["farm_id", "unit_id"].rows()]
    told, marks = rejected_marks(folder, farm_id, units)
    files = evidence or FolderFiles(folder / EVIDENCE)
    return RecordBook.from_readings(
        readings, problems=[*problems, *told], incomplete_rows=marks, folder=folder, files=files
    )


def _lost(kind: Kind, farm_id: str, unusable: ProblemsError) -> TableRead:
    """Return an empty reading of a file that cannot be used: its kind is marked incomplete on the whole farm."""
    return TableRead(kind.empty(), list(unusable.problems), [IncompleteRow(kind.name, farm_id)])


def _only_farm(table: TextTable) -> str:
    """Return the identifier that fills blank farm columns: that of the first farm row."""
    if not table.rows or "farm_id" not in table.heading:
        cause = "farm.csv names no farm."
        raise ProblemsError(
            [Problem(Place(table.file), cause, "Give it a column farm_id and one row.", "2100.031(c)(1)")]
        )
    cells = table.rows[0][1]
    index = table.heading.index("farm_id")
    return cells[index].strip() if index < len(cells) else ""


def country_of(table: TextTable) -> str:
    """Return the country that the first farm row names, or empty."""
    at = next((index for index, heading in enumerate(table.heading) if heading.casefold() == "country"), None)
    cells = table.rows[0][1] if table.rows else ()
    return cells[at].strip() if at is not None and at < len(cells) else ""


def _strangers(folder: Path) -> list[Problem]:
    """Tell of files that no kind of record reads, so that nothing is passed over in silence."""
    known = {f"{name}.csv" for name in KINDS} | _KNOWN_OTHERS
    return [
        Problem(
            Place(path.name),
            "No kind of record reads this file.",
            "Rename it after a kind of record (`provender template --list`), or move it to evidence/.",
            weight=Weight.CONFIRM,
            code="unknown_file",
        )
        for path in sorted(folder.iterdir())
        if path.name not in known and not path.name.startswith(".")
    ]


def save_book(book: RecordBook, folder: Path) -> None:
    """Write every kind that has rows as ``<kind>.csv`` into ``folder``; other files there stay."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, kind in KINDS.items():
        path = folder / f"{name}.csv"
        if book[name].is_empty():
            path.unlink(missing_ok=True)
        else:
            path.write_text(frame_to_csv(kind, book[name]), encoding="utf-8", newline="")


def frame_to_csv(kind: Kind, frame: pl.DataFrame) -> str:
    """Write a frame as the CSV text that ``load_book`` reads back to the same values."""
    fields = kind.typed_fields
    rows = frame.select(list(fields)).iter_rows(named=True)
    return write_csv([list(fields), *(written_row(row, fields) for row in rows)])


class _Lines(io.StringIO):
    """Takes whole rows that end in CRLF, keeps them with LF."""

    def write(self, line: str) -> int:
        return super().write(line.removesuffix("\r\n") + "\n")


def write_csv(rows: Iterable[Iterable[str]]) -> str:
    """Write rows of text as CSV text, quoted only where a cell needs it."""
    out = _Lines(newline="")
    # The writer quotes a cell for the characters that end its lines: with CRLF, a bare carriage return is among them.
    csv.writer(out, lineterminator="\r\n").writerows(rows)
    return out.getvalue()


def written_row(row: Mapping[str, object], fields: Mapping[str, Field]) -> list[str]:
    """Return one row as the texts a person would type."""
    return [write_cell(row[name], found) for name, found in fields.items()]


def signed_row(row: Mapping[str, object], fields: Mapping[str, Field]) -> list[str]:
    """Return one row as the texts over which documents are signed.

    Columns that are younger than signed documents stand at the end by name, and only where they are filled: a row
    without them has the hash that it had before there were such columns. Columns of which no report says anything are
    not signed at all.
    """
    signed = {name: found for name, found in fields.items() if not found.unsigned}
    texts = [write_cell(row[name], found) for name, found in signed.items() if not found.later]
    later = {name: write_cell(row[name], found) for name, found in signed.items() if found.later}
    return [*texts, *(f"{name}={text}" for name, text in later.items() if text)]


def write_cell(value: object, field: Field) -> str:
    """Return the text of a typed value; the inverse of ``cells.read_cell``."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int() if field.kind is ColumnKind.QUANTITY:
            return show(value, field.scale)
        case dt.date():
            return value.isoformat()
        case _:
            return str(value)


def headings(kinds: Iterable[Kind]) -> dict[str, str]:
    """Return the text of an empty CSV file per kind, for a new book."""
    return {f"{kind.name}.csv": ",".join(kind.typed_fields) + "\n" for kind in kinds}


def harvested(book: RecordBook) -> dict[tuple[str, str], int]:
    """Return the bushels of all harvests of each farm and unit, thousandths; a harvest without bushels counts 0."""
    sums = book["harvest"].group_by("farm_id", "unit_id").agg(pl.col("bushels").sum())
    return {(row["farm_id"], row["unit_id"]): row["bushels"] or 0 for row in sums.iter_rows(named=True)}
