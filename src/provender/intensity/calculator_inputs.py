"""What USDA's FD-CIC asks for, unit by unit and in its order, so that it can be copied (2100.020(a)(1) to (8), (b)).

Only what the records show is laid out: a practice that is not met is entered as not used, and what is not recorded
stays blank with a word of what is missing. Conventional crop is one line a crop, beside the units with practices.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from provender.catalog.counties import find_county
from provender.intensity.combination import Combination, Tillage, Timing
from provender.intensity.quantify import Quantification, UnitResult
from provender.quantity import half_even, show

TILLAGES: Final = {
    Tillage.conventional: "Conventional tillage",
    Tillage.reduced_till: "Reduced till",
    Tillage.no_till: "No-till",
}
TIMINGS: Final = {
    Timing.as_usual: "As usual",
    Timing.no_fall_application: "No fall application",
    Timing.split_in_season: "Split in-season application",
}
HEADINGS: Final = (
    "unit", "county", "state", "crop", "yield bu/ac", "acres", "tillage", "cover crop", "timing of N", "inhibitor",
)  # fmt: skip
CONVENTIONAL: Final = "conventional"


@dataclass(frozen=True, slots=True)
class UnitInputs:
    """What is entered for one unit, as text in the order of ``HEADINGS``; ``missing`` says what the records lack."""

    texts: tuple[str, ...]
    missing: tuple[str, ...] = ()


def inputs_of(one: Quantification) -> tuple[UnitInputs, ...]:
    """Return what is entered for each unit with a practice, then conventional crop in one line."""
    units = [_unit(one, unit) for unit in one.units if not unit.conventional]
    plain = [unit for unit in one.units if unit.conventional]
    return (*units, *([_conventional(one, plain)] if plain else []))


def _unit(one: Quantification, unit: UnitResult) -> UnitInputs:
    county = find_county(unit.county_fips or "")
    entered = Combination.of(unit.credited)
    texts = (
        unit.unit_id,
        county.name if county else "",
        county.state if county else "",
        one.crop.label,
        _yield(unit.bushels, unit.acres),
        "" if unit.acres is None else show(unit.acres),
        TILLAGES[entered.tillage],
        "Yes" if entered.cover_crop else "No",
        TIMINGS[entered.timing],
        "Yes" if entered.inhibitor else "No",
    )
    lacks = {"county": county, "bushels": unit.bushels, "acres": unit.acres}
    return UnitInputs(texts, tuple(name for name, value in lacks.items() if value is None))


def _conventional(one: Quantification, units: Iterable[UnitResult]) -> UnitInputs:
    """Return the crop and yield that 2100.020(b) asks for: bushels grown without a practice."""
    chosen = list(units)
    known = [(unit.bushels, unit.acres) for unit in chosen if unit.bushels is not None and unit.acres is not None]
    bushels, acres = sum(each for each, _ in known), sum(each for _, each in known)
    lacks = tuple(f"bushels or acres of {unit.unit_id}" for unit in chosen if None in (unit.bushels, unit.acres))
    texts = (CONVENTIONAL, "", "", one.crop.label, _yield(bushels or None, acres or None), show(acres) if acres else "")
    return UnitInputs((*texts, "", "", "", ""), lacks)


def _yield(bushels: int | None, acres: int | None) -> str:
    """Return bushels an acre with as many decimals as give the bushels back, at most three."""
    if not acres or bushels is None:
        return ""
    exact = Fraction(bushels, acres)
    return show(half_even(exact.numerator * 1000, exact.denominator))
