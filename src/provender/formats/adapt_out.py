"""A record book as a data set of the ADAPT Standard 2.0.2: ``adapt.json``, and GeoParquet where units have outlines.

Units are the standard's own. Numbers stand as decimal text with twelve places, so that what is read back rounds to what
the book has. Where a unit has an outline, each piece of work has its numbers over that outline as GeoParquet too: the
book keeps no points. A book knows days and no clock; the standard wants a moment, which is noon by the sun.
"""

import datetime as dt
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

import polars as pl
from shapely import from_geojson, to_wkb, to_wkt
from shapely.geometry.base import BaseGeometry

from provender.catalog.operations import find_operation
from provender.formats.units import UnitError, convert
from provender.formats.yield_totals import POUNDS, usual_base
from provender.records.book import RecordBook

VERSION: Final = "2.0.2"
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
UNTOLD: Final = (
    "declarations", "evidence", "budgets, tests and opinions", "cover crops", "calculator runs",
    "methods of application", "tools of composite implements",
)  # fmt: skip
"""What a book keeps and the standard has no place for."""

Row = Mapping[str, Any]


@dataclass(slots=True)
class _Out:
    """A data set being made."""

    shapes: Mapping[str, BaseGeometry]
    products: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    records: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def product(self, name: str, kind: str, form: str) -> str:
        """Return the reference of a product, entered in the catalogue once."""
        made = {"id": {"referenceId": f"product-{len(self.products) + 1}"}, "name": name, "productTypeCode": kind}
        held = self.products.setdefault((name, kind), {**made, "productFormCode": form})
        return str(held["id"]["referenceId"])


def data_set(book: RecordBook, outlines: Mapping[str, str]) -> dict[str, bytes]:
    """Return the files of a data set by name.

    Args:
        book: the record book.
        outlines: GeoJSON by management unit.
    """
    out = _Out({unit: from_geojson(text) for unit, text in outlines.items()})
    for row in book["harvest"].sort("harvest_id").iter_rows(named=True):
        _harvest(row, out)
    for row in book["operation"].sort("day", "operation_id").iter_rows(named=True):
        _operation(row, out)
    for row in book["nutrient_application"].sort("day", "application_id").iter_rows(named=True):
        _application(row, out)
    document = {
        "catalog": _catalog(book, out),
        "documents": {"workRecords": [_record(unit, made) for unit, made in out.records.items()]},
        "rootSchemaVersion": VERSION,
    }
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    return {"adapt.json": text.encode(), **out.files}


def _catalog(book: RecordBook, out: _Out) -> dict[str, Any]:
    fields, boundaries = [], []
    for row in book["unit"].sort("unit_id").iter_rows(named=True):
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
        fields.append({**made, **({"description": row["name"]} if row["name"] else {})})
    farms = [{"id": {"referenceId": row["farm_id"]}, "name": row["name"]} for row in book["farm"].iter_rows(named=True)]
    made_products = list(out.products.values())
    return {"farms": farms, "fields": fields, "fieldBoundaries": boundaries, "products": made_products}


def _record(unit: str, operations: list[dict[str, Any]]) -> dict[str, Any]:
    return {"id": {"referenceId": f"work-{unit}"}, "name": unit, "fieldId": unit, "operations": operations}


Values = list[tuple[str, Fraction | None, str]]
"""Data type, number in the standard's unit, and the reference of its product."""


def _operation(row: Row, out: _Out) -> None:
    known = find_operation(str(row["operation"]))
    group = known.op_group if known else ""
    if group == "harvest" and (one := _harvest_of(row, out)):
        one["name"] = str(row["operation"])
        return
    code = _CODES.get(group, _TILLAGE)
    depth = "SeedingDepthActual" if code == _CODES["planting"] else "TillageDepthActual"
    values: Values = [
        (depth, _in(row["depth_in"], "in", "m"), ""), ("Speed", _in(row["speed_mph"], "mph", "m/s"), ""),
        ("Width", _in(row["width_ft"], "ft", "m"), ""), ("AppliedArea", _in(row["treated_acres"], "acres", "ha"), ""),
    ]  # fmt: skip
    _add(out, row, str(row["operation"]), code, values, row["operation_id"], (row["day"], row["day"]))


def _harvest_of(row: Row, out: _Out) -> dict[str, Any] | None:
    """Return the harvest of the same unit that began on the day of a pass and has no pass yet."""
    begun = _moment(row["day"], out.shapes.get(row["unit_id"])) if row["day"] else ""
    made = out.records.get(str(row["unit_id"]), ())
    return next((one for one in made if one["name"] == _HARVEST and one["timeScopes"][0]["start"] == begun), None)


def _application(row: Row, out: _Out) -> None:
    unit = str(row["rate_unit"] or "")
    values: Values = [("AppliedArea", _in(row["treated_acres"], "acres", "ha"), "")]
    values.append(_rate(out, str(row["product"]), "FERTILIZER_CHEMICAL", row["rate"], unit))
    if row["inhibitor"] and str(row["inhibitor"]).casefold() != "none":
        said = str(row["inhibitor_rate_unit"] or "")
        values.append(_rate(out, str(row["inhibitor"]), "NITROGEN_STABILIZER", row["inhibitor_rate"], said))
    day = row["day"]
    _add(out, row, str(row["product"]), "APPLICATION_FERTILIZING", values, row["application_id"], (day, day))


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


def _harvest(row: Row, out: _Out) -> None:
    """Add a harvest: dry mass where its bushels are at the base moisture, else wet mass with its moisture."""
    crop = str(row["crop"])
    if row["bushels"] is None or crop not in POUNDS or not (row["first_day"] or row["last_day"]):
        return
    product = out.product(crop, "HARVESTED_PRODUCT", "SOLID")
    mass = convert(Fraction(row["bushels"], 1000) * POUNDS[crop], "lb", "kg")
    moisture = row["moisture_pct"]
    dry = moisture is None or moisture == usual_base(crop)
    values: Values = [
        ("YieldTotalDryMass" if dry else "YieldTotalWetMass", mass, product),
        ("CommodityMoisture", None if moisture is None else Fraction(moisture, 1000), product),
        ("AppliedArea", _in(row["harvested_acres"], "acres", "ha"), ""),
    ]
    _add(out, row, _HARVEST, _HARVEST, values, row["harvest_id"], (row["first_day"], row["last_day"]))


def _in(thousandths: int | None, unit: str, wanted: str) -> Fraction | None:
    return None if thousandths is None else convert(Fraction(thousandths, 1000), unit, wanted)


def _add(
    out: _Out,
    row: Row,
    name: str,
    code: str,
    values: Values,
    reference: str,
    days: tuple[dt.date | None, dt.date | None],
) -> None:
    """Add a piece of work to the record of its unit."""
    unit = str(row["unit_id"])
    shape = out.shapes.get(unit)
    made: dict[str, Any] = {
        "id": {"referenceId": f"{code.lower()}-{reference}"},
        "name": name,
        "operationTypeCode": code,
    }
    first, last = days
    if first or last:
        moments = {"start": first or last, "end": last or first}
        scope = {which: _moment(day, shape) for which, day in moments.items() if day is not None}
        made["timeScopes"] = [{"dateContextCode": "ACTUAL", **scope}]
    stated = [(code_of, value, product) for code_of, value, product in values if value is not None]
    named = [product for _, _, product in values if product]
    variables, summaries = [], []
    for at, (code_of, value, product) in enumerate(stated, start=1):
        own = f"{made['id']['referenceId']}-{at}"
        variable = {"id": {"referenceId": own}, "name": code_of, "definitionCode": code_of}
        of_product = {"productId": product} if product else {}
        variables.append({**variable, "geoParquetColumnName": f"{code_of}-{at}", **of_product})
        summaries.append({"variableId": own, "valueText": _text(value)})
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


def _text(value: Fraction) -> str:
    """Return a number with twelve places, without zeros at its end."""
    scaled = round(value * 10**_PLACES)
    return f"{Decimal(scaled).scaleb(-_PLACES):f}".rstrip("0").rstrip(".")


def _moment(day: dt.date, shape: BaseGeometry | None) -> str:
    hour = _NOON_CENTRAL if shape is None else _NOON - round(shape.representative_point().x / 15)
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
