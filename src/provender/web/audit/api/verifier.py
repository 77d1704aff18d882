"""What a verifier shows of itself: its accreditation and the public key it signs with; and who lets it in today."""

from datetime import date
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.audit.statement.accreditation import Accreditation, Forum, Membership
from provender.database.actor import today
from provender.services.accounts.grants import open_grants
from provender.services.audits.audits import record_accreditation
from provender.services.audits.lookup import check_verifies
from provender.services.audits.standing import PartyView, party_view
from provender.services.audits.verifier import (
    KEYS,
    AccreditationView,
    accreditation_view,
)
from provender.web.api.auth import caller_of
from provender.web.api.organisation_keys import KEY, KeyIn
from provender.web.api.pages import PageQuery, page_of, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import OneLine
from provender.web.api.view_schema import page_of_schema, schema_of, shown
from provender.web.audit.api.door import READ, WRITE, Line, LineOrNone

router = Router(tags=["verifier"])
ACCREDITATION = schema_of(AccreditationView, name="AccreditationOut")
PARTY = schema_of(PartyView, name="PartyOut")


class Suspension(Schema):
    """Days on which the accreditation was suspended; ``last`` is null while that lasts."""

    first: date
    last: date | None = None


class ForumPlace(Schema):
    """The accreditation body's place in a forum; ``source`` says where it was looked up, and when."""

    forum: Forum
    first: date
    last: date | None = None
    source: Line


class AccreditationIn(Schema):
    """What a verifier shows of its accreditation to ISO 14065 (2100.041)."""

    standard: Annotated[OneLine, Field(description="Such as ISO 14065:2020.")]
    scope: Annotated[LineOrNone, Field(description="In the words of the certificate.")] = ""
    body: OneLine
    number: OneLine
    first: date
    last: date
    suspended: Annotated[list[Suspension], Field(max_length=50)] = []
    memberships: Annotated[list[ForumPlace], Field(min_length=1, max_length=20)]


@router.get("/verifier/accreditation", response={200: ACCREDITATION, **REFUSALS}, auth=READ)
def get_accreditation(request: HttpRequest) -> Any:  # noqa: ANN401 - JSON
    """Return the accreditation that the verifier shows, and what stands against it today."""
    return shown(accreditation_view(check_verifies(caller_of(request).organisation), today()))


@router.post("/verifier/accreditation", response={201: ACCREDITATION, **REFUSALS}, auth=WRITE)
def state_accreditation(request: HttpRequest, body: AccreditationIn) -> Status[Any]:
    """State the accreditation; what was shown before stays readable. The token's maker must manage the verifier."""
    caller = caller_of(request)
    owner = check_verifies(caller.organisation)
    caller.require_manager()
    stated = Accreditation(
        owner.name, body.standard, body.body, body.number, body.first, body.last,
        tuple((each.first, each.last) for each in body.suspended),
        tuple(Membership(each.forum, each.first, each.last, each.source) for each in body.memberships), body.scope,
    )  # fmt: skip
    record_accreditation(owner, stated, actor=caller.actor)
    return Status(201, shown(accreditation_view(owner, today())))


@router.get("/verifier/keys", response={200: page_of_schema(KEY), **REFUSALS}, auth=READ)
def list_verifier_keys(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the public keys that the verifier registered, the first one first; the last one signs."""
    owner = check_verifies(caller_of(request).organisation)
    return page_of(KEYS.of(owner), page, lambda key: shown(KEYS.view(owner, key)))


@router.post("/verifier/keys", response={201: KEY, **REFUSALS}, auth=WRITE)
def register_verifier_key(request: HttpRequest, body: KeyIn) -> Status[Any]:
    """Register a public key, or the next one by rotation. A private key is refused; the token's maker must manage."""
    caller = caller_of(request)
    owner = check_verifies(caller.organisation)
    caller.require_manager()
    made = KEYS.register(owner, body.shown, reason=body.reason, today=today(), actor=caller.actor)
    return Status(201, shown(KEYS.view(owner, made)))


@router.get("/verifier/parties", response={200: page_of_schema(PARTY), **REFUSALS}, auth=READ)
def list_parties(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List who lets the verifier in today, with when each one's next statement is due."""
    grants = open_grants(check_verifies(caller_of(request).organisation), today())
    return page_of_list(grants, page, lambda grant: shown(party_view(grant, today())))
