"""Farm reports made again from the records and compared with what was signed (2100.020, .031(c), .051 to .053).

One comparison serves several checks, each with the paragraphs it settles: STIR, the verdicts, the units and their
calculator runs, the weighted average and totals, the completeness tests, the attestation, and everything else.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from provender.audit.outcome import Answer, Difference, check, effect_g_co2e, rows_of, scaled
from provender.audit.package.contents import FarmPart, PackageContents, ReportFile, once
from provender.audit.recompute.papers import Path, laid_together
from provender.exact import CI_SCALE, SCALE
from provender.intensity.harvests import Disagreement
from provender.problem import Problem, Weight
from provender.records.kind import KINDS
from provender.report.supporting import WHOLE_FARM, Leaves, of_this_crop
from provender.report.versions import ENDING
from provender.rule.crops import Cite
from provender.standards.standard import Verdict
from provender.verdicts.words import requirements_of

# Every row of a farm's records against the roots in its signed report (2100.030(d), .031(a)).
#
# A report carries one root for each kind of record and unit, over salted leaves; the farm's package brings what opens
# them. Then each row that was changed, dropped or added since the signature is named, whatever follows from it or not.

CITE = "2100.031(a)"
KEPT = "2100.030(d)"


def _has_roots(claimed: ReportFile) -> bool:
    """Tell whether a report binds every kind of record; one made without a key does not."""
    rests_on = claimed.document.get("rests_on")
    return isinstance(rests_on, dict) and "leaves" in rests_on


def opened(farm: FarmPart, claimed: ReportFile) -> bool:
    """Tell whether the package holds what opens a report's roots row by row."""
    opening = farm.opening(claimed)
    return opening is not None and opening.fits(claimed.document["rests_on"]["records"])


def _changed_rows(farm: FarmPart, claimed: ReportFile) -> Iterator[Difference]:
    """Yield every row and file that is not as it was signed; the file that opens the roots where it is not here."""
    if not _has_roots(claimed):
        return
    opening, latest = farm.opening(claimed), any(claimed is one for one in farm.latest)
    if opening is None and latest:
        words = ("every row as signed", f"the file {ENDING} that the farm keeps beside the report is not here")
        yield Difference("leaves_missing", KEPT, claimed.name, *words, claimed.bushels)
    elif opening is None or not opening.leaves:
        return  # of an earlier version nothing is asked; only the secret came along: the roots themselves are compared
    elif not opened(farm, claimed):
        words = ("the roots in the signed report", f"its file {ENDING} gives others")
        yield Difference("leaves_do_not_open", KEPT, claimed.name, *words, claimed.bushels)
    elif latest:
        yield from _rows(claimed, opening.leaves, farm.leaves.get(claimed.key, {}))


def unreadable_rows(farm: FarmPart, claimed: ReportFile) -> Iterator[Difference]:
    """Yield what cannot be read in the records and could be when the report was signed: it would count as blank."""
    if not _has_roots(claimed):
        return
    known = {one.get("cause") for one in claimed.document.get("problems", [])}
    again = farm.quantified(claimed)
    # A report does not name the rows of other crops that could not be read either when it was signed.
    found = farm.book.problems if again is None else of_this_crop(farm.assessment, again)
    for one in found:
        if one.weight is Weight.ERROR and one.cause not in known:
            place = f"{claimed.name}: {one.place}"
            yield Difference(
                "record_unreadable", CITE, place, "a row that could be read", one.cause, claimed.bushels
            ).of((claimed.name,))


def _rows(claimed: ReportFile, signed: Leaves, now: Leaves) -> Iterator[Difference]:
    for unit in sorted({*signed, *now}):
        for kind in sorted({*signed.get(unit, {}), *now.get(unit, {})}):
            then, here = signed.get(unit, {}).get(kind, {}), now.get(unit, {}).get(kind, {})
            for label in sorted(label for label in {*then, *here} if then.get(label) != here.get(label)):
                words = (
                    "the row as signed" if label in then else "",
                    "" if label not in here else "another row" if label in then else "a row that was not signed",
                )
                yield Difference(
                    f"record_changed:{kind}", CITE, f"{claimed.name}: {_place(unit, kind, label)}", *words,
                    _bushels(claimed, unit), about=((claimed.name,) if unit == WHOLE_FARM else (claimed.name, unit),),
                )  # fmt: skip


def _place(unit: str, kind: str, label: str) -> str:
    whose = "the farm" if unit == WHOLE_FARM else f"unit {unit}"
    return f"{kind.replace('_', ' ')} {label} of {whose}".replace("  ", " ")


def _bushels(claimed: ReportFile, unit: str) -> int | None:
    units = claimed.document.get("units", [])
    return next((scaled(one.get("bushels"), SCALE) for one in units if one["unit_id"] == unit), claimed.bushels)


def _unbound(case: PackageContents) -> Iterator[str]:
    """Yield what no signature binds: records of reports without roots, and rows that belong to no report."""
    for farm in case.farms:
        for claimed in farm.latest:
            if not _has_roots(claimed):
                yield (
                    f"{claimed.name} was made without a key: records without a part in its "
                    "numbers, and boundaries, may have been changed since."
                )
        if all(map(_has_roots, farm.latest)) and farm.latest:
            yield from _of_no_report(farm)


def _of_no_report(farm: FarmPart) -> Iterator[str]:
    bound = {kind: set[str]() for kind in KINDS}
    for leaves in farm.leaves.values():
        for kinds in leaves.values():
            for kind, of_kind in kinds.items():
                if kind in bound:
                    bound[kind] |= of_kind.keys()
    for kind, labels in bound.items():
        if (left := sum(1 for _ in farm.rows(kind)) - len(labels)) > 0:
            rows = "a row" if left == 1 else f"{left} rows"
            yield f"{farm.farm_id}: no signed report binds {rows} of {KINDS[kind].label}; see who wrote them and when."


# Two versions of the same report laid side by side, field by field: claimed and recomputed, received and shown.
#
# A report is flattened to one line per value. A line is named by what it belongs to (unit, crop entry, requirement),
# not by its place in a list, so the order of rows never matters. What a difference touches is read off the report
# itself: the paragraph that stands nearest to it, the bushels of its unit, and the grams that a changed CI moves.

_NOT_COMPARED: Final = frozenset(
    {"software", "problems", "contradictions", "findings", "made_on", "type", "rests_on/evidence", "rests_on/book_head"}
)
"""The program's version, its remarks (asked for anew elsewhere), what the comparison took over, evidence, whose hashes
are held against the files themselves, and the head of a book kept as a chain, which a folder of records has not."""
_WORDING: Final = frozenset({"observed", "limit", "gap", "moot", "remedy", "says", "label", "why", "text", "notes"})
FINDINGS: Final = frozenset({"against", "missing", "shown"})
"""Texts that follow from a verdict, and the records that it rests on: told of only where the verdict beside agrees."""

_RUNNING: Final = frozenset({"sum_recorded", "sum_published", "product_g"})
"""Sums that only repeat the values they add up."""

_CITES: Final[Mapping[str, str]] = {
    "farm": "2100.031(c)(1)",
    "producer": "2100.031(c)(1)",
    "units": "2100.031(c)(2)(i)",
    "calculator": "2100.031(c)(2)(i)",
    "average": "2100.020(c)",
    "farm_ci_g_per_bu": "2100.020(c)",
    "below_national_g_per_bu": "2100.020(c)",
    "national_default_g_per_bu": "2100.020(b)",
    "total_bushels": "2100.020",
    "total_acres": "2100.020",
    "attestation": "2100.031(c)(3)",
    "rests_on": "2100.031(a)",
    "rule": "2100.020",
}
_ELSE: Final = "2100.031(c)"
_WORDS: Final[Mapping[str, str]] = {
    "units": "unit",
    "intervals": "crop entry",
    "facts": "",
    "value": "",
    "practices": "practice",
    "requirements": "requirement",
    "rests_on": "",
    "records": "records of",
    "attestation": "attestation",
    "average": "average",
    "rows": "of",
    "evidence_grades": "grade",
    "working": "step",
}


def compare(
    claimed: Mapping[str, Any], recomputed: Mapping[str, Any], name: str, *, code: str = "report_differs"
) -> list[Difference]:
    """Return every field in which two reports of one key differ, worst effect first within each unit.

    The second is made from the records, or as another party holds it; the code is what that of each difference begins
    with.
    """
    left, right, changed = laid_together(claimed, recomputed, _NOT_COMPARED)
    return [
        _difference(path, left, right, (claimed, recomputed), f"{code}:{_kind_of(path)}", name)
        for path in _telling([path for path in changed if path[-1] not in _RUNNING])
    ]


def _telling(changed: list[Path]) -> list[Path]:
    """Leave out what only follows from a verdict, footing or value that differs too; name each finding once."""
    followed = {path: _followed(path) for path in changed}
    plain = {path[:-1] for path, what in followed.items() if what is None}
    kept: dict[Path, Path] = {}
    for path, what in followed.items():
        if what is None:
            kept[path] = path
        elif what not in plain:
            finding = path[: len(what) + 2]
            if finding not in kept or path[-1] == "label":  # of a finding that only one of them has, its kind in words
                kept[finding] = path
    return list(kept.values())


def _followed(path: Path) -> Path | None:
    """Return the place of what a text or a finding follows from; None where it is no such."""
    at = next((at for at, part in enumerate(path) if part in FINDINGS), None)
    if at is not None:
        return path[:at]
    return path[:-1] if path[-1] in _WORDING else None


def _kind_of(path: Path) -> str:
    """Return what a place is about: ``stir``, ``verdict``, ``fact``, ``average``, ``attestation``, ``records``, ..."""
    if path[0] == "units":
        if any("STIR" in part or "stir" in part for part in path):
            return "stir"
        inner = {"requirements": "verdict", "practices": "verdict", "facts": "fact", "intervals": "fact"}
        return next((word for part, word in inner.items() if part in path), "unit")
    known = {"average", "attestation", "farm", "producer", "calculator", "practices", "evidence_grades"}
    if path[0] == "rests_on":
        return "records"
    if path[0] in ("farm_ci_g_per_bu", "below_national_g_per_bu", "national_default_g_per_bu"):
        return "average"
    if path[0].startswith("total_"):
        return "totals"
    return path[0] if path[0] in known else "report"


def _difference(
    path: Path,
    left: Mapping[Path, str],
    right: Mapping[Path, str],
    reports: tuple[Mapping[str, Any], Mapping[str, Any]],
    code: str,
    name: str,
) -> Difference:
    bushels, grams = _effect(path, *reports)
    return Difference(
        code,
        _cite(path, left, right),
        f"{name}: {_report_diff_place(path)}",
        _shown(path, left.get(path, "")),
        _shown(path, right.get(path, "")),
        bushels,
        grams,
        about=((name, unit) if (unit := _unit_of(path)) else (name,),),
    )


def _unit_of(path: Path) -> str:
    """Return the unit that a place is about; empty where it is about the farm."""
    if path[0] == "units":
        return path[1]
    return path[2] if path[0] == "rests_on" and path[2:3] != ("farm",) and len(path) > 2 else ""  # noqa: PLR2004 - its place


def _shown(path: Path, text: str) -> str:
    # A hash tells nobody anything; that it is another one does.
    return f"rows with hash {text[:12]}" if path[0] == "rests_on" and text else text


def _cite(path: Path, left: Mapping[Path, str], right: Mapping[Path, str]) -> str:
    """Return the paragraph that stands nearest to a place in the report."""
    for length in range(len(path) - 1, 0, -1):
        beside = (*path[:length], "cite")
        if found := right.get(beside) or left.get(beside):
            return found
    if _kind_of(path) == "stir":
        return "2100.051"
    return _CITES.get(path[0], _ELSE)


def _of_rows(path: Path) -> bool:
    """Tell whether a place is that of a kind of record of a unit, or of the farm: not all that a report rests on is."""
    return path[0] == "rests_on" and path[3:] != ()


def _report_diff_place(path: Path) -> str:
    if _of_rows(path):
        unit, kind = path[2], path[3]
        whose = "the farm" if unit == "farm" else f"unit {unit}"
        return f"{kind.replace('_', ' ')} records of {whose}"
    words = []
    for part in path:
        word = _WORDS.get(part, part.replace("_", " "))
        if word:
            words.append(word)
    text = " ".join(words)
    for joint in (" crop entry ", " practice ", " requirement "):
        text = text.replace(joint, f",{joint}")
    return text


def _effect(path: Path, claimed: Mapping[str, Any], recomputed: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """Return the bushels that hang on a place, and the grams that its CI moves."""
    unit = path[1] if path[0] == "units" else path[2] if _of_rows(path) else ""
    pairs = [_unit(one, unit) for one in (claimed, recomputed)] if unit else []
    if unit and any(pairs):
        bushels = next((b for one in pairs if one and (b := scaled(one.get("bushels"), SCALE)) is not None), None)
        old, new = (_unit_ci(one, whole) for one, whole in zip(pairs, (claimed, recomputed), strict=True))
    else:
        bushels = next(
            (b for one in (claimed, recomputed) if (b := scaled(one.get("total_bushels"), SCALE)) is not None), None
        )
        old, new = (scaled(one.get("farm_ci_g_per_bu"), CI_SCALE) for one in (claimed, recomputed))
    grams = effect_g_co2e(bushels, old, new) if bushels is not None and old is not None and new is not None else None
    return bushels, grams


def _unit(document: Mapping[str, Any], unit: str) -> Mapping[str, Any] | None:
    units = document.get("units")
    rows = units if isinstance(units, list) else []
    return next((one for one in rows if isinstance(one, Mapping) and one.get("unit_id") == unit), None)


def _unit_ci(unit: Mapping[str, Any] | None, document: Mapping[str, Any]) -> int | None:
    """Return a unit's CI; a conventional one has the national default."""
    own = scaled(unit.get("ci_g_per_bu"), CI_SCALE) if unit else None
    return own if own is not None else scaled(document.get("national_default_g_per_bu"), CI_SCALE)


_INPUTS: Final = tuple(f"2100.020(a)({step})" for step in range(1, 9))
"""County, crop, yield, acres, tillage, cover, timing, inhibitor: each is held against records and verdicts."""
_CHAIN: Final = "2100.031(c)"

_COMPLETENESS: Final = frozenset(
    {"acres_differ", "bushels_differ", "acres_unexplained", "bushels_unexplained", "nothing_counted",
     "count_without_evidence", "count_below_zero", "harvest_undated", "no_reported_acres", "no_counted_bushels",
     "unit_acres_missing", "unit_bushels_missing", "acres_beyond_unit", "acres_below_unit", "bushels_converted",
     "bushels_not_harvested", "moisture_unknown", "use_not_shown", "crop_not_named", "silage_left_out",
     "forage_left_out", "high_moisture_left_out"}
)  # fmt: skip
_FOR_EYES: Final = frozenset(
    {
        "no_reported_acres",
        "no_counted_bushels",
        "unit_acres_missing",
        "unit_bushels_missing",
        "acres_below_unit",
        "bushels_converted",
        "silage_left_out",
        "forage_left_out",
        "high_moisture_left_out",
        "run_practices_unread",
        "no_practice",
        "not_below_national",
    }
)
"""What only says that a number is missing, and with every ``yield_...`` what a person must judge."""


@once
def _compared(case: PackageContents) -> dict[str, list[Difference]]:
    """Return the differences of every latest report, by its path."""
    return {
        claimed.path: compare(claimed.document, again, claimed.name)
        for farm in case.farms
        for claimed in farm.latest
        if (again := farm.recomputed.get(claimed.key)) is not None
    }


@check("stir", "2100.051")
def stir(case: PackageContents) -> Iterator[Answer]:
    """Compute STIR of every crop interval again."""
    return _part(case, {"stir"})


@check("verdicts", "2100.051", "2100.052", "2100.053", "2100.040(b)(3)(i)")
def verdicts(case: PackageContents) -> Iterator[Answer]:
    """Judge every requirement of every practice again; those with an answer in every unit are settled one by one."""
    yield from _part(case, {"verdict", "fact", "practices"})
    yield from map(Cite.parse, _answered(case))


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
                yield from ((asked["cite"], asked["verdict"]) for asked in requirements_of(interval, one))


@check("calculator runs", "2100.020(a)", *_INPUTS, "2100.031(c)(2)(i)")
def runs(case: PackageContents) -> Iterator[Answer]:
    """Hold units and calculator runs against records, verdicts and printouts (interpretation 28)."""
    yield from _part(case, {"unit", "calculator"})
    yield from _findings(case, lambda one: one.code not in _COMPLETENESS)


@check("weighted average", "2100.020(b)", "2100.020(c)", "2100.031(c)(2)(ii)", "2100.040(b)(3)(ii)")
def average(case: PackageContents) -> Iterator[Answer]:
    """Form the weighted average and the totals again."""
    return _part(case, {"average", "totals", "evidence_grades"})


@check("completeness", "2100.020")
def completeness(case: PackageContents) -> Iterator[Answer]:
    """Hold acres and bushels against what was reported and counted elsewhere (interpretation 27)."""
    yield from _part(case, ())
    yield from _findings(case, lambda one: one.code in _COMPLETENESS)


@check("attestation", "2100.031(c)(3)", "2100.031(c)(3)(ii)", "2100.031(c)(3)(iii)")
def attestation(case: PackageContents) -> Iterator[Answer]:
    """Hold the attestation's statements against the records again."""
    return _part(case, {"attestation"})


@check("report", "2100.031(c)(1)", "2100.031(a)")
def report(case: PackageContents) -> Iterator[Answer]:
    """Compare what is left of the report, and the order of its versions."""
    yield from _part(case, {"farm", "producer", "report"})
    for farm in case.farms:
        yield from _versions(farm)
    yield from _cannot_be(case)


def _cannot_be(case: PackageContents) -> Iterator[str]:
    """Yield what the records behind a report hold that cannot be, and the report does not tell of."""
    for farm in case.farms:
        for claimed in farm.latest:
            said = claimed.document.get("contradictions")
            told = {one.get("cause") for one in (said if isinstance(said, list) else ()) if isinstance(one, Mapping)}
            for one in farm.recomputed.get(claimed.key, {}).get("contradictions", ()):
                if one["cause"] not in told:
                    yield f"{claimed.name}: {one['cause']}"


@check("records", "2100.051(c)", "2100.052(b)", "2100.053(e)")
def records(case: PackageContents) -> Iterator[Answer]:
    """Read the records again, and hold them against the roots or hashes in the signed report, row by row."""
    claims = [(farm, claimed) for farm in case.farms for claimed in farm.latest]
    named = {claimed.name for farm, claimed in claims if _has_roots(claimed) and opened(farm, claimed)}
    for farm in case.farms:
        yield from (one for claimed in farm.reports for one in _changed_rows(farm, claimed))
    for both in claims:
        yield from unreadable_rows(*both)
    for one in _part(case, {"records"}):
        # Where the rows themselves are named, the roots over them say nothing more.
        if not isinstance(one, Difference) or one.place.partition(": ")[0] not in named:
            yield one
    for farm in case.farms:
        for problem in farm.book.problems:
            if problem.weight is Weight.ERROR or _twice(problem, farm):
                yield f"{farm.farm_id}: {problem}"
    yield from _unbound(case)


def _twice(problem: Problem, farm: FarmPart) -> bool:
    """Tell whether rows stand there twice that say the same, and no report was told so."""
    told = (one for report in farm.latest for one in rows_of(report.document.get("problems")))
    return problem.code == "double_key" and not any(one.get("cause") == problem.cause for one in told)


def _part(case: PackageContents, kinds: Collection[str]) -> Iterator[Answer]:
    """Yield the differences of some kinds between every latest report and the one made again."""
    for farm in case.farms:
        if not farm.latest:
            yield f"{farm.farm_id}: the package holds no readable report."
        for claimed in farm.latest:
            if claimed.key not in farm.recomputed:
                if "report" in kinds:
                    there = f"{claimed.document.get('total_bushels')} bu"
                    yield Difference("harvest_missing", "2100.020", claimed.name, there, "", claimed.bushels)
                yield f"{claimed.name}: the records hold no such harvest."
                continue
            yield 1
            everything = _compared(case)[claimed.path]
            yield from (one for one in everything if one.code.partition(":")[2] in kinds)
    if not case.farms:
        yield "The package holds no farm."


def _findings(case: PackageContents, wanted: Callable[[Disagreement], bool]) -> Iterator[Answer]:
    """Yield the findings of quantification as differences, or as sentences where a person must look."""
    for farm in case.farms:
        for claimed in farm.latest:
            again = farm.quantified(claimed)
            for one in filter(wanted, again.findings if again else ()):
                place = f"{claimed.name}, {one.subject}"
                if one.code in _FOR_EYES or one.code.startswith("yield_"):
                    yield f"{place}: {one.cause}"
                else:
                    said = one.claimed or one.cause
                    yield Difference(one.code, one.cite, place, said, one.expected, one.effect_bushels)


def _versions(farm: FarmPart) -> Iterator[Difference]:
    """Yield what breaks the chain of a report's versions (interpretations 34, 35)."""
    for one in {one.key: one for one in reversed(farm.reports)}.values():
        if one.version != 1:
            yield Difference("version_missing", _CHAIN, one.name, "replaces an earlier version", "it is not here")
    for earlier, later in pairwise(farm.reports):
        if earlier.key != later.key:
            continue
        if later.version == earlier.version:
            what = (f"{earlier.path} and {later.path}", "one report of this version")
            yield Difference("second_report", _CHAIN, later.name, *what, later.bushels)
        elif later.document["edition"]["replaces"] != earlier.digest:
            said = f"replaces the report with hash {str(later.document['edition']['replaces'])[:12]}"
            again = f"the version before has hash {earlier.digest[:12]}"
            yield Difference("version_chain_broken", _CHAIN, later.name, said, again, later.bushels)
        elif later.document["made_on"] < earlier.document["made_on"]:
            said, again = (f"made on {one.document['made_on']}" for one in (later, earlier))
            yield Difference(
                "version_before", _CHAIN, later.name, said, f"the version before was {again}", later.bushels
            )
