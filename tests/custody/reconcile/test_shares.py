"""A landowner's share stands in the books of farm and landowner alike, and no third book has more of it."""

from datetime import date
from typing import Final

import pytest

from provender.custody.memory_store import MemoryStore
from provender.custody.queries.claims import Claim
from provender.custody.reconcile.discrepancies import DiscrepancyKind
from provender.custody.reconcile.gathered import without_shown_twice
from tests.custody.papers import ADA, salted
from tests.custody.reconcile.test_books import side_by_side
from tests.custody.world import CAST, Event, ev, posted

SHARE: Final = ev("share", "sh", "2026-01-05", giver="ada", taker="lena", origin=ADA, spans=[["5000", "8000"]])
MORE: Final = {**SHARE, "spans": [["5000", "9000"]]}
AGAIN: Final = {**SHARE, "id": "sh2", "spans": [["8000", "9000"]]}
BACK: Final = ev("correct", "c", "2026-01-06", entity="ada", movement="sh", reason="x")
SOLD: Final = [
    ev("slip", "sl", "2026-01-08", giver="lena", taker="mill", origin=ADA, spans=[["5000", "6000"]]),
    ev("purchase", "buy", "2026-01-08", giver="lena", taker="mill", slip="sl", site="mill"),
]
SEEN: Final = {**SHARE, "id": "sh-sl", "spans": [["5000", "6000"]]}
"""What a buyer's book keeps of the share: under a name of its own, no more than it bought of it."""


def book(owner: str, *events: Event) -> tuple[str, MemoryStore]:
    store = MemoryStore(owner)
    posted(store, [*CAST, salted(), *events])
    return owner, store


DIFFER: Final[dict[str, tuple[list[Event], list[Event], tuple[str, int]]]] = {
    "other bushels": ([SHARE], [MORE], ("missing_counterpart", 1_000_000)),
    "a second share": ([SHARE], [SHARE, AGAIN], ("missing_counterpart", 1_000_000)),
    "other serials": ([SHARE], [{**SHARE, "spans": [["4999", "7999"]]}], ("missing_counterpart", 2_000)),
    "not in the landowner's": ([SHARE], [], ("missing_counterpart", 3_000_000)),
    "not in the farm's": ([], [SHARE], ("missing_counterpart", 3_000_000)),
    "taken back in one": ([SHARE, BACK], [SHARE], ("missing_counterpart", 3_000_000)),
    "another day": ([SHARE], [{**SHARE, "day": "2026-01-04"}], ("legs_differ", 3_000_000)),
}


@pytest.mark.parametrize("name", DIFFER)
def test_a_share_that_farm_and_landowner_tell_differently_is_told_once(name: str) -> None:
    mine, its, told = DIFFER[name]
    found = side_by_side(book("ada", *mine), book("lena", *its))
    assert [(str(one.kind), one.bushels) for one in found if one.kind is not DiscrepancyKind.IN_DISPUTE] == [told]


@pytest.mark.parametrize("pair", [([SHARE], [SHARE]), ([MORE], [SHARE, AGAIN])])
def test_a_share_told_alike_in_one_entry_or_two_is_not_told(pair: tuple[list[Event], list[Event]]) -> None:
    assert side_by_side(book("ada", *pair[0]), book("lena", *pair[1])) == []


def test_a_buyers_book_may_name_a_part_of_the_share_for_itself_and_may_not_have_more_of_it() -> None:
    ada, lena = book("ada", SHARE), book("lena", SHARE, SOLD[0])
    assert side_by_side(ada, lena, book("mill", SEEN, *SOLD)) == []
    found = side_by_side(book("ada", {**SHARE, "spans": [["5500", "8000"]]}), book("mill", SEEN, *SOLD))
    assert [(str(one.kind), one.bushels) for one in found] == [("legs_differ", 500_000)]


@pytest.mark.parametrize("told", [True, False])
def test_a_return_that_a_book_further_on_was_shown_as_a_part_of_a_document_counts_once(told: bool) -> None:
    """Which is all that a server shows of how serials came back to whoever sold them on."""

    def claim(source: int, kind: str, key: str, giver: str, taker: str, number: int) -> Claim:
        return Claim(source, kind, key, "o", 0, 10, giver, taker, date(2026, 1, number))

    rows = [
        claim(0, "sale", "s1", "coop", "mill", 2),
        claim(0, "return", "back of s1", "mill", "coop", 3),
        claim(0, "sale", "s2", "coop", "fuel", 5),
    ]
    shown = claim(1, "document", "r1 at 0", "mill", "coop", 3)
    owners = [frozenset({"coop"}), frozenset({"fuel"})]
    found = list(without_shown_twice([*(rows if told else rows[:1] + rows[2:]), shown], owners))
    backs = [one.key for one in found if one.giver == "mill"]
    assert backs == (["back of s1"] if told else ["r1"])


def test_a_book_that_is_shown_more_of_a_slip_between_others_than_the_farm_signed_is_told() -> None:
    slip = ev("slip", "s1", "2026-01-05", giver="ada", taker="coop", origin=ADA, spans=[["0", "100"]])
    shown = {**slip, "id": "s1-d7"}
    assert side_by_side(book("ada", slip), book("mill", shown)) == []
    found = side_by_side(book("ada", slip), book("mill", {**shown, "spans": [["50", "200"]]}))
    assert [(str(one.kind), one.bushels) for one in found] == [("legs_differ", 100_000)]
