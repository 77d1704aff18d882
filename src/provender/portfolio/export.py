"""Books written as a portfolio: one data set per kind, partitioned by harvest year and State."""

import ctypes
import json
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl
from shapely import MultiPolygon, from_geojson, from_wkb, to_geojson, to_wkb
from shapely.geometry.base import BaseGeometry

from provender.catalog.places import STATE_BY_FIPS
from provender.formats.boundaries import Boundaries, outline_of_unit, read_boundaries
from provender.formats.geometry import ACRE_M2
from provender.portfolio import layout
from provender.portfolio.frames import FrameBook, incomplete_frame, problem_frame
from provender.portfolio.layout import PREFIX, Manifest, Partition, whole_folder, write_manifest, written_name
from provender.problem import Place, Problem, ProblemsError
from provender.records.book import EvidenceFiles, RecordBook, file_inside, years_of
from provender.records.field import ColumnKind
from provender.records.folder import BOUNDARIES
from provender.records.kind import KINDS
from provender.records.kinds.farm import Evidence
from provender.records.kinds.quantification import FEEDSTOCKS
from provender.records.kinds.season import Harvest, Planting

# Which files of evidence the exporter of a book held, by hash: a portfolio brings the hashes, not the files.
#
# A name is not evidence (interpretation 59). What counts in the portfolio is what counted in the book: the file was
# there when the book was exported, with the hash written here. So the result rests on the exporter's word for that one
# thing.

HELD: Final = "evidence_file"
"""Data set of the files that were there at the export."""
SCHEMA: Final = {"farm_id": pl.String, "file": pl.String, "sha256": pl.String}


class StatedFiles(EvidenceFiles):
    """Files known by the hash that an exporter states."""

    def __init__(self, hashes: Mapping[tuple[str, str], tuple[str, ...]]) -> None:
        self._stated = hashes

    def hash_of(self, farm_id: str, file: str, recorded: str | None = None) -> str:
        """Return the stated hash, the recorded one if it is stated; empty where none is."""
        stated, wanted = self._stated.get((farm_id, file), ("",)), (recorded or "").strip().lower()
        return wanted if wanted in stated else stated[0]

    def content_of(self, farm_id: str, file: str, recorded: str | None = None) -> bytes:  # noqa: ARG002 - as asked
        """Return nothing: the files stay with the farm."""
        return b""


def held_files(book: RecordBook) -> pl.DataFrame:
    """Return the files of a book's evidence that are there now; columns of ``SCHEMA``."""
    named = dict.fromkeys((row.farm_id, row.file, row.sha256) for row in book.every(Evidence))
    rows = [(farm, file, book.files.hash_of(farm, file, sha256)) for farm, file, sha256 in named]
    return pl.DataFrame(list(dict.fromkeys(row for row in rows if row[2])), schema=SCHEMA, orient="row")


def stated_files(parts: Iterable[pl.DataFrame]) -> StatedFiles:
    """Return the files that some frames of ``SCHEMA`` state."""
    stated: dict[tuple[str, str], tuple[str, ...]] = {}
    for farm, file, sha256 in (row for part in parts for row in part.drop_nulls().iter_rows()):
        stated[farm, file] = (*stated.get((farm, file), ()), sha256)
    return StatedFiles(stated)


# An Arrow schema in which some columns are never null.
#
# Polars frames have no such mark, and ``write_parquet`` takes it from any object with the Arrow PyCapsule interface
# (https://arrow.apache.org/docs/format/CDataInterface.html). The schema that Polars exports is taken, and in it the
# flag is cleared; so no Arrow library is needed for one bit.

_NULLABLE: Final = 2


class _ArrowSchema(ctypes.Structure):
    """The beginning of the C structure; what follows is not looked at."""


_ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_ArrowSchema))),
]


class RequiredColumns:
    """The Arrow schema of a frame, with the named columns marked as never null."""

    def __init__(self, schema: pl.Schema, required: Container[str]) -> None:
        self._schema, self._required = schema, required

    def __arrow_c_schema__(self) -> object:
        """Return the schema as a capsule."""
        capsule: object = self._schema.__arrow_c_schema__()
        pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
        pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        top = ctypes.cast(pointer_of(capsule, b"arrow_schema"), ctypes.POINTER(_ArrowSchema)).contents
        for index in range(top.n_children):
            child = top.children[index].contents
            if child.name.decode() in self._required:
                child.flags &= ~_NULLABLE
        return capsule


# ``unit`` as GeoParquet 1.1 that is also a fiboa v0.3.0 (Vecorel) collection of fields.
#
# Sources: https://geoparquet.org/releases/v1.1.0/, https://fiboa.org/specification/v0.3.0/,
# https://vecorel.org/specification/v0.1.0/. A field without an outline has an empty one: the geometry is required
# there.

_COLLECTION: Final = "provender-portfolio"
SCHEMAS: Final = (
    "https://vecorel.org/specification/v0.1.0/schema.yaml",
    "https://fiboa.org/specification/v0.3.0/schema.yaml",
)
SDL: Final = "https://vecorel.org/sdl/v0.2.0/schema.json"
GEOMETRY: Final = "geometry"
_REQUIRED: Final = ("farm_id", "id", "collection", GEOMETRY, f"{PREFIX}unit_id")
EMPTY: Final[bytes] = to_wkb(MultiPolygon())
_SDL_TYPES: Final[Mapping[ColumnKind, str]] = {
    ColumnKind.KEY: "string", ColumnKind.TEXT: "string", ColumnKind.CHOICE: "string", ColumnKind.QUANTITY: "int64",
    ColumnKind.WHOLE: "int64", ColumnKind.DAY: "date", ColumnKind.YES_NO: "boolean",
}  # fmt: skip


def geometry_column(names: Iterable[str]) -> str:
    """Return the column of outlines, whatever its case and with our prefix or without; empty where there is none."""
    return next((name for name in names if name.casefold().removeprefix(PREFIX) == GEOMETRY), "")


def _sdl_schema() -> dict[str, Any]:
    """Return the schema of our own columns in the language of Vecorel."""
    properties: dict[str, dict[str, Any]] = {}
    for name, field in KINDS["unit"].fields.items():
        told = f"{field.label}. {field.help}".strip()
        if field.kind is ColumnKind.QUANTITY:
            told += f" Whole thousandths of: {field.unit}."
        one: dict[str, Any] = {"type": _SDL_TYPES[field.kind], "description": told}
        if field.options:
            one["enum"] = list(field.options)
        properties[written_name(KINDS["unit"], name)] = one
    needed = [name for name in _REQUIRED if name in properties]
    return {"$schema": SDL, "required": needed, "collection": {}, "properties": properties}


def footer(frame: pl.DataFrame) -> dict[str, str]:
    """Return the metadata of a file of units: GeoParquet's and Vecorel's."""
    kinds = {"Polygon": 3, "MultiPolygon": 6}
    found = frame[GEOMETRY].bin.slice(1, 1).unique().to_list()
    column = {"encoding": "WKB", "geometry_types": [name for name, code in kinds.items() if bytes([code]) in found]}
    geo = {"version": "1.1.0", "primary_column": GEOMETRY, "columns": {GEOMETRY: column}}
    collection = {"schemas": {_COLLECTION: list(SCHEMAS)}, "schemas:custom": _sdl_schema()}
    return {"geo": json.dumps(geo), "collection": json.dumps(collection)}


def outlines(folder: Path | None, units: Iterable[Mapping[str, Any]]) -> dict[str, BaseGeometry]:
    """Return the outline of each unit of a book whose boundary file is there and can be read.

    Of a file with several fields a unit takes its own (``boundaries.of_unit``).
    """
    if folder is None:
        return {}
    inside = folder / BOUNDARIES
    read: dict[str, Boundaries | None] = {}
    found: dict[str, BaseGeometry] = {}
    for unit in units:
        unit_id, name, boundary = unit["unit_id"], unit["name"], unit["boundary"]
        path = file_inside(inside, boundary or "")
        if path is None:
            continue
        if boundary not in read:
            read[boundary] = read_boundaries(path, boundary).result
        if outline := outline_of_unit(read[boundary], unit_id, name):
            found[unit_id] = from_geojson(outline)
    return found


def as_fields(units: pl.DataFrame, shapes: Mapping[tuple[str, str], bytes]) -> pl.DataFrame:
    """Return units with the columns of fiboa; ``shapes`` holds the outline of a farm's unit as WKB."""
    keys = list(units.select("farm_id", "unit_id").iter_rows())
    geometry = pl.Series(GEOMETRY, [shapes.get(key, EMPTY) for key in keys], pl.Binary)
    return _arranged(units.with_columns(geometry))


def _arranged(units: pl.DataFrame) -> pl.DataFrame:
    """Arrange columns: the farm, those of fiboa, ours under their prefix. The area is that of the records."""
    drawn = pl.col(GEOMETRY) != EMPTY
    names = [name for name in units.columns if name not in ("farm_id", GEOMETRY)]
    area = (pl.col("acres") * (ACRE_M2 / 1000)).cast(pl.Float32)
    return units.select(
        "farm_id",
        pl.concat_str("farm_id", pl.lit("|"), "unit_id").alias("id"),
        pl.lit(_COLLECTION).alias("collection"),
        GEOMETRY,
        area.alias("metrics:area"),
        pl.lit(None, pl.Datetime("ms", "UTC")).alias("determination:datetime"),
        pl.when(drawn).then(pl.lit("unknown")).alias("determination:method"),
        pl.when(drawn).then("boundary").alias("determination:details"),
        *(pl.col(name).alias(PREFIX + name) for name in names),
    )


def boundary_files(units: pl.DataFrame) -> dict[str, str]:
    """Return the GeoJSON files of a farm's outlines by name: units of one file go back into one.

    Args:
        units: ``unit_id``, ``boundary`` and ``geometry`` of one farm.
    """
    features: dict[str, list[dict[str, Any]]] = {}
    for unit_id, boundary, wkb in units.select("unit_id", "boundary", GEOMETRY).iter_rows():
        if boundary and wkb and wkb != EMPTY:
            shape = json.loads(to_geojson(from_wkb(wkb)))
            one = {"type": "Feature", "properties": {"unit_id": unit_id}, "geometry": shape}
            features.setdefault(boundary, []).append(one)
    return {
        name: json.dumps({"type": "FeatureCollection", "features": found}, indent=1) + "\n"
        for name, found in features.items()
    }


FILE: Final = "part-0.parquet"
ROW_GROUP: Final = 131_072
"""Rows of a row group: a batch of farms reads a few of them, not the whole file."""


def _partition_of(book: RecordBook) -> Partition:
    """Return where a book belongs: its newest harvest of a feedstock, and the State of its farm or first county."""
    entries = book.every(Harvest)
    years = years_of(entries, book.every(Planting))
    crops = [row for row in entries if row.crop in FEEDSTOCKS] or entries
    known = [year for row in crops if (year := years[row.farm_id, row.harvest_id]) is not None]
    state = next((row["state"].strip().upper() for row in book["farm"] if row["state"] is not None), None)
    if state not in STATE_BY_FIPS.values():
        counties = (row["county_fips"] for kind in ("farm", "unit") for row in book[kind])
        state = STATE_BY_FIPS.get(next((county for county in counties if county is not None), "")[:2])
    return Partition(max(known, default=None), state)


def export_books(
    books: Iterable[tuple[str, RecordBook]], root: Path, *, custody: Mapping[str, pl.DataFrame] | None = None
) -> Manifest:
    """Write books, each under the name people know it by, as a new portfolio.

    ``custody`` holds the data sets of books of custody (``portfolio.custody``).

    Raises:
        ProblemsError: the folder holds something already, or two books are of one farm.
    """
    if root.exists() and any(root.iterdir()):
        cause = "The folder is not empty; a portfolio is written whole."
        raise ProblemsError([Problem(Place(str(root)), cause, "Name a new folder.", code="folder_not_empty")])
    parts: dict[Partition, dict[str, list[pl.DataFrame]]] = {}
    seen: dict[str, str] = {}
    for name, book in books:
        _once(seen, name, book)
        frames = parts.setdefault(_partition_of(book), {})
        for data_set, frame in _data_sets(book).items():
            if frame.height:
                frames.setdefault(data_set, []).append(frame)
    if root.exists():
        root.rmdir()
    with whole_folder(root) as aside:
        for partition, frames in parts.items():
            for data_set, rows in frames.items():
                write_part(aside, data_set, partition, pl.concat(rows))
        for data_set, found in (custody or {}).items():
            if found.height:
                (aside / data_set).mkdir()
                found.write_parquet(aside / data_set / FILE, row_group_size=ROW_GROUP)
        return write_manifest(aside)


def _once(seen: dict[str, str], name: str, book: RecordBook) -> None:
    for farm in book.farm_ids:
        if farm in seen:
            cause = f"The farm {farm} is in {seen[farm]} already."
            remedy = "Export one book a farm; where two farms bear one identifier, give one of them another."
            raise ProblemsError([Problem(Place(name), cause, remedy, "2100.031(c)(1)", code="farm_twice")])
        seen[farm] = name


def _data_sets(book: RecordBook) -> dict[str, pl.DataFrame]:
    """Return the frames of a book as files hold them."""
    frames = FrameBook.of_book(book)
    found = {
        name: frames[name].rename({column: layout.written_name(kind, column) for column in kind.columns})
        for name, kind in KINDS.items()
        if name != "unit"
    }
    shapes = {
        (farm, unit): to_wkb(shape)
        for farm in {row.farm_id for row in book["unit"]}
        for unit, shape in outlines(book.folder, book.rows_of("unit", farm)).items()
    }
    found["unit"] = as_fields(frames["unit"], shapes)
    found[HELD] = held_files(book)
    found[layout.INCOMPLETE] = incomplete_frame(frames.incomplete_rows)
    farm_id = pl.lit(book.farm_ids[0] if book.farm_ids else None, pl.String).alias("farm_id")
    found[layout.PROBLEM] = problem_frame(book.problems).select(farm_id, pl.all())
    return found


def write_part(root: Path, data_set: str, partition: Partition, frame: pl.DataFrame) -> None:
    """Write one data set's rows of a partition as one file, farm by farm, so that a range of farms is quickly found."""
    folder = root / data_set / partition.folder
    folder.mkdir(parents=True, exist_ok=True)
    ordered = frame.sort("farm_id", maintain_order=True)
    path = folder / FILE
    if data_set != "unit":
        ordered.write_parquet(path, row_group_size=ROW_GROUP)
        return
    schema = RequiredColumns(ordered.schema, _REQUIRED)
    ordered.write_parquet(path, row_group_size=ROW_GROUP, metadata=footer(ordered), arrow_schema=schema)
    layout.hide_arrow_schema(path)
