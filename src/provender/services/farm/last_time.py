"""What a farm wrote before, for whoever writes the next row: values to pick again, and rows to begin with."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from provender.practices.known_by import GRADED
from provender.records import KINDS, Kind
from provender.records.field import ColumnKind, Field
from provender.services.farm.book import FARM, FarmBook, called, texts_of

HARVEST: Final = KINDS["harvest"]
MOST_VALUES: Final = 40
MOST_ROWS: Final = 3
ENOUGH: Final = 3
"""Rows of a kind from which it shows which columns this farm uses."""
OF_ONE_ROW: Final = frozenset({ColumnKind.DAY, ColumnKind.KEY})
"""What a new row does not share with one before it."""
OWN_WORDS: Final = frozenset({"evidence", "note", "as_typed", "claims"})

NAMED_BY_PEOPLE: Final = frozenset({"farm", "unit", "harvest", "producer", "related_party"})


WORK: Final = frozenset({"operation", "nutrient_application", "cover_crop", "planting"})
"""Kinds of what is done in a field and may be written down there and then."""


def day_of_work(kind: Kind) -> str:
    """Return the column of the day on which a work was done, which evidence is held against; empty for other kinds."""
    return GRADED[kind.name].day if kind.name in WORK else ""


class Before(NamedTuple):
    """A row that a new one may begin with: its key, and what it is called."""

    key: str
    called: str


def values_before(farm: FarmBook, kind: Kind, column: str) -> tuple[str, ...]:
    """Return what stands in a column, what was written last first."""
    said = (str(row.get(column) or "") for row in reversed(list(farm.of(kind).values())))
    return tuple(dict.fromkeys(text for text in said if text))[:MOST_VALUES]


def unused(farm: FarmBook, kind: Kind) -> frozenset[str]:
    """Return the columns that this farm never fills; until it has written some rows, those that farms seldom fill."""
    rows = list(farm.of(kind).values())
    return frozenset(
        name for name, found in kind.typed_fields.items()
        if (found.seldom or (len(rows) >= ENOUGH and not found.required)) and not any(row.get(name) for row in rows)
    )  # fmt: skip


def rows_to_begin_with(farm: FarmBook, kind: Kind, unit: str = "") -> list[Before]:
    """Return the rows written last that differ in what a new row would take from them; those of a field it is for.

    Each names its field: the row of another one is never taken for the own.
    """
    found: dict[tuple[str, ...], Before] = {}
    for key, row in reversed(list(farm.of(kind).items())):
        field, taken = field_of(farm, row), _taken(kind, texts_of(kind, row))
        if any(taken.values()) and (not unit or field in ("", unit)):
            lead = next((text for text in taken.values() if text), "").replace("_", " ")
            where = f"{called(kind, key)}, {field}" if field and field not in called(kind, key) else called(kind, key)
            found.setdefault(tuple(taken.values()), Before(key, f"{lead} ({where})"))
        if len(found) == MOST_ROWS:
            break
    return list(found.values())


def field_of(farm: FarmBook, row: Mapping[str, object]) -> str:
    """Return the field a row is of: its own, or that of the crop entry it names."""
    entry = farm.of(HARVEST).get(str(row.get("harvest_id") or ""), {})
    return str(row.get("unit_id") or entry.get("unit_id") or "")


def rows_that_fit(farm: FarmBook, column: Field, now: str) -> Mapping[str, Mapping[str, object]]:
    """Return the rows that a column may name: of a photograph, photographs alone, and what it names already."""
    rows = farm.of(KINDS[column.refers])
    if column.refers != "evidence" or not column.label.startswith("Photograph"):
        return rows
    return {key: row for key, row in rows.items() if row.get("what") == "photograph" or key == now}


def free_entry(farm: FarmBook, unit: str, year: str) -> str:
    """Return a name for a new crop entry, of its field and the year of its harvest, that no other has."""
    name, taken, number = f"{unit}-{year}", farm.read[1] | farm.of(HARVEST).keys(), 1
    while (key := name if number == 1 else f"{name}-{number}") in taken:
        number += 1
    return key


def as_last_time(farm: FarmBook, kind: Kind, key: str) -> dict[str, str]:
    """Return what a new row takes from one that stands: all but its names, its days and what is said of it alone."""
    texts = farm.texts(kind, key)
    return {} if texts is None else _taken(kind, texts)


def _taken(kind: Kind, texts: dict[str, str]) -> dict[str, str]:
    return {
        name: texts.get(name, "")
        for name, found in kind.typed_fields.items()
        if found.kind not in OF_ONE_ROW and name not in OWN_WORDS and name != FARM
    }


def numbered(kind: Kind) -> frozenset[str]:
    """Return the identifier that a new row of a kind is given by itself: people name fields and crops, not passes."""
    own = [name for name in kind.key_columns if name != FARM]
    named = kind.name in NAMED_BY_PEOPLE or len(own) != 1 or kind.fields[own[0]].refers
    return frozenset() if named else frozenset(own)


def free_key(farm: FarmBook, kind: Kind) -> str:
    """Return an identifier that no row has or had: the kind's first letters and the next number.

    What named a row that was taken out would else mean the new one.
    """
    letters = "".join(word[0] for word in kind.name.split("_")).upper()
    taken = farm.read[1] | farm.of(kind).keys() | _named(farm, f"{letters}-")
    number = len(farm.of(kind)) + 1
    while f"{letters}-{number}" in taken:
        number += 1
    return f"{letters}-{number}"


def _named(farm: FarmBook, start: str) -> set[str]:
    """Return what rows name that begins so, whether a row of that name stands or not."""
    cells = (cell for rows in farm.rows.values() for row in rows.values() for cell in row.values())
    lists = (cell.split(";") for cell in cells if isinstance(cell, str) and start in cell)
    return {name.strip() for names in lists for name in names}
