"""What a record book on disk still lacks for signed reports of its last harvest year, as one list."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

from provender.intensity.quantify import Quantification
from provender.problem import Weight, listed
from provender.report.document import build
from provender.report.signing import refusals
from provender.report.verdict_tables import to_do_lines
from provender.services.farm.check import judged, nothing_to_judge, quantified
from provender.verdicts.assess import Assessment


class Needed(NamedTuple):
    """What is still needed: each thing once, rows that could not be read first."""

    year: int  # the harvest year; 0 where no crop gets a verdict
    things: tuple[str, ...]


def still_needed(book: Path, as_of: date) -> Needed:
    """Return what keeps the reports of a book's last harvest year from being signed, and what its claims wait for.

    Raises:
        ProblemsError: the book cannot be read.
    """
    assessment = judged(book)
    unread = [f"{one.place}: {one.cause} {one.remedy}" for one in assessment.problems if one.weight is Weight.ERROR]
    if not assessment.harvests:
        nothing = nothing_to_judge()
        return Needed(0, (*unread, f"{nothing.cause} {nothing.remedy}"))
    year = max(of_year for _, _, of_year in assessment.harvests)
    of_year = [one for one in assessment.intervals if one.harvest_year == year]
    records = (f"{record}: {waits} [7 CFR {cite}]" for record, waits, cite in to_do_lines(of_year))
    return Needed(year, (*unread, *records, *_refused(assessment, quantified(assessment, None, year), as_of)))


def _refused(assessment: Assessment, found: list[Quantification], as_of: date) -> Iterator[str]:
    crops: dict[tuple[str, str, str], list[str]] = {}
    for one in found:
        for problem in refusals(build(assessment, one, as_of=as_of)):
            crops.setdefault((problem.cause, problem.remedy, problem.cite), []).append(str(one.crop))
    for (cause, remedy, cite), of in crops.items():
        yield f"{listed(dict.fromkeys(of))}: {cause} {remedy} [7 CFR {cite}]"
