"""Many farms in a line each, what is due by which day, and whom a report is still owed."""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from provender.paper.calendar import Event, calendar
from provender.problem import ProblemsError
from provender.records.folder import load_book, save_book
from provender.report.attestation import deliveries
from provender.report.versions import assert_read
from provender.services.farm.due import due_records, farm_line
from tests.cli.calling import called
from tests.proof.changes import both, sold
from tests.standards.season import Rows, book_of, changed, clean_season

AS_OF = "2025-11-21"


def said(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    status, out, err = called(capsys, *arguments)
    return status, out if "--json" in arguments else out + err


def farm(folder: Path, rows: Rows) -> Path:
    save_book(book_of(rows), folder)
    (folder / "evidence").mkdir(exist_ok=True)
    for row in rows["evidence"]:
        (folder / "evidence" / row["file"]).write_text(row["file"])
    return folder


def undeclared() -> Rows:
    return {**clean_season(), "declaration": []}


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Path]:
    folder = tmp_path_factory.mktemp("farms")
    (folder / "broken").mkdir()
    return farm(folder / "done", clean_season()), farm(folder / "open", undeclared()), folder / "broken"


def test_late_farms_stand_first_and_a_wrong_year_is_named(
    books: Sequence[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out = said(capsys, "check", *books, "--year", "2025", "--premium", "0.35", "--json", "--as-of", AS_OF)
    farms = json.loads(out)["farms"]
    assert status == 1
    assert [one["book"] for one in farms] == ["broken", "open", "done"]
    assert (farms[1]["ready"], farms[1]["units"], farms[1]["days_left"]) == (0, 1, -31)
    assert farms[1]["premium_at_stake"] == "2800.00"  # 8,000 bushels at 35 cents
    assert farms[1]["premium_is"] == "your own assumption"
    assert (farms[2]["ready"], farms[2]["open_bushels"]) == (1, "0")
    status, out = said(capsys, "check", books[0], "--year", "2031")
    assert status == 2
    assert "no harvest of 2031; it has: 2025" in out
    _, out = said(capsys, "check", books[0], "--unit", "Z9")
    assert "no unit 'Z9' with a verdict; it has: N40" in out


def test_an_assumed_price_is_said_and_kept_nowhere(books: Sequence[Path], capsys: pytest.CaptureFixture[str]) -> None:
    _, out = said(capsys, "check", *books[:2], "--premium", "0.35", "--as-of", AS_OF)
    assert "assumed" in out
    status, out = said(capsys, "check", *books[:2], "--premium", "much")
    assert (status, "no price" in out) == (2, True)
    before = {path: path.read_bytes() for path in books[1].rglob("*") if path.is_file()}
    _, out = said(capsys, "plan", books[1], "--premium-per-bushel", "0.35")
    assert "one practice more" in out
    assert "your own assumption" in out
    assert {path: path.read_bytes() for path in books[1].rglob("*") if path.is_file()} == before


def test_points_stand_beside_a_premium(books: Sequence[Path], capsys: pytest.CaptureFixture[str]) -> None:
    typed = ("--premium-per-bushel", "0.35", "--price-per-point", "0.1", "--point", "1000")
    _, out = said(capsys, "check", books[1], *typed, "--json", "--as-of", AS_OF)
    stake = json.loads(out)["farms"][0]["premium_at_stake"]
    _, out = said(capsys, "plan", books[1], *typed, "--json")
    (unit,) = json.loads(out)["units"]
    none = next(one for one in unit["options"] if not one["practices"])
    reach = [one for one in unit["results"] if all(piece["records"] for piece in one["missing"])]
    best = max(float(one["against_today_dollars"]) for one in reach)
    assert float(stake) == pytest.approx(best - float(none["against_today_dollars"]))
    assert float(stake) > 2800
    assert json.loads(out)["price"]["is"] == "your own assumption"


def due(rows: Rows, day: str = AS_OF) -> dict[str, date | None]:
    return {one.cite: one.day for one in due_records(book_of(rows), date.fromisoformat(day))}


TEST, WORD, DECLARED, PHOTO = "2100.053(a)(2)", "2100.053(b)(1)", "2100.051(c)(2)", "2100.052(c)"
NOT_ASKED = "not asked for"
DUE: Sequence[tuple[str, str, tuple[int, str, str] | None, date | str | None]] = (
    (TEST, "soil_test", (0, "sampled_on", "2024-02-29"), date(2026, 2, 28)),
    (TEST, "soil_test", None, None),
    (TEST, "unit", (0, "acres", "40"), date(2025, 11, 5)),
    (TEST, "nutrient_budget", (0, "made_on", "2025-11-10"), NOT_ASKED),
    (DECLARED, "declaration", None, date(2025, 10, 21)),
    (DECLARED, "unit", (0, "acres", "40"), NOT_ASKED),
    (PHOTO, "cover_crop", (0, "established_photo", ""), date(2025, 4, 16)),
    (WORD, "nutrient_application", (1, "inhibitor", ""), date(2025, 6, 2)),
    (WORD, "nutrient_application", (1, "inhibitor", "none"), NOT_ASKED),
)
"""What is asked for by which day, of a clean season in which one cell is another or no row of a kind is left."""


@pytest.mark.parametrize(("cite", "kind", "cell", "day"), DUE)
def test_a_record_is_due_by_its_day(cite: str, kind: str, cell: tuple[int, str, str] | None, day: date | None) -> None:
    season = undeclared() if cite == WORD else clean_season()
    rows = changed(season, kind, cell[0], **{cell[1]: cell[2]}) if cell else {**season, kind: []}
    assert due(rows).get(cite, NOT_ASKED) == day


@pytest.mark.parametrize(("day", "until"), [("2025-12-15", date(2030, 12, 15)), ("2028-02-29", date(2033, 2, 28))])
def test_the_records_of_a_harvest_are_kept_five_years_from_its_own_last_sale(day: str, until: date) -> None:
    sale = {"crop": "corn", "harvest_year": "2025", "disposition": "sold_with_ci", "bushels": "10"}
    rows = {**clean_season(), "sale": [{**sale, "sale_id": "S1", "day": "2025-11-01"}]}
    rows["sale"] += [{**sale, "sale_id": "S2", "day": day}, {**sale, "sale_id": "S3", "disposition": "fed", "day": ""}]
    assert due(rows)["2100.030(d)"] == until
    assert "2100.030(d)" not in due(clean_season())


def test_no_day_is_named_while_a_sale_has_none_and_a_calendar_escapes_and_folds() -> None:
    sale = {"crop": "corn", "harvest_year": "2025", "disposition": "sold_with_ci", "bushels": "10"}
    dated = [{**sale, "sale_id": "S1", "day": "2025-11-01"}, {**sale, "sale_id": "S2", "day": ""}]
    (found,) = [one for one in due_records(book_of({**clean_season(), "sale": dated}), date(2031, 1, 1))
                if one.cite == "2100.030(d)"]  # fmt: skip
    assert (found.day, found.keeps) == (None, True)
    assert found.what.startswith("Enter the day of each sale of corn 2025")
    text = calendar([Event(date(2026, 5, 1), "a, b; c\\d", "\u00e9" * 200)], as_of=date(2026, 4, 1))
    assert b"SUMMARY:a\\, b\\; c\\\\d" in text
    lines = text.split(b"\r\n")
    assert max(map(len, lines)) <= 75
    assert (
        "".join(line.decode()[1:] if line.startswith(b" ") else "|" + line.decode() for line in lines).count("\u00e9")
        == 200
    )


def test_what_is_only_kept_is_no_next_step_and_never_late(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sale = {"sale_id": "S1", "crop": "corn", "harvest_year": "2025", "disposition": "sold_without_claim",
            "bushels": "10", "day": "2025-11-01"}  # fmt: skip
    rows = {**clean_season(), "sale": [sale]}
    rows["nutrient_budget"][0]["made_on"] = "2025-11-10"
    book = farm(tmp_path / "sold", rows)
    line = farm_line(book, 2025, date(2026, 1, 1))
    assert (line.days, "Keep all records" in line.next) == (None, False)
    for day, listed in ((date(2030, 11, 1), True), (date(2030, 11, 2), False)):
        kept = [one for one in due_records(book_of(rows), day) if one.cite == "2100.030(d)"]
        assert bool(kept) is listed
    _, out = said(capsys, "plan", book, "--due", "--as-of", "2026-01-01")
    assert "F1" in out


def test_the_list_says_what_is_late(books: Sequence[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "due.ics"
    status, out = said(capsys, "plan", books[1], "--due", "--ics", path, "--json", "--as-of", AS_OF)
    assert status == 0
    assert {one["late"] for one in json.loads(out)} == {True}
    text = path.read_bytes()
    assert text.startswith(b"BEGIN:VCALENDAR\r\n")
    assert text.count(b"BEGIN:VEVENT") == len(json.loads(out))
    assert b"DTSTART;VALUE=DATE:20251021\r\nDTEND;VALUE=DATE:20251022\r\n" in text


@pytest.mark.parametrize(("typed", "meant"), [("chek", "check"), ("imprt", "import"), ("Plan", "plan")])
def test_a_verb_that_is_nearly_right_is_named(typed: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = said(capsys, typed)
    assert status == 2
    assert f"Did you mean `provender {meant}`?" in out


def test_a_farm_that_claims_nothing_has_nothing_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = ("farm", "producer", "unit", "harvest", "bushel_total")
    rows = {kind: of if kind in kept else [] for kind, of in clean_season().items()}
    for claims, well in (("", False), ("none", True)):
        ticked = {**rows, "harvest": [{**row, "claims": claims} for row in rows["harvest"]]}
        book = farm(tmp_path / f"of {claims}", ticked)
        status, shown = said(capsys, "check", book)
        assert (status == 0, "No practice is claimed" in shown) == (well, well), shown
        line = farm_line(book, None, date.fromisoformat(AS_OF))
        assert (line.done, line.gaps == 0, line.open_bushels == 0) == (well, well, well)


# ``provender deliver``: whom the report is still owed, and the row that says a buyer has it (2100.031(c)).

ON = ("--as-of", "2026-01-20")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    twice = both(sold(), sold(sale_id="S2", buyer="Mill", day="2026-01-05"), sold(sale_id="S3", crop="soybeans"))
    save_book(book_of(twice(clean_season())), tmp_path / "book")
    return tmp_path / "book"


def test_a_delivery_is_written_for_every_crop_the_buyer_bought(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
    assert sorted(row["delivery_id"] for row in read["report_delivery"]) == ["D1", "D2", "D3"]
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
    assert not load_book(book)["report_delivery"]


def test_a_second_delivery_is_refused_and_ones_own_order_kept(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "note,sale_id,delivery_id,farm_id,day,how\nby hand,S2,D1,F1,2026-01-06,in_person\n"
    (book / "report_delivery.csv").write_text(rows)
    status, out = said(capsys, "deliver", book, "--to", "Mill", *ON)
    assert (status, "corn 2025 on 2026-01-06" in " ".join(out.split())) == (2, True)
    assert said(capsys, "deliver", book, "--to", "Co-op", *ON)[0] == 0
    assert (book / "report_delivery.csv").read_text().startswith(rows)
    assert sorted(row["delivery_id"] for row in load_book(book)["report_delivery"]) == ["D1", "D2", "D3"]


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("Delivery,Sale,Date,How it was given,Note", "D1,S2,2026-01-06,in_person,by hand"),
        ("DELIVERY,farm_id,Sale_ID,date,HOW", "D1,F1,S2,2026-01-06,in_person"),
        ("Sale,how,day,Delivery,Farm", "S2,in_person,2026-01-06,D1,"),
    ],
)
def test_a_table_with_labels_is_kept(book: Path, heading: str, cells: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = book / "report_delivery.csv"
    path.write_text(f"{heading}\n{cells}\n")
    assert said(capsys, "deliver", book, "--to", "Co-op", *ON)[0] == 0
    written = path.read_text().splitlines()
    assert (written[0].startswith(heading), written[1].startswith(cells)) == (True, True)
    read = load_book(book)
    assert not read.problems
    kept = {(one["delivery_id"], one["sale_id"], one["how"]) for one in read["report_delivery"]}
    assert kept == {("D1", "S2", "in_person"), ("D2", "S1", "in_person"), ("D3", "S3", "in_person")}


def test_a_table_that_would_not_be_read_again_never_replaces_the_file() -> None:
    row = {"farm_id": "F1", "sale_id": "S1", "day": "2026-01-20", "how": "in_person"}
    heading, old = "Delivery,Sale,Date,How it was given\n", "D1,S2,2026-01-06,in_person\n"
    new = "D2,S1,2026-01-20,in_person\n"
    assert_read(heading + old + new, "report_delivery.csv", [row], 1)
    for text in (heading + new, heading + old, heading + old + ",,,\n"):
        with pytest.raises(ProblemsError, match="nothing was written"):
            assert_read(text, "report_delivery.csv", [row], 1)
