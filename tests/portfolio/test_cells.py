"""Columns of somebody's Parquet, type by type: what they mean, or that nobody can know it."""

from typing import Any, Final

import polars as pl
import pytest

from provender.portfolio.cells import read_column
from provender.records import KINDS

DOUBLE: Final = pl.Series([b"\xff\xfe", b"17", None])


def read(kind: str, column: str, raw: pl.Series) -> tuple[list[Any], list[bool]]:
    """Return the values of a column, and which of its cells could not be read."""
    field, dtype = KINDS[kind].fields[column], KINDS[kind].empty().schema[column]
    value, bad = read_column(raw.alias(column), field, dtype)
    return value.to_list(), [False] * raw.len() if bad is None else bad.to_list()


@pytest.mark.parametrize("dtype", [pl.Float16, pl.Float32, pl.Float64, pl.Decimal(3, 0), pl.Decimal(5, 2), pl.UInt64])
def test_answers_as_numbers_of_any_type(dtype: Any) -> None:  # noqa: ANN401 - a type of Polars
    raw = pl.Series([1, 0, None, 2]).cast(dtype)
    assert read("declaration", "all_operations_listed", raw) == ([True, False, None, None], [False] * 3 + [True])


def test_no_answer_and_no_number_is_told() -> None:
    raw = pl.Series([1.0, float("nan"), float("inf"), 0.5])
    assert read("declaration", "all_operations_listed", raw) == ([True, None, None, None], [False, True, True, True])
    assert read("harvest", "bushels", raw.head(3)) == ([1, None, None], [False, True, True])


@pytest.mark.parametrize(("dtype", "bits"), [(pl.Float16, 11), (pl.Float32, 24), (pl.Float64, 53)])
def test_what_a_float_may_have_rounded_is_told(dtype: Any, bits: int) -> None:  # noqa: ANN401 - a type of Polars
    most = 2**bits
    raw = pl.Series([most - 1, most, -most, None]).cast(dtype)
    assert read("harvest", "bushels", raw) == ([most - 1, None, None, None], [False, True, True, False])


@pytest.mark.parametrize(
    ("kind", "column"),
    [("unit", "farm_id"), ("unit", "name"), ("harvest", "crop"), ("harvest", "bushels"), ("harvest", "last_day"),
     ("declaration", "all_operations_listed"), ("sale", "harvest_year")],
)  # fmt: skip
def test_bytes_that_are_no_text_are_told_and_end_nothing(kind: str, column: str) -> None:
    values, bad = read(kind, column, DOUBLE)
    assert values[0] is None
    assert bad[0]
    assert not bad[2]


def test_a_year_has_no_thousandths_and_bushels_have() -> None:
    raw = pl.Series(["2024", "2025"]).cast(pl.Decimal(10, 3))
    assert read("sale", "harvest_year", raw) == ([2024, 2025], [False, False])
    assert read("harvest", "bushels", raw) == ([None, None], [True, True])


def test_numbers_as_names_are_those_names() -> None:
    assert read("unit", "unit_id", pl.Series([17, 4])) == (["17", "4"], [False, False])
    # A blank among whole numbers makes a data frame write floats; what is required has no blanks.
    assert read("evidence", "unit_id", pl.Series([17.0, None])) == (["17", None], [False, False])
    assert read("evidence", "unit_id", pl.Series([17.5, 4.0])) == ([None, None], [True, True])
    assert read("unit", "unit_id", pl.Series([17.0, 4.0])) == ([None, None], [True, True])


def test_a_county_as_a_number_keeps_its_five_digits() -> None:
    assert read("unit", "county_fips", pl.Series([1001, 20177])) == (["01001", "20177"], [False, False])
    assert read("farm", "county_fips", pl.Series([8001.0, None])) == (["08001", None], [False, False])
