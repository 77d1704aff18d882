"""``provender rejects``: the rows of a book that no import could take, listed, corrected and dismissed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from provender.cli import output
from provender.problem import refuse

if TYPE_CHECKING:
    from provender.formats.importing.import_book import ImportBook
    from provender.records.rejected import RejectedRow

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)

Book = Annotated[Path, typer.Argument(metavar="BOOK", help="The record book.")]
Number = Annotated[int, typer.Argument(metavar="NUMBER", help="The row's number, as `list` shows it.")]
Numbers = Annotated[list[int] | None, typer.Argument(metavar="[NUMBER...]", help="Rows; all of them without it.")]


@app.command(name="list")
def list_rejects(book: Book, json: output.Json = False) -> None:
    """List every row that stayed out, with where it came from and why. Exit status 1 when there are any."""
    rows = [
        {"number": number, "kind": row.kind, "from": str(row.place), "why": row.why, "cells": dict(row.cells)}
        for number, row in enumerate(_book(book).rejected, 1)
    ]
    if json:
        output.print_json(rows)
    elif not rows:
        Console().print("No row of this book stays out.", highlight=False)
    else:
        table = Table(title="Rows that stay out", title_justify="left", box=None)
        for heading in ("Number", "From", "Why", "Cells"):
            table.add_column(heading, justify="right" if heading == "Number" else "left")
        for row in rows:
            cells = ", ".join(f"{name}={text}" for name, text in row["cells"].items() if text)  # type: ignore[attr-defined]  # a mapping of texts
            table.add_row(str(row["number"]), str(row["from"]), str(row["why"]), cells)
        output.print_whole(table)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if rows else output.ALL_WELL)


@app.command()
def mend(
    book: Book,
    number: Number,
    cells: Annotated[
        list[str], typer.Option("--set", metavar="COLUMN=TEXT", help="What the cell should say; once for each cell.")
    ],
    as_of: output.AsOf = None,
) -> None:
    """Correct cells of one row and bring it into the book; it stays out while it is still wrong."""
    from provender.formats.importing.incoming_files import Choices
    from provender.formats.importing.plan import plan_import
    from provender.formats.importing.write import write_plan
    from provender.rule.law import rule_version

    into, day = _book(book), as_of or output.today()
    (row,) = _rows(into, [number])
    if not row.kind or not row.cells:
        raise refuse(str(number), "Nobody can tell what this row is.", "Import its file again with --kind.")
    said = dict(_cell(each, row) for each in cells)
    others = [one for one in into.rejected if one.place == row.place and one is not row]  # of a file of the same name
    into.rejected = [one for one in into.rejected if one not in others]
    limit = rule_version(day).boundary_difference_pct_max
    choices = Choices(as_of=day, boundary_limit_pct=limit, accept=True, corrected={str(row.place): said})
    plan = plan_import([], into, choices)
    into.rejected += others
    write_plan(plan)
    output.print_problems(plan.problems)
    left = sum(count.rejected for count in plan.counts)
    said_of = "The row still stays out." if left else f"The row of {row.place} is in the book."
    Console().print(said_of, highlight=False, soft_wrap=True)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if left else output.ALL_WELL)


@app.command()
def dismiss(book: Book, numbers: Numbers = None) -> None:
    """Say that rows are not to count: they go, and what rests on them is judged without them."""
    from provender.formats.importing.plan import ImportPlan
    from provender.formats.importing.write import write_plan

    into = _book(book)
    gone = _rows(into, numbers or range(1, len(into.rejected) + 1))
    into.rejected = [row for row in into.rejected if row not in gone]
    kept = len(into.rejected)
    write_plan(ImportPlan(into))
    Console().print(f"{len(gone)} rows do not count; {kept} stay out.", highlight=False)


def _book(book: Path) -> "ImportBook":
    from provender.formats.importing.import_book import ImportBook

    if not (book / "farm.csv").is_file():
        raise refuse(str(book), "No record book is here: there is no farm.csv.", "Name the folder of the book.")
    return ImportBook.in_folder(book)


def _rows(book: "ImportBook", numbers: "range | list[int]") -> "list[RejectedRow]":
    unknown = [number for number in numbers if not 1 <= number <= len(book.rejected)]
    if unknown:
        raise refuse(str(unknown[0]), "There is no row of this number.", "See `provender rejects list BOOK`.")
    return [book.rejected[number - 1] for number in numbers]


def _cell(text: str, row: "RejectedRow") -> tuple[str, str]:
    from provender.records.kind import KINDS
    from provender.records.reading import column_names

    name, equals, value = text.partition("=")
    column = column_names(KINDS[row.kind]).get(name.strip().casefold())
    if not equals or column is None:
        columns = ", ".join(KINDS[row.kind].typed_fields)
        raise refuse("--set", f"{text!r} names no column of this row.", f"Its columns: {columns}.")
    return column, value.strip()
