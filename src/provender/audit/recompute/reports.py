"""Farm reports made again from the records and compared with what was signed (2100.020, .031(c), .051 to .053).

One comparison serves several checks, each with the paragraphs it settles: STIR, the verdicts, the units and their
calculator runs, the weighted average and totals, the completeness tests, the attestation, and everything else.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import PackageContents
from provender.audit.package.farm_section import FarmPart, ReportFile
from provender.audit.recompute.bound_rows import changed_rows, has_roots, opened, unbound, unreadable_rows
from provender.audit.recompute.report_diff import compare
from provender.audit.shape import rows_of
from provender.intensity.disagreement import Disagreement
from provender.practices.verdict import Verdict
from provender.problem import Problem, Weight

TILLAGE: Final = ("2100.051",)
VERDICTS: Final = ("2100.051", "2100.052", "2100.053", "2100.040(b)(3)(i)")
INPUTS: Final = tuple(f"2100.020(a)({step})" for step in range(1, 9))
"""County, crop, yield, acres, tillage, cover, timing, inhibitor: each is held against records and verdicts."""
RUNS: Final = ("2100.020(a)", *INPUTS, "2100.031(c)(2)(i)")
AVERAGE: Final = ("2100.020(b)", "2100.020(c)", "2100.031(c)(2)(ii)", "2100.040(b)(3)(ii)")
COMPLETE: Final = ("2100.020",)
ATTESTED: Final = ("2100.031(c)(3)", "2100.031(c)(3)(ii)", "2100.031(c)(3)(iii)")
CHAIN: Final = "2100.031(c)"
REPORT: Final = ("2100.031(c)(1)", "2100.031(a)")
RECORDS: Final = ("2100.051(c)", "2100.052(b)", "2100.053(e)")

COMPLETENESS: Final = frozenset(
    {"acres_differ", "bushels_differ", "acres_unexplained", "bushels_unexplained", "nothing_counted",
     "count_without_evidence", "count_below_zero", "harvest_undated", "no_reported_acres", "no_counted_bushels",
     "unit_acres_missing", "unit_bushels_missing"}
)  # fmt: skip
FOR_EYES: Final = frozenset(
    {
        "no_reported_acres",
        "no_counted_bushels",
        "unit_acres_missing",
        "unit_bushels_missing",
        "run_practices_unread",
        "no_practice",
        "not_below_national",
    }
)
"""What only says that a number is missing, and with every ``yield_...`` what a person must judge."""


def _compared(case: PackageContents) -> dict[str, list[Difference]]:
    """Return the differences of every latest report, by its path."""
    return {
        claimed.path: compare(claimed.document, again, claimed.name)
        for farm in case.farms
        for claimed in farm.latest
        if (again := farm.recomputed.get(claimed.key)) is not None
    }


def stir(case: PackageContents) -> CheckResult:
    """Compute STIR of every crop interval again."""
    return _part("stir", TILLAGE, case, {"stir"})


def verdicts(case: PackageContents) -> CheckResult:
    """Judge every requirement of every practice again; those with an answer in every unit are settled one by one."""
    return _part("verdicts", (*VERDICTS, *_answered(case)), case, {"verdict", "fact", "practices"})


def _answered(case: PackageContents) -> list[str]:
    """Return the paragraphs of requirements that the records answer wherever a unit's CI counts their practice."""
    shown: dict[str, bool] = {}
    for farm in case.farms:
        for again in farm.recomputed.values():
            for unit in again["units"]:
                for cite, verdict in _requirements(unit):
                    shown[cite] = shown.get(cite, True) and verdict != str(Verdict.NOT_SHOWN)
    return sorted(cite for cite, known in shown.items() if known)


def _requirements(unit: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for interval in unit["intervals"]:
        for one in interval["practices"]:
            if one["practice"] in unit["used"]:
                yield from ((asked["cite"], asked["verdict"]) for asked in one["requirements"])


def runs(case: PackageContents) -> CheckResult:
    """Hold units and calculator runs against records, verdicts and printouts (interpretation 28)."""
    found = _part("calculator runs", RUNS, case, {"unit", "calculator"})
    more, told = _findings(case, lambda one: one.code not in COMPLETENESS)
    return _more(found, more, told)


def average(case: PackageContents) -> CheckResult:
    """Form the weighted average and the totals again."""
    return _part("weighted average", AVERAGE, case, {"average", "totals", "evidence_grades"})


def completeness(case: PackageContents) -> CheckResult:
    """Hold acres and bushels against what was reported and counted elsewhere (interpretation 27)."""
    found = _part("completeness", COMPLETE, case, ())
    more, told = _findings(case, lambda one: one.code in COMPLETENESS)
    return _more(found, more, told)


def attestation(case: PackageContents) -> CheckResult:
    """Hold the attestation's statements against the records again."""
    return _part("attestation", ATTESTED, case, {"attestation"})


def report(case: PackageContents) -> CheckResult:
    """Compare what is left of the report, and the order of its versions."""
    found = _part("report", REPORT, case, {"farm", "producer", "report"})
    chain = tuple(one for farm in case.farms for one in _versions(farm))
    return _more(found, chain, tuple(_cannot_be(case)))


def _cannot_be(case: PackageContents) -> Iterator[str]:
    """Yield what the records behind a report hold that cannot be, and the report does not tell of."""
    for farm in case.farms:
        for claimed in farm.latest:
            said = claimed.document.get("contradictions")
            told = {one.get("cause") for one in (said if isinstance(said, list) else ()) if isinstance(one, Mapping)}
            for one in farm.recomputed.get(claimed.key, {}).get("contradictions", ()):
                if one["cause"] not in told:
                    yield f"{claimed.name}: {one['cause']}"


def records(case: PackageContents) -> CheckResult:
    """Read the records again, and hold them against the roots or hashes in the signed report, row by row."""
    found = _part("records", RECORDS, case, {"records"})
    claims = [(farm, claimed) for farm in case.farms for claimed in farm.latest]
    named = {claimed.name for farm, claimed in claims if has_roots(claimed) and opened(farm, claimed)}
    rows = [one for both in claims for one in (*changed_rows(*both), *unreadable_rows(*both))]
    # Where the rows themselves are named, the roots over them say nothing more.
    by_root = [one for one in found.differences if one.place.partition(": ")[0] not in named]
    told = tuple(
        f"{farm.farm_id}: {problem}"
        for farm in case.farms
        for problem in farm.book.problems
        if problem.weight is Weight.ERROR or _twice(problem, farm)
    )
    again = CheckResult(found.check, found.cites, found.computed, (*rows, *by_root), found.not_shown)
    return _more(again, (), (*told, *unbound(case)))


def _twice(problem: Problem, farm: FarmPart) -> bool:
    """Tell whether rows stand there twice that say the same, and no report was told so."""
    told = (one for report in farm.latest for one in rows_of(report.document.get("problems")))
    return problem.code == "double_key" and not any(one.get("cause") == problem.cause for one in told)


def _part(check: str, cites: tuple[str, ...], case: PackageContents, kinds: Collection[str]) -> CheckResult:
    differences: list[Difference] = []
    told: list[str] = []
    computed = 0
    for farm in case.farms:
        if not farm.latest:
            told.append(f"{farm.farm_id}: the package holds no readable report.")
        for claimed in farm.latest:
            again = farm.recomputed.get(claimed.key)
            if again is None:
                differences += _no_harvest(claimed) if "report" in kinds else []
                told.append(f"{claimed.name}: the records hold no such harvest.")
                continue
            computed += 1
            everything = case.once(_compared)[claimed.path]
            differences += [one for one in everything if one.code.partition(":")[2] in kinds]
    if not case.farms:
        told.append("The package holds no farm.")
    return CheckResult(check, cites, computed, tuple(differences), tuple(told))


def _more(found: CheckResult, differences: tuple[Difference, ...], told: tuple[str, ...]) -> CheckResult:
    return CheckResult(
        found.check, found.cites, found.computed, (*found.differences, *differences), (*found.not_shown, *told)
    )


def _no_harvest(claimed: ReportFile) -> list[Difference]:
    there = f"{claimed.document.get('total_bushels')} bu"
    return [Difference("harvest_missing", "2100.020", claimed.name, there, "", claimed.bushels)]


def _findings(
    case: PackageContents, wanted: Callable[[Disagreement], bool]
) -> tuple[tuple[Difference, ...], tuple[str, ...]]:
    """Turn the findings of quantification into differences, or into sentences where a person must look."""
    differences, told = [], []
    for farm in case.farms:
        for claimed in farm.latest:
            again = farm.quantified(claimed)
            for one in again.findings if again else ():
                if not wanted(one):
                    continue
                if one.code in FOR_EYES or one.code.startswith("yield_"):
                    told.append(f"{claimed.name}, {one.subject}: {one.cause}")
                else:
                    differences.append(_difference(claimed, one))
    return tuple(differences), tuple(told)


def _difference(claimed: ReportFile, one: Disagreement) -> Difference:
    place = f"{claimed.name}, {one.subject}"
    return Difference(one.code, one.cite, place, one.claimed or one.cause, one.expected, one.effect_bushels)


def _versions(farm: FarmPart) -> Iterator[Difference]:
    """Yield what breaks the chain of a report's versions (interpretations 34, 35)."""
    for one in {one.key: one for one in reversed(farm.reports)}.values():
        if one.version != 1:
            yield Difference("version_missing", CHAIN, one.name, "replaces an earlier version", "it is not here")
    for earlier, later in pairwise(farm.reports):
        if earlier.key != later.key:
            continue
        if later.version == earlier.version:
            what = (f"{earlier.path} and {later.path}", "one report of this version")
            yield Difference("second_report", CHAIN, later.name, *what, later.bushels)
        elif later.document["edition"]["replaces"] != earlier.digest:
            said = f"replaces the report with hash {str(later.document['edition']['replaces'])[:12]}"
            again = f"the version before has hash {earlier.digest[:12]}"
            yield Difference("version_chain_broken", CHAIN, later.name, said, again, later.bushels)
