"""What holds for every amount and every order of events: tiling, conservation, chain, no conversion in one's favour."""

from datetime import date
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from provender.custody.events.allocation import shares
from provender.custody.events.closing import claims_by_place
from provender.custody.memory_store import MemoryStore
from provender.custody.model.balances import period_balances
from provender.custody.model.entities import Period
from provender.custody.model.grain import grain_group
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
)
from provender.custody.queries.columns import faults, legs_of
from tests.custody.world import ADA_SOY, BEN_SOY, CAST, REPORTS, Event, bought, ev, favourable, posted, run

RATES = st.integers(1, 60 * RATE_ONE)
CROPS = st.integers(1, 10**9)


def oil_lot(crop: int, rate: int, start: int = 0) -> Lot:
    day = date(2026, 1, 5)
    title: dict[str, Any] = {
        "owner": "coop",
        "custodian": "coop",
        "site": "north",
        "supplier": "ada",
        "batch": "b",
        "by": "m",
    }
    days: dict[str, Any] = {"since": day, "acquired": day, "titled": day}
    head: dict[str, Any] = {
        "id": "m/1",
        "parent": "p/1",
        "origin": "o",
        "crop": "soybeans",
        "harvest_year": 2025,
        "ci": 1,
    }
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
def test_sales_from_a_product_lot_never_claim_more_than_their_crop_supports(
    crop: int, rate: int, percents: list[int]
) -> None:
    lot = oil_lot(crop, rate)
    sold = used = 0
    for number, percent in enumerate(percents):
        wanted = lot.product * percent // 100
        if not wanted:
            break
        piece = cut(lot, wanted)
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


AMOUNT = st.integers(1, 900_000)
MOVES = st.lists(
    st.tuples(
        st.sampled_from(
            ("sale", "oil", "accept", "process", "loss", "release", "retire", "return", "correct", "worse")
        ),
        AMOUNT,
        st.integers(1, 80),
    ),
    max_size=40,
)

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
    ev(
        "yield", "y", "2026-01-01", entity="crush", site="plant", made_of="soybeans", output="soybean_oil",
        campaign="C", rate="11.069317", start_day="2026-01-01", end_day="2026-03-31",
    ),
]  # fmt: skip


def thousandths(amount: int) -> str:
    return f"{amount // 1000}.{amount % 1000:03}"


def event(number: int, kind: str, amount: int, pick: int) -> Event:
    name, day = f"x{number}", f"2026-{1 + (8 + number) // 28:02}-{1 + (8 + number) % 28:02}"
    beans = {"crop": "soybeans", "bushels": thousandths(amount)}
    oil = {"crop": "soybeans", "form": "soybean_oil", "pounds": thousandths(amount)}
    earlier = f"x{max(0, number - pick % 5 - 1)}"
    match kind:
        case "sale":
            return ev("sale", name, day, giver="coop", taker="crush", **beans)
        case "oil":
            return ev("sale", name, day, giver="crush", taker="fuel", **oil)
        case "accept":
            taker, site = (("crush", "plant"), ("fuel", "works"))[pick % 2]
            return ev("accept", name, day, taker=taker, movement=earlier, site=site)
        case "process":
            return ev("process", name, day, entity="crush", output="soybean_oil", **beans)
        case "retire":
            made = {"fuel": "renewable diesel", "batch": name, "gallons": "1"}
            return ev("retire", name, day, entity="fuel", **oil, **made)
        case "return":
            giver, taker = (("crush", "coop"), ("fuel", "crush"))[pick % 2]
            site = {"coop": "north", "crush": "plant"}[taker]
            return ev("return", name, day, giver=giver, taker=taker, movement=earlier, site=site)
        case "correct":
            return ev("correct", name, day, entity="crush", movement=earlier, reason="drawn")
        case "worse":
            fields = {"entity": "ada", "crop": "soybeans", "harvest_year": 2025, "version": 2, "ci": "5600"}
            return ev("report", name, day, **fields, bushels=thousandths(10_000_000 - amount))
        case _:
            who, what = (("crush", oil), ("coop", beans))[pick % 2]
            return ev(kind, name, day, entity=who, **what)


def test_movements_written_at_once_whose_steps_lie_among_each_other_balance_as_one_after_the_other() -> None:
    """A database numbers lots as they come: of two movements of a day written at once, they may alternate."""
    store = MemoryStore()
    posted(store, START)
    for number in (1, 2, 3):
        posted(store, [event(0, "sale", 100_000 * number, 0) | {"id": f"at-once-{number}"}])
    steps = store.steps("coop")
    alternating = sorted(steps, key=lambda step: (step.day, step.after.id.rpartition("/")[2]))
    assert [step.movement for step in alternating] != [step.movement for step in steps]
    periods = store.many(Period, "coop")
    assert period_balances(alternating, "coop", periods) == period_balances(steps, "coop", periods)


@given(MOVES)
def test_any_order_of_movements_leaves_whole_origins_and_true_balances(moves: list[tuple[str, int, int]]) -> None:
    store = MemoryStore()
    posted(store, START)
    run(store, [event(number, *move) for number, move in enumerate(moves)])
    assert faults(legs_of(store, store.events())) == []
    for origin, stop in ((ADA_SOY, 10_000_000), (BEN_SOY, 8_000_000)):
        lots = store.lots_at(origin, 0, stop)
        assert joined((lot.start, lot.stop) for lot in lots) == [(0, stop)]
        assert length((lot.start, lot.stop) for lot in lots) == stop
        for lot in lots:
            assert lot.product * RATE_ONE <= lot.crop_amount * lot.rate
    for name in ("coop", "crush", "fuel"):
        books = period_balances(store.steps(name), name, store.many(Period, name))
        held: dict[tuple[str, int, int], int] = {}
        forms: dict[tuple[int, str], int] = {}
        for lot in store.lots_of(name, "soybeans"):
            key = (lot.crop, lot.harvest_year, lot.ci)
            held[key] = held.get(key, 0) + lot.crop_amount
            forms[lot.ci, lot.form] = forms.get((lot.ci, lot.form), 0) + lot.amount
        assert {tuple(line.key): line.ending for line in books[-1].lines if line.ending} == held
        sheets = {(line.key.ci, form): one.ending for line in books[-1].lines for form, one in line.sheets.items()}
        assert {key: amount for key, amount in sheets.items() if amount} == forms
        for book in books:
            for line in book.lines:
                # The organic programme's form of the same equation: beginning + incoming - ending = outgoing.
                assert line.beginning + line.total_incoming - line.ending == line.total_outgoing
                assert min(line.beginning, line.ending, line.total_outgoing) >= 0


@given(st.integers(0, 4_000_000), st.lists(AMOUNT, max_size=4))
def test_after_a_close_claims_never_exceed_the_grain(measured: int, sold: list[int]) -> None:
    store = MemoryStore()
    posted(store, START)
    sales = [
        ev(
            "sale",
            f"s{number}",
            "2026-02-01",
            giver="coop",
            taker="crush",
            crop="soybeans",
            bushels=thousandths(amount),
        )
        for number, amount in enumerate(sold)
    ]
    run(store, sales)
    stock = ev(
        "measurement", "m", "2026-03-31", entity="coop", site="north", form="soybeans", amount=thousandths(measured)
    )
    posted(store, [{**stock, "number": "M1"}])
    posted(store, [ev("close", "c", "2026-03-31", entity="coop", closed_on="2026-04-01")])
    for place, claims in claims_by_place(store, "coop", date(2026, 3, 31)).items():
        grain = store.grain(grain_group(*place)).on(date(2026, 3, 31))
        assert grain is not None
        assert claims <= grain


def test_a_piece_counts_in_the_unit_of_its_form() -> None:
    lot = oil_lot(1000, 11_070_000)
    assert (Piece(lot, 0, 1000, lot.product).amount, Piece(lot, 0, 1000, 0).crop_amount) == (11_070, 1000)
