"""What the organization is told, and the addresses at which its programs are told at once."""

from datetime import datetime
from typing import Annotated, Any, Final

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.database.choices import ADDRESS_LENGTH, NewsKind, Scope
from provender.services.news.choices import Notice, all_news, notice_of
from provender.services.news.hooks import HookShown, end_hook, hook_numbered, hook_shown, make_hook
from provender.web.api.auth import Needs, caller_of
from provender.web.api.pages import Page, PageQuery, page_of
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import Id

router = Router(tags=["organisation"])
READ, WRITE = Needs(Scope.ORGANISATION_READ), Needs(Scope.ACCESS_WRITE)


class NewsEvent(Schema):
    """One thing that the organization is told; a webhook gets the same. ``about`` names the entry or finding."""

    id: Annotated[str, Field(description="The same whenever it is sent again.", examples=["k7m2p9qrst"])]
    type: NewsKind
    at: Annotated[datetime, Field(examples=["2026-11-26T15:04:05Z"])]
    organization: Annotated[str, Field(description="Code of the organization told.", examples=["prairie-coop"])]
    about: Annotated[str, Field(examples=["farm-01-sale-3f9a01c2"])]
    says: Annotated[str, Field(examples=["A delivery from Abel Creek Farm"])]


_HEADERS: Final = {
    "webhook-id": "The event's id; the same when it is sent again.",
    "webhook-timestamp": "Seconds since 1970 when it was sent. Refuse what is older than five minutes.",
    "webhook-signature": "v1, a comma, base64 of HMAC-SHA256 under the secret over id, dot, timestamp, dot, body.",
}
POSTED: Final[dict[str, Any]] = {
    "notice": {
        "post": {
            "operationId": "notice",
            "summary": "Something that the organization is told",
            "description": "Posted to each webhook that wants its type, signed as the Standard Webhooks specification "
            "has it. An answer of 2xx ends it; otherwise it is sent again, the last time after two days and a half.",
            "parameters": [
                {"in": "header", "name": name, "required": True, "schema": {"type": "string"}, "description": words}
                for name, words in _HEADERS.items()
            ],
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewsEvent"}}},
            },
            "responses": {"2XX": {"description": "Taken."}},
        }
    }
}
"""What the server posts, as OpenAPI describes webhooks."""


class HookOut(Schema):
    """An address that is told at once, without its secret."""

    id: int
    address: str
    kinds: list[NewsKind]
    ended: bool


class HookIn(Schema):
    """Where to send what. The address is https and leads out of the server's own network."""

    address: Annotated[
        str,
        Field(
            min_length=1, max_length=ADDRESS_LENGTH, pattern=r"^[!-~]+$", examples=["https://scale.example.com/told"]
        ),
    ]
    kinds: Annotated[list[NewsKind], Field(min_length=1, max_length=len(NewsKind), examples=[["document.arrived"]])]


class HookMade(HookOut):
    """A webhook as made; ``secret`` is shown this once and not kept."""

    secret: str


def event_of(one: Notice) -> NewsEvent:
    """Return news as the API answers and webhooks get it."""
    return NewsEvent(
        id=one.mark, type=one.kind, at=one.at, organization=one.organisation, about=one.about, says=one.says
    )


def _hook(one: HookShown) -> HookOut:
    return HookOut(id=one.number, address=one.address, kinds=one.kinds, ended=one.ended)


@router.get("/notices", response={200: Page[NewsEvent], **REFUSALS}, auth=READ)
def list_notices(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List what the organization was told, newest first."""
    return page_of(all_news(caller_of(request).organisation), page, lambda row: event_of(notice_of(row)))


@router.get("/webhooks", response={200: Page[HookOut], **REFUSALS}, auth=WRITE)
def list_webhooks(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the webhooks that were ever made, without their secrets, to whoever may make and end them."""
    caller = caller_of(request)
    caller.require_manager()
    return page_of(caller.organisation.hooks.all(), page, lambda row: _hook(hook_shown(row)))


@router.post("/webhooks", response={201: HookMade, **REFUSALS}, auth=WRITE)
def make_webhook(request: HttpRequest, body: HookIn) -> Status[HookMade]:
    """Make a webhook; each message to it is signed with the secret that this answer shows once."""
    caller = caller_of(request)
    caller.require_manager()
    made, secret = make_hook(caller.organisation, address=body.address, kinds=body.kinds, actor=caller.actor)
    return Status(201, HookMade(**dict(_hook(hook_shown(made))), secret=secret))


@router.post("/webhooks/{number}/end", response={201: HookOut, **REFUSALS}, auth=WRITE)
def end_webhook(request: HttpRequest, number: Id) -> Status[HookOut]:
    """End a webhook at once."""
    caller = caller_of(request)
    caller.require_manager()
    one = hook_numbered(caller.organisation, number)
    end_hook(one, actor=caller.actor)
    one.refresh_from_db()
    return Status(201, _hook(hook_shown(one)))
