"""Field boundaries of drawings and maps: name, outline in WGS 84, geodesic acres, and what is doubtful.

GeoJSON, Esri JSON, shapefiles, KML and KMZ, GeoPackage, GeoParquet (fiboa too).
"""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring
from pyproj import CRS
from pyproj.exceptions import CRSError, ProjError
from shapely import (
    GEOSException,
    STRtree,
    force_2d,
    from_geojson,
    from_wkb,
    orient_polygons,
    to_geojson,
    transform,
    union_all,
)
from shapely.geometry import MultiPolygon, Point, Polygon, mapping
from shapely.geometry.base import BaseGeometry

from provender.catalog.places import county_of_point, find_county, outlines_near
from provender.exact import half_even, parse, show
from provender.formats import geometry
from provender.formats.archive import is_zip, opened
from provender.formats.detect import Kind, advice, content_of, sniff
from provender.formats.geometry import Outline, Position
from provender.formats.parsed import Problems, doubt, reader
from provender.formats.shapefiles import gather, read_outlines
from provender.formats.spreadsheet import decode_text
from provender.formats.units import convert
from provender.problem import Place, Problem, ProblemsError, listed

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from pyproj import Transformer


# Areas out of drawings and map databases: KML and KMZ, GeoPackage, GeoParquet; degrees out.
#
# GeoPackage is read with SQLite, GeoParquet with Polars, geometry with shapely: no library opens a path or an address
# that the file names.

PointRow = tuple[float | None, float | None, Mapping[str, object]]
Rows = Iterator[tuple[int, dict[str, object]]]
_AGAIN: Final = "Export the layer of fields again, as GeoJSON or as a shapefile in a zip."
_HEADER: Final = 8
_ENVELOPES: Final = (0, 32, 48, 48, 64)
_MOST_ROWS: Final = 100_000
_MOST_NEIGHBORS: Final = 500_000


def _read_kml(path: Path, problems: Problems) -> list[Outline]:
    """Read every placemark with an area of a .kml, or of each .kml in a .kmz."""
    if not is_zip(path):
        return list(_kml(path.read_bytes(), problems))
    with opened(path, problems.place.file) as archive:
        members = [each for each in archive.members if each.lower().endswith(".kml")]
        if not members:
            problems.error("the zip holds no .kml.", _AGAIN, "no_fields")
        inside = {each: problems.at(Place(f"{problems.place.file}/{each}")) for each in members}
        return [one for each in members for one in _kml(archive.read(each), inside[each])]


def _kml(content: bytes, problems: Problems) -> Iterator[Outline]:
    try:
        root = _root(content, problems)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as trouble:
        cause = f"the drawing is damaged or not allowed ({type(trouble).__name__}: {trouble})."
        problems.error(cause, _AGAIN, "bad_xml")
        return
    for number, mark in enumerate(_all(root, "Placemark"), start=1):
        here = problems.row(number)
        label = next((each.text or "" for each in mark if _tag(each) == "name"), "").strip()
        try:
            polygons = tuple(_kml_rings(each) for each in _all(mark, "Polygon"))
        except ValueError as wrong:
            cause = f"the corners of {label or 'a placemark'} are not longitude and latitude ({wrong})."
            here.error(cause, _AGAIN, "bad_geometry")
            continue
        if polygons and all(polygons):
            yield Outline(here.place, {"name": label, "id": mark.get("id", ""), **_kml_data(mark)}, polygons)
        else:
            cause = f"{label or 'a placemark'} is no area and was left out."
            here.doubt(cause, "Draw the field as a polygon, if it is one.", "not_an_area")


def _root(content: bytes, problems: Problems) -> "Element":
    """Parse a drawing; prefixes that it uses and does not declare are declared, and its letters told if guessed.

    Raises:
        ParseError, DefusedXmlException: it is damaged, or holds what no drawing needs.
    """
    try:
        return fromstring(content, forbid_dtd=True)
    except ParseError as wrong:
        told = Problems(problems.place)
        try:
            text = decode_text(content, told)
        except ProblemsError:
            raise wrong from None
        head = _KML.search(text)
        if head is None:
            raise
        used = set(_PREFIX.findall(text)) - set(_DECLARED.findall(head[0])) - {"xml", "xmlns"}
        declared = "".join(f' xmlns:{prefix}="urn:{prefix}"' for prefix in sorted(used))
        root = fromstring(f"{text[: head.end(1)]}{declared}{text[head.end(1) :]}", forbid_dtd=True)
        problems.found.extend(told.found)
        return root


_KML: Final = re.compile(r"(<(?:[\w.-]+:)?kml)\b[^>]*")
_PREFIX: Final = re.compile(r"[<\s/]([A-Za-z_][\w.-]*):[\w.-]+(?=[\s=/>])")
_DECLARED: Final = re.compile(r"\sxmlns:([\w.-]+)\s*=")


def _tag(element: "Element") -> str:
    return str(element.tag).rpartition("}")[2]


def _all(root: "Element", tag: str) -> Iterator["Element"]:
    return (each for each in root.iter() if _tag(each) == tag)


def _kml_rings(polygon: "Element") -> tuple[tuple[Position, ...], ...]:
    """Return the rings of a polygon.

    Raises:
        ValueError: a corner is no position.
    """
    found = []
    for border in ("outerBoundaryIs", "innerBoundaryIs"):
        for ring in (each for side in _all(polygon, border) for each in _all(side, "coordinates")):
            text = ring.text or ""
            corners = _corners(text.split())
            if any(len(corner) not in (2, 3) for corner in corners):
                # Google's reference allows no blank within a corner; programs write one behind each comma all the same.
                corners = _corners(re.sub(r"\s*,\s*", ",", text).split())
            if odd := next((corner for corner in corners if len(corner) not in (2, 3)), None):
                raise ValueError(f"{','.join(odd)[:60]!r}")
            found.append(tuple((float(corner[0]), float(corner[1])) for corner in corners))
    return tuple(ring for ring in found if ring)


def _corners(texts: list[str]) -> list[list[str]]:
    return [text.strip(",").split(",") for text in texts if text.strip(",")]


def _kml_data(mark: "Element") -> dict[str, str]:
    found = [each for tag in ("SimpleData", "Data") for each in _all(mark, tag)]
    pairs = ((each.get("name", ""), "".join(each.itertext()).strip()) for each in found)
    return {key: text for key, text in pairs if key and key != "name"}


def _read_geopackage(path: Path, problems: Problems) -> list[Outline]:
    with _sound_package(problems):
        return [
            one
            for told, to_degrees, column, rows in _layers(path, problems)
            for number, values in rows
            for one in _outline(_package_wkb(values.pop(column, None)), values, to_degrees, told.row(number))
        ]
    return []


def package_points(path: Path, problems: Problems) -> list[tuple[Problems, list[PointRow]]]:
    """Return the points of each layer of a GeoPackage with their properties."""
    found: list[tuple[Problems, list[PointRow]]] = []
    with _sound_package(problems):
        for told, to_degrees, column, rows in _layers(path, problems):
            shapes = ((_package_wkb(values.pop(column, None)), values) for _, values in rows)
            found.append((told, [(*_spot(wkb, to_degrees), values) for wkb, values in shapes]))
    return found


@contextmanager
def _sound_package(problems: Problems) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as trouble:
        problems.error(f"the GeoPackage is damaged ({trouble}).", _AGAIN, "bad_geopackage")


def package_headings(path: Path) -> tuple[list[str], list[str]]:
    """Return the columns of all layers of a GeoPackage, and those of the first one with rows if it has points."""
    columns: list[str] = []
    of_points: list[str] = []
    try:
        for _, _, column, rows in _layers(path, Problems(Place(""))):
            for _, values in islice(rows, 1):
                wkb = _package_wkb(values.get(column))
                if not columns and wkb and isinstance(from_wkb(wkb), Point):
                    of_points = [name for name in values if name != column]
                columns += values
    except (sqlite3.Error, GEOSException):
        return columns, []
    return columns, of_points


def _shape_of(content: object, to_degrees: "Transformer | None") -> BaseGeometry | None:
    """Return a shape in degrees; None for no content, and where it is damaged a ``GEOSException`` or what is in it."""
    shape = force_2d(from_wkb(content)) if isinstance(content, bytes) else None
    if shape is None or to_degrees is None:
        return shape
    return transform(shape, to_degrees.transform, interleaved=False)  # type: ignore[arg-type]  # typed for pairs


def _spot(content: bytes | None, to_degrees: "Transformer | None") -> tuple[float | None, float | None]:
    """Return longitude and latitude of a point; None for what is none."""
    with suppress(*_DAMAGED):
        shape = _shape_of(content, to_degrees)
        if isinstance(shape, Point) and not shape.is_empty:
            return shape.x, shape.y
    return None, None


_DAMAGED: Final = (GEOSException, ProjError, ValueError, TypeError)
"""What reading a shape raises."""


def _layers(path: Path, problems: Problems) -> Iterator["tuple[Problems, Transformer | None, str, Rows]"]:
    """Yield each layer: where it is told of, how it becomes degrees, its column of shapes, and its rows.

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
            told = problems.at(replace(problems.place, sheet=str(table)))
            try:
                crs = CRS.from_authority(authority, code) if code and authority.upper() != "NONE" else CRS(definition)
                to_degrees = geometry.to_wgs84(crs)
            except (CRSError, ProjError, AttributeError) as wrong:
                cause = f"the layer does not say which coordinates it uses ({str(wrong)[:120]})."
                told.error(cause, "Export it again in WGS 84.", "bad_crs")
                continue
            yield told, to_degrees, str(column), _layer_rows(package, told)


def _layer_rows(package: sqlite3.Connection, problems: Problems) -> "Rows":
    quoted = '"' + problems.place.sheet.replace('"', '""') + '"'
    rows = package.execute(f"SELECT * FROM {quoted} LIMIT {_MOST_ROWS + 1}")  # noqa: S608 - an identifier, quoted
    names = [str(each[0]) for each in rows.description]
    for number, row in enumerate(rows, start=1):
        if number > _MOST_ROWS:
            _tell_too_many(problems)
            return
        yield number, dict(zip(names, row, strict=True))


def _tell_too_many(problems: Problems) -> None:
    cause = f"the layer has more than {_MOST_ROWS} rows; those behind were not read."
    problems.error(cause, "Clip the layer to your farm, and export it again.", "too_many_rows")


def _package_wkb(content: object) -> bytes | None:
    """Return the geometry behind the header that GeoPackage puts before it."""
    if not isinstance(content, bytes) or content[:2] != b"GP" or len(content) < _HEADER:
        return None
    envelope = content[3] >> 1 & 7
    return content[_HEADER + _ENVELOPES[envelope] :] if envelope < len(_ENVELOPES) else None


def _read_geoparquet(path: Path, problems: Problems) -> Iterator[Outline]:
    """Read the areas of a GeoParquet file, fiboa among them."""
    import polars as pl

    try:
        geo = json.loads(pl.read_parquet_metadata(path).get("geo", "{}"))
        column = str(geo.get("primary_column", "geometry"))
        told = geo.get("columns", {}).get(column, {})
        frame = pl.read_parquet(path, n_rows=_MOST_ROWS + 1)
    except (pl.exceptions.PolarsError, OSError, ValueError, AttributeError) as trouble:
        problems.error(f"the Parquet file is damaged ({str(trouble)[:120]}).", _AGAIN, "bad_parquet")
        return
    if column not in frame.columns or str(told.get("encoding", "WKB")).upper() != "WKB":
        problems.error("the Parquet file holds no column of outlines (GeoParquet, WKB).", _AGAIN, "no_fields")
        return
    try:
        # Without a word on coordinates GeoParquet means longitude and latitude; a null says that nobody knows.
        to_degrees = geometry.to_wgs84(CRS.from_json_dict(told["crs"])) if told.get("crs") else None
    except (CRSError, ProjError, TypeError) as wrong:
        cause = f"the file does not say which coordinates it uses ({str(wrong)[:120]})."
        problems.error(cause, "Export it again in WGS 84.", "bad_crs")
        return
    if frame.height > _MOST_ROWS:
        _tell_too_many(problems)
    for number, values in enumerate(frame.head(_MOST_ROWS).iter_rows(named=True), start=1):
        yield from _outline(values.pop(column), values, to_degrees, problems.row(number))


def _outline(
    wkb: object, values: Mapping[str, object], to_degrees: "Transformer | None", problems: Problems
) -> Iterator[Outline]:
    """Yield the outline of one row, or tell why it has none."""
    try:
        shape = _shape_of(wkb, to_degrees)
    except _DAMAGED as wrong:
        problems.error(f"its outline is damaged ({wrong}).", _AGAIN, "bad_geometry")
        return
    polygons = geometry.rings_of(shape) if isinstance(shape, MultiPolygon | Polygon) else ()
    if polygons:
        properties = {key: str(value) for key, value in values.items() if isinstance(value, str | int | float)}
        yield Outline(problems.place, _with_acres(properties), polygons)
    else:
        cause = f"its shape is {'missing' if shape is None else shape.geom_type.lower()}, not an area."
        problems.error(cause, "Export the layer of field boundaries.", "not_an_area")


def _with_acres(properties: dict[str, str]) -> dict[str, str]:
    """Call an area that fiboa states (``metrics:area``, square metres) acres."""
    try:
        acres = round(convert(Fraction(properties.get("metrics:area", "")), "m2", "acres") * 1000)
    except ValueError:
        return properties
    return {"acres": show(acres), **properties}


_NAMES: Final = ("unitid", "name", "fieldname", "field", "label", "fldname", "cluidentifier", "partname")
_CLU: Final = (
    ("farmnumber", "farmnbr"),
    ("tractnumber", "tractnbr"),
    ("clunumber", "clunbr", "fieldnumber"),
)
_ACRES: Final = ("acres", "clucalculatedacreage", "calcacres", "originalreportedacreage", "acreage")
_OVERLAP_LEAST: Final = 0.01


@dataclass(frozen=True, slots=True)
class Boundary:
    """One field's boundary."""

    label: str  # the best name the file has for it
    acres: int  # geodesic area, in thousandths of an acre
    claimed_acres: int | None  # what the file itself says, in thousandths, or None
    geojson: str  # a GeoJSON MultiPolygon, seven decimals, longitude first
    place: Place  # where it stands


@dataclass(frozen=True, slots=True)
class Boundaries:
    """The boundaries of one file, in its order."""

    fields: tuple[Boundary, ...] = ()


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
    """Compare measured with claimed acres, thousandths; a difference above the limit asks for confirmation.

    ``limit_pct`` is thousandths of a percent of the claim (``boundary_difference_pct_max`` of the rule version).
    """
    if claimed is None or abs(measured - claimed) * 100_000 <= limit_pct * claimed:
        return None
    apart = f"{show(half_even(abs(measured - claimed) * 100_000, claimed), 3)} %" if claimed else "not comparable"
    cause = f"the boundary measures {show(measured)} acres, {show(claimed)} are claimed; they are {apart} apart."
    return doubt(place, cause, "Confirm the acres, or correct the boundary.", "acres_differ")


def _find(properties: dict[str, str], names: tuple[str, ...]) -> str:
    plain = {re.sub(r"[\W_]+", "", key.lower()): value for key, value in properties.items()}
    return next((plain[name] for name in names if plain.get(name)), "")


def _named(outline: Outline) -> str:
    """Return the name that the file has for a field; empty for none."""
    clu = [_find(outline.properties, names) for names in _CLU]
    return "-".join(clu) if all(clu) else _find(outline.properties, _NAMES)


def _labels(outlines: list[Outline]) -> list[str]:
    """Return what each field is called: its name, else its ``id``, else file and number.

    An ``id`` that only counts the fields, or is the same for several, is no name.
    """
    names = [_named(outline) for outline in outlines]
    ids = [_find(outline.properties, ("id",)) for outline in outlines]
    counted = any(ids == [str(at) for at in range(first, first + len(ids))] for first in (0, 1))
    named = {each for each, times in Counter(ids).items() if times == 1 and not counted}
    return [
        name or (own if own in named else "") or f"{Path(outline.place.file).stem} {number}"
        for number, (outline, name, own) in enumerate(zip(outlines, names, ids, strict=True), start=1)
    ]


def _claimed(outline: Outline) -> int | None:
    text = _find(outline.properties, _ACRES)
    if not re.fullmatch(r"\d{1,7}(\.\d*)?", text):
        return None
    return half_even(parse(text, max(3, len(text))), 10 ** (max(3, len(text)) - 3))


def _geojson(shape: MultiPolygon) -> str:
    raw = mapping(orient_polygons(shape))["coordinates"]
    rounded = [[[[round(x, 7), round(y, 7)] for x, y, *_ in ring] for ring in polygon] for polygon in raw]
    return json.dumps({"type": "MultiPolygon", "coordinates": rounded}, separators=(",", ":"))


def _tell_doubles(fields: list[tuple[Boundary, MultiPolygon]], problems: Problems) -> None:
    """Find names used twice and fields that cover the same ground."""
    counts = Counter(boundary.label for boundary, _ in fields)
    for boundary, _ in fields:
        if counts[boundary.label] > 1:
            cause = f"{counts[boundary.label]} fields of the file are called {boundary.label!r}."
            problems.at(boundary.place).doubt(cause, "Give each its own name.", "doubled_name")
            counts[boundary.label] = 0
    shapes = [shape for _, shape in fields]
    tree, looked = STRtree(shapes), 0
    for right, shape in enumerate(shapes):
        for left in tree.query(shape, predicate="intersects").tolist():
            share = ground_shared(shapes[left], shape) if left < right else None
            looked += 1
            if share is not None:
                names = listed([fields[left][0].label, fields[right][0].label])
                cause = f"the fields {names} share ground ({share} % of the smaller)."
                remedy = "Remove the one drawn twice, or correct the line between them."
                problems.at(fields[right][0].place).doubt(cause, remedy, "fields_overlap")
        if looked > _MOST_NEIGHBORS:
            cause = f"the fields meet in more than {_MOST_NEIGHBORS:,} places; those behind were not compared."
            problems.at(fields[right][0].place).doubt(cause, "Export fewer fields at a time.", "fields_overlap")
            return


def ground_shared(one: BaseGeometry, other: BaseGeometry) -> int | None:
    """Return how much of the smaller field lies in the other, whole percent; None where a shared line explains it."""
    smaller = min(one.area, other.area)
    shared = one.intersection(other).area
    return round(100 * shared / smaller) if shared > _OVERLAP_LEAST * smaller else None


def build(outlines: list[Outline], problems: Problems) -> Boundaries:
    """Check outlines and measure them; see ``Boundary``."""
    vertices = sum(len(outline.points) for outline in outlines)
    if vertices > geometry.MOST_VERTICES:
        cause = f"the outlines have {vertices} corners; {geometry.MOST_VERTICES} are read."
        problems.error(cause, "Simplify the outlines, or export fewer fields at a time.", "too_many_corners")
        return Boundaries()
    fields: list[tuple[Boundary, MultiPolygon]] = []
    for outline, label in zip(outlines, _labels(outlines), strict=True):
        here = problems.at(outline.place)
        settled = geometry.settle_axes(outline, here)
        shape = geometry.build_shape(settled, here) if settled else None
        if shape is not None:
            acres = geometry.acres_of(shape)
            fields.append((Boundary(label, acres, _claimed(outline), _geojson(shape), outline.place), shape))
    _tell_doubles(fields, problems)
    return Boundaries(tuple(boundary for boundary, _ in fields))


def outlines_in(path: Path, problems: Problems, kind: Kind) -> list[Outline]:
    """Return the areas that a file draws, not checked yet."""
    name = problems.place.file
    if kind.kind in ("geojson", "esri_json", "acrsi", "json", "delimited", "crop_sequence_geojson"):
        return geometry.read_geojson(*content_of(path, problems, kind.inside))
    if kind.kind in ("shapefile", "yield_shapefile", "crop_sequence_shapefile"):
        return [one for parts in gather(path, name) for one in read_outlines(parts, problems.at(Place(parts.name)))]
    read = _DRAWINGS.get(kind.kind.removeprefix("crop_sequence_"))
    if read is not None and not (kind.inside and kind.kind != "kml"):
        return list(read(path, problems))
    told = advice(replace(kind, reader=""), name)
    problems.found.extend([told] if told else [])
    return []


_DRAWINGS: Final[Mapping[str, Callable[[Path, Problems], Iterable[Outline]]]] = {
    "kml": _read_kml,
    "geopackage": _read_geopackage,
    "geoparquet": _read_geoparquet,
}


@reader
def read_boundaries(path: Path, problems: Problems, *, limit_pct: int = 0) -> Boundaries | None:
    """Read all field boundaries of a file; above zero, ``limit_pct`` has them held against the acres it claims."""
    outlines = outlines_in(path, problems, sniff(path, problems.place.file))
    if not outlines:
        if not problems.found:
            problems.error("the file holds no areas.", "Export the layer of fields.", "no_fields")
        return None
    built = build(outlines, problems)
    for each in built.fields if limit_pct else ():
        apart = compare_acres(each.acres, each.claimed_acres, limit_pct, each.place)
        problems.found.extend([apart] if apart else [])
    return built if built.fields else None


def county_doubts(shape: BaseGeometry, unit_id: str, stated: str, place: Place) -> list[Problem]:
    """Ask where a field, in degrees, crosses a county line, and where its stated county (FIPS code) is not near it."""
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
