"""What a command on a book lists is saved as it is printed: CSV, XLSX, any day, the sheet of a day."""

import csv
import json
from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import load_workbook
from typer.testing import CliRunner

from provender.cli.custody.app import app
from provender.custody.book_file import create_book, open_book
from provender.custody.events.registry import read_event
from tests.custody.test_book_file import EXAMPLES


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("book") / "coop.jsonl"
    create_book(path, "coop")
    with open_book(path) as opened:
        for line in EXAMPLES:
            assert opened.post(read_event(json.loads(line))).status == "posted"
    return str(path)


def asked(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.stdout


def saved(folder: Path, *arguments: str) -> list[dict[str, str]]:
    asked(*arguments, "--csv", str(folder / "table.csv"), "--xlsx", str(folder / "table.xlsx"))
    rows = list(csv.DictReader((folder / "table.csv").read_text(encoding="utf-8-sig").splitlines()))
    sheet = load_workbook(BytesIO((folder / "table.xlsx").read_bytes())).worksheets[0]
    cells = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert any(list(rows[0]) == [value for value in row if value is not None] for row in cells) if rows else True
    return rows


@pytest.mark.parametrize("command", ["balance", "lots", "journal", "retention", "alerts", "day"])
def test_each_list_is_saved_with_the_rows_of_its_json(command: str, book: str, tmp_path: Path) -> None:
    rows = saved(tmp_path, command, book)
    _, printed = asked(command, book, "--json")
    first = next(value for value in json.loads(printed).values() if isinstance(value, list))
    inner = [line for row in first for line in row.get("lines", [row])]
    assert len(rows) == len(inner)
    for row, line in zip(rows, inner, strict=True):
        for name, value in line.items():
            if isinstance(value, str):
                assert row[name].lstrip("'") == value


def test_a_balance_as_of_any_day_is_the_sum_of_what_was_entered_by_then(book: str) -> None:
    _, whole = asked("balance", book, "--json")
    period = json.loads(whole)["balances"][0]
    _, text = asked("balance", book, "--on", period["end"], "--json")
    (interim,) = json.loads(text)["balances"]
    assert interim["lines"] == period["lines"]
    assert "nothing is closed by it" in interim["interim"]
    _, text = asked("balance", book, "--on", period["start"], "--json")
    (begun,) = json.loads(text)["balances"]
    _, text = asked("balance", book, "--since", "2026-01-02", "--on", period["end"], "--json")
    (rest,) = json.loads(text)["balances"]
    assert begun["lines"] != rest["lines"]
    ends = {(one["crop"], one["ci_g_per_bu"]): one["ending_bu"] for one in begun["lines"]}
    begins = {(one["crop"], one["ci_g_per_bu"]): one["beginning_bu"] for one in rest["lines"]}
    assert {key: value for key, value in begins.items() if value != "0"} == {
        key: value for key, value in ends.items() if value != "0"
    }
    status, _ = asked("balance", book, "--since", "2026-01-02")
    assert status == 2


def test_a_day_holds_claims_against_grain_and_says_where_they_are_not_covered(book: str, tmp_path: Path) -> None:
    _, lots = asked("lots", book, "--json")
    days = sorted(one["since"] for one in json.loads(lots)["lots"])
    status, text = asked("day", book, "--as-of", days[-1], "--json")
    sheet = json.loads(text)
    short = [one for one in sheet["places"] if one["light"] != "covered"]
    assert status == (1 if short else 0)
    for one in sheet["places"]:
        grain, claims = float(one["grain_amount"] or 0), float(one["claims_amount"])
        assert (one["light"] == "covered") == (claims <= grain)
    paper = tmp_path / "day.pdf"
    asked("day", book, "--as-of", days[-1], "--out", str(paper))
    assert paper.read_bytes().startswith(b"%PDF")
    assert asked("day", book, "--out", "day.txt")[0] == 2
