"""Tables without headings: their columns are called by their place, and a person says once what each is."""

import re
from dataclasses import replace
from typing import Final

from provender.days import ORDERS, DayTextError, read_day
from provender.formats.column_map import ColumnMap, position_names
from provender.formats.columns import SEARCHED, knows_headings, target
from provender.formats.parsed import Sheet, TextRow, doubt
from provender.problem import Place, Problem

_NUMBER: Final = re.compile(r"[-+$]?[\d.,]*\d[\d.,]*%?", re.ASCII)
_SHOWN: Final = 3


def positioned(sheet: Sheet) -> Sheet:
    """Return a sheet without headings with the places of its columns for headings, on a row 0; another as it is.

    Its first row holds a day, or values mostly, and no row near it knows two headings of anything that is read here.
    """
    if not sheet.lines or sheet.lines[0].number == 0:
        return sheet
    filled = [cell.strip() for cell in sheet.lines[0].cells if cell.strip()]
    values = any(map(_is_day, filled)) or 2 * sum(map(_is_value, filled)) > len(filled)
    if not values or len(filled) < 2:  # noqa: PLR2004 - one column is no table
        return sheet
    if any(map(knows_headings, sheet.lines[:SEARCHED])):
        return sheet
    width = max(len(line.cells) for line in sheet.lines)
    lines = (replace(line, cells=(*line.cells, *[""] * (width - len(line.cells)))) for line in sheet.lines)
    return replace(sheet, lines=(TextRow(0, position_names(width)), *lines))


def is_positioned(sheet: Sheet) -> bool:
    """Tell whether the columns of a sheet are called by their places."""
    return bool(sheet.lines) and sheet.lines[0].number == 0


def fits_position(sheet: Sheet, column_map: ColumnMap) -> bool:
    """Tell whether the columns that a map takes for days hold days: a table of another layout hardly does."""
    fields, heading = target(column_map.target).fields, sheet.lines[0]
    days = [rule for rule in column_map.columns if rule.field in fields and fields[rule.field].kind == "day"]
    at = {cell: index for index, cell in enumerate(heading.cells)}
    shown = sheet.lines[1 : 1 + _SHOWN]
    return all(
        rule.heading in at and all(_is_day(text) for line in shown if (text := line.cell(at[rule.heading])))
        for rule in days
    )


def asked_by_position(sheet: Sheet, file: str) -> Problem:
    """Ask what each column is, and show what stands in the first rows."""
    first = sheet.lines[1 : 1 + _SHOWN]
    shown = "; ".join(
        f"{name}: {', '.join(line.cell(at) or 'blank' for line in first)}"
        for at, name in enumerate(sheet.lines[0].cells)
    )
    cause = f"the table has no headings. Its first {len(first)} rows hold {shown}."
    remedy = "Say in the column map what each column is; the next file of this layout is then read by it."
    return doubt(Place(file, sheet.name), cause, remedy, "columns_by_position")


def _is_value(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None or _is_day(text)


def _is_day(text: str) -> bool:
    for order in ORDERS[:2]:
        try:
            read_day(text, order)
        except DayTextError:
            continue
        return True
    return False
