"""The work programme of an audit: generated from the rule, prefilled by recomputation, marked line by line."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from dataclasses import field as dataclasses_field
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet

from provender.audit import programme as work_programme
from provender.audit.fieldwork import FieldPriority, Heading, programme_pdf, programme_xlsx, read_place
from provender.audit.findings import Deed, Event, Finding, Severity, open_of, words_of
from provender.audit.outcome import State
from provender.audit.programme import Role as AuditRole
from provender.audit.programme import roles_in as roles_of_programme
from provender.catalog.words import Pick
from provender.database.actor import Actor, today, write_log
from provender.database.choices import Role
from provender.database.models.accounts import Organisation
from provender.database.models.audits import Audit, AuditEntry, EntryKind
from provender.rule.crops import Cite
from provender.rule.law import rule_version
from provender.rule.paragraphs import Force, Paragraph, Subject, nearest, paragraphs
from provender.schema import field, view, write
from provender.services.accounts.access import Access
from provender.services.accounts.grants import open_grants
from provender.services.audits import audits
from provender.services.refused import MissingError, refusal


@view
class MarkView:
    """The last mark of a line."""

    state: audits.Mark = field("Result")
    note: str = field("What was seen")
    evidence: str = field("Evidence", help="File, photograph or document number.")
    reason: str = field("Why it is not needed")
    by: str = field("By")
    at: str = field("When (UTC)")


@view
class WorkLineView:
    """A line of the program: what is verified by which paragraph, what recomputation says, what people noted."""

    line: str = field("Line")
    kind: str = field("Kind")
    role: str = field("Role")
    cite: str = field("Paragraph")
    text: str = field("What to do")
    how: str = field("How")
    state: State = field("Recomputation")
    left: str = field("What is left")
    window: str = field("When it can be seen")
    mark: MarkView | None = field("Mark")


def _roles_in(audit: Audit) -> list[AuditRole]:
    """Return the roles whose program an audit has: a first point's includes that of its farms."""
    return list(roles_of_programme(*audits.roles_audited(audit)))


class Settled(NamedTuple):
    """What a check answered, as far as the program asks: to which paragraphs it speaks, how they stand, its name."""

    cites: tuple[str, ...]
    state: State
    check: str


def outcomes_of(audit: Audit) -> list[Settled]:
    """Return what the last recomputation of each package answered."""
    return outcomes_in(audits.latest_results(audit))


def outcomes_in(results: Iterable[Mapping[str, Any]]) -> list[Settled]:
    """Return what the checks of some recomputations answered."""
    checks = (check for result in results for check in result["checks"])
    return [Settled(tuple(one["cites"]), State(one["state"]), one["check"]) for one in checks]


def places_of(audit: Audit) -> list[FieldPriority]:
    """Return the ground to look at first, by the last recomputation that held a farm; empty before there is one."""
    held = [found for one in audits.entries(audit, EntryKind.RESULT) if (found := one.said["needs_eyes"].get("places"))]
    return [read_place(one) for one in held[-1]] if held else []


def items_of(audit: Audit) -> list[work_programme.Item]:
    return work_programme.programme(_roles_in(audit), outcomes_of(audit))


def calendar_of(audit: Audit, day: date) -> list[work_programme.Visit]:
    rule = rule_version(audit.covered_last)
    return work_programme.season_calendar(items_of(audit), audit.harvest_year, rule, day, audit.audited.state)


class Marked(NamedTuple):
    """The last mark of a line: when, by whom, and what it says."""

    at: datetime
    actor: str
    said: dict[str, Any]


def marks_of(audit: Audit) -> dict[str, Marked]:
    marks = (Marked(one.at, str(one.actor), one.said) for one in audits.entries(audit, EntryKind.TASK))
    return {mark.said["line"]: mark for mark in marks}


def mark_line(audit: Audit, item: work_programme.Item, mark: audits.LineMark, *, actor: Actor) -> AuditEntry:
    """Mark a line of the program with what was seen, where it shows, and why it is not needed where that is so.

    Raises:
        RefusedError: such a reason does not count for this line, or none is given; as ``add_entry``.
    """
    may = work_programme.reasons_for(item)
    if (mark.state is audits.Mark.NOT_NEEDED) != bool(mark.reason) or (mark.reason and mark.reason not in may):
        cause = f"{item.cite} is not needed for no reason." if may else f"{item.cite} is needed in every audit."
        remedy = f"Answer it, or choose: {'; '.join(may)}." if may else "Do what the line asks."
        raise refusal("no_reason", cause, remedy, cite=item.cite, column="reason")
    said = {"line": item.line, **write(mark, whole=True), "reason": mark.reason or ""}
    return audits.add_entry(audit, EntryKind.TASK, said, actor=actor, about=item.cite)


def work_lines(audit: Audit) -> list[WorkLineView]:
    """Return the program with the last mark of each line."""
    marks = marks_of(audit)
    return [_work_line(item, marks) for item in items_of(audit)]


def _work_line(item: work_programme.Item, marks: dict[str, Marked]) -> WorkLineView:
    line = item.line
    made, mark = marks.get(line), None
    if made is not None:
        said, by, at = made.said, made.actor, made.at.isoformat()
        words = {name: said[name] for name in ("note", "evidence", "reason")}
        mark = MarkView(state=audits.Mark(said["state"]), **words, by=by, at=at)
    return WorkLineView(
        line=line, kind=item.kind, role=str(item.role), cite=item.cite, text=item.text, how=item.how,
        state=item.state, left=item.left, window=item.window, mark=mark,
    )  # fmt: skip


def programme_file(audit: Audit, ending: Literal["xlsx", "pdf"], day: date) -> bytes:
    """Return the program to carry along: a workbook to fill in, or a PDF."""
    heading = Heading(str(audit.audited), str(audit.verifier), audit.harvest_year, day)
    make = programme_xlsx if ending == "xlsx" else programme_pdf
    return make(heading, items_of(audit), calendar_of(audit, day), places_of(audit))


# Finding what an address or a call names: audits from either side, their entries, findings and lines of work.
#
# Each raises ``MissingError`` where whoever asks has no such thing.


def check_verifies(organisation: Organisation) -> Organisation:
    if not organisation.roles.filter(role=Role.VERIFIER).exists():
        raise MissingError
    return organisation


@dataclass(frozen=True, slots=True)
class AuditAccess(Access):
    """Access to one audit of the organisation, from whichever side it was entered."""

    audit: Audit = dataclasses_field(kw_only=True)


def at_audit(access: Access, audit: Audit) -> AuditAccess:
    return AuditAccess(
        access.organisation, access.person, access.membership, access.grant, access.via, access.review, audit=audit
    )


def _seen_by(organisation: Organisation) -> Q:
    return Q(verifier=organisation) | Q(audited=organisation)


def audits_seen(organisation: Organisation) -> QuerySet[Audit]:
    return Audit.objects.select_related("verifier", "audited").filter(_seen_by(organisation))


def audits_led(verifier: Organisation) -> QuerySet[Audit]:
    """Return the audits that a verifier leads, newest first."""
    return Audit.objects.select_related("audited").filter(verifier=verifier)


def audits_of_us(party: Organisation) -> QuerySet[Audit]:
    """Return the audits of a party, newest first."""
    return Audit.objects.select_related("verifier", "audited").filter(audited=party)


def audit_seen(organisation: Organisation, handle: str) -> Audit:
    return _audit(_seen_by(organisation), handle)


def party_to_audit(verifier: Organisation, handle: str) -> Organisation:
    """Return a party that ever let a verifier in; MissingError where it is none."""
    found = Organisation.objects.filter(handle=handle, grants_given__verifier=verifier).first()
    if found is None:
        raise MissingError
    return found


def audit_led(verifier: Organisation, handle: str) -> Audit:
    return _audit(Q(verifier=verifier), handle)


def audit_of_us(party: Organisation, handle: str) -> Audit:
    return _audit(Q(audited=party), handle)


def findings_naming(party: Organisation) -> list[tuple[Audit, Finding]]:
    """Return the findings of others' audits that a party must answer; nothing else of those audits is its business."""
    found = Audit.objects.select_related("verifier", "audited").exclude(audited=party)
    named = found.filter(entries__kind=EntryKind.FINDING, entries__text__contains=party.handle).distinct()
    return [(audit, one) for audit in named for one in audits.findings_of(audit) if one.party == party.handle]


def audit_to_answer(party: Organisation, handle: str) -> Audit:
    return _or_naming(audit_of_us, party, handle)


def audit_with_findings(reader: Organisation, handle: str) -> Audit:
    """Return an audit that a reader leads, that is of it, or with a finding that it must answer."""
    return _or_naming(audit_seen, reader, handle)


def _or_naming(own: Callable[[Organisation, str], Audit], party: Organisation, handle: str) -> Audit:
    """Return an audit that is a party's own business; only where it is none, others' findings are looked through."""
    try:
        return own(party, handle)
    except MissingError:
        named = next((audit for audit, _ in findings_naming(party) if audit.handle == handle), None)
        if named is None:
            raise
        return named


def audit_sampled(verifier: Organisation, handle: str) -> Audit:
    """Return an audit that a verifier leads and whose farms are sampled: of a first point (2100.040(a)(3))."""
    audit = audit_led(verifier, handle)
    if audit.role != AuditRole.FIRST_POINT:
        raise MissingError
    return audit


def _audit(whose: Q, handle: str) -> Audit:
    audit = Audit.objects.select_related("verifier", "audited").filter(whose, handle=handle).first()
    if audit is None:
        raise MissingError
    return audit


def entry_of(audit: Audit, kind: EntryKind, number: int) -> AuditEntry:
    entry = AuditEntry.objects.select_related("actor").filter(audit=audit, kind=kind, number=number).first()
    if entry is None:
        raise MissingError
    return entry


def result_of(audit: Audit, number: int) -> AuditEntry:
    return entry_of(audit, EntryKind.RESULT, number)


def results_of(audit: Audit) -> list[AuditEntry]:
    """Return what recomputations found, the last one first."""
    return audits.entries(audit, EntryKind.RESULT)[::-1]


def packages_made(audit: Audit) -> list[AuditEntry]:
    """Return the packages that were made, the last one first."""
    return audits.entries(audit, EntryKind.PACKAGE)[::-1]


def addendum_of(audit: Audit, number: int) -> AuditEntry:
    """Return a fact found after the statement was signed."""
    return entry_of(audit, EntryKind.ADDENDUM, number)


def addenda_of(audit: Audit) -> list[AuditEntry]:
    """Return the facts found after the statement was signed, the first one first."""
    return audits.entries(audit, EntryKind.ADDENDUM)


def finding_named(audit: Audit, number: str) -> tuple[Finding, list[Event]]:
    for finding in audits.findings_of(audit):
        if finding.number == number:
            return finding, [event for event in audits.finding_events(audit) if event["finding"] == number]
    raise MissingError


def findings_seen(reader: Organisation, audit: Audit) -> list[Finding]:
    """Return the findings of an audit that a reader sees: both sides all of them, others those that name them."""
    found = audits.findings_of(audit)
    if reader in (audit.verifier, audit.audited):
        return found
    return [finding_seen(reader, audit, one.number)[0] for one in found if one.party == reader.handle]


def finding_seen(reader: Organisation, audit: Audit, number: str) -> tuple[Finding, list[Event]]:
    """Return a finding as ``finding_named``; a party that it names sees what was said since, and its own answers."""
    one, events = finding_named(audit, number)
    if reader in (audit.verifier, audit.audited):
        return one, events
    if one.party != reader.handle:
        raise MissingError
    named = max(at for at, event in enumerate(events) if "owner" in event)
    own = [each for each in events[named:] if each["deed"] != Deed.RESPONDED or each.get("party") == one.party]
    answers = [each["text"] for each in own if each["deed"] == Deed.RESPONDED]
    return replace(one, response=answers[-1] if answers else ""), own


def difference_of(result: AuditEntry, index: int) -> dict[str, Any]:
    """Return a difference of a recomputation by its place in the result, from 0."""
    differences: list[dict[str, Any]] = result.said["differences"]
    if index >= len(differences):
        raise MissingError
    return differences[index]


def work_line(audit: Audit, line: str) -> work_programme.Item:
    for item in items_of(audit):
        if item.line == line:
            return item
    raise MissingError


# What is said about findings: raised, also out of a recomputation, answered, changed, resolved, reopened.

ANSWER_TIME: Final = timedelta(days=30)
"""How long the audited party has where nobody says another day."""


_CHANGING: Final = ("severity", "cite", "owner", "due")
"""What a change may say anew, and its log shows with what stood before."""


@view
class FindingView:
    """A finding as it stands."""

    number: str = field("No.")
    severity: Severity = field("Weight")
    cite: str = field("Paragraph", help="Such as 2100.034(d).")
    subject: str = field("What it is about")
    text: str = field("What was found")
    owner: str = field("Must answer")
    due: date = field("Due")
    overdue: bool = field("Overdue")
    stage: str = field("State")
    response: str = field("Answer")
    resolution: str = field("How it ended")
    effect_bushels: str = field("Bushels whose claim depends on it")
    effect_g_co2e: str = field("Grams CO2e by which claims are wrong")
    bearing: str = field("Bearing on misstatement", help="Empty before the verifier judged it.")


@view
class FindingWholeView(FindingView):
    """A finding with everything that was said, the first event first."""

    events: tuple[dict[str, Any], ...] = field("What was said")


def finding_view(finding: Finding) -> FindingView:
    return FindingView(**_fields(finding))


def finding_whole(finding: Finding, events: Sequence[Event]) -> FindingWholeView:
    return FindingWholeView(**_fields(finding), events=tuple(dict(event) for event in events))


def _fields(finding: Finding) -> dict[str, Any]:
    shown = {each.name: getattr(finding, each.name, None) for each in fields(FindingView)}
    said = {"stage": str(finding.stage), "resolution": str(finding.resolution or "")}
    said |= {"bearing": str(finding.bearing or "")}
    return {**shown, **said, "overdue": finding.overdue(today())}


def party_named(audit: Audit, owner: str) -> str:
    """Return the code of the party that an owner's name or code means, where it answers a finding for itself.

    That is a party that lets the verifier read today; empty for the audited party, and for everybody else, whom only
    the audited party can ask.

    Raises:
        RefusedError: several parties bear the name.
    """
    said = owner.strip().casefold()
    parties = [grant.audited for grant in open_grants(audit.verifier, today())]
    codes = [one.handle for one in parties if said in (one.name.casefold(), one.handle.casefold())]
    if audit.audited.handle in codes or said == audit.audited.name.casefold():
        return ""
    if len(codes) > 1:
        remedy = f"Write the code of the one that is meant: {', '.join(codes)}."
        raise refusal("owner_unclear", f"Several parties that let you read are called {owner}.", remedy, column="owner")
    return "".join(codes)


def readers_of(audit: Audit, one: Finding) -> str:
    """Say who is told of a finding, and who passes it on to an owner that cannot read it here."""
    if one.party:
        return f"{audit.audited} and {one.owner} see it, and each can answer it."
    if one.owner.casefold() == audit.audited.name.casefold():
        return f"{audit.audited} sees it."
    return f"Only {audit.audited} sees it and answers: {one.owner} has no account that lets you read."


@transaction.atomic
def add_finding_event(audit: Audit, deed: Deed, number: str, said: Mapping[str, str], *, actor: Actor) -> Finding:
    """Add what somebody says about a finding today to the log, and return the finding as it stands then.

    Particulars that are blank are left out.

    Raises:
        ProblemsError: it does not fit the log; RefusedError as ``add_entry``.
    """
    particulars = {name: value.strip() for name, value in said.items() if value.strip()}
    common = {"deed": str(deed), "finding": number, "on": today().isoformat(), "by": str(actor.person)}
    before = {one.party for one in audits.findings_of(audit) if one.number == number}
    audits.write_finding(audit, {**common, **particulars}, actor=actor)
    after = next(one for one in audits.findings_of(audit) if one.number == number)
    # What the audited party answers is between it and the verifier.
    told_too = {particulars.get("party", "")} if deed is Deed.RESPONDED else {*before, after.party}
    for party in Organisation.objects.filter(handle__in=told_too):
        # Whose audit it is, is not the party's business: its log names the verifier alone.
        write_log(actor, "audit: finding", organisation=party, about=f"{audit.verifier}, {deed} {number}")
    return after


def raise_finding(audit: Audit, said: Mapping[str, str], *, actor: Actor) -> Finding:
    """Raise a finding under the next number; errors as ``add_finding_event`` and ``cited``."""
    number = str(sum(1 for event in audits.finding_events(audit) if event["deed"] == Deed.RAISED) + 1)
    known = {**said, "cite": cited(said["cite"], AuditRole(audit.role)), "party": party_named(audit, said["owner"])}
    return add_finding_event(audit, Deed.RAISED, number, known, actor=actor)


def raise_findings_from(audit: Audit, difference: Mapping[str, Any], *, actor: Actor) -> Finding:
    """Make a difference of a recomputation a finding: its words, bushels and paragraph."""
    said = {
        "severity": str(Severity.MAJOR),
        "cite": difference["cite"],
        "subject": difference["place"],
        "text": told(difference)[1],
        "owner": str(audit.audited),
        "due": (today() + ANSWER_TIME).isoformat(),
        "effect_bushels": difference["effect_bushels"] or "",
    }
    return raise_finding(audit, said, actor=actor)


def change_finding(audit: Audit, one: Finding, said: Mapping[str, str], *, actor: Actor) -> Finding:
    """Change weight, paragraph, owner or due date of a finding, with the reason as ``text``.

    What is said as it stands already is left out; a change of nothing is refused. Errors as ``add_finding_event`` and
    ``cited``.
    """
    now = {name: str(value) for name, value in one.document().items()}
    if said.get("cite"):
        said = {**said, "cite": cited(said["cite"], AuditRole(audit.role))}
    changed = {name: value for name, value in said.items() if now.get(name) != value}
    if "owner" in changed:
        changed["party"] = party_named(audit, changed["owner"])
    return add_finding_event(audit, Deed.CHANGED, one.number, changed, actor=actor)


def answer_finding(
    audit: Audit, one: Finding, said: Mapping[str, str], answering: Organisation, *, actor: Actor
) -> Finding:
    """Answer a finding for the audited party or the party it names; errors as ``add_finding_event``."""
    party = "" if answering == audit.audited else answering.handle
    return add_finding_event(audit, Deed.RESPONDED, one.number, {**said, "party": party}, actor=actor)


def with_changes(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return the events of a finding, a change with each particular that it changed: its name, old and new words."""
    now: dict[str, str] = {}
    found = []
    for event in events:
        said = {name: str(event[name]) for name in _CHANGING if name in event}
        changed = (
            [(name, now.get(name, ""), new) for name, new in said.items()] if event["deed"] == Deed.CHANGED else []
        )
        found.append({**event, "changes": changed})
        now |= said
    return found


def told(difference: Mapping[str, Any]) -> tuple[str, str]:
    return difference["place"], words_of(difference["claimed"], difference["recomputed"])


def raised_of(audit: Audit, result: AuditEntry) -> list[tuple[Mapping[str, Any], bool]]:
    """Return the differences of a recomputation, each with whether it was made a finding."""
    differences = result.said["differences"]
    left = set(open_of(map(told, differences), audits.findings_of(audit)))
    return [(one, told(one) not in left) for one in differences]


# The paragraph that a finding names: how it is found by the words of the trade, and which are offered.


@cache
def _words_beside(cite: Cite) -> str:
    """Return the words by which a paragraph is found besides its summary: its own, of those above it, and its number.

    A section is called 32 as well as 032 by those who know it.
    """
    said: Mapping[str, str] = work_programme.programme_data()["words"]
    found = [said.get(str(cite), ""), str(int(cite.section.partition(".")[2]))]
    above = cite.parent
    while above is not None:
        found.append(said.get(str(above), ""))
        above = above.parent
    return " ".join(dict.fromkeys(" ".join(found).split()))


# The paragraph that a finding names: which are offered to whom, how one is found, and which are taken.

_BINDING: Final = frozenset({Force.must, Force.should, Force.may})
"""What a finding is usually about; a definition or a heading may be typed all the same."""
_ELSEWHERE: Final = frozenset({Subject.verifier, Subject.usda})
_MOST: Final = 3
"""How many paragraphs a refusal names."""
SHORT: Final = 3
"""Letters of a word whose last s is its own."""


@cache
def citable(role: AuditRole) -> Mapping[str, Pick]:
    """Return the paragraphs that bind somebody, those of the audited party's part of it first."""
    found = [(_far(one, role), one) for one in paragraphs().values() if one.force in _BINDING]
    return {
        str(one.cite): Pick(f"{one.cite}: {one.summary}", _words_beside(one.cite), far=far)
        for far, one in sorted(found, key=lambda each: each[0])
    }


def _far(one: Paragraph, role: AuditRole) -> int:
    """Return how far a paragraph is from a party: 0 its own and everybody's, 1 of its trade, 2 of others."""
    heard = frozenset(one.subjects)
    if heard & work_programme.SUBJECTS[role] or Subject.any_entity in heard:
        return 0
    return 2 if role is not AuditRole.FARM and heard - _ELSEWHERE == {Subject.farm_producer} else 1


def cited(text: str, role: AuditRole) -> str:
    """Return a paragraph as it is written, where the rule has it.

    Raises:
        RefusedError: it has no such paragraph; names those that look like it, or whose words were typed.
    """
    try:
        return str(paragraphs()[Cite.parse(text)].cite)
    except (KeyError, ValueError):
        numbered = any(letter.isdigit() for letter in text)
        said = [] if numbered else _by_words(text, role)
        like = ", ".join(said or map(str, nearest(text, _MOST)))
        remedy = f"Did you mean {like}?" if like else "Write it like 2100.051(b)(1)."
        raise refusal("no_paragraph", f"The rule has no paragraph {text.strip()!r}.", remedy, column="cite") from None


def _by_words(text: str, role: AuditRole) -> list[str]:
    """Return the paragraphs with every word of a text, by its beginning or without the s of many, and what they say.

    The script of forms finds them the same way.
    """
    sought = _words_of(text)
    if not sought:
        return []
    found = []
    for cite, pick in citable(role).items():
        words = _words_of(f"{pick.beside} {pick.words}")
        if all(
            any(has.startswith((one, one.removesuffix("s") if len(one) > SHORT else one)) for has in words)
            for one in sought
        ):
            found.append(f"{cite} ({pick.beside.partition(': ')[2].rstrip('.')})")
    return found[:_MOST]


def _words_of(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())
