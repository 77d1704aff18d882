"""The farm sample of an audit, and the file from which anyone can draw it again (2100.040(a)(3)).

The order of events is the safeguard: list and commitments are frozen, then the parts of the seed are opened, the
audited party's first; from both the sample follows, and elevator, verifier and USDA can redraw it. The verifier may
draw more than the minimum and add farms by judgement, with a reason; nobody removes a drawn farm.

A draw is made once a year for a point. One that is begun anew, by another verifier too, carries every list that was
frozen before, so that nobody gains by breaking off: what an earlier list drew stays in the sample, and where its
verifier can have known that and keeps its part closed, every farm is in it (interpretation 88).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, Final

from provender.audit.outcome import brief
from provender.audit.sampling import draw as drawing
from provender.audit.sampling.population import FarmCrop, Population, Proof, freeze, minimum_farms, years_shown
from provender.days import says
from provender.exact import Bushels, half_even, show
from provender.problem import Place, Problem, ProblemsError, counted, refuse
from provender.rule.law import rule_version
from provender.schema import read, write

KIND: Final = "provender/farm-sample"
CITE: Final = "2100.040(a)(3)"


@dataclass(frozen=True)
class SampleRequest:
    """Everything the draw depends on."""

    population: Population  # the frozen farms
    frozen: drawing.Frozen  # what was fixed before the seed was known
    opened: drawing.Opened = field(default_factory=drawing.Opened)  # what the seed is made of
    proofs: tuple[Proof, ...] = ()  # of earlier audits of this point
    size: int | None = None  # farms the verifier wants, at least the minimum; the minimum where None
    added: Mapping[str, str] = field(default_factory=dict)  # farm -> why the verifier adds it to the draw by judgement
    # what was frozen before for this point and year, oldest first
    earlier: tuple["SampleRequest", ...] = ()

    @cached_property
    def audited(self) -> Mapping[str, tuple[int, ...]]:
        """Farm -> years in which an audit saw it, as far as it is proved; farms that supply nothing now as well.

        Raises:
            ProblemsError: a proof cannot stand.
        """
        return years_shown(self.proofs, self.frozen.audited, self.frozen.year, self.frozen.frozen_on)

    @property
    def seen(self) -> dict[str, int]:
        """Farm -> last year audited, for farms of the population."""
        ids = {farm.farm_id for farm in self.population.farms}
        return {farm_id: max(years) for farm_id, years in self.audited.items() if farm_id in ids and years}

    @property
    def draw(self) -> drawing.Draw:
        """How the farms of this list are drawn, whatever the seed."""
        version = rule_version(self.frozen.frozen_on)
        first = self.frozen.year - version.audited_before_years
        lately = frozenset(farm for farm, year in self.seen.items() if year >= first)
        count = self.size or minimum_farms(len(self.population.farms))
        return drawing.Draw(self.frozen.year, count, lately, version.audited_before_pct, len(self.added))

    def document(self) -> dict[str, Any]:
        """Return plain data, from which ``read_request`` makes it again."""
        return {
            "population": [row.document() for row in self.population.rows],
            "frozen": self.frozen.document(),
            "opened": write(self.opened, whole=True),
            **({"proofs": [write(one, whole=True) for one in self.proofs]} if self.proofs else {}),
            "size_asked": self.size,
            "added": dict(sorted(self.added.items())),
        }


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
        return self.order[: self.draw]

    @property
    def waiting(self) -> tuple[str, ...]:
        """The farms next in line, should the sample be extended."""
        return self.order[self.draw :]


@dataclass(frozen=True, slots=True)
class EarlierList:
    """A list that was frozen before for the same point and year, and what became of it."""

    frozen_hash: str
    frozen_on: date
    farms: int
    is_drawn: bool  # its seed is open
    is_known: bool  # the verifier can have known what it draws when the next list was frozen
    sample: tuple[str, ...]  # the farms it drew; none where its seed is closed
    verifier: str = ""  # whose list it was, where the next one is another verifier's; else empty

    @property
    def asks_for_all(self) -> bool:
        """Tell whether nobody can show which farms it drew, though its verifier can have known."""
        return self.is_known and not self.is_drawn

    def __str__(self) -> str:
        """Say it as sample and statement print it: a statement names no farm (interpretation 45)."""
        by = f" by another verifier, {self.verifier}" if self.verifier else ""
        what = f"The farms were frozen before{by}, on {self.frozen_on} ({self.farms} farms, {self.frozen_hash[:12]})"
        if self.is_drawn:
            return f"{what}; what that list drew stays in the sample: {counted(len(self.sample), 'farm')}."
        if self.asks_for_all:
            return f"{what}; the verifier's part of its seed stays closed, so every farm is in the sample."
        return f"{what}; nobody could know what that list would draw."


@dataclass(frozen=True, slots=True)
class Sample:
    """A draw: the request, the risks, the lines of each stratum and of all farms, the seed."""

    request: SampleRequest
    risks: Mapping[str, drawing.Risk]
    lines: tuple[DrawnStratum, ...]
    line: drawing.Line
    seed: str
    earlier: tuple[EarlierList, ...]

    @property
    def minimum(self) -> int:
        """The square root of the number of farms, rounded up."""
        return minimum_farms(len(self.request.population.farms))

    @property
    def staying(self) -> frozenset[str]:
        """Farms that are in the sample because of a list frozen before."""
        here = frozenset(farm.farm_id for farm in self.request.population.farms)
        if any(one.asks_for_all for one in self.earlier):
            return here
        return here & {farm for one in self.earlier for farm in one.sample}

    @property
    def farm_ids(self) -> list[str]:
        """All farms of the sample, in the order of their ids: drawn, on top, staying, and added by judgement."""
        drawn = {farm_id for one in self.lines for farm_id in one.drawn}
        return sorted(drawn | self.line.on_top.keys() | self.request.added.keys() | self.staying)

    def document(self) -> dict[str, Any]:
        """Return request and draw as plain data; ``sample_document`` adds decisions and tables to it."""
        request, frozen, line = self.request, self.request.frozen, self.line
        farms = len(request.population.farms)
        return {
            "kind": KIND,
            "method": drawing.METHOD,
            "cite": CITE,
            "farms": farms,
            "minimum": self.minimum,
            "seed": self.seed,
            "population_hash": request.population.sha256,
            "sample": self.farm_ids,
            "strata": [self._stratum(one) for one in self.lines],
            "audited_before": {name: sorted(years) for name, years in sorted(request.audited.items())},
            "audited_lately": sorted(request.draw.lately),
            "kept_pct": show(request.draw.kept_pct),
            "risk": [self.risks[farm].document() for farm in self.farm_ids],
            "year": frozen.year,
            "frozen_hash": frozen.sha256,
            "refused": drawing.refused(frozen, request.opened),
            "beacon_is": "stated" if frozen.beacon else None,
            "on_top": dict(sorted(line.on_top.items())),
            "weights": {farm: str(line.weights[farm]) for farm in self.farm_ids},
            "earlier": [one.document() for one in request.earlier],
            "earlier_lists": [write(one, whole=True) | {"said": str(one)} for one in self.earlier],
            "staying": sorted(self.staying),
            **request.document(),
        }

    def _stratum(self, one: DrawnStratum) -> dict[str, Any]:
        share = Fraction(sum(map(self.line.weights.__getitem__, one.order)), sum(self.line.weights.values()))
        return {
            "name": one.name,
            "traits": {"crop": one.crop},
            "farms": len(one.order),
            "drawn": one.draw,
            "audited_before": sum(farm in self.request.seen for farm in one.order),
            "chance": {"share_of_weight": drawing.shown(share)},
            "sample": list(one.drawn),
            "next_in_line": list(one.waiting),
        }


def draw_notes(document: Mapping[str, Any]) -> list[str]:
    """Return what everybody who reads a sample, or a statement that rests on it, is told of its draw."""
    notes = [
        f"The {side} party did not open its part of the seed by {document['opened']['on']}; the verifier's alone draws."
        for side in document["refused"]
    ]
    if beacon := document["frozen"]["beacon"]:
        notes.append(f"The seed is of {beacon['source']}, round {beacon['round']}; its value is stated.")
    if lately := document["audited_lately"]:
        who = counted(len(lately), "farm was", "farms were")
        kept = document["kept_pct"]
        notes.append(f"{who} audited lately, by statements shown, and drawn with {kept} % of the weight.")
    return [*notes, *(str(one["said"]) for one in document["earlier_lists"])]


def notes_ahead(request: SampleRequest) -> list[str]:
    """Return what is told of a draw to come: what became of the lists frozen before; errors as ``draw_sample``."""
    return [str(one) for one in _earlier(request)]


def draw_sample(request: SampleRequest) -> Sample:
    """Draw by bushels from a list that was frozen before the seed (interpretation 73).

    Raises:
        ProblemsError: no farms, a size outside minimum and population, an added farm that is unknown or has no reason;
            the list or the earlier audits are not the frozen ones, the seed cannot be opened, or lists frozen before
            are not those that the list names.
    """
    return _drawn(request, _earlier(request))


def _drawn(request: SampleRequest, earlier: tuple[EarlierList, ...]) -> Sample:
    _check(request)
    population = request.population
    seed, risks = drawing.seed_of(request.frozen, request.opened), drawing.assess_by_bushels(population)
    line = drawing.Drawing(population, risks, request.draw).line(seed)
    crop = {farm.farm_id: drawing.main_crop(farm) for farm in population.farms}
    place = {farm_id: number for number, farm_id in enumerate(line.order)}
    groups: dict[str, list[str]] = {}
    for farm_id, name in crop.items():
        groups.setdefault(name, []).append(farm_id)
    drawn = Counter(crop[farm_id] for farm_id in line.order[: line.drawn])
    lines = tuple(
        DrawnStratum(name, tuple(sorted(own, key=place.__getitem__)), drawn[name])
        for name, own in sorted(groups.items())
    )
    return Sample(request, risks, lines, line, seed, earlier)


def _earlier(request: SampleRequest) -> tuple[EarlierList, ...]:
    """Return what became of the lists frozen before.

    Raises:
        ProblemsError: they are not those that the frozen list names, one leaves out an earlier one of its own verifier,
            or they are not of this point and year, or the order of their days is wrong.
    """
    frozen = request.frozen
    lists = [one.frozen for one in request.earlier]
    marks = tuple(one.sha256 for one in lists)
    # A verifier knows its own lists; another's it may have heard of later.
    chained = all(
        {one.sha256 for one in lists[:at] if one.verifier == each.verifier} <= {*each.earlier} <= {*marks[:at]}
        for at, each in enumerate(lists)
    )
    if frozen.earlier != marks or not chained:
        cause = f"The list names {len(frozen.earlier)} frozen before; {len(lists)} are shown, or they are others."
        raise refuse("earlier lists", cause, "Show each as it was frozen.", cite=CITE, code="earlier_not_carried")
    same = {(one.audited, one.year) for one in (*lists, frozen)}
    days = [one.frozen_on for one in (*lists, frozen)]
    if len(same) > 1 or days != sorted(days):
        cause = "A list frozen before is of another point or year, or of a later day."
        raise refuse(
            "earlier lists", cause, "Show those of this point, oldest first.", cite=CITE, code="earlier_of_other"
        )
    return tuple(_became(one, day, frozen.verifier) for one, day in zip(request.earlier, days[1:], strict=True))


def _became(one: SampleRequest, next_on: date, verifier: str) -> EarlierList:
    """Return what became of a list when the next was frozen; one without its farms was never drawn."""
    opened = one.opened if one.frozen.beacon else replace(one.opened, on=one.opened.on or next_on)
    known = drawing.can_be_known(one.frozen, opened, next_on)
    drawn: tuple[str, ...] = ()
    try:
        if one.population.farms:
            drawn = tuple(_drawn(replace(one, opened=opened), ()).farm_ids)
    except ProblemsError as closed:
        if any(problem.code not in CLOSED for problem in closed.problems):
            raise
    former = "" if one.frozen.verifier == verifier else one.frozen.verifier
    return EarlierList(one.frozen.sha256, one.frozen.frozen_on, one.frozen.farms, bool(drawn), known, drawn, former)


CLOSED: Final = frozenset({"nothing_opened", "verifier_not_opened", "party_not_opened", "no_beacon_value"})
"""Why the seed of a list is not known."""


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
    if (request.frozen.population_hash, request.frozen.farms) != (request.population.sha256, farms):
        cause = "The farms are not those that were frozen before the seed was known."
        raise refuse("farm list", cause, "Use the list that was frozen.", cite=f"{CITE}(i)", code="other_farms")
    if request.frozen.history_hash != drawing.history_hash(request.audited):
        cause = "The earlier audits are not those that were proved when the farms were frozen."
        raise refuse("audited before", cause, "Give the proofs of then.", cite=CITE, code="other_history")


@lru_cache(maxsize=8)
def _mirror(
    population: Population, draw: drawing.Draw, sample: frozenset[str], last: tuple[tuple[str, int], ...]
) -> tuple[int, dict[str, Any]]:
    """Return the table of ``representation``; kept, since a page asks for the same sample several times."""
    return drawing.representation(
        drawing.Drawing(population, drawing.assess_by_bushels(population), draw), sample, dict(last)
    )


# What the verifier does with a drawn farm: full visit, borrowed or partial audit; a failure extends the sample.

_DRAWN_FARMS_CITE = "2100.040(b)(2)"


class Extent(StrEnum):
    """How much of the audit is done again."""

    EXEMPT = "exempt"
    """The borrowed audit stands for all of it."""
    PARTIAL = "partial"
    """The borrowed audit stands for a part; ``still_to_do`` says what remains."""


@dataclass(frozen=True, slots=True)
class Treatment:
    """The verifier's decision about one drawn farm."""

    farm_id: str  # the farm
    extent: Extent  # exempt or partial
    borrowed_audit: str  # where the completed audit is found: its statement's number or hash
    verifier: str  # the accredited verifier that completed it
    year: int  # the year that audit covers; it must be the year of this audit
    reason: str  # why the verifier accepts it
    decided_by: str  # the person who decided
    decided_on: date  # the day
    still_to_do: str = ""  # for a partial audit, what is audited all the same


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
            problems.append(Problem(place, f"Farm {one.farm_id} {cause}", remedy, _DRAWN_FARMS_CITE, code="not_drawn"))
        if one.farm_id in done:
            cause = f"Farm {one.farm_id} has two decisions."
            problems.append(Problem(place, cause, "Keep the one that holds.", _DRAWN_FARMS_CITE, code="decided_twice"))
        done.add(one.farm_id)
        if one.year != year:
            cause = f"The borrowed audit of farm {one.farm_id} covers {one.year}, this audit {year}."
            remedy = "Audit the farm, or name an audit of the same year."
            problems.append(Problem(place, cause, remedy, _DRAWN_FARMS_CITE, code="other_year"))
        gaps = [name for name in ("borrowed_audit", "verifier", "reason", "decided_by") if not says(getattr(one, name))]
        gaps += ["still_to_do"] if one.extent is Extent.PARTIAL and not says(one.still_to_do) else []
        if gaps:
            cause = f"The decision about farm {one.farm_id} does not say: {', '.join(gaps)}."
            remedy = "Fill it in: the reason stays with the sample."
            problems.append(Problem(place, cause, remedy, _DRAWN_FARMS_CITE, code="decision_incomplete"))
    return problems


@dataclass(frozen=True, slots=True)
class Failure:
    """The verifier's decision after a farm failed."""

    farm_id: str  # a farm of the sample, or of an earlier extension
    reason: str  # what failed, with the number of its finding
    decided_by: str  # the person who decided
    decided_on: date  # the day
    more: int | None = None  # farms to add; None for as many as the stratum drew. 0 needs a reason as any number does.


@dataclass(frozen=True, slots=True)
class Extension:
    """What one failure led to."""

    decision: Failure
    stratum: str  # name of the failed farm's stratum
    added: tuple[str, ...]  # farms that join the sample, in line order; fewer than asked for where no farm is left
    held_bushels: Bushels  # of the failed farm, not to be sold as reduced-CI until it is resolved
    unseen_bushels: Bushels  # of the stratum's farms that nobody looks at
    failed: int  # farms of the stratum that failed so far, and that are looked at
    looked_at: int  # farms of the stratum that failed so far, and that are looked at

    @property
    def extrapolated_bushels(self) -> int:
        """Bushels of unseen farms the failures may reach: unseen bushels x failed / looked at, half even."""
        reach = Fraction(self.unseen_bushels * self.failed, self.looked_at)
        return half_even(reach.numerator, reach.denominator)

    def document(self) -> dict[str, Any]:
        return {**write(self, whole=True), "extrapolated_bushels": show(self.extrapolated_bushels)}


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
        _drawn_farms_check(failure, taken, failed)
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


def _drawn_farms_check(failure: Failure, taken: set[str], failed: set[str]) -> None:
    if failure.farm_id not in taken or failure.farm_id in failed:
        cause = f"Farm {failure.farm_id} is not in the sample, or its failure was decided before."
        raise refuse("extension", cause, "Name a farm of the sample once.", code="not_in_sample")
    if not failure.reason.strip() or not failure.decided_by.strip() or (failure.more or 0) < 0:
        cause = f"The decision about farm {failure.farm_id} lacks its reason, its author, or a number of farms."
        raise refuse("extension", cause, "Say what failed and who decided.", code="decision_incomplete")


# The sample as a file that stands alone: written whole, drawn again from itself, compared.
#
# The file holds the population, the seed, earlier audits, the verifier's decisions and what came out of them.
# ``redraw`` uses only the former to make the latter again; ``check`` lists every difference.

FILE = "farm sample"
PATH: Final = "audit/sample.json"
"""Where it lies in a package."""


def sample_document(
    sample: Sample, *, treatments: Iterable[Treatment] = (), failures: Iterable[Failure] = ()
) -> dict[str, Any]:
    """Return the whole sample file as plain data, ready for ``canonical_json``; failures come in their order.

    Raises:
        ProblemsError: a decision that cannot stand.
    """
    decided = list(treatments)
    extensions = extend(sample, failures)
    farm_ids = sorted({*sample.farm_ids, *(farm for one in extensions for farm in one.added)})
    problems = check_treatments(decided, farm_ids, sample.request.frozen.year, FILE)
    if problems:
        raise ProblemsError(problems)
    request = sample.request
    last = tuple(sorted(request.seen.items()))
    rounds, mirror = _mirror(request.population, request.draw, frozenset(farm_ids), last)
    return sample.document() | {
        "risk": [sample.risks[farm].document() for farm in farm_ids],
        "sample": farm_ids,
        "detection": drawing.table(len(request.population.farms), len(farm_ids)),
        "representation": mirror,
        "trial_draws": rounds,
        "treatments": [write(one, whole=True) for one in sorted(decided, key=lambda one: one.farm_id)],
        "extensions": [one.document() for one in extensions],
    }


def read_request(document: Mapping[str, Any]) -> SampleRequest:
    """Read what ``SampleRequest.document`` wrote, with the lists frozen before that a sample file carries.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: a part is missing or not of its kind.
    """
    return SampleRequest(
        freeze(read(FarmCrop, row) for row in document["population"]),
        drawing.Frozen.read(document["frozen"]),
        read(drawing.Opened, document["opened"]),
        tuple(read(Proof, one) for one in document.get("proofs", ())),
        document["size_asked"],
        document["added"],
        tuple(map(read_request, document.get("earlier", ()))),
    )


def redraw(document: Mapping[str, Any]) -> dict[str, Any]:
    """Draw the sample again from what its own file says, and return the whole file anew.

    Raises:
        ProblemsError: it is no sample file, was drawn by another method, or states a request that is refused.
    """
    if document.get("kind") != KIND or document.get("method") != drawing.METHOD:
        cause = f"This is no farm sample drawn by method {drawing.METHOD}."
        raise refuse(FILE, cause, "Use the program version that the file names.", cite=CITE, code="other_method")
    try:
        request = read_request(document)
        treatments = [read(Treatment, one) for one in document["treatments"]]
        failures = [read(Failure, one["decision"]) for one in document["extensions"]]
        sample = draw_sample(request)
    except (KeyError, TypeError, ValueError, AttributeError) as trouble:
        cause = f"The file cannot be drawn again: {type(trouble).__name__}, {trouble}."
        raise refuse(FILE, cause, "Ask the verifier for the file as it was written.", cite=CITE) from None
    return sample_document(sample, treatments=treatments, failures=failures)


def check_sample(document: Mapping[str, Any], population_hash: str | None = None) -> list[Problem]:
    """Draw a sample file again and list what differs.

    Args:
        document: the file.
        population_hash: the hash frozen before the seed was committed, where the checker holds it.

    Returns:
        One problem for each part that differs; none when the file stands.
    """
    try:
        again = redraw(document)
    except ProblemsError as refused:
        return list(refused.problems)
    problems = []
    if population_hash is not None and population_hash not in (again["population_hash"], again.get("frozen_hash")):
        cause = "The farms are not those that were frozen before the seed was committed."
        problems.append(_differs("population", cause, f"frozen {population_hash}"))
    for part in sorted(again.keys() | document.keys()):
        # A part that is nothing stands in the file all the same; one that is gone was taken out.
        if part not in document or again.get(part) != document[part]:
            cause = f"Drawn again, {part} is {_brief(again.get(part))}; the file says {_brief(document.get(part))}."
            problems.append(_differs(part, cause, "the draw follows from population and seed"))
    return problems


def _differs(part: str, cause: str, why: str) -> Problem:
    remedy = f"Ask who changed it; {why}."
    return Problem(Place(FILE, column=part), cause, remedy, CITE, code="sample_differs")


def _brief(value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) > 12:  # noqa: PLR2004 - one line of text
        return f"{len(value)} entries"
    return brief(value)
