"""Files that a table beside them, or the book already, names: one row of evidence, under the identifier given there."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from provender.formats.importing.from_mapped import kept_file
from provender.formats.importing.incoming_files import Arrival, Choices, IncomingFile
from provender.records.book import RecordBook
from provender.records.folder import write_cell
from provender.records.kind import KINDS

KIND: Final = KINDS["evidence"]
KEY, FILE, UNIT, MARK = "evidence_id", "file", "unit_id", "sha256"
HELD: Final = "held"
"""Marks a row of the book whose very file lies there already."""
OF_HELD: Final = frozenset({FILE, "known_by", "note"})
"""What such a row says, or leaves blank, as it was."""


def _called(text: str) -> str:
    """Return what a file is called, for comparing: no folder, no case."""
    return PurePath(text.strip().replace("\\", "/")).name.casefold()


def _rows(table: IncomingFile) -> Iterable[tuple[int, dict[str, str]]]:
    heading = [name.strip().casefold() for name in table.table.heading]
    for number, cells in table.table.rows:
        yield number, {name: cell.strip() for name, cell in zip(heading, cells, strict=False)}


def _in_book(book: RecordBook | None, incoming: frozenset[str]) -> Iterator[dict[str, str]]:
    """Yield the book's rows; without those whose own file is there already and is none of the incoming ones."""
    if book is None:
        return
    for row in book[KIND.name].iter_rows(named=True):
        mark = row[MARK] or ""
        held = book.files.hash_of(row["farm_id"], row[FILE] or "", mark or None)
        if held and not mark and held not in incoming:
            continue
        words = {name: write_cell(row[name], found) for name, found in KIND.typed_fields.items()}
        yield {**words, HELD: HELD} if mark and held == mark.lower() else words


def _named(arrivals: Iterable[Arrival], book: RecordBook | None) -> dict[str, dict[str, str]]:
    """Return the row of evidence that names a file, by what the file is called; one that two rows name is nobody's.

    A row with a hash names the incoming file of these bytes, whatever either is called, and before any row without.
    """
    found: dict[str, dict[str, dict[str, str]]] = {}
    arrivals = list(arrivals)
    tables = (table for one in arrivals for table in one.tables if table.kind is KIND)
    incoming = {one.source.sha256: _called(one.source.name) for one in arrivals}
    own = {_own(one) for one in arrivals}
    for row in (*_in_book(book, frozenset(incoming)), *(row for table in tables for _, row in _rows(table))):
        mark = row.get(MARK, "").lower()
        name = incoming.get(mark, "") if mark else _called(row.get(FILE, ""))
        if name and row.get(FILE) and row.get(KEY) and row[KEY] not in own:
            found.setdefault(name, {})[row[KEY]] = row
    meant = {name: _the_one(list(rows.values())) for name, rows in found.items()}
    return {name: one for name, one in meant.items() if one is not None}


def _the_one(rows: list[dict[str, str]]) -> dict[str, str] | None:
    meant = [row for row in rows if row.get(MARK)] or rows
    return meant[0] if len(meant) == 1 else None


def units_named(arrivals: Iterable[Arrival], book: RecordBook | None, said: Mapping[str, str]) -> dict[str, str]:
    """Return the management unit of each file that a row names; what a person said of a file counts before it."""
    known = {name.casefold() for name in said}
    told = {name: row.get(UNIT, "") for name, row in _named(arrivals, book).items()}
    return {**said, **{name: unit for name, unit in told.items() if unit and name not in known}}


def joined(arrivals: list[Arrival], book: RecordBook | None, choices: Choices) -> list[Arrival]:
    """Let each file be the evidence that a table of the same import, or the book, names.

    The row goes in once, with the file: under the identifier and with the words given there; what they leave blank
    (day, hash, how known) the file fills. Rows that rest on the file name it so.
    """
    named = _named(arrivals, book)
    arrivals = [_as_paper(one, choices) if _called(one.source.name) in named else one for one in arrivals]
    brought = {_called(one.source.name): one for one in arrivals if one.keep and _own(one) is not None}
    # Of two files of one name nobody can say which one a row without a hash means.
    several = Counter(name for name, _ in {(_called(one.source.name), one.source.sha256) for one in arrivals})
    brought = {name: one for name, one in brought.items() if several[name] == 1}
    named = {name: row for name, row in named.items() if name in brought}
    for one in arrivals:
        if _called(one.source.name) not in named:
            one.tables = [_without(table, named) if table.kind is KIND else table for table in one.tables]
    for name, row in named.items():
        _take_name(brought[name], row)
    return arrivals


def _as_paper(one: Arrival, choices: Choices) -> Arrival:
    """Keep what only people can read, or rows of no kind of record, as what a row says it is; anything else stays."""
    unread = any(each.code == "paper_kept" for each in one.problems)
    if not unread and (not one.tables or any(table.kind is not None for table in one.tables)):
        return one
    return Arrival(one.source, "evidence that a row names", tables=[kept_file(one.source, "other", choices)])


def _own(one: Arrival) -> str | None:
    """Return the identifier of the row of evidence that a file makes of itself; None where it makes none."""
    rows = [row for table in one.tables if table.kind is KIND for _, row in _rows(table)]
    return next((row[KEY] for row in rows if row.get(MARK) == one.source.sha256), None)


def _without(table: IncomingFile, named: Mapping[str, dict[str, str]]) -> IncomingFile:
    gone = {number for number, row in _rows(table) if row in named.values()}
    return table.with_rows(row for row in table.table.rows if row[0] not in gone)


def _take_name(one: Arrival, said: Mapping[str, str]) -> None:
    """Put what a table says of a file into the rows that the file brings."""
    as_it_was = OF_HELD if said.get(HELD) else frozenset()
    words = {name: text for name, text in said.items() if name in as_it_was or (text and name != FILE)}
    own = _own(one)
    for place, table in enumerate(one.tables):
        heading = table.table.heading
        rows = tuple(
            (
                number,
                tuple(
                    words.get(name, cell) if table.kind is KIND else said[KEY] if cell == own else cell
                    for name, cell in zip(heading, cells, strict=False)
                ),
            )
            for number, cells in table.table.rows
        )
        over = frozenset(number for number, _ in rows) if table.kind is KIND else table.overrules
        one.tables[place] = replace(table.with_rows(rows), overrules=over)
