"""Reading the log and the book for news, once for each organisation and deed, and putting what goes out in the outbox.

Transactions of several writers end in another order than their rows are numbered. A row is therefore looked for until
it is older than the longest transaction; what was told before is told no second time.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from logging import getLogger
from typing import Final, TypeVar

from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Max, Min, Model
from django.utils import timezone

from provender.database.actor import at_the_place_of, today
from provender.database.models import (
    CustodyPeriod,
    CustodyRecord,
    Hook,
    LogRow,
    News,
    NewsChoice,
    NewsMark,
    Organisation,
    Sending,
)
from provender.services.news.told import DEEDS, NOTICE, Told, of_log, of_periods, of_records

AT_ONCE: Final = 500
LONGEST: Final = timedelta(minutes=10)
"""A transaction that writes for longer is not waited for."""
LOG, RECORDS = "log", "records"
Row = TypeVar("Row", bound=Model)

_log = getLogger(__name__)


class Reading:
    """Reads a table on from where it stopped, and remembers which of its young rows were read.

    Args:
        table: its name in ``NewsMark``.
        model: the table.
        at: the name of the column that says when a row was written.
    """

    def __init__(self, table: str, model: type[Model], at: str) -> None:
        self._table, self._rows, self._at = table, model._default_manager, at  # noqa: SLF001 - Django has no other name
        self._read: set[int] = set()

    def fresh(self) -> list[int]:
        """Return the keys of rows not read yet, at most ``AT_ONCE``: new ones, and older ones that came late."""
        mark = self._mark().read_up_to
        self._read = {pk for pk in self._read if pk > mark}
        high = max(self._read, default=mark)
        behind = self._rows.filter(pk__gt=mark, pk__lte=high)
        late = behind.count() != len(self._read)
        found = [pk for pk in behind.values_list("pk", flat=True) if pk not in self._read] if late else []
        return [*found, *self._rows.filter(pk__gt=high).order_by("pk").values_list("pk", flat=True)[:AT_ONCE]]

    def done(self, keys: list[int]) -> None:
        """Note that rows were told; move the mark past those that are old enough."""
        self._read.update(keys)
        if not self._read:
            return
        mark, high = self._mark(), max(self._read)
        since = timezone.now() - (timedelta() if connection.vendor == "sqlite" else LONGEST)  # one writer at a time
        young = self._rows.filter(**{"pk__gt": mark.read_up_to, "pk__lte": high, f"{self._at}__gt": since})
        passed = (young.aggregate(first=Min("pk"))["first"] or high + 1) - 1
        if passed > mark.read_up_to:
            NewsMark.objects.filter(pk=mark.pk, read_up_to__lt=passed).update(read_up_to=passed)

    def _mark(self) -> NewsMark:
        """Return how far the table was read; at first to its end: what was there before is no news."""
        found = NewsMark.objects.filter(table=self._table).first()
        if found is None:
            end = self._rows.aggregate(end=Max("pk"))["end"] or 0
            found, _ = NewsMark.objects.get_or_create(table=self._table, defaults={"read_up_to": end})
        return found


class Gatherer:
    """Reads log and book for news."""

    def __init__(self) -> None:
        self._log = Reading(LOG, LogRow, "at")
        self._records = Reading(RECORDS, CustodyRecord, "stated_by__at")

    def round(self) -> int:
        """Tell what is new; return how many rows were read."""
        return self._of_log() + self._of_records()

    def _of_log(self) -> int:
        keys = self._log.fresh()
        found = LogRow.objects.filter(pk__in=keys, deed__in=DEEDS, organisation__isnull=False)
        tell(_each(of_log, found.select_related("organisation", "actor")))
        self._log.done(keys)
        return len(keys)

    def _of_records(self) -> int:
        keys = self._records.fresh()
        tell(_each(of_records, CustodyRecord.objects.filter(pk__in=keys, kind=NOTICE)))
        self._records.done(keys)
        return len(keys)


def _each(words: Callable[[Iterable[Row]], Iterator[Told]], rows: Iterable[Row]) -> Iterator[Told]:
    """Yield what rows say; where one of them cannot be read, the others are told one by one.

    One row must not keep everybody's news back for good. A database that fails is another matter: it is read again.
    """
    rows = list(rows)
    try:
        yield from list(words(rows))
    except DatabaseError:
        raise
    except Exception:  # noqa: BLE001 - each row by itself tells which it was
        for row in rows:
            try:
                yield from list(words([row]))
            except DatabaseError:
                raise
            except Exception:  # noqa: BLE001 - ours; told in the log
                _log.exception("a row could not be told", extra={"row": row.pk})


def look_at_periods() -> int:
    """Tell which periods end soon, each organisation by the day of its place; return how many things were told."""
    open_now = CustodyPeriod.objects.filter(closed=None).values("entity")
    told = 0
    for organisation in Organisation.objects.filter(handle__in=open_now):
        at_the_place_of(organisation)
        try:
            told += tell(of_periods(organisation, today()))
        except Exception:  # noqa: BLE001 - ours; the periods of others are told all the same
            _log.exception("periods could not be told", extra={"organisation": organisation.pk})
        finally:
            timezone.deactivate()
    return told


def tell(things: Iterable[Told]) -> int:
    """Write what was not told before, each with what has to go out, whole or not at all; return how many."""
    return sum(_tell(one) for one in things)


def _tell(one: Told) -> bool:
    if News.objects.filter(organisation=one.organisation, source=one.source).exists():
        return False
    try:
        with transaction.atomic():
            news = News.objects.create(
                organisation_id=one.organisation, kind=one.kind, source=one.source, says=one.says, about=one.about,
                page=one.page, query=[list(each) for each in one.query], at=timezone.now(),
            )  # fmt: skip
            _put_out(news)
    except IntegrityError:
        return False  # another process told it a moment ago
    return True


def _put_out(news: News) -> None:
    hooks = Hook.objects.filter(organisation=news.organisation, ended_at=None)
    choices = NewsChoice.objects.filter(membership__organisation=news.organisation, membership__person__is_active=True)
    sendings = [Sending(news=news, hook=one, next_at=news.at) for one in hooks if news.kind in one.kinds]
    sendings += [
        Sending(news=news, membership=one.membership, next_at=news.at)
        for one in choices.select_related("membership")
        if news.kind in one.sent
    ]
    Sending.objects.bulk_create(sendings)
