"""One farm, crop and harvest year quantified: the CI of every unit, and the farm-level average (2100.020)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce

from provender.intensity.book_facts import FarmFacts, farm_facts
from provender.intensity.calculator import ARGONNE, CALCULATORS, OFFICIAL, Calculator, Label, UnitCase, UnitCI
from provender.intensity.combination import Combination
from provender.intensity.completeness import (
    OPEN,
    acres_complete,
    bushels_complete,
    explained,
    nothing_counted,
    yields_in_line,
)
from provender.intensity.county_table import CountyTable
from provender.intensity.county_yields import YieldKey
from provender.intensity.disagreement import Disagreement
from provender.intensity.official import LABELS, OfficialRuns, RunFacts, national_defaults
from provender.intensity.printouts import printout_findings
from provender.intensity.reduced_ci import reduced_ci_findings
from provender.intensity.run_checks import (
    UnitRecord,
    acres_times_yield,
    inputs_agree,
    one_ci_per_inputs,
    one_version,
    printed_average,
)
from provender.intensity.two_step import TwoStepArgonne
from provender.intensity.weighted import FarmAverage, Share, farm_average
from provender.practices.assess import Assessment
from provender.practices.explain import IntervalVerdict
from provender.problem import Problem
from provender.rule.calculators import Calculators, KnownVersion
from provender.rule.crops import Crop, Practice


def practices_behind(used: Iterable[Practice], *, conventional: bool, has_ci: bool) -> str:
    """Say which practices the CI of a unit rests on: page, paper and command line say it alike."""
    if conventional:
        return "none: national default"
    if not has_ci:
        return "no CI yet"
    names = ", ".join(practice.label for practice in used)
    return names or "none entered"


@dataclass(frozen=True, slots=True)
class UnitResult:
    """One unit of the crop: what is credited, its CI, its bushels.

    Attributes:
        unit_id: the management unit.
        harvest_ids: its entries of the crop in the year.
        county_fips: its county.
        acres, bushels: thousandths; None where not recorded.
        credited: practices whose implementation is met in every entry.
        records_met: whether their record requirements are met too (interpretation 6).
        result: the calculator's answer; None for conventional crop.
        used: the practices behind its CI, as entered in the calculator: a farm producer may enter less than the records
            show. None without a CI, whatever a printout claims.
    """

    unit_id: str
    harvest_ids: tuple[str, ...]
    county_fips: str | None
    acres: int | None
    bushels: int | None
    credited: tuple[Practice, ...]
    records_met: bool
    result: UnitCI | None
    used: tuple[Practice, ...] = ()

    @property
    def behind_ci(self) -> str:
        """Say which practices its CI rests on, as page, paper and command line do."""
        has_ci = self.result is not None and self.result.ci_g_per_bu is not None
        return practices_behind(self.used, conventional=self.conventional, has_ci=has_ci)

    @property
    def conventional(self) -> bool:
        """Return whether no practice is credited, so that the national default counts."""
        return not self.credited


@dataclass(frozen=True, slots=True)
class Quantification:
    """The farm-level CI of one crop and harvest year with everything it rests on.

    Attributes:
        farm_id, crop, harvest_year: the key of the report.
        calculator, version: of the results.
        label: official, PRELIMINARY or ESTIMATE: the weakest of the results.
        national_default: hundredths of g CO2e/bu, or None where none was entered.
        units: every unit of the crop, credited or conventional.
        average: the weighted mean with its working.
        findings: tests of completeness, of the calculator's inputs (interpretations 27 to 29), and whether this is
            reduced-CI crop at all (interpretation 31).
        problems: what could not be used.
        listed: what the lists of calculators say of the version; None where no list names it, or for a model.
        explained: what explains, with evidence, a difference from tickets or acreage report.
        rule_state: that the text is not shown to be the rule in force for some harvest; empty where it is for all.
    """

    farm_id: str
    crop: Crop
    harvest_year: int
    calculator: str
    version: str
    label: Label
    national_default: int | None
    units: tuple[UnitResult, ...]
    average: FarmAverage
    findings: tuple[Disagreement, ...]
    problems: tuple[Problem, ...]
    listed: KnownVersion | None = None
    explained: tuple[str, ...] = ()
    rule_state: str = ""

    @property
    def example(self) -> bool:
        """Return whether the calculator is the made-up one of the examples."""
        return self.listed is not None and self.listed.example

    @property
    def whole_harvest_shown(self) -> bool:
        """Return whether counts from elsewhere show that the whole harvest is in the average (interpretation 60)."""
        return not any(one.code in OPEN for one in self.findings)

    @property
    def reduced(self) -> bool:
        """Return whether some unit of the crop carries a credited practice (2100.002, reduced-CI crop)."""
        return any(unit.credited for unit in self.units)


def quantify(
    assessment: Assessment,
    farm_id: str,
    crop: Crop,
    harvest_year: int,
    calculator: str | CountyTable = OFFICIAL,
    *,
    known: Calculators | None = None,
    county_yields: Mapping[YieldKey, int] | None = None,
) -> Quantification:
    """Quantify one farm, crop and harvest year with official runs, the open model or a county table.

    A county table has no default of its own: the one that the book enters for its latest calculator counts. ``known``
    are the lists of calculators; only the packaged one without it. Units are held against ``county_yields`` where there
    are any.

    Raises:
        KeyError: ``calculator`` is a name and none of ``CALCULATORS``.
    """
    if isinstance(calculator, str) and calculator not in CALCULATORS:
        raise KeyError(calculator)
    facts = replace(farm_facts(assessment, farm_id, crop, harvest_year), county_yields=county_yields or {})
    if calculator == ARGONNE:
        return quantify_with(assessment, facts, TwoStepArgonne(), [])
    official, problems = _official(facts, known)
    if not isinstance(calculator, CountyTable):
        return quantify_with(assessment, facts, official, problems)
    default = official.national_default(crop)
    table = replace(calculator, defaults={} if default is None else {crop: default})
    return quantify_with(assessment, facts, table, problems)


def _official(facts: FarmFacts, known: Calculators | None) -> tuple[OfficialRuns, list[Problem]]:
    defaults, problems = national_defaults(facts.defaults, "national_default.csv")
    latest = max(((run.tool, run.version) for run in facts.runs), default=("USDA FD-CIC", "none entered"))
    return OfficialRuns(facts.runs, defaults, *latest, known), problems


def quantify_with(
    assessment: Assessment, facts: FarmFacts, calculator: Calculator, problems: list[Problem]
) -> Quantification:
    """Quantify with any source of unit CIs."""
    intervals = assessment.of(facts.farm, facts.crop, facts.harvest_year)
    units = _units(intervals, facts, calculator)
    default = calculator.national_default(facts.crop)
    shares = [
        Share(
            unit.unit_id, unit.bushels, unit.result.ci_g_per_bu if unit.result else None, conventional=unit.conventional
        )
        for unit in units
    ]
    average = farm_average(shares, default)
    labels = [unit.result.label for unit in units if unit.result] or [calculator.label]
    return Quantification(
        facts.farm, facts.crop, facts.harvest_year, calculator.name, calculator.version,
        max(labels, key=LABELS.index), default, units, average,
        (
            *facts.findings,
            *_findings(facts, units, average, isinstance(calculator, OfficialRuns)),
            *(_of_lists(assessment, facts, units, calculator) if isinstance(calculator, OfficialRuns) else ()),
            *reduced_ci_findings(facts.crop, shares, average, default),
        ),
        tuple(problems),
        calculator.listed if isinstance(calculator, OfficialRuns) else None,
        explained(facts.reports, facts.counts, facts.crop),
        max((one.rule.state for one in intervals), default=""),
    )  # fmt: skip


def _of_lists(
    assessment: Assessment, facts: FarmFacts, units: tuple[UnitResult, ...], calculator: OfficialRuns
) -> list[Disagreement]:
    """Hold the runs against the list that names their version, and against their printouts."""
    credited = {unit.unit_id: unit.bushels for unit in units if unit.credited}
    counting = [run for run in facts.runs if run.unit in credited]
    return [*calculator.findings(), *printout_findings(assessment.loaded, counting, credited)]


def _units(intervals: tuple[IntervalVerdict, ...], facts: FarmFacts, calculator: Calculator) -> tuple[UnitResult, ...]:
    """Join the harvests that count with the practices credited on their units, and ask the calculator."""
    by_unit: dict[str, list[IntervalVerdict]] = {}
    for one in intervals:
        by_unit.setdefault(one.unit_id, []).append(one)
    bare = [_unit(unit, by_unit.get(unit, []), facts) for unit in dict.fromkeys(h.unit for h in facts.harvests)]
    cases = [_case(unit, facts) for unit in bare if unit.credited]
    answers = {answer.unit: answer for answer in calculator.evaluate(cases)}
    runs: dict[str, list[RunFacts]] = {}
    for run in facts.runs:
        if (run.tool, run.version) == (calculator.name, calculator.version):
            runs.setdefault(run.unit, []).append(run)
    answered = (replace(unit, result=answers.get(unit.unit_id)) for unit in bare)
    return tuple(replace(unit, used=_used(unit, runs.get(unit.unit_id, []))) for unit in answered)


def _used(unit: UnitResult, runs: list[RunFacts]) -> tuple[Practice, ...]:
    """Return the practices behind a unit's CI: those of its one printout.

    A model is asked for all that are credited, the stricter of two exclusive ones.
    """
    if unit.result is None or unit.result.ci_g_per_bu is None:
        return ()
    entered = (runs[0].combination if len(runs) == 1 else None) or Combination.of(unit.credited)
    return tuple(practice for practice in Practice if practice in entered.practices)


def _unit(unit_id: str, intervals: list[IntervalVerdict], facts: FarmFacts) -> UnitResult:
    mine = [harvest for harvest in facts.harvests if harvest.unit == unit_id]
    bushels = [harvest.bushels for harvest in mine]
    sets = [frozenset(one.credited) for one in intervals]
    shared = reduce(frozenset.intersection, sets) if sets else frozenset()
    credited = tuple(practice for practice in Practice if practice in shared)
    return UnitResult(
        unit_id,
        tuple(entry for one in intervals for entry in one.harvest_ids),
        intervals[0].facts["county_fips"] if intervals else None,
        mine[0].acres,
        sum(b for b in bushels if b is not None) if None not in bushels else None,
        credited,
        all(one[practice].records == "met" for one in intervals for practice in credited),
        None,
    )


def _case(unit: UnitResult, facts: FarmFacts) -> UnitCase:
    return UnitCase(
        unit.unit_id, facts.crop, facts.harvest_year, unit.county_fips, Combination.of(unit.credited),
        frozenset(unit.credited),
    )  # fmt: skip


def _findings(
    facts: FarmFacts, units: tuple[UnitResult, ...], average: FarmAverage, official: bool
) -> list[Disagreement]:
    """Run the completeness tests, and for official results the checks of their inputs."""
    of_counties = {
        unit.unit_id: known
        for unit in units
        if (known := facts.county_yields.get((unit.county_fips, facts.crop, facts.harvest_year)))
    }
    found = [
        *nothing_counted(facts.reports, facts.counts, facts.crop),
        *acres_complete(facts.harvests, facts.reports, facts.crop, allowance_pct=facts.acres_allowance_pct),
        *bushels_complete(facts.harvests, facts.counts, facts.crop).findings,
        *yields_in_line(facts.harvests, facts.crop, county_yields=of_counties, limits=facts.yield_limits),
    ]
    if not official:
        return found
    records = {unit.unit_id: _record(unit, facts) for unit in units}
    for run in facts.runs:
        record = records.get(run.unit)
        if record is not None:
            found += inputs_agree(run, record)
            found += acres_times_yield(run, record.bushels)
    return [*found, *one_version(facts.runs), *one_ci_per_inputs(facts.runs), *printed_average(facts.runs, average)]


def _record(unit: UnitResult, facts: FarmFacts) -> UnitRecord:
    return UnitRecord(
        unit.unit_id, facts.crop, facts.harvest_year, unit.county_fips, unit.acres, unit.bushels,
        Combination.of(unit.credited), frozenset(unit.credited),
    )  # fmt: skip
