"""Shapefiles, zipped or loose: the parts of one name brought together, shapes and attributes, degrees out.

Only pyshp (pure Python) touches the bytes, and always through memory: given a name it would follow addresses.
"""

import codecs
import glob
import io
import re
import struct
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, Final

import shapefile
from pyproj import CRS, Transformer
from pyproj.exceptions import CRSError, ProjError

from provender.formats.archive import is_zip, opened
from provender.formats.geometry import Outline, in_united_states, moved, to_wgs84
from provender.formats.parsed import Problems
from provender.problem import Place, ProblemsError

BROKEN: Final = (
    *(shapefile.ShapefileException, struct.error, ValueError, LookupError, EOFError, OSError, TypeError),
    *(AssertionError, AttributeError, ArithmeticError, Warning),
)
_PARTS: Final = ("dbf", "prj", "cpg")
_AREA_TYPES: Final = frozenset({5, 15, 25})


@dataclass(frozen=True, slots=True)
class Parts:
    """The bytes of one shapefile; a part that is absent is None."""

    name: str  # what to call it in problems
    shp: bytes
    dbf: bytes | None = None
    prj: bytes | None = None
    cpg: bytes | None = None

    def open(self) -> shapefile.Reader:
        """Open it in memory, without its index (.shx), which only repeats what the shapes say and may contradict them.

        Raises:
            any of ``BROKEN``: it is damaged.
        """
        files = {key: io.BytesIO(part) for key, part in (("shp", self.shp), ("dbf", self.dbf)) if part is not None}
        encoding = letters_of(self, Problems(Place(self.name)))
        # A name that fills its column may end within a letter of UTF-8.
        errors = "ignore" if encoding == _UTF8 else "replace"
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # the library only warns when a file contradicts its own heading
            return shapefile.Reader(**files, encoding=encoding, encodingErrors=errors)


# The code page of a table: what a .cpg beside it says, else a byte of its head, else the letters themselves.

_UTF8: Final = "utf-8"
_WINDOWS: Final = "cp1252"
_DOS: Final = "cp850"
_BY_BYTE: Final = dict(chain.from_iterable(
    [(byte, page) for byte in found] for page, found in {
        "cp437": (1, 9, 11, 13, 15, 17, 21, 24, 25, 27), _DOS: (2, 10, 14, 16, 18, 20, 22, 26, 29, 37, 55),
        _WINDOWS: (3, 87, 88, 89), "mac_roman": (4,), "cp852": (31, 34, 35, 64, 100, 135), "cp860": (36,),
        "cp861": (103,), "cp863": (28, 108), "cp865": (8, 23, 102), "cp866": (38, 101), "cp737": (106, 134),
        "cp857": (107, 136), "cp874": (80, 124), "cp932": (19, 123), "cp936": (77, 122), "cp949": (78, 121),
        "cp950": (79, 120), "cp1250": (200,), "cp1251": (201,), "cp1253": (203,), "cp1254": (202,), "cp1257": (204,),
    }.items()
))  # fmt: skip
"""Code pages by the language driver (byte 29) of a .dbf, as Esri and GDAL read it; 87 is a computer's own."""
_LANGUAGE: Final = 29
_SEVERAL_BYTES: Final = frozenset({"cp932", "shift_jis", "gbk", "gb2312", "cp949", "euc_kr", "cp950", "big5"})
_AMIDST: Final = re.compile(r"(?<=[^\W\d_])[^\w\s\x00-\x7f\u2019\u2013\u2014\xb7](?=[^\W\d_])")
"""A sign between two letters where none belongs: what letters of DOS become under Windows."""


def letters_of(parts: Parts, problems: Problems) -> str:
    """Return the encoding of a table's texts; it is asked where neither the file nor its letters tell it."""
    stated = _stated(parts)
    cells = set(_beyond_ascii(parts.dbf or b""))
    texts = [cell for cell, _ in cells]
    if stated not in _SEVERAL_BYTES and all(_is_utf8(cell, whole=whole) for cell, whole in cells):
        return _UTF8
    if stated and stated != _UTF8 and _decoded(texts, stated) is not None:
        return stated
    windows = _decoded(texts, _WINDOWS)
    guess = _DOS if windows is None or any(_AMIDST.search(each) for each in windows) else _WINDOWS
    shown = min(_decoded(texts, guess) or [""]).strip(" \x00")
    cause = f"the file does not say in which code page its names are written; they were read as {guess}: {shown!r}."
    if stated:
        cause = f"the names are not written in {stated}, as the file says; they were read as {guess}: {shown!r}."
    remedy = "Check the names, or put a .cpg file that names the code page into the zip."
    problems.doubt(cause, remedy, "letters_guessed")
    return guess


def _stated(parts: Parts) -> str:
    """Return the code page that the file states; empty for none, or none that is known."""
    told = (parts.cpg or b"").decode("ascii", "replace").strip(" \r\n\t\x00").lower()
    plain = re.sub(r"^(?:ansi|oem|windows|cp|ibm)[ _-]*(?=\d)", "", told)
    if iso := re.fullmatch(r"(?:iso)?[ _-]*8859[ _-]*(\d{1,2})", plain):
        plain = f"iso8859-{iso[1]}"
    elif plain.isdigit():
        plain = _UTF8 if plain == "65001" else f"cp{plain}"
    by_byte = _BY_BYTE.get(parts.dbf[_LANGUAGE], "") if parts.dbf and len(parts.dbf) > _LANGUAGE else ""
    for name in (plain, by_byte):
        try:
            if name and "a".encode(name) == b"a":
                return codecs.lookup(name).name
        except LookupError:
            continue
    return ""


def _beyond_ascii(table: bytes) -> Iterator[tuple[bytes, bool]]:
    """Yield the texts of a table that hold more than ASCII, and whether they fill their column."""
    if len(table) < _ENTRY:
        return
    count, head, size = struct.unpack_from("<IHH", table, 4)
    if table[head:].isascii():
        return
    columns, at = [], 1
    for entry in (table[start : start + _ENTRY] for start in range(_ENTRY, min(head, len(table)) - 1, _ENTRY)):
        if len(entry) < _ENTRY or entry[:1] == b"\r":
            break
        columns += [(at, at + entry[16])] if entry[11:12] == b"C" else []
        at += entry[16]
    for row in range(head, min(head + count * size, len(table)), size or 1):
        if not table[row : row + size].isascii():
            for first, last in columns:
                cell = table[row + first : row + last]
                if not cell.isascii():
                    yield cell.rstrip(b" \x00"), cell[-1:] not in (b" ", b"\x00")


_ENTRY: Final = 32


def _is_utf8(cell: bytes, *, whole: bool) -> bool:
    try:
        codecs.getincrementaldecoder(_UTF8)().decode(cell, final=not whole)
    except UnicodeDecodeError:
        return False
    return True


def _decoded(cells: Iterable[bytes], encoding: str) -> list[str] | None:
    try:
        return [cell.decode(encoding) for cell in cells]
    except UnicodeDecodeError:
        return None


def gather(path: Path, name: str) -> list[Parts]:
    """Return every shapefile of a zip (one inner zip deep), or the loose one that ``path`` is a part of."""
    if is_zip(path):
        return _from_zip(path, name, 1)
    siblings = {each.suffix.lower().lstrip("."): each for each in path.parent.glob(f"{glob.escape(path.stem)}.*")}
    beside = {key: siblings[key].read_bytes() for key in _PARTS if key in siblings}
    return [Parts(name, path.read_bytes(), **beside)]


def _from_zip(source: Path | bytes, name: str, deep: int) -> list[Parts]:
    found: list[Parts] = []
    with opened(source, name) as archive:
        by_lower = {member.lower(): member for member in archive.members}
        for lower, member in by_lower.items():
            if lower.endswith(".shp"):
                parts = {key: by_lower[lower[:-3] + key] for key in _PARTS if lower[:-3] + key in by_lower}
                beside = {key: archive.read(each) for key, each in parts.items()}
                found.append(Parts(f"{name}/{member}", archive.read(member), **beside))
            elif lower.endswith(".zip") and deep == 1:
                found += _from_zip(archive.read(member), f"{name}/{member}", 2)
    return found


def to_degrees(parts: Parts, box: Sequence[float], problems: Problems) -> Transformer | None:
    """Return how to bring coordinates into WGS 84; None where they are there, or seem to be.

    Raises:
        ProblemsError: nobody can tell what they mean.
    """
    if parts.prj is None:
        west, south, east, north = box
        if not in_united_states([(west, south), (east, north)]):
            cause = (
                f"there is no .prj file, and ({west:g}, {south:g}) is no longitude and latitude in the United States."
            )
            raise problems.refusal(cause, "Add the .prj file that belongs to the shapefile to the zip.", "no_prj")
        cause = "there is no .prj file; the coordinates fit longitude and latitude (WGS 84) and were read as such."
        problems.doubt(cause, "Confirm, or add the .prj file to the zip.", "assumed_wgs84")
        return None
    try:
        return to_wgs84(CRS.from_wkt(parts.prj.decode("utf-8", "replace").strip().strip("\x00")))
    except (CRSError, ProjError) as wrong:
        cause = f"the .prj file does not say which coordinates are used ({str(wrong)[:120]})."
        raise problems.refusal(cause, "Export the shapefile again in WGS 84.", "bad_prj") from None


def _outline(shape: shapefile.Shape, record: Any, by: Transformer | None, problems: Problems) -> Iterator[Outline]:  # noqa: ANN401 - pyshp
    if shape.shapeType not in _AREA_TYPES or not shape.points:
        cause = f"the shape is {shape.shapeTypeName.lower()}, not an area."
        problems.error(cause, "Export the layer of field boundaries.", "not_an_area")
        return
    raw = record.as_dict() if record is not None else {}
    properties = {key: "" if value is None else str(value).strip() for key, value in raw.items()}
    ends = [*shape.parts, len(shape.points)]
    rings = ([(float(x), float(y)) for x, y, *_ in shape.points[first:last]] for first, last in pairwise(ends))
    yield Outline(problems.place, properties, tuple((moved(ring, by),) for ring in rings), loose=True)


AGAIN: Final = "Export the shapefile again, and put all its parts in one zip."


def read_outlines(parts: Parts, problems: Problems) -> Iterator[Outline]:
    """Yield the areas of one shapefile in WGS 84 degrees; what cannot be read is named and counted."""
    done = 0
    try:
        reader = parts.open()
        if reader.shapeType not in _AREA_TYPES:
            cause = f"the shapefile holds {reader.shapeTypeName.lower()} shapes, not areas."
            problems.error(cause, "Export the layer of field boundaries.", "not_an_area")
            return
        transform = to_degrees(parts, reader.bbox, problems)
        letters_of(parts, problems)
        rows = len(reader) if parts.dbf is not None else 0
        if parts.dbf is None:
            problems.doubt("the .dbf part is missing, so fields have no names.", AGAIN, "no_dbf")
        for index, shape in enumerate(reader.iterShapes()):
            record = reader.record(index) if index < rows else None
            yield from _outline(shape, record, transform, problems.row(index + 1))
            done = index + 1
        if parts.dbf is not None and rows != done:
            cause = f"there are {done} shapes and {rows} rows of attributes; they may not belong together."
            problems.error(cause, AGAIN, "bad_shapefile")
    except ProblemsError as trouble:
        problems.found.extend(trouble.problems)
    except (*BROKEN, ProjError) as wrong:
        cause = f"the shapefile is damaged after shape {done} ({type(wrong).__name__}: {str(wrong)[:100]})."
        problems.error(cause, AGAIN, "bad_shapefile")
