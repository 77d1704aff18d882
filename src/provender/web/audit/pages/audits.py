"""The audits of a verifier, one of them at a glance, whom to audit next; and its accreditation."""

from datetime import date, timedelta
from typing import Any, Final

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from provender.audit.findings import Deed, Stage
from provender.audit.programme import Role as AuditRole
from provender.audit.sampling.seed import Side
from provender.audit.statement.accreditation import check_accreditation
from provender.audit.statement.statement import Alert, Rhythm
from provender.database.actor import today
from provender.database.choices import Area, Role
from provender.paper.tables import Cell, Column, Table
from provender.problem import Weight
from provender.services.accounts.access import Access
from provender.services.accounts.grants import open_grants
from provender.services.audits import programme, standing
from provender.services.audits.audits import accreditation_view, open_audit, record_accreditation
from provender.services.audits.deeds import Committed, Opening, PartOpened
from provender.services.audits.findings import answer_finding, with_changes
from provender.services.audits.package_requests import standings_of
from provender.services.audits.packages import MADE_BY_SERVER
from provender.services.audits.programme import audits_of_us as audits_of
from provender.services.audits.records import accreditation_of, findings_of, is_drawn, statement_of
from provender.services.audits.sample import commit_part, may_commit, may_open, notes_of_draw, open_part
from provender.services.refused import MissingError
from provender.web.access import PersonRequest, of_organisation
from provender.web.audit.access import PAGES, at_audit_led, at_audit_of_us, at_audit_to_answer
from provender.web.audit.forms import AccreditationForm, DeclaredForm, DeedForm, OpeningForm
from provender.web.audit.pages.programme import finding_cells, findings_table, stage_cell, texts_of
from provender.web.audit.pages.statement import later_file, statement_answer, statement_context
from provender.web.inputs import attempt
from provender.web.tables import page_with_tables

CHIPS: Final = {
    Alert.NOT_NEEDED: "plain",
    Alert.ON_TIME: "met",
    Alert.DUE_SOON: "not-shown",
    Alert.NO_CONTRACT: "not-shown",
    Alert.OVERDUE: "not-met",
}


STATES: Final = {"Past the agreed day": "not-met", "Agreed day is near": "not-shown", "Running": "plain"}
"""The chip of an audit's state; one whose statement is out has another."""


def alert_cell(cycle: Rhythm) -> Cell:
    """Return how a party stands in the yearly cycle as a cell."""
    note = f"7 CFR {cycle.cite}" if cycle.cite else ""
    return Cell(str(cycle.alert).capitalize(), chip=CHIPS[cycle.alert], note=note)


def _audits(access: Access, day: date) -> Table:
    columns = [
        Column("Audit"),
        Column("Party"),
        Column("As"),
        Column("Covers"),
        Column("Statement agreed for"),
        Column("State"),
    ]
    rows = []
    for audit in programme.audits_led(access.organisation):
        where = reverse("audit", args=(access.organisation.handle, audit.handle))
        days = standing.days_of(audit, standing.cycle_of(audit.audited, day), day)
        rows.append(
            [
                Cell(audit.number, where), Cell(str(audit.audited)), Cell(audit.role), Cell(days.covers),
                agreed_cell(days), state_cell(standing.state_of(audit, day)),
            ]
        )  # fmt: skip
    return Table("audits", columns, rows, empty="No audit is open. Open one for a party that lets you in.")


def agreed_cell(days: standing.AuditDays) -> Cell:
    """Return for which day a statement is agreed, and how many days after the rule's last day that is."""
    return Cell(days.agreed, note=days.late)


def state_cell(state: str) -> Cell:
    """Return whether the statement is out, or how the day agreed for it stands."""
    return Cell(state, chip=STATES.get(state, "met"))


def _parties(parties: list[standing.PartyView]) -> Table:
    columns = [
        Column("Party"),
        Column("As"),
        Column("Yearly audit"),
        Column("Yearly statement due by the rule"),
        Column("Access ends"),
    ]
    rows = []
    for party in parties:
        if party.rhythm is None:
            continue
        due, ends = standing.rule_said(party.rhythm), standing.day_said(party.access_until)
        roles = ", ".join(role for role in party.roles if role is not AuditRole.FARM)
        rows.append([Cell(party.name), Cell(roles), alert_cell(party.rhythm), Cell(due), Cell(ends)])
    return Table(
        "parties", columns, rows, empty="No elevator, processor or refiner lets you in today. Give them your code."
    )


@require_http_methods(["GET", "POST"])
@of_organisation("read")
def audits(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List the audits of a verifier and the yearly rhythm of whoever lets it in; open an audit."""
    programme.check_verifies(access.organisation)
    day = today()
    grants = open_grants(access.organisation, day)
    parties = [standing.party_view(grant, day) for grant in grants]
    year = day.year - 1
    initial = {"harvest_year": year, "covered_first": date(year, 10, 1), "covered_last": day - timedelta(days=1)}
    form = OpeningForm(parties, request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        data: dict[str, Any] = dict(form.cleaned_data)
        audited = programme.party_to_audit(access.organisation, data.pop("audited"))
        opening = Opening(**{**data, "role": AuditRole(data["role"])})
        made = attempt(form, lambda: open_audit(access.organisation, audited, opening, actor=access.actor))
        if made:
            messages.success(request, f"The audit {made} is open. They see it too.")
            return redirect("audit", access.organisation.handle, made.handle)
    tables = {"audits": _audits(access, day), "parties": _parties(parties)}
    shown = accreditation_of(access.organisation)
    context = {
        "form": form,
        "accreditation": shown,
        "against": accreditation_view(access.organisation, today()).against,
        "grants": grants,
    }
    return page_with_tables(request, "audit/list.html", tables, context)


@require_http_methods(["GET", "POST"])
@of_organisation("read", to_post="manage", areas=(Area.ACCREDITATION,))
def audit_accreditation(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show the accreditation to ISO 14065; a manager enters it."""
    programme.check_verifies(access.organisation)
    shown = accreditation_of(access.organisation)
    form = AccreditationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        entered = form.shown(access.organisation.name, access.organisation.handle)
        record_accreditation(access.organisation, entered, actor=access.actor)
        weights = [one.weight for one in check_accreditation(entered, today())]
        words = "It does not hold today; see below." if Weight.ERROR in weights else "It holds today."
        messages.success(request, f"Saved. {words}")
        return redirect("audit_accreditation", access.organisation.handle)
    context = {
        "form": form,
        "accreditation": shown,
        "against": accreditation_view(access.organisation, today()).against,
    }
    return render(request, "audit/accreditation.html", context)


MARKS: Final = {True: ("met", "check"), False: ("not-shown", "question"), None: ("plain", "")}


def _step(access: programme.AuditAccess, step: standing.AuditStep) -> dict[str, str]:
    chip, icon = MARKS[step.done]
    href = reverse(PAGES[step.step], args=(access.organisation.handle, access.audit.handle))
    return {"label": step.step, "href": href, "words": step.stands, "chip": chip, "icon": icon}


@require_GET
@at_audit_led
def audit(request: PersonRequest, access: programme.AuditAccess) -> HttpResponseBase:
    """Show how an audit stands; what was recomputed meanwhile is entered."""
    audit = access.audit
    standings_of(audit)
    day = today()
    stands = standing.standing_of(audit, day)
    coming, cycle = standing.next_step(stands.steps), standing.cycle_of(audit.audited, day)
    context = {
        "audit": audit,
        "steps": [_step(access, step) for step in stands.steps],
        "next": _step(access, coming) if coming else None,
        "state": state_cell(standing.state_of(audit, day)),
        "standing": stands,
        "rhythm": cycle,
        "days": standing.days_of(audit, cycle, day),
        "by_server": MADE_BY_SERVER,
        "entries": [
            (one, standing.happened(one)) for one in audit.entries.select_related("actor").order_by("-number")[:8]
        ],
    }
    return render(request, "audit/home.html", context)


# Audits of us: what the audited party sees of its audits, its answers to findings, the statements it keeps.


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
        left = len(standing.unresolved(findings_of(audit)))
        days = standing.days_of(audit, standing.cycle_of(audit.audited, day), day)
        rows.append(
            [
                Cell(audit.number, where),
                Cell(str(audit.verifier)),
                Cell(days.covers),
                agreed_cell(days),
                Cell(str(left)),
                state_cell(standing.state_of(audit, day)),
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
    rhythm = standing.cycle_of(access.organisation, day) if standing.trading_roles(access.organisation) else None
    context: dict[str, object] = {"rhythm": rhythm, "alert": alert_cell(rhythm) if rhythm else None}
    if rhythm:
        context["days"] = standing.yearly_said(rhythm)
    return page_with_tables(request, "audit/ours.html", tables, context)


def _naming_us(access: Access) -> Table | None:
    """Return the findings of others' audits that the organisation must answer, or None; of those audits nothing."""
    columns = [
        Column("No."), Column("Weight"), Column("What was found"), Column("Verifier"), Column("Due"), Column("State"),
    ]  # fmt: skip
    rows = []
    for audit, one in programme.findings_naming(access.organisation):
        cells = finding_cells(one, "audit_of_us_finding", access.organisation.handle, audit.handle)
        rows.append([*cells[:3], Cell(str(audit.verifier)), *cells[3:]])
    return Table("findings that name us", columns, rows) if rows else None


@require_http_methods(["GET", "POST"])
@at_audit_of_us
def audit_ours(request: PersonRequest, access: programme.AuditAccess) -> HttpResponseBase:
    """Show one audit of the organisation: findings to answer, and the statement it keeps."""
    audit = access.audit
    tables = {"findings": findings_table(access, "audit_of_us_finding")}
    opening = "secret" in request.POST
    form = DeclaredForm(PartOpened if opening else Committed, request.POST or None)

    def give() -> object:
        if opening:
            return open_part(audit, form.cleaned_data["secret"], actor=access.actor)
        return commit_part(audit, Side.AUDITED, form.cleaned_data["commitment"], actor=access.actor)

    if request.method == "POST" and form.is_valid() and attempt(form, give) is not None:
        messages.success(request, "Your part of the seed is open." if opening else "Your commitment is taken.")
        return redirect("audit_of_us", access.organisation.handle, audit.handle)
    context = {"audit": audit, "state": state_cell(standing.state_of(audit, today())), **statement_context(access)}
    context["days"] = standing.days_of(audit, standing.cycle_of(audit.audited, today()), today())
    sampled = audit.role == AuditRole.FIRST_POINT
    may = {"commit": may_commit(audit, Side.AUDITED), "open": may_open(audit)} if sampled else {}
    context |= {
        # Where nothing can be given any more no form stands there to tell why.
        "refused": () if may.get("open" if opening else "commit") else form.non_field_errors(),
        "commit": DeclaredForm(Committed) if opening else form,
        "open": form if opening else DeclaredForm(PartOpened),
        "seed": may,
        "drawn": sampled and is_drawn(audit),
        "notes": notes_of_draw(audit) if sampled else (),
    }
    return page_with_tables(request, "audit/our.html", tables, context)


@require_http_methods(["GET", "POST"])
@at_audit_to_answer
def audit_our_finding(request: PersonRequest, access: programme.AuditAccess, number: str) -> HttpResponseBase:
    """Show a finding to the audited party, or to the party it names; either answers it."""
    audit, reader = access.audit, access.organisation
    one, events = programme.finding_seen(reader, audit, number)
    whole = reader == audit.audited
    files = reader.roles.filter(role=Role.FARM).exists()
    form = DeedForm(Deed.RESPONDED, request.POST or None, files=files)
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
def audit_our_statement(request: PersonRequest, access: programme.AuditAccess, ending: str) -> HttpResponseBase:
    """Give the signed statement to the party it is about.

    Raises:
        MissingError: it is not signed: drafts stay with the verifier.
    """
    audit = access.audit
    if statement_of(audit) is None:
        raise MissingError
    return statement_answer(access, ending)


@require_GET
@at_audit_of_us
def audit_our_later(request: PersonRequest, access: programme.AuditAccess, number: int) -> HttpResponseBase:
    """Give a signed fact found later to the party the statement is about, who hands both on."""
    return later_file(access, number)
