"""The farm sample: farms frozen and hashed, then the seed, then the draw; decisions about drawn farms."""

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods

from provender.audit.detection import table
from provender.audit.extension import Failure
from provender.audit.minimum import minimum_farms
from provender.audit.population import Population
from provender.audit.sampling import Request, draw_sample
from provender.audit.statement import Role as AuditRole
from provender.audit.treatment import Extent, Treatment
from provender.database.audit_population import population_from_lots
from provender.database.audits import data_of, last, open_to, population_of
from provender.database.deeds.actor import Actor
from provender.database.deeds.audits import do_add_entry
from provender.database.models import Audit, AuditEntry, EntryKind, Organisation
from provender.problem import refuse
from provender.quantity import CI_SCALE, show
from provender.signing.canonical import canonical_json
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.pages.audit_door import audit_led, visit
from provender.web.pages.audit_draw import audited_before, drawn_farms, sample_of, with_decisions
from provender.web.pages.audit_forms import DrawForm, FailureForm, TreatmentForm, today
from provender.web.pages.deed import attempt
from provender.web.tables import Cell, Column, Table, page_with_tables

FORMS: Final = {"draw": DrawForm, "treatment": TreatmentForm, "failure": FailureForm}


def _names(handles: list[str]) -> dict[str, str]:
    return dict(Organisation.objects.filter(handle__in=handles).values_list("handle", "name"))


@require_http_methods(["GET", "POST"])
@of_organisation("read")
def audit_sample(request: PersonRequest, access: Access, audit: str) -> HttpResponseBase:
    """Show the frozen farms and the draw; POST ``do`` freezes, draws or decides."""
    found = _sampled(access, audit)
    asked = request.POST.get("do", "")
    made = _forms(found, request.POST if request.method == "POST" else None, asked)
    if request.method == "POST":
        form = made.get(asked) or forms.Form(request.POST)
        entry = attempt(form, lambda: _do(request, access, found, asked, form)) if form.is_valid() else None
        if entry is not None:
            return redirect("audit_sample", access.organisation.handle, found.handle)
        made.setdefault("freeze", form)
    population = population_of(found)
    tables: dict[str, Table] = {"farms": _farms(population)} if population else {}
    context: dict[str, Any] = {"audit": found, "forms": made, "population": population}
    if population:
        context["minimum"] = minimum_farms(len(population.farms))
        context["detection_ahead"] = table(len(population.farms), context["minimum"])
    if last(found, EntryKind.SEED):
        document = sample_of(found)
        context["sample"] = document
        tables |= _drawn(found, document)
    return page_with_tables(request, "audit/sample.html", tables, context)


def _sampled(access: Access, handle: str) -> Audit:
    """Return an audit whose farms are sampled.

    Raises:
        Http404: there is no such audit, or the party is no first point of aggregation.
    """
    found = audit_led(access, handle)
    if found.role != AuditRole.FIRST_POINT:
        raise Http404
    return found


def _forms(audit: Audit, data: Any, asked: str) -> dict[str, forms.Form]:  # noqa: ANN401 - Django's
    made: dict[str, forms.Form] = {name: kind(data if name == asked else None) for name, kind in FORMS.items()}
    drawn = drawn_farms(audit)
    names = _names(drawn)
    for form, name in ((made["treatment"], "farm_id"), (made["failure"], "failed")):
        field = form.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = [(one, f"{names.get(one, one)} ({one})") for one in drawn]
    return made


def _do(request: PersonRequest, access: Access, audit: Audit, asked: str, form: forms.Form) -> AuditEntry:
    if asked == "freeze":
        visit(request, access, audit)
        entry = freeze_population(audit, actor=access.actor)
        frozen = {row["farm_id"] for row in data_of(entry)["rows"]}
        messages.success(request, f"Farms frozen: {len(frozen)}. Now commit a seed.")
        return entry
    data = form.cleaned_data
    if asked == "draw":
        entry = commit_seed(audit, data["seed"].strip(), data["size"], actor=access.actor)
        messages.success(request, f"Farms drawn: {len(drawn_farms(audit))}.")
        return entry
    if asked == "treatment":
        read: dict[str, Any] = {**data, "extent": Extent(data["extent"]), "year": audit.harvest_year}
        treatment = Treatment(**read, decided_by=str(request.user), decided_on=today())
        with_decisions(audit, treatment=treatment)
        document, kind = treatment.document(), EntryKind.TREATMENT
    else:
        failure = Failure(data["failed"], data["reason"], str(request.user), today(), data["more"])
        with_decisions(audit, failure=failure)
        document, kind = failure.document(), EntryKind.FAILURE
    messages.success(request, "The decision stands in the sample, with your name.")
    return do_add_entry(audit, kind, document, actor=access.actor, about=document["farm_id"])


def freeze_population(audit: Audit, *, actor: Actor) -> AuditEntry:
    """Freeze and hash the farms behind the audited party's incoming lots; until the seed they may be frozen anew.

    Raises:
        ProblemsError: the seed is committed, or no farm delivered.
    """
    if last(audit, EntryKind.SEED):
        raise refuse("farms", "The seed is committed: these farms stay.", "Open another audit.", cite="2100.040(a)(3)")
    frozen = population_from_lots(audit)
    rows = {"rows": [row.document() for row in frozen.rows], "sha256": frozen.sha256, "source": "incoming lots"}
    about = f"{len(frozen.farms)} farms, {frozen.sha256[:12]}"
    return do_add_entry(audit, EntryKind.POPULATION, rows, actor=actor, about=about)


def commit_seed(audit: Audit, seed: str, size: int | None, *, actor: Actor) -> AuditEntry:
    """Commit the seed, once, and draw the sample.

    Raises:
        ProblemsError: no farms are frozen, a seed is committed already, or seed or size cannot be.
    """
    population = population_of(audit)
    if population is None or last(audit, EntryKind.SEED):
        cause = "A seed is committed once, after the farms are frozen."
        raise refuse("seed", cause, "Open another audit for another draw.", cite="2100.040(a)(3)")
    before = audited_before(audit)
    drawn = draw_sample(Request(population, seed, before, size))
    said = {
        "seed": seed,
        "size": size,
        "sha256": population.sha256,
        "audited_before": {farm: list(years) for farm, years in before.items()},
    }
    about = f"{len(drawn.farm_ids)} farms, seed {seed}"
    return do_add_entry(audit, EntryKind.SEED, said, actor=actor, about=about)


def _farms(population: Population) -> Table:
    names = _names([farm.farm_id for farm in population.farms])
    columns = [
        Column("Farm"), Column("Crop"), Column("County"), Column("Bushels here", number=True),
        Column("CI (g CO2e/bu)", number=True), Column("Acres", number=True),
    ]  # fmt: skip
    rows = [
        [
            Cell(names.get(one.farm_id, one.farm_id), note=one.farm_id), Cell(one.crop), Cell(one.county_fips),
            Cell(show(one.bushels, group=True)), Cell(show(one.ci_g_per_bu, CI_SCALE, group=True)),
            Cell(show(one.acres)),
        ]
        for one in population.rows
    ]  # fmt: skip
    return Table("farms", columns, rows, caption="Farms behind the incoming lots, as frozen")


def _drawn(audit: Audit, document: dict[str, Any]) -> dict[str, Table]:
    farms: list[str] = document["sample"]
    names, grants = _names(farms), open_to(audit.verifier, farms, today())
    risks = {one["farm_id"]: one for one in document["risk"]}
    decided = {one["farm_id"]: one for one in document["treatments"]}
    strata = {farm: one["name"] for one in document["strata"] for farm in [*one["sample"], *one["next_in_line"]]}
    columns = [Column("Farm"), Column("Stratum"), Column("Risk"), Column("Why"), Column("Decision"), Column("Access")]
    rows = []
    for farm in farms:
        risk, own = risks[farm], decided.get(farm)
        parts = "; ".join(f"{one['points']} {one['reason']}" for one in risk["parts"]) or "no sign"
        decision = (
            Cell(f"{own['extent'].capitalize()}: {own['reason']}", note=own["borrowed_audit"]) if own else Cell("Visit")
        )
        access = Cell("Open", chip="met") if farm in grants else Cell("Not let in", chip="not-shown")
        cells = [Cell(names.get(farm, farm), note=farm), Cell(strata[farm]), Cell(f"{risk['score']} {risk['band']}")]
        rows.append([*cells, Cell(parts), decision, access])
    return {
        "drawn": Table("drawn farms", columns, rows, caption="Farms of the sample"),
        "strata": _strata(document),
        "chances": _chances(document["detection"]),
    }


def _strata(document: dict[str, Any]) -> Table:
    columns = [
        Column("Stratum"),
        Column("Farms", number=True),
        Column("Drawn", number=True),
        Column("Chance of a farm"),
    ]
    rows = []
    for one in document["strata"]:
        chance = "; ".join(f"{name.replace('_', ' ')} {value}" for name, value in one["chance"].items())
        rows.append([Cell(one["name"]), Cell(str(one["farms"])), Cell(str(len(one["sample"]))), Cell(chance)])
    return Table("strata", columns, rows, caption="Strata")


def _chances(lines: list[dict[str, Any]]) -> Table:
    columns = [
        Column("Farms that do not conform"), Column("Share", number=True), Column("The sample finds one", number=True),
        Column("It misses all", number=True),
    ]  # fmt: skip
    rows = [
        [
            Cell(str(one["non_conforming_farms"])), Cell(f"{one['share_pct']} %"), Cell(one["chance_found"]),
            Cell(one["chance_missed"]),
        ]
        for one in lines
    ]  # fmt: skip
    return Table("chances", columns, rows, caption="What the sample can find")


@require_GET
@of_organisation("read")
def audit_sample_file(request: PersonRequest, access: Access, audit: str) -> HttpResponseBase:
    """Give the file from which anybody can draw the sample again.

    Raises:
        Http404: nothing is drawn.
    """
    found = _sampled(access, audit)
    if last(found, EntryKind.SEED) is None:
        raise Http404
    response = HttpResponse(canonical_json(sample_of(found)), content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="sample-{found.handle}.json"'
    return response
