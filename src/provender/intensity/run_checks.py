"""Do the printouts agree with the records, with each other and with our own average? Each disagreement is a finding."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from provender.intensity.combination import Combination
from provender.intensity.disagreement import Disagreement
from provender.intensity.official import RunFacts, uncredited
from provender.intensity.weighted import FarmAverage
from provender.quantity import CI_SCALE, SCALE, show
from provender.rule.crops import Crop, Practice

_INPUTS = "2100.020(a)"


@dataclass(frozen=True, slots=True)
class UnitRecord:
    """What the records and verdicts say of the unit that a run is about; quantities in whole thousandths or null.

    ``credited`` is the combination of the practices whose requirements are all met, and ``also_met`` the less strict
    ones beside it, which a run may claim instead.
    """

    unit: str
    crop: Crop
    harvest_year: int
    county_fips: str | None
    acres: int | None
    bushels: int | None
    credited: Combination
    also_met: frozenset[Practice] = frozenset()


def _compare(run: RunFacts, unit: UnitRecord) -> Iterator[tuple[str, str, str, str]]:
    """Yield code, cite, claimed, expected of each input that differs from the record."""
    if run.crop is not unit.crop:
        yield "crop", "(2)", run.crop.label, unit.crop.label
    if run.harvest_year != unit.harvest_year:
        yield "harvest_year", "", str(run.harvest_year), str(unit.harvest_year)
    if run.county_fips != unit.county_fips:
        yield "county", "(1)", run.county_fips or "not shown", unit.county_fips or "not recorded"
    amounts = (
        ("acres", "(4)", "ac", run.acres, unit.acres),
        ("bushels", "(3)", "bu", run.bushels, unit.bushels),
    )
    for name, step, measure, claimed, expected in amounts:
        if claimed != expected and (name == "acres" or claimed is not None):  # most printouts show no bushels
            yield name, step, _amount(claimed, measure, "not shown"), _amount(expected, measure, "not recorded")


def _amount(value: int | None, measure: str, missing: str) -> str:
    return missing if value is None else f"{show(value, group=True)} {measure}"


def inputs_agree(run: RunFacts, unit: UnitRecord) -> list[Disagreement]:
    """Compare the inputs on a printout with the records and the verdicts (2100.020(a)).

    A practice claimed but not credited is a finding on all bushels of the unit. One credited but not claimed is
    not: a farm producer may claim less. Without all four practice answers the printout documents no input.
    """
    subject = f"run {run.run}, unit {run.unit}"
    findings = [
        Disagreement(
            f"run_{name}_differs",
            f"{_INPUTS}{step}",
            subject,
            f"The {name.replace('_', ' ')} entered in the calculator is not that of the records.",
            claimed,
            expected,
            unit.bushels,
            "Correct the record, or run the calculator again with the recorded value.",
        )
        for name, step, claimed, expected in _compare(run, unit)
    ]
    combination = run.combination
    if combination is None:
        cause = "The printout does not show all four answers about practices."
        remedy = "Attach a printout that shows tillage, cover crop, timing and inhibitor."
        return [*findings, Disagreement("run_practices_unread", _INPUTS, subject, cause, "", "", unit.bushels, remedy)]
    for practice in uncredited(combination, unit.credited.practices | unit.also_met):
        cause = f"The run claims {practice.label}, which is not met or not shown for this unit."
        remedy = "Add the records that show it, or run the calculator again without it."
        findings.append(
            Disagreement(
                "run_claims_uncredited_practice",
                str(practice.cite),
                subject,
                cause,
                str(combination),
                str(unit.credited),
                unit.bushels,
                remedy,
            )
        )
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
        harvested: the unit's bushels by the records (thousandths), used where the printout shows none. Where
            acres, yield or any bushels are missing nothing is tested.
    """
    bushels = harvested if run.bushels is None else run.bushels
    if run.acres is None or run.yield_bu_per_ac is None or bushels is None:
        return []
    off = run.acres * run.yield_bu_per_ac - bushels * 10**SCALE
    if 2 * abs(off) <= run.acres * _yield_unit(run):
        return []
    expected = show(run.acres * run.yield_bu_per_ac, 2 * SCALE, group=True)
    return [
        Disagreement(
            "acres_times_yield",
            "2100.020(a)(3)",
            f"run {run.run}, unit {run.unit}",
            "Acres times yield is not the bushels of this unit, by more than the rounding of the printed yield.",
            f"{show(bushels, group=True)} bu",
            f"{show(run.acres, group=True)} ac x {show(run.yield_bu_per_ac)} bu/ac = {expected} bu",
            abs(off) // 10**SCALE,
            "Enter the yield that acres and bushels give, or correct the bushels.",
        )
    ]


def printed_average(runs: Iterable[RunFacts], ours: FarmAverage) -> list[Disagreement]:
    """Compare the farm CI on the printouts of one farm, crop and year with ours: the printed one is official (28)."""
    printed = sorted({run.farm_ci_g_per_bu for run in runs if run.farm_ci_g_per_bu is not None})
    mine = "none" if ours.ci_g_per_bu is None else show(ours.ci_g_per_bu, CI_SCALE, places=CI_SCALE)
    return [
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
