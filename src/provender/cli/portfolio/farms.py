"""``provender portfolio intensity``, ``plan``, ``sister``: CI, best practices and comparisons of every field."""

from pathlib import Path
from typing import Annotated

import typer

from provender.cli import output
from provender.cli.output import Xlsx, save, write_file
from provender.cli.portfolio.options import Engine, Folder, Master, Out, on_engine, tell
from provender.intensity.calculator import OFFICIAL


def intensity(
    folder: Folder,
    out: Out,
    calculator: output.Calculator = OFFICIAL,
    calculators: output.Calculators = None,
    county_table: Annotated[
        Path | None,
        typer.Option("--county-table", metavar="FILE.csv", exists=True, dir_okay=False,
                     help="Estimate by a table of CI by county, crop and practices, in place of a calculator."),
    ] = None,
    engine: Engine = "local",
    master: Master = "",
    json: output.Json = False,
) -> None:  # fmt: skip
    """Quantify every unit and the farm-level CI of every farm, crop and harvest year (2100.020).

    Writes ``unit_ci-*``, ``farm_ci-*`` and ``finding-*.parquet`` by partition. Exit status 1 when a farm has no CI, a
    finding, or the portfolio has problems.
    """
    from provender.portfolio.farm_jobs import COUNTY_TABLE, FARM, FINDING, options_of
    from provender.portfolio.farm_jobs import county_table as loaded

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
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if any(more.values()) else status)


def _without_ci(out: Path, data_set: str) -> int:
    import polars as pl

    from provender.portfolio.jobs import read_result

    rows = read_result(out, data_set)
    if not rows.collect_schema().names():
        return 0
    return int(rows.select(pl.col("ci_g_per_bu").null_count()).collect().item())


def plan(folder: Folder, out: Out, engine: Engine = "local", master: Master = "", json: output.Json = False) -> None:
    """Find the best practices of every field, and what each missing record costs it, by the open model: estimates.

    Writes ``plan-*.parquet`` (today's and the best combination of each field) and ``cost-*.parquet`` (each practice
    that some record still has to show, with the CI it would give). Not USDA FD-CIC.
    """
    raise typer.Exit(tell(on_engine(engine, master, "plan", folder, out), out, json=json))


def sister(folder: Folder, out: Out, engine: Engine = "local", master: Master = "", json: output.Json = False) -> None:
    """Find runs with the same inputs and another CI, and fields far outside their county in yield, CI, N, moisture.

    What is found goes to ``sisters.parquet``, the most bushels first. Exit status 1 when anything is.
    """
    from provender.portfolio.jobs import open_portfolio
    from provender.portfolio.layout import write_result
    from provender.portfolio.outliers import sisters

    done = on_engine(engine, master, "sister", folder, out)
    found = sisters(out)
    write_result(found, out / "sisters.parquet", "sister", open_portfolio(folder).files)
    kinds = dict(sorted(found["kind"].value_counts().iter_rows()))
    status = tell(done, out, json=json, more={"found": kinds})
    if not json:
        for message in found["message"].head(20):
            typer.echo(message)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if found.height else status)


# ``provender portfolio check``: every unit of every farm judged, practice by practice.


def check(
    folder: Folder,
    out: Out,
    recheck: Annotated[
        int, typer.Option("--recheck", metavar="N", min=0, help="Judge so many random farms again, each alone.")
    ] = 0,
    seed: Annotated[
        str, typer.Option("--seed", metavar="S", help="Draws the farms of --recheck; without it today's date.")
    ] = "",
    engine: Engine = "local",
    master: Master = "",
    json: output.Json = False,
) -> None:  # fmt: skip
    """Judge every practice standard on every unit of every farm of a portfolio.

    The verdicts go to `verdict-*.parquet` by partition. A partition that is there already, of the same input and
    software, stays: a job that was killed continues. With `--recheck`, random farms are judged a second time, by the
    code that judges single books, and each verdict is compared. Exit status 1 when the portfolio itself has problems,
    or when a verdict differs.
    """
    done = on_engine(engine, master, "check", folder, out)
    if not recheck:
        raise typer.Exit(tell(done, out, json=json))
    from provender.portfolio import recheck as again
    from provender.portfolio.jobs import open_portfolio

    drawn = seed or output.today().isoformat()
    found = again.recheck(open_portfolio(folder), out, recheck, drawn)
    counts = {"farms": found.farms, "intervals": found.intervals, "verdicts": found.verdicts}
    differences = [one._asdict() for one in found.differences]
    more = {"recheck": {**counts, "seed": drawn, "differences": differences}}
    status = tell(done, out, json=json, more=more if json else None)
    if not json:
        said = ", ".join(f"{count:,} {name}" for name, count in counts.items())
        typer.echo(f"Rechecked {said} (seed {drawn}): {len(found.differences):,} differ.")
        for one in found.differences:
            typer.echo(str(one))
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if found.differences else status)


# ``provender portfolio report``: one page and one workbook on a whole portfolio, without a server.


def report(
    folder: Folder,
    to: Annotated[Path, typer.Option("--to", metavar="FILE.html", dir_okay=False, help="The page to write.")],
    results: Annotated[
        Path | None,
        typer.Option("--results", metavar="DIR", help="Where the jobs' results lie, or go; without it DIR-results."),
    ] = None,
    xlsx: Xlsx = None,
    calculator: output.Calculator = OFFICIAL,
    title: Annotated[str, typer.Option(help="Of the page.")] = "Portfolio report",
    as_of: output.AsOf = None,
    engine: Engine = "local",
    master: Master = "",
    json: output.Json = False,
) -> None:
    """Show CI and practices by county, verdicts, the largest gaps and claims at stake on one page that prints well.

    Runs `check`, `intensity` and `claims` first, where their results are not there already. The page needs no server
    and fetches nothing. Exit status 1 when the portfolio has problems.
    """
    from provender.portfolio.claims import claims_and_problems
    from provender.portfolio.farm_jobs import options_of
    from provender.portfolio.jobs import open_portfolio
    from provender.portfolio.layout import write_result
    from provender.portfolio.report import overview, report_page, tables

    place = results or folder.with_name(folder.name + "-results")
    checked = on_engine(engine, master, "check", folder, place / "check")
    done = on_engine(engine, master, "intensity", folder, place / "intensity", options_of(calculator, None, None))
    portfolio = open_portfolio(folder)
    found, told = claims_and_problems(portfolio)
    problems = list(dict.fromkeys((*checked.problems, *done.problems, *told)))
    write_result(found, place / "claims.parquet", "claims", portfolio.files)
    shown = overview(place / "check", place / "intensity", found)
    day = as_of or output.today()
    rows = sum(one.rows for one in portfolio.files)
    source = f"{folder.resolve().name}: {rows:,} rows in {len(portfolio.files)} files, CI by {calculator} results."
    write_file(to, report_page(shown, title=title, as_of=day, source=source).encode())
    save(tables(shown), csv=None, xlsx=xlsx, title=title, as_of=day)
    if json:
        output.print_json({"page": str(to), "fields": shown.total("fields"), "claims": found.height,
                    "problems": [one.as_json() for one in problems]})  # fmt: skip
    else:
        typer.echo(f"{shown.total('fields'):,} fields, {found.height:,} findings across books: {to}")
        output.print_problems(problems)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if problems else output.ALL_WELL)
