"""Rejected rows that a spreadsheet saved come back under the identifiers they had, and settle what was rejected."""

from dataclasses import replace
from pathlib import Path

import pytest

from provender.formats.importing.prepare import Plan, prepare
from provender.records.rejected import BECAUSE, FROM
from tests.formats.test_intake import CHOICES, table

NAME = "operation--passes-1a2b3c.csv"
COLUMNS = "operation_id,unit_id,day,operation,equipment,depth_in"
PLANTER = '"Planter, double disk opnr with starter fertilizer"'


@pytest.fixture
def book(tmp_path: Path) -> Path:
    folder = tmp_path / "book"
    (folder / "rejected").mkdir(parents=True)
    (folder / "farm.csv").write_text(table("farm", {"farm_id": "F1", "name": "Bluestem", "country": "US"}))
    (folder / "unit.csv").write_text(table("unit", {"unit_id": "007", "acres": "40"}))
    row = f'"passes.csv, row 3",depth_in: four is no number,008,007,2025-04-28,{PLANTER},JD,four'
    (folder / "rejected" / NAME).write_text(f"{FROM},{BECAUSE},{COLUMNS}\n{row}\n")
    return folder


def returned(book: Path, row: str) -> Plan:
    path = book.parent / "mended.csv"
    path.write_text(f"\ufeff{FROM},{BECAUSE},{COLUMNS}\r\n{row}\r\n", encoding="utf-8", newline="")
    return prepare([path], book, replace(CHOICES, accept=True, kind="operation"))


def test_lost_zeros_come_back_and_the_reject_is_settled(book: Path) -> None:
    plan = returned(book, f'"passes.csv, row 3",depth_in: four is no number,8,7,4/28/2025,{PLANTER},JD,2.5')
    assert "\nF1,008,007,2025-04-28," in plan.files["operation.csv"].decode()
    assert plan.removed == [f"rejected/{NAME}"]


@pytest.mark.parametrize(
    ("place", "key", "written"),
    [("passes.csv, row 9", "8", "8"), ("passes.csv, row 3", "9", "9"), ("passes.csv, row 3", "008", "008")],
)
def test_what_was_not_that_row_or_was_renamed_stays_as_it_is(book: Path, place: str, key: str, written: str) -> None:
    plan = returned(book, f'"{place}",because,{key},7,4/28/2025,{PLANTER},JD,2.5')
    assert f"\nF1,{written},007,2025-04-28," in plan.files["operation.csv"].decode()
