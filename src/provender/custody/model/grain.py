"""The physical book: what came to a site, what left, what was measured, conventional grain too (interpretation 37)."""

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from enum import StrEnum
from typing import ClassVar, Final

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
class GrainEntry:
    """One ticket, shipment or measurement."""

    kind: ClassVar[str] = "grain"
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


# The grain of one site and form, added up by day, so that a question about a day does not read a whole book.


class GrainStock:
    """What came to a site and left it on each day, and what was measured; to be looked at, the store alone adds to it.

    Args:
        entries: those of one site and form, in the order in which their keys were first stated.
    """

    def __init__(self, entries: Iterable[GrainEntry] = ()) -> None:
        self._entries: dict[str, GrainEntry] = {}
        self._moved: Counter[date] = Counter()
        self._measured: dict[date, dict[str, int]] = {}
        self._net: Counter[date] = Counter()
        self._days: list[date] = []
        self._measured_days: list[date] = []
        self._places: dict[str, int] = {}
        self._came_of: dict[str, dict[str, GrainEntry]] = {}
        for entry in entries:
            self.put(entry)

    def put(self, entry: GrainEntry) -> None:
        """Take an entry in, in place of the one of its number."""
        self._places.setdefault(entry.number, len(self._places))
        if (before := self._entries.get(entry.number)) is not None:
            self._count(before, -1)
        self._entries[entry.number] = entry
        self._count(entry, 1)

    def on(self, day: date, *, without: str = "", before_measuring: bool = False) -> int | None:
        """Return the stock at the end of a day, in thousandths; None when the site has no entry up to it.

        The last measurement counts (of one day, the last entered), and what came and left on later days. May be
        negative when shipments were entered without receipts: a finding, not a stock.

        Args:
            day: which day.
            without: the number of an entry that is left out.
            before_measuring: leave out what was measured on the day itself.
        """
        left_out = self._entries.get(without) if without else None
        if left_out is None:
            return self._on(day, before_measuring=before_measuring)
        self._count(left_out, -1)
        try:
            return self._on(day, before_measuring=before_measuring)
        finally:
            self._count(left_out, 1)

    def came_of(self, ticket: str) -> Sequence[GrainEntry]:
        """Return the entries by which the grain of the ticket out with a key came here."""
        found = self._came_of.get(ticket, {})
        return tuple(found[number] for number in sorted(found, key=self._places.__getitem__))

    def _on(self, day: date, *, before_measuring: bool) -> int | None:
        known = bisect_left(self._days, day) or self._moved[day]
        if not known and (before_measuring or not self._measured.get(day)):
            return None
        last = (bisect_left if before_measuring else bisect_right)(self._measured_days, day)
        if not last:
            return self._between(0, day)
        base = self._measured_days[last - 1]
        found = self._measured[base]
        return found[max(found, key=self._places.__getitem__)] + self._between(bisect_right(self._days, base), day)

    def _between(self, first: int, day: date) -> int:
        """Return what came and left from the day at a place on, up to a day."""
        return sum(self._net[one] for one in self._days[first : bisect_right(self._days, day)])

    def _count(self, entry: GrainEntry, sign: int) -> None:
        """Take an entry into the sums, or with a minus out of them."""
        if entry.void:
            return
        measured = self._measured.setdefault(entry.day, {})
        if entry.direction is not Direction.MEASURED:
            self._moved[entry.day] += sign
            self._net[entry.day] += sign * (entry.amount if entry.direction is Direction.IN else -entry.amount)
        elif sign > 0:
            measured[entry.number] = entry.amount
        else:
            del measured[entry.number]
        came = self._came_of.setdefault(entry.source, {}) if entry.source else {}
        if sign > 0:
            came[entry.number] = entry
        else:
            came.pop(entry.number, None)
        _mark(self._days, entry.day, there=bool(self._moved[entry.day] or measured))
        _mark(self._measured_days, entry.day, there=bool(measured))


def _mark(days: list[date], day: date, *, there: bool) -> None:
    """Have a day among sorted days, or not."""
    place = bisect_left(days, day)
    stands = place < len(days) and days[place] == day
    if there and not stands:
        insort(days, day)
    elif stands and not there:
        del days[place]
