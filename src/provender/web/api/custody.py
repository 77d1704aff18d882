"""The custody book of an organisation: stock, lots, movements, periods, alerts, and entering events and documents.

Events are those of ``docs/reference/custody_events.md``; a refusal is a problem whose code is its named status.
"""

from datetime import date
from typing import Annotated, Any

from django.http import Http404, HttpRequest
from django.utils import timezone
from ninja import Query, Router, Schema, Status
from ninja.errors import HttpError
from pydantic import Field

from provender.custody.declare import ContractEvent
from provender.custody.entities import Entity
from provender.custody.explained import problem_of
from provender.custody.facts import Outcome
from provender.custody.lots import Lot
from provender.custody.periods import Period
from provender.custody.receiving import open_document
from provender.custody.requests import Request
from provender.database.custody_views import Movement, lots_page, movements_page, stock_of
from provender.database.deeds.custody import (
    do_post,
    do_post_batch,
    do_receive_document,
    do_register_entity,
    do_state_contract,
    read_fields,
)
from provender.database.models import Scope
from provender.problem import ProblemsError
from provender.quantity import CI_SCALE, show
from provender.web.api.auth import Caller, Needs, caller_of
from provender.web.api.pages import Page, PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.navigation import TRADING
from provender.web.pages.custody_checks import alerts_of
from provender.web.pages.custody_desk import READER, Desk
from provender.web.pages.custody_periods import period_document
from provender.web.pages.custody_trace import stations

router = Router(tags=["custody"])
READ, WRITE = Needs(Scope.CUSTODY_READ), Needs(Scope.CUSTODY_WRITE)
MOST_EVENTS = 200


class EntityOut(Schema):
    """What the book says of the organisation."""

    entity: str
    name: str
    roles: list[str]
    sites: list[str]


class SitesIn(Schema):
    """Sites to add; one that is there already stays."""

    sites: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$")]], Field(max_length=50)
    ] = []


class StockOut(Schema):
    """A sum of lots that are alike. Amounts are decimal text."""

    crop: str
    harvest_year: int
    ci_g_per_bu: str
    form: str
    custodian: str
    site: str
    state: str
    bushels: str
    amount: str
    lots: int


class LotOut(Schema):
    """A lot in stock: serials of one origin, half open."""

    lot: str
    origin: str
    start_bu: str
    stop_bu: str
    crop: str
    harvest_year: int
    ci_g_per_bu: str
    form: str
    site: str
    state: str
    titled: str


class MovementOut(Schema):
    """A movement of the organisation."""

    event: str
    type: str
    day: str
    giver: str
    taker: str
    form: str
    amount: str
    corrected: bool


class MovementsOut(Schema):
    """Movements, newest first; ``older`` is the mark for the next page, null at the end."""

    items: list[MovementOut]
    older: str | None


class PeriodOut(Schema):
    """A mass balance time period."""

    start: str
    end: str
    policy: str
    closed: str | None


class AlertOut(Schema):
    """Something to look at that is no refusal."""

    kind: str
    said: str
    bushels: str


class EventIn(Schema):
    """One event: ``type``, ``id``, ``day`` and the fields of its type. Amounts and days are text."""

    event: dict[str, Any]


class EventsIn(Schema):
    """Several events, in order, in one transaction: the first refusal takes back all of them."""

    events: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=MOST_EVENTS)]


class OutcomeOut(Schema):
    """The answer of the book to one event."""

    id: str
    status: str
    message: str
    facts: dict[str, str]


class DocumentIn(Schema):
    """A signed document from a party without an account here."""

    document: dict[str, Any]
    site: Annotated[str, Field(max_length=80)] = ""
    accept: bool = True


def desk_of(caller: Caller) -> Desk:
    """Return the organisation's part of the book.

    Raises:
        Http404: it trades nothing, or has not begun its book.
    """
    if not caller.organisation.roles.filter(role__in=TRADING).exists():
        raise Http404
    with READER.reading() as facts:
        entity = facts.one(Entity, caller.organisation.handle)
    if entity is None:
        raise Http404
    return Desk(caller.access, entity)


def _entity(entity: Entity) -> EntityOut:
    return EntityOut(
        entity=entity.id, name=entity.name, roles=[str(role) for role in entity.roles], sites=list(entity.sites)
    )


@router.get("/custody/entity", response={200: EntityOut, **REFUSALS}, auth=READ)
def get_entity(request: HttpRequest) -> EntityOut:
    """Return what the book says of the organisation."""
    return _entity(desk_of(caller_of(request)).entity)


@router.post("/custody/entity", response={201: EntityOut, **REFUSALS}, auth=WRITE)
def register_entity(request: HttpRequest, body: SitesIn) -> Status[EntityOut]:
    """Open the organisation's part of the book, or add sites to it."""
    caller = caller_of(request)
    done = do_register_entity(caller.organisation, day=timezone.now().date(), sites=body.sites, actor=caller.actor)
    if done is not None:
        _well(done)
    return Status(201, _entity(desk_of(caller).entity))


@router.get("/custody/stock", response={200: Page[StockOut], **REFUSALS}, auth=READ)
def list_stock(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List what is in stock by crop, year, carbon intensity, form, place and state."""
    return page_of_list(
        stock_of(desk_of(caller_of(request)).id),
        page,
        lambda row: StockOut(
            crop=row.key.crop, harvest_year=row.key.harvest_year, ci_g_per_bu=show(row.key.ci, CI_SCALE),
            form=row.form, custodian=row.custodian, site=row.site, state=str(row.state), bushels=show(row.bushels),
            amount=show(row.amount), lots=row.lots,
        ),
    )  # fmt: skip


@router.get("/custody/lots", response={200: Page[LotOut], **REFUSALS}, auth=READ)
def list_lots(
    request: HttpRequest, page: Query[PageQuery], crop: Annotated[str, Query(max_length=40)] = ""
) -> dict[str, object]:
    """List the lots in stock."""
    where: dict[str, str | int] = {"crop": crop} if crop else {}
    found = lots_page(desk_of(caller_of(request)).id, after=page.after, size=page.limit + 1, where=where)
    shown = found[: page.limit]
    return {"items": [lot_out(lot) for _, lot in shown], "next": shown[-1][0] if len(found) > len(shown) else None}


def lot_out(lot: Lot) -> LotOut:
    """Return a lot as the API shows it."""
    return LotOut(
        lot=lot.id, origin=lot.origin, start_bu=show(lot.start), stop_bu=show(lot.stop), crop=lot.crop,
        harvest_year=lot.harvest_year, ci_g_per_bu=show(lot.ci, CI_SCALE), form=lot.form, site=lot.site,
        state=str(lot.state), titled=lot.titled.isoformat(),
    )  # fmt: skip


@router.get("/custody/movements", response={200: MovementsOut, **REFUSALS}, auth=READ)
def list_movements(
    request: HttpRequest,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    older: Annotated[str, Query(max_length=40, pattern=r"^(\d{4}-\d\d-\d\d\.\d{1,18})?$")] = "",
) -> MovementsOut:
    """List the movements of the organisation, newest first; ``older`` is the mark of the page before."""
    found = movements_page(desk_of(caller_of(request)).id, before=_mark(older), size=limit)
    mark = f"{found.older[0]}.{found.older[1]}" if found.older else None
    return MovementsOut(items=[_movement(one) for one in found.movements], older=mark)


def _mark(older: str) -> tuple[date, int] | None:
    if not older:
        return None
    day, _, place = older.partition(".")
    try:
        return date.fromisoformat(day), int(place)
    except ValueError:
        raise HttpError(422, "The mark `older` is not one that this call gave.") from None


def _movement(one: Movement) -> MovementOut:
    return MovementOut(
        event=one.event, type=one.type, day=one.day.isoformat(), giver=one.giver, taker=one.taker, form=one.form,
        amount=show(one.amount), corrected=one.corrected,
    )  # fmt: skip


@router.get("/custody/periods", response={200: Page[PeriodOut], **REFUSALS}, auth=READ)
def list_periods(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the mass balance time periods, the oldest first."""
    return page_of_list(desk_of(caller_of(request)).periods, page, _period)


def _period(one: Period) -> PeriodOut:
    closed = one.closed.isoformat() if one.closed else None
    return PeriodOut(start=one.start.isoformat(), end=one.end.isoformat(), policy=str(one.policy), closed=closed)


@router.get("/custody/periods/{start}/balance", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_balance(request: HttpRequest, start: date) -> dict[str, Any]:
    """Return the equations of 2100.034(d) of one period, as it was closed or as it stands."""
    desk = desk_of(caller_of(request))
    found = next((one for one in desk.periods if one.start == start), None)
    if found is None:
        raise Http404
    return period_document(desk, found)


@router.get("/custody/alerts", response={200: Page[AlertOut], **REFUSALS}, auth=READ)
def list_alerts(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List what to look at, those with most bushels at stake first."""
    return page_of_list(
        alerts_of(desk_of(caller_of(request))),
        page,
        lambda one: AlertOut(kind=str(one.kind), said=one.said, bushels=show(one.bushels)),
    )


@router.get("/custody/trace", response={200: Page[dict[str, Any]], **REFUSALS}, auth=READ)
def trace(
    request: HttpRequest, page: Query[PageQuery], find: Annotated[str, Query(min_length=1, max_length=220)]
) -> dict[str, object]:
    """List every station behind a lot, a movement or a document, the oldest first; farms stay unnamed (2100.032(c))."""
    found = stations(desk_of(caller_of(request)), find)
    if not found:
        raise Http404
    return page_of_list(found, page, dict)


@router.post("/custody/events", response={201: OutcomeOut, **REFUSALS}, auth=WRITE)
def post_event(request: HttpRequest, body: EventIn) -> Status[OutcomeOut]:
    """Enter one event of the organisation; a repeat of the same event is recognised."""
    caller = caller_of(request)
    desk_of(caller)
    asked = _read(body.event)
    deed = do_state_contract if isinstance(asked, ContractEvent) else do_post
    return Status(201, _outcome(asked, _well(deed(asked, organisation=caller.organisation, actor=caller.actor))))  # type: ignore[arg-type]


@router.post("/custody/events/batch", response={201: list[OutcomeOut], **REFUSALS}, auth=WRITE)
def post_events(request: HttpRequest, body: EventsIn) -> Status[list[OutcomeOut]]:
    """Enter several events in one transaction: all stand, or the first refusal is returned and none stands."""
    caller = caller_of(request)
    desk_of(caller)
    asked = [_read(one) for one in body.events]
    outcomes = do_post_batch(asked, organisation=caller.organisation, actor=caller.actor)
    done = [_outcome(one, _well(outcome)) for one, outcome in zip(asked, outcomes, strict=False)]
    return Status(201, done)


@router.post("/custody/documents", response={201: list[OutcomeOut], **REFUSALS}, auth=WRITE)
def receive_document(request: HttpRequest, body: DocumentIn) -> Status[list[OutcomeOut]]:
    """Take in a signed document: signature against the pinned key, chain, overlap, then the book."""
    caller = caller_of(request)
    desk = desk_of(caller)
    with READER.reading() as facts:
        incoming = open_document(body.document, facts, desk.id, "document")
    if incoming.content is None or incoming.problems:
        raise ProblemsError(incoming.problems)
    answers = do_receive_document(
        caller.organisation, incoming, day=desk.today, site=body.site, accept=body.accept, actor=caller.actor
    )
    return Status(201, [_outcome(one.request, _well(one.outcome)) for one in answers])


def _read(fields: dict[str, Any]) -> Request:
    """Read an event.

    Raises:
        ProblemsError: it cannot be read; the problem names the field.
    """
    kind = fields.get("type")
    found = read_fields(
        kind if isinstance(kind, str) else "", {name: value for name, value in fields.items() if name != "type"}
    )
    if isinstance(found, Outcome):
        raise ProblemsError([problem_of(found, file="event")])
    return found


def _well(outcome: Outcome) -> Outcome:
    if not outcome.status.well:
        raise ProblemsError([problem_of(outcome, file="event")])
    return outcome


def _outcome(asked: Request, outcome: Outcome) -> OutcomeOut:
    return OutcomeOut(id=asked.id, status=str(outcome.status), message=outcome.message, facts=dict(outcome.facts))
