"""The rows of one farm by kind, and a note of every kind that an answer rests on.

Whatever reads rows notes their kinds, and what is made of them keeps its note with it: nobody lists what rests on what.
"""

from collections.abc import Callable, Iterable, MutableMapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from provender.records.book import RecordBook
from provender.records.kind import KINDS, Record

K = TypeVar("K")
T = TypeVar("T")
R = TypeVar("R", bound=Record)


class Noted(NamedTuple):
    """A kind of record that was read: of a unit, or of every unit of the farm, where an answer adds up all of them."""

    kind: str
    is_of_farm: bool = False


class FarmRows:
    """All rows of a farm by kind: ``rows[Evidence]`` is a tuple of rows, and that kind is noted as read."""

    def __init__(self, book: RecordBook, farm_id: str) -> None:
        self.farm_id, self.files = farm_id, book.files
        self.noted: set[Noted] = set()
        """What was read since somebody last looked."""
        self._book = book
        self._kept: dict[object, tuple[Any, frozenset[Noted]]] = {}

    def __getitem__(self, kind: type[R]) -> tuple[R, ...]:
        """Return all rows of a kind, in the order of the book."""
        self.noted.add(Noted(kind.kind_name))
        return self._book.rows(kind, self.farm_id)

    def of_farm(self, kind: type[R]) -> tuple[R, ...]:
        """Return all rows of a kind for an answer about the whole farm: a damaged row of any unit withholds it."""
        self.noted.add(Noted(kind.kind_name, is_of_farm=True))
        return self[kind]

    def naming(self, kind: type[R], column: str, key: str | None) -> tuple[R, ...]:
        """Return the rows of a kind whose column holds a key, such as ``(BudgetSource, "budget_id", "B1")``."""
        by_key = self.once((kind, column), lambda: grouped((getattr(row, column), row) for row in self[kind]))
        return by_key.get(key, ())

    def row(self, kind: str, key: str) -> Record | None:
        """Return the row of a kind, by its name, and its key; None where there is none."""
        return next(iter(self.naming(KINDS[kind].row, "id", key)), None)

    def of_unit(self, kind: type[R], unit_id: str) -> tuple[R, ...]:
        """Return the rows of a kind that name a unit."""
        return self.naming(kind, "unit_id", unit_id)

    def once(self, name: object, make: Callable[[], T]) -> T:
        """Return what ``make`` gives, made once for the farm; its note is noted each time."""
        return self.keep(self._kept, name, make)

    def keep(self, kept: MutableMapping[Any, Any], name: object, make: Callable[..., T], *of: object) -> T:
        """Return what ``make`` gives of something, kept under a name beside the kinds of record that it read."""
        if name not in kept:
            outer, self.noted = self.noted, set()
            try:
                kept[name] = make(*of), frozenset(self.noted)
            finally:
                self.noted = outer
        value, noted = kept[name]
        self.noted |= noted
        made: T = value
        return made


if TYPE_CHECKING:
    from functools import cached_property

    reads_records = cached_property
else:

    def reads_records(make: Callable[[Any], T]) -> property:
        """Make a property of something with ``rows``: looked up once, and it notes what it rests on each time."""
        name = f"_{make.__name__}_read"
        return property(lambda one: one.rows.keep(vars(one), name, make, one), doc=make.__doc__)


def grouped(pairs: Iterable[tuple[K, T]]) -> dict[K, tuple[T, ...]]:
    """Return what stands under each key, in order."""
    found: dict[K, list[T]] = {}
    for key, one in pairs:
        found.setdefault(key, []).append(one)
    return {key: tuple(of) for key, of in found.items()}
