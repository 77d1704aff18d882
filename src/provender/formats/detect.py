"""What a file is, told by its content, name and layout; and what the records beside an ADAPT data set measured."""

import codecs
import csv
import io
import json
import logging
import re
import struct
import tomllib
import warnings
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from provender.formats.archive import OLE_MAGIC, ZIP_MAGIC, Archive, opened
from provender.formats.marked_up import is_excel_xml, is_html
from provender.formats.parsed import Problems, reader
from provender.formats.point_columns import LABELS, Layer, columns_of, layer_of
from provender.formats.spreadsheet import DELIMITERS, LEFT_OVER, guess_delimiter, is_left_over, is_web_archive
from provender.problem import Place, Problem, Weight

if TYPE_CHECKING:
    import polars as pl


# The records beside a data set of the ADAPT Standard: what was measured from place to place, as GeoParquet or GeoTIFF.
#
# Of each variable the mean is taken, or the sum where it is a total. Cells of a raster are alike in size, so that their
# mean is that of the area; a cell that holds nothing, zero or less was not worked.

NAME: Final = "adapt.json"
PARQUET: Final = ".parquet"
TIFF: Final = (".tif", ".tiff")
ENDINGS: Final = (PARQUET, *TIFF)
MEANT: Final = {
    "TillageDepthActual": "m", "SeedingDepthActual": "m", "ApplicationDepthActual": "m", "Width": "m", "Speed": "m/s",
    "AppliedVolumePerAreaActual": "l/ha", "AppliedMassPerAreaActual": "kg/ha", "CommodityMoisture": "pct",
}  # fmt: skip
"""Data types of which a mean is taken, with the unit of the standard."""
SUMMED: Final = ("YieldTotalWetMass", "YieldTotalDryMass")
_DECIMALS: Final = 9
"""Of the measured numbers: more is noise of the binary numbers in which the files hold them."""
_MOST_ROWS: Final = 5_000_000
_MOST_CELLS: Final = 20_000_000
"""Of all bands together: a field of 200 acres has three million of a foot and a half."""

Item = Mapping[str, Any]


def _is_part(path: Path) -> bool:
    """Tell whether a file is records that the ``adapt.json`` beside it names, in letters or escaped."""
    if path.suffix.lower() not in ENDINGS:
        return False
    try:
        document = (path.parent / NAME).read_bytes()
    except OSError:
        return False
    names = {json.dumps(path.name, ensure_ascii=ascii_only).encode() for ascii_only in (True, False)}
    return b'"spatialRecordsFile"' in document and any(name in document for name in names)


class DamagedRecordsError(Exception):
    """A file of records cannot be read; its text says why."""


def measured_in(
    file: str, held: Path | bytes, variables: Sequence[tuple[Item, str]]
) -> list[tuple[Item, str, Fraction]]:
    """Return of each variable that a file holds its data type and what was measured, in the unit of the standard.

    Raises:
        DamagedRecordsError: the file cannot be read.
    """
    wanted = [(each, code) for each, code in variables if code in MEANT or code in SUMMED]
    of = _in_bands if file.lower().endswith(TIFF) else _in_columns
    found = []
    for each, code, series in of(held, wanted):
        values = series.drop_nulls()
        values = values.filter(values.is_finite() & (values > 0))
        if values.len():
            found.append((each, code, _exact_sum(values) / (1 if code in SUMMED else values.len())))
    return found


def _exact_sum(values: "pl.Series") -> Fraction:
    import polars as pl

    try:
        exact = values.cast(pl.Decimal(38, _DECIMALS)).to_physical().cast(pl.Int128).sum()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as trouble:
        raise DamagedRecordsError(str(trouble)) from None
    return Fraction(int(exact), 10**_DECIMALS)


def _in_columns(held: Path | bytes, variables: Iterable[tuple[Item, str]]) -> Iterator[tuple[Item, str, "pl.Series"]]:
    import polars as pl

    try:
        frame = pl.read_parquet(io.BytesIO(held) if isinstance(held, bytes) else held, n_rows=_MOST_ROWS)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, ArithmeticError) as trouble:
        raise DamagedRecordsError(str(trouble)) from None
    for each, code in variables:
        column = str(each.get("geoParquetColumnName"))
        if column in frame.columns and frame[column].dtype.is_numeric():
            yield each, code, frame[column]


def _in_bands(held: Path | bytes, variables: Iterable[tuple[Item, str]]) -> Iterator[tuple[Item, str, "pl.Series"]]:
    bands = _bands(held)
    for each, code in variables:
        at = each.get("geoTIFFBandIndex")
        if isinstance(at, int) and 1 <= at <= len(bands):
            yield each, code, bands[at - 1]


def _bands(held: Path | bytes) -> "list[pl.Series]":
    """Return the bands of the first image of a GeoTIFF, cell by cell; cells that are said to hold nothing are null.

    Raises:
        DamagedRecordsError: it is damaged, packed in a way that cannot be read here, or too large.
    """
    import polars as pl
    import tifffile

    logging.getLogger("tifffile").disabled = True  # it would write on the terminal what is told in our own words
    with ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        try:
            file = stack.enter_context(tifffile.TiffFile(io.BytesIO(held) if isinstance(held, bytes) else held))
            page = file.pages.first
            if not 0 < page.size <= _MOST_CELLS:
                raise DamagedRecordsError(f"it has {page.size:,} cells, and {_MOST_CELLS:,} can be read")
            cells = page.asarray(maxworkers=1)
            axes, nothing = str(page.axes), page.nodata
        except tifffile.TiffFileError as trouble:
            raise DamagedRecordsError(str(trouble)) from None
        except _TROUBLE:
            raise DamagedRecordsError("it is cut off, changed, or packed in a way that is not read here") from None
    if cells.dtype.kind not in "iuf" or cells.ndim != len(axes) or axes not in ("YX", "YXS", "SYX"):
        raise DamagedRecordsError("its cells are no numbers in bands")
    layers = cells.transpose(2, 0, 1) if axes == "YXS" else cells if axes == "SYX" else cells[None]
    found = (pl.Series(layer.reshape(-1).astype("float64")) for layer in layers)
    return [series.set(series == float(nothing), None) for series in found]


_TROUBLE: Final = (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, ArithmeticError, RuntimeError,
                   MemoryError, EOFError, AssertionError, struct.error, zlib.error)  # fmt: skip
"""What the reader of TIFF raises on files that are no TIFF, cut off or changed; its own error is a ``ValueError``."""


# What is this file? By its content first, then by its name and, in a zip, by the layout of what it holds.
#
# Closed formats of machine makers cannot be read by anyone but their software; naming the format and the export to make
# instead is what helps the person. The table of systems is data: ``data/foreign_systems.toml``.

HEAD: Final = 65536
_TABLE_HEAD: Final = 4096
_ZIPS_DEEP: Final = 2
_HISTORY: Final = "crop history of USDA (Crop Sequence Boundaries)"
PAPER: Final = "paper"
"""The reader of what only people can read: it is kept as evidence."""
_PROSE_NAMES: Final = frozenset({"", ".txt", ".text", ".md"})
"""Endings under which a text may be a letter; a table by its ending is a table, however poor."""

_FTYP_HEIC: Final = frozenset({b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"heim", b"heis"})
_ADVANCED_LINE: Final = re.compile(
    r"-?\d{1,3}\.\d+,-?\d{1,2}\.\d+,[\d.]+,\d{8,10},(?:[^,\n]*,){9,12}[^,\n]*(?:\r?\n|$)"
)
_ADAPT_PART: Final = "adapt_part"
LEFT: Final = "left_over"
_SHAPE_PARTS: Final = (".shp", ".shx", ".dbf", ".prj", ".cpg")
_SOME: Final = 3
"""So many headings of one kind of record are no accident."""
_POINT_TYPES: Final = (1, 11, 21)
_SHAPE_HEAD: Final = 100
_SHAPE_MAGIC: Final = b"\x00\x00\x27\x0a"


@dataclass(frozen=True, slots=True)
class Kind:
    """What a file is."""

    kind: str  # a stable name such as ``geojson``; ``unknown`` where nothing fits
    label: str  # in words
    reader: str = ""  # the reader for it, or empty
    inside: str = ""  # the path within the zip that decided, or empty
    export: str = ""  # which export to make instead where no reader takes it, or empty


@cache
def systems() -> tuple[tuple[Kind, tuple[str, ...]], ...]:
    """Return the table of foreign systems with the patterns of their paths; see the comment at its head."""
    text = (files("provender.formats") / "data" / "foreign_systems.toml").read_text("utf-8")
    rows = tomllib.loads(text)["system"]
    return tuple(
        (Kind(row["kind"], row["label"], row["reader"], export=row["export"]), tuple(row["paths"])) for row in rows
    )


def _by_layout(path: str) -> Kind | None:
    """Return the system whose layout a path shows, or None."""
    return next((kind for kind, paths in systems() if any(re.search(p, path, re.IGNORECASE) for p in paths)), None)


_AS_MODUS: Final = "Boundaries are read as GeoJSON, laboratory results as Modus; export it as one of those."
_ACRSI: Final = Kind("acrsi", "USDA acreage report (ACRSI JSON)", "boundaries")
_SERVICES: Final = (
    (
        r'"operationType"\s*:\s*"(planted|applied|harvested|tillage)"',
        Kind("leaf", "field operations of Leaf (GeoJSON)", "leaf"),
    ),
    (r'"type"\s*:\s*"(log--[a-z_]+|asset--land)"', Kind("farmos", "logs of farmOS (JSON:API)", "farmos")),
    (r'"plantingActivity"\s*:', Kind("fieldview_planting", "planting summary of FieldView (GeoJSON)", "fieldview")),
    (r'(?s)^(?=.*"cropYear)(?=.*"(farmNumber"|tract))', _ACRSI),
)
_AREA: Final = r'"type"\s*:\s*"(Feature|FeatureCollection|Polygon|MultiPolygon|GeometryCollection)"'
_MAPS: Final = (
    (rf'(?s)^(?=.*{_AREA})(?=.*("cropYear|AcreageSubmission|"farmNumber))', _ACRSI),
    (_AREA, Kind("geojson", "GeoJSON boundaries", "boundaries")),
    (r'"esriGeometry\w+"|"rings"\s*:\s*\[', Kind("esri_json", "boundaries of ArcGIS (Esri JSON)", "boundaries")),
    (
        r'(?s)^(?=.*"Events")(?=.*(LabMetaData|EventMetaData))',
        Kind("modus_json", "Modus laboratory results (JSON)", "lab_soil"),
    ),
    ("", Kind("json", "JSON of an unknown kind", export=_AS_MODUS)),
)
"""What a text of JSON is, by the first pattern that it holds: what services hand out, then maps and results."""


def _json_kind(head: str) -> Kind | None:
    if head.lstrip()[:1] not in ("{", "["):
        return None
    points = _history("geojson", set(re.findall(r'"(\w+)"\s*:', head))) or _points_json(head)
    return _first(_SERVICES, head) or points or _first(_MAPS, head)


def _first(table: Iterable[tuple[str, Kind]], head: str) -> Kind | None:
    return next((kind for pattern, kind in table if re.search(pattern, head)), None)


def _xml_kind(head: str) -> Kind | None:
    if not head.lstrip("\ufeff \t\r\n").startswith("<"):
        return None
    if "ModusResult" in head or "ModusSubmit" in head:
        return Kind("modus_xml", "Modus laboratory results (XML)", "lab_soil")
    if "ISO11783_TaskData" in head:
        return Kind("isoxml", "ISO 11783-10 task data (ISOXML)", "isoxml")
    if is_excel_xml(head):
        return Kind("excel_xml", "Excel workbook in XML of 2003", "spreadsheet")
    if is_html(head):
        has_table = re.search(r"<table\b", head, re.IGNORECASE)
        export = "Export the list as CSV or XLSX; to keep a page as evidence, print it as PDF."
        return Kind("html", "web page", "spreadsheet" if has_table else "", export=export)
    if "<kml" in head:
        return Kind("kml", "Google Earth drawing (.kml, .kmz)", "boundaries")
    export = "Laboratory results are read as Modus XML; otherwise export it as CSV."
    return Kind("xml", "XML of an unknown kind", export=export)


def _text_of(head: bytes) -> str:
    """Return the first bytes of a file as text, without the mark of their encoding."""
    is_utf16 = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return head.decode("utf-16" if is_utf16 else "utf-8-sig", "replace")


def _kind_of_bytes(head: bytes, name: str) -> Kind:
    """Tell a single file by its first bytes, then by its name."""
    text = _text_of(head)
    return (
        _kind_without_rows(head, text, name)
        or _points_csv(text)
        or Kind("delimited", "text in rows and columns", "spreadsheet")
    )


def is_paper_or_photograph(head: bytes, name: str) -> bool:
    """Tell what no machine's log is: prose, PDF, photographs."""
    kind = _kind_without_rows(head, _text_of(head), name)
    return kind is not None and kind.reader in (PAPER, "photo")


def _kind_without_rows(head: bytes, text: str, name: str) -> Kind | None:
    """Tell a file that is not text in rows and columns; None for what may be."""
    suffix = Path(name).suffix.lower()
    if head[4:8] == b"ftyp" and head[8:12] in _FTYP_HEIC:
        return Kind("heic", "HEIC photograph", "photo")
    if head.startswith(_SHAPE_MAGIC) and suffix in (".shp", ".shx"):
        return _of_shapefile(b"", b"", "loose")
    told = next((kind for magic, kind in _MAGICS if head.startswith(magic)), None) or _by_layout(name)
    if told is not None:
        return told
    if b"\x00" in head[:1024] and not head.startswith((b"\xff\xfe", b"\xfe\xff")) and suffix not in (".csv", ".txt"):
        return Kind("unknown", "binary file of an unknown kind")
    if is_web_archive(text):
        return Kind("web_archive", "web page in one file", "spreadsheet")
    if _ADVANCED_LINE.match(text):
        return Kind("ag_leader_text", "Ag Leader Advanced text", "yield_log")
    if suffix in _PROSE_NAMES and not (_json_kind(text) or _xml_kind(text)) and _is_prose(text):
        return Kind("text_paper", "text without rows and columns", PAPER)
    return _json_kind(text) or _xml_kind(text)


def content_of(path: Path, problems: Problems, inside: str) -> tuple[bytes, Problems]:
    """Return a file's bytes, or those of a member of a zip, and where problems of it are told.

    Raises:
        ProblemsError: the zip is damaged or hostile.
    """
    if not inside:
        return path.read_bytes(), problems
    source: Path | bytes = path
    while True:  # a zip may lie in a zip
        with opened(source, problems.place.file) as archive:
            member = next((each for each in archive.members if inside.startswith(f"{each}/")), inside)
            source, problems = archive.read(member), problems.at(Place(f"{archive.name}/{member}"))
        if member == inside:
            return source, problems
        inside = inside.removeprefix(f"{member}/")


def _history(how: str, headings: Iterable[str]) -> Kind | None:
    """Tell Crop Sequence Boundaries by their columns of codes, one for each of several years."""
    years = [each for each in headings if re.fullmatch(r"(?i)cdl(19|20)\d\d", each.strip())]
    return Kind(f"crop_sequence_{how}", _HISTORY, "crop_sequence") if len(years) > 1 else None


def _points(how: str, headings: Iterable[str], without: Iterable[Layer] = ()) -> Kind | None:
    """Return what a layer of points is, and its reader, which what was harvested or applied has; None where unknown."""
    layer = layer_of(columns_of(headings))
    if layer is Layer.UNKNOWN or layer in without:
        return None
    reader = {Layer.HARVEST: "yield_log", Layer.APPLIED: "applied_points"}.get(layer, "")
    return Kind(f"points_{how}" if reader else f"points_of_{layer}", LABELS[layer], reader)


def _points_csv(head: str) -> Kind | None:
    """Tell a table whose rows say where they lie and what a machine did there; samples of soil are a laboratory's."""
    first = re.split(r"[\r\n]", head.lstrip("\ufeff"), maxsplit=1)[0].replace("\x00", "")
    try:
        cells = next(csv.reader([first], delimiter=guess_delimiter(head[:_TABLE_HEAD])), [])
    except csv.Error:
        return None
    headings = [cell.strip() for cell in cells]
    if (history := _history("csv", headings)) is not None:
        return history
    if not any("lat" in each.casefold() for each in headings):  # so every heading of a latitude is written
        return None
    if not {"longitude", "latitude"} <= columns_of(headings).keys() or _is_own_table(headings):
        return None
    return _points("csv", headings, (Layer.SOIL, Layer.ELEVATION))


def _is_own_table(headings: list[str]) -> bool:
    """Tell a table of the farm's own records by its key, or by several headings that no machine has."""
    # Only text with places in it asks: no reader in a child waits for the columns of the records.
    from provender.formats.template_layout import column_of
    from provender.records.kind import KINDS
    from provender.records.reading import column_names

    told = {column_of(each).casefold(): set(columns_of([each])) for each in headings if each}
    for kind in KINDS.values():
        known = column_names(kind)
        names = {known[each]: roles for each, roles in told.items() if each in known}
        # Crop, day and the field's name stand beside a machine's points too.
        own = {name for name, roles in names.items() if not roles}
        if own & set(kind.key_columns) - {"farm_id"} or len(own) >= _SOME:
            return True
    return False


def _points_json(head: str) -> Kind | None:
    """Tell a collection of points by the members of its first feature."""
    if not re.search(r'"geometry"\s*:\s*\{[^{}]*"type"\s*:\s*"Point"', head):
        return None
    found = re.search(r'"properties"\s*:\s*\{([^{}]*)\}', head)
    return _points("geojson", re.findall(r'"([^"]+)"\s*:', found[1]) if found else ())


def _is_prose(text: str) -> bool:
    """Tell whether no separator cuts two thirds of the first lines into the same number of cells, more than one.

    A sign that stands at the end of a line and nowhere else in it separates nothing, as after `Dear Ada,`.
    """
    lines = [line.strip() for line in text[:_TABLE_HEAD].splitlines() if line.strip()]
    for sign in DELIMITERS:
        cells = Counter(line.count(sign) for line in lines if sign in line[:-1])
        if 3 * max(cells.values(), default=0) >= 2 * len(lines):
            return False
    return bool(lines)


_AS_TABLE: Final = "Ask the sender for CSV or XLSX; a paper is kept as evidence under its own name."
_MAGICS: Final = (
    (b"\xff\xd8\xff", Kind("jpeg", "JPEG photograph", "photo")),
    (b"%PDF", Kind("pdf", "PDF document", PAPER, export=_AS_TABLE)),
    (OLE_MAGIC, Kind("xls", "Excel 97-2003 workbook", "spreadsheet")),
    (b"SQLite format 3", Kind("geopackage", "GeoPackage (.gpkg)", "boundaries")),
    (b"PAR1", Kind("geoparquet", "GeoParquet boundaries", "boundaries")),
)


_OFFICE: Final = (
    ({"xl/workbook.xml"}, Kind("xlsx", "Excel workbook", "spreadsheet")),
    ({"xl/workbook.bin"}, Kind("xlsx", "Excel workbook", "spreadsheet")),
    ({"content.xml", "mimetype"}, Kind("ods", "OpenDocument spreadsheet", "spreadsheet")),
    ({"word/document.xml"}, Kind("docx", "Word document", PAPER)),
)
"""Documents of office programs by the members of their zips."""


def _kind_of_zip(archive: Archive, deep: int) -> Kind:
    members = archive.members
    if (office := next((kind for named, kind in _OFFICE if named <= set(members)), None)) is not None:
        return office
    if any(member.endswith(".iwa") for member in members):
        return Kind("numbers", "document of Apple Numbers", export="Export it from Numbers as Excel or CSV.")
    for member in members:
        if (told := _by_layout(member)) is not None:
            return replace(told, inside=member)
    for member in members:
        if member.lower().endswith(".shp"):
            table = next((each for each in members if each.lower() == member.lower()[:-4] + ".dbf"), "")
            columns = archive.read(table, _TABLE_HEAD) if table else b""
            return replace(_of_shapefile(archive.read(member, _SHAPE_HEAD), columns, "in a zip"), inside=member)
    for member in members:
        found = _by_content(archive, member, deep)
        if found.kind not in ("unknown", "json", "xml"):
            return replace(found, inside=f"{member}/{found.inside}".rstrip("/"))
    return Kind("unknown", "zip of files of unknown kinds")


def _by_content(archive: Archive, member: str, deep: int) -> Kind:
    if member.lower().endswith(".zip") and deep < _ZIPS_DEEP:
        with opened(archive.read(member), f"{archive.name}/{member}") as inner:
            return _kind_of_zip(inner, deep + 1)
    if member.lower().endswith((".json", ".geojson", ".geojsonl", ".geojsons", ".ndjson", ".jsonl", ".xml", ".txt")):
        found = _kind_of_bytes(archive.read(member, HEAD), member)
        return Kind("unknown", "") if found.kind in ("delimited", "text_paper") else found
    return Kind("unknown", "")


def _of_shapefile(shapes: bytes, table: bytes, where: str) -> Kind:
    """Tell a shapefile by the kind of its shapes and the headings of its table, out of their first bytes."""
    size = int.from_bytes(table[8:10], "little")
    entries = [table[at : at + 32] for at in range(32, min(size, len(table)) - 32, 32)]
    headings = [each[:11].split(b"\x00")[0].decode("latin-1").strip() for each in entries if each[:1] != b"\r"]
    if {"FLOW", "MOISTURE", "CYCLES", "SWATH", "LONGITUDE"} <= {each.upper() for each in headings}:
        # The columns of Ag Leader Advanced, which say all that is counted.
        return Kind("yield_shapefile", f"Shapefile of a yield monitor, {where}", "yield_log")
    is_of_points = int.from_bytes(shapes[32:36], "little") in _POINT_TYPES
    known = _history("shapefile", headings) or (_points("shapefile", headings) if is_of_points else None)
    return known or Kind("shapefile", f"Shapefile, {where}", "boundaries")


def sniff(path: Path, name: str) -> Kind:
    if is_left_over(name):
        return Kind(LEFT, "file that a program keeps for itself")
    with path.open("rb") as stream:
        head = stream.read(HEAD)
    if head.startswith(OLE_MAGIC) and "WordDocument".encode("utf-16-le") in path.read_bytes():
        return Kind("doc", "Word 97-2003 document", PAPER)
    if head.startswith((ZIP_MAGIC, b"PK\x05\x06")):
        with opened(path, name) as archive:
            return _kind_of_zip(archive, 1)
    if _is_part(path):
        return Kind(_ADAPT_PART, "records that an ADAPT data set names")
    if Path(name).suffix.lower() in _SHAPE_PARTS[2:]:
        export = "A shapefile is several files of one name: put .shp, .shx, .dbf and .prj in one zip."
        return Kind("shapefile_part", "one part of a shapefile", export=export)
    kind = _kind_of_bytes(head, name)
    if kind.kind == "shapefile":
        tables = (path.with_suffix(suffix) for suffix in (".dbf", ".DBF"))
        table = next((each for each in tables if each.is_file()), None)
        return _of_shapefile(head, table.read_bytes()[:_TABLE_HEAD] if table else b"", "loose")
    if kind.kind == "geopackage":
        from provender.formats.boundaries import package_headings

        columns, of_points = package_headings(path)
        return _history(kind.kind, columns) or _points(kind.kind, of_points) or kind
    return (_history(kind.kind, _columns_of_parquet(path)) if kind.kind == "geoparquet" else None) or kind


def _columns_of_parquet(path: Path) -> list[str]:
    import polars as pl

    try:
        return list(pl.read_parquet_schema(path))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError):
        return []


def advice(kind: Kind, name: str) -> Problem | None:
    """Return what to tell the person about a file that no reader takes, or None where one does."""
    if kind.reader:
        return None
    place = Place(f"{name}/{kind.inside}" if kind.inside else name)
    if kind.kind == LEFT:
        return Problem(place, LEFT_OVER, "Nothing; it was passed over.", weight=Weight.NOTE, code=LEFT)
    if kind.kind == _ADAPT_PART:
        remedy = "Hand in adapt.json; to keep the records as evidence too, hand in the whole folder as a zip."
        cause = f"the file holds {kind.label}; it is read with that one alone."
        return Problem(place, cause, remedy, weight=Weight.NOTE, code="read_with_adapt")
    if kind.kind.startswith("points_of_"):
        cause = f"the file holds {kind.label}; no record rests on them, so nothing was taken."
        remedy = "If it should hold what was applied or harvested, export that layer; if its rows are records of the "
        remedy += "farm, say which: --kind operation."
        return Problem(place, cause, remedy, weight=Weight.CONFIRM, code=kind.kind)
    export = kind.export or "Export it as CSV, XLSX, Shapefile (zip) or GeoJSON."
    return Problem(place, f"this format is not read here: {kind.label}.", export, code=f"unreadable_{kind.kind}")


@reader
def read_kind(path: Path, problems: Problems) -> Kind | None:
    """Tell what a file is, for the child process; what no reader takes carries the export to make instead."""
    kind = sniff(path, problems.place.file)
    told = advice(kind, problems.place.file)
    problems.found.extend([told] if told else [])
    return kind
