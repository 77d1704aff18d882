"""Rows of what was sown held against passes of a planter or drill: which two do not fit together, as a question.

No verdict rests on an answer (2100.051(c)(2), 2100.053(e)(6)): one of the two days may be a slip, a pass may be
missing, or what was sown. Rows within the days that the rule's parameters allow between a record and its pass are one
deed; passes that follow one another so closely are one too, since a field may take several days.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple

from provender.catalog.operations import SEEDING, find_operation
from provender.problem import Place, Problem, Weight
from provender.records.harvest_years import ENDINGS, NOT_YET
from provender.rule.crops import Crop
from provender.rule.law import latest_whole
from provender.standards.season import DRILLED
from provender.verdicts.assess import Assessment

PLANTING: Final = "planting"
COVER: Final = "cover_crop"
PASSED: Final = "operation"
SOWERS: Final = frozenset({"planter", "planting", "drill", "seeder", "underseeder"})
"""Words by which the list names what sows; it groups row cleaners and tree spades with them."""
APART: Final = 45
"""Days beyond which two rows are no slip of one another."""
FALL: Final = 8
"""The month from which a pass may have sown a cover as well as a crop."""
Row = Mapping[str, Any]


class Sown(NamedTuple):
    """One row of something sown, or of a pass that sows."""

    kind: str  # the row
    key: str  # the row
    day: date | None  # its day, None where it has none
    place: Place  # where the row stands


@dataclass(frozen=True, slots=True)
class SowingDoubt:
    """Two rows that do not fit together, or one without its other."""

    farm_id: str  # where
    unit_id: str  # where
    harvest_id: str  # the crop entry that it is asked about for
    crop: str  # of it; the year is None before its harvest
    harvest_year: int | None  # of it; the year is None before its harvest
    record: Sown | None  # what was sown, None where only a pass is recorded
    sower: Sown | None  # the pass, None where only what was sown is recorded
    within: int  # days between the two that are no difference

    @property
    def cause(self) -> str:
        """Say which rows, and both days."""
        record, sower = self.record, self.sower
        if record is None:
            assert sower is not None  # noqa: S101 - one of the two is there
            what = f"pass {sower.key} of a planter or drill is of {sower.day}, and no planting or cover crop"
            return f"{self.unit_id}: {what} within {self.within} days of it is recorded."
        is_cover = record.kind == COVER
        is_of = "was drilled on" if is_cover else "is of"
        what = f"{'cover crop' if is_cover else 'planting'} {record.key} {is_of} {record.day}"
        if sower is None:
            tool = "drill" if is_cover else "planter or drill"
            return f"{self.unit_id}: {what}, and no pass of a {tool} within {self.within} days of it is recorded."
        day = "has no day" if sower.day is None else f"is of {sower.day}"
        return f"{self.unit_id}: {what}, and pass {sower.key} of a planter or drill {day}."

    @property
    def remedy(self) -> str:
        """Say what to do."""
        if self.record is None:
            return "Add what was sown that day. If nothing was sown, correct the operation or its day."
        if self.sower is None and self.record.kind == COVER:
            return "Add the pass of the drill. If it was broadcast or flown on, correct the seeding method."
        if self.sower is None:
            return "Add the pass. If the day is wrong, correct the planting."
        if self.sower.day is None:
            return "Write the day of the pass."
        return "Which day is right? Correct the other row. If the field was sown twice, add the row that is missing."

    @property
    def problem(self) -> Problem:
        """Return it as ``check`` tells it: a question, and nothing wrong."""
        one = self.record or self.sower
        assert one is not None  # noqa: S101 - one of the two is there
        return Problem(one.place, self.cause, self.remedy, "2100.051(c)(2)", Weight.NOTE, "sowing_differs")


class _Entry(NamedTuple):
    """A crop entry: whether it is asked about, with crop and year."""

    key: str
    end: date
    asked: bool
    crop: str
    year: int | None


def sowing_doubts(assessment: Assessment) -> list[SowingDoubt]:
    """Return what does not fit together of judged crops and of those still to be harvested, field by field.

    A field that was sown from the air or by a spreader takes no pass; what nobody planted, as a volunteer crop, has
    neither row; each replanting is a row and a pass of its own.
    """
    within = latest_whole("implied_pass_days")
    return [one for farm in assessment.book.farm_ids for one in _of_farm(assessment, farm, within)]


def _of_farm(assessment: Assessment, farm_id: str, within: int) -> Iterator[SowingDoubt]:
    entries, unit_of = _entries(assessment, farm_id)
    sown = _sown(assessment, farm_id, unit_of)
    passes = _passes(assessment, farm_id)
    kept = {(one.kind, one.day.year) for rows in sown.values() for _, one, _ in rows if one.day}
    for unit in entries:
        of_unit = _Field(entries[unit], sown.get(unit, []), passes.get(unit, []), within)
        for entry, record, sower in of_unit.doubts(kept):
            yield SowingDoubt(farm_id, unit, entry.key, entry.crop, entry.year, record, sower, within)


def _entries(assessment: Assessment, farm_id: str) -> tuple[dict[str, list[_Entry]], dict[str, str]]:
    """Return the crop entries of each unit in the order of their ends, and the unit of each entry."""
    judged = {
        entry: (str(one.crop), one.harvest_year)
        for one in assessment.intervals if one.farm_id == farm_id for entry in one.harvest_ids
    }  # fmt: skip
    known = {str(crop) for crop in Crop}
    found: dict[str, list[_Entry]] = {}
    unit_of: dict[str, str] = {}
    for row in assessment.book.rows_of("harvest", farm_id):
        key, unit, crop = row["harvest_id"], row["unit_id"], str(row["crop"])
        unit_of[key] = unit
        end = row["last_day"] or row["first_day"]
        if row["ending"] == NOT_YET:
            found.setdefault(unit, []).append(_Entry(key, date.max, crop in known, crop, None))
        elif row["ending"] in ENDINGS and end is not None:
            found.setdefault(unit, []).append(_Entry(key, end, key in judged, *judged.get(key, (crop, None))))
    return {unit: sorted(rows, key=lambda one: one.end) for unit, rows in found.items()}, unit_of


def _sown(assessment: Assessment, farm_id: str, unit_of: Mapping[str, str]) -> dict[str, list[tuple[str, Sown, bool]]]:
    """Return by unit what was sown: the crop entry, the row, and whether it takes a pass."""
    found: dict[str, list[tuple[str, Sown, bool]]] = {}
    for row in assessment.book.rows_of(PLANTING, farm_id):
        one = Sown(PLANTING, row["planting_id"], row["planted_on"], _place(row, PLANTING))
        found.setdefault(unit_of.get(row["harvest_id"], ""), []).append((row["harvest_id"], one, True))
    for row in assessment.book.rows_of(COVER, farm_id):
        one = Sown(COVER, row["cover_id"], row["seeded_on"], _place(row, COVER))
        found.setdefault(row["unit_id"], []).append((row["harvest_id"], one, row["method"] in DRILLED))
    return found


def _passes(assessment: Assessment, farm_id: str) -> dict[str, list[tuple[Sown, bool]]]:
    """Return by unit the passes that may have sown, and whether that is what such a pass is for."""
    found: dict[str, list[tuple[Sown, bool]]] = {}
    for row in assessment.book.rows_of(PASSED, farm_id):
        if may_sow(row["operation"]):
            one = Sown(PASSED, row["operation_id"], row["day"], _place(row, PASSED))
            found.setdefault(row["unit_id"], []).append((one, sows(row["operation"])))
    return found


def may_sow(operation: str) -> bool:
    """Return whether a pass may have sown: one that sows by the list, or of which the list knows nothing."""
    listed = find_operation(operation)
    return listed is None or listed.op_group in SEEDING


def sows(operation: str) -> bool:
    """Return whether an operation of the list puts seed into the ground by a planter or drill."""
    listed = find_operation(operation)
    if listed is None or listed.op_group not in SEEDING or listed.tillage_type is None:
        return False
    return bool(SOWERS & set(listed.name.lower().replace(",", " ").split()))


def _is_kept(day: date | None, kept: set[tuple[str, int]]) -> bool:
    kinds = (PLANTING, COVER) if day and day.month >= FALL else (PLANTING,)
    return day is not None and any((kind, day.year) in kept for kind in kinds)


def _place(row: Row, kind: str) -> Place:
    return Place(row["source_file"] or kind, row=row["source_row"] or 0)


class _Field(NamedTuple):
    """One unit: its crop entries in order, what was sown on it, and the passes that may have sown it."""

    entries: Sequence[_Entry]
    sown: Sequence[tuple[str, Sown, bool]]
    passes: Sequence[tuple[Sown, bool]]
    within: int

    def doubts(self, kept: set[tuple[str, int]]) -> Iterator[tuple[_Entry, Sown | None, Sown | None]]:
        """Yield what does not fit: the entry, what was sown, the pass.

        Args:
            kept: kind and year of what the farm records as sown; a pass alone contradicts nothing where it keeps none.
        """
        asked = {one.key: one for one in self.entries if one.asked}
        alone = [(entry, one) for entry, one in self._passes_alone() if _is_kept(one.day, kept)]
        undated = [one for one, is_sower in self.passes if is_sower and one.day is None]
        for entry, record in self._without_pass(asked):
            sower = self._slip_of(record, entry, alone) or (undated.pop(0) if undated else None)
            alone = [pair for pair in alone if pair[1] is not sower]
            yield entry, record, sower
        yield from ((entry, None, one) for entry, one in alone if entry.asked)

    def _without_pass(self, asked: Mapping[str, _Entry]) -> Iterator[tuple[_Entry, Sown]]:
        for entry, record, takes_pass in self.sown:
            if takes_pass and record.day and entry in asked:
                days = (one.day for one, _ in self.passes if one.day)
                if not any(abs((day - record.day).days) <= self.within for day in days):
                    yield asked[entry], record

    def _passes_alone(self) -> Iterator[tuple[_Entry, Sown]]:
        """Yield the passes that nothing sown stands beside, each with the crop in whose season it lies."""
        known = {record.day for _, record, _ in self.sown if record.day}
        unknown = {entry for entry, record, _ in self.sown if record.day is None}
        sowers = sorted((one for one, is_sower in self.passes if is_sower and one.day), key=lambda one: str(one.day))
        while joined := [
            one for one in sowers if one.day and any(abs((one.day - day).days) <= self.within for day in known)
        ]:
            known |= {one.day for one in joined if one.day}
            sowers = [one for one in sowers if one not in joined]
        for one in sowers:
            entry = next((each for each in self.entries if one.day and each.end > one.day), None)
            if entry is not None and entry.key not in unknown:
                yield entry, one

    def _slip_of(self, record: Sown, entry: _Entry, alone: Sequence[tuple[_Entry, Sown]]) -> Sown | None:
        """Return the lone pass nearest to a row, where one may be a slip of the other."""
        off = [
            (abs((one.day - record.day).days), one)
            for _, one in alone if one.day and record.day and one.day < entry.end
        ]  # fmt: skip
        near = min(off, key=lambda pair: pair[0], default=(APART + 1, None))
        return near[1] if near[0] <= APART else None
