"""Tickets from another program's file: read apart from the server, by columns that somebody confirmed.

A file is stored first (``POST /files``). Reading it tells what its columns seem to mean; a map of them that was
confirmed is kept for its layout, and the next reading uses it.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.custody.reconcile.left_out import LeftOut, mark_of
from provender.formats.column_map import ColumnMap
from provender.problem import Place, Problem, ProblemsError
from provender.services.custody import ticket_files
from provender.services.custody.tickets import LeftOutView, left_out_view, ticket_view
from provender.services.custody.views import TicketView
from provender.services.farm.uploads import StoredFile, upload_of
from provender.web.api.auth import caller_of
from provender.web.api.pages import Page, PageQuery, page_of_list
from provender.web.api.problems import REFUSALS, OneProblem, one_problem
from provender.web.api.view_schema import schema_of, shown
from provender.web.custody.api.context import READ, WRITE, desk_of

router = Router(tags=["custody"])
LeftOutOut = schema_of(LeftOutView, name="LoadLeftOut")
LeaveOut = Annotated[
    str,
    Field(max_length=64, description="As the reading says it: the loads that are not taken were seen, and stay out."),
]
TicketOut = schema_of(TicketView, name="TicketOut")
File = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[A-Za-z0-9_-]+$", description="As `/files` says.")]
Site = Annotated[str, Field(max_length=80, description="Where the file itself names none.")]
Columns = Annotated[dict[str, Any] | None, Field(description="What the columns mean; null where none are found.")]


class MapIn(Schema):
    """A column map that somebody looked at: as a reading gave it, or corrected."""

    map: dict[str, Any]


class TicketFile(Schema):
    """A stored file of tickets."""

    file: File
    site: Site = ""


class TicketFileIn(TicketFile):
    """A stored file of tickets to be entered."""

    leave_out: LeaveOut = ""


class TicketsRead(Schema):
    """What a file says: its columns, whether somebody confirmed them, and a page of its tickets; nothing is entered."""

    map: Columns
    confirmed: bool
    tickets: list[TicketOut]  # type: ignore[valid-type]
    next: int | None
    left_out: list[LeftOutOut]  # type: ignore[valid-type]
    leave_out: str
    problems: list[OneProblem]


class TicketsEntered(Schema):
    """What became of the tickets of a file: each stands or falls by itself."""

    entered: int
    known: int
    refused: list[OneProblem]
    doubts: list[OneProblem]
    left_out: list[LeftOutOut]  # type: ignore[valid-type]


def _upload(request: HttpRequest, file: str) -> StoredFile:
    return upload_of(caller_of(request).organisation, file)


def _plain(found: ColumnMap | None) -> dict[str, Any] | None:
    return None if found is None else dict(json.loads(found.to_text()))


@router.get("/custody/maps", response={200: Page[dict[str, Any]], **REFUSALS}, auth=READ)
def list_column_maps(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the column maps that were confirmed for files of tickets, the latest first."""
    desk = desk_of(request)
    return page_of_list(ticket_files.kept_maps(desk), page, _plain)


@router.post("/custody/maps", response={201: dict[str, Any], **REFUSALS}, auth=WRITE)
def confirm_column_map(request: HttpRequest, body: MapIn) -> Status[dict[str, Any]]:
    """Confirm what the columns of a layout mean: from now on its files are read so."""
    desk = desk_of(request)
    found = ticket_files.map_in(json.dumps(body.map))
    if found is None:
        cause = "This is no column map for files of tickets."
        remedy = "Send the map of a reading, with the fields of its columns corrected."
        raise ProblemsError([Problem(Place("body", column="map"), cause, remedy, code="map_unreadable")])
    confirmed = replace(found, confirmed=True)
    ticket_files.keep_map(desk, confirmed)
    return Status(201, dict(json.loads(confirmed.to_text())))


@router.get("/custody/tickets/reading", response={200: TicketsRead, **REFUSALS}, auth=WRITE)
def read_ticket_file(request: HttpRequest, page: Query[PageQuery], asked: Query[TicketFile]) -> TicketsRead:
    """Read a stored file of tickets, by a confirmed map of its columns or by a suggestion; nothing is entered."""
    desk, upload = desk_of(request), _upload(request, asked.file)
    read = ticket_files.tickets_in(desk, upload, asked.site)
    listed: Any = page_of_list(read.tickets, page, lambda ticket: shown(ticket_view(ticket)))
    return TicketsRead(
        map=_plain(read.map),
        confirmed=read.map is not None and read.map.confirmed,
        tickets=listed["items"],
        next=listed["next"],
        left_out=_left(read.left_out),
        leave_out=mark_of(read.left_out),
        problems=[one_problem(one) for one in ticket_files.reworded(read.problems)],
    )


def _left(loads: Sequence[LeftOut]) -> list[Any]:
    return [shown(left_out_view(one)) for one in loads]


@router.post("/custody/tickets", response={201: TicketsEntered, **REFUSALS}, auth=WRITE)
def enter_ticket_file(request: HttpRequest, body: TicketFileIn) -> Status[TicketsEntered]:
    """Enter the tickets of a stored file whose columns were confirmed; those that are in the book stay as they are.

    Where loads are not taken, nothing is entered until `leave_out` repeats what the reading said of them.
    """
    desk, upload = desk_of(request), _upload(request, body.file)
    read = ticket_files.tickets_in(desk, upload, body.site)
    if read.map is None or not read.map.confirmed:
        raise ProblemsError([_unconfirmed(upload), *read.problems])
    done = ticket_files.enter_tickets(desk, upload, read, read.map, body.leave_out)
    if not isinstance(done, ticket_files.TicketsEntered):
        raise ProblemsError(done or [_no_tickets(upload)])
    return Status(
        201,
        TicketsEntered(
            entered=done.new,
            known=done.known,
            refused=[one_problem(one) for one in done.refused],
            doubts=[one_problem(one) for one in done.doubts],
            left_out=_left(done.left_out),
        ),
    )


def _unconfirmed(upload: StoredFile) -> Problem:
    cause = "Nobody confirmed what the columns of this file mean."
    remedy = "Read it under /custody/tickets/reading, and post the map, corrected, to /custody/maps."
    return Problem(Place(upload.name), cause, remedy, code="columns_unconfirmed")


def _no_tickets(upload: StoredFile) -> Problem:
    cause = f"The file makes no ticket, or more than {ticket_files.MOST}."
    return Problem(Place(upload.name), cause, "Upload a file with fewer, or look at its columns.", code="no_tickets")
