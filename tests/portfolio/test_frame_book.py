"""A book in columns takes and refuses exactly what the same book in rows does, however many rows it has."""

from datetime import date, timedelta
from random import Random
from typing import Any, Final

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.portfolio.frames import MANY, FrameBook, frame_of, is_key, schema_of
from provender.records.book import RecordBook
from provender.records.field import KEY_PATTERN, TEXT_MAX, ColumnKind, Field
from provender.records.kind import KINDS, IncompleteRow, Record
from tests.records.test_checks import row_of

LONGEST = 80
TYPES: Final = {
    ColumnKind.KEY: pl.String,
    ColumnKind.TEXT: pl.String,
    ColumnKind.CHOICE: pl.Enum,
    ColumnKind.QUANTITY: pl.Int64,
    ColumnKind.WHOLE: pl.Int64,
    ColumnKind.DAY: pl.Date,
    ColumnKind.YES_NO: pl.Boolean,
}


@pytest.mark.parametrize("name", KINDS)
def test_each_column_is_kept_as_it_is_declared(name: str) -> None:
    kind = KINDS[name]
    schema = schema_of(kind)
    assert schema == frame_of(kind, []).schema
    assert list(schema) == list(kind.columns)
    assert all(isinstance(dtype, TYPES[kind.columns[column].kind]) for column, dtype in schema.items())


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


def passes(units: list[str]) -> FrameBook:
    """Return passes over some units as a book; the farm has N40 and S40."""
    owned = [row_of("unit", farm_id=farm, unit_id=unit) for farm, unit in (("F1", "N40"), ("F1", "S40"), ("F2", "W40"))]
    count = len(units)
    given = {
        "farm_id": ["F1"] * count, "operation_id": [f"O{place}" for place in range(count)], "unit_id": units,
        "operation": ["Plow, moldboard"] * count, "source_row": range(count),
    }  # fmt: skip
    schema = schema_of(KINDS["operation"])
    made = pl.DataFrame([pl.Series(name, given.get(name, [None] * count), of) for name, of in schema.items()])
    farms = frame_of(KINDS["farm"], [row_of("farm", farm_id=farm, name=farm) for farm in ("F1", "F2")])
    return FrameBook.of_frames({"farm": farms, "unit": frame_of(KINDS["unit"], owned), "operation": made})


def test_of_many_rows_every_one_that_names_what_is_not_there_is_told() -> None:
    units = [*["N40"] * MANY, "N41", "N41", *["S40"] * MANY, "N41"]
    book = passes(units)
    assert {one.code for one in book.problems} == {"unknown_reference"}
    assert [one.place.row for one in book.problems] == [MANY, MANY + 1, 2 * MANY + 2]


@pytest.mark.parametrize("wrong", [0, MANY // 2, MANY])
def test_a_name_that_is_none_is_found_among_many_rows_wherever_it_stands(wrong: int) -> None:
    units = ["N40"] * (MANY + 1)
    units[wrong] = "!"
    book = passes(units)
    assert [(one.code, one.place.column) for one in book.problems] == [("out_of_bounds", "unit_id")]
    assert book["operation"].height == MANY


# Random rows, in which much is wrong: what is told of them in columns is what is told in rows.

NAMES: Final = ("A", "B", "C", "D")


def cell(found: Field, chance: Random) -> Any:  # noqa: ANN401 - of any column
    """Return what may stand in a column, at its bounds or just beyond them now and then, or nothing."""
    if chance.random() < (0.01 if found.required else 0.3):
        return None
    match found.kind:
        case ColumnKind.KEY:
            return chance.choice(NAMES) if chance.random() < 0.97 else chance.choice(("!", "", "a" * (LONGEST + 1)))
        case ColumnKind.TEXT:
            return chance.choice(("Disk", "fall chisel", "Aerial seeding", "x"))
        case ColumnKind.CHOICE:
            return chance.choice(found.options)
        case ColumnKind.YES_NO:
            return chance.random() < 0.5
        case ColumnKind.DAY:
            return chance.choice((date(2026, 5, 1), found.least, found.most))
        case _:
            return 1 if found.least is None else chance.choice((found.least, found.most))


def spoiled(found: Field, chance: Random) -> Any:  # noqa: ANN401 - of any column
    """Return what may not stand in a column, where there is such a thing."""
    if found.kind is ColumnKind.TEXT and not found.internal:
        return chance.choice(("", "x" * (TEXT_MAX + 1)))
    if found.least is None:
        return cell(found, chance)
    step = timedelta(days=1) if found.kind is ColumnKind.DAY else 1
    return chance.choice((found.least - step, found.most + step))


def random_row(kind: str, chance: Random) -> Record:
    row = {name: cell(found, chance) for name, found in KINDS[kind].columns.items()}
    if chance.random() < 0.2:
        name = chance.choice(list(row))
        row[name] = spoiled(KINDS[kind].columns[name], chance)
    return KINDS[kind].row_of(row | {"farm_id": chance.choice(("F1", "F2"))})


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 12))])
def test_in_columns_the_same_is_told_marked_and_kept_as_in_rows(seed: int) -> None:
    chance = Random(seed)
    records = {}
    for kind in KINDS:
        rows = [random_row(kind, chance) for _ in range(chance.randrange(9))]
        records[kind] = [*rows, *chance.sample(rows, min(len(rows), chance.randrange(3)))]
    marks = [IncompleteRow("operation", "F1", None, None, name) for name in chance.sample(NAMES, 2)] * 2
    in_rows = RecordBook.of(records, incomplete_rows=marks)
    frames = {kind: frame_of(KINDS[kind], rows) for kind, rows in records.items() if rows}
    in_columns = FrameBook.of_frames(frames, incomplete_rows=marks).as_records()
    assert {one.code for one in in_rows.problems} == {"out_of_bounds", "double_key", "unknown_reference"}
    assert in_columns.problems == in_rows.problems
    assert in_columns.incomplete_rows == in_rows.incomplete_rows
    assert in_columns.records == in_rows.records
    assert FrameBook.of_book(in_rows).as_records() == in_columns
