"""Grain that moves between own sites: no new grain, no shipment to others, no trade behind its tickets."""

from datetime import date

import pytest

from provender.custody.events.registry import decide, read_event
from provender.custody.model.entities import Entity
from provender.custody.model.event import Status
from provender.custody.model.grain import GrainEntry
from provender.custody.model.grain_claims import shortfalls
from provender.custody.model.store_view import Store
from provender.custody.queries.alerts import AlertKind, alerts
from tests.custody.world import ADA_SOY, BEN_SOY, CAST, REPORTS, Event, bought, ev, posted, run

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


def test_grain_moved_between_own_sites_is_not_counted_as_new_grain(store: Store) -> None:
    """1,000 bu came, 1,500 bu of claims are sold: moving the grain to the other site does not bring the 500."""
    buy = bought("c", "ada", "coop", ADA_SOY, "600", day="2026-01-05", site="north")
    buy[1].pop("tickets")
    posted(store, [*MIXED, *buy, *moved()])
    sale = ev("sale", "s", "2026-01-09", giver="coop", taker="crush", crop="soybeans", bushels="1500")
    posted(store, [sale])
    with store.reading() as facts:
        coop = facts.one(Entity, "coop")
        assert coop
        (short,) = shortfalls(facts, coop, date(2026, 1, 1), END)
        assert short.left == 500_000
        kinds = {one.kind for one in alerts(facts, coop, END)}
    assert AlertKind.CLAIMS_SOLD_BEYOND_SHIPMENTS in kinds, "what moved to the own site was shipped to nobody"


@pytest.mark.parametrize(
    ("out", "came", "source"),
    [
        ("m/out", "m/in", "coop/north/M1"),
        ("n/out", "m/in", ""),
        ("m-out", "m-in", ""),
    ],
)
def test_only_tickets_whose_ids_say_so_are_one_move(store: Store, out: str, came: str, source: str) -> None:
    posted(
        store,
        [
            *CAST,
            ticket("shipment", "M1", "10", name=out),
            ticket("receipt", "M1", "10", name=came, site="south"),
        ],
    )
    with store.reading() as facts:
        entry = facts.one(GrainEntry, "coop/south/M1")
    assert entry
    assert entry.source == source


def test_grain_of_another_form_or_of_an_earlier_day_is_no_move(store: Store) -> None:
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
    with store.reading() as facts:
        entries = [facts.one(GrainEntry, f"coop/south/{number}") for number in ("M1", "M2")]
    assert [one.source for one in entries if one] == ["", ""]


def test_grain_on_the_road_over_a_border_of_periods_is_counted_when_it_comes(store: Store) -> None:
    across = [{**moved()[0], "day": "2026-01-08"}, {**moved()[1], "day": "2026-04-02"}]
    posted(store, [*MIXED, *across])
    sale = ev("sale", "s", "2026-04-03", giver="coop", taker="crush", crop="soybeans", bushels="900")
    with store.reading() as facts:
        assert decide(facts, read_event(sale)).status is Status.POSTED
    posted(store, [sale])
    with store.reading() as facts:
        coop = facts.one(Entity, "coop")
        assert coop
        assert shortfalls(facts, coop, date(2026, 4, 1), date(2026, 6, 30)) == []


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
    ("kind", "site"),
    [("purchase", "south"), ("purchase_pending", "south"), ("storage", "south"), ("sale", "north")],
)
def test_tickets_of_an_own_move_stand_behind_no_trade(store: Store, kind: str, site: str) -> None:
    """The grain is the house's own: no claim comes with it, and none leaves."""
    posted(store, [*MIXED, *moved()])
    *before, trade = named(kind, site)
    posted(store, before)
    [answer] = run(store, [trade])
    assert (str(answer.status), f"Ticket M1 at {site} is of the house's own move" in answer.message) == (
        "ticket_differs", True,
    )  # fmt: skip


@pytest.mark.parametrize("void", [("shipment", "m/out"), ("receipt", "m/in")])
def test_the_other_ticket_of_a_move_that_was_taken_back_may_stand_behind_a_trade(
    store: Store, void: tuple[str, str]
) -> None:
    kind, name = void
    posted(store, [*MIXED, *moved(), {**next(one for one in moved() if one["id"] == name), "id": "v", "void": True}])
    trade = named("purchase", "south") if kind == "shipment" else named("sale", "north")
    posted(store, trade)


def test_a_shipment_under_the_number_of_a_voided_move_went_to_others(store: Store) -> None:
    """The ticket in stays: it is no more grain of that ticket out, whatever takes its number."""
    posted(store, [*MIXED, *moved()])
    out = {**moved()[0], "id": "void", "void": True}
    posted(store, [out, {**out, "id": "again", "void": False}])
    with store.reading() as facts:
        coop, came = facts.one(Entity, "coop"), facts.one(GrainEntry, "coop/south/M1")
        assert coop
        assert came
        assert came.source == ""
    posted(store, [ev("sale", "s", "2026-01-09", giver="coop", taker="crush", crop="soybeans", bushels="900")])
    with store.reading() as facts:
        kinds = {one.kind for one in alerts(facts, coop, END)}
    assert AlertKind.CLAIMS_SOLD_BEYOND_SHIPMENTS not in kinds


@pytest.mark.parametrize("gone", ["void", "sold"])
def test_a_ticket_in_is_no_move_of_a_ticket_out_that_is_void_or_sold(store: Store, gone: str) -> None:
    first, last = moved()
    sale = named("sale", "north")[0]
    posted(store, [*MIXED, first, {**first, "id": "v", "void": True} if gone == "void" else sale, last])
    with store.reading() as facts:
        came = facts.one(GrainEntry, "coop/south/M1")
    assert came
    assert came.source == ""
