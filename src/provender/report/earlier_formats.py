"""Reports of earlier formats: what they do not say, so that an old one is compared by what it does say.

Format 1 (up to the first version that was tried) called the example's calculator final like any other, and said
neither who lists it nor what the evidence behind a grade is.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Final

from provender.catalog.operations import find_operation
from provender.intensity.calculator import Label
from provender.practices.stir import of_pass
from provender.quantity import SCALE, STIR_SCALE, parse, show
from provender.report.statements import Footing

FIRST: Final = 1
SECOND: Final = 2
SECOND_SINCE: Final = date(2026, 11, 22)
"""The day since which reports are made in format 2: whoever makes one later does not choose what is asked of it."""
DEEPEST_SINCE: Final = date(2026, 11, 23)
"""The day since which the deepest of several tools goes as deep as recorded; before, the published value counted."""
FORMER_DEPTH: Final = (
    "It was made before the deepest of several tools was taken at the recorded depth: the published value was compared "
    "for "
)
LACKS: Final = (
    "It was made by an earlier version: it does not say which list names its calculator, whether its bushels were "
    "counted elsewhere, or whether the rule was current, and its grades of evidence rest on words."
)
"""What a report of format 1 lacks, in words."""
_OTHERWISE: Final = ("evidence_grades",)
"""Parts that format 1 made in another way: they are taken over and not compared."""
_WORDS: Final = ("says", "missing", "remedy")
"""What a requirement says beside its verdict and its numbers."""
_WRITTEN_OUT: Final = ("equipment", "tillage_type", "share_pct", "working")
"""What a pass says since its STIR is written out: nothing that its STIR does not follow from."""
_CALCULATOR: Final = ("name", "version")
RECORDED_STIR: Final = "STIR by recorded values"


def was_made_early(claimed: Mapping[str, Any]) -> bool:
    """Tell whether a report says that it was made before reports said what they say today."""
    return _before(claimed, SECOND_SINCE)


def _before(claimed: Mapping[str, Any], day: date) -> bool:
    try:
        return date.fromisoformat(str(claimed.get("made_on"))) < day
    except ValueError:
        return False


def as_claimed(report: Mapping[str, Any], claimed: Mapping[str, Any]) -> dict[str, Any]:
    """Return a report made anew with no more than the format of the claimed one could say.

    A report that was made since format 2 is compared by it, whatever format it says. Those of the made-up world may
    bear any day: they carry no claim.

    Args:
        report: made today.
        claimed: the report of any format that it is held against.
    """
    example = report["calculator"]["example"]
    early = example or was_made_early(claimed)
    if early and "wording" not in claimed:
        report = {name: value for name, value in report.items() if name != "wording"}
        report["attestation"] = _sentences(report["attestation"], claimed.get("attestation") or ())
    units = report["units"]
    if _before(claimed, DEEPEST_SINCE):
        units = _at_published_depth(units, claimed.get("units") or ())
    units = _hashes_as_said(units, claimed.get("units") or ())
    report = {**report, "units": _passes_as_said(units, claimed.get("units") or ())}
    if claimed.get("format") != FIRST or not early:
        return dict(report)
    said = {unit.get("unit_id"): unit for unit in claimed.get("units", ())}
    return {
        **{name: value for name, value in report.items() if name in claimed},
        **{name: claimed[name] for name in _OTHERWISE if name in claimed},
        "format": FIRST,
        "label": str(Label.OFFICIAL) if example and report["label"] == Label.EXAMPLE else report["label"],
        "rule": {name: value for name, value in report["rule"].items() if name in claimed.get("rule", ())},
        "calculator": {name: report["calculator"][name] for name in _CALCULATOR},
        "units": [_unit(unit, said.get(unit["unit_id"], {})) for unit in report["units"]],
    }


def _passes_of(units: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
    for unit in units:
        for interval in unit.get("intervals", ()):
            yield from interval.get("passes", ())


def at_published_depth(claimed: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the passes of a report whose STIR was read at the published depth, though another is recorded."""
    if not _before(claimed, DEEPEST_SINCE):
        return ()
    return tuple(
        str(one.get("operation_id"))
        for one in _passes_of(claimed.get("units") or ())
        if "working" not in one and one.get("depth_in") and _gang(str(one.get("operation")))
    )


def _gang(operation: str) -> bool:
    listed = find_operation(operation)
    return listed is not None and bool(listed.gang_stir and listed.depth_in)


def _at_published_depth(units: Sequence[Mapping[str, Any]], claimed: Sequence[Any]) -> list[dict[str, Any]]:
    """Return units with the former STIR of passes of several tools where the claimed report has just that."""
    said = {one.get("operation_id"): one for one in _passes_of(claimed) if "working" not in one}
    entries = {one.get("harvest_id"): one for unit in claimed for one in unit.get("intervals", ())}
    return [
        {**unit, "intervals": [_interval_then(one, said, entries.get(one["harvest_id"], {}))
                               for one in unit["intervals"]]}
        for unit in units
    ]  # fmt: skip


def _interval_then(
    interval: Mapping[str, Any], said: Mapping[Any, Mapping[str, Any]], claimed: Mapping[str, Any]
) -> dict[str, Any]:
    then, less = [], Decimal(0)
    for one in interval["passes"]:
        former = _former(one)
        if former is not None and said.get(one["operation_id"], {}).get("stir_recorded") == former:
            less += Decimal(one["stir_recorded"]) - Decimal(former)
            then.append({**one, "stir_recorded": former})
        else:
            then.append(one)
    if not less:
        return dict(interval)
    facts = [
        {**fact, "value": show(int((Decimal(fact["value"]) - less).scaleb(STIR_SCALE)), STIR_SCALE)}
        if fact["name"] == RECORDED_STIR else fact
        for fact in interval["facts"]
    ]  # fmt: skip
    known = {
        (practice.get("practice"), one.get("name")): one
        for practice in claimed.get("practices", ())
        for one in practice.get("requirements", ())
    }
    practices = [
        {**practice, "requirements": [_words_then(one, known.get((practice["practice"], one["name"]), {}))
                                      for one in practice["requirements"]]}
        for practice in interval["practices"]
    ]  # fmt: skip
    return {**interval, "passes": then, "facts": facts, "practices": practices}


def _words_then(one: Mapping[str, Any], earlier: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a requirement that is judged alike with the number it was judged by."""
    if "stir" not in one["name"] or one["verdict"] != earlier.get("verdict"):
        return one
    return {**one, **{name: earlier[name] for name in ("observed", "gap") if name in earlier}}


def _former(one: Mapping[str, Any]) -> str | None:
    """Return the STIR of a pass as the published value gave it; None where the recorded depth moves nothing."""
    if not str(one.get("working")).startswith("published ("):
        return None
    speed = parse(one["speed_mph"], SCALE) if " mph / " in one["working"] else None
    value = of_pass(find_operation(one["operation"]), speed_mph=speed).value
    return None if value is None else show(value, STIR_SCALE)


def _hashes_as_said(units: Sequence[Mapping[str, Any]], claimed: Sequence[Any]) -> list[dict[str, Any]]:
    """Leave out the hash of a printout that no record had, where the claimed report did not take the file's."""
    blank = {
        (run.get("run_id"), paper.get("evidence_id"))
        for unit in claimed
        for run in unit.get("runs", ())
        for paper in run.get("evidence", ())
        if "sha256" in paper and paper["sha256"] is None
    }
    return [
        {**unit, "runs": [{**run, "evidence": [
            {**paper, "sha256": None} if (run["run_id"], paper["evidence_id"]) in blank else paper
            for paper in run["evidence"]]} for run in unit["runs"]]}
        for unit in units
    ]  # fmt: skip


def _passes_as_said(units: Sequence[Mapping[str, Any]], claimed: Sequence[Any]) -> list[dict[str, Any]]:
    """Leave out of each pass how its STIR is written out, where the claimed report did not write it."""
    written = {
        one.get("operation_id")
        for unit in claimed
        for interval in unit.get("intervals", ())
        for one in interval.get("passes", ())
        if "working" in one
    }
    return [
        {**unit, "intervals": [{**one, "passes": [_said(each, written) for each in one["passes"]]}
                               for one in unit["intervals"]]}
        for unit in units
    ]  # fmt: skip


def _said(one: Mapping[str, Any], written: Container[Any]) -> dict[str, Any]:
    if one["operation_id"] in written:
        return dict(one)
    return {name: value for name, value in one.items() if name not in _WRITTEN_OUT}


def _sentences(today: Sequence[Mapping[str, Any]], claimed: Sequence[Any]) -> list[Mapping[str, Any]]:
    """Return the sentences as the first wording had them, except where the records contradict what was attested."""
    earlier = {one.get("cite"): one for one in claimed if isinstance(one, Mapping)}
    return [
        one if one["cite"] not in earlier or _turned(one, earlier[one["cite"]]) else earlier[one["cite"]]
        for one in today
    ]


def _turned(one: Mapping[str, Any], earlier: Mapping[str, Any]) -> bool:
    """Return whether just one of two statements is contradicted."""
    return Footing.CONTRADICTED in (one["footing"], earlier.get("footing")) and one["footing"] != earlier.get("footing")


def _unit(unit: Mapping[str, Any], claimed: Mapping[str, Any]) -> dict[str, Any]:
    intervals = {one.get("harvest_id"): one for one in claimed.get("intervals", ())}
    return {
        **unit,
        "label": str(Label.OFFICIAL) if unit["label"] == Label.EXAMPLE else unit["label"],
        "intervals": [_interval(one, intervals.get(one["harvest_id"], {})) for one in unit["intervals"]],
    }


def _interval(interval: Mapping[str, Any], claimed: Mapping[str, Any]) -> dict[str, Any]:
    said = {
        (practice.get("practice"), one.get("name")): one
        for practice in claimed.get("practices", ())
        for one in practice.get("requirements", ())
    }
    practices = [
        {**practice, "requirements": list(_requirements(practice, said))} for practice in interval["practices"]
    ]
    return {**interval, "practices": practices}


def _requirements(
    practice: Mapping[str, Any], said: Mapping[tuple[Any, Any], Mapping[str, Any]]
) -> Iterator[Mapping[str, Any]]:
    """Yield the requirements that the earlier format knew, in its words where the verdict is the same."""
    for one in practice["requirements"]:
        earlier = said.get((practice["practice"], one["name"]))
        if earlier is not None:
            words = {name: earlier[name] for name in _WORDS if name in earlier}
            yield {**one, **words} if earlier.get("verdict") == one["verdict"] else one
