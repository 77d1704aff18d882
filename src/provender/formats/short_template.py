"""The short workbook to fill in; see ``short_layout``."""

from datetime import UTC, date, datetime
from io import BytesIO
from typing import Final

import xlsxwriter

from provender.formats.short_layout import ALL, EXCEPT, SHEETS, ShortSheet
from provender.paper.palette import ACCENT, MUTED

WIDTH: Final = 24
PASSES: Final = 12


def short_workbook(*, as_of: date) -> bytes:
    """Write the workbook; the same day gives the same bytes."""
    stream = BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(stream, options) as book:
        day = datetime(as_of.year, as_of.month, as_of.day, tzinfo=UTC).replace(tzinfo=None)
        book.set_properties({"title": "A season in eight sheets", "author": "provender", "created": day})
        bold = book.add_format({"bold": True, "font_color": ACCENT})
        faint = book.add_format({"italic": True, "font_color": MUTED})
        text = book.add_format({"num_format": "@"})
        for sheet in SHEETS:
            _write(book.add_worksheet(sheet.name), sheet, bold, faint, text)
    return stream.getvalue()


def _write(
    page: "xlsxwriter.worksheet.Worksheet",
    sheet: ShortSheet,
    bold: "xlsxwriter.format.Format",
    faint: "xlsxwriter.format.Format",
    text: "xlsxwriter.format.Format",
) -> None:
    page.set_column(0, PASSES, WIDTH, text)
    page.write_string(0, 0, sheet.says, faint)
    if sheet.shape == "list":
        for across, part in enumerate(sheet.parts):
            page.write_string(1, across, part.label, bold)
            page.write_comment(1, across, f"Such as {part.example}." if part.example else part.label)
        page.freeze_panes(2, 1)
        return
    for down, part in enumerate(sheet.parts, start=1):
        page.write_string(down, 0, part.label, bold)
        if part.example:
            page.write_comment(down, 0, f"Such as {part.example}.")
    if sheet.shape == "answers":
        page.write_string(0, 1, "For all fields", bold)
        page.write_string(0, 2, EXCEPT, bold)
    if sheet.shape == "grid":
        page.write_string(len(sheet.parts) + 1, 0, ALL, bold)
        page.freeze_panes(len(sheet.parts) + 1, 1)
