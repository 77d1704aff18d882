"""Judging the practice standards of one record book on disk: which verdicts are asked for, and what is told beside."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Final

from provender.exact import CI_SCALE, SCALE, Amount, Bushels
from provender.intensity.calculator import ARGONNE, OFFICIAL, CountyTable
from provender.intensity.completeness import DEFINITION, NO_PRACTICE, REMEDY, CountyYields
from provender.intensity.plan import Option, UnitPlan, unit_plan
from provender.intensity.quantify import Quantification, quantify
from provender.paper.tables import Cell, Column, Table, amount, year_cell
from provender.problem import Place, Problem, ProblemsError, Weight, refuse
from provender.records.folder import load_book
from provender.report.attestation import promise_problems
from provender.report.deliveries import delivery_notes
from provender.report.plausibility import contradictions_of_book
from provender.rule.calculators import known_calculators
from provender.rule.crops import NUTRIENTS, Crop, Practice
from provender.schema import field, part, view, write
from provender.services.farm.due import Due, due_records
from provender.services.farm.sowing import sowing_doubts
from provender.standards.judge import IntervalJudged
from provender.standards.standard import Verdict, sum_of_known
from provender.verdicts import words
from provender.verdicts.assess import Assessment, assess

# A record book on disk, judged, and quantified by farm, crop and harvest year.


def judged(book: Path) -> Assessment:
    """Load and judge a book."""
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
        return nothing_to_judge()
    cause = f"The book holds no such crop and harvest year; it has: {have}."
    return Problem(Place("harvest.csv"), cause, "Choose one of them.", "2100.020", code="no_such_harvest")


def nothing_to_judge() -> Problem:
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
_COLUMNS: Final = (
    Column("Harvest year", "Year"),
    Column("Practice"),
    Column("Crop"),
    Column("Crops on units", "Crops", number=True),
    Column("With records open", "Open", number=True),
    Column("Not shown", number=True),
    Column("Acres", number=True),
    Column("Bushels", number=True),
    Column("Crops without acres", number=True, file_only=True),
    Column("Crops without bushels", number=True, file_only=True),
    Column("7 CFR", file_only=True),
)


@part
class PracticeExtent:
    """How much stands under a practice. An amount is null where a crop on a unit lacks it: the total is not known."""

    crops_on_units: int = field("Crops on units", help="Those that meet the standard; a unit counts once a crop.")
    records_open: int = field("With records open", help="Those of them whose record requirements are not all met.")
    not_shown: int = field(
        "Not shown", help="In no total: the records do not show the practice, nor do ticks leave it out."
    )
    acres: Amount | None = field(
        "Acres", unit="acres", help="Seeded in cover crops; else of the units.", cite="2100.052(b)(4), 2100.053(e)(7)"
    )
    without_acres: int = field("Crops without acres", help="Those whose acres are not recorded.")
    bushels: Bushels | None = field("Bushels", help="Harvested from the units.", cite="2100.052(b)(7), 2100.053(e)(8)")
    without_bushels: int = field("Crops without bushels", help="Those whose bushels are not recorded.")


@part
class CropExtent:
    """How much of one crop stands under a practice."""

    crop: Crop = field("Crop")
    label: str = field("Name of the crop")
    extent: PracticeExtent = field("How much of it")


@view
class PracticeTotal:
    """One practice in one harvest year, across the operation; a practice that no crop meets has none.

    A crop that meets several standards counts under each of them: practices do not add up.
    """

    farm_id: str = field("Farm")
    harvest_year: int = field("Harvest year")
    practice: Practice = field("Practice")
    label: str = field("Name of the practice")
    cite: str = field("Paragraphs", help="Those that ask for these totals; empty for tillage.")
    extent: PracticeExtent = field("How much of all crops")
    crops: tuple[CropExtent, ...] = field("How much of each crop", help="A crop that never meets it is left out.")


def operation_totals(intervals: Iterable[IntervalJudged]) -> tuple[PracticeTotal, ...]:
    """Return the totals of each practice by farm and harvest year, in the order of practices and crops.

    Args:
        intervals: every crop interval of the operation.
    """
    seasons: dict[tuple[str, int], list[IntervalJudged]] = {}
    for one in intervals:
        seasons.setdefault((one.farm_id, one.harvest_year), []).append(one)
    return tuple(
        PracticeTotal(
            farm_id=farm, harvest_year=year, practice=practice, label=practice.label, cite=_CITES.get(practice, ""),
            extent=_extent(practice, seasons[farm, year]), crops=crops,
        )
        for farm, year in sorted(seasons)
        for practice in Practice
        if (crops := _crops(practice, seasons[farm, year]))
    )  # fmt: skip


def _crops(practice: Practice, season: Sequence[IntervalJudged]) -> tuple[CropExtent, ...]:
    """Return how much of each crop meets a practice, without those of which nothing does."""
    extents = ((crop, _extent(practice, [one for one in season if one.crop is crop])) for crop in Crop)
    return tuple(CropExtent(crop, crop.label, extent) for crop, extent in extents if extent.crops_on_units)


def _extent(practice: Practice, season: Sequence[IntervalJudged]) -> PracticeExtent:
    asked = [one for one in season if one[practice].asked]
    met = [one for one in asked if one[practice].implementation is Verdict.MET]
    unshown = sum(one[practice].implementation is Verdict.NOT_SHOWN for one in asked)
    acres, without_acres = _total(_acres(practice, one) for one in met)
    bushels, without_bushels = _total(one.bushels for one in met)
    open_ = sum(one[practice].records is not Verdict.MET for one in met)
    return PracticeExtent(len(met), open_, unshown, acres, without_acres, bushels, without_bushels)


def _acres(practice: Practice, one: IntervalJudged) -> int | None:
    """Return the acres of one crop under a practice, thousandths: seeded in every cover before it, or of its unit."""
    covers = practice is Practice.cover_crop
    return sum_of_known(cover.seeded_acres for cover in one.season.covers) if covers else one.acres


def _total(amounts: Iterable[int | None]) -> tuple[int | None, int]:
    """Return the sum of amounts, None where one of them is not recorded, and how many are not."""
    given = list(amounts)
    known = [one for one in given if one is not None]
    lacking = len(given) - len(known)
    return (None if lacking else sum(known)), lacking


def totals_table(totals: Sequence[PracticeTotal]) -> Table:
    """Return the totals as a table: a row for all crops under a practice unless it is of one, then a row for each."""
    several_farms = len({one.farm_id for one in totals}) > 1
    rows = []
    for one in totals:
        parts = [(each.label, each.extent) for each in one.crops]
        if [each.extent for each in one.crops] != [one.extent]:
            parts = [("All crops", one.extent), *parts]
        farm = [Cell(one.farm_id, typed=True)] if several_farms else []
        rows += [[*farm, *_cells(one, crop, extent)] for crop, extent in parts]
    columns = [*([Column("Farm")] if several_farms else []), *_COLUMNS]
    return Table("practice totals", columns, rows, empty=EMPTY, caption=CAPTION)


def _cells(one: PracticeTotal, crop: str, extent: PracticeExtent) -> list[Cell]:
    shown = (extent.crops_on_units, extent.records_open, extent.not_shown)
    crops, open_, unshown = (Cell(str(count), saved=count) for count in shown)
    lacking = (extent.without_acres, extent.without_bushels)
    without_acres, without_bushels = (Cell(str(count), saved=count) for count in lacking)
    acres = amount(extent.acres, missing=_unknown(extent.without_acres, extent.crops_on_units))
    bushels = amount(extent.bushels, missing=_unknown(extent.without_bushels, extent.crops_on_units))
    return [
        year_cell(one.harvest_year), Cell(one.label), Cell(crop), crops, open_, unshown, acres, bushels, without_acres,
        without_bushels, Cell(one.cite),
    ]  # fmt: skip


def _unknown(lacking: int, crops: int) -> str:
    return f"not known: {lacking} of {crops} not recorded"


@dataclass(frozen=True, slots=True)
class Checked:
    """A judged book, and what was asked for of it."""

    assessment: Assessment  # the judged book
    chosen: tuple[IntervalJudged, ...]  # the crop intervals that were asked for
    # of each practice across the operation, in the harvest years that were asked for; none for one unit
    totals: tuple[PracticeTotal, ...]

    @property
    def farm(self) -> str:
        """The identifiers of its farms."""
        return ", ".join(self.assessment.book.farm_ids)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with its records, and what is told beside the verdicts."""
        return tuple(self.assessment.problems)

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
        """Return the verdicts as JSON data."""
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
    warnings = (
        *promise_problems(assessment),
        *_without_practice(assessment),
        *impossible,
        *reminders,
        *_sown(assessment),
    )
    assessment = replace(assessment, problems=(*assessment.problems, *warnings))
    chosen = tuple(
        one for one in assessment.intervals if unit in ("", one.unit_id) and year in (None, one.harvest_year)
    )
    if (unit or year is not None) and not chosen:
        raise _nothing_chosen(assessment, unit, year)
    if not chosen:
        assessment = replace(assessment, problems=(*assessment.problems, nothing_to_judge()))
    return Checked(assessment, chosen, () if unit else operation_totals(chosen))


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


def interval_json(one: IntervalJudged) -> dict[str, Any]:
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
        **words.verdicts_json(one),
    }


# What a user's own price makes of bushels and CI: an assumption that is shown as one and kept nowhere.

ASSUMED: Final = "your own assumption"
CENTS: Final = Decimal("0.01")
FIELDS: Final = ("premium per bushel", "price per point", "grams in a point")
MOST: Final = Decimal(1_000_000)
"""Dollars, or grams of a point, beyond which something else was typed."""


@dataclass(frozen=True, slots=True)
class Price:
    """What somebody reckons to be paid."""

    per_bushel: Decimal = Decimal(0)  # dollars for each bushel of a crop with a practice
    per_point: Decimal = Decimal(0)  # dollars for each bushel and each point of CI below the national default
    point: Decimal = Decimal(1)  # g CO2e/bu in a point; the rule's unit is one gram

    def worth(self, bushels: int | None, below: int | None) -> Decimal | None:
        """Return dollars and cents for bushels (thousandths) at a CI so far (hundredths) below the national default.

        None where the bushels are not known, or where points are paid for and the CI is not.
        """
        if bushels is None or (below is None and self.per_point):
            return None
        points = max(0, below or 0) / (self.point * 10**CI_SCALE)
        return (Decimal(bushels) / 10**SCALE * (self.per_bushel + self.per_point * points)).quantize(CENTS)

    def of(self, option: Option, bushels: int | None) -> Decimal | None:
        """Return what a unit's bushels would earn under an option: nothing without a practice."""
        if not option.combination.practices:
            return None if bushels is None else Decimal(0).quantize(CENTS)
        return self.worth(bushels, None if option.against_national is None else -option.against_national)

    def gain(self, option: Option, today: Option, bushels: int | None) -> Decimal | None:
        """Return dollars of an option beyond those of today's practices; None where one of them is not known."""
        then, now = self.of(option, bushels), self.of(today, bushels)
        return None if then is None or now is None else then - now

    def __str__(self) -> str:
        """Say what was typed."""
        said = [f"${self.per_bushel:f} a bushel"] if self.per_bushel else []
        if self.per_point:
            said.append(
                f"${self.per_point:f} a bushel and point of {self.point:f} g CO2e/bu below the national default"
            )
        return f"At {' and '.join(said)}: {ASSUMED}."


def sums_of(found: Sequence[tuple[UnitPlan, Option]], price: Price) -> tuple[int | None, Decimal | None]:
    """Return whole kilograms CO2e and dollars of options against today's practices, over several units.

    None where one unit does not know its part.
    """
    grams = [one.grams(option) for one, option in found]
    gains = [price.gain(option, one.today, one.unit.bushels) for one, option in found]
    known = [each for each in grams if each is not None]
    paid = [each for each in gains if each is not None]
    kilograms = int(sum(known) / Decimal(1000)) if len(known) == len(grams) else None
    return kilograms, sum(paid, Decimal(0)) if len(paid) == len(gains) else None


def price_of(
    per_bushel: str, per_point: str, point: str = "1", *, names: tuple[str, str, str] = FIELDS
) -> Price | None:
    """Read what a user typed; None where no price was.

    Args:
        per_bushel: dollars a bushel; blank for none.
        per_point: dollars a bushel and point of CI; blank for none.
        point: g CO2e/bu in a point.
        names: what the three are called where they were typed.

    Raises:
        ProblemsError: one of them is no price.
    """
    if not per_bushel and not per_point:
        return None
    return Price(
        _number(names[0], per_bushel or "0"),
        _number(names[1], per_point or "0"),
        _number(names[2], point, "grams", least=Decimal("0.000001")),
    )


def _number(name: str, text: str, unit: str = "dollars", least: Decimal = Decimal(0)) -> Decimal:
    try:
        value = Decimal(text.removeprefix("$")) if text.isascii() else Decimal("NaN")
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or not least <= value <= MOST:
        raise refuse(name, f"{text!r} is no price.", f"Type a number of {unit} such as 0.35.")
    return value


# Books on disk, many farms at once: what each needs next, and what is due on one.


@dataclass(frozen=True, slots=True)
class FarmLine:
    """One farm's line."""

    book: str  # its folder
    farm: str  # its identifier; empty where the book cannot be read
    ready: int  # crops with a practice whose records are met too, and all that are judged
    units: int  # crops with a practice whose records are met too, and all that are judged
    gaps: int  # different records that are missing
    days: int | None  # until the next record is due, below zero once it is late; None where none has a day
    next: str  # what to do
    open_bushels: int  # thousandths of a bushel of crops that are not ready
    # dollars that those would earn at a price the user typed; None without one, or where it is not known
    stake: Decimal | None = None
    unclaimed: int = 0  # crops on which nothing is claimed

    @property
    def done(self) -> bool:
        """Return whether no crop of a book that can be read waits for anything."""
        return bool(self.farm) and bool(self.units) and self.ready + self.unclaimed == self.units


def farm_line(book: Path, year: int | None, as_of: date, price: Price | None = None) -> FarmLine:
    """Judge a book and sum it up; one that cannot be read is a line that says so."""
    try:
        assessment = assess(load_book(book))
    except ProblemsError as refused:
        cause = "; ".join(problem.cause for problem in refused.problems)
        return FarmLine(book.name, "", 0, 0, 0, None, f"Cannot be read: {cause}", 0)
    chosen = [one for one in assessment.intervals if year in (None, one.harvest_year)]
    open_ones = [one for one in chosen if not words.is_settled(one)]
    unclaimed = sum(words.is_settled(one) and not words.is_ready(one) for one in chosen)
    done = len(chosen) - len(open_ones) - unclaimed
    asked = (practice for one in open_ones for practice in one.practices if practice.asked)
    missing = dict.fromkeys(str(lack) for practice in asked for lack in words.lacking(practice))
    dated = [one for one in due_records(assessment.book, as_of) if one.day is not None and not one.keeps]
    first = dated[0] if dated else None
    nothing = "No practice is claimed" if chosen and unclaimed == len(chosen) else "nothing"
    step = f"{first.whose}: {first.what}" if first else next(iter(missing), nothing)
    days = first.days_left(as_of) if first else None
    farm = ", ".join(assessment.book.farm_ids)
    bushels = _bushels(assessment, open_ones)
    stake = _stake(assessment, open_ones, price)
    return FarmLine(book.name, farm, done, len(chosen), len(missing), days, step, bushels, stake, unclaimed)


def _stake(assessment: Assessment, open_ones: list[IntervalJudged], price: Price | None) -> Decimal | None:
    """Return the most that bushels would earn that wait, under practices that nothing but missing records keeps away.

    Points are estimates of the open model. None where a CI or bushels of them are not known.
    """
    if price is None:
        return None
    total = Decimal(0)
    for farm_id, crop, year in dict.fromkeys((one.farm_id, one.crop, one.harvest_year) for one in open_ones):
        waits = {one.unit_id for one in open_ones if (one.farm_id, one.crop, one.harvest_year) == (farm_id, crop, year)}
        crops = quantify(assessment, farm_id, crop, year, ARGONNE)
        for unit in crops.units:
            if unit.unit_id not in waits:
                continue
            reach = unit_plan(assessment, crops, unit).within_reach()
            earned = [value for option in reach if (value := price.of(option, unit.bushels)) is not None]
            if len(earned) < len(reach):
                return None
            total += max(earned)
    return total


def _bushels(assessment: Assessment, chosen: list[IntervalJudged]) -> int:
    entries = {(one.farm_id, name) for one in chosen for name in one.harvest_ids}
    rows = assessment.book["harvest"].iter_rows(named=True)
    return sum(row["bushels"] or 0 for row in rows if (row["farm_id"], row["harvest_id"]) in entries)


def in_order(lines: list[FarmLine]) -> list[FarmLine]:
    """Return lines by what to do next: what cannot be read, what is late or due soon, what most bushels wait for."""

    def key(one: FarmLine) -> tuple[bool, bool, bool, int, int]:
        return bool(one.farm), one.done, one.days is None, one.days or 0, -one.open_bushels

    return sorted(lines, key=key)


def due_of(book: Path, unit: str, as_of: date) -> list[Due]:
    """Return what is due on a book's units, or on one of them."""
    return [one for one in due_records(load_book(book), as_of) if unit in ("", one.unit)]


# Why a practice is not met, in sentences for every door: what the records show instead, and by which rows.


def why_against(interval: Mapping[str, Any], practice: Mapping[str, Any]) -> str:
    """Return the first reason why a practice is not met, with the rows that it rests on and their days."""
    if practice["implementation"] != Verdict.NOT_MET:
        return ""
    every = (rule["against"] for rule in words.requirements_of(interval, practice))
    first: list[dict[str, str]] = next((against for against in every if against), [])
    rows = [found["words"] for found in first if found["says"] == first[0]["says"]]
    return f"{first[0]['says']} {resting_on(rows)}" if first else ""


def resting_on(rows: Sequence[str]) -> str:
    """Return the sentence that names the first row behind a verdict; the page of the field links to the others."""
    first, more = rows[0], len(rows) - 1
    return f"It rests on {first} (and {more} more)." if more else f"It rests on {first}."
