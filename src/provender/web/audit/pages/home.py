"""One audit at a glance: what is done, what comes next, by when."""

from typing import Final

from django.http import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from provender.database.models import Audit
from provender.services.audits.audits import today
from provender.services.audits.package_requests import standings_of
from provender.services.audits.standing import AuditStep, cycle_of, standing_of
from provender.web.access import Access, PersonRequest
from provender.web.audit.door import at_audit_led
from provender.web.audit.pages.audits import state_cell

PAGES: Final = {
    "Farm sample": "audit_sample",
    "Work programme": "audit_work",
    "Packages and recomputation": "audit_package",
    "Findings": "audit_findings",
    "Statement": "audit_statement",
}
CHIPS: Final = {True: ("met", "check"), False: ("not-shown", "question"), None: ("plain", "")}


def _step(audit: Audit, step: AuditStep) -> dict[str, str]:
    """Return a step as its link and its mark."""
    chip, icon = CHIPS[step.done]
    href = reverse(PAGES[step.step], args=(audit.verifier.handle, audit.handle))
    return {"label": step.step, "href": href, "words": step.stands, "chip": chip, "icon": icon}


@require_GET
@at_audit_led
def audit(request: PersonRequest, access: Access, audit: Audit) -> HttpResponseBase:
    """Show how an audit stands; what was recomputed meanwhile is entered."""
    del access
    standings_of(audit)
    day = today()
    standing = standing_of(audit, day)
    context = {
        "audit": audit,
        "steps": [_step(audit, step) for step in standing.steps],
        "state": state_cell(audit, day),
        "standing": standing,
        "rhythm": cycle_of(audit.audited, day),
        "entries": audit.entries.select_related("actor").order_by("-number")[:8],
    }
    return render(request, "audit/home.html", context)
