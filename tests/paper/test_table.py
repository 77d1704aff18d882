"""A view as a table: headings with units, amounts as numbers, in a file as on the screen."""

import csv
import io
from datetime import date, datetime
from enum import StrEnum

import openpyxl

from provender.paper.table import Cell, Column, Table, as_csv, as_xlsx, table_of
from provender.plain import field, view
from provender.quantity import Bushels, Ci


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


def rows_of(table: Table) -> list[list[str]]:
    return list(csv.reader(io.StringIO(as_csv(table).decode("utf-8-sig"))))


def test_a_view_becomes_a_table_with_its_words_and_units() -> None:
    table = table_of(ListedLot, LOTS, name="lots")
    assert [column.label for column in table.columns] == [
        "Lot", "Bushels", "Carbon intensity (g CO2e/bu)", "State", "Sites", "Day", "Sure"
    ]  # fmt: skip
    assert [column.number for column in table.columns] == [False, True, True, False, False, False, False]
    assert [cell.text for cell in table.cells[0]] == [
        "=a", "1,234.5", "-1.5", "In transit", "North; South", "—", "yes"
    ]  # fmt: skip


def test_a_file_has_plain_numbers_blanks_and_no_formula() -> None:
    table = table_of(ListedLot, LOTS, name="lots")
    assert rows_of(table)[1] == ["'=a", "1234.5", "-1.5", "in_transit", "North; South", "", "yes"]
    assert rows_of(table)[2][:3] == ["b", "0.001", ""]
    sheet = openpyxl.load_workbook(io.BytesIO(as_xlsx([table], title="Lots", as_of=date(2026, 1, 2))))["lots"]
    assert [cell.value for cell in sheet[2]][:4] == ["=a", 1234.5, -1.5, "in_transit"]


def test_only_the_fields_asked_for_are_shown_in_their_order() -> None:
    table = table_of(ListedLot, LOTS, name="lots", only=("ci", "id"))
    assert rows_of(table)[0] == ["Carbon intensity (g CO2e/bu)", "Lot"]


def test_buttons_are_not_saved_and_a_text_stands_for_a_cell() -> None:
    table = Table("t", [Column("Name"), Column("", page_only=True)], [["Ada", Cell("Go", form="/x")]])
    assert rows_of(table) == [["Name"], ["Ada"]]


def test_a_negative_number_stays_one_in_a_column_of_numbers_only() -> None:
    table = Table("t", [Column("N", number=True), Column("Text")], [["-1,234.5", "-1"], ["-x", "-x"]])
    assert rows_of(table)[1:] == [["-1234.5", "'-1"], ["'-x", "'-x"]]


def test_days_are_days_in_a_workbook_where_a_column_holds_nothing_else() -> None:
    columns = [Column("Day"), Column("Name"), Column("Typed"), Column("Old")]
    rows: list[list[Cell | str]] = [
        ["2026-10-05", "2026-10-05", Cell("2026-10-05", typed=True), "1899-10-05"],
        ["", "2026-13-05", Cell("2026-10-06", typed=True), "1899-10-06"],
        ["2026-10-06", "N40", "", ""],
        ["Total", "", "", ""],
    ]
    table = Table("t", columns, rows, totals=1)
    sheet = openpyxl.load_workbook(io.BytesIO(as_xlsx([table], title="T", as_of=date(2026, 1, 2))))["t"]
    first, *others = (cell.value for cell in sheet[2])
    assert isinstance(first, datetime)
    assert first.date() == date(2026, 10, 5)
    assert others == ["2026-10-05", "2026-10-05", "1899-10-05"]
    blank, last, total = (row[0].value for row in sheet.iter_rows(min_row=3))
    assert (blank, total) == (None, "Total")
    assert isinstance(last, datetime)
    assert sheet["A2"].number_format == "yyyy-mm-dd"
    assert rows_of(table)[1][0] == "2026-10-05", "a CSV has it as before"
