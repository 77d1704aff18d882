"""Rows and columns from anyone: workbooks and delimited text, read as text with file, sheet and row kept."""

import codecs
import csv
import datetime as dt
import io
import math
import re
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Final
from xml.sax.handler import ContentHandler

from charset_normalizer import from_bytes
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from defusedxml.sax import parse as sax_parse
from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, PasswordError, SheetVisibleEnum

from provender.formats import marked_up
from provender.formats.archive import OLE_MAGIC, ZIP_MAGIC, Archive, opened
from provender.formats.parsed import Problems, Sheet, TextRow, WorkbookFile, letters, reader
from provender.problem import Place, Problem, ProblemsError, Weight, listed

if TYPE_CHECKING:
    from xml.sax.xmlreader import AttributesImpl


# What a workbook's own XML says that its values do not: formulas, error cells, percent formats, claimed extent.
#
# Values come from calamine, which gives the last computed value of a formula, nothing for an error cell, and 0.15 for a
# cell that shows 15 %. One pass over the XML (document type definitions refused) finds those, and sees a sheet that
# claims a billion cells before anyone makes room for them. Only XLSX and ODS can be scanned; XLS and XLSB are binary.

Cell = tuple[int, int]

_RELATION: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_REFERENCE: Final = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_BUILT_IN_PERCENTS: Final = frozenset({"9", "10"})


class TooLongError(Exception):
    """A sheet has more rows than are read: the rest of it is not looked at."""


@dataclass(slots=True)
class Scan:
    """What one sheet's XML shows; cells are (row, column) from 0."""

    formulas: set[Cell] = field(default_factory=set)  # cells whose value was computed
    errors: dict[Cell, str] = field(default_factory=dict)  # cells that show an error, with its text
    # number cells that show a hundred times their value and a percent sign
    percents: set[Cell] = field(default_factory=set)
    rows: int = 0  # how far the cells reach
    columns: int = 0  # how far the cells reach
    filled: int = 0  # rows that hold something, until they are too many
    last: int = -1  # the last of them

    def fill(self, row: int) -> None:
        """Note that a row holds something."""
        if row != self.last:
            self.last, self.filled = row, self.filled + 1
        if self.filled > MOST_RECORDS:
            raise TooLongError

    def reach(self, cell: Cell) -> None:
        self.rows = max(self.rows, cell[0] + 1)
        self.columns = max(self.columns, cell[1] + 1)


def _column(letters: str) -> int:
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - ord("A") + 1
    return index - 1


class _ExcelSheet(ContentHandler):
    """Walk through one ``xl/worksheets/sheet*.xml``."""

    def __init__(self, percent_styles: frozenset[str]) -> None:
        super().__init__()
        self.scan = Scan()
        self._percent_styles = percent_styles
        self._here: Cell = (0, -1)
        self._kind = ""
        self._text: list[str] | None = None

    def startElement(self, name: str, attrs: "AttributesImpl[str]") -> None:  # noqa: N802 - SAX
        match name.rpartition(":")[2]:
            case "row":
                number = attrs.get("r", "")
                self._here = (int(number) - 1 if number.isdigit() else self._here[0] + 1, -1)
            case "c":
                found = _REFERENCE.fullmatch(attrs.get("r", ""))
                row, before = self._here
                self._here = (int(found[2]) - 1, _column(found[1])) if found else (row, before + 1)
                self._kind = attrs.get("t", "n")
                self.scan.reach(self._here)
                if self._kind == "n" and attrs.get("s", "") in self._percent_styles:
                    self.scan.percents.add(self._here)
            case "f":
                self.scan.formulas.add(self._here)
            case "v" | "is":
                self.scan.fill(self._here[0])
                self._text = [] if self._kind == "e" else None

    def characters(self, content: str) -> None:
        if self._text is not None:
            self._text.append(content)

    def endElement(self, name: str) -> None:  # noqa: N802 - SAX
        if self._text is not None and name.rpartition(":")[2] == "v":
            self.scan.errors[self._here] = "".join(self._text)
            self._text = None


class _OpenDocument(ContentHandler):
    """Walk through the ``content.xml`` of an ODS file; repeated cells count, repeated blanks at the end do not."""

    def __init__(self) -> None:
        super().__init__()
        self.scans: dict[str, Scan] = {}
        self._scan = Scan()
        self._row = self._column = 0
        self._repeat = 1

    def startElement(self, name: str, attrs: "AttributesImpl[str]") -> None:  # noqa: N802 - SAX
        match name:
            case "table:table":
                self._scan = self.scans.setdefault(attrs.get("table:name", ""), Scan())
                self._row = 0
            case "table:table-row":
                self._repeat = int(attrs.get("table:number-rows-repeated", "1"))
                self._column = 0
            case "table:table-cell" | "table:covered-table-cell":
                self._cell(attrs)

    def _cell(self, attrs: "AttributesImpl[str]") -> None:
        here = (self._row, self._column)
        self._column += int(attrs.get("table:number-columns-repeated", "1"))
        kind = attrs.get("office:value-type", "")
        if not kind and "table:formula" not in attrs:
            return
        self._scan.reach((self._row + self._repeat - 1, self._column - 1))
        self._scan.fill(self._row)
        if "table:formula" in attrs:
            self._scan.formulas.add(here)
        if attrs.get("calcext:value-type") == "error":
            self._scan.errors[here] = "an error"
        if kind == "percentage":
            self._scan.percents.add(here)

    def endElement(self, name: str) -> None:  # noqa: N802 - SAX
        if name == "table:table-row":
            self._row += self._repeat


def _percent_styles(archive: Archive) -> frozenset[str]:
    if "xl/styles.xml" not in archive.members:
        return frozenset()
    root = fromstring(archive.read("xl/styles.xml"), forbid_dtd=True)
    custom = {
        each.get("numFmtId", "")
        for each in root.iter()
        if each.tag.endswith("}numFmt") and "%" in each.get("formatCode", "")
    }
    formats = next((each for each in root.iter() if each.tag.endswith("}cellXfs")), ())
    return frozenset(
        str(index) for index, each in enumerate(formats) if each.get("numFmtId") in custom | _BUILT_IN_PERCENTS
    )


def _sheet_parts(archive: Archive) -> dict[str, str]:
    """Return the member that holds each worksheet, by the sheet's name."""
    relations = fromstring(archive.read("xl/_rels/workbook.xml.rels"), forbid_dtd=True)
    targets = {
        each.get("Id", ""): each.get("Target", "").removeprefix("/xl/")
        for each in relations
        if each.get("Type", "").endswith("/worksheet")
    }
    workbook = fromstring(archive.read("xl/workbook.xml"), forbid_dtd=True)
    sheets = [each for each in workbook.iter() if each.tag.endswith("}sheet")]
    parts = {each.get("name", ""): targets.get(each.get(_RELATION, ""), "") for each in sheets}
    return {name: f"xl/{target}" for name, target in parts.items() if f"xl/{target}" in archive.members}


def _scan_workbook(archive: Archive) -> dict[str, Scan]:
    """Scan every sheet of an XLSX or ODS file, by the sheet's name.

    Raises:
        ProblemsError: a part of the zip is damaged.
        DefusedXmlException: a part declares a document type or entities, as no spreadsheet program does.
        xml.sax.SAXException, xml.etree.ElementTree.ParseError, ValueError: a part is not sound XML.
    """
    for member in archive.members:
        if member.endswith((".xml", ".rels")) and b"<!DOCTYPE" in archive.read(member).replace(b"\x00", b""):
            raise DefusedXmlException(member)
    if "content.xml" in archive.members:
        document = _OpenDocument()
        sax_parse(io.BytesIO(archive.read("content.xml")), document, forbid_dtd=True)
        return document.scans
    styles = _percent_styles(archive)
    scans: dict[str, Scan] = {}
    for name, part in _sheet_parts(archive).items():
        walker = _ExcelSheet(styles)
        sax_parse(io.BytesIO(archive.read(part)), walker, forbid_dtd=True)
        scans[name] = walker.scan
    return scans


# Spreadsheet files (XLSX, XLSM, XLSB, XLS, ODS) read as text cells, as near to what was typed as the file allows.

_MOST_CELLS: Final = 8_000_000
# A formula whose result was never saved is not an empty cell: what stands there is not known.
NO_RESULT: Final = "#RESULT?"

CellValue = int | float | str | bool | dt.time | dt.date | dt.datetime | dt.timedelta


def number_text(value: float) -> str:
    """Write a spreadsheet number as it was typed.

    Spreadsheets keep fifteen significant digits of what is typed and store binary floats; fifteen digits therefore
    give back the typed text, and 0.1 + 0.2 gives 0.3, as the screen does.
    """
    if not math.isfinite(value):
        return str(value)
    number = Decimal(format(value, ".15g"))
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def cell_text(value: CellValue, *, percent: bool = False) -> str:
    """Return a cell's text: numbers as typed, dates and times in ISO form, 0.15 shown as a percentage as ``15%``."""
    match value:
        case str():
            return _unguarded(value)
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float():
            if percent and math.isfinite(value):
                return number_text(float(Decimal(format(value, ".15g")) * 100)) + "%"
            return number_text(float(value)) if isinstance(value, float) else str(value)
        case dt.datetime():
            return value.date().isoformat() if value.time() == dt.time() else value.isoformat(timespec="seconds")
        case dt.date() | dt.time():
            return value.isoformat()
    seconds = int(value.total_seconds())
    return f"{seconds // 3600}:{seconds % 3600 // 60:02d}:{seconds % 60:02d}"


def _by_column(cells: Iterable[Cell]) -> dict[int, list[int]]:
    columns: dict[int, list[int]] = defaultdict(list)
    for row, column in sorted(cells):
        columns[column].append(row + 1)
    return dict(sorted(columns.items()))


def _tell_remarks(scan: Scan, merged: Iterable[tuple[Cell, Cell]], problems: Problems, *, hidden: bool) -> None:
    for column, rows in _by_column(scan.errors).items():
        texts = listed(sorted({scan.errors[row - 1, column] for row in rows}))
        cause = f"column {letters(column)} shows an error ({texts}) in row {listed(rows)}."
        problems.cell(rows[0], column).error(cause, "Correct the formula, or type the value.", "error_cell")
    for column, rows in _by_column(scan.formulas - scan.errors.keys()).items():
        cause = f"column {letters(column)} holds computed values in row {listed(rows)}; the last result saved was read."
        problems.cell(rows[0], column).doubt(cause, marked_up.RECALCULATE, "formula_cell")
    spans = [f"{letters(a[1])}{a[0] + 1}:{letters(b[1])}{b[0] + 1}" for a, b in merged]
    if spans:
        marked_up.tell_merged(problems, f" ({listed(spans)})")
    if hidden:
        problems.note("this sheet is hidden; it was read like the others.", "Unhide it to look at it.", "hidden_sheet")


def _sheet(sheet: CalamineSheet, scan: Scan) -> Sheet:
    lines: list[TextRow] = []
    for row, values in enumerate(sheet.to_python(skip_empty_area=False)):
        cells = tuple(
            scan.errors.get((row, column))
            or cell_text(value, percent=(row, column) in scan.percents)
            or (NO_RESULT if (row, column) in scan.formulas else "")
            for column, value in enumerate(values)
        )
        if any(cell.strip() for cell in cells):
            lines.append(TextRow(row + 1, cells))
    return Sheet(sheet.name, tuple(lines))


_MANIFEST: Final = "META-INF/manifest.xml"


def _scan(data: bytes, problems: Problems) -> dict[str, Scan]:
    """Scan an XML workbook; an empty mapping where the file is binary.

    Raises:
        ProblemsError: it is damaged, hostile, or claims more cells than are read.
    """
    if not data.startswith(ZIP_MAGIC):
        return {}
    with opened(data, problems.place.file) as archive:
        if "xl/workbook.bin" in archive.members:
            return {}
        if any(member.endswith(".iwa") for member in archive.members):
            cause, remedy = "this is a document of Apple Numbers.", "Export it from Numbers as Excel or CSV."
            raise problems.refusal(cause, remedy, "numbers")
        if _MANIFEST in archive.members and b"encryption-data" in archive.read(_MANIFEST):
            raise _locked(problems)
        try:
            with marked_up.sound_workbook(problems):
                scans = _scan_workbook(archive)
        except TooLongError:
            _too_long(problems, MOST_RECORDS)
            raise ProblemsError(problems.found) from None
    for sheet, scan in scans.items():
        if scan.rows * scan.columns > _MOST_CELLS:
            cause = f"the sheet reaches to row {scan.rows} and column {letters(scan.columns - 1)}, more than is read."
            remedy = "Delete the stray cell far below or to the right, or copy the rows into a new sheet."
            raise problems.at(Place(problems.place.file, sheet)).refusal(cause, remedy, "too_many_cells")
    return scans


_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
"""The stream in which a workbook with a password lies."""
LEFT_OVER: Final = "this is a file that a program keeps for itself beside another one; it holds no rows."


def is_left_over(name: str) -> bool:
    """Tell by its name what spreadsheet programs and computers leave beside files: ``~$log.xlsx``, ``.DS_Store``."""
    plain = re.split(r"[/\\]", name)[-1]
    return plain.startswith(("~$", ".~lock.", "._")) or plain.casefold() in (".ds_store", "thumbs.db", "desktop.ini")


def _locked(problems: Problems) -> ProblemsError:
    cause, remedy = "the workbook is locked with a password.", "Open it with the password, and save a copy without one."
    return problems.refusal(cause, remedy, "locked")


def _read_workbook(data: bytes, problems: Problems) -> tuple[Sheet, ...]:
    """Read every worksheet as text; formulas, error cells, merged cells and hidden sheets become problems.

    In XLS and XLSB files formulas and error cells cannot be told from typed and empty ones.

    Raises:
        ProblemsError: nothing of the file can be read.
    """
    if data.startswith(OLE_MAGIC) and _ENCRYPTED in data:
        raise _locked(problems)
    scans = _scan(data, problems)
    sheets: list[Sheet] = []
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        for meta in book.sheets_metadata:
            hidden = meta.visible != SheetVisibleEnum.Visible
            sheet = book.get_sheet_by_name(meta.name)
            scan = scans.get(meta.name, Scan())
            sheets.append(_sheet(sheet, scan))
            here = problems.at(Place(problems.place.file, meta.name))
            _tell_remarks(scan, sheet.merged_cell_ranges or (), here, hidden=hidden)
    except PasswordError as trouble:
        raise _locked(problems) from trouble
    except (CalamineError, ValueError, OSError) as trouble:
        cause = f"the workbook is damaged or not a workbook ({trouble})."
        raise problems.refusal(cause, marked_up.AGAIN, "bad_workbook") from trouble
    return tuple(sheets)


# Text files of rows and columns (CSV and its cousins), read as text with the row a person counts.
#
# Encodings: a byte order mark decides; then UTF-8; then UTF-16 without a mark (every second byte zero); then Windows
# code page 1252, which a person is asked to confirm. A better guess is only ever offered as a suggestion.

_MOST_ROWS: Final = 1_000_000
"""Of a machine's log."""
MOST_RECORDS: Final = 50_000
"""Rows of a table of records: what a farm or an elevator keeps in many years."""
MOST_COLUMNS: Final = 500
MOST_OF_RECORDS: Final = 2_000_000
"""Cells of such a table: they come back from the child as one text, into the memory of whoever asked."""
_HEAD: Final = 4096
DELIMITERS: Final = (",", ";", "\t", "|")

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def _zeros(data: bytes) -> str:
    """Name the UTF-16 order that zero bytes at even or odd places betray, or nothing."""
    sample = data[:2000]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd * 5 > len(sample) and even * 20 < len(sample):
        return "utf-16-le"
    if even * 5 > len(sample) and odd * 20 < len(sample):
        return "utf-16-be"
    return ""


def decode_text(data: bytes, problems: Problems, encoding: str = "") -> str:
    """Return the text of a file; what is doubtful about it is told. A stated encoding is tried first and alone.

    Raises:
        ProblemsError: its letters cannot be read.
    """
    stated = encoding or next((label for mark, label in _MARKS if data.startswith(mark)), "") or _zeros(data)
    try:
        return data.decode(stated or "utf-8")
    except (UnicodeDecodeError, LookupError) as trouble:
        if stated:
            cause = f"the text is not {stated}, which its beginning or the column map says it is ({trouble})."
            raise problems.refusal(cause, "Save it again as CSV UTF-8.", "unreadable_encoding") from None
        first = data[: trouble.start].count(b"\n") + 1 if isinstance(trouble, UnicodeDecodeError) else 1
    best = from_bytes(data[:100_000]).best()
    guess = f" (it looks like {best.encoding})" if best is not None else ""
    here = problems.row(first)
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        cause = f"the letters are neither UTF-8 nor Windows-1252{guess}."
        raise here.refusal(cause, "Save it again as CSV UTF-8.", "unreadable_encoding") from None
    cause = f"the file is not UTF-8; it was read as Windows-1252{guess}. Accented letters and signs may be wrong."
    here.doubt(cause, "Check names with accents, or save it as CSV UTF-8.", "guessed_encoding")
    return text


def guess_delimiter(text: str) -> str:
    """Return the separator on whose number of columns, above one, most of the first twenty rows agree.

    Ties go to the greater number of columns, then to the order listed. A first line ``sep=;`` decides alone.
    """
    sample = text[:20_000]
    declared = sample.split("\n", 1)[0].strip().lower()
    if declared.startswith("sep=") and len(declared) == 5:  # noqa: PLR2004 - "sep=" and one sign
        return declared[4]

    def agreement(delimiter: str) -> tuple[int, int]:
        counts: list[int] = []
        try:
            for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter):
                if any(cell.strip() for cell in row):
                    counts.append(len(row))
                if len(counts) == 20:  # noqa: PLR2004 - see above
                    break
        except csv.Error:
            return 0, 0
        return max(((counts.count(columns), columns) for columns in set(counts) if columns > 1), default=(0, 0))

    return max(DELIMITERS, key=agreement)


_GUARDED: Final = re.compile(r'="(.*)"|[\'\u2018\u2019](?=[\d=+@-])(.*)', re.DOTALL)
"""Text that was kept from becoming a number or a formula: ``="0001001"`` and ``'0001001``."""


def is_web_archive(head: str) -> bool:
    """Tell whether a text begins as a page does that Excel or a report writer saved with its parts in one file."""
    return head.lower().startswith("mime-version:") and "multipart/related" in head.lower()


def _unguarded(cell: str) -> str:
    if not cell.startswith(("=", "'", "\u2018", "\u2019")):
        return cell
    found = _GUARDED.fullmatch(cell)
    return found.group(found.lastindex or 0) if found else cell


def _clean(cells: list[str], number: int, problems: Problems) -> tuple[str, ...]:
    if any("\x00" in cell for cell in cells):
        cause = "the row holds zero bytes, as a damaged file does."
        problems.row(number).error(cause, "Export the file again.", "zero_bytes")
        cells = [cell.replace("\x00", "") for cell in cells]
    return tuple(map(_unguarded, cells))


def _too_wide(problems: Problems) -> None:
    cause = f"this is no table of records: it has more than {MOST_COLUMNS} columns."
    problems.error(cause, "Export only the columns of the records, with one record a row.", "too_wide")


def _too_long(problems: Problems, most: int) -> None:
    problems.error(
        f"the table has more than {most:,} rows.", "Hand it in in parts, such as one season.", "too_many_rows"
    )


def _is_record(sheet: Sheet, problems: Problems) -> bool:
    """Tell whether a sheet is no larger than a table of records is; else it is told."""
    here = problems.at(Place(problems.place.file, sheet.name))
    wide = next((line.number for line in sheet.lines if any(map(str.strip, line.cells[MOST_COLUMNS:]))), 0)
    if wide:
        _too_wide(here.row(wide))
    elif len(sheet.lines) > MOST_RECORDS:
        _too_long(here, MOST_RECORDS)
    elif sum(len(line.cells) for line in sheet.lines) > MOST_OF_RECORDS:
        cause = f"the table has more than {MOST_OF_RECORDS:,} cells."
        here.error(cause, "Hand it in in parts, such as one season.", "too_many_cells")
    else:
        return True
    return False


def read_delimited(
    data: bytes, name: str, *, delimiter: str = "", most: int = _MOST_ROWS
) -> tuple[Sheet | None, list[Problem]]:
    """Read a delimited text file as one sheet of text cells; None where it is too large or its letters are unknown.

    Rows are numbered from 1 as a spreadsheet program shows them (a line break inside quotes does not count). Blank
    rows are left out, numbers kept. What follows a quotation mark that never closes is reported, not guessed at.
    """
    problems = Problems(Place(name))
    try:
        text = decode_text(data, problems)
    except ProblemsError as trouble:
        return None, list(trouble.problems)
    separator = delimiter or guess_delimiter(text)
    lines: list[TextRow] = []
    cells = number = 0
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for number, row in enumerate(rows, start=1):
            cells += len(row)
            if any(map(str.strip, row[MOST_COLUMNS:])):
                _too_wide(problems.row(number))
                return None, problems.found
            if any(cell.strip() for cell in row) and not (number == 1 and row[0].lower().startswith("sep=")):
                if len(lines) == most or cells > _MOST_CELLS:
                    _too_long(problems, len(lines))
                    return None, problems.found
                lines.append(TextRow(number, _clean(row[:MOST_COLUMNS], number, problems)))
    except csv.Error as trouble:
        cause = f"the rows from here on cannot be read ({trouble}); a quotation mark is probably left open."
        remedy = "Correct the quotation marks near this row, or export the file again."
        problems.row(number + 1).error(cause, remedy, "unreadable_rows")
    return Sheet("", tuple(lines)), problems.found


def _tables(data: bytes, problems: Problems) -> tuple[Sheet, ...]:
    """Read a workbook, a page, an XML workbook, or delimited text.

    Raises:
        ProblemsError: nothing of it can be read.
    """
    head = data[:_HEAD].replace(b"\x00", b"").decode("utf-8", "ignore")
    if data.startswith((ZIP_MAGIC, OLE_MAGIC)):
        return _read_workbook(data, problems)
    if is_web_archive(head):
        return marked_up.read_html(_page(marked_up.pages_of(data), head, problems), problems)
    if head.lstrip("\ufeff \t\r\n").startswith("<"):
        if marked_up.is_excel_xml(head):
            return marked_up.read_excel_xml(data, problems)
        if marked_up.is_html(head):
            return marked_up.read_html(_page(data, head, problems), problems)
    sheet, told = read_delimited(data, problems.place.file, most=MOST_RECORDS)
    problems.found.extend(told)
    return (sheet,) if sheet else ()


def _page(data: bytes, head: str, problems: Problems) -> str:
    """Return the text of a page; the letters that it states count where it is not UTF-8."""
    said = re.search(r"charset=[\"']?([\w-]+)", head)
    told = Problems(problems.place)
    with suppress(ProblemsError):
        text = decode_text(data, told)
        if not (told.found and said):
            problems.found.extend(told.found)
            return text
    return decode_text(data, problems, said[1] if said else "")


@reader
def read_spreadsheet(path: Path, problems: Problems) -> WorkbookFile | None:
    """Read a spreadsheet or text file by its content, whatever its name says. A book without any row is a problem.

    What hides all rows, such as a quotation mark left open in the first, is told instead: such a file is not empty.
    """
    data, name = path.read_bytes(), problems.place.file
    if is_left_over(name):
        raise problems.refusal(LEFT_OVER, "Hand in the file itself.", "left_over")
    if data.startswith(b"%PDF"):
        remedy = "Ask the sender for CSV or XLSX, or type the rows."
        raise problems.refusal("this is a PDF, whose tables cannot be read reliably.", remedy, "pdf")
    sheets = _tables(data, problems)
    if not all(_is_record(sheet, problems) for sheet in sheets):
        return None
    if any(sheet.lines for sheet in sheets):
        return WorkbookFile(name, sheets)
    if any(problem.weight is Weight.ERROR for problem in problems.found):
        return None
    raise problems.refusal("the file holds no rows.", "Check that the right file was saved.", "no_rows")
