"""The quick check of a frame takes and refuses exactly what its schema does."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.records.field import KEY_PATTERN, TEXT_MAX
from provender.records.kind import KINDS, MANY, check_frame, is_key, missing_references

LONGEST = 80


def rows_of(kind: str, **columns: list[str]) -> pl.DataFrame:
    """Return rows of a kind with some columns filled in."""
    given = pl.DataFrame(columns)
    return given.select(
        pl.col(name).cast(dtype) if name in columns else pl.lit(None, dtype).alias(name)
        for name, dtype in KINDS[kind].empty().schema.items()
    )


@given(st.lists(st.none() | st.text("aÄ½٣ ._:/#()-\n\t!\x00", max_size=LONGEST + 2) | st.text(max_size=4), max_size=20))
def test_letters_and_length_apart_say_what_the_pattern_of_a_name_says(texts: list[str | None]) -> None:
    names = pl.Series("name", texts, pl.String)
    quick = names.to_frame().select(is_key(pl.col("name"))).to_series()
    assert quick.to_list() == names.str.contains(KEY_PATTERN).to_list()


@pytest.mark.parametrize("letter", ["a", "ß", "½", "農"])
@pytest.mark.parametrize(("length", "may"), [(LONGEST - 1, True), (LONGEST, True), (LONGEST + 1, False)])
def test_a_name_has_eighty_letters_at_most_whatever_bytes_they_take(letter: str, length: int, *, may: bool) -> None:
    names = pl.DataFrame({"name": [letter * length]})
    assert names.select(is_key(pl.col("name"))).item() is may
    assert names["name"].str.contains(KEY_PATTERN).item() is may


@pytest.mark.parametrize("letter", ["a", "é", "農"])
@pytest.mark.parametrize(("length", "told"), [(TEXT_MAX - 1, []), (TEXT_MAX, []), (TEXT_MAX + 1, ["out_of_bounds"])])
def test_a_text_has_two_thousand_letters_at_most_whatever_bytes_they_take(
    letter: str, length: int, told: list[str]
) -> None:
    frame = rows_of("unit", farm_id=["F1"], unit_id=["N40"], note=[letter * length])
    kept, problems, _ = check_frame(KINDS["unit"], frame)
    assert [one.code for one in problems] == told
    assert (kept["note"].item() is None) is bool(told)


@pytest.mark.parametrize(("names", "told"), [(["O1", "O2"], []), (["O1", "O1"], ["double_key"])])
def test_a_name_that_stands_twice_on_a_farm_is_told_and_on_two_farms_it_is_not(
    names: list[str], told: list[str]
) -> None:
    named = rows_of(
        "operation", farm_id=["F1", "F1", "F2"], operation_id=[*names, "O2"], unit_id=["N40"] * 3,
        operation=["Plow, moldboard"] * 3,
    )  # fmt: skip
    _, problems, _ = check_frame(KINDS["operation"], named)
    assert [one.code for one in problems] == told


def lost(units: list[str]) -> list[int]:
    """Return the rows that are told of among passes over some units, of which the farm has N40 and S40."""
    operations = [f"O{place}" for place in range(len(units))]
    frames = {
        "unit": rows_of("unit", farm_id=["F1", "F1", "F2"], unit_id=["N40", "S40", "W40"]),
        "operation": rows_of("operation", farm_id=["F1"] * len(units), operation_id=operations, unit_id=units),
    }
    places = pl.int_range(len(units), eager=True).cast(pl.Int64).alias("source_row")
    frames["operation"] = frames["operation"].with_columns(places)
    every = {kind: frames.get(kind, of.empty()) for kind, of in KINDS.items()}
    problems, incomplete = missing_references(every)
    assert len(problems) == len(incomplete)
    return [one.place.row for one in problems]


@pytest.mark.parametrize(
    ("units", "told"),
    [
        (["N40", "N40", "S40"], []), (["N41", "N41", "N40"], [0, 1]), (["N40", "N41", "N41", "N40", "N41"], [1, 2, 4]),
        (["W40"], [0]),
    ],
)  # fmt: skip
def test_every_row_that_names_what_its_farm_does_not_have_is_told_though_it_says_what_the_row_before_says(
    units: list[str], told: list[int]
) -> None:
    assert lost(units) == told


def test_of_many_rows_every_one_that_names_what_is_not_there_is_told() -> None:
    units = [*["N40"] * MANY, "N41", "N41", *["S40"] * MANY, "N41"]
    assert lost(units) == [MANY, MANY + 1, 2 * MANY + 2]


@pytest.mark.parametrize("wrong", [0, MANY // 2, MANY])
def test_a_name_that_is_none_is_found_among_many_rows_wherever_it_stands(wrong: int) -> None:
    count = MANY + 1
    units = ["N40"] * count
    units[wrong] = "!"
    frame = rows_of(
        "operation", farm_id=["F1"] * count, operation_id=[f"O{place}" for place in range(count)], unit_id=units,
        operation=["Plow, moldboard"] * count,
    )  # fmt: skip
    kept, problems, _ = check_frame(KINDS["operation"], frame)
    assert [(one.code, one.place.column) for one in problems] == [("out_of_bounds", "unit_id")]
    assert kept.height == MANY


@pytest.mark.parametrize(("day", "reach"), [("1979-12-31", None), ("1980-01-01", "1980-01-01"), ("2100-01-02", None)])
def test_a_day_that_cannot_be_right_does_not_say_which_interval_is_damaged(day: str, reach: str | None) -> None:
    row = rows_of("operation", farm_id=["f"], operation_id=["o"], unit_id=["u"])
    row = row.with_columns(
        pl.lit(day).str.to_date().alias("day"), pl.lit(-1.0).cast(row.schema["depth_in"]).alias("depth_in")
    )
    _, _, marks = check_frame(KINDS["operation"], row)
    assert [(mark.unit_id, mark.day and str(mark.day)) for mark in marks] == [("u", reach)]


@pytest.mark.parametrize(
    ("operation", "told"),
    [("Aerial seeding", []), ("aerial application", []), ("flew on rye & clover", []), ("Joe's bird", []),
     ("Irrigation (2 inch, Pivot, Linear, Wheelline)", []), ("Plow, moldboard", ["out_of_bounds"] * 2),
     ("fall chisel", ["out_of_bounds"] * 2)],
)  # fmt: skip
def test_no_bound_of_an_implement_holds_for_what_no_implement_does(operation: str, told: list[str]) -> None:
    frame = rows_of("operation", farm_id=["F1"], operation_id=["O1"], unit_id=["N40"], operation=[operation])
    frame = frame.with_columns(pl.lit(120_000).alias("speed_mph"), pl.lit(1_300_000).alias("width_ft"))
    kept, problems, _ = check_frame(KINDS["operation"], frame)
    assert [one.code for one in problems] == told
    assert kept["speed_mph"].to_list() == [None if told else 120_000]
    _, problems, _ = check_frame(KINDS["operation"], frame.with_columns(pl.lit(-1).alias("speed_mph")))
    assert [one.place.column for one in problems][:1] == ["speed_mph"], "nothing has a speed below zero"
