"""Verdicts as tables and lines for people: the matrix of practices, every requirement, what fails, what is missing."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from provender.paper.tables import Cell, Column, Table, year_cell
from provender.rule.crops import Practice
from provender.standards.judge import IntervalJudged, PracticeJudged, RequirementJudged
from provender.standards.standard import Verdict
from provender.verdicts import words

MARKS: Final = {Verdict.MET: "met", Verdict.NOT_MET: "NOT MET", Verdict.NOT_SHOWN: "not shown"}
STYLES: Final = {Verdict.MET: "green", Verdict.NOT_MET: "bold red", Verdict.NOT_SHOWN: "yellow"}
SHORT: Final = {
    Practice.no_till: "No-till",
    Practice.reduced_till: "Reduced",
    Practice.cover_crop: "Cover",
    Practice.nitrification_inhibitor: "Inhibitor",
    Practice.no_fall_application: "No fall N",
    Practice.split_in_season: "Split N",
}
"""Headings for narrow screens; the legend gives the rule's words."""

_NOT_CLAIMABLE: Final = "-"
NOT_CLAIMED: Final = "not claimed"
_RECORDS_OPEN: Final = "*"
LEGEND: Final = (
    ("NOT MET", "the records show that the standard was not kept"),
    ("not shown", "the records do not say, and what is not shown earns nothing"),
    (f"met{_RECORDS_OPEN}", "met, but its record requirements are open: no official report until they are closed"),
    (NOT_CLAIMED, "the farm claims other practices here, or none: nothing is missing or wrong"),
    (_NOT_CLAIMABLE, "this crop may not claim the practice (2100.012)"),
)
_REQUIREMENT_COLUMNS: Final = (
    "unit", "crop entry", "crop", "harvest year", "practice", "part", "what must hold", "7 CFR", "verdict", "observed",
    "limit", "gap", "rests on", "against", "missing", "remedy",
)  # fmt: skip


def matrix_cell(found: PracticeJudged) -> Cell:
    if not found.claimable:
        return Cell(_NOT_CLAIMABLE, saved="may not be claimed", style="dim")
    if not found.asked:
        return Cell(NOT_CLAIMED, saved=NOT_CLAIMED, style="dim")
    verdict = found.implementation
    if verdict is Verdict.MET and found.records is not Verdict.MET:
        return Cell(MARKS[verdict] + _RECORDS_OPEN, saved="met, records open", style=STYLES[verdict])
    return Cell(MARKS[verdict], saved=str(verdict), style=STYLES[verdict])


def matrix(chosen: Sequence[IntervalJudged]) -> Table:
    """Return all verdicts as one table: a row per crop entry, a column per practice."""
    columns = [Column(name) for name in ("unit", "crop entry", "crop", "harvest year")]
    columns += [Column(practice.label, SHORT[practice]) for practice in Practice]
    rows: list[list[Cell | str]] = [
        [
            one.unit_id,
            one.harvest_id,
            one.crop.label,
            year_cell(one.harvest_year),
            *(matrix_cell(p) for p in one.practices),
        ]
        for one in chosen
    ]
    return Table("practices", columns, rows)


def screens(chosen: Sequence[IntervalJudged]) -> Iterator[Table]:
    """Yield the matrix crop by crop, without the practices the crop may not claim, so that it fits a narrow screen."""

    def key(one: IntervalJudged) -> tuple[str, str, int]:
        return one.farm_id, one.crop.label, one.harvest_year

    several_farms = len({one.farm_id for one in chosen}) > 1
    for (farm, crop, year), group in groupby(sorted(chosen, key=key), key=key):
        rows = list(group)
        shown = [p.practice for p in rows[0].practices if p.claimable]
        twice = len({one.unit_id for one in rows}) < len(rows)
        yield Table(
            f"{crop} {year}",
            [Column("Unit"), *(Column(practice.label, SHORT[practice]) for practice in shown)],
            [
                [one.harvest_id if twice else one.unit_id, *(matrix_cell(one[practice]) for practice in shown)]
                for one in rows
            ],
            caption=f"{crop} {year}, farm {farm}" if several_farms else f"{crop} {year}",
        )


def requirements(chosen: Iterable[IntervalJudged]) -> Table:
    """Return every requirement of every practice that may be claimed: the whole working, for a file."""
    rows: list[list[Cell | str]] = [
        [
            one.unit_id, one.harvest_id, one.crop.label, year_cell(one.harvest_year), practice.practice.label,
            str(found.requirement.part), found.requirement.says, str(found.requirement.cite),
            str(found.verdict), *words.numbers(found),
            words.rows_in_words(one.season.rows, found.shown), words.rows_in_words(one.season.rows, found.against),
            "; ".join(dict.fromkeys(map(words.in_words, found.missing))), words.remedy(one, found),
        ]
        for one in chosen for practice in one.practices if practice.claimable for found in practice.requirements
    ]  # fmt: skip
    return Table("requirements", [Column(name) for name in _REQUIREMENT_COLUMNS], rows)


def alike_practices(one: IntervalJudged, *, whole: bool) -> list[list[PracticeJudged]]:
    """Return the practices that a unit fails or lacks records of, those of the same reasons together; or all apart."""
    shown = [
        p
        for p in one.practices
        if p.claimable
        and (whole or (p.asked and (p.implementation is not Verdict.MET or p.records is not Verdict.MET)))
    ]
    alike: dict[object, list[PracticeJudged]] = {}
    for practice in shown:
        lacks = tuple(map(str, words.lacking(practice)))
        key = practice.practice if whole else (matrix_cell(practice), broken(practice), lacks)
        alike.setdefault(key, []).append(practice)
    return list(alike.values())


def broken(practice: PracticeJudged) -> tuple[RequirementJudged, ...]:
    return tuple(one for one in practice.requirements if one.verdict is Verdict.NOT_MET)


def to_do_lines(chosen: Sequence[IntervalJudged]) -> list[tuple[str, str, str]]:
    """Return records to enter, the one that most verdicts wait for first: what, which verdicts wait, paragraph."""
    return [(str(thing), _waits(len(thing.settles), thing.units), thing.cite) for thing in words.to_do(chosen)]


def _waits(count: int, units: Sequence[str]) -> str:
    return f"{count} verdict{'' if count == 1 else 's'} wait{'s' if count == 1 else ''} on {', '.join(units)}"
