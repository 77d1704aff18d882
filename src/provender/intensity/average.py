"""The farm-level CI: the bushel-weighted average over every bushel of a crop and harvest year (2100.020(c)).

Exact: hundredths of g CO2e/bu times thousandths of a bushel are whole numbers; the quotient is rounded once, half
even, to hundredths. Conventional bushels enter with the national default (2100.020(b)). Where a unit with bushels
has no CI, or conventional bushels have no default, there is no average: what is missing is named instead.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from provender.exact import CI_SCALE, SCALE, half_even, show

PRODUCT_SCALE: Final = CI_SCALE + SCALE
GROUP: Final = ("farm", "crop", "harvest_year")


@dataclass(frozen=True, slots=True)
class Share:
    """The bushels of one unit, or of conventional crop."""

    unit: str  # identifier of the unit
    bushels: int | None  # thousandths of a bushel harvested; null where not recorded
    # the unit's CI in hundredths; null where there is none. Not read for conventional crop.
    ci_g_per_bu: int | None = None
    conventional: bool = False  # no practice credited: the national default counts


@dataclass(frozen=True, slots=True)
class WorkedRow:
    """One line of the working: bushels (thousandths) times CI (hundredths) is the product (hundred-thousandths g)."""

    unit: str
    conventional: bool
    bushels: int
    ci_g_per_bu: int
    product: int


@dataclass(frozen=True, slots=True)
class FarmAverage:
    """The average with its working."""

    rows: tuple[WorkedRow, ...]  # every share that counts, in the order given; empty where something is missing
    bushels: int  # their sum, thousandths of a bushel
    product: int  # sum of the products, hundred-thousandths of a gram CO2e
    ci_g_per_bu: int | None  # the quotient, rounded once half even to hundredths; null where something is missing
    missing: tuple[str, ...] = ()  # whole sentences: what has to be added before there is an average

    def as_json(self) -> dict[str, object]:
        """Return the working as plain data, quantities as decimal text."""
        return {
            "rows": [
                {
                    "unit": row.unit,
                    "conventional": row.conventional,
                    "bushels": show(row.bushels),
                    "ci_g_per_bu": show(row.ci_g_per_bu, CI_SCALE, places=CI_SCALE),
                    "product_g": show(row.product, PRODUCT_SCALE),
                }
                for row in self.rows
            ],
            "bushels": show(self.bushels),
            "product_g": show(self.product, PRODUCT_SCALE),
            "ci_g_per_bu": None if self.ci_g_per_bu is None else show(self.ci_g_per_bu, CI_SCALE, places=CI_SCALE),
            "missing": list(self.missing),
        }


def _gap(share: Share, national_default: int | None) -> str | None:
    """Say what a share lacks, or None. A share without bushels weighs nothing and lacks nothing else."""
    if share.bushels is None:
        return f"The bushels harvested from {share.unit} are not recorded."
    if share.bushels < 0:
        return f"The bushels of {share.unit} are below zero."
    if share.bushels == 0:
        return None
    if share.conventional and national_default is None:
        return f"{share.unit} is conventional and the calculator's national default CI has not been entered."
    if not share.conventional and share.ci_g_per_bu is None:
        return f"{share.unit} has no CI from the calculator."
    return None


def farm_average(shares: Iterable[Share], national_default: int | None) -> FarmAverage:
    """Average the CI over all bushels of one farm, crop and harvest year.

    Args:
        shares: every unit and all conventional bushels; nothing may be left out (2100.020).
        national_default: the calculator's default for the crop in hundredths; null where not entered.
    """
    every = tuple(shares)
    missing = [gap for share in every if (gap := _gap(share, national_default)) is not None]
    rows = []
    for share in every:
        ci = national_default if share.conventional else share.ci_g_per_bu
        if share.bushels and share.bushels > 0 and ci is not None:
            rows.append(WorkedRow(share.unit, share.conventional, share.bushels, ci, share.bushels * ci))
    bushels, product = sum(row.bushels for row in rows), sum(row.product for row in rows)
    if not missing and not bushels:
        missing.append("There are no bushels to average over.")
    if missing:
        return FarmAverage((), 0, 0, None, tuple(missing))
    return FarmAverage(tuple(rows), bushels, product, half_even(product, bushels))
