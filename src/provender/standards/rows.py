"""The rows of one farm by kind, and a note of every kind that an answer rests on.

What could not be read withholds an answer that rests on it. No requirement lists what it rests on: whatever reads rows
notes their kinds, what is kept keeps its note with it, and ``judge`` looks at the note when a requirement has answered.
"""

from collections.abc import Callable, Iterable, MutableMapping
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, overload

from provender.records.book import EvidenceFiles, RecordBook
from provender.records.kind import Record

T = TypeVar("T")
R = TypeVar("R", bound=Record)


class Noted(NamedTuple):
    """A kind of record that was read: of a unit, or of every unit of the farm, where an answer adds up all of them."""

    kind: str
    is_of_farm: bool = False


class FarmRows:
    """All rows of a farm by kind: ``rows[Evidence]`` is a tuple of rows, and that kind is noted as read."""

    def __init__(self, book: RecordBook, farm_id: str) -> None:
        self.farm_id = farm_id
        self.noted: set[Noted] = set()
        """What was read since somebody last looked."""
        self._book = book
        self._by_key: dict[tuple[str, str], dict[str | None, tuple[Any, ...]]] = {}
        self._kept: dict[object, tuple[Any, frozenset[Noted]]] = {}

    @property
    def files(self) -> EvidenceFiles:
        """Return the files that evidence records name."""
        return self._book.files

    @overload
    def __getitem__(self, kind: type[R]) -> tuple[R, ...]: ...
    @overload
    def __getitem__(self, kind: str) -> tuple[Record, ...]: ...
    def __getitem__(self, kind: type[Record] | str) -> tuple[Record, ...]:
        """Return all rows of a kind, a class of rows or its name, in the order of the book."""
        self.noted.add(Noted(kind if isinstance(kind, str) else kind.kind_name))
        return self._book.rows(kind, self.farm_id)

    def of_farm(self, kind: type[R]) -> tuple[R, ...]:
        """Return all rows of a kind for an answer about the whole farm: a damaged row of any unit withholds it."""
        self.noted.add(Noted(kind.kind_name, is_of_farm=True))
        return self[kind]

    @overload
    def naming(self, kind: type[R], column: str, key: str | None) -> tuple[R, ...]: ...
    @overload
    def naming(self, kind: str, column: str, key: str | None) -> tuple[Record, ...]: ...
    def naming(self, kind: type[Record] | str, column: str, key: str | None) -> tuple[Record, ...]:
        """Return the rows of a kind whose column holds a key, such as ``(BudgetSource, "budget_id", "B1")``."""
        rows, name = self[kind], kind if isinstance(kind, str) else kind.kind_name
        if (name, column) not in self._by_key:
            found: dict[str | None, list[Record]] = {}
            for row in rows:
                found.setdefault(getattr(row, column), []).append(row)
            self._by_key[name, column] = {key: tuple(of) for key, of in found.items()}
        return self._by_key[name, column].get(key, ())

    def row(self, kind: str, key: str) -> Record | None:
        """Return the row of a kind by its key; None where there is none."""
        return next(iter(self.naming(kind, "id", key)), None)

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


class HasRows(Protocol):
    """Whatever reads the rows of a farm."""

    @property
    def rows(self) -> FarmRows:
        """Return them."""


class _Read(Generic[T]):
    """A property that is made once and keeps with its value which kinds of record it rests on."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"_{name}_read"

    @overload
    def __get__(self, one: None, owner: type) -> "_Read[T]": ...
    @overload
    def __get__(self, one: HasRows, owner: type) -> T: ...
    def __get__(self, one: HasRows | None, owner: type) -> "T | _Read[T]":
        """Return the value, and note what it rests on."""
        return self if one is None else one.rows.keep(vars(one), self._name, self._make, one)

    def __set__(self, one: HasRows, value: T) -> None:
        """Refuse: what is made of a column stands before the column of the same name, as with any property."""
        raise AttributeError(self._name)


def reads_records(make: Callable[[Any], T]) -> _Read[T]:
    """Make a property of something with ``rows``: looked up once, and it notes what it rests on each time."""
    return _Read(make)


def earliest(days: Iterable[T | None]) -> T | None:
    """Return the first of the days that are known; None where none is."""
    return min((day for day in days if day is not None), default=None)  # type: ignore[type-var]


def latest(days: Iterable[T | None]) -> T | None:
    """Return the last of the days that are known; None where none is."""
    return max((day for day in days if day is not None), default=None)  # type: ignore[type-var]


def sum_of_known(amounts: Iterable[int | None]) -> int | None:
    """Return the sum of amounts; None where one of them is not known."""
    every = list(amounts)
    known = [amount for amount in every if amount is not None]
    return sum(known) if len(known) == len(every) else None
