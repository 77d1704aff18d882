"""What a custody decision may ask, answered from the tables. Within one transaction a record is read once."""

import json
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, Final

from django.db import connections

from provender.custody.amounts import SPAN_BITS
from provender.custody.decide import read_event
from provender.custody.facts import Posted, R, Step
from provender.custody.lots import STOCK, Lot, LotState
from provender.database.custody_codec import read_record
from provender.database.custody_rows import LOTS, ORIGINS, WIDTH, columns, lot_of

STOCKED: Final = ", ".join(f"'{state}'" for state in sorted(STOCK))
CURRENT: Final = "l.ended_by_id IS NULL"
IN_STOCK: Final = f"{CURRENT} AND l.state IN ({STOCKED})"

# Every piece of these statements stands in this module or in custody_rows; what a caller says goes in as parameters.
EVENT: Final = (
    "SELECT e.text, e.digest, e.id, c.name FROM database_custodyevent e "
    "LEFT JOIN database_custodyevent c ON c.corrects_id = e.id"
)
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
ENDED_BY: Final = f"{LOT} JOIN database_custodyevent e ON e.id = l.ended_by_id WHERE e.name = %s ORDER BY l.id"
STEPS_OF_PARTY: Final = f"{STEP} JOIN database_custodystep s ON s.lot_id = l.id WHERE s.party = %s"
RECORD: Final = 'SELECT text FROM database_custodyrecord WHERE kind = %s AND "key" = %s'
RECORDS: Final = 'SELECT text FROM database_custodyrecord WHERE kind = %s AND "group" = %s ORDER BY id'


class SqlFacts:
    """Facts of one database."""

    def __init__(self, using: str) -> None:
        self._connection = connections[using]
        self._records: dict[tuple[str, str], Any] = {}

    def posted(self, event_id: str) -> Posted | None:
        """Return the event of that id, or None."""
        found = self._rows(f"{EVENT} WHERE e.name = %s", event_id)
        return posted_of(found[0]) if found else None

    def events(self) -> list[Posted]:
        """Return every event in the order of the book."""
        return [posted_of(row) for row in self._rows(f"{EVENT} ORDER BY e.id")]

    def one(self, kind: type[R], key: str) -> R | None:
        """Return the record of a kind under a key, or None."""
        known = (kind.kind, key)
        if known not in self._records:
            found = self._rows(RECORD, *known)
            self._records[known] = read_record(kind, json.loads(found[0][0])) if found else None
        record: R | None = self._records[known]
        return record

    def many(self, kind: type[R], group: str) -> Sequence[R]:
        """Return the records of a kind in a group, in the order in which their keys were first stated."""
        return [read_record(kind, json.loads(text)) for (text,) in self._rows(RECORDS, kind.kind, group)]

    def lots_at(self, origin: str, start: int, stop: int) -> Sequence[Lot]:
        """Return the current lots of an origin that overlap the serials, lowest first."""
        found = self._rows(f"SELECT id FROM {ORIGINS} WHERE name = %s", origin)  # noqa: S608 - our own table
        if not found:
            return []
        base = found[0][0] << SPAN_BITS
        where = f"{CURRENT} AND l.origin_id = %s AND l.span_start < %s AND l.span_stop > %s ORDER BY l.span_start"
        return self._lots(f"{LOT} WHERE {where}", found[0][0], base + stop, base + start)

    def lots_of(self, owner: str, crop: str) -> Sequence[Lot]:
        """Return the current lots in an owner's stock of a crop and its products."""
        return self._lots(f"{LOT} WHERE {IN_STOCK} AND l.owner = %s AND l.crop = %s ORDER BY l.id", owner, crop)

    def lots_in(self, custodian: str, site: str, form: str) -> Sequence[Lot]:
        """Return the current lots in stock at a site in a form."""
        where = f"{IN_STOCK} AND l.custodian = %s AND l.site = %s AND l.form = %s ORDER BY l.id"
        return self._lots(f"{LOT} WHERE {where}", custodian, site, form)

    def lots_by(self, movement: str) -> Sequence[Lot]:
        """Return all lots a movement opened, in its order."""
        return self._lots(OPENED_BY, movement)

    def parents(self, movement: str) -> Sequence[Lot]:
        """Return all lots a movement ended."""
        return self._lots(ENDED_BY, movement)

    def unverified_from(self, supplier: str) -> Sequence[Lot]:
        """Return the current lots held unverified from a supplier."""
        where = f"{CURRENT} AND l.state = '{LotState.UNVERIFIED}' AND l.supplier = %s ORDER BY l.id"
        return self._lots(f"{LOT} WHERE {where}", supplier)

    def steps(self, party: str, start: date | None = None) -> Sequence[Step]:
        """Return the steps of a party by day, within a day in the order of the book; from ``start`` on, if given."""
        since, days = ("", ()) if start is None else (" AND s.day >= %s", (start.isoformat(),))
        rows = self._rows(f"{STEPS_OF_PARTY}{since} ORDER BY s.day, l.id", party, *days)
        return [step_of(row) for row in rows]

    def steps_of(self, origin: str) -> Sequence[Step]:
        """Return all steps of an origin, in the order of the book."""
        return [step_of(row) for row in self._rows(f"{STEP} WHERE o.name = %s ORDER BY l.id", origin)]

    def _lots(self, query: str, *parameters: str | int) -> list[Lot]:
        return [lot_of(row) for row in self._rows(query, *parameters)]

    def _rows(self, query: str, *parameters: str | int) -> list[tuple[Any, ...]]:
        with self._connection.cursor() as cursor:
            cursor.execute(query, parameters)
            return list(cursor.fetchall())


def posted_of(row: tuple[Any, ...]) -> Posted:
    """Return an event as it stands in the book, from a row of ``EVENT``."""
    text, digest, number, corrected_by = row
    return Posted(read_event(json.loads(text)), digest, number, corrected_by or "")


def step_of(row: Iterable[Any]) -> Step:
    """Return the step in which a lot was opened, from a row of ``STEP``."""
    movement, kind, day, *lots = row
    after, before = lots[:WIDTH], lots[WIDTH:]
    day = date.fromisoformat(day) if isinstance(day, str) else day
    return Step(movement, kind, day, lot_of(before) if before[0] else None, lot_of(after))
