"""The rows of a table in HTML.

A page has a thousand cells; Django's templates take five times as long for them as the few lines here, which is a fifth
of what some pages cost when they are looked at first.
"""

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from provender.paper.table import Cell, Column, Table
from provender.web.tables import chip


class _Row(NamedTuple):
    """What the cells of a row share: the text of its first, and the hidden box of a form against forged ones."""

    name: str
    token: str


def table_body(table: Table, token: str) -> SafeString:
    """Return the rows of a table, without the element around them.

    Args:
        table: as the page shows it.
        token: the hidden box that a form of the page has against forged ones.
    """
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
    of = f'<span class="quiet"> {_of(row.name)}</span>' if cell.is_bare and not is_first else ""
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
def _of(name: str) -> str:
    """Return whose a number is, for somebody who hears links one after another."""
    return render_to_string("parts/of.html", {"text": name})


def _escaped(text: object) -> str:
    """Return a text for a page; what is markup of ours already stays."""
    return text if isinstance(text, SafeString) else escape(str(text))
