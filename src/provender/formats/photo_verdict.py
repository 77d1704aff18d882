"""A photograph's claim held against a field's boundary and a season: inside or how far off, within or outside.

Every sentence says that the place and time are claims of the file.
"""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from pyproj import Transformer
from shapely import from_geojson, transform
from shapely.geometry import Point

from provender.formats.parsed import doubt
from provender.formats.photos import Photo
from provender.problem import Place, Problem

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
    """How a photograph's claims fit a field and a season.

    Attributes:
        place: whether the claimed position lies in the field.
        distance_m: whole metres from the field; 0 inside, None where no position is claimed.
        time: whether the claimed day lies in the window.
        sentence: for a person, naming it a claim.
        problems: what to confirm.
    """

    place: Holds
    distance_m: int | None
    time: Holds
    sentence: str
    problems: tuple[Problem, ...]


def metres_outside(longitude: float, latitude: float, boundary: str) -> int:
    """Return how many whole metres a point lies outside a GeoJSON area, 0 inside or on its line.

    Measured in an equidistant projection around the point, where distances from it are geodesic.
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
    """Hold a photograph's claims against a field and a window of days.

    Args:
        photo: what it claims.
        name: the file's name, for problems.
        boundary: the field as GeoJSON, or empty.
        first: first day of the window, or None.
        last: its last day, included, or None.
    """
    where, metres, said_place = _place(photo, boundary)
    when, said_time = _time(photo, first, last)
    place = Place(name)
    problems: list[Problem] = []
    if where is Holds.DOES_NOT_FIT:
        remedy = "Check that the photograph belongs to this field, or say why it was taken from there."
        problems.append(doubt(place, f"the photograph {said_place}.", remedy, "photo_outside_field"))
    if when is Holds.DOES_NOT_FIT:
        remedy = "Check that the photograph belongs to this season, or that the camera's clock was set."
        problems.append(doubt(place, f"the photograph {said_time}.", remedy, "photo_outside_season"))
    clock = clock_doubt(photo)
    if clock:
        remedy = "Say which of the two is right; set the camera's clock."
        problems.append(doubt(place, f"{clock}.", remedy, "clock_differs"))
    sentence = f"The file {said_place}, and {said_time}; these are claims of the file, which can be edited."
    return PhotoVerdict(where, metres, when, sentence, tuple(problems))
