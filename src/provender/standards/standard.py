"""How a requirement of subpart F is written, and the only rule by which what it finds becomes a verdict.

A requirement looks at one crop season and yields ``Against``, a row that shows it was not kept; ``Missing``, a record
or a column of one without which nobody can tell; and ``Shown``, a row that shows it was kept. Any ``Against`` is *not
met*; else any ``Missing``, or nothing at all, is *not shown*; else it is *met*. Nothing else decides, so that a line
that somebody forgets withholds a credit and never gives one.

What could not be read withholds an answer that rests on it. No requirement lists what it rests on: whatever reads rows
notes their kinds, what is kept keeps its note with it, and ``judge`` looks at the note when a requirement has answered.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from provender.records.kind import Record
from provender.rule.crops import Cite, Practice

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
Look = Callable[["Season"], Iterator[Finding]]
Given = Callable[["Season", Iterator[Finding]], Iterator[Finding]]
"""Looks first whether anything is asked of a season, and passes on what a requirement finds, or not."""


class Verdict(StrEnum):
    """The three forms of an answer."""

    MET = "met"
    NOT_MET = "not met"
    NOT_SHOWN = "not shown"


def verdict(findings: Iterable[Finding]) -> Verdict:
    """Return *not met* for any ``Against``, else *not shown* for any ``Missing`` or no finding, else *met*."""
    kinds = {type(finding) for finding in findings}
    if Against in kinds:
        return Verdict.NOT_MET
    return Verdict.MET if kinds == {Shown} else Verdict.NOT_SHOWN


def all_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Combine verdicts: *not met* at the first that is, else *not shown* if one is or there is none, else *met*."""
    count, is_met = 0, True
    for one in verdicts:
        if one is Verdict.NOT_MET:
            return one
        count, is_met = count + 1, is_met and one is Verdict.MET
    return Verdict.MET if count and is_met else Verdict.NOT_SHOWN


@dataclass(frozen=True)
class DeclaredList:
    """All rows of one kind in a season, and whether they may be taken for all there were (interpretation 2)."""

    kind: str  # of record
    rows: tuple[Any, ...]  # what is on record
    answer: str = ""  # key of the declaration that says the list is whole; empty where nobody says so
    missing: tuple[Missing, ...] = ()  # every reason why it cannot be taken for whole

    def show_complete(self) -> Iterator[Missing | Shown]:
        """Show by the declaration that the list is whole, or say why it cannot be taken for whole."""
        unsaid = Missing(self.kind, reason="list_not_complete")
        yield from self.missing or [Shown("declaration", self.answer) if self.answer else unsaid]

    @property
    def is_complete(self) -> bool:
        return bool(self.answer) and not self.missing


def none_of(listed: DeclaredList, flag: str, reason: str) -> Iterator[Finding]:
    """Show that no row has a flag which breaks the rule, and that the list of rows is complete.

    Args:
        listed: the rows, and whether they are all there were.
        flag: what says yes for a row that breaks the rule, and nothing where nobody knows.
        reason: the code of why such a row breaks it.
    """
    for row in listed.rows:
        if getattr(row, flag):
            yield Against(listed.kind, row.id, reason)
        elif getattr(row, flag) is None:
            yield Missing(listed.kind, flag, row.id)
    yield from listed.show_complete()


def blanks(row: Record, *columns: str, reason: str = "") -> Iterator[Missing]:
    """Yield the amounts, days and choices of a row that say nothing: blank, or ``other`` chosen (interpretation 85)."""
    for column in columns:
        value = getattr(row, column)
        if value in (None, OTHER):
            yield Missing(row.kind_name, column, row.id, "other_is_no_answer" if value == OTHER else reason)


def recorded(rows: Iterable[Record], *columns: str, unit: str = "") -> Iterator[Finding]:
    """Show rows by each of their columns, or name those that say nothing."""
    for row in rows:
        for column in columns:
            lacks: list[Finding] = [*blanks(row, column)]
            yield from lacks or [Shown(row.kind_name, row.id, getattr(row, column), unit=unit)]


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
    cite: str,
    says: str,
    *,
    practices: tuple[Practice, ...],
    part: Part = Part.IMPLEMENTATION,
    remedy: str = "",
    given: Given | None = None,
    name: str = "",
) -> Callable[[Look], Look]:
    """Register the decorated function as a requirement under its own name, or another where sections share it.

    Raises:
        ValueError: the citation is none, or the name is taken.
    """

    def register(look: Look) -> Look:
        called = name or look.__name__
        if called in REQUIREMENTS:
            raise ValueError(f"two requirements are called {called}")
        ask = look if given is None else lambda season: given(season, look(season))
        REQUIREMENTS[called] = Requirement(called, Cite.parse(cite), practices, part, says, remedy, ask)
        return look

    return register


@cache
def of_practice(practice: Practice, part: Part) -> tuple[Requirement, ...]:
    """Return the requirements of one part of a practice, in their order."""
    return tuple(one for one in REQUIREMENTS.values() if practice in one.practices and one.part is part)
