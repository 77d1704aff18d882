"""Yields of counties that a user loads, to hold a farm's units against (2100.020).

Two layouts are read: columns county_fips, crop, harvest_year, bushels_per_acre; or a survey file of USDA NASS Quick
Stats as it is downloaded, of which the county rows of yields in BU / ACRE count.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provender.problem import Place, Problem, ProblemsError, Weight, refuse
from provender.quantity import parse
from provender.records.table import parse_csv
from provender.rule.crops import Crop

YieldKey = tuple[str | None, Crop, int]
"""County code of five digits, crop, harvest year."""
Told = tuple[YieldKey, int] | Problem
Reader = Callable[[Mapping[str, str], Place], Told | None]
COLUMNS: Final = ("county_fips", "crop", "harvest_year", "bushels_per_acre")
QUICK_STATS: Final = ("Year", "State ANSI", "County ANSI", "Data Item", "Value")
_ITEMS: Final[Mapping[str, Crop]] = {
    "CORN, GRAIN - YIELD, MEASURED IN BU / ACRE": Crop("corn"),
    "SOYBEANS - YIELD, MEASURED IN BU / ACRE": Crop("soybeans"),
    "SORGHUM, GRAIN - YIELD, MEASURED IN BU / ACRE": Crop("sorghum"),
}
_CITE: Final = "2100.020"


@dataclass(frozen=True, slots=True)
class CountyYields:
    """What a file gave.

    Attributes:
        values: bushels an acre, thousandths, by county, crop and harvest year.
        problems: rows that could not be used, and notes.
    """

    values: Mapping[YieldKey, int]
    problems: tuple[Problem, ...]

    def compared_with_nothing(self, file: str) -> "CountyYields":
        """Return the same with a note that no unit was held against it: that no finding comes of it shows nothing."""
        cause = "It holds no yield, in bushels an acre, of the county, crop and year of a unit: nothing was compared."
        note = Problem(Place(file), cause, "Choose yields by county.", weight=Weight.NOTE, code="no_yields")
        return replace(self, problems=(*self.problems, note))


def load_county_yields(content: bytes, file: str) -> CountyYields:
    """Read yields of counties from a CSV file.

    Rows of Quick Stats that are no yields of a county (other items, combined counties, withheld values) are passed
    over; a note says so where nothing is left. Of rows that disagree none is used.

    Raises:
        ProblemsError: the file is no such table.
    """
    try:
        table = parse_csv(content.decode("utf-8-sig"), file)
    except (UnicodeDecodeError, ProblemsError):
        raise refuse(file, "This is not CSV text.", "Save the table as CSV in UTF-8.", code="not_csv") from None
    reader = next((read for names, read in _LAYOUTS if all(table.heading.count(name) == 1 for name in names)), None)
    if reader is None:
        remedy = f"Write the columns {', '.join(COLUMNS)}, or save a survey of USDA NASS Quick Stats by county as CSV."
        raise refuse(file, "The columns are not those of county yields.", remedy, code="wrong_columns")
    told = [_told(reader, table.heading, cells, Place(file, "", number)) for number, cells in table.rows]
    return _gathered([each for each in told if each is not None], file)


def _told(reader: Reader, heading: Sequence[str], cells: Sequence[str], place: Place) -> Told | None:
    """Read a row whose every column has one cell; in a row with more, nobody knows which is which."""
    if len(cells) != len(heading):
        cause = f"The row has {len(cells)} cells for {len(heading)} columns."
        return Problem(place, cause, "Give every column one cell.", cite=_CITE, code="row_length")
    return reader({name: cell.strip() for name, cell in zip(heading, cells, strict=True)}, place)


def _gathered(told: Sequence[Told], file: str) -> CountyYields:
    values: dict[YieldKey, int] = {}
    disputed: set[YieldKey] = set()
    problems = [each for each in told if isinstance(each, Problem)]
    for each in told:
        if not isinstance(each, Problem):
            key, amount = each
            if values.setdefault(key, amount) != amount:
                disputed.add(key)
    for fips, crop, year in sorted(disputed, key=str):
        cause = f"County {fips}, {crop.label} {year} has two yields; none is used."
        problems.append(Problem(Place(file), cause, "Keep one row.", cite=_CITE, code="same_key"))
    kept = {key: amount for key, amount in values.items() if key not in disputed}
    found = CountyYields(kept, tuple(problems))
    return found if kept or problems else found.compared_with_nothing(file)


def _quick_stats(cells: Mapping[str, str], place: Place) -> Told | None:
    """Read a row of a survey; None for what is no yield of a county: withheld and combined rows have none."""
    crop = _ITEMS.get(cells["Data Item"].upper())
    if crop is None or not cells["County ANSI"] or not cells["Value"][:1].isdigit():
        return None
    fips = cells["State ANSI"].zfill(2) + cells["County ANSI"].zfill(3)
    plain = {"county_fips": fips, "crop": str(crop), "harvest_year": cells["Year"],
             "bushels_per_acre": cells["Value"].replace(",", "")}  # fmt: skip
    return _read(plain, place)


def _read(cells: Mapping[str, str], place: Place) -> Told:
    """Read one row; a problem names its first unusable cell."""
    fips, crop, year = (cells[name] for name in COLUMNS[:3])
    if not re.fullmatch(r"[0-9]{5}", fips):
        return _problem(place, "county_fips", f"{fips!r} is not a county code.", "Write five digits: 01001.")
    if crop not in {str(each) for each in Crop}:
        return _problem(place, "crop", f"{crop!r} is not a crop.", f"Choose one of: {', '.join(Crop)}.")
    if not re.fullmatch(r"[0-9]{4}", year):
        return _problem(place, "harvest_year", f"{year!r} is not a year.", "Write four digits.")
    try:
        amount = parse(cells["bushels_per_acre"])
    except ValueError as failed:
        return _problem(place, "bushels_per_acre", f"{failed}.", "Write bushels an acre, such as 203.4.")
    if amount <= 0:
        return _problem(place, "bushels_per_acre", "A yield is more than nothing.", "Leave the row out.")
    return (fips, Crop(crop), int(year)), amount


def _problem(place: Place, column: str, cause: str, remedy: str) -> Problem:
    at = Place(place.file, place.sheet, place.row, column)
    return Problem(at, cause, remedy, cite=_CITE, code="cell_refused")


_LAYOUTS: Final[tuple[tuple[tuple[str, ...], Reader], ...]] = ((COLUMNS, _read), (QUICK_STATS, _quick_stats))
