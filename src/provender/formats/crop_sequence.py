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

from shapely import STRtree, from_geojson
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from provender.catalog.places import NOTHING, land_cover
from provender.days import DayTextError
from provender.formats.boundaries import outlines_in
from provender.formats.detect import sniff
from provender.formats.geometry import Outline
from provender.formats.parsed import MappedRow, MappedTable, Problems, reader
from provender.formats.spreadsheet import read_spreadsheet
from provender.formats.units import number_out, read_number
from provender.formats.work import polygons_of
from provender.problem import listed

_TARGET: Final = "crop_history"
Named = tuple[str, int, dict[str, str]]
"""A row that names its unit: the unit, the row's number, its columns."""
_SHAPES: Final = frozenset({"wkt", "geometry", "geom", "the_geom", "shape"})
_UNITS: Final = frozenset({"unit_id", "unit", "field", "field_id"})
_YEAR: Final = re.compile(r"cdl((?:19|20)\d\d)", re.IGNORECASE)
_MOST_CODE: Final = 255
_AGAIN: Final = "Clip the layer to your farm, and export it as GeoPackage, GeoParquet, GeoJSON or CSV with WKT."


@reader
def read_crop_sequence(path: Path, problems: Problems, *, outlines: Mapping[str, str]) -> MappedTable | None:
    """Read the crop history of units, whose outlines are GeoJSON."""
    name = problems.place.file
    kind = sniff(path, name)
    if kind.kind == "crop_sequence_csv":
        areas, of_units = _table(path, problems)
    else:
        areas, of_units = outlines_in(path, problems, kind), []
    named = list(_largest(of_units, problems))
    rows = [row for unit, at, values in named for row in _years(unit, values, None, problems.row(at))]
    if areas:
        rows += _laid(areas, outlines, problems)
    if not rows and not problems.found:
        raise problems.refusal("no area of the file lies on a unit of the book.", _AGAIN, "no_areas")
    return MappedTable(name, "", _TARGET, tuple(rows)) if rows else None


def _table(path: Path, problems: Problems) -> tuple[list[Outline], list[Named]]:
    """Return the areas of a text file with WKT, or the units that it names, with their columns."""
    parsed = read_spreadsheet(path, problems.place.file)
    problems.found.extend(parsed.problems)
    lines = [line for sheet in parsed.result.sheets for line in sheet.lines] if parsed.result else []
    headings = [cell.strip().casefold() for line in lines[:1] for cell in line.cells]
    areas: list[Outline] = []
    units: list[Named] = []
    for line in lines[1:]:
        here = problems.row(line.number)
        values = {key: line.cell(at).strip() for at, key in enumerate(headings) if key}
        shape = next((values[key] for key in headings if key in _SHAPES and values.get(key)), "")
        unit = next((values[key] for key in headings if key in _UNITS and values.get(key)), "")
        polygons = polygons_of(shape, "its outline", _AGAIN, here) if shape else ()
        if polygons:
            areas.append(Outline(here.place, values, polygons))
        elif unit and polygons is not None:
            units.append((unit, line.number, values))
        elif polygons is not None:
            cause = "the row names no unit and has no outline, so nobody can tell where it lies."
            here.error(cause, _AGAIN, "no_place")
    return areas, units


def _largest(units: list[Named], problems: Problems) -> Iterator[Named]:
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
        unit, at, _ = largest
        cause = f"{len(rows)} rows are areas of {unit}; its history is that of the largest."
        problems.row(at).note(cause, "Nothing, if that area is most of it.", "largest_area")


def _acres(values: Mapping[str, str]) -> Fraction:
    """Return the acres that an area states; zero where it states none."""
    try:
        return read_number(values.get("csbacres", ""))
    except DayTextError:
        return Fraction(0)


def _laid(areas: list[Outline], outlines: Mapping[str, str], problems: Problems) -> Iterator[MappedRow]:
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
        yield from _years(unit, areas[most].properties, share, problems.at(areas[most].place))
    if bare:
        cause = f"no area of the file lies on {listed(bare)}."
        problems.note(cause, "Nothing, if the file is of other land.", "unit_without_history")


def _shape(area: Outline) -> BaseGeometry:
    """Return an area for laying over units; one that is no sound polygon is mended, since only its most part counts."""
    polygons = [Polygon(rings[0], rings[1:]) for rings in area.polygons if len(rings[0]) > 3]  # noqa: PLR2004 - closed
    return MultiPolygon(polygons).buffer(0)


def _years(unit: str, values: Mapping[str, str], share: Fraction | None, problems: Problems) -> Iterator[MappedRow]:
    """Yield one row for each year that has a code; a code that is none is told."""
    for column in sorted(values):
        found = _YEAR.fullmatch(column)
        if found is None or not values[column]:
            continue
        code = re.fullmatch(r"(\d{1,3})(?:\.0+)?", values[column])
        cover = land_cover(int(code[1])) if code and int(code[1]) <= _MOST_CODE else None
        if cover is None or cover.cover == NOTHING:
            cause = f"{column} of {unit} is {values[column][:20]!r}, which says nothing of that year."
            problems.doubt(cause, "Nothing to do: that year stays out.", "no_code")
            continue
        shown = {} if share is None else {"share_pct": number_out(share * 100)[0]}
        row = {"unit_id": unit, "year": found[1], "code": str(cover.code), "cover": cover.name, **shown}
        yield MappedRow(problems.place.row, row)
