"""What the columns of logged points mean, by their headings, and what a layer of such columns is."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final

from provender.formats.units import canonical

_UNIT: Final = re.compile(r"[(\[]([^()\[\]]*)[)\]]\s*$")


class Layer(StrEnum):
    """What a layer of points is; empty where its columns do not tell."""

    HARVEST = "harvest"
    APPLIED = "applied"
    PLANNED = "planned"
    PLANTING = "planting"
    CONDUCTIVITY = "conductivity"
    SOIL = "soil"
    ELEVATION = "elevation"
    UNKNOWN = ""


LABELS: Final = {
    Layer.HARVEST: "points of a yield monitor",
    Layer.APPLIED: "points of what was applied",
    Layer.PLANNED: "points of a prescription, which is what was to be applied",
    Layer.PLANTING: "points of planting, with seeds an acre",
    Layer.CONDUCTIVITY: "points of soil conductivity (EC)",
    Layer.SOIL: "points of soil sampling",
    Layer.ELEVATION: "points of elevation",
}
_YIELDS: Final = ("wet_mass", "dry_mass", "dry_volume", "wet_volume", "volume")


@dataclass(frozen=True, slots=True)
class Column:
    """One column that is known."""

    heading: str  # as written
    unit: str  # of its numbers; empty where nothing tells
    told: bool  # heading or a list beside the file states the unit; it is what such a column usually holds otherwise


@cache
def _known_columns() -> Mapping[str, tuple[str, str]]:
    text = (files("provender.formats") / "data" / "point_columns.toml").read_text("utf-8")
    table = tomllib.loads(text)["column"]
    return {name: (role, unit) for role, each in table.items() for name, unit in each["names"].items()}


def _split(heading: str) -> tuple[str, str]:
    """Return a heading without case, blanks and signs, and the unit that it names."""
    found = _UNIT.search(heading)
    unit = canonical(found[1]) if found else ""
    rest = heading[: found.start()] if found and unit else heading
    return re.sub(r"[\W_]+", "", rest.casefold()), unit


def columns_of(headings: Iterable[str], units: Mapping[str, str] | None = None) -> dict[str, Column]:
    """Return the known columns by what they mean; of two that mean the same the first.

    ``units`` is what a list beside the file says, by heading without case.
    """
    found: dict[str, Column] = {}
    for heading in headings:
        name, said = _split(heading)
        role, usual = _known_columns().get(name, ("", ""))
        told = said or canonical((units or {}).get(heading.casefold(), ""))
        if role:
            found.setdefault(role, Column(heading, told or usual, bool(told)))
    return found


_COUNTED: Final = {
    **dict.fromkeys(
        ("on", "yes", "y", "true", "t", "down", "lowered", "working", "active", "enabled", "counted"), True
    ),
    **dict.fromkeys(
        ("harvesting", "logging", "recording", "included", "engaged", "1", "33", "x", "valid", "in work"), True
    ),
    **dict.fromkeys(("off", "no", "n", "false", "f", "up", "raised", "lifted", "not working", "inactive"), False),
    **dict.fromkeys(("disabled", "not counted", "not recording", "stopped", "paused", "idle", "excluded"), False),
    **dict.fromkeys(
        ("disengaged", "transport", "0", "not in work", "headland", "headland turn", "turning", "invalid"), False
    ),
}


def is_counted(mark: str) -> bool | None:
    """Tell whether a point with such a mark counts, as one without any does; None where nobody knows.

    In the texts of Ag Leader and Yield Editor the header is down at 1 and at 33, and up at 0.
    """
    plain = re.sub(r"[\W_]+", " ", re.sub(r"\.0*$", "", mark.strip().casefold())).strip()
    return _COUNTED.get(plain) if plain else True


def layer_of(columns: Mapping[str, Column]) -> Layer:
    if any(each in columns for each in _YIELDS) or ("flow" in columns and "moisture" in columns):
        return Layer.HARVEST
    # A planter's export calls seeds an acre the applied rate too; its unit or the seed's name tells.
    bare = "rate" in columns and not columns["rate"].unit
    if "seeds" in columns or (bare and "variety" in columns and "product" not in columns):
        return Layer.PLANTING
    others = {"rate": Layer.APPLIED, "target": Layer.PLANNED, "soil": Layer.SOIL, "conductivity": Layer.CONDUCTIVITY}
    for role, layer in others.items():
        if role in columns:
            return layer
    return Layer.ELEVATION if "elevation" in columns else Layer.UNKNOWN
