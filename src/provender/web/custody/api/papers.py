"""The custody book around its lots: one movement, what waits, partners and their verification, and signed papers."""

from datetime import date
from typing import Annotated, Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Query, Router, Schema, Status

from provender.custody.digest import plain_event
from provender.custody.documents.build import PERIOD, RESTATEMENT, TRANSFER, period_document, transfer_document
from provender.custody.documents.receive import fingerprint_of
from provender.custody.model.entities import Contract, Verification
from provender.custody.model.lots import length
from provender.custody.model.origins import Origin, Slip
from provender.custody.model.store_view import StoreView
from provender.custody.queries.period_restatement import restatement_document
from provender.database.models import SignedDocument
from provender.database.store.custody_lists import in_transit_to, open_pending, open_slips, sales_behind
from provender.problem import ProblemsError
from provender.quantity import CI_SCALE, show
from provender.services.custody.documents import keep_signed
from provender.signing.canonical import read_json
from provender.web.api.auth import caller_of
from provender.web.api.pages import Page, PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.view_schema import file_of
from provender.web.custody.api.context import READ, WRITE, EventOffered, LotOut, desk_of, lot_out, offered
from provender.web.custody.pages.context import READER, CustodyContext
from provender.web.custody.pages.movements import OF_ANYBODY, changes_of, follow_ups, knows, own_movement
from provender.web.custody.pages.partners import verified_crops
from provender.web.custody.pages.sales import paper_file
from provender.web.farm.api.season import SignedIn

router = Router(tags=["custody"])
PDF = "application/pdf"
Named = Annotated[str, Query(min_length=1, max_length=220)]


class ReportChange(Schema):
    """Serials whose report was changed, and how."""

    origin: str
    start_bu: str
    stop_bu: str
    said: str


class MovementWhole(Schema):
    """One movement: the event as it was entered, the lots as it left them, and what may be entered about it next.

    ``changes`` names the organisation's serials where the event changed the report behind them.
    """

    event: dict[str, Any]
    corrected_by: str
    lots: list[LotOut]
    changes: list[ReportChange]
    next_events: list[EventOffered]


class Delivery(Schema):
    """A lot on its way to the organisation; ``sale`` is what an acceptance names."""

    sale: str
    seller: str
    day: str
    lot: LotOut


class SlipWaiting(Schema):
    """A farm's sale slip whose serials are not all bought yet; crop, year and CI are null without its report."""

    slip: str
    farm: str
    day: str
    origin: str
    crop: str | None
    harvest_year: int | None
    ci_g_per_bu: str | None
    bushels_left: str


class PendingPurchase(Schema):
    """A purchase that waits for the farm's report."""

    purchase: str
    farm: str
    day: str
    crop: str
    harvest_year: int
    site: str
    bushels_left: str


class Waiting(Schema):
    """What waits for the organisation, at most 200 of each kind, the oldest first."""

    deliveries: list[Delivery]
    slips: list[SlipWaiting]
    pending: list[PendingPurchase]


class ContractOut(Schema):
    """A contract as the book has it; ``end`` is null while it runs on.

    ``verified_crops`` are those that a statement covers today, null for a partner that needs none.
    """

    number: str
    counterparty: str
    name: str
    role: str
    start: str
    end: str | None
    signing_key: str
    fingerprint: str
    verified_crops: list[str] | None


class StatementOut(Schema):
    """A verification statement that covers the organisation, or its contract for the first audit."""

    number: str
    opinion: str
    start: str
    end: str
    crops: list[str]


class PaperIn(SignedIn):
    """A transfer document or period statement signed on the organisation's own machine."""


class PaperOut(Schema):
    """A paper of the organisation; ``signature`` is null while none was brought."""

    document: dict[str, Any]
    signature: str | None


@router.get("/custody/movement", response={200: MovementWhole, **REFUSALS}, auth=READ)
def get_movement(request: HttpRequest, event: Named) -> MovementWhole:
    """Return one movement of the organisation, by the id of its event."""
    desk = desk_of(request)
    posted, lots = own_movement(desk, event)
    plain = plain_event(posted.request)
    if not knows(desk, posted, lots):  # of a stranger's report, what anybody may see (interpretation 45)
        plain = {name: value for name, value in plain.items() if name in {*OF_ANYBODY, "type"}}
    return MovementWhole(
        event=plain,
        corrected_by=posted.corrected_by or "",
        lots=[lot_out(one) for one in lots],
        changes=[
            ReportChange(origin=one.origin, start_bu=show(one.start), stop_bu=show(one.stop), said=one.said)
            for one in changes_of(desk, event)
        ],
        next_events=[offered(one) for one in follow_ups(desk, posted, lots)],
    )


@router.get("/custody/waiting", response={200: Waiting, **REFUSALS}, auth=READ)
def list_waiting(request: HttpRequest) -> Waiting:
    """Return deliveries to accept, slips to buy, and purchases that wait for a report."""
    desk = desk_of(request)
    slips = open_slips(desk.id) if desk.buys_from_farms else []
    pending = open_pending(desk.id) if desk.buys_from_farms else []
    sent = in_transit_to(desk.id)
    with READER.reading() as facts:
        origins = {one.origin: facts.one(Origin, one.origin) for one in slips}
        sales = sales_behind(facts, sent)
    return Waiting(
        deliveries=[
            Delivery(sale=sales[one.by], seller=one.supplier, day=one.since.isoformat(), lot=lot_out(one))
            for one in sent
        ],
        slips=[_slip(one, origins[one.origin]) for one in slips],
        pending=[
            PendingPurchase(
                purchase=one.id, farm=one.giver, day=one.day.isoformat(), crop=one.crop, harvest_year=one.harvest_year,
                site=one.site, bushels_left=show(one.left),
            )
            for one in pending
        ],
    )  # fmt: skip


def _slip(one: Slip, origin: Origin | None) -> SlipWaiting:
    return SlipWaiting(
        slip=one.id, farm=one.giver, day=one.day.isoformat(), origin=one.origin,
        crop=str(origin.crop) if origin else None, harvest_year=origin.harvest_year if origin else None,
        ci_g_per_bu=show(origin.current.ci, CI_SCALE) if origin else None,
        bushels_left=show(length(one.open_spans)),
    )  # fmt: skip


@router.get("/custody/contracts", response={200: Page[ContractOut], **REFUSALS}, auth=READ)
def list_contracts(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the contracts on file in the order in which they were first stated, and each partner's verification."""
    desk = desk_of(request)
    with READER.reading() as facts:
        return page_of_list(desk.contracts, page, lambda one: _contract(facts, desk, one))


def _contract(facts: StoreView, desk: CustodyContext, one: Contract) -> ContractOut:
    return ContractOut(
        number=one.id, counterparty=one.counterparty, name=desk.named(one.counterparty), role=str(one.role),
        start=one.start.isoformat(), end=one.end.isoformat() if one.end else None, signing_key=one.signing_key,
        fingerprint=fingerprint_of(one.signing_key) if one.signing_key else "",
        verified_crops=verified_crops(facts, desk, one),
    )  # fmt: skip


@router.get("/custody/statements", response={200: Page[StatementOut], **REFUSALS}, auth=READ)
def list_statements(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the verification statements that cover the organisation itself, in the order in which they were entered."""
    desk = desk_of(request)
    with READER.reading() as facts:
        return page_of_list(list(facts.many(Verification, desk.id)), page, _statement)


def _statement(one: Verification) -> StatementOut:
    return StatementOut(
        number=one.id, opinion=str(one.opinion), start=one.start.isoformat(), end=one.end.isoformat(),
        crops=[str(crop) for crop in one.crops],
    )  # fmt: skip


@router.get("/custody/papers/transfer", response={200: PaperOut, **REFUSALS}, auth=READ)
def get_transfer(request: HttpRequest, sale: Named) -> PaperOut:
    """Return the transfer document of a sale: as it was signed, else as it would be signed today (2100.032(c))."""
    desk = desk_of(request)
    return _paper(desk, TRANSFER, sale, desk.today)


@router.get("/custody/papers/period", response={200: PaperOut, **REFUSALS}, auth=READ)
def get_period_statement(request: HttpRequest, start: date, *, restated: bool = False) -> PaperOut:
    """Return the statement of a closed period: as it was signed, else as it is to be signed (2100.034(c)).

    With ``restated`` the restatement beside it, where a report behind the period changed since.
    """
    desk = desk_of(request)
    return _paper(desk, *_stated(desk, start, restated=restated), desk.today)


@router.get("/custody/papers/transfer.pdf", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(PDF))
def print_transfer(request: HttpRequest, sale: Named) -> HttpResponse:
    """Return the transfer document of a sale to print; a signature that was kept stands on it."""
    return _printed(desk_of(request), TRANSFER, sale)


@router.get("/custody/papers/period.pdf", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(PDF))
def print_period_statement(request: HttpRequest, start: date, *, restated: bool = False) -> HttpResponse:
    """Return the statement of a closed period, or its restatement, to print; a signature that was kept stands on it."""
    desk = desk_of(request)
    return _printed(desk, *_stated(desk, start, restated=restated))


def _stated(desk: CustodyContext, start: date, *, restated: bool) -> tuple[str, str]:
    """Return kind and number of a period's statement, or of its restatement, whose number is made of what it says.

    Raises:
        Http404: there is nothing to restate.
    """
    number = f"{desk.id}/{start}"
    if not restated:
        return PERIOD, number
    with READER.reading() as facts:
        return RESTATEMENT, str(_made(facts, desk, RESTATEMENT, number, desk.today)["number"])


def _kept(desk: CustodyContext, kind: str, number: str) -> SignedDocument | None:
    return SignedDocument.objects.filter(organisation=desk.access.organisation, kind=kind, number=number).first()


def _paper(desk: CustodyContext, kind: str, number: str, day: date) -> PaperOut:
    kept = _kept(desk, kind, number)
    if kept is not None:
        envelope: Any = read_json(kept.text.encode())
        return PaperOut(document=envelope["document"], signature=envelope["signature"])
    with READER.reading() as facts:
        return PaperOut(document=_made(facts, desk, kind, number, day), signature=None)


def _printed(desk: CustodyContext, kind: str, number: str) -> HttpResponse:
    paper, kept = _paper(desk, kind, number, desk.today), _kept(desk, kind, number)
    envelope = paper.dict() if paper.signature else None
    return paper_file("pdf", paper.document, envelope, kept, number)


def _made(facts: StoreView, desk: CustodyContext, kind: str, number: str, day: date) -> dict[str, Any]:
    """Return a paper as the book makes it.

    Raises:
        Http404: the organisation has nothing to make it from.
    """
    try:
        start = number.removeprefix(f"{desk.id}/")
        if kind == PERIOD:
            return period_document(facts, desk.id, date.fromisoformat(start))
        if kind == RESTATEMENT:
            first = date.fromisoformat(start.partition("/")[0])
            return restatement_document(facts, desk.id, first, as_of=day)
        made = transfer_document(facts, number, as_of=day)
    except (ProblemsError, ValueError):
        raise Http404 from None
    if made["seller"]["id"] != desk.id:
        raise Http404
    return made


@router.post("/custody/papers", response={201: PaperOut, **REFUSALS}, auth=WRITE)
def keep_paper(request: HttpRequest, body: PaperIn) -> Status[PaperOut]:
    """Hand in a signed transfer document, period statement or restatement: kept when it says what the book says."""
    caller = caller_of(request)
    desk = desk_of(request)
    kind, number = str(body.document.get("type")), str(body.document.get("number"))
    try:
        day = date.fromisoformat(str(body.document.get("made_on") or desk.today))
    except ValueError:
        day = desk.today
    if kind not in (TRANSFER, PERIOD, RESTATEMENT):
        raise Http404
    with READER.reading() as facts:
        expected = _made(facts, desk, kind, number, day)
    raw = {"document": body.document, "signature": body.signature}
    keep_signed(caller.organisation, raw, expected, actor=caller.actor)
    return Status(201, PaperOut(document=body.document, signature=body.signature))
