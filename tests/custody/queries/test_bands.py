"""Five bands against the national default: at, just under and just over each border, for both signs."""

import pytest

from provender.custody.queries.day_sheet import Band, Reach, band_of, reach_of

CASES = [
    (0, Band.THIRTY), (629_999, Band.THIRTY), (630_000, Band.THIRTY), (630_001, Band.TWENTY), (720_000, Band.TWENTY),
    (720_001, Band.TEN), (810_000, Band.TEN), (810_001, Band.LESS), (899_999, Band.LESS), (900_000, Band.DEFAULT),
    (900_001, Band.DEFAULT), (-1, Band.THIRTY),
]  # fmt: skip


@pytest.mark.parametrize(("ci", "band"), CASES)
def test_a_border_belongs_to_the_band_farther_below(ci: int, band: Band) -> None:
    assert band_of(ci, 900_000) is band


def test_a_default_that_is_no_round_number_has_exact_borders() -> None:
    assert (band_of(1_999, 2_857), band_of(2_000, 2_857)) == (Band.THIRTY, Band.TWENTY)


def test_the_borders_of_a_band_hold_what_it_holds_and_no_more() -> None:
    for default in (700_000, 900_001, 3, -0):
        for ci in (*range(-3, 12), *range(489_990, 490_010), *range(699_990, 700_010), 899_999, 900_001):
            low, high, band = reach_of(ci, default)
            assert (low is None or low <= ci) and (high is None or ci < high)  # noqa: PT018 - one claim
            if default:
                assert band == band_of(ci, default)
                assert low is None or band_of(low, default) == band
                assert high is None or band_of(high, default) != band
    assert reach_of(612_345, None) == Reach(600_000, 700_000, "")
