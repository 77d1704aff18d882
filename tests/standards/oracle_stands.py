"""What is one crop of a unit, read plainly: parts of one harvest joined, failed stands led to what was harvested."""

import datetime as dt

from tests.standards.oracle_interval import FEEDSTOCKS
from tests.standards.oracle_rows import Row, first_day, last_day


def stands_of(book: dict[str, list[Row]], unit_id: str) -> list[Row]:
    """Return the crops of a unit in order: parts of one harvest joined, failed stands leading to what was harvested."""
    entries = [
        one for one in book["harvest"] if one["unit_id"] == unit_id and one["ending"] in ("harvested", "terminated")
    ]
    entries.sort(key=lambda one: (first_day(one) is None, first_day(one) or dt.date.min, last_day(one) or dt.date.min))
    found: list[Row] = []
    for one in entries:
        planted = min(
            (p["planted_on"] for p in book["planting"] if p["harvest_id"] == one["harvest_id"] and p["planted_on"]),
            default=None,
        )
        row = one | {"ids": [one["harvest_id"]], "planted": planted, "part_from": first_day(one), "year": year_of(one)}
        if found and part_of(row, found[-1]):
            whole = found[-1]
            whole["ids"].append(one["harvest_id"])
            carried = whole["bushels"], one["bushels"]
            whole |= {
                "first_day": min(first_day(whole), first_day(one)),  # type: ignore[type-var]
                "last_day": max(last_day(whole), last_day(one)),  # type: ignore[type-var]
                "bushels": None if None in carried else sum(carried),
                "part_from": first_day(one),
                "cuts": [*whole.get("cuts", [first_day(whole)]), first_day(one)],
            }
        else:
            found.append(row)
    for at in reversed(range(len(found))):
        later = found[at + 1] if at + 1 < len(found) else None
        found[at]["leads_to"] = later["leads_to"] if later is not None and failed(found[at], later) else found[at]
    return found


def part_of(row: Row, whole: Row) -> bool:
    """Tell whether an entry is a further part of the harvest before it."""
    if (row["ending"], whole["ending"], row["crop"]) != ("harvested", "harvested", whole["crop"]):
        return False
    end = last_day(row)
    if end is None or whole["year"] is None:
        return False
    # What was cut within half a year after the last cut before New Year is of the harvest of the old year.
    old = [day for day in whole.get("cuts", [first_day(whole)]) if day.year == end.year - 1]
    year = end.year - 1 if old and (end - max(old)).days <= 180 else row["year"]
    if year != whole["year"]:
        return False
    return not (row["planted"] and row["planted"] >= whole["part_from"])


def year_of(row: Row) -> int | None:
    """Return the harvest year of an entry: of its last day, or of its first where it ran over New Year."""
    first, last = first_day(row), last_day(row)
    if first is None or last is None:
        return None
    over = last.year == first.year + 1 and (last - first).days <= 180
    return first.year if over else last.year


def failed(row: Row, later: Row) -> bool:
    """Tell whether a crop was given up, with its record, and a feedstock crop planted in its place."""
    given_up, end = first_day(row), last_day(later)
    return bool(
        row["ending"] == "terminated"
        and row["termination_record"]
        and row["crop"] in FEEDSTOCKS
        and later["crop"] in FEEDSTOCKS
        and given_up
        and end
        and given_up.year == later["year"]
    )
