"""Crop Sequence Boundaries of USDA-NASS: areas with the code that the Cropland Data Layer gave them year by year.

Columns are those of the published files: ``CSBID``, ``CSBYEARS``, ``CSBACRES``, one ``CDLyyyy`` for each year. A unit
has the history of the area that covers most of it. A table without outlines says the unit in a column of its own, and
of several areas of one unit the largest counts.
"""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Final

from shapely import GEOSException, STRtree, from_geojson
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from provender.catalog.places import NOTHING, land_cover
from provender.days import DayTextError
from provender.formats.boundaries import outlines_in
from provender.formats.detect import sniff
from provender.formats.geometry import Outline
from provender.formats.parsed import MappedRow, MappedTable, Parsed, doubt, note, refused
from provender.formats.spreadsheet import read_spreadsheet
from provender.formats.units import number_out, read_number
from provender.formats.work import polygons_of
from provender.problem import Place, Problem, ProblemsError, listed

TARGET: Final = "crop_history"
Named = tuple[str, Place, dict[str, str]]
"""A row that names its unit: the unit, its place, its columns."""
_SHAPES: Final = frozenset({"wkt", "geometry", "geom", "the_geom", "shape"})
_UNITS: Final = frozenset({"unit_id", "unit", "field", "field_id"})
_YEAR: Final = re.compile(r"cdl((?:19|20)\d\d)", re.IGNORECASE)
_MOST_CODE: Final = 255
_AGAIN: Final = "Clip the layer to your farm, and export it as GeoPackage, GeoParquet, GeoJSON or CSV with WKT."


def read_crop_sequence(path: Path, name: str, *, outlines: Mapping[str, str]) -> Parsed[MappedTable]:
    """Read the crop history of units, whose outlines are GeoJSON."""
    try:
        kind = sniff(path, name)
        if kind.kind == "crop_sequence_csv":
            areas, of_units, problems = _table(path, name)
        else:
            areas, problems = outlines_in(path, name, kind)
            of_units = []
    except ProblemsError as trouble:
        return Parsed(None, trouble.problems)
    named = _largest(of_units, problems)
    rows = [row for unit, place, values in named for row in _years(unit, values, None, place, problems)]
    if areas:
        rows += _laid(areas, outlines, name, problems)
    if not rows and not problems:
        return refused(Place(name), "no area of the file lies on a unit of the book.", _AGAIN, "no_areas")
    return Parsed(MappedTable(name, "", TARGET, tuple(rows)) if rows else None, tuple(problems))


def _table(path: Path, name: str) -> tuple[list[Outline], list[Named], list[Problem]]:
    """Return the areas of a text file with WKT, or the units that it names, with their columns."""
    parsed = read_spreadsheet(path, name)
    problems = list(parsed.problems)
    lines = [line for sheet in parsed.result.sheets for line in sheet.lines] if parsed.result else []
    if not lines:
        return [], [], problems
    headings = [cell.strip().casefold() for cell in lines[0].cells]
    areas: list[Outline] = []
    units: list[Named] = []
    for line in lines[1:]:
        place = Place(name, row=line.number)
        values = {key: line.cell(at).strip() for at, key in enumerate(headings) if key}
        shape = next((values[key] for key in headings if key in _SHAPES and values.get(key)), "")
        unit = next((values[key] for key in headings if key in _UNITS and values.get(key)), "")
        try:
            polygons = polygons_of(shape) if shape else ()
        except GEOSException as wrong:
            cause = f"its outline is damaged ({str(wrong)[:80]})."
            problems.append(Problem(place, cause, _AGAIN, code="bad_geometry"))
            continue
        if polygons:
            areas.append(Outline(place, values, polygons))
        elif unit:
            units.append((unit, place, values))
        else:
            cause = "the row names no unit and has no outline, so nobody can tell where it lies."
            problems.append(Problem(place, cause, _AGAIN, code="no_place"))
    return areas, units, problems


def _largest(units: list[Named], problems: list[Problem]) -> Iterator[Named]:
    """Yield the rows of units; of several of one unit the largest area, as of outlines the one that covers most.

    Where not each of them says its acres, nobody can tell which that is: all stay, and years that differ are told.
    """
    by_unit: dict[str, list[Named]] = {}
    for named in units:
        by_unit.setdefault(" ".join(named[0].casefold().split()), []).append(named)
    for rows in by_unit.values():
        acres = [_acres(values) for _, _, values in rows]
        if len(rows) == 1 or not all(acres):
            yield from rows
            continue
        largest = rows[acres.index(max(acres))]
        yield largest
        unit, place, _ = largest
        cause = f"{len(rows)} rows are areas of {unit}; its history is that of the largest."
        problems.append(note(place, cause, "Nothing, if that area is most of it.", "largest_area"))


def _acres(values: Mapping[str, str]) -> Fraction:
    """Return the acres that an area states; zero where it states none."""
    try:
        return read_number(values.get("csbacres", ""))
    except DayTextError:
        return Fraction(0)


def _laid(
    areas: list[Outline], outlines: Mapping[str, str], name: str, problems: list[Problem]
) -> Iterator[MappedRow]:  # fmt: skip
    """Yield the years of the area that covers most of each unit; a unit on which none lies is told."""
    shapes = [_shape(area) for area in areas]
    tree = STRtree(shapes)
    bare = []
    for unit, text in sorted(outlines.items()):
        own = from_geojson(text).buffer(0)
        shared = {int(at): own.intersection(shapes[at]).area for at in tree.query(own)}
        most = max(shared, key=lambda at: (shared[at], -at), default=None)
        if most is None or not shared[most]:
            bare.append(unit)
            continue
        share = min(Fraction(shared[most]) / Fraction(own.area), Fraction(1))
        yield from _years(unit, areas[most].properties, share, areas[most].place, problems)
    if bare:
        cause = f"no area of the file lies on {listed(bare)}."
        problems.append(note(Place(name), cause, "Nothing, if the file is of other land.", "unit_without_history"))


def _shape(area: Outline) -> BaseGeometry:
    """Return an area for laying over units; one that is no sound polygon is mended, since only its most part counts."""
    polygons = [Polygon(rings[0], rings[1:]) for rings in area.polygons if len(rings[0]) > 3]  # noqa: PLR2004 - closed
    return MultiPolygon(polygons).buffer(0)


def _years(
    unit: str, values: Mapping[str, str], share: Fraction | None, place: Place, problems: list[Problem]
) -> Iterator[MappedRow]:
    """Yield one row for each year that has a code; a code that is none is told."""
    for column in sorted(values):
        found = _YEAR.fullmatch(column)
        if found is None or not values[column]:
            continue
        code = re.fullmatch(r"(\d{1,3})(?:\.0+)?", values[column])
        cover = land_cover(int(code[1])) if code and int(code[1]) <= _MOST_CODE else None
        if cover is None or cover.cover == NOTHING:
            cause = f"{column} of {unit} is {values[column][:20]!r}, which says nothing of that year."
            problems.append(doubt(place, cause, "Nothing to do: that year stays out.", "no_code"))
            continue
        shown = {} if share is None else {"share_pct": number_out(share * 100)[0]}
        row = {"unit_id": unit, "year": found[1], "code": str(cover.code), "cover": cover.name, **shown}
        yield MappedRow(place.row, row)
