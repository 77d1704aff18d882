"""The CI of each unit under every combination of practices, by the open model in USDA's two steps (estimates)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Final

from provender.catalog.places import find_county
from provender.exact import CI_SCALE, SCALE, half_even, show
from provender.intensity.argonne2021 import DISCLAIMER, NAME, VERSION
from provender.intensity.argonne2021.inputs import CROPS, WITH_SOIL_CARBON, Value, counties, soil_carbon
from provender.intensity.argonne2021.model import evaluate
from provender.intensity.calculator import (
    Calculator,
    CalculatorStep,
    Combination,
    Label,
    Tillage,
    Timing,
    UnitCase,
    UnitCI,
    claimable_combinations,
)
from provender.intensity.harvests import UnitResult
from provender.intensity.quantify import Quantification
from provender.rule.crops import Crop, Practice
from provender.standards.judge import IntervalJudged, RequirementJudged
from provender.standards.standard import Missing, Part, Verdict
from provender.verdicts import words
from provender.verdicts.assess import Assessment

_MODEL_CROPS: Final = MappingProxyType({Crop.field_corn: "corn", Crop.soybeans: "soybean", Crop.sorghum: "sorghum"})
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


@cache
def _answer(crop: str, fips: str | None, tillage: str, *, cover_crop: bool) -> tuple[int, int | None]:
    """Return CI without and with soil carbon, whole hundredths, half even.

    A county without a zone is asked without one, which cancels in the difference. The model has one answer for each
    county, crop and practices, however many units ask.
    """
    zone = "county" if fips is not None and fips in counties() else "no_consideration"
    asked: dict[str, Value] = {"fips": fips, "climate_zone_choice": zone, "tillage": tillage, "cover_crop": cover_crop}
    found = evaluate(crop, asked)
    without, with_soc = found["ci_without_soc"], found["ci_with_soc"]
    if without is None:
        raise ValueError(f"the model has no CI of {crop} in {fips}")
    return round(without * 10**CI_SCALE), None if with_soc is None else round(with_soc * 10**CI_SCALE)


@cache
def national_baselines() -> MappingProxyType[str, int]:
    """Return the model's baseline of each of its crops in hundredths of g CO2e/bu."""
    return MappingProxyType({crop: _answer(crop, None, "average", cover_crop=False)[0] for crop in CROPS})


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
        return national_baselines()[_MODEL_CROPS[crop]]

    def evaluate(self, cases: Sequence[UnitCase]) -> tuple[UnitCI, ...]:
        """Answer every case. Null with a note where the county has no soil-carbon data."""
        return tuple(map(self._two_steps, cases))

    def _two_steps(self, case: UnitCase) -> UnitCI:
        crop, combination, fips = _MODEL_CROPS[case.crop], case.combination, case.county_fips
        usual = _answer(crop, fips, "average", cover_crop=False)
        changed = _answer(crop, fips, _TILLAGE[combination.tillage], cover_crop=combination.cover_crop)
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


# What a unit's CI would be under every combination of practices its crop may claim (2100.012).


@dataclass(frozen=True, slots=True)
class Option:
    """One combination for one unit. Differences are this CI minus the other, hundredths: below zero is better."""

    combination: Combination  # the practices
    result: UnitCI  # the calculator's answer, with its label and notes
    against_national: int | None  # difference to the national default; null where either is missing
    against_today: int | None  # difference to today's practice; null where either is missing
    is_today: bool  # these are today's practices


def _difference(value: int | None, other: int | None) -> int | None:
    return None if value is None or other is None else value - other


def plan(case: UnitCase, calculator: Calculator) -> tuple[Option, ...]:
    """Answer one unit under every combination its crop may claim.

    Args:
        case: the unit with today's practices as its combination.
        calculator: any source of CIs.

    Returns:
        Options from the lowest CI to the highest, those without a CI last; equal CIs with fewer practices first.
    """
    choices = claimable_combinations(case.crop)
    results = calculator.evaluate([replace(case, combination=choice) for choice in (case.combination, *choices)])
    today, national = results[0].ci_g_per_bu, calculator.national_default(case.crop)
    options = [
        Option(
            choice,
            result,
            _difference(result.ci_g_per_bu, national),
            _difference(result.ci_g_per_bu, today),
            choice == case.combination,
        )
        for choice, result in zip(choices, results[1:], strict=True)
    ]
    return tuple(sorted(options, key=_order))


def _order(option: Option) -> tuple[bool, int, int]:
    """Sort by CI, nulls last, then by how much has to be done for it."""
    ci = option.result.ci_g_per_bu
    return (ci is None, ci or 0, len(option.combination.practices))


# The distinct results among a unit's options: what each costs in records, the cheapest missing piece first.

Cost = tuple[int, int]
"""Practices that the records show as not met, and records that are missing: in this order of dearness."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What one practice lacks on a unit."""

    practice: Practice  # which
    # the requirement that is not met, which no record would mend; None where records alone are missing
    broken: RequirementJudged | None
    records: tuple[Missing, ...]  # what would show the practice, each once for all rows that lack it

    def __str__(self) -> str:
        """Say in one line what keeps the practice from being credited today."""
        if self.broken is not None:
            more = "; ".join(filter(None, words.numbers(self.broken)))
            return f"{self.practice.label}: not met ({more or self.broken.requirement.says.rstrip('.')})"
        count = len(self.records)
        return f"{self.practice.label}: not shown ({count} record{'' if count == 1 else 's'} missing)"


@dataclass(frozen=True, slots=True)
class Line:
    """One distinct result."""

    options: tuple[Option, ...]  # the combinations that end in it at the least cost, fewest practices first
    pieces: tuple[Piece, ...]  # what any of them lacks, cheapest first; none where nothing is lacking
    cost: Cost  # of each of them
    dearer: int  # how many more combinations end in the same CI and cost more

    @property
    def is_today(self) -> bool:
        """Whether today's practices are among them."""
        return any(option.is_today for option in self.options)

    @property
    def option(self) -> Option:
        """Return the one with the fewest practices: all have its CI."""
        return self.options[0]

    def __str__(self) -> str:
        """Name what the combinations have in common, and what each may have besides."""
        sets = [option.combination.practices for option in self.options]
        common = frozenset.intersection(*sets)
        name = _named(common) or "no practice"
        besides = [_named(one - common) for one in sets if one != common]
        if not besides:
            return name
        if common in sets:
            return f"{name}, alone or with {'; or '.join(besides)}"
        return f"{f'{name} with' if common else 'any of'} {'; or '.join(besides)}"


@dataclass(frozen=True, slots=True)
class UnitPlan:
    """What other practices would do on one unit."""

    crop: Quantification  # the farm's crop and year
    unit: UnitResult  # the unit
    options: tuple[Option, ...]  # every combination its crop may claim, from the lowest CI to the highest
    lacking: Mapping[Practice, Piece]  # what each practice lacks that is not credited
    lines: tuple[Line, ...]  # the distinct results

    @property
    def today(self) -> Option:
        return next(option for option in self.options if option.is_today)

    def adding(self, practice: Practice) -> Option | None:
        """Return today's practices with one more; None where it is credited, or changes nothing that is claimed."""
        wanted = Combination.of({*self.unit.credited, practice})
        found = next((option for option in self.options if option.combination == wanted), None)
        return None if found is None or found.is_today else found

    def grams(self, option: Option) -> Decimal | None:
        """Return g CO2e of all bushels under an option against today's practices; None where either is not known."""
        change, bushels = option.against_today, self.unit.bushels
        return None if change is None or bushels is None else Decimal(change * bushels) / 10 ** (CI_SCALE + SCALE)

    def within_reach(self) -> tuple[Option, ...]:
        """Return the options for which records alone are missing, today's among them."""
        return tuple(one for one in self.options if not cost_of(one, self.lacking)[0])


def unit_plan(judged: Assessment, one: Quantification, unit: UnitResult) -> UnitPlan:
    """Plan one unit by the open model: estimates, not USDA FD-CIC."""
    today = Combination.of(unit.credited)
    options = plan(UnitCase(unit.unit_id, one.crop, one.harvest_year, unit.county_fips, today), TwoStepArgonne())
    verdicts = judged.of(one.farm_id, one.crop, one.harvest_year)
    lacking = _pieces_of(unit.credited, (each for each in verdicts if each.unit_id == unit.unit_id))
    return UnitPlan(one, unit, options, lacking, distinct(options, lacking))


def _named(practices: Collection[Practice]) -> str:
    return " + ".join(one.label for one in Practice if one in practices)


def _pieces_of(credited: Collection[Practice], verdicts: Iterable[IntervalJudged]) -> dict[Practice, Piece]:
    """Return what each practice lacks that a unit's crop may claim and is not credited with.

    Args:
        credited: what the unit is credited with, over all entries of the crop.
        verdicts: those entries; a practice is broken where one of them breaks it.
    """
    found: dict[Practice, Piece] = {}
    for practice in (each for one in verdicts for each in one.practices):
        if not practice.claimable or practice.practice in credited:
            continue
        of_part = [one for one in practice.requirements if one.requirement.part is Part.IMPLEMENTATION]
        broken = next((one for one in of_part if one.verdict is Verdict.NOT_MET), None)
        before = found.get(practice.practice, Piece(practice.practice, None, ()))
        lacks = (each._replace(row="") for one in of_part for each in one.missing)
        records = tuple(dict.fromkeys((*before.records, *lacks)))
        found[practice.practice] = Piece(practice.practice, before.broken or broken, records)
    return found


def cost_of(option: Option, lacking: Mapping[Practice, Piece]) -> Cost:
    pieces = [lacking[one] for one in option.combination.practices if one in lacking]
    records = {record for one in pieces if one.broken is None for record in one.records}
    return sum(one.broken is not None for one in pieces), len(records)


def distinct(options: Sequence[Option], lacking: Mapping[Practice, Piece]) -> tuple[Line, ...]:
    """Return one line for each CI among the options, with the combinations that reach it at the least cost.

    Today's practices come first; then practices that lower the CI, the cheapest missing piece first and the lower CI
    before the higher; then the rest by CI, those without one last.
    """
    by_ci: dict[tuple[int | None, bool], list[Option]] = {}
    for option in options:  # a crop without any practice is another result: it cannot be reported at all
        by_ci.setdefault((option.result.ci_g_per_bu, bool(option.combination.practices)), []).append(option)
    lines = [_line(alike, lacking) for alike in by_ci.values()]

    def order(one: Line) -> tuple[int, Cost, int]:
        change, ci = one.option.against_today, one.option.result.ci_g_per_bu or 0
        if one.is_today:
            return 0, (0, 0), 0
        if change is not None and change < 0 and one.option.combination.practices:
            return 1, one.cost, ci
        return (3 if one.option.result.ci_g_per_bu is None else 2), (0, 0), ci

    return tuple(sorted(lines, key=order))


def _line(alike: Sequence[Option], lacking: Mapping[Practice, Piece]) -> Line:
    costs = [cost_of(option, lacking) for option in alike]
    least = min(costs)
    kept = [option for option, cost in zip(alike, costs, strict=True) if cost == least]
    kept.sort(key=lambda option: len(option.combination.practices))
    named = {one for option in kept for one in option.combination.practices}
    pieces = sorted(
        (piece for practice, piece in lacking.items() if practice in named),
        key=lambda piece: (piece.broken is not None, len(piece.records), list(Practice).index(piece.practice)),
    )
    return Line(tuple(kept), tuple(pieces), least, len(alike) - len(kept))


# What USDA's FD-CIC asks for, unit by unit and in its order, so that it can be copied (2100.020(a)(1) to (8), (b)).
#
# Only what the records show is laid out: a practice that is not met is entered as not used, and what is not recorded
# stays blank with a word of what is missing. Conventional crop is one line a crop, beside the units with practices.

_TILLAGES: Final = {
    Tillage.conventional: "Conventional tillage",
    Tillage.reduced_till: "Reduced till",
    Tillage.no_till: "No-till",
}
_TIMINGS: Final = {
    Timing.as_usual: "As usual",
    Timing.no_fall_application: "No fall application",
    Timing.split_in_season: "Split in-season application",
}
HEADINGS: Final = (
    "unit", "county", "state", "crop", "yield bu/ac", "acres", "tillage", "cover crop", "timing of N", "inhibitor",
)  # fmt: skip
_CONVENTIONAL: Final = "conventional"


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
        _TILLAGES[entered.tillage],
        "Yes" if entered.cover_crop else "No",
        _TIMINGS[entered.timing],
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
    texts = (
        _CONVENTIONAL,
        "",
        "",
        one.crop.label,
        _yield(bushels or None, acres or None),
        show(acres) if acres else "",
    )
    return UnitInputs((*texts, "", "", "", ""), lacks)


def _yield(bushels: int | None, acres: int | None) -> str:
    """Return bushels an acre with as many decimals as give the bushels back, at most three."""
    if not acres or bushels is None:
        return ""
    exact = Fraction(bushels, acres)
    return show(half_even(exact.numerator * 1000, exact.denominator))
