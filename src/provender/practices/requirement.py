"""A requirement of subpart F: one paragraph, one small function, registered under its name with what it rests on."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import polars as pl

from provender.exact import show
from provender.rule.crops import Practice
from provender.rule.law import Cite, RuleVersion

Decide = Callable[[RuleVersion], pl.Expr]


class Part(StrEnum):
    """Implementation and record requirements are judged apart, and both are shown (interpretation 6)."""

    IMPLEMENTATION = "implementation"
    RECORDS = "records"


@dataclass(frozen=True, slots=True)
class Gap:
    """One thing that may be missing."""

    record: str  # the record and column that would close the gap, such as ``declaration.residue_burned``
    missing: pl.Expr  # a column of facts, or an expression over them, that is true where it is missing


@dataclass(frozen=True, slots=True)
class Shown:
    """A number to show beside the verdict."""

    column: str  # the fact observed
    unit: str  # its unit, as people read it
    scale: int = 3  # its decimal digits (whole units of 10**-scale)
    limit: str = ""  # the name of the rule's parameter, a fact column, or empty
    sense: str = ""  # the word between the two: ``at most``, ``at least`` or empty
    of: str = ""  # what follows the unit where the amount is observed, such as ``before emergence``
    one: str = ""  # the unit of exactly one, where it differs
    below_zero: str = ""  # what follows the unit of a negative amount, which is then written without its sign
    # records without which an amount of nothing is no finding: how the gaps of the requirement begin
    rests: tuple[str, ...] = ()

    def amount(self, value: int) -> str:
        """Write an amount with its unit."""
        unit = self.one if self.one and abs(value) == 10**self.scale else self.unit
        return f"{show(value, self.scale)} {unit}"

    def observed(self, value: int) -> str:
        """Write the amount found, with its unit and what it is an amount of."""
        if value < 0 and self.below_zero:
            return f"{self.amount(-value)} {self.below_zero}"
        return f"{self.amount(value)} {self.of}".rstrip()


@dataclass(frozen=True, slots=True)
class Requirement:
    """A registered requirement."""

    name: str  # the function's name; answers of ``rule`` name it
    cite: Cite  # its paragraph
    practices: tuple[Practice, ...]  # which practices it belongs to
    part: Part  # implementation or records
    says: str  # one sentence for the farmer: what must hold
    rests_on: tuple[str, ...]  # the kinds of record whose damaged rows withhold a *met*
    decide: Decide  # from a rule version to an expression over one row of facts per crop interval
    gaps: tuple[Gap, ...]  # what may be missing when the verdict is *not shown*
    shown: Shown | None  # the number to show, if there is one
    remedy: str  # what to do when it is not met


REQUIREMENTS: Final[dict[str, Requirement]] = {}


def requirement(
    cite: str,
    *practices: Practice,
    says: str,
    rests_on: tuple[str, ...],
    part: Part = Part.IMPLEMENTATION,
    gaps: tuple[Gap, ...] = (),
    shown: Shown | None = None,
    remedy: str = "",
) -> Callable[[Decide], Decide]:
    """Register the decorated function as a requirement under its own name.

    Raises:
        ValueError: the citation does not resolve, or the name is taken.
    """

    def register(decide: Decide) -> Decide:
        name = decide.__name__
        if name in REQUIREMENTS:
            raise ValueError(f"two requirements are called {name}")
        REQUIREMENTS[name] = Requirement(
            name, Cite.parse(cite), practices, part, says, rests_on, decide, gaps, shown, remedy
        )
        return decide

    return register


def of_practice(practice: Practice, part: Part | None = None) -> tuple[Requirement, ...]:
    """Return the requirements of a practice, in the order of their registration."""
    return tuple(
        one for one in REQUIREMENTS.values() if practice in one.practices and (part is None or one.part is part)
    )


def missing_fact(column: str) -> pl.Expr:
    """Return where a fact is missing."""
    return pl.col(column).is_null()


def lacks_yes(column: str) -> pl.Expr:
    """Return where a fact is missing or answered no, and only yes would do."""
    return ~pl.col(column).fill_null(False)
