"""A record book as a data set of the ADAPT Standard and back, and records that lie beside it as GeoTIFF."""

import csv
import dataclasses
import datetime as dt
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
import numpy as np
import polars as pl
import pytest
import shapely
import tifffile
from hypothesis import given
from hypothesis import strategies as st

from provender.formats.adapt import read_adapt
from provender.formats.adapt_out import _harvest_passes, data_set, packed
from provender.formats.detect import DamagedRecordsError, advice, measured_in, sniff
from provender.formats.importing.foreign import boundary_of, outlines_of
from provender.formats.importing.import_book import ImportBook
from provender.formats.importing.plan import plan_import, write_plan
from provender.problem import Weight
from provender.records.book import RecordBook
from provender.records.folder import load_book
from tests.cli.calling import called
from tests.formats.test_intake import ACCEPTED, CHOICES
from tests.formats.test_other_systems import adapt, operation, passes
from tests.formats.workbooks import codes
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

STANDARD: Final = Path(__file__).parent / "data" / "adapt"
OUTLINE: Final = {
    "type": "Polygon",
    "coordinates": [[[-95.7, 39], [-95.69, 39], [-95.69, 39.01], [-95.7, 39.01], [-95.7, 39]]],
}


def _tables(name: str) -> dict[str, str]:
    folder = Path(__file__).parent / "data" / "books" / name
    return {path.stem: path.read_text("utf-8") for path in sorted(folder.glob("*.csv"))}


TABLES: Final = _tables("adapt")
FULL: Final = _tables("full")
"""A book whose rows have a cell in every column that may go out."""


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
    named = {"unit_id": ("N40", "S80"), "name": ("North forty", "South")}[name]
    north, south = shapely.box(-95.7, 39, -95.69, 39.01), shapely.box(-95.7, 38.9, -95.69, 38.91)
    features = [
        {"type": "Feature", "properties": {name: label}, "geometry": shapely.geometry.mapping(shape)}
        for label, shape in zip(named, (north, south), strict=True)
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
        for one in record["operations"]:
            yield "OperationType", one["operationTypeCode"]
            yield from (("", each["definitionCode"]) for each in one["variables"])
            yield from (("DateContext", each["dateContextCode"]) for each in one.get("timeScopes", []))
    for product in document["catalog"]["products"]:
        yield "ProductType", product["productTypeCode"]
        yield "ProductForm", product["productFormCode"]


def exported(folder: Path) -> dict[str, bytes]:
    found = load_book(folder)
    assert found.problems == ()
    return dict(data_set(found, outlines_of(found, CHOICES)).files)


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
    plan = plan_import([path], ImportBook.in_folder(other), ACCEPTED)
    assert [each.cause for each in plan.problems if each.weight == "error"] == []
    write_plan(plan)
    return load_book(other)


def same(one: RecordBook, other: RecordBook) -> None:
    for kind, columns in SAME.items():
        mine, theirs = (
            sorted(([row[name] for name in columns] for row in found[kind]), key=str) for found in (one, other)
        )
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


def test_a_book_that_goes_out_and_comes_in_again_is_the_same_and_twice_the_same_bytes(book: Path) -> None:
    found = load_book(book)
    assert [each for each in data_set(found, outlines_of(found, CHOICES)).left if each.code == "left_out"] == []
    same(load_book(book), again(book, exported(book)))
    assert packed(exported(book)) == packed(exported(book))


@pytest.mark.samples
def test_the_field_basswood_goes_in_out_and_in_again_the_same(samples: Path, tmp_path: Path) -> None:
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "farm.csv").write_text(TABLES["farm"], encoding="utf-8")
    (folder / "unit.csv").write_text("unit_id,acres\nBASSWOOD,25.582\n", encoding="utf-8")
    choices = dataclasses.replace(ACCEPTED, units={"": "BASSWOOD"})
    write_plan(plan_import([samples / "yield" / "2012-basswood.txt"], ImportBook.in_folder(folder), choices))
    found = load_book(folder)
    (harvest,) = found["harvest"]
    assert abs(harvest["bushels"] - 2_858_480) <= 5  # 2,858.48 by an independent sum
    files = exported(folder)
    assert faults(json.loads(files["adapt.json"])) == []
    same(found, again(folder, files))


def test_a_zip_is_whole_where_only_places_lack_and_a_lost_amount_told_by_its_row(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (book / "declaration.csv").write_text("harvest_id,made_on\nN40-corn-2026,2026-12-01\n", encoding="utf-8")
    status, said, _ = called(capsys, "export", book, "--as", "adapt", "--out", tmp_path / "out.zip")
    assert status == 0
    assert "note: Season declarations: the standard has no place for them (1 row)." in said
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert faults(json.loads(archive.read("adapt.json"))) == []
    added(book, "nutrient_application", "A9,N40,2026-05-01,Homemade brew,,,,,,\n")
    status, said, _ = called(capsys, "export", book, "--as", "adapt", "--out", tmp_path / "lost.zip")
    assert status == 1
    assert "row 4, column Rate: Homemade brew has no rate; it is named without an amount." in said


def added(book: Path, kind: str, line: str, *columns: str) -> None:
    """Add a line to a table of the book, and columns for what stands in it beyond the others."""
    path = book / f"{kind}.csv"
    heading, *rows = path.read_text("utf-8").splitlines()
    filled = [row + "," * len(columns) for row in rows]
    path.write_text("\n".join([",".join([heading, *columns]), *filled, line]), encoding="utf-8")


LEFT: Final = ROWS.table("LEFT")


@pytest.mark.parametrize("case", LEFT)
def test_what_does_not_go_out_is_told_with_its_row(book: Path, case: str) -> None:
    kind, line, columns, said = LEFT[case]
    added(book, kind, line, *columns)
    found = load_book(book)
    made = data_set(found, outlines_of(found, CHOICES))
    told = [each for each in made.left if each.code == "left_out"]
    assert any(said in each.cause for each in told)
    assert {each.place.row for each in told} == {len((book / f"{kind}.csv").read_text("utf-8").splitlines())}
    assert faults(json.loads(made.files["adapt.json"])) == []


def test_n_typed_an_acre_goes_out_as_the_product_that_carries_it(book: Path) -> None:
    added(book, "nutrient_application", "A9,S80,2026-05-01,UAN 32,,,,,,,160\n", "n_lb_per_ac")
    read = again(book, exported(book))["nutrient_application"]
    (row,) = [row for row in read if row["day"] == dt.date(2026, 5, 1)]
    assert (row["product"], row["rate"], row["rate_unit"]) == ("UAN 32", 500_000, "lb/ac")


def test_the_pass_of_a_harvest_keeps_its_numbers(book: Path) -> None:
    text = TABLES["operation"].replace('stubble",,,,', 'stubble",,4.1,30,')
    (book / "operation.csv").write_text(text, encoding="utf-8")
    read = again(book, exported(book))["operation"]
    (row,) = [row for row in read if row["day"] == dt.date(2026, 10, 2)]
    assert (row["speed_mph"], row["width_ft"]) == (4100, 30_000)


class Looked(dict[str, Any]):
    """A row that counts how often it is looked at."""

    looks = 0

    def __getitem__(self, name: str) -> object:
        Looked.looks += 1
        return super().__getitem__(name)


def test_each_pass_goes_with_one_harvest_of_its_unit_and_first_day_and_is_looked_at_a_few_times() -> None:
    many, begun, later = 400, dt.date(2026, 10, 2), dt.date(2026, 10, 5)
    common = {"unit_id": "N40", "ending": "harvested", "last_day": later}
    days = [begun, begun, *[None] * (many - 2)]
    harvests = [Looked(common, harvest_id=f"H{at}", first_day=day) for at, day in enumerate(days)]
    harvests.insert(0, Looked(common, harvest_id="LOST", first_day=begun, ending="destroyed"))
    harvests[:0] = [Looked(common, harvest_id=f"OTHER{at}", first_day=begun, unit_id="S80") for at in range(many)]
    said = "Harvest, killing crop 50pct standing stubble"
    days = [begun, begun, *[later] * (many - 3), dt.date(2026, 10, 6), None]
    passes = [Looked(unit_id="N40", operation=said, operation_id=f"P{at}", day=day) for at, day in enumerate(days)]
    Looked.looks = 0
    found = _harvest_passes(harvests, passes)
    assert Looked.looks < 20 * many
    assert {key: row["operation_id"] for key, row in found.items()} == {f"H{at}": f"P{at}" for at in range(many - 1)}


def blanked() -> Iterator[tuple[str, int, str]]:
    for kind, text in FULL.items():
        heading, *rows = csv.reader(text.splitlines())
        for at, row in enumerate(rows, start=1):
            yield from ((kind, at, name) for name, cell in zip(heading, row, strict=True) if cell and at and name)


def test_every_cell_of_a_row_goes_out_or_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "book"
    folder.mkdir()

    def made() -> tuple[bytes, list[str]]:
        found = data_set(load_book(folder), {})
        return found.files["adapt.json"], [str(each) for each in found.left]

    for name, text in {**TABLES, **FULL}.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    whole, silent = made(), []
    for kind, at, name in blanked():
        table = [list(row) for row in csv.reader(FULL[kind].splitlines())]
        table[at][table[0].index(name)] = ""
        with (folder / f"{kind}.csv").open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows(table)
        if made() == whole:
            silent.append((kind, at, name))
        (folder / f"{kind}.csv").write_text(FULL[kind], encoding="utf-8")
    assert silent == []


DEPTH, SPEED, MASS = "TillageDepthActual", "Speed", "YieldTotalWetMass"
RATE = "AppliedMassPerAreaActual"
_STREAM = io.BytesIO()
pl.DataFrame({"geometry": [b""], DEPTH: [0.1]}).write_parquet(_STREAM)
PARQUET_MARK = _STREAM.getvalue()


def raster(*bands: Any, nothing: str = "", **how: Any) -> bytes:  # noqa: ANN401 - rows of numbers; of tifffile
    cells = np.array(bands, dtype=how.pop("dtype", "float32"))
    if len(bands) == 1:
        cells = cells[0]
    elif how.get("planarconfig") != "separate":
        cells = cells.transpose(1, 2, 0)
    stream = io.BytesIO()
    more = [(42113, "s", 0, nothing, True)] if nothing else []
    how = {"planarconfig": "contig", **how} if len(bands) > 1 else how
    tifffile.imwrite(stream, cells, photometric="minisblack", extratags=more, metadata=None, **how)
    return stream.getvalue()


def variables(*codes: str) -> list[tuple[dict[str, Any], str]]:
    return [({"geoTIFFBandIndex": at, "productId": "P"}, code) for at, code in enumerate(codes, 1)]


def measured(content: bytes, *codes: str) -> dict[str, Fraction]:
    return {code: value for _, code, value in measured_in("a.tiff", content, variables(*codes))}


@pytest.mark.parametrize("how", [
    {}, {"dtype": "float64"}, {"compression": "zlib"}, {"planarconfig": "separate"}, {"bigtiff": True},
    {"rowsperstrip": 1}, {"tile": (16, 16)}, {"byteorder": ">"},
])  # fmt: skip
def test_cells_give_their_mean_and_totals_their_sum_however_they_are_laid(how: dict[str, Any]) -> None:
    content = raster([[0.125, 0.25], [0.0, 0.0]], [[2.0, 4.0], [6.0, 0.0]], [[100.0, 50.5], [0.0, 0.0]], **how)
    told = measured(content, DEPTH, SPEED, MASS)
    assert told == {DEPTH: Fraction(3, 16), SPEED: Fraction(4), MASS: Fraction(301, 2)}


def test_whole_numbers_are_read_and_cells_that_hold_nothing_and_bands_that_are_not_there_left_out() -> None:
    holes = raster([[0.25, -9999.0], [float("nan"), float("inf")]])
    assert measured(holes, DEPTH) == {DEPTH: Fraction(1, 4)}
    assert measured(raster([[7.0, 2.0], [7.0, 4.0]], nothing="7"), SPEED) == {SPEED: Fraction(3)}
    assert measured(raster([[0.0, 0.0]]), DEPTH) == {}
    content = raster([[3, 5]], dtype="int16")
    assert measured(content, SPEED, DEPTH) == {SPEED: Fraction(4)}
    for at in (0, -1, 2, "1", None, True):
        found = list(measured_in("a.tif", content, [({"geoTIFFBandIndex": at}, SPEED)]))
        assert [value for *_, value in found] == ([Fraction(4)] if at is True else [])


def test_the_official_converters_raster_gives_what_its_bytes_say(samples: Path) -> None:
    path = samples / "adapt" / "plugin-expected" / "raster" / "RasterRx-15.tiff"
    content = path.read_bytes()
    strips = zip((16, 128, 240, 352, 470), (112, 112, 112, 118, 114), strict=True)
    cells = b"".join(zlib.decompress(content[start : start + size]) for start, size in strips)
    by_band = [[each for each in struct.unpack("<200d", cells)[band::4] if each > 0] for band in range(4)]
    found = measured_in(path.name, path, variables(RATE, RATE, RATE, RATE))
    assert [value for *_, value in found] == [Fraction(sum(band)) / len(band) for band in by_band]


def zipped(folder: Path, document: object, name: str, records: bytes) -> Path:
    path = folder / "set.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("export/adapt.json", json.dumps(document))
        archive.writestr(f"export/{name}", records)
    return path


def tilled(name: str) -> dict[str, Any]:
    made = operation("FIELD_PREPARATION_TILLAGE", name, TillageDepthActual=("", ""))
    (variable,) = made["variables"]
    del variable["geoParquetColumnName"]
    variable["geoTIFFBandIndex"] = 1
    return made


@pytest.mark.parametrize("name", ["-15.tiff", "depth.TIF"])
def test_a_work_record_gets_its_depth_from_the_raster_and_a_damaged_one_is_told(tmp_path: Path, name: str) -> None:
    content = raster([[0.1, 0.2], [0.0, 0.0]], dtype="float64", compression="zlib")
    parsed = read_adapt(zipped(tmp_path, adapt(tilled(name)), name, content), "set.zip")
    assert (codes(parsed), passes(parsed)[0].depth_in) == ([], round(15 / 2.54 * 1000))
    parsed = read_adapt(zipped(tmp_path, adapt(tilled(name)), name, content[:40]), "set.zip")
    assert (codes(parsed), passes(parsed)[0].depth_in) == (["bad_raster"], None)
    parsed = read_adapt(zipped(tmp_path, adapt(tilled(name)), "other.tiff", content), "set.zip")
    assert (codes(parsed), passes(parsed)[0].depth_in) == (["missing_part"], None)


def test_a_raster_beside_its_json_is_found_and_an_endless_one_not_unpacked(tmp_path: Path) -> None:
    (tmp_path / "adapt.json").write_text(json.dumps(adapt(tilled("a.tiff"))))
    (tmp_path / "a.tiff").write_bytes(raster([[0.1, 0.2]], dtype="float64"))
    assert passes(read_adapt(tmp_path / "adapt.json", "adapt.json"))[0].depth_in == round(15 / 2.54 * 1000)
    content = bytearray(raster([[1.0, 2.0]]))
    with tifffile.TiffFile(io.BytesIO(bytes(content))) as file:
        for name in ("ImageWidth", "ImageLength"):
            tag = file.pages.first.tags[name]
            struct.pack_into("<I" if tag.dtype == 4 else "<H", content, tag.valueoffset, 60_000)
    with pytest.raises(DamagedRecordsError, match="cells"):
        measured(bytes(content), SPEED)


@pytest.mark.parametrize("name", ["a.tiff", "-49.parquet"])
def test_records_beside_a_data_set_that_names_them_are_no_files_of_their_own(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(raster([[0.1, 0.2]]) if name == "a.tiff" else PARQUET_MARK)
    alone = sniff(path, name)
    (tmp_path / "adapt.json").write_text(json.dumps(adapt(tilled("other" + name))))
    assert sniff(path, name) == alone, "another file is named"
    (tmp_path / "adapt.json").write_text(json.dumps(adapt(tilled(name))))
    part = sniff(path, name)
    assert (part.reader, alone.reader) == ("", "boundaries" if name == "-49.parquet" else "")
    in_letters = tmp_path / f"Äcker {name}"
    path.rename(in_letters)
    for ascii_only in (True, False):
        document = json.dumps(adapt(tilled(in_letters.name)), ensure_ascii=ascii_only)
        (tmp_path / "adapt.json").write_text(document, encoding="utf-8")
        assert sniff(in_letters, in_letters.name) == part
    told = advice(part, name)
    assert told is not None
    assert (told.code, told.weight) == ("read_with_adapt", Weight.NOTE)


@given(st.data())
def test_a_changed_or_cut_off_raster_is_told_or_measures_something(data: st.DataObject) -> None:
    content = bytearray(raster([[0.1, 0.2], [0.3, 0.4]], [[1, 2], [3, 4]], compression="zlib"))
    for _ in range(data.draw(st.integers(0, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(content[: data.draw(st.integers(0, len(content)))])
    try:
        told = measured(cut, DEPTH, SPEED)
    except DamagedRecordsError:
        return
    assert all(value > 0 for value in told.values())
