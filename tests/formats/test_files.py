"""A file is known by what it holds, read within limits, and however it is damaged it ends in a result or problems.

``PROVENDER_FUZZ=10000``` makes more damaged ones, ``PROVENDER_SEED`` others; both stand in the name of a failure.
"""

import gzip
import io
import json
import os
import random
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from fuzz.case import clean, judged, run, whole
from fuzz.other_files import faults
from fuzz.seasons import PLOW, readings, seasons, tables
from provender.formats import child
from provender.formats.boundaries import Boundaries
from provender.formats.child import Limits, parse_limited, parse_many
from provender.formats.detect import Kind, advice, read_kind, sniff, systems
from provender.formats.parsed import READERS, Parsed, WorkbookFile, decode_parsed, find, grouped, result_type
from provender.formats.work import YieldLog
from provender.problem import Place, Problem
from provender.records.kind import IncompleteRow
from provender.schema import write
from tests.formats.test_boundaries import CLOCKWISE, SQUARE, collection, feature, polygon, shape_parts
from tests.formats.test_cells import ods, workbook_with_traps
from tests.formats.test_logs import line, shape_of
from tests.formats.test_readers import jpeg, results
from tests.formats.workbooks import Write, codes, shapes, xlsx, zipped
from tests.reading_here import answers_here
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

LAYOUTS: Final = ROWS.table("LAYOUTS")


def test_a_zip_is_known_by_its_layout_two_zips_deep_and_says_what_to_export(write: Write) -> None:
    for member, kind in LAYOUTS.items():
        parsed = read_kind(write("card.zip", zipped({member: b"\x00\x01closed"})), "card.zip")
        assert parsed.result is not None
        assert (parsed.result.kind, parsed.result.reader) == (kind, ""), member
        (problem,) = parsed.problems
        assert problem.code == f"unreadable_{kind}"
        assert any(word in problem.remedy for word in ("xport", "download", "save it as"))
    one = zipped({"JD-Data/log/a.jdl": b"x"})
    two = zipped({"card.zip": one})
    for data, known in ((one, "deere_gen4"), (two, "deere_gen4"), (zipped({"all.zip": two}), "unknown")):
        assert sniff(write("a.zip", data), "a.zip").kind == known


def test_a_workbook_is_one_whatever_its_name_and_what_macos_adds_is_not_looked_at(write: Write, kept: Path) -> None:
    data = zipped({"__MACOSX/JD-Data/log/._a.jdl": b"x", "fields.geojson": '{"type": "FeatureCollection"}'})
    assert sniff(write("a.zip", data), "a.zip").kind == "geojson"
    assert sniff(write("data.zip", xlsx([["a"]])), "data.zip").kind == "xlsx"
    path = kept / "deere" / "gs3-2630-setup.zip"
    assert sniff(path, path.name).kind == "deere_greenstar"
    assert advice(Kind("geojson", "GeoJSON", "boundaries"), "a") is None


@pytest.mark.parametrize(("name", "content", "kind", "reader"), [
    ("a.bin", b"\xff\xd8\xff\xe0rest", "jpeg", "photo"),
    ("a.jpg", b"\x00\x00\x00\x18ftypheic", "heic", "photo"),
    ("a.csv", b"%PDF-1.5", "pdf", "paper"),
    ("letter.txt", b"Dear Ada,\nthanks for the order.\nForty bags, paid.\nSeed Co\n", "text_paper", "paper"),
    ("enough.txt", b"a;b\nc;d\ntitle\n", "delimited", "spreadsheet"),
    ("less.txt", b"a;b\nc;d\ntitle\nother\n", "text_paper", "paper"),
    ("letter.csv", b"Dear Ada,\nthanks for the order.\nForty bags\n", "delimited", "spreadsheet"),
    ("a.txt", b'{"type": "Polygon", "coordinates": []}', "geojson", "boundaries"),
    (
        "a.txt", b'-93.277204,41.537132,2.70,1347998285,3,74,240,15.0,33,1,2007,"F","L","CORN",7,0,896.2\n',
        "ag_leader_text", "yield_log",
    ),
    ("a.csv", b"field,acres\n", "delimited", "spreadsheet"),
    ("a.xml", b"<?xml version='1.0'?><ModusResult/>", "modus_xml", "lab_soil"),
    ("a.xml", b"<ISO11783_TaskData/>", "isoxml", "isoxml"),
    ("fields.dbf", b"\x03rest", "shapefile_part", ""),
    ("fields.gpkg", b"SQLite format 3\x00", "geopackage", "boundaries"),
    ("a.gz", gzip.compress(b"x" * 50, mtime=0), "unknown", ""),
])  # fmt: skip
def test_a_single_file_is_known_by_its_content(write: Write, name: str, content: bytes, kind: str, reader: str) -> None:
    found = sniff(write(name, content), name)
    assert (found.kind, found.reader) == (kind, reader)


def test_every_system_is_read_or_tells_what_to_export_and_a_damaged_zip_is_told(write: Write) -> None:
    assert all(bool(each.reader) != bool(each.export) for each, _ in systems())
    assert len({each.kind for each, _ in systems()}) == len(systems())
    parsed = read_kind(write("a.zip", zipped({"a.shp": b"x" * 999})[:60]), "a.zip")
    assert [problem.code for problem in parsed.problems] == ["bad_archive"]


BESIDE: Final[dict[tuple[str, ...], str]] = {
    ("y.dbf", "FLOW", "MOISTURE"): "yield_log", ("y.DBF", "flow", "moisture"): "yield_log",
    ("y.dbf", "VRYIELDVOL"): "yield_log", ("y.dbf", "Yld_Vol_Dr"): "yield_log",
    ("y.dbf", "Rt_Apd_Liq", "Product"): "applied_points", ("y.dbf", "AppliedRat", "Elevation"): "applied_points",
    ("y.dbf", "FLOW"): "boundaries", ("other.dbf", "FLOW", "MOISTURE"): "boundaries", ("y.dbf", "Rt_Apd_Ct_"): "",
    ("y.dbf", "EC_SH", "EC_DP"): "", ("y.dbf", "Tgt_Rate"): "",
}  # fmt: skip


def test_loose_points_are_told_by_the_table_beside(write: Write) -> None:
    for (table, *columns), reader in BESIDE.items():
        parts = shapes([(name, "N", 9, 3) for name in columns], [((-93, 42), [1] * len(columns))])
        beside, path = write(table, parts["y.dbf"]), write("y.shp", parts["y.shp"])
        assert sniff(path, path.name).reader == reader, (table, columns)
        beside.unlink()


@pytest.mark.samples
def test_every_sample_of_a_closed_format_is_named_with_an_export(samples: Path) -> None:
    wanted = {
        "deere/gen4-4600-harvest.zip": "deere_gen4", "deere/gen4-4600-planting.zip": "deere_gen4",
        "fields/NationalCSB_2017-2024_rev23_sample100.gdb.zip": "file_geodatabase",
        "isoxml/dev4ag/zips/InvalidArchive.zip": "unknown",
    }  # fmt: skip
    for name, kind in wanted.items():
        parsed = read_kind(samples / name, Path(name).name)
        assert parsed.result is not None
        assert parsed.result.kind == kind, name
        assert parsed.problems[0].remedy


def test_a_sound_file_comes_back_typed_and_problems_name_it_as_people_do(write: Write) -> None:
    parsed = parse_limited("spreadsheet", write("a.csv", "field,acres\nN40,80.25\n"))
    assert isinstance(parsed.result, WorkbookFile)
    assert [line.cells for line in parsed.result.sheets[0].lines] == [("field", "acres"), ("N40", "80.25")]
    assert parsed.problems == ()
    parsed = parse_limited("sniff", write("3f2a9c", b"\0closed"), name="job 5.agdata")
    assert [problem.place.file for problem in parsed.problems] == ["job 5.agdata"]
    assert all(result_type(find(name)) is not None for name in READERS)
    with pytest.raises(KeyError):
        parse_limited("astrology", write("a.csv", "a"))


def test_missing_empty_and_special_files_are_refused_without_a_child(write: Write, tmp_path: Path) -> None:
    paths = (tmp_path / "none.csv", write("empty.csv", ""), tmp_path, Path("/dev/zero"))
    found = parse_many("spreadsheet", [(path, path.name) for path in paths])
    assert [codes(each) for each in found] == [["no_file"], ["empty_file"], ["no_file"], ["no_file"]]


SMALL, HUGE = "a,b\n1,2\n", ("1234," * 39 + "1234\n") * 50_000
MEMORY = {"reading_too_big", "reading_failed"}  # where the memory runs out is the system's choice


@pytest.mark.parametrize(("text", "limits", "told"), [
    (SMALL, Limits(file_bytes=8), set()), (SMALL, Limits(file_bytes=7), {"file_too_big"}),
    (SMALL, Limits(wall_seconds=0), {"reading_too_slow"}),
    (SMALL * 999, Limits(result_bytes=9), {"reading_too_big"}), (HUGE, Limits(address_bytes=200 * 2**20), MEMORY),
    (SMALL, Limits(address_bytes=2**20), MEMORY),
], ids=["at the size", "over the size", "on the wall", "a long answer", "memory", "too little to start"])  # fmt: skip
def test_only_a_file_beyond_a_limit_is_refused(write: Write, text: str, limits: Limits, told: set[str]) -> None:
    parsed = parse_limited("spreadsheet", write("a.csv", text), limits=limits)
    assert bool(parsed.problems) is bool(told)
    assert set(codes(parsed)[:1]) <= told
    assert (parsed.result is None) is bool(told)


def test_a_file_that_costs_its_child_the_life_does_not_cost_the_others_theirs(write: Write) -> None:
    small = write("small.csv", SMALL)
    huge = write("huge.csv", HUGE.replace("1234", "x" * 40))  # two seconds of a quick processor
    files = [(small, "first.csv"), (huge, "huge.csv"), (small, "last.csv")]
    first, killed, last = parse_many("spreadsheet", files, limits=Limits(cpu_seconds=1))
    assert isinstance(first.result, WorkbookFile)
    assert codes(killed) == ["reading_too_slow"]
    assert killed.problems[0].place.file == "huge.csv"
    assert isinstance(last.result, WorkbookFile)


def test_a_module_in_the_working_folder_is_not_imported(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("a.csv", "a,b\n1,2\n")
    write("json.py", "raise SystemExit('taken over')")
    monkeypatch.chdir(path.parent)
    assert parse_limited("spreadsheet", path).problems == ()


def test_no_reader_but_those_of_points_brings_the_column_engine_into_the_child() -> None:
    of_points = ("yield_log", "applied_points")
    modules = sorted({target.partition(":")[0] for name, target in READERS.items() if name not in of_points})
    code = f"import sys, {', '.join(modules)}; print('polars' in sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert done.stdout.strip() == "False"


def test_a_value_that_cannot_cross_and_an_answer_of_another_shape_are_refused() -> None:
    result: dict[str, object] = {"file": 1, "sheets": []}
    for data in ({}, {"result": 3, "problems": []}, {"result": result, "problems": []}):
        with pytest.raises((TypeError, KeyError, ValueError)):
            decode_parsed(WorkbookFile, data)
    with pytest.raises(TypeError, match="cannot cross"):
        write(object(), whole=True)
    (joined,) = grouped([Problem(Place("f", row=row), "no unit.", "Add it.") for row in (3, 5, 9)])
    assert (joined.place.row, joined.cause) == (3, "no unit. The same holds for 2 more: row 5, 9.")


SEED = int(os.environ.get("PROVENDER_SEED", "20261121"))
COUNT = int(os.environ.get("PROVENDER_FUZZ", "120"))

TABLE: list[list[object]] = [
    ["Ticket", "Date", "Net Bu"],
    *([f"T{number}", "2026-09-18", 700.5 + number] for number in range(20)),
]
BASES: dict[str, list[Callable[[], bytes]]] = {
    "spreadsheet": [
        lambda: xlsx(TABLE), workbook_with_traps, ods,
        lambda: "\n".join(",".join(str(cell) for cell in row) for row in TABLE).encode(),
        lambda: '"a","b"\n"x ""y""","1\n2"\n'.encode("utf-16"),
    ],
    "boundaries": [
        lambda: json.dumps(collection(feature(polygon(SQUARE), name="N40", acres=227.3))).encode(),
        lambda: zipped(shape_parts([CLOCKWISE], name="N40")),
    ],
    "yield_log": [
        lambda: "\n".join(line(flow=str(number), number=number) for number in range(30)).encode(),
        lambda: zipped({"y.zip": zipped(shape_of())}),
    ],
    "photo": [lambda: jpeg(offset="-05:00", gps_time=("2026:10:12", (14, 30, 0)))],
    "lab_soil": [
        lambda: json.dumps(results(("P", 40, "ppm"), ("pH", 6.5, "none"))).encode(),
        lambda: b"<?xml version='1.0'?><ModusResult><Event><EventSamples><Soil/></EventSamples></Event></ModusResult>",
    ],
    "sniff": [lambda: zipped({"JD-Data/log/a.jdl": b"x", "b/c.zip": zipped({"d.geojson": "{}"})})],
}  # fmt: skip
TOKENS = (
    b"\x00", b"\xff", b"\n", b'"', b"'", b"<!DOCTYPE a>", b"=1+1", b"NaN", b"1e999", b"99999999999999999999", b"-1",
    b"{", b"]", b"PK\x03\x04", b"../", b"\xef\xbb\xbf",
)  # fmt: skip


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Return the data cut, flipped, doubled or with something put in, a few times."""
    found = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(found) + 1)
        match chance.randrange(5):
            case 0:
                del found[at:]
            case 1 if found:
                found[at % len(found)] ^= 1 << chance.randrange(8)
            case 2:
                found[at:at] = chance.choice(TOKENS)
            case 3:
                found[at:at] = found[at : min(len(found), at + chance.randint(1, 60))]
            case _:
                del found[at : at + chance.randint(1, 60)]
    return bytes(found) or b"\x00"


def damaged_somewhere(data: bytes, chance: random.Random) -> bytes:
    """Damage a file; of a zip, in two cases of three, only one of its members, so that the damage gets inside."""
    if not data.startswith(b"PK") or chance.randrange(3) == 0:
        return damaged(data, chance)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    victim = chance.choice(sorted(members))
    return zipped({**members, victim: damaged_somewhere(members[victim], chance)})


@pytest.mark.parametrize("reader", BASES)
def test_no_damage_whatever_ends_in_an_error(reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if reader not in ("spreadsheet", "yield_log"):
        monkeypatch.setattr(child, "_converse", answers_here)
    chance = random.Random(f"{SEED}-{reader}")
    bases = [make() for make in BASES[reader]]
    count = max(1, COUNT // len(BASES))
    files = []
    for number in range(count):
        path = tmp_path / f"{number}{chance.choice(['.zip', '.csv', '.json', '.xlsx', '.jpg', '.shp', ''])}"
        path.write_bytes(damaged_somewhere(chance.choice(bases), chance))
        files.append((path, path.name))
    today = {"as_of": "2026-11-21"} if reader == "lab_soil" else {}
    for (path, _), parsed in zip(files, parse_many(reader, files, limits=Limits(), **today), strict=True):
        told = f"seed {SEED}, {path.name}: {parsed.problems}"
        assert parsed.result is not None or parsed.problems, told
        assert all(problem.cause and problem.remedy and problem.code for problem in parsed.problems), told
        if parsed.result is None:
            continue
        assert amount(parsed) <= limit(reader, bases), told


def amount(parsed: Parsed[object]) -> int:
    """Return how much a file claims to hold: rows, fields, loads."""
    match parsed.result:
        case WorkbookFile(sheets=sheets):
            return sum(len(sheet.lines) for sheet in sheets)
        case Boundaries(fields=fields) | YieldLog(fields=fields):
            return len(fields)
    return 1


def limit(reader: str, bases: list[bytes]) -> int:
    """Return what damage of a few dozen bytes can at most make of the sound files."""
    return 60 + max(len(base) for base in bases) // 8 if reader == "spreadsheet" else 120


FUZZ_SEED = 20261121
FUZZ_COUNT = 50


@pytest.mark.parametrize(
    ("first", "count"), [(1, FUZZ_COUNT), pytest.param(FUZZ_COUNT + 1, 5 * FUZZ_COUNT, marks=pytest.mark.slow)]
)
def test_bad_inputs_never_end_in_a_better_verdict(tmp_path: Path, first: int, count: int) -> None:
    cases = []
    for number in range(first, first + count):
        folder = tmp_path / str(number)
        folder.mkdir()
        cases.append(run(FUZZ_SEED, number, folder))
    judged(cases)
    assert [(case.number, case.how, case.faults) for case in cases if case.faults] == []
    assert sum(bool(case.problems) for case in cases) > count * 0.8, "most of them must really be bad"


def test_clean_books_differ_in_what_they_meet_and_the_plow_stands_in_the_one_that_fails() -> None:
    met = clean()
    assert len(met["all met"]) == 12
    assert all(len(found) < 12 for name, found in met.items() if name != "all met")
    found = readings(tables(seasons()["plowed"]))["operation"].rows
    assert PLOW["operation"] in [row["operation"] for row in found]
    assert list(faults(20261122, 12)) == []


def test_a_lost_row_without_its_mark_would_be_seen(tmp_path: Path) -> None:
    case = run(FUZZ_SEED, 1, tmp_path)
    case.season, case.incomplete_rows, case.faults = "plowed", [], []
    case.records = {name: whole("all met")[name] for name in seasons()["all met"]}
    judged([case])
    assert any("no_till" in fault for fault in case.faults)
    case.faults, case.incomplete_rows = [], [IncompleteRow("operation", "F1", "N40")]
    judged([case])
    assert case.faults == []
