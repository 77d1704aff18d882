"""Verdicts of columns, interval by interval: each practice, and of each requirement what may close its gaps."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any

import polars as pl

from provender.practices.evaluate import RECORDS
from provender.practices.requirement import REQUIREMENTS, Requirement, of_practice
from provender.practices.verdict import Verdict
from provender.rule.crops import Crop, Practice, claimable
from provender.rule.law import RuleVersion, rule_version


@dataclass(frozen=True, slots=True)
class Finding:
    """One requirement judged for one crop interval."""

    requirement: str  # its name
    verdict: Verdict  # met, not met, not shown
    missing: tuple[str, ...]  # the records that would close the gap


@dataclass(frozen=True, slots=True)
class PracticeVerdict:
    """One practice judged for one crop interval."""

    practice: Practice  # which
    claimable: bool  # whether the crop may claim it at all (2100.012)
    implementation: Verdict  # met, not met, not shown
    records: Verdict  # met or not shown; an official report asks for both (interpretation 6)
    findings: Sequence[Finding]  # every requirement, implementation first


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
    open_gaps = verdicts.select(gap_columns().values()).rows()
    for gaps, row in zip(open_gaps, verdicts.iter_rows(named=True), strict=True):
        crop = Crop(row["crop"])
        practices = tuple(
            _standing(practice, crop, row, [_finding(one, row, gaps, of) for one, of in _asked(practice)])
            for practice in Practice
        )
        law = rule_version(row["last_day"])
        names = (row["farm_id"], row["unit_id"], row["harvest_id"])
        yield IntervalVerdict(*names, crop, row["harvest_year"], law, practices, row)


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


def _standing(
    practice: Practice, crop: Crop, row: Mapping[str, Any], findings: Sequence[Finding] = ()
) -> PracticeVerdict:
    implementation, records = Verdict.of(row[practice]), Verdict.of(row[practice + RECORDS])
    return PracticeVerdict(practice, practice in claimable(crop), implementation, records, findings)


def _finding(one: Requirement, row: Mapping[str, Any], gaps: Sequence[bool | None], of: _Gaps) -> Finding:
    verdict = Verdict.of(row[one.name])
    missing: tuple[str, ...] = ()
    if verdict is Verdict.NOT_SHOWN:
        missing = tuple(record for at, record in of if gaps[at])
        missing += tuple(
            f"{kind} (a row that could not be read)" for kind in one.rests_on if row.get(f"damaged_{kind}")
        )
    return Finding(one.name, verdict, missing)
