"""The boundaries of a farm's management units as the book keeps them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from shapely import GEOSException, from_geojson, to_geojson

from provender.catalog.county_outlines import county_of_point
from provender.formats.geometry import acres_of
from provender.quantity import show
from provender.records import KINDS
from provender.records.folder import BOUNDARIES
from provender.services.farm.book import FarmBook

UNIT: Final = KINDS["unit"]


@dataclass(frozen=True, slots=True)
class UnitPlace:
    """Where a management unit lies.

    Attributes:
        unit: its name in the book.
        name: what people call it, or empty.
        acres: as the book says, decimal text or empty.
        measured: acres within the boundary, decimal text, or empty without one.
        county: FIPS code of the county in which the boundary's middle lies, else as the book says, or empty.
        geometry: the boundary as a GeoJSON geometry; None without one.
    """

    unit: str
    name: str
    acres: str
    measured: str
    county: str
    geometry: dict[str, Any] | None


def boundary_text(farm: FarmBook, unit_id: str) -> str:
    """Return the GeoJSON of a unit's boundary as the book keeps it; empty where it has none that can be read."""
    texts = farm.texts(UNIT, unit_id) or {}
    row = farm.files.get(f"{BOUNDARIES}/{Path(texts.get('boundary', '')).name}", {})
    text = str(row.get("text") or "")
    try:
        return text if text and not from_geojson(text).is_empty else ""
    except GEOSException:
        return ""


def place_of(farm: FarmBook, unit_id: str) -> UnitPlace:
    """Return where a unit of the book lies."""
    texts = farm.texts(UNIT, unit_id) or {}
    text = boundary_text(farm, unit_id)
    shape = from_geojson(text) if text else None
    middle = shape.representative_point() if shape is not None else None
    county = county_of_point(middle.x, middle.y).fips if middle is not None else texts.get("county_fips")
    return UnitPlace(
        unit=unit_id,
        name=texts.get("name", ""),
        acres=texts.get("acres", ""),
        measured=show(acres_of(shape), places=1) if shape is not None else "",
        county=county or "",
        geometry=json.loads(to_geojson(shape)) if shape is not None else None,
    )
