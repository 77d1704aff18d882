"""A lot as a row of its table and back, and what a posted movement writes, in one message to the database.

Columns are named like the lot's own fields, but for names and serials. Reading and writing is plain SQL: a sale asks a
dozen small questions, and building each with the ORM costs more than answering it.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from datetime import date
from functools import lru_cache
from typing import Any, Final

from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

from provender.custody.model.amounts import SPAN_BITS, SPAN_MAX
from provender.custody.model.digest import written
from provender.custody.model.event import Event
from provender.custody.model.lots import Lot, LotState
from provender.custody.model.store_view import Decision
from provender.database.actor import Actor, log_values
from provender.database.store.messages import SqlStatement, inserts, marks, parts
from provender.database.store.records import EVENT_ID

NAMED_OTHERWISE: Final = frozenset({"id", "parent", "origin", "start", "stop", "state"})
SAME: Final = tuple(one.name for one in fields(Lot) if one.name not in NAMED_OTHERWISE)
DAYS: Final = tuple(SAME.index(one.name) for one in fields(Lot) if one.type in (date, "date"))
OWN: Final = 7
"""Columns before those that are named like the lot's fields."""

LOTS: Final = "database_custodylot"
ORIGINS: Final = "database_custodyorigin"


def columns(lot: str, parent: str, origin: str) -> str:
    """Return the columns that ``lot_of`` reads, for the aliases of a lot, its parent and its origin in a query."""
    own = f"{lot}.name, {parent}.name, {origin}.name, {origin}.id, {lot}.span_start, {lot}.span_stop, {lot}.state"
    return ", ".join([own, *(f"{lot}.{name}" for name in SAME)])


WIDTH: Final = OWN + len(SAME)
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
    for place in DAYS:
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


WRITTEN: Final = f"name, span_start, span_stop, state, {', '.join(SAME)}, origin_id, parent_id, opened_by_id"
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


EVENTS: Final = "database_custodyevent"
LOT_ID: Final = f"(SELECT id FROM {LOTS} WHERE name = %s)"  # noqa: S608 - our own table, here and below

EVENT_COLUMNS: Final = "name, type, day, digest, text, corrects_id, at, actor_id"
INSERT_EVENT: Final = f"INSERT INTO {EVENTS} ({EVENT_COLUMNS}) VALUES "  # noqa: S608
INSERT_LOTS: Final = f"INSERT INTO {LOTS} ({WRITTEN}) VALUES "  # noqa: S608
INSERT_STEPS: Final = "INSERT INTO database_custodystep (party, day, lot_id) VALUES "
INSERT_PARTIES: Final = "INSERT INTO database_custodyeventparty (party, event_id) VALUES "
INSERT_LOG: Final = "INSERT INTO database_logrow (at, actor_id, via, deed, about, new, organisation_id) VALUES "
POSTED: Final = "post movement"
"""The deed under which the log of each party names an event."""


def event_statement(connection: BaseDatabaseWrapper, request: Event, actor: Actor, corrected: str) -> SqlStatement:
    """Return what writes the event itself."""
    text, digest = written(request)
    at = connection.ops.adapt_datetimefield_value(timezone.now())
    person = actor.person.pk if actor.person else None
    values = (request.id, request.type, request.day, digest, text, corrected or None, at, person)
    return SqlStatement(f"{INSERT_EVENT}(%s, %s, %s, %s, %s, {EVENT_ID}, %s, %s)", values, 1)


def lot_statements(
    request: Event, outcome: Decision, parents: dict[str, Lot], origins: dict[str, int]
) -> Iterator[SqlStatement]:
    """Yield what ends and opens lots, and the steps.

    Args:
        request: the movement.
        outcome: what was decided.
        parents: the lots it ends, by id.
        origins: the numbers of the origins of the lots it opens.
    """
    for names in parts(outcome.ended):
        sql = f"UPDATE {LOTS} SET ended_by_id = {EVENT_ID} WHERE name IN ({marks(names)}) AND ended_by_id IS NULL"  # noqa: S608
        yield SqlStatement(sql, (request.id, *names), len(names))
    lots = [
        (*values_of(lot, origins[lot.origin]), origins[lot.origin], lot.parent or None, request.id)
        for lot in outcome.opened
    ]
    own = ", ".join(["%s"] * (WRITTEN.count(",") - 1))
    yield from inserts(INSERT_LOTS, f"({own}, {LOT_ID}, {EVENT_ID})", lots)
    steps = [
        (party, request.day, lot.id)
        for lot in outcome.opened
        for party in sorted(_parties(lot, parents[lot.parent] if lot.parent else None))
    ]
    yield from inserts(INSERT_STEPS, f"(%s, %s, {LOT_ID})", steps)


def _parties(lot: Lot, before: Lot | None) -> set[str]:
    """Return who is owner or custodian before or after a lot was opened."""
    return {lot.owner, lot.custodian} | ({before.owner, before.custodian} if before else set())


def party_statements(request: Event) -> Iterator[SqlStatement]:
    """Yield what writes whom the event names as a party: by that a party's own book finds it again."""
    return inserts(INSERT_PARTIES, f"(%s, {EVENT_ID})", [(party, request.id) for party in request.parties()])


def log_statements(
    connection: BaseDatabaseWrapper, request: Event, actor: Actor, organisations: Sequence[int]
) -> Iterator[SqlStatement]:
    """Yield what writes the log: a row for every organisation of the server among the parties, or one for none."""
    new = json.dumps({"type": request.type, "day": request.day.isoformat()})
    own = log_values(actor, POSTED, request.id)
    at = connection.ops.adapt_datetimefield_value(timezone.now())
    rows = [(at, *own, new, organisation) for organisation in (*organisations,) or (None,)]
    return inserts(INSERT_LOG, "(%s, %s, %s, %s, %s, %s, %s)", rows)
