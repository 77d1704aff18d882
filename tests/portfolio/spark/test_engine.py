"""On Spark a portfolio is judged as on this machine, row by row, and a killed worker loses nothing."""

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import polars as pl
import pytest

from bench.nation.build import build
from bench.portfolio import write_portfolio
from provender.custody.queries.double_claims import SEED
from provender.portfolio.claims import claims, claims_and_problems, coding
from provender.portfolio.custody import CLAIM, MOVEMENT, ORIGIN, balances, balances_and_problems, custody_problems
from provender.portfolio.farm_jobs import VERDICT, check, judge_of
from provender.portfolio.jobs import Done, open_portfolio, read_result, run
from provender.portfolio.layout import Portfolio, write_manifest
from provender.problem import ProblemsError
from tests.portfolio.test_claims import honest
from tests.portfolio.test_results import LEAST, damage, pages_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyarrow import RecordBatch
    from pyspark.sql import SparkSession

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("spark"),
    # Spark's own clients leave sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning",
                               "ignore::DeprecationWarning", "ignore::FutureWarning"),
]  # fmt: skip


@pytest.fixture(scope="module")
def spark() -> "Iterator[SparkSession]":
    assert importlib.util.find_spec("pyspark"), "install provender[spark]"
    from provender.portfolio.spark import session

    made = session("local[2,4]")
    yield made
    made.stop()


class Searches(NamedTuple):
    """How Spark searches claims and sums movements."""

    search: Any
    sums: Any


@pytest.fixture
def on_spark(spark: "SparkSession") -> Callable[..., Done]:
    from provender.portfolio.spark import run_on_spark

    return partial(run_on_spark, spark=spark)


@pytest.fixture
def by_spark(spark: "SparkSession", tmp_path: Path) -> Searches:
    from provender.portfolio.spark import search_on, sums_on

    return Searches(search_on(spark, tmp_path), sums_on(spark, tmp_path))


@pytest.fixture(scope="module")
def nation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nation") / "p"
    build(folder, 7, farms=150, each=1, states=("KS",))
    return folder


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("spark") / "p"
    write_portfolio(folder, ("KS", "IA"), farms=10)
    return folder


def rows(out: Path) -> pl.DataFrame:
    return read_result(out, VERDICT).collect().sort("farm_id", "unit_id", "harvest_id")


@pytest.fixture(scope="module")
def here(root: Path, tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    """What this machine says of every row."""
    out = tmp_path_factory.mktemp("here") / "out"
    run("check", open_portfolio(root), check, out)
    return rows(out)


def test_spark_says_what_this_machine_says_row_by_row(
    on_spark: Callable[..., Done], root: Path, here: pl.DataFrame, tmp_path: Path
) -> None:
    done = on_spark("check", open_portfolio(root), tmp_path / "spark", units=100)
    assert len(done.made) == 2
    assert len(list((tmp_path / "spark").rglob("verdict-*.parquet"))) == 8
    assert here.height == 800
    assert rows(tmp_path / "spark").equals(here)
    again = on_spark("check", open_portfolio(root), tmp_path / "spark", units=100)
    assert (len(again.made), len(again.stood)) == (0, 2)


def test_a_farm_in_two_partitions_is_judged_once_on_spark_too(
    on_spark: Callable[..., Done], root: Path, here: pl.DataFrame, tmp_path: Path
) -> None:
    spread = Path(shutil.copytree(root, tmp_path / "p"))
    (path,) = (spread / "operation").glob("*/state=KS/*.parquet")
    passes = pl.read_parquet(path, hive_partitioning=False)
    away = (pl.col("farm_id") == passes["farm_id"][0]) & (pl.int_range(pl.len()) % 2 == 1)
    other = Path(str(path.parent).replace("state=KS", "state=IA")) / "guests.parquet"
    passes.filter(away).write_parquet(other)
    passes.filter(~away).write_parquet(path)
    assert pl.read_parquet(other, hive_partitioning=False).height > 10
    write_manifest(spread)
    run("check", open_portfolio(spread), check, tmp_path / "local")
    on_spark("check", open_portfolio(spread), tmp_path / "spark", units=100)
    theirs = rows(tmp_path / "spark")
    assert theirs.equals(rows(tmp_path / "local"))
    assert theirs.equals(here)


def test_spark_does_not_write_over_another_result(on_spark: Callable[..., Done], root: Path, tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text('{"job": "plan", "portfolio": "/elsewhere"}')
    with pytest.raises(ProblemsError, match="elsewhere"):
        on_spark("check", open_portfolio(root), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["result.json"]


def kill_once(batches: "Iterator[RecordBatch]") -> "Iterator[RecordBatch]":
    """Do the work, but kill this worker when it begins for the first time."""
    from provender.portfolio.spark import work

    for batch in batches:
        mark = Path(json.loads(batch.to_pylist()[0]["work"])["folder"]).parents[3] / "killed"
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        yield from work(iter([batch]))


def test_a_killed_worker_loses_nothing(
    on_spark: Callable[..., Done], root: Path, here: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from provender.portfolio import spark as worker

    original = worker.work
    with monkeypatch.context() as patched:
        patched.setattr(worker, "work", kill_once)
        # The module of a test is not on the executors: the function goes there whole, and asks for the real one.
        patched.setattr(kill_once, "__module__", "__main__")
        on_spark("check", open_portfolio(root), tmp_path / "spark", units=100)
    assert worker.work is original
    assert list(tmp_path.rglob("killed"))
    assert rows(tmp_path / "spark").equals(here)


@pytest.mark.parametrize("job", ["intensity", "plan", "sister"])
def test_every_job_says_on_spark_what_it_says_here(
    on_spark: Callable[..., Done], nation: Path, tmp_path: Path, job: str
) -> None:
    # The same batches on both: what lies in a batch decides the order of its rows, and nothing else.
    run(job, open_portfolio(nation), judge_of(job, {}), tmp_path / "local", options={}, units=400)
    on_spark(job, open_portfolio(nation), tmp_path / "spark", options={}, units=400)
    files = sorted(path.relative_to(tmp_path / "local") for path in (tmp_path / "local").rglob("*.parquet"))
    assert files == sorted(path.relative_to(tmp_path / "spark") for path in (tmp_path / "spark").rglob("*.parquet"))
    assert len(files) > 3
    for inside in files:
        assert pl.read_parquet(tmp_path / "local" / inside).equals(pl.read_parquet(tmp_path / "spark" / inside)), inside


def test_claims_and_balances_on_spark_are_those_of_this_machine(
    by_spark: Searches, nation: Path, tmp_path: Path
) -> None:
    portfolio = open_portfolio(nation)
    found, lines = claims(portfolio, part=100), balances(portfolio)
    assert set(found["kind"]) >= {"double_sale", "broken_chain"}
    assert claims(portfolio, part=100, search=by_spark.search).equals(found)
    assert lines.height > 5
    assert balances(portfolio, sums=by_spark.sums).equals(lines)
    assert list(tmp_path.iterdir()) == []


def test_an_executor_that_numbers_names_otherwise_is_told_not_compared(
    spark: "SparkSession", nation: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from provender.portfolio import spark as searches

    # What is asked of the executors is the coding of another Polars; theirs is the one that is here.
    monkeypatch.setattr(searches, "coding", lambda _seed: "0.20.0 0123456789abcdef")
    with pytest.raises(ProblemsError) as caught:
        claims(open_portfolio(nation), part=100, search=searches.search_on(spark, tmp_path))
    assert [one.code for one in caught.value.problems] == ["other_coding"]
    assert list(tmp_path.iterdir()) == []


CLUSTER: Final = """
import json, os, signal, sys
from pathlib import Path
from provender.portfolio.jobs import open_portfolio
from provender.portfolio import spark as engine

real = engine.work

def parent(process):
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])

def kills_its_executor_once(batches):
    for batch in batches:
        try:
            (Path(json.loads(batch.to_pylist()[0]["work"])["folder"]).parents[3] / "killed").touch(exist_ok=False)
        except FileExistsError:
            yield from real(iter([batch]))
        else:
            # Above a worker stands the daemon that forked it, above that the JVM of the executor.
            os.kill(parent(parent("self")), signal.SIGKILL)

engine.work = kills_its_executor_once
spark = engine.session("local-cluster[2,1,1024]")
engine.run_on_spark("check", open_portfolio(Path(sys.argv[1])), Path(sys.argv[2]), spark, units=200)
spark.stop()
"""
"""Two executors with a JVM each; a program of its own, since a process has one session and one master."""
QUICK: Final = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Of five JVMs most of the time is their start."""


def test_a_killed_executor_loses_nothing(root: Path, here: pl.DataFrame, tmp_path: Path) -> None:
    import pyspark

    submit = f'--driver-java-options "{QUICK}" --conf "spark.executor.extraJavaOptions={QUICK}"'
    place = {
        "SPARK_HOME": str(Path(str(pyspark.__file__)).parent), "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_SCALA_VERSION": "2.13", "PYTHONPATH": os.pathsep.join(sys.path),
        "PYSPARK_SUBMIT_ARGS": f"--conf spark.driver.host=127.0.0.1 {submit} pyspark-shell",
    }  # fmt: skip
    program = [sys.executable, "-c", CLUSTER, str(root), str(tmp_path / "spark")]
    done = subprocess.run(  # noqa: S603 - our own program
        program, env={**os.environ, **place}, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    assert list(tmp_path.rglob("killed"))
    assert "ExecutorLostFailure" in done.stderr
    assert rows(tmp_path / "spark").equals(here)


def test_claims_are_not_numbered_by_another_coding_than_the_drivers() -> None:
    from provender.portfolio.spark import OTHER_CODING, number_claims, number_roots

    claims = pl.DataFrame(honest(2)).with_columns(
        pl.lit(1).alias("parts"), pl.lit(SEED).alias("seed"), pl.lit(coding(SEED)).alias("coding")
    )
    assert sum(batch.num_rows for batch in number_claims(iter(claims.to_arrow().to_batches()))) == claims.height
    other = claims.with_columns(pl.lit("0.20.0 0123456789abcdef").alias("coding"))
    roots = other.select("origin", pl.col("giver").alias("root"), "parts", "seed", "coding")
    for number, rows in ((number_claims, other), (number_roots, roots)):
        with pytest.raises(RuntimeError, match=OTHER_CODING):
            list(number(iter(rows.to_arrow().to_batches())))


# Books of custody that others wrote badly: Spark leaves out the rows that this machine leaves out, and no others.

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


def test_balances_and_claims_are_of_the_rows_that_this_machine_takes(
    by_spark: Searches, nation: Path, dirty: Portfolio, tmp_path: Path
) -> None:
    # Beside what nobody can use, two files told thirty sound movements each.
    sound = Path(shutil.copytree(nation, tmp_path / "sound"))
    some = pl.read_parquet(sound / MOVEMENT / FIRST).filter(pl.col("came") > 0).head(30)
    pl.concat([some, some]).write_parquet(sound / MOVEMENT / "part-1.parquet")
    lines = balances(dirty)
    assert lines.equals(balances(open_portfolio(sound)))
    assert not lines.equals(balances(open_portfolio(nation)))
    assert balances(dirty, sums=by_spark.sums).equals(lines)
    found = claims(dirty, part=100)
    assert found.height > 5
    assert claims(dirty, part=100, search=by_spark.search).equals(found)


def test_what_is_left_out_is_told_by_file(dirty: Portfolio) -> None:
    told = {(one.place.file, one.code): one.cause.split()[0] for one in custody_problems(dirty)}
    assert told == {
        ("claim/part-0.parquet", "unusable_rows"): "160", ("claim/part-2.parquet", "unreadable_file"): "The",
        ("movement/part-0.parquet", "unusable_rows"): "120", ("movement/part-1.parquet", "unusable_rows"): "3",
        ("movement/part-2.parquet", "unusable_rows"): "3", ("movement/part-3.parquet", "unreadable_file"): "The",
        ("origin/part-0.parquet", "unusable_rows"): "5",
    }  # fmt: skip


def test_a_file_with_damaged_pages_is_told_and_left_out_as_on_this_machine(
    by_spark: Searches, nation: Path, tmp_path: Path
) -> None:
    root = Path(shutil.copytree(nation, tmp_path / "p"))
    for name in (CLAIM, MOVEMENT):
        shutil.copy(root / name / FIRST, root / name / "part-1.parquet")
        damage(root / name / "part-1.parquet", LEAST, pages_end(root / name / "part-1.parquet"))
    portfolio = open_portfolio(root)
    found, problems = claims_and_problems(portfolio, search=by_spark.search)
    here, told = claims_and_problems(portfolio)
    assert found.equals(here)
    assert found.height > 5
    lines, more = balances_and_problems(portfolio, sums=by_spark.sums)
    assert lines.equals(balances(open_portfolio(nation)))
    named = {one.place.file for one in problems if one.code == "unreadable_file"}
    assert named == {f"{name}/part-1.parquet" for name in (CLAIM, MOVEMENT)}
    assert problems == told
    assert named == {one.place.file for one in more if one.code == "unreadable_file"}
