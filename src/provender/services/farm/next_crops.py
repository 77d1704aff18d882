"""Which crop entries a row may name, as a person looks for them: by field, the next crop of the field first."""

from typing import Final

from provender.records import KINDS
from provender.records.harvest_years import NOT_YET
from provender.services.farm.book import FarmBook

HARVEST: Final = KINDS["harvest"]
OWN_FIELD: Final = frozenset({"cover_crop"})
"""Kinds whose rows earn nothing under the entry of another field than their own."""


def entries_by_field(farm: FarmBook, kind: str, unit: str, named: str) -> list[tuple[str, list[str]]]:
    """Return the crop entries of each field, those not harvested yet first, then the latest.

    Args:
        farm: the book.
        kind: whose row names one.
        unit: the field of that row, whose entries stand first; empty where it is not known.
        named: the entry that is named already, offered whatever its field.
    """
    found: dict[str, list[tuple[bool, str, str]]] = {}
    for entry, row in farm.of(HARVEST).items():
        field = str(row.get("unit_id") or "")
        alone = kind in OWN_FIELD and unit in farm.of(KINDS["unit"])
        if not alone or field == unit or entry == named:
            last = str(row.get("last_day") or row.get("first_day") or "")
            found.setdefault(field, []).append((row.get("ending") == NOT_YET, last, entry))
    order = sorted(found, key=lambda field: (field != unit, not any(coming for coming, *_ in found[field])))
    return [(field, [entry for *_, entry in sorted(found[field], reverse=True)]) for field in order]
