"""The custody book in SQL (SQLite and PostgreSQL): locks, loads and applies what ``custody.events.registry`` decided.

In PostgreSQL each party of a request is locked by a number made of its name, in the order of the numbers, until the
transaction ends: alone where its stock is touched, together with others where it is only asked about. A request that
touches everybody takes a lock that all others share. In SQLite an IMMEDIATE transaction is a lock over everything.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from hashlib import sha256
from typing import Final

from django.db import IntegrityError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from provender.custody.model.event import EVERYONE, Event
from provender.custody.model.lots import Lot
from provender.custody.model.store_view import Decision, Posted
from provender.database.actor import Actor
from provender.database.models import CustodyOrigin
from provender.database.store.custody_rows import event_statement, log_statements, lot_statements, party_statements
from provender.database.store.custody_view import SqlFacts
from provender.database.store.messages import SqlStatement, write
from provender.database.store.records import stated

WHOLE_STORE: Final = 2100_030
"""The number of the advisory lock over the whole store."""
MANY: Final = 500
"""Parties for which the whole store is locked: PostgreSQL has room for a few thousand locks of all its sessions."""
ALONE: Final = "SELECT pg_advisory_xact_lock(%s)"
TOGETHER: Final = "SELECT pg_advisory_xact_lock_shared(%s)"


def locks_of(parties: Iterable[str], reads: Iterable[str]) -> list[SqlStatement]:
    """Return what locks parties in PostgreSQL; everybody, one writer and any number of readers, in one order.

    A party's number is a part of the hash of its name: two with one number would wait for each other and no more.
    """
    shared = set(reads)
    numbers: dict[int, bool] = {}
    for name in parties:
        number = int.from_bytes(sha256(name.encode()).digest()[:8], "big", signed=True)
        numbers[number] = numbers.get(number, True) and name in shared
    own = [SqlStatement(TOGETHER if numbers[number] else ALONE, (number,)) for number in sorted(numbers)]
    return [SqlStatement(TOGETHER, (WHOLE_STORE,)), *own]


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
    def locked(
        self, parties: tuple[str, ...], reads: tuple[str, ...] = (), event: str = ""
    ) -> Iterator["SqlTransaction"]:
        """Lock parties in one order for all, in one transaction; ``(EVERYONE,)`` locks the whole store."""
        with transaction.atomic(using=self._using):
            facts = SqlFacts(self._using)
            self._lock(facts, sorted(set(parties)), reads, event)
            yield SqlTransaction(self._actor, self._using, facts)

    def answering(self, request: Event) -> AbstractContextManager["SqlTransaction"]:
        """Lock what answering a request touches, and read ahead what it will ask."""
        return self.locked(request.locks(), request.only_reads(), request.id)

    def _lock(self, facts: SqlFacts, names: list[str], reads: tuple[str, ...], event: str) -> None:
        """Lock, and in the same message read what is asked first: of the parties, and of an event of that id.

        Each statement of a message sees what was committed before it began, so what is read is read under the lock.
        """
        connection = connections[self._using]
        if connection.vendor == "sqlite":
            facts.know(names)
            return  # an IMMEDIATE transaction has the lock already, and reading ahead saves no way
        if EVERYONE in names or len(names) > MANY:
            with connection.cursor() as cursor:
                cursor.execute(ALONE, [WHOLE_STORE])
        else:
            facts.know(names, *locks_of(names, reads), event=event)

    @contextmanager
    def reading(self) -> Iterator[SqlFacts]:
        """Give facts for reports: one consistent view, nothing locked. Within another reading it is the same view."""
        connection = connections[self._using]
        if connection.in_atomic_block or _is_reading(connection):
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


def _is_reading(connection: BaseDatabaseWrapper) -> bool:
    """Tell whether a plain BEGIN is open on SQLite, of which Django does not know."""
    raw = connection.connection
    return connection.vendor == "sqlite" and raw is not None and raw.in_transaction


class SqlTransaction:
    """One locked stretch of work."""

    def __init__(self, actor: Actor, using: str, facts: SqlFacts) -> None:
        self._actor = actor
        self._using = using
        self._facts = facts

    def facts(self) -> SqlFacts:
        """Return what the decision may ask."""
        return self._facts

    def apply(self, request: Event, outcome: Decision) -> None:
        """Write a posted outcome, whole or not at all, and with it end the work: what was read holds no longer.

        Raises:
            ValueError: the outcome was not decided on the lots as they are; the transaction is rolled back.
        """
        if not outcome.status.well:
            raise ValueError(f"{request.id} was not decided to stand")
        facts, self._facts = self._facts, SqlFacts(self._using)
        stale = f"{request.id} was not decided on the lots as they are"
        try:
            if write(connections[self._using], self._statements(facts, request, outcome)):
                return
        except IntegrityError as refused:
            transaction.set_rollback(True, using=self._using)
            raise ValueError(stale) from refused
        transaction.set_rollback(True, using=self._using)
        raise ValueError(stale)

    def _statements(self, facts: SqlFacts, request: Event, outcome: Decision) -> list[SqlStatement]:
        connection = connections[self._using]
        parents, origins = facts.lots_named(outcome.ended), self._origins(facts, outcome.opened)
        return [
            event_statement(connection, request, self._actor, outcome.corrected),
            *lot_statements(request, outcome, parents, origins),
            *party_statements(request),
            *stated(outcome.records, request.id),
            *log_statements(connection, request, self._actor, facts.organisations(request.locks())),
        ]

    def _origins(self, facts: SqlFacts, opened: tuple[Lot, ...]) -> dict[str, int]:
        numbers = facts.origin_numbers({lot.origin for lot in opened})
        for name in sorted({lot.origin for lot in opened} - set(numbers)):
            numbers[name] = CustodyOrigin.objects.using(self._using).create(name=name).pk
        return numbers
