"""A party's own book, taken out of the shared one, stands by itself (decision 0007)."""

import json

import pytest

from provender.custody.events.registry import read_event
from provender.custody.memory_store import MemoryStore
from provender.custody.store import post
from provender.database.actor import Actor
from provender.database.store.custody import SqlStore
from provender.database.store.party_book import book_of
from tests.custody.model.test_external_holdings import ACCEPT, BASE, SLIP, line, paper
from tests.custody.world import ADA_SOY, Event, bought, ev, posted

RESOLD = [
    *BASE, *bought("other", "ada", "coop", ADA_SOY, "1000", day="2026-01-06", site="north"),
    ev("sale", "s1", "2026-01-20", giver="coop", taker="mill", crop="soybeans", bushels="400"),
    ev("accept", "a1", "2026-01-21", taker="mill", movement="s1"),
    ev("return", "r1", "2026-01-22", giver="mill", taker="coop", movement="s1", amount="100",
       site="north"),
    ev("sale", "s2", "2026-01-23", giver="coop", taker="mill", crop="soybeans", bushels="300"),
    ev("accept", "a2", "2026-01-24", taker="mill", movement="s2"),
]  # fmt: skip


@pytest.mark.django_db(databases=["default"])
@pytest.mark.parametrize(
    ("events", "came"),
    [
        pytest.param(RESOLD, 700, id="from a trader of this server"),
        pytest.param([*BASE, SLIP, paper(line("2000", "600")), ACCEPT], 600, id="from a trader elsewhere"),
    ],
)
def test_who_bought_of_one_report_from_the_farm_and_from_a_trader_has_a_whole_book(
    events: list[Event], came: int
) -> None:
    shared, own = SqlStore(Actor(None, "test")), MemoryStore()
    posted(shared, events)
    lines = [json.loads(text)["event"] for text in book_of("mill").decode().splitlines()[1:]]
    for event in lines:
        assert post(own, read_event(event)).status == "posted", event
    with shared.reading() as facts:
        theirs = {(lot.start, lot.stop, lot.supplier) for lot in facts.lots_of("mill", "soybeans")}
    assert {(lot.start, lot.stop, lot.supplier) for lot in own.lots_of("mill", "soybeans")} == theirs
    assert len(theirs) > 1
    # Of what else the trader bought from the farm the book says nothing.
    slips = [event for event in lines if event["type"] == "slip" and event["taker"] != "mill"]
    assert sum(float(stop) - float(start) for one in slips for start, stop in one["spans"]) == came
