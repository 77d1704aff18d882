"""Handing in files: the list of imports, one import from reading to its writing, and the template to fill in.

The page of an import shows first what would be written, then what is asked, all of it in one form, then what stays out.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from provender.database.actor import today
from provender.formats.columns import target
from provender.formats.importing.import_book import RowChange
from provender.formats.importing.questions import ASKED, ROWS_ARE, Answers, Question, chosen_map
from provender.formats.parsed import ColumnMap
from provender.formats.spreadsheet import MOST_COLUMNS, MOST_OF_RECORDS, MOST_RECORDS
from provender.formats.template import template_workbook
from provender.formats.units import KINDS_OF_UNIT
from provender.paper.tables import Cell, Column, Table
from provender.problem import Problem, ProblemsError, Weight
from provender.records.folder import RejectedRow
from provender.records.kind import KINDS
from provender.services.accounts.access import Access
from provender.services.farm.book import FarmBook, farm_book_of, key_of
from provender.services.farm.files import MAX_BYTES, store_uploads
from provender.services.farm.folder import FARM, for_page
from provender.services.farm.views import files_of
from provender.services.imports import job
from provender.services.imports.job import ImportBegunView, begun_view, import_of, imports_of
from provender.services.imports.worker import ImportResult
from provender.services.refused import RefusedError
from provender.web.access import AnyPage, PersonRequest, of_organisation
from provender.web.inputs import heading
from provender.web.tables import XLSX, download, moment, on_page, page_with_tables, saved_table

_UNSEEN: Final = frozenset({FARM, "sha256"})
"""Columns that tell a person nothing beside the file's name."""
_COMMON: Final = frozenset({FARM, "known_by", "evidence", "note"})
_ANSWER, _CELL, _DROP, _MEANS, _IN, _KIND = "answer", "cell", "drop", "means", "in", "kind"
"""How the names of the fields of the form begin; the place of the question or row follows."""
_NOT_SAID: Final = "?"
_MENU: Final = 40
"""Answers that a menu shows; more are found by typing."""
_MOST_ROWS: Final = 100
"""Rows that stay out and are shown one by one; their causes stand before them, with how many rows each concerns."""


def _import_context(found: ImportResult, said: Mapping[str, str], opened: str) -> dict[str, Any]:
    """Return what the template of an import needs; ``opened`` is the place of the sheet that is to be changed."""
    problems = [for_page(one) for one in found.problems if one.code not in ASKED]
    asked = [(at, one) for at, one in enumerate(found.questions) if not one.settled or str(at) == opened]
    return {
        "found": found,
        "counted": _counted(found.rows),
        "fields": _by_field(found.rows),
        "changed": [_changed(row) for row in found.rows if row.was],
        "same": sum(one.same for one in found.counts),
        "questions": [_question(at, one) for at, one in asked],
        "settled": [
            (at, ", ".join(filter(None, one.subject.split("|"))), KINDS[one.target].label, _columns_read(one))
            if one.columns
            else (at, one.says, one.guess, ())
            for at, one in enumerate(found.questions)
            if one.settled
        ],
        "said": [(name, _answered(name, text)) for name, text in sorted(said.items())],
        "to_look_at": [one for one in problems if one.weight is not Weight.NOTE],
        "notes": [one for one in problems if one.weight is Weight.NOTE],
        "remain": [for_page(one) for one in found.remain],
        "rejected": [_rejected(at, row) for at, row in enumerate(found.rejected[:_MOST_ROWS])],
        "more_rejected": max(len(found.rejected) - _MOST_ROWS, 0),
        "fillable": _fillable(found.rows),
    }


def _counted(rows: Iterable[RowChange]) -> list[tuple[str, int, int]]:
    """Return for each kind its label, new rows and changed rows."""
    new, changed = Counter[str](), Counter[str]()
    for row in rows:
        (changed if row.was else new)[row.kind] += 1
    return [(KINDS[name].label, new[name], changed[name]) for name in KINDS if new[name] + changed[name]]


def _by_field(rows: Iterable[RowChange]) -> list[tuple[str, str, str]]:
    """Return for each field and year what of it would be written: how many rows of which kind."""
    counted: dict[tuple[str, str], Counter[str]] = {}
    entries = {row.texts["harvest_id"]: row.texts for row in rows if row.kind == "harvest"}
    for row in rows:
        unit = row.texts.get("unit_id") or entries.get(row.texts.get("harvest_id", ""), {}).get("unit_id", "")
        days = [text for name, text in row.texts.items() if text[:4].isdecimal() and text[4:5] == "-"]
        if unit and row.kind != "unit":
            counted.setdefault((unit, days[0][:4] if days else ""), Counter())[row.kind] += 1
    return [
        (unit, year, ", ".join(f"{KINDS[name].label} {count}" for name, count in found.items()))
        for (unit, year), found in sorted(counted.items())
    ]


def _changed(row: RowChange) -> tuple[str, list[tuple[str, str, str]]]:
    """Return a record that would change: what it is, and each cell with what the book says and what it would say."""
    kind = KINDS[row.kind]
    cells = [
        (heading(kind.fields[name]), row.was[name].replace("_", " "), text.replace("_", " "))
        for name, text in row.texts.items()
        if text != row.was[name]
    ]
    return f"{kind.label}, {key_of(kind, row.texts)}", cells


def _columns_read(one: Question) -> list[tuple[str, str]]:
    """Return each column of a sheet with what it was taken for, in words."""
    labels = _labels_of(one.target)
    return [
        (column.heading, f"{labels.get(column.field, 'left out')}{f' in {column.unit}' if column.unit else ''}")
        for column in one.columns
    ]


def _labels_of(kind: str) -> dict[str, str]:
    """Return what a column of a sheet can be, by name."""
    described, meant = KINDS[kind].fields, target(kind)
    return {name: heading(described[name]) if name in described else meant.called(name) for name in meant.fields}


def _question(at: int, one: Question) -> dict[str, Any]:
    """Return a question with what its fields need; columns are chosen one by one."""
    found: dict[str, Any] = {"at": at, "one": one, "is_long": len(one.options) > _MENU}
    if one.columns:
        used = ColumnMap.from_text(one.guess)
        found |= {
            "columns": list(enumerate(one.columns)), "fields": list(_labels_of(one.target).items()),
            "label": KINDS[one.target].label, "kinds": ROWS_ARE,
            "units": sorted({unit for units in KINDS_OF_UNIT.values() for unit in units}),
            "date_order": used.date_order, "decimal": used.decimal,
        }  # fmt: skip
    if one.about == "new_entry":
        words = {column: KINDS["harvest"].fields[column].options for column in ("crop", "ending")}
        crop, ending = [*(part.strip() for part in one.guess.split(",")), "", ""][:2]
        found |= {
            "choices": {column: [(word, word.replace("_", " ")) for word in of] for column, of in words.items()},
            "crop": crop or (one.options[0][0].partition(",")[0] if one.options else ""), "ending": ending,
        }  # fmt: skip
    return found


def _answered(name: str, text: str) -> str:
    about, _, subject = name.partition("|")
    subject = subject.replace("|", ", ")
    if about == "columns":
        return f"Columns of {subject}"
    answered = text.replace("_", " ")
    return f"{subject}: {answered}" if subject else f"{about.capitalize()}: {answered}"


def _rejected(at: int, row: RejectedRow) -> dict[str, Any]:
    """Return a row that stays out with the cells that can be corrected: those with text or a reason first."""
    fields = KINDS[row.kind].fields if row.kind else {}
    wrong = {problem.place.column for problem in row.problems}
    has = {name for name, _ in row.cells}
    cells = [
        (heading(fields[name]), name, text)
        for name, text in [*row.cells, *((name, "") for name in wrong if name not in has)]
        if name in fields and name != FARM
    ]
    first = [cell for cell in cells if cell[2].strip() or cell[1] in wrong]
    return {
        "at": at, "row": row, "label": KINDS[row.kind].label if row.kind else "Rows of an unknown kind",
        "cells": first, "blanks": [cell for cell in cells if cell not in first] if row.kind else [],
    }  # fmt: skip


def _fillable(rows: Iterable[RowChange]) -> list[tuple[str, str, list[tuple[str, str, int]]]]:
    """Return by kind the columns that are blank in rows that would be written, with how many."""
    blank: dict[str, Counter[str]] = {}
    for row in rows:
        names = (name for name, text in row.texts.items() if not text and name not in _COMMON)
        blank.setdefault(row.kind, Counter()).update(names)
    return [
        (
            name,
            KINDS[name].label,
            [
                (each, heading(KINDS[name].fields[each]), count)
                for each, count in found.items()
                if each not in KINDS[name].key_columns
            ],
        )
        for name, found in blank.items()
    ]


def _rows_of(found: ImportResult, kind: str) -> Table:
    """Return the rows of a kind that would be written, each with its source."""
    fields, rows = KINDS[kind].fields, [row for row in found.rows if row.kind == kind]
    used = [name for name in KINDS[kind].typed_fields if name not in _UNSEEN and any(row.texts[name] for row in rows)]
    columns = [Column("Source"), *(Column(heading(fields[name])) for name in used)]
    lines = [
        [Cell(str(row.place) if row.place.file else "Typed here", typed=True),
         *(Cell(row.texts[name].replace("_", " "), typed=True) for name in used)]
        for row in rows
    ]  # fmt: skip
    return Table(kind.replace("_", "-"), columns, lines, caption=f"{KINDS[kind].label} of this import")


def _given(found: ImportResult, form: QueryDict) -> Answers:
    """Return what the form says: answers by the place of their question, cells by the place of their row."""
    answers: dict[str, str] = {}
    for at, one in enumerate(found.questions):
        text = form.get(f"{_ANSWER}-{at}", "").strip() or _NOT_SAID
        kind = form.get(f"{_KIND}-{at}", one.target)
        if one.columns and kind != one.target:
            answers[f"sheet|{one.subject}"] = kind
        elif one.columns and text == "yes":
            answers[one.name] = _columns_said(at, one, form)
        elif one.about == "new_entry" and text == "add":
            parts = (form.get(f"{_ANSWER}-{at}-{name}", "").strip() for name in ("crop", "ending", "day"))
            answers[one.name] = ", ".join(parts)
        elif not one.columns and text != _NOT_SAID and not (one.settled and text == one.guess):
            answers[one.name] = text  # what was read so already is no new rule for every row of that name
    answers |= dict.fromkeys(form.getlist("undo"), "")
    corrected: dict[str, dict[str, str]] = {}
    dropped = []
    for at, row in enumerate(found.rejected):
        place = str(row.place)
        if form.get(f"{_DROP}-{at}"):
            dropped.append(place)
            continue
        names = [*(name for name, _ in row.cells), *(problem.place.column for problem in row.problems)]
        now = dict(row.cells)
        typed = {name: form.get(f"{_CELL}-{at}-{name}", now.get(name, "")) for name in dict.fromkeys(names) if name}
        cells = {name: text for name, text in typed.items() if text != now.get(name, "")}
        if cells:
            corrected[place] = cells
    kind, column = form.get("fill", ""), form.get("column", "")
    fills = {kind: {column: form.get("text", "").strip()}} if kind else {}
    return Answers(answers, corrected, dropped, fills)


def _columns_said(at: int, one: Question, form: QueryDict) -> str:
    meant = {
        column.heading: (form.get(f"{_MEANS}-{at}-{number}", ""), form.get(f"{_IN}-{at}-{number}", ""))
        for number, column in enumerate(one.columns)
    }
    return chosen_map(one, meant, form.get(f"order-{at}", ""), form.get(f"decimal-{at}", "."))


BAD_REQUEST: Final = 400
_TOO_LARGE: Final = 413
_STATES: Final = {"open": "Waits for you", "given_up": "Given up"}


@require_http_methods(["GET", "POST"])
@of_organisation("read")
def farm_imports(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List the imports of a farm; POST hands files in and begins one."""
    farm = farm_book_of(access.organisation)
    problems: list[Problem] = []
    if request.method == "POST":
        uploads, problems = store_uploads(access.organisation, request.FILES.getlist("files"), actor=access.actor)
        if uploads:
            begun = job.begin(farm.book, uploads, actor=access.actor)
            for problem in problems:
                messages.warning(request, f"{problem.place}: {problem.cause} {problem.remedy}")
            return redirect("farm_import", access.organisation.handle, begun.handle)
    wrong = _TOO_LARGE if any(problem.code == "too_large" for problem in problems) else BAD_REQUEST
    status = wrong if problems else 200
    context: dict[str, object] = {"problems": problems, "limit": MAX_BYTES // 2**20, "rows": f"{MOST_RECORDS:,}"}
    context |= {"columns": MOST_COLUMNS, "cells": f"{MOST_OF_RECORDS:,}", "most": settings.DATA_UPLOAD_MAX_NUMBER_FILES}
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
    return f"Written as change {begun.version}" if begun.state == "written" else _STATES[begun.state]


@require_GET
@of_organisation("write")
def farm_import(request: PersonRequest, access: Access, pk: str) -> HttpResponseBase:
    """Show one import: how far it is, or every row it would write.

    Raises:
        Http404: the farm has no such import.
    """
    begun = import_of(farm_book_of(access.organisation), pk)
    context: dict[str, object] = {"begun": begun, "state": _state(begun_view(begun)), "files": job.uploads_of(begun)}
    if begun.ended_at is not None:
        return render(request, "farm/import_ended.html", context)
    found = job.outcome(begun)
    if found is None:
        return render(request, "farm/import_works.html", {**context, "progress": job.progress(begun)})
    tables = [_rows_of(found, kind) for kind in KINDS if any(row.kind == kind for row in found.rows)]
    context |= _import_context(found, job.answers_of(begun).answers, request.GET.get("columns", ""))
    context["tables"] = [on_page(table, request.GET) for table in tables]
    return saved_table(request, tables) or render(request, "farm/import.html", context)


@require_POST
@of_organisation("write")
def farm_import_answer(request: PersonRequest, access: Access, pk: str) -> HttpResponseBase:
    """Keep what the person answered and corrected, and make the plan anew.

    Raises:
        Http404: the farm has no such import, or it is not read yet.
        RefusedError: it has ended.
    """
    begun = import_of(farm_book_of(access.organisation), pk)
    found = job.outcome(begun)
    if found is None and begun.ended_at is None:
        raise Http404
    try:
        given = _given(found or job.read_outcome(begun), request.POST)
        job.answer(begun, given, actor=access.actor)
    except RefusedError:
        raise
    except ProblemsError as wrong:
        for problem in wrong.problems:
            messages.error(request, f"{problem.cause} {problem.remedy}")
    return redirect("farm_import", access.organisation.handle, begun.handle)


@require_GET
@of_organisation("write")
def farm_import_progress(request: PersonRequest, access: Access, pk: str) -> HttpResponseBase:
    """Answer how far an import is, as a part of its page; when it is read, tell the page to load anew.

    Raises:
        Http404: the farm has no such import.
    """
    begun = import_of(farm_book_of(access.organisation), pk)
    far = job.progress(begun)
    response = render(request, "farm/import_progress.html", {"begun": begun, "progress": far})
    if far.lost or begun.ended_at is not None or job.outcome(begun) is not None:
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
    attempt = int(seen) if seen.isdecimal() else 0
    try:
        written = job.write(farm, begun, attempt=attempt, looked=looked, actor=access.actor)
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
    if problem.code == job.NOT_READ:
        raise Http404
    if problem.code not in (job.BOOK_CHANGED, job.CHOSEN_MEANWHILE, job.NOT_LOOKED):
        raise refused
    remedy = problem.remedy
    if problem.code == job.BOOK_CHANGED:
        job.read_again(import_of(farm_book_of(access.organisation), pk), actor=access.actor)
        remedy = "They are read again: look once more."
    tell = messages.error if problem.code == job.NOT_LOOKED else messages.warning
    tell(request, f"{problem.cause} {remedy}")
    return redirect("farm_import", access.organisation.handle, pk)


def _button_on_import(act: Callable[..., object], says: str = "") -> AnyPage:
    """Make the page of a button that does something to an import; one that says what it did has ended it.

    The page raises Http404: the farm has no such import; RefusedError: it has ended.
    """

    @require_POST
    @of_organisation("write")
    def page(request: PersonRequest, access: Access, pk: str) -> HttpResponseBase:
        act(begun := import_of(farm_book_of(access.organisation), pk), actor=access.actor)
        if not says:
            return redirect("farm_import", access.organisation.handle, begun.handle)
        messages.success(request, says)
        return redirect("farm_imports", access.organisation.handle)

    return page


farm_import_again = _button_on_import(job.read_again)
farm_import_give_up = _button_on_import(job.give_up, "Nothing of these files was written.")


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
    begun = job.begin(farm_book_of(access.organisation).book, [], actor=access.actor)
    return redirect("farm_import", access.organisation.handle, begun.handle)
