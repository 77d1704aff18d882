"""The physical book: what came to a site, what left, what was measured, conventional grain too (interpretation 37)."""

from datetime import date
from enum import StrEnum
from typing import ClassVar, Final

from provender.frozen import frozen

DESTINATION: Final = "at the destination"
"""In place of a site: the tickets of buyers' houses for grain that a seller's own sites never saw."""


class Direction(StrEnum):
    """What an entry says about the stock of a site."""

    IN = "in"
    OUT = "out"
    MEASURED = "measured"
    """The whole stock at the end of the day, whatever the entries before said."""


@frozen
class GrainEntry:
    """One ticket, shipment or measurement.

    Attributes:
        entity: whose site.
        site: which site.
        form: the crop or product.
        number: the ticket's number, unique at the site.
        day: the day of the scale or the measurement.
        direction: in, out or measured.
        amount: thousandths of a bushel, of a pound for a product.
        claim: the purchase or sale it stands behind; empty for conventional grain.
        void: taken back.
        name: whose grain the ticket says it is, as it is printed; empty when it is not known.
        source: the key of the entity's own ticket out with which this grain came; empty where it came from others.
    """

    kind: ClassVar[str] = "grain"
    entity: str
    site: str
    form: str
    number: str
    day: date
    direction: Direction
    amount: int
    claim: str = ""
    void: bool = False
    name: str = ""
    source: str = ""

    @property
    def key(self) -> str:
        """Return what the record is found by."""
        return f"{self.entity}/{self.site}/{self.number}"

    @property
    def group(self) -> str:
        """Entries are listed per site and form."""
        return grain_group(self.entity, self.site, self.form)


@frozen
class MovementTickets:
    """The tickets behind a movement, by their keys, so that a correction can free them."""

    kind: ClassVar[str] = "behind"
    movement: str
    tickets: tuple[str, ...]

    @property
    def key(self) -> str:
        """Return what the record is found by."""
        return self.movement

    @property
    def group(self) -> str:
        """They are only looked up by movement."""
        return ""


def grain_group(entity: str, site: str, form: str) -> str:
    """Return the group under which a site's entries for one form are listed."""
    return f"{entity}/{site}/{form}"
