"""Verdicts, CI, plans and comparisons over a portfolio are those of each book, whoever wrote the Parquet."""

import re
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from provender.cli.app import call
from provender.intensity import ARGONNE, OFFICIAL
from provender.intensity.calculator import Combination, UnitCase, claimable_combinations
from provender.intensity.plan import TwoStepArgonne, plan
from provender.intensity.quantify import Quantification, quantify
from provender.portfolio import farm_jobs
from provender.portfolio.columns.intervals import EXPRESSIONS
from provender.portfolio.export import export_books
from provender.portfolio.jobs import Done, open_portfolio, read_result, run
from provender.problem import ProblemsError
from provender.records.book import RecordBook
from provender.records.folder import load_book
from provender.rule.crops import Crop
from provender.standards.judge import judge
from provender.verdicts.assess import assess
from tests.portfolio.world import EXAMPLES, farm
from tests.standards.season import Rows, answers, changed, clean_season
from tests.standards.seasons import seasons

DRAWS: Final = (settings.default.max_examples if settings.default else 40) // 40
EACH: Final = 4


@pytest.fixture(scope="module")
def books() -> dict[str, RecordBook]:
    rows = changed(clean_season(), "harvest", 1, bushels="")
    return {
        "bluestem": load_book(EXAMPLES / "bluestem-farm"), "basswood": load_book(EXAMPLES / "basswood"),
        "clean": farm("F1", clean_season("soybeans")), "blank": farm("F2", rows),
    }  # fmt: skip


@pytest.fixture(scope="module")
def root(books: dict[str, RecordBook], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("farms") / "p"
    export_books(books.items(), folder)
    return folder


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a county table with a value for every combination in two counties."""
    path = tmp_path_factory.mktemp("table") / "t.csv"
    lines = ["county_fips,crop,tillage,cover_crop,timing,inhibitor,ci_g_per_bu"]
    for county in ("20149", "20177"):
        for crop in Crop:
            lines += [
                f"{county},{crop},{one.tillage},{'yes' if one.cover_crop else 'no'},{one.timing},"
                f"{'yes' if one.inhibitor else 'no'},{5000 + 100 * number}"
                for number, one in enumerate(claimable_combinations(crop))
            ]
    path.write_text("\n".join(lines) + "\n")
    return path


def result(job: str, root: Path, out: Path, options: dict[str, str]) -> Path:
    run(job, open_portfolio(root), farm_jobs.judge_of(job, options), out, options=options)
    return out


def rows(out: Path, data_set: str) -> list[dict[str, Any]]:
    return read_result(out, data_set).collect().rows(named=True)


def single(books: list[RecordBook], calculator: Any) -> list[Quantification]:  # noqa: ANN401 - a name or a table
    return [
        quantify(judged, *key, calculator) for book in books for judged in [assess(book)] for key in judged.harvests
    ]


def same_as_books(out: Path, expected: list[Quantification]) -> None:
    farms = {(row["farm_id"], row["crop"], row["harvest_year"]): row for row in rows(out, farm_jobs.FARM)}
    assert farms.keys() == {(one.farm_id, str(one.crop), one.harvest_year) for one in expected}
    units = {
        (row["farm_id"], row["crop"], row["harvest_year"], row["unit_id"]): row for row in rows(out, farm_jobs.UNIT)
    }
    findings = [
        (row["farm_id"], row["crop"], row["code"], row["subject"], row["cause"]) for row in rows(out, farm_jobs.FINDING)
    ]
    for one in expected:
        key = (one.farm_id, str(one.crop), one.harvest_year)
        farm = farms[key]
        assert (farm["ci_g_per_bu"], farm["bushels"], farm["label"]) == (
            one.average.ci_g_per_bu, one.average.bushels, one.label,
        )  # fmt: skip
        assert farm["missing"] == list(one.average.missing)
        for unit in one.units:
            row = units[(*key, unit.unit_id)]
            assert row["ci_g_per_bu"] == (unit.result.ci_g_per_bu if unit.result else None)
            assert (row["practices"], row["bushels"]) == ([str(each) for each in unit.credited], unit.bushels)
    assert sorted(findings) == sorted(
        (one.farm_id, str(one.crop), told.code, told.subject, told.cause) for one in expected for told in one.findings
    )


@pytest.mark.parametrize("calculator", [OFFICIAL, ARGONNE])
def test_each_book_counts_as_alone(root: Path, books: dict[str, RecordBook], tmp_path: Path, calculator: str) -> None:
    out = result("intensity", root, tmp_path / "out", farm_jobs.options_of(calculator, None, None))
    expected = single(list(books.values()), calculator)
    assert len(expected) == 5
    same_as_books(out, expected)


def test_a_county_table_answers_as_alone(root: Path, books: dict[str, RecordBook], tmp_path: Path, table: Path) -> None:
    options = farm_jobs.options_of(OFFICIAL, table, None)
    out = result("intensity", root, tmp_path / "out", options)
    same_as_books(out, single(list(books.values()), farm_jobs.county_table(options)))
    assert any(row["ci_g_per_bu"] for row in rows(out, farm_jobs.FARM))


def test_another_county_table_counts_anew_and_a_changed_one_is_refused(root: Path, tmp_path: Path, table: Path) -> None:
    own = tmp_path / "t.csv"
    own.write_bytes(table.read_bytes())
    options = farm_jobs.options_of(OFFICIAL, own, None)
    job = farm_jobs.judge_of("intensity", options)
    assert run("intensity", open_portfolio(root), job, tmp_path / "out", options=options).made
    assert not run("intensity", open_portfolio(root), job, tmp_path / "out", options=options).made
    own.write_bytes(table.read_bytes() + b"\n\n")
    other = farm_jobs.options_of(OFFICIAL, own, None)
    assert run(
        "intensity", open_portfolio(root), farm_jobs.judge_of("intensity", other), tmp_path / "out", options=other
    ).made
    own.write_bytes(table.read_bytes() + b"\n\n\n")
    with pytest.raises(ProblemsError, match="changed"):
        farm_jobs.county_table(farm_jobs.options_of(OFFICIAL, own, None) | {"county_table_sha256": "0" * 64})


def test_every_field_is_planned_as_alone(root: Path, books: dict[str, RecordBook], tmp_path: Path) -> None:
    out = result("plan", root, tmp_path / "out", {})
    found = {(row["farm_id"], row["crop"], row["unit_id"]): row for row in rows(out, farm_jobs.BEST)}
    expected = [(one, unit) for one in single(list(books.values()), ARGONNE) for unit in one.units]
    assert found.keys() == {(one.farm_id, str(one.crop), unit.unit_id) for one, unit in expected}
    for one, unit in expected:
        today = Combination.of(unit.credited)
        case = UnitCase(unit.unit_id, one.crop, one.harvest_year, unit.county_fips, today)
        offered = plan(case, TwoStepArgonne())
        row = found[one.farm_id, str(one.crop), unit.unit_id]
        assert row["best_g_per_bu"] == offered[0].result.ci_g_per_bu
        assert set(row["best"]) == {str(each) for each in offered[0].combination.practices}
        assert row["against_today_g_per_bu"] == offered[0].against_today
        assert row["today_g_per_bu"] == next(each for each in offered if each.is_today).result.ci_g_per_bu


def test_a_missing_record_costs_what_its_practice_would_give(tmp_path: Path) -> None:
    season = clean_season()
    export_books([("a", farm("A")), ("b", farm("B", {**season, "declaration": []}))], tmp_path / "p")
    out = result("plan", tmp_path / "p", tmp_path / "out", {})
    costs = {(row["farm_id"], row["practice"]): row for row in rows(out, farm_jobs.COST)}
    assert not any(farm == "A" for farm, _ in costs)
    best = {row["farm_id"]: row for row in rows(out, farm_jobs.BEST)}
    no_till = costs["B", "no_till"]
    assert "No pass disturbs the full width of the ground between two harvests. (2100.051(b)(1))" in no_till["missing"]
    assert no_till["against_today_g_per_bu"] == no_till["with_g_per_bu"] - best["B"]["today_g_per_bu"] < 0


@settings(max_examples=DRAWS, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.lists(seasons(), min_size=EACH, max_size=EACH))
def test_random_books_are_quantified_as_alone(tmp_path_factory: pytest.TempPathFactory, drawn: list[Rows]) -> None:
    """A few books a run, hundreds with the deep profile."""
    named = [(f"B{number}", farm(f"F{number}", of)) for number, of in enumerate(drawn)]
    folder = tmp_path_factory.mktemp("random")
    export_books(named, folder / "p")
    expected = single([book for _, book in named], ARGONNE)
    out = result("intensity", folder / "p", folder / "out", farm_jobs.options_of(ARGONNE, None, None))
    if expected:
        same_as_books(out, expected)
    else:
        assert read_result(out, farm_jobs.FARM).collect().equals(pl.DataFrame())


def test_a_row_that_cannot_be_read_withholds_what_it_does_alone(tmp_path: Path) -> None:
    """Without a legume no answer on the cover crop rests on the nutrient budget."""
    unread = farm("F1", changed(clean_season(), "nutrient_budget", 0, yield_goal_bu_per_ac="plenty"))
    assert len(unread.incomplete_rows) == 1
    export_books([("unread", unread), ("read", farm("F2"))], tmp_path / "p")
    for calculator in (OFFICIAL, ARGONNE):
        out = result("intensity", tmp_path / "p", tmp_path / calculator, farm_jobs.options_of(calculator, None, None))
        same_as_books(out, single([unread, farm("F2")], calculator))
    assert "cover_crop" in {row["farm_id"]: row for row in rows(out, farm_jobs.UNIT)}["F1"]["practices"]
    (best,) = (
        row
        for row in rows(result("plan", tmp_path / "p", tmp_path / "plan", {}), farm_jobs.BEST)
        if row["farm_id"] == "F1"
    )
    assert "cover_crop" in best["today"]
    _, verdicts = judged(tmp_path / "p", tmp_path / "check")
    assert differences(verdicts.filter(pl.col("farm_id") == "F1"), unread) == []
    assert verdicts.filter(pl.col("farm_id") == "F1")["cover_crop"].to_list() == [True]


SIX: Final = 6


def judged(root: Path, out: Path) -> tuple[Done, pl.DataFrame]:
    done = run("check", open_portfolio(root), farm_jobs.check, out)
    return done, read_result(out, farm_jobs.VERDICT).collect()


def differences(verdicts: pl.DataFrame, book: RecordBook) -> list[str]:
    """Hold the answers of a portfolio against those that `provender check` gives one season at a time."""
    expected = {(one.farm_id, one.unit_id, one.harvest_id): answers(one) for one in judge(book)}
    rows = {(r["farm_id"], r["unit_id"], r["harvest_id"]): r for r in verdicts.iter_rows(named=True)}
    if rows.keys() != expected.keys():
        return [f"{sorted(rows)} against {sorted(expected)}"]
    return [
        f"{key} {name}: {rows[key][name]} against {value}"
        for key, row in expected.items()
        for name, value in row.items()
        if rows[key][name] is not value
    ]


def test_every_example_is_judged_as_its_book(root: Path, books: dict[str, RecordBook], tmp_path: Path) -> None:
    _, verdicts = judged(root, tmp_path / "out")
    for book in books.values():
        assert differences(verdicts.filter(pl.col("farm_id").is_in(book.farm_ids)), book) == []
    assert verdicts.height > 10


@settings(max_examples=DRAWS, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.lists(seasons(), min_size=SIX, max_size=SIX))
def test_random_books_are_judged_as_their_books(tmp_path_factory: pytest.TempPathFactory, drawn: list[Rows]) -> None:
    """A few examples a run, hundreds with the deep profile; many in each portfolio, as farms of their own."""
    named = [(f"B{number}", farm(f"F{number}", rows)) for number, rows in enumerate(drawn)]
    folder = tmp_path_factory.mktemp("random")
    export_books(named, folder / "p")
    _, verdicts = judged(folder / "p", folder / "out")
    for number, (_, book) in enumerate(named):
        mine = verdicts.filter(pl.col("farm_id") == f"F{number}") if verdicts.height else verdicts
        assert differences(mine, book) == [], number


def test_a_recheck_tells_every_other_verdict(two_farms: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = two_farms
    run("check", open_portfolio(root), farm_jobs.check, tmp_path / "out")
    sound = farm_jobs.recheck(open_portfolio(root), tmp_path / "out", 10, "seed")
    assert (sound.farms, sound.differences) == (2, ())
    assert sound.intervals == read_result(tmp_path / "out", farm_jobs.VERDICT).collect().height
    monkeypatch.setitem(EXPRESSIONS, "no_till_stir_within_limit", lambda _: pl.lit(value=False))
    run("check", open_portfolio(root), farm_jobs.check, tmp_path / "broken")
    told = farm_jobs.recheck(open_portfolio(root), tmp_path / "broken", 10, "seed").differences
    assert ("F1", "no_till_stir_within_limit", "not met", "met") in {
        (o.farm_id, o.name, o.found, o.by_law) for o in told
    }
    assert ("F1", "no_till", "not met", "met") in {(o.farm_id, o.name, o.found, o.by_law) for o in told}


def test_the_command_says_what_a_recheck_compared(
    two_farms: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def status(out: str, *options: str) -> object:
        with pytest.raises(SystemExit) as ended:
            call(["portfolio", "check", str(two_farms), "--out", str(tmp_path / out), "--recheck", *options])
        return ended.value.code

    assert status("out", "2", "--seed", "7") == 0
    said = capsys.readouterr().out
    assert re.search(r"Rechecked 2 farms, \d+ intervals, [\d,]+ verdicts \(seed 7\): 0 differ\.", said)
    monkeypatch.setitem(EXPRESSIONS, "records_tillage_unit", lambda _: pl.lit(value=False))
    assert status("broken", "9") == 1
    assert "records_tillage_unit: not met in the result, met judged alone" in capsys.readouterr().out
