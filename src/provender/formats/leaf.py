"""Field operations as Leaf's service hands them out: summaries in GeoJSON, each amount with its unit.

Points without units are not read: what a number means is never guessed. Depths that were aimed at are no depths.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from provender.formats.boundaries import Boundaries
from provender.formats.geojson import DEEPEST, load_json
from provender.formats.isoxml.devices import Practice
from provender.formats.isoxml.passes import Applied, MachinePass
from provender.formats.isoxml.reader import MachineData
from provender.formats.parsed import Parsed, doubt, refused
from provender.formats.work import (
    PRACTICES,
    amount,
    at_greenwich,
    day_of,
    is_greenwich,
    kilograms,
    listed_texts,
    mappings,
    number,
    positions,
    rate,
)
from provender.formats.yield_totals import crop_of
from provender.problem import Place, Problem

_EXPORT: Final = "Hand in the summary of the operation, which states its units."
_STATED: Final = ("avg", "value")
_WET: Final = ("totalWetMass", "totalWetVolume")
_MASSES: Final = (*_WET, "totalDryMass", "totalDryVolume")


def read_leaf(path: Path, name: str) -> Parsed[MachineData]:
    """Read summaries of operations: a feature, a collection of them, or what holds them as ``summary``."""
    document, problems = load_json(path.read_bytes(), name)
    if document is None:
        return Parsed(None, tuple(problems))
    features = list(_operations(document, 0))
    if not features:
        return refused(Place(name), "the file holds no operation of Leaf's.", _EXPORT, "no_operations")
    passes: list[MachinePass] = []
    bare = 0
    for number_, feature in enumerate(features, start=1):
        if "timestamp" in feature["properties"] or not _units(feature["properties"]):
            bare += 1
            continue
        found = _pass(feature, number_, Place(name, row=number_), problems)
        passes += [found] if found else []
    if bare:
        cause = f"{bare} features state no units, as Leaf's points do; they were not read."
        problems.append(Problem(Place(name), cause, _EXPORT, code="no_units"))
    if not passes:
        return Parsed(None, tuple(problems))
    return Parsed(MachineData(Boundaries(()), tuple(passes), len(passes)), tuple(problems))


def _operations(node: object, depth: int) -> Iterator[Mapping[str, Any]]:
    """Yield every feature with an operation of a kind known here, with the fields that its surroundings name."""
    if depth > DEEPEST:
        return
    if isinstance(node, list):
        for each in node:
            yield from _operations(each, depth + 1)
    elif isinstance(node, dict):
        properties = node.get("properties")
        if isinstance(properties, dict) and str(properties.get("operationType")) in PRACTICES:
            yield node
            return
        around = {key: node[key] for key in ("fields", "fieldName") if key in node}
        for each in node.values():
            if isinstance(each, list | dict):
                for found in _operations(each, depth + 1):
                    yield {**found, "properties": {**around, **found["properties"]}}


def _units(properties: Mapping[str, Any]) -> bool:
    return any(isinstance(each, dict) and each.get("unit") for each in properties.values()) or bool(
        any(isinstance(each.get("rate"), dict) for each in mappings(properties.get("products")))
    )


def _stated(value: object) -> tuple[Fraction | None, str]:
    """Return the mean or total that an amount states, and its unit; none without a unit."""
    if not isinstance(value, Mapping) or not isinstance(value.get("unit"), str):
        return None, ""
    found = next((one for key in _STATED if (one := number(value.get(key))) is not None), None)
    return found, value["unit"]


def _pass(feature: Mapping[str, Any], at: int, place: Place, problems: list[Problem]) -> MachinePass | None:
    told = feature["properties"]
    spot = next(positions(feature.get("geometry")), None)
    day = day_of(told.get("startTime"), spot[0] if spot else None)
    kind = str(told["operationType"])
    if day is None:
        cause = f"the {kind} operation states no day on which it began; it was not read."
        problems.append(Problem(place, cause, _EXPORT, code="no_day"))
        return None
    if spot is None and is_greenwich(told.get("startTime")):
        problems.append(at_greenwich(place, day))
    crop = crop_of(next(listed_texts(told.get("crop")), ""))
    depth = amount(*_stated(told.get("tillageDepthActual" if kind == "tillage" else "seedDepth")), "in")
    if depth is None and isinstance(told.get("tillageDepthActual"), Mapping):
        cause = (
            f"the tillage depth is stated in {_stated(told['tillageDepthActual'])[1] or 'no unit'}; it was not taken."
        )
        problems.append(doubt(place, cause, "Type the depth of this pass.", "depth_unit"))
    moisture, share = _stated(told.get("harvestMoisture"))
    harvested, wet = _harvested(told, crop, place, problems) if PRACTICES[kind] is Practice.HARVEST else (None, False)
    fields = next(listed_texts(told.get("fieldName")), "") or next(_field_ids(told.get("fields")), "")
    return MachinePass(
        task=f"{kind} {crop}".strip(), field=fields, operation=kind,
        machine=", ".join(listed_texts(told.get("machinery"))), practice=PRACTICES[kind], day=day,
        log=f"feature {at}", points=1, acres=amount(*_stated(told.get("totalArea")), "acres"),
        width_ft=amount(*_stated(told.get("equipmentWidth")), "ft"),
        speed_mph=amount(*_stated(told.get("speed")), "mph"), depth_in=depth or None,
        applied=tuple(_applied(told, place, problems)) if kind == "applied" else (),
        harvest_kg=harvested,
        moisture_pct=amount(moisture, share, "pct") if wet else None, crop=crop,
        last_day=day_of(told.get("endTime"), spot[0] if spot else None), place=spot,
    )  # fmt: skip


def _field_ids(value: object) -> Iterator[str]:
    for each in value if isinstance(value, list) else [value]:
        found = each.get("id") if isinstance(each, dict) else each
        if isinstance(found, str):
            yield found


def _applied(told: Mapping[str, Any], place: Place, problems: list[Problem]) -> Iterator[Applied]:
    for each in mappings(told.get("products")):
        name = next(listed_texts(each.get("name")), "")
        found = rate(*_stated(each.get("rate")))
        if found is None:
            cause = f"the rate of {name or 'a product without a name'} has no unit of a rate; it was not read."
            problems.append(Problem(place, cause, "Type this application.", code="no_rate"))
        else:
            yield Applied(name, *found)
    if not told.get("products") and (whole := rate(*_stated(told.get("appliedRate")))):
        yield Applied("", *whole)


def _harvested(told: Mapping[str, Any], crop: str, place: Place, problems: list[Problem]) -> tuple[int | None, bool]:
    """Return what was harvested, kg, and whether that is wet: dry mass is never dried again."""
    for name in _MASSES:
        mass, unit = _stated(told.get(name))
        if found := kilograms(mass, unit, crop):
            return found, name in _WET
        if mass:
            cause = f"{name} is stated in {unit or 'no unit'}; it was not taken."
            problems.append(doubt(place, cause, "Hold the bushels against the tickets.", "harvest_unit"))
    return None, False
