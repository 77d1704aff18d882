"""The farm sample of an audit, and the file from which anyone can draw it again (2100.040(a)(3)).

The order of events is the safeguard: the first point freezes its list of supplying farms and hands over the hash; only
then the verifier commits a seed; from both the sample follows, and elevator, verifier and USDA can redraw it. The
verifier may draw more than the minimum and add farms by judgement, with a reason; nobody removes a drawn farm.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from provender.audit.sampling.chances import shown
from provender.audit.sampling.population import Population, minimum_farms
from provender.audit.sampling.risk import Risk
from provender.audit.sampling.seed import Frozen, Opened, history_hash, refused, seed_of
from provender.audit.sampling.weighted import METHOD, Draw, Line, assess_by_bushels, line_up, main_crop
from provender.problem import refuse

KIND: Final = "provender/farm-sample"
CITE: Final = "2100.040(a)(3)"


@dataclass(frozen=True, slots=True)
class SampleRequest:
    """Everything the draw depends on.

    Attributes:
        population: the frozen farms.
        frozen: what was fixed before the seed was known.
        opened: what the seed is made of.
        audited: farm -> years in which an audit saw it; farms outside the population are ignored.
        size: farms the verifier wants, at least the minimum; the minimum where None.
        added: farm -> why the verifier adds it to the draw by judgement.
    """

    population: Population
    frozen: Frozen
    opened: Opened = field(default_factory=Opened)
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
    """The farms that delivered most of one crop, in the order they are drawn; the first ``draw`` are in the sample."""

    crop: str
    order: tuple[str, ...]
    draw: int

    @property
    def name(self) -> str:
        """The crop in words, such as ``crop corn``."""
        return f"crop {self.crop}"

    @property
    def drawn(self) -> tuple[str, ...]:
        """The farms in the sample."""
        return self.order[: self.draw]

    @property
    def waiting(self) -> tuple[str, ...]:
        """The farms next in line, should the sample be extended."""
        return self.order[self.draw :]


@dataclass(frozen=True, slots=True)
class Sample:
    """A draw: the request, the risks, the lines of each stratum and of all farms, the seed."""

    request: SampleRequest
    risks: Mapping[str, Risk]
    lines: tuple[DrawnStratum, ...]
    line: Line
    seed: str

    @property
    def minimum(self) -> int:
        """The square root of the number of farms, rounded up."""
        return minimum_farms(len(self.request.population.farms))

    @property
    def farm_ids(self) -> list[str]:
        """All farms of the sample, in the order of their ids: drawn, on top of them, and added by judgement."""
        drawn = {farm_id for one in self.lines for farm_id in one.drawn}
        return sorted(drawn | self.line.on_top.keys() | self.request.added.keys())

    def document(self) -> dict[str, Any]:
        """Return request and draw as plain data; ``sample_file`` adds decisions and tables to it."""
        request, frozen, line = self.request, self.request.frozen, self.line
        farms = len(request.population.farms)
        return {
            "kind": KIND,
            "method": METHOD,
            "cite": CITE,
            "farms": farms,
            "minimum": self.minimum,
            "size_asked": request.size,
            "seed": self.seed,
            "population_hash": request.population.sha256,
            "sample": self.farm_ids,
            "added": dict(sorted(request.added.items())),
            "strata": [self._stratum(one) for one in self.lines],
            "audited_before": {name: sorted(years) for name, years in sorted(request.audited.items())},
            "risk": [self.risks[farm].document() for farm in self.farm_ids],
            "population": [row.document() for row in request.population.rows],
            "year": frozen.year,
            "frozen": frozen.document(),
            "frozen_hash": frozen.sha256,
            "opened": request.opened.document(),
            "refused": refused(frozen, request.opened),
            "beacon_is": "stated" if frozen.beacon else None,
            "on_top": dict(sorted(line.on_top.items())),
            "weights": {farm: str(line.weights[farm]) for farm in self.farm_ids},
        }

    def _stratum(self, one: DrawnStratum) -> dict[str, Any]:
        share = Fraction(sum(map(self.line.weights.__getitem__, one.order)), sum(self.line.weights.values()))
        return {
            "name": one.name,
            "traits": {"crop": one.crop},
            "farms": len(one.order),
            "drawn": one.draw,
            "audited_before": sum(farm in self.request.seen for farm in one.order),
            "chance": {"share_of_weight": shown(share)},
            "sample": list(one.drawn),
            "next_in_line": list(one.waiting),
        }


def draw_sample(request: SampleRequest) -> Sample:
    """Draw by bushels from a list that was frozen before the seed (interpretation 73).

    Raises:
        ProblemsError: no farms, a size outside minimum and population, an added farm that is unknown or has no reason;
            the list or the earlier audits are not the frozen ones, or the seed cannot be opened.
    """
    _check(request)
    population, frozen = request.population, request.frozen
    if (frozen.population_hash, frozen.farms) != (population.sha256, len(population.farms)):
        cause = "The farms are not those that were frozen before the seed was known."
        raise refuse("farm list", cause, "Use the list that was frozen.", cite=f"{CITE}(i)", code="other_farms")
    if frozen.history_hash != history_hash(request.audited):
        cause = "The earlier audits are not those that were frozen before the seed was known."
        raise refuse("audited before", cause, "Use the list that was frozen.", cite=CITE, code="other_history")
    seed, risks = seed_of(frozen, request.opened), assess_by_bushels(population)
    count = request.size or minimum_farms(len(population.farms))
    line = line_up(population, risks, Draw(seed, frozen.year, count, request.seen))
    crop = {farm.farm_id: main_crop(farm) for farm in population.farms}
    place = {farm_id: number for number, farm_id in enumerate(line.order)}
    groups: dict[str, list[str]] = {}
    for farm_id, name in crop.items():
        groups.setdefault(name, []).append(farm_id)
    drawn = Counter(crop[farm_id] for farm_id in line.order[:count])
    lines = tuple(
        DrawnStratum(name, tuple(sorted(own, key=place.__getitem__)), drawn[name])
        for name, own in sorted(groups.items())
    )
    return Sample(request, risks, lines, line, seed)


def _check(request: SampleRequest) -> None:
    farms = len(request.population.farms)
    if not farms:
        raise refuse(
            "farm list", "There is no farm to draw from.", "List every farm that supplied reduced-CI crop.", cite=CITE
        )
    least = minimum_farms(farms)
    if request.size is not None and not least <= request.size <= farms:
        cause = f"A sample of {request.size} was asked for; {farms} farms allow {least} to {farms}."
        raise refuse("size", cause, "Leave the size out, or ask for a number in between.", cite=f"{CITE}(ii)")
    known = {farm.farm_id for farm in request.population.farms}
    wrong = [name for name, why in sorted(request.added.items()) if name not in known or not why.strip()]
    if wrong:
        cause = f"Added by judgment, but not in the population or without a reason: {', '.join(wrong)}."
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
