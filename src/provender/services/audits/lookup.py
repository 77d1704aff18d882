"""Finding what an address or a call names: audits from either side, their entries, findings and lines of work.

Each raises ``MissingError`` where whoever asks has no such thing.
"""

from typing import Any

from django.db.models import Q

from provender.audit.findings.log import Event, Finding
from provender.audit.findings.programme import Item
from provender.audit.statement.statement import Role as AuditRole
from provender.database.models import Audit, AuditEntry, EntryKind, Organisation, Role
from provender.database.store.audits import data_of, finding_events, findings_of
from provender.services.audits.programme import items_of
from provender.services.refused import MissingError


def check_verifies(organisation: Organisation) -> Organisation:
    """Return an organisation that is a verifier."""
    if not organisation.roles.filter(role=Role.VERIFIER).exists():
        raise MissingError
    return organisation


def seen_by(organisation: Organisation) -> Q:
    """Return which audits an organisation sees: those it leads, and those of it."""
    return Q(verifier=organisation) | Q(audited=organisation)


def audit_seen(organisation: Organisation, handle: str) -> Audit:
    """Return an audit that an organisation leads or that is of it."""
    return _audit(seen_by(organisation), handle)


def audit_led(verifier: Organisation, handle: str) -> Audit:
    """Return an audit that a verifier leads."""
    return _audit(Q(verifier=verifier), handle)


def audit_of_us(party: Organisation, handle: str) -> Audit:
    """Return an audit of a party."""
    return _audit(Q(audited=party), handle)


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
    """Return an entry of an audit by its number."""
    entry = AuditEntry.objects.select_related("actor").filter(audit=audit, kind=kind, number=number).first()
    if entry is None:
        raise MissingError
    return entry


def finding_named(audit: Audit, number: str) -> tuple[Finding, list[Event]]:
    """Return a finding as it stands, and its events."""
    for finding in findings_of(audit):
        if finding.number == number:
            return finding, [event for event in finding_events(audit) if event["finding"] == number]
    raise MissingError


def difference_of(result: AuditEntry, index: int) -> dict[str, Any]:
    """Return a difference of a recomputation by its place in the result, from 0."""
    differences: list[dict[str, Any]] = data_of(result)["differences"]
    if index >= len(differences):
        raise MissingError
    return differences[index]


def work_line(audit: Audit, line: str) -> Item:
    """Return a line of the work programme by its name."""
    items, _ = items_of(audit)
    for item in items:
        if item.line == line:
            return item
    raise MissingError
