"""Logs and land of farmOS, as its JSON:API hands them out or stores them in a file.

One document, or a list of them: logs with their quantities, terms and land among ``data`` and ``included``. A log that
is only planned is no work; what somebody typed into farmOS is no machine's word.
"""

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from provender.formats import work
from provender.formats.boundaries import build
from provender.formats.geometry import Outline, load_json
from provender.formats.isoxml.passes import Applied, MachineData, MachinePass
from provender.formats.isoxml.tasks import Practice
from provender.formats.labs import Result, column_of, soil_values
from provender.formats.parsed import MappedRow, Problems, reader
from provender.formats.units import identifier, number_out
from provender.formats.work import POUNDS, crop_of
from provender.problem import Place

_TYPE: Final = "Type the value in the unit of the column, if the budget rests on it."
_EXPORT: Final = "Save the answer of the address api/log/... with include=quantity,location,quantity.units as a file."
_PRACTICES: Final = {
    "log--activity": Practice.OTHER,
    "log--seeding": Practice.SEEDING,
    "log--input": Practice.FERTILIZING,
    "log--harvest": Practice.HARVEST,
}
_SOIL: Final = ("soil", "")
_LAND: Final = "asset--land"
_LAB: Final = "log--lab_test"
_DECIMALS: Final = 9
"""Of a value: more than any laboratory states."""

Resource = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Farm:
    """Every resource of the file by type and id."""

    resources: dict[tuple[str, str], Resource]

    def related(self, one: Resource, *names: str) -> Iterator[Resource]:
        """Yield the resources to which one refers under any of the names; those that the file lacks are left out."""
        stated = one.get("relationships")
        relations: Mapping[str, Any] = stated if isinstance(stated, Mapping) else {}
        for name in names:
            relation = relations.get(name)
            for each in work.mappings(relation.get("data")) if isinstance(relation, Mapping) else ():
                found = self.resources.get((str(each.get("type")), str(each.get("id"))))
                if found is not None:
                    yield found

    def text(self, one: Resource, name: str) -> str:
        """Return the name of the first resource to which one refers, or empty."""
        return next((work.text_of(each["attributes"]) for each in self.related(one, name)), "")


@reader
def read_farmos(path: Path, problems: Problems) -> MachineData | None:
    """Read work that was done, harvests, and outlines of land."""
    farm = _Farm(dict(_resources(load_json(path.read_bytes(), problems))))
    land = [each for (kind, _), each in farm.resources.items() if kind == _LAND]
    logs = [each for (kind, _), each in farm.resources.items() if kind.startswith("log--")]
    if not logs and not land:
        raise problems.refusal("the file holds no log and no land of farmOS.", _EXPORT, "no_operations")
    boundaries = build([one for at, each in enumerate(land, 1) for one in _outline(each, problems.row(at))], problems)
    found = [_taken(each, farm, problems.row(at)) for at, each in enumerate(logs, start=1)]
    tests = tuple(each for each in found if isinstance(each, MappedRow))
    passes = tuple(each for each in found if isinstance(each, MachinePass))
    if not passes and not tests and not boundaries.fields and not problems.found:
        raise problems.refusal("no log and no land of the file says what can be taken.", _EXPORT, "no_operations")
    return MachineData(passes, boundaries, tests)


def _resources(document: object) -> Iterator[tuple[tuple[str, str], Resource]]:
    for page in work.mappings(document):
        found = [*work.mappings(page.get("data")), *work.mappings(page.get("included"))]
        for each in found or [page]:
            if isinstance(each.get("type"), str) and isinstance(each.get("attributes"), Mapping):
                yield (each["type"], str(each.get("id") or "")), each


def _outline(land: Resource, problems: Problems) -> Iterator[Outline]:
    told = land["attributes"]
    drawn = told.get("intrinsic_geometry") or told.get("geometry")
    text = drawn.get("value") if isinstance(drawn, Mapping) else drawn
    name = work.text_of(told)
    again = "Draw it again in farmOS."
    if text and (polygons := work.polygons_of(str(text), f"the outline of {name}", again, problems)):
        yield Outline(problems.place, {"name": name}, polygons)


def _taken(log: Resource, farm: _Farm, problems: Problems) -> MachinePass | MappedRow | None:
    """Return what a log says was done or measured; None, told, where it cannot be taken."""
    told, kind = log["attributes"], str(log["type"])
    title = work.text_of(told) or kind
    practice = _PRACTICES.get(kind)
    if told.get("status") != "done":
        cause = f"{title!r} is {told.get('status') or 'without a status'}, not done; it was not taken."
        problems.note(cause, "Import it again when it is done.", "not_done")
        return None
    if practice is None and kind != _LAB:
        what = kind.removeprefix("log--").replace("_", " ")
        cause = f"{title!r} is a {what} log, which is not read; it was not taken."
        problems.doubt(cause, "Type what it says, if a practice rests on it.", "other_log")
        return None
    land = [each for each in farm.related(log, "location", "asset") if each["type"] == _LAND]
    fields = [work.text_of(each["attributes"]) for each in land]
    longitude = next((one.polygons[0][0][0][0] for each in land for one in _outline(each, Problems(Place("")))), None)
    day = work.day_of(told.get("timestamp"), longitude)
    if day is None or len(set(fields)) > 1:
        cause = f"{title!r} names {'no day' if day is None else 'several fields'}; it was not taken."
        problems.error(cause, "Correct the log, or type the work of each field.", "bad_log")
        return None
    if longitude is None and work.is_greenwich(told.get("timestamp")):
        work.ask_day(problems, day)
    field = fields[0] if fields else ""
    if practice is None:
        return _test(log, farm, field, day, problems)
    return _pass(log, practice, farm, field, day, problems)


def _test(log: Resource, farm: _Farm, field: str, day: dt.date, problems: Problems) -> MappedRow | None:
    """Return a soil test of a lab-test log; everything of it that is not taken is told."""
    told = log["attributes"]
    title = work.text_of(told) or "lab test"
    what = str(told.get("lab_test_type") or "")
    if what not in _SOIL:
        cause = f"{title!r} is a test of {what}; no record rests on it, so it was not taken."
        problems.note(cause, "Nothing to do.", "other_test")
        return None
    results = []
    for each in (_Quantity.of(one, farm) for one in farm.related(log, "quantity")):
        if each.value is not None and column_of(each.label):
            results.append(Result(each.label, number_out(each.value, _DECIMALS)[0], each.unit, each.method))
        else:
            why = "is no number" if column_of(each.label) else "is none that a soil test asks for"
            cause = f"{each.label or 'a value without a name'} of {title!r} {why}; it was not taken."
            problems.doubt(cause, _TYPE, "other_value")
    values = dict(soil_values(results, problems))
    if not values.keys() - {"depth_in", "method"}:
        cause = f"{title!r} states none of pH, organic matter, nitrate N, P and K with its unit; it was not taken."
        problems.doubt(cause, _TYPE, "no_values")
        return None
    if work.day_of(told.get("lab_received_date"), None) == day:
        cause = f"the day of {title!r}, {day}, is also the day the laboratory received the sample."
        problems.doubt(cause, "Confirm the day on which it was taken.", "sampled_or_received")
    key = identifier(f"farmos-{log.get('id') or title}-{day}")
    laboratory = farm.text(log, "lab") or work.text_of(told.get("lab"))
    texts = {"soil_test_id": key, "unit_id": field, "sampled_on": day.isoformat(), "laboratory": laboratory, **values}
    return MappedRow(problems.place.row, {name: text for name, text in texts.items() if text})


def _pass(log: Resource, practice: Practice, farm: _Farm, field: str, day: dt.date, problems: Problems) -> MachinePass:
    told, kind = log["attributes"], str(log["type"])
    title = work.text_of(told) or kind
    quantities = [_Quantity.of(each, farm) for each in farm.related(log, "quantity")]
    crop = _crop(log, farm, title)
    counted = [one for each in quantities if (one := work.amount(each.value, each.unit, "bu"))]
    weighed = [one for each in quantities if (one := work.kilograms(each.value, each.unit, crop))]
    once = practice is Practice.HARVEST and len(counted or weighed) == 1
    return MachinePass(
        task=title, field=field, operation=title, machine=", ".join(
            work.text_of(each["attributes"]) for each in farm.related(log, "equipment")
        ),
        practice=practice, day=day, log=f"{kind} {log.get('id') or ''}".strip(), points=1,
        acres=_first(quantities, "area", "acres"), width_ft=_first(quantities, "width", "ft"),
        speed_mph=_first(quantities, "speed", "mph"), depth_in=_first(quantities, "depth", "in") or None,
        applied=tuple(_applied(quantities, title, problems)) if practice is Practice.FERTILIZING else (),
        harvest_kg=weighed[0] if once and not counted else None,
        bushels=counted[0] if once and counted else None,
        moisture_pct=_first(quantities, "moisture", "pct"), crop=crop, by_machine=False,
        method=work.text_of(told.get("method")),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Quantity:
    """A quantity of a log; what it measures is told by its label or, for want of one, by its measure."""

    label: str
    value: Fraction | None
    unit: str
    material: str
    method: str

    @classmethod
    def of(cls, resource: Resource, farm: _Farm) -> "_Quantity":
        told = resource["attributes"]
        value = told.get("value")
        stated = value.get("decimal") if isinstance(value, Mapping) else value
        unit, material, method = (farm.text(resource, name) for name in ("units", "material_type", "test_method"))
        label = work.text_of(told.get("label")) or work.text_of(told.get("measure"))
        return cls(label, work.number(stated), unit, material, method)


def _first(quantities: list[_Quantity], word: str, unit: str) -> int | None:
    fitting = (each for each in quantities if word in each.label.casefold())
    return next((one for each in fitting if (one := work.amount(each.value, each.unit, unit)) is not None), None)


def _applied(quantities: list[_Quantity], title: str, problems: Problems) -> list[Applied]:
    rates = [(each, work.rate(each.value, each.unit)) for each in quantities]
    made = [Applied(each.material or each.label or title, *found) for each, found in rates if found]
    # What went on without an amount an acre stands as that: its rate is asked.
    made += [Applied(each.material, 0, "") for each, found in rates if each.material and not found]
    if not made:
        cause = f"{title!r} states no amount an acre; it was not taken as an application."
        problems.doubt(cause, "Type this application, if it carried N, P or K.", "no_rate")
    return made


def _crop(log: Resource, farm: _Farm, title: str) -> str:
    plants = [each for each in farm.related(log, "asset") if each["type"] == "asset--plant"]
    terms = [work.text_of(term["attributes"]) for each in plants for term in farm.related(each, "plant_type")]
    names = {crop for text in (*terms, *title.split()) if (crop := crop_of(text)) in POUNDS}
    return names.pop() if len(names) == 1 else ""
