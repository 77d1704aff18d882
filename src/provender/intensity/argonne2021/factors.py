"""The model's constants, read once from the packaged tables."""

import csv
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

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
