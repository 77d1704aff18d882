"""Tokens at the door of the API. A call names the scope it needs; the token opens one organisation."""

from dataclasses import dataclass
from typing import cast

from django.http import HttpRequest
from ninja.errors import AuthorizationError
from ninja.security import HttpBearer

from provender.database.deeds.actor import Actor
from provender.database.deeds.tokens import find_token
from provender.database.models import ApiToken, Membership, Organisation, Right, Scope


@dataclass(frozen=True, slots=True)
class Caller:
    """A program that showed a valid token."""

    token: ApiToken

    @property
    def organisation(self) -> Organisation:
        """Return the one organisation the token opens."""
        return self.token.organisation

    @property
    def actor(self) -> Actor:
        """Return who acts: the person who made the token, by way of it."""
        return Actor(self.token.created_by, f"api token {self.token.name}")

    def require_signer(self) -> None:
        """Let only tokens through whose maker may sign for the organisation: never a consultant's (2100.031).

        Raises:
            AuthorizationError: the maker may not.
        """
        membership = Membership.objects.filter(organisation=self.organisation, person=self.token.created_by).first()
        if membership is None or membership.is_consultant or not membership.may(Right.WRITE):
            raise AuthorizationError(message="Whoever made this token may not sign for the organisation.")

    def require_manager(self) -> None:
        """Let only tokens through whose maker manages the organisation today.

        Raises:
            AuthorizationError: the maker does not, or no longer.
        """
        membership = Membership.objects.filter(organisation=self.organisation, person=self.token.created_by).first()
        if membership is None or not membership.may(Right.MANAGE):
            raise AuthorizationError(message="Whoever made this token does not manage the organisation.")


class Needs(HttpBearer):
    """Lets in a token that has one scope."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> Caller | None:  # noqa: ARG002 - ninja's signature
        """Find the caller, or None for no valid token.

        Raises:
            AuthorizationError: the token has not the scope.
        """
        found = find_token(token)
        if found is None:
            return None
        if self.scope not in found.scopes:
            raise AuthorizationError(message=f"The token lacks the scope {self.scope}.")
        return Caller(found)


def caller_of(request: HttpRequest) -> Caller:
    """Return who calls, inside a call that ``Needs`` let in."""
    return cast("Caller", request.auth)  # type: ignore[attr-defined]  # ninja sets it
