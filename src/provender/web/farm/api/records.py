"""The farm's record book: its kinds, rows, changes and history. Rows are texts as in a file, checked as a file is."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.records.json_schema import record_schema
from provender.services.farm.asked import check_asked
from provender.services.farm.book import (
    Edit,
    FarmBook,
    farm_book_of,
    kind_named,
    open_farm_book,
)
from provender.services.farm.book import change_book as do_change_book
from provender.services.farm.edits import checked_edit
from provender.services.farm.views import (
    BookView,
    ChangeView,
    KindView,
    RowChangeView,
    RowView,
    book_view,
    change_view,
    changes_of,
    kind_views,
    row_history,
    row_views,
)
from provender.services.refused import MissingError
from provender.services.reports.would_change import ChangePreview, Removal, preview_of, removal_of
from provender.web.api.auth import RECORDS_READ, RECORDS_WRITE, caller_of
from provender.web.api.pages import PageQuery, itself, page_of, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import OneLine
from provender.web.api.view_schema import page_of_schema, schema_of

router = Router(tags=["records"])
MOST_EDITS = 500
BOOK, CHANGE = schema_of(BookView, name="BookOut"), schema_of(ChangeView, name="ChangeOut")
KIND, ROW = schema_of(KindView, name="KindOut"), schema_of(RowView, name="RowOut")
ROW_CHANGE, REMOVAL = schema_of(RowChangeView, name="RowChangeOut"), schema_of(Removal, name="RemovalOut")
PREVIEW = schema_of(ChangePreview, name="ChangePreviewOut")


class EditIn(Schema):
    """A row to put into the book, or to take out of it where ``row`` is null. Putting a key again corrects the row."""

    kind: Annotated[str, Field(max_length=60)]
    key: Annotated[str, Field(max_length=400, description="Only to take a row out.")] = ""
    row: Annotated[dict[str, Annotated[str, Field(max_length=2000)]] | None, Field(description="Texts by column.")]


Edits = Annotated[list[EditIn], Field(min_length=1, max_length=MOST_EDITS)]
Looked = Annotated[
    bool,
    Field(
        description=(
            "Second plantings, covers, budgets and entries of a crop and year are meant, and names that no list has"
            " are right as they are typed."
        )
    ),
]


class ChangeIn(Schema):
    """One change: all its edits are written or none."""

    reason: OneLine
    after: Annotated[int, Field(ge=0, le=2**31 - 1, description="The version you have seen.")]
    edits: Edits
    looked: Looked = False


class EditsIn(Schema):
    """The edits of one change, before anybody writes them."""

    edits: Edits
    looked: Looked = False


def book_of(request: HttpRequest) -> FarmBook:
    """Return the record book of the farm whose token this is.

    Raises:
        MissingError: the organization is no farm, or has not opened its book.
    """
    return farm_book_of(caller_of(request).organisation)


@router.get("/records", response={200: BOOK, **REFUSALS}, auth=RECORDS_READ)
def get_book(request: HttpRequest) -> BookView:
    """Return version and head of the record book, with the number of rows of each kind."""
    return book_view(book_of(request))


@router.post("/records", response={201: BOOK, **REFUSALS}, auth=RECORDS_WRITE)
def open_book(request: HttpRequest) -> Status[BookView]:
    """Open the farm's record book; one that is open is returned as it is."""
    caller = caller_of(request)
    return Status(201, book_view(open_farm_book(caller.organisation, actor=caller.actor)))


@router.get("/records/kinds", response={200: page_of_schema(KIND), **REFUSALS}, auth=RECORDS_READ)
def list_kinds(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the kinds of record."""
    return page_of_list(kind_views(book_of(request)), page, itself)


@router.get("/records/kinds/{kind}", response={200: dict[str, Any], **REFUSALS}, auth=RECORDS_READ)
def get_kind(request: HttpRequest, kind: str) -> dict[str, Any]:
    """Return the JSON Schema of the rows of a kind, with units and paragraphs."""
    return record_schema(kind_named(kind))


@router.get("/records/kinds/{kind}/rows", response={200: page_of_schema(ROW), **REFUSALS}, auth=RECORDS_READ)
def list_rows(request: HttpRequest, kind: str, page: Query[PageQuery]) -> dict[str, object]:
    """List the rows of a kind in the order in which they were first written."""
    return page_of_list(row_views(book_of(request), kind_named(kind)), page, itself)


@router.get("/records/kinds/{kind}/history", response={200: page_of_schema(ROW_CHANGE), **REFUSALS}, auth=RECORDS_READ)
def list_row_history(
    request: HttpRequest, kind: str, key: Annotated[str, Query(max_length=400)], page: Query[PageQuery]
) -> dict[str, object]:
    """List every change of one row, by its key, the first one first; a row that was taken out keeps its history."""
    found = list(row_history(book_of(request), kind_named(kind), key))
    if not found:
        raise MissingError
    return page_of_list(found, page, itself)


@router.get("/records/kinds/{kind}/removal", response={200: REMOVAL, **REFUSALS}, auth=RECORDS_READ)
def get_removal(request: HttpRequest, kind: str, key: Annotated[str, Query(max_length=400)]) -> Removal:
    """Tell what taking one row out, by its key, would take with it; nothing is written."""
    return removal_of(book_of(request), kind_named(kind), key)


@router.get("/records/changes", response={200: page_of_schema(CHANGE), **REFUSALS}, auth=RECORDS_READ)
def list_changes(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the changes of the book, the first one first; each names the hash of the one before."""
    return page_of(changes_of(book_of(request)), page, change_view)


@router.post("/records/changes/preview", response={200: PREVIEW, **REFUSALS}, auth=RECORDS_WRITE)
def preview_change(request: HttpRequest, body: EditsIn) -> ChangePreview:
    """Tell what a change would do to verdicts, carbon intensities and signed reports; nothing is written.

    Every row is checked, and refused, as the change itself would be.
    """
    farm = book_of(request)
    return preview_of(farm, _checked(farm, body))


@router.post("/records/changes", response={201: CHANGE, **REFUSALS}, auth=RECORDS_WRITE)
def change_book(request: HttpRequest, body: ChangeIn) -> Status[ChangeView]:
    """Write one change. Every row is checked first; problems name edit and column, and nothing is written."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    edits = _checked(farm, body)
    made = do_change_book(farm.book, edits, reason=body.reason, actor=caller.actor, after=body.after)
    return Status(201, change_view(made))


def _checked(farm: FarmBook, body: ChangeIn | EditsIn) -> list[Edit]:
    """Return the edits as they would be written.

    Raises:
        ProblemsError: a row that cannot be written, or of which something is asked that nobody has looked at.
    """
    edits = [checked_edit(farm, one.kind, one.key, one.row, at) for at, one in enumerate(body.edits)]
    check_asked(farm, edits, looked=body.looked)
    return edits
