"""The custody book of an organisation: who it is there, its movements, what to look at and keep, and chains traced."""

from datetime import date
from typing import Annotated, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.custody.events.refusals import problem_of
from provender.custody.events.registry import TYPES
from provender.custody.model.entities import Entity
from provender.custody.queries.retention import Keep
from provender.database.store.custody_movements import Cursor, Movement, movements_page
from provender.problem import ProblemsError
from provender.quantity import show
from provender.services.custody.entry import register_entity as do_register_entity
from provender.web.api.auth import caller_of
from provender.web.api.pages import Page, PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.view_schema import file_of
from provender.web.custody.api.context import READ, WRITE, desk_of
from provender.web.custody.pages.checks import MANUAL_TYPE, alerts_of, manual_of, retention_of
from provender.web.custody.pages.trace import picture_of, stations
from provender.web.download import download

router = Router(tags=["custody"])
SVG = "image/svg+xml"
Find = Annotated[str, Query(min_length=1, max_length=220, description="A lot, a movement or a document.")]


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


class KeepOut(Schema):
    """A movement whose documents are kept; ``until`` is null while its claims are in stock."""

    day: str
    movement: str
    type: str
    until: str | None
    may_go: bool


class AlertOut(Schema):
    """Something to look at that is no refusal."""

    kind: str
    said: str
    bushels: str


def _entity(entity: Entity) -> EntityOut:
    return EntityOut(
        entity=entity.id, name=entity.name, roles=[str(role) for role in entity.roles], sites=list(entity.sites)
    )


@router.get("/custody/entity", response={200: EntityOut, **REFUSALS}, auth=READ)
def get_entity(request: HttpRequest) -> EntityOut:
    """Return what the book says of the organisation."""
    return _entity(desk_of(request).entity)


@router.post("/custody/entity", response={201: EntityOut, **REFUSALS}, auth=WRITE)
def register_entity(request: HttpRequest, body: SitesIn) -> Status[EntityOut]:
    """Open the organisation's part of the book, or add sites to it."""
    caller = caller_of(request)
    done = do_register_entity(caller.organisation, day=timezone.now().date(), sites=body.sites, actor=caller.actor)
    if done is not None and not done.status.well:
        raise ProblemsError([problem_of(done, file="entity")])
    return Status(201, _entity(desk_of(request).entity))


@router.get("/custody/movements", response={200: MovementsOut, **REFUSALS}, auth=READ)
def list_movements(
    request: HttpRequest,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    older: Annotated[str, Query(max_length=40, pattern=r"^([1-9][0-9]{0,5}\.[0-9]{1,18})?$")] = "",
    kinds: Annotated[str, Query(max_length=200, description="Such as `sale,return,reject`; all where left out.")] = "",
) -> MovementsOut:
    """List the movements of the organisation, newest first; ``older`` is the mark of the page before.

    A page of rare kinds may hold fewer than ``limit``, even none, and still have an older one.
    """
    wanted = [kind for kind in kinds.split(",") if kind in TYPES] if kinds else []
    if kinds and not wanted:
        return MovementsOut(items=[], older=None)
    found = movements_page(desk_of(request).id, before=_mark(older), size=limit, kinds=wanted)
    mark = f"{found.older.day.toordinal()}.{found.older.lot}" if found.older else None
    return MovementsOut(items=[_movement(one) for one in found.movements], older=mark)


def _mark(older: str) -> Cursor | None:
    """Return the place a mark names; its day is counted from the year 1: whatever the description lets pass is one."""
    if not older:
        return None
    day, _, place = older.partition(".")
    return Cursor(date.fromordinal(int(day)), int(place))


def _movement(one: Movement) -> MovementOut:
    return MovementOut(
        event=one.event, type=one.type, day=one.day.isoformat(), giver=one.giver, taker=one.taker, form=one.form,
        amount=show(one.amount), corrected=one.corrected,
    )  # fmt: skip


@router.get("/custody/alerts", response={200: Page[AlertOut], **REFUSALS}, auth=READ)
def list_alerts(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List what to look at, those with most bushels at stake first."""
    return page_of_list(
        alerts_of(desk_of(request)),
        page,
        lambda one: AlertOut(kind=str(one.kind), said=one.said, bushels=show(one.bushels)),
    )


@router.get("/custody/retention", response={200: Page[KeepOut], **REFUSALS}, auth=READ)
def list_retention(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the movements whose documents are kept, newest first, and until when (2100.030(d))."""
    desk = desk_of(request)
    return page_of_list(retention_of(desk), page, lambda one: _kept(one, desk.today))


def _kept(one: Keep, today: date) -> KeepOut:
    until = one.until.isoformat() if one.until else None
    return KeepOut(day=one.day.isoformat(), movement=one.movement, type=one.type, until=until, may_go=one.may_go(today))


@router.get("/custody/manual", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(MANUAL_TYPE))
def get_manual(request: HttpRequest) -> HttpResponse:
    """Return the manual of the documented system as of today (2100.032(a))."""
    name, text = manual_of(desk_of(request))
    return download(text.encode(), f"{MANUAL_TYPE}; charset=utf-8", name)


@router.get("/custody/trace", response={200: Page[dict[str, Any]], **REFUSALS}, auth=READ)
def trace(request: HttpRequest, page: Query[PageQuery], find: Find) -> dict[str, object]:
    """List every station behind a lot, a movement or a document, the oldest first; farms stay unnamed (2100.032(c))."""
    found = stations(desk_of(request), find)
    if not found:
        raise Http404
    return page_of_list(found, page, dict)


@router.get("/custody/trace.svg", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(SVG))
def draw_trace(request: HttpRequest, find: Find) -> HttpResponse:
    """Draw who held the serials behind a lot, a movement or a document one after the other."""
    drawn = picture_of(desk_of(request), find)
    if not drawn:
        raise Http404
    return download(drawn.encode(), SVG, "chain.svg")
