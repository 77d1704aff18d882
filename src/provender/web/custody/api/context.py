"""The door of the custody calls: the organisation's part of the book, and what several calls show of it."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Annotated, Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.database.actor import today
from provender.database.choices import Scope
from provender.schema import YEARS
from provender.services.custody import checks, movements, partners, views
from provender.services.custody.book_entry import POSTED_TYPES
from provender.services.custody.context import CustodyContext, context_of, trades
from provender.services.custody.documents import KEYS
from provender.services.custody.entry import register_entity as do_register_entity
from provender.web.api import schema
from provender.web.api.problems import REFUSALS, Needs, caller_of
from provender.web.tables import download

router = Router(tags=["custody"])
"""All calls about a book of custody."""
READ, WRITE = Needs(Scope.CUSTODY_READ), Needs(Scope.CUSTODY_WRITE)
AskedDay = Annotated[
    date,
    Field(
        ge=date(YEARS.start, 1, 1),
        lt=date(YEARS.stop, 1, 1),
        json_schema_extra={"pattern": f"^({'|'.join(sorted({str(year)[:2] for year in YEARS}))})[0-9]{{2}}-"},
    ),
]
"""A day that a call asks about: one that a book can hold. A description has no bounds for days, hence the pattern."""


def page_of_views(cls: type[Any]) -> Any:  # noqa: ANN401 - a schema made at run time
    """Return the schema of a page of a list of views."""
    return schema.page_of_schema(schema.schema_of(cls))


def list_call(
    router: Router, path: str, name: str, says: str, view: type[Any], found: Callable[[CustodyContext], Sequence[Any]]
) -> None:
    """Add a call that lists views which the service finds for the organization, a page at a time."""

    def call(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
        return schema.page_of_list(found(desk_of(request)), page, schema.shown)

    call.__name__, call.__doc__ = name, says
    router.get(path, response={200: page_of_views(view), **REFUSALS}, auth=READ)(call)


def desk_of(request: HttpRequest) -> CustodyContext:
    """Return the caller's part of the book.

    Raises:
        Http404: the organization trades nothing, or has not begun its book.
    """
    caller = caller_of(request)
    if not trades(caller.organisation):
        raise Http404
    context = context_of(caller.organisation, actor=caller.actor, today=today(), may_write=True)
    if context is None:
        raise Http404
    return context


# The public keys under which a party of custody signs its documents; a private key stays where it was made.


@router.get("/custody/keys", response={200: schema.page_of_schema(schema.KEY), **REFUSALS}, auth=READ)
def list_party_keys(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the public keys that the organization registered, the first one first; the last one signs."""
    owner = desk_of(request).organisation
    return schema.page_of(KEYS.of(owner), page, lambda key: schema.shown(KEYS.view(owner, key)))


@router.post("/custody/keys", response={201: schema.KEY, **REFUSALS}, auth=WRITE)
def register_party_key(request: HttpRequest, body: schema.KeyIn) -> Status[Any]:
    """Register a public key, or the next one by rotation. A private key is refused; the token's maker must sign."""
    caller_of(request).require_signer()
    desk = desk_of(request)
    made = KEYS.register(desk.organisation, body.shown, reason=body.reason, today=desk.today, actor=desk.actor)
    return Status(201, schema.shown(KEYS.view(desk.organisation, made)))


# The custody book of an organisation: who it is there, its movements, what to look at and keep, and chains traced.

SVG = "image/svg+xml"
EntityOut, MovementOut = schema.schema_of(views.EntityView), schema.schema_of(movements.Movement)
Find = Annotated[
    str,
    Query(min_length=1, max_length=220, description="A lot by its id or as pages print it, a movement or a document."),
]


class SitesIn(Schema):
    """Sites to add; one that is there already stays."""

    sites: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$")]], Field(max_length=50)
    ] = []


class MovementsOut(Schema):
    """Movements, newest first; ``older`` is the mark for the next page, null at the end."""

    items: list[MovementOut]  # type: ignore[valid-type]
    older: str | None


@router.get("/custody/entity", response={200: EntityOut, **REFUSALS}, auth=READ)
def get_entity(request: HttpRequest) -> Any:  # noqa: ANN401 - JSON
    """Return what the book says of the organization."""
    return schema.shown(partners.entity(desk_of(request)))


@router.post("/custody/entity", response={201: EntityOut, **REFUSALS}, auth=WRITE)
def register_entity(request: HttpRequest, body: SitesIn) -> Status[Any]:
    """Open the organization's part of the book, or add sites to it."""
    caller = caller_of(request)
    done = do_register_entity(caller.organisation, day=today(), sites=body.sites, actor=caller.actor)
    if done is not None:
        views.well(done, file="entity")
    return Status(201, schema.shown(partners.entity(desk_of(request))))


@router.get("/custody/movements", response={200: MovementsOut, **REFUSALS}, auth=READ)
def list_movements(
    request: HttpRequest,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    older: Annotated[str, Query(max_length=40, pattern=r"^([1-9][0-9]{0,5}\.[0-9]{1,18})?$")] = "",
    kinds: Annotated[str, Query(max_length=200, description="Such as `sale,return,reject`; all where left out.")] = "",
) -> MovementsOut:
    """List the movements of the organization, newest first; ``older`` is the mark of the page before.

    A page of rare kinds may hold fewer than ``limit``, even none, and still have an older one.
    """
    wanted = [kind for kind in kinds.split(",") if kind in POSTED_TYPES] if kinds else []
    if kinds and not wanted:
        return MovementsOut(items=[], older=None)
    listed = movements.movements(desk_of(request), before=_mark(older), size=limit, kinds=wanted)
    mark = f"{listed.older.day.toordinal()}.{listed.older.lot}" if listed.older else None
    return MovementsOut(items=schema.shown(listed.movements), older=mark)


def _mark(older: str) -> tuple[date, int] | None:
    """Return the place a mark names; its day is counted from the year 1: whatever the description lets pass is one."""
    if not older:
        return None
    day, _, place = older.partition(".")
    return date.fromordinal(int(day)), int(place)


list_call(
    router, "/custody/alerts", "list_alerts", "List what to look at, those with most bushels at stake first.",
    views.AlertView, lambda desk: [views.alert_view(one) for one in checks.alerts(desk)],
)  # fmt: skip
list_call(
    router, "/custody/retention", "list_retention",
    "List the movements whose documents are kept, newest first, and until when (2100.030(d)).",
    views.KeepView, checks.retention,
)  # fmt: skip


@router.get(
    "/custody/manual", response={200: None, **REFUSALS}, auth=READ, openapi_extra=schema.file_of(checks.MANUAL_TYPE)
)
def get_manual(request: HttpRequest) -> HttpResponse:
    """Return the manual of the documented system as of today (2100.032(a))."""
    name, text = checks.manual(desk_of(request))
    return download(text.encode(), f"{checks.MANUAL_TYPE}; charset=utf-8", name)


@router.get("/custody/trace", response={200: schema.Page[dict[str, Any]], **REFUSALS}, auth=READ)
def trace(request: HttpRequest, page: Query[schema.PageQuery], find: Find) -> dict[str, object]:
    """List every station behind a lot, a movement or a document, the oldest first; farms stay unnamed (2100.032(c))."""
    found = movements.trace(desk_of(request), find)
    if found is None:
        raise Http404
    return schema.page_of_list(found.stations, page, schema.shown)


@router.get("/custody/trace.svg", response={200: None, **REFUSALS}, auth=READ, openapi_extra=schema.file_of(SVG))
def draw_trace(request: HttpRequest, find: Find) -> HttpResponse:
    """Draw who held the serials behind a lot, a movement or a document one after the other."""
    found = movements.trace(desk_of(request), find)
    if found is None or not found.picture:
        raise Http404
    return download(found.picture.encode(), SVG, "chain.svg")
