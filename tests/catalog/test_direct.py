"""What is taken from a frame without a query is what the query would find."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.catalog.names import (
    FEW,
    at_once,
    beside,
    collected,
    lookup_name,
    rows_at,
    rows_of,
    spellings,
    with_folded,
    without,
)

KEYS = st.lists(st.one_of(st.none(), st.integers(0, 30)), max_size=12)


def _table(keys: list[int]) -> pl.DataFrame:
    rows = {"key": pl.Series(keys, dtype=pl.UInt32), "said": [f"row of {key}" for key in keys]}
    return pl.DataFrame(rows, schema_overrides={"said": pl.String})


@given(table=st.lists(st.integers(0, 30), unique=True, max_size=8), numbers=KEYS)
def test_rows_of_keys_are_those_of_a_left_join(table: list[int], numbers: list[int | None]) -> None:
    rows = pl.DataFrame({"key": pl.Series(numbers, dtype=pl.UInt32), "number": range(len(numbers))})
    joined = rows.join(_table(table), on="key", how="left", maintain_order="left")
    assert beside(rows, _table(table), "key").equals(joined)
    assert rows_of(_table(table), "key", rows["key"]).equals(joined.select("said"))


def test_a_row_without_a_key_is_nobodys_and_columns_left_out_stay_where_they_were() -> None:
    table = pl.DataFrame({"key": pl.Series([None, 2], dtype=pl.UInt32), "said": ["nobody's", "two's"]})
    found = rows_of(table, "key", pl.Series([2, None, 0], dtype=pl.UInt32))
    assert found["said"].to_list() == ["two's", None, None]
    assert rows_at(_table([4, 5]), pl.Series([1, None, 1], dtype=pl.UInt32))["key"].to_list() == [5, None, 5]
    frame = pl.DataFrame({"a": [1], "b": [2], "c": [3]})
    assert without(frame, "a", "c").columns == ["b"]
    assert frame.columns == ["a", "b", "c"]
    with pytest.raises(pl.exceptions.ColumnNotFoundError):
        without(frame, "d")


@pytest.mark.parametrize("rows", [3, FEW])
def test_a_query_finds_the_same_planned_or_not(rows: int) -> None:
    frame = pl.DataFrame({"a": range(6)})
    query = frame.lazy().filter(pl.col("a") > 1).with_columns((pl.col("a") * 2).alias("b")).select("b")
    assert collected(query, rows)["b"].to_list() == [4, 6, 8, 10]


@given(keys=KEYS, held=KEYS)
def test_steps_at_once_give_what_the_methods_of_a_frame_do(keys: list[int | None], held: list[int | None]) -> None:
    left = pl.DataFrame({"key": pl.Series(keys, dtype=pl.UInt32), "at": range(len(keys))})
    right = pl.DataFrame({"key": pl.Series(held, dtype=pl.UInt32), "of": range(len(held))})
    most, even = pl.col("of").max().alias("most"), (pl.col("at") % 2 == 0)

    def steps(a: pl.LazyFrame, b: pl.LazyFrame) -> pl.LazyFrame:
        joined = a.filter(even).join(b, on="key", how="left", maintain_order="left", nulls_equal=True)
        return joined.group_by("key", maintain_order=True).agg(most, pl.len()).sort("key", nulls_last=True)

    joined = left.filter(even).join(right, on="key", how="left", maintain_order="left", nulls_equal=True)
    each = joined.group_by("key", maintain_order=True).agg(most, pl.len()).sort("key", nulls_last=True)
    assert at_once(steps(left.lazy(), right.lazy())).equals(each)


NAMES = ["Urea", None, " urea  46 ", "Urea", "UAN\t28", "", None]


def test_each_row_gets_its_own_spelling_folded_and_a_blank_none() -> None:
    found = with_folded(pl.DataFrame({"product": NAMES, "row": range(len(NAMES))}), "product", "key")
    assert found["row"].to_list() == list(range(len(NAMES)))
    assert found["key"].to_list() == [None if name is None else lookup_name(name) for name in NAMES]


def test_a_column_without_a_name_is_read_as_one() -> None:
    found = with_folded(pl.DataFrame({"product": [None, None]}, schema={"product": pl.String}), "product", "key")
    assert found["key"].to_list() == [None, None]


def test_rows_of_a_table_are_taken_by_the_number_of_their_name_and_nulls_for_none() -> None:
    distinct, which = spellings(pl.Series(NAMES))
    table = distinct.to_frame("name").with_columns(pl.col("name").str.len_bytes().alias("length"))
    assert sorted(distinct) == sorted({name for name in NAMES if name is not None})
    assert rows_at(table, which).rows() == [(name, None if name is None else len(name)) for name in NAMES]
