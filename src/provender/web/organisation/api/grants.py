"""Which verifiers may read, and when; the tokens of programs: what there is, making a narrower one, revoking one."""

from datetime import date
from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.database.choices import Right, Scope
from provender.services.accounts.grants import grant_given, grant_reading, grants_given, grants_held, revoke_reading
from provender.services.accounts.organisations import organisation_coded
from provender.services.accounts.tokens import TokenState, check_gives, members_of, token_of
from provender.services.accounts.tokens import create_token as do_create_token
from provender.services.accounts.tokens import revoke_token as do_revoke_token
from provender.services.accounts.views import TokenView, grant_view, token_view
from provender.web.api.auth import Needs, caller_of
from provender.web.api.pages import Page, PageQuery, page_of
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import Code, Id

router = Router(tags=["organisation"])
READ, WRITE, TOKENS = Needs(Scope.ORGANISATION_READ), Needs(Scope.ACCESS_WRITE), Needs(Scope.TOKENS_WRITE)


class GrantOut(Schema):
    """The access of a verifier, from the first day to the last, or until it was taken back."""

    id: int
    verifier: str
    purpose: str
    first_day: date
    last_day: date
    revoked: bool


class GrantHeld(Schema):
    """An organization that lets this verifier read, from the first day to the last, or until it took that back."""

    id: int
    audited: str
    code: str
    purpose: str
    first_day: date
    last_day: date
    revoked: bool


class GrantIn(Schema):
    """Which verifier may read, for how long and what for."""

    verifier: Code
    purpose: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]
    first_day: date
    last_day: date


@router.get("/grants", response={200: Page[GrantOut], **REFUSALS}, auth=READ)
def list_grants(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the verifiers that the organization ever let in."""
    return page_of(
        grants_given(caller_of(request).organisation), page, lambda row: GrantOut(**grant_view(row)._asdict())
    )


@router.get("/grants/held", response={200: Page[GrantHeld], **REFUSALS}, auth=READ)
def list_grants_held(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the organizations that ever let this verifier in."""
    return page_of(
        grants_held(caller_of(request).organisation), page, lambda row: GrantHeld(**grant_view(row)._asdict())
    )


@router.post("/grants", response={201: GrantOut, **REFUSALS}, auth=WRITE)
def give_access(request: HttpRequest, body: GrantIn) -> Status[GrantOut]:
    """Let a verifier read everything for a time; the token itself must be one that may read everything."""
    caller = caller_of(request)
    check_gives(caller.token, Right.READ)
    made = grant_reading(
        caller.organisation,
        organisation_coded(body.verifier, column="verifier"),
        first_day=body.first_day,
        last_day=body.last_day,
        purpose=body.purpose,
        actor=caller.actor,
    )
    return Status(201, GrantOut(**grant_view(made)._asdict()))


@router.post("/grants/{number}/revocation", response={201: GrantOut, **REFUSALS}, auth=WRITE)
def take_access_back(request: HttpRequest, number: Id) -> Status[GrantOut]:
    """Take a verifier's access back at once."""
    caller = caller_of(request)
    one = grant_given(caller.organisation, number)
    revoke_reading(one, actor=caller.actor)
    return Status(201, GrantOut(**grant_view(one)._asdict()))


class TokenOut(Schema):
    """A token, without its secret. ``state`` says whether it opens anything today, and if not, why."""

    id: int
    name: str
    hint: str
    scopes: list[str]
    expires_on: str
    revoked: bool
    state: TokenState


class TokenIn(Schema):
    """What a token is for, what it may do, and its last day."""

    name: Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$")]
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=len(Scope))]
    expires_on: date


class TokenMade(TokenOut):
    """A token as made; ``secret`` is shown this once and not kept."""

    secret: str


def _token(row: TokenView) -> TokenOut:
    return TokenOut(**{**row._asdict(), "expires_on": row.expires_on.isoformat()})


@router.get("/tokens", response={200: Page[TokenOut], **REFUSALS}, auth=READ)
def list_tokens(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the tokens of the organization, without their secrets."""
    organisation = caller_of(request).organisation
    members = members_of(organisation)
    return page_of(organisation.tokens.all(), page, lambda row: _token(token_view(row, members)))


@router.post("/tokens", response={201: TokenMade, **REFUSALS}, auth=TOKENS)
def create_token(request: HttpRequest, body: TokenIn) -> Status[TokenMade]:
    """Make a token: with scopes of this one but ``tokens:write``, and no longer than it. It ends when this one does."""
    caller = caller_of(request)
    made, secret = do_create_token(
        caller.organisation,
        name=body.name,
        scopes=body.scopes,
        expires_on=body.expires_on,
        actor=caller.actor,
        made_with=caller.token,
    )
    return Status(201, TokenMade(**dict(_token(token_view(made, members_of(caller.organisation)))), secret=secret))


@router.post("/tokens/{number}/revocation", response={201: TokenOut, **REFUSALS}, auth=TOKENS)
def revoke_token(request: HttpRequest, number: Id) -> Status[TokenOut]:
    """End a token at once, and those made with it; any token of the organization, this one too."""
    caller = caller_of(request)
    one = token_of(caller.organisation, number)
    do_revoke_token(one, actor=caller.actor)
    one.refresh_from_db()
    return Status(201, _token(token_view(one, members_of(caller.organisation))))
