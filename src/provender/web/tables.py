"""Tables on a page: long ones a part at a time, and any of them saved as a file."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from html import escape
from typing import Final, NamedTuple
from unicodedata import combining, normalize

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.views.decorators.http import require_GET

from provender.database.actor import today as today_here
from provender.database.choices import Area
from provender.paper.tables import Cell, Column, Table, as_csv, as_xlsx
from provender.problem import Problem
from provender.records.field import ColumnKind, Field
from provender.records.kind import KINDS, Kind
from provender.services.accounts.access import Access
from provender.services.farm.files import StoredFile, path_of, upload_of
from provender.services.imports.evidence import check_is_evidence
from provender.web.access import PersonRequest, of_organisation
from provender.web.inputs import number_in

# Long tables, a page at a time, and the few rows that somebody looks for: by links and a form, without scripts.
#
# Several tables may stand on one page, so every word in the address carries the table's name.

EVERY: Final = "every"
ROWS: Final = 25
"""Rows on a page of a long table."""
PRINTED: Final = 1_000
"""A table of up to so many rows is shown whole to whoever asks for it: paper turns no pages."""
WHOLE: Final = 35
"""A table of up to so many rows is shown whole: nobody turns a page for the last few."""


@dataclass(frozen=True, slots=True)
class Turning:
    """What stands around one page of a table."""

    anchor: str  # id of the table on the page
    name: str  # of the search field in the address
    sought: str  # what is looked for
    others: tuple[tuple[str, str], ...]  # further words of the address, which searching keeps
    first: int  # number of the first row shown, from 1; 0 when nothing was found
    last: int  # number of the last row shown
    found: int  # rows that have what is looked for
    whole: int  # rows of the whole table
    before: str  # address of the page before; empty on the first
    after: str  # address of the next page; empty on the last
    all: str  # address of the table without a search
    every: str = ""  # address of all rows found, on one page; empty where they stand there or are too many


def _page_rows(name: str, texts: Sequence[str], asked: QueryDict) -> tuple[Turning, Sequence[int]]:
    """Choose the rows of a long table that a page shows.

    Args:
        name: of the table.
        texts: what each row says, in order; a row is found when it says every word looked for, in any case.
        asked: the page's address after the question mark: ``find-NAME`` and ``page-NAME``, from 1, or ``every``.

    Returns:
        What stands around the page, and the indexes of its rows. A page beyond the end is the last one.
    """
    anchor = slugify(name)
    find, page = f"find-{anchor}", f"page-{anchor}"
    sought = " ".join(asked.get(find, "").split())
    wanted = sought.casefold().split()
    found = [index for index, text in enumerate(texts) if all(word in text.casefold() for word in wanted)]
    number = asked.get(page, "")
    last = max(0, (len(found) - 1) // ROWS)
    here = min(max(0, int(number) - 1), last) if number.isascii() and number.isdecimal() else 0
    every = number == EVERY and len(found) <= PRINTED
    here, last = (0, 0) if every else (here, last)
    shown = found if every else found[here * ROWS : (here + 1) * ROWS]
    others = tuple((key, str(text)) for key, text in asked.items() if key not in (find, page))
    turning = Turning(
        anchor=anchor,
        name=find,
        sought=sought,
        others=others,
        first=here * ROWS + 1 if shown else 0,
        last=here * ROWS + len(shown),
        found=len(found),
        whole=len(texts),
        before=_address(asked, anchor, {page: str(here)}) if here else "",
        after=_address(asked, anchor, {page: str(here + 2)}) if here < last else "",
        all=_address(asked, anchor, {find: "", page: ""}),
        every=_address(asked, anchor, {page: EVERY}) if ROWS < len(found) <= PRINTED and not every else "",
    )
    return turning, shown


def _address(asked: QueryDict, anchor: str, changed: dict[str, str]) -> str:
    """Return the address of the page with some words changed; an empty one is left out."""
    words = asked.copy()
    for name, text in changed.items():
        words.pop(name, None)
        if text:
            words[name] = text
    return f"?{words.urlencode()}#{anchor}"


# Handing files over, to pages and to programs: always as a download, never as something a browser would run.

XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PDF: Final = "application/pdf"
JSON: Final = "application/json"
ZIP: Final = "application/zip"


def download(content: bytes | str, media_type: str, name: str) -> HttpResponse:
    """Return a file under a name; the name holds no quotation marks."""
    response = HttpResponse(content, content_type=media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def stored(upload: StoredFile, *, media_type: str = "") -> FileResponse:
    """Send the bytes of a stored file.

    Raises:
        Http404: its bytes are gone.
    """
    path = path_of(upload.sha256)
    if not path.is_file():
        raise Http404
    response = FileResponse(
        path.open("rb"), as_attachment=True, filename=upload.name, content_type=media_type or upload.media_type
    )
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


@require_GET
@of_organisation("read", areas=(Area.RECORDS,))
def stored_file(request: PersonRequest, access: Access, file: str) -> HttpResponseBase:
    """Send a stored file.

    Raises:
        Http404: the organisation has no such file, its bytes are gone, or it is no evidence and a reviewer asks.
    """
    if access.review is not None:
        check_is_evidence(access.organisation, file)
    return stored(upload_of(access.organisation, file))


SAVED_AT_MOST: Final = 100_000
_SORTED_FROM: Final = 4
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
    """A table as a page shows it."""

    turning: Turning | None = None  # stands around the rows when they are one page of a long one
    heads: Sequence[Head] = ()  # the headings
    foot: Sequence[Sequence[tuple[Column, Cell]]] = ()  # the sums, over all rows

    @property
    def anchor(self) -> str:
        """Return the id to which a click on a heading leads; empty where nothing sorts."""
        return slugify(self.name) if self.sorts and self.turning is None else ""


ISO_DAY: Final = re.compile(r"(?<![\w/:.-])\d{4}-\d\d-\d\d(?![\w/-]|:\S)")
"""A day as records and files write it, standing by itself."""
EXAMPLE: Final = re.compile(r"\b(?:such as|like) (?:\S+, )*$")
"""What stands before a day that shows how one is typed, by itself or at the end of a line: it stays."""
_NEAR: Final = 60
"""Letters before a day in which that stands."""


def days_said(text: str) -> str:
    """Return a text with its days as pages write them; what is no day stays."""
    return ISO_DAY.sub(_day_said, text) if "-" in text else text


def _day_said(found: re.Match[str]) -> str:
    if EXAMPLE.search(found.string[max(0, found.start() - _NEAR) : found.start()]):
        return found[0]
    return _day_written(found[0])


@lru_cache(maxsize=5_000)
def _day_written(day: str) -> str:
    """Return a day as pages write it: a season names a few hundred of them again and again."""
    try:
        return date_format(date.fromisoformat(day), "DATE_FORMAT")
    except ValueError:
        return day


def _cell_with_days_in_words(cell: Cell) -> Cell:
    """Return a cell in the words of a page; a file keeps what it had."""
    text, note = days_said(cell.text), days_said(cell.note)
    if (text, note) == (cell.text, cell.note):
        return cell
    return replace(cell, text=text, note=note, saved=cell.in_file)


def on_page(table: Table, asked: QueryDict) -> PagedTable:
    """Return a table as a page shows it: whole when short, otherwise the page or the rows asked for."""
    table = _with_what_is_shown(
        replace(table, rows=[[_cell_with_days_in_words(cell) for cell in row] for row in table.cells])
    )
    options = {each.name: getattr(table, each.name) for each in fields(table) if each.init}
    ends = len(table.rows) - table.totals
    heads, order = _sorted(table, asked, ends)
    options |= {"heads": heads, "foot": table.pairs[ends:], "totals": 0, "rows": [table.rows[index] for index in order]}
    if ends <= WHOLE:
        return PagedTable(**(options | {"rows": _grouped(options["rows"])} if table.groups else options))
    rows = [table.cells[index] for index in order]
    texts = [_sought(row) for row in rows]
    turning, shown = _page_rows(table.name, texts, asked)
    return PagedTable(**{**options, "rows": [rows[index] for index in shown], "turning": turning})


def _grouped(rows: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
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
    if not table.sorts or ends < _SORTED_FROM:
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
        there = {f"page-{anchor}": "", word: f"-{number}" if by == number and not falls else str(number)}
        now = ("descending" if falls else "ascending") if by == number else ""
        heads.append(Head(column, "" if column.page_only else _address(asked, anchor, there), now))
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


# The rows of a table in HTML.
#
# A page has a thousand cells; Django's templates take five times as long for them as the few lines here, which is a
# fifth of what some pages cost when they are looked at first.


class _Row(NamedTuple):
    """What the cells of a row share: the text of its first, and the hidden box of a form against forged ones."""

    name: str
    token: str


def table_body(table: Table, token: str) -> SafeString:
    """Return the rows of a table, without the element around them."""
    opened = [_opened(column) for column in table.columns]
    rows = (_row(opened, row, token) for row in table.cells)
    return mark_safe("\n".join(rows))  # noqa: S308 - every text is escaped below


def _opened(column: Column) -> str:
    """Return how each cell of a column begins, up to its classes."""
    # Buttons stand at the right under no heading; what has one stands under it.
    classes = "number" if column.number else "actions" if column.page_only and not column.label else ""
    return f'<td data-label="{escape(column.label)}" class="{classes}'


def _row(opened: Sequence[str], cells: Sequence[Cell], token: str) -> str:
    row = _Row(cells[0].text if cells else "", token)
    written = []
    for number, (begins, cell) in enumerate(zip(opened, cells, strict=True)):
        inside = _inside(cell, row, is_first=number == 0)
        written.append(f'{begins}{" long" if cell.is_long else ""}">{inside}{_note(cell)}</td>')
    return f"<tr>{''.join(written)}</tr>"


def _inside(cell: Cell, row: _Row, *, is_first: bool) -> str:
    """Return a button, a verdict, a link or a bare text."""
    if cell.form:
        return _button(cell, row)
    if cell.chip:
        drawn = chip(cell.chip, cell.text, cell.icon)
        return f'<a href="{escape(cell.href)}">{drawn}</a>' if cell.href else drawn
    text = _escaped(cell.text)
    whole = ' class="day"' if cell.is_whole else ""
    if not cell.href:
        return f"<span{whole}>{text}</span>"
    of = f'<span class="quiet"> {_number_of_whom(row.name)}</span>' if cell.is_bare and not is_first else ""
    return f'<a href="{escape(cell.href)}"{whole}>{text}{of}</a>'


def _button(cell: Cell, row: _Row) -> str:
    of = f'<span class="quiet">: {escape(row.name)}</span>'
    button = f'<button class="small" type="submit">{_escaped(cell.text)}{of}</button>'
    return f'<form method="post" action="{escape(cell.form)}">{row.token}{button}</form>'


def _note(cell: Cell) -> str:
    if not cell.note:
        return ""
    return f" <small>{_escaped(cell.note)}</small>"


@lru_cache(maxsize=2_000)
def _number_of_whom(name: str) -> str:
    """Return whose a number is, for somebody who hears links one after another."""
    return render_to_string("parts/of.html", {"text": name})


def _escaped(text: object) -> str:
    """Return a text for a page; what is markup of ours already stays."""
    return text if isinstance(text, SafeString) else escape(str(text))


# What pages say otherwise than files, programs and signed papers: no name in it has an underscore.
#
# A page says ``soybean oil`` where the book writes ``soybean_oil``, and names a column by its heading.

_LABELLED: Final[Mapping[str, Kind]] = {kind.label: kind for kind in KINDS.values()}
_COLUMN: Final = re.compile(r"([^,]+)(.*, column )(\w+)")


def place_said(place: object) -> str:
    """Write a place in a farm's records with its column by its heading; a file's columns are called as in the file."""
    text = str(place)
    found = _COLUMN.fullmatch(text)
    column = _field(found[1], found[3]) if found else None
    return f"{found[1]}{found[2]}{column.label}" if found and column else text


def cause_said(problem: Problem) -> str:
    """Write what is wrong with a row: a choice that it quotes stands there in words."""
    column = _field(problem.place.file, problem.place.column)
    if column is None or column.kind is not ColumnKind.CHOICE:
        return problem.cause
    quoted = {f"'{option}'": f"'{option.replace('_', ' ')}'" for option in column.options}
    return next((problem.cause.replace(*pair, 1) for pair in quoted.items() if pair[0] in problem.cause), problem.cause)


def _field(label: str, column: str) -> Field | None:
    """Return a column of the kind of record that is called so."""
    kind = _LABELLED.get(label)
    return kind.fields.get(column) if kind else None
