"""A farm's papers as files: reports as PDF and compact JWS, and the workbook to fill in."""

from datetime import date
from typing import Annotated, Any, Final

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router, Schema, Status
from pydantic import Field

from provender.database.actor import today
from provender.exact import show
from provender.formats.template import template_workbook
from provender.problem import refuse
from provender.report.attestation import Delivery
from provender.services.custody.entry import OriginRemaining
from provender.services.farm.book import FarmBook, farm_book_of, latest
from provender.services.farm.keys import fingerprints_in_force, keys_of
from provender.services.farm.keys import register_key as do_register_key
from provender.services.farm.views import KeyView, key_view
from provender.services.reports import signing
from provender.services.reports.checklist import ChecklistItem, SigningChecklist
from provender.services.reports.drafts import crop_label, draft_of
from provender.services.reports.files import paper_as
from provender.signing.canonical import document_hash
from provender.web.api import problems, schema
from provender.web.farm.api.records import Crop, Year, book_of, reads
from provender.web.tables import XLSX, download

router = Router(tags=["season"])
PDF: Final = "application/pdf"
JWS: Final = "application/jose"
Version = Annotated[int, Path(ge=0, le=10_000, description="0 is the one that is not signed yet.")]


_THING = schema.schema_of(ChecklistItem, name="ThingOut")


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
    blocked_by: list[problems.OneProblem]
    things: list[_THING]  # type: ignore[valid-type]  # a schema made at run time
    done: int
    rule_state: str
    text_to_name: str
    official: dict[str, bool]


@router.get("/reports/{crop}/{year}/standing", **reads(ReportStanding))
def get_report_standing(request: HttpRequest, crop: Crop, year: Year) -> ReportStanding:
    """Return whether the next version of a report may be signed, and everything that blocks it."""
    crop_label(crop)
    draft = draft_of(book_of(request), crop, year)
    things = SigningChecklist(draft, signs=problems.caller_of(request).access.may_sign)
    return ReportStanding(
        state=draft.standing,
        is_news=draft.is_news,
        signed_versions=len(draft.versions),
        producer_id=draft.document["producer"]["producer_id"],
        key_fingerprint=draft.fingerprint_on_file,
        blocked_by=[problems.one_problem(each) for each in draft.in_the_way],
        things=[schema.shown(each) for each in things.left()],
        done=things.done(),
        rule_state=draft.document["rule"]["state"],
        text_to_name=draft.text_to_name,
        official=draft.document["official"],
    )


def _file(request: HttpRequest, crop: str, year: int, number: int, form: str) -> HttpResponse:
    crop_label(crop)
    content, media_type, name = paper_as(draft_of(book_of(request), crop, year), number, form)
    return download(content, media_type, name)


@router.get("/reports/{crop}/{year}/versions/{number}/pdf", **reads(None, sends=PDF))
def get_report_pdf(request: HttpRequest, crop: Crop, year: Year, number: Version) -> HttpResponse:
    """Return a version of a report as PDF/A; a signed one carries its document and signature."""
    return _file(request, crop, year, number, "pdf")


@router.get("/reports/{crop}/{year}/versions/{number}/jws", **reads(None, sends=JWS))
def get_report_jws(request: HttpRequest, crop: Crop, year: Year, number: Version) -> HttpResponse:
    """Return a signed version as compact JWS (RFC 7515) with its payload inside."""
    return _file(request, crop, year, number, "jws")


@router.get("/template", **reads(None, sends=XLSX))
def get_template(request: HttpRequest) -> HttpResponse:
    """Return the workbook to fill in; it comes back through ``POST /files`` and ``POST /imports``."""
    book_of(request)
    content = template_workbook(as_of=today())
    return download(content, XLSX, "provender-template.xlsx")


# Selling bushels by slips: what is left of each report, the slip as it would be signed, and taking it in signed.

sales_router = Router(tags=["sales"])
_SALES_PDF = "application/pdf"


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
        said = {name: str(value) for name, value in self.model_dump(mode="json").items()}
        return {**said, "contract": contract}


class SlipIn(Schema):
    """A slip as it was drafted, signed on the producer's own machine: the file that `provender keys sign` writes."""

    document: dict[str, Any]
    signature: Annotated[str, Field(min_length=1, max_length=20_000)]
    contract: Annotated[str, Field(max_length=120, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""


SLIP = schema.schema_of(signing.SlipView, name="SlipOut")
_GIVEN = schema.schema_of(Delivery, name="ReportDeliveryOut")


@sales_router.get("/bushels-left", **reads(schema.Page[LeftOut]))
def list_bushels_left(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List every report of the book with what went of its bushels and what is left."""
    return schema.page_of_list(signing.bushels_left(book_of(request)), page, _bushels_left_out)


@sales_router.get("/report-deliveries", **reads(schema.page_of_schema(_GIVEN)))
def list_report_deliveries(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List every buyer of reduced-CI crop with the day on which they were given the report.

    A delivery is recorded as a row of `report_delivery` by a change of the book.
    """
    return schema.page_of_list(signing.deliveries_of(book_of(request)), page, schema.shown)


def _bushels_left_out(one: signing.BushelsLeft) -> LeftOut:
    """Return it by the sale records alone, as its description says: the serials stand beside them."""
    return LeftOut(
        crop=one.standing.crop, harvest_year=one.standing.harvest_year, harvested=_shown(one.harvested),
        gone=_shown(one.recorded), left=_shown(one.unsold_by_records), unrecorded=show(one.unrecorded),
        serials=_serials(one.serials),
    )  # fmt: skip


def _serials(one: OriginRemaining | None) -> SerialsOut | None:
    if one is None:
        return None
    return SerialsOut(issued=show(one.issued), held=show(one.held), assigned=show(one.assigned), free=show(one.free))


def _shown(amount: int | None) -> str | None:
    return None if amount is None else show(amount)


def _signing(request: HttpRequest) -> tuple[problems.Caller, FarmBook]:
    caller = problems.caller_of(request)
    caller.require_signer()
    return caller, farm_book_of(caller.organisation)


@sales_router.get("/slips", **reads(schema.page_of_schema(SLIP)))
def list_slips(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the farm's signed sale slips, the first one first."""
    book_of(request)
    return schema.page_of(signing.slips_of(problems.caller_of(request).organisation), page, signing.slip_view)


@sales_router.get("/slips/draft", response={200: dict[str, Any], **problems.REFUSALS}, auth=problems.RECORDS_WRITE)
def draft_next_slip(request: HttpRequest, offer: Query[Offer]) -> dict[str, Any]:
    """Return the next slip as it would be signed: the serials it would assign. Nothing is assigned yet."""
    caller, farm = _signing(request)
    return signing.draft_slip(farm, offer.told(), actor=caller.actor)


@sales_router.post("/slips", response={201: SLIP, **problems.REFUSALS}, auth=problems.RECORDS_WRITE)
def keep_slip(request: HttpRequest, body: SlipIn) -> Status[signing.SlipView]:
    """Hand in a slip that the producer signed: verified, its serials assigned to the buyer, the sale written down.

    It is refused when other serials are free by now than those it names: ask for a new draft, and sign that.
    """
    caller, farm = _signing(request)
    told = {**_slip_fields(body.document), "contract": body.contract}
    made, _ = signing.sign_slip(farm, told, body.signature, _hash(body.document), actor=caller.actor)
    return Status(201, signing.slip_view(made))


def _hash(document: dict[str, Any]) -> str:
    """Return the hash of a document.

    Raises:
        ProblemsError: it is no plain document, such as one with a number that is not whole.
    """
    try:
        return document_hash(document)
    except (TypeError, ValueError):
        raise refuse("document", "This is no slip.", "Upload the file that was signed, as it is.") from None


def _slip_fields(document: dict[str, Any]) -> dict[str, str]:
    """Return what a slip offers; what cannot be read is left to be refused."""
    buyer = document.get("buyer")
    code = buyer.get("id") if isinstance(buyer, dict) else ""
    texts = {name: str(document.get(name, "")) for name in ("crop", "harvest_year", "bushels", "day")}
    return {**texts, "buyer": str(code)}


@sales_router.get("/slips/{code}", **reads(SLIP))
def get_slip(request: HttpRequest, code: problems.Handle) -> signing.SlipView:
    """Return a signed slip."""
    return signing.slip_view(signing.slip_named(problems.caller_of(request).organisation, code))


@sales_router.get("/slips/{code}/pdf", **reads(None, sends=_SALES_PDF))
def get_slip_pdf(request: HttpRequest, code: problems.Handle) -> HttpResponse:
    """Return a signed slip as a PDF that carries its document and signature."""
    one = signing.slip_named(problems.caller_of(request).organisation, code)
    return download(signing.slip_pdf(one), _SALES_PDF, f"{one.number}.pdf")


# The keys of a farm's producers: which are on file, and putting one on file with its holder's own proof.

keys_router = Router(tags=["keys"])
KEY = schema.schema_of(KeyView, name="ProducerKeyOut")


class ProducerKeyIn(Schema):
    """A key to put on file; the key stays on its holder's machine.

    ``statement`` is what `provender keys register` writes, signed with the key itself, or what `provender keys rotate`
    writes, signed by the key before and by this one. It carries the day on which it is handed in.
    """

    producer_id: Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$")]
    statement: dict[str, Any]


@keys_router.get("/keys", **reads(schema.page_of_schema(KEY)))
def list_keys(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the producers' keys, the first one first."""
    farm = book_of(request)
    named = fingerprints_in_force(farm)
    return schema.page_of(keys_of(farm), page, lambda one: key_view(one, named))


@keys_router.post("/keys", response={201: KEY, **problems.REFUSALS}, auth=problems.RECORDS_WRITE)
def register_key(request: HttpRequest, body: ProducerKeyIn) -> Status[KeyView]:
    """Put a producer's public key on file and name it in the producer's record.

    Its holder is whoever made the token.
    """
    caller = problems.caller_of(request)
    caller.require_signer()
    farm = farm_book_of(caller.organisation)
    made = do_register_key(
        farm.book, body.producer_id, sealed=None, statement=body.statement, holder=caller.token.created_by,
        today=today(), actor=caller.actor,
    )  # fmt: skip
    return Status(201, key_view(made, fingerprints_in_force(latest(farm.book))))
