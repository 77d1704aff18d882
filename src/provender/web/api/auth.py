"""Tokens at the door of the API. A call names the scope it needs; the token opens one organisation.

A token does at most what its maker may do in the organisation today: when the maker leaves, so does the token.
"""

from typing import Final, cast

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from ninja.errors import AuthorizationError
from ninja.security import HttpBearer

from provender.database.choices import Scope
from provender.services.accounts.tokens import TokenHolder, holder_of


class Caller(TokenHolder):
    """A program that showed a valid token, and what some calls ask of it besides."""

    __slots__ = ()

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
        try:
            found = holder_of(token, self.scopes)
        except PermissionDenied as refused:
            raise AuthorizationError(message=str(refused)) from None
        return Caller(found.token, found.membership) if found else None


RECORDS_READ: Final = Needs(Scope.RECORDS_READ)
RECORDS_WRITE: Final = Needs(Scope.RECORDS_WRITE)
FILES_WRITE: Final = Needs(Scope.RECORDS_WRITE, Scope.CUSTODY_WRITE)


def caller_of(request: HttpRequest) -> Caller:
    """Return who calls, inside a call that ``Needs`` let in."""
    return cast("Caller", request.auth)  # type: ignore[attr-defined]  # ninja sets it
