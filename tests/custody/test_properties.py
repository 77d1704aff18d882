"""What holds for every amount and every order of events, and suspicions about the book, each as a case."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.custody.events.allocation import shares
from provender.custody.events.closing import Closing
from provender.custody.memory_store import MemoryStore
from provender.custody.model.balances import period_balances
from provender.custody.model.entities import Period
from provender.custody.model.event import Refusal
from provender.custody.model.lots import (
    RATE_ONE,
    Lot,
    LotState,
    Piece,
    chained,
    crop_for,
    cut,
    joined,
    length,
    part,
    product_of,
    rests,
)
from provender.custody.model.store_view import Store
from tests.custody.first_sale import BUY, SELL, TAKE, base, books, line
from tests.custody.world import (
    ADA_SOY,
    BEN_SOY,
    CAST,
    REPORTS,
    Event,
    bought,
    ev,
    favourable,
    posted,
    report,
    run,
    status,
)

RATES = st.integers(1, 60 * RATE_ONE)
CROPS = st.integers(1, 10**9)


def oil_lot(crop: int, rate: int, start: int = 0) -> Lot:
    day = date(2026, 1, 5)
    title: dict[str, Any] = {
        "owner": "coop", "custodian": "coop", "site": "north", "supplier": "ada", "batch": "b", "by": "m",
    }  # fmt: skip
    days: dict[str, Any] = {"since": day, "acquired": day, "titled": day}
    head: dict[str, Any] = {
        "id": "m/1", "parent": "p/1", "origin": "o", "crop": "soybeans", "harvest_year": 2025, "ci": 1,
    }  # fmt: skip
    span: dict[str, Any] = {"start": start, "stop": start + crop, "product": product_of(crop, rate), "rate": rate}
    return Lot(**head, **span, **title, **days, form="soybean_oil", state=LotState.HELD)


@given(CROPS, RATES)
def test_product_and_back_never_gives_more_crop_claims_than_there_were(crop: int, rate: int) -> None:
    product = product_of(crop, rate)
    assert product * RATE_ONE <= crop * rate
    assert crop_for(product, rate) <= crop
    assert product_of(crop_for(product, rate), rate) >= product


@given(CROPS, RATES, st.integers(1, RATE_ONE))
def test_a_chained_yield_never_gives_more_than_its_two_steps(crop: int, first: int, second: int) -> None:
    assert product_of(crop, chained(first, second)) <= product_of(crop, first) * second // RATE_ONE + 1
    assert chained(first, second) * RATE_ONE <= first * second


@given(st.integers(10**3, 10**8), RATES, st.lists(st.integers(1, 100), max_size=5))
def test_sales_of_a_product_lot_never_exceed_their_crop(crop: int, rate: int, percents: list[int]) -> None:
    lot = oil_lot(crop, rate)
    sold = used = 0
    for number, percent in enumerate(percents):
        wanted = lot.product * percent // 100
        if not wanted:
            break
        piece = cut(lot, wanted)
        assert piece.product * RATE_ONE <= piece.crop_amount * rate
        sold, used = sold + piece.product, used + piece.crop_amount
        left = rests([piece])
        assert sum(one.product for one in left) <= lot.product - piece.product
        assert all(one.product * RATE_ONE <= one.crop_amount * rate for one in left)
        assert piece.crop_amount + sum(one.crop_amount for one in left) == lot.crop_amount
        if not left or not left[0].product:
            break
        rest = left[0]
        lot = oil_lot(rest.crop_amount, rate, rest.start)
        assert lot.id == f"m/{1}", number
    assert sold * RATE_ONE <= used * rate


@given(st.integers(2, 10**6), RATES, st.data())
def test_pieces_and_rests_tile_their_lot(crop: int, rate: int, data: st.DataObject) -> None:
    lot = oil_lot(crop, rate, 77)
    edges = sorted(data.draw(st.sets(st.integers(lot.start, lot.stop), min_size=2, max_size=6)))
    pieces = [part(lot, low, high) for low, high in zip(edges[::2], edges[1::2], strict=False)]
    everything = [*pieces, *rests(pieces)]
    assert joined((one.start, one.stop) for one in everything) == [(lot.start, lot.stop)]
    assert length((one.start, one.stop) for one in everything) == lot.crop_amount
    assert sum(one.product for one in everything) <= lot.product


@given(st.dictionaries(st.integers(0, 20), st.integers(1, 10**9), min_size=1), st.data())
def test_proportional_shares_add_up_and_none_exceeds_its_stock(weights: dict[int, int], data: st.DataObject) -> None:
    wanted = data.draw(st.integers(1, sum(weights.values())))
    split = shares(weights, wanted)
    assert sum(split.values()) == wanted
    assert all(0 <= split[key] <= weight for key, weight in weights.items())


START: list[Event] = [
    *CAST,
    favourable("coop", "soybeans"),
    favourable("crush", "soybeans"),
    *REPORTS,
    *bought("b1", "ada", "coop", ADA_SOY, "2000.001", day="2026-01-05", site="north"),
    *bought("b2", "ben", "coop", BEN_SOY, "999.999", day="2026-01-06", site="north"),
    *bought("b3", "ada", "coop", ADA_SOY, "333.333", day="2026-01-07", site="north"),
    ev("sale", "first", "2026-01-08", giver="coop", taker="crush", crop="soybeans", bushels="1500.123"),
    ev("accept", "first-in", "2026-01-08", taker="crush", movement="first", site="plant"),
    ev(
        "yield", "y", "2026-01-01", entity="crush", site="plant", made_of="soybeans", output="soybean_oil",
        campaign="C", rate="11.069317", start_day="2026-01-01", end_day="2026-03-31",
    ),
]  # fmt: skip


def test_movements_written_at_once_whose_steps_lie_among_each_other_balance_as_one_after_the_other() -> None:
    """A database numbers lots as they come: of two movements of a day written at once, they may alternate."""
    store = MemoryStore()
    posted(store, START)
    for number in (1, 2, 3):
        beans = {"giver": "coop", "taker": "crush", "crop": "soybeans", "bushels": str(100 * number)}
        posted(store, [ev("sale", f"at-once-{number}", "2026-01-09", **beans)])
    steps = store.steps("coop")
    alternating = sorted(steps, key=lambda step: (step.day, step.after.id.rpartition("/")[2]))
    assert [step.movement for step in alternating] != [step.movement for step in steps]
    periods = store.many(Period, "coop")
    assert period_balances(alternating, "coop", periods) == period_balances(steps, "coop", periods)


def test_a_piece_counts_in_the_unit_of_its_form() -> None:
    lot = oil_lot(1000, 11_070_000)
    assert (Piece(lot, 0, 1000, lot.product).amount, Piece(lot, 0, 1000, 0).crop_amount) == (11_070, 1000)


# Suspicions about the book, each as a case: what ended stays ended, days in any order, closes, bins, yields.

FUEL = [
    ev("sale", "v2", "2026-01-13", giver="crush", taker="fuel", crop="soybeans", bushels="600"),
    ev("accept", "a2", "2026-01-14", taker="fuel", movement="v2"),
    ev("retire", "burn", "2026-01-15", entity="fuel", crop="soybeans", bushels="600", fuel="rd", batch="B",
       gallons="1"),
]  # fmt: skip
UNDO = ev("correct", "undo", "2026-02-10", entity="fuel", movement="burn", reason="another batch")
WITHDRAWN = ev("withdraw", "gone", "2026-02-01", origin=ADA_SOY)


def shrunk(bushels: str) -> Event:
    return {**report("ada", "soybeans", bushels, "5000", day="2026-02-01"), "id": "less", "version": 2}


@pytest.mark.parametrize(
    ("change", "answer"),
    [
        (None, "posted"),
        (WITHDRAWN, "report_withdrawn"),
        (ev("suspend", "rest", "2026-02-01", origin=ADA_SOY), "posted"),
        (shrunk("600.001"), "posted"),
        (shrunk("600"), "posted"),
        (shrunk("599.999"), "report_withdrawn"),
    ],
)
def test_what_went_into_fuel_before_is_not_brought_back(store: MemoryStore, change: Event | None, answer: str) -> None:
    posted(store, [*base(), *BUY, SELL, TAKE, *FUEL, *([change] if change else [])])
    assert status(store, UNDO) == answer
    lots = store.lots_at(ADA_SOY, 0, 10_000_000)
    live = sum(lot.crop_amount for lot in lots if lot.state in ("held", "unverified", "in_transit"))
    assert live <= store.steps_of(ADA_SOY)[0].after.crop_amount
    on = ev("sale", "on", "2026-02-11", giver="fuel", taker="mill", crop="soybeans", bushels="1")
    sold = status(store, on)
    suspended = change is not None and change["type"] == "suspend"
    assert sold == ("exceeds_stock" if answer != "posted" else "report_suspended" if suspended else "posted")


@pytest.mark.parametrize(("bushels", "answer"), [("1000", "posted"), ("999.999", "report_withdrawn")])
def test_a_loss_is_not_taken_back_beyond_what_the_report_still_has(store: Store, bushels: str, answer: str) -> None:
    lost = ev("loss", "fire", "2026-01-20", entity="coop", crop="soybeans", bushels="400")
    found = ev("correct", "found", "2026-02-10", entity="coop", movement="fire", reason="it was there")
    posted(store, [*base(), *BUY, SELL, TAKE, *FUEL, lost, shrunk(bushels)])
    assert status(store, found) == answer


def test_a_notice_that_came_after_the_fuel_keeps_it_ended(store: Store) -> None:
    paper = ev("document", "d", "2026-01-10", giver="coop", taker="fuel", number="d", lines=[
        {"crop": "soybeans", "harvest_year": 2025, "ci": "5000", "form": "soybeans", "origin": "blind",
         "start": "0", "bushels": "600"}])  # fmt: skip
    told = ev("notice", "n", "2026-02-01", giver="coop", taker="fuel", number="1", origin="blind",
              reason="fewer_bushels", spans=[["500", "600"]])  # fmt: skip
    posted(store, [*base(), paper, ev("accept", "in", "2026-01-11", taker="fuel", movement="d"), FUEL[2], told])
    assert status(store, UNDO) == "report_withdrawn"


def test_corrections_of_corrections_over_a_close_leave_every_period_whole(store: MemoryStore) -> None:
    grain = ev("receipt", "g", "2026-01-05", entity="coop", site="north", form="soybeans", amount="9999", number="G")
    shut = ev("close", "q1", "2026-03-31", entity="coop", closed_on="2026-04-01")
    posted(store, [*base(), *BUY, grain, SELL, shut])
    names, movement = [], "v"
    for number in range(4):
        names.append(f"c{number}")
        undo = ev("correct", names[-1], f"2026-04-0{number + 2}", entity="coop", movement=movement, reason="again")
        posted(store, [undo])
        movement = names[-1]
        first, second = books(store, "coop")[:2]
        closing = store.many(Closing, "coop")[0]
        assert [one.bushels for one in closing.endings] == [400_000]
        ending = {one.key.ci: one.ending for one in first.lines}
        assert {one.key.ci: one.beginning for one in second.lines if one.beginning} == ending
        back = number % 2 == 0
        assert line(store, "coop", 5000, 1).ending == (1_000_000 if back else 400_000)
    assert status(store, {**undo, "id": "late", "movement": movement, "day": "2026-03-31"}) == "period_closed"
    assert status(store, {**undo, "id": "twice", "movement": "c0"}) == "already_answered"


def test_two_crop_years_in_one_bin_keep_their_equations_and_share_a_loss(store: MemoryStore) -> None:
    old = {**report("ben", "soybeans", "500", "5000", year=2024), "id": "old"}
    posted(store, [*base(), old, *BUY, *bought("o", "ben", "coop", "ben/soybeans/2024", "500", day="2026-01-06",
                                               site="north")])  # fmt: skip
    measured = ev("measurement", "m", "2026-01-31", entity="coop", site="north", form="soybeans", amount="1485",
                  number="M")  # fmt: skip
    shrink = ev("loss", "shrink", "2026-01-31", entity="coop", site="north", crop="soybeans", bushels="15", shared=True)
    only = ev("sale", "only", "2026-02-01", giver="coop", taker="crush", crop="soybeans", bushels="500",
              harvest_year=2024)  # fmt: skip
    posted(store, [measured, shrink, only, ev("close", "q", "2026-03-31", entity="coop", closed_on="2026-04-01")])
    found = {one.key.harvest_year: (one.ending, one.total_outgoing) for one in books(store, "coop")[0].lines}
    assert found == {2025: (985_000, 15_000), 2024: (0, 500_000)}


BURN = {"entity": "fuel", "crop": "soybeans", "fuel": "rd", "batch": "B", "gallons": "1"}
FIRST_BUSHEL = {"origin": ADA_SOY, "start": "0", "stop": "1"}


@pytest.mark.parametrize(
    ("kind", "fields", "answer"),
    [
        ("retire", {**BURN, "bushels": "10"}, "posted"),
        ("retire", {**BURN, "bushels": "10.001"}, "report_suspended"),
        ("retire", {**BURN, "lots": [FIRST_BUSHEL]}, "report_suspended"),
        ("release", {"entity": "fuel", "crop": "soybeans", "lots": [FIRST_BUSHEL]}, "report_suspended"),
        ("return", {"giver": "fuel", "taker": "crush", "movement": "v2", "amount": "1"}, "report_suspended"),
        ("slip", {"giver": "ada", "taker": "coop", "origin": ADA_SOY, "bushels": "1"}, "report_suspended"),
    ],
)
def test_nothing_of_a_suspended_report_is_retired_and_what_is_not_of_it_may_be(
    store: Store, kind: str, fields: dict[str, Any], answer: str
) -> None:
    other = [
        *bought("ob", "ben", "coop", BEN_SOY, "10", day="2026-01-05", site="north"),
        ev("sale", "os", "2026-01-06", giver="coop", taker="fuel", crop="soybeans",
           lots=[{"origin": BEN_SOY, "start": "0", "stop": "10"}]),
        ev("accept", "oa", "2026-01-07", taker="fuel", movement="os"),
    ]  # fmt: skip
    rest = ev("suspend", "rest", "2026-01-20", origin=ADA_SOY)
    posted(store, [*base(), *BUY, SELL, TAKE, *FUEL[:2], *other, rest])
    assert status(store, ev(kind, "x", "2026-01-21", **fields)) == answer


@pytest.mark.parametrize("name", ["Mu\u0308hle", " M\u00fchle "])
def test_a_name_written_in_other_characters_is_the_same_farm_and_has_one_origin(store: Store, name: str) -> None:
    farm = ev("entity", "f", "2025-11-01", entity="M\u00fchle", name="M\u00fchle", roles=["farm"])
    first = report("M\u00fchle", "corn", "100", "5000")
    posted(store, [farm, first])
    assert status(store, {**report(name, "corn", "100", "5000"), "id": "again"}) == "second_origin"


@pytest.mark.parametrize("name", ["co\u200bop", "ada\u202e", "a\tb"])
def test_a_name_with_characters_that_hide_is_no_name(store: Store, name: str) -> None:
    with pytest.raises(Refusal) as refused:
        run(store, [ev("entity", "f", "2025-11-01", entity=name, name="x", roles=["farm"])])
    assert refused.value.status == "field_unreadable"
