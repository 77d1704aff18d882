"""Each alert at, just under and just over its threshold, and without what it would need."""

from datetime import date

import pytest

from provender.custody.model.entities import Entity
from provender.custody.model.store_view import Store
from provender.custody.queries.alerts import AlertKind, alerts
from tests.custody.first_sale import base, crushed
from tests.custody.world import ADA_SOY, BEN_SOY, CAST, REPORTS, Event, bought, ev, favourable, posted, report

FEBRUARY = date(2026, 2, 1)


def told(store: Store, day: date = FEBRUARY, name: str = "coop") -> set[AlertKind]:
    with store.reading() as facts:
        entity = facts.one(Entity, name)
        assert entity is not None
        return {one.kind for one in alerts(facts, entity, day)}


def took(name: str, farm: str, origin: str, bushels: str, day: str) -> list[Event]:
    return bought(name, farm, "coop", origin, bushels, day=day, site="north")


def sold(bushels: str, day: str, **more: object) -> Event:
    return ev("sale", "v", day, giver="coop", taker="crush", crop="soybeans", bushels=bushels, **more)


@pytest.mark.parametrize(
    ("grain", "expected"), [("100.001", False), ("100", False), ("99.999", True), ("0", True), ("", True)]
)
def test_claims_beyond_the_grain_of_a_site_are_told_before_the_close(store: Store, grain: str, expected: bool) -> None:
    slip, buy = took("b1", "ada", ADA_SOY, "100", "2026-01-05")
    place = {"entity": "coop", "site": "north", "form": "soybeans", "number": "M"}
    stock = [ev("measurement", "m", "2026-01-31", amount=grain, **place)] if grain else []
    posted(store, base(slip, {**buy, "tickets": []}, *stock))
    assert (AlertKind.CLAIMS_WITHOUT_GRAIN in told(store)) == expected


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ({"start_day": "2026-02-01"}, False),
        ({"start_day": "2026-02-02"}, True),
        ({"start_day": "2025-11-01", "end_day": "2026-02-01"}, False),
        ({"start_day": "2025-11-01", "end_day": "2026-01-31"}, True),
        ({}, True),
    ],
)
def test_a_partner_without_a_contract_in_force_is_told(store: Store, days: dict[str, str], expected: bool) -> None:
    parties = {"entity": "coop", "counterparty": "ada", "role": "supplier", "number": "K"}
    contract = [ev("contract", "k", "2025-11-02", **parties, **days)] if days else []
    posted(store, base(*contract, *took("b1", "ada", ADA_SOY, "100", "2026-01-05")))
    assert (AlertKind.NO_CONTRACT in told(store)) == expected


@pytest.mark.parametrize(
    ("owner", "contract", "expected"), [("coop", True, False), ("coop", False, True), ("ada", False, False)]
)
def test_a_house_that_stores_a_traders_claims_needs_a_contract_and_a_farm_none_with_its_elevator(
    store: Store, owner: str, contract: bool, expected: bool
) -> None:
    supplier = {"entity": "coop", "role": "supplier", "start_day": "2025-11-01"}
    papers = [ev("contract", "k", "2025-11-02", counterparty="ada", number="K", **supplier)]
    if contract:
        service = {**supplier, "role": "service_provider", "number": "S"}
        papers.append(ev("contract", "s", "2025-11-02", counterparty="tank", **service))
    lots = [{"origin": ADA_SOY, "start": "0", "stop": "60"}]
    kept = ev("storage", "st", "2026-01-06", owner=owner, custodian="tank", lots=lots)
    posted(store, base(*papers, *(took("b1", "ada", ADA_SOY, "100", "2026-01-05") if owner == "coop" else []), kept))
    with store.reading() as facts:
        entity = facts.one(Entity, owner)
        assert entity is not None
        found = [one for one in alerts(facts, entity, FEBRUARY) if one.kind is AlertKind.NO_CONTRACT]
    words = "There is no contract on file with Tank, code tank (2100.032(a)(3))."
    assert [(one.said, one.bushels) for one in found] == ([(words, 60_000)] if expected else [])


def test_a_circle_is_told_by_the_bushels_that_came_back_and_a_return_is_none(store: Store) -> None:
    circle = [
        ev("accept", "a", "2026-01-11", taker="crush", movement="v"),
        ev("return", "r", "2026-01-12", giver="crush", taker="coop", movement="v", amount="10", site="north"),
    ]
    posted(store, base(*took("b1", "ada", ADA_SOY, "100", "2026-01-05"), sold("80", "2026-01-10"), *circle))
    assert AlertKind.CIRCULAR_TRADE not in told(store)
    back = ev("sale", "w", "2026-01-13", giver="crush", taker="coop", crop="soybeans", bushels="50.001")
    posted(store, [back, ev("accept", "x", "2026-01-14", taker="coop", movement="w", site="north")])
    with store.reading() as facts:
        entity = facts.one(Entity, "coop")
        assert entity is not None
        circles = [one.bushels for one in alerts(facts, entity, FEBRUARY) if one.kind is AlertKind.CIRCULAR_TRADE]
    assert circles == [50_001]


@pytest.mark.parametrize(("went", "expected"), [("149.999", False), ("150", False), ("150.001", True)])
def test_more_than_half_again_going_out_than_coming_in_is_told(store: Store, went: str, expected: bool) -> None:
    early, late = took("b1", "ada", ADA_SOY, "1000", "2026-01-05"), took("b2", "ada", ADA_SOY, "100", "2026-04-05")
    posted(store, base(*early, *late, sold(went, "2026-04-06")))
    assert (AlertKind.OUTGOING_OVER_INCOMING in told(store)) == expected


def test_where_nothing_came_in_there_is_no_ratio(store: Store) -> None:
    posted(store, base(*took("b1", "ada", ADA_SOY, "1000", "2026-01-05"), sold("900", "2026-04-06")))
    assert AlertKind.OUTGOING_OVER_INCOMING not in told(store)


@pytest.mark.parametrize(
    ("ada", "ben", "expected"),
    [("71", "29", False), ("70", "30", False), ("69.999", "30.001", True), ("69", "31", True)],
)
def test_a_mix_that_shifts_by_more_than_thirty_points_is_told(store: Store, ada: str, ben: str, expected: bool) -> None:
    first = took("b1", "ada", ADA_SOY, "500", "2026-01-05")
    second = [*took("b2", "ada", ADA_SOY, ada, "2026-04-05"), *took("b3", "ben", BEN_SOY, ben, "2026-04-05")]
    posted(store, base(*first, *second))
    assert (AlertKind.MIX_CHANGED in told(store)) == expected


@pytest.mark.parametrize(
    ("crop", "year", "expected"), [("soybeans", 2025, False), ("soybeans", 2024, False), ("corn", 2025, True)]
)
def test_a_mix_is_of_crops_and_carbon_intensities_whatever_the_year_of_harvest(
    store: Store, crop: str, year: int, expected: bool
) -> None:
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


@pytest.mark.parametrize(
    ("begun", "before", "now", "expected"),
    [
        (0, "1000", "2000", False),
        (0, "1000", "2000.001", True),
        (0, "1000", "1999.999", False),
        (0, "", "2000.001", False),
        (1, "", "5000", False),
    ],
)
def test_more_than_twice_what_came_in_any_period_of_the_year_before_is_told(
    store: Store, begun: int, before: str, now: str, expected: bool
) -> None:
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


def test_a_year_with_less_than_a_year_behind_it_has_no_season_to_compare(store: Store) -> None:
    posted(
        store, base(*took("b1", "ada", ADA_SOY, "10", "2026-01-05"), *took("b2", "ada", ADA_SOY, "900", "2026-04-05"))
    )
    assert AlertKind.INCOMING_JUMPED not in told(store)


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
def test_a_statement_that_ends_within_sixty_days_is_told(store: Store, end: str, expected: set[AlertKind]) -> None:
    posted(store, [*CAST, favourable("coop", "soybeans", end=end)])
    assert told(store) & {AlertKind.VERIFICATION_LAPSES, AlertKind.NO_VERIFICATION} == expected


@pytest.mark.parametrize(("day", "expected"), [(15, False), (16, True), (30, True)])
def test_a_last_period_that_ends_within_fourteen_days_is_told(store: Store, day: int, expected: bool) -> None:
    posted(store, CAST)
    assert (AlertKind.PERIOD_ENDS in told(store, date(2026, 6, day))) == expected


@pytest.mark.parametrize(("day", "expected"), [(date(2026, 3, 31), False), (date(2026, 4, 1), True)])
def test_a_period_still_open_on_the_day_after_its_last_is_told(store: Store, day: date, expected: bool) -> None:
    posted(store, CAST)
    assert (AlertKind.PERIOD_OVERDUE in told(store, day)) == expected


@pytest.mark.parametrize(("rate", "expected"), [("9.499999", True), ("9.5", False), ("13", False), ("13.000001", True)])
def test_a_yield_outside_what_plants_have_is_told(store: Store, rate: str, expected: bool) -> None:
    fields = {"entity": "crush", "made_of": "soybeans", "output": "soybean_oil", "campaign": "C", "rate": rate}
    days = {"start_day": "2026-01-01", "end_day": "2026-03-31"}
    posted(store, [*CAST, ev("yield", "y", "2026-01-01", **fields, **days)])
    assert (AlertKind.IMPLAUSIBLE_YIELD in told(store, name="crush")) == expected


@pytest.mark.parametrize(("made", "expected"), [("660000", False), ("660000.1", False), ("659999.9", True)])
def test_claims_beyond_their_share_of_what_a_campaign_made_are_told(store: Store, made: str, expected: bool) -> None:
    crushed(store)
    totals = {"crop_crushed": "60000", "product_made": made, "campaign": "C"}
    fields = {"entity": "crush", "made_of": "soybeans", "output": "soybean_oil", **totals}
    posted(store, [ev("crush", "k", "2026-01-31", **fields)])
    assert (AlertKind.CAMPAIGN_BEYOND_PRODUCT in told(store, name="crush")) == expected


@pytest.mark.parametrize(("shipped", "expected"), [("100", False), ("100.001", False), ("99.999", True), ("", True)])
def test_claims_sold_beyond_what_the_scale_saw_leave_are_told(store: Store, shipped: str, expected: bool) -> None:
    posted(store, base(*took("b1", "ada", ADA_SOY, "1000", "2026-01-05"), sold("100", "2026-01-20", site="north")))
    if shipped:
        out = {"entity": "coop", "site": "north", "form": "soybeans", "amount": shipped, "number": "OUT"}
        posted(store, [ev("shipment", "t", "2026-01-20", **out)])
    assert (AlertKind.CLAIMS_SOLD_BEYOND_SHIPMENTS in told(store)) == expected


def test_the_sale_that_no_ticket_stands_behind_is_named_and_linked(store: Store) -> None:
    sale = {"giver": "coop", "taker": "crush", "crop": "soybeans", "site": "north"}
    back = ev("sale", "wrong", "2026-01-21", bushels="50", **sale)
    seen = ev("sale", "seen", "2026-01-20", bushels="100", tickets=[{"number": "OUT", "bushels": "100"}], **sale)
    bare = ev("sale", "bare", "2026-01-22", bushels="30", **sale)
    undone = ev("correct", "c", "2026-01-21", entity="coop", movement="wrong", reason="x")
    posted(store, base(*took("b1", "ada", ADA_SOY, "1000", "2026-01-05"), seen, back, undone, bare))
    with store.reading() as facts:
        entity = facts.one(Entity, "coop")
        assert entity is not None
        found = alerts(facts, entity, FEBRUARY)
    (one,) = (each for each in found if each.kind is AlertKind.CLAIMS_SOLD_BEYOND_SHIPMENTS)
    assert one.event == "bare"
    assert one.bushels == 30_000, "what was taken back was not sold"
    assert "bare of 2026-01-22 to Crush, 30 bu." in one.said
    assert "seen" not in one.said


@pytest.mark.parametrize(("assigned", "expected"), [("400", False), ("399.999", True), ("", True)])
def test_a_purchase_whose_report_is_still_to_come_is_told(store: Store, assigned: str, expected: bool) -> None:
    fields = {"giver": "ada", "taker": "coop", "crop": "soybeans", "harvest_year": 2025, "bushels": "400"}
    ticket = [{"number": "T", "bushels": "400"}]
    posted(store, [*CAST, *REPORTS, ev("purchase_pending", "p", "2026-01-03", site="north", tickets=ticket, **fields)])
    if assigned:
        slip = ev("slip", "s", "2026-01-20", giver="ada", taker="coop", origin=ADA_SOY, bushels=assigned)
        posted(store, [slip, ev("assign", "a", "2026-01-21", giver="ada", taker="coop", pending="p", slip="s")])
    assert (AlertKind.PENDING_DUE in told(store)) == expected


@pytest.mark.parametrize(("ci", "expected"), [("5000", False), ("4999.99", False), ("5000.01", True)])
def test_a_report_that_got_worse_is_told_to_who_holds_its_claims(store: Store, ci: str, expected: bool) -> None:
    again = {**report("ada", "soybeans", "10000", ci, day="2026-01-20"), "id": "v2", "version": 2}
    posted(store, base(*took("b1", "ada", ADA_SOY, "1000", "2026-01-05"), again))
    assert (AlertKind.REPORT_CHANGED in told(store)) == expected


def test_a_suspended_report_is_told_to_who_holds_its_claims(store: Store) -> None:
    stop = ev("suspend", "x", "2026-01-20", origin=ADA_SOY)
    posted(store, base(*took("b1", "ada", ADA_SOY, "1000", "2026-01-05"), stop))
    assert AlertKind.REPORT_CHANGED in told(store)


def changes(store: Store, name: str) -> list[tuple[str, int, str]]:
    with store.reading() as facts:
        entity = facts.one(Entity, name)
        assert entity is not None
        found = alerts(facts, entity, FEBRUARY)
    return [(one.said, one.bushels, one.event) for one in found if one.kind is AlertKind.REPORT_CHANGED]


def test_a_changed_report_is_told_by_name_and_bushels_to_its_buyer_and_without_the_name_further_on(
    store: Store,
) -> None:
    accepted = ev("accept", "w", "2026-01-11", taker="crush", movement="v", site="plant")
    again = {**report("ada", "soybeans", "10000", "5000.01", day="2026-01-20"), "id": "v2", "version": 2}
    posted(store, base(*took("b1", "ada", ADA_SOY, "1000", "2026-01-05"), sold("400", "2026-01-10"), accepted, again))
    [(said, bushels, event)] = changes(store, "coop")
    assert said == "2026-01-20: Soybeans 2025 report of Ada. CI 5000 becomes 5000.01. 600 bu of yours."
    assert (bushels, event) == (600_000, "v2")
    [(said, bushels, _)] = changes(store, "crush")
    assert "Ada" not in said
    assert ADA_SOY[:12] in said
    assert bushels == 400_000


@pytest.mark.parametrize(
    ("roles", "expected"), [(["farm"], False), (["service_provider"], False), (["farm", "first_point"], True)]
)
def test_who_only_grows_or_serves_needs_no_statement_of_its_own(store: Store, roles: list[str], expected: bool) -> None:
    posted(store, [ev("entity", "e-new", "2026-01-02", entity="new", name="New", roles=roles, sites=["yard"])])
    assert (AlertKind.NO_VERIFICATION in told(store, name="new")) is expected
