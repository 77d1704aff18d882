"""Grain behind claims: its stock by day, what is sold beyond it, and tickets in somebody else's name."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.custody.memory_store import MemoryRecords, MemoryStore
from provender.custody.model.entities import Entity
from provender.custody.model.grain import Direction, GrainEntry, GrainStock, grain_group
from provender.custody.model.grain_claims import alike, shortfalls, told_with_sale
from provender.custody.queries.alerts import AlertKind, alerts
from tests.custody.plain_stock import book_stock_before, stock_on
from tests.custody.world import ADA_SOY, CAST, REPORTS, Event, ev, posted, record_of, run, status

# The grain of a site added up by day says what reading the whole book says, whatever was voided or stated anew.

FIRST: Final = date(2026, 1, 1)
DAYS: Final = st.integers(0, 6).map(lambda number: FIRST + timedelta(days=number))
ENTRIES: Final = st.builds(
    GrainEntry, st.just("coop"), st.just("north"), st.just("corn"), st.sampled_from(["T1", "T2", "T3", "M1", "M2"]),
    DAYS, st.sampled_from(Direction), st.integers(0, 5_000), void=st.booleans(),
    source=st.sampled_from(["", "", "coop/south/S1", "coop/south/S2"]),
)  # fmt: skip


@given(st.lists(ENTRIES, max_size=14), DAYS)
def test_it_says_what_the_whole_book_says(stated: list[GrainEntry], day: date) -> None:
    book: dict[str, GrainEntry] = {}
    stock = GrainStock()
    for entry in stated:
        book[entry.number] = entry
        stock.put(entry)
    assert stock.on(day) == stock_on(book.values(), day)
    earlier = [one for one in book.values() if one.day < day or one.direction is not Direction.MEASURED]
    assert stock.on(day, before_measuring=True) == stock_on(earlier, day)
    for number in ("T1", "M1", "unknown"):
        found = GrainEntry("coop", "north", "corn", number, day, Direction.MEASURED, 0)
        assert stock.on(day, without=number) == book_stock_before(book.values(), found)
    assert stock.on(day) == stock_on(book.values(), day), "leaving one out changes nothing"
    for source in ("coop/south/S1", "coop/south/S2"):
        came = [one for one in book.values() if one.source == source and not one.void]
        assert list(stock.came_of(source)) == came


def test_a_day_without_entries_before_it_knows_no_stock() -> None:
    entry = GrainEntry("coop", "north", "corn", "M1", FIRST, Direction.MEASURED, 700)
    stock = GrainStock([entry])
    assert stock.on(FIRST - timedelta(days=1)) is None
    assert (stock.on(FIRST), stock.on(FIRST, before_measuring=True)) == (700, None)
    stock.put(replace(entry, void=True))
    assert stock.on(FIRST) is None


class Records(MemoryRecords):
    """The records of a store without the store, which alone puts any there."""

    def state(self, entry: GrainEntry) -> None:
        self._put(entry)


@given(st.lists(st.tuples(ENTRIES, st.sampled_from(["corn", "soybeans"]), st.booleans()), max_size=14), DAYS)
def test_a_store_keeps_tickets_of_another_crop_apart(stated: list[tuple[GrainEntry, str, bool]], day: date) -> None:
    records = Records()
    for entry, form, looked in stated:
        records.state(replace(entry, form=form))
        for of in ("corn", "soybeans") if looked else ():
            group = grain_group("coop", "north", of)
            assert records.grain(group).on(day) == stock_on(records.many(GrainEntry, group), day)


# Claims need grain on every day: what is sold beyond it is told, listed, and bars the close (interpretation 77).

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
    found = shortfalls(store, record_of(store, Entity, "coop"), date(2026, 1, 1), end)
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
    coop = record_of(store, Entity, "coop")
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
    assert alerts(store, record_of(store, Entity, "coop"), END)[0].kind is AlertKind.DAILY_SHORTFALL
    posted(store, [at_north("receipt", "T", "2026-01-06", "1000")])
    assert told_with_sale(store, "coop", "soybeans", date(2026, 1, 10), answer) == answer


REFUSED = ev("reject", "no", "2026-01-12", taker="crush", giver="coop", movement="sale", site="north")
AGAIN = ev("correct", "c1", "2026-01-13", entity="crush", movement="no", reason="the wrong sale")
AFTER_ALL = ev("correct", "c2", "2026-01-14", entity="crush", movement="c1", reason="it was right")
TAKEN = ev("accept", "yes", "2026-01-11", taker="crush", movement="sale", site="plant")
RETURNED = ev("return", "no", "2026-01-12", giver="crush", taker="coop", movement="sale", site="north")


@pytest.mark.parametrize("back", [[REFUSED], [TAKEN, RETURNED]], ids=["refused", "returned"])
@pytest.mark.parametrize(("later", "left"), [([], 0), ([AGAIN], 1000), ([AGAIN, AFTER_ALL], 0)])
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


# A ticket in somebody else's name behind a claim is told; the same name written otherwise is not.


@pytest.mark.parametrize(
    ("printed", "name", "same"),
    [
        ("ADA", "Ada", True),
        ("Lovelace, Ada", "Ada Lovelace Farms LLC", True),
        ("A. Lovelace", "Ada Lovelace", True),
        ("Ben Turing", "Ada Lovelace", False),
        ("Turing Farms LLC", "Lovelace Farms LLC", False),
        ("Family Farms", "Family Farms", True),
        ("Family Farms", "Family Farm Inc", False),
        ("Farm", "Ada Lovelace", False),
    ],
)
def test_names_are_alike_when_they_share_a_word_that_not_every_farm_has(printed: str, name: str, same: bool) -> None:
    assert alike(printed, name) == same
    assert alike(name, printed) == same


def told(store: MemoryStore, name: str | None, *more: dict[str, object]) -> list[str]:
    """Ada's purchase of 100 bu, whose ticket came over the scale in some name."""
    ticket = ev(
        "receipt", "t", "2026-01-05", entity="coop", site="north", form="soybeans", amount="100", number="T1",
        **({"name": name} if name is not None else {}),
    )  # fmt: skip
    slip = ev("slip", "s", "2026-01-05", giver="ada", taker="coop", origin=ADA_SOY, bushels="100")
    behind = [{"number": "T1", "bushels": "100"}]
    buy = ev("purchase", "b", "2026-01-05", giver="ada", taker="coop", slip="s", site="north", tickets=behind)
    posted(store, [*CAST, *REPORTS, ticket, slip, buy, *more])
    found = alerts(store, record_of(store, Entity, "coop"), date(2026, 2, 1))
    return [one.said for one in found if one.kind is AlertKind.OTHER_NAME_ON_TICKET]


@pytest.mark.parametrize("name", [None, "", "ADA", "Ben, Ada", "(field Ben 40)", "Ada (field Ben 40)"])
def test_a_ticket_in_the_owners_name_or_in_no_name_tells_nothing(store: MemoryStore, name: str | None) -> None:
    assert told(store, name) == []


def test_a_ticket_in_another_name_is_told_with_both_names(store: MemoryStore) -> None:
    assert told(store, "Ben") == ["Ticket T1 at north is in the name of Ben; b is from Ada."]


def test_a_field_beside_a_name_is_nobody(store: MemoryStore) -> None:
    assert len(told(store, "Ben (field Ada 40)")) == 1


def test_a_ticket_keeps_its_name_when_a_purchase_names_it_and_when_it_is_freed(store: MemoryStore) -> None:
    back = ev("correct", "c", "2026-01-06", entity="coop", movement="b", reason="typed twice")
    assert told(store, "Ben", back) == []
    again = {"entity": "coop", "site": "north", "form": "soybeans", "amount": "100", "number": "T1", "void": True}
    assert run(store, [ev("receipt", "v", "2026-01-05", **again)])[0].status == "posted"
