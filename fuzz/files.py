"""Spoiled tables as files: CSV text and workbooks, sound or broken as a whole."""

import csv
import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final
from xml.sax.saxutils import escape

import xlsxwriter

from fuzz.spoil import Spoiled
from provender.formats.template_layout import sheet_name

_BOMB: Final = 24 * 2**20
_ENTITIES: Final = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'


def _plain(table: Spoiled, delimiter: str = ",") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(table.rows)
    return out.getvalue()


def csv_bytes(table: Spoiled, random: Random) -> bytes:
    """Write a table as CSV, spoiled as its ``file`` says."""
    text = _plain(table)
    if table.file in _ENCODED:
        return _ENCODED[table.file](text)
    if table.file in _SEPARATED:
        return _plain(table, _SEPARATED[table.file]).encode()
    data, lines = text.encode("utf-8", "replace"), text.split("\n")
    at = random.randrange(1, len(data))
    match table.file:
        case "truncated":
            return data[:at] + b'"'
        case "nul":
            return data[:at] + b"\x00" + data[at:]
        case "bad_utf8":
            return data[:at] + b"\xff\xfe\x80" + data[at:]
        case "open_quote":
            row = random.randrange(len(lines) - 1)
            lines[row] = '"' + lines[row]
            return "\n".join(lines).encode()
    return _other_bytes(table, text, random)


_SEPARATED: Final = {"semicolons": ";", "tabs": "\t", "pipes": "|"}
_ENCODED: Final[dict[str, Callable[[str], bytes]]] = {
    "utf16": lambda text: text.encode("utf-16"),
    "cp1252": lambda text: (text.rstrip("\n") + "\u00e9\n").encode("cp1252", "replace"),
    "bom": lambda text: text.encode("utf-8-sig"),
    "cr": lambda text: text.replace("\n", "\r").encode(),
    "blank_rows": lambda text: text.replace("\n", "\n\n,,,\n\n").encode(),
    "sep_line": lambda text: ("sep=,\n" + text).encode(),
    "one_line": lambda text: text.replace("\n", " ").encode(),
}


def _other_bytes(table: Spoiled, text: str, random: Random) -> bytes:
    match table.file:
        case "empty":
            return b""
        case "junk":
            return random.randbytes(random.randrange(1, 3000))
        case "html_table" | "excel_xml":
            return _marked_up(table, random).encode("utf-8", "replace")
        case "html":
            return f"<html><body><table><tr><td>{text}</td></tr></table></body></html>".encode()
        case "zip_named_csv":
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, "w") as archive:
                archive.writestr("../../../tmp/operation.csv", text)
            return buffer.getvalue()
    return text.encode("utf-8", "replace")


_TAGS: Final = {
    "html_table": ("<html><body><table>", "tr", "td", "", "</table></body></html>"),
    "excel_xml": (
        '<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet><Table>', "Row", "Cell", "Data",
        "</Table></Worksheet></Workbook>",
    ),
}  # fmt: skip
_INSERTED: Final = (
    "<!--", "-->", "<table>", "</table>", "<script>", "<![CDATA[", "<![x[", '<td class="', "<td rowspan=2>",
    "<td hidden>", "<tr>", "</tr>", "<p>", "<", ">", "&", "&nbsp;", "<input>", "\x00",
)  # fmt: skip


def _marked_up(table: Spoiled, random: Random) -> str:
    """Write a table between tags, and damage up to three of these."""
    before, row, cell, data, after = _TAGS[table.file]
    begin, end = (f"<{cell}>{f'<{data}>' if data else ''}", f"{f'</{data}>' if data else ''}</{cell}>")
    rows = ("".join(f"{begin}{escape(text)}{end}" for text in cells) for cells in table.rows)
    page = before + "".join(f"<{row}>{cells}</{row}>" for cells in rows) + after
    for _ in range(random.randrange(4)):
        first, last = random.choice([found.span() for found in re.finditer(r"<[^<>]+>", page)] or [(0, 0)])
        tag = page[first:last]
        at = random.randrange(len(tag) or 1)
        page = page[:first] + random.choice((
            "", tag + tag, tag[:at] + tag[at + 1 :], tag[:at] + random.choice('<>/ x"') + tag[at:],
            random.choice(_INSERTED) + tag, tag + random.choice(_INSERTED),
        )) + page[last:]  # fmt: skip
        if random.random() < 0.2:
            page = page[:last]
    return page


def workbook_bytes(table: Spoiled, random: Random) -> bytes:
    """Write a table as a workbook with one sheet, spoiled as its ``file`` says."""
    if table.file == "junk":
        return b"PK\x03\x04" + random.randbytes(random.randrange(1, 3000))
    if table.file == "csv_named_xlsx":
        return _plain(table).encode("utf-8", "replace")
    data = _sound_workbook(table, random)
    match table.file:
        case "zip_cut":
            return data[: random.randrange(4, len(data))]
        case "zip_bomb":
            return _rewritten(data, add={"xl/media/huge.bin": b"\x00" * _BOMB})
        case "path_trick":
            return _rewritten(data, add={"../../etc/cron.d/x": b"x"})
        case "entities":
            return _rewritten(data, change=lambda text: re.sub(r"<worksheet", _ENTITIES + "<worksheet", text, count=1))
        case "no_sheet_part":
            return _rewritten(data, leave="xl/worksheets/sheet1.xml")
    return data


def _sound_workbook(table: Spoiled, random: Random) -> bytes:
    stream = io.BytesIO()
    with xlsxwriter.Workbook(
        stream, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    ) as book:
        name = "Feldarbeiten" if table.file == "sheet_renamed" else sheet_name(table.kind)
        page = book.add_worksheet(name)
        rows = [] if table.file == "sheet_empty" else table.rows
        for down, cells in enumerate(rows):
            for across, cell in enumerate(cells):
                if not cell:
                    continue
                if cell.startswith("=") and down and random.random() < 0.5:
                    page.write_formula(down, across, cell, None, random.choice([0, "", 3.5, "#REF!"]))
                elif re.fullmatch(r"\d+(\.\d+)?", cell) and random.random() < 0.7:
                    page.write_number(down, across, float(cell))
                else:
                    page.write_string(down, across, "".join(sign for sign in cell if sign >= " " or sign in "\t\n"))
        _oddities(table, page, random)
        if table.file == "hidden":
            book.add_worksheet("Farm producers")
            page.hide()
            book.worksheets()[1].activate()
            book.worksheets()[1].set_first_sheet()
        if table.file == "two_sheets":
            book.add_worksheet("Sheet2").write_row(0, 0, ["something", "else"])
    return stream.getvalue()


def _oddities(table: Spoiled, page: "xlsxwriter.worksheet.Worksheet", random: Random) -> None:
    last, width = max(len(table.rows) - 1, 1), len(table.rows[0])
    down, across = random.randrange(1, last + 1), random.randrange(width)
    match table.file:
        case "formula_without_result":
            page.write_formula(down, across, "=A1&B1", None, "")
        case "error_cell":
            page.write_formula(down, across, "=1/0", None, "#DIV/0!")
        case "far_cell":
            page.write_string(1_000_000, 16_000, "x")
        case "merged":
            page.merge_range(last, 0, last + 1, min(2, width - 1), table.rows[-1][0])


def _rewritten(data: bytes, *, add: dict[str, bytes] | None = None, leave: str = "", change: object = None) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name == leave:
                continue
            content = old.read(name)
            if callable(change) and name == "xl/worksheets/sheet1.xml":
                content = change(content.decode()).encode()
            new.writestr(name, content)
        for name, content in (add or {}).items():
            new.writestr(name, content)
    return out.getvalue()


def write(table: Spoiled, folder: Path, random: Random, *, workbook: bool) -> Path:
    """Write a spoiled table into a folder and return the file."""
    path = folder / (f"{table.kind.name}.xlsx" if workbook else f"{table.kind.name}.csv")
    path.write_bytes(workbook_bytes(table, random) if workbook else csv_bytes(table, random))
    return path
