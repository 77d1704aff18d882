"""The work programme of an audit: generated from the rule, prefilled by recomputation, marked line by line."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as dataclasses_field
from datetime import date, datetime
from typing import Any, Literal, NamedTuple

from django.db.models import Q, QuerySet

from provender.audit.fieldwork import FieldPriority, read_place
from provender.audit.findings import Deed, Event, Finding
from provender.audit.outcome import State
from provender.audit.programme import Item, Visit, programme, reasons_for, season_calendar
from provender.audit.programme import Role as AuditRole
from provender.audit.programme import roles_in as roles_of_programme
from provender.audit.programme_print import Heading, programme_pdf, programme_xlsx
from provender.database.actor import Actor
from provender.database.choices import Role
from provender.database.models.accounts import Organisation
from provender.database.models.audits import Audit, AuditEntry, EntryKind
from provender.rule.law import rule_version
from provender.schema import field, view, write
from provender.services.accounts.access import Access
from provender.services.audits.audits import add_entry
from provender.services.audits.deeds import LineMark, Mark
from provender.services.audits.records import entries, finding_events, findings_of, latest_results, roles_audited
from provender.services.refused import MissingError, refusal


@view
class MarkView:
    """The last mark of a line."""

    state: Mark = field("Result")
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


def roles_in(audit: Audit) -> list[AuditRole]:
    """Return the roles whose program an audit has: a first point's includes that of its farms."""
    return list(roles_of_programme(*roles_audited(audit)))


class Settled(NamedTuple):
    """What a check answered, as far as the program asks: to which paragraphs it speaks, how they stand, its name."""

    cites: tuple[str, ...]
    state: State
    check: str


def outcomes_of(audit: Audit) -> list[Settled]:
    """Return what the last recomputation of each package answered."""
    return outcomes_in(latest_results(audit))


def outcomes_in(results: Iterable[Mapping[str, Any]]) -> list[Settled]:
    """Return what the checks of some recomputations answered."""
    checks = (check for result in results for check in result["checks"])
    return [Settled(tuple(one["cites"]), State(one["state"]), one["check"]) for one in checks]


def places_of(audit: Audit) -> list[FieldPriority]:
    """Return the ground to look at first, by the last recomputation that held a farm; empty before there is one."""
    held = [found for one in entries(audit, EntryKind.RESULT) if (found := one.said["needs_eyes"].get("places"))]
    return [read_place(one) for one in held[-1]] if held else []


def items_of(audit: Audit) -> list[Item]:
    return programme(roles_in(audit), outcomes_of(audit))


def calendar_of(audit: Audit, day: date) -> list[Visit]:
    rule = rule_version(audit.covered_last)
    return season_calendar(items_of(audit), audit.harvest_year, rule, day, audit.audited.state)


class Marked(NamedTuple):
    """The last mark of a line: when, by whom, and what it says."""

    at: datetime
    actor: str
    said: dict[str, Any]


def marks_of(audit: Audit) -> dict[str, Marked]:
    marks = (Marked(one.at, str(one.actor), one.said) for one in entries(audit, EntryKind.TASK))
    return {mark.said["line"]: mark for mark in marks}


def mark_line(audit: Audit, item: Item, mark: LineMark, *, actor: Actor) -> AuditEntry:
    """Mark a line of the program with what was seen, where it shows, and why it is not needed where that is so.

    Raises:
        RefusedError: such a reason does not count for this line, or none is given; as ``add_entry``.
    """
    may = reasons_for(item)
    if (mark.state is Mark.NOT_NEEDED) != bool(mark.reason) or (mark.reason and mark.reason not in may):
        cause = f"{item.cite} is not needed for no reason." if may else f"{item.cite} is needed in every audit."
        remedy = f"Answer it, or choose: {'; '.join(may)}." if may else "Do what the line asks."
        raise refusal("no_reason", cause, remedy, cite=item.cite, column="reason")
    said = {"line": item.line, **write(mark, whole=True), "reason": mark.reason or ""}
    return add_entry(audit, EntryKind.TASK, said, actor=actor, about=item.cite)


def work_lines(audit: Audit) -> list[WorkLineView]:
    """Return the program with the last mark of each line."""
    marks = marks_of(audit)
    return [_work_line(item, marks) for item in items_of(audit)]


def _work_line(item: Item, marks: dict[str, Marked]) -> WorkLineView:
    line = item.line
    made, mark = marks.get(line), None
    if made is not None:
        said, by, at = made.said, made.actor, made.at.isoformat()
        words = {name: said[name] for name in ("note", "evidence", "reason")}
        mark = MarkView(state=Mark(said["state"]), **words, by=by, at=at)
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


def seen_by(organisation: Organisation) -> Q:
    """Return which audits an organisation sees: those it leads, and those of it."""
    return Q(verifier=organisation) | Q(audited=organisation)


def audits_seen(organisation: Organisation) -> QuerySet[Audit]:
    return Audit.objects.select_related("verifier", "audited").filter(seen_by(organisation))


def audits_led(verifier: Organisation) -> QuerySet[Audit]:
    """Return the audits that a verifier leads, newest first."""
    return Audit.objects.select_related("audited").filter(verifier=verifier)


def audits_of_us(party: Organisation) -> QuerySet[Audit]:
    """Return the audits of a party, newest first."""
    return Audit.objects.select_related("verifier", "audited").filter(audited=party)


def audit_seen(organisation: Organisation, handle: str) -> Audit:
    return _audit(seen_by(organisation), handle)


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
    return [(audit, one) for audit in named for one in findings_of(audit) if one.party == party.handle]


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


def entries_of(audit: Audit) -> QuerySet[AuditEntry]:
    """Return everything that happened in an audit, in order."""
    return AuditEntry.objects.filter(audit=audit)


def result_of(audit: Audit, number: int) -> AuditEntry:
    return entry_of(audit, EntryKind.RESULT, number)


def results_of(audit: Audit) -> list[AuditEntry]:
    """Return what recomputations found, the last one first."""
    return entries(audit, EntryKind.RESULT)[::-1]


def packages_made(audit: Audit) -> list[AuditEntry]:
    """Return the packages that were made, the last one first."""
    return entries(audit, EntryKind.PACKAGE)[::-1]


def addendum_of(audit: Audit, number: int) -> AuditEntry:
    """Return a fact found after the statement was signed."""
    return entry_of(audit, EntryKind.ADDENDUM, number)


def addenda_of(audit: Audit) -> list[AuditEntry]:
    """Return the facts found after the statement was signed, the first one first."""
    return entries(audit, EntryKind.ADDENDUM)


def finding_named(audit: Audit, number: str) -> tuple[Finding, list[Event]]:
    for finding in findings_of(audit):
        if finding.number == number:
            return finding, [event for event in finding_events(audit) if event["finding"] == number]
    raise MissingError


def findings_seen(reader: Organisation, audit: Audit) -> list[Finding]:
    """Return the findings of an audit that a reader sees: both sides all of them, others those that name them."""
    found = findings_of(audit)
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


def work_line(audit: Audit, line: str) -> Item:
    for item in items_of(audit):
        if item.line == line:
            return item
    raise MissingError
