"""Many farms in a line each, sorted by what to do next; what is due by which day, as a list and as a calendar."""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from provender.cli.app import call
from provender.paper.calendar import Event, calendar
from provender.practices.due import due_records
from provender.records.folder import save_book
from provender.services.farm.check import farm_line
from tests.practices.season import Rows, book_of, clean_season

AS_OF = "2025-11-21"


def said(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    try:
        status = call([str(each) for each in arguments])
    except SystemExit as left:
        status = int(left.code or 0)
    printed = capsys.readouterr()
    return status, printed.out if "--json" in arguments else printed.out + printed.err


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


def test_each_farm_has_a_line_and_what_cannot_be_read_and_what_is_late_comes_first(
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


def test_on_paper_the_premium_says_whose_assumption_it_is(
    books: Sequence[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    _, out = said(capsys, "check", *books[:2], "--premium", "0.35", "--as-of", AS_OF)
    assert "assumed" in out
    status, out = said(capsys, "check", *books[:2], "--premium", "much")
    assert (status, "no price" in out) == (2, True)


def test_points_below_the_default_stand_beside_a_premium_in_check_and_in_plan_by_one_price(
    books: Sequence[Path], capsys: pytest.CaptureFixture[str]
) -> None:
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


def test_a_price_is_kept_nowhere(books: Sequence[Path], capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in books[1].rglob("*") if path.is_file()}
    _, out = said(capsys, "plan", books[1], "--premium-per-bushel", "0.35")
    assert "one practice more" in out
    assert "your own assumption" in out
    assert {path: path.read_bytes() for path in books[1].rglob("*") if path.is_file()} == before


def test_a_wrong_year_is_named_as_such_and_so_is_a_wrong_unit(
    books: Sequence[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out = said(capsys, "check", books[0], "--year", "2031")
    assert status == 2
    assert "no harvest of 2031; it has: 2025" in out
    _, out = said(capsys, "check", books[0], "--unit", "Z9")
    assert "no unit 'Z9' with a verdict; it has: N40" in out


def due(rows: Rows, day: str = AS_OF) -> dict[str, date | None]:
    return {one.cite: one.day for one in due_records(book_of(rows), date.fromisoformat(day))}


def test_a_soil_test_serves_a_budget_for_two_years_to_the_day() -> None:
    assert due(clean_season())["2100.053(a)(2)"] == date(2025, 11, 5)
    leap = clean_season()
    leap["soil_test"][0]["sampled_on"] = "2024-02-29"
    assert due(leap)["2100.053(a)(2)"] == date(2026, 2, 28)
    assert due({**clean_season(), "soil_test": []})["2100.053(a)(2)"] is None


@pytest.mark.parametrize(("day", "until"), [("2025-12-15", date(2030, 12, 15)), ("2028-02-29", date(2033, 2, 28))])
def test_the_records_of_a_harvest_are_kept_five_years_from_its_own_last_sale(day: str, until: date) -> None:
    sale = {"crop": "corn", "harvest_year": "2025", "disposition": "sold_with_ci", "bushels": "10"}
    rows = {**clean_season(), "sale": [{**sale, "sale_id": "S1", "day": "2025-11-01"}]}
    rows["sale"] += [{**sale, "sale_id": "S2", "day": day}, {**sale, "sale_id": "S3", "disposition": "fed", "day": ""}]
    assert due(rows)["2100.030(d)"] == until
    assert "2100.030(d)" not in due(clean_season())


def test_no_day_is_named_until_which_records_are_kept_while_a_sale_has_none() -> None:
    sale = {"crop": "corn", "harvest_year": "2025", "disposition": "sold_with_ci", "bushels": "10"}
    dated = [{**sale, "sale_id": "S1", "day": "2025-11-01"}, {**sale, "sale_id": "S2", "day": ""}]
    (found,) = [one for one in due_records(book_of({**clean_season(), "sale": dated}), date(2031, 1, 1))
                if one.cite == "2100.030(d)"]  # fmt: skip
    assert (found.day, found.keeps) == (None, True)
    assert found.what.startswith("Enter the day of each sale of corn 2025")


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


def test_a_budget_of_the_new_season_asks_for_no_test() -> None:
    rows = clean_season()
    rows["nutrient_budget"][0]["made_on"] = "2025-11-10"
    assert "2100.053(a)(2)" not in due(rows)


def test_a_declaration_is_due_on_the_last_day_of_harvest_and_a_photograph_before_termination() -> None:
    assert due(undeclared())["2100.051(c)(2)"] == date(2025, 10, 21)
    assert "2100.051(c)(2)" not in due(clean_season())
    rows = clean_season()
    rows["cover_crop"][0]["established_photo"] = ""
    assert due(rows)["2100.052(c)"] == date(2025, 4, 16)


def test_an_application_without_a_word_on_its_inhibitor_is_due_on_its_day() -> None:
    rows = undeclared()
    rows["nutrient_application"][1]["inhibitor"] = ""
    assert due(rows)["2100.053(b)(1)"] == date(2025, 6, 2)
    rows["nutrient_application"][1]["inhibitor"] = "none"
    assert "2100.053(b)(1)" not in due(rows)


def test_the_list_says_what_is_late_and_the_calendar_holds_what_has_a_day(
    books: Sequence[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "due.ics"
    status, out = said(capsys, "plan", books[1], "--due", "--ics", path, "--json", "--as-of", AS_OF)
    assert status == 0
    assert {one["late"] for one in json.loads(out)} == {True}
    text = path.read_bytes()
    assert text.startswith(b"BEGIN:VCALENDAR\r\n")
    assert text.count(b"BEGIN:VEVENT") == len(json.loads(out))
    assert b"DTSTART;VALUE=DATE:20251021\r\nDTEND;VALUE=DATE:20251022\r\n" in text


def test_a_calendar_escapes_and_folds_as_the_standard_says() -> None:
    text = calendar([Event(date(2026, 5, 1), "a, b; c\\d", "\u00e9" * 200)], as_of=date(2026, 4, 1))
    assert b"SUMMARY:a\\, b\\; c\\\\d" in text
    lines = text.split(b"\r\n")
    assert max(map(len, lines)) <= 75
    assert (
        "".join(line.decode()[1:] if line.startswith(b" ") else "|" + line.decode() for line in lines).count("\u00e9")
        == 200
    )


@pytest.mark.parametrize(("typed", "meant"), [("chek", "check"), ("imprt", "import"), ("Plan", "plan")])
def test_a_verb_that_is_nearly_right_is_named(typed: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = said(capsys, typed)
    assert status == 2
    assert f"Did you mean `provender {meant}`?" in out


def test_a_farm_that_claims_nothing_has_nothing_to_do_and_its_status_is_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = ("farm", "producer", "unit", "harvest", "bushel_total")
    rows = {kind: of if kind in kept else [] for kind, of in clean_season().items()}
    for claims, well in (("", False), ("none", True)):
        ticked = {**rows, "harvest": [{**row, "claims": claims} for row in rows["harvest"]]}
        book = farm(tmp_path / f"of {claims}", ticked)
        status, shown = said(capsys, "check", book)
        assert (status == 0, "No practice is claimed" in shown) == (well, well), shown
        line = farm_line(book, None, date.fromisoformat(AS_OF))
        assert (line.done, line.gaps == 0, line.open_bushels == 0) == (well, well, well)
