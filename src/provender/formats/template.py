"""An empty workbook to fill in: one sheet per kind of record, made from the declarations of the records alone.

Identifiers and texts are text cells, so that no spreadsheet turns ``1-2`` into a date or drops the first zero of a
county code; choices and yes-or-no offer a list; a sheet in front says what to fill in first.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from provender.catalog.materials import inhibitors, products, species
from provender.catalog.tables import operations
from provender.formats.parsed import letters
from provender.formats.template_layout import (
    ALL,
    EXCEPT,
    FARM_SHEET,
    FIRST_CELL,
    FOR_ALL,
    GUIDE,
    LISTS,
    SHEETS,
    ShortSheet,
    sheet_name,
    title_of,
)
from provender.paper.svg import ACCENT, FAINT, INK, LIMIT, MUTED, PAPER, RULE
from provender.paper.tables import write_workbook
from provender.records.field import ColumnKind, Field
from provender.records.kind import KINDS, Kind

_LAST_ROW: Final = 2000
HEADING_ROWS: Final = 3
_LINE: Final = 15
# A farm of one book need not repeat its identifier on every sheet; only its own sheet asks for it.
FARM: Final = "farm"
_ESSENTIAL: Final = ("farm", "producer", "unit", "harvest", "operation", "declaration", "planting")
_NUTRIENTS: Final = ("nutrient_application", "nutrient_budget", "budget_source", "soil_test")
_COVER: Final = ("cover_crop", "cover_species", "seed_purchase", "evidence")

# Columns of free text for which names are known: kind, column, list.
NAMED: Final = {
    ("operation", "operation"): "Field operations",
    ("cover_species", "species"): "Cover crops",
    ("seed_purchase", "species"): "Cover crops",
    ("nutrient_application", "product"): "Fertilizers",
    ("nutrient_application", "inhibitor"): "Inhibitors",
    ("inhibitor_purchase", "product"): "Inhibitors",
    ("inhibitor_acceptance", "inhibitor"): "Inhibitors",
}
_EXPECTED: Final = {
    ColumnKind.KEY: "identifier",
    ColumnKind.TEXT: "text",
    ColumnKind.CHOICE: "choose one",
    ColumnKind.WHOLE: "whole number",
    ColumnKind.DAY: "year-month-day",
    ColumnKind.YES_NO: "yes or no",
}
_UNITS: Final = {
    "in": "inches",
    "mph": "miles per hour",
    "ft": "feet",
    "pct": "percent",
    "lb": "pounds",
    "lb/ac": "pounds per acre",
    "bu": "bushels",
    "bu/ac": "bushels per acre",
    "ph": "pH",
}


def columns_of(kind: Kind) -> tuple[tuple[str, Field], ...]:
    """Return the columns of a kind's sheet in order, by name."""
    return tuple(each for each in kind.typed_fields.items() if each[0] != "farm_id" or kind.name == FARM)


def expected(field: Field) -> str:
    """Return what a cell holds, in a word or two: its unit, or how to write it; and whether it must be filled in."""
    what = _UNITS.get(field.unit, field.unit) or _EXPECTED.get(field.kind, "number")
    return f"{what}, required" if field.required else what


def _help_of(field: Field) -> str:
    """Return the help of a column: what to enter, which record it names, the paragraph that asks for it."""
    parts = [field.help]
    if field.refers:
        parts.append(f"An identifier from the sheet {sheet_name(KINDS[field.refers])!r}.")
    if field.options:
        parts.append(f"One of: {', '.join(field.options)}.")
    if field.cite:
        parts.append(f"7 CFR {field.cite}")
    return "\n".join(part for part in parts if part)


def known_names() -> dict[str, tuple[str, ...]]:
    found: Mapping[str, Iterable[str]] = {
        "Field operations": (one.name for one in operations()),
        "Cover crops": (one.name for one in species().values()),
        "Fertilizers": (one.name for one in products().values()),
        "Inhibitors": (one.name for one in inhibitors().values() if one.counts is not False),
    }
    return {title: tuple(sorted(dict.fromkeys(names), key=str.casefold)) for title, names in found.items()}


def template_workbook(*, as_of: date) -> bytes:
    """Return a workbook with a sheet for each kind; the same day gives the same bytes."""
    return write_workbook(FIRST_CELL[GUIDE], as_of, _write_kinds)


def _write_kinds(book: xlsxwriter.Workbook) -> None:
    styles, names = _Styles(book), known_names()
    _write_guide(book.add_worksheet(GUIDE), styles)
    for kind in KINDS.values():
        _write_kind(book.add_worksheet(sheet_name(kind)), kind, styles, names)
    _write_lists(book.add_worksheet(LISTS), styles, names)


class _Styles:
    """The formats of the workbook, each made once."""

    def __init__(self, book: xlsxwriter.Workbook) -> None:
        def made(**what: object) -> Format:
            return book.add_format({"font_name": "Calibri", "font_color": INK, "valign": "top", **what})

        self.title = made(bold=True, font_size=16, font_color=ACCENT)
        self.part = made(bold=True, font_size=12, font_color=ACCENT)
        self.wrapped = made(text_wrap=True)
        self.link = made(font_color=ACCENT, underline=1)
        self.purpose = made(italic=True, font_color=MUTED)
        frame = {"text_wrap": True, "border": 1, "border_color": RULE}
        self.label = made(**frame, bg_color=FAINT)
        self.needed = made(**frame, bg_color=ACCENT, font_color=PAPER)
        self.bold = book.add_format({"bold": True, "font_color": INK})
        self.bold_needed = book.add_format({"bold": True, "font_color": PAPER})
        self.small = book.add_format({"font_size": 8, "font_color": MUTED})
        self.small_needed = book.add_format({"font_size": 8, "font_color": PAPER})
        self.name = made(font_size=8, font_color=MUTED, bottom=2, bottom_color=ACCENT)
        self.warning = made(text_wrap=True, font_color=LIMIT)
        self.text = book.add_format({"num_format": "@"})
        self.day = book.add_format({"num_format": "yyyy-mm-dd", "align": "left"})
        self.number = book.add_format({"num_format": "General"})

    def cells(self, field: Field) -> Format:
        match field.kind:
            case ColumnKind.DAY:
                return self.day
            case ColumnKind.QUANTITY | ColumnKind.WHOLE:
                return self.number
        return self.text


def _write_kind(page: Worksheet, kind: Kind, styles: _Styles, names: Mapping[str, Sequence[str]]) -> None:
    page.write_string(0, 0, title_of(kind), styles.purpose)
    page.set_row(1, _LINE * max(_lines(name, field) for name, field in columns_of(kind)))
    for across, (name, field) in enumerate(columns_of(kind)):
        bold, small = (styles.bold_needed, styles.small_needed) if field.required else (styles.bold, styles.small)
        frame = styles.needed if field.required else styles.label
        page.write_rich_string(1, across, bold, field.label, small, f"\n{expected(field)}", frame)
        page.write_string(2, across, name, styles.name)
        if _help_of(field):
            page.write_comment(1, across, _help_of(field), {"x_scale": 2.5, "y_scale": 1.6})
        page.set_column(across, across, _width(field, name), styles.cells(field))
        _offer(page, (HEADING_ROWS, across, _LAST_ROW, across), (kind.name, name), names, _keys_of(field))
    page.freeze_panes(HEADING_ROWS, 1)
    page.set_tab_color(ACCENT if kind.name in _ESSENTIAL else RULE)


def _width(field: Field, name: str) -> int:
    floor = {ColumnKind.TEXT: 22, ColumnKind.KEY: 16, ColumnKind.DAY: 13, ColumnKind.CHOICE: 18}.get(field.kind, 12)
    longest = max(len(word) for word in field.label.split())
    words = [len(one) + 2 for one in field.options]
    return min(max(floor, longest + 3, len(field.label) // 2 + 4, len(name) - 2, *words), 40)


def _lines(name: str, field: Field) -> int:
    """Return how many lines a label and what is expected below it take in their column."""
    width = _width(field, name)
    return -(-len(field.label) * 6 // (5 * width)) - (-len(expected(field)) // width)


def _keys_of(field: Field) -> str:
    """Return where the identifiers stand that a column may name; empty for a column that names no record."""
    if not field.refers:
        return ""
    named = KINDS[field.refers]
    column = letters(max(at for at, (name, _) in enumerate(columns_of(named)) if name in named.key_columns))
    return f"='{sheet_name(named)}'!${column}${HEADING_ROWS + 1}:${column}${_LAST_ROW}"


def _offer(
    page: Worksheet, cells: tuple[int, int, int, int], place: tuple[str, str], names: Mapping[str, Sequence[str]],
    keys: str = "",
) -> None:  # fmt: skip
    """Put a list, a calendar check, the known names or the identifiers of another sheet behind cells.

    A word outside a list is warned of and may stay: everyday names are read, and what nobody understands is asked.
    """
    field = KINDS[place[0]].typed_fields[place[1]]
    if field.options or field.kind is ColumnKind.YES_NO:
        words = list(field.options) or ["yes", "no"]
        rule = {"validate": "list", "source": words, "error_type": "warning", "error_title": field.label[:32]}
        told = "This word is not in the list. A common name for one of them is read; what is not clear is asked."
        page.data_validation(*cells, {**rule, "error_message": told})
    elif place in NAMED:
        column = letters(list(names).index(NAMED[place]))
        source = f"={LISTS}!${column}$3:${column}${len(names[NAMED[place]]) + 2}"
        page.data_validation(*cells, {"validate": "list", "source": source, "show_error": False})
    elif field.kind is ColumnKind.DAY:
        first = {"validate": "date", "criteria": ">=", "value": date(1980, 1, 1), "error_type": "warning"}
        page.data_validation(*cells, {**first, "error_message": "Write year-month-day, such as 2026-05-14."})
    elif keys:
        page.data_validation(*cells, {"validate": "list", "source": keys, "show_error": False})


def _write_guide(page: Worksheet, styles: _Styles) -> None:
    page.hide_gridlines(2)
    page.set_column(0, 0, 34)
    page.set_column(1, 1, 92)
    page.write_string(0, 0, FIRST_CELL[GUIDE], styles.title)
    steps = (
        ("Fill in first", _ESSENTIAL, "The farm, its people and fields, every crop and every pass."),
        (
            "For nutrient practices",
            _NUTRIENTS,
            "Every product with N, P or K, the budget with all its sources, the tests.",
        ),
        ("For cover crops", _COVER, "Each seeding and its end, the mix, the seed, the photograph."),
        ("When they apply", tuple(name for name in KINDS if name not in {*_ESSENTIAL, *_NUTRIENTS, *_COVER}), ""),
    )
    row = 2
    for title, members, sentence in steps:
        page.write_string(row, 0, title, styles.part)
        page.write_string(row, 1, sentence, styles.purpose)
        row += 1
        for kind in (KINDS[name] for name in members):
            page.write_url(row, 0, f"internal:'{sheet_name(kind)}'!A{HEADING_ROWS + 1}", styles.link, sheet_name(kind))
            page.write_string(row, 1, f"{kind.help}  (7 CFR {kind.cite})", styles.wrapped)
            row += 1
        row += 1
    page.write_string(row, 0, "How to fill it in", styles.part)
    for line, text in enumerate(_HOW, start=row + 1):
        page.write_string(line, 1, text, styles.wrapped)


_HOW: Final = (
    "One record a row, from row 4 on. Leave the three rows of heading as they are; the names in row 3 are read.",
    "A dark heading is required. Leave blank what you do not know; a blank means that the record does not say.",
    "Point at a heading to see what belongs there and which paragraph of the rule asks for it.",
    "The heading has the unit of a number. A date is best written year-month-day.",
    "Everyday words are read (milo, beans, Roundup, flown on); what is not clear is asked when you import.",
    "A declaration may be the same for all fields: write all, or all 2026, as its crop entry; own rows count first.",
    "Give every record a short identifier of your own, such as N40 for a field, and use it on the other sheets.",
    "Type values, not formulas. Sheets you do not need stay empty.",
    "Then run: provender import FILE --into FOLDER, and provender check FOLDER.",
)


def _write_lists(page: Worksheet, styles: _Styles, names: Mapping[str, Sequence[str]]) -> None:
    page.write_string(0, 0, FIRST_CELL[LISTS], styles.purpose)
    for across, (title, known) in enumerate(names.items()):
        page.write_string(1, across, title, styles.label)
        page.set_column(across, across, 46)
        for down, name in enumerate(known, start=2):
            page.write_string(down, across, name, styles.text)
    page.freeze_panes(2, 0)


# The short workbook to fill in; see ``short_layout``.

_WIDTH: Final = 24
_PASSES: Final = 12
_FIELDS: Final = 200
_FARMS: Final = {part.label: f"='{FARM_SHEET}'!$B${row}:${letters(_PASSES)}${row}"
                 for row, part in enumerate(SHEETS[0].parts, start=2)}  # fmt: skip
_KEYS: Final = {
    "unit": f"='{SHEETS[1].name}'!$B$3:$B${_FIELDS}",
    "farm": _FARMS["Farm"],
    "producer": _FARMS["Producer"],
}
"""Where the short workbook has the identifiers of a kind."""


def short_workbook(*, as_of: date) -> bytes:
    """Write the workbook; the same day gives the same bytes."""
    return write_workbook("A season in eight sheets", as_of, _write_short)


def _write_short(book: xlsxwriter.Workbook) -> None:
    styles, names = _Styles(book), known_names()
    for sheet in SHEETS:
        page = book.add_worksheet(sheet.name)
        page.set_column(0, _PASSES, _WIDTH, styles.text)
        page.write_string(0, 0, sheet.says, styles.purpose)
        _write_short_sheet(page, sheet, styles, names)
    _write_lists(book.add_worksheet(LISTS), styles, names)


def _write_short_sheet(page: Worksheet, sheet: ShortSheet, styles: _Styles, names: Mapping[str, Sequence[str]]) -> None:
    """Write the labels, across above a list, else down the side, with the examples and what may be chosen."""
    is_list, last = sheet.shape == "list", 1 if sheet.shape == "answers" else _PASSES
    for at, part in enumerate(sheet.parts):
        home, cells = ((1, at), (2, at, _FIELDS, at)) if is_list else ((at + 1, 0), (at + 1, 1, at + 1, last))
        page.write_string(*home, part.label, styles.bold)
        if part.example:
            page.write_comment(*home, f"Such as {part.example}.")
        kind, column = part.column
        if kind in KINDS:
            named = "farm" if (kind, column) == ("unit", "farm_id") else KINDS[kind].typed_fields[column].refers
            _offer(page, cells, (kind, column), names, _KEYS.get(named, ""))
    if is_list:
        page.freeze_panes(2, 1)
    if sheet.shape == "answers":
        page.write_string(0, 1, FOR_ALL, styles.bold)
        page.write_string(0, 2, EXCEPT, styles.bold)
    if sheet.shape == "grid":
        below = len(sheet.parts) + 1
        page.write_string(below, 0, ALL, styles.bold)
        page.freeze_panes(below, 1)
        offered = {"validate": "list", "show_error": False}
        page.data_validation(below + 1, 0, _FIELDS, 0, {**offered, "source": _KEYS["unit"]})
        page.data_validation(below, 1, _FIELDS, _PASSES, {**offered, "source": ["x", "no"]})
