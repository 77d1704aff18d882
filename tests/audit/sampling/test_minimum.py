"""The square root, rounded up, at every size; the table of public documents stands in ``conformance/draw``."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.audit.sampling.population import minimum_farms


@given(st.integers(2, 10**6))
def test_perfect_squares_and_their_neighbours_up_to_a_trillion(root: int) -> None:
    square = root * root
    assert [minimum_farms(square + by) for by in (-1, 0, 1)] == [root, root, root + 1]


def test_fewer_than_no_farms_is_refused() -> None:
    with pytest.raises(ValueError, match="nonnegative"):
        minimum_farms(-1)
