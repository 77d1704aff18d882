"""``provender growing``: the crops of a record book that are not harvested yet, and what each asks for."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Book, Json, print_json, today
from provender.cli.tables import Csv, Xlsx, console, print_table, save

if TYPE_CHECKING:
    from provender.paper.tables import Table
    from provender.services.farm.growing import GrowingAsk, GrowingCrop

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def growing(
    book: Book,
    unit: Annotated[str, typer.Option("--unit", help="Only this management unit.")] = "",
    csv: Csv = None,
    xlsx: Xlsx = None,
    as_of: AsOf = None,
    json: Json = False,
) -> None:
    """List the crops that are not harvested yet and the records that each asks for: now, by a day, or later.

    No verdict and no report waits for any of it. Exit status 1 when something is asked for now or by a day.
    """
    from provender.cli.output import services
    from provender.schema import write

    day = as_of or today()
    with services():
        from provender.database.actor import on_day
        from provender.services.farm.edits import FolderBook
        from provender.services.farm.growing import growing_views

        with on_day(day):
            found = [one for one in growing_views(FolderBook.at(book)) if unit in ("", one.unit_id)]
        tables = [_crops(found), _asks(found)]
        if json:
            print_json({"as_of": day.isoformat(), "growing": [write(one, whole=True) for one in found]})
        elif found:
            for table in tables:
                print_table(console(), table)
        else:
            console().print("No crop is growing: every crop entry is harvested or given up.", markup=False)
    save(tables, csv=csv, xlsx=xlsx, title="Growing crops", as_of=day)
    asked = any(one.asks or one.unsaid or any(each.against for each in one.practices) for one in found)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if asked else ALL_WELL)


def _crops(found: "Sequence[GrowingCrop]") -> "Table":
    from provender.paper.tables import Cell, Column, Table

    columns = [Column("Field"), Column("Crop"), Column("Crop entry"), Column("How its practices stand so far")]
    rows: list[list[Cell | str]] = [
        [one.unit_id, _named(one), one.harvest_id, "; ".join(_stands(one))] for one in found
    ]  # fmt: skip
    return Table("growing crops", columns, rows)


def _stands(one: "GrowingCrop") -> Iterator[str]:
    for each in one.practices:
        stands = each.standing.replace("_", " ")
        yield f"{each.label}: {stands} ({each.against})" if each.against else f"{each.label}: {stands}"
    if one.unsaid:
        yield "nothing is said of what it claims"


def _asks(found: "Sequence[GrowingCrop]") -> "Table":
    from provender.paper.tables import Cell, Column, Table

    columns = [
        Column("Field"), Column("Crop"), Column("By"), Column("What to do"), Column("Row"), Column("Why"),
        Column("7 CFR"),
    ]  # fmt: skip
    rows: list[list[Cell | str]] = [
        [one.unit_id, _named(one), _by(ask), ask.words, _row(ask), ask.why, ask.cite]
        for one in found for ask in (*one.asks, *one.later)
    ]  # fmt: skip
    return Table("what they ask for", columns, rows)


def _named(one: "GrowingCrop") -> str:
    return f"{one.crop} {one.harvest_year or ''}".strip()


def _row(ask: "GrowingAsk") -> str:
    from provender.records.kind import KINDS
    from provender.services.farm.book import called_in_file

    return called_in_file(KINDS[ask.kind], ask.row) if ask.row else ""


def _by(ask: "GrowingAsk") -> str:
    parts = [str(ask.day)] if ask.day else []
    return ", ".join([*parts, ask.until] if ask.until else parts) or str(ask.when)
