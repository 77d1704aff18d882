"""Tables and names as people have them come in as their owners expect; nothing of a file is lost, nothing is stuck."""

import dataclasses
import datetime as dt
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from provender.catalog.materials import grade_of_date
from provender.formats.child import parse_limited
from provender.formats.importing.import_book import ImportBook
from provender.formats.importing.incoming_files import Choices
from provender.formats.importing.plan import ImportPlan, plan_import, waits_or_fails, write_plan
from provender.formats.importing.questions import Answers, asked_of, causes_first, with_answers
from provender.formats.mapped import map_book
from provender.formats.parsed import ColumnMap, ColumnRule, Sheet, TextRow, WorkbookFile
from provender.problem import Place, Problem, Weight
from provender.records.folder import load_book, rejected_in
from provender.records.kind import KINDS
from provender.records.kinds.season import Harvest
from tests.formats.test_intake import ACCEPTED, CHOICES, brought, codes, table
from tests.formats.test_logs import line
from tests.formats.workbooks import xlsx_of
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

PASSES = "operation_id,unit_id,day,operation\nO1,HOME80,{},Combine\nO2,HOME80,{},Combine\n"


def days_of(book: Path) -> list[str]:
    return [str(row["day"]) for row in load_book(book)["operation"]]


def test_days_that_can_be_read_two_ways_are_asked_about_once_a_file_and_go_in_after_a_nod(book: Path) -> None:
    rows = [("operation_id", "unit_id", "day", "operation"), ("O1", "HOME80", "5/4/2026", "Combine")]
    planted = [("planting_id", "harvest_id", "planted_on"), ("P1", "H1", "5/6/2026")]
    two = xlsx_of({"operation": rows, "planting": planted})
    plan = brought(book, "season.xlsx", two)
    assert sorted(codes(plan)) == ["day_order", "waits"]
    assert waits_or_fails(plan)
    assert sum(count.waiting for count in plan.counts) == 2
    assert not waits_or_fails(brought(book, "season.xlsx", two, ACCEPTED), accepted=True)
    assert days_of(book) == ["2026-05-04"]


def test_another_sheet_or_the_country_of_the_farm_tells_how_days_are_written(book: Path) -> None:
    rows = [("operation_id", "unit_id", "day", "operation"), ("O1", "HOME80", "5/4/2026", "Combine")]
    planted = [("planting_id", "harvest_id", "planted_on"), ("P1", "H1", "15/4/2026")]
    assert codes(brought(book, "season.xlsx", xlsx_of({"operation": rows, "planting": planted}))) == []
    assert days_of(book) == ["2026-04-05"]
    (book / "farm.csv").write_text("farm_id,name,country\nF1,Blue Stem,AR\n", encoding="utf-8")
    brought(book, "operation.csv", PASSES.format("5/4/2026", "6/4/2026"), ACCEPTED)
    assert days_of(book) == ["2026-04-05", "2026-04-06"]


@pytest.mark.parametrize(("order", "read"), [("mdy", "2026-05-04"), ("dmy", "2026-04-05")])
def test_a_persons_word_on_days_asks_nothing(book: Path, order: str, read: str) -> None:
    plan = brought(
        book, "operation.csv", PASSES.format("5/4/2026", "2026-05-01"), dataclasses.replace(CHOICES, date_order=order)
    )
    assert codes(plan) == []
    assert days_of(book)[0] == read


def test_columns_that_a_table_does_not_have_are_answers_that_are_missing(book: Path) -> None:
    plan = brought(book, "operation.csv", PASSES.format("2026-05-04", "2026-05-05"))
    assert codes(plan) == []
    taken, blank = plan.problems
    assert (taken.code, blank.code) == ("word_taken", "blank_columns")
    assert taken.cause == "'Combine' was taken for 'Combine harvest' in 2 rows."
    assert load_book(book).incomplete_rows == ()
    assert len(load_book(book)["operation"]) == 2


FOREIGN = "Fld,When,What,Remark\nHOME80,5/4/2026,Combine,x\nTotal,,,\n"
MAP = ColumnMap(
    "passes of ours", "operation", skip_marks=("total",), date_order="mdy", confirmed=True,
    columns=(ColumnRule("Fld", "unit_id"), ColumnRule("When", "day"), ColumnRule("What", "operation")),
)  # fmt: skip


def test_a_map_that_a_person_wrote_asks_nothing_and_is_used_only_where_all_its_headings_are(book: Path) -> None:
    other = dataclasses.replace(MAP, columns=(*MAP.columns, ColumnRule("Speed", "speed_mph")))
    assert "unknown_sheet" in codes(brought(book, "passes.csv", FOREIGN, dataclasses.replace(CHOICES, maps=(other,))))
    plan = brought(book, "passes.csv", FOREIGN, dataclasses.replace(CHOICES, maps=(MAP,)))
    assert codes(plan) == []
    assert not waits_or_fails(plan)
    assert days_of(book) == ["2026-05-04"]


ALL = ",".join(KINDS["operation"].typed_fields)
HIDDEN = (
    "operation_id,unit_id,day,operation O1,HOME80,2026-05-01,Combine O2,HOME80,2026-05-02,Combine",
    f"{ALL} F1,O1,HOME80,,Combine{',' * (ALL.count(',') - 4)}",  # most of its cells are blank
    "operation_id,unit_id,day,operation,depth_in,speed_mph,width_ft,note O1,HOME80,2026-05-04,,,,,",
    "operation_id,unit_id,operation,depth_in,speed_mph,width_ft,note O1,HOME80,Combine,,,,",
    "operation_id,unit_id,day,operation,equipment,depth_in,,,,3.5,",
    'operation_id,unit_id,day,operation,equipment,depth_in,speed"',  # a file that was cut off in a quotation
    'operation_id,unit_id,day,operation,"equipment',
)
EMPTY = (
    "operation_id,unit_id,day,operation,weather", "operation_id,unit_id,day,operation,Depth 2nd pass,weather,,,",
    "operation_id,unit_id,day,operation,note of the driver", 'operation_id,unit_id,day,operation,Rows at 30"', ALL,
    f"{ALL},,,",
)  # fmt: skip


def test_rows_in_the_line_of_the_headings_are_not_lost_unmarked_and_an_empty_table_leaves_no_mark(book: Path) -> None:
    for text in EMPTY:
        brought(book, "operation.csv", text + "\n")
        assert load_book(book).incomplete_rows == (), text
    for text in HIDDEN:
        brought(book, "operation.csv", text + "\n")
        assert {row.kind for row in load_book(book).incomplete_rows} == {"operation"}, text
        for mark in (book / "rejected").iterdir():
            assert mark.name == "operation.json"
            mark.unlink()


PLACED = "operation_id,unit_id,day,operation,population,lat,lon\nO1,HOME80,2026-05-04,Combine,32000,39.0,-95.7\n"
UNKEYED = "Field,Date,Work,Population,lat,lon\nHOME80,2026-05-04,Combine,32000,39.0,-95.7\n"


@ROWS
def test_a_table_of_own_rows_with_places_is_no_log_of_a_machine(book: Path, name: str, content: str, kind: str) -> None:
    plan = brought(book, name, content)
    after = load_book(book)
    rows = len(after[kind]) + sum(row.kind == kind for row in after.incomplete_rows)
    assert rows + sum(count.waiting for count in plan.counts if count.kind == kind) > 0


def test_a_table_with_a_key_of_ours_or_said_to_hold_passes_is_kept_row_by_row(book: Path) -> None:
    assert codes(brought(book, "spring work.csv", PLACED)) == ["unknown_sheet"]
    assert [problem.code for problem in load_book(book).problems] == ["stray_rows"]
    assert codes(brought(book, "spring.csv", UNKEYED)) == ["points_of_planting"]
    plan = brought(book, "spring.csv", UNKEYED, dataclasses.replace(CHOICES, kind="operation"))
    assert [(count.kind, count.rows) for count in plan.counts] == [("operation", 1)]


@pytest.mark.parametrize(
    ("name", "kind"), [("harvest.csv", "harvest"), ("nutrient_application.csv", "nutrient_application")]
)
def test_points_of_a_machine_without_a_row_mark_what_they_are_called(book: Path, name: str, kind: str) -> None:
    column = "Yield" if kind == "harvest" else "AppliedRate"
    brought(book, name, f"Longitude,Latitude,Date,{column}\n-95.7,39.0,2026-05-04,200\n")
    assert [row.kind for row in load_book(book).incomplete_rows] == [kind]


WORDED = "operation_id,unit_id,day,operation\nO{0},HOME80,2026-05-0{0},{1}\n"


def names(book: Path) -> list[tuple[str, str | None]]:
    return [(row["operation"], row["as_typed"]) for row in load_book(book)["operation"]]


def test_a_clear_name_is_taken_and_stands_beside_what_it_was_taken_for(book: Path) -> None:
    assert codes(brought(book, "operation.csv", WORDED.format(1, "Spring burndown"))) == []
    assert names(book) == [("Sprayer, kill crop", "Spring burndown")]
    again = brought(book, "operation.csv", WORDED.format(1, "Spring burndown"))
    assert [count.same for count in again.counts] == [1]


def test_an_open_name_is_asked_about_once_and_remembered(book: Path) -> None:
    plan = brought(book, "operation.csv", WORDED.format(1, "disk"))
    (asked,) = [problem for problem in plan.problems if problem.code == "word_asked"]
    assert "'Disk, offset, heavy'" in asked.cause
    assert names(book) == [("disk", None)]
    said = dataclasses.replace(CHOICES, words={("operation", "disk"): "Disk, offset, heavy"}, replace=True)
    assert codes(brought(book, "operation.csv", WORDED.format(1, "disk"), said)) == []
    assert names(book) == [("Disk, offset, heavy", "disk")]
    assert [(row["about"], row["typed"], row["means"]) for row in load_book(book)["word"]] == [
        ("operation", "disk", "Disk, offset, heavy")
    ]
    assert codes(brought(book, "operation.csv", WORDED.format(2, "Disk"))) == []
    assert names(book)[1] == ("Disk, offset, heavy", "Disk")


def test_an_unknown_name_is_told_with_what_to_choose_from(book: Path) -> None:
    offered = {
        "VRT lime": "Lime or gypsum spreader",
        "Rotory ho": "Rotary hoe",
        "rock picking": "`provender stir --list`",
    }
    rows = "".join(f"O{at},HOME80,2026-05-0{at},{name}\n" for at, name in enumerate(offered, 1))
    plan = brought(book, "operation.csv", f"operation_id,unit_id,day,operation\n{rows}")
    told = [problem for problem in plan.problems if problem.code == "word_unknown"]
    assert [words in problem.remedy for words, problem in zip(offered.values(), told, strict=True)] == [True] * 3
    assert names(book) == [(name, None) for name in offered]


NO_GRADE = {
    "own_analysis": ("Hog manure", "chicken litter", "swine slurry", "Compost", "city biosolids"),
    "no_nutrient": ("Ag lime", "pelletized lime", "Gypsum", "boron", "high calcium lime VRT"),
    "word_unknown": ("zinc 10-34", "lime green", "Utrisha", "calcium", "Environoc", "zinc chelate",
                     "micronutrient blend"),
}  # fmt: skip


PROVEN: Final = ROWS.table("PROVEN")


@pytest.mark.parametrize(
    ("kind", "column", "changed", "still"),
    [
        ("operation", "day", "", {"Aerial seeding", "Sprayer, kill crop", "Urea"}),
        ("cover_species", "species", "Radish", {"Sprayer, kill crop", "Urea"}),
        ("cover_crop", "seeded_on", "2025-09-27", {"Sprayer, kill crop", "Urea"}),
        ("cover_crop", "termination_method", "mowing", {"Aerial seeding", "Urea"}),
        ("cover_crop", "terminated_on", "2026-04-27", {"Aerial seeding", "Urea"}),
        ("nutrient_application", "inhibitor", "N-Serve", {"Aerial seeding", "Sprayer, kill crop"}),
        ("nutrient_application", "inhibitor", "none", {"Aerial seeding", "Sprayer, kill crop"}),
    ],
)
def test_only_a_proven_name_is_taken(book: Path, kind: str, column: str, changed: str, still: set[str]) -> None:
    sheets = {name: [list(row) for row in rows] for name, rows in PROVEN.items()}
    heading, first, *_ = sheets[kind]
    first[heading.index(column)] = changed or first[heading.index(column)]
    (book.parent / "season.xlsx").write_bytes(xlsx_of(sheets))
    plan = plan_import([book.parent / "season.xlsx"], ImportBook.in_folder(book), ACCEPTED)
    said = {change.texts.get("operation") or change.texts.get("product") for change in plan.changes}
    assert still <= said
    asked = [one for one in asked_of(plan, ACCEPTED) if one.about == "word"]
    assert {one.guess for one in asked if one.settled} == still
    assert len([one for one in asked if not one.settled]) == 3 - len(still)
    proven = next(one for one in asked if one.settled)
    other = with_answers(ACCEPTED, Answers({proven.name: "Combine harvest"}))
    if "|operation|" in proven.name:
        again = plan_import([book.parent / "season.xlsx"], ImportBook.in_folder(book), other)
        assert "Combine harvest" in {change.texts.get("operation") for change in again.changes}, "a person knows better"


@pytest.mark.parametrize(
    ("kind", "row", "left"),
    [
        ("operation", ("O9", "HOME80", "2026-04-28", "Sprayed"), {"Aerial seeding", "Urea"}),
        ("operation", ("O9", "HOME80", "2026-05-30", "SPRAYED BURNDOWN"), {"Aerial seeding", "Urea"}),
    ],
    ids=["another spray of that day", "the same name in other letters on another day"],
)
def test_a_proof_binds_one_pass_of_its_day(book: Path, kind: str, row: tuple[str, ...], left: set[str]) -> None:
    sheets = {name: [list(line) for line in rows] for name, rows in PROVEN.items()}
    sheets[kind].append(list(row))
    (book.parent / "season.xlsx").write_bytes(xlsx_of(sheets))
    plan = plan_import([book.parent / "season.xlsx"], ImportBook.in_folder(book), ACCEPTED)
    assert {one.name for one in plan.proven} == left


def test_a_row_that_a_file_cut_off_stays_out_also_under_headings_of_our_own(book: Path) -> None:
    file = book.parent / "operation.csv"
    heading = "operation_id,unit_id,day,operation,depth_in,speed_mph"
    file.write_text(f"{heading}\nO1,HOME80,2025-04-01,Hoe,2,4\nO2,HOME80,2025-04-02,Hoe\n", encoding="utf-8")
    plan = plan_import([file], ImportBook.in_folder(book), ACCEPTED)
    assert [one.texts["operation_id"] for one in plan.changes if one.kind == "operation"] == ["O1"]
    assert ["ragged_row" in {problem.code for problem in row.problems} for row in plan.book.rejected] == [True]


def test_second_rows_of_several_crop_entries_are_said_once_with_a_count_and_their_rows() -> None:
    entries = ("N40-corn-2026", "S80-corn-2026", "W10-corn-2026")
    causes = [(Place("s.xlsx", "Short budgets", row), f"{one} has one.") for row, one in enumerate(entries, start=3)]
    told = [Problem(place, cause, "Look.", "2100.053", code="another_row") for place, cause in causes]
    other = replace(told[0], cite="2100.031", cause="Another kind has a row already.")
    (one, apart) = causes_first([*told, other])
    assert one.cause == "N40-corn-2026 has one. So it is in 3 rows: 3, 4, 5."
    assert apart == other


def test_what_is_no_grade_is_known_for_what_it_is(book: Path) -> None:
    for code, products in NO_GRADE.items():
        rows = "".join(f"{code}{at},HOME80,2026-05-04,{name},12\n" for at, name in enumerate(products))
        heading = "application_id,unit_id,day,product,n_lb_per_ac\n"
        plan = brought(book, "nutrient_application.csv", heading + rows)
        told = [str(problem) for problem in plan.problems if problem.code == code]
        assert [name for name in products if not any(f"'{name}'" in one for one in told)] == []
        assert [row["product"] for row in load_book(book)["nutrient_application"]][-len(products) :] == [*products]


def test_no_inhibitor_in_words_is_none(book: Path) -> None:
    heading = "application_id,unit_id,day,product,rate,rate_unit,inhibitor\n"
    rows = "A1,HOME80,2026-05-04,Urea,100,lb/ac,No inhibitor\nA2,HOME80,2026-05-05,Urea,100,lb/ac,Contain Max\n"
    plan = brought(book, "nutrient_application.csv", heading + rows)
    assert [row["inhibitor"] for row in load_book(book)["nutrient_application"]] == ["none", "Contain Max"]
    (told,) = [problem for problem in plan.problems if problem.code == "word_unknown"]
    assert "N-Serve" in told.remedy


def test_of_what_is_denied_nothing_is_likely(book: Path) -> None:
    heading = "application_id,unit_id,day,product,rate,rate_unit,inhibitor\n"
    rows = "A{0},HOME80,2026-05-0{0},Urea,100,lb/ac,{1}\n"
    for number, (text, likely) in enumerate(
        {"w/o N-Serve": "", "N-Serve (ran out)": "", "N-Serve?": "N-Serve"}.items()
    ):
        plan = brought(book, "nutrient_application.csv", heading + rows.format(number + 1, text))
        assert [one.guess for one in asked_of(plan, CHOICES) if one.about == "word"] == [likely]


@ROWS
def test_a_row_of_several_passes_is_as_many_records(
    book: Path, kind: str, content: list[str], days: list[str], out: int
) -> None:
    """Each pass disturbs the soil, or brings nitrogen: two that count as one would be too little."""
    for name in ("passes.csv", "copy.csv"):
        brought(book, name, "\n".join((*content, "")), ACCEPTED)
        assert [str(row["day"])[-2:] for row in load_book(book)[kind]] == days
    assert len(rejected_in(book)) == out


def test_a_row_that_says_that_no_cover_was_sown_is_none(book: Path) -> None:
    brought(book, "harvest.csv", "harvest_id,unit_id,crop,ending,last_day\nH1,HOME80,corn,harvested,2026-10-04\n")
    rows = ("-,,2026", "No cover crop,,2026", "none,9/28/2025,2026", "rye 1 bu/ac,9/28/2025,2026")
    table_of = "Field,Cover crop,Seeded,Crop Year\n" + "".join(f"HOME80,{row}\n" for row in rows)
    plan = brought(book, "covers.csv", table_of, ACCEPTED)
    assert {"not_done", "unknown_state"} <= {problem.code for problem in plan.problems}
    found = [dict(row.cells)["seeded_on"] for row in rejected_in(book) if row.kind == "cover_crop"]
    covers = [row["species"] for row in load_book(book)["cover_species"]]
    assert (found, covers) == (["2025-09-28"], ["Cereal Rye, Winter"])


HEAD = "operation_id,unit_id,day,operation,depth_in\n"


def depths(folder: Path) -> list[str]:
    """Return the depth, as typed, of each rejected row."""
    return [dict(row.cells)["depth_in"] for row in rejected_in(folder)]


def units_of(folder: Path) -> list[str]:
    return [row["unit_id"] for row in load_book(folder)["operation"]]


@pytest.mark.parametrize(("name", "content", "code"), [
    ("operation.csv", b"", "empty_file"), ("operation.csv", b"\n\n", "no_rows"),
    ("notes.csv", b"\x00\x01\x02", "unreadable_unknown"),
    ("prices.csv", b"Market,Price\nCME,4.10\n", "unknown_sheet"), ("stray.xlsx", b"PK\x03\x04 broken", "bad_zip"),
])  # fmt: skip
def test_a_stray_or_an_empty_file_leaves_no_mark_and_is_told(book: Path, name: str, content: bytes, code: str) -> None:
    choices = dataclasses.replace(CHOICES, parse=parse_limited) if not content else CHOICES
    plan = brought(book, name, content, choices)
    assert any(problem.weight is Weight.ERROR for problem in plan.problems), code
    assert load_book(book).incomplete_rows == ()


_O1 = "O1,HOME80,2026-05-01,Combine,"
HIDDEN_ROWS = {
    "a quotation mark": (f'"{HEAD}{_O1}\n', "unreadable_rows"),
    "a quotation mark before other headings": ('"a,b\nc,d\n', "unreadable_rows"),
    "a page with all in one cell": (f"<html><table><tr><td>{HEAD}{_O1}</table></html>", "no_headings"),
    "a page whose table is empty": (f"<html><table><tr><td></table><pre>{HEAD}{_O1}</pre></html>", "no_table"),
    "a page without a table": (f"<html><pre>{HEAD}{_O1}</pre></html>", "unreadable_html"),
    "a page that was cut off": (f"<html><table><tr><td>{HEAD.replace(',', '<td>')}<tr><td>O1", "page_cut"),
    "one line": (f"{HEAD}{_O1}".replace("\n", " "), "unknown_column"),
    "one line of other columns": (f"{HEAD}{_O1}".replace("\n", " ").replace("operation_id", "x"), "rows_in_heading"),
}


@pytest.mark.parametrize("case", HIDDEN_ROWS)
def test_a_file_whose_rows_cannot_be_told_is_not_empty_and_leaves_its_mark(book: Path, case: str) -> None:
    content, code = HIDDEN_ROWS[case]
    assert code in codes(brought(book, "operation.csv", content))
    assert {row.kind for row in load_book(book).incomplete_rows} == {"operation"}


O2 = "O2,HOME80,2026-05-02,Combine"
BROUGHT_AGAIN: Final = ROWS.table("BROUGHT_AGAIN")


@pytest.mark.parametrize("case", BROUGHT_AGAIN)
def test_a_row_with_a_key_settles_its_own_reject_and_no_other(book: Path, case: str) -> None:
    first, then, left = BROUGHT_AGAIN[case]
    for lines in (first, then):
        plan = brought(book, "operation.csv", HEAD + "\n".join([*lines, ""]))
    assert depths(book) == left
    assert len(plan.settled) == (case != "another row in its place")
    assert bool(load_book(book).problems) is bool(left)


def test_a_unit_is_found_blind_to_case_and_blanks_by_its_name_and_by_what_a_spreadsheet_left_of_it(book: Path) -> None:
    typed = ("home 80", "HOME80 ", "Home  80", "home-80", "Home 80", "7")
    rows = "".join(f"O{at},{text},2026-05-0{at},Combine,\n" for at, text in enumerate(typed, 1))
    assert codes(brought(book, "operation.csv", HEAD + rows)) == []
    assert units_of(book) == ["HOME80"] * 5 + ["007"]


def test_a_unit_that_is_not_known_stays_out_and_the_nearest_is_named(book: Path) -> None:
    plan = brought(book, "operation.csv", HEAD + "O1,home 81,2026-05-01,Combine,\nO2,HOME80,2026-05-01,Combine,\n")
    (problem,) = [one for one in plan.problems if one.code == "unknown_reference"]
    assert "Nearest: HOME80 (Home 80)" in problem.remedy
    assert problem.place.row == 2
    assert units_of(book) == ["HOME80"]
    said = dataclasses.replace(CHOICES, units={"home 81": "HOME80"})
    brought(book, "operation.csv", HEAD + "O1,home 81,2026-05-01,Combine,\nO2,HOME80,2026-05-01,Combine,\n", said)
    assert depths(book) == []
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
    assert "unknown_reference" not in codes(brought(book, "season.xlsx", xlsx_of(sheets)))
    sheets["harvest"][1] = ("H9", "HOME80", "corn", "harvested", "100")
    brought(book, "season.xlsx", xlsx_of(sheets))
    assert load_book(book).problems == ()
    assert [row["harvest_id"] for row in load_book(book)["planting"]] == ["H9"]


def log(field: str = "F0:Home 80", *, start: int = 1347998285, points: int = 3) -> str:
    rows = (line(flow="11.2", interval="5", time=start + 60 * at, field=field, number=at + 1) for at in range(points))
    return "\n".join(rows) + "\n"


def logs(book: Path, *texts: str, choices: Choices = ACCEPTED) -> ImportPlan:
    paths = []
    for at, text in enumerate(texts):
        path = book.parent / f"card{at}.txt"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    plan = plan_import(paths, ImportBook.in_folder(book), choices)
    write_plan(plan)
    return plan


def counted(book: Path) -> list[Harvest]:
    """Return the crop entries of a book that have bushels, by their last day."""
    rows = [row for row in load_book(book).every(Harvest) if row.bushels is not None]
    return sorted(rows, key=lambda row: row.last_day or dt.date.max)


def harvested(book: Path) -> list[tuple[str, int, int]]:
    return [
        (row["unit_id"], row["bushels"], row["harvested_acres"])
        for row in load_book(book)["harvest"]
        if row["bushels"] is not None
    ]


def test_two_cards_of_one_field_add_up_also_where_the_second_comes_later(book: Path) -> None:
    plan = logs(book, log(), log(start=1347998285 + 86400, points=2))
    ((unit, bushels, acres),) = harvested(book)
    assert (unit, bushels, acres > 0) == ("HOME80", 5_000, True)
    assert "logs_added" in codes(plan)
    row = next(row for row in load_book(book)["harvest"] if row["bushels"] == 5_000)
    assert len(row["evidence"].split(";")) == 2
    assert [str(row["first_day"]), str(row["last_day"])] == ["2012-09-18", "2012-09-19"]
    logs(book, log())
    for _ in range(2):
        path = book.parent / "later.txt"
        path.write_text(log(start=1347998285 + 86400, points=2), encoding="utf-8")
        write_plan(plan_import([path], ImportBook.in_folder(book), ACCEPTED))
    assert harvested(book)[0][:2] == ("HOME80", 5_000)


def at(day: str) -> int:
    return int(dt.datetime.fromisoformat(f"{day}T18:00:00+00:00").timestamp())


def test_cards_over_new_year_are_one_harvest_of_the_year_in_which_it_began(book: Path) -> None:
    for day, points in (("2025-12-30", 3), ("2026-01-02", 2), ("2026-10-05", 4)):
        logs(book, log(start=at(day), points=points))
    rows = counted(book)
    assert [row.bushels for row in rows] == [5_000, 4_000]
    assert [str(row.first_day) for row in rows] == ["2025-12-30", "2026-10-05"]
    (book / "harvest.csv").unlink()
    logs(book, log(start=at("2025-12-31"), points=1) + log(start=at("2026-01-01"), points=1))
    logs(book, log(start=at("2026-10-05"), points=4))
    assert [row.harvest_id[-4:] for row in counted(book)] == ["2025", "2026"]


def test_counted_bushels_are_not_added_to_and_the_same_points_in_two_files_count_once(book: Path) -> None:
    plan = logs(book, log(), log(points=4))
    assert harvested(book)[0][:2] == ("HOME80", 4_000)
    assert "same_log" in codes(plan)
    rows = "harvest_id,unit_id,crop,ending,last_day,bushels\nHOME80-corn-2012,HOME80,corn,harvested,2012-09-18,29\n"
    (book / "harvest.csv").write_text(rows, encoding="utf-8")
    logs(book, log())
    assert [row["bushels"] for row in load_book(book)["harvest"]] == [29_000]


@pytest.mark.parametrize(("points", "apart", "share"), [(4, 2, "50 %"), (30, 29, "3 %")])
def test_a_part_that_two_logs_share_is_told_however_small(book: Path, points: int, apart: int, share: str) -> None:
    plan = logs(book, log(points=points), log(start=1347998285 + 60 * apart, points=points))
    (told,) = [problem for problem in plan.problems if problem.code == "logs_added"]
    assert f"{share} of the shorter one" in told.cause


def test_two_fields_of_one_unit_make_one_harvest_unless_their_names_differ_in_signs_alone(book: Path) -> None:
    said = dataclasses.replace(ACCEPTED, units={"F0:North": "HOME80", "F1:South": "HOME80"})
    logs(book, log("F0:North") + log("F1:South", start=1347998285 + 7200, points=1), choices=said)
    assert [row[:2] for row in harvested(book)] == [("HOME80", 4_000)]
    plan = logs(book, log("F0:#1") + log("F1:1", start=1347998285 + 7200, points=1))
    kept_out = [dict(row.cells) for row in plan.book.rejected if row.kind == "harvest"]
    assert [(row["unit_id"], row["bushels"]) for row in kept_out] == [("1-2", "3"), ("1", "1")]
    assert "fields_added" not in codes(plan)
    same = logs(book, log("F0:Home 80") + log("F7:HOME 80", start=1347998285 + 7200, points=1))
    assert "fields_added" in codes(same)


GROWING = {"ending": "not_yet"}
SEASONS: Final = ROWS.table("SEASONS")


@pytest.mark.parametrize("case", SEASONS)
def test_a_log_is_of_the_crop_of_its_own_year_and_harvests_the_one_that_grows(book: Path, case: str) -> None:
    entries, planted, day, expected = SEASONS[case]
    of = {"unit_id": "HOME80", "crop": "corn"}
    (book / "harvest.csv").write_text(table("harvest", *({**of, **one} for one in entries)))
    plantings = ({"planting_id": f"P-{entry}", "harvest_id": entry, "planted_on": on} for entry, on in planted.items())
    (book / "planting.csv").write_text(table("planting", *plantings))
    plan = logs(book, log(start=at(day)))
    rows = {row["harvest_id"]: row for row in load_book(book)["harvest"]}
    assert {entry: row["ending"] for entry, row in rows.items()} == expected
    gets = [row for row in rows.values() if row["bushels"] == 3_000]
    assert [str(row["last_day"])[:4] for row in gets] == ([] if day[:4] in ("2007", "2027") else [day[:4]])
    told = {"2007": "gps_week_rollover", "2027": "log_ahead"}.get(day[:4], "logged_bushels")
    (problem,) = [one for one in plan.problems if one.code == told]
    assert ("1,024 weeks before 2026-10-05" in problem.cause) is (day == "2007-02-19")
    assert bool(plan.book.rejected) is (told != "logged_bushels")


def test_two_cards_of_a_growing_crop_add_up_and_a_third_that_comes_later_too(book: Path) -> None:
    entry = {"harvest_id": "H", "unit_id": "HOME80", "crop": "corn", **GROWING}
    (book / "harvest.csv").write_text(table("harvest", entry))
    logs(book, log(start=at("2026-10-05")), log(start=at("2026-10-06"), points=2))
    assert harvested(book)[0][:2] == ("HOME80", 5_000)
    path = book.parent / "later.txt"
    path.write_text(log(start=at("2026-10-07"), points=1), encoding="utf-8")
    write_plan(plan_import([path], ImportBook.in_folder(book), ACCEPTED))
    (row,) = load_book(book)["harvest"]
    assert (row["harvest_id"], row["bushels"], str(row["last_day"])) == ("H", 6_000, "2026-10-07")


DATES_OF_GRADES: Final = ROWS.table("DATES_OF_GRADES")


def test_an_analysis_of_which_a_spreadsheet_made_a_date_is_recognized(book: Path) -> None:
    assert {text: grade_of_date(text) for text in DATES_OF_GRADES} == DATES_OF_GRADES
    heading = "Field,Date Applied,Product,Rate,Rate Unit\n"
    plan = brought(book, "log.csv", f"{heading}HOME80,2026-05-04,6/24/2006,5,gal/ac\n", ACCEPTED)
    assert "analysis_became_date" in codes(plan)
    row = load_book(book)["nutrient_application"][0]
    assert ("6-24-6" in row["product"], row["as_typed"].split("; ")[0]) == (True, "6/24/2006")


def test_tables_of_our_own_headings_are_read_as_leniently_as_others(book: Path) -> None:
    heading = "application_id,unit_id,day,product,rate,rate_unit,n_lb_per_ac,Status\n"
    rows = (
        "A1,HOME80,2026-05-06T02:30:00Z,Urea,112.085,kg/ha,,done",
        "A2,HOME80,2026-05-07,UAN 28,175,lb N/ac,,Completed",
        "A3,HOME80,2026-05-08,Urea,100,lb/ac,,Cancelled",
    )
    plan = brought(book, "nutrient_application.csv", heading + "\n".join(rows), ACCEPTED)
    assert "not_done" in {problem.code for problem in plan.problems}
    found = [
        (row["day"], row["rate"], row["rate_unit"], row["n_lb_per_ac"])
        for row in load_book(book)["nutrient_application"]
    ]
    assert [(str(day), *amounts) for day, *amounts in found] == [
        ("2026-05-05", 100_000, "lb/ac", None),
        ("2026-05-07", None, None, 175_000),
    ]
    tests = "soil_test_id,unit_id,sampled_on,ph,p_ppm\nT1,HOME80,2026-03-02,6.4 H,45 VH\n"
    brought(book, "soil_test.csv", tests, ACCEPTED)
    assert [(row["ph"], row["p_ppm"]) for row in load_book(book)["soil_test"]] == [(6_400, 45_000)]


def test_the_same_tickets_with_and_without_their_zeros_count_once(book: Path) -> None:
    heading = "Ticket No,Date,Location,Commodity,Net Bu\n"
    for name, number in (("a.csv", "0001001"), ("b.csv", "1001"), ("c.csv", '"=""0001001"""'), ("d.csv", "1.0E+11")):
        brought(book, name, f"{heading}{number},2026-01-16,north,Corn,1000\n", ACCEPTED)
    assert [row["ticket_id"] for row in load_book(book)["scale_ticket"]] == ["0001001"]


def test_a_table_without_headings_is_shown_and_read_by_the_map_that_was_made_of_it_once() -> None:
    rows = [("13092", "22", "20260112", "I", "8700.00"), ("52874", "2", "20260112", "I", "817700.00", "TR")]
    book = WorkbookFile("t.csv", (Sheet("", tuple(TextRow(at, cells) for at, cells in enumerate(rows, 1))),))
    asked = map_book(book, "ticket")
    assert asked.result is not None
    assert [one.code for one in asked.problems] == ["columns_by_position", "unused_rows"]
    assert "Column C: 20260112, 20260112; Column D: I, I" in asked.problems[0].cause
    (found,) = asked.result.maps
    taken = {"Column A": "number", "Column C": "day", "Column D": "direction", "Column E": "net_lb"}
    chosen = replace(found, columns=tuple(ColumnRule(*each) for each in taken.items()), confirmed=True)
    read = map_book(book, "ticket", [chosen])
    assert read.result is not None
    assert [row.values for row in read.result.tables[0].rows] == [
        {"number": "13092", "day": "2026-01-12", "direction": "I", "net_lb": "8700"},
        {"number": "52874", "day": "2026-01-12", "direction": "I", "net_lb": "817700"},
    ]
    other = replace(book, sheets=(Sheet("", (TextRow(1, ("7", "8", "9.5", "10", "11")),)),))
    assert next(one.code for one in map_book(other, "ticket", [chosen]).problems) == "columns_by_position"
