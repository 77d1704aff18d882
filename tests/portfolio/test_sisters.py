"""The same inputs with another CI, and fields far outside their county: found by farm and unit, honest ones never."""

from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

from provender.portfolio.export import export_books
from provender.portfolio.farm_jobs import FIELD, judge_of
from provender.portfolio.jobs import open_portfolio, read_result, run
from provender.portfolio.outliers import MEASURES, SAME_INPUTS, outliers, same_inputs, sisters
from tests.portfolio.world import farm
from tests.practices.season import clean_season, with_row

RUN_ROW: Final[dict[str, Any]] = {
    "unit_id": "N40", "crop": "corn", "harvest_year": 2025, "county_fips": "20177", "bushels": 8_000_000,
    "run_id": "R", "calculator": "USDA FD-CIC", "version": "1.0", "tillage": "no_till", "cover_crop": True,
    "n_timing": "as_usual", "inhibitor": False, "ci_g_per_bu": 500_000,
}  # fmt: skip


def found(*rows: dict[str, Any]) -> list[tuple[str, int, int]]:
    frame = pl.LazyFrame([{"farm_id": f"F{number}", **RUN_ROW, **row} for number, row in enumerate(rows)])
    return sorted(same_inputs(frame).select("farm_id", "observed", "usual").iter_rows())


@pytest.mark.parametrize(
    "other",
    [
        {"county_fips": "20179"}, {"crop": "sorghum"}, {"tillage": "reduced_till"}, {"cover_crop": False},
        {"n_timing": "split_in_season"}, {"inhibitor": True}, {"version": "2.0"}, {"calculator": "Another"},
        {"county_fips": None}, {"inhibitor": None}, {"ci_g_per_bu": None},
    ],
    ids=str,
)  # fmt: skip
def test_other_inputs_may_have_another_ci(other: dict[str, Any]) -> None:
    assert found({}, {}, {"ci_g_per_bu": 400_000, **other}) == []


def test_a_run_that_differs_from_its_sisters_is_found_and_of_two_that_differ_both() -> None:
    assert found({}, {}, {"ci_g_per_bu": 499_999}) == [("F2", 499_999, 500_000)]
    assert [farm for farm, *_ in found({}, {"ci_g_per_bu": 400_000})] == ["F0", "F1"]
    names: tuple[dict[str, Any], ...] = ({}, {}, {"calculator": "FD-CIC", "version": "2025 beta", "ci_g_per_bu": 1})
    assert found(*({"version": "beta"} | row for row in names)) == [("F2", 1, 500_000)]


def fields(*values: int | None, column: str = "yield_bu_per_ac", **more: object) -> pl.LazyFrame:
    rows = [
        {"farm_id": f"F{number}", "unit_id": "U", "crop": "corn", "harvest_year": 2025, "county_fips": "20177",
         "bushels": 1, column: value, **more}
        for number, value in enumerate(values)
    ]  # fmt: skip
    return pl.LazyFrame(rows, schema_overrides={column: pl.Int64})


CIS: Final = ("5000", "5000", "4000", "5000")
YIELDS: Final = (170_000, 175_000, 180_000, 182_000, 185_000, 190_000, 195_000)


@pytest.mark.parametrize(("value", "farms"), [(380_000, ["F7"]), (60_000, ["F7"]), (230_000, []), (None, [])])
def test_a_yield_far_outside_its_county_is_found(value: int | None, farms: list[str]) -> None:
    assert outliers(fields(*YIELDS, value), MEASURES[0])["farm_id"].to_list() == farms


def test_few_fields_say_nothing_and_where_all_are_alike_a_small_difference_is_no_outlier() -> None:
    assert outliers(fields(*YIELDS[:6], 900_000), MEASURES[0]).is_empty()
    assert outliers(fields(*[150_000] * 9, 165_000), MEASURES[0]).is_empty()
    assert outliers(fields(*[150_000] * 9, 600_000), MEASURES[0]).height == 1


@pytest.mark.parametrize("measure", MEASURES, ids=lambda one: one.name)
def test_every_measure_finds_what_is_far_off(measure: Any) -> None:  # noqa: ANN401 - one of MEASURES
    usual = 10 * measure.least
    values = (*[usual + step * measure.least // 50 for step in range(9)], usual * 5)
    rows = outliers(fields(*values, column=measure.column), measure)
    assert [row["kind"] for row in rows.iter_rows(named=True)] == [measure.name]
    assert rows["farm_id"][0] in rows["message"][0]


def test_a_forged_printout_in_one_book_of_four_is_found_through_the_portfolio(tmp_path: Path) -> None:
    inputs = {"run_id": "R1", "unit_id": "N40", "harvest_id": "H25", "calculator": "USDA FD-CIC", "version": "beta",
              "status": "beta", "county_fips": "20177", "acres": "40", "yield_bu_per_ac": "200", "tillage": "no_till",
              "cover_crop": "yes", "n_timing": "split_in_season", "inhibitor": "yes"}  # fmt: skip
    forged = [with_row(clean_season(), "calculator_run", **inputs, ci_g_per_bu=ci) for ci in CIS]
    export_books([(f"B{at}", farm(f"F{at}", rows)) for at, rows in enumerate(forged)], tmp_path / "p")
    run("sister", open_portfolio(tmp_path / "p"), judge_of("sister", {}), tmp_path / "out")
    rows = sisters(tmp_path / "out")
    assert rows.select("kind", "farm_id", "unit_id", "bushels").rows() == [(SAME_INPUTS, "F2", "N40", 8_000_000)]
    field = read_result(tmp_path / "out", FIELD).collect().filter(pl.col("harvest_year") == 2025).row(0, named=True)
    assert (field["yield_bu_per_ac"], field["n_lb_per_ac"]) == (200_000, 160_000)
