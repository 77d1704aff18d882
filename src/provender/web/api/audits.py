"""Audits: those an organisation leads, those of it, their entries, the farm sample, findings and statements."""

from datetime import date
from typing import Annotated, Any

from django.db.models import Q
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Query, Router, Schema, Status
from ninja.errors import HttpError
from pydantic import Field

from provender.audit.findings import Deed, Finding, Resolution, Severity
from provender.audit.statement import Role as AuditRole
from provender.database.audit_draw import sample_of
from provender.database.audits import data_of, finding_events, findings_of, open_grant, statement_of
from provender.database.deeds.audit_sample import do_commit_seed, do_freeze_farms
from provender.database.deeds.audits import Opening, do_open_audit, do_write_finding
from provender.database.deeds.grants import do_log_look
from provender.database.models import Audit, AuditEntry, Organisation, Scope
from provender.web.api.auth import Caller, Needs, caller_of
from provender.web.api.pages import Page, PageQuery, page_of, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import OneLine

router = Router(tags=["audits"])
READ, WRITE = Needs(Scope.AUDIT_READ), Needs(Scope.AUDIT_WRITE)
Words = Annotated[str, Field(min_length=1, max_length=2000, pattern=r"^[^\x00]+$")]


class AuditOut(Schema):
    """An audit, as both sides see it."""

    audit: str
    number: str
    verifier: str
    audited: str
    role: str
    harvest_year: int
    covered_first: date
    covered_last: date
    due_on: date
    statement_signed: bool


class AuditIn(Schema):
    """An audit to open: of whom, in which role, over which days."""

    audited: Annotated[str, Field(max_length=60, description="The party's code.")]
    role: AuditRole
    number: OneLine
    harvest_year: Annotated[int, Field(ge=2020, le=2100)]
    covered_first: date
    covered_last: date
    due_on: date


class EntryOut(Schema):
    """Something that happened in an audit."""

    number: int
    kind: str
    at: str
    said: dict[str, Any]


class FindingOut(Schema):
    """A finding as it stands."""

    number: str
    severity: str
    cite: str
    subject: str
    text: str
    owner: str
    due: date
    stage: str
    resolution: str


class FindingIn(Schema):
    """A finding to raise."""

    severity: Severity
    cite: Annotated[str, Field(max_length=40, description="Such as 2100.034(d).")]
    subject: OneLine
    text: Words
    owner: OneLine
    due: date


class ResponseIn(Schema):
    """What the audited party answers."""

    text: Words


class ResolutionIn(Schema):
    """How the verifier ends a finding."""

    resolution: Resolution
    text: Words


class SeedIn(Schema):
    """The committed seed; ``size`` asks for more farms than the minimum."""

    seed: OneLine
    size: Annotated[int | None, Field(ge=1, le=1_000_000)] = None


def _seen(caller: Caller) -> Q:
    return Q(verifier=caller.organisation) | Q(audited=caller.organisation)


def _audit(caller: Caller, handle: str) -> Audit:
    return get_object_or_404(Audit.objects.select_related("verifier", "audited").filter(_seen(caller)), handle=handle)


def _led(caller: Caller, handle: str) -> Audit:
    """Return an audit that the caller leads.

    Raises:
        Http404: it leads no such audit.
    """
    audits = Audit.objects.select_related("verifier", "audited")
    return get_object_or_404(audits, handle=handle, verifier=caller.organisation)


def _out(one: Audit) -> AuditOut:
    return AuditOut(
        audit=one.handle, number=one.number, verifier=str(one.verifier), audited=str(one.audited), role=one.role,
        harvest_year=one.harvest_year, covered_first=one.covered_first, covered_last=one.covered_last,
        due_on=one.due_on, statement_signed=statement_of(one) is not None,
    )  # fmt: skip


@router.get("/audits", response={200: Page[AuditOut], **REFUSALS}, auth=READ)
def list_audits(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the audits that the organisation leads and those of it."""
    return page_of(Audit.objects.select_related("verifier", "audited").filter(_seen(caller_of(request))), page, _out)


@router.post("/audits", response={201: AuditOut, **REFUSALS}, auth=WRITE)
def open_audit(request: HttpRequest, body: AuditIn) -> Status[AuditOut]:
    """Open an audit of a party that lets the verifier in today (2100.041)."""
    caller = caller_of(request)
    audited = get_object_or_404(
        Organisation.objects.distinct(), handle=body.audited, grants_given__verifier=caller.organisation
    )
    opening = Opening(body.role, body.number, body.harvest_year, body.covered_first, body.covered_last, body.due_on)
    return Status(201, _out(do_open_audit(caller.organisation, audited, opening, actor=caller.actor)))


@router.get("/audits/{audit}", response={200: AuditOut, **REFUSALS}, auth=READ)
def get_audit(request: HttpRequest, audit: str) -> AuditOut:
    """Return one audit."""
    return _out(_audit(caller_of(request), audit))


@router.get("/audits/{audit}/entries", response={200: Page[EntryOut], **REFUSALS}, auth=READ)
def list_entries(request: HttpRequest, audit: str, page: Query[PageQuery]) -> dict[str, object]:
    """List what happened in an audit; its verifier alone sees this log."""
    found = _led(caller_of(request), audit)
    return page_of(AuditEntry.objects.filter(audit=found), page, _entry)


def _entry(one: AuditEntry) -> EntryOut:
    return EntryOut(number=one.number, kind=one.kind, at=one.at.isoformat(), said=data_of(one))


@router.post("/audits/{audit}/population", response={201: EntryOut, **REFUSALS}, auth=WRITE)
def freeze(request: HttpRequest, audit: str) -> Status[EntryOut]:
    """Freeze and hash the farms of the audited party's incoming lots, before any seed is committed."""
    caller = caller_of(request)
    found = _led(caller, audit)
    grant = open_grant(found.verifier, found.audited, timezone.now().date())
    if grant is None:
        raise HttpError(403, f"{found.audited} does not let you read today.")
    do_log_look(grant, "api:freeze", actor=caller.actor)
    return Status(201, _entry(do_freeze_farms(found, actor=caller.actor)))


@router.post("/audits/{audit}/seed", response={201: EntryOut, **REFUSALS}, auth=WRITE)
def draw(request: HttpRequest, audit: str, body: SeedIn) -> Status[EntryOut]:
    """Commit the seed and draw the sample."""
    caller = caller_of(request)
    return Status(201, _entry(do_commit_seed(_led(caller, audit), body.seed, body.size, actor=caller.actor)))


@router.get("/audits/{audit}/sample", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_sample(request: HttpRequest, audit: str) -> dict[str, Any]:
    """Return the sample file: everything that is needed to draw it again."""
    return sample_of(_led(caller_of(request), audit))


def _finding(one: Finding) -> FindingOut:
    return FindingOut(
        number=one.number, severity=str(one.severity), cite=one.cite, subject=one.subject, text=one.text,
        owner=one.owner, due=one.due, stage=str(one.stage), resolution=str(one.resolution or ""),
    )  # fmt: skip


@router.get("/audits/{audit}/findings", response={200: Page[FindingOut], **REFUSALS}, auth=READ)
def list_findings(request: HttpRequest, audit: str, page: Query[PageQuery]) -> dict[str, object]:
    """List the findings as they stand; both sides see them."""
    return page_of_list(findings_of(_audit(caller_of(request), audit)), page, _finding)


def _write(caller: Caller, audit: Audit, deed: Deed, number: str, said: dict[str, str]) -> FindingOut:
    day = timezone.now().date().isoformat()
    event = {"deed": str(deed), "finding": number, "on": day, "by": str(caller.token.created_by), **said}
    do_write_finding(audit, event, actor=caller.actor)
    return next(_finding(one) for one in findings_of(audit) if one.number == number)


@router.post("/audits/{audit}/findings", response={201: FindingOut, **REFUSALS}, auth=WRITE)
def raise_finding(request: HttpRequest, audit: str, body: FindingIn) -> Status[FindingOut]:
    """Raise a finding."""
    caller = caller_of(request)
    found = _led(caller, audit)
    number = str(sum(1 for event in finding_events(found) if event["deed"] == Deed.RAISED) + 1)
    said = {name: str(value) for name, value in body.model_dump(mode="json").items()}
    return Status(201, _write(caller, found, Deed.RAISED, number, said))


@router.post("/audits/{audit}/findings/{number}/response", response={201: FindingOut, **REFUSALS}, auth=WRITE)
def respond(request: HttpRequest, audit: str, number: str, body: ResponseIn) -> Status[FindingOut]:
    """Answer a finding, as the audited party."""
    caller = caller_of(request)
    found = get_object_or_404(Audit, handle=audit, audited=caller.organisation)
    return Status(201, _write(caller, found, Deed.RESPONDED, _known(found, number), {"text": body.text}))


@router.post("/audits/{audit}/findings/{number}/resolution", response={201: FindingOut, **REFUSALS}, auth=WRITE)
def resolve(request: HttpRequest, audit: str, number: str, body: ResolutionIn) -> Status[FindingOut]:
    """End a finding, as the verifier."""
    caller = caller_of(request)
    found = _led(caller, audit)
    said = {"resolution": str(body.resolution), "text": body.text}
    return Status(201, _write(caller, found, Deed.RESOLVED, _known(found, number), said))


def _known(audit: Audit, number: str) -> str:
    if all(one.number != number for one in findings_of(audit)):
        raise Http404
    return number


@router.get("/audits/{audit}/statement", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_statement(request: HttpRequest, audit: str) -> dict[str, Any]:
    """Return the signed verification statement."""
    found = statement_of(_audit(caller_of(request), audit))
    if found is None:
        raise Http404
    return found
