"""Suspicions about the book, each as a case: what ended stays ended, days in any order, closes, bins, yields."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.custody.events.closing import Closing, claims_by_place
from provender.custody.memory_store import MemoryStore
from provender.custody.model.balances import period_balances
from provender.custody.model.entities import Period
from provender.custody.model.event import Refusal
from provender.custody.model.lots import RATE_ONE, product_of
from provender.custody.model.store_view import Store
from provender.custody.queries.columns import faults, legs_of
from tests.custody.first_sale import BUY, SELL, TAKE, base, books, line
from tests.custody.test_properties import START, thousandths
from tests.custody.world import ADA_SOY, BEN_SOY, Event, bought, ev, posted, report, run, status

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
def test_what_went_into_fuel_before_its_report_lost_it_is_not_brought_back(
    store: Store, change: Event | None, answer: str
) -> None:
    posted(store, [*base(), *BUY, SELL, TAKE, *FUEL, *([change] if change else [])])
    assert status(store, UNDO) == answer
    with store.reading() as facts:
        lots = facts.lots_at(ADA_SOY, 0, 10_000_000)
        live = sum(lot.crop_amount for lot in lots if lot.state in ("held", "unverified", "in_transit"))
        assert live <= facts.steps_of(ADA_SOY)[0].after.crop_amount
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


def test_corrections_of_corrections_over_a_close_leave_every_period_whole(store: Store) -> None:
    grain = ev("receipt", "g", "2026-01-05", entity="coop", site="north", form="soybeans", amount="9999", number="G")
    shut = ev("close", "q1", "2026-03-31", entity="coop", closed_on="2026-04-01")
    posted(store, [*base(), *BUY, grain, SELL, shut])
    names, movement = [], "v"
    for number in range(4):
        names.append(f"c{number}")
        undo = ev("correct", names[-1], f"2026-04-0{number + 2}", entity="coop", movement=movement, reason="again")
        posted(store, [undo])
        movement = names[-1]
        with store.reading() as facts:
            first, second = books(facts, "coop")[:2]
            closing = facts.many(Closing, "coop")[0]
            assert [one.bushels for one in closing.endings] == [400_000]
            ending = {one.key.ci: one.ending for one in first.lines}
            assert {one.key.ci: one.beginning for one in second.lines if one.beginning} == ending
            back = number % 2 == 0
            assert line(facts, "coop", 5000, 1).ending == (1_000_000 if back else 400_000)
    assert status(store, {**undo, "id": "late", "movement": movement, "day": "2026-03-31"}) == "period_closed"
    assert status(store, {**undo, "id": "twice", "movement": "c0"}) == "already_answered"


DAYS = st.integers(0, 120)
DATED = st.lists(
    st.tuples(
        st.sampled_from(("sale", "loss", "release", "move", "buy", "correct", "process")), DAYS, st.integers(1, 4)
    ),
    max_size=30,
)


def dated(number: int, kind: str, offset: int, size: int) -> list[Event]:
    day, name = str(date(2026, 1, 5) + timedelta(offset)), f"x{number}"
    beans = {"crop": "soybeans", "bushels": thousandths(size * 77_777)}
    if kind == "buy":
        return bought(name, "ada", "coop", ADA_SOY, thousandths(size * 33_333), day=day, site="north")
    if kind == "sale":
        return [ev("sale", name, day, giver="coop", taker="crush", **beans)]
    if kind == "move":
        return [ev("move", name, day, entity="coop", site="north", to_site="south", **beans)]
    if kind == "correct":
        return [ev("correct", name, day, entity="coop", movement=f"x{max(0, number - size)}", reason="drawn")]
    if kind == "process":
        return [ev("process", name, day, entity="crush", output="soybean_oil", **beans)]
    return [ev(kind, name, day, entity="coop", **beans)]


@given(DATED)
def test_days_in_any_order_never_leave_a_day_short(moves: list[tuple[str, int, int]]) -> None:
    store = MemoryStore()
    posted(store, START)
    run(store, [one for number, move in enumerate(moves) for one in dated(number, *move)])
    assert faults(legs_of(store, store.events())) == []
    for name in ("coop", "crush"):
        periods = store.many(Period, name)
        for balance, period in zip(period_balances(store.steps(name), name, periods), periods, strict=True):
            for one in balance.lines:
                assert min(one.beginning, one.ending, one.total_incoming, one.total_outgoing) >= 0
            for day in (period.start, period.start + timedelta(40), period.end):
                assert min(claims_by_place(store, name, day).values(), default=0) >= 0


@given(st.integers(1, 3 * 10**6), st.integers(1, 13 * RATE_ONE), st.integers(1, RATE_ONE), st.data())
def test_refining_in_any_cuts_gives_no_more_than_the_crop_supports(
    crop: int, first: int, second: int, data: st.DataObject
) -> None:
    store, terms = MemoryStore(), {"start_day": "2026-01-01", "end_day": "2026-03-31", "campaign": "C"}
    plant = {"entity": "crush", "site": "plant"}
    posted(store, START[:-1])
    posted(store, [
        ev("yield", "y1", "2026-01-01", **plant, **terms, made_of="soybeans", output="soybean_oil",
           rate=f"{first // RATE_ONE}.{first % RATE_ONE:06}"),
        ev("yield", "y2", "2026-01-01", **plant, **terms, made_of="soybean_oil", output="refined_soybean_oil",
           rate=f"{second // RATE_ONE}.{second % RATE_ONE:06}"),
    ])  # fmt: skip
    crop = min(crop, 1_500_123)
    for number, cut in enumerate(data.draw(st.lists(st.integers(1, crop), max_size=3))):
        run(store, [ev("process", f"p{number}", "2026-01-09", **plant, crop="soybeans", output="soybean_oil",
                       bushels=thousandths(cut))])  # fmt: skip
    held = sum(lot.product for lot in store.lots_of("crush", "soybeans") if lot.form == "soybean_oil")
    used = sum(lot.crop_amount for lot in store.lots_of("crush", "soybeans") if lot.form == "soybean_oil")
    assert held <= product_of(used, first)
    for number, cut in enumerate(data.draw(st.lists(st.integers(1, max(held, 1)), max_size=4))):
        run(store, [ev("process", f"r{number}", "2026-01-10", **plant, crop="soybeans", form="soybean_oil",
                       output="refined_soybean_oil", pounds=thousandths(cut))])  # fmt: skip
    refined = [lot for lot in store.lots_of("crush", "soybeans") if lot.form == "refined_soybean_oil"]
    assert sum(lot.product for lot in refined) * RATE_ONE <= held * second
    assert all(lot.product * RATE_ONE <= lot.crop_amount * lot.rate for lot in refined)
    assert faults(legs_of(store, store.events())) == []


def test_two_crop_years_in_one_bin_keep_their_equations_and_share_a_loss(store: Store) -> None:
    old = {**report("ben", "soybeans", "500", "5000", year=2024), "id": "old"}
    posted(store, [*base(), old, *BUY, *bought("o", "ben", "coop", "ben/soybeans/2024", "500", day="2026-01-06",
                                               site="north")])  # fmt: skip
    measured = ev("measurement", "m", "2026-01-31", entity="coop", site="north", form="soybeans", amount="1485",
                  number="M")  # fmt: skip
    shrink = ev("loss", "shrink", "2026-01-31", entity="coop", site="north", crop="soybeans", bushels="15", shared=True)
    only = ev("sale", "only", "2026-02-01", giver="coop", taker="crush", crop="soybeans", bushels="500",
              harvest_year=2024)  # fmt: skip
    posted(store, [measured, shrink, only, ev("close", "q", "2026-03-31", entity="coop", closed_on="2026-04-01")])
    with store.reading() as facts:
        found = {one.key.harvest_year: (one.ending, one.total_outgoing) for one in books(facts, "coop")[0].lines}
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
