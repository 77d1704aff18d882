"""Handing in files: the list of imports, one import from reading to its nod, and the template to fill in."""

from collections.abc import Iterable
from typing import Final

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from provender.database.actor import today
from provender.formats.template import template_workbook
from provender.problem import Problem
from provender.services.farm.book import FarmBook, farm_book_of
from provender.services.farm.uploads import MAX_BYTES, store_uploads
from provender.services.farm.views import files_of
from provender.services.imports.start import outcome, progress, reading_of, uploads_of
from provender.services.imports.steps import (
    BOOK_CHANGED,
    CHOSEN_MEANWHILE,
    NOT_LOOKED,
    NOT_READ,
    begin,
    give_up,
    read_again,
    write,
)
from provender.services.imports.views import ImportBegunView, begun_view, import_of, imports_of
from provender.services.refused import RefusedError
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.download import download
from provender.web.farm.pages.import_view import import_context
from provender.web.tables import XLSX, Cell, Column, Table, moment, page_with_tables

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
            begun = begin(farm.book, uploads, actor=access.actor)
            for problem in problems:
                messages.warning(request, f"{problem.place}: {problem.cause} {problem.remedy}")
            return redirect("farm_import", access.organisation.handle, begun.handle)
    status = 200 if not problems else _status(problems)
    context = {
        "problems": problems,
        "limit": MAX_BYTES // 2**20,
        "most": settings.DATA_UPLOAD_MAX_NUMBER_FILES,
    }
    return page_with_tables(request, "farm/imports.html", {"imports": _list(access, farm)}, context, status=status)


def _status(problems: Iterable[Problem]) -> int:
    return TOO_LARGE if any(problem.code == "too_large" for problem in problems) else BAD_REQUEST


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
    context: dict[str, object] = {"begun": begun, "state": _state(begun_view(begun)), "files": uploads_of(begun)}
    if begun.ended_at is not None:
        return render(request, "farm/import_ended.html", context)
    reading = reading_of(begun)
    if reading is None:
        return render(request, "farm/import_works.html", {**context, "progress": progress(begun)})
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
    far = progress(begun)
    response = render(request, "farm/import_progress.html", {"begun": begun, "progress": far})
    if far.lost or begun.ended_at is not None or outcome(begun) is not None:
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
        written = write(farm, begun, attempt=attempt, looked=looked, actor=access.actor)
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
    if problem.code == NOT_READ:
        raise Http404
    if problem.code not in (BOOK_CHANGED, CHOSEN_MEANWHILE, NOT_LOOKED):
        raise refused
    remedy = problem.remedy
    if problem.code == BOOK_CHANGED:
        read_again(import_of(farm_book_of(access.organisation), pk), actor=access.actor)
        remedy = "They are read again: look once more."
    tell = messages.error if problem.code == NOT_LOOKED else messages.warning
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
    read_again(begun, actor=access.actor)
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
    give_up(begun, actor=access.actor)
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
    begun = begin(farm.book, [], actor=access.actor)
    return redirect("farm_import", access.organisation.handle, begun.handle)
