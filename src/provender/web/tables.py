"""Tables on a page: long ones a part at a time, and any of them saved as a file."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import combining, normalize

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import slugify

from provender.database.actor import today as today_here
from provender.paper.table import Cell, Column, Table, as_csv, as_xlsx
from provender.web.download import XLSX, download
from provender.web.inputs import number_in
from provender.web.pagination import EVERY, PRINTED, ROWS, WHOLE, Turning, page_rows

__all__ = [
    "XLSX",
    "Cell",
    "Column",
    "PagedTable",
    "Table",
    "all_said",
    "chip",
    "moment",
    "on_page",
    "page_with_tables",
    "rows_wanted",
]

SAVED_AT_MOST: Final = 100_000
SORTED_FROM: Final = 4
"""Rows from which sorting helps."""


@lru_cache(maxsize=2_000)
def chip(kind: str, words: str, icon: str) -> str:
    """Render a chip once: a page has hundreds, of which few differ."""
    return render_to_string("parts/chip.html", {"kind": kind, "words": words, "icon": icon})


class Head(NamedTuple):
    """One heading: its column, where a click sorts by it (empty for none), and how the rows are sorted by it now."""

    column: Column
    href: str = ""
    sorted: str = ""


@dataclass(frozen=True, slots=True)
class PagedTable(Table):
    """A table as a page shows it.

    Attributes:
        turning: stands around the rows when they are one page of a long one.
        heads: the headings.
        foot: the sums, over all rows.
    """

    turning: Turning | None = None
    heads: Sequence[Head] = ()
    foot: Sequence[Sequence[tuple[Column, Cell]]] = ()

    @property
    def anchor(self) -> str:
        """Return the id to which a click on a heading leads; empty where nothing sorts."""
        return slugify(self.name) if self.sorts and self.turning is None else ""


ISO_DAY: Final = re.compile(r"(?<![\w/:.-])\d{4}-\d\d-\d\d(?![\w/-]|:\S)")
"""A day as records and files write it, standing by itself."""
EXAMPLE: Final = re.compile(r"\b(?:such as|like) (?:\S+, )*$")
"""What stands before a day that shows how one is typed, by itself or at the end of a line: it stays."""
NEAR: Final = 60
"""Letters before a day in which that stands."""


def days_said(text: str) -> str:
    """Return a text with its days as pages write them; what is no day stays."""
    return ISO_DAY.sub(_day_said, text) if "-" in text else text


def _day_said(found: re.Match[str]) -> str:
    if EXAMPLE.search(found.string[max(0, found.start() - NEAR) : found.start()]):
        return found[0]
    return _day_written(found[0])


@lru_cache(maxsize=5_000)
def _day_written(day: str) -> str:
    """Return a day as pages write it: a season names a few hundred of them again and again."""
    try:
        return date_format(date.fromisoformat(day), "DATE_FORMAT")
    except ValueError:
        return day


def _said(cell: Cell) -> Cell:
    """Return a cell in the words of a page; a file keeps what it had."""
    text, note = days_said(cell.text), days_said(cell.note)
    if (text, note) == (cell.text, cell.note):
        return cell
    return replace(cell, text=text, note=note, saved=cell.in_file)


def on_page(table: Table, asked: QueryDict) -> PagedTable:
    """Return a table as a page shows it: whole when short, otherwise the page or the rows asked for."""
    table = _with_what_is_shown(replace(table, rows=[[_said(cell) for cell in row] for row in table.cells]))
    options = {each.name: getattr(table, each.name) for each in fields(table) if each.init}
    ends = len(table.rows) - table.totals
    heads, order = _sorted(table, asked, ends)
    options |= {"heads": heads, "foot": table.pairs[ends:], "totals": 0, "rows": [table.rows[index] for index in order]}
    if ends <= WHOLE:
        return PagedTable(**(options | {"rows": _grouped(options["rows"])} if table.groups else options))
    rows = [table.cells[index] for index in order]
    texts = [_sought(row) for row in rows]
    turning, shown = page_rows(table.name, texts, asked)
    return PagedTable(**{**options, "rows": [rows[index] for index in shown], "turning": turning})


def _grouped(rows: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """Return rows of which the first of a group says what the group is of."""
    said = [row[0].text for row in rows]
    again = [at > 0 and text == said[at - 1] for at, text in enumerate(said)]
    return [
        [replace(row[0], text="", saved=row[0].in_file), *row[1:]] if seen else [*row]
        for row, seen in zip(rows, again, strict=True)
    ]


def _with_what_is_shown(table: Table) -> Table:
    """Return a table without the columns that only a file has, and those in which no row says anything."""
    shown = [
        at for at, column in enumerate(table.columns)
        if not column.file_only
        and (at == 0 or column.page_only or not table.cells or any(row[at].text or row[at].note for row in table.cells))
    ]  # fmt: skip
    rows = [[row[at] for at in shown] for row in table.cells]
    return replace(table, columns=[table.columns[at] for at in shown], rows=rows)


def _sought(row: Sequence[Cell]) -> str:
    """Return where Find looks: what is shown of a row, and what a file says of it, but no word that nobody sees."""
    return " ".join(text for cell in row for text in (str(cell.in_file), cell.text, cell.note))


def _sorted(table: Table, asked: QueryDict, ends: int) -> tuple[list[Head], Sequence[int]]:
    """Return the headings, and the rows above the sums in the order asked for: ``sort-NAME=2``, falling with ``-2``."""
    if not table.sorts or ends < SORTED_FROM:
        return [Head(column) for column in table.columns], range(ends)
    anchor = slugify(table.name)
    word = f"sort-{anchor}"
    wanted = asked.get(word, "")
    by = number_in(wanted.removeprefix("-"))
    by = by if by is not None and 1 <= by <= len(table.columns) else None
    falls, order = wanted.startswith("-"), list(range(ends))
    if by is not None:
        order.sort(key=lambda index: _rank(table.cells[index][by - 1]), reverse=falls)
    heads = []
    for number, column in enumerate(table.columns, 1):
        there = asked.copy()
        there.pop(f"page-{anchor}", None)
        there[word] = f"-{number}" if by == number and not falls else str(number)
        now = ("descending" if falls else "ascending") if by == number else ""
        heads.append(Head(column, "" if column.page_only else f"?{there.urlencode()}#{anchor}", now))
    return heads, order


def _rank(cell: Cell) -> tuple[object, ...]:
    """Return a cell's place: numbers by their value, before texts; digits within a text count as a number."""
    saved = cell.in_file.replace(",", "") if isinstance(cell.in_file, str) else cell.in_file
    if ISO_DAY.fullmatch(str(saved)):
        return 1, [(1, 0, str(saved))]
    with suppress(InvalidOperation):
        if (value := Decimal(saved)).is_finite():
            return 0, value
    parts = re.split(r"(\d+)", _letters(cell.text))
    return 1, [(0, int(part), "") if part.isascii() and part.isdecimal() else (1, 0, part) for part in parts]


def _letters(text: str) -> str:
    """Return a text as its letters are sorted: an accent changes no letter's place, and ñ comes after n."""
    plain = normalize("NFD", normalize("NFC", text.casefold()).replace("ñ", "n~"))
    return "".join(one for one in plain if not combining(one))


def moment(at: datetime) -> str:
    """Write day and time at the place of the party whose page it is; the foot of the page names the zone."""
    return date_format(timezone.localtime(at), "DATETIME_FORMAT")


def rows_wanted(request: HttpRequest) -> int:
    """Return how many rows a page asks its store for: one page of them, a thousand to print, all to be saved."""
    every = any(name.startswith("page-") and text == EVERY for name, text in request.GET.items())
    return SAVED_AT_MOST if "save" in request.GET else PRINTED if every else ROWS


def all_said(request: HttpRequest, table: Table, *, more: bool) -> Table:
    """Return a table whose file says at its end that the list goes on, where it is longer than a file may be."""
    if not more or "save" not in request.GET:
        return table
    said = f"Not all rows: the list goes on after these {len(table.rows):,}. Ask for a part of it, and save that."
    return replace(table, rows=[*table.rows, [said, *[""] * (len(table.columns) - 1)]])


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
    return download(content, media, f"{(table.file or table.name).replace(' ', '-')}.{kind}")


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
