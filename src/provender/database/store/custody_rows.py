"""A lot as a row of its table, and back. Columns are named like the lot's own fields, but for names and serials.

Reading and writing is plain SQL: a sale asks a dozen small questions, and building each with the ORM costs more than
answering it.
"""

from collections.abc import Sequence
from dataclasses import fields
from datetime import date
from typing import Any, Final

from provender.custody.model.amounts import SPAN_BITS, SPAN_MAX
from provender.custody.model.lots import Lot, LotState

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


def lot_of(values: Sequence[Any]) -> Lot:
    """Return the lot of a row with the columns of ``columns``."""
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
