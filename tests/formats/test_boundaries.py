"""Boundaries of every format measure what the ground measures, and every trap of coordinates is told."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
import shapefile
import shapely
from pyproj import CRS, Geod, Transformer
from shapely import from_geojson, to_wkb, transform
from shapely.geometry import Polygon, mapping

from provender.catalog.places import outlines
from provender.formats.boundaries import Boundaries, compare_acres, county_doubts, read_boundaries
from provender.formats.detect import sniff
from provender.formats.geometry import ACRE_M2, acres_of, distance_m
from provender.formats.importing.foreign import drawn
from provender.formats.parsed import Parsed
from provender.problem import Place, Weight
from provender.records.book import RecordBook
from tests.formats.workbooks import Write, codes, geopackage, shapes, zipped
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

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


HOLE = [[-92.998, 42.002], [-92.992, 42.002], [-92.992, 42.008], [-92.998, 42.008], [-92.998, 42.002]]
KNOT = [*SQUARE[:2], [-92.99, 42.0001], [-92.98999, 42.00005], [-92.99001, 42.00005], [-92.99, 42.00012], *SQUARE[2:]]
EAST = [[x + 0.01, y] for x, y in SQUARE]
EAST_ISLAND = [[x + 0.01, y] for x, y in HOLE]
ISLAND = [[-92.996, 42.004], [-92.994, 42.004], [-92.994, 42.006], [-92.996, 42.006], [-92.996, 42.004]]
MERCATOR = [list(Transformer.from_crs(4326, 3857, always_xy=True).transform(x, y)) for x, y in SQUARE]


def esri(
    rings: list[list[list[float]]], *, wkid: int = 4326, geometry: object = None, **attributes: object
) -> dict[str, Any]:
    """Return a set of features as ArcGIS writes them."""
    features = [{"attributes": attributes or {"name": "N40"}, "geometry": geometry or {"rings": rings}}]
    return {"geometryType": "esriGeometryPolygon", "spatialReference": {"wkid": wkid}, "features": features}


READ: dict[str, tuple[object, str, list[int]]] = {
    "a polygon": (polygon(SQUARE), "", [SQUARE_ACRES]),
    "a feature": (feature(polygon(SQUARE)), "", [SQUARE_ACRES]),
    "a collection": (collection(feature(polygon(SQUARE))), "", [SQUARE_ACRES]),
    "a multipolygon": ({"type": "MultiPolygon", "coordinates": [[SQUARE]]}, "", [SQUARE_ACRES]),
    "geometries": ({"type": "GeometryCollection", "geometries": [polygon(SQUARE)]}, "", [SQUARE_ACRES]),
    "clockwise": (polygon(SQUARE[::-1]), "", [SQUARE_ACRES]),
    "with heights": (polygon([[x, y, 300.0] for x, y in SQUARE]), "", [SQUARE_ACRES]),
    "a hole is taken out": (polygon(SQUARE, HOLE), "", [SQUARE_ACRES * 64 // 100]),
    "a hole drawn as a polygon of its own": (
        {"type": "MultiPolygon", "coordinates": [[SQUARE], [HOLE]]}, "rings_by_place", [SQUARE_ACRES * 64 // 100],
    ),
    "a piece drawn as a hole": (polygon(SQUARE, EAST_ISLAND), "rings_by_place", [SQUARE_ACRES * 136 // 100]),
    "an island in a hole": (
        {"type": "MultiPolygon", "coordinates": [[SQUARE], [HOLE], [ISLAND]]}, "rings_by_place",
        [SQUARE_ACRES * 68 // 100],
    ),
    "the same ring twice": ({"type": "MultiPolygon", "coordinates": [[SQUARE], [SQUARE]]}, "bad_outline", []),
    "Esri, a hole the other way": (esri([SQUARE[::-1], HOLE]), "", [SQUARE_ACRES * 64 // 100]),
    "Esri, a hole the same way": (esri([SQUARE, HOLE]), "rings_by_place", [SQUARE_ACRES * 64 // 100]),
    "Esri, in Web Mercator": (esri([MERCATOR], wkid=102100), "", [SQUARE_ACRES]),
    "Esri, a line": (esri([], geometry={"paths": [SQUARE]}), "not_an_area", []),
    "Esri, a point": (esri([], geometry={"x": -93, "y": 42}), "not_an_area", []),
    "GeoJSON that names Web Mercator": (
        {"crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::3857"}}} | polygon(MERCATOR), "",
        [SQUARE_ACRES],
    ),
    "meters that are called degrees": (
        {"crs": {"type": "EPSG", "properties": {"code": 4326}}} | polygon(MERCATOR),
        "other_reference_system not_degrees", [],
    ),
    "Esri, a tiny crossing beside a hole": (
        esri([KNOT[::-1], HOLE]), "repaired_outline", [SQUARE_ACRES * 64 // 100],
    ),
    "degrees that are called meters": (
        {"crs": {"type": "name", "properties": {"name": "EPSG:3857"}}} | polygon(SQUARE), "other_reference_system",
        [SQUARE_ACRES],
    ),
    "a line each": ("\n".join(json.dumps(feature(polygon(one))) for one in (SQUARE, EAST)), "", [SQUARE_ACRES] * 2),
    "a line each, with signs between": (
        "\n".join(f"\x1e{json.dumps(feature(polygon(one)))}," for one in (SQUARE, EAST)), "", [SQUARE_ACRES] * 2,
    ),
    "a line each, one cut off": (
        f"{json.dumps(feature(polygon(SQUARE)))}\n{json.dumps(feature(polygon(EAST)))[:-9]}\n", "broken_json",
        [SQUARE_ACRES],
    ),
    "latitude first is exchanged": (polygon([[y, x] for x, y in SQUARE]), "axes_exchanged", [SQUARE_ACRES]),
    "a missing minus sign": (polygon([[-x, y] for x, y in SQUARE]), "outside_country", [SQUARE_ACRES]),
    "an open ring is closed": (polygon(SQUARE[:-1]), "open_ring", [SQUARE_ACRES]),
    "a tiny crossing is repaired": (polygon(KNOT), "repaired_outline", [SQUARE_ACRES]),
    "a good field beside a bad one": (
        collection(feature(None), feature(polygon(SQUARE), name="N40")), "no_outline", [SQUARE_ACRES],
    ),
    "two of one name, drawn twice": (
        collection(feature(polygon(SQUARE), name="N40"), feature(polygon(SQUARE), name="N40")),
        "doubled_name fields_overlap", [SQUARE_ACRES] * 2,
    ),
    "neighbours that share a line": (
        collection(feature(polygon(SQUARE), name="W"), feature(polygon(EAST), name="E")), "", [SQUARE_ACRES] * 2,
    ),
    "coordinates in metres": (
        polygon([[500_000, 4_650_000], [500_800, 4_650_000], [500_800, 4_650_800], [500_000, 4_650_000]]),
        "not_degrees", [],
    ),
    "a ring that crosses itself": (
        polygon([SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3], SQUARE[0]]), "bad_outline", [],
    ),
    "a ring that crosses itself everywhere": (
        polygon([[at * 7919 % 1000 * 1e-5 - 93, 42 + at * 7877 % 997 * 1e-5] for at in range(5_000)]),
        "bad_outline", [],
    ),
    "more rings than a field has": (
        {"type": "MultiPolygon", "coordinates": [[SQUARE]] * 2_001}, "bad_outline", [],
    ),
    "too many corners": (polygon([[-93 + number * 1e-7, 42.0] for number in range(200_001)]), "too_many_corners", []),
    "no outline": (collection(feature(None, name="N40")), "no_outline", []),
    "a point": (feature({"type": "Point", "coordinates": [-93, 42]}), "not_an_area", []),
    "letters": ({"type": "Polygon", "coordinates": [[["a", "b"]]]}, "bad_coordinate", []),
    "answers": (polygon([[True, False], [1, 2], [3, 4]]), "bad_coordinate", []),
    "no list": ({"type": "Polygon", "coordinates": 7}, "bad_coordinate", []),
    "no ring": (polygon(), "no_outline", []),
    "no coordinates": (
        collection(feature({"type": "Polygon"}), feature(polygon(SQUARE))), "bad_coordinate", [SQUARE_ACRES],
    ),
    "no geometry": (collection({"type": "Feature"}, feature(polygon(SQUARE))), "no_outline", [SQUARE_ACRES]),
    "one corner": (polygon([[-93, 42], [-93, 42], [-93, 42], [-93, 42]]), "empty_ring", []),
    "no field": (collection(), "no_fields", []),
    "no number": ('{"type": "Polygon", "coordinates": [[[NaN, 42], [1, 2], [3, 4]]]}', "bad_number", []),
    "an endless number": ('{"type": "Polygon", "coordinates": [[[1e999, 42], [1, 2], [3, 4]]]}', "bad_coordinate", []),
    "a member twice": ('{"type": "Polygon", "type": "Point", "coordinates": []}', "doubled_member", []),
    "too deep": ('{"type": "Polygon", "coordinates": ' + "[" * 100_000 + "]" * 100_000 + "}", "too_deep", []),
    "cut off": ('{"type": "Polygon", "coordinates": [[[-93, 42', "broken_json", []),
    "a long number": ('{"type": "Polygon", "coordinates": ' + "9" * 5000 + "}", "bad_number", []),
}  # fmt: skip
SAID = {"a missing minus sign": "minus sign", "a ring that crosses itself": "longitude and latitude"}


@pytest.mark.parametrize(("most", "told"), [(2, [2, 0]), (1, [0, 1])])
def test_what_is_asked_of_each_pair_is_asked_of_so_many(
    most: int, told: list[int], write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("provender.formats.geometry._MOST", most)
    monkeypatch.setattr("provender.formats.boundaries._MOST_NEIGHBORS", 2 * most)
    pieces = read(write, {"type": "MultiPolygon", "coordinates": [[SQUARE], [[[x + 1, y] for x, y in SQUARE]]]})
    fields = read(write, collection(*(feature(polygon(SQUARE), name=name) for name in "NS")))
    not_compared = sum("not compared" in problem.cause for problem in fields.problems)
    assert [round(sum(acres(pieces)) / SQUARE_ACRES), not_compared] == told
    assert codes(fields)[0] == "fields_overlap"


@pytest.mark.parametrize("name", READ)
def test_geojson_is_measured_or_refused_by_name(write: Write, name: str) -> None:
    document, told, measured = READ[name]
    parsed = read(write, document)
    assert (parsed.result is not None) == bool(measured)
    exact = 200 if "a tiny crossing" not in name else 1000
    assert all(abs(one - other) < exact for one, other in zip(acres(parsed), measured, strict=True))
    if measured:
        assert codes(parsed) == told.split()
    assert set(told.split()) <= set(codes(parsed))
    assert all(problem.remedy for problem in parsed.problems)
    assert SAID.get(name, "") in " ".join(problem.cause for problem in parsed.problems)
    if name == "a good field beside a bad one":
        assert parsed.result is not None
        assert ([field.label for field in parsed.result.fields], parsed.problems[0].place.row) == (["N40"], 1)


@pytest.mark.samples
@ROWS
def test_what_other_programs_stumbled_over_is_read(samples: Path, name: str, fields: dict[str, int], told: str) -> None:
    path = samples / "field_reports" / f"boundary_{name}"
    assert sniff(path, path.name).reader == "boundaries"
    parsed = read_drawing(path)
    assert ({one.label: one.acres for one in parsed.result.fields} if parsed.result else {}, codes(parsed)) == (
        fields, told.split(),
    )  # fmt: skip


@ROWS
def test_an_id_is_a_name_unless_it_only_counts(write: Write, features: list[dict[str, Any]], labels: list[str]) -> None:
    shapes_of = [polygon(SQUARE), polygon(EAST)]
    made = [{"type": "Feature", "geometry": shape, **one} for shape, one in zip(shapes_of, features, strict=False)]
    parsed = read(write, collection(*made) | {"name": "layer of all fields"})
    assert parsed.result is not None
    assert [one.label for one in parsed.result.fields] == labels


@pytest.mark.parametrize(("told", "label", "claimed", "code"), [
    ({"name": "N40", "acres": 240.5}, "N40", 240_500, ["acres_differ"]),
    ({"farm_number": "1234", "tract_number": "56", "clu_number": "7", "clu_calculated_acreage": 228.5},
     "1234-56-7", 228_500, []),
], ids=["a name", "a CLU"])  # fmt: skip
def test_name_and_acres_show(write: Write, told: dict[str, object], label: str, claimed: int, code: list[str]) -> None:
    parsed = read(write, feature(polygon(SQUARE), **told), limit_pct=3000)
    assert parsed.result is not None
    assert [(field.label, field.claimed_acres) for field in parsed.result.fields] == [(label, claimed)]
    assert codes(parsed) == code
    both = (f"{acres(parsed)[0] / 1000:.3f}".rstrip("0"), "240.5") if code else ()
    assert all(text in parsed.problems[0].cause for text in both)


def test_a_square_mile_is_640_acres_and_others_than_claimed_are_asked_about() -> None:
    geod = Geod(ellps="WGS84")
    side = 1609.344
    x, y, _ = geod.fwd(-93.0, 42.0, 0, side)
    corners = [(-93.0, 42.0), geod.fwd(-93.0, 42.0, 90, side)[:2], geod.fwd(x, y, 90, side)[:2], (x, y)]
    assert abs(acres_of(Polygon(corners)) - 640_000) < 200
    assert abs(side * side / ACRE_M2 - 640) < 1e-6
    assert abs(distance_m(corners[0], corners[1]) - side) < 0.001
    same = ((103_000, 100_000), (97_000, 100_000), (100_000, None), (0, 0))
    assert not any(compare_acres(measured, claimed, 3000, Place("f")) for measured, claimed in same)
    for measured, claimed in ((103_001, 100_000), (96_999, 100_000), (1, 0)):
        problem = compare_acres(measured, claimed, 3000, Place("f"))
        assert problem is not None
        assert problem.weight is Weight.CONFIRM


def test_usdas_broken_example_is_refused_at_its_place_until_mended(kept: Path, write: Write) -> None:
    parsed = read_boundaries(kept / "usda" / "usda_acrsi-example.json", "acrsi.json")
    assert parsed.result is None
    (problem,) = parsed.problems
    assert (problem.place.row, problem.place.column) == (171, "54")
    assert "comma" in problem.remedy
    lines = (kept / "usda" / "usda_acrsi-example.json").read_text().splitlines()
    lines[170] = lines[170].replace("][", "],[")
    parsed = read(write, "\n".join(lines), limit_pct=3000)
    assert parsed.result is not None
    (field, *_) = parsed.result.fields
    assert (field.label, field.claimed_acres) == ("1234567-1-1", 25_910)
    assert "acres_differ" in codes(parsed)  # the example's outline is not of the size it reports


def shape_parts(rings: list[list[list[float]]], *, prj: str | None = WGS84, **record: object) -> dict[str, bytes | str]:
    parts = {key: io.BytesIO() for key in ("shp", "shx", "dbf")}
    with shapefile.Writer(**parts, shapeType=shapefile.POLYGON) as writer:
        for name in record or {"name": ""}:
            writer.field(name, "C", 40)
        writer.poly(rings)
        writer.record(*(record.values() or [""]))
    found: dict[str, bytes | str] = {f"fields.{key}": part.getvalue() for key, part in parts.items()}
    return found | ({"fields.prj": prj} if prj else {})


CLOCKWISE = SQUARE[::-1]


UTM_15: dict[str, Any] = {"crs": CRS.from_epsg(26915)}
METRES = [list(Transformer.from_crs(4326, UTM_15["crs"], always_xy=True).transform(x, y)) for x, y in CLOCKWISE]
_SHAPE = shape_parts([CLOCKWISE], name="N40", acres="228")
SHAPES: dict[str, tuple[dict[str, bytes | str], list[str], bool]] = {
    "in a zip in a zip": (
        {"fields.zip": zipped({f"deep/{name}": content for name, content in _SHAPE.items()})}, [], True,
    ),
    "projected": (shape_parts([METRES], prj=UTM_15["crs"].to_wkt("WKT1_ESRI"), name="N40"), [], True),
    "without a prj, in degrees": (shape_parts([CLOCKWISE], prj=None, name="N40"), ["assumed_wgs84"], True),
    "without a prj, in metres": (
        shape_parts([[[x * 1000, y * 1000] for x, y in CLOCKWISE]], prj=None, name="N40"), ["no_prj"], False,
    ),
    **{f"a prj of {prj!r}": (_SHAPE | {"fields.prj": prj}, ["bad_prj"], False) for prj in
       ("", "no such system", "GEOGCS[broken", "PROJCS[]", '{"type":"x"}')},
    "without its table": ({name: one for name, one in _SHAPE.items() if not name.endswith("dbf")}, ["no_dbf"], True),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_a_shapefile_measures_like_geojson_or_is_refused_by_name(write: Write, name: str) -> None:
    members, told, there = SHAPES[name]
    parsed = read_boundaries(write("f.zip", zipped(members)), "f.zip")
    assert codes(parsed) == told
    assert (parsed.result is not None) is there
    assert all(abs(one - acres(read(write, polygon(SQUARE)))[0]) <= 2 for one in acres(parsed))
    assert [one.weight for one in parsed.problems if one.code == "assumed_wgs84"] == [Weight.CONFIRM] * (
        "assumed_wgs84" in told
    )


def test_a_zipped_shapefile_gives_names_and_acres_and_a_loose_one_finds_its_parts(write: Write) -> None:
    parsed = read_boundaries(write("fields.zip", zipped(_SHAPE)), "fields.zip", limit_pct=3000)
    assert isinstance(parsed.result, Boundaries)
    assert parsed.problems == ()
    (field,) = parsed.result.fields
    assert (field.label, field.claimed_acres) == ("N40", 228_000)
    assert [field.acres] == acres(read(write, polygon(SQUARE)))
    for name, content in _SHAPE.items():
        path = write(name, content)
    loose = read_boundaries(path.with_suffix(".shp"), "fields.shp")
    assert (loose.problems, len(acres(loose))) == ((), 1)


def lettered(name: bytes, *, language: int = 0, cpg: str = "") -> bytes:
    """Return a zipped shapefile whose one name is these bytes, and what it says of its code page."""
    table = shape_parts([CLOCKWISE], name="_" * len(name))["fields.dbf"]
    assert isinstance(table, bytes)
    spoken = bytearray(table.replace(b"_" * len(name), name))
    spoken[29] = language
    parts = _SHAPE | {"fields.dbf": bytes(spoken)} | ({"fields.cpg": cpg} if cpg else {})
    return zipped(parts)


@pytest.mark.parametrize(("name", "said", "label", "code"), [
    ("Peña".encode(), {}, "Peña", ""),
    ("Peña".encode(), {"cpg": "UTF-8"}, "Peña", ""),
    ("Peña".encode(), {"language": 0x57}, "Peña", ""),  # the head of the table is wrong, its letters are not
    (("Hof " * 9 + "abcñ").encode()[:40], {"cpg": "65001"}, ("Hof " * 9 + "abc"), ""),  # cut within a letter
    ("Peña".encode("cp1252"), {"language": 0x57}, "Peña", ""),
    ("Peña".encode("cp1252"), {"cpg": "ANSI 1252"}, "Peña", ""),
    ("Peña".encode("cp1252"), {"cpg": "88591"}, "Peña", ""),
    ("Peña".encode("cp1252"), {}, "Peña", "letters_guessed"),
    ("Peña".encode("cp1252"), {"cpg": "no such page"}, "Peña", "letters_guessed"),
    ("Peña".encode("cp1252"), {"cpg": "utf-8"}, "Peña", "letters_guessed"),
    ("O\u2019Brien\u2019s ½".encode("cp1252"), {}, "O\u2019Brien\u2019s ½", "letters_guessed"),
    ("Müller".encode("cp850"), {"language": 2}, "Müller", ""),
    ("Müller".encode("cp437"), {"cpg": "OEM 437"}, "Müller", ""),
    ("Müller".encode("cp850"), {}, "Müller", "letters_guessed"),
    ("Łąka".encode("cp1250"), {"language": 200}, "Łąka", ""),
    ("畑".encode("cp932"), {"cpg": "932"}, "畑", ""),
])  # fmt: skip
def test_names_are_read_as_written(write: Write, name: bytes, said: dict[str, Any], label: str, code: str) -> None:
    parsed = read_boundaries(write("f.zip", lettered(name, **said)), "f.zip")
    assert parsed.result is not None
    assert ([one.label for one in parsed.result.fields], codes(parsed)) == ([label], code.split())
    assert all(label in str(problem) for problem in parsed.problems)


def test_points_are_no_boundaries_and_a_truncated_shapefile_loses_nothing_in_silence(write: Write) -> None:
    data = zipped(shapes([("name", "C", 9)], [((-93, 42), ["a"])]))
    assert codes(read_boundaries(write("a.zip", data), "a.zip")) == ["not_an_area"]
    parts = shape_parts([CLOCKWISE], name="N40")
    for part in ("fields.shp", "fields.dbf"):
        whole = parts[part]
        assert isinstance(whole, bytes)
        for cut in (10, 50, 101, 140):
            parsed = read_boundaries(write("a.zip", zipped(parts | {part: whole[:cut]})), "a.zip")
            assert parsed.problems or cut >= len(whole), (part, cut)


def test_an_encrypted_zip_is_refused(write: Write) -> None:
    data = bytearray(zipped(shape_parts([CLOCKWISE])))
    for at in range(len(data) - 4):
        if bytes(data[at : at + 4]) in (b"PK\x03\x04", b"PK\x01\x02"):
            data[at + (6 if data[at + 2] == 3 else 8)] |= 1
    assert zipfile.is_zipfile(io.BytesIO(data))
    parsed = read_boundaries(write("a.zip", bytes(data)), "a.zip")
    assert codes(parsed) == ["bad_archive"]
    assert "password" in parsed.problems[0].cause


@pytest.mark.samples
def test_the_iowa_boundary_measures_25_582_acres(samples: Path) -> None:
    parsed = read_boundaries(samples / "yield" / "boundary.shp", "boundary.shp")
    assert isinstance(parsed.result, Boundaries)
    assert [(field.acres, field.label) for field in parsed.result.fields] == [(25_582, "boundary 1")]


def test_outlines_are_read_out_of_a_zip_and_the_area_of_fiboa_held_against_the_ground(tmp_path: Path) -> None:
    book = RecordBook.of({}, folder=tmp_path)
    (tmp_path / "boundaries").mkdir()
    (tmp_path / "boundaries" / "fields.zip").write_bytes(zipped(shape_parts([CLOCKWISE], name="N40")))
    row = {"unit_id": "N40", "name": None, "boundary": "fields.zip"}
    assert from_geojson(drawn(book, row, {})).area > 0
    parsed = read_boundaries(written(tmp_path, "parquet"), "fields.parquet", limit_pct=1)
    assert parsed.result is not None
    assert (parsed.result.fields[0].claimed_acres, codes(parsed)) == (217_700, ["acres_differ"])


SHAWNEE, JASPER = "20177", "19099"
HERE = Place("fields.geojson", row=1)


def square(x: float, y: float, half: float = 0.002) -> shapely.Polygon:
    return shapely.box(x - half, y - half, x + half, y + half)


def on_the_line() -> shapely.Polygon:
    """Return a square about a point on the line between Shawnee and Wabaunsee, Kansas."""
    line = outlines()[SHAWNEE].intersection(outlines()["20197"])
    whole = line if line.geom_type == "LineString" else shapely.line_merge(line)
    middle = whole.interpolate(0.5, normalized=True)
    return square(middle.x, middle.y)


def inside() -> shapely.Polygon:
    middle = outlines()[SHAWNEE].representative_point()
    return square(middle.x, middle.y)


@pytest.mark.parametrize(("field", "county", "code", "words"), [
    (inside(), SHAWNEE, "", ()), (inside(), "", "", ()), (square(0, 0), SHAWNEE, "", ()),
    (on_the_line(), SHAWNEE, "two_counties", ("Shawnee", "Wabaunsee", "split")),
    (inside(), JASPER, "other_county", ("Jasper",)),
], ids=["well inside", "of no county", "outside every outline", "across the line", "far from its county"])  # fmt: skip
def test_a_field_in_two_counties_asks(field: shapely.Polygon, county: str, code: str, words: tuple[str, ...]) -> None:
    found = county_doubts(field, "N40", county, HERE)
    assert [(one.code, one.weight, one.place) for one in found] == [(code, Weight.CONFIRM, HERE)] * bool(code)
    assert all(word in str(found[0]) for word in words)


HOLED: Final = Polygon(
    [(-93.60, 42.00), (-93.59, 42.00), (-93.59, 42.01), (-93.60, 42.01)],
    [[(-93.597, 42.003), (-93.595, 42.003), (-93.595, 42.005), (-93.597, 42.005)]],
)
UTM: Final = Transformer.from_crs(4326, 26915, always_xy=True)


def kml() -> str:
    def ring(points: object) -> str:
        corners = " ".join(f"{x},{y},0" for x, y in points)  # type: ignore[attr-defined]
        return f"<LinearRing><coordinates>{corners}</coordinates></LinearRing>"

    hole = f"<innerBoundaryIs>{ring(HOLED.interiors[0].coords)}</innerBoundaryIs>"
    area = f"<Polygon><outerBoundaryIs>{ring(HOLED.exterior.coords)}</outerBoundaryIs>{hole}</Polygon>"
    point = "<Placemark><name>gate</name><Point><coordinates>-93.6,42</coordinates></Point></Placemark>"
    head = '<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>'
    return f"{head}<Placemark><name>Home 80</name>{area}</Placemark>{point}</Document></kml>"


def home_80(path: Path, srs: int = 26915) -> Path:
    projected = transform(HOLED, UTM.transform, interleaved=False)  # type: ignore[arg-type]  # typed for pairs
    shape = projected if srs == 26915 else HOLED
    return geopackage(path, ["name"], [(shape, ["Home 80"])], srs=srs, envelope=bytes(32))


def geoparquet(path: Path, **column: object) -> Path:
    frame = pl.DataFrame({"id": ["Home 80"], "geometry": [to_wkb(HOLED)], "metrics:area": [881_000.0]})
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
        home_80(path)
    elif kind == "parquet":
        geoparquet(path)
    else:
        path.write_text(json.dumps({"type": "Feature", "properties": {"name": "Home 80"}, "geometry": mapping(HOLED)}))
    return path


def read_drawing(path: Path) -> Parsed[Boundaries]:
    return read_boundaries(path, path.name)


@pytest.mark.parametrize("kind", ["kml", "kmz", "gpkg", "parquet"])
def test_every_format_gives_the_ground_that_geojson_gives(tmp_path: Path, kind: str) -> None:
    (expected,) = read_drawing(written(tmp_path, "geojson")).result.fields  # type: ignore[union-attr]
    path = written(tmp_path, kind)
    assert sniff(path, path.name).reader == "boundaries"
    parsed = read_drawing(path)
    assert parsed.result is not None, parsed.problems
    (found,) = parsed.result.fields
    assert (found.label, found.acres) == ("Home 80", expected.acres)
    assert expected.acres == pytest.approx(219_000, abs=6_000)


CORNERS: Final = " ".join(f"{x},{y}" for x, y in SQUARE)


@pytest.mark.parametrize(("corners", "read_as"), [
    (CORNERS, SQUARE_ACRES), (CORNERS.replace(",", ", "), SQUARE_ACRES), (CORNERS.replace(",", " ,\n "), SQUARE_ACRES),
    (CORNERS.replace(" ", ",\n"), SQUARE_ACRES), (CORNERS.replace(" ", ",0 "), SQUARE_ACRES),
    (CORNERS.replace(",", " "), 0), (CORNERS.replace(".", ","), 0), (f"{CORNERS} -93", 0), ("", 0),
], ids=["plain", "a blank", "blanks", "commas at the end", "heights", "no commas", "decimal commas", "half a corner",
        "nothing"])  # fmt: skip
def test_corners_of_a_drawing_are_read_or_refused_and_none_is_dropped(write: Write, corners: str, read_as: int) -> None:
    ring = f"<LinearRing><coordinates>{corners}</coordinates></LinearRing>"
    mark = f'<Placemark id="N40"><Polygon><outerBoundaryIs>{ring}</outerBoundaryIs></Polygon></Placemark>'
    head = '<kml:kml a:b="c" xmlns:kml="http://www.opengis.net/kml/2.2" xmlns="http://www.opengis.net/kml/2.2">'
    parsed = read_drawing(write("f.kml", f"{head}<Document>{mark}<gx:Tour>see x:y </gx:Tour></Document></kml:kml>"))
    found = [(one.label, one.acres) for one in parsed.result.fields] if parsed.result else []
    assert len(found) == bool(read_as) == (not parsed.problems)
    assert all(label == "N40" and abs(acres - read_as) < 200 for label, acres in found)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("before", ["", "\x1e"])
def test_a_map_is_known_whatever_marks_stand_before_it(write: Write, encoding: str, before: str) -> None:
    text = before + json.dumps(feature(polygon(SQUARE), name="N40"))
    for name in ("fields.geojson", "fields.geojsons"):
        path = write(name, text.encode(encoding))
        assert sniff(path, name).reader == "boundaries"
        (found,) = acres(read_boundaries(path, name))
        assert abs(found - SQUARE_ACRES) < 200


def test_every_drawing_of_a_kmz_and_a_zipped_geojson_is_read(tmp_path: Path) -> None:
    path = tmp_path / "fields.kmz"
    path.write_bytes(zipped({"doc.kml": kml(), "files/more.kml": kml().replace("Home 80", "North")}))
    parsed = read_drawing(path)
    assert parsed.result is not None
    assert [one.label for one in parsed.result.fields] == ["Home 80", "North"]
    inner = zipped({"fields.geojsonl": json.dumps(feature(polygon(SQUARE), name="N40"))})
    for data in (inner, zipped({"deep/again.zip": inner})):
        (tmp_path / "fields.zip").write_bytes(data)
        parsed = read_drawing(tmp_path / "fields.zip")
        assert parsed.result is not None
        assert [one.label for one in parsed.result.fields] == ["N40"]


def without_outlines(folder: Path) -> Path:
    pl.DataFrame({"a": [1]}).write_parquet(folder / "table.parquet")
    return folder / "table.parquet"


def with_entities(folder: Path) -> Path:
    (folder / "x.kml").write_text('<!DOCTYPE k [<!ENTITY a "b">]><kml>&a;</kml>')
    return folder / "x.kml"


@pytest.mark.parametrize(("made", "code", "words"), [
    (lambda folder: written(folder, "kml"), "not_an_area", "gate"),
    (lambda folder: geoparquet(folder / "f.parquet", crs={"type": "nothing"}), "bad_crs", ""),
    (lambda folder: home_80(folder / "f.gpkg", srs=99_999), "bad_crs", ""),
    (without_outlines, "no_fields", ""),
    (with_entities, "bad_xml", ""),
], ids=["a gate beside a field", "of no system", "a layer of no system", "no outlines", "entities"])  # fmt: skip
def test_what_is_no_area_is_told_of_it(tmp_path: Path, made: Callable[[Path], Path], code: str, words: str) -> None:
    (problem,) = read_drawing(made(tmp_path)).problems
    assert problem.code == code
    assert words in problem.cause


@pytest.mark.parametrize("kind", ["gpkg", "parquet"])
def test_fields_behind_the_limit_of_rows_are_told(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, kind)
    for most, told in ((1, []), (0, ["too_many_rows"])):
        monkeypatch.setattr("provender.formats.boundaries._MOST_ROWS", most)
        assert [problem.code for problem in read_drawing(path).problems] == told


@pytest.mark.parametrize("kind", ["kml", "kmz", "gpkg", "parquet"])
def test_a_file_cut_short_anywhere_is_told_and_never_a_traceback(tmp_path: Path, kind: str) -> None:
    whole = written(tmp_path, kind).read_bytes()
    path = tmp_path / f"cut.{kind}"
    for share in range(1, 20):
        path.write_bytes(whole[: len(whole) * share // 20])
        parsed = read_drawing(path)
        assert parsed.result is not None or parsed.problems, share
