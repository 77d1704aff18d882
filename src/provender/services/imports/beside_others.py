"""New rows of a crop that has one of their kind already: done twice, or entered twice?"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from provender.problem import Place, Problem, Weight
from provender.records import KINDS
from provender.services.farm.folder import Snapshot
from provender.services.imports.request import RowChange

ONCE: Final[Mapping[str, str]] = {"planting": "planted_on", "cover_crop": "seeded_on", "nutrient_budget": "made_on"}
"""Kinds of which a crop entry has one row as a rule, and the column of its day."""
_ENTRY: Final = "harvest_id"


def beside_others(rows: Iterable[RowChange], before: Snapshot) -> Iterator[Problem]:
    """Ask of each new row whose crop entry has another of its kind in the book whether both are meant.

    A second planting moves the days between which a whole season is judged (2100.002).
    """
    for row in rows:
        entry, day = row.texts.get(_ENTRY, ""), ONCE.get(row.kind)
        if row.was or not day or not entry:
            continue
        others = [one for one in before.rows[row.kind].values() if one[_ENTRY] == entry]
        if not others:
            continue
        kind = KINDS[row.kind]
        named = ", ".join(f"{one[kind.key_columns[-1]]} of {one[day] or 'no day'}" for one in others)
        cause = f"{entry} has a row of {kind.label.lower()} already: {named}."
        remedy = "Write this one too if it was done twice; else leave it out, or correct the one that stands."
        yield Problem(Place(row.file, row.sheet, row.row), cause, remedy, kind.cite, Weight.CONFIRM, "another_row")
