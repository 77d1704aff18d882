"""Areas out of drawings and map databases: KML and KMZ, GeoPackage, GeoParquet; degrees out.

GeoPackage is read with SQLite, GeoParquet with Polars, geometry with shapely: no library opens a path or an address
that the file names.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring
from pyproj import CRS, Transformer
from pyproj.exceptions import CRSError, ProjError
from shapely import GEOSException, force_2d, from_wkb, transform
from shapely.geometry import MultiPolygon, Point, Polygon

from provender.formats.archive import is_zip, opened
from provender.formats.geometry import ACRE_M2, Outline
from provender.formats.parsed import doubt
from provender.problem import Place, Problem
from provender.quantity import show

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from shapely.geometry.base import BaseGeometry

Found = tuple[list[Outline], list[Problem]]
PointRow = tuple[float | None, float | None, Mapping[str, object]]
Rows = Iterator[tuple[int, dict[str, object]]]
_AGAIN: Final = "Export the layer of fields again, as GeoJSON or as a shapefile in a zip."
_WGS84: Final = CRS.from_epsg(4326)
_HEADER: Final = 8
_ENVELOPES: Final = (0, 32, 48, 48, 64)
_MOST_ROWS: Final = 100_000


def read_kml(path: Path, name: str) -> Found:
    """Read every placemark with an area of a .kml, or of the first .kml in a .kmz.

    Raises:
        ProblemsError: the zip is damaged or hostile.
    """
    if not is_zip(path):
        return _kml(path.read_bytes(), name)
    with opened(path, name) as archive:
        member = next((each for each in archive.members if each.lower().endswith(".kml")), None)
        if member is None:
            return [], [Problem(Place(name), "the zip holds no .kml.", _AGAIN, code="no_fields")]
        return _kml(archive.read(member), f"{name}/{member}")


def _kml(content: bytes, name: str) -> Found:
    try:
        root: Element = fromstring(content, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as trouble:
        cause = f"the drawing is damaged or not allowed ({type(trouble).__name__}: {trouble})."
        return [], [Problem(Place(name), cause, _AGAIN, code="bad_xml")]
    outlines: list[Outline] = []
    problems: list[Problem] = []
    for number, mark in enumerate(_all(root, "Placemark"), start=1):
        place = Place(name, row=number)
        label = next((each.text or "" for each in mark if _tag(each) == "name"), "").strip()
        try:
            polygons = tuple(_kml_rings(each) for each in _all(mark, "Polygon"))
        except ValueError:
            cause = f"the corners of {label or 'a placemark'} are no positions."
            problems.append(Problem(place, cause, _AGAIN, code="bad_geometry"))
            continue
        if polygons and all(polygons):
            outlines.append(Outline(place, {"name": label, **_kml_data(mark)}, polygons))
        else:
            cause = f"{label or 'a placemark'} is no area and was left out."
            problems.append(doubt(place, cause, "Draw the field as a polygon, if it is one.", "not_an_area"))
    return outlines, problems


def _tag(element: "Element") -> str:
    return str(element.tag).rpartition("}")[2]


def _all(root: "Element", tag: str) -> Iterator["Element"]:
    return (each for each in root.iter() if _tag(each) == tag)


def _kml_rings(polygon: "Element") -> tuple[tuple[tuple[float, float], ...], ...]:
    rings = []
    for border in ("outerBoundaryIs", "innerBoundaryIs"):
        for ring in (each for side in _all(polygon, border) for each in _all(side, "coordinates")):
            corners = [corner.split(",") for corner in (ring.text or "").split()]
            rings.append(tuple((float(corner[0]), float(corner[1])) for corner in corners if len(corner) > 1))
    return tuple(ring for ring in rings if ring)


def _kml_data(mark: "Element") -> dict[str, str]:
    pairs = [(each.get("name", ""), "".join(each.itertext()).strip()) for each in _all(mark, "SimpleData")]
    pairs += [(each.get("name", ""), "".join(each.itertext()).strip()) for each in _all(mark, "Data")]
    return {key: text for key, text in pairs if key and key != "name"}


def read_geopackage(path: Path, name: str) -> Found:
    """Read every layer of areas of a GeoPackage."""
    outlines: list[Outline] = []
    problems: list[Problem] = []
    try:
        for place, to_degrees, column, rows in _layers(path, name, problems):
            for number, values in rows:
                geometry = _package_wkb(values.pop(column, None))
                _take(geometry, values, to_degrees, Place(name, place.sheet, number), outlines, problems)
    except sqlite3.Error as trouble:
        return [], [_damaged(name, trouble)]
    return outlines, problems


def package_points(path: Path, name: str) -> list[tuple[str, list[PointRow], list[Problem]]]:
    """Return the points of each layer of a GeoPackage with their properties, and what is wrong with the layer."""
    found: list[tuple[str, list[PointRow], list[Problem]]] = []
    problems: list[Problem] = []
    try:
        for place, to_degrees, column, rows in _layers(path, name, problems):
            held: list[PointRow] = []
            for _, values in rows:
                geometry = _package_wkb(values.pop(column, None))
                held.append((*_spot(geometry, to_degrees), values))
            found.append((str(place), held, problems))
            problems = []
    except sqlite3.Error as trouble:
        problems.append(_damaged(name, trouble))
    return [*found, (name, [], problems)] if problems else found


def package_headings(path: Path) -> list[str]:
    """Return the headings of the first layer of points in a GeoPackage; none where it has areas, or is damaged."""
    try:
        for _, _, column, rows in _layers(path, "", []):
            for _, values in rows:
                content = _package_wkb(values.pop(column, None))
                return list(values) if content and isinstance(from_wkb(content), Point) else []
    except (sqlite3.Error, GEOSException):
        return []
    return []


def package_columns(path: Path) -> list[str]:
    """Return the columns of the layers of a GeoPackage; none where it is damaged."""
    try:
        return [each for _, _, _, rows in _layers(path, "", []) for _, values in islice(rows, 1) for each in values]
    except sqlite3.Error:
        return []


def _damaged(name: str, trouble: sqlite3.Error) -> Problem:
    return Problem(Place(name), f"the GeoPackage is damaged ({trouble}).", _AGAIN, code="bad_geopackage")


def _spot(content: bytes | None, to_degrees: "Mover | None") -> tuple[float | None, float | None]:
    """Return longitude and latitude of a point; None for what is none."""
    try:
        shape = from_wkb(content) if content else None
        if not isinstance(shape, Point) or shape.is_empty:
            return None, None
        x, y = (shape.x, shape.y) if to_degrees is None else to_degrees(shape.x, shape.y)[:2]
    except (GEOSException, ProjError, ValueError, TypeError):
        return None, None
    return x, y


def _layers(path: Path, name: str, problems: list[Problem]) -> Iterator["tuple[Place, Mover | None, str, Rows]"]:
    """Yield each layer: its place, how it becomes degrees, its column of shapes, and its rows.

    Raises:
        sqlite3.Error: the file is damaged.
    """
    with closing(sqlite3.connect(f"file:{path.resolve()}?mode=ro&immutable=1", uri=True)) as package:
        package.execute("PRAGMA trusted_schema = OFF")
        package.text_factory = lambda raw: raw.decode("utf-8", "replace")
        layers = package.execute(
            "SELECT g.table_name, g.column_name, s.organization, s.organization_coordsys_id, s.definition "
            "FROM gpkg_geometry_columns g JOIN gpkg_spatial_ref_sys s ON s.srs_id = g.srs_id ORDER BY g.table_name"
        ).fetchall()
        for table, column, authority, code, definition in layers:
            place = Place(name, sheet=str(table))
            try:
                crs = CRS.from_authority(authority, code) if code and authority.upper() != "NONE" else CRS(definition)
                to_degrees = _mover(crs)
            except (CRSError, ProjError, AttributeError) as wrong:
                cause = f"the layer does not say which coordinates it uses ({str(wrong)[:120]})."
                problems.append(Problem(place, cause, "Export it again in WGS 84.", code="bad_crs"))
                continue
            yield place, to_degrees, str(column), _rows(package, place, problems)


def _rows(package: sqlite3.Connection, place: Place, problems: list[Problem]) -> "Rows":
    quoted = '"' + place.sheet.replace('"', '""') + '"'
    rows = package.execute(f"SELECT * FROM {quoted} LIMIT {_MOST_ROWS + 1}")  # noqa: S608 - an identifier, quoted
    names = [str(each[0]) for each in rows.description]
    for number, row in enumerate(rows, start=1):
        if number > _MOST_ROWS:
            problems.append(_too_many(place))
            return
        yield number, dict(zip(names, row, strict=True))


def _too_many(place: Place) -> Problem:
    cause = f"the layer has more than {_MOST_ROWS} rows; those behind were not read."
    return Problem(place, cause, "Clip the layer to your farm, and export it again.", code="too_many_rows")


def _package_wkb(content: object) -> bytes | None:
    """Return the geometry behind the header that GeoPackage puts before it."""
    if not isinstance(content, bytes) or content[:2] != b"GP" or len(content) < _HEADER:
        return None
    envelope = content[3] >> 1 & 7
    return content[_HEADER + _ENVELOPES[envelope] :] if envelope < len(_ENVELOPES) else None


def read_geoparquet(path: Path, name: str) -> Found:
    """Read the areas of a GeoParquet file, fiboa among them."""
    import polars as pl

    place = Place(name)
    try:
        geo = json.loads(pl.read_parquet_metadata(path).get("geo", "{}"))
        column = str(geo.get("primary_column", "geometry"))
        told = geo.get("columns", {}).get(column, {})
        frame = pl.read_parquet(path, n_rows=_MOST_ROWS + 1)
    except (pl.exceptions.PolarsError, OSError, ValueError, AttributeError) as trouble:
        return [], [Problem(place, f"the Parquet file is damaged ({str(trouble)[:120]}).", _AGAIN, code="bad_parquet")]
    if column not in frame.columns or str(told.get("encoding", "WKB")).upper() != "WKB":
        cause = "the Parquet file holds no column of outlines (GeoParquet, WKB)."
        return [], [Problem(place, cause, _AGAIN, code="no_fields")]
    try:
        # Without a word on coordinates GeoParquet means longitude and latitude; a null says that nobody knows.
        to_degrees = _mover(CRS.from_json_dict(told["crs"]) if told.get("crs") else _WGS84)
    except (CRSError, ProjError, TypeError) as wrong:
        cause = f"the file does not say which coordinates it uses ({str(wrong)[:120]})."
        return [], [Problem(place, cause, "Export it again in WGS 84.", code="bad_crs")]
    outlines: list[Outline] = []
    problems = [_too_many(place)] if frame.height > _MOST_ROWS else []
    for number, values in enumerate(frame.head(_MOST_ROWS).iter_rows(named=True), start=1):
        geometry = values.pop(column)
        _take(geometry, values, to_degrees, Place(name, row=number), outlines, problems)
    return outlines, problems


Mover = Callable[..., tuple[float, ...]]


def _mover(crs: CRS) -> Mover | None:
    """Return how to bring coordinates into WGS 84; None where they are there."""
    if crs.equals(_WGS84, ignore_axis_order=True) or crs.to_authority() == ("OGC", "CRS84"):
        return None
    change = Transformer.from_crs(crs, _WGS84, always_xy=True)
    return cast("Mover", change.transform)


def _take(
    geometry: object,
    values: Mapping[str, object],
    to_degrees: Mover | None,
    place: Place,
    outlines: list[Outline],
    problems: list[Problem],
) -> None:
    """Add one row as an outline, or say why it is none."""
    try:
        shape = force_2d(from_wkb(geometry)) if isinstance(geometry, bytes) else None
        if shape is not None and to_degrees is not None:
            shape = transform(shape, to_degrees, interleaved=False)  # type: ignore[arg-type]  # typed for pairs
    except (GEOSException, ProjError, ValueError, TypeError) as wrong:
        problems.append(Problem(place, f"its outline is damaged ({wrong}).", _AGAIN, code="bad_geometry"))
        return
    polygons = _polygons(shape)
    if not polygons:
        cause = f"its shape is {'missing' if shape is None else shape.geom_type.lower()}, not an area."
        problems.append(Problem(place, cause, "Export the layer of field boundaries.", code="not_an_area"))
        return
    properties = {key: str(value) for key, value in values.items() if isinstance(value, str | int | float)}
    outlines.append(Outline(place, _with_acres(properties), polygons))


def _with_acres(properties: dict[str, str]) -> dict[str, str]:
    """Call an area that fiboa states (``metrics:area``, square metres) acres, and a field without a name by its id."""
    named = {"name": properties["id"], **properties} if "id" in properties else properties
    try:
        acres = round(Fraction(properties.get("metrics:area", "")) / Fraction(str(ACRE_M2)) * 1000)
    except ValueError:
        return named
    return {"acres": show(acres), **named}


def _polygons(shape: "BaseGeometry | None") -> tuple[tuple[tuple[tuple[float, float], ...], ...], ...]:
    parts = shape.geoms if isinstance(shape, MultiPolygon) else [shape]
    return tuple(
        tuple(tuple((x, y) for x, y in ring.coords) for ring in (part.exterior, *part.interiors))
        for part in parts
        if isinstance(part, Polygon) and not part.is_empty
    )
