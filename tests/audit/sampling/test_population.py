"""The lists a sample starts from: exact, complete, or refused; for a first point, from the lots of its own book."""

from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest

from provender.audit.sampling.population import SupplyingFarm, freeze, incoming_farms, listed, read_farms
from provender.custody.events.registry import post, read_event
from provender.custody.store import MemoryStore
from provender.problem import ProblemsError, Weight
from tests.audit.farms import farm
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

HEAD = "farm_id,county_fips,crop,bushels,ci_g_per_bu,acres"


def write(folder: Path, *lines: str) -> Path:
    path = folder / "farms.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def codes(path: Path) -> list[str]:
    with pytest.raises(ProblemsError) as refused:
        read_farms(path)
    return [problem.code for problem in refused.value.problems if problem.weight is Weight.ERROR]


def test_amounts_are_read_exactly_and_two_crops_are_two_rows_of_one_farm(tmp_path: Path) -> None:
    population, notes = read_farms(write(tmp_path, HEAD, 'F1,19153,corn,"12,345.678",2915.37,80.25'))
    (row,) = population.rows
    assert (row.bushels, row.ci_g_per_bu, row.acres, notes) == (12_345_678, 291_537, 80_250, [])
    lines = ("F1,19153,corn,10,1,1", "F1,19153,soybeans,20,2,2", "F2,19153,corn,10,1,1")
    population, _ = read_farms(write(tmp_path, HEAD, *lines))
    assert [(one.farm_id, len(one.crops)) for one in population.farms] == [("F1", 2), ("F2", 1)]


def test_the_hash_does_not_depend_on_layout(tmp_path: Path) -> None:
    plain, _ = read_farms(write(tmp_path, HEAD, "F1,19153,corn,10,1,1", "F2,19153,Corn,20,2,2"))
    head = "acres;crop;bushels;ci_g_per_bu;county_fips;farm_id"
    other, _ = read_farms(write(tmp_path, head, "2.0;field corn;20.000;2;19153;F2", "", "1;corn;10;1.00;19153; F1 "))
    assert plain.sha256 == other.sha256
    assert len(plain.sha256) == 64


@pytest.mark.parametrize("change", ["F1,19153,corn,10.001,1,1", "F1,19154,corn,10,1,1", "F1,19153,corn,10,1.01,1"])
def test_the_hash_changes_with_any_fact(tmp_path: Path, change: str) -> None:
    before, _ = read_farms(write(tmp_path, HEAD, "F1,19153,corn,10,1,1"))
    after, _ = read_farms(write(tmp_path, HEAD, change))
    assert before.sha256 != after.sha256


@ROWS
def test_a_row_that_cannot_be_used_refuses_the_list(tmp_path: Path, row: str, code: str) -> None:
    path = write(tmp_path, HEAD, row)
    if code:
        assert codes(path) == [code]
    else:
        population, notes = read_farms(path)
        assert (population.rows[0].county_fips, notes[0].code) == ("01915", "leading_zero")


def test_all_errors_come_at_once_with_their_rows(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD, "F1,19153,corn,x,1,1", "F2,19153,corn,10,1,1", "F3,19153,oats,10,1,1")
    with pytest.raises(ProblemsError) as refused:
        read_farms(path)
    assert [(problem.place.row, problem.place.column) for problem in refused.value.problems] == [
        (2, "bushels"),
        (4, "crop"),
    ]


def test_what_is_missing_or_twice_is_refused_and_what_is_too_much_noted(tmp_path: Path) -> None:
    assert codes(write(tmp_path, HEAD, "F1,19153,corn,10,1,1", "F1,19153,corn,20,1,1")) == ["double_row"]
    with pytest.raises(ValueError, match="two rows"):
        freeze([farm("a"), farm("a")])
    assert codes(write(tmp_path, "farm_id,county_fips,crop,bushels,acres", "F1,19153,corn,10,1")) == ["missing_column"]
    assert codes(write(tmp_path, f"{HEAD},acres", "F1,19153,corn,10,1,1,2")) == ["double_column"]
    assert codes(write(tmp_path, HEAD)) == ["no_rows"]
    assert codes(tmp_path / "none.csv") == ["no_file"]
    population, notes = read_farms(write(tmp_path, f"{HEAD},telephone", "F1,19153,corn,10,1,1,555"))
    assert [(note.weight, note.code) for note in notes] == [(Weight.NOTE, "unknown_column")]
    assert len(population.farms) == 1
    rows = ("F1,19153,corn,10,1,1", "F1,19169,soybeans,20,2,2")
    population, notes = read_farms(write(tmp_path, HEAD, *rows))
    assert (population.farms[0].county_fips, [note.code for note in notes]) == ("19169", ["two_counties"])


def test_optional_facts_are_read(tmp_path: Path) -> None:
    head = f"{HEAD},first_year,earlier_findings,late_evidence_pct"
    population, _ = read_farms(write(tmp_path, head, "F1,19153,corn,10,1,1,yes,2,12.5", "F2,19153,corn,10,1,1,,,"))
    first, second = population.rows
    assert (first.first_year, first.earlier_findings, first.late_evidence_pct) == (True, 2, 12_500)
    assert (second.first_year, second.earlier_findings, second.late_evidence_pct) == (None, None, None)
    assert codes(write(tmp_path, head, "F1,19153,corn,10,1,1,yes,-1,100.001")) == ["out_of_bounds", "out_of_bounds"]


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_an_empty_file_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "farms.csv"
    path.write_text(content)
    assert codes(path) == ["empty_file"]


# The list of supplying farms follows the lots of the first point's own book.

JANUARY, FEBRUARY = date(2026, 1, 31), date(2026, 2, 1)


def entity(name: str, role: str, *sites: str) -> dict[str, Any]:
    return {
        "type": "entity", "id": f"e-{name}", "day": "2025-11-01", "entity": name, "name": name.title(),
        "roles": [role], "sites": list(sites),
    }  # fmt: skip


def bought(name: str, giver: str, bushels: str, day: str) -> list[dict[str, Any]]:
    slip = {"type": "slip", "id": f"slip-{name}", "day": day, "giver": giver, "taker": "coop"}
    buy = {"type": "purchase", "id": f"buy-{name}", "day": day, "giver": giver, "taker": "coop", "slip": slip["id"]}
    return [
        {**slip, "origin": "ada/corn/2025", "bushels": bushels},
        {**buy, "tickets": [{"number": f"T-{name}", "bushels": bushels}]},
    ]


@pytest.fixture
def store() -> MemoryStore:
    report = {"type": "report", "id": "r", "day": "2025-12-20", "entity": "ada", "crop": "corn", "harvest_year": 2025}
    period = {"type": "period", "entity": "coop", "day": "2025-11-03", "policy": "oldest_first"}
    events = [
        entity("coop", "first_point", "north"), entity("ada", "farm"), entity("lee", "landowner"),
        entity("mill", "intermediary", "plant"),
        {**period, "id": "p1", "start_day": "2026-01-01", "end_day": "2026-03-31"},
        {**report, "bushels": "9000", "ci": "7000.5"},
        {"type": "share", "id": "s", "day": "2025-12-21", "giver": "ada", "taker": "lee", "origin": "ada/corn/2025",
         "bushels": "3000"},
        *bought("1", "ada", "2000", "2026-01-10"), *bought("2", "lee", "3000", "2026-02-01"),
        {"type": "sale", "id": "out", "day": "2026-02-02", "giver": "coop", "taker": "mill", "crop": "corn",
         "bushels": "4000", "tickets": [{"number": "O", "bushels": "4000"}]},
    ]  # fmt: skip
    found = MemoryStore()
    for event in events:
        outcome = post(found, read_event(event))
        assert outcome.status == "posted", outcome.message
    return found


def test_a_landowners_share_counts_for_its_farm_and_what_was_sold_on_still_counts(store: MemoryStore) -> None:
    assert incoming_farms(store, "coop") == {("ada", "corn"): SupplyingFarm(5_000_000, 700_050, 2025)}


@pytest.mark.parametrize(
    ("first", "last", "bushels"),
    [(None, JANUARY, 2_000_000), (FEBRUARY, None, 3_000_000), (None, date(2026, 2, 1), 5_000_000)],
)
def test_only_the_period_itself_counts(store: MemoryStore, first: date | None, last: date | None, bushels: int) -> None:
    assert incoming_farms(store, "coop", first, last)["ada", "corn"].bushels == bushels


def test_what_came_from_the_elevator_makes_no_farm_a_supplier_of_its_buyer(store: MemoryStore) -> None:
    assert incoming_farms(store, "mill") == {}
    enter(store, *ON, {"type": "accept", "id": "in", "day": "2026-02-02", "taker": "mill", "movement": "out"})
    assert incoming_farms(store, "mill") == {}


def enter(store: MemoryStore, *events: dict[str, Any]) -> None:
    for event in events:
        outcome = post(store, read_event(event))
        assert outcome.status == "posted", (event["id"], outcome.message)


def farms_too(name: str, *roles: str) -> dict[str, Any]:
    return {**entity(name, "farm"), "id": f"too-{name}", "roles": ["farm", *roles]}


PERIOD = {"type": "period", "day": "2025-11-03", "policy": "oldest_first", "start_day": "2026-01-01",
          "end_day": "2026-03-31"}  # fmt: skip
ON = [farms_too("mill", "intermediary"), farms_too("coop", "first_point"), {**PERIOD, "id": "p2", "entity": "mill"}]


def test_what_came_back_or_changed_its_intensity_is_counted_once_also_where_both_farm(store: MemoryStore) -> None:
    worse = {"type": "report", "id": "r2", "day": "2026-02-03", "entity": "ada", "crop": "corn", "harvest_year": 2025,
             "bushels": "9000", "ci": "7100", "version": 2}  # fmt: skip
    enter(store, *ON, {"type": "reject", "id": "no", "day": "2026-02-03", "taker": "mill", "giver": "coop",
                       "movement": "out", "site": "north"}, worse)  # fmt: skip
    assert incoming_farms(store, "coop") == {("ada", "corn"): SupplyingFarm(5_000_000, 710_000, 2025)}


def test_a_purchase_taken_back_and_entered_again_counts_once(store: MemoryStore) -> None:
    back = {"type": "correct", "entity": "coop", "reason": "a slip of the pen", "day": "2026-02-10"}
    enter(store, *bought("3", "ada", "500", "2026-02-09"), {**back, "id": "c", "movement": "buy-3"})
    assert incoming_farms(store, "coop")["ada", "corn"].bushels == 5_000_000
    enter(store, {**back, "id": "c2", "movement": "c", "entity": "ada"})
    assert incoming_farms(store, "coop")["ada", "corn"].bushels == 5_500_000


def report(version: int, acres: str | None = "50", county: str = "20149") -> dict[str, Any]:
    return {
        "type": "biofuel-feedstock-report", "crop": "corn", "harvest_year": 2025, "edition": {"version": version},
        "farm": {"farm_id": "ada", "county_fips": county}, "total_acres": acres,
        "evidence_grades": [{"grade": "typed_after_harvest", "percent": "12.5"}],
    }  # fmt: skip


def test_place_size_and_late_evidence_come_from_the_last_version_of_the_report(store: MemoryStore) -> None:
    rows, problems = listed(incoming_farms(store, "coop"), [report(2, "60"), report(1)], "book")
    assert problems == []
    assert [(one.farm_id, one.acres, one.county_fips, one.late_evidence_pct) for one in rows] == [
        ("ada", 60_000, "20149", 12_500)
    ]


@pytest.mark.parametrize("reports", [[], [report(1, None)], [report(1, county="")]])
def test_a_farm_that_is_not_listed_is_a_problem_and_no_row(store: MemoryStore, reports: list[dict[str, Any]]) -> None:
    rows, problems = listed(incoming_farms(store, "coop"), reports, "book")
    assert rows == []
    assert [one.code for one in problems] == ["report_missing"]
