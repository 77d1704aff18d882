"""Field boundaries of drawings and maps: name, outline in WGS 84, geodesic acres, and what is doubtful.

GeoJSON, shapefiles, KML and KMZ, GeoPackage, GeoParquet (fiboa too).
"""

import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from shapely import STRtree, from_geojson, to_geojson, union_all
from shapely.geometry import MultiPolygon, mapping
from shapely.geometry.base import BaseGeometry
from shapely.geometry.polygon import orient

from provender.catalog.counties import find_county
from provender.catalog.county_outlines import county_of_point, outlines_near
from provender.formats.drawings import read_geopackage, read_geoparquet, read_kml
from provender.formats.geojson import read_geojson
from provender.formats.geometry import MOST_VERTICES, Outline, acres_of, build_shape, settle_axes
from provender.formats.parsed import Parsed, doubt, listed, refused
from provender.formats.shapefiles import gather, read_outlines
from provender.formats.sniff import Kind, advice, sniff
from provender.problem import Place, Problem, ProblemsError
from provender.quantity import half_even, parse, show

_NAMES: Final = (
    "unit_id",
    "name",
    "field_name",
    "fieldname",
    "field",
    "label",
    "fld_name",
    "cluidentifier",
    "partname",
)
_CLU: Final = (
    ("farm_number", "farmnbr", "farmnumber"),
    ("tract_number", "tractnbr", "tractnumber"),
    ("clu_number", "clunbr", "fieldnumber"),
)
_ACRES: Final = ("acres", "clu_calculated_acreage", "calcacres", "calc_acres", "originalreportedacreage", "acreage")
_OVERLAP_LEAST: Final = 0.01


@dataclass(frozen=True, slots=True)
class Boundary:
    """One field's boundary.

    Attributes:
        label: the best name the file has for it.
        acres: geodesic area, in thousandths of an acre.
        claimed_acres: what the file itself says, in thousandths, or None.
        geojson: a GeoJSON MultiPolygon, seven decimals, longitude first.
        properties: all the file says of it.
        place: where it stands.
    """

    label: str
    acres: int
    claimed_acres: int | None
    geojson: str
    properties: dict[str, str]
    place: Place


@dataclass(frozen=True, slots=True)
class Boundaries:
    """The boundaries of one file, in its order."""

    fields: tuple[Boundary, ...]


def of_unit(found: Boundaries, unit_id: str, name: str | None) -> tuple[Boundary, ...]:
    """Return which areas of a file are a unit's: those that bear its identifier or name, or all where none does."""
    called = {text.strip().casefold() for text in (unit_id, name) if text and text.strip()}
    own = tuple(one for one in found.fields if one.label.strip().casefold() in called)
    return own or found.fields


def outline_of_unit(found: Boundaries | None, unit_id: str, name: str | None) -> str:
    """Return the outline of a unit out of a file as one GeoJSON geometry; empty where the file has no area."""
    mine = of_unit(found, unit_id, name) if found else ()
    if len(mine) < 2:  # noqa: PLR2004 - one area needs no union
        return mine[0].geojson if mine else ""
    return to_geojson(union_all([from_geojson(one.geojson) for one in mine]))


def compare_acres(measured: int, claimed: int | None, limit_pct: int, place: Place) -> Problem | None:
    """Compare measured with claimed acres (both thousandths); a difference above the limit asks for confirmation.

    Args:
        measured: geodesic acres of the boundary.
        claimed: acres stated; None where nothing is stated, which is no problem here.
        limit_pct: thousandths of a percent of the claimed acres (``boundary_difference_pct_max`` of the rule version).
        place: of the claim.
    """
    if claimed is None or abs(measured - claimed) * 100_000 <= limit_pct * claimed:
        return None
    apart = f"{show(half_even(abs(measured - claimed) * 100_000, claimed), 3)} %" if claimed else "not comparable"
    cause = f"the boundary measures {show(measured)} acres, {show(claimed)} are claimed; they are {apart} apart."
    return doubt(place, cause, "Confirm the acres, or correct the boundary.", "acres_differ")


def _find(properties: dict[str, str], names: tuple[str, ...]) -> str:
    lower = {key.lower(): value for key, value in properties.items()}
    return next((lower[name] for name in names if lower.get(name)), "")


def _label(outline: Outline, number: int) -> str:
    clu = [_find(outline.properties, names) for names in _CLU]
    if all(clu):
        return "-".join(clu)
    return _find(outline.properties, _NAMES) or f"{Path(outline.place.file).stem} {number}"


def _claimed(outline: Outline) -> int | None:
    text = _find(outline.properties, _ACRES)
    if not re.fullmatch(r"\d{1,7}(\.\d*)?", text):
        return None
    return half_even(parse(text, max(3, len(text))), 10 ** (max(3, len(text)) - 3))


def _geojson(shape: MultiPolygon) -> str:
    turned = MultiPolygon([orient(polygon) for polygon in shape.geoms])
    raw = mapping(turned)["coordinates"]
    rounded = [[[[round(x, 7), round(y, 7)] for x, y, *_ in ring] for ring in polygon] for polygon in raw]
    return json.dumps({"type": "MultiPolygon", "coordinates": rounded}, separators=(",", ":"))


def _doubles(fields: list[tuple[Boundary, MultiPolygon]]) -> list[Problem]:
    """Find names used twice and fields that cover the same ground."""
    problems: list[Problem] = []
    counts = Counter(boundary.label for boundary, _ in fields)
    for boundary, _ in fields:
        if counts[boundary.label] > 1:
            cause = f"{counts[boundary.label]} fields of the file are called {boundary.label!r}."
            problems.append(doubt(boundary.place, cause, "Give each its own name.", "doubled_name"))
            counts[boundary.label] = 0
    shapes = [shape for _, shape in fields]
    if len(shapes) < 2:  # noqa: PLR2004 - overlap takes two
        return problems
    for left, right in zip(*STRtree(shapes).query(shapes, predicate="intersects").tolist(), strict=True):
        if left >= right:
            continue
        share = ground_shared(shapes[left], shapes[right])
        if share is not None:
            names = listed([fields[left][0].label, fields[right][0].label])
            cause = f"the fields {names} share ground ({share} % of the smaller)."
            remedy = "Remove the one drawn twice, or correct the line between them."
            problems.append(doubt(fields[right][0].place, cause, remedy, "fields_overlap"))
    return problems


def ground_shared(one: BaseGeometry, other: BaseGeometry) -> int | None:
    """Return how much of the smaller field lies in the other, whole percent; None where a shared line explains it."""
    smaller = min(one.area, other.area)
    shared = one.intersection(other).area
    return round(100 * shared / smaller) if shared > _OVERLAP_LEAST * smaller else None


def build(outlines: list[Outline], name: str) -> Parsed[Boundaries]:
    """Check outlines and measure them; see ``Boundary``."""
    vertices = sum(len(ring) for outline in outlines for polygon in outline.polygons for ring in polygon)
    if vertices > MOST_VERTICES:
        cause = f"the outlines have {vertices} corners; {MOST_VERTICES} are read."
        remedy = "Simplify the outlines, or export fewer fields at a time."
        return refused(Place(name), cause, remedy, "too_many_corners")
    problems: list[Problem] = []
    fields: list[tuple[Boundary, MultiPolygon]] = []
    for number, outline in enumerate(outlines, start=1):
        settled, found = settle_axes(outline)
        problems += found
        if settled is None:
            continue
        shape, found = build_shape(settled)
        problems += found
        if shape is None:
            continue
        acres = acres_of(shape)
        label = _label(outline, number)
        fields.append(
            (Boundary(label, acres, _claimed(outline), _geojson(shape), outline.properties, outline.place), shape)
        )
    problems += _doubles(fields)
    return Parsed(Boundaries(tuple(boundary for boundary, _ in fields)), tuple(problems))


def outlines_in(path: Path, name: str, kind: Kind) -> tuple[list[Outline], list[Problem]]:
    """Return the areas that a file draws, not checked yet, and what is wrong with it."""
    if kind.kind in ("geojson", "acrsi", "json", "delimited", "crop_sequence_geojson") and not kind.inside:
        return read_geojson(path.read_bytes(), name)
    if kind.kind in ("shapefile", "yield_shapefile", "crop_sequence_shapefile"):
        read = [read_outlines(parts) for parts in gather(path, name)]
        return [each for found, _ in read for each in found], [each for _, found in read for each in found]
    reader = _DRAWINGS.get(kind.kind.removeprefix("crop_sequence_"))
    if reader is not None and not (kind.inside and kind.kind != "kml"):
        return reader(path, name)
    told = advice(Kind(kind.kind, kind.label, "", kind.inside), name)
    return [], [told] if told else []


_DRAWINGS: Final = {"kml": read_kml, "geopackage": read_geopackage, "geoparquet": read_geoparquet}


def read_boundaries(path: Path, name: str, *, limit_pct: int = 0) -> Parsed[Boundaries]:
    """Read all field boundaries of a file.

    Args:
        path: GeoJSON, a zip with shapefiles, or the .shp of a loose one.
        name: the name people know it by.
        limit_pct: where above zero, acres the file itself claims are compared (thousandths of a percent).
    """
    try:
        outlines, problems = outlines_in(path, name, sniff(path, name))
    except ProblemsError as trouble:
        return Parsed(None, trouble.problems)
    if not outlines:
        if not problems:
            problems = [
                Problem(Place(name), "the file holds no areas.", "Export the layer of fields.", code="no_fields")
            ]
        return Parsed(None, tuple(problems))
    built = build(outlines, name)
    compared = [
        compare_acres(each.acres, each.claimed_acres, limit_pct, each.place)
        for each in (built.result.fields if built.result and limit_pct else ())
    ]
    result = built.result if built.result and built.result.fields else None
    return Parsed(result, (*problems, *built.problems, *(each for each in compared if each)))


def county_doubts(shape: BaseGeometry, unit_id: str, stated: str, place: Place) -> list[Problem]:
    """Ask where a field crosses a county line, and where its stated county is not near it.

    Args:
        shape: the field in degrees of longitude and latitude.
        unit_id: its name.
        stated: five-digit FIPS code the book gives, or empty where it gives none.
        place: where the field came from.

    Returns:
        No problem, or one or two that a person confirms.
    """
    middle = shape.representative_point()
    found = county_of_point(middle.x, middle.y)
    around = tuple(code for code in (found.fips, *found.near) if code is not None)
    known = outlines_near(middle.x, middle.y)
    shares = {code: round(100 * known[code].intersection(shape).area / shape.area) for code in around}
    crossed = [f"{_name(code)} ({share} %)" for code, share in shares.items() if share]
    problems = []
    if len(crossed) > 1:
        cause = f"{unit_id}: by coarse outlines the boundary lies in {' and '.join(crossed)}."
        remedy = "A unit lies in one county: split it at the line, with the acres and bushels of each part, or confirm."
        problems.append(doubt(place, cause, remedy, "two_counties"))
    if stated and around and stated not in around:
        cause = f"{unit_id}: the book says {_name(stated)}, the boundary lies in {_name(around[0])}."
        problems.append(doubt(place, cause, "Correct county_fips of the unit, or the boundary.", "other_county"))
    return problems


def _name(fips: str) -> str:
    county = find_county(fips)
    return f"county {fips}" if county is None else f"{county.name}, {county.state}"
