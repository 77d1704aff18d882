"""``python -m bench``: the figures of speed and size beside their budgets, and peers doing the same work."""

import json as json_text
import os
import subprocess
import sys
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.table import Table

from bench.measure import BENCHMARKS, MISSED, NOT_JUDGED, OK, SIZES, Measure
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, WRONGLY_CALLED, Json, print_json

UNSTEADY: Final = 3
"""Exit status of a run on a machine whose speed changed meanwhile, in which no budget is missed."""
OTHERWISE: Final = ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE")
"""Settings of some machines that build, with which Python writes line by line and translates each module anew."""

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Only these; all without one.")] = None,
    size: Annotated[
        str, typer.Option(help="`default`, or `full` for as much data as is promised; loading takes minutes.")
    ] = "default",
    json: Json = False,
) -> None:
    """Measure speed and memory, each benchmark in a process of its own.

    Exit status 1 when a budget is missed, 3 when the machine's speed changed meanwhile so that something is not judged.
    """
    chosen = names or list(BENCHMARKS)
    for what, known, said in (("benchmark", BENCHMARKS, chosen), ("size", SIZES, [size])):
        if unknown := [one for one in said if one not in known]:
            typer.echo(f"No {what} is called {unknown[0]!r}. There are: {', '.join(known)}.", err=True)
            raise typer.Exit(WRONGLY_CALLED)
    rows = [row for name in chosen for row in _measure(name, size)]
    if json:
        print_json([row._asdict() | {"times": row.times if row.of else None} for row in rows])
    else:
        _print(Console(), rows)
    raise typer.Exit(exit_status(rows))


def exit_status(rows: list[Measure]) -> int:
    """Return the exit status: a missed budget says more than one that was not judged."""
    verdicts = {row.verdict for row in rows}
    if MISSED in verdicts:
        return SOMETHING_TO_LOOK_AT
    return UNSTEADY if NOT_JUDGED in verdicts else ALL_WELL


def _measure(name: str, size: str) -> list[Measure]:
    settings = {name: said for name, said in os.environ.items() if name not in OTHERWISE}
    done = subprocess.run(  # noqa: S603 - our own module
        [sys.executable, "-m", "bench.alone", name],
        capture_output=True,
        check=False,
        text=True,
        env={**settings, "PROVENDER_BENCH_SIZE": size},
    )
    if done.returncode != 0:
        failure = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no message"
        return [Measure(f"{name}: {failure}", 0.0, "", verdict=MISSED)]
    return [Measure(**row) for row in json_text.loads(done.stdout)]


def _print(console: Console, rows: list[Measure]) -> None:
    table = Table(box=None)
    for heading in ("Figure", "Value", "Unit", "Times", "At most", "Verdict", "Reference", "Before", "After"):
        table.add_column(heading, justify="left" if heading in ("Figure", "Unit", "Verdict", "Reference") else "right")
    for row in rows:
        verdict = row.verdict if row.budget is not None or row.verdict != OK else ""
        around = (row.of, f"{row.before:.4f} s", f"{row.after:.4f} s") if row.of else ()
        times, budget = (_number(row.times) if row.of else ""), ("" if row.budget is None else _number(row.budget))
        table.add_row(row.name, _number(row.value), row.unit, times, budget, verdict, *around)
    console.print(table)
    if any(row.verdict == NOT_JUDGED for row in rows):
        console.print(
            "Not judged: the reference before and after differ by more than a fifth. Try again on a quieter machine."
        )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:,.2f}"  # noqa: PLR2004 - from here decimals say nothing


if __name__ == "__main__":
    app(prog_name="python -m bench")
