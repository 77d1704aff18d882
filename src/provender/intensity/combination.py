"""The 36 combinations of practices that the calculator tells apart (2100.020(a)(5) to (8))."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import product
from typing import Final, Self

from provender.rule.crops import Crop, Practice, claimable


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
    """Return the practices that one of the 36 combinations claims."""
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
