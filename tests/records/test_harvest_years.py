"""The harvest year of entries as records keep them, and of those of many farms, which are looked at less closely."""

from datetime import date

import polars as pl
import pytest

from provender.records.book import with_harvest_years, with_year, with_year_of_many, year_of
from tests.standards.season import book_of, changed, clean_season, with_row

DEC, JAN, FALL = date(2025, 12, 20), date(2026, 1, 4), date(2026, 10, 5)


@pytest.mark.parametrize(
    ("first", "last", "year"),
    [
        (DEC, JAN, 2025), (DEC, None, 2025), (None, JAN, 2026), (None, None, None), (JAN, FALL, 2026),
        (date(2025, 12, 31), date(2026, 6, 29), 2025), (date(2025, 12, 31), date(2026, 6, 30), 2026),
        (date(2024, 12, 31), JAN, 2026),
    ],
)  # fmt: skip
def test_an_entry_over_new_year_is_of_the_year_in_which_it_began(
    first: date | None, last: date | None, year: int | None
) -> None:
    assert year_of(first, last) == year


def entries(*days: tuple[str, str], ending: str = "harvested") -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return harvests and plantings of a clean season whose corn was cut on some days."""
    corn = {"unit_id": "N40", "crop": "corn", "use": "grain", "ending": ending}
    rows = changed(clean_season(), "harvest", 1, first_day=days[0][0], last_day=days[0][1])
    for at, (first, last) in enumerate(days[1:], start=1):
        rows = with_row(rows, "harvest", harvest_id=f"more{at}", first_day=first, last_day=last, **corn)
    book = book_of(rows)
    return book["harvest"], book["planting"]


@pytest.mark.parametrize(
    ("days", "years", "parts"),
    [
        ([("2025-10-20", "2025-10-21")], [2025], [False]),
        ([("2025-12-20", "2026-01-04")], [2025], [False]),
        ([("2025-12-20", "2025-12-21"), ("2026-01-04", "2026-01-05")], [2025, 2025], [False, True]),
        ([("2025-10-20", "2025-10-21"), ("2025-10-25", "2025-10-25")], [2025, 2025], [False, True]),
        ([("2025-12-20", "2025-12-21"), ("2026-01-04", ""), ("2026-10-05", "2026-10-06")], [2025, 2025, 2026],
         [False, True, False]),
    ],
)  # fmt: skip
def test_parts_before_and_after_new_year_are_one_harvest_and_the_next_fall_is_another(
    days: list[tuple[str, str]], years: list[int], parts: list[bool]
) -> None:
    harvest, planting = entries(*days)
    here = (pl.col("unit_id") == "N40") & (pl.col("last_day").fill_null(JAN) > date(2025, 1, 1))
    found = with_year(harvest, planting)
    assert found["harvest_id"].to_list() == harvest["harvest_id"].to_list()
    assert found.filter(here)["harvest_year"].to_list() == years
    assert found.filter(here)["part"].to_list() == parts
    assert with_year_of_many(harvest, lambda: planting).filter(here)["harvest_year"].to_list() == years


@pytest.mark.parametrize("before", [date(2026, 10, 6), None])
def test_a_harvest_over_new_year_is_no_later_for_a_unit_that_stands_above_it(before: date | None) -> None:
    days = [(None, date(2025, 10, 21)), (None, before), (DEC, date(2025, 12, 21)), (None, None), (JAN, JAN)]
    ended = pl.DataFrame(
        {
            "farm_id": ["F1"] * 5, "unit": [1, 1, 2, 2, 2], "harvest_id": list("abcde"), "crop": ["corn"] * 5,
            "ending": ["harvested"] * 5, "first_day": [one or JAN for one, _ in days],
            "last_day": [of for _, of in days],
        }
    )  # fmt: skip
    planting = pl.DataFrame(schema={"farm_id": pl.String, "harvest_id": pl.String, "planted_on": pl.Date})
    found = with_harvest_years(ended, planting, 180, ["unit"])
    assert found["harvest_year"].to_list()[-1] == 2025
