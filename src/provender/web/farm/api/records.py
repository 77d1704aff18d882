"""The farm's record book: its kinds, rows, changes and history. Rows are texts as in a file, checked as a file is."""

from typing import Annotated, Any

from django.http import Http404, HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.database.models import Change, Scope
from provender.records import KINDS
from provender.records.json_schema import record_schema
from provender.services.farm.book import (
    Edit,
    FarmBook,
    RowChange,
    farm_book_of,
    head_of,
    history_of,
    kind_named,
    open_farm_book,
    texts_of,
)
from provender.services.farm.book import change_book as do_change_book
from provender.services.farm.edits import checked_edit
from provender.web.api.auth import Needs, caller_of
from provender.web.api.pages import Page, PageQuery, page_of, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import OneLine

router = Router(tags=["records"])
READ, WRITE = Needs(Scope.RECORDS_READ), Needs(Scope.RECORDS_WRITE)
MOST_EDITS = 500


class BookOut(Schema):
    """A record book and its head."""

    book: str
    version: int
    hash: str
    rows: dict[str, int]


class KindOut(Schema):
    """A kind of record; ``schema`` of its rows is at ``/records/kinds/{kind}``."""

    name: str
    label: str
    help: str
    cite: str
    rows: int


class RowOut(Schema):
    """One row: its key in its kind, and its columns as texts."""

    key: str
    row: dict[str, str]


class EditIn(Schema):
    """A row to put into the book, or to take out of it where ``row`` is null. Putting a key again corrects the row."""

    kind: Annotated[str, Field(max_length=60)]
    key: Annotated[str, Field(max_length=400, description="Only to take a row out.")] = ""
    row: Annotated[dict[str, Annotated[str, Field(max_length=2000)]] | None, Field(description="Texts by column.")]


class ChangeIn(Schema):
    """One change: all its edits are written or none."""

    reason: OneLine
    after: Annotated[int, Field(ge=0, le=2**31 - 1, description="The version you have seen.")]
    edits: Annotated[list[EditIn], Field(min_length=1, max_length=MOST_EDITS)]


class ChangeOut(Schema):
    """A change as written."""

    version: int
    hash: str
    previous: str
    at: str


class RowChangeOut(Schema):
    """A change of one row: who, when, why, and the texts of the columns that it changed; null where it was not there.

    ``before`` is null for a new row, ``after`` for one that was taken out.
    """

    version: int
    at: str
    actor: str
    reason: str
    before: dict[str, str] | None
    after: dict[str, str] | None


def book_of(request: HttpRequest) -> FarmBook:
    """Return the record book of the farm whose token this is.

    Raises:
        MissingError: the organisation is no farm, or has not opened its book.
    """
    return farm_book_of(caller_of(request).organisation)


def _book(farm: FarmBook) -> BookOut:
    head = head_of(farm.book)
    counts = {name: len(farm.rows.get(name, {})) for name in KINDS}
    return BookOut(book=farm.book.handle, version=farm.version, hash=head.hash if head else "", rows=counts)


@router.get("/records", response={200: BookOut, **REFUSALS}, auth=READ)
def get_book(request: HttpRequest) -> BookOut:
    """Return version and head of the record book, with the number of rows of each kind."""
    return _book(book_of(request))


@router.post("/records", response={201: BookOut, **REFUSALS}, auth=WRITE)
def open_book(request: HttpRequest) -> Status[BookOut]:
    """Open the farm's record book; one that is open is returned as it is."""
    caller = caller_of(request)
    return Status(201, _book(open_farm_book(caller.organisation, actor=caller.actor)))


@router.get("/records/kinds", response={200: Page[KindOut], **REFUSALS}, auth=READ)
def list_kinds(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the kinds of record."""
    farm = book_of(request)
    return page_of_list(
        list(KINDS.values()),
        page,
        lambda kind: KindOut(
            name=kind.name, label=kind.label, help=kind.help, cite=kind.cite, rows=len(farm.rows.get(kind.name, {}))
        ),
    )


@router.get("/records/kinds/{kind}", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_kind(request: HttpRequest, kind: str) -> dict[str, Any]:
    """Return the JSON Schema of the rows of a kind, with units and paragraphs."""
    return record_schema(kind_named(kind))


@router.get("/records/kinds/{kind}/rows", response={200: Page[RowOut], **REFUSALS}, auth=READ)
def list_rows(request: HttpRequest, kind: str, page: Query[PageQuery]) -> dict[str, object]:
    """List the rows of a kind in the order in which they were first written."""
    found = kind_named(kind)
    rows = list(book_of(request).of(found).items())
    return page_of_list(rows, page, lambda pair: RowOut(key=pair[0], row=texts_of(found, pair[1])))


@router.get("/records/kinds/{kind}/history", response={200: Page[RowChangeOut], **REFUSALS}, auth=READ)
def list_row_history(
    request: HttpRequest, kind: str, key: Annotated[str, Query(max_length=400)], page: Query[PageQuery]
) -> dict[str, object]:
    """List every change of one row, by its key, the first one first; a row that was taken out keeps its history."""
    found = list(history_of(book_of(request), kind_named(kind), key))
    if not found:
        raise Http404
    return page_of_list(found, page, _row_change)


def _row_change(one: RowChange) -> RowChangeOut:
    return RowChangeOut(
        version=one.change.number, at=one.change.at.isoformat(), actor=str(one.change.actor or "provender"),
        reason=one.reason, before={name: one.before[name] for name in one.columns} if one.before else None,
        after={name: one.after[name] for name in one.columns} if one.after else None,
    )  # fmt: skip


@router.get("/records/changes", response={200: Page[ChangeOut], **REFUSALS}, auth=READ)
def list_changes(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the changes of the book, the first one first; each names the hash of the one before."""
    return page_of(Change.objects.filter(book=book_of(request).book), page, _change)


def _change(one: Change) -> ChangeOut:
    return ChangeOut(version=one.number, hash=one.hash, previous=one.previous, at=one.at.isoformat())


@router.post("/records/changes", response={201: ChangeOut, **REFUSALS}, auth=WRITE)
def change_book(request: HttpRequest, body: ChangeIn) -> Status[ChangeOut]:
    """Write one change. Every row is checked first; problems name edit and column, and nothing is written."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    edits: list[Edit] = [checked_edit(farm, one.kind, one.key, one.row, at) for at, one in enumerate(body.edits)]
    made = do_change_book(farm.book, edits, reason=body.reason, actor=caller.actor, after=body.after)
    return Status(201, _change(made))
