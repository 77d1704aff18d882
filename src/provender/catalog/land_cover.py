"""Codes of USDA-NASS's Cropland Data Layer, as its legend prints them, and whether ground so coloured bore a crop.

The layer is a satellite's reading of a year, never evidence: hay is often coloured as grassland. Where a code is not in
the table it is shown by its number.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from provender.catalog.tables import rows

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
def land_covers() -> Mapping[int, LandCover]:
    """Return the codes of the table."""
    return {
        int(row["code"]): LandCover(int(row["code"]), row["name"], row["cover"]) for row in rows("land_cover_codes.csv")
    }


def land_cover(code: int) -> LandCover:
    """Return what a code means."""
    return land_covers().get(code, LandCover(code, f"code {code}", ""))
