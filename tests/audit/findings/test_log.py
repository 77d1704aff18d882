"""Findings are a log that only grows; what it says now is folded from all of it."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from provender.audit.findings import Event, Resolution, Severity, Stage, append, findings_now, read_log, write_log
from provender.problem import ProblemsError
from provender.signing.canonical import document_hash

RAISED = {
    "deed": "raised", "finding": "1", "on": "2026-11-03", "by": "V. Moss", "severity": "major",
    "cite": "2100.051(c)(3)", "subject": "F003", "text": "No speed for two passes.", "owner": "F003",
    "due": "2026-11-30", "effect_bushels": "12000",
}  # fmt: skip


def deed(name: str, on: str = "2026-11-10", **more: str) -> dict[str, str]:
    return {"deed": name, "finding": "1", "on": on, "by": "somebody", **more}


RESPONDED = {**deed("responded", text="The monitor's file is attached."), "by": "A. Farmer"}
RESOLVED = deed("resolved", resolution="corrected", text="The file shows it.", bearing="no misstatement")
ENDED = RAISED, RESPONDED, RESOLVED
REOPENED = deed("reopened", text="The file is of another field.", due="2026-12-15")
CHANGED = deed(
    "changed", text="Harvest is on.", due="2026-12-20", severity="minor", owner="F003's agent", cite="2100.051(c)(5)"
)


def log(*events: dict[str, str]) -> list[Event]:
    grown: list[Event] = []
    for event in events:
        grown = append(grown, event)
    return grown


def test_a_finding_is_raised_answered_and_resolved_and_the_log_reads_back_as_written() -> None:
    (raised,) = findings_now(log(RAISED)).values()
    assert (raised.stage, raised.severity, raised.due) == (Stage.OPEN, Severity.MAJOR, date(2026, 11, 30))
    responded = findings_now(log(RAISED, RESPONDED))["1"]
    assert (responded.stage, responded.response) == (Stage.RESPONDED, "The monitor's file is attached.")
    resolved = findings_now(log(RAISED, RESPONDED, RESOLVED))["1"]
    assert (resolved.stage, resolved.resolution, resolved.resolved_on) == (
        Stage.RESOLVED, Resolution.CORRECTED, date(2026, 11, 10),
    )  # fmt: skip
    events = log(RAISED, RESPONDED, RESOLVED)
    assert read_log(write_log(events)) == events


def test_a_finding_ends_with_its_bearing_on_misstatement() -> None:
    """Judged when it is raised, changed or resolved; a log that ended without one is not read."""
    bare = deed("resolved", resolution="corrected", text="The file shows it.")
    with pytest.raises(ProblemsError) as refused:
        log(RAISED, RESPONDED, bare)
    (problem,) = refused.value.problems
    assert (problem.code, problem.place.column) == ("no_bearing", "bearing")
    assert "Finding 1 cannot be resolved yet: nobody judged its bearing" in problem.cause
    judged = deed("changed", text="Judged with the party.", bearing="no misstatement")
    for events in (
        [{**RAISED, "bearing": "no misstatement"}, RESPONDED, bare],
        [RAISED, RESPONDED, judged, bare],
        ENDED,
    ):
        assert findings_now(log(*events))["1"].stage is Stage.RESOLVED
    before = log(RAISED, RESPONDED)
    with pytest.raises(ProblemsError, match="nobody judged its bearing"):
        findings_now([*before, {**bare, "previous": document_hash(before[-1])}])


def test_a_resolved_finding_is_reopened_or_changed_with_a_reason_and_nothing_else_follows() -> None:
    reopened = findings_now(log(*ENDED, REOPENED))["1"]
    assert (reopened.stage, reopened.resolution, reopened.due) == (Stage.OPEN, None, date(2026, 12, 15))
    with pytest.raises(ProblemsError, match="is resolved"):
        append(log(*ENDED), RESPONDED)
    changed = findings_now(log(RAISED, RESPONDED, CHANGED))["1"]
    assert (changed.owner, changed.due, changed.severity) == ("F003's agent", date(2026, 12, 20), Severity.MINOR)
    assert changed.cite == "2100.051(c)(5)"


# A major finding ends by the party's answer and the verifier's judgment on it; a text of one word is none.

JUDGED = {**RESOLVED, "by": "V. Moss"}
SLIGHT, WRONG = {**RAISED, "severity": "minor"}, {"bearing": "misstatement"}
LOWERED = deed("changed", text="Only one pass.", severity="minor")
ENDINGS: dict[str, tuple[tuple[dict[str, str], ...], str]] = {
    "without an answer": ((RAISED, JUDGED), "has not answered"),
    "explained without an answer": ((RAISED, {**JUDGED, "resolution": "explained"}), "has not answered"),
    "lowered without an answer": ((RAISED, LOWERED), "has not answered"),
    "lowered to an observation": ((RAISED, {**LOWERED, "severity": "observation"}), "has not answered"),
    "raised as minor, then major": (
        ({**RAISED, "severity": "minor"}, {**LOWERED, "severity": "major"}, JUDGED), "has not answered"),
    "a misstatement of less than major": ((SLIGHT, {**JUDGED, "bearing": "misstatement"}), "is a misstatement"),
    "a misstatement called none when it ends": ((SLIGHT | WRONG, JUDGED), "is a misstatement"),
    "a misstatement found when it ends": ((SLIGHT, {**JUDGED, **WRONG}), "is a misstatement"),
    "a misstatement called none meanwhile": (
        (SLIGHT | WRONG, deed("changed", text="None after all.", bearing="no misstatement")), "is a misstatement"),
    "answered by who raised it": ((RAISED, {**RESPONDED, "by": "v.  moss"}), "cannot answer it for the party"),
    "judged by who answered it": ((RAISED, RESPONDED, {**JUDGED, "by": "A. FARMER"}), "cannot judge the answer"),
    "lowered by who answered it": ((RAISED, RESPONDED, {**LOWERED, "by": "A. Farmer"}), "cannot judge the answer"),
    "reopened, and ended on the answer of before": ((*ENDED, REOPENED, JUDGED), "has not answered"),
    "a finding of a word": (({**RAISED, "text": "Speed"},), "says nothing"),
    "a finding of a word, twice": (({**RAISED, "text": "speed, speed"},), "says nothing"),
    "a finding to be told later": (({**RAISED, "text": "To be determined"},), "says nothing"),
    "an answer of a word": ((RAISED, {**RESPONDED, "text": "Done."}), "says nothing"),
    "a judgment of a word": ((RAISED, RESPONDED, {**JUDGED, "text": "ok"}), "says nothing"),
    "a change for a word": ((RAISED, RESPONDED, {**LOWERED, "text": "minor"}), "says nothing"),
    "opened again for a word": ((*ENDED, {**REOPENED, "text": "Why"}), "says nothing"),
}  # fmt: skip


@pytest.mark.parametrize("what", ENDINGS)
def test_a_finding_does_not_end_without_answer_and_judgment(what: str) -> None:
    events, cause = ENDINGS[what]
    with pytest.raises(ProblemsError, match=cause):
        log(*events)
    assert log(*events[:-1]) or len(events) == 1


def test_what_cannot_be_corrected_stands_without_an_answer_and_less_than_major_ends_without_one() -> None:
    stands = findings_now(log(RAISED, {**JUDGED, "resolution": "stands"}))["1"]
    assert (stands.stage, stands.resolution) == (Stage.RESOLVED, Resolution.STANDS)
    for severity in ("minor", "observation"):
        assert findings_now(log({**RAISED, "severity": severity}, JUDGED))["1"].stage is Stage.RESOLVED


@pytest.mark.parametrize(
    "event",
    [
        RAISED,
        {**RESPONDED, "finding": "2"},
        {**RESPONDED, "text": " "},
        {**RESPONDED, "mood": "good"},
        {**RESPONDED, "on": "2026-11-02"},
        {**RESPONDED, "on": "soon"},
        {**RESPONDED, "deed": "deleted"},
        {**RESOLVED, "resolution": "forgotten"},
        REOPENED,
        deed("changed", text="Why not change."),
        deed("changed", text="It is late.", due="2026-11-09"),
        {**RAISED, "finding": "2", "cite": "ISO 9001"},
        {**RAISED, "finding": "2", "due": "2026-11-02"},
        {name: value for name, value in RESPONDED.items() if name != "by"},
    ],
)
def test_an_event_that_does_not_fit_is_refused_and_the_log_stays(event: dict[str, str]) -> None:
    before = log(RAISED)
    with pytest.raises(ProblemsError):
        append(before, event)
    assert len(before) == 1


def _drop(events: list[Any]) -> None:
    del events[1]


def _edit(events: list[Any]) -> None:
    events[0]["severity"] = "minor"


def _swap(events: list[Any]) -> None:
    events[1], events[2] = events[2], events[1]


@pytest.mark.parametrize("tamper", [_drop, _edit, _swap])
def test_a_line_taken_out_changed_or_moved_shows(tamper: Callable[[list[Any]], None]) -> None:
    events = [dict(one) for one in log(RAISED, {**RAISED, "finding": "2"}, RESPONDED, RESOLVED)]
    tamper(events)
    with pytest.raises(ProblemsError, match="changed, taken out or put in"):
        findings_now(events)


@pytest.mark.parametrize("content", [b"5\n", b"{\n", b'{"a": 1, "a": 2}\n', b"\xff\n"])
def test_a_line_that_is_no_event_is_refused(content: bytes) -> None:
    with pytest.raises(ProblemsError):
        findings_now(read_log(content))


@pytest.mark.parametrize(("day", "late"), [(date(2026, 11, 30), False), (date(2026, 12, 1), True)])
def test_a_finding_is_overdue_on_the_day_after_its_due_date(day: date, late: bool) -> None:
    assert findings_now(log(RAISED))["1"].overdue(day) is late
    assert not findings_now(log(*ENDED))["1"].overdue(day)


def test_what_travels_with_a_statement_names_no_farm() -> None:
    public = findings_now(log(RAISED))["1"].public()
    assert public == {
        "number": "1", "severity": "major", "cite": "2100.051(c)(3)", "stage": "open", "resolution": "",
        "effect_bushels": "12000", "effect_g_co2e": "", "bearing": "",
    }  # fmt: skip


@pytest.mark.parametrize("amount", ["about 5,000 bushels", "-1", "1e3"])
@pytest.mark.parametrize("name", ["effect_bushels", "effect_g_co2e"])
def test_the_amounts_of_a_finding_are_numbers(name: str, amount: str) -> None:
    with pytest.raises(ProblemsError, match="does not fit the log"):
        log({**RAISED, name: amount})
    with pytest.raises(ProblemsError, match="does not fit the log"):
        log(RAISED, deed("changed", text="Judged.", **{name: amount}))
