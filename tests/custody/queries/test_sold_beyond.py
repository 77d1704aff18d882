"""A ticket out silences the sale that it may be of, and no other: not another's grain, buyer, crop, day or trade."""

from datetime import date
from typing import Any

import pytest

from provender.custody.memory_store import MemoryStore
from provender.custody.model.entities import Entity
from provender.custody.queries.alerts import Alert, AlertKind, alerts
from provender.custody.queries.day_sheet import day_sheet
from tests.custody.first_sale import base
from tests.custody.world import ADA_CORN, ADA_SOY, Event, bought, ev, posted, status

FEBRUARY = date(2026, 2, 1)
BUY = bought("b1", "ada", "coop", ADA_SOY, "1000", day="2026-01-05", site="north")
BY_TICKET: dict[str, Any] = {"tickets": [{"number": "S", "bushels": "100"}]}
CORN = bought("b2", "ada", "coop", ADA_CORN, "1000", day="2026-01-05", site="north")


def sold(name: str, bushels: str = "100", day: str = "2026-01-20", **more: object) -> Event:
    fields = {"giver": "coop", "taker": "crush", "crop": "soybeans", "site": "north", "bushels": bushels}
    return ev("sale", name, day, **{**fields, **more})


def out(number: str = "OUT", amount: str = "100", day: str = "2026-01-20", **more: object) -> Event:
    fields = {"entity": "coop", "site": "north", "form": "soybeans", "amount": amount, "number": number}
    return ev("shipment", f"t-{number}", day, **{**fields, **more})


def found(*events: Event) -> list[Alert]:
    store = MemoryStore()
    posted(store, base(*BUY, *events))
    entity = store.one(Entity, "coop")
    assert entity is not None
    return alerts(store, entity, FEBRUARY)


def beyond(*events: Event) -> list[tuple[str, int]]:
    told = [one for one in found(*events) if one.kind is AlertKind.CLAIMS_SOLD_BEYOND_SHIPMENTS]
    return [(one.event, one.bushels // 1000) for one in told]


@pytest.mark.parametrize(
    ("more", "left"),
    [
        ([out()], 0),
        ([out(amount="250")], 0),
        ([out(name="Crush")], 0),
        ([out(name="Coop (field North forty)")], 0),
        ([out(name="Ben")], 100),
        ([out(name="Mill")], 100),
        ([out(day="2025-12-31")], 100),
        ([out(day="2026-03-31")], 0),
        ([out(day="2026-04-01")], 100),
        ([out(amount="60"), out("O2", "40")], 0),
        ([out(amount="60"), out("O2", "30")], 10),
        ([out(), {**out(), "id": "void", "void": True}], 100),
        ([*CORN, out(form="corn"), out("O2", "1")], 99),
        ([out(), ev("receipt", "m/in", "2026-01-20", entity="coop", site="south", form="soybeans", amount="100",
                    number="IN")], 0),
    ],
    ids=["its own", "more than it", "the buyer's name", "the house's name", "another's grain", "another buyer",
         "before the period", "the last day of the period", "after the period", "two loads", "two that are less",
         "void", "another crop", "no move"],
)  # fmt: skip
def test_a_ticket_counts_as_far_as_party_crop_and_day_let_it(more: list[Event], left: int) -> None:
    assert beyond(sold("s"), *more) == ([("s", left)] if left else [])


def test_what_moved_to_an_own_site_is_no_sales() -> None:
    move = {**out("M"), "id": "m/out"}
    came = {**out("M"), "type": "receipt", "id": "m/in", "site": "south"}
    assert beyond(sold("s"), move, came) == [("s", 100)]


@pytest.mark.parametrize(
    ("other", "left"),
    [
        (sold("o", taker="mill", tickets=[{"number": "O", "bushels": "300"}]), 100),
        (sold("o", "50", taker="mill"), 50),
    ],
    ids=["named by another sale", "one load, two buyers"],
)
def test_a_ticket_of_another_sale_is_not_set_off(other: Event, left: int) -> None:
    loose = [] if "tickets" in other else [out(amount="200")]
    assert [bushels for _, bushels in beyond(sold("s"), other, *loose)] == [left]


def test_a_load_that_was_refused_stands_behind_its_own_sale_only() -> None:
    refused = ev("reject", "no", "2026-01-21", taker="crush", giver="coop", movement="first", site="north")
    again = sold("again", day="2026-01-22", taker="mill")
    assert beyond(sold("first", **BY_TICKET), refused, again) == [("again", 100)]


def test_a_named_ticket_stands_for_its_own_bushels_and_not_for_the_whole_sale() -> None:
    (told,) = (
        one
        for one in found(sold("s", "400", **BY_TICKET), out(name="Ben"))
        if one.kind is AlertKind.CLAIMS_SOLD_BEYOND_SHIPMENTS
    )
    assert (told.event, told.bushels) == ("s", 300_000)
    assert "s of 2026-01-20 to Crush, 300 bu of 400 bu." in told.said
    assert "Behind no sale: 1 ticket out, 100 bu." in told.said


def test_tickets_of_the_buyers_house_stand_behind_a_sale_that_went_there_straight() -> None:
    there: dict[str, Any] = {"destination": [{"number": "W1", "bushels": "90"}]}
    assert beyond(sold("s", **there)) == [("s", 10)]


def test_a_named_ticket_in_anothers_name_is_told_and_does_not_count() -> None:
    mine = sold("s", tickets=[{"number": "OUT", "bushels": "100"}])
    told = found(out(name="Ben"), mine)
    kinds = {one.kind for one in told}
    assert {AlertKind.CLAIMS_SOLD_BEYOND_SHIPMENTS, AlertKind.OTHER_NAME_ON_TICKET} <= kinds
    assert any("Ticket OUT at north is in the name of Ben; s is to Crush." in one.said for one in told)


@pytest.mark.parametrize(("weighed", "untold"), [("300", []), ("299.5", [500]), ("1", [299_000]), ("400", [])])
def test_a_day_tells_of_a_sale_as_far_as_its_tickets_are_less(weighed: str, untold: list[int]) -> None:
    sale = sold("s", "300", tickets=[{"number": "T9", "bushels": weighed}])
    store = MemoryStore()
    posted(store, base(*BUY, sale))
    entity = store.one(Entity, "coop")
    assert entity is not None
    sheet = day_sheet(store, entity, date(2026, 1, 20))
    assert [each.amount for one in sheet.differences for each in one.untold] == untold


def test_a_purchase_never_goes_without_its_tickets_by_a_part() -> None:
    """A ticket below the claim is refused where it is named, so that nothing is left to tell later."""
    store = MemoryStore()
    slip, buy = bought("b9", "ada", "coop", ADA_SOY, "300", day="2026-01-12", site="north")
    posted(store, base(*BUY, slip))
    assert status(store, {**buy, "tickets": [{"number": "T9", "bushels": "299.999"}]}) == "tickets_below_claim"
