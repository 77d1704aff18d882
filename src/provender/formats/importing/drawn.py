"""The outline of a unit out of the boundary files of a book, of which one may hold several fields."""

from collections.abc import Mapping
from pathlib import Path

from provender.formats.boundaries import Boundaries, outline_of_unit, read_boundaries
from provender.records.book import RecordBook, file_inside
from provender.records.folder import BOUNDARIES

Read = dict[Path, Boundaries | None]
"""The areas of each file; None where none can be read."""


def drawn(book: RecordBook, row: Mapping[str, object], read: Read) -> str:
    """Return the outline of one unit of a book as GeoJSON; empty where there is none (``boundaries.of_unit``).

    Args:
        book: whose folder has the files.
        row: the unit.
        read: the files that were read before; what is read now is added.
    """
    named = str(row["boundary"] or "")
    path = file_inside(book.folder / BOUNDARIES, named) if book.folder else None
    if path is None:
        return ""
    if path not in read:
        read[path] = read_boundaries(path, named).result
    return outline_of_unit(read[path], str(row["unit_id"]), None if row["name"] is None else str(row["name"]))
