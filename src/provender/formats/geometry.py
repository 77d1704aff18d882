"""Outlines on the ground: rings checked, shapes made valid, acres measured on the ellipsoid.

Coordinates are longitude and latitude in degrees, WGS 84. Acres are whole thousandths of the international acre
(4,046.8564224 square metres), measured geodesically; a map projection never enters, since Web Mercator overstates an
Iowa field by three quarters. Overlay work (self-crossings, overlaps) is done on the degrees themselves, which is sound
for topology and never used for area.
"""

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pyproj import CRS, Geod, Transformer
from pyproj.exceptions import CRSError, ProjError
from shapely import STRtree, make_valid, orient_polygons
from shapely.geometry import LinearRing, MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.validation import explain_validity

from provender.formats.parsed import doubt
from provender.formats.spreadsheet import decode_text
from provender.problem import Place, Problem

Position = tuple[float, float]
Ring = Sequence[Position]

ACRE_M2: Final = 4046.8564224
MOST_VERTICES: Final = 200_000
_GEOD: Final = Geod(ellps="WGS84")
_REPAIR_MOST: Final = 0.01
_SNAP_METRES: Final = 30.0
UNITED_STATES: Final = ((-180.0, -64.0), (17.0, 72.0))


@dataclass(frozen=True, slots=True)
class Outline:
    """One shape as a file draws it: polygons of rings, the outer ring first, not checked yet."""

    place: Place  # where it stands
    properties: dict[str, str]  # what the file says of it, as text
    polygons: tuple[tuple[tuple[Position, ...], ...], ...]  # each a list of rings of (x, y)
    loose: bool = False  # each ring stands alone: the format tells holes by the direction in which they run


_WGS84: Final = CRS.from_epsg(4326)


def to_wgs84(crs: CRS) -> Transformer | None:
    """Return how to bring coordinates, x first, into WGS 84; None where they are there.

    Raises:
        ProjError: there is no way.
    """
    if crs.equals(_WGS84, ignore_axis_order=True) or crs.to_authority() == ("OGC", "CRS84"):
        return None
    return Transformer.from_crs(crs, _WGS84, always_xy=True)


def moved(ring: Ring, by: Transformer | None) -> tuple[Position, ...]:
    """Return a ring in WGS 84."""
    if by is None:
        return tuple(ring)
    xs, ys = by.transform([x for x, _ in ring], [y for _, y in ring])
    return tuple(zip(xs, ys, strict=True))


def acres_of(shape: BaseGeometry) -> int:
    """Return the geodesic area of a polygon or multipolygon in thousandths of an acre, holes taken out."""
    area, _ = _GEOD.geometry_area_perimeter(orient_polygons(shape))
    return round(area / ACRE_M2 * 1000)


def distance_m(a: Position, b: Position) -> float:
    """Return the geodesic distance between two points in metres."""
    return float(_GEOD.inv(a[0], a[1], b[0], b[1])[2])


def _polygons(shape: BaseGeometry) -> list[Polygon]:
    parts = getattr(shape, "geoms", (shape,))
    found = [each for part in parts for each in (_polygons(part) if hasattr(part, "geoms") else (part,))]
    return [each for each in found if isinstance(each, Polygon) and not each.is_empty]


def rings_of(shape: BaseGeometry) -> tuple[tuple[tuple[Position, ...], ...], ...]:
    """Return the rings of the polygons that a shape is, or is made of."""
    return tuple(
        tuple(tuple((x, y) for x, y, *_ in ring.coords) for ring in (part.exterior, *part.interiors))
        for part in getattr(shape, "geoms", (shape,))
        if isinstance(part, Polygon) and not part.is_empty
    )


def in_united_states(points: Iterable[Position]) -> bool:
    """Return whether all points lie in the rectangle around the fifty States and Puerto Rico."""
    (west, east), (south, north) = UNITED_STATES
    return all(west <= x <= east and south <= y <= north for x, y in points)


def settle_axes(outline: Outline) -> tuple[Outline | None, list[Problem]]:
    """Check that coordinates are degrees, longitude first; exchange them where they plainly stand the other way."""
    points = [point for polygon in outline.polygons for ring in polygon for point in ring]
    place = outline.place
    if not all(math.isfinite(x) and math.isfinite(y) for x, y in points):
        cause = "a coordinate is not a finite number."
        return None, [Problem(place, cause, "Export the boundary again.", code="bad_coordinate")]
    swapped = [(y, x) for x, y in points]
    if in_united_states(swapped) and not in_united_states(points):
        cause = "latitude stands before longitude; the two were exchanged."
        turned = tuple(tuple(tuple((y, x) for x, y in ring) for ring in polygon) for polygon in outline.polygons)
        remedy = "Look at the field on a map, and write longitude first."
        return replace(outline, polygons=turned), [doubt(place, cause, remedy, "axes_exchanged")]
    if beyond := [(x, y) for x, y in points if abs(x) > 180 or abs(y) > 90]:  # noqa: PLR2004 - the globe
        x, y = beyond[0]
        cause = f"the coordinates ({x:g}, {y:g}) are not degrees; they look like meters or feet of a map projection."
        remedy = "Export it in WGS 84 (longitude and latitude), or as a shapefile with its .prj file."
        return None, [Problem(place, cause, remedy, code="not_degrees")]
    if not in_united_states(points):
        x, y = points[0]
        minus = " The minus sign of the longitude may be missing." if in_united_states([(-x, y)]) else ""
        cause = f"the point ({x:g}, {y:g}) lies outside the United States.{minus}"
        return outline, [doubt(place, cause, "Check the coordinates on a map.", "outside_country")]
    return outline, []


def _close(ring: Ring, place: Place) -> tuple[Ring | None, Problem | None]:
    points = list(ring)
    if len(set(points)) < 3:  # noqa: PLR2004 - fewer enclose nothing
        cause = f"a ring has {len(set(points))} different corners and encloses nothing."
        return None, Problem(place, cause, "Draw the boundary again.", code="empty_ring")
    if points[0] == points[-1]:
        return points, None
    gap = distance_m(points[0], points[-1])
    points.append(points[0])
    cause = f"a ring is not closed; its ends, {gap:.0f} m apart, were joined by a straight line."
    remedy = "Look at the field on a map; close the ring in the program that drew it."
    if gap <= _SNAP_METRES:
        return points, doubt(place, cause, remedy, "open_ring")
    return points, doubt(place, cause + " That is a long line.", remedy, "open_ring")


def build_shape(outline: Outline) -> tuple[MultiPolygon | None, list[Problem]]:
    """Make a valid multipolygon of an outline in degrees.

    Where the file mixes up outlines and holes, what lies in what tells them apart. A self-crossing outline is repaired
    when that changes its area by at most one part in a hundred, and the person is asked to look; otherwise it is
    refused with the place of the crossing.
    """
    problems: list[Problem] = []
    drawn: list[Polygon] = []
    for polygon in outline.polygons:
        rings: list[Ring] = []
        for number, ring in enumerate(polygon):
            closed, problem = _close(ring, outline.place)
            problems += [problem] if problem else []
            if closed is None and number == 0:
                rings = []
                break
            rings += [closed] if closed else []
        if rings:
            drawn.append(Polygon(rings[0], rings[1:]))
    if not drawn:
        if not problems:
            cause = "the shape has no outline."
            problems = [Problem(outline.place, cause, "Draw the boundary, then export again.", code="no_outline")]
        return None, problems
    shape = MultiPolygon(drawn)
    if shape.is_valid:
        return shape, problems
    nested = _nested([ring for polygon in drawn for ring in (polygon.exterior, *polygon.interiors)])
    if nested is None or not nested.is_valid:
        return _repaired(nested if nested and outline.loose else shape, outline.place, problems)
    same_way = any(hole.is_ccw == each.exterior.is_ccw for each in nested.geoms for hole in each.interiors)
    if same_way or not outline.loose:
        cause = "the file mixes up outlines and holes. By which ring lies in which, the field has "
        cause += f"{acres_of(nested) / 1000:.2f} acres ({acres_of(shape) / 1000:.2f} as drawn)."
        problems.append(doubt(outline.place, cause, "Look at the field on a map.", "rings_by_place"))
    return nested, problems


def _nested(rings: Sequence[LinearRing]) -> MultiPolygon | None:
    """Return the area of rings by what lies in what; None where one stands there twice, or no order is found."""
    areas = [area if (area := Polygon(ring)).is_valid else make_valid(area) for ring in rings]
    around: dict[int, list[int]] = {at: [] for at in range(len(areas))}
    for inner, outer in zip(*STRtree(areas).query(areas, predicate="covered_by").tolist(), strict=True):
        around[inner] += [outer] if outer != inner else []
    if any(inner in around[outer] for inner, outers in around.items() for outer in outers):
        return None
    holes: dict[int, list[LinearRing]] = {at: [] for at, outers in around.items() if len(outers) % 2 == 0}
    for at in sorted(around.keys() - holes.keys()):
        next_out = min(around[at], key=lambda outer: areas[outer].area)
        if next_out not in holes:
            return None
        holes[next_out].append(rings[at])
    return MultiPolygon([Polygon(rings[at], inside) for at, inside in holes.items()])


def _repaired(shape: MultiPolygon, place: Place, problems: list[Problem]) -> tuple[MultiPolygon | None, list[Problem]]:
    reason = explain_validity(shape).replace("[", " at longitude and latitude ").replace("]", "")
    mended = MultiPolygon(_polygons(make_valid(shape)))
    before, after = acres_of(shape), acres_of(mended)
    shown = f"{before / 1000:.2f} acres as drawn, {after / 1000:.2f} when repaired"
    if after and abs(before - after) <= _REPAIR_MOST * after:
        cause = f"the outline is not sound ({reason}); it was repaired ({shown})."
        return mended, [*problems, doubt(place, cause, "Look at the field on a map.", "repaired_outline")]
    cause = f"the outline crosses or touches itself ({reason}; {shown})."
    remedy = "Correct the outline in the program that drew it; draw separate pieces as separate polygons."
    return None, [*problems, Problem(place, cause, remedy, code="bad_outline")]


# GeoJSON, and JSON that has GeoJSON features inside it (such as USDA's acreage reports), as outlines.

DEEPEST: Final = 60
_AREAS: Final = frozenset({"Polygon", "MultiPolygon"})
_OTHERS: Final = frozenset({"Point", "MultiPoint", "LineString", "MultiLineString"})


class _DoubledKeyError(ValueError):
    """One object names a member twice; which one counts is anyone's guess."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _DoubledKeyError(next(name for name in names if names.count(name) > 1))
    return found


def _constant(text: str) -> float:
    raise ValueError(f"{text} is not a number of JSON")


def load_json(data: bytes, name: str) -> tuple[Any, list[Problem]]:
    """Parse JSON strictly; None and a problem with line and column where it is broken.

    Features that stand a line each (GeoJSON text sequences, newline-delimited GeoJSON) are a collection of those that
    can be read.
    """
    text, problems = decode_text(data, name)
    if text is None:
        return None, problems
    document, wrong = _document(text, name, 0)
    lines = [line.strip(_BETWEEN_LINES) for line in text.split("\n")] if document is None else []
    first = next(filter(None, lines), "")
    if not (first.startswith("{") and first.endswith("}") and sum(map(bool, lines)) > 1):
        return document, problems + wrong
    read = [_document(line, name, number) for number, line in enumerate(lines) if line]
    features = [document for document, _ in read if document is not None]
    if not features:
        return None, problems + wrong
    return {"type": "FeatureCollection", "features": features}, problems + [each for _, told in read for each in told]


_BETWEEN_LINES: Final = " \t\r,\x1e"
"""Blanks, a comma that a program left there, and the sign before each text of a sequence (RFC 7464)."""


def _document(text: str, name: str, above: int) -> tuple[Any, list[Problem]]:
    """Parse one text that begins below so many lines of its file."""
    place = Place(name, row=above + 1 if above else 0)
    try:
        return json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant), []
    except json.JSONDecodeError as wrong:
        row = above + wrong.lineno
        cause = f"the file is not valid JSON from line {row}, column {wrong.colno} on: {wrong.msg}."
        remedy = "Something is missing or too much there, often a comma. Export the file again, or correct that line."
        found = Problem(Place(name, row=row, column=str(wrong.colno)), cause, remedy, code="broken_json")
    except _DoubledKeyError as wrong:
        cause = f"an object of the file has the member {str(wrong)!r} twice."
        found = Problem(place, cause, "Remove one of the two.", code="doubled_member")
    except RecursionError:
        cause = "the file is nested deeper than any map is."
        found = Problem(place, cause, "Export the boundaries again.", code="too_deep")
    except ValueError as wrong:
        cause = f"the file holds a number that cannot be read ({wrong})."
        found = Problem(place, cause, "Export it again.", code="bad_number")
    return None, [found]


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _plain(members: dict[str, Any]) -> dict[str, str]:
    return {
        key: _text(value)
        for key, value in members.items()
        if isinstance(value, (str, int, float, bool)) and key != "type"
    }


def _features(node: Any, context: dict[str, str], depth: int) -> Iterator[tuple[Any, dict[str, str]]]:  # noqa: ANN401 - JSON
    """Yield every geometry with the plain members that stand around it, nearest last."""
    if depth > DEEPEST:
        raise RecursionError
    if isinstance(node, list):
        for each in node:
            yield from _features(each, context, depth + 1)
    elif isinstance(node, dict):
        kind = _text(node.get("type"))
        if (kind in _AREAS | _OTHERS and "coordinates" in node) or "rings" in node:
            yield node, context
        elif kind == "Feature" or ("geometry" in node and "attributes" in node):
            told, geometry = node.get("properties", node.get("attributes")), node.get("geometry")
            around = context | _plain(node) | (_plain(told) if isinstance(told, dict) else {})
            if isinstance(geometry, dict) and "geometries" in geometry:
                yield from _features(geometry, around, depth + 1)
            else:
                yield geometry, around
        else:
            # What a collection says of itself, such as the name of its layer, is true of no single field.
            around = context | ({} if "features" in node else _plain(node))
            for key, each in node.items():
                if key not in ("crs", "bbox", "properties"):
                    yield from _features(each, around, depth + 1)


def _position(raw: Any) -> Position:  # noqa: ANN401 - JSON
    x, y = raw[0], raw[1]
    if any(isinstance(each, bool) or not isinstance(each, int | float) for each in (x, y)):
        raise TypeError
    return float(x), float(y)


def _outline(geometry: Any, properties: dict[str, str], place: Place) -> Outline | Problem:  # noqa: ANN401 - JSON
    if not isinstance(geometry, dict):
        return Problem(place, "the feature has no shape.", "Draw its boundary or remove it.", code="no_outline")
    loose = "rings" in geometry
    kind = "Polygon" if loose else _text(geometry.get("type")) or "line, point or curve"
    if kind not in _AREAS:
        cause = f"the shape is a {kind}, not an area."
        return Problem(place, cause, "Export the field's boundary as a polygon.", code="not_an_area")
    try:
        coordinates = [[ring] for ring in geometry["rings"]] if loose else geometry["coordinates"]
        polygons = coordinates if loose or kind == "MultiPolygon" else [coordinates]
        read = [[[_position(point) for point in ring] for ring in polygon] for polygon in polygons]
    except (TypeError, IndexError, KeyError, OverflowError):
        cause = "the coordinates are not lists of pairs of numbers."
        return Problem(place, cause, "Export the boundary again.", code="bad_coordinate")
    return Outline(place, properties, tuple(tuple(tuple(ring) for ring in polygon) for polygon in read), loose)


def _in_degrees(outlines: list[Outline], document: Any, place: Place) -> tuple[list[Outline], list[Problem]]:  # noqa: ANN401 - JSON
    """Bring outlines into degrees where the file names another system, as Esri's and older GeoJSON may."""
    named = (document.get("crs") or document.get("spatialReference")) if isinstance(document, dict) else None
    if not named or not outlines:
        return outlines, []
    points = [point for outline in outlines for polygon in outline.polygons for ring in polygon for point in ring]
    on_globe = all(abs(x) <= 180 and abs(y) <= 90 for x, y in points)  # noqa: PLR2004 - the globe
    told = named.get("properties", named) if isinstance(named, dict) else {"name": named}
    codes = [f"{who}:{told[key]}" for key in ("latestWkid", "wkid") if key in told for who in ("EPSG", "ESRI")]
    for text in (*codes, *(told.get(key) for key in ("wkt", "name", "code"))):
        try:
            crs = CRS.from_user_input(text)
            if crs.is_projected is not on_globe:
                by = to_wgs84(crs)
                return [
                    replace(each, polygons=tuple(tuple(moved(ring, by) for ring in rings) for rings in each.polygons))
                    for each in outlines
                ], []
        except (CRSError, ProjError):
            continue
    cause = f"the file says that its coordinates are in {json.dumps(named)[:80]}; they were read as degrees."
    return outlines, [doubt(place, cause, "Export it in WGS 84 (EPSG:4326).", "other_reference_system")]


def read_geojson(data: bytes, name: str) -> tuple[list[Outline], list[Problem]]:
    """Return every area of GeoJSON or Esri JSON; points, lines and empty features are problems, their count the row."""
    document, problems = load_json(data, name)
    if document is None:
        return [], problems
    outlines: list[Outline] = []
    try:
        for number, (geometry, properties) in enumerate(_features(document, {}, 0), start=1):
            found = _outline(geometry, properties, Place(name, row=number))
            if isinstance(found, Outline):
                outlines.append(found)
            else:
                problems.append(found)
    except RecursionError:
        cause = "the file is nested deeper than any map is."
        problems.append(Problem(Place(name), cause, "Export the boundaries again.", code="too_deep"))
    moved_ones, told = _in_degrees(outlines, document, Place(name))
    return moved_ones, [*told, *problems]
