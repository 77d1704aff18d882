"""USDA's two-step form on the open model: CI = national baseline - (county CI as usual - county CI with practices).

The choices, all of the model's own default inputs, so that one county, crop and set of practices has one CI:

- national baseline: no climate zone, average tillage, no cover crop, no manure. Soil carbon is measured against
  just that practice, so it is 0 by construction and the baseline is the model's CI without soil carbon;
- county as usual: the same in the county (its climate zone for corn);
- county with practices: as usual, with no-till, reduced till or a cover crop where credited. A unit without a
  tillage practice keeps average tillage: it claims nothing and loses nothing.

Each of the three is quantised to hundredths first, so the subtraction on paper is exact. The model has no
coefficient for nitrification inhibitors and timing, and none for any practice in sorghum: no credit, and the
result says so. Extra diesel by tillage is not used: the default diesel contains tillage already.
"""

from collections.abc import Sequence
from functools import cache
from types import MappingProxyType
from typing import Final

import polars as pl

from provender.exact import CI_SCALE
from provender.intensity.argonne2021 import DISCLAIMER, NAME, VERSION
from provender.intensity.argonne2021.inputs import CROPS, WITH_SOIL_CARBON, counties, soil_carbon
from provender.intensity.argonne2021.model import evaluate
from provender.intensity.calculator import CalculatorStep, Combination, Label, Tillage, Timing, UnitCase, UnitCI
from provender.rule.law import Crop

MODEL_CROPS: Final = MappingProxyType({Crop.field_corn: "corn", Crop.soybeans: "soybean", Crop.sorghum: "sorghum"})
"""The rule's crop -> the model's word."""

_TILLAGE: Final = MappingProxyType(
    {Tillage.conventional: "average", Tillage.reduced_till: "reduced", Tillage.no_till: "no_till"}
)

NO_SOC: Final = (
    "No SOC for this county: the model has no soil-carbon data there, so a tillage or cover-crop CI has no value."
)
NO_INHIBITOR: Final = "No credit for the nitrification inhibitor: the model has no coefficient for it."
NO_TIMING: Final = "No credit for the timing of nitrogen: the model has no coefficient for it."
NO_SORGHUM: Final = "No credit for tillage or cover crop in sorghum: the model has no coefficient for it."
NOT_BETTER: Final = "The model sees no benefit here: the CI is above the national baseline."

_FRAME: Final = {
    "crop": pl.String,
    "fips": pl.String,
    "climate_zone_choice": pl.String,
    "tillage": pl.String,
    "cover_crop": pl.Boolean,
}


def _hundredths(column: str) -> pl.Expr:
    """Quantise a model result: whole hundredths, half even."""
    return (pl.col(column) * 10**CI_SCALE).round(0, mode="half_to_even").cast(pl.Int64)


def _row(crop: str, fips: str | None, tillage: str, *, cover_crop: bool) -> dict[str, object]:
    """Build one question; a county without a zone is asked without one, which cancels in the difference."""
    zone = "county" if fips is not None and fips in counties() else "no_consideration"
    return {"crop": crop, "fips": fips, "climate_zone_choice": zone, "tillage": tillage, "cover_crop": cover_crop}


def _ask(rows: Sequence[dict[str, object]]) -> list[tuple[int, int | None]]:
    """Return CI without and with soil carbon in hundredths for each row."""
    answers = evaluate(pl.DataFrame(rows, schema=_FRAME)).select(
        without=_hundredths("ci_without_soc"), with_soc=_hundredths("ci_with_soc")
    )
    return list(answers.iter_rows())


_KNOWN: Final[dict[tuple[object, ...], tuple[int, int | None]]] = {}
"""Answers of the model: it has one for each county, crop and practices, however many units ask."""


def _answers(rows: Sequence[dict[str, object]]) -> list[tuple[int, int | None]]:
    """Return what ``_ask`` does, asking for each question once."""
    keys = [tuple(row.values()) for row in rows]
    new = {key: row for key, row in zip(keys, rows, strict=True) if key not in _KNOWN}
    if new:
        _KNOWN.update(zip(new, _ask(list(new.values())), strict=True))
    return [_KNOWN[key] for key in keys]


@cache
def national_baselines() -> MappingProxyType[str, int]:
    """Return the model's baseline of each of its crops in hundredths of g CO2e/bu."""
    rows = [_row(crop, None, "average", cover_crop=False) for crop in CROPS]
    return MappingProxyType({crop: without for crop, (without, _) in zip(CROPS, _ask(rows), strict=True)})


def _notes(crop: str, combination: Combination) -> list[str]:
    """Say which practices of the combination the model cannot credit."""
    notes = []
    if crop not in WITH_SOIL_CARBON and (combination.cover_crop or combination.tillage is not Tillage.conventional):
        notes.append(NO_SORGHUM)
    if combination.inhibitor:
        notes.append(NO_INHIBITOR)
    if combination.timing is not Timing.as_usual:
        notes.append(NO_TIMING)
    return notes


class TwoStepArgonne:
    """The open model as a calculator. Its results are estimates, whatever they are used for."""

    name: Final = NAME
    version: Final = VERSION
    label: Final = Label.ESTIMATE

    def national_default(self, crop: Crop) -> int:
        """Return the model's own baseline, hundredths of g CO2e/bu."""
        return national_baselines()[MODEL_CROPS[crop]]

    def evaluate(self, cases: Sequence[UnitCase]) -> tuple[UnitCI, ...]:
        """Answer every case in one run of the model. Null with a note where the county has no soil-carbon data."""
        rows = []
        for case in cases:
            crop, fips = MODEL_CROPS[case.crop], case.county_fips
            tillage = _TILLAGE[case.combination.tillage]
            rows.append(_row(crop, fips, "average", cover_crop=False))
            rows.append(_row(crop, fips, tillage, cover_crop=case.combination.cover_crop))
        answers = _answers(rows)
        pairs = zip(answers[::2], answers[1::2], strict=True)
        return tuple(self._answer(case, *pair) for case, pair in zip(cases, pairs, strict=True))

    def _answer(self, case: UnitCase, usual: tuple[int, int | None], changed: tuple[int, int | None]) -> UnitCI:
        crop, combination = MODEL_CROPS[case.crop], case.combination
        notes = [f"This is an {DISCLAIMER}.", *_notes(crop, combination)]
        baseline = national_baselines()[crop]
        acts = crop in WITH_SOIL_CARBON and (combination.cover_crop or combination.tillage is not Tillage.conventional)
        if acts and case.county_fips not in soil_carbon(crop):
            notes.append(NO_SOC)
        # Where no practice acts in the model, both sides are the same rows and soil carbon cancels.
        part = 1 if acts else 0
        as_usual, with_practices = usual[part], changed[part]
        ci = None if as_usual is None or with_practices is None else baseline - (as_usual - with_practices)
        if ci is not None and ci > baseline:
            notes.append(NOT_BETTER)
        working = (
            CalculatorStep("national baseline", baseline),
            CalculatorStep("county CI as usual", as_usual),
            CalculatorStep("county CI with practices", with_practices),
            CalculatorStep("CI = baseline - (as usual - with practices)", ci),
        )
        return UnitCI(case.unit, ci, self.label, self.name, self.version, tuple(notes), working)
