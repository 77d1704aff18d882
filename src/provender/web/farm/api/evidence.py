"""Evidence of a farm: what stands in the book with its stored file, and taking a stored file in."""

from datetime import date
from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.services.farm.book import farm_book_of
from provender.services.farm.uploads import upload_of
from provender.services.imports.evidence import EvidenceDetails, evidence_of, store_evidence
from provender.web.api.auth import RECORDS_READ, RECORDS_WRITE, caller_of
from provender.web.api.pages import Page, PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.farm.api.records import book_of

router = Router(tags=["evidence"])
Text = Annotated[str, Field(max_length=500, pattern=r"^[^\x00-\x1f\x7f]*$")]


class EvidenceOut(Schema):
    """A row of evidence; ``file`` is the code of its stored file, empty where none is stored here."""

    key: str
    row: dict[str, str]
    file: str


class EvidenceIn(Schema):
    """A stored file to take in: what it is, which unit it is about, and the record it is for by kind and key."""

    file: Annotated[str, Field(max_length=60)]
    what: Annotated[str, Field(max_length=60, description="A word of the column `what` of kind `evidence`.")]
    unit_id: Annotated[Text, Field(max_length=80)] = ""
    taken_on: date | None = None
    note: Text = ""
    kind: Annotated[str, Field(max_length=60)] = ""
    key: Annotated[Text, Field(max_length=400)] = ""


class TakenIn(Schema):
    """What came of it: the change that keeps it or, for a photograph, the import that reads its place and time."""

    version: int | None
    import_code: str


@router.get("/evidence", response={200: Page[EvidenceOut], **REFUSALS}, auth=RECORDS_READ)
def list_evidence(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the evidence in the book."""
    found = list(evidence_of(book_of(request)))
    return page_of_list(found, page, lambda one: EvidenceOut(key=one[0], row=one[1], file=one[2]))


@router.post("/evidence", response={201: TakenIn, **REFUSALS}, auth=RECORDS_WRITE)
def take_evidence(request: HttpRequest, body: EvidenceIn) -> Status[TakenIn]:
    """Keep a stored file as evidence, and name it in the record it is for; a photograph is read first."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    stored = upload_of(caller.organisation, body.file)
    told = EvidenceDetails(body.what, body.unit_id, body.taken_on, body.note, body.kind, body.key)
    made = store_evidence(farm, stored, told, actor=caller.actor)
    return Status(201, TakenIn(version=made.version, import_code=made.import_code))
