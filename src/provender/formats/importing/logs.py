"""Several logs of one field, cards or combines: their bushels add up, unless they are the same.

Two files may hold the same points, such as a card that was copied twice. Minutes at one place that both have tell it.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from provender.exact import half_even, parse, show
from provender.formats.importing.incoming_files import Arrival, IncomingFile
from provender.formats.parsed import doubt
from provender.problem import Place, Problem

YIELD_LOG: Final = "yield log"
_SAME_PCT: Final = 90
_TOLD_PCT: Final = 1
_SUMS: Final = ("bushels", "harvested_acres")


def summed(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    """Return two harvests of one unit, crop and year as one: bushels and acres added, the rest put together."""
    whole = {**other, **one}
    for name in _SUMS:
        if one.get(name) and other.get(name):
            whole[name] = show(parse(one[name]) + parse(other[name]))
    days = [values[name] for values in (one, other) for name in ("first_day", "last_day") if values.get(name)]
    whole |= {"first_day": min(days), "last_day": max(days)}
    for name, sign in (("evidence", "; "), ("note", " ")):
        texts = [text for values in (one, other) for text in values.get(name, "").split(sign.strip() or "\0")]
        whole[name] = sign.join(dict.fromkeys(text.strip() for text in texts if text.strip()))
    return whole


def told_further(whole: Mapping[str, str], new: Mapping[str, str], old: Mapping[str, object], place: Place) -> Problem:
    """Say that a log is added to what the book counts from other logs, and whether both have the same days."""
    before = show(parse(whole["bushels"]) - parse(new["bushels"]))
    cause = f"the book counts {before} bushels for {whole['harvest_id']} from other logs; "
    cause += f"this one adds {new['bushels']}, which makes {whole['bushels']}."
    first, last = old["first_day"], old["last_day"]
    if (
        isinstance(first, dt.date)
        and isinstance(last, dt.date)
        and new["first_day"] <= last.isoformat()
        and first.isoformat() <= new["last_day"]
    ):
        cause += " Both log some of the same days: the points of one must not be in the other too."
    return doubt(place, cause, "Confirm that they are different cards or combines.", "logs_added")


def added_up(arrivals: Sequence[Arrival]) -> list[Arrival]:
    """Let the logs of an import that are of one harvest make one row: the first of them has it, and names them."""
    first: dict[str, tuple[int, int]] = {}
    for at, arrival in enumerate(arrivals):
        if arrival.what != YIELD_LOG:
            continue
        for key in arrival.traces:
            _join(arrivals, first, key, at)
    return list(arrivals)


def _join(arrivals: Sequence[Arrival], first: dict[str, tuple[int, int]], key: str, at: int) -> None:
    table = next((index for index, one in enumerate(arrivals[at].tables) if _row_of(one, key) is not None), None)
    if table is None:
        return
    if key not in first:
        first[key] = (at, table)
        return
    to, its = first[key]
    here, there = arrivals[at], arrivals[to]
    mine, theirs = _row_of(here.tables[table], key), _row_of(there.tables[its], key)
    if mine is None or theirs is None:
        return
    shared, points = _shared(there.traces[key], here.traces[key])
    place = Place(here.source.name)
    if here.tables[table].overrules and there.tables[its].overrules:
        cause = f"{key} is in the book from other logs, and two files of this import add to it."
        here.problems.append(Problem(place, cause, "Import this file by itself afterwards.", code="logs_added"))
        whole = theirs
    elif 100 * shared >= _SAME_PCT * points:
        whole = theirs if parse(theirs.get("bushels", "0")) >= parse(mine.get("bushels", "0")) else mine
        cause = f"{here.source.name} and {there.source.name} hold the same points of {key}; they count once."
        here.problems.append(doubt(place, cause, "Nothing, if one is a copy of the other.", "same_log"))
    else:
        whole = summed(theirs, mine)
        cause = f"{here.source.name} and {there.source.name} log {key}: {theirs.get('bushels')} and "
        cause += f"{mine.get('bushels')} bushels make {whole['bushels']}."
        if 100 * shared >= _TOLD_PCT * points:
            cause += f" {half_even(100 * shared, points)} % of the shorter one lies at the time and place of the other."
        here.problems.append(doubt(place, cause, "Confirm that they are different cards or combines.", "logs_added"))
    there.traces[key] |= here.traces[key]
    there.tables[its] = _with_row(there.tables[its], key, whole)
    here.tables[table] = _with_row(here.tables[table], key, None)


def _shared(one: frozenset[str], other: frozenset[str]) -> tuple[int, int]:
    """Return how many places of the smaller trace the other has too, and how many it has, at least one."""
    return len(one & other), max(1, min(len(one), len(other)))


def _row_of(incoming: IncomingFile, key: str) -> dict[str, str] | None:
    table = incoming.table
    if incoming.kind is None or incoming.kind.name != "harvest":
        return None
    rows = (dict(zip(table.heading, cells, strict=True)) for _, cells in table.rows)
    return next(({name: text for name, text in row.items() if text} for row in rows if row["harvest_id"] == key), None)


def _with_row(incoming: IncomingFile, key: str, values: Mapping[str, str] | None) -> IncomingFile:
    """Return a table with another row of that harvest, or without it."""
    table = incoming.table
    at = table.heading.index("harvest_id")
    rows = []
    for number, cells in table.rows:
        if cells[at] != key:
            rows.append((number, cells))
        elif values is not None:
            rows.append((number, tuple(values.get(name, "") for name in table.heading)))
    return replace(incoming, table=replace(table, rows=tuple(rows)))
