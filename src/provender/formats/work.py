"""Work that a file of another system tells: amounts with their units, days by the field's own clock."""

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from shapely import GEOSException, from_wkt

from provender.days import hours_by_sun
from provender.formats.geometry import Polygons, rings_of
from provender.formats.parsed import Problems
from provender.formats.units import UnitError, convert
from provender.rule.law import parameters

# What a yield monitor logged by field and crop, and how crops are weighed; ``point_totals`` reads it.

# Bushel weights as commerce uses them; moistures are parameters of the rule version.
POUNDS: Final = {"corn": 56, "soybeans": 60, "sorghum": 56}
_CROPS: Final = {
    **dict.fromkeys(("corn", "maize"), "corn"),
    **dict.fromkeys(("soybean", "soybeans", "soya", "beans"), "soybeans"),
    **dict.fromkeys(("sorghum", "milo", "grain sorghum"), "sorghum"),
}


def usual_base(crop: str) -> int:
    """Return the moisture at which the rule version counts bushels of a crop, thousandths of a percent; 0 unknown."""
    found = parameters().by_name.get(f"{crop}_moisture_pct")
    value = found.history[-1].value if found else 0
    return value if isinstance(value, int) else 0


@dataclass(frozen=True, slots=True)
class FieldYield:
    """What a monitor logged for one field and crop; amounts in thousandths."""

    field: str  # as logged, such as ``F0:BASSWOODD``
    crop: str  # ``corn``, ``soybeans``, ``sorghum``, or the logged name where it is none of these
    points: int  # rows counted
    wet_bushels: int  # at the moisture it had
    dry_bushels: int  # at the base moisture
    base_moisture_pct: int  # that base
    moisture_pct: int  # mean, weighted by weight
    logged_acres: int  # distance times swath
    first_day: dt.date  # by GPS time and the sun (longitude / 15 hours), which is the farm's day except near midnight
    last_day: dt.date  # likewise
    outside_points: int  # points outside the boundary that was given
    outside_dry_bushels: int  # their dry bushels
    # when and where it was logged: minutes with the place to a thousandth of a degree, each once
    trace: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class YieldLog:
    """What one file holds."""

    fields: tuple[FieldYield, ...]  # in the order in which they begin, each added exactly and rounded once


def crop_of(logged: str) -> str:
    """Return the rule's word for a logged grain name, or the name itself in lower case."""
    plain = re.sub(r"[^a-z ]", "", logged.lower()).strip()
    return _CROPS.get(plain, plain)


_RATE_UNITS: Final = ("lb/ac", "gal/ac")
_MOST: Final = 10**12
_NUMBER: Final = re.compile(r"[-+]?\d{1,30}(\.\d{0,30})?(e[-+]?\d{1,2})?", re.ASCII | re.IGNORECASE)


def number(value: object) -> Fraction | None:
    """Return a number of JSON, or its text, exactly as it is written; None for anything else or an absurd one."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if not _NUMBER.fullmatch(str(value).strip()):
        return None
    found = Fraction(str(value).strip())
    return found if abs(found) < _MOST else None


def amount(value: Fraction | None, unit: str, wanted: str) -> int | None:
    """Return an amount in thousandths of the unit wanted; None where it is none, negative or of another kind."""
    if value is None or value < 0:
        return None
    try:
        return round(convert(value, unit, wanted) * 1000)
    except UnitError:
        return None


def rate(value: Fraction | None, unit: str) -> tuple[int, str] | None:
    """Return a rate in thousandths and its unit, pounds or gallons an acre."""
    for wanted in _RATE_UNITS:
        found = amount(value, unit, wanted)
        if found:
            return found, wanted
    return None


def kilograms(mass: Fraction | None, unit: str, crop: str) -> int | None:
    """Return whole kilograms of a mass, or of bushels of a crop whose weight is known."""
    if mass is None or mass <= 0:
        return None
    if unit.strip().lower() in ("bu", "bushel", "bushels"):
        mass, unit = mass * POUNDS.get(crop, 0), "lb"
    try:
        return round(convert(mass, unit, "kg")) or None
    except UnitError:
        return None


def day_of(text: object, longitude: float | None) -> dt.date | None:
    """Return the day of a moment at the field: by its own offset, else by the sun; None for what is no moment.

    A moment before 2000 is a clock that was never set, or a program's word for none. Unix seconds and times that end in
    Z are of Greenwich, where an evening of harvest is the next day.
    """
    if isinstance(text, int) and not isinstance(text, bool):
        moment = dt.datetime.fromtimestamp(text, dt.UTC) if 0 < text < 4_102_444_800 else None  # noqa: PLR2004 - year 2100
    else:
        moment = _moment(text)
    if moment is None or moment.year < 2000:  # noqa: PLR2004 - a year
        return None
    if moment.tzinfo is not None and not moment.utcoffset() and longitude is not None:
        try:
            moment += dt.timedelta(hours=hours_by_sun(longitude))
        except OverflowError:
            # The first hour of the first year, or the last of the last: a placeholder, and no day of work.
            return None
    return moment.date()


def ask_day(problems: Problems, day: dt.date) -> None:
    """Ask about a day that only Greenwich's clock tells: an evening there may be the day before at the field."""
    cause = f"the file tells only Greenwich's day of the work, {day}; in the evening the field's is the day before."
    problems.doubt(cause, "Confirm the day, or import the field's boundary with it.", "day_at_greenwich")


def is_greenwich(text: object) -> bool:
    """Tell whether a moment is stated by Greenwich's clock."""
    if isinstance(text, int):
        return True
    moment = _moment(text)
    return moment is not None and moment.tzinfo is not None and not moment.utcoffset()


def polygons_of(wkt: str, called: str, remedy: str, problems: Problems) -> Polygons | None:
    """Return the rings of the polygons of a WKT; empty where it holds none, None, told, where it is damaged."""
    try:
        return rings_of(from_wkt(wkt))
    except GEOSException as wrong:
        problems.error(f"{called} is damaged ({str(wrong)[:80]}).", remedy, "bad_geometry")
        return None


def _moment(text: object) -> dt.datetime | None:
    try:
        return dt.datetime.fromisoformat(str(text).strip()) if isinstance(text, str) and text.strip() else None
    except ValueError:
        return None


def positions(geometry: object) -> Iterator[tuple[float, float]]:
    """Yield the positions of a GeoJSON geometry, however deep; what is none is left out."""
    waiting: list[Any] = [geometry.get("coordinates")] if isinstance(geometry, Mapping) else []
    while waiting:
        here = waiting.pop()
        if not isinstance(here, list):
            continue
        pair = here[:2]
        if len(pair) == 2 and all(isinstance(one, int | float) and not isinstance(one, bool) for one in pair):  # noqa: PLR2004 - a pair
            if abs(pair[0]) <= 180 and abs(pair[1]) <= 90:  # noqa: PLR2004 - degrees
                yield float(pair[0]), float(pair[1])
        else:
            waiting += reversed(here)


def text_of(value: object) -> str:
    """Return a name as one line; of a mapping its ``name``, empty for anything else."""
    if isinstance(value, Mapping):
        value = value.get("name") or value.get("label")
    return " ".join(value.split()) if isinstance(value, str) else ""


def listed_texts(value: object) -> Iterator[str]:
    """Yield names out of a name, or a list of names or of mappings with one."""
    for each in value if isinstance(value, list) else [value]:
        if text := text_of(each):
            yield text


def mappings(value: object) -> Iterable[Mapping[str, Any]]:
    found: Sequence[object] = value if isinstance(value, list) else [value]
    return [each for each in found if isinstance(each, Mapping)]
