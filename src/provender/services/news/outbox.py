"""The outbox: what is due is taken by one process, sent, and tried again later where it did not arrive."""

from collections.abc import Callable
from datetime import timedelta
from logging import getLogger
from typing import Final

from django.db import connection, transaction
from django.utils import timezone

from provender.database.models import Sending
from provender.services.news.choices import Notice, notice_of
from provender.services.news.posting import NotTakenError, post_to

WAITS: Final = (60, 300, 1800, 7200, 28_800, 86_400, 86_400)
"""Seconds until it is tried again, by how often it was tried; after the last it is given up."""
LEASE: Final = timedelta(minutes=5)
"""A process that took a sending and died lets it be tried again after that."""
AT_ONCE: Final = 20
KEPT: Final = timedelta(days=90)
Mail = Callable[[str, Notice], None]
"""Sends to an address one notice; raises OSError where that failed (so do those of ``smtplib``)."""

_log = getLogger(__name__)


def send_due(mail: Mail) -> int:
    """Send what is due; return how many were tried."""
    if not Sending.objects.filter(next_at__lte=timezone.now()).exists():
        return 0  # without taking a lock
    taken = _take()
    for one in taken:
        _send(one, mail)
    return len(taken)


@transaction.atomic
def _take() -> list[Sending]:
    now = timezone.now()
    due = Sending.objects.filter(next_at__lte=now).order_by("next_at")
    due = due.select_for_update(of=("self",), skip_locked=True) if connection.vendor == "postgresql" else due
    taken = list(due.select_related("news__organisation", "hook", "membership__person")[:AT_ONCE])
    Sending.objects.filter(pk__in=[one.pk for one in taken]).update(next_at=now + LEASE)
    return taken


def _send(one: Sending, mail: Mail) -> None:
    now, done = timezone.now(), True
    try:
        if one.hook is not None:
            one.answer = f"answered {post_to(one.hook, one.news, now)}"
        elif one.membership is not None:
            mail(one.membership.person.email, notice_of(one.news))
            one.answer = "sent"
    except (NotTakenError, OSError) as failed:
        done, one.answer = False, (str(failed) if isinstance(failed, NotTakenError) else type(failed).__name__)[:120]
        _log.info("news not taken", extra={"sending": one.pk})
    except Exception as failed:  # noqa: BLE001 - ours or a library's: the others that are due are sent all the same
        done, one.answer = False, type(failed).__name__[:120]
        _log.exception("news could not be sent", extra={"sending": one.pk})
    waits = WAITS[one.tries] if one.tries < len(WAITS) else None
    one.tries += 1
    one.done_at = now if done else None
    one.next_at = None if done or waits is None else now + timedelta(seconds=waits)
    with transaction.atomic():
        # Ended meanwhile, it stays ended.
        stands = Sending.objects.filter(pk=one.pk, next_at__isnull=False)
        stands.update(tries=one.tries, done_at=one.done_at, next_at=one.next_at, answer=one.answer)


def forget_old() -> None:
    """Remove what arrived or was given up long ago; the news themselves stay."""
    Sending.objects.filter(next_at=None, news__at__lt=timezone.now() - KEPT).delete()
