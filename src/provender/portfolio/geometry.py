"""``unit`` as GeoParquet 1.1 that is also a fiboa v0.3.0 (Vecorel) collection of fields.

Sources: https://geoparquet.org/releases/v1.1.0/, https://fiboa.org/specification/v0.3.0/,
https://vecorel.org/specification/v0.1.0/. A field without an outline has an empty one: the geometry is required there.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl
from shapely import MultiPolygon, from_geojson, from_wkb, to_geojson, to_wkb
from shapely.geometry.base import BaseGeometry

from provender.formats.boundaries import Boundaries, outline_of_unit, read_boundaries
from provender.formats.geometry import ACRE_M2
from provender.portfolio.layout import PREFIX, written_name
from provender.records import KINDS
from provender.records.evidence_files import file_inside
from provender.records.field import ColumnKind
from provender.records.folder import BOUNDARIES

COLLECTION: Final = "provender-portfolio"
SCHEMAS: Final = (
    "https://vecorel.org/specification/v0.1.0/schema.yaml",
    "https://fiboa.org/specification/v0.3.0/schema.yaml",
)
SDL: Final = "https://vecorel.org/sdl/v0.2.0/schema.json"
GEOMETRY: Final = "geometry"
REQUIRED: Final = ("farm_id", "id", "collection", GEOMETRY, f"{PREFIX}unit_id")
EMPTY: Final[bytes] = to_wkb(MultiPolygon())
_SDL_TYPES: Final[Mapping[ColumnKind, str]] = {
    ColumnKind.KEY: "string", ColumnKind.TEXT: "string", ColumnKind.CHOICE: "string", ColumnKind.QUANTITY: "int64",
    ColumnKind.WHOLE: "int64", ColumnKind.DAY: "date", ColumnKind.YES_NO: "boolean",
}  # fmt: skip


def geometry_column(names: Iterable[str]) -> str:
    """Return the column of outlines, whatever its case and with our prefix or without; empty where there is none."""
    return next((name for name in names if name.casefold().removeprefix(PREFIX) == GEOMETRY), "")


def sdl_schema() -> dict[str, Any]:
    """Return the schema of our own columns in the language of Vecorel."""
    properties: dict[str, dict[str, Any]] = {}
    for name, field in KINDS["unit"].fields.items():
        told = f"{field.label}. {field.help}".strip()
        if field.kind is ColumnKind.QUANTITY:
            told += f" Whole thousandths of: {field.unit}."
        one: dict[str, Any] = {"type": _SDL_TYPES[field.kind], "description": told}
        if field.options:
            one["enum"] = list(field.options)
        properties[written_name(KINDS["unit"], name)] = one
    needed = [name for name in REQUIRED if name in properties]
    return {"$schema": SDL, "required": needed, "collection": {}, "properties": properties}


def footer(frame: pl.DataFrame) -> dict[str, str]:
    """Return the metadata of a file of units: GeoParquet's and Vecorel's."""
    kinds = {"Polygon": 3, "MultiPolygon": 6}
    found = frame[GEOMETRY].bin.slice(1, 1).unique().to_list()
    column = {"encoding": "WKB", "geometry_types": [name for name, code in kinds.items() if bytes([code]) in found]}
    geo = {"version": "1.1.0", "primary_column": GEOMETRY, "columns": {GEOMETRY: column}}
    collection = {"schemas": {COLLECTION: list(SCHEMAS)}, "schemas:custom": sdl_schema()}
    return {"geo": json.dumps(geo), "collection": json.dumps(collection)}


def outlines(folder: Path | None, units: pl.DataFrame) -> dict[str, BaseGeometry]:
    """Return the outline of each unit of a book whose boundary file is there and can be read.

    Of a file with several fields a unit takes its own (``boundaries.of_unit``).
    """
    if folder is None:
        return {}
    inside = folder / BOUNDARIES
    read: dict[str, Boundaries | None] = {}
    found: dict[str, BaseGeometry] = {}
    for unit_id, name, boundary in units.select("unit_id", "name", "boundary").iter_rows():
        path = file_inside(inside, boundary or "")
        if path is None:
            continue
        if boundary not in read:
            read[boundary] = read_boundaries(path, boundary).result
        if outline := outline_of_unit(read[boundary], unit_id, name):
            found[unit_id] = from_geojson(outline)
    return found


def as_fields(units: pl.DataFrame, shapes: Mapping[tuple[str, str], bytes]) -> pl.DataFrame:
    """Return units with the columns of fiboa; ``shapes`` holds the outline of a farm's unit as WKB."""
    keys = list(units.select("farm_id", "unit_id").iter_rows())
    geometry = pl.Series(GEOMETRY, [shapes.get(key, EMPTY) for key in keys], pl.Binary)
    return _arranged(units.with_columns(geometry))


def _arranged(units: pl.DataFrame) -> pl.DataFrame:
    """Arrange columns: the farm, those of fiboa, ours under their prefix. The area is that of the records."""
    drawn = pl.col(GEOMETRY) != EMPTY
    names = [name for name in units.columns if name not in ("farm_id", GEOMETRY)]
    area = (pl.col("acres") * (ACRE_M2 / 1000)).cast(pl.Float32)
    return units.select(
        "farm_id",
        pl.concat_str("farm_id", pl.lit("|"), "unit_id").alias("id"),
        pl.lit(COLLECTION).alias("collection"),
        GEOMETRY,
        area.alias("metrics:area"),
        pl.lit(None, pl.Datetime("ms", "UTC")).alias("determination:datetime"),
        pl.when(drawn).then(pl.lit("unknown")).alias("determination:method"),
        pl.when(drawn).then("boundary").alias("determination:details"),
        *(pl.col(name).alias(PREFIX + name) for name in names),
    )


def boundary_files(units: pl.DataFrame) -> dict[str, str]:
    """Return the GeoJSON files of a farm's outlines by name: units of one file go back into one.

    Args:
        units: ``unit_id``, ``boundary`` and ``geometry`` of one farm.
    """
    features: dict[str, list[dict[str, Any]]] = {}
    for unit_id, boundary, wkb in units.select("unit_id", "boundary", GEOMETRY).iter_rows():
        if boundary and wkb and wkb != EMPTY:
            shape = json.loads(to_geojson(from_wkb(wkb)))
            one = {"type": "Feature", "properties": {"unit_id": unit_id}, "geometry": shape}
            features.setdefault(boundary, []).append(one)
    return {
        name: json.dumps({"type": "FeatureCollection", "features": found}, indent=1) + "\n"
        for name, found in features.items()
    }
