"""Spreadsheet files (XLSX, XLSM, XLSB, XLS, ODS) read as text cells, as near to what was typed as the file allows."""

import datetime as dt
import io
import math
from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from typing import Final
from xml.etree.ElementTree import ParseError
from xml.sax import SAXException

from defusedxml import DefusedXmlException
from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, PasswordError, SheetVisibleEnum

from provender.formats.archive import ZIP_MAGIC, opened
from provender.formats.parsed import doubt, listed, note
from provender.formats.sheet import Sheet, TextRow, letters, place_of
from provender.formats.workbook_scan import Cell, Scan, scan_workbook
from provender.problem import Place, Problem, ProblemsError

MOST_CELLS: Final = 8_000_000
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
            return value
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


def _remarks(file: str, name: str, scan: Scan, merged: Iterable[tuple[Cell, Cell]], *, hidden: bool) -> list[Problem]:
    problems: list[Problem] = []
    for column, rows in _by_column(scan.errors).items():
        texts = listed(sorted({scan.errors[row - 1, column] for row in rows}))
        cause = f"column {letters(column)} shows an error ({texts}) in row {listed(rows)}."
        remedy = "Correct the formula, or type the value."
        problems.append(Problem(place_of(file, name, rows[0], column), cause, remedy, code="error_cell"))
    for column, rows in _by_column(scan.formulas - scan.errors.keys()).items():
        cause = f"column {letters(column)} holds computed values in row {listed(rows)}; the last result saved was read."
        remedy = "Recalculate and save, then confirm the values, or type them."
        problems.append(doubt(place_of(file, name, rows[0], column), cause, remedy, "formula_cell"))
    spans = [f"{letters(a[1])}{a[0] + 1}:{letters(b[1])}{b[0] + 1}" for a, b in merged]
    if spans:
        cause = f"cells are merged ({listed(spans)}); only the first cell of each holds the value."
        problems.append(doubt(Place(file, name), cause, "Unmerge them and fill every row.", "merged_cells"))
    if hidden:
        cause = "this sheet is hidden; it was read like the others."
        problems.append(note(Place(file, name), cause, "Unhide it to look at it.", "hidden_sheet"))
    return problems


def _sheet(sheet: CalamineSheet, scan: Scan, *, hidden: bool) -> Sheet:
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
    return Sheet(sheet.name, tuple(lines), hidden)


def _scan(data: bytes, name: str) -> dict[str, Scan]:
    """Scan an XML workbook; an empty mapping where the file is binary.

    Raises:
        ProblemsError: it is damaged, hostile, or claims more cells than are read.
    """
    if not data.startswith(ZIP_MAGIC):
        return {}
    save_again = "Open it in a spreadsheet program and save it again as XLSX."
    with opened(data, name) as archive:
        if "xl/workbook.bin" in archive.members:
            return {}
        try:
            scans = scan_workbook(archive)
        except DefusedXmlException as trouble:
            cause = f"the workbook declares XML entities or a document type ({trouble}), which no spreadsheet needs."
            raise ProblemsError([Problem(Place(name), cause, save_again, code="xml_entities")]) from trouble
        except (SAXException, ParseError, ValueError, LookupError) as trouble:
            cause = f"the inside of the workbook is damaged ({trouble})."
            raise ProblemsError([Problem(Place(name), cause, save_again, code="bad_workbook")]) from trouble
    for sheet, scan in scans.items():
        if scan.rows * scan.columns > MOST_CELLS:
            cause = f"the sheet reaches to row {scan.rows} and column {letters(scan.columns - 1)}, more than is read."
            remedy = "Delete the stray cell far below or to the right, or copy the rows into a new sheet."
            raise ProblemsError([Problem(Place(name, sheet), cause, remedy, code="too_many_cells")])
    return scans


def read_workbook(data: bytes, name: str) -> tuple[tuple[Sheet, ...], list[Problem]]:
    """Read every worksheet as text; formulas, error cells, merged cells and hidden sheets become problems.

    In XLS and XLSB files formulas and error cells cannot be told from typed and empty ones.

    Raises:
        ProblemsError: nothing of the file can be read.
    """
    scans = _scan(data, name)
    sheets: list[Sheet] = []
    problems: list[Problem] = []
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        for meta in book.sheets_metadata:
            hidden = meta.visible != SheetVisibleEnum.Visible
            sheet = book.get_sheet_by_name(meta.name)
            scan = scans.get(meta.name, Scan())
            sheets.append(_sheet(sheet, scan, hidden=hidden))
            problems += _remarks(name, meta.name, scan, sheet.merged_cell_ranges or (), hidden=hidden)
    except PasswordError as trouble:
        cause = "the workbook is locked with a password."
        remedy = "Save a copy without the password."
        raise ProblemsError([Problem(Place(name), cause, remedy, code="locked")]) from trouble
    except (CalamineError, ValueError, OSError) as trouble:
        cause = f"the workbook is damaged or not a workbook ({trouble})."
        remedy = "Open it in a spreadsheet program and save it again as XLSX."
        raise ProblemsError([Problem(Place(name), cause, remedy, code="bad_workbook")]) from trouble
    return tuple(sheets), problems
