"""Rows of a foreign file as a table of their kind, with a person's units and constants and keys of our own."""

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from provender.days import iso_day
from provender.formats.columns import ENTRY_COLUMNS, own_key, without_days_ahead
from provender.formats.importing.crop_entries import written
from provender.formats.importing.entries_asked import entry_name
from provender.formats.importing.incoming_files import Choices, IncomingFile, Source
from provender.formats.importing.printed import evidence_id
from provender.formats.parsed import MappedRow, MappedTable, doubt
from provender.formats.units import identifier
from provender.problem import Place, Problem
from provender.records.book import year_of
from provender.records.kind import KINDS, Kind
from provender.records.reading import TextTable, column_names

ENTRY: Final = "harvest_id"
_ALWAYS_NAMED: Final = frozenset({"farm", "unit", "producer", "related_party", "evidence"})
"""Kinds of which no record goes without a name of its own."""


def from_mapped(
    mapped: MappedTable,
    source: Source,
    problems: Iterable[Problem],
    choices: Choices,
    *,
    waits: bool = False,
    paper: bool = False,
) -> IncomingFile:
    """Return rows of a foreign file as a table of their kind, with a person's units and keys of our own where none.

    Of a paper only those rows are left that a person named, where they named some.
    """
    kind = KINDS[mapped.target]
    if paper and choices.rows:
        mapped = replace(mapped, rows=tuple(row for row in mapped.rows if row.number in choices.rows))
    mapped, future = without_days_ahead(mapped, choices.as_of)
    told = [*problems, *future]
    names = [name for name in kind.typed_fields if name != "farm_id"]
    own = own_key(kind)
    rows = []
    crops: Counter[str] = Counter()
    for row in mapped.rows:
        values = {**{name: text for name, text in choices.constants.items() if name in kind.fields}, **row.values}
        if "unit_id" in kind.fields:
            unit = choices.unit_for(values.get("unit_id", ""))
            values |= {"unit_id": unit} if unit else {}
        if own == ENTRY and not values.get(own):
            values[own] = _by_crop(values, crops)
        if kind.name in _ALWAYS_NAMED and own and not values.get(own):
            values[own] = f"{re.sub(r'[^A-Za-z0-9]+', '-', Path(source.name).stem).strip('-') or 'row'}-{row.number}"
        rows.append((row.number, tuple(values.get(name, "") for name in names)))
    if waits:
        cause = "this reading of the file needs your confirmation; nothing of it was imported yet."
        remedy = "Look at what is asked above, then run the same command with --accept."
        told.append(doubt(Place(source.name, mapped.sheet), cause, remedy, "waits"))
    table = TextTable(source.name, mapped.sheet, tuple(names), tuple(rows))
    return key_unnamed(IncomingFile(kind, table, source, tuple(told), waits))


def kept_file(
    source: Source, what: str, choices: Choices, *, unit_id: str = "", told: Iterable[Problem] = (), waits: bool = False
) -> IncomingFile:
    """Return a file that is kept as one row of ``evidence``."""
    values = {
        "evidence_id": evidence_id(source), "file": source.stored, "what": what, "sha256": source.sha256,
        "note": f"Imported as {source.name}.", **({"unit_id": unit_id} if unit_id else {}),
    }  # fmt: skip
    table = MappedTable(source.name, "", "evidence", (MappedRow(0, values),))
    return from_mapped(table, source, told, choices, waits=waits)


def with_entries(mapped: MappedTable) -> MappedTable:
    """Let rows that say field, crop and harvest year name their crop entry so: nobody writes an identifier of ours.

    A row that need not name one names it only where it says the crop or the year.
    """
    kind = KINDS.get(mapped.target)
    if kind is None or ENTRY not in kind.fields or not kind.fields[ENTRY].refers:
        return mapped
    return replace(mapped, rows=tuple(MappedRow(row.number, _with_entry(kind, row.values)) for row in mapped.rows))


def _with_entry(kind: Kind, values: Mapping[str, str]) -> dict[str, str]:
    own = {name: text for name, text in values.items() if name not in ENTRY_COLUMNS}
    crop, year = (values.get(name, "") for name in ENTRY_COLUMNS)
    named = own.get(ENTRY) or own.get("unit_id", "")
    if named and (crop or year or (kind.fields[ENTRY].required and not own.get(ENTRY))):
        own = {ENTRY: written(named, crop, year), **{name: text for name, text in own.items() if name != ENTRY}}
    return own


def key_unnamed(incoming: IncomingFile) -> IncomingFile:
    """Return a table in which rows that name no record of their own have a name by which others find them meanwhile."""
    kind, table = incoming.kind, incoming.table
    own = own_key(kind) if kind else ""
    if kind is None or not own or kind.name in _ALWAYS_NAMED:
        return incoming
    known = column_names(kind)
    names = [known.get(heading.casefold(), heading) for heading in table.heading]
    if own not in names:
        names.append(own)
        table = replace(table, heading=(*table.heading, own))
    at, mark = names.index(own), zlib.crc32(f"{incoming.source.sha256} {table.file} {table.sheet}".encode())
    rows, made, taken = [], set(incoming.made_keys), set[str]()
    for number, cells in table.rows:
        texts = (*cells, *[""] * (at + 1 - len(cells)))
        if not texts[at].strip() and any(cell.strip() for cell in cells):
            name = f"row-{mark:08x}-{number}"
            if kind is KINDS["harvest"]:
                name = _entry_called(dict(zip(names, texts, strict=False)), name, taken)
            texts = (*texts[:at], name, *texts[at + 1 :])
            made.add(number)
        rows.append((number, texts))
    if not made:
        return incoming
    return replace(incoming, table=replace(table, rows=tuple(rows)), made_keys=frozenset(made))


def _entry_called(row: Mapping[str, str], otherwise: str, taken: set[str]) -> str:
    """Return what people call a crop entry that its file does not name: by its field, crop and year."""
    year = re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", row.get("last_day") or row.get("first_day") or "")
    parts = (row.get("unit_id", ""), row.get("crop", "").lower(), year[0] if year else "")
    name = identifier("-".join(part for part in parts if part)) if all(parts[:2]) else otherwise
    while name in taken:
        name += "-2"
    taken.add(name)
    return name


def _by_crop(values: Mapping[str, str], crops: Counter[str]) -> str:
    """Return a name for a crop entry by which people know it; empty where field, crop or year is not told."""
    unit, crop = values.get("unit_id", ""), values.get("crop", "")
    year = year_of(*(iso_day(values.get(name)) for name in ("first_day", "last_day")))
    if not (unit and crop and year):
        return ""
    name = entry_name(unit, crop, year)
    crops[name] += 1
    return name if crops[name] == 1 else f"{name}-{crops[name]}"


def keys_of(made: IncomingFile) -> dict[int, str]:
    """Return what each row of such a table is called, by its number; empty where its kind has no key of its own."""
    own = own_key(made.kind) if made.kind else ""
    at = made.table.heading.index(own) if own in made.table.heading else None
    return {} if at is None else {number: cells[at] for number, cells in made.table.rows}
