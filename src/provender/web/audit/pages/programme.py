"""The work programme of an audit: generated from the rule, prefilled by recomputation, answered line by line."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from provender.audit.findings.calendar import Visit
from provender.audit.findings.programme import DUTY, STANDARD, TASK, Item
from provender.audit.findings.programme_print import Heading, programme_pdf, programme_xlsx
from provender.audit.recompute.checks import State
from provender.database.models import Audit, AuditEntry
from provender.services.audits.audits import today
from provender.services.audits.programme import Mark, items_of, line_of, mark_lines, marks_of, outcomes_of, places_of
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.audit.door import audit_led, work_line
from provender.web.audit.forms import MarkForm
from provender.web.deed import attempt
from provender.web.tables import XLSX

TITLES = {TASK: "For people", DUTY: "Duties", STANDARD: "Standards behind them"}
CHIPS = {State.SETTLED: ("met", "check"), State.DIFFERS: ("not-met", "cross"), State.OPEN: ("plain", "")}


@require_http_methods(["GET", "POST"])
@of_organisation("read")
def audit_work(request: PersonRequest, access: Access, audit: str) -> HttpResponseBase:
    """Show the programme; POST marks one line, with what was seen."""
    found = audit_led(access, audit)
    form = MarkForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        item, mark = work_line(found, data["line"]), Mark(data["state"])
        if attempt(form, lambda: mark_lines(found, item, mark, data["note"], data["evidence"], actor=access.actor)):
            messages.success(request, f"Noted: {item.text}")
            return redirect(f"{request.path}#line-{data['line']}")
    items, calendar = items_of(found)
    marks, visits = marks_of(found), {visit.window: visit for visit in calendar}
    groups = [
        (TITLES[kind], [_line(item, marks, visits) for item in items if item.kind == kind])
        for kind in (TASK, DUTY, STANDARD)
    ]
    windows = [visit.document(today()) for visit in calendar]
    context = {"audit": found, "groups": groups, "calendar": windows, "form": form, "recomputed": outcomes_of(found)}
    return render(request, "audit/work.html", context)


def _line(item: Item, marks: dict[str, tuple[AuditEntry, dict[str, Any]]], visits: dict[str, Visit]) -> dict[str, Any]:
    name = line_of(item)
    entry, mark = marks.get(name, (None, {}))
    chip, icon = CHIPS[item.state]
    return {
        "name": name,
        "item": item,
        "chip": chip,
        "icon": icon,
        "mark": mark,
        "entry": entry,
        "done": mark.get("state") in (Mark.DONE, Mark.NOT_NEEDED),
        "visit": visits.get(item.window),
        "form": MarkForm(initial={"line": name}, auto_id=f"id_{name}_%s"),
    }


@require_GET
@of_organisation("read")
def audit_work_file(request: PersonRequest, access: Access, audit: str, ending: str) -> HttpResponseBase:
    """Give the programme as a spreadsheet or a PDF."""
    return programme_file(audit_led(access, audit), ending)


def programme_file(audit: Audit, ending: str) -> HttpResponse:
    """Return the programme of an audit as a spreadsheet or a PDF.

    Raises:
        Http404: another kind of file was asked for.
    """
    if ending not in ("xlsx", "pdf"):
        raise Http404
    items, calendar = items_of(audit)
    places = places_of(audit)
    heading = Heading(str(audit.audited), str(audit.verifier), audit.harvest_year, today())
    if ending == "xlsx":
        response = HttpResponse(programme_xlsx(heading, items, calendar, places), content_type=XLSX)
    else:
        response = HttpResponse(programme_pdf(heading, items, calendar, places), content_type="application/pdf")
    response.headers["Content-Disposition"] = f'attachment; filename="programme-{audit.handle}.{ending}"'
    return response
