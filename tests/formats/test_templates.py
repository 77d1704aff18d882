"""The template workbook holds every column of every kind; the short one, filled in, gives what the full one would."""

import csv
import datetime as dt
import io
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

import openpyxl
import pytest
from openpyxl.workbook import Workbook

from provender.formats.importing.import_book import ImportBook
from provender.formats.importing.plan import ImportPlan, plan_import, write_plan
from provender.formats.parsed import WorkbookFile
from provender.formats.spreadsheet import read_spreadsheet
from provender.formats.template import HEADING_ROWS, known_names, short_workbook, template_workbook
from provender.formats.template_layout import GUIDE, LISTS, SHEETS, is_help, kind_named, sheet_name, table_of
from provender.problem import Problem, Weight
from provender.records.book import RecordBook
from provender.records.field import ColumnKind
from provender.records.folder import load_book
from provender.records.kind import KINDS
from provender.records.reading import TableRead, read_table
from provender.standards.nutrients import RESULTS
from tests.formats.test_intake import ACCEPTED, CHOICES
from tests.rows import CaseRows
from tests.standards.season import Rows

ROWS: Final = CaseRows(__file__)

DAY = dt.date(2026, 11, 21)


@pytest.fixture(scope="module")
def content() -> bytes:
    return template_workbook(as_of=DAY)


@pytest.fixture(scope="module")
def opened(content: bytes) -> Workbook:
    """Return the empty template, to be looked at."""
    return openpyxl.load_workbook(io.BytesIO(content))


def test_there_is_a_sheet_per_kind_in_order_whose_texts_are_texts_and_days_days(opened: Workbook) -> None:
    assert opened.sheetnames == [GUIDE, *(sheet_name(kind) for kind in KINDS.values()), LISTS]
    assert all(len(name) <= 31 for name in opened.sheetnames)
    assert all(kind_named(sheet_name(kind)) is kind for kind in KINDS.values())
    for kind in KINDS.values():
        page = opened[sheet_name(kind)]
        styles = {
            column: width.number_format
            for width in page.column_dimensions.values()
            for column in range(width.min or 0, (width.max or 0) + 1)
        }
        wanted = {ColumnKind.DAY: "yyyy-mm-dd", ColumnKind.QUANTITY: "General", ColumnKind.WHOLE: "General"}
        for cell in page[HEADING_ROWS]:
            assert styles[cell.column] == wanted.get(kind.fields[cell.value].kind, "@"), (kind.name, cell.value)


def test_every_column_has_its_name_its_label_and_its_unit(opened: Workbook) -> None:
    for name, kind in KINDS.items():
        page = opened[sheet_name(kind)]
        names = [cell.value for cell in page[HEADING_ROWS]]
        assert names == [one for one in kind.typed_fields if one != "farm_id" or name == "farm"]
        for cell, column in zip(page[2], names, strict=True):
            field = kind.fields[column]
            assert str(cell.value).startswith(f"{field.label}\n")
            assert ("required" in str(cell.value)) == field.required
            if field.cite:
                assert field.cite in cell.comment.text
        assert page.freeze_panes == "B4"


def test_every_sheet_offers_lists_and_names_those_that_are_known(opened: Workbook) -> None:
    page = opened[sheet_name(KINDS["operation"])]
    offers = {str(rule.sqref).split(":")[0]: rule.formula1 for rule in page.data_validations.dataValidation}
    columns = {cell.value: cell.column_letter for cell in page[HEADING_ROWS]}
    assert offers[f"{columns['full_width']}4"] == '"yes,no"'
    assert "machine" in offers[f"{columns['known_by']}4"]
    count = len(known_names()["Field operations"])
    assert offers[f"{columns['operation']}4"] == f"{LISTS}!$A$3:$A${count + 2}"
    assert opened[LISTS]["A3"].value == known_names()["Field operations"][0]
    for book in (openpyxl.load_workbook(io.BytesIO(short_workbook(as_of=DAY))), opened):
        assert all(page.data_validations.dataValidation for page in book if page.title not in (LISTS, GUIDE))
    named = opened[sheet_name(KINDS["planting"])].data_validations.dataValidation
    assert f"'{sheet_name(KINDS['harvest'])}'!$A$4:$A$2000" in [rule.formula1 for rule in named]


def test_no_sheet_holds_a_formula_and_the_empty_one_no_rows(content: bytes, opened: Workbook, tmp_path: Path) -> None:
    assert template_workbook(as_of=DAY) == content
    cells = (cell for page in opened for row in page.iter_rows() for cell in row)
    assert not [cell.coordinate for cell in cells if cell.data_type == "f"]
    (tmp_path / "t.xlsx").write_bytes(content)
    parsed = read_spreadsheet(tmp_path / "t.xlsx", "t.xlsx")
    assert parsed.result is not None
    readings, problems = book_readings(parsed.result, farm_id="F1")
    assert (len(readings), problems, list(parsed.problems)) == (len(KINDS), [], [])
    assert all(not reading.rows and not reading.problems for _, reading in readings)


def book_readings(book: WorkbookFile, *, farm_id: str) -> tuple[list[tuple[str, TableRead]], list[Problem]]:
    """Return what each sheet of the template reads as, and what is told of the sheets."""
    named = [(sheet, kind) for sheet in book.sheets if not is_help(sheet) and (kind := kind_named(sheet.name))]
    found = [(kind, *table_of(sheet, kind, book.file)) for sheet, kind in named]
    read = [(kind.name, read_table(kind, table, farm_id=farm_id)) for kind, table, _ in found if table]
    return read, [each for _, _, told in found for each in told]


def test_a_filled_row_reads_back_and_keeps_leading_zeros_and_dashes(content: bytes, tmp_path: Path) -> None:
    workbook = openpyxl.load_workbook(io.BytesIO(content))
    page = workbook[sheet_name(KINDS["unit"])]
    typed = {"unit_id": "1-2", "acres": 40.25, "county_fips": "01001"}
    for cell in page[HEADING_ROWS]:
        page.cell(HEADING_ROWS + 1, cell.column).value = typed.get(cell.value)
    workbook.save(tmp_path / "t.xlsx")
    parsed = read_spreadsheet(tmp_path / "t.xlsx", "t.xlsx")
    assert parsed.result is not None
    readings, _ = book_readings(parsed.result, farm_id="F1")
    unit = dict(readings)["unit"]
    assert unit.problems == []
    (row,) = unit.rows
    assert (row["unit_id"], row["acres"], row["county_fips"], row["source_row"]) == ("1-2", 40250, "01001", 4)


def test_a_row_between_the_headings_is_told_and_not_lost(tmp_path: Path) -> None:
    workbook = empty(template_workbook)
    page = workbook[sheet_name(KINDS["unit"])]
    page.insert_rows(HEADING_ROWS)
    page.cell(HEADING_ROWS, 1).value = "N40"
    workbook.save(tmp_path / "t.xlsx")
    parsed = read_spreadsheet(tmp_path / "t.xlsx", "t.xlsx")
    assert parsed.result is not None
    _, problems = book_readings(parsed.result, farm_id="F1")
    assert [(problem.code, problem.place.sheet) for problem in problems] == [("rows_above", "Management units")]


Fill = dict[str, dict[str, list[str]]]

SEASON: Final = ROWS.table("SEASON")


@cache
def cells_of(make: Callable[..., bytes]) -> dict[str, list[tuple[object, ...]]]:
    """Return what stands in an empty workbook of ours by sheet, without the lists that it offers and how it looks."""
    made = openpyxl.load_workbook(io.BytesIO(make(as_of=CHOICES.as_of)))
    return {page.title: list(page.iter_rows(values_only=True)) for page in made if page.title != LISTS}


def empty(make: Callable[..., bytes]) -> Workbook:
    """Return an empty workbook of ours to be filled in; opening a real one takes ten times as long."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for title, rows in cells_of(make).items():
        page = book.create_sheet(title)
        for row in rows:
            page.append(row)
    return book


def short(path: Path, season: Fill, *, book: Workbook | None = None) -> Path:
    """Fill the short workbook in as a person does; without another one, the cells of it alone."""
    book = book or empty(short_workbook)
    for name, lines in season.items():
        page = book[name]
        shape = next(sheet.shape for sheet in SHEETS if sheet.name == name)
        if shape == "list":
            columns = {cell.value: cell.column for cell in page[2]}
            for label, texts in lines.items():
                for down, text in enumerate(texts):
                    page.cell(3 + down, columns[label]).value = text or None
            continue
        rows = {page.cell(row, 1).value: row for row in range(1, page.max_row + 1)}
        for label, texts in lines.items():
            row = rows.setdefault(label, max(rows.values()) + 1)
            page.cell(row, 1).value = label
            for across, text in enumerate(texts):
                page.cell(row, 2 + across).value = text or None
    book.save(path)
    return path


def full(path: Path, rows: Rows) -> Path:
    book = empty(template_workbook)
    for kind, of_kind in rows.items():
        page = book[sheet_name(KINDS[kind])]
        columns = {cell.value: cell.column for cell in page[3]}
        for number, row in enumerate(of_kind, start=4):
            for name, text in row.items():
                page.cell(number, columns[name]).value = text
    book.save(path)
    return path


def book_of(path: Path, folder: Path) -> tuple[RecordBook, ImportPlan]:
    plan = plan_import([path], ImportBook.in_folder(folder), ACCEPTED)
    write_plan(plan)
    return load_book(folder), plan


def by_hand() -> Rows:
    """Return the same season as somebody types it into the full workbook."""
    tables = sorted((Path(__file__).parent / "data" / "books" / "short").glob("*.csv"))
    rows = {path.stem: csv.DictReader(path.read_text("utf-8").splitlines()) for path in tables}
    return {kind: [{name: text for name, text in row.items() if text} for row in of] for kind, of in rows.items()}


def rows_of(book: RecordBook, kind: str) -> list[dict[str, object]]:
    rows = sorted(book[kind], key=lambda row: [row[name] for name in KINDS[kind].key_columns])
    return [{name: value for name, value in row.items() if not name.startswith("source_")} for row in rows]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[RecordBook, RecordBook, ImportPlan]:
    folder = tmp_path_factory.mktemp("short")
    real = openpyxl.load_workbook(io.BytesIO(short_workbook(as_of=CHOICES.as_of)))
    brief, plan = book_of(short(folder / "short.xlsx", SEASON, book=real), folder / "brief")
    whole, _ = book_of(full(folder / "full.xlsx", by_hand()), folder / "whole")
    return brief, whole, plan


def test_the_short_workbook_gives_the_rows_of_the_full_one(both: tuple[RecordBook, RecordBook, ImportPlan]) -> None:
    brief, whole, plan = both
    assert not [problem for problem in plan.problems if problem.weight is Weight.ERROR]
    for kind in by_hand():
        assert rows_of(brief, kind) == rows_of(whole, kind), kind
    asked = {name for sheet in SHEETS for part in sheet.parts for name in part.fills}
    assert {f"soil_test.{name}" for name in RESULTS} <= asked


def test_places_are_those_that_the_persons_program_shows(tmp_path: Path) -> None:
    book_of(short(tmp_path / "first.xlsx", SEASON), tmp_path / "b")
    wrong = {
        "Short farm": {**SEASON["Short farm"], "Role": ["boss"]},
        "Short passes": {**SEASON["Short passes"], "Depth, in": ["", "deep", "6"], "Date": ["soon", "", ""]},
        "Short nutrients": {**SEASON["Short nutrients"], "Rate": ["9"], "Rate unit": ["widgets"]},
        "Short declarations": {**SEASON["Short declarations"], "Residue was burned": ["perhaps"]},
    }
    path = short(tmp_path / "second.xlsx", wrong)
    _, plan = book_of(path, tmp_path / "b")
    pages = {page.title: page for page in openpyxl.load_workbook(path)}
    assert all(one.place.row <= pages[one.place.sheet].max_row for one in plan.problems if one.place.sheet in pages)
    told = {(one.place.sheet, one.place.row, one.place.column[:1]) for one in plan.problems if one.place.column}
    for sheet, label, text, column in (
        ("Short passes", "Depth, in", "deep", "C"),
        ("Short passes", "Date", "soon", "B"),
        ("Short farm", "Role", "boss", "B"),
        ("Short nutrients", "Rate unit", "widgets", "B"),
        ("Short declarations", "Residue was burned", "perhaps", "B"),
    ):
        page = pages[sheet]
        row = next(cells[0].row for cells in page.iter_rows() if cells[0].value == label)
        assert page[f"{column}{row}"].value == text
        assert (sheet, row, column) in told, (sheet, label, sorted(told))


def test_what_is_not_answered_writes_no_answer_and_what_means_nothing_is_told(tmp_path: Path) -> None:
    answers = {**SEASON["Short declarations"], "Residue was burned": [""], "Cover crop was grazed": ["no", "Z9 = yes"]}
    asked = {
        **SEASON, "Short farm": {**SEASON["Short farm"], "Sources of N": [""]}, "Short declarations": answers,
        "Short passes": {**SEASON["Short passes"], "N40": ["", "", "", "x"]},
    }  # fmt: skip
    found, plan = book_of(short(tmp_path / "s.xlsx", asked), tmp_path / "b")
    assert rows_of(found, "budget_source") == []
    said = rows_of(found, "declaration")
    assert {(row["residue_burned"], row["cover_grazed"]) for row in said} == {(None, None)}, "Z9 may be any field"
    assert any("Z9" in problem.cause for problem in plan.problems if problem.code == "short_workbook")
    assert any("nothing above says" in problem.cause for problem in plan.problems), "marks without a pass above them"


def test_a_consultants_workbook_holds_many_farms_and_each_row_goes_to_its_own(tmp_path: Path) -> None:
    season = {
        **SEASON,
        "Short farm": {
            "Farm": ["F1", "F2"], "Farm name": ["Bluestem", "Switchgrass"], "County FIPS code": ["20177", "19169"],
            "State": ["KS", "IA"], "Producer": ["P1", "P2"], "Producer's name": ["Ann", "Bo"],
            "Sources of N": ["commercial_fertilizer", ""],
        },
        "Short fields": {"Farm": ["F1", "F2"], **SEASON["Short fields"]},
        "Short declarations": {**SEASON["Short declarations"], "Declared by": ["P1", "F2 = P2"]},
    }  # fmt: skip
    plan = plan_import([short(tmp_path / "many.xlsx", season)], ImportBook.in_folder(tmp_path / "book"), ACCEPTED)
    write_plan(plan)
    assert not [problem for problem in plan.problems if problem.weight is Weight.ERROR]
    book = load_book(tmp_path / "book")
    assert {(row["farm_id"], row["unit_id"], row["county_fips"]) for row in rows_of(book, "unit")} == {
        ("F1", "N40", "20177"), ("F2", "S80", "19169"),
    }  # fmt: skip
    assert {(row["farm_id"], row["producer_id"]) for row in rows_of(book, "declaration")} == {
        ("F1", "P1"),
        ("F2", "P2"),
    }
    assert {row["farm_id"] for row in rows_of(book, "operation") if row["unit_id"] == "S80"} == {"F2"}


def test_declarations_are_written_for_fields_and_crops_that_the_book_has_from_machines(tmp_path: Path) -> None:
    crops = {name: SEASON[name] for name in ("Short farm", "Short fields", "Short crops")}
    book_of(short(tmp_path / "a.xlsx", crops), tmp_path / "b")
    answers = {"Harvest year": ["2025"], "Residue was burned": ["no", "S80 = yes"]}
    found, _ = book_of(short(tmp_path / "b.xlsx", {"Short declarations": answers}), tmp_path / "b")
    said = {row["harvest_id"]: row["residue_burned"] for row in rows_of(found, "declaration")}
    assert said == {"N40-corn-2025": False, "S80-corn-2025": True}


@pytest.mark.parametrize(("rates", "entry"), [("60; 60", "corn"), ("60; 20", "nothing")])
def test_each_row_of_a_species_that_one_cell_names_twice_has_a_fate(tmp_path: Path, rates: str, entry: str) -> None:
    named = {label: list(texts) for label, texts in SEASON["Short cover crops"].items()}
    named["Species (a name; another)"][0], named["Pounds per acre (each)"][0] = (
        "Cereal Rye, Winter; Cereal Rye, Winter",
        rates,
    )
    season = {**SEASON, "Short cover crops": named}
    if entry == "nothing":  # the cover crop itself stays out, and its species with it
        del season["Short crops"]
    counts = plan_import([short(tmp_path / "s.xlsx", season)], ImportBook.in_folder(tmp_path / "b"), ACCEPTED).counts
    species = [one for one in counts if one.kind == "cover_species"]
    assert sum(one.rows for one in species) == 2
    for one in species:
        assert one.added + one.same + one.rejected == one.rows, one


def test_a_crop_cut_over_new_year_is_of_the_year_in_which_it_began(tmp_path: Path) -> None:
    late = {**SEASON["Short crops"], "First day of harvest": ["2024-10-02", "2024-10-05", "2025-12-29", "2025-10-22"],
            "Last day of harvest": ["2024-10-03", "2024-10-06", "2026-01-02", "2025-10-23"]}  # fmt: skip
    read, _ = book_of(short(tmp_path / "s.xlsx", {**SEASON, "Short crops": late}), tmp_path / "book")
    assert "N40-corn-2025" in [row["harvest_id"] for row in read["harvest"]]
    assert {"N40-corn-2025", "S80-corn-2025"} <= {row["harvest_id"] for row in read["declaration"]}
