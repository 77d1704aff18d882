"""The rows of one farm by kind, and a note of every kind that an answer rests on.

What could not be read withholds an answer that rests on it. No requirement lists what it rests on: whatever reads rows
notes their kinds, what is kept keeps its note with it, and ``judge`` looks at the note when a requirement has answered.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast, overload

from provender.records.book import EvidenceFiles, RecordBook
from provender.records.kind import KINDS

T = TypeVar("T")


class Row:
    """One record: its columns are its attributes, amounts in whole thousandths, blanks None."""

    id: str
    """Its key; several key columns beside the farm are joined by a slash."""

    def __init__(self, key: str, cells: Mapping[str, Any]) -> None:
        self.__dict__.update(cells)
        self.id = key

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - columns are of many types
        """Return a column; asked only for names that are none."""
        raise AttributeError(name)


class Noted(NamedTuple):
    """A kind of record that was read: of a unit, or of every unit of the farm, where an answer adds up all of them."""

    kind: str
    is_of_farm: bool = False


class FarmRows:
    """All rows of a farm by kind: ``rows["evidence"]`` is a tuple of rows, and that kind is noted as read."""

    def __init__(self, book: RecordBook, farm_id: str) -> None:
        self.farm_id = farm_id
        self.noted: set[Noted] = set()
        """What was read since somebody last looked."""
        self._book = book
        self._by_kind: dict[str, tuple[Row, ...]] = {}
        self._by_key: dict[tuple[str, str], dict[str | None, tuple[Row, ...]]] = {}
        self._kept: dict[object, tuple[Any, frozenset[Noted]]] = {}

    @property
    def files(self) -> EvidenceFiles:
        """Return the files that evidence records name."""
        return self._book.files

    def __getitem__(self, kind: str) -> tuple[Row, ...]:
        """Return all rows of a kind, in the order of the book."""
        self.noted.add(Noted(kind))
        if kind not in self._by_kind:
            keys = [name for name in KINDS[kind].key_columns if name != "farm_id"] or ["farm_id"]
            self._by_kind[kind] = tuple(
                Row("/".join(str(cells[name]) for name in keys), cells)
                for cells in self._book.rows_of(kind, self.farm_id)
            )
        return self._by_kind[kind]

    def of_farm(self, kind: str) -> tuple[Row, ...]:
        """Return all rows of a kind for an answer about the whole farm: a damaged row of any unit withholds it."""
        self.noted.add(Noted(kind, is_of_farm=True))
        return self[kind]

    def naming(self, kind: str, column: str, key: str | None) -> tuple[Row, ...]:
        """Return the rows of a kind whose column holds a key, such as ``("budget_source", "budget_id", "B1")``."""
        rows = self[kind]
        if (kind, column) not in self._by_key:
            found: dict[str | None, list[Row]] = {}
            for row in rows:
                found.setdefault(getattr(row, column), []).append(row)
            self._by_key[kind, column] = {name: tuple(of) for name, of in found.items()}
        return self._by_key[kind, column].get(key, ())

    def row(self, kind: str, key: str) -> Row | None:
        """Return the row of a kind by its key; None where there is none."""
        found = self.naming(kind, "id", key)
        return found[0] if found else None

    def of_unit(self, kind: str, unit_id: str) -> tuple[Row, ...]:
        """Return the rows of a kind that name a unit."""
        return self.naming(kind, "unit_id", unit_id)

    def once(self, name: object, make: Callable[[], T]) -> T:
        """Return what ``make`` gives, made once for the farm; its note is noted each time."""
        if name not in self._kept:
            outer, self.noted = self.noted, set()
            try:
                value = make()
                self._kept[name] = value, frozenset(self.noted)
            finally:
                self.noted = outer
        kept, noted = self._kept[name]
        self.noted |= noted
        return cast("T", kept)


class HasRows(Protocol):
    """Whatever reads the rows of a farm."""

    @property
    def rows(self) -> FarmRows:
        """Return them."""


class _Read(Generic[T]):
    """A property that is made once and keeps with its value which kinds of record it rests on."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self._name = ""
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"_{name}_read"

    @overload
    def __get__(self, one: None, owner: type) -> "_Read[T]": ...
    @overload
    def __get__(self, one: HasRows, owner: type) -> T: ...
    def __get__(self, one: HasRows | None, owner: type) -> "T | _Read[T]":
        """Return the value, and note what it rests on."""
        if one is None:
            return self
        rows = one.rows
        kept = vars(one).get(self._name)
        if kept is None:
            outer, rows.noted = rows.noted, set()
            try:
                value = self._make(one)
                kept = value, frozenset(rows.noted)
            finally:
                rows.noted = outer
            vars(one)[self._name] = kept
        rows.noted |= kept[1]
        found: T = kept[0]
        return found


def reads_records(make: Callable[[Any], T]) -> _Read[T]:
    """Make a property of something with ``rows``: looked up once, and it notes what it rests on each time."""
    return _Read(make)


def earliest(days: Iterable[T | None]) -> T | None:
    """Return the first of the days that are known; None where none is."""
    return min((day for day in days if day is not None), default=None)  # type: ignore[type-var]


def latest(days: Iterable[T | None]) -> T | None:
    """Return the last of the days that are known; None where none is."""
    return max((day for day in days if day is not None), default=None)  # type: ignore[type-var]
