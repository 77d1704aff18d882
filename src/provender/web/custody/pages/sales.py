"""Sales and their transfer documents: made from the book, signed, kept and printed here."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from provender.custody.documents.build import TRANSFER
from provender.custody.documents.consent import NAME as CONSENT
from provender.custody.documents.notice import NOTICE
from provender.custody.documents.refiner_figures import SHORT
from provender.database.choices import Area
from provender.paper.table import table_of
from provender.problem import ProblemsError
from provender.quantity import CI_SCALE, parse, show, show_whole
from provender.services.custody import documents, sealed_signing
from provender.services.custody.buyer_notices import BuyerNotice, buyer_notices
from provender.services.custody.context import CustodyContext
from provender.services.custody.movements import SOLD, SoldView, own_movement, sold
from provender.services.custody.views import MovementLine
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import at, at_desk
from provender.web.custody.pages.movements import around, movements_table, page_asked, partner_asked
from provender.web.custody.pages.signing import (
    BROUGHT,
    UNREAD,
    SignedForm,
    is_signing,
    paper_file,
    signed_here,
    signing_context,
)
from provender.web.custody.pages.stock import whole_cell
from provender.web.inputs import attempt
from provender.web.tables import Cell, Column, Table, all_said, page_with_tables


@require_GET
@at_desk()
def custody_sales(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """List what was sold, newest first."""
    asked = partner_asked(request, desk)
    page = page_asked(request, desk, asked, SOLD)
    shown = [] if "save" in request.GET else [line.event for line in page.movements]  # a file names no documents
    signed = documents.signed_among(desk, TRANSFER, shown)
    table = movements_table(
        desk, page.movements, name="sales", caption="Sales, newest first",
        beside=lambda line: _document_of(desk, line, signed),
    )  # fmt: skip
    tables = {"sales": all_said(request, table, more=page.older is not None), "sold": _sold(sold(desk, asked.codes))}
    return page_with_tables(request, "custody/sales.html", tables, around(page, asked))


def _sold(sums: Sequence[SoldView]) -> Table:
    """Return the totals by crop or product: of all that was sold, however far the list below reaches."""
    return table_of(
        SoldView,
        sums,
        name="sold",
        caption="All sales by crop",
        empty="",
        cells={
            "form": lambda one: Cell(words(one.form)),
            **{name: partial(_sold_cell, name) for name in ("sold_amount", "back_amount", "left_amount")},
        },
    )


def _sold_cell(name: str, one: SoldView) -> Cell:
    return whole_cell(getattr(one, name), one.unit)


def _document_of(desk: CustodyContext, line: MovementLine, signed: Collection[str]) -> Cell:
    """Return where a sale's transfer document is, and whether it is signed; nothing for what has none."""
    if line.type != "sale" or line.giver != desk.id or line.corrected:
        return Cell("")
    there = at(desk, "custody_document", sale=line.event)
    return Cell("Document", there, note="Signed" if line.event in signed else "Not signed")


@require_http_methods(["GET", "POST"])
@at_desk()
def custody_document(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show a sale's transfer document; ``as=pdf`` or ``as=json`` gives the file; POST keeps the signed one.

    Raises:
        Http404: the organisation has no such sale.
    """
    sale = request.GET.get("sale", "")
    own = own_movement(desk, sale)
    if own is None or own.posted.request.type != "sale" or getattr(own.posted.request, "giver", "") != desk.id:
        raise Http404
    contract = str(getattr(own.posted.request, "contract", ""))
    return _paper_page(request, desk, TRANSFER, sale, at(desk, "custody_document", sale=sale), contract)


@require_http_methods(["GET", "POST"])
@at_desk(areas=(Area.BOOKS,))
def custody_statement(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show the statement of a closed period (2100.034(c)); files and signing as for a transfer document.

    ``restated=yes`` shows the restatement beside it.

    Raises:
        Http404: no period begins on that day, it is not closed, or there is nothing to restate.
    """
    again = request.GET.get("restated") == "yes"
    try:
        start = date.fromisoformat(request.GET.get("start", ""))
        kind, number = documents.statement_of(desk, start, restated=again)
    except (ValueError, ProblemsError):
        raise Http404 from None
    which = {"start": start.isoformat(), **({"restated": "yes"} if again else {})}
    return _paper_page(request, desk, kind, number, at(desk, "custody_statement", **which))


@require_http_methods(["GET", "POST"])
@at_desk()
def custody_consent(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show the paper by which the organisation says that bushels went back; files and signing as for a sale's.

    Raises:
        Http404: it entered no such return, refusal or correction, or nobody has bushels again by it.
    """
    act = request.GET.get("act", "")
    own = own_movement(desk, act)
    if own is None or not documents.has_consent(desk, act, own.posted.request.type):
        raise Http404
    return _paper_page(request, desk, CONSENT, act, at(desk, "custody_consent", act=act))


@require_GET
@at_desk()
def custody_notices(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """List whom the organisation tells of changed reports, newest first, each with its notice."""
    columns = [*map(Column, ("Changed", "Tell", "Crop", "What changed"))]
    columns += [Column(label, number=True) for label in ("CI now (g CO2e/bu)", "Bushels that it has")]
    columns.append(Column("Notice"))
    rows = [
        [
            Cell(one.day.isoformat()), Cell(one.name), Cell(f"{words(one.crop)} {one.harvest_year}"), Cell(one.said),
            Cell("" if one.ci_g_per_bu is None else show(one.ci_g_per_bu, CI_SCALE, group=True)),
            whole_cell(one.bushels), _notice_of(desk, one),
        ]
        for one in buyer_notices(desk)
    ]  # fmt: skip
    empty = "No report behind what your partners have from you has changed."
    return page_with_tables(request, "custody/notices.html", {"told": Table("notices", columns, rows, empty=empty)}, {})


def _notice_of(desk: CustodyContext, one: BuyerNotice) -> Cell:
    there = at(desk, "custody_notice", number=one.number)
    return Cell("Notice", there, note="Signed" if one.signed else "Not signed")


@require_http_methods(["GET", "POST"])
@at_desk()
def custody_notice(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show the notice to one partner of one changed report; files and signing as for a sale's paper.

    Raises:
        Http404: there is no such notice.
    """
    number = request.GET.get("number", "")
    try:
        documents.paper(desk, NOTICE, number)
    except ProblemsError:
        raise Http404 from None
    return _paper_page(request, desk, NOTICE, number, at(desk, "custody_notice", number=number))


def _paper_page(
    request: PersonRequest, desk: CustodyContext, kind: str, number: str, back: str, contract: str = ""
) -> HttpResponseBase:
    """Answer for one document: page, file, its text to sign in the browser, or the signed file brought back.

    Raises:
        ProblemsError: the book has nothing to make it from.
        PermissionDenied: somebody would sign in the browser who may not sign for the organisation.
    """
    if is_signing(request):
        holder = request.access.person
        return signed_here(
            request, back,
            lambda shown: sealed_signing.document_to_sign(desk, kind, number, shown, holder=holder)[1],
            lambda shown, signature: sealed_signing.sign_shown(desk, kind, number, shown, signature, holder=holder),
        )  # fmt: skip
    form = SignedForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid() and _keep(desk, form, kind, number):
        messages.success(request, BROUGHT)
        return redirect(back)
    paper = documents.paper(desk, kind, number)
    wanted = request.GET.get("as", "")
    if wanted in ("pdf", "json"):
        return paper_file(paper, wanted)
    context = {**signing_context(request, desk, paper, form, back), "kind": kind}
    status = UNREAD if form.errors else 200
    if kind == NOTICE:
        tables = {"changes": _changed(paper.document)}
        return page_with_tables(request, "custody/notice.html", tables, context, status=status)
    if kind == CONSENT:
        tables = {"spans": _spans(paper.document)}
        return page_with_tables(request, "custody/consent.html", tables, context, status=status)
    if kind != TRANSFER:
        return render(request, "custody/statement.html", context, status=status)
    context |= {"contract": contract, "mean": _mean(paper.document)}
    tables = {"pieces": _pieces(paper.document)}
    return page_with_tables(request, "custody/document.html", tables, context, status=status)


def _mean(document: Mapping[str, Any]) -> str:
    mean = documents.mean_ci(document)
    return "" if mean is None else show_whole(mean, CI_SCALE)


def _pieces(document: Mapping[str, Any]) -> Table:
    """Return what a document hands over of each carbon intensity: the exact figures, which the mean leaves out."""
    unit = document["unit"]
    columns = [Column("CI (g CO2e/bu)", number=True), Column(f"Amount ({unit})", number=True)]
    if unit != "bu":
        columns.append(Column("Crop used (bu)", number=True))
    rows = []
    for one in document["cis"]:
        amounts = (one["amount"], one["crop_used_bu"])[: len(columns) - 1]
        shown = (show(parse(one["ci_g_per_bu"], CI_SCALE), CI_SCALE, group=True),
                 *(show(parse(amount), group=True) for amount in amounts))  # fmt: skip
        rows.append([Cell(text) for text in shown])
    return Table("pieces", columns, rows, caption="By carbon intensity, lowest first", sorts=True)


def _changed(document: Mapping[str, Any]) -> Table:
    """Return what changed, and for which serials."""
    columns = [Column("What changed"), Column("Serials from", number=True), Column("Up to, not including", number=True)]
    rows = [
        [Cell(change["words"]), *(Cell(show(parse(span[name]), group=True)) for name in ("start", "stop"))]
        for change in document["changes"] for span in change["spans"]
    ]  # fmt: skip
    return Table("changes", columns, rows, caption="What changed")


def _spans(document: Mapping[str, Any]) -> Table:
    """Return the serials that went back, lot by lot."""
    columns = [
        Column("Origin"), Column("Serials from", number=True), Column("Up to, not including", number=True),
        Column("CI (g CO2e/bu)", number=True), Column("Product (lb)", number=True),
    ]  # fmt: skip
    rows = [
        [
            Cell(one["origin"][:SHORT], saved=one["origin"]),
            *(Cell(show(parse(one[name]), group=True)) for name in ("start", "stop")),
            Cell(show(parse(one["ci_g_per_bu"], CI_SCALE), CI_SCALE, group=True)),
            Cell(show(parse(one["product_lb"]), group=True) if "product_lb" in one else ""),
        ]
        for one in document["spans"]
    ]
    return Table("spans", columns, rows, caption="What went back")


def _keep(desk: CustodyContext, form: SignedForm, kind: str, number: str) -> bool:
    def keep() -> object:
        raw = form.envelope()
        expected = documents.expected_for(desk, raw, kind, number)
        return documents.keep_signed(desk.organisation, raw, expected, actor=desk.actor)

    return attempt(form, keep) is not None
