"""Findings of an audit: raised and ended by the verifier, answered by the party; both sides see every event."""

from datetime import date
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Query, Router, Schema, Status
from pydantic import Field

from provender.audit.findings.log import Deed, Finding, Resolution, Severity
from provender.database.models import Audit
from provender.database.store.audits import findings_of
from provender.services.audits.audits import today
from provender.services.audits.findings import add_finding_event
from provender.services.audits.findings import change_finding as do_change
from provender.services.audits.findings import raise_finding as do_raise
from provender.web.api.auth import Caller, caller_of
from provender.web.api.pages import Page, PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import OneLine
from provender.web.audit.api.door import READ, WRITE, Code, LineOrNone, Words, led, of_us, seen
from provender.web.audit.door import finding_named

router = Router(tags=["findings"])
Named = Annotated[str, Path(max_length=10, pattern=r"^[0-9]+$", description="Number of the finding.")]


class FindingOut(Schema):
    """A finding as it stands."""

    number: str
    severity: Severity
    cite: str
    subject: str
    text: str
    owner: str
    due: date
    overdue: bool
    stage: str
    response: str
    resolution: str
    effect_bushels: str


class FindingWhole(FindingOut):
    """A finding with everything that was said, the first event first."""

    events: list[dict[str, Any]]


class FindingIn(Schema):
    """A finding to raise."""

    severity: Severity
    cite: Annotated[str, Field(max_length=40, description="Such as 2100.034(d).")]
    subject: OneLine
    text: Words
    owner: OneLine
    due: date
    effect_bushels: Annotated[
        str, Field(max_length=30, pattern=r"^[^\x00-\x1f\x7f]*$", description="Bushels whose claim depends on it.")
    ] = ""


class ResponseIn(Schema):
    """What the audited party answers, and where it shows."""

    text: Words
    evidence: LineOrNone = ""


class ResolutionIn(Schema):
    """How the verifier ends a finding."""

    resolution: Resolution
    text: Words


class ReopeningIn(Schema):
    """Why a finding goes on, and until when."""

    text: Words
    due: date


class FindingChangeIn(Schema):
    """Another weight, owner or due date, with the reason; what is null stays."""

    severity: Severity | None = None
    owner: OneLine | None = None
    due: date | None = None
    text: Words


def _fields(one: Finding) -> dict[str, Any]:
    return {
        "number": one.number, "severity": one.severity, "cite": one.cite, "subject": one.subject, "text": one.text,
        "owner": one.owner, "due": one.due, "overdue": one.overdue(today()), "stage": str(one.stage),
        "response": one.response, "resolution": str(one.resolution or ""), "effect_bushels": one.effect_bushels,
    }  # fmt: skip


def finding_out(one: Finding) -> FindingOut:
    """Return a finding as the API tells it."""
    return FindingOut(**_fields(one))


def _said(body: Schema) -> dict[str, str]:
    return {name: str(value) for name, value in body.model_dump(mode="json").items() if value is not None}


def _say(caller: Caller, audit: Audit, deed: Deed, number: str, body: Schema) -> Status[FindingOut]:
    """Add an event to a finding that is there.

    Raises:
        Http404: the audit has no such finding.
    """
    one, _ = finding_named(audit, number)
    return Status(201, finding_out(add_finding_event(audit, deed, one.number, _said(body), actor=caller.actor)))


@router.get("/audits/{audit}/findings", response={200: Page[FindingOut], **REFUSALS}, auth=READ)
def list_findings(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the findings as they stand; both sides see them."""
    return page_of_list(findings_of(seen(caller_of(request), audit)), page, finding_out)


@router.post("/audits/{audit}/findings", response={201: FindingOut, **REFUSALS}, auth=WRITE)
def raise_finding(request: HttpRequest, audit: Code, body: FindingIn) -> Status[FindingOut]:
    """Raise a finding."""
    caller = caller_of(request)
    return Status(201, finding_out(do_raise(led(caller, audit), _said(body), actor=caller.actor)))


@router.get("/audits/{audit}/findings/{number}", response={200: FindingWhole, **REFUSALS}, auth=READ)
def get_finding(request: HttpRequest, audit: Code, number: Named) -> FindingWhole:
    """Return a finding with everything that was said about it; both sides see it."""
    one, events = finding_named(seen(caller_of(request), audit), number)
    return FindingWhole(**_fields(one), events=[dict(event) for event in events])


@router.post("/audits/{audit}/findings/{number}/response", response={201: FindingOut, **REFUSALS}, auth=WRITE)
def respond(request: HttpRequest, audit: Code, number: Named, body: ResponseIn) -> Status[FindingOut]:
    """Answer a finding, as the audited party."""
    caller = caller_of(request)
    return _say(caller, of_us(caller, audit), Deed.RESPONDED, number, body)


@router.post("/audits/{audit}/findings/{number}/resolution", response={201: FindingOut, **REFUSALS}, auth=WRITE)
def resolve(request: HttpRequest, audit: Code, number: Named, body: ResolutionIn) -> Status[FindingOut]:
    """End a finding, as the verifier."""
    caller = caller_of(request)
    return _say(caller, led(caller, audit), Deed.RESOLVED, number, body)


@router.post("/audits/{audit}/findings/{number}/reopening", response={201: FindingOut, **REFUSALS}, auth=WRITE)
def reopen_finding(request: HttpRequest, audit: Code, number: Named, body: ReopeningIn) -> Status[FindingOut]:
    """Open a finding again that was ended, as the verifier."""
    caller = caller_of(request)
    return _say(caller, led(caller, audit), Deed.REOPENED, number, body)


@router.post("/audits/{audit}/findings/{number}/changes", response={201: FindingOut, **REFUSALS}, auth=WRITE)
def change_finding(request: HttpRequest, audit: Code, number: Named, body: FindingChangeIn) -> Status[FindingOut]:
    """Change weight, owner or due date of a finding with a reason; what it said before stays."""
    caller = caller_of(request)
    found = led(caller, audit)
    one, _ = finding_named(found, number)
    return Status(201, finding_out(do_change(found, one, _said(body), actor=caller.actor)))
