"""The audits of a verifier, one of them at a glance, whom to audit next; and its accreditation."""

from datetime import date, timedelta
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from provender.audit.fieldwork import chance_tables, sample_parts, size_table
from provender.audit.findings import Deed, Stage
from provender.audit.programme import Role as AuditRole
from provender.audit.sampling.draw import Side
from provender.audit.sampling.population import Population
from provender.audit.statement.statement import STANDARD, Alert, Certificate, Rhythm, check_accreditation
from provender.catalog.places import county_said
from provender.database.actor import today
from provender.database.choices import Area, Role
from provender.exact import CI_SCALE, show
from provender.paper.tables import Cell, Column, Table, heads, numeric
from provender.problem import Weight
from provender.services.accounts.access import Access
from provender.services.accounts.grants import open_grants
from provender.services.audits import audits, programme, sample, standing
from provender.services.audits.package_requests import standings_of
from provender.services.audits.packages import MADE_BY_SERVER
from provender.services.audits.programme import AuditAccess, answer_finding, with_changes
from provender.services.audits.programme import audits_of_us as audits_of
from provender.services.audits.sample import commit_part, may_commit, may_open, notes_of_draw, open_part
from provender.services.refused import MissingError, refusal
from provender.signing.canonical import canonical_json, read_json
from provender.web.access import PersonRequest, of_organisation
from provender.web.audit import forms as audit_forms
from provender.web.audit.pages.programme import (
    finding_cells,
    findings_table,
    later_file,
    stage_cell,
    statement_answer,
    statement_context,
    texts_of,
)
from provender.web.inputs import attempt
from provender.web.tables import JSON, download, page_with_tables

_CHIPS: Final = {
    Alert.NOT_NEEDED: "plain",
    Alert.ON_TIME: "met",
    Alert.DUE_SOON: "not-shown",
    Alert.NO_CONTRACT: "not-shown",
    Alert.OVERDUE: "not-met",
}


_STATES: Final = {"Past the agreed day": "not-met", "Agreed day is near": "not-shown", "Running": "plain"}
"""The chip of an audit's state; one whose statement is out has another."""


def _alert_cell(cycle: Rhythm) -> Cell:
    """Return how a party stands in the yearly cycle as a cell."""
    note = f"7 CFR {cycle.cite}" if cycle.cite else ""
    return Cell(str(cycle.alert).capitalize(), chip=_CHIPS[cycle.alert], note=note)


def _audits(access: Access, day: date) -> Table:
    columns = heads("Audit", "Party", "As", "Covers", "Statement agreed for", "State")
    rows = []
    for audit in programme.audits_led(access.organisation):
        where = reverse("audit", args=(access.organisation.handle, audit.handle))
        days = standing.days_of(audit, standing.cycle_of(audit.audited, day), day)
        rows.append(
            [
                Cell(audit.number, where), Cell(str(audit.audited)), Cell(audit.role), Cell(days.covers),
                _agreed_cell(days), _state_cell(standing.state_of(audit, day)),
            ]
        )  # fmt: skip
    return Table("audits", columns, rows, empty="No audit is open. Open one for a party that lets you in.")


def _agreed_cell(days: standing.AuditDays) -> Cell:
    """Return for which day a statement is agreed, and how many days after the rule's last day that is."""
    return Cell(days.agreed, note=days.late)


def _state_cell(state: str) -> Cell:
    """Return whether the statement is out, or how the day agreed for it stands."""
    return Cell(state, chip=_STATES.get(state, "met"))


def _parties(parties: list[standing.PartyView]) -> Table:
    columns = heads("Party", "As", "Yearly audit", "Yearly statement due by the rule", "Access ends")
    rows = []
    for party in parties:
        if party.rhythm is None:
            continue
        due, ends = standing.rule_said(party.rhythm), standing.day_said(party.access_until)
        roles = ", ".join(role for role in party.roles if role is not AuditRole.FARM)
        rows.append([Cell(party.name), Cell(roles), _alert_cell(party.rhythm), Cell(due), Cell(ends)])
    return Table(
        "parties", columns, rows, empty="No elevator, processor or refiner lets you in today. Give them your code."
    )


@require_http_methods(["GET", "POST"])
@of_organisation("read")
def list_audits(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List the audits of a verifier and the yearly rhythm of whoever lets it in; open an audit."""
    programme.check_verifies(access.organisation)
    day = today()
    grants = open_grants(access.organisation, day)
    parties = [standing.party_view(grant, day) for grant in grants]
    year = day.year - 1
    initial = {"harvest_year": year, "covered_first": date(year, 10, 1), "covered_last": day - timedelta(days=1)}
    form = audit_forms.opening_form(parties, request.POST or None, initial)
    if request.method == "POST" and form.is_valid():
        opening = audits.read_said(audits.AuditToOpen, form.said, "audit")
        audited = programme.party_to_audit(access.organisation, opening.audited)
        made = attempt(form, lambda: audits.open_audit(access.organisation, audited, opening, actor=access.actor))
        if made:
            messages.success(request, f"The audit {made} is open. They see it too.")
            return redirect("audit", access.organisation.handle, made.handle)
    tables = {"audits": _audits(access, day), "parties": _parties(parties)}
    shown = audits.accreditation_of(access.organisation)
    context = {
        "form": form,
        "accreditation": shown,
        "against": audits.accreditation_view(access.organisation, today()).against,
        "grants": grants,
    }
    return page_with_tables(request, "audit/list.html", tables, context)


@require_http_methods(["GET", "POST"])
@of_organisation("read", to_post="manage", areas=(Area.ACCREDITATION,))
def audit_accreditation(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show the accreditation to ISO 14065; a manager enters it."""
    programme.check_verifies(access.organisation)
    shown = audits.accreditation_of(access.organisation)
    one_each, said = ("memberships", "suspended"), {"standard": f"{STANDARD}:2020"}
    form = audit_forms.DeclaredForm(Certificate, request.POST or None, single=one_each, said=said)
    form.fields["scope"].required = True
    entered = None
    if request.method == "POST" and form.is_valid():
        keep = audits.state_accreditation
        entered = attempt(form, lambda: keep(access.organisation, form.said, actor=access.actor))
    if entered is not None:
        weights = [one.weight for one in check_accreditation(entered, today())]
        words = "It does not hold today; see below." if Weight.ERROR in weights else "It holds today."
        messages.success(request, f"Saved. {words}")
        return redirect("audit_accreditation", access.organisation.handle)
    context = {
        "form": form,
        "accreditation": shown,
        "against": audits.accreditation_view(access.organisation, today()).against,
    }
    return render(request, "audit/accreditation.html", context)


_MARKS: Final = {True: ("met", "check"), False: ("not-shown", "question"), None: ("plain", "")}


def _step(access: programme.AuditAccess, step: standing.AuditStep) -> dict[str, str]:
    chip, icon = _MARKS[step.done]
    href = reverse(audit_forms.PAGES[step.step], args=(access.organisation.handle, access.audit.handle))
    return {"label": step.step, "href": href, "words": step.stands, "chip": chip, "icon": icon}


@require_GET
@audit_forms.at_audit_led
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
        "state": _state_cell(standing.state_of(audit, day)),
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
    columns = heads("Audit", "Verifier", "Covers", "Statement agreed for", numeric("Findings open"), "State")
    rows = []
    for audit in audits_of(access.organisation):
        where = reverse("audit_of_us", args=(access.organisation.handle, audit.handle))
        left = len(standing.unresolved(audits.findings_of(audit)))
        days = standing.days_of(audit, standing.cycle_of(audit.audited, day), day)
        rows.append(
            [
                Cell(audit.number, where),
                Cell(str(audit.verifier)),
                Cell(days.covers),
                _agreed_cell(days),
                Cell(str(left)),
                _state_cell(standing.state_of(audit, day)),
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
    context: dict[str, object] = {"rhythm": rhythm, "alert": _alert_cell(rhythm) if rhythm else None}
    if rhythm:
        context["days"] = standing.yearly_said(rhythm)
    return page_with_tables(request, "audit/ours.html", tables, context)


def _naming_us(access: Access) -> Table | None:
    """Return the findings of others' audits that the organisation must answer, or None; of those audits nothing."""
    columns = heads("No.", "Weight", "What was found", "Verifier", "Due", "State")
    rows = []
    for audit, one in programme.findings_naming(access.organisation):
        cells = finding_cells(one, "audit_of_us_finding", access.organisation.handle, audit.handle)
        rows.append([*cells[:3], Cell(str(audit.verifier)), *cells[3:]])
    return Table("findings that name us", columns, rows) if rows else None


@require_http_methods(["GET", "POST"])
@audit_forms.at_audit_of_us
def audit_ours(request: PersonRequest, access: programme.AuditAccess) -> HttpResponseBase:
    """Show one audit of the organisation: findings to answer, and the statement it keeps."""
    audit = access.audit
    tables = {"findings": findings_table(access, "audit_of_us_finding")}
    opening = "secret" in request.POST
    form = audit_forms.DeclaredForm(audits.PartOpened if opening else audits.Committed, request.POST or None)

    def give() -> object:
        if opening:
            return open_part(audit, form.cleaned_data["secret"], actor=access.actor)
        return commit_part(audit, Side.AUDITED, form.cleaned_data["commitment"], actor=access.actor)

    if request.method == "POST" and form.is_valid() and attempt(form, give) is not None:
        messages.success(request, "Your part of the seed is open." if opening else "Your commitment is taken.")
        return redirect("audit_of_us", access.organisation.handle, audit.handle)
    context = {"audit": audit, "state": _state_cell(standing.state_of(audit, today())), **statement_context(access)}
    context["days"] = standing.days_of(audit, standing.cycle_of(audit.audited, today()), today())
    sampled = audit.role == AuditRole.FIRST_POINT
    may = {"commit": may_commit(audit, Side.AUDITED), "open": may_open(audit)} if sampled else {}
    context |= {
        # Where nothing can be given any more no form stands there to tell why.
        "refused": () if may.get("open" if opening else "commit") else form.non_field_errors(),
        "commit": audit_forms.DeclaredForm(audits.Committed) if opening else form,
        "open": form if opening else audit_forms.DeclaredForm(audits.PartOpened),
        "seed": may,
        "drawn": sampled and audits.is_drawn(audit),
        "notes": notes_of_draw(audit) if sampled else (),
    }
    return page_with_tables(request, "audit/our.html", tables, context)


@require_http_methods(["GET", "POST"])
@audit_forms.at_audit_to_answer
def audit_our_finding(request: PersonRequest, access: programme.AuditAccess, number: str) -> HttpResponseBase:
    """Show a finding to the audited party, or to the party it names; either answers it."""
    audit, reader = access.audit, access.organisation
    one, events = programme.finding_seen(reader, audit, number)
    whole = reader == audit.audited
    files = reader.roles.filter(role=Role.FARM).exists()
    form = audit_forms.DeedForm(Deed.RESPONDED, request.POST or None, files=files)
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
@audit_forms.at_audit_of_us
def audit_our_statement(request: PersonRequest, access: programme.AuditAccess, ending: str) -> HttpResponseBase:
    """Give the signed statement to the party it is about.

    Raises:
        MissingError: it is not signed: drafts stay with the verifier.
    """
    audit = access.audit
    if audits.statement_of(audit) is None:
        raise MissingError
    return statement_answer(access, ending)


@require_GET
@audit_forms.at_audit_of_us
def audit_our_later(request: PersonRequest, access: programme.AuditAccess, number: int) -> HttpResponseBase:
    """Give a signed fact found later to the party the statement is about, who hands both on."""
    return later_file(access, number)


# The farm sample: farms frozen and hashed, then the seed, then the draw; decisions about drawn farms.

PROOF: Final = ("statement", "sample")
_MAX_PROOF: Final = 2**22
"""Bytes; no sample file of a point is larger, and to read one takes 30 times as much memory."""
_FORMS: Final = {
    "commit": audits.Committed,
    "draw": audits.SeedOpened,
    "treatment": audits.Borrowed,
    "failure": audits.Failed,
}


@require_http_methods(["GET", "POST"])
@audit_forms.at_audit_sampled
def audit_sample(request: PersonRequest, access: AuditAccess) -> HttpResponseBase:
    """Show the frozen farms and the draw; POST ``do`` freezes, draws or decides."""
    audit = access.audit
    asked = request.POST.get("do", "")
    made = _forms(access, request, asked)
    form = forms.Form()
    if request.method == "POST":
        if asked not in {"freeze", *made}:
            raise refusal("deed_unknown", f"The page knows no deed {asked[:40]!r}.", "Use one of its buttons.")
        form = made[asked] if asked in made else forms.Form(request.POST)
        entry = attempt(form, lambda: _do(request, access, asked, made.get(asked))) if form.is_valid() else None
        if entry is not None:
            return redirect("audit_sample", access.organisation.handle, audit.handle)
    population = audits.population_of(audit)
    tables: dict[str, Table] = {"farms": _farms(population)} if population else {}
    context: dict[str, Any] = {"audit": audit, "forms": {"freeze": form, **made}, "population": population}
    context["may_commit"] = sample.may_commit(audit, Side.VERIFIER)
    context["notes"] = sample.notes_of_draw(audit)
    context["brought"] = audits.proofs_for(audit) if population is None else ()
    if population:
        least = sample.population_view(population)
        context |= {
            "minimum": least.minimum,
            "detection_ahead": least.detection,
            "freezing": sample.freezing_hash(audit),
        }
    if audits.is_drawn(audit):
        document = audits.sample_of(audit)
        context["sample"] = document
        tables |= _drawn(access, document, population)
    return page_with_tables(request, "audit/sample.html", tables, context)


def _forms(access: AuditAccess, request: PersonRequest, asked: str) -> dict[str, forms.Form]:
    data = request.POST if request.method == "POST" else None
    drawn = audits.drawn_farms(access.audit)
    names = sample.names_of(drawn)
    farms = {"farm": [("", "Choose"), *((one, f"{names.get(one, one)} ({one})") for one in drawn)]}
    made: dict[str, forms.Form] = {
        name: audit_forms.DeclaredForm(cls, data if name == asked else None, offers=farms, auto_id=f"id_{name}_%s")
        for name, cls in _FORMS.items()
    }
    return {
        **made,
        "proof": audit_forms.ProofForm(data, request.FILES) if asked == "proof" else audit_forms.ProofForm(),
    }


def _do(request: PersonRequest, access: AuditAccess, asked: str, form: forms.Form | None) -> object:
    audit = access.audit
    if isinstance(form, audit_forms.ProofForm):
        files = {name: form.cleaned_data[name].read(_MAX_PROOF + 1) for name in PROOF}
        shown = [read_json(content, file=name, max_bytes=_MAX_PROOF) for name, content in files.items()]
        entry = sample.bring_proof(audit, *shown, actor=access.actor)
        messages.success(request, "The proof counts when the farms are frozen.")
        return entry
    if not isinstance(form, audit_forms.DeclaredForm):
        audits.record_visit(audit, [audit.audited], audit_forms.view_of(request), actor=access.actor)
        entry = sample.freeze_farms(audit, actor=access.actor)
        population = audits.population_of(audit)
        frozen = {row.farm_id for row in population.rows} if population else ()
        messages.success(request, f"Farms frozen: {len(frozen)}. Now the seed is opened.")
        return entry
    said: object = audits.read_said(_FORMS[asked], form.said, "sample")
    by, words = access.actor, ""
    match said:
        case audits.Committed():
            entry = sample.commit_part(audit, Side.VERIFIER, said.commitment, actor=by)
            words = "Your commitment counts from the next freezing on."
        case audits.SeedOpened():
            entry = sample.commit_seed(audit, said, actor=by)
            words = f"Farms drawn: {len(audits.drawn_farms(audit))}."
        case audits.Borrowed():
            entry = sample.borrow_audit(audit, said, actor=by)
        case audits.Failed():
            entry = sample.fail_farm(audit, said, actor=by)
    messages.success(request, words or "The decision stands in the sample, with your name.")
    return entry


def _farms(population: Population) -> Table:
    names = sample.names_of([farm.farm_id for farm in population.farms])
    columns = heads("Farm", "Crop", "County", numeric("Bushels here"), numeric("CI (g CO2e/bu)"), numeric("Acres"))
    rows = [
        [
            Cell(names.get(one.farm_id, one.farm_id), note=one.farm_id), Cell(one.crop),
            Cell(county_said(one.county_fips), saved=one.county_fips),
            Cell(show(one.bushels, group=True)), Cell(show(one.ci_g_per_bu, CI_SCALE, group=True)),
            Cell(show(one.acres)),
        ]
        for one in population.rows
    ]  # fmt: skip
    return Table("farms", columns, rows, caption="Farms behind the incoming lots, as frozen")


def _drawn(access: AuditAccess, document: dict[str, Any], population: Population | None) -> dict[str, Table]:
    audit = access.audit
    labels = ("Farm", "County", "Stratum", "Why", "Risk", "Signs of risk", "Decision", "Access")
    columns = [Column(label) for label in labels]
    why = {farm: part.brief for part in sample_parts(document) for farm in part.farms}
    counties = {one.farm_id: one.county_fips for one in population.rows} if population else {}
    rows = []
    for farm in sample.drawn_farm_views(audit):
        risk, own = farm.risk, farm.decision
        parts = "; ".join(f"{part['reason']} ({part['points']} points)" for part in risk["parts"]) or "no sign"
        decision = Cell("Visit")
        if own:
            decision = Cell(f"{own['extent'].capitalize()}: {own['reason']}", note=own["borrowed_audit"])
        lets_in = Cell("Open", chip="met") if farm.lets_in else Cell("Not let in", chip="not-shown")
        # Whom its farm does not let in has nowhere to go: the name is a link only where it opens.
        where = reverse("organisation", args=(farm.farm,)) if farm.lets_in else ""
        fips = counties.get(farm.farm, "")
        county = Cell(county_said(fips), saved=fips) if fips else Cell("")
        cells = [Cell(farm.name, where, note=farm.farm), county, Cell(farm.stratum), Cell(why.get(farm.farm, ""))]
        cells.append(Cell(f"{risk['score']} {risk['band']}"))
        rows.append([*cells, Cell(parts), decision, lets_in])
    drawn = Table("drawn farms", columns, rows, caption="Farms of the sample")
    size = size_table(document, sample.names_of(document["sample"]))
    return {"drawn": drawn, "size": size, **chance_tables(document)}


@require_GET
@audit_forms.at_audit_sampled
def audit_sample_file(request: PersonRequest, access: AuditAccess) -> HttpResponseBase:
    """Give the file from which anybody can draw the sample again.

    Raises:
        MissingError: nothing is drawn.
    """
    audit = access.audit
    if not audits.is_drawn(audit):
        raise MissingError
    return download(canonical_json(audits.sample_of(audit)), JSON, f"sample-{audit.handle}.json")
