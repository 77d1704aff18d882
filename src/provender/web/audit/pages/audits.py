"""The audits of a verifier, one of them at a glance, whom to audit next; and its accreditation."""

from datetime import date, timedelta
from typing import Any, Final

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from provender.audit.programme.items import Role as AuditRole
from provender.audit.statement.accreditation import check_accreditation
from provender.audit.statement.audit_cycle import Alert
from provender.database.actor import today
from provender.database.choices import Area
from provender.problem import Weight
from provender.services.accounts.grants import open_grants
from provender.services.audits.audits import Opening, open_audit, record_accreditation
from provender.services.audits.days_said import AuditDays, day_said, days_of, rule_said
from provender.services.audits.latest import happened
from provender.services.audits.lookup import AuditAccess, audits_led, check_verifies, party_to_audit
from provender.services.audits.package_requests import standings_of
from provender.services.audits.packages import MADE_BY_SERVER
from provender.services.audits.standing import (
    AuditStep,
    CycleView,
    PartyView,
    cycle_of,
    next_step,
    party_view,
    standing_of,
    state_of,
)
from provender.services.audits.verifier import accreditation_shown, accreditation_view
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.audit.door import at_audit_led
from provender.web.audit.forms import AccreditationForm, OpeningForm
from provender.web.inputs import attempt
from provender.web.tables import Cell, Column, Table, page_with_tables

CHIPS: Final = {
    Alert.NOT_NEEDED: "plain",
    Alert.ON_TIME: "met",
    Alert.DUE_SOON: "not-shown",
    Alert.NO_CONTRACT: "not-shown",
    Alert.OVERDUE: "not-met",
}


STATES: Final = {"Past the agreed day": "not-met", "Agreed day is near": "not-shown", "Running": "plain"}
"""The chip of an audit's state; one whose statement is out has another."""


def alert_cell(cycle: CycleView) -> Cell:
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
    for audit in audits_led(access.organisation):
        where = reverse("audit", args=(access.organisation.handle, audit.handle))
        days = days_of(audit, cycle_of(audit.audited, day), day)
        rows.append(
            [
                Cell(audit.number, where), Cell(str(audit.audited)), Cell(audit.role), Cell(days.covers),
                agreed_cell(days), state_cell(state_of(audit, day)),
            ]
        )  # fmt: skip
    return Table("audits", columns, rows, empty="No audit is open. Open one for a party that lets you in.")


def agreed_cell(days: AuditDays) -> Cell:
    """Return for which day a statement is agreed, and how many days after the rule's last day that is."""
    return Cell(days.agreed, note=days.late)


def state_cell(state: str) -> Cell:
    """Return whether the statement is out, or how the day agreed for it stands."""
    return Cell(state, chip=STATES.get(state, "met"))


def _parties(parties: list[PartyView]) -> Table:
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
        due, ends = rule_said(party.rhythm), day_said(party.access_until)
        roles = ", ".join(role for role in party.roles if role is not AuditRole.FARM)
        rows.append([Cell(party.name), Cell(roles), alert_cell(party.rhythm), Cell(due), Cell(ends)])
    return Table(
        "parties", columns, rows, empty="No elevator, processor or refiner lets you in today. Give them your code."
    )


@require_http_methods(["GET", "POST"])
@of_organisation("read")
def audits(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List the audits of a verifier and the yearly rhythm of whoever lets it in; open an audit."""
    check_verifies(access.organisation)
    day = today()
    grants = open_grants(access.organisation, day)
    parties = [party_view(grant, day) for grant in grants]
    year = day.year - 1
    initial = {"harvest_year": year, "covered_first": date(year, 10, 1), "covered_last": day - timedelta(days=1)}
    form = OpeningForm(parties, request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        data: dict[str, Any] = dict(form.cleaned_data)
        audited = party_to_audit(access.organisation, data.pop("audited"))
        opening = Opening(**{**data, "role": AuditRole(data["role"])})
        made = attempt(form, lambda: open_audit(access.organisation, audited, opening, actor=access.actor))
        if made:
            messages.success(request, f"The audit {made} is open. They see it too.")
            return redirect("audit", access.organisation.handle, made.handle)
    tables = {"audits": _audits(access, day), "parties": _parties(parties)}
    shown = accreditation_shown(access.organisation)
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
    check_verifies(access.organisation)
    shown = accreditation_shown(access.organisation)
    form = AccreditationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        entered = form.shown(access.organisation.name)
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


PAGES: Final = {
    "Engagement": "audit_engagement",
    "Farm sample": "audit_sample",
    "Work program": "audit_work",
    "Packages and recomputation": "audit_package",
    "Findings": "audit_findings",
    "Statement": "audit_statement",
}
MARKS: Final = {True: ("met", "check"), False: ("not-shown", "question"), None: ("plain", "")}


def _step(access: AuditAccess, step: AuditStep) -> dict[str, str]:
    """Return a step as its link and its mark."""
    chip, icon = MARKS[step.done]
    href = reverse(PAGES[step.step], args=(access.organisation.handle, access.audit.handle))
    return {"label": step.step, "href": href, "words": step.stands, "chip": chip, "icon": icon}


@require_GET
@at_audit_led
def audit(request: PersonRequest, access: AuditAccess) -> HttpResponseBase:
    """Show how an audit stands; what was recomputed meanwhile is entered."""
    audit = access.audit
    standings_of(audit)
    day = today()
    standing = standing_of(audit, day)
    coming, cycle = next_step(standing.steps), cycle_of(audit.audited, day)
    context = {
        "audit": audit,
        "steps": [_step(access, step) for step in standing.steps],
        "next": _step(access, coming) if coming else None,
        "state": state_cell(state_of(audit, day)),
        "standing": standing,
        "rhythm": cycle,
        "days": days_of(audit, cycle, day),
        "by_server": MADE_BY_SERVER,
        "entries": [(one, happened(one)) for one in audit.entries.select_related("actor").order_by("-number")[:8]],
    }
    return render(request, "audit/home.html", context)
