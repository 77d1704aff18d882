"""The tokens of the organisation: what there is, making a narrower one, and revoking one."""

from datetime import date
from typing import Annotated

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.database.models import ApiToken, Scope
from provender.services.accounts.tokens import TokenState, members_of, state_of
from provender.services.accounts.tokens import create_token as do_create_token
from provender.services.accounts.tokens import revoke_token as do_revoke_token
from provender.web.api.auth import Needs, caller_of
from provender.web.api.pages import Page, PageQuery, page_of
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import Id

router = Router(tags=["organisation"])
READ, WRITE = Needs(Scope.ORGANISATION_READ), Needs(Scope.TOKENS_WRITE)


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


def _token(row: ApiToken, members: frozenset[int]) -> TokenOut:
    return TokenOut(
        id=row.pk,
        name=row.name,
        hint=row.hint,
        scopes=row.scopes,
        expires_on=row.expires_on.isoformat(),
        revoked=row.revoked_at is not None,
        state=state_of(row, members),
    )


@router.get("/tokens", response={200: Page[TokenOut], **REFUSALS}, auth=READ)
def list_tokens(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the tokens of the organisation, without their secrets."""
    organisation = caller_of(request).organisation
    members = members_of(organisation)
    return page_of(organisation.tokens.all(), page, lambda row: _token(row, members))


@router.post("/tokens", response={201: TokenMade, **REFUSALS}, auth=WRITE)
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
    return Status(201, TokenMade(**dict(_token(made, members_of(caller.organisation))), secret=secret))


@router.post("/tokens/{number}/revocation", response={201: TokenOut, **REFUSALS}, auth=WRITE)
def revoke_token(request: HttpRequest, number: Id) -> Status[TokenOut]:
    """End a token at once, and those made with it; any token of the organisation, this one too."""
    caller = caller_of(request)
    one = get_object_or_404(ApiToken, organisation=caller.organisation, pk=number)
    do_revoke_token(one, actor=caller.actor)
    one.refresh_from_db()
    return Status(201, _token(one, members_of(caller.organisation)))
