"""The model of one row: its inputs in, its line items and totals out."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Final

from provender.intensity.argonne2021.inputs import (
    CROPS,
    FUELS,
    PRACTICE_COLUMNS,
    WITH_SOIL_CARBON,
    YIELD,
    Value,
    brief,
    check_inputs,
    column_name,
    counties,
    default_inputs,
    factors,
    fuel_intensity,
    product_intensities,
    soil_carbon,
)
from provender.problem import Place, Problem, Weight, refuse

# The line items of one crop: g CO2e per bushel, doubles (specification, 4 to 8).
#
# Every function takes the model's word for the crop and its row of inputs, and returns values by the item's name in the
# documents. A null input is no number (NaN), and so is every item that reads it.

_FUEL_COLUMNS: Final[Mapping[str, str]] = {
    "diesel": "diesel_gal_per_ac",
    "gasoline": "gasoline_gal_per_ac",
    "natural_gas": "natural_gas_ft3_per_ac",
    "lpg": "lpg_gal_per_ac",
    "electricity": "electricity_kwh_per_ac",
}
_NITROGEN: Final[Mapping[str, str]] = {
    "ammonia": "ammonia_as_fertilizer",
    "urea": "urea",
    "ammonium_nitrate": "ammonium_nitrate",
    "ammonium_sulfate": "ammonium_sulfate",
    "uan": "uan",
    "map": "map",
    "dap": "dap",
}
"""Nitrogen product -> the intensity it takes. The input is ``n_<product>_lb_per_ac``, the line ``n_<product>``."""

_PHOSPHATES: Final = ("map", "dap")
_UREA_PER_UAN_N: Final = 1.09

Lines = dict[str, float]


def _constant(key: str) -> float:
    return factors()["constant"][key]


@dataclass(frozen=True, slots=True)
class _Farm:
    """The inputs of one row, as numbers."""

    row: Mapping[str, Value]

    def amount(self, name: str) -> float:
        """Return an input as a number; a switch that is on as one."""
        value = self.row[name]
        return float(value) if isinstance(value, bool | int | float) else math.nan

    @property
    def bushels(self) -> float:
        """Return the yield; no number where it is not above zero."""
        bushels = self.amount(YIELD)
        return bushels if math.isfinite(bushels) and bushels > 0 else math.nan

    def per_bushel(self, name: str) -> float:
        """Return an amount per acre as the same amount per bushel."""
        return self.amount(name) / self.bushels

    def grams_per_bushel(self, name: str) -> float:
        """Return lb per acre as g per bushel."""
        return self.per_bushel(name) * _constant("g_per_lb")

    def intensity(self, product: str, scale: float) -> float:
        """Return a product's intensity times ``scale`` under the row's ammonia source."""
        source = self.row["ammonia_source"]
        return product_intensities(source)[product] * scale if source in ("green", "conventional") else math.nan


def energy(crop: str, farm: _Farm) -> Lines:
    """Return the five fuel lines; a cover crop's farming energy is shared out over them."""
    lines: Lines = {}
    for fuel in FUELS:
        amount = farm.amount(_FUEL_COLUMNS[fuel])
        if fuel == "diesel" and crop in WITH_SOIL_CARBON:
            amount += farm.amount("extra_tillage_diesel_gal_per_ac")
        btu = amount * factors()["lower_heating_value"][fuel]
        if crop in WITH_SOIL_CARBON:
            cover = factors()["cover_crop_energy_share"][fuel] * factors()["cover_crop"]["farming_energy"]
            btu += farm.amount("cover_crop") * cover
        lines[fuel] = btu / farm.bushels * fuel_intensity(fuel, crop)
    return lines


def nitrogen(_crop: str, farm: _Farm) -> Lines:
    """Return the seven nitrogen lines; of MAP and DAP only the share that nitrogen bears."""
    ton = _constant("g_per_short_ton")
    lines: Lines = {}
    for product, intensity in _NITROGEN.items():
        share = factors()["burden_share_to_n"].get(product, 1.0)
        per_gram = farm.intensity(intensity, share / factors()["n_content"][product] / ton)
        lines[f"n_{product}"] = farm.grams_per_bushel(f"n_{product}_lb_per_ac") * per_gram
    return lines


def _other_chemicals(crop: str, farm: _Farm) -> Lines:
    """Return phosphate, potash, lime making, herbicide and insecticide."""
    ton = _constant("g_per_short_ton")
    lines: Lines = {}
    for product in _PHOSPHATES:
        share = 1 - factors()["burden_share_to_n"][product]
        per_gram = farm.intensity(product, share / factors()["p2o5_content"][product] / ton)
        lines[f"p_{product}"] = farm.grams_per_bushel(f"p2o5_{product}_lb_per_ac") * per_gram
    made = product_intensities("conventional")  # potash and lime take no ammonia
    lines["k2o"] = farm.grams_per_bushel("k2o_lb_per_ac") * (made["k2o"] / ton)
    lines["lime_production"] = farm.grams_per_bushel("lime_caco3_lb_per_ac") * (made["lime"] / ton)
    herbicide = farm.amount("herbicide_g_per_ac")
    if crop in WITH_SOIL_CARBON:
        herbicide += farm.amount("cover_crop") * factors()["cover_crop"]["herbicide"]
    lines["herbicide"] = herbicide / farm.bushels * factors()["herbicide_intensity"][crop]
    lines["insecticide"] = farm.per_bushel("insecticide_g_per_ac") * factors()["insecticide_intensity"][crop]
    return lines


def _fertilizer_n2o_factor(crop: str, farm: _Farm) -> float:
    """Return g N2O-N per g N applied, direct and indirect. Only corn looks at the county's climate zone.

    No number where corn asks for the county's zone and the county has none: the model refuses rather than guesses.
    """
    parts = ("direct", "indirect")
    if crop != "corn":
        return sum(factors()[f"n2o_factor_fertilizer_{part}"][crop] for part in parts)
    choice, county = farm.row["climate_zone_choice"], counties().get(str(farm.row["fips"]))
    zone = county.zone if choice == "county" and county else choice
    known = zone == "no_consideration" or county is not None
    if not known or choice not in ("county", "no_consideration"):
        return math.nan
    return sum(factors()[f"n2o_factor_fertilizer_{part}_corn"][str(zone)] for part in parts)


def _field_n2o(crop: str, farm: _Farm) -> Lines:
    """Return N2O from fertilizer and residue and, for soybean, from fixation. Residue N is a constant per bushel."""
    nitrogen_lb = sum(farm.amount(f"n_{name}_lb_per_ac") for name in _NITROGEN)
    applied = nitrogen_lb / farm.bushels * _constant("g_per_lb")
    residue = factors()["residue_n"][crop] * factors()["n2o_factor_residue"][crop]
    n2o_n = applied * _fertilizer_n2o_factor(crop, farm) + residue
    scale = _constant("n2o_per_n2o_n") * _constant("gwp_n2o")
    lines = {"field_n2o_fertilizer_and_residue": n2o_n * scale}
    if crop == "soybean":
        fixation = factors()["n_fixation_n2o"]["soybean"] * _constant("gwp_n2o")
        lines["field_n2o_n_fixation"] = math.nan if math.isnan(farm.bushels) else fixation
    return lines


def _field_co2(_crop: str, farm: _Farm) -> Lines:
    """Return the CO2 that urea and lime give off in the soil."""
    shares = factors()["field"]
    uan = _UREA_PER_UAN_N * factors()["n_content"]["urea"]
    urea_n = farm.grams_per_bushel("n_urea_lb_per_ac") + farm.grams_per_bushel("n_uan_lb_per_ac") * uan
    lime = farm.grams_per_bushel("lime_caco3_lb_per_ac")
    return {
        "field_co2_urea": urea_n * shares["urea_co2_per_urea_n"],
        "field_co2_lime": lime * (shares["lime_co2_per_caco3"] * shares["lime_acidified_share"]),
    }


def _soil_emission(crop: str, farm: _Farm) -> float:
    """Return kg C/ha/yr lost by the soil, negative where it gains; no number for a county without soil-carbon data."""
    words = (("cover_crop", "cc", "nocc"), ("manure", "manure", "nomanure"))
    switches = [(on, off)[not farm.row[name]] for name, on, off in words if farm.row[name] is not None]
    practices = "_".join([*switches, str(farm.row["tillage"])])
    gains = soil_carbon(crop).get(str(farm.row["fips"]))
    is_known = gains is not None and practices in PRACTICE_COLUMNS
    return -gains[PRACTICE_COLUMNS.index(practices)] if gains is not None and is_known else math.nan


def _soil_carbon_line(crop: str, emission: float, farm: _Farm) -> float:
    """Return soil carbon per bushel from kg C/ha/yr; exactly 0 for sorghum."""
    if crop not in WITH_SOIL_CARBON:
        return math.nan if math.isnan(farm.bushels) else 0.0
    per_acre = _constant("co2_per_c") / _constant("acre_per_hectare") * 1000
    return emission * per_acre / farm.bushels


def _reference_4r(farm: _Farm) -> float:
    """Return the direct N2O that a nitrogen balance would give under 4R: a reference value, in no total."""
    curve = factors()["reference_4r"]
    try:
        n2o_n = math.exp(curve["intercept"] + curve["slope"] * farm.amount("nitrogen_balance_kg_n_per_ha"))
    except OverflowError:
        n2o_n = math.inf
    scale = _constant("n2o_per_n2o_n") * 1000 / _constant("acre_per_hectare") * _constant("gwp_n2o")
    return n2o_n * scale / farm.bushels


def per_mj_ethanol(value: float) -> float:
    """Turn g CO2e per bushel of corn into g per MJ of ethanol of a dry mill."""
    btu = factors()["ethanol"]["yield_gal_per_bu"] * factors()["lower_heating_value"]["ethanol"]
    return value * (_constant("btu_per_mj") / btu)


_TOTALS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "energy_total": tuple(_FUEL_COLUMNS),
        "nitrogen_fertilizer_total": tuple(f"n_{product}" for product in _NITROGEN),
        "field_n2o_total": ("field_n2o_fertilizer_and_residue", "field_n2o_n_fixation"),
        "field_co2_total": ("field_co2_urea", "field_co2_lime"),
        "other_chemicals_total": ("p_map", "p_dap", "k2o", "lime_production", "herbicide", "insecticide"),
    }
)
"""The five totals and their line items; fixation is soybean's alone."""

_PER_MJ: Final = ("ci_without_soc", "soc", "ci_with_soc")


@cache
def _outputs_of(crop: str) -> tuple[str, ...]:
    """Return the names of a crop's outputs, in the order of the documents."""
    items = [
        *_TOTALS["energy_total"],
        *_TOTALS["nitrogen_fertilizer_total"],
        *_TOTALS["other_chemicals_total"],
        *(name for name in _TOTALS["field_n2o_total"] if crop == "soybean" or name != "field_n2o_n_fixation"),
        *_TOTALS["field_co2_total"],
        *_TOTALS,
        *_PER_MJ,
    ]
    if crop in WITH_SOIL_CARBON:
        items.append("soc_emission_kg_c_per_ha_yr")
    if crop == "corn":
        items += ["n2o_factor_fertilizer", "reference_4r_direct_n2o", *(f"{name}_g_per_mj_ethanol" for name in _PER_MJ)]
    return tuple(items)


Outputs = Mapping[str, float | None]


def evaluate(crop: str, given: Mapping[str, Value]) -> Outputs:
    """Compute the carbon intensity of one row.

    Args:
        crop: one of ``CROPS``.
        given: any of its inputs; one that is not there takes the workbook's default for the crop. Numbers are in the
            unit of their name.

    Returns:
        Every output of the crop in the order of the documents, g CO2e per bushel unless the name says otherwise. None
        where the value does not exist: soil carbon of a county without data; everything when the yield is null or not
        above zero; N2O and the totals when corn asks for the zone of a county that has none; whatever reads a null
        input or an unknown word. Nothing is rounded here.
    """
    farm = _Farm({**default_inputs(crop), **given})
    found: Lines = {"n2o_factor_fertilizer": _fertilizer_n2o_factor(crop, farm)}
    for part in (energy, nitrogen, _other_chemicals, _field_n2o, _field_co2):
        found |= part(crop, farm)
    for total, items in _TOTALS.items():
        found[total] = sum(found[name] for name in items if name in found)
    emission = _soil_emission(crop, farm) if crop in WITH_SOIL_CARBON else 0.0
    found |= {"soc_emission_kg_c_per_ha_yr": emission, "soc": _soil_carbon_line(crop, emission, farm)}
    found["ci_without_soc"] = sum(found[total] for total in _TOTALS)
    found["ci_with_soc"] = found["ci_without_soc"] + found["soc"]
    if crop == "corn":
        found["reference_4r_direct_n2o"] = _reference_4r(farm)
        found |= {f"{name}_g_per_mj_ethanol": per_mj_ethanol(found[name]) for name in _PER_MJ}
    return {name: None if math.isnan(found[name]) else found[name] for name in _outputs_of(crop)}


# A JSON document of rows, as read, to its answers: one per row, in order, with the problems of each.

_ROW_KEYS: Final = ("id", "crop", "inputs")
_ALSO_READ_PAST: Final = ("label", "outputs")
"""What a file of test vectors carries beside the question."""


@dataclass(slots=True)
class _Row:
    """A row on its way: its id, and either what to compute or why not."""

    id: object
    crop: str = ""
    inputs: dict[str, Value] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    outputs: Outputs | None = None

    def refused(self) -> bool:
        return any(problem.weight is Weight.ERROR for problem in self.problems)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one row."""

    id: object  # the row's id as written; null where it had none
    crop: str  # the crop, or empty where it could not be read
    inputs: Mapping[str, Value]  # every input used, defaults included; empty where the row is refused
    # every output of the crop by name, g CO2e/bu unless the name says otherwise; None inside where the value does not
    # exist, None as a whole where the row is refused
    outputs: Outputs | None
    problems: tuple[Problem, ...]  # everything found in this row

    def as_json(self) -> dict[str, object]:
        """Return id and outputs and, only where there are any, the problems."""
        data: dict[str, object] = {"id": self.id, "outputs": self.outputs}
        if self.problems:
            data["problems"] = [problem.as_json() for problem in self.problems]
        return data


def rows_of(document: object, file: str) -> Sequence[object]:
    """Return the rows of a document: a list, or an object with the list under ``vectors``.

    Raises:
        ProblemsError: it is neither.
    """
    rows = document.get("vectors") if isinstance(document, Mapping) else document
    if not isinstance(rows, list):
        raise refuse(
            file,
            "This is not a list of rows.",
            'Write a list of {"id": ..., "crop": ..., "inputs": {...}}, or an object with that list under "vectors".',
            code="no_rows",
        )
    return rows


def _read(raw: object, at: Place) -> _Row:
    """Read one row; every problem of its shape and of its inputs."""
    if not isinstance(raw, Mapping):
        cause = f"A row is an object, and this is {brief(raw)}."
        return _Row(None, problems=[Problem(at, cause, 'Write {"id": ..., "crop": ..., "inputs": {...}}.', code="row")])
    row = _Row(raw.get("id"))
    for name in raw:
        if name not in _ROW_KEYS + _ALSO_READ_PAST:
            place = Place(at.file, at.sheet, at.row, column_name(name))
            remedy = "Move it into inputs if the model should read it."
            note = Problem(place, f"{brief(name)} was not read.", remedy, weight=Weight.NOTE, code="not_read")
            row.problems.append(note)
    if not (isinstance(row.id, str | int) and not isinstance(row.id, bool)):
        place = Place(at.file, at.sheet, at.row, "id")
        row.problems.append(Problem(place, "The row has no id.", "Give it a name of its own, as text.", code="no_id"))
        row.id = None
    crop, inputs = _crop(raw.get("crop")), raw.get("inputs")
    if not isinstance(crop, str) or crop not in CROPS:
        place = Place(at.file, at.sheet, at.row, "crop")
        cause = f"{brief(crop)} is not a crop of the model."
        row.problems.append(Problem(place, cause, f"Choose one of: {', '.join(CROPS)}.", code="unknown_crop"))
    if not isinstance(inputs, Mapping):
        place = Place(at.file, at.sheet, at.row, "inputs")
        remedy = "Give an object of inputs; {} asks for every default."
        row.problems.append(Problem(place, "The row has no object of inputs.", remedy, code="no_inputs"))
    elif isinstance(crop, str) and crop in CROPS:
        row.crop = crop
        row.inputs, found = check_inputs(crop, inputs, at)
        row.problems += found
    return row


def _crop(written: object) -> object:
    """Return the model's name of a crop however it is written; the rule speaks of soybeans, the workbook of soybean."""
    if not isinstance(written, str):
        return written
    name = written.strip().casefold()
    return "soybean" if name == "soybeans" else name


def _refuse_repeats(rows: Iterable[_Row], file: str) -> None:
    """Refuse every row whose id stands further up already: an answer must belong to one question."""
    first: dict[object, int] = {}
    for number, row in enumerate(rows, start=1):
        if row.id is None:
            continue
        seen = first.setdefault(row.id, number)
        if seen != number:
            cause = f"The id {brief(row.id)} stands in row {seen} already."
            row.problems.append(Problem(Place(file, "", number, "id"), cause, "Give each row its own.", code="same_id"))


def _compute(row: _Row, at: Place) -> None:
    """Answer a row in place; one whose numbers overflow is refused."""
    outputs = evaluate(row.crop, row.inputs)
    if all(value is None or math.isfinite(value) for value in outputs.values()):
        row.outputs = outputs
        return
    cause = "The result is not a finite number: an input is absurdly large or the yield absurdly small."
    row.problems.append(Problem(at, cause, "Check the units of the inputs.", code="absurd_result"))


def answer_rows(document: object, file: str) -> list[Answer]:
    """Answer every row of a document, in order; a row with an error has no outputs and says why.

    Args:
        document: parsed JSON: a list of rows, or an object with that list under ``vectors``.
        file: the document's name, for the places of problems.

    Raises:
        ProblemsError: the document holds no list of rows.
    """
    rows = [_read(raw, Place(file, "", number)) for number, raw in enumerate(rows_of(document, file), start=1)]
    _refuse_repeats(rows, file)
    for number, row in enumerate(rows, start=1):
        if row.crop and not row.refused():
            _compute(row, Place(file, "", number, "inputs"))
    return [
        Answer(row.id, row.crop, {} if row.refused() else row.inputs, row.outputs, tuple(row.problems)) for row in rows
    ]
