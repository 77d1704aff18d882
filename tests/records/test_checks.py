"""The quick check of a frame takes and refuses exactly what its schema does."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.records import KINDS
from provender.records.checks import check_frame, is_key
from provender.records.field import KEY_PATTERN

LONGEST = 80


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


@pytest.mark.parametrize(("names", "told"), [(["O1", "O2"], []), (["O1", "O1"], ["double_key"])])
def test_a_name_that_stands_twice_on_a_farm_is_told_and_on_two_farms_it_is_not(
    names: list[str], told: list[str]
) -> None:
    frame = KINDS["operation"].empty()
    rows = pl.DataFrame({"farm_id": ["F1", "F1", "F2"], "operation_id": [*names, "O2"]}).select(
        pl.lit(None, dtype).alias(name) if name not in ("farm_id", "operation_id") else pl.col(name)
        for name, dtype in frame.schema.items()
    )
    named = rows.with_columns(pl.lit("N40").alias("unit_id"), pl.lit("Plow, moldboard").alias("operation"))
    _, problems, _ = check_frame(KINDS["operation"], named)
    assert [one.code for one in problems] == told
