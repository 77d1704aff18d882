"""Product is bound as crop is: bounds of its form, batches that a campaign adds up, gallons told (reading 71)."""

from datetime import date

import pytest

from provender.custody.events.plant import Crush
from provender.custody.memory_store import MemoryStore
from provender.custody.model.entities import Entity
from provender.custody.queries.alerts import AlertKind, alerts
from tests.custody.world import ADA_SOY, CAST, REPORTS, Event, bought, ev, period, posted, run, status

FILE = "scale house report, sha256 " + "ab" * 32
STEP = {"entity": "coop", "site": "north", "made_of": "soybeans", "output": "soybean_oil", "campaign": "C"}
RATE = ev("yield", "y", "2026-01-01", **STEP, rate="11", start_day="2026-01-01", end_day="2026-03-31")
STOCK = [*CAST, *REPORTS, *bought("b", "ada", "coop", ADA_SOY, "1000", day="2026-01-05", site="north")]
LINE = {"crop": "soybeans", "harvest_year": 2025, "ci": "5000", "form": "soybean_oil"}


def world(*more: Event) -> MemoryStore:
    store = MemoryStore()
    posted(store, [*STOCK, RATE, *more])
    return store


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


@pytest.mark.parametrize(
    ("event", "answer"),
    [
        (opened("1000000"), "yield_beyond_bounds"),
        (opened("13.501"), "yield_beyond_bounds"),
        (opened("13.5"), "posted"),
        (opened("1000000", evidence=FILE), "posted"),
        (opened("11", rate="14"), "yield_beyond_bounds"),
        (opened("11", rate="10"), "beyond_crop"),
        (paper("1000000"), "yield_beyond_bounds"),
        (paper("13.5"), "posted"),
        (paper("11", rate="1000"), "yield_beyond_bounds"),
        ({**paper("14"), "evidence": FILE}, "posted"),
        ({**paper("14"), "evidence": "settlement.pdf"}, "yield_beyond_bounds"),
        (paper("56", crop="corn", form="ground_corn"), "posted"),
        (paper("56.001", crop="corn", form="ground_corn"), "yield_beyond_bounds"),
        (paper("40.001", crop="corn", form="corn_starch"), "yield_beyond_bounds"),
        ({**RATE, "id": "z", "campaign": "D", "rate": "13.500001"}, "yield_beyond_bounds"),
        ({**RATE, "id": "z", "rate": "1.000001", "made_of": "soybean_oil", "output": "refined_soybean_oil"},
         "yield_beyond_bounds"),
        ({**RATE, "id": "z", "rate": "1", "made_of": "soybean_oil", "output": "refined_soybean_oil"}, "posted"),
        ({**RATE, "id": "z", "rate": "60", "site": "south", "evidence": FILE}, "posted"),
    ],
)  # fmt: skip
def test_more_product_than_its_form_can_give_needs_a_file(event: Event, answer: str) -> None:
    assert status(world(), event) == answer


def test_what_rests_on_a_file_alone_is_shown_to_the_verifier() -> None:
    store = world(opened("20", evidence=FILE))
    crush = store.one(Entity, "crush")
    assert crush is not None
    assert AlertKind.IMPLAUSIBLE_YIELD in {one.kind for one in alerts(store, crush, date(2026, 1, 20))}


def test_a_campaign_is_the_sum_of_its_batches_and_bounds_its_claims() -> None:
    store = world(batch("1", "100", "1100"), batch("2", "50", "500", coproducts=[{"form": "gums", "pounds": "3"}]))
    crush = store.one(Crush, "coop/north/soybeans/soybean_oil/C")
    assert crush is not None
    assert (crush.used, crush.made, crush.coproducts) == (150_000, 1_600_000, (("gums", 3_000),))
    assert status(store, process("151")) == "beyond_crop_crushed"
    assert status(store, process("150")) == "beyond_actual_product"
    figures = ev("crush", "k", "2026-01-31", **STEP, crop_crushed="9000", product_made="99000")
    assert status(store, figures) == "already_answered"
    posted(store, [{**batch("2", "50", "500"), "id": "void", "void": True}, {**batch("2", "50", "600"), "id": "again"}])
    posted(store, [process("150")])
    told = run(store, [{**batch("1", "100", "1100"), "id": "gone", "void": True}])[0]
    assert "Claims use up 100 bu more than was put in." in told.message


@pytest.mark.parametrize(
    ("event", "answer"),
    [
        ({**batch("1", "9", "9"), "id": "again"}, "document_seen"),
        (batch("2", "0", "9"), "amount_not_positive"),
        (batch("2", "9", "0"), "amount_not_positive"),
        (batch("2", "9", "9", campaign="none"), "yield_not_found"),
        (batch("2", "9", "9", start_day="2026-01-11"), "dates_reversed"),
        (batch("2", "9", "9", day="2026-04-30", start_day="2026-01-30"), "period_too_long"),
        (batch("2", "9", "9", day="2026-04-29", start_day="2026-01-30"), "posted"),
        (batch("2", "9", "9", void=True), "record_not_found"),
        (batch("2", "9", "9", output="soybean_meal"), "form_carries_no_claim"),
        (batch("2", "9", "9", entity="ada"), "role_not_allowed"),
        (batch("2", "9", "9", coproducts=[{"form": "soybean_oil", "pounds": "1"}]), "form_not_possible"),
    ],
)
def test_what_a_conversion_record_must_be(event: Event, answer: str) -> None:
    assert status(world(batch("1", "100", "1100")), event) == answer


def test_a_meter_that_counted_something_else_is_told() -> None:
    told = run(world(), [batch("1", "100", "1100", meter_before="5000", meter_after="6050")])[0]
    assert "The meter counted 1,050 lb." in told.message


def test_claims_on_product_without_a_record_of_a_batch_are_listed() -> None:
    store = world(process("100"))
    coop = store.one(Entity, "coop")
    assert coop is not None
    kinds = {one.kind for one in alerts(store, coop, date(2026, 1, 20))}
    assert AlertKind.NO_CONVERSION_RECORDS in kinds
    posted(store, [batch("1", "100", "1100")])
    assert AlertKind.NO_CONVERSION_RECORDS not in {one.kind for one in alerts(store, coop, date(2026, 1, 20))}


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
    fuel = store.one(Entity, "fuel")
    assert fuel is not None
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
def test_a_batch_beyond_the_days_of_its_yield_or_of_one_period_is_told_and_listed(
    start: str, end: str, told: str
) -> None:
    store = MemoryStore()
    cast = [one for one in CAST if not one["id"].startswith("period-coop")]
    posted(store, [*cast, *PERIODS, *STOCK[len(CAST) :], RATE])
    answer = run(store, [batch("1", "100", "1100", day=end, start_day=start)])[0]
    assert answer.status == "posted"
    assert told in answer.message
    coop = store.one(Entity, "coop")
    assert coop is not None
    listed = [one for one in alerts(store, coop, date(2026, 4, 20)) if one.kind is AlertKind.BATCH_OUT_OF_DAYS]
    assert [told in one.said for one in listed] == ([True] if told else [])
