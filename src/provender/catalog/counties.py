"""Counties by FIPS code, from the Census Bureau's outlines of 2024, and Connecticut's counties that ended in 2022."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from provender.catalog.names import fold
from provender.catalog.tables import rows

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
    """One county or county equivalent.

    Attributes:
        fips: five digits, State first; not the code that FSA offices use.
        name: such as ``Story``.
        state: such as ``IA``.
        long_name: such as ``Story County``.
        state_name: such as ``Iowa``.
        vintage: the year of the outlines that hold it; 2021 are Connecticut's former counties.
    """

    fips: str
    name: str
    state: str
    long_name: str
    state_name: str
    vintage: int


@dataclass(frozen=True, slots=True)
class FsaCounty:
    """One county of the Farm Service Agency's own numbering (2016).

    Attributes:
        code: State and county, five digits, as published.
        corrected: the code without the slip of the published table.
        name: as published; some FSA counties join two of the Census.
        fips: the county by FIPS code when State and name name one, else None.
        note: what is odd about the row.
    """

    code: str
    corrected: str
    name: str
    fips: str | None
    note: str


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


def counties_named(name: str, state: str) -> tuple[County, ...]:
    """Return the counties of that name in a State (its name or two letters), without regard to case.

    Virginia and a few others have a city and a county of one name: the long name tells them apart.
    """
    wanted, place = fold(name), fold(state)
    return tuple(
        one
        for one in counties().values()
        if place in (fold(one.state), fold(one.state_name)) and wanted in (fold(one.name), fold(one.long_name))
    )


@cache
def fsa_counties() -> Mapping[str, FsaCounty]:
    """Return FSA counties by the code the agency published."""
    found: dict[str, FsaCounty] = {}
    for row in rows("fsa_counties_2016.csv"):
        if row["county_fsa_published"] == "000":
            continue
        code, corrected = row["state_fsa"] + row["county_fsa_published"], row["state_fsa"] + row["county_fsa_corrected"]
        named = _named(row["name"], row["state_name"])
        found[code] = FsaCounty(code, corrected, row["name"], named, row["note"])
    return found


def _named(name: str, state: str) -> str | None:
    same = _fips_by_name().get((fold(state), fold(name)), ())
    return same[0] if len(same) == 1 else None


@cache
def _fips_by_name() -> Mapping[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for one in counties().values():
        key = (fold(one.state_name), fold(one.name))
        found[key] = (*found.get(key, ()), one.fips)
    return found
