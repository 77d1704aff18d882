"""A view as a table, in a file as on the screen; and workbooks in which no text becomes a formula."""

import csv
import io
from datetime import date, datetime
from enum import StrEnum

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provender.exact import Bushels, Ci
from provender.paper import tables
from provender.schema import field, view


class Condition(StrEnum):
    IN_TRANSIT = "in_transit"


@view
class ListedLot:
    """A lot of this test."""

    id: str = field("Lot")
    bushels: Bushels = field("Bushels")
    ci: Ci | None = field("Carbon intensity", default=None)
    condition: Condition = field("State", default=Condition.IN_TRANSIT)
    sites: tuple[str, ...] = field("Sites", default=())
    day: date | None = field("Day", default=None)
    sure: bool = field("Sure", default=True)


LOTS = (ListedLot(id="=a", bushels=1_234_500, ci=-150, sites=("North", "South")), ListedLot(id="b", bushels=1))


def rows_of(table: tables.Table) -> list[list[str]]:
    return list(csv.reader(io.StringIO(tables.as_csv(table).decode("utf-8-sig"))))


def test_a_view_becomes_a_table_with_its_words_and_units_and_a_file_with_plain_numbers() -> None:
    table = tables.table_of(ListedLot, LOTS, name="lots")
    assert [column.label for column in table.columns] == [
        "Lot", "Bushels", "Carbon intensity (g CO2e/bu)", "State", "Sites", "Day", "Sure"
    ]  # fmt: skip
    assert [column.number for column in table.columns] == [False, True, True, False, False, False, False]
    assert [cell.text for cell in table.cells[0]] == [
        "=a", "1,234.5", "-1.5", "In transit", "North; South", "—", "yes"
    ]  # fmt: skip
    assert rows_of(table)[1] == ["'=a", "1234.5", "-1.5", "in_transit", "North; South", "", "yes"]
    assert rows_of(table)[2][:3] == ["b", "0.001", ""]
    sheet = openpyxl.load_workbook(io.BytesIO(tables.as_xlsx([table], title="Lots", as_of=date(2026, 1, 2))))["lots"]
    assert [cell.value for cell in sheet[2]][:4] == ["=a", 1234.5, -1.5, "in_transit"]


def test_fields_asked_for_are_saved_in_their_order_buttons_not_and_negative_numbers_as_such() -> None:
    table = tables.Table(
        "t", [tables.Column("Name"), tables.Column("", page_only=True)], [["Ada", tables.Cell("Go", form="/x")]]
    )
    assert rows_of(table) == [["Name"], ["Ada"]]
    table = tables.Table(
        "t", [tables.Column("N", number=True), tables.Column("Text")], [["-1,234.5", "-1"], ["-x", "-x"]]
    )
    assert rows_of(table)[1:] == [["-1234.5", "'-1"], ["'-x", "'-x"]]
    table = tables.table_of(ListedLot, LOTS, name="lots", only=("ci", "id"))
    assert rows_of(table)[0] == ["Carbon intensity (g CO2e/bu)", "Lot"]


def test_days_are_days_in_a_workbook_where_a_column_holds_nothing_else() -> None:
    columns = [tables.Column("Day"), tables.Column("Name"), tables.Column("Typed"), tables.Column("Old")]
    rows: list[list[tables.Cell | str]] = [
        ["2026-10-05", "2026-10-05", tables.Cell("2026-10-05", typed=True), "1899-10-05"],
        ["", "2026-13-05", tables.Cell("2026-10-06", typed=True), "1899-10-06"],
        ["2026-10-06", "N40", "", ""],
        ["Total", "", "", ""],
    ]
    table = tables.Table("t", columns, rows, totals=1)
    sheet = openpyxl.load_workbook(io.BytesIO(tables.as_xlsx([table], title="T", as_of=date(2026, 1, 2))))["t"]
    first, *others = (cell.value for cell in sheet[2])
    assert isinstance(first, datetime)
    assert first.date() == date(2026, 10, 5)
    assert others == ["2026-10-05", "2026-10-05", "1899-10-05"]
    blank, last, total = (row[0].value for row in sheet.iter_rows(min_row=3))
    assert (blank, total) == (None, "Total")
    assert isinstance(last, datetime)
    assert sheet["A2"].number_format == "yyyy-mm-dd"
    assert rows_of(table)[1][0] == "2026-10-05", "a CSV has it as before"


DAY = date(2026, 11, 21)


def opened(sheets: list[tables.Sheet], *, values: bool = False) -> openpyxl.Workbook:
    return openpyxl.load_workbook(io.BytesIO(tables.workbook(sheets, title="t", as_of=DAY)), data_only=values)


@pytest.mark.parametrize(
    "text", ["=1+1", '=HYPERLINK("http://x")', "+1", "-1", "@SUM(A1)", "\t=1", "{=1}", "http://x.org", "1e5"]
)
def test_a_text_is_never_a_formula_a_link_or_a_number(text: str) -> None:
    cell = opened([tables.Sheet("s", ["a"], [[text]])])["s"]["A2"]
    assert cell.data_type == "s"
    assert cell.value == text
    assert cell.hyperlink is None


@settings(max_examples=30)
@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_and_any_name_of_a_sheet_make_a_workbook_that_opens(text: str, name: str) -> None:
    book = opened([tables.Sheet(name, [text or "a"], [[text]]), tables.Sheet(name, ["b"], [])])
    assert len(book.sheetnames) == 2
    assert all(0 < len(one) <= tables.MAX_SHEET_NAME for one in book.sheetnames)


def test_formulas_numbers_days_answers_notes_and_choices_are_kept_as_what_they_are() -> None:
    sheet = tables.Sheet("s", ["a", "b"], [[2, tables.Formula("=A2*2", 4)]])
    assert opened([sheet])["s"]["B2"].value == "=A2*2"
    assert opened([sheet], values=True)["s"]["B2"].value == 4
    row = opened([tables.Sheet("s", list("abcde"), [[tables.Number(1234.5, 2), date(2026, 4, 20), True, None, 7]])])[
        "s"
    ][2]
    assert row[0].value == 1234.5
    assert row[0].number_format == "#,##0.00"
    assert row[1].value.date() == date(2026, 4, 20)
    assert (row[2].value, row[3].value, row[4].value) == ("yes", None, 7)
    sheet = opened([tables.Sheet("s", ["type"], [], {"type": "What it is"}, {"type": ["a", "b"]})])["s"]
    assert sheet["A1"].comment is not None
    assert sheet["A1"].comment.text == "What it is"
    assert [one.formula1 for one in sheet.data_validations.dataValidation] == ['"a,b"']
    assert sheet.freeze_panes == "A2"


def test_the_same_input_gives_the_same_bytes_and_choices_fill_a_drop_down() -> None:
    sheets = [tables.Sheet("s", ["a"], [["x"]], {"a": "note"})]
    assert tables.workbook(sheets, title="t", as_of=DAY) == tables.workbook(sheets, title="t", as_of=DAY)
    for length in (tables.MAX_TEXT, tables.MAX_TEXT + 1):
        value = opened([tables.Sheet("s", ["a"], [["x" * length]])])["s"]["A2"].value
        assert len(str(value)) == tables.MAX_TEXT
    names = opened(
        [tables.Sheet("x" * 40, ["a"], []), tables.Sheet("x" * 41, ["a"], []), tables.Sheet("History", ["a"], [])]
    ).sheetnames
    assert len({name.casefold() for name in names}) == 3
    assert "History" not in names
    full = ["x" * 127, "y" * 127]
    assert opened([tables.Sheet("s", ["a"], [], choices={"a": full})])
    with pytest.raises(ValueError, match="255"):
        opened([tables.Sheet("s", ["a"], [], choices={"a": [*full, ""]})])
