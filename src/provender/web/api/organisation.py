"""The organisation a token opens: its members, whom it let in, its log, and the tokens themselves."""

from datetime import date, datetime
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status

from provender.database.deeds.invitations import do_invite
from provender.database.models import ApiToken, LogRow, Membership, ReadGrant, Right, Scope
from provender.web.api.auth import Needs, caller_of
from provender.web.api.pages import Page, PageQuery, page_of
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import OneLine

router = Router(tags=["organisation"])


class OrganisationOut(Schema):
    """An organisation."""

    code: str
    name: str
    county: str
    state: str
    roles: list[str]


class MemberOut(Schema):
    """A member and what they may do."""

    id: int
    name: str
    email: str
    right: str
    firm: str
    since: datetime


class TokenOut(Schema):
    """A token, without its secret."""

    id: int
    name: str
    hint: str
    scopes: list[str]
    expires_on: str
    revoked: bool


class GrantOut(Schema):
    """The access of a verifier, from the first day to the last, or until it was taken back."""

    id: int
    verifier: str
    purpose: str
    first_day: date
    last_day: date
    revoked: bool


class LogOut(Schema):
    """One deed: who did what, when, by way of what, what stood before and after."""

    id: int
    at: datetime
    actor: str
    via: str
    deed: str
    about: str
    old: Any
    new: Any


class InvitationIn(Schema):
    """Whom to invite and with what right."""

    label: OneLine
    right: Right


class InvitationOut(Schema):
    """An invitation; ``path`` is shown this once."""

    id: int
    label: str
    right: str
    path: str
    expires_at: datetime


@router.get("/organisation", response={200: OrganisationOut, **REFUSALS}, auth=Needs(Scope.ORGANISATION_READ))
def get_organisation(request: HttpRequest) -> OrganisationOut:
    """Return the organisation that the token opens."""
    one = caller_of(request).organisation
    roles = [row.role for row in one.roles.all()]
    return OrganisationOut(code=one.handle, name=one.name, county=one.county, state=one.state, roles=roles)


def _member(row: Membership) -> MemberOut:
    return MemberOut(
        id=row.pk,
        name=row.person.name,
        email=row.person.email,
        right=row.right,
        firm=str(row.on_behalf_of or ""),
        since=row.since,
    )


@router.get("/members", response={200: Page[MemberOut], **REFUSALS}, auth=Needs(Scope.ORGANISATION_READ))
def list_members(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the members."""
    rows = caller_of(request).organisation.memberships.select_related("person", "on_behalf_of")
    return page_of(rows, page, _member)


@router.get("/grants", response={200: Page[GrantOut], **REFUSALS}, auth=Needs(Scope.ORGANISATION_READ))
def list_grants(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the verifiers that the organisation ever let in."""
    return page_of(caller_of(request).organisation.grants_given.select_related("verifier"), page, _grant)


def _grant(row: ReadGrant) -> GrantOut:
    return GrantOut(
        id=row.pk,
        verifier=str(row.verifier),
        purpose=row.purpose,
        first_day=row.first_day,
        last_day=row.last_day,
        revoked=row.revoked_at is not None,
    )


@router.get("/log", response={200: Page[LogOut], **REFUSALS}, auth=Needs(Scope.ORGANISATION_READ))
def list_log(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List what was done in the organisation, the first deed first."""
    return page_of(LogRow.objects.filter(organisation=caller_of(request).organisation), page, _deed)


def _deed(row: LogRow) -> LogOut:
    actor = str(row.actor) if row.actor else ""
    return LogOut(
        id=row.pk, at=row.at, actor=actor, via=row.via, deed=row.deed, about=row.about, old=row.old, new=row.new
    )


@router.post("/invitations", response={201: InvitationOut, **REFUSALS}, auth=Needs(Scope.MEMBERS_WRITE))
def invite(request: HttpRequest, body: InvitationIn) -> Status[InvitationOut]:
    """Invite somebody; hand the path over to them."""
    caller = caller_of(request)
    made, secret = do_invite(caller.organisation, label=body.label, right=body.right, actor=caller.actor)
    shown = InvitationOut(
        id=made.pk, label=made.label, right=made.right, path=f"/join/{secret}/", expires_at=made.expires_at
    )
    return Status(201, shown)


def _token(row: ApiToken) -> TokenOut:
    return TokenOut(
        id=row.pk,
        name=row.name,
        hint=row.hint,
        scopes=row.scopes,
        expires_on=row.expires_on.isoformat(),
        revoked=row.revoked_at is not None,
    )


@router.get("/tokens", response={200: Page[TokenOut], **REFUSALS}, auth=Needs(Scope.ORGANISATION_READ))
def list_tokens(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the tokens of the organisation, without their secrets."""
    return page_of(caller_of(request).organisation.tokens.all(), page, _token)
