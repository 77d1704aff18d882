"""Laboratory results and photographs, and how what readers found meets the records' own parsers."""

import datetime as dt
import hashlib
import io
import json
from pathlib import Path
from typing import Any, Final

import pytest
from PIL import Image
from PIL.TiffImagePlugin import IFDRational

from provender.exact import show
from provender.formats.boundaries import Boundaries, read_boundaries
from provender.formats.child import parse_limited
from provender.formats.importing.foreign import boundaries_found, evidence_row
from provender.formats.importing.incoming_files import Arrival, Source
from provender.formats.labs import read_lab_soil
from provender.formats.mapped import import_table
from provender.formats.parsed import MappedTable, Parsed
from provender.formats.photos import Holds, Photo, clock_doubt, judge, read_photo
from provender.formats.units import identifier
from provender.problem import Weight
from provender.records.kind import KINDS
from provender.records.reading import TableRead, TextTable, read_table
from tests.formats.test_boundaries import SQUARE, collection, feature, polygon
from tests.formats.test_intake import CHOICES
from tests.formats.workbooks import Write, codes, zipped
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

pytestmark = pytest.mark.usefixtures("parsed_here")
AS_OF = "2026-11-21"


def results(
    *found: tuple[str, object, str], bottom: object = 8, top: object = 0, unit: str = "in", day: str = "2026-05-14"
) -> dict[str, Any]:
    nutrients = [{"Element": element, "Value": value, "ValueUnit": unit_} for element, value, unit_ in found]
    depths = [{"DepthID": "1", "StartingDepth": top, "EndingDepth": bottom, "DepthUnit": unit}]
    samples = [{"SampleMetaData": {"SampleNumber": "7"}, "Depths": [{"DepthID": "1", "NutrientResults": nutrients}]}]
    event = {
        "EventMetaData": {"EventDate": day},
        "LabMetaData": {"LabName": "Lab"},
        "EventSamples": {"Soil": {"DepthRefs": depths, "SoilSamples": samples}},
    }
    return {"Events": [event]}


def read_lab(write: Write, document: object) -> Parsed[MappedTable]:
    text = document if isinstance(document, str) else json.dumps(document)
    return read_lab_soil(write("m.json", text), "m.json", as_of=AS_OF)


def row(parsed: Parsed[MappedTable]) -> dict[str, str]:
    assert parsed.result is not None
    return parsed.result.rows[0].values


def test_values_come_in_the_units_of_the_record_and_those_of_no_use_are_left_out(write: Write) -> None:
    found = (("pH", 6.5, "none"), ("OM", 2.8, "%"), ("P", 0.004, "%"), ("K", 150, "mg/kg"), ("Zn", 1, "ppm"))
    parsed = read_lab(write, results(*found, bottom=20, unit="cm"))
    assert row(parsed) == {"soil_test_id": "7", "laboratory": "Lab", "sampled_on": "2026-05-14", "depth_in": "7.874",
                           "ph": "6.5", "organic_matter_pct": "2.8", "p_ppm": "40", "k_ppm": "150"}  # fmt: skip
    assert parsed.problems == ()
    told = {"<5": "limit_not_value"}
    for result in (("P", 40, "lb/ac"), ("P", "<5", "ppm"), ("P", "high", "ppm"), ("pH", 6, "ppm")):
        parsed = read_lab(write, results(("K", 150, "ppm"), result))
        assert codes(parsed) == [told.get(str(result[1]), "unreadable_result")], result
        assert row(parsed)["k_ppm"] == "150"
        assert row(parsed).keys().isdisjoint({"p_ppm", "ph"})


EVIL = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><ModusResult>&a;</ModusResult>'


def test_a_file_without_soil_results_is_refused_and_json_agrees_with_the_sheet(write: Write, kept: Path) -> None:
    nothing: list[object] = [{}, [], {"Events": None}, {"Events": [3]}, {"Events": [{"EventSamples": {"Soil": []}}]}]
    for document in (*nothing, "null", "{", "<a/>", "<ModusResult>", EVIL):
        parsed = read_lab(write, document)
        assert parsed.result is None
        assert parsed.problems[0].remedy
        assert document != EVIL or codes(parsed) == ["xml_entities"]
    for name in ("MODUS_RESULT_PLANT_DATA_EXAMPLE.xml", "MODUS_SUBMIT_SOIL_EXAMPLE.xml"):
        assert codes(read_lab_soil(kept / "modus" / name, name, as_of=AS_OF)) == ["no_soil_results"]
    parsed = read_lab_soil(kept / "modus" / "SO2223-430SO2223430_1.json", "m.json", as_of=AS_OF)
    assert parsed.problems == ()
    assert row(parsed) == {"soil_test_id": "Old Berlin 1", "sampled_on": "2022-07-08", "depth_in": "8", "ph": "6.18",
                           "k_ppm": "66.726", "p_ppm": "80.484"}  # fmt: skip


def test_a_sample_from_below_and_a_day_to_come_are_asked_about(write: Write) -> None:
    assert codes(read_lab(write, results(("P", 40, "ppm"), top=6, bottom=24))) == ["deep_sample"]
    path = write("m.zip", zipped({"lab/m.json": json.dumps(results(("P", 40, "ppm")))}))
    assert row(read_lab_soil(path, "m.zip", as_of=AS_OF))["p_ppm"] == "40"
    days = {AS_OF: [], "2026-11-22": ["future_day"], "03/04/2026": ["unreadable_day"], "": []}
    for day, told in days.items():
        parsed = read_lab(write, results(("P", 40, "ppm"), day=day))
        assert codes(parsed) == told
        assert ("sampled_on" in row(parsed)) == (day == AS_OF)


def test_the_dates_of_2076_are_told_and_the_values_kept(kept: Path) -> None:
    path = kept / "modus" / "MODUS_RESULT_SOIL_DATA_EXAMPLE.xml"
    parsed = read_lab_soil(path, path.name, as_of=AS_OF)
    table = parsed.result
    assert isinstance(table, MappedTable)
    assert len(table.rows) == 4
    assert table.rows[0].values == {
        "soil_test_id": "F76001-2222-1", "unit_id": "FIELD NAME", "laboratory": "A & L Great Lakes Laboratories",
        "method": "S-P-B1-1:10.01.03", "depth_in": "7", "ph": "7", "organic_matter_pct": "2.8", "p_ppm": "90",
        "k_ppm": "198", "nitrate_n_ppm": "16",
    }  # fmt: skip
    found = [problem.code for problem in parsed.problems]
    assert found == ["sampled_or_received", "several_methods"] + ["future_day"] * 4


@pytest.mark.samples
def test_samples_at_two_depths_are_rows_of_their_own(samples: Path) -> None:
    path = samples / "modus" / "fixing-soil-health-2022_sourcedataLab1_1.json"
    parsed = read_lab_soil(path, path.name, as_of=AS_OF)
    assert parsed.result is not None
    assert len(parsed.result.rows) == 375
    assert codes(parsed) == ["deep_sample", "no_values"]


FIELD = (
    '{"type":"Polygon","coordinates":[[[-94.30,39.00],[-94.29,39.00],[-94.29,39.10],[-94.30,39.10],[-94.30,39.00]]]}'
)
FALL = {"first": dt.date(2026, 8, 1), "last": dt.date(2026, 12, 31)}


def jpeg(
    *, position: tuple[float, float] | None = (-94.295, 39.05), taken: str = "2026:10:12 09:30:00", offset: str = "",
    gps_time: tuple[str, tuple[int, int, int]] | None = None, size: tuple[int, int] = (64, 48),
) -> bytes:  # fmt: skip
    exif = Image.Exif()
    exif[271], exif[272] = "Maker", "Model"
    shot = exif.get_ifd(0x8769)
    if taken:
        shot[0x9003] = taken
    if offset:
        shot[0x9011] = offset
    gps = exif.get_ifd(0x8825)
    if position:
        longitude, latitude = position
        gps[1], gps[2] = "N" if latitude >= 0 else "S", _angle(abs(latitude))
        gps[3], gps[4] = "E" if longitude >= 0 else "W", _angle(abs(longitude))
    if gps_time:
        gps[29], gps[7] = gps_time[0], tuple(IFDRational(part, 1) for part in gps_time[1])
    buffer = io.BytesIO()
    Image.new("RGB", size, "green").save(buffer, "JPEG", exif=exif)
    return buffer.getvalue()


def _angle(degrees: float) -> tuple[IFDRational, IFDRational, IFDRational]:
    whole = int(degrees)
    return IFDRational(whole, 1), IFDRational(0, 1), IFDRational(round((degrees - whole) * 3600 * 1000), 1000)


def read_picture(write: Write, data: bytes) -> tuple[Photo, list[str]]:
    parsed = read_photo(write("p.jpg", data), "p.jpg")
    assert parsed.result is not None
    return parsed.result, [problem.code for problem in parsed.problems]


def test_place_time_and_hash_are_read(write: Write) -> None:
    data = jpeg(offset="-05:00", gps_time=("2026:10:12", (14, 30, 0)))
    photo, problems = read_picture(write, data)
    assert problems == []
    assert photo.offset == "-05:00"
    assert photo.taken == dt.datetime(2026, 10, 12, 9, 30)  # noqa: DTZ001 - the camera's clock
    assert photo.gps_time == dt.datetime(2026, 10, 12, 14, 30)  # noqa: DTZ001 - stored so
    assert photo.longitude == pytest.approx(-94.295, abs=1e-6)
    assert photo.latitude == pytest.approx(39.05, abs=1e-6)
    assert photo.sha256 == hashlib.sha256(data).hexdigest()


def test_a_photograph_without_exif_shows_nothing_no_time_is_invented_and_a_place_has_metres(write: Write) -> None:
    bare, problems = read_picture(write, jpeg(position=None, taken=""))
    assert problems == ["no_exif"]
    photo, _ = read_picture(write, jpeg())
    for verdict in (judge(bare, "p.jpg", boundary=FIELD, **FALL), judge(photo, "p.jpg")):
        assert (verdict.place, verdict.time, verdict.problems) == (Holds.NOT_SHOWN, Holds.NOT_SHOWN, ())
    for taken in ("0000:00:00 00:00:00", "    ", "2026-13-45", "yesterday", "2026:02:30 10:00:00"):
        photo, problems = read_picture(write, jpeg(taken=taken))
        assert photo.taken is None
        assert ("no_exif" in problems, "bad_time" in problems) == (True, taken.startswith("2026:"))
    at_sea, problems = read_picture(write, jpeg(position=(0.0, 0.0)))
    assert (at_sea.longitude, "bad_position" in problems) == (None, True)
    for longitude, metres in ((-94.295, 0), (-94.29, 0), (-94.2899, 9), (-94.278, 1040)):
        photo, _ = read_picture(write, jpeg(position=(longitude, 39.05)))
        verdict = judge(photo, "p.jpg", boundary=FIELD, **FALL)
        assert verdict.place is (Holds.DOES_NOT_FIT if metres else Holds.FITS)
        assert verdict.distance_m is not None
        assert abs(verdict.distance_m - metres) <= 2
        assert "claim" in verdict.sentence


def test_a_day_is_within_the_window_or_outside_and_shows_nothing_by_a_clock_that_is_off(write: Write) -> None:
    for day, fits in (("2026:07:31", False), ("2026:08:01", True), ("2026:12:31", True), ("2027:01:01", False)):
        photo, _ = read_picture(write, jpeg(taken=f"{day} 12:00:00"))
        verdict = judge(photo, "p.jpg", boundary=FIELD, **FALL)
        assert verdict.time is (Holds.FITS if fits else Holds.DOES_NOT_FIT), day
        assert [problem.code for problem in verdict.problems] == ["photo_outside_season"] * (not fits)
    photo, _ = read_picture(write, jpeg(taken="2026:07:31 12:00:00", gps_time=("2026:08:02", (14, 30, 0))))
    verdict = judge(photo, "p.jpg", boundary=FIELD, **FALL)
    assert verdict.time is Holds.NOT_SHOWN
    assert [problem.code for problem in verdict.problems] == ["clock_differs"]


def test_a_clock_off_the_satellites_is_told(write: Write) -> None:
    for taken, offset, doubted in (
        ("2026:10:12 09:40:00", "-05:00", False),  # ten minutes ahead
        ("2026:10:12 09:40:01", "-05:00", True),
        ("2026:10:12 09:30:00", "", False),  # five hours are a time zone
        ("2026:10:12 09:36:00", "", True),  # six minutes are none
        ("2026:10:11 14:30:00", "", True),  # a whole day is none
    ):
        photo, _ = read_picture(write, jpeg(taken=taken, offset=offset, gps_time=("2026:10:12", (14, 30, 0))))
        assert bool(clock_doubt(photo)) == doubted, taken


def test_a_photograph_that_is_cut_off_or_claims_a_billion_pixels_is_refused_before_it_is_drawn(write: Write) -> None:
    whole = jpeg(size=(640, 480))
    parsed = read_photo(write("p.jpg", whole[: len(whole) - 200]), "p.jpg")
    assert (parsed.result, codes(parsed)) == (None, ["damaged_photo"])
    data = bytearray(jpeg(taken="", position=None))
    frame = data.find(b"\xff\xc0")
    data[frame + 5 : frame + 9] = b"\xff\xdc\xff\xdc"
    bomb = parse_limited("photo", write("bomb.jpg", bytes(data)))
    assert [problem.code for problem in bomb.problems] == ["picture_too_big"]


def test_what_is_no_photograph_is_refused_and_a_broken_pointer_is_a_problem_and_no_crash(write: Write) -> None:
    for content in (b"\xff\xd8\xff", b"GIF89a", b"not a picture", b"\x00\x00\x00\x18ftypheic" + bytes(40)):
        parsed = read_photo(write("p.jpg", content), "p.jpg")
        assert parsed.result is None
        assert parsed.problems[0].code in {"not_a_photo", "damaged_photo"}
    for place, broken in ((8, b"\x7f\xff\xff\xff"), (2, b"\0\2\x7f\xff\xff\xff")):  # the second is met while opening
        data = bytearray(jpeg())
        at = data.find(b"\x88\x25") + place
        data[at : at + len(broken)] = broken
        photo, problems = read_picture(write, bytes(data))
        assert photo.longitude is None
        assert problems == ["damaged_exif", "no_exif"]
        assert photo.taken is not None


@pytest.mark.parametrize(("most", "told"), [(640 * 480, []), (640 * 480 - 2, ["picture_too_big"])])
def test_a_large_picture_is_no_damaged_one(
    most: int, told: list[str], write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("provender.formats.photos.MOST_PIXELS", most)
    assert codes(read_photo(write("p.jpg", jpeg(size=(640, 480))), "p.jpg")) == told


@pytest.mark.samples
def test_the_iphone_photograph_claims_missouri_within_39_metres(samples: Path) -> None:
    parsed = read_photo(samples / "photos" / "IMG_5195.HEIC", "IMG_5195.HEIC")
    photo = parsed.result
    assert isinstance(photo, Photo)
    assert parsed.problems == ()
    assert (photo.offset, photo.gps_time) == ("-05:00", None)
    assert photo.longitude == pytest.approx(-94.288772, abs=1e-6)
    assert photo.latitude == pytest.approx(39.051344, abs=1e-6)
    verdict = judge(photo, "p", boundary=FIELD.replace("-94.29,", "-94.289,"))
    assert (verdict.place, verdict.distance_m) == (Holds.FITS, 20)


@pytest.mark.samples
def test_a_heic_photograph_that_is_cut_off_is_refused(samples: Path, write: Write) -> None:
    whole = (samples / "photos" / "IMG_5195.HEIC").read_bytes()
    parsed = read_photo(write("cut.heic", whole[:700_000]), "cut.heic")
    assert (parsed.result, codes(parsed)) == (None, ["damaged_photo"])


@pytest.mark.samples
def test_the_camera_22_hours_behind_the_satellites_is_told(samples: Path) -> None:
    photo = read_photo(samples / "photos" / "DSCN0010.jpg", "DSCN0010.jpg").result
    assert isinstance(photo, Photo)
    (problem,) = judge(photo, "DSCN0010.jpg").problems
    assert (problem.weight, problem.code) == (Weight.CONFIRM, "clock_differs")
    assert "21 h 58 min behind" in problem.cause


TODAY = dt.date(2026, 11, 21)


def fields(write: Write, *names: str) -> Boundaries:
    path = write("f.geojson", json.dumps(collection(*(feature(polygon(SQUARE), name=name) for name in names))))
    found = read_boundaries(path, "f.geojson").result
    assert found is not None
    return found


def typed(table: MappedTable) -> TableRead:
    names = tuple(name for name in KINDS[table.target].typed_fields if name != "farm_id")
    rows = tuple((row.number, tuple(row.values.get(name, "") for name in names)) for row in table.rows)
    return read_table(KINDS[table.target], TextTable(table.file, "", names, rows), farm_id="F1")


def test_boundaries_become_units_with_a_file_each(write: Write) -> None:
    found = fields(write, "North 40", "North 40", "Süd/3", "Süd")
    arrival = Arrival(Source("f.geojson", "0" * 64, "f.geojson"), CHOICES)
    boundaries_found(found, arrival)
    rows = list(arrival.tables[0].texts())
    assert [row["unit_id"] for row in rows] == ["North 40", "North 40", "Sud/3", "Sud"]
    names = ["North-40.geojson", "North-40~2.geojson", "Sud-3.geojson", "Sud.geojson"]
    assert [row["boundary"] for row in rows] == names
    assert list(arrival.files) == [f"boundaries/{name}" for name in names]
    assert [row["acres"] for row in rows] == [show(field.acres) for field in found.fields]


def test_a_photograph_becomes_evidence_whose_note_names_the_claim() -> None:
    photo = Photo("ab" * 32, dt.datetime(2026, 10, 12, 9, 30), "", None, -93.0, 42.0, None)  # noqa: DTZ001 - camera
    written = evidence_row(photo, judge(photo, "p.jpg"), "p.jpg", unit_id="N40")
    reading = typed(MappedTable("p.jpg", "", "evidence", (written,)))
    (row,) = reading.rows
    told = {"what": "photograph", "taken_on": dt.date(2026, 10, 12), "sha256": "ab" * 32, "unit_id": "N40"}
    assert {name: row[name] for name in told} == told
    assert "claim" in row["note"]
    assert reading.problems == []


@ROWS
def test_of_what_cannot_be_read_the_rest_is_read(write: Write, row: str, heading: str, code: str) -> None:
    text = f"Lab Number,Field,pH,{heading},Date Sampled\n{row}\n"
    parsed = import_table(write("s.csv", text), "soil_test", as_of=TODAY)
    assert parsed.result is not None
    errors = [problem.code for problem in parsed.problems if problem.weight is Weight.ERROR]
    assert errors == ([code] if code else [])
    reading = typed(parsed.result.tables[0])
    # Bounds are the schema's business, after the parsers; pounds never become parts per million.
    assert [row["ph"] for row in reading.rows] == ([15_000 if ",15," in row else 6_500] if code else [])
    assert "lbs" not in heading or [row["p_ppm"] for row in reading.rows] == [None]


@pytest.mark.parametrize(
    ("text", "name"),
    [("North 40", "North 40"), ("  #7 / Süd ", "7 / Sud"), ("", "field"), ("???", "field"), ("x" * 99, "x" * 80)],
)
def test_any_name_becomes_an_identifier(text: str, name: str) -> None:
    assert identifier(text) == name
