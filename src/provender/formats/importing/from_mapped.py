"""Rows of a foreign file as a table of their kind, with a person's units and constants and keys of our own."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from provender.days import iso_day
from provender.formats.columns import own_key, target
from provender.formats.importing.entries_asked import entry_name
from provender.formats.importing.entry_columns import ENTRY
from provender.formats.importing.incoming_files import Choices, IncomingFile, Source
from provender.formats.mapped_table import MappedTable, without_future
from provender.formats.parsed import doubt
from provender.problem import Place, Problem, Weight
from provender.records.harvest_years import year_of
from provender.records.kind import KINDS
from provender.records.reading import TextTable

_AHEAD: Final = frozenset({"first_day", "last_day", "until"})


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
    days = [name for name, field in target(kind.name).fields.items() if field.kind == "day" and name not in _AHEAD]
    mapped, future = without_future(mapped, days, choices.as_of)
    told = [*problems, *future]
    names = [name for name in kind.typed_fields if name != "farm_id"]
    own = own_key(kind)
    rows = []
    unnamed = [row.number for row in mapped.rows if own and not row.values.get(own)]
    crops: Counter[str] = Counter()
    for row in mapped.rows:
        values = {**{name: text for name, text in choices.constants.items() if name in kind.fields}, **row.values}
        if "unit_id" in kind.fields:
            unit = choices.unit_for(values.get("unit_id", ""))
            values |= {"unit_id": unit} if unit else {}
        if own == ENTRY and not values.get(own):
            values[own] = _by_crop(values, crops)
        if own and not values.get(own):
            values[own] = f"{re.sub(r'[^A-Za-z0-9]+', '-', Path(source.name).stem).strip('-') or 'row'}-{row.number}"
        rows.append((row.number, tuple(values.get(name, "") for name in names)))
    if unnamed:
        by = "field, crop and year" if own == ENTRY else "file and row"
        cause = f"the file names no {kind.fields[own].label.lower()} for {len(unnamed)} rows; {by} name them."
        place = Place(source.name, mapped.sheet, unnamed[0], own)
        told.append(Problem(place, cause, "Nothing to do.", weight=Weight.NOTE, code="named_by_row"))
    if waits:
        cause = "this reading of the file needs your confirmation; nothing of it was imported yet."
        remedy = "Look at what is asked above, then run the same command with --accept."
        told.append(doubt(Place(source.name, mapped.sheet), cause, remedy, "waits"))
    return IncomingFile(
        kind, TextTable(source.name, mapped.sheet, tuple(names), tuple(rows)), source, tuple(told), waits
    )


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
