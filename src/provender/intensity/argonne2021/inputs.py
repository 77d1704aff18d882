"""What the model may be asked: every input declared once, with its kind, crops, unit, values and default."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Final

import polars as pl

from provender.intensity.argonne2021.factors import CROPS, farm_defaults, farm_units
from provender.intensity.argonne2021.products import AMMONIA_SOURCES

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
