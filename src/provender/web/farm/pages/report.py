"""Reports of a farm on pages: the list, one report with all it states, and its signing."""

from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from provender.database.actor import Actor
from provender.database.models import ReportVersion
from provender.problem import ProblemsError, refuse
from provender.quantity import CI_SCALE, parse, show
from provender.report.files import document_of as report_in
from provender.report.signing import SALT_TYP, TYP, check_salt
from provender.report.statements import Footing
from provender.services.farm.verdicts import today
from provender.services.reports.drafts import ReportDraft, crop_label, draft_of, standings_of
from provender.services.reports.signed import document_of, keep_report
from provender.signing.canonical import canonical_json, read_json
from provender.signing.hashes import sha256_hex
from provender.signing.keys import PublicKey
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.deed import attempt
from provender.web.farm.context import farm_book
from provender.web.farm.pages.report_json import answered, asked, text_of
from provender.web.inputs import SignedFileForm
from provender.web.tables import Cell, Column, Table, page_with_tables

COLUMNS: Final = (
    Column("Crop"),
    Column("Harvest year", number=True),
    Column("State"),
    Column("Bushels", number=True),
    Column("Farm CI, g CO2e/bu", number=True),
    Column("Signed versions", number=True),
)
STATEMENTS: Final = (Column("Statement"), Column("Rests on"), Column("Why"), Column("7 CFR"))
VERSIONS: Final = (
    Column("Version", number=True),
    Column("Signed (UTC)"),
    Column("By"),
    Column("Bushels", number=True),
    Column("Farm CI, g CO2e/bu", number=True),
    Column("What changed"),
    Column("Document"),
    Column("Save", page_only=True),
)
SIGNED: Final = ("Signed", "met")
READY: Final = ("Ready to sign", "plain")
NEW: Final = ("Amendment ready to sign", "plain")
BLOCKED: Final = ("Not ready", "not-shown")
FOOTINGS: Final[dict[str, str]] = {Footing.RECORDS: "met", Footing.CONTRADICTED: "not-met"}


def state_of(*, versions: int, refused: int, is_news: bool) -> tuple[str, str]:
    """Return the words and the chip that say where a report stands."""
    if versions and not is_news:
        return SIGNED
    if refused:
        return BLOCKED
    return NEW if versions else READY


def report_address(access: Access, crop: str, year: int, view: str = "farm_report") -> str:
    """Return the address of one report, or of a deed on it."""
    return reverse(view, args=(access.organisation.handle, crop, year))


@require_GET
@of_organisation("read")
def farm_reports(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List the report of every crop and harvest year with where it stands."""
    rows = []
    for one in standings_of(farm_book(access)):
        words, chip = state_of(versions=one.versions, refused=one.refused, is_news=one.is_news)
        where = report_address(access, one.crop, one.harvest_year)
        rows.append(
            [
                Cell(crop_label(one.crop), where),
                Cell(str(one.harvest_year)),
                Cell(words, where, chip, note="" if not one.refused else f"{one.refused} to close"),
                Cell(_amount(one.total_bushels)),
                Cell(_ci(one.farm_ci_g_per_bu)),
                Cell(str(one.versions)),
            ]
        )
    empty = "Nothing to report on yet: the book holds no harvest of corn, soybeans or sorghum."
    table = Table("reports", COLUMNS, rows, empty=empty, caption="Biofuel Feedstock Reports")
    return page_with_tables(request, "farm/reports.html", {"reports": table}, {})


def _amount(text: str | None) -> str:
    return "not recorded" if text is None else show(parse(text), group=True)


def _ci(text: str | None) -> str:
    return "not shown" if text is None else show(parse(text, CI_SCALE), CI_SCALE, places=CI_SCALE, group=True)


@require_http_methods(["GET", "POST"])
@of_organisation("read")
def farm_report(request: PersonRequest, access: Access, crop: str, year: int) -> HttpResponseBase:
    """Show one report and what blocks it; a POST hands in the report signed on the producer's own machine.

    Raises:
        PermissionDenied: somebody hands in a signed report who may not sign for the farm.
    """
    farm = farm_book(access)
    draft = draft_of(farm, crop, year)
    form = SignedFileForm(request.POST or None, request.FILES or None)
    if request.method == "POST":
        if not access.may_sign:
            raise PermissionDenied
        kept = attempt(form, lambda: _take_in(access, draft, form)) if form.is_valid() else None
        if kept is not None:
            messages.success(request, "The signed report is kept.")
            return redirect(report_address(access, crop, year))
    words, chip = state_of(versions=len(draft.versions), refused=len(draft.refused), is_news=draft.is_news)
    context: dict[str, object] = {
        "draft": draft,
        "report": draft.document,
        "crop_label": crop_label(crop),
        "state": Cell(words, chip=chip),
        "ci": _ci(draft.document["farm_ci_g_per_bu"]),
        "national": draft.document["national_default_g_per_bu"] and _ci(draft.document["national_default_g_per_bu"]),
        "signed": draft.versions[-1] if draft.versions else None,
        "bushels": _amount(draft.document["total_bushels"]),
        "form": form,
        **_signer(access, draft),
    }
    tables = {"attestation": _attestation(draft), "versions": _versions(access, draft)}
    return page_with_tables(request, "farm/report.html", tables, context)


def _signer(access: Access, draft: ReportDraft) -> dict[str, object]:
    """Return what the signing part of the page needs."""
    key = draft.key
    mine = key is not None and key.holder_id == access.person.pk and bool(key.sealed)
    return {
        "signable": access.may_sign and not draft.refused and draft.is_news,
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
            Cell(one["footing"], chip=FOOTINGS.get(one["footing"], "plain")),
            Cell(one["why"]),
            Cell(one["cite"]),
        ]
        for one in draft.document["attestation"]
    ]
    return Table("attestation", STATEMENTS, rows, caption="What the farm producer attests")


def _versions(access: Access, draft: ReportDraft) -> Table:
    rows = [_version(access, draft, one) for one in reversed(draft.versions)]
    return Table("versions", VERSIONS, rows, empty="No version is signed yet.", caption="Signed versions of one origin")


def _version(access: Access, draft: ReportDraft, one: ReportVersion) -> list[Cell]:
    document = document_of(one)
    where = reverse(
        "farm_report_file", args=(access.organisation.handle, draft.crop, draft.harvest_year, one.number, "pdf")
    )
    replaces = document["edition"]["replaces"]
    return [
        Cell(str(one.number)),
        Cell(date_format(one.at, "DATETIME_FORMAT")),
        Cell(document["producer"]["name"]),
        Cell(_amount(document["total_bushels"])),
        Cell(_ci(document["farm_ci_g_per_bu"])),
        Cell(" ".join(document["edition"]["changes"]), note=f"replaces {replaces[:12]}…" if replaces else ""),
        Cell(f"{one.document_hash[:12]}…", saved=one.document_hash),
        Cell("PDF", where),
    ]


def _take_in(access: Access, draft: ReportDraft, form: SignedFileForm) -> ReportVersion:
    content = read_json(form.cleaned_data["file"].read(), file="the signed report")
    return keep_signed(draft, content, actor=access.actor)


def keep_signed(draft: ReportDraft, content: object, *, actor: Actor) -> ReportVersion:
    """Keep a report that was signed elsewhere, if it is the one that is made here today.

    Args:
        draft: the report as it would be signed today, without a salt.
        content: what was handed in: document and detached signature.
        actor: who hands it in.

    Raises:
        ProblemsError: it is not signed, is another report, or ``keep_report`` refuses it.
    """
    signed = report_in(content, "the signed report")
    if not isinstance(content, dict) or not isinstance(content.get("signature"), str):
        raise refuse(
            "file", "The file is not signed.", "Sign it with `provender keys sign`, then upload what that wrote."
        )
    salt = signed["edition"].get("salt", "")
    made = draft_of(draft.farm, draft.crop, draft.harvest_year, salt=salt if isinstance(salt, str) else "")
    if made.document != signed:
        cause = "The signed report is not the one that the records give today."
        raise refuse("file", cause, "Download the unsigned report again and sign it on the same day.")
    return _keep(made, content["signature"], actor)


def _keep(draft: ReportDraft, signature: str, actor: Actor) -> ReportVersion:
    on_file = draft.fingerprint_on_file
    if not on_file:
        cause = "The producer's record names no signing key."
        raise refuse("producer", cause, "Register the key first.", cite="2100.031(c)(3)", code="no_key")
    return keep_report(
        draft.farm.book, draft.document, signature, fingerprint_on_file=on_file, today=today(), actor=actor
    )


@require_POST
@of_organisation("write")
def farm_report_sign(request: PersonRequest, access: Access, crop: str, year: int) -> HttpResponseBase:
    """Give the signing page the document to sign, and then take its signature.

    Raises:
        PermissionDenied: a consultant asks: only the farm producer signs.
    """
    if not access.may_sign:
        raise PermissionDenied
    farm = farm_book(access)
    draft = draft_of(farm, crop, year)
    return answered(lambda: _sign(request, access, draft))


def _sign(request: PersonRequest, access: Access, draft: ReportDraft) -> dict[str, Any]:
    found = asked(request)
    fields = found.get("fields")
    if not isinstance(fields, dict) or fields.get("attested") != "yes":
        cause, cite = "You have not attested to the statements.", "2100.031(c)(3)"
        raise refuse("attested", cause, "Read them and tick the box.", cite=cite)
    if draft.refused:
        raise ProblemsError(draft.refused)
    if draft.salt_name:
        salt = check_salt(draft.salt_name, text_of(found, "salt_signature"), draft.fingerprint_on_file)
        draft = draft_of(draft.farm, draft.crop, draft.harvest_year, salt=salt)
    text = canonical_json(draft.document)
    mark = sha256_hex(text)
    signature = text_of(found, "signature")
    if not signature:
        return {"document": text.decode(), "sha256": mark}
    if text_of(found, "sha256") != mark:
        raise refuse("report", "The records have changed since you began.", "Look at the report again, then sign it.")
    made = _keep(draft, signature, access.actor)
    messages.success(request, f"{made} is signed and kept. Its bushels stand in the custody book.")
    return {"location": report_address(access, draft.crop, draft.harvest_year), "version": made.number}
