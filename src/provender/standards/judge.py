"""A book judged: every closed interval of a feedstock crop, with the verdict and the findings of each requirement."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Final

from provender.records.book import FarmRows, Noted, RecordBook, grouped, with_what_is_said
from provender.records.kind import IncompleteRow
from provender.records.kinds.farm import Unit
from provender.records.kinds.quantification import FEEDSTOCKS
from provender.rule.crops import Crop, Practice, claimable
from provender.rule.law import RuleVersion, governing_version
from provender.standards import cover_crop, nutrients, standard, tillage
from provender.standards.nitrogen import Nitrogen
from provender.standards.season import Season
from provender.standards.standard import Against, Finding, Missing, Part, Requirement, Shown, Verdict
from provender.standards.unit import crops_of_unit

SECTIONS: Final = (tillage, cover_crop, nutrients)
"""Importing these registers the requirements."""


class RequirementJudged:
    """One requirement of one interval, judged when somebody first asks: a page seldom asks for all of them.

    Its verdict follows from its findings; ``provender.verdicts.words`` makes numbers, sentences and remedies of them.
    """

    def __init__(self, requirement: Requirement, season: Season, damaged: frozenset[Noted]) -> None:
        self.requirement, self.name, self._season, self._damaged = requirement, requirement.name, season, damaged
        if season.rows.takes_notes:
            _ = self.findings  # at once: only one note is taken at a time

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Ask the requirement, and withhold it where a row of a kind that it read could not be read in full."""
        self._season.rows.noted = set()
        found = dict.fromkeys(self.requirement.look(self._season))
        kinds = sorted({noted.kind for noted in self._season.rows.noted & self._damaged})
        return (*found, *(Missing(kind, reason="row_unreadable") for kind in kinds))

    @cached_property
    def verdict(self) -> Verdict:
        return standard.verdict(self.findings)

    @property
    def against(self) -> tuple[Against, ...]:
        """Return the rows that show it was not kept."""
        return tuple(one for one in self.findings if isinstance(one, Against))

    @property
    def missing(self) -> tuple[Missing, ...]:
        """Return what lacks, where it is not shown; a record would not mend what was not kept."""
        is_open = self.verdict is Verdict.NOT_SHOWN
        return tuple(one for one in self.findings if is_open and isinstance(one, Missing))

    @property
    def shown(self) -> tuple[Shown, ...]:
        """Return what the verdict rests on, where it is met."""
        is_met = self.verdict is Verdict.MET
        return tuple(one for one in self.findings if is_met and isinstance(one, Shown))


@dataclass(frozen=True)
class PracticeJudged:
    """One practice judged for one interval; one that the crop may not claim is not met (2100.012)."""

    practice: Practice
    claimable: bool  # whether the crop may claim it at all (2100.012)
    of_crop: Mapping[str, RequirementJudged] = field(repr=False)  # every requirement, of other practices too
    claimed: bool | None = None  # whether the farm claims it here; None where nothing says what is claimed on the crop
    ticked: bool = False  # whether the farm ticked what it claims; else runs alone say it, and it may claim more yet
    named: bool = False  # whether a calculator run names it; what is only ticked, no carbon intensity rests on

    @cached_property
    def implementation(self) -> Verdict:
        """Return whether it was done as the rule asks."""
        return self._of_part(Part.IMPLEMENTATION)

    @cached_property
    def records(self) -> Verdict:
        """Return met or not shown; an official report asks for both (interpretation 6)."""
        return self._of_part(Part.RECORDS)

    def _of_part(self, part: Part) -> Verdict:
        every = (self.of_crop[one.name].verdict for one in standard.of_practice(self.practice, part))
        return standard.all_of(every) if self.claimable else Verdict.NOT_MET

    @property
    def is_met(self) -> bool:
        """Tell whether its implementation is met; the first requirement that is not says no."""
        asked = standard.of_practice(self.practice, Part.IMPLEMENTATION)
        return self.claimable and bool(asked) and all(self.of_crop[one.name].verdict is Verdict.MET for one in asked)

    @property
    def requirements(self) -> Iterator[RequirementJudged]:
        """Yield its requirements, implementation first, in the order of the paragraphs."""
        return (self.of_crop[one.name] for part in Part for one in standard.of_practice(self.practice, part))

    @property
    def asked(self) -> bool:
        """Tell whether anything is asked of it: what a farm did not tick is neither missing nor wrong (2100.012)."""
        return self.claimable and (self.implementation is Verdict.MET or bool(self.claimed) or not self.ticked)


@dataclass(frozen=True)
class IntervalJudged:
    """All requirements and practices of one closed crop interval of one unit.

    What the records say of it stands in ``season``; the properties here are what reports and pages ask most.
    """

    farm_id: str
    unit_id: str
    harvest_id: str  # of the first entry of the harvest
    harvest_ids: tuple[str, ...]  # every crop entry whose records belong to the crop, failed stands included
    crop: Crop
    harvest_year: int
    last_day: date  # of the harvest, which closes the interval
    county_fips: str | None  # of the unit
    rule: RuleVersion
    requirements: Mapping[str, RequirementJudged]  # by name, in the order of the paragraphs
    practices: tuple[PracticeJudged, ...]  # in the order of the rule
    season: Season = field(repr=False, compare=False)

    def __getitem__(self, practice: Practice) -> PracticeJudged:
        return next(one for one in self.practices if one.practice is practice)

    @property
    def credited(self) -> tuple[Practice, ...]:
        """Return the practices whose implementation is met: only these earn credit (interpretation 5)."""
        return tuple(one.practice for one in self.practices if one.is_met)

    @cached_property
    def nitrogen(self) -> Nitrogen:
        """Return the synthetic nitrogen of the crop, before and after emergence."""
        return Nitrogen(self.season)


def judge(book: RecordBook, farms: dict[str, FarmRows] | None = None) -> tuple[IntervalJudged, ...]:
    """Judge every closed interval of a feedstock crop, farm by farm and unit by unit.

    Intervals that ended before the rule was in force, or on an unknown day, are left out. A row of a farm that the book
    does not have may be of any that it has. ``farms`` takes the rows of each farm, for whoever asks more of them.
    """
    said, found = with_what_is_said(book), {} if farms is None else farms
    farm_ids = book.farms_named
    reaching = grouped((row.farm_id if row.farm_id in farm_ids else "", row) for row in book.incomplete_rows)
    judged = []
    for farm_id in farm_ids:
        damaged = (*reaching.get(farm_id, ()), *reaching.get("", ()))
        rows = found[farm_id] = FarmRows(said, farm_id, takes_notes=bool(damaged))
        judged += [
            _judge_season(season, _damage_to(season, damaged) if damaged else frozenset())
            for season in seasons_of(rows)
        ]
    return tuple(judged)


def seasons_of(rows: FarmRows) -> Iterator[Season]:
    """Yield the closed intervals of feedstock crops that a version of the rule governs."""
    for unit in rows[Unit]:
        for stand in crops_of_unit(rows, unit.unit_id).stands:
            if (
                (law := governing_version(stand.last_day)) is not None
                and stand.crop in FEEDSTOCKS
                and not stand.is_given_up
            ):
                yield Season(rows, unit.unit_id, stand.number, law)


def _judge_season(season: Season, damaged: frozenset[Noted]) -> IntervalJudged:
    judged = {name: RequirementJudged(one, season, damaged) for name, one in standard.REQUIREMENTS.items()}
    stand, may = season.harvest, claimable(season.crop)
    entries = (*stand.harvest_ids, *(entry for failed in season.failed_stands for entry in failed.harvest_ids))
    return IntervalJudged(
        season.rows.farm_id, season.unit_id, stand.harvest_id, entries, season.crop,
        stand.harvest_year or season.closes_on.year, season.closes_on, season.unit.county_fips, season.law, judged,
        tuple(PracticeJudged(practice, practice in may, judged) for practice in Practice), season,
    )  # fmt: skip


# How far a row that could not be read reaches (interpretation 2).


def _damage_to(season: Season, damaged: Iterable[IncompleteRow]) -> frozenset[Noted]:
    """Return the kinds of which a row that may belong to a season, or any of the farm, could not be read in full.

    A row reaches it by its day, else its unit, else it reaches the whole farm. A damaged pass may have been the
    harvest, which closes an interval, or any other, which lies in the next: it spoils both. A damaged application may
    have been meant for any crop of its unit, whatever its day.
    """
    units, crops = {unit.unit_id for unit in season.rows[Unit]}, crops_of_unit(season.rows, season.unit_id)
    numbers = {season.harvest.number, *(stand.number for stand in season.failed_stands)}

    def reaches(row: IncompleteRow) -> bool:
        if row.unit_id != season.unit_id:
            return row.unit_id not in units
        day = None if row.kind == "nutrient_application" else row.day
        return day is None or not numbers.isdisjoint(crops.of_day(day, at_harvest=either) for either in (False, True))

    return frozenset(Noted(row.kind, whole) for row in damaged for whole in (True, False) if whole or reaches(row))
