"""The work programme of an audit: generated from the rule, prefilled by recomputation, answered line by line."""

from collections.abc import Sequence
from typing import Any, Final

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_GET, require_http_methods

from provender.audit.outcome import State
from provender.audit.programme.calendar import Visit
from provender.audit.programme.items import DUTY, STANDARD, TASK, Item
from provender.database.actor import today
from provender.services.audits.engagement import KINDS, OpenLines, lines_open
from provender.services.audits.lookup import AuditAccess, work_line
from provender.services.audits.programme import (
    Mark,
    Marked,
    items_of,
    mark_lines,
    marks_of,
    outcomes_of,
    programme_file,
)
from provender.services.refused import MissingError
from provender.web.access import PersonRequest
from provender.web.audit.door import at_audit_led
from provender.web.audit.forms import MarkForm
from provender.web.download import PDF, XLSX, download
from provender.web.inputs import attempt

TITLES = {TASK: "For people", DUTY: "Duties", STANDARD: "Standards behind them"}
PLACE: Final = "the-line-it-is-of"
"""Where the name of a line stands in the form that all lines share: a hundred forms took most of the page's time."""
CHIPS = {State.SETTLED: ("met", "check"), State.DIFFERS: ("not-met", "cross"), State.OPEN: ("plain", "")}


@require_http_methods(["GET", "POST"])
@at_audit_led
def audit_work(request: PersonRequest, access: AuditAccess) -> HttpResponseBase:
    """Show the programme; POST marks one line, with what was seen."""
    audit = access.audit
    form = MarkForm(request.POST or None, auto_id=f"id_{request.POST.get('line', '')}_%s")
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        item, mark = work_line(audit, data["line"]), Mark(data["state"])
        if attempt(form, lambda: mark_lines(audit, item, mark, data["note"], data["evidence"], actor=access.actor)):
            messages.success(request, f"Noted: {item.text}")
            return redirect(f"{request.path}#line-{data['line']}")
    items, calendar = items_of(audit)
    marks, visits = marks_of(audit), {visit.window: visit for visit in calendar}
    fields = MarkForm(initial={"line": PLACE}, auto_id=f"id_{PLACE}_%s").render()
    refused = _refused(form)
    left = {one.kind: one for one in lines_open(audit)}
    groups = [
        _group(
            kind,
            [_line(item, marks, visits, refused.get(item.line, fields)) for item in items if item.kind == kind],
            refused,
            left.get(kind),
        )
        for kind in KINDS
    ]
    told = {"open": sum(one.open for one in left.values()), "whole": len(items)}
    context = {"audit": audit, "groups": groups, "refused": next(iter(refused), ""), "recomputed": outcomes_of(audit)}
    context["told"] = told
    context["calendar"] = _windows(calendar)
    return render(request, "audit/work.html", context)


def _refused(form: MarkForm) -> dict[str, SafeString]:
    """Return the line that could not be marked with its form as it was sent: what was typed, and why not beside it."""
    if not form.is_bound or not form.errors:
        return {}
    return {str(form["line"].value() or ""): form.render()}


def _group(
    kind: str, lines: list[dict[str, Any]], refused: dict[str, SafeString], left: OpenLines | None
) -> dict[str, Any]:
    """Return the lines of one kind; people begin with the tasks, or with the line that was refused."""
    opens = kind == TASK or any(line["name"] in refused for line in lines)
    return {"title": TITLES[kind], "lines": lines, "opens": opens, "left": left}


def _windows(calendar: Sequence[Visit]) -> dict[str, list[dict[str, object]]]:
    """Return the windows to come and open apart from those that are over: the work stands below the first."""
    day = today()
    apart: dict[str, list[dict[str, object]]] = {}
    for visit in calendar:
        apart.setdefault("over" if visit.last < day else "coming", []).append(visit.document(day))
    return apart


def _line(item: Item, marks: dict[str, Marked], visits: dict[str, Visit], fields: SafeString) -> dict[str, Any]:
    name = item.line
    entry = marks.get(name)
    mark = entry.said if entry else {}
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
        "form": mark_safe(fields.replace(PLACE, escape(name))),  # noqa: S308 - our own form, and the name escaped
    }


@require_GET
@at_audit_led
def audit_work_file(request: PersonRequest, access: AuditAccess, ending: str) -> HttpResponseBase:
    """Give the programme as a spreadsheet or a PDF.

    Raises:
        MissingError: another kind of file was asked for.
    """
    audit = access.audit
    del request
    if ending not in ("xlsx", "pdf"):
        raise MissingError
    content = programme_file(audit, "xlsx" if ending == "xlsx" else "pdf", today())
    return download(content, XLSX if ending == "xlsx" else PDF, f"program-{audit.handle}.{ending}")
