"""API tokens: made once, shown once, revoked for good."""

import secrets
from collections.abc import Sequence
from datetime import date
from typing import Final

from django.db import transaction
from django.utils import timezone

from provender.database.deeds.actor import Actor, write_log
from provender.database.deeds.refusal import refusal
from provender.database.models import ApiToken, Organisation, Scope
from provender.signing.hashes import sha256_hex

PREFIX: Final = "pvd_"


@transaction.atomic
def do_create_token(
    organisation: Organisation, *, name: str, scopes: Sequence[str], expires_on: date, actor: Actor
) -> tuple[ApiToken, str]:
    """Create a token; return it and its secret, which is kept nowhere.

    Raises:
        RefusedError: no scope, an unknown one, or a day that has passed.
    """
    if actor.person is None:
        raise refusal("nobody_acts", "Only a person can make a token.", "Sign in first.")
    known = set(Scope.values)
    if not scopes or not set(scopes) <= known:
        raise refusal(
            "scopes_unknown",
            "A token needs scopes from the list.",
            f"Choose from {', '.join(Scope.values)}.",
            column="scopes",
        )
    if expires_on < timezone.now().date():
        raise refusal("expired", "The last day has passed already.", "Choose a later day.", column="expires_on")
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        organisation=organisation,
        name=name.strip(),
        secret_hash=sha256_hex(secret.encode()),
        hint=secret[-4:],
        scopes=[scope for scope in Scope.values if scope in set(scopes)],
        created_by=actor.person,
        expires_on=expires_on,
    )
    new = {"scopes": token.scopes, "expires_on": str(expires_on)}
    write_log(actor, "create token", organisation=organisation, about=token.name, new=new)
    return token, secret


@transaction.atomic
def do_revoke_token(token: ApiToken, *, actor: Actor) -> None:
    """End a token now. Doing it twice changes nothing."""
    if token.revoked_at is not None:
        return
    token.revoked_at = timezone.now()
    token.save(update_fields=["revoked_at"])
    write_log(actor, "revoke token", organisation=token.organisation, about=token.name)


def find_token(secret: str) -> ApiToken | None:
    """Find the token of a secret if it is valid today, or None."""
    return (
        ApiToken.objects.select_related("organisation", "created_by")
        .filter(
            secret_hash=sha256_hex(secret.encode()),
            revoked_at=None,
            expires_on__gte=timezone.now().date(),
            created_by__is_active=True,
        )
        .first()
    )
