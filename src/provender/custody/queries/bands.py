"""Carbon intensity in five bands against the national default: by which stock, periods, sales and days are told."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from provender.quantity import CI_SCALE

Defaults = Mapping[tuple[str, int], int]
"""National defaults by crop and harvest year, hundredths of a gram per bushel."""
NONE_KNOWN: Final[Defaults] = MappingProxyType({})
STEP: Final = 1_000 * 10**CI_SCALE
"""Width of a band where nobody knows the national default, hundredths of a gram per bushel."""


class Band(StrEnum):
    """How far below the national default a carbon intensity lies, the farthest first."""

    THIRTY = "30 % and more below"
    TWENTY = "20 to 30 % below"
    TEN = "10 to 20 % below"
    LESS = "under 10 % below"
    DEFAULT = "at the default"


_FROM: Final = ((30, Band.THIRTY), (20, Band.TWENTY), (10, Band.TEN))


def band_of(ci: int, default: int) -> Band:
    """Return the band of a carbon intensity.

    Args:
        ci: hundredths of a gram per bushel.
        default: the national default of its crop, in the same unit; above zero.
    """
    below = (default - ci) * 100
    found = next((band for percent, band in _FROM if below >= percent * default), None)
    return found or (Band.LESS if below > 0 else Band.DEFAULT)


class Reach(NamedTuple):
    """The carbon intensities of one band, hundredths of a gram per bushel.

    Attributes:
        low: the lowest; None where there is none.
        high: the first above it; None where there is none.
        band: in words; empty where nobody knows the national default.
    """

    low: int | None
    high: int | None
    band: str = ""


def reach_of(ci: int, default: int | None) -> Reach:
    """Return the band in which a carbon intensity lies: of the five, or of one width where no default is known."""
    if not default:
        low = ci // STEP * STEP
        return Reach(low, low + STEP)
    band = band_of(ci, default)
    first = {one: default * (100 - percent) // 100 + 1 for percent, one in _FROM}
    borders = (None, *first.values(), default, None)
    place = list(Band).index(band)
    return Reach(borders[place], borders[place + 1], str(band))
