"""One farm, crop and harvest year quantified: the CI of every unit, and the farm-level average (2100.020)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final, NamedTuple

from provender.exact import show
from provender.intensity import ARGONNE, CALCULATORS, OFFICIAL
from provender.intensity import average as averages
from provender.intensity import calculator as calculators
from provender.intensity import harvests as harvested
from provender.intensity.average import explained
from provender.intensity.county_files import CountyTable, YieldKey
from provender.intensity.runs import (
    LABELS,
    OfficialRuns,
    RunFacts,
    acres_times_yield,
    inputs_agree,
    one_ci_per_inputs,
    one_version,
    printed_average,
    printout_findings,
)
from provender.problem import Problem
from provender.records.book import FarmRows, RecordBook, year_of_load
from provender.records.kinds.farm import Evidence
from provender.records.kinds.quantification import COUNTS
from provender.rule.calculators import Calculators, KnownVersion
from provender.rule.calculators import CalculatorStatus as Status
from provender.rule.crops import Crop, Practice
from provender.rule.law import RuleVersion
from provender.standards import evidence
from provender.standards.standard import WHOLE
from provender.verdicts.assess import said_of

# What a record book says for quantification: harvests, calculator runs, defaults, acres and bushels elsewhere.

_NO_COUNTS: Final = ("machine_file", "printout", "seed_tag", "laboratory_report", "other")
"""Evidence that counts no bushels and reports no acres; a yield monitor is no count, and ``other`` names no paper."""
_STORED: Final = ("bin_measurement", "on_hand")
_SHARE: Final = "landlord_share"
_BEFORE_GRAIN: Final = (_SHARE, "silage", "lost")
"""Totals of what may have been cut, lost or agreed before the first grain."""


@dataclass(frozen=True, slots=True)
class FarmFacts:
    """The records of one farm, crop and harvest year; quantities in whole thousandths."""

    farm: str
    crop: Crop
    harvest_year: int
    # one per unit: entries of one unit and crop are one harvest (interpretation 66)
    harvests: tuple[harvested.UnitHarvest, ...]
    # calculator runs for these harvests; no printout of the book shows bushels, so they have none
    runs: tuple[RunFacts, ...]
    defaults: tuple[Mapping[str, Any], ...]  # rows of the crop's national defaults, any calculator and version
    reports: tuple[harvested.AcresReport, ...]  # acres of the crop reported elsewhere
    # bushels counted elsewhere. Tickets and settlements are the same grain: settlements count only where there are no
    # tickets. Stock on hand is what of this crop still lay in storage at the count.
    counts: tuple[harvested.BushelCount, ...]
    # harvests without a date, whose year nobody knows, harvests left out for their use, and totals that do not count
    findings: tuple[harvested.Disagreement, ...]
    acres_allowance_pct: int = 0  # share of reported acres by which they may differ, thousandths of a percent
    # when a unit's yield is out of line with the farm's others, or with its county's
    yield_limits: averages.YieldLimits = averages.DEFAULT_LIMITS
    county_yields: Mapping[YieldKey, int] = field(default_factory=dict)  # yields of counties that somebody loaded


def _rows_of_crop(book: RecordBook, kind: str, farm: str, crop: Crop) -> Iterator[Mapping[str, Any]]:
    return (row for row in book.rows_of(kind, farm) if row["crop"] == crop)


def _run_facts(row: Mapping[str, Any], crop: Crop, harvest_year: int) -> RunFacts:
    """Turn a row of ``calculator_run`` into facts."""
    return RunFacts(
        run=row["run_id"],
        farm=row["farm_id"],
        unit=row["unit_id"],
        crop=crop if row["crop"] is None else Crop(row["crop"]),
        harvest_year=harvest_year,
        tool=row["calculator"],
        version=row["version"],
        status=Status(row["status"]),
        county_fips=row["county_fips"],
        acres=row["acres"],
        yield_bu_per_ac=row["yield_bu_per_ac"],
        bushels=None,
        tillage=None if row["tillage"] is None else calculators.Tillage(row["tillage"]),
        cover_crop=row["cover_crop"],
        timing=None if row["n_timing"] is None else calculators.Timing(row["n_timing"]),
        inhibitor=row["inhibitor"],
        ci_g_per_bu=row["ci_g_per_bu"],
        farm_ci_g_per_bu=row["farm_ci_g_per_bu"],
        evidence=row["evidence"],
        run_on=row["run_on"],
        crop_entered=row["crop"] is not None,
    )


def _uncounted(rows: FarmRows, row: Mapping[str, Any], crop: Crop, first: date) -> harvested.Disagreement | None:
    """Return why a row of totals does not count; None where it does (interpretation 60).

    A number that somebody typed is no count: the row names its paper, and all evidence that it names must be sound, of
    a kind that can show it, and not from before ``first``, the first day on which there was something to show. A lease
    that shows the landlord's share is older than what it shares.
    """
    wrong = _wrong_with(rows, row, first, lease=row["what"] == _SHARE)
    remedy = "Name the paper that shows it (tickets, settlement, bin sheet, FSA-578), its file there and unchanged."
    if row["what"] == harvested.OTHER:
        wrong, remedy = ["other explains nothing"], "Write what became of it: silage, abandoned, the landlord's share."
    if not wrong:
        return None
    what = str(row["what"] or "report").replace("_", " ")
    cause = f"The {what} row does not count: {'; '.join(wrong)}."
    subject = row.get("total_id") or row.get("report_id") or what
    return harvested.Disagreement(
        "count_without_evidence", "2100.020", subject, cause, "", crop.label, row.get("bushels"), remedy, row=subject
    )


def _wrong_with(rows: FarmRows, row: Mapping[str, Any], first: date, *, lease: bool = False) -> list[str]:
    """Return what is wrong with the evidence that a row names for an amount; empty where all of it may show it."""
    links = tuple(evidence.links(rows, row["evidence"]))
    papers = [link.record for link in links if link.record is not None]
    wrong = [said_of(link) for link in links if link.fault]
    wrong += [
        f"{paper.evidence_id} {why}"
        for paper in papers
        if not (lease and paper.what == "contract") and (why := _cannot_show(paper, first))
    ]
    return wrong if links else ["no evidence is named"]


def _cannot_show(paper: Evidence, first: date) -> str:
    """Return why a piece of evidence shows no total of a harvest; empty where it may."""
    if paper.what in _NO_COUNTS:
        return f"is filed as {str(paper.what).replace('_', ' ')}, which counts nothing"
    if paper.taken_on is not None and paper.taken_on < first:
        since = "the harvest year" if first == _year_start(first.year) else f"the first day of this harvest, {first}"
        return f"is of {paper.taken_on}, before {since}"
    return ""


class _Harvest(NamedTuple):
    """What is counted."""

    crop: Crop
    year: int
    first: date  # the first day on which there was something to count
    law: RuleVersion


def _counts(
    judged: harvested.JudgedBook, farm: str, crop: Crop, harvest_year: int, law: RuleVersion | None, first: date
) -> Iterator[harvested.BushelCount | harvested.Disagreement]:
    """Yield what was counted elsewhere, no grain twice, and why a row does not count."""
    known = judged.rows(farm)
    rows = [
        (row, _uncounted(known, row, crop, _year_start(harvest_year) if row["what"] in _BEFORE_GRAIN else first))
        for row in _rows_of_crop(judged.book, "bushel_total", farm, crop)
        if row["harvest_year"] == harvest_year
    ]
    tickets = any(row["what"] == "scale_tickets" and uncounted is None for row, uncounted in rows)
    yield from _settled_beyond([row for row, uncounted in rows if uncounted is None], crop, law)
    for row, uncounted in rows:
        what = row["what"]
        if what == "settlements" and tickets:
            continue
        explains = what not in COUNTS
        if uncounted is not None:
            yield uncounted
        else:
            yield harvested.BushelCount(crop, row["bushels"], what.replace("_", " "), explains, _allowance(row, law))


def _loads_counted(
    judged: harvested.JudgedBook,
    farm: str,
    found: harvested.Harvests,
    counts: Sequence[harvested.BushelCount],
    of: _Harvest,
) -> Iterator[harvested.BushelCount | harvested.Disagreement]:
    """Count the tickets on file, else the sales, where nobody stated their total and they weigh what was harvested.

    Loads that weigh less say nothing against the harvest, which may lie in a bin; they prove no bushels then, and more
    is told where a report is made. Only loads whose paper is on file are added up.
    """
    bushels = [amount for _, amount in found.counted]
    if not bushels or None in bushels or any(one.what.replace(" ", "_") in harvested.SOLD for one in counts):
        return
    rows, known = judged.book.rows_of("harvest", farm), judged.rows(farm)
    left = sum(one or 0 for one in bushels) - sum(one.bushels for one in counts)
    for kind, what, amount in (
        ("scale_ticket", harvested.SOLD[0], "net_bushels"),
        ("sale", harvested.SOLD[1], "bushels"),
    ):
        loads = [
            row
            for row in _rows_of_crop(judged.book, kind, farm, of.crop)
            if row[amount] and year_of_load(row, rows, judged.harvest_year) == of.year
            and row.get("disposition", "sold").startswith("sold")
        ]  # fmt: skip
        papered = [row for row in loads if not _wrong_with(known, row, of.first)]
        is_dry = kind == "sale"
        weighed = sum(row[amount] if is_dry else harvested.bushels_of_load(row, of.law) for row in papered)
        allowance = _allowance({"what": what, "bushels": weighed}, of.law)
        is_rest = abs(weighed - left) <= allowance + sum(one.allowance for one in counts)
        # Few loads off a bin that holds the whole harvest are within its allowance, and were counted in it.
        if papered and is_rest and abs(weighed - left) < abs(left):
            yield harvested.BushelCount(of.crop, weighed, what.replace("_", " "), allowance=allowance)
            return
        if loads and kind == "scale_ticket" and all(one.explains for one in counts):
            yield _loads_told(len(loads), len(papered), (weighed, left), of.crop)


def _loads_told(loads: int, papered: int, bushels: tuple[int, int], crop: Crop) -> harvested.Disagreement:
    """Say why tickets on file prove no bushels: their paper lacks, or they do not weigh what was harvested."""
    weighed, left = bushels
    if papered < loads:
        cause = f"{loads - papered} of the {loads} scale tickets on file do not count: they name no sound paper."
        remedy = "Import the list as the elevator made it, or name its file as evidence of the tickets."
        return harvested.Disagreement(
            "count_without_evidence", harvested.CITE, crop.label, cause, "", crop.label, None, remedy
        )
    share = f"{show(weighed, group=True)} of {show(left, group=True)} bu"
    cause = f"The {loads} scale tickets on file weigh {share}, so they do not show the whole harvest."
    remedy = "Add the tickets that are missing, or what lies in bins, was fed or kept for seed."
    return harvested.Disagreement(
        "tickets_differ", harvested.CITE, crop.label, cause, "", "", abs(left - weighed), remedy
    )


def _allowance(row: Mapping[str, Any], law: RuleVersion | None) -> int:
    """Return by how many bushels a count may differ: what was weighed by less than what was measured in a bin."""
    if law is None:
        return 0
    pct = law.bushel_total_difference_pct_max if row["what"] in harvested.SOLD else law.bin_difference_pct_max
    return int(abs(row["bushels"]) * pct // WHOLE)


def _settled_beyond(
    rows: list[Mapping[str, Any]], crop: Crop, law: RuleVersion | None
) -> Iterator[harvested.Disagreement]:
    """Tell of settlements for more than was weighed and lay in bins: what was stored at the count is sold later."""
    weighed, paid = ([row["bushels"] for row in rows if row["what"] == what] for what in harvested.SOLD)
    stored = sum(row["bushels"] for row in rows if row["what"] in _STORED)
    there, off = sum(weighed) + stored, sum(paid) - sum(weighed) - stored
    allowed = sum(_allowance(row, law) for row in rows if row["what"] in (harvested.SOLD[0], *_STORED))
    if weighed and off > allowed:
        bins = " and bins held" if stored else ""
        cause = f"Settlements are for {show(off, group=True)} bu more than the scale tickets weigh{bins}."
        remedy = "Add the tickets that are missing, or correct the settlements."
        yield harvested.Disagreement(
            "bushels_unexplained", "2100.020", crop.label, cause, f"{show(there, group=True)} bu",
            f"{show(sum(paid), group=True)} bu", off, remedy,
        )  # fmt: skip


def _acres(
    judged: harvested.JudgedBook, farm: str, crop: Crop, harvest_year: int
) -> Iterator[harvested.AcresReport | harvested.Disagreement]:
    """Yield the acres reported elsewhere and what explains them, and why a row does not count."""
    for row in _rows_of_crop(judged.book, "reported_acres", farm, crop):
        if row["harvest_year"] != harvest_year:
            continue
        explains = row["what"] not in (None, "report")
        uncounted = _uncounted(judged.rows(farm), row, crop, _year_start(harvest_year))
        if uncounted is not None:
            yield uncounted
        else:
            source = row["source"] or "The acreage report"
            yield harvested.AcresReport(crop, row["acres"], source, explains, row["what"] or "")


def farm_facts(judged: harvested.JudgedBook, farm: str, crop: Crop, harvest_year: int) -> FarmFacts:
    """Gather what the book says about one farm, crop and harvest year.

    The acres of a harvest are its harvested acres or, where those are not recorded, the acres of its unit. Grain counts
    at the moisture of dry grain; silage and forage do not count (interpretations 26, 84).
    """
    book, year_of, known = judged.book, judged.harvest_year, judged.rows(farm)
    acres = {row["unit_id"]: row["acres"] for row in book.rows_of("unit", farm)}
    rows, every_run = book.rows_of("harvest", farm), book.rows_of("calculator_run", farm)
    found = harvested.harvests_of(rows, crop, harvest_year, year_of)
    mine = {row["harvest_id"] for row, _ in found.counted}
    last = max(found.rows, key=lambda row: row["last_day"] or row["first_day"], default=None)
    law = harvested.law_of(last) if last else None
    first = _first_cut(found.rows, harvest_year)
    counts = [*_counts(judged, farm, crop, harvest_year, law, first)]
    if law is not None:
        sure = [one for one in counts if isinstance(one, harvested.BushelCount)]
        counts += _loads_counted(judged, farm, found, sure, _Harvest(crop, harvest_year, first, law))
    reports = [*_acres(judged, farm, crop, harvest_year)]
    totals = [*counts, *reports]

    def is_papered(row: Mapping[str, Any]) -> bool:
        return not _wrong_with(known, row, row["first_day"] or _year_start(harvest_year))

    reported = tuple(one for one in reports if isinstance(one, harvested.AcresReport))
    counted = tuple(one for one in counts if isinstance(one, harvested.BushelCount))
    # Reported acres of the crop are held against its units, so that an entry of no named crop hides none of it.
    unnamed = () if any(not one.explains for one in reported) else rows
    return FarmFacts(
        farm,
        crop,
        harvest_year,
        tuple(harvested.unit_harvests(found, crop, acres)),
        tuple(_run_facts(row, crop, harvest_year) for row in every_run if row["harvest_id"] in mine),
        tuple(_rows_of_crop(book, "national_default", farm, crop)),
        reported,
        counted,
        (
            *found.findings,
            *harvested.moisture_asked(found, counted, crop),
            *harvested.unshown_uses(found, (*reported, *counted), acres, crop, is_papered),
            *harvested.unnamed_crops(unnamed, harvest_year, year_of, is_papered, crop),
            *harvested.runs_without_harvest(every_run, rows, found, crop, harvest_year, year_of),
            *harvested.acres_of_units(found, acres, law),
            *(one for one in totals if isinstance(one, harvested.Disagreement)),
        ),
        0 if law is None else law.reported_acres_difference_pct_max,
        averages.DEFAULT_LIMITS if law is None else averages.YieldLimits(sisters_most=law.sister_yield_pct_max // 1000),
    )


def _first_cut(rows: Sequence[Mapping[str, Any]], harvest_year: int) -> date:
    """Return the first day of a harvest; that of its year where an entry does not state it, since grain left before."""
    days = [row["first_day"] for row in rows]
    return _year_start(harvest_year) if not days or None in days else min(days)


def _year_start(year: int) -> date:
    return date(year, 1, 1)


@dataclass(frozen=True, slots=True)
class Quantification(harvested.CropUnits):
    """The farm-level CI of one crop and harvest year with everything it rests on."""

    calculator: str  # of the results
    version: str  # of the results
    label: calculators.Label  # official, PRELIMINARY or ESTIMATE: the weakest of the results
    average: averages.FarmAverage  # the weighted mean with its working
    # tests of completeness, of the calculator's inputs (interpretations 27 to 29), and whether this is reduced-CI crop
    # at all (interpretation 31)
    findings: tuple[harvested.Disagreement, ...]
    problems: tuple[Problem, ...]  # what could not be used
    # what the lists of calculators say of the version; None where no list names it, or for a model
    listed: KnownVersion | None = None
    explained: tuple[str, ...] = ()  # what explains, with evidence, a difference from tickets or acreage report
    # that the text is not shown to be the rule in force for some harvest; empty where it is for all
    rule_state: str = ""

    @property
    def is_estimate(self) -> bool:
        """Return whether CI and default are an open model's."""
        return self.label is calculators.Label.ESTIMATE

    @property
    def example(self) -> bool:
        """Return whether the calculator is the made-up one of the examples."""
        return self.listed is not None and self.listed.example

    @property
    def whole_harvest_shown(self) -> bool:
        """Return whether counts from elsewhere show that the whole harvest is in the average (interpretation 60)."""
        return not any(one.code in averages.OPEN for one in self.findings)

    @property
    def reduced(self) -> bool:
        """Return whether some bushel of the crop is under a practice behind its CI (2100.002, reduced-CI crop)."""
        return any(unit.used and unit.bushels for unit in self.units)


def quantify(
    judged: harvested.JudgedBook,
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
    facts = replace(farm_facts(judged, farm_id, crop, harvest_year), county_yields=county_yields or {})
    if calculator == ARGONNE:
        from provender.intensity.plan import TwoStepArgonne  # its tables of factors take long to load

        return _quantify_with(judged, facts, TwoStepArgonne(), [])
    official, problems = _official(facts, known)
    if not isinstance(calculator, CountyTable):
        return _quantify_with(judged, facts, official, problems)
    default = official.national_default(crop)
    table = replace(calculator, defaults={} if default is None else {crop: default})
    return _quantify_with(judged, facts, table, problems)


def _official(facts: FarmFacts, known: Calculators | None) -> tuple[OfficialRuns, list[Problem]]:
    defaults, problems = harvested.national_defaults(facts.defaults, "national_default.csv")
    latest = harvested.latest_version((run.tool, run.version) for run in facts.runs)
    return OfficialRuns(facts.runs, defaults, *latest, known), problems


def _quantify_with(
    judged: harvested.JudgedBook, facts: FarmFacts, calculator: calculators.Calculator, problems: list[Problem]
) -> Quantification:
    """Quantify with any source of unit CIs."""
    intervals = judged.of(facts.farm, facts.crop, facts.harvest_year)
    units = _units(intervals, facts, calculator)
    default = calculator.national_default(facts.crop)
    shares = [
        averages.Share(
            unit.unit_id, unit.bushels, unit.result.ci_g_per_bu if unit.result else None, conventional=unit.conventional
        )
        for unit in units
    ]
    average = averages.farm_average(shares, default)
    # A run may enter no practice at all: then its bushels are under none, whatever the records show.
    idle = {unit.unit_id for unit in units if not unit.used and unit.result and unit.result.ci_g_per_bu is not None}
    under_practice = [replace(one, conventional=one.conventional or one.unit in idle) for one in shares]
    labels = [unit.result.label for unit in units if unit.result] or [calculator.label]
    return Quantification(
        facts.farm, facts.crop, facts.harvest_year, units, default, calculator.name, calculator.version,
        max(labels, key=LABELS.index), average,
        (
            *facts.findings,
            *_findings(facts, units, average, isinstance(calculator, OfficialRuns)),
            *(_of_lists(judged, facts, units, calculator) if isinstance(calculator, OfficialRuns) else ()),
            *averages.reduced_ci_findings(facts.crop, under_practice, average, default),
        ),
        tuple(problems),
        calculator.listed if isinstance(calculator, OfficialRuns) else None,
        explained(facts.reports, facts.counts, facts.crop),
        max((one.rule.state for one in intervals), default=""),
    )  # fmt: skip


def _of_lists(
    judged: harvested.JudgedBook, facts: FarmFacts, units: tuple[harvested.UnitResult, ...], calculator: OfficialRuns
) -> list[harvested.Disagreement]:
    """Hold the runs against the list that names their version, and against their printouts."""
    credited = {unit.unit_id: unit.bushels for unit in units if unit.credited}
    counting = [run for run in facts.runs if run.unit in credited]
    return [*calculator.findings(), *printout_findings(judged.rows(facts.farm), counting, credited)]


def _units(
    intervals: Sequence[harvested.JudgedCrop], facts: FarmFacts, calculator: calculators.Calculator
) -> tuple[harvested.UnitResult, ...]:
    """Join the harvests that count with the practices credited on their units, and ask the calculator."""
    bare = harvested.unit_results(intervals, facts.harvests)
    cases = [_case(unit, facts) for unit in bare if unit.credited]
    answers = {answer.unit: answer for answer in calculator.evaluate(cases)}
    runs: dict[str, list[RunFacts]] = {}
    for run in facts.runs:
        if (run.tool, run.version) == (calculator.name, calculator.version):
            runs.setdefault(run.unit, []).append(run)
    answered = (replace(unit, result=answers.get(unit.unit_id)) for unit in bare)
    return tuple(replace(unit, used=_used(unit, runs.get(unit.unit_id, []))) for unit in answered)


def _used(unit: harvested.UnitResult, runs: list[RunFacts]) -> tuple[Practice, ...]:
    """Return the practices behind a unit's CI: those of its one printout.

    A model is asked for all that are credited, the stricter of two exclusive ones.
    """
    if unit.result is None or unit.result.ci_g_per_bu is None:
        return ()
    entered = (runs[0].combination if len(runs) == 1 else None) or calculators.Combination.of(unit.credited)
    return tuple(practice for practice in Practice if practice in entered.practices)


def _case(unit: harvested.UnitResult, facts: FarmFacts) -> calculators.UnitCase:
    return calculators.UnitCase(
        unit.unit_id, facts.crop, facts.harvest_year, unit.county_fips, calculators.Combination.of(unit.credited),
        frozenset(unit.credited), unit.acres, unit.bushels,
    )  # fmt: skip


def _findings(
    facts: FarmFacts, units: tuple[harvested.UnitResult, ...], average: averages.FarmAverage, official: bool
) -> list[harvested.Disagreement]:
    """Run the completeness tests, and for official results the checks of their inputs."""
    of_counties = {
        unit.unit_id: known
        for unit in units
        if (known := facts.county_yields.get((unit.county_fips, facts.crop, facts.harvest_year)))
    }
    found = [
        *averages.nothing_counted(facts.reports, facts.counts, facts.crop),
        *averages.acres_complete(facts.harvests, facts.reports, facts.crop, allowance_pct=facts.acres_allowance_pct),
        *averages.bushels_complete(facts.harvests, facts.counts, facts.crop),
        *averages.yields_in_line(facts.harvests, facts.crop, county_yields=of_counties, limits=facts.yield_limits),
    ]
    if not official:
        return found
    records = {unit.unit_id: _case(unit, facts) for unit in units}
    for run in facts.runs:
        record = records.get(run.unit)
        if record is not None:
            found += inputs_agree(run, record)
            found += acres_times_yield(run, record.bushels)
    return [*found, *one_version(facts.runs), *one_ci_per_inputs(facts.runs), *printed_average(facts.runs, average)]
