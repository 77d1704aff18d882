"""What every source of carbon intensity offers, and what it answers: one unit, one CI, with its label and notes."""

import csv
import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from hashlib import sha256
from itertools import product
from typing import Final, Protocol, Self, TypeVar

from provender.exact import CI_SCALE, parse
from provender.problem import Place, Problem, Weight, refuse
from provender.rule.law import Crop, Practice, claimable

# The 36 combinations of practices that the calculator tells apart (2100.020(a)(5) to (8)).


class Tillage(StrEnum):
    """Tillage as the calculator asks for it."""

    conventional = "conventional"
    reduced_till = "reduced_till"
    no_till = "no_till"


class Timing(StrEnum):
    """Timing of synthetic nitrogen as the calculator asks for it: one of three."""

    as_usual = "as_usual"
    no_fall_application = "no_fall_application"
    split_in_season = "split_in_season"


@dataclass(frozen=True, slots=True, order=True)
class Combination:
    """One of the 36 sets of practices: three tillages, cover crop or not, three timings, inhibitor or not."""

    tillage: Tillage = Tillage.conventional
    cover_crop: bool = False
    timing: Timing = Timing.as_usual
    inhibitor: bool = False

    @classmethod
    def of(cls, practices: Collection[Practice]) -> Self:
        """Return the combination that a set of practices makes.

        A unit that meets both of two exclusive practices is entered with the stricter: no-till over reduced till,
        and split in-season application over no fall application.
        """
        tillage = next((one for one in _BY_STRICTNESS if Practice(one) in practices), Tillage.conventional)
        timing = next((one for one in _TIMINGS if Practice(one) in practices), Timing.as_usual)
        return cls(tillage, Practice.cover_crop in practices, timing, Practice.nitrification_inhibitor in practices)

    @property
    def practices(self) -> frozenset[Practice]:
        """Return the practices claimed; empty for conventional crop."""
        return _claimed(self)

    def __str__(self) -> str:
        """Name the practices claimed, in the order of the rule; ``no practice`` for none."""
        return " + ".join(one.label for one in Practice if one in self.practices) or "no practice"


_BY_STRICTNESS: Final = (Tillage.no_till, Tillage.reduced_till)
_TIMINGS: Final = (Timing.split_in_season, Timing.no_fall_application)
_CLAIMS: Final = frozenset((*_BY_STRICTNESS, *_TIMINGS))


@cache
def _claimed(one: Combination) -> frozenset[Practice]:
    """Return the practices that one of the 36 combinations claims."""
    claimed = [Practice(name) for name in (one.tillage, one.timing) if name in _CLAIMS]
    claimed += [Practice.cover_crop] * one.cover_crop
    claimed += [Practice.nitrification_inhibitor] * one.inhibitor
    return frozenset(claimed)


AS_USUAL: Final = Combination()
"""Conventional crop: nothing claimed."""


def combinations() -> Iterator[Combination]:
    """Yield all 36 combinations, conventional crop first."""
    for tillage, cover_crop, timing, inhibitor in product(Tillage, (False, True), Timing, (False, True)):
        yield Combination(tillage, cover_crop, timing, inhibitor)


def claimable_combinations(crop: Crop) -> tuple[Combination, ...]:
    """Return the combinations whose practices a crop may all claim (2100.012): corn 36, soybeans 12, sorghum 24."""
    allowed = frozenset(claimable(crop))
    return tuple(one for one in combinations() if one.practices <= allowed)


class Label(StrEnum):
    """What a result may be called on screen and paper (interpretations 30, 61), the strongest first."""

    OFFICIAL = "official"
    """By a final version that a list names."""
    EXAMPLE = "EXAMPLE"
    """By the made-up calculator of the examples: it signs like an official one, and only demonstrations take it."""
    PRELIMINARY = "PRELIMINARY"
    """By a beta version, or with a run missing."""
    UNLISTED = "UNLISTED"
    """By a calculator or version that no list names."""
    ESTIMATE = "ESTIMATE"
    """By an open model."""


SIGNABLE: Final = (Label.OFFICIAL, Label.EXAMPLE)
"""Labels of results that a farm producer may sign."""


@dataclass(frozen=True, slots=True)
class UnitCase:
    """The question: one management unit, one crop, one harvest year."""

    unit: str  # the unit's identifier
    crop: Crop  # the crop harvested
    harvest_year: int  # the year of the harvest date
    county_fips: str | None  # five digits; null where the record does not say
    # the practices credited (every one of them met), the stricter of two exclusive ones
    combination: Combination = AS_USUAL
    also_met: frozenset[Practice] = frozenset()  # the less strict ones that are met too: a run may claim them instead

    @property
    def may_claim(self) -> frozenset[Practice]:
        """Return every practice that a run for this unit may claim."""
        return self.combination.practices | self.also_met


@dataclass(frozen=True, slots=True)
class CalculatorStep:
    """One line of working: what it is and its value in hundredths of g CO2e/bu, or null."""

    name: str
    ci_g_per_bu: int | None


@dataclass(frozen=True, slots=True)
class UnitCI:
    """The answer for one unit."""

    unit: str  # the unit's identifier
    ci_g_per_bu: int | None  # whole hundredths of a gram CO2e per bushel; null where the calculator has no answer
    label: Label  # official, PRELIMINARY or ESTIMATE
    calculator: str  # name of the calculator
    version: str  # its version, as printed
    # whole sentences for the farmer: no credit for a practice and why, no data for a county
    notes: tuple[str, ...] = ()
    # the steps that lead to the value; empty for a printed or a tabled one
    working: tuple[CalculatorStep, ...] = field(default=())


class Calculator(Protocol):
    """A source of unit CIs. ``label`` is the best any of its results can be."""

    @property
    def name(self) -> str:
        """Name of the calculator."""

    @property
    def version(self) -> str:
        """Version, as its printouts show it."""

    @property
    def label(self) -> Label:
        """What its results may be called."""

    def national_default(self, crop: Crop) -> int | None:
        """Return the national default CI of a crop in hundredths; null where none was entered (2100.020(b))."""

    def evaluate(self, cases: Sequence[UnitCase]) -> tuple[UnitCI, ...]:
        """Answer every case, in order."""


# A table of CI by county, crop and combination of practices that a user loads.
#
# Columns: county_fips, crop, tillage, cover_crop, timing, inhibitor, ci_g_per_bu. One county and crop has up to 36 rows
# (3 tillages x 2 cover crop x 3 timings x 2 inhibitor), fewer for a crop that may not claim every practice.

COLUMNS: Final = ("county_fips", "crop", "tillage", "cover_crop", "timing", "inhibitor", "ci_g_per_bu")
FIPS_DIGITS: Final = 5
_SWITCH: Final[Mapping[str, bool]] = {"yes": True, "no": False, "true": True, "false": False}

Key = tuple[str, Crop, Combination]
Word = TypeVar("Word", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class CountyTable:
    """A loaded table as a calculator. Its label is PRELIMINARY or ESTIMATE: only runs with printouts are official."""

    name: str  # what the table is, such as the name of the tool it was read from
    version: str  # its version
    source: str  # where it comes from
    label: Label  # PRELIMINARY or ESTIMATE
    values: Mapping[Key, int]  # CI in hundredths of g CO2e/bu by county, crop and combination
    defaults: Mapping[Crop, int] = field(default_factory=dict)  # national default CI by crop, in hundredths
    problems: tuple[Problem, ...] = ()  # rows of the file that could not be used, and notes

    def __post_init__(self) -> None:
        if self.label is Label.OFFICIAL:
            raise ValueError("a county table is never official: only calculator runs with their printouts are")

    def national_default(self, crop: Crop) -> int | None:
        """Return the default that was loaded with the table, or null."""
        return self.defaults.get(crop)

    def evaluate(self, cases: Sequence[UnitCase]) -> tuple[UnitCI, ...]:
        """Look every case up; null with a note where the table has no such row."""
        return tuple(self._answer(case) for case in cases)

    def _answer(self, case: UnitCase) -> UnitCI:
        notes: tuple[str, ...] = ()
        ci = None if case.county_fips is None else self.values.get((case.county_fips, case.crop, case.combination))
        if case.county_fips is None:
            notes = ("The county of this unit is not recorded.",)
        elif ci is None:
            notes = (f"The table has no CI for {case.crop.label}, {case.combination}, in county {case.county_fips}.",)
        return UnitCI(case.unit, ci, self.label, self.name, self.version, notes)


@dataclass(frozen=True, slots=True)
class CountyTableFile:
    """What a file gave: every readable row, and all problems beside it."""

    values: Mapping[Key, int]
    problems: tuple[Problem, ...]


class _RefusedError(ValueError):
    """One cell that cannot be used: column, cause and remedy."""

    def __init__(self, column: str, cause: str, remedy: str) -> None:
        super().__init__(cause)
        self.column, self.cause, self.remedy = column, cause, remedy


def _word(row: Mapping[str, str], column: str, words: type[Word]) -> Word:
    """Read one of the words of an enumeration."""
    text = row[column].strip()
    try:
        return words(text)
    except ValueError:
        raise _RefusedError(column, f"{text!r} is not a {column}.", f"Choose one of: {', '.join(words)}.") from None


def _switch(row: Mapping[str, str], column: str) -> bool:
    """Read yes or no."""
    text = row[column].strip()
    if text.lower() not in _SWITCH:
        raise _RefusedError(column, f"{text!r} is neither yes nor no.", "Write yes or no.")
    return _SWITCH[text.lower()]


def _fips(row: Mapping[str, str]) -> str:
    """Read a county code of five digits; a spreadsheet that ate the leading zero is told so."""
    text = row["county_fips"].strip()
    if not (len(text) == FIPS_DIGITS and text.isascii() and text.isdigit()):
        remedy = "Write five digits, with the leading zero: 01001."
        raise _RefusedError("county_fips", f"{text!r} is not a county code.", remedy)
    return text


def _ci(row: Mapping[str, str]) -> int:
    """Read a CI as printed, to hundredths."""
    try:
        return parse(row["ci_g_per_bu"], CI_SCALE)
    except ValueError as failed:
        remedy = "Write grams of CO2e per bushel with at most two decimals."
        raise _RefusedError("ci_g_per_bu", f"{failed}.", remedy) from None


def _entry(row: Mapping[str, str]) -> tuple[Key, int]:
    """Read one row as key and CI, its first unusable cell refused."""
    crop = _word(row, "crop", Crop)
    combination = Combination(
        _word(row, "tillage", Tillage),
        _switch(row, "cover_crop"),
        _word(row, "timing", Timing),
        _switch(row, "inhibitor"),
    )
    if combination not in claimable_combinations(crop):
        remedy = "Leave the row out; 2100.012 lists what each crop may claim."
        raise _RefusedError("timing", f"{crop.label} cannot claim {combination}.", remedy)
    return (_fips(row), crop, combination), _ci(row)


def load_county_table(content: bytes, file: str) -> CountyTable:
    """Return a file as a calculator of estimates (interpretation 30), named after the file and its hash.

    Raises:
        ProblemsError: the file is no county table.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise refuse(file, "This is not CSV text.", "Save the table as CSV in UTF-8.", code="not_csv") from None
    reading = read_county_table(text, file)
    version = f"sha-256 {sha256(content).hexdigest()}"
    return CountyTable(f"County table {file}", version, file, Label.ESTIMATE, reading.values, problems=reading.problems)


def read_county_table(text: str, file: str) -> CountyTableFile:
    """Read a county table from CSV text.

    Args:
        text: the whole file, decoded.
        file: its name, for the places of problems.

    Returns:
        Every readable row by key, and every problem: unreadable cells; a key that stands twice (where the rows
        disagree, none of them is used); a note for a county with fewer rows than the crop has combinations.

    Raises:
        ProblemsError: the columns are not those of a county table.
    """
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as failed:
        raise refuse(file, f"This is not CSV text: {failed}.", "Save the table as CSV.", code="not_csv") from None
    header = [name.strip() for name in rows[0]] if rows else []
    if sorted(header) != sorted(COLUMNS):
        remedy = f"Write exactly these columns: {', '.join(COLUMNS)}."
        raise refuse(file, "The columns are not those of a county table.", remedy, code="wrong_columns")
    values: dict[Key, int] = {}
    disputed: set[Key] = set()
    problems: list[Problem] = []

    def problem(number: int, column: str, cause: str, remedy: str, code: str) -> None:
        problems.append(Problem(Place(file, "", number, column), cause, remedy, cite="2100.020", code=code))

    for number, cells in enumerate(rows[1:], start=2):
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(header):
            cause = f"The row has {len(cells)} cells for {len(header)} columns."
            problem(number, "", cause, "Give every column one cell.", "row_length")
            continue
        try:
            key, ci = _entry(dict(zip(header, cells, strict=True)))
        except _RefusedError as refused:
            problem(number, refused.column, refused.cause, refused.remedy, "cell_refused")
            continue
        if key in values:
            cause = f"County {key[0]}, {key[1].label}, {key[2]} stands twice."
            problem(number, "county_fips", cause, "Keep one row.", "same_key")
            if values[key] != ci:
                disputed.add(key)
        values.setdefault(key, ci)
    kept = {key: ci for key, ci in values.items() if key not in disputed}
    return CountyTableFile(kept, (*problems, *_gaps(kept, file)))


def _gaps(values: Mapping[Key, int], file: str) -> list[Problem]:
    """Note counties where the table lacks combinations that the crop may claim."""
    counted: dict[tuple[str, Crop], int] = {}
    for fips, crop, _ in values:
        counted[fips, crop] = counted.get((fips, crop), 0) + 1
    notes = []
    for (fips, crop), count in sorted(counted.items()):
        whole = len(claimable_combinations(crop))
        if count < whole:
            cause = f"County {fips} has {count} of {whole} combinations for {crop.label}."
            remedy = "Units under the missing ones have no CI."
            notes.append(Problem(Place(file), cause, remedy, weight=Weight.NOTE, code="combinations_missing"))
    return notes
