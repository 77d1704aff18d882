"""The thin slice from farm to refiner, and small decisions that each cost somebody something."""

from datetime import date

import pytest

from provender.custody.model.balances import period_balances
from provender.custody.model.grain import Direction, GrainEntry, stock_on
from provender.custody.model.store_view import Store
from provender.custody.queries.manual import kept_until
from provender.custody.queries.trace import chains_at
from provender.custody.store import MemoryStore
from tests.custody.world import ADA_SOY, CAST, REPORTS, bought, ev, favourable, posted, run

BASE = [*CAST, favourable("coop", "soybeans"), favourable("crush", "soybeans"), *REPORTS]
BUY = bought("b", "ada", "coop", ADA_SOY, "100", day="2026-01-05", site="north")
SELL = ev("sale", "v", "2026-01-10", giver="coop", taker="crush", crop="soybeans", bushels="60")
TAKE = ev("accept", "a", "2026-01-12", taker="crush", movement="v", site="plant")


def grain(number: str, day: str, direction: Direction, amount: int, *, void: bool = False) -> GrainEntry:
    return GrainEntry("coop", "north", "soybeans", number, date.fromisoformat(day), direction, amount, void=void)


def test_a_bushel_goes_from_the_farm_to_the_refiner_and_every_book_balances(store: MemoryStore) -> None:
    on = ev("sale", "s", "2026-02-01", giver="coop", taker="fuel", crop="soybeans", bushels="40.5")
    posted(store, [*CAST, *REPORTS, *BUY, on, ev("accept", "t", "2026-02-03", taker="fuel", movement="s")])
    coop, fuel = (period_balances(store, name)[0].lines[0] for name in ("coop", "fuel"))
    chain = chains_at(store, ADA_SOY, 0, 1)[0]
    assert (coop.beginning, dict(coop.incoming), dict(coop.outgoing)) == (0, {"purchased": 100_000}, {"sold": 40_500})
    assert (coop.ending, fuel.ending, fuel.unverified) == (59_500, 40_500, 40_500)
    assert [(link.giver, link.taker, link.type) for link in chain.links] == [
        ("", "ada", "report"), ("ada", "coop", "purchase"), ("coop", "fuel", "sale"), ("fuel", "fuel", "accept"),
    ]  # fmt: skip


def test_the_claims_share_of_a_loss_is_rounded_up(store: MemoryStore) -> None:
    plain = ev("receipt", "g", "2026-01-05", entity="coop", site="north", form="soybeans", amount="200", number="G")
    loss = ev("loss", "l", "2026-01-06", entity="coop", site="north", crop="soybeans", bushels="0.01", shared=True)
    posted(store, [*BASE, *BUY, plain, loss])
    assert dict(period_balances(store, "coop")[0].lines[0].outgoing) == {"lost": 4}


def test_stock_is_the_last_measurement_of_a_day_and_what_moved_later() -> None:
    entries = [grain("M1", "2026-01-05", Direction.MEASURED, 5), grain("M2", "2026-01-05", Direction.MEASURED, 7)]
    assert stock_on(entries, date(2026, 1, 5)) == 7
    assert kept_until(date(2028, 2, 29)) == date(2033, 2, 28)
    entries = [
        grain("T1", "2026-01-01", Direction.IN, 100),
        grain("M1", "2026-01-02", Direction.MEASURED, 90),
        grain("T2", "2026-01-02", Direction.IN, 50),
        grain("T3", "2026-01-03", Direction.IN, 30),
        grain("T4", "2026-01-04", Direction.OUT, 20),
        grain("T5", "2026-01-04", Direction.OUT, 999, void=True),
    ]
    assert [stock_on(entries, date(2026, 1, day)) for day in (1, 2, 3, 4)] == [100, 90, 120, 100]
    assert stock_on(entries, date(2025, 12, 31)) is None
    assert stock_on(entries, entries[1].day, without=entries[1].number) == 150


def test_a_buyer_with_stock_needs_an_open_period_to_give_back_and_one_with_none_does_not(store: Store) -> None:
    posted(store, [*BASE, *BUY, SELL])
    back = ev("return", "r", "2026-07-01", giver="crush", taker="coop", movement="v", amount="10", site="north")
    more = {"start_day": "2026-07-01", "end_day": "2026-09-30", "policy": "named"}
    posted(store, [ev("period", "p", "2026-06-01", entity="coop", **more), back])
    posted(store, [{**TAKE, "day": "2026-01-12"}])
    assert run(store, [{**back, "id": "r2"}])[0].status == "period_not_declared"


def test_part_of_a_sale_may_come_back_before_it_is_accepted(store: MemoryStore) -> None:
    back = ev("return", "r", "2026-01-11", giver="crush", taker="coop", movement="v", amount="10", site="north")
    posted(store, [*BASE, *BUY, SELL, back, TAKE])
    assert sum(lot.amount for lot in store.lots_of("coop", "soybeans")) == 50_000
    assert sum(lot.amount for lot in store.lots_of("crush", "soybeans")) == 50_000


def test_a_chain_leaves_out_movements_that_only_cut_what_stayed(store: MemoryStore) -> None:
    posted(store, [*BASE, *BUY, SELL])
    chain = chains_at(store, ADA_SOY, 90_000, 90_001)[0]
    assert [link.movement for link in chain.links] == ["report-ada-soybeans-2025", "b"]


def test_a_close_counts_a_sale_dated_back_though_a_later_days_sale_had_split_its_lot(store: Store) -> None:
    next_quarter = {**SELL, "id": "late", "bushels": "60", "day": "2026-04-02"}
    dated_back = {**SELL, "id": "early", "bushels": "30", "day": "2026-03-20"}
    stock = ev("measurement", "m", "2026-03-31", entity="coop", site="north", form="soybeans", amount="70", number="M")
    close = ev("close", "c", "2026-03-31", entity="coop", closed_on="2026-04-03", surplus="refused")
    posted(store, [*BASE, *BUY, next_quarter, dated_back, stock, close])


@pytest.mark.parametrize("kind", ["return", "reject"])
def test_what_was_sold_out_of_a_rented_tank_comes_back_to_the_sellers_own_site(kind: str, store: MemoryStore) -> None:
    kept = {"lots": [{"origin": ADA_SOY, "start": "0", "stop": "100"}]}
    rent = ev("storage", "s", "2026-01-06", owner="coop", custodian="tank", **kept)
    back = ev(kind, "r", "2026-01-11", movement="v", site="south")
    parties = {"return": {"giver": "crush", "taker": "coop"}, "reject": {"giver": "coop", "taker": "crush"}}
    posted(store, [*BASE, *BUY, rent, SELL, {**back, **parties[kind]}])
    places = {(lot.custodian, lot.site, lot.crop_amount) for lot in store.lots_of("coop", "soybeans")}
    assert places == {("coop", "south", 60_000), ("tank", "tank", 40_000)}
