"""Workbooks that people open: texts stay texts, formulas stand only where they are asked for, same input, same bytes.

A text that begins with ``=``, ``+``, ``-`` or ``@`` is written as a text cell, so no spreadsheet runs it. A live
formula is asked for by ``Formula`` and carries the value it should give.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum
from io import BytesIO
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, get_args

from provender.exact import SCALE, Amount, Scaled, show
from provender.paper.svg import ACCENT, FAINT, PAPER, without_controls
from provender.schema import Info, infos, types_of, wire_of

if TYPE_CHECKING:
    import xlsxwriter
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet


MAX_TEXT: Final = 32_767
MAX_SHEET_NAME: Final = 31
_MAX_CHOICES: Final = 255

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
    """A live formula."""

    text: str  # the formula with its ``=``; the caller wrote it, no data stands in it
    value: int | float | str = 0  # what it should give, for readers that do not calculate


@dataclass(frozen=True, slots=True)
class Number:
    """A number with the decimals it is shown with."""

    value: int | float
    places: int = 2


XlsxCell = str | int | date | bool | Number | Formula | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet: a head and rows below it."""

    name: str  # as on its tab; characters that tabs cannot have become ``-``
    head: Sequence[str]  # names of the columns, each with its unit
    rows: Sequence[Sequence[XlsxCell]]  # cells from left to right
    notes: Mapping[str, str] = field(default_factory=dict)  # help for a column by its name, shown on its head
    # allowed values of a column by its name, offered as a drop-down; 255 characters together at most
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

    def fill(book: "xlsxwriter.Workbook") -> None:
        head = book.add_format(
            {"bold": True, "bg_color": ACCENT, "font_color": PAPER, "text_wrap": True, "valign": "top"}
        )
        styles = _Styles(book)
        taken: set[str] = set()
        for sheet in sheets:
            page = book.add_worksheet(tab_name(sheet.name, taken))
            _write_head(page, sheet, head)
            for down, row in enumerate(sheet.rows, start=1):
                for across, cell in enumerate(row):
                    _write(page, (down, across), cell, styles)
            _fit(page, sheet)

    return write_workbook(title, as_of, fill)


def write_workbook(title: str, as_of: date, fill: Callable[["xlsxwriter.Workbook"], None]) -> bytes:
    """Return a workbook that ``fill`` writes its sheets into; the same day gives the same bytes."""
    import xlsxwriter

    stream = BytesIO()
    with xlsxwriter.Workbook(stream, _OPTIONS) as book:
        made = datetime(as_of.year, as_of.month, as_of.day, tzinfo=UTC).replace(tzinfo=None)
        book.set_properties({"title": without_controls(title), "author": "provender", "created": made})
        fill(book)
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


def tab_name(name: str, taken: set[str]) -> str:
    """Return a name that spreadsheet programs accept and that no other sheet has, and add it to those taken."""
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
    if len(",".join(choices)) > _MAX_CHOICES:
        raise ValueError(f"a drop-down holds {_MAX_CHOICES} characters; these choices have more: {choices[0]}, ...")
    rule = {"validate": "list", "source": [without_controls(one) for one in choices], "error_type": "warning"}
    page.data_validation(1, across, last, across, rule)


def _write(page: "Worksheet", place: tuple[int, int], cell: XlsxCell, styles: _Styles) -> None:
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


# Tables that people see and can save: one description gives the page, the screen, the CSV and the XLSX.

ICONS: Final = {"met": "check", "not-met": "cross", "not-shown": "question", "waiting": "dots"}
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
"""How a text begins that a spreadsheet would take for a formula when it opens a CSV."""
DAY: Final = re.compile(r"\d{4}-\d\d-\d\d|[A-Z][a-z]{2} \d{1,2}, \d{4}(?:, \d\d:\d\d)?")
_ISO_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_FIRST_YEAR: Final = 1901
"""From then on all spreadsheets count days alike."""
NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,14})(?:\.\d+)?", re.ASCII)
"""A number as screens show it; what begins with a nought is a name."""
NAME: Final = re.compile(r"[\w./#-]{1,14}")
LONG: Final = 26
"""Characters beyond which a text takes the whole width of a card on a phone."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its text, and what the page makes of it."""

    text: str  # what is shown, and saved unless ``saved`` says otherwise
    href: str = ""  # where a click leads
    chip: str = ""  # a verdict's class (``met``, ``not-met``, ``not-shown``) or ``plain``; empty for bare text
    form: str = ""  # address of a button that posts, with ``text`` on it
    note: str = ""  # small print under the text; not saved
    saved: str | Decimal | int | None = None  # in a file, where that is another text or a number; None saves the text
    unit: str = ""  # in which the number is, where the rows of a column differ in it; ``text`` says it as well
    style: str = ""  # of a terminal; never the only carrier of a meaning
    typed: bool = False  # somebody typed its text: what looks like a day in it is none

    @property
    def in_file(self) -> str | Decimal | int:
        return self.text if self.saved is None else self.saved

    @property
    def icon(self) -> str:
        """Return the icon of its chip: never colour alone."""
        return ICONS.get(self.chip, "")

    @property
    def is_day(self) -> bool:
        """Whether the text is a day, such as 2026-10-05 or Oct 5, 2026, which is never broken over two lines."""
        return DAY.fullmatch(self.text) is not None

    @property
    def is_whole(self) -> bool:
        """Whether the text is a day or a short name such as C1-0, neither of which is broken over two lines."""
        return self.is_day or NAME.fullmatch(self.text) is not None

    @property
    def is_long(self) -> bool:
        """Whether a card on a phone gives the text its whole width."""
        return max(len(self.text), len(self.note)) > LONG

    @property
    def is_bare(self) -> bool:
        """Whether the text is a number alone, which says nothing to somebody who hears links one after another."""
        return self.text.isdecimal()


@dataclass(frozen=True, slots=True)
class Column:
    """One column."""

    label: str  # its heading, with its unit
    short: str = ""  # its heading on a terminal, where the label is too wide
    number: bool = False  # its cells are aligned to the right and never broken; what reads as a number is one in a file
    measured: bool = False  # each of its numbers says its unit, which a file has in a column of its own
    page_only: bool = False  # it holds buttons and is not saved
    file_only: bool = False  # it is saved, and no page shows it: a fingerprint, a paragraph


Row = list[Cell | str]
"""One cell a column; a plain text stands for a cell with that text."""


def heads(*labels: str | Column) -> list[Column]:
    """Return columns by their headings, of which one that is empty holds buttons; one of numbers is ``numeric``."""
    return [one if isinstance(one, Column) else Column(one, page_only=not one) for one in labels]


def numeric(label: str) -> Column:
    return Column(label, number=True)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns."""

    name: str  # of its file, or its sheet in a workbook
    columns: Sequence[Column]  # from left to right
    rows: Sequence[Sequence[Cell | str]]
    empty: str = "Nothing here yet."  # what an empty table says to do next
    caption: str = ""  # above the table
    begin: tuple[str, str] = ("", "")  # label and address of the button under ``empty``; empty for none
    totals: int = 0  # how many rows at the end are sums, set apart
    sorts: bool = False  # whether a page offers to sort it by a column: it holds all of its rows
    groups: bool = False  # whether a page says the first word of rows in a group once, at the first of them
    file: str = ""  # what its file is called, where that says more than its name, such as of which days it is
    cells: list[list[Cell]] = field(init=False)  # the rows, all of cells

    def __post_init__(self) -> None:
        """Make a cell of each plain text."""
        cells = [[cell if isinstance(cell, Cell) else Cell(cell) for cell in row] for row in self.rows]
        object.__setattr__(self, "cells", cells)

    @property
    def pairs(self) -> list[list[tuple[Column, Cell]]]:
        return [list(zip(self.columns, row, strict=True)) for row in self.cells]

    def for_file(self) -> list[list[tuple[Column, Cell]]]:
        return [self._saved(row) for row in self.pairs]

    def _saved(self, row: list[tuple[Column, Cell]]) -> list[tuple[Column, Cell]]:
        unit = next((cell.unit for column, cell in row if column.measured and cell.unit), "")
        kept = [pair for pair in row if not pair[0].page_only]
        at = self._unit_at
        return [*kept[:at], (UNIT, Cell(unit)), *kept[at:]] if at else kept

    @property
    def _unit_at(self) -> int:
        """Return the place in a file of the column of units, behind the last number that has one; 0 for none."""
        kept = [column for column in self.columns if not column.page_only]
        return max((at for at, column in enumerate(kept, 1) if column.measured), default=0)

    @property
    def head(self) -> list[str]:
        kept, at = [column.label for column in self.columns if not column.page_only], self._unit_at
        return [*kept[:at], UNIT.label, *kept[at:]] if at else kept


UNIT: Final = Column("Unit")
"""What a file has beside numbers of several units."""


def year_cell(value: int) -> Cell:
    """Return a year as a cell: a number in a file, without a mark at its thousands."""
    return Cell(str(value), saved=value)


def amount(value: int | None, scale: int = SCALE, *, places: int = 0, missing: str = "not recorded") -> Cell:
    """Return a scaled whole number as a cell: grouped on the screen, a number in a file, blank there when missing."""
    if value is None:
        return Cell(missing, saved="")
    return Cell(show(value, scale, places=places, group=True), saved=Decimal(show(value, scale, places=places)))


def quantity(value: int, unit: str, text: str = "") -> Cell:
    """Return an amount with its unit as a cell of a measured column: one text on the screen, a number in a file."""
    return Cell(text or f"{show(value, group=True)} {unit}", saved=Decimal(show(value)), unit=unit)


def safe(text: str, *, number: bool = False) -> str:
    """Keep a spreadsheet from taking a text of a CSV for a formula; in a column of numbers a negative one stays."""
    is_number = number and text.replace("-", "", 1).replace(".", "", 1).replace(",", "").isdigit()
    return f"'{text}" if text.startswith(_FORMULA_STARTS) and not is_number else text


def as_csv(table: Table) -> bytes:
    """Return a table as CSV, UTF-8 with a byte order mark so that spreadsheets read its letters right."""
    out = io.StringIO(newline="")
    # Only the characters of the line end are put in quotation marks: a bare line feed would let a carriage return
    # inside a text break its row in two.
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([safe(label) for label in table.head])
    writer.writerows([_csv_text(column, cell) for column, cell in row] for row in table.for_file())
    return out.getvalue().encode("utf-8-sig")


def _in_file(column: Column, cell: Cell) -> str | Decimal | int:
    """Return what is saved of a cell; in a column of numbers what a screen shows as one is one."""
    saved = cell.in_file
    is_number = column.number and isinstance(saved, str) and NUMBER.fullmatch(saved)
    return Decimal(str(saved).replace(",", "")) if is_number else saved


def _csv_text(column: Column, cell: Cell) -> str:
    saved = _in_file(column, cell)
    return safe(saved, number=column.number) if isinstance(saved, str) else f"{Decimal(saved):f}"


def _as_sheet(table: Table) -> Sheet:
    """Return a table as a sheet of a workbook: numbers as numbers, days as days, texts as texts, none a formula."""
    rows = table.for_file()
    days = _day_columns(rows[: len(rows) - table.totals])
    return Sheet(
        table.name, table.head, [[_sheet_value(*pair, day=at in days) for at, pair in enumerate(row)] for row in rows]
    )


def _day_columns(rows: Sequence[Sequence[tuple[Column, Cell]]]) -> set[int]:
    """Return the places of the columns that hold days and nothing else; what somebody typed stays as it was typed."""
    found: dict[int, bool] = {}
    for row in rows:
        for at, (_, cell) in enumerate(row):
            if cell.in_file != "":
                found[at] = found.get(at, True) and not cell.typed and _day_of(cell.in_file) is not None
    return {at for at, is_day in found.items() if is_day}


def _day_of(saved: str | Decimal | int) -> date | None:
    """Return the day that a text is, as files write it; None for what no spreadsheet counts as one."""
    if not isinstance(saved, str) or not _ISO_DAY.fullmatch(saved):
        return None
    try:
        found = date.fromisoformat(saved)
    except ValueError:
        return None
    return found if found.year >= _FIRST_YEAR else None


def _sheet_value(column: Column, cell: Cell, *, day: bool = False) -> str | int | date | Number | None:
    saved = _in_file(column, cell)
    if day and (found := _day_of(saved)):
        return found
    if not isinstance(saved, Decimal):
        return None if saved == "" else saved
    exponent = saved.normalize().as_tuple().exponent
    return Number(float(saved), max(0, -exponent) if isinstance(exponent, int) else 0)


def as_xlsx(tables: Iterable[Table], *, title: str, as_of: date) -> bytes:
    return workbook([_as_sheet(table) for table in tables], title=title, as_of=as_of)


def table_of(
    cls: type[Any],
    rows: Iterable[object],
    *,
    name: str,
    only: Sequence[str] = (),
    empty: str = "Nothing here yet.",
    caption: str = "",
    cells: Mapping[str, Callable[[Any], Cell]] | None = None,
) -> Table:
    """Return views of one class as a table: headings with units, amounts as numbers.

    Args:
        cls: the view.
        rows: its values.
        name: of the table.
        only: fields to show, in this order; all of them without it.
        empty: what an empty table says to do next.
        caption: above the table.
        cells: how a row shows a field, where it is not the field's value alone: with a link, a note, a chip. Under an
            empty name, what a row offers to do: it stands in a last column that is not saved. An amount whose unit
            each row says for itself is shown as a ``quantity``, unless the units are a column of their own.
    """
    made = cells or {}
    shown = only or [each.name for each in fields(cls)]
    hints, said = types_of(cls), infos(cls)
    alone = {each for each in made if each and "unit" not in shown and _has_units(hints[each], said[each])}
    columns = [
        Column(_heading(said[each]), said[each].label, number=_is_number(hints[each]), measured=each in alone)
        for each in shown
    ]
    lines = [
        [made[each](row) if each in made else _cell_of(getattr(row, each), hints[each]) for each in shown]
        + ([made[""](row)] if "" in made else [])
        for row in rows
    ]
    columns += [Column("", page_only=True)] if "" in made else []
    return Table(name, columns, lines, empty=empty, caption=caption)


def _has_units(kind: object, info: Info) -> bool:
    """Tell whether amounts of a field are in units that neither its type nor its heading names."""
    return not info.unit and wire_of(kind) == wire_of(Amount)


def _heading(info: Info) -> str:
    """Return the label with its unit, unless the label names the unit itself: "Bushels left"."""
    names_it = info.unit == "bu" and info.label.startswith("Bushels")
    return info.label if names_it or not info.unit else f"{info.label} ({info.unit})"


def _cell_of(value: object, kind: object) -> Cell:
    """Return a field of a view as a cell, by its type."""
    scaled = wire_of(kind)
    if isinstance(scaled, Scaled):
        return amount(value if isinstance(value, int) else None, scaled.scale, missing="—")
    if value is None:
        return Cell("—", saved="")
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    if isinstance(value, tuple):
        inside = next(iter(get_args(kind)), NoneType)
        return Cell("; ".join(_cell_of(each, inside).text for each in value))
    if isinstance(value, StrEnum):
        text = value.replace("_", " ")
        return Cell(text[:1].upper() + text[1:], saved=str(value))
    return Cell(value.isoformat() if isinstance(value, date) else str(value))


def _is_number(kind: object) -> bool:
    return isinstance(wire_of(kind), Scaled) or int in (kind, *get_args(kind))
