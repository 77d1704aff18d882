"""Files of counties that a user loads: CIs by practices, and yields to hold a farm's units against (2100.020).

Both are CSV and read by one loop: a row that cannot be used is a problem, and of rows that disagree none is used.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from typing import ClassVar, Final, Generic, NamedTuple, TypeVar

from provender.exact import CI_SCALE, SCALE, parse
from provender.intensity.calculator import Combination, Label, Tillage, Timing, UnitCase, UnitCI, claimable_combinations
from provender.problem import Place, Problem, ProblemsError, Weight, refuse
from provender.records.reading import parse_csv
from provender.rule.crops import Crop

_CITE: Final = "2100.020"
SWITCH: Final[Mapping[str, bool]] = {"yes": True, "no": False, "true": True, "false": False}
Cells = Mapping[str, str]
Key = TypeVar("Key", bound=tuple[object, ...])
Word = TypeVar("Word", bound=StrEnum)


class _CellError(ValueError):
    """One cell that cannot be used."""

    def __init__(self, column: str, cause: str, remedy: str) -> None:
        super().__init__(cause)
        self.column, self.cause, self.remedy = column, cause, remedy


class _Layout(NamedTuple, Generic[Key]):
    """Columns of a file, and what reads a row of it: its key and value, None where it is no row of ours."""

    columns: Sequence[str]
    read: Callable[[Cells], tuple[Key, int] | None]
    is_whole: bool = False  # whether no other column may stand there


class _Sort(NamedTuple, Generic[Key]):
    """A sort of file: its layouts, and what is said of it."""

    layouts: Sequence[_Layout[Key]]
    called: str
    remedy: str  # where the columns are others
    tells_repeats: bool  # whether a row that stands twice is told even where both say the same


def _read_file(content: bytes, file: str, sort: _Sort[Key]) -> tuple[dict[Key, int], list[Problem]]:
    """Return the values of a file by their keys, and every problem.

    Raises:
        ProblemsError: the file is no such table.
    """
    try:
        table = parse_csv(content.decode("utf-8-sig"), file)
    except (UnicodeDecodeError, ProblemsError):
        raise refuse(file, "This is not CSV text.", "Save the table as CSV in UTF-8.", code="not_csv") from None
    count = Counter(table.heading)
    fits = (
        one for one in sort.layouts
        if all(count[name] == 1 for name in one.columns) and not (one.is_whole and len(count) > len(one.columns))
    )  # fmt: skip
    layout = next(fits, None)
    if layout is None:
        raise refuse(file, f"The columns are not those of {sort.called}.", sort.remedy, code="wrong_columns")
    values: dict[Key, int] = {}
    disputed: set[Key] = set()
    problems = []
    for number, cells in table.rows:
        try:
            found = layout.read(_by_column(table.heading, cells))
        except _CellError as wrong:
            code = "cell_refused" if wrong.column else "row_length"
            problems.append(Problem(Place(file, "", number, wrong.column), wrong.cause, wrong.remedy, _CITE, code=code))
            continue
        if found is None:
            continue
        key, value = found
        if key in values and (sort.tells_repeats or values[key] != value):
            cause = f"County {', '.join(str(getattr(part, 'label', part)) for part in key)} stands twice."
            place = Place(file, "", number, "county_fips")
            problems.append(Problem(place, cause, "Keep one row.", _CITE, code="same_key"))
        if values.setdefault(key, value) != value:
            disputed.add(key)
    return {key: value for key, value in values.items() if key not in disputed}, problems


def _by_column(heading: Sequence[str], cells: Sequence[str]) -> Cells:
    """Return the cells of a row by their columns; in a row with more or fewer, nobody knows which is which."""
    if len(cells) != len(heading):
        cause = f"The row has {len(cells)} cells for {len(heading)} columns."
        raise _CellError("", cause, "Give every column one cell.")
    return {name: cell.strip() for name, cell in zip(heading, cells, strict=True)}


def _fips(cells: Cells) -> str:
    """Read a county code of five digits; a spreadsheet that ate the leading zero is told so."""
    text = cells["county_fips"]
    if not re.fullmatch(r"[0-9]{5}", text):
        remedy = "Write five digits, with the leading zero: 01001."
        raise _CellError("county_fips", f"{text!r} is not a county code.", remedy)
    return text


def _word(cells: Cells, column: str, words: type[Word]) -> Word:
    try:
        return words(cells[column])
    except ValueError:
        cause = f"{cells[column]!r} is not a {column}."
        raise _CellError(column, cause, f"Choose one of: {', '.join(words)}.") from None


def _switch(cells: Cells, column: str) -> bool:
    if cells[column].lower() not in SWITCH:
        raise _CellError(column, f"{cells[column]!r} is neither yes nor no.", "Write yes or no.")
    return SWITCH[cells[column].lower()]


def _amount(cells: Cells, column: str, scale: int, remedy: str) -> int:
    try:
        return parse(cells[column], scale)
    except ValueError as failed:
        raise _CellError(column, f"{failed}.", remedy) from None


# A table of CI by county, crop and combination of practices. One county and crop has up to 36 rows (3 tillages x 2
# cover crop x 3 timings x 2 inhibitor), fewer for a crop that may not claim every practice.

COLUMNS: Final = ("county_fips", "crop", "tillage", "cover_crop", "timing", "inhibitor", "ci_g_per_bu")
CountyKey = tuple[str, Crop, Combination]


@dataclass(frozen=True, slots=True)
class CountyTable:
    """A loaded table as a calculator. Its results are estimates: only runs with printouts are official."""

    label: ClassVar[Label] = Label.ESTIMATE
    name: str  # what the table is
    version: str  # its version
    values: Mapping[CountyKey, int]  # CI in hundredths of g CO2e/bu by county, crop and combination
    defaults: Mapping[Crop, int] = field(default_factory=dict)  # national default CI by crop, in hundredths
    problems: tuple[Problem, ...] = ()  # rows of the file that could not be used, and notes

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


def _county_ci(cells: Cells) -> tuple[CountyKey, int]:
    crop = _word(cells, "crop", Crop)
    combination = Combination(
        _word(cells, "tillage", Tillage),
        _switch(cells, "cover_crop"),
        _word(cells, "timing", Timing),
        _switch(cells, "inhibitor"),
    )
    if combination not in claimable_combinations(crop):
        remedy = "Leave the row out; 2100.012 lists what each crop may claim."
        raise _CellError("timing", f"{crop.label} cannot claim {combination}.", remedy)
    remedy = "Write grams of CO2e per bushel with at most two decimals."
    return (_fips(cells), crop, combination), _amount(cells, "ci_g_per_bu", CI_SCALE, remedy)


_TABLE: Final = _Sort(
    (_Layout(COLUMNS, _county_ci, is_whole=True),),
    "a county table",
    f"Write exactly these columns: {', '.join(COLUMNS)}.",
    tells_repeats=True,
)


def load_county_table(content: bytes, file: str) -> CountyTable:
    """Return a file as a calculator of estimates (interpretation 30), named after the file and its hash.

    Raises:
        ProblemsError: the file is no county table.
    """
    values, problems = _read_file(content, file, _TABLE)
    version = f"sha-256 {sha256(content).hexdigest()}"
    return CountyTable(f"County table {file}", version, values, problems=(*problems, *_gaps(values, file)))


def _gaps(values: Mapping[CountyKey, int], file: str) -> list[Problem]:
    """Note counties where the table lacks combinations that the crop may claim."""
    notes = []
    for (fips, crop), count in sorted(Counter(key[:2] for key in values).items()):
        whole = len(claimable_combinations(crop))
        if count < whole:
            cause = f"County {fips} has {count} of {whole} combinations for {crop.label}."
            remedy = "Units under the missing ones have no CI."
            notes.append(Problem(Place(file), cause, remedy, weight=Weight.NOTE, code="combinations_missing"))
    return notes


# Yields of counties: columns of ours; or a survey file of USDA NASS Quick Stats as it is downloaded, of which the
# county rows of yields in BU / ACRE count.

YieldKey = tuple[str | None, Crop, int]
"""County code of five digits, crop, harvest year."""
YIELDS: Final = ("county_fips", "crop", "harvest_year", "bushels_per_acre")
_QUICK_STATS: Final = ("Year", "State ANSI", "County ANSI", "Data Item", "Value")
_ITEMS: Final[Mapping[str, Crop]] = {
    "CORN, GRAIN - YIELD, MEASURED IN BU / ACRE": Crop("corn"),
    "SOYBEANS - YIELD, MEASURED IN BU / ACRE": Crop("soybeans"),
    "SORGHUM, GRAIN - YIELD, MEASURED IN BU / ACRE": Crop("sorghum"),
}


@dataclass(frozen=True, slots=True)
class CountyYields:
    """What a file gave."""

    values: Mapping[YieldKey, int]  # bushels an acre, thousandths, by county, crop and harvest year
    problems: tuple[Problem, ...]  # rows that could not be used, and notes

    def compared_with_nothing(self, file: str) -> "CountyYields":
        """Return the same with a note that no unit was held against it: that no finding comes of it shows nothing."""
        cause = "It holds no yield, in bushels an acre, of the county, crop and year of a unit: nothing was compared."
        note = Problem(Place(file), cause, "Choose yields by county.", weight=Weight.NOTE, code="no_yields")
        return replace(self, problems=(*self.problems, note))


def _yield(cells: Cells) -> tuple[YieldKey, int]:
    fips, crop, year = _fips(cells), _word(cells, "crop", Crop), cells["harvest_year"]
    if not re.fullmatch(r"[0-9]{4}", year):
        raise _CellError("harvest_year", f"{year!r} is not a year.", "Write four digits.")
    amount = _amount(cells, "bushels_per_acre", SCALE, "Write bushels an acre, such as 203.4.")
    if amount <= 0:
        raise _CellError("bushels_per_acre", "A yield is more than nothing.", "Leave the row out.")
    return (fips, crop, int(year)), amount


def _quick_stats(cells: Cells) -> tuple[YieldKey, int] | None:
    """Read a row of a survey; None for what is no yield of a county: withheld and combined rows have none."""
    crop = _ITEMS.get(cells["Data Item"].upper())
    if crop is None or not cells["County ANSI"] or not cells["Value"][:1].isdigit():
        return None
    fips = cells["State ANSI"].zfill(2) + cells["County ANSI"].zfill(3)
    plain = (fips, str(crop), cells["Year"], cells["Value"].replace(",", ""))
    return _yield(dict(zip(YIELDS, plain, strict=True)))


_YIELDS: Final = _Sort(
    (_Layout(YIELDS, _yield), _Layout(_QUICK_STATS, _quick_stats)), "county yields",
    f"Write the columns {', '.join(YIELDS)}, or save a survey of USDA NASS Quick Stats by county as CSV.",
    tells_repeats=False,
)  # fmt: skip


def load_county_yields(content: bytes, file: str) -> CountyYields:
    """Read yields of counties from a CSV file.

    Rows of Quick Stats that are no yields of a county (other items, combined counties, withheld values) are passed
    over; a note says so where nothing is left.

    Raises:
        ProblemsError: the file is no such table.
    """
    values, problems = _read_file(content, file, _YIELDS)
    found = CountyYields(values, tuple(problems))
    return found if values or problems else found.compared_with_nothing(file)
