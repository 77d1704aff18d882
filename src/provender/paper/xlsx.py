"""Workbooks that people open: texts stay texts, formulas stand only where they are asked for, same input, same bytes.

A text that begins with ``=``, ``+``, ``-`` or ``@`` is written as a text cell, so no spreadsheet runs it. A live
formula is asked for by ``Formula`` and carries the value it should give.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Final

from provender.paper.glyphs import without_controls
from provender.paper.palette import ACCENT, FAINT, PAPER

if TYPE_CHECKING:
    import xlsxwriter
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

MAX_TEXT: Final = 32_767
MAX_SHEET_NAME: Final = 31
MAX_CHOICES: Final = 255

_FORBIDDEN_IN_NAMES: Final = frozenset("[]:*?/\\")
_WIDEST: Final = 60
_OPTIONS: Final = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "nan_inf_to_errors": False,
}


@dataclass(frozen=True, slots=True)
class Formula:
    """A live formula.

    Attributes:
        text: the formula with its ``=``; the caller wrote it, no data stands in it.
        value: what it should give, for readers that do not calculate.
    """

    text: str
    value: int | float | str = 0


@dataclass(frozen=True, slots=True)
class Number:
    """A number with the decimals it is shown with."""

    value: int | float
    places: int = 2


Cell = str | int | date | bool | Number | Formula | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet: a head and rows below it.

    Attributes:
        name: as on its tab; characters that tabs cannot have become ``-``.
        head: names of the columns, each with its unit.
        rows: cells from left to right.
        notes: help for a column by its name, shown on its head.
        choices: allowed values of a column by its name, offered as a drop-down; 255 characters together at most.
    """

    name: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    notes: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[str, Sequence[str]] = field(default_factory=dict)


def workbook(sheets: Sequence[Sheet], *, title: str, as_of: date) -> bytes:
    """Write a workbook.

    Args:
        sheets: in order of their tabs; names that meet after shortening get a number.
        title: in the file's properties.
        as_of: the day in the file's properties.

    Returns:
        The bytes of an ``.xlsx`` file: frozen heads, filters, columns as wide as their content.

    Raises:
        ValueError: the choices of a column are too long for a drop-down.
    """
    import xlsxwriter

    stream = BytesIO()
    with xlsxwriter.Workbook(stream, _OPTIONS) as book:
        book.set_properties(
            {
                "title": without_controls(title),
                "author": "provender",
                "created": datetime(as_of.year, as_of.month, as_of.day, tzinfo=UTC).replace(tzinfo=None),
            }
        )
        head = book.add_format(
            {"bold": True, "bg_color": ACCENT, "font_color": PAPER, "text_wrap": True, "valign": "top"}
        )
        styles = _Styles(book)
        taken: set[str] = set()
        for sheet in sheets:
            page = book.add_worksheet(_tab(sheet.name, taken))
            _write_head(page, sheet, head)
            for down, row in enumerate(sheet.rows, start=1):
                for across, cell in enumerate(row):
                    _write(page, (down, across), cell, styles)
            _fit(page, sheet)
    return stream.getvalue()


class _Styles:
    """Formats by what they show, each made once."""

    def __init__(self, book: "xlsxwriter.Workbook") -> None:
        self._book = book
        self._numbers: dict[int, Format] = {}
        self.day = book.add_format({"num_format": "yyyy-mm-dd", "align": "left"})
        self.formula = book.add_format({"bg_color": FAINT})

    def number(self, places: int) -> "Format":
        if places not in self._numbers:
            decimals = "." + "0" * places if places else ""
            self._numbers[places] = self._book.add_format({"num_format": f"#,##0{decimals}"})
        return self._numbers[places]


def _tab(name: str, taken: set[str]) -> str:
    plain = "".join("-" if letter in _FORBIDDEN_IN_NAMES else letter for letter in without_controls(name)).strip("' ")
    candidate = _cut(plain or "Sheet", MAX_SHEET_NAME)
    count = 1
    while candidate.casefold() in taken or candidate.casefold() == "history":
        count += 1
        candidate = f"{_cut(plain, MAX_SHEET_NAME - 5)} ({count})"
    taken.add(candidate.casefold())
    return candidate


def _cut(name: str, most: int) -> str:
    """Shorten a name as spreadsheets count: a letter beyond the basic plane counts twice."""
    units = name.encode("utf-16-le")[: 2 * most]
    return units.decode("utf-16-le", errors="ignore").rstrip("' ")


def _write_head(page: "Worksheet", sheet: Sheet, head: "Format") -> None:
    for across, name in enumerate(sheet.head):
        page.write_string(0, across, _fitting(name), head)
        if name in sheet.notes:
            page.write_comment(0, across, _fitting(sheet.notes[name]), {"x_scale": 2})
        if name in sheet.choices:
            _offer(page, across, sheet.choices[name], last=max(len(sheet.rows), 1000))
    page.freeze_panes(1, 0)
    if sheet.head:
        page.autofilter(0, 0, max(len(sheet.rows), 1), len(sheet.head) - 1)


def _offer(page: "Worksheet", across: int, choices: Sequence[str], *, last: int) -> None:
    if len(",".join(choices)) > MAX_CHOICES:
        raise ValueError(f"a drop-down holds {MAX_CHOICES} characters; these choices have more: {choices[0]}, ...")
    rule = {"validate": "list", "source": [without_controls(one) for one in choices], "error_type": "warning"}
    page.data_validation(1, across, last, across, rule)


def _write(page: "Worksheet", place: tuple[int, int], cell: Cell, styles: _Styles) -> None:
    if cell is None:
        return
    if isinstance(cell, Formula):
        page.write_formula(*place, cell.text, styles.formula, cell.value)
    elif isinstance(cell, Number):
        page.write_number(*place, cell.value, styles.number(cell.places))
    elif isinstance(cell, bool):
        page.write_string(*place, "yes" if cell else "no")
    elif isinstance(cell, int):
        page.write_number(*place, cell)
    elif isinstance(cell, date):
        page.write_datetime(
            *place, datetime(cell.year, cell.month, cell.day, tzinfo=UTC).replace(tzinfo=None), styles.day
        )
    else:
        page.write_string(*place, _fitting(cell))


def _fitting(text: str) -> str:
    return without_controls(text)[:MAX_TEXT]


def _fit(page: "Worksheet", sheet: Sheet) -> None:
    for across, name in enumerate(sheet.head):
        texts = [
            str(row[across]) for row in sheet.rows if across < len(row) and isinstance(row[across], str | int | date)
        ]
        widest = max([len(name), 10, *map(len, texts)])
        page.set_column(across, across, min(widest + 2, _WIDEST))
