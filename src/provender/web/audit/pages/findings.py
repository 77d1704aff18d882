"""Findings of an audit on the verifier's side: raised, resolved, reopened; every event stays."""

from django import forms
from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_http_methods, require_POST

from provender.audit.findings.log import EFFECTS, Deed, Finding, Severity, Stage
from provender.database.actor import today
from provender.services.audits.findings import (
    add_finding_event,
    change_finding,
    raise_finding,
    raise_findings_from,
    readers_of,
    with_changes,
)
from provender.services.audits.lookup import AuditAccess, difference_of, finding_named, findings_in, result_of
from provender.web.access import PersonRequest
from provender.web.audit.door import at_audit_led
from provender.web.audit.forms import ChangeForm, FindingForm, ReopenForm, ResolveForm
from provender.web.inputs import attempt
from provender.web.tables import Cell, Column, Table, page_with_tables
from provender.web.words import said_plainly

WEIGHTS = {Severity.MAJOR: "not-met", Severity.MINOR: "not-shown", Severity.OBSERVATION: "plain"}


def findings_table(access: AuditAccess, view: str) -> Table:
    """Return the findings of an audit, each leading to its page on the reader's side."""
    audit = access.audit
    columns = [
        Column("No."), Column("Weight"), Column("What was found"), Column("Must answer"), Column("Due"),
        Column("State"),
    ]  # fmt: skip
    rows = []
    for one in findings_in(audit):
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
    """Return how a finding stands."""
    if one.stage is Stage.RESOLVED:
        return Cell(f"Resolved: {one.resolution}", chip="met")
    if one.overdue(today()):
        return Cell("Overdue", chip="not-met")
    return Cell("Answered", chip="plain") if one.stage is Stage.RESPONDED else Cell("Open", chip="not-shown")


@require_http_methods(["GET", "POST"])
@at_audit_led
def audit_findings(request: PersonRequest, access: AuditAccess) -> HttpResponseBase:
    """List findings; raise one."""
    audit = access.audit
    begun = {"owner": str(audit.audited), "subject": str(audit.audited)}
    form = FindingForm(request.POST or None, initial=begun, role=audit.role)
    if request.method == "POST" and form.is_valid():
        made = attempt(form, lambda: raise_finding(audit, texts_of(form), actor=access.actor))
        if made is not None:
            messages.success(request, f"Finding {made.number} is raised. {readers_of(audit, made)}")
            return redirect("audit_findings", access.organisation.handle, audit.handle)
    tables = {"findings": findings_table(access, "audit_finding")}
    return page_with_tables(request, "audit/findings.html", tables, {"audit": audit, "form": form})


def texts_of(form: forms.Form) -> dict[str, str]:
    """Return what a valid form says as texts; days as ISO."""
    return {name: str(value) for name, value in form.cleaned_data.items()}


@require_POST
@at_audit_led
def audit_finding_from(request: PersonRequest, access: AuditAccess, number: int, index: int) -> HttpResponseBase:
    """Make a difference of a recomputation a finding, in one click."""
    audit = access.audit
    one = difference_of(result_of(audit, number), index)
    form = forms.Form({})
    form.is_valid()
    made = attempt(form, lambda: raise_findings_from(audit, one, actor=access.actor))
    if made is None:
        messages.error(request, " ".join(map(str, form.non_field_errors())))
    else:
        messages.success(request, f"Finding {made.number}: {made.subject}.")
    return redirect("audit_result", access.organisation.handle, audit.handle, number)


@require_http_methods(["GET", "POST"])
@at_audit_led
def audit_finding(request: PersonRequest, access: AuditAccess, number: str) -> HttpResponseBase:
    """Show a finding with everything that was said; resolve it, or open it again."""
    audit = access.audit
    one, events = finding_named(audit, number)
    ended = one.stage is Stage.RESOLVED
    changing = "change" in request.POST
    sent = None if changing else request.POST or None
    effects = {name: str(getattr(one, name) or "") for name in EFFECTS}
    form: forms.Form = ReopenForm(sent) if ended else ResolveForm(sent, initial=effects)
    now = {"severity": str(one.severity), "cite": one.cite, "owner": one.owner, "due": one.due, **effects}
    change = ChangeForm(request.POST if changing else None, initial=now, auto_id="id_change_%s", role=audit.role)
    if (
        changing
        and change.is_valid()
        and (made := attempt(change, lambda: change_finding(audit, one, texts_of(change), actor=access.actor)))
    ):
        told = f"Finding {number} is changed; what it said before stays below. {readers_of(audit, made)}"
        messages.success(request, told)
        return redirect("audit_finding", access.organisation.handle, audit.handle, number)
    if request.method == "POST" and not changing and form.is_valid():
        deed = Deed.REOPENED if ended else Deed.RESOLVED
        if (
            attempt(form, lambda: add_finding_event(audit, deed, number, texts_of(form), actor=access.actor))
            is not None
        ):
            messages.success(request, f"Finding {number} is {'open again' if ended else 'resolved'}.")
            return redirect("audit_finding", access.organisation.handle, audit.handle, number)
    state = stage_cell(one)
    context = {
        "audit": audit,
        "finding": one,
        "events": with_changes(events),
        "form": form,
        "ended": ended,
        "state": state,
    }
    return render(request, "audit/finding.html", {**context, "change": change})
