"""Reports of earlier formats: what they do not say, so that an old one is compared by what it does say.

Format 1 (up to the first version that was tried) called the example's calculator final like any other, and said
neither who lists it nor what the evidence behind a grade is.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

from provender.intensity.calculator import Label
from provender.report.statements import Footing

FIRST: Final = 1
SECOND: Final = 2
SECOND_SINCE: Final = date(2026, 11, 22)
"""The day since which reports are made in format 2: whoever makes one later does not choose what is asked of it."""
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


def was_made_early(claimed: Mapping[str, Any]) -> bool:
    """Tell whether a report says that it was made before reports said what they say today."""
    try:
        return date.fromisoformat(str(claimed.get("made_on"))) < SECOND_SINCE
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
    report = {**report, "units": _passes_as_said(report["units"], claimed.get("units") or ())}
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
