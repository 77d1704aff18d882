"""A record book as a data set of the ADAPT Standard 2.0.2: ``adapt.json``, and GeoParquet where units have outlines.

Units are the standard's own. Numbers stand as decimal text with twelve places, so that what is read back rounds to what
the book has. Where a unit has an outline, each piece of work has its numbers over that outline as GeoParquet too: the
book keeps no points. A book knows days and no clock; the standard wants a moment, which is noon by the sun.
"""

import datetime as dt
import io
import json
import zipfile
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

import polars as pl
from shapely import from_geojson, to_wkb, to_wkt
from shapely.geometry.base import BaseGeometry

from provender.catalog.materials import find_product
from provender.catalog.tables import find_operation
from provender.days import hours_by_sun
from provender.exact import show
from provender.formats.parsed import doubt, grouped, note
from provender.formats.units import UnitError, convert, number_out
from provender.formats.work import POUNDS, usual_base
from provender.problem import Place, Problem
from provender.records.book import RecordBook
from provender.records.folder import write_cell
from provender.records.kind import KINDS

# What of a record book does not go into a data set of the ADAPT Standard: told row by row, each with its reason.
#
# A whole kind of record, or a column, that the standard has no place for is a note; a row, an amount or a day that
# stays behind although its like goes out is a doubt, and somebody looks at it.

WHOLE: Final[Mapping[str, frozenset[str]]] = {
    "farm": frozenset({"farm_id", "name"}),
    "unit": frozenset({"unit_id", "name", "acres", "boundary"}),
    "harvest": frozenset({"harvest_id", "unit_id", "crop", "first_day", "last_day", "bushels", "harvested_acres",
                          "moisture_pct"}),
    "operation": frozenset({"operation_id", "unit_id", "day", "operation", "equipment", "depth_in", "speed_mph",
                            "width_ft", "treated_acres"}),
    "nutrient_application": frozenset({"application_id", "unit_id", "day", "product", "rate", "rate_unit",
                                       "treated_acres", "inhibitor", "inhibitor_rate", "inhibitor_rate_unit"}),
}  # fmt: skip
"""What of each kind the standard has a place for; what of it does not go out all the same is told by row."""
_OF_OTHERS: Final = frozenset({"farm_id", "source_file", "source_sheet", "source_row"})
_STAYS: Final = "It stays in the book."
_TYPE_RATE: Final = "Type its rate with a unit, and export again."
_APPLICATION: Final = "nutrient_application"

Row = Mapping[str, Any]


def _unplaced(book: RecordBook) -> Iterator[Problem]:
    """Tell what the standard has no place for: kinds of record as a whole, columns of those that go out by row."""
    for name, kind in KINDS.items():
        rows = len(book[name])
        if name in WHOLE:
            yield from grouped(_columns(book, name))
        elif rows:
            cause = f"the standard has no place for them ({rows} {'row' if rows == 1 else 'rows'})."
            yield note(Place(kind.label), cause, "They stay in the book.", "no_place")


def _columns(book: RecordBook, kind: str) -> Iterable[Problem]:
    described = KINDS[kind]
    without = [name for name in described.fields if name not in WHOLE[kind] | _OF_OTHERS]
    for row in book[kind]:
        for name in without:
            if row[name] is not None and row[name] != "":
                told = described.fields[name]
                cause = f"{told.label} '{write_cell(row[name], told)}': the standard has no place for it."
                at = Place(str(row["source_file"] or described.label), row=int(row["source_row"] or 0), column=name)
                yield note(at, cause, _STAYS, "no_place")


_VERSION: Final = "2.0.2"
_PLACES: Final = 12
_HARVEST: Final = "HARVEST"
_CODES: Final = {
    **dict.fromkeys(("planting", "seeding"), "APPLICATION_SOWING_AND_PLANTING"),
    "spraying": "APPLICATION_CROP_PROTECTION", "harvest": _HARVEST, "irrigation": "APPLICATION_IRRIGATION",
}  # fmt: skip
_TILLAGE: Final = "FIELD_PREPARATION_TILLAGE"
_NOON: Final = 12
_NOON_CENTRAL: Final = 18
"""Noon in the middle of the United States, by Greenwich's clock, where a unit has no outline."""
_ORDER: Final = {
    "harvest": ("harvest_id",), "operation": ("day", "operation_id"), "nutrient_application": ("day", "application_id"),
}  # fmt: skip
"""The kinds of record that are work on a field, and in which order their rows go out."""
_HARVESTS: Final = "harvest"


@dataclass(slots=True)
class _Out:
    """A data set being made."""

    shapes: Mapping[str, BaseGeometry]
    products: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    records: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    left: list[Problem] = field(default_factory=list)

    def product(self, name: str, kind: str, form: str) -> str:
        """Return the reference of a product, entered in the catalogue once."""
        made = {"id": {"referenceId": f"product-{len(self.products) + 1}"}, "name": name, "productTypeCode": kind}
        held = self.products.setdefault((name, kind), {**made, "productFormCode": form})
        return str(held["id"]["referenceId"])

    def stays(self, kind: str, row: Row, cause: str, remedy: str = _STAYS, *, column: str = "") -> None:
        """Tell of something that does not go out although its like does."""
        named = KINDS[kind]
        key = next((str(row[name]) for name in named.key_columns if name != "farm_id" and row[name]), "")
        at = str(row.get("source_file") or named.label)
        label = named.fields[column].label if column else ""
        place = Place(f"{at}, {key}" if key else at, row=int(row.get("source_row") or 0), column=label)
        self.left.append(doubt(place, cause, remedy, "left_out"))

    def nutrient_stays(self, row: Row, nutrient: str, why: str) -> None:
        """Tell of pounds of a nutrient an acre that do not go out."""
        column = f"{nutrient}_lb_per_ac"
        cause = f"{show(row[column])} lb of {nutrient.upper()} an acre stay in the book: {why}."
        self.stays(_APPLICATION, row, cause, "Nothing to do where the product's rate says the same.", column=column)


@dataclass(frozen=True, slots=True)
class DataSet:
    """A book as a data set."""

    files: Mapping[str, bytes]  # its files by name
    left: tuple[Problem, ...]  # what of the book does not go out, and why


def data_set(book: RecordBook, outlines: Mapping[str, str]) -> DataSet:
    """Return a book as a data set, with what stays behind; ``outlines`` are GeoJSON by management unit."""
    out = _Out({unit: from_geojson(text) for unit, text in outlines.items()})
    units = {row["unit_id"] for row in book["unit"]}
    rows = {kind: list(_of_units(book, kind, order, units, out)) for kind, order in _ORDER.items()}
    passes = _harvest_passes(rows[_HARVESTS], rows["operation"])
    for row in rows[_HARVESTS]:
        _harvest(row, passes.get(row["harvest_id"]), out)
    merged = {one["operation_id"] for one in passes.values()}
    for row in rows["operation"]:
        if row["operation_id"] not in merged:
            code = _CODES.get(_group(row), _TILLAGE)
            values = [*_measured(row, code), ("AppliedArea", _in(row["treated_acres"], "acres", "ha"), "")]
            _add(out, row, "operation", str(row["operation"]), code, values)
    for row in rows[_APPLICATION]:
        _application(row, out)
    records = [
        {"id": {"referenceId": f"work-{unit}"}, "name": unit, "fieldId": unit, "operations": made}
        for unit, made in out.records.items()
    ]
    document = {
        "catalog": _catalog(book, out),
        "documents": {"workRecords": records},
        "rootSchemaVersion": _VERSION,
    }
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    return DataSet({"adapt.json": text.encode(), **out.files}, (*out.left, *_unplaced(book)))


def _of_units(book: RecordBook, kind: str, order: tuple[str, ...], units: set[str], out: _Out) -> Iterator[Row]:
    """Yield the rows of a kind that name a unit of the book; the others are told, as work has a field."""
    for row in sorted(book[kind], key=lambda row: [(row[name] is not None, row[name]) for name in order]):
        if row["unit_id"] in units:
            yield row
        else:
            cause = f"it names {row['unit_id'] or 'no unit'}, which the book does not have; it stays out."
            out.stays(kind, row, cause, "Name its unit, and export again.", column="unit_id")


def _harvest_passes(harvests: Iterable[Row], operations: Iterable[Row]) -> dict[str, Row]:
    """Return for each harvest the pass that made it: of the same unit, on its first day; each pass goes once."""
    waiting: dict[tuple[str, dt.date], deque[Row]] = defaultdict(deque)
    for row in operations:
        if _group(row) == "harvest" and row["day"]:
            waiting[row["unit_id"], row["day"]].append(row)
    found: dict[str, Row] = {}
    for row in harvests:
        own = waiting.get((row["unit_id"], row["first_day"] or row["last_day"]))
        if own and row["ending"] == "harvested":
            found[row["harvest_id"]] = own.popleft()
    return found


def _group(row: Row) -> str:
    known = find_operation(str(row["operation"]))
    return known.op_group if known else ""


def _catalog(book: RecordBook, out: _Out) -> dict[str, Any]:
    fields, boundaries = [], []
    for row in sorted(book["unit"], key=lambda row: row["unit_id"]):
        unit = row["unit_id"]
        made = {"id": {"referenceId": unit}, "name": unit, "farmId": row["farm_id"]}
        acres = row["acres"]
        if acres is not None:
            hectares = convert(Fraction(acres, 1000), "acres", "ha")
            made["arableArea"] = {"numericValue": float(hectares), "unitOfMeasureCode": "ha"}
        if unit in out.shapes:
            made["activeBoundaryId"] = f"boundary-{unit}"
            shape = {"geometry": to_wkt(out.shapes[unit], rounding_precision=7)}
            reference = {"id": {"referenceId": f"boundary-{unit}"}, "name": unit, "fieldId": unit}
            boundaries.append({**reference, "boundary": shape})
        elif row["boundary"]:
            cause = f"its outline {row['boundary']} cannot be read; it goes out without one."
            out.stays("unit", row, cause, "Import the boundary again.", column="boundary")
        fields.append({**made, **({"description": row["name"]} if row["name"] else {})})
    farms = [{"id": {"referenceId": row["farm_id"]}, "name": row["name"]} for row in book["farm"]]
    made_products = list(out.products.values())
    return {"farms": farms, "fields": fields, "fieldBoundaries": boundaries, "products": made_products}


Values = list[tuple[str, Fraction | None, str]]
"""Data type, number in the standard's unit, and the reference of its product."""


def _measured(row: Row, code: str) -> Values:
    depth = "SeedingDepthActual" if code == _CODES["planting"] else "TillageDepthActual"
    return [
        (depth, _in(row["depth_in"], "in", "m"), ""), ("Speed", _in(row["speed_mph"], "mph", "m/s"), ""),
        ("Width", _in(row["width_ft"], "ft", "m"), ""),
    ]  # fmt: skip


def _application(row: Row, out: _Out) -> None:
    name = str(row["product"])
    values: Values = [("AppliedArea", _in(row["treated_acres"], "acres", "ha"), "")]
    by_nitrogen = _by_nitrogen(row, out) if row["rate"] is None else None
    if by_nitrogen is None:
        values.append(_rate(out, name, "FERTILIZER_CHEMICAL", row["rate"], str(row["rate_unit"] or "")))
        _tell_amounts(row, out)
    else:
        values.append(by_nitrogen)
    if row["inhibitor"] and str(row["inhibitor"]).casefold() != "none":
        said = str(row["inhibitor_rate_unit"] or "")
        values.append(_rate(out, str(row["inhibitor"]), "NITROGEN_STABILIZER", row["inhibitor_rate"], said))
        if values[-1][1] is None:
            cause = f"{row['inhibitor']} has no rate with a unit; it is named without an amount."
            out.stays(_APPLICATION, row, cause, _TYPE_RATE, column="inhibitor_rate")
    elif row["inhibitor"] or row["inhibitor_rate"] is not None:
        cause = "an answer about the inhibitor that names none has no place in the standard."
        out.stays(_APPLICATION, row, cause, column="inhibitor")
    _add(out, row, _APPLICATION, name, "APPLICATION_FERTILIZING", values)


def _tell_amounts(row: Row, out: _Out) -> None:
    """Tell which amounts do not go out: a rate without a unit, no rate at all, nutrients typed an acre."""
    if row["rate"] is None or not row["rate_unit"]:
        said = "has no rate" if row["rate"] is None else f"has the rate {show(row['rate'])} and no unit"
        cause = f"{row['product']} {said}; it is named without an amount."
        out.stays(_APPLICATION, row, cause, _TYPE_RATE, column="rate")
    for nutrient in ("n", "p2o5", "k2o"):
        if row[f"{nutrient}_lb_per_ac"] is not None:
            out.nutrient_stays(row, nutrient, "the standard holds rates of products")


def _by_nitrogen(row: Row, out: _Out) -> tuple[str, Fraction | None, str] | None:
    """Return the pounds of product that carry the N typed, by the product's grade; None where no grade says it."""
    known = find_product(str(row["product"]))
    nitrogen = row["n_lb_per_ac"]
    if nitrogen is None or known is None or not known.n_pct:
        return None
    pounds = Fraction(nitrogen, known.n_pct) * 100
    for nutrient, share in (("p2o5", known.p2o5_pct), ("k2o", known.k2o_pct)):
        typed = row[f"{nutrient}_lb_per_ac"]
        if typed is not None and round(pounds * share / 100) != typed:
            out.nutrient_stays(row, nutrient, "the grade of its product gives another amount")
    product = out.product(str(row["product"]), "FERTILIZER_CHEMICAL", "LIQUID" if known.density_lb_per_gal else "SOLID")
    return "AppliedMassPerAreaActual", convert(pounds, "lb/ac", "kg/ha"), product


def _rate(out: _Out, name: str, kind: str, rate: int | None, unit: str) -> tuple[str, Fraction | None, str]:
    """Return a rate as the standard has it, by volume or mass; a product without a rate is named all the same."""
    for code, wanted, form in (
        ("AppliedVolumePerAreaActual", "l/ha", "LIQUID"), ("AppliedMassPerAreaActual", "kg/ha", "SOLID"),
    ):  # fmt: skip
        try:
            convert(Fraction(1), unit, wanted)
        except UnitError:
            continue
        return code, _in(rate, unit, wanted), out.product(name, kind, form)
    return "AppliedMassPerAreaActual", None, out.product(name, kind, "UNKNOWN")


def _harvest(row: Row, own: Row | None, out: _Out) -> None:
    """Add a harvest: dry mass where its bushels are at the base moisture, else wet mass with its moisture.

    ``own`` is the pass that made it, whose numbers it has too.
    """
    crop = str(row["crop"])
    if row["ending"] != "harvested":
        cause = f"{crop} ended as {row['ending']}: the standard has harvests and no word for another end."
        out.stays(_HARVESTS, row, cause)
        return
    product = out.product(crop, "HARVESTED_PRODUCT", "SOLID")
    moisture = row["moisture_pct"]
    dry = moisture is None or moisture == usual_base(crop)
    values: Values = [
        ("YieldTotalDryMass" if dry else "YieldTotalWetMass", _mass(row, out), product),
        ("CommodityMoisture", None if moisture is None else Fraction(moisture, 1000), product),
        *(_measured(own, _HARVEST) if own is not None else ()),
        ("AppliedArea", _in(_area(row, own, out), "acres", "ha"), ""),
    ]
    name = str(own["operation"]) if own is not None else _HARVEST
    _add(out, {**row, "equipment": own and own["equipment"]}, _HARVESTS, name, _HARVEST, values)


def _mass(row: Row, out: _Out) -> Fraction | None:
    """Return the mass of a harvest in kilograms; None, told, where its bushels or their weight are not known."""
    crop = str(row["crop"])
    if row["bushels"] is not None and crop in POUNDS:
        return convert(Fraction(row["bushels"], 1000) * POUNDS[crop], "lb", "kg")
    why = "it says no bushels" if row["bushels"] is None else f"what a bushel of {crop} weighs is not in the list"
    out.stays(_HARVESTS, row, f"{why}; it goes out without a yield.", column="bushels")
    return None


def _area(row: Row, own: Row | None, out: _Out) -> int | None:
    """Return the acres of a harvest; its pass may have covered others, which are told."""
    said, covered = row["harvested_acres"], own["treated_acres"] if own is not None else None
    if own is not None and said is not None and covered is not None and said != covered:
        cause = f"its pass covered {show(covered)} acres; the {show(said)} of the harvest go out."
        out.stays("operation", own, cause, column="treated_acres")
    return covered if said is None else said


def _in(thousandths: int | None, unit: str, wanted: str) -> Fraction | None:
    return None if thousandths is None else convert(Fraction(thousandths, 1000), unit, wanted)


def _add(out: _Out, row: Row, kind: str, name: str, code: str, values: Values) -> None:
    """Add a piece of work, of a row of a kind of record, to the record of its unit."""
    reference, unit = row[_ORDER[kind][-1]], str(row["unit_id"])
    shape = out.shapes.get(unit)
    own_id = {"referenceId": f"{code.lower()}-{reference}"}
    made: dict[str, Any] = {"id": own_id, "name": name, "operationTypeCode": code}
    first, last = (row["first_day"], row["last_day"]) if kind == _HARVESTS else (row["day"], row["day"])
    if first or last:
        moments = {"start": first or last, "end": last or first}
        scope = {which: _moment(day, shape) for which, day in moments.items() if day is not None}
        made["timeScopes"] = [{"dateContextCode": "ACTUAL", **scope}]
    else:
        cause = "it says no day; it goes out without one, and no reader can tell its season."
        out.stays(kind, row, cause, "Type its day, and export again.")
    stated = [(code_of, value, product) for code_of, value, product in values if value is not None]
    named = [product for _, _, product in values if product]
    variables, summaries = [], []
    for at, (code_of, value, product) in enumerate(stated, start=1):
        own = f"{own_id['referenceId']}-{at}"
        variable = {"id": {"referenceId": own}, "name": code_of, "definitionCode": code_of}
        of_product = {"productId": product} if product else {}
        variables.append({**variable, "geoParquetColumnName": f"{code_of}-{at}", **of_product})
        summaries.append({"variableId": own, "valueText": number_out(value, _PLACES)[0]})
    made |= {"variables": variables, "summaryValues": summaries}
    if named:
        made["productIds"] = list(dict.fromkeys(named))
    if row.get("equipment"):
        made["description"] = row["equipment"]
    if shape is not None and stated:
        made["spatialRecordsFile"] = f"{len(out.files) + 1}.parquet"
        columns = [(f"{each}-{at}", value) for at, (each, value, _) in enumerate(stated, start=1)]
        out.files[made["spatialRecordsFile"]] = _parquet(shape, columns)
    out.records.setdefault(unit, []).append(made)


def _moment(day: dt.date, shape: BaseGeometry | None) -> str:
    hour = _NOON_CENTRAL if shape is None else _NOON - hours_by_sun(shape.representative_point().x)
    noon = dt.datetime(day.year, day.month, day.day, tzinfo=dt.UTC) + dt.timedelta(hours=hour)
    return noon.strftime("%Y-%m-%dT%H:%M:%SZ")


def _parquet(shape: BaseGeometry, columns: list[tuple[str, Fraction]]) -> bytes:
    """Return one row of GeoParquet: the outline and the numbers over it, which the standard has as binary ones."""
    told = {
        "version": "1.0.0", "primary_column": "geometry",
        "columns": {"geometry": {"encoding": "WKB", "geometry_types": [shape.geom_type], "bbox": list(shape.bounds)}},
    }  # fmt: skip
    numbers = {name: pl.Series([float(value)], dtype=pl.Float64) for name, value in columns}
    frame = pl.DataFrame({**numbers, "geometry": [to_wkb(shape)]})
    stream = io.BytesIO()
    frame.write_parquet(stream, metadata={"geo": json.dumps(told)})
    return stream.getvalue()


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return a data set as a zip; the same files give the same bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()
