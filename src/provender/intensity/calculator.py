"""What every source of carbon intensity offers, and what it answers: one unit, one CI, with its label and notes."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from itertools import product
from typing import Final, Protocol, Self

from provender.rule.crops import Crop, Practice, claimable

# The 36 combinations of practices that the calculator tells apart (2100.020(a)(5) to (8)).


class Tillage(StrEnum):
    """Tillage as the calculator asks for it."""

    conventional = "conventional"
    reduced_till = "reduced_till"
    no_till = "no_till"


class Timing(StrEnum):
    """Timing of synthetic nitrogen as the calculator asks for it: one of three."""

    as_usual = "as_usual"
    no_fall_application = "no_fall_application"
    split_in_season = "split_in_season"


@dataclass(frozen=True, slots=True, order=True)
class Combination:
    """One of the 36 sets of practices: three tillages, cover crop or not, three timings, inhibitor or not."""

    tillage: Tillage = Tillage.conventional
    cover_crop: bool = False
    timing: Timing = Timing.as_usual
    inhibitor: bool = False

    @classmethod
    def of(cls, practices: Collection[Practice]) -> Self:
        """Return the combination that a set of practices makes.

        A unit that meets both of two exclusive practices is entered with the stricter: no-till over reduced till,
        and split in-season application over no fall application.
        """
        tillage = next((one for one in _BY_STRICTNESS if Practice(one) in practices), Tillage.conventional)
        timing = next((one for one in _TIMINGS if Practice(one) in practices), Timing.as_usual)
        return cls(tillage, Practice.cover_crop in practices, timing, Practice.nitrification_inhibitor in practices)

    @property
    def practices(self) -> frozenset[Practice]:
        """Return the practices claimed; empty for conventional crop."""
        return _claimed(self)

    def __str__(self) -> str:
        """Name the practices claimed, in the order of the rule; ``no practice`` for none."""
        return " + ".join(one.label for one in Practice if one in self.practices) or "no practice"


_BY_STRICTNESS: Final = (Tillage.no_till, Tillage.reduced_till)
_TIMINGS: Final = (Timing.split_in_season, Timing.no_fall_application)
_CLAIMS: Final = frozenset((*_BY_STRICTNESS, *_TIMINGS))


@cache
def _claimed(one: Combination) -> frozenset[Practice]:
    claimed = [Practice(name) for name in (one.tillage, one.timing) if name in _CLAIMS]
    claimed += [Practice.cover_crop] * one.cover_crop
    claimed += [Practice.nitrification_inhibitor] * one.inhibitor
    return frozenset(claimed)


AS_USUAL: Final = Combination()
"""Conventional crop: nothing claimed."""


def combinations() -> Iterator[Combination]:
    """Yield all 36 combinations, conventional crop first."""
    for tillage, cover_crop, timing, inhibitor in product(Tillage, (False, True), Timing, (False, True)):
        yield Combination(tillage, cover_crop, timing, inhibitor)


def claimable_combinations(crop: Crop) -> tuple[Combination, ...]:
    """Return the combinations whose practices a crop may all claim (2100.012): corn 36, soybeans 12, sorghum 24."""
    allowed = frozenset(claimable(crop))
    return tuple(one for one in combinations() if one.practices <= allowed)


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
    """The question: one management unit, one crop, one harvest year."""

    unit: str  # the unit's identifier
    crop: Crop  # the crop harvested
    harvest_year: int  # the year of the harvest date
    county_fips: str | None  # five digits; null where the record does not say
    # the practices credited (every one of them met), the stricter of two exclusive ones
    combination: Combination = AS_USUAL
    also_met: frozenset[Practice] = frozenset()  # the less strict ones that are met too: a run may claim them instead
    acres: int | None = None  # thousandths, or null where the record does not say; no source of CIs looks at them
    bushels: int | None = None  # likewise

    @property
    def may_claim(self) -> frozenset[Practice]:
        return self.combination.practices | self.also_met


@dataclass(frozen=True, slots=True)
class CalculatorStep:
    """One line of working: what it is and its value in hundredths of g CO2e/bu, or null."""

    name: str
    ci_g_per_bu: int | None


@dataclass(frozen=True, slots=True)
class UnitCI:
    """The answer for one unit."""

    unit: str  # the unit's identifier
    ci_g_per_bu: int | None  # whole hundredths of a gram CO2e per bushel; null where the calculator has no answer
    label: Label  # official, PRELIMINARY or ESTIMATE
    calculator: str  # name of the calculator
    version: str  # its version, as printed
    # whole sentences for the farmer: no credit for a practice and why, no data for a county
    notes: tuple[str, ...] = ()
    # the steps that lead to the value; empty for a printed or a tabled one
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
