"""Tables on a terminal, and saved where the options ask for it."""

import os
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich import box
from rich.console import Console
from rich.table import Table as Screen
from rich.text import Text

from provender.problem import refuse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provender.paper.table import Table

WIDTH_OF_A_PIPE: Final = 120

Csv = Annotated[
    Path | None, typer.Option("--csv", metavar="FILE", dir_okay=False, help="Save the table as CSV; several get names.")
]
Xlsx = Annotated[
    Path | None, typer.Option("--xlsx", metavar="FILE", dir_okay=False, help="Save the tables as one XLSX workbook.")
]


def console() -> Console:
    """Return the console of this run: as wide as the terminal, and wide enough when the output goes into a file."""
    piped = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(highlight=False, width=WIDTH_OF_A_PIPE if piped else None)


def print_table(out: Console, table: "Table") -> None:
    """Write a table to the screen; texts wrap, numbers do not."""
    screen = Screen(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    if table.caption:
        out.print(Text(table.caption, style="bold"))
    for column in (each for each in table.columns if not each.file_only):
        label = column.short or column.label
        screen.add_column(label, justify="right" if column.number else "left", no_wrap=column.number, overflow="fold")
    rows = [[cell for column, cell in row if not column.file_only] for row in table.pairs]
    for index, row in enumerate(rows):
        total = index >= len(rows) - table.totals
        style = "bold" if total else ""
        last_before = table.totals > 0 and index == len(rows) - table.totals - 1
        screen.add_row(*(Text(cell.text, style=cell.style) for cell in row), style=style, end_section=last_before)
    out.print(screen)


def save(tables: "Sequence[Table]", *, csv: Path | None, xlsx: Path | None, title: str, as_of: date) -> list[Path]:
    """Save tables where the options ask for it and say on stderr where they are.

    Several tables become one workbook, or CSV files of which the first has the name given and the others add theirs.

    Raises:
        ProblemsError: a file cannot be written.
    """
    from provender.paper.table import as_csv, as_xlsx

    written: list[Path] = []
    if csv is not None:
        for index, table in enumerate(tables):
            path = csv if index == 0 else csv.with_name(f"{csv.stem}-{table.name.replace(' ', '-')}{csv.suffix}")
            written.append(write_file(path, as_csv(table)))
    if xlsx is not None:
        written.append(write_file(xlsx, as_xlsx(tables, title=title, as_of=as_of)))
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
