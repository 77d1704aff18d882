"""What a workbook's own XML says that its values do not: formulas, error cells, percent formats, claimed extent.

Values come from calamine, which gives the last computed value of a formula, nothing for an error cell, and 0.15 for a
cell that shows 15 %. One pass over the XML (document type definitions refused) finds those, and sees a sheet that
claims a billion cells before anyone makes room for them. Only XLSX and ODS can be scanned; XLS and XLSB are binary.
"""

import io
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from xml.sax.handler import ContentHandler

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from defusedxml.sax import parse as sax_parse

from provender.formats.archive import Archive

if TYPE_CHECKING:
    from xml.sax.xmlreader import AttributesImpl

Cell = tuple[int, int]

_RELATION: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_REFERENCE: Final = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_BUILT_IN_PERCENTS: Final = frozenset({"9", "10"})


@dataclass(slots=True)
class Scan:
    """What one sheet's XML shows; cells are (row, column) from 0.

    Attributes:
        formulas: cells whose value was computed.
        errors: cells that show an error, with its text.
        percents: number cells that show a hundred times their value and a percent sign.
        rows, columns: how far the cells reach.
    """

    formulas: set[Cell] = field(default_factory=set)
    errors: dict[Cell, str] = field(default_factory=dict)
    percents: set[Cell] = field(default_factory=set)
    rows: int = 0
    columns: int = 0

    def reach(self, cell: Cell) -> None:
        """Note that there is a cell."""
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
            case "v" if self._kind == "e":
                self._text = []

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


def scan_workbook(archive: Archive) -> dict[str, Scan]:
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
