"""The questions that the custody book asks its tables. What a caller says goes in as parameters, never as text."""

from collections.abc import Sequence
from typing import Any, Final

from provender.custody.model.lots import STOCK
from provender.database.store.custody_rows import LOTS, ORIGINS, columns
from provender.database.store.messages import SqlStatement, marks
from provender.database.store.records import ENTITIES, PERIODS, VERIFICATIONS
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

    The entities, their periods and their verification statements, each in the order in which they were first stated;
    then number and handle of the organisations of this server among the parties.
    """
    handles = f"SELECT id, handle FROM database_organisation WHERE handle IN ({marks(names)})"  # noqa: S608
    return [
        ENTITIES.named(names), PERIODS.listed(names), VERIFICATIONS.listed(names), SqlStatement(handles, names),
    ]  # fmt: skip


def among(query: str, column: str, names: Sequence[Any]) -> SqlStatement:
    """Return a query over the rows whose column is one of some names, at least one."""
    return SqlStatement(f"{query} WHERE {column} IN ({marks(names)})", names)
