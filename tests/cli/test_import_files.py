"""``provender template``, ``import`` and ``rejects``: what they print, their exit status, and what is in the book."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import openpyxl
import pytest

from provender.cli.app import call
from provender.formats.template_layout import sheet_name
from provender.records.folder import load_book, rejected_in, save_book
from provender.records.kind import KINDS
from tests.formats.conftest import book
from tests.formats.test_intake import brought
from tests.rows import CaseRows
from tests.standards.season import Rows, book_of, clean_season, draw

ROWS: Final = CaseRows(__file__)

# ``provender template`` writes a workbook, begins a book, and says what each record asks for.

FARM = ("--farm-id", "F1", "--name", "Bluestem Farm", "--county", "Shawnee", "--county-fips", "20177", "--state", "KS")


def status_of(*arguments: str) -> int:
    try:
        return call(arguments)
    except SystemExit as left:
        return int(left.code or 0)


def printed(capsys: pytest.CaptureFixture[str], arguments: Sequence[str], status: int) -> str:
    assert status_of(*arguments) == status
    left = capsys.readouterr()
    return left.out + left.err


def said(capsys: pytest.CaptureFixture[str], arguments: Sequence[str], status: int) -> str:
    return printed(capsys, ["template", *arguments], status)


def test_a_workbook_or_book_begins_empty_and_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "records.xlsx"
    assert "Wrote the workbook" in said(capsys, ["--out", str(path)], 0)
    assert len(openpyxl.load_workbook(path).sheetnames) == len(KINDS) + 2
    assert "File exists" in said(capsys, ["--out", str(path)], 2)
    assert "cannot be written" in said(capsys, ["--out", str(path / "no.xlsx")], 2), "a file is no folder"
    said(capsys, ["--book", str(tmp_path / "book"), *FARM], 0)
    book = load_book(tmp_path / "book")
    assert (book.problems, book.farm_ids, [row["county_fips"] for row in book["farm"]]) == ((), ("F1",), ["20177"])
    assert {path.stem for path in (tmp_path / "book").iterdir()} == set(KINDS)
    assert "already" in said(capsys, ["--book", str(tmp_path / "book"), *FARM], 2)


@pytest.mark.parametrize(
    ("options", "words"),
    [(FARM[2:], "--farm-id"), (("--farm-id", "F1"), "--name"), (("--farm-id", "?", "--name", "x"), "identifier")],
)
def test_a_farm_that_is_not_well_named_begins_no_book(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], words: str
) -> None:
    assert words in said(capsys, ["--book", str(tmp_path / "book"), *options], 2)
    assert not (tmp_path / "book" / "farm.csv").exists()


def test_kinds_and_columns_are_listed_for_people_and_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert "tillage_history" in said(capsys, ["--list"], 0)
    assert [one["kind"] for one in json.loads(said(capsys, ["--list", "--json"], 0))] == list(KINDS)
    assert "inches" in said(capsys, ["--kind", "Field operations"], 0)
    schema = json.loads(said(capsys, ["--kind", "operation", "--json"], 0))
    assert schema["properties"]["depth_in"]["x-unit"] == "in"
    assert "There is no kind of record" in said(capsys, ["--kind", "oprations"], 2)


# ``provender import`` from the command line: what it prints, its exit status, and what it leaves in the book.


def filled(path: Path, rows: Rows) -> Path:
    status_of("template", "--out", str(path))
    workbook = openpyxl.load_workbook(path)
    for kind, of_kind in rows.items():
        page = workbook[sheet_name(KINDS[kind])]
        columns = {cell.value: cell.column for cell in page[3]}
        for number, row in enumerate(of_kind, start=4):
            for name, text in row.items():
                page.cell(number, columns[name]).value = text
    workbook.save(path)
    return path


def test_a_filled_template_becomes_a_book_just_as_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, book = filled(tmp_path / "season.xlsx", clean_season()), tmp_path / "book"
    capsys.readouterr()
    text = printed(capsys, ["import", str(path), "--into", str(book), "--dry-run"], 0)
    assert all(words in text for words in ("What would be imported", "Nothing was written."))
    assert not book.exists()
    arguments = ["import", str(path), "--into", str(book), "--json", "--as-of", "2026-11-21"]
    found = json.loads(printed(capsys, arguments, 0))
    assert sum(table["added"] for table in found["tables"]) == sum(len(rows) for rows in clean_season().values())
    assert found["problems"] == []
    printed(capsys, ["check", str(book)], 1)  # papers and boundary that it names are not there yet
    draw(clean_season(), book)
    (book / "evidence").mkdir(exist_ok=True)
    for row in clean_season()["evidence"]:
        (book / "evidence" / row["file"]).write_text(row["file"])
    verdicts = json.loads(printed(capsys, ["check", str(book), "--json"], 0))
    (interval,) = verdicts["intervals"]
    assert {p["implementation"] for p in interval["practices"] if p["claimable"]} == {"met"}


def test_a_foreign_table_is_read_through_a_saved_map(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book, lab = tmp_path / "book", tmp_path / "lab.csv"
    save_book(book_of(clean_season()), book)
    lab.write_text("Sample ID,Field,Date Sampled,pH,P (ppm)\nS1,North forty,03/14/2025,6.5,22\n", encoding="utf-8")
    first = ["import", str(lab), "--into", str(book), "--kind", "soil_test", "--unit", "North forty=N40"]
    assert "--accept" in printed(capsys, first, 1)
    assert len(load_book(book)["soil_test"]) == 1
    printed(capsys, [*first, "--accept", "--save-map"], 0)
    assert [row["unit_id"] for row in load_book(book)["soil_test"]] == ["N40", "N40"]
    (saved,) = (book / "maps").iterdir()
    lab.write_text(lab.read_text("utf-8").replace("S1", "S2"), encoding="utf-8")
    capsys.readouterr()
    found = json.loads(printed(capsys, [*first[:4], "--accept", "--unit", "North forty=N40", "--json"], 0))
    assert [(table["kind"], table["added"]) for table in found["tables"]] == [("soil_test", 1), ("evidence", 1)]
    assert json.loads(saved.read_text("utf-8"))["confirmed"] is True
    (told,) = (one for one in found["problems"] if one["code"] == "saved_map_used")
    assert told["place"]["file"] == f"maps/{saved.name}"
    assert "Sample ID is soil_test_id" in told["cause"]
    assert "correct the map or delete it" in told["remedy"]
    saved.unlink()
    text = printed(capsys, [*first[:4], "--kind", "soil_test", "--unit", "North forty=N40"], 1)
    assert "--accept" in text
    assert "an earlier import saved" not in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--kind", "soils"], "There is no kind of record 'soils'"),
        (["--map", "absent.json"], "The map cannot be read: No such file"),
        (["--map", str(Path(__file__))], "not a saved column map"),
    ],
)
def test_a_wrong_option_is_refused_with_a_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], words: str
) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    assert words in printed(capsys, ["import", str(tmp_path / "x.csv"), "--into", str(tmp_path), *options], 2)


def test_a_file_that_is_not_there_is_told_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status_of("template", "--book", str(tmp_path / "b"), "--farm-id", "F1", "--name", "Bluestem")
    capsys.readouterr()
    text = printed(capsys, ["import", str(tmp_path / "absent file.csv"), "--into", str(tmp_path / "b")], 1)
    assert "absent file.csv: there is no file of this name. Check the name and the folder" in text
    assert "Errno" not in text


def test_the_command_line_chooses_and_adds_a_crop_entry(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book, path = tmp_path / "book", tmp_path / "planting.csv"
    save_book(book_of(clean_season()), book)
    year = max(row["last_day"] for row in load_book(book)["harvest"]).year
    path.write_text(f"Field,Crop,Date Planted\nN40,Corn,5/2/{year + 1}\n", encoding="utf-8")
    asked = ["import", str(path), "--into", str(book), "--accept"]
    capsys.readouterr()
    text = printed(capsys, [*asked, "--dry-run"], 1)
    assert f"N40 has no corn of {year + 1}: add it?" in text
    assert f"--answer 'new_entry|N40-corn-{year + 1}|N40=corn, not_yet'" in text
    for text in ("N40, gold", "N40, corn, \N{SUPERSCRIPT TWO}", "N40, corn, 2025, harvested"):
        wrong = printed(capsys, [*asked, "--add-entry", text], 2)
        assert "Say UNIT, CROP, YEAR" in wrong
    wrong = printed(capsys, [*asked, "--add-entry", "N40, milo, 2025, harvested, 2023-10-02"], 2)
    assert "no day of the harvest of 2025" in wrong
    text = printed(capsys, [*asked, "--notes", "--add-entry", f"N40, corn, {year + 1}"], 0)
    assert "was taken for the crop entry N40 corn (not harvested yet)" in text
    assert f"N40-corn-{year + 1}" in [row["harvest_id"] for row in load_book(book)["planting"]]
    path.write_text(f"Field,Crop,Date Planted\nN40,Corn,5/20/{year + 1}\n", encoding="utf-8")
    text = printed(capsys, ["import", str(path), "--into", str(book), "--kind", "planting"], 1)
    assert "has a row of" not in text, "nothing of it goes in yet"
    again = tmp_path / "again.csv"
    again.write_text(path.read_text("utf-8"), encoding="utf-8")
    text = printed(capsys, ["import", str(again), "--into", str(book), "--kind", "planting", "--accept"], 0)
    assert f"N40-corn-{year + 1} has a row of planting and emergence already" in text


# ``provender rejects`` lists, mends and dismisses what an import could not take.

assert book  # a fixture
HEAD = "operation_id,unit_id,day,operation,depth_in\n"


@pytest.fixture
def rejected(book: Path) -> Path:
    brought(book, "operation.csv", HEAD + "O1,HOME80,2026-05-01,Combine,9x\nO2,HOME80,2026-05-02,Combine,8x\n")
    return book


def run(*arguments: str) -> int:
    return status_of("rejects", *arguments)


def test_rejected_rows_are_listed_with_reason(rejected: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list", str(rejected), "--json") == 1
    first, second = json.loads(capsys.readouterr().out)
    assert (first["number"], first["kind"], first["from"]) == (1, "operation", "operation.csv, row 2")
    assert "Depth of disturbance: '9x' is not" in first["why"]
    assert second["cells"]["operation_id"] == "O2"
    assert run("list", str(rejected)) == 1
    assert "8x" in capsys.readouterr().out


def test_a_row_is_mended_by_command_and_goes_in(rejected: Path) -> None:
    assert run("mend", str(rejected), "1", "--set", "depth_in=9y") == 1
    assert run("mend", str(rejected), "2", "--set", "depth_in=9") == 0, "a row that is still wrong goes to the end"
    assert [row["depth_in"] for row in load_book(rejected)["operation"]] == [9000]
    assert run("mend", str(rejected), "1", "--set", "depth_in=8") == 0
    assert sorted(row["depth_in"] for row in load_book(rejected)["operation"]) == [8000, 9000]
    assert load_book(rejected).problems == ()


def test_rows_are_dismissed_one_by_one_and_all(rejected: Path) -> None:
    assert run("dismiss", str(rejected), "2") == 0
    assert [dict(row.cells)["depth_in"] for row in rejected_in(rejected)] == ["9x"]
    assert run("dismiss", str(rejected)) == 0
    assert load_book(rejected).problems == ()
    assert run("list", str(rejected)) == 0


@ROWS
def test_what_is_not_there_is_refused_in_words(
    rejected: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*(each.format(book=rejected) for each in arguments)) == 2
    assert words in capsys.readouterr().err
    assert len(rejected_in(rejected)) == 2
