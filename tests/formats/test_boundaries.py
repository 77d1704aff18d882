"""Boundaries measure what the ground measures, and every trap of coordinates is told."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import shapefile
from hypothesis import given
from hypothesis import strategies as st
from shapely import from_geojson

from provender.formats.boundaries import Boundaries, compare_acres, read_boundaries
from provender.formats.child import parse_limited
from provender.formats.geometry import ACRE_M2, acres_of, distance_m
from provender.formats.importing.drawn import drawn
from provender.formats.parsed import Parsed
from provender.problem import Place, Weight
from provender.records.book import RecordBook
from tests.formats.conftest import Write
from tests.formats.told import codes
from tests.formats.workbooks import zipped

SQUARE = [[-93.00, 42.00], [-92.99, 42.00], [-92.99, 42.01], [-93.00, 42.01], [-93.00, 42.00]]
SQUARE_ACRES = 227_333
WGS84 = 'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]'  # noqa: E501 - as written


def polygon(*rings: list[list[float]]) -> dict[str, Any]:
    return {"type": "Polygon", "coordinates": list(rings)}


def feature(geometry: dict[str, Any] | None, **properties: object) -> dict[str, Any]:
    return {"type": "Feature", "geometry": geometry, "properties": properties}


def collection(*features: dict[str, Any]) -> dict[str, Any]:
    return {"type": "FeatureCollection", "features": list(features)}


def read(write: Write, document: object, **options: int) -> Parsed[Boundaries]:
    text = document if isinstance(document, (str, bytes)) else json.dumps(document)
    return read_boundaries(write("f.geojson", text), "f.geojson", **options)


def acres(parsed: Parsed[Boundaries]) -> list[int]:
    return [field.acres for field in parsed.result.fields] if parsed.result else []


@pytest.mark.parametrize(
    "document",
    [
        polygon(SQUARE),
        feature(polygon(SQUARE)),
        collection(feature(polygon(SQUARE))),
        {"type": "MultiPolygon", "coordinates": [[SQUARE]]},
        {"type": "GeometryCollection", "geometries": [polygon(SQUARE)]},
        polygon(SQUARE[::-1]),
        polygon([[x, y, 300.0] for x, y in SQUARE]),
    ],
    ids=["polygon", "feature", "collection", "multipolygon", "geometries", "clockwise", "height"],
)
def test_every_form_of_geojson_measures_the_same(write: Write, document: dict[str, Any]) -> None:
    parsed = read(write, document)
    assert parsed.problems == ()
    (measured,) = acres(parsed)
    assert abs(measured - SQUARE_ACRES) < 200


def test_a_square_mile_on_the_ellipsoid_is_640_acres() -> None:
    from pyproj import Geod
    from shapely.geometry import Polygon

    geod = Geod(ellps="WGS84")
    side = 1609.344
    x, y, _ = geod.fwd(-93.0, 42.0, 0, side)
    corners = [(-93.0, 42.0), geod.fwd(-93.0, 42.0, 90, side)[:2], geod.fwd(x, y, 90, side)[:2], (x, y)]
    assert abs(acres_of(Polygon(corners)) - 640_000) < 200
    assert abs(side * side / ACRE_M2 - 640) < 1e-6
    assert abs(distance_m(corners[0], corners[1]) - side) < 0.001


def test_a_hole_is_taken_out(write: Write) -> None:
    hole = [[-92.998, 42.002], [-92.992, 42.002], [-92.992, 42.008], [-92.998, 42.008], [-92.998, 42.002]]
    (whole,), (holed,) = acres(read(write, polygon(SQUARE))), acres(read(write, polygon(SQUARE, hole)))
    assert abs((whole - holed) / whole - 0.36) < 0.001


def test_latitude_first_is_exchanged_and_asked_about(write: Write) -> None:
    parsed = read(write, polygon([[y, x] for x, y in SQUARE]))
    assert codes(parsed) == ["axes_exchanged"]
    assert acres(parsed) == acres(read(write, polygon(SQUARE)))


def test_a_missing_minus_sign_is_named(write: Write) -> None:
    parsed = read(write, polygon([[-x, y] for x, y in SQUARE]))
    assert codes(parsed) == ["outside_country"]
    assert "minus sign" in parsed.problems[0].cause


def test_coordinates_in_metres_are_refused(write: Write) -> None:
    parsed = read(
        write, polygon([[500_000, 4_650_000], [500_800, 4_650_000], [500_800, 4_650_800], [500_000, 4_650_000]])
    )
    assert (parsed.result, codes(parsed)) == (None, ["not_degrees"])


def test_an_open_ring_is_closed_and_asked_about(write: Write) -> None:
    parsed = read(write, polygon(SQUARE[:-1]))
    assert codes(parsed) == ["open_ring"]
    assert acres(parsed) == acres(read(write, polygon(SQUARE)))


def test_a_ring_that_crosses_itself_is_refused_with_the_place(write: Write) -> None:
    bow = [SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3], SQUARE[0]]
    parsed = read(write, polygon(bow))
    assert (parsed.result, codes(parsed)) == (None, ["bad_outline"])
    assert "longitude and latitude" in parsed.problems[0].cause


def test_a_tiny_crossing_is_repaired_and_asked_about(write: Write) -> None:
    knot = [
        *SQUARE[:2],
        [-92.99, 42.0001],
        [-92.98999, 42.00005],
        [-92.99001, 42.00005],
        [-92.99, 42.00012],
        *SQUARE[2:],
    ]
    parsed = read(write, polygon(knot))
    assert codes(parsed) == ["repaired_outline"]
    assert abs(acres(parsed)[0] - SQUARE_ACRES) < 1000


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (collection(feature(None, name="N40")), "no_outline"),
        (feature({"type": "Point", "coordinates": [-93, 42]}), "not_an_area"),
        ({"type": "Polygon", "coordinates": [[["a", "b"]]]}, "bad_coordinate"),
        (polygon([[True, False], [1, 2], [3, 4]]), "bad_coordinate"),
        (polygon([[1]]), "bad_coordinate"),
        ({"type": "Polygon", "coordinates": 7}, "bad_coordinate"),
        (polygon(), "no_outline"),
        (polygon([[-93, 42], [-93, 42], [-93, 42], [-93, 42]]), "empty_ring"),
        (collection(), "no_fields"),
        ('{"type": "Polygon", "coordinates": [[[NaN, 42], [1, 2], [3, 4]]]}', "bad_number"),
        ('{"type": "Polygon", "coordinates": [[[1e999, 42], [1, 2], [3, 4]]]}', "bad_coordinate"),
        ('{"type": "Polygon", "type": "Point", "coordinates": []}', "doubled_member"),
        ('{"type": "Polygon", "coordinates": ' + "[" * 100_000 + "]" * 100_000 + "}", "too_deep"),
        ('{"type": "Polygon", "coordinates": [[[-93, 42', "broken_json"),
        ('{"type": "Polygon", "coordinates": ' + "9" * 5000 + "}", "bad_number"),
    ],
)
def test_what_is_no_boundary_is_refused_by_name(write: Write, document: object, code: str) -> None:
    parsed = read(write, document)
    assert parsed.result is None
    assert code in codes(parsed)
    assert all(problem.remedy for problem in parsed.problems)


def test_good_fields_are_kept_beside_bad_ones(write: Write) -> None:
    parsed = read(write, collection(feature(None), feature(polygon(SQUARE), name="N40")))
    assert parsed.result is not None
    assert [field.label for field in parsed.result.fields] == ["N40"]
    assert [(problem.code, problem.place.row) for problem in parsed.problems] == [("no_outline", 1)]


def test_two_fields_of_one_name_and_one_field_drawn_twice_are_told(write: Write) -> None:
    parsed = read(write, collection(feature(polygon(SQUARE), name="N40"), feature(polygon(SQUARE), name="N40")))
    assert codes(parsed) == ["doubled_name", "fields_overlap"]


def test_neighbours_that_share_a_line_do_not_overlap(write: Write) -> None:
    east = [[x + 0.01, y] for x, y in SQUARE]
    assert read(write, collection(feature(polygon(SQUARE), name="W"), feature(polygon(east), name="E"))).problems == ()


def test_too_many_corners_are_refused(write: Write) -> None:
    ring = [[-93 + number * 1e-7, 42.0] for number in range(200_001)]
    assert codes(read(write, polygon(ring))) == ["too_many_corners"]


@pytest.mark.parametrize(
    ("measured", "claimed", "apart"),
    [
        (103_000, 100_000, False),
        (103_001, 100_000, True),
        (97_000, 100_000, False),
        (96_999, 100_000, True),
        (100_000, None, False),
        (1, 0, True),
        (0, 0, False),
    ],
)
def test_acres_apart_by_more_than_the_limit_ask_and_by_the_limit_do_not(
    measured: int, claimed: int | None, apart: bool
) -> None:
    problem = compare_acres(measured, claimed, 3000, Place("f"))
    assert (problem is not None) == apart
    if problem is not None:
        assert problem.weight is Weight.CONFIRM


def test_both_acres_are_shown(write: Write) -> None:
    parsed = read(write, feature(polygon(SQUARE), name="N40", acres=240.5), limit_pct=3000)
    assert codes(parsed) == ["acres_differ"]
    assert f"{acres(parsed)[0] / 1000:.3f}".rstrip("0") in parsed.problems[0].cause
    assert "240.5" in parsed.problems[0].cause


def test_a_clu_is_named_by_farm_tract_and_number(write: Write) -> None:
    clu = feature(polygon(SQUARE), farm_number="1234", tract_number="56", clu_number="7", clu_calculated_acreage=228.5)
    parsed = read(write, clu)
    assert parsed.result is not None
    (field,) = parsed.result.fields
    assert (field.label, field.claimed_acres) == ("1234-56-7", 228_500)


def test_usdas_broken_example_is_refused_at_its_line_and_column(kept: Path) -> None:
    parsed = read_boundaries(kept / "usda" / "usda_acrsi-example.json", "acrsi.json")
    assert parsed.result is None
    (problem,) = parsed.problems
    assert (problem.place.row, problem.place.column) == (171, "54")
    assert "comma" in problem.remedy


def test_usdas_example_reads_once_its_comma_is_there(kept: Path, write: Write) -> None:
    lines = (kept / "usda" / "usda_acrsi-example.json").read_text().splitlines()
    lines[170] = lines[170].replace("][", "],[")
    parsed = read(write, "\n".join(lines), limit_pct=3000)
    assert parsed.result is not None
    (field, *_) = parsed.result.fields
    assert (field.label, field.claimed_acres) == ("1234567-1-1", 25_910)
    assert "acres_differ" in codes(parsed)  # the example's outline is not of the size it reports


def shape_parts(rings: list[list[list[float]]], *, prj: str | None = WGS84, **record: object) -> dict[str, bytes | str]:
    parts = {key: io.BytesIO() for key in ("shp", "shx", "dbf")}
    with shapefile.Writer(shp=parts["shp"], shx=parts["shx"], dbf=parts["dbf"], shapeType=shapefile.POLYGON) as writer:
        for name in record or {"name": ""}:
            writer.field(name, "C", 40)
        writer.poly(rings)
        writer.record(*(record.values() or [""]))
    found: dict[str, bytes | str] = {f"fields.{key}": part.getvalue() for key, part in parts.items()}
    return found | ({"fields.prj": prj} if prj else {})


CLOCKWISE = SQUARE[::-1]


def test_a_zipped_shapefile_measures_like_geojson(write: Write) -> None:
    path = write("fields.zip", zipped(shape_parts([CLOCKWISE], name="N40", acres="228")))
    parsed = parse_limited("boundaries", path, limit_pct=3000)
    assert isinstance(parsed.result, Boundaries)
    assert parsed.problems == ()
    (field,) = parsed.result.fields
    assert (field.label, field.claimed_acres) == ("N40", 228_000)
    assert [field.acres] == acres(read(write, polygon(SQUARE)))


def test_a_shapefile_in_a_zip_in_a_zip_is_found(write: Write) -> None:
    inner = zipped({f"deep/{name}": content for name, content in shape_parts([CLOCKWISE], name="N40").items()})
    assert acres(read_boundaries(write("f.zip", zipped({"fields.zip": inner})), "f.zip"))


def test_a_projected_shapefile_is_brought_to_degrees(write: Write) -> None:
    from pyproj import CRS, Transformer

    crs = CRS.from_epsg(26915)
    to_metres = Transformer.from_crs(4326, crs, always_xy=True)
    ring = [list(to_metres.transform(x, y)) for x, y in CLOCKWISE]
    parsed = read_boundaries(
        write("f.zip", zipped(shape_parts([ring], prj=crs.to_wkt("WKT1_ESRI"), name="N40"))), "f.zip"
    )
    assert abs(acres(parsed)[0] - acres(read(write, polygon(SQUARE)))[0]) <= 2


def test_without_a_prj_degrees_are_assumed_and_asked_about_and_metres_are_refused(write: Write) -> None:
    fits = read_boundaries(write("a.zip", zipped(shape_parts([CLOCKWISE], prj=None, name="N40"))), "a.zip")
    assert (codes(fits), fits.problems[0].weight) == (["assumed_wgs84"], Weight.CONFIRM)
    assert fits.result is not None
    metres = [[x * 1000, y * 1000] for x, y in CLOCKWISE]
    refused = read_boundaries(write("b.zip", zipped(shape_parts([metres], prj=None, name="N40"))), "b.zip")
    assert (refused.result, codes(refused)) == (None, ["no_prj"])


@pytest.mark.parametrize("prj", ["", "no such system", "GEOGCS[broken", "PROJCS[]", '{"type":"x"}'])
def test_a_prj_that_says_nothing_is_refused(write: Write, prj: str) -> None:
    parts = shape_parts([CLOCKWISE], name="N40") | {"fields.prj": prj}
    parsed = read_boundaries(write("a.zip", zipped(parts)), "a.zip")
    assert (parsed.result, codes(parsed)) == (None, ["bad_prj"])


@pytest.mark.parametrize("part", ["fields.shp", "fields.dbf"])
@pytest.mark.parametrize("cut", [10, 50, 101, 140])
def test_a_truncated_shapefile_is_refused_or_loses_nothing_in_silence(write: Write, part: str, cut: int) -> None:
    parts = shape_parts([CLOCKWISE], name="N40")
    whole = parts[part]
    assert isinstance(whole, bytes)
    parsed = parse_limited("boundaries", write("a.zip", zipped(parts | {part: whole[:cut]})))
    assert parsed.problems or cut >= len(whole)


def test_a_loose_shapefile_finds_its_parts(write: Write) -> None:
    for name, content in shape_parts([CLOCKWISE], name="N40").items():
        path = write(name, content)
    parsed = read_boundaries(path.with_suffix(".shp"), "fields.shp")
    assert (parsed.problems, len(acres(parsed))) == ((), 1)


def test_a_shp_without_its_table_still_gives_its_shape_and_says_so(write: Write) -> None:
    parts = {name: data for name, data in shape_parts([CLOCKWISE]).items() if not name.endswith("dbf")}
    assert codes(read_boundaries(write("a.zip", zipped(parts)), "a.zip")) == ["no_dbf"]


def test_points_are_not_boundaries(write: Write) -> None:
    shp, shx, dbf = io.BytesIO(), io.BytesIO(), io.BytesIO()
    with shapefile.Writer(shp=shp, shx=shx, dbf=dbf, shapeType=shapefile.POINT) as writer:
        writer.field("name", "C", 9)
        writer.point(-93, 42)
        writer.record("a")
    data = zipped({"p.shp": shp.getvalue(), "p.shx": shx.getvalue(), "p.dbf": dbf.getvalue()})
    assert codes(read_boundaries(write("a.zip", data), "a.zip")) == ["not_an_area"]


def test_an_encrypted_zip_is_refused(write: Write) -> None:
    data = bytearray(zipped(shape_parts([CLOCKWISE])))
    for at in (
        index for index in range(len(data) - 4) if bytes(data[index : index + 4]) in (b"PK\x03\x04", b"PK\x01\x02")
    ):
        data[at + (6 if data[at + 2] == 3 else 8)] |= 1
    assert zipfile.is_zipfile(io.BytesIO(data))
    parsed = read_boundaries(write("a.zip", bytes(data)), "a.zip")
    assert codes(parsed) == ["bad_archive"]
    assert "password" in parsed.problems[0].cause


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.floats(allow_nan=False)
    | st.text(max_size=5)
    | st.sampled_from(["Polygon", "Feature"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["type", "coordinates", "geometry", "properties", "features", "name", "crs"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@given(JSON)
def test_no_json_whatever_ends_in_an_error(tmp_path_factory: pytest.TempPathFactory, document: object) -> None:
    path = tmp_path_factory.mktemp("json") / "f.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": document}))
    parsed = read_boundaries(path, "f.geojson")
    assert parsed.result is not None or parsed.problems


@pytest.mark.samples
def test_the_iowa_boundary_measures_25_582_acres(samples: Path) -> None:
    parsed = parse_limited("boundaries", samples / "yield" / "boundary.shp")
    assert isinstance(parsed.result, Boundaries)
    assert [(field.acres, field.label) for field in parsed.result.fields] == [(25_582, "boundary 1")]


@pytest.mark.samples
def test_a_file_geodatabase_is_named_with_the_export_to_make(samples: Path) -> None:
    parsed = parse_limited("boundaries", samples / "fields" / "NationalCSB_2017-2024_rev23_sample100.gdb.zip")
    assert [problem.code for problem in parsed.problems] == ["unreadable_file_geodatabase"]
    assert "GeoJSON" in parsed.problems[0].remedy


def test_the_outline_of_a_unit_is_read_out_of_a_zipped_shapefile_too(tmp_path: Path) -> None:
    book = RecordBook({}, pl.DataFrame(), (), folder=tmp_path)
    (tmp_path / "boundaries").mkdir()
    (tmp_path / "boundaries" / "fields.zip").write_bytes(zipped(shape_parts([CLOCKWISE], name="N40")))
    row = {"unit_id": "N40", "name": None, "boundary": "fields.zip"}
    assert from_geojson(drawn(book, row, {})).area > 0
