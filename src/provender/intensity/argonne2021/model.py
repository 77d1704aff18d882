"""The model over a frame: one row of inputs in, one row of line items and totals out."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Final

import polars as pl

from provender.intensity.argonne2021.inputs import (
    CROPS,
    DTYPES,
    FUELS,
    WITH_SOIL_CARBON,
    YIELD,
    Value,
    brief,
    check_inputs,
    column_name,
    factors,
    fuel_intensity,
    inputs_of,
    product_intensities,
    soil_carbon_gain,
    zone_factor,
)
from provender.problem import Place, Problem, Weight, refuse

# The line items of one crop as Polars expressions: g CO2e per bushel, float64 (specification, 4 to 8).
#
# Every function takes the model's word for the crop and returns expressions by the item's name in the documents.
# Columns are the inputs of ``inputs.py``. A null input makes null every item that reads it.

FUEL_COLUMNS: Final[Mapping[str, str]] = {
    "diesel": "diesel_gal_per_ac",
    "gasoline": "gasoline_gal_per_ac",
    "natural_gas": "natural_gas_ft3_per_ac",
    "lpg": "lpg_gal_per_ac",
    "electricity": "electricity_kwh_per_ac",
}
NITROGEN: Final[Mapping[str, str]] = {
    "ammonia": "ammonia_as_fertilizer",
    "urea": "urea",
    "ammonium_nitrate": "ammonium_nitrate",
    "ammonium_sulfate": "ammonium_sulfate",
    "uan": "uan",
    "map": "map",
    "dap": "dap",
}
"""Nitrogen product -> the intensity it takes. The input is ``n_<product>_lb_per_ac``, the line ``n_<product>``."""

PHOSPHATES: Final = ("map", "dap")
UREA_PER_UAN_N: Final = 1.09

Lines = dict[str, pl.Expr]


def _constant(key: str) -> float:
    return factors()["constant"][key]


def _per_bushel(column: str) -> pl.Expr:
    """Turn an amount per acre into the same amount per bushel."""
    return pl.col(column) / pl.col(YIELD)


def _grams_per_bushel(column: str) -> pl.Expr:
    """Turn lb per acre into g per bushel."""
    return _per_bushel(column) * _constant("g_per_lb")


def by_ammonia_source(product: str, scale: float) -> pl.Expr:
    """Return a product's intensity times ``scale`` under the row's ammonia source; null for an unknown source."""
    source = pl.col("ammonia_source")
    green, conventional = (product_intensities(name)[product] * scale for name in ("green", "conventional"))
    return pl.when(source == "green").then(green).when(source == "conventional").then(conventional)


def energy(crop: str) -> Lines:
    """Return the five fuel lines; a cover crop's farming energy is shared out over them."""
    lines: Lines = {}
    for fuel in FUELS:
        amount = pl.col(FUEL_COLUMNS[fuel])
        if fuel == "diesel" and crop in WITH_SOIL_CARBON:
            amount = amount + pl.col("extra_tillage_diesel_gal_per_ac")
        btu = amount * factors()["lower_heating_value"][fuel]
        if crop in WITH_SOIL_CARBON:
            cover = factors()["cover_crop_energy_share"][fuel] * factors()["cover_crop"]["farming_energy"]
            btu = btu + pl.col("cover_crop").cast(pl.Float64) * cover
        lines[fuel] = btu / pl.col(YIELD) * fuel_intensity(fuel, crop)
    return lines


def nitrogen(_crop: str) -> Lines:
    """Return the seven nitrogen lines; of MAP and DAP only the share that nitrogen bears."""
    ton = _constant("g_per_short_ton")
    lines: Lines = {}
    for product, intensity in NITROGEN.items():
        share = factors()["burden_share_to_n"].get(product, 1.0)
        per_gram = by_ammonia_source(intensity, share / factors()["n_content"][product] / ton)
        lines[f"n_{product}"] = _grams_per_bushel(f"n_{product}_lb_per_ac") * per_gram
    return lines


def other_chemicals(crop: str) -> Lines:
    """Return phosphate, potash, lime making, herbicide and insecticide."""
    ton = _constant("g_per_short_ton")
    lines: Lines = {}
    for product in PHOSPHATES:
        share = 1 - factors()["burden_share_to_n"][product]
        per_gram = by_ammonia_source(product, share / factors()["p2o5_content"][product] / ton)
        lines[f"p_{product}"] = _grams_per_bushel(f"p2o5_{product}_lb_per_ac") * per_gram
    made = product_intensities("conventional")  # potash and lime take no ammonia
    lines["k2o"] = _grams_per_bushel("k2o_lb_per_ac") * (made["k2o"] / ton)
    lines["lime_production"] = _grams_per_bushel("lime_caco3_lb_per_ac") * (made["lime"] / ton)
    herbicide = pl.col("herbicide_g_per_ac")
    if crop in WITH_SOIL_CARBON:
        herbicide = herbicide + pl.col("cover_crop").cast(pl.Float64) * factors()["cover_crop"]["herbicide"]
    lines["herbicide"] = herbicide / pl.col(YIELD) * factors()["herbicide_intensity"][crop]
    lines["insecticide"] = _per_bushel("insecticide_g_per_ac") * factors()["insecticide_intensity"][crop]
    return lines


def fertilizer_n2o_factor(crop: str) -> pl.Expr:
    """Return g N2O-N per g N applied, direct and indirect. Only corn looks at the county's climate zone.

    Null where corn asks for the county's zone and the county has none: the model refuses rather than guesses.
    """
    parts = ("direct", "indirect")
    if crop != "corn":
        return pl.lit(sum(factors()[f"n2o_factor_fertilizer_{part}"][crop] for part in parts))
    national = sum(factors()[f"n2o_factor_fertilizer_{part}_corn"]["no_consideration"] for part in parts)
    choice = pl.col("climate_zone_choice")
    zone = zone_factor("direct") + zone_factor("indirect")
    return pl.when(choice == "no_consideration").then(national).when(choice == "county").then(zone)


def field_n2o(crop: str) -> Lines:
    """Return N2O from fertilizer and residue and, for soybean, from fixation. Residue N is a constant per bushel."""
    nitrogen_g = pl.sum_horizontal(*(f"n_{name}_lb_per_ac" for name in NITROGEN), ignore_nulls=False)
    applied = nitrogen_g / pl.col(YIELD) * _constant("g_per_lb")
    residue = factors()["residue_n"][crop] * factors()["n2o_factor_residue"][crop]
    n2o_n = applied * pl.col("n2o_factor_fertilizer") + residue
    scale = _constant("n2o_per_n2o_n") * _constant("gwp_n2o")
    lines = {"field_n2o_fertilizer_and_residue": n2o_n * scale}
    if crop == "soybean":
        fixation = factors()["n_fixation_n2o"]["soybean"] * _constant("gwp_n2o")
        lines["field_n2o_n_fixation"] = pl.when(pl.col(YIELD).is_not_null()).then(fixation)
    return lines


def field_co2(_crop: str) -> Lines:
    """Return the CO2 that urea and lime give off in the soil."""
    field = factors()["field"]
    uan = UREA_PER_UAN_N * factors()["n_content"]["urea"]
    urea_n = _grams_per_bushel("n_urea_lb_per_ac") + _grams_per_bushel("n_uan_lb_per_ac") * uan
    lime = _grams_per_bushel("lime_caco3_lb_per_ac")
    return {
        "field_co2_urea": urea_n * field["urea_co2_per_urea_n"],
        "field_co2_lime": lime * (field["lime_co2_per_caco3"] * field["lime_acidified_share"]),
    }


def soil_emission(crop: str) -> pl.Expr:
    """Return kg C/ha/yr lost by the soil, negative where it gains; null for a county without soil-carbon data."""
    return -soil_carbon_gain(crop)


def soil_carbon_line(crop: str) -> pl.Expr:
    """Return soil carbon per bushel from ``soc_emission_kg_c_per_ha_yr``; exactly 0 for sorghum."""
    if crop not in WITH_SOIL_CARBON:
        return pl.when(pl.col(YIELD).is_not_null()).then(0.0)
    per_acre = _constant("co2_per_c") / _constant("acre_per_hectare") * 1000
    return pl.col("soc_emission_kg_c_per_ha_yr") * per_acre / pl.col(YIELD)


def reference_4r() -> pl.Expr:
    """Return the direct N2O that a nitrogen balance would give under 4R: a reference value, in no total."""
    curve = factors()["reference_4r"]
    n2o_n = (curve["intercept"] + curve["slope"] * pl.col("nitrogen_balance_kg_n_per_ha")).exp()
    scale = _constant("n2o_per_n2o_n") * 1000 / _constant("acre_per_hectare") * _constant("gwp_n2o")
    return n2o_n * scale / pl.col(YIELD)


def per_mj_ethanol(value: pl.Expr) -> pl.Expr:
    """Turn g CO2e per bushel of corn into g per MJ of ethanol of a dry mill."""
    btu = factors()["ethanol"]["yield_gal_per_bu"] * factors()["lower_heating_value"]["ethanol"]
    return value * (_constant("btu_per_mj") / btu)


TOTALS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "energy_total": tuple(FUEL_COLUMNS),
        "nitrogen_fertilizer_total": tuple(f"n_{product}" for product in NITROGEN),
        "field_n2o_total": ("field_n2o_fertilizer_and_residue", "field_n2o_n_fixation"),
        "field_co2_total": ("field_co2_urea", "field_co2_lime"),
        "other_chemicals_total": ("p_map", "p_dap", "k2o", "lime_production", "herbicide", "insecticide"),
    }
)
"""The five totals and their line items; fixation is soybean's alone."""

_PER_MJ: Final = ("ci_without_soc", "soc", "ci_with_soc")
_ROW: Final = "__row"


@cache
def outputs_of(crop: str) -> tuple[str, ...]:
    """Return the names of a crop's outputs, in the order of the documents."""
    items = [
        *TOTALS["energy_total"],
        *TOTALS["nitrogen_fertilizer_total"],
        *TOTALS["other_chemicals_total"],
        *(name for name in TOTALS["field_n2o_total"] if crop == "soybean" or name != "field_n2o_n_fixation"),
        *TOTALS["field_co2_total"],
        *TOTALS,
        *_PER_MJ,
    ]
    if crop in WITH_SOIL_CARBON:
        items.append("soc_emission_kg_c_per_ha_yr")
    if crop == "corn":
        items += ["n2o_factor_fertilizer", "reference_4r_direct_n2o", *(f"{name}_g_per_mj_ethanol" for name in _PER_MJ)]
    return tuple(items)


def _sum(names: tuple[str, ...]) -> pl.Expr:
    """Add columns; null where one is null."""
    return pl.sum_horizontal(*names, ignore_nulls=False)


def _evaluate_crop(rows: pl.LazyFrame, crop: str) -> pl.LazyFrame:
    """Answer rows of one crop. Each step reads only columns of the steps before it."""
    usable = pl.col(YIELD).is_finite() & (pl.col(YIELD) > 0)
    steps: list[dict[str, pl.Expr]] = [
        {YIELD: pl.when(usable).then(YIELD), "n2o_factor_fertilizer": fertilizer_n2o_factor(crop)},
        {
            **energy(crop),
            **nitrogen(crop),
            **other_chemicals(crop),
            **field_n2o(crop),
            **field_co2(crop),
        },
        {total: _sum(tuple(name for name in items if name in outputs_of(crop))) for total, items in TOTALS.items()},
        {"ci_without_soc": _sum(tuple(TOTALS)), "soc": soil_carbon_line(crop)},
        {"ci_with_soc": pl.col("ci_without_soc") + pl.col("soc")},
    ]
    if crop in WITH_SOIL_CARBON:
        steps[0]["soc_emission_kg_c_per_ha_yr"] = soil_emission(crop)
    if crop == "corn":
        steps[1]["reference_4r_direct_n2o"] = reference_4r()
        steps.append({f"{name}_g_per_mj_ethanol": per_mj_ethanol(pl.col(name)) for name in _PER_MJ})
    for step in steps:
        rows = rows.with_columns(**step)
    return rows.select(_ROW, *outputs_of(crop))


def with_defaults(rows: pl.DataFrame, crop: str) -> pl.DataFrame:
    """Add the inputs of a crop that ``rows`` has no column for, at the workbook's value.

    Only whole columns are added: a null inside a column stays a null, since somebody wrote that it is not known.
    """
    missing = {name: one for name, one in inputs_of(crop).items() if name not in rows.columns}
    added = (pl.lit(one.default, dtype=DTYPES[one.kind]).alias(name) for name, one in missing.items())
    return rows.with_columns(*added)


def evaluate(rows: pl.DataFrame) -> pl.DataFrame:
    """Compute the carbon intensity of every row.

    Args:
        rows: ``crop`` (corn, soybean, sorghum) and any of the inputs (``inputs.input_schema()``); a column that is
            not there takes the workbook's default for the crop. Numbers are finite Float64 in the unit of their name.

    Returns:
        One row per row, in the same order: ``crop`` and every output of any crop in the data, Float64, g CO2e per
        bushel unless the name says otherwise. Null where the value does not exist: an output the crop does not
        have; soil carbon of a county without data; everything when the yield is null or not above zero; N2O and
        the totals when corn asks for the zone of a county that has none; whatever reads a null input or an unknown
        word. Nothing is rounded here.
    """
    indexed = rows.with_row_index(_ROW)
    parts = []
    for crop in CROPS:
        part = indexed.filter(pl.col("crop") == crop)
        if not part.is_empty():
            parts.append(_evaluate_crop(with_defaults(part, crop).lazy(), crop))
    crops = indexed.select(_ROW, "crop")
    if not parts:
        return crops.drop(_ROW)
    answers = pl.concat(pl.collect_all(parts), how="diagonal")
    if answers.height == rows.height and len(parts) == 1:
        return answers.select(crops["crop"], pl.exclude(_ROW))
    return crops.join(answers, on=_ROW, how="left", maintain_order="left").drop(_ROW)


# A JSON document of rows, as read, to its answers: one per row, in order, with the problems of each.

ROW_KEYS: Final = ("id", "crop", "inputs")
ALSO_READ_PAST: Final = ("label", "outputs")
"""What a file of test vectors carries beside the question."""

Outputs = Mapping[str, float | None]


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
        if name not in ROW_KEYS + ALSO_READ_PAST:
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


def _compute(rows: Sequence[_Row], crop: str, file: str, numbers: Mapping[int, int]) -> None:
    """Answer the rows of one crop in place; one whose numbers overflow is refused."""
    columns = [
        pl.Series(name, [row.inputs[name] for row in rows], dtype=DTYPES[one.kind])
        for name, one in inputs_of(crop).items()
    ]
    frame = pl.DataFrame(columns).with_columns(crop=pl.lit(crop))
    for row, outputs in zip(rows, evaluate(frame).select(outputs_of(crop)).to_dicts(), strict=True):
        if all(value is None or math.isfinite(value) for value in outputs.values()):
            row.outputs = outputs
            continue
        place = Place(file, "", numbers[id(row)], "inputs")
        cause = "The result is not a finite number: an input is absurdly large or the yield absurdly small."
        row.problems.append(Problem(place, cause, "Check the units of the inputs.", code="absurd_result"))


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
    numbers = {id(row): number for number, row in enumerate(rows, start=1)}
    for crop in CROPS:
        of_crop = [row for row in rows if row.crop == crop and not row.refused()]
        if of_crop:
            _compute(of_crop, crop, file, numbers)
    return [
        Answer(row.id, row.crop, {} if row.refused() else row.inputs, row.outputs, tuple(row.problems)) for row in rows
    ]
