"""Tables on a terminal, and saved where the options ask for it."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer
from rich import box
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table as Screen
from rich.text import Text

from provender.formats.child import DEFAULT, Ahead, Limits
from provender.formats.parsed import Parsed
from provender.problem import refuse

if TYPE_CHECKING:
    from provender.paper.tables import Table


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
    from provender.paper.tables import as_csv, as_xlsx

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


# How far long work is: a line on a terminal that goes away when it is done; nothing in a pipe, a file or a log.

Each = TypeVar("Each")


def each(things: Sequence[Each], what: str, console: Console | None = None) -> Iterator[Each]:
    """Yield things one by one and say on stderr how many are done, where a person looks on."""
    out = console or Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=out, transient=True, disable=not (out.is_terminal and things[1:])) as shown:
        yield from shown.track(things, description=what)


class Reading(Ahead):
    """Reads files in limited children, as an import does by itself, and names the one at work."""

    def __init__(self, shown: Progress, line: TaskID) -> None:
        super().__init__()
        self._shown, self._line = shown, line

    def __call__(
        self, reader: str, path: Path, *, name: str = "", limits: Limits = DEFAULT, **options: object
    ) -> Parsed[object]:
        """Read one file; see ``Ahead``."""
        called = name or path.name
        together = self.together(reader, path, called, options)
        words = f"Reading {called}" if together < 2 else f"Reading {together} files, {called} first"  # noqa: PLR2004
        self._shown.update(self._line, description=words, refresh=True)
        return super().__call__(reader, path, name=name, limits=limits, **options)


@contextmanager
def reading(console: Console | None = None) -> Iterator[Reading]:
    """Yield what reads files for an import and says on stderr which one, and how long it has taken so far."""
    out = console or Console(stderr=True)
    columns = TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as shown:
        yield Reading(shown, shown.add_task("Looking at the files"))
