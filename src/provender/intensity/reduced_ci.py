"""May the crop be sold as reduced-CI crop? Practices on some field, and a CI below the national average (2100.002)."""

from collections.abc import Sequence
from typing import Final

from provender.intensity.disagreement import Disagreement
from provender.intensity.weighted import FarmAverage, Share
from provender.practices.assess import Assessment
from provender.problem import Place, Problem, Weight
from provender.quantity import CI_SCALE, show
from provender.rule.crops import Crop

DEFINITION: Final = '2100.002 "reduced-carbon intensity crop"'
NO_PRACTICE: Final = "No unit of this crop has a practice credited, so none of it is reduced-CI crop."
REMEDY: Final = "Sell it without a claim, or add the records that show a practice."


def _ci(value: int) -> str:
    return f"{show(value, CI_SCALE, places=CI_SCALE)} g CO2e/bu"


def crops_without_practice(assessment: Assessment) -> list[Problem]:
    """Return a note for each farm, crop and harvest year of which no unit has a practice credited."""
    return [
        Problem(
            Place("harvest.csv"), f"{crop.label} {year}, farm {farm}: {NO_PRACTICE}", REMEDY, DEFINITION,
            weight=Weight.NOTE, code="no_practice",
        )
        for farm, crop, year in assessment.harvests
        if not any(interval.credited for interval in assessment.of(farm, crop, year))
    ]  # fmt: skip


def reduced_ci_findings(
    crop: Crop, shares: Sequence[Share], average: FarmAverage, national_default: int | None
) -> list[Disagreement]:
    """Warn where a crop is no reduced-CI crop (interpretation 31); a CI not below the national one is not refused.

    Args:
        crop: the crop.
        shares: what went into the average.
        average: the farm-level CI; without a CI nothing is compared.
        national_default: the calculator's default in hundredths; null where not entered, then not compared.

    Returns:
        ``no_practice`` where no unit with bushels has a practice credited; ``not_below_national`` where the farm CI
        is equal to or above the default. The effect is all bushels.
    """
    findings = []
    bushels = average.bushels or None
    if not any(share.bushels and not share.conventional for share in shares):
        findings.append(Disagreement("no_practice", DEFINITION, crop.label, NO_PRACTICE, "", "", bushels, REMEDY))
    if average.ci_g_per_bu is None or national_default is None or average.ci_g_per_bu < national_default:
        return findings
    findings.append(
        Disagreement(
            "not_below_national",
            DEFINITION,
            crop.label,
            "The farm CI is not below the national default, so the crop has no reduced CI to sell.",
            _ci(average.ci_g_per_bu),
            f"below {_ci(national_default)}",
            bushels,
            "Check the unit CIs; a buyer may have no use for this claim.",
        )
    )
    return findings
