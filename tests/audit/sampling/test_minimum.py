"""The sampling table of public documents, and the square root at sizes where floats fail."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.audit.sampling.population import minimum_farms

# 90 FR 5512 gives 51 -> 8. The others are sizes for which other schemes publish another answer (CERES and SQF round
# down or ask for a fixed floor or a percentage, IAF MD 1 takes 0.6 of the root, ProTerra discounts low risk), with the
# answer of this rule; and 47 farms of 562 fields, where farms are counted.
INDEPENDENT = {51: 8}
CONTRAST = {15: 4, 25: 5, 50: 8, 100: 10, 200: 15, 400: 20, 10: 4, 40: 7, 81: 9, 130: 12, 2: 2, 67: 9, 49: 7, 144: 12}
CONSTRUCTED = {0: 0, 1: 1, 3: 2, 4: 2, 47: 7, 101: 11}


@pytest.mark.parametrize(("farms", "minimum"), (INDEPENDENT | CONTRAST | CONSTRUCTED).items())
def test_the_minimum_is_the_square_root_rounded_up(farms: int, minimum: int) -> None:
    assert minimum_farms(farms) == minimum


@given(st.integers(2, 10**6))
def test_perfect_squares_and_their_neighbours_up_to_a_trillion(root: int) -> None:
    square = root * root
    assert [minimum_farms(square + by) for by in (-1, 0, 1)] == [root, root, root + 1]


@pytest.mark.parametrize("root", [67_108_865, 94_906_267, 10**9 + 7])
def test_squares_that_floats_cannot_hold(root: int) -> None:
    assert [minimum_farms(root * root + by) for by in (-1, 0, 1)] == [root, root, root + 1]


def test_fewer_than_no_farms_is_refused() -> None:
    with pytest.raises(ValueError, match="nonnegative"):
        minimum_farms(-1)
