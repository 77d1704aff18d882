"""The custody book in SQL (SQLite and PostgreSQL): locks, loads and applies what ``custody.events.registry`` decided.

In PostgreSQL each party of a request is locked by a number made of its name, in the order of the numbers, until the
transaction ends: alone where its stock is touched, together with others where it is only asked about. A request that
touches everybody takes a lock that all others share. In SQLite an IMMEDIATE transaction is a lock over everything.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import fields
from datetime import date
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, cast

from django.db import IntegrityError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

from provender.custody.events.registry import read_posted
from provender.custody.model.entities import Entity, Period, SiteClosure, Verification
from provender.custody.model.event import EVERYONE, Event, Record, written
from provender.custody.model.lots import LIVE, SPAN_BITS, SPAN_MAX, STOCK, Lot, LotState, Origin, Slip, Stock
from provender.custody.model.store_view import CustodyStep, Decision, Posted, R
from provender.database.actor import Actor, log_values, tell_clock
from provender.database.models.custody import CustodyOrigin
from provender.database.store import records
from provender.database.store.records import ORIGINS as STANDINGS

# A lot as a row of its table and back, and what a posted movement writes, in one message to the database.
#
# Columns are named like the lot's own fields, but for names and serials. Reading and writing is plain SQL: a sale asks
# a dozen small questions, and building each with the ORM costs more than answering it.

NAMED_OTHERWISE: Final = frozenset({"id", "parent", "origin", "start", "stop", "state"})
SAME: Final = tuple(one.name for one in fields(Lot) if one.name not in NAMED_OTHERWISE)
_DAYS: Final = tuple(SAME.index(one.name) for one in fields(Lot) if one.type in (date, "date"))
OWN: Final = 7
"""Columns before those that are named like the lot's fields."""

LOTS: Final = "database_custodylot"
_ORIGINS: Final = "database_custodyorigin"


def columns(lot: str, parent: str, origin: str) -> str:
    """Return the columns that ``lot_of`` reads, for the aliases of a lot, its parent and its origin in a query."""
    own = f"{lot}.name, {parent}.name, {origin}.name, {origin}.id, {lot}.span_start, {lot}.span_stop, {lot}.state"
    return ", ".join([own, *(f"{lot}.{name}" for name in SAME)])


_WIDTH: Final = OWN + len(SAME)
"""How many columns a lot has in such a query."""


KEPT: Final = 1 << 14
"""Lots that a process keeps. Each sale looks at the whole stock of its seller, and most of that it has seen before."""


def lot_of(values: Sequence[Any]) -> Lot:
    """Return the lot of a row with the columns of ``columns``."""
    return _lot(tuple(values))


@lru_cache(maxsize=KEPT)
def _lot(values: tuple[Any, ...]) -> Lot:
    """Return the lot of a row, which the whole row tells: what the database changed is another row."""
    name, parent, origin, number, span_start, span_stop, state, *rest = values
    for place in _DAYS:
        if isinstance(rest[place], str):  # SQLite keeps days as text
            rest[place] = date.fromisoformat(rest[place])
    base = number << SPAN_BITS
    return Lot(
        id=name,
        parent=parent or "",
        origin=origin,
        start=span_start - base,
        stop=span_stop - base,
        state=LotState(state),
        **dict(zip(SAME, rest, strict=True)),
    )


_WRITTEN: Final = f"name, span_start, span_stop, state, {', '.join(SAME)}, origin_id, parent_id, opened_by_id"
"""The columns of a new lot: those of ``values_of``, then its origin, its parent and the event that opens it."""


def values_of(lot: Lot, number: int) -> list[Any]:
    """Return the values of a new lot from its origin's number, but for those of other rows.

    Raises:
        ValueError: its serials do not fit the space of one origin.
    """
    if not 0 <= lot.start < lot.stop <= SPAN_MAX:
        raise ValueError(f"lot {lot.id} has serials outside its origin")
    base = number << SPAN_BITS
    return [lot.id, base + lot.start, base + lot.stop, str(lot.state), *(getattr(lot, name) for name in SAME)]


_EVENTS: Final = "database_custodyevent"
_LOT_ID: Final = f"(SELECT id FROM {LOTS} WHERE name = %s)"  # noqa: S608 - our own table, here and below

_EVENT_COLUMNS: Final = "name, type, day, digest, text, corrects_id, at, actor_id"
_INSERT_EVENT: Final = f"INSERT INTO {_EVENTS} ({_EVENT_COLUMNS}) VALUES "  # noqa: S608
_INSERT_LOTS: Final = f"INSERT INTO {LOTS} ({_WRITTEN}) VALUES "  # noqa: S608
_INSERT_STEPS: Final = "INSERT INTO database_custodystep (party, day, lot_id) VALUES "
_INSERT_PARTIES: Final = "INSERT INTO database_custodyeventparty (party, event_id) VALUES "
_INSERT_LOG: Final = "INSERT INTO database_logrow (at, actor_id, via, deed, about, new, organisation_id) VALUES "
POSTED: Final = "post movement"
"""The deed under which the log of each party names an event."""


def _event_statement(
    connection: BaseDatabaseWrapper, event: Event, actor: Actor, corrected: str
) -> records.SqlStatement:
    text, digest = written(event)
    at = connection.ops.adapt_datetimefield_value(timezone.now())
    person = actor.person.pk if actor.person else None
    values = (event.id, event.type, event.day, digest, text, corrected or None, at, person)
    return records.SqlStatement(f"{_INSERT_EVENT}(%s, %s, %s, %s, %s, {records.EVENT_ID}, %s, %s)", values, 1)


def _lot_statements(
    event: Event, outcome: Decision, parents: dict[str, Lot], origins: dict[str, int]
) -> Iterator[records.SqlStatement]:
    """Yield what ends and opens lots, and the steps.

    ``parents`` are the lots it ends, by id; ``origins`` the numbers of the origins of the lots it opens.
    """
    for names in records.parts(outcome.ended):
        open_lots = f"name IN ({records.marks(names)}) AND ended_by_id IS NULL"
        sql = f"UPDATE {LOTS} SET ended_by_id = {records.EVENT_ID} WHERE {open_lots}"  # noqa: S608
        yield records.SqlStatement(sql, (event.id, *names), len(names))
    lots = [
        (*values_of(lot, origins[lot.origin]), origins[lot.origin], lot.parent or None, event.id)
        for lot in outcome.opened
    ]
    own = ", ".join(["%s"] * (_WRITTEN.count(",") - 1))
    yield from records.inserts(_INSERT_LOTS, f"({own}, {_LOT_ID}, {records.EVENT_ID})", lots)
    steps = [
        (party, event.day, lot.id)
        for lot in outcome.opened
        for party in sorted(_parties(lot, parents[lot.parent] if lot.parent else None))
    ]
    yield from records.inserts(_INSERT_STEPS, f"(%s, %s, {_LOT_ID})", steps)


def _parties(lot: Lot, before: Lot | None) -> set[str]:
    """Return who is owner or custodian before or after a lot was opened."""
    return {lot.owner, lot.custodian} | ({before.owner, before.custodian} if before else set())


def _log_statements(
    connection: BaseDatabaseWrapper, event: Event, actor: Actor, organisations: Sequence[int]
) -> Iterator[records.SqlStatement]:
    """Yield what writes the log: a row for every organisation of the server among the parties, or one for none."""
    tell_clock(connection.alias)
    new = json.dumps({"type": event.type, "day": event.day.isoformat()})
    own = log_values(actor, POSTED, event.id)
    at = connection.ops.adapt_datetimefield_value(timezone.now())
    rows = [(at, *own, new, organisation) for organisation in (*organisations,) or (None,)]
    return records.inserts(_INSERT_LOG, "(%s, %s, %s, %s, %s, %s, %s)", rows)


# What a custody decision may ask, answered from the tables. Within one transaction a record is read once.
#
# What a caller says goes into the questions as parameters, never as text.

STOCKED: Final = ", ".join(f"'{state}'" for state in sorted(STOCK))
_CURRENT: Final = "l.ended_by_id IS NULL"
IN_STOCK: Final = f"{_CURRENT} AND l.state IN ({STOCKED})"
"""Written out and not handed in: SQLite uses an index over some rows only where it can read which."""
_OWNED: Final = f"{IN_STOCK} AND l.owner = %s AND l.crop = %s"

EVENT: Final = (
    "SELECT e.text, e.digest, e.id, c.name FROM database_custodyevent e "
    "LEFT JOIN database_custodyevent c ON c.corrects_id = e.id"
)
EVENT_NAMED: Final = f"{EVENT} WHERE e.name = %s"
LOT: Final = (
    f"SELECT {columns('l', 'p', 'o')} FROM {LOTS} l "  # noqa: S608
    f"JOIN {_ORIGINS} o ON o.id = l.origin_id LEFT JOIN {LOTS} p ON p.id = l.parent_id"
)
STEP: Final = (
    f"SELECT e.name, e.type, e.day, {columns('l', 'p', 'o')}, {columns('p', 'g', 'o')} FROM {LOTS} l "  # noqa: S608
    f"JOIN {_ORIGINS} o ON o.id = l.origin_id JOIN database_custodyevent e ON e.id = l.opened_by_id "
    f"LEFT JOIN {LOTS} p ON p.id = l.parent_id LEFT JOIN {LOTS} g ON g.id = p.parent_id"
)
OPENED_BY: Final = f"{LOT} JOIN database_custodyevent e ON e.id = l.opened_by_id WHERE e.name = %s ORDER BY l.id"
_OPENED: Final = (
    f"SELECT e.name, {columns('l', 'p', 'o')} FROM {LOTS} l JOIN {_ORIGINS} o ON o.id = l.origin_id "  # noqa: S608
    f"JOIN database_custodyevent e ON e.id = l.opened_by_id LEFT JOIN {LOTS} p ON p.id = l.parent_id"
)
ENDED_BY: Final = f"{LOT} JOIN database_custodyevent e ON e.id = l.ended_by_id WHERE e.name = %s ORDER BY l.id"
STEPS_OF_PARTY: Final = f"{STEP} JOIN database_custodystep s ON s.lot_id = l.id WHERE s.party = %s"
_FIRST_MOVED: Final = (
    f"SELECT MIN(o.id) FROM database_custodystep s JOIN {LOTS} l ON l.id = s.lot_id "  # noqa: S608
    "JOIN database_custodyevent o ON o.id = l.opened_by_id WHERE s.party = %s AND o.type <> 'opening'"
)

STOCK_OF_OWNER: Final = f"{LOT} WHERE {_OWNED} ORDER BY l.id"
ORIGINS_OF_STOCK: Final = STANDINGS.select(
    f'"key" IN (SELECT o.name FROM {LOTS} l JOIN {_ORIGINS} o ON o.id = l.origin_id WHERE {_OWNED})'  # noqa: S608
)


def _of_parties(names: Sequence[str]) -> list[records.SqlStatement]:
    """Return what is asked of the parties of nearly every movement, to be asked at once.

    The entities, their periods, verification statements and closed sites, each in the order in which they were first
    stated; then number and handle of the organisations of this server among the parties.
    """
    handles = f"SELECT id, handle FROM database_organisation WHERE handle IN ({records.marks(names)})"  # noqa: S608
    return [
        records.ENTITIES.named(names), records.PERIODS.listed(names),
        records.VERIFICATIONS.listed(names), records.CLOSURES.listed(names),
        records.SqlStatement(handles, names),
    ]  # fmt: skip


def among(query: str, column: str, names: Sequence[Any]) -> records.SqlStatement:
    """Return a query over the rows whose column is one of some names, at least one."""
    return records.SqlStatement(f"{query} WHERE {column} IN ({records.marks(names)})", names)


Rows = list[tuple[Any, ...]]


class SqlFacts:
    """Facts of one database."""

    owner = ""

    def __init__(self, using: str) -> None:
        self._connection = connections[using]
        self._records: dict[tuple[type[Record], str], Any] = {}
        self._groups: dict[tuple[type[Record], str], list[Any]] = {}
        self._organisations: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._seen: dict[str, Lot] = {}
        self._events: dict[str, Rows] = {}
        self._steps: dict[str, Sequence[CustodyStep]] = {}

    def know(self, names: Sequence[str], *before: records.SqlStatement, event: str = "") -> list[Rows]:
        """Read what nearly every movement asks of its parties, in one message with what goes ``before`` it.

        Of the event it is looked up whether it stands already. Returns the rows of each statement of ``before``.
        """
        own = [records.SqlStatement(EVENT_NAMED, (event,))] if event else []
        more = _of_parties(names) if names else []
        answers = records.ask(self._connection, [*before, *own, *more]) if before or own or more else []
        if event:
            self._events[event] = answers[len(before)]
        if names:
            entities, periods, verifications, closures, organisations = answers[len(before) + len(own) :]
            self._records |= {(Entity, name): None for name in names}
            self._records |= {(Entity, entity.id): entity for entity in map(records.ENTITIES.read, entities)}
            self._groups = {(kind, name): [] for kind in (Period, Verification, SiteClosure) for name in names}
            for period in map(records.PERIODS.read, periods):
                self._groups[Period, period.group].append(period)
            for verification in map(records.VERIFICATIONS.read, verifications):
                self._groups[Verification, verification.group].append(verification)
            for closure in map(records.CLOSURES.read, closures):
                self._groups[SiteClosure, closure.group].append(closure)
            self._organisations = {handle: number for number, handle in organisations}
        return answers[: len(before)]

    def organisations(self, parties: Iterable[str]) -> list[int]:
        return sorted({self._organisations[name] for name in parties if name in self._organisations})

    def origin_numbers(self, names: Collection[str]) -> dict[str, int]:
        new = [name for name in names if name not in self._numbers]
        if new:
            rows = self._ask(among(f"SELECT name, id FROM {_ORIGINS}", "name", new))  # noqa: S608 - our own table
            self._numbers.update(cast("list[tuple[str, int]]", rows))
        return {name: self._numbers[name] for name in names if name in self._numbers}

    def lots_named(self, names: Sequence[str]) -> dict[str, Lot]:
        new = [name for name in names if name not in self._seen]
        if new:
            self._lots(*among(LOT, "l.name", new)[:2])
        return {name: self._seen[name] for name in names}

    def posted(self, event_id: str) -> Posted | None:
        found = self._events[event_id] if event_id in self._events else self._query_rows(EVENT_NAMED, event_id)
        return _posted_of(found[0]) if found else None

    def digest(self, event_id: str) -> str:
        found = self.posted(event_id)
        return found.digest if found else ""

    def events(self) -> list[Posted]:
        return [_posted_of(row) for row in self._query_rows(f"{EVENT} ORDER BY e.id")]

    def one(self, kind: type[R], key: str) -> R | None:
        known = (kind, key)
        if known not in self._records:
            table = records.TABLES[kind]
            rows = self._ask(table.named((key,)))
            self._records[known] = table.read(rows[0]) if rows else None
        record: R | None = self._records[known]
        return record

    def many(self, kind: type[R], group: str) -> Sequence[R]:
        known = self._groups.get((kind, group))
        if known is not None:
            return list(known)
        table = records.TABLES[kind]
        return [table.read(row) for row in self._ask(table.listed((group,)))]

    def open_slips(self, origin: str) -> Sequence[Slip]:
        return [
            records.SLIPS.read(row)
            for row in self._ask(records.SLIPS.where("origin", [origin], " AND open_bushels > 0"))
        ]

    def named(self, kind: type[R], keys: Sequence[str]) -> Iterator[R]:
        """Yield the records of a kind under some keys, the first stated first in every few hundred."""
        table = records.TABLES[kind]
        for some in records.parts(keys):
            yield from map(table.read, self._ask(table.named(some)))

    def all_of(self, kind: type[R]) -> list[R]:
        table = records.TABLES[kind]
        return [table.read(row) for row in self._ask(records.SqlStatement(table.select("1 = 1"), ()))]

    def lots_at(self, origin: str, start: int, stop: int) -> Sequence[Lot]:
        number = self.origin_numbers([origin]).get(origin)
        if number is None:
            return []
        base = number << SPAN_BITS
        where = f"{_CURRENT} AND l.origin_id = %s AND l.span_start < %s AND l.span_stop > %s ORDER BY l.span_start"
        return self._lots(f"{LOT} WHERE {where}", (number, base + stop, base + start))

    def lots_of(self, owner: str, crop: str) -> Sequence[Lot]:
        """Return the current lots in an owner's stock of a crop and its products, and learn of their origins."""
        whose = (owner, crop)
        questions = [records.SqlStatement(STOCK_OF_OWNER, whose), records.SqlStatement(ORIGINS_OF_STOCK, whose)]
        lots, origins = records.ask(self._connection, questions)
        self._records |= {(Origin, origin.id): origin for origin in map(STANDINGS.read, origins)}
        return self._remember_lots(lots)

    def stock(self, owner: str, crop: str, form: str) -> Stock:
        """Return an owner's stock of one form, and learn of the origins in it."""
        return Stock(lot for lot in self.lots_of(owner, crop) if lot.form == form)

    def doubtful_origins(self, names: Collection[str]) -> Sequence[Origin]:
        origins = (self.one(Origin, name) for name in names)
        return [origin for origin in origins if origin is not None and origin.is_doubtful]

    def lots_in(self, custodian: str, site: str, form: str) -> Sequence[Lot]:
        where = f"{IN_STOCK} AND l.custodian = %s AND l.site = %s AND l.form = %s ORDER BY l.id"
        return self._lots(f"{LOT} WHERE {where}", (custodian, site, form))

    def live_at(self, custodian: str, site: str) -> Sequence[Lot]:
        states = ", ".join(f"'{state}'" for state in sorted(LIVE))
        where = f"{_CURRENT} AND l.custodian = %s AND l.site = %s AND l.state IN ({states}) ORDER BY l.id"
        return self._lots(f"{LOT} WHERE {where}", (custodian, site))

    def lots_by(self, movement: str) -> Sequence[Lot]:
        return self._lots(OPENED_BY, (movement,))

    def lots_opened(self, movements: Sequence[str]) -> list[tuple[str, Lot]]:
        """Return all lots that some movements opened, each with its movement, in the order of the book."""
        question = among(_OPENED, "e.name", movements)
        rows = self._query_rows(f"{question.sql} ORDER BY l.id", *question.parameters) if movements else []
        return [(str(row[0]), lot_of(row[1:])) for row in rows]

    def parents(self, movement: str) -> Sequence[Lot]:
        return self._lots(ENDED_BY, (movement,))

    def lots_from(self, supplier: str, state: LotState) -> Sequence[Lot]:
        """Return the current lots in a state from a supplier; asked only when a verification statement comes."""
        where = f"{_CURRENT} AND l.state = '{state}' AND l.supplier = %s ORDER BY l.id"
        return self._lots(f"{LOT} WHERE {where}", (supplier,))

    def steps(self, party: str, start: date | None = None) -> Sequence[CustodyStep]:
        """Return the steps of a party by day, within a day in the order of the book; from ``start`` on, if given."""
        if party in self._steps:
            return [one for one in self._steps[party] if start is None or one.day >= start]
        since, days = ("", ()) if start is None else (" AND s.day >= %s", (start.isoformat(),))
        rows = self._query_rows(f"{STEPS_OF_PARTY}{since} ORDER BY s.day, l.id", party, *days)
        return [_step_of(row) for row in rows]

    def know_steps(self, party: str) -> None:
        """Read all steps of a party once, for somebody who asks for them again and again: only within a reading."""
        self._steps[party] = self.steps(party)

    def know_events(self, party: str) -> None:
        """Read the events in which a party's lots moved once, for somebody who asks for many of them.

        Only within a reading; what is not among them is asked for by its name.
        """
        moved = f"SELECT l.opened_by_id FROM database_custodystep s JOIN {LOTS} l ON l.id = s.lot_id WHERE s.party = %s"  # noqa: S608
        rows = self._query_rows(f"SELECT e.name, {EVENT.removeprefix('SELECT ')} WHERE e.id IN ({moved})", party)
        self._events |= {name: [tuple(row)] for name, *row in rows}

    def first_moved(self, party: str) -> Posted | None:
        rows = self._query_rows(f"{EVENT} WHERE e.id = ({_FIRST_MOVED})", party)
        return _posted_of(rows[0]) if rows else None

    def steps_of(self, origin: str) -> Sequence[CustodyStep]:
        return [_step_of(row) for row in self._query_rows(f"{STEP} WHERE o.name = %s ORDER BY l.id", origin)]

    def _lots(self, query: str, parameters: Sequence[Any]) -> list[Lot]:
        return self._remember_lots(self._query_rows(query, *parameters))

    def _remember_lots(self, rows: Rows) -> list[Lot]:
        lots = [lot_of(row) for row in rows]
        for lot, (_, _, origin, number, *_) in zip(lots, rows, strict=True):
            self._seen[lot.id] = lot
            self._numbers[origin] = number
        return lots

    def _query_rows(self, query: str, *parameters: str | int) -> Rows:
        return self._ask(records.SqlStatement(query, parameters))

    def _ask(self, question: records.SqlStatement) -> Rows:
        return records.ask(self._connection, [question])[0]


def _posted_of(row: tuple[Any, ...]) -> Posted:
    """Return an event as it stands in the book, from a row of ``EVENT``."""
    text, digest, number, corrected_by = row
    return Posted(read_posted(json.loads(text)), number, corrected_by or "", digest)


def _step_of(row: Iterable[Any]) -> CustodyStep:
    """Return the step in which a lot was opened, from a row of ``STEP``."""
    movement, kind, day, *lots = row
    after, before = lots[:_WIDTH], lots[_WIDTH:]
    day = date.fromisoformat(day) if isinstance(day, str) else day
    return CustodyStep(movement, kind, day, lot_of(before) if before[0] else None, lot_of(after))


WHOLE_STORE: Final = 2100_030
"""The number of the advisory lock over the whole store."""
MANY: Final = 500
"""Parties for which the whole store is locked: PostgreSQL has room for a few thousand locks of all its sessions."""
ALONE: Final = "SELECT pg_advisory_xact_lock(%s)"
TOGETHER: Final = "SELECT pg_advisory_xact_lock_shared(%s)"


def locks_of(parties: Iterable[str], reads: Iterable[str]) -> list[records.SqlStatement]:
    """Return what locks parties in PostgreSQL; everybody, one writer and any number of readers, in one order.

    A party's number is a part of the hash of its name: two with one number would wait for each other and no more.
    """
    shared = set(reads)
    numbers: dict[int, bool] = {}
    for name in parties:
        number = int.from_bytes(sha256(name.encode()).digest()[:8], "big", signed=True)
        numbers[number] = numbers.get(number, True) and name in shared
    own = [records.SqlStatement(TOGETHER if numbers[number] else ALONE, (number,)) for number in sorted(numbers)]
    return [records.SqlStatement(TOGETHER, (WHOLE_STORE,)), *own]


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
            store = SqlFacts(self._using)
            self._lock(store, sorted(set(parties)), reads, event)
            yield SqlTransaction(self._actor, self._using, store)

    def answering(self, event: Event) -> AbstractContextManager["SqlTransaction"]:
        return self.locked(event.locks(), event.only_reads(), event.id)

    def _lock(self, store: SqlFacts, names: list[str], reads: tuple[str, ...], event: str) -> None:
        """Lock, and in the same message read what is asked first: of the parties, and of an event of that id.

        Each statement of a message sees what was committed before it began, so what is read is read under the lock.
        """
        connection = connections[self._using]
        if connection.vendor == "sqlite":
            store.know(names)
            return  # an IMMEDIATE transaction has the lock already, and reading ahead saves no way
        if EVERYONE in names or len(names) > MANY:
            with connection.cursor() as cursor:
                cursor.execute(ALONE, [WHOLE_STORE])
        else:
            store.know(names, *locks_of(names, reads), event=event)

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
        return SqlFacts(self._using).events()


def _is_reading(connection: BaseDatabaseWrapper) -> bool:
    """Tell whether a plain BEGIN is open on SQLite, of which Django does not know."""
    raw = connection.connection
    return connection.vendor == "sqlite" and raw is not None and raw.in_transaction


class SqlTransaction:
    """One locked stretch of work."""

    def __init__(self, actor: Actor, using: str, store: SqlFacts) -> None:
        self._actor = actor
        self._using = using
        self._facts = store

    def view(self) -> SqlFacts:
        return self._facts

    def apply(self, event: Event, outcome: Decision) -> None:
        """Write a posted outcome, whole or not at all, and with it end the work: what was read holds no longer.

        Raises:
            ValueError: the outcome was not decided on the lots as they are; the transaction is rolled back.
        """
        if not outcome.status.well:
            raise ValueError(f"{event.id} was not decided to stand")
        store, self._facts = self._facts, SqlFacts(self._using)
        stale = f"{event.id} was not decided on the lots as they are"
        try:
            if records.write(connections[self._using], self._statements(store, event, outcome)):
                return
        except IntegrityError as refused:
            transaction.set_rollback(True, using=self._using)
            raise ValueError(stale) from refused
        transaction.set_rollback(True, using=self._using)
        raise ValueError(stale)

    def _statements(self, store: SqlFacts, event: Event, outcome: Decision) -> list[records.SqlStatement]:
        connection = connections[self._using]
        parents, origins = store.lots_named(outcome.ended), self._origins(store, outcome.opened)
        return [
            _event_statement(connection, event, self._actor, outcome.corrected),
            *_lot_statements(event, outcome, parents, origins),
            *records.inserts(
                _INSERT_PARTIES, f"(%s, {records.EVENT_ID})", [(one, event.id) for one in event.parties()]
            ),
            *records.stated(outcome.records, event.id),
            *_log_statements(connection, event, self._actor, store.organisations(event.locks())),
        ]

    def _origins(self, store: SqlFacts, opened: tuple[Lot, ...]) -> dict[str, int]:
        numbers = store.origin_numbers({lot.origin for lot in opened})
        for name in sorted({lot.origin for lot in opened} - set(numbers)):
            numbers[name] = CustodyOrigin.objects.using(self._using).create(name=name).pk
        return numbers
