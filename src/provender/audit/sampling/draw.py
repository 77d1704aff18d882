"""A risk score anyone can add up: whole points per sign, each with its reason (2100.040(a)(3)(iii)).

The rule asks for a sample that mirrors the risk of non-conformity or fraud and gives no measure. These points are the
project's, not the law's: they use only what the farm list says, every part is shown, and a sign that nobody stated
gives no points and is listed as unknown. Ratios are compared by cross-multiplication of whole numbers.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from fractions import Fraction
from hashlib import sha256
from math import comb
from typing import Any, Final

from provender.audit.outcome import read_marked
from provender.audit.sampling.population import Farm, FarmCrop, Population, minimum_farms
from provender.exact import SCALE, ceil_div, half_even, show
from provender.problem import ProblemsError, refuse
from provender.schema import write
from provender.signing.canonical import document_hash, is_hash

_ELEVATED: Final = 20
_HIGH: Final = 40
_BANDS: Final = ("low", "elevated", "high")


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
        return sum(part.points for part in self.parts)

    @property
    def band(self) -> str:
        """``low``, ``elevated`` from 20 points, ``high`` from 40."""
        return _BANDS[(self.score >= _ELEVATED) + (self.score >= _HIGH)]

    def document(self) -> dict[str, Any]:
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
# - **Weight**: the farm's bushels in whole thousandths, times 1, 2 or 4 for low, elevated or high risk, times 100, or
#   the percentage of the version for a farm that is proved to have been audited lately.
# - **Place in line**: ticket x 2^64 / weight, cut to a whole number; ties by id. The first ``k`` are drawn.
# - **On top**: for every crop, then for each third of the farms by bushels where the sample holds three farms or more,
#   then for every risk band, state and county with at least 1/k of all bushels, the first in line that has it joins the
#   sample where no drawn farm has it. Nobody gives up a place for these. Whoever asks for more farms than the least
#   keeps those that stand on top of the least: choosing a number takes no farm out.
#
# A farm of a thousandth of the bushels has a thousandth of the weight, so farms invented to dilute the list change the
# chance of nobody; they only raise the number of farms to draw. Of two farms of a third alike in all but bushels the
# larger one is never behind with the same ticket, so its chance is at least as large.

METHOD: Final = "2027-01"
_FACTOR: Final = {_BANDS[0]: 1, _BANDS[1]: 2, _BANDS[2]: 4}
_WHOLE_PCT: Final = 100 * 10**SCALE
PLACES: Final = 2**64
_THOUSAND: Final = 1000
_SIZES: Final = ("small", "middle", "large")
_SIZE: Final = "size"
_FROM_THREE: Final = 3
"""Farms from which on a sample holds one of each third."""
TICKETS: Final = 30_000
"""How many tickets chances are counted over: so many trial draws as this holds the farms, at least one."""
_MOST_DRAWS: Final = 1_000


def ticket(population_hash: str, seed: str, year: int, farm_id: str) -> int:
    """Return the farm's ticket as a number below 2^256."""
    lines = (METHOD, population_hash, seed, str(year), farm_id)
    return int.from_bytes(sha256("\n".join(lines).encode()).digest(), "big")


def weight(farm: Farm, band: str, kept_pct: int = _WHOLE_PCT) -> int:
    """Return the farm's weight, a whole number above zero; ``kept_pct`` in thousandths of a percent."""
    return farm.bushels * _FACTOR[band] * kept_pct


@dataclass(frozen=True, slots=True)
class Line:
    """Who is drawn by weight."""

    order: tuple[str, ...]  # every farm's id, in line
    drawn: int  # how many of them are drawn
    on_top: Mapping[str, str]  # farm -> which crop, size, risk, state or county it stands for
    weights: Mapping[str, int]  # by farm


@dataclass(frozen=True, slots=True)
class Draw:
    """What the line depends on beside the farms and the seed."""

    year: int
    count: int  # farms drawn, at least the least that the rule allows
    lately: frozenset[str] = frozenset()  # farms proved to have been audited lately
    kept_pct: int = _WHOLE_PCT  # of their weight, which these keep; in thousandths
    added: int = 0  # farms that the verifier adds by judgment: they count towards the three


def in_line(population_hash: str, seed: str, year: int, weights: Mapping[str, int]) -> tuple[str, ...]:
    """Return farms by ticket for their weight, the smallest first."""

    def place(farm_id: str) -> tuple[int, str]:
        return ticket(population_hash, seed, year, farm_id) * PLACES // weights[farm_id], farm_id

    return tuple(sorted(weights, key=place))


def sizes_of(population: Population) -> dict[str, str]:
    """Return the third of each farm: by number, ordered by bushels, ties by id; farms left over are the smallest."""
    ordered = sorted(population.farms, key=lambda farm: (farm.bushels, farm.farm_id))
    third = len(ordered) // 3
    smallest = len(ordered) - 2 * third
    return {farm.farm_id: _SIZES[(at >= smallest) + (at >= smallest + third)] for at, farm in enumerate(ordered)}


class Drawing:
    """The farms of one draw with their weights and traits, from which any seed draws."""

    def __init__(self, population: Population, risks: Mapping[str, Risk], draw: Draw) -> None:
        self.population, self.draw = population, draw
        size = sizes_of(population)
        self.weights = {
            farm.farm_id: weight(
                farm, risks[farm.farm_id].band, draw.kept_pct if farm.farm_id in draw.lately else _WHOLE_PCT
            )
            for farm in population.farms
        }
        traits: dict[str, Callable[[Farm], Iterable[str]]] = {
            "crop": lambda farm: [row.crop for row in farm.crops],
            _SIZE: lambda farm: [size[farm.farm_id]],
            "risk": lambda farm: [risks[farm.farm_id].band],
            "state": lambda farm: [farm.state_fips],
            "county": lambda farm: [farm.county_fips],
        }
        self.of = {
            trait: {farm.farm_id: frozenset(values(farm)) for farm in population.farms}
            for trait, values in traits.items()
        }
        self.bushels = {trait: Counter[str]() for trait in traits}
        for farm in population.farms:
            for trait, farms in self.of.items():
                self.bushels[trait].update(dict.fromkeys(farms[farm.farm_id], farm.bushels))
        self.total = sum(farm.bushels for farm in population.farms)

    def line(self, seed: str) -> Line:
        order = in_line(self.population.sha256, seed, self.draw.year, self.weights)
        on_top: dict[str, str] = {}
        for count in sorted({minimum_farms(len(order)), self.draw.count}):
            for trait in self.of:
                self._see(trait, order, count, on_top)
            self._see(_SIZE, order, count, on_top, self.draw.added)
        on_top = {farm: trait for farm, trait in on_top.items() if farm not in order[: self.draw.count]}
        return Line(order, self.draw.count, on_top, self.weights)

    def _see(self, trait: str, order: Sequence[str], count: int, on_top: dict[str, str], more: int = 0) -> None:
        """Add the first in line of every value of a trait that no farm of the sample has."""
        sample = {*order[:count], *on_top}
        if trait == _SIZE and len(sample) + more < _FROM_THREE:
            return
        amounts, of = self.bushels[trait], self.of[trait]
        there = frozenset[str]().union(*(of[farm] for farm in sample))
        for value in sorted(amounts.keys() - there):
            large = amounts[value] * count >= self.total
            if (large or trait in ("crop", _SIZE)) and not any(value in of[farm] for farm in on_top):
                on_top[next(farm for farm in order if value in of[farm])] = f"{trait} {value}"

    def chances(self) -> tuple[int, dict[str, Fraction]]:
        """Count over trial draws with the seeds 1, 2, 3 ... how often each farm is drawn or joins on top.

        Returns:
            How many draws, and the share of them that held each farm.
        """
        rounds = min(max(1, TICKETS // len(self.weights)), _MOST_DRAWS)
        times = Counter[str]()
        for seed in range(1, rounds + 1):
            line = self.line(str(seed))
            times.update((*line.order[: line.drawn], *line.on_top))
        return rounds, {farm: Fraction(times[farm], rounds) for farm in self.weights}


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
        crop: Usual(_median(own, _per_acre), _median(own, lambda row: row.ci_g_per_bu)) for crop, own in by_crop.items()
    }


def _per_acre(row: FarmCrop) -> int:
    """Return bushels an acre in whole thousandths, cut."""
    return row.bushels * _THOUSAND // row.acres


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
            if _per_acre(row) * 100 > percent * known.yield_bu_per_ac:
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

_SHARES_PCT: Final = (5, 10, 20, 30, 50)
_CHANCES_PLACES: Final = 4


def chance_missed(farms: int, sample: int, bad: int) -> Fraction:
    """Return the chance to see none of ``bad`` non-conforming farms among ``farms`` in a sample, exact; 1 for none."""
    return Fraction(comb(farms - bad, sample), comb(farms, sample))


def shown(chance: Fraction) -> str:
    """Write a chance between 0 and 1 with four decimals, half even; 0 and 1 only where they are exact."""
    unit = 10**_CHANCES_PLACES
    nearest = half_even(chance.numerator * unit, chance.denominator)
    inner = min(max(nearest, 1), unit - 1) if 0 < chance < 1 else nearest
    return show(inner, _CHANCES_PLACES, places=_CHANCES_PLACES)


def table(farms: int, sample: int, shares_pct: Sequence[int] = _SHARES_PCT) -> list[dict[str, Any]]:
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


def representation(
    drawing: Drawing, sample: Collection[str], last_audit: Mapping[str, int]
) -> tuple[int, dict[str, dict[str, dict[str, Any]]]]:
    """Return how far a sample mirrors its farms, and what chance each had.

    Returns:
        Over how many trial draws chances were counted; and for each value of crop, size, risk, state, county and last
        audit how many farms have it, how many are in the sample, and the mean chance of these farms.
    """
    rounds, chances = drawing.chances()
    history = {farm: frozenset([str(last_audit.get(farm, "never"))]) for farm in chances}
    table: dict[str, dict[str, dict[str, Any]]] = {}
    for kind, of in {**drawing.of, "last_audit": history}.items():
        table[kind] = {}
        for value in sorted(frozenset[str]().union(*of.values())):
            farms = [farm for farm, values in of.items() if value in values]
            mean = sum((chances[farm] for farm in farms), Fraction(0)) / len(farms)
            drawn = sum(farm in sample for farm in farms)
            table[kind][value] = {"farms": len(farms), "sample": drawn, "chance": shown(mean)}
    return rounds, table


# Who makes the seed of the draw: two commitments opened after the farms are frozen, or a public beacon.

KIND: Final = "provender/frozen-farms"
_CITE: Final = "2100.040(a)(3)"
_LEAST_SECRET: Final = 22
"""Characters; a shorter one could be found from its commitment by trying."""
TIME_TO_OPEN: Final = timedelta(days=7)
"""How long after the freezing the audited party may open its part before that counts as its refusal."""
_MAY_LACK: Final = ("number", "earlier", "by_server")
"""What is left out where it is nothing."""


class Side(StrEnum):
    """Who commits to a part of the seed."""

    AUDITED = "audited"
    VERIFIER = "verifier"


@dataclass(frozen=True, slots=True)
class Beacon:
    """A public source of chance, named before its round."""

    source: str  # such as ``NIST Randomness Beacon 2.0``
    round: str  # which of its values counts, by number or time
    on: date  # the day of that round


@dataclass(frozen=True, slots=True)
class Frozen:
    """What is fixed before the seed is known."""

    population_hash: str  # of the list of farms; farms: how many
    farms: int
    year: int  # harvest year under audit
    history_hash: str  # of the earlier audits, farm to years
    frozen_on: date  # the day, as stated
    salt: str  # chance added when it is frozen, so that its hash is known to nobody before
    # SHA-256 of each side's secret; a side that made none is left out
    commitments: Mapping[Side, str] = field(default_factory=dict)
    beacon: Beacon | None = None  # in their place
    # ids of the point, which is drawn from once a year, and of the verifier
    audited: str = ""
    verifier: str = ""
    number: int = 0  # which freezing of an audit on a server, counted from 1
    # hashes of the lists frozen before for this point and year, oldest first: a draw begun anew
    earlier: tuple[str, ...] = ()
    by_server: tuple[Side, ...] = ()  # sides whose secret a server made and shows nobody before the draw

    @property
    def open_until(self) -> date:
        """The day from which a part of the audited party that is closed counts as its refusal."""
        return self.frozen_on + TIME_TO_OPEN

    def document(self) -> dict[str, Any]:
        """Return plain data; its hash is what the draw is bound to."""
        said = {name: value for name, value in write(self, whole=True).items() if value or name not in _MAY_LACK}
        return {"kind": KIND, **said}

    @property
    def sha256(self) -> str:
        """The hash of the frozen file."""
        return document_hash(self.document())

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Frozen":
        """Read what ``document`` wrote.

        Raises:
            KeyError, TypeError, ValueError: it is no frozen file.
        """
        return read_marked(cls, data, kind=KIND)


@dataclass(frozen=True, slots=True)
class Opened:
    """What the seed is made of once it is open: secrets by side, or the beacon's value."""

    secrets: Mapping[Side, str] = field(default_factory=dict)
    beacon_value: str = ""
    on: date | None = None  # the day on which the seed was made; needed where the audited party did not open


def freeze_list(
    population: Population,
    year: int,
    before: Mapping[str, tuple[int, ...]],
    source: Mapping[Side, str] | Beacon,
    *,
    between: tuple[str, str],
    day: date,
    salt: str,
    **more: Any,  # noqa: ANN401 - of ``Frozen``
) -> Frozen:
    """Return what is fixed before the seed is known.

    ``before`` names of each farm the years in which an audit saw it; ``between`` are the ids of the point and of the
    verifier; nobody could know the salt before.

    Raises:
        ProblemsError: as ``_check_frozen``.
    """
    beacon = source if isinstance(source, Beacon) else None
    made = {} if isinstance(source, Beacon) else source
    marks = population.sha256, len(population.farms), year, history_hash(before)
    audited, verifier = (name.strip() for name in between)
    frozen = Frozen(*marks, day, salt, made, beacon, audited, verifier, **more)
    _check_frozen(frozen)
    return frozen


def history_hash(audited: Mapping[str, tuple[int, ...]]) -> str:
    return document_hash({farm: sorted(years) for farm, years in audited.items()})


def commitment(secret: str) -> str:
    """Return what a side hands over before the farms are frozen.

    Raises:
        ProblemsError: the secret is short or not printable.
    """
    if len(secret) < _LEAST_SECRET or not secret.isprintable() or secret != secret.strip():
        cause = f"A secret of {len(secret)} characters can be found from its commitment, or it cannot be printed."
        remedy = f"Take {_LEAST_SECRET} characters or more: `provender audit seed` makes one."
        raise refuse("seed", cause, remedy, cite=_CITE, code="weak_secret")
    return sha256(secret.encode()).hexdigest()


def _check_frozen(frozen: Frozen) -> None:
    """Make sure that nobody can choose the seed after the list.

    Raises:
        ProblemsError: point or verifier is not named, one of the two did not commit, the two commitments are one, one
            is no hash, a beacon stands beside them, or its round is not after the day of freezing.
    """
    made = frozen.commitments
    if not frozen.audited or not frozen.verifier or frozen.audited == frozen.verifier:
        cause = "The list does not name the point and its verifier: a second draw for them could not be told."
        raise _refuse(cause, "Name both by their ids.", "list_of_nobody")
    if (frozen.beacon is not None) == bool(made):
        cause = "The seed comes from commitments or from a beacon; the list must name one of the two."
        raise _refuse(cause, "Commit first: `provender audit seed`.", "no_source_of_seed")
    if frozen.beacon is not None:
        beacon = frozen.beacon
        if not beacon.source.strip() or not beacon.round.strip() or beacon.on <= frozen.frozen_on:
            cause = f"The beacon has no source or round, or its day {beacon.on} is not after {frozen.frozen_on}."
            raise _refuse(cause, "Name a round that nobody can know yet.", "beacon_known")
        return
    if Side.VERIFIER not in made:
        cause = "The verifier made no commitment: after the list is known a seed could be chosen for it."
        raise _refuse(cause, "Commit, then freeze the farms.", "verifier_not_committed")
    if Side.AUDITED not in made:
        cause = "The audited party made no commitment: the verifier alone would know the draw from the freezing on."
        raise _refuse(cause, "Ask it to commit, or name a public beacon.", "party_not_committed")
    if not all(map(is_hash, made.values())):
        raise _refuse("A commitment is no SHA-256.", "Take it as it was written.", "no_commitment")
    if len(set(made.values())) != len(made):
        raise _refuse("Both commitments are the same: one was copied from the other.",
                      "Each side makes its own secret.", "commitment_copied")  # fmt: skip


def _refuse(cause: str, remedy: str, code: str) -> ProblemsError:
    return refuse("seed", cause, remedy, cite=_CITE, code=code)


def refused(frozen: Frozen, opened: Opened) -> list[str]:
    """Return the side whose part of the seed stayed closed."""
    return [] if frozen.beacon else [str(side) for side in Side if side not in opened.secrets]


def check_opening(frozen: Frozen, side: Side, secret: str) -> None:
    """Make sure that a secret opens the commitment of a side.

    Raises:
        ProblemsError: it does not.
    """
    if frozen.commitments.get(side) != sha256(secret.encode()).hexdigest():
        whose = "verifier" if side is Side.VERIFIER else "audited party"
        cause = f"The secret of the {whose} does not open its commitment."
        raise _refuse(cause, "Open with the secret that was committed.", "does_not_open")


def seed_of(frozen: Frozen, opened: Opened) -> str:
    """Return the seed: SHA-256 over the frozen hash and what was opened, each on a line; a closed part is empty.

    Raises:
        ProblemsError: the verifier's part is closed, the audited party's is and it has time left, a secret does not
            open its commitment, the beacon has no value, or the seed is older than the list.
    """
    _check_frozen(frozen)
    first = frozen.beacon.on if frozen.beacon else frozen.frozen_on
    if opened.on is not None and opened.on < first:
        raise _refuse(f"The seed is of {opened.on}, before {first}.", "Check the days.", "opened_too_early")
    if frozen.beacon is not None:
        if not opened.beacon_value.strip() or opened.secrets:
            cause = "The beacon's value is missing, or secrets stand in its place."
            raise _refuse(cause, "Give the value of the round.", "no_beacon_value")
        return sha256(f"{frozen.sha256}\n{opened.beacon_value.strip()}".encode()).hexdigest()
    for side, secret in opened.secrets.items():
        check_opening(frozen, side, secret)
    if opened.beacon_value or not opened.secrets:
        raise _refuse("No part of the seed is open.", "Open the verifier's, after the audited party's.",
                      "nothing_opened")  # fmt: skip
    if Side.VERIFIER not in opened.secrets:
        cause = "The verifier's part of the seed is closed; the audited party's alone draws nothing."
        raise _refuse(cause, "Open it. Lost, it stays on record, and a new list names this one.", "verifier_not_opened")
    if Side.AUDITED not in opened.secrets and (opened.on is None or opened.on < frozen.open_until):
        cause = "The audited party has not opened its part of the seed."
        remedy = f"Wait for it; from {frozen.open_until} on draw without it: that is recorded as its refusal."
        raise _refuse(cause, remedy, "party_not_opened")
    parts = [opened.secrets.get(side, "") for side in Side]
    return sha256("\n".join([frozen.sha256, *parts]).encode()).hexdigest()


def can_be_known(frozen: Frozen, opened: Opened, day: date) -> bool:
    """Tell whether the verifier can have known by a day what a list draws whose seed is not shown.

    Who opened what to whom leaves no trace, so it can, but before the beacon's round, or while a server keeps a part
    that it made and shows nobody.
    """
    if frozen.beacon is not None:
        return day >= frozen.beacon.on
    return all(side in opened.secrets for side in frozen.by_server)
