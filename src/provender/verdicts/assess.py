"""A book judged: every crop interval with its verdicts, ready for quantification, reports and pages."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

import polars as pl

from provender.problem import Place, Problem, Weight
from provender.records.book import RecordBook, with_what_is_said
from provender.records.farm_rows import FarmRows
from provender.records.kinds.farm import Unit
from provender.rule.crops import Crop, Practice, claimable
from provender.standards.judge import IntervalJudged, judge
from provender.standards.unit import crops_of_unit
from provender.verdicts import problems

T = TypeVar("T")


@dataclass(frozen=True)
class Assessment:
    """All verdicts of a book."""

    book: RecordBook  # the records, as they were typed
    intervals: tuple[IntervalJudged, ...]  # by farm, unit and day
    problems: tuple[Problem, ...]  # of the book, and what is told beside the verdicts
    # what several reports and pages ask of it, made once: whoever makes it names it
    kept: dict[tuple[str, str], Any] = field(default_factory=dict, compare=False, repr=False)

    def once(self, what: str, farm_id: str, make: Callable[[], T]) -> T:
        """Return what several reports and pages ask of a farm, made where it is not kept yet."""
        if (what, farm_id) not in self.kept:
            self.kept[what, farm_id] = make()
        made: T = self.kept[what, farm_id]
        return made

    def rows(self, farm_id: str) -> FarmRows:
        """Return the rows of a farm as verdicts read them: text that names nothing is blank, evidence is graded."""
        return self.once("rows", farm_id, lambda: FarmRows(with_what_is_said(self.book), farm_id))

    def of(self, farm_id: str, crop: Crop, harvest_year: int) -> tuple[IntervalJudged, ...]:
        """Return the intervals of one farm, crop and harvest year."""
        return tuple(
            one for one in self.intervals if (one.farm_id, one.crop, one.harvest_year) == (farm_id, crop, harvest_year)
        )

    @property
    def harvests(self) -> Mapping[tuple[str, Crop, int], tuple[IntervalJudged, ...]]:
        """Return the intervals grouped by farm, crop and harvest year, in that order."""
        groups: dict[tuple[str, Crop, int], list[IntervalJudged]] = {}
        for one in self.intervals:
            groups.setdefault((one.farm_id, one.crop, one.harvest_year), []).append(one)
        return {key: tuple(groups[key]) for key in sorted(groups)}

    def harvest_year(self, row: Mapping[str, Any]) -> int | None:
        """Return the harvest year of a row of ``harvest``: of the harvest it is a part of, else of its last day."""
        farm_id = row["farm_id"]
        known = self.once("harvest_year", farm_id, lambda: dict(_harvest_years(self.rows(farm_id))))
        day = row["last_day"] or row["first_day"]
        return known.get(row["harvest_id"]) or (day.year if day else None)


def _harvest_years(rows: FarmRows) -> Iterator[tuple[str, int | None]]:
    """Yield the year of every crop entry that ends a crop; that of a stand that failed is of the crop after it."""
    for unit in rows[Unit]:
        crops = crops_of_unit(rows, unit.unit_id)
        for entry, number in crops.by_entry.items():
            yield entry, crops.stands[crops.leads_to[number]].harvest_year


def assess(book: RecordBook) -> Assessment:
    """Judge a whole book."""
    farms: dict[str, FarmRows] = {}
    intervals = tuple(with_claims(judge(book, farms), book))
    told = (*book.problems, *problems.told(farms, intervals), *_claim_problems(book))
    kept = {("rows", farm_id): rows for farm_id, rows in farms.items()}
    return Assessment(book, intervals, told, kept)


# Which practices a farm ticks for a field and crop (2100.012): what is not claimed is neither missing nor wrong.

NOTHING: Final = "none"
"""Ticked by whoever claims no practice."""
ENTERED: Final = {"cover_crop": Practice.cover_crop, "inhibitor": Practice.nitrification_inhibitor}
"""Yes-or-no answers of a calculator run, and the practice that each claims."""

Entry = tuple[str, str]
"""Farm and crop entry."""


def _words(text: str) -> list[str]:
    """Return what a crop entry writes as its claims, word by word as practices are called."""
    return [word for part in text.split(";") if (word := "_".join(part.casefold().replace("-", " ").split()))]


def ticked(text: str | None) -> frozenset[Practice] | None:
    """Return the practices that a crop entry claims; None where it does not say."""
    words = _words(text or "")
    return frozenset(one for one in Practice if one in words) if words else None


def written(practices: Iterable[Practice]) -> str:
    """Return ticks as a crop entry says them, in the rule's order."""
    chosen = set(practices)
    return "; ".join(one for one in Practice if one in chosen) or NOTHING


def _claim_problems(book: RecordBook) -> Iterator[Problem]:
    """Tell each tick that names no practice, or one that the crop may not claim."""
    for row in book["harvest"].filter(pl.col("claims").is_not_null()).iter_rows(named=True):
        may = claimable(Crop(row["crop"])) if row["crop"] in set(Crop) else ()
        for word in _words(row["claims"]):
            if word == NOTHING or word in may:
                continue
            what = "its crop may not claim" if word in set(Practice) else "is no practice"
            cause = f"{row['harvest_id']} claims {word[:40]!r}, which {what}."
            place = Place("harvest", row=row["source_row"] or 0, column="claims")
            remedy = f"Claim of {', '.join(may) or 'no practice'}, or write {NOTHING}."
            yield Problem(place, cause, remedy, "2100.012", weight=Weight.CONFIRM, code="no_such_claim")


def with_claims(intervals: Iterable[IntervalJudged], book: RecordBook) -> Iterator[IntervalJudged]:
    """Yield intervals whose practices say whether they are claimed."""
    named, ticks = _named_by_runs(book), _ticks_of(book)
    for one in intervals:
        by_run, by_tick = _of_interval(one, named), _of_interval(one, ticks)
        if by_run is None and by_tick is None:
            yield one
            continue
        runs, ticked_too = by_run or set(), by_tick or set()
        practices = (
            replace(
                each,
                claimed=each.practice in runs | ticked_too,
                ticked=by_tick is not None,
                named=each.practice in runs,
            )
            for each in one.practices
        )
        yield replace(one, practices=tuple(practices))


def _named_by_runs(book: RecordBook) -> dict[Entry, set[Practice]]:
    """Return what calculator runs name: a practice is claimed by entering it (2100.020(a))."""
    found: dict[Entry, set[Practice]] = {}
    for run in book["calculator_run"].iter_rows(named=True):
        named = found.setdefault((run["farm_id"], run["harvest_id"]), set())
        named |= {Practice(run[name]) for name in ("tillage", "n_timing") if run[name] in set(Practice)}
        named |= {practice for name, practice in ENTERED.items() if run[name]}
    return found


def _ticks_of(book: RecordBook) -> dict[Entry, set[Practice]]:
    """Return what is ticked; entries without a tick are left out."""
    rows = book["harvest"].select("farm_id", "harvest_id", "claims").iter_rows()
    return {(farm, entry): set(ticks) for farm, entry, said in rows if (ticks := ticked(said)) is not None}


def _of_interval(one: IntervalJudged, said: Mapping[Entry, set[Practice]]) -> set[Practice] | None:
    """Return what is said of a crop by any of its entries, or None where nothing is."""
    found = [said[one.farm_id, entry] for entry in one.harvest_ids if (one.farm_id, entry) in said]
    return set().union(*found) if found else None
