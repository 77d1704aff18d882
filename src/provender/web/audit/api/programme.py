"""The work programme of an audit: its lines with what recomputation says, marks, calendar, and the papers of it."""

from datetime import date
from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router, Schema, Status

from provender.audit.findings.field_priorities import FieldPriority
from provender.audit.findings.programme import Item
from provender.audit.recompute.checks import State
from provender.database.models import AuditEntry
from provender.services.audits.audits import today
from provender.services.audits.programme import Mark, items_of, line_of, mark_lines, marks_of, places_of
from provender.web.api.auth import caller_of
from provender.web.api.file_answers import file_of
from provender.web.api.pages import Page, PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.audit.api.audits import EntryOut, entry_out
from provender.web.audit.api.door import READ, WRITE, Code, Line, LineOrNone, led
from provender.web.audit.door import work_line
from provender.web.audit.pages.programme import programme_file
from provender.web.tables import XLSX

router = Router(tags=["audit work"])
Named = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]


class MarkOut(Schema):
    """The last mark of a line."""

    state: Mark
    note: str
    evidence: str
    by: str
    at: str


class LineOut(Schema):
    """A line of the programme: what is verified by which paragraph, what recomputation says, what people noted."""

    line: str
    kind: str
    role: str
    cite: str
    text: str
    how: str
    state: State
    left: str
    window: str
    mark: MarkOut | None


class VisitOut(Schema):
    """A stretch of days in which something can be seen, and the tasks that wait for it."""

    window: str
    label: str
    first: date
    last: date
    source: str
    tasks: list[str]
    when: str


class MarkIn(Schema):
    """What became of a line, what was seen, and where it shows."""

    state: Mark
    note: Line
    evidence: LineOrNone = ""


@router.get("/audits/{audit}/work", response={200: Page[LineOut], **REFUSALS}, auth=READ)
def list_work(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the work programme, generated from the rule and prefilled by the last recomputation of each package."""
    found = led(caller_of(request), audit)
    marks = marks_of(found)
    items, _ = items_of(found)
    return page_of_list(items, page, lambda item: _line(item, marks.get(line_of(item))))


def _line(item: Item, mark: tuple[AuditEntry, dict[str, Any]] | None) -> LineOut:
    return LineOut(
        line=line_of(item), kind=item.kind, role=str(item.role), cite=item.cite, text=item.text, how=item.how,
        state=item.state, left=item.left, window=item.window, mark=_mark(*mark) if mark else None,
    )  # fmt: skip


def _mark(entry: AuditEntry, said: dict[str, Any]) -> MarkOut:
    shown = {name: said[name] for name in ("state", "note", "evidence")}
    return MarkOut(**shown, by=str(entry.actor), at=entry.at.isoformat())


@router.get("/audits/{audit}/work/calendar", response={200: Page[VisitOut], **REFUSALS}, auth=READ)
def list_visits(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the stretches of days in which stands, burndown and residue can be seen, by first day."""
    _, calendar = items_of(led(caller_of(request), audit))
    return page_of_list(calendar, page, lambda one: one.document(today()))


@router.get("/audits/{audit}/work/places", response={200: Page[dict[str, Any]], **REFUSALS}, auth=READ)
def list_places(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the ground to look at, most at stake first, by the last recomputation that held a farm."""
    return page_of_list(places_of(led(caller_of(request), audit)), page, FieldPriority.document)


@router.post("/audits/{audit}/work/{line}/marks", response={201: EntryOut, **REFUSALS}, auth=WRITE)
def mark_line(request: HttpRequest, audit: Code, line: Named, body: MarkIn) -> Status[EntryOut]:
    """Mark a line with what was seen; earlier marks stay in the entries."""
    caller = caller_of(request)
    found = led(caller, audit)
    item = work_line(found, line)
    return Status(201, entry_out(mark_lines(found, item, body.state, body.note, body.evidence, actor=caller.actor)))


@router.get(
    "/audits/{audit}/work/file/{ending}",
    response={200: None, **REFUSALS},
    auth=READ,
    openapi_extra=file_of(XLSX, "application/pdf"),
)
def get_work_file(request: HttpRequest, audit: Code, ending: Literal["xlsx", "pdf"]) -> HttpResponse:
    """Return the programme to carry along: a workbook to fill in, or a PDF."""
    return programme_file(led(caller_of(request), audit), ending)
