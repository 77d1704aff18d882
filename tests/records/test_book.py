"""A book is read whole; of files of evidence each row finds its own by its hash, and no name leads out of a book."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provender.portfolio.export import held_files, stated_files
from provender.problem import Place, Problem, ProblemsError, Weight
from provender.records import folder as record_folder
from provender.records.book import EvidenceFiles, FolderFiles, HeldFiles, RecordBook, file_inside, kept_as
from provender.records.field import ColumnKind
from provender.records.kind import KINDS, IncompleteRow
from provender.records.kinds.farm import Unit
from provender.records.kinds.season import Operation
from provender.records.reading import CellError, TextTable, read_cell, read_csv_table, read_table
from provender.signing.canonical import sha256_hex
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

FARM = "farm_id,name,county_fips,county,state\nF1,Blue Stem,20177,Shawnee,KS\n"
UNIT = "unit_id,name,acres,county_fips,boundary,parcel_id\nN40,North,40.5,20177,,\n"


DRAWS = (settings.default.max_examples if settings.default else 40) // 5
COLUMNS = (
    "operation_id,unit_id,day,operation,equipment,depth_in,speed_mph,width_ft,surface_pct,treated_acres,"
    "full_width,primary_inversion"
)
OPERATION_HEAD = f"{COLUMNS}\n"
Mark = tuple[str | None, str | None]


def book_folder(tmp_path: Path, **files: str) -> Path:
    """Write CSV files of a small book."""
    tmp_path.mkdir(exist_ok=True)
    for name, text in {"farm": FARM, "unit": UNIT, **files}.items():
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    return tmp_path


def rejects(tmp_path: Path, *rows: str, kind: str = "operation") -> Path:
    """Write a small book beside which rejected rows lie."""
    (book_folder(tmp_path) / "rejected").mkdir(exist_ok=True)
    why = Problem(Place("ops.csv", row=4, column="depth_in"), "no number.", "Correct it.")
    for name, text in record_folder.write_rejected(
        record_folder.RejectedRow(
            kind,
            replace(why.place, column=""),
            tuple(zip_longest(COLUMNS.split(","), row.split(","), fillvalue="")),
            (why,),
        )
        for row in rows
    ).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def codes(book: RecordBook) -> list[str]:
    return [problem.code for problem in book.problems]


def marks(book: RecordBook) -> list[tuple[str, str | None, str | None]]:
    return [(row.kind, row.unit_id, str(row.day) if row.day else None) for row in book.incomplete_rows]


def test_a_book_reads_quantities_as_whole_thousandths_and_a_folder_without_a_farm_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError, match="provender template"):
        record_folder.load_book(tmp_path)
    book = record_folder.load_book(book_folder(tmp_path))
    assert book.problems == ()
    assert [(row.farm_id, row.unit_id, row.acres, row.source_row) for row in book.every(Unit)] == [
        ("F1", "N40", 40500, 2)
    ]


def test_a_saved_book_reads_back_the_same(tmp_path: Path) -> None:
    rows = OPERATION_HEAD + 'O1,N40,2026-05-01,"Plow, moldboard",JD,8.125,5,20,100,,,\n'
    book = record_folder.load_book(book_folder(tmp_path / "a", operation=rows))
    record_folder.save_book(book, tmp_path / "b")
    again = record_folder.load_book(tmp_path / "b")
    for kind in KINDS:
        typed = list(KINDS[kind].typed_fields)
        assert [[row[name] for name in typed] for row in again[kind]] == [
            [row[name] for name in typed] for row in book[kind]
        ], kind


@pytest.mark.parametrize("text", ["two\rlines", "two\r\nlines", "two\nlines", 'a "word"\r, and more'])
def test_a_line_break_of_any_kind_inside_a_text_keeps_its_row_whole(tmp_path: Path, text: str) -> None:
    rows = [["farm_id", "name"], ["F1", text], ["F2", "plain"]]
    (tmp_path / "farm.csv").write_text(record_folder.write_csv(rows), encoding="utf-8", newline="")
    read = read_csv_table(tmp_path / "farm.csv", "farm.csv")
    assert [cells for _, cells in read.rows] == [("F1", text), ("F2", "plain")]


@ROWS
def test_a_bad_row_and_a_rejected_one_leave_the_same_mark(tmp_path: Path, row: str, code: str, mark: Mark) -> None:
    book = record_folder.load_book(book_folder(tmp_path / "own", operation=f"{OPERATION_HEAD}{row}\n"))
    assert codes(book) == ([code] if code else [])
    assert all(problem.place.file == "operation.csv" and problem.remedy for problem in book.problems)
    assert marks(book) == ([("operation", *mark)] if code else [])
    for times in (1,) if code else (1, 2):
        book = record_folder.load_book(rejects(tmp_path / "rejected", *[row] * times))
        assert (codes(book), marks(book)) == (["rejected_rows"], [("operation", *mark)])
        assert "ops.csv, row 4: Depth of disturbance: no number" in book.problems[0].cause
        assert "provender rejects list" in book.problems[0].remedy


def test_rows_of_no_known_kind_mark_nothing_and_are_told(tmp_path: Path) -> None:
    book = record_folder.load_book(rejects(tmp_path, "O1,N40", kind=""))
    assert (codes(book), marks(book)) == (["stray_rows"], [])
    assert "--kind" in book.problems[0].remedy


def test_a_file_of_rejected_rows_without_rows_and_a_deleted_one_mark_nothing(tmp_path: Path) -> None:
    path = rejects(tmp_path, "O1,N40") / "rejected" / "operation.json"
    path.write_text("[]")
    assert record_folder.load_book(tmp_path).problems == ()
    path.unlink()
    assert record_folder.load_book(tmp_path).incomplete_rows == ()


def test_an_unknown_column_is_told_with_the_likely_name_and_a_missing_one_is_a_missing_answer(tmp_path: Path) -> None:
    unit = "unit_id,name,acers,county_fips,boundary,parcel_id\nN40,North,40.5,20177,,\n"
    book = record_folder.load_book(book_folder(tmp_path, unit=unit))
    assert [problem.code for problem in book.problems] == ["unknown_column"]
    assert "Did you mean acres?" in str(book.problems[0])
    assert IncompleteRow("unit", "F1") in book.incomplete_rows


@pytest.mark.parametrize("content", [
    b"", b"\xff\xfe\x00", b"{}", b"[1]", b"null",
    b'[{"kind": "operatoin", "place": {"file": "a"}, "cells": [], "problems": []}]',
], ids=str)  # fmt: skip
def test_rejected_rows_that_cannot_be_read_mark_their_kind(tmp_path: Path, content: bytes) -> None:
    (rejects(tmp_path, "O1,N40") / "rejected" / "operation.json").write_bytes(content)
    book = record_folder.load_book(tmp_path)
    assert (book.problems[0].code, marks(book)) == ("rejected_rows", [("operation", None, None)])


@pytest.mark.parametrize(("last", "reach"), [(False, {"N40"}), (True, {None})])
def test_a_short_last_row_marks_the_farm_as_cut_off(tmp_path: Path, reach: set[str | None], *, last: bool) -> None:
    whole = "O1,N40,2026-05-01,Disk,JD,4,5,20,100,,,\n"
    rows = whole + "O2,N40,20" if last else "O2,N40,2026-05-02,Di\n" + whole
    book = record_folder.load_book(book_folder(tmp_path, operation=OPERATION_HEAD + rows))
    assert "ragged_row" in codes(book)
    units = {row.unit_id for row in book.incomplete_rows}
    assert units >= reach
    assert (None in units) is last


@pytest.mark.parametrize(("day", "weight", "left"), [("02", Weight.ERROR, 2), ("01", Weight.CONFIRM, 0)])
def test_differing_rows_of_one_key_mark_both(tmp_path: Path, day: str, weight: Weight, left: int) -> None:
    rows = f"O1,N40,2026-05-01,Disk,JD,4,5,,,,,\nO1,N40,2026-05-{day},Disk,JD,4,5,,,,,\n"
    book = record_folder.load_book(book_folder(tmp_path, operation=OPERATION_HEAD + rows))
    assert [(problem.code, problem.weight) for problem in book.problems] == [("double_key", weight)]
    assert (len(book["operation"]), len(book.incomplete_rows)) == (1, left)


@pytest.mark.parametrize(("unknown", "told"), [(50, 50), (51, 51), (5000, 51)])
def test_of_thousands_of_unknown_columns_the_first_are_told_one_by_one(unknown: int, told: int, tmp_path: Path) -> None:
    unit = f"unit_id,acres,county_fips,{','.join(f'c{each}' for each in range(unknown))}\nN40,40.5,20177\n"
    found = [
        one.cause
        for one in record_folder.load_book(book_folder(tmp_path, unit=unit)).problems
        if one.code == "unknown_column"
    ]
    assert len(found) == told
    assert found[-1].startswith("There is no column 'c49'" if unknown == 50 else f"{unknown - 50} more columns have")
    assert f"'c{unknown - 1}'" in found[-1]


def test_a_table_lacks_columns_that_may_be_blank_and_no_needed_one(tmp_path: Path) -> None:
    rows = "operation_id,unit_id,day,operation\nO1,N40,2026-05-01,Disk\n"
    book = record_folder.load_book(book_folder(tmp_path, operation=rows))
    assert book.problems == ()
    assert book.incomplete_rows == ()
    assert book["operation"][0]["depth_in"] is None
    (tmp_path / "operation.csv").write_text("operation_id,unit_id,day\nO1,N40,2026-05-01\n", encoding="utf-8")
    book = record_folder.load_book(tmp_path)
    assert "missing_column" in {problem.code for problem in book.problems}
    assert IncompleteRow("operation", "F1") in book.incomplete_rows


@ROWS
def test_days_are_read_by_what_the_file_says_then_by_the_country_with_one_question(
    tmp_path: Path, days: tuple[str, ...], country: str, read: tuple[str | None, ...], asked: bool
) -> None:
    rows = "".join(f'O{at},N40,"{day}",Disk\n' for at, day in enumerate(days))
    folder = book_folder(tmp_path, operation=f"operation_id,unit_id,day,operation\n{rows}")
    (folder / "farm.csv").write_text(f"farm_id,name,country\nF1,Blue Stem,{country}\n", encoding="utf-8")
    book = record_folder.load_book(folder)
    assert [row.day and str(row.day) for row in book.every(Operation)] == list(read)
    assert [problem.code for problem in book.problems].count("day_order") == asked


@pytest.mark.parametrize(
    ("text", "thousandths"),
    [("0.172", 17200), (".1725", 17250), ("17.2", 17200), ("17.2%", 17200), ("17.2 pct", 17200), ("1", 1000), ("0", 0)],
)
def test_a_moisture_below_one_is_a_share_of_one_and_no_other_share_is(text: str, thousandths: int) -> None:
    assert read_cell(text, KINDS["harvest"].fields["moisture_pct"]) == thousandths
    assert read_cell("0.5", KINDS["operation"].fields["surface_pct"]) == 500


@pytest.mark.parametrize("content", [b"operation_id\n\xff\xfe\x00", b"", b"\xef\xbb\xbf", b"\n\n", b" ,,\r\n"])
def test_a_file_that_is_not_text_or_cut_to_nothing_marks_its_kind(tmp_path: Path, content: bytes) -> None:
    (book_folder(tmp_path) / "operation.csv").write_bytes(content)
    book = record_folder.load_book(tmp_path)
    assert (codes(book), len(book["unit"])) == (["unreadable_file"], 1)
    assert [row.kind for row in book.incomplete_rows] == ["operation"]


@pytest.mark.parametrize(("name", "told"), [("operation", []), ("oprations", ["unknown_file"])])
def test_a_file_of_names_alone_begins_a_book_if_it_is_a_kind(tmp_path: Path, name: str, told: list[str]) -> None:
    book = record_folder.load_book(book_folder(tmp_path, **{name: OPERATION_HEAD}))
    assert codes(book) == told
    assert book.incomplete_rows == ()


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=DRAWS)
@given(data=st.data())
def test_any_text_in_any_cell_is_read_or_refused_with_a_remedy(kind: str, data: st.DataObject) -> None:
    for field in KINDS[kind].typed_fields.values():
        text = data.draw(st.text(max_size=30) | st.sampled_from(["1e5", "NaN", "٣", "2026-02-30", "=1+1", "1,2", "-0"]))
        refusals: list[CellError] = []
        value = None
        try:
            value = read_cell(text, field)
        except CellError as wrong:
            refusals.append(wrong)
        assert all(refusal.remedy for refusal in refusals)
        if value is not None:
            assert read_cell(record_folder.write_cell(value, field), field) == value
        if field.kind is ColumnKind.QUANTITY and value is not None:
            assert isinstance(value, int)


@ROWS
def test_what_of_a_row_is_signed(kind: str, row: dict[str, object], signed: list[str]) -> None:
    assert record_folder.signed_row(row, {name: KINDS[kind].fields[name] for name in row}) == signed


EXAMPLES = Path(__file__).parents[2] / "examples"
TABLES = sorted(path for path in EXAMPLES.rglob("*.csv") if path.stem in KINDS)
UNITS = TextTable(
    "unit.csv", "Units", ("farm_id", "unit_id", "acres"), ((2, ("", "N40", "40.5")), (3, ("F2", "S8", "")))
)


@pytest.mark.parametrize("path", TABLES, ids=lambda path: str(path.relative_to(EXAMPLES)))
def test_a_row_that_is_cut_off_changes_nothing_of_the_others(path: Path) -> None:
    kind, table = KINDS[path.stem], read_csv_table(path, path.name)
    cut = (table.rows[-1][0] + 1, table.rows[-1][1][:1])
    by_row = read_table(kind, replace(table, rows=(*table.rows, cut)), farm_id="F1")
    whole = read_table(kind, table, farm_id="F1")
    assert by_row.rows[: len(whole.rows)] == whole.rows
    assert whole.problems == by_row.problems[: len(whole.problems)]
    assert {one.code for one in by_row.problems} >= {"ragged_row"}


def test_a_blank_farm_is_filled_in_and_places_are_kept() -> None:
    rows = read_table(KINDS["unit"], UNITS, farm_id="F1").rows
    names = ("farm_id", "unit_id", "acres", "name", "source_file", "source_sheet", "source_row")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("F1", "N40", 40500, None, "unit.csv", "Units", 2),
        ("F2", "S8", None, None, "unit.csv", "Units", 3),
    ]


@ROWS
def test_a_row_is_kept_unless_it_lacks_what_it_needs(cells: tuple[str, ...], code: str, units: list[str]) -> None:
    read = read_table(KINDS["unit"], replace(UNITS, rows=(*UNITS.rows, (4, cells))), farm_id="F1")
    assert [row["unit_id"] for row in read.rows] == units
    assert [row["acres"] for row in read.rows] == [40500, *[None] * (len(units) - 1)]
    assert [(one.code, one.place.row) for one in read.problems] == [(code, 4)]
    assert len(read.incomplete_rows) == 1


@pytest.mark.parametrize(("order", "day"), [("mdy", date(2026, 5, 4)), ("dmy", date(2026, 4, 5))])
def test_days_are_read_in_the_order_that_was_said(order: str, day: date) -> None:
    table = TextTable("operation.csv", "", ("operation_id", "unit_id", "day", "operation"),
                      ((2, ("O1", "N40", "5/4/2026", "Chisel")),))  # fmt: skip
    assert [row["day"] for row in read_table(KINDS["operation"], table, farm_id="F1", order=order).rows] == [day]


FARM_FILES, NAME = "F1", "IMG_0001.jpg"
FIRST, SECOND = b"the rye on N40", b"the oats on W35"
ONE, TWO = sha256_hex(FIRST), sha256_hex(SECOND)
LYING = {NAME: FIRST, kept_as(NAME, TWO): SECOND}


def in_folder(folder: Path) -> EvidenceFiles:
    for name, content in LYING.items():
        (folder / name).write_bytes(content)
    return FolderFiles(folder)


def left_out(folder: Path) -> EvidenceFiles:
    return FolderFiles(folder, {name: sha256_hex(content) for name, content in LYING.items()})


def held(_: Path) -> EvidenceFiles:
    return HeldFiles({(FARM_FILES, name): partial(bytes, content) for name, content in LYING.items()})


def stated(folder: Path) -> EvidenceFiles:
    (folder / "farm.csv").write_text(f"farm_id,name\n{FARM_FILES},A farm\n", "utf-8")
    rows = [f"{name},{NAME},photograph,{sha256}\n" for name, sha256 in (("A", ONE), ("B", TWO))]
    (folder / "evidence.csv").write_text("".join(["evidence_id,file,what,sha256\n", *rows]), "utf-8")
    book = record_folder.load_book(folder, in_folder(folder))
    return stated_files([held_files(book)])


WAYS = (in_folder, left_out, held, stated)
ways = pytest.mark.parametrize("way", WAYS)


@ways
def test_each_row_finds_the_file_of_its_hash(way: Callable[[Path], EvidenceFiles], tmp_path: Path) -> None:
    files = way(tmp_path)
    assert files.hash_of(FARM_FILES, NAME, ONE) == ONE
    assert files.hash_of(FARM_FILES, NAME, TWO) == TWO
    assert files.hash_of(FARM_FILES, NAME, f" {TWO.upper()} ") == TWO
    assert files.hash_of(FARM_FILES, NAME) == ONE


@ways
def test_a_file_that_was_changed_stays_changed(way: Callable[[Path], EvidenceFiles], tmp_path: Path) -> None:
    assert way(tmp_path).hash_of(FARM_FILES, NAME, sha256_hex(b"what was there before")) == ONE
    assert way(tmp_path).hash_of(FARM_FILES, "other.jpg", TWO) == ""


@pytest.mark.parametrize("way", [in_folder, held])
def test_the_content_is_that_of_the_hash(way: Callable[[Path], EvidenceFiles], tmp_path: Path) -> None:
    files = way(tmp_path)
    assert (files.content_of(FARM_FILES, NAME, ONE), files.content_of(FARM_FILES, NAME, TWO)) == (FIRST, SECOND)
    assert files.content_of(FARM_FILES, NAME) == FIRST


def test_what_is_inside_is_found_and_what_lies_under_anothers_hash_counts_for_nothing(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(FIRST)
    (tmp_path / kept_as(NAME, TWO)).write_bytes(b"forged")
    assert FolderFiles(tmp_path).hash_of(FARM_FILES, NAME, TWO) == ONE
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.txt").write_text("a")
    assert file_inside(tmp_path, "sub/../sub/a.txt") == (tmp_path / "sub" / "a.txt").resolve()


@pytest.mark.parametrize("name", ["../IMG_0001.jpg", "a/b/IMG_0001.jpg", "a\\IMG_0001.jpg", "IMG_0001.jpg"])
def test_a_name_beside_others_leads_into_no_other_folder(name: str) -> None:
    assert kept_as(name, TWO) == f"IMG_0001-{TWO[:12]}.jpg"


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../out.txt", "/etc/hostname", "a\0b", "x" * 300, "x/" * 3000, "sub", "no"]
)
def test_no_name_leads_out_of_a_folder_or_breaks(name: str, tmp_path: Path) -> None:
    (tmp_path / "in" / "sub").mkdir(parents=True)
    (tmp_path / "out.txt").write_text("secret")
    assert file_inside(tmp_path / "in", name) is None
    files = FolderFiles(tmp_path / "in")
    assert (files.hash_of("F1", name), files.content_of("F1", name)) == ("", b"")


@pytest.mark.parametrize("row", ["O{},N40,2025-04-99,disk", "O{},N40,2025-04-01,disk,more", ",N40,2025-04-01,disk"])
def test_a_file_of_too_many_bad_rows_is_told_once_and_none_of_its_rows_counts(tmp_path: Path, row: str) -> None:
    def book_of(bad: int) -> RecordBook:
        rows = "".join(f"{row.format(number)}\n" for number in range(bad))
        return record_folder.load_book(
            book_folder(tmp_path, operation=f"operation_id,unit_id,day,operation\n{GOOD}{rows}")
        )

    told = book_of(record_folder.MOST_DAMAGED)
    assert len(told["operation"]) >= 1
    assert len(told.incomplete_rows) == record_folder.MOST_DAMAGED
    beyond = book_of(record_folder.MOST_DAMAGED + 1)
    assert beyond["operation"] == []
    assert beyond.incomplete_rows == (IncompleteRow("operation", "F1"),)
    (one,) = [each for each in beyond.problems if each.place.file == "operation.csv"]
    assert "more than 5,000 of its rows cannot be read" in one.cause


GOOD = "O,N40,2025-04-01,disk\n"
