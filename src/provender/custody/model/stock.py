"""An owner's stock of one form, kept by what movements ask for: where, of which year, state and CI, and how old.

A sale looks at a few shelves and at the lots that it takes, never at every lot of the stock. What nobody asked for is
not kept in order: the policy of a house looks at its stock by age or at its shelves, hardly ever at both.
"""

from bisect import bisect_right, insort
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from heapq import merge
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from sortedcontainers import SortedDict

from provender.custody.model.lots import Lot, LotState

T = TypeVar("T")


def age(lot: Lot) -> tuple[date, str, int]:
    """Return what orders lots oldest first: the day they were acquired, then origin and serials."""
    return lot.acquired, lot.origin, lot.start


if TYPE_CHECKING:
    ByAge = SortedDict[tuple[date, str, int], Lot]


class ShelfKey(NamedTuple):
    """What the lots of one shelf have in common."""

    custodian: str
    site: str
    state: LotState
    harvest_year: int
    ci: int


class Shelf:
    """Lots of a stock that are alike in all but age. No two have serials in common, so no two are of one age.

    Attributes:
        amount: their sum in the unit of the form.
    """

    def __init__(self) -> None:
        self.amount = 0
        self._held: dict[str, Lot] = {}
        self._by_age: ByAge | None = None

    @property
    def empty(self) -> bool:
        """Tell whether nothing lies there."""
        return not self._held

    @property
    def lots(self) -> Collection[Lot]:
        """Return the lots, oldest first; kept in order once somebody asked."""
        if self._by_age is None:
            self._by_age = SortedDict((age(lot), lot) for lot in self._held.values())
        return self._by_age.values()

    def add(self, lot: Lot) -> None:
        """Lay a lot on the shelf."""
        self.amount += lot.amount
        self._held[lot.id] = lot
        if self._by_age is not None:
            self._by_age[age(lot)] = lot

    def remove(self, lot: Lot) -> None:
        """Take a lot from the shelf."""
        self.amount -= lot.amount
        del self._held[lot.id]
        if self._by_age is not None:
            del self._by_age[age(lot)]


class _Counted(Generic[T]):
    """How many shelves have something in common."""

    def __init__(self) -> None:
        self.seen: dict[T, int] = {}

    def change(self, what: T, by: int) -> None:
        left = self.seen.get(what, 0) + by
        if left:
            self.seen[what] = left
        else:
            del self.seen[what]


class Stock(Shelf):
    """The current lots of one owner and form that are in stock (held, unverified).

    Attributes:
        shelves: the same lots, those that are alike together.
    """

    def __init__(self, lots: Iterable[Lot] = ()) -> None:
        super().__init__()
        self.shelves: dict[ShelfKey, Shelf] = {}
        self._days: list[date] = []
        self._since: dict[date, dict[str, Lot]] = {}
        self._by_origin: dict[str, dict[str, Lot]] = {}
        self._houses: _Counted[str] = _Counted()
        self._states: _Counted[LotState] = _Counted()
        for lot in lots:
            self.add(lot)

    @property
    def houses(self) -> Collection[str]:
        """Return with whom something of the stock lies."""
        return self._houses.seen.keys()

    @property
    def states(self) -> Collection[LotState]:
        """Return the states that lots of the stock are in."""
        return self._states.seen.keys()

    @property
    def origins(self) -> Collection[str]:
        """Return whose serials lie in the stock."""
        return self._by_origin.keys()

    def of_origin(self, origin: str) -> Collection[Lot]:
        """Return the lots of an origin, in no order."""
        return self._by_origin.get(origin, {}).values()

    def later_than(self, day: date) -> Collection[Lot]:
        """Return the lots that are as they are only since a later day."""
        if not self._days or self._days[-1] <= day:
            return ()
        later = self._days[bisect_right(self._days, day) :]
        return [lot for one in later for lot in self._since[one].values()]

    def add(self, lot: Lot) -> None:
        """Take a lot into the stock."""
        super().add(lot)
        if (same := self._since.get(lot.since)) is None:
            insort(self._days, lot.since)
            same = self._since[lot.since] = {}
        same[lot.id] = lot
        if (same := self._by_origin.get(lot.origin)) is None:
            same = self._by_origin[lot.origin] = {}
        same[lot.id] = lot
        key = shelf_of(lot)
        if (shelf := self.shelves.get(key)) is None:
            shelf = self.shelves[key] = Shelf()
            self._houses.change(key.custodian, 1)
            self._states.change(key.state, 1)
        shelf.add(lot)

    def remove(self, lot: Lot) -> None:
        """Take a lot out; it must be there."""
        super().remove(lot)
        if not _take(self._since, lot.since, lot):
            self._days.remove(lot.since)
        _take(self._by_origin, lot.origin, lot)
        key = shelf_of(lot)
        (shelf := self.shelves[key]).remove(lot)
        if shelf.empty:
            del self.shelves[key]
            self._houses.change(key.custodian, -1)
            self._states.change(key.state, -1)


def _take(kept: dict[T, dict[str, Lot]], key: T, lot: Lot) -> Mapping[str, Lot]:
    """Take a lot from those under a key; return what is left there."""
    same = kept[key]
    del same[lot.id]
    if not same:
        del kept[key]
    return same


def shelf_of(lot: Lot) -> ShelfKey:
    """Return on which shelf a lot lies."""
    return ShelfKey(lot.custodian, lot.site, lot.state, lot.harvest_year, lot.ci)


def oldest_first(shelves: Iterable[Shelf]) -> Iterator[Lot]:
    """Yield the lots of shelves, oldest first; of each shelf only as many as somebody looks at."""
    return merge(*(shelf.lots for shelf in shelves), key=age)
