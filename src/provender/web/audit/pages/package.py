"""Packages of an audit: asked for, how far each is, its file, the recomputation and what it found."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.paginator import Paginator
from django.http import FileResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from provender.audit.fieldwork import FieldPriority, read_place
from provender.database.actor import today
from provender.exact import parse, show
from provender.paper.tables import Cell, Table, heads, numeric
from provender.services.audits import package_requests
from provender.services.audits.audits import PackageAsked, read_said
from provender.services.audits.packages import choices, package_said
from provender.services.audits.programme import AuditAccess, packages_made, raised_of, result_of, results_of
from provender.services.audits.sample import farms_shut
from provender.services.background import Progress
from provender.web.access import PersonRequest
from provender.web.audit.forms import DeclaredForm, at_audit_led, view_of
from provender.web.inputs import attempt, choice_said, said_plainly
from provender.web.tables import ZIP, moment, page_with_tables

_PER_PAGE = 25


@require_http_methods(["GET", "POST"])
@at_audit_led
def audit_package(request: PersonRequest, access: AuditAccess) -> HttpResponseBase:
    """Ask for a package, to be taken away or recomputed here; list what was asked for and audit."""
    audit = access.audit
    absent = [(str(one), choice_said(str(one))) for one in package_requests.MAY_BE_ABSENT]
    offers = {"what": choices(audit, today()), "absent": absent}
    form = DeclaredForm(PackageAsked, request.POST or None, offers=offers)
    if request.method == "POST" and form.is_valid():
        said, verify = read_said(PackageAsked, form.said, "package"), "recompute" in request.POST
        ask = package_requests.ask_for_package
        asked = attempt(form, lambda: ask(audit, said, view_of(request), verify=verify, actor=access.actor))
        if asked is not None:
            return redirect("audit_package_work", access.organisation.handle, audit.handle, asked.number)
    works = _works(access, package_requests.standings_of(audit))
    tables = {"works": works, "results": _results(access), "packages": _packages(access)}
    shut = farms_shut(audit, today())
    return page_with_tables(request, "audit/package.html", tables, {"audit": audit, "form": form, "shut": shut})


def _works(access: AuditAccess, standings: list[package_requests.PackageStanding]) -> Table:
    """Return the packages asked for that have no result yet, or none at all."""
    audit = access.audit
    columns = heads("Asked for", "Package", "For", "State")
    rows = []
    for one in standings:
        if one.state in (package_requests.PackageState.MADE, package_requests.PackageState.RECOMPUTED):
            continue
        asked, said = one.asked, one.asked.said
        where = reverse("audit_package_work", args=(audit.verifier.handle, audit.handle, asked.number))
        day = Cell(moment(asked.at), where, note=str(asked.actor))
        purpose = Cell("Recomputation here" if said["verify"] else "Download")
        chip = (
            "plain"
            if one.state in (package_requests.PackageState.AT_WORK, package_requests.PackageState.CLOSED)
            else "not-met"
        )
        rows.append([day, Cell(package_said(said["what"])), purpose, Cell(str(one.state).capitalize(), where, chip)])
    return Table("works", columns, rows, caption="Asked for, without a result")


def _packages(access: AuditAccess) -> Table:
    audit = access.audit
    columns = heads("Made", "Package", numeric("Files"), "May be absent", "Hash")
    rows = []
    for entry in packages_made(audit):
        said = entry.said
        allowed = "; ".join(f"{one['part']} ({one['reason']})" for one in said["allowed"])
        where = reverse("audit_package_work", args=(audit.verifier.handle, audit.handle, said["asked"]))
        cells = [
            Cell(moment(entry.at), where, note=str(entry.actor)),
            Cell(said["subject"], note=package_said(said["what"])),
        ]
        rows.append(
            [*cells, Cell(str(said["files"])), Cell(allowed), Cell(f"{said['mark'][:12]}…", saved=said["mark"])]
        )
    return Table("packages", columns, rows, empty="No package was taken away yet.")


def _results(access: AuditAccess) -> Table:
    audit = access.audit
    columns = heads("Recomputed", "Package", "Result", numeric("Checks"))
    rows = []
    for entry in results_of(audit):
        said = entry.said
        where = reverse("audit_result", args=(audit.verifier.handle, audit.handle, entry.number))
        count = len(said["differences"])
        words = "Nothing differs" if said["clean"] else f"{count} differences" if count else "Not complete"
        chip = Cell(words, where, "met" if said["clean"] else "not-met")
        settled = sum(1 for one in said["checks"] if one["state"] == "settled")
        cells = [
            Cell(moment(entry.at), where, note=str(entry.actor)),
            Cell(said["package"]["subject"], note=package_said(said["what"])),
        ]
        rows.append([*cells, chip, Cell(f"{settled} of {len(said['checks'])} settled")])
    return Table("results", columns, rows, empty="Nothing was recomputed yet. Choose a package and recompute it.")


@require_GET
@at_audit_led
def audit_result(request: PersonRequest, access: AuditAccess, number: int) -> HttpResponseBase:
    """Show what a recomputation found; each difference can become a finding."""
    audit = access.audit
    result = result_of(audit, number)
    said = result.said
    numbered = list(enumerate(raised_of(audit, result)))
    page = Paginator(numbered, _PER_PAGE).get_page(request.GET.get("page"))
    shown = numbered if "save" in request.GET else list(page.object_list)
    tables = {"differences": _differences(access, number, shown), "kinds": _kinds(said), "checks": _checks(said)}
    tables["places"] = _places(map(read_place, said["needs_eyes"]["places"]))
    context: dict[str, Any] = {"audit": audit, "entry": result, "said": said, "eyes": said["needs_eyes"]["not_shown"]}
    context |= {"page": page, "count": len(numbered)}
    return page_with_tables(request, "audit/result.html", tables, context)


def _places(places: Iterable[FieldPriority]) -> Table:
    """Return the ground to look at, most at stake first."""
    columns = heads("Unit", "Practices", numeric("Bushels"), numeric("t CO2e at stake"), "What to see")
    rows = []
    for one in places:
        unit, spot = one.where
        amounts = [Cell(one.bushel_words or "unknown"), Cell(one.tonnes or "unknown")]
        rows.append([Cell(unit, note=spot), Cell(one.practice_words), *amounts, Cell("; ".join(one.see))])
    return Table("places", columns, rows, caption="Where to look first")


def _kinds(said: dict[str, Any]) -> Table:
    """Return how many differences of each kind there are, and the most bushels that one of them concerns."""
    columns = heads("What differs", numeric("How many"), numeric("Largest, bushels"))
    most: dict[str, tuple[int, int]] = {}
    for one in said["differences"]:
        name = f"{one['code'].replace('_', ' ').capitalize()} (7 CFR {one['cite']})"
        count, bushels = most.get(name, (0, 0))
        most[name] = (count + 1, max(bushels, parse(one["effect_bushels"] or "0")))
    rows = [[Cell(name), Cell(str(count)), Cell(show(largest, group=True))] for name, (count, largest) in most.items()]
    return Table("kinds", columns, rows)


def _said(text: str, note: str = "") -> Cell:
    """Return what the books say as a cell; a file keeps their words."""
    return Cell(said_plainly(text), note=note, saved=text)


def _differences(
    access: AuditAccess, number: int, numbered: Iterable[tuple[int, tuple[Mapping[str, Any], bool]]]
) -> Table:
    audit = access.audit
    columns = heads("Where", "Claimed", "Recomputed", numeric("Bushels"), numeric("g CO2e"), "")
    rows = []
    for index, (one, known) in numbered:
        raise_it = reverse("audit_finding_from", args=(audit.verifier.handle, audit.handle, number, index))
        button = Cell("Is a finding", chip="plain") if known else Cell("Make it a finding", form=raise_it)
        effect = [Cell(one["effect_bushels"] or "unknown"), Cell(one["effect_g_co2e"] or "unknown")]
        what = [_said(one["claimed"] or "nothing"), _said(one["recomputed"] or "nothing")]
        rows.append([_said(one["place"], note=f"7 CFR {one['cite']}"), *what, *effect, button])
    return Table("differences", columns, rows, empty="Nothing differs: every number recomputes.")


def _checks(said: dict[str, Any]) -> Table:
    columns = heads("Check", "Paragraphs", numeric("Claims"), "Result")
    chips = {"settled": ("Agrees", "met"), "differs": ("Differs", "not-met"), "open": ("Open", "not-shown")}
    rows = []
    for one in said["checks"]:
        words, chip = chips[one["state"]]
        why = one["not_shown"][0] if one["not_shown"] and one["state"] == "open" else ""
        rows.append(
            [
                Cell(one["check"]),
                Cell(", ".join(one["cites"])),
                Cell(str(one["computed"])),
                Cell(words, chip=chip, note=said_plainly(why)),
            ]
        )
    return Table("checks", columns, rows, caption="Every recomputation")


@require_GET
@at_audit_led
def audit_package_work(request: PersonRequest, access: AuditAccess, number: int) -> HttpResponseBase:
    """Show how far a package is; then its result, its file, or why there is nothing."""
    audit = access.audit
    standing = package_requests.standing_of(package_requests.asked_for(audit, number))
    if standing.answer is not None and standing.state is package_requests.PackageState.RECOMPUTED:
        return redirect("audit_result", access.organisation.handle, audit.handle, standing.answer.number)
    context = {
        "audit": audit,
        "asked": standing.asked,
        "said": standing.asked.said,
        "what": package_said(standing.asked.said["what"]),
        "closed": standing.state is package_requests.PackageState.CLOSED,
        "progress": standing.progress,
        "made": standing.answer.said if standing.answer else None,
        "there": standing.there,
    }
    return render(request, "audit/package_work.html", context)


@require_GET
@at_audit_led
def audit_package_progress(request: PersonRequest, access: AuditAccess, number: int) -> HttpResponseBase:
    """Answer how far a package is, as a part of its page; when it is done or lost, tell the page to load anew."""
    audit = access.audit
    standing = package_requests.standing_of(package_requests.asked_for(audit, number))
    context = {"audit": audit, "asked": standing.asked, "progress": standing.progress or Progress()}
    response = render(request, "audit/package_progress.html", context)
    if standing.state is not package_requests.PackageState.AT_WORK:
        response.headers["HX-Refresh"] = "true"
    return response


@require_GET
@at_audit_led
def audit_package_file(request: PersonRequest, access: AuditAccess, number: int) -> HttpResponseBase:
    """Give the package as a zip, to whom the party lets in today."""
    audit = access.audit
    path = package_requests.take_away(audit, number, view_of(request), actor=access.actor)
    return FileResponse(path.open("rb"), as_attachment=True, filename=path.name, content_type=ZIP)
