"""What of a farm's problems and evidence is about the crop of one report: a buyer reads nothing of the other crops."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from provender.intensity.quantify import Quantification
from provender.practices.assess import Assessment
from provender.problem import Problem, Weight
from provender.records.book import RecordBook
from provender.records.kind import KINDS

_NAMES: Final = ("evidence", "established_photo")
"""Columns that name evidence, several set apart by semicolons."""
_OF_MANY: Final = frozenset({"double_key", "day_order", "known_by_not_held"})
"""What is told at one row and speaks of several, which may be of several crops."""


def of_this_crop(assessment: Assessment, q: Quantification, papers: frozenset[str] | None = None) -> list[Problem]:
    """Return the problems of a book without those of rows that are surely of other crops.

    Whose a problem is, its place says, never the words of its cause: fields may be called 1, 2 and 3. ``papers`` is
    ``evidence_named`` where it is at hand.
    """
    if not assessment.problems:
        return []
    whose = _Whose(assessment, q, evidence_named(assessment, q) if papers is None else papers)
    return [one for one in assessment.problems if not whose.of_another(one)]


Rows = Mapping[str, Mapping[str, Any]]


class _Index:
    """The rows of a farm by name and by place: every report on it asks for them."""

    def __init__(self, book: RecordBook, farm_id: str) -> None:
        self.book: dict[str, Rows] = {}
        self.at: dict[tuple[str, int], list[tuple[str, Mapping[str, Any]]]] = {}
        shown: set[str] = set()
        for name, kind in KINDS.items():
            rows = book.rows_of(name, farm_id)
            self.book[name] = {str(row[kind.key_columns[-1]]): row for row in rows}
            for column in (one for one in _NAMES if one in kind.fields):
                said = {row[column] for row in rows}  # most rows name no paper, and many the same
                shown.update(name for text in said if text for name in _papers_in(text))
            for row in rows:
                place = row["source_file"] or name, row["source_row"] or 0
                self.at.setdefault(place, []).append((name, row))
                if place[0] != name:
                    self.at.setdefault((name, place[1]), []).append((name, row))
        self.grown: dict[str, list[str]] = defaultdict(list)
        for entry, harvest in self.book["harvest"].items():
            self.grown[harvest["unit_id"]].append(entry)
        self.shown = frozenset(shown)


class _Whose:
    """Which rows of a farm's book have no part in one report."""

    def __init__(self, assessment: Assessment, q: Quantification, papers: frozenset[str]) -> None:
        self.q = q
        self.farms_at, self.year_of = assessment.book.farms_at, assessment.harvest_year
        self.units = {unit.unit_id for unit in q.units}
        self.entries = {entry for unit in q.units for entry in unit.harvest_ids}
        self.papers = papers
        index = assessment.once("places", q.farm_id, lambda: _Index(assessment.book, q.farm_id))
        self.book, self.at, self.grown, self.shown = index.book, index.at, index.grown, index.shown

    def of_another(self, problem: Problem) -> bool:
        """Tell whether a problem stands at a row that is surely of another crop; without such a row it does not."""
        place = problem.place
        if not place.row:
            return False
        here = self.at.get((place.file, place.row), ())
        # A row of this farm's own settles it, and asking for everybody's looks through the whole book.
        if not here and (farms := self.farms_at(place.file, place.row)) and self.q.farm_id not in farms:
            return True
        if problem.code in _OF_MANY:
            return False
        rows = [(kind, row) for kind, row in here if not place.sheet or place.sheet == row["source_sheet"]]
        return bool(rows) and all(self._other_row(kind, row, problem.weight) for kind, row in rows)

    def _other_row(self, kind: str, row: Mapping[str, Any], weight: Weight) -> bool:
        things = set(self._named(kind, row))
        if weight is Weight.NOTE:  # of the crop that stood on this field before, only what must be mended is told
            things = {one for one in things if one[0] == "harvest"} or things
        named = [self._other(*name) for name in things]
        if kind == "evidence":
            paper = row["evidence_id"]
            return paper not in self.papers and (paper in self.shown or (bool(named) and all(named)))
        return bool(named) and all(named)

    def _named(self, kind: str, row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yield the units and crop entries that a row names, also by a row that it belongs to."""
        if kind in ("unit", "harvest"):
            yield kind, row[f"{kind}_id"]
        for column, field in KINDS[kind].fields.items():
            if not field.refers or not row[column]:
                continue
            if field.refers in ("unit", "harvest"):
                yield field.refers, row[column]
            if (parent := self.book[field.refers].get(row[column])) is not None and field.refers != "evidence":
                yield from self._named(field.refers, parent)

    def _other(self, kind: str, name: str) -> bool:
        """Tell whether a unit or entry is surely of another crop; one of no known crop is not."""
        if kind == "harvest":
            row = self.book["harvest"].get(name)
            return row is not None and name not in self.entries and self._other_harvest(row)
        entries = self.grown.get(name, [])
        return name not in self.units and bool(entries) and all(self._other("harvest", one) for one in entries)

    def _other_harvest(self, row: Mapping[str, Any]) -> bool:
        crop = row["crop"]
        other_year = row["last_day"] is not None and self.year_of(row) != self.q.harvest_year
        return other_year or (crop is not None and str(crop) != str(self.q.crop))


def _papers_of(row: Mapping[str, Any]) -> Iterator[str]:
    for column in _NAMES:
        if said := row.get(column):
            yield from _papers_in(said)


def _papers_in(said: str) -> Iterator[str]:
    return filter(None, (one.strip() for one in str(said).split(";")))


def evidence_named(assessment: Assessment, q: Quantification, as_of: date | None = None) -> frozenset[str]:
    """Return the ids of the evidence that rows of this crop name, or rows of the whole farm that are of no crop.

    With the day of a report, rows that were written after it, or are of another harvest year, name nothing.
    """
    rows = (row for row in _rows(assessment, q) if as_of is None or _of_report(row, q, as_of))
    return frozenset(name for row in rows for name in _papers_of(row))


def _of_report(row: Mapping[str, Any], q: Quantification, as_of: date) -> bool:
    """Tell whether a row can have stood in the book on the day of a report, and is not of another harvest year."""
    days = [value for value in row.values() if isinstance(value, date)]
    return row.get("harvest_year") in (None, q.harvest_year) and (not days or min(days) <= as_of)


def _rows(assessment: Assessment, q: Quantification) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of the crop's entries, of its units' seasons, and of the farm where they name no other crop."""
    frames = {name: assessment.book.rows_of(name, q.farm_id) for name in KINDS}
    entries = {entry for unit in q.units for entry in unit.harvest_ids}
    units = {unit.unit_id for unit in q.units}
    seasons = [
        (one.facts.get("season_from"), one.facts["last_day"])
        for one in assessment.of(q.farm_id, q.crop, q.harvest_year)
    ]
    covers = {row["cover_id"] for row in frames["cover_crop"] if row["harvest_id"] in entries}
    for name, frame in frames.items():
        for row in frame:
            if name == "cover_species" and row["cover_id"] not in covers:
                continue
            if row.get("harvest_id") and row["harvest_id"] not in entries:
                continue
            if row.get("unit_id") and row["unit_id"] not in units:
                continue
            if row.get("crop") and str(row["crop"]) != str(q.crop):
                continue
            if name == "operation" and not _within(row["day"], seasons):
                continue
            yield row


def _within(day: date | None, seasons: list[tuple[date | None, date]]) -> bool:
    return day is None or any((first is None or first <= day) and day <= last for first, last in seasons)
