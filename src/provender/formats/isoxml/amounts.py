"""Process data of ISO 11783-11 that are read here, and their amounts in thousandths of the units of a record book."""

from enum import IntEnum
from fractions import Fraction
from typing import Final

from provender.formats.units import convert

M2_PER_ACRE: Final = Fraction("4046.8564224")


class Ddi(IntEnum):
    """Numbers of the data dictionary: what is measured, in the unit named."""

    VOLUME_PER_AREA = 2
    """Actual, 0.01 mm3/m2."""
    MASS_PER_AREA = 7
    """Actual, mg/m2."""
    COUNT_PER_AREA = 12
    """Actual, 0.001/m2."""
    TILLAGE_DEPTH = 52
    """Actual, mm."""
    SEEDING_DEPTH = 57
    """Actual, mm."""
    ACTUAL_WIDTH = 67
    """mm."""
    DEFAULT_WIDTH = 68
    """mm."""
    MAXIMUM_WIDTH = 70
    """mm."""
    YIELD_MASS_PER_AREA = 84
    """mg/m2."""
    YIELD_MASS = 90
    """Total, kg."""
    MOISTURE = 99
    """Of the crop, ppm."""
    TOTAL_AREA = 116
    """m2."""
    DISTANCE = 117
    """Effective total, mm."""
    EFFECTIVE_TIME = 119
    """s."""
    WORK_STATE = 141
    """0 off, 1 on."""
    CULTURAL_PRACTICE = 179
    AVERAGE_MOISTURE = 262
    """Of the crop, ppm."""
    SPEED = 397
    """mm/s."""


RATES: Final = (Ddi.VOLUME_PER_AREA, Ddi.MASS_PER_AREA, Ddi.COUNT_PER_AREA)
DEPTHS: Final = (Ddi.TILLAGE_DEPTH, Ddi.SEEDING_DEPTH)
WIDTHS: Final = (Ddi.ACTUAL_WIDTH, Ddi.MAXIMUM_WIDTH, Ddi.DEFAULT_WIDTH)
MOISTURES: Final = (Ddi.MOISTURE, Ddi.AVERAGE_MOISTURE)
_SQUARE_METRES_PER_HECTARE: Final = 10_000


def acres_of_m2(square_metres: int | Fraction) -> int:
    """Return thousandths of an acre."""
    return round(Fraction(square_metres) / M2_PER_ACRE * 1000)


def feet_of_mm(millimetres: int | Fraction) -> int:
    """Return thousandths of a foot."""
    return round(convert(Fraction(millimetres), "mm", "ft") * 1000)


def inches_of_mm(millimetres: int | Fraction) -> int:
    """Return thousandths of an inch."""
    return round(convert(Fraction(millimetres), "mm", "in") * 1000)


def mph_of_mm_per_s(speed: int | Fraction) -> int:
    """Return thousandths of a mile an hour."""
    return round(convert(Fraction(speed) / 1000, "m/s", "mph") * 1000)


def rate_of(ddi: Ddi, raw: Fraction) -> tuple[int, str]:
    """Return a mean rate in thousandths and its unit: gallons, pounds or pieces an acre."""
    if ddi is Ddi.VOLUME_PER_AREA:
        # 0.01 mm3/m2 is 1e-8 litres on a square metre.
        litres = raw / 10**8 * _SQUARE_METRES_PER_HECTARE
        return round(convert(litres, "l/ha", "gal/ac") * 1000), "gal/ac"
    if ddi is Ddi.MASS_PER_AREA:
        kilograms = raw / 10**6 * _SQUARE_METRES_PER_HECTARE
        return round(convert(kilograms, "kg/ha", "lb/ac") * 1000), "lb/ac"
    return round(raw / 1000 * M2_PER_ACRE * 1000), "seeds/ac"
