"""``provender template`` writes a workbook, begins a book, and says what each record asks for."""

import json
from collections.abc import Sequence
from pathlib import Path

import openpyxl
import pytest

from provender.cli.app import call
from provender.records.folder import load_book
from provender.records.kind import KINDS

FARM = ("--farm-id", "F1", "--name", "Bluestem Farm", "--county", "Shawnee", "--county-fips", "20177", "--state", "KS")


def said(capsys: pytest.CaptureFixture[str], arguments: Sequence[str], status: int) -> str:
    with pytest.raises(SystemExit) as ended:
        raise SystemExit(call(["template", *arguments]))
    assert ended.value.code == status
    printed = capsys.readouterr()
    return printed.out + printed.err


def test_the_workbook_is_written_once_and_never_over_a_filled_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "records.xlsx"
    assert "Wrote the workbook" in said(capsys, ["--out", str(path)], 0)
    assert len(openpyxl.load_workbook(path).sheetnames) == len(KINDS) + 2
    assert "may be filled in" in said(capsys, ["--out", str(path)], 2)
    assert "folder that exists" in said(capsys, ["--out", str(tmp_path / "no" / "t.xlsx")], 2)


def test_a_new_book_holds_every_empty_file_and_its_farm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, ["--book", str(tmp_path / "book"), *FARM], 0)
    book = load_book(tmp_path / "book")
    assert (book.problems, book.farm_ids, book["farm"]["county_fips"].to_list()) == ((), ("F1",), ["20177"])
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


def test_without_anything_to_make_it_says_what_can_be_made(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--out FILE.xlsx" in said(capsys, [], 2)
