"""Crop history of USDA's Crop Sequence Boundaries: by the documented columns, since no readable sample was at hand.

The one public sample is an Esri file geodatabase, which is not read here; its column names are those used below.
"""

import json
import sqlite3
import struct
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
import shapely

from provender.formats.crop_sequence import read_crop_sequence
from provender.formats.sniff import sniff
from provender.problem import Weight
from provender.records.folder import load_book
from tests.formats.conftest import Write
from tests.formats.test_everyday_tables import ACCEPTED, book, brought
from tests.formats.test_intake import codes as told
from tests.formats.told import codes

assert book  # a fixture
WEST, EAST = shapely.box(-95.70, 39, -95.69, 39.01), shapely.box(-95.69, 39, -95.68, 39.01)
UNITS: Final = {
    "N40": shapely.to_geojson(shapely.box(-95.697, 39.001, -95.688, 39.009)),
    "FAR": shapely.to_geojson(shapely.box(-90, 39, -89.99, 39.01)),
}
ROWS: Final = (
    {"CSBID": "201724001", "CSBYEARS": "1724", "CSBACRES": 234.5, "CDL2017": 1, "CDL2023": 5, "CDL2024": 176},
    {"CSBID": "201724002", "CSBYEARS": "1724", "CSBACRES": 234.5, "CDL2017": 24, "CDL2023": 141, "CDL2024": 141},
)


def package(path: Path) -> Path:
    """Write the areas as GeoPackage, as far as a reader asks."""
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE gpkg_geometry_columns (table_name, column_name, srs_id)")
        made.execute("CREATE TABLE gpkg_spatial_ref_sys (srs_id, organization, organization_coordsys_id, definition)")
        made.execute("INSERT INTO gpkg_geometry_columns VALUES ('csb', 'geom', 4326)")
        made.execute("INSERT INTO gpkg_spatial_ref_sys VALUES (4326, 'EPSG', 4326, '')")
        made.execute(f"CREATE TABLE csb (geom, {', '.join(ROWS[0])})")
        for row, shape in zip(ROWS, (WEST, EAST), strict=True):
            content = b"GP\x00\x01" + struct.pack("<i", 4326) + shapely.to_wkb(shape)
            made.execute("INSERT INTO csb VALUES (?, ?, ?, ?, ?, ?, ?)", (content, *row.values()))
    return path


def parquet(path: Path) -> Path:
    frame = pl.DataFrame([{**row, "geometry": shapely.to_wkb(s)} for row, s in zip(ROWS, (WEST, EAST), strict=True)])
    geo = {"primary_column": "geometry", "columns": {"geometry": {"encoding": "WKB"}}}
    frame.write_parquet(path, metadata={"geo": json.dumps(geo)})
    return path


def geojson(path: Path) -> Path:
    features = [
        {"type": "Feature", "properties": row, "geometry": json.loads(shapely.to_geojson(shape))}
        for row, shape in zip(ROWS, (WEST, EAST), strict=True)
    ]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return path


def csv(path: Path) -> Path:
    lines = [",".join([*ROWS[0], "WKT"])]
    lines += [",".join([*map(str, r.values()), f'"{s.wkt}"']) for r, s in zip(ROWS, (WEST, EAST), strict=True)]
    path.write_text("\n".join(lines))
    return path


MADE: Final[dict[str, Any]] = {"csb.gpkg": package, "csb.parquet": parquet, "csb.geojson": geojson, "csb.csv": csv}


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


def test_a_table_without_outlines_names_its_units_and_what_says_nothing_is_told(write: Write) -> None:
    text = "unit_id,CDL2022,CDL2023\nHome 80,1,0\nHome 80,corn,5\n,1,1\n"
    parsed = read_crop_sequence(write("csb.csv", text), "csb.csv", outlines={})
    assert parsed.result is not None
    assert [(row.values["year"], row.values["code"]) for row in parsed.result.rows] == [("2022", "1"), ("2023", "5")]
    assert sorted(codes(parsed)) == ["no_code", "no_code", "no_place"]


def test_of_several_areas_of_one_unit_the_largest_has_the_say(write: Write) -> None:
    text = 'unit_id,CSBACRES,CDL2023,CDL2024\nN40,9.5,5,5\nn40 ,"1,030.5",1,176\nS80,4,24,24\n'
    parsed = read_crop_sequence(write("csb.csv", text), "csb.csv", outlines={})
    assert parsed.result is not None
    seen = [(row.values["year"], row.values["code"]) for row in parsed.result.rows]
    assert seen == [("2023", "1"), ("2024", "176"), ("2023", "24"), ("2024", "24")]
    assert codes(parsed) == ["largest_area"]


def test_areas_of_one_unit_that_do_not_all_say_their_acres_stay_and_are_told(book: Path) -> None:
    text = "unit_id,CSBACRES,CDL2023,CDL2024\nhome 80,9.5,5,5\nhome 80,,1,1\n"
    assert told(brought(book, "csb.csv", text, ACCEPTED)) == ["double_key"] * 2


@pytest.mark.parametrize("name", MADE)
def test_only_where_areas_behind_the_limit_are_left_is_that_told(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = MADE[name](tmp_path / name)
    for most, left in ((2, False), (1, name in ("csb.gpkg", "csb.parquet"))):
        monkeypatch.setattr("provender.formats.drawings._MOST_ROWS", most)
        parsed = read_crop_sequence(path, name, outlines=UNITS)
        assert ("too_many_rows" in codes(parsed)) == left
        assert parsed.result is not None
        assert len(parsed.result.rows) == 3


def test_ground_without_a_crop_about_the_rules_day_is_asked_about_and_nothing_else(book: Path) -> None:
    text = "unit_id,CDL2017,CDL2023,CDL2024\nhome 80,141,176,176\n"
    plan = brought(book, "csb.csv", text, ACCEPTED)
    assert told(plan) == ["land_from_above"]
    (asked,) = [one for one in plan.problems if one.code == "land_from_above"]
    assert asked.weight is Weight.CONFIRM
    assert "2024 Grassland/Pasture" in asked.cause
    assert "2017" not in asked.cause
    kept = load_book(book)
    assert kept["crop_history"].select("unit_id", "year", "code").rows() == [
        ("HOME80", 2017, 141), ("HOME80", 2023, 176), ("HOME80", 2024, 176),
    ]  # fmt: skip
    assert kept["land_use"].is_empty()


def test_ground_that_was_grass_long_before_the_rules_day_is_not_asked_about(book: Path) -> None:
    assert told(brought(book, "csb.csv", "unit_id,CDL2017,CDL2024\nhome 80,176,1\n", ACCEPTED)) == []


def test_each_year_of_an_area_is_a_row_that_is_counted_on_its_own(book: Path) -> None:
    plan = brought(book, "csb.csv", "unit_id,CDL2023,CDL2024\nhome 80,1,1\nNowhere,1,5\n", ACCEPTED)
    (count,) = [one for one in plan.counts if one.kind == "crop_history"]
    assert (count.rows, count.added, count.rejected) == (4, 2, 2)
