"""Claims need grain on every day: what is sold beyond it is told, listed, and bars the close (interpretation 77)."""

from datetime import date

import pytest

from provender.custody.memory_store import MemoryStore
from provender.custody.model.entities import Entity
from provender.custody.model.grain_claims import shortfalls, told_with_sale
from provender.custody.queries.alerts import AlertKind, alerts
from tests.custody.world import ADA_SOY, CAST, REPORTS, Event, ev, posted, run, status

END = date(2026, 3, 31)
CLOSE = ev("close", "q1", "2026-03-31", entity="coop", closed_on="2026-04-01")
BUY = [
    ev("slip", "slip", "2026-01-05", giver="ada", taker="coop", origin=ADA_SOY, bushels="1000"),
    ev("purchase", "buy", "2026-01-05", giver="ada", taker="coop", slip="slip", site="north"),
]
SALE = ev("sale", "sale", "2026-01-10", giver="coop", taker="crush", crop="soybeans", bushels="1000")


def at_north(kind: str, number: str, day: str, amount: str) -> Event:
    place = {"entity": "coop", "site": "north", "form": "soybeans"}
    return ev(kind, number, day, **place, number=number, amount=amount)


def sold(*more: Event) -> MemoryStore:
    store = MemoryStore()
    posted(store, [*CAST, *REPORTS, *BUY, *more])
    return store


def short(store: MemoryStore, end: date = END) -> list[tuple[str, int, int]]:
    coop = store.one(Entity, "coop")
    assert coop is not None
    found = shortfalls(store, coop, date(2026, 1, 1), end)
    return [(str(one.first), one.worst // 1000, one.left // 1000) for one in found]


CURES: dict[str, tuple[list[Event], list[tuple[str, int, int]], str]] = {
    "no grain at all": ([SALE], [("2026-01-10", 1000, 1000)], "claims_exceed_grain"),
    "grain before": ([at_north("receipt", "T", "2026-01-06", "1000"), SALE], [], "posted"),
    "grain on the day": ([SALE, at_north("receipt", "T", "2026-01-10", "1000")], [], "posted"),
    "grain later": ([SALE, at_north("receipt", "T", "2026-01-12", "1000")], [("2026-01-10", 1000, 0)], "posted"),
    "less grain": ([SALE, at_north("receipt", "T", "2026-01-06", "999")], [("2026-01-10", 1, 1)],
                   "claims_exceed_grain"),
    "grain after the period": ([SALE, at_north("receipt", "T", "2026-04-01", "1000")], [("2026-01-10", 1000, 1000)],
                               "claims_exceed_grain"),
    "a measurement of what was there": ([at_north("measurement", "M", "2025-12-31", "1000"), SALE], [], "posted"),
    "a measurement beyond the book": ([at_north("measurement", "M", "2026-01-09", "1000"), SALE], [], "posted"),
    "measured, then the same grain in": (
        [at_north("receipt", "T", "2026-01-06", "600"), at_north("measurement", "M", "2026-01-08", "600"), SALE],
        [("2026-01-10", 400, 400)], "claims_exceed_grain"),
    "grain that went without a claim counts": (
        [at_north("receipt", "T", "2026-01-06", "1000"), at_north("shipment", "O", "2026-01-07", "1000"), SALE],
        [], "posted"),
    "a void ticket": (
        [at_north("receipt", "T", "2026-01-06", "1000"),
         {**at_north("receipt", "T", "2026-01-06", "1000"), "id": "void", "void": True}, SALE],
        [("2026-01-10", 1000, 1000)], "claims_exceed_grain"),
    "tickets of the destination": ([{**SALE, "destination": [{"number": "W1", "bushels": "1000"}]}], [], "posted"),
    "too little at the destination": ([{**SALE, "destination": [{"number": "W1", "bushels": "900"}]}],
                                      [("2026-01-10", 100, 100)], "claims_exceed_grain"),
    "taken back": ([SALE, ev("correct", "c", "2026-01-11", entity="coop", movement="sale", reason="x")],
                   [("2026-01-10", 1000, 0)], "no_grain_book"),
}  # fmt: skip


@pytest.mark.parametrize("name", CURES)
def test_claims_sold_beyond_the_grain_bar_the_close_until_it_has_come(name: str) -> None:
    events, expected, answer = CURES[name]
    store = sold(*events)
    assert short(store) == expected
    assert status(store, CLOSE) == answer


STORED = ev("storage", "st", "2026-01-06", owner="coop", custodian="tank", site="tank",
            lots=[{"origin": ADA_SOY, "start": "0", "stop": "1000"}])  # fmt: skip
AT_TANK = {"entity": "tank", "site": "tank", "form": "soybeans"}


def weighed(bushels: str, **more: str) -> Event:
    return {**STORED, "tickets": [{"number": "W", "bushels": bushels, **more}]}


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ([STORED, SALE], 1_000_000),
        ([weighed("1000"), SALE], 0),
        ([weighed("999.5"), SALE], 500),
        ([weighed("1000", day="2026-01-05"), SALE], 0),
        ([STORED, SALE, ev("receipt", "W", "2026-01-11", **AT_TANK, number="W", amount="400")], 600_000),
        ([STORED, ev("measurement", "M", "2026-01-05", **AT_TANK, number="M", amount="1000"), SALE], 0),
        ([STORED, {**SALE, "destination": [{"number": "W", "bushels": "1000"}]}], 0),
        ([STORED, at_north("receipt", "T", "2026-01-06", "1000"), SALE], 0),
        ([STORED, SALE, ev("correct", "c", "2026-01-10", entity="coop", movement="sale", reason="x")], 0),
        ([STORED], 0),
        ([SALE], 0),
    ],
    ids=["no grain", "its tickets", "a little less", "before", "some later", "measured", "at the buyer's",
         "left at home", "back", "not sold", "from home"],
)  # fmt: skip
def test_what_is_sold_out_of_anothers_house_is_held_against_grain_too_and_told(events: list[Event], told: int) -> None:
    store = sold(*events)
    coop = store.one(Entity, "coop")
    assert coop is not None
    found = [one for one in alerts(store, coop, END) if one.kind is AlertKind.DAILY_SHORTFALL and "tank" in one.said]
    assert [one.bushels for one in found] == ([told] if told else [])
    if told:
        assert "Enter the tickets of the house" in found[0].said
        assert status(store, CLOSE) == "posted"


def test_a_ticket_of_the_destination_stands_behind_one_sale_only() -> None:
    there = {"destination": [{"number": "W1", "bushels": "500"}]}
    half = {**SALE, "bushels": "500", **there}
    store = sold(half)
    assert status(store, {**half, "id": "again"}) == "ticket_used"
    assert status(store, {**half, "id": "again", "taker": "mill"}) == "posted"


def test_a_shortfall_is_told_with_the_sale_and_leads_the_list() -> None:
    store = sold()
    answer = run(store, [SALE])[0]
    told = told_with_sale(store, "coop", "soybeans", date(2026, 1, 10), answer)
    assert ("daily_shortfall", "1,000 bu") in told.facts
    assert "sold beyond the grain" in told.message
    coop = store.one(Entity, "coop")
    assert coop is not None
    assert alerts(store, coop, END)[0].kind is AlertKind.DAILY_SHORTFALL
    posted(store, [at_north("receipt", "T", "2026-01-06", "1000")])
    assert told_with_sale(store, "coop", "soybeans", date(2026, 1, 10), answer) == answer


REFUSED = ev("reject", "no", "2026-01-12", taker="crush", giver="coop", movement="sale", site="north")
AGAIN = ev("correct", "c1", "2026-01-13", entity="crush", movement="no", reason="the wrong sale")
AFTER_ALL = ev("correct", "c2", "2026-01-14", entity="crush", movement="c1", reason="it was right")
TAKEN = ev("accept", "yes", "2026-01-11", taker="crush", movement="sale", site="plant")
RETURNED = ev("return", "no", "2026-01-12", giver="crush", taker="coop", movement="sale", site="north")


@pytest.mark.parametrize("back", [[REFUSED], [TAKEN, RETURNED]], ids=["refused", "returned"])
@pytest.mark.parametrize(
    ("later", "left"),
    [([], 0), ([AGAIN], 1000), ([AGAIN, AFTER_ALL], 0)],
)
def test_what_came_back_and_went_on_again_needs_grain_again(back: list[Event], later: list[Event], left: int) -> None:
    store = MemoryStore()
    posted(store, [*CAST, *REPORTS, *BUY, SALE, *back, *later])
    assert short(store) == [("2026-01-10", 1000, left)]


def test_what_came_back_twice_counts_once() -> None:
    """A refusal, its taking back, and that taken back: bushels that are there once stand behind no second sale."""
    more = ev("sale", "more", "2026-01-20", giver="coop", taker="crush", crop="soybeans", bushels="1000")
    store = sold(SALE, REFUSED, AGAIN, AFTER_ALL, more)
    assert short(store) == [("2026-01-10", 1000, 1000)]
    assert status(store, CLOSE) == "claims_exceed_grain"
