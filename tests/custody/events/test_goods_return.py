"""A return takes back what its purchase or sale gave, and nothing that came by another since."""

from typing import Final

import pytest

from provender.custody.model.store_view import Store
from tests.custody.world import ADA_SOY, CAST, REPORTS, Event, bought, ev, favourable, posted, status

HERE = {"origin": ADA_SOY, "start": "0", "stop": "100"}
ROUND: list[Event] = [
    *CAST, *(favourable(name, "soybeans") for name in ("coop", "mill")), *REPORTS,
    *bought("m", "ada", "mill", ADA_SOY, "100", day="2026-01-05", site="mill"),
    ev("return", "back", "2026-01-06", giver="mill", taker="ada", movement="m"),
    *bought("c", "ada", "coop", ADA_SOY, "100", day="2026-01-07", site="north"),
    ev("sale", "v", "2026-01-08", giver="coop", taker="mill", crop="soybeans", bushels="100"),
    ev("accept", "in", "2026-01-09", taker="mill", movement="v", site="mill"),
]  # fmt: skip
"""The mill gave the farm's bushels back; the elevator bought them and sold them to the mill."""


@pytest.mark.parametrize(
    ("named", "answer"), [({}, "not_held"), ({"lots": [HERE]}, "outside_movement")], ids=["all of it", "lots named"]
)
def test_serials_that_came_again_from_somebody_else_go_back_to_that_one_only(
    store: Store, named: Event, answer: str
) -> None:
    posted(store, ROUND)
    to_the_farm = ev("return", "r1", "2026-01-10", giver="mill", taker="ada", movement="m", **named)
    assert status(store, to_the_farm) == answer
    posted(store, [ev("return", "r2", "2026-01-10", giver="mill", taker="coop", movement="v", site="north", **named)])
    with store.reading() as facts:
        (lot,) = facts.lots_at(ADA_SOY, 0, 100_000)
        assert (lot.owner, lot.supplier, lot.site) == ("coop", "ada", "north")


SOLD: Final = [
    *CAST, *(favourable(name, "soybeans") for name in ("coop", "crush")), *REPORTS,
    *bought("c", "ada", "coop", ADA_SOY, "100", day="2026-01-05", site="north"),
    ev("sale", "v1", "2026-01-06", giver="coop", taker="crush", crop="soybeans", bushels="100"),
    ev("accept", "in1", "2026-01-07", taker="crush", movement="v1"),
]  # fmt: skip
ON: Final = [
    ev("sale", "v2", "2026-01-08", giver="crush", taker="fuel", crop="soybeans", bushels="100"),
    ev("accept", "in2", "2026-01-09", taker="fuel", movement="v2"),
]


def back(name: str, movement: str, giver: str, taker: str, **more: object) -> Event:
    site = {} if taker != "coop" else {"site": "north"}
    return ev("return", name, "2026-01-10", giver=giver, taker=taker, movement=movement, **site, **more)


def test_what_was_resold_and_came_back_goes_back_to_the_one_before_and_to_the_farm(store: Store) -> None:
    posted(store, [*SOLD, *ON, back("r2", "v2", "fuel", "crush"), back("r1", "v1", "crush", "coop")])
    posted(store, [back("r0", "c", "coop", "ada")])
    with store.reading() as facts:
        (lot,) = facts.lots_at(ADA_SOY, 0, 100_000)
        assert (lot.owner, str(lot.state)) == ("ada", "held")


AGAIN: Final = [
    back("r1", "v1", "crush", "coop"),
    ev("sale", "v9", "2026-01-11", giver="coop", taker="crush", crop="soybeans", bushels="100"),
    ev("accept", "in9", "2026-01-12", taker="crush", movement="v9"),
]
VOID: Final = [
    ev("correct", "undo", "2026-01-08", entity="coop", movement="v1", reason="typed twice"),
    ev("settle", "agreed", "2026-01-09", entity="crush", movement="undo"),
    *AGAIN[1:],
]


@pytest.mark.parametrize("named", [{}, {"lots": [HERE]}], ids=["all of it", "lots named"])
@pytest.mark.parametrize(
    ("between", "answers"),
    [
        (AGAIN, {"not_held", "outside_movement"}),
        (VOID, {"already_answered"}),
        (ON, {"not_held"}),
        ([back("r1", "v1", "crush", "coop")], {"not_held"}),
    ],
    ids=["sold anew", "void", "signed away", "twice"],
)
def test_a_return_takes_nothing_back_that_its_trade_no_longer_gives(
    store: Store, between: list[Event], answers: set[str], named: Event
) -> None:
    posted(store, [*SOLD, *between])
    again = {**back("r3", "v1", "crush", "coop", **named), "day": "2026-01-13"}
    assert status(store, again) in answers


def test_a_trade_whose_correction_was_taken_back_may_be_returned(store: Store) -> None:
    undone = ev("correct", "undo", "2026-01-08", entity="crush", movement="v1", reason="typed twice")
    redone = ev("correct", "redo", "2026-01-09", entity="coop", movement="undo", reason="it was right")
    posted(store, [*SOLD, undone, redone])
    if (answer := status(store, back("r1", "v1", "crush", "coop"))) != "posted":
        posted(store, [ev("settle", "s", "2026-01-10", entity="coop", movement="redo")])
        answer = status(store, back("r2", "v1", "crush", "coop"))
    assert answer == "posted"
