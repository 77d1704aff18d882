"""Files of other systems, spoiled: Leaf, farmOS, ADAPT, acreage reports, and texts of yield monitors."""

import copy
import io
import json
from collections.abc import Callable
from random import Random
from typing import Any, Final

import numpy as np
import tifffile

from fuzz.case import whole
from fuzz.seasons import seasons
from provender.formats.adapt_out import data_set, packed
from provender.records.kinds.farm import Unit

_RING: Final = [[-95.7, 39.0], [-95.69, 39.0], [-95.69, 39.01], [-95.7, 39.0]]
_SQUARE: Final = {"type": "Polygon", "coordinates": [_RING]}
_WKT: Final = "POLYGON((-95.7 39,-95.69 39,-95.69 39.01,-95.7 39))"
_LEAF: Final = {"type": "FeatureCollection", "features": [
    {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [_RING]}, "properties": {
        "operationType": kind, "startTime": "2026-05-06T02:30:00Z", "endTime": "2026-05-07T02:30:00Z", "crop": ["corn"],
        "fieldName": "N40", "totalArea": {"value": 40.5, "unit": "ac"}, "speed": {"avg": 5.5, "unit": "mi/hr"},
        "tillageDepthActual": {"avg": 4, "unit": "in"}, "totalWetMass": {"value": 56000, "unit": "lb"},
        "harvestMoisture": {"avg": 18, "unit": "%"}, "machinery": [{"name": "Disk"}],
        "products": [{"name": "UAN 32", "rate": {"avg": 14.5, "unit": "gal/ac"}}],
    }}
    for kind in ("tillage", "applied", "harvested", "planted")
]}  # fmt: skip
_FARMOS: Final = {"data": [
    {"type": f"log--{kind}", "id": kind, "attributes": {"name": name, "timestamp": 1_790_000_000, "status": "done"},
     "relationships": {"location": {"data": [{"type": "asset--land", "id": "L"}]},
                       "quantity": {"data": [{"type": "quantity--standard", "id": "Q"}]}}}
    for kind, name in (("activity", "Burndown"), ("input", "Urea"), ("harvest", "Harvest corn"), ("seeding", "Drill"))
] + [
    {"type": "log--lab_test", "id": "soil", "attributes": {
        "name": "Soil", "timestamp": 1_790_000_000, "status": "done", "lab_test_type": "soil",
        "lab_received_date": 1_790_000_000},
     "relationships": {"location": {"data": [{"type": "asset--land", "id": "L"}]},
                       "quantity": {"data": [{"type": "quantity--test", "id": each} for each in ("T", "Q")]}}},
], "included": [
    {"type": "quantity--test", "id": "T", "attributes": {"label": "pH", "value": {"decimal": "6.4"}}},
    {"type": "asset--land", "id": "L", "attributes": {"name": "N40", "intrinsic_geometry": {"value": _WKT}}},
    {"type": "quantity--standard", "id": "Q", "attributes": {"label": "rate", "value": {"decimal": "100"}},
     "relationships": {"units": {"data": {"type": "taxonomy_term--unit", "id": "U"}}}},
    {"type": "taxonomy_term--unit", "id": "U", "attributes": {"name": "lb/ac"}},
]}  # fmt: skip
_ADAPT: Final = {
    "catalog": {
        "fields": [{"id": {"referenceId": "F"}, "name": "N40"}],
        "products": [{"id": {"referenceId": "P"}, "name": "Urea"}],
        "fieldBoundaries": [{"id": {"referenceId": "B"}, "fieldId": "F", "boundary": {"geometry": _WKT}}],
    },
    "documents": {"workOrders": [], "workRecords": [{"id": {"referenceId": "W"}, "fieldId": "F", "operations": [
        {"id": {"referenceId": code}, "name": code, "operationTypeCode": code, "spatialRecordsFile": "../-1.parquet",
         "timeScopes": [{"dateContextCode": "ACTUAL", "start": "2026-05-02T20:00:00Z"}],
         "variables": [{"id": {"referenceId": name}, "definitionCode": name, "productId": "P"}
                       for name in ("TillageDepthActual", "AppliedMassPerAreaActual", "YieldTotalWetMass")],
         "summaryValues": [{"variableId": name, "valueText": "0.1"}
                           for name in ("TillageDepthActual", "AppliedMassPerAreaActual", "YieldTotalWetMass")]}
        for code in ("FIELD_PREPARATION_TILLAGE", "APPLICATION_FERTILIZING", "HARVEST")
    ]}]},
}  # fmt: skip
_ACRSI: Final = {"cropYear": 2026, "farm": [{"farmNumber": 1, "tract": [{"tractNumber": 2, "field": [
    {"fieldNumber": 3, "agriculturalProductionPlan": [
        {"coreProductCode": code, "originalReportedAcreage": 25.91, "originalPlantedDate": "2026-05-01"}
        for code in ("0041", "0081", "0011")
    ], "geospatialInfo": {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [_RING]}}},
]}]}]}  # fmt: skip
_FIELDVIEW: Final = {"type": "FeatureCollection", "features": [
    {"type": "Feature", "geometry": {"type": "MultiPolygon", "coordinates": [[_RING]]}, "properties": {
        "id": "e", "field": {"id": "f", "name": "N40"},
        "plantingActivity": {"date": "2026-05-02", "crop": crop, "area": {"q": 16.1, "u": "hectare"}},
    }}
    for crop in ("corn", "soybeans")
]}  # fmt: skip
_DOCUMENTS: Final = {
    "planting.json": _FIELDVIEW,
    "leaf.json": _LEAF,
    "farm.json": _FARMOS,
    "adapt.json": _ADAPT,
    "acrsi.json": _ACRSI,
}
_ROW: Final = '-95.69{0},39.00{0},12.5,17900000{1:02d},1,60.0,240,15.2,33,1,9,"F0:N40","L1","CORN",7,0,900'
_CELLS: Final = ("", "x", '"', "1,5", "-1", "1e5", "9" * 30, "\u00e9", "\x00")
_NASTY: Final[tuple[object, ...]] = (
    None, True, [], {}, "", "x", "NaN", "1e999999999", -1, 0, 1e308, 10**40, "2026-13-45", "\u202eN40", "a" * 3000,
    [[]], {"value": "1", "unit": "fl oz/ac"}, {"avg": "9", "unit": None}, "POLYGON((0 0))", [[[[181, 91]]]],
    "../../etc/passwd",
)  # fmt: skip


def document_file(random: Random) -> tuple[str, bytes, str]:
    """Return a document of another system with some of its parts replaced, dropped or doubled, or cut."""
    name = random.choice(list(_DOCUMENTS))
    document: Any = copy.deepcopy(_DOCUMENTS[name])
    for _ in range(random.randrange(5)):
        _spoil(document, random)
    data = json.dumps(document).encode()
    if random.random() < 0.1:
        data = data[: random.randrange(1, len(data))]
    return name, data, ""


def _spoil(document: Any, random: Random) -> None:  # noqa: ANN401 - JSON
    """Change one part anywhere in a document."""
    here = document
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys:
            return
        key = random.choice(keys)
        inner = here[key]
        if isinstance(inner, dict | list) and inner and random.random() < 0.85:
            here = inner
            continue
        how = random.random()
        if how < 0.7:
            here[key] = copy.deepcopy(random.choice(_NASTY))
        elif how < 0.85:
            del here[key]
        elif isinstance(here, list):
            here.append(copy.deepcopy(inner))
        return


def yield_file(random: Random) -> tuple[str, bytes, str]:
    """Return a yield monitor's text with cells spoiled, rows cut or marks left open."""
    rows = [_ROW.format(at % 10, at) for at in range(random.randrange(1, 60))]
    for _ in range(random.randrange(6)):
        at = random.randrange(len(rows))
        cells = rows[at].split(",")
        cells[random.randrange(len(cells))] = random.choice(
            ["", "x", '"', "1,5", "-1", "1e5", "9" * 30, "\u00e9", "\x00"]
        )
        rows[at] = ",".join(cells[: random.choice([len(cells), len(cells), 16, 3])])
    end = random.choice(["\n", "\r\n", "\n\n", "\r"])
    return "log.txt", end.join(rows).encode("utf-8", "replace") + random.choice([b"", b"\n"]), ""


_HEADINGS: Final = (
    ("Longitude", "Latitude", "AppliedRate(gal/ac)", "Distance(ft)", "Swth Wdth(ft)", "Product", "IsoTime"),
    ("Longitude", "Latitude", "Yld Vol(Dry)(bu/ac)", "Distance", "SwathWidth", "Crop", "Date"),
    ("Longitude", "Latitude", "WetMass", "Acres", "Moisture", "Crop", "Time"),
)


def points_file(random: Random) -> tuple[str, bytes, str]:
    """Return logged points with headings, as text or GeoJSON, with cells, headings and shapes spoiled."""
    headings = list(random.choice(_HEADINGS))
    rows: list[list[str]] = [
        [f"-95.69{at:03d}", f"39.00{at:03d}", "14.5", "9.8", "60", "corn" if "Crop" in headings else "UAN 32",
         f"2026-06-02T15:00:{at % 60:02d}Z"]
        for at in range(random.randrange(1, 60))
    ]  # fmt: skip
    for _ in range(random.randrange(8)):
        row = random.choice(rows)
        row[random.randrange(len(row))] = random.choice([*_CELLS, "NaN", "inf", "1e-400", "99999999999999999999"])
    if random.random() < 0.2:
        headings[random.randrange(len(headings))] = random.choice(["", "x", "Yield(cats/ac)", "AppliedRate()", '"'])
    if random.random() < 0.5:
        return "points.csv", "\n".join(",".join(row) for row in [headings, *rows]).encode(), ""
    document: Any = {"type": "FeatureCollection", "features": [
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-95.69, 39.0 + at / 10_000]},
         "properties": dict(zip(headings[2:], row[2:], strict=True))}
        for at, row in enumerate(rows)
    ]}  # fmt: skip
    for _ in range(random.randrange(4)):
        _spoil(document, random)
    return "points.geojson", json.dumps(document).encode(), ""


def exported_file(random: Random) -> tuple[str, bytes, str]:
    """Return a data set of the ADAPT Standard as a season's book is exported, spoiled in its document and its zip."""
    book = whole(random.choice(list(seasons())))
    outlines = {unit.unit_id: json.dumps(_SQUARE) for unit in book.every(Unit) if random.random() < 0.7}
    files = dict(data_set(book, outlines).files)
    document: Any = json.loads(files["adapt.json"])
    as_rasters(document, files, random)
    for _ in range(random.randrange(5)):
        _spoil(document, random)
    files["adapt.json"] = json.dumps(document).encode()
    for name in random.sample(list(files), min(len(files), random.randrange(3))):
        if name != "adapt.json":
            files[name] = files[name][: random.randrange(len(files[name]))]
    return "set.zip", packed(files), ""


def as_rasters(document: Any, files: dict[str, bytes], drawn: Random) -> None:  # noqa: ANN401 - JSON
    """Put GeoTIFFs, some of them spoiled, in place of the GeoParquet that operations name, in every second data set.

    What is drawn here is drawn beside the case, so that cases of before stay what they were but for this.
    """
    random = Random(str(drawn.getstate()))
    if random.random() < 0.5:
        return
    work = (one for record in document["documents"]["workRecords"] for one in record["operations"])
    for operation in (one for one in work if "spatialRecordsFile" in one):
        files.pop(operation["spatialRecordsFile"], None)
        name = operation["spatialRecordsFile"] = f"{len(files)}.tiff"
        variables = operation["variables"]
        for at, each in enumerate(variables, random.choice((0, 1, 1, 1, 2))):
            each["geoTIFFBandIndex"] = at
        stream = io.BytesIO()
        cells = np.array([[random.choice((0, 0.1, 2, -1, 1e30, float("nan")))] * len(variables)] * 6)
        tifffile.imwrite(stream, cells.reshape(2, 3, -1).astype("float32"), photometric="minisblack", metadata=None)
        content = bytearray(stream.getvalue())
        for _ in range(random.choice((0, 0, 1, 4))):
            content[random.randrange(len(content))] = random.randrange(256)
        files[name] = bytes(content)


MAKERS: Final[tuple[Callable[[Random], tuple[str, bytes, str]], ...]] = (
    *(document_file, document_file, yield_file),
    *(points_file, points_file, exported_file),
)
