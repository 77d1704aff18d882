"""The audits of a verifier: which run, which are due, whom to audit next; and its accreditation."""

from datetime import date, timedelta
from typing import Any, Final

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_http_methods

from provender.audit.statement.accreditation import check_accreditation
from provender.audit.statement.audit_cycle import Alert, Entity, Rhythm, rhythm
from provender.audit.statement.statement import Role as AuditRole
from provender.database.models import Audit, Organisation, ReadGrant
from provender.database.store.audit_population import contracted_until, first_handled
from provender.database.store.audits import accreditation_of, roles_of, statement_of, statements_about
from provender.problem import Problem, Weight
from provender.rule.version import rule_version
from provender.services.audits.audits import Opening, open_audit, record_accreditation, today
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.audit.door import check_verifies
from provender.web.audit.forms import AccreditationForm, OpeningForm
from provender.web.deed import attempt
from provender.web.tables import Cell, Column, Table, page_with_tables

CHIPS: Final = {
    Alert.NOT_NEEDED: "plain",
    Alert.ON_TIME: "met",
    Alert.DUE_SOON: "not-shown",
    Alert.NO_CONTRACT: "not-shown",
    Alert.OVERDUE: "not-met",
}


def rhythm_of(party: Organisation, day: date) -> Rhythm:
    """Return how a party stands in the yearly rhythm; of several roles the last in the order of the rule counts."""
    roles = [one for one in roles_of(party) if one is not AuditRole.FARM]
    role = roles[-1] if roles else AuditRole.FARM
    entity = (
        Entity(party.name, role, first_handled(party.handle), contracted_until(party.handle))
        if roles
        else Entity(party.name, role, None)
    )
    return rhythm(entity, [one for _, one in statements_about(party)], day, rule_version(day))


def covered_days(audit: Audit) -> str:
    """Return the covered days for people."""
    return " to ".join(date_format(day, "DATE_FORMAT") for day in (audit.covered_first, audit.covered_last))


def alert_cell(found: Rhythm) -> Cell:
    """Return the verdict as a cell."""
    chip = CHIPS[found.alert]
    return Cell(str(found.alert).capitalize(), chip=chip, note=f"7 CFR {found.cite}" if found.cite else "")


def open_grants(verifier: Organisation, day: date) -> list[ReadGrant]:
    """Return the grants through which the verifier may read today, one per party."""
    grants = verifier.grants_held.select_related("audited").prefetch_related("audited__roles")
    grants = grants.filter(revoked_at=None, first_day__lte=day, last_day__gte=day)
    return list({grant.audited_id: grant for grant in grants.order_by("audited__name", "last_day")}.values())


def _audits(access: Access, day: date) -> Table:
    columns = [
        Column("Audit"),
        Column("Party"),
        Column("As"),
        Column("Covers"),
        Column("Statement due"),
        Column("State"),
    ]
    rows = []
    for audit in Audit.objects.filter(verifier=access.organisation).select_related("audited"):
        where = reverse("audit", args=(access.organisation.handle, audit.handle))
        covers = covered_days(audit)
        rows.append(
            [
                Cell(audit.number, where), Cell(str(audit.audited)), Cell(audit.role), Cell(covers),
                Cell(date_format(audit.due_on, "DATE_FORMAT")), state_cell(audit, day),
            ]
        )  # fmt: skip
    return Table("audits", columns, rows, empty="No audit is open. Open one for a party that lets you in.")


def state_cell(audit: Audit, day: date) -> Cell:
    """Return whether the statement is out, due or overdue."""
    signed = statement_of(audit)
    if signed:
        return Cell(f"Stated: {signed['document']['opinion']}", chip="met")
    if day > audit.due_on:
        return Cell("Overdue", chip="not-met")
    soon = audit.due_on - day <= timedelta(days=14)
    return Cell("Due soon" if soon else "Running", chip="not-shown" if soon else "plain")


def _parties(grants: list[ReadGrant], day: date) -> Table:
    columns = [
        Column("Party"),
        Column("As"),
        Column("Yearly audit"),
        Column("Next statement due"),
        Column("Access ends"),
    ]
    rows = []
    for grant in grants:
        roles = [one for one in roles_of(grant.audited) if one is not AuditRole.FARM]
        if not roles:
            continue
        found = rhythm_of(grant.audited, day)
        due = date_format(found.due_on, "DATE_FORMAT") if found.due_on else ""
        ends = date_format(grant.last_day, "DATE_FORMAT")
        cells = [Cell(str(grant.audited)), Cell(", ".join(roles)), alert_cell(found), Cell(due), Cell(ends)]
        rows.append(cells)
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
    year = day.year - 1
    initial = {"harvest_year": year, "covered_first": date(year, 10, 1), "covered_last": day - timedelta(days=1)}
    form = OpeningForm(grants, request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        made = attempt(form, lambda: _open(access, form))
        if made:
            messages.success(request, f"The audit {made} is open. They see it too.")
            return redirect("audit", access.organisation.handle, made.handle)
    tables = {"audits": _audits(access, day), "parties": _parties(grants, day)}
    shown = accreditation_of(access.organisation)
    context = {"form": form, "accreditation": shown, "against": _against(access, day), "grants": grants}
    return page_with_tables(request, "audit/list.html", tables, context)


def _open(access: Access, form: OpeningForm) -> Audit:
    data: dict[str, Any] = dict(form.cleaned_data)
    audited = form.parties[data.pop("audited")]
    opening = Opening(**{**data, "role": AuditRole(data["role"])})
    return open_audit(access.organisation, audited, opening, actor=access.actor)


def _against(access: Access, day: date) -> list[dict[str, Any]]:
    found = against_accreditation(access.organisation, day)
    return [{**one.as_json(), "place": str(one.place)} for one in found]


def against_accreditation(verifier: Organisation, day: date) -> list[Problem]:
    """Return what stands against the accreditation a verifier shows; nothing where it shows none."""
    shown = accreditation_of(verifier)
    return check_accreditation(shown, day) if shown else []


@require_http_methods(["GET", "POST"])
@of_organisation("read", to_post="manage")
def audit_accreditation(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show the accreditation to ISO 14065; a manager enters it."""
    check_verifies(access.organisation)
    shown = accreditation_of(access.organisation)
    form = AccreditationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        entered = form.shown(access.organisation.name)
        record_accreditation(access.organisation, entered, actor=access.actor)
        weights = [one.weight for one in check_accreditation(entered, today())]
        words = "It does not hold today; see below." if Weight.ERROR in weights else "It holds today."
        messages.success(request, f"Saved. {words}")
        return redirect("audit_accreditation", access.organisation.handle)
    context = {"form": form, "accreditation": shown, "against": _against(access, today())}
    return render(request, "audit/accreditation.html", context)
