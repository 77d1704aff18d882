"""Rows are checked against what their kind declares: bounds, names, repeats and what they name."""

from datetime import date

import pytest

from provender.records.field import TEXT_MAX
from provender.records.kind import KINDS, Record, check_rows, missing_references


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


@pytest.mark.parametrize(
    ("units", "told"),
    [
        (["N40", "N40", "S40"], []), (["N41", "N41", "N40"], [0, 1]), (["N40", "N41", "N41", "N40", "N41"], [1, 2, 4]),
        (["W40"], [0]),
    ],
)  # fmt: skip
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
