"""Reading audits: who may be audited by whom today, and the entries of an audit as the core's own values."""

import json
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Final

from provender.audit.findings.log import Event, Finding, findings_now
from provender.audit.sampling.population import Population, freeze
from provender.audit.sampling.sample_file import row_of
from provender.audit.statement.accreditation import Accreditation
from provender.audit.statement.statement import Role as AuditRole
from provender.audit.statement.statement import VerificationStatement
from provender.database.models import Audit, AuditEntry, EntryKind, Organisation, ReadGrant, Role, VerifierAccreditation

AUDITED_AS: Final[Mapping[str, AuditRole]] = {
    Role.FARM: AuditRole.FARM,
    Role.FIRST_POINT: AuditRole.FIRST_POINT,
    Role.INTERMEDIARY: AuditRole.INTERMEDIARY,
    Role.PROCESSOR: AuditRole.PROCESSOR,
    Role.REFINER: AuditRole.REFINER,
}
"""As what an organisation of a role is audited; verifiers are not."""


def open_grant(verifier: Organisation, audited: Organisation, today: date) -> ReadGrant | None:
    """Return the grant through which a verifier may read a party on a day, or None."""
    grants = ReadGrant.objects.select_related("verifier", "audited").filter(
        verifier=verifier, audited=audited, revoked_at=None, first_day__lte=today, last_day__gte=today
    )
    return grants.order_by("-last_day").first()


def open_to(verifier: Organisation, handles: Iterable[str], today: date) -> dict[str, ReadGrant]:
    """Return, of the organisations with these codes, those that let the verifier read on a day, with the grant."""
    grants = ReadGrant.objects.select_related("verifier", "audited").filter(
        verifier=verifier, audited__handle__in=list(handles), revoked_at=None, first_day__lte=today, last_day__gte=today
    )
    return {grant.audited.handle: grant for grant in grants.order_by("last_day")}


def roles_of(audited: Organisation) -> list[AuditRole]:
    """Return in which roles an organisation can be audited."""
    held = {row.role for row in audited.roles.all()}
    return [audit_role for role, audit_role in AUDITED_AS.items() if role in held]


def accreditation_of(verifier: Organisation) -> Accreditation | None:
    """Return what the verifier shows last, or None."""
    row = VerifierAccreditation.objects.filter(organisation=verifier).order_by("-id").first()
    return Accreditation.read(json.loads(row.text)) if row else None


def entries(audit: Audit, kind: EntryKind) -> list[AuditEntry]:
    """Return the entries of a kind, in order."""
    return list(AuditEntry.objects.select_related("actor").filter(audit=audit, kind=kind).order_by("number"))


def last(audit: Audit, kind: EntryKind) -> AuditEntry | None:
    """Return the last entry of a kind, or None."""
    return AuditEntry.objects.select_related("actor").filter(audit=audit, kind=kind).order_by("-number").first()


def data_of(entry: AuditEntry) -> dict[str, Any]:
    """Return what an entry says."""
    found: dict[str, Any] = json.loads(entry.text)
    return found


def population_of(audit: Audit) -> Population | None:
    """Return the frozen farms, or None before."""
    entry = last(audit, EntryKind.POPULATION)
    return freeze(row_of(row) for row in data_of(entry)["rows"]) if entry else None


def finding_events(audit: Audit) -> list[Event]:
    """Return the log of findings."""
    return [data_of(entry) for entry in entries(audit, EntryKind.FINDING)]


def findings_of(audit: Audit) -> list[Finding]:
    """Return every finding as it stands."""
    return list(findings_now(finding_events(audit)).values())


def statement_of(audit: Audit) -> dict[str, Any] | None:
    """Return the signed statement, or None before it is signed."""
    entry = last(audit, EntryKind.STATEMENT)
    return data_of(entry) if entry else None


def signed_about(audited: Organisation) -> list[tuple[Audit, dict[str, Any]]]:
    """Return the signed statements about a party with their audits, oldest first."""
    found = AuditEntry.objects.filter(kind=EntryKind.STATEMENT, audit__audited=audited)
    return [
        (one.audit, data_of(one)) for one in found.select_related("audit__verifier", "audit__audited").order_by("id")
    ]


def statements_about(audited: Organisation) -> list[tuple[Audit, VerificationStatement]]:
    """Return the same with the statements read."""
    return [(audit, VerificationStatement.read(envelope["document"])) for audit, envelope in signed_about(audited)]
