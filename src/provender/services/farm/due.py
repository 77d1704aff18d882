"""What comes next on a farm: the day each record is due, what a price would earn, a line for each of many books."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Final

from provender.days import years_after
from provender.exact import CI_SCALE, SCALE
from provender.intensity import ARGONNE
from provender.intensity.plan import Option, UnitPlan, unit_plan
from provender.intensity.quantify import quantify
from provender.problem import ProblemsError, refuse
from provender.records.book import RecordBook
from provender.records.folder import load_book
from provender.report.attestation import CITE as DELIVERED
from provender.report.attestation import SOLD, deliveries
from provender.rule.crops import Crop
from provender.rule.law import RuleVersion, rule_version
from provender.standards.judge import IntervalJudged
from provender.verdicts import words
from provender.verdicts.assess import Assessment, assess


@dataclass(frozen=True, slots=True)
class Due:
    """A record that is due."""

    day: date | None  # by which; None where the step it goes with has no day yet
    farm: str  # whose; no unit where it is about the whole farm
    unit: str  # whose; no unit where it is about the whole farm
    what: str  # the record and what to do, as a sentence
    cite: str  # the paragraph that asks for it
    keeps: bool = False  # until its day something is kept: nothing is done by then, and nothing is late after it

    @property
    def whose(self) -> str:
        """The unit, or the farm where it is about the whole of it."""
        return self.unit or self.farm

    def days_left(self, as_of: date) -> int | None:
        """Return the days until then, below zero once it is late."""
        return None if self.day is None else (self.day - as_of).days


def due_records(book: RecordBook, as_of: date) -> tuple[Due, ...]:
    """Return what is due on every unit, the earliest first and what has no day last."""
    law = rule_version(as_of)
    rows = _Rows(book)
    found = []
    for unit in book["unit"]:
        key = unit["farm_id"], unit["unit_id"]
        found += [*_tests(rows, key, law), *_photographs(rows, key), *_inhibitors(rows, key), *_declarations(rows, key)]
    found += [one for one in _kept(book, law.retention_years) if one.day is None or one.day >= as_of]
    found += [Due(one.sold_on, one.farm, "", one.words, DELIVERED) for one in deliveries(book) if not one.given_on]
    return tuple(sorted(found, key=lambda one: (one.day is None, one.day or as_of, one.farm, one.unit)))


def _kept(book: RecordBook, years: int) -> Iterator[Due]:
    """Yield until when the records of a harvest are kept: the years run from the farm's own last sale of it (47)."""
    sales: dict[tuple[str, str, int], list[date | None]] = {}
    for row in book["sale"]:
        if row["disposition"] in SOLD:
            sales.setdefault((row["farm_id"], str(row["crop"]), row["harvest_year"]), []).append(row["day"])
    for (farm, crop, year), days in sorted(sales.items()):
        dated = [day for day in days if day is not None]
        until = None
        what = f"Enter the day of each sale of {crop} {year}: its records are kept {years} years from the last one."
        if len(dated) == len(days):
            sold = max(dated)
            until = years_after(sold, years)
            what = (
                f"Keep all records of {crop} {year} until then: {years} years from the last sale recorded, on {sold}."
            )
        yield Due(until, farm, "", what, "2100.030(d)", keeps=True)


class _Rows:
    """Rows of a book by unit and by crop entry, put in order once: each unit asks for them several times."""

    def __init__(self, book: RecordBook) -> None:
        self._of: dict[str, dict[tuple[str, str], list[Mapping[str, Any]]]] = {}
        for kind in ("harvest", "soil_test", "cover_crop", "nutrient_application"):
            by_unit = self._of.setdefault(kind, {})
            for row in book[kind]:
                by_unit.setdefault((row["farm_id"], row["unit_id"]), []).append(row)
        self.declared = {(row.farm_id, row["harvest_id"]) for row in book["declaration"]}
        self.made: dict[tuple[str, str], list[date]] = {}
        for row in book["nutrient_budget"]:
            if row["made_on"] is not None:
                self.made.setdefault((row.farm_id, row["harvest_id"]), []).append(row["made_on"])

    def of(self, kind: str, key: tuple[str, str]) -> list[Mapping[str, Any]]:
        return self._of[kind].get(key, [])


def _begun(rows: _Rows, key: tuple[str, str]) -> date | None:
    """Return the end of the last crop that has one: what comes after is the season that is planned."""
    return max((row["last_day"] for row in rows.of("harvest", key) if row["last_day"]), default=None)


def _tests(rows: _Rows, key: tuple[str, str], law: RuleVersion) -> Iterator[Due]:
    cite, begun = "2100.053(a)(2)", _begun(rows, key)
    made = (day for row in rows.of("harvest", key) for day in rows.made.get((row["farm_id"], row["harvest_id"]), ()))
    if begun is not None and any(day > begun for day in made):
        return
    sampled = max((row["sampled_on"] for row in rows.of("soil_test", key) if row["sampled_on"]), default=None)
    if sampled is None:
        yield Due(None, *key, "Take a soil test before the next nutrient budget is made.", cite)
        return
    last = years_after(sampled, law.soil_test_max_years)
    what = f"Make the next nutrient budget by this day, or sample again: the soil was sampled on {sampled}."
    yield Due(last, *key, what, cite)


def _photographs(rows: _Rows, key: tuple[str, str]) -> Iterator[Due]:
    for row in rows.of("cover_crop", key):
        if row["established_photo"] is None:
            seeded = f" seeded on {row['seeded_on']}" if row["seeded_on"] else ""
            what = f"Photograph the cover crop{seeded} before it is terminated."
            yield Due(row["terminated_on"], *key, what, "2100.052(c)")


def _inhibitors(rows: _Rows, key: tuple[str, str]) -> Iterator[Due]:
    begun = max((row["first_day"] for row in _finished(rows, key)), default=None)
    for row in rows.of("nutrient_application", key):
        if row["inhibitor"] is None and row["day"] and (begun is None or row["day"] > begun):
            what = f"Say which nitrification inhibitor went with {row['product']}, or none."
            yield Due(row["day"], *key, what, "2100.053(b)(1)")


def _finished(rows: _Rows, key: tuple[str, str]) -> Iterable[Mapping[str, Any]]:
    """Return crops that a declaration closed."""
    of_unit = rows.of("harvest", key)
    return (row for row in of_unit if (row["farm_id"], row["harvest_id"]) in rows.declared and row["first_day"])


def _declarations(rows: _Rows, key: tuple[str, str]) -> Iterator[Due]:
    law = {str(crop) for crop in Crop}
    harvests = rows.of("harvest", key)
    first = min((row["last_day"] for row in harvests if row["last_day"]), default=None)
    for row in harvests:
        day = row["last_day"] if row["last_day"] != first else None  # the first crop only begins an interval
        if (
            (row["farm_id"], row["harvest_id"]) not in rows.declared
            and day
            and row["crop"] in law
            and row["ending"] == "harvested"
        ):
            what = f"Declare the season of {row['harvest_id']}: passes, nutrients, burning."
            yield Due(day, *key, what, "2100.051(c)(2)")


# What a user's own price makes of bushels and CI: an assumption that is shown as one and kept nowhere.

ASSUMED: Final = "your own assumption"
_CENTS: Final = Decimal("0.01")
_FIELDS: Final = ("premium per bushel", "price per point", "grams in a point")
_MOST: Final = Decimal(1_000_000)
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
        return (Decimal(bushels) / 10**SCALE * (self.per_bushel + self.per_point * points)).quantize(_CENTS)

    def of(self, option: Option, bushels: int | None) -> Decimal | None:
        """Return what a unit's bushels would earn under an option: nothing without a practice."""
        if not option.combination.practices:
            return None if bushels is None else Decimal(0).quantize(_CENTS)
        return self.worth(bushels, None if option.against_national is None else -option.against_national)

    def gain(self, option: Option, today: Option, bushels: int | None) -> Decimal | None:
        """Return dollars of an option beyond those of today's practices; None where one of them is not known."""
        then, now = self.of(option, bushels), self.of(today, bushels)
        return None if then is None or now is None else then - now

    def __str__(self) -> str:
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
    per_bushel: str, per_point: str, point: str = "1", *, names: tuple[str, str, str] = _FIELDS
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
    if not value.is_finite() or not least <= value <= _MOST:
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
    bushels = _open_bushels(assessment, open_ones)
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


def _open_bushels(assessment: Assessment, chosen: list[IntervalJudged]) -> int:
    entries = {(one.farm_id, name) for one in chosen for name in one.harvest_ids}
    rows = assessment.book["harvest"]
    return sum(row["bushels"] or 0 for row in rows if (row["farm_id"], row["harvest_id"]) in entries)


def sort_by_due_day(lines: list[FarmLine]) -> list[FarmLine]:
    """Return lines by what to do next: what cannot be read, what is late or due soon, what most bushels wait for."""

    def key(one: FarmLine) -> tuple[bool, bool, bool, int, int]:
        return bool(one.farm), one.done, one.days is None, one.days or 0, -one.open_bushels

    return sorted(lines, key=key)


def due_of(book: Path, unit: str, as_of: date) -> list[Due]:
    return [one for one in due_records(load_book(book), as_of) if unit in ("", one.unit)]
