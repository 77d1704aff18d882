"""The custody book around its lots: one movement, what waits, contracts, the grain book, and signed papers."""

from datetime import date
from typing import Annotated, Any

from django.http import Http404, HttpRequest
from ninja import Query, Router, Schema, Status

from provender.custody.digest import plain_event
from provender.custody.documents import PERIOD, TRANSFER, period_document, transfer_document
from provender.custody.entities import Contract
from provender.custody.facts import Facts
from provender.custody.lots import length
from provender.custody.physical import Grain, grain_group
from provender.database.custody_views import grain_page, in_transit_to, open_pending, open_slips
from provender.database.deeds.signed_documents import do_keep_signed
from provender.database.models import Scope, SignedDocument
from provender.problem import ProblemsError
from provender.quantity import show
from provender.signing.canonical import read_json
from provender.web.api.auth import Needs, caller_of
from provender.web.api.custody import LotOut, desk_of, lot_out
from provender.web.api.pages import Page, PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.season import SignedIn
from provender.web.pages.custody_desk import READER, Desk
from provender.web.pages.custody_movements import OF_ANYBODY, knows, own_movement

router = Router(tags=["custody"])
READ, WRITE = Needs(Scope.CUSTODY_READ), Needs(Scope.CUSTODY_WRITE)
Named = Annotated[str, Query(min_length=1, max_length=220)]


class MovementWhole(Schema):
    """One movement: the event as it was entered, and the lots as it left them."""

    event: dict[str, Any]
    corrected_by: str
    lots: list[LotOut]


class Delivery(Schema):
    """A lot on its way to the organisation; ``sale`` is what an acceptance names."""

    sale: str
    seller: str
    day: str
    lot: LotOut


class SlipWaiting(Schema):
    """A farm's sale slip whose serials are not all bought yet."""

    slip: str
    farm: str
    day: str
    origin: str
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
    """A contract as the book has it; ``end`` is null while it runs on."""

    number: str
    counterparty: str
    role: str
    start: str
    end: str | None
    signing_key: str


class GrainOut(Schema):
    """An entry of a site's grain book: a ticket, a shipment or a measurement."""

    number: str
    day: str
    direction: str
    amount: str
    claim: str
    void: bool
    name: str


class PaperIn(SignedIn):
    """A transfer document or period statement signed on the organisation's own machine."""


class PaperOut(Schema):
    """A paper of the organisation; ``signature`` is null while none was brought."""

    document: dict[str, Any]
    signature: str | None


@router.get("/custody/movement", response={200: MovementWhole, **REFUSALS}, auth=READ)
def get_movement(request: HttpRequest, event: Named) -> MovementWhole:
    """Return one movement of the organisation, by the id of its event."""
    desk = desk_of(caller_of(request))
    posted, lots = own_movement(desk, event)
    plain = plain_event(posted.request)
    if not knows(desk, posted, lots):  # of a stranger's report, what anybody may see (READINGS 45)
        plain = {name: value for name, value in plain.items() if name in {*OF_ANYBODY, "type"}}
    return MovementWhole(event=plain, corrected_by=posted.corrected_by or "", lots=[lot_out(one) for one in lots])


@router.get("/custody/waiting", response={200: Waiting, **REFUSALS}, auth=READ)
def list_waiting(request: HttpRequest) -> Waiting:
    """Return deliveries to accept, slips to buy, and purchases that wait for a report."""
    desk = desk_of(caller_of(request))
    slips = open_slips(desk.id) if desk.buys_from_farms else []
    pending = open_pending(desk.id) if desk.buys_from_farms else []
    return Waiting(
        deliveries=[
            Delivery(sale=one.by, seller=one.supplier, day=one.since.isoformat(), lot=lot_out(one))
            for one in in_transit_to(desk.id)
        ],
        slips=[
            SlipWaiting(
                slip=one.id, farm=one.giver, day=one.day.isoformat(), origin=one.origin,
                bushels_left=show(length(one.open_spans)),
            )
            for one in slips
        ],
        pending=[
            PendingPurchase(
                purchase=one.id, farm=one.giver, day=one.day.isoformat(), crop=one.crop, harvest_year=one.harvest_year,
                site=one.site, bushels_left=show(one.left),
            )
            for one in pending
        ],
    )  # fmt: skip


@router.get("/custody/contracts", response={200: Page[ContractOut], **REFUSALS}, auth=READ)
def list_contracts(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the contracts on file, in the order in which they were first stated."""
    return page_of_list(desk_of(caller_of(request)).contracts, page, _contract)


def _contract(one: Contract) -> ContractOut:
    return ContractOut(
        number=one.id, counterparty=one.counterparty, role=str(one.role), start=one.start.isoformat(),
        end=one.end.isoformat() if one.end else None, signing_key=one.signing_key,
    )  # fmt: skip


@router.get("/custody/grain", response={200: Page[GrainOut], **REFUSALS}, auth=READ)
def list_grain(
    request: HttpRequest,
    page: Query[PageQuery],
    site: Annotated[str, Query(max_length=80)],
    form: Annotated[str, Query(max_length=40)],
) -> dict[str, object]:
    """List the grain book of one site and form, the entry entered last first."""
    desk = desk_of(caller_of(request))
    if site not in desk.entity.sites:
        raise Http404
    found = grain_page(grain_group(desk.id, site, form), before=page.after, size=page.limit + 1)
    shown = found[: page.limit]
    after = shown[-1][0] if len(found) > len(shown) else None
    return {"items": [_grain(one) for _, one in shown], "next": after}


def _grain(one: Grain) -> GrainOut:
    return GrainOut(
        number=one.number, day=one.day.isoformat(), direction=str(one.direction), amount=show(one.amount),
        claim=one.claim, void=one.void, name=one.name,
    )  # fmt: skip


@router.get("/custody/papers/transfer", response={200: PaperOut, **REFUSALS}, auth=READ)
def get_transfer(request: HttpRequest, sale: Named) -> PaperOut:
    """Return the transfer document of a sale: as it was signed, else as it would be signed today (2100.032(c))."""
    desk = desk_of(caller_of(request))
    return _paper(desk, TRANSFER, sale, desk.today)


@router.get("/custody/papers/period", response={200: PaperOut, **REFUSALS}, auth=READ)
def get_period_statement(request: HttpRequest, start: date) -> PaperOut:
    """Return the statement of a closed period: as it was signed, else as it is to be signed (2100.034(c))."""
    desk = desk_of(caller_of(request))
    return _paper(desk, PERIOD, f"{desk.id}/{start}", desk.today)


def _paper(desk: Desk, kind: str, number: str, day: date) -> PaperOut:
    kept = SignedDocument.objects.filter(organisation=desk.access.organisation, kind=kind, number=number).first()
    if kept is not None:
        envelope: Any = read_json(kept.text.encode())
        return PaperOut(document=envelope["document"], signature=envelope["signature"])
    with READER.reading() as facts:
        return PaperOut(document=_made(facts, desk, kind, number, day), signature=None)


def _made(facts: Facts, desk: Desk, kind: str, number: str, day: date) -> dict[str, Any]:
    """Return a paper as the book makes it.

    Raises:
        Http404: the organisation has nothing to make it from.
    """
    try:
        if kind == PERIOD:
            return period_document(facts, desk.id, date.fromisoformat(number.removeprefix(f"{desk.id}/")))
        made = transfer_document(facts, number, as_of=day)
    except (ProblemsError, ValueError):
        raise Http404 from None
    if made["seller"]["id"] != desk.id:
        raise Http404
    return made


@router.post("/custody/papers", response={201: PaperOut, **REFUSALS}, auth=WRITE)
def keep_paper(request: HttpRequest, body: PaperIn) -> Status[PaperOut]:
    """Hand in a signed transfer document or period statement: kept when it says exactly what the book says."""
    caller = caller_of(request)
    desk = desk_of(caller)
    kind, number = str(body.document.get("type")), str(body.document.get("number"))
    try:
        day = date.fromisoformat(str(body.document.get("made_on") or desk.today))
    except ValueError:
        day = desk.today
    if kind not in (TRANSFER, PERIOD):
        raise Http404
    with READER.reading() as facts:
        expected = _made(facts, desk, kind, number, day)
    raw = {"document": body.document, "signature": body.signature}
    do_keep_signed(caller.organisation, raw, expected, actor=caller.actor)
    return Status(201, PaperOut(document=body.document, signature=body.signature))
