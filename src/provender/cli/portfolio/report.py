"""``provender portfolio report``: one page and one workbook on a whole portfolio, without a server."""

from pathlib import Path
from typing import Annotated

import typer

from provender.cli.harvests import Calculator
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, print_json, print_problems, today
from provender.cli.portfolio.engines import Engine, Master, on_engine
from provender.cli.portfolio.options import Folder
from provender.cli.tables import Xlsx, save, write_file
from provender.intensity.calculator import OFFICIAL


def report(
    folder: Folder,
    to: Annotated[Path, typer.Option("--to", metavar="FILE.html", dir_okay=False, help="The page to write.")],
    results: Annotated[
        Path | None,
        typer.Option("--results", metavar="DIR", help="Where the jobs' results lie, or go; without it DIR-results."),
    ] = None,
    xlsx: Xlsx = None,
    calculator: Calculator = OFFICIAL,
    title: Annotated[str, typer.Option(help="Of the page.")] = "Portfolio report",
    as_of: AsOf = None,
    engine: Engine = "local",
    master: Master = "",
    json: Json = False,
) -> None:
    """Show CI and practices by county, verdicts, the largest gaps and claims at stake on one page that prints well.

    Runs `check`, `intensity` and `claims` first, where their results are not there already. The page needs no server
    and fetches nothing. Exit status 1 when the portfolio has problems.
    """
    from provender.portfolio.claims import claims_and_problems
    from provender.portfolio.jobs import open_portfolio
    from provender.portfolio.lineage import write_result
    from provender.portfolio.overview import overview
    from provender.portfolio.quantifying import options_of
    from provender.portfolio.report_page import report_page, tables

    place = results or folder.with_name(folder.name + "-results")
    checked = on_engine(engine, master, "check", folder, place / "check")
    done = on_engine(engine, master, "intensity", folder, place / "intensity", options_of(calculator, None, None))
    portfolio = open_portfolio(folder)
    found, told = claims_and_problems(portfolio)
    problems = list(dict.fromkeys((*checked.problems, *done.problems, *told)))
    write_result(found, place / "claims.parquet", "claims", portfolio.files)
    shown = overview(place / "check", place / "intensity", found)
    day = as_of or today()
    rows = sum(one.rows for one in portfolio.files)
    source = f"{folder.resolve().name}: {rows:,} rows in {len(portfolio.files)} files, CI by {calculator} results."
    write_file(to, report_page(shown, title=title, as_of=day, source=source).encode())
    save(tables(shown), csv=None, xlsx=xlsx, title=title, as_of=day)
    if json:
        print_json({"page": str(to), "fields": shown.total("fields"), "claims": found.height,
                    "problems": [one.as_json() for one in problems]})  # fmt: skip
    else:
        typer.echo(f"{shown.total('fields'):,} fields, {found.height:,} findings across books: {to}")
        print_problems(problems)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if problems else ALL_WELL)
