"""``provender rejects``: the rows of a book that no import could take, listed, mended and dismissed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.table import Table

from provender.cli import output
from provender.problem import refuse

if TYPE_CHECKING:
    from provender.formats.importing.prepare import Plan
    from provender.records.folder import RejectedFile

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)

Book = Annotated[Path, typer.Argument(metavar="BOOK", help="The record book.")]
File = Annotated[str, typer.Argument(metavar="FILE", help="The file of rejected rows, as `list` shows it.")]
Row = Annotated[int, typer.Option("--row", metavar="N", help="The row in that file, as `list` shows it.")]
Rows = Annotated[
    list[int] | None, typer.Option("--row", metavar="N", help="A row in that file; all of them without it.")
]
UNREADABLE: Final = "the file cannot be read"


@app.command(name="list")
def list_rejects(book: Book, json: output.Json = False) -> None:
    """List every row that stayed out, with where it came from and why. Exit status 1 when there are any."""
    rows = [row for found in _files(book) for row in _rows(found)]
    if json:
        output.print_json(rows)
    elif not rows:
        Console().print("No row of this book lies rejected.", highlight=False)
    else:
        table = Table(title="Rows that stay out", title_justify="left", box=None)
        for heading in ("File", "Row", "From", "Why", "Cells"):
            table.add_column(heading, justify="right" if heading == "Row" else "left")
        for row in rows:
            cells = ", ".join(f"{name}={text}" for name, text in row["cells"].items() if text)  # type: ignore[attr-defined]  # a mapping of texts
            table.add_row(str(row["file"]), str(row["row"]), str(row["from"]), str(row["why"]), cells)
        output.print_whole(table)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if rows else output.ALL_WELL)


@app.command()
def mend(
    book: Book,
    file: File,
    row: Row,
    cells: Annotated[
        list[str], typer.Option("--set", metavar="COLUMN=TEXT", help="What the cell should say; once for each cell.")
    ],
    as_of: output.AsOf = None,
) -> None:
    """Correct cells of one row and bring it into the book; it stays rejected while it is still wrong."""
    from provender.formats.importing.incoming_files import Choices
    from provender.formats.importing.prepare import prepare
    from provender.formats.importing.write import commit
    from provender.records.folder import BECAUSE, FROM, write_csv
    from provender.rule.law import rule_version

    found = _file(book, file)
    if found.table is None:
        raise refuse(file, UNREADABLE, "Import the original again, then dismiss this file.")
    heading = found.table.heading
    wanted = dict(_cell(each, heading) for each in cells)
    if row not in {number for number, _ in found.table.rows}:
        raise refuse(file, f"there is no row {row}.", "See `provender rejects list`.")
    lines = []
    for (number, texts), reason in zip(found.table.rows, found.reasons, strict=True):
        padded = [*texts, *[""] * (len(heading) - len(texts))]
        now = [wanted.get(name, text) if number == row else text for name, text in zip(heading, padded, strict=False)]
        lines.append([*reason, *now])
    found.path.write_text(write_csv([[FROM, BECAUSE, *heading], *lines]), encoding="utf-8", newline="")
    day = as_of or output.today()
    limit = rule_version(day).boundary_difference_pct_max
    plan = prepare([found.path], book, Choices(as_of=day, boundary_limit_pct=limit, accept=True))
    commit(plan)
    _print_mended(plan, file)


def _print_mended(plan: "Plan", file: str) -> None:
    output.print_problems(plan.problems)
    left = sum(count.rejected for count in plan.counts)
    said = f"{left} of its rows still stay out." if left else f"All rows of {file} are in the book."
    Console().print(said, highlight=False, soft_wrap=True)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if left else output.ALL_WELL)


@app.command()
def dismiss(book: Book, file: File, row: Rows = None) -> None:
    """Say that rows are not to count: they go, and what rests on them is judged without them."""
    from provender.records.folder import BECAUSE, FROM, write_csv

    found = _file(book, file)
    there = found.table.rows if found.table else ()
    unknown = sorted(set(row or ()) - {number for number, _ in there})
    if unknown:
        raise refuse(file, f"there is no row {unknown[0]}.", "See `provender rejects list`.")
    kept = [
        [*reason, *cells]
        for (number, cells), reason in zip(there, found.reasons, strict=True)
        if row and number not in row
    ]
    if kept and found.table:
        text = write_csv([[FROM, BECAUSE, *found.table.heading], *kept])
        found.path.write_text(text, encoding="utf-8", newline="")
    else:
        found.path.unlink()
    Console().print(f"{len(there) - len(kept)} rows of {file} do not count; {len(kept)} stay.", highlight=False)


def _files(book: Path) -> "list[RejectedFile]":
    from provender.records.folder import REJECTED, read_rejected

    if not (book / "farm.csv").is_file():
        raise refuse(str(book), "No record book is here: there is no farm.csv.", "Name the folder of the book.")
    inside = book / REJECTED
    paths = sorted(path for path in inside.iterdir() if not path.name.startswith(".")) if inside.is_dir() else []
    return [read_rejected(path) for path in paths]


def _file(book: Path, name: str) -> "RejectedFile":
    found = next((one for one in _files(book) if one.path.name == Path(name).name), None)
    if found is None:
        raise refuse(name, "no such file of rejected rows lies in this book.", f"See `provender rejects list {book}`.")
    return found


def _rows(found: "RejectedFile") -> list[dict[str, object]]:
    if found.table is None:
        return [{"file": found.path.name, "row": 0, "from": "", "why": UNREADABLE, "cells": {}}]
    return [
        {
            "file": found.path.name, "row": number, "from": place, "why": why,
            "cells": dict(zip(found.table.heading, cells, strict=False)),
        }
        for (number, cells), (place, why) in zip(found.table.rows, found.reasons, strict=True)
    ]  # fmt: skip


def _cell(text: str, heading: tuple[str, ...]) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    known = {each.casefold(): each for each in heading}
    if not equals or name.strip().casefold() not in known:
        raise refuse("--set", f"{text!r} names no column of this row.", f"Its columns: {', '.join(heading)}.")
    return known[name.strip().casefold()], value.strip()
