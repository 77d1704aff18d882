"""One case for each of the interpretations 34 to 51, but for 35 (changed reports), 40 and 41 (processing)."""

from datetime import date

import pytest

from provender.custody.memory_store import MemoryStore
from provender.custody.model.entities import latest_end
from provender.custody.model.lots import LotState
from provender.custody.model.origins import Origin
from provender.custody.model.store_view import Store
from provender.custody.queries.manual import retention
from provender.rule.law import NotInForceError
from tests.custody.first_sale import BUY, SELL, TAKE, base, books, line
from tests.custody.world import (
    ADA_SOY,
    BEN_SOY,
    CAST,
    REPORTS,
    bought,
    entity,
    ev,
    favourable,
    posted,
    report,
    run,
    serials,
    status,
)

SALT = "sixteen bytes or more"


def test_34_a_farm_has_one_origin_for_a_crop_and_year_whatever_salt_it_uses(store: Store) -> None:
    posted(store, [*CAST, {**report("ada", "soybeans", "100", "5000"), "salt": SALT}])
    second = {**report("ada", "soybeans", "100", "5000"), "id": "again", "salt": "another salt of length"}
    assert status(store, second) == "second_origin"
    assert status(store, {**second, "version": 2}) == "second_origin"
    ticket = {"number": "T1", "bushels": "10"}
    other = {**report("ben", "soybeans", "100", "5000"), "salt": SALT}
    posted(store, [other])
    with store.reading() as facts:
        names = [facts.many(Origin, f"{farm}/soybeans/2025")[0].id for farm in ("ada", "ben")]
    for farm, origin, expected in zip(("ada", "ben"), names, ("posted", "ticket_used"), strict=True):
        slip = ev("slip", f"s-{farm}", "2026-01-05", giver=farm, taker="coop", origin=origin, bushels="10")
        buy = ev("purchase", f"b-{farm}", "2026-01-05", giver=farm, taker="coop", slip=f"s-{farm}", site="north")
        posted(store, [slip])
        assert status(store, {**buy, "tickets": [ticket]}) == expected


def test_36_a_claim_given_up_for_another_market_cannot_be_sold_here(store: Store) -> None:
    posted(store, base())
    gone = ev("release", "r", "2026-01-06", entity="ada", crop="soybeans", lots=[serials(ADA_SOY, 0, 100)])
    posted(store, [{**gone, "reason": "sold in another program"}])
    slip = ev("slip", "s", "2026-01-07", giver="ada", taker="coop", origin=ADA_SOY, spans=[["50", "150"]])
    assert status(store, slip) == "not_held"


def test_37_grain_that_left_unclaimed_takes_its_claims_with_it_at_the_close(store: Store) -> None:
    posted(store, [*base(), *BUY])
    posted(
        store,
        [ev("shipment", "g", "2026-02-01", entity="coop", site="north", form="soybeans", amount="300", number="S")],
    )
    posted(store, [ev("close", "c", "2026-03-31", entity="coop", closed_on="2026-04-01")])
    with store.reading() as facts:
        book = line(facts, "coop", 5000)
        assert (dict(book.outgoing), book.ending) == ({"released without claim": 300_000}, 700_000)


def test_37_a_surplus_shared_with_a_stored_owners_claims_is_rounded_up_against_the_claimant(store: Store) -> None:
    stored = ev(
        "storage", "st", "2026-01-06", owner="ben", custodian="coop", site="north", lots=[serials(BEN_SOY, 0, 500)]
    )
    stock = ev(
        "measurement", "m", "2026-03-31", entity="coop", site="north", form="soybeans", amount="1400", number="M"
    )
    posted(store, [*base(), *BUY, stored, stock])
    posted(store, [ev("close", "c", "2026-03-31", entity="coop", closed_on="2026-04-01")])
    with store.reading() as facts:
        assert line(facts, "coop", 5000).ending == 1_000_000 - 66_667


def test_38_stored_grain_stays_the_farms_and_delayed_price_passes_title_at_delivery(store: Store) -> None:
    stored = ev(
        "storage", "st", "2026-01-06", owner="ada", custodian="coop", site="north", lots=[serials(ADA_SOY, 0, 500)]
    )
    posted(store, [*base(), stored])
    with store.reading() as facts:
        lot = facts.lots_at(ADA_SOY, 0, 1)[0]
        assert (lot.owner, lot.custodian, lot.site) == ("ada", "coop", "north")
        assert books(facts, "coop")[0].lines == ()
    slip, buy = bought("b", "ada", "coop", ADA_SOY, "500", day="2026-02-01", site="north", terms="delayed_price")
    posted(store, [slip])
    assert status(store, {**buy, "delivered": "2026-01-06"}) == "title_not_at_delivery"
    posted(store, [{**buy, "terms": "open_storage", "delivered": "2026-01-06"}])


def test_39_a_pending_purchase_is_incoming_on_the_day_its_claim_is_accepted(store: Store) -> None:
    pending = ev(
        "purchase_pending", "pp", "2026-01-03", giver="ada", taker="coop", crop="soybeans", harvest_year=2025,
        bushels="400", site="north", tickets=[{"number": "T", "bushels": "400"}],
    )  # fmt: skip
    slip = ev("slip", "s", "2026-04-02", giver="ada", taker="coop", origin=ADA_SOY, bushels="400")
    assign = ev("assign", "as", "2026-04-03", giver="ada", taker="coop", pending="pp", slip="s")
    posted(store, [*CAST, pending, *REPORTS, slip, assign])
    with store.reading() as facts:
        first, second = books(facts, "coop")
        assert first.lines == ()
        assert dict(second.lines[0].incoming) == {"purchased": 400_000}


def test_42_a_refiners_lots_end_in_a_batch_of_fuel_and_count_as_outgoing(store: Store) -> None:
    sale = ev("sale", "v", "2026-01-10", giver="coop", taker="fuel", crop="soybeans", bushels="100")
    fuel = {"fuel": "renewable diesel", "batch": "B1", "gallons": "9"}
    burn = ev("retire", "f", "2026-01-15", entity="fuel", crop="soybeans", bushels="60", **fuel)
    posted(store, [*base(), *BUY, sale, ev("accept", "a", "2026-01-12", taker="fuel", movement="v"), burn])
    with store.reading() as facts:
        assert dict(line(facts, "fuel", 5000).outgoing) == {"retired into fuel": 60_000}


def test_43_a_period_before_the_rule_has_no_length() -> None:
    with pytest.raises(NotInForceError):
        latest_end(date(2025, 1, 16))


def test_43_across_a_periods_end_the_crop_is_in_transit_and_in_nobodys_stock(store: Store) -> None:
    sale = {**SELL, "day": "2026-03-31"}
    posted(store, [*base(), *BUY, sale, {**TAKE, "day": "2026-04-02"}])
    with store.reading() as facts:
        assert line(facts, "coop", 5000).total_outgoing == 600_000
        assert books(facts, "crush")[0].lines == ()
        assert line(facts, "crush", 5000, 1).total_incoming == 600_000


def test_44_a_named_lot_wins_a_ci_range_holds_and_the_policy_decides_the_rest(store: Store) -> None:
    more = bought("b2", "ben", "coop", BEN_SOY, "1000", day="2026-01-04", site="north")
    posted(store, [*base(), *more, *BUY])
    named = {**SELL, "id": "n", "bushels": "10", "lots": [serials(ADA_SOY, 990, 1000)]}
    ranged = {**SELL, "id": "r", "bushels": "10", "ci_max": "5999.99"}
    oldest = {**SELL, "id": "o", "bushels": "10"}
    lowest, highest = ({**oldest, "id": order, "order": order} for order in ("lowest_ci_first", "highest_ci_first"))
    outcomes = run(store, [named, ranged, oldest, lowest, highest])
    assert [dict(one.facts)["ci"] for one in outcomes] == [
        "10 at CI 5000", "10 at CI 5000", "10 at CI 6000", "10 at CI 5000", "10 at CI 6000",
    ]  # fmt: skip
    assert [dict(one.facts)["matched"] for one in outcomes[:3]] == ["lots named", "oldest first", "oldest first"]


def test_44_proportional_takes_every_ci_by_its_share(store: Store) -> None:
    more = bought("b2", "ben", "coop", BEN_SOY, "500", day="2026-01-04", site="north")
    to = [{**SELL, "bushels": "1500"}, TAKE]
    posted(store, [*base(), *more, *BUY, *to])
    on = ev("sale", "w", "2026-01-20", giver="crush", taker="fuel", crop="soybeans", bushels="100")
    assert dict(run(store, [on])[0].facts)["ci"] == "66.667 at CI 5000; 33.333 at CI 6000"


def test_45_a_document_without_serials_is_a_foreign_origin_once(store: Store) -> None:
    one = {"crop": "soybeans", "harvest_year": 2025, "ci": "5800", "form": "soybeans", "bushels": "70"}
    document = ev("document", "d", "2026-01-10", giver="mill", taker="crush", number="X-1", lines=[one])
    posted(store, [*base(), document, ev("accept", "a", "2026-01-11", taker="crush", movement="d")])
    assert status(store, {**document, "id": "d2"}) == "document_seen"
    with store.reading() as facts:
        assert facts.lots_of("crush", "soybeans")[0].origin == "mill:X-1/1"


def test_45_the_blinded_id_is_the_same_in_every_book_and_names_nobody(store: Store) -> None:
    posted(store, [*CAST, {**report("ada", "soybeans", "100", "5000"), "salt": SALT}])
    other = MemoryStore()
    posted(other, [*CAST, {**report("ada", "soybeans", "100", "5000"), "salt": SALT}])
    with store.reading() as facts, other.reading() as others:
        names = [view.many(Origin, "ada/soybeans/2025")[0].id for view in (facts, others)]
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


def test_46_in_the_first_year_the_contract_for_the_first_audit_will_do_and_an_adverse_opinion_will_not(
    store: Store,
) -> None:
    first = favourable("coop", "soybeans", opinion="first_audit_contracted")
    posted(store, [*CAST, first, *REPORTS, *BUY, SELL])
    assert run(store, [TAKE])[0].facts == (("state", "held"),)
    posted(store, [{**favourable("coop", "soybeans", opinion="adverse"), "id": "bad", "number": "V9"}])
    posted(store, [{**SELL, "id": "v2", "bushels": "10"}])
    assert run(store, [{**TAKE, "id": "a2", "movement": "v2"}])[0].facts == (("state", "unverified"),)


def test_47_retention_runs_from_the_holders_own_sale(store: Store) -> None:
    posted(store, [*base(), *BUY, SELL, TAKE])
    with store.reading() as facts:
        coop = {one.movement: one.until for one in retention(facts.steps("coop"), "coop")}
        crush = {one.movement: one.until for one in retention(facts.steps("crush"), "crush")}
    assert coop == {"b": None, "v": date(2031, 1, 10)}, "what is left in stock keeps its purchase, not the sale"
    assert crush["a"] is None
    posted(store, [ev("sale", "rest", "2026-02-28", giver="coop", taker="crush", crop="soybeans", bushels="400")])
    with store.reading() as facts:
        coop = {one.movement: one.until for one in retention(facts.steps("coop"), "coop")}
    assert coop == {"b": date(2031, 2, 28), "v": date(2031, 1, 10), "rest": date(2031, 2, 28)}


def test_48_a_shared_loss_bears_on_every_ci_and_a_return_names_its_sale(store: Store) -> None:
    more = bought("b2", "ben", "coop", BEN_SOY, "500", day="2026-01-04", site="north")
    plain = ev("receipt", "g", "2026-01-05", entity="coop", site="north", form="soybeans", amount="1500", number="G")
    posted(store, [*base(), *more, *BUY, plain])
    loss = ev("loss", "l", "2026-01-06", entity="coop", site="north", crop="soybeans", bushels="30", shared=True)
    posted(store, [loss])
    with store.reading() as facts:
        lost = [dict(one.outgoing) for one in books(facts, "coop")[0].lines]
        assert lost == [{"lost": 10_000}, {"lost": 5_000}]
    posted(store, [{**SELL, "lots": [serials(ADA_SOY, 100, 700)]}, TAKE])
    back = ev("return", "r", "2026-01-20", giver="crush", taker="coop", movement="v", amount="250.5", site="north")
    posted(store, [back])
    with store.reading() as facts:
        assert dict(line(facts, "coop", 5000).incoming)["returned to us"] == 250_500
        assert dict(line(facts, "crush", 5000).outgoing) == {"returned by us": 250_500}


def test_49_a_move_between_sites_is_no_flow_and_each_site_answers_for_its_grain(store: Store) -> None:
    move = ev("move", "m", "2026-01-08", entity="coop", site="north", to_site="south", crop="soybeans", bushels="300")
    posted(store, [*base(), *BUY, move])
    with store.reading() as facts:
        assert (line(facts, "coop", 5000).total_incoming, line(facts, "coop", 5000).total_outgoing) == (1_000_000, 0)
    close = ev("close", "c", "2026-03-31", entity="coop", closed_on="2026-04-01", surplus="refused")
    assert status(store, close) == "no_grain_book"
    south = ev("receipt", "g", "2026-01-08", entity="coop", site="south", form="soybeans", amount="299", number="G")
    posted(store, [south])
    assert status(store, close) == "claims_exceed_grain"


def test_50_a_landowner_sells_its_share_and_the_farm_counts_once(store: Store) -> None:
    share = ev("share", "sh", "2026-01-03", giver="ada", taker="lena", origin=ADA_SOY, bushels="3000")
    posted(store, [*base(), share])
    theirs = ev("slip", "s", "2026-01-04", giver="lena", taker="coop", origin=ADA_SOY, bushels="100")
    ours = ev("slip", "t", "2026-01-04", giver="ada", taker="coop", origin=ADA_SOY, spans=[["0", "10"]])
    posted(store, [theirs, ev("purchase", "b", "2026-01-05", giver="lena", taker="coop", slip="s", site="north")])
    assert status(store, ours) == "not_held"
    with store.reading() as facts:
        assert {lot.origin for lot in facts.lots_of("coop", "soybeans")} == {ADA_SOY}
        assert len(facts.many(Origin, "ada/soybeans/2025")) == 1


def test_51_opening_stock_is_the_beginning_of_the_first_period(store: Store) -> None:
    opening = ev(
        "opening", "o", "2025-12-31", entity="coop", site="north", crop="corn", harvest_year=2025, ci="7000",
        bushels="123.456", number="1", evidence="bin sheet",
    )  # fmt: skip
    posted(store, [*base(), opening])
    with store.reading() as facts:
        book = line(facts, "coop", 7000)
        assert (book.beginning, book.total_incoming, book.ending) == (123_456, 0, 123_456)
        assert facts.lots_of("coop", "corn")[0].state is LotState.HELD


def test_the_landowner_and_every_other_role_are_words_an_entity_may_have(store: Store) -> None:
    posted(store, [entity("x", "landowner"), entity("y", "service_provider", "bin")])
