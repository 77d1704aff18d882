"""RecordBook folders: one plain CSV per kind, ``evidence/`` and ``boundaries/``; a person can open and diff them."""

import csv
import datetime as dt
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from provender.days import order_of_country
from provender.exact import show
from provender.problem import Place, Problem, ProblemsError, Weight, listed
from provender.records.book import EvidenceFiles, FolderFiles, RecordBook
from provender.records.field import ColumnKind, Field
from provender.records.kind import KINDS, IncompleteRow, Kind, Record, check_rows, incomplete_row_of
from provender.records.reading import TableRead, TextTable, read_csv_table, read_table, with_heading
from provender.schema import UnreadableError, read, write
from provender.whole_file import write_whole

EVIDENCE: Final = "evidence"
BOUNDARIES: Final = "boundaries"
MAPS: Final = "maps"
SOURCES: Final = "sources.csv"
REJECTED: Final = "rejected"
MOST_DAMAGED: Final = 5_000
"""Rows of a file; to tell of a row of ten bytes takes kilobytes."""
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
    otherwise = order_of_country(_country_of(farm))
    readings: list[tuple[str, TableRead]] = []
    problems = _strangers(folder)
    for name, kind in KINDS.items():
        path = folder / f"{name}.csv"
        if not path.is_file():
            continue
        try:
            table = with_heading(read_csv_table(path, path.name))
            reading = read_table(kind, table, farm_id=farm_id, otherwise=otherwise, most=MOST_DAMAGED)
        except ProblemsError as unusable:
            # Its kind is marked incomplete on the whole farm.
            reading = TableRead([], list(unusable.problems), [IncompleteRow(kind.name, farm_id)])
        readings.append((name, reading))
    units = [(row.farm_id, row["unit_id"]) for name, reading in readings if name == "unit" for row in reading.rows]
    told, marks = rejected_marks(rejected_in(folder), farm_id, units)
    files = evidence or FolderFiles(folder / EVIDENCE)
    return RecordBook.from_readings(
        readings, problems=[*problems, *told], incomplete_rows=marks, folder=folder, files=files
    )


def _only_farm(table: TextTable) -> str:
    """Return the identifier that fills blank farm columns: that of the first farm row."""
    if not table.rows or "farm_id" not in table.heading:
        cause, remedy = "farm.csv names no farm.", "Give it a column farm_id and one row."
        raise ProblemsError([Problem(Place(table.file), cause, remedy, "2100.031(c)(1)")])
    return _of_first_row(table, "farm_id")


def _country_of(table: TextTable) -> str:
    """Return the country that the first farm row names, or empty."""
    return _of_first_row(table, "country")


def _of_first_row(table: TextTable, column: str) -> str:
    cells = table.rows[0][1] if table.rows else ()
    named = zip(table.heading, cells, strict=False)
    return next((cell.strip() for heading, cell in named if heading.casefold() == column), "")


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
        if rows := book[name]:
            write_whole(path, _rows_to_csv(kind, rows).encode())
        else:
            path.unlink(missing_ok=True)


def _rows_to_csv(kind: Kind, rows: Iterable[Record]) -> str:
    """Write rows as the CSV text that ``load_book`` reads back to the same values."""
    fields = kind.typed_fields
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
    """Return the text of a typed value; the inverse of ``reading.read_cell``."""
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
    sums: dict[tuple[str, str], int] = {}
    for row in book["harvest"]:
        unit = row.farm_id, row["unit_id"]
        sums[unit] = sums.get(unit, 0) + (row["bushels"] or 0)
    return sums


# Rows that an import could not take, kept with their cells and what is wrong until somebody settles them.
#
# An unreadable row is not a missing row (interpretations 2, 3). A row that stayed outside its table would be missing,
# and "all operations are listed" could then be believed although one pass is known to be lost. So every such row stays
# in the book as it was written, with its place and its problems, and makes the book incomplete as if it stood in its
# table.
#
# In a folder they lie in ``rejected/``, one JSON file a kind of record. Those of ``unknown.json`` are of no known kind:
# a stray file is no record of this farm until somebody says so, so they mark nothing. They are told, and offered again.

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
        rejected_name(kind): json.dumps(write(tuple(found)), ensure_ascii=False, indent=1) + "\n"
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
