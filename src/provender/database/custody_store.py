"""The custody book in SQL: locks, loads and applies what ``provender.custody.decide`` decided. SQLite and PostgreSQL.

In PostgreSQL the parties of a request are locked by their rows, in the order of their names; a request that touches
everybody takes a lock that all others share. In SQLite an IMMEDIATE transaction is a lock over everything.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from django.db import IntegrityError, connections, transaction
from django.utils import timezone

from provender.custody.closing import Closing
from provender.custody.digest import digest_of, plain_event
from provender.custody.facts import EVERYONE, Outcome, Posted, Record
from provender.custody.lots import Lot
from provender.custody.periods import Period
from provender.custody.requests import Request
from provender.database.custody_codec import write_record
from provender.database.custody_facts import SqlFacts
from provender.database.custody_rows import lot_row, parties_of
from provender.database.deeds.actor import Actor, write_log
from provender.database.models import (
    CustodyEvent,
    CustodyLot,
    CustodyOrigin,
    CustodyParty,
    CustodyRecord,
    CustodyStep,
    Organisation,
)
from provender.signing.canonical import canonical_json

WHOLE_STORE: Final = 2100_030
"""The number of the advisory lock over the whole store."""


class SqlStore:
    """Books in one database.

    Args:
        actor: who posts; stands in the log beside each event.
        using: the database's name in Django's settings.
    """

    def __init__(self, actor: Actor, using: str = "default") -> None:
        self._actor = actor
        self._using = using

    @contextmanager
    def locked(self, parties: tuple[str, ...]) -> Iterator["SqlTransaction"]:
        """Lock the parties in the order of their names, in one transaction; ``(EVERYONE,)`` locks the whole store."""
        with transaction.atomic(using=self._using):
            self._lock(parties)
            yield SqlTransaction(self._actor, self._using)

    def _lock(self, parties: tuple[str, ...]) -> None:
        connection = connections[self._using]
        if connection.vendor == "sqlite":
            return
        everybody = EVERYONE in parties
        function = "pg_advisory_xact_lock" if everybody else "pg_advisory_xact_lock_shared"
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {function}(%s)", [WHOLE_STORE])
        if everybody:
            return
        names = sorted(set(parties))
        if len(self._lock_rows(names)) < len(names):
            new = [CustodyParty(name=name) for name in names]
            CustodyParty.objects.using(self._using).bulk_create(new, ignore_conflicts=True)
            self._lock_rows(names)

    def _lock_rows(self, names: list[str]) -> list[CustodyParty]:
        rows = CustodyParty.objects.using(self._using).filter(name__in=names).order_by("name")
        return list(rows.select_for_update())

    @contextmanager
    def reading(self) -> Iterator[SqlFacts]:
        """Give facts for reports: one consistent view, nothing locked."""
        connection = connections[self._using]
        if connection.in_atomic_block:
            yield SqlFacts(self._using)
        elif connection.vendor == "sqlite":
            # Django would begin IMMEDIATE and wait for writers; a plain BEGIN reads beside them.
            with connection.cursor() as cursor:
                cursor.execute("BEGIN")
                try:
                    yield SqlFacts(self._using)
                finally:
                    cursor.execute("ROLLBACK")
        else:
            with transaction.atomic(using=self._using):
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                yield SqlFacts(self._using)

    def events(self) -> Sequence[Posted]:
        """Return every event in the order of the book."""
        return SqlFacts(self._using).events()


class SqlTransaction:
    """One locked stretch of work."""

    def __init__(self, actor: Actor, using: str) -> None:
        self._actor = actor
        self._using = using
        self._facts = SqlFacts(using)

    def facts(self) -> SqlFacts:
        """Return what the decision may ask."""
        return self._facts

    def apply(self, request: Request, outcome: Outcome) -> None:
        """Write a posted outcome, whole or not at all.

        Raises:
            ValueError: the outcome was not decided on the lots as they are; nothing is written.
        """
        if not outcome.status.well:
            raise ValueError(f"{request.id} was not decided to stand")
        try:
            with transaction.atomic(using=self._using):
                event = self._write_event(request, outcome)
                ended = self._end(event, outcome.ended)
                self._open(event, outcome.opened, ended)
                self._state(event, outcome.records)
                self._log(request)
        except IntegrityError as refused:
            raise ValueError(f"{request.id} was not decided on the lots as they are") from refused
        self._facts = SqlFacts(self._using)

    def _write_event(self, request: Request, outcome: Outcome) -> CustodyEvent:
        events = CustodyEvent.objects.using(self._using)
        return events.create(
            name=request.id,
            type=request.type,
            day=request.day,
            digest=digest_of(request),
            text=canonical_json(plain_event(request)).decode(),
            corrects=events.get(name=outcome.corrected) if outcome.corrected else None,
            at=timezone.now(),
            actor=self._actor.person,
        )

    def _end(self, event: CustodyEvent, ended: tuple[str, ...]) -> dict[str, CustodyLot]:
        if not ended:
            return {}
        current = CustodyLot.objects.using(self._using).filter(name__in=ended, ended_by=None)
        rows = {row.name: row for row in current}
        if current.update(ended_by=event) != len(ended):
            raise ValueError(f"{event.name} was not decided on the lots as they are")
        return rows

    def _open(self, event: CustodyEvent, opened: tuple[Lot, ...], ended: dict[str, CustodyLot]) -> None:
        if not opened:
            return
        origins = self._origins({lot.origin for lot in opened})
        rows = [lot_row(lot, origins[lot.origin], ended[lot.parent] if lot.parent else None, event) for lot in opened]
        made = CustodyLot.objects.using(self._using).bulk_create(rows)
        steps = [CustodyStep(party=party, day=event.day, lot=row) for row in made for party in sorted(parties_of(row))]
        CustodyStep.objects.using(self._using).bulk_create(steps)

    def _origins(self, names: set[str]) -> dict[str, CustodyOrigin]:
        origins = CustodyOrigin.objects.using(self._using)
        found = {row.name: row for row in origins.filter(name__in=names)}
        for name in sorted(names - set(found)):
            found[name] = origins.create(name=name)
        return found

    def _state(self, event: CustodyEvent, records: tuple[Record, ...]) -> None:
        last = {(record.kind, record.key): record for record in records}
        rows = [
            CustodyRecord(
                kind=record.kind,
                key=record.key,
                group=record.group,
                text=canonical_json(write_record(record)).decode(),
                final=_is_final(record),
                stated_by=event,
            )
            for record in last.values()
        ]
        CustodyRecord.objects.using(self._using).bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["kind", "key"],
            update_fields=["group", "text", "final", "stated_by"],
        )

    def _log(self, request: Request) -> None:
        known = Organisation.objects.using(self._using).filter(handle__in=request.parties())
        new = {"type": request.type, "day": request.day.isoformat()}
        for organisation in (*known,) or (None,):
            write_log(
                self._actor, "post movement", organisation=organisation, about=request.id, new=new, using=self._using
            )


def _is_final(record: Record) -> bool:
    """Say whether a record stays for good: the statement of a closed period, and the period once it is closed."""
    return isinstance(record, Closing) or (isinstance(record, Period) and record.closed is not None)
