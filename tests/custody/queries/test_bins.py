"""Bins: what lies there by what came in, commingled; moved grain is no new grain; a claim has no bin."""

from datetime import date

import pytest

from provender.custody.events.registry import decide, read_event
from provender.custody.model.amounts import FORMS
from provender.custody.model.daily_shortfall import shortfalls
from provender.custody.model.digest import digest_of
from provender.custody.model.entities import Entity
from provender.custody.model.grain_book import GrainEntry
from provender.custody.model.periods import Period
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import Store
from provender.custody.queries.alerts import AlertKind, alerts
from provender.custody.queries.bins import bin_contents, shipments_from
from tests.custody.world import ADA_SOY, BEN_SOY, CAST, REPORTS, Event, bought, ev, posted, run, status

END = date(2026, 3, 31)
ADA, BEN, NONE = (2025, 500_000), (2025, 600_000), (0, -1)


def ticket(
    kind: str,
    number: str,
    amount: str,
    bin_: str,
    *,
    day: str = "2026-01-06",
    name: str = "",
    site: str = "north",
    form: str = "soybeans",
) -> Event:
    place = {"bin": bin_} if bin_ else {}
    return ev(
        kind,
        name or f"{kind}-{number}",
        day,
        entity="coop",
        site=site,
        form=form,
        amount=amount,
        number=number,
        **place,
    )


def bought_into(name: str, farm: str, origin: str, bushels: str, bin_: str) -> list[Event]:
    slip, buy = bought(name, farm, "coop", origin, bushels, day="2026-01-05", site="north")
    return [slip, {**buy, "tickets": [{**buy["tickets"][0], "bin": bin_}]}]


MIXED = [
    *CAST,
    *REPORTS,
    *bought_into("a", "ada", ADA_SOY, "600", "B1"),
    *bought_into("b", "ben", BEN_SOY, "300", "B1"),
    ticket("receipt", "C1", "100", "B1"),
]


def held(store: Store, day: date = END) -> dict[str, dict[tuple[int, int], int]]:
    with store.reading() as facts:
        found = bin_contents(facts, "coop", list(FORMS), day)
    return {f"{one.site}/{one.bin}": dict(one.mix) for one in found}


def test_a_bin_holds_what_came_in_by_crop_year_and_intensity(store: Store) -> None:
    posted(store, MIXED)
    assert held(store) == {"north/B1": {NONE: 100_000, ADA: 600_000, BEN: 300_000}}
    assert held(store, date(2026, 1, 4)) == {}, "on the day before"


def test_what_goes_out_takes_of_everything_in_proportion_to_the_thousandth(store: Store) -> None:
    posted(store, [*MIXED, ticket("shipment", "O1", "333.333", "B1", day="2026-01-07")])
    now = held(store)["north/B1"]
    assert now == {NONE: 66_667, ADA: 400_000, BEN: 200_000}
    assert sum(now.values()) == 1_000_000 - 333_333


def test_grain_moved_from_bin_to_bin_takes_its_mix_along(store: Store) -> None:
    posted(
        store,
        [
            *MIXED,
            ticket("shipment", "M1", "500", "B1", name="m/out"),
            ticket("receipt", "M1", "498", "S7", name="m/in", site="south"),
        ],
    )
    assert held(store) == {
        "north/B1": {NONE: 50_000, ADA: 300_000, BEN: 150_000},
        "south/S7": {NONE: 49_800, ADA: 298_800, BEN: 149_400},
    }


def test_grain_that_goes_on_within_a_day_is_followed(store: Store) -> None:
    """From the pit to a bin and out of it on one day, entered in whatever order."""
    posted(
        store,
        [
            *MIXED,
            ticket("shipment", "O2", "100", "B2"),
            ticket("shipment", "M1", "1000", "B1", name="m/out"),
            ticket("receipt", "M2", "1000", "B2", name="m/in"),
        ],
    )
    assert held(store) == {"north/B1": {}, "north/B2": {NONE: 90_000, ADA: 540_000, BEN: 270_000}}


def test_grain_that_went_in_a_circle_within_a_day_ends_the_search(store: Store) -> None:
    posted(
        store,
        [
            *MIXED,
            *(ticket("shipment", n, "10", b, name=f"{n}/out") for n, b in (("X", "B1"), ("Y", "B2"))),
            ticket("receipt", "X2", "10", "B2", name="X/in"),
            ticket("receipt", "Y2", "10", "B1", name="Y/in"),
        ],
    )
    assert sum(sum(mix.values()) for mix in held(store).values()) == 1_000_000


@pytest.mark.parametrize(("out", "short", "left"), [("999.999", 0, 1), ("1000", 0, 0), ("1000.001", 1, 0)])
def test_what_goes_out_beyond_what_came_in_is_told(store: Store, out: str, short: int, left: int) -> None:
    posted(store, [*MIXED, ticket("shipment", "O1", out, "B1")])
    with store.reading() as facts:
        (found,) = bin_contents(facts, "coop", ["soybeans"], END)
    assert (found.short, found.amount) == (short, left)


def test_a_void_ticket_fills_no_bin_and_a_measurement_changes_none(store: Store) -> None:
    weighed = ev("measurement", "w", "2026-01-08", entity="coop", site="north", form="soybeans", amount="5", number="W")
    void = {**ticket("receipt", "C1", "100", ""), "id": "void", "void": True}
    posted(store, [*MIXED, void, weighed])
    assert held(store) == {"north/B1": {ADA: 600_000, BEN: 300_000}}
    assert status(store, {**weighed, "id": "w2", "number": "W2", "void": False}) == "posted"


def test_neither_a_measurement_nor_a_claim_names_a_bin() -> None:
    for kind in ("measurement", "sale", "move", "purchase", "loss", "storage"):
        told = run_raw({"type": kind, "id": "x", "day": "2026-01-06", "bin": "B1"})
        assert told == Status.FIELD_UNKNOWN, kind


def run_raw(raw: Event) -> str:
    with pytest.raises(Refusal) as refused:
        read_event(raw)
    return refused.value.status


def test_a_trade_that_names_a_ticket_without_its_bin_keeps_it_there_and_another_bin_differs(store: Store) -> None:
    slip, buy = bought("a", "ada", "coop", ADA_SOY, "600", day="2026-01-05", site="north")
    first = {**ticket("receipt", "T-a", "600", "B1", day="2026-01-05"), "name": "Ada"}
    posted(store, [*CAST, *REPORTS, first, slip])
    other = {**buy, "id": "other", "tickets": [{**buy["tickets"][0], "bin": "B2"}]}
    assert [str(one.status) for one in run(store, [other, buy])] == ["ticket_differs", "posted"]
    with store.reading() as facts:
        entry = facts.one(GrainEntry, "coop/north/T-a")
    assert entry
    assert (entry.bin, entry.name, entry.claim) == ("B1", "Ada", "a")
    assert held(store) == {"north/B1": {ADA: 600_000}}


def test_a_ticket_without_a_bin_has_the_digest_it_always_had() -> None:
    plain = read_event(ticket("receipt", "T", "1", ""))
    assert digest_of(plain) == "0e8b44590edb75e6680b2df7d74e890b87d7a9ff43e03acc059d7ddd938c3ef8", (
        "as before there were bins"
    )
    assert digest_of(read_event(ticket("receipt", "T", "1", "B"))) != digest_of(plain)


def moved() -> list[Event]:
    return [
        ticket("shipment", "M1", "1000", "", name="m/out", day="2026-01-08"),
        ticket("receipt", "M1", "1000", "", name="m/in", day="2026-01-08", site="south"),
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
            ticket("shipment", "M1", "10", "", name=out),
            ticket("receipt", "M1", "10", "", name=came, site="south"),
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
            ticket("shipment", "M1", "10", "", name="m/out"),
            ticket("shipment", "M2", "10", "", name="n/out"),
            ticket("receipt", "M1", "10", "", name="m/in", site="south", form="corn"),
            ticket("receipt", "M2", "10", "", name="n/in", site="south", day="2026-01-05"),
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


def sent(store: Store) -> int | None:
    with store.reading() as facts:
        went = shipments_from(facts, ("coop", "north", "soybeans"), facts.many(Period, "coop")[0])
        return None if went is None else sum(one.amount for one in went)


def test_a_shipment_under_the_number_of_a_voided_move_went_to_others(store: Store) -> None:
    """The ticket in stays: it is no more grain of that ticket out, whatever takes its number."""
    posted(store, [*MIXED, *moved()])
    assert sent(store) == 0
    out = {**moved()[0], "id": "void", "void": True}
    posted(store, [out, {**out, "id": "again", "void": False}])
    assert sent(store) == 1_000_000
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


def pending(bushels: str, *assigned: str) -> list[Event]:
    ticket_ = {"number": "T-p", "bushels": bushels, "bin": "B1"}
    both = {"giver": "ada", "taker": "coop"}
    made = [ev("purchase_pending", "p", "2026-01-05", crop="soybeans", harvest_year=2025, bushels=bushels, site="north",
               tickets=[ticket_], **both)]  # fmt: skip
    for number, part in enumerate(assigned):
        slip = ev("slip", f"sl{number}", "2026-01-06", origin=ADA_SOY, bushels=part, **both)
        made += [slip, ev("assign", f"as{number}", "2026-01-06", pending="p", slip=f"sl{number}", **both)]
    return made


@pytest.mark.parametrize(
    ("assigned", "mix"),
    [
        ((), {NONE: 100_000}),
        (("40",), {NONE: 60_000, ADA: 40_000}),
        (("40", "60"), {ADA: 100_000}),
    ],
)
def test_a_bin_learns_what_a_pending_purchase_was_as_its_slips_are_assigned(
    store: Store, assigned: tuple[str, ...], mix: dict[tuple[int, int], int]
) -> None:
    posted(store, [*CAST, *REPORTS, *pending("100", *assigned)])
    assert held(store) == {"north/B1": mix}


def test_a_bin_forgets_an_assignment_that_was_taken_back(store: Store) -> None:
    back = ev("correct", "c", "2026-01-07", entity="coop", movement="as0", reason="another farm's slip")
    posted(store, [*CAST, *REPORTS, *pending("100", "40"), back])
    assert held(store) == {"north/B1": {NONE: 100_000}}


def test_a_ticket_without_a_bin_takes_the_bin_that_a_purchase_says_and_keeps_it(store: Store) -> None:
    slip, buy = bought_into("a", "ada", ADA_SOY, "600", "B1")
    posted(store, [*CAST, *REPORTS, ticket("receipt", "T-a", "600", "", day="2026-01-05"), slip, buy])
    assert held(store) == {"north/B1": {ADA: 600_000}}
    posted(store, [ev("correct", "c", "2026-01-06", entity="coop", movement="a", reason="x")])
    assert held(store) == {"north/B1": {NONE: 600_000}}
