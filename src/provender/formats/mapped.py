"""Anyone's table to rows of a target: a saved map that fits the headings, or a suggestion for a person to confirm."""

import datetime as dt
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, cast

from provender.catalog.materials import BUSHEL_LB, crop_use, farm_crop
from provender.days import UNITED_STATES, is_midnight, orders_of, read_day, says
from provender.days import DayTextError as ValueTextError
from provender.exact import SCALE, parse, show
from provender.formats import columns, units
from provender.formats.child import parse_limited
from provender.formats.columns import Target, TargetField, target, unit_column
from provender.formats.happened import OF_WORK, STATE, is_planned_day, sorted_out, state_of
from provender.formats.parsed import (
    BY_POSITION,
    ColumnMap,
    ColumnRule,
    MappedRow,
    MappedTable,
    Parsed,
    Sheet,
    TextRow,
    WorkbookFile,
    doubt,
    fingerprint,
    note,
    plain_heading,
)
from provender.formats.rates import SCALE_TICKET, UnitsDifferError, per_acre, read_rate
from provender.formats.units import UnitError
from provender.problem import Place, Problem, Weight, listed
from provender.records.field import ColumnKind, as_printed, lost_digits
from provender.records.kind import KINDS, Kind
from provender.records.reading import CellError, TextTable, column_names, read_cell, settled_order
from provender.schema import read

# A cell that cannot be read stays as it is written beside its problem, so that the record parser sees it too and the
# row counts as damaged, never as missing; one that the record parser could mistake for a value in its own unit is left
# out.

_OF_THE_MAP: Final = frozenset({"no_unit", "skipped_rows", "unused_rows", "double_column", "rows_above"})
_NO_UNIT: Final = ("", "ph", "amount", "degrees")
_OF_UTC: Final = re.compile(r"(?<![A-Za-z])(?:UTC|GMT|Zulu)(?![A-Za-z])", re.IGNORECASE)
_CLOCK: Final = re.compile(r"\d:\d\d")
_TIMES: Final = re.compile(r"\b(?:times?|dates?|clocks?|zone|hours?)\b", re.IGNORECASE)
_NUMBERED: Final = frozenset({"number", "ticket_id"})
"""What tickets and contracts are called by."""
_REMEMBERED: Final = 5_000
"""How many texts of a column are remembered: more are numbers that hardly come again."""
_PLAIN: Final = re.compile(r"\d{1,15}(?:\.\d{1,3})?", re.ASCII)
"""A number that everybody writes alike and no scale cuts."""
_FIGURES: Final = re.compile(r"[-+\d.,]+", re.ASCII)
"""What the record's own parser could read as another number than is meant."""


@dataclass(slots=True)
class _Work:
    """One sheet on its way through a map."""

    file: str
    sheet: str
    map: ColumnMap
    target: Target
    order: str = ""
    zones: tuple[str, ...] = UNITED_STATES
    problems: list[Problem] = field(default_factory=list)
    of_utc: bool = False  # a line above the headings says it of all times
    clock: int | None = None  # the column of a clock by UTC that stands beside days without a time
    top: str = ""  # how deep the sample of the row begins
    remarks: list[str] = field(default_factory=list)  # what the row's note is to keep
    rounded: set[str] = field(default_factory=set)  # headings
    unitless: dict[str, int] = field(default_factory=dict)
    orders: dict[str, dict[str, tuple[str, int]]] = field(default_factory=lambda: defaultdict(dict))
    words: dict[str, dict[str, str]] = field(default_factory=dict)
    read: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    """By heading, what texts of its column mean that gave nothing to tell: most columns hold few different ones."""

    def place(self, row: int, column: str = "") -> Place:
        return Place(self.file, self.sheet, row, column)

    def ask(self, row: int, column: str, cause: str, remedy: str, code: str) -> None:
        self.problems.append(doubt(self.place(row, column), cause, remedy, code))

    def tell_rounded(self, row: int, column: str) -> None:
        if column not in self.rounded:
            self.rounded.add(column)
            cause = f"values of {column!r} have more decimals than are kept; they were rounded, half to even."
            self.problems.append(note(self.place(row, column), cause, "Nothing to do.", "rounded_values"))

    def tell(self, row: int, column: str, cause: str, remedy: str, code: str) -> None:
        self.problems.append(Problem(self.place(row, column), cause, remedy, code=code))


def heading_of(sheet: Sheet, column_map: ColumnMap) -> TextRow | None:
    """Return the row of a sheet that has the map's headings, or None.

    A map without a fingerprint, as a person writes one, fits where every heading that it names is in one row.
    """
    if column_map.fingerprint == BY_POSITION:
        return sheet.lines[0] if columns.is_positioned(sheet) and columns.fits_position(sheet, column_map) else None
    if column_map.fingerprint:
        return next((line for line in sheet.lines if fingerprint(line.cells) == column_map.fingerprint), None)
    named = {plain_heading(each) for each in column_map.known_by or (rule.heading for rule in column_map.columns)}
    return next((line for line in sheet.lines if named and named <= set(map(plain_heading, line.cells))), None)


def _quantity(work: _Work, rule: ColumnRule, field: TargetField, text: str, row: int) -> str:
    unit, wanted, clean = rule.unit, field.unit, text
    for suffix in dict.fromkeys((unit, wanted, "%" if wanted == "pct" else "")):
        if suffix and clean.lower().endswith(suffix.lower()) and clean[: -len(suffix)].strip():
            clean = clean[: -len(suffix)].strip()
            unit = suffix
            break
    else:
        # A quantity that has no unit takes none from its cell.
        clean, said = columns.behind(clean) if wanted not in _NO_UNIT else (clean, "")
        unit = columns.unit_for(field, said) or unit
    ends = clean.replace("to", "-").split("-") if field.name.startswith("depth") else []
    if len(ends) == 2 and ends[0]:  # noqa: PLR2004 - from and to
        clean = _depth(work, rule, ends, row)
    value = units.read_number(clean, work.map.decimal)
    if not unit and wanted not in _NO_UNIT and f"({wanted})" not in rule.heading:
        work.unitless.setdefault(rule.heading, row)
    elif unit and wanted not in _NO_UNIT:
        value = units.convert(value, unit, wanted)
    out, lossy = units.number_out(value, field.scale)
    if lossy:
        work.tell_rounded(row, rule.heading)
    return out


def _depth(work: _Work, rule: ColumnRule, ends: list[str], row: int) -> str:
    """Return the lower end of a range of depths, since work that goes deeper disturbs more soil.

    A sample that does not begin at the surface is asked about, and so is a range of work.
    """
    top, bottom = (end.strip() for end in ends)
    if work.target.name != columns.SOIL:
        cause = f"the depth {top}-{bottom} was read as its deeper end, {bottom}."
        work.ask(row, rule.heading, cause, "Confirm it, or write one depth.", "depth_range")
    elif units.read_number(top, work.map.decimal) != Fraction(0):
        work.problems.append(units.deep_sample(work.place(row, rule.heading), top, bottom))
        work.top = top
    return bottom


def _cell(work: _Work, rule: ColumnRule, text: str, row: int) -> str:
    """Return what a text means; one that was read before without a doubt means the same again."""
    known = work.read[rule.heading]
    if (value := known.get(text)) is None:
        told = len(work.problems)
        value = _value(work, rule, text, row)
        if told == len(work.problems) and len(known) < _REMEMBERED:
            known[text] = value
    return value


def _word(work: _Work, rule: ColumnRule, field: TargetField, text: str, row: int) -> str | None:
    """Return what a text means that is no number, day or name to be read; None for one that is."""
    if (words := work.words.get(field.name)) is None:
        said = {**field.words, **work.map.words.get(field.name, {})}
        words = work.words[field.name] = {key.casefold(): word for key, word in said.items() if word}
    if words and text.casefold() in words:
        return words[text.casefold()]
    if field.name == STATE:
        return state_of(text, rule.heading)
    if columns.is_rated(work.target, field) and units.is_limit(text):
        work.problems.append(units.limit_not_value(work.place(row, rule.heading), field.label, text))
        work.remarks.append(f"{field.label}: {text}")
        return ""
    if columns.is_rated(work.target, field) and not says(text):
        return ""  # not measured
    if field.name == "method" and (method := units.method_of(text)) in KINDS[work.target.name].fields["method"].options:
        return method
    if field.name == "termination_method" and (ended := units.ending_of(text)):
        return ended
    if not ((field.name == "crop" and field.kind == "choice") or field.name == "entry_crop"):
        return None
    named = (crop_use if work.target.name == "reported_acres" else farm_crop)(text)
    # Its use is told by the word, or forage sorghum would become grain.
    return named.crop if named and (named.is_grain or named.crop not in BUSHEL_LB) else None


def _value(work: _Work, rule: ColumnRule, text: str, row: int) -> str:
    field = work.target.fields[rule.field]
    if (word := _word(work, rule, field, text, row)) is not None:
        return word
    if field.name in _NUMBERED:
        text = as_printed(text)
    elif columns.is_rated(work.target, field):
        text = units.without_rating(text)
    try:
        if field.kind == "quantity":
            if rule.unit == field.unit and work.map.decimal == "." and _PLAIN.fullmatch(text) and field.scale >= SCALE:
                return show(parse(text, field.scale), field.scale)
            return _quantity(work, rule, field, text, row)
        if field.kind == "day":
            possible = orders_of(text)
            if len(possible) == 1:
                work.orders[rule.heading].setdefault(next(iter(possible)), (text, row))
            return _day(work, rule, text, row)
    except ValueTextError as wrong:
        work.tell(row, rule.heading, f"{wrong}.", wrong.remedy, f"unreadable_{field.kind}")
        return "" if field.kind == "quantity" and work.map.decimal != "." else text
    except UnitError as wrong:
        remedy = wrong.remedy or f"State the right unit of {rule.heading!r} in the column map."
        work.tell(row, rule.heading, f"{wrong}; {text!r} was not taken.", remedy, "unit_does_not_fit")
        return ""
    return text


def in_our_words(kind: Kind, column: str, text: str) -> str:
    """Return what a cell of a table of ours says: what our record cannot read is read as a foreign file is.

    What that cannot read either, or only by its day's order, stays as it is written, and is told by the record.
    """
    if column in _NUMBERED:
        return as_printed(text)
    field = kind.typed_fields[column]
    if field.kind not in (ColumnKind.CHOICE, ColumnKind.QUANTITY):
        return text
    try:
        read_cell(text, field)
    except CellError:
        work = _Work("", "", ColumnMap("", kind.name), columns.target(kind.name))
        known = work.target.fields.get(column)
        value = _value(work, ColumnRule(column, column, field.unit), text.strip(), 0) if known else text
        return text if any(one.weight is not Weight.NOTE for one in work.problems) else value
    return text


def with_read_rates(kind: Kind, table: TextTable) -> TextTable:
    """Return a table of ours whose rates are read as those of a foreign one; where that gives a doubt, as written."""
    of, known = target(kind.name), column_names(kind)
    names = [known.get(heading.casefold(), "") for heading in table.heading]
    at = {name: index for index, name in enumerate(names) if name}
    rates = [found.name for found in of.fields.values() if unit_column(of, found) in at and found.name in at]
    rows = []
    for number, cells in table.rows if rates else ():
        values = {name: text for name, index in at.items() if index < len(cells) and (text := cells[index].strip())}
        work = _Work("", "", ColumnMap("", kind.name), of)
        _rates(work, [(values.pop(name), ColumnRule(name, name)) for name in rates if name in values], values, number)
        if any(one.weight is not Weight.NOTE for one in work.problems) or not values.keys() <= at.keys():
            rows.append((number, cells))
        else:
            of_column = {index: values.get(name, "") for name, index in at.items()}
            rows.append((number, tuple(of_column.get(index, cell) for index, cell in enumerate(cells))))
    return replace(table, rows=tuple(rows)) if rates else table


def _day(work: _Work, rule: ColumnRule, text: str, row: int) -> str:
    if work.of_utc or _OF_UTC.search(rule.heading):
        text = f"{text}Z" if _CLOCK.search(text) else f"{text} 00:00Z"
    if is_midnight(text):
        cause = "it says midnight in UTC; that was taken for a day without a time."
        remedy = "Confirm it; if these are times, the work was on the evening before: write the days that it was there."
        work.ask(row, rule.heading, cause, remedy, "midnight_utc")
    return read_day(text, work.order, work.zones).isoformat()


def _skipped(marks: Iterable[str], line: TextRow) -> bool:
    """Tell whether a row begins with a mark, which ends with a blank; *Unit 5* is a field, *units ppm* are units."""
    first = next((plain_heading(cell) for cell in line.cells if cell.strip()), "")
    found = next((mark for mark in marks if f"{first} ".startswith(mark)), "")
    rest = first[len(found) :]
    return bool(found) and (not rest or found.strip() not in columns.MARKS or bool(units.canonical(rest)))


def _row(work: _Work, line: TextRow, where: list[tuple[int, ColumnRule]], width: int) -> MappedRow | None:
    extra = next((cell for cell in line.cells[width:] if cell.strip()), "")
    if extra or len(line.cells) < width:
        cause = f"the row has {len(line.cells)} cells, the heading {width}{f': {extra[:40]!r}' if extra else ''}."
        remedy = "A comma inside a text needs quotation marks around it; a row that is too short is to be filled."
        work.tell(line.number, "", cause, remedy, "ragged_row")
    values = dict(work.map.constants)
    work.top, work.remarks = "", []
    used = False
    rates = []
    for index, rule in where:
        text = line.cell(index)
        if not text:
            continue
        used = True
        if work.clock is not None and work.target.fields[rule.field].kind == "day" and not _CLOCK.search(text):
            text = f"{text} {line.cell(work.clock)}Z" if _CLOCK.search(line.cell(work.clock)) else text
        if columns.unit_column(work.target, work.target.fields[rule.field]):
            rates.append((text, rule))
        else:
            values[rule.field] = work.read[rule.heading].get(text) or _cell(work, rule, text, line.number)
    _rates(work, rates, values, line.number)
    if work.target.name == columns.SOIL:
        _sample(work, values, line.number)
    return MappedRow(line.number, {name: text for name, text in values.items() if text}) if used else None


def _sample(work: _Work, values: dict[str, str], row: int) -> None:
    """Tell of a sample from below the surface; it is a test of its own, whatever else has the sample's number."""
    if work.remarks:
        values["note"] = ". ".join(filter(None, (values.get("note", ""), *work.remarks)))
    top, bottom = values.pop(columns.TOP, "0"), values.get("depth_in", "")
    if top != "0":
        work.problems.append(units.deep_sample(work.place(row), top, f"{bottom or 'an unknown depth'} in"))
    top = work.top or top
    if top != "0" and (key := values.get("soil_test_id")):
        values["soil_test_id"] = f"{key}-{top}-{bottom}".rstrip("-")


def _told_apart(rows: Iterable[MappedRow]) -> None:
    """Give tests of one sample number names of their own where they are of several units or depths."""
    same: dict[str, list[MappedRow]] = defaultdict(list)
    for row in rows:
        same[row.values.get("soil_test_id", "")].append(row)
    for key, each in same.items():
        for name in ("unit_id", "depth_in"):
            parts = [row.values.get(name, "") for row in each]
            if key and len(set(parts)) > 1:
                for row, part in zip(each, parts, strict=True):
                    row.values["soil_test_id"] += f"-{part}" if part and (name == "unit_id" or part != parts[0]) else ""


def _rates(work: _Work, rules: Iterable[tuple[str, ColumnRule]], values: dict[str, str], row: int) -> None:
    """Add rates, whose unit cell, the column beside it or heading says: one unit, or the number is not taken."""
    for text, rule in rules:
        quantity = work.target.fields[rule.field]
        beside = values.pop(columns.unit_column(work.target, quantity), "")
        try:
            said = (per_acre(beside, rule.heading), rule.unit)
            found = read_rate(work.target, quantity, text, said, work.map.decimal)
        except (ValueTextError, UnitError) as wrong:
            of_units = "unit_conflict" if isinstance(wrong, UnitsDifferError) else "unit_does_not_fit"
            code = of_units if isinstance(wrong, UnitError) else "unreadable_quantity"
            remedy = wrong.remedy or f"State the right unit of {rule.heading!r} in the column map."
            work.tell(row, rule.heading, f"{wrong}.", remedy, code)
            if code != "unit_does_not_fit":
                kept = "" if _FIGURES.fullmatch(text) else text
                values |= {rule.field: kept, columns.unit_column(work.target, quantity): beside}
            continue
        if found.rounded:
            work.tell_rounded(row, rule.heading)
        for name, value in found.columns.items():
            if values.setdefault(name, value) != value:
                cause = (
                    f"{text} {beside or rule.unit} is {value} lb/ac, and another column of the row says {values[name]}."
                )
                work.tell(row, rule.heading, cause, "Correct the one that is wrong.", "unit_conflict")


def _columns(work: _Work, heading: TextRow) -> list[tuple[int, ColumnRule]]:
    plain = [plain_heading(cell) for cell in heading.cells]
    where = []
    for rule in work.map.columns:
        at = plain_heading(rule.heading)
        if rule.field not in work.target.fields:
            cause = f"the column map fills {rule.field!r}, which {work.target.name} does not have."
            work.tell(heading.number, rule.heading, cause, "Correct the column map.", "bad_map")
        elif at not in plain:
            cause = f"the column {rule.heading!r} of the column map is not in the file."
            work.tell(heading.number, rule.heading, cause, "Choose another map, or correct it.", "missing_column")
        else:
            if plain.count(at) > 1:
                cause = f"the heading {rule.heading!r} stands there {plain.count(at)} times; the first one was read."
                work.ask(heading.number, rule.heading, cause, "Confirm it.", "double_column")
            where.append((plain.index(at), rule))
    return where


def _with_units(
    work: _Work, below: list[TextRow], where: list[tuple[int, ColumnRule]]
) -> tuple[list[tuple[int, ColumnRule]], TextRow | None]:
    """Let the row of units under the headings, where there is one, say what the map does not know of this file."""
    of_units = columns.units_row(below, (at for at, rule in where if work.target.fields[rule.field].kind == "quantity"))
    if of_units is None:
        return where, None
    found = []
    for at, rule in where:
        field = work.target.fields[rule.field]
        said = columns.unit_for(field, columns.unit_in(of_units.cell(at))) if field.kind == "quantity" else ""
        if said and rule.unit and units.canonical(rule.unit) != said:
            cause = f"the file states {rule.heading!r} in {said}, the column map in {rule.unit}; the file was believed."
            work.ask(of_units.number, rule.heading, cause, "Check it against the paper.", "other_unit")
        found.append((at, replace(rule, unit=said) if said and field.unit else rule))
    return found, of_units


def _tell_lost_digits(work: _Work, lines: list[TextRow], where: list[tuple[int, ColumnRule]]) -> None:
    """Tell of numbers of which a spreadsheet lost digits: they match nothing."""
    for at, rule in where:
        if work.target.fields[rule.field].kind != "key":
            continue
        lost = lost_digits((line.cell(at) for line in lines), of_tickets=rule.field in _NUMBERED)
        for line in lines if lost else ():
            if (text := line.cell(at)) in lost:
                cause = f"{text!r} is not what stood there: {lost[text]}."
                remedy = "Export the list again as text, or type the number from the paper."
                work.tell(line.number, rule.heading, cause, remedy, "lost_digits")


def _tell_rows_above(work: _Work, above: Sequence[TextRow], where: Sequence[tuple[int, ColumnRule]]) -> None:
    """Tell of the rows above the headings; of one that may be a record the whole table, so that no row of it is in.

    It may be one where it fills most of the columns, with a number or a day among them.
    """
    if not above:
        return
    what, remedy = "are no records", "Nothing, if that is right."
    weight, place = Weight.NOTE, work.place(above[0].number)
    filled = ([text for at, _ in where if (text := line.cell(at))] for line in above)
    if any(2 * len(texts) > len(where) > 1 and any(text[0].isdigit() for text in texts) for texts in filled):
        what, remedy = "were not read", "Move them below the row with the column names, or remove them."
        weight, place = Weight.ERROR, work.place(0)
    rows = listed([line.number for line in above])
    cause = f"{len(above)} rows stand above the headings and {what}: row {rows}."
    work.problems.append(Problem(place, cause, remedy, weight=weight, code="rows_above"))


def _summaries(work: _Work, skipped: list[int], blank: list[int]) -> None:
    for heading, row in work.unitless.items():
        rule = next(each for each in work.map.columns if each.heading == heading)
        unit = work.target.fields[rule.field].unit
        cause = f"the file states no unit for {heading!r}; it was read as {unit}."
        work.ask(row, heading, cause, "State its unit in the column map.", "no_unit")
    for heading, orders in work.orders.items():
        if set(orders) == {"mdy", "dmy"}:
            (month, month_row), (day, day_row) = orders["mdy"], orders["dmy"]
            cause = f"{heading!r} writes days in two ways: {month} (row {month_row}) has the month first, "
            cause += f"{day} (row {day_row}) the day."
            remedy = "Write all of them year-month-day; a day that could be read both ways is not read."
            work.ask(min(month_row, day_row), heading, cause, remedy, "mixed_days")
    if skipped:
        hold = "1 row holds" if len(skipped) == 1 else f"{len(skipped)} rows hold"
        cause = f"{hold} units, comments, totals or the headings again and no record: row {listed(skipped)}."
        work.ask(skipped[0], "", cause, "Check that none of them is one.", "skipped_rows")
    if blank:
        cause = f"{len(blank)} rows fill none of the columns that are imported: row {listed(blank)}."
        work.ask(blank[0], "", cause, "Check that nothing is lost.", "unused_rows")


def _apply_map(
    sheet: Sheet,
    column_map: ColumnMap,
    target: Target,
    file: str,
    *,
    order: str = "",
    otherwise: str = "",
    zones: tuple[str, ...] = UNITED_STATES,
) -> tuple[MappedTable | None, list[Problem]]:
    """Turn the rows of a sheet into rows of the target; None where the sheet has not the map's headings.

    ``order``, ``otherwise`` and ``zones`` say how days are read where neither the map nor a day of the sheet tells; see
    ``mapped.map_book``.
    """
    work = _Work(file, sheet.name, column_map, target, column_map.date_order or order, zones)
    heading = heading_of(sheet, column_map)
    if heading is None:
        cause = f"no row has the headings of the column map {column_map.name!r}."
        return None, [Problem(Place(file, sheet.name), cause, "Choose or make another map.", code="map_does_not_fit")]
    width = max((at + 1 for at, cell in enumerate(heading.cells) if cell.strip()), default=0)
    where = _columns(work, heading)
    rows: list[MappedRow] = []
    above = [line for line in sheet.lines if line.number < heading.number]
    _tell_rows_above(work, above, where)
    work.of_utc = any(_OF_UTC.search(cell) and _TIMES.search(cell) for line in above for cell in line.cells)
    at_days = {at: rule.heading for at, rule in where if target.fields[rule.field].kind == "day"}
    clocks = (at for at, cell in enumerate(heading.cells) if _OF_UTC.search(cell) and at not in at_days)
    work.clock = next((at for at in clocks if any(_CLOCK.search(line.cell(at)) for line in sheet.lines)), None)
    below = [line for line in sheet.lines if line.number > heading.number]
    if not below and any(columns.VALUE.match(cell.strip()) for cell in heading.cells):
        cause = "rows stand in the line of the headings, as where a file lost the ends of its lines."
        work.tell(0, "", cause, "Export the file again.", "rows_in_heading")
    where, of_units = _with_units(work, below, where)
    days = [(line.number, name, line.cell(at)) for line in below for at, name in at_days.items() if line.cell(at)]
    work.order, told = settled_order(days, work.order, otherwise, work.place)
    work.problems += told
    _tell_lost_digits(work, below, where)
    skipped: list[int] = []
    blank: list[int] = []
    marks, headings = tuple(f"{mark} " for mark in column_map.skip_marks), [cell.strip() for cell in heading.cells]
    for line in below:
        if line is of_units or _skipped(marks, line) or [cell.strip() for cell in line.cells] == headings:
            skipped.append(line.number)
            continue
        row = _row(work, line, where, width)
        if row is None:
            blank.append(line.number)
        else:
            rows.append(row)
    _summaries(work, skipped, blank)
    rows = _without_undone(work, rows, where, below)
    if target.name == columns.SOIL:
        _told_apart(rows)
    problems = work.problems
    if column_map.confirmed:  # what is true of every file of a layout is known to who confirmed its map
        problems = [replace(each, weight=Weight.NOTE) if each.code in _OF_THE_MAP else each for each in problems]
    return MappedTable(file, sheet.name, target.name, tuple(rows)), problems


def _without_undone(
    work: _Work, rows: list[MappedRow], where: list[tuple[int, ColumnRule]], lines: list[TextRow]
) -> list[MappedRow]:
    """Leave out the rows that say of themselves that they did not happen, and ask about those that say nothing."""
    days = {rule.field: rule.heading for _, rule in where if work.target.fields[rule.field].kind == "day"}
    if work.target.name in OF_WORK and days and any(map(is_planned_day, work.map.ignored)):
        for row in (one for one in rows if not days.keys() & one.values.keys()):
            cause = "no day says that this was done, and the file has days on which it was planned."
            remedy = "Write the day on which it was done."
            work.tell(row.number, next(iter(days.values())), cause, remedy, "unknown_state")
    at, rule = next(((at, rule) for at, rule in where if rule.field == STATE), (None, None))
    if at is None or rule is None:
        return rows
    written = {line.number: line.cell(at) for line in lines}
    said = {row.number: (row.values.pop(STATE, ""), written[row.number]) for row in rows}
    remedy = f"Write done or not done, or say what the word means: words of {STATE} in the column map."
    gone, told = sorted_out(said, rule.heading, work.place(0), remedy)
    work.problems += told
    return [row for row in rows if row.number not in gone]


# Column maps that ship: layouts of elevators' and laboratories' own exports, found by their headings and confirmed.
#
# Each lies in ``data/maps`` as TOML with its source. A map names more columns than a file must have; ``known_by`` are
# the headings that tell the layout. What an elevator calls a ticket is a farm's scale ticket too: one map serves both.

_AT_A_FARM: Final = {
    "number": "ticket_id",
    "site": "buyer",
    "day": "day",
    "crop": "crop",
    "net_lb": "net_lb",
    "moisture_pct": "moisture_pct",
    "net_bushels": "net_bushels",
    "field": "unit_id",
    **{name: name for name in columns.LOAD_COLUMNS},
}
"""The columns of a farm's scale ticket by the fields of an elevator's ticket."""


@cache
def shipped_maps() -> tuple[ColumnMap, ...]:
    """Return all maps that ship, those that are known by more headings first."""
    folder = files("provender.formats") / "data" / "maps"
    found = [read(ColumnMap, tomllib.loads(each.read_text("utf-8"))) for each in folder.iterdir()]
    tickets = [_of_a_farm(each) for each in found if each.target == "ticket"]
    return tuple(sorted([*found, *tickets], key=lambda each: (-len(each.known_by), each.name, each.target)))


def _of_a_farm(ticket: ColumnMap) -> ColumnMap:
    """Return the map that reads the same list as scale tickets of a farm."""
    rules = tuple(replace(rule, field=_AT_A_FARM[rule.field]) for rule in ticket.columns if rule.field in _AT_A_FARM)
    words = {_AT_A_FARM[field]: each for field, each in ticket.words.items() if field in _AT_A_FARM}
    constants = {_AT_A_FARM[field]: each for field, each in ticket.constants.items() if field in _AT_A_FARM}
    return replace(ticket, target=SCALE_TICKET, columns=rules, words=words, constants=constants)


def shipped_for(sheet: Sheet, wanted: str, file: str) -> tuple[ColumnMap, list[Problem]] | None:
    """Return the map of a target that fits a sheet, as it stands for these headings, with what to ask; else None."""
    for each in shipped_maps():
        heading = heading_of(sheet, each) if wanted in ("", each.target) else None
        if heading is not None:
            place = Place(file, sheet.name, heading.number)
            found, told = _fitted(each, heading, sheet, place)
            return found, [*_questions(found, place), *told]
    return None


def _fitted(column_map: ColumnMap, heading: TextRow, sheet: Sheet, place: Place) -> tuple[ColumnMap, list[Problem]]:
    """Return a map with the columns that the file has: of several for one field the first that is filled."""
    plain = [plain_heading(cell) for cell in heading.cells]
    below = [line for line in sheet.lines if line.number > heading.number]
    offers: dict[str, list[tuple[bool, ColumnRule]]] = {}
    for rule in column_map.columns:
        if (name := plain_heading(rule.heading)) in plain:
            filled = any(line.cell(plain.index(name)) for line in below)
            offers.setdefault(rule.field, []).append((not filled, rule))
    rules: list[ColumnRule] = []
    for each in offers.values():
        # A heading that may be of two fields, such as a farm, is of the first that has nothing better.
        free = [offer for offer in each if all(rule.heading != offer[1].heading for rule in rules)]
        rules += [min(free, key=lambda offer: offer[0])[1]] if free else []
    told = []
    called = columns.target(column_map.target).called
    taken = {rule.heading: rule.field for rule in rules}
    for name, each in offers.items():
        filled_ones = [rule.heading for blank, rule in each if not blank and taken.get(rule.heading, name) == name]
        if len(filled_ones) > 1:
            told.append(columns.several_columns(place, filled_ones[0], called(name), filled_ones[1:]))
    used = {plain_heading(rule.heading) for rule in rules}
    ignored = [cell.strip() for cell, name in zip(heading.cells, plain, strict=True) if name and name not in used]
    constants = {name: text for name, text in column_map.constants.items() if name not in offers}
    return replace(
        column_map, columns=tuple(rules), ignored=tuple(ignored), fingerprint=fingerprint(heading.cells),
        constants=constants, known_by=(),
    ), told  # fmt: skip


def _questions(found: ColumnMap, place: Place) -> Iterator[Problem]:
    called = columns.target(found.target).called
    pairs = listed((f"{each.heading} = {called(each.field)}" for each in found.columns), most=40)
    cause = f"the headings are those of {found.name}: {pairs}."
    yield doubt(place, cause, "Confirm or correct the map.", "suggested_map")
    if found.ignored:
        yield columns.ignored_columns(place, found.ignored)
    fields = columns.target(found.target).fields
    for rule in found.columns:
        if plain_heading(rule.heading) in fields[rule.field].weak:
            yield columns.weak_match(replace(place, column=rule.heading), called(rule.field))
    if found.target == "soil_test" and all(rule.field != "sampled_on" for rule in found.columns):
        cause = "the file does not say on which day the samples were taken."
        yield doubt(place, cause, "Type the sampling day, which is what the two years count from.", "no_sampling_day")


@dataclass(frozen=True, slots=True)
class Mapped:
    """What came of one file."""

    tables: tuple[MappedTable, ...]  # one for each sheet that fits
    # the map used for each table; an unconfirmed one is a suggestion to be saved once a person agrees
    maps: tuple[ColumnMap, ...]


def map_book(
    book: WorkbookFile,
    wanted: str,
    saved: Iterable[ColumnMap] = (),
    order: str = "",
    otherwise: str = "",
    zones: tuple[str, ...] = UNITED_STATES,
) -> Parsed[Mapped]:
    """Turn a book that was read as text into rows of a target.

    Of the maps that people saved the first one whose headings a sheet has is used. ``order`` says which of two numbers
    of a day is the month where a person said so and the map does not, ``otherwise`` where nothing tells: it is asked.
    """
    known = columns.target(wanted)
    maps = [each for each in saved if each.target == wanted]
    tables: list[MappedTable] = []
    used: list[ColumnMap] = []
    problems: list[Problem] = []
    for sheet in map(columns.positioned, book.sheets):
        if not sheet.lines:
            continue
        fitting = next((each for each in maps if heading_of(sheet, each)), None)
        if fitting is None:
            fitting, questions = shipped_for(sheet, wanted, book.file) or _suggested(sheet, wanted, book.file)
            problems += questions
        if fitting is None:
            continue
        table, found = _apply_map(sheet, fitting, known, book.file, order=order, otherwise=otherwise, zones=zones)
        problems += found
        if table is not None:
            tables.append(table)
            used.append(fitting)
    return Parsed(Mapped(tuple(tables), tuple(used)) if tables else None, tuple(problems))


def _suggested(sheet: Sheet, wanted: str, file: str) -> tuple[ColumnMap | None, list[Problem]]:
    found = columns.suggest(sheet, columns.target(wanted), file)
    if found is not None:
        asked = [columns.asked_by_position(sheet, file)] if columns.is_positioned(sheet) else []
        return found.map, [*asked, *found.problems]
    cause = f"no row looks like headings of {wanted.replace('_', ' ')}; the {len(sheet.lines)} rows were not imported."
    remedy = "Say which column is which in a column map, or use the template."
    return None, [Problem(Place(file, sheet.name), cause, remedy, code="no_headings")]


def import_table(
    path: Path,
    wanted: str,
    *,
    as_of: dt.date,
    name: str = "",
    saved: Iterable[ColumnMap] = (),
    zones: tuple[str, ...] = UNITED_STATES,
    otherwise: str = "",
) -> Parsed[Mapped]:
    """Read a CSV, XLSX, XLS or ODS file in a limited child and turn it into rows of a target; see ``map_book``.

    Days after ``as_of`` are taken out and told.
    """
    parsed = parse_limited("spreadsheet", path, name=name or path.name)
    if parsed.result is None:
        return Parsed(None, parsed.problems)
    mapped = map_book(cast("WorkbookFile", parsed.result), wanted, saved, otherwise=otherwise, zones=zones)
    problems = [*parsed.problems, *mapped.problems]
    if mapped.result is None:
        return Parsed(None, tuple(problems))
    kept = [columns.without_days_ahead(table, as_of) for table in mapped.result.tables]
    problems += [each for _, future in kept for each in future]
    return Parsed(Mapped(tuple(table for table, _ in kept), mapped.result.maps), tuple(problems))
