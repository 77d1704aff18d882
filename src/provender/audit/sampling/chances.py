"""What a sample can and cannot find: the chance that it misses every non-conforming farm.

If ``bad`` of ``farms`` farms do not conform, and any ``bad`` of them are as likely as any other, a sample of
``sample`` farms misses them all with chance C(farms - bad, sample) / C(farms, sample), however its members were chosen.
Statisticians find the square root small (Saranadasa 2003); the rule sets it as the floor all the same, so the chance is
printed beside the minimum and changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, Final

from provender.quantity import ceil_div, half_even, show

SHARES_PCT: Final = (5, 10, 20, 30, 50)
PLACES: Final = 4


@dataclass(frozen=True, slots=True)
class Detection:
    """The chance to find at least one of ``bad`` non-conforming farms among ``farms`` by looking at ``sample``."""

    farms: int
    sample: int
    bad: int

    @property
    def missed(self) -> Fraction:
        """The chance to see none of them, exact; 1 when there are none."""
        return Fraction(comb(self.farms - self.bad, self.sample), comb(self.farms, self.sample))

    @property
    def found(self) -> Fraction:
        """The chance to see at least one, exact."""
        return 1 - self.missed


def shown(chance: Fraction) -> str:
    """Write a chance between 0 and 1 with four decimals, half even; 0 and 1 only where they are exact."""
    unit = 10**PLACES
    nearest = half_even(chance.numerator * unit, chance.denominator)
    inner = min(max(nearest, 1), unit - 1) if 0 < chance < 1 else nearest
    return show(inner, PLACES, places=PLACES)


def table(farms: int, sample: int, shares_pct: Sequence[int] = SHARES_PCT) -> list[dict[str, Any]]:
    """Return one line for each share of non-conforming farms (rounded up to whole farms), for documents.

    Raises:
        ValueError: the sample is larger than the number of farms.
    """
    if sample > farms:
        raise ValueError(f"a sample of {sample} is larger than {farms} farms")
    lines = []
    for share in shares_pct:
        chance = Detection(farms, sample, ceil_div(farms * share, 100))
        lines.append(
            {
                "share_pct": str(share),
                "non_conforming_farms": chance.bad,
                "chance_found": shown(chance.found),
                "chance_missed": shown(chance.missed),
            }
        )
    return lines
