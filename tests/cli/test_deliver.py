"""``provender deliver``: whom the report is still owed, and the row that says a buyer has it (2100.031(c))."""

import json
from pathlib import Path

import pytest

from provender.practices.deliveries import deliveries
from provender.problem import ProblemsError
from provender.records.folder import load_book, save_book
from provender.report.versions import assert_read
from tests.cli.test_farms_and_due import said
from tests.practices.season import book_of, clean_season
from tests.proof.changes import both, sold

ON = ("--as-of", "2026-01-20")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    twice = both(sold(), sold(sale_id="S2", buyer="Mill", day="2026-01-05"), sold(sale_id="S3", crop="soybeans"))
    save_book(book_of(twice(clean_season())), tmp_path / "book")
    return tmp_path / "book"


def test_a_delivery_is_written_for_every_crop_the_buyer_bought_and_nothing_else_changes(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, "deliver", book, *ON)[0] == 1
    before = {path.name: path.read_bytes() for path in book.glob("*.csv") if path.name != "report_delivery.csv"}
    status, out = said(capsys, "deliver", book, "--to", " co-OP ", "--how", "by_post", "--json", *ON)
    given = {(one["buyer"], one["crop"]): one["given_on"] for one in json.loads(out)["deliveries"]}
    assert (status, given) == (1, {("Co-op", "corn"): "2026-01-20", ("Co-op", "soybeans"): "2026-01-20",
                                   ("Mill", "corn"): None})  # fmt: skip
    assert said(capsys, "deliver", book, "--to", "Mill", *ON)[0] == 0
    assert {path.name: path.read_bytes() for path in book.glob("*.csv") if path.name in before} == before
    read = load_book(book)
    assert not any(one.place.file == "report_delivery.csv" for one in read.problems)
    assert sorted(read["report_delivery"]["delivery_id"]) == ["D1", "D2", "D3"]
    assert {one.how for one in deliveries(read)} == {"by_post", "in_person"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--to", "Nobody"), "the buyers are Co-op, Mill"),
        (("--to", "Mill", "--how", "by owl"), "is no way to give a report"),
    ],
)
def test_an_unknown_buyer_or_way_is_refused_in_words(
    book: Path, arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out = said(capsys, "deliver", book, *arguments, *ON)
    assert (status, words in " ".join(out.split())) == (2, True)
    assert not load_book(book)["report_delivery"].height


def test_a_second_delivery_is_refused_and_a_table_of_ones_own_keeps_its_order(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "note,sale_id,delivery_id,farm_id,day,how\nby hand,S2,D1,F1,2026-01-06,in_person\n"
    (book / "report_delivery.csv").write_text(rows)
    status, out = said(capsys, "deliver", book, "--to", "Mill", *ON)
    assert (status, "corn 2025 on 2026-01-06" in " ".join(out.split())) == (2, True)
    assert said(capsys, "deliver", book, "--to", "Co-op", *ON)[0] == 0
    assert (book / "report_delivery.csv").read_text().startswith(rows)
    assert sorted(load_book(book)["report_delivery"]["delivery_id"]) == ["D1", "D2", "D3"]


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("Delivery,Sale,Date,How it was given,Note", "D1,S2,2026-01-06,in_person,by hand"),
        ("DELIVERY,farm_id,Sale_ID,date,HOW", "D1,F1,S2,2026-01-06,in_person"),
        ("Sale,how,day,Delivery,Farm", "S2,in_person,2026-01-06,D1,"),
    ],
)
def test_a_table_headed_with_labels_keeps_its_rows_and_columns(
    book: Path, heading: str, cells: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = book / "report_delivery.csv"
    path.write_text(f"{heading}\n{cells}\n")
    assert said(capsys, "deliver", book, "--to", "Co-op", *ON)[0] == 0
    written = path.read_text().splitlines()
    assert (written[0].startswith(heading), written[1].startswith(cells)) == (True, True)
    read = load_book(book)
    assert not read.problems
    kept = {(one["delivery_id"], one["sale_id"], one["how"]) for one in read["report_delivery"].iter_rows(named=True)}
    assert kept == {("D1", "S2", "in_person"), ("D2", "S1", "in_person"), ("D3", "S3", "in_person")}


def test_a_table_that_would_not_be_read_again_never_replaces_the_file() -> None:
    row = {"farm_id": "F1", "sale_id": "S1", "day": "2026-01-20", "how": "in_person"}
    heading, old = "Delivery,Sale,Date,How it was given\n", "D1,S2,2026-01-06,in_person\n"
    new = "D2,S1,2026-01-20,in_person\n"
    assert_read(heading + old + new, "report_delivery.csv", [row], 1)
    for text in (heading + new, heading + old, heading + old + ",,,\n"):
        with pytest.raises(ProblemsError, match="nothing was written"):
            assert_read(text, "report_delivery.csv", [row], 1)
