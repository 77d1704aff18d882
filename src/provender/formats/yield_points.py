"""One row of a yield log, from text or from a shapefile's attributes, as exact whole numbers."""

import datetime as dt
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from provender.formats.parsed import doubt
from provender.formats.shapefiles import BROKEN, gather
from provender.problem import Place, Problem
from provender.quantity import parse

# The columns of Ag Leader Advanced text, in order, with the names the shapefile gives them.
COLUMNS: Final = (
    *("longitude", "latitude", "flow", "time", "interval", "distance", "swath", "moisture", "status", "pass"),
    *("serial", "field", "load", "grain", "gps", "pdop", "altitude"),
)
_LAYOUTS: Final[dict[int, Sequence[str]]] = {
    len(COLUMNS): COLUMNS,
    16: (*COLUMNS[:14], "variety", "altitude"),
    15: (*COLUMNS[:14], "variety"),
    14: COLUMNS[:14],
}
"""Columns by their number: Ag Leader Advanced text, and what USDA's Yield Editor reads and writes."""
_IN_SHAPEFILE: Final = {"interval": "CYCLES", "grain": "CROP"}
_FIRST_TIME: Final = 315_964_800  # 6 January 1980: GPS time begins
_LAST_TIME: Final = 4_102_444_800  # 1 January 2100


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


def _number(text: str, scale: int, least: int, most: int, what: str) -> int:
    value = parse(text, scale)
    if not least * 10**scale <= value <= most * 10**scale:
        raise ValueError(f"{what} {text.strip()} is outside {least} to {most}")
    return value


def _degrees(text: str, most: int, what: str) -> float:
    value = float(text)
    if not math.isfinite(value) or abs(value) > most:
        raise ValueError(f"{what} {text.strip()} is no degree")
    return value


def read_point(cells: Sequence[str], place: Place) -> Point | Problem:
    """Read one row of fourteen to seventeen cells, or say what is wrong with it."""
    remedy = "The row is not counted. Export the log again, or correct the row."
    columns = _LAYOUTS.get(len(cells))
    if columns is None:
        cause = f"the row has {len(cells)} columns; Ag Leader Advanced text has 17, Yield Editor's 14 to 16."
        return Problem(place, cause, remedy, code="unreadable_point")
    row = {name: cell.strip().strip('"').strip() for name, cell in zip(columns, cells, strict=True)}
    try:
        longitude = _degrees(row["longitude"], 180, "longitude")
        time = _number(row["time"], 0, _FIRST_TIME, _LAST_TIME, "GPS time")
        return Point(
            longitude,
            _degrees(row["latitude"], 90, "latitude"),
            _number(row["flow"], 6, 0, 500, "grain flow"),
            time,
            _number(row["interval"], 3, 0, 60, "interval"),
            _number(row["distance"], 3, 0, 100_000, "distance"),
            _number(row["swath"], 3, 0, 10_000, "swath"),
            _number(row["moisture"], 6, 0, 99, "moisture"),
            _sun_day(time, longitude),
            row["serial"],
            row["field"],
            row["load"],
            row["grain"],
            tuple(row.get(name, "") for name in ("status", "pass", "gps", "pdop", "altitude", "variety")),
        )
    except (ValueError, OverflowError) as wrong:
        return Problem(place, f"the row cannot be read: {wrong}.", remedy, code="unreadable_point")


def _cell(value: object) -> str:
    """Return an attribute as text; a float as its shortest decimal, which is what the table's text said."""
    if value is None:
        return ""
    return format(value, "f") if isinstance(value, float) and "e" in repr(value) else str(value)


def from_shapefile(path: Path, name: str, problems: list[Problem]) -> Iterator[Point]:
    """Yield the points of every shapefile given; rows and files that cannot be read are added to ``problems``.

    Raises:
        ProblemsError: the zip is damaged or hostile.
    """
    again = "Export the shapefile again, and put all its parts in one zip."
    for parts in gather(path, name):
        place = Place(parts.name)
        number = 0
        try:
            reader = parts.open()
            present = {entry.name.upper() for entry in reader.fields} if parts.dbf else set()
            lacking = [
                wanted
                for wanted in (_IN_SHAPEFILE.get(each, each.upper()) for each in COLUMNS[:14])
                if wanted not in present
            ]
            if lacking:
                cause = f"the shapefile lacks the columns {', '.join(lacking)}."
                remedy = "Export harvest with the columns of Ag Leader Advanced, or give the totals by hand."
                problems.append(Problem(place, cause, remedy, code="missing_column"))
                continue
            if parts.prj is None:
                cause = "there is no .prj file; LONGITUDE and LATITUDE were read as WGS 84."
                problems.append(doubt(place, cause, "Confirm, or add the .prj file.", "assumed_wgs84"))
            for number, record in enumerate(reader.iterRecords(), start=1):
                row = {key.upper(): value for key, value in record.as_dict().items()}
                cells = [_cell(row.get(_IN_SHAPEFILE.get(each, each.upper()))) for each in COLUMNS]
                point = read_point(cells, Place(parts.name, row=number))
                if isinstance(point, Problem):
                    problems.append(point)
                else:
                    yield point
            if number != len(reader):
                cause = f"{len(reader)} rows are announced, {number} could be read."
                problems.append(Problem(place, cause, again, code="bad_shapefile"))
        except BROKEN as wrong:
            cause = f"the table is damaged after row {number} ({type(wrong).__name__})."
            problems.append(Problem(place, cause, again, code="bad_shapefile"))
