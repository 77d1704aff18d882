"""A book reads back what it wrote, tells every problem at once, and loses no row without a word."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.problem import ProblemsError, Weight
from provender.records import KINDS
from provender.records.cells import CellError, read_cell
from provender.records.field import ColumnKind
from provender.records.folder import load_book, save_book, signed_row, write_cell, write_csv
from provender.records.incomplete_row import IncompleteRow
from provender.records.table import read_csv_table

FARM = "farm_id,name,county_fips,county,state\nF1,Blue Stem,20177,Shawnee,KS\n"
UNIT = "unit_id,name,acres,county_fips,boundary,parcel_id\nN40,North,40.5,20177,,\n"
OPERATION_HEAD = (
    "operation_id,unit_id,day,operation,equipment,depth_in,speed_mph,width_ft,surface_pct,treated_acres,"
    "full_width,primary_inversion\n"
)


def book_folder(tmp_path: Path, **files: str) -> Path:
    """Write CSV files of a small book."""
    for name, text in {"farm": FARM, "unit": UNIT, **files}.items():
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    return tmp_path


def test_a_book_reads_quantities_as_whole_thousandths(tmp_path: Path) -> None:
    book = load_book(book_folder(tmp_path))
    assert book.problems == ()
    assert book["unit"].select("farm_id", "unit_id", "acres", "source_row").rows() == [("F1", "N40", 40500, 2)]


def test_a_saved_book_reads_back_the_same(tmp_path: Path) -> None:
    rows = OPERATION_HEAD + 'O1,N40,2026-05-01,"Plow, moldboard",JD,8.125,5,20,100,,,\n'
    (tmp_path / "a").mkdir()
    book = load_book(book_folder(tmp_path / "a", operation=rows))
    save_book(book, tmp_path / "b")
    again = load_book(tmp_path / "b")
    for kind in KINDS:
        typed = list(KINDS[kind].typed_fields)
        assert again[kind].select(typed).equals(book[kind].select(typed)), kind


@pytest.mark.parametrize("text", ["two\rlines", "two\r\nlines", "two\nlines", 'a "word"\r, and more'])
def test_a_line_break_of_any_kind_inside_a_text_keeps_its_row_whole(tmp_path: Path, text: str) -> None:
    rows = [["farm_id", "name"], ["F1", text], ["F2", "plain"]]
    (tmp_path / "farm.csv").write_text(write_csv(rows), encoding="utf-8", newline="")
    read = read_csv_table(tmp_path / "farm.csv", "farm.csv")
    assert [cells for _, cells in read.rows] == [("F1", text), ("F2", "plain")]


@pytest.mark.parametrize(
    ("row", "code", "incomplete_row"),
    [
        ("O1,N40,2026-05-01,Disk,JD,4x,5,20,100,,,", "unreadable_quantity", ("N40", "2026-05-01")),
        ("O1,N40,someday,Disk,JD,4,5,20,100,,,", "unreadable_day", (None, None)),
        ("O1,N4O,2026-05-01,Disk,JD,4,5,20,100,,,", "unknown_reference", (None, None)),
        ("O1,,2026-05-01,Disk,JD,4,5,20,100,,,", "blank_required", (None, None)),
        ("O1,N40,2026-05-01,,JD,4,5,20,100,,,", "blank_required", ("N40", "2026-05-01")),
        ("O1,N40,2026-05-01,Disk,JD,60.001,5,20,100,,,", "out_of_bounds", ("N40", "2026-05-01")),
        ("O1,N40,2026-05-01,Disk,JD,4.0001,5,20,100,,,", "unreadable_quantity", ("N40", "2026-05-01")),
        ("O1,N40,2026-05-01,Disk,JD,4,5,20,100,,maybe,", "unreadable_yes_no", ("N40", "2026-05-01")),
        ("O1,N40,2026-05-01,Disk,JD,4,5,20,100,,,,,,,7", "ragged_row", ("N40", "2026-05-01")),
    ],
)
def test_a_bad_row_is_told_and_leaves_its_mark(
    tmp_path: Path, row: str, code: str, incomplete_row: tuple[str | None, str | None]
) -> None:
    book = load_book(book_folder(tmp_path, operation=OPERATION_HEAD + row + "\n"))
    assert [problem.code for problem in book.problems] == [code]
    assert all(problem.place.file == "operation.csv" and problem.remedy for problem in book.problems)
    marks = book.incomplete_rows.select("kind", "unit_id", "day").rows()
    assert [(kind, unit, day and str(day)) for kind, unit, day in marks] == [("operation", *incomplete_row)]


def test_a_short_row_is_told_and_at_the_end_it_marks_the_farm_since_rows_may_be_cut_off(tmp_path: Path) -> None:
    whole = "O1,N40,2026-05-01,Disk,JD,4,5,20,100,,,\n"
    for name, rows, reach in (("a", "O2,N40,2026-05-02,Di\n" + whole, {"N40"}), ("b", whole + "O2,N40,20", {None})):
        (tmp_path / name).mkdir()
        book = load_book(book_folder(tmp_path / name, operation=OPERATION_HEAD + rows))
        assert "ragged_row" in {problem.code for problem in book.problems}
        assert set(book.incomplete_rows["unit_id"].to_list()) >= reach
        assert (None in book.incomplete_rows["unit_id"].to_list()) == (name == "b")


def test_two_rows_of_one_key_that_differ_are_an_error_and_incomplete_row_both(tmp_path: Path) -> None:
    rows = OPERATION_HEAD + "O1,N40,2026-05-01,Disk,JD,4,5,,,,,\nO1,N40,2026-05-02,Disk,JD,4,5,,,,,\n"
    book = load_book(book_folder(tmp_path, operation=rows))
    assert [problem.code for problem in book.problems] == ["double_key"]
    assert book["operation"].height == 1
    assert book.incomplete_rows.height == 2


def test_two_rows_that_say_the_same_need_only_a_confirmation(tmp_path: Path) -> None:
    row = "O1,N40,2026-05-01,Disk,JD,4,5,,,,,\n"
    book = load_book(book_folder(tmp_path, operation=OPERATION_HEAD + row + row))
    assert [problem.weight for problem in book.problems] == [Weight.CONFIRM]
    assert book.incomplete_rows.is_empty()


def test_an_unknown_column_is_told_with_the_likely_name_and_a_missing_one_is_a_missing_answer(tmp_path: Path) -> None:
    unit = "unit_id,name,acers,county_fips,boundary,parcel_id\nN40,North,40.5,20177,,\n"
    book = load_book(book_folder(tmp_path, unit=unit))
    assert [problem.code for problem in book.problems] == ["unknown_column"]
    assert "Did you mean acres?" in str(book.problems[0])
    assert IncompleteRow("unit", "F1") in [IncompleteRow(*row) for row in book.incomplete_rows.rows()]


@pytest.mark.parametrize(("unknown", "told"), [(50, 50), (51, 51), (5000, 51)])
def test_of_thousands_of_unknown_columns_the_first_are_told_one_by_one(unknown: int, told: int, tmp_path: Path) -> None:
    unit = f"unit_id,acres,county_fips,{','.join(f'c{each}' for each in range(unknown))}\nN40,40.5,20177\n"
    found = [one.cause for one in load_book(book_folder(tmp_path, unit=unit)).problems if one.code == "unknown_column"]
    assert len(found) == told
    assert found[-1].startswith("There is no column 'c49'" if unknown == 50 else f"{unknown - 50} more columns have")
    assert f"'c{unknown - 1}'" in found[-1]


def test_a_table_without_the_columns_that_may_be_blank_is_read_and_one_without_a_needed_one_is_told(
    tmp_path: Path,
) -> None:
    rows = "operation_id,unit_id,day,operation\nO1,N40,2026-05-01,Disk\n"
    book = load_book(book_folder(tmp_path, operation=rows))
    assert book.problems == ()
    assert book.incomplete_rows.is_empty()
    assert book["operation"].row(0, named=True)["depth_in"] is None
    (tmp_path / "operation.csv").write_text("operation_id,unit_id,day\nO1,N40,2026-05-01\n", encoding="utf-8")
    assert "missing_column" in {problem.code for problem in load_book(tmp_path).problems}


@pytest.mark.parametrize(
    ("days", "country", "read", "asked"),
    [
        (("5/14/2026", "5/4/2026"), "", ("2026-05-14", "2026-05-04"), False),
        (("14/5/2026", "5/4/2026"), "", ("2026-05-14", "2026-04-05"), False),
        (("5/4/2026", "6/5/2026"), "", ("2026-05-04", "2026-06-05"), True),
        (("5/4/2026", "6/5/2026"), "DE", ("2026-04-05", "2026-05-06"), True),
        (("46156", "May 3, 2026"), "", ("2026-05-14", "2026-05-03"), False),
        (("5/5/2026", "2026-05-14 07:30"), "", ("2026-05-05", "2026-05-14"), False),
        (("5/14/2026", "14/5/2026", "5/4/2026"), "", ("2026-05-14", "2026-05-14", None), False),
    ],
)
def test_days_are_read_by_what_the_file_says_then_by_the_country_with_one_question(
    tmp_path: Path, days: tuple[str, ...], country: str, read: tuple[str | None, ...], asked: bool
) -> None:
    rows = "".join(f'O{at},N40,"{day}",Disk\n' for at, day in enumerate(days))
    folder = book_folder(tmp_path, operation=f"operation_id,unit_id,day,operation\n{rows}")
    (folder / "farm.csv").write_text(f"farm_id,name,country\nF1,Blue Stem,{country}\n", encoding="utf-8")
    book = load_book(folder)
    assert [day and str(day) for day in book["operation"]["day"]] == list(read)
    assert [problem.code for problem in book.problems].count("day_order") == asked


@pytest.mark.parametrize(
    ("text", "thousandths"),
    [("0.172", 17200), (".1725", 17250), ("17.2", 17200), ("17.2%", 17200), ("17.2 pct", 17200), ("1", 1000), ("0", 0)],
)
def test_a_moisture_below_one_is_a_share_of_one(text: str, thousandths: int) -> None:
    assert read_cell(text, KINDS["harvest"].fields["moisture_pct"]) == thousandths


def test_a_share_of_the_surface_below_one_percent_stays_what_it_says() -> None:
    assert read_cell("0.5", KINDS["operation"].fields["surface_pct"]) == 500


def test_a_file_that_is_not_text_incomplete_rows_its_kind_and_the_rest_is_read(tmp_path: Path) -> None:
    folder = book_folder(tmp_path)
    (folder / "operation.csv").write_bytes(b"operation_id\n\xff\xfe\x00")
    book = load_book(folder)
    assert [problem.code for problem in book.problems] == ["unreadable_file"]
    assert book["unit"].height == 1
    assert book.incomplete_rows["kind"].to_list() == ["operation"]


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b"\n\n", b" ,,\r\n"])
def test_a_file_cut_to_nothing_is_told_and_incomplete_rows_its_kind(tmp_path: Path, content: bytes) -> None:
    folder = book_folder(tmp_path)
    (folder / "operation.csv").write_bytes(content)
    book = load_book(folder)
    assert [problem.code for problem in book.problems] == ["unreadable_file"]
    assert book.incomplete_rows["kind"].to_list() == ["operation"]


def test_a_file_of_column_names_alone_is_a_book_that_begins(tmp_path: Path) -> None:
    folder = book_folder(tmp_path, operation=OPERATION_HEAD)
    book = load_book(folder)
    assert book.problems == ()
    assert book.incomplete_rows.is_empty()


def test_a_folder_without_a_farm_is_refused_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError, match="provender template"):
        load_book(tmp_path)


def test_a_file_that_no_kind_reads_is_not_passed_over_in_silence(tmp_path: Path) -> None:
    book = load_book(book_folder(tmp_path, oprations="x\n"))
    assert [problem.code for problem in book.problems] == ["unknown_file"]


@pytest.mark.parametrize("kind", KINDS)
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
            assert read_cell(write_cell(value, field), field) == value
        if field.kind is ColumnKind.QUANTITY and value is not None:
            assert isinstance(value, int)


def test_a_column_that_is_younger_than_signed_documents_changes_what_is_signed_only_where_it_is_filled() -> None:
    fields = {name: KINDS["operation"].fields[name] for name in ("operation_id", "as_typed", "equipment")}
    row = {"operation_id": "O1", "as_typed": None, "equipment": "JD"}
    assert signed_row(row, fields) == ["O1", "JD"]
    assert signed_row(row | {"as_typed": "disk"}, fields) == ["O1", "JD", "as_typed=disk"]


def test_what_a_farm_ticks_is_not_among_what_is_signed() -> None:
    fields = {name: KINDS["harvest"].fields[name] for name in ("harvest_id", "claims")}
    assert signed_row({"harvest_id": "H1", "claims": "no_till"}, fields) == ["H1"]
