"""``provender rejects`` lists, mends and dismisses what an import could not take."""

import json
from pathlib import Path

import pytest

from provender.cli.app import call
from provender.records.folder import load_book
from tests.formats.test_everyday_tables import book, brought

assert book  # a fixture
HEAD = "operation_id,unit_id,day,operation,depth_in\n"


@pytest.fixture
def rejected(book: Path) -> str:
    brought(book, "operation.csv", HEAD + "O1,HOME80,2026-05-01,Combine,9x\nO2,HOME80,2026-05-02,Combine,8x\n")
    (path,) = (book / "rejected").iterdir()
    return path.name


def run(*arguments: str) -> int:
    try:
        return call(["rejects", *arguments])
    except SystemExit as ended:
        return int(ended.code or 0)


def test_rejected_rows_are_listed_with_their_place_and_reason(
    book: Path, rejected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("list", str(book), "--json") == 1
    first, second = json.loads(capsys.readouterr().out)
    assert (first["file"], first["row"], first["from"]) == (rejected, 2, "operation.csv, row 2")
    assert "9x" in first["why"]
    assert second["cells"]["operation_id"] == "O2"
    assert run("list", str(book)) == 1
    assert "8x" in capsys.readouterr().out


def test_a_row_is_mended_by_command_and_goes_in(book: Path, rejected: str) -> None:
    assert run("mend", str(book), rejected, "--row", "2", "--set", "depth_in=9") == 1
    assert load_book(book)["operation"]["depth_in"].to_list() == [9000]
    assert run("mend", str(book), rejected, "--row", "2", "--set", "depth_in=8") == 0
    assert sorted(load_book(book)["operation"]["depth_in"]) == [8000, 9000]
    assert load_book(book).problems == ()


def test_rows_are_dismissed_one_by_one_and_all(book: Path, rejected: str) -> None:
    assert run("dismiss", str(book), rejected, "--row", "3") == 0
    assert "9x" in (book / "rejected" / rejected).read_text(encoding="utf-8")
    assert run("dismiss", str(book), rejected) == 0
    assert load_book(book).problems == ()
    assert run("list", str(book)) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["mend", "{book}", "nothing.csv", "--row", "2", "--set", "a=b"], "no such file"),
        (["mend", "{book}", "{file}", "--row", "9", "--set", "depth_in=1"], "no row 9"),
        (["mend", "{book}", "{file}", "--row", "2", "--set", "dpth=1"], "names no column"),
        (["dismiss", "{book}", "{file}", "--row", "9"], "no row 9"),
        (["list", "{book}/nowhere"], "No record book"),
    ],
)
def test_what_is_not_there_is_refused_in_words(
    book: Path, rejected: str, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*(each.format(book=book, file=rejected) for each in arguments)) == 2
    assert words in capsys.readouterr().err
