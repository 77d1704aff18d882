"""What is one crop of a unit, read plainly: parts of one harvest joined, failed stands led to what was harvested."""

import datetime as dt

from tests.practices.oracle_interval import FEEDSTOCKS
from tests.practices.oracle_rows import Row, first_day, last_day


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
        row = one | {"ids": [one["harvest_id"]], "planted": planted, "part_from": first_day(one)}
        if found and part_of(row, found[-1]):
            whole = found[-1]
            whole["ids"].append(one["harvest_id"])
            carried = whole["bushels"], one["bushels"]
            whole |= {
                "first_day": min(first_day(whole), first_day(one)),  # type: ignore[type-var]
                "last_day": max(last_day(whole), last_day(one)),  # type: ignore[type-var]
                "bushels": None if None in carried else sum(carried),
                "part_from": first_day(one),
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
    end, before, begun = last_day(row), last_day(whole), whole["part_from"]
    if end is None or before is None:
        return False
    # What was cut before New Year and after it, within half a year, is one harvest.
    over = end.year == begun.year + 1 and (end - begun).days <= 180
    if end.year != before.year and not over:
        return False
    return not (row["planted"] and row["planted"] >= whole["part_from"])


def year_of(row: Row) -> int:
    """Return the harvest year: of the last day, or of the first where the harvest ran over New Year."""
    first, last = first_day(row), last_day(row)
    over = last.year == first.year + 1 and (last - first).days <= 180  # type: ignore[operator,union-attr]  # dated
    return first.year if over else last.year  # type: ignore[union-attr]  # dated


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
        and given_up.year == year_of(later)
    )
