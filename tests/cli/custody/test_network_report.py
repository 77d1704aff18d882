"""``custody reconcile FOLDER --report``: many books in one report, the most bushels first, with a picture."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from provender.cli.custody.app import app
from provender.custody.book_file import create_book, open_book
from provender.custody.events.registry import read_event
from tests.custody.world import ADA_SOY, BEN_SOY, CAST, REPORTS, bought, ev, favourable

runner = CliRunner()


def book(folder: Path, owner: str, *more: dict[str, object]) -> None:
    create_book(folder / f"{owner}.jsonl", owner)
    cast = [{**one, "name": "Ada <b>& Sons"} if one["id"] == "entity-ada" else one for one in CAST]
    with open_book(folder / f"{owner}.jsonl") as opened:
        for event in [*cast, *REPORTS, favourable("coop", "soybeans"), *more]:
            assert opened.post(read_event(event)).status == "posted", event


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two buyers of the same 300 bushels of ada, 50 of them sold on to a house whose book is missing them."""
    made = tmp_path_factory.mktemp("books")
    sale = {"giver": "coop", "taker": "crush", "crop": "soybeans", "bushels": "50"}
    book(made, "coop", *bought("b1", "ada", "coop", ADA_SOY, "300", day="2026-01-05", site="north"),
         ev("sale", "s1", "2026-01-06", **sale))  # fmt: skip
    book(made, "mill", *bought("b2", "ada", "mill", ADA_SOY, "300", day="2026-01-05", site="mill"),
         *bought("b3", "ben", "mill", BEN_SOY, "70", day="2026-01-06", site="mill"))  # fmt: skip
    book(made, "crush")
    (made / "notes.txt").write_text("no book")
    return made


def test_a_folder_stands_for_its_books_and_the_report_has_every_finding(folder: Path, tmp_path: Path) -> None:
    told = runner.invoke(app, ["reconcile", str(folder), "--report", str(tmp_path / "all.html"), "--json"])
    assert told.exit_code == 1, told.output
    data = json.loads(told.stdout)
    assert sorted(data["files"]) == ["coop.jsonl", "crush.jsonl", "mill.jsonl"]
    one_by_one = runner.invoke(app, ["reconcile", *map(str, sorted(folder.glob("*.jsonl"))), "--json"])
    assert json.loads(one_by_one.stdout)["findings"] == data["findings"]
    page = (tmp_path / "all.html").read_text(encoding="utf-8")
    places = [page.index(one["message"].replace("&", "&amp;").replace("'", "&#x27;")) for one in data["findings"]]
    assert places == sorted(places)
    stakes = [float(one["bushels"]) for one in data["findings"]]
    assert stakes == sorted(stakes, reverse=True)
    assert stakes[0] == 250, "what both have; where the other 50 went tells more"
    assert "<svg" in page
    assert "<b>" not in page.replace("<body>", ""), "names of others are text, never markup"
    assert "http" not in page.replace("http://www.w3.org/2000/svg", ""), "it needs nothing from anywhere"


def test_it_is_printed_and_other_kinds_of_file_are_refused(folder: Path, tmp_path: Path) -> None:
    told = runner.invoke(app, ["reconcile", str(folder), "--report", str(tmp_path / "all.pdf")])
    assert told.exit_code == 1
    assert (tmp_path / "all.pdf").read_bytes().startswith(b"%PDF")
    assert runner.invoke(app, ["reconcile", "nowhere", "--report", "all.doc"]).exit_code == 2
