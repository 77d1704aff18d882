"""How a requirement of subpart F is written, the only rule by which what it finds becomes a verdict, and the rows.

A requirement looks at one crop season and yields ``Against``, a row that shows it was not kept; ``Missing``, a record
or a column of one without which nobody can tell; and ``Shown``, a row that shows it was kept. Any ``Against`` is *not
met*; else any ``Missing``, or nothing at all, is *not shown*; else it is *met*. Nothing else decides, so that a line
that somebody forgets withholds a credit and never gives one.

What could not be read withholds an answer that rests on it. No requirement lists what it rests on: whatever reads rows
notes their kinds, what is kept keeps its note with it, and ``judge`` looks at the note when a requirement has answered.
"""

from collections.abc import Callable, Iterable, Iterator, MutableMapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, Protocol, TypeVar, overload

from provender.records.book import EvidenceFiles, RecordBook
from provender.records.kind import Record
from provender.rule.law import Cite, Practice, RuleVersion

if TYPE_CHECKING:
    from provender.standards.season import Season


WHOLE: Final = 100_000
"""All of it, in thousandths of a percent."""
OTHER: Final = "other"
"""A choice that is no answer, like a blank (interpretation 85)."""


class Against(NamedTuple):
    """A row that shows the requirement was not kept."""

    kind: str  # of record
    row: str  # its key; several key columns are joined by a slash
    reason: str  # a short code; its sentence stands beside the requirements of the section
    observed: object = None  # in the unit of the column, or days, or the word of a choice
    limit: object = None  # what it is held against, in the same unit
    unit: str = ""  # as people read it


class Missing(NamedTuple):
    """A record, or one column of a record, without which nobody can tell."""

    kind: str  # of record
    column: str = ""  # empty where a whole row lacks
    row: str = ""  # the key of the row whose column is blank; where a whole record lacks, of the row that asks for it
    reason: str = ""  # a short code, where kind and column do not say it


class Shown(NamedTuple):
    """A row that shows the requirement was kept: what the verdict rests on."""

    kind: str  # of record
    row: str  # its key
    observed: object = None  # in the unit of the column, or days, or the word of a choice
    limit: object = None  # what it is held against, in the same unit
    unit: str = ""  # as people read it
    reason: str = ""  # a short code, where the row shows that nothing is asked


Finding = Against | Missing | Shown
Look = Callable[["Season", RuleVersion], Iterator[Finding]]


class Verdict(StrEnum):
    """The three forms of an answer."""

    MET = "met"
    NOT_MET = "not met"
    NOT_SHOWN = "not shown"


def verdict(findings: Iterable[Finding]) -> Verdict:
    """Return *not met* for any ``Against``, else *not shown* for any ``Missing`` or no finding, else *met*."""
    of = {Against: Verdict.NOT_MET, Missing: Verdict.NOT_SHOWN, Shown: Verdict.MET}
    return all_of(of[type(finding)] for finding in findings)


def all_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Combine verdicts: *not met* if one is, else *not shown* if one is or there is none, else *met*."""
    kinds = set(verdicts)
    if Verdict.NOT_MET in kinds:
        return Verdict.NOT_MET
    return Verdict.MET if kinds == {Verdict.MET} else Verdict.NOT_SHOWN


@dataclass(frozen=True)
class CompleteList:
    """All rows of one kind in a season, and whether they may be taken for all there were (interpretation 2)."""

    kind: str  # of record
    rows: tuple[Any, ...]  # what is on record
    answer: str = ""  # key of the declaration that says the list is whole; empty where nobody says so
    missing: tuple[Missing, ...] = ()  # every reason why it cannot be taken for whole

    def whole(self) -> Iterator[Missing | Shown]:
        """Show by the declaration that the list is whole, or say why it cannot be taken for whole."""
        yield from self.missing
        if self.answer and not self.missing:
            yield Shown("declaration", self.answer)
        elif not self.missing:
            yield Missing(self.kind, reason="list_not_complete")

    @property
    def is_whole(self) -> bool:
        """Tell whether the list may be taken for whole."""
        return bool(self.answer) and not self.missing


def none_of(
    listed: CompleteList, breaks: Callable[[Any], str], unclear: Callable[[Any], str] = lambda _: ""
) -> Iterator[Finding]:
    """Show that no row of a list breaks the rule: the only place where a complete list shows anything.

    Args:
        listed: the rows, and whether they are all there were.
        breaks: returns the code of why a row breaks the rule; empty where it does not.
        unclear: returns the column that decides it and is blank; empty where none is.
    """
    for row in listed.rows:
        if reason := breaks(row):
            yield Against(listed.kind, row.id, reason)
        elif column := unclear(row):
            yield Missing(listed.kind, column, row.id)
    yield from listed.whole()


def blanks(row: Record, *columns: str, reason: str = "") -> Iterator[Missing]:
    """Yield the amounts, days and choices of a row that say nothing: blank, or ``other`` chosen (interpretation 85)."""
    for column in columns:
        value = getattr(row, column)
        if value in (None, OTHER):
            yield Missing(row.kind_name, column, row.id, "other_is_no_answer" if value == OTHER else reason)


class Part(StrEnum):
    """Implementation and record requirements are judged apart, and both are shown (interpretation 6)."""

    IMPLEMENTATION = "implementation"
    RECORDS = "records"


@dataclass(frozen=True)
class Requirement:
    """One requirement of a practice standard."""

    name: str  # the function's name; answers name it
    cite: Cite  # its paragraph
    practices: tuple[Practice, ...]  # which practices it belongs to
    part: Part  # what is done, or what is on record
    says: str  # one sentence for the farmer: what must hold
    remedy: str  # what helps where it is not met; empty where nothing is known to
    look: Look  # the function itself


REQUIREMENTS: Final[dict[str, Requirement]] = {}
"""Every requirement by its name, in the order of the paragraphs of each section."""


def requires(
    cite: str, says: str, *, practices: tuple[Practice, ...], part: Part = Part.IMPLEMENTATION, remedy: str = ""
) -> Callable[[Look], Look]:
    """Register the decorated function as a requirement under its own name.

    Raises:
        ValueError: the citation is none, or the name is taken.
    """

    def register(look: Look) -> Look:
        name = look.__name__
        if name in REQUIREMENTS:
            raise ValueError(f"two requirements are called {name}")
        REQUIREMENTS[name] = Requirement(name, Cite.parse(cite), practices, part, says, remedy, look)
        return look

    return register


def of_practice(practice: Practice, part: Part) -> tuple[Requirement, ...]:
    """Return the requirements of one part of a practice, in their order."""
    return tuple(one for one in REQUIREMENTS.values() if practice in one.practices and one.part is part)


# The rows of one farm by kind, and a note of every kind that an answer rests on.

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
            self._by_key[name, column] = grouped((getattr(row, column), row) for row in rows)
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


def grouped(pairs: Iterable[tuple[K, T]]) -> dict[K, tuple[T, ...]]:
    """Return what stands under each key, in order."""
    found: dict[K, list[T]] = {}
    for key, one in pairs:
        found.setdefault(key, []).append(one)
    return {key: tuple(of) for key, of in found.items()}


def earliest(days: Iterable[T | None]) -> T | None:
    """Return the first of the days that are known; None where none is."""
    return min((day for day in days if day is not None), default=None)  # type: ignore[type-var]


def latest(days: Iterable[T | None]) -> T | None:
    """Return the last of the days that are known; None where none is."""
    return max((day for day in days if day is not None), default=None)  # type: ignore[type-var]


def sum_of_known(amounts: Iterable[int | None]) -> int | None:
    """Return the sum of amounts; None where one of them is not known."""
    total = 0
    for amount in amounts:
        if amount is None:
            return None
        total += amount
    return total
