"""From a table of text to typed rows of one kind: every cell parsed, every problem told, nothing dropped in silence."""

import csv
import datetime as dt
import io
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from provender.days import MIXED, UNITED_STATES, DayTextError, is_open, order_in, read_day
from provender.exact import parse
from provender.problem import Place, Problem, ProblemsError, Weight
from provender.records.field import KEY, TEXT_MAX, ColumnKind, Field, is_shortened
from provender.records.kind import COMMON, DAY_COLUMNS, IncompleteRow, Kind, Record, incomplete_row_of

# From the text of a cell to a typed value: one parser per kind of column.

Value = str | int | bool | dt.date | None

YES: Final = frozenset({"yes", "y", "true", "1", "x"})
NO: Final = frozenset({"no", "n", "false", "0"})
_BELOW_ONE = re.compile(r"\+?0*\.\d*[1-9]\d*", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class CellError(ValueError):
    """A cell that cannot be read: why, and what to write instead."""

    def __init__(self, cause: str, remedy: str) -> None:
        super().__init__(cause)
        self.cause = cause
        self.remedy = remedy


def _key(text: str, _: Field) -> str:
    if not KEY.fullmatch(text):
        if is_shortened(text):
            remedy = "Export the list again as text, or type the number from the paper."
            raise CellError(f"{text!r}: a spreadsheet shortened the number, and its digits are lost", remedy)
        raise CellError(f"{text[:80]!r} is no identifier", "Use letters, digits and . _ : / # - ( ), at most 80.")
    return text


def _text(text: str, _: Field) -> str:
    if len(text) > TEXT_MAX:
        raise CellError(f"the text has {len(text):,} characters", f"Keep it within {TEXT_MAX:,}.")
    return text


def _choice(text: str, field: Field) -> str:
    folded = re.sub(r"[\s-]+", "_", text.casefold())
    if folded in field.options:
        return folded
    # Of units the nearest in letters is another one: lb P/ac is no lb/ac.
    near = [] if any("/" in option for option in field.options) else get_close_matches(folded, field.options, n=1)
    hint = f"Did you mean {near[0]}? " if near else ""
    raise CellError(f"{text[:80]!r} is not among the choices", f"{hint}Write one of: {', '.join(field.options)}.")


def _quantity(text: str, field: Field) -> int:
    plain, stated = _without_unit(text, field.unit)
    try:
        if field.share and not stated and _BELOW_ONE.fullmatch(plain):
            return parse(plain, field.scale + 2)  # 0.172 is 17.2 percent: two digits more, and a hundred times as much
        return parse(plain, field.scale)
    except ValueError as wrong:
        unit = f" (unit: {field.unit})" if field.unit else ""
        raise CellError(str(wrong)[:200], f"Write the number alone, such as 12.5{unit}.") from None


def _without_unit(text: str, unit: str) -> tuple[str, bool]:
    """Return a number without the column's own unit behind it, and whether that stood there."""
    for written in filter(None, (unit, "%" if unit == "pct" else "")):
        number = text[: -len(written)].rstrip()
        if text.casefold().endswith(written.casefold()) and number[-1:].isdigit():
            return number, True
    return text, False


def _read_whole_number(text: str, _: Field) -> int:
    try:
        return parse(text, 0)
    except ValueError as wrong:
        raise CellError(str(wrong)[:200], "Write a whole number.") from None


def _day(text: str, order: str, zones: tuple[str, ...]) -> dt.date:
    try:
        return read_day(text, order if is_open(text) else "", zones)
    except DayTextError as wrong:
        raise CellError(str(wrong), wrong.remedy) from None


def _yes_no(text: str, _: Field) -> bool:
    folded = text.casefold()
    if folded in YES:
        return True
    if folded in NO:
        return False
    raise CellError(f"{text[:40]!r} is neither yes nor no", "Write yes or no, or leave the cell blank.")


_PARSERS: Final[dict[ColumnKind, Callable[[str, Field], Value]]] = {
    ColumnKind.KEY: _key,
    ColumnKind.TEXT: _text,
    ColumnKind.CHOICE: _choice,
    ColumnKind.QUANTITY: _quantity,
    ColumnKind.WHOLE: _read_whole_number,
    ColumnKind.YES_NO: _yes_no,
}


def read_cell(text: str, field: Field, order: str = "", zones: tuple[str, ...] = UNITED_STATES) -> Value:
    """Read one cell; blank text is None.

    Args:
        text: of the cell.
        field: its column.
        order: ``mdy`` or ``dmy``, where something tells which number of 5/4/2026 is the month.
        zones: see ``days.read_day``.

    Raises:
        CellError: the text does not fit the column.
    """
    clean = (text if text.isascii() else unicodedata.normalize("NFC", text)).strip()
    if not clean:
        return None
    if _CONTROL.search(clean):
        raise CellError("the cell holds control characters", "Type the value again; the file may be damaged.")
    return _day(clean, order, zones) if field.kind is ColumnKind.DAY else _PARSERS[field.kind](clean, field)


# A table of text as it came: file, sheet, heading and numbered rows. Nothing is typed yet.

MAX_BYTES: Final = 64 * 2**20


@dataclass(frozen=True, slots=True)
class TextTable:
    """Rows of text with the place each came from."""

    file: str  # the file's name as the person knows it
    sheet: str  # the sheet, or empty
    heading: tuple[str, ...]  # column names as written
    # (row number as a person counts, cells); ragged rows are kept as they are
    rows: tuple[tuple[int, tuple[str, ...]], ...]


def read_csv_table(path: Path, name: str) -> TextTable:
    """Read a plain UTF-8 CSV file of a RecordBook as text.

    Raises:
        ProblemsError: the file is too large, not UTF-8 or not CSV.
    """
    if path.stat().st_size > MAX_BYTES:
        raise _unusable(name, f"the file has more than {MAX_BYTES // 2**20} MiB", "Split it, or use Parquet.")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = path.read_bytes()[: wrong.start].count(b"\n") + 1
        raise _unusable(name, f"line {line} is not UTF-8 text", "Save the file as CSV UTF-8.") from None
    return parse_csv(text, name)


def with_heading(table: TextTable) -> TextTable:
    """Return the table as it is.

    Raises:
        ProblemsError: it has not even column names. A file that was cut to nothing has lost rows that nobody can count;
            a new one names its columns at least.
    """
    if not table.heading:
        cause = "the file is empty; not even the names of its columns are there"
        remedy = "Bring it back from a copy, or delete the file if it never held anything."
        raise _unusable(table.file, cause, remedy)
    return table


def parse_csv(text: str, name: str) -> TextTable:
    """Read CSV text; blank lines are skipped but counted.

    Raises:
        ProblemsError: the text is not CSV (an unclosed quotation, a NUL).
    """
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[tuple[int, tuple[str, ...]]] = []
    heading: tuple[str, ...] | None = None
    first = 1
    try:
        for cells in reader:
            start, first = first, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if heading is None:
                heading = tuple(cell.strip() for cell in cells)
            else:
                rows.append((start, tuple(cells)))
    except csv.Error as wrong:
        raise _unusable(name, f"line {reader.line_num}: {wrong}", "Check the quotation marks there.") from None
    return TextTable(name, "", heading or (), tuple(rows))


def _unusable(name: str, cause: str, remedy: str) -> ProblemsError:
    return ProblemsError([Problem(Place(name), cause + ".", remedy, code="unreadable_file")])


_FARM: Final = "farm_id"
_MOST_UNKNOWN: Final = 50
"""Columns that are none of a kind's and are told one by one; a table of thousands of them is another table."""


@dataclass(slots=True)
class TableRead:
    """What came of one table."""

    rows: list[Record]  # typed; cells that could not be read are None
    problems: list[Problem] = field(default_factory=list)  # what a person must fix
    incomplete_rows: list[IncompleteRow] = field(default_factory=list)  # rows that could not be read in full


@dataclass(slots=True)
class _Sheet:
    """One table on its way to rows."""

    kind: Kind
    table: TextTable
    farm_id: str
    zones: tuple[str, ...] = UNITED_STATES
    order: str = ""
    most: int = sys.maxsize
    problems: list[Problem] = field(default_factory=list)
    incomplete_rows: list[IncompleteRow] = field(default_factory=list)
    told: dict[int, list[Problem]] = field(default_factory=dict)  # of a row, by its index

    def check_damage(self, rows: int) -> None:
        """Let no table take the memory that telling of each of so many rows takes."""
        if rows > self.most:
            cause = f"more than {self.most:,} of its rows cannot be read"
            raise _unusable(self.table.file, cause, "Export the file again, or mend its rows.")

    def place(self, row: int = 0, column: str = "") -> Place:
        """Return where something stands in this table."""
        return Place(self.table.file, self.table.sheet, row, column)

    def tell(self, place: Place, cause: str, remedy: str, code: str, cite: str = "") -> None:
        self.problems.append(Problem(place, cause, remedy, cite, code=code))


def read_table(
    kind: Kind,
    table: TextTable,
    *,
    farm_id: str,
    order: str = "",
    otherwise: str = "",
    zones: tuple[str, ...] = UNITED_STATES,
    most: int = sys.maxsize,
) -> TableRead:
    """Read one table of one kind of record.

    Args:
        kind: of its rows.
        table: as text.
        farm_id: fills a blank farm column.
        order: which of two numbers is the month, where a person or other days of the file say so: ``mdy`` or ``dmy``.
        otherwise: likewise, where neither that nor a day of this table tells: as the farm's country writes days. It is
            told once, to be confirmed.
        zones: see ``days.read_day``.
        most: how many of its rows may be damaged.

    Raises:
        ProblemsError: more of its rows are.
    """
    sheet = _Sheet(kind, table, farm_id, zones, most=most)
    where = _match_columns(sheet)
    sheet.order, told = settled_order(list(day_texts(kind, table)), order, otherwise, sheet.place)
    sheet.problems += told
    return TableRead(_read_rows(sheet, where), sheet.problems, sheet.incomplete_rows)


def _read_rows(sheet: _Sheet, where: Mapping[str, int]) -> list[Record]:
    """Read a table column by column; rows that lack what they need are left out, and told."""
    kind, rows, count = sheet.kind, sheet.table.rows, len(sheet.table.rows)
    for at, (number, cells) in enumerate(rows):
        if len(cells) != len(sheet.table.heading) and (ragged := _ragged(sheet, number, cells)):
            sheet.told[at] = ragged
            sheet.check_damage(len(sheet.told))
    nothing: list[Value] = [None] * count
    read: dict[str, list[Any]] = {}
    for name in kind.typed_fields:
        if name in where:
            read[name] = _read_column(sheet, name, where[name])
    read[_FARM] = [sheet.farm_id if farm is None else farm for farm in read.get(_FARM, nothing)]
    read["source_file"], read["source_sheet"] = [sheet.table.file] * count, [sheet.table.sheet or None] * count
    read["source_row"] = [number for number, _ in rows]
    required = [read.get(name, nothing) for name in kind.required]
    lost = {at for values in required if None in values for at, value in enumerate(values) if value is None}
    damaged = sorted(lost | sheet.told.keys())
    sheet.check_damage(len(damaged))
    for at in damaged:
        _tell_damage(sheet, {name: values[at] for name, values in read.items()}, sheet.told.get(at, []))
    names, whole = tuple(read), zip(*read.values(), strict=True)
    return [kind.row(**dict(zip(names, values, strict=True))) for at, values in enumerate(whole) if at not in lost]


def _read_column(sheet: _Sheet, name: str, place: int) -> list[Value]:
    """Return the values of a column, None where there is none; each distinct text is read once, as most stand again."""
    field = sheet.kind.fields[name]
    texts = [cells[place] if place < len(cells) else "" for _, cells in sheet.table.rows]
    known: dict[str, Value] = {}
    wrong: dict[str, CellError] = {}
    for text in dict.fromkeys(texts):
        try:
            known[text] = read_cell(text, field, sheet.order, sheet.zones) if text else None
        except CellError as trouble:
            known[text], wrong[text] = None, trouble
    for at, text in enumerate(texts if wrong else ()):
        if why := wrong.get(text):
            here, code = sheet.place(sheet.table.rows[at][0], name), f"unreadable_{field.kind}"
            sheet.told.setdefault(at, []).append(Problem(here, f"{why.cause}.", why.remedy, field.cite, code=code))
            sheet.check_damage(len(sheet.told))
    return [known[text] for text in texts]


def _tell_damage(sheet: _Sheet, row: Mapping[str, Value], told: list[Problem]) -> None:
    """Tell what is wrong with a row, and how far that reaches."""
    lacking = [name for name in sheet.kind.required if row.get(name) is None]
    sheet.problems += told
    for name in lacking:
        if all(each.place.column != name for each in told):
            place, found = sheet.place(int(str(row["source_row"])), name), sheet.kind.fields[name]
            sheet.tell(place, f"{found.label} is blank.", "Fill it in.", "blank_required", found.cite)
    sheet.incomplete_rows.append(reach_of(sheet.kind, row, lacking))


def column_names(kind: Kind) -> dict[str, str]:
    """Return the column that each heading means, case aside: labels and names, a name before a label."""
    fields = kind.typed_fields
    return {found.label.casefold(): name for name, found in fields.items()} | {name: name for name in fields}


def day_texts(kind: Kind, table: TextTable) -> Iterator[tuple[int, str, str]]:
    """Yield row, column and text of every day of a table that is not blank."""
    known = column_names(kind)
    names = [known.get(heading.casefold(), "") for heading in table.heading]
    days = [at for at, name in enumerate(names) if name and kind.fields[name].kind is ColumnKind.DAY]
    for number, cells in table.rows:
        yield from ((number, names[at], cells[at]) for at in days if at < len(cells) and cells[at].strip())


def settled_order(
    days: Sequence[tuple[int, str, str]], order: str, otherwise: str, place: Callable[[int, str], Place]
) -> tuple[str, list[Problem]]:
    """Return which of two numbers is the month, by row, column and text of all days; empty where nothing tells.

    ``order`` is what a person said; a guess from the farm's country, ``otherwise``, is told once, to be confirmed.
    """
    unsettled = [day for day in days if is_open(day[2])]
    found = order or (order_in(text for _, _, text in days) if unsettled else "")
    if found or not unsettled or not otherwise:
        return "" if found == MIXED else found, []
    row, column, text = unsettled[0]
    first = "the month" if otherwise == "mdy" else "the day"
    cause = f"{text!r} and {len(unsettled) - 1} more days" if len(unsettled) > 1 else f"{text!r}"
    cause += f" can be read two ways; {first} was taken to come first, as the country writes days."
    remedy = "Confirm it, or say which comes first."
    return otherwise, [Problem(place(row, column), cause, remedy, weight=Weight.CONFIRM, code="day_order")]


def _match_columns(sheet: _Sheet) -> dict[str, int]:
    """Find each typed column by its name or label; unknown, doubled and missing columns are problems."""
    fields = sheet.kind.typed_fields
    by_label = column_names(sheet.kind)
    where: dict[str, int] = {}
    unknown: list[str] = []
    for index, heading in enumerate(sheet.table.heading):
        name = by_label.get(heading.casefold())
        if not heading:
            continue
        if name is None:
            unknown.append(heading)
        elif name in where:
            cause = f"Column {name} stands there twice."
            sheet.tell(sheet.place(column=heading), cause, "Keep one of the two.", "double_column")
            sheet.incomplete_rows.append(IncompleteRow(sheet.kind.name, sheet.farm_id))
        else:
            where[name] = index
    _report_unknown(sheet, list(fields), unknown)
    if sheet.table.heading:
        _report_missing(sheet, fields, where)
    return where


def _report_unknown(sheet: _Sheet, names: list[str], unknown: Sequence[str]) -> None:
    """Tell of columns that are none of the kind's: the first of them one by one, with a name that is near."""
    sheet.incomplete_rows += [IncompleteRow(sheet.kind.name, sheet.farm_id)] * len(unknown)
    for heading in unknown[:_MOST_UNKNOWN]:
        near = get_close_matches(heading.casefold(), names, n=1)
        remedy = f"Did you mean {near[0]}?" if near else f"Columns are: {', '.join(names)}."
        sheet.tell(sheet.place(column=heading), f"There is no column {heading!r} here.", remedy, "unknown_column")
    if (more := len(unknown) - _MOST_UNKNOWN) > 0:
        cause = f"{more} more columns have names that are not known here, the last of them {unknown[-1]!r}."
        sheet.tell(sheet.place(column=unknown[-1]), cause, f"Columns are: {', '.join(names)}.", "unknown_column")


def _report_missing(sheet: _Sheet, fields: Mapping[str, Field], where: Mapping[str, int]) -> None:
    """Tell of columns without which no row can be used; another that is missing is an answer that is missing."""
    for name, found in fields.items():
        if name in where or name in COMMON or not found.required:
            continue
        remedy = "Add the column and fill it."
        sheet.tell(sheet.place(column=name), f"Column {name} is missing.", remedy, "missing_column", found.cite)
        sheet.incomplete_rows.append(IncompleteRow(sheet.kind.name, sheet.farm_id))


def _ragged(sheet: _Sheet, number: int, cells: tuple[str, ...]) -> list[Problem]:
    """Return what is wrong with a row that has more cells than the heading, or fewer."""
    place, code = sheet.place(number), "ragged_row"
    if len(cells) > len(sheet.table.heading):
        extra = [cell for cell in cells[len(sheet.table.heading) :] if cell.strip()]
        cause = f"The row has more cells than the heading: {extra[0][:40]!r}." if extra else ""
        remedy = "A comma inside a text needs quotation marks around it."
        return [Problem(place, cause, remedy, code=code)] if extra else []
    # Where a file was cut off, its last row is short, and nobody knows what followed.
    if number == sheet.table.rows[-1][0]:
        sheet.incomplete_rows.append(IncompleteRow(sheet.kind.name, sheet.farm_id))
    cause = f"The row has {len(cells)} cells, the heading {len(sheet.table.heading)}; the file may be cut off."
    return [Problem(place, cause, "Fill the row up with commas, or save the file again.", code=code)]


def reach_of(kind: Kind, row: Mapping[str, Value], lacking: Sequence[str]) -> IncompleteRow:
    """Say how far a damaged row reaches: its day, its unit, or its kind on the whole farm."""
    is_placed = not any(kind.fields[name].kind is ColumnKind.KEY for name in lacking)
    is_dated = kind.name not in DAY_COLUMNS or row.get(DAY_COLUMNS[kind.name]) is not None
    return incomplete_row_of(kind.name, row, is_placed=is_placed and is_dated)
