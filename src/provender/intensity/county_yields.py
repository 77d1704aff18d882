"""Yields of counties that a user loads, to hold a farm's units against (2100.020).

Two layouts are read: columns county_fips, crop, harvest_year, bushels_per_acre; or a survey file of USDA NASS Quick
Stats as it is downloaded, of which the county rows of yields in BU / ACRE count.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from provender.problem import Place, Problem, Weight, refuse
from provender.quantity import parse
from provender.rule.crops import Crop

YieldKey = tuple[str | None, Crop, int]
"""County code of five digits, crop, harvest year."""
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


def load_county_yields(content: bytes, file: str) -> CountyYields:
    """Read yields of counties from a CSV file.

    Rows of Quick Stats that are no yields of a county (other items, combined counties, withheld values) are passed
    over; a note says so where nothing is left. Of rows that disagree none is used.

    Raises:
        ProblemsError: the file is no such table.
    """
    try:
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error):
        raise refuse(file, "This is not CSV text.", "Save the table as CSV in UTF-8.", code="not_csv") from None
    header = {name.strip() for name in rows[0] if name} if rows else set()
    if header >= {*COLUMNS}:
        told = list(_own(rows, file))
    elif header >= {*QUICK_STATS}:
        told = list(_quick_stats(rows, file))
    else:
        remedy = f"Write the columns {', '.join(COLUMNS)}, or save a survey of USDA NASS Quick Stats by county as CSV."
        raise refuse(file, "The columns are not those of county yields.", remedy, code="wrong_columns")
    return _gathered(told, file)


def _gathered(told: Sequence[tuple[YieldKey, int] | Problem], file: str) -> CountyYields:
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
    if not kept and not problems:
        cause = "The file holds no yield of a county in bushels an acre: nothing was compared."
        problems.append(Problem(Place(file), cause, "Choose yields by county.", weight=Weight.NOTE, code="no_yields"))
    return CountyYields(kept, tuple(problems))


def _own(rows: Sequence[Mapping[str, str]], file: str) -> Iterator[tuple[YieldKey, int] | Problem]:
    for number, row in enumerate(rows, 2):
        cells = {name: (row[name] or "").strip() for name in COLUMNS}
        if any(cells.values()):
            yield _read(cells, Place(file, "", number))


def _quick_stats(rows: Sequence[Mapping[str, str]], file: str) -> Iterator[tuple[YieldKey, int] | Problem]:
    for number, row in enumerate(rows, 2):
        cells = {name: (row[name] or "").strip() for name in QUICK_STATS}
        crop = _ITEMS.get(cells["Data Item"].upper())
        # Withheld and combined rows stand as (D) and without a county.
        if crop is None or not cells["County ANSI"] or not cells["Value"][:1].isdigit():
            continue
        fips = cells["State ANSI"].zfill(2) + cells["County ANSI"].zfill(3)
        plain = {"county_fips": fips, "crop": str(crop), "harvest_year": cells["Year"],
                 "bushels_per_acre": cells["Value"].replace(",", "")}  # fmt: skip
        yield _read(plain, Place(file, "", number))


def _read(cells: Mapping[str, str], place: Place) -> tuple[YieldKey, int] | Problem:
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
