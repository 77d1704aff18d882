"""What follows from a farm's records: verdicts, carbon intensity, what other practices would do, reports."""

from typing import Annotated, Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Path, Query, Router, Schema, Status
from pydantic import Field

from provender.database.models import ReportVersion, Scope
from provender.services.farm.book import farm_book_of
from provender.services.farm.intensity import intensities_of
from provender.services.farm.plan import plans_of
from provender.services.farm.season import seasons_of
from provender.services.farm.verdicts import verdicts_of
from provender.services.reports.drafts import DraftState, crop_label, draft_of, standings_of
from provender.services.reports.signed import envelope_of
from provender.services.reports.signing import keep_signed
from provender.web.api.auth import Needs, caller_of
from provender.web.api.pages import Page, PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.farm.api.records import book_of

router = Router(tags=["season"])
READ, WRITE = Needs(Scope.RECORDS_READ), Needs(Scope.RECORDS_WRITE)
Crop = Annotated[str, Path(max_length=40, pattern=r"^[a-z_]+$")]
Year = Annotated[int, Path(ge=2000, le=2100)]
Unit = Annotated[str, Query(max_length=80)]
Number = Annotated[int, Path(ge=1, le=10_000)]


class ReportOut(Schema):
    """Where the report of a crop and harvest year stands. Amounts are decimal text; null is not shown."""

    crop: str
    harvest_year: int
    state: str
    total_bushels: str | None
    farm_ci_g_per_bu: str | None
    signed_versions: int
    blocked_by: int


class VersionOut(Schema):
    """A signed version of a report."""

    number: int
    document_hash: str
    at: str


class SignedIn(Schema):
    """A report signed on the producer's own machine: the file that `provender keys sign` writes."""

    document: dict[str, Any]
    signature: Annotated[str, Field(min_length=1, max_length=20_000)]


@router.get("/verdicts", response={200: Page[dict[str, Any]], **REFUSALS}, auth=READ)
def list_verdicts(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List every crop on every unit: practices, requirements with working, and the records that are missing.

    A verdict is true (met), false (not met) or null (not shown).
    """
    return page_of_list(verdicts_of(book_of(request))["intervals"], page, dict)


@router.get("/problems", response={200: Page[dict[str, Any]], **REFUSALS}, auth=READ)
def list_problems(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List what a person must look at in the records: place, cause, remedy, paragraph."""
    return page_of_list(verdicts_of(book_of(request))["problems"], page, dict)


@router.get("/season", response={200: Page[dict[str, Any]], **REFUSALS}, auth=READ)
def list_season(request: HttpRequest, page: Query[PageQuery], unit: Unit = "") -> dict[str, object]:
    """List every crop interval day by day with STIR as it builds up, of the whole farm or of one unit."""
    found = [one for one in seasons_of(book_of(request)) if not unit or one["unit_id"] == unit]
    return page_of_list(found, page, _without_pictures)


def _without_pictures(one: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in one.items() if name not in ("lanes", "build_up")}


@router.get("/intensity", response={200: Page[dict[str, Any]], **REFUSALS}, auth=READ)
def list_intensity(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the farm-level carbon intensity of each crop and harvest year: official runs, and the open model."""
    return page_of_list(intensities_of(book_of(request)), page, _without_charts)


def _without_charts(one: dict[str, Any]) -> dict[str, Any]:
    sides = {
        name: {key: value for key, value in one[name].items() if key != "chart"} for name in ("official", "estimate")
    }
    return {**one, **sides}


@router.get("/plan", response={200: Page[dict[str, Any]], **REFUSALS}, auth=READ)
def list_plan(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List each unit's carbon intensity under every combination of practices its crop may claim: estimates."""
    return page_of_list(plans_of(book_of(request)), page, dict)


def _report(one: DraftState) -> ReportOut:
    return ReportOut(
        crop=one.crop,
        harvest_year=one.harvest_year,
        state=one.state,
        total_bushels=one.total_bushels,
        farm_ci_g_per_bu=one.farm_ci_g_per_bu,
        signed_versions=one.versions,
        blocked_by=one.refused,
    )


@router.get("/reports", response={200: Page[ReportOut], **REFUSALS}, auth=READ)
def list_reports(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the report of every crop and harvest year of the book."""
    return page_of_list(standings_of(book_of(request)), page, _report)


@router.get("/reports/{crop}/{year}", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_report(request: HttpRequest, crop: Crop, year: Year) -> dict[str, Any]:
    """Return the next version of a report as it would be signed today: the document that a key signs."""
    crop_label(crop)
    return draft_of(book_of(request), crop, year).document


def _version(one: ReportVersion) -> VersionOut:
    return VersionOut(number=one.number, document_hash=one.document_hash, at=one.at.isoformat())


@router.get("/reports/{crop}/{year}/versions", response={200: Page[VersionOut], **REFUSALS}, auth=READ)
def list_report_versions(request: HttpRequest, crop: Crop, year: Year, page: Query[PageQuery]) -> dict[str, object]:
    """List the signed versions of a report, the first one first."""
    crop_label(crop)
    return page_of_list(draft_of(book_of(request), crop, year).versions, page, _version)


@router.post("/reports/{crop}/{year}/versions", response={201: VersionOut, **REFUSALS}, auth=WRITE)
def keep_report(request: HttpRequest, crop: Crop, year: Year, body: SignedIn) -> Status[VersionOut]:
    """Hand in a report that the producer signed: verified against the key on file before anything is kept."""
    caller = caller_of(request)
    caller.require_signer()
    crop_label(crop)
    draft = draft_of(farm_book_of(caller.organisation), crop, year)
    made = keep_signed(draft, {"document": body.document, "signature": body.signature}, actor=caller.actor)
    return Status(201, _version(made))


@router.get("/reports/{crop}/{year}/versions/{number}", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_report_version(request: HttpRequest, crop: Crop, year: Year, number: Number) -> dict[str, Any]:
    """Return a signed version: the document and its detached signature."""
    farm = book_of(request)
    one = get_object_or_404(ReportVersion, book=farm.book, crop=crop, harvest_year=year, number=number)
    return envelope_of(one)
