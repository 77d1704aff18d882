"""``provender stir``: STIR of every pass in a file and their sum, held against the limits of the rule."""

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from provender.cli import output
from provender.cli.tables import Csv, Xlsx, console, print_table, save
from provender.exact import SCALE, STIR_SCALE, show
from provender.paper.tables import Cell, Column, Table, amount
from provender.problem import Problem, Weight, refuse
from provender.rule.law import NotInForceError, RuleVersion, rule_version

if TYPE_CHECKING:
    from provender.catalog.operations import FieldOperation
    from provender.services.farm.stir_rows import Pass

app = typer.Typer(add_completion=False)

_HUNDREDTHS: Final = 2
COLUMNS: Final = (
    Column("row"),
    Column("operation"),
    Column("working (mph x type x in x % of the surface)"),
    Column("full width"),
    Column("STIR", number=True),
)
LIST_COLUMNS: Final = (
    Column("operation"),
    Column("listed values"),
    Column("STIR", number=True),
    Column("full width"),
)


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


def _standing(total: int | None, known: int, limit: int) -> str:
    if known > limit:
        return "above"
    return "not shown" if total is None else "at most"


def pass_json(one: "Pass") -> dict[str, Any]:
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


def document(passes: "list[Pass]", problems: list[Problem], law: RuleVersion) -> dict[str, Any]:
    """Return the whole answer as plain data."""
    total, known = _sum([one.recorded.value for one in passes])
    published, _ = _sum([one.published.value for one in passes])
    return {
        "total": number(total),
        "known_total": number(known),
        "total_published": number(published),
        "unknown_passes": sum(one.recorded.value is None for one in passes),
        "limits": {
            name: {"limit": number(limit), "total_is": _standing(total, known, limit)}
            for name, limit in (("no_till", law.no_till_stir_max), ("reduced_till", law.reduced_till_stir_max))
        },
        "passes": [pass_json(one) for one in passes],
        "problems": [problem.as_json() for problem in problems],
    }


def passes_table(passes: "list[Pass]") -> Table:
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
        lines.append(f"{name}: {said[_standing(total, known, limit)].format(show(limit, STIR_SCALE))}")
    wide = [one.row for one in passes if one.listed and one.listed.full_width]
    turned = [one.row for one in passes if one.listed and one.listed.primary_inversion]
    if wide:
        lines.append(f"No-till also forbids full-width disturbance: rows {', '.join(map(str, wide))}.")
    if turned:
        lines.append(f"Reduced till also forbids primary inversion: rows {', '.join(map(str, turned))}.")
    return lines


def list_table() -> Table:
    """Return the operations list."""
    from provender.catalog.operations import operations

    rows: list[list[Cell | str]] = [
        [
            one.name,
            Cell("several tools") if one.several_tools else Cell(_listed_values(one)),
            amount(one.published_stir, STIR_SCALE),
            "yes" if one.full_width else "no",
        ]
        for one in operations()
    ]
    return Table("operations", LIST_COLUMNS, rows, caption="Field operations")


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


@app.command()
def stir(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE.csv", help="Columns operation, and if known speed_mph, depth_in, surface_pct."),
    ] = None,
    *,
    as_json: output.Json = False,
    as_of: output.AsOf = None,
    names: Annotated[bool, typer.Option("--list", help="Print the operations list and stop.")] = False,
    csv: Csv = None,
    xlsx: Xlsx = None,
) -> None:
    """Compute STIR of every pass in a file, and their sum over one crop interval.

    A cell left blank takes the list's value. Names match without regard to case. Status 1 means that the sum is not
    known, or something should be confirmed.
    """
    from provender.catalog.operations import operations
    from provender.services.farm.stir_rows import read_passes

    if names:
        if as_json:
            output.print_json([_list_json(one) for one in operations()])
        else:
            print_table(console(), list_table())
        save([list_table()], csv=csv, xlsx=xlsx, title="Field operations", as_of=as_of or output.today())
        raise typer.Exit(output.ALL_WELL)
    if file is None:
        typer.echo("Name a file: provender stir FILE.csv. The operations: provender stir --list.", err=True)
        raise typer.Exit(output.WRONGLY_CALLED)
    law = _law(as_of)
    passes, problems = read_passes(file)
    if as_json:
        output.print_json(document(passes, problems, law))
    else:
        out = console()
        print_table(out, passes_table(passes))
        for line in _verdict_lines(passes, law):
            out.print(line, markup=False)
        if law.warning:
            out.print(f"Note: {law.warning}.", markup=False)
    save([passes_table(passes)], csv=csv, xlsx=xlsx, title="STIR of one crop interval", as_of=as_of or output.today())
    output.print_problems(problems)
    doubtful = any(problem.weight is not Weight.NOTE for problem in problems)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if doubtful else output.ALL_WELL)
