"""The verification statement of an audit: drafted here, signed on the verifier's own machine, read by both sides."""

import json
from typing import Annotated, Any

from django.http import FileResponse, HttpRequest, HttpResponse
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.audit.statement.opinion import Engagement, Way
from provender.problem import refuse
from provender.services.audits import statement
from provender.services.audits.audits import Doubt
from provender.services.audits.deeds import Visited, Words
from provender.services.audits.package_requests import papers_file
from provender.services.audits.programme import addenda_of, addendum_of
from provender.services.audits.records import statement_of
from provender.services.refused import MissingError
from provender.web.api.problems import caller_of
from provender.web.api.schema import PageQuery, page_of_list, page_of_schema, schema_of, shared, shown
from provender.web.audit.access import view_of
from provender.web.audit.api import audits
from provender.web.audit.api.audits import Code, Number, led, seen
from provender.web.tables import PDF, ZIP, download

router = Router(tags=["statements"])
DOUBT = schema_of(Doubt, name="NeedOut")
shared(Way)
ENGAGEMENT, VISIT = (
    schema_of(statement.EngagementView, name="EngagementOut"),
    schema_of(statement.SeenView, name="SeenOut"),
)
WordsIn, VisitIn = audits.says(Words, "WordsIn"), audits.says(Visited, "SeenIn")
EngagementIn = audits.says(Engagement, "EngagementIn", partly=True)
DRAFT, LATER = schema_of(statement.DraftView, name="DraftOut"), schema_of(statement.LaterView, name="LaterOut")


class EnvelopeIn(Schema):
    """A document signed on the verifier's own machine, as ``provender audit statement sign`` or ``add`` writes it."""

    document: dict[str, Any]
    signature: Annotated[str, Field(min_length=1, max_length=20_000)]


@audits.reads(router, "/statement/draft", DRAFT)
def get_draft(request: HttpRequest, audit: Code) -> Any:  # noqa: ANN401 - JSON
    """Return the statement as it is to be signed: ``document`` goes to ``provender audit statement sign``."""
    return shown(statement.draft_view(led(request, audit)))


@audits.writes(router, "/statement/draft", DRAFT)
def save_draft(request: HttpRequest, audit: Code, body: WordsIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Save a draft of the statement; the last one counts."""
    of_audit = led(request, audit)
    statement.draft_statement(of_audit, audits.said(body), actor=caller_of(request).actor)
    return Status(201, shown(statement.draft_view(of_audit)))


@audits.reads(router, "/statement/needs", list[DOUBT])  # type: ignore[valid-type]
def list_needs(request: HttpRequest, audit: Code) -> Any:  # noqa: ANN401 - JSON
    """List what a favorable opinion still needs: before, it is neither drafted nor signed."""
    return [shown(doubt) for doubt in statement.needs_of(led(request, audit))]


@audits.reads(router, "/engagement", ENGAGEMENT)
def get_engagement(request: HttpRequest, audit: Code) -> Any:  # noqa: ANN401 - JSON
    """Return what was agreed and planned, as it was said last."""
    return shown(statement.EngagementView(said=statement.engagement_of(led(request, audit))))


@audits.writes(router, "/engagement", ENGAGEMENT)
def say_engagement(request: HttpRequest, audit: Code, body: EngagementIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Say what was agreed and planned; parts that are not known yet may be left out, and every version stays."""
    of_audit = led(request, audit)
    statement.record_engagement(of_audit, audits.said(body), actor=caller_of(request).actor)
    return Status(201, shown(statement.EngagementView(said=statement.engagement_of(of_audit))))


@audits.reads(router, "/visits", page_of_schema(VISIT))
def list_seen(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the sites and drawn farms that were audited, in the order in which they were logged."""
    return page_of_list(statement.seen_in(led(request, audit)), page, shown)


@audits.writes(router, "/visits", VISIT)
def log_seen(request: HttpRequest, audit: Code, body: VisitIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Log a site or a drawn farm that was audited."""
    entry = statement.log_visit(led(request, audit), audits.said(body), actor=caller_of(request).actor)
    return Status(201, shown(statement.visit_view(entry)))


@audits.reads(router, "/statement", dict[str, Any])
def get_statement(request: HttpRequest, audit: Code) -> dict[str, Any]:
    """Return the signed verification statement; both sides keep it."""
    signed = statement_of(seen(request, audit))
    if signed is None:
        raise MissingError
    return signed


@audits.writes(router, "/statement", dict[str, Any])
def hand_in_statement(request: HttpRequest, audit: Code, body: EnvelopeIn) -> Status[dict[str, Any]]:
    """Hand in the signed statement: taken in when it is the draft as it stands, under the verifier's key on file."""
    of_audit = led(request, audit)
    return Status(201, statement.receive_statement(of_audit, _file_of(body), actor=caller_of(request).actor).said)


def _file_of(body: EnvelopeIn) -> bytes:
    """Return the bytes of the file that the caller holds.

    Raises:
        ProblemsError: it is nested too deeply to be a document.
    """
    try:
        return json.dumps(body.model_dump()).encode()
    except RecursionError:
        raise refuse("signed statement", "This is no statement.", "Sign the document as it was drafted.") from None


@audits.gives_file(router, "/statement/papers", ZIP)
def get_statement_papers(request: HttpRequest, audit: Code) -> FileResponse:
    """Return the unsigned statement in one zip with the papers that it is held against when it is signed."""
    name, papers = papers_file(led(request, audit), view_of(request), actor=caller_of(request).actor)
    return FileResponse(papers, as_attachment=True, filename=name, content_type=ZIP)


@audits.gives_file(router, "/statement/pdf", PDF)
def get_statement_pdf(request: HttpRequest, audit: Code) -> HttpResponse:
    """Return the statement as a PDF; before it is signed its verifier reads the draft, the party nothing."""
    of_audit = seen(request, audit)
    if statement_of(of_audit) is None:
        led(request, audit)
    name, content = statement.statement_file(of_audit, "pdf")
    return download(content, PDF, name)


@audits.reads(router, "/statement/later", page_of_schema(LATER))
def list_later(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the facts found after the statement was signed; both sides keep them."""
    return page_of_list(addenda_of(seen(request, audit)), page, lambda entry: shown(statement.later_view(entry)))


@audits.writes(router, "/statement/later", LATER)
def hand_in_later(request: HttpRequest, audit: Code, body: EnvelopeIn) -> Status[Any]:
    """Hand in a signed fact found later: the statement stands, is replaced or withdrawn; it is never edited."""
    entry = statement.receive_later_statement(led(request, audit), _file_of(body), actor=caller_of(request).actor)
    return Status(201, shown(statement.later_view(entry)))


@audits.reads(router, "/statement/later/{number}", LATER)
def get_later(request: HttpRequest, audit: Code, number: Number) -> Any:  # noqa: ANN401 - JSON
    """Return one fact found later, as it was signed."""
    return shown(statement.later_view(addendum_of(seen(request, audit), number)))
