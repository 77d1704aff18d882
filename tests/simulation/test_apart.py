"""A few seasons in books of their own in every test run; ``python -m tests.simulation --apart 200`` plays many."""

import pytest

from provender.custody.events.registry import post, read_event
from provender.custody.model.event import Status
from provender.exact import show
from tests.simulation.apart_season import played

MORE = [9, 15, 30, 20261152, 20261168, 20261182, 20261199, 20261214, 20261306]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in MORE)])
def test_own_books_with_papers_between_them_come_to_what_a_shared_book_says(seed: int) -> None:
    books = played(seed)
    assert list(books.differences()) == []
    assert list(books.false_alarms()) == []
    assert len(books.trades) > 12
    assert books.posted > 250


def test_a_release_that_only_one_book_has_is_a_difference() -> None:
    books = played(0, 60)
    assert list(books.differences()) == []
    lot = next(lot for lot in books.own["east"].lots_of("east", "soybeans") if lot.form == "soybeans")
    only = {"type": "release", "id": "only", "day": lot.since.isoformat(), "entity": "east", "crop": "soybeans"}
    spans = [{"origin": lot.origin, "start": show(lot.start), "stop": show(lot.start + 1)}]
    assert post(books.own["east"], read_event({**only, "lots": spans})).status is Status.POSTED
    assert any(one.startswith("east: the stock") for one in books.differences())
