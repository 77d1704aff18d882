"""The work programme of an audit: generated from the rule, prefilled by recomputation, answered line by line."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from provender.audit.findings import EFFECTS, Deed, Finding, Severity, Stage
from provender.audit.outcome import State
from provender.audit.programme import DUTY, STANDARD, TASK, Item, NotNeeded, Visit, reasons_for
from provender.audit.statement.opinion import Engagement
from provender.database.actor import today
from provender.paper.tables import Cell, Column, Table
from provender.services.audits import findings, programme, statement
from provender.services.audits.deeds import LineMark, Mark, read_said
from provender.services.audits.records import findings_of, sites_of
from provender.services.refused import MissingError
from provender.web.access import PersonRequest
from provender.web.audit.access import at_audit_led
from provender.web.audit.forms import DeclaredForm, DeedForm, line_form, visit_form
from provender.web.inputs import attempt, said_plainly
from provender.web.tables import PDF, XLSX, download, page_with_tables

TITLES = {TASK: "For people", DUTY: "Duties", STANDARD: "Standards behind them"}
PLACE: Final = "the-line-it-is-of"
"""Where the name of a line stands in the form that lines of the same reasons share: a hundred took most of the time."""
CHIPS = {State.SETTLED: ("met", "check"), State.DIFFERS: ("not-met", "cross"), State.OPEN: ("plain", "")}


@require_http_methods(["GET", "POST"])
@at_audit_led
def audit_work(request: PersonRequest, access: programme.AuditAccess) -> HttpResponseBase:
    """Show the programme; POST marks one line, with what was seen."""
    audit = access.audit
    sent = request.POST.get("line", "")
    item = programme.work_line(audit, sent) if sent else None
    form = line_form(sent, reasons_for(item) if item else (), request.POST or None)
    if item is not None and form.is_valid():
        mark = read_said(LineMark, form.said, "line")
        if attempt(form, lambda: programme.mark_line(audit, item, mark, actor=access.actor)):
            messages.success(request, f"Noted: {item.text}")
            return redirect(f"{request.path}#line-{item.line}")
    items, calendar = programme.items_of(audit), programme.calendar_of(audit, today())
    marks, visits = programme.marks_of(audit), {visit.window: visit for visit in calendar}
    refused = _refused(form)

    @cache
    def fields(reasons: tuple[NotNeeded, ...]) -> SafeString:
        return line_form(PLACE, reasons).render()

    left = {one.kind: one for one in statement.lines_open(audit)}
    groups = [
        _group(
            kind,
            [
                _line(item, marks, visits, refused.get(item.line) or fields(reasons_for(item)))
                for item in items
                if item.kind == kind
            ],
            refused,
            left.get(kind),
        )
        for kind in statement.KINDS
    ]
    told = {"open": sum(one.open for one in left.values()), "whole": len(items)}
    context = {
        "audit": audit,
        "groups": groups,
        "refused": next(iter(refused), ""),
        "recomputed": programme.outcomes_of(audit),
    }
    context["told"] = told
    context["calendar"] = _windows(calendar)
    return render(request, "audit/work.html", context)


def _refused(form: DeclaredForm) -> dict[str, SafeString]:
    """Return the line that could not be marked with its form as it was sent: what was typed, and why not beside it."""
    if not form.is_bound or not form.errors:
        return {}
    return {str(form["line"].value() or ""): form.render()}


def _group(
    kind: str, lines: list[dict[str, Any]], refused: dict[str, SafeString], left: statement.OpenLines | None
) -> dict[str, Any]:
    """Return the lines of one kind; people begin with the tasks, or with the line that was refused."""
    opens = kind == TASK or any(line["name"] in refused for line in lines)
    return {"title": TITLES[kind], "lines": lines, "opens": opens, "left": left}


def _windows(calendar: Sequence[Visit]) -> dict[str, list[Visit]]:
    """Return the windows to come and open apart from those that are over: the work stands below the first."""
    apart: dict[str, list[Visit]] = {}
    for visit in calendar:
        apart.setdefault("over" if visit.when == "over" else "coming", []).append(visit)
    return apart


def _line(
    item: Item, marks: dict[str, programme.Marked], visits: dict[str, Visit], fields: SafeString
) -> dict[str, Any]:
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
def audit_work_file(request: PersonRequest, access: programme.AuditAccess, ending: str) -> HttpResponseBase:
    """Give the programme as a spreadsheet or a PDF.

    Raises:
        MissingError: another kind of file was asked for.
    """
    audit = access.audit
    del request
    if ending not in ("xlsx", "pdf"):
        raise MissingError
    content = programme.programme_file(audit, "xlsx" if ending == "xlsx" else "pdf", today())
    return download(content, XLSX if ending == "xlsx" else PDF, f"program-{audit.handle}.{ending}")


# What an audit was engaged for, and the log of sites and drawn farms that were audited.


@require_http_methods(["GET", "POST"])
@at_audit_led
def audit_engagement(request: PersonRequest, access: programme.AuditAccess) -> HttpResponseBase:
    """Write what was agreed and planned; log what was seen."""
    audit = access.audit
    farms = statement.farms_drawn(audit)
    logging = "seen" in request.POST
    now = statement.engagement_of(audit)
    form = DeclaredForm(Engagement, None if logging else request.POST or None, said=now, partly=True)
    visit = visit_form(farms, sites_of(audit), request.POST if logging else None)
    sent, take = (visit, statement.log_visit) if logging else (form, statement.record_engagement)
    if sent.is_valid() and attempt(sent, lambda: take(audit, sent.said, actor=access.actor)) is not None:
        messages.success(request, "It is in the visit log." if logging else "The engagement is saved.")
        return redirect("audit_engagement", access.organisation.handle, audit.handle)
    tables = {"visits": _visits(access, farms)}
    return page_with_tables(request, "audit/engagement.html", tables, {"audit": audit, "form": form, "visit": visit})


def _visits(access: programme.AuditAccess, farms: dict[str, str]) -> Table:
    audit = access.audit
    columns = [Column("Place"), Column("How"), Column("Day"), Column("By"), Column("What was seen")]
    rows = []
    for row in statement.seen_in(audit):
        place = Cell(farms.get(row.farm, row.farm) or row.site, note="drawn farm" if row.farm else "site")
        day = Cell(date_format(row.on, "DATE_FORMAT"))
        rows.append([place, Cell(row.way.capitalize()), day, Cell(row.by), Cell(row.seen)])
    return Table("visits", columns, rows, empty="Nothing has been logged yet.")


# Findings of an audit on the verifier's side: raised, resolved, reopened; every event stays.

WEIGHTS = {Severity.MAJOR: "not-met", Severity.MINOR: "not-shown", Severity.OBSERVATION: "plain"}


def findings_table(access: programme.AuditAccess, view: str) -> Table:
    """Return the findings of an audit, each leading to its page on the reader's side."""
    audit = access.audit
    columns = [
        Column("No."), Column("Weight"), Column("What was found"), Column("Must answer"), Column("Due"),
        Column("State"),
    ]  # fmt: skip
    rows = []
    for one in findings_of(audit):
        number, weight, what, due, state = finding_cells(one, view, access.organisation.handle, audit.handle)
        rows.append([number, weight, what, Cell(one.owner), due, state])
    return Table("findings", columns, rows, empty="No finding has been raised.")


def finding_cells(one: Finding, view: str, reader: str, audit: str) -> list[Cell]:
    """Return number, weight, words, last day and state of a finding, whose page is the reader's."""
    where = reverse(view, args=(reader, audit, one.number))
    note = f"{said_plainly(one.subject)} · 7 CFR {one.cite}"
    return [
        Cell(one.number, where),
        Cell(str(one.severity).capitalize(), chip=WEIGHTS[one.severity]),
        Cell(said_plainly(one.text), note=note, saved=one.text),
        Cell(date_format(one.due, "DATE_FORMAT")),
        stage_cell(one),
    ]


def stage_cell(one: Finding) -> Cell:
    if one.stage is Stage.RESOLVED:
        return Cell(f"Resolved: {one.resolution}", chip="met")
    if one.overdue(today()):
        return Cell("Overdue", chip="not-met")
    return Cell("Answered", chip="plain") if one.stage is Stage.RESPONDED else Cell("Open", chip="not-shown")


@require_http_methods(["GET", "POST"])
@at_audit_led
def audit_findings(request: PersonRequest, access: programme.AuditAccess) -> HttpResponseBase:
    """List findings; raise one."""
    audit = access.audit
    begun = {"owner": str(audit.audited), "subject": str(audit.audited)}
    form = DeedForm(Deed.RAISED, request.POST or None, initial=begun, role=audit.role)
    if request.method == "POST" and form.is_valid():
        made = attempt(form, lambda: findings.raise_finding(audit, texts_of(form), actor=access.actor))
        if made is not None:
            messages.success(request, f"Finding {made.number} is raised. {findings.readers_of(audit, made)}")
            return redirect("audit_findings", access.organisation.handle, audit.handle)
    tables = {"findings": findings_table(access, "audit_finding")}
    return page_with_tables(request, "audit/findings.html", tables, {"audit": audit, "form": form})


def texts_of(form: forms.Form) -> dict[str, str]:
    """Return what a valid form says as texts; days as ISO."""
    return {name: str(value or "") for name, value in form.cleaned_data.items()}


@require_POST
@at_audit_led
def audit_finding_from(
    request: PersonRequest, access: programme.AuditAccess, number: int, index: int
) -> HttpResponseBase:
    """Make a difference of a recomputation a finding, in one click."""
    audit = access.audit
    one = programme.difference_of(programme.result_of(audit, number), index)
    form = forms.Form({})
    form.is_valid()
    made = attempt(form, lambda: findings.raise_findings_from(audit, one, actor=access.actor))
    if made is None:
        messages.error(request, " ".join(map(str, form.non_field_errors())))
    else:
        messages.success(request, f"Finding {made.number}: {made.subject}.")
    return redirect("audit_result", access.organisation.handle, audit.handle, number)


@require_http_methods(["GET", "POST"])
@at_audit_led
def audit_finding(request: PersonRequest, access: programme.AuditAccess, number: str) -> HttpResponseBase:
    """Show a finding with everything that was said; resolve it, or open it again."""
    audit = access.audit
    one, events = programme.finding_named(audit, number)
    ended = one.stage is Stage.RESOLVED
    changing = "change" in request.POST
    sent = None if changing else request.POST or None
    effects = {name: str(getattr(one, name) or "") for name in EFFECTS}
    deed = Deed.REOPENED if ended else Deed.RESOLVED
    form = DeedForm(deed, sent, initial=effects)
    now = {"severity": str(one.severity), "cite": one.cite, "owner": one.owner, "due": one.due, **effects}
    told = request.POST if changing else None
    change = DeedForm(Deed.CHANGED, told, initial=now, auto_id="id_change_%s", role=audit.role)
    if (
        changing
        and change.is_valid()
        and (made := attempt(change, lambda: findings.change_finding(audit, one, texts_of(change), actor=access.actor)))
    ):
        readers = findings.readers_of(audit, made)
        messages.success(request, f"Finding {number} is changed; what it said before stays below. {readers}")
        return redirect("audit_finding", access.organisation.handle, audit.handle, number)
    if request.method == "POST" and not changing and form.is_valid():
        said = texts_of(form)
        if attempt(form, lambda: findings.add_finding_event(audit, deed, number, said, actor=access.actor)) is not None:
            messages.success(request, f"Finding {number} is {'open again' if ended else 'resolved'}.")
            return redirect("audit_finding", access.organisation.handle, audit.handle, number)
    state = stage_cell(one)
    context = {
        "audit": audit,
        "finding": one,
        "events": findings.with_changes(events),
        "form": form,
        "ended": ended,
        "state": state,
    }
    return render(request, "audit/finding.html", {**context, "change": change})
