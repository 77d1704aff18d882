"""A lot as a row of its table, and back. Columns are named like the lot's own fields, but for names and serials."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Final

from provender.custody.amounts import SPAN_MAX
from provender.custody.lots import Lot, LotState
from provender.database.models import CustodyEvent, CustodyLot, CustodyOrigin

NAMED_OTHERWISE: Final = frozenset({"id", "parent", "origin", "start", "stop", "state"})
SAME: Final = tuple(one.name for one in fields(Lot) if one.name not in NAMED_OTHERWISE)


def lot_row(lot: Lot, origin: CustodyOrigin, parent: CustodyLot | None, event: CustodyEvent) -> CustodyLot:
    """Return the row of a lot that an event opens.

    Raises:
        ValueError: its serials do not fit the space of one origin.
    """
    if not 0 <= lot.start < lot.stop <= SPAN_MAX:
        raise ValueError(f"lot {lot.id} has serials outside its origin")
    return CustodyLot(
        name=lot.id,
        parent=parent,
        origin=origin,
        span_start=origin.base + lot.start,
        span_stop=origin.base + lot.stop,
        state=str(lot.state),
        opened_by=event,
        **{name: getattr(lot, name) for name in SAME},
    )


def lot_of(row: CustodyLot) -> Lot:
    """Return the lot of a row that was read with its origin and parent."""
    base = row.origin.base
    return Lot(
        id=row.name,
        parent=row.parent.name if row.parent else "",
        origin=row.origin.name,
        start=row.span_start - base,
        stop=row.span_stop - base,
        state=LotState(row.state),
        **{name: getattr(row, name) for name in SAME},
    )


def lots_of_rows(rows: Iterable[CustodyLot]) -> list[Lot]:
    """Return the lots of rows."""
    return [lot_of(row) for row in rows]


def parties_of(row: CustodyLot) -> set[str]:
    """Return who is owner or custodian before or after a lot was opened."""
    before = {row.parent.owner, row.parent.custodian} if row.parent else set()
    return {row.owner, row.custodian} | before
