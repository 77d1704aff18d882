"""The physical book: what came to a site, what left, what was measured, conventional grain too (interpretation 37)."""

from collections.abc import Iterable
from datetime import date
from enum import StrEnum
from typing import Final

from provender.custody.model.event import Record
from provender.exact import ticket_key
from provender.schema import frozen

DESTINATION: Final = "at the destination"
"""In place of a site: the tickets of buyers' houses for grain that a seller's own sites never saw."""


class Direction(StrEnum):
    """What an entry says about the stock of a site."""

    IN = "in"
    OUT = "out"
    MEASURED = "measured"
    """The whole stock at the end of the day, whatever the entries before said."""


@frozen
class GrainEntry(Record, kind="grain", key="entity/site/number", group="entity/site/form"):
    """One ticket, shipment or measurement."""

    entity: str  # whose site
    site: str  # which site
    form: str  # the crop or product
    number: str  # the ticket's number, unique at the site
    day: date  # the day of the scale or the measurement
    direction: Direction  # in, out or measured
    amount: int  # thousandths of a bushel, of a pound for a product
    claim: str = ""  # the purchase or sale it stands behind; empty for conventional grain
    void: bool = False  # taken back
    name: str = ""  # whose grain the ticket says it is, as it is printed; empty when it is not known
    # the key of the entity's own ticket out with which this grain came; empty where it came from others
    source: str = ""

    @property
    def key(self) -> str:
        """Return what it is found by: one load has one entry, however its number is spelled."""
        return grain_key(self.entity, self.site, self.number)


@frozen
class MovementTickets(Record, kind="behind", key="movement"):
    """The tickets behind a movement, by their keys, so that a correction can free them."""

    movement: str
    tickets: tuple[str, ...]


def grain_key(entity: str, site: str, number: str) -> str:
    """Return the key of the entry for a ticket; at the destination the buyer stands before the number."""
    taker, colon, bare = number.partition(":") if site == DESTINATION else ("", "", number)
    return f"{entity}/{site}/{taker}{colon}{ticket_key(bare)}"


def grain_group(entity: str, site: str, form: str) -> str:
    """Return the group under which a site's entries for one form are listed."""
    return f"{entity}/{site}/{form}"


def stock_on(
    entries: Iterable[GrainEntry], day: date, *, without: str = "", before_measuring: bool = False
) -> int | None:
    """Return the stock of a site and form at the end of a day, in thousandths; None where it has no entry up to it.

    The last measurement counts (of one day, the last entered), and what came and left on later days. May be
    negative when shipments were entered without receipts: a finding, not a stock.

    Args:
        entries: those of one site and form, in the order in which their keys were first stated.
        day: which day.
        without: the number of an entry that is left out.
        before_measuring: leave out what was measured on the day itself.
    """
    last, known = None, False
    moved: list[GrainEntry] = []
    for one in entries:
        if one.void or one.day > day or one.number == without:
            continue
        measured = one.direction is Direction.MEASURED
        if measured and before_measuring and one.day == day:
            continue
        known = True
        if not measured:
            moved.append(one)
        elif last is None or last.day <= one.day:
            last = one
    later = (one for one in moved if last is None or last.day < one.day)
    total = sum(one.amount if one.direction is Direction.IN else -one.amount for one in later)
    return total + (last.amount if last else 0) if known else None
