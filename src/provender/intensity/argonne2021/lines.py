"""The line items of one crop as Polars expressions: g CO2e per bushel, float64 (specification, 4 to 8).

Every function takes the model's word for the crop and returns expressions by the item's name in the documents.
Columns are the inputs of ``inputs.py``. A null input makes null every item that reads it.
"""

from collections.abc import Mapping
from typing import Final

import polars as pl

from provender.intensity.argonne2021.counties import soil_carbon_gain, zone_factor
from provender.intensity.argonne2021.inputs import (
    FUELS,
    WITH_SOIL_CARBON,
    YIELD,
    factors,
    fuel_intensity,
    product_intensities,
)

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
