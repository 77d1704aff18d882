"""A farm's papers as files: reports as PDF and compact JWS, and the workbook to fill in."""

from typing import Annotated, Final

from django.http import HttpRequest, HttpResponse
from ninja import Path, Router, Schema

from provender.database.actor import today
from provender.formats.template import template_workbook
from provender.services.reports.drafts import crop_label, draft_of
from provender.services.reports.files import paper_as
from provender.services.reports.things import Thing, Things
from provender.web.api.auth import RECORDS_READ, caller_of
from provender.web.api.problems import REFUSALS, OneProblem, one_problem
from provender.web.api.view_schema import file_of, schema_of, shown
from provender.web.download import download
from provender.web.farm.api.records import book_of
from provender.web.farm.api.season import Crop, Year
from provender.web.tables import XLSX

router = Router(tags=["season"])
PDF: Final = "application/pdf"
JWS: Final = "application/jose"
Version = Annotated[int, Path(ge=0, le=10_000, description="0 is the one that is not signed yet.")]


THING = schema_of(Thing, name="ThingOut")


class ReportStanding(Schema):
    """Where a report stands: what blocks its signature, and the key that the producer's record names.

    ``things`` is what a person does about it, each with the row, page or upload where it is done; ``done`` counts the
    records asked for that are there. ``is_news`` tells that it says something else than the version in force, or rests
    on other records. ``rule_state`` and ``text_to_name`` are empty where the text is shown to be the rule in force;
    elsewhere whoever signs asks for the report with ``under``. ``official`` is three flags, each apart.
    """

    state: str
    is_news: bool
    signed_versions: int
    producer_id: str
    key_fingerprint: str
    blocked_by: list[OneProblem]
    things: list[THING]  # type: ignore[valid-type]  # a schema made at run time
    done: int
    rule_state: str
    text_to_name: str
    official: dict[str, bool]


@router.get("/reports/{crop}/{year}/standing", response={200: ReportStanding, **REFUSALS}, auth=RECORDS_READ)
def get_report_standing(request: HttpRequest, crop: Crop, year: Year) -> ReportStanding:
    """Return whether the next version of a report may be signed, and everything that blocks it."""
    crop_label(crop)
    draft = draft_of(book_of(request), crop, year)
    things = Things(draft, signs=caller_of(request).access.may_sign)
    return ReportStanding(
        state=draft.standing,
        is_news=draft.is_news,
        signed_versions=len(draft.versions),
        producer_id=draft.document["producer"]["producer_id"],
        key_fingerprint=draft.fingerprint_on_file,
        blocked_by=[one_problem(each) for each in draft.in_the_way],
        things=[shown(each) for each in things.left()],
        done=things.done(),
        rule_state=draft.document["rule"]["state"],
        text_to_name=draft.text_to_name,
        official=draft.document["official"],
    )


def _file(request: HttpRequest, crop: str, year: int, number: int, form: str) -> HttpResponse:
    crop_label(crop)
    content, media_type, name = paper_as(draft_of(book_of(request), crop, year), number, form)
    return download(content, media_type, name)


@router.get(
    "/reports/{crop}/{year}/versions/{number}/pdf",
    response={200: None, **REFUSALS},
    auth=RECORDS_READ,
    openapi_extra=file_of(PDF),
)
def get_report_pdf(request: HttpRequest, crop: Crop, year: Year, number: Version) -> HttpResponse:
    """Return a version of a report as PDF/A; a signed one carries its document and signature."""
    return _file(request, crop, year, number, "pdf")


@router.get(
    "/reports/{crop}/{year}/versions/{number}/jws",
    response={200: None, **REFUSALS},
    auth=RECORDS_READ,
    openapi_extra=file_of(JWS),
)
def get_report_jws(request: HttpRequest, crop: Crop, year: Year, number: Version) -> HttpResponse:
    """Return a signed version as compact JWS (RFC 7515) with its payload inside."""
    return _file(request, crop, year, number, "jws")


@router.get("/template", response={200: None, **REFUSALS}, auth=RECORDS_READ, openapi_extra=file_of(XLSX))
def get_template(request: HttpRequest) -> HttpResponse:
    """Return the workbook to fill in; it comes back through ``POST /files`` and ``POST /imports``."""
    book_of(request)
    content = template_workbook(as_of=today())
    return download(content, XLSX, "provender-template.xlsx")
