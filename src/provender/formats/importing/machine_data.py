"""Work that machines and other programs logged, on its way into a book: outlines, passes, applications and harvests.

All of it is proposed. What a machine logged goes in when a person accepts it, says that it is known by the machine, and
names the log; what a person typed into another program names its file.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from provender.catalog.materials import find_product, find_species, inhibitors
from provender.catalog.tables import find_operation, lookup_name
from provender.exact import show
from provender.formats.detect import Kind as FileKind
from provender.formats.importing.foreign import boundaries_found, outlines_of, unit_around, unit_called
from provender.formats.importing.from_mapped import from_mapped, kept_file
from provender.formats.importing.incoming_files import Arrival, Choices, Source
from provender.formats.importing.logs import clock_behind, propose_harvests
from provender.formats.importing.printed import evidence_id
from provender.formats.isoxml.passes import Applied, MachinePass
from provender.formats.isoxml.tasks import Practice
from provender.formats.parsed import MappedRow, MappedTable, Parsed, doubt
from provender.formats.units import convert, identifier, identifiers, method_of
from provender.formats.yields import POUNDS, crop_of, usual_base
from provender.problem import Place, Problem
from provender.records.book import RecordBook

if TYPE_CHECKING:
    from provender.formats.isoxml.passes import MachineData

_WORKS_SOIL: Final = (Practice.TILLAGE, Practice.SEEDING)
_PUT_ON: Final = (Practice.FERTILIZING, Practice.SPRAYING)
_OFF_THE_GROUND: Final = ("aerial", "fertigation", "by_hand")
"""Methods that take no pass over the field."""
_WHOLE: Final = 100_000
_NAMELESS: Final = "product without a name"
_ANSWERS: Final = {"no_product": "product", "no_rate_unit": "rate_unit"}
"""What a reader asks for, and the column for which a person may have answered once for every row."""


def machine_data(path: Path, source: Source, choices: Choices, book: RecordBook | None, kind: FileKind) -> Arrival:
    """Read work into rows that wait for a person's nod; what cannot be a row is told."""
    arrival = Arrival(source, kind.label)
    options = {"outlines": outlines_of(book, choices)} if kind.reader == "applied_points" else {}
    parsed = cast("Parsed[MachineData]", choices.parse(kind.reader, path, name=source.name, **options))
    arrival.problems += [each for each in parsed.problems if _ANSWERS.get(each.code) not in choices.constants]
    if parsed.result is None:
        return arrival
    found = parsed.result
    if found.boundaries.fields:
        boundaries_found(found.boundaries, arrival, choices, book, waits=not choices.accept)
    names = [field.label for field in found.boundaries.fields] + [each.field or each.task for each in found.passes]
    ids = identifiers(names, (str(unit) for unit in book["unit"]["unit_id"]) if book else ())
    rows: dict[str, list[MappedRow]] = {"operation": [], "nutrient_application": [], "harvest": []}
    for number, each in enumerate(found.passes, start=1):
        place = Place(source.name, row=number)
        unit = _unit(each, ids, choices, book)
        common = {
            "unit_id": unit,
            "day": each.day.isoformat(),
            **({"known_by": "machine"} if each.by_machine else {}),
            "evidence": evidence_id(source),
        }
        for about, values in _rows(each, number, unit, choices, arrival, place):
            if about == "nutrient_application":
                values["product"] = values["product"] or choices.constants.get("product", _NAMELESS)
                values["method"] = _method(each, choices)
            rows[about].append(MappedRow(number, _fitting(about, {**common, **values})))
    rows["soil_test"] = [_tested(each, source, choices, book) for each in found.soil_tests]
    waits = not choices.accept
    for about, made in rows.items():
        if made and about == "harvest":
            arrival.tables.append(propose_harvests(made, source, choices, book, arrival.problems)[0])
        elif made:
            table = MappedTable(source.name, "", about, tuple(made))
            behind = _clocks_behind(made, source, choices)
            arrival.tables.append(from_mapped(table, source, behind, choices, waits=waits))
    if arrival.tables:
        logged = all(each.by_machine for each in found.passes)
        arrival.tables.append(kept_file(source, "machine_file" if logged else "other", choices, waits=waits))
    return arrival


def _clocks_behind(rows: Iterable[MappedRow], source: Source, choices: Choices) -> list[Problem]:
    """Say of which rows the day is 1,024 weeks early: they stay out."""
    days = [
        (Place(source.name, row=row.number, column="day"), row.values["day"]) for row in rows if "day" in row.values
    ]
    told = (clock_behind(dt.date.fromisoformat(day), choices.as_of, place) for place, day in days)
    return list(filter(None, told))


def _unit(each: MachinePass, ids: Mapping[str, str], choices: Choices, book: RecordBook | None) -> str:
    """Return the unit that a person named, the one of the book that is called so or lies there, or the name's own."""
    name = each.field or each.task
    said = choices.unit_for(name) or unit_called(book, name)
    return said or (unit_around(*each.place, book, choices) if each.place else "") or ids[name]


def _tested(row: MappedRow, source: Source, choices: Choices, book: RecordBook | None) -> MappedRow:
    """Return a soil test under the unit that its field is called after, with the file it stands in."""
    name = row.values.get("unit_id", "")
    unit = choices.unit_for(name) or unit_called(book, name) or identifier(name)
    return MappedRow(row.number, {**row.values, "unit_id": unit, "evidence": evidence_id(source)})


def _fitting(kind: str, values: Mapping[str, str]) -> dict[str, str]:
    """Leave out what is empty, and the day of a harvest, which has a first and a last one."""
    without = {"day"} if kind == "harvest" else set()
    return {name: text for name, text in values.items() if text and name not in without}


def _rows(
    each: MachinePass, number: int, unit: str, choices: Choices, arrival: Arrival, place: Place
) -> list[tuple[str, dict[str, str]]]:
    if each.practice is Practice.HARVEST:
        row = _harvest(each, unit, arrival, place)
        named = each.machine or each.operation or each.task
        return [*([("harvest", row)] if row else []), *([("operation", _operation(each, number))] if named else [])]
    made = [("nutrient_application", values) for values in _applications(each, number, arrival, place)]
    is_named = each.machine or each.operation or each.task or each.practice not in _PUT_ON
    if is_named and not each.rides_along and _method(each, choices) not in _OFF_THE_GROUND:
        made.append(("operation", _operation(each, number)))
        _doubt_name(each, arrival, place)
    return made


def _operation(each: MachinePass, number: int) -> dict[str, str]:
    return {
        "operation_id": identifier(f"{each.log}-{each.day}-{number}"),
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
        arrival.problems.append(doubt(place, cause, "It was read as tillage; confirm it.", "task_named_otherwise"))
    known = find_operation(each.operation)
    works = each.practice in _WORKS_SOIL and (known is None or known.several_tools or known.depth_in is not None)
    if works and each.depth_in is None:
        cause = f"{each.machine!r} logged no depth on {each.day}; a zero of a terminal is no depth."
        arrival.problems.append(doubt(place, cause, "Type the depth of this pass.", "no_depth_logged"))


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


def _applications(each: MachinePass, number: int, arrival: Arrival, place: Place) -> list[dict[str, str]]:
    made = []
    for place_no, applied in enumerate(_put_on(each.applied), start=1):
        if applied.unit == "seeds/ac":
            continue
        known = find_product(applied.product)
        rate = f"{show(applied.rate)} {applied.unit}" if applied.rate else "a rate that the file does not tell"
        if each.practice is Practice.SEEDING and known is None and (not applied.rate or _is_seed(applied)):
            cause = f"{applied.product} was sown on {each.day} at {rate}; seed is no nutrient and was not entered."
            remedy = "Enter it under cover crops, or under plantings."
            arrival.problems.append(doubt(place, cause, remedy, "seed_sown"))
            continue
        if each.practice is Practice.SPRAYING and known is None:
            cause = f"{applied.product or f'a {_NAMELESS}'} was sprayed on {each.day} at {rate}; "
            cause += "it was not entered as a nutrient."
            remedy = "If it carried N, P or K, enter it under nutrient applications."
            arrival.problems.append(doubt(place, cause, remedy, "sprayed_product"))
            continue
        made.append(
            {
                "application_id": identifier(f"{each.log}-{each.day}-{number}-{place_no}"),
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


def _harvest(each: MachinePass, unit: str, arrival: Arrival, place: Place) -> dict[str, str] | None:
    """Return a harvest in dry bushels; None where the crop is not told, or nothing was weighed."""
    crop = each.crop or _crop_named(f"{each.operation} {each.task}")
    if (each.harvest_kg is None and each.bushels is None) or crop not in POUNDS:
        cause = f"{each.machine!r} harvested on {each.day}, but the log does not tell of which crop or how much."
        remedy = "Type the harvest, or export it as a yield log."
        arrival.problems.append(doubt(place, cause, remedy, "harvest_without_crop"))
        return None
    base = usual_base(crop)
    told = f"{show(each.bushels)} bushels stated" if each.bushels is not None else f"{each.harvest_kg} kg logged"
    pounds = convert(Fraction(each.harvest_kg or 0), "kg", "lb")
    dry = min(Fraction(1), Fraction(_WHOLE - (each.moisture_pct or base), _WHOLE - base))
    bushels = each.bushels if each.bushels is not None else round(pounds / POUNDS[crop] * dry * 1000)
    moisture = (each.moisture_pct or 0) if each.bushels is not None else base
    return {
        "harvest_id": identifier(f"{unit}-{crop}-{each.day.year}"),
        "crop": crop,
        "use": "grain",
        "ending": "harvested",
        "first_day": each.day.isoformat(),
        "last_day": max(each.day, each.last_day or each.day).isoformat(),
        "bushels": show(bushels),
        "moisture_pct": show(moisture) if moisture else "",
        "note": f"{told} on {_shown(each.acres) or 'unknown'} acres; calibrate against scale tickets.",
    }


def _crop_named(text: str) -> str:
    """Return the one crop that a task's words name, such as ``Harvest corn``; empty for none or several."""
    found = {crop for word in text.split() if (crop := crop_of(word)) in POUNDS}
    return found.pop() if len(found) == 1 else ""


def _shown(amount: int | None) -> str:
    return "" if amount is None else show(amount)
