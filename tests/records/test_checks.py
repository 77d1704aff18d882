"""Rows are checked against what their kind declares: bounds, names, repeats and what they name; and harvest years.

The harvest year of entries as records keep them, and of those of many farms, which are looked at less closely.
"""

from datetime import date, timedelta
from random import Random
from typing import Final, cast

import polars as pl
import pytest

from provender.portfolio.frames import frame_of, with_both_days, with_harvest_years, with_year_of_many
from provender.records.book import harvests_of, over_new_year_days, year_of, years_of
from provender.records.field import TEXT_MAX
from provender.records.kind import KINDS, Record, check_rows, missing_references
from provender.records.kinds.season import Harvest, Planting
from tests.rows import CaseRows
from tests.standards.season import book_of, changed, clean_season, with_row

ROWS: Final = CaseRows(__file__)


def row_of(kind: str, **columns: object) -> Record:
    """Return a row of a kind with some columns filled in, of the farm F1 if no other is said."""
    return KINDS[kind].row_of({"farm_id": "F1", **columns})


@pytest.mark.parametrize("letter", ["a", "é", "農"])
@pytest.mark.parametrize(("length", "told"), [(TEXT_MAX - 1, []), (TEXT_MAX, []), (TEXT_MAX + 1, ["out_of_bounds"])])
def test_a_text_has_two_thousand_letters_at_most_of_any_size(letter: str, length: int, told: list[str]) -> None:
    (kept,), problems, _ = check_rows(KINDS["unit"], [row_of("unit", unit_id="N40", note=letter * length)])
    assert [one.code for one in problems] == told
    assert (kept.note is None) is bool(told)


@pytest.mark.parametrize(("names", "told"), [(["O1", "O2"], []), (["O1", "O1"], ["double_key"])])
def test_a_name_that_stands_twice_on_one_farm_is_told(names: list[str], told: list[str]) -> None:
    named = [
        row_of("operation", farm_id=farm, operation_id=name, unit_id="N40", operation="Plow, moldboard")
        for farm, name in zip(("F1", "F1", "F2"), (*names, "O2"), strict=True)
    ]
    _, problems, _ = check_rows(KINDS["operation"], named)
    assert [one.code for one in problems] == told


@ROWS
def test_every_row_that_names_what_its_farm_lacks_is_told(units: list[str], told: list[int]) -> None:
    rows = {
        "unit": [row_of("unit", farm_id=farm, unit_id=unit) for farm, unit in FARMS_UNITS],
        "operation": [
            row_of("operation", operation_id=f"O{at}", unit_id=unit, source_row=at) for at, unit in enumerate(units)
        ],
    }
    problems, incomplete = missing_references({kind: rows.get(kind, []) for kind in KINDS})
    assert len(problems) == len(incomplete)
    assert [one.place.row for one in problems] == told


FARMS_UNITS = (("F1", "N40"), ("F1", "S40"), ("F2", "W40"))


@pytest.mark.parametrize(("day", "reach"), [("1979-12-31", None), ("1980-01-01", "1980-01-01"), ("2100-01-02", None)])
def test_a_day_that_cannot_be_right_does_not_say_which_interval_is_damaged(day: str, reach: str | None) -> None:
    row = row_of("operation", operation_id="o", unit_id="u", day=date.fromisoformat(day), depth_in=-1)
    _, _, marks = check_rows(KINDS["operation"], [row])
    assert [(mark.unit_id, mark.day and str(mark.day)) for mark in marks] == [("u", reach)]


@pytest.mark.parametrize(
    ("operation", "told"),
    [("Aerial seeding", []), ("aerial application", []), ("flew on rye & clover", []), ("Joe's bird", []),
     ("Irrigation (2 inch, Pivot, Linear, Wheelline)", []), ("Plow, moldboard", ["out_of_bounds"] * 2),
     ("fall chisel", ["out_of_bounds"] * 2)],
)  # fmt: skip
def test_no_bound_of_an_implement_holds_for_what_no_implement_does(operation: str, told: list[str]) -> None:
    named = {"operation_id": "O1", "unit_id": "N40", "operation": operation, "width_ft": 1_300_000}
    (kept,), problems, _ = check_rows(KINDS["operation"], [row_of("operation", **named, speed_mph=120_000)])
    assert [one.code for one in problems] == told
    assert kept["speed_mph"] == (None if told else 120_000)
    _, problems, _ = check_rows(KINDS["operation"], [row_of("operation", **named, speed_mph=-1)])
    assert [one.place.column for one in problems][:1] == ["speed_mph"], "nothing has a speed below zero"


Entry = tuple[str, str]
UNIT: Final = ("farm_id", "unit_id")
DEC, JAN, FALL = date(2025, 12, 20), date(2026, 1, 4), date(2026, 10, 5)


@pytest.mark.parametrize(
    ("first", "last", "year"),
    [
        (DEC, JAN, 2025), (DEC, None, 2025), (None, JAN, 2026), (None, None, None), (JAN, FALL, 2026),
        (date(2025, 12, 31), date(2026, 6, 29), 2025), (date(2025, 12, 31), date(2026, 6, 30), 2026),
        (date(2024, 12, 31), JAN, 2026),
    ],
)  # fmt: skip
def test_an_entry_is_of_the_year_in_which_it_began(first: date | None, last: date | None, year: int | None) -> None:
    assert year_of(first, last) == year


def entries(*days: tuple[str, str], ending: str = "harvested") -> tuple[list[Harvest], list[Planting]]:
    """Return harvests and plantings of a clean season whose corn was cut on some days."""
    corn = {"unit_id": "N40", "crop": "corn", "use": "grain", "ending": ending}
    rows = changed(clean_season(), "harvest", 1, first_day=days[0][0], last_day=days[0][1])
    for at, (first, last) in enumerate(days[1:], start=1):
        rows = with_row(rows, "harvest", harvest_id=f"more{at}", first_day=first, last_day=last, **corn)
    book = book_of(rows)
    return [*book.every(Harvest)], [*book.every(Planting)]


def parts_of(harvest: list[Harvest], planting: list[Planting]) -> set[Entry]:
    """Return the entries that go on with the one before, by rows."""
    return {(row.farm_id, row.harvest_id) for parts, _ in harvests_of(harvest, planting) for row in parts[1:]}


def in_columns(harvest: list[Harvest], planting: list[Planting]) -> tuple[dict[Entry, int | None], set[Entry]]:
    """Return the year of each entry in columns, and which of them go on with the one before."""
    rows, planted = frame_of(KINDS["harvest"], harvest), frame_of(KINDS["planting"], planting)
    years = with_year_of_many(rows, lambda: planted).select("farm_id", "harvest_id", "harvest_year").rows()
    ended = with_both_days(rows).sort(*UNIT, "first_day", "last_day", nulls_last=True, maintain_order=True)
    found = with_harvest_years(ended, planted, over_new_year_days(), UNIT).filter("part")
    return {(farm, entry): year for farm, entry, year in years}, {*found.select("farm_id", "harvest_id").iter_rows()}


@ROWS
def test_parts_over_new_year_are_one_harvest(days: list[tuple[str, str]], years: list[int], parts: list[bool]) -> None:
    harvest, planting = entries(*days)
    here = [
        (row.farm_id, row.harvest_id)
        for row in harvest
        if row.unit_id == "N40" and (row.last_day or JAN) > date(2025, 1, 1)
    ]
    by_entry, going_on = years_of(harvest, planting), parts_of(harvest, planting)
    assert [by_entry[entry] for entry in here] == years
    assert [entry in going_on for entry in here] == parts
    assert in_columns(harvest, planting) == (by_entry, going_on)


def random_entries(farm: str, chance: Random) -> tuple[list[Harvest], list[Planting]]:
    """Return crop entries of a farm with days around two New Years, and when some of them were planted."""
    harvest, planting = [], []
    for at in range(chance.randrange(1, 12)):
        first = date(2025, 10, 1) + timedelta(days=chance.randrange(500))
        days = first, first + timedelta(days=chance.choice((0, 1, 20, 100, 200)))
        first_day, last_day = (day if chance.random() < 0.8 else None for day in days)
        row = {
            "farm_id": farm, "harvest_id": f"H{at}", "unit_id": chance.choice(("N", "S")),
            "crop": chance.choice(("corn", "corn", "corn", "wheat")), "first_day": first_day, "last_day": last_day,
            "ending": chance.choice(("harvested", "harvested", "harvested", "terminated", "not_yet")),
        }  # fmt: skip
        harvest.append(cast("Harvest", KINDS["harvest"].row_of(row)))
        for sown in range(chance.choice((0, 0, 1, 2))):
            day = first - timedelta(days=chance.randrange(-5, 200)) if chance.random() < 0.9 else None
            row = {"farm_id": farm, "planting_id": f"P{at}-{sown}", "harvest_id": f"H{at}", "planted_on": day}
            planting.append(cast("Planting", KINDS["planting"].row_of(row)))
    return harvest, planting


def test_random_entries_are_of_the_same_year_by_rows_and_in_columns() -> None:
    chance = Random(20261121)
    harvest, planting = [], []
    for number in range(1000):
        entries_of, planted = random_entries(f"F{number}", chance)
        harvest += entries_of
        planting += planted
    assert in_columns(harvest, planting) == (years_of(harvest, planting), parts_of(harvest, planting))


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
    assert with_harvest_years(ended, planting, 180, ["unit"])["harvest_year"].to_list()[-1] == 2025
