"""``provender portfolio claims`` and ``book``: what only shows when the books of many parties lie side by side."""

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from provender.cli.audit.sample import BeaconDay, BeaconRound, BeaconSource, Commitments, Previous
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, print_json, print_problems, today
from provender.cli.portfolio.options import Engine, Folder, Master, Out, on_engine, spark_of, tell
from provender.exact import show
from provender.problem import refuse

SHOWN: Final = 50
Result = Annotated[Path, typer.Option("--out", metavar="FILE.parquet", dir_okay=False, help="Where the result goes.")]


def claims(folder: Folder, out: Result, engine: Engine = "local", master: Master = "", json: Json = False) -> None:
    """Find double claims, broken chains, second origins, tickets and fields behind two farms.

    What is found goes to a Parquet file, the most bushels at stake first. Exit status 1 when anything is.
    """
    from provender.portfolio.claims import claims_and_problems, here
    from provender.portfolio.jobs import open_portfolio
    from provender.portfolio.layout import write_result

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
    from provender.portfolio.custody import balances_and_problems, here
    from provender.portfolio.jobs import open_portfolio
    from provender.portfolio.layout import write_result

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


# ``provender portfolio sample``: the farms to be audited of every first point of aggregation (2100.040(a)(3)).

FROZEN: Final = "frozen.json"
Opened = Annotated[
    list[str] | None, typer.Option("--open", help="verifier=FILE or audited=FILE: the secret of `audit seed`.")
]


def sample(
    folder: Folder,
    out: Out,
    year: Annotated[int | None, typer.Option(help="Harvest year under audit, to freeze the lists.")] = None,
    commitments: Commitments = None,
    beacon: BeaconSource = "",
    beacon_round: BeaconRound = "",
    beacon_on: BeaconDay = None,
    frozen: Annotated[Path | None, typer.Option(help="The frozen lists, to draw from them.")] = None,
    opened: Opened = None,
    beacon_value: Annotated[str, typer.Option(help="What the beacon gave in the round that the lists name.")] = "",
    previous: Previous = None,
    as_of: AsOf = None,
    engine: Engine = "local",
    master: Master = "",
    json: Json = False,
) -> None:
    """List, freeze or draw the farms of every first point at once, as `audit freeze` and `audit sample` do for one.

    Without more the farms are counted; with a year and commitments (or a beacon) the lists are frozen in
    ``frozen.json``; with ``--frozen`` and the opened seed all are drawn. Exit status 1 when a point has no list.
    """
    from secrets import token_hex

    from provender.audit.sampling.farm_list import read_previous
    from provender.audit.sampling.sample import merge_years
    from provender.cli.audit.sample import source_of
    from provender.cli.output import write_document
    from provender.portfolio.jobs import open_portfolio
    from provender.portfolio.sampling import draw_all, draw_frames, freeze_all, list_frames, populations

    done = on_engine(engine, master, "sample", folder, out)
    lists, problems = populations(open_portfolio(folder), out)
    audited, notes = read_previous(previous) if previous else ([], [])
    frames = list_frames(lists)
    more: dict[str, Any] = {"first_points": len(lists), "without_a_list": len({one.place.file for one in problems})}
    if frozen is not None:
        samples = draw_all(lists, *_opening(frozen, opened or [], beacon_value), merge_years(audited))
        frames |= draw_frames(samples)
        more["drawn"] = {entity: len(one.farm_ids) for entity, one in samples.items()}
    elif commitments or beacon:
        day, before = as_of or today(), merge_years(audited)
        source = source_of(commitments, beacon, beacon_round, beacon_on or day)
        write_document(out / FROZEN, freeze_all(lists, _year(year), before, source, day=day, salt=token_hex(32)))
        more["frozen"] = str(out / FROZEN)
    for name, frame in frames.items():
        frame.write_parquet(out / f"{name}.parquet")
    print_problems([*problems, *notes])
    status = tell(done, out, json=json, more=more)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if problems else status)


def _year(year: int | None) -> int:
    if year is None:
        raise refuse("--year", "The harvest year under audit is missing.", "Write --year 2025.", cite="2100.040(a)(3)")
    return year


def _opening(frozen: Path, opened: list[str], beacon_value: str) -> tuple[dict[str, Any], Any]:
    from provender.cli.audit.sample import opened_parts
    from provender.cli.output import read_document

    return read_document(frozen), opened_parts(opened, beacon_value)
