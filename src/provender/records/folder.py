"""RecordBook folders: one plain CSV per kind, ``evidence/`` and ``boundaries/``; a person can open and diff them."""

import csv
import datetime as dt
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from provender.days import order_of_country
from provender.exact import show
from provender.problem import Place, Problem, ProblemsError, Weight
from provender.records.book import EvidenceFiles, FolderFiles, RecordBook
from provender.records.field import ColumnKind, Field
from provender.records.kind import KINDS, IncompleteRow, Kind, Record
from provender.records.reading import TableRead, TextTable, read_csv_table, read_table, with_heading
from provender.records.rejected import REJECTED, rejected_in, rejected_marks

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
            # Its kind is marked incomplete on the whole farm.
            lost = TableRead([], list(unusable.problems), [IncompleteRow(kind.name, farm_id)])
            readings.append((name, lost))
            continue
        readings.append((name, read_table(kind, table, farm_id=farm_id, otherwise=otherwise)))
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


def country_of(table: TextTable) -> str:
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
            path.write_text(rows_to_csv(kind, rows), encoding="utf-8", newline="")
        else:
            path.unlink(missing_ok=True)


def rows_to_csv(kind: Kind, rows: Iterable[Record]) -> str:
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
