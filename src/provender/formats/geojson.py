"""GeoJSON, and JSON that has GeoJSON features inside it (such as USDA's acreage reports), as outlines."""

import json
from collections.abc import Iterator
from typing import Any, Final

from provender.formats.delimited import decode_text
from provender.formats.geometry import Outline, Position
from provender.formats.parsed import doubt
from provender.problem import Place, Problem

DEEPEST: Final = 60
_AREAS: Final = frozenset({"Polygon", "MultiPolygon"})
_OTHERS: Final = frozenset({"Point", "MultiPoint", "LineString", "MultiLineString"})
_DEGREES: Final = ("CRS84", "EPSG::4326", "EPSG:4326", "EPSG::4269", "EPSG:4269", "CRS83")


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
    """Parse JSON strictly; None and a problem with line and column where it is broken."""
    text, problems = decode_text(data, name)
    if text is None:
        return None, problems
    place = Place(name)
    try:
        return json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant), problems
    except json.JSONDecodeError as wrong:
        cause = f"the file is not valid JSON from line {wrong.lineno}, column {wrong.colno} on: {wrong.msg}."
        remedy = "Something is missing or too much there, often a comma. Export the file again, or correct that line."
        found = Problem(Place(name, row=wrong.lineno, column=str(wrong.colno)), cause, remedy, code="broken_json")
    except _DoubledKeyError as wrong:
        cause = f"an object of the file has the member {str(wrong)!r} twice."
        found = Problem(place, cause, "Remove one of the two.", code="doubled_member")
    except RecursionError:
        cause = "the file is nested deeper than any map is."
        found = Problem(place, cause, "Export the boundaries again.", code="too_deep")
    except ValueError as wrong:
        found = Problem(
            place, f"the file holds a number that cannot be read ({wrong}).", "Export it again.", code="bad_number"
        )
    return None, [*problems, found]


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
        if kind in _AREAS | _OTHERS and "coordinates" in node:
            yield node, context
        elif kind == "Feature" and "geometry" in node:
            properties = node.get("properties")
            around = context | _plain(node) | (_plain(properties) if isinstance(properties, dict) else {})
            if node["geometry"] is None:
                yield None, around
            else:
                yield from _features(node["geometry"], around, depth + 1)
        else:
            around = context | _plain(node)
            for key, each in node.items():
                if key not in ("crs", "bbox", "properties"):
                    yield from _features(each, around, depth + 1)


def _position(raw: Any) -> Position:  # noqa: ANN401 - JSON
    x, y = raw[0], raw[1]
    if isinstance(x, bool) or isinstance(y, bool):
        raise TypeError
    return float(x) if isinstance(x, (int, float)) else _no(), float(y) if isinstance(y, (int, float)) else _no()


def _no() -> float:
    raise TypeError


def _outline(geometry: Any, properties: dict[str, str], place: Place) -> Outline | Problem:  # noqa: ANN401 - JSON
    if geometry is None:
        return Problem(place, "the feature has no shape.", "Draw its boundary or remove it.", code="no_outline")
    if geometry["type"] in _OTHERS:
        cause = f"the shape is a {geometry['type']}, not an area."
        return Problem(place, cause, "Export the field's boundary as a polygon.", code="not_an_area")
    coordinates = geometry["coordinates"]
    polygons = [coordinates] if geometry["type"] == "Polygon" else coordinates
    try:
        read = tuple(tuple(tuple(_position(point) for point in ring) for ring in polygon) for polygon in polygons)
    except (TypeError, IndexError, KeyError, OverflowError):
        cause = "the coordinates are not lists of pairs of numbers."
        return Problem(place, cause, "Export the boundary again.", code="bad_coordinate")
    return Outline(place, properties, read)


def _frame(document: Any, place: Place) -> list[Problem]:  # noqa: ANN401 - JSON
    """Refuse a stated reference system other than degrees; GeoJSON of today has no such member."""
    crs = document.get("crs") if isinstance(document, dict) else None
    text = json.dumps(crs)
    if crs is None or any(each in text for each in _DEGREES):
        return []
    cause = f"the file says that its coordinates are in {text[:80]}."
    return [doubt(place, cause, "Export it in WGS 84 (EPSG:4326).", "other_reference_system")]


def read_geojson(data: bytes, name: str) -> tuple[list[Outline], list[Problem]]:
    """Return every area of a GeoJSON file; points, lines and empty features are problems, their count the row."""
    document, problems = load_json(data, name)
    if document is None:
        return [], problems
    problems += _frame(document, Place(name))
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
    return outlines, problems
