"""A signed paper between two others that contradicts the book it is shown to: it is never passed over in silence."""

from typing import Any

import pytest

from provender.custody.model.lots import LotState
from provender.custody.reconcile.discrepancies import DiscrepancyKind
from tests.custody.model.test_external_holdings import line
from tests.custody.queries.test_own_books import ADA, buys, sells, side_by_side, sold_on
from tests.custody.queries.test_papers_between_others import SLIP, between, own
from tests.custody.world import ADA_SOY, Event, ev, posted, serials, status

STRAIGHT = buys("mill", 0, 1000)
RESOLD: list[Event] = [*STRAIGHT, sells("m1", "mill", "fuel", "200", "2026-01-20")]


def both(name: str, day: str, *, giver: str = "east") -> Event:
    """A paper over bushels that the mill bought of the farm itself, beside others of the farm."""
    lines: list[dict[str, Any]] = [line("0", "100"), line("2000", "1000")]
    return {**between(name, day, giver, "west"), "lines": lines}


@pytest.mark.parametrize("day", ["2026-01-03", "2026-01-05", "2026-01-10"])
def test_what_came_straight_from_the_farm_was_with_nobody_else_before(day: str) -> None:
    assert status(own(*STRAIGHT, SLIP), both("e1", day)) == "broken_chain"


@pytest.mark.parametrize("day", ["2026-01-03", "2026-01-06", "2026-01-19"])
def test_nor_was_what_this_house_sold_on_to_one_that_may_have_sold_it_since(day: str) -> None:
    assert status(own(*RESOLD), between("e1", day, "east", "west") | {"lines": [line("0", "100")]}) == "broken_chain"


def test_a_house_had_nothing_of_what_was_sold_to_it_later() -> None:
    paper = between("f1", "2026-01-10", "fuel", "west") | {"lines": [line("0", "100")]}
    assert status(own(*RESOLD), paper) == "broken_chain"
    assert status(own(*RESOLD), {**paper, "day": "2026-01-20"}) == "posted"


def test_what_came_back_to_the_farm_had_been_elsewhere_before() -> None:
    again: Event = {**SLIP, "id": "s-again", "taker": "mill", "spans": [["2000", "2100"]], "returned": "s-east",
                    "day": "2026-01-12"}  # fmt: skip
    mill = own(*STRAIGHT, SLIP, again, ev("purchase", "b2", "2026-01-12", giver="ada", taker="mill", slip="s-again"))
    posted(mill, [between("e1", "2026-01-08", "east", "west")])
    held = [(lot.owner, lot.start) for lot in mill.lots_at(ADA_SOY, 2_000_000, 3_000_000)]
    assert held == [("mill", 2_000_000), ("west", 2_100_000)]
    assert status(mill, between("e2", "2026-01-13", "east", "west")) == "broken_chain"


def test_what_was_taken_back_as_entered_in_error_stands_against_no_paper() -> None:
    mill = own(*STRAIGHT)
    posted(mill, [ev("correct", "c", "2026-01-08", entity="mill", movement="b-mill", reason="typed twice"),
                  ev("correct", "c2", "2026-01-08", entity="mill", movement="s-mill", reason="typed twice"),
                  SLIP, both("e1", "2026-01-06")])  # fmt: skip
    assert {(lot.owner, lot.state) for lot in mill.lots_at(ADA_SOY, 0, 100_000)} == {("ada", LotState.HELD)}


def test_a_paper_that_was_shown_before_the_purchase_it_contradicts_is_told_by_reconcile() -> None:
    mill = own(ADA, SLIP)
    posted(mill, [both("e1", "2026-01-03")])
    assert side_by_side(mill=mill) == []
    posted(mill, STRAIGHT[1:])
    (found,) = side_by_side(mill=mill)
    assert (found.kind, found.bushels) == (DiscrepancyKind.OVERLAP, 100_000)


def test_what_a_house_elsewhere_gave_may_have_gone_round_before_it_came() -> None:
    mill = own(*STRAIGHT, SLIP, *sold_on("e2", "east", "mill", "2000", "500", "2026-01-20"))
    posted(mill, [ev("return", "r", "2026-01-22", giver="mill", taker="east", movement="e2",
                     lots=[serials(ADA_SOY, 2000, 2100)]), between("e1", "2026-01-18", "east", "west")])  # fmt: skip
    assert status(mill, between("e3", "2026-01-21", "east", "west")) == "broken_chain"
