"""Tables in HTML and in Excel's XML of 2003, which programs save under the name of a workbook."""

import datetime as dt
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.policy import default
from html.parser import HTMLParser
from typing import Final
from xml.etree.ElementTree import Element, ParseError
from xml.sax import SAXException

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from provender.formats.parsed import Problems, Sheet, TextRow, letters
from provender.problem import Place, listed

_EXCEL: Final = "urn:schemas-microsoft-com:office:spreadsheet"
_SS: Final = f"{{{_EXCEL}}}"
_MOST_CELLS: Final = 2_000_000
AGAIN: Final = "Open it in a spreadsheet program and save it again as XLSX."
_HTML: Final = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body|meta|style|table|div|center)\b",
    re.IGNORECASE | re.DOTALL,
)


def is_html(head: str) -> bool:
    """Tell whether a text begins as HTML does."""
    return _HTML.match(head.lstrip("\ufeff")) is not None


def is_excel_xml(head: str) -> bool:
    """Tell whether a text begins as Excel's XML of 2003 does."""
    return _EXCEL in head and head.lstrip("\ufeff \t\r\n").startswith("<") and not is_html(head)


def pages_of(archive: bytes) -> str:
    """Return the pages of a web archive, one after the other."""
    parts = message_from_bytes(archive, policy=default).walk()
    pages = (part.get_payload(decode=True) for part in parts if part.get_content_type() == "text/html")
    return "\n".join(page.decode("utf-8", "replace") for page in pages if isinstance(page, bytes))


class _Tables(HTMLParser):
    """Walk through a page: the cells of its tables, those of a table within a cell apart."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[list[list[str]]] = []
        self.merged = False
        self._open: list[list[list[str]]] = []
        self._cells: list[list[str] | None] = []
        self._spans: list[int] = []
        self._count = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._open.append([])
            self._cells.append(None)
            self._spans.append(1)
        elif not self._open:
            return
        elif tag == "tr":
            self._close()
            self._open[-1].append([])
        elif tag in ("td", "th"):
            self._close()
            said = dict(attrs)
            self._spans[-1] = _number(said.get("colspan"))
            self.merged |= self._spans[-1] > 1 or _number(said.get("rowspan")) > 1
            self._cells[-1] = []
        elif tag in ("br", "p", "div") and (cell := self._cells[-1]) is not None:
            cell.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if not self._open:
            return
        if tag in ("td", "th", "tr"):
            self._close()
        elif tag == "table":
            self._close()
            self.tables.append(self._open.pop())
            self._cells.pop()
            self._spans.pop()

    def handle_data(self, data: str) -> None:
        if self._open and (cell := self._cells[-1]) is not None:
            cell.append(data)

    def _close(self) -> None:
        cell = self._cells[-1]
        if cell is None:
            return
        if not self._open[-1]:
            self._open[-1].append([])
        self._count += self._spans[-1]
        if self._count > _MOST_CELLS:
            raise ValueError(self._count)
        self._open[-1][-1] += [" ".join("".join(cell).split()), *[""] * (self._spans[-1] - 1)]
        self._cells[-1] = None

    def all_tables(self) -> list[list[list[str]]]:
        """Return all tables, those that nothing closes too."""
        while self._open:
            self.handle_endtag("table")
        return self.tables


def _number(text: str | None) -> int:
    return min(int(text), 1_000) if text and text.isdecimal() and len(text) < 6 else 1  # noqa: PLR2004 - digits of a span


def read_html(text: str, problems: Problems) -> tuple[Sheet, ...]:
    """Read the tables of a page, those of a single row or column apart: they only arrange the page.

    Raises:
        ProblemsError: the page holds more cells than are read.
    """
    walker = _Tables()
    try:
        walker.feed(text)
        walker.close()
        found = [table for table in walker.all_tables() if sum(len([c for c in row if c]) > 1 for row in table) > 1]
    except ValueError:
        cause = f"the page holds more than {_MOST_CELLS:,} cells."
        raise problems.refusal(cause, "Export fewer rows.", "too_many_cells") from None
    if walker.merged:
        tell_merged(problems)
    return tuple(
        Sheet(f"table {number}" if len(found) > 1 else "", _lines(enumerate(table, 1)))
        for number, table in enumerate(found, 1)
    )


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
            sheets.append(Sheet(title, _lines(_rows(sheet, formulas, percents))))
            if formulas:
                where = listed(f"{letters(at)}{line}" for line, at in formulas)
                cause = f"cells hold computed values ({where}); the last result saved was read."
                here = problems.at(Place(problems.place.file, title))
                here.cell(*formulas[0]).doubt(cause, RECALCULATE, "formula_cell")
    return tuple(sheets)


def _rows(
    sheet: Element, formulas: list[tuple[int, int]], percents: set[str | None]
) -> Iterator[tuple[int, list[str]]]:
    number = held = 0
    for row in sheet.iter(f"{_SS}Row"):
        number = int(row.get(f"{_SS}Index", number + 1))
        cells: list[str] = []
        for cell in row.iter(f"{_SS}Cell"):
            at = int(cell.get(f"{_SS}Index", len(cells) + 1)) - 1
            across = int(cell.get(f"{_SS}MergeAcross", 0))
            held += 1 + max(0, at - len(cells)) + across
            if held > _MOST_CELLS:
                raise ValueError("it claims more cells than are read")
            cells += [""] * (at - len(cells))
            if cell.get(f"{_SS}Formula"):
                formulas.append((number, at))
            cells += [_cell(cell, percent=cell.get(f"{_SS}StyleID") in percents), *[""] * across]
        yield number, cells


def _cell(cell: Element, *, percent: bool) -> str:
    from provender.formats.spreadsheet import cell_text

    data = cell.find(f"{_SS}Data")
    if data is None:
        return ""
    text, kind = "".join(data.itertext()), data.get(f"{_SS}Type", "String")
    if kind == "Number":
        return cell_text(float(text), percent=percent)
    if kind == "DateTime":
        return cell_text(dt.datetime.fromisoformat(text))
    return cell_text(text == "1") if kind == "Boolean" else cell_text(text)
