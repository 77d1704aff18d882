"""Workbooks and delimited text are read as what was typed; numbers, days and units are never guessed."""

import contextlib
import datetime as dt
import io
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from provender.catalog.places import zones_of
from provender.days import ANYWHERE, UNITED_STATES, DayTextError, orders_of, read_day
from provender.exact import parse, show
from provender.formats import spreadsheet, units
from provender.formats.child import parse_limited
from provender.formats.detect import read_kind, sniff
from provender.formats.parsed import Parsed, Problems, WorkbookFile, letters
from provender.formats.units import KINDS_OF_UNIT, UnitError, canonical, convert, method_of, number_out, read_number
from provender.problem import Place, ProblemsError, Weight
from provender.records.kinds.nutrients import METHODS
from tests.formats.workbooks import Write, codes, raw_xlsx, xlsx, zipped
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)


def read(path: Path) -> Parsed[WorkbookFile]:
    return spreadsheet.read_spreadsheet(path, path.name)


def cells(parsed: Parsed[WorkbookFile]) -> list[tuple[str, ...]]:
    assert parsed.result is not None
    return [line.cells for line in parsed.result.sheets[0].lines]


@given(st.integers(-(10**12), 10**12))
def test_a_number_typed_with_three_decimals_comes_back_as_typed(thousandths: int) -> None:
    assert parse(spreadsheet.number_text(float(show(thousandths)))) == thousandths


SHOWN: Final = [
    (5.0, "5"), (2.5000000001, "2.5000000001"), (0.1 + 0.2, "0.3"), (-0.0, "0"), (1e-7, "0.0000001"),
    (1e20, "1" + "0" * 20),
]  # fmt: skip
# Cells have no zone.
OF_OTHER_TYPES: Final[list[tuple[Any, str]]] = [
    (dt.datetime(2026, 3, 4), "2026-03-04"), (dt.datetime(2026, 3, 4, 14, 5), "2026-03-04T14:05:00"),  # noqa: DTZ001
    (dt.date(2026, 3, 4), "2026-03-04"), (dt.time(5, 6), "05:06:00"), (dt.timedelta(hours=26, minutes=5), "26:05:00"),
    (True, "TRUE"), ("007", "007"),
]  # fmt: skip


def test_a_cell_becomes_the_text_of_the_screen_and_a_number_goes_by_its_decimal_sign() -> None:
    assert [(value, spreadsheet.number_text(value)) for value, _ in SHOWN] == SHOWN
    assert [(value, spreadsheet.cell_text(value)) for value, _ in OF_OTHER_TYPES] == OF_OTHER_TYPES
    lettered = {0: "A", 25: "Z", 26: "AA", 701: "ZZ", 702: "AAA", 16383: "XFD"}
    assert {index: letters(index) for index in lettered} == lettered
    assert {said: read_number(*said) for said in NUMBERS} == {said: Fraction(text) for said, text in NUMBERS.items()}
    for cause, texts in NO_NUMBERS.items():
        for text in texts:
            with pytest.raises(DayTextError, match=cause):
                read_number(text)


def test_percents_formulas_errors_merged_cells_and_hidden_sheets_are_read_and_told(write: Write) -> None:
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer)
    sheet = book.add_worksheet()
    sheet.write(0, 0, 0.155, book.add_format({"num_format": "0.0%"}))
    sheet.write(0, 1, 0.155)
    book.close()
    assert cells(read(write("a.xlsx", buffer.getvalue()))) == [("15.5%", "0.155")]
    parsed = read(write("traps.xlsx", workbook_with_traps()))
    assert codes(parsed) == ["error_cell", "formula_cell", "merged_cells", "hidden_sheet"]
    assert cells(parsed) == [("#DIV/0!", ""), ("", "42"), ("merged", "")]
    assert parsed.result is not None
    assert [sheet.name for sheet in parsed.result.sheets] == ["Traps", "Hidden"]
    assert str(parsed.problems[1].place) == "traps.xlsx, sheet Traps, row 2, column B"


def workbook_with_traps() -> bytes:
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer)
    sheet = book.add_worksheet("Traps")
    sheet.write_formula(0, 0, "=1/0", None, "#DIV/0!")
    sheet.write_formula(1, 1, "=40+2", None, 42)
    sheet.merge_range(2, 0, 3, 1, "merged")
    hidden = book.add_worksheet("Hidden")
    hidden.write(0, 0, "here too")
    hidden.hide()
    book.close()
    return buffer.getvalue()


def test_the_content_decides_and_not_the_name_and_a_lock_file_is_passed_over(write: Write) -> None:
    parsed = read(write("a.xlsx", xlsx([["a"], [], [], ["b"]])))
    assert parsed.result is not None
    assert [line.number for line in parsed.result.sheets[0].lines] == [1, 4]
    assert cells(read(write("really.csv", xlsx([["a", 1.5]])))) == [("a", "1.5")]
    assert cells(read(write("really.xlsx", "a,1.5\n"))) == [("a", "1.5")]
    assert codes(read(write("a.xlsx", xlsx([])))) == ["no_rows"]
    assert codes(read(write("a.csv", b"%PDF-1.4"))) == ["pdf"]
    path = write("~$log.xlsx", b"\x05Ada" + bytes(160))
    (told,) = read_kind(path, path.name).problems
    assert (told.code, told.weight) == ("left_over", Weight.NOTE)
    assert codes(read(path)) == ["left_over"]


def test_a_sheet_of_a_billion_cells_a_zip_bomb_and_a_truncated_xls_are_refused(write: Write) -> None:
    far = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    data = raw_xlsx(far)
    assert len(data) < 2500
    parsed = parse_limited("spreadsheet", write("bomb.xlsx", data))
    assert [problem.code for problem in parsed.problems] == ["too_many_cells"]
    assert "row 1048576 and column XFD" in parsed.problems[0].cause
    data = zipped({"xl/workbook.xml": b"<workbook/>", "xl/worksheets/sheet1.xml": b" " * 40_000_000})
    assert codes(read(write("bomb.xlsx", data))) == ["bad_archive"]
    parsed = parse_limited("spreadsheet", write("cut.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(3000)))
    assert parsed.result is None
    assert parsed.problems


def wide(columns: int, blank: int = 0) -> list[list[Any]]:
    return [["x"] * columns + [""] * blank, ["1"]]


@pytest.mark.parametrize(("columns", "blank", "told"), [(500, 0, []), (500, 9000, []), (501, 0, ["too_wide"])])
def test_what_has_more_columns_than_a_table_of_records_is_none(
    write: Write, columns: int, blank: int, told: list[str]
) -> None:
    text = "\n".join(map(",".join, wide(columns, blank)))
    for name, data in (("a.csv", text), ("a.xlsx", xlsx(wide(columns, blank)))):
        parsed = read(write(name, data))
        assert (name, codes(parsed)) == (name, told)
        if told:
            assert (parsed.result, parsed.problems[0].place.row) == (None, 1)
        else:
            assert len(cells(parsed)[0]) == 500


def test_what_has_more_rows_than_is_read_is_refused_by_their_number(write: Write) -> None:
    for count, told in ((spreadsheet.MOST_RECORDS, []), (spreadsheet.MOST_RECORDS + 1, ["too_many_rows"])):
        parsed = read(write("a.csv", "\n" + "a,b\n" * count))
        assert codes(parsed) == told
        assert not told or "50,000 rows" in parsed.problems[0].cause
    for count, told in ((40, []), (41, ["too_many_cells"])):
        assert codes(read(write("a.csv", ("1," * (count - 1) + "1\n") * spreadsheet.MOST_RECORDS))) == told
    rows = "".join(f'<row r="{at}"><c r="A{at}"><v>1</v></c></row>' for at in range(1, spreadsheet.MOST_RECORDS + 2))
    assert codes(read(write("a.xlsx", raw_xlsx(rows)))) == ["too_many_rows"]


ENTITIES = '<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>'


def test_entities_paths_that_point_outside_and_what_is_cut_off_are_refused(write: Write) -> None:
    row = '<row r="1"><c r="A1" t="inlineStr"><is><t>&b;&x;</t></is></c></row>'
    outside = ("../../etc/cron.d/x", "/etc/passwd", "C:\\x.xml", "a\\..\\..\\x")
    evil = [(raw_xlsx(row, ENTITIES), "xml_entities"), (raw_xlsx("<row/>", "<!DOCTYPE w>"), "xml_entities")]
    evil += [(zipped({"xl/workbook.xml": "<a/>", name: "x"}), "bad_archive") for name in outside]
    evil += [(xlsx([["a", "b"], [1, 2]])[:cut], "bad_archive") for cut in (4, 100, 1500, -30)]
    for data, code in evil:
        parsed = read(write("evil.xlsx", data))
        assert (parsed.result, codes(parsed)) == (None, [code]), data
        assert parsed.problems[0].remedy


ODS_CONTENT = """<?xml version="1.0"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2"><office:body><office:spreadsheet><table:table table:name="S"><table:table-row{repeat}><table:table-cell office:value-type="float" office:value="42" table:formula="of:=40+2"><text:p>42</text:p></table:table-cell><table:table-cell office:value-type="percentage" office:value="0.155"><text:p>15.5%</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"""  # noqa: E501 - one line as programs write it
ODS_TYPE = "application/vnd.oasis.opendocument.spreadsheet"


def ods(repeat: str = "") -> bytes:
    manifest = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    return zipped(
        {"mimetype": ODS_TYPE, "content.xml": ODS_CONTENT.format(repeat=repeat), "META-INF/manifest.xml": manifest}
    )


def test_an_ods_file_tells_formulas_and_percents_and_endless_rows_are_refused(write: Write) -> None:
    parsed = read(write("a.ods", ods()))
    assert cells(parsed) == [("42", "15.5%")]
    assert codes(parsed) == ["formula_cell"]
    parsed = read(write("a.ods", ods(' table:number-rows-repeated="10000000"')))
    assert codes(parsed) == ["too_many_cells"]


PAGE: Final = (
    "<html><body><table><tr><td>menu</td></tr></table><table border=1><tr><th>Ticket No<th>Net Bu</tr>"
    "<tr><td>0001001</td><td>1,000&nbsp;</td></tr><tr><td colspan=2>Total<br>due</tr></table></body></html>"
)
EXCEL_XML: Final = """<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"
 xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Styles><Style ss:ID="p"><NumberFormat ss:Format="0.0%"/>
 </Style></Styles><Worksheet ss:Name="T"><Table><Row><Cell><Data ss:Type="String">Ticket No</Data></Cell></Row>
<Row ss:Index="4"><Cell><Data ss:Type="Number">1001.50</Data></Cell><Cell ss:Index="3" ss:StyleID="p"><Data
 ss:Type="Number">0.155</Data></Cell><Cell ss:Formula="=1"><Data ss:Type="DateTime">2026-01-16T00:00:00.000</Data>
</Cell></Row></Table></Worksheet></Workbook>"""
WORKBOOK_OF_TRAPS: Final = (
    '<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:s="urn:schemas-microsoft-com:office:'
    'spreadsheet"><Worksheet><Table><Row s:Span="3"><Cell s:MergeAcross="1"><Data s:Type="Boolean">1</Data></Cell>'
    '<Cell s:Formula="=A1"/></Row><Row><Cell s:MergeDown="1"><Data s:Type="Boolean">true</Data></Cell><Cell><Data'
    ' s:Type="Boolean">0</Data></Cell></Row></Table></Worksheet></Workbook>'
)
ARCHIVE: Final = (
    "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n"
    f"{PAGE}\r\n--b--\r\n"
)
ROWS_OF_PAGE: Final[list[tuple[str, ...]]] = [("Ticket No", "Net Bu"), ("0001001", "1,000"), ("Total due", "")]


SHEET_OF_2003: Final[list[tuple[str, ...]]] = [("Ticket No",), ("1001.5", "", "15.5%", "2026-01-16")]
LOCKED: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(900) + "EncryptedPackage".encode("utf-16-le")
LOCKED_ODS: Final = zipped({"content.xml": b"?", "META-INF/manifest.xml": b"<manifest:encryption-data/>"})
CALLED_WORKBOOKS: Final[dict[str, tuple[str | bytes, list[tuple[str, ...]] | None, list[str]]]] = {
    "page": (PAGE, ROWS_OF_PAGE, ["merged_cells", "table_passed_over"]),
    "page in UTF-16": (PAGE.encode("utf-16"), ROWS_OF_PAGE, ["merged_cells", "table_passed_over"]),
    "web archive": (ARCHIVE, ROWS_OF_PAGE, ["merged_cells", "table_passed_over"]),
    "XML of 2003": (EXCEL_XML, SHEET_OF_2003, ["formula_cell"]),
    "entities": (EXCEL_XML.replace("<Workbook", "<!DOCTYPE w><Workbook"), None, ["xml_entities"]),
    "cut off": (EXCEL_XML[:-20], None, ["bad_workbook"]),
    "a place taken twice": (EXCEL_XML.replace('Index="3"', 'Index="1"'), None, ["bad_workbook"]),
    "traps": (WORKBOOK_OF_TRAPS, [("TRUE", "", "#RESULT?"), ("TRUE", "FALSE")], ["formula_cell", "merged_cells"]),
    "row in a comment": (
        EXCEL_XML.replace("<Row>", "<!--<Row>--><Row>"),
        SHEET_OF_2003,
        ["formula_cell", "rows_in_comment"],
    ),
    "far cell": (EXCEL_XML.replace('"3"', '"99999999"'), None, ["bad_workbook"]),
    "spans": ("<table>" + ("<tr><td colspan=999 rowspan=999>1" + "<tr>" * 998) * 3, None, ["too_many_cells"]),
    "log in": ("<html><body>Log in</body></html>", None, ["no_table"]),
    "password": (LOCKED, None, ["locked"]),
    "Numbers": (zipped({"Index/Document.iwa": b"x"}), None, ["numbers"]),
    "password of ODS": (LOCKED_ODS, None, ["locked"]),
}


@pytest.mark.parametrize("case", CALLED_WORKBOOKS)
def test_what_is_named_a_workbook_is_read_by_what_it_is_or_named(write: Write, case: str) -> None:
    content, found, told = CALLED_WORKBOOKS[case]
    path = write("log.xls", content)
    parsed = read(path)
    assert (None if parsed.result is None else cells(parsed), codes(parsed)) == (found, told)
    assert found is None or sniff(path, "log.xls").reader == "spreadsheet"


HEAD_OF_PAGE: Final = "<html><table><tr><th>Field<th>Day<th>Rate</tr>"
END_OF_PAGE: Final = "<tr><td>S40<td>5/2/2026<td>50</tr></table></html>"
# What stands between two sound rows; what is read there, and what is told.
DAMAGED_PAGES: Final = ROWS.table("DAMAGED_PAGES")


@pytest.mark.parametrize("case", DAMAGED_PAGES)
def test_no_damage_to_a_page_moves_or_loses_a_cell_in_silence(write: Write, case: str) -> None:
    between, lines, told = DAMAGED_PAGES[case]
    parsed = read(write("log.xls", HEAD_OF_PAGE + between + END_OF_PAGE))
    assert codes(parsed) == told
    if lines and "page_cut" not in told:
        assert ["|".join(row) for row in cells(parsed)] == ["Field|Day|Rate", *lines, "S40|5/2/2026|50"]
    errors = {*told} & {"page_cut", "damaged_page"} or case == "rows that are tables"
    assert any(one.weight is Weight.ERROR for one in parsed.problems) == bool(errors)


@ROWS
def test_a_page_whose_only_table_is_poor_or_unfinished_is_not_empty(
    write: Write, page: str, lines: list[str], told: list[str]
) -> None:
    parsed = read(write("log.xls", page))
    assert codes(parsed) == told
    assert ["|".join(row) for row in (cells(parsed) if parsed.result else [])] == lines


def rows(data: bytes | str, delimiter: str = "") -> tuple[list[tuple[str, ...]], list[str]]:
    sheet, problems = spreadsheet.read_delimited(
        data.encode() if isinstance(data, str) else data, "a.csv", delimiter=delimiter
    )
    return [line.cells for line in sheet.lines] if sheet else [], [problem.code for problem in problems]


def test_text_reads_alike_in_every_unicode_encoding_and_its_separator_is_found() -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"):
        found = rows("field,crop\nMüller,maïs\n".encode(encoding))
        assert found == ([("field", "crop"), ("Müller", "maïs")], []), encoding
    assert spreadsheet.decode_text("ü".encode("cp850"), Problems(Place("a")), "cp850") == "ü"
    for data, encoding in (("ü".encode("cp1252"), "utf-8"), (b"a", "no-such-encoding")):
        with pytest.raises(ProblemsError):
            spreadsheet.decode_text(data, Problems(Place("a")), encoding)
    table = (["field", "acres", "note"], ["N40", "80", "a b"], ["S40", "79", "c"])
    for delimiter in ",;\t|":
        assert spreadsheet.guess_delimiter("\n".join(map(delimiter.join, table))) == delimiter


@pytest.mark.parametrize(("data", "cells", "problem"), [
    ("field,crop\nN40,corn\nMüller,maïs\n".encode("cp1252"), ("Müller", "maïs"), ("guessed_encoding", 3)),
    (b"a,b\n1,2\n3,4\x00\n", ("3", "4"), ("zero_bytes", 3)),
])  # fmt: skip
def test_doubtful_text_is_read_and_told_by_row(data: bytes, cells: tuple[str, ...], problem: tuple[str, int]) -> None:
    sheet, problems = spreadsheet.read_delimited(data, "a.csv")
    assert sheet is not None
    assert sheet.lines[2].cells == cells
    assert [(one.code, one.place.row) for one in problems] == [problem]
    assert problem[0] != "guessed_encoding" or problems[0].weight is Weight.CONFIRM


@pytest.mark.parametrize(("text", "found", "told"), [
    ("field;acres\nN40;80,25\nS40;79,5\n", [("field", "acres"), ("N40", "80,25"), ("S40", "79,5")], []),
    ("sep=;\na;b\n1,5;2\n", [("a", "b"), ("1,5", "2")], []),
    ('a,b\n"x, ""y""\nz",2\n', [("a", "b"), ('x, "y"\nz', "2")], []),
    ("a,b\n1\n1,2,3\n", [("a", "b"), ("1",), ("1", "2", "3")], []),
    ('a,b\n1,2\n"3,4\n5,6\n', [("a", "b"), ("1", "2")], ["unreadable_rows"]),
    (b"a,b\n\x81\x8d\x8f,\xff\n", [], ["unreadable_encoding"]),
], ids=["a decimal comma", "a declared separator", "quotes", "uneven rows", "open quotes", "no encoding"])  # fmt: skip
def test_cells_are_separated_as_written(text: str | bytes, found: list[tuple[str, ...]], told: list[str]) -> None:
    assert rows(text) == (found, told)


TEXT = st.text(
    st.characters(codec="utf-8", exclude_characters="\x00", exclude_categories=("Cs", "Cc")), min_size=1, max_size=12
)


@given(st.lists(st.lists(TEXT.filter(lambda text: bool(text.strip())), min_size=2, max_size=5), min_size=1, max_size=8))
def test_every_cell_that_was_written_is_read(table: list[list[str]]) -> None:
    text = "\n".join(",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in table)
    found, problems = rows(f"\ufeff{text}", delimiter=",")
    assert (found, problems) == ([tuple(row) for row in table], [])


DAYS: Final = {
    ("3/4/2026", "mdy"): "2026-03-04", ("3/4/2026", "dmy"): "2026-04-03", ("3/4/26", "mdy"): "2026-03-04",
    ("5/5/2026", ""): "2026-05-05", ("8/16/2022 2:33 PM", ""): "2022-08-16", ("Sept 3rd, 2026", ""): "2026-09-03",
    ("3/14/26", ""): "2026-03-14",
    **{(text, ""): "2026-05-14" for text in (
        "2026-05-14", "2026/5/14", "20260514", "2026-05-14T13:05:00Z", "5/14/2026", "14.05.2026", "14-May-2026",
        "May 14, 2026", "14 May 2026", "May-14-2026", "14-May-26", "Thursday, May 14, 2026", "46156", "46156.5",
    )},
}  # fmt: skip
IOWA: Final = zones_of("Story", "IA")
NEBRASKA: Final = zones_of("", "NE")
MOMENTS: Final = {
    ("2026-10-06T02:30:00Z", IOWA): "2026-10-05",
    ("2026-10-06 02:30:00.000+00:00", IOWA): "2026-10-05",
    ("10/6/2026 4:59 AM UTC", IOWA): "2026-10-05",
    ("2026-10-06T05:00:00Z", IOWA): "2026-10-06",
    ("2026-12-06T05:30:00Z", IOWA): "2026-12-05",
    ("2026-10-06T02:30:00Z", UNITED_STATES): "2026-10-05",
    ("2026-10-06T05:30:00Z", zones_of("Scotts Bluff", "NE")): "2026-10-05",
    ("2026-10-06T05:30:00Z", NEBRASKA): "nobody can tell",
    ("2026-10-06T05:30:00Z", UNITED_STATES): "nobody can tell",
    ("2026-10-06T18:30:00Z", ANYWHERE): "nobody can tell",
    ("2026-10-06T18:30:00Z", UNITED_STATES): "2026-10-06",
    # A day without a time, and clocks on the wall.
    ("2026-10-06T00:00:00Z", IOWA): "2026-10-06",
    ("2026-10-05T22:30:00-05:00", UNITED_STATES): "2026-10-05",
    ("2026-10-05 21:30 CDT", IOWA): "2026-10-05",
    ("2026-10-06T02:30:00", IOWA): "2026-10-06",
    ("2026-10-06T25:30:00Z", IOWA): "no time of day",
}


@pytest.mark.parametrize(("text", "zones"), MOMENTS)
def test_a_moment_of_another_clock_is_of_the_day_at_its_place(text: str, zones: tuple[str, ...]) -> None:
    try:
        told = str(read_day(text, "mdy", zones))
    except DayTextError as wrong:
        told = str(wrong)
    assert MOMENTS[text, zones] in told


NO_DAYS: Final = {
    ("3/4/2026", ""): "can be two days", ("14/5/2026", "mdy"): "no day of the calendar",
    ("2026-02-30", ""): "no day of the calendar", ("13/13/2026", ""): "no day of the calendar",
    **{(text, ""): "not a date" for text in ("soon", "99999", "12345", "5 Mayor 2026", "", "5 Foo 2026", "٣/٤/٢٠٢٦")},
}  # fmt: skip


def test_a_day_that_can_be_one_day_is_read_and_one_that_can_be_two_or_none_refused() -> None:
    assert {said: str(read_day(*said)) for said in DAYS} == DAYS
    for said, cause in NO_DAYS.items():
        with pytest.raises(DayTextError, match=cause) as refused:
            read_day(*said)
        assert refused.value.remedy, said
    orders = {"3/14/2026": {"mdy"}, "14/3/2026": {"dmy"}, "3/4/2026": {"mdy", "dmy"}}
    assert {text: orders_of(text) for text in orders} == orders
    assert "ymd" in orders_of("2026-03-04")


NUMBERS: Final = {
    ("80.25", "."): "80.25", ("1,234.5", "."): "1234.5", ("1.234,5", ","): "1234.5", ("80,25", ","): "80.25",
    ("-3", "."): "-3", ("$4.10", "."): "4.10", (".5", "."): "0.5", ("5.", "."): "5", ("1 234,5", ","): "1234.5",
    ("1,234", "."): "1234", ("1,234", ","): "1.234",
}  # fmt: skip
NO_NUMBERS: Final = {
    "not a number": ("", "-", ".", ",", "12,34", "1.2.3", "1e5", "twelve", "12 34", "0x10", "nan", "inf", "١٢",
                     "12_000", "--5"),
    "limit": ("<0.5", "> 100"),
}  # fmt: skip


@given(st.text(max_size=20), st.sampled_from([".", ","]))
def test_no_text_ends_in_another_error(text: str, decimal: str) -> None:
    for attempt in (lambda: read_number(text, decimal), lambda: read_day(text), lambda: read_day(text, "mdy")):
        with contextlib.suppress(DayTextError):
            attempt()


CONVERTED: Final[dict[tuple[Any, str, str], Any]] = {
    (1, "kg", "lb"): Fraction(100_000_000, 45_359_237), (1, "ton", "lb"): 2000,
    (1, "Tonnes", "lb"): 1000 / Fraction("0.45359237"), (254, "cm", "in"): 100,
    (1, "ha", "acres"): Fraction(10_000) / Fraction("4046.8564224"), (3, "%", "ppm"): 30_000,
    (5, "mg/kg", "ppm"): 5, (Fraction("1.609344"), "km/h", "mph"): 1, (28, "lbs per acre", "lb/ac"): 28,
    (1, "gal/ac", "qt/ac"): 4, (128, "fl oz/ac", "gal/ac"): 1, (60, "lbs/bu", "lb/bu"): 60,
}  # fmt: skip


def test_units_convert_exactly_methods_are_read_as_themselves_and_digits_not_kept_are_told() -> None:
    assert {said: convert(Fraction(said[0]), *said[1:]) for said in CONVERTED} == CONVERTED
    for unit, wanted in (("lb/ac", "ppm"), ("ppm", "lb/ac"), ("bu", "lb"), ("furlong", "ft"), ("", "lb"), ("lb", "ph")):
        with pytest.raises(UnitError):
            convert(Fraction(1), unit, wanted)
    assert all(canonical(unit) == unit for units in KINDS_OF_UNIT.values() for unit in units)
    assert number_out(convert(Fraction(1), "kg/ha", "lb/ac"))[0] == "0.892"
    assert {each: method_of(each) for each in METHODS} == {each: each for each in METHODS}
    assert set(METHODS) == units._METHODS
    rounded = {"66.72605": ("66.726", True), "0.0005": ("0", True), "0.0015": ("0.002", True), "2.5": ("2.5", False)}
    assert {value: number_out(Fraction(value)) for value in rounded} == rounded


@given(st.fractions(), st.sampled_from(sorted(KINDS_OF_UNIT)), st.data())
def test_a_conversion_and_its_reverse_leave_the_value(value: Fraction, kind: str, data: st.DataObject) -> None:
    one, other = (data.draw(st.sampled_from(sorted(KINDS_OF_UNIT[kind]))) for _ in range(2))
    assert convert(convert(value, one, other), other, one) == value
