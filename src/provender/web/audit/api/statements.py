"""The verification statement of an audit: drafted here, signed on the verifier's own machine, read by both sides."""

import json
from typing import Annotated, Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.audit.statement.statement import Assurance, Opinion
from provender.database.models import AuditEntry, EntryKind
from provender.database.store.audits import data_of, entries, statement_of
from provender.problem import refuse
from provender.quantity import parse
from provender.rule.crops import Crop
from provender.services.audits.signed_statements import against_signing, draft_of
from provender.services.audits.statement import (
    Words,
    draft_statement,
    lines_of,
    receive_later_statement,
    receive_statement,
)
from provender.web.api.auth import caller_of
from provender.web.api.file_answers import file_of
from provender.web.api.pages import Page, PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import OneLine
from provender.web.audit.api import door
from provender.web.audit.api.door import READ, WRITE, Code, Doubt, Line, Number, doubt, led, seen
from provender.web.audit.door import entry_of
from provender.web.audit.pages.statement import statement_file

router = Router(tags=["statements"])
PDF = "application/pdf"


class WordsIn(Schema):
    """What people say in a statement; party, days, sample, findings and accreditation come from the audit."""

    lead_verifier: OneLine
    independent_reviewer: Annotated[OneLine, Field(description="Somebody who took no part in the audit.")]
    crops: Annotated[list[Crop], Field(min_length=1, max_length=len(Crop))]
    objectives: door.Words
    scope: door.Words
    criteria: Annotated[list[Line], Field(min_length=1, max_length=50)]
    assurance: Assurance
    materiality_pct: Annotated[
        str, Field(pattern=r"^(100|[0-9]{1,2})(\.[0-9]{1,3})?$", description="Percent, such as 5.")
    ]
    materiality: Annotated[Line, Field(description="How it was applied.")]
    opinion: Opinion
    basis: Annotated[str, Field(min_length=1, max_length=4000, pattern=r"^[^\x00]*\S[^\x00]*$")]


class DraftOut(Schema):
    """The statement as it is to be signed today, and what stands against that."""

    document: dict[str, Any]
    against: list[Doubt]


class EnvelopeIn(Schema):
    """A document signed on the verifier's own machine, as ``provender audit statement sign`` or ``add`` writes it."""

    document: dict[str, Any]
    signature: Annotated[str, Field(min_length=1, max_length=20_000)]


class LaterOut(Schema):
    """A fact found after the statement was signed, as it was signed."""

    number: int
    document: dict[str, Any]
    signature: str


@router.get("/audits/{audit}/statement/draft", response={200: DraftOut, **REFUSALS}, auth=READ)
def get_draft(request: HttpRequest, audit: Code) -> DraftOut:
    """Return the statement as it is to be signed: ``document`` goes to ``provender audit statement sign``."""
    found = led(caller_of(request), audit)
    draft = draft_of(found)
    if draft is None or statement_of(found) is not None:
        raise Http404
    return DraftOut(document=draft.document(), against=[doubt(one) for one in against_signing(found, draft)])


@router.post("/audits/{audit}/statement/draft", response={201: DraftOut, **REFUSALS}, auth=WRITE)
def save_draft(request: HttpRequest, audit: Code, body: WordsIn) -> Status[DraftOut]:
    """Save a draft of the statement; the last one counts."""
    caller = caller_of(request)
    found = led(caller, audit)
    said = body.model_dump()
    read = {
        "crops": tuple(map(str, body.crops)),
        "criteria": lines_of(body.criteria),
        "materiality_pct": parse(body.materiality_pct),
    }
    draft_statement(found, Words(**{**said, **read}), actor=caller.actor)
    return Status(201, get_draft(request, audit))


@router.get("/audits/{audit}/statement", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_statement(request: HttpRequest, audit: Code) -> dict[str, Any]:
    """Return the signed verification statement; both sides keep it."""
    found = statement_of(seen(caller_of(request), audit))
    if found is None:
        raise Http404
    return found


@router.post("/audits/{audit}/statement", response={201: dict[str, Any], **REFUSALS}, auth=WRITE)
def hand_in_statement(request: HttpRequest, audit: Code, body: EnvelopeIn) -> Status[dict[str, Any]]:
    """Hand in the signed statement: taken in when it is the draft as it stands, under the verifier's key on file."""
    caller = caller_of(request)
    found = led(caller, audit)
    return Status(201, data_of(receive_statement(found, _file_of(body), actor=caller.actor)))


def _file_of(body: EnvelopeIn) -> bytes:
    """Return the bytes of the file that the caller holds.

    Raises:
        ProblemsError: it is nested too deeply to be a document.
    """
    try:
        return json.dumps(body.model_dump()).encode()
    except RecursionError:
        raise refuse("signed statement", "This is no statement.", "Sign the document as it was drafted.") from None


@router.get(
    "/audits/{audit}/statement/pdf",
    response={200: None, **REFUSALS},
    auth=READ,
    openapi_extra=file_of(PDF),
)
def get_statement_pdf(request: HttpRequest, audit: Code) -> HttpResponse:
    """Return the statement as a PDF; before it is signed its verifier reads the draft, the party nothing."""
    caller = caller_of(request)
    found = seen(caller, audit)
    if statement_of(found) is None:
        led(caller, audit)
    return statement_file(found, "pdf")


def _later(entry: AuditEntry) -> LaterOut:
    return LaterOut(number=entry.number, **data_of(entry))


@router.get("/audits/{audit}/statement/later", response={200: Page[LaterOut], **REFUSALS}, auth=READ)
def list_later(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the facts found after the statement was signed; both sides keep them."""
    return page_of_list(entries(seen(caller_of(request), audit), EntryKind.ADDENDUM), page, _later)


@router.post("/audits/{audit}/statement/later", response={201: LaterOut, **REFUSALS}, auth=WRITE)
def hand_in_later(request: HttpRequest, audit: Code, body: EnvelopeIn) -> Status[LaterOut]:
    """Hand in a signed fact found later: the statement stands, is replaced or withdrawn; it is never edited."""
    caller = caller_of(request)
    return Status(201, _later(receive_later_statement(led(caller, audit), _file_of(body), actor=caller.actor)))


@router.get("/audits/{audit}/statement/later/{number}", response={200: LaterOut, **REFUSALS}, auth=READ)
def get_later(request: HttpRequest, audit: Code, number: Number) -> LaterOut:
    """Return one fact found later, as it was signed."""
    return _later(entry_of(seen(caller_of(request), audit), EntryKind.ADDENDUM, number))
