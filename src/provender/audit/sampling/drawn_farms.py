"""What the verifier does with a drawn farm: full visit, borrowed audit, partial audit (2100.040(b)(2)).

An exempt farm stays in the sample: it was drawn, its audit is borrowed, and the reason is kept. The decision is the
verifier's, never the farm's and never the first point's.
"""

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from provender.problem import Place, Problem

CITE = "2100.040(b)(2)"


class Extent(StrEnum):
    """How much of the audit is done again."""

    EXEMPT = "exempt"
    """The borrowed audit stands for all of it."""
    PARTIAL = "partial"
    """The borrowed audit stands for a part; ``still_to_do`` says what remains."""


@dataclass(frozen=True, slots=True)
class Treatment:
    """The verifier's decision about one drawn farm.

    Attributes:
        farm_id: the farm.
        extent: exempt or partial.
        borrowed_audit: where the completed audit is found: its statement's number or hash.
        verifier: the accredited verifier that completed it.
        year: the year that audit covers; it must be the year of this audit.
        reason: why the verifier accepts it.
        decided_by: the person who decided.
        decided_on: the day.
        still_to_do: for a partial audit, what is audited all the same.
    """

    farm_id: str
    extent: Extent
    borrowed_audit: str
    verifier: str
    year: int
    reason: str
    decided_by: str
    decided_on: date
    still_to_do: str = ""

    def document(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self) | {"extent": str(self.extent), "decided_on": self.decided_on.isoformat()}

    @classmethod
    def read(cls, data: dict[str, Any]) -> "Treatment":
        """Read what ``document`` wrote.

        Raises:
            KeyError, TypeError, ValueError: it is no treatment.
        """
        known = {**data, "extent": Extent(data["extent"]), "decided_on": date.fromisoformat(data["decided_on"])}
        return cls(**known)


def check_treatments(treatments: Iterable[Treatment], drawn: Collection[str], year: int, file: str) -> list[Problem]:
    """Return what is wrong with the decisions: farms not drawn or named twice, another year, gaps."""
    problems = []
    done: set[str] = set()
    for one in treatments:
        place = Place(file, column=one.farm_id)
        if one.farm_id not in drawn:
            cause, remedy = (
                "is treated but was not drawn.",
                "Remove the line; a borrowed audit never replaces the draw.",
            )
            problems.append(Problem(place, f"Farm {one.farm_id} {cause}", remedy, CITE, code="not_drawn"))
        if one.farm_id in done:
            cause = f"Farm {one.farm_id} has two decisions."
            problems.append(Problem(place, cause, "Keep the one that holds.", CITE, code="decided_twice"))
        done.add(one.farm_id)
        if one.year != year:
            cause = f"The borrowed audit of farm {one.farm_id} covers {one.year}, this audit {year}."
            remedy = "Audit the farm, or name an audit of the same year."
            problems.append(Problem(place, cause, remedy, CITE, code="other_year"))
        gaps = [
            name for name in ("borrowed_audit", "verifier", "reason", "decided_by") if not getattr(one, name).strip()
        ]
        gaps += ["still_to_do"] if one.extent is Extent.PARTIAL and not one.still_to_do.strip() else []
        if gaps:
            cause = f"The decision about farm {one.farm_id} does not say: {', '.join(gaps)}."
            remedy = "Fill it in: the reason stays with the sample."
            problems.append(Problem(place, cause, remedy, CITE, code="decision_incomplete"))
    return problems
