"""What the page of an import shows: every row with its source, what is wrong beside it, and what can be chosen."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, Final
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.urls import reverse

from provender.database.actor import today
from provender.formats.importing.entries_asked import Offered
from provender.formats.targets import target
from provender.formats.units import KINDS_OF_UNIT
from provender.problem import Problem, Weight
from provender.records import KINDS, Kind
from provender.records.harvest_years import NOT_YET
from provender.services.farm.book import FarmBook
from provender.services.farm.folder import FARM, key_texts
from provender.services.farm.remedy_words import for_page
from provender.services.imports.asked_words import asked_words
from provender.services.imports.questions import asks_dates, differs, must_look, unit_choices, unknown_names
from provender.services.imports.request import ImportResult, Layout, Rejected, RowChange
from provender.services.imports.start import Reading
from provender.web.access import Access
from provender.web.inputs import heading

PER_PAGE: Final = 50
UNSEEN: Final = frozenset({FARM, "sha256"})
"""Columns that tell a person nothing beside the file's name."""
REJECTED_SHOWN: Final = 20
COMMON: Final = frozenset({FARM, "known_by", "evidence", "note"})


def import_context(access: Access, farm: FarmBook, reading: Reading, asked: Mapping[str, str]) -> dict[str, Any]:
    """Return what the template of an import needs."""
    found, said = reading.result, reading.said
    problems = [for_page(problem) for problem in found.problems]
    ordered = sorted(found.rows, key=lambda row: list(KINDS).index(row.kind))
    page = Paginator(ordered, PER_PAGE).get_page(asked.get("page"))
    by_row = _by_row(problems)
    shown = {(row.file, row.sheet, row.row) for row in found.rows}
    others = [one for one in problems if (one.place.file, one.place.sheet, one.place.row) not in shown]
    rejected_places = {one.place for one in found.rejected}
    names, words = unknown_names(farm, found), asked_words(found)
    general = [one for one in others if not _beside_rejected(one, rejected_places)]
    return {
        "found": found,
        "page": page,
        "groups": [
            _group(access, reading.begun.handle, name, list(rows), by_row, ordered) for name, rows in _by_kind(page)
        ],
        "counted": _counted(ordered),
        "general": sorted(general, key=lambda one: list(Weight).index(one.weight)),
        "remain": [for_page(one) for one in found.remain],
        "must_look": must_look(found),
        "same": sum(one.same for one in found.counts),
        "layouts": [_layout(number, one) for number, one in enumerate(found.layouts)],
        "names": names,
        "units": unit_choices(farm, found),
        "offered": [_offered(one, today().year) for one in found.offered],
        "added": sorted(said.entries),
        "crops": _words("crop"),
        "endings": _words("ending"),
        "rejected": _rejected(found),
        "rejected_more": max(0, len(found.rejected) - REJECTED_SHOWN),
        "words": words,
        "questions": bool(names or words or found.offered or asks_dates(found)),
        "asks_dates": asks_dates(found) or bool(said.dates),
        "differs": differs(found) or said.replace,
        "said": said,
    }


def _by_kind(rows: Iterable[RowChange]) -> Iterable[tuple[str, Iterable[RowChange]]]:
    return groupby(rows, key=lambda row: row.kind)


def _by_row(problems: Iterable[Problem]) -> dict[tuple[str, str, int], list[Problem]]:
    found: dict[tuple[str, str, int], list[Problem]] = {}
    for one in problems:
        if one.place.row:
            found.setdefault((one.place.file, one.place.sheet, one.place.row), []).append(one)
    return found


def _beside_rejected(problem: Problem, places: Iterable[str]) -> bool:
    """Tell whether a problem is about a row that stays out: its reasons stand beside that row."""
    plain = str(problem.place).partition(", column")[0]
    return problem.weight is Weight.ERROR and bool(problem.place.row) and plain in places


def _counted(rows: Iterable[RowChange]) -> list[tuple[str, int, int]]:
    """Return for each kind its label, new rows and changed rows."""
    new, changed = Counter[str](), Counter[str]()
    for row in rows:
        (changed if row.was else new)[row.kind] += 1
    return [(KINDS[name].label, new[name], changed[name]) for name in KINDS if new[name] + changed[name]]


def _group(
    access: Access,
    handle: str,
    name: str,
    rows: list[RowChange],
    by_row: Mapping[tuple[str, str, int], list[Problem]],
    everything: list[RowChange],
) -> dict[str, Any]:
    kind = KINDS[name]
    same_kind = [row for row in everything if row.kind == name]
    used = [each for each in kind.typed_fields if each not in UNSEEN and any(row.texts[each] for row in same_kind)]
    blank = [
        (each, heading(kind.fields[each]), sum(not row.texts[each] for row in same_kind))
        for each in kind.typed_fields
        if each not in kind.key_columns and each not in COMMON and any(not row.texts[each] for row in same_kind)
    ]
    return {
        "kind": kind,
        "columns": [heading(kind.fields[each]) for each in used],
        "rows": [_row(access, handle, kind, row, used, by_row) for row in rows],
        "blank": blank,
    }


def _row(
    access: Access,
    handle: str,
    kind: Kind,
    row: RowChange,
    used: list[str],
    by_row: Mapping[tuple[str, str, int], list[Problem]],
) -> dict[str, Any]:
    key = json.dumps(list(key_texts(kind, row.texts)), ensure_ascii=False)
    address = reverse("farm_import_row", args=(access.organisation.handle, handle))
    return {
        "file": row.file or "typed here",
        "where": ", ".join(part for part in (row.sheet, f"row {row.row}" if row.row else "") if part),
        "fate": ("completed" if _only_adds(row) else "changed") if row.was else "new",
        "cells": [(heading(kind.fields[each]), _said(row.texts[each]), _was(row, each)) for each in used],
        "problems": by_row.get((row.file, row.sheet, row.row), []),
        "complete": f"{address}?{urlencode({'kind': kind.name, 'row': key})}",
        "blanks": sum(not row.texts[each] for each in kind.typed_fields if each not in COMMON),
        "name": ", ".join(key_texts(kind, row.texts)),
    }


def _only_adds(row: RowChange) -> bool:
    return all(not row.was[name] or row.was[name] == text for name, text in row.texts.items())


def _said(text: str) -> str:
    return text.replace("_", " ")


def _was(row: RowChange, name: str) -> str:
    old = row.was.get(name, "")
    return _said(old) if row.was and old != row.texts[name] and old else ""


def _layout(number: int, one: Layout) -> dict[str, Any]:
    """Return a sheet whose columns can be chosen: the kind, and for each heading what it may mean."""
    how = one.how
    fields: list[tuple[str, str]] = []
    if one.target:
        described = KINDS[one.target].fields
        meant = target(one.target)
        fields = [
            (name, heading(described[name]) if name in described else meant.called(name)) for name in meant.fields
        ]
    columns = [
        {"number": index, "heading": text, "samples": samples, "chosen": how.meanings.get(text, ("", ""))}
        for index, (text, samples) in enumerate(zip(one.headings, one.samples, strict=True))
        if text
    ]
    return {
        "number": number,
        "one": one,
        "label": KINDS[one.target].label if one.target else "",
        "columns": columns,
        "fields": fields,
        "units": sorted({unit for units in KINDS_OF_UNIT.values() for unit in units}),
        "date_order": how.date_order,
        "decimal": how.decimal,
        "kinds": [(kind.name, kind.label) for kind in KINDS.values()],
    }


def _words(column: str) -> list[tuple[str, str]]:
    return [(word, word.replace("_", " ")) for word in KINDS["harvest"].fields[column].options]


def _offered(one: Offered, today: int) -> dict[str, Any]:
    """Return a crop entry that could be added; of this year or a later one nobody has seen an end yet."""
    return {"one": one, "crop": one.crop.replace("_", " "), "ending": NOT_YET if one.year >= today else ""}


def _rejected(found: ImportResult) -> list[dict[str, Any]]:
    """Return the first rejected rows by the file they lie in; of an unknown kind nothing can be corrected yet."""
    first = list(found.rejected)[:REJECTED_SHOWN]
    return [
        {
            "path": path,
            "label": KINDS[one[0].kind].label if one[0].kind else "Rows of an unknown kind",
            "lacks": any("is missing" in row.why for row in one),
            "rows": [{"one": row, "why": _why(row), **_cells(row), **_entries(found, row)} for row in one],
        }
        for path, group in groupby(first, key=lambda row: row.path)
        for one in (list(group),)
    ]


def _why(row: Rejected) -> str:
    """Return why a row stays out, with columns by the labels that its cells have."""
    fields = KINDS[row.kind].fields if row.kind else {}
    parts = (part.partition(": ") for part in row.why.split("; "))
    return "; ".join(
        f"{fields[name].label}: {text}" if name in fields else name + colon + text for name, colon, text in parts
    )


def _entries(found: ImportResult, row: Rejected) -> dict[str, Any]:
    """Return the crop entries that a row can be about, to choose from, and the number of the cell that names it."""
    asked = found.asked_of(row)
    if asked is None or not asked.entries:
        return {"entries": (), "entry_cell": -1}
    at = next((index for index, (name, _) in enumerate(row.cells) if name == asked.column), -1)
    return {"entries": asked.entries, "entry_cell": at}


def _cells(row: Rejected) -> dict[str, list[tuple[int, str, str]]]:
    """Return the cells of a rejected row with labels: those with text or a reason, and the blank others."""
    if not row.kind:
        return {"cells": [], "blanks": []}
    fields = KINDS[row.kind].fields
    cells = [
        (index, heading(fields[name]) if name in fields else name, name, text)
        for index, (name, text) in enumerate(row.cells)
    ]
    shown = [(index, label, text) for index, label, name, text in cells if text.strip() or f"{name}:" in row.why]
    blanks = [(index, label, text) for index, label, _, text in cells if (index, label, text) not in shown]
    return {"cells": shown, "blanks": blanks}
