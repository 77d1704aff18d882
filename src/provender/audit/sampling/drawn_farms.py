"""What the verifier does with a drawn farm: full visit, borrowed or partial audit; a failure extends the sample."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from enum import StrEnum
from fractions import Fraction
from typing import Any

from provender.audit.sampling.sample import DrawnStratum, Sample
from provender.problem import Place, Problem, refuse
from provender.quantity import half_even, show
from provender.said import says

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
        gaps = [name for name in ("borrowed_audit", "verifier", "reason", "decided_by") if not says(getattr(one, name))]
        gaps += ["still_to_do"] if one.extent is Extent.PARTIAL and not says(one.still_to_do) else []
        if gaps:
            cause = f"The decision about farm {one.farm_id} does not say: {', '.join(gaps)}."
            remedy = "Fill it in: the reason stays with the sample."
            problems.append(Problem(place, cause, remedy, CITE, code="decision_incomplete"))
    return problems


@dataclass(frozen=True, slots=True)
class Failure:
    """The verifier's decision after a farm failed.

    Attributes:
        farm_id: a farm of the sample, or of an earlier extension.
        reason: what failed, with the number of its finding.
        decided_by: the person who decided.
        decided_on: the day.
        more: farms to add; None for as many as the stratum drew. 0 needs a reason as any number does.
    """

    farm_id: str
    reason: str
    decided_by: str
    decided_on: date
    more: int | None = None

    def document(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self) | {"decided_on": self.decided_on.isoformat()}

    @classmethod
    def read(cls, data: dict[str, Any]) -> "Failure":
        """Read what ``document`` wrote.

        Raises:
            KeyError, TypeError, ValueError: it is no such decision.
        """
        return cls(**{**data, "decided_on": date.fromisoformat(data["decided_on"])})


@dataclass(frozen=True, slots=True)
class Extension:
    """What one failure led to.

    Attributes:
        failure: the decision.
        stratum: name of the failed farm's stratum.
        farm_ids: farms added to the sample, in line order; fewer than asked for where no farm is left.
        held_bushels: bushels of the failed farm, whole thousandths, not to be sold as reduced-CI until it is resolved.
        unseen_bushels: bushels of the stratum's farms that nobody looks at, whole thousandths.
        failed, looked_at: farms of the stratum that failed so far, and that are looked at.
    """

    failure: Failure
    stratum: str
    farm_ids: tuple[str, ...]
    held_bushels: int
    unseen_bushels: int
    failed: int
    looked_at: int

    @property
    def extrapolated_bushels(self) -> int:
        """Bushels of unseen farms the failures may reach: unseen bushels x failed / looked at, half even."""
        reach = Fraction(self.unseen_bushels * self.failed, self.looked_at)
        return half_even(reach.numerator, reach.denominator)

    def document(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "decision": self.failure.document(),
            "stratum": self.stratum,
            "added": list(self.farm_ids),
            "held_bushels": show(self.held_bushels),
            "unseen_bushels": show(self.unseen_bushels),
            "failed": self.failed,
            "looked_at": self.looked_at,
            "extrapolated_bushels": show(self.extrapolated_bushels),
        }


def _next_in_line(sample: Sample, own: DrawnStratum, taken: set[str]) -> Iterable[str]:
    """Yield farms not taken yet: own stratum, then same crop group, then all."""

    def waiting(lines: Sequence[DrawnStratum]) -> list[str]:
        places = [(place, number, farm) for number, one in enumerate(lines) for place, farm in enumerate(one.waiting)]
        return [farm for _, _, farm in sorted(places)]

    crop = [one for one in sample.lines if one.crop == own.crop]
    order = dict.fromkeys([*own.waiting, *waiting(crop), *waiting(sample.lines)])
    return (farm for farm in order if farm not in taken)


def extend(sample: Sample, failures: Iterable[Failure]) -> list[Extension]:
    """Apply the decisions one after the other.

    Raises:
        ProblemsError: a farm outside the sample, decided twice, or a decision without reason or name.
    """
    line_of = {farm: one for one in sample.lines for farm in one.order}
    bushels = {farm.farm_id: farm.bushels for farm in sample.request.population.farms}
    taken = set(sample.farm_ids)
    failed: set[str] = set()
    extensions = []
    for failure in failures:
        _check(failure, taken, failed)
        failed.add(failure.farm_id)
        own = line_of[failure.farm_id]
        wanted = max(1, own.draw) if failure.more is None else failure.more
        added = tuple(farm for farm, _ in zip(_next_in_line(sample, own, taken), range(wanted), strict=False))
        taken.update(added)
        extensions.append(
            Extension(
                failure,
                own.name,
                added,
                bushels[failure.farm_id],
                sum(bushels[farm] for farm in own.order if farm not in taken),
                len(failed.intersection(own.order)),
                len(taken.intersection(own.order)),
            )
        )
    return extensions


def _check(failure: Failure, taken: set[str], failed: set[str]) -> None:
    if failure.farm_id not in taken or failure.farm_id in failed:
        cause = f"Farm {failure.farm_id} is not in the sample, or its failure was decided before."
        raise refuse("extension", cause, "Name a farm of the sample once.", code="not_in_sample")
    if not failure.reason.strip() or not failure.decided_by.strip() or (failure.more or 0) < 0:
        cause = f"The decision about farm {failure.farm_id} lacks its reason, its author, or a number of farms."
        raise refuse("extension", cause, "Say what failed and who decided.", code="decision_incomplete")
