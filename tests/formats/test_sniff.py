"""A file is known by what it holds, and a closed format by the export to make instead."""

import gzip
from pathlib import Path

import pytest

from provender.formats.detect import Kind, advice, read_kind, sniff, systems
from tests.formats.conftest import Write
from tests.formats.workbooks import shapes, xlsx, zipped


@pytest.mark.parametrize(
    ("member", "kind"),
    [
        ("JD-Data/log/2017 run/2017_10_27_{a}.jdl", "deere_gen4"),
        ("RCD/EIC/setup.fds", "deere_greenstar"),
        ("card/170512A.cn1/index.vy1", "cnh_voyager"),
        ("20260512_planting.2020", "precision_planting"),
        ("harvest_2026-09-18.dat", "fieldview"),
        ("job 5.agdata", "ag_leader"),
        ("2012.yld", "ag_leader"),
        ("AgGPS/Data/Farm/Field/x.bin", "trimble"),
        ("AgData/Fields/x.agf", "trimble"),
        ("x/CSB.gdb/a0001.gdbtable", "file_geodatabase"),
        ("notes.bin", "unknown"),
    ],
)
def test_a_zip_is_known_by_its_layout_and_says_what_to_export(write: Write, member: str, kind: str) -> None:
    parsed = read_kind(write("card.zip", zipped({member: b"\x00\x01closed"})), "card.zip")
    assert parsed.result is not None
    assert (parsed.result.kind, parsed.result.reader) == (kind, "")
    (problem,) = parsed.problems
    assert problem.code == f"unreadable_{kind}"
    assert any(word in problem.remedy for word in ("xport", "download", "save it as"))


def test_a_layout_is_seen_two_zips_deep_and_not_three(write: Write) -> None:
    one = zipped({"JD-Data/log/a.jdl": b"x"})
    two = zipped({"card.zip": one})
    three = zipped({"all.zip": two})
    assert [sniff(write("a.zip", data), "a.zip").kind for data in (one, two, three)] == [
        "deere_gen4",
        "deere_gen4",
        "unknown",
    ]


def test_a_workbook_is_one_whatever_its_name_and_what_macos_adds_is_not_looked_at(write: Write, kept: Path) -> None:
    data = zipped({"__MACOSX/JD-Data/log/._a.jdl": b"x", "fields.geojson": '{"type": "FeatureCollection"}'})
    assert sniff(write("a.zip", data), "a.zip").kind == "geojson"
    assert sniff(write("data.zip", xlsx([["a"]])), "data.zip").kind == "xlsx"
    path = kept / "deere" / "gs3-2630-setup.zip"
    assert sniff(path, path.name).kind == "deere_greenstar"
    assert advice(Kind("geojson", "GeoJSON", "boundaries"), "a") is None


@pytest.mark.parametrize(
    ("name", "content", "kind", "reader"),
    [
        ("a.bin", b"\xff\xd8\xff\xe0rest", "jpeg", "photo"),
        ("a.jpg", b"\x00\x00\x00\x18ftypheic", "heic", "photo"),
        ("a.csv", b"%PDF-1.5", "pdf", "paper"),
        ("letter.txt", b"Dear Ada,\nthanks for the order.\nForty bags, paid.\nSeed Co\n", "text_paper", "paper"),
        ("enough.txt", b"a;b\nc;d\ntitle\n", "delimited", "spreadsheet"),
        ("less.txt", b"a;b\nc;d\ntitle\nother\n", "text_paper", "paper"),
        ("letter.csv", b"Dear Ada,\nthanks for the order.\nForty bags\n", "delimited", "spreadsheet"),
        ("a.txt", b'{"type": "Polygon", "coordinates": []}', "geojson", "boundaries"),
        (
            "a.txt",
            b'-93.277204,41.537132,2.70,1347998285,3,74,240,15.0,33,1,2007,"F","L","CORN",7,0,896.2\n',
            "ag_leader_text",
            "yield_log",
        ),
        ("a.csv", b"field,acres\n", "delimited", "spreadsheet"),
        ("a.xml", b"<?xml version='1.0'?><ModusResult/>", "modus_xml", "lab_soil"),
        ("a.xml", b"<ISO11783_TaskData/>", "isoxml", "isoxml"),
        ("fields.dbf", b"\x03rest", "shapefile_part", ""),
        ("fields.gpkg", b"SQLite format 3\x00", "geopackage", "boundaries"),
        ("a.gz", gzip.compress(b"x" * 50, mtime=0), "unknown", ""),
    ],
)
def test_a_single_file_is_known_by_its_content(write: Write, name: str, content: bytes, kind: str, reader: str) -> None:
    found = sniff(write(name, content), name)
    assert (found.kind, found.reader) == (kind, reader)


def test_every_system_of_the_table_is_read_by_us_or_tells_what_to_export_and_a_damaged_zip_is_a_problem(
    write: Write,
) -> None:
    assert all(bool(each.reader) != bool(each.export) for each in systems())
    assert len({each.kind for each in systems()}) == len(systems())
    parsed = read_kind(write("a.zip", zipped({"a.shp": b"x" * 999})[:60]), "a.zip")
    assert [problem.code for problem in parsed.problems] == ["bad_archive"]


@pytest.mark.parametrize(
    ("table", "columns", "reader"),
    [
        ("y.dbf", ("FLOW", "MOISTURE"), "yield_log"),
        ("y.DBF", ("flow", "moisture"), "yield_log"),
        ("y.dbf", ("VRYIELDVOL",), "yield_log"),
        ("y.dbf", ("Yld_Vol_Dr",), "yield_log"),
        ("y.dbf", ("Rt_Apd_Liq", "Product"), "applied_points"),
        ("y.dbf", ("AppliedRat", "Elevation"), "applied_points"),
        ("y.dbf", ("FLOW",), "boundaries"),
        ("other.dbf", ("FLOW", "MOISTURE"), "boundaries"),
        ("y.dbf", ("Rt_Apd_Ct_",), ""),
        ("y.dbf", ("EC_SH", "EC_DP"), ""),
        ("y.dbf", ("Tgt_Rate",), ""),
    ],
)
def test_a_loose_shapefile_of_points_is_told_by_the_table_beside_it(
    write: Write, table: str, columns: tuple[str, ...], reader: str
) -> None:
    parts = shapes([(name, "N", 9, 3) for name in columns], [((-93, 42), [1] * len(columns))])
    write(table, parts["y.dbf"])
    path = write("y.shp", parts["y.shp"])
    assert sniff(path, path.name).reader == reader


@pytest.mark.samples
def test_every_sample_of_a_closed_format_is_named_with_an_export(samples: Path) -> None:
    wanted = {
        "deere/gen4-4600-harvest.zip": "deere_gen4",
        "deere/gen4-4600-planting.zip": "deere_gen4",
        "fields/NationalCSB_2017-2024_rev23_sample100.gdb.zip": "file_geodatabase",
        "isoxml/dev4ag/zips/InvalidArchive.zip": "unknown",
    }
    for name, kind in wanted.items():
        parsed = read_kind(samples / name, Path(name).name)
        assert parsed.result is not None
        assert parsed.result.kind == kind, name
        assert parsed.problems[0].remedy
