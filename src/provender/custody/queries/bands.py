"""Carbon intensity in five bands against the national default: what tables and charts of stock are told by."""

from enum import StrEnum
from typing import Final


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
