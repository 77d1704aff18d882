"""Files damaged at random end as results or problems with a remedy, never in an error of the program.

``PROVENDER_FUZZ=10000`` makes more of them, ``PROVENDER_SEED`` others; both stand in the name of a failure.
"""

import io
import json
import os
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from fuzz.case import clean, judged, run, whole
from fuzz.other_files import faults
from fuzz.seasons import PLOW, readings, seasons, tables
from provender.formats.boundaries import Boundaries
from provender.formats.child import Limits, parse_many
from provender.formats.parsed import Parsed, WorkbookFile
from provender.formats.yields import YieldLog
from provender.records.checks import IncompleteRow
from tests.formats.test_boundaries import CLOCKWISE, SQUARE, collection, feature, polygon, shape_parts
from tests.formats.test_lab_soil import results
from tests.formats.test_photos import jpeg
from tests.formats.test_spreadsheet import ods, workbook_with_traps
from tests.formats.test_yield_log import line, shape_of
from tests.formats.workbooks import xlsx, zipped

SEED = int(os.environ.get("PROVENDER_SEED", "20261121"))
COUNT = int(os.environ.get("PROVENDER_FUZZ", "300"))

TABLE: list[list[object]] = [
    ["Ticket", "Date", "Net Bu"],
    *([f"T{number}", "2026-09-18", 700.5 + number] for number in range(20)),
]
BASES: dict[str, list[Callable[[], bytes]]] = {
    "spreadsheet": [
        lambda: xlsx(TABLE),
        workbook_with_traps,
        ods,
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
}
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
                end = min(len(found), at + chance.randint(1, 60))
                found[at:at] = found[at:end]
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
def test_no_damage_whatever_ends_in_an_error(reader: str, tmp_path: Path) -> None:
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
        case Boundaries(fields=fields):
            return len(fields)
        case YieldLog(loads=loads):
            return len(loads)
    return 1


def limit(reader: str, bases: list[bytes]) -> int:
    """Return what damage of a few dozen bytes can at most make of the sound files."""
    return 60 + max(len(base) for base in bases) // 8 if reader == "spreadsheet" else 120


FUZZ_SEED = 20261121
FUZZ_COUNT = 300


def test_bad_inputs_end_in_problems_or_records_and_never_in_a_better_verdict(tmp_path: Path) -> None:
    cases = []
    for number in range(1, FUZZ_COUNT + 1):
        folder = tmp_path / str(number)
        folder.mkdir()
        cases.append(run(FUZZ_SEED, number, folder))
    judged(cases)
    assert [(case.number, case.how, case.faults) for case in cases if case.faults] == []
    assert sum(bool(case.problems) for case in cases) > FUZZ_COUNT * 0.8, "most of them must really be bad"


def test_the_clean_books_differ_in_what_they_meet_so_that_better_can_be_seen() -> None:
    met = clean()
    assert len(met["all met"]) == 12
    assert all(len(found) < 12 for name, found in met.items() if name != "all met")


def test_a_lost_row_without_its_mark_would_be_seen(tmp_path: Path) -> None:
    case = run(FUZZ_SEED, 1, tmp_path)
    case.season, case.incomplete_rows, case.faults = "plowed", [], []
    case.frames = {name: whole("all met")[name] for name in seasons()["all met"]}
    judged([case])
    assert any("no_till" in fault for fault in case.faults)
    case.faults, case.incomplete_rows = [], [IncompleteRow("operation", "F1", "N40")]
    judged([case])
    assert case.faults == []


def test_the_same_seed_gives_the_same_case(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    first, second = run(FUZZ_SEED, 7, tmp_path / "a"), run(FUZZ_SEED, 7, tmp_path / "b")
    assert (first.how, [str(one.cause) for one in first.problems]) == (
        second.how,
        [one.cause for one in second.problems],
    )


def test_a_plow_stands_in_the_book_that_fails_by_it() -> None:
    found = readings(tables(seasons()["plowed"]))["operation"].frame
    assert PLOW["operation"] in found["operation"].to_list()


def test_spoiled_files_of_others_raise_nothing_and_every_row_has_a_fate() -> None:
    assert list(faults(20261122, 25)) == []
