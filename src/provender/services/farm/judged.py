"""A record book on disk, judged, and quantified by farm, crop and harvest year."""

from collections.abc import Sequence
from pathlib import Path

from provender.intensity.calculator import OFFICIAL
from provender.intensity.county_table import CountyTable
from provender.intensity.county_yields import CountyYields
from provender.intensity.quantify import Quantification, quantify
from provender.practices.assess import Assessment, assess
from provender.problem import Place, Problem, ProblemsError
from provender.records.folder import load_book
from provender.rule.calculators import known_calculators
from provender.rule.crops import Crop


def judged(book: Path) -> Assessment:
    """Load and judge a book."""
    return assess(load_book(book))


def quantified(
    assessment: Assessment,
    crop: Crop | None,
    year: int | None,
    calculator: str | CountyTable = OFFICIAL,
    calculators: Path | None = None,
    county_yields: CountyYields | None = None,
) -> list[Quantification]:
    """Quantify every farm, crop and harvest year asked for; ``calculators`` is a list beside the packaged one.

    Yields are held against ``county_yields`` where they are given.

    Raises:
        ProblemsError: the book has no such harvest, or the list cannot be used.
    """
    known, yields = known_calculators(calculators), county_yields.values if county_yields else None
    found = [
        quantify(assessment, farm_id, of, harvest_year, calculator, known=known, county_yields=yields)
        for farm_id, of, harvest_year in assessment.harvests
        if crop in (None, of) and year in (None, harvest_year)
    ]
    if not found:
        raise ProblemsError([_no_such(assessment)])
    return found


def yields_compared(results: Sequence[Quantification], yields: CountyYields, file: str) -> CountyYields:
    """Return yields of counties, with a note where no unit of any result was held against one."""
    units = {(unit.county_fips, one.crop, one.harvest_year) for one in results for unit in one.units}
    return yields if not yields.values or units & yields.values.keys() else yields.compared_with_nothing(file)


def _no_such(assessment: Assessment) -> Problem:
    have = ", ".join(f"{of} {harvest_year}" for _, of, harvest_year in assessment.harvests)
    if not have:
        return nothing_to_judge()
    cause = f"The book holds no such crop and harvest year; it has: {have}."
    return Problem(Place("harvest.csv"), cause, "Choose one of them.", "2100.020", code="no_such_harvest")


def nothing_to_judge() -> Problem:
    """Return what to tell of a book in which no crop gets a verdict, so that no answer is an empty one."""
    cause = "The book holds no corn, soybeans or sorghum harvested since the rule is in force: nothing to judge."
    remedy = "Enter each harvest: unit, crop, first and last day, bushels."
    return Problem(Place("harvest.csv"), cause, remedy, "2100.020", code="no_harvest")
