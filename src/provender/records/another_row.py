"""A further row of a crop that has one of its kind already: done twice, or entered twice?

A second planting moves the days between which a whole season is judged, and a second entry of one crop and year splits
it (2100.002). Both may be true, so they are asked about and never refused.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from provender.problem import Place, Problem, Weight
from provender.records.harvest_years import NAMED_BY_YEAR, NOT_YET, days_of, year_of
from provender.records.kind import Kind

ONCE: Final[Mapping[str, str]] = {"planting": "planted_on", "cover_crop": "seeded_on", "nutrient_budget": "made_on"}
"""Kinds of which a crop entry has one row as a rule, and the column of its day."""
ANOTHER: Final = "another_row"
CROP: Final = "harvest"
_ENTRY: Final = "harvest_id"
_STOOD: Final = ("harvested", NOT_YET)
_GROWN_TWICE: Final = (
    "If the first stand was given up, say so as its ending. If one harvest is entered in parts, or the crop was grown "
    "twice, write this one too. Else leave it out."
)
_PLANTED_TWICE: Final = (
    "If it was planted again, say yes under replant. If it is another part of the field, write it too. Else leave it "
    "out, or correct the one that stands."
)
_DONE_TWICE: Final = "Write this one too if it was done twice; else leave it out, or correct the one that stands."
Row = Mapping[str, object]


def another_row(kind: Kind, row: Row, others: Iterable[Row]) -> Problem | None:
    """Ask of a row whether it is meant beside those of its kind that stand already; None where nothing is odd.

    Args:
        kind: of the row.
        row: typed; days are dates.
        others: rows of the kind, typed; the row itself may be among them.
    """
    if not asks(kind):
        return None
    key = _key(kind, row)
    alike = _same_crop if kind.name == CROP else _same_entry
    found = [one for one in others if _key(kind, one) != key and alike(row, one)]
    return _asked(kind, row, found) if found else None


def asks(kind: Kind) -> bool:
    """Tell whether rows of a kind are asked about at all."""
    return kind.name in ONCE or kind.name == CROP


def near(kind: Kind, row: Row) -> object:
    """Return what a row shares with every row that it could be a second of: its field, or its crop entry."""
    return row.get("unit_id" if kind.name == CROP else _ENTRY)


def _key(kind: Kind, row: Row) -> tuple[object, ...]:
    return tuple(row.get(name) for name in kind.key_columns)


def _same_entry(row: Row, one: Row) -> bool:
    """Tell whether two rows are of one crop entry, and neither says that it was planted again."""
    declared = True in (row.get("replant"), one.get("replant"))
    same = row.get("farm_id") == one.get("farm_id") and row.get(_ENTRY) == one.get(_ENTRY)
    return bool(row.get(_ENTRY)) and same and not declared


def _same_crop(row: Row, one: Row) -> bool:
    """Tell whether two entries are of one field, crop and year; a stand that was given up says so itself."""
    if any(row.get(name) != one.get(name) for name in ("farm_id", "unit_id", "crop")):
        return False
    if not {row.get("ending"), one.get("ending")} <= set(_STOOD) or _other_use(row, one):
        return False
    year = _year(row)
    if year is None and row.get("ending") == one.get("ending") == NOT_YET:
        of = {called[1] for each in (row, one) if (called := NAMED_BY_YEAR.search(str(each[_ENTRY])))}
        return len(of) <= 1  # of a name without a year nobody knows
    return year is not None and year == _year(one)


def _other_use(row: Row, one: Row) -> bool:
    return bool(row.get("use") and one.get("use") and row["use"] != one["use"])


def _year(row: Row) -> int | None:
    return year_of(*days_of(row))


def _asked(kind: Kind, row: Row, found: list[Row]) -> Problem:
    own = kind.key_columns[-1]
    if kind.name == CROP:
        crop, year = str(row["crop"]).replace("_", " "), _year(row)
        named = ", ".join(str(one[own]) for one in found)
        cause = f"{row['unit_id']} has a crop entry of {crop} {year or 'to come'} already: {named}."
        return Problem(Place(""), cause, _GROWN_TWICE, kind.cite, Weight.CONFIRM, ANOTHER)
    named = ", ".join(f"{one[own]} of {one[ONCE[kind.name]] or 'no day'}" for one in found)
    cause = f"{row[_ENTRY]} has a row of {kind.label.lower()} already: {named}."
    remedy = _PLANTED_TWICE if kind.name == "planting" else _DONE_TWICE
    return Problem(Place(""), cause, remedy, kind.cite, Weight.CONFIRM, ANOTHER)
