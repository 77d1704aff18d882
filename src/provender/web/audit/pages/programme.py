"""The work programme of an audit: generated from the rule, prefilled by recomputation, answered line by line."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from provender.audit.findings import EFFECTS, Deed, Finding, Severity, Stage
from provender.audit.outcome import State
from provender.audit.programme import DUTY, STANDARD, TASK, Item, NotNeeded, Visit, reasons_for
from provender.audit.statement.opinion import Engagement, criteria_of
from provender.audit.statement.statement import VerificationStatement
from provender.database.actor import today
from provender.paper.tables import Cell, Table, heads
from provender.problem import Weight, refuse
from provender.services.accounts.access import Access
from provender.services.audits import audits, programme, statement
from provender.services.audits.package_requests import papers_file
from provender.services.audits.programme import AuditAccess, addendum_of, check_verifies, result_of
from provender.services.audits.standing import covered_said
from provender.services.refused import MissingError
from provender.signing.canonical import canonical_json, read_json
from provender.signing.jws import DOCUMENT, check, envelope_hash
from provender.web import signing_pages
from provender.web.access import PersonRequest, of_organisation
from provender.web.audit import forms as audit_forms
from provender.web.inputs import attempt, said_plainly
from provender.web.tables import JSON, PDF, XLSX, ZIP, download, page_with_tables

_TITLES = {TASK: "For people", DUTY: "Duties", STANDARD: "Standards behind them"}
PLACE: Final = "the-line-it-is-of"
"""Where the name of a line stands in the form that lines of the same reasons share: a hundred took most of the time."""
_CHIPS = {State.SETTLED: ("met", "check"), State.DIFFERS: ("not-met", "cross"), State.OPEN: ("plain", "")}


@require_http_methods(["GET", "POST"])
@audit_forms.at_audit_led
def audit_work(request: PersonRequest, access: programme.AuditAccess) -> HttpResponseBase:
    """Show the programme; POST marks one line, with what was seen."""
    audit = access.audit
    sent = request.POST.get("line", "")
    item = programme.work_line(audit, sent) if sent else None
    form = audit_forms.line_form(sent, reasons_for(item) if item else (), request.POST or None)
    if item is not None and form.is_valid():
        mark = audits.read_said(audits.LineMark, form.said, "line")
        if attempt(form, lambda: programme.mark_line(audit, item, mark, actor=access.actor)):
            messages.success(request, f"Noted: {item.text}")
            return redirect(f"{request.path}#line-{item.line}")
    items, calendar = programme.items_of(audit), programme.calendar_of(audit, today())
    marks, visits = programme.marks_of(audit), {visit.window: visit for visit in calendar}
    refused = _refused(form)

    @cache
    def fields(reasons: tuple[NotNeeded, ...]) -> SafeString:
        return audit_forms.line_form(PLACE, reasons).render()

    left = {one.kind: one for one in statement.lines_open(audit)}
    groups = [
        _group(
            kind,
            [
                _line(item, marks, visits, refused.get(item.line) or fields(reasons_for(item)))
                for item in items
                if item.kind == kind
            ],
            refused,
            left.get(kind),
        )
        for kind in statement.KINDS
    ]
    told = {"open": sum(one.open for one in left.values()), "whole": len(items)}
    context = {
        "audit": audit,
        "groups": groups,
        "refused": next(iter(refused), ""),
        "recomputed": programme.outcomes_of(audit),
    }
    context["told"] = told
    context["calendar"] = _windows(calendar)
    return render(request, "audit/work.html", context)


def _refused(form: audit_forms.DeclaredForm) -> dict[str, SafeString]:
    """Return the line that could not be marked with its form as it was sent: what was typed, and why not beside it."""
    if not form.is_bound or not form.errors:
        return {}
    return {str(form["line"].value() or ""): form.render()}


def _group(
    kind: str, lines: list[dict[str, Any]], refused: dict[str, SafeString], left: statement.OpenLines | None
) -> dict[str, Any]:
    """Return the lines of one kind; people begin with the tasks, or with the line that was refused."""
    opens = kind == TASK or any(line["name"] in refused for line in lines)
    return {"title": _TITLES[kind], "lines": lines, "opens": opens, "left": left}


def _windows(calendar: Sequence[Visit]) -> dict[str, list[Visit]]:
    """Return the windows to come and open apart from those that are over: the work stands below the first."""
    apart: dict[str, list[Visit]] = {}
    for visit in calendar:
        apart.setdefault("over" if visit.when == "over" else "coming", []).append(visit)
    return apart


def _line(
    item: Item, marks: dict[str, programme.Marked], visits: dict[str, Visit], fields: SafeString
) -> dict[str, Any]:
    name = item.line
    entry = marks.get(name)
    mark = entry.said if entry else {}
    chip, icon = _CHIPS[item.state]
    return {
        "name": name,
        "item": item,
        "chip": chip,
        "icon": icon,
        "mark": mark,
        "entry": entry,
        "done": mark.get("state") in (audits.Mark.DONE, audits.Mark.NOT_NEEDED),
        "visit": visits.get(item.window),
        "form": mark_safe(fields.replace(PLACE, escape(name))),  # noqa: S308 - our own form, and the name escaped
    }


@require_GET
@audit_forms.at_audit_led
def audit_work_file(request: PersonRequest, access: programme.AuditAccess, ending: str) -> HttpResponseBase:
    """Give the programme as a spreadsheet or a PDF.

    Raises:
        MissingError: another kind of file was asked for.
    """
    audit = access.audit
    del request
    if ending not in ("xlsx", "pdf"):
        raise MissingError
    content = programme.programme_file(audit, "xlsx" if ending == "xlsx" else "pdf", today())
    return download(content, XLSX if ending == "xlsx" else PDF, f"program-{audit.handle}.{ending}")


# What an audit was engaged for, and the log of sites and drawn farms that were audited.


@require_http_methods(["GET", "POST"])
@audit_forms.at_audit_led
def audit_engagement(request: PersonRequest, access: programme.AuditAccess) -> HttpResponseBase:
    """Write what was agreed and planned; log what was seen."""
    audit = access.audit
    farms = statement.farms_drawn(audit)
    logging = "seen" in request.POST
    now = statement.engagement_of(audit)
    form = audit_forms.DeclaredForm(Engagement, None if logging else request.POST or None, said=now, partly=True)
    visit = audit_forms.visit_form(farms, audits.sites_of(audit), request.POST if logging else None)
    sent, take = (visit, statement.log_visit) if logging else (form, statement.record_engagement)
    if sent.is_valid() and attempt(sent, lambda: take(audit, sent.said, actor=access.actor)) is not None:
        messages.success(request, "It is in the visit log." if logging else "The engagement is saved.")
        return redirect("audit_engagement", access.organisation.handle, audit.handle)
    tables = {"visits": _visits(access, farms)}
    return page_with_tables(request, "audit/engagement.html", tables, {"audit": audit, "form": form, "visit": visit})


def _visits(access: programme.AuditAccess, farms: dict[str, str]) -> Table:
    audit = access.audit
    columns = heads("Place", "How", "Day", "By", "What was seen")
    rows = []
    for row in statement.seen_in(audit):
        place = Cell(farms.get(row.farm, row.farm) or row.site, note="drawn farm" if row.farm else "site")
        day = Cell(date_format(row.on, "DATE_FORMAT"))
        rows.append([place, Cell(row.way.capitalize()), day, Cell(row.by), Cell(row.seen)])
    return Table("visits", columns, rows, empty="Nothing has been logged yet.")


# Findings of an audit on the verifier's side: raised, resolved, reopened; every event stays.

_WEIGHTS = {Severity.MAJOR: "not-met", Severity.MINOR: "not-shown", Severity.OBSERVATION: "plain"}


def findings_table(access: programme.AuditAccess, view: str) -> Table:
    """Return the findings of an audit, each leading to its page on the reader's side."""
    audit = access.audit
    columns = heads("No.", "Weight", "What was found", "Must answer", "Due", "State")
    rows = []
    for one in audits.findings_of(audit):
        number, weight, what, due, state = finding_cells(one, view, access.organisation.handle, audit.handle)
        rows.append([number, weight, what, Cell(one.owner), due, state])
    return Table("findings", columns, rows, empty="No finding has been raised.")


def finding_cells(one: Finding, view: str, reader: str, audit: str) -> list[Cell]:
    """Return number, weight, words, last day and state of a finding, whose page is the reader's."""
    where = reverse(view, args=(reader, audit, one.number))
    note = f"{said_plainly(one.subject)} · 7 CFR {one.cite}"
    return [
        Cell(one.number, where),
        Cell(str(one.severity).capitalize(), chip=_WEIGHTS[one.severity]),
        Cell(said_plainly(one.text), note=note, saved=one.text),
        Cell(date_format(one.due, "DATE_FORMAT")),
        stage_cell(one),
    ]


def stage_cell(one: Finding) -> Cell:
    if one.stage is Stage.RESOLVED:
        return Cell(f"Resolved: {one.resolution}", chip="met")
    if one.overdue(today()):
        return Cell("Overdue", chip="not-met")
    return Cell("Answered", chip="plain") if one.stage is Stage.RESPONDED else Cell("Open", chip="not-shown")


@require_http_methods(["GET", "POST"])
@audit_forms.at_audit_led
def audit_findings(request: PersonRequest, access: programme.AuditAccess) -> HttpResponseBase:
    """List findings; raise one."""
    audit = access.audit
    begun = {"owner": str(audit.audited), "subject": str(audit.audited)}
    form = audit_forms.DeedForm(Deed.RAISED, request.POST or None, initial=begun, role=audit.role)
    if request.method == "POST" and form.is_valid():
        made = attempt(form, lambda: programme.raise_finding(audit, texts_of(form), actor=access.actor))
        if made is not None:
            messages.success(request, f"Finding {made.number} is raised. {programme.readers_of(audit, made)}")
            return redirect("audit_findings", access.organisation.handle, audit.handle)
    tables = {"findings": findings_table(access, "audit_finding")}
    return page_with_tables(request, "audit/findings.html", tables, {"audit": audit, "form": form})


def texts_of(form: forms.Form) -> dict[str, str]:
    """Return what a valid form says as texts; days as ISO."""
    return {name: str(value or "") for name, value in form.cleaned_data.items()}


@require_POST
@audit_forms.at_audit_led
def audit_finding_from(
    request: PersonRequest, access: programme.AuditAccess, number: int, index: int
) -> HttpResponseBase:
    """Make a difference of a recomputation a finding, in one click."""
    audit = access.audit
    one = programme.difference_of(result_of(audit, number), index)
    form = forms.Form({})
    form.is_valid()
    made = attempt(form, lambda: programme.raise_findings_from(audit, one, actor=access.actor))
    if made is None:
        messages.error(request, " ".join(map(str, form.non_field_errors())))
    else:
        messages.success(request, f"Finding {made.number}: {made.subject}.")
    return redirect("audit_result", access.organisation.handle, audit.handle, number)


@require_http_methods(["GET", "POST"])
@audit_forms.at_audit_led
def audit_finding(request: PersonRequest, access: programme.AuditAccess, number: str) -> HttpResponseBase:
    """Show a finding with everything that was said; resolve it, or open it again."""
    audit = access.audit
    one, events = programme.finding_named(audit, number)
    ended = one.stage is Stage.RESOLVED
    changing = "change" in request.POST
    sent = None if changing else request.POST or None
    effects = {name: str(getattr(one, name) or "") for name in EFFECTS}
    deed = Deed.REOPENED if ended else Deed.RESOLVED
    form = audit_forms.DeedForm(deed, sent, initial=effects)
    now = {"severity": str(one.severity), "cite": one.cite, "owner": one.owner, "due": one.due, **effects}
    told = request.POST if changing else None
    change = audit_forms.DeedForm(Deed.CHANGED, told, initial=now, auto_id="id_change_%s", role=audit.role)
    made = None
    if changing and change.is_valid():
        made = attempt(change, lambda: programme.change_finding(audit, one, texts_of(change), actor=access.actor))
    if made:
        readers = programme.readers_of(audit, made)
        messages.success(request, f"Finding {number} is changed; what it said before stays below. {readers}")
        return redirect("audit_finding", access.organisation.handle, audit.handle, number)
    if request.method == "POST" and not changing and form.is_valid():
        said = texts_of(form)
        if attempt(form, lambda: programme.add_finding_event(audit, deed, number, said, actor=access.actor)):
            messages.success(request, f"Finding {number} is {'open again' if ended else 'resolved'}.")
            return redirect("audit_finding", access.organisation.handle, audit.handle, number)
    state = stage_cell(one)
    context = {
        "audit": audit,
        "finding": one,
        "events": programme.with_changes(events),
        "form": form,
        "ended": ended,
        "state": state,
    }
    return render(request, "audit/finding.html", {**context, "change": change})


# The verification statement: written here, signed in the browser or elsewhere; the key that it is signed with.


@require_http_methods(["GET", "POST"])
@audit_forms.at_audit_led
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
    context = {
        "audit": audit,
        "form": form,
        "draft": draft,
        "sign": audit_forms.SignedForm(),
        **statement_context(access),
    }
    context["problems"] = audits.doubts(statement.against_signing(audit, draft)) if draft else ()
    context["blocked"] = any(one.weight is Weight.ERROR for one in context["problems"])
    context["needs"] = (
        () if audits.statement_of(audit) else [_need(access, one) for one in statement.needs_to_answer(audit)]
    )
    context |= {
        "typ": DOCUMENT,
        "mark": statement.mark_of(draft) if draft else "",
        **signing_pages.sealed_key(access, audits.KEYS),
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
        href = reverse(audit_forms.PAGES[need.where], args=(handle, access.audit.handle)) + place
    one = need.doubt
    said = {"cause": one.cause, "remedy": one.remedy, "cite": one.cite}
    return {**said, "href": href, "where": need.where, "farms": need.farms}


def statement_context(access: AuditAccess) -> dict[str, Any]:
    """Return the key the verifier signs with; once there is one, the signed statement, its hash, its key, what came."""
    audit = access.audit
    signed, held = audits.statement_of(audit), audits.KEYS.in_use(audit.verifier)
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


def _form(request: PersonRequest, access: AuditAccess, draft: VerificationStatement | None) -> audit_forms.DeclaredForm:
    said = draft.document() if draft else {"criteria": [*criteria_of(access.audit.covered_last)]}
    return audit_forms.DeclaredForm(audits.Words, request.POST if request.method == "POST" else None, said=said)


@require_GET
@audit_forms.at_audit_led
def audit_statement_file(request: PersonRequest, access: AuditAccess, ending: str) -> HttpResponseBase:
    """Give the statement: unsigned JSON to sign, or the signed one; PDF of either; unsigned with all its papers."""
    audit = access.audit
    if ending == "zip":
        name, papers = papers_file(audit, audit_forms.view_of(request), actor=access.actor)
        return FileResponse(papers, as_attachment=True, filename=name, content_type=ZIP)
    return statement_answer(access, ending)


def statement_answer(access: AuditAccess, ending: str) -> HttpResponse:
    """Return the statement of an audit as a file; errors as ``statement_file``."""
    audit = access.audit
    name, content = statement.statement_file(audit, ending)
    return download(content, JSON if ending == "json" else PDF, name)


@require_POST
@audit_forms.at_audit_led
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
    form = audit_forms.SignedForm(request.POST, request.FILES)
    if form.is_valid():
        content = form.cleaned_data["file"].read(statement.MAX_SIGNED + 1)
        entry = attempt(form, lambda: take_in(audit, content, actor=access.actor))
        if entry is not None:
            messages.success(request, said)
    for error in [*form.non_field_errors(), *form.errors.get("file", [])]:
        messages.error(request, str(error))
    return redirect("audit_statement", access.organisation.handle, audit.handle)


@require_POST
@audit_forms.at_audit_led
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
    said = addendum_of(audit, number).said
    return download(canonical_json(said), JSON, f"statement-{audit.handle}-later-{number}.json")


_MAX_KEY = 2**16
TOLD: Final = "Those you audit see its fingerprint."


@require_http_methods(["GET", "POST"])
@of_organisation("read", to_post="manage")
def audit_key(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show the verifier's keys; a manager registers one, made on the page or elsewhere."""
    check_verifies(access.organisation)
    if request.method == "POST" and request.content_type == "application/json":
        here = reverse("audit_key", args=(access.organisation.handle,))
        return signing_pages.answered(
            lambda: signing_pages.register_here(request, access, audits.KEYS, address=here, told=TOLD)
        )
    form = audit_forms.KeyForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        named = {"reason": form.cleaned_data["reason"], "today": today(), "actor": access.actor}
        made = attempt(form, lambda: audits.KEYS.register(access.organisation, _key_in(form.cleaned_data), **named))
        if made is not None:
            signing_pages.say_registered(request, made.public, TOLD)
            return redirect("audit_key", access.organisation.handle)
    keys = signing_pages.keys_table(
        access, audits.KEYS, empty="No key yet. Statements are taken in once one is registered."
    )
    context = {"form": form, **signing_pages.key_context(access, audits.KEYS)}
    return page_with_tables(request, "audit/key.html", {"keys": keys}, context)


def _key_in(data: dict[str, Any]) -> dict[str, Any]:
    shown = read_json(data["file"].read(_MAX_KEY), file="key")
    if not isinstance(shown, dict):
        raise refuse("key", "This is no key.", "Bring the file NAME.public.json of `provender keys new`.")
    return shown
