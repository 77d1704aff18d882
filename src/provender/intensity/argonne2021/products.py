"""Intensities of energy carriers and of fertilizer products, computed from the recipes (specification, 4 and 5.1)."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from provender.intensity.argonne2021.factors import factors

AMMONIA_SOURCES: Final = ("conventional", "green")
FUELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "diesel": "diesel",
        "gasoline": "gasoline_blendstock",
        "natural_gas": "natural_gas_stationary",
        "lpg": "lpg",
        "electricity": "electricity",
    }
)
"""Fuel of the farm -> the carrier whose upstream emissions it takes. Sorghum's electricity differs."""

_BTU_PER_MMBTU: Final = 1e6


def upstream(carrier: str) -> float:
    """Return the upstream emissions of a carrier: g CO2e per mmBtu of energy, or per short ton of material."""
    constant = factors()["constant"]
    return sum(constant[f"gwp_{gas}"] * factors()[f"upstream_{gas}"][carrier] for gas in ("co2", "ch4", "n2o"))


def fuel_intensity(fuel: str, crop: str) -> float:
    """Return g CO2e per Btu of a fuel burnt on a farm growing ``crop``."""
    sorghum_power = fuel == "electricity" and crop == "sorghum"
    carrier = "electricity_sorghum_farming" if sorghum_power else FUELS[fuel]
    return upstream(carrier) / _BTU_PER_MMBTU + factors()["combustion"][fuel]


@cache
def product_intensities(source: str) -> Mapping[str, float]:
    """Return g CO2e per short ton of each product (UAN: per ton of N), for ``conventional`` or ``green`` ammonia."""
    made: dict[str, float] = {}

    def recipe(product: str) -> float:
        amounts = factors()[f"recipe_{product}"].items()
        return sum(amount * (made[part] if part in made else upstream(part)) for part, amount in amounts)

    plant = sum(factors()[f"direct_ammonia_{source}"].values()) + recipe(f"ammonia_{source}")
    transport = factors()["direct_ammonia"]
    made["ammonia"] = plant + transport["transport_as_intermediate"]
    for product in ("urea", "ammonium_nitrate", "ammonium_sulfate", "uan", "map", "dap", "k2o", "lime"):
        made[product] = recipe(product) + sum(factors()[f"direct_{product}"].values())
    made["ammonia_as_intermediate"] = made.pop("ammonia")
    made["ammonia_as_fertilizer"] = plant + transport["transport_as_fertilizer"]
    return MappingProxyType(made)
