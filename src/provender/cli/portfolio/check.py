"""``provender portfolio check``: every unit of every farm judged, practice by practice."""

import typer

from provender.cli.output import Json
from provender.cli.portfolio.options import Folder, Out, tell


def check(folder: Folder, out: Out, json: Json = False) -> None:
    """Judge every practice standard on every unit of every farm of a portfolio.

    The verdicts go to ``verdict-*.parquet`` by partition. A partition that is there already, of the same input and
    software, stays: a job that was killed continues. Exit status 1 when the portfolio itself has problems.
    """
    from provender.portfolio.checking import check as judge
    from provender.portfolio.jobs import open_portfolio, run

    done = run("check", open_portfolio(folder), judge, out)
    raise typer.Exit(tell(done, out, json=json))
