"""``provender portfolio check``: every unit of every farm judged, practice by practice."""

import typer

from provender.cli.output import Json
from provender.cli.portfolio.engines import Engine, Master, on_engine
from provender.cli.portfolio.options import Folder, Out, tell


def check(folder: Folder, out: Out, engine: Engine = "local", master: Master = "", json: Json = False) -> None:
    """Judge every practice standard on every unit of every farm of a portfolio.

    The verdicts go to ``verdict-*.parquet`` by partition. A partition that is there already, of the same input and
    software, stays: a job that was killed continues. Exit status 1 when the portfolio itself has problems.
    """
    done = on_engine(engine, master, "check", folder, out)
    raise typer.Exit(tell(done, out, json=json))
