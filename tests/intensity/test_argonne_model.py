"""The model against the workbook's vectors, a plain scalar reading of the specification, and odd frames."""

import csv
import math
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.intensity.argonne2021 import evaluate
from provender.intensity.argonne2021.inputs import (
    AMMONIA_SOURCES,
    CLIMATE_ZONE_CHOICES,
    CROPS,
    TILLAGES,
    default_inputs,
    factors,
    fuel_intensity,
    input_schema,
    inputs_of,
    product_intensities,
)
from tests.conformance.kit import workbook

VECTORS = workbook()
DATA = files("provender.intensity.argonne2021") / "data"
TOLERANCE = 1e-6

Row = Mapping[str, Any]


def frame(rows: Sequence[tuple[str, Row]]) -> pl.DataFrame:
    """One frame of complete rows of any crops."""
    empty = dict.fromkeys(input_schema())
    full = [{**empty, **default_inputs(crop), **row, "crop": crop} for crop, row in rows]
    return pl.DataFrame(full, schema=dict(input_schema()))


def same(mine: float | None, theirs: float | None, tolerance: float) -> bool:
    if mine is None or theirs is None:
        return mine is theirs
    return math.isclose(mine, theirs, rel_tol=tolerance, abs_tol=1e-300)


@pytest.mark.parametrize("source", AMMONIA_SOURCES)
def test_product_intensities_from_recipes_equal_the_derived_constants(source: str) -> None:
    derived = factors()[f"derived_product_{source}"]
    made = product_intensities(source)
    assert set(made) == set(derived)
    assert all(math.isclose(made[name], derived[name], rel_tol=1e-12) for name in derived)


def test_fuel_intensities_equal_the_derived_constants() -> None:
    derived = factors()["derived_energy"]
    for fuel in ("diesel", "gasoline", "natural_gas", "lpg"):
        assert math.isclose(fuel_intensity(fuel, "sorghum"), derived[fuel], rel_tol=1e-12)
    assert math.isclose(fuel_intensity("electricity", "soybean"), derived["electricity_corn_soybean"], rel_tol=1e-12)
    assert math.isclose(fuel_intensity("electricity", "sorghum"), derived["electricity_sorghum"], rel_tol=1e-12)


def test_the_packaged_tables_are_those_of_the_provenance() -> None:
    written = (DATA / "PROVENANCE.md").read_text(encoding="utf-8")
    names = [path.name for path in DATA.iterdir() if path.name.endswith(".csv")]
    assert len(names) == 5
    for name in names:
        assert f"{sha256((DATA / name).read_bytes()).hexdigest()}  {name}" in written


# A plain scalar reading of the specification. It takes the derived constants, the model its recipes.


@cache
def rows_by_fips(name: str) -> dict[str, dict[str, str]]:
    with (DATA / name).open(encoding="utf-8") as lines:
        return {row["fips"]: row for row in csv.DictReader(lines)}


Lines = dict[str, float | None]


def per_acre_to_g(row: Row, name: str) -> float:
    return float(row[name]) * 453.592 / float(row["yield_bu_per_ac"])


def oracle_energy(crop: str, row: Row) -> dict[str, float]:
    f, cover = factors(), bool(row.get("cover_crop"))
    power = "electricity_sorghum" if crop == "sorghum" else "electricity_corn_soybean"
    amounts = {
        "diesel": row["diesel_gal_per_ac"] + (row.get("extra_tillage_diesel_gal_per_ac") or 0),
        "gasoline": row["gasoline_gal_per_ac"],
        "natural_gas": row["natural_gas_ft3_per_ac"],
        "lpg": row["lpg_gal_per_ac"],
        "electricity": row["electricity_kwh_per_ac"],
    }
    out = {}
    for fuel, amount in amounts.items():
        btu = amount * f["lower_heating_value"][fuel] + (f["cover_crop_energy_share"][fuel] * 62060 if cover else 0)
        out[fuel] = btu / row["yield_bu_per_ac"] * f["derived_energy"][power if fuel == "electricity" else fuel]
    return out


SHARE = {"map": 0.311395590288611, "dap": 0.474907148501951}
PRODUCTS = ("ammonia", "urea", "ammonium_nitrate", "ammonium_sulfate", "uan", "map", "dap")


def oracle_nitrogen(row: Row) -> dict[str, float]:
    made = factors()[f"derived_product_{row['ammonia_source']}"]
    out = {}
    for product in PRODUCTS:
        intensity = made["ammonia_as_fertilizer" if product == "ammonia" else product]
        grams = per_acre_to_g(row, f"n_{product}_lb_per_ac") / factors()["n_content"][product]
        out[f"n_{product}"] = grams * intensity / 907184.74 * SHARE.get(product, 1)
    return out


def oracle_chemicals(crop: str, row: Row) -> dict[str, float]:
    made = factors()[f"derived_product_{row['ammonia_source']}"]
    y = row["yield_bu_per_ac"]
    herbicide = row["herbicide_g_per_ac"] + (612.3496995 if row.get("cover_crop") else 0)
    return {
        "p_map": per_acre_to_g(row, "p2o5_map_lb_per_ac") / 0.48 * made["map"] / 907184.74 * (1 - SHARE["map"]),
        "p_dap": per_acre_to_g(row, "p2o5_dap_lb_per_ac") / 0.48 * made["dap"] / 907184.74 * (1 - SHARE["dap"]),
        "k2o": per_acre_to_g(row, "k2o_lb_per_ac") * made["k2o"] / 907184.74,
        "lime_production": per_acre_to_g(row, "lime_caco3_lb_per_ac") * made["lime"] / 907184.74,
        "herbicide": herbicide / y * (19.174664970199693 if crop == "soybean" else 18.55871175676664),
        "insecticide": row["insecticide_g_per_ac"] / y * 21.29805862330014,
    }


def oracle_n2o_factor(crop: str, row: Row) -> float | None:
    if crop != "corn" or row["climate_zone_choice"] == "no_consideration":
        return 0.01374
    county = rows_by_fips("climate_zone_by_county.csv").get(row["fips"])
    zones = {"NA": 0.01374, "Wet or Moist": 0.01418, "Dry": 0.00555}
    return None if county is None else zones[county["ipcc_climate_zone"]]


def oracle_soil(crop: str, row: Row) -> Lines:
    if crop == "sorghum":
        return {"soc": 0.0}
    gains = rows_by_fips(f"soc_{crop}_by_county.csv").get(row["fips"])
    cover, manure = "cc" if row["cover_crop"] else "nocc", "manure" if row["manure"] else "nomanure"
    emission = None if gains is None else -float(gains[f"{cover}_{manure}_{row['tillage']}"])
    soc = None if emission is None else emission * 44 / 12 / 2.47105 * 1000 / row["yield_bu_per_ac"]
    return {"soc_emission_kg_c_per_ha_yr": emission, "soc": soc}


def oracle(crop: str, row: Row) -> Lines:
    energy, nitrogen, chemicals = oracle_energy(crop, row), oracle_nitrogen(row), oracle_chemicals(crop, row)
    applied = sum(per_acre_to_g(row, f"n_{product}_lb_per_ac") for product in PRODUCTS)
    ef = oracle_n2o_factor(crop, row)
    residue = {"corn": 141.6, "soybean": 557, "sorghum": 149}[crop] * 0.01264
    n2o = None if ef is None else (applied * ef + residue) * 44 / 28 * 265
    fixation = 1934.5 if crop == "soybean" else 0.0
    uan_urea = per_acre_to_g(row, "n_uan_lb_per_ac") * 1.09 * 0.467
    urea = (per_acre_to_g(row, "n_urea_lb_per_ac") + uan_urea) * 44 / 28
    lime = per_acre_to_g(row, "lime_caco3_lb_per_ac") * 44 / 100 * 0.492
    known = sum(energy.values()) + sum(nitrogen.values()) + sum(chemicals.values()) + fixation + urea + lime
    ci = None if n2o is None else known + n2o
    out: Lines = {**energy, **nitrogen, **chemicals, **oracle_soil(crop, row)}
    out |= {
        "field_n2o_fertilizer_and_residue": n2o,
        "field_co2_urea": urea,
        "field_co2_lime": lime,
        "energy_total": sum(energy.values()),
        "nitrogen_fertilizer_total": sum(nitrogen.values()),
        "field_n2o_total": None if n2o is None else n2o + fixation,
        "field_co2_total": urea + lime,
        "other_chemicals_total": sum(chemicals.values()),
        "ci_without_soc": ci,
    }
    soc = out["soc"]
    out["ci_with_soc"] = None if ci is None or soc is None else ci + soc
    if crop == "soybean":
        out["field_n2o_n_fixation"] = fixation
    if crop == "corn":
        out["n2o_factor_fertilizer"] = ef
        curve = math.exp(0.339 + 0.0047 * row["nitrogen_balance_kg_n_per_ha"])
        out["reference_4r_direct_n2o"] = curve * 44 / 28 * 1000 / 2.47105 / row["yield_bu_per_ac"] * 265
        for name in ("ci_without_soc", "soc", "ci_with_soc"):
            value = out[name]
            out[f"{name}_g_per_mj_ethanol"] = None if value is None else value / 2.88220583817581 / 76330 * 947.817
    return out


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_the_oracle_itself_meets_the_workbook(vector: dict[str, Any]) -> None:
    answer = oracle(vector["crop"], vector["inputs"])
    assert set(answer) == set(vector["outputs"])
    assert all(same(answer[name], value, TOLERANCE) for name, value in vector["outputs"].items())


COUNTIES = st.one_of(
    st.none(),
    st.sampled_from(["99999", "12086", "46102"]),
    st.sampled_from(sorted(rows_by_fips("climate_zone_by_county.csv"))),
    st.sampled_from(sorted(rows_by_fips("soc_corn_by_county.csv"))),
)


@st.composite
def questions(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    crop = draw(st.sampled_from(CROPS))
    row: dict[str, Any] = dict(default_inputs(crop))
    for name in row:
        if name == "yield_bu_per_ac":
            row[name] = draw(st.floats(0.5, 400))
        elif name == "nitrogen_balance_kg_n_per_ha":
            row[name] = draw(st.floats(-200, 200))
        elif name.endswith("_per_ac"):
            row[name] = draw(st.one_of(st.just(0.0), st.floats(0, 2000)))
    row["ammonia_source"] = draw(st.sampled_from(AMMONIA_SOURCES))
    if crop != "sorghum":
        row |= {"fips": draw(COUNTIES), "tillage": draw(st.sampled_from(TILLAGES))}
        row |= {"cover_crop": draw(st.booleans()), "manure": draw(st.booleans())}
    if crop == "corn":
        row["climate_zone_choice"] = draw(st.sampled_from(CLIMATE_ZONE_CHOICES))
    return crop, row


@given(st.lists(questions(), min_size=1, max_size=12))
def test_the_columns_agree_with_the_plain_reading(rows: list[tuple[str, dict[str, Any]]]) -> None:
    answers = evaluate(frame(rows))
    for (crop, row), answer in zip(rows, answers.iter_rows(named=True), strict=True):
        expected = oracle(crop, row)
        for name, value in answer.items():
            if name != "crop":
                assert same(value, expected.get(name), 1e-9), (crop, name, value, expected.get(name), row)


@pytest.mark.parametrize("crop", CROPS)
@pytest.mark.parametrize("bushels", [0.0, -1.0, math.inf, math.nan, None])
def test_a_row_without_a_usable_yield_has_no_line_per_bushel(crop: str, bushels: float | None) -> None:
    answer = evaluate(frame([(crop, {"yield_bu_per_ac": bushels})])).row(0, named=True)
    kept = {name for name, value in answer.items() if value is not None}
    assert kept <= {"crop", "soc_emission_kg_c_per_ha_yr", "n2o_factor_fertilizer"}


@pytest.mark.parametrize(
    ("crop", "name", "value"),
    [
        ("corn", "tillage", "ploughed"),
        ("corn", "climate_zone_choice", "wet"),
        ("soybean", "ammonia_source", "blue"),
        ("soybean", "n_dap_lb_per_ac", None),
        ("sorghum", "diesel_gal_per_ac", None),
        ("corn", "cover_crop", None),
    ],
)
def test_an_unknown_word_or_a_null_takes_the_total_away_instead_of_counting_as_zero(
    crop: str, name: str, value: object
) -> None:
    answer = evaluate(frame([(crop, {name: value})])).row(0, named=True)
    assert answer["ci_with_soc"] is None


@pytest.mark.parametrize("fips", ["1701", "017019", " 17019", "17019 ", "1701x", "", "+7019", "17.19"])
def test_a_county_code_that_is_not_five_digits_matches_nothing(fips: str) -> None:
    answer = evaluate(frame([("corn", {"fips": fips}), ("soybean", {"fips": fips})]))
    assert answer["soc"].to_list() == [None, None]
    assert answer["ci_without_soc"].is_null().to_list() == [True, False]


def test_a_frame_of_nothing_but_the_crop_takes_every_default() -> None:
    answers = evaluate(pl.DataFrame({"crop": list(CROPS)}))
    expected = {vector["crop"]: vector["outputs"]["ci_with_soc"] for vector in VECTORS if vector["label"] == "default"}
    for crop, ci in answers.select("crop", "ci_with_soc").iter_rows():
        assert same(ci, expected[crop], TOLERANCE)


def test_a_crop_the_model_does_not_know_has_no_values_and_empty_frames_stay_empty() -> None:
    assert evaluate(pl.DataFrame({"crop": ["wheat", "corn"]}))["ci_with_soc"].is_null().to_list() == [True, False]
    assert evaluate(pl.DataFrame({"crop": ["wheat"]})).to_dicts() == [{"crop": "wheat"}]
    assert evaluate(pl.DataFrame({"crop": []}, schema={"crop": pl.String})).height == 0


def test_the_zone_called_na_is_a_zone_and_not_a_missing_one() -> None:
    zones = rows_by_fips("climate_zone_by_county.csv")
    unnamed = [fips for fips, row in zones.items() if row["ipcc_climate_zone"] == "NA"]
    assert len(zones) == 3142
    assert len(unnamed) == 35
    answers = evaluate(frame([("corn", {"fips": fips}) for fips in unnamed]))
    assert answers["n2o_factor_fertilizer"].to_list() == pytest.approx([0.01374] * 35)


def test_current_practice_gains_no_soil_carbon_in_any_county() -> None:
    for crop in ("corn", "soybean"):
        counties = list(rows_by_fips(f"soc_{crop}_by_county.csv"))
        answers = evaluate(frame([(crop, {"fips": fips, "tillage": "average"}) for fips in counties]))
        assert answers["soc"].to_list() == [0.0] * 1203


def test_every_input_is_declared_for_the_crops_of_the_vectors() -> None:
    for vector in VECTORS:
        assert set(vector["inputs"]) == set(inputs_of(vector["crop"]))
