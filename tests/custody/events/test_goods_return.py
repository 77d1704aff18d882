"""A return takes back what its purchase or sale gave, and nothing that came by another since."""

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
