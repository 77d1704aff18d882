"""``provender intensity``: the CI of every unit and the farm-level average, step by step."""

from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from provender.cli.harvests import Book, Calculator, OneCrop, Year, judged, quantified
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, print_json, print_problems
from provender.intensity.quantify import OFFICIAL, Quantification
from provender.quantity import CI_SCALE, show

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def intensity(
    book: Book,
    crop: OneCrop = None,
    year: Year = None,
    calculator: Calculator = OFFICIAL,
    as_of: AsOf = None,
    json: Json = False,
) -> None:
    """Quantify the farm-level CI of each crop and harvest year (2100.020).

    Exit status 1 when a CI is missing or a test of completeness finds something.
    """
    results = quantified(judged(book), crop, year, calculator)
    if json:
        print_json({"as_of": as_of.isoformat() if as_of else None, "results": [as_data(one) for one in results]})
    else:
        for one in results:
            _print(Console(), one)
    clean = all(one.average.ci_g_per_bu is not None and not one.findings and not one.problems for one in results)
    raise typer.Exit(ALL_WELL if clean else SOMETHING_TO_LOOK_AT)


def _ci(value: int | None) -> str:
    return "not shown" if value is None else show(value, CI_SCALE, places=CI_SCALE, group=True)


def as_data(one: Quantification) -> dict[str, Any]:
    """Return one quantification as JSON data; CIs and bushels are decimal text."""
    return {
        "farm_id": one.farm_id,
        "crop": str(one.crop),
        "harvest_year": one.harvest_year,
        "label": str(one.label),
        "calculator": one.calculator,
        "version": one.version,
        "national_default_g_per_bu": _text(one.national_default),
        "average": one.average.as_json(),
        "units": [
            {
                "unit_id": unit.unit_id,
                "bushels": None if unit.bushels is None else show(unit.bushels),
                "credited": [str(practice) for practice in unit.credited],
                "ci_g_per_bu": _text(unit.result.ci_g_per_bu if unit.result else None),
                "notes": list(unit.result.notes) if unit.result else [],
            }
            for unit in one.units
        ],
        "findings": [finding.as_json() for finding in one.findings],
        "problems": [problem.as_json() for problem in one.problems],
    }


def _text(value: int | None) -> str | None:
    return None if value is None else show(value, CI_SCALE, places=CI_SCALE)


def _print(console: Console, one: Quantification) -> None:
    console.print(f"{one.crop.label} {one.harvest_year}, farm {one.farm_id}: {one.calculator}, {one.version}")
    if one.label != "official":
        console.print(f"{one.label}: not an official USDA FD-CIC result.", style="bold")
    table = Table(box=None)
    for heading, justify in (
        ("Unit", "left"),
        ("Bushels", "right"),
        ("Practices credited", "left"),
        ("g CO2e/bu", "right"),
    ):
        table.add_column(heading, justify="right" if justify == "right" else "left")
    for unit in one.units:
        practices = ", ".join(practice.label for practice in unit.credited) or "none: national default"
        ci = unit.result.ci_g_per_bu if unit.result else one.national_default
        bushels = "not recorded" if unit.bushels is None else show(unit.bushels, group=True)
        table.add_row(unit.unit_id, bushels, practices, _ci(ci))
    table.add_section()
    total = show(one.average.bushels, group=True)
    table.add_row("Farm", total, "bushel-weighted average", _ci(one.average.ci_g_per_bu), style="bold")
    console.print(table)
    console.print(f"National default: {_ci(one.national_default)} g CO2e/bu")
    for text in (
        *one.average.missing,
        *dict.fromkeys(note for unit in one.units if unit.result for note in unit.result.notes),
    ):
        console.print(f"  {text}", highlight=False)
    for finding in one.findings:
        console.print(
            f"  finding: {finding.cause} [7 CFR {finding.cite}] {finding.remedy}", markup=False, highlight=False
        )
    print_problems(one.problems)
