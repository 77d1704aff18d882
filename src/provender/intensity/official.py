"""Results of USDA FD-CIC, entered from their printouts: the only ones that make a report official.

A run counts for a unit when it is the only one for that unit, crop and harvest year and claims nothing that the
verdicts do not credit: a practice that is not shown earns nothing (interpretation 5), and no other CI can be read off
the printout. Checks of the printout against the records are findings (``run_checks``).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Final

from provender.intensity.calculator import Label, UnitCase, UnitCI
from provender.intensity.combination import Combination, Tillage, Timing
from provender.intensity.disagreement import Disagreement
from provender.problem import Place, Problem
from provender.quantity import CI_SCALE, show
from provender.rule.calculators import Calculators, KnownVersion, packaged_calculators
from provender.rule.calculators import CalculatorStatus as Status
from provender.rule.crops import Crop, Practice
from provender.said import says


@dataclass(frozen=True, slots=True)
class RunFacts:
    """One run of the calculator as its printout shows it; null where the printout does not say.

    Quantities are whole thousandths; CIs are whole hundredths of g CO2e/bu. ``yield_places`` is the number of
    decimals the yield is printed with; null means as many as its digits need.
    """

    run: str
    farm: str
    unit: str
    crop: Crop
    harvest_year: int
    tool: str
    version: str
    status: Status
    county_fips: str | None
    acres: int | None
    yield_bu_per_ac: int | None
    bushels: int | None
    tillage: Tillage | None
    cover_crop: bool | None
    timing: Timing | None
    inhibitor: bool | None
    ci_g_per_bu: int | None
    farm_ci_g_per_bu: int | None = None
    evidence: str | None = None
    yield_places: int | None = None
    run_on: date | None = None

    @property
    def combination(self) -> Combination | None:
        """Return the practices entered; null where one of the four answers is not on the printout."""
        if self.tillage is None or self.cover_crop is None or self.timing is None or self.inhibitor is None:
            return None
        return Combination(self.tillage, self.cover_crop, self.timing, self.inhibitor)


@dataclass(frozen=True, slots=True)
class DefaultFacts:
    """The calculator's national default of a crop, as someone entered it with its source."""

    tool: str
    version: str
    crop: Crop
    ci_g_per_bu: int
    source: str


DefaultKey = tuple[str, str, Crop]
CITE: Final = "2100.020(a)"
LABELS: Final = tuple(Label)
"""From the strongest to the weakest."""
_NO_RUN: Final = "There is no calculator run for this unit, crop and harvest year."
_SEVERAL: Final = "There are several calculator runs for this unit, crop and harvest year: withdraw all but one."
_UNREADABLE: Final = "The calculator run does not show all four practice inputs."


def national_defaults(entries: Iterable[DefaultFacts], file: str) -> tuple[Mapping[DefaultKey, int], list[Problem]]:
    """Return the default of each calculator, version and crop, entered once with its source.

    One without a source is refused; of one entered twice, equal values stand and differing ones are all refused.
    """
    found: dict[DefaultKey, int] = {}
    disputed: set[DefaultKey] = set()
    problems = []
    for row, entry in enumerate(entries, start=1):
        key = (entry.tool, entry.version, entry.crop)
        name = f"The national default CI of {entry.crop.label} in {entry.tool} {entry.version}"
        cause = remedy = ""
        if not says(entry.source):
            cause, remedy = f"{name} has no source.", "Name the printout or page it was read from."
        elif key in found:
            cause, remedy = f"{name} is entered twice.", "Keep one row."
            if found[key] != entry.ci_g_per_bu:
                disputed.add(key)
        else:
            found[key] = entry.ci_g_per_bu
        if cause:
            problems.append(Problem(Place(file, "", row), cause, remedy, cite="2100.020(b)", code="national_default"))
    return MappingProxyType({key: ci for key, ci in found.items() if key not in disputed}), problems


class OfficialRuns:
    """The runs of one tool and version as a calculator; what they may be called is for the lists to say."""

    def __init__(
        self,
        runs: Iterable[RunFacts],
        defaults: Mapping[DefaultKey, int],
        tool: str,
        version: str,
        known: Calculators | None = None,
    ) -> None:
        self._name, self._version, self._defaults = tool, version, defaults
        self._runs: dict[tuple[str, Crop, int], list[RunFacts]] = {}
        for run in runs:
            if (run.tool, run.version) == (tool, version):
                self._runs.setdefault((run.unit, run.crop, run.harvest_year), []).append(run)
        self.listed: KnownVersion | None = (known or packaged_calculators()).find(tool, version)
        self._every = tuple(run for group in self._runs.values() for run in group)
        beta = not self._every or any(run.status is Status.BETA for run in self._every)
        self._label = max(_label(self.listed), Label.PRELIMINARY if beta else Label.OFFICIAL, key=LABELS.index)

    @property
    def name(self) -> str:
        """Name of the tool, as the printouts show it."""
        return self._name

    @property
    def version(self) -> str:
        """Version of the tool, as the printouts show it."""
        return self._version

    @property
    def label(self) -> Label:
        """The weakest of what the list says of the version and what the runs say of themselves."""
        return self._label

    def findings(self) -> list[Disagreement]:
        """Return where the runs or the default entered say something else than the list that names the version."""
        if self.listed is None:
            return [_unlisted(self._name, self._version)] if self._every else []
        return [*_run_findings(self._every, self.listed), *_default_findings(self, self.listed)]

    def national_default(self, crop: Crop) -> int | None:
        """Return the default entered for this tool, version and crop; null where none was."""
        return self._defaults.get((self._name, self._version, crop))

    def evaluate(self, cases: Sequence[UnitCase]) -> tuple[UnitCI, ...]:
        """Answer every case from its run; null with a note where no run can stand for it."""
        return tuple(self._answer(case) for case in cases)

    def _answer(self, case: UnitCase) -> UnitCI:
        runs = self._runs.get((case.unit, case.crop, case.harvest_year), [])
        ci, note = _reading(case, runs)
        return UnitCI(case.unit, ci, self._label, self._name, self._version, (note,) if note else ())


def _label(listed: KnownVersion | None) -> Label:
    if listed is None:
        return Label.UNLISTED
    if listed.status is Status.BETA:
        return Label.PRELIMINARY
    return Label.EXAMPLE if listed.example else Label.OFFICIAL


def _unlisted(tool: str, version: str) -> Disagreement:
    cause = f"No list names the version {version!r} of {tool}, so nobody can say that it is final."
    remedy = (
        "Write calculator and version as `provender rule calculators` lists them, or name a list with --calculators."
    )
    return Disagreement(
        "calculator_unlisted", CITE, "calculator", cause, f"{tool} {version}", "a listed one", None, remedy
    )


def _run_findings(runs: Iterable[RunFacts], listed: KnownVersion) -> Iterable[Disagreement]:
    for run in runs:
        subject = f"run {run.run}, unit {run.unit}"
        if run.status is Status.FINAL and listed.status is Status.BETA:
            cause = f"The run calls {listed.version} of {listed.calculator} final; {listed.listed_by.name} says beta."
            remedy = "Correct the status, or run a final version."
            yield Disagreement("run_status_differs", CITE, subject, cause, "final", "beta", run.bushels, remedy)
        if run.run_on and listed.first_day and run.run_on < listed.first_day:
            cause = f"The run is older than its version, which could first be run on {listed.first_day}."
            remedy = "Correct the day of the run, or its version."
            shown = str(run.run_on), f"{listed.first_day} or later"
            yield Disagreement("run_before_version", CITE, subject, cause, *shown, run.bushels, remedy)


def _default_findings(runs: OfficialRuns, listed: KnownVersion) -> Iterable[Disagreement]:
    for crop in Crop:
        entered, stated = runs.national_default(crop), listed.defaults.get(str(crop))
        if entered is not None and stated is not None and entered != stated:
            cause = f"The national default entered for {crop.label} is not that of {listed.listed_by.name}."
            claimed, expected = (f"{show(ci, CI_SCALE, places=CI_SCALE)} g CO2e/bu" for ci in (entered, stated))
            remedy = "Enter the default that the calculator prints."
            yield Disagreement(
                "national_default_differs", "2100.020(b)", crop.label, cause, claimed, expected, None, remedy
            )


def uncredited(claimed: Combination, may_claim: frozenset[Practice]) -> tuple[Practice, ...]:
    """Return the practices claimed that are not credited, in the order of the rule."""
    more = claimed.practices - may_claim
    return tuple(one for one in Practice if one in more)


def _reading(case: UnitCase, runs: Sequence[RunFacts]) -> tuple[int | None, str]:
    """Return a case's CI and a note that says why there is none."""
    if len(runs) != 1:
        return None, _SEVERAL if runs else _NO_RUN
    run = runs[0]
    if run.combination is None:
        return None, _UNREADABLE
    claimed = uncredited(run.combination, case.may_claim)
    if claimed:
        names = ", ".join(one.label for one in claimed)
        return None, f"The calculator run claims {names}, which the records do not show: run it again without."
    if case.county_fips is not None and run.county_fips != case.county_fips:
        return None, "The calculator run is for another county than the unit lies in."
    if run.ci_g_per_bu is None:
        return None, "The calculator run shows no CI."
    return run.ci_g_per_bu, _told_of_less(run.combination, case.combination)


def _told_of_less(claimed: Combination, shown: Combination) -> str:
    """Say that more could have been claimed: a farm producer may claim less than the records show."""
    more = shown.practices - claimed.practices
    left = [one.label for one in Practice if one in more]
    if not left:
        return ""
    return f"The calculator was run without {', '.join(left)}, which the records show: that is allowed."
