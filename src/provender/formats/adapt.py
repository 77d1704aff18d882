"""Data sets of the ADAPT Standard 2: catalogue and work records of ``adapt.json``, with the records beside it.

Units are those that the standard's list of data types gives, all of the metre, kilogram and second. Work orders are
plans: they are told and not read.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any, Final

from provender.formats import detect, work
from provender.formats.archive import is_zip, opened
from provender.formats.boundaries import build
from provender.formats.geometry import Outline, load_json
from provender.formats.isoxml.passes import Applied, MachineData, MachinePass, together
from provender.formats.isoxml.tasks import Practice
from provender.formats.parsed import Problems, reader
from provender.formats.units import convert
from provender.formats.work import POUNDS, crop_of, usual_base
from provender.problem import Place

_PRACTICES: Final = {
    "FIELD_PREPARATION_TILLAGE": Practice.TILLAGE,
    "FIELD_PREPARATION_GENERAL": Practice.OTHER,
    "APPLICATION_SOWING_AND_PLANTING": Practice.SEEDING,
    "APPLICATION_SOWING_AND_PLANTING_SEEDS": Practice.SEEDING,
    "APPLICATION_FERTILIZING": Practice.FERTILIZING,
    "APPLICATION_CROP_PROTECTION": Practice.SPRAYING,
    "HARVEST": Practice.HARVEST,
}
_DEPTHS: Final = ("TillageDepthActual", "SeedingDepthActual")
_RATES: Final = ("AppliedVolumePerAreaActual", "AppliedMassPerAreaActual")
_AREAS: Final = ("AppliedArea", "CalculatedArea")
_AGAIN: Final = "Export the data set again, and hand in its whole folder as a zip."


@dataclass(slots=True)
class _Set:
    """One data set being read."""

    problems: Problems  # what was found, told of the ``adapt.json``
    catalog: detect.Item  # its catalogue
    files: Mapping[str, Path | bytes]  # the files beside it, by name
    longitudes: dict[str, float] = field(default_factory=dict)  # of fields that have an outline, by their id

    def named(self, items: str, reference: object) -> str:
        """Return the name of an item of the catalogue, or empty."""
        wanted = _reference(reference)
        found = (each for each in work.mappings(self.catalog.get(items)) if wanted and _id(each) == wanted)
        return next((work.text_of(each) for each in found), "")


def _id(item: detect.Item) -> str:
    told = item.get("id")
    return _reference(told.get("referenceId")) if isinstance(told, Mapping) else ""


def _reference(value: object) -> str:
    """Return an identifier as text, whole numbers too; empty for anything else."""
    return str(value) if isinstance(value, str | int) else ""


@reader
def read_adapt(path: Path, problems: Problems) -> MachineData | None:
    """Read a data set: its ``adapt.json``, the files of its folder beside it, or a zip of that folder."""
    data, inside, files = _opened(path, problems)
    problems = problems.at(Place(inside))
    document = load_json(data, problems)
    catalog = document.get("catalog") if isinstance(document, dict) else None
    if not isinstance(catalog, dict):
        raise problems.refusal("the file has no catalog of the ADAPT Standard.", _AGAIN, "not_adapt")
    found = _Set(problems, catalog, files)
    boundaries = build(list(_outlines(found)), problems)
    documents = document.get("documents")
    papers = documents if isinstance(documents, Mapping) else {}
    records = work.mappings(papers.get("workRecords"))
    passes = [one for record in records for one in together(list(_passes(record, found)), by_machine=True)]
    plans = sum(len(list(work.mappings(papers.get(each)))) for each in ("workOrders", "plans", "recommendations"))
    if plans:
        cause = f"the data set holds {plans} work orders or plans, which say what was to be done; they were not read."
        problems.doubt(cause, "Export the work records.", "only_planned")
    if passes or boundaries.fields:
        return MachineData(tuple(passes), boundaries)
    if not problems.found:
        problems.error("the data set holds no work record and no boundary.", _AGAIN, "no_operations")
    return None


def _opened(path: Path, problems: Problems) -> tuple[bytes, str, Mapping[str, Path | bytes]]:
    """Return the content of ``adapt.json``, what to call it, and the files beside it.

    Raises:
        ProblemsError: the zip is damaged, hostile, or holds no such file.
    """
    name = problems.place.file
    if not is_zip(path):
        beside = {each.name: each for each in path.parent.iterdir() if each.suffix.lower() in detect.ENDINGS}
        return path.read_bytes(), name, beside
    with opened(path, name) as archive:
        found = [each for each in archive.members if PurePosixPath(each).name.lower() == detect.NAME]
        if not found:
            raise problems.refusal("the zip holds no adapt.json.", _AGAIN, "not_adapt")
        main = min(found, key=lambda each: (each.count("/"), each))
        folder = PurePosixPath(main).parent
        beside_it = [each for each in archive.members if PurePosixPath(each).parent == folder]
        files = {
            PurePosixPath(each).name: archive.read(each) for each in beside_it if each.lower().endswith(detect.ENDINGS)
        }
        return archive.read(main), f"{name}/{main}", files


def _outlines(found: _Set) -> Iterator[Outline]:
    for at, each in enumerate(work.mappings(found.catalog.get("fieldBoundaries")), start=1):
        problems = found.problems.row(at)
        label = found.named("fields", each.get("fieldId")) or work.text_of(each)
        drawn = each.get("boundary")
        text = str(drawn.get("geometry") if isinstance(drawn, Mapping) else drawn)
        polygons = work.polygons_of(text, f"the outline of {label}", _AGAIN, problems)
        if polygons:
            found.longitudes.setdefault(str(each.get("fieldId")), polygons[0][0][0][0])
            yield Outline(problems.place, {"name": label}, polygons)


def _passes(record: detect.Item, found: _Set) -> Iterator[MachinePass]:
    problems = found.problems
    label = found.named("fields", record.get("fieldId"))
    for operation in work.mappings(record.get("operations")):
        called = work.text_of(operation)
        log = f"{_id(record) or work.text_of(record)} {_id(operation) or ''}".strip()
        longitude = found.longitudes.get(str(record.get("fieldId")))
        code = str(operation.get("operationTypeCode"))
        days = [day for each in (operation, record) if (day := _days(each, longitude))]
        if not days:
            cause = f"the operation {called or log!r} states no day on which it was done; it was not read."
            problems.error(cause, _AGAIN, "no_day")
        elif code not in _PRACTICES:
            cause = f"the operation {called or log!r} is {code}, which is not read."
            problems.doubt(cause, "Type it, if a practice rests on it.", "other_operation")
        else:
            first, last, bare = days[0]
            if bare:
                work.ask_day(problems, first)
            yield _pass(operation, _PRACTICES[code], label, log, (first, last), found)


def _days(item: detect.Item, longitude: float | None) -> tuple[Any, Any, bool] | None:
    """Return first and last day of what was in fact done, and whether only Greenwich's clock tells them."""
    for scope in work.mappings(item.get("timeScopes")):
        first = work.day_of(scope.get("start"), longitude)
        if scope.get("dateContextCode") == "ACTUAL" and first:
            bare = longitude is None and work.is_greenwich(scope.get("start"))
            return first, work.day_of(scope.get("end"), longitude), bare
    return None


def _pass(
    operation: detect.Item, practice: Practice, label: str, log: str, days: tuple[Any, Any], found: _Set
) -> MachinePass:
    told = _measured_values(operation, found)
    configuration = next(iter(work.mappings(operation.get("deviceConfiguration"))), {})
    machine = found.named("devices", configuration.get("deviceId")) or work.text_of(configuration)
    products = {product: found.named("products", product) for _, product in told}
    moisture = _one(told, ("CommodityMoisture",))
    mass = next((one for each in detect.SUMMED if (one := _one(told, (each,)))), None)
    dry = _one(told, ("YieldTotalWetMass",)) is None
    applied = _applied(told, products, found)
    crop = crop_of(next((crop_of(name) for name in products.values() if name), ""))
    # A name that repeats the code or the product names no machine and no kind of pass.
    name = work.text_of(operation)
    name = "" if name in (operation.get("operationTypeCode"), *products.values()) else name
    weighed = mass if mass and practice is Practice.HARVEST else None
    bushels = convert(weighed, "kg", "lb") / POUNDS[crop] if weighed and dry and crop in POUNDS else None
    return MachinePass(
        task=name, field=label, operation=name, machine=machine,
        practice=practice, day=days[0], log=log, points=1, acres=work.amount(_one(told, _AREAS), "ha", "acres"),
        width_ft=work.amount(_one(told, ("Width",)), "m", "ft"),
        speed_mph=work.amount(_one(told, ("Speed",)), "m/s", "mph"),
        depth_in=work.amount(_one(told, _DEPTHS), "m", "in") or None, applied=tuple(applied),
        harvest_kg=None if weighed is None or bushels is not None else round(weighed),
        bushels=None if bushels is None else round(bushels * 1000),
        moisture_pct=usual_base(crop) or None if dry else work.amount(moisture, "pct", "pct"),
        crop=crop, last_day=days[1],
    )  # fmt: skip


def _applied(told: "Told", products: Mapping[str, str], found: _Set) -> list[Applied]:
    """Return what was applied; a nitrogen stabilizer beside a fertilizer is its inhibitor."""
    rated = [
        (product, each)
        for (code, product), value in told.items()
        if code in _RATES and (each := work.rate(value, detect.MEANT[code]))
    ]
    kinds = {_id(each): each.get("productTypeCode") for each in work.mappings(found.catalog.get("products"))}
    stabilizers = [(products[one], each) for one, each in rated if kinds.get(one) == "NITROGEN_STABILIZER"]
    others = [(products[one], each) for one, each in rated if kinds.get(one) != "NITROGEN_STABILIZER"]
    if len(stabilizers) != 1 or not others:
        return [Applied(name, *each) for name, each in [*others, *stabilizers]]
    ((inhibitor, with_it),) = stabilizers
    return [Applied(name, *each, inhibitor, *with_it) for name, each in others]


Told = dict[tuple[str, str], Fraction]


def _one(told: Told, codes: tuple[str, ...]) -> Fraction | None:
    return next((value for code in codes for (mine, _), value in told.items() if mine == code), None)


def _measured_values(operation: detect.Item, found: _Set) -> Told:
    """Return what an operation measured, by data type and product: summaries first, then means of its records."""
    variables = {_id(each): each for each in work.mappings(operation.get("variables"))}
    told: Told = {}
    for each in work.mappings(operation.get("summaryValues")):
        variable = variables.get(_reference(each.get("variableId")))
        value = work.number(each.get("valueText"))
        if variable is not None and value is not None:
            told[str(variable.get("definitionCode")), _reference(variable.get("productId"))] = value
    for key, value in _of_records(operation, list(variables.values()), found).items():
        told.setdefault(key, value)
    return told


def _of_records(operation: detect.Item, variables: list[detect.Item], found: _Set) -> Told:
    """Return means, and sums of totals, over the records that an operation names in a file beside the data set."""
    file = operation.get("spatialRecordsFile")
    if not isinstance(file, str) or not file:
        return {}
    problems = found.problems.at(Place(f"{found.problems.place.file}: {file[:80]}"))
    held = found.files.get(file)
    if held is None:
        cause = "the records of an operation are not beside the data set; its summary alone was read."
        problems.doubt(cause, _AGAIN, "missing_part")
        return {}
    try:
        measured = detect.measured_in(file, held, [(each, str(each.get("definitionCode"))) for each in variables])
    except detect.DamagedRecordsError as trouble:
        cause = f"the records of an operation are damaged ({str(trouble)[:100]}); its summary alone was read."
        problems.error(cause, _AGAIN, "bad_raster" if file.lower().endswith(detect.TIFF) else "bad_parquet")
        return {}
    return {(code, _reference(each.get("productId"))): value for each, code, value in measured}
