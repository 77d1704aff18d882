"""``provender portfolio intensity``, ``plan``, ``sister``: CI, best practices and comparisons of every field."""

from pathlib import Path
from typing import Annotated

import typer

from provender.cli.harvests import Calculator, Calculators
from provender.cli.output import SOMETHING_TO_LOOK_AT, Json
from provender.cli.portfolio.engines import Engine, Master, on_engine
from provender.cli.portfolio.options import Folder, Out, tell
from provender.intensity.calculator import OFFICIAL


def intensity(
    folder: Folder,
    out: Out,
    calculator: Calculator = OFFICIAL,
    calculators: Calculators = None,
    county_table: Annotated[
        Path | None,
        typer.Option("--county-table", metavar="FILE.csv", exists=True, dir_okay=False,
                     help="Estimate by a table of CI by county, crop and practices, in place of a calculator."),
    ] = None,
    engine: Engine = "local",
    master: Master = "",
    json: Json = False,
) -> None:  # fmt: skip
    """Quantify every unit and the farm-level CI of every farm, crop and harvest year (2100.020).

    Writes ``unit_ci-*``, ``farm_ci-*`` and ``finding-*.parquet`` by partition. Exit status 1 when a farm has no CI, a
    finding, or the portfolio has problems.
    """
    from provender.portfolio.quantifying import COUNTY_TABLE, FARM, FINDING, options_of
    from provender.portfolio.quantifying import county_table as loaded

    if county_table is not None and calculator != OFFICIAL:
        raise typer.BadParameter(f"--county-table stands in place of the calculator {calculator!r}: leave one out.")
    options = options_of(calculator, county_table, calculators)
    read = loaded(options) if COUNTY_TABLE in options else None
    done = on_engine(engine, master, "intensity", folder, out, options)
    without = _without_ci(out, FARM)
    more = {"farms_without_ci": without, "findings": done.rows.get(FINDING, 0)}
    if read and read.problems:
        more["county_table_problems"] = len(read.problems)
    status = tell(done, out, json=json, more=more)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if any(more.values()) else status)


def _without_ci(out: Path, data_set: str) -> int:
    import polars as pl

    from provender.portfolio.jobs import read_result

    rows = read_result(out, data_set)
    if not rows.collect_schema().names():
        return 0
    return int(rows.select(pl.col("ci_g_per_bu").null_count()).collect().item())


def plan(folder: Folder, out: Out, engine: Engine = "local", master: Master = "", json: Json = False) -> None:
    """Find the best practices of every field, and what each missing record costs it, by the open model: estimates.

    Writes ``plan-*.parquet`` (today's and the best combination of each field) and ``cost-*.parquet`` (each practice
    that some record still has to show, with the CI it would give). Not USDA FD-CIC.
    """
    raise typer.Exit(tell(on_engine(engine, master, "plan", folder, out), out, json=json))


def sister(folder: Folder, out: Out, engine: Engine = "local", master: Master = "", json: Json = False) -> None:
    """Find runs with the same inputs and another CI, and fields far outside their county in yield, CI, N, moisture.

    What is found goes to ``sisters.parquet``, the most bushels first. Exit status 1 when anything is.
    """
    from provender.portfolio.jobs import open_portfolio
    from provender.portfolio.lineage import write_result
    from provender.portfolio.sisters import sisters

    done = on_engine(engine, master, "sister", folder, out)
    found = sisters(out)
    write_result(found, out / "sisters.parquet", "sister", open_portfolio(folder).files)
    kinds = dict(sorted(found["kind"].value_counts().iter_rows()))
    status = tell(done, out, json=json, more={"found": kinds})
    if not json:
        for message in found["message"].head(20):
            typer.echo(message)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if found.height else status)
