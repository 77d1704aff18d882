"""The outline of a unit out of the boundary files of a book, of which one may hold several fields."""

from collections.abc import Mapping
from pathlib import Path

from shapely import GEOSException, from_geojson, get_num_geometries, to_geojson, union_all
from shapely.geometry.base import BaseGeometry

from provender.formats.boundaries import read_boundaries
from provender.records.book import RecordBook
from provender.records.folder import BOUNDARIES

Read = dict[Path, tuple[str, dict[str, BaseGeometry]]]
"""The text of each file and, where it holds several fields, their outlines by name."""


def drawn(book: RecordBook, row: Mapping[str, object], read: Read) -> str:
    """Return the outline of one unit of a book: of a file with several fields those of its own name, if any bears it.

    Args:
        book: whose folder has the files.
        row: the unit.
        read: the files that were read before; what is read now is added.
    """
    if book.folder is None or not row["boundary"]:
        return ""
    path = book.folder / BOUNDARIES / Path(str(row["boundary"])).name
    if path not in read:
        read[path] = _read(path)
    text, fields = read[path]
    own = [shape for label, shape in fields.items() if label in (row["unit_id"], row["name"])]
    return to_geojson(union_all(own)) if own else text


def _read(path: Path) -> tuple[str, dict[str, BaseGeometry]]:
    try:
        text = path.read_text("utf-8")
        several = get_num_geometries(from_geojson(text)) > 1
    except (OSError, ValueError, GEOSException):
        return "", {}
    found = read_boundaries(path, path.name).result if several else None
    fields: dict[str, list[BaseGeometry]] = {}
    for one in found.fields if found else ():
        fields.setdefault(one.label, []).append(from_geojson(one.geojson))
    return text, {label: union_all(shapes) for label, shapes in fields.items()}
