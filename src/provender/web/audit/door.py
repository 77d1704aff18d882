"""Doors of audits: the verifier's side, the audited party's side, and what they show."""

from typing import Any

from django.http import Http404, HttpRequest

from provender.audit.findings.log import Event, Finding
from provender.audit.findings.programme import Item
from provender.audit.statement.statement import Role as AuditRole
from provender.database.models import Audit, AuditEntry, EntryKind, Organisation, Role
from provender.database.store.audits import data_of, finding_events, findings_of
from provender.services.audits.programme import item_named
from provender.web.access import Access, access_owned


def check_verifies(organisation: Organisation) -> None:
    """Let verifiers alone through.

    Raises:
        Http404: the organisation verifies nobody.
    """
    if not organisation.roles.filter(role=Role.VERIFIER).exists():
        raise Http404


def audit_led(access: Access, handle: str) -> Audit:
    """Return an audit that the organisation leads.

    Raises:
        Http404: it leads no such audit.
    """
    return access_owned(access, Audit, owner="verifier", handle=handle)


def audit_of_us(access: Access, handle: str) -> Audit:
    """Return an audit of the organisation.

    Raises:
        Http404: there is no such audit of it.
    """
    return access_owned(access, Audit, owner="audited", handle=handle)


def view_of(request: HttpRequest) -> str:
    """Return the name of the view that is asked, as it stands in the logs of those who are looked at."""
    match = request.resolver_match
    return match.view_name if match else ""


def check_sampled(audit: Audit) -> None:
    """Let audits through whose farms are sampled: those of first points (2100.040(a)(3)).

    Raises:
        Http404: the party is audited as something else.
    """
    if audit.role != AuditRole.FIRST_POINT:
        raise Http404


def entry_of(audit: Audit, kind: EntryKind, number: int) -> AuditEntry:
    """Return an entry of an audit by its number.

    Raises:
        Http404: there is no such entry of this kind.
    """
    found = AuditEntry.objects.select_related("actor").filter(audit=audit, kind=kind, number=number).first()
    if found is None:
        raise Http404
    return found


def finding_named(audit: Audit, number: str) -> tuple[Finding, list[Event]]:
    """Return a finding as it stands, and its events.

    Raises:
        Http404: the audit has no such finding.
    """
    found = next((one for one in findings_of(audit) if one.number == number), None)
    if found is None:
        raise Http404
    return found, [event for event in finding_events(audit) if event["finding"] == number]


def difference_of(result: AuditEntry, index: int) -> dict[str, Any]:
    """Return a difference of a recomputation by its place in the result, from 0.

    Raises:
        Http404: the result has no such difference.
    """
    differences: list[dict[str, Any]] = data_of(result)["differences"]
    if index >= len(differences):
        raise Http404
    return differences[index]


def work_line(audit: Audit, line: str) -> Item:
    """Return a line of the work programme by its name.

    Raises:
        Http404: the programme has no such line.
    """
    found = item_named(audit, line)
    if found is None:
        raise Http404
    return found
