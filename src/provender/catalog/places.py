"""Counties by FIPS code, from the Census Bureau's outlines of 2024, and Connecticut's counties that ended in 2022."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from provender.catalog.tables import rows
from provender.days import UNITED_STATES

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
