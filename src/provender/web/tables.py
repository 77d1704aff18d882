"""Tables that people see and can save: one description gives the page, the CSV and the XLSX."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

import xlsxwriter
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string

from provender.web.turning import ROWS, WHOLE, Turning, turned

ICONS: Final = {"met": "check", "not-met": "cross", "not-shown": "question"}
FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
DAY: Final = re.compile(r"\d{4}-\d\d-\d\d|[A-Z][a-z]{2} \d{1,2}, \d{4}")
LONG: Final = 26
"""Characters beyond which a text takes the whole width of a card on a phone."""
SAVED_AT_MOST: Final = 100_000
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@lru_cache(maxsize=2_000)
def chip(kind: str, words: str, icon: str) -> str:
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
        """Whether the text is a day, such as 2026-10-05 or Oct 5, 2026, which is never broken over two lines."""
        return DAY.fullmatch(self.text) is not None

    @property
    def is_long(self) -> bool:
        """Whether a card on a phone gives the text its whole width."""
        return max(len(self.text), len(self.note)) > LONG

    @property
    def is_bare(self) -> bool:
        """Whether the text is a number alone, which says nothing to somebody who hears links one after another."""
        return self.text.isdecimal()

    @property
    def marked(self) -> str:
        """Return the chip with its icon, as it stands on the page."""
        return chip(self.chip, self.text, self.icon)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: heading, and whether its cells are numbers (right-aligned) or only for the page (not saved)."""

    label: str
    number: bool = False
    page_only: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table that people see and can save.

    Attributes:
        name: also the file's.
        columns: in order.
        rows: one cell a column.
        empty: what an empty table says to do next.
        caption: above the table.
        begin: label and address of the button under ``empty``; empty for none.
        turning: what stands around the rows, when they are one page of a long table.
        pairs: the rows with each cell beside its column, for the template.
    """

    name: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    empty: str = "Nothing here yet."
    caption: str = ""
    begin: tuple[str, str] = ("", "")
    turning: Turning | None = None
    pairs: list[list[tuple[Column, Cell]]] = field(init=False)

    def __post_init__(self) -> None:
        """Pair each cell with its column, for the template."""
        paired = [list(zip(self.columns, row, strict=True)) for row in self.rows]
        object.__setattr__(self, "pairs", paired)

    def on_page(self, asked: QueryDict) -> "Table":
        """Return the table as a page shows it: whole when short, otherwise the page or the rows asked for."""
        if len(self.rows) <= WHOLE:
            return self
        texts = [" ".join(f"{cell.full or cell.text} {cell.text} {cell.note}" for cell in row) for row in self.rows]
        turning, shown = turned(self.name, texts, asked)
        return replace(self, rows=[self.rows[index] for index in shown], turning=turning)

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


def rows_wanted(request: HttpRequest) -> int:
    """Return how many rows a page asks its store for: one page of them, or all when they are to be saved."""
    return SAVED_AT_MOST if "save" in request.GET else ROWS


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
    """Render a page with its tables under their names in the context, or save the one that is asked for.

    A long table is shown a page at a time with a field to search in it, and is saved whole.
    """
    saved = saved_table(request, tables.values())
    shown = {name: table.on_page(request.GET) for name, table in tables.items()}
    return saved or render(request, template, {**context, **shown}, status=status)
