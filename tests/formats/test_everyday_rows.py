"""Nothing of a file is lost and nothing is stuck: strays, mended rows, names of records, tickets and logs in parts."""

import dataclasses
import datetime as dt
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from provender.formats.child import parse_limited
from provender.formats.importing.incoming_files import Choices
from provender.formats.importing.prepare import Plan, prepare
from provender.formats.importing.write import commit
from provender.problem import Weight
from provender.records.folder import BECAUSE, FROM, load_book
from tests.formats.test_everyday_tables import ACCEPTED, book, brought
from tests.formats.test_intake import CHOICES, codes, table
from tests.formats.test_yield_log import line
from tests.formats.workbooks import xlsx_of

assert book  # a fixture

HEAD = "operation_id,unit_id,day,operation,depth_in\n"


def rejects(folder: Path) -> list[str]:
    inside = folder / "rejected"
    return sorted(path.name for path in inside.iterdir()) if inside.is_dir() else []


def units_of(folder: Path) -> list[str]:
    return list(load_book(folder)["operation"]["unit_id"])


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("operation.csv", b"", "empty_file"),
        ("operation.csv", b"\n\n", "no_rows"),
        ("notes.csv", b"\x00\x01\x02", "unreadable_unknown"),
        ("prices.csv", b"Market,Price\nCME,4.10\n", "unknown_sheet"),
        ("stray.xlsx", b"PK\x03\x04 broken", "bad_zip"),
    ],
)
def test_a_stray_an_unknown_and_an_empty_file_leave_no_mark_and_are_told(
    book: Path, name: str, content: bytes, code: str
) -> None:
    choices = dataclasses.replace(CHOICES, parse=parse_limited) if not content else CHOICES
    plan = brought(book, name, content, choices)
    assert any(problem.weight is Weight.ERROR for problem in plan.problems), code
    assert load_book(book).incomplete_rows.is_empty()


@pytest.mark.parametrize("content", [HEAD + "O1,HOME80,2026-05-01,Combine,\n", "a,b\nc,d\n"])
def test_a_file_whose_rows_a_quotation_mark_hides_is_not_empty_and_leaves_its_mark(book: Path, content: str) -> None:
    plan = brought(book, "operation.csv", '"' + content)
    assert "unreadable_rows" in codes(plan)
    assert load_book(book).incomplete_rows["kind"].to_list() == ["operation"]


def test_a_mended_row_handed_in_again_settles_its_reject(book: Path) -> None:
    brought(book, "operation.csv", HEAD + "O1,HOME80,2026-05-01,Combine,\nO2,HOME80,2026-05-02,Combine,8x\n")
    assert len(rejects(book)) == 1
    assert not load_book(book).incomplete_rows.is_empty()
    plan = brought(book, "operation.csv", HEAD + "O1,HOME80,2026-05-01,Combine,\nO2,HOME80,2026-05-02,Combine,8\n")
    assert len(plan.removed) == 1
    assert rejects(book) == []
    assert load_book(book).problems == ()


def test_one_of_two_mended_rows_settles_itself_and_leaves_the_other(book: Path) -> None:
    rows = "O1,HOME80,2026-05-01,Combine,9x\nO2,HOME80,2026-05-02,Combine,8x\n"
    brought(book, "operation.csv", HEAD + rows)
    brought(
        book, "mended.csv", HEAD + "O2,HOME80,2026-05-02,Combine,8\n", dataclasses.replace(CHOICES, kind="operation")
    )
    (name,) = rejects(book)
    text = (book / "rejected" / name).read_text(encoding="utf-8")
    assert "9x" in text
    assert "8x" not in text


def test_a_row_that_is_still_wrong_is_rejected_once(book: Path) -> None:
    for depth in ("8x", "8y"):
        brought(book, "operation.csv", HEAD + f"O2,HOME80,2026-05-02,Combine,{depth}\n")
    (name,) = rejects(book)
    assert "8y" in (book / "rejected" / name).read_text(encoding="utf-8")


def test_another_row_that_slid_to_the_same_place_settles_nothing(book: Path) -> None:
    brought(book, "operation.csv", HEAD + 'O1,HOME80,2026-05-01,"Plow, moldboard",8x\nO2,007,2026-06-02,Combine,\n')
    brought(book, "operation.csv", HEAD + "O2,007,2026-06-02,Combine,\n")
    assert len(rejects(book)) == 1


def test_a_file_of_rejected_rows_that_a_spreadsheet_saved_comes_back_in(book: Path) -> None:
    brought(book, "operation.csv", HEAD + "O2,007,2026-05-14,Combine,8x\n")
    (name,) = rejects(book)
    path = book / "rejected" / name
    text = path.read_text(encoding="utf-8").replace("8x", "8").replace("2026-05-14", "5/14/2026").replace("007", "7")
    path.write_text(text, encoding="cp1252")
    plan = prepare([path], book, CHOICES)
    commit(plan)
    assert codes(plan) == []
    assert rejects(book) == []
    assert load_book(book)["operation"].select("unit_id", "depth_in").rows() == [("007", 8000)]


def test_a_copy_of_the_rejected_rows_under_another_name_settles_them(book: Path) -> None:
    brought(book, "operation.csv", HEAD + "O2,HOME80,2026-05-14,Combine,8x\n")
    (name,) = rejects(book)
    text = (book / "rejected" / name).read_text(encoding="utf-8").replace("8x", "8")
    assert codes(brought(book, "for Ada.csv", text)) == []
    assert rejects(book) == []


@pytest.mark.parametrize("text", ["home 80", "HOME80 ", "Home  80", "home-80", "Home 80"])
def test_a_unit_is_found_blind_to_case_and_blanks_and_by_its_name(book: Path, text: str) -> None:
    plan = brought(book, "operation.csv", HEAD + f"O1,{text},2026-05-01,Combine,\n")
    assert codes(plan) == []
    assert units_of(book) == ["HOME80"]


def test_a_unit_is_found_by_the_number_that_a_spreadsheet_left_of_it(book: Path) -> None:
    assert codes(brought(book, "operation.csv", HEAD + "O1,7,2026-05-01,Combine,\n")) == []
    assert units_of(book) == ["007"]


def test_a_unit_that_is_not_known_stays_out_and_the_nearest_is_named(book: Path) -> None:
    plan = brought(book, "operation.csv", HEAD + "O1,home 81,2026-05-01,Combine,\nO2,HOME80,2026-05-01,Combine,\n")
    (problem,) = [one for one in plan.problems if one.code == "unknown_reference"]
    assert "Nearest: HOME80 (Home 80)" in problem.remedy
    assert problem.place.row == 2
    assert units_of(book) == ["HOME80"]
    said = dataclasses.replace(CHOICES, units={"home 81": "HOME80"})
    brought(book, "operation.csv", HEAD + "O1,home 81,2026-05-01,Combine,\nO2,HOME80,2026-05-01,Combine,\n", said)
    assert rejects(book) == []
    assert units_of(book) == ["HOME80", "HOME80"]


def test_a_name_that_two_units_have_is_asked_about(book: Path) -> None:
    (book / "unit.csv").write_text("unit_id,name,acres\nA1,Home,80\nA2,HOME,40\n", encoding="utf-8")
    plan = brought(book, "operation.csv", HEAD + "O1,home,2026-05-01,Combine,\n")
    (problem,) = [one for one in plan.problems if one.code == "unknown_reference"]
    assert "A1, A2" in problem.cause


def test_rows_may_refer_to_records_of_the_same_workbook_in_any_order_and_to_rejected_ones(book: Path) -> None:
    sheets: dict[str, list[tuple[str, ...]]] = {
        "planting": [("planting_id", "harvest_id", "planted_on"), ("P1", "h 9", "2026-04-20")],
        "harvest": [("harvest_id", "unit_id", "crop", "ending", "bushels"), ("H9", "HOME80", "corn", "harvested", "x")],
    }
    plan = brought(book, "season.xlsx", xlsx_of(sheets))
    assert "unknown_reference" not in codes(plan)
    sheets["harvest"][1] = ("H9", "HOME80", "corn", "harvested", "100")
    brought(book, "season.xlsx", xlsx_of(sheets))
    assert load_book(book).problems == ()
    assert load_book(book)["planting"]["harvest_id"].to_list() == ["H9"]


def log(field: str = "F0:Home 80", *, start: int = 1347998285, points: int = 3) -> str:
    rows = (line(flow="11.2", interval="5", time=start + 60 * at, field=field, number=at + 1) for at in range(points))
    return "\n".join(rows) + "\n"


def logs(book: Path, *texts: str, choices: Choices = ACCEPTED) -> Plan:
    paths = []
    for at, text in enumerate(texts):
        path = book.parent / f"card{at}.txt"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    plan = prepare(paths, book, choices)
    commit(plan)
    return plan


def harvested(book: Path) -> list[tuple[str, int, int]]:
    rows = load_book(book)["harvest"]
    return [row for row in rows.select("unit_id", "bushels", "harvested_acres").rows() if row[1] is not None]


def test_a_log_brings_its_acres_and_finds_the_unit_by_its_name(book: Path) -> None:
    logs(book, log())
    ((unit, bushels, acres),) = harvested(book)
    assert (unit, bushels) == ("HOME80", 3_000)
    assert acres > 0


def test_two_cards_of_one_field_add_up(book: Path) -> None:
    plan = logs(book, log(), log(start=1347998285 + 86400, points=2))
    assert harvested(book)[0][:2] == ("HOME80", 5_000)
    assert "logs_added" in codes(plan)
    row = load_book(book)["harvest"].filter(bushels=5_000).row(0, named=True)
    assert len(row["evidence"].split(";")) == 2
    assert [str(row["first_day"]), str(row["last_day"])] == ["2012-09-18", "2012-09-19"]


def test_a_second_card_that_comes_later_adds_to_the_first_and_comes_in_once(book: Path) -> None:
    logs(book, log())
    for _ in range(2):
        path = book.parent / "later.txt"
        path.write_text(log(start=1347998285 + 86400, points=2), encoding="utf-8")
        commit(prepare([path], book, ACCEPTED))
    assert harvested(book)[0][:2] == ("HOME80", 5_000)


def at(day: str) -> int:
    return int(dt.datetime.fromisoformat(f"{day}T18:00:00+00:00").timestamp())


def test_cards_of_december_and_january_are_one_harvest_and_the_next_fall_is_another(book: Path) -> None:
    """Interpretation 26: a harvest over New Year is of the year in which it began."""
    for day, points in (("2025-12-30", 3), ("2026-01-02", 2), ("2026-10-05", 4)):
        logs(book, log(start=at(day), points=points))
    rows = load_book(book)["harvest"].filter(pl.col("bushels").is_not_null()).sort("last_day")
    assert rows["bushels"].to_list() == [5_000, 4_000]
    assert [str(day) for day in rows["first_day"]] == ["2025-12-30", "2026-10-05"]


def test_a_card_over_new_year_is_named_by_the_year_in_which_it_began(book: Path) -> None:
    (book / "harvest.csv").unlink()
    logs(book, log(start=at("2025-12-31"), points=1) + log(start=at("2026-01-01"), points=1))
    logs(book, log(start=at("2026-10-05"), points=4))
    rows = load_book(book)["harvest"].filter(pl.col("bushels").is_not_null()).sort("last_day")
    assert [name[-4:] for name in rows["harvest_id"]] == ["2025", "2026"]


def test_the_same_points_in_two_files_count_once_and_an_overlap_is_told(book: Path) -> None:
    plan = logs(book, log(), log(points=4))
    assert harvested(book)[0][:2] == ("HOME80", 4_000)
    assert "same_log" in codes(plan)


@pytest.mark.parametrize(("points", "apart", "share"), [(4, 2, "50 %"), (30, 29, "3 %")])
def test_a_part_that_two_logs_share_is_told_however_small(book: Path, points: int, apart: int, share: str) -> None:
    plan = logs(book, log(points=points), log(start=1347998285 + 60 * apart, points=points))
    (told,) = [problem for problem in plan.problems if problem.code == "logs_added"]
    assert f"{share} of the shorter one" in told.cause


def test_two_fields_of_one_log_that_are_one_unit_make_one_harvest(book: Path) -> None:
    said = dataclasses.replace(ACCEPTED, units={"F0:North": "HOME80", "F1:South": "HOME80"})
    logs(book, log("F0:North") + log("F1:South", start=1347998285 + 7200, points=1), choices=said)
    assert [row[:2] for row in harvested(book)] == [("HOME80", 4_000)]


def test_counted_bushels_are_not_added_to_by_a_log(book: Path) -> None:
    rows = "harvest_id,unit_id,crop,ending,last_day,bushels\nHOME80-corn-2012,HOME80,corn,harvested,2012-09-18,29\n"
    (book / "harvest.csv").write_text(rows, encoding="utf-8")
    logs(book, log())
    assert load_book(book)["harvest"]["bushels"].to_list() == [29_000]


REJECTS = "operation--passes-1a2b3c.csv"
OPERATION_COLUMNS = "operation_id,unit_id,day,operation,equipment,depth_in"
PLANTER = '"Planter, double disk opnr with starter fertilizer"'


@pytest.fixture
def zeros(tmp_path: Path) -> Path:
    folder = tmp_path / "book"
    (folder / "rejected").mkdir(parents=True)
    (folder / "farm.csv").write_text(table("farm", {"farm_id": "F1", "name": "Bluestem", "country": "US"}))
    (folder / "unit.csv").write_text(table("unit", {"unit_id": "007", "acres": "40"}))
    row = f'"passes.csv, row 3",depth_in: four is no number,008,007,2025-04-28,{PLANTER},JD,four'
    (folder / "rejected" / REJECTS).write_text(f"{FROM},{BECAUSE},{OPERATION_COLUMNS}\n{row}\n")
    return folder


def mended(zeros: Path, row: str) -> Plan:
    path = zeros.parent / "mended.csv"
    path.write_text(f"\ufeff{FROM},{BECAUSE},{OPERATION_COLUMNS}\r\n{row}\r\n", encoding="utf-8", newline="")
    return prepare([path], zeros, replace(CHOICES, accept=True, kind="operation"))


def test_lost_zeros_come_back_and_the_reject_is_settled(zeros: Path) -> None:
    plan = mended(zeros, f'"passes.csv, row 3",depth_in: four is no number,8,7,4/28/2025,{PLANTER},JD,2.5')
    assert "\nF1,008,007,2025-04-28," in plan.files["operation.csv"].decode()
    assert plan.removed == [f"rejected/{REJECTS}"]


@pytest.mark.parametrize(
    ("place", "key", "written"),
    [("passes.csv, row 9", "8", "8"), ("passes.csv, row 3", "9", "9"), ("passes.csv, row 3", "008", "008")],
)
def test_what_was_not_that_row_or_was_renamed_stays_as_it_is(zeros: Path, place: str, key: str, written: str) -> None:
    plan = mended(zeros, f'"{place}",because,{key},7,4/28/2025,{PLANTER},JD,2.5')
    assert f"\nF1,{written},007,2025-04-28," in plan.files["operation.csv"].decode()
