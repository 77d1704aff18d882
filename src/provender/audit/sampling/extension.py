"""What follows when a sampled farm fails: more farms, held lots, extrapolation (interpretation 56).

The rule is silent. Our reading: the failure speaks for farms like it, so the sample is extended inside the failed
farm's stratum by as many farms as were drawn there, next in line, and once the stratum is used up by farms of the same
crop group and then of the whole list, first by their places in line, then by stratum. The verifier may decide on
another number and says why. The farm's bushels are put on hold, and the bushels of the stratum's farms that nobody
looked at show how far the finding may reach.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from provender.audit.sampling.sample import DrawnStratum, Sample
from provender.problem import refuse
from provender.quantity import half_even, show


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

    crop = [one for one in sample.lines if one.stratum.traits["crop"] == own.stratum.traits["crop"]]
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
        wanted = own.stratum.draw if failure.more is None else failure.more
        added = tuple(farm for farm, _ in zip(_next_in_line(sample, own, taken), range(wanted), strict=False))
        taken.update(added)
        extensions.append(
            Extension(
                failure,
                own.stratum.name,
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
