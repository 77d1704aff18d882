"""The verification statement: written here, signed in the browser or elsewhere; the key that it is signed with."""

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from provender.audit.statement.opinion import criteria_of
from provender.audit.statement.statement import VerificationStatement
from provender.database.actor import today
from provender.problem import Weight, refuse
from provender.services.accounts.access import Access
from provender.services.audits import statement
from provender.services.audits.audits import KEYS, doubts
from provender.services.audits.deeds import Words
from provender.services.audits.package_requests import papers_file
from provender.services.audits.programme import AuditAccess, addendum_of, check_verifies
from provender.services.audits.records import statement_of
from provender.services.audits.standing import covered_said
from provender.signing.canonical import canonical_json, read_json
from provender.signing.jws import DOCUMENT, check, envelope_hash
from provender.web import signing_pages
from provender.web.access import PersonRequest, of_organisation
from provender.web.audit.access import PAGES, at_audit_led, view_of
from provender.web.audit.forms import DeclaredForm, KeyForm, SignedForm
from provender.web.inputs import attempt
from provender.web.tables import JSON, PDF, ZIP, download, page_with_tables


@require_http_methods(["GET", "POST"])
@at_audit_led
def audit_statement(request: PersonRequest, access: AuditAccess) -> HttpResponseBase:
    """Write the statement; show what still stands against it, or the signed one."""
    audit = access.audit
    draft = statement.draft_of(audit)
    form = _form(request, access, draft)
    if request.method == "POST" and form.is_valid():
        entry = attempt(form, lambda: statement.draft_statement(audit, form.said, actor=access.actor))
        if entry is not None:
            messages.success(request, "The draft is saved.")
            return redirect("audit_statement", access.organisation.handle, audit.handle)
    context = {"audit": audit, "form": form, "draft": draft, "sign": SignedForm(), **statement_context(access)}
    context["problems"] = doubts(statement.against_signing(audit, draft)) if draft else ()
    context["blocked"] = any(one.weight is Weight.ERROR for one in context["problems"])
    context["needs"] = () if statement_of(audit) else [_need(access, one) for one in statement.needs_to_answer(audit)]
    context |= {
        "typ": DOCUMENT,
        "mark": statement.mark_of(draft) if draft else "",
        **signing_pages.sealed_key(access, KEYS),
    }
    return render(request, "audit/statement.html", context)


def _need(access: AuditAccess, need: statement.Need) -> dict[str, Any]:
    """Return something that is still open with the page, and the field, where it is answered."""
    handle, href = access.organisation.handle, ""
    if need.where is statement.AnsweredIn.STATEMENT:
        href = "#write"
    elif need.where is statement.AnsweredIn.ACCREDITATION:
        href = reverse("audit_accreditation", args=(handle,))
    elif need.where is not None:
        place = f"#id_{need.part}" if need.part else ""
        href = reverse(PAGES[need.where], args=(handle, access.audit.handle)) + place
    one = need.doubt
    said = {"cause": one.cause, "remedy": one.remedy, "cite": one.cite}
    return {**said, "href": href, "where": need.where, "farms": need.farms}


def statement_context(access: AuditAccess) -> dict[str, Any]:
    """Return the key the verifier signs with; once there is one, the signed statement, its hash, its key, what came."""
    audit = access.audit
    signed, held = statement_of(audit), KEYS.in_use(audit.verifier)
    key = {"held": held.fingerprint if held else ""}
    if not signed:
        return key
    return {
        **key,
        "signed": (read := VerificationStatement.read(signed["document"])),
        "covers": covered_said(read.covered_first, read.covered_last),
        "hash": envelope_hash(signed),
        "fingerprint": check(signed, {}).kid,
        "later": statement.later_of(audit),
    }


def _form(request: PersonRequest, access: AuditAccess, draft: VerificationStatement | None) -> DeclaredForm:
    said = draft.document() if draft else {"criteria": [*criteria_of(access.audit.covered_last)]}
    return DeclaredForm(Words, request.POST if request.method == "POST" else None, said=said)


@require_GET
@at_audit_led
def audit_statement_file(request: PersonRequest, access: AuditAccess, ending: str) -> HttpResponseBase:
    """Give the statement: unsigned JSON to sign, or the signed one; PDF of either; unsigned with all its papers."""
    audit = access.audit
    if ending == "zip":
        name, papers = papers_file(audit, view_of(request), actor=access.actor)
        return FileResponse(papers, as_attachment=True, filename=name, content_type=ZIP)
    return statement_answer(access, ending)


def statement_answer(access: AuditAccess, ending: str) -> HttpResponse:
    """Return the statement of an audit as a file; errors as ``statement_file``."""
    audit = access.audit
    name, content = statement.statement_file(audit, ending)
    return download(content, JSON if ending == "json" else PDF, name)


@require_POST
@at_audit_led
def audit_statement_sign(request: PersonRequest, access: AuditAccess) -> HttpResponseBase:
    """Take the statement in as it was signed, or give the page its text to sign; the audited party keeps it then.

    Raises:
        PermissionDenied: somebody would sign in the browser who may not sign for the verifier.
    """
    audit = access.audit
    if request.content_type == "application/json":
        if not access.may_sign:
            raise PermissionDenied
        return signing_pages.answered(lambda: _signed_here(request, access))
    said = f"The statement is signed. {audit.audited} keeps it from now on."
    return _handed_in(request, access, statement.receive_statement, said)


def _signed_here(request: PersonRequest, access: AuditAccess) -> dict[str, Any]:
    """Return the text to sign with its hash; where the page sends a signature over it, keep the statement."""
    audit = access.audit
    found = signing_pages.asked(request)
    told, signature = found.get("fields"), signing_pages.text_of(found, "signature")
    shown = signing_pages.text_of(told, "shown") if isinstance(told, dict) else ""
    if not signature:
        return {"document": statement.statement_to_sign(audit, shown), "sha256": shown}
    statement.sign_statement(audit, signature, shown, actor=access.actor)
    messages.success(request, f"The statement is signed. {audit.audited} keeps it from now on.")
    return {"location": reverse("audit_statement", args=(access.organisation.handle, audit.handle))}


def _handed_in(
    request: PersonRequest, access: AuditAccess, take_in: Callable[..., object], said: str
) -> HttpResponseBase:
    """Take in a signed file, and go back to the statement with what came of it."""
    audit = access.audit
    form = SignedForm(request.POST, request.FILES)
    if form.is_valid():
        content = form.cleaned_data["file"].read(statement.MAX_SIGNED + 1)
        entry = attempt(form, lambda: take_in(audit, content, actor=access.actor))
        if entry is not None:
            messages.success(request, said)
    for error in [*form.non_field_errors(), *form.errors.get("file", [])]:
        messages.error(request, str(error))
    return redirect("audit_statement", access.organisation.handle, audit.handle)


@require_POST
@at_audit_led
def audit_statement_later(request: PersonRequest, access: AuditAccess) -> HttpResponseBase:
    """Take in a fact found after the statement was signed; the statement itself stays as it is."""
    audit = access.audit
    said = f"It stands beside the statement. {audit.audited} sees it."
    return _handed_in(request, access, statement.receive_later_statement, said)


def later_file(access: AuditAccess, number: int) -> HttpResponse:
    """Return a fact found later as it was signed.

    Raises:
        MissingError: there is none of this number.
    """
    audit = access.audit
    return download(
        canonical_json(addendum_of(audit, number).said), JSON, f"statement-{audit.handle}-later-{number}.json"
    )


MAX_KEY = 2**16
TOLD: Final = "Those you audit see its fingerprint."


@require_http_methods(["GET", "POST"])
@of_organisation("read", to_post="manage")
def audit_key(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show the verifier's keys; a manager registers one, made on the page or elsewhere."""
    check_verifies(access.organisation)
    if request.method == "POST" and request.content_type == "application/json":
        here = reverse("audit_key", args=(access.organisation.handle,))
        return signing_pages.answered(
            lambda: signing_pages.register_here(request, access, KEYS, address=here, told=TOLD)
        )
    form = KeyForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        named = {"reason": form.cleaned_data["reason"], "today": today(), "actor": access.actor}
        made = attempt(form, lambda: KEYS.register(access.organisation, _key_in(form.cleaned_data), **named))
        if made is not None:
            signing_pages.say_registered(request, made.public, TOLD)
            return redirect("audit_key", access.organisation.handle)
    keys = signing_pages.keys_table(access, KEYS, empty="No key yet. Statements are taken in once one is registered.")
    context = {"form": form, **signing_pages.key_context(access, KEYS)}
    return page_with_tables(request, "audit/key.html", {"keys": keys}, context)


def _key_in(data: dict[str, Any]) -> dict[str, Any]:
    shown = read_json(data["file"].read(MAX_KEY), file="key")
    if not isinstance(shown, dict):
        raise refuse("key", "This is no key.", "Bring the file NAME.public.json of `provender keys new`.")
    return shown
