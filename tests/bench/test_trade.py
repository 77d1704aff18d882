"""What the benchmark of trade feeds through: books whose every event is posted, or its seconds would mean nothing."""

import json
from collections import Counter

import pytest

from bench.trade import buy_and_sell, stored_then_sold
from provender.custody.memory_store import MemoryStore
from provender.custody.model.event import Status
from provender.custody.store import run_lines

SALES = 750
FARMS = 3
LOADS = 10


def test_a_stored_harvest_is_sold_in_small_sales_and_nothing_is_refused() -> None:
    events, store = list(stored_then_sold(SALES)), MemoryStore()
    answers = list(run_lines(store, map(json.dumps, events)))
    assert {one.status for one in answers} == {Status.POSTED}
    kinds = Counter(str(event["type"]) for event in events)
    assert (kinds["sale"], kinds["report"], kinds["purchase"]) == (SALES, FARMS, FARMS * LOADS)
    left = sum(lot.amount for lot in store.lots_of("coop", "corn"))
    assert 0 < left < FARMS * 5_000_000


@pytest.mark.parametrize("count", [100, 1_000])
def test_a_house_that_sells_as_it_buys_has_nothing_refused(count: int) -> None:
    answers = list(run_lines(MemoryStore(), map(json.dumps, buy_and_sell("coop", count))))
    assert {one.status for one in answers} == {Status.POSTED}
