"""What a unit's CI would be under every combination of practices its crop may claim (2100.012)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from provender.intensity.calculator import Calculator, UnitCase, UnitCI
from provender.intensity.combination import Combination, claimable_combinations


@dataclass(frozen=True, slots=True)
class Option:
    """One combination for one unit. Differences are this CI minus the other, hundredths: below zero is better.

    Attributes:
        combination: the practices.
        result: the calculator's answer, with its label and notes.
        against_national: difference to the national default; null where either is missing.
        against_today: difference to today's practice; null where either is missing.
        is_today: these are today's practices.
    """

    combination: Combination
    result: UnitCI
    against_national: int | None
    against_today: int | None
    is_today: bool


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


def plans(cases: Sequence[UnitCase], calculator: Calculator) -> dict[str, tuple[Option, ...]]:
    """Plan several units; keyed by unit."""
    return {case.unit: plan(case, calculator) for case in cases}
