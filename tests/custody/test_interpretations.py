"""Cases of the interpretations 34 to 51, but for 35 (changed reports), 40 and 41 (processing)."""

import json
from datetime import date
from itertools import permutations
from typing import Any, Final

import pytest

from provender.custody.events.closing import Closing
from provender.custody.model.entities import latest_end
from provender.custody.model.lots import LotState, Origin
from provender.custody.model.store_view import Store
from provender.custody.queries.manual import retention
from provender.custody.store import MemoryStore, run_lines
from provender.rule.law import NotInForceError
from tests.custody.first_sale import BUY, SELL, TAKE, base, books, crushed, line
from tests.custody.world import (
    ADA_SOY,
    BEN_SOY,
    CAST,
    REPORTS,
    Event,
    bought,
    entity,
    ev,
    favourable,
    on_record,
    posted,
    report,
    run,
    serials,
    status,
)
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

SALT = "sixteen bytes or more"
PENDING = ev(
    "purchase_pending", "pp", "2026-01-03", giver="ada", taker="coop", crop="soybeans", harvest_year=2025,
    bushels="400", site="north", tickets=[{"number": "T", "bushels": "400"}],
)  # fmt: skip


def test_34_a_farm_has_one_origin_for_a_crop_and_year_whatever_salt_it_uses(store: MemoryStore) -> None:
    posted(store, [*CAST, {**report("ada", "soybeans", "100", "5000"), "salt": SALT}])
    second = {**report("ada", "soybeans", "100", "5000"), "id": "again", "salt": "another salt of length"}
    assert status(store, second) == "second_origin"
    assert status(store, {**second, "version": 2}) == "second_origin"
    ticket = {"number": "T1", "bushels": "10"}
    posted(store, [{**report("ben", "soybeans", "100", "5000"), "salt": SALT}])
    names = [store.many(Origin, f"{farm}/soybeans/2025")[0].id for farm in ("ada", "ben")]
    for farm, origin, expected in zip(("ada", "ben"), names, ("posted", "ticket_used"), strict=True):
        slip = ev("slip", f"s-{farm}", "2026-01-05", giver=farm, taker="coop", origin=origin, bushels="10")
        buy = ev("purchase", f"b-{farm}", "2026-01-05", giver=farm, taker="coop", slip=f"s-{farm}", site="north")
        posted(store, [slip])
        assert status(store, {**buy, "tickets": [ticket]}) == expected


def test_37_grain_that_left_unclaimed_takes_its_claims_with_it_at_the_close(store: MemoryStore) -> None:
    posted(store, [*base(), *BUY])
    posted(
        store,
        [ev("shipment", "g", "2026-02-01", entity="coop", site="north", form="soybeans", amount="300", number="S")],
    )
    posted(store, [ev("close", "c", "2026-03-31", entity="coop", closed_on="2026-04-01")])
    book = line(store, "coop", 5000)
    assert (dict(book.outgoing), book.ending) == ({"released without claim": 300_000}, 700_000)


def test_37_a_surplus_shared_with_a_stored_owners_claims_is_rounded_up_against_the_claimant(store: MemoryStore) -> None:
    stored = ev(
        "storage", "st", "2026-01-06", owner="ben", custodian="coop", site="north", lots=[serials(BEN_SOY, 0, 500)]
    )
    stock = ev(
        "measurement", "m", "2026-03-31", entity="coop", site="north", form="soybeans", amount="1400", number="M"
    )
    posted(store, [*base(), *BUY, stored, stock])
    posted(store, [ev("close", "c", "2026-03-31", entity="coop", closed_on="2026-04-01")])
    assert line(store, "coop", 5000).ending == 1_000_000 - 66_667


def test_39_a_pending_purchase_is_incoming_on_the_day_its_claim_is_accepted(store: MemoryStore) -> None:
    slip = ev("slip", "s", "2026-04-02", giver="ada", taker="coop", origin=ADA_SOY, bushels="400")
    assign = ev("assign", "as", "2026-04-03", giver="ada", taker="coop", pending="pp", slip="s")
    posted(store, [*CAST, PENDING, *REPORTS, slip, assign])
    first, second = books(store, "coop")
    assert first.lines == ()
    assert dict(second.lines[0].incoming) == {"purchased": 400_000}


def test_43_a_period_before_the_rule_has_no_length() -> None:
    with pytest.raises(NotInForceError):
        latest_end(date(2025, 1, 16))


def test_43_across_a_periods_end_the_crop_is_in_transit_and_in_nobodys_stock(store: MemoryStore) -> None:
    posted(store, [*base(), *BUY, {**SELL, "day": "2026-03-31"}, {**TAKE, "day": "2026-04-02"}])
    assert line(store, "coop", 5000).total_outgoing == 600_000
    assert books(store, "crush")[0].lines == ()
    assert line(store, "crush", 5000, 1).total_incoming == 600_000


def test_44_a_named_lot_wins_a_ci_range_holds_and_the_policy_decides_the_rest(store: Store) -> None:
    more = bought("b2", "ben", "coop", BEN_SOY, "1000", day="2026-01-04", site="north")
    posted(store, [*base(), *more, *BUY])
    named = {**SELL, "id": "n", "bushels": "10", "lots": [serials(ADA_SOY, 990, 1000)]}
    ranged = {**SELL, "id": "r", "bushels": "10", "ci_max": "5999.99"}
    outcomes = run(store, [named, ranged, {**SELL, "id": "o", "bushels": "10"}])
    assert [dict(one.details)["ci"] for one in outcomes] == ["10 at CI 5000", "10 at CI 5000", "10 at CI 6000"]
    assert [dict(one.details)["matched"] for one in outcomes] == ["lots named", "oldest first", "oldest first"]


def test_44_proportional_takes_every_ci_by_its_share(store: Store) -> None:
    more = bought("b2", "ben", "coop", BEN_SOY, "500", day="2026-01-04", site="north")
    posted(store, [*base(), *more, *BUY, *[{**SELL, "bushels": "1500"}, TAKE]])
    on = ev("sale", "w", "2026-01-20", giver="crush", taker="fuel", crop="soybeans", bushels="100")
    assert dict(run(store, [on])[0].details)["ci"] == "66.667 at CI 5000; 33.333 at CI 6000"


def test_45_the_blinded_id_is_the_same_in_every_book_and_names_nobody(store: MemoryStore) -> None:
    posted(store, [*CAST, {**report("ada", "soybeans", "100", "5000"), "salt": SALT}])
    other = posted(MemoryStore(), [*CAST, {**report("ada", "soybeans", "100", "5000"), "salt": SALT}])
    names = [view.many(Origin, "ada/soybeans/2025")[0].id for view in (store, other)]
    assert names[0] == names[1]
    assert "ada" not in names[0]


def test_46_unproven_claims_wait_and_a_statement_that_covers_their_sale_cures_them(store: Store) -> None:
    posted(store, [*CAST, *REPORTS, *BUY, SELL, TAKE])
    on = ev("sale", "w", "2026-01-20", giver="crush", taker="fuel", crop="soybeans", bushels="1")
    assert status(store, on) == "unverified"
    posted(store, [{**favourable("coop", "corn"), "id": "corn only"}])
    posted(store, [{**favourable("coop", "soybeans", start="2026-01-11"), "id": "too late"}])
    assert status(store, on) == "unverified"
    cure = {**favourable("coop", "soybeans", end="2026-01-10"), "id": "cure", "number": "V3", "day": "2026-01-19"}
    posted(store, [cure, on])


def test_47_retention_runs_from_the_holders_own_sale(store: MemoryStore) -> None:
    posted(store, [*base(), *BUY, SELL, TAKE])
    coop = {one.movement: one.until for one in retention(store.steps("coop"), "coop", date.max)}
    crush = {one.movement: one.until for one in retention(store.steps("crush"), "crush", date.max)}
    assert coop == {"b": None, "v": date(2031, 1, 10)}, "what is left in stock keeps its purchase, not the sale"
    assert crush["a"] is None
    posted(store, [ev("sale", "rest", "2026-02-28", giver="coop", taker="crush", crop="soybeans", bushels="400")])
    coop = {one.movement: one.until for one in retention(store.steps("coop"), "coop", date.max)}
    assert coop == {"b": date(2031, 2, 28), "v": date(2031, 1, 10), "rest": date(2031, 2, 28)}


def test_48_a_shared_loss_bears_on_every_ci_and_a_return_names_its_sale(store: MemoryStore) -> None:
    more = bought("b2", "ben", "coop", BEN_SOY, "500", day="2026-01-04", site="north")
    plain = ev("receipt", "g", "2026-01-05", entity="coop", site="north", form="soybeans", amount="1500", number="G")
    posted(store, [*base(), *more, *BUY, plain])
    loss = ev("loss", "l", "2026-01-06", entity="coop", site="north", crop="soybeans", bushels="30", shared=True)
    posted(store, [loss])
    lost = [dict(one.outgoing) for one in books(store, "coop")[0].lines]
    assert lost == [{"lost": 10_000}, {"lost": 5_000}]
    posted(store, [{**SELL, "lots": [serials(ADA_SOY, 100, 700)]}, TAKE])
    back = ev("return", "r", "2026-01-20", giver="crush", taker="coop", movement="v", amount="250.5", site="north")
    posted(store, [back])
    assert dict(line(store, "coop", 5000).incoming)["returned to us"] == 250_500
    assert dict(line(store, "crush", 5000).outgoing) == {"returned by us": 250_500}


def test_51_opening_stock_is_the_beginning_of_the_first_period(store: MemoryStore) -> None:
    opening = ev(
        "opening", "o", "2025-12-31", entity="coop", site="north", crop="corn", harvest_year=2025, ci="7000",
        bushels="123.456", number="1", evidence="a" * 64,
    )  # fmt: skip
    posted(store, [*base(), on_record("f", "2025-12-31", "coop"), opening])
    book = line(store, "coop", 7000)
    assert (book.beginning, book.total_incoming, book.ending) == (123_456, 0, 123_456)
    assert store.lots_of("coop", "corn")[0].state is LotState.HELD


# Sentences of the interpretations and failure modes, each shown singly.

NORTH = {"entity": "coop", "site": "north", "form": "soybeans"}
Q1 = ev("close", "q1", "2026-03-31", entity="coop", closed_on="2026-04-01")
BURN = ev("retire", "burn", "2026-01-15", entity="fuel", crop="soybeans", bushels="60", fuel="rd", batch="B1",
          gallons="9")  # fmt: skip
TO_FUEL = [
    ev("sale", "vf", "2026-01-10", giver="coop", taker="fuel", crop="soybeans", bushels="100"),
    ev("accept", "af", "2026-01-12", taker="fuel", movement="vf"),
]


# periods


@ROWS
def test_43_a_period_may_last_three_months_and_not_a_day_longer(store: Store, start: str, last: str) -> None:
    posted(store, [entity("new", "first_point", "yard")])
    over = date.fromordinal(date.fromisoformat(last).toordinal() + 1)
    declared = ev("period", "p", "2026-01-01", entity="new", policy="named", start_day=start)
    assert status(store, {**declared, "end_day": str(over)}) == "period_too_long"
    posted(store, [{**declared, "end_day": last}])
    next_one = {**declared, "id": "q", "end_day": str(over)}
    assert status(store, {**next_one, "start_day": last}) == "period_not_continuous"
    posted(store, [{**next_one, "start_day": str(over)}])


def test_43_the_length_of_periods_may_change_where_no_day_falls_out_and_none_counts_twice(store: Store) -> None:
    posted(store, CAST)
    lengths = [("2026-07-01", "2026-07-31"), ("2026-08-01", "2026-10-31"), ("2026-11-01", "2026-11-01")]
    for start, end in lengths:
        days = {"start_day": start, "end_day": end}
        posted(store, [ev("period", start, "2026-01-01", entity="coop", policy="named", **days)])


@ROWS
def test_44_nothing_is_matched_to_a_period_after_its_close(store: Store, event: Event, kind: str) -> None:
    posted(store, base(*BUY, Q1))
    for day, answer in (("2026-03-31", "period_closed"), ("2026-04-01", "posted")):
        assert status(store, {**event, "id": f"{kind}-{day}", "day": day}) == answer


def test_43_a_return_of_a_sale_of_the_last_period_is_incoming_of_this_one(store: MemoryStore) -> None:
    back = ev("return", "r", "2026-04-02", giver="crush", taker="coop", movement="v", amount="50", site="north")
    posted(store, base(*BUY, SELL, TAKE, Q1, back))
    assert dict(line(store, "coop", 5000, 0).incoming) == {"purchased": 1_000_000}
    assert dict(line(store, "coop", 5000, 1).incoming) == {"returned to us": 50_000}
    assert dict(line(store, "crush", 5000, 1).outgoing) == {"returned by us": 50_000}


def test_a_ticket_that_comes_after_the_close_changes_no_statement(store: MemoryStore) -> None:
    posted(store, base(*BUY, Q1))
    before = store.many(Closing, "coop"), line(store, "coop", 5000)
    posted(store, [ev("shipment", "late", "2026-03-30", amount="400", number="late", **NORTH)])
    assert (store.many(Closing, "coop"), line(store, "coop", 5000)) == before


# claims and grain


@pytest.mark.parametrize(
    ("measured", "difference", "ending"),
    [("1500", "0 bu", 1_000_000), ("1499.999", "-0.001 bu", 1_000_000), ("1000", "-500 bu", 1_000_000),
     ("999.999", "-500.001 bu", 999_999), ("2000", "500 bu", 1_000_000)],
)  # fmt: skip
def test_37_stock_is_held_against_the_total(store: MemoryStore, measured: str, difference: str, ending: int) -> None:
    plain = ev("receipt", "g", "2026-01-05", amount="500", number="G", **NORTH)
    stock = ev("measurement", "m", "2026-03-31", amount=measured, number="M", **NORTH)
    posted(store, base(*BUY, plain))
    assert dict(run(store, [stock])[0].details) == {"difference": difference}
    posted(store, [Q1])
    assert line(store, "coop", 5000).ending == ending


def test_37_grain_that_left_without_its_claim_gets_none_later(store: Store) -> None:
    posted(store, base(*BUY, ev("shipment", "g", "2026-02-01", amount="300", number="S", **NORTH), Q1))
    for taken_back in ("q1", "g"):
        undo = ev("correct", f"undo-{taken_back}", "2026-04-02", entity="coop", movement=taken_back, reason="x")
        assert status(store, undo) == "not_correctable"
    on = {**SELL, "day": "2026-04-02"}
    assert status(store, {**on, "bushels": "700.001"}) == "exceeds_stock"
    assert status(store, {**on, "lots": [serials(ADA_SOY, 0, 1000)]}) == "not_held"
    posted(store, [{**on, "bushels": "700"}])


def test_37_a_release_of_a_closed_period_is_not_taken_back(store: Store) -> None:
    gone = ev("release", "r", "2026-02-01", entity="coop", crop="soybeans", bushels="300")
    undo = ev("correct", "undo", "2026-03-30", entity="coop", movement="r", reason="x")
    posted(store, base(*BUY, gone))
    posted(store, [undo, {**gone, "id": "r2"}, Q1])
    assert status(store, {**undo, "id": "late", "movement": "r2", "day": "2026-04-02"}) == "period_closed"


@pytest.mark.parametrize(("kind", "state"), [("release", LotState.RELEASED), ("loss", LotState.LOST)])
def test_48_what_a_farm_loses_feeds_or_keeps_ends_there(store: MemoryStore, kind: str, state: LotState) -> None:
    ended = ev(kind, "x", "2026-01-06", entity="ada", crop="soybeans", lots=[serials(ADA_SOY, 0, 100)], reason="feed")
    posted(store, base(ended))
    assert store.lots_at(ADA_SOY, 0, 1)[0].state is state
    slip = ev("slip", "s", "2026-01-07", giver="ada", taker="coop", origin=ADA_SOY, spans=[["99.999", "100"]])
    assert status(store, slip) == "not_held"
    assert status(store, {**slip, "spans": [["100", "100.001"]]}) == "posted"
    assert status(store, {**slip, "id": "t", "spans": [], "bushels": "9900"}) == "exceeds_stock"


def test_39_a_claim_accepted_later_stays_within_the_grain_of_that_day(store: Store) -> None:
    gone = ev("shipment", "g", "2026-01-20", amount="100", number="S", **NORTH)
    slip = ev("slip", "s", "2026-01-04", giver="ada", taker="coop", origin=ADA_SOY, bushels="400")
    assign = ev("assign", "as", "2026-01-21", giver="ada", taker="coop", pending="pp", slip="s")
    posted(store, base(PENDING, gone, slip))
    assert status(store, assign) == "claims_exceed_grain"
    assert status(store, {**assign, "bushels": "300.001"}) == "claims_exceed_grain"
    assert status(store, {**assign, "day": "2026-01-02"}) == "pending_too_late"
    posted(store, [{**assign, "bushels": "300"}])


@pytest.mark.parametrize(
    ("day", "answer"), [("2026-06-30", "posted"), ("2026-07-01", "pending_too_late"), ("2026-04-01", "posted")]
)
def test_39_a_claim_is_accepted_in_the_period_of_its_purchase_or_the_next(store: Store, day: str, answer: str) -> None:
    third = ev(
        "period", "p3", "2026-01-02", entity="coop", start_day="2026-07-01", end_day="2026-09-30", policy="named"
    )
    slip = ev("slip", "s", "2026-01-04", giver="ada", taker="coop", origin=ADA_SOY, bushels="400")
    posted(store, base(PENDING, third, slip))
    assert status(store, ev("assign", "as", day, giver="ada", taker="coop", pending="pp", slip="s")) == answer


# title and possession


@pytest.mark.parametrize(
    ("terms", "answer"),
    [("open_storage", "posted"), ("warehouse_receipt", "posted"), ("cash", "posted"),
     ("delayed_price", "title_not_at_delivery")],
)  # fmt: skip
def test_38_only_delayed_price_ties_title_to_delivery(store: MemoryStore, terms: str, answer: str) -> None:
    stored = ev("storage", "st", "2026-01-06", owner="ada", custodian="tank", lots=[serials(ADA_SOY, 0, 500)])
    slip, buy = bought("b", "ada", "coop", ADA_SOY, "500", day="2026-02-01", site="north", terms=terms)
    posted(store, base(stored, slip))
    lot = store.lots_at(ADA_SOY, 0, 1)[0]
    assert (lot.owner, lot.custodian) == ("ada", "tank")
    assert status(store, {**buy, "delivered": "2026-01-06"}) == answer
    if answer != "posted":
        posted(store, [{**buy, "delivered": "2026-02-01"}])
    assert str(store.lots_at(ADA_SOY, 0, 1)[0].titled) == "2026-02-01"


# processing, fuel, units


@ROWS
def test_41_one_output_carries_the_claim_and_no_other(store: Store, crop: str, output: str, answer: str) -> None:
    posted(store, base(*BUY))
    step = {"entity": "coop", "site": "north", "output": output}
    assert status(store, ev("process", "p", "2026-01-06", crop=crop, bushels="1", **step)) == answer
    rate = {"rate": "40", "campaign": "C", "start_day": "2026-01-01", "end_day": "2026-03-31"}
    assert status(store, ev("yield", "y", "2026-01-01", made_of=crop, **step, **rate)) == answer
    sold = {"giver": "coop", "taker": "crush", "form": output}
    assert status(store, ev("sale", "v", "2026-01-06", crop=crop, pounds="1", **sold)) == answer


@pytest.mark.parametrize(
    ("form", "answer"), [("soybean_meal", "posted"), ("soybean_oil", "form_not_possible"), ("tea", "form_not_possible")]
)
def test_41_what_else_came_out_is_listed_without_a_claim(store: MemoryStore, form: str, answer: str) -> None:
    crushed(store)
    total = {"crop_crushed": "60000", "product_made": "660000", "campaign": "C"}
    made = {"entity": "crush", "made_of": "soybeans", "output": "soybean_oil", **total}
    before = store.lots_of("crush", "soybeans")
    listed = [{"form": form, "pounds": "2640000"}]
    assert status(store, ev("crush", "k", "2026-01-31", coproducts=listed, **made)) == answer
    assert store.lots_of("crush", "soybeans") == before


def test_42_a_claim_ends_in_one_batch_of_fuel_made_by_a_refiner(store: MemoryStore) -> None:
    posted(store, base(*BUY, *TO_FUEL))
    assert status(store, {**BURN, "entity": "coop"}) == "role_not_allowed"
    assert status(store, {**BURN, "gallons": "-1"}) == "amount_not_positive"
    posted(store, [{**BURN, "lots": [serials(ADA_SOY, 0, 60)]}])
    for again in ("burn2", "on"):
        once_more = {**BURN, "id": again, "lots": [serials(ADA_SOY, 59, 61)], "bushels": "2"}
        assert status(store, once_more) == "not_held"
    assert status(store, {**BURN, "id": "much", "bushels": "40.001"}) == "exceeds_stock"
    posted(store, [{**BURN, "id": "rest", "bushels": "40"}])
    assert dict(line(store, "fuel", 5000).outgoing) == {"retired into fuel": 100_000}


@ROWS
def test_e14_bushels_are_not_pounds(store: Store, changes: dict[str, str], answer: str) -> None:
    crushed(store)
    event = ev("sale", "v9", "2026-01-21", giver="crush", taker="fuel", crop="soybeans", **changes)
    assert status(store, event) == answer


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize(("ci", "answer"), [("99999.99", "posted"), ("100000", "ci_not_possible")])
def test_e14_grams_are_not_kilograms(store: Store, sign: str, ci: str, answer: str) -> None:
    posted(store, CAST)
    assert status(store, report("ada", "soybeans", "100", f"{sign}{ci}")) == answer


@ROWS
def test_e15_a_yield_is_stated_once_and_trued_up(store: MemoryStore, again: dict[str, str], answer: str) -> None:
    crushed(store)
    fields: dict[str, Any] = {"entity": "crush", "made_of": "soybeans", "output": "soybean_oil"}
    days = {"start_day": "2026-01-01", "end_day": "2026-03-31", "campaign": "C"}
    for form, amount in (("soybeans", "9000"), ("soybean_oil", "9000")):
        stock = ev("measurement", f"m-{form}", "2026-03-31", entity="crush", form=form, amount=amount, number=form)
        posted(store, [stock])
    posted(store, [{**Q1, "entity": "crush"}])
    before = store.many(Closing, "crush"), books(store, "crush")[0]
    anew = ev("yield", "y9", "2026-04-02", rate="12", **{**days, **again}, **fields)
    assert status(store, anew) == answer
    final = ev("yield", "yf", "2026-04-02", rate="12", basis="final", **days, **fields)
    true_up = ev("true_up", "t", "2026-03-31", campaign="C", **fields)
    posted(store, [final])
    assert status(store, true_up) == "period_closed"
    posted(store, [{**true_up, "day": "2026-04-02"}])
    assert (store.many(Closing, "crush"), books(store, "crush")[0]) == before
    # 300 bushels at 11 lb stood at the close; at 12 lb they carry 300 lb more, in the open period.
    sheet = line(store, "crush", 5000, 1).sheets["soybean_oil"]
    assert (sheet.beginning, sheet.ending) == (3_300_000, 3_600_000)


# shares, opening stock, verification


@pytest.mark.parametrize(("bushels", "answer"), [("3000", "posted"), ("3000.001", "exceeds_stock")])
def test_50_a_landowner_sells_its_share_and_no_more(store: Store, bushels: str, answer: str) -> None:
    share = ev("share", "sh", "2026-01-03", giver="ada", taker="lena", origin=ADA_SOY, bushels="3000")
    posted(store, base(share))
    slip = ev("slip", "s", "2026-01-04", giver="lena", taker="coop", origin=ADA_SOY, bushels=bushels)
    assert status(store, slip) == answer
    farm = ev("slip", "t", "2026-01-04", giver="ada", taker="mill", origin=ADA_SOY)
    assert status(store, {**farm, "bushels": "7000.001"}) == "exceeds_stock"
    assert status(store, {**farm, "bushels": "7000"}) == "posted"


@ROWS
def test_51_opening_stock_has_evidence_and_is_first(store: Store, changes: dict[str, str | None], answer: str) -> None:
    opening = ev("opening", "o", "2025-12-31", entity="coop", site="north", crop="corn", harvest_year=2025, ci="7000",
                 bushels="10", number="1", evidence="bin sheet")  # fmt: skip
    posted(store, CAST)
    event = {name: value for name, value in {**opening, **changes}.items() if value is not None}
    assert [str(one.status) for one in run_lines(store, [json.dumps(event)])] == [answer]


@ROWS
def test_46_a_statement_counts_first_to_last_day(store: Store, titled: str, start: str, end: str, state: str) -> None:
    proof = favourable("coop", "soybeans", start=start, end=end)
    posted(store, [*CAST, proof, *base()[-4:], *BUY, {**SELL, "day": titled}])
    assert dict(run(store, [TAKE])[0].details) == {"state": state}


def test_e17_a_move_and_a_sale_from_both_sites_count_every_bushel_once(store: MemoryStore) -> None:
    move = ev("move", "m", "2026-03-31", entity="coop", site="north", to_site="south", crop="soybeans", bushels="300")
    more = bought("b2", "ben", "coop", BEN_SOY, "50", day="2026-01-06", site="south")
    posted(store, base(*BUY, *more, move))
    sell = ev("sale", "v1", "2026-04-01", giver="coop", taker="crush", crop="soybeans", site="south")
    assert status(store, {**sell, "bushels": "350.001"}) == "other_site"
    posted(store, [{**sell, "bushels": "350"}, {**sell, "id": "v2", "site": "north", "bushels": "700"}])
    first, second = books(store, "coop")
    assert [(one.ending, one.total_outgoing) for one in first.lines] == [(1_000_000, 0), (50_000, 0)]
    assert [(one.ending, one.total_outgoing) for one in second.lines] == [(0, 1_000_000), (0, 50_000)]


@pytest.mark.parametrize("order", list(permutations(("x", "y", "z"))))
def test_e18_purchases_of_one_day_may_be_entered_in_any_order(store: MemoryStore, order: tuple[str, str, str]) -> None:
    parts = {"x": ("ada", ADA_SOY, 0), "y": ("ben", BEN_SOY, 0), "z": ("ada", ADA_SOY, 100)}
    posted(store, base())
    for name, (farm, origin, start) in parts.items():
        spans = [[str(start), str(start + 100)]]
        posted(store, [ev("slip", f"s-{name}", "2026-01-05", giver=farm, taker="coop", origin=origin, spans=spans)])
    for name in order:
        deal = {"giver": parts[name][0], "taker": "coop", "slip": f"s-{name}", "site": "north"}
        posted(store, [ev("purchase", name, "2026-01-05", **deal)])
    out = ev("sale", "v", "2026-01-05", giver="coop", taker="crush", crop="soybeans", bushels="150.5")
    posted(store, [out])
    left = sorted((lot.origin, lot.start, lot.stop) for lot in store.lots_of("coop", "soybeans"))
    assert left == [(ADA_SOY, 150_500, 200_000), (BEN_SOY, 0, 100_000)]
