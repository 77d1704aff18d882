"""What the model may be asked and what it computes with.

Every input is declared once, with its kind, crops, unit, values and default. Constants are read once from the packaged
tables; intensities of energy carriers and fertilizer products are computed from recipes (specification, 4 and 5.1).
"""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

import polars as pl

CROPS: Final = ("corn", "soybean", "sorghum")
"""The crops of the model, in its own words."""


def table(name: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a packaged CSV file as text; an empty cell is an empty string and ``NA`` stays ``NA``."""
    text = files(__package__).joinpath("data", name).read_text(encoding="utf-8")
    yield from csv.DictReader(text.splitlines())


@cache
def factors() -> Mapping[str, Mapping[str, float]]:
    """Return every factor as ``factors()[group][key]``, in the unit its row in ``factors.csv`` names."""
    groups: dict[str, dict[str, float]] = {}
    for row in table("factors.csv"):
        groups.setdefault(row["group"], {})[row["key"]] = float(row["value"])
    return MappingProxyType({group: MappingProxyType(keys) for group, keys in groups.items()})


@cache
def farm_defaults(crop: str) -> Mapping[str, float]:
    """Return the default of each of the nineteen farm inputs of a crop, per acre and year."""
    return MappingProxyType({row["input"]: float(row[crop]) for row in table("defaults.csv")})


@cache
def farm_units() -> Mapping[str, str]:
    """Return the unit of each farm input, such as ``lb N/ac``."""
    return MappingProxyType({row["input"]: row["unit"] for row in table("defaults.csv")})


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


TILLAGES: Final = ("conventional", "reduced", "no_till", "average")
CLIMATE_ZONE_CHOICES: Final = ("county", "no_consideration")
NITROGEN_TECHNOLOGIES: Final = ("business_as_usual",)

CORN: Final = ("corn",)
WITH_SOIL_CARBON: Final = ("corn", "soybean")

YIELD: Final = "yield_bu_per_ac"


class Kind(StrEnum):
    """What values an input takes."""

    YIELD = "yield"
    """A finite number above zero."""
    AMOUNT = "amount"
    """A finite number, zero or more."""
    NUMBER = "number"
    """A finite number of either sign."""
    CHOICE = "choice"
    """One of the listed words."""
    SWITCH = "switch"
    """True or false."""
    PLACE = "place"
    """Text, or null where it is not known."""


DTYPES: Final[Mapping[Kind, type[pl.DataType]]] = MappingProxyType(
    {
        Kind.YIELD: pl.Float64,
        Kind.AMOUNT: pl.Float64,
        Kind.NUMBER: pl.Float64,
        Kind.CHOICE: pl.String,
        Kind.SWITCH: pl.Boolean,
        Kind.PLACE: pl.String,
    }
)

Value = float | bool | str | None


@dataclass(frozen=True, slots=True)
class Input:
    """One input: its name in the documents, its kind, the crops that have it, its unit and its allowed words."""

    name: str
    kind: Kind
    crops: tuple[str, ...]
    default: Value = None
    unit: str = ""
    words: tuple[str, ...] = ()


# The workbook opens on Champaign County, Illinois: that is where a row without any place is computed.
CHOICES: Final = (
    Input("fips", Kind.PLACE, WITH_SOIL_CARBON, "17019"),
    Input("state", Kind.PLACE, WITH_SOIL_CARBON, "IL"),
    Input("county", Kind.PLACE, WITH_SOIL_CARBON, "Champaign"),
    Input("climate_zone_choice", Kind.CHOICE, CORN, "county", words=CLIMATE_ZONE_CHOICES),
    Input("tillage", Kind.CHOICE, WITH_SOIL_CARBON, "conventional", words=TILLAGES),
    Input("cover_crop", Kind.SWITCH, WITH_SOIL_CARBON, default=False),
    Input("manure", Kind.SWITCH, WITH_SOIL_CARBON, default=False),
    Input("extra_tillage_diesel_gal_per_ac", Kind.AMOUNT, WITH_SOIL_CARBON, 0.0, unit="gal/ac"),
    Input("ammonia_source", Kind.CHOICE, CROPS, "conventional", words=AMMONIA_SOURCES),
    Input("nitrogen_technology", Kind.CHOICE, CORN, "business_as_usual", words=NITROGEN_TECHNOLOGIES),
    Input("nitrogen_balance_kg_n_per_ha", Kind.NUMBER, CORN, 0.0, unit="kg N/ha"),
)


@cache
def inputs_of(crop: str) -> Mapping[str, Input]:
    """Return the inputs of a crop by name, the nineteen farm inputs first, each with its default for that crop."""
    farm = (
        Input(name, Kind.YIELD if name == YIELD else Kind.AMOUNT, CROPS, value, unit=farm_units()[name])
        for name, value in farm_defaults(crop).items()
    )
    choices = (choice for choice in CHOICES if crop in choice.crops)
    return MappingProxyType({one.name: one for one in (*farm, *choices)})


@cache
def default_inputs(crop: str) -> Mapping[str, Value]:
    """Return the workbook's value of every input of a crop."""
    return MappingProxyType({name: one.default for name, one in inputs_of(crop).items()})


@cache
def input_schema() -> Mapping[str, type[pl.DataType]]:
    """Return the columns of a frame of rows: ``crop`` and every input of any crop."""
    every = {name: DTYPES[one.kind] for crop in CROPS for name, one in inputs_of(crop).items()}
    return MappingProxyType({"crop": pl.String, **every})
