"""Photographs: what their EXIF claims about place and time, and a hash of the file as it arrived.

EXIF can be edited by anyone, so everything here is a claim of the file. A photograph without it is weaker evidence,
never a failure (2100.052(c) names other ways to show establishment). Behind the reader stands how a claim is judged
against a field and a season.
"""

import datetime as dt
import hashlib
import re
import struct
import warnings
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import pillow_heif
from PIL import Image, UnidentifiedImageError
from pyproj import Transformer
from shapely import from_geojson, transform
from shapely.geometry import Point

from provender.formats.parsed import Problems, reader
from provender.problem import Place, Problem

MOST_PIXELS: Final = 120_000_000
_FORMATS: Final = ("JPEG", "HEIF")

_EXIF: Final = b"Exif\0\0"
_EXIF_MOST: Final = 65_536
"""How a block of EXIF begins, and the most bytes that a JPEG has for it."""
_EXIF_IFD: Final = 0x8769
_GPS_IFD: Final = 0x8825
_ORIGINAL, _OFFSET_ORIGINAL, _OFFSET = 0x9003, 0x9011, 0x9010
_LAT_REF, _LAT, _LON_REF, _LON, _GPS_TIME, _GPS_DATE, _GPS_ERROR = 1, 2, 3, 4, 7, 29, 31
_STAMP: Final = re.compile(r"(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)", re.ASCII)
_ZONE: Final = re.compile(r"[+-](0\d|1[0-4]):[0-5]\d", re.ASCII)
_BROKEN: Final = (
    *(SyntaxError, OSError, EOFError, struct.error, ValueError, KeyError, IndexError, TypeError),
    *(ZeroDivisionError, OverflowError, AttributeError),
)


@dataclass(frozen=True, slots=True)
class Photo:
    """What a photograph claims."""

    sha256: str  # of the file as it arrived, in hexadecimal
    taken: dt.datetime | None  # the camera's clock at the shot, local time without zone, or None
    offset: str  # that clock's difference from UTC, such as ``-05:00``, or empty
    gps_time: dt.datetime | None  # the satellites' time, UTC without zone, or None
    longitude: float | None  # degrees, WGS 84, or None
    latitude: float | None  # degrees, WGS 84, or None
    accuracy_m: float | None  # what the phone says its position may be off, in metres, or None


def _tag_text(value: object) -> str:
    if isinstance(value, bytes):
        value = value.decode("ascii", "replace")
    return str(value or "").replace("\x00", "").strip()


def _taken(ifd: dict[int, Any]) -> dt.datetime | None:
    found = _STAMP.fullmatch(_tag_text(ifd.get(_ORIGINAL)))
    if found is None or found[1] == "0000":
        return None
    return dt.datetime(*(int(part) for part in found.groups()))  # type: ignore[arg-type]  # noqa: DTZ001 - the camera's clock has no zone


def _angle(parts: object, reference: object) -> float | None:
    if not isinstance(parts, tuple) or len(parts) != 3:  # noqa: PLR2004 - degrees, minutes, seconds
        return None
    degrees, minutes, seconds = (Fraction(float(part)) for part in parts)
    value = float(degrees + minutes / 60 + seconds / 3600)
    return -value if _tag_text(reference).upper() in ("S", "W") else value


def _gps_time(gps: dict[int, Any]) -> dt.datetime | None:
    if _GPS_DATE not in gps or _GPS_TIME not in gps:
        return None
    day = dt.date(*(int(part) for part in re.split(r"[:-]", _tag_text(gps[_GPS_DATE]))))
    hours, minutes, seconds = (float(part) for part in gps[_GPS_TIME])
    midnight = dt.datetime.combine(day, dt.time())
    return midnight + dt.timedelta(seconds=round(hours * 3600 + minutes * 60 + seconds))


def _ifd(exif: Image.Exif, number: int, what: str, problems: Problems) -> dict[int, Any]:
    """Read one block of EXIF; a pointer that leads nowhere is a problem, not an end."""
    try:
        return dict(exif.get_ifd(number)) if number in exif else {}
    except _BROKEN as wrong:
        cause = f"the photograph's record of {what} is damaged ({type(wrong).__name__})."
        remedy = "Bring the original file from the camera or phone; messages and editors strip or damage it."
        problems.doubt(cause, remedy, "damaged_exif")
        return {}


def _position(gps: dict[int, Any], problems: Problems) -> tuple[float | None, float | None]:
    try:
        longitude = _angle(gps.get(_LON), gps.get(_LON_REF))
        latitude = _angle(gps.get(_LAT), gps.get(_LAT_REF))
    except _BROKEN:
        longitude, latitude = None, None
    missing = longitude is None or latitude is None
    if missing and (_LON in gps or _LAT in gps or (gps and _LON_REF in gps)):
        problems.doubt("the photograph's position cannot be read.", "Bring the original file.", "bad_position")
    if longitude is None or latitude is None:
        return None, None
    if abs(longitude) > 180 or abs(latitude) > 90 or (longitude == 0 and latitude == 0):  # noqa: PLR2004 - the globe
        cause = f"the photograph's position ({longitude:g}, {latitude:g}) is no place on land."
        problems.doubt(cause, "Bring the original file.", "bad_position")
        return None, None
    return longitude, latitude


def _cut_off(data: bytes) -> bool:
    """Tell whether a HEIC file ends before its boxes do; the decoder fills what is missing without a word."""
    at = 0
    while data[4:8] == b"ftyp" and at + 8 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if size == 1:
            size = int.from_bytes(data[at + 8 : at + 16], "big")
        if size == 0:
            return False
        if size < 8:  # noqa: PLR2004 - a box is at least its own heading
            return True
        at += size
    return data[4:8] == b"ftyp" and at != len(data)


def _claims(image: Image.Image, problems: Problems) -> dict[str, Any]:
    exif = image.getexif()
    shot = _ifd(exif, _EXIF_IFD, "the shot", problems)
    gps = _ifd(exif, _GPS_IFD, "its position", problems)
    longitude, latitude = _position(gps, problems)
    times: dict[str, dt.datetime | None] = {"taken": None, "gps_time": None}
    for name, read, block in (("taken", _taken, shot), ("gps_time", _gps_time, gps)):
        try:
            times[name] = read(block)
        except _BROKEN:
            problems.doubt("a time in the photograph cannot be read.", "Bring the original.", "bad_time")
    zone = _tag_text(shot.get(_OFFSET_ORIGINAL) or shot.get(_OFFSET))
    accuracy = None
    with suppress(*_BROKEN):
        accuracy = float(gps[_GPS_ERROR])
    return {
        **times,
        "offset": zone if _ZONE.fullmatch(zone) else "",
        "longitude": longitude,
        "latitude": latitude,
        "accuracy_m": accuracy,
    }


def day_and_place(content: bytes) -> tuple[dt.date | None, bool]:
    """Return the day on which a camera says that it took a photograph, and whether it says where.

    Only its block of EXIF is read: no picture is decoded, since the file may be a stranger's.
    """
    begin, exif = content.find(_EXIF), Image.Exif()
    try:
        with warnings.catch_warnings(action="ignore"):  # of what is damaged the library warns and gives the rest
            exif.load(content[begin : begin + _EXIF_MOST] if begin >= 0 else b"")
            shot, gps = exif.get_ifd(_EXIF_IFD), exif.get_ifd(_GPS_IFD)
    except _BROKEN:
        return None, False
    taken = None
    with suppress(ValueError):  # a day that no calendar has
        taken = _taken(shot)
    return taken.date() if taken else None, {_LAT, _LON} <= gps.keys()


@reader
def read_photo(path: Path, problems: Problems) -> Photo | None:
    """Read a JPEG or HEIC photograph: it must open and decode; its claims are returned with what is doubtful.

    Pixels above ``MOST_PIXELS`` are refused before anything is decoded.
    """
    data = path.read_bytes()
    pillow_heif.register_heif_opener(thumbnails=False)
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS // 2  # the library refuses at twice this number and warns below
    original = "Bring the original JPEG or HEIC file from the camera or phone."
    try:
        told = warnings.catch_warnings(record=True, action="always")
        with told as warned, Image.open(path, formats=_FORMATS) as image:
            claims = _claims(image, problems)
            width, height = image.size
            image.draft("RGB", (width // 8, height // 8))
            image.load()
    except Image.DecompressionBombError:
        cause = f"the picture claims more than {MOST_PIXELS // 10**6} million pixels."
        raise problems.refusal(cause, original, "picture_too_big") from None
    except UnidentifiedImageError:
        raise problems.refusal("this is not a JPEG or HEIC photograph.", original, "not_a_photo") from None
    except _BROKEN as wrong:
        cause = f"the picture is damaged or cut off ({type(wrong).__name__})."
        raise problems.refusal(cause, original, "damaged_photo") from None
    if _cut_off(data):
        raise problems.refusal("the picture is cut off before its end.", original, "damaged_photo")
    # What else warns meanwhile, such as of a size below the limit, says nothing of the file.
    damage = next((str(one.message) for one in warned if issubclass(one.category, UserWarning)), None)
    if damage is not None and not problems.found:
        cause = f"the photograph's EXIF is damaged ({damage[:80].strip()})."
        problems.doubt(cause, "Bring the original file from the camera or phone.", "damaged_exif")
    photo = Photo(sha256=hashlib.sha256(data).hexdigest(), **claims)
    lacking = [what for what, there in (("time", photo.taken), ("place", photo.longitude is not None)) if not there]
    if lacking:
        cause = f"the photograph carries no {' and no '.join(lacking)} (EXIF); it counts, as weaker evidence."
        problems.note(cause, "If you have the original from the phone or camera, bring that.", "no_exif")
    return photo


# A photograph's claim held against a field's boundary and a season: inside or how far off, within or outside.
#
# Every sentence says that the place and time are claims of the file.

_CLOCK_MOST: Final = dt.timedelta(minutes=10)
_ZONES_MOST: Final = dt.timedelta(hours=14)
_QUARTER: Final = dt.timedelta(minutes=15)


class Holds(StrEnum):
    """Whether a claim of a photograph fits."""

    FITS = "fits"
    DOES_NOT_FIT = "does_not_fit"
    NOT_SHOWN = "not_shown"


@dataclass(frozen=True, slots=True)
class PhotoVerdict:
    """How a photograph's claims fit a field and a season."""

    place: Holds  # whether the claimed position lies in the field
    distance_m: int | None  # whole metres from the field; 0 inside, None where no position is claimed
    time: Holds  # whether the claimed day lies in the window
    sentence: str  # for a person, naming it a claim
    problems: tuple[Problem, ...]  # what to confirm


@lru_cache(maxsize=128)
def metres_outside(longitude: float, latitude: float, boundary: str) -> int:
    """Return how many whole metres a point lies outside a GeoJSON area, 0 inside or on its line.

    Measured in an equidistant projection around the point, where distances from it are geodesic. What was measured is
    kept: every look at a farm's photographs asks for the same, and the projection takes milliseconds to make.
    """
    local = f"+proj=aeqd +lat_0={latitude} +lon_0={longitude} +datum=WGS84 +units=m"
    to_local = Transformer.from_crs("EPSG:4326", local, always_xy=True)

    def flat(points: np.ndarray) -> np.ndarray:
        return np.column_stack(to_local.transform(points[:, 0], points[:, 1]))

    around = transform(from_geojson(boundary), flat)
    return round(around.distance(Point(0, 0)))


def clock_doubt(photo: Photo) -> str:
    """Say how the camera's clock disagrees with the satellites' time; empty where it does not or cannot be told."""
    if photo.taken is None or photo.gps_time is None:
        return ""
    apart = photo.taken - photo.gps_time
    if photo.offset:
        sign = -1 if photo.offset[0] == "-" else 1
        hours, minutes = photo.offset[1:].split(":")
        apart -= sign * dt.timedelta(hours=int(hours), minutes=int(minutes))
        off = abs(apart) > _CLOCK_MOST
    else:
        rest = abs(apart) % _QUARTER
        off = abs(apart) > _ZONES_MOST + _CLOCK_MOST or min(rest, _QUARTER - rest) > _CLOCK_MOST / 2
    if not off:
        return ""
    minutes_apart = round(abs(apart).total_seconds() / 60)
    way = "behind" if apart < dt.timedelta() else "ahead of"
    zone = "" if photo.offset else ", more than any time zone explains"
    return f"the camera's clock is {minutes_apart // 60} h {minutes_apart % 60} min {way} GPS time{zone}"


def _days(photo: Photo) -> list[dt.date]:
    """Return the days the photograph claims: the camera's, and the satellites' where the two disagree."""
    days = [photo.taken.date()] if photo.taken else []
    if photo.gps_time and (photo.taken is None or clock_doubt(photo)):
        days.append(photo.gps_time.date())
    return days


def _place(photo: Photo, boundary: str) -> tuple[Holds, int | None, str]:
    if photo.longitude is None or photo.latitude is None:
        return Holds.NOT_SHOWN, None, "claims no position"
    if not boundary:
        return Holds.NOT_SHOWN, None, "claims a position, but the field has no boundary to hold it against"
    metres = metres_outside(photo.longitude, photo.latitude, boundary)
    accuracy = f" (the phone gives its accuracy as {photo.accuracy_m:.0f} m)" if photo.accuracy_m else ""
    if metres == 0:
        return Holds.FITS, 0, f"claims a position inside the field{accuracy}"
    if photo.accuracy_m and metres <= photo.accuracy_m:
        return Holds.FITS, metres, f"claims a position {metres} m outside the field, within its accuracy{accuracy}"
    return Holds.DOES_NOT_FIT, metres, f"claims a position {metres:,} m outside the field{accuracy}"


def _time(photo: Photo, first: dt.date | None, last: dt.date | None) -> tuple[Holds, str]:
    days = _days(photo)
    if not days:
        return Holds.NOT_SHOWN, "claims no time"
    said = " or ".join(str(day) for day in dict.fromkeys(days))
    if first is None or last is None:
        return Holds.NOT_SHOWN, f"claims {said}, with no season to hold it against"
    inside = {first <= day <= last for day in days}
    if inside == {True}:
        return Holds.FITS, f"claims {said}, within {first} to {last}"
    if inside == {False}:
        return Holds.DOES_NOT_FIT, f"claims {said}, outside {first} to {last}"
    return Holds.NOT_SHOWN, f"claims {said}, of which only one lies within {first} to {last}"


def judge(
    photo: Photo, name: str, *, boundary: str = "", first: dt.date | None = None, last: dt.date | None = None
) -> PhotoVerdict:
    """Hold a photograph's claims against a field, as GeoJSON, and a window of days, its last one included."""
    where, metres, said_place = _place(photo, boundary)
    when, said_time = _time(photo, first, last)
    problems = Problems(Place(name))
    if where is Holds.DOES_NOT_FIT:
        remedy = "Check that the photograph belongs to this field, or say why it was taken from there."
        problems.doubt(f"the photograph {said_place}.", remedy, "photo_outside_field")
    if when is Holds.DOES_NOT_FIT:
        remedy = "Check that the photograph belongs to this season, or that the camera's clock was set."
        problems.doubt(f"the photograph {said_time}.", remedy, "photo_outside_season")
    if clock := clock_doubt(photo):
        problems.doubt(f"{clock}.", "Say which of the two is right; set the camera's clock.", "clock_differs")
    sentence = f"The file {said_place}, and {said_time}; these are claims of the file, which can be edited."
    return PhotoVerdict(where, metres, when, sentence, tuple(problems.found))
