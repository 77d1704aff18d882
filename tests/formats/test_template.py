"""The template workbook holds every column of every kind, helps the person who fills it in, and reads back."""

import datetime as dt
import io
from pathlib import Path

import openpyxl
import pytest
from openpyxl.workbook import Workbook

from provender.formats.rows import book_readings
from provender.formats.spreadsheet import read_book
from provender.formats.template import HEADING_ROWS, known_names, template_workbook
from provender.formats.template_layout import GUIDE, LISTS, kind_named, sheet_name
from provender.records.field import ColumnKind
from provender.records.kind import KINDS

DAY = dt.date(2026, 11, 21)


@pytest.fixture(scope="module")
def content() -> bytes:
    return template_workbook(as_of=DAY)


@pytest.fixture
def workbook(content: bytes) -> Workbook:
    return openpyxl.load_workbook(io.BytesIO(content))


def test_there_is_a_sheet_per_kind_in_order_whose_texts_are_texts_and_days_days(workbook: Workbook) -> None:
    assert workbook.sheetnames == [GUIDE, *(sheet_name(kind) for kind in KINDS.values()), LISTS]
    assert all(len(name) <= 31 for name in workbook.sheetnames)
    assert all(kind_named(sheet_name(kind)) is kind for kind in KINDS.values())
    for kind in KINDS.values():
        page = workbook[sheet_name(kind)]
        styles = {
            column: width.number_format
            for width in page.column_dimensions.values()
            for column in range(width.min or 0, (width.max or 0) + 1)
        }
        wanted = {ColumnKind.DAY: "yyyy-mm-dd", ColumnKind.QUANTITY: "General", ColumnKind.WHOLE: "General"}
        for cell in page[HEADING_ROWS]:
            assert styles[cell.column] == wanted.get(kind.fields[cell.value].kind, "@"), (kind.name, cell.value)


@pytest.mark.parametrize("name", KINDS)
def test_every_column_has_its_name_its_label_and_its_unit(workbook: Workbook, name: str) -> None:
    kind, page = KINDS[name], workbook[sheet_name(KINDS[name])]
    names = [cell.value for cell in page[HEADING_ROWS]]
    assert names == [one for one in kind.typed_fields if one != "farm_id" or name == "farm"]
    for cell, column in zip(page[2], names, strict=True):
        field = kind.fields[column]
        assert str(cell.value).startswith(f"{field.label}\n")
        assert ("required" in str(cell.value)) == field.required
        if field.cite:
            assert field.cite in cell.comment.text
    assert page.freeze_panes == "B4"


def test_choices_and_answers_offer_a_list_and_names_offer_those_that_are_known(workbook: Workbook) -> None:
    page = workbook[sheet_name(KINDS["operation"])]
    offers = {str(rule.sqref).split(":")[0]: rule.formula1 for rule in page.data_validations.dataValidation}
    columns = {cell.value: cell.column_letter for cell in page[HEADING_ROWS]}
    assert offers[f"{columns['full_width']}4"] == '"yes,no"'
    assert "machine" in offers[f"{columns['known_by']}4"]
    count = len(known_names()["Field operations"])
    assert offers[f"{columns['operation']}4"] == f"{LISTS}!$A$3:$A${count + 2}"
    assert workbook[LISTS]["A3"].value == known_names()["Field operations"][0]


def test_no_sheet_holds_a_formula_and_the_same_day_gives_the_same_bytes(content: bytes, workbook: Workbook) -> None:
    assert template_workbook(as_of=DAY) == content
    cells = (cell for page in workbook for row in page.iter_rows() for cell in row)
    assert not [cell.coordinate for cell in cells if cell.data_type == "f"]


def test_an_empty_template_reads_as_no_rows_and_no_problems(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "t.xlsx").write_bytes(content)
    parsed = read_book(tmp_path / "t.xlsx", "t.xlsx")
    assert parsed.result is not None
    readings, problems = book_readings(parsed.result, farm_id="F1")
    assert (len(readings), problems, list(parsed.problems)) == (len(KINDS), [], [])
    assert all(reading.frame.is_empty() and not reading.problems for _, reading in readings)


def test_a_filled_row_reads_back_and_keeps_leading_zeros_and_dashes(workbook: Workbook, tmp_path: Path) -> None:
    page = workbook[sheet_name(KINDS["unit"])]
    typed = {"unit_id": "1-2", "acres": 40.25, "county_fips": "01001"}
    for cell in page[HEADING_ROWS]:
        page.cell(HEADING_ROWS + 1, cell.column).value = typed.get(cell.value)
    workbook.save(tmp_path / "t.xlsx")
    parsed = read_book(tmp_path / "t.xlsx", "t.xlsx")
    assert parsed.result is not None
    readings, _ = book_readings(parsed.result, farm_id="F1")
    unit = dict(readings)["unit"]
    assert unit.problems == []
    assert unit.frame["unit_id", "acres", "county_fips", "source_row"].rows() == [("1-2", 40250, "01001", 4)]


def test_a_row_between_the_headings_is_told_and_not_lost(workbook: Workbook, tmp_path: Path) -> None:
    page = workbook[sheet_name(KINDS["unit"])]
    page.insert_rows(HEADING_ROWS)
    page.cell(HEADING_ROWS, 1).value = "N40"
    workbook.save(tmp_path / "t.xlsx")
    parsed = read_book(tmp_path / "t.xlsx", "t.xlsx")
    assert parsed.result is not None
    _, problems = book_readings(parsed.result, farm_id="F1")
    assert [(problem.code, problem.place.sheet) for problem in problems] == [("rows_above", "Management units")]
