"""Tables that people see and can save: one description gives the page, the CSV and the XLSX."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import xlsxwriter
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

ICONS: Final = {"met": "check", "not-met": "cross", "not-shown": "question"}
FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@lru_cache(maxsize=2_000)
def _chip(kind: str, words: str, icon: str) -> str:
    """Render a chip once: a page has hundreds, of which few differ."""
    return render_to_string("parts/chip.html", {"kind": kind, "words": words, "icon": icon})


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its text, and what the page makes of it.

    Attributes:
        text: what is shown and saved.
        href: where a click leads.
        chip: a verdict's class (``met``, ``not-met``, ``not-shown``) or ``plain``; empty for bare text.
        form: address of a button that posts, with ``text`` on it.
        note: small print under the text; not saved.
        full: what is saved when the page shows a shorter text.
    """

    text: str
    href: str = ""
    chip: str = ""
    form: str = ""
    note: str = ""
    full: str = ""

    @property
    def icon(self) -> str:
        """Return the icon of its chip: never colour alone."""
        return ICONS.get(self.chip, "")

    @property
    def is_day(self) -> bool:
        """Whether the text is a day, such as 2026-10-05, which is never broken over two lines."""
        return (
            len(self.text) == len("2026-10-05") and self.text[4::3] == "--" and self.text.replace("-", "").isdecimal()
        )

    @property
    def marked(self) -> str:
        """Return the chip with its icon, as it stands on the page."""
        return _chip(self.chip, self.text, self.icon)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: heading, and whether its cells are numbers (right-aligned) or only for the page (not saved)."""

    label: str
    number: bool = False
    page_only: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a name (also the file's), columns, rows of cells, and what an empty one says to do next."""

    name: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    empty: str = "Nothing here yet."
    caption: str = ""
    pairs: list[list[tuple[Column, Cell]]] = field(init=False)

    def __post_init__(self) -> None:
        """Pair each cell with its column, for the template."""
        paired = [list(zip(self.columns, row, strict=True)) for row in self.rows]
        object.__setattr__(self, "pairs", paired)

    def saved(self) -> list[list[str]]:
        """Return headings and texts of what is saved."""
        keep = [index for index, column in enumerate(self.columns) if not column.page_only]
        head = [self.columns[index].label for index in keep]
        return [head, *([row[index].full or row[index].text for index in keep] for row in self.rows)]


def safe(text: str) -> str:
    """Keep a spreadsheet from taking text for a formula; a plain negative number stays a number."""
    plain_number = text.replace("-", "", 1).replace(".", "", 1).replace(",", "").isdigit()
    return f"'{text}" if text.startswith(FORMULA_STARTS) and not plain_number else text


def as_csv(table: Table) -> bytes:
    """Return a table as CSV, UTF-8 with a byte order mark so that spreadsheets read it right."""
    out = io.StringIO(newline="")
    csv.writer(out).writerows([safe(text) for text in row] for row in table.saved())
    return out.getvalue().encode("utf-8-sig")


def as_xlsx(table: Table) -> bytes:
    """Return a table as a spreadsheet; every cell is text as shown, none a formula."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    sheet = book.add_worksheet(table.name[:31])
    bold = book.add_format({"bold": True})
    for index, row in enumerate(table.saved()):
        for column, text in enumerate(row):
            sheet.write_string(index, column, text, bold if index == 0 else None)
    sheet.freeze_panes(1, 0)
    sheet.autofit()
    book.close()
    return out.getvalue()


def saved_table(request: HttpRequest, tables: Iterable[Table]) -> HttpResponse | None:
    """Answer ``?save=csv&table=NAME`` (or xlsx) with the file, or return None when the page itself is wanted."""
    kind = request.GET.get("save")
    if kind not in ("csv", "xlsx"):
        return None
    wanted = request.GET.get("table")
    table = next((one for one in tables if wanted in (None, one.name)), None)
    if table is None:
        return None
    content, media = (as_csv(table), "text/csv; charset=utf-8") if kind == "csv" else (as_xlsx(table), XLSX)
    response = HttpResponse(content, content_type=media)
    response.headers["Content-Disposition"] = f'attachment; filename="{table.name.replace(" ", "-")}.{kind}"'
    return response


def page_with_tables(
    request: HttpRequest,
    template: str,
    tables: Mapping[str, Table],
    context: Mapping[str, object],
    *,
    status: int = 200,
) -> HttpResponse:
    """Render a page with its tables under their names in the context, or save the one that is asked for."""
    saved = saved_table(request, tables.values())
    return saved or render(request, template, {**context, **tables}, status=status)
