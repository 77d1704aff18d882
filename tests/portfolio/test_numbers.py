"""What is grouped and sorted as numbers says what names would say, and what is done beside each other is done whole."""

import datetime as dt
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl
import pytest

from provender.custody.queries.double_claims import SEED
from provender.portfolio import custody as sums
from provender.portfolio import doubtful_origins, jobs
from provender.portfolio.custody import MOVEMENT, PERIOD, SCHEMAS, balances
from provender.portfolio.doubtful_origins import code, coding, doubtful
from provender.portfolio.export import export_books
from provender.portfolio.farm_jobs import MISSING, VERDICT, check, gap_words
from provender.portfolio.jobs import open_portfolio, read_result, run
from provender.records.book import RecordBook
from tests.portfolio.test_claims import honest
from tests.portfolio.world import farm

TOLD: tuple[dict[str, str], ...] = ({"source": "coop"}, {"source": "auditor"}, {"source": "F3"})


@pytest.mark.parametrize("part", [1_000, 40])
@pytest.mark.parametrize("again", TOLD, ids=lambda row: row["source"])
def test_only_an_origin_of_which_a_source_tells_twice_is_in_doubt(again: dict[str, str], part: int) -> None:
    rows = honest(60)
    told = next(row for row in rows if row["key"] == "a3")
    # An auditor tells it as well: once is no doubt, and between two of one source it hides none.
    rows += [told | {"source": "auditor"}, told | {"source": "zone"}]
    origins = pl.LazyFrame({"origin": [f"O{n}" for n in range(60)], "root": [f"F{n}" for n in range(60)]})
    claims = pl.LazyFrame(rows)
    assert doubtful(claims, origins, part=part).to_list() == []
    twice = pl.LazyFrame([*rows, told | again])
    meant = pl.select(pl.lit("O3").alias("origin")).select(code("origin")).item()
    assert doubtful(twice, origins, part=part).to_list() == [meant]


def test_another_process_numbers_names_alike_by_one_seed_and_draws_another(monkeypatch: pytest.MonkeyPatch) -> None:
    program = "from provender.portfolio.doubtful_origins import SEED, coding; print(coding(7), SEED)"
    place = {**os.environ, "PYTHONHASHSEED": "7", "POLARS_MAX_THREADS": "2"}
    told = subprocess.run([sys.executable, "-c", program], env=place, capture_output=True, text=True, check=True)  # noqa: S603
    ours = coding(7)
    *same, seed = told.stdout.split()
    assert " ".join(same) == ours
    assert int(seed) != SEED, "names could be made to fit"
    assert coding(8) != ours
    monkeypatch.setattr(doubtful_origins, "_TRANSFER", ("key", "origin"))
    assert coding.__wrapped__(7) != ours


def test_transfers_that_share_a_number_and_are_not_alike_are_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seller who could choose its documents' numbers would hide a double sale behind one number of two transfers."""
    monkeypatch.setattr(doubtful_origins, "TRANSFER_ONE", 1)
    rows = honest(1)
    origins = pl.LazyFrame({"origin": ["O0"], "root": ["F0"]})
    sold = next(row for row in rows if row["giver"] != "F0")
    twice = pl.LazyFrame([*rows, sold | {"taker": "another", "key": "other", "source": "another"}])
    assert doubtful(twice, origins).len() == 1


def test_sums_of_numbers_are_those_of_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    days = [dt.date(2024, 12, 31), dt.date(2025, 1, 1), dt.date(2025, 6, 30), dt.date(2025, 7, 1), dt.date(2026, 1, 1)]
    moved = [
        (entity, crop, year, ci, day, 100 + number, number % 7, "book")
        for number, (entity, crop, year, ci, day) in enumerate(
            (entity, crop, year, ci, day)
            for entity in ("coop", "mill", "stranger") for crop in ("corn", None) for year in (2024, None)
            for ci in (500_000, None, 0) for day in days
        )
    ]  # fmt: skip
    periods = [(who, dt.date(2025, first, 1), dt.date(2025, last, 30), who)
               for who, first, last in (("coop", 1, 6), ("coop", 7, 11), ("mill", 2, 9), ("idle", 1, 4))]  # fmt: skip
    custody = {name: pl.DataFrame(rows, schema=dict(SCHEMAS[name]), orient="row")
               for name, rows in ((MOVEMENT, moved), (PERIOD, periods))}  # fmt: skip
    root = tmp_path / "p"
    export_books([], root, custody=custody)
    ours = balances(open_portfolio(root))
    nobody = custody | {PERIOD: custody[PERIOD].vstack(custody[PERIOD][:1].with_columns(entity=None))}
    export_books([], tmp_path / "nobody", custody=nobody)
    assert balances(open_portfolio(tmp_path / "nobody")).equals(ours), "a period of nobody bounds nothing"
    monkeypatch.setattr(sums, "_MOST", 0)
    theirs = balances(open_portfolio(root))
    assert set(ours["entity"]) == {"coop", "mill"}
    assert ours.equals(theirs)
    coop = ours.filter((pl.col("entity") == "coop") & (pl.col("crop") == "corn") & (pl.col("ci") == 0)).filter(
        pl.col("crop_year") == 2024
    )
    # The first day lies before the first period, the last after the last.
    assert coop.select("beginning", "incoming").rows() == [(first(moved, 0), first(moved, 1) + first(moved, 2)),
                                                           (coop["ending"][0], first(moved, 3))]  # fmt: skip


def first(moved: Sequence[tuple[object, ...]], day: int) -> int:
    """Return the ``came`` (less ``went`` on the first day) of the coop's corn of 2024 at no CI on a day of the list."""
    row = [row for row in moved if row[:4] == ("coop", "corn", 2024, 0)][day]
    return int(str(row[5])) - (int(str(row[6])) if day == 0 else 0)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("beside") / "p"
    export_books([(name, farm(name)) for name in ("F1", "F2", "F3", "F4")], folder)
    return folder


def test_batches_beside_each_other_are_those_one_after_the_other(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("check", open_portfolio(root), check, tmp_path / "two", units=1)
    monkeypatch.setattr(jobs, "BESIDE", 1)
    run("check", open_portfolio(root), check, tmp_path / "one", units=1)
    names = [path.name for path in jobs.result_files(tmp_path / "two", VERDICT)]
    assert names == [path.name for path in jobs.result_files(tmp_path / "one", VERDICT)]
    assert len(names) == 4
    two, one = (read_result(tmp_path / name, VERDICT).collect() for name in ("two", "one"))
    assert two.equals(one)
    assert two.schema[MISSING] == pl.List(pl.String)
    assert set(two[MISSING].explode().drop_nulls()) <= set(gap_words().categories)


def test_parts_of_an_earlier_version_and_of_other_words_are_read_together(root: Path, tmp_path: Path) -> None:
    run("check", open_portfolio(root), check, tmp_path, units=1)
    first, second, *_ = jobs.result_files(tmp_path, VERDICT)
    whole = read_result(tmp_path, VERDICT).collect()
    for path, of in ((first, pl.String), (second, pl.Enum([*reversed(gap_words().categories), "another"]))):
        texts = pl.read_parquet(path).with_columns(pl.col(MISSING).cast(pl.List(pl.String)))
        texts.with_columns(pl.col(MISSING).cast(pl.List(of))).write_parquet(path)
    assert read_result(tmp_path, VERDICT).collect().equals(whole)


def test_a_batch_that_fails_leaves_no_half_of_its_partition(root: Path, tmp_path: Path) -> None:
    def fails_on_the_third(book: RecordBook) -> Mapping[str, pl.DataFrame]:
        if "F3" in book.farm_ids:
            raise RuntimeError("the power went")
        return check(book)

    with pytest.raises(RuntimeError, match="the power went"):
        run("check", open_portfolio(root), fails_on_the_third, tmp_path / "out", units=1)
    assert not list((tmp_path / "out").glob("*/*/lineage.json"))
    assert jobs.result_files(tmp_path / "out", VERDICT) == []
    done = run("check", open_portfolio(root), check, tmp_path / "out", units=1)
    assert done.rows[VERDICT] == 4 * read_result(tmp_path / "out", VERDICT).filter(
        pl.col("farm_id") == "F1").collect().height  # fmt: skip
