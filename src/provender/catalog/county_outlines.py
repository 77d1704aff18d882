"""County outlines of 2024 at 1:20 million: which county a point is likely in, and shapes for small maps.

The outlines are coarse: against finer ones a point in a hundred and fifty lands in the neighbour county, up to 2.3 km
from the line. So a point gives a suggestion that a person confirms, and says when the line is near.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any, Final
from zipfile import ZipFile

import shapefile
import shapely
from shapely.geometry.base import BaseGeometry

ARCHIVE: Final = "cb_2024_us_county_20m.zip"
NEAR_KM: Final = 2.3
KM_PER_DEGREE: Final = 111.2


@dataclass(frozen=True, slots=True)
class CountySuggestion:
    """Where a point likely is.

    Attributes:
        fips: the county whose outline holds the point, or None outside all.
        near: other counties whose line is within ``NEAR_KM``, nearest first; a person must choose.
    """

    fips: str | None
    near: tuple[str, ...]

    @property
    def sure(self) -> bool:
        """Whether no other county is near."""
        return self.fips is not None and not self.near


@cache
def outlines() -> Mapping[str, BaseGeometry]:
    """Return the outline of every county by FIPS code, longitude and latitude in degrees (NAD 83)."""
    packed = ZipFile(BytesIO((files("provender.catalog") / "data" / ARCHIVE).read_bytes()))
    parts = {name.rpartition(".")[2]: BytesIO(packed.read(name)) for name in packed.namelist()}
    reader = shapefile.Reader(shp=parts["shp"], shx=parts["shx"], dbf=parts["dbf"], encoding="latin-1")
    return {
        record.record["GEOID"]: shapely.geometry.shape(record.shape.__geo_interface__)
        for record in reader.iterShapeRecords()
    }


def county_of_point(longitude: float, latitude: float) -> CountySuggestion:
    """Suggest the county of a point in degrees.

    Raises:
        ValueError: the numbers are no longitude and latitude.
    """
    if not (-180 <= longitude <= 180 and -90 <= latitude <= 90):  # noqa: PLR2004 - the globe
        raise ValueError(f"{longitude}, {latitude} is no longitude and latitude in degrees")
    tree, codes = _tree()
    shrink = max(math.cos(math.radians(latitude)), 0.01)
    reach_x, reach_y = NEAR_KM / KM_PER_DEGREE / shrink, NEAR_KM / KM_PER_DEGREE
    box = shapely.box(longitude - reach_x, latitude - reach_y, longitude + reach_x, latitude + reach_y)
    point = shapely.Point(longitude, latitude)
    inside, near = None, []
    for index in tree.query(box):
        code = codes[index]
        outline = outlines()[code]
        if outline.covers(point):
            inside = inside or code
            continue
        level = shapely.transform(outline, lambda xy: (xy - (longitude, latitude)) * (shrink, 1))
        distance = level.distance(shapely.Point(0, 0)) * KM_PER_DEGREE
        if distance <= NEAR_KM:
            near.append((distance, code))
    return CountySuggestion(inside, tuple(code for _, code in sorted(near)))


@cache
def _tree() -> tuple[shapely.STRtree, tuple[str, ...]]:
    found = outlines()
    return shapely.STRtree(list(found.values())), tuple(found)


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
