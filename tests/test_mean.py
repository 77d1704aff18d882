"""A mean by weight is exact, rounded once, and there is none where nothing weighs."""

import pytest

from provender.exact import weighted_mean


@pytest.mark.parametrize(
    ("parts", "mean"),
    [([], None), ([(7, 0)], None), ([(7, 3)], 7), ([(1, 1), (2, 1)], 2), ([(2, 1), (3, 1)], 2), ([(1, 3), (5, 1)], 2)],
)
def test_a_mean_is_by_weight_and_ties_go_to_even(parts: list[tuple[int, int]], mean: int | None) -> None:
    assert weighted_mean(iter(parts)) == mean
