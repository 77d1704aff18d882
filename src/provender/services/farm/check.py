"""Judging the practice standards of one record book on disk: which verdicts are asked for, and what is told beside."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from provender.intensity.reduced_ci import crops_without_practice
from provender.plain import write
from provender.practices.assess import Assessment
from provender.practices.deliveries import delivery_notes
from provender.practices.explain import IntervalVerdict, PracticeVerdict
from provender.practices.sowing import sowing_doubts
from provender.practices.verdict import Verdict
from provender.problem import Problem, ProblemsError, Weight, refuse
from provender.report.no_till_promise import promise_problems
from provender.report.plausible import contradictions_of_book
from provender.services.farm.judged import judged, nothing_to_judge
from provender.services.farm.operation_totals import PracticeTotal, operation_totals


@dataclass(frozen=True, slots=True)
class Checked:
    """A judged book, and what was asked for of it.

    Attributes:
        assessment: the judged book.
        chosen: the crop intervals that were asked for.
        totals: of each practice across the operation, in the harvest years that were asked for; none for one unit.
    """

    assessment: Assessment
    chosen: tuple[IntervalVerdict, ...]
    totals: tuple[PracticeTotal, ...]

    @property
    def farm(self) -> str:
        """The identifiers of its farms."""
        return ", ".join(self.assessment.book.farm_ids)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with its records, and what is told beside the verdicts."""
        return tuple(self.assessment.problems)

    @property
    def states(self) -> list[str]:
        """What is to be said of the rule versions of its verdicts, each once."""
        return list(dict.fromkeys(one.rule.state for one in self.chosen if one.rule.state))

    @property
    def is_done(self) -> bool:
        """Whether every practice that is asked for is met, and nothing is wrong with the records."""
        unmet = any(p.implementation is not Verdict.MET for one in self.chosen for p in one.practices if p.asked)
        wrong = any(problem.weight is not Weight.NOTE for problem in self.problems)
        return not unmet and not wrong and bool(self.chosen)

    def as_json(self, as_of: str | None) -> dict[str, Any]:
        """Return the verdicts as JSON data."""
        return {
            "as_of": as_of,
            "intervals": [_interval(one) for one in self.chosen],
            "practice_totals": [write(one, whole=True) for one in self.totals],
            "problems": [problem.as_json() for problem in self.problems],
        }


def check_book(book: Path, unit: str, year: int | None, as_of: date) -> Checked:
    """Judge a book; with ``unit`` or ``year`` only those are chosen.

    Raises:
        ProblemsError: the book cannot be read, or holds nothing of what is asked for.
    """
    assessment = judged(book)
    impossible = contradictions_of_book(assessment, as_of)
    reminders = delivery_notes(assessment.book)
    warnings = (
        *promise_problems(assessment),
        *crops_without_practice(assessment),
        *impossible,
        *reminders,
        *_sown(assessment),
    )
    assessment = replace(assessment, problems=(*assessment.problems, *warnings))
    chosen = tuple(
        one for one in assessment.intervals if unit in ("", one.unit_id) and year in (None, one.harvest_year)
    )
    if (unit or year is not None) and not chosen:
        raise _nothing_chosen(assessment, unit, year)
    if not chosen:
        assessment = replace(assessment, problems=(*assessment.problems, nothing_to_judge()))
    return Checked(assessment, chosen, () if unit else operation_totals(chosen))


def _sown(assessment: Assessment) -> Iterator[Problem]:
    """Ask of what was sown and its pass where they differ; one that lacks its pass alone is told with the verdicts."""
    told = {one.place for one in assessment.problems if one.code == "pass_missing"}
    yield from (
        one.problem for one in sowing_doubts(assessment) if one.sower is not None or one.problem.place not in told
    )


def _nothing_chosen(assessment: Assessment, unit: str, year: int | None) -> ProblemsError:
    """Return a refusal that names what was asked for wrongly: the unit, the year, or both together."""
    units = dict.fromkeys(one.unit_id for one in assessment.intervals)
    years = dict.fromkeys(str(one.harvest_year) for one in assessment.intervals if unit in ("", one.unit_id))
    if unit and unit not in units:
        have = ", ".join(units) or "none"
        return refuse("--unit", f"The book holds no unit {unit!r} with a verdict; it has: {have}.", "Choose one.")
    have = ", ".join(years) or "none"
    of = f" of unit {unit}" if unit else ""
    return refuse("--year", f"The book holds no harvest{of} of {year}; it has: {have}.", "Choose one of these years.")


def _interval(one: IntervalVerdict) -> dict[str, Any]:
    return {
        "farm_id": one.farm_id,
        "unit_id": one.unit_id,
        "harvest_id": one.harvest_id,
        "crop": str(one.crop),
        "harvest_year": one.harvest_year,
        "rule": one.rule.id,
        "warning": one.rule.warning,
        "rule_state": one.rule.state,
        "practices": {str(p.practice): _practice(p) for p in one.practices},
    }


def _practice(found: PracticeVerdict) -> dict[str, Any]:
    return {
        "claimable": found.claimable,
        "standing": str(found.standing),
        "implementation": str(found.implementation),
        "records": str(found.records),
        "missing": list(found.missing) if found.asked else [],
        "requirements": {
            one.requirement: {
                "cite": one.cite, "part": str(one.part), "verdict": str(one.verdict), "observed": one.observed,
                "limit": one.limit, "gap": one.gap, "missing": list(one.missing),
            }
            for one in found.findings
        },
    }  # fmt: skip
