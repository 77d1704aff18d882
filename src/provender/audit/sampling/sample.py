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
from provender.audit.sampling.draw_order import NEVER, Queue, line
from provender.audit.sampling.population import Farm, Population, minimum_farms
from provender.audit.sampling.risk import Risk, assess
from provender.audit.sampling.seed import Frozen, Opened, history_hash, refused, seed_of
from provender.audit.sampling.strata import Stratum, stratify
from provender.audit.sampling.weighted import METHOD, Draw, Line, assess_by_bushels, line_up, main_crop
from provender.problem import refuse

KIND: Final = "provender/farm-sample"
OLD_METHOD: Final = "2026-11"
"""Version of the rules in ``risk``, ``strata`` and ``draw_order``; a file is redrawn by the method it names."""
CITE: Final = "2100.040(a)(3)"


@dataclass(frozen=True, slots=True)
class SampleRequest:
    """Everything the draw depends on.

    Attributes:
        population: the frozen farms.
        seed: by the method of before, what the verifier committed after the population was frozen.
        audited: farm -> years in which an audit saw it; farms outside the population are ignored.
        size: farms the verifier wants, at least the minimum; the minimum where None.
        added: farm -> why the verifier adds it to the draw by judgement.
        frozen: what was fixed before the seed was known; None for a draw by the method of before.
        opened: what the seed is made of.
    """

    population: Population
    seed: str = ""
    audited: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    size: int | None = None
    added: Mapping[str, str] = field(default_factory=dict)
    frozen: Frozen | None = None
    opened: Opened = field(default_factory=Opened)

    @property
    def method(self) -> str:
        """The version of the rules by which it is drawn."""
        return OLD_METHOD if self.frozen is None else METHOD

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
    line: Line | None = None

    @property
    def minimum(self) -> int:
        """The square root of the number of farms, rounded up."""
        return minimum_farms(len(self.request.population.farms))

    @property
    def farm_ids(self) -> list[str]:
        """All farms of the sample, in the order of their ids: drawn, on top of them, and added by judgement."""
        on_top = self.line.on_top.keys() if self.line else ()
        drawn = {farm_id for one in self.lines for farm_id in one.drawn}
        return sorted(drawn | {*on_top} | self.request.added.keys())

    def document(self) -> dict[str, Any]:
        """Return request and draw as plain data; ``sample_file`` adds decisions and tables to it."""
        request = self.request
        farms = len(request.population.farms)
        return {
            "kind": KIND,
            "method": request.method,
            "cite": CITE,
            "farms": farms,
            "minimum": self.minimum,
            "size_asked": request.size,
            "seed": request.seed if request.frozen is None else seed_of(request.frozen, request.opened),
            "population_hash": request.population.sha256,
            "sample": self.farm_ids,
            "added": dict(sorted(request.added.items())),
            "strata": [self._stratum(one) for one in self.lines],
            "audited_before": {name: sorted(years) for name, years in sorted(request.audited.items())},
            "risk": [self.risks[farm].document() for farm in self._told],
            "population": [row.document() for row in request.population.rows],
        } | self._bound()

    @property
    def _told(self) -> Iterable[str]:
        """Farms whose risk stands in the file: by the method of before all, else those of the sample."""
        return (farm.farm_id for farm in self.request.population.farms) if self.line is None else self.farm_ids

    def _bound(self) -> dict[str, Any]:
        """Return what proves the order of events and shows the weights; nothing by the method of before."""
        frozen, line = self.request.frozen, self.line
        if frozen is None or line is None:
            return {}
        return {
            "year": frozen.year,
            "frozen": frozen.document(),
            "frozen_hash": frozen.sha256,
            "opened": self.request.opened.document(),
            "refused": refused(frozen, self.request.opened),
            "beacon_is": "stated" if frozen.beacon else None,
            "on_top": dict(sorted(line.on_top.items())),
            "weights": {farm: str(line.weights[farm]) for farm in self.farm_ids},
        }

    def _stratum(self, one: DrawnStratum) -> dict[str, Any]:
        if self.line is not None:
            share = Fraction(sum(map(self.line.weights.__getitem__, one.order)), sum(self.line.weights.values()))
            return one.stratum.document() | {
                "audited_before": sum(farm in self.request.seen for farm in one.order),
                "chance": {"share_of_weight": shown(share)},
                "sample": list(one.drawn),
                "next_in_line": list(one.waiting),
            }
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
    if request.frozen is not None:
        return _by_weight(request, request.frozen)
    farms = len(request.population.farms)
    risks = assess(request.population)
    seen = request.seen
    wanted = minimum_farms(farms) if request.size is None else request.size
    strata = stratify(request.population, risks, wanted, frozenset(seen))
    lines = (DrawnStratum(one, tuple(line((farm.farm_id for farm in one.farms), request.seed, seen))) for one in strata)
    return Sample(request, risks, tuple(lines))


def _by_weight(request: SampleRequest, frozen: Frozen) -> Sample:
    """Draw by bushels from a list that was frozen before the seed (interpretation 73).

    Raises:
        ProblemsError: the list or the earlier audits are not the frozen ones, or the seed cannot be opened.
    """
    population = request.population
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
    groups: dict[str, list[Farm]] = {}
    for farm in population.farms:
        groups.setdefault(crop[farm.farm_id], []).append(farm)
    drawn = Counter(crop[farm_id] for farm_id in line.order[:count])
    lines = tuple(
        DrawnStratum(
            Stratum({"crop": name}, tuple(own), drawn[name]),
            tuple(sorted((farm.farm_id for farm in own), key=place.__getitem__)),
        )
        for name, own in sorted(groups.items())
    )
    return Sample(request, risks, lines, line)


def _check(request: SampleRequest) -> None:
    farms = len(request.population.farms)
    if not farms:
        raise refuse(
            "farm list", "There is no farm to draw from.", "List every farm that supplied reduced-CI crop.", cite=CITE
        )
    if request.frozen is None and (not request.seed.strip() or not request.seed.isprintable()):
        raise refuse("seed", "The seed is empty or not printable.", "Commit a number or a short text.", cite=CITE)
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
