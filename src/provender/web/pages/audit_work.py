"""The work programme of an audit: generated from the rule, prefilled by recomputation, answered line by line."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from provender.audit.calendar import Visit, season_calendar
from provender.audit.programme import DUTY, STANDARD, TASK, Item, programme
from provender.audit.programme_paper import Heading, programme_pdf, programme_xlsx
from provender.audit.recompute import Outcome, State
from provender.audit.statement import Role as AuditRole
from provender.database.audits import data_of, entries
from provender.database.deeds.audits import do_add_entry
from provender.database.models import Audit, AuditEntry, EntryKind
from provender.rule.version import rule_version
from provender.signing.hashes import document_hash
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.pages.audit_door import audit_led
from provender.web.pages.audit_forms import MarkForm, today
from provender.web.pages.deed import attempt
from provender.web.tables import XLSX

TITLES = {TASK: "For people", DUTY: "Duties", STANDARD: "Standards behind them"}
CHIPS = {State.SETTLED: ("met", "check"), State.DIFFERS: ("not-met", "cross"), State.OPEN: ("plain", "")}


def roles_in(audit: Audit) -> list[AuditRole]:
    """Return the roles whose programme an audit has: a first point's includes that of its farms."""
    role = AuditRole(audit.role)
    return [role, AuditRole.FARM] if role is AuditRole.FIRST_POINT else [role]


def outcomes_of(audit: Audit) -> list[Outcome]:
    """Return what the last recomputation of each package answered."""
    latest = {data_of(one)["what"]: data_of(one) for one in entries(audit, EntryKind.RESULT)}
    return [_outcome(check) for result in latest.values() for check in result["checks"]]


def _outcome(check: dict[str, Any]) -> Outcome:
    """Read a check back as far as its state needs: differences count, their content stays with the result."""
    differs = ("it differs; see the result",) if check["differences"] else ()
    found = Outcome(check["check"], tuple(check["cites"]), check["computed"], not_shown=tuple(check["not_shown"]))
    return found if not differs else Differing(found.check, found.cites, found.computed, not_shown=differs)


class Differing(Outcome):
    """An outcome that differs, without the differences themselves."""

    @property
    def state(self) -> State:
        """Return that it differs."""
        return State.DIFFERS


def items_of(audit: Audit) -> tuple[list[Item], list[Visit]]:
    """Return the lines of the programme, and the season calendar."""
    items = programme(roles_in(audit), outcomes_of(audit))
    rule = rule_version(audit.covered_last)
    return items, season_calendar(items, audit.harvest_year, rule, audit.audited.state)


def line_of(item: Item) -> str:
    """Return the name of a line: stable as long as its words are."""
    return document_hash({"kind": item.kind, "role": str(item.role), "cite": item.cite, "text": item.text})[:16]


def marks_of(audit: Audit) -> dict[str, tuple[AuditEntry, dict[str, Any]]]:
    """Return the last mark of each line."""
    return {data_of(one)["line"]: (one, data_of(one)) for one in entries(audit, EntryKind.TASK)}


@require_http_methods(["GET", "POST"])
@of_organisation("read")
def audit_work(request: PersonRequest, access: Access, audit: str) -> HttpResponseBase:
    """Show the programme; POST marks one line, with what was seen."""
    found = audit_led(access, audit)
    items, calendar = items_of(found)
    known = {line_of(item): item for item in items}
    form = MarkForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        item = known.get(form.cleaned_data["line"])
        if item is None:
            raise Http404
        data, about = form.cleaned_data, item.cite
        if attempt(form, lambda: do_add_entry(found, EntryKind.TASK, data, actor=access.actor, about=about)):
            messages.success(request, f"Noted: {item.text}")
            return redirect(f"{request.path}#line-{data['line']}")
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
        "done": mark.get("state") in ("done", "not needed"),
        "visit": visits.get(item.window),
        "form": MarkForm(initial={"line": name}, auto_id=f"id_{name}_%s"),
    }


@require_GET
@of_organisation("read")
def audit_work_file(request: PersonRequest, access: Access, audit: str, ending: str) -> HttpResponseBase:
    """Give the programme as a spreadsheet or a PDF.

    Raises:
        Http404: another kind of file was asked for.
    """
    found = audit_led(access, audit)
    if ending not in ("xlsx", "pdf"):
        raise Http404
    items, calendar = items_of(found)
    heading = Heading(str(found.audited), str(found.verifier), found.harvest_year, today())
    if ending == "xlsx":
        response = HttpResponse(programme_xlsx(heading, items, calendar), content_type=XLSX)
    else:
        response = HttpResponse(programme_pdf(heading, items, calendar), content_type="application/pdf")
    response.headers["Content-Disposition"] = f'attachment; filename="programme-{found.handle}.{ending}"'
    return response
