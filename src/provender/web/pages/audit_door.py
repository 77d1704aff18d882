"""Doors of audits: the verifier's side, the audited party's side, and the visit into the party's own records."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.utils import timezone

from provender.database.audits import open_grant
from provender.database.deeds.grants import do_log_look
from provender.database.models import Audit, AuditEntry, EntryKind, Organisation, ReadGrant, Role
from provender.web.access import Access, access_owned


def check_verifier_side(access: Access) -> None:
    """Let verifiers alone through.

    Raises:
        Http404: the organisation verifies nobody.
    """
    if not access.organisation.roles.filter(role=Role.VERIFIER).exists():
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


def visit(request: HttpRequest, access: Access, audit: Audit, party: Organisation | None = None) -> ReadGrant:
    """Enter the records of the audited party, or of a drawn farm, and leave a line in their log.

    Raises:
        PermissionDenied: they do not let the verifier in today.
    """
    grant = open_grant(audit.verifier, party or audit.audited, timezone.now().date())
    if grant is None:
        raise PermissionDenied
    match = request.resolver_match
    do_log_look(grant, match.view_name if match else "", actor=access.actor)
    return grant


def entry_of(audit: Audit, kind: EntryKind, number: int) -> AuditEntry:
    """Return an entry of an audit by its number.

    Raises:
        Http404: there is no such entry of this kind.
    """
    found = AuditEntry.objects.select_related("actor").filter(audit=audit, kind=kind, number=number).first()
    if found is None:
        raise Http404
    return found
