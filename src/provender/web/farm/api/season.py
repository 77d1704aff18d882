"""What follows from a farm's records: verdicts, carbon intensity, what other practices would do, reports."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Query, Router, Schema, Status
from pydantic import Field

from provender.services.farm.book import farm_book_of
from provender.services.farm.growing_views import GrowingCrop, growing_views
from provender.services.farm.intensity import intensities_of
from provender.services.farm.operation_totals import PracticeTotal
from provender.services.farm.plan import plans_of
from provender.services.farm.season import seasons_of
from provender.services.farm.verdicts import totals_of, verdicts_of
from provender.services.reports.drafts import crop_label, draft_of, standings_of
from provender.services.reports.signed import envelope_of, version_numbered
from provender.services.reports.signing import keep_signed
from provender.services.reports.views import ReportView, VersionView, report_view, version_view
from provender.web.api.auth import RECORDS_READ, RECORDS_WRITE, caller_of
from provender.web.api.pages import Page, PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.view_schema import page_of_schema, schema_of, shown
from provender.web.farm.api.records import book_of

router = Router(tags=["season"])
Crop = Annotated[str, Path(max_length=40, pattern=r"^[a-z_]+$")]
Year = Annotated[int, Path(ge=2000, le=2100)]
Unit = Annotated[str, Query(max_length=80)]
Number = Annotated[int, Path(ge=1, le=10_000)]
Under = Annotated[
    str,
    Query(max_length=80, description="The text under which it is to be signed, where that must be named (standing)."),
]
TOTAL = schema_of(PracticeTotal, name="PracticeTotalOut")
GROWING = schema_of(GrowingCrop, name="GrowingCropOut")
REPORT, VERSION = schema_of(ReportView, name="ReportOut"), schema_of(VersionView, name="VersionOut")


class SignedIn(Schema):
    """A report signed on the producer's own machine: the file that `provender keys sign` writes."""

    document: dict[str, Any]
    signature: Annotated[str, Field(min_length=1, max_length=20_000)]


@router.get("/verdicts", response={200: Page[dict[str, Any]], **REFUSALS}, auth=RECORDS_READ)
def list_verdicts(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List every crop on every unit: practices, requirements with working, and the records that are missing.

    A verdict is true (met), false (not met) or null (not shown).
    """
    return page_of_list(verdicts_of(book_of(request))["intervals"], page, dict)


@router.get("/growing", response={200: page_of_schema(GROWING), **REFUSALS}, auth=RECORDS_READ)
def list_growing(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List every crop that is not harvested yet: how its practices stand so far, and the records that it asks for.

    Each record says whether it is due now, by a day, or later. No verdict and no report waits for any of it.
    """
    return page_of_list(growing_views(book_of(request)), page, shown)


@router.get("/practice-totals", response={200: page_of_schema(TOTAL), **REFUSALS}, auth=RECORDS_READ)
def list_practice_totals(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the totals of each practice across the operation, by harvest year: crops on units, acres, bushels.

    What counts are crops that meet the standard, their records open or not. An amount is null where one of them lacks
    it.
    """
    return page_of_list(totals_of(book_of(request)), page, shown)


@router.get("/problems", response={200: Page[dict[str, Any]], **REFUSALS}, auth=RECORDS_READ)
def list_problems(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List what a person must look at in the records: place, cause, remedy, paragraph."""
    return page_of_list(verdicts_of(book_of(request))["problems"], page, dict)


@router.get("/season", response={200: Page[dict[str, Any]], **REFUSALS}, auth=RECORDS_READ)
def list_season(request: HttpRequest, page: Query[PageQuery], unit: Unit = "") -> dict[str, object]:
    """List every crop interval day by day with STIR as it builds up, of the whole farm or of one unit."""
    found = [one for one in seasons_of(book_of(request)) if not unit or one["unit_id"] == unit]
    return page_of_list(found, page, dict)


@router.get("/intensity", response={200: Page[dict[str, Any]], **REFUSALS}, auth=RECORDS_READ)
def list_intensity(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the farm-level carbon intensity of each crop and harvest year: official runs, and the open model."""
    return page_of_list(intensities_of(book_of(request)), page, _without_charts)


def _without_charts(one: dict[str, Any]) -> dict[str, Any]:
    sides = {
        name: {key: value for key, value in one[name].items() if key != "chart"} for name in ("official", "estimate")
    }
    return {**one, **sides}


@router.get("/plan", response={200: Page[dict[str, Any]], **REFUSALS}, auth=RECORDS_READ)
def list_plan(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List each unit's carbon intensity under every combination of practices its crop may claim: estimates."""
    return page_of_list(plans_of(book_of(request)), page, dict)


@router.get("/reports", response={200: page_of_schema(REPORT), **REFUSALS}, auth=RECORDS_READ)
def list_reports(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the report of every crop and harvest year of the book."""
    return page_of_list(standings_of(book_of(request)), page, report_view)


@router.get("/reports/{crop}/{year}", response={200: dict[str, Any], **REFUSALS}, auth=RECORDS_READ)
def get_report(request: HttpRequest, crop: Crop, year: Year, under: Under = "") -> dict[str, Any]:
    """Return the next version of a report as it would be signed today: the document that a key signs."""
    crop_label(crop)
    return draft_of(book_of(request), crop, year, under=under).document


@router.get("/reports/{crop}/{year}/versions", response={200: page_of_schema(VERSION), **REFUSALS}, auth=RECORDS_READ)
def list_report_versions(request: HttpRequest, crop: Crop, year: Year, page: Query[PageQuery]) -> dict[str, object]:
    """List the signed versions of a report, the first one first."""
    crop_label(crop)
    return page_of_list(draft_of(book_of(request), crop, year).versions, page, version_view)


@router.post("/reports/{crop}/{year}/versions", response={201: VERSION, **REFUSALS}, auth=RECORDS_WRITE)
def keep_report(request: HttpRequest, crop: Crop, year: Year, body: SignedIn) -> Status[VersionView]:
    """Hand in a report that the producer signed: verified against the key on file before anything is kept."""
    caller = caller_of(request)
    caller.require_signer()
    crop_label(crop)
    draft = draft_of(farm_book_of(caller.organisation), crop, year)
    made = keep_signed(draft, {"document": body.document, "signature": body.signature}, actor=caller.actor)
    return Status(201, version_view(made))


@router.get("/reports/{crop}/{year}/versions/{number}", response={200: dict[str, Any], **REFUSALS}, auth=RECORDS_READ)
def get_report_version(request: HttpRequest, crop: Crop, year: Year, number: Number) -> dict[str, Any]:
    """Return a signed version: the document and its detached signature."""
    return envelope_of(version_numbered(book_of(request).book, crop, year, number))
