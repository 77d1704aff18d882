"""``provender intensity``: the CI of every unit and the farm-level average, step by step."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from provender.cli import output
from provender.cli.output import Csv, Xlsx, console, print_table, save, write_file
from provender.exact import CI_SCALE, show
from provender.intensity import OFFICIAL
from provender.intensity.calculator import Label
from provender.intensity.county_files import CountyTable, load_county_table, load_county_yields
from provender.paper.tables import Cell, Column, Table, amount, year_cell
from provender.problem import Problem, Weight

if TYPE_CHECKING:
    from provender.intensity.quantify import Quantification

app = typer.Typer(rich_markup_mode=None, add_completion=False)

_AVERAGE: Final = "bushel-weighted average"
COLUMNS: Final = (
    Column("crop"),
    Column("harvest year", number=True),
    Column("unit"),
    Column("bushels", number=True),
    Column("practices behind the CI"),
    Column("CI, g CO2e/bu", "g CO2e/bu", number=True),
)

CountyFile = Annotated[
    Path | None,
    typer.Option(
        "--county-table",
        metavar="FILE.csv",
        exists=True,
        dir_okay=False,
        help="Estimate by a table of CI by county, crop and practices, in place of a calculator.",
    ),
]

CountyYieldsFile = Annotated[
    Path | None,
    typer.Option(
        "--county-yields",
        metavar="FILE.csv",
        exists=True,
        dir_okay=False,
        help="Hold each unit's yield against its county's: a survey of USDA NASS Quick Stats, or a table of your own.",
    ),
]


@app.command()
def intensity(
    book: output.Book,
    crop: output.OneCrop = None,
    year: output.Year = None,
    calculator: output.Calculator = OFFICIAL,
    calculators: output.Calculators = None,
    county_table: CountyFile = None,
    county_yields: CountyYieldsFile = None,
    chart: Annotated[
        Path | None,
        typer.Option(
            "--chart", metavar="FILE.svg", dir_okay=False, help="Draw the CIs against the national default, per crop."
        ),
    ] = None,
    inputs: Annotated[
        bool, typer.Option("--inputs", help="Lay out what USDA FD-CIC asks for, unit by unit, to be copied.")
    ] = False,
    csv: Csv = None,
    xlsx: Xlsx = None,
    as_of: output.AsOf = None,
    json: output.Json = False,
) -> None:
    """Quantify the farm-level CI of each crop and harvest year (2100.020).

    Exit status 1 when a CI is missing or a test of completeness finds something.
    """
    table = None if county_table is None else _loaded(county_table, calculator)
    from provender.services.farm.check import judged, quantified, yields_compared

    yields = None if county_yields is None else load_county_yields(county_yields.read_bytes(), county_yields.name)
    results = quantified(judged(book), crop, year, table or calculator, calculators, yields)
    if yields and county_yields:
        yields = yields_compared(results, yields, county_yields.name)
    unusable = [problem for read in (table, yields) if read for problem in read.problems]
    if inputs:
        raise typer.Exit(_inputs(results, json=json, csv=csv, xlsx=xlsx, as_of=as_of))
    if json:
        document = {"as_of": as_of.isoformat() if as_of else None, "results": [_as_data(one) for one in results]}
        given = {"county_table": table, "county_yields": yields}
        more = {f"{name}_problems": [one.as_json() for one in read.problems] for name, read in given.items() if read}
        output.print_json(document | more)
    else:
        _print_all(results)
        output.print_problems(unusable)
    save(
        [units_table(one) for one in results],
        csv=csv,
        xlsx=xlsx,
        title="Carbon intensity",
        as_of=as_of or output.today(),
    )
    if chart is not None:
        _charts(results, chart)
    raise typer.Exit(_status(results, unusable))


def _status(results: "Sequence[Quantification]", unusable: Sequence[Problem]) -> int:
    noted = all(problem.weight is Weight.NOTE for problem in unusable)
    return output.ALL_WELL if noted and all(map(_is_clean, results)) else output.SOMETHING_TO_LOOK_AT


def _is_clean(one: "Quantification") -> bool:
    return one.average.ci_g_per_bu is not None and not one.findings and not one.problems


def _charts(results: "list[Quantification]", chart: Path) -> None:
    from provender.report.season import intensity_svg

    for one in results:
        name = chart if len(results) == 1 else chart.with_stem(f"{chart.stem}-{one.crop}-{one.harvest_year}")
        write_file(name, intensity_svg(one, headed=True).encode())


def _inputs(
    results: "list[Quantification]", *, json: bool, csv: Path | None, xlsx: Path | None, as_of: date | None
) -> int:
    """Print the calculator's inputs with tabs between them, so that they can be pasted; say what the records lack."""
    from provender.intensity.plan import HEADINGS, inputs_of

    found = [(one, inputs_of(one)) for one in results]
    if json:
        output.print_json(
            [
                {"farm_id": one.farm_id, "crop": str(one.crop), "harvest_year": one.harvest_year,
                 "units": [dict(zip(HEADINGS, each.texts, strict=True)) | {"missing": list(each.missing)}
                           for each in units]}
                for one, units in found
            ]
        )  # fmt: skip
    else:
        typer.echo("\t".join(HEADINGS))
        for _, units in found:
            for each in units:
                typer.echo("\t".join(each.texts))
    lacks = [f"{each.texts[0]}: {', '.join(each.missing)}" for _, units in found for each in units if each.missing]
    for text in lacks:
        typer.echo(f"Missing for {text}.", err=True)
    columns = [Column(name, number=name in ("yield bu/ac", "acres")) for name in HEADINGS]
    tables = [
        Table(f"{one.crop.label} {one.harvest_year}", columns, [[*each.texts] for each in units])
        for one, units in found
    ]
    save(tables, csv=csv, xlsx=xlsx, title="Inputs of the calculator", as_of=as_of or output.today())
    return output.SOMETHING_TO_LOOK_AT if lacks else output.ALL_WELL


def _loaded(path: Path, calculator: str) -> CountyTable:
    if calculator != OFFICIAL:
        raise typer.BadParameter(f"--county-table stands in place of the calculator {calculator!r}: leave one out.")
    return load_county_table(path.read_bytes(), path.name)


def _ci(value: int | None) -> Cell:
    return amount(value, CI_SCALE, places=CI_SCALE, missing="not shown")


def _as_data(one: "Quantification") -> dict[str, Any]:
    """Return one quantification as JSON data; CIs and bushels are decimal text."""
    return {
        "farm_id": one.farm_id,
        "crop": str(one.crop),
        "harvest_year": one.harvest_year,
        "label": str(one.label),
        "rule_state": one.rule_state,
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


def units_table(one: "Quantification") -> Table:
    """Return every unit with its bushels, practices and CI, and the farm's average as the last row."""
    rows: list[list[Cell | str]] = [
        [
            one.crop.label, year_cell(one.harvest_year), unit.unit_id, amount(unit.bushels),
            unit.behind_ci,
            _ci(unit.result.ci_g_per_bu if unit.result else one.national_default),
        ]
        for unit in one.units
    ]  # fmt: skip
    average = f"{_AVERAGE} ({one.label})"
    ci = _ci(one.average.ci_g_per_bu)
    rows.append([one.crop.label, year_cell(one.harvest_year), "Farm", amount(one.average.bushels), average, ci])
    return Table(f"{one.crop.label} {one.harvest_year}", COLUMNS, rows, totals=1)


def _print_all(results: "Sequence[Quantification]") -> None:
    out = console()
    for one in results:
        _print(out, one)


def _print(out: Console, one: "Quantification") -> None:
    out.print(Text(f"{one.crop.label} {one.harvest_year}, farm {one.farm_id}", style="bold"))
    if one.rule_state:
        out.print(Text(f"This CI is {one.rule_state}.", style="bold yellow"))
    out.print(Text(f"{one.calculator}, {one.version}"))
    if one.label != Label.OFFICIAL:
        out.print(Text(f"{one.label}: not an official USDA FD-CIC result.", style="bold yellow"))
    table = units_table(one)
    print_table(out, replace(table, columns=table.columns[2:], rows=[row[2:] for row in table.rows]))
    out.print(Text(f"National default: {_ci(one.national_default).text} g CO2e/bu"))
    notes = (note for unit in one.units if unit.result for note in unit.result.notes)
    for text in (*one.average.missing, *dict.fromkeys(notes)):
        out.print(Padding(Text(text), (0, 0, 0, 2), expand=False))
    for finding in one.findings:
        text = f"finding: {finding.cause} [7 CFR {finding.cite}] {finding.remedy}"
        out.print(Padding(Text(text, style="yellow"), (0, 0, 0, 2), expand=False))
    out.print()
    output.print_problems(one.problems)
