"""What every source of carbon intensity offers, and what it answers: one unit, one CI, with its label and notes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol

from provender.intensity.combination import AS_USUAL, Combination
from provender.rule.crops import Crop, Practice

OFFICIAL: Final = "official"
ARGONNE: Final = "argonne-2021"
CALCULATORS: Final = (OFFICIAL, ARGONNE)
"""The names by which a calculator is asked for."""


class Label(StrEnum):
    """What a result may be called on screen and paper (interpretations 30, 61), the strongest first."""

    OFFICIAL = "official"
    """By a final version that a list names."""
    EXAMPLE = "EXAMPLE"
    """By the made-up calculator of the examples: it signs like an official one, and only demonstrations take it."""
    PRELIMINARY = "PRELIMINARY"
    """By a beta version, or with a run missing."""
    UNLISTED = "UNLISTED"
    """By a calculator or version that no list names."""
    ESTIMATE = "ESTIMATE"
    """By an open model."""


SIGNABLE: Final = (Label.OFFICIAL, Label.EXAMPLE)
"""Labels of results that a farm producer may sign."""


@dataclass(frozen=True, slots=True)
class UnitCase:
    """The question: one management unit, one crop, one harvest year.

    Attributes:
        unit: the unit's identifier.
        crop: the crop harvested.
        harvest_year: the year of the harvest date.
        county_fips: five digits; null where the record does not say.
        combination: the practices credited (every one of them met), the stricter of two exclusive ones.
        also_met: the less strict ones that are met too: a run may claim them instead.
    """

    unit: str
    crop: Crop
    harvest_year: int
    county_fips: str | None
    combination: Combination = AS_USUAL
    also_met: frozenset[Practice] = frozenset()

    @property
    def may_claim(self) -> frozenset[Practice]:
        """Return every practice that a run for this unit may claim."""
        return self.combination.practices | self.also_met


@dataclass(frozen=True, slots=True)
class CalculatorStep:
    """One line of working: what it is and its value in hundredths of g CO2e/bu, or null."""

    name: str
    ci_g_per_bu: int | None


@dataclass(frozen=True, slots=True)
class UnitCI:
    """The answer for one unit.

    Attributes:
        unit: the unit's identifier.
        ci_g_per_bu: whole hundredths of a gram CO2e per bushel; null where the calculator has no answer.
        label: official, PRELIMINARY or ESTIMATE.
        calculator: name of the calculator.
        version: its version, as printed.
        notes: whole sentences for the farmer: no credit for a practice and why, no data for a county.
        working: the steps that lead to the value; empty for a printed or a tabled one.
    """

    unit: str
    ci_g_per_bu: int | None
    label: Label
    calculator: str
    version: str
    notes: tuple[str, ...] = ()
    working: tuple[CalculatorStep, ...] = field(default=())


class Calculator(Protocol):
    """A source of unit CIs. ``label`` is the best any of its results can be."""

    @property
    def name(self) -> str:
        """Name of the calculator."""

    @property
    def version(self) -> str:
        """Version, as its printouts show it."""

    @property
    def label(self) -> Label:
        """What its results may be called."""

    def national_default(self, crop: Crop) -> int | None:
        """Return the national default CI of a crop in hundredths; null where none was entered (2100.020(b))."""

    def evaluate(self, cases: Sequence[UnitCase]) -> tuple[UnitCI, ...]:
        """Answer every case, in order."""
