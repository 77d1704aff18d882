"""What a plant makes: processing within the balance, campaigns, batches, pounds on paper."""

import json
from datetime import date
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.custody.documents.receive import sign_document
from provender.custody.events.allocation import shares
from provender.custody.events.closing import Closing
from provender.custody.events.corrections import ReturnEvent
from provender.custody.events.plant import Crush
from provender.custody.events.registry import post, read_event
from provender.custody.events.trade import with_pounds_told
from provender.custody.model.balances import Span, balances
from provender.custody.model.entities import Entity, Period
from provender.custody.model.lots import (
    RATE_ONE,
    Lot,
    LotState,
    Piece,
    chained,
    crop_for,
    cut,
    joined,
    length,
    part,
    product_of,
    rests,
    whole,
)
from provender.custody.model.store_view import Store
from provender.custody.queries.alerts import AlertKind, alerts
from provender.custody.reconcile.books import reconcile
from provender.custody.reconcile.discrepancies import DiscrepancyKind
from provender.custody.store import MemoryStore
from provender.signing.canonical import canonical_json
from tests.custody.first_sale import BUY, SELL, TAKE, base, books, crushed, line
from tests.custody.papers import gather_books, key_of, owned
from tests.custody.queries.test_own_books import book
from tests.custody.queries.test_papers_between_others import OIL, pins
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
    oil_yield,
    period,
    posted,
    record_of,
    report,
    run,
    serials,
    status,
)
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)


@pytest.mark.parametrize(("final", "held"), [("10", 2_700_000), ("11.5", 3_450_000)])
def test_41_a_final_yield_trues_up_stock_and_takes_back_what_was_oversold(
    store: MemoryStore, final: str, held: int
) -> None:
    crushed(store)
    rate = oil_yield("yf", "2026-03-31", entity="crush", rate=final, basis="final")
    true_up = ev("true_up", "t", "2026-03-31", entity="crush", made_of="soybeans", output="soybean_oil", campaign="C")
    posted(store, [rate, true_up])
    # 300 bushels are left; at 10 lb/bu the 300 bushels sold gave 300 lb too much.
    assert sum(lot.product for lot in store.lots_of("crush", "soybeans")) == held
    assert status(store, {**true_up, "id": "t2"}) == "nothing_to_adjust"


FINAL = oil_yield("yf", "2026-03-31", entity="crush", rate="11.5", basis="final")
TRUE_UP = ev("true_up", "t", "2026-03-31", entity="crush", made_of="soybeans", output="soybean_oil", campaign="C")


def test_41_taking_back_a_movement_leaves_the_yield_that_a_true_up_gave(store: MemoryStore) -> None:
    crushed(store)
    away = ev("storage", "st", "2026-01-25", owner="crush", custodian="tank", form="soybean_oil",
              lots=[serials(ADA_SOY, 400, 500)])  # fmt: skip
    posted(store, [away, FINAL, TRUE_UP])
    posted(store, [ev("correct", "c", "2026-03-31", entity="crush", movement="st", reason="never left")])
    held = store.lots_of("crush", "soybeans")
    assert {(lot.custodian, lot.rate) for lot in held} == {("crush", 11_500_000)}
    assert all(lot.product * 1_000_000 <= lot.rate * lot.crop_amount for lot in held)


def test_41_what_was_bought_of_a_campaign_stays_at_its_suppliers_yield(store: MemoryStore) -> None:
    crushed(store)
    posted(store, [ev("accept", "oil-in", "2026-01-21", taker="fuel", movement="oil"), FINAL])
    bought_oil = {**TRUE_UP, "id": "theirs", "entity": "fuel", "plant": "crush"}
    assert status(store, bought_oil) == "nothing_to_adjust"
    posted(store, [TRUE_UP])
    assert {lot.rate for lot in store.lots_of("fuel", "soybeans")} == {11_000_000}
    assert {lot.rate for lot in store.lots_of("crush", "soybeans")} == {11_500_000}


def test_41_claimed_oil_is_at_most_actual_oil_times_the_claims_share_of_all_crop(store: Store) -> None:
    crushed(store)
    totals = {"crop_crushed": "60000", "product_made": "650000"}
    crush = ev(
        "crush", "k", "2026-01-31", entity="crush", made_of="soybeans", output="soybean_oil", campaign="C", **totals
    )
    assert dict(run(store, [crush])[0].details) == {"excess": "100 lb"}
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
    assert met.details == ()
    assert dict(missed.details) == {"used_beyond": "0.001 bu"}
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


def test_41_refining_is_a_chained_yield_and_toll_crushing_leaves_the_owner_its_claims(store: MemoryStore) -> None:
    toll = [
        oil_yield("y1", "2026-01-01", entity="tank", rate="11"),
        ev("yield", "y2", "2026-01-01", entity="tank", made_of="soybean_oil", output="refined_soybean_oil",
           campaign="R", rate="0.95", start_day="2026-01-01", end_day="2026-03-31"),
        ev("storage", "st", "2026-01-06", owner="coop", custodian="tank", lots=[serials(ADA_SOY, 0, 100)]),
        ev("process", "p1", "2026-01-07", entity="coop", plant="tank", crop="soybeans", output="soybean_oil",
           bushels="100"),
        ev("process", "p2", "2026-01-08", entity="coop", plant="tank", crop="soybeans", form="soybean_oil",
           output="refined_soybean_oil", pounds="1100"),
    ]  # fmt: skip
    posted(store, [*base(), *BUY, *toll])
    lot = store.lots_at(ADA_SOY, 0, 1)[0]
    assert (lot.owner, lot.form, lot.product, lot.rate, lot.crop_amount) == (
        "coop", "refined_soybean_oil", 1_045_000, 10_450_000, 100_000,
    )  # fmt: skip


# Product is bound as crop is: bounds of its form, batches that a campaign adds up, gallons told (reading 71).

FILE: Final = ROWS.named["FILE"]
STEP = {"entity": "coop", "site": "north", "made_of": "soybeans", "output": "soybean_oil", "campaign": "C"}
RATE: Final = ROWS.named["RATE"]
STOCK = [*CAST, *REPORTS, *bought("b", "ada", "coop", ADA_SOY, "1000", day="2026-01-05", site="north")]
LINE: Final = ROWS.named["LINE"]


def world(*more: Event) -> MemoryStore:
    return posted(MemoryStore(), [*STOCK, RATE, *more])


def batch(number: str, put_in: str, made: str, day: str = "2026-01-10", **more: object) -> Event:
    return ev("convert", f"convert-{number}", day, number=number, put_in=put_in, made=made, **{**STEP, **more})


def process(bushels: str) -> Event:
    return ev("process", f"p-{bushels}", "2026-01-20", entity="coop", site="north", crop="soybeans",
              output="soybean_oil", bushels=bushels)  # fmt: skip


def opened(pounds: str, **more: object) -> Event:
    place = {"entity": "crush", "site": "plant", "number": "1", "evidence": "tank"}
    return ev("opening", "o", "2025-12-31", **{**place, **LINE, "ci": "4000", "bushels": "1", "pounds": pounds, **more})


def paper(pounds: str, **more: object) -> Event:
    line = {**LINE, "bushels": "1", "pounds": pounds, **more}
    return ev("document", "d", "2026-01-10", giver="mill", taker="crush", number="d", lines=[line])


@ROWS
def test_more_product_than_its_form_can_give_needs_a_file(event: Event, answer: str) -> None:
    assert status(world(), event) == answer


def test_what_rests_on_a_file_alone_is_shown_to_the_verifier() -> None:
    store = world(opened("20", evidence=FILE))
    assert AlertKind.IMPLAUSIBLE_YIELD in alerted(store, date(2026, 1, 20), "crush")


def test_a_campaign_is_the_sum_of_its_batches_and_bounds_its_claims() -> None:
    store = world(batch("1", "100", "1100"), batch("2", "50", "500", coproducts=[{"form": "gums", "pounds": "3"}]))
    crush = record_of(store, Crush, "coop/north/soybeans/soybean_oil/C")
    assert (crush.used, crush.made, crush.coproducts) == (150_000, 1_600_000, (("gums", 3_000),))
    assert status(store, process("151")) == "beyond_crop_crushed"
    assert status(store, process("150")) == "beyond_actual_product"
    figures = ev("crush", "k", "2026-01-31", **STEP, crop_crushed="9000", product_made="99000")
    assert status(store, figures) == "already_answered"
    posted(store, [{**batch("2", "50", "500"), "id": "void", "void": True}, {**batch("2", "50", "600"), "id": "again"}])
    posted(store, [process("150")])
    told = run(store, [{**batch("1", "100", "1100"), "id": "gone", "void": True}])[0]
    assert "Claims use up 100 bu more than was put in." in told.message


@ROWS
def test_what_a_conversion_record_must_be(event: Event, answer: str) -> None:
    assert status(world(batch("1", "100", "1100")), event) == answer


def test_a_meter_that_counted_something_else_is_told() -> None:
    told = run(world(), [batch("1", "100", "1100", meter_before="5000", meter_after="6050")])[0]
    assert "The meter counted 1,050 lb." in told.message


def test_claims_on_product_without_a_record_of_a_batch_are_listed() -> None:
    store = world(process("100"))
    assert AlertKind.NO_CONVERSION_RECORDS in alerted(store, date(2026, 1, 20))
    posted(store, [batch("1", "100", "1100")])
    assert AlertKind.NO_CONVERSION_RECORDS not in alerted(store, date(2026, 1, 20))


@pytest.mark.parametrize(("gallons", "told"), [(None, 1), ("9", 1), ("900", 1), ("140", 0)])
def test_gallons_that_are_missing_or_odd_are_a_finding_about_the_fuel_only(gallons: str | None, told: int) -> None:
    store = MemoryStore()
    oil = {**LINE, "bushels": "100", "pounds": "1100"}
    taken = [
        ev("document", "d", "2026-01-10", giver="mill", taker="fuel", number="d", lines=[oil]),
        ev("accept", "a", "2026-01-11", taker="fuel", movement="d"),
        ev("statement", "s", "2026-01-12", entity="mill", verifier="v", number="1", start_day="2026-01-01",
           end_day="2026-12-31", crops=["soybeans"], opinion="favourable"),
    ]  # fmt: skip
    made = {"gallons": gallons} if gallons else {}
    burnt = ev("retire", "r", "2026-01-15", entity="fuel", crop="soybeans", form="soybean_oil", pounds="1100",
               fuel="diesel", batch="B", **made)  # fmt: skip
    posted(store, [*CAST, *taken, burnt])
    fuel = record_of(store, Entity, "fuel")
    found = [one for one in alerts(store, fuel, date(2026, 1, 20)) if one.kind is AlertKind.FUEL_FIGURE]
    assert len(found) == told
    assert all(one.bushels == 0 for one in found)


PERIODS = [period("coop", "2026-01-01", "2026-02-15"), period("coop", "2026-02-16", "2026-03-31")]


@pytest.mark.parametrize(
    ("start", "end", "told"),
    [
        ("2026-01-01", "2026-02-15", ""),
        ("2026-02-16", "2026-03-31", ""),
        ("2026-02-15", "2026-02-16", "it lies in two periods"),
        ("2026-03-20", "2026-04-01", "its yield is stated for 2026-01-01 to 2026-03-31"),
        ("2025-12-31", "2026-01-01", "its yield is stated for 2026-01-01 to 2026-03-31"),
    ],
)
@pytest.mark.parametrize("campaign", [RATE["campaign"], "2025/26"])
def test_a_batch_beyond_the_days_of_its_yield_or_period_is_told_and_listed(
    campaign: str, start: str, end: str, told: str
) -> None:
    store = MemoryStore()
    cast = [one for one in CAST if not one["id"].startswith("period-coop")]
    run_of = {"campaign": campaign}
    posted(store, [*cast, *PERIODS, *STOCK[len(CAST) :], RATE | run_of])
    answer = run(store, [batch("1", "100", "1100", day=end, start_day=start) | run_of])[0]
    assert answer.status == "posted"
    assert told in answer.message
    coop = record_of(store, Entity, "coop")
    listed = [one for one in alerts(store, coop, date(2026, 4, 20)) if one.kind is AlertKind.BATCH_OUT_OF_DAYS]
    assert [told in one.said for one in listed] == ([True] if told else [])


# What the paper of a holder may say of pounds: which way they were rounded, and nothing that makes product.

DAY = date(2026, 2, 10)


def piece(product: int) -> Piece:
    """Return ten bushels of oil at eleven pounds each, of which so much is supposed to be there."""
    oil = ("fuel", "fuel", "", "soybean_oil", product, 11_000_000, 500_000, LotState.HELD)
    return whole(Lot("o1/1", "", "O", "soybeans", 2025, 0, 10_000, *oil, DAY, DAY, DAY, "mill", "", "o1"))


def returned(pounds: str, signer: str = "fuel") -> ReturnEvent:
    row = {"origin": "O", "start": "0", "stop": "10", "product_lb": pounds}
    paper = json.dumps({"document": {"seller": {"id": signer}, "spans": [row]}})
    event = {"type": "return", "id": "r", "day": DAY.isoformat(), "giver": "fuel", "taker": "mill", "movement": "o1"}
    found = read_event({**event, "paper": paper})
    assert isinstance(found, ReturnEvent)
    return found


@pytest.mark.parametrize(
    ("supposed", "said", "booked"),
    [
        (109_995, "110", 110_000),
        (110_000, "110", 110_000),
        (110_000, "110.001", 110_000),  # beyond what ten bushels give
        (109_990, "109.5", 109_500),  # less is less
        (50_000, "110", 50_012),  # a campaign that was trued up had taken it: a paper does not bring it back
        (50_000, "50.013", 50_012),
        (50_000, "50.012", 50_012),
    ],
)
def test_pounds_move_by_a_rounding_and_no_further(supposed: int, said: str, booked: int) -> None:
    facts = MemoryStore("mill")
    ((_, change),) = with_pounds_told(facts, returned(said), [(piece(supposed), {})], {"fuel"})
    assert change == {"product": booked}


@pytest.mark.parametrize(
    ("owner", "signer"), [("", "fuel"), ("fuel", "fuel"), ("mill", "verity")],
    ids=["a book of all", "the holder's own", "a verifier's paper"],
)  # fmt: skip
def test_where_nothing_is_out_of_sight_or_nobody_knows_the_book_says_the_pounds(owner: str, signer: str) -> None:
    facts = MemoryStore(owner)
    ((_, change),) = with_pounds_told(facts, returned("110", signer), [(piece(109_995), {})], {"fuel"})
    assert change == {}


@pytest.mark.parametrize("pounds", ["-1", "much", "", None, [], {}, True, 1.5])
def test_a_signed_paper_whose_pounds_say_nothing_is_refused_in_words(pounds: object) -> None:
    mill = posted(owned("mill", book("mill", *OIL)), pins("mill", "fuel"))
    parties = {"seller": {"id": "fuel", "name": "Fuel"}, "buyer": {"id": "mill", "name": "Mill"}}
    row = {"origin": ADA_SOY, "start": "0", "stop": "835.052", "product_lb": pounds}
    said = {"type": "custody-consent", "format": 1, "number": "r", "made_on": DAY.isoformat(), **parties,
            "day": DAY.isoformat(), "act": "return", "words": "", "movement": "o1", "spans": [row]}  # fmt: skip
    if isinstance(pounds, float):  # canonical JSON has no fractions: it stands unsigned
        paper = json.dumps({"document": said, "signature": ""})
    else:
        paper = canonical_json(sign_document(said, key_of("fuel"))).decode()
    event = {"type": "return", "id": "r", "day": DAY.isoformat(), "giver": "fuel", "taker": "mill", "movement": "o1",
             "site": "mill", "lots": [{"origin": ADA_SOY, "start": "0", "stop": "835.052"}]}  # fmt: skip
    assert post(mill, read_event({**event, "paper": paper})).status == "paper_not_shown"
    assert mill.posted("r") is None


# What holds for every amount and every order of events, and suspicions about the book, each as a case.

RATES = st.integers(1, 60 * RATE_ONE)
CROPS = st.integers(1, 10**9)


def oil_lot(crop: int, rate: int, start: int = 0) -> Lot:
    day = date(2026, 1, 5)
    title: dict[str, Any] = {
        "owner": "coop", "custodian": "coop", "site": "north", "supplier": "ada", "batch": "b", "by": "m",
    }  # fmt: skip
    days: dict[str, Any] = {"since": day, "acquired": day, "titled": day}
    head: dict[str, Any] = {
        "id": "m/1", "parent": "p/1", "origin": "o", "crop": "soybeans", "harvest_year": 2025, "ci": 1,
    }  # fmt: skip
    span: dict[str, Any] = {"start": start, "stop": start + crop, "product": product_of(crop, rate), "rate": rate}
    return Lot(**head, **span, **title, **days, form="soybean_oil", state=LotState.HELD)


@given(CROPS, RATES)
def test_product_and_back_never_gives_more_crop_claims_than_there_were(crop: int, rate: int) -> None:
    product = product_of(crop, rate)
    assert product * RATE_ONE <= crop * rate
    assert crop_for(product, rate) <= crop
    assert product_of(crop_for(product, rate), rate) >= product


@given(CROPS, RATES, st.integers(1, RATE_ONE))
def test_a_chained_yield_never_gives_more_than_its_two_steps(crop: int, first: int, second: int) -> None:
    assert product_of(crop, chained(first, second)) <= product_of(crop, first) * second // RATE_ONE + 1
    assert chained(first, second) * RATE_ONE <= first * second


@given(st.integers(10**3, 10**8), RATES, st.lists(st.integers(1, 100), max_size=5))
def test_sales_of_a_product_lot_never_exceed_their_crop(crop: int, rate: int, percents: list[int]) -> None:
    lot = oil_lot(crop, rate)
    sold = used = 0
    for number, percent in enumerate(percents):
        wanted = lot.product * percent // 100
        if not wanted:
            break
        piece = whole(lot) if wanted == lot.product else cut(whole(lot), wanted)
        assert piece.product * RATE_ONE <= piece.crop_amount * rate
        sold, used = sold + piece.product, used + piece.crop_amount
        left = rests([piece])
        assert sum(one.product for one in left) <= lot.product - piece.product
        assert all(one.product * RATE_ONE <= one.crop_amount * rate for one in left)
        assert piece.crop_amount + sum(one.crop_amount for one in left) == lot.crop_amount
        if not left or not left[0].product:
            break
        rest = left[0]
        lot = oil_lot(rest.crop_amount, rate, rest.start)
        assert lot.id == f"m/{1}", number
    assert sold * RATE_ONE <= used * rate


@given(st.integers(2, 10**6), RATES, st.data())
def test_pieces_and_rests_tile_their_lot(crop: int, rate: int, data: st.DataObject) -> None:
    lot = oil_lot(crop, rate, 77)
    edges = sorted(data.draw(st.sets(st.integers(lot.start, lot.stop), min_size=2, max_size=6)))
    pieces = [part(lot, low, high) for low, high in zip(edges[::2], edges[1::2], strict=False)]
    everything = [*pieces, *rests(pieces)]
    assert joined((one.start, one.stop) for one in everything) == [(lot.start, lot.stop)]
    assert length((one.start, one.stop) for one in everything) == lot.crop_amount
    assert sum(one.product for one in everything) <= lot.product


@given(st.dictionaries(st.integers(0, 20), st.integers(1, 10**9), min_size=1), st.data())
def test_proportional_shares_add_up_and_none_exceeds_its_stock(weights: dict[int, int], data: st.DataObject) -> None:
    wanted = data.draw(st.integers(1, sum(weights.values())))
    split = shares(weights, wanted)
    assert sum(split.values()) == wanted
    assert all(0 <= split[key] <= weight for key, weight in weights.items())


START: list[Event] = [
    *CAST,
    favourable("coop", "soybeans"),
    favourable("crush", "soybeans"),
    *REPORTS,
    *bought("b1", "ada", "coop", ADA_SOY, "2000.001", day="2026-01-05", site="north"),
    *bought("b2", "ben", "coop", BEN_SOY, "999.999", day="2026-01-06", site="north"),
    *bought("b3", "ada", "coop", ADA_SOY, "333.333", day="2026-01-07", site="north"),
    ev("sale", "first", "2026-01-08", giver="coop", taker="crush", crop="soybeans", bushels="1500.123"),
    ev("accept", "first-in", "2026-01-08", taker="crush", movement="first", site="plant"),
    oil_yield("y", "2026-01-01", entity="crush", site="plant", rate="11.069317"),
]  # fmt: skip


def test_movements_written_at_once_whose_steps_lie_among_each_other_balance_as_one_after_the_other() -> None:
    """A database numbers lots as they come: of two movements of a day written at once, they may alternate."""
    store = posted(MemoryStore(), START)
    for number in (1, 2, 3):
        beans = {"giver": "coop", "taker": "crush", "crop": "soybeans", "bushels": str(100 * number)}
        posted(store, [ev("sale", f"at-once-{number}", "2026-01-09", **beans)])
    steps = store.steps("coop")
    alternating = sorted(steps, key=lambda step: (step.day, step.after.id.rpartition("/")[2]))
    assert [step.movement for step in alternating] != [step.movement for step in steps]
    spans = [Span(period.start, period.end) for period in store.many(Period, "coop")]
    assert balances(alternating, "coop", spans) == balances(steps, "coop", spans)


def test_a_piece_counts_in_the_unit_of_its_form() -> None:
    lot = oil_lot(1000, 11_070_000)
    assert (Piece(lot, 0, 1000, lot.product).amount, Piece(lot, 0, 1000, 0).crop_amount) == (11_070, 1000)


# Suspicions about the book, each as a case: what ended stays ended, days in any order, closes, bins, yields.

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
def test_what_went_into_fuel_before_is_not_brought_back(store: MemoryStore, change: Event | None, answer: str) -> None:
    posted(store, [*base(), *BUY, SELL, TAKE, *FUEL, *([change] if change else [])])
    assert status(store, UNDO) == answer
    lots = store.lots_at(ADA_SOY, 0, 10_000_000)
    live = sum(lot.crop_amount for lot in lots if lot.state in ("held", "unverified", "in_transit"))
    assert live <= store.steps_of(ADA_SOY)[0].after.crop_amount
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


def test_corrections_of_corrections_over_a_close_leave_every_period_whole(store: MemoryStore) -> None:
    grain = ev("receipt", "g", "2026-01-05", entity="coop", site="north", form="soybeans", amount="9999", number="G")
    shut = ev("close", "q1", "2026-03-31", entity="coop", closed_on="2026-04-01")
    posted(store, [*base(), *BUY, grain, SELL, shut])
    names, movement = [], "v"
    for number in range(4):
        names.append(f"c{number}")
        undo = ev("correct", names[-1], f"2026-04-0{number + 2}", entity="coop", movement=movement, reason="again")
        posted(store, [undo])
        movement = names[-1]
        first, second = books(store, "coop")[:2]
        assert [one.bushels for one in store.many(Closing, "coop")[0].endings] == [400_000]
        ending = {one.key.ci: one.ending for one in first.lines}
        assert {one.key.ci: one.beginning for one in second.lines if one.beginning} == ending
        back = number % 2 == 0
        assert line(store, "coop", 5000, 1).ending == (1_000_000 if back else 400_000)
    assert status(store, {**undo, "id": "late", "movement": movement, "day": "2026-03-31"}) == "period_closed"
    assert status(store, {**undo, "id": "twice", "movement": "c0"}) == "already_answered"


def test_two_crop_years_in_one_bin_keep_their_equations_and_share_a_loss(store: MemoryStore) -> None:
    old = {**report("ben", "soybeans", "500", "5000", year=2024), "id": "old"}
    posted(store, [*base(), old, *BUY, *bought("o", "ben", "coop", "ben/soybeans/2024", "500", day="2026-01-06",
                                               site="north")])  # fmt: skip
    measured = ev("measurement", "m", "2026-01-31", entity="coop", site="north", form="soybeans", amount="1485",
                  number="M")  # fmt: skip
    shrink = ev("loss", "shrink", "2026-01-31", entity="coop", site="north", crop="soybeans", bushels="15", shared=True)
    only = ev("sale", "only", "2026-02-01", giver="coop", taker="crush", crop="soybeans", bushels="500",
              harvest_year=2024)  # fmt: skip
    posted(store, [measured, shrink, only, ev("close", "q", "2026-03-31", entity="coop", closed_on="2026-04-01")])
    found = {one.key.harvest_year: (one.ending, one.total_outgoing) for one in books(store, "coop")[0].lines}
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
    posted(store, [farm, report("M\u00fchle", "corn", "100", "5000")])
    assert status(store, {**report(name, "corn", "100", "5000"), "id": "again"}) == "second_origin"


BATCH: Event = ev("convert", "cv", "2026-03-31", entity="crush", made_of="soybeans", output="soybean_oil", campaign="C",
                  number="B1", put_in="600", made="6000", start_day="2026-01-13")  # fmt: skip


def test_a_final_yield_above_its_batches_is_refused(store: MemoryStore) -> None:
    crushed(store)
    posted(store, [BATCH])
    assert status(store, {**FINAL, "rate": "10.000001"}) == "beyond_actual_product"
    assert status(store, {**FINAL, "rate": "10"}) == "posted"


def test_a_final_yield_that_its_batches_contradict_bars_the_close_until_it_is_stated_anew(store: MemoryStore) -> None:
    """600 bu gave 6,000 lb, and 6,600 lb were claimed, half of them sold: reconcile tells what is beyond."""
    crushed(store)
    weighed = [ev("measurement", f"m{form}", "2026-03-31", entity="crush", form=form, amount="9000", number=form)
               for form in ("soybeans", "soybean_oil")]  # fmt: skip
    posted(store, [*weighed, {**FINAL, "rate": "11"}, BATCH])
    (beyond,) = [
        one for one in reconcile(gather_books(("crush", store))) if one.kind is DiscrepancyKind.PRODUCT_EXCEEDED
    ]
    assert "exceed their share of the product by 600 lb" in beyond.said
    close = ev("close", "q", "2026-03-31", entity="crush", closed_on="2026-04-01")
    assert status(store, close) == "beyond_actual_product"
    assert status(store, {**FINAL, "id": "anew", "rate": "10.1"}) == "beyond_actual_product"
    posted(store, [{**FINAL, "id": "anew", "rate": "10"}, close])
    assert status(store, {**FINAL, "id": "again", "rate": "9"}) == "yields_overlap"
