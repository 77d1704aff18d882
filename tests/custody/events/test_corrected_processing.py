"""A processing taken back after its campaign was trued up takes out the oil that its claims stand for by then."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.custody.events.plant import CampaignTotals, Crush
from provender.custody.memory_store import MemoryStore
from provender.custody.model.lots import Lot
from provender.custody.model.store_view import Store, StoreView
from tests.custody.world import ADA_SOY, CAST, REPORTS, Event, bought, ev, favourable, posted, run, serials

RUN: dict[str, Any] = {"made_of": "soybeans", "output": "soybean_oil", "campaign": "C", "entity": "crush"}
DAYS: dict[str, Any] = {"start_day": "2026-01-01", "end_day": "2026-03-31"}
BATCH = "crush/plant/soybeans/soybean_oil/C"
START: list[Event] = [
    *CAST, favourable("coop", "soybeans"), favourable("crush", "soybeans"), *REPORTS,
    *bought("b1", "ada", "coop", ADA_SOY, "1000", day="2026-01-05", site="north"),
    ev("sale", "beans", "2026-01-06", giver="coop", taker="crush", crop="soybeans", bushels="1000"),
    ev("accept", "beans-in", "2026-01-06", taker="crush", movement="beans"),
    ev("yield", "y", "2026-01-07", rate="11", **RUN, **DAYS),
]  # fmt: skip
SOLD: Event = ev(
    "sale", "oil", "2026-01-20", giver="crush", taker="fuel", crop="soybeans", form="soybean_oil", pounds="3300"
)
FINAL: Event = ev("yield", "yf", "2026-01-31", rate="10", basis="final", **RUN, **DAYS)
TRUE_UP: Event = ev("true_up", "t", "2026-01-31", **RUN)


def process(name: str, bushels: str = "300", day: str = "2026-01-13") -> Event:
    return ev("process", name, day, entity="crush", crop="soybeans", output="soybean_oil", bushels=bushels)


def undo(name: str, movement: str, day: str = "2026-02-01") -> Event:
    return ev("correct", name, day, entity="crush", movement=movement, reason="weighed twice")


def totals(used: str, made: str, day: str = "2026-01-31") -> Event:
    return ev("crush", f"k-{day}", day, crop_crushed=used, product_made=made, **RUN)


def claimed(store: Store) -> tuple[int, int]:
    with store.reading() as facts:
        one = facts.one(CampaignTotals, f"{BATCH}/crush")
        assert one is not None
        return one.used, one.made


@pytest.mark.parametrize("rate", ["10", "11", "12"])
def test_taking_back_all_that_a_campaign_claimed_leaves_nothing_and_never_less(store: Store, rate: str) -> None:
    posted(store, [*START, process("p"), {**FINAL, "rate": rate}, TRUE_UP, undo("c", "p")])
    assert claimed(store) == (0, 0)


def test_what_a_true_up_took_for_oil_sold_too_much_stays_taken(store: Store) -> None:
    posted(store, [*START, process("p1"), SOLD, process("p2", day="2026-01-21"), FINAL, TRUE_UP])
    assert claimed(store) == (600_000, 6_000_000)
    posted(store, [undo("c", "p2")])
    # The 300 bushels that stay gave the 3,300 lb sold; the 300 lb too much are with them again.
    assert claimed(store) == (300_000, 3_300_000)
    assert dict(run(store, [totals("600", "6000", "2026-02-02")])[0].facts) == {"excess": "300 lb"}
    assert run(store, [process("p3", "300", "2026-02-03")])[0].status == "beyond_actual_product"


@pytest.mark.parametrize(("made", "answer"), [("6600", "posted"), ("6599.999", "beyond_actual_product")])
def test_crop_on_which_oversold_oil_stands_is_not_taken_out_of_its_campaign(
    store: Store, made: str, answer: str
) -> None:
    posted(store, [*START, process("p1"), SOLD, process("p2", day="2026-01-21"), FINAL, TRUE_UP, totals("600", made)])
    assert run(store, [undo("c", "p2")])[0].status == answer


def test_a_processing_does_not_come_back_into_a_campaign_that_was_trued_up(store: Store) -> None:
    posted(store, [*START, process("p1"), process("p2"), undo("c", "p1", "2026-01-14"), FINAL, TRUE_UP])
    assert run(store, [undo("cc", "c")])[0].status == "already_answered"
    assert claimed(store) == (300_000, 3_000_000)


@pytest.mark.parametrize(("made", "answer"), [("3600", "posted"), ("3599.999", "beyond_actual_product")])
def test_a_final_yield_that_gives_more_than_was_made_is_not_taken_over(store: Store, made: str, answer: str) -> None:
    posted(store, [*START, process("p"), totals("300", made, "2026-01-30"), {**FINAL, "rate": "12"}])
    assert run(store, [TRUE_UP])[0].status == answer


@pytest.mark.parametrize(
    ("used", "made", "answer"),
    [
        ("600", "6600", "posted"),
        ("599.999", "6600", "beyond_crop_crushed"),
        ("600", "6599.999", "beyond_actual_product"),
    ],
)
def test_a_processing_that_comes_back_must_fit_in_as_a_new_one(store: Store, used: str, made: str, answer: str) -> None:
    posted(store, [*START, process("p1"), process("p2"), undo("c", "p1", "2026-01-14"), totals(used, made)])
    assert run(store, [undo("cc", "c")])[0].status == answer


MOVES = st.lists(
    st.tuples(
        st.sampled_from(("process", "process", "oil", "correct", "correct", "return", "true_up", "crush")),
        st.integers(1, 400_000),
        st.integers(1, 5),
    ),
    max_size=20,
)


def move(number: int, kind: str, amount: int, back: int) -> list[Event]:
    name, day = f"x{number}", f"2026-02-{1 + number:02}"
    text = f"{amount // 1000}.{amount % 1000:03}"
    earlier = f"x{max(0, number - back)}"
    match kind:
        case "process":
            return [process(name, text, day)]
        case "oil":
            return [{**SOLD, "id": name, "day": day, "pounds": text}]
        case "correct":
            return [undo(name, earlier, day)]
        case "return":
            return [ev("return", name, day, giver="fuel", taker="crush", movement=earlier)]
        case "true_up":
            rate = f"{8 + amount % 5}.{amount % 1000:03}"
            return [{**FINAL, "id": f"{name}-y", "day": day, "rate": rate}, {**TRUE_UP, "id": name, "day": day}]
    return [totals("1000", str(8000 + amount % 4000), day)]


def too_much(facts: StoreView) -> int:
    """Return, from the lots alone, by how much oil under claims exceeds its share of the oil made."""
    lots = [lot for lot in facts.lots_at(ADA_SOY, 0, 10_000_000) if lot.batch == BATCH]
    crush = facts.one(Crush, BATCH)
    if crush is None:
        return 0
    used = min(_crop(lots), crush.used)
    return max(0, sum(lot.product for lot in lots) - crush.made * used // crush.used)


def _crop(lots: list[Lot]) -> int:
    return sum(lot.crop_amount for lot in lots)


@given(MOVES)
def test_nothing_but_the_plants_own_totals_moves_claims_above_their_share_of_the_oil(
    moves: list[tuple[str, int, int]],
) -> None:
    store = MemoryStore()
    posted(store, START)
    before = 0
    for number, (kind, amount, back) in enumerate(moves):
        run(store, move(number, kind, amount, back))
        after = too_much(store)
        assert kind == "crush" or after <= before
        before = after
        known = store.one(CampaignTotals, f"{BATCH}/crush")
        lots = [lot for lot in store.lots_at(ADA_SOY, 0, 10_000_000) if lot.batch == BATCH]
        standing = sum(lot.product for lot in lots)
        assert known is None or min(known.used, known.made) >= 0
        assert standing <= (known.made if known else 0)
        assert _crop(lots) == (known.used if known else 0)


REFINING: Event = ev("yield", "yr", "2026-01-07", made_of="soybean_oil", output="refined_soybean_oil", campaign="R",
                     entity="crush", rate="0.95", **DAYS)  # fmt: skip


def refined_and_taken_back() -> list[Event]:
    oil = {"entity": "crush", "crop": "soybeans", "form": "soybean_oil", "output": "refined_soybean_oil"}
    return [REFINING, ev("process", "r", "2026-01-22", pounds="300", **oil), undo("cr", "r", "2026-01-23"), FINAL]


def bought_back() -> list[Event]:
    """Return oil that the elevator had made at the crusher's plant and sold to it, refined there and taken back."""
    toll = [
        ev("storage", "st", "2026-01-06", owner="coop", custodian="crush", lots=[serials(ADA_SOY, 900, 1000)]),
        ev("process", "theirs", "2026-01-13", entity="coop", plant="crush", crop="soybeans", output="soybean_oil",
           bushels="100"),
        ev("sale", "oil-back", "2026-01-20", giver="coop", taker="crush", crop="soybeans", form="soybean_oil",
           pounds="1100"),
        ev("accept", "oil-in", "2026-01-20", taker="crush", movement="oil-back"),
    ]  # fmt: skip
    sold = {**START[-3], "bushels": "900"}
    beans = [sold if one["id"] == "beans" else one for one in START]
    return [*beans, *toll, *refined_and_taken_back()]


def oil_rates(store: Store) -> set[int]:
    with store.reading() as facts:
        return {lot.rate for lot in facts.lots_of("crush", "soybeans") if lot.form == "soybean_oil"}


def test_bought_oil_of_the_own_plant_stays_its_suppliers_when_its_refining_is_taken_back(store: Store) -> None:
    posted(store, bought_back())
    assert run(store, [TRUE_UP])[0].status == "nothing_to_adjust"
    assert oil_rates(store) == {11_000_000}


def test_own_oil_is_still_adjusted_after_its_refining_is_taken_back(store: Store) -> None:
    posted(store, [*START, process("p"), *refined_and_taken_back(), TRUE_UP])
    assert oil_rates(store) == {10_000_000}
