"""A table is read the same whether all its cells are sound, which goes by column, or one is not, which goes by row."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from provender.records import KINDS
from provender.records.reading import read_table
from provender.records.table import TextTable, read_csv_table

EXAMPLES = Path(__file__).parents[2] / "examples"
TABLES = sorted(path for path in EXAMPLES.rglob("*.csv") if path.stem in KINDS)
UNITS = TextTable(
    "unit.csv", "Units", ("farm_id", "unit_id", "acres"), ((2, ("", "N40", "40.5")), (3, ("F2", "S8", "")))
)


@pytest.mark.parametrize("path", TABLES, ids=lambda path: str(path.relative_to(EXAMPLES)))
def test_a_row_that_is_cut_off_changes_nothing_of_the_others(path: Path) -> None:
    kind, table = KINDS[path.stem], read_csv_table(path, path.name)
    cut = (table.rows[-1][0] + 1, table.rows[-1][1][:1])
    by_row = read_table(kind, replace(table, rows=(*table.rows, cut)), farm_id="F1")
    whole = read_table(kind, table, farm_id="F1")
    assert by_row.frame.head(whole.frame.height).equals(whole.frame)
    assert (by_row.frame.schema, whole.problems) == (whole.frame.schema, by_row.problems[: len(whole.problems)])
    assert {one.code for one in by_row.problems} >= {"ragged_row"}


def test_a_blank_farm_is_filled_in_and_places_are_kept() -> None:
    frame = read_table(KINDS["unit"], UNITS, farm_id="F1").frame
    rows = frame.select("farm_id", "unit_id", "acres", "name", "source_file", "source_sheet", "source_row").rows()
    assert rows == [
        ("F1", "N40", 40500, None, "unit.csv", "Units", 2),
        ("F2", "S8", None, None, "unit.csv", "Units", 3),
    ]


@pytest.mark.parametrize("blank", ["", "  "])
def test_a_row_without_what_it_needs_is_told_and_the_others_are_read(blank: str) -> None:
    read = read_table(KINDS["unit"], replace(UNITS, rows=(*UNITS.rows, (4, ("", blank, "3")))), farm_id="F1")
    assert read.frame["unit_id"].to_list() == ["N40", "S8"]
    assert [(one.code, one.place.row) for one in read.problems] == [("blank_required", 4)]
    assert len(read.incomplete_rows) == 1


def test_a_cell_that_cannot_be_read_is_told_and_its_row_kept() -> None:
    read = read_table(KINDS["unit"], replace(UNITS, rows=(*UNITS.rows, (4, ("", "W1", "many")))), farm_id="F1")
    assert read.frame["acres"].to_list() == [40500, None, None]
    assert [one.code for one in read.problems] == ["unreadable_quantity"]


@pytest.mark.parametrize(("order", "day"), [("mdy", date(2026, 5, 4)), ("dmy", date(2026, 4, 5))])
def test_days_are_read_in_the_order_that_was_said(order: str, day: date) -> None:
    table = TextTable("operation.csv", "", ("operation_id", "unit_id", "day", "operation"),
                      ((2, ("O1", "N40", "5/4/2026", "Chisel")),))  # fmt: skip
    assert read_table(KINDS["operation"], table, farm_id="F1", order=order).frame["day"].to_list() == [day]
