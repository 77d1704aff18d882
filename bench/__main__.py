"""``python -m bench``: the figures of speed and size beside their budgets, and peers doing the same work."""

import json as json_text
import os
import subprocess
import sys
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.table import Table

from bench.measure import APART, BENCHMARKS, SIZES
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, WRONGLY_CALLED, Json, print_json

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
    """Measure speed and memory, each benchmark in a process of its own. Exit status 1 when a budget is missed."""
    chosen = names or [name for name in BENCHMARKS if name not in APART]
    unknown = [name for name in chosen if name not in BENCHMARKS]
    if unknown:
        typer.echo(f"No benchmark is called {unknown[0]!r}. There are: {', '.join(BENCHMARKS)}.", err=True)
        raise typer.Exit(WRONGLY_CALLED)
    if size not in SIZES:
        typer.echo(f"No size is called {size!r}. There are: {', '.join(SIZES)}.", err=True)
        raise typer.Exit(WRONGLY_CALLED)
    rows = [row for name in chosen for row in _measure(name, size)]
    if json:
        print_json(rows)
    else:
        _print(Console(), rows)
    raise typer.Exit(ALL_WELL if all(row["ok"] for row in rows) else SOMETHING_TO_LOOK_AT)


def _measure(name: str, size: str) -> list[dict[str, Any]]:
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
        return [{"name": f"{name}: {failure}", "value": None, "unit": "", "budget": None, "ok": False}]
    rows: list[dict[str, Any]] = json_text.loads(done.stdout)
    return rows


def _print(console: Console, rows: list[dict[str, Any]]) -> None:
    table = Table(box=None)
    for heading in ("Figure", "Value", "Unit", "Budget", ""):
        table.add_column(heading, justify="right" if heading in ("Value", "Budget") else "left")
    for row in rows:
        verdict = "ok" if row["ok"] else "MISSED"
        table.add_row(row["name"], _number(row["value"]), row["unit"], _number(row["budget"]), verdict)
    console.print(table)


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 1000 else f"{value:,.2f}"  # noqa: PLR2004 - from here decimals say nothing


if __name__ == "__main__":
    app(prog_name="python -m bench")
