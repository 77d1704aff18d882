"""On which engine a job runs: named by the person, never chosen by size in silence."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import SparkSession

    from provender.portfolio.jobs import Done

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
    from provender.portfolio.jobs import open_portfolio, run
    from provender.portfolio.registry import judge_of

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
