"""A risk score anyone can add up: whole points per sign, each with its reason (2100.040(a)(3)(iii)).

The rule asks for a sample that mirrors the risk of non-conformity or fraud and gives no measure. These points are the
project's, not the law's: they use only what the farm list says, every part is shown, and a sign that nobody stated
gives no points and is listed as unknown. Ratios are compared by cross-multiplication of whole numbers.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from statistics import median_low
from typing import Any, Final

from provender.audit.sampling.population import Farm, FarmCrop, Population
from provender.quantity import SCALE

ELEVATED: Final = 20
HIGH: Final = 40
BANDS: Final = ("low", "elevated", "high")

PEERS_NEEDED: Final = 5
"""Fewer rows of a crop than this say nothing about what is usual."""


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """One sign: its points and why."""

    name: str
    points: int
    reason: str

    def document(self) -> dict[str, Any]:
        """Return plain data."""
        return {"name": self.name, "points": self.points, "reason": self.reason}


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
        return {
            "farm_id": self.farm_id,
            "score": self.score,
            "band": self.band,
            "parts": [part.document() for part in self.parts],
            "unknown": list(self.unknown),
        }


@dataclass(frozen=True, slots=True)
class Usual:
    """What is usual for a crop in this population: the low medians of yield (bushels an acre) and CI."""

    yield_bu_per_ac: Fraction | int
    ci_g_per_bu: int


def usual_by_crop(rows: Iterable[FarmCrop]) -> dict[str, Usual]:
    """Return the medians for each crop that has enough suppliers to have any."""
    by_crop: dict[str, list[FarmCrop]] = {}
    for row in rows:
        by_crop.setdefault(row.crop, []).append(row)
    return {
        crop: Usual(
            median_low([Fraction(row.bushels, row.acres) for row in own]), median_low([row.ci_g_per_bu for row in own])
        )
        for crop, own in by_crop.items()
        if len(own) >= PEERS_NEEDED
    }


def _yield(row: FarmCrop, usual: Usual) -> RiskPoint | None:
    ratio = Fraction(row.bushels, row.acres) / usual.yield_bu_per_ac
    for percent, points in ((150, 30), (125, 15)):
        if ratio * 100 > percent:
            return RiskPoint(
                "yield", points, f"{row.crop}: bushels an acre above {percent} % of the median of all suppliers"
            )
    return None


def _ci(row: FarmCrop, usual: Usual) -> RiskPoint | None:
    for percent, points in ((50, 20), (75, 10)):
        if row.ci_g_per_bu * 100 < percent * usual.ci_g_per_bu:
            return RiskPoint("ci", points, f"{row.crop}: CI below {percent} % of the median of all suppliers")
    return None


def _amount(farm: Farm, total: int, farms: int) -> RiskPoint | None:
    for times, points in ((5, 20), (3, 10)):
        if farm.bushels * farms >= times * total:
            return RiskPoint("amount", points, f"supplied at least {times} times the bushels of the average farm")
    return None


def stated_signs(row: FarmCrop) -> Iterable[RiskPoint | None]:
    """Yield the signs that the farm list states itself."""
    if row.first_year:
        yield RiskPoint("first_year", 10, "supplies reduced-CI crop for the first time")
    if row.earlier_findings:
        yield RiskPoint(
            "earlier_findings", min(10 * row.earlier_findings, 30), f"{row.earlier_findings} earlier findings"
        )
    for percent, points in ((50, 20), (25, 10)):
        if row.late_evidence_pct is not None and row.late_evidence_pct >= percent * 10**SCALE:
            reason = f"{row.crop}: at least {percent} % of credited bushels rest on facts typed after harvest"
            yield RiskPoint("late_evidence", points, reason)
            break


def _unknown(farm: Farm, usual: Mapping[str, Usual]) -> Iterable[str]:
    for row in farm.crops:
        if row.crop not in usual:
            yield f"yield and ci of {row.crop}: fewer than {PEERS_NEEDED} suppliers to compare with"
    for name in ("first_year", "earlier_findings", "late_evidence_pct"):
        if all(getattr(row, name) is None for row in farm.crops):
            yield f"{name}: not stated"


def assess(population: Population) -> dict[str, Risk]:
    """Score every farm; of the same sign for two crops the heavier one counts."""
    usual = usual_by_crop(population.rows)
    total = sum(farm.bushels for farm in population.farms)
    scores = {}
    for farm in population.farms:
        signs = [_amount(farm, total, len(population.farms))]
        for row in farm.crops:
            if row.crop in usual:
                signs += [_yield(row, usual[row.crop]), _ci(row, usual[row.crop])]
            signs += stated_signs(row)
        heaviest: dict[str, RiskPoint] = {}
        for part in signs:
            if part is not None and part.points > heaviest.get(part.name, RiskPoint("", 0, "")).points:
                heaviest[part.name] = part
        parts = tuple(sorted(heaviest.values(), key=lambda part: (-part.points, part.name)))
        scores[farm.farm_id] = Risk(farm.farm_id, parts, tuple(_unknown(farm, usual)))
    return scores
