"""Groups of like farms, and how many of each are drawn (2100.040(a)(3)(iii)).

The rule names four characteristics: crop, size, place and risk. Crossing all four gives far more cells than the sample
has farms, so the list is divided step by step, and only as finely as the number to be drawn can bear:

1. **Crop first, always.** Each farm belongs to its rarest crop (the crop fewest farms supply), so a farm with two crops
   stands in one group and rare crops get a group of their own. Where that would leave a crop without a group, the set
   of crops is the group. Each group gets at least one farm: this alone can push the sample above the minimum.
2. **Then risk, size, state and county, in this order, inside each group.** A group that draws ``k`` farms is divided by
   the next characteristic only if that gives at most ``k`` groups and, so that detail never forces a farm to be
   visited again, only if each of them still has a farm that no earlier audit has seen. Otherwise the next
   characteristic is tried. Size is small, middle or large by thirds of the population's acres.
3. **Each division shares its number by largest remainder, with at least one for each part.** Parts keep to their farms
   not yet audited as long as others can take the rest.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from provender.audit.sampling.population import Farm, Population
from provender.audit.sampling.risk import Risk
from provender.quantity import ceil_div

SIZES: Final = ("small", "middle", "large")

Classify = Callable[[Farm], str]


@dataclass(frozen=True, slots=True)
class Stratum:
    """A group of like farms and how many of them are drawn.

    Attributes:
        traits: characteristic -> value, in the order of division; a characteristic missing here was not divided by.
        farms: its farms, by id.
        draw: how many are drawn, from 1 to all of them.
    """

    traits: Mapping[str, str]
    farms: tuple[Farm, ...] = field(repr=False)
    draw: int

    @property
    def name(self) -> str:
        """The traits in one line, such as ``crop corn, risk low``."""
        return ", ".join(f"{trait} {value}" for trait, value in self.traits.items())

    def document(self) -> dict[str, Any]:
        """Return plain data: traits, number of farms, number drawn."""
        return {"name": self.name, "traits": dict(self.traits), "farms": len(self.farms), "drawn": self.draw}


def by_rarest_crop(population: Population) -> Classify:
    """Return the crop group of a farm (step 1)."""
    suppliers = {crop: len(population.suppliers(crop)) for crop in {row.crop for row in population.rows}}

    def rarest(farm: Farm) -> str:
        return min((suppliers[row.crop], row.crop) for row in farm.crops)[1]

    def mix(farm: Farm) -> str:
        return " and ".join(row.crop for row in farm.crops)

    return rarest if {rarest(farm) for farm in population.farms} == suppliers.keys() else mix


def by_size(population: Population) -> Classify:
    """Return the size class of a farm: the thirds of all farms ordered by acres; equal acres share a class."""
    ordered = sorted(farm.acres for farm in population.farms)
    limits = [ordered[ceil_div(len(ordered) * third, 3) - 1] for third in (1, 2)]
    return lambda farm: SIZES[sum(farm.acres > limit for limit in limits)]


def share(draw: int, sizes: Mapping[str, int], most: Mapping[str, int]) -> dict[str, int]:
    """Share ``draw`` among groups by largest remainder: at least one each, at most ``most``, ties by name.

    Each group starts with one. What is left goes, one by one, to the group that is furthest below its proportional
    share among those with room: the order of largest remainders, computed on whole numbers.

    Raises:
        ValueError: there are more groups than farms to draw, or less room.
    """
    if not len(sizes) <= draw <= sum(most.values()):
        raise ValueError(f"cannot share {draw} among {len(sizes)} groups with room for {sum(most.values())}")
    total = sum(sizes.values())
    shares = dict.fromkeys(sorted(sizes), 1)
    for _ in range(draw - len(sizes)):
        open_groups = [name for name in shares if shares[name] < most[name]]
        shares[max(open_groups, key=lambda name: draw * sizes[name] - total * shares[name])] += 1
    return shares


def _room(groups: Mapping[str, Sequence[Farm]], draw: int, seen: frozenset[str]) -> dict[str, int]:
    """Return how many each group may draw: its unaudited farms, at least one; all its farms if that is too little."""
    fresh = {name: max(1, sum(farm.farm_id not in seen for farm in own)) for name, own in groups.items()}
    return fresh if sum(fresh.values()) >= draw else {name: len(own) for name, own in groups.items()}


def _grouped(farms: Sequence[Farm], classify: Classify) -> dict[str, list[Farm]]:
    groups: dict[str, list[Farm]] = {}
    for farm in farms:
        groups.setdefault(classify(farm), []).append(farm)
    return groups


@dataclass(frozen=True, slots=True)
class _Divider:
    steps: Sequence[tuple[str, Classify]]
    seen: frozenset[str]

    def divide(self, stratum: Stratum, step: int) -> list[Stratum]:
        """Divide by one step after the other, leaving out those the stratum cannot bear."""
        if step == len(self.steps):
            return [stratum]
        trait, classify = self.steps[step]
        groups = _grouped(stratum.farms, classify)
        if len(groups) > stratum.draw or (len(groups) > 1 and self._forces_a_repeat(groups, stratum)):
            return self.divide(stratum, step + 1)
        return self.parts(stratum, trait, groups, step + 1)

    def parts(self, stratum: Stratum, trait: str, groups: Mapping[str, Sequence[Farm]], step: int) -> list[Stratum]:
        """Share a stratum's number among its groups, and divide each of them from ``step`` on."""
        sizes = {name: len(own) for name, own in groups.items()}
        shares = share(stratum.draw, sizes, _room(groups, stratum.draw, self.seen))
        return [
            leaf
            for name, draw in shares.items()
            for leaf in self.divide(Stratum({**stratum.traits, trait: name}, tuple(groups[name]), draw), step)
        ]

    def _forces_a_repeat(self, groups: Mapping[str, Sequence[Farm]], stratum: Stratum) -> bool:
        fresh = {name: sum(farm.farm_id not in self.seen for farm in own) for name, own in groups.items()}
        return sum(fresh.values()) >= stratum.draw and min(fresh.values()) == 0


def stratify(
    population: Population, risks: Mapping[str, Risk], draw: int, seen: frozenset[str] = frozenset()
) -> list[Stratum]:
    """Divide the farms and share the number to be drawn.

    Args:
        population: at least one farm.
        risks: the risk of every farm.
        draw: how many farms to draw, at most all; raised to the number of crop groups where it is smaller.
        seen: farms that audits of earlier years have seen.

    Returns:
        The strata in order of their traits; their ``draw`` adds up to ``draw`` or the number of crop groups.
    """
    divider = _Divider(
        (
            ("risk", lambda farm: risks[farm.farm_id].band),
            ("size", by_size(population)),
            ("state", lambda farm: farm.state_fips),
            ("county", lambda farm: farm.county_fips),
        ),
        seen,
    )
    crops = _grouped(population.farms, by_rarest_crop(population))
    whole = Stratum({}, population.farms, max(draw, len(crops)))
    return divider.parts(whole, "crop", crops, 0)
