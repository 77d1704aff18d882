"""The organisation a token opens: what it is, what it does next, and its log."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated, Any, Final

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field, WithJsonSchema

from provender.database.choices import ADDRESS_LENGTH, NewsKind, Role, Scope
from provender.services import transparency as service
from provender.services.accounts.access import deeds_in
from provender.services.accounts.organisations import change_organisation as do_change_organisation
from provender.services.accounts.tokens import end_hook
from provender.services.accounts.views import LogView, OrganisationView, log_view, organisation_view
from provender.services.news.hooks import HookShown, hook_numbered, hook_shown, make_hook
from provender.services.news.told import Notice, all_news, notice_of
from provender.web.api.problems import REFUSALS, Id, Needs, OneLine, caller_of
from provender.web.api.schema import Page, PageQuery, itself, page_of, page_of_list, schema_of, shown
from provender.web.organisation.deeds import StepLink, next_steps

router = Router(tags=["organisation"])
READ = Needs(Scope.ORGANISATION_READ)
AnyRole = Annotated[Role, WithJsonSchema({"type": "string", "enum": Role.values})]
"""Described where it stands: the shapes of the description know another role, that of an audited party."""


class OrganisationIn(Schema):
    """Name, place and roles as they are to stand."""

    name: OneLine
    county: Annotated[str, Field(max_length=80, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""
    state: Annotated[str, Field(pattern=r"^([A-Za-z]{2})?$", description="Two letters.")] = ""
    roles: Annotated[list[AnyRole], Field(min_length=1, max_length=len(Role))]


@router.get("/organisation", response={200: OrganisationView, **REFUSALS}, auth=READ, summary="Get Organization")
def get_organisation(request: HttpRequest) -> OrganisationView:
    """Return the organization that the token opens."""
    return organisation_view(caller_of(request).organisation)


@router.post(
    "/organisation",
    response={201: OrganisationView, **REFUSALS},
    auth=Needs(Scope.ORGANISATION_WRITE),
    summary="Change Organization",
)
def change_organisation(request: HttpRequest, body: OrganisationIn) -> Status[OrganisationView]:
    """Change name, place and roles."""
    caller = caller_of(request)
    changed = do_change_organisation(
        caller.organisation, name=body.name, roles=body.roles, county=body.county, state=body.state, actor=caller.actor
    )
    return Status(201, organisation_view(changed))


@router.get("/organisation/next", response={200: Page[StepLink], **REFUSALS}, auth=READ)
def list_next_steps(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List what the organization does next, the first thing first, as its overview says."""
    return page_of_list(next_steps(caller_of(request).access), page, itself)


@router.get("/log", response={200: Page[LogView], **REFUSALS}, auth=READ)
def list_log(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List what was done in the organization, the first deed first."""
    return page_of(deeds_in(caller_of(request).organisation), page, log_view)


# What the organization is told, and the addresses at which its programs are told at once.

_NOTICES_READ, WRITE = Needs(Scope.ORGANISATION_READ), Needs(Scope.ACCESS_WRITE)


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


class HookIn(Schema):
    """Where to send what. The address is https and leads out of the server's own network."""

    address: Annotated[
        str,
        Field(
            min_length=1, max_length=ADDRESS_LENGTH, pattern=r"^[!-~]+$", examples=["https://scale.example.com/told"]
        ),
    ]
    kinds: Annotated[list[NewsKind], Field(min_length=1, max_length=len(NewsKind), examples=[["document.arrived"]])]


@dataclass(frozen=True, slots=True)
class HookMade(HookShown):
    """A webhook as made; ``secret`` is shown this once and not kept."""

    secret: str


def _event_of(one: Notice) -> NewsEvent:
    """Return news as the API answers and webhooks get it."""
    return NewsEvent(
        id=one.mark, type=one.kind, at=one.at, organization=one.organisation, about=one.about, says=one.says
    )


@router.get("/notices", response={200: Page[NewsEvent], **REFUSALS}, auth=_NOTICES_READ)
def list_notices(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List what the organization was told, newest first."""
    return page_of(all_news(caller_of(request).organisation), page, lambda row: _event_of(notice_of(row)))


@router.get("/webhooks", response={200: Page[HookShown], **REFUSALS}, auth=WRITE)
def list_webhooks(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the webhooks that were ever made, without their secrets, to whoever may make and end them."""
    caller = caller_of(request)
    caller.require_manager()
    return page_of(caller.organisation.hooks.all(), page, hook_shown)


@router.post("/webhooks", response={201: HookMade, **REFUSALS}, auth=WRITE)
def make_webhook(request: HttpRequest, body: HookIn) -> Status[HookMade]:
    """Make a webhook; each message to it is signed with the secret that this answer shows once."""
    caller = caller_of(request)
    caller.require_manager()
    made, secret = make_hook(caller.organisation, address=body.address, kinds=body.kinds, actor=caller.actor)
    return Status(201, HookMade(**asdict(hook_shown(made)), secret=secret))


@router.post("/webhooks/{number}/end", response={201: HookShown, **REFUSALS}, auth=WRITE)
def end_webhook(request: HttpRequest, number: Id) -> Status[HookShown]:
    """End a webhook at once."""
    caller = caller_of(request)
    caller.require_manager()
    one = hook_numbered(caller.organisation, number)
    end_hook(one, actor=caller.actor)
    one.refresh_from_db()
    return Status(201, hook_shown(one))


# The server's transparency log for programs: its head, and proofs of documents and of growth.

transparency_router = Router(tags=["transparency"])
Mark = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="Hash of the document as the log names it.")]
Since = Annotated[
    list[Annotated[int, Field(ge=1, le=2**53)]],
    Query(max_length=100, description="Size of a head that you hold; repeat for another."),
]


@transparency_router.get(
    "/log/state", response={200: schema_of(service.LogState, name="LogStateOut"), **REFUSALS}, auth=READ
)
def get_log_state(request: HttpRequest) -> Any:  # noqa: ANN401 - JSON
    """Return how many documents stand in the log, and its newest signed head."""
    return shown(service.state())


@transparency_router.get("/log/head", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_log_head(request: HttpRequest) -> dict[str, Any]:
    """Return the newest signed head, as `provender log` signs one."""
    return service.signed_head()


@transparency_router.get("/log/proof/{mark}", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_log_proof(request: HttpRequest, mark: Mark, since: Since = []) -> dict[str, Any]:  # noqa: B006 - read only
    """Return the proof that a document stands in the log, to lie beside it in a package."""
    return service.proof(mark, since)


@transparency_router.get("/log/consistency", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_log_consistency(request: HttpRequest, since: Since) -> dict[str, Any]:
    """Return what shows that the log grew out of heads of these sizes."""
    return service.growth(since)
