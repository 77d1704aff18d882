"""When a crop comes up after planting: published heat sums and days, for checking a claimed date of emergence.

Emergence is no required record (interpretation 24). These figures warn about a date; they decide nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final, NamedTuple

from provender.catalog.names import fold
from provender.catalog.tables import number, rows

SORGHUM_DAYS: Final = (5, 10)
"""Texas AgriLife: days from planting to emergence of grain sorghum; no heat sum was found."""


@dataclass(frozen=True, slots=True)
class EmergenceSum:
    """Growing degree days to emergence by one source.

    Attributes:
        crop: as listed.
        least, most: degree days Fahrenheit, thousandths.
        base_f, cap_f: thousandths of a degree; ``cap_f`` None where the method has no cap.
        basis: air or soil temperature, as the source says.
        source: the publication.
        status: what was checked.
    """

    crop: str
    least: int
    most: int
    base_f: int
    cap_f: int | None
    basis: str
    source: str
    status: str


class DayTemperature(NamedTuple):
    """Highest and lowest temperature of a day, thousandths of a degree Fahrenheit."""

    day: date
    high_f: int
    low_f: int


class EmergenceBand(NamedTuple):
    """First and last day on which emergence is likely; ``last`` is None where the temperatures end before it."""

    first: date
    last: date | None


@cache
def emergence_sums() -> tuple[EmergenceSum, ...]:
    """Return every line with a heat sum."""
    found = []
    for row in rows("crop_emergence_gdd.csv"):
        least, most, base = (number(row[name]) for name in ("gdd_low", "gdd_high", "base_f"))
        if least is not None and most is not None and base is not None:
            cap = number(row["cap_f"])
            rest = (row["temp_basis"], row["source"], row["status"])
            found.append(EmergenceSum(row["crop"], least, most, base, cap, *rest))
    return tuple(found)


def emergence_of(crop: str) -> tuple[EmergenceSum, ...]:
    """Return what the sources say of one crop, without regard to case; empty where no sum was found."""
    return tuple(one for one in emergence_sums() if fold(one.crop) == fold(crop))


def degree_days(one: DayTemperature, base_f: int, cap_f: int | None) -> int:
    """Return a day's growing degrees in thousandths, rounded down: the mean of high and low, held to base and cap."""
    high, low = max(one.high_f, base_f), max(one.low_f, base_f)
    if cap_f is not None:
        high, low = min(high, cap_f), min(low, cap_f)
    return (high + low) // 2 - base_f


def likely_emergence(planted_on: date, weather: Iterable[DayTemperature], of: EmergenceSum) -> EmergenceBand | None:
    """Return the band in which a crop planted on a day likely came up, by daily temperatures from that day on.

    None where the temperatures never reach the least sum. Days before planting are passed over.
    """
    total, first = 0, None
    for one in sorted(weather):
        if one.day < planted_on:
            continue
        total += degree_days(one, of.base_f, of.cap_f)
        if first is None and total >= of.least:
            first = one.day
        if total >= of.most and first is not None:
            return EmergenceBand(first, one.day)
    return None if first is None else EmergenceBand(first, None)
