"""The calls about stock, grain, periods, figures, partners, papers and files of tickets."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Annotated, Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Query, Schema, Status
from pydantic import Field

from provender.custody.documents.build import TRANSFER
from provender.custody.documents.consents import NAME as CONSENT
from provender.custody.documents.consents import NOTICE
from provender.custody.documents.refiner_figures import CERTIFICATES, FIGURES
from provender.custody.model.entities import Period
from provender.custody.model.lots import LotState
from provender.custody.queries.day_sheet import sheet_document
from provender.custody.queries.deliveries import CameInSumView, CameInView, ContractDeliveryView, deliveries
from provender.custody.reconcile.ticket_rows import LeftOut, mark_of
from provender.exact import CI_SCALE, parse
from provender.formats.parsed import ColumnMap
from provender.paper.charts import TIME_WIDTH
from provender.problem import Place, Problem, ProblemsError
from provender.services.custody import balances, checks, documents, periods, stock, ticket_files, views
from provender.services.custody.balances import BalanceSumView
from provender.services.custody.checks import waiting
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.documents import BuyerNotice, FiguresAsked, buyer_notices, keep_signed, make
from provender.services.custody.figures import certificates_of, days_of, energy_of, figures_pdf, lots_csv
from provender.services.custody.movements import movement
from provender.services.custody.periods import came_in_of
from provender.services.custody.tickets import LeftOutView, left_out_view, ticket_view
from provender.services.farm.files import StoredFile, upload_of
from provender.web.api.problems import REFUSALS, OneProblem, caller_of, one_problem
from provender.web.api.schema import Page, PageQuery, file_of, page_of_list, schema_of, shown
from provender.web.custody.api.entries import READ, WRITE, AskedDay, desk_of, list_call, page_of_views, router
from provender.web.tables import PDF, download

__all__ = ["router"]  # with the calls of ``entries`` and those below

_SVG = "image/svg+xml"
Site = Annotated[str, Query(max_length=80)]
Form = Annotated[str, Query(max_length=40)]


class LotQuery(Schema):
    """Which lots; what is left out chooses nothing."""

    crop: Annotated[str, Field(max_length=40)] = ""
    form: Annotated[str, Field(max_length=40)] = ""
    site: Annotated[str, Field(max_length=80)] = ""
    state: Annotated[LotState | None, Field(description="`unverified` names those held unverified.")] = None
    harvest_year: Annotated[int | None, Field(ge=1900, le=2200)] = None
    ci_g_per_bu: Annotated[
        str, Field(pattern=r"^(-?[0-9]{1,7}(\.[0-9]{1,2})?)?$", description="As the stock says.")
    ] = ""

    def chosen(self) -> dict[str, str | int]:
        """Return the columns of a lot and the values they must have."""
        texts = {"crop": self.crop, "form": self.form, "site": self.site, "state": str(self.state or "")}
        found: dict[str, str | int] = {name: text for name, text in texts.items() if text}
        if self.harvest_year is not None:
            found["harvest_year"] = self.harvest_year
        if self.ci_g_per_bu:
            found["ci"] = parse(self.ci_g_per_bu, CI_SCALE)
        return found


list_call(
    "/custody/stock", "list_stock",
    "List what is in stock by crop, year, carbon intensity, form, place and state.", stock.StockView, stock.stock,
)  # fmt: skip
list_call(
    "/custody/stock/history", "list_stock_history",
    "List the stock of the last half year from day to day, bushels of crop: what the chart draws, and all of it.",
    views.StockHistoryView, stock.history,
)  # fmt: skip


@router.get("/custody/stock/chart.svg", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(_SVG))
def get_stock_chart(request: HttpRequest) -> HttpResponse:
    """Return the chart of the last half year; 404 where there was no stock before today."""
    trader = desk_of(request)
    drawn = stock.draw_stock(trader, lambda draw: draw(TIME_WIDTH))
    if not drawn:
        raise Http404
    return download(drawn.encode(), _SVG, f"stock-{trader.today}.svg")


@router.get("/custody/lots", response={200: page_of_views(views.LotView), **REFUSALS}, auth=READ)
def list_lots(request: HttpRequest, page: Query[PageQuery], which: Query[LotQuery]) -> dict[str, object]:
    """List the lots in stock: all, or those of a crop, form, site, state, harvest year or carbon intensity."""
    page_of_lots = stock.lots(desk_of(request), after=page.after, size=page.limit, where=which.chosen())
    return {"items": shown(page_of_lots.items), "next": page_of_lots.next}


LotAsked = Annotated[
    str, Query(min_length=1, max_length=220, description="Its id, or its code and serials as pages print them.")
]


@router.get("/custody/lot", response={200: schema_of(views.LotDetailView), **REFUSALS}, auth=READ)
def get_lot(request: HttpRequest, lot: LotAsked) -> Any:  # noqa: ANN401 - JSON
    """Return one lot of the organization, what stands behind it, and what may be done with it."""
    detail = stock.own_lot(desk_of(request), lot)
    if detail is None:
        raise Http404
    return shown(detail)


list_call(
    "/custody/grain/sites", "list_grain_sites",
    "List grain and claims of every site and form: what the tickets leave, and whether it stands behind the claims.",
    views.GrainSiteView, stock.grain_sites,
)  # fmt: skip


@router.get("/custody/grain", response={200: page_of_views(views.GrainEntryView), **REFUSALS}, auth=READ)
def list_grain(request: HttpRequest, page: Query[PageQuery], site: Site, form: Form) -> dict[str, object]:
    """List the grain book of one site and form, the entry entered last first."""
    trader = desk_of(request)
    if site not in trader.entity.sites:
        raise Http404
    book = stock.grain_entries(trader, site, form, before=page.after, size=page.limit)
    return {"items": shown(book.items), "next": book.next}


# What came in over some days: entry by entry, and in all with the mean carbon intensity.


class CameInDays(Schema):
    """Which days: without any those of the open period up to today."""

    since: AskedDay | None = None
    on: AskedDay | None = None


@router.get("/custody/came-in", response={200: page_of_views(CameInView), **REFUSALS}, auth=READ)
def list_came_in(request: HttpRequest, page: Query[PageQuery], days: Query[CameInDays]) -> dict[str, object]:
    """List what was bought and accepted over some days, the latest first; what was taken back is not in it."""
    return page_of_list(came_in_of(desk_of(request), days.since, days.on).rows, page, shown)


@router.get("/custody/came-in/sums", response={200: page_of_views(CameInSumView), **REFUSALS}, auth=READ)
def list_came_in_sums(request: HttpRequest, page: Query[PageQuery], days: Query[CameInDays]) -> dict[str, object]:
    """List the same by crop or product, in all and then by supplier, with the mean weighted by bushels."""
    found = came_in_of(desk_of(request), days.since, days.on)
    return page_of_list([*found.in_all, *found.by_supplier], page, shown)


# Mass balance time periods: which there are, what is due, their equations, and those equations restated.


class PeriodsDue(Schema):
    """What an event would hold that declares the next period, and one that closes the period that is due, if one is."""

    declare: dict[str, str]
    close: dict[str, str] | None


class DaysIn(Schema):
    """Which days: to the end of ``on``, without it today, from ``since`` or the first day of the period; or a month."""

    on: AskedDay | None = None
    since: AskedDay | None = None
    month: Annotated[str, Field(max_length=7, description="Such as 2026-02, instead of the days.")] = ""

    def of(self, trader: CustodyContext) -> dict[str, Any]:
        """Return the equations over these days. Raises ProblemsError: the month is none, or the days are reversed."""
        first, last = balances.month_of(self.month) if self.month else (self.since, self.on or trader.today)
        return periods.cached_interim(trader, last, first)


list_call(
    "/custody/periods", "list_periods", "List the mass balance time periods, the oldest first.",
    views.PeriodView, periods.periods,
)  # fmt: skip


@router.get("/custody/periods/due", response={200: PeriodsDue, **REFUSALS}, auth=READ)
def get_periods_due(request: HttpRequest) -> dict[str, object]:
    """Return the fields of the next events about periods; post them with ``id`` and what else their kind needs."""
    trader = desk_of(request)
    close = periods.closing(trader)
    return {"declare": periods.next_period(trader).event, "close": close.event if close else None}


@router.get("/custody/periods/{start}/balance", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_balance(request: HttpRequest, start: date) -> dict[str, Any]:
    """Return the equations of 2100.034(d) of one period, as it was closed or as it stands."""
    trader = desk_of(request)
    return periods.balance(trader, _at(trader, start))


@router.get("/custody/periods/{start}/restatement", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_restatement(request: HttpRequest, start: date) -> dict[str, Any]:
    """Return the equations of a closed period as the farms' reports stand now; 404 where no report changed since."""
    trader = desk_of(request)
    document = periods.restated(trader, _at(trader, start))
    if document is None:
        raise Http404
    return document


@router.get("/custody/balance", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_interim_balance(request: HttpRequest, days: Query[DaysIn]) -> dict[str, Any]:
    """Return the equations as of the end of any day, of the days since another, or of a month; they close nothing."""
    return days.of(desk_of(request))


@router.get("/custody/balance/sums", response={200: page_of_views(BalanceSumView), **REFUSALS}, auth=READ)
def list_balance_sums(request: HttpRequest, page: Query[PageQuery], days: Query[DaysIn]) -> dict[str, object]:
    """List the same by crop and harvest year, all carbon intensities together."""
    return page_of_list(balances.sums(days.of(desk_of(request))), page, shown)


@router.get("/custody/balance.pdf", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(PDF))
def print_interim_balance(request: HttpRequest, days: Query[DaysIn]) -> HttpResponse:
    """Return the same to print."""
    trader = desk_of(request)
    document = days.of(trader)
    paper = balances.interim_paper(document, trader.entity.name, trader.today)
    return download(paper, PDF, f"balance-{document['end']}.pdf")


@router.get("/custody/day", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_day_sheet(request: HttpRequest, on: AskedDay | None = None) -> dict[str, Any]:
    """Return a day, today without one: tickets, grain against claims at each site, claims by carbon intensity."""
    trader = desk_of(request)
    return sheet_document(periods.day_sheet(trader, on or trader.today))


@router.get("/custody/day.pdf", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(PDF))
def print_day_sheet(request: HttpRequest, on: AskedDay | None = None) -> HttpResponse:
    """Return the same to print."""
    trader = desk_of(request)
    day = on or trader.today
    return download(balances.day_paper(periods.day_sheet(trader, day), trader.today), PDF, f"day-{day}.pdf")


def _at(trader: CustodyContext, start: date) -> Period:
    period = periods.period_at(trader, start)
    if period is None:
        raise Http404
    return period


# A refiner's figures over some days: what was retired into fuel and what stands behind it.

CSV = "text/csv"
NUMBER = r"^([0-9]{1,7}(\.[0-9]{1,3})?)?$"


class FiguresIn(Schema):
    """Of which days: a calendar year, or from a day to another; and the plant's own yield, for figures by energy."""

    year: Annotated[int | None, Field(ge=2000, le=2200)] = None
    since: AskedDay | None = None
    on: AskedDay | None = None
    gallons_per_bu: Annotated[str, Field(pattern=NUMBER)] = ""
    btu_per_gallon: Annotated[str, Field(pattern=NUMBER)] = ""
    energy_source: Annotated[str, Field(max_length=200)] = ""
    certification: Annotated[str, Field(max_length=200, description="NUMBER, DAY, ISSUER")] = ""
    purchaser_certificate: Annotated[str, Field(max_length=200, description="NUMBER, DAY, ISSUER")] = ""


@router.get("/custody/figures", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_figures(request: HttpRequest, asked: Query[FiguresIn]) -> dict[str, Any]:
    """Return the document to be signed on the refiner's own machine; no text at hand says what is accepted for 45Z."""
    return _made(request, asked)


@router.get("/custody/figures.pdf", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(PDF))
def print_figures(request: HttpRequest, asked: Query[FiguresIn]) -> HttpResponse:
    """Return the same to print, not signed."""
    return download(figures_pdf(_made(request, asked)), PDF, "figures.pdf")


@router.get("/custody/figures.csv", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(CSV))
def save_figures(request: HttpRequest, asked: Query[FiguresIn]) -> HttpResponse:
    """Return the lots behind them as CSV."""
    return download(lots_csv(_made(request, asked)), f"{CSV}; charset=utf-8", "figures.csv")


def _made(request: HttpRequest, asked: FiguresIn) -> dict[str, Any]:
    trader = desk_of(request)
    energy = energy_of(asked.gallons_per_bu, asked.btu_per_gallon, asked.energy_source)
    named = certificates_of({name: getattr(asked, name) for name in CERTIFICATES})
    which = FiguresAsked(days_of(asked.year, asked.since, asked.on, trader.today), energy, named)
    return make(trader, FIGURES, which, trader.today)


# Contracts about deliveries: what is still to deliver.


@router.get("/custody/deliveries", response={200: page_of_views(ContractDeliveryView), **REFUSALS}, auth=READ)
def list_deliveries(request: HttpRequest, page: Query[PageQuery], on: AskedDay | None = None) -> dict[str, object]:
    """List the contracts about deliveries as they stand at the end of a day, today without one."""
    trader = desk_of(request)
    with READER.reading() as store:
        store.know_events(trader.id)
        return page_of_list(deliveries(store, trader.id, on or trader.today), page, shown)


# The custody book around its lots: one movement, what waits, partners and their verification, and signed papers.

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
    "/custody/contracts", "list_contracts",
    "List the contracts on file in the order in which they were first stated, and each partner's verification.",
    views.ContractView, checks.contracts,
)  # fmt: skip
list_call(
    "/custody/statements", "list_statements",
    "List the verification statements that cover the organization itself, in the order in which they were entered.",
    views.VerificationView, checks.verifications,
)  # fmt: skip


def _paper_calls(kind: str, name: str, asked: str, calls: tuple[str, str], says: str) -> None:
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


_paper_calls(
    TRANSFER, "transfer", "sale", ("get_transfer", "print_transfer"),
    "Return the transfer document of a sale: as it was signed, else as it would be signed today (2100.032(c)).",
)  # fmt: skip
_paper_calls(
    NOTICE, "notice", "number", ("get_buyer_notice", "print_buyer_notice"),
    "Return the notice to a partner of a changed report: as it was signed, else as it would be today (2100.032(a)).",
)  # fmt: skip
_paper_calls(
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
    "/custody/notices", "list_buyer_notices",
    "List which partners are to be told that a report behind what they have from the organization changed.",
    BuyerNotice, buyer_notices,
)  # fmt: skip


@router.get("/custody/papers/period.pdf", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(PDF))
def print_period_statement(request: HttpRequest, start: date, *, restated: bool = False) -> HttpResponse:
    """Return the statement of a closed period, or its restatement, to print; a signature that was kept stands on it."""
    return _printed(_statement(desk_of(request), start, restated=restated))


def _paper(trader: CustodyContext, kind: str, number: str) -> documents.Paper:
    try:
        return documents.paper(trader, kind, number)
    except ProblemsError:
        raise Http404 from None


def _statement(trader: CustodyContext, start: date, *, restated: bool) -> documents.Paper:
    try:
        return documents.paper(trader, *documents.statement_of(trader, start, restated=restated))
    except ProblemsError:
        raise Http404 from None


def _shown(paper: documents.Paper) -> PaperOut:
    return PaperOut(document=paper.document, signature=paper.envelope["signature"] if paper.envelope else None)


def _printed(paper: documents.Paper, address: str = "") -> HttpResponse:
    return download(paper.pdf(address), PDF, paper.file_name("pdf"))


@router.post("/custody/papers", response={201: PaperOut, **REFUSALS}, auth=WRITE)
def keep_paper(request: HttpRequest, body: PaperIn) -> Status[PaperOut]:
    """Hand in a signed transfer document, statement, restatement, notice, consent or figures: if the book says so."""
    trader = desk_of(request)
    kind, number = str(body.document.get("type")), str(body.document.get("number"))
    if kind not in (*documents.KINDS, FIGURES):
        raise Http404
    raw = {"document": body.document, "signature": body.signature}
    try:
        expected = documents.expected_for(trader, raw, kind, number)
    except ProblemsError:
        raise Http404 from None
    keep_signed(trader.organisation, raw, expected, actor=trader.actor)
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
TicketSite = Annotated[str, Field(max_length=80, description="Where the file itself names none.")]
Columns = Annotated[dict[str, Any] | None, Field(description="What the columns mean; null where none are found.")]


class MapIn(Schema):
    """A column map that somebody looked at: as a reading gave it, or corrected."""

    map: dict[str, Any]


class TicketFile(Schema):
    """A stored file of tickets."""

    file: File
    site: TicketSite = ""


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
    trader = desk_of(request)
    return page_of_list(ticket_files.kept_maps(trader), page, _plain)


@router.post("/custody/maps", response={201: dict[str, Any], **REFUSALS}, auth=WRITE)
def confirm_column_map(request: HttpRequest, body: MapIn) -> Status[dict[str, Any]]:
    """Confirm what the columns of a layout mean: from now on its files are read so."""
    trader = desk_of(request)
    found = ticket_files.map_in(json.dumps(body.map))
    if found is None:
        cause = "This is no column map for files of tickets."
        remedy = "Send the map of a reading, with the fields of its columns corrected."
        raise ProblemsError([Problem(Place("body", column="map"), cause, remedy, code="map_unreadable")])
    confirmed = replace(found, confirmed=True)
    ticket_files.keep_map(trader, confirmed)
    return Status(201, dict(json.loads(confirmed.to_text())))


@router.get("/custody/tickets/reading", response={200: TicketsRead, **REFUSALS}, auth=WRITE)
def read_ticket_file(request: HttpRequest, page: Query[PageQuery], asked: Query[TicketFile]) -> TicketsRead:
    """Read a stored file of tickets, by a confirmed map of its columns or by a suggestion; nothing is entered."""
    trader, upload = desk_of(request), _upload(request, asked.file)
    read = ticket_files.tickets_in(trader, upload, asked.site)
    listed: Any = page_of_list(read.tickets, page, lambda ticket: shown(ticket_view(ticket)))
    return TicketsRead(
        map=_plain(read.map),
        confirmed=read.map is not None and read.map.confirmed,
        tickets=listed["items"],
        next=listed["next"],
        left_out=_left_out_shown(read.left_out),
        leave_out=mark_of(read.left_out),
        problems=[one_problem(one) for one in ticket_files.reworded(read.problems)],
    )


def _left_out_shown(loads: Sequence[LeftOut]) -> list[Any]:
    return [shown(left_out_view(one)) for one in loads]


@router.post("/custody/tickets", response={201: TicketsEntered, **REFUSALS}, auth=WRITE)
def enter_ticket_file(request: HttpRequest, body: TicketFileIn) -> Status[TicketsEntered]:
    """Enter the tickets of a stored file whose columns were confirmed; those that are in the book stay as they are.

    Where loads are not taken, nothing is entered until `leave_out` repeats what the reading said of them.
    """
    trader, upload = desk_of(request), _upload(request, body.file)
    read = ticket_files.tickets_in(trader, upload, body.site)
    if read.map is None or not read.map.confirmed:
        cause = "Nobody confirmed what the columns of this file mean."
        remedy = "Read it under /custody/tickets/reading, and post the map, corrected, to /custody/maps."
        unconfirmed = Problem(Place(upload.name), cause, remedy, code="columns_unconfirmed")
        raise ProblemsError([unconfirmed, *read.problems])
    done = ticket_files.enter_tickets(trader, upload, read, read.map, body.leave_out)
    if not isinstance(done, ticket_files.TicketsEntered):
        cause = f"The file makes no ticket, or more than {ticket_files.MOST}."
        remedy = "Upload a file with fewer, or look at its columns."
        raise ProblemsError(done or [Problem(Place(upload.name), cause, remedy, code="no_tickets")])
    return Status(
        201,
        TicketsEntered(
            entered=done.new,
            known=done.known,
            refused=[one_problem(one) for one in done.refused],
            doubts=[one_problem(one) for one in done.doubts],
            left_out=_left_out_shown(done.left_out),
        ),
    )
