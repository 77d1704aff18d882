"""One row of a yield log as exact whole numbers; many at once: ``yield_columns``."""

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provender.problem import Place, Problem
from provender.quantity import parse

# The columns of Ag Leader Advanced text, in order, with the names the shapefile gives them.
COLUMNS: Final = (
    *("longitude", "latitude", "flow", "time", "interval", "distance", "swath", "moisture", "status", "pass"),
    *("serial", "field", "load", "grain", "gps", "pdop", "altitude"),
)
LAYOUTS: Final[dict[int, Sequence[str]]] = {
    len(COLUMNS): COLUMNS,
    16: (*COLUMNS[:14], "variety", "altitude"),
    15: (*COLUMNS[:14], "variety"),
    14: COLUMNS[:14],
}
"""Columns by their number: Ag Leader Advanced text, and what USDA's Yield Editor reads and writes."""
_FIRST_TIME: Final = 315_964_800  # 6 January 1980: GPS time begins
_LAST_TIME: Final = 4_102_444_800  # 1 January 2100
DEGREES: Final = {"longitude": 180, "latitude": 90}
"""The most that each may be."""
AMOUNTS: Final = {
    "flow": (6, 0, 500, "grain flow"),
    "time": (0, _FIRST_TIME, _LAST_TIME, "GPS time"),
    "interval": (3, 0, 60, "interval"),
    "distance": (3, 0, 100_000, "distance"),
    "swath": (3, 0, 10_000, "swath"),
    "moisture": (6, 0, 99, "moisture"),
}
"""Decimals that each may have, least and most, and what it is called."""
REST: Final = ("status", "pass", "gps", "pdop", "altitude", "variety")
"""Columns that are not counted."""


@dataclass(frozen=True, slots=True)
class Point:
    """One logged point.

    Attributes:
        longitude, latitude: degrees, WGS 84.
        flow: millionths of lb/s.
        time: GPS time, Unix seconds.
        interval: thousandths of a second.
        distance, swath: thousandths of an inch.
        moisture: millionths of a percent.
        day: see ``YieldLoad.first_day``.
        serial, field, load, grain: as logged, without quotation marks.
        rest: the columns that are not used here, so that equal points are equal rows.
    """

    longitude: float
    latitude: float
    flow: int
    time: int
    interval: int
    distance: int
    swath: int
    moisture: int
    day: dt.date
    serial: str
    field: str
    load: str
    grain: str
    rest: tuple[str, ...] = ()


def _sun_day(seconds: int, longitude: float) -> dt.date:
    moment = dt.datetime.fromtimestamp(seconds, dt.UTC) + dt.timedelta(hours=round(longitude / 15))
    return moment.date()


def _amount(row: dict[str, str], name: str) -> int:
    scale, least, most, what = AMOUNTS[name]
    value = parse(row[name], scale)
    if not least * 10**scale <= value <= most * 10**scale:
        raise ValueError(f"{what} {row[name].strip()} is outside {least} to {most}")
    return value


def _degrees(row: dict[str, str], name: str) -> float:
    value = float(row[name])
    if not math.isfinite(value) or abs(value) > DEGREES[name]:
        raise ValueError(f"{name} {row[name].strip()} is no degree")
    return value


def read_point(cells: Sequence[str], place: Place) -> Point | Problem:
    """Read one row of fourteen to seventeen cells, or say what is wrong with it."""
    remedy = "The row is not counted. Export the log again, or correct the row."
    columns = LAYOUTS.get(len(cells))
    if columns is None:
        cause = f"the row has {len(cells)} columns; Ag Leader Advanced text has 17, Yield Editor's 14 to 16."
        return Problem(place, cause, remedy, code="unreadable_point")
    row = {name: cell.strip().strip('"').strip() for name, cell in zip(columns, cells, strict=True)}
    try:
        longitude, latitude = (_degrees(row, name) for name in DEGREES)
        flow, time, interval, distance, swath, moisture = (_amount(row, name) for name in AMOUNTS)
        day = _sun_day(time, longitude)
        serial, field, load, grain = (row[name] for name in ("serial", "field", "load", "grain"))
        rest = tuple(row.get(name, "") for name in REST)
        return Point(
            longitude, latitude, flow, time, interval, distance, swath, moisture, day, serial, field, load, grain, rest
        )
    except (ValueError, OverflowError) as wrong:
        return Problem(place, f"the row cannot be read: {wrong}.", remedy, code="unreadable_point")
