"""Work that machines and other programs logged, on its way into a book: passes, applications and harvests.

All of it is proposed. What a machine logged goes in when a person accepts it, says that it is known by the machine, and
names the log; what a person typed into another program names its file. A yield log belongs to the crop of its own year;
bushels of several logs of one field add up, unless minutes at one place that both have tell that they are copies.
"""

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final, cast

from provender.catalog.materials import find_product, find_species, inhibitors
from provender.catalog.tables import find_operation, lookup_name
from provender.exact import half_even, parse, show
from provender.formats.importing import foreign
from provender.formats.importing.incoming_files import Arrival, Choices, IncomingTable
from provender.formats.importing.references import known_records
from provender.formats.isoxml.passes import Applied, MachinePass
from provender.formats.isoxml.tasks import Practice
from provender.formats.parsed import MappedRow, Parsed, doubt
from provender.formats.units import convert, identifier, identifiers, method_of
from provender.formats.work import POUNDS, YieldLog, crop_of, usual_base
from provender.problem import Place, Problem, listed
from provender.records.book import NOT_YET, RecordBook, with_years, year_of
from provender.records.folder import write_cell
from provender.records.kind import KINDS

if TYPE_CHECKING:
    from provender.formats.isoxml.passes import MachineData


_SAME_PCT: Final = 90
_TOLD_PCT: Final = 1
_WEEKS_AGAIN: Final = dt.timedelta(weeks=1024)
"""After so many weeks a GPS receiver counts them anew; one that does not know it dates its points so much too early."""
_LATELY: Final = dt.timedelta(days=3 * 366)
_FALL: Final = 8
"""The month from which on these crops are cut; what stands over winter is cut in the first ones."""
_TYPE_DAYS: Final = "Type the right day into the row that stays out, and import that."
_SUMS: Final = ("bushels", "harvested_acres")


Row = Mapping[str, object]


def _propose_harvests(rows: Iterable[MappedRow], arrival: Arrival) -> dict[str, str]:
    """Add the harvests of a file, which wait for a nod; return what each is called in the book, by its own name.

    A row whose days cannot be true stays out, and is called nothing.
    """
    book, choices = arrival.book, arrival.choices
    alone: dict[tuple[str, str], MappedRow] = {}
    on_file = [MappedRow(row.number, {**row.values, "evidence": arrival.source.evidence_id}) for row in rows]
    for row in on_file:  # two fields of a monitor on one unit, or two days, are one harvest
        key = row.values["harvest_id"], row.values.get("moisture_pct", "")
        before = alone.setdefault(key, row)
        if before is not row:
            alone[key] = MappedRow(before.number, _summed(before.values, row.values))
    proposed, wrong, overruling = [], [], set()
    names: dict[str, str] = {}
    for row in alone.values():
        values, place = dict(row.values), arrival.place(row.number)
        old, growing = _entry_of_log(values, book, choices.as_of)
        if clock := _clock_doubt(values, book, choices.as_of, place):
            wrong.append(clock)
        elif old is not None and (more := _further_log(values, old)):
            arrival.problems.append(_told_further(more, values, old, place))
            overruling.add(row.number)
            values = more
        else:
            arrival.problems.append(_proposal(values, old, growing, place))
            values = _only_new(values, old, replace_it=choices.replace) if old else values
            overruling |= {row.number} if old and old["ending"] == NOT_YET else set()
        proposed.append(MappedRow(row.number, values))
        names |= {} if clock else {row.values["harvest_id"]: values["harvest_id"]}
    arrival.add("harvest", proposed, told=wrong, waits=True).overrules = overruling
    return names


def _entry_of_log(values: Mapping[str, str], book: RecordBook | None, as_of: dt.date) -> tuple[Row | None, str]:
    """Return the book's entry of the same unit, crop and harvest year, or the one that waits for this harvest.

    None where there is none, or not one alone; with the entry that grows and is of another year, empty for none.
    """
    if book is None:
        return None, ""
    first, last = (dt.date.fromisoformat(values[name]) for name in ("first_day", "last_day"))
    of_unit = [row for row in with_years(book) if row["unit_id"] == values["unit_id"]]
    grown = [row for row in of_unit if row["crop"] == values["crop"] and row["ending"] in (None, "harvested", NOT_YET)]
    # A card of January may go on with what was cut in December.
    begun = [day for row in grown if (day := row["first_day"]) is not None and day <= first]
    year = min(year_of(day, last) or last.year for day in (first, *begun))
    found = [row for row in grown if row["harvest_year"] == year]
    undated = [row for row in grown if row["harvest_year"] is None]
    if not found:
        entries, cut = known_records(book, (), {}).entries, (first, last, year)
        found = [row for row in undated if entries.waits_for(str(row["farm_id"]), str(row["harvest_id"]), cut, as_of)]
    growing = [str(row["harvest_id"]) for row in undated if row["ending"] == NOT_YET and row not in found]
    return (found[0] if len(found) == 1 else None), (growing or [""])[0]


def _clock_doubt(values: dict[str, str], book: RecordBook | None, as_of: dt.date, place: Place) -> Problem | None:
    """Say what is wrong with the days of a log; None where they can be true.

    The row is named for the crop of which it is by the days that are meant, so that whoever types them finds it there.
    """
    first, last = (dt.date.fromisoformat(values[name]) for name in ("first_day", "last_day"))
    if last > as_of:
        cause = f"the log ends on {last}, which is still to come: its clock is wrong."
        return Problem(replace(place, column="last_day"), cause, _TYPE_DAYS, code="log_ahead")
    told = _clock_behind(first, as_of, replace(place, column="first_day"))
    if told is None or _entry_of_log(values, book, as_of)[0]:
        return None
    meant = {"first_day": str(first + _WEEKS_AGAIN), "last_day": str(last + _WEEKS_AGAIN)}
    entry, _ = _entry_of_log(values | meant, book, as_of)
    if entry is None and first.month >= _FALL:
        return None
    values["harvest_id"] = str((entry or {}).get("harvest_id") or values["harvest_id"])
    return told


def _clock_behind(day: dt.date, as_of: dt.date, place: Place) -> Problem | None:
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
    if all(values.get(name) == before.get(name) for name in (*_SUMS, "first_day", "last_day")):
        return None  # the same log, saved or exported once more
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


def add_up(arrivals: Sequence[Arrival]) -> None:
    """Let the logs of an import that are of one harvest make one row: the first of them has it, and names them."""
    first: dict[str, tuple[Arrival, int]] = {}
    for arrival in arrivals:
        for key in arrival.traces:
            _join(first, key, arrival)


def _join(first: dict[str, tuple[Arrival, int]], key: str, here: Arrival) -> None:
    table = next((index for index, one in enumerate(here.tables) if _row_of(one, key) is not None), None)
    if table is None:
        return
    there, its = first.setdefault(key, (here, table))
    mine, theirs = _row_of(here.tables[table], key), _row_of(there.tables[its], key)
    if there is here or mine is None or theirs is None:
        return
    # How many places of the smaller trace the other has too, and how many it has, at least one.
    traces = there.traces[key], here.traces[key]
    shared, points = len(traces[0] & traces[1]), max(1, min(map(len, traces)))
    place = here.place()
    if all(";" in row.get("evidence", "") for row in (mine, theirs)):  # both hold what the book has of other logs
        cause = f"{key} is in the book from other logs, and two files of this import add to it."
        here.problems.append(Problem(place, cause, "Import this file by itself afterwards.", code="logs_added"))
        whole = theirs
    elif 100 * shared >= _SAME_PCT * points:
        whole = theirs if parse(theirs.get("bushels", "0")) >= parse(mine.get("bushels", "0")) else mine
        cause = f"{here.source.name} and {there.source.name} hold the same points of {key}; they count once."
        here.ask(place, cause, "Nothing, if one is a copy of the other.", "same_log")
    else:
        whole = _summed(theirs, mine)
        cause = f"{here.source.name} and {there.source.name} log {key}: {theirs.get('bushels')} and "
        cause += f"{mine.get('bushels')} bushels make {whole['bushels']}."
        if 100 * shared >= _TOLD_PCT * points:
            cause += f" {half_even(100 * shared, points)} % of the shorter one lies at the time and place of the other."
        here.ask(place, cause, "Confirm that they are different cards or combines.", "logs_added")
    there.traces[key] |= here.traces[key]
    _set_row(there.tables[its], key, whole)
    _set_row(here.tables[table], key, {})


def _row_of(incoming: IncomingTable, key: str) -> dict[str, str] | None:
    rows = incoming.texts() if incoming.kind is KINDS["harvest"] else ()
    return next(({name: text for name, text in row.items() if text} for row in rows if row["harvest_id"] == key), None)


def _set_row(incoming: IncomingTable, key: str, values: Mapping[str, str]) -> None:
    """Put another row of a harvest into a table; take it out where it says nothing."""
    numbers = [number for number, row in incoming.numbered() if row["harvest_id"] == key]
    incoming.set_rows(row for row in incoming.table.rows if values or row[0] not in numbers)
    incoming.set_cells(lambda number, row: {name: values.get(name, "") for name in row if number in numbers})


_WORKS_SOIL: Final = (Practice.TILLAGE, Practice.SEEDING)
_PUT_ON: Final = (Practice.FERTILIZING, Practice.SPRAYING)
_OFF_THE_GROUND: Final = ("aerial", "fertigation", "by_hand")
"""Methods that take no pass over the field."""
_WHOLE: Final = 100_000
_NAMELESS: Final = "product without a name"
_ANSWERS: Final = {"no_product": "product", "no_rate_unit": "rate_unit"}
"""What a reader asks for, and the column for which a person may have answered once for every row."""


def machine_data(arrival: Arrival) -> None:
    """Read work into rows that wait for a person's nod; what cannot be a row is told."""
    book, choices = arrival.book, arrival.choices
    options = {"outlines": foreign.outlines_of(book, choices)} if arrival.reader == "applied_points" else {}
    parsed = cast("Parsed[MachineData]", arrival.parse(arrival.reader, **options))
    arrival.problems += [each for each in parsed.problems if _ANSWERS.get(each.code) not in choices.constants]
    if parsed.result is None:
        return
    found = parsed.result
    if found.boundaries.fields:
        foreign.boundaries_found(found.boundaries, arrival, waits=True)
    names = [field.label for field in found.boundaries.fields] + [each.field or each.task for each in found.passes]
    ids = identifiers(names, (unit["unit_id"] for unit in book["unit"]) if book else ())
    rows: dict[str, list[MappedRow]] = {"operation": [], "nutrient_application": [], "harvest": []}
    for number, each in enumerate(found.passes, start=1):
        unit = _unit(each, ids, arrival)
        common = {
            "unit_id": unit,
            "day": each.day.isoformat(),
            **({"known_by": "machine"} if each.by_machine else {}),
        }
        for about, values in _record_rows(each, unit, arrival, arrival.place(number)):
            if about == "nutrient_application":
                values["product"] = values["product"] or choices.constants.get("product", _NAMELESS)
                values["method"] = _method(each, choices)
            rows[about].append(MappedRow(len(rows[about]) + 1, _fitting(about, {**common, **values})))
    rows["soil_test"] = [_tested(each, arrival) for each in found.soil_tests]
    for about, made in rows.items():
        if made and about == "harvest":
            _propose_harvests(made, arrival)
        elif made:
            # Of rows whose day is 1,024 weeks early it is said; they stay out.
            days = [(row.values["day"], arrival.place(row.number, "day")) for row in made if "day" in row.values]
            behind = (_clock_behind(dt.date.fromisoformat(day), choices.as_of, place) for day, place in days)
            arrival.add(about, made, told=filter(None, behind), waits=True, on_file=True)
    if arrival.tables:
        logged = all(each.by_machine for each in found.passes)
        arrival.keep_as("machine_file" if logged else "other", waits=True)


def _unit(each: MachinePass, ids: Mapping[str, str], arrival: Arrival) -> str:
    """Return the unit that a person named, the one of the book that is called so or lies there, or the name's own."""
    name = each.field or each.task
    called = foreign.unit_called(arrival, name)
    return (
        called or (foreign.unit_around(*each.place, arrival.book, arrival.choices) if each.place else "") or ids[name]
    )


def _tested(row: MappedRow, arrival: Arrival) -> MappedRow:
    """Return a soil test under the unit that its field is called after, with the file it stands in."""
    name = row.values.get("unit_id", "")
    unit = foreign.unit_called(arrival, name) or identifier(name)
    return MappedRow(row.number, {**row.values, "unit_id": unit})


def _fitting(kind: str, values: Mapping[str, str]) -> dict[str, str]:
    """Leave out what is empty, and the day of a harvest, which has a first and a last one."""
    without = {"day"} if kind == "harvest" else set()
    return {name: text for name, text in values.items() if text and name not in without}


def _record_rows(each: MachinePass, unit: str, arrival: Arrival, place: Place) -> list[tuple[str, dict[str, str]]]:
    """Return the records of a pass, without names: what they say tells them when another copy of the log comes."""
    if each.practice is Practice.HARVEST:
        row = _harvest_row(each, unit, arrival, place)
        named = each.machine or each.operation or each.task
        return [*([("harvest", row)] if row else []), *([("operation", _operation(each))] if named else [])]
    made = [("nutrient_application", values) for values in _applications(each, arrival, place)]
    is_named = each.machine or each.operation or each.task or each.practice not in _PUT_ON
    if is_named and not each.rides_along and _method(each, arrival.choices) not in _OFF_THE_GROUND:
        made.append(("operation", _operation(each)))
        _doubt_name(each, arrival, place)
    return made


def _operation(each: MachinePass) -> dict[str, str]:
    return {
        # What a list of operations names says more than what the machine is called.
        "operation": each.operation if find_operation(each.operation) else each.machine or each.operation or each.task,
        "equipment": each.machine,
        "depth_in": _shown(each.depth_in),
        "speed_mph": _shown(each.speed_mph),
        "width_ft": _shown(each.width_ft),
        "treated_acres": _shown(each.acres),
        "note": f"Task {each.task!r}, log {each.log}, {each.points} records."
        if each.points
        else f"Task {each.task!r}, {each.log}: the terminal's totals, without a log.",
    }


def _doubt_name(each: MachinePass, arrival: Arrival, place: Place) -> None:
    """Ask where the task's name says another thing than the machine."""
    words = f"{each.task} {each.operation}".casefold()
    if each.practice is Practice.TILLAGE and any(word in words for word in ("plant", "sow", "seed", "spray")):
        cause = f"{each.machine!r} is a tillage tool, but its task is called {each.operation or each.task!r}."
        arrival.ask(place, cause, "It was read as tillage; confirm it.", "task_named_otherwise")
    known = find_operation(each.operation)
    works = each.practice in _WORKS_SOIL and (known is None or known.several_tools or known.depth_in is not None)
    if works and each.depth_in is None:
        cause = f"{each.machine!r} logged no depth on {each.day}; a zero of a terminal is no depth."
        arrival.ask(place, cause, "Type the depth of this pass.", "no_depth_logged")


def _method(each: MachinePass, choices: Choices) -> str:
    """Return how a product went on: as a person said, as the file says, or as operation and machine are called."""
    said = choices.constants.get("method") or each.method
    # A task is named after a field or a customer too, and some programs put its name in the place of the operation.
    operation = "" if each.operation == each.task else each.operation
    return method_of(said) if said else method_of(each.machine, operation)


def _put_on(applied: Sequence[Applied]) -> list[Applied]:
    """Return what went on by itself.

    An inhibitor beside fertilizers goes with each, and no rate of several products together is that of one.
    """
    made: list[Applied] = []
    for part in dict.fromkeys(each.part for each in applied):
        here = [each for each in applied if each.part == part]
        added = [each for each in here if not find_product(each.product) and lookup_name(each.product) in inhibitors()]
        others = [each for each in here if each not in added]
        if len(added) != 1 or not any(find_product(each.product) for each in others):
            added, others = [], here
        is_split = sum(each.is_shared for each in others) > 1
        for each in others:
            own = replace(each, rate=0, unit="") if each.is_shared and is_split else each
            for one in added if find_product(each.product) and not each.inhibitor else ():
                rate, unit = (0, "") if one.is_shared else (one.rate, one.unit)
                own = replace(own, inhibitor=one.product, inhibitor_rate=rate, inhibitor_unit=unit)
            made.append(own)
    return made


def _applications(each: MachinePass, arrival: Arrival, place: Place) -> list[dict[str, str]]:
    made = []
    for applied in _put_on(each.applied):
        if applied.unit == "seeds/ac":
            continue
        known = find_product(applied.product)
        rate = f"{show(applied.rate)} {applied.unit}" if applied.rate else "a rate that the file does not tell"
        if each.practice is Practice.SEEDING and known is None and (not applied.rate or _is_seed(applied)):
            cause = f"{applied.product} was sown on {each.day} at {rate}; seed is no nutrient and was not entered."
            remedy = "Enter it under cover crops, or under plantings."
            arrival.ask(place, cause, remedy, "seed_sown")
            continue
        if each.practice is Practice.SPRAYING and known is None:
            cause = f"{applied.product or f'a {_NAMELESS}'} was sprayed on {each.day} at {rate}; "
            cause += "it was not entered as a nutrient."
            remedy = "If it carried N, P or K, enter it under nutrient applications."
            arrival.ask(place, cause, remedy, "sprayed_product")
            continue
        made.append(
            {
                "product": applied.product,
                "rate": _shown(applied.rate or None),
                "rate_unit": applied.unit,
                "inhibitor": applied.inhibitor,
                "inhibitor_rate": _shown(applied.inhibitor_rate or None),
                "inhibitor_rate_unit": applied.inhibitor_unit,
                "treated_acres": _shown(each.acres if applied.acres is None else applied.acres),
                "note": f"{each.machine}, task {each.task!r}, log {each.log}.",
            }
        )
    return made


def _is_seed(applied: Applied) -> bool:
    """Tell whether the file says that a product is seed, or its name does by that word or a crop's."""
    words = lookup_name(applied.product).split()
    return applied.is_seed or "seed" in words or any(crop_of(word) in POUNDS or find_species(word) for word in words)


def _harvest_row(each: MachinePass, unit: str, arrival: Arrival, place: Place) -> dict[str, str] | None:
    """Return a harvest in dry bushels; None where the crop is not told, or nothing was weighed."""
    crop = each.crop or _crop_named(f"{each.operation} {each.task}")
    if (each.harvest_kg is None and each.bushels is None) or crop not in POUNDS:
        cause = f"{each.machine!r} harvested on {each.day}, but the log does not tell of which crop or how much."
        remedy = "Type the harvest, or export it as a yield log."
        arrival.ask(place, cause, remedy, "harvest_without_crop")
        return None
    base = usual_base(crop)
    told = f"{show(each.bushels)} bushels stated" if each.bushels is not None else f"{each.harvest_kg} kg logged"
    pounds = convert(Fraction(each.harvest_kg or 0), "kg", "lb")
    dry = min(Fraction(1), Fraction(_WHOLE - (each.moisture_pct or base), _WHOLE - base))
    bushels = each.bushels if each.bushels is not None else round(pounds / POUNDS[crop] * dry * 1000)
    moisture = (each.moisture_pct or 0) if each.bushels is not None else base
    said = f"{told} on {_shown(each.acres) or 'unknown'} acres; calibrate against scale tickets."
    return _cut(unit, crop, (each.day, max(each.day, each.last_day or each.day)), bushels, moisture, said)


def _cut(unit: str, crop: str, days: tuple[dt.date, dt.date], bushels: int, moisture: int, said: str) -> dict[str, str]:
    """Return a logged harvest; bushels and the percent of moisture at which they are counted in thousandths."""
    return {
        "harvest_id": identifier(f"{unit}-{crop}-{year_of(*days)}"),
        "crop": crop,
        "use": "grain",
        "ending": "harvested",
        "first_day": days[0].isoformat(),
        "last_day": days[1].isoformat(),
        "bushels": show(bushels),
        "moisture_pct": show(moisture) if moisture else "",
        "note": said,
    }


def _crop_named(text: str) -> str:
    """Return the one crop that a task's words name, such as ``Harvest corn``; empty for none or several."""
    found = {crop for word in text.split() if (crop := crop_of(word)) in POUNDS}
    return found.pop() if len(found) == 1 else ""


def _shown(amount: int | None) -> str:
    return "" if amount is None else show(amount)


def _name_in_log(field: str) -> str:
    """Return what a farm calls a field that a monitor numbers and names, such as ``F0:N40``."""
    return re.sub(r"^F\d+:\s*", "", field)


def yields(arrival: Arrival) -> None:
    """Read a yield log into proposed harvests; they go in when a person accepts them.

    Points that could not be read are told and not counted: the proposal is then too low, never too high.
    """
    choices = arrival.choices
    unit_id = choices.units.get("", "")
    boundary = foreign.boundary_of(arrival.book, unit_id, choices)
    log = cast("YieldLog | None", arrival.read("yield_log", boundary=boundary))
    if log is None:
        return
    named = {
        one.field: choices.unit_for(one.field) or foreign.unit_called(arrival, _name_in_log(one.field))
        for one in log.fields
    }
    ids, rows = identifiers(map(_name_in_log, named)), []
    for number, field in enumerate(log.fields, start=1):
        unit = named[field.field] or ids[_name_in_log(field.field)]
        said = f"{show(field.wet_bushels)} wet bushels at {show(field.moisture_pct)} %; {field.points} points."
        days = field.first_day, field.last_day
        values = _cut(unit, field.crop, days, field.dry_bushels, field.base_moisture_pct, said)
        acres = {"unit_id": unit, "harvested_acres": show(field.logged_acres), "known_by": "machine"}
        rows.append(MappedRow(number, values | acres))
    names = _propose_harvests(rows, arrival)
    traces: dict[str, frozenset[str]] = {}
    taken: dict[str, list[str]] = {}
    for row, field in zip(rows, log.fields, strict=True):
        key = names.get(row.values["harvest_id"], "")
        traces[key] = traces.get(key, frozenset()) | frozenset(field.trace)
        taken.setdefault(row.values["harvest_id"], []).append(field.field)
    for fields in (each for each in taken.values() if len(each) > 1 and not all(map(choices.unit_for, each))):
        cause = f"the monitor's fields {listed(fields)} were taken for one field of the farm; their bushels add up."
        remedy = f"Confirm it, or say which field each is: --unit '{fields[-1]}=UNIT'."
        arrival.ask(arrival.place(), cause, remedy, "fields_added")
    arrival.traces = {key: trace for key, trace in traces.items() if key}
    arrival.keep_as("machine_file", unit_id=unit_id).waits = not choices.accept
