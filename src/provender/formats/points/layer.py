"""Layers of logged points with headings, as text under what each column means: shapefiles, GeoJSON, CSV, GeoPackage.

A frame of a layer has the number of each row, longitude and latitude in degrees (null where it has none), and a column
of text for each heading that is known, by its meaning in ``data/point_columns.toml``.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl
from pyproj import Transformer
from pyproj.exceptions import ProjError

from provender.formats.archive import is_zip, opened
from provender.formats.delimited import read_delimited
from provender.formats.drawings import package_points
from provender.formats.geojson import load_json
from provender.formats.parsed import doubt
from provender.formats.point_columns import Column, Layer, columns_of, layer_of
from provender.formats.shapefile_table import table_cells
from provender.formats.shapefiles import BROKEN, Parts, gather, to_degrees
from provender.formats.sniff import Kind
from provender.formats.yield_columns import ROW
from provender.problem import Place, Problem

X, Y = "x", "y"
POINTS: Final = frozenset({1, 11, 21})
_HEAD, _RECORD = 100, 28
"""Bytes of the head of a .shp, and of each plain point in it."""
_AGAIN: Final = "Export the layer again, and put all its parts in one zip."
_METADATA: Final = "metadata.json"


@dataclass(slots=True)
class Logged:
    """One layer of points.

    Attributes:
        name: what problems call it.
        columns: the known columns by what they mean.
        frame: see above.
        problems: what was found.
    """

    name: str
    columns: dict[str, Column]
    frame: pl.DataFrame
    problems: list[Problem] = field(default_factory=list)

    @property
    def layer(self) -> Layer:
        """Return what it is."""
        return layer_of(self.columns)

    @property
    def place(self) -> Place:
        """Return where it stands."""
        return Place(self.name)


def read_layers(path: Path, name: str, kind: Kind) -> list[Logged]:
    """Return every layer of points in a file; what cannot be read is told by its layer.

    Raises:
        ProblemsError: the zip is damaged or hostile.
    """
    found = _layers(path, name, kind)
    for layer in found:
        degrees = (pl.when(pl.col(axis).is_between(-most, most)).then(axis) for axis, most in ((X, 180), (Y, 90)))
        layer.frame = layer.frame.with_columns(*degrees)
    return found


def _layers(path: Path, name: str, kind: Kind) -> list[Logged]:
    match kind.kind:
        case "points_csv":
            return [_of_text(*_content(path, name, kind))]
        case "points_geojson":
            return [_of_json(*_content(path, name, kind))]
        case "points_geopackage":
            return [_of_rows(*each) for each in package_points(path, name)]
    units = _units_beside(path, name)
    return [_of_shapefile(parts, units) for parts in gather(path, name)]


def _content(path: Path, name: str, kind: Kind) -> tuple[bytes, str]:
    if not kind.inside:
        return path.read_bytes(), name
    with opened(path, name) as archive:
        return archive.read(kind.inside), f"{name}/{kind.inside}"


def _units_beside(path: Path, name: str) -> dict[str, str]:
    """Return the units by heading that a list in the zip states, as Operations Center puts one beside a shapefile."""
    if not is_zip(path):
        return {}
    with opened(path, name) as archive:
        lists = [archive.read(each) for each in archive.members if each.lower().endswith(_METADATA)]
    found: dict[str, str] = {}
    for data in lists:
        try:
            document = json.loads(data)
        except (ValueError, RecursionError):
            continue
        told = document.get("DataAttributes") if isinstance(document, dict) else None
        for each in told if isinstance(told, list) else ():
            if isinstance(each, dict) and isinstance(each.get("Name"), str) and isinstance(each.get("Unit"), str):
                found[each["Name"].casefold()] = each["Unit"]
    return found


def _of_text(data: bytes, name: str) -> Logged:
    """Read a text whose first row holds the headings."""
    sheet, problems = read_delimited(data, name)
    lines = sheet.lines if sheet else ()
    headings = [cell.strip() for cell in lines[0].cells] if lines else []
    columns = columns_of(headings)
    at = {role: headings.index(column.heading) for role, column in columns.items()}
    rows = [(line.number, *(line.cell(index) for index in at.values())) for line in lines[1:]]
    frame = pl.DataFrame(rows, {ROW: pl.Int64, **dict.fromkeys(at, pl.String)}, orient="row")
    for axis, role in ((X, "longitude"), (Y, "latitude")):
        value = pl.col(role).cast(pl.Float64, strict=False) if role in at else pl.lit(None, pl.Float64)
        frame = frame.with_columns(value.alias(axis))
    return Logged(name, columns, frame, problems)


def _of_json(data: bytes, name: str) -> Logged:
    """Read the points of a collection of features."""
    document, problems = load_json(data, name)
    listed = document.get("features") if isinstance(document, dict) else None
    features = listed if isinstance(listed, list) else [document]
    rows: list[tuple[object, object, Mapping[str, object]]] = []
    for each in features:
        geometry = each.get("geometry") if isinstance(each, dict) else None
        properties = each.get("properties") if isinstance(each, dict) else None
        if isinstance(geometry, dict) and geometry.get("type") == "Point" and isinstance(properties, dict):
            spot = geometry.get("coordinates")
            x, y = spot[:2] if isinstance(spot, list) and len(spot) > 1 else (None, None)
            rows.append((x, y, properties))
    if document is not None and len(rows) < len(features):
        cause = f"{len(features) - len(rows)} entries of the file are no points with values; they were not counted."
        problems.append(Problem(Place(name), cause, _AGAIN, code="not_points"))
    return _of_rows(name, rows, problems)


def _of_rows(name: str, rows: Iterable[tuple[object, object, Mapping[str, Any]]], problems: list[Problem]) -> Logged:
    """Return points with their properties as a layer."""
    held = list(rows)
    columns = columns_of(dict.fromkeys(str(key) for _, _, properties in held for key in properties))
    texts = [
        (number, _degree(x), _degree(y), *(_text(properties.get(each.heading)) for each in columns.values()))
        for number, (x, y, properties) in enumerate(held, start=1)
    ]
    schema = {ROW: pl.Int64, X: pl.Float64, Y: pl.Float64, **dict.fromkeys(columns, pl.String)}
    return Logged(name, columns, pl.DataFrame(texts, schema, orient="row"), problems)


def _text(value: object) -> str:
    """Return a value as text; a number as its shortest decimal."""
    if isinstance(value, float) and "e" in repr(value):
        return format(value, "f")
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _degree(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 10**9:
        return None
    return float(value)


def _of_shapefile(parts: Parts, units: Mapping[str, str]) -> Logged:
    """Read the points of a shapefile and their attributes; of a damaged one those before its damage."""
    empty = pl.DataFrame(schema={ROW: pl.Int64, X: pl.Float64, Y: pl.Float64})
    problems: list[Problem] = []
    try:
        reader = parts.open()
        headings = [each.name for each in reader.fields if each.name != "DeletionFlag"] if parts.dbf else []
        columns = columns_of(headings, units)
        wanted = {role: column.heading.upper() for role, column in columns.items()}
        transform, told, usable = to_degrees(parts, tuple(reader.bbox))
        problems += told
        if not usable:
            return Logged(parts.name, columns, empty, problems)
        spots = _spots(parts, transform)
        cells, told = table_cells(reader, parts, wanted)
    except (*BROKEN, ProjError) as wrong:
        cause = f"the shapefile is damaged ({type(wrong).__name__}: {str(wrong)[:100]})."
        return Logged(
            parts.name, {}, empty, [*problems, Problem(Place(parts.name), cause, _AGAIN, code="bad_shapefile")]
        )
    problems += told
    if cells.height != len(spots):
        cause = f"there are {len(spots)} points and {cells.height} rows of attributes; they may not belong together."
        problems.append(Problem(Place(parts.name), cause, _AGAIN, code="bad_shapefile"))
        least = min(cells.height, len(spots))
        cells, spots = cells.head(least), spots[:least]
    frame = cells.with_columns(pl.col(ROW).cast(pl.Int64), pl.Series(X, spots[:, 0]), pl.Series(Y, spots[:, 1]))
    return Logged(parts.name, columns, frame, problems)


def _spots(parts: Parts, transform: Transformer | None) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """Return longitude and latitude of each point; not a number where a shape is none.

    Raises:
        any of ``BROKEN``: the shapes are damaged.
    """
    count, rest = divmod(len(parts.shp) - _HEAD, _RECORD)
    plain = np.frombuffer(parts.shp, np.uint8, count * _RECORD, _HEAD).reshape(count, _RECORD) if count > 0 else None
    if plain is not None and not rest and (plain[:, 8:12].copy().view("<i4") == 1).all():
        found = plain[:, 12:28].copy().view("<f8")
    else:
        shapes = (each.points[:1] for each in parts.open().iterShapes())
        found = np.array([tuple(each[0][:2]) if each else (np.nan, np.nan) for each in shapes], float).reshape(-1, 2)
    if transform is not None:
        found = np.stack(transform.transform(found[:, 0], found[:, 1]), axis=1)
    return found


def assumed(layer: Logged, roles: Iterable[str]) -> list[Problem]:
    """Ask about the units that nothing but custom tells."""
    guessed = [
        (column.heading, column.unit) for role in roles if (column := layer.columns.get(role)) and not column.told
    ]
    named = ", ".join(f"{heading} as {unit}" for heading, unit in guessed if unit)
    if not named:
        return []
    cause = f"the file names no units; {named} is how such exports hold them."
    remedy = "Confirm them, or export it with units in the headings."
    return [doubt(layer.place, cause, remedy, "units_assumed")]
