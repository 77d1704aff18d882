"""Rejected rows that come back from a spreadsheet: identifiers that it took for numbers are written as they first were.

A spreadsheet opens ``008`` as 8 and saves it so. The file of rejected rows still has it as it was, and each row says
where it first came from; so the row keeps its identifier, and does not stand beside itself when its source comes again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from provender.formats.importing.incoming_files import Arrival, IncomingFile
from provender.formats.importing.references import folded
from provender.records.field import ColumnKind
from provender.records.folder import REJECTED, read_rejected
from provender.records.kind import Kind
from provender.records.reading import column_names

Written = dict[str, dict[str, str]]
"""By where a row first came from: its cells by column."""


def with_first_writing(arrivals: Iterable[Arrival], folder: Path) -> None:
    """Let rows that come back name themselves, and other records, as the book's rejected rows do; in place."""
    for arrival in arrivals:
        arrival.tables = [_restored(one, folder) if one.kind and one.origins else one for one in arrival.tables]


def _restored(incoming: IncomingFile, folder: Path) -> IncomingFile:
    kind, table = incoming.kind, incoming.table
    first = _first_written(kind, folder) if kind else {}
    if kind is None or not first:
        return incoming
    names = {at: column for at, column in enumerate(_columns(kind, table.heading)) if _names_something(kind, column)}

    def cells_of(number: int, cells: tuple[str, ...]) -> tuple[str, ...]:
        before = first.get(incoming.origins.get(number, ""), {})
        old = {at: before.get(column, "") for at, column in names.items()}
        return tuple(
            old[at] if old.get(at) and old[at] != cell and folded(old[at]) == folded(cell) else cell
            for at, cell in enumerate(cells)
        )

    rows = tuple((number, cells_of(number, cells)) for number, cells in table.rows)
    return replace(incoming, table=replace(table, rows=rows))


def _first_written(kind: Kind, folder: Path) -> Written:
    found: Written = {}
    inside = folder / REJECTED
    for path in sorted(inside.glob(f"{kind.name}--*.csv")) if inside.is_dir() else ():
        rejected = read_rejected(path)
        if rejected.table is None:
            continue
        columns = _columns(kind, rejected.table.heading)
        for (_, cells), (place, _) in zip(rejected.table.rows, rejected.reasons, strict=True):
            found[place] = dict(zip(columns, cells, strict=False))
    return found


def _columns(kind: Kind, heading: Iterable[str]) -> list[str]:
    known: Mapping[str, str] = column_names(kind)
    return [known.get(text.strip().casefold(), "") for text in heading]


def _names_something(kind: Kind, column: str) -> bool:
    found = kind.fields.get(column)
    return found is not None and (found.kind is ColumnKind.KEY or bool(found.refers))
