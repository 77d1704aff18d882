"""Speed of the open CI model: evaluations a second over columns, and the same work in a plain Python loop."""

import random
import time
from typing import Final

import polars as pl

from bench.measure import Measure, at_least, peer
from provender.intensity.argonne2021 import evaluate
from provender.intensity.argonne2021.counties import PRACTICE_COLUMNS, counties, soil_carbon
from provender.intensity.argonne2021.inputs import (
    CROPS,
    TILLAGES,
    Value,
    default_inputs,
    factors,
    fuel_intensity,
    input_schema,
    product_intensities,
)

ROWS: Final = 1_000_000
LOOP_ROWS: Final = 20_000
BUDGET: Final = 1_000_000
SEED: Final = 20261121
REPEATS: Final = 3

_FUELS: Final = {
    "diesel": "diesel_gal_per_ac",
    "gasoline": "gasoline_gal_per_ac",
    "natural_gas": "natural_gas_ft3_per_ac",
    "lpg": "lpg_gal_per_ac",
    "electricity": "electricity_kwh_per_ac",
}
_NITROGEN: Final = ("ammonia", "urea", "ammonium_nitrate", "ammonium_sulfate", "uan", "map", "dap")


def rows(count: int, seed: int = SEED) -> list[dict[str, Value]]:
    """Make rows of all three crops in counties of all kinds, every farm input varied."""
    chance = random.Random(seed)
    codes = list(counties())
    made = []
    for _ in range(count):
        crop = chance.choice(CROPS)
        row: dict[str, Value] = {"crop": crop, **default_inputs(crop)}
        factor = chance.uniform(0.5, 1.5)
        row |= {name: value * factor for name, value in row.items() if isinstance(value, float)}
        if crop != "sorghum":
            row |= {"fips": chance.choice(codes), "tillage": chance.choice(TILLAGES)}
            row |= {"cover_crop": chance.choice((True, False)), "manure": chance.choice((True, False))}
        row["ammonia_source"] = chance.choice(("conventional", "green"))
        made.append(row)
    return made


def frame(some: list[dict[str, Value]], count: int) -> pl.DataFrame:
    """Repeat rows to a frame of ``count``."""
    one = pl.DataFrame([dict.fromkeys(input_schema()) | row for row in some], schema=dict(input_schema()))
    return pl.concat([one] * (count // one.height + 1)).head(count).rechunk()


class Loop:
    """The model as a plain loop would have it: one row, one dictionary, no columns. Constants are looked up once."""

    def __init__(self) -> None:
        f = factors()
        self.fuel = {(fuel, crop): fuel_intensity(fuel, crop) for fuel in _FUELS for crop in CROPS}
        self.made = {source: product_intensities(source) for source in ("conventional", "green")}
        self.heat, self.cover = f["lower_heating_value"], f["cover_crop_energy_share"]
        self.share, self.content = f["burden_share_to_n"], f["n_content"]
        self.direct, self.indirect = f["n2o_factor_fertilizer_direct_corn"], f["n2o_factor_fertilizer_indirect_corn"]
        self.residue, self.herbicide = f["residue_n"], f["herbicide_intensity"]
        self.soil = {crop: soil_carbon(crop) for crop in ("corn", "soybean")}
        self.counties = counties()

    def ci(self, row: dict[str, float], words: dict[str, str | None]) -> float | None:
        """Return the CI with soil carbon of one row; None without soil-carbon data."""
        crop, bushels, cover = words["crop"] or "", row["yield_bu_per_ac"], row.get("cover_crop") or 0.0
        made = self.made[words["ammonia_source"] or ""]
        gram, ton = 453.592 / bushels, 907184.74
        total = 0.0
        for fuel, column in _FUELS.items():
            btu = row[column] * self.heat[fuel] + cover * 62060.0 * self.cover[fuel]
            total += btu / bushels * self.fuel[fuel, crop]
        applied = 0.0
        for product in _NITROGEN:
            pounds = row[f"n_{product}_lb_per_ac"]
            applied += pounds * gram
            intensity = made["ammonia_as_fertilizer" if product == "ammonia" else product]
            total += pounds * gram / self.content[product] * intensity / ton * self.share.get(product, 1.0)
        for product in ("map", "dap"):
            total += row[f"p2o5_{product}_lb_per_ac"] * gram / 0.48 * made[product] / ton * (1 - self.share[product])
        lime = row["lime_caco3_lb_per_ac"] * gram
        total += (row["k2o_lb_per_ac"] * gram * made["k2o"] + lime * made["lime"]) / ton + lime * 0.44 * 0.492
        total += (row["herbicide_g_per_ac"] + cover * 612.3496995) / bushels * self.herbicide[crop]
        total += row["insecticide_g_per_ac"] / bushels * 21.29805862330014
        zone = self.counties[words["fips"] or ""].zone if crop == "corn" else "NA"
        factor = self.direct[zone] + self.indirect[zone]
        total += (applied * factor + self.residue[crop] * 0.01264) * 44 / 28 * 265
        total += (row["n_urea_lb_per_ac"] + row["n_uan_lb_per_ac"] * 1.09 * 0.467) * gram * 44 / 28
        if crop == "sorghum":
            return total
        total += 1934.5 if crop == "soybean" else 0.0
        gains = self.soil[crop].get(words["fips"] or "")
        if gains is None:
            return None
        covered, manured = "cc" if cover else "nocc", "manure" if row["manure"] else "nomanure"
        gain = gains[PRACTICE_COLUMNS.index(f"{covered}_{manured}_{words['tillage']}")]
        return total - gain * 44 / 12 / 2.47105 * 1000 / bushels


def _loop(some: list[dict[str, Value]]) -> tuple[float, list[float | None]]:
    """Time the plain loop over rows; return seconds and its answers."""
    loop = Loop()
    numbers = [{name: float(value) for name, value in row.items() if isinstance(value, float | bool)} for row in some]
    words = [{name: value for name, value in row.items() if value is None or isinstance(value, str)} for row in some]
    start = time.perf_counter()
    answers = [loop.ci(row, word) for row, word in zip(numbers, words, strict=True)]
    return time.perf_counter() - start, answers


def run() -> list[Measure]:
    """Measure the columns and the loop.

    The loop's answers are compared with the columns', so that both do the same work.
    """
    some = rows(LOOP_ROWS)
    seconds, answers = _loop(some)
    columns = evaluate(frame(some, LOOP_ROWS))["ci_with_soc"].to_list()
    agree = all(
        (mine is None) == (theirs is None)
        and (mine is None or theirs is None or abs(mine - theirs) <= 1e-9 * max(1.0, abs(theirs)))
        for mine, theirs in zip(columns, answers, strict=True)
    )
    big = frame(some, ROWS)
    fastest = 0.0
    for _ in range(REPEATS):
        start = time.perf_counter()
        evaluate(big)
        fastest = max(fastest, ROWS / (time.perf_counter() - start))
    return [
        at_least("CI model, columns, every line item", fastest, "evaluations/s", BUDGET),
        peer("CI model, plain Python loop, CI only", LOOP_ROWS / seconds, "evaluations/s"),
        at_least("CI model, columns and loop agree", float(agree), "yes=1", 1.0),
    ]
