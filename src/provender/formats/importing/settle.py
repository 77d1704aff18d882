"""Rows that an earlier import rejected and that this one settles: mended and handed in again, under whatever name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from provender.formats.importing.validate import Sifted
from provender.records.folder import BECAUSE, FROM, REJECTED, RejectedFile, read_rejected, write_csv
from provender.records.kind import Kind
from provender.records.reading import read_table

_ALIKE: Final = 2
"""A mended row has one of so many cells in common with the rejected one, at least."""


@dataclass(frozen=True, slots=True)
class Landed:
    """A row of this import that takes the place of a rejected one: it went in, or was rejected anew."""

    kind: str  # of the record
    key: tuple[str, ...]  # its key columns but for the farm, as text; empty where it has none
    place: str  # where it first came from, as text
    cells: frozenset[str]  # as written


def landed_rows(sifted: Sifted, added: Iterable[int]) -> list[Landed]:
    """Return the rows of a table with their keys; a place tells only where a row is new to the book or rejected."""
    incoming = sifted.incoming
    kind, table = incoming.kind, incoming.table
    if kind is None:
        return []
    keys = {int(str(row["source_row"])): _key(kind, row) for row in sifted.read}
    fresh = {*added, *(row.number for row in sifted.rejected)}
    found = []
    for number, cells in table.rows:
        place = incoming.origins.get(number) or str(incoming.place(number))
        found.append(Landed(kind.name, keys.get(number, ()), place if number in fresh else "", _words(cells)))
    return found


def _key(kind: Kind, row: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in kind.key_columns if name != "farm_id")


def _words(cells: Iterable[str]) -> frozenset[str]:
    return frozenset(cell.strip().casefold() for cell in cells if cell.strip())


def settled_files(folder: Path, landed: Iterable[Landed], skip: Iterable[str]) -> dict[str, bytes | None]:
    """Return what is left of the book's files of rejected rows that change; None where all is settled.

    Args:
        folder: the book.
        landed: the rows of this import.
        skip: files that this import writes or removes anyhow, by path in the book.
    """
    inside, left = folder / REJECTED, dict[str, bytes | None]()
    by_kind: dict[str, list[Landed]] = {}
    for one in landed:
        by_kind.setdefault(one.kind, []).append(one)
    for path in sorted(inside.glob("*.csv")) if inside.is_dir() else ():
        name = f"{REJECTED}/{path.name}"
        found = read_rejected(path)
        if name in set(skip) or found.kind is None or found.table is None or found.kind.name not in by_kind:
            continue
        settled = _settled(found, by_kind[found.kind.name])
        if settled:
            left[name] = _text(found, settled)
    return left


def _settled(found: RejectedFile, landed: list[Landed]) -> set[int]:
    if found.table is None or found.kind is None:
        return set()
    frame = read_table(found.kind, found.table, farm_id="F").frame
    keys = {int(row["source_row"]): _key(found.kind, row) for row in frame.iter_rows(named=True)}
    fresh = {one.key for one in landed if one.key and one.place}
    same = {(one.key, one.cells) for one in landed if one.key}
    by_place = {one.place: one.cells for one in landed if one.place}
    settled = set()
    for (number, cells), (place, _) in zip(found.table.rows, found.reasons, strict=True):
        words = _words(cells)
        alike = _ALIKE * len(words & by_place.get(place, frozenset())) >= max(len(words), 1)
        key = keys.get(number)
        # A row that the book holds already, and that says otherwise than the rejected one, settles nothing of it.
        if key in fresh or (key, words) in same or (place in by_place and alike):
            settled.add(number)
    return settled


def _text(found: RejectedFile, settled: set[int]) -> bytes | None:
    if found.table is None:
        return None
    rows = [
        [*reason, *cells]
        for (number, cells), reason in zip(found.table.rows, found.reasons, strict=True)
        if number not in settled
    ]
    return write_csv([[FROM, BECAUSE, *found.table.heading], *rows]).encode() if rows else None
