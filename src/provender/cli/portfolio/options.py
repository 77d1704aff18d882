"""What the commands on portfolios share: where they read and write, on which engine, and what came of it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, print_json, print_problems
from provender.problem import Weight

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import SparkSession

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


# On which engine a job runs: named by the person, never chosen by size in silence.

LOCAL: Final = "local"
SPARK: Final = "spark"


def _engine(text: str) -> str:
    if text not in (LOCAL, SPARK):
        raise typer.BadParameter(f"there is no engine {text!r}. Use {LOCAL} or {SPARK}.")
    return text


Engine = Annotated[
    str, typer.Option("--engine", parser=_engine, metavar="NAME", help="local: this machine. spark: a Spark session.")
]
Master = Annotated[
    str,
    typer.Option("--master", metavar="URL", help="With --engine spark: local[2,4], spark://... or sc://... (Connect)."),
]


def on_engine(
    engine: str, master: str, job: str, folder: Path, out: Path, options: "Mapping[str, str] | None" = None
) -> "Done":
    """Run a job over a portfolio on the engine of that name.

    Raises:
        BadParameter: ``--master`` is given without Spark.
        ProblemsError: Spark is not installed, or the portfolio cannot be read.
    """
    from provender.portfolio.farm_jobs import judge_of
    from provender.portfolio.jobs import open_portfolio, run

    spark = spark_of(engine, master)
    if spark is not None:
        from provender.portfolio.spark.engine import run_on_spark

        return run_on_spark(job, open_portfolio(folder), out, spark, options=options)
    return run(job, open_portfolio(folder), judge_of(job, options or {}), out, options=options)


def spark_of(engine: str, master: str) -> "SparkSession | None":
    """Return the Spark session to run on; None for this machine.

    Raises:
        BadParameter: ``--master`` is given without Spark.
        ProblemsError: Spark is not installed.
    """
    if engine == SPARK:
        from provender.portfolio.spark.engine import session

        return session(master)
    if master:
        raise typer.BadParameter("--master belongs to --engine spark.")
    return None
