"""The fewest lots for a mean, held against every choice of small stocks."""

import tracemalloc
from datetime import date
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from provender.custody.memory_store import MemoryStore
from provender.custody.queries.mean_choice import MeanChoice, fewest, weighed
from provender.quantity import CI_SCALE, parse, show
from provender.services.custody.choosing import by_mean, sale_of
from provender.services.refused import RefusedError
from tests.custody.world import ADA_SOY, BEN_SOY, CAST, REPORTS, bought, ev, favourable, posted, serials

LOTS = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 4)), min_size=1, max_size=5)


def brute(lots: list[tuple[int, int]], wanted: int, most: int, least: int) -> int | None:
    """Return the fewest lots by trying every amount of every set of them."""
    for number in range(1, len(lots) + 1):
        for chosen in combinations(lots, number):
            for amounts in product(*(range(1, size + 1) for _, size in chosen)):
                grams = sum(ci * amount for (ci, _), amount in zip(chosen, amounts, strict=True))
                if sum(amounts) == wanted and least * wanted <= grams <= most * wanted:
                    return number
    return None


@settings(max_examples=300, deadline=None)
@given(LOTS, st.integers(1, 12), st.integers(0, 9), st.integers(0, 9))
def test_it_is_what_trying_everything_finds(lots: list[tuple[int, int]], wanted: int, most: int, width: int) -> None:
    least = max(most - width, 0)
    apart = max(ci for ci, _ in lots) - min(ci for ci, _ in lots)
    assume(least == 0 or width * wanted >= apart)
    found = fewest(lots, wanted, most, least)
    number = brute(lots, wanted, most, least)
    assert (found is None) == (number is None)
    if found is None:
        return
    assert (len(found.amounts), found.fewest) == (number, True)
    assert sum(found.amounts.values()) == wanted
    assert all(0 < amount <= lots[place][1] for place, amount in found.amounts.items())
    assert least * wanted <= sum(lots[place][0] * amount for place, amount in found.amounts.items()) <= most * wanted


def test_a_low_carbon_intensity_that_was_not_asked_for_is_not_given_away() -> None:
    two = [(100, 1000), (300, 1000)]
    assert fewest(two, 1000, 250) == MeanChoice({0: 1000}, fewest=True), "one lot is fewer than two"
    assert fewest(two, 1000, 250, 249) == MeanChoice({0: 250, 1: 750}, fewest=True)
    assert fewest(two, 1200, 250) == MeanChoice({0: 300, 1: 900}, fewest=True)
    assert fewest(two, 1000, 99) is None
    assert fewest(two, 1000, 400, 301) is None
    assert fewest(two, 2001, 300) is None


def test_a_stock_of_thousands_of_lots_is_answered_and_says_where_it_gave_up() -> None:
    lots = [(2_000_000 + 997 * (place % 61), 1 + place * 7919 % 50_000) for place in range(3_000)]
    wanted = sum(size for _, size in lots) // 3
    for least in (0, 2_019_900):
        found = fewest(lots, wanted, 2_020_000, least)
        assert found is not None
        assert sum(found.amounts.values()) == wanted
        grams = sum(lots[place][0] * amount for place, amount in found.amounts.items())
        assert least * wanted <= grams <= 2_020_000 * wanted


@pytest.mark.parametrize("number", [1_200, 2_500])
def test_thousands_of_carbon_intensities_need_no_depth_and_little_memory(number: int) -> None:
    lots = [(2_000_000 + 13 * place, 1 + place * 7919 % 50_000) for place in range(number)]
    wanted = sum(size for _, size in lots) // 2
    most = 2_000_000 + 13 * number // 2
    tracemalloc.start()
    try:
        found = fewest(lots, wanted, most, most - 100)
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()
    assert found is not None
    assert sum(found.amounts.values()) == wanted
    grams = sum(lots[place][0] * amount for place, amount in found.amounts.items())
    assert (most - 100) * wanted <= grams <= most * wanted


@pytest.mark.parametrize(
    ("mean", "least", "told"),
    [
        ("4999.99", "0", "at most 4,999.99 g CO2e/bu"),
        ("7000", "6000.01", "at least 6,000.01 g CO2e/bu"),
        ("4000", "3000", "at most 4,000 g CO2e/bu"),
    ],
)
def test_a_refusal_names_the_bound_that_the_stock_cannot_keep(mean: str, least: str, told: str) -> None:
    store = MemoryStore()
    posted(store, [*CAST, *REPORTS, favourable("coop", "soybeans")])
    posted(store, bought("b1", "ada", "coop", ADA_SOY, "300", day="2026-01-05", site="north"))
    posted(store, bought("b2", "ben", "coop", BEN_SOY, "300", day="2026-01-06", site="north"))
    sale = sale_of("coop", "soybeans", parse("100"), date(2026, 2, 1))
    with store.reading() as facts, pytest.raises(RefusedError) as refused:
        by_mean(facts, sale, parse(mean, CI_SCALE), parse(least, CI_SCALE))
    assert f"at a mean of {told}" in refused.value.problems[0].cause


POUNDS = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 4), st.sampled_from((2, 3))), min_size=1, max_size=4)


@settings(max_examples=200, deadline=None)
@given(POUNDS, st.integers(1, 10), st.integers(0, 9))
def test_pounds_count_by_the_crop_behind_them(lots: list[tuple[int, int, int]], wanted: int, most: int) -> None:
    """Two or three pounds of a bushel: held against every amount of every set of lots, in exact fractions."""

    def grams(amounts: dict[int, int]) -> Fraction:
        return sum((Fraction(x, lots[at][2]) * (lots[at][0] - most) for at, x in amounts.items()), Fraction(0))

    every = (
        {at: x for at, x in enumerate(amounts) if x}
        for amounts in product(*(range(size + 1) for _, size, _ in lots))
        if sum(amounts) == wanted
    )
    number = min((len(one) for one in every if grams(one) <= 0), default=None)
    compared, values = weighed(lots, most, 0)
    found = fewest(compared, wanted, 0, 0, values)
    assert (found is None) == (number is None)
    if found is not None:
        assert (len(found.amounts), found.fewest, sum(found.amounts.values())) == (number, True, wanted)
        assert grams(dict(found.amounts)) <= 0


def oil_store(*yields: str) -> MemoryStore:
    """Oil of 1,000 bu of ada (5000) and of 1,000 bu of ben (6000), each by its own yield."""
    store = MemoryStore()
    posted(store, [*CAST, *REPORTS, favourable("coop", "soybeans"), favourable("crush", "soybeans")])
    farms = (("ada", ADA_SOY), ("ben", BEN_SOY))
    for place, ((farm, origin), rate) in enumerate(zip(farms, yields, strict=True)):
        day = f"2026-01-{10 + 5 * place}"
        posted(store, bought(f"b{farm}", farm, "coop", origin, "1000", day="2026-01-05", site="north"))
        names = {"entity": "crush", "made_of": "soybeans", "output": "soybean_oil", "campaign": f"C{place}"}
        end = f"2026-01-{14 + 5 * place}"
        lots = [serials(origin, 0, 1000)]
        posted(store, [
            ev("sale", f"s{farm}", day, giver="coop", taker="crush", crop="soybeans", lots=lots),
            ev("accept", f"a{farm}", day, taker="crush", movement=f"s{farm}"),
            ev("yield", f"y{farm}", day, **names, rate=rate, start_day=day, end_day=end, basis="provisional"),
            ev("process", f"p{farm}", day, entity="crush", crop="soybeans", output="soybean_oil", lots=lots),
        ])  # fmt: skip
    return store


@pytest.mark.parametrize(
    ("yields", "mean", "least", "lots"),
    [
        (("11", "11"), "5000", "0", 1),
        (("11", "11"), "5500", "5499.99", 2),
        (("10.7", "11.3"), "5500", "0", 1),
        (("10.7", "11.3"), "5333.33", "5333.3", 2),
        (("11.3", "10.7"), "5999.99", "5999.9", 2),
    ],
)
def test_a_mean_of_oil_is_that_of_the_bushels_behind_it_and_is_sold_as_it_was_chosen(
    yields: tuple[str, str], mean: str, least: str, lots: int
) -> None:
    store, pounds = oil_store(*yields), parse("9876.543")
    low, high = parse(least, CI_SCALE), parse(mean, CI_SCALE)
    with store.reading() as facts:
        found = by_mean(facts, sale_of("crush", "soybean_oil", pounds, date(2026, 2, 1)), high, low)
    assert (len(found.lots), found.fewest, sum(one.pounds for one in found.lots)) == (lots, True, pounds)
    named = [
        {"origin": one.origin, "start": show(one.start_bu), "stop": show(one.stop_bu), "pounds": show(one.pounds)}
        for one in found.lots
    ]
    sale = {"giver": "crush", "taker": "fuel", "crop": "soybeans", "form": "soybean_oil", "lots": named}
    posted(store, [ev("sale", "oil", "2026-02-01", **sale)])
    with store.reading() as facts:
        sold = [lot for lot in facts.lots_by("oil") if lot.by == "oil"]
    crop = sum(lot.crop_amount for lot in sold)
    assert sum(lot.amount for lot in sold) == pounds
    assert crop == found.bushels
    assert low * crop <= sum(lot.ci * lot.crop_amount for lot in sold) <= high * crop


def test_more_oil_than_there_is_or_at_a_lower_mean_is_refused_in_pounds() -> None:
    with oil_store("11", "11").reading() as facts:
        for pounds, mean in (("22000.001", "6000"), ("11000.001", "5000"), ("1", "4999.99")):
            with pytest.raises(RefusedError) as refused:
                by_mean(facts, sale_of("crush", "soybean_oil", parse(pounds), date(2026, 2, 1)), parse(mean, CI_SCALE))
            assert " lb at a mean of at most" in refused.value.problems[0].cause
        for wrong in ("soybean_meal", "diesel", ""):
            with pytest.raises(RefusedError, match="pounds of a product that carries claims"):
                by_mean(facts, sale_of("crush", wrong, 1000, date(2026, 2, 1)), 600_000)
