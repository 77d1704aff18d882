"""A trader whose book tells otherwise than the farm's or another seller's: told when they lie side by side."""

from typing import Final

import pytest

from provender.custody.memory_store import MemoryStore
from provender.custody.model.origins import origin_id
from provender.custody.reconcile.books import Gathered, reconcile
from tests.custody.papers import ADA, buyer_book, elevator_book, letter, salted, take
from tests.custody.test_attacks import SALE, own
from tests.custody.world import CAST, Event, bought, ev, posted, report


def beside(*books: tuple[str, MemoryStore]) -> list[str]:
    """Return the kinds of what several parties' own books tell, but for what lies between them and is not here."""
    gathered = Gathered()
    for owner, store in books:
        gathered.add_book(f"{owner}.jsonl", store, store.events(), owner)
    return [str(one.kind) for one in reconcile(gathered)]


SIGNED: Final = bought("p1", "ada", "coop", ADA, "4000", day="2026-01-10", site="north")[0]


def farm(*more: Event) -> MemoryStore:
    store = MemoryStore("ada")
    posted(store, [*CAST, salted(), *more])
    return store


SLIPS: Final[dict[str, tuple[list[Event], str]]] = {
    "more than the farm signed": ([{**SIGNED, "bushels": "3500"}], "missing_counterpart"),
    "less than the farm signed": ([{**SIGNED, "bushels": "4500"}], "missing_counterpart"),
    "what the farm never signed": ([], "missing_counterpart"),
    "serials that the farm did not sign": ([{**SIGNED, "spans": [["5000", "9000"]]}], "legs_differ"),
    "a day on which the farm did not sign": ([{**SIGNED, "day": "2026-01-09"}], "legs_differ"),
    "another buyer's slip": ([{**SIGNED, "taker": "mill"}], "missing_counterpart"),
    "the same serials under another number": ([{**SIGNED, "id": "other"}], "missing_counterpart"),
    "what the farm took back": (
        [SIGNED, ev("correct", "c", "2026-01-11", entity="ada", movement="slip-p1", reason="x")],
        "missing_counterpart"),
    "a report withdrawn before the sale":
        ([SIGNED, ev("withdraw", "w", "2026-01-20", origin=ADA, reason="x")], "origin_differs"),
    "a report suspended before the sale":
        ([SIGNED, ev("suspend", "w", "2026-01-20", origin=ADA, reason="x")], "origin_differs"),
    "a worse intensity from before the sale":
        ([SIGNED, {**salted(), "id": "v2", "version": 2, "ci": "7000", "day": "2026-01-20"}], "origin_differs"),
}  # fmt: skip


@pytest.mark.parametrize("name", SLIPS)
def test_a_farms_own_book_is_held_against_its_buyers(name: str) -> None:
    mine, kind = SLIPS[name]
    buyer = buyer_book()
    take(buyer, letter(elevator_book()))
    assert beside(("ada", farm(SIGNED)), ("coop", own()), ("crush", buyer)) == []
    assert kind in beside(("ada", farm(*mine)), ("coop", own()), ("crush", buyer))


@pytest.mark.parametrize(
    "later",
    [
        [ev("withdraw", "w", "2026-02-01", origin=ADA, reason="x")],
        [ev("suspend", "w", "2026-01-20", origin=ADA, reason="x"),
         ev("reinstate", "w2", "2026-01-25", origin=ADA, reason="x")],
        [{**salted(), "id": "v2", "version": 2, "ci": "4000", "day": "2026-01-20"}],
    ],
    ids=["withdrawn on the day", "in force again", "a better intensity"],
)  # fmt: skip
def test_who_sold_before_a_report_got_worse_is_not_told_of(later: list[Event]) -> None:
    assert "origin_differs" not in beside(("ada", farm(SIGNED, *later)), ("coop", own()))


def of_two_sellers(coop: Event, mill: Event) -> list[str]:
    """Return what is told of sales to one buyer by two houses that each keep a book of their own."""
    ben = {**report("ben", "soybeans", "10000", "5000"), "salt": "another salt of sixteen bytes"}
    grown = origin_id("ben", "soybeans", 2025, "another salt of sixteen bytes")
    other = MemoryStore("mill")
    posted(other, [*CAST, ben, *bought("pm", "ben", "mill", grown, "400", day="2026-01-12", site="mill"),
                   {**SALE, "id": "m1", "giver": "mill", "taker": "crush", "site": "mill", **mill}])  # fmt: skip
    return beside(("coop", own({**SALE, "id": "s8", "taker": "crush", "site": "north", **coop})), ("mill", other))


D_1: Final = {"number": "D-1", "bushels": "10"}


def test_one_ticket_of_a_buyer_behind_the_sales_of_two_sellers_is_told() -> None:
    assert "same_ticket" in of_two_sellers({"tickets": [D_1]}, {"tickets": [D_1]})
    assert "same_ticket" not in of_two_sellers({"tickets": [{**D_1, "number": "D-2"}]}, {"tickets": [D_1]})


def test_one_ticket_of_the_destination_behind_the_sales_of_two_sellers_is_told() -> None:
    later = {"destination": [{**D_1, "day": "2026-02-04"}]}
    assert "same_ticket" in of_two_sellers({"destination": [D_1]}, later)


def test_scales_of_two_sellers_may_print_one_number_over_one_weight() -> None:
    the_day_before = {"tickets": [{**D_1, "day": "2026-02-04"}]}
    assert "same_ticket" not in of_two_sellers({"tickets": [D_1]}, the_day_before)
