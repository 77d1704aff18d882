"""A risk score anyone can add up: whole points per sign, each with its reason (2100.040(a)(3)(iii)).

The rule asks for a sample that mirrors the risk of non-conformity or fraud and gives no measure. These points are the
project's, not the law's: they use only what the farm list says, every part is shown, and a sign that nobody stated
gives no points and is listed as unknown. Ratios are compared by cross-multiplication of whole numbers.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from math import comb
from typing import Any, Final

from provender.audit.sampling.population import Farm, FarmCrop, Population
from provender.exact import SCALE, ceil_div, half_even, show
from provender.schema import write

ELEVATED: Final = 20
HIGH: Final = 40
BANDS: Final = ("low", "elevated", "high")


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """One sign: its points and why."""

    name: str
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Risk:
    """The score of one farm with all its parts, and the signs nobody could judge."""

    farm_id: str
    parts: tuple[RiskPoint, ...]
    unknown: tuple[str, ...]

    @property
    def score(self) -> int:
        """All points together."""
        return sum(part.points for part in self.parts)

    @property
    def band(self) -> str:
        """``low``, ``elevated`` from 20 points, ``high`` from 40."""
        return BANDS[(self.score >= ELEVATED) + (self.score >= HIGH)]

    def document(self) -> dict[str, Any]:
        """Return plain data."""
        return {**write(self, whole=True), "score": self.score, "band": self.band}


@dataclass(frozen=True, slots=True)
class Usual:
    """What is usual for a crop in this population: the medians by bushels of yield (bushels an acre) and CI."""

    yield_bu_per_ac: int
    ci_g_per_bu: int


# The draw by bushels: every farm has a ticket and a weight; those with the smallest ticket for their weight are drawn.
#
# - **Ticket**: SHA-256 of five lines, joined by line feeds: the method, the hash of the farms, the seed, the year, the
#   farm's id; read as a number below 2^256.
# - **Weight**: the farm's bushels in whole thousandths, times 1, 2 or 4 for low, elevated or high risk, times 2^h,
#   where
#   h is the number of years since the farm was last audited, at least 1 and at most 7; 7 for a farm no audit has seen.
# - **Place in line**: ticket x 2^64 / weight, cut to a whole number; ties by id. The first ``k`` are drawn.
# - **On top**: for every crop, then for every risk band, state and county with at least 1/k of all bushels, the first
#   in
#   line that has it joins the sample where no drawn farm has it. Nobody gives up a place for these.
#
# A farm of a thousandth of the bushels has a thousandth of the weight, so farms invented to dilute the list change the
# chance of nobody; they only raise the number of farms to draw. Of two farms alike in all but bushels the larger one is
# never behind with the same ticket, so its chance is at least as large.

METHOD: Final = "2026-12"
FACTOR: Final = {BANDS[0]: 1, BANDS[1]: 2, BANDS[2]: 4}
MOST_YEARS: Final = 7
PLACES: Final = 2**64
THOUSAND: Final = 1000


def ticket(population_hash: str, seed: str, year: int, farm_id: str) -> int:
    """Return the farm's ticket as a number below 2^256."""
    lines = (METHOD, population_hash, seed, str(year), farm_id)
    return int.from_bytes(sha256("\n".join(lines).encode()).digest(), "big")


def weight(farm: Farm, band: str, last_audited: int | None, year: int) -> int:
    """Return the farm's weight, a whole number above zero."""
    since = MOST_YEARS if last_audited is None else min(max(year - last_audited, 1), MOST_YEARS)
    return farm.bushels * FACTOR[band] << since


@dataclass(frozen=True, slots=True)
class Line:
    """Who is drawn by weight."""

    order: tuple[str, ...]  # every farm's id, in line
    drawn: int  # how many of them are drawn
    on_top: Mapping[str, str]  # farm -> which crop, risk, state or county it stands for
    weights: Mapping[str, int]  # by farm


@dataclass(frozen=True, slots=True)
class Draw:
    """What the line depends on beside the farms: the seed, the year, how many, who was audited last in which year."""

    seed: str
    year: int
    count: int
    seen: Mapping[str, int]


def in_line(population_hash: str, draw: Draw, weights: Mapping[str, int]) -> tuple[str, ...]:
    """Return farms by ticket for their weight, the smallest first."""

    def place(farm_id: str) -> tuple[int, str]:
        return ticket(population_hash, draw.seed, draw.year, farm_id) * PLACES // weights[farm_id], farm_id

    return tuple(sorted(weights, key=place))


def line_up(population: Population, risks: Mapping[str, Risk], draw: Draw) -> Line:
    """Draw."""
    weights = {
        farm.farm_id: weight(farm, risks[farm.farm_id].band, draw.seen.get(farm.farm_id), draw.year)
        for farm in population.farms
    }
    order = in_line(population.sha256, draw, weights)
    return Line(order, draw.count, _on_top(population, risks, order, draw.count), weights)


def _on_top(population: Population, risks: Mapping[str, Risk], order: Iterable[str], count: int) -> dict[str, str]:
    farms = {farm.farm_id: farm for farm in population.farms}
    in_line = list(order)
    total = sum(farm.bushels for farm in population.farms)
    traits: dict[str, Callable[[Farm], Iterable[str]]] = {
        "crop": lambda farm: [row.crop for row in farm.crops],
        "risk": lambda farm: [risks[farm.farm_id].band],
        "state": lambda farm: [farm.state_fips],
        "county": lambda farm: [farm.county_fips],
    }
    sample = in_line[:count]
    added: dict[str, str] = {}
    for trait, values in traits.items():
        amounts: dict[str, int] = {}
        for farm in population.farms:
            for value in values(farm):
                amounts[value] = amounts.get(value, 0) + farm.bushels
        there = {value for farm_id in [*sample, *added] for value in values(farms[farm_id])}
        for value in sorted(amounts.keys() - there):
            if trait != "crop" and amounts[value] * count < total:
                continue
            if any(value in values(farms[farm_id]) for farm_id in added):
                continue
            added[next(farm_id for farm_id in in_line if value in values(farms[farm_id]))] = f"{trait} {value}"
    return added


def main_crop(farm: Farm) -> str:
    """Return the crop of which the farm supplied most; ties by name."""
    return max(farm.crops, key=lambda row: (row.bushels, row.crop)).crop


def assess_by_bushels(population: Population) -> dict[str, Risk]:
    """Score every farm against what is usual, each farm counting by its bushels.

    A median by bushels is not moved by farms that supply next to nothing.
    """
    usual = _usual(population.rows)
    return {farm.farm_id: _score(farm, usual) for farm in population.farms}


def _usual(rows: Iterable[FarmCrop]) -> dict[str, Usual]:
    by_crop: dict[str, list[FarmCrop]] = {}
    for row in rows:
        by_crop.setdefault(row.crop, []).append(row)
    return {
        crop: Usual(_median(own, per_acre), _median(own, lambda row: row.ci_g_per_bu)) for crop, own in by_crop.items()
    }


def per_acre(row: FarmCrop) -> int:
    """Return bushels an acre in whole thousandths, cut."""
    return row.bushels * THOUSAND // row.acres


def _median(rows: Iterable[FarmCrop], value: Callable[[FarmCrop], int]) -> int:
    """Return the smallest value up to which at least half of the bushels lie."""
    ordered = sorted((value(row), row.bushels) for row in rows)
    half, so_far = sum(amount for _, amount in ordered), 0
    for found, amount in ordered:
        so_far += amount
        if so_far * 2 >= half:
            return found
    raise ValueError("no rows")


def _score(farm: Farm, usual: Mapping[str, Usual]) -> Risk:
    heaviest: dict[str, RiskPoint] = {}
    for part in _signs(farm, usual):
        if part.name not in heaviest or part.points > heaviest[part.name].points:
            heaviest[part.name] = part
    parts = tuple(sorted(heaviest.values(), key=lambda part: (-part.points, part.name)))
    names = ("first_year", "earlier_findings", "late_evidence_pct")
    unknown = tuple(f"{name}: not stated" for name in names if all(getattr(row, name) is None for row in farm.crops))
    return Risk(farm.farm_id, parts, unknown)


def _signs(farm: Farm, usual: Mapping[str, Usual]) -> Iterator[RiskPoint]:
    for row in farm.crops:
        known = usual[row.crop]
        for percent, points in ((150, 30), (125, 15)):
            if per_acre(row) * 100 > percent * known.yield_bu_per_ac:
                yield RiskPoint("yield", points, f"{row.crop}: bushels an acre above {percent} % of the usual")
                break
        for percent, points in ((50, 20), (75, 10)):
            if row.ci_g_per_bu * 100 < percent * known.ci_g_per_bu:
                yield RiskPoint("ci", points, f"{row.crop}: CI below {percent} % of the usual")
                break
        if row.first_year:
            yield RiskPoint("first_year", 10, "supplies reduced-CI crop for the first time")
        if found := row.earlier_findings:
            yield RiskPoint("earlier_findings", min(10 * found, 30), f"{found} earlier findings")
        for percent, points in ((50, 20), (25, 10)):
            if row.late_evidence_pct is not None and row.late_evidence_pct >= percent * 10**SCALE:
                reason = f"{row.crop}: at least {percent} % of credited bushels rest on facts typed after harvest"
                yield RiskPoint("late_evidence", points, reason)
                break


# What a sample can find: the chance that it holds a farm that does not conform; how far it mirrors the farms.

SHARES_PCT: Final = (5, 10, 20, 30, 50)
CHANCES_PLACES: Final = 4
SIZES: Final = ("small", "middle", "large")


def chance_missed(farms: int, sample: int, bad: int) -> Fraction:
    """Return the chance to see none of ``bad`` non-conforming farms among ``farms`` in a sample, exact; 1 for none."""
    return Fraction(comb(farms - bad, sample), comb(farms, sample))


def shown(chance: Fraction) -> str:
    """Write a chance between 0 and 1 with four decimals, half even; 0 and 1 only where they are exact."""
    unit = 10**CHANCES_PLACES
    nearest = half_even(chance.numerator * unit, chance.denominator)
    inner = min(max(nearest, 1), unit - 1) if 0 < chance < 1 else nearest
    return show(inner, CHANCES_PLACES, places=CHANCES_PLACES)


def table(farms: int, sample: int, shares_pct: Sequence[int] = SHARES_PCT) -> list[dict[str, Any]]:
    """Return one line for each share of non-conforming farms (rounded up to whole farms), for documents.

    Raises:
        ValueError: the sample is larger than the number of farms.
    """
    if sample > farms:
        raise ValueError(f"a sample of {sample} is larger than {farms} farms")
    lines = []
    for share in shares_pct:
        bad = ceil_div(farms * share, 100)
        missed = chance_missed(farms, sample, bad)
        said = {"chance_found": shown(1 - missed), "chance_missed": shown(missed)}
        lines.append({"share_pct": str(share), "non_conforming_farms": bad, **said})
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
