"""``provender plan``: the CI of each unit under every combination of practices that its crop may claim."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from provender.cli import output
from provender.cli.output import Csv, Xlsx, console, each, print_table, save, write_file
from provender.intensity import ARGONNE
from provender.paper.tables import Cell, Column, Table
from provender.problem import ProblemsError, refuse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provender.intensity.plan import Option
    from provender.intensity.quantify import Quantification

app = typer.Typer(rich_markup_mode=None, add_completion=False)

Calendar = Annotated[
    Path | None, typer.Option("--ics", metavar="FILE.ics", dir_okay=False, help="With --due: save a calendar.")
]


@app.command("plan")
def plan_book(
    book: output.Book,
    crop: output.OneCrop = None,
    year: output.Year = None,
    unit: Annotated[str, typer.Option("--unit", help="Only this management unit.")] = "",
    due: Annotated[bool, typer.Option("--due", help="List by which day each record is due instead.")] = False,
    ics: Calendar = None,
    every: Annotated[bool, typer.Option("--all", help="Every combination, sorted by CI.")] = False,
    premium: output.Premium = "",
    per_point: output.PerPoint = "",
    point: output.Point = "1",
    csv: Csv = None,
    xlsx: Xlsx = None,
    as_of: output.AsOf = None,
    json: output.Json = False,
) -> None:
    """Show what other practices would do to each unit, by the open model: estimates, not USDA FD-CIC.

    Each result stands once, with the combinations that reach it at the least cost, the cheapest missing piece first.
    """
    if due or ics:
        _print_due(book, unit, ics, csv=csv, xlsx=xlsx, as_of=as_of or output.today(), json=json)
        raise typer.Exit(output.ALL_WELL)
    from provender.cli.plan_tables import ESTIMATE, folded, plan_data, practices_table, unit_table
    from provender.intensity.plan import unit_plan
    from provender.services.farm.due import price_of

    price = price_of(premium, per_point, point, names=output.NAMES)
    from provender.services.farm.check import judged, quantified

    assessment = judged(book)
    results = quantified(assessment, crop, year, ARGONNE)
    asked = [(one, of) for one in results for of in one.units if unit in ("", of.unit_id)]
    plans = [unit_plan(assessment, *pair) for pair in each(asked, "units")]
    if not plans:
        raise _no_unit(results)
    tables = [unit_table(one, price, every=every) for one in plans]
    worth = [] if price is None else [practices_table(plans, price)]
    if json:
        output.print_json(plan_data(plans, price, as_of.isoformat() if as_of else None))
    else:
        out = console()
        for table, one in zip(tables, plans, strict=True):
            _print(out, table, one.options, "" if every else folded(one))
        _print_worth(out, worth, price)
    whole = replace(tables[0], name=f"Options ({ESTIMATE})", rows=[row for table in tables for row in table.rows])
    save([whole, *worth], csv=csv, xlsx=xlsx, title="Options per unit", as_of=as_of or output.today())
    answered = all(option.result.ci_g_per_bu is not None for one in plans for option in one.options)
    raise typer.Exit(output.ALL_WELL if answered else output.SOMETHING_TO_LOOK_AT)


def _no_unit(results: "Sequence[Quantification]") -> ProblemsError:
    have = ", ".join(dict.fromkeys(of.unit_id for one in results for of in one.units))
    return refuse("--unit", f"No such unit has this crop and year; units: {have}.", "Choose one.")


def _print_worth(out: Console, worth: "Sequence[Table]", price: object) -> None:
    for table in worth:
        print_table(out, table)
        out.print(f"  {price}", markup=False)


def _print_due(
    book: Path, unit: str, ics: Path | None, *, csv: Path | None, xlsx: Path | None, as_of: date, json: bool
) -> None:
    """Print what is due, what is late marked so, and save it where the options ask for it."""
    from provender.paper.calendar import Event, calendar
    from provender.services.farm.due import due_of

    found = due_of(book, unit, as_of)
    columns = [Column("by"), Column("days left", number=True), Column("unit"), Column("what"), Column("7 CFR")]
    rows: list[list[Cell | str]] = [
        [str(one.day or "before it"), str(one.days_left(as_of)) if one.day else "", one.whose, one.what, one.cite]
        for one in found
    ]
    table = Table("due", columns, rows)
    if json:
        output.print_json(
            [
                {
                    "by": one.day,
                    "unit_id": one.unit,
                    "what": one.what,
                    "cite": one.cite,
                    "late": bool(one.day and one.day < as_of),
                }
                for one in found
            ]
        )
    else:
        print_table(console(), table)
    save([table], csv=csv, xlsx=xlsx, title="Records that are due", as_of=as_of)
    if ics is not None:
        events = [Event(one.day, f"{one.whose}: {one.what}", f"7 CFR {one.cite}") for one in found if one.day]
        if events:
            write_file(ics, calendar(events, as_of=as_of))
        else:
            typer.echo(f"Nothing is due on a day: {ics} was not written.", err=True)


def _print(out: Console, table: Table, options: "tuple[Option, ...]", more: str) -> None:
    print_table(out, replace(table, columns=table.columns[3:], rows=[row[3:] for row in table.rows]))
    notes = dict.fromkeys(note for option in options for note in option.result.notes)
    for note in (*([more] if more else []), *notes):
        out.print(Padding(Text(note), (0, 0, 0, 2), expand=False))
    out.print()
