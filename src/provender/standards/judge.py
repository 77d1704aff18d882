"""A book judged: every closed interval of a feedstock crop, with the verdict and the findings of each requirement."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from provender.records.book import RecordBook, with_what_is_said
from provender.rule.crops import Crop, Practice, claimable
from provender.rule.law import NotInForceError, RuleVersion, rule_version
from provender.standards import cover_crop, evidence, nutrients, supply, tillage
from provender.standards.rows import FarmRows, Noted
from provender.standards.season import REASONS as REASONS_OF_LISTS
from provender.standards.season import Season, crops_of_unit
from provender.standards.standard import (
    REQUIREMENTS,
    Finding,
    Missing,
    Part,
    Requirement,
    Verdict,
    all_of,
    of_practice,
    verdict,
)
from provender.standards.unit import FEEDSTOCKS, CropsOfUnit

SECTIONS: Final = (tillage, cover_crop, nutrients)
"""Importing these registers the requirements."""
REASONS: Final[Mapping[str, str]] = {
    **REASONS_OF_LISTS,
    **evidence.REASONS,
    **supply.REASONS,
    **{code: said for section in SECTIONS for code, said in section.REASONS.items()},
    "row_unreadable": "A row could not be read in full, so nobody can tell what it says.",
}
"""What every code says."""
WITHOUT_DAY: Final = "nutrient_application"
"""A damaged row of this kind may have been meant for any crop of its unit, whatever its day."""


@dataclass(frozen=True)
class Judged:
    """One requirement judged for one interval."""

    requirement: Requirement
    verdict: Verdict
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class PracticeJudged:
    """One practice judged for one interval."""

    implementation: Verdict
    records: Verdict


@dataclass(frozen=True)
class IntervalJudged:
    """All requirements and practices of one closed crop interval of one unit."""

    farm_id: str
    unit_id: str
    harvest_id: str  # of the first entry of the harvest
    harvest_ids: tuple[str, ...]  # every crop entry whose records belong to the crop, failed stands included
    crop: Crop
    harvest_year: int | None
    starts_on: date | None
    closes_on: date
    law: RuleVersion
    requirements: Mapping[str, Judged]  # by name, in the order of the paragraphs
    practices: Mapping[Practice, PracticeJudged]


def judge(book: RecordBook) -> tuple[IntervalJudged, ...]:
    """Judge every closed interval of a feedstock crop, farm by farm and unit by unit.

    Intervals that ended before the rule was in force, or on an unknown day, are left out.
    """
    said = with_what_is_said(book)
    damaged = _damaged_rows(book)
    farms = dict.fromkeys(book["unit"]["farm_id"])
    return tuple(one for farm in farms for one in judge_farm(said, farm, damaged.get(farm, ())))


def judge_farm(book: RecordBook, farm_id: str, damaged: Sequence[Mapping[str, Any]]) -> Iterator[IntervalJudged]:
    """Judge the intervals of one farm.

    Args:
        book: the records, text that names nothing left blank (``records.book.with_what_is_said``).
        farm_id: the farm.
        damaged: its rows that could not be read in full (``RecordBook.incomplete_rows``).
    """
    rows = FarmRows(book, farm_id)
    for season in seasons_of(rows):
        yield _judge_season(season, _damage_to(season, damaged))


def seasons_of(rows: FarmRows) -> Iterator[Season]:
    """Yield the closed intervals of feedstock crops that a version of the rule governs."""
    for unit in rows["unit"]:
        crops = crops_of_unit(rows, unit.unit_id)
        for stand in crops.stands:
            if stand.crop not in FEEDSTOCKS or stand.is_given_up or stand.last_day is None:
                continue
            try:
                law = rule_version(stand.last_day)
            except NotInForceError:
                continue
            yield Season(rows, unit.unit_id, stand.number, law)


def _judge_season(season: Season, damaged: frozenset[Noted]) -> IntervalJudged:
    judged = {name: _judge_requirement(season, one, damaged) for name, one in REQUIREMENTS.items()}
    given_up = (entry for stand in season.failed_stands for entry in stand.harvest_ids)
    return IntervalJudged(
        season.rows.farm_id,
        season.unit_id,
        season.harvest.harvest_id,
        (*season.harvest.harvest_ids, *given_up),
        season.crop,
        season.harvest.harvest_year,
        season.starts_on,
        season.closes_on,
        season.law,
        judged,
        {practice: _judge_practice(practice, season.crop, judged) for practice in Practice},
    )


def _judge_requirement(season: Season, one: Requirement, damaged: frozenset[Noted]) -> Judged:
    """Ask a requirement, and withhold it where a row of a kind that it read could not be read in full."""
    season.rows.noted = set()
    found = tuple(one.look(season, season.law))
    kinds = sorted({noted.kind for noted in season.rows.noted & damaged})
    unread = tuple(Missing(kind, reason="row_unreadable") for kind in kinds)
    return Judged(one, verdict((*found, *unread)), (*found, *unread))


def _judge_practice(practice: Practice, crop: Crop, judged: Mapping[str, Judged]) -> PracticeJudged:
    """Combine the requirements of a practice; one that the crop may not claim is not met (2100.012)."""
    if practice not in claimable(crop):
        return PracticeJudged(Verdict.NOT_MET, Verdict.NOT_MET)
    return PracticeJudged(*(_all_of_part(practice, part, judged) for part in (Part.IMPLEMENTATION, Part.RECORDS)))


def _all_of_part(practice: Practice, part: Part, judged: Mapping[str, Judged]) -> Verdict:
    return all_of(judged[one.name].verdict for one in of_practice(practice, part))


# How far a row that could not be read reaches (interpretation 2).


def _damaged_rows(book: RecordBook) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in book.incomplete_rows.iter_rows(named=True):
        found.setdefault(row["farm_id"], []).append(row)
    return found


def _damage_to(season: Season, damaged: Iterable[Mapping[str, Any]]) -> frozenset[Noted]:
    """Return the kinds of which a row that may belong to a season, or any of the farm, could not be read in full."""
    units = {unit.unit_id for unit in season.rows["unit"]}
    crops = crops_of_unit(season.rows, season.unit_id)
    numbers = {season.harvest.number, *(stand.number for stand in season.failed_stands)}
    reached = {Noted(row["kind"]) for row in damaged if _reaches(row, season.unit_id, units, crops, numbers)}
    return frozenset(reached | {Noted(row["kind"], is_of_farm=True) for row in damaged})


def _reaches(row: Mapping[str, Any], unit_id: str, units: set[str], crops: CropsOfUnit, numbers: set[int]) -> bool:
    """Tell whether a damaged row reaches some intervals: by its day, else its unit, else it reaches the whole farm.

    A damaged pass may have been the harvest, which closes an interval, or any other, which lies in the next: it
    spoils both.
    """
    if row["unit_id"] not in units:
        return True
    if row["unit_id"] != unit_id:
        return False
    day = None if row["kind"] == WITHOUT_DAY else row["day"]
    return day is None or not numbers.isdisjoint(crops.of_day(day, at_harvest=either) for either in (False, True))
