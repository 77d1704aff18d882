"""Selling bushels by slips: what is left of each report, the slip as it would be signed, and taking it in signed."""

from datetime import date
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.problem import refuse
from provender.quantity import show
from provender.services.custody.farm_sales import Left
from provender.services.farm.book import FarmBook, farm_book_of
from provender.services.reports.deliveries import DeliveryView, deliveries_of
from provender.services.reports.slip_signing import (
    BushelsLeft,
    SlipView,
    bushels_left,
    draft_slip,
    sign_slip,
    slip_named,
    slip_pdf,
    slip_view,
    slips_of,
)
from provender.signing.hashes import document_hash
from provender.web.api.auth import RECORDS_READ, RECORDS_WRITE, Caller, caller_of
from provender.web.api.pages import Page, PageQuery, page_of, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import Handle
from provender.web.api.view_schema import file_of, page_of_schema, schema_of
from provender.web.download import download
from provender.web.farm.api.records import book_of

router = Router(tags=["sales"])
PDF = "application/pdf"


class SerialsOut(Schema):
    """The serials of a signed report, bushels as decimal text.

    Of those ``issued`` the farm still ``held`` some; of these some are ``assigned`` by slips that are not bought yet,
    and the others are ``free`` to be sold.
    """

    issued: str
    held: str
    assigned: str
    free: str


class LeftOut(Schema):
    """Where the bushels of a report are, as decimal text; null is not known.

    ``left`` is what was harvested less what is ``gone`` by the sale records; ``unrecorded`` is how much more buyers
    hold by the serials than the sale records say. No serials are there while no report is signed.
    """

    crop: str
    harvest_year: int
    harvested: str | None
    gone: str | None
    left: str | None
    unrecorded: str
    serials: SerialsOut | None


class Offer(Schema):
    """What is to be sold: of which report, to whom (the buyer's code), how many bushels, on which day."""

    crop: Annotated[str, Field(max_length=40)]
    harvest_year: Annotated[int, Field(ge=2000, le=2100)]
    buyer: Annotated[str, Field(max_length=60, description="The buyer's code.")]
    bushels: Annotated[str, Field(max_length=40, description="Decimal text, such as 1000.5.")]
    day: date

    def told(self, contract: str = "") -> dict[str, str]:
        """Return it as texts."""
        said = {name: str(value) for name, value in self.model_dump(mode="json").items()}
        return {**said, "contract": contract}


class SlipIn(Schema):
    """A slip as it was drafted, signed on the producer's own machine: the file that `provender keys sign` writes."""

    document: dict[str, Any]
    signature: Annotated[str, Field(min_length=1, max_length=20_000)]
    contract: Annotated[str, Field(max_length=120, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""


SLIP = schema_of(SlipView, name="SlipOut")
GIVEN = schema_of(DeliveryView, name="ReportDeliveryOut")


@router.get("/bushels-left", response={200: Page[LeftOut], **REFUSALS}, auth=RECORDS_READ)
def list_bushels_left(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List every report of the book with what went of its bushels and what is left."""
    return page_of_list(bushels_left(book_of(request)), page, _left)


@router.get("/report-deliveries", response={200: page_of_schema(GIVEN), **REFUSALS}, auth=RECORDS_READ)
def list_report_deliveries(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List every buyer of reduced-CI crop with the day on which they were given the report.

    A delivery is recorded as a row of `report_delivery` by a change of the book.
    """
    return page_of_list(deliveries_of(book_of(request)), page, lambda one: one)


def _left(one: BushelsLeft) -> LeftOut:
    """Return it by the sale records alone, as its description says: the serials stand beside them."""
    return LeftOut(
        crop=one.standing.crop, harvest_year=one.standing.harvest_year, harvested=_shown(one.harvested),
        gone=_shown(one.recorded), left=_shown(one.unsold_by_records), unrecorded=show(one.unrecorded),
        serials=_serials(one.serials),
    )  # fmt: skip


def _serials(one: Left | None) -> SerialsOut | None:
    if one is None:
        return None
    return SerialsOut(issued=show(one.issued), held=show(one.held), assigned=show(one.assigned), free=show(one.free))


def _shown(amount: int | None) -> str | None:
    return None if amount is None else show(amount)


def _signing(request: HttpRequest) -> tuple[Caller, FarmBook]:
    """Return a caller who may sign for the farm, and its book."""
    caller = caller_of(request)
    caller.require_signer()
    return caller, farm_book_of(caller.organisation)


@router.get("/slips", response={200: page_of_schema(SLIP), **REFUSALS}, auth=RECORDS_READ)
def list_slips(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the farm's signed sale slips, the first one first."""
    book_of(request)
    return page_of(slips_of(caller_of(request).organisation), page, slip_view)


@router.get("/slips/draft", response={200: dict[str, Any], **REFUSALS}, auth=RECORDS_WRITE)
def draft_next_slip(request: HttpRequest, offer: Query[Offer]) -> dict[str, Any]:
    """Return the next slip as it would be signed: the serials it would assign. Nothing is assigned yet."""
    caller, farm = _signing(request)
    return draft_slip(farm, offer.told(), actor=caller.actor)


@router.post("/slips", response={201: SLIP, **REFUSALS}, auth=RECORDS_WRITE)
def keep_slip(request: HttpRequest, body: SlipIn) -> Status[SlipView]:
    """Hand in a slip that the producer signed: verified, its serials assigned to the buyer, the sale written down.

    It is refused when other serials are free by now than those it names: ask for a new draft, and sign that.
    """
    caller, farm = _signing(request)
    told = {**_told(body.document), "contract": body.contract}
    made, _ = sign_slip(farm, told, body.signature, _hash(body.document), actor=caller.actor)
    return Status(201, slip_view(made))


def _hash(document: dict[str, Any]) -> str:
    """Return the hash of a document.

    Raises:
        ProblemsError: it is no plain document, such as one with a number that is not whole.
    """
    try:
        return document_hash(document)
    except (TypeError, ValueError):
        raise refuse("document", "This is no slip.", "Upload the file that was signed, as it is.") from None


def _told(document: dict[str, Any]) -> dict[str, str]:
    """Return what a slip offers; what cannot be read is left to be refused."""
    buyer = document.get("buyer")
    code = buyer.get("id") if isinstance(buyer, dict) else ""
    texts = {name: str(document.get(name, "")) for name in ("crop", "harvest_year", "bushels", "day")}
    return {**texts, "buyer": str(code)}


@router.get("/slips/{code}", response={200: SLIP, **REFUSALS}, auth=RECORDS_READ)
def get_slip(request: HttpRequest, code: Handle) -> SlipView:
    """Return a signed slip."""
    return slip_view(slip_named(caller_of(request).organisation, code))


@router.get("/slips/{code}/pdf", response={200: None, **REFUSALS}, auth=RECORDS_READ, openapi_extra=file_of(PDF))
def get_slip_pdf(request: HttpRequest, code: Handle) -> HttpResponse:
    """Return a signed slip as a PDF that carries its document and signature."""
    one = slip_named(caller_of(request).organisation, code)
    return download(slip_pdf(one), PDF, f"{one.number}.pdf")
