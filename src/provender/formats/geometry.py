"""Outlines on the ground: rings checked, shapes made valid, acres measured on the ellipsoid.

Coordinates are longitude and latitude in degrees, WGS 84. Acres are whole thousandths of the international acre
(4,046.8564224 square metres), measured geodesically; a map projection never enters, since Web Mercator overstates an
Iowa field by three quarters. Overlay work (self-crossings, overlaps) is done on the degrees themselves, which is sound
for topology and never used for area.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np
from pyproj import CRS, Geod, Transformer
from pyproj.exceptions import CRSError, ProjError
from shapely import STRtree, get_parts, linestrings, make_valid, orient_polygons
from shapely.geometry import LinearRing, MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.validation import explain_validity

from provender.formats.parsed import Problems
from provender.formats.spreadsheet import decode_text
from provender.problem import Place, Problem, ProblemsError

Position = tuple[float, float]
Ring = Sequence[Position]
Polygons = tuple[tuple[tuple[Position, ...], ...], ...]
"""Polygons, each a list of rings of (x, y), the outer ring first."""

ACRE_M2: Final = 4046.8564224
MOST_VERTICES: Final = 200_000
_GEOD: Final = Geod(ellps="WGS84")
_REPAIR_MOST: Final = 0.01
_MOST: Final = 2_000
"""Rings of an outline, and crossings that are repaired: which lies in which is asked of each pair."""
_LINES_AT_ONCE: Final = 20
_DRAW_AGAIN: Final = "Correct the outline in the program that drew it; draw separate pieces as separate polygons."
_SNAP_METRES: Final = 30.0
UNITED_STATES: Final = ((-180.0, -64.0), (17.0, 72.0))


@dataclass(frozen=True, slots=True)
class Outline:
    """One shape as a file draws it, not checked yet."""

    place: Place  # where it stands
    properties: dict[str, str]  # what the file says of it, as text
    polygons: Polygons
    loose: bool = False  # each ring stands alone: the format tells holes by the direction in which they run

    @property
    def points(self) -> list[Position]:
        return [point for polygon in self.polygons for ring in polygon for point in ring]

    def moved(self, move: Callable[[Ring], tuple[Position, ...]]) -> "Outline":
        return replace(self, polygons=tuple(tuple(map(move, polygon)) for polygon in self.polygons))


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
    """Return the polygons that a shape is, or is made of, however it was put together."""
    return [each for each in get_parts(get_parts(shape)) if isinstance(each, Polygon) and not each.is_empty]


def rings_of(shape: BaseGeometry) -> Polygons:
    return tuple(
        tuple(tuple((x, y) for x, y, *_ in ring.coords) for ring in (part.exterior, *part.interiors))
        for part in _polygons(shape)
    )


def in_united_states(points: Iterable[Position]) -> bool:
    """Return whether all points lie in the rectangle around the fifty States and Puerto Rico."""
    (west, east), (south, north) = UNITED_STATES
    return all(west <= x <= east and south <= y <= north for x, y in points)


def settle_axes(outline: Outline, problems: Problems) -> Outline | None:
    """Check that coordinates are degrees, longitude first; exchange them where they plainly stand the other way."""
    points = outline.points
    if not all(math.isfinite(x) and math.isfinite(y) for x, y in points):
        problems.error("a coordinate is not a finite number.", "Export the boundary again.", "bad_coordinate")
        return None
    swapped = [(y, x) for x, y in points]
    if in_united_states(swapped) and not in_united_states(points):
        cause = "latitude stands before longitude; the two were exchanged."
        problems.doubt(cause, "Look at the field on a map, and write longitude first.", "axes_exchanged")
        return outline.moved(lambda ring: tuple((y, x) for x, y in ring))
    if beyond := [(x, y) for x, y in points if abs(x) > 180 or abs(y) > 90]:  # noqa: PLR2004 - the globe
        x, y = beyond[0]
        cause = f"the coordinates ({x:g}, {y:g}) are not degrees; they look like meters or feet of a map projection."
        remedy = "Export it in WGS 84 (longitude and latitude), or as a shapefile with its .prj file."
        problems.error(cause, remedy, "not_degrees")
        return None
    if not in_united_states(points):
        x, y = points[0]
        minus = " The minus sign of the longitude may be missing." if in_united_states([(-x, y)]) else ""
        cause = f"the point ({x:g}, {y:g}) lies outside the United States.{minus}"
        problems.doubt(cause, "Check the coordinates on a map.", "outside_country")
    return outline


def _close(ring: Ring, problems: Problems) -> Ring | None:
    points = list(ring)
    if len(set(points)) < 3:  # noqa: PLR2004 - fewer enclose nothing
        cause = f"a ring has {len(set(points))} different corners and encloses nothing."
        problems.error(cause, "Draw the boundary again.", "empty_ring")
        return None
    if points[0] != points[-1]:
        gap = distance_m(points[0], points[-1])
        points.append(points[0])
        cause = f"a ring is not closed; its ends, {gap:.0f} m apart, were joined by a straight line."
        cause += "" if gap <= _SNAP_METRES else " That is a long line."
        problems.doubt(cause, "Look at the field on a map; close the ring in the program that drew it.", "open_ring")
    return points


def build_shape(outline: Outline, problems: Problems) -> MultiPolygon | None:
    """Make a valid multipolygon of an outline in degrees.

    Where the file mixes up outlines and holes, what lies in what tells them apart. A self-crossing outline is repaired
    when that changes its area by at most one part in a hundred, and the person is asked to look; otherwise it is
    refused with the place of the crossing.
    """
    drawn = [
        Polygon(outer, [hole for ring in rings[1:] if (hole := _close(ring, problems))])
        for rings in outline.polygons
        if rings and (outer := _close(rings[0], problems))
    ]
    if not any(outline.polygons):
        problems.error("the shape has no outline.", "Draw the boundary, then export again.", "no_outline")
    if not drawn:
        return None
    shape = MultiPolygon(drawn)
    rings = [ring for polygon in drawn for ring in (polygon.exterior, *polygon.interiors)]
    if len(rings) <= _MOST and shape.is_valid:
        return shape
    if len(rings) > _MOST or _crosses_often(rings):
        cause = f"the outline has more than {_MOST:,} rings, or crosses itself so often."
        problems.error(cause, _DRAW_AGAIN, "bad_outline")
        return None
    nested = _nested(rings)
    if nested is None or not nested.is_valid:
        return _repaired(nested if nested and outline.loose else shape, problems)
    same_way = any(hole.is_ccw == each.exterior.is_ccw for each in nested.geoms for hole in each.interiors)
    if same_way or not outline.loose:
        cause = "the file mixes up outlines and holes. By which ring lies in which, the field has "
        cause += f"{acres_of(nested) / 1000:.2f} acres ({acres_of(shape) / 1000:.2f} as drawn)."
        problems.doubt(cause, "Look at the field on a map.", "rings_by_place")
    return nested


def _crosses_often(rings: Sequence[LinearRing]) -> bool:
    """Tell whether lines meet more often than may be repaired, which takes time and memory for each crossing."""
    corners = [np.asarray(ring.coords)[:, :2] for ring in rings]
    ends = np.concatenate([np.stack((each[:-1], each[1:]), axis=1) for each in corners])
    lines = linestrings(ends[(ends[:, 0] != ends[:, 1]).any(axis=1)])
    tree, met = STRtree(lines), 0
    for part in np.array_split(lines, len(lines) // _LINES_AT_ONCE + 1):
        met += tree.query(part, predicate="intersects").shape[1] - 3 * len(part)  # itself and those before and after it
        if met > 2 * _MOST:  # each is met from both sides
            return True
    return False


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


def _repaired(shape: MultiPolygon, problems: Problems) -> MultiPolygon | None:
    reason = explain_validity(shape).replace("[", " at longitude and latitude ").replace("]", "")
    mended = MultiPolygon(_polygons(make_valid(shape)))
    before, after = acres_of(shape), acres_of(mended)
    shown = f"{before / 1000:.2f} acres as drawn, {after / 1000:.2f} when repaired"
    if after and abs(before - after) <= _REPAIR_MOST * after:
        cause = f"the outline is not sound ({reason}); it was repaired ({shown})."
        problems.doubt(cause, "Look at the field on a map.", "repaired_outline")
        return mended
    cause = f"the outline crosses or touches itself ({reason}; {shown})."
    problems.error(cause, _DRAW_AGAIN, "bad_outline")
    return None


# GeoJSON, and JSON that has GeoJSON features inside it (such as USDA's acreage reports), as outlines.

DEEPEST: Final = 60
_AREAS: Final = frozenset({"Polygon", "MultiPolygon"})
_OTHERS: Final = frozenset({"Point", "MultiPoint", "LineString", "MultiLineString"})


class _DoubledKeyError(ValueError):
    """One object names a member twice; which one counts is anyone's guess."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _DoubledKeyError(next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1))
    return found


def _constant(text: str) -> float:
    raise ValueError(f"{text} is not a number of JSON")


def load_json(data: bytes, problems: Problems) -> Any:  # noqa: ANN401 - JSON
    """Parse JSON strictly.

    Features that stand a line each (GeoJSON text sequences, newline-delimited GeoJSON) are a collection of those that
    can be read.

    Raises:
        ProblemsError: it is broken; line and column are told.
    """
    text = decode_text(data, problems)
    try:
        return _document(text, problems)
    except ProblemsError as wrong:
        lines = [line.strip(_BETWEEN_LINES) for line in text.split("\n")]
        first = next(filter(None, lines), "")
        features: list[Any] = []
        told: list[Problem] = []
        if first.startswith("{") and first.endswith("}") and (sum(map(bool, lines)) > 1 or "\x1e" in text):
            for number, line in enumerate(lines, start=1):
                try:
                    features += [_document(line, problems.row(number))] if line else []
                except ProblemsError as trouble:
                    told += trouble.problems
        if not features:
            raise ProblemsError([*problems.found, *wrong.problems]) from None
    problems.found.extend(told)
    return {"type": "FeatureCollection", "features": features}


_BETWEEN_LINES: Final = " \t\r,\x1e"
"""Blanks, a comma that a program left there, and the sign before each text of a sequence (RFC 7464)."""


def _document(text: str, problems: Problems) -> Any:  # noqa: ANN401 - JSON
    """Parse one text, that of the file or of the line of it at which the problems stand."""
    try:
        return json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant)
    except json.JSONDecodeError as wrong:
        row = max(problems.place.row - 1, 0) + wrong.lineno
        cause = f"the file is not valid JSON from line {row}, column {wrong.colno} on: {wrong.msg}."
        remedy = "Something is missing or too much there, often a comma. Export the file again, or correct that line."
        place = replace(problems.place, row=row, column=str(wrong.colno))
        raise problems.at(place).refusal(cause, remedy, "broken_json") from None
    except _DoubledKeyError as wrong:
        cause = f"an object of the file has the member {str(wrong)!r} twice."
        raise problems.refusal(cause, "Remove one of the two.", "doubled_member") from None
    except RecursionError:
        raise _too_deep(problems) from None
    except ValueError as wrong:
        cause = f"the file holds a number that cannot be read ({wrong})."
        raise problems.refusal(cause, "Export it again.", "bad_number") from None


def _too_deep(problems: Problems) -> ProblemsError:
    return problems.refusal("the file is nested deeper than any map is.", "Export the boundaries again.", "too_deep")


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


def _outline(geometry: Any, properties: dict[str, str], problems: Problems) -> Iterator[Outline]:  # noqa: ANN401 - JSON
    if not isinstance(geometry, dict):
        problems.error("the feature has no shape.", "Draw its boundary or remove it.", "no_outline")
        return
    loose = "rings" in geometry
    kind = "Polygon" if loose else _text(geometry.get("type")) or "line, point or curve"
    if kind not in _AREAS:
        remedy = "Export the field's boundary as a polygon."
        problems.error(f"the shape is a {kind}, not an area.", remedy, "not_an_area")
        return
    try:
        coordinates = [[ring] for ring in geometry["rings"]] if loose else geometry["coordinates"]
        polygons = coordinates if loose or kind == "MultiPolygon" else [coordinates]
        read = tuple(tuple(tuple(map(_position, ring)) for ring in polygon) for polygon in polygons)
    except (TypeError, IndexError, KeyError, OverflowError):
        cause = "the coordinates are not lists of pairs of numbers."
        problems.error(cause, "Export the boundary again.", "bad_coordinate")
        return
    yield Outline(problems.place, properties, read, loose)


def _in_degrees(outlines: list[Outline], document: Any, problems: Problems) -> list[Outline]:  # noqa: ANN401 - JSON
    """Bring outlines into degrees where the file names another system, as Esri's and older GeoJSON may."""
    named = (document.get("crs") or document.get("spatialReference")) if isinstance(document, dict) else None
    if not named or not outlines:
        return outlines
    on_globe = all(abs(x) <= 180 and abs(y) <= 90 for each in outlines for x, y in each.points)  # noqa: PLR2004 - the globe
    told = named.get("properties", named) if isinstance(named, dict) else {"name": named}
    codes = [f"{who}:{told[key]}" for key in ("latestWkid", "wkid") if key in told for who in ("EPSG", "ESRI")]
    for text in (*codes, *(told.get(key) for key in ("wkt", "name", "code"))):
        try:
            crs = CRS.from_user_input(text)
            if crs.is_projected is not on_globe:
                by = to_wgs84(crs)
                return [each.moved(partial(moved, by=by)) for each in outlines]
        except (CRSError, ProjError):
            continue
    cause = f"the file says that its coordinates are in {json.dumps(named)[:80]}; they were read as degrees."
    problems.doubt(cause, "Export it in WGS 84 (EPSG:4326).", "other_reference_system")
    return outlines


def read_geojson(data: bytes, problems: Problems) -> list[Outline]:
    """Return every area of GeoJSON or Esri JSON; points, lines and empty features are told, their count the row."""
    document = load_json(data, problems)
    outlines: list[Outline] = []
    try:
        for number, (geometry, properties) in enumerate(_features(document, {}, 0), start=1):
            outlines += _outline(geometry, properties, problems.row(number))
    except RecursionError:
        problems.found.extend(_too_deep(problems).problems)
    return _in_degrees(outlines, document, problems)
