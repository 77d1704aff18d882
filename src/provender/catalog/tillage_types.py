"""The five tillage types and the modifier of each in the STIR formula."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from provender.quantity import half_even

TYPE_HUNDREDTHS: Final[Mapping[str, int]] = MappingProxyType(
    {"inversion": 100, "mixing_some_inversion": 80, "mixing": 70, "lifting": 40, "compression": 15}
)
"""Modifier in hundredths, by the names that records use. NRCS RUSLE2; the same in WEPS and SoilManageR."""

TYPE_LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "inversion": "inversion",
        "mixing_some_inversion": "mixing, some inversion",
        "mixing": "mixing",
        "lifting": "lifting, fracturing",
        "compression": "compression",
    }
)
"""What people read."""

PUBLISHED_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "inversion + some mixing": "inversion",
        "mixing + some inversion": "mixing_some_inversion",
        "mixing only": "mixing",
        "lifting/fracturing": "lifting",
        "compression": "compression",
    }
)
"""From the words of the published list to ours."""

STIR_NUMERATOR: Final = 13
STIR_DENOMINATOR: Final = 8_000_000_000
"""0.5 x 3.25 = 13/8. Scales: mph and inches in thousandths, percent in thousandths of 1/100, type in hundredths; the
result in ten-thousandths."""


def stir_of_tool(speed_mph: int, type_hundredths: int, depth_in: int, surface_pct: int) -> int:
    """Return the STIR of one tool in whole ten-thousandths, half even; all amounts in thousandths."""
    return half_even(STIR_NUMERATOR * speed_mph * type_hundredths * depth_in * surface_pct, STIR_DENOMINATOR)
