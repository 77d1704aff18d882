"""The five tillage types and the modifier of each in the STIR formula."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

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
