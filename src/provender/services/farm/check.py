"""Judging the practice standards of one record book on disk: which verdicts are asked for, and what is told beside."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

from provender.catalog.tables import SEEDING, find_operation
from provender.exact import Amount, Bushels, sum_of_known
from provender.intensity import OFFICIAL
from provender.intensity.average import DEFINITION, NO_PRACTICE, REMEDY
from provender.intensity.county_files import CountyTable, CountyYields
from provender.intensity.quantify import Quantification, quantify
from provender.paper.tables import Cell, Table, amount, table_of
from provender.problem import Place, Problem, ProblemsError, Weight, listed, refuse
from provender.records.book import ENDINGS, NOT_YET
from provender.records.folder import load_book
from provender.report.attestation import delivery_notes, promise_problems
from provender.report.document import build
from provender.report.plausibility import contradictions_of_book
from provender.report.signing import refusals
from provender.report.verdict_tables import to_do_lines
from provender.rule.calculators import known_calculators
from provender.rule.crops import NUTRIENTS, Crop, Practice
from provender.rule.law import latest_whole
from provender.schema import field, infos, view, write
from provender.standards.judge import IntervalJudged, PracticeJudged
from provender.standards.season import DRILLED
from provender.standards.standard import Verdict
from provender.verdicts import words
from provender.verdicts.assess import Assessment, assess

# A record book on disk, judged, and quantified by farm, crop and harvest year.


def judged(book: Path) -> Assessment:
    return assess(load_book(book))


def quantified(
    assessment: Assessment,
    crop: Crop | None,
    year: int | None,
    calculator: str | CountyTable = OFFICIAL,
    calculators: Path | None = None,
    county_yields: CountyYields | None = None,
) -> list[Quantification]:
    """Quantify every farm, crop and harvest year asked for; ``calculators`` is a list beside the packaged one.

    Yields are held against ``county_yields`` where they are given.

    Raises:
        ProblemsError: the book has no such harvest, or the list cannot be used.
    """
    known, yields = known_calculators(calculators), county_yields.values if county_yields else None
    found = [
        quantify(assessment, farm_id, of, harvest_year, calculator, known=known, county_yields=yields)
        for farm_id, of, harvest_year in assessment.harvests
        if crop in (None, of) and year in (None, harvest_year)
    ]
    if not found:
        raise ProblemsError([_no_such(assessment)])
    return found


def yields_compared(results: Sequence[Quantification], yields: CountyYields, file: str) -> CountyYields:
    """Return yields of counties, with a note where no unit of any result was held against one."""
    units = {(unit.county_fips, one.crop, one.harvest_year) for one in results for unit in one.units}
    return yields if not yields.values or units & yields.values.keys() else yields.compared_with_nothing(file)


def _no_such(assessment: Assessment) -> Problem:
    have = ", ".join(f"{of} {harvest_year}" for _, of, harvest_year in assessment.harvests)
    if not have:
        return _nothing_to_judge()
    cause = f"The book holds no such crop and harvest year; it has: {have}."
    return Problem(Place("harvest.csv"), cause, "Choose one of them.", "2100.020", code="no_such_harvest")


def _nothing_to_judge() -> Problem:
    """Return what to tell of a book in which no crop gets a verdict, so that no answer is an empty one."""
    cause = "The book holds no corn, soybeans or sorghum harvested since the rule is in force: nothing to judge."
    remedy = "Enter each harvest: unit, crop, first and last day, bushels."
    return Problem(Place("harvest.csv"), cause, remedy, "2100.020", code="no_harvest")


# Totals across the operation: crops on units, acres and bushels under each practice, by harvest year and crop.
#
# 2100.052(b)(4) and (7) ask for them of cover crops, 2100.053(e)(7) and (8) of nutrient management; those of tillage
# stand beside them. A signed report holds the same of its one crop.

CAPTION: Final = "Totals across the operation, of crops that meet the standard, whether or not their records are open"
EXPLAINED: Final = (
    "A crop on a unit counts under each practice whose standard it meets, so the totals of several practices do not "
    "add up. What is not met or not shown is in no total; a crop is told as not shown unless ticks leave the practice "
    "out. Acres of a cover crop are those that were seeded; acres of other practices are those of the unit. Where one "
    "crop lacks an amount, the total is not known (2100.052(b)(4), (7), 2100.053(e)(7), (8))."
)
EMPTY: Final = "No crop meets the standard of a practice yet, so there is nothing to add up across the operation."
_CITES: Final = {
    Practice.cover_crop: "2100.052(b)(4), (7)",
    **dict.fromkeys(NUTRIENTS, "2100.053(e)(7), (8)"),
}
_SHORT: Final = {"harvest_year": "Year", "crops_on_units": "Crops", "records_open": "Open"}
"""Headings for narrow screens."""
_IN_FILE: Final = ("without_acres", "without_bushels", "cite")
"""What a file has beside: on a screen the amount says that it is not known."""


@view
class PracticeTotal:
    """How much stands under a practice in a harvest year, across the operation: of one crop, or of all together.

    A crop that meets several standards counts under each of them: practices do not add up. What never meets a standard
    has no total. An amount is null where a crop on a unit lacks it: the total is not known.
    """

    farm_id: str = field("Farm")
    harvest_year: int = field("Harvest year")
    practice: Practice = field("Practice code")
    label: str = field("Practice")
    crop: Crop | None = field("Crop code", help="Null for all crops together, where one of them is not all.")
    crop_label: str = field("Crop")
    crops_on_units: int = field("Crops on units", help="Those that meet the standard; a unit counts once a crop.")
    records_open: int = field("With records open", help="Those of them whose record requirements are not all met.")
    not_shown: int = field(
        "Not shown", help="In no total: the records do not show the practice, nor do ticks leave it out."
    )
    acres: Amount | None = field(
        "Acres", help="Seeded in cover crops; else of the units.", cite="2100.052(b)(4), 2100.053(e)(7)"
    )
    bushels: Bushels | None = field("Bushels", help="Harvested from the units.", cite="2100.052(b)(7), 2100.053(e)(8)")
    without_acres: int = field("Crops without acres", help="Those whose acres are not recorded.")
    without_bushels: int = field("Crops without bushels", help="Those whose bushels are not recorded.")
    cite: str = field("7 CFR", help="The paragraphs that ask for these totals; empty for tillage.")


def operation_totals(intervals: Iterable[IntervalJudged]) -> tuple[PracticeTotal, ...]:
    """Return the totals of each practice by farm and harvest year: all crops together unless one is all, then each.

    Args:
        intervals: every crop interval of the operation.
    """
    seasons: dict[tuple[str, int], list[IntervalJudged]] = {}
    for one in intervals:
        seasons.setdefault((one.farm_id, one.harvest_year), []).append(one)
    return tuple(
        total for key in sorted(seasons) for practice in Practice for total in _totals(*key, practice, seasons[key])
    )


def _totals(farm: str, year: int, practice: Practice, season: Sequence[IntervalJudged]) -> Iterator[PracticeTotal]:
    def total(crop: Crop | None, of: Sequence[tuple[IntervalJudged, PracticeJudged]]) -> PracticeTotal:
        asked = [(one, judged) for one, judged in of if judged.asked]
        met = [(one, judged) for one, judged in asked if judged.implementation is Verdict.MET]
        acres, without_acres = _total(_acres(practice, one) for one, _ in met)
        bushels, without_bushels = _total(one.season.harvest.bushels for one, _ in met)
        return PracticeTotal(
            farm_id=farm, harvest_year=year, practice=practice, label=practice.label, crop=crop,
            crop_label=crop.label if crop else "All crops", crops_on_units=len(met),
            records_open=sum(judged.records is not Verdict.MET for _, judged in met),
            not_shown=sum(judged.implementation is Verdict.NOT_SHOWN for _, judged in asked),
            acres=acres, without_acres=without_acres, bushels=bushels, without_bushels=without_bushels,
            cite=_CITES.get(practice, ""),
        )  # fmt: skip

    every = [(one, one[practice]) for one in season]
    of_crop = {crop: [each for each in every if each[0].crop is crop] for crop in Crop}
    crops = [found for crop, of in of_crop.items() if (found := total(crop, of)).crops_on_units]
    whole = total(None, every)
    if crops and [replace(one, crop=None, crop_label=whole.crop_label) for one in crops] != [whole]:
        yield whole
    yield from crops


def _acres(practice: Practice, one: IntervalJudged) -> int | None:
    """Return the acres of one crop under a practice, thousandths: seeded in every cover before it, or of its unit."""
    covers = practice is Practice.cover_crop
    return sum_of_known(cover.seeded_acres for cover in one.season.covers) if covers else one.season.acres


def _total(amounts: Iterable[int | None]) -> tuple[int | None, int]:
    """Return the sum of amounts, None where one of them is not recorded, and how many are not."""
    given = list(amounts)
    known = [one for one in given if one is not None]
    lacking = len(given) - len(known)
    return (None if lacking else sum(known)), lacking


def totals_table(totals: Sequence[PracticeTotal]) -> Table:
    several_farms = len({one.farm_id for one in totals}) > 1
    left_out = ("practice", "crop") if several_farms else ("practice", "crop", "farm_id")
    shown = [name for name in infos(PracticeTotal) if name not in left_out]
    table = table_of(
        PracticeTotal, totals, name="practice totals", only=shown, empty=EMPTY, caption=CAPTION,
        cells={
            "farm_id": lambda one: Cell(one.farm_id, typed=True),
            "acres": lambda one: amount(one.acres, missing=_unknown(one.without_acres, one.crops_on_units)),
            "bushels": lambda one: amount(one.bushels, missing=_unknown(one.without_bushels, one.crops_on_units)),
        },
    )  # fmt: skip
    columns = [
        replace(column, short=_SHORT.get(name, ""), file_only=name in _IN_FILE, measured=False)
        for name, column in zip(shown, table.columns, strict=True)
    ]
    return replace(table, columns=columns)


def _unknown(lacking: int, crops: int) -> str:
    return f"not known: {lacking} of {crops} not recorded"


@dataclass(frozen=True, slots=True)
class Checked:
    """A judged book, and what was asked for of it."""

    assessment: Assessment  # the judged book
    chosen: tuple[IntervalJudged, ...]  # the crop intervals that were asked for
    # of each practice across the operation, in the harvest years that were asked for; none for one unit
    totals: tuple[PracticeTotal, ...]
    beside: tuple[Problem, ...]  # what is told beside the problems of the judged book

    @property
    def farm(self) -> str:
        return ", ".join(self.assessment.book.farm_ids)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with its records, and what is told beside the verdicts."""
        return (*self.assessment.problems, *self.beside)

    @property
    def states(self) -> list[str]:
        """What is to be said of the rule versions of its verdicts, each once."""
        return list(dict.fromkeys(one.rule.state for one in self.chosen if one.rule.state))

    @property
    def is_done(self) -> bool:
        """Whether every practice that is asked for is met, and nothing is wrong with the records."""
        unmet = any(p.implementation is not Verdict.MET for one in self.chosen for p in one.practices if p.asked)
        wrong = any(problem.weight is not Weight.NOTE for problem in self.problems)
        return not unmet and not wrong and bool(self.chosen)

    def as_json(self, as_of: str | None) -> dict[str, Any]:
        return {
            "as_of": as_of,
            "intervals": [interval_json(one) for one in self.chosen],
            "practice_totals": [write(one, whole=True) for one in self.totals],
            "problems": [problem.as_json() for problem in self.problems],
        }


def check_book(book: Path, unit: str, year: int | None, as_of: date) -> Checked:
    """Judge a book; with ``unit`` or ``year`` only those are chosen.

    Raises:
        ProblemsError: the book cannot be read, or holds nothing of what is asked for.
    """
    assessment = judged(book)
    impossible = contradictions_of_book(assessment, as_of)
    reminders = delivery_notes(assessment.book)
    beside = (
        *promise_problems(assessment),
        *_without_practice(assessment),
        *impossible,
        *reminders,
        *_sown(assessment),
    )
    chosen = tuple(
        one for one in assessment.intervals if unit in ("", one.unit_id) and year in (None, one.harvest_year)
    )
    if (unit or year is not None) and not chosen:
        raise _nothing_chosen(assessment, unit, year)
    nothing = () if chosen else (_nothing_to_judge(),)
    return Checked(assessment, chosen, () if unit else operation_totals(chosen), (*beside, *nothing))


def _without_practice(assessment: Assessment) -> Iterator[Problem]:
    """Yield a note for each farm, crop and harvest year of which no unit has a practice credited."""
    for (farm, crop, year), intervals in assessment.harvests.items():
        if not any(interval.credited for interval in intervals):
            cause = f"{crop.label} {year}, farm {farm}: {NO_PRACTICE}"
            yield Problem(Place("harvest.csv"), cause, REMEDY, DEFINITION, Weight.NOTE, "no_practice")


def _sown(assessment: Assessment) -> Iterator[Problem]:
    """Ask of what was sown and its pass where they differ; one that lacks its pass alone is told with the verdicts."""
    told = {one.place for one in assessment.problems if one.code == "pass_missing"}
    yield from (
        one.problem for one in sowing_doubts(assessment) if one.sower is not None or one.problem.place not in told
    )


def _nothing_chosen(assessment: Assessment, unit: str, year: int | None) -> ProblemsError:
    """Return a refusal that names what was asked for wrongly: the unit, the year, or both together."""
    units = dict.fromkeys(one.unit_id for one in assessment.intervals)
    years = dict.fromkeys(str(one.harvest_year) for one in assessment.intervals if unit in ("", one.unit_id))
    if unit and unit not in units:
        have = ", ".join(units) or "none"
        return refuse("--unit", f"The book holds no unit {unit!r} with a verdict; it has: {have}.", "Choose one.")
    have = ", ".join(years) or "none"
    of = f" of unit {unit}" if unit else ""
    return refuse("--year", f"The book holds no harvest{of} of {year}; it has: {have}.", "Choose one of these years.")


def interval_json(one: IntervalJudged, *, shown: bool = True) -> dict[str, Any]:
    """Return a crop with its practices as plain data, for check, pages and the API; nothing of it is a float."""
    return {
        "farm_id": one.farm_id,
        "unit_id": one.unit_id,
        "harvest_id": one.harvest_id,
        "harvest_ids": list(one.harvest_ids),
        "crop": str(one.crop),
        "crop_label": one.crop.label,
        "harvest_year": one.harvest_year,
        "rule": one.rule.id,
        "rule_state": one.rule.state,
        "warning": one.rule.warning,
        **words.verdicts_json(one, shown=shown),
    }


# Why a practice is not met, in sentences for every interface: what the records show instead, and by which rows.


def why_against(interval: Mapping[str, Any], practice: Mapping[str, Any]) -> str:
    """Return the first reason why a practice is not met, with the rows that it rests on and their days."""
    if practice["implementation"] != Verdict.NOT_MET:
        return ""
    return _first_against(rule["against"] for rule in words.requirements_of(interval, practice))


def why_judged_against(one: IntervalJudged, practice: PracticeJudged) -> str:
    if practice.implementation is not Verdict.NOT_MET:
        return ""
    every = (rule.against for rule in practice.requirements)
    return _first_against([words.as_json(found, one.season.rows) for found in against] for against in every)


def _first_against(every: Iterable[Sequence[Mapping[str, str]]]) -> str:
    first = next((against for against in every if against), None)
    if first is None:
        return ""
    says = first[0]["says"]
    return f"{says} {resting_on([found['words'] for found in first if found['says'] == says])}"


def resting_on(rows: Sequence[str]) -> str:
    """Return the sentence that names the first row behind a verdict; the page of the field links to the others."""
    first, more = rows[0], len(rows) - 1
    return f"It rests on {first} (and {more} more)." if more else f"It rests on {first}."


# Rows of what was sown held against passes of a planter or drill: which two do not fit together, as a question.
#
# No verdict rests on an answer (2100.051(c)(2), 2100.053(e)(6)): one of the two days may be a slip, a pass may be
# missing, or what was sown. Rows within the days that the rule's parameters allow between a record and its pass are one
# deed; passes that follow one another so closely are one too, since a field may take several days.

PLANTING: Final = "planting"
COVER: Final = "cover_crop"
PASSED: Final = "operation"
_SOWERS: Final = frozenset({"planter", "planting", "drill", "seeder", "underseeder"})
"""Words by which the list names what sows; it groups row cleaners and tree spades with them."""
_APART: Final = 45
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
    sown = _sown_rows(assessment, farm_id, unit_of)
    passes = _passes(assessment, farm_id)
    kept = {(one.kind, one.day.year) for rows in sown.values() for _, one, _ in rows if one.day}
    for unit in entries:
        of_unit = _FieldSown(entries[unit], sown.get(unit, []), passes.get(unit, []), within)
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


def _sown_rows(
    assessment: Assessment, farm_id: str, unit_of: Mapping[str, str]
) -> dict[str, list[tuple[str, Sown, bool]]]:
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
    return bool(_SOWERS & set(listed.name.lower().replace(",", " ").split()))


def _is_kept(day: date | None, kept: set[tuple[str, int]]) -> bool:
    kinds = (PLANTING, COVER) if day and day.month >= FALL else (PLANTING,)
    return day is not None and any((kind, day.year) in kept for kind in kinds)


def _place(row: Row, kind: str) -> Place:
    return Place(row["source_file"] or kind, row=row["source_row"] or 0)


class _FieldSown(NamedTuple):
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
        near = min(off, key=lambda pair: pair[0], default=(_APART + 1, None))
        return near[1] if near[0] <= _APART else None


# What a record book on disk still lacks for signed reports of its last harvest year, as one list.


class Needed(NamedTuple):
    """What is still needed: each thing once, rows that could not be read first."""

    year: int  # the harvest year; 0 where no crop gets a verdict
    things: tuple[str, ...]


def still_needed(book: Path, as_of: date) -> Needed:
    """Return what keeps the reports of a book's last harvest year from being signed, and what its claims wait for.

    Raises:
        ProblemsError: the book cannot be read.
    """
    assessment = judged(book)
    unread = [f"{one.place}: {one.cause} {one.remedy}" for one in assessment.problems if one.weight is Weight.ERROR]
    if not assessment.harvests:
        nothing = _nothing_to_judge()
        return Needed(0, (*unread, f"{nothing.cause} {nothing.remedy}"))
    year = max(of_year for _, _, of_year in assessment.harvests)
    of_year = [one for one in assessment.intervals if one.harvest_year == year]
    records = (f"{record}: {waits} [7 CFR {cite}]" for record, waits, cite in to_do_lines(of_year))
    return Needed(year, (*unread, *records, *_refused(assessment, quantified(assessment, None, year), as_of)))


def _refused(assessment: Assessment, found: list[Quantification], as_of: date) -> Iterator[str]:
    crops: dict[tuple[str, str, str], list[str]] = {}
    for one in found:
        for problem in refusals(build(assessment, one, as_of=as_of)):
            crops.setdefault((problem.cause, problem.remedy, problem.cite), []).append(str(one.crop))
    for (cause, remedy, cite), of in crops.items():
        yield f"{listed(dict.fromkeys(of))}: {cause} {remedy} [7 CFR {cite}]"
