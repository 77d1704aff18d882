"""A table of text as it came: file, sheet, heading and numbered rows. Nothing is typed yet."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from provender.problem import Place, Problem, ProblemsError

MAX_BYTES: Final = 64 * 2**20


@dataclass(frozen=True, slots=True)
class TextTable:
    """Rows of text with the place each came from.

    Attributes:
        file: the file's name as the person knows it.
        sheet: the sheet, or empty.
        heading: column names as written.
        rows: (row number as a person counts, cells); ragged rows are kept as they are.
    """

    file: str
    sheet: str
    heading: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]


def read_csv_table(path: Path, name: str) -> TextTable:
    """Read a plain UTF-8 CSV file of a RecordBook as text.

    Raises:
        ProblemsError: the file is too large, not UTF-8 or not CSV.
    """
    if path.stat().st_size > MAX_BYTES:
        raise _unusable(name, f"the file has more than {MAX_BYTES // 2**20} MiB", "Split it, or use Parquet.")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = path.read_bytes()[: wrong.start].count(b"\n") + 1
        raise _unusable(name, f"line {line} is not UTF-8 text", "Save the file as CSV UTF-8.") from None
    return parse_csv(text, name)


def with_heading(table: TextTable) -> TextTable:
    """Return the table as it is.

    Raises:
        ProblemsError: it has not even column names. A file that was cut to nothing has lost rows that nobody can count;
            a new one names its columns at least.
    """
    if not table.heading:
        cause = "the file is empty; not even the names of its columns are there"
        remedy = "Bring it back from a copy, or delete the file if it never held anything."
        raise _unusable(table.file, cause, remedy)
    return table


def parse_csv(text: str, name: str) -> TextTable:
    """Read CSV text; blank lines are skipped but counted.

    Raises:
        ProblemsError: the text is not CSV (an unclosed quotation, a NUL).
    """
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[tuple[int, tuple[str, ...]]] = []
    heading: tuple[str, ...] | None = None
    first = 1
    try:
        for cells in reader:
            start, first = first, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if heading is None:
                heading = tuple(cell.strip() for cell in cells)
            else:
                rows.append((start, tuple(cells)))
    except csv.Error as wrong:
        raise _unusable(name, f"line {reader.line_num}: {wrong}", "Check the quotation marks there.") from None
    return TextTable(name, "", heading or (), tuple(rows))


def _unusable(name: str, cause: str, remedy: str) -> ProblemsError:
    return ProblemsError([Problem(Place(name), cause + ".", remedy, code="unreadable_file")])
