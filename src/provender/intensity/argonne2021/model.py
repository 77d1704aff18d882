"""The model over a frame: one row of inputs in, one row of line items and totals out."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

import polars as pl

from provender.intensity.argonne2021 import lines
from provender.intensity.argonne2021.inputs import CROPS, DTYPES, WITH_SOIL_CARBON, YIELD, inputs_of

TOTALS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "energy_total": tuple(lines.FUEL_COLUMNS),
        "nitrogen_fertilizer_total": tuple(f"n_{product}" for product in lines.NITROGEN),
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
        {YIELD: pl.when(usable).then(YIELD), "n2o_factor_fertilizer": lines.fertilizer_n2o_factor(crop)},
        {
            **lines.energy(crop),
            **lines.nitrogen(crop),
            **lines.other_chemicals(crop),
            **lines.field_n2o(crop),
            **lines.field_co2(crop),
        },
        {total: _sum(tuple(name for name in items if name in outputs_of(crop))) for total, items in TOTALS.items()},
        {"ci_without_soc": _sum(tuple(TOTALS)), "soc": lines.soil_carbon_line(crop)},
        {"ci_with_soc": pl.col("ci_without_soc") + pl.col("soc")},
    ]
    if crop in WITH_SOIL_CARBON:
        steps[0]["soc_emission_kg_c_per_ha_yr"] = lines.soil_emission(crop)
    if crop == "corn":
        steps[1]["reference_4r_direct_n2o"] = lines.reference_4r()
        steps.append({f"{name}_g_per_mj_ethanol": lines.per_mj_ethanol(pl.col(name)) for name in _PER_MJ})
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
