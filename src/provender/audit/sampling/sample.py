"""The farm sample of an audit, and the file from which anyone can draw it again (2100.040(a)(3)).

The order of events is the safeguard: the first point freezes its list of supplying farms and hands over the hash; only
then the verifier commits a seed; from both the sample follows, and elevator, verifier and USDA can redraw it. The
verifier may draw more than the minimum and add farms by judgement, with a reason; nobody removes a drawn farm.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from provender.audit.sampling.chances import shown
from provender.audit.sampling.draw_order import NEVER, Queue, line
from provender.audit.sampling.population import Population, minimum_farms
from provender.audit.sampling.risk import Risk, assess
from provender.audit.sampling.strata import Stratum, stratify
from provender.problem import refuse

KIND: Final = "provender/farm-sample"
METHOD: Final = "2026-11"
"""Version of the rules in ``risk``, ``strata`` and ``draw``; a file is redrawn by the method it names."""
CITE: Final = "2100.040(a)(3)"


@dataclass(frozen=True, slots=True)
class SampleRequest:
    """Everything the draw depends on.

    Attributes:
        population: the frozen farms.
        seed: what the verifier committed after the population was frozen; any printable text.
        audited: farm -> years in which an audit saw it; farms outside the population are ignored.
        size: farms the verifier wants, at least the minimum; the minimum where None.
        added: farm -> why the verifier adds it to the draw by judgement.
    """

    population: Population
    seed: str
    audited: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    size: int | None = None
    added: Mapping[str, str] = field(default_factory=dict)

    @property
    def seen(self) -> dict[str, int]:
        """Return farm -> last year audited, for farms of the population."""
        ids = {farm.farm_id for farm in self.population.farms}
        return {farm_id: max(years) for farm_id, years in self.audited.items() if farm_id in ids and years}


@dataclass(frozen=True, slots=True)
class DrawnStratum:
    """A stratum with its farms in the order they are drawn; the first ``stratum.draw`` are in the sample."""

    stratum: Stratum
    order: tuple[str, ...]

    @property
    def drawn(self) -> tuple[str, ...]:
        """The farms in the sample."""
        return self.order[: self.stratum.draw]

    @property
    def waiting(self) -> tuple[str, ...]:
        """The farms next in line, should the sample be extended."""
        return self.order[self.stratum.draw :]


@dataclass(frozen=True, slots=True)
class Sample:
    """A draw: the request, the lines, the risks."""

    request: SampleRequest
    risks: Mapping[str, Risk]
    lines: tuple[DrawnStratum, ...]

    @property
    def minimum(self) -> int:
        """The square root of the number of farms, rounded up."""
        return minimum_farms(len(self.request.population.farms))

    @property
    def farm_ids(self) -> list[str]:
        """All farms of the sample, in the order of their ids: drawn, and added by judgement."""
        return sorted({farm_id for one in self.lines for farm_id in one.drawn} | self.request.added.keys())

    def document(self) -> dict[str, Any]:
        """Return request and draw as plain data; ``sample_file`` adds decisions and tables to it."""
        request = self.request
        farms = len(request.population.farms)
        return {
            "kind": KIND,
            "method": METHOD,
            "cite": CITE,
            "farms": farms,
            "minimum": self.minimum,
            "size_asked": request.size,
            "seed": request.seed,
            "population_hash": request.population.sha256,
            "sample": self.farm_ids,
            "added": dict(sorted(request.added.items())),
            "strata": [self._stratum(one) for one in self.lines],
            "audited_before": {name: sorted(years) for name, years in sorted(request.audited.items())},
            "risk": [self.risks[farm.farm_id].document() for farm in request.population.farms],
            "population": [row.document() for row in request.population.rows],
        }

    def _stratum(self, one: DrawnStratum) -> dict[str, Any]:
        queue = Queue.of(one.order, one.stratum.draw, self.request.seen)
        chances = {"never_audited": shown(queue.chance(NEVER))} if queue.never else {}
        chances |= {f"last_audited_{year}": shown(queue.chance(year)) for year, _ in queue.years}
        return one.stratum.document() | {
            "audited_before": queue.seen,
            "chance": chances,
            "sample": list(one.drawn),
            "next_in_line": list(one.waiting),
        }


def draw_sample(request: SampleRequest) -> Sample:
    """Draw the sample.

    Raises:
        ProblemsError: no farms, an unusable seed, a size outside minimum and population, or an added farm that is
            unknown or has no reason.
    """
    _check(request)
    farms = len(request.population.farms)
    risks = assess(request.population)
    seen = request.seen
    wanted = minimum_farms(farms) if request.size is None else request.size
    strata = stratify(request.population, risks, wanted, frozenset(seen))
    lines = (DrawnStratum(one, tuple(line((farm.farm_id for farm in one.farms), request.seed, seen))) for one in strata)
    return Sample(request, risks, tuple(lines))


def _check(request: SampleRequest) -> None:
    farms = len(request.population.farms)
    if not farms:
        raise refuse(
            "farm list", "There is no farm to draw from.", "List every farm that supplied reduced-CI crop.", cite=CITE
        )
    if not request.seed.strip() or not request.seed.isprintable():
        raise refuse("seed", "The seed is empty or not printable.", "Commit a number or a short text.", cite=CITE)
    least = minimum_farms(farms)
    if request.size is not None and not least <= request.size <= farms:
        cause = f"A sample of {request.size} was asked for; {farms} farms allow {least} to {farms}."
        raise refuse("size", cause, "Leave the size out, or ask for a number in between.", cite=f"{CITE}(ii)")
    known = {farm.farm_id for farm in request.population.farms}
    wrong = [name for name, why in sorted(request.added.items()) if name not in known or not why.strip()]
    if wrong:
        cause = f"Added by judgement, but not in the population or without a reason: {', '.join(wrong)}."
        raise refuse("added farms", cause, "Name farms of the list and say why each is added.", cite=f"{CITE}(iii)")


def unknown_audited(request: SampleRequest) -> list[str]:
    """Return farms of the earlier audits that supply nothing this year: harmless, worth a note."""
    known = {farm.farm_id for farm in request.population.farms}
    return sorted(request.audited.keys() - known)


def merge_years(rows: Iterable[tuple[str, int]]) -> dict[str, tuple[int, ...]]:
    """Gather (farm, year) rows into farm -> years, sorted, each once."""
    years: dict[str, set[int]] = {}
    for farm_id, year in rows:
        years.setdefault(farm_id, set()).add(year)
    return {farm_id: tuple(sorted(own)) for farm_id, own in sorted(years.items())}
