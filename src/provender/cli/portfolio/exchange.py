"""``provender portfolio export``, ``import``, ``validate``: records of many farms into Parquet and back."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, Json, print_json, print_problems
from provender.cli.portfolio.options import Folder, summary

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from provender.problem import Problem

TOLD: Final = 20
"""Problems that the screen shows; the file has them all."""


def export(
    books: Annotated[
        list[Path], typer.Argument(metavar="BOOKS...", help="Record book folders, books of custody, signed documents.")
    ],
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="The folder of the new portfolio.")],
    json: Json = False,
) -> None:
    """Write record books and books of custody as a portfolio: Parquet by kind of record, harvest year and State.

    What could not be read in a book is carried along, so that it spoils verdicts there as it does here.
    """
    from provender.portfolio.export import export_books
    from provender.records.folder import load_book

    farms = ((str(path), load_book(path)) for path in books if path.is_dir())
    frames, problems = _custody([path for path in books if not path.is_dir()])
    manifest = export_books(farms, to, custody=frames)
    rows = sum(one.rows for one in manifest.files)
    if json:
        told = [one.as_json() for one in problems]
        print_json({"files": len(manifest.files), "rows": rows, "schema_version": manifest.schema_version,
                    "problems": told})  # fmt: skip
    else:
        typer.echo(f"{len(books)} books, {rows:,} rows in {len(manifest.files)} files under {to}.")
        print_problems(problems)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if problems else ALL_WELL)


def _custody(files: list[Path]) -> "tuple[Mapping[str, pl.DataFrame], list[Problem]]":
    """Return the data sets of books of custody and signed documents, and what is wrong with them."""
    if not files:
        return {}, []
    from provender.cli.custody.reconcile import gather, is_book, read_book
    from provender.custody.documents.sign import Pinned
    from provender.custody.reconcile.gathered import older_parts, put_together
    from provender.portfolio.custody import Movements, custody_frames

    movements, pinned = Movements(), Pinned()
    problems: list[Problem] = []
    # Books first, since they pin the keys that documents are signed with.
    parts, moved = [], []
    for path in files:
        if is_book(path):
            moved.append(Movements())
            book = read_book(path, moved[-1].add)
            pinned.add(book.pinned)
            problems += book.problems
            parts.append(book.gathered)
    gathered, older = put_together(parts), older_parts(parts)
    for place, one in enumerate(moved):
        if place not in older:
            movements.take(one)
    for path in files:
        problems += [] if is_book(path) else gather(gathered, path, pinned)
    return custody_frames(gathered, movements), problems


def import_(
    folder: Folder,
    farm: Annotated[str, typer.Option("--farm", metavar="ID", help="The farm's identifier.")],
    into: Annotated[Path, typer.Option("--into", metavar="BOOK", help="The folder of the new record book.")],
    json: Json = False,
) -> None:
    """Write one farm of a portfolio as a record book. Evidence files are not in a portfolio; their hashes are."""
    from provender.portfolio.jobs import open_portfolio
    from provender.portfolio.validating import import_farm

    book = import_farm(open_portfolio(folder), farm, into)
    rows = {kind: frame.height for kind, frame in book.frames.items() if frame.height}
    if json:
        print_json({"farm": farm, "rows": rows, "problems": [one.as_json() for one in book.problems]})
    else:
        typer.echo(f"{sum(rows.values()):,} records of {farm} in {into}.")
        print_problems(book.problems)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if book.problems else ALL_WELL)


def validate(
    folder: Folder,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where the problems go; without it DIR-problems.")
    ] = None,
    seal: Annotated[
        bool,
        typer.Option("--seal", help="Write a new manifest of the files that are there now."),
    ] = False,
    json: Json = False,
) -> None:
    """Check every file, row and reference of a portfolio, whoever wrote it.

    The problems go to ``problem.parquet`` with file, row group, row, column, cause and remedy. Exit status 1 when there
    are any.
    """
    from provender.portfolio.jobs import open_portfolio
    from provender.portfolio.layout import write_manifest
    from provender.portfolio.tables import problems_in
    from provender.portfolio.validating import validate as validate_all

    place = out or folder.with_name(folder.name + "-problems")
    portfolio = open_portfolio(folder)
    if seal:
        write_manifest(folder)
        portfolio = open_portfolio(folder)
    done, problems = validate_all(portfolio, place)
    problems.write_parquet(place / "problem.parquet")
    if json:
        print_json({**summary(done), "problems": problems.rows(named=True)})
    else:
        parts = len(done.made) + len(done.stood)
        typer.echo(f"{problems.height:,} problems in {parts} partitions: {place}/problem.parquet")
        print_problems(problems_in(problems.head(TOLD)))
        if problems.height > TOLD:
            typer.echo(f"{problems.height - TOLD:,} more are in the file.", err=True)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if problems.height else ALL_WELL)
