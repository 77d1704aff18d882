"""A photograph's claims are read, doubted and never believed; a damaged one is a problem."""

import datetime as dt
import hashlib
import io
from pathlib import Path

import pytest
from PIL import Image
from PIL.TiffImagePlugin import IFDRational

from provender.formats.child import parse_limited
from provender.formats.photos import Holds, Photo, clock_doubt, judge, read_photo
from provender.problem import Weight
from tests.formats.conftest import Write
from tests.formats.told import codes

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


def read(write: Write, data: bytes) -> tuple[Photo, list[str]]:
    parsed = read_photo(write("p.jpg", data), "p.jpg")
    assert parsed.result is not None
    return parsed.result, [problem.code for problem in parsed.problems]


def test_place_time_camera_and_hash_are_read(write: Write) -> None:
    data = jpeg(offset="-05:00", gps_time=("2026:10:12", (14, 30, 0)))
    photo, problems = read(write, data)
    assert problems == []
    assert (photo.camera, photo.offset) == ("Maker Model", "-05:00")
    assert photo.taken == dt.datetime(2026, 10, 12, 9, 30)  # noqa: DTZ001 - the camera's clock
    assert photo.gps_time == dt.datetime(2026, 10, 12, 14, 30)  # noqa: DTZ001 - stored so
    assert photo.longitude == pytest.approx(-94.295, abs=1e-6)
    assert photo.latitude == pytest.approx(39.05, abs=1e-6)
    assert photo.sha256 == hashlib.sha256(data).hexdigest()


def test_a_photograph_without_exif_and_one_without_boundary_or_season_show_nothing_and_fail_in_nothing(
    write: Write,
) -> None:
    bare, problems = read(write, jpeg(position=None, taken=""))
    assert problems == ["no_exif"]
    photo, _ = read(write, jpeg())
    for verdict in (judge(bare, "p.jpg", boundary=FIELD, **FALL), judge(photo, "p.jpg")):
        assert (verdict.place, verdict.time, verdict.problems) == (Holds.NOT_SHOWN, Holds.NOT_SHOWN, ())


@pytest.mark.parametrize(
    ("taken", "told"),
    [("0000:00:00 00:00:00", "no_exif"), ("    ", "no_exif"), ("2026-13-45", "no_exif"), ("yesterday", "no_exif"),
     ("2026:02:30 10:00:00", "bad_time")],
)  # fmt: skip
def test_a_time_that_is_none_is_not_invented_and_the_sea_off_africa_is_no_position(
    write: Write, taken: str, told: str
) -> None:
    photo, problems = read(write, jpeg(taken=taken))
    assert photo.taken is None
    assert {told, "no_exif"} <= set(problems)
    at_sea, problems = read(write, jpeg(position=(0.0, 0.0)))
    assert (at_sea.longitude, "bad_position" in problems) == (None, True)


@pytest.mark.parametrize(
    ("longitude", "holds", "metres"),
    [
        (-94.295, Holds.FITS, 0),
        (-94.29, Holds.FITS, 0),
        (-94.2899, Holds.DOES_NOT_FIT, 9),
        (-94.278, Holds.DOES_NOT_FIT, 1040),
    ],
)
def test_a_position_is_inside_or_so_many_metres_off(write: Write, longitude: float, holds: Holds, metres: int) -> None:
    photo, _ = read(write, jpeg(position=(longitude, 39.05)))
    verdict = judge(photo, "p.jpg", boundary=FIELD, **FALL)
    assert verdict.place is holds
    assert verdict.distance_m is not None
    assert abs(verdict.distance_m - metres) <= 2
    assert "claim" in verdict.sentence


@pytest.mark.parametrize(
    ("day", "holds"),
    [
        ("2026:07:31", Holds.DOES_NOT_FIT),
        ("2026:08:01", Holds.FITS),
        ("2026:12:31", Holds.FITS),
        ("2027:01:01", Holds.DOES_NOT_FIT),
    ],
)
def test_a_day_is_within_the_window_or_outside(write: Write, day: str, holds: Holds) -> None:
    photo, _ = read(write, jpeg(taken=f"{day} 12:00:00"))
    verdict = judge(photo, "p.jpg", boundary=FIELD, **FALL)
    assert verdict.time is holds
    assert [problem.code for problem in verdict.problems] == ([] if holds is Holds.FITS else ["photo_outside_season"])


@pytest.mark.parametrize(
    ("taken", "offset", "doubted"),
    [
        ("2026:10:12 09:40:00", "-05:00", False),  # ten minutes ahead
        ("2026:10:12 09:40:01", "-05:00", True),
        ("2026:10:12 09:30:00", "", False),  # five hours are a time zone
        ("2026:10:12 09:36:00", "", True),  # six minutes are none
        ("2026:10:11 14:30:00", "", True),  # a whole day is none
    ],
)
def test_a_clock_that_disagrees_with_the_satellites_is_told(
    write: Write, taken: str, offset: str, doubted: bool
) -> None:
    photo, _ = read(write, jpeg(taken=taken, offset=offset, gps_time=("2026:10:12", (14, 30, 0))))
    assert bool(clock_doubt(photo)) == doubted


def test_a_clock_that_is_off_by_a_season_boundary_shows_nothing(write: Write) -> None:
    photo, _ = read(write, jpeg(taken="2026:07:31 12:00:00", gps_time=("2026:08:02", (14, 30, 0))))
    verdict = judge(photo, "p.jpg", boundary=FIELD, **FALL)
    assert verdict.time is Holds.NOT_SHOWN
    assert [problem.code for problem in verdict.problems] == ["clock_differs"]


def test_a_broken_pointer_to_the_position_is_a_problem_and_no_crash(write: Write) -> None:
    data = bytearray(jpeg())
    at = data.find(b"\x88\x25")
    data[at + 8 : at + 12] = b"\x7f\xff\xff\xff"
    photo, problems = read(write, bytes(data))
    assert photo.longitude is None
    assert problems == ["damaged_exif", "no_exif"]
    assert photo.taken is not None


def test_a_photograph_that_is_cut_off_or_claims_a_billion_pixels_is_refused_before_it_is_drawn(write: Write) -> None:
    whole = jpeg(size=(640, 480))
    parsed = read_photo(write("p.jpg", whole[: len(whole) - 200]), "p.jpg")
    assert (parsed.result, codes(parsed)) == (None, ["damaged_photo"])
    data = bytearray(jpeg(taken="", position=None))
    frame = data.find(b"\xff\xc0")
    data[frame + 5 : frame + 9] = b"\xff\xdc\xff\xdc"
    bomb = parse_limited("photo", write("bomb.jpg", bytes(data)))
    assert [problem.code for problem in bomb.problems] == ["picture_too_big"]


@pytest.mark.parametrize(
    "content", [b"\xff\xd8\xff", b"GIF89a", b"not a picture", b"\x00\x00\x00\x18ftypheic" + bytes(40)]
)
def test_what_is_no_photograph_is_refused(write: Write, content: bytes) -> None:
    parsed = parse_limited("photo", write("p.jpg", content))
    assert parsed.result is None
    assert parsed.problems[0].code in {"not_a_photo", "damaged_photo"}


@pytest.mark.samples
def test_the_iphone_photograph_claims_missouri_within_39_metres(samples: Path) -> None:
    parsed = parse_limited("photo", samples / "photos" / "IMG_5195.HEIC")
    photo = parsed.result
    assert isinstance(photo, Photo)
    assert parsed.problems == ()
    assert (photo.camera, photo.offset, photo.gps_time) == ("Apple iPhone 11 Pro Max", "-05:00", None)
    assert photo.longitude == pytest.approx(-94.288772, abs=1e-6)
    assert photo.latitude == pytest.approx(39.051344, abs=1e-6)
    edge = FIELD.replace("-94.29,", "-94.289,")
    verdict = judge(photo, "p", boundary=edge)
    assert (verdict.place, verdict.distance_m) == (Holds.FITS, 20)


@pytest.mark.samples
def test_a_heic_photograph_that_is_cut_off_is_refused(samples: Path, write: Write) -> None:
    whole = (samples / "photos" / "IMG_5195.HEIC").read_bytes()
    parsed = read_photo(write("cut.heic", whole[:700_000]), "cut.heic")
    assert (parsed.result, codes(parsed)) == (None, ["damaged_photo"])


@pytest.mark.samples
def test_the_camera_22_hours_behind_the_satellites_is_told(samples: Path) -> None:
    parsed = parse_limited("photo", samples / "photos" / "DSCN0010.jpg")
    photo = parsed.result
    assert isinstance(photo, Photo)
    (problem,) = judge(photo, "DSCN0010.jpg").problems
    assert (problem.weight, problem.code) == (Weight.CONFIRM, "clock_differs")
    assert "21 h 58 min behind" in problem.cause
