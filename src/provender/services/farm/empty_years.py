"""Years of a field between two of its crops of which no crop is entered: a season must not run over them unsaid."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Final, NamedTuple

from provender.records import KINDS
from provender.records.harvest_years import NAMED_BY_YEAR, year_of
from provender.services.farm.book import FarmBook
from provender.services.farm.growing import HARVEST, growing_crops
from provender.services.farm.once import once

READ: Final = "empty years"
MOST: Final = 10
"""Years back from the last crop of a field that are looked at: an old entry of a wrong year asks for no more."""
WORK: Final[Mapping[str, str]] = {"operation": "day", "nutrient_application": "day", "cover_crop": "seeded_on"}
"""Kinds of what is done on a field, with the column of its day."""


class EmptyYear(NamedTuple):
    """A year of a field without a crop.

    Attributes:
        unit_id, year: which.
        worked: whether something done on the field in that year is recorded: the next crop's season holds it.
    """

    unit_id: str
    year: int
    worked: bool

    @property
    def words(self) -> str:
        """Say it."""
        return f"{self.year}: no crop entered" if self.worked else f"{self.year}: nothing entered"


def empty_years(farm: FarmBook) -> list[EmptyYear]:
    """Return the years between the first and the last crop of each field that have none, field by field.

    A crop entry whose year nobody can tell may be of any: its field has no year that is known to be empty. A year that
    lay fallow, or whose planting was prevented, has an entry that says so.
    """
    return once(farm, READ, lambda: list(_empty(farm)))


def empty_years_of(farm: FarmBook, unit: str) -> list[EmptyYear]:
    """Return those of one field."""
    return [one for one in empty_years(farm) if one.unit_id == unit]


def before_crop(years: Iterable[EmptyYear], unit: str, harvest_year: int | None) -> list[EmptyYear]:
    """Return the empty years over which the season of a crop would run: those right before its own, in order."""
    mine = {one.year: one for one in years if one.unit_id == unit}
    found = []
    year = (harvest_year or 0) - 1
    while year in mine:
        found.append(mine[year])
        year -= 1
    return found[::-1]


def _empty(farm: FarmBook) -> Iterable[EmptyYear]:
    to_come = {one.entry: one.year for one in growing_crops(farm)}
    years: dict[str, set[int | None]] = {}
    for entry, row in farm.of(HARVEST).items():
        year = to_come[entry] if entry in to_come else _year(entry, row)
        years.setdefault(str(row.get("unit_id") or ""), set()).add(year)
    for unit, found in years.items():
        known = sorted(year for year in found if year is not None)
        if unit and len(known) == len(found):
            first = max(known[0], known[-1] - MOST)
            missing = (year for year in range(first, known[-1]) if year not in found)
            yield from (EmptyYear(unit, year, _is_worked(farm, unit, year)) for year in missing)


def _year(entry: str, row: Mapping[str, object]) -> int | None:
    """Return the year of a crop entry by its days, else by its name."""
    year = year_of(_day(row.get("first_day")), _day(row.get("last_day")))
    if year is None and (called := NAMED_BY_YEAR.search(entry)):
        return int(called[1])
    return year


def _is_worked(farm: FarmBook, unit: str, year: int) -> bool:
    return any(
        row.get("unit_id") == unit and str(row.get(column) or "").startswith(f"{year}-")
        for kind, column in WORK.items() for row in farm.of(KINDS[kind]).values()
    )  # fmt: skip


def _day(text: object) -> date | None:
    try:
        return date.fromisoformat(str(text or ""))
    except ValueError:
        return None
