"""Results of USDA FD-CIC, entered from their printouts: the only ones that make a report official.

A run counts for a unit when it is the only one for that unit, crop and harvest year and claims nothing that the
verdicts do not credit: a practice that is not shown earns nothing (interpretation 5), and no other CI can be read off
the printout. Checks of the printout against the records are findings.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from provender.exact import CI_SCALE, SCALE, show
from provender.intensity.average import FarmAverage
from provender.intensity.calculator import Combination, Label, Tillage, Timing, UnitCase, UnitCI
from provender.intensity.harvests import DefaultKey, Disagreement, of_run
from provender.records.book import FarmRows
from provender.rule.calculators import Calculators, KnownVersion, packaged_calculators
from provender.rule.calculators import CalculatorStatus as Status
from provender.rule.crops import Crop, Practice
from provender.standards.evidence import PRINTOUT, Link, judged_links
from provender.verdicts.assess import REMEDIES, said_of

_INPUTS: Final = "2100.020(a)"


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
    crop_entered: bool = True  # whether the row says which crop was entered; that of its harvest stands in otherwise

    def finding(
        self, code: str, cause: str, remedy: str, shown: tuple[str, str], bushels: int | None, *, cite: str = _INPUTS
    ) -> Disagreement:
        """Return a finding on this run; ``shown`` is what it claims and what is expected."""
        return of_run(self.run, self.unit, code, cause, remedy, shown, bushels, cite=cite)

    @property
    def combination(self) -> Combination | None:
        """Return the practices entered; null where one of the four answers is not on the printout."""
        if self.tillage is None or self.cover_crop is None or self.timing is None or self.inhibitor is None:
            return None
        return Combination(self.tillage, self.cover_crop, self.timing, self.inhibitor)


LABELS: Final = tuple(Label)
"""From the strongest to the weakest."""
_NO_RUN: Final = "There is no calculator run for this unit, crop and harvest year."
_SEVERAL: Final = "There are several calculator runs for this unit, crop and harvest year: withdraw all but one."
_UNREADABLE: Final = "The calculator run does not show all four practice inputs."


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
        crops = sorted({run.crop for run in self._every})
        missing = [_no_default(self, crop) for crop in crops if self.national_default(crop) is None]
        if self.listed is None:
            return [_unlisted(self._name, self._version), *missing] if self._every else []
        return [*_run_findings(self._every, self.listed), *_default_findings(self, self.listed), *missing]

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
        "calculator_unlisted", _INPUTS, "calculator", cause, f"{tool} {version}", "a listed one", None, remedy
    )


def _no_default(runs: OfficialRuns, crop: Crop) -> Disagreement:
    cause = f"The national default CI of {crop.label} in {runs.name} {runs.version} is not entered, so nothing is held "
    cause += "against it."
    remedy = "Enter the default that the calculator prints, with its source."
    return Disagreement("national_default_missing", "2100.020(b)", crop.label, cause, "", "", None, remedy)


def _run_findings(runs: Iterable[RunFacts], listed: KnownVersion) -> Iterable[Disagreement]:
    later = f"{listed.first_day} or later"
    for run in runs:
        if run.status is Status.FINAL and listed.status is Status.BETA:
            cause = f"The run calls {listed.version} of {listed.calculator} final; {listed.listed_by.name} says beta."
            remedy = "Correct the status, or run a final version."
            yield run.finding("run_status_differs", cause, remedy, ("final", "beta"), run.bushels)
        if listed.first_day and run.run_on is None:
            cause = f"The run has no day, and its version could first be run on {listed.first_day}."
            yield run.finding("run_day_missing", cause, "Enter the day of the run.", ("", later), run.bushels)
        elif run.run_on and listed.first_day and run.run_on < listed.first_day:
            cause = f"The run is older than its version, which could first be run on {listed.first_day}."
            shown, remedy = (str(run.run_on), later), "Correct the day of the run, or its version."
            yield run.finding("run_before_version", cause, remedy, shown, run.bushels)


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


# Is the printout of each run there, unchanged, of its unit and day? (2100.031(c)(2)(i), interpretation 59).


def printout_findings(
    rows: FarmRows, runs: Iterable[RunFacts], bushels: Mapping[str, int | None]
) -> Iterator[Disagreement]:
    """Yield a finding for each run that no printout documents, with what is wrong with the one it names.

    Args:
        rows: the records of the farm.
        runs: those whose CI counts.
        bushels: of each unit, thousandths.
    """
    for run in runs:
        row = rows.row("calculator_run", run.run)
        links = tuple(judged_links(rows, row, PRINTOUT)) if row else ()
        if all(link.fault for link in links):
            yield _finding(run, links, bushels.get(run.unit))


def _finding(run: RunFacts, links: Sequence[Link], bushels: int | None) -> Disagreement:
    faults = [link.fault for link in links if link.fault]
    code, shown = "run_printout_missing", ("no printout", PRINTOUT.what)
    cause, remedy = "No printout of this run is on file.", "Add the calculator's printout as evidence and name it."
    if faults:
        code, shown, remedy = "run_printout_unsound", (links[0].name, PRINTOUT.what), REMEDIES[faults[0]]
        cause = f"The printout of this run cannot document it: {'; '.join(map(said_of, links))}."
    return run.finding(code, cause, remedy, shown, bushels, cite=PRINTOUT.cite)


# Do the printouts agree with the records, with each other and with our own average? Each disagreement is a finding.


def _compare(run: RunFacts, unit: UnitCase) -> Iterator[tuple[str, str, str, str]]:
    """Yield code, cite, claimed, expected of each input that differs from the record."""
    if run.crop is not unit.crop or not run.crop_entered:
        yield "crop", "(2)", run.crop.label if run.crop_entered else "not shown", unit.crop.label
    if run.harvest_year != unit.harvest_year:
        yield "harvest_year", "", str(run.harvest_year), str(unit.harvest_year)
    if run.county_fips is None or run.county_fips != unit.county_fips:
        yield "county", "(1)", run.county_fips or "not shown", unit.county_fips or "not recorded"
    amounts = (
        ("acres", "(4)", "ac", run.acres, unit.acres),
        ("bushels", "(3)", "bu", run.bushels, unit.bushels),
    )
    for name, step, measure, claimed, expected in amounts:
        # Most printouts show no bushels; a blank agrees with nothing.
        if (claimed is None and name == "acres") or (claimed is not None and claimed != expected):
            yield name, step, _amount(claimed, measure, "not shown"), _amount(expected, measure, "not recorded")


def _amount(value: int | None, measure: str, missing: str) -> str:
    return missing if value is None else f"{show(value, group=True)} {measure}"


def inputs_agree(run: RunFacts, unit: UnitCase) -> list[Disagreement]:
    """Compare the inputs on a printout with the records and the verdicts (2100.020(a)).

    A practice claimed but not credited is a finding on all bushels of the unit. One credited but not claimed is
    not: a farm producer may claim less. Without all four practice answers the printout documents no input.
    """
    remedy = "Correct the record, or run the calculator again with the recorded value."
    findings = []
    for name, step, *shown in _compare(run, unit):
        cause = f"The {name.replace('_', ' ')} entered in the calculator is not that of the records."
        code, claimed, expected = f"run_{name}_differs", *shown
        findings.append(run.finding(code, cause, remedy, (claimed, expected), unit.bushels, cite=f"{_INPUTS}{step}"))
    combination = run.combination
    if combination is None:
        cause = "The printout does not show all four answers about practices."
        remedy = "Attach a printout that shows tillage, cover crop, timing and inhibitor."
        return [*findings, run.finding("run_practices_unread", cause, remedy, ("", ""), unit.bushels)]
    for practice in uncredited(combination, unit.may_claim):
        cause = f"The run claims {practice.label}, which is not met or not shown for this unit."
        remedy = "Add the records that show it, or run the calculator again without it."
        code, both = "run_claims_uncredited_practice", (str(combination), str(unit.combination))
        findings.append(run.finding(code, cause, remedy, both, unit.bushels, cite=str(practice.cite)))
    return findings


def _yield_unit(run: RunFacts) -> int:
    """Return one step of the yield's last printed digit, in thousandths of a bushel per acre."""
    if run.yield_places is not None:
        return int(10 ** max(0, SCALE - run.yield_places))
    step = 1
    while step < 10**SCALE and (run.yield_bu_per_ac or 0) % (step * 10) == 0:
        step *= 10
    return step


def acres_times_yield(run: RunFacts, harvested: int | None = None) -> list[Disagreement]:
    """Check that acres x yield = bushels (interpretation 28).

    Acres and bushels are exact. The only slack is the rounding of the printed yield: half a step of its last
    printed digit, times the acres. 100 ac at 180.5 bu/ac may stand for 18,045 to 18,055 bu, both ends included.

    Args:
        run: the printout.
        harvested: the unit's bushels by the records (thousandths), used where the printout shows none. A yield that
            is missing is a finding; missing acres and bushels are told by ``inputs_agree`` and ``bushels_complete``.
    """
    bushels = harvested if run.bushels is None else run.bushels
    if run.yield_bu_per_ac is None:
        cause = "The run does not show the yield that was entered, so acres times yield cannot be held against bushels."
        remedy = "Enter the yield as the printout shows it."
        return [run.finding("run_yield_missing", cause, remedy, ("not shown", ""), bushels, cite="2100.020(a)(3)")]
    if run.acres is None or bushels is None:
        return []
    off = run.acres * run.yield_bu_per_ac - bushels * 10**SCALE
    if 2 * abs(off) <= run.acres * _yield_unit(run):
        return []
    product = show(run.acres * run.yield_bu_per_ac, 2 * SCALE, group=True)
    expected = f"{show(run.acres, group=True)} ac x {show(run.yield_bu_per_ac)} bu/ac = {product} bu"
    cause = "Acres times yield is not the bushels of this unit, by more than the rounding of the printed yield."
    remedy = "Enter the yield that acres and bushels give, or correct the bushels."
    shown, effect = (f"{show(bushels, group=True)} bu", expected), abs(off) // 10**SCALE
    return [run.finding("acres_times_yield", cause, remedy, shown, effect, cite="2100.020(a)(3)")]


def printed_average(runs: Sequence[RunFacts], ours: FarmAverage) -> list[Disagreement]:
    """Compare the farm CI on the printouts of one farm, crop and year with ours: the printed one is official (28).

    A run that does not say what its printout shows agrees with nothing.
    """
    cause = "The run does not show the farm CI that the calculator printed, which is the official one."
    remedy = "Enter the farm CI as the printout shows it."
    silent = [
        run.finding("run_farm_ci_missing", cause, remedy, ("not shown", ""), ours.bushels or None, cite="2100.020(c)")
        for run in runs
        if run.farm_ci_g_per_bu is None
    ]
    printed = sorted({run.farm_ci_g_per_bu for run in runs if run.farm_ci_g_per_bu is not None})
    mine = "none" if ours.ci_g_per_bu is None else show(ours.ci_g_per_bu, CI_SCALE, places=CI_SCALE)
    return silent + [
        Disagreement(
            "farm_ci_differs",
            "2100.020(c)",
            "farm-level CI",
            "The farm CI on the printout is not the bushel-weighted average of its units.",
            f"{show(ci, CI_SCALE, places=CI_SCALE)} g CO2e/bu",
            f"{mine} g CO2e/bu",
            ours.bushels or None,
            "Look for a unit or conventional bushels that one of the two leaves out.",
        )
        for ci in printed
        if ci != ours.ci_g_per_bu
    ]


def one_version(runs: Sequence[RunFacts]) -> list[Disagreement]:
    """Find runs of several versions in one average: each version has its own national default (2100.020(b))."""
    versions = sorted({f"{run.tool} {run.version}" for run in runs})
    if len(versions) < 2:  # noqa: PLR2004 - two versions are one too many
        return []
    cause = "The units of one farm, crop and year were run with different versions of the calculator."
    remedy = "Run every unit with one version."
    return [
        Disagreement("versions_mixed", "2100.020(c)", "calculator", cause, ", ".join(versions), "one", None, remedy)
    ]


def one_ci_per_inputs(runs: Iterable[RunFacts]) -> list[Disagreement]:
    """Find the same version, county, crop and practices with different CIs, over all farms (interpretation 29).

    The calculator knows a CI for each county, crop and set of practices: two values mean a mistaken or forged
    printout. Runs that lack one of these inputs, or the CI, are not compared.
    """
    groups: dict[tuple[str, str, str, Crop, Combination], list[RunFacts]] = {}
    for run in runs:
        if run.county_fips is not None and run.combination is not None and run.ci_g_per_bu is not None:
            key = (run.tool, run.version, run.county_fips, run.crop, run.combination)
            groups.setdefault(key, []).append(run)
    findings = []
    for (tool, version, county, crop, combination), group in sorted(groups.items()):
        values = sorted({run.ci_g_per_bu for run in group if run.ci_g_per_bu is not None})
        if len(values) == 1:
            continue
        named = ", ".join(f"{run.farm} {run.unit}" for run in sorted(group, key=lambda one: (one.farm, one.unit)))
        shown = ", ".join(show(value, CI_SCALE, places=CI_SCALE) for value in values)
        known = [run.bushels for run in group if run.bushels is not None]
        findings.append(
            Disagreement(
                "same_inputs_different_ci",
                "2100.031(c)(2)(i)",
                f"{crop.label} in county {county}, {combination}: {named}",
                f"{tool} {version} gives one CI for these inputs, and the printouts show several.",
                f"{shown} g CO2e/bu",
                "one value",
                sum(known) if len(known) == len(group) else None,
                "Run the calculator again for each of them and compare the printouts.",
            )
        )
    return findings
