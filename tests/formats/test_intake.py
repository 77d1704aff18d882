"""An import gives every row a fate, leaves a mark where one stays out, and writes nothing it was not asked to."""

import csv
import dataclasses
import datetime as dt
import hashlib
import io
import json
from pathlib import Path
from typing import Final

import pytest
from openpyxl.workbook import Workbook

from fuzz.case import direct
from fuzz.seasons import PLOW
from provender.formats.importing.import_book import ImportBook, KindTable
from provender.formats.importing.incoming_files import Choices, IncomingTable, Source, split_valid
from provender.formats.importing.match import leave_out_differing
from provender.formats.importing.plan import ImportPlan, book_files, plan_import, write_plan
from provender.formats.importing.references import known_records, settle_references
from provender.problem import Weight
from provender.records.book import FarmRows
from provender.records.folder import load_book, rejected_in, write_csv
from provender.records.kind import KINDS
from provender.records.reading import TextTable, parse_csv
from provender.standards.evidence import content_of, evidence_by_name
from provender.standards.judge import judge
from tests.formats.workbooks import picture, xlsx
from tests.standards.season import clean_season

CHOICES = Choices(as_of=dt.date(2026, 11, 21), boundary_limit_pct=3000, parse=direct)
ACCEPTED = dataclasses.replace(CHOICES, accept=True)
RING = [[-95.7, 39.0], [-95.6955, 39.0], [-95.6955, 39.0036], [-95.7, 39.0036], [-95.7, 39.0]]
FIELD = {"type": "Feature", "properties": {"name": "N40"}, "geometry": {"type": "Polygon", "coordinates": [RING]}}
SQUARE = {"type": "FeatureCollection", "features": [FIELD]}


def table(kind: str, *rows: dict[str, str]) -> str:
    heading = [name for name in KINDS[kind].typed_fields if name != "farm_id" or kind == "farm"]
    return write_csv([heading, *([row.get(name, "") for name in heading] for row in rows)])


@pytest.fixture
def book(tmp_path: Path) -> Path:
    folder = tmp_path / "book"
    folder.mkdir()
    for kind, rows in clean_season().items():
        (folder / f"{kind}.csv").write_text(table(kind, *rows), encoding="utf-8")
    return folder


def brought(book: Path, name: str, content: bytes | str, choices: Choices = CHOICES) -> ImportPlan:
    path = book.parent / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    plan = plan_import([path], ImportBook.in_folder(book), choices)
    write_plan(plan)
    return plan


def corrected(book: Path, cells: dict[str, dict[str, str]]) -> ImportPlan:
    plan = plan_import([], ImportBook.in_folder(book), dataclasses.replace(CHOICES, corrected=cells))
    write_plan(plan)
    return plan


def table_text(plan: ImportPlan, kind: str) -> str:
    """Return the table of a kind as CSV text; empty where the import changes nothing in it."""
    return plan.book.table(kind).text() if plan.book.table(kind).changed else ""


def fates(plan: ImportPlan) -> dict[str, int]:
    (count,) = plan.counts
    return {name: value for name, value in dataclasses.asdict(count).items() if isinstance(value, int) and value}


def fates_of(plan: ImportPlan, kind: str) -> dict[str, int]:
    plan.counts = [count for count in plan.counts if count.kind == kind]
    return fates(plan)


def codes(plan: ImportPlan) -> list[str]:
    return [problem.code for problem in plan.problems if problem.weight is not Weight.NOTE]


def met(book: Path) -> set[str]:
    found = (p for one in judge(load_book(book)) for p in one.practices)
    return {str(p.practice) for p in found if str(p.implementation) == "met"}


def pass_row(**cells: str) -> dict[str, str]:
    row = {"operation_id": "O20", "unit_id": "N40", "day": "2025-05-20", "operation": "Sprayer, post emergence"}
    return row | cells


def test_a_new_record_is_added_with_its_source_and_the_original_is_kept(book: Path) -> None:
    plan = brought(book, "operation.csv", table("operation", pass_row(speed_mph="12")))
    assert fates(plan) == {"rows": 1, "added": 1}
    assert load_book(book)["operation"][-1]["speed_mph"] == 12000
    with (book / "sources.csv").open(encoding="utf-8") as stream:
        (source,) = csv.DictReader(stream)
    assert (source["kind"], source["key"], source["file"], source["row"]) == ("operation", "O20", "operation.csv", "2")
    (kept,) = (book / "evidence").iterdir()
    assert kept.read_bytes() == (book.parent / "operation.csv").read_bytes()
    assert source["sha256"].startswith(kept.stem.rpartition("-")[2])


def test_the_same_file_twice_changes_nothing_and_what_was_unreadable_stays_as_written(book: Path) -> None:
    text = table("operation", pass_row())
    brought(book, "operation.csv", text)
    before = {path.name: path.read_bytes() for path in book.iterdir() if path.is_file()}
    assert fates(brought(book, "operation.csv", text)) == {"rows": 1, "same": 1}
    assert {path.name: path.read_bytes() for path in book.iterdir() if path.is_file()} == before
    with (book / "operation.csv").open("a", encoding="utf-8") as stream:
        stream.write("O30,N40,someday,Disk,,4x\n")
    brought(book, "operation.csv", table("operation", pass_row()))
    assert "O30,N40,someday,Disk,,4x" in (book / "operation.csv").read_text("utf-8")


def test_a_row_that_contradicts_the_book_stays_out_unless_it_is_to_replace(book: Path) -> None:
    row = dict(clean_season()["operation"][0]) | {"depth_in": "3"}
    plan = brought(book, "operation.csv", table("operation", row))
    assert fates(plan) == {"rows": 1, "rejected": 1}
    assert codes(plan) == ["differs_from_book"]
    assert "depth_in: 2 in the book, 3 here" in plan.problems[-1].cause
    assert "rejected_rows" in {problem.code for problem in load_book(book).problems}
    again = brought(book, "operation.csv", table("operation", row), dataclasses.replace(CHOICES, replace=True))
    assert fates(again) == {"rows": 1, "replaced": 1}
    assert load_book(book)["operation"][0]["depth_in"] == 3000
    assert load_book(book).problems == ()
    assert len(again.settled) == 1


@pytest.mark.parametrize(
    "cells",
    [{"depth_in": "8x"}, {"day": "20.04."}, {"unit_id": ""}, {"unit_id": "N4O"}, {"operation": ""},
     {"speed_mph": "41"}, {"full_width": "maybe"}],
    ids=str,
)  # fmt: skip
def test_a_plow_that_cannot_be_read_is_no_missing_plow(book: Path, cells: dict[str, str]) -> None:
    assert {"no_till", "reduced_till"} <= met(book)
    plan = brought(book, "operation.csv", table("operation", PLOW | cells))
    assert not {"no_till", "reduced_till"} & met(book)
    assert any(problem.weight is Weight.ERROR for problem in load_book(book).problems)
    assert sum(count.rows for count in plan.counts) == 1


def test_corrected_rows_go_in_and_settle_their_file(book: Path) -> None:
    brought(
        book, "operation.csv", table("operation", pass_row(depth_in="1x"), pass_row(operation_id="O21", day="soon"))
    )
    assert [str(row.place) for row in rejected_in(book)] == ["operation.csv, row 2", "operation.csv, row 3"]
    plan = corrected(book, {"operation.csv, row 2": {"depth_in": "1"}})
    assert fates(plan) == {"rows": 1, "added": 1}
    assert [dict(row.cells)["operation_id"] for row in rejected_in(book)] == ["O21"]
    assert fates(corrected(book, {"operation.csv, row 3": {"day": "later"}})) == {"rows": 1, "rejected": 1}
    corrected(book, {"operation.csv, row 3": {"day": "2025-06-01"}})
    assert not list((book / "rejected").iterdir())
    assert load_book(book).problems == ()
    assert {"O20", "O21"} <= {row["operation_id"] for row in load_book(book)["operation"]}


def test_records_of_one_identifier_that_differ_stay_out_both_and_alike_ones_count_once(book: Path) -> None:
    plan = brought(book, "operation.csv", table("operation", pass_row(), pass_row(day="2025-05-21")))
    assert fates(plan) == {"rows": 2, "rejected": 2}
    plan = brought(book, "more.csv", table("operation", pass_row(), pass_row()))
    assert fates(plan) == {"rows": 2, "added": 1, "same": 1}


def test_a_misspelt_heading_keeps_the_table_out_and_names_the_likely_one(book: Path) -> None:
    text = table("operation", pass_row()).replace("depth_in", "depht_in")
    plan = brought(book, "operation.csv", text)
    assert fates(plan) == {"rows": 1, "rejected": 1}
    assert "Did you mean depth_in?" in str(plan.problems[0])
    assert "no_till" not in met(book)


def test_a_row_of_another_farm_stays_out(book: Path) -> None:
    text = "farm_id," + table("operation", pass_row()).replace("\nO20", "\nF2,O20")
    plan = brought(book, "operation.csv", text)
    assert codes(plan) == ["other_farm"]
    assert fates(plan) == {"rows": 1, "rejected": 1}


@pytest.mark.parametrize("content", [b"\x00\x01\x02", b"PK\x03\x04 broken", b"%PDF-1.7"])
def test_a_file_that_may_hold_records_and_cannot_be_read_leaves_a_mark(book: Path, content: bytes) -> None:
    plan = brought(book, "operation.csv", content)
    assert any(problem.weight is Weight.ERROR for problem in plan.problems)
    assert "no_till" not in met(book)


def test_a_sheet_of_no_known_kind_stays_out_marks_nothing_and_is_offered_again_until_it_is_skipped(book: Path) -> None:
    content = xlsx([["a", "b"], ["1", "2"]], name="Scratch")
    assert codes(brought(book, "notes.xlsx", content)) == ["unknown_sheet"]
    assert "no_till" in met(book)
    assert [problem.code for problem in load_book(book).problems] == ["stray_rows"]
    skipped = brought(book, "notes.xlsx", content, dataclasses.replace(CHOICES, skip_sheets=frozenset({"scratch"})))
    assert skipped.counts == []
    assert load_book(book).problems == ()


def test_a_formula_without_a_saved_result_is_no_blank_cell(book: Path) -> None:
    heading = [name for name in KINDS["operation"].typed_fields if name != "farm_id"]
    workbook = Workbook()
    page = workbook.create_sheet("Field operations", 0)
    page.append(heading)
    page.append([PLOW.get(name) for name in heading])
    page.cell(2, heading.index("treated_acres") + 1).value = "=40/2"
    workbook.remove(workbook["Sheet"])
    workbook.save(book.parent / "made.xlsx")
    plan = brought(book, "Field operations.xlsx", (book.parent / "made.xlsx").read_bytes())
    assert fates(plan) == {"rows": 1, "rejected": 1}
    assert "error_cell" in codes(plan)


def test_a_foreign_table_waits_for_a_nod_and_then_goes_in(book: Path) -> None:
    text = "Sample ID,Field,Date Sampled,pH,P (ppm)\nS1,N40,03/14/2025,6.5,22\n"
    choices = dataclasses.replace(CHOICES, kind="soil_test")
    assert fates_of(brought(book, "lab.csv", text, choices), "soil_test") == {"rows": 1, "waiting": 1}
    assert not (book / "rejected").exists()
    accepted = brought(book, "lab.csv", text, dataclasses.replace(choices, accept=True))
    assert [(one.kind, one.added) for one in accepted.counts] == [("soil_test", 1), ("evidence", 1)]
    assert load_book(book)["soil_test"][-1]["p_ppm"] == 22000
    saved = tuple(dataclasses.replace(one, confirmed=True) for one in accepted.maps)
    through = brought(book, "lab2.csv", text.replace("S1", "S2"), dataclasses.replace(CHOICES, maps=saved))
    assert fates_of(through, "soil_test") == {"rows": 1, "added": 1}


def test_a_sheet_that_is_named_after_a_kind_is_that_kind_whatever_kind_was_asked_for(book: Path) -> None:
    heading = [name for name in KINDS["operation"].typed_fields if name != "farm_id"]
    rows: list[list[object]] = [[*heading], [pass_row().get(name, "") for name in heading]]
    content = xlsx(rows, name="Field operations")
    plan = brought(book, "ops.xlsx", content, dataclasses.replace(CHOICES, kind="soil_test"))
    assert [(count.kind, count.added) for count in plan.counts] == [("operation", 1)]


def test_boundaries_become_files_and_leave_the_acres_of_the_book(book: Path) -> None:
    plan = brought(book, "fields.geojson", json.dumps(SQUARE))
    unit = load_book(book)["unit"][0]
    assert (unit["acres"], unit["boundary"]) == (40000, "n40.geojson")
    assert (book / "boundaries" / "N40.geojson").is_file()
    assert {"differs_from_book"} <= set(codes(plan))
    replaced = brought(book, "fields.geojson", json.dumps(SQUARE), dataclasses.replace(CHOICES, replace=True))
    assert [row["boundary"] for row in load_book(book)["unit"]] == ["N40.geojson"]
    assert "acres_differ" in codes(replaced)


@pytest.mark.parametrize(
    ("unit", "shift", "share"),
    [("N40", 0.0, ""), ("N41", 0.0, "100 %"), ("N41", 0.0022, "51 %"), ("N41", 0.0045, ""), ("N41", 0.1, "")],
)
def test_ground_that_another_unit_has_is_asked_about(book: Path, unit: str, shift: float, share: str) -> None:
    brought(book, "fields.geojson", json.dumps(SQUARE), dataclasses.replace(CHOICES, replace=True))
    west = -95.7 + shift
    ring = [[west, 39.0], [west + 0.0045, 39.0], [west + 0.0045, 39.0036], [west, 39.0036], [west, 39.0]]
    choices = dataclasses.replace(CHOICES, units={"": unit}, replace=True)
    plan = brought(book, "again.geojson", json.dumps({"type": "Polygon", "coordinates": [ring]}), choices)
    told = [problem for problem in plan.problems if problem.code == "unit_drawn_twice"]
    assert [problem.weight for problem in told] == [Weight.CONFIRM] * bool(share)
    assert not share or f"shares ground with unit N40 of the book ({share} of the smaller)" in told[0].cause


def test_a_new_book_is_begun_by_the_farm_a_file_brings_and_not_without_one(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    plan = brought(folder, "operation.csv", table("operation", pass_row()))
    assert codes(plan) == ["no_farm"]
    assert book_files(plan) == {}
    farm = table("farm", {"farm_id": "F7", "name": "Seven Oaks"})
    assert fates(brought(folder, "farm.csv", farm)) == {"rows": 1, "added": 1}
    assert load_book(folder).farm_ids == ("F7",)


def test_a_photograph_is_kept_by_its_hash_with_what_its_claims_are_worth(book: Path) -> None:
    plan = brought(book, "rye.jpg", picture(), dataclasses.replace(CHOICES, units={"": "N40"}))
    row = load_book(book)["evidence"][-1]
    assert (row["what"], row["unit_id"]) == ("photograph", "N40")
    assert (book / "evidence" / row["file"]).read_bytes() == picture()
    assert "claims no position" in row["note"]
    assert "photo_verdict" in {problem.code for problem in plan.problems}


def test_a_yield_log_is_proposed_and_fills_bushels_only_after_a_nod(book: Path, samples: Path) -> None:
    log = (samples / "yield" / "2012-basswood.txt").read_bytes()
    choices = dataclasses.replace(CHOICES, units={"": "N40"})
    assert fates_of(brought(book, "basswood.txt", log, choices), "harvest") == {"rows": 1, "waiting": 1}
    plan = brought(book, "basswood.txt", log, dataclasses.replace(choices, accept=True))
    assert fates_of(plan, "harvest") == {"rows": 1, "added": 1}
    harvest = load_book(book)["harvest"][-1]
    assert (harvest["bushels"], harvest["moisture_pct"], harvest["known_by"]) == (2858478, 15500, "machine")
    assert harvest["evidence"] == load_book(book)["evidence"][-1]["evidence_id"]


@pytest.mark.samples
def test_fields_whose_names_share_an_identifier_are_kept_apart_and_found_again(book: Path, samples: Path) -> None:
    content = (samples / "field_reports" / "boundary_names_that_collapse.geojson").read_bytes()
    units = {
        "Pena": "Peña",
        "Peca": "Peça",
        "North/West": "North/West",
        "North-West": "North-West",
        "1-2": "#1",
        "1": "1",
    }
    for times in range(2):
        plan = brought(book, "fields.geojson", content, ACCEPTED)
        rows = [row for row in load_book(book)["unit"] if row["unit_id"] != "N40"]
        assert {row["unit_id"]: row["name"] for row in rows} == units
        assert len({(book / "boundaries" / row["boundary"]).read_text() for row in rows}) == len(units)
        assert ("kept_apart" in {one.code for one in plan.problems}, codes(plan)) == (not times, [])


@pytest.mark.parametrize(
    ("name", "content"),
    [("invoice.pdf", b"%PDF-1.7 invoice"), ("letter.txt", b"Dear Ada,\nthanks for the order.\nForty bags, paid.\n")],
)
def test_a_paper_waits_for_a_nod_and_is_then_kept_as_evidence(book: Path, name: str, content: bytes) -> None:
    first = brought(book, name, content)
    assert ([one.waiting for one in first.counts], first.kept, book_files(first)) == ([1], {}, {})
    plan = brought(book, name, content, dataclasses.replace(CHOICES, accept=True))
    assert [(one.kind, one.added, one.rejected) for one in plan.counts] == [("evidence", 1, 0)]
    assert [path.name for path in plan.kept.values()] == [name]
    assert [(one.code, one.weight) for one in plan.problems] == [("paper_kept", Weight.CONFIRM)]
    assert not plan.book.rejected


def test_an_outline_called_like_a_unit_of_the_book_is_that_unit_and_asked_about(book: Path) -> None:
    unit = next(csv.DictReader(io.StringIO((book / "unit.csv").read_text())))
    (book / "unit.csv").write_text(table("unit", unit | {"name": "North Forty"}))
    drawn = json.loads(json.dumps(SQUARE))
    drawn["features"][0]["properties"]["name"] = "north forty"
    plan = brought(book, "fields.geojson", json.dumps(drawn))
    assert "unit_by_name" in [one.code for one in plan.problems]
    assert f"boundaries/{unit['unit_id']}.geojson" in plan.files
    drawn["features"][0]["properties"]["name"] = "another"
    assert "boundaries/another.geojson" in brought(book, "fields.geojson", json.dumps(drawn)).files


@pytest.mark.parametrize("named", [True, False])
def test_another_photograph_of_a_name_that_is_taken_leaves_the_row_as_it_is(book: Path, *, named: bool) -> None:
    said = {"evidence_id": "E-N40", "file": "IMG_0001.jpg", "what": "photograph", "taken_on": "2026-05-01"}
    (book / "evidence.csv").write_text(table("evidence", said), encoding="utf-8")
    (book / "evidence").mkdir(exist_ok=True)
    first, other = picture("green"), picture("red")
    (book / "evidence" / "IMG_0001.jpg").write_bytes(first)
    choices = dataclasses.replace(CHOICES, accept=True, units={"": "N40"} if named else {})
    brought(book, "IMG_0001.jpg", other, choices)
    rows = {row["evidence_id"]: row for row in load_book(book)["evidence"]}
    assert (rows["E-N40"]["sha256"], rows["E-N40"]["file"]) == (None, "IMG_0001.jpg")
    assert (book / "evidence" / "IMG_0001.jpg").read_bytes() == first
    brought(book, "IMG_0001.jpg", first, choices)
    rows = {row["evidence_id"]: row for row in load_book(book)["evidence"]}
    assert rows["E-N40"]["sha256"] == hashlib.sha256(first).hexdigest(), "the same picture gives the row its hash"


def photographs(book: Path, said: list[dict[str, str]]) -> list[Path]:
    """Write two pictures of one name into two folders, and a table of evidence that names them."""
    paths = [book.parent / "evidence.csv"]
    for color in ("green", "white"):
        paths.append(book.parent / color / "IMG 0001.JPG")
        paths[-1].parent.mkdir()
        paths[-1].write_bytes(picture(color))
    paths[0].write_text(table("evidence", *said), "utf-8")
    return paths


def test_of_two_files_of_one_name_none_is_taken_for_the_one_that_a_row_means(book: Path) -> None:
    paths = photographs(book, [{"evidence_id": "E-1", "file": "IMG 0001.JPG", "what": "photograph"}])
    write_plan(plan_import(paths, ImportBook.in_folder(book), dataclasses.replace(CHOICES, accept=True)))
    rows = {one["evidence_id"]: one for one in load_book(book)["evidence"]}
    assert (rows["E-1"]["file"], rows["E-1"]["sha256"]) == ("IMG 0001.JPG", None)


def test_rows_that_say_the_hash_find_each_file_of_one_name(book: Path) -> None:
    paths = photographs(book, [])
    rows = [
        {"evidence_id": f"E-{path.parent.name}", "file": path.name, "what": "photograph"}
        | {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
        for path in paths[1:]
    ]
    paths[0].write_text(table("evidence", *rows), "utf-8")
    write_plan(plan_import(paths, ImportBook.in_folder(book), dataclasses.replace(CHOICES, accept=True)))
    found = evidence_by_name(FarmRows(load_book(book), "F1"))
    assert [found[name][1] for name in ("E-green", "E-white")] == [None, None]


LETTER: Final = b"Dear Ada,\nthanks for the order.\nForty bags, paid.\n"
NOTE: Final = b"bin,bushels,of\n3,400,oats\n4,250,oats\n"


@pytest.mark.parametrize("told_first", [True, False])
@pytest.mark.parametrize("hashed", [True, False])
def test_a_file_that_a_row_names_is_that_row_alone(book: Path, *, hashed: bool, told_first: bool) -> None:
    paths = [book.parent / name for name in ("evidence.csv", "seed letter.txt", "oats.txt")]
    paths[1].write_bytes(LETTER)
    paths[2].write_bytes(NOTE)
    rows = [
        {"evidence_id": f"E-{path.stem}", "file": path.name, "what": what, "taken_on": "2025-12-02"}
        | ({"sha256": hashlib.sha256(path.read_bytes()).hexdigest()} if hashed else {})
        for path, what in zip(paths[1:], ("printout", "form"), strict=True)
    ]
    paths[0].write_text(table("evidence", *rows), "utf-8")
    for part in [paths[:1], paths[1:]] if told_first else [paths]:
        plan = plan_import(part, ImportBook.in_folder(book), CHOICES)
        assert not [one for one in plan.problems if one.weight is not Weight.NOTE]
        write_plan(plan)
    marks = [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths[1:]]
    evidence = evidence_by_name(FarmRows(load_book(book), "F1"))
    found = {name: (row.what, fault) for name, (row, fault) in evidence.items() if content_of(row) in marks}
    assert found == {"E-seed letter": ("printout", None), "E-oats": ("form", None)}
    before = {path.name: path.read_bytes() for path in book.glob("*.csv")}
    write_plan(plan_import(paths[1:], ImportBook.in_folder(book), CHOICES))
    assert {name: (book / name).read_bytes() for name in before if name != "sources.csv"} == {
        name: data for name, data in before.items() if name != "sources.csv"
    }


def faults(book: Path) -> list[str | None]:
    return [fault for _, fault in evidence_by_name(FarmRows(load_book(book), "F1")).values()]


def test_a_file_kept_as_other_contradicts_no_row_that_says_what_it_is(book: Path) -> None:
    mark = hashlib.sha256(LETTER).hexdigest()
    (book / "evidence").mkdir(exist_ok=True)
    (book / "evidence" / "letter.txt").write_bytes(LETTER)
    called = {"E-1": "printout", "E-2": "other"}
    rows = [{"evidence_id": each, "file": "letter.txt", "what": what, "sha256": mark} for each, what in called.items()]
    (book / "evidence.csv").write_text(table("evidence", *rows), "utf-8")
    assert faults(book) == [None, None]
    rows[1]["what"] = "invoice"
    (book / "evidence.csv").write_text(table("evidence", *rows), "utf-8")
    assert faults(book) == ["two_kinds", "two_kinds"]


NUTRIENTS = KINDS["nutrient_application"]
HEADING = ("application_id", "unit_id", "day", "product", "rate", "rate_unit")
Line = tuple[int, str, str, str]


def sifted(*lines: Line) -> IncomingTable:
    """Return applications as a log gives them: a line, an identifier, a unit, a rate."""
    rows = tuple((number, (one, unit, "2025-04-28", "UAN 28", rate, "lb/ac")) for number, one, unit, rate in lines)
    source = Source("log.zip", "0" * 64, "")
    return split_valid(
        IncomingTable(NUTRIENTS, TextTable("log.zip", "", HEADING, rows), source), farm_id="F1", farms=["F1"]
    )


def sift_units(*units: str) -> IncomingTable:
    rows = tuple((at, (unit, "40")) for at, unit in enumerate(units, 2))
    source = Source("unit.csv", "0" * 64, "")
    made = IncomingTable(KINDS["unit"], TextTable("unit.csv", "", ("unit_id", "acres"), rows), source)
    return split_valid(made, farm_id="F1", farms=["F1"])


def numbers(found: IncomingTable) -> tuple[list[object], list[int]]:
    return [row["source_row"] for row in found.rows], [row.place.row for row in found.rejected_rows()]


def test_a_line_of_which_one_row_names_nobodys_field_or_differs_stays_out_once() -> None:
    for unit in ("N99", "N40"):
        found = sifted((7, "a", unit, "10"), (7, "b", "N99", "11"), (8, "c", "N40", "12"))
        settle_references(found, known_records(None, [sift_units("N40")], {}))
        assert numbers(found) == ([8], [7, 7])
    for replace, kept in ((False, ([8], [7, 7])), (True, ([7, 7, 8], []))):
        found = sifted((7, "a", "N40", "10"), (7, "b", "N40", "11"), (8, "c", "N40", "12"))
        leave_out_differing(found, in_book("b,N40,2025-04-28,UAN 28,99,lb/ac"), overrule=replace)
        assert numbers(found) == kept


def in_book(*rows: str) -> KindTable:
    return KindTable.read(NUTRIENTS, parse_csv("\n".join([",".join(HEADING), *rows]), "nutrient_application.csv"), "F1")


@pytest.mark.parametrize(
    ("second", "want"),
    [
        ({"unit_id": "n 40", "year": "2024", "code": "1"}, {"rows": 2, "rejected": 2}),
        ({"unit_id": "n 40", "year": "2024", "code": "5"}, {"rows": 2, "added": 1, "same": 1}),
        ({"unit_id": "n 40", "year": "2023", "code": "1"}, {"rows": 2, "added": 2}),
    ],
)
def test_a_record_of_two_spellings_is_asked_about(book: Path, second: dict[str, str], want: dict[str, int]) -> None:
    (book / "crop_history.csv").unlink(missing_ok=True)
    first = {"unit_id": "N40", "year": "2024", "code": "5"}
    plan = brought(book, "crop_history.csv", table("crop_history", first, second))
    assert fates(plan) == want, [str(one) for one in plan.problems]
