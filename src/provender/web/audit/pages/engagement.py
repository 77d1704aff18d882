"""What an audit was engaged for, and the log of sites and drawn farms that were audited."""

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.utils.formats import date_format
from django.views.decorators.http import require_http_methods

from provender.services.audits.engagement import engagement_of, farms_drawn, log_visit, record_engagement, seen_in
from provender.services.audits.lookup import AuditAccess
from provender.web.access import PersonRequest
from provender.web.audit.door import at_audit_led
from provender.web.audit.forms import EngagementForm, VisitForm
from provender.web.inputs import attempt
from provender.web.tables import Cell, Column, Table, page_with_tables


@require_http_methods(["GET", "POST"])
@at_audit_led
def audit_engagement(request: PersonRequest, access: AuditAccess) -> HttpResponseBase:
    """Write what was agreed and planned; log what was seen."""
    audit = access.audit
    farms = farms_drawn(audit)
    logging = "seen" in request.POST
    form = EngagementForm(None if logging else request.POST or None, engagement_of(audit))
    visit = VisitForm(farms, request.POST if logging else None)
    if request.method == "POST" and _taken(access, visit if logging else form):
        messages.success(request, "It is in the visit log." if logging else "The engagement is saved.")
        return redirect("audit_engagement", access.organisation.handle, audit.handle)
    tables = {"visits": _visits(access, farms)}
    return page_with_tables(request, "audit/engagement.html", tables, {"audit": audit, "form": form, "visit": visit})


def _taken(access: AuditAccess, form: EngagementForm | VisitForm) -> bool:
    audit = access.audit
    if not form.is_valid():
        return False
    if isinstance(form, VisitForm):
        farm = form.cleaned_data["farm"]
        return attempt(form, lambda: log_visit(audit, form.said, farm, actor=access.actor)) is not None
    return attempt(form, lambda: record_engagement(audit, form.said, actor=access.actor)) is not None


def _visits(access: AuditAccess, farms: dict[str, str]) -> Table:
    audit = access.audit
    columns = [Column("Place"), Column("How"), Column("Day"), Column("By"), Column("What was seen")]
    rows = []
    for row in seen_in(audit):
        place = Cell(farms.get(row.farm, row.farm) or row.site, note="drawn farm" if row.farm else "site")
        day = Cell(date_format(row.on, "DATE_FORMAT"))
        rows.append([place, Cell(row.way.capitalize()), day, Cell(row.by), Cell(row.seen)])
    return Table("visits", columns, rows, empty="Nothing has been logged yet.")
