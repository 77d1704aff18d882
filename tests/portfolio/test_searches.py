"""Sister fields and sums over all farms are those of each alone; what is done side by side is done whole."""

import datetime as dt
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

from provender.custody.queries.double_claims import SEED
from provender.portfolio import claims as claim_search
from provender.portfolio import jobs
from provender.portfolio.claims import code, coding, doubtful
from provender.portfolio.custody import MOVEMENT, PERIOD, SCHEMAS, balances
from provender.portfolio.export import export_books
from provender.portfolio.farm_jobs import MISSING, VERDICT, check
from provender.portfolio.frames import FrameBook
from provender.portfolio.jobs import open_portfolio, read_result, run
from provender.portfolio.sisters import MEASURES, outliers, same_inputs
from provender.standards.standard import REQUIREMENTS
from tests.portfolio.test_claims import honest
from tests.portfolio.world import farm

RUN_ROW: Final[dict[str, Any]] = {
    "unit_id": "N40", "crop": "corn", "harvest_year": 2025, "county_fips": "20177", "bushels": 8_000_000,
    "run_id": "R", "calculator": "USDA FD-CIC", "version": "1.0", "tillage": "no_till", "cover_crop": True,
    "n_timing": "as_usual", "inhibitor": False, "ci_g_per_bu": 500_000,
}  # fmt: skip


def found(*rows: dict[str, Any]) -> list[tuple[str, int, int]]:
    frame = pl.LazyFrame([{"farm_id": f"F{number}", **RUN_ROW, **row} for number, row in enumerate(rows)])
    return sorted(same_inputs(frame).select("farm_id", "observed", "usual").iter_rows())


OTHERWISE: Final[tuple[dict[str, Any], ...]] = (
    {"county_fips": "20179"}, {"crop": "sorghum"}, {"tillage": "reduced_till"}, {"cover_crop": False},
    {"n_timing": "split_in_season"}, {"inhibitor": True}, {"version": "2.0"}, {"calculator": "Another"},
    {"county_fips": None}, {"inhibitor": None}, {"ci_g_per_bu": None},
)  # fmt: skip


def test_every_measure_finds_what_is_far_off_also_a_run_that_differs_from_its_sisters() -> None:
    assert [other for other in OTHERWISE if found({}, {}, {"ci_g_per_bu": 400_000, **other})] == [], "other inputs"
    assert found({}, {}, {"ci_g_per_bu": 499_999}) == [("F2", 499_999, 500_000)]
    assert [farm for farm, *_ in found({}, {"ci_g_per_bu": 400_000})] == ["F0", "F1"]
    names: tuple[dict[str, Any], ...] = ({}, {}, {"calculator": "FD-CIC", "version": "2025 beta", "ci_g_per_bu": 1})
    assert found(*({"version": "beta"} | row for row in names)) == [("F2", 1, 500_000)]
    for value, farms in ((380_000, ["F7"]), (60_000, ["F7"]), (230_000, []), (None, [])):
        assert outliers(fields(*YIELDS, value), MEASURES[0])["farm_id"].to_list() == farms
    assert outliers(fields(*YIELDS[:6], 900_000), MEASURES[0]).is_empty()
    assert outliers(fields(*[150_000] * 9, 165_000), MEASURES[0]).is_empty()
    assert outliers(fields(*[150_000] * 9, 600_000), MEASURES[0]).height == 1
    for measure in MEASURES:
        usual = 10 * measure.least
        values = (*[usual + step * measure.least // 50 for step in range(9)], usual * 5)
        rows = outliers(fields(*values, column=measure.column), measure)
        assert [row["kind"] for row in rows.iter_rows(named=True)] == [measure.name]
        assert rows["farm_id"][0] in rows["message"][0]


def fields(*values: int | None, column: str = "yield_bu_per_ac", **more: object) -> pl.LazyFrame:
    rows = [
        {"farm_id": f"F{number}", "unit_id": "U", "crop": "corn", "harvest_year": 2025, "county_fips": "20177",
         "bushels": 1, column: value, **more}
        for number, value in enumerate(values)
    ]  # fmt: skip
    return pl.LazyFrame(rows, schema_overrides={column: pl.Int64})


YIELDS: Final = (170_000, 175_000, 180_000, 182_000, 185_000, 190_000, 195_000)


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
    program = "from provender.portfolio.claims import SEED, coding; print(coding(7), SEED)"
    place = {**os.environ, "PYTHONHASHSEED": "7", "POLARS_MAX_THREADS": "2"}
    told = subprocess.run([sys.executable, "-c", program], env=place, capture_output=True, text=True, check=True)  # noqa: S603
    ours = coding(7)
    *same, seed = told.stdout.split()
    assert " ".join(same) == ours
    assert int(seed) != SEED, "names could be made to fit"
    assert coding(8) != ours
    monkeypatch.setattr(claim_search, "_TRANSFER", ("key", "origin"))
    assert coding.__wrapped__(7) != ours


def test_transfers_that_share_a_number_and_are_not_alike_are_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seller who could choose its documents' numbers would hide a double sale behind one number of two transfers."""
    monkeypatch.setattr(claim_search, "TRANSFER_ONE", 1)
    rows = honest(1)
    origins = pl.LazyFrame({"origin": ["O0"], "root": ["F0"]})
    sold = next(row for row in rows if row["giver"] != "F0")
    twice = pl.LazyFrame([*rows, sold | {"taker": "another", "key": "other", "source": "another"}])
    assert doubtful(twice, origins).len() == 1


def test_movements_are_summed_for_whoever_has_periods_whatever_is_not_said_of_them(tmp_path: Path) -> None:
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
    assert set(ours["entity"]) == {"coop", "mill"}
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
    export_books([(name, farm(name)) for name in ("F1", "F2", "F3")], folder)
    return folder


def test_batches_at_once_are_those_in_turn(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("check", open_portfolio(root), check, tmp_path / "two", units=1)
    monkeypatch.setattr(jobs, "BESIDE", 1)
    run("check", open_portfolio(root), check, tmp_path / "one", units=1)
    names = [path.name for path in jobs.result_files(tmp_path / "two", VERDICT)]
    assert names == [path.name for path in jobs.result_files(tmp_path / "one", VERDICT)]
    assert len(names) == 3
    two, one = (read_result(tmp_path / name, VERDICT).collect() for name in ("two", "one"))
    assert two.equals(one)
    assert two.schema[MISSING] == pl.List(pl.String)
    assert set(two[MISSING].explode().drop_nulls()) <= set(REQUIREMENTS)


def test_a_batch_that_fails_leaves_no_half_of_its_partition(root: Path, tmp_path: Path) -> None:
    def named(book: FrameBook) -> Mapping[str, pl.DataFrame]:
        return {VERDICT: book["farm"].select("farm_id")}

    def fails_on_the_third(book: FrameBook) -> Mapping[str, pl.DataFrame]:
        if "F3" in book["farm"]["farm_id"]:
            raise RuntimeError("the power went")
        return named(book)

    with pytest.raises(RuntimeError, match="the power went"):
        run("check", open_portfolio(root), fails_on_the_third, tmp_path / "out", units=1)
    assert not list((tmp_path / "out").glob("*/*/lineage.json"))
    assert jobs.result_files(tmp_path / "out", VERDICT) == []
    done = run("check", open_portfolio(root), named, tmp_path / "out", units=1)
    assert done.rows[VERDICT] == 3
