"""The calls of a custody book: who it is of, its movements, and entering events and documents.

Events are those of the reference page *Custody events*; a refusal is a problem whose code is its named status.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal, Union

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Path, Query, Router, Schema, Status
from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter, create_model
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from provender.custody.model.event import Event
from provender.custody.model.event import Status as Named
from provender.custody.model.store_view import Decision
from provender.custody.queries.alerts import BookAlert
from provender.custody.queries.manual import KeepView
from provender.database.actor import today
from provender.database.choices import Scope
from provender.problem import ProblemsError
from provender.schema import YEARS, Info, example_of, infos, is_day, is_required, is_tuple, types_of
from provender.services.custody import checks, entry, movements, views
from provender.services.custody.book_entry import EVENT_TYPES, OFFERS, POSTED_TYPES
from provender.services.custody.context import CustodyContext, context_of, trades
from provender.services.custody.documents import KEYS, open_file, receive_file, suggested_contracts
from provender.services.custody.entry import new_event_id, read_fields
from provender.services.custody.entry import register_entity as do_register_entity
from provender.services.custody.views import EventOffer, LotView, raise_if_refused, refused
from provender.web.api import schema
from provender.web.api.problems import REFUSALS, Needs, OneProblem, caller_of, one_problem
from provender.web.api.schema import Page, PageQuery, page_of_list, schema_of, shown
from provender.web.custody.forms import asked_of, choices_of, labelled
from provender.web.tables import download

# What the custody calls share: the organisation's part of the book, and what several calls show of it.

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
    return schema.page_of_schema(schema.schema_of(cls))


def list_call(
    path: str, name: str, says: str, view: type[Any], found: Callable[[CustodyContext], Sequence[Any]]
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
    trader = desk_of(request)
    made = KEYS.register(trader.organisation, body.shown, reason=body.reason, today=trader.today, actor=trader.actor)
    return Status(201, schema.shown(KEYS.view(trader.organisation, made)))


# The custody book of an organisation: who it is there, its movements, what to look at and keep, and chains traced.

_SVG = "image/svg+xml"
EntityOut, MovementOut = schema.schema_of(views.EntityView), schema.schema_of(movements.Movement)
Find = Annotated[
    str,
    Query(min_length=1, max_length=220, description="Lot id or printed name, movement, document or fuel batch."),
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
    return schema.shown(checks.entity(desk_of(request)))


@router.post("/custody/entity", response={201: EntityOut, **REFUSALS}, auth=WRITE)
def register_entity(request: HttpRequest, body: SitesIn) -> Status[Any]:
    """Open the organization's part of the book, or add sites to it."""
    caller = caller_of(request)
    done = do_register_entity(caller.organisation, day=today(), sites=body.sites, actor=caller.actor)
    if done is not None:
        views.raise_if_refused(done, file="entity")
    return Status(201, schema.shown(checks.entity(desk_of(request))))


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
    "/custody/alerts", "list_alerts", "List what to look at, those with most bushels at stake first.",
    BookAlert, checks.alerts,
)  # fmt: skip
list_call(
    "/custody/retention", "list_retention",
    "List the movements whose documents are kept, newest first, and until when (2100.030(d)).",
    KeepView, checks.retention,
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
    """List each station behind a lot, movement, document or fuel batch, oldest first; farms unnamed (2100.032(c))."""
    found = movements.trace(desk_of(request), find)
    if found is None:
        raise Http404
    return schema.page_of_list(found.stations, page, schema.shown)


@router.get("/custody/trace.svg", response={200: None, **REFUSALS}, auth=READ, openapi_extra=schema.file_of(_SVG))
def draw_trace(request: HttpRequest, find: Find) -> HttpResponse:
    """Draw who held the serials behind a lot, movement, document or batch of fuel one after the other."""
    found = movements.trace(desk_of(request), find)
    if found is None or not found.picture:
        raise Http404
    return download(found.picture.encode(), _SVG, "chain.svg")


# Every type of event in the description of the API: its fields with their words and units, and an example.


class AnyEvent(dict[str, Any]):
    """One event as JSON. It is described type by type; reading it, and what it answers, is the custody book's."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.dict_schema(core_schema.str_schema(), core_schema.any_schema())

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Describe all types of events, told apart by ``type``."""
        return handler(_types().core_schema)


@cache
def _types() -> TypeAdapter[Any]:
    shapes = tuple(event_schema(cls) for cls in EVENT_TYPES.values())
    told_apart: Any = Annotated[Union[shapes], Field(discriminator="type")]  # noqa: UP007 - made at run time
    return TypeAdapter(told_apart)


def event_schema(cls: type[Event]) -> type[Schema]:
    fields = schema_of(cls, name=f"{_name(cls)}Fields", open_ended=True)
    word: Any = Literal[cls.type]
    return create_model(_name(cls), __base__=fields, __doc__=cls.__doc__, type=(word, ...))


def _name(cls: type[Event]) -> str:
    return f"{cls.type.title().replace('_', '')}Event"


def _examples_of() -> dict[str, Any]:
    """Return what completes the description of a call that takes an event: an example of each type."""
    examples = {
        name: {"summary": EVENT_TYPES[name].title or name, "value": {"event": event}} for name, event in _examples()
    }
    return {"requestBody": {"content": {"application/json": {"examples": examples}}}}


def _examples() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the first shipped event of each type."""
    seen = set()
    for line in (files("provender.custody") / "data" / "example_events.jsonl").read_text("utf-8").splitlines():
        event = json.loads(line)
        if event["type"] not in seen:
            seen.add(event["type"])
            yield event["type"], event


_MOST_EVENTS = 200
LOT, _OFFER = schema_of(LotView), schema_of(EventOffer)


class EventKind(Schema):
    """A kind of event that the organization may enter."""

    kind: str
    title: str
    means: str


class EventChoice(Schema):
    """Something that may be chosen today, and how the pages call it."""

    value: str
    said: str


class EventField(Schema):
    """A field of an event: what it holds, whether it is needed, what may be chosen today, and an example of a list."""

    name: str
    label: str
    means: str
    needed: bool
    holds: str
    choices: list[EventChoice] | None
    example: Any


class EventAsked(Schema):
    """What a kind of event asks for. ``event`` is its beginning: the type, a fresh id, and who enters it."""

    means: str
    event: dict[str, str]
    fields: list[EventField]


class EventIn(Schema):
    """One event: ``type``, ``id``, ``day`` and the fields of its type. Amounts and days are text."""

    event: AnyEvent


class EventsIn(Schema):
    """Several events, in order, in one transaction: the first refusal takes back all of them."""

    events: Annotated[list[AnyEvent], Field(min_length=1, max_length=_MOST_EVENTS)]


class OutcomeOut(Schema):
    """The answer of the book to one event."""

    id: str
    status: str
    message: str
    facts: dict[str, str]


class PreviewOut(Schema):
    """What an event would do: the book's answer, and the lots it would take."""

    message: str
    facts: dict[str, str]
    lots: list[LOT]  # type: ignore[valid-type]


class OpenedIn(Schema):
    """A document to look at."""

    document: dict[str, Any]


class OpenedOut(Schema):
    """A document as opened: its kind, what its signature is worth, what speaks against it, and what cures that."""

    kind: str
    signature: str | None
    fingerprint: str
    usable: bool
    problems: list[OneProblem]
    cures: list[_OFFER]  # type: ignore[valid-type]


class DocumentIn(Schema):
    """A signed document from a party without an account here."""

    document: dict[str, Any]
    site: Annotated[str, Field(max_length=80)] = ""
    accept: bool = True


@router.get("/custody/events/kinds", response={200: Page[EventKind], **REFUSALS}, auth=READ)
def list_event_kinds(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the kinds of event that an organization of the chain enters, as the pages offer them."""
    desk_of(request)
    return page_of_list(
        list(OFFERS.values()), page, lambda cls: EventKind(kind=cls.type, title=cls.title, means=cls.means)
    )


@router.get("/custody/events/kinds/{kind}", response={200: EventAsked, **REFUSALS}, auth=READ)
def get_event_kind(request: HttpRequest, kind: Annotated[str, Path(max_length=40)]) -> EventAsked:
    """Return what a kind of event asks for, and what may be chosen today: sites, partners, slips, purchases, ..."""
    trader = desk_of(request)
    cls = OFFERS.get(kind)
    if cls is None:
        raise Http404
    begin = {"type": kind, "id": new_event_id(trader.organisation, kind)}
    if party := cls.entered_by():
        begin[party] = trader.id
    hints, said = types_of(cls), infos(cls)
    asked = [(each.name, hints[each.name], said[each.name], is_required(each)) for each in asked_of(cls)]
    fields = [_field(trader, *each) for each in asked]
    return EventAsked(means=cls.means, event=begin, fields=fields)


def _field(trader: CustodyContext, name: str, kind: object, info: Info, needed: bool) -> EventField:
    choices = choices_of(trader, kind, info)
    return EventField(
        name=name,
        label=labelled(info),
        means=info.means,
        needed=needed,
        holds=_holds(kind, choices),
        choices=None if choices is None else [EventChoice(value=value, said=said) for value, said in choices],
        example=example_of(kind, info) if is_tuple(kind) and choices is None else None,
    )


def _holds(kind: object, choices: object) -> str:
    if choices is not None:
        return "choices" if is_tuple(kind) else "choice"
    if is_tuple(kind):
        return "list"
    return "day" if is_day(kind) else "true or false" if kind is bool else "text"


@router.post(
    "/custody/events/preview", response={200: PreviewOut, **REFUSALS}, auth=WRITE, openapi_extra=_examples_of()
)
def preview_event(request: HttpRequest, body: EventIn) -> PreviewOut:
    """Return the answer that posting an event now would get; nothing is written."""
    trader = desk_of(request)
    asked = _read(body.event)
    outcome = raise_if_refused(entry.preview(trader, asked))
    return PreviewOut(
        message=outcome.message.removeprefix(Named.POSTED.sentence).strip(),
        facts=dict(outcome.details),
        lots=[shown(lot) for lot in entry.lots_taken(trader, asked, outcome)],
    )


@router.post("/custody/events", response={201: OutcomeOut, **REFUSALS}, auth=WRITE, openapi_extra=_examples_of())
def post_event(request: HttpRequest, body: EventIn) -> Status[OutcomeOut]:
    """Enter one event of the organization; a repeat of the same event is recognized."""
    trader = desk_of(request)
    asked = _read(body.event)
    return Status(201, _outcome(asked, raise_if_refused(entry.enter(trader, asked))))


@router.post("/custody/events/batch", response={201: list[OutcomeOut], **REFUSALS}, auth=WRITE)
def post_events(request: HttpRequest, body: EventsIn) -> Status[list[OutcomeOut]]:
    """Enter several events in one transaction: all stand, or the first refusal is returned and none stands."""
    caller = caller_of(request)
    desk_of(request)
    asked = [_read(one) for one in body.events]
    outcomes = entry.post_events(asked, organisation=caller.organisation, actor=caller.actor)
    done = [_outcome(one, raise_if_refused(outcome)) for one, outcome in zip(asked, outcomes, strict=False)]
    return Status(201, done)


@router.post("/custody/documents/check", response={200: OpenedOut, **REFUSALS}, auth=WRITE)
def check_document(request: HttpRequest, body: OpenedIn) -> OpenedOut:
    """Open a document without taking it in: its signature against the pinned key, and what cures an unknown one."""
    found = open_file(body.document, desk_of(request), "document")
    return OpenedOut(
        kind=found.kind,
        signature=str(found.signature) if found.signature else None,
        fingerprint=found.fingerprint,
        usable=found.content is not None and not found.problems,
        problems=[one_problem(one) for one in found.problems],
        cures=[shown(one) for one in suggested_contracts(found, body.document)],
    )


@router.post("/custody/documents", response={201: list[OutcomeOut], **REFUSALS}, auth=WRITE)
def receive_document(request: HttpRequest, body: DocumentIn) -> Status[list[OutcomeOut]]:
    """Take in a signed document: signature against the pinned key, chain, overlap, then the book; its file is kept."""
    trader = desk_of(request)
    incoming = open_file(body.document, trader, "document")
    if incoming.content is None or incoming.problems:
        raise ProblemsError(incoming.problems)
    content = json.dumps(body.document, indent=1).encode()
    name = f"{incoming.kind or 'document'}.json"
    answers, _ = receive_file(trader, incoming, name=name, content=content, site=body.site, accept=body.accept)
    return Status(201, [_outcome(one.event, raise_if_refused(one.outcome)) for one in answers])


def _read(fields: dict[str, Any]) -> Event:
    """Read an event. Raises ProblemsError: it cannot be read; the problem names the field."""
    kind = fields.get("type")
    found = read_fields(
        kind if isinstance(kind, str) else "", {name: value for name, value in fields.items() if name != "type"}
    )
    if isinstance(found, Decision):
        raise ProblemsError([refused(found, file="event", known=fields)])
    return found


def _outcome(asked: Event, outcome: Decision) -> OutcomeOut:
    return OutcomeOut(id=asked.id, status=str(outcome.status), message=outcome.message, facts=dict(outcome.details))
