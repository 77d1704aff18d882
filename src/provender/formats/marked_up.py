"""Tables in HTML and in Excel's XML of 2003, which programs save under the name of a workbook."""

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.policy import default
from html.parser import HTMLParser
from typing import Final
from xml.etree.ElementTree import Element, ParseError
from xml.sax import SAXException

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from provender.formats.parsed import Problems, Sheet, TextRow, letters
from provender.problem import Place, Problem, Weight, listed

_EXCEL: Final = "urn:schemas-microsoft-com:office:spreadsheet"
_SS: Final = f"{{{_EXCEL}}}"
_MOST_CELLS: Final = 2_000_000
AGAIN: Final = "Open it in a spreadsheet program and save it again as XLSX."
_HTML: Final = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body|meta|style|table|div|center)\b",
    re.IGNORECASE | re.DOTALL,
)


def is_html(head: str) -> bool:
    return _HTML.match(head.lstrip("\ufeff")) is not None


def is_excel_xml(head: str) -> bool:
    """Tell whether a text begins as Excel's XML of 2003 does."""
    return _EXCEL in head and head.lstrip("\ufeff \t\r\n").startswith("<") and not is_html(head)


def pages_of(archive: bytes) -> bytes:
    """Return the pages of a web archive, one after the other."""
    parts = message_from_bytes(archive, policy=default).walk()
    pages = (part.get_payload(decode=True) for part in parts if part.get_content_type() == "text/html")
    return b"\n".join(page for page in pages if isinstance(page, bytes))


@dataclass(slots=True)
class _Table:
    """A table of a page while it is read."""

    rows: list[list[str]] = field(default_factory=list)
    in_row: bool = False  # a row was begun and is not ended
    cell: list[str] | None = None  # the texts of the cell that is open
    across: int = 1  # columns over which it reaches
    down: int = 1  # rows over which it reaches
    below: dict[int, int] = field(default_factory=dict)  # by column, the row before which a cell above ends

    @property
    def texts(self) -> list[str]:
        return [cell for row in self.rows for cell in row if cell]

    @property
    def widths(self) -> list[int]:
        """Return how many cells of each row hold text, the fullest first."""
        return sorted((len([cell for cell in row if cell]) for row in self.rows), reverse=True)

    @property
    def is_list(self) -> bool:
        """Tell whether more than one row has more than one cell with text: others only arrange the page."""
        return any(width > 1 for width in self.widths[1:])


_FIELD: Final = "#FIELD?"
"""What a page's reader chose in a form is not in the page: what stands in such a cell is not known."""
_WORDLESS: Final = ("hidden", "submit", "button", "image", "reset")
_CHOSEN: Final = ("checkbox", "radio")
_APART: Final = ("script", "style", "caption")
"""What stands in a table and is no text of its cells."""


class _Tables(HTMLParser):
    """Walk through a page: the cells of its tables, those of a table within a cell apart."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[_Table] = []
        self.merged = self.commented = False
        self.lost = ""  # what stands outside the cells of the tables, or in a tag that is damaged
        self._open: list[_Table] = []
        self._closed = self._ended = False  # a table was closed, and the page
        self._within = ""
        self._count = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        self.lost = self.lost or next((text for one in attrs for text in one if text and _TAG.search(text)), "")
        if tag in _APART:
            self._within = tag
        elif tag in ("html", "body"):
            self._ended = False
        elif tag == "table":
            self._open.append(_Table())
        elif not self._open:
            self.lost = self.lost or (f"<{tag}>" if tag in ("tr", "td", "th") else "")
        elif tag == "tr":
            self._end_row()
            self._begin_row()
        elif tag in ("td", "th"):
            self._close()
            self._open_cell(_number(said.get("colspan")), _number(said.get("rowspan")))
        elif (cell := self._open[-1].cell) is not None:
            cell.append(_shown(tag, said))

    def handle_endtag(self, tag: str) -> None:
        self._within = "" if tag == self._within else self._within
        self._ended |= tag in ("html", "body")
        if not self._open:
            return
        if tag in ("td", "th"):
            self._close()
        elif tag == "tr":
            self._end_row()
        elif tag == "table":
            self._end_row()
            self._closed = True
            self._end_table(self._open.pop())

    def handle_data(self, data: str) -> None:
        if not self._open or self._within:
            return
        if (cell := self._open[-1].cell) is not None:
            cell.append(data)
        else:
            self.lost = self.lost or data.strip()

    def handle_comment(self, data: str) -> None:
        self.commented |= bool(self._open and _TAG.search(data))

    def unknown_decl(self, data: str) -> None:
        if data.startswith("CDATA["):
            self.handle_data(data.removeprefix("CDATA["))

    def _begin_row(self) -> None:
        self._open[-1].in_row = True
        self._open[-1].rows.append([])

    def _open_cell(self, across: int, down: int) -> None:
        table = self._open[-1]
        if not table.in_row:
            self._begin_row()
        self._pass_spanned()
        table.cell, table.across, table.down = [], across, down
        self.merged |= across > 1 or down > 1

    def _close(self) -> None:
        table = self._open[-1]
        if table.cell is None:
            return
        row = table.rows[-1]
        if table.down > 1:
            spanned = range(len(row), len(row) + table.across)
            table.below |= dict.fromkeys(spanned, len(table.rows) + table.down - 1)
        self._add([" ".join("".join(table.cell).split()), *[""] * (table.across - 1)])
        table.cell = None

    def _add(self, cells: list[str]) -> None:
        self._count += len(cells)
        if self._count > _MOST_CELLS:
            raise ValueError(self._count)
        self._open[-1].rows[-1] += cells

    def _pass_spanned(self) -> None:
        """Leave the cells blank that one above reaches into, up to the next free one."""
        table = self._open[-1]
        while table.below.get(len(table.rows[-1]), 0) >= len(table.rows):
            self._add([""])

    def _end_table(self, table: _Table) -> None:
        """Keep a table; one within a cell that is no list is but a frame around the cell's text."""
        if self._open and (cell := self._open[-1].cell) is not None and not table.is_list:
            cell += [" ", *(f"{text} " for text in table.texts)]
        else:
            self.tables.append(table)

    def _end_row(self) -> None:
        self._close()
        if self._open[-1].in_row:
            self._pass_spanned()
        self._open[-1].in_row = False

    def end(self) -> bool:
        """End the page; return whether it ends within a table, as what was cut off or lost a tag does."""
        self.close()
        cut = (bool(self._open) and (self._closed or not self._ended)) or bool(self._within)
        while self._open:
            self.handle_endtag("table")
        return cut


_TAG: Final = re.compile(r"</?t[rdh]\b", re.IGNORECASE)


def _shown(tag: str, said: Mapping[str, str | None]) -> str:
    """Return what a tag within a cell shows."""
    kind = (said.get("type") or "text").lower()
    if tag == "select" or (tag == "input" and kind in _CHOSEN):
        return _FIELD
    if tag == "input" and kind not in _WORDLESS:
        return said.get("value") or ""
    return said.get("alt") or "" if tag == "img" else " " if tag in ("br", "p", "div") else ""


def _number(text: str | None) -> int:
    return max(1, min(int(text), 1_000)) if text and text.isdecimal() and len(text) < 6 else 1  # noqa: PLR2004 - digits of a span


def read_html(text: str, problems: Problems) -> tuple[Sheet, ...]:
    """Read the tables of a page; those of a single row or column beside others only arrange it, and are named.

    Raises:
        ProblemsError: nothing of the page can be read, or it holds more cells than are read.
    """
    walker = _Tables()
    try:
        walker.feed(text)
        cut = walker.end()
    except ValueError:
        cause = f"the page holds more than {_MOST_CELLS:,} cells."
        raise problems.refusal(cause, "Export fewer rows.", "too_many_cells") from None
    except AssertionError as trouble:  # of html.parser, on declarations of no kind
        raise problems.refusal(f"the page is damaged ({trouble}).", _EXPORT, "damaged_page") from None
    filled = [table for table in walker.tables if table.texts]
    found = [table for table in filled if table.is_list] or filled
    if not found:
        raise problems.refusal("this is a web page without a table.", _EXPORT, "no_table")
    if cut:
        problems.error("the page ends within a table, so rows may be missing.", _EXPORT, "page_cut")
    if walker.lost:
        cause = f"{walker.lost[:40]!r} stands outside the cells of the page's tables."
        problems.error(cause, _EXPORT, "damaged_page")
    if walker.merged:
        tell_merged(problems)
    if walker.commented:
        _tell_commented(problems, "page")
    _tell_passed_over([one for one in filled if one not in found], problems, min(one.widths[0] for one in found))
    return tuple(
        Sheet(f"table {number}" if len(found) > 1 else "", _lines(enumerate(table.rows, 1)))
        for number, table in enumerate(found, 1)
    )


_EXPORT: Final = "Export the list as CSV or XLSX."


def _tell_commented(problems: Problems, what: str) -> None:
    cause = f"rows stand in a comment of the {what}, which shows them to nobody; they were not read."
    problems.doubt(cause, "Confirm that they do not count.", "rows_in_comment")


def _tell_passed_over(tables: Iterable[_Table], problems: Problems, width: int) -> None:
    """Tell of tables that were taken for frames of the page; ask where they may be rows: with numbers they are."""
    texts: dict[Weight, list[str]] = {}
    for table in tables:
        is_record = 2 * table.widths[0] > width and any(text[0].isdigit() for text in table.texts)
        weight = Weight.NOTE if table.widths[0] == 1 else Weight.ERROR if is_record else Weight.CONFIRM
        texts.setdefault(weight, []).extend(table.texts)
    for weight, shown in texts.items():
        cause = f"tables of a single row or column were taken for no list, and not read: {listed(shown)}."
        remedy = "Nothing, if they hold no record."
        problems.found.append(Problem(problems.place, cause, remedy, weight=weight, code="table_passed_over"))


RECALCULATE: Final = "Recalculate and save, then confirm the values, or type them."


def tell_merged(problems: Problems, where: str = "") -> None:
    """Ask about cells of which only the first holds what stands in all."""
    cause = f"cells are merged{where}; only the first cell of each holds the value."
    problems.doubt(cause, "Unmerge them and fill every row.", "merged_cells")


def _lines(rows: Iterable[tuple[int, list[str]]]) -> tuple[TextRow, ...]:
    return tuple(TextRow(number, tuple(cells)) for number, cells in rows if any(cell.strip() for cell in cells))


@contextmanager
def sound_workbook(problems: Problems) -> Iterator[None]:
    """Say in our own words why the XML of a workbook cannot be read.

    Raises:
        ProblemsError: it is damaged, or declares entities.
    """
    try:
        yield
    except DefusedXmlException as trouble:
        cause = f"the workbook declares XML entities or a document type ({trouble}), which no spreadsheet needs."
        raise problems.refusal(cause, AGAIN, "xml_entities") from trouble
    except (SAXException, ParseError, ValueError, LookupError) as trouble:
        raise problems.refusal(
            f"the inside of the workbook is damaged ({trouble}).", AGAIN, "bad_workbook"
        ) from trouble


def read_excel_xml(data: bytes, problems: Problems) -> tuple[Sheet, ...]:
    """Read the worksheets of Excel's XML of 2003.

    Raises:
        ProblemsError: it is not sound, declares entities, or holds more cells than are read.
    """
    sheets = []
    with sound_workbook(problems):
        root = fromstring(data, forbid_dtd=True)
        percents = {
            style.get(f"{_SS}ID")
            for style in root.iter(f"{_SS}Style")
            if any("%" in each.get(f"{_SS}Format", "").replace("Percent", "%") for each in style)
        }
        for sheet in root.iter(f"{_SS}Worksheet"):
            title, formulas = sheet.get(f"{_SS}Name", ""), list[tuple[int, int]]()
            sheets.append(Sheet(title, _lines(_numbered_rows(sheet, formulas, percents))))
            here = problems.at(Place(problems.place.file, title))
            if formulas:
                where = listed(f"{letters(at)}{line}" for line, at in formulas)
                cause = f"cells hold computed values ({where}); the last result saved was read."
                here.cell(*formulas[0]).doubt(cause, RECALCULATE, "formula_cell")
            if any(cell.get(f"{_SS}{name}") for cell in sheet.iter(f"{_SS}Cell") for name in _MERGED):
                tell_merged(here)
    if _ROW_IN_COMMENT.search(data):
        _tell_commented(problems, "workbook")
    return tuple(sheets)


_MERGED: Final = ("MergeAcross", "MergeDown")
_ROW_IN_COMMENT: Final = re.compile(rb"<!--(?:(?!-->).)*?<(?:\w+:)?Row\b", re.DOTALL)


def _numbered_rows(
    sheet: Element, formulas: list[tuple[int, int]], percents: set[str | None]
) -> Iterator[tuple[int, list[str]]]:
    number = held = 0
    for row in sheet.iter(f"{_SS}Row"):
        number = _later(row, number + 1)
        cells: list[str] = []
        for cell in row.iter(f"{_SS}Cell"):
            at = _later(cell, len(cells) + 1) - 1
            across = int(cell.get(f"{_SS}MergeAcross", 0))
            held += 1 + at - len(cells) + across
            if held > _MOST_CELLS:
                raise ValueError("it claims more cells than are read")
            cells += [""] * (at - len(cells))
            if cell.get(f"{_SS}Formula"):
                formulas.append((number, at))
            cells += [_cell(cell, percent=cell.get(f"{_SS}StyleID") in percents), *[""] * across]
        yield number, cells
        number += int(row.get(f"{_SS}Span", 0))


def _later(element: Element, at: int) -> int:
    """Return where a row or cell stands: there, or where it says, which is not before.

    Raises:
        ValueError: it says that it stands where another one does.
    """
    said = int(element.get(f"{_SS}Index", at))
    if said < at:
        raise ValueError(f"place {said} is taken twice")
    return said


def _cell(cell: Element, *, percent: bool) -> str:
    from provender.formats.spreadsheet import NO_RESULT, cell_text

    data = cell.find(f"{_SS}Data")
    if data is None or (not data.text and cell.get(f"{_SS}Formula")):
        return NO_RESULT if cell.get(f"{_SS}Formula") else ""
    text, kind = "".join(data.itertext()), data.get(f"{_SS}Type", "String")
    if kind == "Number":
        return cell_text(float(text), percent=percent)
    if kind == "DateTime":
        return cell_text(dt.datetime.fromisoformat(text))
    return cell_text(text.strip().lower() in ("1", "true")) if kind == "Boolean" else cell_text(text)
