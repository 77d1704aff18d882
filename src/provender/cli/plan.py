"""``provender plan``: the CI of each unit under every combination of practices that its crop may claim."""

from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from provender.cli.harvests import Book, OneCrop, Year, judged, quantified
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, print_json
from provender.intensity.calculator import UnitCase
from provender.intensity.combination import Combination
from provender.intensity.plan import Option, plan
from provender.intensity.quantify import ARGONNE, Quantification, UnitResult
from provender.intensity.two_step import TwoStepArgonne
from provender.quantity import CI_SCALE, show

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command("plan")
def plan_book(book: Book, crop: OneCrop = None, year: Year = None, as_of: AsOf = None, json: Json = False) -> None:
    """Show what each combination of practices would do to each unit, by the open model: estimates, not USDA FD-CIC."""
    results = quantified(judged(book), crop, year, ARGONNE)
    plans = [(one, unit, _options(one, unit)) for one in results for unit in one.units]
    if json:
        print_json({"as_of": as_of.isoformat() if as_of else None, "label": "ESTIMATE",
                    "units": [_data(*row) for row in plans]})  # fmt: skip
    else:
        for row in plans:
            _print(Console(), *row)
    answered = all(option.result.ci_g_per_bu is not None for *_, options in plans for option in options)
    raise typer.Exit(ALL_WELL if answered else SOMETHING_TO_LOOK_AT)


def _options(one: Quantification, unit: UnitResult) -> tuple[Option, ...]:
    case = UnitCase(unit.unit_id, one.crop, one.harvest_year, unit.county_fips, Combination.of(unit.credited))
    return plan(case, TwoStepArgonne())


def _ci(value: int | None) -> str:
    return "no answer" if value is None else show(value, CI_SCALE, places=CI_SCALE, group=True)


def _data(one: Quantification, unit: UnitResult, options: tuple[Option, ...]) -> dict[str, Any]:
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


def _print(console: Console, one: Quantification, unit: UnitResult, options: tuple[Option, ...]) -> None:
    title = f"{unit.unit_id}, {one.crop.label} {one.harvest_year}: ESTIMATE, not USDA FD-CIC"
    table = Table(title=title, title_justify="left", box=None)
    table.add_column("Practices")
    for heading in ("g CO2e/bu", "against national", "against today"):
        table.add_column(heading, justify="right")
    for option in options:
        values = (option.result.ci_g_per_bu, option.against_national, option.against_today)
        style = "bold" if option.is_today else ""
        mark = " (today)" if option.is_today else ""
        table.add_row(f"{option.combination}{mark}", *(_ci(value) for value in values), style=style)
    console.print(table)
    for note in dict.fromkeys(note for option in options for note in option.result.notes):
        console.print(f"  {note}", highlight=False)
