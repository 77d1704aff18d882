"""What an expert works on is chosen from a list, in the template and in a table; the specialty stays free text."""

import io
from datetime import date
from typing import Final

import openpyxl
import pytest
from openpyxl.utils import get_column_letter

from provender.formats.template import HEADING_ROWS, template_workbook
from provender.formats.template_layout import sheet_name
from provender.records.kind import KINDS
from provender.records.kinds.nutrients import WORK
from provender.records.reading import parse_csv, read_table

OPINION: Final = KINDS["expert_opinion"]


def test_the_template_offers_the_list() -> None:
    book = openpyxl.load_workbook(io.BytesIO(template_workbook(as_of=date(2026, 11, 21))))
    page = book[sheet_name(OPINION)]
    (across,) = (
        cell.column for row in page.iter_rows(max_row=HEADING_ROWS) for cell in row if cell.value == "works_on"
    )
    place = f"{get_column_letter(across)}{HEADING_ROWS + 1}"
    (rule,) = (one for one in page.data_validations.dataValidation if place in one.sqref)
    assert str(rule.formula1).strip('"').split(",") == list(WORK)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [("soil_fertility", "soil_fertility"), ("Soil fertility", "soil_fertility"), ("", None), ("Corn agronomy", None)],
)
def test_a_table_is_read_by_the_label_and_other_words_refused(typed: str, expected: str | None) -> None:
    text = f"Opinion,Expert,Works on,Specialty\nX1,A. Agronomist,{typed},Nitrogen on corn\n"
    read = read_table(OPINION, parse_csv(text, "expert_opinion.csv"), farm_id="F1")
    (row,) = read.rows
    assert (row["works_on"], row["specialty"]) == (expected, "Nitrogen on corn")
    assert [one.place.column for one in read.problems] == ([] if expected or not typed else ["works_on"])
