"""Tables on a page: long ones a part at a time, and any of them saved as a file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from functools import lru_cache
from typing import Final

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format

from provender.database.actor import today as today_here
from provender.paper.table import Cell, Column, Table, as_csv, as_xlsx
from provender.web.download import XLSX, download
from provender.web.pagination import ROWS, WHOLE, Turning, page_rows

__all__ = [
    "XLSX",
    "Cell",
    "Column",
    "PagedTable",
    "Table",
    "chip",
    "moment",
    "on_page",
    "page_with_tables",
    "rows_wanted",
]

SAVED_AT_MOST: Final = 100_000


@lru_cache(maxsize=2_000)
def chip(kind: str, words: str, icon: str) -> str:
    """Render a chip once: a page has hundreds, of which few differ."""
    return render_to_string("parts/chip.html", {"kind": kind, "words": words, "icon": icon})


@dataclass(frozen=True, slots=True)
class PagedTable(Table):
    """A table as a page shows it; ``turning`` stands around the rows when they are one page of a long one."""

    turning: Turning | None = None


def on_page(table: Table, asked: QueryDict) -> PagedTable:
    """Return a table as a page shows it: whole when short, otherwise the page or the rows asked for."""
    options = {each.name: getattr(table, each.name) for each in fields(table) if each.init}
    if len(table.rows) <= WHOLE:
        return PagedTable(**options)
    texts = [" ".join(f"{cell.in_file} {cell.text} {cell.note}" for cell in row) for row in table.cells]
    turning, shown = page_rows(table.name, texts, asked)
    return PagedTable(**{**options, "rows": [table.rows[index] for index in shown], "turning": turning})


def moment(at: datetime) -> str:
    """Write day and time at the place of the party whose page it is; the foot of the page names the zone."""
    return date_format(timezone.localtime(at), "DATETIME_FORMAT")


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
    if kind == "csv":
        content, media = as_csv(table), "text/csv; charset=utf-8"
    else:
        content, media = as_xlsx([table], title=table.name, as_of=today_here()), XLSX
    return download(content, media, f"{table.name.replace(' ', '-')}.{kind}")


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
    shown = {name: on_page(table, request.GET) for name, table in tables.items()}
    return saved or render(request, template, {**context, **shown}, status=status)
