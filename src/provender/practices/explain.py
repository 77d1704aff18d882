"""Verdicts for people: each requirement with its paragraph, number and limit, what is missing, what to do."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache, partial
from itertools import count
from typing import Any, Final, overload

import polars as pl

from provender.exact import show
from provender.practices.evaluate import RECORDS
from provender.practices.requirement import REQUIREMENTS, Part, Requirement, Shown, of_practice
from provender.practices.tillage import NO_WAY_OUT, TO_REDUCED_TILL
from provender.practices.verdict import Verdict
from provender.practices.why_not import why_not
from provender.rule.crops import Crop, Practice, claimable
from provender.rule.law import RuleVersion, rule_version

_PRESUPPOSE_SYNTHETIC_N: Final = ("2100.053(b)", "2100.053(c)", "2100.053(d)")


@dataclass(frozen=True, slots=True)
class Finding:
    """One requirement judged for one crop interval."""

    requirement: str  # its name
    cite: str  # its paragraph
    part: Part  # implementation or records
    says: str  # what must hold, in one sentence
    verdict: Verdict  # met, not met, not shown
    observed: str  # the number found, as text with its unit, or empty
    limit: str  # what it is held against, as text, or empty
    gap: str  # by how much it fails, as text, or empty
    missing: tuple[str, ...]  # the records that would close the gap
    remedy: str  # what to do when it is not met
    against: str = ""  # what the records show instead when it is not met, in one short sentence


class LateFindings(Sequence[Finding]):
    """The findings of one practice, made when somebody first looks: most that ask how it stands never do."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], tuple[Finding, ...]]) -> None:
        self._make = make
        self._made: tuple[Finding, ...] | None = None

    def _all(self) -> tuple[Finding, ...]:
        if self._made is None:
            self._made = self._make()
        return self._made

    @overload
    def __getitem__(self, at: int) -> Finding: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Finding]: ...
    def __getitem__(self, at: int | slice) -> Finding | Sequence[Finding]:
        """Return one, or some of them."""
        return self._all()[at]

    def __iter__(self) -> Iterator[Finding]:
        """Go through them."""
        return iter(self._all())

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._all())

    def __eq__(self, other: object) -> bool:
        """Return whether they say the same; a tuple of findings may."""
        return isinstance(other, Sequence) and self._all() == tuple(other)

    def __hash__(self) -> int:
        """Return the hash of what they say."""
        return hash(self._all())

    def __repr__(self) -> str:
        """Return them as a tuple would."""
        return repr(self._all())


class Standing(StrEnum):
    """How a practice stands on a crop, to the farm: red is for a claim that its records contradict, and only for that.

    A practice is claimed when the farm ticks it for the crop, or a calculator run of the crop names it. As long as
    neither is there, what is not shown may yet be, and what the records rule out is told before anybody claims it.
    """

    MET = "met"
    CONTRADICTED = "contradicted"
    WAITING = "waiting"
    NOT_SHOWN = "not_shown"
    RULED_OUT = "ruled_out"
    NOT_CLAIMED = "not_claimed"
    NOT_FOR_CROP = "not_for_crop"


UNASKED: Final = frozenset({Standing.RULED_OUT, Standing.NOT_CLAIMED, Standing.NOT_FOR_CROP})
"""How a practice stands of which nothing is asked: grey everywhere."""


@dataclass(frozen=True, slots=True)
class PracticeVerdict:
    """One practice judged for one crop interval."""

    practice: Practice  # which
    claimable: bool  # whether the crop may claim it at all (2100.012)
    implementation: Verdict  # met, not met, not shown
    records: Verdict  # met or not shown; an official report asks for both (interpretation 6)
    findings: Sequence[Finding]  # every requirement, implementation first
    claimed: bool | None = None  # whether the farm claims it here; None where nothing says what is claimed on the crop
    # whether the farm ticked what it claims on the crop; else runs alone say it, and it may claim more yet
    ticked: bool = False
    # whether a calculator run of the crop names it; what is only ticked, no carbon intensity rests on
    named: bool = False

    @property
    def standing(self) -> Standing:
        """Return how it stands."""
        if not self.claimable:
            return Standing.NOT_FOR_CROP
        if self.implementation is Verdict.MET:
            return Standing.MET
        if self.claimed and self.implementation is Verdict.NOT_MET:
            return Standing.CONTRADICTED
        if self.claimed is not False and self.implementation is Verdict.NOT_SHOWN:
            return Standing.NOT_SHOWN
        return Standing.RULED_OUT if self.is_ruled_out else Standing.NOT_CLAIMED

    @property
    def is_ruled_out(self) -> bool:
        """Return whether its records already speak against a claim that nobody has made or declined yet."""
        return self.claimed is None and self.implementation is Verdict.NOT_MET

    @property
    def against(self) -> tuple[str, ...]:
        """Return what speaks against it, without repeats, in short sentences."""
        return tuple(dict.fromkeys(one.against for one in self.findings if one.against))

    @property
    def asked(self) -> bool:
        """Return whether anything is asked of it: what a farm did not tick is neither missing nor wrong (2100.012)."""
        return self.claimable and (self.implementation is Verdict.MET or bool(self.claimed) or not self.ticked)

    @property
    def missing(self) -> tuple[str, ...]:
        """Return every record that would close a gap, without repeats."""
        return tuple(dict.fromkeys(name for one in self.findings for name in one.missing))


@dataclass(frozen=True, slots=True)
class IntervalVerdict:
    """All practices of one crop interval of one unit, with the facts they rest on."""

    farm_id: str
    unit_id: str
    harvest_id: str
    crop: Crop
    harvest_year: int
    rule: RuleVersion
    practices: tuple[PracticeVerdict, ...]
    facts: Mapping[str, Any]

    def __getitem__(self, practice: Practice) -> PracticeVerdict:
        """Return the verdict on one practice."""
        return next(one for one in self.practices if one.practice is practice)

    @property
    def harvest_ids(self) -> tuple[str, ...]:
        """Return every crop entry whose records belong to this crop: parts of its harvest, stands that failed."""
        return tuple(self.facts["harvest_ids"])

    @property
    def county_fips(self) -> str | None:
        """Return the county of its unit."""
        county: str | None = self.facts["county_fips"]
        return county

    @property
    def credited(self) -> tuple[Practice, ...]:
        """Return the practices whose implementation is met: only these earn credit (interpretation 5)."""
        return tuple(one.practice for one in self.practices if one.implementation is Verdict.MET)


def explain(verdicts: pl.DataFrame) -> Iterator[IntervalVerdict]:
    """Turn the wide verdicts of ``evaluate`` into findings, interval by interval."""
    if verdicts.is_empty():
        return
    open_gaps = cache(lambda: verdicts.select(gap_columns().values()).rows())
    for at, row in enumerate(verdicts.iter_rows(named=True)):
        law = rule_version(row["last_day"])
        crop = Crop(row["crop"])
        practices = tuple(
            _standing(practice, crop, row, LateFindings(partial(_findings, practice, row, open_gaps, at, law)))
            for practice in Practice
        )
        yield IntervalVerdict(
            row["farm_id"], row["unit_id"], row["harvest_id"], crop, row["harvest_year"], law, practices, row
        )


def standings(verdicts: pl.DataFrame) -> Iterator[IntervalVerdict]:
    """Return what is credited on each interval, without findings: all that quantification asks, of many farms."""
    if verdicts.is_empty():
        return
    answers = [name for practice in Practice for name in (str(practice), practice + RECORDS)]
    known: dict[tuple[object, ...], tuple[PracticeVerdict, ...]] = {}
    keys = ("farm_id", "unit_id", "harvest_id", "crop", "harvest_year", "last_day", "county_fips", "harvest_ids")
    for row in verdicts.select(*keys, *answers).iter_rows(named=True):
        law, crop = rule_version(row["last_day"]), Crop(row["crop"])
        kind = (law.id, crop, *(row[name] for name in answers))
        if kind not in known:
            known[kind] = tuple(_standing(practice, crop, row) for practice in Practice)
        facts = {"county_fips": row["county_fips"], "harvest_ids": row["harvest_ids"]}
        yield IntervalVerdict(
            row["farm_id"], row["unit_id"], row["harvest_id"], crop, row["harvest_year"], law, known[kind], facts
        )


@cache
def gap_columns() -> Mapping[str, pl.Expr]:
    """Return, per requirement and gap, where the gap is open: columns named ``gap:REQUIREMENT:NUMBER``."""
    return {
        name: gap.missing.alias(name)
        for one in REQUIREMENTS.values()
        for index, gap in enumerate(one.gaps)
        if (name := f"gap:{one.name}:{index}")
    }


_Gaps = Sequence[tuple[int, str]]
"""Gaps of a requirement: the place of each among ``gap_columns``, and the record that closes it."""


@cache
def _asked(practice: Practice) -> Sequence[tuple[Requirement, _Gaps]]:
    """Return the requirements of a practice, each with its gaps."""
    places = count()
    gaps = {one.name: [(next(places), gap.record) for gap in one.gaps] for one in REQUIREMENTS.values()}
    return [(one, gaps[one.name]) for one in of_practice(practice)]


def _findings(
    practice: Practice,
    row: Mapping[str, Any],
    open_gaps: Callable[[], Sequence[Sequence[bool | None]]],
    at: int,
    law: RuleVersion,
) -> tuple[Finding, ...]:
    gaps = open_gaps()[at]
    return tuple(_finding(one, row, gaps, law, of) for one, of in _asked(practice))


def _standing(
    practice: Practice, crop: Crop, row: Mapping[str, Any], findings: Sequence[Finding] = ()
) -> PracticeVerdict:
    implementation, records = Verdict.of(row[practice]), Verdict.of(row[practice + RECORDS])
    return PracticeVerdict(practice, practice in claimable(crop), implementation, records, findings)


def _finding(
    one: Requirement, row: Mapping[str, Any], gaps: Sequence[bool | None], law: RuleVersion, of: _Gaps
) -> Finding:
    verdict = Verdict.of(row[one.name])
    missing: tuple[str, ...] = ()
    if verdict is Verdict.NOT_SHOWN:
        missing = tuple(record for at, record in of if gaps[at])
        missing += tuple(
            f"{kind} (a row that could not be read)" for kind in one.rests_on if row.get(f"damaged_{kind}")
        )
    value, bound = _observed(one.shown, row, law)
    remedy = against = ""
    if verdict is Verdict.NOT_MET:
        remedy = _remedy(one, row)
        against = why_not(one.name, row, no_nitrogen=_lacks_nitrogen(one, row))
    return _said(one.name, verdict, missing, (value, bound), remedy, against)


@lru_cache(maxsize=8_192)
def _said(
    name: str,
    verdict: Verdict,
    missing: tuple[str, ...],
    amounts: tuple[int | None, int | None],
    remedy: str,
    against: str,
) -> Finding:
    """Return a finding; fields of a farm, and farms, differ in few of them."""
    one = REQUIREMENTS[name]
    observed, limit, gap = _numbers(one.shown, *amounts)
    gap = gap if verdict is Verdict.NOT_MET else ""
    return Finding(one.name, str(one.cite), one.part, one.says, verdict, observed, limit, gap, missing, remedy, against)


def _observed(shown: Shown | None, row: Mapping[str, Any], law: RuleVersion) -> tuple[int | None, int | None]:
    """Return the number to show and what it is held against, each null where there is none."""
    if shown is None or row[shown.column] is None:
        return None, None
    if not shown.limit:
        return row[shown.column], None
    return row[shown.column], getattr(law, shown.limit) if hasattr(law, shown.limit) else row[shown.limit]


def _lacks_nitrogen(one: Requirement, row: Mapping[str, Any]) -> bool:
    return row["n_rows"] == 0 and str(one.cite).startswith(_PRESUPPOSE_SYNTHETIC_N)


def _remedy(one: Requirement, row: Mapping[str, Any]) -> str:
    """Say what to do; nothing that cannot help is advised.

    Where no synthetic nitrogen went on, that alone is why (interpretation 4). Reduced till is no way out of no-till
    where it is not met either.
    """
    if _lacks_nitrogen(one, row):
        return "No synthetic nitrogen is recorded beyond traces, so there is nothing to claim here."
    if one.remedy in TO_REDUCED_TILL:
        return next((told for of_reduced, told in NO_WAY_OUT.items() if row[of_reduced] is False), one.remedy)
    return one.remedy


def _numbers(shown: Shown | None, value: int | None, bound: int | None) -> tuple[str, str, str]:
    """Write the observed number, its limit, and the distance between them."""
    if shown is None or value is None:
        return "", "", ""
    observed = shown.observed(value)
    if bound is None:
        return observed, "", ""
    if value == bound == 0:
        # Nothing held against nothing: no nitrogen was applied, or none is needed. It would read as a limit kept.
        return "", "", ""
    distance = value - bound if shown.sense == "at most" else bound - value
    gap = f"{shown.amount(distance)} {'over' if shown.sense == 'at most' else 'short'}"
    return observed, f"{shown.sense} {show(bound, shown.scale)}", gap if distance > 0 else ""
