"""Audits of us: what the audited party sees of its audits, its answers to findings, the statements it keeps."""

from django import forms
from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from provender.audit.findings.log import Stage
from provender.audit.programme.items import Role as AuditRole
from provender.audit.sampling.seed import Side
from provender.database.actor import today
from provender.database.choices import Area, Role
from provender.services.audits.days_said import days_of, yearly_said
from provender.services.audits.findings import answer_finding, with_changes
from provender.services.audits.lookup import AuditAccess, finding_seen, findings_in, findings_naming, signed_statement
from provender.services.audits.lookup import audits_of_us as audits_of
from provender.services.audits.sample import commit_part, is_drawn, may_commit, may_open, open_part
from provender.services.audits.standing import cycle_of, state_of, trading_roles, unresolved
from provender.services.refused import MissingError
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.audit.door import at_audit_of_us, at_audit_to_answer
from provender.web.audit.forms import CommitForm, OpenForm, ResponseForm
from provender.web.audit.pages.audits import agreed_cell, alert_cell, state_cell
from provender.web.audit.pages.findings import finding_cells, findings_table, stage_cell, texts_of
from provender.web.audit.pages.statement import later_file, statement_answer, statement_context
from provender.web.inputs import attempt
from provender.web.tables import Cell, Column, Table, page_with_tables


@require_GET
@of_organisation("read", areas=(Area.AUDITS,))
def audits_of_us(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List the audits of the organisation, and when the next statement is due."""
    day = today()
    columns = [
        Column("Audit"),
        Column("Verifier"),
        Column("Covers"),
        Column("Statement agreed for"),
        Column("Findings open", number=True),
        Column("State"),
    ]
    rows = []
    for audit in audits_of(access.organisation):
        where = reverse("audit_of_us", args=(access.organisation.handle, audit.handle))
        left = len(unresolved(findings_in(audit)))
        days = days_of(audit, cycle_of(audit.audited, day), day)
        rows.append(
            [
                Cell(audit.number, where),
                Cell(str(audit.verifier)),
                Cell(days.covers),
                agreed_cell(days),
                Cell(str(left)),
                state_cell(state_of(audit, day)),
            ]
        )
    empty = "No verifier has opened an audit of you. Let one in first: you say whom, and from which day to which."
    begin = ("Verifier access", reverse("grants", args=(access.organisation.handle,)))
    named = _naming_us(access)
    if named:
        # Under a finding that a verifier wrote nobody wants to hear that no verifier was here.
        empty = "Nobody has opened an audit of you yourself; the findings above are of audits of other parties."
    tables = {"audits": Table("audits of us", columns, rows, empty=empty, begin=begin)}
    if named:
        tables["named"] = named
    rhythm = cycle_of(access.organisation, day) if trading_roles(access.organisation) else None
    context: dict[str, object] = {"rhythm": rhythm, "alert": alert_cell(rhythm) if rhythm else None}
    if rhythm:
        context["days"] = yearly_said(rhythm)
    return page_with_tables(request, "audit/ours.html", tables, context)


def _naming_us(access: Access) -> Table | None:
    """Return the findings of others' audits that the organisation must answer, or None; of those audits nothing."""
    columns = [
        Column("No."), Column("Weight"), Column("What was found"), Column("Verifier"), Column("Due"), Column("State"),
    ]  # fmt: skip
    rows = []
    for audit, one in findings_naming(access.organisation):
        cells = finding_cells(one, "audit_of_us_finding", access.organisation.handle, audit.handle)
        rows.append([*cells[:3], Cell(str(audit.verifier)), *cells[3:]])
    return Table("findings that name us", columns, rows) if rows else None


def _part_of_seed(access: AuditAccess, form: forms.Form) -> object:
    audit = access.audit
    if isinstance(form, OpenForm):
        return open_part(audit, form.cleaned_data["secret"], actor=access.actor)
    return commit_part(audit, Side.AUDITED, form.cleaned_data["commitment"], actor=access.actor)


@require_http_methods(["GET", "POST"])
@at_audit_of_us
def audit_ours(request: PersonRequest, access: AuditAccess) -> HttpResponseBase:
    """Show one audit of the organisation: findings to answer, and the statement it keeps."""
    audit = access.audit
    tables = {"findings": findings_table(access, "audit_of_us_finding")}
    opening = "secret" in request.POST
    form = OpenForm(request.POST) if opening else CommitForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and attempt(form, lambda: _part_of_seed(access, form)) is not None:
        messages.success(request, "Your part of the seed is open." if opening else "Your commitment is taken.")
        return redirect("audit_of_us", access.organisation.handle, audit.handle)
    context = {"audit": audit, "state": state_cell(state_of(audit, today())), **statement_context(access)}
    context["days"] = days_of(audit, cycle_of(audit.audited, today()), today())
    sampled = audit.role == AuditRole.FIRST_POINT
    context |= {
        "commit": CommitForm() if opening else form,
        "open": form if opening else OpenForm(),
        "seed": {"commit": may_commit(audit, Side.AUDITED), "open": may_open(audit)} if sampled else {},
        "drawn": sampled and is_drawn(audit),
    }
    return page_with_tables(request, "audit/our.html", tables, context)


@require_http_methods(["GET", "POST"])
@at_audit_to_answer
def audit_our_finding(request: PersonRequest, access: AuditAccess, number: str) -> HttpResponseBase:
    """Show a finding to the audited party, or to the party it names; either answers it."""
    audit, reader = access.audit, access.organisation
    one, events = finding_seen(reader, audit, number)
    whole = reader == audit.audited
    files = reader.roles.filter(role=Role.FARM).exists()
    form = ResponseForm(request.POST or None, files=files)
    if request.method == "POST" and form.is_valid():
        said = texts_of(form)
        if attempt(form, lambda: answer_finding(audit, one, said, reader, actor=access.actor)) is not None:
            seen = f"{audit.verifier} sees it." if whole else f"{audit.verifier} and the party it audits see it."
            messages.success(request, f"Your answer to finding {number} stands. {seen}")
            return redirect("audit_of_us_finding", reader.handle, audit.handle, number)
    context = {"audit": audit, "finding": one, "events": with_changes(events), "form": form, "state": stage_cell(one)}
    context |= {"ended": one.stage is Stage.RESOLVED, "whole": whole, "files": files}
    return render(request, "audit/our_finding.html", context)


@require_GET
@at_audit_of_us
def audit_our_statement(request: PersonRequest, access: AuditAccess, ending: str) -> HttpResponseBase:
    """Give the signed statement to the party it is about.

    Raises:
        MissingError: it is not signed: drafts stay with the verifier.
    """
    audit = access.audit
    if signed_statement(audit) is None:
        raise MissingError
    return statement_answer(access, ending)


@require_GET
@at_audit_of_us
def audit_our_later(request: PersonRequest, access: AuditAccess, number: int) -> HttpResponseBase:
    """Give a signed fact found later to the party the statement is about, who hands both on."""
    return later_file(access, number)
