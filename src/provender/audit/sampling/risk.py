"""A risk score anyone can add up: whole points per sign, each with its reason (2100.040(a)(3)(iii)).

The rule asks for a sample that mirrors the risk of non-conformity or fraud and gives no measure. These points are the
project's, not the law's: they use only what the farm list says, every part is shown, and a sign that nobody stated
gives no points and is listed as unknown. Ratios are compared by cross-multiplication of whole numbers.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from provender.audit.sampling.population import FarmCrop
from provender.quantity import SCALE

ELEVATED: Final = 20
HIGH: Final = 40
BANDS: Final = ("low", "elevated", "high")


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
    """What is usual for a crop in this population: the medians by bushels of yield (bushels an acre) and CI."""

    yield_bu_per_ac: int
    ci_g_per_bu: int


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
