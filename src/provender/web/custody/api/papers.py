"""The custody book around its lots: one movement, what waits, partners and their verification, and signed papers."""

from datetime import date
from typing import Annotated, Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.custody.documents.build import TRANSFER
from provender.custody.documents.consent import NAME as CONSENT
from provender.custody.documents.notice import NOTICE
from provender.custody.documents.refiner_figures import FIGURES
from provender.problem import ProblemsError
from provender.services.custody import documents, partners
from provender.services.custody.buyer_notices import BuyerNotice, buyer_notices
from provender.services.custody.context import CustodyContext
from provender.services.custody.documents import keep_signed
from provender.services.custody.figures_signing import expected_figures
from provender.services.custody.movements import movement
from provender.services.custody.views import (
    ContractView,
    DeliveryView,
    MovementView,
    PendingView,
    ReportChangeView,
    SlipView,
    VerificationView,
    WaitingView,
)
from provender.services.custody.waiting import waiting
from provender.web.api.pages import PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.view_schema import file_of, schema_of, shown
from provender.web.custody.api.context import READ, WRITE, desk_of, page_of_views
from provender.web.download import download

router = Router(tags=["custody"])
PDF = "application/pdf"
for cls, name in (
    (ReportChangeView, "ReportChange"),
    (DeliveryView, "Delivery"),
    (SlipView, "SlipWaiting"),
    (PendingView, "PendingPurchase"),
):
    schema_of(cls, name=name)
Named = Annotated[str, Query(min_length=1, max_length=220)]


class PaperIn(Schema):
    """A paper signed on the organization's own machine: of a sale, a period or a year, a notice or a consent."""

    document: dict[str, Any]
    signature: Annotated[str, Field(min_length=1, max_length=20_000)]


class PaperOut(Schema):
    """A paper of the organization; ``signature`` is null while none was brought."""

    document: dict[str, Any]
    signature: str | None


@router.get("/custody/movement", response={200: schema_of(MovementView, name="MovementWhole"), **REFUSALS}, auth=READ)
def get_movement(request: HttpRequest, event: Named) -> Any:  # noqa: ANN401 - JSON
    """Return one movement of the organization, by the id of its event."""
    view = movement(desk_of(request), event)
    if view is None:
        raise Http404
    return shown(view)


@router.get("/custody/waiting", response={200: schema_of(WaitingView, name="Waiting"), **REFUSALS}, auth=READ)
def list_waiting(request: HttpRequest) -> Any:  # noqa: ANN401 - JSON
    """Return deliveries to accept, slips to buy, and purchases that wait for a report."""
    return shown(waiting(desk_of(request)))


@router.get(
    "/custody/contracts", response={200: page_of_views(ContractView, name="ContractOut"), **REFUSALS}, auth=READ
)
def list_contracts(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the contracts on file in the order in which they were first stated, and each partner's verification."""
    return page_of_list(partners.contracts(desk_of(request)), page, shown)


@router.get(
    "/custody/statements", response={200: page_of_views(VerificationView, name="StatementOut"), **REFUSALS}, auth=READ
)
def list_statements(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the verification statements that cover the organization itself, in the order in which they were entered."""
    return page_of_list(partners.verifications(desk_of(request)), page, shown)


@router.get("/custody/papers/transfer", response={200: PaperOut, **REFUSALS}, auth=READ)
def get_transfer(request: HttpRequest, sale: Named) -> PaperOut:
    """Return the transfer document of a sale: as it was signed, else as it would be signed today (2100.032(c))."""
    return _shown(_paper(desk_of(request), TRANSFER, sale))


@router.get("/custody/papers/period", response={200: PaperOut, **REFUSALS}, auth=READ)
def get_period_statement(request: HttpRequest, start: date, *, restated: bool = False) -> PaperOut:
    """Return the statement of a closed period: as it was signed, else as it is to be signed (2100.034(c)).

    With ``restated`` the restatement beside it, where a report behind the period changed since.
    """
    return _shown(_statement(desk_of(request), start, restated=restated))


@router.get(
    "/custody/notices", response={200: page_of_views(BuyerNotice, name="BuyerNoticeOut"), **REFUSALS}, auth=READ
)
def list_buyer_notices(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List which partners are to be told that a report behind what they have from the organization changed."""
    return page_of_list(buyer_notices(desk_of(request)), page, shown)


@router.get("/custody/papers/notice", response={200: PaperOut, **REFUSALS}, auth=READ)
def get_buyer_notice(request: HttpRequest, number: Named) -> PaperOut:
    """Return the notice to a partner of a changed report: as it was signed, else as it would be today (2100.032(a))."""
    return _shown(_paper(desk_of(request), NOTICE, number))


@router.get("/custody/papers/notice.pdf", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(PDF))
def print_buyer_notice(request: HttpRequest, number: Named) -> HttpResponse:
    """Return the same to print; a signature that was kept stands on it."""
    return _printed(_paper(desk_of(request), NOTICE, number))


@router.get("/custody/papers/consent", response={200: PaperOut, **REFUSALS}, auth=READ)
def get_consent(request: HttpRequest, act: Named) -> PaperOut:
    """Return the paper on a return, refusal or correction of the organization, by which bushels went back.

    As it was signed, else as it would be signed today (2100.032(a)).
    """
    return _shown(_paper(desk_of(request), CONSENT, act))


@router.get("/custody/papers/consent.pdf", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(PDF))
def print_consent(request: HttpRequest, act: Named) -> HttpResponse:
    """Return the same to print; a signature that was kept stands on it."""
    return _printed(_paper(desk_of(request), CONSENT, act))


@router.get("/custody/papers/transfer.pdf", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(PDF))
def print_transfer(request: HttpRequest, sale: Named) -> HttpResponse:
    """Return the transfer document of a sale to print; a signature that was kept stands on it."""
    return _printed(_paper(desk_of(request), TRANSFER, sale))


@router.get("/custody/papers/period.pdf", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(PDF))
def print_period_statement(request: HttpRequest, start: date, *, restated: bool = False) -> HttpResponse:
    """Return the statement of a closed period, or its restatement, to print; a signature that was kept stands on it."""
    return _printed(_statement(desk_of(request), start, restated=restated))


def _paper(desk: CustodyContext, kind: str, number: str) -> documents.Paper:
    try:
        return documents.paper(desk, kind, number)
    except ProblemsError:
        raise Http404 from None


def _statement(desk: CustodyContext, start: date, *, restated: bool) -> documents.Paper:
    try:
        return documents.paper(desk, *documents.statement_of(desk, start, restated=restated))
    except ProblemsError:
        raise Http404 from None


def _shown(paper: documents.Paper) -> PaperOut:
    return PaperOut(document=paper.document, signature=paper.envelope["signature"] if paper.envelope else None)


def _printed(paper: documents.Paper) -> HttpResponse:
    return download(paper.pdf(), PDF, paper.file_name("pdf"))


@router.post("/custody/papers", response={201: PaperOut, **REFUSALS}, auth=WRITE)
def keep_paper(request: HttpRequest, body: PaperIn) -> Status[PaperOut]:
    """Hand in a signed transfer document, statement, restatement, notice, consent or figures: if the book says so."""
    desk = desk_of(request)
    kind, number = str(body.document.get("type")), str(body.document.get("number"))
    if kind not in (*documents.KINDS, FIGURES):
        raise Http404
    raw = {"document": body.document, "signature": body.signature}
    try:
        is_figures = kind == FIGURES
        expected = expected_figures(desk, raw) if is_figures else documents.expected_for(desk, raw, kind, number)
    except ProblemsError:
        raise Http404 from None
    keep_signed(desk.organisation, raw, expected, actor=desk.actor)
    return Status(201, PaperOut(document=body.document, signature=body.signature))
