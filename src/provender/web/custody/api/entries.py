"""Entering events and documents: what a kind of event asks for, the same without writing, one, several, and papers.

Events are those of the reference page *Custody events*; a refusal is a problem whose code is its named status.
"""

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal, Union

from django.http import Http404, HttpRequest
from ninja import Path, Query, Router, Schema, Status
from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter, create_model
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from provender.custody.model.event import Event
from provender.custody.model.event import Status as Named
from provender.custody.model.store_view import Decision
from provender.problem import ProblemsError
from provender.schema import Info, example_of, infos, is_day, is_required, is_tuple, types_of
from provender.services.custody import entry
from provender.services.custody.book_entry import EVENT_TYPES, OFFERS
from provender.services.custody.context import CustodyContext
from provender.services.custody.documents import cures_of, open_file, receive_file
from provender.services.custody.entry import new_event_id, read_fields
from provender.services.custody.views import EventOffer, LotView, refused, well
from provender.web.api.problems import REFUSALS, OneProblem, caller_of, one_problem
from provender.web.api.schema import Page, PageQuery, page_of_list, schema_of, shown
from provender.web.custody.api.context import READ, WRITE, desk_of
from provender.web.custody.forms import asked_of, choices_of, labelled

router = Router(tags=["custody"])

# Every type of event in the description of the API: its fields with their words and units, and an example.


class AnyEvent(dict[str, Any]):
    """One event as JSON. It is described type by type; reading it, and what it answers, is the custody book's."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Take any object."""
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
    """Return the schema of one type of event, as a caller writes it."""
    fields = schema_of(cls, name=f"{_name(cls)}Fields", open_ended=True)
    word: Any = Literal[cls.type]
    return create_model(_name(cls), __base__=fields, __doc__=cls.__doc__, type=(word, ...))


def _name(cls: type[Event]) -> str:
    return f"{cls.type.title().replace('_', '')}Event"


def examples_of() -> dict[str, Any]:
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


MOST_EVENTS = 200
LOT, OFFER = schema_of(LotView), schema_of(EventOffer)


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

    events: Annotated[list[AnyEvent], Field(min_length=1, max_length=MOST_EVENTS)]


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
    cures: list[OFFER]  # type: ignore[valid-type]


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
    desk = desk_of(request)
    cls = OFFERS.get(kind)
    if cls is None:
        raise Http404
    begin = {"type": kind, "id": new_event_id(desk.organisation, kind)}
    if party := cls.entered_by():
        begin[party] = desk.id
    hints, said = types_of(cls), infos(cls)
    asked = [(each.name, hints[each.name], said[each.name], is_required(each)) for each in asked_of(cls)]
    fields = [_field(desk, *each) for each in asked]
    return EventAsked(means=cls.means, event=begin, fields=fields)


def _field(desk: CustodyContext, name: str, kind: object, info: Info, needed: bool) -> EventField:
    choices = choices_of(desk, kind, info)
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
    """Return what a field holds, in a word."""
    if choices is not None:
        return "choices" if is_tuple(kind) else "choice"
    if is_tuple(kind):
        return "list"
    return "day" if is_day(kind) else "true or false" if kind is bool else "text"


@router.post("/custody/events/preview", response={200: PreviewOut, **REFUSALS}, auth=WRITE, openapi_extra=examples_of())
def preview_event(request: HttpRequest, body: EventIn) -> PreviewOut:
    """Return the answer that posting an event now would get; nothing is written."""
    desk = desk_of(request)
    asked = _read(body.event)
    outcome = well(entry.preview(desk, asked))
    return PreviewOut(
        message=outcome.message.removeprefix(Named.POSTED.sentence).strip(),
        facts=dict(outcome.facts),
        lots=[shown(lot) for lot in entry.lots_taken(desk, asked, outcome)],
    )


@router.post("/custody/events", response={201: OutcomeOut, **REFUSALS}, auth=WRITE, openapi_extra=examples_of())
def post_event(request: HttpRequest, body: EventIn) -> Status[OutcomeOut]:
    """Enter one event of the organization; a repeat of the same event is recognized."""
    desk = desk_of(request)
    asked = _read(body.event)
    return Status(201, _outcome(asked, well(entry.enter(desk, asked))))


@router.post("/custody/events/batch", response={201: list[OutcomeOut], **REFUSALS}, auth=WRITE)
def post_events(request: HttpRequest, body: EventsIn) -> Status[list[OutcomeOut]]:
    """Enter several events in one transaction: all stand, or the first refusal is returned and none stands."""
    caller = caller_of(request)
    desk_of(request)
    asked = [_read(one) for one in body.events]
    outcomes = entry.post_events(asked, organisation=caller.organisation, actor=caller.actor)
    done = [_outcome(one, well(outcome)) for one, outcome in zip(asked, outcomes, strict=False)]
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
        cures=[shown(one) for one in cures_of(found, body.document)],
    )


@router.post("/custody/documents", response={201: list[OutcomeOut], **REFUSALS}, auth=WRITE)
def receive_document(request: HttpRequest, body: DocumentIn) -> Status[list[OutcomeOut]]:
    """Take in a signed document: signature against the pinned key, chain, overlap, then the book; its file is kept."""
    desk = desk_of(request)
    incoming = open_file(body.document, desk, "document")
    if incoming.content is None or incoming.problems:
        raise ProblemsError(incoming.problems)
    content = json.dumps(body.document, indent=1).encode()
    name = f"{incoming.kind or 'document'}.json"
    answers, _ = receive_file(desk, incoming, name=name, content=content, site=body.site, accept=body.accept)
    return Status(201, [_outcome(one.request, well(one.outcome)) for one in answers])


def _read(fields: dict[str, Any]) -> Event:
    """Read an event.

    Raises:
        ProblemsError: it cannot be read; the problem names the field.
    """
    kind = fields.get("type")
    found = read_fields(
        kind if isinstance(kind, str) else "", {name: value for name, value in fields.items() if name != "type"}
    )
    if isinstance(found, Decision):
        raise ProblemsError([refused(found, file="event", known=fields)])
    return found


def _outcome(asked: Event, outcome: Decision) -> OutcomeOut:
    return OutcomeOut(id=asked.id, status=str(outcome.status), message=outcome.message, facts=dict(outcome.facts))
