"""The sum of an interval in three values, and its build-up."""

from datetime import date

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.practices import verdict as v
from provender.practices.stir_interval import IntervalPass, build_up, interval_within, within
from provender.practices.verdict import Verdict

LIMIT = 200_000


def one(recorded: int | None, published: int | None = None, day: int | None = 1) -> IntervalPass:
    return IntervalPass(date(2026, 5, day) if day else None, "pass", recorded, published)


@pytest.mark.parametrize(
    ("values", "complete", "verdict"),
    [
        ([72_300, 89_700, 38_000], True, Verdict.MET),
        ([72_300, 89_700, 37_999], True, Verdict.MET),
        ([72_300, 89_700, 38_001], True, Verdict.NOT_MET),
        ([72_300, 89_700, None], True, Verdict.NOT_SHOWN),
        ([72_300, 89_700, 38_001, None], True, Verdict.NOT_MET),
        ([200_000, None], True, Verdict.NOT_SHOWN),
        ([72_300], False, Verdict.NOT_SHOWN),
        ([200_001], False, Verdict.NOT_MET),
        ([], False, Verdict.NOT_SHOWN),
    ],
)
def test_a_sum_against_twenty_at_under_over_and_missing(
    values: list[int | None], complete: bool, verdict: Verdict
) -> None:
    assert within(values, LIMIT, complete=complete) is verdict


@pytest.mark.parametrize(
    ("recorded", "published", "logged", "verdict"),
    [
        (190_000, 199_999, False, Verdict.MET),
        (210_000, 260_000, False, Verdict.NOT_MET),
        (190_000, 260_000, False, Verdict.NOT_SHOWN),
        (210_000, 190_000, False, Verdict.NOT_SHOWN),
        (190_000, 260_000, True, Verdict.MET),
        (210_000, 190_000, True, Verdict.NOT_MET),
        (None, 190_000, True, Verdict.NOT_SHOWN),
    ],
)
def test_readings_on_different_sides_are_not_shown_unless_the_machine_logged(
    recorded: int | None, published: int, logged: bool, verdict: Verdict
) -> None:
    passes = [one(recorded, published)]
    assert interval_within(passes, LIMIT, complete=True, machine_logged=logged) is verdict


def test_the_build_up_follows_the_days_and_counts_what_is_unknown() -> None:
    points = build_up([one(30, 20, 9), one(None, 7, 3), one(10, 10, 1), one(5, 5, None)])
    assert [(point.recorded, point.published, point.unknown) for point in points] == [
        (10, 10, 0),
        (10, 17, 1),
        (40, 37, 1),
        (45, 42, 1),
    ]
    assert build_up([]) == ()


@given(values=st.lists(st.none() | st.integers(0, 120_000), max_size=6), complete=st.none() | st.booleans())
def test_the_columns_judge_a_sum_as_the_plain_reading_does(values: list[int | None], complete: bool | None) -> None:
    frame = pl.DataFrame({"stir": values}, schema={"stir": pl.Int64})
    sums = v.total(pl.col("stir"))
    answer = frame.select(v.at_most(sums, LIMIT, pl.lit(complete, dtype=pl.Boolean)).alias("a")).item()
    assert Verdict.of(answer) is within(values, LIMIT, complete=complete is True)
