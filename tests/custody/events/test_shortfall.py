"""Who bears bushels that a report no longer has, where the farm sold to houses whose books are elsewhere too."""

from typing import Any

import pytest

from provender.custody.events.reports import Notice, doubts
from provender.custody.model.entities import Entity
from provender.custody.model.lots import LotState
from provender.custody.model.origins import Slip
from provender.custody.model.store_view import Store
from provender.custody.queries.alerts import alerts
from tests.custody.model.test_external_holdings import BASE, SLIP, line, paper
from tests.custody.queries.test_alerts import FEBRUARY
from tests.custody.world import ADA_SOY, Event, ev, posted, report, run

LATE_SLIP = {**SLIP, "day": "2026-01-06"}
"""The farm signed to the house elsewhere a day after the mill had purchased."""


def version(bushels: str, **more: object) -> Event:
    made = report("ada", "soybeans", bushels, "5000", day="2026-02-01")
    return {**made, "id": "less", "version": 2, **more}


def void(store: Store) -> list[tuple[int, int]]:
    with store.reading() as facts:
        lots = facts.lots_at(ADA_SOY, 0, 10_000_000)
        return [(lot.start, lot.stop) for lot in lots if lot.state is LotState.VOID]


@pytest.mark.parametrize(
    ("slip", "left", "lost_by_mill", "lost_elsewhere"),
    [
        (SLIP, "2000.001", 0, 0),
        (SLIP, "2000", 0, 0),
        (SLIP, "1999.999", 1, 0),
        (SLIP, "999.999", 1_000_000, 1),
        (LATE_SLIP, "2000.001", 0, 0),
        (LATE_SLIP, "2000", 0, 0),
        (LATE_SLIP, "1999.999", 0, 1),
        (LATE_SLIP, "999.999", 1, 1_000_000),
        (None, "2000", 0, 1_000_000),
        (None, "1000", 0, 1_000_000),
        (None, "999.999", 1, 1_000_000),
    ],
)
def test_what_the_farm_signed_away_is_sold_on_the_day_of_its_slip_and_no_longer_unsold(
    store: Store, slip: Event | None, left: str, lost_by_mill: int, lost_elsewhere: int
) -> None:
    posted(store, [*BASE, *([slip] if slip else []), version(left)])
    gone = void(store)
    assert sum(min(stop, 1_000_000) - start for start, stop in gone if start < 1_000_000) == lost_by_mill
    inside = [(max(start, 2_000_000), min(stop, 3_000_000)) for start, stop in gone]
    assert sum(max(0, stop - start) for start, stop in inside) == lost_elsewhere
    with store.reading() as facts:
        told = [one.stop - one.start for one in facts.many(Notice, "east")]
        assert sum(told) == (lost_elsewhere if slip else 0)
        found = facts.one(Slip, "s-east")
        still = sum(stop - start for start, stop in found.open_spans) if found else 0
        assert still == (1_000_000 - lost_elsewhere if slip else 0)


def test_a_slip_that_lost_bushels_can_still_be_purchased_for_the_rest(store: Store) -> None:
    slip = ev("slip", "s-mill", "2026-01-08", giver="ada", taker="mill", origin=ADA_SOY, spans=[["5000", "6000"]])
    buy = ev("purchase", "rest", "2026-02-02", giver="ada", taker="mill", slip="s-mill", site="mill")
    posted(store, [*BASE, slip, version("1600"), buy])
    with store.reading() as facts:
        assert sum(lot.crop_amount for lot in facts.lots_of("mill", "soybeans")) == 1_600_000
        assert [one.stop - one.start for one in facts.many(Notice, "mill")] == [400_000]


def test_a_landowners_free_share_is_unsold_and_bears_after_the_farms(store: Store) -> None:
    share = ev("share", "sh", "2026-01-03", giver="ada", taker="lena", origin=ADA_SOY, bushels="500")
    sold = ev("slip", "s-lena", "2026-01-09", giver="lena", taker="mill", origin=ADA_SOY, bushels="200")
    posted(store, [*BASE, share, sold, version("1350")])
    with store.reading() as facts:
        held: dict[str, int] = {}
        for lot in facts.lots_at(ADA_SOY, 0, 10_000_000):
            if lot.state is LotState.HELD:
                held[lot.owner] = held.get(lot.owner, 0) + lot.crop_amount
        assert held == {"mill": 1_000_000, "lena": 350_000}


def test_what_a_book_cannot_know_is_a_doubt_with_place_cause_and_remedy(store: Store) -> None:
    posted(store, BASE)
    answer = run(store, [version("4000")])[0]
    assert dict(answer.facts) == {"taken_as_unsold": "6,000 bu"}
    assert "no slip here shows otherwise" in answer.message
    with store.reading() as facts:
        (doubt,) = doubts(facts, "mill")
        assert (str(doubt.place), doubt.code, doubt.weight) == ("less, column bushels", "unsold_not_shown", "confirm")
        assert doubt.cause.startswith("6,000 bu missing since 2026-02-01")
        assert "slips to other houses" in doubt.remedy
        assert doubts(facts, "ada") == []
        mill = facts.one(Entity, "mill")
        assert mill is not None
        assert any("taken as unsold" in one.said for one in alerts(facts, mill, FEBRUARY))


@pytest.mark.parametrize("more", [{"bushels": "10000"}, {"bushels": "10001"}, {"spans": [["4000", "10000"]]}])
def test_there_is_no_doubt_where_nothing_was_guessed(store: Store, more: dict[str, Any]) -> None:
    posted(store, BASE)
    answer = run(store, [{**version("4000"), **more}])[0]
    assert (answer.status, answer.facts) == ("posted", ())
    with store.reading() as facts:
        assert doubts(facts, "mill") == []


@pytest.mark.parametrize(
    ("spans", "answer"),
    [
        ([["0", "1000"], ["5000", "10000"]], "posted"),
        ([["0", "1000"], ["5000", "10000.001"]], "span_not_possible"),
        ([["0", "1000"], ["4999.999", "10000"]], "span_not_possible"),
        ([["0", "1000"], ["999.999", "1000"]], "span_not_possible"),
        ([["5", "5"]], "span_not_possible"),
    ],
)
def test_a_wider_book_may_name_the_serials_that_bear_it_but_no_more_than_are_missing(
    store: Store, spans: list[list[str]], answer: str
) -> None:
    posted(store, BASE)
    assert run(store, [version("4000", spans=spans)])[0].status == answer
    if answer == "posted":
        assert sum(stop - start for start, stop in void(store)) == 6_000_000
        assert void(store)[0] == (0, 1_000_000)


def test_serials_named_that_went_into_fuel_are_a_shortfall_of_who_retired_them(store: Store) -> None:
    burn = ev("retire", "burn", "2026-01-20", entity="fuel", crop="soybeans", bushels="400", fuel="rd", batch="B",
              gallons="1")  # fmt: skip
    sold = ev("sale", "v", "2026-01-10", giver="mill", taker="fuel", crop="soybeans", bushels="400")
    proof = ev("statement", "v-mill", "2026-01-02", entity="mill", verifier="v", number="1", start_day="2026-01-01",
               end_day="2026-12-31", crops=["soybeans"], opinion="favourable")  # fmt: skip
    take = ev("accept", "a", "2026-01-11", taker="fuel", movement="v")
    posted(store, [*BASE, proof, sold, take, burn, version("9000", spans=[["100", "600"], ["2000", "2500"]])])
    with store.reading() as facts:
        told = [(one.start, one.stop, one.reason) for one in facts.many(Notice, "fuel")]
        assert told == [(100_000, 400_000, "shortfall")]
    assert void(store) == [(400_000, 600_000), (2_000_000, 2_500_000)]


def test_what_left_the_report_is_told_as_such_when_a_document_still_names_it(store: Store) -> None:
    posted(store, [*BASE, LATE_SLIP, version("1500")])
    answer = run(store, [paper(line("2400", "200"), day="2026-02-02")])[0]
    assert answer.status == "outside_origin"
    assert "void" in answer.message
    assert run(store, [paper(line("2400", "100"), day="2026-02-02")])[0].status == "posted"
