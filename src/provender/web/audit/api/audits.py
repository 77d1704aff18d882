"""Audits: those an organisation leads and those of it, how they stand, their entries; the yearly rhythm."""

from datetime import date
from typing import Annotated, Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.audit.findings.log import Stage
from provender.audit.statement.audit_cycle import Alert, Rhythm
from provender.audit.statement.statement import Role as AuditRole
from provender.database.models import Audit, AuditEntry, Organisation
from provender.database.store.audits import data_of, findings_of, open_grant, statement_of
from provender.services.audits.audits import Opening, today
from provender.services.audits.audits import open_audit as do_open_audit
from provender.services.audits.verifier_keys import verifier_key
from provender.web.api.auth import caller_of
from provender.web.api.pages import Page, PageQuery, page_of
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import OneLine
from provender.web.audit.api.door import READ, WRITE, Code, led, seen, seen_by
from provender.web.audit.pages.audits import rhythm_of, state_cell
from provender.web.audit.pages.home import steps_of

router = Router(tags=["audits"])


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
    state: Annotated[str, Field(description="As lists on pages say it.")]
    findings_open: int
    statement_signed: bool
    verifier_key: Annotated[str, Field(description="Fingerprint of the key under which the verifier signs now.")]


class AuditIn(Schema):
    """An audit to open: of whom, in which role, over which days."""

    audited: Annotated[str, Field(max_length=60, pattern=r"^[^\x00]*$", description="The party's code.")]
    role: AuditRole
    number: OneLine
    harvest_year: Annotated[int, Field(ge=2020, le=2100)]
    covered_first: date
    covered_last: date
    due_on: date


class AuditStep(Schema):
    """One step of an audit; ``done`` is null where nothing was begun."""

    step: str
    stands: str
    done: bool | None


class StandingOut(Schema):
    """How an audit stands for its verifier."""

    steps: list[AuditStep]
    days_left: Annotated[int, Field(description="Until the statement is due; negative when overdue.")]
    access_until: Annotated[date | None, Field(description="Null where the party does not let the verifier in today.")]


class RhythmOut(Schema):
    """Where a party stands in the yearly rhythm of audits; ``uncovered`` are first and last days without statement."""

    role: AuditRole
    alert: Alert
    due_on: date | None
    last_statement: str
    uncovered: list[tuple[date, date]]
    cite: str


class EntryOut(Schema):
    """Something that happened in an audit."""

    number: int
    kind: str
    at: str
    said: dict[str, Any]


def _out(one: Audit) -> AuditOut:
    held = verifier_key(one.verifier)
    return AuditOut(
        audit=one.handle, number=one.number, verifier=str(one.verifier), audited=str(one.audited), role=one.role,
        harvest_year=one.harvest_year, covered_first=one.covered_first, covered_last=one.covered_last,
        due_on=one.due_on, state=state_cell(one, today()).text,
        findings_open=sum(1 for each in findings_of(one) if each.stage is not Stage.RESOLVED),
        statement_signed=statement_of(one) is not None, verifier_key=held.fingerprint if held else "",
    )  # fmt: skip


def rhythm_out(found: Rhythm) -> RhythmOut:
    """Return a rhythm as the API tells it."""
    return RhythmOut(
        role=found.entity.role, alert=found.alert, due_on=found.due_on, last_statement=found.last_statement,
        uncovered=list(found.uncovered), cite=found.cite,
    )  # fmt: skip


def entry_out(one: AuditEntry) -> EntryOut:
    """Return an entry as the API tells it."""
    return EntryOut(number=one.number, kind=one.kind, at=one.at.isoformat(), said=data_of(one))


@router.get("/audits", response={200: Page[AuditOut], **REFUSALS}, auth=READ)
def list_audits(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the audits that the organisation leads and those of it."""
    rows = Audit.objects.select_related("verifier", "audited").filter(seen_by(caller_of(request)))
    return page_of(rows, page, _out)


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
def get_audit(request: HttpRequest, audit: Code) -> AuditOut:
    """Return one audit."""
    return _out(seen(caller_of(request), audit))


@router.get("/audits/{audit}/standing", response={200: StandingOut, **REFUSALS}, auth=READ)
def get_standing(request: HttpRequest, audit: Code) -> StandingOut:
    """Return how an audit stands: what is done, what comes next, until when the party lets its verifier in."""
    found, day = led(caller_of(request), audit), today()
    grant = open_grant(found.verifier, found.audited, day)
    steps = [AuditStep(step=one.label, stands=one.words, done=one.done) for one in steps_of(found, day)]
    left = (found.due_on - day).days
    return StandingOut(steps=steps, days_left=left, access_until=grant.last_day if grant else None)


@router.get("/audits/{audit}/entries", response={200: Page[EntryOut], **REFUSALS}, auth=READ)
def list_entries(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List what happened in an audit; its verifier alone sees this log."""
    return page_of(AuditEntry.objects.filter(audit=led(caller_of(request), audit)), page, entry_out)


@router.get("/rhythm", response={200: RhythmOut, **REFUSALS}, auth=READ)
def get_rhythm(request: HttpRequest) -> RhythmOut:
    """Return when the organisation's own next verification statement is due, and what no statement covers."""
    return rhythm_out(rhythm_of(caller_of(request).organisation, today()))
