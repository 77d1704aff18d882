"""The list of supplying farms follows the lots of the first point's own book."""

from datetime import date
from typing import Any

import pytest

from provender.audit.sampling.population import SupplyingFarm, incoming_farms, listed
from provender.custody.events.registry import read_event
from provender.custody.memory_store import MemoryStore
from provender.custody.store import post

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


def test_a_landowners_share_counts_for_the_farm_that_grew_it_and_what_was_sold_on_still_counts(
    store: MemoryStore,
) -> None:
    assert incoming_farms(store, "coop") == {("ada", "corn"): SupplyingFarm(5_000_000, 700_050, 2025)}


@pytest.mark.parametrize(
    ("first", "last", "bushels"),
    [(None, JANUARY, 2_000_000), (FEBRUARY, None, 3_000_000), (None, date(2026, 2, 1), 5_000_000)],
)
def test_only_movements_of_the_period_count_both_ends_included(
    store: MemoryStore, first: date | None, last: date | None, bushels: int
) -> None:
    assert incoming_farms(store, "coop", first, last)["ada", "corn"].bushels == bushels


def test_what_an_intermediary_takes_in_from_the_elevator_makes_no_farm_its_supplier(store: MemoryStore) -> None:
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


def test_what_a_first_point_that_also_farms_sold_makes_no_farm_a_supplier_of_its_buyer(store: MemoryStore) -> None:
    enter(store, *ON, {"type": "accept", "id": "in", "day": "2026-02-02", "taker": "mill", "movement": "out"})
    assert incoming_farms(store, "mill") == {}


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
def test_a_farm_that_cannot_be_listed_is_a_problem_and_no_row(
    store: MemoryStore, reports: list[dict[str, Any]]
) -> None:
    rows, problems = listed(incoming_farms(store, "coop"), reports, "book")
    assert rows == []
    assert [one.code for one in problems] == ["report_missing"]
