"""Books of custody that others wrote badly: Spark leaves out the rows that this machine leaves out, and no others."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

from provender.portfolio.claims import claims, claims_and_problems
from provender.portfolio.custody import CLAIM, MOVEMENT, ORIGIN, balances, balances_and_problems, custody_problems
from provender.portfolio.jobs import open_portfolio
from provender.portfolio.layout import Portfolio
from tests.portfolio.spark.marks import WITH_SPARK
from tests.portfolio.test_results import LEAST, damage, pages_end

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = WITH_SPARK
FIRST = "part-0.parquet"


@pytest.fixture(scope="module")
def dirty(nation: Path, tmp_path_factory: pytest.TempPathFactory) -> Portfolio:
    """Return the nation with rows and files in its books that nobody can use, each beside sound ones."""
    root = tmp_path_factory.mktemp("dirty") / "p"
    shutil.copytree(nation, root)
    spoil_movements(root / MOVEMENT)
    rows = pl.read_parquet(root / CLAIM / FIRST)
    some = rows.head(40)
    worse = [
        some.with_columns(start=-pl.col("stop")), some.with_columns(stop="start"),
        some.with_columns(giver=pl.lit(None, pl.String)), some.with_columns(source=pl.lit(None, pl.String)),
    ]  # fmt: skip
    pl.concat([*worse, rows.slice(40)]).write_parquet(root / CLAIM / FIRST, row_group_size=64)
    some.rename(str.upper).write_parquet(root / CLAIM / "part-1.parquet")
    some.drop("taker").write_parquet(root / CLAIM / "part-2.parquet")
    (root / CLAIM / "part-3.parquet").write_bytes(b"PAR1 and no more")
    roots = pl.read_parquet(root / ORIGIN / FIRST)
    pl.concat([roots, roots.head(5).with_columns(origin=pl.lit(None, pl.String))]).write_parquet(root / ORIGIN / FIRST)
    return open_portfolio(root)


def spoil_movements(folder: Path) -> None:
    rows = pl.read_parquet(folder / FIRST)
    some = rows.filter(pl.col("came") > 0).head(30)
    assert some.height == 30
    worse = [
        some.with_columns(came=pl.lit(-5_000, pl.Int64)), some.with_columns(went=pl.lit(-1, pl.Int64)),
        some.with_columns(came=pl.lit(None, pl.Int64)), some.with_columns(day=pl.lit(None, pl.Date)),
    ]  # fmt: skip
    pl.concat([rows, *worse]).write_parquet(folder / FIRST, row_group_size=50)
    # Of another program: text, thousandths that are cut, names in capitals, and a file that lacks a column.
    texts = some.with_columns(pl.col("came").cast(pl.String))
    pl.concat([texts, texts.head(3).with_columns(came=pl.lit("five"))]).write_parquet(folder / "part-1.parquet")
    halves = some.with_columns(pl.col("came").cast(pl.Float64))
    pl.concat([halves, halves.head(3).with_columns(pl.col("came") + 0.5)]).rename(str.upper).write_parquet(
        folder / "part-2.parquet"
    )
    some.drop("went").write_parquet(folder / "part-3.parquet")


def test_balances_count_the_rows_that_this_machine_counts(
    spark: "SparkSession", nation: Path, dirty: Portfolio, tmp_path: Path
) -> None:
    from provender.portfolio.spark.searches import sums_on

    # Beside what nobody can use, two files told thirty sound movements each.
    sound = Path(shutil.copytree(nation, tmp_path / "sound"))
    some = pl.read_parquet(sound / MOVEMENT / FIRST).filter(pl.col("came") > 0).head(30)
    pl.concat([some, some]).write_parquet(sound / MOVEMENT / "part-1.parquet")
    lines = balances(dirty)
    assert lines.equals(balances(open_portfolio(sound)))
    assert not lines.equals(balances(open_portfolio(nation)))
    assert balances(dirty, sums=sums_on(spark, tmp_path)).equals(lines)


def test_claims_are_searched_among_the_rows_that_this_machine_searches(
    spark: "SparkSession", dirty: Portfolio, tmp_path: Path
) -> None:
    from provender.portfolio.spark.searches import search_on

    found = claims(dirty, part=100)
    assert found.height > 5
    assert claims(dirty, part=100, search=search_on(spark, tmp_path)).equals(found)


def test_what_is_left_out_is_told_by_file(dirty: Portfolio) -> None:
    told = {(one.place.file, one.code): one.cause.split()[0] for one in custody_problems(dirty)}
    assert told == {
        ("claim/part-0.parquet", "unusable_rows"): "160", ("claim/part-2.parquet", "unreadable_file"): "The",
        ("movement/part-0.parquet", "unusable_rows"): "120", ("movement/part-1.parquet", "unusable_rows"): "3",
        ("movement/part-2.parquet", "unusable_rows"): "3", ("movement/part-3.parquet", "unreadable_file"): "The",
        ("origin/part-0.parquet", "unusable_rows"): "5",
    }  # fmt: skip


def test_a_file_with_damaged_pages_is_told_and_left_out_as_on_this_machine(
    spark: "SparkSession", nation: Path, tmp_path: Path
) -> None:
    from provender.portfolio.spark.searches import search_on, sums_on

    root = Path(shutil.copytree(nation, tmp_path / "p"))
    for name in (CLAIM, MOVEMENT):
        shutil.copy(root / name / FIRST, root / name / "part-1.parquet")
        damage(root / name / "part-1.parquet", LEAST, pages_end(root / name / "part-1.parquet"))
    portfolio = open_portfolio(root)
    found, problems = claims_and_problems(portfolio, search=search_on(spark, tmp_path))
    here, told = claims_and_problems(portfolio)
    assert found.equals(here)
    assert found.height > 5
    lines, more = balances_and_problems(portfolio, sums=sums_on(spark, tmp_path))
    assert lines.equals(balances(open_portfolio(nation)))
    named = {one.place.file for one in problems if one.code == "unreadable_file"}
    assert named == {f"{name}/part-1.parquet" for name in (CLAIM, MOVEMENT)}
    assert problems == told
    assert named == {one.place.file for one in more if one.code == "unreadable_file"}
