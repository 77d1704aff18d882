"""Summaries that services hand out: Leaf's operations, FieldView's plantings, USDA's acreage reports (ACRSI)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from provender.formats import work
from provender.formats.geometry import DEEPEST, load_json
from provender.formats.isoxml.passes import Applied, MachineData, MachinePass, together
from provender.formats.isoxml.tasks import Practice
from provender.formats.parsed import Problems, reader
from provender.formats.work import POUNDS, crop_of
from provender.problem import listed

_EXPORT: Final = "Hand in the summary of the operation, which states its units."
_PRACTICES: Final = {
    "tillage": Practice.TILLAGE,
    "planted": Practice.SEEDING,
    "applied": Practice.FERTILIZING,
    "harvested": Practice.HARVEST,
}
_STATED: Final = ("avg", "value")
_WET: Final = ("totalWetMass", "totalWetVolume")
_MASSES: Final = (*_WET, "totalDryMass", "totalDryVolume")


@reader
def read_leaf(path: Path, problems: Problems) -> MachineData | None:
    """Read summaries of operations: a feature, a collection of them, or what holds them as ``summary``."""
    document = load_json(path.read_bytes(), problems)
    features = [(str(each["properties"]["operationType"]), each) for each in _operations(document, 0)]
    if not any(kind in _PRACTICES for kind, _ in features):
        raise problems.refusal("the file holds no operation of Leaf's.", _EXPORT, "no_operations")
    passes: list[MachinePass] = []
    bare = 0
    other: dict[str, int] = {}
    for at, (kind, feature) in enumerate(features, start=1):
        if kind not in _PRACTICES:
            other[kind[:40]] = other.get(kind[:40], 0) + 1
        elif "timestamp" in feature["properties"] or not _units(feature["properties"]):
            bare += 1
        else:
            passes += _passes(kind, feature, at, problems.row(at))
    if bare:
        problems.error(f"{bare} features state no units, as Leaf's points do; they were not read.", _EXPORT, "no_units")
    for kind, count in other.items():
        cause = f"{count} operations are {kind!r}, which is not read."
        problems.doubt(cause, "Type them, if a practice rests on them.", "other_operation")
    passes = together(passes, by_machine=True)
    return MachineData(tuple(passes)) if passes else None


def _operations(node: object, depth: int) -> Iterator[Mapping[str, Any]]:
    """Yield every feature with an operation, with the fields that its surroundings name."""
    if depth > DEEPEST:
        return
    if isinstance(node, list):
        for each in node:
            yield from _operations(each, depth + 1)
    elif isinstance(node, dict):
        properties = node.get("properties")
        if isinstance(properties, dict) and "operationType" in properties:
            yield node
            return
        around = {key: node[key] for key in ("fields", "fieldName") if key in node}
        for each in node.values():
            if isinstance(each, list | dict):
                for found in _operations(each, depth + 1):
                    yield {**found, "properties": {**around, **found["properties"]}}


def _units(properties: Mapping[str, Any]) -> bool:
    rates = (each.get("rate") for each in work.mappings(properties.get("products")))
    stated = (isinstance(each, dict) and bool(each.get("unit")) for each in properties.values())
    return any(stated) or any(isinstance(each, dict) for each in rates)


def _stated(value: object) -> tuple[Fraction | None, str]:
    """Return the mean or total that an amount states, and its unit; none without a unit."""
    if not isinstance(value, Mapping) or not isinstance(value.get("unit"), str):
        return None, ""
    found = next((one for key in _STATED if (one := work.number(value.get(key))) is not None), None)
    return found, value["unit"]


def _passes(kind: str, feature: Mapping[str, Any], at: int, problems: Problems) -> Iterator[MachinePass]:
    told, practice = feature["properties"], _PRACTICES[kind]
    place = next(work.positions(feature.get("geometry")), None)
    longitude = place[0] if place else None
    day = work.day_of(told.get("startTime"), longitude)
    if day is None:
        problems.error(f"the {kind} operation states no day on which it began; it was not read.", _EXPORT, "no_day")
        return
    if place is None and work.is_greenwich(told.get("startTime")):
        work.ask_day(problems, day)
    crop = crop_of(next(work.listed_texts(told.get("crop")), ""))
    depth = work.amount(*_stated(told.get("tillageDepthActual" if kind == "tillage" else "seedDepth")), "in")
    if depth is None and isinstance(told.get("tillageDepthActual"), Mapping):
        unit = _stated(told["tillageDepthActual"])[1] or "no unit"
        cause = f"the tillage depth is stated in {unit}; it was not taken."
        problems.doubt(cause, "Type the depth of this pass.", "depth_unit")
    harvested, wet = _harvested(told, crop, problems) if practice is Practice.HARVEST else (None, False)
    yield MachinePass(
        task=f"{kind} {crop}".strip(), operation=kind, practice=practice, day=day, log=f"feature {at}", points=1,
        field=next(work.listed_texts(told.get("fieldName")), "") or next(_field_ids(told.get("fields")), ""),
        machine=", ".join(work.listed_texts(told.get("machinery"))),
        acres=work.amount(*_stated(told.get("totalArea")), "acres"),
        width_ft=work.amount(*_stated(told.get("equipmentWidth")), "ft"),
        speed_mph=work.amount(*_stated(told.get("speed")), "mph"), depth_in=depth or None,
        applied=tuple(_applied(told, problems)) if kind == "applied" else (), harvest_kg=harvested,
        moisture_pct=work.amount(*_stated(told.get("harvestMoisture")), "pct") if wet else None, crop=crop,
        last_day=work.day_of(told.get("endTime"), longitude), place=place,
    )  # fmt: skip


def _field_ids(value: object) -> Iterator[str]:
    for each in value if isinstance(value, list) else [value]:
        found = each.get("id") if isinstance(each, dict) else each
        if isinstance(found, str):
            yield found


def _applied(told: Mapping[str, Any], problems: Problems) -> Iterator[Applied]:
    for each in work.mappings(told.get("products")):
        name = next(work.listed_texts(each.get("name")), "")
        found = work.rate(*_stated(each.get("rate")))
        if found is None:
            cause = f"the rate of {name or 'a product without a name'} has no unit of a rate; it was not taken."
            problems.doubt(cause, "Type the rate of this application.", "no_rate")
        yield Applied(name, *(found or (0, "")))
    if not told.get("products") and (whole := work.rate(*_stated(told.get("appliedRate")))):
        yield Applied("", *whole)


def _harvested(told: Mapping[str, Any], crop: str, problems: Problems) -> tuple[int | None, bool]:
    """Return what was harvested, kg, and whether that is wet: dry mass is never dried again."""
    for name in _MASSES:
        mass, unit = _stated(told.get(name))
        if found := work.kilograms(mass, unit, crop):
            return found, name in _WET
        if mass:
            cause = f"{name} is stated in {unit or 'no unit'}; it was not taken."
            problems.doubt(cause, "Hold the bushels against the tickets.", "harvest_unit")
    return None, False


# USDA's acreage reports as ACRSI JSON: acres of each crop and planting days; outlines go the way of all boundaries.
#
# Crops are FSA's codes; a code that is none of the rule's crops is told, not taken; so is prevented planting, whose
# acres were never planted.

CROPS: Final = {"0041": "corn", "0051": "sorghum", "0081": "soybeans"}
"""FSA's crop codes of the feedstocks; general knowledge but for soybeans, which USDA's own example bears out."""
_PREVENTED: Final = "P"
"""Product planting code of acres that were never planted."""
_ACREAGE_EXPORT: Final = "Ask the county office or the crop insurer for the report again."
_YEARS: Final = range(2000, 2101)


@dataclass(frozen=True, slots=True)
class Planted:
    """One crop on one field of a report."""

    field: str  # farm, tract and field, as boundaries of the report are called
    crop: str  # of the rule
    acres: int  # thousandths
    day: str  # of planting, ISO; empty where none is stated
    number: int  # its place in the report


@dataclass(frozen=True, slots=True)
class AcreageReport:
    """What a report says."""

    year: int  # of the crop
    planted: tuple[Planted, ...]  # every crop of the rule on every field
    drawn: bool  # the report holds outlines
    by_machine: bool = False  # a planter logged it; its years are those of the days, and it reports no acres to USDA


@reader
def read_acreage(path: Path, problems: Problems) -> AcreageReport | None:
    """Read a report; what it says of crops that are none of the rule's is counted and told."""
    data = path.read_bytes()
    document = load_json(data, problems)
    year = work.number(document.get("cropYear")) if isinstance(document, dict) else None
    if year is None or year not in _YEARS:
        raise problems.refusal("the report states no crop year.", _ACREAGE_EXPORT, "no_year")
    planted: list[Planted] = []
    others: Counter[str] = Counter()
    prevented = 0
    for at, (label, plan) in enumerate(_plans(document), start=1):
        code = str(plan.get("coreProductCode") or "").strip().zfill(4)
        acres = work.amount(work.number(plan.get("originalReportedAcreage")), "acres", "acres")
        if code not in CROPS:
            others[code] += 1
        elif str(plan.get("productPlantingCode") or "").strip().upper() == _PREVENTED:
            prevented += 1
        elif not acres:
            cause = f"{CROPS[code]} on {label or 'a field'} has no acres that can be read; it was not counted."
            problems.row(at).error(cause, "Type the acres reported.", "no_acres")
        else:
            day = work.day_of(plan.get("originalPlantedDate"), None)
            planted.append(Planted(label, CROPS[code], acres, day.isoformat() if day else "", at))
    if prevented:
        entries = "entry" if prevented == 1 else "entries"
        cause = f"the report has {prevented} {entries} of prevented planting; those acres are none that were planted."
        problems.note(cause, "Nothing, if that is so.", "prevented_planting")
    if others:
        cause = f"the report has {others.total()} entries of other crops (codes {listed(sorted(others))})."
        problems.note(cause, "Nothing, if they are no feedstock.", "other_crops")
    return AcreageReport(int(year), tuple(planted), b'"coordinates"' in data)


def _plans(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for farm in work.mappings(document.get("farm")):
        for tract in work.mappings(farm.get("tract")):
            for field in work.mappings(tract.get("field")):
                parts = (farm.get("farmNumber"), tract.get("tractNumber"), field.get("fieldNumber"))
                label = "-".join(str(part) for part in parts) if all(part is not None for part in parts) else ""
                for plan in work.mappings(field.get("agriculturalProductionPlan")):
                    yield label, plan


# Planting summaries that Climate FieldView exports: a feature for each planting, with field, day, crop and area.
#
# The format is published (dev.fieldview.com/export-format, January 2020). Its shapes are what the planter covered,
# which is no field's boundary.

_FIELDVIEW_EXPORT: Final = "Export the planting summary of FieldView again."


@reader
def read_plantings(path: Path, problems: Problems) -> AcreageReport | None:
    """Read a summary; crops that are none of the rule's are counted and told."""
    document = load_json(path.read_bytes(), problems)
    planted: list[Planted] = []
    others: list[str] = []
    features = document.get("features") if isinstance(document, dict) else None
    for at, feature in enumerate(work.mappings(features), start=1):
        told = next(iter(work.mappings(feature.get("properties"))), {})
        planting = next(iter(work.mappings(told.get("plantingActivity"))), {})
        area = next(iter(work.mappings(planting.get("area"))), {})
        field, crop = work.text_of(told.get("field")), crop_of(work.text_of(planting.get("crop")))
        spot = next(work.positions(feature.get("geometry")), None)
        day = work.day_of(planting.get("date"), spot[0] if spot else None)
        acres = work.amount(work.number(area.get("q")), str(area.get("u") or ""), "acres")
        lacking = [what for what, has in (("field", field), ("day", day), ("crop", crop), ("area", acres)) if not has]
        if day and spot is None and work.is_greenwich(planting.get("date")):
            work.ask_day(problems.row(at), day)
        if lacking:
            cause = f"the planting {field or at!r} states no {listed(lacking)} that can be read; it was not taken."
            problems.row(at).error(cause, _FIELDVIEW_EXPORT, "incomplete_planting")
        elif crop not in POUNDS:
            others.append(crop)
        elif day and acres:
            planted.append(Planted(field, crop, acres, day.isoformat(), at))
    if others:
        cause = f"the summary has {len(others)} plantings of other crops ({listed(sorted(set(others)))})."
        problems.note(cause, "Nothing, if they are no feedstock.", "other_crops")
    if not planted and not problems.found:
        raise problems.refusal("the file holds no planting.", _FIELDVIEW_EXPORT, "no_operations")
    return AcreageReport(int(planted[0].day[:4]), tuple(planted), drawn=False, by_machine=True) if planted else None
