"""``provender plan``: the CI of each unit under every combination of practices that its crop may claim."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from provender.cli.harvests import Book, OneCrop, Year, judged, quantified
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, print_json, today
from provender.cli.tables import Csv, Xlsx, console, print_table, save, write_file
from provender.intensity.calculator import ARGONNE, UnitCase
from provender.intensity.combination import Combination
from provender.intensity.plan import Option, plan
from provender.paper.table import Cell, Column, Table, amount
from provender.problem import refuse
from provender.quantity import CI_SCALE, show

if TYPE_CHECKING:
    from provender.intensity.quantify import Quantification, UnitResult

app = typer.Typer(rich_markup_mode=None, add_completion=False)


ESTIMATE: Final = "ESTIMATE"
TODAY: Final = " (today)"
COLUMNS: Final = (
    Column("unit"),
    Column("crop"),
    Column("harvest year"),
    Column("practices"),
    Column("CI, g CO2e/bu (estimate)", "g CO2e/bu", number=True),
    Column("against national default, g CO2e/bu", "to national", number=True),
    Column("against today's practices, g CO2e/bu", "to today", number=True),
)


@app.command("plan")
def plan_book(
    book: Book,
    crop: OneCrop = None,
    year: Year = None,
    unit: Annotated[str, typer.Option("--unit", help="Only this management unit.")] = "",
    due: Annotated[bool, typer.Option("--due", help="List by which day each record is due instead.")] = False,
    ics: Annotated[
        Path | None, typer.Option("--ics", metavar="FILE.ics", dir_okay=False, help="With --due: save a calendar.")
    ] = None,
    csv: Csv = None,
    xlsx: Xlsx = None,
    as_of: AsOf = None,
    json: Json = False,
) -> None:
    """Show what each combination of practices would do to each unit, by the open model: estimates, not USDA FD-CIC."""
    if due or ics:
        _print_due(book, unit, ics, csv=csv, xlsx=xlsx, as_of=as_of or today(), json=json)
        raise typer.Exit(ALL_WELL)
    results = quantified(judged(book), crop, year, ARGONNE)
    plans = [(one, of, _options(one, of)) for one in results for of in one.units if unit in ("", of.unit_id)]
    if not plans:
        have = ", ".join(dict.fromkeys(of.unit_id for one in results for of in one.units))
        raise refuse("--unit", f"No such unit has this crop and year; units: {have}.", "Choose one.")
    tables = [options_table(*row) for row in plans]
    if json:
        print_json({"as_of": as_of.isoformat() if as_of else None, "label": ESTIMATE,
                    "units": [_data(*row) for row in plans]})  # fmt: skip
    else:
        out = console()
        for table, (*_, options) in zip(tables, plans, strict=True):
            _print(out, table, options)
    save([_whole(tables)], csv=csv, xlsx=xlsx, title="Options per unit", as_of=as_of or today())
    answered = all(option.result.ci_g_per_bu is not None for *_, options in plans for option in options)
    raise typer.Exit(ALL_WELL if answered else SOMETHING_TO_LOOK_AT)


def _print_due(
    book: Path, unit: str, ics: Path | None, *, csv: Path | None, xlsx: Path | None, as_of: date, json: bool
) -> None:
    """Print what is due, what is late marked so, and save it where the options ask for it."""
    from provender.paper.calendar import Event, calendar
    from provender.services.farm.many import due_of

    found = due_of(book, unit, as_of)
    columns = [Column("by"), Column("days left", number=True), Column("unit"), Column("what"), Column("7 CFR")]
    rows: list[list[Cell | str]] = [
        [str(one.day or "before it"), str(one.days_left(as_of)) if one.day else "", one.unit, one.what, one.cite]
        for one in found
    ]
    table = Table("due", columns, rows)
    if json:
        print_json(
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
        events = (Event(one.day, f"{one.unit}: {one.what}", f"7 CFR {one.cite}") for one in found if one.day)
        write_file(ics, calendar(events, as_of=as_of))


def _options(one: "Quantification", unit: "UnitResult") -> tuple[Option, ...]:
    from provender.intensity.two_step import TwoStepArgonne

    case = UnitCase(unit.unit_id, one.crop, one.harvest_year, unit.county_fips, Combination.of(unit.credited))
    return plan(case, TwoStepArgonne())


def _data(one: "Quantification", unit: "UnitResult", options: tuple[Option, ...]) -> dict[str, Any]:
    return {
        "farm_id": one.farm_id,
        "unit_id": unit.unit_id,
        "crop": str(one.crop),
        "harvest_year": one.harvest_year,
        "options": [
            {
                "practices": [str(practice) for practice in sorted(option.combination.practices)],
                "ci_g_per_bu": _text(option.result.ci_g_per_bu),
                "against_national_g_per_bu": _text(option.against_national),
                "against_today_g_per_bu": _text(option.against_today),
                "today": option.is_today,
                "notes": list(option.result.notes),
            }
            for option in options
        ],
    }


def _text(value: int | None) -> str | None:
    return None if value is None else show(value, CI_SCALE, places=CI_SCALE)


def options_table(one: "Quantification", unit: "UnitResult", options: tuple[Option, ...]) -> Table:
    """Return a unit's options from the lowest CI to the highest; differences below zero are better."""
    rows: list[list[Cell | str]] = [
        [
            unit.unit_id, one.crop.label, str(one.harvest_year),
            Cell(f"{option.combination}{TODAY if option.is_today else ''}", style="bold" if option.is_today else ""),
            *(
                amount(value, CI_SCALE, places=CI_SCALE, missing="no answer")
                for value in (option.result.ci_g_per_bu, option.against_national, option.against_today)
            ),
        ]
        for option in options
    ]  # fmt: skip
    title = f"{unit.unit_id}, {one.crop.label} {one.harvest_year}: {ESTIMATE}, not USDA FD-CIC"
    return Table(f"{unit.unit_id} {one.crop} {one.harvest_year}", COLUMNS, rows, caption=title)


def _whole(tables: list[Table]) -> Table:
    """Return the options of all units as one table, for a file."""
    return Table(f"Options ({ESTIMATE})", COLUMNS, [row for table in tables for row in table.rows])


def _print(out: Console, table: Table, options: tuple[Option, ...]) -> None:
    print_table(out, replace(table, columns=table.columns[3:], rows=[row[3:] for row in table.rows]))
    for note in dict.fromkeys(note for option in options for note in option.result.notes):
        out.print(Padding(Text(note), (0, 0, 0, 2), expand=False))
    out.print()
