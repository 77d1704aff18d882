"""``provender custody day``: the day of a house on one sheet."""

from pathlib import Path
from typing import Annotated

import typer

from provender.cli.custody.book import BookPath
from provender.cli.custody.views import owner_of
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, print_json, print_problems, today
from provender.cli.tables import write_file
from provender.custody.book_file import open_book
from provender.custody.queries.day_sheet import Light, day_sheet, sheet_document, sheet_text


def day(
    book: BookPath,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE.pdf", help="Write it as PDF, or as Markdown (FILE.md).")
    ] = None,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Show a day: tickets, and at each site grain against claims.

    Exit status 1 while the grain at some site is not enough for the claims on it: the period could not be closed so.
    """
    from provender.services.custody.balances import day_paper

    on = as_of or today()
    if out and out.suffix not in (".pdf", ".md"):
        raise typer.BadParameter(f"{str(out)!r} is neither FILE.pdf nor FILE.md.")
    with open_book(book) as opened:
        print_problems(opened.problems)
        sheet = day_sheet(opened.store, owner_of(book, opened.store, opened.entity), on)
    text = sheet_text(sheet)
    if out:
        write_file(out, day_paper(sheet, today()) if out.suffix == ".pdf" else text.encode())
    if as_json:
        print_json(sheet_document(sheet))
    elif not out:
        typer.echo(text)
    covered = all(one.light is Light.COVERED for one in sheet.places)
    raise typer.Exit(ALL_WELL if covered else SOMETHING_TO_LOOK_AT)
