"""The fewest lots for a mean, held against every choice of small stocks."""

import tracemalloc
from datetime import date
from itertools import combinations, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from provender.custody.memory_store import MemoryStore
from provender.custody.queries.mean_choice import MeanChoice, fewest
from provender.quantity import CI_SCALE, parse
from provender.services.custody.choosing import by_mean, sale_of
from provender.services.refused import RefusedError
from tests.custody.world import ADA_SOY, BEN_SOY, CAST, REPORTS, bought, favourable, posted

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
    [("4999.99", "0", "at most 4999.99"), ("7000", "6000.01", "at least 6000.01"), ("4000", "3000", "at most 4000")],
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
