"""Tables and names as people have them come in as their owners expect, and what is guessed is asked once."""

import dataclasses
from pathlib import Path

import polars as pl
import pytest

from provender.formats.column_map import ColumnMap, ColumnRule
from provender.formats.importing.incoming_files import Choices
from provender.formats.importing.prepare import Plan, prepare, waits_or_fails
from provender.formats.importing.write import commit
from provender.records.folder import load_book
from provender.records.kind import KINDS
from tests.formats.test_intake import CHOICES, codes
from tests.formats.workbooks import xlsx_of

FILES = {
    "farm.csv": "farm_id,name\nF1,Blue Stem\n",
    "unit.csv": "unit_id,name,acres\nHOME80,Home 80,80\n007,River bottom,40\n",
    "harvest.csv": "harvest_id,unit_id,crop,ending\nH1,HOME80,corn,harvested\n",
}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    folder = tmp_path / "book"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def brought(book: Path, name: str, content: bytes | str, choices: Choices = CHOICES) -> Plan:
    path = book.parent / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    plan = prepare([path], book, choices)
    commit(plan)
    return plan


ACCEPTED = dataclasses.replace(CHOICES, accept=True)
PASSES = "operation_id,unit_id,day,operation\nO1,HOME80,{},Combine\nO2,HOME80,{},Combine\n"


def days_of(book: Path) -> list[str]:
    return [str(day) for day in load_book(book)["operation"]["day"]]


@pytest.mark.parametrize(
    ("first", "second", "read"),
    [
        ("5/14/2026", "6/5/2026", ["2026-05-14", "2026-06-05"]),
        ("14/5/2026", "6/5/2026", ["2026-05-14", "2026-05-06"]),
        ('"May 14, 2026"', "46156", ["2026-05-14", "2026-05-14"]),
        ("14-May-26", "2026-05-15 06:30", ["2026-05-14", "2026-05-15"]),
    ],
)
def test_days_that_can_be_read_one_way_go_in_without_a_question(
    book: Path, first: str, second: str, read: list[str]
) -> None:
    plan = brought(book, "operation.csv", PASSES.format(first, second))
    assert codes(plan) == []
    assert days_of(book) == read


def test_days_that_can_be_read_two_ways_are_asked_about_once_a_file_and_go_in_after_a_nod(book: Path) -> None:
    rows = [("operation_id", "unit_id", "day", "operation"), ("O1", "HOME80", "5/4/2026", "Combine")]
    planted = [("planting_id", "harvest_id", "planted_on"), ("P1", "H1", "5/6/2026")]
    two = xlsx_of({"operation": rows, "planting": planted})
    plan = brought(book, "season.xlsx", two)
    assert sorted(codes(plan)) == ["day_order", "waits"]
    assert waits_or_fails(plan)
    assert sum(count.waiting for count in plan.counts) == 2
    accepted = brought(book, "season.xlsx", two, ACCEPTED)
    assert not waits_or_fails(accepted, accepted=True)
    assert days_of(book) == ["2026-05-04"]


def test_another_sheet_of_the_file_tells_how_its_days_are_written(book: Path) -> None:
    rows = [("operation_id", "unit_id", "day", "operation"), ("O1", "HOME80", "5/4/2026", "Combine")]
    planted = [("planting_id", "harvest_id", "planted_on"), ("P1", "H1", "15/4/2026")]
    assert codes(brought(book, "season.xlsx", xlsx_of({"operation": rows, "planting": planted}))) == []
    assert days_of(book) == ["2026-04-05"]


@pytest.mark.parametrize(("order", "read"), [("mdy", "2026-05-04"), ("dmy", "2026-04-05")])
def test_a_persons_word_on_days_asks_nothing(book: Path, order: str, read: str) -> None:
    plan = brought(
        book, "operation.csv", PASSES.format("5/4/2026", "2026-05-01"), dataclasses.replace(CHOICES, date_order=order)
    )
    assert codes(plan) == []
    assert days_of(book)[0] == read


def test_the_country_of_the_farm_decides_what_is_proposed(book: Path) -> None:
    (book / "farm.csv").write_text("farm_id,name,country\nF1,Blue Stem,AR\n", encoding="utf-8")
    brought(book, "operation.csv", PASSES.format("5/4/2026", "6/4/2026"), ACCEPTED)
    assert days_of(book) == ["2026-04-05", "2026-04-06"]


def test_columns_that_a_table_does_not_have_are_answers_that_are_missing(book: Path) -> None:
    plan = brought(book, "operation.csv", PASSES.format("2026-05-04", "2026-05-05"))
    assert codes(plan) == []
    taken, blank = plan.problems
    assert (taken.code, blank.code) == ("word_taken", "blank_columns")
    assert taken.cause == "'Combine' was taken for 'Combine harvest' in 2 rows."
    assert load_book(book).incomplete_rows.is_empty()
    assert load_book(book)["operation"].height == 2


def test_a_moisture_written_as_a_share_is_its_percentage(book: Path) -> None:
    brought(book, "harvest.csv", "harvest_id,unit_id,crop,ending,moisture_pct\nH2,HOME80,corn,harvested,0.172\n")
    assert load_book(book)["harvest"]["moisture_pct"][-1] == 17200


FOREIGN = "Fld,When,What,Remark\nHOME80,5/4/2026,Combine,x\nTotal,,,\n"
MAP = ColumnMap(
    "passes of ours",
    "operation",
    columns=(ColumnRule("Fld", "unit_id"), ColumnRule("When", "day"), ColumnRule("What", "operation")),
    skip_marks=("total",),
    date_order="mdy",
    confirmed=True,
)


def test_a_map_that_a_person_wrote_by_hand_fits_by_its_headings_and_asks_nothing(book: Path) -> None:
    plan = brought(book, "passes.csv", FOREIGN, dataclasses.replace(CHOICES, maps=(MAP,)))
    assert codes(plan) == []
    assert not waits_or_fails(plan)
    assert days_of(book) == ["2026-05-04"]


def test_a_map_that_names_a_heading_that_is_not_there_is_not_used(book: Path) -> None:
    other = dataclasses.replace(MAP, columns=(*MAP.columns, ColumnRule("Speed", "speed_mph")))
    plan = brought(book, "passes.csv", FOREIGN, dataclasses.replace(CHOICES, maps=(other,)))
    assert "unknown_sheet" in codes(plan)


def test_rows_that_stand_in_the_line_of_the_headings_are_not_lost_unmarked(book: Path) -> None:
    rows = " ".join(f"O{at},HOME80,2026-05-0{at},Combine" for at in range(1, 4))
    brought(book, "operation.csv", f"operation_id,unit_id,day,operation {rows}\n")
    assert set(load_book(book).incomplete_rows["kind"]) == {"operation"}
    (mark,) = (book / "rejected").iterdir()
    assert mark.name.startswith("operation--")


ALL = ",".join(KINDS["operation"].typed_fields)


@pytest.mark.parametrize(
    "line",
    [
        f"{ALL} F1,O1,HOME80,,Combine{',' * (ALL.count(',') - 4)}",  # most of its cells are blank
        "operation_id,unit_id,day,operation,depth_in,speed_mph,width_ft,note O1,HOME80,2026-05-04,,,,,",
        "operation_id,unit_id,operation,depth_in,speed_mph,width_ft,note O1,HOME80,Combine,,,,",
        "operation_id,unit_id,day,operation,equipment,depth_in,,,,3.5,",
        'operation_id,unit_id,day,operation,equipment,depth_in,speed"',  # a file that was cut off in a quotation
        'operation_id,unit_id,day,operation,"equipment',
    ],
)
def test_one_row_among_many_headings_is_not_lost_unmarked_either(book: Path, line: str) -> None:
    brought(book, "operation.csv", line + "\n")
    assert set(load_book(book).incomplete_rows["kind"]) == {"operation"}


@pytest.mark.parametrize(
    "line",
    [
        "operation_id,unit_id,day,operation,weather",
        "operation_id,unit_id,day,operation,Depth 2nd pass,weather,,,",
        "operation_id,unit_id,day,operation,note of the driver",
        'operation_id,unit_id,day,operation,Rows at 30"',
        ALL,
        f"{ALL},,,",
    ],
)
def test_an_empty_table_with_a_column_of_its_owner_leaves_no_mark(book: Path, line: str) -> None:
    brought(book, "operation.csv", line + "\n")
    assert load_book(book).incomplete_rows.is_empty()


PLACED = "operation_id,unit_id,day,operation,population,lat,lon\nO1,HOME80,2026-05-04,Combine,32000,39.0,-95.7\n"
UNKEYED = "Field,Date,Work,Population,lat,lon\nHOME80,2026-05-04,Combine,32000,39.0,-95.7\n"


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("operation.csv", PLACED, "operation"),
        ("operation.csv", UNKEYED, "operation"),
        ("nutrient_application.csv",
         "application_id,unit_id,day,product,rate,rate_unit,lat,lon\nA1,HOME80,2026-05-04,Urea,100,lb/ac,39.0,-95.7\n",
         "nutrient_application"),
        ("harvest.csv",
         "harvest_id,unit_id,crop,ending,last_day,bushels,yield,lat,lon\nH1,HOME80,corn,harvested,2026-10-04,9,9,39.0,-95\n",
         "harvest"),
    ],
)  # fmt: skip
def test_a_table_of_the_farms_own_rows_with_their_places_is_no_log_of_a_machine(
    book: Path, name: str, content: str, kind: str
) -> None:
    plan = brought(book, name, content)
    after = load_book(book)
    rows = after[kind].height + after.incomplete_rows.filter(pl.col("kind") == kind).height
    waiting = sum(count.waiting for count in plan.counts if count.kind == kind)
    assert rows + waiting > 0


def test_a_table_with_a_key_of_ours_is_kept_row_by_row_whatever_it_is_called(book: Path) -> None:
    assert codes(brought(book, "spring work.csv", PLACED)) == ["unknown_sheet"]
    assert [problem.code for problem in load_book(book).problems] == ["stray_rows"]


def test_a_table_that_is_said_to_hold_passes_is_read_as_such(book: Path) -> None:
    assert codes(brought(book, "spring.csv", UNKEYED)) == ["points_of_planting"]
    plan = brought(book, "spring.csv", UNKEYED, dataclasses.replace(CHOICES, kind="operation"))
    assert [(count.kind, count.rows) for count in plan.counts] == [("operation", 1)]


@pytest.mark.parametrize(
    ("name", "kind"), [("harvest.csv", "harvest"), ("nutrient_application.csv", "nutrient_application")]
)
def test_points_of_a_machine_without_a_row_mark_what_they_are_called(book: Path, name: str, kind: str) -> None:
    column = "Yield" if kind == "harvest" else "AppliedRate"
    brought(book, name, f"Longitude,Latitude,Date,{column}\n-95.7,39.0,2026-05-04,200\n")
    assert load_book(book).incomplete_rows["kind"].to_list() == [kind]


WORDED = "operation_id,unit_id,day,operation\nO{0},HOME80,2026-05-0{0},{1}\n"


def names(book: Path) -> list[tuple[str, str | None]]:
    return load_book(book)["operation"].select("operation", "as_typed").rows()


def test_a_clear_name_is_taken_and_stands_beside_what_it_was_taken_for(book: Path) -> None:
    plan = brought(book, "operation.csv", WORDED.format(1, "Spring burndown"))
    assert codes(plan) == []
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
    assert load_book(book)["word"].select("about", "typed", "means").rows() == [
        ("operation", "disk", "Disk, offset, heavy")
    ]
    assert codes(brought(book, "operation.csv", WORDED.format(2, "Disk"))) == []
    assert names(book)[1] == ("Disk, offset, heavy", "Disk")


@pytest.mark.parametrize(
    ("name", "offered"),
    [("VRT lime", "Lime or gypsum spreader"), ("Rotory ho", "Rotary hoe"), ("rock picking", "`provender stir --list`")],
    ids=["near ones", "a slip", "none near"],
)
def test_an_unknown_name_is_told_with_what_to_choose_from(book: Path, name: str, offered: str) -> None:
    plan = brought(book, "operation.csv", WORDED.format(1, name))
    (told,) = [problem for problem in plan.problems if problem.code == "word_unknown"]
    assert offered in told.remedy
    assert names(book) == [(name, None)]


@pytest.mark.parametrize(
    ("product", "code"),
    [
        *[
            (each, "own_analysis")
            for each in ("Hog manure", "chicken litter", "swine slurry", "Compost", "city biosolids")
        ],
        *[(each, "no_nutrient") for each in ("Ag lime", "pelletized lime", "Gypsum", "boron", "high calcium lime VRT")],
        *[(each, "word_unknown") for each in ("zinc 10-34", "lime green", "Utrisha", "calcium", "Environoc")],
        *[(each, "word_unknown") for each in ("zinc chelate", "micronutrient blend")],
    ],
)
def test_what_is_no_grade_is_known_for_what_it_is(book: Path, product: str, code: str) -> None:
    heading = "application_id,unit_id,day,product,n_lb_per_ac\n"
    plan = brought(book, "nutrient_application.csv", f"{heading}A1,HOME80,2026-05-04,{product},12\n")
    told = [problem.code for problem in plan.problems if "product" in str(problem.place)]
    assert code in told
    assert load_book(book)["nutrient_application"]["product"].to_list() == [product]


def test_no_inhibitor_in_words_is_none(book: Path) -> None:
    heading = "application_id,unit_id,day,product,rate,rate_unit,inhibitor\n"
    rows = "A1,HOME80,2026-05-04,Urea,100,lb/ac,No inhibitor\nA2,HOME80,2026-05-05,Urea,100,lb/ac,Contain Max\n"
    plan = brought(book, "nutrient_application.csv", heading + rows)
    assert load_book(book)["nutrient_application"]["inhibitor"].to_list() == ["none", "Contain Max"]
    (told,) = [problem for problem in plan.problems if problem.code == "word_unknown"]
    assert "N-Serve" in told.remedy
