"""What a custody decision may ask, answered from the tables. Within one transaction a record is read once.

What a caller says goes into the questions as parameters, never as text.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from typing import Any, Final, cast

from django.db import connections

from provender.custody.events.registry import read_posted
from provender.custody.model.amounts import SPAN_BITS
from provender.custody.model.entities import Entity, SiteClosure, Verification
from provender.custody.model.grain_book import GrainEntry
from provender.custody.model.grain_stock import GrainStock
from provender.custody.model.lots import LIVE, STOCK, Lot, LotState
from provender.custody.model.origins import Origin, Slip
from provender.custody.model.periods import Period
from provender.custody.model.stock import Stock
from provender.custody.model.store_view import CustodyStep, Posted, R, Record
from provender.database.store.custody_rows import LOTS, ORIGINS, WIDTH, columns, lot_of
from provender.database.store.messages import SqlStatement, ask, marks, parts
from provender.database.store.records import CLOSURES, ENTITIES, PERIODS, SLIPS, TABLES, VERIFICATIONS
from provender.database.store.records import ORIGINS as STANDINGS

STOCKED: Final = ", ".join(f"'{state}'" for state in sorted(STOCK))
CURRENT: Final = "l.ended_by_id IS NULL"
IN_STOCK: Final = f"{CURRENT} AND l.state IN ({STOCKED})"
OWNED: Final = f"{IN_STOCK} AND l.owner = %s AND l.crop = %s"

EVENT: Final = (
    "SELECT e.text, e.digest, e.id, c.name FROM database_custodyevent e "
    "LEFT JOIN database_custodyevent c ON c.corrects_id = e.id"
)
EVENT_NAMED: Final = f"{EVENT} WHERE e.name = %s"
LOT: Final = (
    f"SELECT {columns('l', 'p', 'o')} FROM {LOTS} l "  # noqa: S608
    f"JOIN {ORIGINS} o ON o.id = l.origin_id LEFT JOIN {LOTS} p ON p.id = l.parent_id"
)
STEP: Final = (
    f"SELECT e.name, e.type, e.day, {columns('l', 'p', 'o')}, {columns('p', 'g', 'o')} FROM {LOTS} l "  # noqa: S608
    f"JOIN {ORIGINS} o ON o.id = l.origin_id JOIN database_custodyevent e ON e.id = l.opened_by_id "
    f"LEFT JOIN {LOTS} p ON p.id = l.parent_id LEFT JOIN {LOTS} g ON g.id = p.parent_id"
)
OPENED_BY: Final = f"{LOT} JOIN database_custodyevent e ON e.id = l.opened_by_id WHERE e.name = %s ORDER BY l.id"
OPENED: Final = (
    f"SELECT e.name, {columns('l', 'p', 'o')} FROM {LOTS} l JOIN {ORIGINS} o ON o.id = l.origin_id "  # noqa: S608
    f"JOIN database_custodyevent e ON e.id = l.opened_by_id LEFT JOIN {LOTS} p ON p.id = l.parent_id"
)
ENDED_BY: Final = f"{LOT} JOIN database_custodyevent e ON e.id = l.ended_by_id WHERE e.name = %s ORDER BY l.id"
STEPS_OF_PARTY: Final = f"{STEP} JOIN database_custodystep s ON s.lot_id = l.id WHERE s.party = %s"

STOCK_OF_OWNER: Final = f"{LOT} WHERE {OWNED} ORDER BY l.id"
ORIGINS_OF_STOCK: Final = STANDINGS.select(
    f'"key" IN (SELECT o.name FROM {LOTS} l JOIN {ORIGINS} o ON o.id = l.origin_id WHERE {OWNED})'  # noqa: S608
)


def of_parties(names: Sequence[str]) -> list[SqlStatement]:
    """Return what is asked of the parties of nearly every movement, to be asked at once.

    The entities, their periods, verification statements and closed sites, each in the order in which they were first
    stated; then number and handle of the organisations of this server among the parties.
    """
    handles = f"SELECT id, handle FROM database_organisation WHERE handle IN ({marks(names)})"  # noqa: S608
    return [
        ENTITIES.named(names), PERIODS.listed(names), VERIFICATIONS.listed(names), CLOSURES.listed(names),
        SqlStatement(handles, names),
    ]  # fmt: skip


def among(query: str, column: str, names: Sequence[Any]) -> SqlStatement:
    """Return a query over the rows whose column is one of some names, at least one."""
    return SqlStatement(f"{query} WHERE {column} IN ({marks(names)})", names)


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

    def know(self, names: Sequence[str], *before: SqlStatement, event: str = "") -> list[Rows]:
        """Read what nearly every movement asks of its parties, in one message with what goes before it.

        Args:
            names: the parties.
            before: what goes before.
            event: the id of the movement, which must not stand in the book yet.

        Returns:
            The rows of each statement of ``before``.
        """
        own = [SqlStatement(EVENT_NAMED, (event,))] if event else []
        more = of_parties(names) if names else []
        answers = ask(self._connection, [*before, *own, *more]) if before or own or more else []
        if event:
            self._events[event] = answers[len(before)]
        if names:
            entities, periods, verifications, closures, organisations = answers[len(before) + len(own) :]
            self._records |= {(Entity, name): None for name in names}
            self._records |= {(Entity, entity.id): entity for entity in map(ENTITIES.read, entities)}
            self._groups = {(kind, name): [] for kind in (Period, Verification, SiteClosure) for name in names}
            for period in map(PERIODS.read, periods):
                self._groups[Period, period.group].append(period)
            for verification in map(VERIFICATIONS.read, verifications):
                self._groups[Verification, verification.group].append(verification)
            for closure in map(CLOSURES.read, closures):
                self._groups[SiteClosure, closure.group].append(closure)
            self._organisations = {handle: number for number, handle in organisations}
        return answers[: len(before)]

    def organisations(self, parties: Iterable[str]) -> list[int]:
        """Return the numbers of the server's organisations among parties that are known."""
        return sorted({self._organisations[name] for name in parties if name in self._organisations})

    def origin_numbers(self, names: Collection[str]) -> dict[str, int]:
        """Return the numbers of the origins that have one."""
        new = [name for name in names if name not in self._numbers]
        if new:
            rows = self._ask(among(f"SELECT name, id FROM {ORIGINS}", "name", new))  # noqa: S608 - our own table
            self._numbers.update(cast("list[tuple[str, int]]", rows))
        return {name: self._numbers[name] for name in names if name in self._numbers}

    def lots_named(self, names: Sequence[str]) -> dict[str, Lot]:
        """Return lots, current or not, by their ids."""
        new = [name for name in names if name not in self._seen]
        if new:
            self._lots(*among(LOT, "l.name", new)[:2])
        return {name: self._seen[name] for name in names}

    def posted(self, event_id: str) -> Posted | None:
        """Return the event of that id, or None."""
        found = self._events[event_id] if event_id in self._events else self._rows(EVENT_NAMED, event_id)
        return posted_of(found[0]) if found else None

    def digest(self, event_id: str) -> str:
        """Return the hash of the content of the event of that id; empty where there is none."""
        found = self.posted(event_id)
        return found.digest if found else ""

    def events(self) -> list[Posted]:
        """Return every event in the order of the book."""
        return [posted_of(row) for row in self._rows(f"{EVENT} ORDER BY e.id")]

    def one(self, kind: type[R], key: str) -> R | None:
        """Return the record of a kind under a key, or None."""
        known = (kind, key)
        if known not in self._records:
            table = TABLES[kind]
            rows = self._ask(table.named((key,)))
            self._records[known] = table.read(rows[0]) if rows else None
        record: R | None = self._records[known]
        return record

    def many(self, kind: type[R], group: str) -> Sequence[R]:
        """Return the records of a kind in a group, in the order in which their keys were first stated."""
        known = self._groups.get((kind, group))
        if known is not None:
            return list(known)
        table = TABLES[kind]
        return [table.read(row) for row in self._ask(table.listed((group,)))]

    def grain(self, group: str) -> GrainStock:
        """Return the grain of a site and form, by day."""
        return GrainStock(self.many(GrainEntry, group))

    def open_slips(self, origin: str) -> Sequence[Slip]:
        """Return the slips over serials of an origin of which some are not purchased yet, the first stated first."""
        return [SLIPS.read(row) for row in self._ask(SLIPS.where("origin", [origin], " AND open_bushels > 0"))]

    def named(self, kind: type[R], keys: Sequence[str]) -> Iterator[R]:
        """Yield the records of a kind under some keys, the first stated first in every few hundred."""
        table = TABLES[kind]
        for some in parts(keys):
            yield from map(table.read, self._ask(table.named(some)))

    def all_of(self, kind: type[R]) -> list[R]:
        """Return all records of a kind, the first stated first."""
        table = TABLES[kind]
        return [table.read(row) for row in self._ask(SqlStatement(table.select("1 = 1"), ()))]

    def lots_at(self, origin: str, start: int, stop: int) -> Sequence[Lot]:
        """Return the current lots of an origin that overlap the serials, lowest first."""
        number = self.origin_numbers([origin]).get(origin)
        if number is None:
            return []
        base = number << SPAN_BITS
        where = f"{CURRENT} AND l.origin_id = %s AND l.span_start < %s AND l.span_stop > %s ORDER BY l.span_start"
        return self._lots(f"{LOT} WHERE {where}", (number, base + stop, base + start))

    def lots_of(self, owner: str, crop: str) -> Sequence[Lot]:
        """Return the current lots in an owner's stock of a crop and its products, and learn of their origins."""
        whose = (owner, crop)
        questions = [SqlStatement(STOCK_OF_OWNER, whose), SqlStatement(ORIGINS_OF_STOCK, whose)]
        lots, origins = ask(self._connection, questions)
        self._records |= {(Origin, origin.id): origin for origin in map(STANDINGS.read, origins)}
        return self._known(lots)

    def stock(self, owner: str, crop: str, form: str) -> Stock:
        """Return an owner's stock of one form, and learn of the origins in it."""
        return Stock(lot for lot in self.lots_of(owner, crop) if lot.form == form)

    def doubtful_origins(self, names: Collection[str]) -> Sequence[Origin]:
        """Return those of some origins whose report is not in force for all of their serials."""
        origins = (self.one(Origin, name) for name in names)
        return [origin for origin in origins if origin is not None and origin.is_doubtful]

    def amount_in(self, custodian: str, site: str, form: str) -> int:
        """Return the sum of the current lots in stock at a site in a form."""
        return sum(lot.amount for lot in self.lots_in(custodian, site, form))

    def lots_in(self, custodian: str, site: str, form: str) -> Sequence[Lot]:
        """Return the current lots in stock at a site in a form."""
        where = f"{IN_STOCK} AND l.custodian = %s AND l.site = %s AND l.form = %s ORDER BY l.id"
        return self._lots(f"{LOT} WHERE {where}", (custodian, site, form))

    def live_at(self, custodian: str, site: str) -> Sequence[Lot]:
        """Return the current lots that lie at a site, in stock or not."""
        states = ", ".join(f"'{state}'" for state in sorted(LIVE))
        where = f"{CURRENT} AND l.custodian = %s AND l.site = %s AND l.state IN ({states}) ORDER BY l.id"
        return self._lots(f"{LOT} WHERE {where}", (custodian, site))

    def lots_by(self, movement: str) -> Sequence[Lot]:
        """Return all lots a movement opened, in its order."""
        return self._lots(OPENED_BY, (movement,))

    def lots_opened(self, movements: Sequence[str]) -> list[tuple[str, Lot]]:
        """Return all lots that some movements opened, each with its movement, in the order of the book."""
        question = among(OPENED, "e.name", movements)
        rows = self._rows(f"{question.sql} ORDER BY l.id", *question.parameters) if movements else []
        return [(str(row[0]), lot_of(row[1:])) for row in rows]

    def parents(self, movement: str) -> Sequence[Lot]:
        """Return all lots a movement ended."""
        return self._lots(ENDED_BY, (movement,))

    def unverified_from(self, supplier: str) -> Sequence[Lot]:
        """Return the current lots held unverified from a supplier."""
        where = f"{CURRENT} AND l.state = '{LotState.UNVERIFIED}' AND l.supplier = %s ORDER BY l.id"
        return self._lots(f"{LOT} WHERE {where}", (supplier,))

    def held_from(self, supplier: str) -> Sequence[Lot]:
        """Return the current lots held from a supplier; asked only when a verification statement goes."""
        where = f"{CURRENT} AND l.state = '{LotState.HELD}' AND l.supplier = %s ORDER BY l.id"
        return self._lots(f"{LOT} WHERE {where}", (supplier,))

    def steps(self, party: str, start: date | None = None) -> Sequence[CustodyStep]:
        """Return the steps of a party by day, within a day in the order of the book; from ``start`` on, if given."""
        if party in self._steps:
            return [one for one in self._steps[party] if start is None or one.day >= start]
        since, days = ("", ()) if start is None else (" AND s.day >= %s", (start.isoformat(),))
        rows = self._rows(f"{STEPS_OF_PARTY}{since} ORDER BY s.day, l.id", party, *days)
        return [step_of(row) for row in rows]

    def know_steps(self, party: str) -> None:
        """Read all steps of a party once, for somebody who asks for them again and again: only within a reading."""
        self._steps[party] = self.steps(party)

    def know_events(self, party: str) -> None:
        """Read the events in which a party's lots moved once, for somebody who asks for many of them.

        Only within a reading; what is not among them is asked for by its name.
        """
        moved = f"SELECT l.opened_by_id FROM database_custodystep s JOIN {LOTS} l ON l.id = s.lot_id WHERE s.party = %s"  # noqa: S608
        rows = self._rows(f"SELECT e.name, {EVENT.removeprefix('SELECT ')} WHERE e.id IN ({moved})", party)
        self._events |= {name: [tuple(row)] for name, *row in rows}

    def steps_of(self, origin: str) -> Sequence[CustodyStep]:
        """Return all steps of an origin, in the order of the book."""
        return [step_of(row) for row in self._rows(f"{STEP} WHERE o.name = %s ORDER BY l.id", origin)]

    def _lots(self, query: str, parameters: Sequence[Any]) -> list[Lot]:
        return self._known(self._rows(query, *parameters))

    def _known(self, rows: Rows) -> list[Lot]:
        lots = [lot_of(row) for row in rows]
        for lot, (_, _, origin, number, *_) in zip(lots, rows, strict=True):
            self._seen[lot.id] = lot
            self._numbers[origin] = number
        return lots

    def _rows(self, query: str, *parameters: str | int) -> Rows:
        return self._ask(SqlStatement(query, parameters))

    def _ask(self, question: SqlStatement) -> Rows:
        return ask(self._connection, [question])[0]


def posted_of(row: tuple[Any, ...]) -> Posted:
    """Return an event as it stands in the book, from a row of ``EVENT``."""
    text, digest, number, corrected_by = row
    return Posted(read_posted(json.loads(text)), number, corrected_by or "", digest)


def step_of(row: Iterable[Any]) -> CustodyStep:
    """Return the step in which a lot was opened, from a row of ``STEP``."""
    movement, kind, day, *lots = row
    after, before = lots[:WIDTH], lots[WIDTH:]
    day = date.fromisoformat(day) if isinstance(day, str) else day
    return CustodyStep(movement, kind, day, lot_of(before) if before[0] else None, lot_of(after))
