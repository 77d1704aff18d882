"""The work programme of an audit: its lines with what recomputation says, marks, calendar, and the papers of it."""

from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router, Schema, Status

from provender.audit.fieldwork.field_priorities import FieldPriority
from provender.audit.outcome import State
from provender.database.actor import today
from provender.services.audits.lookup import work_line
from provender.services.audits.programme import (
    Mark,
    MarkView,
    VisitView,
    WorkLineView,
    items_of,
    mark_lines,
    places_of,
    programme_file,
    visit_view,
    work_lines,
)
from provender.services.audits.standing import entry_view
from provender.web.api.auth import caller_of
from provender.web.api.pages import Page, PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.view_schema import file_of, page_of_schema, schema_of, shared, shown
from provender.web.audit.api.audits import ENTRY
from provender.web.audit.api.door import READ, WRITE, Code, Line, LineOrNone, led
from provender.web.download import PDF, XLSX, download

router = Router(tags=["audit work"])
Named = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]


shared(Mark, State)
schema_of(MarkView, name="MarkOut")
LINE, VISIT = schema_of(WorkLineView, name="LineOut"), schema_of(VisitView, name="VisitOut")


class MarkIn(Schema):
    """What became of a line, what was seen, and where it shows."""

    state: Mark
    note: Line
    evidence: LineOrNone = ""


@router.get("/audits/{audit}/work", response={200: page_of_schema(LINE), **REFUSALS}, auth=READ)
def list_work(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the work program, generated from the rule and prefilled by the last recomputation of each package."""
    return page_of_list(work_lines(led(request, audit)), page, shown)


@router.get("/audits/{audit}/work/calendar", response={200: page_of_schema(VISIT), **REFUSALS}, auth=READ)
def list_visits(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the stretches of days in which stands, burndown and residue can be seen, by first day."""
    _, calendar = items_of(led(request, audit))
    return page_of_list(calendar, page, lambda visit: shown(visit_view(visit, today())))


@router.get("/audits/{audit}/work/places", response={200: Page[dict[str, Any]], **REFUSALS}, auth=READ)
def list_places(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the ground to look at, most at stake first, by the last recomputation that held a farm."""
    return page_of_list(places_of(led(request, audit)), page, FieldPriority.document)


@router.post("/audits/{audit}/work/{line}/marks", response={201: ENTRY, **REFUSALS}, auth=WRITE)
def mark_line(request: HttpRequest, audit: Code, line: Named, body: MarkIn) -> Status[Any]:
    """Mark a line with what was seen; earlier marks stay in the entries."""
    of_audit = led(request, audit)
    item, actor = work_line(of_audit, line), caller_of(request).actor
    return Status(201, shown(entry_view(mark_lines(of_audit, item, body.state, body.note, body.evidence, actor=actor))))


@router.get(
    "/audits/{audit}/work/file/{ending}",
    response={200: None, **REFUSALS},
    auth=READ,
    openapi_extra=file_of(XLSX, "application/pdf"),
)
def get_work_file(request: HttpRequest, audit: Code, ending: Literal["xlsx", "pdf"]) -> HttpResponse:
    """Return the program to carry along: a workbook to fill in, or a PDF."""
    content = programme_file(led(request, audit), ending, today())
    return download(content, XLSX if ending == "xlsx" else PDF, f"program-{audit}.{ending}")
