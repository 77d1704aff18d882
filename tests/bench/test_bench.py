"""What is measured is sound: books alike in other programs, budgets by reference, events of trade all posted."""

import json
from collections import Counter

import polars as pl
import pytest

from bench.__main__ import UNSTEADY, exit_status
from bench.custody import legs
from bench.ledgers import balances_of, compare, given_twice, ledgers
from bench.measure import MISSED, NOT_JUDGED, OK, PROCESSOR, Measure, judged
from bench.posting import sound
from bench.selling import INTENSITIES, OPENING, SELLERS, opening_events, sales
from bench.trade import buy_and_sell, stored_then_sold
from provender.custody.events.registry import post, read_posted
from provender.custody.model.event import Status
from provender.custody.model.lots import Lot
from provender.custody.queries.columns import Legs, faults
from provender.custody.store import MemoryStore, run_lines


def _book(frame: pl.DataFrame) -> Legs:
    return Legs(frame, (), (), tuple(f"o{number}" for number in range(frame.height)))


def test_a_house_that_sells_as_it_buys_has_nothing_refused_and_balances_are_what_was_given() -> None:
    assert balances_of(legs(30)) == {"P9": 10_000, "P10": 10_000, "P11": 10_000}
    assert faults(_book(legs(30))) == []
    assert faults(_book(given_twice(legs(30)))) != []
    lots = _lots(40)
    assert sound(lots)
    assert not sound(lots[1:])
    assert not sound([*lots, lots[0]])
    events, store = list(stored_then_sold(SALES)), MemoryStore()
    answers = list(run_lines(store, map(json.dumps, events)))
    assert {one.status for one in answers} == {Status.POSTED}
    kinds = Counter(str(event["type"]) for event in events)
    assert (kinds["sale"], kinds["report"], kinds["purchase"]) == (SALES, FARMS, FARMS * LOADS)
    left = sum(lot.amount for lot in store.lots_of("coop", "corn"))
    assert 0 < left < FARMS * 5_000_000
    answers = list(run_lines(MemoryStore(), map(json.dumps, buy_and_sell("coop", 200))))
    assert {one.status for one in answers} == {Status.POSTED}


@pytest.mark.slow
def test_each_program_agrees_and_refuses_the_second_sale() -> None:
    found = {row.name: row for row in compare(legs(50), 0.001)}
    for one in ledgers():
        assert one.command is not None, f"{one.name} is not installed: `make extras`"
        assert found[f"{one.name}: balances are ours, a lot given twice is refused"].verdict == OK


def test_a_program_that_is_not_installed_is_named_and_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    rows = compare(legs(50), 0.001)
    assert all(row.verdict == OK for row in rows)
    assert Measure("hledger, a subaccount a lot and assertions: not installed", 0.0, "") in rows


def _lots(sold: int) -> list[Lot]:
    store = MemoryStore()
    events = [*opening_events(), *sales(SELLERS[0], 0, sold)]
    assert all(post(store, read_posted(event)).status.well for event in events)
    openings = [f"o-{name}-{number}" for name in SELLERS for number in range(INTENSITIES)]
    origins = [lot.origin for one in openings for lot in store.lots_by(one)]
    return [lot for origin in origins for lot in store.lots_at(origin, 0, OPENING * 1000)]


def _row(before: float, after: float, unit: str = "s", value: float = 6.0) -> Measure:
    return judged(Measure("x", value, unit, 3.0, of=PROCESSOR, before=before, after=after))


def test_a_multiple_counts_against_the_mean_of_both_references() -> None:
    assert _row(2.0, 2.0).verdict == _row(1.9, 2.1).verdict == OK
    assert _row(1.9, 2.09).verdict == MISSED
    assert _row(2.0, 2.0, "ms of CPU", 6_000.0).verdict == OK
    assert _row(2.0, 2.0, "ms of CPU", 6_001.0).verdict == MISSED


@pytest.mark.parametrize(
    ("verdicts", "status"), [((OK, OK), 0), ((OK, NOT_JUDGED), UNSTEADY), ((NOT_JUDGED, MISSED), 1), ((), 0)]
)
def test_a_run_that_judges_nothing_has_an_exit_status_of_its_own(verdicts: tuple[str, ...], status: int) -> None:
    assert exit_status([Measure("x", 1.0, "s", 1.0, verdict) for verdict in verdicts]) == status


SALES = 750
FARMS = 3
LOADS = 10
