"""Tokens at the door of the API. A call names the scope it needs; the token opens one organisation.

A token does at most what its maker may do in the organisation today: when the maker leaves, so does the token.
"""

from dataclasses import dataclass
from typing import Final, cast

from django.http import HttpRequest
from ninja.errors import AuthorizationError
from ninja.security import HttpBearer

from provender.database.actor import Actor, at_the_place_of
from provender.database.models import ApiToken, Membership, Organisation, Right, Scope
from provender.services.accounts.tokens import find_token
from provender.web.access import Access


@dataclass(frozen=True, slots=True)
class Caller:
    """A program that showed a valid token.

    Attributes:
        token: as it is kept.
        membership: of whoever made the token, in the organization it opens.
    """

    token: ApiToken
    membership: Membership

    @property
    def organisation(self) -> Organisation:
        """Return the one organization the token opens."""
        return self.token.organisation

    @property
    def access(self) -> Access:
        """Return the open door: that of the token's maker, by way of the token."""
        via = f"api token {self.token.name}"
        return Access(self.organisation, self.token.created_by, self.membership, via=via)

    @property
    def actor(self) -> Actor:
        """Return who acts: the person who made the token, by way of it, a consultant for the firm."""
        return self.access.actor

    def require_signer(self) -> None:
        """Let only tokens through whose maker may sign for the organization: never a consultant's (2100.031).

        Raises:
            AuthorizationError: the maker may not.
        """
        if not self.access.may_sign:
            raise AuthorizationError(message="Whoever made this token may not sign for the organization.")

    def require_manager(self) -> None:
        """Let only tokens through whose maker manages the organization today.

        Raises:
            AuthorizationError: the maker does not, or no longer.
        """
        if not self.access.may_manage:
            raise AuthorizationError(message="Whoever made this token does not manage the organization.")


class Needs(HttpBearer):
    """Lets in a token that has a scope, and whose maker may do the same on the pages.

    Args:
        scope: the scope.
        others: scopes that do as well.
    """

    def __init__(self, scope: Scope, *others: Scope) -> None:
        super().__init__()
        self.scopes = (scope, *others)

    def authenticate(self, request: HttpRequest, token: str) -> Caller | None:  # noqa: ARG002 - ninja's signature
        """Find the caller, or None for no valid token.

        Raises:
            AuthorizationError: the token has not the scope, or its maker not the right.
        """
        found = find_token(token)
        if found is None:
            return None
        at_the_place_of(found.organisation)
        held = [scope for scope in self.scopes if scope in found.scopes]
        if not held:
            raise AuthorizationError(message=f"The token lacks the scope {' or '.join(self.scopes)}.")
        members = Membership.objects.select_related("on_behalf_of")
        maker = members.filter(organisation=found.organisation, person=found.created_by).first()
        if maker is None:
            return None
        if not any(maker.may(scope.right) for scope in held):
            needed = Right(held[0].right).label.lower()
            raise AuthorizationError(message=f"Whoever made this token may not do this any more: {needed}.")
        return Caller(found, maker)


RECORDS_READ: Final = Needs(Scope.RECORDS_READ)
RECORDS_WRITE: Final = Needs(Scope.RECORDS_WRITE)
FILES_WRITE: Final = Needs(Scope.RECORDS_WRITE, Scope.CUSTODY_WRITE)


def caller_of(request: HttpRequest) -> Caller:
    """Return who calls, inside a call that ``Needs`` let in."""
    return cast("Caller", request.auth)  # type: ignore[attr-defined]  # ninja sets it
