"""The thin slice: a farm's bushels through an elevator to a refiner, balanced and traced."""

from datetime import date
from typing import Any

from provender.custody.events.registry import read_event
from provender.custody.memory_store import MemoryStore
from provender.custody.model.balances import period_balances
from provender.custody.model.entities import Period
from provender.custody.queries.trace import chains_at
from provender.custody.store import post

EVENTS: list[dict[str, Any]] = [
    {"type": "entity", "id": "e1", "day": "2025-12-01", "entity": "ada", "name": "Ada", "roles": ["farm"]},
    {
        "type": "entity",
        "id": "e2",
        "day": "2025-12-01",
        "entity": "coop",
        "name": "Coop",
        "roles": ["first_point"],
        "sites": ["north"],
    },
    {
        "type": "entity",
        "id": "e3",
        "day": "2025-12-01",
        "entity": "fuelco",
        "name": "Fuelco",
        "roles": ["refiner"],
        "sites": ["plant"],
    },
    {
        "type": "period",
        "id": "p1",
        "day": "2025-12-01",
        "entity": "coop",
        "start_day": "2026-01-01",
        "end_day": "2026-03-31",
        "policy": "oldest_first",
    },
    {
        "type": "period",
        "id": "p2",
        "day": "2025-12-01",
        "entity": "fuelco",
        "start_day": "2026-01-01",
        "end_day": "2026-03-31",
        "policy": "oldest_first",
    },
    {
        "type": "report",
        "id": "r1",
        "day": "2026-01-02",
        "entity": "ada",
        "crop": "corn",
        "harvest_year": 2025,
        "bushels": "10000",
        "ci": "5500.25",
    },
    {
        "type": "slip",
        "id": "s1",
        "day": "2026-01-03",
        "giver": "ada",
        "taker": "coop",
        "origin": "ada/corn/2025",
        "bushels": 6000,
    },
    {
        "type": "purchase",
        "id": "b1",
        "day": "2026-01-05",
        "giver": "ada",
        "taker": "coop",
        "slip": "s1",
        "tickets": [{"number": "T1", "bushels": "6000"}],
    },
    {
        "type": "sale",
        "id": "v1",
        "day": "2026-02-01",
        "giver": "coop",
        "taker": "fuelco",
        "crop": "corn",
        "bushels": "2500.5",
    },
    {"type": "accept", "id": "a1", "day": "2026-02-03", "taker": "fuelco", "movement": "v1"},
]


def test_a_bushel_goes_from_the_farm_to_the_refiner_and_every_book_balances() -> None:
    store = MemoryStore()
    for event in EVENTS:
        outcome = post(store, read_event(event))
        assert outcome.status == "posted", outcome.message
    coop = period_balances(store.steps("coop"), "coop", store.many(Period, "coop"))[0].lines[0]
    assert (coop.beginning, dict(coop.incoming), dict(coop.outgoing), coop.ending) == (
        0,
        {"purchased": 6_000_000},
        {"sold": 2_500_500},
        3_499_500,
    )
    fuel = period_balances(store.steps("fuelco"), "fuelco", store.many(Period, "fuelco"))[0].lines[0]
    assert (fuel.ending, fuel.unverified) == (2_500_500, 2_500_500)
    chain = chains_at(store, "ada/corn/2025", 0, 1)[0]
    assert [(link.giver, link.taker, link.type) for link in chain.links] == [
        ("", "ada", "report"),
        ("ada", "coop", "purchase"),
        ("coop", "fuelco", "sale"),
        ("fuelco", "fuelco", "accept"),
    ]


def test_the_same_event_again_changes_nothing() -> None:
    store = MemoryStore()
    for event in EVENTS:
        post(store, read_event(event))
    assert post(store, read_event(EVENTS[8])).status == "exists"
    assert post(store, read_event({**EVENTS[8], "bushels": "2500"})).status == "id_has_other_content"
    assert len(store.lots_at("ada/corn/2025", 0, 10_000_000)) == 3
    assert date(2026, 1, 1) == store.many(Period, "coop")[0].start
