"""Where a person is signed in, when each was last used, and ending them: one's own only, and each end is logged."""

import re
from datetime import datetime
from typing import Final, NamedTuple

from allauth.usersessions.models import UserSession
from django.db import transaction

from provender.database.actor import Actor, write_log
from provender.database.models import Person
from provender.services.refused import MissingError

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
    """One place where a person is signed in.

    Attributes:
        id: its number.
        device: browser and system, as it names itself.
        address: of the network it was last used from.
        since: when it signed in.
        last_use: when it last asked for a page, within some minutes.
        current: whether it is the one that asks.
    """

    id: int
    device: str
    address: str
    since: datetime
    last_use: datetime
    current: bool


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
