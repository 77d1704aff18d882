"""Reports of a farm on pages: the list, one report with all it states, and its signing."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from provender.database.choices import Area
from provender.exact import CI_SCALE, parse, show
from provender.paper.tables import ICONS, Cell, Column, Table
from provender.report.attestation import Footing
from provender.report.document import FLAGS
from provender.report.signing import SALT_TYP
from provender.report.typ import TYP
from provender.services.accounts.access import Access
from provender.services.farm.book import farm_book_of
from provender.services.farm.growing import NOT_HARVESTED, growing_by_crop, growing_views, needs_of
from provender.services.farm.sown import sowing_questions_left
from provender.services.reports import checklist
from provender.services.reports.drafts import (
    MOST,
    ReportDraft,
    ReportState,
    crop_label,
    document_of,
    draft_at_hand,
    draft_of,
    harvests_of,
)
from provender.services.reports.files import VersionView, paper_as, version_view
from provender.services.reports.signing import keep_signature, keep_signed, text_to_sign
from provender.signing.canonical import read_json, sha256_hex
from provender.signing.keys import PublicKey
from provender.web.access import PersonRequest, of_organisation
from provender.web.farm.lists import crop_address, form_address, growing_list, page_address, sowing_list
from provender.web.inputs import SignedFileForm, attempt
from provender.web.organisation.deeds import StepLink, address, steps_of
from provender.web.signing_pages import answered, asked, text_of
from provender.web.tables import download, moment, page_with_tables

# What is left to do before each report can be signed, on one page: each thing opens its row and comes back here.

CHIPS: Final = {
    checklist.Mark.MISSING: "not-shown",
    checklist.Mark.CONTRADICTED: "not-met",
    checklist.Mark.WAITING: "waiting",
}


@require_GET
@of_organisation("read")
def farm_todo(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List the things that keep reports from being signed, report by report, the shortest list first.

    Beside them stands whatever else the farm's overview asks for, in its words: a signature that only waits for its
    signer at its report, an amendment too; what earns nothing yet, and what is sold next, by itself.
    """
    farm = farm_book_of(access.organisation)
    drafts = [draft_at_hand(farm, crop, year) for crop, year in harvests_of(farm)]
    unsigned = [_todo_of(access, one) for one in drafts if one.is_news]
    growing = growing_views(farm)
    steps = steps_of(access, needs_of(growing))
    signing = {step.about: step for step in steps if step.page == "farm_report"}
    for one in unsigned:
        one["step"] = signing.get((one["draft"].crop, one["draft"].harvest_year))
    listed = {"farm_todo", "farm_report", "farm_key"} if unsigned else {"farm_todo"}
    back = page_address("farm_todo", farm.farm_id)
    # Nobody is asked about what is signed and stands.
    questions = sowing_questions_left(farm, {(one.crop, one.harvest_year) for one in drafts if not one.is_news})
    context = {
        "growing": growing_list(farm, growing, back),
        "sowing": sowing_list(farm.farm_id, questions, back),
        "lists": sorted(unsigned, key=lambda one: len(one["things"])),
        "blocked": any(one["blocked"] for one in unsigned),
        "all": drafts,
        "more": [StepLink(address(access, one), one.words, one.why) for one in steps if one.page not in listed],
    }
    return render(request, "farm/todo.html", context)


def _todo_of(access: Access, draft: ReportDraft) -> dict[str, Any]:
    """Return the list of one report as the page shows it, with where each thing is done."""
    things = checklist.SigningChecklist(draft, signs=access.may_sign)
    left, done = things.left(), things.done()
    anchor = f"{draft.crop}-{draft.harvest_year}"
    back = page_address("farm_todo", draft.farm.farm_id)  # at its head, where it says what was saved
    return {
        "draft": draft,
        "name": checklist.name_of(draft.crop, draft.harvest_year),
        "anchor": anchor,
        "things": [(one, _address_of(draft, one, back), CHIPS[one.mark], ICONS[CHIPS[one.mark]]) for one in left],
        "blocked": things.blocks(),
        "done": done,
        "whole": done + len(left),
        "reopened": _reopened_with_links(draft, back),
        "reopened_more": max(0, len(draft.reopened_by) - MOST),
        "report": _report_address(access, draft.crop, draft.harvest_year),
    }


def _reopened_with_links(draft: ReportDraft, back: str) -> list[tuple[str, str, date]]:
    """Return each row that made a signed report out of date: what became of it, its page, which leads back, the day."""
    farm, rows = draft.farm.farm_id, draft.reopened_by[:MOST]
    return [(one.words, form_address(farm, one.kind, {"row": one.key}, back), one.day) for one in rows]


def _address_of(draft: ReportDraft, thing: checklist.ChecklistItem, back: str) -> str:
    """Return where a thing is done; a row's form returns to the list once it is saved."""
    farm = draft.farm.farm_id
    if thing.page == checklist.ROW:
        return form_address(farm, thing.kind, {"row": thing.row} if thing.row else thing.given, back, thing.column)
    if thing.page == checklist.ROWS:
        return page_address(checklist.ROWS, farm, thing.kind)
    if thing.page == checklist.UPLOAD:
        asked = {"by": "file", "kind": thing.kind, "row": thing.row, "next": back}
        return f"{page_address(checklist.UPLOAD, farm)}?{urlencode(asked)}"
    if thing.page == "farm_crop":
        return f"{crop_address(farm, thing.row)}#{thing.kind}"
    about = (draft.crop, draft.harvest_year) if thing.page == "farm_report" else ()
    return page_address(thing.page, farm, *about)


COLUMNS: Final = (
    Column("Crop"),
    Column("Harvest year", number=True),
    Column("State"),
    Column("Official"),
    Column("Bushels", number=True),
    Column("Farm CI, g CO2e/bu", number=True),
    Column("Signed versions", number=True),
)
LARGEST_REPORT: Final = 2**23
"""Bytes; to read JSON takes 30 times as much memory."""
STATEMENTS: Final = (Column("Statement"), Column("Rests on"), Column("Why"), Column("7 CFR"))
_VERSIONS: Final = (
    Column("Version", number=True),
    Column("Signed"),
    Column("By"),
    Column("Bushels", number=True),
    Column("Farm CI, g CO2e/bu", number=True),
    Column("What changed"),
    Column("Document", file_only=True),
    Column("Save", page_only=True),
)
_REPORT_CHIPS: Final[dict[ReportState, str]] = {ReportState.SIGNED: "met", ReportState.BLOCKED: "not-shown"}
_FOOTINGS: Final[dict[str, str]] = {Footing.RECORDS: "met", Footing.CONTRADICTED: "not-met"}


def _report_address(access: Access, crop: str, year: int, view: str = "farm_report") -> str:
    return reverse(view, args=(access.organisation.handle, crop, year))


@require_GET
@of_organisation("read", areas=(Area.REPORTS,))
def farm_reports(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List the report of every crop and harvest year with where it stands."""
    farm, rows = farm_book_of(access.organisation), []
    for one in checklist.standings_of(farm):
        where, note = _report_address(access, *one.key), _to_do(one)
        rows.append(
            [
                Cell(crop_label(one.crop), where),
                Cell(str(one.harvest_year)),
                Cell(one.state, where, _REPORT_CHIPS.get(one.state, "plain"), note=note),
                Cell(_flags_in_words(one.official), note=one.rule_state),
                Cell(_amount(one.total_bushels)),
                Cell(_ci(one.farm_ci_g_per_bu)),
                Cell(str(one.signed_versions)),
            ]
        )
    for _, fields in growing_by_crop(farm):
        crop, year, units = crop_label(fields[0].crop), fields[0].year, ", ".join(one.unit for one in fields)
        told = [Cell(crop, note=units), Cell(str(year or "")), Cell(NOT_HARVESTED.capitalize(), chip="plain")]
        rows.append([*told, Cell(""), Cell(NOT_HARVESTED), Cell(NOT_HARVESTED), Cell("")])
    empty = "Nothing to report on yet: the book holds no harvest of corn, soybeans or sorghum."
    table = Table("reports", COLUMNS, rows, empty=empty, caption="Biofuel Feedstock Reports")
    return page_with_tables(request, "farm/reports.html", {"reports": table}, {})


def _to_do(one: checklist.ReportView) -> str:
    """Say how much stands before a signature; a report that is ready but for the signer's key says that."""
    if not one.blocked:
        return ""
    return f"{one.things} to do" if one.blocked_by else "Make a signing key first."


def _flags_in_words(official: Mapping[str, bool]) -> str:
    """Return the three things that *official* says, each apart, in words."""
    return ", ".join(f"{FLAGS[name]}: {'yes' if holds else 'no'}" for name, holds in official.items())


def _amount(text: str | None) -> str:
    return "not recorded" if text is None else show(parse(text), group=True)


def _ci(text: str | None) -> str:
    return "not shown" if text is None else show(parse(text, CI_SCALE), CI_SCALE, places=CI_SCALE, group=True)


@require_http_methods(["GET", "POST"])
@of_organisation("read", areas=(Area.REPORTS,))
def farm_report(request: PersonRequest, access: Access, crop: str, year: int) -> HttpResponseBase:
    """Show one report and what blocks it; a POST hands in the report signed on the producer's own machine.

    Raises:
        PermissionDenied: somebody hands in a signed report who may not sign for the farm.
    """
    farm = farm_book_of(access.organisation)
    draft = draft_at_hand(farm, crop, year)  # what is handed in is held against the whole one, made for it
    rule = draft.document["rule"]
    form = SignedFileForm(request.POST or None, request.FILES or None)
    if request.method == "POST":
        if not access.may_sign:
            raise PermissionDenied
        kept = (
            attempt(
                form,
                lambda: keep_signed(
                    draft,
                    read_json(form.cleaned_data["file"].read(), file="the signed report", max_bytes=LARGEST_REPORT),
                    actor=access.actor,
                ),
            )
            if form.is_valid()
            else None
        )
        if kept is not None:
            messages.success(request, "The signed report is kept.")
            return redirect(_report_address(access, crop, year))
    context: dict[str, object] = {
        "draft": draft,
        "report": draft.document,
        "crop_label": crop_label(crop),
        "state": Cell(draft.standing, chip=_REPORT_CHIPS.get(draft.standing, "plain")),
        "ci": _ci(draft.document["farm_ci_g_per_bu"]),
        "national": draft.document["national_default_g_per_bu"] and _ci(draft.document["national_default_g_per_bu"]),
        "signed": draft.versions[-1] if draft.versions else None,
        "bushels": _amount(draft.document["total_bushels"]),
        "form": form,
        "todo": _todo_of(access, draft),
        "rule_state": rule["state"],
        "read_up_to": date.fromisoformat(rule["read_up_to"]),
        "official": _flags_in_words(draft.document["official"]),
        **_signer(access, draft),
    }
    tables = {"attestation": _attestation(draft), "versions": _versions(access, draft)}
    return page_with_tables(request, "farm/report.html", tables, context)


def _signer(access: Access, draft: ReportDraft) -> dict[str, object]:
    """Return what the signing part of the page needs."""
    key = draft.key
    mine = key is not None and key.holder_id == access.person.pk and bool(key.sealed)
    return {
        "signable": access.may_sign and not draft.in_the_way and draft.is_news,
        "key": key if mine else None,
        "jwk": PublicKey.from_jwk(key.public).jwk if key and mine else None,
        "key_short": PublicKey.from_jwk(key.public).short if key else "",
        "typ": TYP,
        "salt_typ": SALT_TYP,
    }


def _attestation(draft: ReportDraft) -> Table:
    rows = [
        [
            Cell(one["text"]),
            Cell(one["footing"], chip=_FOOTINGS.get(one["footing"], "plain")),
            Cell(one["why"]),
            Cell(one["cite"]),
        ]
        for one in draft.document["attestation"]
    ]
    return Table("attestation", STATEMENTS, rows, caption="What the farm producer attests")


def _versions(access: Access, draft: ReportDraft) -> Table:
    rows = [_version(access, draft, version_view(one), document_of(one)) for one in reversed(draft.versions)]
    return Table(
        "versions", _VERSIONS, rows, empty="No version is signed yet.", caption="Signed versions of one origin"
    )


def _version(access: Access, draft: ReportDraft, one: VersionView, document: dict[str, Any]) -> list[Cell]:
    where = reverse(
        "farm_report_file", args=(access.organisation.handle, draft.crop, draft.harvest_year, one.number, "pdf")
    )
    replaces = document["edition"]["replaces"]
    return [
        Cell(str(one.number), note=f"under {one.signed_under}, {one.rule_state}" if one.rule_state else ""),
        Cell(moment(datetime.fromisoformat(one.at))),
        Cell(document["producer"]["name"]),
        Cell(_amount(document["total_bushels"])),
        Cell(_ci(document["farm_ci_g_per_bu"])),
        Cell(" ".join(document["edition"]["changes"]), note=f"replaces {replaces[:12]}…" if replaces else ""),
        Cell(f"{one.document_hash[:4]} {one.document_hash[4:8]} …", saved=one.document_hash),
        Cell("PDF", where),
    ]


@require_POST
@of_organisation("write")
def farm_report_sign(request: PersonRequest, access: Access, crop: str, year: int) -> HttpResponseBase:
    """Give the signing page the document to sign, and then take its signature.

    Raises:
        PermissionDenied: a consultant asks: only the farm producer signs.
    """
    if not access.may_sign:
        raise PermissionDenied
    farm = farm_book_of(access.organisation)
    draft = draft_of(farm, crop, year)
    return answered(lambda: _sign(request, access, draft))


def _sign(request: PersonRequest, access: Access, draft: ReportDraft) -> dict[str, Any]:
    given = asked(request)
    fields = given.get("fields")
    attested = isinstance(fields, dict) and fields.get("attested") == "yes"
    named = str(fields.get("under", "")).strip() if isinstance(fields, dict) else ""
    salted, text = text_to_sign(draft, attested=attested, salt_signature=text_of(given, "salt_signature"), under=named)
    signature = text_of(given, "signature")
    if not signature:
        return {"document": text.decode(), "sha256": sha256_hex(text)}
    made = keep_signature(salted, signature, text_of(given, "sha256"), actor=access.actor)
    messages.success(request, f"{made} is signed and kept. Its bushels stand in the custody book.")
    return {"location": _report_address(access, draft.crop, draft.harvest_year), "version": made.number}


@require_GET
@of_organisation("read", areas=(Area.REPORTS,))
def farm_report_file(
    request: PersonRequest,
    access: Access,
    crop: str,
    year: int,
    version: int,
    form: str,
) -> HttpResponseBase:
    """Send a version of a report as a file; one not yet signed names the text that is asked for.

    Raises:
        MissingError: there is no such version or form.
    """
    under = request.GET.get("under", "")
    return download(*paper_as(draft_of(farm_book_of(access.organisation), crop, year, under=under), version, form))
