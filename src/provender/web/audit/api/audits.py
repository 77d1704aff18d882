"""Audits: those an organisation leads and those of it, how they stand, their entries; the yearly cycle."""

from datetime import date
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.audit.programme.items import Role as AuditRole
from provender.audit.statement.audit_cycle import Alert
from provender.database.actor import today
from provender.services.audits import audits
from provender.services.audits.audits import HARVESTS, Opening
from provender.services.audits.lookup import audits_seen, entries_of, party_to_audit
from provender.services.audits.standing import (
    AuditView,
    CycleView,
    EntryView,
    StandingView,
    audit_view,
    cycle_of,
    entry_view,
    standing_of,
)
from provender.web.api.auth import caller_of
from provender.web.api.pages import PageQuery, page_of
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import OneLine
from provender.web.api.view_schema import page_of_schema, schema_of, shared, shown
from provender.web.audit.api.door import READ, WRITE, Code, led, seen

router = Router(tags=["audits"])
shared(AuditRole, Alert)
AUDIT, ENTRY = schema_of(AuditView, name="AuditOut"), schema_of(EntryView, name="EntryOut")
CYCLE = schema_of(CycleView, name="RhythmOut")


class AuditIn(Schema):
    """An audit to open: of whom, in which role, over which days."""

    audited: Annotated[str, Field(max_length=60, pattern=r"^[^\x00]*$", description="The party's code.")]
    role: AuditRole
    number: OneLine
    harvest_year: Annotated[int, Field(ge=HARVESTS[0], le=HARVESTS[1])]
    covered_first: date
    covered_last: date
    due_on: date


@router.get("/audits", response={200: page_of_schema(AUDIT), **REFUSALS}, auth=READ)
def list_audits(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the audits that the organization leads and those of it."""
    return page_of(audits_seen(caller_of(request).organisation), page, lambda audit: shown(audit_view(audit, today())))


@router.post("/audits", response={201: AUDIT, **REFUSALS}, auth=WRITE)
def open_audit(request: HttpRequest, body: AuditIn) -> Status[Any]:
    """Open an audit of a party that lets the verifier in today (2100.041)."""
    caller = caller_of(request)
    audited = party_to_audit(caller.organisation, body.audited)
    opening = Opening(**body.model_dump(exclude={"audited"}))
    opened = audits.open_audit(caller.organisation, audited, opening, actor=caller.actor)
    return Status(201, shown(audit_view(opened, today())))


@router.get("/audits/{audit}", response={200: AUDIT, **REFUSALS}, auth=READ)
def get_audit(request: HttpRequest, audit: Code) -> Any:  # noqa: ANN401 - JSON
    """Return one audit."""
    return shown(audit_view(seen(request, audit), today()))


@router.get(
    "/audits/{audit}/standing", response={200: schema_of(StandingView, name="StandingOut"), **REFUSALS}, auth=READ
)
def get_standing(request: HttpRequest, audit: Code) -> Any:  # noqa: ANN401 - JSON
    """Return how an audit stands: what is done, what comes next, until when the party lets its verifier in."""
    return shown(standing_of(led(request, audit), today()))


@router.get("/audits/{audit}/entries", response={200: page_of_schema(ENTRY), **REFUSALS}, auth=READ)
def list_entries(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List what happened in an audit; its verifier alone sees this log."""
    return page_of(entries_of(led(request, audit)), page, lambda entry: shown(entry_view(entry)))


@router.get("/rhythm", response={200: CYCLE, **REFUSALS}, auth=READ)
def get_rhythm(request: HttpRequest) -> Any:  # noqa: ANN401 - JSON
    """Return when the organization's own next verification statement is due, and what no statement covers."""
    return shown(cycle_of(caller_of(request).organisation, today()))
