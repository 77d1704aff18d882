"""A table of CI by county, crop and combination of practices that a user loads.

Columns: county_fips, crop, tillage, cover_crop, timing, inhibitor, ci_g_per_bu. One county and crop has up to 36
rows (3 tillages x 2 cover crop x 3 timings x 2 inhibitor), fewer for a crop that may not claim every practice.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Final, TypeVar

from provender.intensity.calculator import Label, UnitCase, UnitCI
from provender.intensity.combination import Combination, Tillage, Timing, claimable_combinations
from provender.problem import Place, Problem, Weight, refuse
from provender.quantity import CI_SCALE, parse
from provender.rule.crops import Crop

COLUMNS: Final = ("county_fips", "crop", "tillage", "cover_crop", "timing", "inhibitor", "ci_g_per_bu")
FIPS_DIGITS: Final = 5
_SWITCH: Final[Mapping[str, bool]] = {"yes": True, "no": False, "true": True, "false": False}

Key = tuple[str, Crop, Combination]
Word = TypeVar("Word", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class CountyTable:
    """A loaded table as a calculator. Its label is PRELIMINARY or ESTIMATE: only runs with printouts are official.

    Attributes:
        name: what the table is, such as the name of the tool it was read from.
        version: its version.
        source: where it comes from.
        label: PRELIMINARY or ESTIMATE.
        values: CI in hundredths of g CO2e/bu by county, crop and combination.
        defaults: national default CI by crop, in hundredths.
        problems: rows of the file that could not be used, and notes.
    """

    name: str
    version: str
    source: str
    label: Label
    values: Mapping[Key, int]
    defaults: Mapping[Crop, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

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
