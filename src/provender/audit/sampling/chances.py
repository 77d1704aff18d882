"""What a sample can find: the chance that it holds a farm that does not conform; how far it mirrors the farms."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, Final

from provender.audit.sampling.population import Farm, Population
from provender.audit.sampling.risk import Risk
from provender.quantity import ceil_div, half_even, show

SHARES_PCT: Final = (5, 10, 20, 30, 50)
PLACES: Final = 4
SIZES: Final = ("small", "middle", "large")


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


def by_size(population: Population) -> Callable[[Farm], str]:
    """Return the size class of a farm: the thirds of all farms ordered by acres; equal acres share a class."""
    ordered = sorted(farm.acres for farm in population.farms)
    limits = [ordered[ceil_div(len(ordered) * third, 3) - 1] for third in (1, 2)]
    return lambda farm: SIZES[sum(farm.acres > limit for limit in limits)]


def representation(
    population: Population, risks: Mapping[str, Risk], sample: Collection[str]
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return, for each value of crop, size, state, county and risk, how many farms have it and how many are drawn."""
    size = by_size(population)
    kinds: dict[str, Callable[[Farm], Iterable[str]]] = {
        "crop": lambda farm: [row.crop for row in farm.crops],
        "size": lambda farm: [size(farm)],
        "state": lambda farm: [farm.state_fips],
        "county": lambda farm: [farm.county_fips],
        "risk": lambda farm: [risks[farm.farm_id].band],
    }
    table = {}
    for kind, values in kinds.items():
        farms = Counter(value for farm in population.farms for value in values(farm))
        drawn = Counter(value for farm in population.farms if farm.farm_id in sample for value in values(farm))
        table[kind] = {value: {"farms": farms[value], "sample": drawn[value]} for value in sorted(farms)}
    return table
