from datetime import date

import pytest

from provender.rule.season import MonthDay, Season

FALL = Season(MonthDay(8, 1), MonthDay(12, 31))
OVER_NEW_YEAR = Season(MonthDay(11, 15), MonthDay(2, 29))


@pytest.mark.parametrize(
    ("day", "inside"),
    [
        (date(2025, 7, 31), False),
        (date(2025, 8, 1), True),
        (date(2025, 12, 31), True),
        (date(2026, 1, 1), False),
    ],
)
def test_both_ends_of_a_window_belong_to_it(day: date, inside: bool) -> None:
    assert FALL.contains(day) is inside


@pytest.mark.parametrize(
    ("day", "inside"),
    [
        (date(2025, 11, 14), False),
        (date(2025, 11, 15), True),
        (date(2026, 1, 1), True),
        (date(2026, 2, 28), True),
        (date(2024, 2, 29), True),
        (date(2026, 3, 1), False),
    ],
)
def test_a_window_may_run_over_new_year(day: date, inside: bool) -> None:
    assert OVER_NEW_YEAR.contains(day) is inside


@pytest.mark.parametrize("text", ["", "8-1", "13-01", "02-30", "08-01-2025", "August"])
def test_what_is_no_month_and_day_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a month and day"):
        MonthDay.parse(text)


def test_a_window_reads_as_people_write_it() -> None:
    assert str(FALL) == "1 August to 31 December (default)"
    assert str(MonthDay.parse("02-29")) == "02-29"
