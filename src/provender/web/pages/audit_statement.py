"""The verification statement: written here, signed on the verifier's own machine, kept on both sides."""

import json
from collections.abc import Callable
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from provender.audit.statement import Assurance, LaterEffect, Opinion, Statement, addendum, check_statement
from provender.audit.statement import Role as AuditRole
from provender.audit.statement_paper import statement_pdf
from provender.database.audits import accreditation_of, data_of, entries, findings_of, last, statement_of
from provender.database.deeds.audits import check_verifier, do_add_entry
from provender.database.deeds.verifier_keys import pinned_to, verifier_key
from provender.database.models import Audit, AuditEntry, EntryKind
from provender.problem import Place, Problem, ProblemsError, Weight, refuse
from provender.quantity import parse
from provender.signing.canonical import canonical_json, read_json
from provender.signing.hashes import document_hash
from provender.signing.jws import MEANING, Status, check, envelope_hash
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.pages.audit_door import audit_led, entry_of
from provender.web.pages.audit_draw import drawn_farms, sample_of
from provender.web.pages.audit_forms import SignedForm, StatementForm, today
from provender.web.pages.deed import attempt

MAX_SIGNED = 2**20
CRITERIA = "7 CFR part 2100, 90 FR 5512"


def draft_of(audit: Audit) -> Statement | None:
    """Return the draft as it was saved last, with the findings as they stand today; None before."""
    entry = last(audit, EntryKind.DRAFT)
    return Statement.read({**data_of(entry), "findings": _findings(audit)}) if entry else None


def _findings(audit: Audit) -> list[dict[str, str]]:
    return [one.public() for one in findings_of(audit)]


@require_http_methods(["GET", "POST"])
@of_organisation("read")
def audit_statement(request: PersonRequest, access: Access, audit: str) -> HttpResponseBase:
    """Write the statement; show what still stands against it, or the signed one."""
    found = audit_led(access, audit)
    draft = draft_of(found)
    form = _form(request, found, draft)
    if request.method == "POST" and form.is_valid():
        entry = attempt(form, lambda: _save(access, found, form.cleaned_data))
        if entry is not None:
            messages.success(request, "The draft is saved.")
            return redirect("audit_statement", access.organisation.handle, found.handle)
    context = {"audit": found, "form": form, "draft": draft, "sign": SignedForm(), **statement_context(found)}
    context["problems"] = problems_of(found, draft) if draft else []
    return render(request, "audit/statement.html", context)


def statement_context(audit: Audit) -> dict[str, Any]:
    """Return the key the verifier signs with; once there is one, the signed statement, its hash, its key, what came."""
    signed, held = statement_of(audit), verifier_key(audit.verifier)
    key = {"held": held.fingerprint if held else ""}
    if not signed:
        return key
    return {
        **key,
        "signed": Statement.read(signed["document"]),
        "hash": envelope_hash(signed),
        "fingerprint": check(signed, {}).kid,
        "later": later_of(audit),
    }


def problems_of(audit: Audit, draft: Statement) -> list[dict[str, Any]]:
    """Return what stands against signing: gaps, days, sample, opinion, accreditation, independence."""
    found = check_statement(draft)
    try:
        check_verifier(audit.verifier, audit.audited, today())
    except ProblemsError as refused:
        known = {one.cause for one in found}
        found += [one for one in refused.problems if one.cause not in known]
    return [{**one.as_json(), "place": str(one.place)} for one in found]


def _form(request: PersonRequest, audit: Audit, draft: Statement | None) -> StatementForm:
    initial: dict[str, Any] = {"criteria": CRITERIA, "lead_verifier": str(request.user), "materiality_pct": 5}
    if draft:
        initial = {name: getattr(draft, name) for name in StatementForm.base_fields}
        initial |= {"criteria": "\n".join(draft.criteria), "crops": list(draft.crops)}
        initial["materiality_pct"] = draft.document()["materiality_pct"]
    return StatementForm(request.POST if request.method == "POST" else None, initial=initial)


def _save(access: Access, audit: Audit, data: dict[str, Any]) -> AuditEntry:
    document = _statement(audit, data).document()
    return do_add_entry(audit, EntryKind.DRAFT, document, actor=access.actor, about=data["opinion"])


def _statement(audit: Audit, data: dict[str, Any]) -> Statement:
    role = AuditRole(audit.role)
    shown = accreditation_of(audit.verifier)
    if shown is None:
        raise refuse("accreditation", "You show no accreditation.", "Enter it under Accreditation.", cite="2100.041")
    return Statement(
        number=audit.number,
        audited=audit.audited.handle,
        audited_name=audit.audited.name,
        role=role,
        verifier=audit.verifier.handle,
        lead_verifier=data["lead_verifier"],
        independent_reviewer=data["independent_reviewer"],
        accreditation=shown,
        objectives=data["objectives"],
        scope=data["scope"],
        criteria=tuple(line.strip() for line in data["criteria"].splitlines() if line.strip()),
        crops=tuple(data["crops"]),
        covered_first=audit.covered_first,
        covered_last=audit.covered_last,
        issued_on=today(),
        assurance=Assurance(data["assurance"]),
        materiality_pct=parse(str(data["materiality_pct"])),
        materiality=data["materiality"],
        package_mark=_mark(audit),
        findings=tuple(_findings(audit)),
        opinion=Opinion(data["opinion"]),
        basis=data["basis"],
        **_sample(audit),
    )


def _sample(audit: Audit) -> dict[str, Any]:
    if not drawn_farms(audit):
        return {}
    document = sample_of(audit)
    return {
        "farms": document["farms"],
        "sampled": len(document["sample"]),
        "sample_hash": document_hash(document),
    }


def _mark(audit: Audit) -> str:
    result = last(audit, EntryKind.RESULT)
    return str(data_of(result)["made"]["mark"]) if result else ""


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
    one = Statement.read(signed["document"]) if signed else draft
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
    return _handed_in(request, access, found, _take_in, said)


def _handed_in(
    request: PersonRequest,
    access: Access,
    audit: Audit,
    take_in: Callable[[Access, Audit, bytes], AuditEntry],
    said: str,
) -> HttpResponseBase:
    """Take in a signed file, and go back to the statement with what came of it."""
    form = SignedForm(request.POST, request.FILES)
    if form.is_valid():
        entry = attempt(form, lambda: take_in(access, audit, form.cleaned_data["file"].read(MAX_SIGNED + 1)))
        if entry is not None:
            messages.success(request, said)
    for error in [*form.non_field_errors(), *form.errors.get("file", [])]:
        messages.error(request, str(error))
    return redirect("audit_statement", access.organisation.handle, audit.handle)


def _signed(audit: Audit, content: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the envelope of a file and the document in it, signed with the key that the verifier registered last.

    Raises:
        ProblemsError: no key is registered, or the signature is not whole and by that key.
    """
    pinned = pinned_to(audit.verifier)
    if not pinned:
        remedy = "A manager registers its public half under Audits, Signing key."
        raise refuse("signed statement", "You registered no signing key.", remedy, cite="2100.041", code="no_key")
    envelope = read_json(content, file="signed statement", max_bytes=MAX_SIGNED)
    checked = check(envelope, pinned)
    if checked.status is Status.SIGNER_UNKNOWN:
        cause = "This was signed with another key than the one you registered."
        remedy = "Sign it with that key, or register the other one under Audits, Signing key."
        raise refuse("signed statement", cause, remedy, cite="2100.041", code="other_key")
    if not checked.valid or not isinstance(envelope, dict) or checked.document is None:
        cause, remedy = MEANING[checked.status]
        raise ProblemsError([Problem(Place("signed statement"), cause, remedy, code=f"signature_{checked.status}")])
    return envelope, dict(checked.document)


@require_POST
@of_organisation("read")
def audit_statement_later(request: PersonRequest, access: Access, audit: str) -> HttpResponseBase:
    """Take in a fact found after the statement was signed; the statement itself stays as it is."""
    found = audit_led(access, audit)
    said = f"It stands beside the statement. {found.audited} sees it."
    return _handed_in(request, access, found, _take_in_later, said)


def _take_in_later(access: Access, audit: Audit, content: bytes) -> AuditEntry:
    """Keep a signed addendum.

    Raises:
        ProblemsError: no statement is signed; the signature does not fit; it is no addendum to that statement.
    """
    signed = statement_of(audit)
    if not signed:
        raise refuse("file", "There is no statement yet.", "Sign the statement first.", code="no_statement")
    envelope, said = _signed(audit, content)
    try:
        on, effect = date.fromisoformat(said["on"]), LaterEffect(said["effect"])
        again = addendum(envelope_hash(signed), on, said["text"], effect, said["replaced_by"])
    except (KeyError, TypeError, ValueError, AttributeError):
        again = {}
    if said != again:
        remedy = "Make it from the signed statement: `provender audit statement add`."
        raise refuse("file", "This is no fact about this statement.", remedy, code="other_statement")
    if not Statement.read(signed["document"]).issued_on <= on <= today():
        raise refuse("file", "Its day is before the statement or to come.", "Sign it with today's day.", code="day")
    return do_add_entry(audit, EntryKind.ADDENDUM, envelope, actor=access.actor, about=str(effect))


def later_of(audit: Audit) -> list[dict[str, Any]]:
    """Return the facts found later, each with the number of its entry."""
    return [{**data_of(one)["document"], "number": one.number} for one in entries(audit, EntryKind.ADDENDUM)]


def later_file(audit: Audit, number: int) -> HttpResponse:
    """Return a fact found later as it was signed.

    Raises:
        Http404: there is none of this number.
    """
    entry = entry_of(audit, EntryKind.ADDENDUM, number)
    response = HttpResponse(canonical_json(data_of(entry)), content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="statement-{audit.handle}-later-{number}.json"'
    return response


def _take_in(access: Access, audit: Audit, content: bytes) -> AuditEntry:
    """Keep a signed statement.

    Raises:
        ProblemsError: it is not the draft, its signature does not fit, or an error stands against it.
    """
    draft = draft_of(audit)
    if draft is None or len(content) > MAX_SIGNED:
        raise refuse("file", "There is no draft to this file.", "Save the draft, sign it, and bring that file.")
    envelope, document = _signed(audit, content)
    if document != json.loads(canonical_json(draft.document())):
        remedy = "Download the unsigned statement again and sign that one."
        raise refuse("signed statement", "What was signed is not the draft as it stands.", remedy, code="other_draft")
    errors = [one for one in check_statement(draft) if one.weight is Weight.ERROR]
    if errors:
        raise ProblemsError(errors)
    check_verifier(audit.verifier, audit.audited, today())
    return do_add_entry(audit, EntryKind.STATEMENT, envelope, actor=access.actor, about=str(draft.opinion))
