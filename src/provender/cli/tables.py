"""Tables that a person sees: one description gives the screen, the CSV and the XLSX."""

import csv as csv_text
import io
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Final

import typer
from rich import box
from rich.console import Console
from rich.table import Table as Screen
from rich.text import Text

from provender.paper.xlsx import Number, Sheet, workbook
from provender.problem import refuse
from provender.quantity import SCALE, show

WIDTH_OF_A_PIPE: Final = 120
FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
"""How a text begins that a spreadsheet would take for a formula when it opens a CSV."""

Csv = Annotated[
    Path | None, typer.Option("--csv", metavar="FILE", dir_okay=False, help="Save the table as CSV; several get names.")
]
Xlsx = Annotated[
    Path | None, typer.Option("--xlsx", metavar="FILE", dir_okay=False, help="Save the tables as one XLSX workbook.")
]


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes:
        label: its heading in a saved file, with its unit.
        short: its heading on the screen, where the label is too wide.
        number: its cells are aligned to the right and never broken.
    """

    label: str
    short: str = ""
    number: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    Attributes:
        text: on the screen.
        saved: in a file, where that is another text or a number; None saves the text.
        style: of the screen; never the only carrier of a meaning.
    """

    text: str
    saved: str | Decimal | None = None
    style: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns.

    Attributes:
        name: its sheet in a workbook, and part of the file name where several are saved as CSV.
        columns: from left to right.
        rows: a plain text stands for a cell with that text.
        title: over it on the screen.
        totals: how many rows at the end are sums, set apart on the screen.
    """

    name: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell | str]]
    title: str = ""
    totals: int = 0

    def cells(self) -> Iterator[list[Cell]]:
        """Yield the rows as cells."""
        for row in self.rows:
            yield [cell if isinstance(cell, Cell) else Cell(cell) for cell in row]


def amount(value: int | None, scale: int = SCALE, *, places: int = 0, missing: str = "not recorded") -> Cell:
    """Return a scaled whole number as a cell: grouped on the screen, a number in a file, blank there when missing."""
    if value is None:
        return Cell(missing, saved="")
    return Cell(show(value, scale, places=places, group=True), saved=Decimal(show(value, scale, places=places)))


def console() -> Console:
    """Return the console of this run: as wide as the terminal, and wide enough when the output goes into a file."""
    piped = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(highlight=False, width=WIDTH_OF_A_PIPE if piped else None)


def print_table(out: Console, table: Table) -> None:
    """Write a table to the screen; texts wrap, numbers do not."""
    screen = Screen(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    if table.title:
        out.print(Text(table.title, style="bold"))
    for column in table.columns:
        label = column.short or column.label
        screen.add_column(label, justify="right" if column.number else "left", no_wrap=column.number, overflow="fold")
    rows = list(table.cells())
    for index, row in enumerate(rows):
        total = index >= len(rows) - table.totals
        style = "bold" if total else ""
        last_before = table.totals > 0 and index == len(rows) - table.totals - 1
        screen.add_row(*(Text(cell.text, style=cell.style) for cell in row), style=style, end_section=last_before)
    out.print(screen)


def safe(text: str) -> str:
    """Keep a spreadsheet from taking a text of a CSV for a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def as_csv(table: Table) -> str:
    """Return a table as CSV text: headings with units, numbers plain, texts that cannot become formulas."""
    out = io.StringIO(newline="")
    # Only the characters of the line end are put in quotation marks: a bare line feed would let a carriage return
    # inside a text break its row in two.
    writer = csv_text.writer(out, lineterminator="\r\n")
    writer.writerow([column.label for column in table.columns])
    for row in table.cells():
        saved = (cell.text if cell.saved is None else cell.saved for cell in row)
        writer.writerow([f"{value:f}" if isinstance(value, Decimal) else safe(value) for value in saved])
    return out.getvalue()


def as_sheet(table: Table) -> Sheet:
    """Return a table as a sheet of a workbook, numbers as numbers."""
    rows = [[_value(cell) for cell in row] for row in table.cells()]
    return Sheet(table.name, [column.label for column in table.columns], rows)


def _value(cell: Cell) -> str | Number | None:
    if not isinstance(cell.saved, Decimal):
        return (cell.text if cell.saved is None else cell.saved) or None
    exponent = cell.saved.normalize().as_tuple().exponent
    return Number(float(cell.saved), max(0, -exponent) if isinstance(exponent, int) else 0)


def save(tables: Sequence[Table], *, csv: Path | None, xlsx: Path | None, title: str, as_of: date) -> list[Path]:
    """Save tables where the options ask for it and say on stderr where they are.

    Several tables become one workbook, or CSV files of which the first has the name given and the others add theirs.

    Raises:
        ProblemsError: a file cannot be written.
    """
    written: list[Path] = []
    if csv is not None:
        for index, table in enumerate(tables):
            path = csv if index == 0 else csv.with_name(f"{csv.stem}-{table.name.replace(' ', '-')}{csv.suffix}")
            written.append(write_file(path, as_csv(table).encode("utf-8-sig")))
    if xlsx is not None:
        data = workbook([as_sheet(table) for table in tables], title=title, as_of=as_of)
        written.append(write_file(xlsx, data))
    return written


def write_file(path: Path, data: bytes) -> Path:
    """Write a file a person asked for, its folders too, and say on stderr where it is.

    Raises:
        ProblemsError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise refuse(str(path), f"The file cannot be written: {error.strerror}.", "Choose another place.") from None
    typer.echo(f"saved {path}", err=True)
    return path
