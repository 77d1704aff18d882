"""The custody book around its lots: one movement, what waits, partners and their verification, and signed papers."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Annotated, Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.custody.documents.build import TRANSFER
from provender.custody.documents.consents import NAME as CONSENT
from provender.custody.documents.consents import NOTICE
from provender.custody.documents.refiner_figures import FIGURES
from provender.custody.reconcile.ticket_rows import LeftOut, mark_of
from provender.formats.column_map import ColumnMap
from provender.problem import Place, Problem, ProblemsError
from provender.services.custody import documents, partners, ticket_files, views
from provender.services.custody.checks import waiting
from provender.services.custody.context import CustodyContext
from provender.services.custody.documents import BuyerNotice, buyer_notices, keep_signed
from provender.services.custody.movements import movement
from provender.services.custody.tickets import LeftOutView, left_out_view, ticket_view
from provender.services.farm.files import StoredFile, upload_of
from provender.web.api.problems import REFUSALS, OneProblem, caller_of, one_problem
from provender.web.api.schema import Page, PageQuery, file_of, page_of_list, schema_of, shown
from provender.web.custody.api.context import READ, WRITE, desk_of, list_call
from provender.web.tables import download

router = Router(tags=["custody"])

PDF = "application/pdf"
Named = Annotated[str, Query(min_length=1, max_length=220)]


class PaperIn(Schema):
    """A paper signed on the organization's own machine: of a sale, a period or a year, a notice or a consent."""

    document: dict[str, Any]
    signature: Annotated[str, Field(min_length=1, max_length=20_000)]


class PaperOut(Schema):
    """A paper of the organization; ``signature`` is null while none was brought."""

    document: dict[str, Any]
    signature: str | None


@router.get("/custody/movement", response={200: schema_of(views.MovementView), **REFUSALS}, auth=READ)
def get_movement(request: HttpRequest, event: Named) -> Any:  # noqa: ANN401 - JSON
    """Return one movement of the organization, by the id of its event."""
    view = movement(desk_of(request), event)
    if view is None:
        raise Http404
    return shown(view)


@router.get("/custody/waiting", response={200: schema_of(views.WaitingView), **REFUSALS}, auth=READ)
def list_waiting(request: HttpRequest) -> Any:  # noqa: ANN401 - JSON
    """Return deliveries to accept, slips to buy, and purchases that wait for a report."""
    return shown(waiting(desk_of(request)))


list_call(
    router, "/custody/contracts", "list_contracts",
    "List the contracts on file in the order in which they were first stated, and each partner's verification.",
    views.ContractView, partners.contracts,
)  # fmt: skip
list_call(
    router, "/custody/statements", "list_statements",
    "List the verification statements that cover the organization itself, in the order in which they were entered.",
    views.VerificationView, partners.verifications,
)  # fmt: skip


def paper_calls(kind: str, name: str, asked: str, calls: tuple[str, str], says: str) -> None:
    """Add the calls that return a paper of a kind by what it is of, and that print it."""

    def get(request: HttpRequest, number: Annotated[str, Query(min_length=1, max_length=220, alias=asked)]) -> PaperOut:
        return _shown(_paper(desk_of(request), kind, number))

    def printed(
        request: HttpRequest, number: Annotated[str, Query(min_length=1, max_length=220, alias=asked)]
    ) -> HttpResponse:
        return _printed(_paper(desk_of(request), kind, number), request.build_absolute_uri())

    (get.__name__, printed.__name__), get.__doc__ = calls, says
    printed.__doc__ = "Return the same to print; a signature that was kept stands on it."
    path = f"/custody/papers/{name}"
    router.get(path, response={200: PaperOut, **REFUSALS}, auth=READ)(get)
    router.get(f"{path}.pdf", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(PDF))(printed)


paper_calls(
    TRANSFER, "transfer", "sale", ("get_transfer", "print_transfer"),
    "Return the transfer document of a sale: as it was signed, else as it would be signed today (2100.032(c)).",
)  # fmt: skip
paper_calls(
    NOTICE, "notice", "number", ("get_buyer_notice", "print_buyer_notice"),
    "Return the notice to a partner of a changed report: as it was signed, else as it would be today (2100.032(a)).",
)  # fmt: skip
paper_calls(
    CONSENT, "consent", "act", ("get_consent", "print_consent"),
    "Return the paper on a return, refusal or correction by which bushels went back: as signed, else as of today.",
)  # fmt: skip


@router.get("/custody/papers/period", response={200: PaperOut, **REFUSALS}, auth=READ)
def get_period_statement(request: HttpRequest, start: date, *, restated: bool = False) -> PaperOut:
    """Return the statement of a closed period: as it was signed, else as it is to be signed (2100.034(c)).

    With ``restated`` the restatement beside it, where a report behind the period changed since.
    """
    return _shown(_statement(desk_of(request), start, restated=restated))


list_call(
    router, "/custody/notices", "list_buyer_notices",
    "List which partners are to be told that a report behind what they have from the organization changed.",
    BuyerNotice, buyer_notices,
)  # fmt: skip


@router.get("/custody/papers/period.pdf", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(PDF))
def print_period_statement(request: HttpRequest, start: date, *, restated: bool = False) -> HttpResponse:
    """Return the statement of a closed period, or its restatement, to print; a signature that was kept stands on it."""
    return _printed(_statement(desk_of(request), start, restated=restated))


def _paper(desk: CustodyContext, kind: str, number: str) -> documents.Paper:
    try:
        return documents.paper(desk, kind, number)
    except ProblemsError:
        raise Http404 from None


def _statement(desk: CustodyContext, start: date, *, restated: bool) -> documents.Paper:
    try:
        return documents.paper(desk, *documents.statement_of(desk, start, restated=restated))
    except ProblemsError:
        raise Http404 from None


def _shown(paper: documents.Paper) -> PaperOut:
    return PaperOut(document=paper.document, signature=paper.envelope["signature"] if paper.envelope else None)


def _printed(paper: documents.Paper, address: str = "") -> HttpResponse:
    return download(paper.pdf(address), PDF, paper.file_name("pdf"))


@router.post("/custody/papers", response={201: PaperOut, **REFUSALS}, auth=WRITE)
def keep_paper(request: HttpRequest, body: PaperIn) -> Status[PaperOut]:
    """Hand in a signed transfer document, statement, restatement, notice, consent or figures: if the book says so."""
    desk = desk_of(request)
    kind, number = str(body.document.get("type")), str(body.document.get("number"))
    if kind not in (*documents.KINDS, FIGURES):
        raise Http404
    raw = {"document": body.document, "signature": body.signature}
    try:
        expected = documents.expected_for(desk, raw, kind, number)
    except ProblemsError:
        raise Http404 from None
    keep_signed(desk.organisation, raw, expected, actor=desk.actor)
    return Status(201, PaperOut(document=body.document, signature=body.signature))


# Tickets from another program's file: read apart from the server, by columns that somebody confirmed.
#
# A file is stored first (``POST /files``). Reading it tells what its columns seem to mean; a map of them that was
# confirmed is kept for its layout, and the next reading uses it.

LeftOutOut = schema_of(LeftOutView)
LeaveOut = Annotated[
    str,
    Field(max_length=64, description="As the reading says it: the loads that are not taken were seen, and stay out."),
]
TicketOut = schema_of(views.TicketView)
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
