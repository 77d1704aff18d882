"""Files on their way into a farm's book: beginning an import, how far it is, and what it would write, ask and refuse.

Nothing of the book changes before the import is written. Each choice reads the files again and counts one attempt more.
"""

from functools import partial
from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.services.farm.book import farm_book_of
from provender.services.imports.request import ImportResult
from provender.services.imports.start import files_by_code
from provender.services.imports.steps import begin, read_outcome
from provender.services.imports.views import (
    ImportBegunView,
    ImportCountsView,
    ImportProblemView,
    ImportRowView,
    ImportView,
    QuestionView,
    RejectedRowView,
    SheetColumnView,
    SheetView,
    begun_view,
    import_of,
    import_view,
    imports_of,
    problem_views,
    rejected_view,
    row_view,
    sheet_views,
)
from provender.web.api.auth import RECORDS_READ, RECORDS_WRITE, caller_of
from provender.web.api.pages import PageQuery, itself, page_of, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import Handle
from provender.web.api.view_schema import page_of_schema, schema_of
from provender.web.farm.api.records import book_of

router = Router(tags=["imports"])
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


schema_of(ImportCountsView, name="Counts"), schema_of(QuestionView, name="QuestionOut")
schema_of(SheetColumnView, name="SheetColumn")
IMPORT, BEGUN = schema_of(ImportView, name="ImportOut"), schema_of(ImportBegunView, name="Begun")
ROW, PROBLEM = schema_of(ImportRowView, name="ImportRow"), schema_of(ImportProblemView, name="ImportProblem")
SHEET, REJECTED = schema_of(SheetView, name="SheetOut"), schema_of(RejectedRowView, name="RejectedRow")


@router.get("/imports", response={200: page_of_schema(BEGUN), **REFUSALS}, auth=RECORDS_READ)
def list_imports(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the imports of the farm, the first one first."""
    return page_of(imports_of(book_of(request)), page, begun_view)


@router.post("/imports", response={201: IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def begin_import(request: HttpRequest, body: ImportIn) -> Status[ImportView]:
    """Begin an import and start reading its files; ask for it until they are read."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    files = files_by_code(farm.book.organisation, body.files)
    said = {"replace": body.replace, "units": body.units}
    return Status(201, import_view(farm, begin(farm.book, files, actor=caller.actor, said=said)))


@router.post("/imports/rejected", response={201: IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def begin_import_of_rejected(request: HttpRequest) -> Status[ImportView]:
    """Begin an import of the book's own rejected rows: to correct them, or to say that they do not count."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    return Status(201, import_view(farm, begin(farm.book, [], actor=caller.actor)))


@router.get("/imports/{code}", response={200: IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def get_import(request: HttpRequest, code: Handle) -> ImportView:
    """Return one import: how far it is, and once it is read what it holds and what it asks."""
    farm = book_of(request)
    return import_view(farm, import_of(farm, code))


def _result(request: HttpRequest, code: str) -> ImportResult:
    return read_outcome(import_of(book_of(request), code))


@router.get("/imports/{code}/rows", response={200: page_of_schema(ROW), **REFUSALS}, auth=RECORDS_WRITE)
def list_import_rows(request: HttpRequest, code: Handle, page: Query[PageQuery]) -> dict[str, object]:
    """List the rows that the import would write, each with the place it came from."""
    return page_of_list(_result(request, code).rows, page, row_view)


@router.get("/imports/{code}/problems", response={200: page_of_schema(PROBLEM), **REFUSALS}, auth=RECORDS_WRITE)
def list_import_problems(request: HttpRequest, code: Handle, page: Query[PageQuery]) -> dict[str, object]:
    """List what was said of the files, and after it what the book would be told of."""
    return page_of_list(problem_views(_result(request, code)), page, itself)


@router.get("/imports/{code}/sheets", response={200: page_of_schema(SHEET), **REFUSALS}, auth=RECORDS_WRITE)
def list_import_sheets(request: HttpRequest, code: Handle, page: Query[PageQuery]) -> dict[str, object]:
    """List the sheets that are read column by column: what each column is taken for, and its first cells."""
    return page_of_list(sheet_views(_result(request, code)), page, itself)


@router.get("/imports/{code}/rejected", response={200: page_of_schema(REJECTED), **REFUSALS}, auth=RECORDS_WRITE)
def list_import_rejected(request: HttpRequest, code: Handle, page: Query[PageQuery]) -> dict[str, object]:
    """List the rows that stay out, with the reasons and the cells as written."""
    found = _result(request, code)
    return page_of_list(found.rejected, page, partial(rejected_view, found))
