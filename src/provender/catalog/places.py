"""Counties with their time zones and outlines, fields placed in words, and codes of land cover."""

import math
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING, Any, Final
from zipfile import ZipFile

from provender.catalog.tables import rows
from provender.days import UNITED_STATES

if TYPE_CHECKING:  # the geometry library takes long to load: only what asks for an outline loads it
    from shapely.geometry.base import BaseGeometry

STATE_BY_FIPS: Final[Mapping[str, str]] = {
    "01": "AL", "02": "AK", "04": "AZ", "05": "AR", "06": "CA", "08": "CO", "09": "CT", "10": "DE", "11": "DC",
    "12": "FL", "13": "GA", "15": "HI", "16": "ID", "17": "IL", "18": "IN", "19": "IA", "20": "KS", "21": "KY",
    "22": "LA", "23": "ME", "24": "MD", "25": "MA", "26": "MI", "27": "MN", "28": "MS", "29": "MO", "30": "MT",
    "31": "NE", "32": "NV", "33": "NH", "34": "NJ", "35": "NM", "36": "NY", "37": "NC", "38": "ND", "39": "OH",
    "40": "OK", "41": "OR", "42": "PA", "44": "RI", "45": "SC", "46": "SD", "47": "TN", "48": "TX", "49": "UT",
    "50": "VT", "51": "VA", "53": "WA", "54": "WV", "55": "WI", "56": "WY", "72": "PR",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class County:
    """One county or county equivalent."""

    fips: str  # five digits, State first; not the code that FSA offices use
    name: str  # such as ``Story``
    state: str  # such as ``IA``
    long_name: str  # such as ``Story County``
    state_name: str  # such as ``Iowa``
    vintage: int  # the year of the outlines that hold it; 2021 are Connecticut's former counties


@cache
def counties() -> Mapping[str, County]:
    """Return every county by its five-digit FIPS code (not the FSA code)."""
    return {
        row["geoid"]: County(
            fips=row["geoid"],
            name=row["name"],
            state=row["state_abbr"],
            long_name=row["name_lsad"],
            state_name=row["state_name"],
            vintage=int(row["census_vintage"]),
        )
        for row in rows("us_counties.csv")
    }


def find_county(fips: str) -> County | None:
    """Return a county by FIPS code."""
    return counties().get(fips)


def county_said(fips: str) -> str:
    """Return how people call a county: ``Story County, Iowa``; a code that is none stays as it is."""
    county = find_county(fips)
    return f"{county.long_name}, {county.state_name}" if county else fips


# Time zones of counties: days are days at the place of the party (interpretation 69).

OTHERWISE: Final = "America/Chicago"
"""The zone of whoever names no State: most feedstock is grown and traded in it."""
SPOKEN: Final[Mapping[str, str]] = {
    "America/Adak": "Aleutian time",
    "America/Anchorage": "Alaska time",
    "America/Chicago": "Central time",
    "America/Denver": "Mountain time",
    "America/Detroit": "Eastern time",
    "America/Indiana/Indianapolis": "Eastern time",
    "America/Los_Angeles": "Pacific time",
    "America/New_York": "Eastern time",
    "America/Phoenix": "Arizona time",
    "America/Puerto_Rico": "Atlantic time",
    "Pacific/Honolulu": "Hawaii time",
}
"""What people call a zone."""


@cache
def _zones() -> Mapping[tuple[str, str], str]:
    return {(row["state"], row["county"].casefold()): row["zone"] for row in rows("time_zones.csv")}


def zone_of(county: str, state: str) -> str:
    """Return the zone of a county, such as ``America/Chicago``.

    Args:
        county: its name, with or without the word County; unknown ones have the zone of most of their State.
        state: two letters; empty or unknown ones have the zone of most of the Corn Belt.
    """
    place, name = state.strip().upper(), county.strip().casefold().removesuffix(" county")
    zones = _zones()
    return zones.get((place, name)) or zones.get((place, ""), OTHERWISE)


def zones_of(county: str, state: str) -> tuple[str, ...]:
    """Return every zone in which a place can lie: of a State without its county all of that State's."""
    place = state.strip().upper()
    if county.strip():
        return (zone_of(county, place),) if (place, "") in _zones() else UNITED_STATES
    found = dict.fromkeys(zone for (of, _), zone in _zones().items() if of == place)
    return tuple(found) or UNITED_STATES


# Whether a row of a unit says in words where it lies.

_FARM: Final = r"0*[1-9][0-9]{0,6}"
_CLU: Final = r"(?:[1-9][0-9]{0,2}|0[1-9][0-9]?|00[1-9]|000[1-9])"
_AFTER: Final = r"(?:\D+[0-9]{1,3})*\D*(?:(?:[;,&(]|\band\b).*)?$"
FSA_NUMBERS: Final = re.compile(
    rf"^\D*(?:[0-9]{{1,2}}\D+[0-9]{{1,3}}\D+|[0-9]{{5}}\D+)?{_FARM}\D+{_FARM}\D+{_CLU}{_AFTER}"
    r"|^(?i:\W*t(?:ract)?\W*(?:no\W*)?[1-9][0-9]{0,6}\W+(?:f|fi?e?ld|clu)\w*\W*(?:no\W*)?[1-9][0-9]{0,2}[a-z]?"
    r"\W+(?:farm|fsn|f)\W*(?:no\W*)?[1-9][0-9]{0,6}\b)"
)
"""Farm, tract and field, State and county before them or not; none of them is number nought."""
ONLY_DAY: Final = re.compile(
    r"^\s*(?:(?:19|20)[0-9]{2}[-/. ](?:0?[1-9]|1[0-2])[-/. ](?:0?[1-9]|[12][0-9]|3[01])"
    r"|(?:0?[1-9]|[12][0-9]|3[01])[-/.](?:0?[1-9]|[12][0-9]|3[01])[-/.](?:19|20)[0-9]{2}"
    r"|(?:0?[1-9]|[12][0-9]|3[01])[/.](?:0?[1-9]|[12][0-9]|3[01])[/.][0-9]{2})(?:\D.*)?$"
)
"""A day, which has three numbers too; of two digits each with hyphens, they are farm, tract and field."""
_NUMBER_WORD: Final = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|twenty|thirty)"
)
LEGAL_WORDS: Final = re.compile(
    rf"(?i)\bsec(?:t|tions?|s)?\b\W*(?:no\W*)?(?:[1-9]|{_NUMBER_WORD}\b)"
    r"|\bt(?:wp|ownship)?\W*[0-9]{1,3}\W*[ns](?:orth|outh)?\b.*\br(?:ge?|ng|ange)?\W*[0-9]{1,3}\W*[ew]"
    r"|\blots?\b.*\b(?:block|blk|addition|subdivision|plat|survey|section|sec)\b"
    r"|(?:\bquarter\b|1/[24]|[¼½]|\b[ns][ew][24]?\b).*[0-9]\W+[0-9]+\W+[0-9]"
    r"|\b(?:0?[1-9]|[12][0-9]|3[0-6])\W+[0-9]{1,3}\W?[ns]\W+[0-9]{1,3}\W?[ew]\b"
    r"|\b(?:parcel|apn|pin)\b\W*(?:no\W*|number\W*|id\W*)?(?:[0-9]+[-. ]){2,}[0-9]+"
    r"|\babs(?:t|tract)?\b\W*(?:no\W*)?[0-9]|\bsurvey\b\W*(?:no\W*)?[0-9]|\bthence\b"
)
"""Words by which the law places land: section, township and range, lot and block, a parcel, a survey, its bounds."""


def is_placed_in_words(fsa_field: str | None, legal_description: str | None) -> bool:
    """Tell whether a unit says without a boundary where it lies: by FSA farm, tract and field, or as the law does."""
    numbers = fsa_field or ""
    numbered = FSA_NUMBERS.search(numbers) and not ONLY_DAY.search(numbers)
    return bool(numbered or LEGAL_WORDS.search(legal_description or ""))


# County outlines of 2024 at 1:20 million: which county a point is likely in, and shapes for small maps.
#
# The outlines are coarse: against finer ones a point in a hundred and fifty lands in the neighbour county, up to 2.3 km
# from the line. So a point gives a suggestion that a person confirms, and says when the line is near.

_ARCHIVE: Final = "cb_2024_us_county_20m.zip"
_NEAR_KM: Final = 2.3
_KM_PER_DEGREE: Final = 111.2
_HEADER: Final = 100
"""Bytes before the first record of a .shp."""
_RECORD: Final = 8
"""Bytes of number and length before a record's content."""
_BOUNDS: Final = 12
"""Where the bounds begin in a record: behind number, length and kind of shape."""


@dataclass(frozen=True, slots=True)
class CountySuggestion:
    """Where a point likely is."""

    fips: str | None  # the county whose outline holds the point, or None outside all
    near: tuple[str, ...]  # other counties whose line is within ``_NEAR_KM``, nearest first; a person must choose

    @property
    def sure(self) -> bool:
        """Whether no other county is near."""
        return self.fips is not None and not self.near


class _Archive:
    """The packed outlines; a shape is decoded when somebody asks for it, since a farm lies in few of 3,200 counties."""

    def __init__(self) -> None:
        import shapefile
        import shapely

        packed = ZipFile(BytesIO((files("provender.catalog") / "data" / _ARCHIVE).read_bytes()))
        raw = {name.rpartition(".")[2]: packed.read(name) for name in packed.namelist()}
        parts = {ending: BytesIO(raw[ending]) for ending in ("shp", "shx", "dbf")}
        self._reader = shapefile.Reader(**parts, encoding="latin-1")
        self._turn = Lock()
        self._known: dict[int, tuple[str, BaseGeometry]] = {}
        west, south, east, north = zip(*_boxes(raw["shp"]), strict=True)
        self.boxes = shapely.STRtree(shapely.box(west, south, east, north))

    def __len__(self) -> int:
        return len(self._reader)

    @cached_property
    def index_by_fips(self) -> dict[str, int]:
        """The place of each county's record by its FIPS code."""
        with self._turn:
            return {str(record["GEOID"]): index for index, record in enumerate(self._reader.records(fields=["GEOID"]))}

    def county(self, index: int) -> tuple[str, "BaseGeometry"]:
        """Return FIPS code and outline of a record; the reader has one place in its file, so one caller at a time."""
        from shapely.geometry import shape

        if index not in self._known:
            with self._turn:
                code = str(self._reader.record(index)["GEOID"])
                outline = shape(self._reader.shape(index).__geo_interface__)
            self._known[index] = code, outline
        return self._known[index]


def _boxes(shp: bytes) -> Iterator[tuple[float, float, float, float]]:
    """Yield the bounds of every polygon in a shapefile (ESRI white paper of 1998: header, then length and bounds)."""
    at = _HEADER
    while at < len(shp):
        yield struct.unpack_from("<4d", shp, at + _BOUNDS)
        at += _RECORD + 2 * struct.unpack_from(">i", shp, at + 4)[0]


@cache
def _archive() -> _Archive:
    return _Archive()


@cache
def outlines() -> Mapping[str, "BaseGeometry"]:
    """Return the outline of every county by FIPS code, longitude and latitude in degrees (NAD 83)."""
    return dict(_archive().county(index) for index in range(len(_archive())))


def outlines_near(longitude: float, latitude: float) -> Mapping[str, "BaseGeometry"]:
    """Return the outlines by FIPS code whose bounds come within ``_NEAR_KM`` of a point in degrees."""
    import shapely

    reach_x, reach_y = _NEAR_KM / _KM_PER_DEGREE / _shrink(latitude), _NEAR_KM / _KM_PER_DEGREE
    box = shapely.box(longitude - reach_x, latitude - reach_y, longitude + reach_x, latitude + reach_y)
    return dict(_archive().county(int(index)) for index in _archive().boxes.query(box))


def _shrink(latitude: float) -> float:
    """Return how much shorter a degree of longitude is there than one of latitude."""
    return max(math.cos(math.radians(latitude)), 0.01)


def county_of_point(longitude: float, latitude: float) -> CountySuggestion:
    """Suggest the county of a point in degrees.

    Raises:
        ValueError: the numbers are no longitude and latitude.
    """
    import shapely

    if not (-180 <= longitude <= 180 and -90 <= latitude <= 90):  # noqa: PLR2004 - the globe
        raise ValueError(f"{longitude}, {latitude} is no longitude and latitude in degrees")
    shrink, point = _shrink(latitude), shapely.Point(longitude, latitude)
    inside, near = None, []
    for code, outline in outlines_near(longitude, latitude).items():
        if outline.covers(point):
            inside = inside or code
            continue
        level = shapely.transform(outline, lambda xy: (xy - (longitude, latitude)) * (shrink, 1))
        distance = level.distance(shapely.Point(0, 0)) * _KM_PER_DEGREE
        if distance <= _NEAR_KM:
            near.append((distance, code))
    return CountySuggestion(inside, tuple(code for _, code in sorted(near)))


def county_features(fips: Iterable[str]) -> dict[str, Any]:
    """Return GeoJSON of the named counties for a map; codes without an outline are left out."""
    from shapely.geometry import mapping

    index_by_fips = _archive().index_by_fips
    return {
        "type": "FeatureCollection",
        "features": [
            {
                "type": "Feature",
                "id": code,
                "properties": {"fips": code},
                "geometry": mapping(_archive().county(index_by_fips[code])[1]),
            }
            for code in fips
            if code in index_by_fips
        ],
    }


# Codes of USDA-NASS's Cropland Data Layer, as its legend prints them, and whether ground so coloured bore a crop.
#
# The layer is a satellite's reading of a year, never evidence: hay is often coloured as grassland. Where a code is not
# in the table it is shown by its number.

NATURAL: Final = ("forest", "grassland", "wetland")
"""Covers under which the ground may have borne no crop."""
NOTHING: Final = "none"


@dataclass(frozen=True, slots=True)
class LandCover:
    """One code."""

    code: int  # of the layer, 0 to 255
    name: str  # as the legend prints it
    # ``crop``, ``forest``, ``grassland``, ``wetland``, ``other``; ``none`` where the satellite saw nothing; empty for a
    # code that the table does not have
    cover: str


@cache
def _land_covers() -> Mapping[int, LandCover]:
    return {
        int(row["code"]): LandCover(int(row["code"]), row["name"], row["cover"]) for row in rows("land_cover_codes.csv")
    }


def land_cover(code: int) -> LandCover:
    return _land_covers().get(code, LandCover(code, f"code {code}", ""))
