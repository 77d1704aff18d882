"""Files on their way into a farm's book: beginning an import, how far it is, and what it would write, ask and refuse.

Nothing of the book changes before the import is written. Each choice reads the files again and counts one attempt more.
"""

from datetime import datetime
from typing import Annotated

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.database.models import BookImport, Scope, Upload
from provender.problem import Place, Problem, ProblemsError
from provender.services.farm.book import FarmBook, farm_book_of, key_of, kind_named
from provender.services.imports.questions import must_look, questions
from provender.services.imports.request import ImportResult, Layout, Rejected, RowChange
from provender.services.imports.start import outcome, progress
from provender.services.imports.steps import begin, read_outcome
from provender.services.imports.words import for_page
from provender.web.api.auth import Caller, Needs, caller_of
from provender.web.api.pages import Page, PageQuery, page_of, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import Handle
from provender.web.farm.api.records import book_of

router = Router(tags=["imports"])
READ, WRITE = Needs(Scope.RECORDS_READ), Needs(Scope.RECORDS_WRITE)
MOST_FILES = 100
NO_NUL = r"^[^\x00]*$"
"""PostgreSQL keeps no NUL."""
Name = Annotated[str, Field(max_length=200, pattern=NO_NUL)]


class ImportIn(Schema):
    """What to begin: stored files, by the codes that ``POST /files`` gave."""

    files: Annotated[list[Annotated[str, Field(max_length=60)]], Field(min_length=1, max_length=MOST_FILES)]
    replace: Annotated[bool, Field(description="Where book and files differ, the files count.")] = False
    units: Annotated[
        dict[Name, Name],
        Field(description="Management unit by the name a file has for it; of a photograph, by the file's name."),
    ] = {}


class Begun(Schema):
    """An import; ``state`` is ``open``, ``written`` or ``given_up``."""

    id: int
    code: str
    began_at: datetime
    by: str
    files: list[str]
    state: str
    attempt: int
    version: Annotated[int | None, Field(description="The change of the book that it wrote.")]


class QuestionOut(Schema):
    """Something that can be chosen: ``about`` names the part of ``POST .../choices`` that answers it."""

    about: str
    subject: str
    says: str


class Counts(Schema):
    """What a read import holds; the parts have lists of their own."""

    rows: int
    same: int
    problems: int
    sheets: int
    rejected: int


class ImportOut(Begun):
    """An import and how far it is; ``found`` and ``questions`` are there once its files are ``read``."""

    read: bool
    lost: Annotated[bool, Field(description="The reading broke off: ask for another.")]
    step: str
    done: int
    whole: int
    book_version: int
    must_look: Annotated[bool, Field(description="Writing it must say that somebody looked.")]
    found: Counts | None
    questions: list[QuestionOut]


class ImportRow(Schema):
    """A row that would be written, as texts by column; ``was`` is how the book has it, empty for a new row."""

    kind: str
    key: str
    row: dict[str, str]
    was: dict[str, str]
    file: str
    sheet: str
    line: int


class ImportProblem(Schema):
    """What was said of the files; ``remains`` marks what the book would have and does not have now."""

    at: str
    cause: str
    remedy: str
    cite: str
    code: str
    weight: str
    remains: bool


class SheetColumn(Schema):
    """A column of a sheet, what it is taken for, and its first cells; an empty ``field`` is left out."""

    column: int
    heading: str
    field: str
    unit: str
    samples: list[str]


class SheetOut(Schema):
    """A sheet whose columns somebody should look at; an empty ``kind`` is not known."""

    sheet: int
    file: str
    name: str
    kind: str
    confirmed: bool
    lines: int
    date_order: str
    decimal: str
    columns: list[SheetColumn]


class RejectedRow(Schema):
    """A row that stays out, why, and its cells by heading."""

    path: str
    row: int
    kind: str
    place: str
    why: str
    cells: dict[str, str]


def import_or_404(caller: Caller, code: str) -> tuple[FarmBook, BookImport]:
    """Return an import of the farm, with the farm's book.

    Raises:
        Http404: the organisation is no farm with a book, or has no such import.
    """
    farm = farm_book_of(caller.organisation)
    imports = BookImport.objects.select_related("actor", "change", "book__organisation")
    return farm, get_object_or_404(imports, book=farm.book, handle=code)


def begun_out(one: BookImport) -> Begun:
    """Return an import as a list shows it."""
    state = "written" if one.change is not None else "given_up" if one.ended_at is not None else "open"
    return Begun(
        id=one.pk, code=one.handle, began_at=one.began_at, by=str(one.actor or "provender"), files=list(one.files),
        state=state, attempt=one.attempt, version=one.change.number if one.change is not None else None,
    )  # fmt: skip


def import_out(farm: FarmBook, one: BookImport) -> ImportOut:
    """Return an import and how far it is."""
    found = outcome(one) if one.ended_at is None else None
    far = progress(one) if one.ended_at is None else None
    counts = None if found is None else Counts(
        rows=len(found.rows), same=sum(each.same for each in found.counts),
        problems=len(found.problems) + len(found.remain), sheets=len(found.layouts), rejected=len(found.rejected),
    )  # fmt: skip
    asked = [] if found is None else questions(farm, found)
    return ImportOut(
        **begun_out(one).model_dump(), read=found is not None, lost=far is not None and far.lost,
        step=far.step if far else "", done=far.done if far else 0, whole=far.whole if far else 0,
        book_version=one.book_version, must_look=found is not None and must_look(found), found=counts,
        questions=[QuestionOut(about=each.about, subject=each.subject, says=each.says) for each in asked],
    )  # fmt: skip


@router.get("/imports", response={200: Page[Begun], **REFUSALS}, auth=READ)
def list_imports(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the imports of the farm, the first one first."""
    imports = BookImport.objects.filter(book=book_of(request).book).select_related("actor", "change")
    return page_of(imports, page, begun_out)


@router.post("/imports", response={201: ImportOut, **REFUSALS}, auth=WRITE)
def begin_import(request: HttpRequest, body: ImportIn) -> Status[ImportOut]:
    """Begin an import and start reading its files; ask for it until they are read."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    stored = Upload.objects.filter(organisation=caller.organisation, handle__in=body.files)
    found = {one.handle: one for one in stored}
    unknown = [name for name in body.files if name not in found]
    if unknown:
        cause = f"No stored file has the code {unknown[0]!r}."
        raise ProblemsError([Problem(Place("files"), cause, "Store it first: POST /files.", code="no_file")])
    files = [found[name] for name in dict.fromkeys(body.files)]
    said = {"replace": body.replace, "units": body.units}
    return Status(201, import_out(farm, begin(farm.book, files, actor=caller.actor, said=said)))


@router.post("/imports/rejected", response={201: ImportOut, **REFUSALS}, auth=WRITE)
def begin_import_of_rejected(request: HttpRequest) -> Status[ImportOut]:
    """Begin an import of the book's own rejected rows: to correct them, or to say that they do not count."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    return Status(201, import_out(farm, begin(farm.book, [], actor=caller.actor)))


@router.get("/imports/{code}", response={200: ImportOut, **REFUSALS}, auth=WRITE)
def get_import(request: HttpRequest, code: Handle) -> ImportOut:
    """Return one import: how far it is, and once it is read what it holds and what it asks."""
    return import_out(*import_or_404(caller_of(request), code))


def _outcome(request: HttpRequest, code: str) -> ImportResult:
    _, one = import_or_404(caller_of(request), code)
    return read_outcome(one)


@router.get("/imports/{code}/rows", response={200: Page[ImportRow], **REFUSALS}, auth=WRITE)
def list_import_rows(request: HttpRequest, code: Handle, page: Query[PageQuery]) -> dict[str, object]:
    """List the rows that the import would write, each with the place it came from."""
    return page_of_list(_outcome(request, code).rows, page, _row)


def _row(one: RowChange) -> ImportRow:
    return ImportRow(
        kind=one.kind, key=key_of(kind_named(one.kind), one.texts), row=one.texts, was=one.was, file=one.file,
        sheet=one.sheet, line=one.row,
    )  # fmt: skip


@router.get("/imports/{code}/problems", response={200: Page[ImportProblem], **REFUSALS}, auth=WRITE)
def list_import_problems(request: HttpRequest, code: Handle, page: Query[PageQuery]) -> dict[str, object]:
    """List what was said of the files, and after it what the book would be told of."""
    found = _outcome(request, code)
    said = [(one, False) for one in found.problems] + [(one, True) for one in found.remain]
    return page_of_list(said, page, lambda pair: _problem(*pair))


def _problem(one: Problem, remains: bool) -> ImportProblem:
    told = for_page(one)
    return ImportProblem(
        at=str(told.place), cause=told.cause, remedy=told.remedy, cite=told.cite, code=told.code,
        weight=str(told.weight), remains=remains,
    )  # fmt: skip


@router.get("/imports/{code}/sheets", response={200: Page[SheetOut], **REFUSALS}, auth=WRITE)
def list_import_sheets(request: HttpRequest, code: Handle, page: Query[PageQuery]) -> dict[str, object]:
    """List the sheets that are read column by column: what each column is taken for, and its first cells."""
    layouts = list(enumerate(_outcome(request, code).layouts))
    return page_of_list(layouts, page, lambda pair: _sheet(*pair))


def _sheet(number: int, one: Layout) -> SheetOut:
    how = one.how
    columns = [
        SheetColumn(
            column=at, heading=text, field=how.meanings.get(text, ("", ""))[0],
            unit=how.meanings.get(text, ("", ""))[1], samples=list(one.samples[at]),
        )
        for at, text in enumerate(one.headings)
        if text
    ]  # fmt: skip
    return SheetOut(
        sheet=number, file=one.file, name=one.sheet, kind=one.target, confirmed=one.confirmed, lines=one.lines,
        date_order=how.date_order, decimal=how.decimal, columns=columns,
    )  # fmt: skip


@router.get("/imports/{code}/rejected", response={200: Page[RejectedRow], **REFUSALS}, auth=WRITE)
def list_import_rejected(request: HttpRequest, code: Handle, page: Query[PageQuery]) -> dict[str, object]:
    """List the rows that stay out, with the reasons and the cells as written."""
    return page_of_list(_outcome(request, code).rejected, page, _rejected)


def _rejected(one: Rejected) -> RejectedRow:
    return RejectedRow(path=one.path, row=one.row, kind=one.kind, place=one.place, why=one.why, cells=dict(one.cells))
