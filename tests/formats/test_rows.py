"""What readers found meets the records' own parsers, and what they could not use leaves an incomplete row."""

import datetime as dt
import json
from pathlib import Path

import pytest

from provender.formats.boundaries import Boundaries, read_boundaries
from provender.formats.child import parse_limited
from provender.formats.mapped import import_table
from provender.formats.mapped_table import MappedRow, MappedTable
from provender.formats.photos import Photo, judge
from provender.formats.rows import (
    book_readings,
    boundary_files,
    evidence_rows,
    harvest_rows,
    read_rows,
    unit_rows,
)
from provender.formats.spreadsheet import read_spreadsheet
from provender.formats.units import identifier
from provender.formats.yields import read_yield_log
from provender.problem import Place, Problem, Weight
from provender.records.checks import IncompleteRow
from provender.records.reading import TableRead
from tests.formats.conftest import Write
from tests.formats.test_boundaries import SQUARE, collection, feature, polygon
from tests.formats.test_yield_log import line
from tests.formats.workbooks import xlsx

TODAY = dt.date(2026, 11, 21)


def fields(write: Write, *names: str) -> Boundaries:
    path = write("f.geojson", json.dumps(collection(*(feature(polygon(SQUARE), name=name) for name in names))))
    found = read_boundaries(path, "f.geojson").result
    assert found is not None
    return found


def test_boundaries_become_units_with_a_file_each(write: Write) -> None:
    found = fields(write, "North 40", "North 40", "Süd/3")
    reading = read_rows(unit_rows(found, "f.geojson"), (), farm_id="F1")
    assert (
        reading.frame["boundary"].to_list()
        == list(boundary_files(found))
        == ["North-40.geojson", "North-40~2.geojson", "S-d-3.geojson"]
    )
    assert reading.frame["acres"].to_list() == [field.acres for field in found.fields]
    assert reading.problems == []


def test_a_yield_log_becomes_harvests_at_base_moisture(write: Write) -> None:
    log = read_yield_log(write("y.txt", line(flow="56", moisture="25.5")), "y.txt").result
    assert log is not None
    reading = read_rows(harvest_rows(log, "y.txt", units={"F0:N40": "N40"}), (), farm_id="F1")
    (row,) = reading.frame.to_dicts()
    told = {"unit_id": "N40", "crop": "corn", "ending": "harvested", "bushels": 882, "moisture_pct": 15_500}
    assert {name: row[name] for name in told} == told
    assert (row["harvest_id"], row["last_day"], row["source_file"]) == ("N40-corn-2012", dt.date(2012, 9, 18), "y.txt")
    assert reading.problems == []
    assert harvest_rows(log, "y.txt").rows[0].values["unit_id"] == "N40"


def test_a_photograph_becomes_evidence_whose_note_names_the_claim() -> None:
    photo = Photo("ab" * 32, "Maker", "", dt.datetime(2026, 10, 12, 9, 30), "", None, -93.0, 42.0, None, 4, 3)  # noqa: DTZ001 - camera
    table = evidence_rows(photo, judge(photo, "p.jpg"), "p.jpg", unit_id="N40")
    reading = read_rows(table, (), farm_id="F1")
    (row,) = reading.frame.to_dicts()
    told = {"what": "photograph", "taken_on": dt.date(2026, 10, 12), "sha256": "ab" * 32, "unit_id": "N40"}
    assert {name: row[name] for name in told} == told
    assert "claim" in row["note"]
    assert reading.problems == []


def of_laboratory(write: Write, row: str, heading: str = "P (ppm)") -> TableRead:
    text = f"Lab Number,Field,pH,{heading},Date Sampled\n{row}\n"
    parsed = import_table(write("s.csv", text), "soil_test", as_of=TODAY)
    assert parsed.result is not None
    return read_rows(parsed.result.tables[0], parsed.problems, farm_id="F1")


def test_a_laboratorys_rows_become_soil_tests(write: Write) -> None:
    reading = of_laboratory(write, "A1,N40,6.5,40,2026-05-14")
    (row,) = reading.frame.to_dicts()
    assert (row["soil_test_id"], row["unit_id"], row["ph"], row["p_ppm"]) == ("A1", "N40", 6500, 40_000)
    assert reading.incomplete_rows == []


@pytest.mark.parametrize(
    ("row", "heading", "unit"),
    [
        ("A1,N40,6.5,40,03/04/2026", "P (ppm)", "N40"),
        ("A1,N40,6.5,<5,2026-05-14", "P (ppm)", "N40"),
        ("A1,N40,6.5,40,2026-11-22", "P (ppm)", "N40"),
        ("A1,,6.5,40,2026-05-14", "P (ppm)", None),
        ("A1,N40,6.5,40,2026-05-14", "P (lbs/acre)", "N40"),
        ("A1,N40,15,40,03/04/2026", "P (ppm)", "N40"),
    ],
    ids=["two days", "limit", "to come", "no unit", "a unit that does not fit", "two cells"],
)
def test_what_cannot_be_read_leaves_an_incomplete_row_where_it_stands(
    write: Write, row: str, heading: str, unit: str | None
) -> None:
    reading = of_laboratory(write, row, heading)
    marks = {one._replace(file=None, row=None) for one in reading.incomplete_rows}
    assert marks == {IncompleteRow("soil_test", "F1", unit)}
    assert any(problem.weight is Weight.ERROR for problem in reading.problems)
    assert [problem.code for problem in reading.problems].count("unreadable_day") == ("03/04/2026" in row)
    # Bounds are the schema's business, after the parsers; pounds never become parts per million.
    assert reading.frame["ph"].to_list() == ([15_000 if ",15," in row else 6_500] if unit else [])
    assert "lbs" not in heading or reading.frame["p_ppm"].to_list() == [None]


@pytest.mark.parametrize(
    ("problem", "marks"),
    [
        (Problem(Place("s.csv", row=9), "the rest cannot be read.", "Correct it.", code="unreadable_rows"),
         [IncompleteRow("soil_test", "F1")]),
        (Problem(Place("s.csv", row=2), "no unit.", "Confirm.", weight=Weight.CONFIRM), []),
    ],
    ids=["of the whole file", "a doubt"],
)  # fmt: skip
def test_an_error_of_the_whole_file_marks_the_kind_on_the_farm_and_a_doubt_nothing(
    problem: Problem, marks: list[IncompleteRow]
) -> None:
    table = MappedTable("s.csv", "", "soil_test", (MappedRow(2, {"soil_test_id": "A1", "unit_id": "N40"}),))
    reading = read_rows(table, [problem], farm_id="F1")
    assert (reading.incomplete_rows, reading.frame.height) == (marks, 1)


def test_our_own_workbook_is_read_by_its_sheets(write: Write) -> None:
    heading = ["Management unit", "name", "acres", "county_fips", "boundary", "parcel_id"]
    data = xlsx([[*heading], ["N40", "North", 80.25, "19169", "", ""]], name="unit")
    book = read_spreadsheet(write("b.xlsx", data), "b.xlsx").result
    assert book is not None
    readings, problems = book_readings(book, farm_id="F1")
    ((name, reading),) = readings
    assert (name, reading.problems, problems) == ("unit", [], [])
    assert reading.frame["acres"].to_list() == [80_250]


def test_a_sheet_of_another_name_is_named_with_its_rows(write: Write) -> None:
    book = read_spreadsheet(write("b.xlsx", xlsx([["a"], ["b"]], name="Fields")), "b.xlsx").result
    assert book is not None
    readings, problems = book_readings(book, farm_id="F1")
    assert readings == []
    assert [(problem.code, "2 rows" in problem.cause) for problem in problems] == [("unknown_sheet", True)]


@pytest.mark.parametrize(
    ("text", "name"),
    [("North 40", "North 40"), ("  #7 / Süd ", "7 / S-d"), ("", "field"), ("???", "field"), ("x" * 99, "x" * 80)],
)
def test_any_name_becomes_an_identifier(text: str, name: str) -> None:
    assert identifier(text) == name


@pytest.mark.samples
def test_the_iowa_field_becomes_a_unit_and_a_harvest(samples: Path) -> None:
    outline = parse_limited("boundaries", samples / "yield" / "boundary.shp").result
    assert isinstance(outline, Boundaries)
    units = read_rows(unit_rows(outline, "boundary.shp"), (), farm_id="F1")
    log = read_yield_log(samples / "yield" / "2012-basswood.txt", "basswood.txt").result
    assert log is not None
    harvests = read_rows(harvest_rows(log, "basswood.txt", units={"F0:BASSWOODD": "boundary 1"}), (), farm_id="F1")
    assert (units.problems, harvests.problems) == ([], [])
    assert units.frame["acres"].to_list() == [25_582]
    assert harvests.frame["bushels"].to_list() == [2_858_478]
    assert harvests.frame["unit_id"].to_list() == units.frame["unit_id"].to_list()
