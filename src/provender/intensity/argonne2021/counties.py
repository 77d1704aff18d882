"""Climate zone and soil-carbon gain of a county, as columns addressed by the number of its FIPS code.

A FIPS code is text of five digits. Its number addresses arrays of 100,000 entries, which is several times faster
than a join and keeps "not in the table" as null.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

import polars as pl

from provender.intensity.argonne2021.inputs import TILLAGES, factors, table

FIPS_DIGITS: Final = 5
_NUMBERS: Final = 10**FIPS_DIGITS
_KEYS: Final = ("fips", "state", "county")

PRACTICE_COLUMNS: Final = tuple(
    f"{cover}_{manure}_{tillage}"
    for cover in ("nocc", "cc")
    for manure in ("nomanure", "manure")
    for tillage in TILLAGES
)
"""The sixteen columns of a soil-carbon table, in the order of ``practice_number``."""


class County(NamedTuple):
    """A county of the climate table: names as of the 1990s, and its zone (``Wet or Moist``, ``Dry`` or ``NA``)."""

    state: str
    county: str
    zone: str


@cache
def counties() -> Mapping[str, County]:
    """Return the 3,142 counties of the climate table by FIPS code."""
    rows = table("climate_zone_by_county.csv")
    return MappingProxyType(
        {row["fips"]: County(row["state"], row["county"], row["ipcc_climate_zone"]) for row in rows}
    )


@cache
def soil_carbon(crop: str) -> Mapping[str, tuple[float, ...]]:
    """Return the gains of the 1,203 counties of a crop's table in the order of ``PRACTICE_COLUMNS``, kg C/ha/yr."""
    rows = table(f"soc_{crop}_by_county.csv")
    return MappingProxyType({row["fips"]: tuple(float(row[name]) for name in PRACTICE_COLUMNS) for row in rows})


def fips_number() -> pl.Expr:
    """Return the number of the ``fips`` column's code: UInt32; null where it is null or not five digits."""
    fips = pl.col("fips")
    digits = fips.str.contains(rf"^[0-9]{{{FIPS_DIGITS}}}$")
    return pl.when(digits).then(fips).cast(pl.UInt32, strict=False)


def practice_number() -> pl.Expr:
    """Return the position of a row's practices in ``PRACTICE_COLUMNS``: UInt32, null where one is null."""
    tillage = pl.col("tillage").cast(pl.Enum(TILLAGES), strict=False).to_physical().cast(pl.UInt32)
    step = len(TILLAGES)
    manure, cover = (pl.col(name).cast(pl.UInt32) * size for name, size in (("manure", step), ("cover_crop", 2 * step)))
    return tillage + manure + cover


@cache
def _zone_factors(part: str) -> pl.Series:
    """Return the N2O factor of the county's zone by FIPS number, ``part`` being direct or indirect."""
    by_zone = factors()[f"n2o_factor_fertilizer_{part}_corn"]
    values: list[float | None] = [None] * _NUMBERS
    for fips, county in counties().items():
        values[int(fips)] = by_zone[county.zone]
    return pl.Series(values, dtype=pl.Float64)


@cache
def _gains(crop: str) -> tuple[pl.Series, pl.Series]:
    """Return the county's line in the crop's table by FIPS number, and all gains, line after line."""
    lines: list[int | None] = [None] * _NUMBERS
    gains: list[float] = []
    for line, (fips, values) in enumerate(soil_carbon(crop).items()):
        lines[int(fips)] = line
        gains.extend(values)
    return pl.Series(lines, dtype=pl.UInt32), pl.Series(gains, dtype=pl.Float64)


def zone_factor(part: str) -> pl.Expr:
    """Return corn's fertilizer N2O factor of the county's zone, g N2O-N/g N; null for a county outside the table."""
    return pl.lit(_zone_factors(part)).gather(fips_number())


def soil_carbon_gain(crop: str) -> pl.Expr:
    """Return kg C/ha/yr gained under a row's practices; null for a county without soil-carbon data."""
    lines, gains = _gains(crop)
    return pl.lit(gains).gather(pl.lit(lines).gather(fips_number()) * len(PRACTICE_COLUMNS) + practice_number())
