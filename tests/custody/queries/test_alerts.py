"""Each alert at, just under and just over its threshold, and without what it would need."""

from datetime import date
from typing import Any, Final

import pytest

from provender.custody.events.registry import decide, read_event
from provender.custody.model.entities import Entity
from provender.custody.model.event import Status
from provender.custody.model.grain import GrainEntry, shortfalls
from provender.custody.model.store_view import Store
from provender.custody.queries.alerts import AlertKind, BookAlert, alerts
from provender.custody.queries.day_sheet import day_sheet
from provender.custody.store import MemoryStore
from tests.custody.first_sale import base, crushed
from tests.custody.world import (
    ADA_SOY,
    BEN_SOY,
    CAST,
    REPORTS,
    Event,
    alerted,
    bought,
    ev,
    favourable,
    posted,
    record_of,
    report,
    run,
    status,
)
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

FEBRUARY = date(2026, 2, 1)


def told(store: MemoryStore, day: date = FEBRUARY, name: str = "coop") -> set[AlertKind]:
    return alerted(store, day, name)


def took(name: str, farm: str, origin: str, bushels: str, day: str) -> list[Event]:
    return bought(name, farm, "coop", origin, bushels, day=day, site="north")


def sold(bushels: str, day: str, **more: object) -> Event:
    return ev("sale", "v", day, giver="coop", taker="crush", crop="soybeans", bushels=bushels, **more)


@pytest.mark.parametrize(
    ("grain", "expected"), [("100.001", False), ("100", False), ("99.999", True), ("0", True), ("", True)]
)
def test_claims_beyond_the_grain_of_a_site_are_told_early(store: MemoryStore, grain: str, expected: bool) -> None:
    slip, buy = took("b1", "ada", ADA_SOY, "100", "2026-01-05")
    place = {"entity": "coop", "site": "north", "form": "soybeans", "number": "M"}
    stock = [ev("measurement", "m", "2026-01-31", amount=grain, **place)] if grain else []
    posted(store, base(slip, {**buy, "tickets": []}, *stock))
    assert (AlertKind.CLAIMS_WITHOUT_GRAIN in told(store)) == expected


@ROWS
def test_a_partner_without_a_contract_is_told(store: MemoryStore, days: dict[str, str], expected: bool) -> None:
    parties = {"entity": "coop", "counterparty": "ada", "role": "supplier", "number": "K"}
    contract = [ev("contract", "k", "2025-11-02", **parties, **days)] if days else []
    posted(store, base(*contract, *took("b1", "ada", ADA_SOY, "100", "2026-01-05")))
    assert (AlertKind.NO_CONTRACT in told(store)) == expected


@pytest.mark.parametrize(
    ("owner", "contract", "expected"), [("coop", True, False), ("coop", False, True), ("ada", False, False)]
)
def test_a_house_that_stores_a_traders_claims_needs_a_contract_and_a_farm_none_with_its_elevator(
    store: MemoryStore, owner: str, contract: bool, expected: bool
) -> None:
    supplier = {"entity": "coop", "role": "supplier", "start_day": "2025-11-01"}
    papers = [ev("contract", "k", "2025-11-02", counterparty="ada", number="K", **supplier)]
    if contract:
        service = {**supplier, "role": "service_provider", "number": "S"}
        papers.append(ev("contract", "s", "2025-11-02", counterparty="tank", **service))
    lots = [{"origin": ADA_SOY, "start": "0", "stop": "60"}]
    kept = ev("storage", "st", "2026-01-06", owner=owner, custodian="tank", lots=lots)
    posted(store, base(*papers, *(took("b1", "ada", ADA_SOY, "100", "2026-01-05") if owner == "coop" else []), kept))
    found = [
        one for one in alerts(store, record_of(store, Entity, owner), FEBRUARY) if one.kind is AlertKind.NO_CONTRACT
    ]
    words = "There is no contract on file with Tank, code tank (2100.032(a)(3))."
    assert [(one.said, one.bushels) for one in found] == ([(words, 60_000)] if expected else [])


def test_a_circle_is_told_by_the_bushels_that_came_back_and_a_return_is_none(store: MemoryStore) -> None:
    circle = [
        ev("accept", "a", "2026-01-11", taker="crush", movement="v"),
        ev("return", "r", "2026-01-12", giver="crush", taker="coop", movement="v", amount="10", site="north"),
    ]
    posted(store, base(*took("b1", "ada", ADA_SOY, "100", "2026-01-05"), sold("80", "2026-01-10"), *circle))
    assert AlertKind.CIRCULAR_TRADE not in told(store)
    back = ev("sale", "w", "2026-01-13", giver="crush", taker="coop", crop="soybeans", bushels="50.001")
    posted(store, [back, ev("accept", "x", "2026-01-14", taker="coop", movement="w", site="north")])
    entity = record_of(store, Entity, "coop")
    circles = [one.bushels for one in alerts(store, entity, FEBRUARY) if one.kind is AlertKind.CIRCULAR_TRADE]
    assert circles == [50_001]


@pytest.mark.parametrize(("went", "expected"), [("149.999", False), ("150", False), ("150.001", True)])
def test_more_than_half_again_going_out_than_coming_in_is_told(store: MemoryStore, went: str, expected: bool) -> None:
    early, late = took("b1", "ada", ADA_SOY, "1000", "2026-01-05"), took("b2", "ada", ADA_SOY, "100", "2026-04-05")
    posted(store, base(*early, *late, sold(went, "2026-04-06")))
    assert (AlertKind.OUTGOING_OVER_INCOMING in told(store)) == expected


def test_where_nothing_came_in_there_is_no_ratio(store: MemoryStore) -> None:
    posted(store, base(*took("b1", "ada", ADA_SOY, "1000", "2026-01-05"), sold("900", "2026-04-06")))
    assert AlertKind.OUTGOING_OVER_INCOMING not in told(store)


@pytest.mark.parametrize(
    ("ada", "ben", "expected"),
    [("71", "29", False), ("70", "30", False), ("69.999", "30.001", True), ("69", "31", True)],
)
def test_a_mix_that_shifts_beyond_thirty_is_told(store: MemoryStore, ada: str, ben: str, expected: bool) -> None:
    first = took("b1", "ada", ADA_SOY, "500", "2026-01-05")
    second = [*took("b2", "ada", ADA_SOY, ada, "2026-04-05"), *took("b3", "ben", BEN_SOY, ben, "2026-04-05")]
    posted(store, base(*first, *second))
    assert (AlertKind.MIX_CHANGED in told(store)) == expected


@pytest.mark.parametrize(
    ("crop", "year", "expected"), [("soybeans", 2025, False), ("soybeans", 2024, False), ("corn", 2025, True)]
)
def test_a_mix_is_of_crops_and_cis_of_any_year(store: MemoryStore, crop: str, year: int, expected: bool) -> None:
    old = {**report("ada", "soybeans", "100", "5000"), "id": "old", "harvest_year": 2024}
    first = [
        *took("b1", "ada", "ada/soybeans/2024", "40", "2026-01-05"),
        *took("b2", "ada", ADA_SOY, "60", "2026-01-06"),
    ]
    reports = [report("ada", "soybeans", "500", "5000"), report("ada", "corn", "500", "5000"), old]
    posted(store, [*CAST, *reports, *first, *took("b3", "ada", f"ada/{crop}/{year}", "50", "2026-04-05")])
    assert (AlertKind.MIX_CHANGED in told(store)) == expected


YEAR = [
    ("2025-02-01", "2025-04-30"),
    ("2025-05-01", "2025-07-31"),
    ("2025-08-01", "2025-10-31"),
    ("2025-11-01", "2026-01-31"),
    ("2026-02-01", "2026-04-30"),
]


@ROWS
def test_twice_the_year_before_is_told(store: MemoryStore, begun: int, before: str, now: str, expected: bool) -> None:
    early = "2025-01-20"
    grown = report("ada", "soybeans", "10000", "5000", day=early, year=2024)
    book = [
        ev("entity", "e-ada", early, entity="ada", name="Ada", roles=["farm"]),
        ev("entity", "e-coop", early, entity="coop", name="Coop", roles=["first_point"], sites=["north"]),
        *(ev("period", start, early, entity="coop", start_day=start, end_day=end, policy="oldest_first")
          for start, end in YEAR[begun:]),
        grown,
    ]  # fmt: skip
    came = [("b1", before, "2025-02-03"), ("b2", now, "2026-02-03")]
    for name, bushels, day in came:
        book += took(name, "ada", "ada/soybeans/2024", bushels, day) if bushels else []
    posted(store, book)
    assert (AlertKind.INCOMING_JUMPED in told(store, date(2026, 2, 28))) == expected


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ("2026-04-01", {AlertKind.VERIFICATION_LAPSES}),
        ("2026-04-02", {AlertKind.VERIFICATION_LAPSES}),
        ("2026-04-03", set()),
        ("2026-01-31", {AlertKind.NO_VERIFICATION}),
        ("2026-02-01", {AlertKind.VERIFICATION_LAPSES}),
    ],
)
def test_a_statement_ending_within_sixty_days_is_told(store: MemoryStore, end: str, expected: set[AlertKind]) -> None:
    posted(store, [*CAST, favourable("coop", "soybeans", end=end)])
    assert told(store) & {AlertKind.VERIFICATION_LAPSES, AlertKind.NO_VERIFICATION} == expected


@pytest.mark.parametrize(("day", "expected"), [(15, False), (16, True), (30, True)])
def test_a_last_period_that_ends_within_fourteen_days_is_told(store: MemoryStore, day: int, expected: bool) -> None:
    posted(store, CAST)
    assert (AlertKind.PERIOD_ENDS in told(store, date(2026, 6, day))) == expected


@pytest.mark.parametrize(("day", "expected"), [(date(2026, 3, 31), False), (date(2026, 4, 1), True)])
def test_a_period_still_open_on_the_day_after_its_last_is_told(store: MemoryStore, day: date, expected: bool) -> None:
    posted(store, CAST)
    assert (AlertKind.PERIOD_OVERDUE in told(store, day)) == expected


@pytest.mark.parametrize(("rate", "expected"), [("9.499999", True), ("9.5", False), ("13", False), ("13.000001", True)])
def test_a_yield_outside_what_plants_have_is_told(store: MemoryStore, rate: str, expected: bool) -> None:
    fields = {"entity": "crush", "made_of": "soybeans", "output": "soybean_oil", "campaign": "C", "rate": rate}
    days = {"start_day": "2026-01-01", "end_day": "2026-03-31"}
    posted(store, [*CAST, ev("yield", "y", "2026-01-01", **fields, **days)])
    assert (AlertKind.IMPLAUSIBLE_YIELD in told(store, name="crush")) == expected


@pytest.mark.parametrize(("made", "expected"), [("660000", False), ("660000.1", False), ("659999.9", True)])
def test_claims_beyond_the_share_of_a_campaign_are_told(store: MemoryStore, made: str, expected: bool) -> None:
    crushed(store)
    totals = {"crop_crushed": "60000", "product_made": made, "campaign": "C"}
    fields = {"entity": "crush", "made_of": "soybeans", "output": "soybean_oil", **totals}
    posted(store, [ev("crush", "k", "2026-01-31", **fields)])
    assert (AlertKind.CAMPAIGN_BEYOND_PRODUCT in told(store, name="crush")) == expected


@pytest.mark.parametrize(("shipped", "expected"), [("100", False), ("100.001", False), ("99.999", True), ("", True)])
def test_claims_sold_beyond_what_the_scale_saw_leave_are_told(store: MemoryStore, shipped: str, expected: bool) -> None:
    posted(store, base(*took("b1", "ada", ADA_SOY, "1000", "2026-01-05"), sold("100", "2026-01-20", site="north")))
    if shipped:
        out = {"entity": "coop", "site": "north", "form": "soybeans", "amount": shipped, "number": "OUT"}
        posted(store, [ev("shipment", "t", "2026-01-20", **out)])
    assert (AlertKind.CLAIMS_SOLD_BEYOND_SHIPMENTS in told(store)) == expected


def test_the_sale_that_no_ticket_stands_behind_is_named_and_linked(store: MemoryStore) -> None:
    sale = {"giver": "coop", "taker": "crush", "crop": "soybeans", "site": "north"}
    back = ev("sale", "wrong", "2026-01-21", bushels="50", **sale)
    seen = ev("sale", "seen", "2026-01-20", bushels="100", tickets=[{"number": "OUT", "bushels": "100"}], **sale)
    bare = ev("sale", "bare", "2026-01-22", bushels="30", **sale)
    undone = ev("correct", "c", "2026-01-21", entity="coop", movement="wrong", reason="x")
    posted(store, base(*took("b1", "ada", ADA_SOY, "1000", "2026-01-05"), seen, back, undone, bare))
    found = alerts(store, record_of(store, Entity, "coop"), FEBRUARY)
    (one,) = (each for each in found if each.kind is AlertKind.CLAIMS_SOLD_BEYOND_SHIPMENTS)
    assert one.event == "bare"
    assert one.bushels == 30_000, "what was taken back was not sold"
    assert "bare of 2026-01-22 to Crush, 30 bu." in one.said
    assert "seen" not in one.said


@pytest.mark.parametrize(("assigned", "expected"), [("400", False), ("399.999", True), ("", True)])
def test_a_purchase_whose_report_is_still_to_come_is_told(store: MemoryStore, assigned: str, expected: bool) -> None:
    fields = {"giver": "ada", "taker": "coop", "crop": "soybeans", "harvest_year": 2025, "bushels": "400"}
    ticket = [{"number": "T", "bushels": "400"}]
    posted(store, [*CAST, *REPORTS, ev("purchase_pending", "p", "2026-01-03", site="north", tickets=ticket, **fields)])
    if assigned:
        slip = ev("slip", "s", "2026-01-20", giver="ada", taker="coop", origin=ADA_SOY, bushels=assigned)
        posted(store, [slip, ev("assign", "a", "2026-01-21", giver="ada", taker="coop", pending="p", slip="s")])
    assert (AlertKind.PENDING_DUE in told(store)) == expected


@pytest.mark.parametrize(("ci", "expected"), [("5000", False), ("4999.99", False), ("5000.01", True), ("", True)])
def test_a_worse_or_suspended_report_is_told_to_who_holds_it(store: MemoryStore, ci: str, expected: bool) -> None:
    again = {**report("ada", "soybeans", "10000", ci, day="2026-01-20"), "id": "v2", "version": 2}
    stop = ev("suspend", "x", "2026-01-20", origin=ADA_SOY)
    posted(store, base(*took("b1", "ada", ADA_SOY, "1000", "2026-01-05"), again if ci else stop))
    assert (AlertKind.REPORT_CHANGED in told(store)) == expected


def changes(store: MemoryStore, name: str) -> list[tuple[str, int, str]]:
    found = alerts(store, record_of(store, Entity, name), FEBRUARY)
    return [(one.said, one.bushels, one.event) for one in found if one.kind is AlertKind.REPORT_CHANGED]


def test_a_changed_report_is_told_by_name_and_bushels_to_its_buyer_and_nameless_further_on(store: MemoryStore) -> None:
    accepted = ev("accept", "w", "2026-01-11", taker="crush", movement="v", site="plant")
    again = {**report("ada", "soybeans", "10000", "5000.01", day="2026-01-20"), "id": "v2", "version": 2}
    posted(store, base(*took("b1", "ada", ADA_SOY, "1000", "2026-01-05"), sold("400", "2026-01-10"), accepted, again))
    [(said, bushels, event)] = changes(store, "coop")
    assert said == "2026-01-20: Soybeans 2025 report of Ada. CI 5000 becomes 5000.01. You hold 600 bu of it."
    assert (bushels, event) == (600_000, "v2")
    [(said, bushels, event)] = changes(store, "crush")
    assert "Ada" not in said
    assert not event, "the id of a farm's entry may name the farm"
    assert ADA_SOY[:12] in said
    assert bushels == 400_000


@pytest.mark.parametrize(
    ("roles", "expected"), [(["farm"], False), (["service_provider"], False), (["farm", "first_point"], True)]
)
def test_who_only_grows_or_serves_needs_no_statement(store: MemoryStore, roles: list[str], expected: bool) -> None:
    posted(store, [ev("entity", "e-new", "2026-01-02", entity="new", name="New", roles=roles, sites=["yard"])])
    assert (AlertKind.NO_VERIFICATION in told(store, name="new")) is expected


# A ticket out silences the sale that it may be of, and no other: not another's grain, buyer, crop, day or trade.

BUY = bought("b1", "ada", "coop", ADA_SOY, "1000", day="2026-01-05", site="north")
BY_TICKET: dict[str, Any] = {"tickets": [{"number": "S", "bushels": "100"}]}


def sold_twice(name: str, bushels: str = "100", day: str = "2026-01-20", **more: object) -> Event:
    fields = {"giver": "coop", "taker": "crush", "crop": "soybeans", "site": "north", "bushels": bushels}
    return ev("sale", name, day, **{**fields, **more})


def out(number: str = "OUT", amount: str = "100", day: str = "2026-01-20", **more: object) -> Event:
    fields = {"entity": "coop", "site": "north", "form": "soybeans", "amount": amount, "number": number}
    return ev("shipment", f"t-{number}", day, **{**fields, **more})


def found(*events: Event) -> list[BookAlert]:
    store = posted(MemoryStore(), base(*BUY, *events))
    return alerts(store, record_of(store, Entity, "coop"), FEBRUARY)


def beyond(*events: Event) -> list[tuple[str, int]]:
    told = [one for one in found(*events) if one.kind is AlertKind.CLAIMS_SOLD_BEYOND_SHIPMENTS]
    return [(one.event, one.bushels // 1000) for one in told]


@ROWS
def test_a_ticket_counts_as_far_as_party_crop_and_day_let_it(more: list[Event], left: int) -> None:
    assert beyond(sold_twice("s"), *more) == ([("s", left)] if left else [])


def test_moves_are_no_sales_loads_stand_behind_their_own_sale_and_purchases_with_tickets() -> None:
    move = {**out("M"), "id": "m/out"}
    came = {**out("M"), "type": "receipt", "id": "m/in", "site": "south"}
    assert beyond(sold_twice("s"), move, came) == [("s", 100)]
    refused = ev("reject", "no", "2026-01-21", taker="crush", giver="coop", movement="first", site="north")
    again = sold_twice("again", day="2026-01-22", taker="mill")
    assert beyond(sold_twice("first", **BY_TICKET), refused, again) == [("again", 100)]
    there: dict[str, Any] = {"destination": [{"number": "W1", "bushels": "90"}]}
    assert beyond(sold_twice("s", **there)) == [("s", 10)]
    """A ticket below the claim is refused where it is named, so that nothing is left to tell later."""
    store = MemoryStore()
    slip, buy = bought("b9", "ada", "coop", ADA_SOY, "300", day="2026-01-12", site="north")
    posted(store, base(*BUY, slip))
    assert status(store, {**buy, "tickets": [{"number": "T9", "bushels": "299.999"}]}) == "tickets_below_claim"


@ROWS
def test_a_ticket_of_another_sale_is_not_set_off(other: Event, left: int) -> None:
    loose = [] if "tickets" in other else [out(amount="200")]
    assert [bushels for _, bushels in beyond(sold_twice("s"), other, *loose)] == [left]


def test_a_named_ticket_stands_for_its_own_bushels_and_in_anothers_name_for_none() -> None:
    (told,) = (
        one
        for one in found(sold_twice("s", "400", **BY_TICKET), out(name="Ben"))
        if one.kind is AlertKind.CLAIMS_SOLD_BEYOND_SHIPMENTS
    )
    assert (told.event, told.bushels) == ("s", 300_000)
    assert "s of 2026-01-20 to Crush, 300 bu of 400 bu." in told.said
    assert "Behind no sale: 1 ticket out, 100 bu." in told.said
    alerts = found(out(name="Ben"), sold_twice("s", tickets=[{"number": "OUT", "bushels": "100"}]))
    kinds = {one.kind for one in alerts}
    assert {AlertKind.CLAIMS_SOLD_BEYOND_SHIPMENTS, AlertKind.OTHER_NAME_ON_TICKET} <= kinds
    assert any("Ticket OUT at north is in the name of Ben; s is to Crush." in one.said for one in alerts)


@pytest.mark.parametrize(("weighed", "untold"), [("300", []), ("299.5", [500]), ("1", [299_000]), ("400", [])])
def test_a_day_tells_of_a_sale_as_far_as_its_tickets_are_less(weighed: str, untold: list[int]) -> None:
    sale = sold_twice("s", "300", tickets=[{"number": "T9", "bushels": weighed}])
    store = posted(MemoryStore(), base(*BUY, sale))
    sheet = day_sheet(store, record_of(store, Entity, "coop"), date(2026, 1, 20))
    assert [each.amount for one in sheet.differences for each in one.untold] == untold


# Grain that moves between own sites: no new grain, no shipment to others, no trade behind its tickets.

END = date(2026, 3, 31)


def ticket(
    kind: str, number: str, amount: str, *, day: str = "2026-01-06", name: str = "", site: str = "north",
    form: str = "soybeans",
) -> Event:  # fmt: skip
    said = {"entity": "coop", "site": site, "form": form, "amount": amount, "number": number}
    return ev(kind, name or f"{kind}-{number}", day, **said)


MIXED = [
    *CAST,
    *REPORTS,
    *bought("a", "ada", "coop", ADA_SOY, "600", day="2026-01-05", site="north"),
    *bought("b", "ben", "coop", BEN_SOY, "300", day="2026-01-05", site="north"),
    ticket("receipt", "C1", "100"),
]


def moved() -> list[Event]:
    return [
        ticket("shipment", "M1", "1000", name="m/out", day="2026-01-08"),
        ticket("receipt", "M1", "1000", name="m/in", day="2026-01-08", site="south"),
    ]


def test_grain_moved_between_own_sites_is_not_counted_as_new_grain(store: MemoryStore) -> None:
    """1,000 bu came, 1,500 bu of claims are sold: moving the grain to the other site does not bring the 500."""
    buy = bought("c", "ada", "coop", ADA_SOY, "600", day="2026-01-05", site="north")
    buy[1].pop("tickets")
    posted(store, [*MIXED, *buy, *moved()])
    sale = ev("sale", "s", "2026-01-09", giver="coop", taker="crush", crop="soybeans", bushels="1500")
    posted(store, [sale])
    (short,) = shortfalls(store, record_of(store, Entity, "coop"), date(2026, 1, 1), END)
    assert short.left == 500_000
    assert AlertKind.CLAIMS_SOLD_BEYOND_SHIPMENTS in told(store, END), (
        "what moved to the own site was shipped to nobody"
    )


@pytest.mark.parametrize(
    ("out", "came", "source"), [("m/out", "m/in", "coop/north/M1"), ("n/out", "m/in", ""), ("m-out", "m-in", "")]
)
def test_only_tickets_whose_ids_say_so_are_one_move(store: MemoryStore, out: str, came: str, source: str) -> None:
    posted(
        store, [*CAST, ticket("shipment", "M1", "10", name=out), ticket("receipt", "M1", "10", name=came, site="south")]
    )
    assert record_of(store, GrainEntry, "coop/south/M1").source == source


def test_grain_of_another_form_or_of_an_earlier_day_is_no_move(store: MemoryStore) -> None:
    posted(
        store,
        [
            *CAST,
            ticket("shipment", "M1", "10", name="m/out"),
            ticket("shipment", "M2", "10", name="n/out"),
            ticket("receipt", "M1", "10", name="m/in", site="south", form="corn"),
            ticket("receipt", "M2", "10", name="n/in", site="south", day="2026-01-05"),
        ],
    )
    entries = [store.one(GrainEntry, f"coop/south/{number}") for number in ("M1", "M2")]
    assert [one.source for one in entries if one] == ["", ""]


def test_grain_on_the_road_over_a_border_of_periods_is_counted_when_it_comes(store: MemoryStore) -> None:
    across = [{**moved()[0], "day": "2026-01-08"}, {**moved()[1], "day": "2026-04-02"}]
    claims = ev(
        "move", "cm", "2026-04-02", entity="coop", crop="soybeans", bushels="900", site="north", to_site="south"
    )
    posted(store, [*MIXED, *across, claims])
    sale = ev("sale", "s", "2026-04-03", giver="coop", taker="crush", crop="soybeans", bushels="900")
    assert decide(store, read_event(sale)).status is Status.POSTED
    posted(store, [sale])
    assert shortfalls(store, record_of(store, Entity, "coop"), date(2026, 4, 1), date(2026, 6, 30)) == []


ADA_SLIP = ev("slip", "slip-own", "2026-01-09", giver="ada", taker="coop", origin=ADA_SOY, bushels="1000")


def named(kind: str, site: str, number: str = "M1", bushels: str = "1000") -> list[Event]:
    """Return a trade of ``coop`` that names a ticket, with what must stand before it."""
    place = {"site": site, "tickets": [{"number": number, "bushels": bushels, "day": "2026-01-08"}]}
    day, farm = "2026-01-09", {"giver": "ada", "taker": "coop"}
    soy = {"crop": "soybeans", "bushels": "500"}
    if kind == "sale":
        return [ev("sale", "t", day, giver="coop", taker="crush", **soy, **place)]
    if kind == "purchase_pending":
        return [ev("purchase_pending", "t", day, **farm, **soy, harvest_year=2025, **place)]
    if kind == "storage":
        lots = [{"origin": ADA_SOY, "start": "9000", "stop": "9100"}]
        return [ev("storage", "t", day, owner="ada", custodian="coop", lots=lots, **place)]
    return [ADA_SLIP, ev("purchase", "t", day, slip="slip-own", **farm, **place)]


@pytest.mark.parametrize(
    ("kind", "site"), [("purchase", "south"), ("purchase_pending", "south"), ("storage", "south"), ("sale", "north")]
)
def test_tickets_of_an_own_move_stand_behind_no_trade(store: Store, kind: str, site: str) -> None:
    """The grain is its own: no claim comes with it, and none leaves."""
    posted(store, [*MIXED, *moved()])
    *before, trade = named(kind, site)
    posted(store, before)
    [answer] = run(store, [trade])
    assert (str(answer.status), f"Ticket M1 at {site} is of a move between its own sites" in answer.message) == (
        "ticket_differs", True,
    )  # fmt: skip


@pytest.mark.parametrize("void", [("shipment", "m/out"), ("receipt", "m/in")])
def test_the_other_ticket_of_a_move_taken_back_may_stand_for_a_trade(store: Store, void: tuple[str, str]) -> None:
    kind, name = void
    posted(store, [*MIXED, *moved(), {**next(one for one in moved() if one["id"] == name), "id": "v", "void": True}])
    trade = named("purchase", "south") if kind == "shipment" else named("sale", "north")
    posted(store, trade)


def test_a_shipment_under_the_number_of_a_voided_move_went_to_others(store: MemoryStore) -> None:
    """The ticket in stays: it is no more grain of that ticket out, whatever takes its number."""
    posted(store, [*MIXED, *moved()])
    out = {**moved()[0], "id": "void", "void": True}
    posted(store, [out, {**out, "id": "again", "void": False}])
    assert record_of(store, GrainEntry, "coop/south/M1").source == ""
    posted(store, [ev("sale", "s", "2026-01-09", giver="coop", taker="crush", crop="soybeans", bushels="900")])
    assert AlertKind.CLAIMS_SOLD_BEYOND_SHIPMENTS not in told(store, END)


@pytest.mark.parametrize("gone", ["void", "sold"])
def test_a_ticket_in_is_no_move_of_a_ticket_out_that_is_void_or_sold(store: MemoryStore, gone: str) -> None:
    first, last = moved()
    sale = named("sale", "north")[0]
    posted(store, [*MIXED, first, {**first, "id": "v", "void": True} if gone == "void" else sale, last])
    assert record_of(store, GrainEntry, "coop/south/M1").source == ""
