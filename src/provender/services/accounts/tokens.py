"""API tokens: made once, shown once, revoked for good. A program's token hands on no more than it holds itself."""

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from allauth.usersessions.models import UserSession
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from provender.database.actor import Actor, at_the_place_of, day_at, today, write_log
from provender.database.choices import Right, Scope, scopes_within
from provender.database.models.accounts import ApiToken, Hook, Membership, Organisation, Person, Sending
from provender.services.accounts.access import Access, acting_manager, membership_of, owned
from provender.services.idempotency import note_right
from provender.services.refused import MissingError, check_not_past, clean_name, refusal
from provender.signing.canonical import sha256_hex

_PREFIX: Final = "pvd_"
_LONGEST_TOKEN_NAME: Final = 80


class TokenState(StrEnum):
    """How a token stands today."""

    WORKS = "works"
    ENDED = "ended"
    REVOKED = "revoked"
    MAKER_LEFT = "maker left"


@transaction.atomic
def create_token(
    organisation: Organisation,
    *,
    name: str,
    scopes: Sequence[str],
    expires_on: date,
    actor: Actor,
    made_with: ApiToken | None = None,
) -> tuple[ApiToken, str]:
    """Create a token; return it and its secret, which is kept nowhere.

    ``made_with`` is the token by which a program asks; a person on the page has none.

    Raises:
        RefusedError: a name that is none, no scope, an unknown one, a day that has passed, or more than ``made_with``
            may hand on.
    """
    person = acting_manager(organisation, actor, "make a token")
    if not scopes or not set(scopes) <= set(Scope.values):
        remedy = f"Choose from {', '.join(Scope.values)}."
        raise refusal("scopes_unknown", "A token needs scopes from the list.", remedy, column="scopes")
    check_not_past(expires_on, today(), column="expires_on")
    if made_with is not None:
        check_hands_on(made_with, set(scopes), expires_on)
    secret = _PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        organisation=organisation,
        name=clean_name(name, most=_LONGEST_TOKEN_NAME),
        secret_hash=sha256_hex(secret.encode()),
        hint=secret[-4:],
        scopes=[scope for scope in Scope.values if scope in set(scopes)],
        created_by=person,
        made_with=made_with,
        expires_on=expires_on,
    )
    new = {"scopes": token.scopes, "expires_on": str(expires_on)}
    write_log(actor, "create token", organisation=organisation, about=token.name, new=new)
    return token, secret


def check_hands_on(holder: ApiToken, scopes: set[str], expires_on: date) -> None:
    """Refuse what a token may not hand on to one it makes."""
    # Whoever revokes it waits for this deed or comes before it: a token never outlives the one it was made with.
    held = ApiToken.objects.select_for_update().get(pk=holder.pk)
    if held.revoked_at is not None:
        raise refusal("token_revoked", "The token that asks was revoked.", "Ask for another one.")
    if beyond := sorted(scopes - (set(held.scopes) - {Scope.TOKENS_WRITE})):
        cause = f"A token made with this one may not have {', '.join(beyond)}."
        remedy = "Choose from the scopes of this token, without tokens:write: people give that on the page."
        raise refusal("beyond_the_token", cause, remedy, column="scopes")
    if expires_on > held.expires_on:
        cause = f"This token ends on {held.expires_on}, and one made with it no later."
        raise refusal("beyond_the_token", cause, "Choose an earlier last day.", column="expires_on")
    note_right(f"hands:{' '.join(sorted(scopes))}")


def check_gives(token: ApiToken, right: str) -> None:
    """Refuse that a program gives or takes away a right of people that goes beyond its token.

    Who may manage is people's to say: a member lives on when the token has ended, and one who manages makes tokens.

    Raises:
        RefusedError: it does.
    """
    if right == Right.MANAGE:
        cause = "Who may manage an organization is decided by people."
        raise refusal("beyond_the_token", cause, "Somebody who manages it does this on the page.", column="right")
    if lacking := sorted(scopes_within(right) - set(token.scopes)):
        cause = f"This gives or ends the right to {right}, and the token lacks {', '.join(lacking)}."
        remedy = "Use a token that may do itself what the right allows."
        raise refusal("beyond_the_token", cause, remedy, column="right")
    note_right(f"gives:{right}")


@transaction.atomic
def revoke_token(token: ApiToken, *, actor: Actor) -> None:
    """End a token now, and those made with it. Doing it twice changes nothing."""
    ending = list(ApiToken.objects.select_for_update().filter(pk=token.pk, revoked_at=None))
    ending += ApiToken.objects.select_for_update().filter(made_with=token.pk, revoked_at=None)
    now = timezone.now()
    for one in ending:
        one.revoked_at = now
        one.save(update_fields=["revoked_at"])
        write_log(actor, "revoke token", organisation=one.organisation, about=one.name)


def find_token(secret: str) -> ApiToken | None:
    """Find the token of a secret if it opens something on the day at its organisation's place, or None.

    Whoever made it must still be a member.
    """
    found = (
        ApiToken.objects.select_related("organisation", "created_by")
        .filter(
            secret_hash=sha256_hex(secret.encode()),
            revoked_at=None,
            created_by__is_active=True,
            created_by__memberships__organisation=F("organisation"),
        )
        .first()
    )
    return found if found is not None and found.expires_on >= day_at(found.organisation) else None


@dataclass(frozen=True, slots=True)
class TokenHolder:
    """A program that showed a valid token."""

    token: ApiToken  # as it is kept
    membership: Membership  # of whoever made the token, in the organization it opens

    @property
    def organisation(self) -> Organisation:
        """Return the one organization the token opens."""
        return self.token.organisation

    @property
    def access(self) -> Access:
        """Return the access of the token's maker, by way of the token."""
        via = f"api token {self.token.name}"
        return Access(self.organisation, self.token.created_by, self.membership, via=via)

    @property
    def actor(self) -> Actor:
        """Return who acts: the person who made the token, by way of it, a consultant for the firm."""
        return self.access.actor


def holder_of(secret: str, scopes: Sequence[Scope]) -> TokenHolder | None:
    """Return whoever shows a token for something that one of these scopes allows; None for no valid token.

    Raises:
        PermissionDenied: the token has none of the scopes, or its maker not the right.
    """
    found = find_token(secret)
    if found is None:
        return None
    at_the_place_of(found.organisation)
    held = [scope for scope in scopes if scope in found.scopes]
    if not held:
        raise PermissionDenied(f"The token lacks the scope {' or '.join(scopes)}.")
    maker = membership_of(found.organisation, found.created_by)
    if maker is None:
        return None
    if not any(maker.may(scope.right) for scope in held):
        needed = Right(held[0].right).label.lower()
        raise PermissionDenied(f"Whoever made this token may not do this any more: {needed}.")
    return TokenHolder(found, maker)


def token_of(organisation: Organisation, number: int) -> ApiToken:
    """Return a token of an organisation; MissingError where it has no such one."""
    return owned(organisation, ApiToken, pk=number)


def state_of(token: ApiToken) -> TokenState:
    """Return how a token stands today."""
    if token.revoked_at is not None:
        return TokenState.REVOKED
    if token.expires_on < today():
        return TokenState.ENDED
    return TokenState.WORKS if token.created_by.is_active else TokenState.MAKER_LEFT


# Addresses at which programs of an organisation listen (``services.news.hooks``), ended like tokens.


def host_of(address: str) -> str:
    """Return what the log, which every member reads, says of an address: its path may hold a secret."""
    return urlsplit(address).hostname or ""


@transaction.atomic
def end_hook(hook: Hook, *, actor: Actor) -> None:
    """End a hook now; what was on its way to it is given up. Doing it twice changes nothing."""
    held = Hook.objects.select_for_update().get(pk=hook.pk)
    if held.ended_at is not None:
        return
    held.ended_at = timezone.now()
    held.save(update_fields=["ended_at"])
    Sending.objects.filter(hook=held, next_at__isnull=False).update(next_at=None, answer="the webhook was ended")
    write_log(actor, "end webhook", organisation=held.organisation, about=host_of(held.address))


# Where a person is signed in, when each was last used, and ending them: one's own only, and each end is logged.

_BROWSERS: Final = (
    ("Edge", r"Edg(?:e|A|iOS)?/"), ("Opera", r"OPR/"), ("Samsung Internet", r"SamsungBrowser/"),
    ("Firefox", r"(?:Firefox|FxiOS)/"), ("Chrome", r"(?:Chrome|Chromium|CriOS)/"), ("Safari", r"Safari/"),
)  # fmt: skip
_SYSTEMS: Final = (
    ("an iPhone", r"iPhone"), ("an iPad", r"iPad"), ("Android", r"Android"), ("Windows", r"Windows"),
    ("a Mac", r"Macintosh"), ("a Chromebook", r"CrOS"), ("Linux", r"Linux"),
)  # fmt: skip
"""The first that fits: browsers name those they descend from too."""


class SignedIn(NamedTuple):
    """One place where a person is signed in."""

    id: int  # its number
    device: str  # browser and system, as it names itself
    address: str  # of the network it was last used from
    since: datetime  # when it signed in
    last_use: datetime  # when it last asked for a page, within some minutes
    current: bool  # whether it is the one that asks


def device_of(agent: str) -> str:
    """Return what a browser says it is, in a few words."""
    browser = next((name for name, mark in _BROWSERS if re.search(mark, agent)), "")
    system = next((name for name, mark in _SYSTEMS if re.search(mark, agent)), "")
    return f"{browser or 'A browser'} on {system}" if system else browser or "Not said"


def sessions_of(person: Person, key: str | None) -> list[SignedIn]:
    """Return where a person is signed in, the last used first; ``key`` is that of the session that asks."""
    found = sorted(UserSession.objects.purge_and_list(person), key=lambda one: one.last_seen_at, reverse=True)
    return [
        SignedIn(one.pk, device_of(one.user_agent), str(one.ip), one.created_at, one.last_seen_at,
                 one.session_key == key)
        for one in found
    ]  # fmt: skip


@transaction.atomic
def end_session(person: Person, number: int, *, actor: Actor) -> str:
    """Sign one device of a person out, and return what it is.

    Raises:
        MissingError: the person has no such session, or it has ended.
    """
    found = UserSession.objects.filter(user=person, pk=number).first()
    if found is None:
        raise MissingError("There is no such device; it was signed out already.")
    return _end(found, actor)


@transaction.atomic
def end_other_sessions(person: Person, key: str | None, *, actor: Actor) -> int:
    """Sign out every device of a person but the one that asks, and return how many."""
    others = [one for one in UserSession.objects.purge_and_list(person) if one.session_key != key]
    for one in others:
        _end(one, actor)
    return len(others)


def _end(session: UserSession, actor: Actor) -> str:
    device, said = device_of(session.user_agent), str(session.user_id)
    session.end()
    old = {"device": device, "last use": session.last_seen_at.isoformat(timespec="seconds")}
    write_log(actor, "end session", organisation=None, about=said, old=old)
    return device
