"""Findings of an audit: raised and ended by the verifier, answered by the party; both sides see every event."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router, Schema, Status

from provender.audit.fieldwork import FieldPriority
from provender.audit.findings import Bearing, Changed, Deed, Raised, Reopened, Resolution, Resolved, Responded, Severity
from provender.audit.outcome import State
from provender.audit.programme import NotNeeded, Visit
from provender.database.actor import today
from provender.services.audits import findings, programme
from provender.services.audits.deeds import LineMark, Mark, read_said
from provender.services.audits.findings import FindingView, FindingWholeView, finding_view
from provender.services.audits.standing import entry_view
from provender.web.api import schema
from provender.web.api.problems import caller_of
from provender.web.audit.api import audits
from provender.web.tables import PDF, XLSX, download

router = Router(tags=["findings"])
Named = Annotated[str, Path(max_length=10, pattern=r"^[0-9]+$", description="Number of the finding.")]


schema.shared(Severity, Bearing, Resolution)
FINDING = schema.schema_of(FindingView, name="FindingOut")


Finder = Callable[[HttpRequest, str], Any]


FindingIn, ResponseIn = audits.says(Raised, "FindingIn"), audits.says(Responded, "ResponseIn")
ResolutionIn, ReopeningIn = audits.says(Resolved, "ResolutionIn"), audits.says(Reopened, "ReopeningIn")
FindingChangeIn = audits.says(Changed, "FindingChangeIn")


def _texts(body: Schema) -> dict[str, str]:
    return {name: str(value) for name, value in body.model_dump(mode="json").items() if value is not None}


def _add(find: Finder, request: HttpRequest, audit: str, deed: Deed, number: str, body: Schema) -> Status[Any]:
    """Add an event to a finding that is there, of an audit that whoever calls may find so."""
    of_audit = find(request, audit)
    finding, _ = programme.finding_named(of_audit, number)
    actor = caller_of(request).actor
    after = findings.add_finding_event(of_audit, deed, finding.number, _texts(body), actor=actor)
    return Status(201, schema.shown(finding_view(after)))


@audits.reads(router, "/findings", schema.page_of_schema(FINDING))
def list_findings(request: HttpRequest, audit: audits.Code, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the findings as they stand; both sides see them, and a party that must answer some sees those."""
    found = programme.findings_seen(caller_of(request).organisation, audits.with_findings(request, audit))
    return schema.page_of_list(found, page, lambda finding: schema.shown(finding_view(finding)))


@audits.writes(router, "/findings", FINDING)
def raise_finding(request: HttpRequest, audit: audits.Code, body: FindingIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Raise a finding."""
    raised = findings.raise_finding(audits.led(request, audit), _texts(body), actor=caller_of(request).actor)
    return Status(201, schema.shown(finding_view(raised)))


@audits.reads(router, "/findings/{number}", schema.schema_of(FindingWholeView, name="FindingWhole"))
def get_finding(request: HttpRequest, audit: audits.Code, number: Named) -> Any:  # noqa: ANN401 - JSON
    """Return a finding with everything that was said about it; both sides see it, and the party that must answer."""
    of_audit = audits.with_findings(request, audit)
    return schema.shown(
        findings.finding_whole(*programme.finding_seen(caller_of(request).organisation, of_audit, number))
    )


@audits.writes(router, "/findings/{number}/response", FINDING)
def respond(request: HttpRequest, audit: audits.Code, number: Named, body: ResponseIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Answer a finding, as the audited party or as the party it names."""
    caller = caller_of(request)
    of_audit = audits.to_answer(request, audit)
    finding, _ = programme.finding_seen(caller.organisation, of_audit, number)
    after = findings.answer_finding(of_audit, finding, _texts(body), caller.organisation, actor=caller.actor)
    return Status(201, schema.shown(finding_view(after)))


@audits.writes(router, "/findings/{number}/resolution", FINDING)
def resolve(request: HttpRequest, audit: audits.Code, number: Named, body: ResolutionIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """End a finding, as the verifier."""
    return _add(audits.led, request, audit, Deed.RESOLVED, number, body)


@audits.writes(router, "/findings/{number}/reopening", FINDING)
def reopen_finding(request: HttpRequest, audit: audits.Code, number: Named, body: ReopeningIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Open a finding again that was ended, as the verifier."""
    return _add(audits.led, request, audit, Deed.REOPENED, number, body)


@audits.writes(router, "/findings/{number}/changes", FINDING)
def change_finding(request: HttpRequest, audit: audits.Code, number: Named, body: FindingChangeIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Change weight, paragraph, owner or due date of a finding with a reason; what it said before stays."""
    of_audit = audits.led(request, audit)
    finding, _ = programme.finding_named(of_audit, number)
    changed = findings.change_finding(of_audit, finding, _texts(body), actor=caller_of(request).actor)
    return Status(201, schema.shown(finding_view(changed)))


# The work programme of an audit: its lines with what recomputation says, marks, calendar, and the papers of it.

programme_router = Router(tags=["audit work"])
ProgrammeNamed = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]


schema.shared(Mark, State, NotNeeded)
schema.schema_of(programme.MarkView, name="MarkOut")
LINE, VISIT = (schema.schema_of(programme.WorkLineView, name="LineOut"), schema.schema_of(Visit, name="VisitOut"))


MarkIn = audits.says(LineMark, "MarkIn")


@audits.reads(programme_router, "/work", schema.page_of_schema(LINE))
def list_work(request: HttpRequest, audit: audits.Code, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the work program, generated from the rule and prefilled by the last recomputation of each package."""
    return schema.page_of_list(programme.work_lines(audits.led(request, audit)), page, schema.shown)


@audits.reads(programme_router, "/work/calendar", schema.page_of_schema(VISIT))
def list_visits(request: HttpRequest, audit: audits.Code, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the stretches of days in which stands, burndown and residue can be seen, by first day."""
    return schema.page_of_list(programme.calendar_of(audits.led(request, audit), today()), page, schema.shown)


@audits.reads(programme_router, "/work/places", schema.Page[dict[str, Any]])
def list_places(request: HttpRequest, audit: audits.Code, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the ground to look at, most at stake first, by the last recomputation that held a farm."""
    return schema.page_of_list(programme.places_of(audits.led(request, audit)), page, FieldPriority.document)


@audits.writes(programme_router, "/work/{line}/marks", audits.ENTRY)
def mark_line(request: HttpRequest, audit: audits.Code, line: ProgrammeNamed, body: MarkIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Mark a line with what was seen; earlier marks stay in the entries."""
    of_audit = audits.led(request, audit)
    item, mark = programme.work_line(of_audit, line), read_said(LineMark, audits.said(body), "line")
    entry = programme.mark_line(of_audit, item, mark, actor=caller_of(request).actor)
    return Status(201, schema.shown(entry_view(entry)))


@audits.gives_file(programme_router, "/work/file/{ending}", XLSX, "application/pdf")
def get_work_file(request: HttpRequest, audit: audits.Code, ending: Literal["xlsx", "pdf"]) -> HttpResponse:
    """Return the program to carry along: a workbook to fill in, or a PDF."""
    content = programme.programme_file(audits.led(request, audit), ending, today())
    return download(content, XLSX if ending == "xlsx" else PDF, f"program-{audit}.{ending}")
