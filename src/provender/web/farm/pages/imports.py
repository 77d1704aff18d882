"""Handing in files: the list of imports, one import from reading to its nod, and the template to fill in."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from provender.database.actor import today
from provender.formats.columns import target
from provender.formats.importing.entries_asked import Offered
from provender.formats.template import template_workbook
from provender.formats.units import KINDS_OF_UNIT
from provender.paper.tables import Cell, Column, Table
from provender.problem import Problem, Weight
from provender.records.book import NOT_YET
from provender.records.kind import KINDS, Kind
from provender.services.accounts.access import Access
from provender.services.farm.book import FarmBook, farm_book_of
from provender.services.farm.files import MAX_BYTES, store_uploads
from provender.services.farm.folder import FARM, for_page, key_texts
from provender.services.farm.views import files_of
from provender.services.imports import steps
from provender.services.imports.request import ImportResult, Layout, Rejected, RowChange, asked_words
from provender.services.imports.views import ImportBegunView, begun_view, import_of, imports_of
from provender.services.refused import RefusedError
from provender.web.access import PersonRequest, of_organisation
from provender.web.inputs import heading
from provender.web.tables import XLSX, download, moment, page_with_tables

# What the page of an import shows: every row with its source, what is wrong beside it, and what can be chosen.

PER_PAGE: Final = 50
UNSEEN: Final = frozenset({FARM, "sha256"})
"""Columns that tell a person nothing beside the file's name."""
REJECTED_SHOWN: Final = 20
COMMON: Final = frozenset({FARM, "known_by", "evidence", "note"})


def import_context(access: Access, farm: FarmBook, reading: steps.Reading, asked: Mapping[str, str]) -> dict[str, Any]:
    """Return what the template of an import needs."""
    found, said = reading.result, reading.said
    problems = [for_page(problem) for problem in found.problems]
    ordered = sorted(found.rows, key=lambda row: list(KINDS).index(row.kind))
    page = Paginator(ordered, PER_PAGE).get_page(asked.get("page"))
    by_row = _by_row(problems)
    shown = {(row.file, row.sheet, row.row) for row in found.rows}
    others = [one for one in problems if (one.place.file, one.place.sheet, one.place.row) not in shown]
    rejected_places = {one.place for one in found.rejected}
    names, words = steps.unknown_names(farm, found), asked_words(found)
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
        "must_look": steps.must_look(found),
        "same": sum(one.same for one in found.counts),
        "layouts": [_layout(number, one) for number, one in enumerate(found.layouts)],
        "names": names,
        "units": steps.unit_choices(farm, found),
        "offered": [_offered(one, today().year) for one in found.offered],
        "added": sorted(said.entries),
        "crops": _words("crop"),
        "endings": _words("ending"),
        "rejected": _rejected(found),
        "rejected_more": max(0, len(found.rejected) - REJECTED_SHOWN),
        "words": words,
        "questions": bool(names or words or found.offered or steps.asks_dates(found)),
        "asks_dates": steps.asks_dates(found) or bool(said.dates),
        "differs": steps.differs(found) or said.replace,
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
        "fate": (
            "completed"
            if all(not row.was[name] or row.was[name] == text for name, text in row.texts.items())
            else "changed"
        )
        if row.was
        else "new",
        "cells": [(heading(kind.fields[each]), _said(row.texts[each]), _was(row, each)) for each in used],
        "problems": by_row.get((row.file, row.sheet, row.row), []),
        "complete": f"{address}?{urlencode({'kind': kind.name, 'row': key})}",
        "blanks": sum(not row.texts[each] for each in kind.typed_fields if each not in COMMON),
        "name": ", ".join(key_texts(kind, row.texts)),
    }


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


BAD_REQUEST: Final = 400
TOO_LARGE: Final = 413
STATES: Final = {"open": "Waits for you", "given_up": "Given up"}


@require_http_methods(["GET", "POST"])
@of_organisation("read")
def farm_imports(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List the imports of a farm; POST hands files in and begins one."""
    farm = farm_book_of(access.organisation)
    problems: list[Problem] = []
    if request.method == "POST":
        uploads, problems = store_uploads(access.organisation, request.FILES.getlist("files"), actor=access.actor)
        if uploads:
            begun = steps.begin(farm.book, uploads, actor=access.actor)
            for problem in problems:
                messages.warning(request, f"{problem.place}: {problem.cause} {problem.remedy}")
            return redirect("farm_import", access.organisation.handle, begun.handle)
    status = (
        200
        if not problems
        else (TOO_LARGE if any(problem.code == "too_large" for problem in problems) else BAD_REQUEST)
    )
    context = {
        "problems": problems,
        "limit": MAX_BYTES // 2**20,
        "most": settings.DATA_UPLOAD_MAX_NUMBER_FILES,
    }
    return page_with_tables(request, "farm/imports.html", {"imports": _list(access, farm)}, context, status=status)


def _list(access: Access, farm: FarmBook) -> Table:
    columns = [Column("Began"), Column("Files"), Column("By"), Column("State")]
    names = {each.handle: each.name for each in files_of(access.organisation)}
    rows = [
        [
            Cell(
                moment(one.began_at),
                f"/o/{access.organisation.handle}/farm/imports/{one.handle}/" if access.may_write else "",
            ),
            Cell(named, typed=True) if (named := ", ".join(names.get(each, "") for each in one.files))
            else Cell("Rejected rows"),
            Cell(str(one.actor) if one.actor else "provender"),
            Cell(_state(begun_view(one))),
        ]
        for one in imports_of(farm)
    ]  # fmt: skip
    empty = "Nothing was uploaded yet. Choose files above; nothing is written before you have seen every row."
    return Table("imports", columns, rows, empty=empty, caption="What was uploaded")


def _state(begun: ImportBegunView) -> str:
    return f"Written as change {begun.version}" if begun.state == "written" else STATES[begun.state]


@require_GET
@of_organisation("write")
def farm_import(request: PersonRequest, access: Access, pk: str) -> HttpResponseBase:
    """Show one import: how far it is, or every row it would write.

    Raises:
        Http404: the farm has no such import.
    """
    farm = farm_book_of(access.organisation)
    begun = import_of(farm, pk)
    context: dict[str, object] = {"begun": begun, "state": _state(begun_view(begun)), "files": steps.uploads_of(begun)}
    if begun.ended_at is not None:
        return render(request, "farm/import_ended.html", context)
    reading = steps.reading_of(begun)
    if reading is None:
        return render(request, "farm/import_works.html", {**context, "progress": steps.progress(begun)})
    context |= import_context(access, farm, reading, request.GET)
    return render(request, "farm/import.html", context)


@require_GET
@of_organisation("write")
def farm_import_progress(request: PersonRequest, access: Access, pk: str) -> HttpResponseBase:
    """Answer how far an import is, as a part of its page; when it is read, tell the page to load anew.

    Raises:
        Http404: the farm has no such import.
    """
    begun = import_of(farm_book_of(access.organisation), pk)
    far = steps.progress(begun)
    response = render(request, "farm/import_progress.html", {"begun": begun, "progress": far})
    if far.lost or begun.ended_at is not None or steps.outcome(begun) is not None:
        response.headers["HX-Refresh"] = "true"
    return response


@require_POST
@of_organisation("write")
def farm_import_write(request: PersonRequest, access: Access, pk: str) -> HttpResponseBase:
    """Write what the person saw, as one change; when the book changed meanwhile, read the files again first.

    Raises:
        Http404: the farm has no such import, or it is not read yet.
        RefusedError: it has ended.
    """
    farm = farm_book_of(access.organisation)
    begun = import_of(farm, pk)
    seen, looked = request.POST.get("attempt", ""), request.POST.get("looked") == "yes"
    try:
        attempt = int(seen) if seen.isdecimal() else 0
        written = steps.write(farm, begun, attempt=attempt, looked=looked, actor=access.actor)
    except RefusedError as refused:
        return _not_written(request, access, pk, refused)
    rows = "row is" if written.rows == 1 else "rows are"
    messages.success(request, f"{written.rows} {rows} written as change {written.change.number}.")
    return redirect("farm", access.organisation.handle)


def _not_written(request: PersonRequest, access: Access, pk: str, refused: RefusedError) -> HttpResponseBase:
    """Say on the page of the import why it is not written; when the book changed, read the files again first.

    Raises:
        Http404: it is not read yet.
        RefusedError: it has ended, or nothing is to be written.
    """
    (problem,) = refused.problems
    if problem.code == steps.NOT_READ:
        raise Http404
    if problem.code not in (steps.BOOK_CHANGED, steps.CHOSEN_MEANWHILE, steps.NOT_LOOKED):
        raise refused
    remedy = problem.remedy
    if problem.code == steps.BOOK_CHANGED:
        steps.read_again(import_of(farm_book_of(access.organisation), pk), actor=access.actor)
        remedy = "They are read again: look once more."
    tell = messages.error if problem.code == steps.NOT_LOOKED else messages.warning
    tell(request, f"{problem.cause} {remedy}")
    return redirect("farm_import", access.organisation.handle, pk)


@require_POST
@of_organisation("write")
def farm_import_again(request: PersonRequest, access: Access, pk: str) -> HttpResponseBase:
    """Read the files of an import again.

    Raises:
        Http404: the farm has no such import.
        RefusedError: it has ended.
    """
    begun = import_of(farm_book_of(access.organisation), pk)
    steps.read_again(begun, actor=access.actor)
    return redirect("farm_import", access.organisation.handle, begun.handle)


@require_POST
@of_organisation("write")
def farm_import_give_up(request: PersonRequest, access: Access, pk: str) -> HttpResponseBase:
    """End an import and write nothing of it.

    Raises:
        Http404: the farm has no such import.
        RefusedError: it has ended.
    """
    begun = import_of(farm_book_of(access.organisation), pk)
    steps.give_up(begun, actor=access.actor)
    messages.success(request, "Nothing of these files was written.")
    return redirect("farm_imports", access.organisation.handle)


@require_GET
@of_organisation("read")
def farm_template(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Send the workbook to fill in."""
    farm_book_of(access.organisation)
    return download(template_workbook(as_of=today()), XLSX, "provender-template.xlsx")


@require_POST
@of_organisation("write")
def farm_import_rejected(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Begin an import without files: to correct the rejected rows of the book, or to say that they do not count."""
    farm = farm_book_of(access.organisation)
    begun = steps.begin(farm.book, [], actor=access.actor)
    return redirect("farm_import", access.organisation.handle, begun.handle)
