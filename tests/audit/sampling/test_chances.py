"""The chance that a sample misses every non-conforming farm, exact and printed."""

from fractions import Fraction
from itertools import combinations

import pytest

from provender.audit.sampling.draw import Detection, shown, table


@pytest.mark.parametrize(("farms", "sample", "bad"), [(6, 2, 1), (7, 3, 2), (8, 3, 4), (5, 5, 1), (5, 0, 2), (6, 3, 0)])
def test_the_chance_counts_all_ways_to_place_the_bad_farms(farms: int, sample: int, bad: int) -> None:
    looked_at = set(range(sample))
    places = [set(one) for one in combinations(range(farms), bad)]
    assert Detection(farms, sample, bad).missed == Fraction(sum(not looked_at & place for place in places), len(places))


def test_eight_of_fifty_one_farms_miss_six_bad_ones_in_a_third_of_cases() -> None:
    assert shown(Detection(51, 8, 6).missed) == "0.3385"
    assert [line["non_conforming_farms"] for line in table(51, 8)] == [3, 6, 11, 16, 26]


def test_a_chance_is_printed_as_nothing_or_sure_only_when_it_is() -> None:
    tiny = Fraction(1, 10**9)
    assert [shown(one) for one in (Fraction(0), tiny, Fraction(1, 2), 1 - tiny, Fraction(1))] == [
        "0.0000", "0.0001", "0.5000", "0.9999", "1.0000",
    ]  # fmt: skip


def test_a_sample_larger_than_the_list_is_refused() -> None:
    with pytest.raises(ValueError, match="larger than"):
        table(3, 4)
