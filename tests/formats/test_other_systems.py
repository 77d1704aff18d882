"""Work out of Leaf, farmOS, ADAPT data sets, FieldView, USDA's acreage reports and Crop Sequence Boundaries."""

import dataclasses
import datetime as dt
import io
import json
import zipfile
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
import shapely

from provender.formats.adapt import read_adapt
from provender.formats.crop_sequence import read_crop_sequence
from provender.formats.detect import sniff
from provender.formats.farmos import read_farmos
from provender.formats.isoxml.passes import MachineData, MachinePass
from provender.formats.parsed import Parsed
from provender.formats.summaries import read_leaf, read_plantings
from provender.formats.work import day_of, number
from provender.problem import Weight
from provender.records.folder import load_book
from tests.formats.test_intake import ACCEPTED, SQUARE, brought
from tests.formats.test_intake import codes as told
from tests.formats.workbooks import Write, codes
from tests.rows import CaseRows

CASES: Final = CaseRows(__file__)

RING: Final = [[-95.7, 39.0], [-95.6955, 39.0], [-95.6955, 39.0036], [-95.7, 39.0036], [-95.7, 39.0]]
AREA: Final = {"type": "MultiPolygon", "coordinates": [[RING]]}
WKT: Final = f"POLYGON(({','.join(f'{x} {y}' for x, y in RING)}))"


def leaf(kind: str, geometry: object = AREA, **more: object) -> dict[str, Any]:
    told = {
        "operationType": kind, "startTime": "2026-10-06T02:30:00Z", "endTime": "2026-10-07T20:00:00Z",
        "totalArea": {"value": 161874.256896, "unit": "m2"}, "speed": {"avg": 5.5, "min": 1, "max": 9, "unit": "mi/hr"},
        "machinery": [{"name": "8R 340"}, "Disk 2660VT"], **more,
    }  # fmt: skip
    return {"type": "Feature", "properties": told, "geometry": geometry}


def passes(parsed: Parsed[MachineData]) -> tuple[MachinePass, ...]:
    assert parsed.result is not None
    return parsed.result.passes


def one(write: Write, document: object) -> MachinePass:
    path = write("leaf.json", json.dumps(document))
    assert sniff(path, path.name).reader == "leaf"
    (found,) = passes(read_leaf(path, path.name))
    return found


def test_leaf_gives_area_speed_and_depth_and_its_dry_mass_is_not_dried_again(write: Write) -> None:
    depth = {"tillageDepthActual": {"avg": 4.5, "unit": "in"}, "tillageDepthTarget": {"avg": 6, "unit": "in"}}
    found = one(write, leaf("tillage", **depth, equipmentWidth={"avg": 12.192, "unit": "m"}))
    assert (found.acres, found.speed_mph, found.depth_in, found.width_ft) == (40_000, 5_500, 4_500, 40_000)
    assert (found.practice, found.machine, found.log) == ("tillage", "8R 340, Disk 2660VT", "feature 1")
    dry = {"crop": "corn", "totalDryMass": {"value": 88_000, "unit": "kg"}, "harvestMoisture": {"avg": 25, "unit": "%"}}
    for wet, said in (({}, []), ({"totalWetMass": {"value": 100, "unit": "wagon"}}, ["harvest_unit"])):
        path = write("leaf.json", json.dumps(leaf("harvested", **dry, **wet)))
        parsed = read_leaf(path, path.name)
        assert [(each.harvest_kg, each.moisture_pct) for each in passes(parsed)] == [(88_000, None)]
        assert codes(parsed) == said


@pytest.mark.parametrize("depth", [{"avg": 0, "unit": "in"}, {"avg": 4, "unit": "fl oz/ac"}, {"avg": 4}, 4, None])
def test_a_depth_of_zero_or_another_unit_is_none_and_no_target_counts(write: Write, depth: object) -> None:
    found = one(write, leaf("tillage", tillageDepthActual=depth, tillageDepthTarget={"avg": 6, "unit": "in"}))
    assert found.depth_in is None


def test_points_without_units_are_not_read_and_an_evening_is_of_the_fields_day_not_of_greenwichs(write: Write) -> None:
    point = {"operationType": "tillage", "timestamp": "2026-10-06T02:30:00Z", "speed": 5.1, "tillageDepthActual": 4}
    feature = {"type": "Feature", "properties": point, "geometry": {"type": "Point", "coordinates": RING[0]}}
    path = write("leaf.json", json.dumps({"type": "FeatureCollection", "features": [feature] * 3}))
    parsed = read_leaf(path, path.name)
    assert (parsed.result, codes(parsed)) == (None, ["no_units"])
    found = one(write, leaf("tillage"))
    assert (found.day, found.last_day) == (dt.date(2026, 10, 5), dt.date(2026, 10, 7))
    path = write("leaf.json", json.dumps(leaf("tillage", geometry=None)))
    assert codes(read_leaf(path, path.name)) == ["day_at_greenwich"]


def test_products_of_leaf_stand_without_a_rate_and_other_work_is_told(write: Write) -> None:
    rated = [("UAN 32", {"avg": 20, "unit": "gal/ac"}), ("MAP", {"avg": 5})]
    work = leaf("applied", products=[{"name": name, "rate": rate} for name, rate in rated])
    path = write("leaf.json", json.dumps([work, leaf("applied", startTime="1980-01-06T00:00:00Z"), leaf("irrigated")]))
    parsed = read_leaf(path, path.name)
    (found,) = passes(parsed)
    assert [(each.product, each.rate) for each in found.applied] == [("UAN 32", 20_000), ("MAP", 0)]
    assert codes(parsed) == ["no_rate", "no_day", "other_operation"]


def test_a_harvest_of_leaf_is_its_wet_mass_at_its_moisture_and_goes_to_the_unit_in_which_it_lies(book: Path) -> None:
    square = json.loads(json.dumps(SQUARE).replace("N40", "HOME80"))
    brought(book, "fields.geojson", json.dumps(square), ACCEPTED)
    more = {"crop": ["corn"], "totalWetMass": {"value": 56_000, "unit": "lb"}}
    harvest = leaf("harvested", **more, harvestMoisture={"avg": 25.5, "unit": "%"})
    applied = leaf("applied", products=[{"name": "UAN 32", "rate": {"avg": 14.5, "unit": "gal/ac"}}])
    brought(book, "leaf.json", json.dumps({"a": harvest, "b": [{"summary": applied}]}), ACCEPTED)
    kept = load_book(book)
    (row,) = [row for row in kept["harvest"] if row["bushels"] is not None]
    # 56,000 lb at 25.5 % are 1,000 wet bushels, and 74.5/84.5 of that at 15.5 %.
    assert row["bushels"] == pytest.approx(881_657, abs=20)
    assert (row["unit_id"], row["known_by"], str(row["last_day"])) == ("HOME80", "machine", "2026-10-07")
    (rate,) = kept["nutrient_application"]
    assert (rate["product"], rate["rate"], rate["rate_unit"], rate["unit_id"]) == ("UAN 32", 14_500, "gal/ac", "HOME80")
    assert "feature 2" in rate["note"]
    assert [row["what"] for row in kept["evidence"]].count("machine_file") == 1


def farmos(*logs: dict[str, Any], drawn: bool = True) -> str:
    land = {"name": "Home 80", "intrinsic_geometry": {"value": WKT} if drawn else None}
    included = [
        {"type": "asset--land", "id": "L", "attributes": land},
        {"type": "taxonomy_term--unit", "id": "U", "attributes": {"name": "lb/ac"}},
        {"type": "taxonomy_term--unit", "id": "B", "attributes": {"name": "bushels"}},
        {"type": "taxonomy_term--unit", "id": "I", "attributes": {"name": "inches"}},
        quantity("rate", "100.5", "U", "quantity--material"), quantity("yield", "8000", "B"),
        quantity("depth", "3", "I"),
    ]  # fmt: skip
    return json.dumps({"data": list(logs), "included": included})


def quantity(name: str, value: str, unit: str, kind: str = "quantity--standard") -> dict[str, Any]:
    units = {"units": {"data": {"type": "taxonomy_term--unit", "id": unit}}}
    told = {"label": name, "value": {"decimal": value}}
    return {"type": kind, "id": name, "attributes": told, "relationships": units}


def log(kind: str, name: str, *quantities: str, status: str = "done") -> dict[str, Any]:
    many = [
        {"type": "quantity--material" if each == "rate" else "quantity--standard", "id": each} for each in quantities
    ]
    told = {"name": name, "timestamp": "2026-05-02T01:00:00+00:00", "status": status}
    relations = {"location": {"data": [{"type": "asset--land", "id": "L"}]}, "quantity": {"data": many}}
    return {"type": f"log--{kind}", "id": name, "attributes": told, "relationships": relations}


def test_logs_of_farmos_are_what_a_person_typed_there_and_plans_are_none(book: Path) -> None:
    logs = [log("activity", "Burndown", "depth"), log("input", "urea", "rate"), log("harvest", "Harvest corn", "yield")]
    plan = brought(book, "farm.json", farmos(*logs, log("activity", "Disk", status="pending")), ACCEPTED)
    kept = load_book(book)
    assert {(row["operation"], row["depth_in"], str(row["day"])) for row in kept["operation"]} == {
        ("Sprayer, kill crop", 3_000, "2026-05-01"),
        ("Combine harvest", None, "2026-05-01"),
        ("urea", None, "2026-05-01"),
    }
    (rate,) = kept["nutrient_application"]
    assert (rate["n_lb_per_ac"], rate["rate"], rate["rate_unit"], rate["known_by"]) == (None, 100_500, "lb/ac", None)
    assert [row["bushels"] for row in kept["harvest"] if row["bushels"] is not None] == [8_000_000]
    assert "not_done" in [problem.code for problem in plan.problems]
    assert [row["boundary"] for row in kept["unit"] if row["unit_id"] == "HOME80"] != [None]


@pytest.mark.parametrize("document", [{"operationType": {"a": 1}}, {"operationType": "ploughed"}, []])
def test_a_document_without_an_operation_that_is_known_is_refused(write: Write, document: object) -> None:
    path = write("x.json", json.dumps({"features": [{"properties": document}]}))
    assert codes(read_leaf(path, path.name)) == ["no_operations"]
    land = {"data": [{"type": "asset--land", "id": "L", "attributes": {"name": "Home"}}]}
    path.write_text(json.dumps(land))
    assert codes(read_farmos(path, path.name)) == ["no_operations"]


def test_a_lab_test_of_water_a_log_of_several_fields_or_of_a_kind_not_read_is_told(write: Write) -> None:
    path = write("farm.json", farmos(log("medical", "Vet"), drawn=False))
    assert sniff(path, path.name).reader == "farmos"
    assert codes(read_farmos(path, path.name)) == ["other_log"]
    for text, code in ((lab_log(("pH", "7", ""), lab_test_type="water"), "other_test"),
                       (lab_log(("Boron", "1", "ppm")), "no_values")):  # fmt: skip
        parsed = read_farmos(write("t.json", text), "t.json")
        assert parsed.result is not None
        assert parsed.result.soil_tests == ()
        assert code in codes(parsed)


def adapt(*operations: dict[str, Any], **documents: object) -> dict[str, Any]:
    record = {"id": {"referenceId": "W1"}, "name": "Spring", "fieldId": "F", "operations": list(operations)}
    outline = {"id": {"referenceId": "B"}, "name": "b", "fieldId": "F", "boundary": {"geometry": WKT}}
    named = {"fields": ("F", "Home 80"), "products": ("P", "UAN 32"), "devices": ("D", "Planter, double disk opnr")}
    listed = {kind: [{"id": {"referenceId": key}, "name": name}] for kind, (key, name) in named.items()}
    return {"catalog": {**listed, "fieldBoundaries": [outline]}, "documents": {"workRecords": [record], **documents}}


def operation(code: str, records: str = "", /, **values: tuple[str, str]) -> dict[str, Any]:
    variables = [
        {"id": {"referenceId": name}, "name": name, "definitionCode": name, "geoParquetColumnName": name}
        | ({"productId": product} if product else {})
        for name, (_, product) in values.items()
    ]
    summaries = [{"variableId": name, "valueText": text} for name, (text, _) in values.items() if text]
    scopes = [{"dateContextCode": "ACTUAL", "start": "2026-05-02T01:00:00Z"}]
    return {
        "id": {"referenceId": "O"}, "name": code.lower(), "operationTypeCode": code, "variables": variables,
        "summaryValues": summaries, "timeScopes": scopes, "deviceConfiguration": {"deviceId": "D"},
        **({"spatialRecordsFile": records} if records else {}),
    }  # fmt: skip


def test_work_records_of_adapt_are_read_in_the_units_of_the_standard(book: Path) -> None:
    measured = {"SeedingDepthActual": "0.0508", "Speed": "2.2352", "Width": "12.192", "AppliedArea": "16.1874256896"}
    shown = {name: (text, "") for name, text in measured.items()}
    sown = operation("APPLICATION_SOWING_AND_PLANTING", **shown)
    fed = operation("APPLICATION_FERTILIZING", AppliedVolumePerAreaActual=("93.5395570", "P"))
    brought(book, "adapt.json", json.dumps(adapt(sown, fed)), ACCEPTED)
    kept = load_book(book)
    (row,) = kept["operation"]
    assert (row["depth_in"], row["speed_mph"], row["width_ft"], row["treated_acres"]) == (2_000, 5_000, 40_000, 40_000)
    assert (row["unit_id"], row["known_by"], str(row["day"])) == ("HOME80", "machine", "2026-05-01")
    (rate,) = kept["nutrient_application"]
    assert (rate["product"], rate["rate"], rate["rate_unit"]) == ("UAN 32", 10_000, "gal/ac")


@pytest.mark.parametrize(("device", "ridden"), [("D", True), ("E", False), ("", False)])
def test_what_another_machine_of_adapt_puts_on_is_a_pass_of_its_own(write: Write, device: str, ridden: bool) -> None:
    fed = operation("APPLICATION_FERTILIZING", AppliedMassPerAreaActual=("100", "P"))
    fed["deviceConfiguration"] = {"deviceId": device, "name": "Spreader"}
    made = adapt(operation("APPLICATION_SOWING_AND_PLANTING"), fed)
    found = passes(read_adapt(write("adapt.json", json.dumps(made)), "adapt.json"))
    assert [each.rides_along for each in found] == [False, ridden]


def tilled(folder: Path, cut: int | None = None, **columns: list[float | None]) -> Path:
    """Write a data set of a tillage pass whose measures lie beside it."""
    found = operation("FIELD_PREPARATION_TILLAGE", "-49.parquet", **dict.fromkeys(columns, ("", "")))
    stream = io.BytesIO()
    pl.DataFrame(columns).write_parquet(stream)
    path = folder / "set.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("export/adapt.json", "\ufeff" + json.dumps(adapt(found)))
        archive.writestr("export/-49.parquet", stream.getvalue()[:cut])
    assert sniff(path, path.name).reader == "adapt"
    return path


INF: Final = float("inf")


@pytest.mark.parametrize(("depths", "cut", "told", "depth"), [
    ([0.1, 0.2, 0.0, None, float("nan")], None, [], round(15 / 2.54 * 1000)),
    ([0.1, 0.2], -9, ["bad_parquet"], None),
    ([0.1, INF, 0.2, -INF], None, [], round(15 / 2.54 * 1000)),
    ([1.7e308, 1.7e308], None, ["bad_parquet"], None),
], ids=["their mean", "damaged", "endless ones", "too large a sum"])  # fmt: skip
def test_records_give_their_mean(
    tmp_path: Path, depths: list[float | None], cut: int | None, told: list[str], depth: int | None
) -> None:
    parsed = read_adapt(tilled(tmp_path, cut, TillageDepthActual=depths), "set.zip")
    assert (codes(parsed), passes(parsed)[0].depth_in) == (told, depth)


def test_a_mean_is_of_the_decimals_written_and_what_is_no_amount_is_none(tmp_path: Path) -> None:
    speeds: list[float | None] = [0.1, 0.2, 0.3, 0.7, 1.1, 2.3]
    (read,) = passes(read_adapt(tilled(tmp_path, Speed=speeds), "set.zip"))
    exact = sum(Fraction(str(each)) for each in speeds) / 6 * Fraction("2.2369362920544")
    assert read.speed_mph == round(exact * 1000)
    amounts: tuple[object, ...] = ("1e999999999", "9" * 5000, "NaN", "Infinity", "0x10", "1/3", True, None, [], 10**13)
    assert [text for text in amounts if number(text) is not None] == []
    moments: tuple[object, ...] = ("", "x", "2026-13-01", -5, 10**30, True, None)
    assert [text for text in moments if day_of(text, -95.0) is not None] == []
    # A placeholder at the edge of time.
    assert day_of("0001-01-01T00:00:00Z", -95) is None
    assert day_of("9999-12-31T23:59:59Z", 120) is None


@pytest.mark.parametrize("reference", [[], {}, None, 7, ""])
def test_a_reference_that_is_no_text_names_nothing(write: Write, reference: object) -> None:
    fed = operation("APPLICATION_FERTILIZING", AppliedMassPerAreaActual=("100", "P"))
    fed["variables"][0]["productId"] = reference
    fed["summaryValues"].append({"variableId": reference, "valueText": "1"})
    (found,) = passes(read_adapt(write("adapt.json", json.dumps(adapt(fed))), "adapt.json"))
    assert [(each.product, each.unit) for each in found.applied] == [("", "lb/ac")]


@pytest.mark.samples
@pytest.mark.parametrize("name", ["manual", "raster", "vector"])
def test_the_converters_own_data_sets_are_plans_and_give_no_work(samples: Path, name: str) -> None:
    path = samples / "adapt" / "plugin-expected" / name / "adapt.json"
    parsed = read_adapt(path, path.name)
    assert (parsed.result, codes(parsed)) == (None, ["only_planned"])


def acrsi(year: object = 2026, code: object = "0041", acres: object = 25.91) -> dict[str, Any]:
    plan = {"coreProductCode": code, "originalReportedAcreage": acres, "originalPlantedDate": "2026-05-01"}
    fields = [{"fieldNumber": at, "agriculturalProductionPlan": [plan]} for at in (1, 2)]
    fields[0]["geospatialInfo"] = {"type": "Feature", "geometry": AREA}  # type: ignore[assignment]  # JSON
    return {"cropYear": year, "farm": [{"farmNumber": 12, "tract": [{"tractNumber": 3, "field": fields}]}]}


def test_an_acreage_report_gives_acres_outlines_and_the_planting_days_of_crops_in_the_book(book: Path) -> None:
    (book / "harvest.csv").write_text("harvest_id,unit_id,crop,ending,last_day\nH1,HOME80,corn,harvested,2026-10-20\n")
    said = dataclasses.replace(ACCEPTED, units={"12-3-1": "HOME80"})
    plan = brought(book, "acrsi.json", json.dumps(acrsi()), said)
    kept = load_book(book)
    (acres,) = kept["reported_acres"]
    assert (acres["crop"], acres["harvest_year"], acres["acres"], acres["known_by"]) == ("corn", 2026, 51_820, None)
    (planted,) = kept["planting"]
    assert (planted["harvest_id"], str(planted["planted_on"]), planted["acres"]) == ("H1", "2026-05-01", 25_910)
    assert [row["boundary"] for row in kept["unit"] if row["unit_id"] == "HOME80"] == ["HOME80.geojson"]
    assert [each.code for each in plan.problems if each.code == "no_crop_entry"]
    assert [row["what"] for row in kept["evidence"]] == ["usda_record"]


ACREAGE: Final = CASES.table("ACREAGE")


@pytest.mark.parametrize("case", ACREAGE)
def test_a_planting_finds_its_crop_cut_over_new_year_or_growing(book: Path, case: str) -> None:
    rows, entries = ACREAGE[case]
    (book / "harvest.csv").write_text(f"harvest_id,unit_id,crop,ending,first_day,last_day\n{rows}")
    brought(book, "acrsi.json", json.dumps(acrsi()), dataclasses.replace(ACCEPTED, units={"12-3-1": "HOME80"}))
    assert [row["harvest_id"] for row in load_book(book)["planting"]] == entries


def test_plans_of_one_field_and_day_are_one_planting_and_prevented_acres_are_none(book: Path) -> None:
    (book / "harvest.csv").write_text("harvest_id,unit_id,crop,ending,last_day\nH1,HOME80,corn,harvested,2026-10-20\n")
    report = acrsi()
    plans = report["farm"][0]["tract"][0]["field"][0]["agriculturalProductionPlan"]
    plans.append(plans[0] | {"subfieldNumber": "B", "irrigationPracticeCode": "I", "originalReportedAcreage": 10})
    plans.append(plans[0] | {"subfieldNumber": "C", "productPlantingCode": "P", "originalReportedAcreage": 5})
    del report["farm"][0]["tract"][0]["field"][1:]
    plan = brought(book, "acrsi.json", json.dumps(report), dataclasses.replace(ACCEPTED, units={"12-3-1": "HOME80"}))
    kept = load_book(book)
    (planted,) = kept["planting"]
    assert (planted["acres"], [row["acres"] for row in kept["reported_acres"]]) == (35_910, [35_910])
    assert "prevented_planting" in [each.code for each in plan.problems]


def test_an_acreage_report_with_an_absurd_number_is_told(book: Path) -> None:
    absurd = ((acrsi(year="x"), "no_year"), (acrsi(acres="NaN"), "no_acres"), (acrsi(acres=-1), "no_acres"))
    for report, code in absurd:
        assert code in told(brought(book, "acrsi.json", json.dumps(report), ACCEPTED))
    assert not load_book(book)["reported_acres"]


WAYS: Final = CASES.table("WAYS")


@pytest.mark.parametrize("case", WAYS)
def test_what_is_put_on_from_the_ground_is_a_pass_too(book: Path, case: str) -> None:
    method, name, taken = WAYS[case]
    made = log("input", name or "Nitrogen", "rate")
    made["attributes"]["method"] = method
    brought(book, "logs.json", farmos(made).replace('"label": "rate"', '"label": "UAN 32"'), ACCEPTED)
    kept = load_book(book)
    assert [row["method"] for row in kept["nutrient_application"]] == [taken]
    assert [row["operation"] for row in kept["operation"]] == ([] if taken == "aerial" else [name or "Nitrogen"])


def lab_log(*measured: tuple[str, str, str], **told: object) -> str:
    """Return a lab test of farmOS: quantities by name, value and unit."""
    made = log("lab_test", "Spring soil", *(f"q{at}" for at in range(len(measured))))
    made["attributes"] |= {"lab_test_type": "soil", **told}
    made["relationships"]["lab"] = {"data": [{"type": "taxonomy_term--lab", "id": "W"}]}
    document = json.loads(farmos(made))
    document["included"].append({"type": "taxonomy_term--lab", "id": "W", "attributes": {"name": "Ward"}})
    for at, (name, value, unit) in enumerate(measured):
        document["included"].append({"type": "taxonomy_term--unit", "id": f"u{at}", "attributes": {"name": unit}})
        document["included"].append({**quantity(name, value, f"u{at}"), "id": f"q{at}"})
    return json.dumps(document)


def test_a_lab_test_of_farmos_is_a_soil_test_of_what_it_names_with_its_unit(book: Path) -> None:
    text = lab_log(("pH", "6.4", ""), ("Organic Matter", "3.1", "%"), ("Nitrate-N", "9", "ppm"), ("P", "21.5", "mg/kg"),
                  ("Potassium", "160", "ppm"), ("Sample depth", "20.32", "cm"))  # fmt: skip
    plan = brought(book, "tests.json", text, ACCEPTED)
    (row,) = [row for row in load_book(book)["soil_test"] if row["laboratory"] == "Ward"]
    found = {name: row[name] for name in ("unit_id", "ph", "organic_matter_pct", "nitrate_n_ppm", "p_ppm", "k_ppm",
                                          "depth_in", "sampled_on")}  # fmt: skip
    assert found == {"unit_id": "HOME80", "ph": 6_400, "organic_matter_pct": 3_100, "nitrate_n_ppm": 9_000,
                     "p_ppm": 21_500, "k_ppm": 160_000, "depth_in": 8_000,
                     "sampled_on": dt.date(2026, 5, 1)}  # fmt: skip
    assert row["evidence"]
    assert not {"other_value", "unreadable_result"} & set(told(plan))


@CASES
def test_what_a_lab_names_without_a_unit_is_told(write: Write, measured: tuple[str, str, str], code: str) -> None:
    parsed = read_farmos(write("t.json", lab_log(("pH", "6", ""), measured)), "t.json")
    assert parsed.result is not None
    (row,) = parsed.result.soil_tests
    assert codes(parsed) == [code] * bool(code)
    assert row.values["ph"] == "6"


WEST, EAST = shapely.box(-95.70, 39, -95.69, 39.01), shapely.box(-95.69, 39, -95.68, 39.01)
UNITS: Final = {
    "N40": shapely.to_geojson(shapely.box(-95.697, 39.001, -95.688, 39.009)),
    "FAR": shapely.to_geojson(shapely.box(-90, 39, -89.99, 39.01)),
}
ROWS: Final = (
    {"CSBID": "201724001", "CSBYEARS": "1724", "CSBACRES": 234.5, "CDL2017": 1, "CDL2023": 5, "CDL2024": 176},
    {"CSBID": "201724002", "CSBYEARS": "1724", "CSBACRES": 234.5, "CDL2017": 24, "CDL2023": 141, "CDL2024": 141},
)


def parquet(path: Path) -> Path:
    frame = pl.DataFrame([{**row, "geometry": shapely.to_wkb(s)} for row, s in zip(ROWS, (WEST, EAST), strict=True)])
    geo = {"primary_column": "geometry", "columns": {"geometry": {"encoding": "WKB"}}}
    frame.write_parquet(path, metadata={"geo": json.dumps(geo)})
    return path


def csv(path: Path) -> Path:
    lines = [",".join([*ROWS[0], "WKT"])]
    lines += [",".join([*map(str, r.values()), f'"{s.wkt}"']) for r, s in zip(ROWS, (WEST, EAST), strict=True)]
    path.write_text("\n".join(lines))
    return path


MADE: Final[dict[str, Any]] = {"csb.parquet": parquet, "csb.csv": csv}


@pytest.mark.parametrize("name", MADE)
def test_a_unit_has_the_history_of_the_area_that_covers_most_of_it(tmp_path: Path, name: str) -> None:
    path = MADE[name](tmp_path / name)
    assert sniff(path, name).reader == "crop_sequence"
    parsed = read_crop_sequence(path, name, outlines=UNITS)
    assert parsed.result is not None
    seen = [tuple(row.values.values()) for row in parsed.result.rows]
    assert seen == [
        ("N40", "2017", "1", "Corn", "77.778"), ("N40", "2023", "5", "Soybeans", "77.778"),
        ("N40", "2024", "176", "Grassland/Pasture", "77.778"),
    ]  # fmt: skip
    assert codes(parsed) == ["unit_without_history"]


@pytest.mark.parametrize(("text", "seen", "told"), [
    ("unit_id,CDL2022,CDL2023\nHome 80,1,0\nHome 80,corn,5\n,1,1\n", [("2022", "1"), ("2023", "5")],
     ["no_code", "no_code", "no_place"]),
    ('unit_id,CSBACRES,CDL2023,CDL2024\nN40,9.5,5,5\nn40 ,"1,030.5",1,176\nS80,4,24,24\n',
     [("2023", "1"), ("2024", "176"), ("2023", "24"), ("2024", "24")], ["largest_area"]),
], ids=["what says nothing", "several areas of one unit"])  # fmt: skip
def test_the_largest_area_has_the_say(write: Write, text: str, seen: list[tuple[str, str]], told: list[str]) -> None:
    parsed = read_crop_sequence(write("csb.csv", text), "csb.csv", outlines={})
    assert parsed.result is not None
    assert [(row.values["year"], row.values["code"]) for row in parsed.result.rows] == seen
    assert sorted(codes(parsed)) == told


def test_ground_without_a_crop_about_the_rules_day_is_asked_about_and_nothing_else(book: Path) -> None:
    plan = brought(book, "csb.csv", "unit_id,CDL2017,CDL2023,CDL2024\nhome 80,141,176,176\n", ACCEPTED)
    assert told(plan) == ["land_from_above"]
    (asked,) = [one for one in plan.problems if one.code == "land_from_above"]
    assert asked.weight is Weight.CONFIRM
    assert "2024 Grassland/Pasture" in asked.cause
    assert "2017" not in asked.cause
    kept = load_book(book)
    assert [(row["unit_id"], row["year"], row["code"]) for row in kept["crop_history"]] == [
        ("HOME80", 2017, 141), ("HOME80", 2023, 176), ("HOME80", 2024, 176),
    ]  # fmt: skip
    assert not kept["land_use"]


def test_areas_of_one_unit_that_do_not_all_say_their_acres_are_told_and_grass_of_long_ago_is_not(book: Path) -> None:
    assert told(brought(book, "csb.csv", "unit_id,CDL2017,CDL2024\nhome 80,176,1\n", ACCEPTED)) == []
    text = "unit_id,CSBACRES,CDL2023,CDL2024\nhome 80,9.5,5,5\nhome 80,,1,1\n"
    assert told(brought(book, "csb.csv", text, ACCEPTED)) == ["double_key"] * 2


def test_each_year_of_an_area_is_a_row_that_is_counted_on_its_own(book: Path) -> None:
    plan = brought(book, "csb.csv", "unit_id,CDL2023,CDL2024\nhome 80,1,1\nNowhere,1,5\n", ACCEPTED)
    (count,) = [one for one in plan.counts if one.kind == "crop_history"]
    assert (count.rows, count.added, count.rejected) == (4, 2, 2)


PLANTED = [[-95.7, 39.0], [-95.69, 39.0], [-95.69, 39.01], [-95.7, 39.0]]


def summary(**more: object) -> dict[str, Any]:
    """Return a summary as the published format has it, of the field Home 80."""
    work = {"date": "2026-05-02", "crop": "corn", "area": {"q": 31.9700, "u": "hectare"}, **more}
    feature = {
        "type": "Feature", "geometry": {"type": "MultiPolygon", "coordinates": [[PLANTED]]},
        "properties": {"id": "e", "resourceOwner": {"id": "o", "email": "user@example.com"},
                       "field": {"id": "f", "name": "Home 80"}, "plantingActivity": work},
    }  # fmt: skip
    return {"type": "FeatureCollection", "features": [feature]}


def with_entry(book: Path) -> Path:
    (book / "harvest.csv").write_text("harvest_id,unit_id,crop,ending,last_day\nH1,HOME80,corn,harvested,2026-10-20\n")
    return book


def test_a_planting_summary_gives_the_day_known_by_the_machine_with_the_file_as_evidence(book: Path) -> None:
    assert told(brought(with_entry(book), "planting.json", json.dumps(summary()), ACCEPTED)) == []
    found = load_book(book)
    (row,) = found["planting"]
    assert (row["harvest_id"], row["planted_on"], row["known_by"]) == ("H1", date(2026, 5, 2), "machine")
    assert row["acres"] == 79_000
    (evidence,) = found["evidence"]
    assert (evidence["what"], evidence["evidence_id"]) == ("machine_file", row["evidence"])
    assert not found["reported_acres"]


@CASES
def test_a_planting_that_cannot_be_read_is_named(write: Write, more: dict[str, object], code: str) -> None:
    path = write("planting.json", json.dumps(summary(**more)))
    assert sniff(path, path.name).reader == "fieldview"
    parsed = read_plantings(path, path.name)
    assert (parsed.result, codes(parsed)) == (None, [code])


def test_each_planting_without_an_entry_is_told_with_its_own_year(book: Path) -> None:
    told = summary()
    (before,) = summary(date="2025-05-02")["features"]
    told["features"].append(before)
    plan = brought(book, "planting.json", json.dumps(told), ACCEPTED)
    (cause,) = [problem.cause for problem in plan.problems if problem.code == "no_crop_entry"]
    assert "corn 2026 on Home 80" in cause
    assert "corn 2025 on Home 80" in cause
