"""What the commands on portfolios share: where they read and write, on which engine, and what came of it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, print_json, print_problems
from provender.problem import Weight

if TYPE_CHECKING:
    from provender.portfolio.jobs import Done

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a portfolio.")]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the result goes; partitions that stand stay.")]


def summary(done: "Done") -> dict[str, Any]:
    """Return what came of a job as plain data."""
    return {
        "made": [str(one) for one in done.made],
        "stood": [str(one) for one in done.stood],
        "rows": dict(done.rows),
        "problems": [one.as_json() for one in done.problems],
    }


def tell(done: "Done", out: Path, *, json: bool, more: "dict[str, Any] | None" = None) -> int:
    """Say what came of a job; return the exit status, 1 where something of the portfolio is to be looked at."""
    if json:
        print_json({**summary(done), **(more or {})})
    else:
        rows = ", ".join(f"{count:,} {name}" for name, count in done.rows.items()) or "no rows"
        typer.echo(f"{len(done.made)} partitions computed, {len(done.stood)} stood: {rows} in {out}.")
        for name, value in (more or {}).items():
            typer.echo(f"{name}: {value}")
        print_problems(done.problems)
    doubtful = any(one.weight is not Weight.NOTE for one in done.problems)
    return SOMETHING_TO_LOOK_AT if doubtful else ALL_WELL
