"""Fields out of KML, KMZ, GeoPackage and GeoParquet: the same ground in each, and what is damaged told."""

import json
import sqlite3
import struct
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Final

import polars as pl
import pytest
from pyproj import Transformer
from shapely import to_wkb, transform
from shapely.geometry import Polygon, mapping

from provender.formats.boundaries import Boundaries, read_boundaries
from provender.formats.parsed import Parsed
from provender.formats.sniff import sniff

FIELD: Final = Polygon(
    [(-93.60, 42.00), (-93.59, 42.00), (-93.59, 42.01), (-93.60, 42.01)],
    [[(-93.597, 42.003), (-93.595, 42.003), (-93.595, 42.005), (-93.597, 42.005)]],
)
UTM: Final = Transformer.from_crs(4326, 26915, always_xy=True)


def kml() -> str:
    def ring(points: object) -> str:
        corners = " ".join(f"{x},{y},0" for x, y in points)  # type: ignore[attr-defined]
        return f"<LinearRing><coordinates>{corners}</coordinates></LinearRing>"

    hole = f"<innerBoundaryIs>{ring(FIELD.interiors[0].coords)}</innerBoundaryIs>"
    area = f"<Polygon><outerBoundaryIs>{ring(FIELD.exterior.coords)}</outerBoundaryIs>{hole}</Polygon>"
    point = "<Placemark><name>gate</name><Point><coordinates>-93.6,42</coordinates></Point></Placemark>"
    head = '<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>'
    return f"{head}<Placemark><name>Home 80</name>{area}</Placemark>{point}</Document></kml>"


def geopackage(path: Path, srs: int = 26915) -> Path:
    projected = transform(FIELD, UTM.transform, interleaved=False)  # type: ignore[arg-type]  # typed for pairs
    shape = projected if srs == 26915 else FIELD
    header = b"GP\x00" + bytes([0b011]) + struct.pack("<i", srs) + struct.pack("<4d", *[0.0] * 4)
    with closing(sqlite3.connect(path)) as package:
        package.execute(
            "CREATE TABLE gpkg_spatial_ref_sys "
            "(srs_id INTEGER, organization TEXT, organization_coordsys_id INTEGER, definition TEXT)"
        )
        package.execute("INSERT INTO gpkg_spatial_ref_sys VALUES (?, 'EPSG', ?, '')", (srs, srs))
        package.execute("CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, srs_id INTEGER)")
        package.execute("INSERT INTO gpkg_geometry_columns VALUES ('my fields', 'geom', ?)", (srs,))
        package.execute('CREATE TABLE "my fields" (fid INTEGER, geom BLOB, name TEXT)')
        package.execute('INSERT INTO "my fields" VALUES (1, ?, ?)', (header + to_wkb(shape), "Home 80"))
        package.commit()
    return path


def geoparquet(path: Path, **column: object) -> Path:
    frame = pl.DataFrame({"id": ["Home 80"], "geometry": [to_wkb(FIELD)], "metrics:area": [881_000.0]})
    told = {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": {"encoding": "WKB", **column}}}
    frame.write_parquet(path, metadata={"geo": json.dumps(told)})
    return path


def written(folder: Path, kind: str) -> Path:
    path = folder / f"fields.{kind}"
    if kind == "kml":
        path.write_text(kml())
    elif kind == "kmz":
        with zipfile.ZipFile(path, "w") as packed:
            packed.writestr("doc.kml", kml())
    elif kind == "gpkg":
        geopackage(path)
    elif kind == "parquet":
        geoparquet(path)
    else:
        path.write_text(json.dumps({"type": "Feature", "properties": {"name": "Home 80"}, "geometry": mapping(FIELD)}))
    return path


def read(path: Path) -> Parsed[Boundaries]:
    return read_boundaries(path, path.name)


@pytest.mark.parametrize("kind", ["kml", "kmz", "gpkg", "parquet"])
def test_every_format_gives_the_ground_that_geojson_gives(tmp_path: Path, kind: str) -> None:
    (expected,) = read(written(tmp_path, "geojson")).result.fields  # type: ignore[union-attr]
    path = written(tmp_path, kind)
    assert sniff(path, path.name).reader == "boundaries"
    parsed = read(path)
    assert parsed.result is not None, parsed.problems
    (found,) = parsed.result.fields
    assert (found.label, found.acres) == ("Home 80", expected.acres)
    assert expected.acres == pytest.approx(219_000, abs=6_000)


def test_what_is_no_area_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    parsed = read(written(tmp_path, "kml"))
    assert [problem.code for problem in parsed.problems] == ["not_an_area"]
    assert "gate" in parsed.problems[0].cause


def test_the_area_that_fiboa_states_is_held_against_the_ground(tmp_path: Path) -> None:
    parsed = read_boundaries(written(tmp_path, "parquet"), "fields.parquet", limit_pct=1)
    assert parsed.result is not None
    assert parsed.result.fields[0].claimed_acres == 217_700
    assert [problem.code for problem in parsed.problems] == ["acres_differ"]


def test_a_layer_that_does_not_say_its_coordinates_is_refused(tmp_path: Path) -> None:
    path = geoparquet(tmp_path / "f.parquet", crs={"type": "nothing"})
    assert [problem.code for problem in read(path).problems] == ["bad_crs"]
    assert [problem.code for problem in read(geopackage(tmp_path / "f.gpkg", srs=99_999)).problems] == ["bad_crs"]


@pytest.mark.parametrize("kind", ["gpkg", "parquet"])
def test_fields_behind_the_limit_of_rows_are_told(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, kind)
    for most, told in ((1, []), (0, ["too_many_rows"])):
        monkeypatch.setattr("provender.formats.drawings._MOST_ROWS", most)
        assert [problem.code for problem in read(path).problems] == told


@pytest.mark.parametrize("kind", ["kml", "kmz", "gpkg", "parquet"])
def test_a_file_cut_short_anywhere_is_told_and_never_a_traceback(tmp_path: Path, kind: str) -> None:
    whole = written(tmp_path, kind).read_bytes()
    path = tmp_path / f"cut.{kind}"
    for share in range(1, 20):
        path.write_bytes(whole[: len(whole) * share // 20])
        parsed = read(path)
        assert parsed.result is not None or parsed.problems, share


def test_a_parquet_file_without_outlines_is_told(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    pl.DataFrame({"a": [1]}).write_parquet(path)
    assert [problem.code for problem in read(path).problems] == ["no_fields"]


def test_a_drawing_that_declares_entities_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.kml"
    path.write_text('<!DOCTYPE k [<!ENTITY a "b">]><kml>&a;</kml>')
    assert [problem.code for problem in read(path).problems] == ["bad_xml"]
