"""The columnar checks agree with the object model, and find what is broken on purpose."""

from dataclasses import replace

import polars as pl
import pytest

from provender.audit.package.custody_section import EntityBook
from provender.audit.recompute.custody_books import in_columns
from provender.custody.model.balances import period_balances
from provender.custody.model.entities import Period
from provender.custody.queries.columns import (
    PERIODS,
    FaultKind,
    Legs,
    column_balances,
    differing_lines,
    faults,
    legs_of,
)
from provender.custody.store import MemoryStore, run_lines
from tests.custody.model.test_event import EXAMPLES
from tests.simulation.cast import BOOKS
from tests.simulation.season import season

# What the module shares is costly: one worker makes it.
pytestmark = pytest.mark.xdist_group("columns")


def book(store: MemoryStore) -> Legs:
    return legs_of(store, store.events())


@pytest.fixture(scope="module")
def played() -> MemoryStore:
    store = MemoryStore()
    assert season(store, 7, 300).differences == []
    return store


@pytest.fixture(scope="module")
def legs(played: MemoryStore) -> Legs:
    return book(played)


def test_a_sound_book_and_the_shipped_examples_have_no_fault(legs: Legs, store: MemoryStore) -> None:
    assert faults(legs) == []
    list(run_lines(store, EXAMPLES))
    assert faults(book(store)) == []


def test_column_balances_are_those_of_the_object_model(played: MemoryStore, legs: Legs) -> None:
    periods = [
        (legs.parties.index(name), period.start, period.end)
        for name in BOOKS
        if name in legs.parties
        for period in played.many(Period, name)
    ]
    table = column_balances(legs.frame, pl.DataFrame(periods, schema=dict(PERIODS), orient="row"))
    columns = {
        (legs.parties[row["owner"]], row["start"], legs.keys[row["key"]]): tuple(
            row[name] for name in ("beginning", "incoming", "outgoing", "ending")
        )
        for row in table.iter_rows(named=True)
    }
    objects = {
        (name, balance.start, line.key): (line.beginning, line.total_incoming, line.total_outgoing, line.ending)
        for name in BOOKS
        for balance in period_balances(played, name)
        for line in balance.lines
    }
    assert columns == objects
    assert (table["ending"] >= 0).all()


BREAKS = {
    FaultKind.EMPTY_LOT: pl.col("start").alias("stop"),
    FaultKind.NO_PARENT: pl.lit(10**9, dtype=pl.Int64).alias("parent"),
    FaultKind.OTHER_GIVER: (pl.col("giver") + 1).alias("giver"),
    FaultKind.CUT_TWICE: (pl.col("movement") + 1).alias("movement"),
    FaultKind.BEFORE_PARENT: pl.col("day").dt.offset_by("-9y").alias("day"),
    FaultKind.OVERLAP: (pl.col("start") - 1).alias("start"),
    FaultKind.NOT_TILED: (pl.col("stop") - 1).alias("stop"),
}


@pytest.mark.parametrize("kind", BREAKS, ids=str)
def test_each_fault_is_found_when_one_row_is_falsified(kind: FaultKind, legs: Legs) -> None:
    parts = legs.frame.filter(pl.len().over("parent") > 1, pl.col("parent").is_not_null())
    last = parts.filter(pl.col("start") == pl.col("start").max().over("parent"))
    victim = last["lot"][len(last) // 2]
    broken = legs.frame.with_columns(
        pl.when(pl.col("lot") == victim)
        .then(BREAKS[kind])
        .otherwise(pl.col(BREAKS[kind].meta.output_name()))
        .alias(BREAKS[kind].meta.output_name())
    )
    assert kind in {fault.kind for fault in faults(Legs(broken, legs.parties, legs.keys, legs.origins))}


def test_a_double_sale_of_the_same_serials_is_an_overlap(legs: Legs) -> None:
    again = legs.frame.filter(pl.col("parent").is_not_null()).head(1)
    twice = pl.concat([legs.frame, again.with_columns(pl.col("lot") + 10**6, pl.col("movement") + 10**6)])
    kinds = {fault.kind for fault in faults(Legs(twice, legs.parties, legs.keys, legs.origins))}
    assert {FaultKind.CUT_TWICE, FaultKind.OVERLAP} <= kinds


def test_balances_are_the_sums_of_their_columns_and_another_is_named(played: MemoryStore, legs: Legs) -> None:
    assert sum(len(period_balances(played, name)) for name in BOOKS) > 0
    assert all(differing_lines(legs, name, period_balances(played, name)) == [] for name in BOOKS)
    assert differing_lines(legs, "nobody", []) == []
    name = next(one for one in BOOKS if any(balance.lines for balance in period_balances(played, one)))
    balances = period_balances(played, name)
    line = next(line for balance in balances for line in balance.lines)
    line.incoming["purchased"] += 1_000
    (first, *_) = differing_lines(legs, name, balances)
    assert first.key == line.key
    assert first.claimed - first.summed == 1_000


def test_verify_reads_a_book_in_columns_and_names_a_lot_that_two_movements_ended() -> None:
    store = MemoryStore()
    assert season(store, 7, 120).differences == []
    found = {name: EntityBook(name, "", store) for name in BOOKS}
    assert [line for one in found.values() for line in in_columns(one)] == []
    twice = next(
        movement
        for movement in reversed(store.events())
        if any(lot.parent and lot.owner in BOOKS for lot in store.lots_by(movement.event.id))
    )
    opened = store._opened[twice.event.id]
    again = tuple(replace(lot, id=f"{lot.id}-again") for lot in opened)
    store._opened[twice.event.id] = (*opened, *again)
    codes = {line.code for one in found.values() for line in in_columns(one)}
    assert {"lots_overlap", "lots_not_tiled"} <= codes
