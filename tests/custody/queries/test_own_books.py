"""Each party has a book of its own and sees no other: the honest is never called a double sale or a broken chain."""

from typing import Any, Final

import pytest

from provender.custody.documents.build import slip_document, transfer_document
from provender.custody.documents.read import read_slip, read_transfer
from provender.custody.model.lots import LotState, Slip
from provender.custody.model.store_view import Store
from provender.custody.queries.trace import chain_of
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.custody.reconcile.gathered import ReconcileInput
from provender.custody.store import MemoryStore
from tests.custody.model.test_lots import line, paper
from tests.custody.papers import DAY, told_of
from tests.custody.world import ADA_SOY, Event, entity, ev, favourable, periods, posted, record_of, report, status
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

HOUSES: list[Event] = [
    entity("ada", "farm"),
    entity("coop", "first_point", "north"),
    entity("east", "first_point", "yard"),
    entity("west", "intermediary", "dock"),
    entity("mill", "first_point", "mill"),
    entity("fuel", "refiner", "works"),
]
ADA = report("ada", "soybeans", "10000", "5000")


def book(owner: str, *events: Event) -> MemoryStore:
    return posted(MemoryStore(), [*HOUSES, *periods(owner), *events])


def side_by_side(**books: Store) -> list[Discrepancy]:
    gathered = ReconcileInput()
    for owner, store in books.items():
        with store.reading() as facts:
            gathered.add_book(f"{owner}.jsonl", facts, store.events(), owner)
    return told_of(gathered)


def buys(owner: str, start: int, stop: int, day: str = "2026-01-05") -> list[Event]:
    slip = ev("slip", f"s-{owner}", day, giver="ada", taker=owner, origin=ADA_SOY, spans=[[str(start), str(stop)]])
    return [ADA, slip, ev("purchase", f"b-{owner}", day, giver="ada", taker=owner, slip=f"s-{owner}")]


def sells(name: str, giver: str, taker: str, bushels: str, day: str) -> Event:
    return ev("sale", name, day, giver=giver, taker=taker, crop="soybeans", bushels=bushels)


def sold_on(name: str, giver: str, taker: str, start: str, bushels: str, day: str) -> list[Event]:
    told = {**paper(line(start, bushels), name=name, day=day), "giver": giver, "taker": taker}
    return [told, ev("accept", f"in-{name}", day, taker=taker, movement=name)]


# the chain runs through a third party


EAST_SLIP = ev("slip", "s-east", "2026-01-05", giver="ada", taker="east", origin=ADA_SOY, spans=[["2000", "3000"]])


def test_a_trader_that_bought_from_a_third_house_sells_to_one_that_buys_from_the_farm_too() -> None:
    mill = book("mill", *buys("mill", 0, 1000), EAST_SLIP, *sold_on("w1", "west", "mill", "2000", "500", "2026-01-20"))
    (found,) = side_by_side(mill=mill)
    assert (found.kind, found.bushels) == (DiscrepancyKind.LINK_NOT_SHOWN, 500_000)
    assert found.said.endswith("ask for the book, slip or document of east.")
    east = book("east", *buys("east", 2000, 3000), sells("e1", "east", "west", "500", "2026-01-10"))
    assert side_by_side(mill=mill, east=east) == []
    links = chain_of(mill, mill.lots_at(ADA_SOY, 2_000_000, 2_000_001)[0]).links
    assert [(one.giver, one.taker) for one in links] == [
        ("", "ada"), ("ada", "east"), ("west", "mill"), ("mill", "mill"),
    ]  # fmt: skip


def test_who_keeps_its_book_here_and_never_sold_them_is_not_passed_over() -> None:
    mill = book("mill", *buys("mill", 0, 1000), EAST_SLIP, *sold_on("w1", "west", "mill", "2000", "500", "2026-01-20"))
    east = book("east", *buys("east", 2000, 3000))
    assert [one.kind for one in side_by_side(mill=mill, east=east)] == [DiscrepancyKind.BROKEN_CHAIN]
    mill = book("mill", *buys("mill", 0, 1000))
    assert status(mill, sold_on("w1", "west", "mill", "0", "300", "2026-01-20")[0]) == "broken_chain"
    posted(mill, [ev("loss", "fire", "2026-01-06", entity="mill", crop="soybeans", bushels="100")])
    assert status(mill, sold_on("w1", "west", "mill", "0", "50", "2026-01-20")[0]) == "broken_chain"


def test_a_report_and_its_later_document_are_two_ends_and_a_denied_return_a_double_sale() -> None:
    gathered = ReconcileInput(names=["report"], owners=[frozenset()], roots={ADA_SOY: "ada"})
    made = transfer_document(
        book("east", *buys("east", 0, 500), sells("e1", "east", "west", "500", "2026-01-10")), "e1", as_of=DAY
    )
    found, _ = read_transfer(made, "e1.json")
    assert found
    gathered.add_transfer("e1.json", found)
    assert [one.kind for one in told_of(gathered)] == [DiscrepancyKind.LINK_NOT_SHOWN]
    mill = book("mill", *buys("mill", 0, 1000), EAST_SLIP, RESOLD, BUY_AGAIN)
    east = book("east", *buys("east", 2000, 3000), sells("e1", "east", "west", "1000", "2026-01-26"))
    told = side_by_side(mill=mill, east=east)
    assert [(one.kind, one.bushels) for one in told] == [(DiscrepancyKind.DOUBLE_SALE, 500_000)]


def test_what_a_house_sold_comes_back_to_it_through_two_others() -> None:
    away = [*buys("mill", 0, 1000), sells("m1", "mill", "east", "400", "2026-01-10")]
    back = sold_on("w1", "west", "mill", "0", "300", "2026-01-20")
    mill = book("mill", *away)
    assert status(mill, back[0]) == "chain_not_shown"
    between = {**paper(line("0", "300"), name="e1", day="2026-01-15"), "giver": "east", "taker": "west"}
    posted(mill, [favourable("west", "soybeans"), between, *back])
    assert {one.kind for one in side_by_side(mill=mill)} == {DiscrepancyKind.CIRCULAR_TRADE}
    posted(mill, [sells("m2", "mill", "fuel", "900", "2026-01-25")])
    assert {one.kind for one in side_by_side(mill=mill)} == {DiscrepancyKind.CIRCULAR_TRADE}


# serials went back to the farm in between

RESOLD = ev(
    "slip", "s-again", "2026-01-25", giver="ada", taker="mill", origin=ADA_SOY, spans=[["2500", "3000"]],
    returned="s-east",
)  # fmt: skip
BUY_AGAIN = ev("purchase", "b-again", "2026-01-25", giver="ada", taker="mill", slip="s-again")


def test_a_farm_sells_again_what_a_house_elsewhere_gave_back_and_says_so_on_its_slip() -> None:
    mill = book("mill", *buys("mill", 0, 1000), EAST_SLIP)
    silent = {name: value for name, value in RESOLD.items() if name != "returned"}
    assert status(mill, silent) == "serials_assigned"
    posted(mill, [RESOLD, BUY_AGAIN])
    assert record_of(mill, Slip, "s-east").open_spans == ((2_000_000, 2_500_000),)
    posted(mill, sold_on("e1", "east", "mill", "2000", "500", "2026-01-26"))
    assert side_by_side(mill=mill) == []
    back = ev("return", "r", "2026-01-20", giver="east", taker="ada", movement="b-east", amount="500",
              lots=[{"origin": ADA_SOY, "start": "2500", "stop": "3000"}])  # fmt: skip
    theirs = [*buys("east", 2000, 3000), back, sells("e1", "east", "mill", "500", "2026-01-26")]
    assert side_by_side(mill=mill, east=book("east", *theirs)) == []


def test_what_came_by_document_and_went_back_by_the_trader_to_the_farm_comes_from_the_farm_again() -> None:
    mill = book("mill", *buys("mill", 0, 1000), EAST_SLIP, *sold_on("e1", "east", "mill", "2000", "600", "2026-01-20"))
    posted(mill, [
        ev("return", "r", "2026-01-22", giver="mill", taker="east", movement="e1",
           lots=[{"origin": ADA_SOY, "start": "2500", "stop": "2600"}]),
        {**RESOLD, "spans": [["2500", "2600"]]}, BUY_AGAIN,
    ])  # fmt: skip
    held = [(lot.start, lot.stop, lot.supplier) for lot in mill.lots_at(ADA_SOY, 2_000_000, 2_600_000)]
    assert held == [(2_000_000, 2_500_000, "east"), (2_500_000, 2_600_000, "ada")]
    assert side_by_side(mill=mill) == []


@ROWS
def test_only_what_the_earlier_slip_gave_may_come_back(store: Store, changes: dict[str, Any], answer: str) -> None:
    mine = sold_on("e1", "east", "mill", "2000", "500", "2026-01-20")
    posted(store, [*HOUSES, entity("ben", "farm"), *periods("mill"), *buys("mill", 0, 1000), EAST_SLIP, *mine])
    assert status(store, {**RESOLD, **changes}) == answer


def test_a_slip_of_what_came_back_is_a_document_that_says_so() -> None:
    mill = book("mill", *buys("mill", 0, 1000), EAST_SLIP, RESOLD)
    found, problems = read_slip(slip_document(mill, "s-again", as_of=DAY), "slip.json")
    assert (problems, found and (found.returned, found.returned_by)) == ([], ("s-east", "east"))
    first, _ = read_slip(slip_document(mill, "s-east", as_of=DAY), "slip.json")
    assert found
    assert first
    gathered = ReconcileInput(roots={ADA_SOY: "ada"})
    gathered.add_slip("one.json", first)
    gathered.add_slip("two.json", found)
    assert told_of(gathered) == []


# one change in several books


def test_a_report_withdrawn_in_two_books_or_by_a_notice_ends_each_claim_once() -> None:
    books = {}
    for owner, start in (("coop", 0), ("mill", 1000)):
        gone = ev("withdraw", f"gone-{owner}", "2026-02-01", origin=ADA_SOY)
        books[owner] = book(owner, *buys(owner, start, start + 1000), gone)
    assert side_by_side(**books) == []
    gone = ev("withdraw", "gone", "2026-02-01", origin=ADA_SOY)
    coop = book("coop", *buys("coop", 0, 1000), sells("c1", "coop", "mill", "400", "2026-01-10"), gone)
    told = ev("notice", "n", "2026-02-02", giver="coop", taker="mill", number="1", origin=ADA_SOY, reason="withdrawn",
              spans=[["0", "400"]])  # fmt: skip
    mill = book("mill", *sold_on("c1", "coop", "mill", "0", "400", "2026-01-10"), told)
    assert side_by_side(coop=coop, mill=mill) == []


@pytest.mark.parametrize("undone", ["return", "reject"])
def test_a_sale_that_one_book_corrects_and_the_other_gives_back_changed_hands_once_each_way(undone: str) -> None:
    undo = ev("correct", "oops", "2026-01-12", entity="coop", movement="c1", reason="typed twice")
    again = sells("c2", "coop", "fuel", "1000", "2026-01-13")
    coop = book("coop", *buys("coop", 0, 1000), sells("c1", "coop", "mill", "400", "2026-01-10"), undo, again)
    mill = book("mill", sold_on("c1", "coop", "mill", "0", "400", "2026-01-10")[0])
    pair = {"giver": "mill", "taker": "coop"} if undone == "return" else {"giver": "coop", "taker": "mill"}
    posted(mill, [ev(undone, "back", "2026-01-12", movement="c1", site="north", **pair)])
    assert side_by_side(coop=coop, mill=mill) == []


@pytest.mark.parametrize(("told_of_slip", "differs"), [(False, 1_000_000), (True, 0)])
def test_bushels_taken_for_unsold_but_bought_elsewhere_are_told_as_such(told_of_slip: bool, differs: int) -> None:
    less = {**report("ada", "soybeans", "9000", "5000", day="2026-02-01"), "id": "less", "version": 2}
    east = book("east", *buys("east", 9000, 10000))
    slip = [buys("east", 9000, 10000)[1]] if told_of_slip else []
    mill = book("mill", *buys("mill", 0, 1000), *slip, less)
    found = side_by_side(mill=mill, east=east)
    assert [(one.kind, one.bushels) for one in found] == (
        [(DiscrepancyKind.SHORTFALL_DIFFERS, differs)] if differs else []
    )
    voided = [lot for lot in mill.lots_at(ADA_SOY, 9_000_000, 10_000_000) if lot.state is LotState.VOID]
    assert bool(voided) is not told_of_slip


def test_a_slip_shown_in_parts_under_other_names_to_houses_down_the_chain_leaves_the_farm_once() -> None:
    """Each book that buys on a document names the farm's slip to its first buyer for itself, as far as it needs it."""
    slip = ev("slip", "s1", "2026-01-05", giver="ada", taker="coop", origin=ADA_SOY, spans=[["0", "1000"]])
    buy = ev("purchase", "b1", "2026-01-05", giver="ada", taker="coop", slip="s1", site="north")
    coop = book("coop", ADA, slip, buy, sells("x1", "coop", "mill", "400", "2026-01-09"))
    shown = {**slip, "id": "s1-x1", "spans": [["0", "400"]]}
    came = sold_on("x1", "coop", "mill", "0", "400", "2026-01-09")
    mill = book(
        "mill", favourable("coop", "soybeans"), ADA, shown, *came, sells("y1", "mill", "fuel", "300", "2026-01-12")
    )
    part = {**came[0], "id": "document-coop-x1 at 0", "number": "x1 at 0"}
    part["lines"] = [{**part["lines"][0], "bushels": "300"}]
    bought = sold_on("y1", "mill", "fuel", "0", "300", "2026-01-12")
    fuel = book("fuel", ADA, {**shown, "id": "s1-y1", "spans": [["0", "300"]]}, part, *bought)
    assert side_by_side(coop=coop, mill=mill) == side_by_side(coop=coop, mill=mill, fuel=fuel) == []
    gone = {**shown, "id": "s1-z", "spans": [["400", "500"]]}
    forged = sold_on("z1", "coop", "mill", "400", "100", "2026-01-10")
    found = side_by_side(mill=book("mill", ADA, shown, *came, gone, *forged), coop=coop)
    assert [one.kind for one in found] == [DiscrepancyKind.MISSING_COUNTERPART]
