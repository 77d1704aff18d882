"""Workbooks: no text becomes a formula, numbers and days keep their kind, same input, same bytes."""

import io
from datetime import date

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provender.paper.xlsx import MAX_SHEET_NAME, MAX_TEXT, Formula, Number, Sheet, workbook

DAY = date(2026, 11, 21)


def opened(sheets: list[Sheet], *, values: bool = False) -> openpyxl.Workbook:
    return openpyxl.load_workbook(io.BytesIO(workbook(sheets, title="t", as_of=DAY)), data_only=values)


@pytest.mark.parametrize(
    "text", ["=1+1", '=HYPERLINK("http://x")', "+1", "-1", "@SUM(A1)", "\t=1", "{=1}", "http://x.org", "1e5"]
)
def test_a_text_is_never_a_formula_a_link_or_a_number(text: str) -> None:
    cell = opened([Sheet("s", ["a"], [[text]])])["s"]["A2"]
    assert cell.data_type == "s"
    assert cell.value == text
    assert cell.hyperlink is None


@settings(max_examples=30)
@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_and_any_name_of_a_sheet_make_a_workbook_that_opens(text: str, name: str) -> None:
    book = opened([Sheet(name, [text or "a"], [[text]]), Sheet(name, ["b"], [])])
    assert len(book.sheetnames) == 2
    assert all(0 < len(one) <= MAX_SHEET_NAME for one in book.sheetnames)


def test_formulas_stand_where_asked_for_and_carry_their_value() -> None:
    sheet = Sheet("s", ["a", "b"], [[2, Formula("=A2*2", 4)]])
    assert opened([sheet])["s"]["B2"].value == "=A2*2"
    assert opened([sheet], values=True)["s"]["B2"].value == 4


def test_numbers_days_and_answers_keep_their_kind() -> None:
    row = opened([Sheet("s", list("abcde"), [[Number(1234.5, 2), date(2026, 4, 20), True, None, 7]])])["s"][2]
    assert row[0].value == 1234.5
    assert row[0].number_format == "#,##0.00"
    assert row[1].value.date() == date(2026, 4, 20)
    assert (row[2].value, row[3].value, row[4].value) == ("yes", None, 7)


def test_notes_choices_frozen_head_and_filter_are_there() -> None:
    sheet = opened([Sheet("s", ["type"], [], {"type": "What it is"}, {"type": ["a", "b"]})])["s"]
    assert sheet["A1"].comment is not None
    assert sheet["A1"].comment.text == "What it is"
    assert [one.formula1 for one in sheet.data_validations.dataValidation] == ['"a,b"']
    assert sheet.freeze_panes == "A2"


def test_very_long_texts_are_cut_to_what_a_cell_holds() -> None:
    for length in (MAX_TEXT, MAX_TEXT + 1):
        value = opened([Sheet("s", ["a"], [["x" * length]])])["s"]["A2"].value
        assert len(str(value)) == MAX_TEXT


def test_the_same_input_gives_the_same_bytes() -> None:
    sheets = [Sheet("s", ["a"], [["x"]], {"a": "note"})]
    assert workbook(sheets, title="t", as_of=DAY) == workbook(sheets, title="t", as_of=DAY)


def test_names_that_meet_after_shortening_get_a_number() -> None:
    names = opened([Sheet("x" * 40, ["a"], []), Sheet("x" * 41, ["a"], []), Sheet("History", ["a"], [])]).sheetnames
    assert len({name.casefold() for name in names}) == 3
    assert "History" not in names


def test_choices_fill_a_drop_down_and_one_character_more_is_refused() -> None:
    full = ["x" * 127, "y" * 127]
    assert opened([Sheet("s", ["a"], [], choices={"a": full})])
    with pytest.raises(ValueError, match="255"):
        opened([Sheet("s", ["a"], [], choices={"a": [*full, ""]})])
