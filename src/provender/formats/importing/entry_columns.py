"""Rows that say field, crop and harvest year where our record names a crop entry.

Nobody writes an identifier of ours.
"""

from collections.abc import Mapping
from dataclasses import replace

from provender.formats.columns import ENTRY_COLUMNS
from provender.formats.importing.crop_entries import written
from provender.formats.parsed import MappedRow, MappedTable
from provender.records.kind import KINDS, Kind

ENTRY = "harvest_id"


def with_entries(mapped: MappedTable) -> MappedTable:
    """Let each row name its crop entry by what it says of it, as one text that ``crop_entries`` understands.

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
