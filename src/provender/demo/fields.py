"""Made-up square fields of the example farms."""

import math
from typing import Any, Final

_METRES_PER_DEGREE: Final = 111_035.0
"""Of latitude, near 39 degrees north."""
_SQUARE_METRES_PER_ACRE: Final = 4046.8564224


def square(latitude: float, longitude: float, acres: int) -> dict[str, Any]:
    """Return a square field as GeoJSON.

    Args:
        latitude: of its middle, degrees.
        longitude: of its middle, degrees.
        acres: its size, thousandths of an acre.
    """
    half = math.sqrt(acres / 1000 * _SQUARE_METRES_PER_ACRE) / 2
    tall = half / _METRES_PER_DEGREE
    wide = half / (111_320 * math.cos(math.radians(latitude)))
    west, east, south, north = longitude - wide, longitude + wide, latitude - tall, latitude + tall
    ring = (
        (west, south), (east, south), (east, north), (west, north), (west, south),
    )  # fmt: skip
    corners = [[round(x, 6), round(y, 6)] for x, y in ring]
    return {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [corners]}}
