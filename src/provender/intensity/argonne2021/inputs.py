"""What the model may be asked and what it computes with.

Every input is declared once, with its kind, crops, unit, values and default. Constants are read once from the packaged
tables; intensities of energy carriers and fertilizer products are computed from recipes (specification, 4 and 5.1).
"""

import csv
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final, NamedTuple

from provender.problem import Place, Problem, Weight

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
def _farm_defaults(crop: str) -> Mapping[str, float]:
    """Return the default of each of the nineteen farm inputs of a crop, per acre and year."""
    return MappingProxyType({row["input"]: float(row[crop]) for row in table("defaults.csv")})


@cache
def _farm_units() -> Mapping[str, str]:
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


def _upstream(carrier: str) -> float:
    """Return the upstream emissions of a carrier: g CO2e per mmBtu of energy, or per short ton of material."""
    constant = factors()["constant"]
    return sum(constant[f"gwp_{gas}"] * factors()[f"upstream_{gas}"][carrier] for gas in ("co2", "ch4", "n2o"))


def fuel_intensity(fuel: str, crop: str) -> float:
    """Return g CO2e per Btu of a fuel burnt on a farm growing ``crop``."""
    sorghum_power = fuel == "electricity" and crop == "sorghum"
    carrier = "electricity_sorghum_farming" if sorghum_power else FUELS[fuel]
    return _upstream(carrier) / _BTU_PER_MMBTU + factors()["combustion"][fuel]


@cache
def product_intensities(source: str) -> Mapping[str, float]:
    """Return g CO2e per short ton of each product (UAN: per ton of N), for ``conventional`` or ``green`` ammonia."""
    made: dict[str, float] = {}

    def recipe(product: str) -> float:
        amounts = factors()[f"recipe_{product}"].items()
        return sum(amount * (made[part] if part in made else _upstream(part)) for part, amount in amounts)

    plant = sum(factors()[f"direct_ammonia_{source}"].values()) + recipe(f"ammonia_{source}")
    transport = factors()["direct_ammonia"]
    made["ammonia"] = plant + transport["transport_as_intermediate"]
    for product in ("urea", "ammonium_nitrate", "ammonium_sulfate", "uan", "map", "dap", "k2o", "lime"):
        made[product] = recipe(product) + sum(factors()[f"direct_{product}"].values())
    made["ammonia_as_intermediate"] = made.pop("ammonia")
    made["ammonia_as_fertilizer"] = plant + transport["transport_as_fertilizer"]
    return MappingProxyType(made)


_TILLAGES: Final = ("conventional", "reduced", "no_till", "average")
_CLIMATE_ZONE_CHOICES: Final = ("county", "no_consideration")
_NITROGEN_TECHNOLOGIES: Final = ("business_as_usual",)

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
    Input("climate_zone_choice", Kind.CHOICE, CORN, "county", words=_CLIMATE_ZONE_CHOICES),
    Input("tillage", Kind.CHOICE, WITH_SOIL_CARBON, "conventional", words=_TILLAGES),
    Input("cover_crop", Kind.SWITCH, WITH_SOIL_CARBON, default=False),
    Input("manure", Kind.SWITCH, WITH_SOIL_CARBON, default=False),
    Input("extra_tillage_diesel_gal_per_ac", Kind.AMOUNT, WITH_SOIL_CARBON, 0.0, unit="gal/ac"),
    Input("ammonia_source", Kind.CHOICE, CROPS, "conventional", words=AMMONIA_SOURCES),
    Input("nitrogen_technology", Kind.CHOICE, CORN, "business_as_usual", words=_NITROGEN_TECHNOLOGIES),
    Input("nitrogen_balance_kg_n_per_ha", Kind.NUMBER, CORN, 0.0, unit="kg N/ha"),
)


@cache
def inputs_of(crop: str) -> Mapping[str, Input]:
    """Return the inputs of a crop by name, the nineteen farm inputs first, each with its default for that crop."""
    farm = (
        Input(name, Kind.YIELD if name == YIELD else Kind.AMOUNT, CROPS, value, unit=_farm_units()[name])
        for name, value in _farm_defaults(crop).items()
    )
    choices = (choice for choice in CHOICES if crop in choice.crops)
    return MappingProxyType({one.name: one for one in (*farm, *choices)})


@cache
def default_inputs(crop: str) -> Mapping[str, Value]:
    return MappingProxyType({name: one.default for name, one in inputs_of(crop).items()})


# Climate zone and soil-carbon gain of a county, by its FIPS code: text of five digits.

_FIPS_DIGITS: Final = 5

PRACTICE_COLUMNS: Final = tuple(
    f"{cover}_{manure}_{tillage}"
    for cover in ("nocc", "cc")
    for manure in ("nomanure", "manure")
    for tillage in _TILLAGES
)
"""The sixteen columns of a soil-carbon table: cover crop, manure, tillage."""


class County(NamedTuple):
    """A county of the climate table: names as of the 1990s, and its zone (``Wet or Moist``, ``Dry`` or ``NA``)."""

    state: str
    county: str
    zone: str


@cache
def counties() -> Mapping[str, County]:
    """Return the 3,142 counties of the climate table by FIPS code."""
    rows = table("climate_zone_by_county.csv")
    return MappingProxyType(
        {row["fips"]: County(row["state"], row["county"], row["ipcc_climate_zone"]) for row in rows}
    )


@cache
def soil_carbon(crop: str) -> Mapping[str, tuple[float, ...]]:
    """Return the gains of the 1,203 counties of a crop's table in the order of ``PRACTICE_COLUMNS``, kg C/ha/yr."""
    rows = table(f"soc_{crop}_by_county.csv")
    return MappingProxyType({row["fips"]: tuple(float(row[name]) for name in PRACTICE_COLUMNS) for row in rows})


# Checks of one row's inputs: every unknown name, wrong type, absurd number and impossible choice is a problem.

_WHOLE_PLACE: Final = ("fips", "state", "county")
_LONGEST: Final = 60


def brief(value: object) -> str:
    """Write a value of someone's document as it stands there, shortened: it may be of any length and depth."""
    if isinstance(value, list):
        return "a list"
    if isinstance(value, Mapping):
        return "an object"
    if value is None:
        return "null"
    written = repr(value)
    return written if len(written) <= _LONGEST else f"{written[:_LONGEST]}..."


def column_name(name: object) -> str:
    """Write the name of something in a document so that it fits a line and a terminal."""
    return name if isinstance(name, str) and name.isprintable() and len(name) <= _LONGEST else brief(name)


def _number(value: object, one: Input) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"{brief(value)} is not a number."
    try:
        number = float(value)
    except OverflowError:
        return "The whole number written there is too large."
    if not math.isfinite(number):
        return f"{brief(value)} is not a finite number."
    if one.kind is Kind.YIELD and number <= 0:
        return f"A yield of {brief(value)} has no carbon intensity per bushel."
    if one.kind is Kind.AMOUNT and number < 0:
        return f"{brief(value)} is below zero."
    return None


def _remedy(one: Input) -> str:
    match one.kind:
        case Kind.YIELD:
            return f"Give a number above zero, in {one.unit}."
        case Kind.AMOUNT:
            return f"Give a number of zero or more, in {one.unit}, or leave the input out to use the default."
        case Kind.NUMBER:
            return f"Give a finite number, in {one.unit}."
        case Kind.CHOICE:
            return f"Choose one of: {', '.join(one.words)}."
        case Kind.SWITCH:
            return "Write true or false."
        case Kind.PLACE:
            return "Give text, or null where it is not known."


def _cause(value: object, one: Input) -> str | None:
    match one.kind:
        case Kind.YIELD | Kind.AMOUNT | Kind.NUMBER:
            return _number(value, one)
        case Kind.CHOICE:
            if isinstance(value, str) and value in one.words:
                return None
            if one.name == "nitrogen_technology" and isinstance(value, str):
                return f"{brief(value)} cannot be computed: the public workbook has no coefficient for it."
            return f"{brief(value)} is not a choice of {one.name}."
        case Kind.SWITCH:
            return None if isinstance(value, bool) else f"{brief(value)} is neither true nor false."
        case Kind.PLACE:
            return None if value is None or isinstance(value, str) else f"{brief(value)} is not text."


def _county_problems(inputs: Mapping[str, object], at: Place) -> Iterator[Problem]:
    """Check the county: its code, its zone if the row asks for it, its names beside its code."""
    fips = inputs.get("fips")
    place = Place(at.file, at.sheet, at.row, "fips")
    if fips is not None and not isinstance(fips, str):
        return
    if isinstance(fips, str) and not (len(fips) == _FIPS_DIGITS and fips.isascii() and fips.isdigit()):
        yield Problem(
            place,
            f"{brief(fips)} is not a county code.",
            'Give the FIPS code as text of five digits, such as "17019", or null where the county is not known.',
            code="county_code",
        )
        return
    known = counties().get(fips) if fips is not None else None
    if known is None and inputs.get("climate_zone_choice") == "county":
        what = "No county is given" if fips is None else f"County {fips} is not in the model's table of the 1990s"
        yield Problem(
            place,
            f"{what}, so there is no climate zone to take from it.",
            'Give a county of the table, or set climate_zone_choice to "no_consideration".',
            code="county_without_zone",
        )
    if known is not None:
        for name, listed in (("state", known.state), ("county", known.county)):
            written = inputs.get(name)
            if isinstance(written, str) and _plain(written) != _plain(listed):
                yield Problem(
                    Place(at.file, at.sheet, at.row, name),
                    f"Code {fips} is {known.county}, {known.state}, but {name} says {brief(written)}.",
                    "The model goes by the code. Correct whichever is wrong.",
                    weight=Weight.CONFIRM,
                    code="county_name_differs",
                )


def _plain(name: str) -> str:
    """Reduce a county's name to its letters, so that De Kalb and DeKalb are one."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _unknown(name: str, crop: str) -> tuple[str, str]:
    """Say why an input is not known for a crop, and what to do."""
    others = [other for other in CROPS if name in inputs_of(other)]
    if others:
        return f"The model has no {name} for {crop}, only for {' and '.join(others)}.", "Leave it out."
    near = get_close_matches(name, inputs_of(crop), n=1)
    remedy = f"Write {near[0]}, if that is meant, or leave it out." if near else "Leave it out."
    return f"The model has no input {brief(name)}.", remedy


def _with_whole_place(given: Mapping[str, object]) -> Mapping[str, object]:
    """Return a row's inputs, what it leaves out of its place as null: the default place is whole or not at all.

    A code without names is enough. Names without a code are a county that is not known, for names are not matched.
    """
    if any(name in given for name in _WHOLE_PLACE):
        return {**dict.fromkeys(_WHOLE_PLACE), **given}
    return given


def check_inputs(crop: str, given: Mapping[str, object], at: Place) -> tuple[dict[str, Value], list[Problem]]:
    """Check the inputs of one row and fill in the defaults.

    Args:
        crop: a crop of the model.
        given: the row's inputs as they were read.
        at: the row's place; each problem adds its input as column.

    Returns:
        Every input of the crop, numbers as float (empty where a problem refuses the row), and all problems. A place
        that is not named at all is the workbook's, Champaign County, Illinois; names without a code are a county
        that is not known.
    """
    known = inputs_of(crop)
    problems = []
    for name, value in given.items():
        one = known.get(name)
        if one is None:
            place = Place(at.file, at.sheet, at.row, column_name(name))
            problems.append(Problem(place, *_unknown(name, crop), code="unknown_input"))
        elif (cause := _cause(value, one)) is not None:
            place = Place(at.file, at.sheet, at.row, name)
            problems.append(Problem(place, cause, _remedy(one), code="input_refused"))
    full: dict[str, object] = {**default_inputs(crop), **_with_whole_place(given)}
    if "fips" in known:
        problems.extend(_county_problems(full, at))
    if any(problem.weight is Weight.ERROR for problem in problems):
        return {}, problems
    return {name: _value(full[name], one) for name, one in known.items()}, problems


def _value(value: object, one: Input) -> Value:
    """Turn a checked value into what the frame holds."""
    if one.kind in (Kind.YIELD, Kind.AMOUNT, Kind.NUMBER) and isinstance(value, int | float):
        return float(value)
    return value if isinstance(value, bool | str) else None
