"""Of which crop a yield log is, and several logs of one field: their bushels add up, unless they are the same.

A log belongs to the crop of its own year. Two files may hold the same points, such as a card that was copied twice.
Minutes at one place that both have tell it.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from provender.exact import half_even, parse, show
from provender.formats.importing.from_mapped import from_mapped
from provender.formats.importing.incoming_files import Arrival, Choices, IncomingFile, Source
from provender.formats.parsed import MappedRow, MappedTable, doubt
from provender.problem import Place, Problem
from provender.records.book import ENDINGS, NAMED_BY_YEAR, NOT_YET, RecordBook, days_of, with_year, year_of
from provender.records.folder import write_cell
from provender.records.kind import KINDS

YIELD_LOG: Final = "yield log"
_SAME_PCT: Final = 90
_TOLD_PCT: Final = 1
_WEEKS_AGAIN: Final = dt.timedelta(weeks=1024)
"""After so many weeks a GPS receiver counts them anew; one that does not know it dates its points so much too early."""
_LATELY: Final = dt.timedelta(days=3 * 366)
_GROWS: Final = dt.timedelta(days=400)
_YEAR: Final = dt.timedelta(days=366)
_FALL: Final = 8
"""The month from which on these crops are cut; what stands over winter is cut in the first ones."""
_TYPE_DAYS: Final = "Type the right day into the row that stays out, and import that."
_SUMS: Final = ("bushels", "harvested_acres")


Row = Mapping[str, object]


def propose_harvests(
    rows: Sequence[MappedRow], source: Source, choices: Choices, book: RecordBook | None, problems: list[Problem]
) -> tuple[IncomingFile, dict[str, str]]:
    """Return the harvests of a file as rows that wait for a nod, and what each is called in the book, by its own name.

    A row whose days cannot be true stays out, and is called nothing.
    """
    alone: dict[tuple[str, str], MappedRow] = {}
    for row in rows:  # two fields of a monitor on one unit, or two days, are one harvest
        key = row.values["harvest_id"], row.values.get("moisture_pct", "")
        before = alone.setdefault(key, row)
        if before is not row:
            alone[key] = MappedRow(before.number, _summed(before.values, row.values))
    proposed, wrong, overruling = [], [], set()
    names: dict[str, str] = {}
    for row in alone.values():
        values, place = dict(row.values), Place(source.name, row=row.number)
        old, growing = _entry_of_log(values, book, choices.as_of)
        if clock := _clock_doubt(values, book, choices.as_of, place):
            wrong.append(clock)
        elif old is not None and (more := _further_log(values, old)):
            problems.append(_told_further(more, values, old, place))
            overruling.add(row.number)
            values = more
        else:
            problems.append(_proposal(values, old, growing, place))
            values = _only_new(values, old, replace_it=choices.replace) if old else values
            overruling |= {row.number} if old and old["ending"] == NOT_YET else set()
        proposed.append(MappedRow(row.number, values))
        names |= {} if clock else {row.values["harvest_id"]: values["harvest_id"]}
    table = MappedTable(source.name, "", "harvest", tuple(proposed))
    made = from_mapped(table, source, wrong, choices, waits=not choices.accept)
    return replace(made, overrules=frozenset(overruling)), names


def _entry_of_log(values: Mapping[str, str], book: RecordBook | None, as_of: dt.date) -> tuple[Row | None, str]:
    """Return the book's entry of the same unit, crop and harvest year, or the one that waits for this harvest.

    None where there is none, or not one alone; with the entry that grows and is of another year, empty for none.
    """
    if book is None:
        return None, ""
    first, last = (dt.date.fromisoformat(values[name]) for name in ("first_day", "last_day"))
    of_unit = with_year(book["harvest"], book["planting"]).filter(unit_id=values["unit_id"]).rows(named=True)
    grown = [row for row in of_unit if row["crop"] == values["crop"] and row["ending"] in (None, "harvested", NOT_YET)]
    # A card of January may go on with what was cut in December.
    begun = [day for row in grown if (day := row["first_day"]) is not None and day <= first]
    year = min(year_of(day, last) or last.year for day in (first, *begun))
    found = [row for row in grown if row["harvest_year"] == year]
    undated = [row for row in grown if row["harvest_year"] is None]
    if not found:
        found = [row for row in undated if _waits_for(row, of_unit, book, (first, last, year), as_of)]
    growing = [str(row["harvest_id"]) for row in undated if row["ending"] == NOT_YET and row not in found]
    return (found[0] if len(found) == 1 else None), (growing or [""])[0]


def _waits_for(
    entry: Row, of_unit: Iterable[Row], book: RecordBook, cut: tuple[dt.date, dt.date, int], as_of: dt.date
) -> bool:
    """Tell whether an entry without a day can be the crop that was cut on these days, which are of this harvest year.

    Its planting tells; else the year in its name; else that it was cut lately, after all that its unit has had.
    """
    first, last, year = cut
    planted = book["planting"].filter(harvest_id=entry["harvest_id"])["planted_on"].min()
    if isinstance(planted, dt.date):
        return planted <= first <= planted + _GROWS
    if called := NAMED_BY_YEAR.search(str(entry["harvest_id"])):
        return int(called[1]) == year
    before = (days_of(row)[0] or days_of(row)[1] for row in of_unit if row["ending"] in ENDINGS)
    return as_of - _YEAR <= last <= as_of and all(day < first for day in before if day)


def _clock_doubt(values: dict[str, str], book: RecordBook | None, as_of: dt.date, place: Place) -> Problem | None:
    """Say what is wrong with the days of a log; None where they can be true.

    The row is named for the crop of which it is by the days that are meant, so that whoever types them finds it there.
    """
    first, last = (dt.date.fromisoformat(values[name]) for name in ("first_day", "last_day"))
    if last > as_of:
        cause = f"the log ends on {last}, which is still to come: its clock is wrong."
        return Problem(replace(place, column="last_day"), cause, _TYPE_DAYS, code="log_ahead")
    told = clock_behind(first, as_of, replace(place, column="first_day"))
    if told is None or _entry_of_log(values, book, as_of)[0]:
        return None
    meant = {"first_day": str(first + _WEEKS_AGAIN), "last_day": str(last + _WEEKS_AGAIN)}
    entry, _ = _entry_of_log(values | meant, book, as_of)
    if entry is None and first.month >= _FALL:
        return None
    values["harvest_id"] = str((entry or {}).get("harvest_id") or values["harvest_id"])
    return told


def clock_behind(day: dt.date, as_of: dt.date, place: Place) -> Problem | None:
    """Say that a logged day is 1,024 weeks early; None where it is not so much before the last three years."""
    meant = day + _WEEKS_AGAIN
    if not as_of - _LATELY <= meant <= as_of:
        return None
    cause = f"the log says {day}, 1,024 weeks before {meant}: its GPS receiver counts weeks anew after 1,024 of them "
    cause += "(week rollover). The row was not entered."
    return Problem(place, cause, _TYPE_DAYS, code="gps_week_rollover")


def _further_log(values: Mapping[str, str], old: Row) -> dict[str, str] | None:
    """Return the book's harvest with this log added, where its bushels rest on other logs alone; None otherwise."""
    counted = [one.strip() for one in str(old["evidence"] or "").split(";") if one.strip()]
    logs = bool(counted) and all(one.startswith("file-") for one in counted) and old["known_by"] == "machine"
    if not logs or values["evidence"] in counted or old["bushels"] is None:
        return None
    described = KINDS["harvest"].fields
    before = {name: write_cell(old[name], described[name]) for name in values if old[name] is not None}
    return {**_summed(before, values), "harvest_id": str(old["harvest_id"])}


def _proposal(values: Mapping[str, str], old: Row | None, growing: str, place: Place) -> Problem:
    """Say what the log would put into the book, or how far it is from what stands there."""
    said, entry = values["note"].rstrip("."), str(old["harvest_id"]) if old else values["harvest_id"]
    at = f" at {values['moisture_pct']} %" if values.get("moisture_pct") else ""
    cause = f"the log gives {values['bushels']} bushels{at} for {entry} ({said})."
    if old is not None and isinstance(old["bushels"], int):
        mine = f"the book has {show(old['bushels'])} for {entry}, which stay"
        cause = f"the log gives {values['bushels']} bushels ({said}); {mine}."
    elif old is not None and old["ending"] == NOT_YET:
        cause += " This crop was still growing; with the log it is harvested."
    elif growing:
        cause += f" It becomes a crop of its own: {growing}, still growing, is not of {values['last_day'][:4]}."
    remedy = "Hold it against scale tickets; a monitor that was not calibrated can be far off."
    return doubt(place, cause, remedy, "logged_bushels")


def _only_new(values: Mapping[str, str], old: Row, *, replace_it: bool) -> dict[str, str]:
    """Leave what the book has of a harvest, bushels at their moisture too, unless a person asked to replace them."""
    kept = {name: str(old[name]) for name in ("harvest_id", "unit_id", "crop", "ending")}
    new = {"first_day", "last_day", "harvested_acres", "evidence"}
    if old["ending"] == NOT_YET:
        kept["ending"] = values["ending"]
    if old["bushels"] is None or replace_it:
        kept |= {name: values[name] for name in ("bushels", "moisture_pct") if name in values}
        new.add("known_by")
    return kept | {name: values[name] for name in sorted(new & values.keys()) if old[name] is None}


def _told_further(whole: Mapping[str, str], new: Mapping[str, str], old: Mapping[str, object], place: Place) -> Problem:
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


def _summed(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
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
    # How many places of the smaller trace the other has too, and how many it has, at least one.
    traces = there.traces[key], here.traces[key]
    shared, points = len(traces[0] & traces[1]), max(1, min(map(len, traces)))
    place = Place(here.source.name)
    if all(";" in row.get("evidence", "") for row in (mine, theirs)):  # both hold what the book has of other logs
        cause = f"{key} is in the book from other logs, and two files of this import add to it."
        here.problems.append(Problem(place, cause, "Import this file by itself afterwards.", code="logs_added"))
        whole = theirs
    elif 100 * shared >= _SAME_PCT * points:
        whole = theirs if parse(theirs.get("bushels", "0")) >= parse(mine.get("bushels", "0")) else mine
        cause = f"{here.source.name} and {there.source.name} hold the same points of {key}; they count once."
        here.problems.append(doubt(place, cause, "Nothing, if one is a copy of the other.", "same_log"))
    else:
        whole = _summed(theirs, mine)
        cause = f"{here.source.name} and {there.source.name} log {key}: {theirs.get('bushels')} and "
        cause += f"{mine.get('bushels')} bushels make {whole['bushels']}."
        if 100 * shared >= _TOLD_PCT * points:
            cause += f" {half_even(100 * shared, points)} % of the shorter one lies at the time and place of the other."
        here.problems.append(doubt(place, cause, "Confirm that they are different cards or combines.", "logs_added"))
    there.traces[key] |= here.traces[key]
    there.tables[its] = _with_row(there.tables[its], key, whole)
    here.tables[table] = _with_row(here.tables[table], key, None)


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
    return incoming.with_rows(rows)
