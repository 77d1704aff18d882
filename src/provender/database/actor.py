"""Who acts and on which day, and the row of the log that every deed leaves."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, timedelta
from logging import getLogger
from math import ceil
from typing import Final
from zoneinfo import ZoneInfo

from django.db import DEFAULT_DB_ALIAS, connections
from django.utils import timezone

from provender.catalog.places import zone_of
from provender.database.models.accounts import LogRow, Organisation, Person

_ABOUT_LENGTH: Final = 120
"""Letters that the log keeps of what a deed was about."""


_asked_for: ContextVar[date | None] = ContextVar("asked_for", default=None)


def today() -> date:
    """Return the day at the place of the party whose pages are open (``at_the_place_of``)."""
    return _asked_for.get() or timezone.localdate()


@contextmanager
def on_day(day: date) -> Iterator[None]:
    """Let today be the day that a command asks about."""
    before = _asked_for.set(day)
    try:
        yield
    finally:
        _asked_for.reset(before)


def day_at(organisation: Organisation) -> date:
    """Return the day at an organisation's place, whoever's pages are open."""
    return timezone.localdate(timezone=ZoneInfo(zone_of(organisation.county, organisation.state)))


def at_the_place_of(organisation: Organisation) -> None:
    """Let days and times be those of an organisation's county, until the request ends (interpretation 69)."""
    timezone.activate(zone_of(organisation.county, organisation.state))


_log = getLogger(__name__)
SLACK: Final = timedelta(seconds=1)
"""Rows that are written at once may get their times in another order than their places."""


def seconds_behind(using: str | None = None) -> int:
    """Return by how many seconds the clock is behind the last row of the log: 0 where it goes right."""
    last = LogRow.objects.using(using).order_by("-id").values_list("at", flat=True).first()
    behind = last - timezone.now() if last else timedelta()
    return ceil(behind.total_seconds()) if behind > SLACK else 0


_IS_AHEAD: Final = "SELECT at > %s FROM database_logrow ORDER BY id DESC LIMIT 1"


def tell_clock(using: str = DEFAULT_DB_ALIAS) -> None:
    """Tell the server's log of a clock that went back, before a record is written.

    Every record asks for it, so the database compares: a model's query takes as long as a seventh of a sale.
    """
    connection = connections[using]
    with connection.cursor() as cursor:
        cursor.execute(_IS_AHEAD, [connection.ops.adapt_datetimefield_value(timezone.now() + SLACK)])
        is_behind = any(row[0] for row in cursor.fetchall())
    if is_behind and (behind := seconds_behind(using)):
        _log.warning("the clock is behind the last record", extra={"facts": {"seconds": behind}})


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something and by which way."""

    person: Person | None  # the person, or None when the program acts by itself
    via: str  # ``web``, ``api token NAME``, ``command line``, ``first start``, ``server, as asked for``
    for_firm: Organisation | None = None  # the firm on whose behalf a consultant acts here, if any


def log_values(actor: Actor, deed: str, about: str) -> tuple[int | None, str, str, str]:
    """Return who, by which way, the deed and what it was about, cut to what the columns hold."""
    return (None if actor.person is None else actor.person.pk), actor.via[:40], deed, about[:_ABOUT_LENGTH]


def write_log(
    actor: Actor,
    deed: str,
    *,
    organisation: Organisation | None,
    about: str = "",
    old: Mapping[str, object] | None = None,
    new: Mapping[str, object] | None = None,
) -> LogRow:
    """Add one row to the log. Call it inside the transaction of the deed.

    One that is dated before its predecessor keeps its place after it.
    """
    person, via, deed, about = log_values(actor, deed, about)
    tell_clock()
    return LogRow.objects.create(
        at=timezone.now(),
        actor_id=person,
        via=via,
        organisation=organisation,
        deed=deed,
        about=about,
        old=None if old is None else dict(old),
        new=None if new is None else dict(new),
    )
