"""The work programme to carry along: a workbook to fill in and a PDF to print."""

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from importlib.resources import files
from typing import Any, Final

import xlsxwriter

from provender.audit.fieldwork import FieldPriority
from provender.audit.programme import DUTY, STANDARD, TASK, Item, Visit
from provender.exact import ceil_div
from provender.paper.pdf import render
from provender.schema import write

_ITEM_COLUMNS: Final = (
    ("Kind", 10), ("Role", 20), ("7 CFR", 20), ("What", 70), ("How", 24), ("Left to do", 26), ("When", 30),
    ("Done on", 12), ("By", 16), ("Evidence", 30), ("Result", 30),
)  # fmt: skip
_VISIT_COLUMNS: Final = (
    ("What can be seen", 44), ("First day", 12), ("Last day", 12), ("When", 12), ("From", 28), ("Tasks", 50),
)  # fmt: skip
_PLACE_COLUMNS: Final = (
    ("Farm", 28), ("Unit", 14), ("County", 18), ("Middle of the boundary", 26), ("Practices", 26), ("Bushels", 14),
    ("t CO2e at stake", 16), ("What to see", 50), ("Seen on", 12), ("By", 16), ("Result", 30),
)  # fmt: skip
LINE_HEIGHT: Final = 15
"""Points; a column of some width holds two letters less a line, since lines end between words."""
NO_BREAK: Final = "\u00a0"
_TITLES: Final = {DUTY: "Duty", STANDARD: "Standard", TASK: "Task"}


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands above a programme."""

    party: str  # name of the audited party
    verifier: str  # name of the verifier, empty while unknown
    harvest_year: int  # the year under audit
    as_of: date  # the day the programme was made
    warning: str = ""  # sentence of the rule version, empty without


def _when(item: Item, visits: Mapping[str, Visit]) -> str:
    visit = visits.get(item.window)
    return f"{visit.first} to {visit.last}" if visit else ""


def _place_row(one: FieldPriority) -> tuple[str, ...]:
    about = (one.farm or one.farm_id, one.unit, one.county, one.at, one.practice_words)
    return (*about, one.bushel_words, one.tonnes, "; ".join(one.see), "", "", "")


def programme_xlsx(
    heading: Heading, items: Sequence[Item], calendar: Sequence[Visit], places: Sequence[FieldPriority] = ()
) -> bytes:
    """Return a workbook: the lines with columns to fill in, the ground to look at, and the season calendar.

    Every cell is written as text, so that nothing in a name can become a formula or a link.
    """
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    made = datetime(heading.as_of.year, heading.as_of.month, heading.as_of.day, tzinfo=UTC).replace(tzinfo=None)
    book.set_properties({"title": f"Work program {heading.party} {heading.harvest_year}", "created": made})
    visits = {visit.window: visit for visit in calendar}
    rows = [
        (_TITLES[one.kind], str(one.role), one.cite, one.text, one.how, one.left, _when(one, visits), "", "", "", "")
        for one in items
    ]
    _sheet(book, "Program", _ITEM_COLUMNS, rows)
    if places:
        _sheet(book, "Places", _PLACE_COLUMNS, map(_place_row, places))
    _sheet(book, "Calendar", _VISIT_COLUMNS, [_visit_row(visit) for visit in calendar])
    book.close()
    return out.getvalue()


def _visit_row(visit: Visit) -> tuple[str, ...]:
    days = (visit.first.isoformat(), visit.last.isoformat())
    return (visit.label, *days, visit.when, visit.source, ", ".join(visit.tasks))


def _lines_of(row: Sequence[str], columns: Sequence[tuple[str, int]]) -> int:
    return max(
        (ceil_div(len(text), width - 2) for text, (_, width) in zip(row, columns, strict=True) if text), default=1
    )


def _sheet(
    book: xlsxwriter.Workbook, name: str, columns: Sequence[tuple[str, int]], rows: Iterable[tuple[str, ...]]
) -> None:
    sheet = book.add_worksheet(name)
    head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
    body = book.add_format({"text_wrap": True, "valign": "top"})
    last = 0
    sheet.set_row(0, LINE_HEIGHT)
    for index, (label, width) in enumerate(columns):
        sheet.set_column(index, index, width)
        sheet.write_string(0, index, label, head)
    for last, row in enumerate(rows, start=1):
        # Not every spreadsheet program makes rows of wrapped text as high as they need to be.
        sheet.set_row(last, LINE_HEIGHT * _lines_of(row, columns))
        for index, text in enumerate(row):
            sheet.write_string(last, index, text, body) if text else sheet.write_blank(last, index, None, body)
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, last, len(columns) - 1)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)


def programme_pdf(
    heading: Heading, items: Sequence[Item], calendar: Sequence[Visit], places: Sequence[FieldPriority] = ()
) -> bytes:
    """Return the programme as a PDF: when and where to look, tasks for people, then what recomputation has settled."""
    visits = {visit.window: visit for visit in calendar}

    def lines(kinds: tuple[str, ...]) -> list[dict[str, Any]]:
        return [
            {"cite": one.cite, "text": one.text, "how": one.how, "left": one.left, "when": _when(one, visits)}
            for one in items
            if one.kind in kinds
        ]

    data = {
        "party": heading.party,
        "verifier": heading.verifier,
        "year": str(heading.harvest_year),
        "roles": ", ".join(dict.fromkeys(str(one.role) for one in items)),
        "warning": f"{heading.warning[:1].upper()}{heading.warning[1:]}." if heading.warning else "",
        "tasks": lines((TASK,)),
        "paragraphs": lines((DUTY, STANDARD)),
        "calendar": [write(visit, whole=True) for visit in calendar],
        "places": [_spot(one) for one in places],
    }
    return render(files("provender.audit") / "templates" / "programme.typ", data, as_of=heading.as_of)


def _spot(one: FieldPriority) -> dict[str, str]:
    unit, spot = one.where
    spot = spot.replace(one.at, one.at.replace(" ", NO_BREAK))
    return {
        "where": f"{unit} ({spot})" if spot else unit,
        "practices": one.practice_words,
        "bushels": one.bushel_words,
        "tonnes": one.tonnes,
        "see": "; ".join(one.see),
        "done": "",
    }
