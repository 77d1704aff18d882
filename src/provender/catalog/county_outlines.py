"""County outlines of 2024 at 1:20 million: which county a point is likely in, and shapes for small maps.

The outlines are coarse: against finer ones a point in a hundred and fifty lands in the neighbour county, up to 2.3 km
from the line. So a point gives a suggestion that a person confirms, and says when the line is near.
"""

import math
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from threading import Lock
from typing import Any, Final
from zipfile import ZipFile

import shapefile
import shapely
from shapely.geometry.base import BaseGeometry

ARCHIVE: Final = "cb_2024_us_county_20m.zip"
NEAR_KM: Final = 2.3
KM_PER_DEGREE: Final = 111.2
_HEADER: Final = 100
"""Bytes before the first record of a .shp."""
_RECORD: Final = 8
"""Bytes of number and length before a record's content."""
_BOUNDS: Final = 12
"""Where the bounds begin in a record: behind number, length and kind of shape."""


@dataclass(frozen=True, slots=True)
class CountySuggestion:
    """Where a point likely is."""

    fips: str | None  # the county whose outline holds the point, or None outside all
    near: tuple[str, ...]  # other counties whose line is within ``NEAR_KM``, nearest first; a person must choose

    @property
    def sure(self) -> bool:
        """Whether no other county is near."""
        return self.fips is not None and not self.near


class _Archive:
    """The packed outlines; a shape is decoded when somebody asks for it, since a farm lies in few of 3,200 counties."""

    def __init__(self) -> None:
        packed = ZipFile(BytesIO((files("provender.catalog") / "data" / ARCHIVE).read_bytes()))
        raw = {name.rpartition(".")[2]: packed.read(name) for name in packed.namelist()}
        parts = {ending: BytesIO(raw[ending]) for ending in ("shp", "shx", "dbf")}
        self._reader = shapefile.Reader(**parts, encoding="latin-1")
        self._turn = Lock()
        self._known: dict[int, tuple[str, BaseGeometry]] = {}
        west, south, east, north = zip(*_boxes(raw["shp"]), strict=True)
        self.boxes = shapely.STRtree(shapely.box(west, south, east, north))

    def __len__(self) -> int:
        return len(self._reader)

    def county(self, index: int) -> tuple[str, BaseGeometry]:
        """Return FIPS code and outline of a record; the reader has one place in its file, so one caller at a time."""
        if index not in self._known:
            with self._turn:
                code = str(self._reader.record(index)["GEOID"])
                shape = shapely.geometry.shape(self._reader.shape(index).__geo_interface__)
            self._known[index] = code, shape
        return self._known[index]


def _boxes(shp: bytes) -> Iterator[tuple[float, float, float, float]]:
    """Yield the bounds of every polygon in a shapefile (ESRI white paper of 1998: header, then length and bounds)."""
    at = _HEADER
    while at < len(shp):
        yield struct.unpack_from("<4d", shp, at + _BOUNDS)
        at += _RECORD + 2 * struct.unpack_from(">i", shp, at + 4)[0]


@cache
def _archive() -> _Archive:
    return _Archive()


@cache
def outlines() -> Mapping[str, BaseGeometry]:
    """Return the outline of every county by FIPS code, longitude and latitude in degrees (NAD 83)."""
    return dict(_archive().county(index) for index in range(len(_archive())))


def outlines_near(longitude: float, latitude: float) -> Mapping[str, BaseGeometry]:
    """Return the outlines by FIPS code whose bounds come within ``NEAR_KM`` of a point in degrees."""
    reach_x, reach_y = NEAR_KM / KM_PER_DEGREE / _shrink(latitude), NEAR_KM / KM_PER_DEGREE
    box = shapely.box(longitude - reach_x, latitude - reach_y, longitude + reach_x, latitude + reach_y)
    return dict(_archive().county(int(index)) for index in _archive().boxes.query(box))


def _shrink(latitude: float) -> float:
    """Return how much shorter a degree of longitude is there than one of latitude."""
    return max(math.cos(math.radians(latitude)), 0.01)


def county_of_point(longitude: float, latitude: float) -> CountySuggestion:
    """Suggest the county of a point in degrees.

    Raises:
        ValueError: the numbers are no longitude and latitude.
    """
    if not (-180 <= longitude <= 180 and -90 <= latitude <= 90):  # noqa: PLR2004 - the globe
        raise ValueError(f"{longitude}, {latitude} is no longitude and latitude in degrees")
    shrink, point = _shrink(latitude), shapely.Point(longitude, latitude)
    inside, near = None, []
    for code, outline in outlines_near(longitude, latitude).items():
        if outline.covers(point):
            inside = inside or code
            continue
        level = shapely.transform(outline, lambda xy: (xy - (longitude, latitude)) * (shrink, 1))
        distance = level.distance(shapely.Point(0, 0)) * KM_PER_DEGREE
        if distance <= NEAR_KM:
            near.append((distance, code))
    return CountySuggestion(inside, tuple(code for _, code in sorted(near)))


def county_features(fips: Iterable[str]) -> dict[str, Any]:
    """Return GeoJSON of the named counties for a map; codes without an outline are left out."""
    found = outlines()
    return {
        "type": "FeatureCollection",
        "features": [
            {
                "type": "Feature",
                "id": code,
                "properties": {"fips": code},
                "geometry": shapely.geometry.mapping(found[code]),
            }
            for code in fips
            if code in found
        ],
    }
