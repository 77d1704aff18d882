"""The verification statement: written here, signed on the verifier's own machine, kept on both sides."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from provender.audit.statement.print import statement_pdf
from provender.audit.statement.statement import Assurance, Opinion, VerificationStatement
from provender.database.models import Audit, AuditEntry, EntryKind
from provender.database.store.audits import data_of, entries, statement_of
from provender.quantity import parse
from provender.services.audits.signed_statements import against_signing, draft_of, later_of
from provender.services.audits.statement import (
    MAX_SIGNED,
    Words,
    draft_statement,
    lines_of,
    receive_later_statement,
    receive_statement,
)
from provender.services.audits.verifier_keys import verifier_key
from provender.signing.canonical import canonical_json
from provender.signing.jws import check, envelope_hash
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.audit.door import audit_led, entry_of
from provender.web.audit.forms import SignedForm, StatementForm
from provender.web.deed import attempt

CRITERIA = "7 CFR part 2100, 90 FR 5512"


@require_http_methods(["GET", "POST"])
@of_organisation("read")
def audit_statement(request: PersonRequest, access: Access, audit: str) -> HttpResponseBase:
    """Write the statement; show what still stands against it, or the signed one."""
    found = audit_led(access, audit)
    draft = draft_of(found)
    form = _form(request, found, draft)
    if request.method == "POST" and form.is_valid():
        entry = attempt(form, lambda: draft_statement(found, _words(form), actor=access.actor))
        if entry is not None:
            messages.success(request, "The draft is saved.")
            return redirect("audit_statement", access.organisation.handle, found.handle)
    context = {"audit": found, "form": form, "draft": draft, "sign": SignedForm(), **statement_context(found)}
    against = against_signing(found, draft) if draft else []
    context["problems"] = [{**one.as_json(), "place": str(one.place)} for one in against]
    return render(request, "audit/statement.html", context)


def statement_context(audit: Audit) -> dict[str, Any]:
    """Return the key the verifier signs with; once there is one, the signed statement, its hash, its key, what came."""
    signed, held = statement_of(audit), verifier_key(audit.verifier)
    key = {"held": held.fingerprint if held else ""}
    if not signed:
        return key
    return {
        **key,
        "signed": VerificationStatement.read(signed["document"]),
        "hash": envelope_hash(signed),
        "fingerprint": check(signed, {}).kid,
        "later": later_of(audit),
    }


def _form(request: PersonRequest, audit: Audit, draft: VerificationStatement | None) -> StatementForm:
    initial: dict[str, Any] = {"criteria": CRITERIA, "lead_verifier": str(request.user), "materiality_pct": 5}
    if draft:
        initial = {name: getattr(draft, name) for name in StatementForm.base_fields}
        initial |= {"criteria": "\n".join(draft.criteria), "crops": list(draft.crops)}
        initial["materiality_pct"] = draft.document()["materiality_pct"]
    return StatementForm(request.POST if request.method == "POST" else None, initial=initial)


def _words(form: StatementForm) -> Words:
    """Return what a valid form says."""
    said: dict[str, Any] = form.cleaned_data
    read = {
        "crops": tuple(said["crops"]),
        "criteria": lines_of(said["criteria"].splitlines()),
        "assurance": Assurance(said["assurance"]),
        "materiality_pct": parse(str(said["materiality_pct"])),
        "opinion": Opinion(said["opinion"]),
    }
    return Words(**{**said, **read})


@require_GET
@of_organisation("read")
def audit_statement_file(request: PersonRequest, access: Access, audit: str, ending: str) -> HttpResponseBase:
    """Give the statement: unsigned JSON to sign, or the signed one; PDF of either."""
    return statement_file(audit_led(access, audit), ending)


def statement_file(audit: Audit, ending: str) -> HttpResponse:
    """Return the statement of an audit as JSON or PDF, signed where it is signed.

    Raises:
        Http404: there is none, or another kind of file was asked for.
    """
    signed, draft = statement_of(audit), draft_of(audit)
    one = VerificationStatement.read(signed["document"]) if signed else draft
    if one is None or ending not in ("json", "pdf"):
        raise Http404
    if ending == "json":
        response = HttpResponse(canonical_json(signed or one.document()), content_type="application/json")
    else:
        later = [data_of(entry) for entry in entries(audit, EntryKind.ADDENDUM)]
        pdf = statement_pdf(one, signed, check(signed, {}).kid, later) if signed else statement_pdf(one)
        response = HttpResponse(pdf, content_type="application/pdf")
    name = "statement" if signed else "statement-unsigned"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}-{audit.handle}.{ending}"'
    return response


@require_POST
@of_organisation("read")
def audit_statement_sign(request: PersonRequest, access: Access, audit: str) -> HttpResponseBase:
    """Take the statement in as it was signed; the audited party keeps it from now on."""
    found = audit_led(access, audit)
    said = f"The statement is signed. {found.audited} keeps it from now on."
    return _handed_in(request, access, found, receive_statement, said)


def _handed_in(
    request: PersonRequest,
    access: Access,
    audit: Audit,
    take_in: Callable[..., AuditEntry],
    said: str,
) -> HttpResponseBase:
    """Take in a signed file, and go back to the statement with what came of it."""
    form = SignedForm(request.POST, request.FILES)
    if form.is_valid():
        content = form.cleaned_data["file"].read(MAX_SIGNED + 1)
        entry = attempt(form, lambda: take_in(audit, content, actor=access.actor))
        if entry is not None:
            messages.success(request, said)
    for error in [*form.non_field_errors(), *form.errors.get("file", [])]:
        messages.error(request, str(error))
    return redirect("audit_statement", access.organisation.handle, audit.handle)


@require_POST
@of_organisation("read")
def audit_statement_later(request: PersonRequest, access: Access, audit: str) -> HttpResponseBase:
    """Take in a fact found after the statement was signed; the statement itself stays as it is."""
    found = audit_led(access, audit)
    said = f"It stands beside the statement. {found.audited} sees it."
    return _handed_in(request, access, found, receive_later_statement, said)


def later_file(audit: Audit, number: int) -> HttpResponse:
    """Return a fact found later as it was signed.

    Raises:
        Http404: there is none of this number.
    """
    entry = entry_of(audit, EntryKind.ADDENDUM, number)
    response = HttpResponse(canonical_json(data_of(entry)), content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="statement-{audit.handle}-later-{number}.json"'
    return response
