"""``provender preview``: what the correction of a row of a record book would change, before anybody saves it."""

from typing import TYPE_CHECKING, Annotated, Final

import typer

from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Book, Json, print_json, today
from provender.cli.tables import console, print_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provender.paper.tables import Table
    from provender.services.reports.change_report import Removal

app = typer.Typer(rich_markup_mode=None, add_completion=False)
NOTHING: Final = "No verdict and no carbon intensity changes, and no row names it."


@app.command()
def preview(
    book: Book,
    kind: Annotated[str, typer.Argument(help="Kind of record, such as operation.")],
    key: Annotated[str, typer.Argument(help="The row, such as N40-01.")],
    texts: Annotated[list[str] | None, typer.Argument(metavar="[COLUMN=TEXT]...", help="What it would say.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="The row would be taken out.")] = False,
    as_of: AsOf = None,
    json: Json = False,
) -> None:
    """Say which verdicts and carbon intensities would change with a row, before and after; nothing is written.

    Exit status 1 when something that is shown today would say something else. Signed reports lie elsewhere: `provender
    report --amends` tells what changed since one.
    """
    from provender.cli.output import services
    from provender.schema import write

    typed = dict(_typed(one) for one in texts or ())
    if bool(typed) is remove:
        raise typer.BadParameter("say what the row would say, as COLUMN=TEXT, or --remove.")
    with services():
        from provender.database.actor import on_day
        from provender.services.farm.edits import FolderBook, edit_of, kind_called
        from provender.services.reports.change_report import preview_of

        with on_day(as_of or today()):
            farm = FolderBook.at(book)
            found = preview_of(farm, [edit_of(farm, kind_called(kind), key, None if remove else typed)])
        would = found.would_change
        if json:
            print_json({"asks_first": found.asks_first, "would_change": write(would, whole=True)})
        for table in () if json else _tables(would):
            print_table(console(), table)
        if would.is_nothing and not json:
            console().print(NOTHING, markup=False)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if found.asks_first else ALL_WELL)


def _typed(text: str) -> tuple[str, str]:
    name, equals, said = text.partition("=")
    if not equals:
        raise typer.BadParameter(f"{text!r} is not COLUMN=TEXT, such as bushels=7300.")
    return name, said


def _tables(would: "Removal") -> "Iterator[Table]":
    """Yield what would change as tables, each where it has something to show."""
    from provender.paper.tables import Cell, Column, Table

    verdicts: list[list[Cell | str]] = [[one.where, one.practice, one.before, one.after] for one in would.verdicts]
    shown: list[list[Cell | str]] = [
        [one.crop, one.source, one.before or "not shown", one.after or "not shown", one.outdated]
        for one in would.intensities
    ]
    orphans: list[list[Cell | str]] = [[one.kind, str(one.count)] for one in would.orphans]
    sides = [Column("Now"), Column("Then")]
    if verdicts:
        columns = [Column("Field and crop"), Column("Practice"), *sides]
        yield Table("verdicts", columns, verdicts, caption="Practices judged otherwise")
    if shown:
        columns = [Column("Crop"), Column("Source"), *sides, Column("Run that would no longer fit the records")]
        yield Table("intensities", columns, shown, caption="Carbon intensity, g CO2e/bu")
    if orphans:
        columns = [Column("Records"), Column("Rows", number=True)]
        yield Table("orphans", columns, orphans, caption="Rows that name it")
