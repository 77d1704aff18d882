"""Rows that an import could not take mark the book until somebody settles them."""

from pathlib import Path

import pytest

from provender.records.folder import load_book

FARM = "farm_id,name,county_fips,county,state\nF1,Blue Stem,20177,Shawnee,KS\n"
UNIT = "unit_id,name,acres,county_fips,boundary,parcel_id\nN40,North,40.5,20177,,\n"
HEAD = (
    "rejected_from,rejected_because,operation_id,unit_id,day,operation,equipment,depth_in,speed_mph,width_ft,"
    "surface_pct,treated_acres,full_width,primary_inversion\n"
)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    (tmp_path / "farm.csv").write_text(FARM, encoding="utf-8")
    (tmp_path / "unit.csv").write_text(UNIT, encoding="utf-8")
    (tmp_path / "rejected").mkdir()
    return tmp_path


def put(book: Path, name: str, text: str) -> None:
    (book / "rejected" / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("row", "mark"),
    [
        ("O1,N40,2026-05-01,Disk,JD,4x,5,20,100,,,", ("N40", "2026-05-01")),
        ("O1,N40,2026-05-01,Disk,JD,4,5,20,100,,,", ("N40", "2026-05-01")),
        ("O1,N40,1979-12-31,Disk,JD,4,5,20,100,,,", ("N40", None)),
        ("O1,N40,1980-01-01,Disk,JD,4,5,20,100,,,", ("N40", "1980-01-01")),
        ("O1,N40,2100-01-01,Disk,JD,4,5,20,100,,,", ("N40", "2100-01-01")),
        ("O1,N40,2100-01-02,Disk,JD,4,5,20,100,,,", ("N40", None)),
        ("O1,N40,someday,Disk,JD,4,5,20,100,,,", (None, None)),
        ("O1,N4O,2026-05-01,Disk,JD,4,5,20,100,,,", (None, None)),
        ("O1,,2026-05-01,Disk,JD,4,5,20,100,,,", (None, None)),
    ],
)
def test_a_rejected_row_marks_what_a_damaged_row_of_the_book_would(
    book: Path, row: str, mark: tuple[str | None, str | None]
) -> None:
    put(book, "operation--ops.csv", HEAD + '"ops.csv, row 4",depth_in: no number,' + row + "\n")
    loaded = load_book(book)
    assert [
        (kind, unit, day and str(day)) for kind, unit, day in loaded.incomplete_rows["kind", "unit_id", "day"].rows()
    ] == [("operation", *mark)]
    assert [problem.code for problem in loaded.problems] == ["rejected_rows"]
    assert "ops.csv, row 4: depth_in: no number" in loaded.problems[0].cause
    assert "provender import" in loaded.problems[0].remedy


def test_a_rejected_row_that_stands_there_twice_marks_what_it_would_alone(book: Path) -> None:
    line = '"ops.csv, row 4",depth_in: no number,O1,N40,2026-05-01,Disk,JD,4,5,20,100,,,\n'
    put(book, "operation--ops.csv", HEAD + line)
    alone = load_book(book).incomplete_rows
    assert not alone.is_empty()
    put(book, "operation--ops.csv", HEAD + line + line)
    assert load_book(book).incomplete_rows.equals(alone)


def test_rows_of_no_known_kind_mark_nothing_and_are_told(book: Path) -> None:
    put(book, "unknown--mystery.csv", "rejected_from,rejected_because,a\nx.csv,nobody can tell,1\n")
    loaded = load_book(book)
    assert loaded.incomplete_rows.is_empty()
    assert [problem.code for problem in loaded.problems] == ["stray_rows"]
    assert "--kind" in loaded.problems[0].remedy


def test_a_file_of_rejected_rows_that_cannot_be_read_marks_its_kind_on_the_whole_farm(book: Path) -> None:
    (book / "rejected" / "operation--x.csv").write_bytes(b"\xff\xfe\x00")
    loaded = load_book(book)
    assert loaded.incomplete_rows["kind", "unit_id"].rows() == [("operation", None)]
    assert loaded.problems[0].code == "rejected_rows"


@pytest.mark.parametrize("text", ["", HEAD])
def test_a_file_without_rows_and_a_deleted_one_mark_nothing(book: Path, text: str) -> None:
    put(book, "operation--ops.csv", text)
    assert load_book(book).problems == ()
    (book / "rejected" / "operation--ops.csv").unlink()
    assert load_book(book).incomplete_rows.is_empty()
