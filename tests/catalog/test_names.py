"""Names are looked up once a spelling, and every row gets what its own spelling says."""

import polars as pl

from provender.catalog.direct import rows_at
from provender.catalog.names import lookup_name, spellings, with_folded

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
