"""``provender export``: a period's signed statement, or a record book, as others' systems read it."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from provender.cli.audit.files import read_document, stop, write_new
from provender.cli.output import AsOf, today
from provender.problem import ProblemsError, Weight, refuse

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class View(StrEnum):
    """What it becomes."""

    EPCIS = "epcis"
    """A closed period as EPCIS events."""
    ADAPT = "adapt"
    """A record book as a data set of the ADAPT Standard."""


@app.command()
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The signed statement of a period; or a record book.")],
    view: Annotated[View, typer.Option("--as", help="What it becomes.")],
    out: Annotated[Path, typer.Option("--out", help="The file to write, .json; for adapt .zip.")],
    book: Annotated[Path | None, typer.Option(help="For epcis: the book whose period it is, .jsonl.")] = None,
    terms: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where you serve terms.jsonld; written out without it.")
    ] = "",
    as_of: AsOf = None,
) -> None:
    """Show a period's signed statement, or a record book, as others' systems read it.

    A statement becomes EPCIS 2.0 events that carry its hash; the statement governs. A record book becomes a data set
    of the ADAPT Standard 2.0.2, which `provender import` reads.
    """
    if view is View.ADAPT:
        _data_set(file, out)
        return
    try:
        made = _events(read_document(file), book, as_of, terms)
        write_new(out, f"{json.dumps(made, indent=1, ensure_ascii=False)}\n".encode())
    except ProblemsError as refused:
        raise stop(refused, as_json=False) from None
    Console().print(f"Written: {out}. The signed original governs.", markup=False, highlight=False, soft_wrap=True)


def _events(envelope: dict[str, Any], book: Path | None, as_of: AsOf, terms: str) -> dict[str, Any]:
    from provender.custody.book_file import open_book
    from provender.custody.documents.epcis import view_of_signed

    if book is None:
        raise refuse("--book", "A period's events come out of its book.", "Give the book, such as coop.jsonl.")
    with open_book(book) as opened:
        return view_of_signed(opened.store, opened.store.events(), envelope, as_of=as_of or today(), terms=terms)


def _data_set(folder: Path, out: Path) -> None:
    """Write a book as a data set, and say row by row what stays behind."""
    from provender.cli.output import SOMETHING_TO_LOOK_AT, print_problems
    from provender.formats.adapt_out import data_set, packed
    from provender.formats.importing.foreign import outlines_of
    from provender.formats.importing.incoming_files import Choices
    from provender.records.folder import load_book

    book = load_book(folder)
    try:
        made = data_set(book, outlines_of(book, Choices(as_of=today())))
        write_new(out, packed(made.files))
    except ProblemsError as refused:
        raise stop(refused, as_json=False) from None
    console = Console()
    print_problems(made.left, console)
    console.print(f"Written: {out}.", markup=False, highlight=False, soft_wrap=True)
    if lost := book.incomplete_rows.height:
        said = f"{lost} rows of the book cannot be read and are not in it; `provender check` names them."
        console.print(said, markup=False, highlight=False, soft_wrap=True)
    if lost or any(each.weight is not Weight.NOTE for each in made.left):
        raise typer.Exit(SOMETHING_TO_LOOK_AT)
