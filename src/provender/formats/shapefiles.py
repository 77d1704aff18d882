"""Shapefiles, zipped or loose: the parts of one name brought together, shapes and attributes, degrees out.

Only pyshp (pure Python) touches the bytes, and always through memory: given a name it would follow addresses.
"""

import io
import struct
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import shapefile
from pyproj import CRS, Transformer
from pyproj.exceptions import CRSError, ProjError

from provender.formats.archive import is_zip, opened
from provender.formats.geometry import Outline, Position, in_united_states
from provender.formats.parsed import doubt
from provender.problem import Place, Problem

BROKEN: Final = (
    *(shapefile.ShapefileException, struct.error, ValueError, LookupError, EOFError, OSError, TypeError),
    *(AssertionError, AttributeError, ArithmeticError, Warning),
)
_PARTS: Final[tuple[str, ...]] = ("shp", "shx", "dbf", "prj", "cpg")
_AREA_TYPES: Final = frozenset({5, 15, 25})


@dataclass(frozen=True, slots=True)
class Parts:
    """The bytes of one shapefile; a part that is absent is None."""

    name: str  # what to call it in problems
    shp: bytes
    shx: bytes | None
    dbf: bytes | None
    prj: bytes | None
    cpg: bytes | None

    @property
    def encoding(self) -> str:
        """Return the encoding its .cpg states, else UTF-8."""
        stated = (self.cpg or b"").decode("ascii", "replace").strip().lower()
        if stated.isdigit():
            return f"cp{stated}"
        return stated.removeprefix("ansi ") or "utf-8"

    def open(self) -> shapefile.Reader:
        """Open it in memory, without its index (.shx), which only repeats what the shapes say and may contradict them.

        Raises:
            any of ``BROKEN``: it is damaged.
        """
        files = {key: io.BytesIO(part) for key, part in (("shp", self.shp), ("dbf", self.dbf)) if part is not None}
        try:
            "".encode(self.encoding)
            encoding = self.encoding
        except LookupError:
            encoding = "cp1252"
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # the library only warns when a file contradicts its own heading
            return shapefile.Reader(**files, encoding=encoding, encodingErrors="replace")


def gather(path: Path, name: str) -> list[Parts]:
    """Return every shapefile of a zip (one inner zip deep), or the loose one that ``path`` is a part of.

    Raises:
        ProblemsError: the zip is damaged or hostile.
    """
    if is_zip(path):
        return _from_zip(path, name, 1)
    siblings = {each.suffix.lower().lstrip("."): each for each in path.parent.glob(f"{_escaped(path.stem)}.*")}
    return [
        _parts(
            name, {key: siblings[key].read_bytes() for key in _PARTS if key in siblings} | {"shp": path.read_bytes()}
        )
    ]


def _escaped(stem: str) -> str:
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in stem)


def _parts(name: str, found: dict[str, bytes]) -> Parts:
    return Parts(name, found["shp"], *(found.get(key) for key in _PARTS[1:]))


def _from_zip(source: Path | bytes, name: str, deep: int) -> list[Parts]:
    found: list[Parts] = []
    with opened(source, name) as archive:
        by_lower = {member.lower(): member for member in archive.members}
        for lower, member in by_lower.items():
            if lower.endswith(".shp"):
                parts = {key: by_lower[lower[:-3] + key] for key in _PARTS if lower[:-3] + key in by_lower}
                inside = {key: archive.read(each) for key, each in parts.items()}
                found.append(_parts(f"{name}/{member}", inside))
            elif lower.endswith(".zip") and deep == 1:
                found += _from_zip(archive.read(member), f"{name}/{member}", 2)
    return found


def to_degrees(parts: Parts, box: tuple[float, float, float, float]) -> tuple[Transformer | None, list[Problem], bool]:
    """Return how to bring coordinates into WGS 84, what is doubtful about it, and whether they can be used at all."""
    place = Place(parts.name)
    if parts.prj is None:
        west, south, east, north = box
        if in_united_states([(west, south), (east, north)]):
            cause = "there is no .prj file; the coordinates fit longitude and latitude (WGS 84) and were read as such."
            return None, [doubt(place, cause, "Confirm, or add the .prj file to the zip.", "assumed_wgs84")], True
        cause = f"there is no .prj file, and ({west:g}, {south:g}) is no longitude and latitude in the United States."
        remedy = "Add the .prj file that belongs to the shapefile to the zip."
        return None, [Problem(place, cause, remedy, code="no_prj")], False
    try:
        crs = CRS.from_wkt(parts.prj.decode("utf-8", "replace").strip().strip("\x00"))
        return Transformer.from_crs(crs, CRS.from_epsg(4326), always_xy=True), [], True
    except (CRSError, ProjError) as wrong:
        cause = f"the .prj file does not say which coordinates are used ({str(wrong)[:120]})."
        return None, [Problem(place, cause, "Export the shapefile again in WGS 84.", code="bad_prj")], False


def _rings(shape: shapefile.Shape, transform: Transformer | None) -> Iterator[list[list[Position]]]:
    interface = shape.__geo_interface__
    coordinates = interface["coordinates"]
    for polygon in [coordinates] if interface["type"] == "Polygon" else coordinates:
        rings: list[list[Position]] = []
        for ring in polygon:
            points = [(float(point[0]), float(point[1])) for point in ring]
            if transform is not None:
                xs, ys = transform.transform([x for x, _ in points], [y for _, y in points])
                points = list(zip(xs, ys, strict=True))
            rings.append(points)
        yield rings


def _outline(shape: shapefile.Shape, record: Any, place: Place, transform: Transformer | None) -> Outline | Problem:  # noqa: ANN401 - pyshp
    if shape.shapeType not in _AREA_TYPES or not shape.points:
        cause = f"the shape is {shape.shapeTypeName.lower()}, not an area."
        return Problem(place, cause, "Export the layer of field boundaries.", code="not_an_area")
    raw = record.as_dict() if record is not None else {}
    properties = {key: "" if value is None else str(value).strip() for key, value in raw.items()}
    polygons = tuple(tuple(tuple(ring) for ring in rings) for rings in _rings(shape, transform))
    return Outline(place, properties, polygons)


@dataclass(slots=True)
class _Work:
    """One shapefile being read."""

    parts: Parts
    outlines: list[Outline] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    done: int = 0

    def tell(self, cause: str, remedy: str, code: str) -> None:
        self.problems.append(Problem(Place(self.parts.name), cause, remedy, code=code))

    def read(self) -> None:
        """Read it.

        Raises:
            any of ``BROKEN``: it is damaged; what was read before stays.
        """
        reader = self.parts.open()
        if reader.shapeType not in _AREA_TYPES:
            cause = f"the shapefile holds {reader.shapeTypeName.lower()} shapes, not areas."
            self.tell(cause, "Export the layer of field boundaries.", "not_an_area")
            return
        transform, self.problems, usable = to_degrees(self.parts, tuple(reader.bbox))
        if not usable:
            return
        rows = len(reader) if self.parts.dbf is not None else 0
        if self.parts.dbf is None:
            cause = "the .dbf part is missing, so fields have no names."
            self.problems.append(doubt(Place(self.parts.name), cause, _AGAIN, "no_dbf"))
        for index, shape in enumerate(reader.iterShapes()):
            record = reader.record(index) if index < rows else None
            found = _outline(shape, record, Place(self.parts.name, row=index + 1), transform)
            if isinstance(found, Outline):
                self.outlines.append(found)
            else:
                self.problems.append(found)
            self.done = index + 1
        if self.parts.dbf is not None and rows != self.done:
            cause = f"there are {self.done} shapes and {rows} rows of attributes; they may not belong together."
            self.tell(cause, _AGAIN, "bad_shapefile")


_AGAIN: Final = "Export the shapefile again, and put all its parts in one zip."


def read_outlines(parts: Parts) -> tuple[list[Outline], list[Problem]]:
    """Return the areas of one shapefile in WGS 84 degrees; what cannot be read is named and counted."""
    work = _Work(parts)
    try:
        work.read()
    except (*BROKEN, ProjError) as wrong:
        cause = f"the shapefile is damaged after shape {work.done} ({type(wrong).__name__}: {str(wrong)[:100]})."
        work.tell(cause, _AGAIN, "bad_shapefile")
    return work.outlines, work.problems
