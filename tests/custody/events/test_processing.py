"""Readings 40 and 41: processing within the balance, and the yields of a campaign."""

import pytest

from provender.custody.model.store_view import Store
from tests.custody.first_sale import BUY, SELL, TAKE, base, books, crushed, line
from tests.custody.world import ADA_SOY, BEN_SOY, bought, ev, posted, report, run, serials, status


def test_40_processing_is_inside_the_equation_and_sheets_per_form_stand_beneath(store: Store) -> None:
    rate = ev(
        "yield", "y", "2026-01-01", entity="crush", made_of="soybeans", output="soybean_oil", campaign="C",
        rate="11.07", start_day="2026-01-01", end_day="2026-03-31",
    )  # fmt: skip
    process = ev("process", "p", "2026-01-13", entity="crush", crop="soybeans", output="soybean_oil", bushels="100")
    posted(store, [*base(), *BUY, SELL, TAKE, rate, process])
    with store.reading() as facts:
        book = line(facts, "crush", 5000)
        assert (book.total_incoming, book.total_outgoing, book.ending) == (600_000, 0, 600_000)
        assert {form: sheet.ending for form, sheet in book.sheets.items()} == {
            "soybeans": 500_000,
            "soybean_oil": 1_107_000,
        }


def test_40_two_farms_with_one_ci_share_an_equation_and_keep_their_lots(store: Store) -> None:
    same = {**report("ben", "soybeans", "8000", "5000"), "id": "same", "harvest_year": 2025}
    events = [one for one in base() if one["id"] != "report-ben-soybeans-2025"]
    more = bought("b2", "ben", "coop", BEN_SOY, "50", day="2026-01-06", site="north")
    posted(store, [*events, same, *BUY, *more])
    with store.reading() as facts:
        assert [one.ending for one in books(facts, "coop")[0].lines] == [1_050_000]
        assert {lot.origin for lot in facts.lots_of("coop", "soybeans")} == {ADA_SOY, BEN_SOY}


@pytest.mark.parametrize(("final", "held"), [("10", 2_700_000), ("11.5", 3_450_000)])
def test_41_a_final_yield_trues_up_what_is_held_and_takes_back_what_was_sold_too_much(
    store: Store, final: str, held: int
) -> None:
    crushed(store)
    rate = ev(
        "yield", "yf", "2026-03-31", entity="crush", made_of="soybeans", output="soybean_oil", campaign="C",
        rate=final, start_day="2026-01-01", end_day="2026-03-31", basis="final",
    )  # fmt: skip
    true_up = ev("true_up", "t", "2026-03-31", entity="crush", made_of="soybeans", output="soybean_oil", campaign="C")
    posted(store, [rate, true_up])
    with store.reading() as facts:
        # 300 bushels are left; at 10 lb/bu the 300 bushels sold gave 300 lb too much.
        assert sum(lot.product for lot in facts.lots_of("crush", "soybeans")) == held
    assert status(store, {**true_up, "id": "t2"}) == "nothing_to_adjust"


FINAL = ev(
    "yield", "yf", "2026-03-31", entity="crush", made_of="soybeans", output="soybean_oil", campaign="C",
    rate="11.5", start_day="2026-01-01", end_day="2026-03-31", basis="final",
)  # fmt: skip
TRUE_UP = ev("true_up", "t", "2026-03-31", entity="crush", made_of="soybeans", output="soybean_oil", campaign="C")


def test_41_taking_back_a_movement_leaves_the_yield_that_a_true_up_gave(store: Store) -> None:
    crushed(store)
    away = ev("storage", "st", "2026-01-25", owner="crush", custodian="tank", form="soybean_oil",
              lots=[serials(ADA_SOY, 400, 500)])  # fmt: skip
    posted(store, [away, FINAL, TRUE_UP])
    posted(store, [ev("correct", "c", "2026-03-31", entity="crush", movement="st", reason="never left")])
    with store.reading() as facts:
        held = facts.lots_of("crush", "soybeans")
        assert {(lot.custodian, lot.rate) for lot in held} == {("crush", 11_500_000)}
        assert all(lot.product * 1_000_000 <= lot.rate * lot.crop_amount for lot in held)


def test_41_what_was_bought_of_a_campaign_stays_at_its_suppliers_yield(store: Store) -> None:
    crushed(store)
    posted(store, [ev("accept", "oil-in", "2026-01-21", taker="fuel", movement="oil"), FINAL])
    bought_oil = {**TRUE_UP, "id": "theirs", "entity": "fuel", "plant": "crush"}
    assert status(store, bought_oil) == "nothing_to_adjust"
    posted(store, [TRUE_UP])
    with store.reading() as facts:
        assert {lot.rate for lot in facts.lots_of("fuel", "soybeans")} == {11_000_000}
        assert {lot.rate for lot in facts.lots_of("crush", "soybeans")} == {11_500_000}


def test_41_claimed_oil_is_at_most_actual_oil_times_the_claims_share_of_all_crop(store: Store) -> None:
    crushed(store)
    totals = {"crop_crushed": "60000", "product_made": "650000"}
    crush = ev(
        "crush", "k", "2026-01-31", entity="crush", made_of="soybeans", output="soybean_oil", campaign="C", **totals
    )
    outcome = run(store, [crush])[0]
    assert dict(outcome.facts) == {"excess": "100 lb"}
    more = [
        *bought("b2", "ada", "coop", ADA_SOY, "100", day="2026-02-01", site="north"),
        ev("sale", "v2", "2026-02-01", giver="coop", taker="crush", crop="soybeans", bushels="100"),
        ev("accept", "a2", "2026-02-01", taker="crush", movement="v2"),
    ]
    posted(store, more)
    process = ev("process", "p2", "2026-02-02", entity="crush", crop="soybeans", output="soybean_oil", bushels="100")
    assert status(store, process) == "beyond_actual_product"


def test_41_totals_below_what_claims_have_used_up_are_taken_as_measured_and_told(store: Store) -> None:
    crushed(store)
    run_of = {"made_of": "soybeans", "output": "soybean_oil", "campaign": "C", "product_made": "10000"}
    totals = [
        ev("crush", f"k-{used}", "2026-01-31", entity="crush", crop_crushed=used, **run_of)
        for used in ("600", "599.999")
    ]
    met, missed = run(store, totals)
    assert (met.status, missed.status) == ("posted", "posted")
    assert met.facts == ()
    assert dict(missed.facts) == {"used_beyond": "0.001 bu"}
    assert missed.message == "Done. Claims use up 0.001 bu more than was put in."


@pytest.mark.parametrize(
    ("totals", "answer"),
    [
        ({"crop_crushed": "177.7", "product_made": "9999"}, "beyond_crop_crushed"),
        ({"crop_crushed": "9999", "product_made": "1777.7"}, "beyond_actual_product"),
    ],
)
def test_whoever_lets_crush_learns_no_totals_of_the_plant(store: Store, totals: dict[str, str], answer: str) -> None:
    made = {"made_of": "soybeans", "output": "soybean_oil", "campaign": "C"}
    take = bought("b-ben", "ben", "coop", BEN_SOY, "100", day="2026-01-05", site="north")
    posted(store, [*base(), *BUY, *take])
    for owner, origin in (("coop", ADA_SOY), ("coop", BEN_SOY)):
        lots = [serials(origin, 0, 100)]
        posted(store, [ev("storage", f"st-{origin}", "2026-01-06", owner=owner, custodian="tank", lots=lots)])
    days = {"start_day": "2026-01-01", "end_day": "2026-03-31"}
    posted(store, [ev("yield", "y", "2026-01-01", entity="tank", rate="11", **made, **days),
                   ev("crush", "k", "2026-01-31", entity="tank", **made, **totals)])  # fmt: skip
    process = ev("process", "p", "2026-02-02", entity="coop", plant="tank", crop="soybeans", output="soybean_oil",
                 bushels="200")  # fmt: skip
    refused = run(store, [process])[0]
    assert refused.status == answer
    assert "soybeans/soybean_oil/C of tank" in refused.message
    assert not any(letter.isdigit() for letter in refused.message), refused.message


def test_41_refining_is_a_chained_yield_and_toll_crushing_leaves_the_owner_its_claims(store: Store) -> None:
    toll = [
        ev("yield", "y1", "2026-01-01", entity="tank", made_of="soybeans", output="soybean_oil", campaign="C",
           rate="11", start_day="2026-01-01", end_day="2026-03-31"),
        ev("yield", "y2", "2026-01-01", entity="tank", made_of="soybean_oil", output="refined_soybean_oil",
           campaign="R", rate="0.95", start_day="2026-01-01", end_day="2026-03-31"),
        ev("storage", "st", "2026-01-06", owner="coop", custodian="tank", lots=[serials(ADA_SOY, 0, 100)]),
        ev("process", "p1", "2026-01-07", entity="coop", plant="tank", crop="soybeans", output="soybean_oil",
           bushels="100"),
        ev("process", "p2", "2026-01-08", entity="coop", plant="tank", crop="soybeans", form="soybean_oil",
           output="refined_soybean_oil", pounds="1100"),
    ]  # fmt: skip
    posted(store, [*base(), *BUY, *toll])
    with store.reading() as facts:
        lot = facts.lots_at(ADA_SOY, 0, 1)[0]
        assert (lot.owner, lot.form, lot.product, lot.rate, lot.crop_amount) == (
            "coop", "refined_soybean_oil", 1_045_000, 10_450_000, 100_000,
        )  # fmt: skip
