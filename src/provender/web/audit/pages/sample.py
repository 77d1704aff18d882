"""The farm sample: farms frozen and hashed, then the seed, then the draw; decisions about drawn farms."""

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from provender.audit.sampling.population import Population
from provender.audit.sampling.seed import Side
from provender.catalog.places import county_said
from provender.exact import CI_SCALE, show
from provender.paper.tables import Cell, Column, Table
from provender.problem import counted
from provender.services.audits import records, sample
from provender.services.audits.audits import record_visit
from provender.services.audits.deeds import Borrowed, Committed, Failed, SeedOpened, read_said
from provender.services.audits.programme import AuditAccess
from provender.services.audits.sample import sample_parts
from provender.services.refused import MissingError, refusal
from provender.signing.canonical import canonical_json, read_json
from provender.web.access import PersonRequest
from provender.web.audit.access import at_audit_sampled, view_of
from provender.web.audit.forms import DeclaredForm, ProofForm
from provender.web.inputs import attempt
from provender.web.tables import JSON, download, page_with_tables

SHARE: Final = "share_of_weight"
MIRRORED: Final = {
    "crop": "Crop", "size": "Size", "risk": "Risk", "state": "State", "county": "County", "last_audit": "Last audit",
}  # fmt: skip
PROOF: Final = ("statement", "sample")
MAX_PROOF: Final = 2**22
"""Bytes; no sample file of a point is larger, and to read one takes 30 times as much memory."""
FORMS: Final = {"commit": Committed, "draw": SeedOpened, "treatment": Borrowed, "failure": Failed}


@require_http_methods(["GET", "POST"])
@at_audit_sampled
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
    population = records.population_of(audit)
    tables: dict[str, Table] = {"farms": _farms(population)} if population else {}
    context: dict[str, Any] = {"audit": audit, "forms": {"freeze": form, **made}, "population": population}
    context["may_commit"] = sample.may_commit(audit, Side.VERIFIER)
    context["notes"] = sample.notes_of_draw(audit)
    context["brought"] = records.proofs_for(audit) if population is None else ()
    if population:
        least = sample.population_view(population)
        context |= {
            "minimum": least.minimum,
            "detection_ahead": least.detection,
            "freezing": sample.freezing_hash(audit),
        }
    if records.is_drawn(audit):
        document = records.sample_of(audit)
        context["sample"] = document
        tables |= _drawn(access, document, population)
    return page_with_tables(request, "audit/sample.html", tables, context)


def _forms(access: AuditAccess, request: PersonRequest, asked: str) -> dict[str, forms.Form]:
    data = request.POST if request.method == "POST" else None
    drawn = records.drawn_farms(access.audit)
    names = sample.names_of(drawn)
    farms = {"farm": [("", "Choose"), *((one, f"{names.get(one, one)} ({one})") for one in drawn)]}
    made: dict[str, forms.Form] = {
        name: DeclaredForm(cls, data if name == asked else None, offers=farms, auto_id=f"id_{name}_%s")
        for name, cls in FORMS.items()
    }
    return {**made, "proof": ProofForm(data, request.FILES) if asked == "proof" else ProofForm()}


def _do(request: PersonRequest, access: AuditAccess, asked: str, form: forms.Form | None) -> object:
    audit = access.audit
    if isinstance(form, ProofForm):
        files = {name: form.cleaned_data[name].read(MAX_PROOF + 1) for name in PROOF}
        shown = [read_json(content, file=name, max_bytes=MAX_PROOF) for name, content in files.items()]
        entry = sample.bring_proof(audit, *shown, actor=access.actor)
        messages.success(request, "The proof counts when the farms are frozen.")
        return entry
    if not isinstance(form, DeclaredForm):
        record_visit(audit, [audit.audited], view_of(request), actor=access.actor)
        entry = sample.freeze_farms(audit, actor=access.actor)
        population = records.population_of(audit)
        frozen = {row.farm_id for row in population.rows} if population else ()
        messages.success(request, f"Farms frozen: {len(frozen)}. Now the seed is opened.")
        return entry
    said: object = read_said(FORMS[asked], form.said, "sample")
    by, words = access.actor, ""
    match said:
        case Committed():
            entry = sample.commit_part(audit, Side.VERIFIER, said.commitment, actor=by)
            words = "Your commitment counts from the next freezing on."
        case SeedOpened():
            entry = sample.commit_seed(audit, said, actor=by)
            words = f"Farms drawn: {len(records.drawn_farms(audit))}."
        case Borrowed():
            entry = sample.borrow_audit(audit, said, actor=by)
        case Failed():
            entry = sample.fail_farm(audit, said, actor=by)
    messages.success(request, words or "The decision stands in the sample, with your name.")
    return entry


def _farms(population: Population) -> Table:
    names = sample.names_of([farm.farm_id for farm in population.farms])
    columns = [
        Column("Farm"), Column("Crop"), Column("County"), Column("Bushels here", number=True),
        Column("CI (g CO2e/bu)", number=True), Column("Acres", number=True),
    ]  # fmt: skip
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
    return {
        "drawn": Table("drawn farms", columns, rows, caption="Farms of the sample"),
        "size": _size(document),
        "strata": _strata(document),
        "chances": _chances(document["detection"]),
        "mirror": _mirror(document),
    }


def _size(document: dict[str, Any]) -> Table:
    """Return how the number of farms comes about: parts that add up to it, each with its paragraph."""
    parts = sample_parts(document)
    names = sample.names_of([farm for part in parts for farm in part.farms])
    rows = [
        [
            Cell(str(len(part.farms))),
            Cell(
                part.why, note=", ".join(names.get(farm, farm) for farm in part.farms) if part is not parts[0] else ""
            ),
            Cell(f"7 CFR {part.cite}"),
        ]
        for part in parts
    ]
    total = [Cell(str(len(document["sample"]))), Cell("In the sample"), Cell("")]
    columns = [Column("Farms", number=True), Column("Why"), Column("Paragraph")]
    caption = f"Why {counted(len(document['sample']), 'farm')}"
    return Table("number of farms", columns, [*rows, total], caption=caption, totals=1)


def _strata(document: dict[str, Any]) -> Table:
    columns = [
        Column("Stratum"), Column("Farms", number=True), Column("Drawn by lot", number=True),
        Column("Share of all weight (bushels, raised by risk, lowered after an audit)", number=True),
    ]  # fmt: skip
    rows = []
    for one in document["strata"]:
        share = one["chance"][SHARE]
        rows.append([Cell(one["name"]), Cell(str(one["farms"])), Cell(str(len(one["sample"]))), Cell(share)])
    return Table("strata", columns, rows, caption="Strata")


def _mirror(document: dict[str, Any]) -> Table:
    """Return how far the sample mirrors the farms, and what chance each kind of them had."""
    columns = [
        Column("Farms by"), Column("Which"), Column("Farms", number=True), Column("In the sample", number=True),
        Column("Mean chance", number=True),
    ]  # fmt: skip
    rows = [
        [Cell(label), Cell(sample.on_top_said(f"{kind} {value}"), saved=value),
         *(Cell(str(one[name])) for name in ("farms", "sample", "chance"))]
        for kind, label in MIRRORED.items() for value, one in document["representation"][kind].items()
    ]  # fmt: skip
    caption = f"What chance each kind of farm had, counted over {document['trial_draws']} trial draws"
    return Table("chances of farms", columns, rows, caption=caption)


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
@at_audit_sampled
def audit_sample_file(request: PersonRequest, access: AuditAccess) -> HttpResponseBase:
    """Give the file from which anybody can draw the sample again.

    Raises:
        MissingError: nothing is drawn.
    """
    audit = access.audit
    if not records.is_drawn(audit):
        raise MissingError
    return download(canonical_json(records.sample_of(audit)), JSON, f"sample-{audit.handle}.json")
