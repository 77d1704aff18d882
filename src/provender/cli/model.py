"""``provender model`` and ``provender stir``: rows of a file computed by the open model, or as STIR of their passes."""

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console
from rich.table import Table as Screen
from rich.text import Text

from provender.cli import output
from provender.cli.output import console
from provender.exact import SCALE, STIR_SCALE, show
from provender.paper.tables import Cell, Table, amount, heads, numeric
from provender.problem import Problem, Weight, refuse
from provender.rule.law import NotInForceError, RuleVersion, rule_version
from provender.signing.canonical import read_json

if TYPE_CHECKING:
    from provender.catalog.tables import FieldOperation
    from provender.intensity.argonne2021.model import Answer
    from provender.services.farm.stir_rows import Pass


app = typer.Typer(no_args_is_help=True, add_completion=False, help="Run an open carbon-intensity model on rows.")

_SUMMARY: Final = {"ci_without_soc": "CI without SOC", "soc": "SOC", "ci_with_soc": "CI with SOC"}
"""Outputs of the table for people, and their headings; ``--lines`` shows all."""


@app.callback()
def models() -> None:
    """Run an open carbon-intensity model on rows of inputs. Every result is an estimate, not USDA FD-CIC."""


def _cell(value: float | None) -> str:
    return "no value" if value is None else f"{value:,.2f}"


def _name(answer: "Answer") -> str:
    """Return a row's id as a terminal can show it."""
    from provender.intensity.argonne2021.inputs import column_name

    return "(no id)" if answer.id is None else column_name(str(answer.id))


def _summary_table(answers: "list[Answer]") -> Screen:
    """Return one line per row with the totals, labelled as an estimate."""
    from provender.intensity.argonne2021 import DISCLAIMER, NAME, VERSION

    title = f"{NAME}: {DISCLAIMER}"
    caption = f"g CO2e per bushel. {VERSION}. No value: the county has no soil-carbon (SOC) data."
    table = Screen(title=title, caption=caption)
    table.add_column("row", overflow="fold")
    table.add_column("crop")
    for heading in _SUMMARY.values():
        table.add_column(heading, justify="right", no_wrap=True)
    for answer in answers:
        cells = ["refused"] + [""] * (len(_SUMMARY) - 1)
        if answer.outputs is not None:
            cells = [_cell(answer.outputs[name]) for name in _SUMMARY]
        table.add_row(Text(_name(answer)), answer.crop, *cells)
    return table


def _lines_table(answer: "Answer") -> Screen:
    """Return every line item of one row, labelled as an estimate."""
    from provender.intensity.argonne2021 import DISCLAIMER

    title = Text(f"{_name(answer)} ({answer.crop}): {DISCLAIMER}")
    table = Screen(title=title, caption="g CO2e per bushel unless the name says so")
    table.add_column("line")
    table.add_column("value", justify="right")
    for name, value in (answer.outputs or {}).items():
        table.add_row(name, "no value" if value is None else f"{value:,.6f}")
    return table


@app.command("argonne-2021")
def argonne_2021(
    rows: Annotated[Path, typer.Argument(metavar="ROWS.json", help="A list of rows with id, crop and inputs.")],
    *,
    as_json: output.Json = False,
    lines: Annotated[bool, typer.Option("--lines", help="Show every line item of every row.")] = False,
) -> None:
    """Compute carbon intensity with Argonne FD-CIC 2021, a restored workbook: an estimate, not USDA FD-CIC.

    Inputs that a row leaves out take the workbook's default for the crop. Back come id and outputs, in order; a row
    that cannot be answered has null outputs and says why.
    """
    from provender.intensity.argonne2021.model import answer_rows

    answers = answer_rows(read_json(output.read_bytes(rows), file=rows.name, floats=True), str(rows))
    problems = [problem for answer in answers for problem in answer.problems]
    if as_json:
        output.print_json([answer.as_json() for answer in answers])
    else:
        console = Console()
        console.print(_summary_table(answers))
        if lines:
            for answer in answers:
                if answer.outputs is not None:
                    console.print(_lines_table(answer))
    output.print_problems(problems)
    doubtful = any(problem.weight is not Weight.NOTE for problem in problems)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if doubtful else output.ALL_WELL)


# ``provender stir``: STIR of every pass in a file and their sum, held against the limits of the rule.

stir_app = typer.Typer(add_completion=False)

_HUNDREDTHS: Final = 2
COLUMNS: Final = heads(
    "row", "operation", "working (mph x type x in x % of the surface)", "full width", numeric("STIR")
)
_LIST_COLUMNS: Final = heads("operation", "listed values", numeric("STIR"), "full width")


def number(value: int | None, scale: int = STIR_SCALE) -> float | int | None:
    """Return a scaled amount as a JSON number that prints the same digits as ``quantity.show``."""
    if value is None:
        return None
    text = show(value, scale)
    return float(text) if "." in text else int(text)


def _sum(values: list[int | None]) -> tuple[int | None, int]:
    """Return the whole sum, None if a value is unknown, and the sum of the known values (interpretation 3)."""
    known = sum(value for value in values if value is not None)
    return (None if None in values else known), known


def _compared_with_limit(total: int | None, known: int, limit: int) -> str:
    if known > limit:
        return "above"
    return "not shown" if total is None else "at most"


def _pass_json(one: "Pass") -> dict[str, Any]:
    """Return one pass as plain data, amounts as numbers in their units."""
    listed, used = one.listed, one.recorded
    return {
        "row": one.row,
        "operation": one.written,
        "listed_as": listed.name if listed else None,
        "source": listed.source if listed else None,
        "speed_mph": number(used.speed_mph, SCALE),
        "depth_in": number(used.depth_in, SCALE),
        "surface_pct": number(used.surface_pct, SCALE),
        "tillage_type": listed.tillage_type if listed else None,
        "type_modifier": number(listed.type_hundredths, _HUNDREDTHS) if listed else None,
        "how": used.how,
        "stir": number(used.value),
        "stir_published": number(one.published.value),
        "full_width": listed.full_width if listed else None,
        "primary_inversion": listed.primary_inversion if listed else None,
    }


def _stir_document(passes: "list[Pass]", problems: list[Problem], law: RuleVersion) -> dict[str, Any]:
    """Return the whole answer as plain data."""
    total, known = _sum([one.recorded.value for one in passes])
    published, _ = _sum([one.published.value for one in passes])
    return {
        "total": number(total),
        "known_total": number(known),
        "total_published": number(published),
        "unknown_passes": sum(one.recorded.value is None for one in passes),
        "limits": {
            name: {"limit": number(limit), "total_is": _compared_with_limit(total, known, limit)}
            for name, limit in (("no_till", law.no_till_stir_max), ("reduced_till", law.reduced_till_stir_max))
        },
        "passes": [_pass_json(one) for one in passes],
        "problems": [problem.as_json() for problem in problems],
    }


def _passes_table(passes: "list[Pass]") -> Table:
    """Return one line per pass with its working, and the sum as the last."""
    total, known = _sum([one.recorded.value for one in passes])
    rows: list[list[Cell | str]] = [
        [
            Cell(str(one.row)), Cell(one.written), Cell(one.working or "not known"),
            Cell("" if one.listed is None else "yes" if one.listed.full_width else "no"),
            amount(one.recorded.value, STIR_SCALE, places=2, missing="not known"),
        ]
        for one in passes
    ]  # fmt: skip
    name = "sum" if total is not None else "sum of what is known"
    rows.append(["", name, "", "", amount(known, STIR_SCALE, places=2)])
    return Table("STIR", COLUMNS, rows, caption="STIR of one crop interval", totals=1)


def _verdict_lines(passes: "list[Pass]", law: RuleVersion) -> list[str]:
    total, known = _sum([one.recorded.value for one in passes])
    lines = []
    said = {
        "above": "the sum is above the limit of {}.",
        "at most": "the sum is within the limit of {}.",
        "not shown": "whether the sum is within {} is not shown, because passes are not known.",
    }
    for name, limit in (("No-till", law.no_till_stir_max), ("Reduced till", law.reduced_till_stir_max)):
        lines.append(f"{name}: {said[_compared_with_limit(total, known, limit)].format(show(limit, STIR_SCALE))}")
    wide = [one.row for one in passes if one.listed and one.listed.full_width]
    turned = [one.row for one in passes if one.listed and one.listed.primary_inversion]
    if wide:
        lines.append(f"No-till also forbids full-width disturbance: rows {', '.join(map(str, wide))}.")
    if turned:
        lines.append(f"Reduced till also forbids primary inversion: rows {', '.join(map(str, turned))}.")
    return lines


def _list_table() -> Table:
    from provender.catalog.tables import operations

    rows: list[list[Cell | str]] = [
        [
            one.name,
            Cell("several tools") if one.several_tools else Cell(_listed_values(one)),
            amount(one.published_stir, STIR_SCALE),
            "yes" if one.full_width else "no",
        ]
        for one in operations()
    ]
    return Table("operations", _LIST_COLUMNS, rows, caption="Field operations")


def _listed_values(one: "FieldOperation") -> str:
    amounts = ((one.speed_mph, "mph"), (one.depth_in, "in"), (one.surface_pct, "%"))
    return ", ".join(f"{show(value)} {unit}" for value, unit in amounts if value is not None)


def _list_json(one: "FieldOperation") -> dict[str, Any]:
    return {
        "operation": one.name,
        "source": one.source,
        "tillage_type": one.tillage_type,
        "speed_mph": number(one.speed_mph, SCALE),
        "depth_in": number(one.depth_in, SCALE),
        "surface_pct": number(one.surface_pct, SCALE),
        "stir_published": number(one.published_stir),
        "several_tools": one.several_tools,
        "full_width": one.full_width,
        "reason": one.reason,
        "primary_inversion": one.primary_inversion,
    }


def _law(day: date | None) -> RuleVersion:
    try:
        return rule_version(day or output.today())
    except NotInForceError as refused:
        raise refuse("--as-of", str(refused), "Give a day on which the rule is in force.") from None


@stir_app.command()
def stir(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE.csv", help="Columns operation, and if known speed_mph, depth_in, surface_pct."),
    ] = None,
    *,
    as_json: output.Json = False,
    as_of: output.AsOf = None,
    names: Annotated[bool, typer.Option("--list", help="Print the operations list and stop.")] = False,
    csv: output.Csv = None,
    xlsx: output.Xlsx = None,
) -> None:
    """Compute STIR of every pass in a file, and their sum over one crop interval.

    A cell left blank takes the list's value. Names match without regard to case. Status 1 means that the sum is not
    known, or something should be confirmed.
    """
    from provender.catalog.tables import operations
    from provender.services.farm.stir_rows import read_passes

    if names:
        if as_json:
            output.print_json([_list_json(one) for one in operations()])
        else:
            output.print_table(console(), _list_table())
        output.save([_list_table()], csv=csv, xlsx=xlsx, title="Field operations", as_of=as_of or output.today())
        raise typer.Exit(output.ALL_WELL)
    if file is None:
        typer.echo("Name a file: provender stir FILE.csv. The operations: provender stir --list.", err=True)
        raise typer.Exit(output.WRONGLY_CALLED)
    law = _law(as_of)
    passes, problems = read_passes(file)
    if as_json:
        output.print_json(_stir_document(passes, problems, law))
    else:
        out = console()
        output.print_table(out, _passes_table(passes))
        for line in _verdict_lines(passes, law):
            out.print(line, markup=False)
        if law.warning:
            out.print(f"Note: {law.warning}.", markup=False)
    output.save(
        [_passes_table(passes)], csv=csv, xlsx=xlsx, title="STIR of one crop interval", as_of=as_of or output.today()
    )
    output.print_problems(problems)
    doubtful = any(problem.weight is not Weight.NOTE for problem in problems)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if doubtful else output.ALL_WELL)
