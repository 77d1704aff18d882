"""Crops as records and other people's reports name them, and the weight of a bushel.

The moisture at which bushels are counted is a parameter of the rule (``RuleVersion.basis_moisture_pct``).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from provender.catalog.names import lookup_name

BUSHEL_LB: Final[Mapping[str, int]] = MappingProxyType({"corn": 56_000, "soybeans": 60_000, "sorghum": 56_000})
"""Pounds in a bushel, thousandths: the trade's weights, which USDA's grain standards and FSA use."""


class CropUse(NamedTuple):
    """A crop and its use by the names of the ``harvest`` records."""

    crop: str
    use: str

    @property
    def is_grain(self) -> bool:
        """Whether it is cut as grain: what is called by its use, as forage sorghum is, is none without a word more."""
        return self.use == "grain"


_CROPS: Final[Mapping[str, CropUse]] = MappingProxyType(
    {
        "corn": CropUse("corn", "grain"),
        "field corn": CropUse("corn", "grain"),
        "yellow corn": CropUse("corn", "grain"),
        "white corn": CropUse("corn", "grain"),
        "seed corn": CropUse("seed_corn", "seed"),
        "popcorn": CropUse("popcorn", "other"),
        "pop corn": CropUse("popcorn", "other"),
        "sweet corn": CropUse("sweet_corn", "other"),
        "soybean": CropUse("soybeans", "grain"),
        "soybeans": CropUse("soybeans", "grain"),
        "sorghum": CropUse("sorghum", "grain"),
        "grain sorghum": CropUse("sorghum", "grain"),
        "milo": CropUse("sorghum", "grain"),
        "forage sorghum": CropUse("sorghum", "forage"),
        "sorghum forage": CropUse("sorghum", "forage"),
    }
)
_USES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "grain": "grain",
        "dry grain": "grain",
        "silage": "silage",
        "high moisture": "high_moisture",
        "high-moisture": "high_moisture",
        "high moisture grain": "high_moisture",
        "hmc": "high_moisture",
        "earlage": "high_moisture",
        "seed": "seed",
        "forage": "forage",
        "hay": "forage",
        "grazing": "forage",
        "processed": "other",
        "fresh": "other",
    }
)


def crop_use(crop: str, use: str = "") -> CropUse | None:
    """Return crop and use of our records for names of an acreage report; None where a name is not known.

    Corn for seed is seed corn, which is another crop (interpretation 26); so are popcorn and sweet corn.
    """
    found = _CROPS.get(lookup_name(crop))
    if found is None or not use.strip():
        return found
    named = _USES.get(lookup_name(use))
    if named is None:
        return None
    if found.crop == "corn" and named == "seed":
        return CropUse("seed_corn", "seed")
    return CropUse(found.crop, named)
