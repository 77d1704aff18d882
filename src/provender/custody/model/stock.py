"""An owner's stock of one form, kept by what movements ask for: where, of which year, state and CI, and how old.

A sale looks at a few shelves and at the lots that it takes, never at every lot of the stock.
"""

from collections.abc import Collection, Iterable, Iterator
from datetime import date, timedelta
from heapq import merge
from typing import TYPE_CHECKING, NamedTuple

from sortedcontainers import SortedKeyList

from provender.custody.model.lots import Lot, LotState


def age(lot: Lot) -> tuple[date, str, int]:
    """Return what orders lots oldest first: the day they were acquired, then origin and serials."""
    return lot.acquired, lot.origin, lot.start


if TYPE_CHECKING:
    Lots = SortedKeyList[Lot, tuple[date, str, int]]


class ShelfKey(NamedTuple):
    """What the lots of one shelf have in common."""

    custodian: str
    site: str
    state: LotState
    harvest_year: int
    ci: int


class Shelf:
    """Lots of a stock that are alike in all but age.

    Attributes:
        amount: their sum in the unit of the form.
        lots: oldest first.
    """

    def __init__(self) -> None:
        self.amount = 0
        self.lots: Lots = SortedKeyList(key=age)

    def add(self, lot: Lot) -> None:
        """Lay a lot on the shelf."""
        self.amount += lot.amount
        self.lots.add(lot)

    def remove(self, lot: Lot) -> None:
        """Take a lot from the shelf."""
        self.amount -= lot.amount
        self.lots.remove(lot)


class Stock(Shelf):
    """The current lots of one owner and form that are in stock (held, unverified).

    Attributes:
        shelves: the same lots, those that are alike together.
    """

    def __init__(self, lots: Iterable[Lot] = ()) -> None:
        super().__init__()
        self.shelves: dict[ShelfKey, Shelf] = {}
        self._since: Lots = SortedKeyList(key=_since)
        self._by_origin: dict[str, dict[str, Lot]] = {}
        for lot in lots:
            self.add(lot)

    @property
    def origins(self) -> Collection[str]:
        """Return whose serials lie in the stock."""
        return self._by_origin.keys()

    def of_origin(self, origin: str) -> Collection[Lot]:
        """Return the lots of an origin, in no order."""
        return self._by_origin.get(origin, {}).values()

    def later_than(self, day: date) -> Iterable[Lot]:
        """Return the lots that are as they are only since a later day."""
        if not self._since or self._since[-1].since <= day:
            return ()
        return self._since.irange_key(min_key=(day + timedelta(days=1), "", 0))

    def add(self, lot: Lot) -> None:
        """Take a lot into the stock."""
        super().add(lot)
        self._since.add(lot)
        self.shelves.setdefault(shelf_of(lot), Shelf()).add(lot)
        self._by_origin.setdefault(lot.origin, {})[lot.id] = lot

    def remove(self, lot: Lot) -> None:
        """Take a lot out; it must be there."""
        super().remove(lot)
        self._since.remove(lot)
        key = shelf_of(lot)
        self.shelves[key].remove(lot)
        if not self.shelves[key].lots:
            del self.shelves[key]
        same = self._by_origin[lot.origin]
        del same[lot.id]
        if not same:
            del self._by_origin[lot.origin]


def _since(lot: Lot) -> tuple[date, str, int]:
    return lot.since, lot.origin, lot.start


def shelf_of(lot: Lot) -> ShelfKey:
    """Return on which shelf a lot lies."""
    return ShelfKey(lot.custodian, lot.site, lot.state, lot.harvest_year, lot.ci)


def oldest_first(shelves: Iterable[Shelf]) -> Iterator[Lot]:
    """Yield the lots of shelves, oldest first; of each shelf only as many as somebody looks at."""
    return merge(*(shelf.lots for shelf in shelves), key=age)
