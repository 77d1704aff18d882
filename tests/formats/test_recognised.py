"""A row that the book has is recognised by what it says, whatever its file, its sheet and its place in it are."""

import csv
import datetime as dt
import io
import shutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

import openpyxl
import pytest

from fuzz import again
from provender.formats.importing.import_book import ImportBook
from provender.formats.importing.incoming_files import Choices
from provender.formats.importing.match import SAME_RECORD
from provender.formats.importing.plan import ImportPlan, plan_import, write_plan
from provender.records.folder import load_book, rejected_in, write_csv
from tests.formats.test_intake import ACCEPTED, CHOICES, codes, fates, table
from tests.formats.workbooks import xlsx_of
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

WRITTEN: Final = Path(__file__).with_name("written.txt").read_text(encoding="utf-8")
"""By kind: headings without an identifier, three rows, a fourth to be inserted, another text for the last cell."""


def read_tables() -> Iterator[tuple[str, tuple[str, tuple[str, ...], str]]]:
    for block in WRITTEN.strip().split("\n\n"):
        first, *lines, other = block.splitlines()
        kind, _, heading = first.partition(": ")
        yield kind, (heading, tuple(lines), other)


TABLES: Final = dict(read_tables())


@pytest.fixture
def farmed(tmp_path: Path) -> Path:
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "farm.csv").write_text(table("farm", {"farm_id": "F1", "name": "Bluestem", "country": "US"}))
    (folder / "unit.csv").write_text(
        table("unit", {"unit_id": "N40", "acres": "40"}, {"unit_id": "S12", "acres": "12"})
    )
    entries = [
        {"harvest_id": name, "unit_id": unit, "crop": "corn", "ending": ending, "last_day": day}
        for name, unit, ending, day in (
            ("N25", "N40", "harvested", "2025-10-02"),
            ("N26", "N40", "not_yet", ""),
            ("S25", "S12", "harvested", "2025-10-02"),
        )
    ]
    (folder / "harvest.csv").write_text(table("harvest", *entries))
    return folder


def planned(book: Path, kind: str, name: str, *lines: str, choices: Choices = ACCEPTED, head: str = "") -> ImportPlan:
    """Plan an import of a table of one kind; a workbook's sheet is called as its file."""
    text, path = [head or TABLES[kind][0], *lines], book.parent / name
    if path.suffix == ".csv":
        path.write_text("\n".join([*text, ""]))
    else:
        path.write_bytes(xlsx_of({path.stem: list(csv.reader(text))}))
    return plan_import([path], ImportBook.in_folder(book), replace(choices, kind=kind))


def brought(book: Path, kind: str, name: str, *lines: str, choices: Choices = ACCEPTED, head: str = "") -> ImportPlan:
    plan = planned(book, kind, name, *lines, choices=choices, head=head)
    write_plan(plan)
    return plan


def test_every_kind_whose_records_are_recognised_has_its_table() -> None:
    assert TABLES.keys() == SAME_RECORD.keys()


@pytest.mark.parametrize("kind", TABLES)
def test_the_same_rows_add_nothing_and_lose_nothing_whatever_they_come_in(farmed: Path, kind: str) -> None:
    *first, inserted = TABLES[kind][1]
    one, two, three = first
    assert fates(brought(farmed, kind, "list.xlsx", *first)) == {"rows": 3, "added": 3}
    before = (farmed / f"{kind}.csv").read_text()
    same = {"rows": 3, "same": 3}
    ways: dict[str, tuple[tuple[str, ...], dict[str, int]]] = {
        "list.xlsx": ((one, two, three), same),
        "other name.xlsx": ((one, two, three), same),
        "text.csv": ((one, two, three), same),
        "shuffled.csv": ((three, one, two), same),
        "inserted.csv": ((one, inserted, two, three), {"rows": 4, "same": 3, "added": 1}),
        "fewer.csv": ((two,), {"rows": 1, "same": 1}),
        "capitals.csv": (tuple(map(str.upper, (one, two, three))), same),
    }
    for name, (lines, expected) in ways.items():
        plan = planned(farmed, kind, name, *lines)
        assert fates(plan) == expected, name
        assert plan.book.table(kind).text().startswith(before), name
        assert plan.book.rejected == []


@pytest.mark.parametrize("kind", TABLES)
def test_a_changed_cell_is_one_question_that_shows_both_values(farmed: Path, kind: str) -> None:
    heading, (first, second, *_), other = TABLES[kind]
    column, was = heading.rpartition(",")[2], first.rpartition(",")[2]
    brought(farmed, kind, "list.csv", first, second)
    changed = f"{first.rpartition(',')[0]},{other}"
    plan = planned(farmed, kind, "newer.csv", second, changed)
    assert fates(plan) == {"rows": 2, "same": 1, "rejected": 1}
    (told,) = [one for one in plan.problems if one.code == "differs_from_book"]
    assert f"({column}: {was} in the book, {other} here)" in told.cause
    assert told.place.row == 3
    plan = planned(farmed, kind, "newer.csv", second, changed, choices=replace(ACCEPTED, replace=True))
    assert fates(plan) == {"rows": 2, "same": 1, "replaced": 1}
    assert [change.texts[column] for change in plan.changes] == [other]
    plan = planned(farmed, kind, "newer.csv", second, changed, choices=replace(ACCEPTED, twins="each"))
    assert fates(plan) == {"rows": 2, "same": 1, "added": 1}


@pytest.mark.parametrize(("there", "sent", "new"), [(0, 2, 2), (1, 1, 0), (1, 2, 1), (2, 1, 0), (2, 2, 0), (1, 3, 2)])
def test_of_equal_rows_only_the_rest_is_new(farmed: Path, there: int, sent: int, new: int) -> None:
    row = TABLES["operation"][1][0]
    if there:
        brought(farmed, "operation", "list.csv", *[row] * there)
    (count,) = planned(farmed, "operation", "other.csv", *[row] * sent).counts
    assert (count.added, count.same, count.rejected) == (new, sent - new, 0)


def test_a_row_that_fills_blanks_completes_and_one_that_has_blanks_is_the_same(farmed: Path) -> None:
    head = "unit_id,day,operation,depth_in,speed_mph"
    brought(farmed, "operation", "list.csv", "N40,2025-04-02,Combine harvest,,4", head=head)
    plan = brought(farmed, "operation", "more.csv", "N40,2025-04-02,Combine harvest,1,", head=head)
    assert fates(plan) == {"rows": 1, "completed": 1}
    assert [(row["depth_in"], row["speed_mph"]) for row in load_book(farmed)["operation"]] == [(1000, 4000)]
    plan = planned(farmed, "operation", "less.csv", "N40,2025-04-02,Combine harvest,,", head=head)
    assert fates(plan) == {"rows": 1, "same": 1}


def test_what_files_of_one_import_have_in_common_is_there_once(farmed: Path) -> None:
    heading, rows, _ = TABLES["operation"]
    lists = {"operation.csv": rows[:3], "operation-2026.csv": (rows[3], *rows[2::-1]), "operation-v3.csv": rows[:3]}
    for name, lines in lists.items():
        (farmed.parent / name).write_text("\n".join([heading, *lines, ""]))
    plan = plan_import([farmed.parent / name for name in lists], ImportBook.in_folder(farmed), ACCEPTED)
    assert [(one.added, one.same, one.rejected) for one in plan.counts] == [(3, 0, 0), (1, 3, 0), (0, 3, 0)]


@pytest.mark.parametrize(("line", "ending"), [
    ("N40,corn,harvested,2026-10-02", {"N26": "harvested"}),
    ("N40,corn,harvested,2024-10-02", {"N26": "not_yet", "N40-corn-2024": "harvested"}),
    ("N40,soybeans,harvested,2026-10-02", {"N26": "not_yet", "N40-soybeans-2026": "harvested"}),
])  # fmt: skip
def test_a_growing_crop_that_a_list_has_harvested_is_harvested(farmed: Path, line: str, ending: dict[str, str]) -> None:
    brought(farmed, "harvest", "fall.csv", line, head="unit_id,crop,ending,last_day")
    entries = {row["harvest_id"]: row["ending"] for row in load_book(farmed)["harvest"]}
    assert entries == {"N25": "harvested", "S25": "harvested", **ending}
    brought(farmed, "harvest", "again.csv", line, head="unit_id,crop,ending,last_day")
    assert len(load_book(farmed)["harvest"]) == len(entries)


def test_a_list_of_producers_without_identifiers_names_them_whatever_it_is_called(farmed: Path) -> None:
    head = "Full name,Role,Email"
    for name, added in (("people.csv", 1), ("people 2026.csv", 0)):
        plan = brought(farmed, "producer", name, "Dale Hovland,,dale@example.org", head=head)
        assert sum(one.added for one in plan.counts) == added, name


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param((*TABLES["operation"][1], *TABLES["operation"][1]), id="one below the other"),
        pytest.param(tuple(line for line in TABLES["operation"][1] for _ in (1, 2)), id="each line twice"),
    ],
)
def test_a_list_that_stands_twice_is_one_question(farmed: Path, lines: tuple[str, ...]) -> None:
    plan = planned(farmed, "operation", "list.csv", *lines)
    assert fates(plan) == {"rows": 8, "added": 4, "rejected": 4}
    assert set(codes(plan)) == {"entered_twice"}
    once = planned(farmed, "operation", "list.csv", *lines, choices=replace(ACCEPTED, twins="once"))
    assert fates(once) == {"rows": 8, "added": 4, "same": 4}
    each = planned(farmed, "operation", "list.csv", *lines, choices=replace(ACCEPTED, twins="each"))
    assert fates(each) == {"rows": 8, "added": 8}


def test_a_list_that_stands_twice_and_was_answered_is_the_same_at_the_next_import(farmed: Path) -> None:
    lines = TABLES["operation"][1] * 2
    brought(farmed, "operation", "list.csv", *lines)
    assert len(rejected_in(farmed)) == 4
    brought(farmed, "operation", "list.csv", *lines, choices=replace(ACCEPTED, twins="once"))
    assert rejected_in(farmed) == []
    assert fates(planned(farmed, "operation", "again.csv", *TABLES["operation"][1])) == {"rows": 4, "same": 4}


def test_a_name_that_is_answered_later_changes_the_row_it_is_of_and_adds_none(farmed: Path) -> None:
    lines = ("N40,2025-04-02,Fluffing bar,1", "S12,2025-04-02,Combine harvest,")
    plan = brought(farmed, "operation", "list.csv", *lines)
    assert "word_unknown" in codes(plan)
    said = replace(ACCEPTED, words={("operation", "fluffing bar"): "Combine harvest"})
    plan = brought(farmed, "operation", "again.csv", *lines, choices=said)
    (count,) = plan.counts
    assert (count.added, count.rejected) == (0, 0)
    assert [(one.kind, one.texts["operation"], one.was["operation"]) for one in plan.changes if one.was] == [
        ("operation", "Combine harvest", "Fluffing bar")
    ]
    row = load_book(farmed)["operation"][0]
    assert (row["operation"], row["as_typed"]) == ("Combine harvest", "Fluffing bar")
    assert fates(planned(farmed, "operation", "third.csv", *lines)) == {"rows": 2, "same": 2}


def test_a_rejected_row_is_superseded_by_its_correction_and_kept_once_without(farmed: Path) -> None:
    lines = ("N40,2025-04-01,Combine harvest,9x", "N40,2025-04-02,Combine harvest,8x")
    brought(farmed, "operation", "list.csv", *lines)
    brought(farmed, "operation", "list 2.csv", *reversed(lines))
    assert sorted(dict(row.cells)["depth_in"] for row in rejected_in(farmed)) == ["8x", "9x"]
    plan = brought(farmed, "operation", "list 3.csv", lines[0], "N40,2025-04-02,Combine harvest,8")
    assert fates(plan) == {"rows": 2, "added": 1, "rejected": 1}
    assert [dict(row.cells)["depth_in"] for row in rejected_in(farmed)] == ["9x"]
    assert [row["depth_in"] for row in load_book(farmed)["operation"]] == [8000]


def test_a_crop_entry_that_the_book_calls_otherwise_is_that_entry_for_what_names_it(farmed: Path) -> None:
    sheets: dict[str, list[tuple[object, ...]]] = {
        "harvest": [
            ("harvest_id", "unit_id", "crop", "ending", "last_day"),
            ("A", "N40", "corn", "harvested", "2025-10-02"),
        ],
        "planting": [("planting_id", "harvest_id", "planted_on"), ("P1", "A", "2025-04-20")],
    }
    (farmed.parent / "season.xlsx").write_bytes(xlsx_of(sheets))
    plan = plan_import([farmed.parent / "season.xlsx"], ImportBook.in_folder(farmed), ACCEPTED)
    assert {count.kind: (count.added, count.same) for count in plan.counts} == {"harvest": (0, 1), "planting": (1, 0)}
    assert [change.texts["harvest_id"] for change in plan.changes] == ["N25"]


CUT = {
    "parts": (("N40", "corn", "harvested", "2023-09-20"), ("N40", "corn", "harvested", "2023-09-27")),
    "stands": (("N40", "corn", "terminated", "2023-06-01"), ("N40", "corn", "harvested", "2023-09-27")),
}


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(("case", "planted", "of"), [
    ("parts", "2023-04-20", "2023-09-20"), ("stands", "2023-04-20", "2023-06-01"),
    ("stands", "2023-06-10", "2023-09-27"),
])  # fmt: skip
def test_who_names_field_crop_and_year_means_the_same_of_two_entries_in_any_order(
    farmed: Path, case: str, planted: str, of: str, order: int
) -> None:
    rows = CUT[case][::order]
    for at, of_book in enumerate((rows, rows, rows[::-1], rows[:1], rows[1:])):
        sheets: dict[str, list[tuple[object, ...]]] = {
            "planting": [("harvest_id", "planted_on"), ("N40 corn 2023", planted)],
            "harvest": [("unit_id", "crop", "ending", "last_day"), *of_book],
        }
        path = farmed.parent / f"season{at}.xlsx"
        path.write_bytes(xlsx_of(sheets))
        plan = plan_import([path], ImportBook.in_folder(farmed), ACCEPTED)
        assert (at, sum(one.added for one in plan.counts), len(plan.book.rejected)) == (at, 0 if at else 3, 0)
        write_plan(plan)
    days = {row["harvest_id"]: str(row["last_day"]) for row in load_book(farmed)["harvest"]}
    assert [days[row["harvest_id"]] for row in load_book(farmed)["planting"]] == [of]


def test_a_second_entry_called_as_the_first_is_asked_about(farmed: Path) -> None:
    head = "unit_id,crop,use,ending,first_day,last_day"
    brought(farmed, "harvest", "grain.csv", "N40,corn,grain,harvested,2023-09-20,2023-09-21", head=head)
    silage = "N40,corn,silage,harvested,2023-08-20,2023-08-21"
    plan = planned(farmed, "harvest", "silage.csv", silage, head=head)
    assert fates(plan) == {"rows": 1, "rejected": 1}
    (told,) = [one for one in plan.problems if one.code == "differs_from_book"]
    assert "use: grain in the book, silage here" in told.cause
    assert "--twins each" in told.remedy
    plan = planned(farmed, "harvest", "silage.csv", silage, head=head, choices=replace(ACCEPTED, twins="each"))
    assert [change.texts["harvest_id"] for change in plan.changes] == ["N40-corn-2023-2"]


BAD = ("N40,2025-04-01,Combine harvest,9x", "N40,someday,Combine harvest,4", "S99,2025-04-03,Combine harvest,5")


@ROWS
def test_a_rejected_row_goes_only_where_it_is_brought_again(farmed: Path, lines: list[str], left: int) -> None:
    brought(farmed, "operation", "april.csv", *BAD)
    assert len(rejected_in(farmed)) == 3
    for name in ("other.csv", "april.csv"):
        assert len(planned(farmed, "operation", name, *lines).book.rejected) == left, name


def test_a_row_that_the_book_has_settles_no_rejected_one_unless_it_was_corrected_to_it(farmed: Path) -> None:
    lines = ("N40,2025-04-01,Combine harvest,9x", "N40,2025-04-01,Combine harvest,3")
    brought(farmed, "operation", "april.csv", *lines)
    for name in ("april.csv", "other.csv"):
        plan = planned(farmed, "operation", name, lines[1])
        assert (fates(plan), len(plan.book.rejected)) == ({"rows": 1, "same": 1}, 1)
    row = "N40,2025-04-01,Combine harvest"
    brought(farmed, "operation", "april.csv", f"{row},3")
    brought(farmed, "operation", "more.csv", f"{row},4")
    assert len(rejected_in(farmed)) == 1
    assert planned(farmed, "operation", "more.csv", f"{row},3").book.rejected == []
    assert len(planned(farmed, "operation", "again.csv", f"{row},3").book.rejected) == 1


def test_a_mended_row_that_waits_for_a_nod_settles_nothing_yet(farmed: Path) -> None:
    head = "Field,Date,Operation,Depth (in)"
    brought(farmed, "operation", "april.csv", "N40,2025-04-01,Combine harvest,9x", head=head)
    assert len(rejected_in(farmed)) == 1
    lines = ("N40,2025-04-01,Combine harvest,9",)
    waits = planned(farmed, "operation", "april.csv", *lines, head=head, choices=CHOICES)
    assert (fates(waits), len(waits.book.rejected)) == ({"rows": 1, "waiting": 1}, 1)
    assert planned(farmed, "operation", "april.csv", *lines, head=head).book.rejected == []


def test_a_misspelled_field_of_a_foreign_list_is_settled_by_the_list_that_spells_it(farmed: Path) -> None:
    head = "Field,Date,Operation,Depth (in)"
    row = "2025-04-01,Combine harvest,9"
    brought(farmed, "operation", "april.csv", f"N4O0,{row}", head=head)
    assert [one.place.column for row in rejected_in(farmed) for one in row.problems] == ["unit_id"]
    assert planned(farmed, "operation", "mended.csv", f"N40,{row}", head=head).book.rejected == []


def test_rejected_rows_taken_in_again_as_they_are_stay_and_so_does_a_file_that_was_lost(farmed: Path) -> None:
    brought(farmed, "operation", "april.csv", *BAD)
    (farmed.parent / "operation.xlsx").write_bytes(b"PK\x03\x04 broken")
    write_plan(plan_import([farmed.parent / "operation.xlsx"], ImportBook.in_folder(farmed), ACCEPTED))
    before = rejected_in(farmed)
    assert len(before) == 4
    plan = plan_import([], ImportBook.in_folder(farmed), ACCEPTED)
    assert sorted(str(row.place) for row in plan.book.rejected) == sorted(str(row.place) for row in before)


@ROWS
def test_a_rejected_row_stays_out_for_what_its_cells_do_not_show(
    farmed: Path, head: str, line: str, typed: dict[str, str], *, mended: bool
) -> None:
    brought(farmed, "operation", "april.csv", f"N40,2025-04-05,Combine harvest,{line}", head=head)
    (before,) = rejected_in(farmed)
    plan = plan_import([], ImportBook.in_folder(farmed), ACCEPTED)
    assert fates(plan) == {"rows": 1, "rejected": 1}
    assert [(row.cells, row.why) for row in plan.book.rejected] == [(before.cells, before.why)]
    said = replace(ACCEPTED, corrected={str(before.place): typed})
    plan = plan_import([], ImportBook.in_folder(farmed), said)
    assert fates(plan) == {"rows": 1, "added" if mended else "rejected": 1}


def test_what_is_said_of_a_row_of_this_file_is_said_of_none_that_an_earlier_file_of_its_name_left(farmed: Path) -> None:
    brought(farmed, "operation", "list.csv", "N40,2025-04-01,Combine harvest,9x")
    said = replace(ACCEPTED, corrected={"list.csv, row 2": {"depth_in": "5"}}, dropped=frozenset({"list.csv, row 3"}))
    lines = ("S12,2025-06-01,Combine harvest,5x", "S12,2025-06-02,Combine harvest,5x")
    plan = planned(farmed, "operation", "list.csv", *lines, choices=said)
    assert [change.texts["unit_id"] for change in plan.changes] == ["S12"]
    assert [dict(row.cells)["depth_in"] for row in plan.book.rejected] == ["9x"]


@pytest.mark.parametrize("number", [*range(2), *(pytest.param(one, marks=pytest.mark.slow) for one in range(2, 60))])
def test_a_season_brought_again_in_another_shape_adds_only_the_row_that_is_new(number: int, tmp_path: Path) -> None:
    random = Random(number)
    assert list(again.again(again.drawn(random), random, tmp_path)) == []


def wrapped_again(path: Path) -> bytes:
    """Return what a file holds in other bytes: a zip packed anew, a text with other ends of its lines."""
    if path.suffix != ".zip":
        return path.read_bytes().replace(b"\r\n", b"\n").rstrip(b"\n") + b"\r\n"
    out = io.BytesIO()
    with zipfile.ZipFile(path) as packed, zipfile.ZipFile(out, "w") as again:
        for name in reversed(packed.namelist()):
            again.writestr(name, packed.read(name))
    return out.getvalue()


REPORTS: Final = ("iso_", "yield_", "boundary_", "tickets_", "applications_", "operations_", "soil_")
WRAPPED: Final = (".zip", ".csv", ".txt", ".kml", ".geojson", ".geojsonl", ".json")


def test_a_file_in_other_bytes_and_under_another_name_adds_nothing(samples: Path, tmp_path: Path) -> None:
    """Machines' cards, boundaries and lists alike; a log whose days cannot be true stays out each time."""
    found = [path for path in (samples / "field_reports").iterdir() if path.name.startswith(REPORTS)]
    sent = [path for path in found if path.suffix in WRAPPED and "rollover" not in path.name]
    assert len(sent) > len(REPORTS)
    for path in sent:
        book = Path(shutil.copytree(samples / "field_reports" / "base_book", tmp_path / path.name))
        (tmp_path / f"again {path.name}").write_bytes(wrapped_again(path))
        written = []
        for one in (path, tmp_path / f"again {path.name}"):
            plan = plan_import([one], ImportBook.in_folder(book), ACCEPTED)
            write_plan(plan)
            written.append([(change.kind, change.texts) for change in plan.changes])
        assert written[1:] == [[]], path.name


HEADED: Final = {"Field operations": 3, "Short budgets": 2, "heartland_scale.csv": 3}
"""How many lines stand above the rows of a sheet or a file of the consultant; 1 in the others."""
LISTS: Final = frozenset({"Field operations", "Fert", "Cover crops", "N budget", "Crops", "Short budgets"})
MORE: Final[dict[str, list[object]]] = {
    "Field operations": [dt.date(2024, 5, 20), "Home 80", "disked", 78.4, 4, 6, "Dale", None, None, 30],
    "heartland_scale.csv": ["70999", "10/09/26", "Walnut Ridge", "Home 80", "YC", 80000, 26400, 53600, 15.0, 957.1],
}
Change = Callable[[str, list[list[object]]], list[list[object]]]


def changed_copy(path: Path, mark: str, change: Change) -> Path:
    """Write a consultant's file once more, the rows of its sheets changed."""
    copy = path.with_stem(f"{path.stem} {mark}")
    if path.suffix == ".csv":
        lines, headed = list(csv.reader(path.read_text().splitlines())), HEADED.get(path.name, 1)
        rows = change(path.name, [list[object](line) for line in lines[headed:]])
        copy.write_text(write_csv([*lines[:headed], *([str(value) for value in row] for row in rows)]))
    elif path.suffix == ".xlsx":
        book = openpyxl.load_workbook(path)
        for sheet in (one for one in book if one.title in LISTS):
            headed = HEADED.get(sheet.title, 1)
            rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=headed + 1)]
            for down, row in enumerate(change(sheet.title, [row for row in rows if any(row)]), start=headed + 1):
                for across, value in enumerate(row, start=1):
                    sheet.cell(down, across).value = value
        book.save(copy)
    else:
        copy.write_bytes(path.read_bytes())
    return copy


def test_a_consultants_files_brought_again_add_only_the_rows_that_are_new(samples: Path, tmp_path: Path) -> None:
    names = ("fields.geojson", "short_wr.xlsx", "walnut_ridge_v3.xlsx", "ward_walnut.csv", "heartland_scale.csv")
    paths = [Path(shutil.copy(samples / "consultant" / name, tmp_path)) for name in names]
    first = plan_import(paths, ImportBook.in_folder(tmp_path / "book"), ACCEPTED)
    write_plan(first)
    random = Random(1)
    ways: dict[str, tuple[Change, dict[str, int]]] = {
        "shuffled": (lambda _, rows: random.sample(rows, len(rows)), {}),
        "more": (
            lambda name, rows: [*rows[:2], *([MORE[name]] if name in MORE else []), *rows[2:]],
            {"operation": 1, "scale_ticket": 1, "evidence": 1},  # the longer list is the paper of its new load
        ),
    }
    for mark, (change, new) in ways.items():
        sent = [changed_copy(path, mark, change) for path in paths]
        plan = plan_import(sent, ImportBook.in_folder(tmp_path / "book"), ACCEPTED)
        assert [*again.lost(plan), *again.brought(plan, first, new)] == [], mark
