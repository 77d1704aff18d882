"""What was found at an audit, told as a log, and what is open of it (2100.040).

Decided here: how a finding may go on, which are open. Not decided here: which lines a verifier works through
(``provender.audit.programme``), whether a statement may be favourable in spite of findings
(``provender.audit.statement``).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from enum import StrEnum
from typing import Any, Final, TypeAlias

from provender.days import says_something
from provender.exact import parse
from provender.problem import Place, Problem, ProblemsError
from provender.rule.crops import Cite
from provender.schema import Day, Text, declared, field, infos, is_required
from provender.signing.canonical import canonical_json, document_hash, read_json

# Findings of an audit as a log that only grows; the present state is folded from it.
#
# Each event names its day and its author and holds the hash of the event before it, so that a line taken out, changed
# or put in between shows. A finding is raised by the verifier, answered by its owner, and resolved by the verifier; it
# can be reopened, and its paragraph, owner, due date and severity can change with a reason, never silently.

_FIRST: Final = "0" * 64
"""What the first event names as the hash before it."""
FILE: Final = "findings"


class Severity(StrEnum):
    """How much a finding weighs, heaviest first."""

    MAJOR = "major"
    """A standard is not met, or a claim is wrong by more than the materiality; no favourable opinion while open."""
    MINOR = "minor"
    """A standard is not met in a way that changes no claim by more than the materiality."""
    OBSERVATION = "observation"
    """Nothing is breached; worth doing better."""


class Deed(StrEnum):
    """What an event does."""

    RAISED = "raised"
    RESPONDED = "responded"
    RESOLVED = "resolved"
    REOPENED = "reopened"
    CHANGED = "changed"


class Resolution(StrEnum):
    """How a finding ended."""

    CORRECTED = "corrected"
    """The cause is removed and the claims are corrected."""
    EXPLAINED = "explained"
    """The response shows that the standard was met."""
    STANDS = "stands"
    """It cannot be corrected; its effect is stated in the opinion."""


class Bearing(StrEnum):
    """What a finding has to do with misstatement."""

    MISSTATEMENT = "misstatement"
    """A claim is wrong by the bushels or grams that the finding states."""
    NONE = "no misstatement"
    """No claim is wrong because of it."""


class Stage(StrEnum):
    """Where a finding stands."""

    OPEN = "open"
    RESPONDED = "responded"
    RESOLVED = "resolved"


Event: TypeAlias = Mapping[str, Any]

# What each deed says: from these the forms, the calls of the API and the commands are made.


@declared
class _Effects:
    """What an event may say of claims that are wrong."""

    effect_bushels: Text = field("Bushels whose claim depends on it", help="If known.", default="")
    effect_g_co2e: Text = field("Grams CO2e by which claims are wrong", help="If known.", default="")
    bearing: Bearing | None = field(
        "Bearing on misstatement",
        help="Uncorrected misstatements are summed against the materiality of the engagement.",
        default=None,
    )


@declared
class Raised(_Effects):
    """A finding to raise."""

    severity: Severity = field("Weight")
    cite: Text = field("Paragraph", help="Such as 2100.051(c)(3).")
    subject: Text = field("What it is about", help="Farm, unit, lot or document.")
    text: Text = field("What was found", long=True)
    owner: Text = field("Who must answer")
    due: Day = field("Due", help="Last day to answer or resolve.")


@declared
class Responded:
    """What the party answers, and where it shows."""

    text: Text = field("Your answer", long=True)
    evidence: Text = field("Where it shows", help="Records or entries you corrected, papers.", default="")


@declared
class Resolved(_Effects):
    """How the verifier ends a finding."""

    resolution: Resolution = field("How it ended")
    text: Text = field("In words", long=True)


@declared
class Reopened:
    """Why a finding goes on, and until when."""

    text: Text = field("Why", long=True)
    due: Day = field("Due", help="Last day to answer or resolve.")


@declared
class Changed(_Effects):
    """Another weight, paragraph, owner, due date or bearing, with the reason; what is not said stays."""

    text: Text = field("Why", long=True)
    severity: Severity | None = field("Weight", default=None)
    cite: Text = field("Paragraph", help="Such as 2100.051(c)(3).", default="")
    owner: Text = field("Who must answer", default="")
    due: Day | None = field("Due", help="Last day to answer or resolve.", default=None)


DEEDS: Final[Mapping[Deed, type[Any]]] = {
    Deed.RAISED: Raised, Deed.RESPONDED: Responded, Deed.RESOLVED: Resolved, Deed.REOPENED: Reopened,
    Deed.CHANGED: Changed,
}  # fmt: skip
_COMMON: Final = frozenset({"deed", "finding", "on", "by", "previous"})
EFFECTS: Final = tuple(infos(_Effects))
"""What an event may say of claims that are wrong."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding as it stands now."""

    number: str  # its name in the audit, such as ``3``
    severity: Severity  # as of now
    cite: str  # the paragraph, as of now
    subject: str  # farm, entity, unit, lot or document it is about
    text: str  # what was found
    owner: str  # who must answer
    due: date  # the last day to answer or resolve
    raised_on: date  # the day
    raised_by: str  # who raised it: somebody else answers
    stage: Stage = Stage.OPEN  # open, responded or resolved
    response: str = ""  # the latest answer, empty without one
    answered_by: str = ""  # who gave it: somebody else judges it
    resolution: Resolution | None = None  # how it ended, None while it has not
    resolved_on: date | None = None  # the day, None while it has not
    effect_bushels: str = ""  # bushels whose claim depends on it, as decimal text; empty where nobody can say
    effect_g_co2e: str = ""  # grams by which claims are wrong, likewise
    bearing: Bearing | None = None  # on misstatement; None before the verifier judged it
    party: str = ""  # code of the owner where it is not the audited party and answers for itself; else empty

    def overdue(self, as_of: date) -> bool:
        """Tell whether the due date has passed without a resolution."""
        return self.stage is not Stage.RESOLVED and as_of > self.due

    def document(self) -> dict[str, str]:
        """Return plain data; empty where nothing is said."""
        left = ("party", "raised_by", "answered_by")
        return {one.name: str(getattr(self, one.name) or "") for one in fields(self) if one.name not in left}

    def public(self) -> dict[str, str]:
        """Return what may travel with a statement: no name, nothing that names a farm (interpretation 45)."""
        shown = ("number", "severity", "cite", "stage", "resolution", *EFFECTS)
        return {name: value for name, value in self.document().items() if name in shown}


def append(log: Iterable[Event], event: Event) -> list[Event]:
    """Return the log with one more event, its hash link set.

    Raises:
        ProblemsError: the log is damaged, the event does not fit it, or it resolves what is not judged.
    """
    events = [dict(one) for one in log]
    previous = document_hash(events[-1]) if events else _FIRST
    grown: list[Event] = [*events, {**{name: in_line(value) for name, value in event.items()}, "previous": previous}]
    findings_now(grown)
    return grown


def write_log(log: Iterable[Event]) -> bytes:
    """Write the log as canonical JSON, one event a line."""
    return b"".join(canonical_json(dict(event)) + b"\n" for event in log)


def read_log(content: bytes, file: str = FILE) -> list[Event]:
    """Read a log.

    Raises:
        ProblemsError: a line is not a JSON object.
    """
    events: list[Event] = []
    for number, line in enumerate(content.splitlines(), start=1):
        event = read_json(line, file=f"{file} line {number}")
        if not isinstance(event, dict):
            cause, remedy = "The line is no event.", "Restore the log from the package or the verifier."
            raise ProblemsError([Problem(Place(file, row=number), cause, remedy, code="not_an_event")])
        events.append(event)
    return events


def findings_now(log: Iterable[Event], file: str = FILE) -> dict[str, Finding]:
    """Return every finding as it stands after the whole log, by number.

    Raises:
        ProblemsError: the first event that does not fit: broken chain, missing or unknown fields, an unknown or closed
            finding, a day before the event before it, a finding resolved that nobody judged.
    """
    findings: dict[str, Finding] = {}
    previous, last = _FIRST, date.min
    for row, event in enumerate(log, start=1):
        try:
            day = _check(event, previous, last)
            finding = _apply(findings.get(event["finding"]), event, day)
        except (KeyError, TypeError, ValueError) as wrong:
            cause = f"This event does not fit the log: {wrong}."
            remedy = "Correct it before it is added; a log that was added to is never edited."
            raise ProblemsError([Problem(Place(file, row=row), cause, remedy, code="event_refused")]) from None
        if finding.stage is Stage.RESOLVED and finding.bearing is None:
            # The opinion rests on every one of them.
            cause = f"Finding {finding.number} cannot be resolved yet: nobody judged its bearing on misstatement."
            remedy = "Say whether a claim is wrong because of it, with the bushels or grams if so, or that none is."
            raise ProblemsError([Problem(Place(file, column="bearing"), cause, remedy, code="no_bearing")])
        findings[finding.number] = finding
        previous, last = document_hash(dict(event)), day
    return findings


def _check(event: Event, previous: str, last: date) -> date:
    if event.get("previous") != previous:
        raise ValueError("an event before it was changed, taken out or put in")
    deed = Deed(event["deed"])
    needed = _COMMON | {each.name for each in fields(DEEDS[deed]) if is_required(each)}
    missing = needed - event.keys()
    unknown = event.keys() - needed - {*infos(DEEDS[deed]), "party"}
    if missing or unknown:
        raise ValueError(f"missing {sorted(missing)}, unknown {sorted(unknown)}")
    texts = [name for name, value in event.items() if isinstance(value, str) and value.isprintable() and value.strip()]
    if blank := sorted(event.keys() - texts):
        raise ValueError(f"blank or not text: {blank}")
    if not says_something(event["text"]):
        raise ValueError(f"its text {event['text']!r} says nothing: write a sentence")
    day = date.fromisoformat(event["on"])
    if day < last:
        raise ValueError(f"its day {day} is before {last}, the day of the event before it")
    return day


def _apply(finding: Finding | None, event: Event, day: date) -> Finding:
    deed = Deed(event["deed"])
    if deed is Deed.RAISED:
        return _raise(finding, event, day)
    if finding is None:
        raise ValueError(f"there is no finding {event['finding']}")
    if (finding.stage is Stage.RESOLVED) != (deed is Deed.REOPENED):
        raise ValueError(f"finding {finding.number} is {finding.stage}")
    match deed:
        case Deed.RESPONDED:
            if _same(event["by"], finding.raised_by):
                raise ValueError(f"{event['by']} raised finding {finding.number} and cannot answer it for the party")
            return replace(finding, stage=Stage.RESPONDED, response=event["text"], answered_by=event["by"])
        case Deed.RESOLVED:
            ended = Resolution(event["resolution"])
            after = replace(finding, stage=Stage.RESOLVED, resolution=ended, resolved_on=day, **_effects(event))
            if ended is not Resolution.STANDS and _weight(finding) | _weight(after):
                _answered(finding, event)
            return after
        case Deed.REOPENED:
            due = _due(event["due"], day)
            return replace(finding, stage=Stage.OPEN, resolution=None, resolved_on=None, due=due)
    return _change(finding, event, day)


def _raise(finding: Finding | None, event: Event, day: date) -> Finding:
    if finding is not None:
        raise ValueError(f"finding {finding.number} was raised before")
    return Finding(
        event["finding"],
        Severity(event["severity"]),
        str(Cite.parse(event["cite"])),
        event["subject"],
        event["text"],
        event["owner"],
        _due(event["due"], day),
        day,
        event["by"],
        party=event.get("party", ""),
        **_effects(event),
    )


def _answered(finding: Finding, event: Event) -> None:
    """Refuse to end or lower what weighs without the party's answer and a judgment that is not its own."""
    if finding.stage is not Stage.RESPONDED:
        what = "major" if finding.severity is Severity.MAJOR else "a misstatement"
        raise ValueError(f"finding {finding.number} is {what}, and the party has not answered it")
    if _same(event["by"], finding.answered_by):
        raise ValueError(f"{event['by']} answered finding {finding.number} and cannot judge the answer")


def _weight(finding: Finding) -> frozenset[object]:
    """Return what makes a finding too heavy to end on the verifier's word alone."""
    return frozenset({Severity.MAJOR, Bearing.MISSTATEMENT}) & {finding.severity, finding.bearing}


def _same(one: str, other: str) -> bool:
    return in_line(one).casefold() == in_line(other).casefold()


def _effects(event: Event) -> dict[str, Any]:
    """Return what an event says of claims that are wrong.

    Raises:
        ValueError: an amount is no number or below zero.
    """
    said: dict[str, Any] = {name: event[name] for name in EFFECTS if name in event}
    for name in EFFECTS[:2]:
        if name in said and parse(said[name]) < 0:
            raise ValueError(f"{name} is below zero: write how far off it is, whichever way")
    return said | ({"bearing": Bearing(said["bearing"])} if "bearing" in said else {})


def _change(finding: Finding, event: Event, day: date) -> Finding:
    said = _effects(event)
    if "owner" in event:
        said |= {"owner": event["owner"], "party": event.get("party", "")}
    if "due" in event:
        said["due"] = _due(event["due"], day)
    if "severity" in event:
        said["severity"] = Severity(event["severity"])
    if "cite" in event:
        said["cite"] = str(Cite.parse(event["cite"]))
    changed = replace(finding, **said)
    if _weight(finding) - _weight(changed):
        _answered(finding, event)
    if changed == finding:
        raise ValueError("it changes nothing")
    return changed


def _due(text: str, day: date) -> date:
    due = date.fromisoformat(text)
    if due < day:
        raise ValueError(f"it would be due on {due}, before its own day {day}")
    return due


# Which differences of a recomputation a finding deals with: asked by the server and by the commands alike.

Told = tuple[str, str]
"""The place of a difference and its words."""


def words_of(claimed: str, recomputed: str) -> str:
    return f"Claimed: {claimed or 'nothing'}. Recomputed: {recomputed or 'nothing'}."


def dealt_with(differences: Iterable[Told], findings: Iterable[Finding]) -> list[tuple[Told, list[Finding]]]:
    """Return each difference with the findings that deal with it.

    A finding deals with the difference whose place it is raised under and whose words it holds: several differences
    may lie at one place, and each is judged by itself.
    """
    raised: dict[str, list[Finding]] = {}
    for finding in findings:
        raised.setdefault(in_line(finding.subject), []).append(finding)
    return [
        (told, [one for one in raised.get(in_line(told[0]), ()) if in_line(told[1]) in in_line(one.text)])
        for told in differences
    ]


def open_of(differences: Iterable[Told], findings: Iterable[Finding]) -> list[Told]:
    """Return the differences that no finding deals with."""
    return [told for told, dealing in dealt_with(differences, findings) if not dealing]


def in_line(text: str) -> str:
    return " ".join(text.split())
