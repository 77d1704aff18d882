"""Tickets and settlements from another program's file: read apart from the server, by columns that somebody confirmed.

A file is stored first (``POST /files``). Reading it tells what its columns seem to mean; a map of them that was
confirmed is kept for its layout, and the next reading uses it.
"""

import json
from dataclasses import replace
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.custody.reconcile.ticket_rows import Held, ScaleTicket
from provender.database.models import Upload
from provender.formats.column_map import ColumnMap
from provender.problem import Place, Problem, ProblemsError
from provender.quantity import show
from provender.web.access import access_owned
from provender.web.api.auth import caller_of
from provender.web.api.pages import Page, PageQuery, page_of_list
from provender.web.api.problems import REFUSALS, OneProblem, one_problem
from provender.web.custody.api.context import READ, WRITE, desk_of
from provender.web.custody.pages import settlements as custody_settlements
from provender.web.custody.pages import tickets as custody_tickets
from provender.web.custody.pages.columns import keep_map, kept_maps, map_in, told
from provender.web.custody.pages.tickets import Entered, enter_tickets

router = Router(tags=["custody"])
Target = Literal["ticket", "settlement"]
File = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[A-Za-z0-9_-]+$", description="As `/files` says.")]
Site = Annotated[str, Field(max_length=80, description="Where the file itself names none.")]
Columns = Annotated[dict[str, Any] | None, Field(description="What the columns mean; null where none are found.")]


class MapIn(Schema):
    """A column map that somebody looked at: as a reading gave it, or corrected."""

    target: Target
    map: dict[str, Any]


class TicketFile(Schema):
    """A stored file of tickets."""

    file: File
    site: Site = ""


class SettlementFile(Schema):
    """A stored file of settlements."""

    file: File


class TicketOut(Schema):
    """A ticket as a file would enter it; ``printed_bu`` is the file's figure, ``ours_bu`` what follows by weight."""

    number: str
    day: str
    site: str
    crop: str
    customer: str
    way: Literal["in", "out", "void"]
    printed_bu: str | None
    ours_bu: str | None


class TicketsRead(Schema):
    """What a file says: its columns, whether somebody confirmed them, and a page of its tickets; nothing is entered."""

    map: Columns
    confirmed: bool
    tickets: list[TicketOut]
    next: int | None
    problems: list[OneProblem]


class TicketsEntered(Schema):
    """What became of the tickets of a file: each stands or falls by itself."""

    entered: int
    known: int
    refused: list[OneProblem]
    doubts: list[OneProblem]


class TicketHeld(Schema):
    """A ticket that settlements name: bushels they applied, and net bushels of the grain book, null for no ticket."""

    ticket: str
    settlements: list[str]
    applied_bu: str
    net_bu: str | None
    agrees: bool


class SettlementsRead(Schema):
    """What a file of settlements says against the grain book; ``tickets`` is empty until its columns are confirmed."""

    map: Columns
    confirmed: bool
    tickets: list[TicketHeld]
    next: int | None
    problems: list[OneProblem]


def _upload(request: HttpRequest, file: str) -> Upload:
    return access_owned(caller_of(request).access, Upload, handle=file)


def _plain(found: ColumnMap | None) -> dict[str, Any] | None:
    return None if found is None else dict(json.loads(found.to_text()))


@router.get("/custody/maps", response={200: Page[dict[str, Any]], **REFUSALS}, auth=READ)
def list_column_maps(request: HttpRequest, page: Query[PageQuery], target: Target) -> dict[str, object]:
    """List the column maps that were confirmed for files of tickets or of settlements, the latest first."""
    desk = desk_of(request)
    return page_of_list(kept_maps(desk.access.organisation, target), page, _plain)


@router.post("/custody/maps", response={201: dict[str, Any], **REFUSALS}, auth=WRITE)
def confirm_column_map(request: HttpRequest, body: MapIn) -> Status[dict[str, Any]]:
    """Confirm what the columns of a layout mean: from now on its files are read so."""
    desk = desk_of(request)
    found = map_in(json.dumps(body.map), body.target)
    if found is None:
        cause = f"This is no column map for files of the kind {body.target}."
        remedy = "Send the map of a reading, with the fields of its columns corrected."
        raise ProblemsError([Problem(Place("body", column="map"), cause, remedy, code="map_unreadable")])
    confirmed = replace(found, confirmed=True)
    keep_map(desk.access.organisation, confirmed, actor=desk.access.actor)
    return Status(201, dict(json.loads(confirmed.to_text())))


@router.get("/custody/tickets/reading", response={200: TicketsRead, **REFUSALS}, auth=WRITE)
def read_ticket_file(request: HttpRequest, page: Query[PageQuery], asked: Query[TicketFile]) -> TicketsRead:
    """Read a stored file of tickets, by a confirmed map of its columns or by a suggestion; nothing is entered."""
    desk, upload = desk_of(request), _upload(request, asked.file)
    read = custody_tickets.read_tickets(desk, upload, asked.site, kept_maps(desk.access.organisation, "ticket"))
    shown: Any = page_of_list(read.tickets, page, _ticket)
    return TicketsRead(
        map=_plain(read.map),
        confirmed=read.map is not None and read.map.confirmed,
        tickets=shown["items"],
        next=shown["next"],
        problems=[one_problem(one) for one in told(read.problems)],
    )


def _ticket(one: ScaleTicket) -> TicketOut:
    return TicketOut(
        number=one.number, day=str(one.day), site=one.site, crop=str(one.crop), customer=one.customer,
        way="void" if one.void else "out" if one.outbound else "in",
        printed_bu=None if one.printed is None else show(one.printed),
        ours_bu=None if one.ours is None else show(one.ours),
    )  # fmt: skip


@router.post("/custody/tickets", response={201: TicketsEntered, **REFUSALS}, auth=WRITE)
def enter_ticket_file(request: HttpRequest, body: TicketFile) -> Status[TicketsEntered]:
    """Enter the tickets of a stored file whose columns were confirmed; those that are in the book stay as they are."""
    desk, upload = desk_of(request), _upload(request, body.file)
    read = custody_tickets.read_tickets(desk, upload, body.site, kept_maps(desk.access.organisation, "ticket"))
    if read.map is None or not read.map.confirmed:
        raise ProblemsError([_unconfirmed(upload), *read.problems])
    done = enter_tickets(desk, upload, read, read.map)
    if not isinstance(done, Entered):
        raise ProblemsError(done or [_no_tickets(upload)])
    return Status(
        201,
        TicketsEntered(
            entered=done.new,
            known=done.known,
            refused=[one_problem(one) for one in done.refused],
            doubts=[one_problem(one) for one in done.doubts],
        ),
    )


def _unconfirmed(upload: Upload) -> Problem:
    cause = "Nobody confirmed what the columns of this file mean."
    remedy = "Read it under /custody/tickets/reading, and post the map, corrected, to /custody/maps."
    return Problem(Place(upload.name), cause, remedy, code="columns_unconfirmed")


def _no_tickets(upload: Upload) -> Problem:
    cause = f"The file makes no ticket, or more than {custody_tickets.MOST}."
    return Problem(Place(upload.name), cause, "Upload a file with fewer, or look at its columns.", code="no_tickets")


@router.get("/custody/settlements/reading", response={200: SettlementsRead, **REFUSALS}, auth=WRITE)
def read_settlement_file(request: HttpRequest, page: Query[PageQuery], asked: Query[SettlementFile]) -> SettlementsRead:
    """Hold a stored file of settlements against the tickets of the grain book; nothing is entered."""
    desk, upload = desk_of(request), _upload(request, asked.file)
    read = custody_settlements.read_settlements(desk, upload, kept_maps(desk.access.organisation, "settlement"))
    confirmed = read.map is not None and read.map.confirmed
    missing = [custody_settlements.columns_missing(upload)] if confirmed and not read.known else []
    shown: Any = page_of_list(read.held if confirmed and read.known else (), page, _held)
    return SettlementsRead(
        map=_plain(read.map),
        confirmed=confirmed,
        tickets=shown["items"],
        next=shown["next"],
        problems=[one_problem(one) for one in (*missing, *told(read.problems))],
    )


def _held(one: Held) -> TicketHeld:
    return TicketHeld(
        ticket=one.ticket, settlements=list(one.settlements), applied_bu=show(one.applied),
        net_bu=None if one.net is None else show(one.net), agrees=one.agrees,
    )  # fmt: skip
