"""``provender portfolio``: many farms and many books as folders of Parquet, and jobs over them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from provender.cli import output
from provender.exact import show
from provender.intensity import OFFICIAL
from provender.problem import Weight

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl
    from pyspark.sql import SparkSession

    from provender.portfolio.jobs import Done
    from provender.problem import Problem


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
        output.print_json({**summary(done), **(more or {})})
    else:
        rows = ", ".join(f"{count:,} {name}" for name, count in done.rows.items()) or "no rows"
        typer.echo(f"{len(done.made)} partitions computed, {len(done.stood)} stood: {rows} in {out}.")
        for name, value in (more or {}).items():
            typer.echo(f"{name}: {value}")
        output.print_problems(done.problems)
    doubtful = any(one.weight is not Weight.NOTE for one in done.problems)
    return output.SOMETHING_TO_LOOK_AT if doubtful else output.ALL_WELL


# On which engine a job runs: named by the person, never chosen by size in silence.

_LOCAL: Final = "local"
_SPARK: Final = "spark"


def _engine(text: str) -> str:
    if text not in (_LOCAL, _SPARK):
        raise typer.BadParameter(f"there is no engine {text!r}. Use {_LOCAL} or {_SPARK}.")
    return text


Engine = Annotated[
    str, typer.Option("--engine", parser=_engine, metavar="NAME", help="local: this machine. spark: a Spark session.")
]
Master = Annotated[
    str,
    typer.Option("--master", metavar="URL", help="With --engine spark: local[2,4], spark://... or sc://... (Connect)."),
]


def _on_engine(
    engine: str, master: str, job: str, folder: Path, out: Path, options: "Mapping[str, str] | None" = None
) -> "Done":
    """Run a job over a portfolio on the engine of that name.

    Raises:
        BadParameter: ``--master`` is given without Spark.
        ProblemsError: Spark is not installed, or the portfolio cannot be read.
    """
    from provender.portfolio.farm_jobs import judge_of
    from provender.portfolio.jobs import open_portfolio, run

    spark = _spark_of(engine, master)
    if spark is not None:
        from provender.portfolio.spark import run_on_spark

        return run_on_spark(job, open_portfolio(folder), out, spark, options=options)
    return run(job, open_portfolio(folder), judge_of(job, options or {}), out, options=options)


def _spark_of(engine: str, master: str) -> "SparkSession | None":
    """Return the Spark session to run on; None for this machine.

    Raises:
        BadParameter: ``--master`` is given without Spark.
        ProblemsError: Spark is not installed.
    """
    if engine == _SPARK:
        from provender.portfolio.spark import session

        return session(master)
    if master:
        raise typer.BadParameter("--master belongs to --engine spark.")
    return None


# ``provender portfolio export``, ``import``, ``validate``: records of many farms into Parquet and back.

TOLD: Final = 20
"""Problems that the screen shows; the file has them all."""


def export(
    books: Annotated[
        list[Path], typer.Argument(metavar="BOOKS...", help="Record book folders, books of custody, signed documents.")
    ],
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="The folder of the new portfolio.")],
    json: output.Json = False,
) -> None:
    """Write record books and books of custody as a portfolio: Parquet by kind of record, harvest year and State.

    What could not be read in a book is carried along, so that it spoils verdicts there as it does here.
    """
    from provender.portfolio.export import export_books
    from provender.records.folder import load_book

    farms = ((str(path), load_book(path)) for path in books if path.is_dir())
    frames, problems = _custody([path for path in books if not path.is_dir()])
    manifest = export_books(farms, to, custody=frames)
    rows = sum(one.rows for one in manifest.files)
    if json:
        told = [one.as_json() for one in problems]
        output.print_json({"files": len(manifest.files), "rows": rows, "schema_version": manifest.schema_version,
                    "problems": told})  # fmt: skip
    else:
        typer.echo(f"{len(books)} books, {rows:,} rows in {len(manifest.files)} files under {to}.")
        output.print_problems(problems)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if problems else output.ALL_WELL)


def _custody(files: list[Path]) -> "tuple[Mapping[str, pl.DataFrame], list[Problem]]":
    """Return the data sets of books of custody and signed documents, and what is wrong with them."""
    if not files:
        return {}, []
    from provender.cli.custody.reconcile import gather, is_book, read_book
    from provender.custody.documents.receive import Pinned
    from provender.custody.reconcile.gathered import older_parts, put_together
    from provender.portfolio.custody import Movements, custody_frames

    movements, pinned = Movements(), Pinned()
    problems: list[Problem] = []
    # Books first, since they pin the keys that documents are signed with.
    parts, moved = [], []
    for path in files:
        if is_book(path):
            moved.append(Movements())
            book = read_book(path, moved[-1].add)
            pinned.add(book.pinned)
            problems += book.problems
            parts.append(book.gathered)
    gathered, older = put_together(parts), older_parts(parts)
    for place, one in enumerate(moved):
        if place not in older:
            movements.take(one)
    for path in files:
        problems += [] if is_book(path) else gather(gathered, path, pinned)
    return custody_frames(gathered, movements), problems


def _import_(
    folder: Folder,
    farm: Annotated[str, typer.Option("--farm", metavar="ID", help="The farm's identifier.")],
    into: Annotated[Path, typer.Option("--into", metavar="BOOK", help="The folder of the new record book.")],
    json: output.Json = False,
) -> None:
    """Write one farm of a portfolio as a record book. Evidence files are not in a portfolio; their hashes are."""
    from provender.portfolio.jobs import open_portfolio
    from provender.portfolio.validating import import_farm

    book = import_farm(open_portfolio(folder), farm, into)
    rows = {kind: len(rows) for kind, rows in book.records.items() if rows}
    if json:
        output.print_json({"farm": farm, "rows": rows, "problems": [one.as_json() for one in book.problems]})
    else:
        typer.echo(f"{sum(rows.values()):,} records of {farm} in {into}.")
        output.print_problems(book.problems)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if book.problems else output.ALL_WELL)


def validate(
    folder: Folder,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where the problems go; without it DIR-problems.")
    ] = None,
    seal: Annotated[
        bool,
        typer.Option("--seal", help="Write a new manifest of the files that are there now."),
    ] = False,
    json: output.Json = False,
) -> None:
    """Check every file, row and reference of a portfolio, whoever wrote it.

    The problems go to ``problem.parquet`` with file, row, column, cause and remedy. Exit status 1 when there
    are any.
    """
    from provender.portfolio.frames import problems_in
    from provender.portfolio.jobs import open_portfolio
    from provender.portfolio.layout import write_manifest
    from provender.portfolio.validating import validate as validate_all

    place = out or folder.with_name(folder.name + "-problems")
    portfolio = open_portfolio(folder)
    if seal:
        write_manifest(folder)
        portfolio = open_portfolio(folder)
    done, problems = validate_all(portfolio, place)
    problems.write_parquet(place / "problem.parquet")
    if json:
        output.print_json({**summary(done), "problems": problems.rows(named=True)})
    else:
        parts = len(done.made) + len(done.stood)
        typer.echo(f"{problems.height:,} problems in {parts} partitions: {place}/problem.parquet")
        output.print_problems(problems_in(problems.head(TOLD)))
        if problems.height > TOLD:
            typer.echo(f"{problems.height - TOLD:,} more are in the file.", err=True)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if problems.height else output.ALL_WELL)


# ``provender portfolio intensity``, ``plan``, ``sister``: CI, best practices and comparisons of every field.


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
    done = _on_engine(engine, master, "intensity", folder, out, options)
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
    raise typer.Exit(tell(_on_engine(engine, master, "plan", folder, out), out, json=json))


def sister(folder: Folder, out: Out, engine: Engine = "local", master: Master = "", json: output.Json = False) -> None:
    """Find runs with the same inputs and another CI, and fields far outside their county in yield, CI, N, moisture.

    What is found goes to ``sisters.parquet``, the most bushels first. Exit status 1 when anything is.
    """
    from provender.portfolio.jobs import open_portfolio
    from provender.portfolio.layout import write_result
    from provender.portfolio.sisters import sisters

    done = _on_engine(engine, master, "sister", folder, out)
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
    done = _on_engine(engine, master, "check", folder, out)
    if not recheck:
        raise typer.Exit(tell(done, out, json=json))
    from provender.portfolio.farm_jobs import recheck as judge_again
    from provender.portfolio.jobs import open_portfolio

    drawn = seed or output.today().isoformat()
    found = judge_again(open_portfolio(folder), out, recheck, drawn)
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
    xlsx: output.Xlsx = None,
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
    checked = _on_engine(engine, master, "check", folder, place / "check")
    done = _on_engine(engine, master, "intensity", folder, place / "intensity", options_of(calculator, None, None))
    portfolio = open_portfolio(folder)
    found, told = claims_and_problems(portfolio)
    problems = list(dict.fromkeys((*checked.problems, *done.problems, *told)))
    write_result(found, place / "claims.parquet", "claims", portfolio.files)
    shown = overview(place / "check", place / "intensity", found)
    day = as_of or output.today()
    rows = sum(one.rows for one in portfolio.files)
    source = f"{folder.resolve().name}: {rows:,} rows in {len(portfolio.files)} files, CI by {calculator} results."
    output.write_file(to, report_page(shown, title=title, as_of=day, source=source).encode())
    output.save(tables(shown), csv=None, xlsx=xlsx, title=title, as_of=day)
    if json:
        output.print_json({"page": str(to), "fields": shown.total("fields"), "claims": found.height,
                    "problems": [one.as_json() for one in problems]})  # fmt: skip
    else:
        typer.echo(f"{shown.total('fields'):,} fields, {found.height:,} findings across books: {to}")
        output.print_problems(problems)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if problems else output.ALL_WELL)


# ``provender portfolio claims`` and ``book``: what only shows when the books of many parties lie side by side.

_SHOWN: Final = 50
Result = Annotated[Path, typer.Option("--out", metavar="FILE.parquet", dir_okay=False, help="Where the result goes.")]


def claims(
    folder: Folder, out: Result, engine: Engine = "local", master: Master = "", json: output.Json = False
) -> None:
    """Find double claims, broken chains, second origins, tickets and fields behind two farms.

    What is found goes to a Parquet file, the most bushels at stake first. Exit status 1 when anything is.
    """
    from provender.portfolio.claims import claims_and_problems, here
    from provender.portfolio.jobs import open_portfolio
    from provender.portfolio.layout import write_result

    portfolio = open_portfolio(folder)
    spark = _spark_of(engine, master)
    if spark is not None:
        from provender.portfolio.spark import search_on

    found, problems = claims_and_problems(portfolio, search=here if spark is None else search_on(spark, out.parent))
    write_result(found, out, "claims", portfolio.files)
    if json:
        output.print_json({"findings": found.rows(named=True), "problems": [one.as_json() for one in problems]})
    else:
        typer.echo(f"{found.height:,} findings: {out}")
        for row in found.head(_SHOWN).iter_rows(named=True):
            typer.echo(f"{show(row['bushels'], group=True)} bu, {row['kind'].replace('_', ' ')}: {row['message']}")
        output.print_problems(problems)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if found.height or problems else output.ALL_WELL)


def book(folder: Folder, out: Result, engine: Engine = "local", master: Master = "", json: output.Json = False) -> None:
    """Balance every entity's books by crop, year, CI and period, and hold them against the signed statements.

    Exit status 1 when a statement differs or an equation ends below zero.
    """
    from provender.portfolio.custody import balances_and_problems, here
    from provender.portfolio.jobs import open_portfolio
    from provender.portfolio.layout import write_result

    portfolio = open_portfolio(folder)
    spark = _spark_of(engine, master)
    if spark is not None:
        from provender.portfolio.spark import sums_on

    lines, problems = balances_and_problems(portfolio, sums=here if spark is None else sums_on(spark, out.parent))
    write_result(lines, out, "book", portfolio.files)
    wrong = lines.filter("differs").height
    below = lines.filter(lines["ending"] < 0).height
    if json:
        output.print_json({"lines": lines.height, "differing": wrong, "below_zero": below,
                    "problems": [one.as_json() for one in problems]})  # fmt: skip
    else:
        told = f"{wrong:,} differ from a signed statement, {below:,} end below zero"
        typer.echo(f"{lines.height:,} equations, {told}: {out}")
        output.print_problems(problems)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if wrong or below or problems else output.ALL_WELL)


# ``provender portfolio``: many farms and many books as folders of Parquet, and jobs over them.

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Exchange the records of many farms as Parquet, and judge them all at once.",
)
app.command("export")(export)
app.command("import")(_import_)
app.command()(validate)
app.command("check")(check)
app.command("intensity")(intensity)
app.command("plan")(plan)
app.command("sister")(sister)
app.command("report")(report)
app.command("book")(book)
app.command("claims")(claims)
