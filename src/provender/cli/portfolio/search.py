"""``provender portfolio claims`` and ``book``: what only shows when the books of many parties lie side by side."""

from pathlib import Path
from typing import Annotated, Final

import typer

from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, Json, print_json, print_problems
from provender.cli.portfolio.engines import Engine, Master, spark_of
from provender.cli.portfolio.options import Folder
from provender.quantity import show

SHOWN: Final = 50
Result = Annotated[Path, typer.Option("--out", metavar="FILE.parquet", dir_okay=False, help="Where the result goes.")]


def claims(folder: Folder, out: Result, engine: Engine = "local", master: Master = "", json: Json = False) -> None:
    """Find double claims, broken chains, second origins, tickets and fields behind two farms.

    What is found goes to a Parquet file, the most bushels at stake first. Exit status 1 when anything is.
    """
    from provender.portfolio.claims import claims_and_problems, here
    from provender.portfolio.jobs import open_portfolio
    from provender.portfolio.lineage import write_result

    portfolio = open_portfolio(folder)
    spark = spark_of(engine, master)
    if spark is not None:
        from provender.portfolio.spark.searches import search_on

    found, problems = claims_and_problems(portfolio, search=here if spark is None else search_on(spark, out.parent))
    write_result(found, out, "claims", portfolio.files)
    if json:
        print_json({"findings": found.rows(named=True), "problems": [one.as_json() for one in problems]})
    else:
        typer.echo(f"{found.height:,} findings: {out}")
        for row in found.head(SHOWN).iter_rows(named=True):
            typer.echo(f"{show(row['bushels'], group=True)} bu, {row['kind'].replace('_', ' ')}: {row['message']}")
        print_problems(problems)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if found.height or problems else ALL_WELL)


def book(folder: Folder, out: Result, engine: Engine = "local", master: Master = "", json: Json = False) -> None:
    """Balance every entity's books by crop, year, CI and period, and hold them against the signed statements.

    Exit status 1 when a statement differs or an equation ends below zero.
    """
    from provender.portfolio.balances import balances_and_problems, here
    from provender.portfolio.jobs import open_portfolio
    from provender.portfolio.lineage import write_result

    portfolio = open_portfolio(folder)
    spark = spark_of(engine, master)
    if spark is not None:
        from provender.portfolio.spark.searches import sums_on

    lines, problems = balances_and_problems(portfolio, sums=here if spark is None else sums_on(spark, out.parent))
    write_result(lines, out, "book", portfolio.files)
    wrong = lines.filter("differs").height
    below = lines.filter(lines["ending"] < 0).height
    if json:
        print_json({"lines": lines.height, "differing": wrong, "below_zero": below,
                    "problems": [one.as_json() for one in problems]})  # fmt: skip
    else:
        told = f"{wrong:,} differ from a signed statement, {below:,} end below zero"
        typer.echo(f"{lines.height:,} equations, {told}: {out}")
        print_problems(problems)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if wrong or below or problems else ALL_WELL)
