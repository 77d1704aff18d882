"""Findings of an audit on the verifier's side: raised, resolved, reopened; every event stays."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_http_methods, require_POST

from provender.audit.findings import Deed, Event, Finding, Severity, Stage
from provender.database.audits import data_of, finding_events, findings_of
from provender.database.deeds.audits import do_write_finding
from provender.database.models import Audit, AuditEntry, EntryKind
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.pages.audit_door import audit_led, entry_of
from provender.web.pages.audit_forms import ChangeForm, FindingForm, ReopenForm, ResolveForm, today
from provender.web.pages.deed import attempt
from provender.web.tables import Cell, Column, Table, page_with_tables

WEIGHTS = {Severity.MAJOR: "not-met", Severity.MINOR: "not-shown", Severity.OBSERVATION: "plain"}


def findings_table(audit: Audit, view: str, handle: str) -> Table:
    """Return the findings of an audit, each leading to its page on the reader's side."""
    columns = [
        Column("No."), Column("Weight"), Column("What was found"), Column("Must answer"), Column("Due"),
        Column("State"),
    ]  # fmt: skip
    rows = []
    for one in findings_of(audit):
        where = reverse(view, args=(handle, audit.handle, one.number))
        cells = [Cell(one.number, where), Cell(str(one.severity).capitalize(), chip=WEIGHTS[one.severity])]
        what = Cell(one.text, note=f"{one.subject} · 7 CFR {one.cite}")
        rows.append([*cells, what, Cell(one.owner), Cell(date_format(one.due, "DATE_FORMAT")), stage_cell(one)])
    return Table("findings", columns, rows, empty="No finding has been raised.")


def stage_cell(one: Finding) -> Cell:
    """Return how a finding stands."""
    if one.stage is Stage.RESOLVED:
        return Cell(f"Resolved: {one.resolution}", chip="met")
    if one.overdue(today()):
        return Cell("Overdue", chip="not-met")
    return Cell("Answered", chip="plain") if one.stage is Stage.RESPONDED else Cell("Open", chip="not-shown")


def finding_named(audit: Audit, number: str) -> tuple[Finding, list[Event]]:
    """Return a finding as it stands, and its events.

    Raises:
        Http404: the audit has no such finding.
    """
    found = next((one for one in findings_of(audit) if one.number == number), None)
    if found is None:
        raise Http404
    return found, [event for event in finding_events(audit) if event["finding"] == number]


def event_of(deed: Deed, number: str, request: PersonRequest, **more: str) -> dict[str, str]:
    """Return an event of today; blank particulars are left out."""
    said = {name: value.strip() for name, value in more.items() if value.strip()}
    return {"deed": str(deed), "finding": number, "on": today().isoformat(), "by": str(request.user), **said}


def next_number(audit: Audit) -> str:
    """Return the number of the next finding."""
    return str(sum(1 for event in finding_events(audit) if event["deed"] == Deed.RAISED) + 1)


@require_http_methods(["GET", "POST"])
@of_organisation("read")
def audit_findings(request: PersonRequest, access: Access, audit: str) -> HttpResponseBase:
    """List findings; raise one."""
    found = audit_led(access, audit)
    form = FindingForm(request.POST or None, initial={"owner": str(found.audited), "subject": str(found.audited)})
    if request.method == "POST" and form.is_valid():
        entry = attempt(form, lambda: _raise(request, access, found, form.cleaned_data))
        if entry is not None:
            messages.success(request, f"Finding {data_of(entry)['finding']} is raised. {found.audited} sees it.")
            return redirect("audit_findings", access.organisation.handle, found.handle)
    tables = {"findings": findings_table(found, "audit_finding", access.organisation.handle)}
    return page_with_tables(request, "audit/findings.html", tables, {"audit": found, "form": form})


def _raise(request: PersonRequest, access: Access, audit: Audit, data: dict[str, Any]) -> AuditEntry:
    more = {name: value for name, value in data.items() if name != "due"}
    event = event_of(Deed.RAISED, next_number(audit), request, **more, due=data["due"].isoformat())
    return do_write_finding(audit, event, actor=access.actor)


def words_of(difference: dict[str, Any]) -> str:
    """Return a difference of a recomputation in the words of a finding."""
    return f"Claimed: {difference['claimed'] or 'nothing'}. Recomputed: {difference['recomputed'] or 'nothing'}."


@require_POST
@of_organisation("read")
def audit_finding_from(request: PersonRequest, access: Access, audit: str, number: int, index: int) -> HttpResponseBase:
    """Make a difference of a recomputation a finding, in one click: its words, its bushels, its paragraph.

    Raises:
        Http404: the result has no such difference.
    """
    found = audit_led(access, audit)
    differences = data_of(entry_of(found, EntryKind.RESULT, number))["differences"]
    if index >= len(differences):
        raise Http404
    one = differences[index]
    form = FindingForm()
    due = form.get_initial_for_field(form.fields["due"], "due")
    data = {
        "severity": str(Severity.MAJOR),
        "cite": one["cite"],
        "subject": one["place"],
        "text": words_of(one),
        "owner": str(found.audited),
        "due": due,
        "effect_bushels": one["effect_bushels"] or "",
    }
    holder = forms.Form()
    holder.cleaned_data = {}
    entry = attempt(holder, lambda: _raise(request, access, found, data))
    if entry is None:
        messages.error(request, " ".join(map(str, holder.non_field_errors())))
    else:
        messages.success(request, f"Finding {data_of(entry)['finding']}: {one['place']}.")
    return redirect("audit_result", access.organisation.handle, found.handle, number)


@require_http_methods(["GET", "POST"])
@of_organisation("read")
def audit_finding(request: PersonRequest, access: Access, audit: str, number: str) -> HttpResponseBase:
    """Show a finding with everything that was said; resolve it, or open it again."""
    found = audit_led(access, audit)
    one, events = finding_named(found, number)
    ended = one.stage is Stage.RESOLVED
    changing = "change" in request.POST
    form: forms.Form = (ReopenForm if ended else ResolveForm)(None if changing else request.POST or None)
    change = ChangeForm(request.POST if changing else None, initial=_said_now(one), auto_id="id_change_%s")
    if changing and change.is_valid():
        event = event_of(Deed.CHANGED, number, request, **_changed(one, change.cleaned_data))
        if attempt(change, lambda: do_write_finding(found, event, actor=access.actor)) is not None:
            messages.success(request, f"Finding {number} is changed; what it said before stays below.")
            return redirect("audit_finding", access.organisation.handle, found.handle, number)
    if request.method == "POST" and not changing and form.is_valid():
        data = {name: str(value) for name, value in form.cleaned_data.items()}
        event = event_of(Deed.REOPENED if ended else Deed.RESOLVED, number, request, **data)
        if attempt(form, lambda: do_write_finding(found, event, actor=access.actor)) is not None:
            messages.success(request, f"Finding {number} is {'open again' if ended else 'resolved'}.")
            return redirect("audit_finding", access.organisation.handle, found.handle, number)
    state = stage_cell(one)
    context = {"audit": found, "finding": one, "events": events, "form": form, "ended": ended, "state": state}
    return render(request, "audit/finding.html", {**context, "change": change})


def _said_now(one: Finding) -> dict[str, Any]:
    return {"severity": str(one.severity), "owner": one.owner, "due": one.due}


def _changed(one: Finding, data: dict[str, Any]) -> dict[str, str]:
    """Return what differs from the finding as it stands, with the reason; the core refuses a change of nothing."""
    now = _said_now(one)
    return {name: str(value) for name, value in data.items() if name == "text" or now[name] != value}
