"""A record book as a data set of the ADAPT Standard: valid by its schema, and the same book when it is read again."""

import contextlib
import dataclasses
import io
import json
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
import polars as pl
import pytest
import shapely

from provender.cli.app import call
from provender.formats.adapt_out import data_set, packed
from provender.formats.importing.foreign import boundary_of, outlines_of
from provender.formats.importing.prepare import prepare
from provender.formats.importing.write import commit
from provender.records.book import RecordBook
from provender.records.folder import load_book
from tests.formats.test_everyday_tables import ACCEPTED
from tests.formats.test_intake import CHOICES

STANDARD: Final = Path(__file__).parent / "data" / "adapt"
OUTLINE: Final = {
    "type": "Polygon",
    "coordinates": [[[-95.7, 39], [-95.69, 39], [-95.69, 39.01], [-95.7, 39.01], [-95.7, 39]]],
}
TABLES: Final = {
    "farm": "farm_id,name,state\nF1,Bluestem,KS\n",
    "unit": "unit_id,name,acres,boundary\nN40,North forty,40.25,N40.geojson\nS80,South,80,\n",
    "harvest": "harvest_id,unit_id,crop,ending,first_day,last_day,bushels,harvested_acres,moisture_pct\n"
    "N40-corn-2026,N40,corn,harvested,2026-10-02,2026-10-04,7201.337,39.871,15.5\n"
    "S80-soybeans-2026,S80,soybeans,harvested,2026-10-09,2026-10-09,4100.5,79.9,13\n",
    "operation": "operation_id,unit_id,day,operation,depth_in,speed_mph,width_ft,treated_acres\n"
    'O1,N40,2026-04-20,"Planter, double disk opnr",2,4.9,40,40.1\n'
    'O2,N40,2026-04-02,"Disk, tandem secondary op.",3.333,5.5,30.5,\n'
    'O3,N40,2026-04-10,"Sprayer, kill crop",,9,90,\n'
    'O4,N40,2026-10-02,"Harvest, killing crop 50pct standing stubble",,,,\n',
    "nutrient_application": "application_id,unit_id,day,product,rate,rate_unit,treated_acres,"
    "inhibitor,inhibitor_rate,inhibitor_rate_unit\n"
    "A1,N40,2026-06-02,UAN 32,31.415,gal/ac,39.5,Instinct NXTGEN,0.289,gal/ac\n"
    "A2,S80,2026-04-12,MAP,104.167,lb/ac,,,,\n",
}  # fmt: skip
SAME: Final = {
    "operation": ("unit_id", "day", "operation", "depth_in", "speed_mph", "width_ft"),
    "nutrient_application": ("unit_id", "day", "product", "rate", "rate_unit", "treated_acres", "inhibitor",
                             "inhibitor_rate", "inhibitor_rate_unit"),
    "harvest": ("unit_id", "crop", "ending", "first_day", "last_day", "bushels", "moisture_pct"),
}  # fmt: skip
"""What the standard carries of each kind."""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    folder = tmp_path / "book"
    (folder / "boundaries").mkdir(parents=True)
    for name, text in TABLES.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    (folder / "boundaries" / "N40.geojson").write_text(json.dumps(OUTLINE))
    return folder


@pytest.mark.parametrize("name", ["unit_id", "name"])
def test_units_of_one_boundary_file_have_each_their_own_outline(book: Path, name: str) -> None:
    units = TABLES["unit"].replace("S80,South,80,", "S80,South,80,N40.geojson")
    (book / "unit.csv").write_text(units, encoding="utf-8")
    called = {"unit_id": ("N40", "S80"), "name": ("North forty", "South")}[name]
    north, south = shapely.box(-95.7, 39, -95.69, 39.01), shapely.box(-95.7, 38.9, -95.69, 38.91)
    features = [
        {"type": "Feature", "properties": {name: label}, "geometry": shapely.geometry.mapping(shape)}
        for label, shape in zip(called, (north, south), strict=True)
    ]
    text = json.dumps({"type": "FeatureCollection", "features": features})
    (book / "boundaries" / "N40.geojson").write_text(text)
    found = {unit: shapely.from_geojson(one) for unit, one in outlines_of(load_book(book), CHOICES).items()}
    assert found.keys() == {"N40", "S80"}
    assert found["N40"].equals(north)
    assert found["S80"].equals(south)
    assert shapely.from_geojson(boundary_of(load_book(book), "S80", CHOICES)).equals(south)


@cache
def definitions() -> dict[str, Any]:
    listed = json.loads((STANDARD / "adapt-data-type-definitions.json").read_text("utf-8-sig"))["dataTypeDefinitions"]
    return {each["definitionCode"]: each for each in listed}


@cache
def known() -> set[tuple[str, str]]:
    """Return the codes that the standard lists, with the name of each list."""
    of = {name: definitions()[name] for name in ("OperationType", "ProductType", "ProductForm", "DateContext")}
    items = {name: each["enumeratedDataTypeDefinitionAttributes"]["items"] for name, each in of.items()}
    return {(name, item["code"]) for name, found in items.items() for item in found} | {
        ("", name) for name in definitions()
    }


def used(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for record in document["documents"]["workRecords"]:
        for operation in record["operations"]:
            yield "OperationType", operation["operationTypeCode"]
            yield from (("", each["definitionCode"]) for each in operation["variables"])
            yield from (("DateContext", each["dateContextCode"]) for each in operation["timeScopes"])
    for product in document["catalog"]["products"]:
        yield "ProductType", product["productTypeCode"]
        yield "ProductForm", product["productFormCode"]


def exported(folder: Path) -> dict[str, bytes]:
    found = load_book(folder)
    assert found.problems == ()
    return data_set(found, outlines_of(found, CHOICES))


def faults(document: dict[str, Any]) -> list[str]:
    """Return what the standard's schema and its lists of codes say against a document."""
    schema = json.loads((STANDARD / "adapt-root-schema.json").read_text("utf-8-sig"))
    told = [str(each) for each in jsonschema_rs.validator_for(schema, validate_formats=True).iter_errors(document)]
    told += [str(each) for each in used(document) if each not in known()]
    return told


def again(folder: Path, files: dict[str, bytes]) -> RecordBook:
    """Read a data set into a book that has the same farm and units and nothing else."""
    other = folder.parent / "other"
    (other / "boundaries").mkdir(parents=True)
    for name in ("farm.csv", "unit.csv"):
        (other / name).write_bytes((folder / name).read_bytes())
    path = folder.parent / "set.zip"
    path.write_bytes(packed(files))
    plan = prepare([path], other, ACCEPTED)
    assert [each.cause for each in plan.problems if each.weight == "error"] == []
    commit(plan)
    return load_book(other)


def same(one: RecordBook, other: RecordBook) -> None:
    for kind, columns in SAME.items():
        mine, theirs = (found[kind].select(columns).sort(columns[:4]).to_dicts() for found in (one, other))
        assert mine == theirs, kind


def test_a_book_is_a_valid_data_set_of_the_standard(book: Path) -> None:
    files = exported(book)
    document = json.loads(files["adapt.json"])
    assert faults(document) == []
    assert faults({**document, "documents": {"workRecords": [{"name": "x", "operations": []}]}}) != []
    document["catalog"]["products"][0]["productTypeCode"] = "SOUP"
    assert faults(document) == ["('ProductType', 'SOUP')"]
    named = {each["spatialRecordsFile"] for record in document["documents"]["workRecords"]
             for each in record["operations"] if "spatialRecordsFile" in each}  # fmt: skip
    assert named == files.keys() - {"adapt.json"}


def test_the_records_beside_it_are_geoparquet_over_the_units_outline(book: Path) -> None:
    files = exported(book)
    document = json.loads(files["adapt.json"])
    planted = next(
        each for each in document["documents"]["workRecords"][0]["operations"] if each["name"].startswith("Planter")
    )
    stream = io.BytesIO(files[planted["spatialRecordsFile"]])
    frame = pl.read_parquet(stream)
    geo = json.loads(pl.read_parquet_metadata(stream)["geo"])
    assert geo["columns"][geo["primary_column"]]["bbox"] == [-95.7, 39.0, -95.69, 39.01]
    assert {each["geoParquetColumnName"] for each in planted["variables"]} == set(frame.columns) - {"geometry"}


def test_a_book_that_goes_out_and_comes_in_again_is_the_same(book: Path) -> None:
    same(load_book(book), again(book, exported(book)))


def test_what_goes_out_twice_is_the_same_bytes(book: Path) -> None:
    assert packed(exported(book)) == packed(exported(book))


@pytest.mark.samples
def test_the_field_basswood_goes_in_out_and_in_again_the_same(samples: Path, tmp_path: Path) -> None:
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "farm.csv").write_text(TABLES["farm"], encoding="utf-8")
    (folder / "unit.csv").write_text("unit_id,acres\nBASSWOOD,25.582\n", encoding="utf-8")
    choices = dataclasses.replace(ACCEPTED, units={"": "BASSWOOD"})
    commit(prepare([samples / "yield" / "2012-basswood.txt"], folder, choices))
    found = load_book(folder)
    (harvest,) = found["harvest"].to_dicts()
    assert abs(harvest["bushels"] - 2_858_480) <= 5  # 2,858.48 by an independent sum
    files = exported(folder)
    assert faults(json.loads(files["adapt.json"])) == []
    same(found, again(folder, files))


def test_the_command_writes_a_zip_and_says_what_the_standard_has_no_place_for(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.zip"
    with contextlib.suppress(SystemExit):
        call(["export", str(book), "--as", "adapt", "--out", str(out)])
    assert "no place for declarations" in capsys.readouterr().out
    with zipfile.ZipFile(out) as archive:
        assert faults(json.loads(archive.read("adapt.json"))) == []
