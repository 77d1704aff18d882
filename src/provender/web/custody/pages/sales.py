"""Sales and their transfer documents: made from the book, signed, kept and printed here."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from provender.custody.documents.build import TRANSFER
from provender.custody.documents.consents import NAME as CONSENT
from provender.custody.documents.consents import NOTICE
from provender.custody.documents.receive import Answered, ReceivedDocument
from provender.custody.documents.refiner_figures import SHORT
from provender.custody.model.event import Status
from provender.database.choices import Area
from provender.exact import CI_SCALE, grouped, show_whole
from provender.paper.tables import Cell, Row, Table, heads, quantity, table_of
from provender.problem import Problem, ProblemsError
from provender.services.custody import documents, movements
from provender.services.custody.checks import by_sale, waiting
from provender.services.custody.context import CustodyContext, party_names
from provender.services.custody.views import DeliverySumView, DeliveryView, EventOffer, PendingView, SlipView, offer
from provender.services.custody.views import refused as refused_answer
from provender.signing.canonical import read_json
from provender.web.access import PersonRequest
from provender.web.custody.forms import at, at_desk, form_of, site_choices, words
from provender.web.custody.pages.movements import (
    around,
    ci_span,
    movements_table,
    next_page,
    page_asked,
    partner_asked,
    place_in,
)
from provender.web.custody.pages.signing import ShownPaper, paper_answer
from provender.web.custody.pages.stock import whole_cell
from provender.web.tables import ROWS, all_said, page_with_tables, rows_wanted


@require_GET
@at_desk()
def custody_sales(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """List what was sold, newest first."""
    asked = partner_asked(request, desk)
    page = page_asked(request, desk, asked, movements.SOLD)
    shown = [] if "save" in request.GET else [line.event for line in page.movements]  # a file names no documents
    signed = documents.signed_among(desk, TRANSFER, shown)
    table = movements_table(
        desk, page.movements, name="sales", caption="Sales, newest first",
        beside=lambda line: _document_of(desk, line, signed),
    )  # fmt: skip
    tables = {
        "sales": all_said(request, table, more=page.older is not None),
        "sold": _sold(movements.sold(desk, asked.codes)),
    }
    return page_with_tables(request, "custody/sales.html", tables, around(page, asked))


def _sold(sums: Sequence[movements.SoldView]) -> Table:
    """Return the totals by crop or product: of all that was sold, however far the list below reaches."""
    return table_of(
        movements.SoldView,
        sums,
        name="sold",
        caption="All sales by crop",
        empty="",
        cells={
            "form": lambda one: Cell(words(one.form)),
            **{name: partial(_sold_cell, name) for name in ("sold_amount", "back_amount", "left_amount")},
        },
    )


def _sold_cell(name: str, one: movements.SoldView) -> Cell:
    return whole_cell(getattr(one, name), one.unit)


def _document_of(desk: CustodyContext, line: movements.Movement, signed: Collection[str]) -> Cell:
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
    own = movements.own_movement(desk, sale)
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
    own = movements.own_movement(desk, act)
    if own is None or not documents.has_consent(desk, act, own.posted.request.type):
        raise Http404
    return _paper_page(request, desk, CONSENT, act, at(desk, "custody_consent", act=act))


@require_GET
@at_desk()
def custody_notices(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """List whom the organisation tells of changed reports, newest first, each with its notice."""
    told = table_of(
        documents.BuyerNotice,
        documents.buyer_notices(desk),
        name="notices",
        only=("day", "name", "crop", "said", "ci_g_per_bu", "bushels", "number"),
        empty="No report behind what your partners have from you has changed.",
        cells={
            "crop": lambda one: Cell(f"{words(one.crop)} {one.harvest_year}"),
            "number": lambda one: Cell(
                "Notice", at(desk, "custody_notice", number=one.number), note="Signed" if one.signed else "Not signed"
            ),
        },
    )
    return page_with_tables(request, "custody/notices.html", {"told": told}, {})


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
    """Answer for one document; see ``paper_answer``."""
    answer = paper_answer(request, desk, kind, number, back)
    if not isinstance(answer, ShownPaper):
        return answer
    document, context, status = answer
    if kind == NOTICE:
        template, tables = "custody/notice.html", {"changes": _changed(document)}
    elif kind == CONSENT:
        template, tables = "custody/consent.html", {"spans": _spans(document)}
    elif kind == TRANSFER:
        template, tables = "custody/document.html", {"pieces": _pieces(document)}
        mean = documents.mean_ci(document)
        context |= {"contract": contract, "mean": "" if mean is None else show_whole(mean, CI_SCALE)}
    else:
        template, tables = "custody/statement.html", {}
    return page_with_tables(request, template, tables, context, status=status)


def _pieces(document: Mapping[str, Any]) -> Table:
    """Return what a document hands over of each carbon intensity: the exact figures, which the mean leaves out."""
    unit = document["unit"]
    amounts = {"amount": f"Amount ({unit})", **({} if unit == "bu" else {"crop_used_bu": "Crop used (bu)"})}
    labels = ("CI (g CO2e/bu)", *amounts.values())
    rows = [[grouped(one["ci_g_per_bu"]), *(grouped(one[name]) for name in amounts)] for one in document["cis"]]
    columns = heads(*labels, numbers=labels)
    return Table("pieces", columns, rows, caption="By carbon intensity, lowest first", sorts=True)


SPAN: Final = ("Serials from", "Up to, not including")


def _changed(document: Mapping[str, Any]) -> Table:
    """Return what changed, and for which serials."""
    rows = [
        [change["words"], *(grouped(span[name]) for name in ("start", "stop"))]
        for change in document["changes"]
        for span in change["spans"]
    ]
    return Table("changes", heads("What changed", *SPAN, numbers=SPAN), rows, caption="What changed")


def _spans(document: Mapping[str, Any]) -> Table:
    """Return the serials that went back, lot by lot."""
    numbers = (*SPAN, "CI (g CO2e/bu)", "Product (lb)")
    rows: list[Row] = [
        [
            Cell(one["origin"][:SHORT], saved=one["origin"]),
            *(grouped(one[name]) for name in ("start", "stop")),
            grouped(one["ci_g_per_bu"]),
            grouped(one["product_lb"]) if "product_lb" in one else "",
        ]
        for one in document["spans"]
    ]
    return Table("spans", heads("Origin", *numbers, numbers=numbers), rows, caption="What went back")


# What is on its way in: deliveries to accept, sale slips to buy, purchases that wait for a report.

LATEST: Final = 12


@require_GET
@at_desk()
def custody_incoming(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show everything that waits for the organisation, and what came in last."""
    view = waiting(desk)
    farms = [*(one.farm for one in view.slips), *(one.farm for one in view.pending)]
    names = party_names([*(one.seller for one in view.deliveries), *farms])
    tables = {
        "deliveries": _deliveries(desk, view.deliveries, names),
        "slips": _slips(desk, view.slips, names),
        "waiting": _pending(desk, view.pending, names),
    }
    # Of three lists those that are empty say nothing; that nothing waits at all is said once.
    tables = {name: table for name, table in tables.items() if table.rows}
    context: dict[str, object] = {"buys": desk.buys_from_farms, "no_sites": desk.lacks_site, "waits": bool(tables)}
    size = rows_wanted(request)
    latest = movements.movements(
        desk, before=place_in(request), size=LATEST if size == ROWS else size, kinds=movements.RECEIVED,
        scanned=movements.LOOKED_AT if size == ROWS else movements.WHOLE_BOOK,
    )  # fmt: skip
    table = movements_table(desk, latest.movements, name="received", caption="Came in last")
    tables["latest"] = all_said(request, table, more=latest.older is not None)
    context |= {"more": next_page(latest), "back_to": latest.older and latest.older.day}
    return page_with_tables(request, "custody/incoming.html", tables, context)


def _button(desk: CustodyContext, label: str, kind: str, **known: str) -> Cell:
    return Cell(label, form_of(desk, offer(label, kind, **known))) if desk.may_write else Cell("")


def _deliveries(desk: CustodyContext, sent: Sequence[DeliveryView], names: dict[str, str]) -> Table:
    return table_of(
        DeliverySumView,
        by_sale(sent),
        name="deliveries",
        only=("day", "seller", "form", "amount", "lowest_ci_g_per_bu"),
        caption="On the way to you",
        cells={
            "seller": lambda one: Cell(names[one.seller], note=f"{one.seller} · {one.sale}", typed=True),
            "form": lambda one: Cell(f"{words(one.form)} {one.harvest_year}"),
            "amount": lambda one: quantity(one.amount, one.unit),
            "lowest_ci_g_per_bu": lambda one: Cell(ci_span(one.lowest_ci_g_per_bu, one.highest_ci_g_per_bu)),
            "": lambda one: _button(desk, "Accept", "accept", movement=one.sale),
        },
    )


def _slips(desk: CustodyContext, slips: Sequence[SlipView], names: dict[str, str]) -> Table:
    return table_of(
        SlipView,
        slips,
        name="slips",
        only=("day", "farm", "crop", "bushels_left", "ci_g_per_bu"),
        caption="Sale slips of farms, with their report",
        cells={
            "farm": lambda one: Cell(names[one.farm], note=f"{one.farm} · {one.slip}", typed=True),
            "crop": lambda one: Cell(f"{words(one.crop)} {one.harvest_year}" if one.crop else ""),
            "": lambda one: _button(desk, "Buy", "purchase", slip=one.slip, giver=one.farm),
        },
    )


def _pending(desk: CustodyContext, pending: Sequence[PendingView], names: dict[str, str]) -> Table:
    return table_of(
        PendingView,
        pending,
        name="waiting",
        only=("day", "farm", "crop", "bushels_left", "site"),
        caption="Bought with CI pending",
        cells={
            "farm": lambda one: Cell(names[one.farm], note=f"{one.farm} · {one.purchase}", typed=True),
            "crop": lambda one: Cell(f"{words(one.crop)} {one.harvest_year}"),
            "": lambda one: _button(desk, "Assign a slip", "assign", pending=one.purchase, giver=one.farm),
        },
    )


# Taking in a document that came from outside: signature against the pinned key, chain, overlap, then the book.

REFUSED = 409
UNREAD = 422
NO_SITE = ("", "The only one")


class DocumentForm(forms.Form):
    """The file, and where the crop lies."""

    file = forms.FileField(
        label="Document (JSON)",
        help_text="A transfer document, a sale slip or a farm's report: the signed JSON file, not the PDF.",
    )
    site = forms.ChoiceField(label="At which of your sites it lies", required=False)
    in_transit = forms.BooleanField(label="Only note it; I accept it later", required=False)
    on_file = forms.BooleanField(
        label="It is no signed file of this program: put it on file",
        help_text="Such as a verifier's PDF, or a bin sheet behind opening stock. You get its hash.",
        required=False,
    )


@require_http_methods(["GET", "POST"])
@at_desk("write")
def custody_receive(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Take in a document, or say what speaks against it and what to do."""
    form = DocumentForm(request.POST or None, request.FILES or None)
    field = form.fields["site"]
    assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared above
    field.choices = [NO_SITE, *site_choices(desk)]
    if request.method == "GET":
        return _shown(request, form)
    if not form.is_valid():
        return _shown(request, form, status=UNREAD)
    file = form.cleaned_data["file"]
    content = file.read(documents.MOST_BYTES + 1)
    try:
        if form.cleaned_data["on_file"]:
            said = documents.put_on_file(desk, file.name, content)
            return _shown(request, form, done=[said])
        raw = read_json(content, file=file.name, max_bytes=documents.MOST_BYTES)
        incoming = documents.open_file(raw, desk, file.name)
        if incoming.content is None or incoming.problems:
            return _shown(
                request, form, incoming.problems, _links(desk, documents.cures_of(incoming, raw)), status=REFUSED
            )
        site, accept = form.cleaned_data["site"], not form.cleaned_data["in_transit"]
        answers, doubts = documents.receive_file(
            desk, incoming, name=file.name, content=content, site=site, accept=accept
        )
    except ProblemsError as refused:
        return _shown(request, form, refused.problems, status=REFUSED)
    return _answered(request, desk, form, incoming, answers, doubts)


def _answered(
    request: PersonRequest,
    desk: CustodyContext,
    form: DocumentForm,
    incoming: ReceivedDocument,
    answers: list[Answered],
    doubts: list[Problem],
) -> HttpResponseBase:
    last = answers[-1]
    if not last.outcome.status.well:
        problems = (refused_answer(last.outcome, file=incoming.kind),)
        cures = (
            [documents.register_sender(documents.sender_of(incoming))]
            if last.outcome.status is Status.ENTITY_NOT_FOUND
            else []
        )
        done = [one.outcome.message for one in answers[:-1] if one.outcome.status.well]
        return _shown(request, form, problems, _links(desk, cures), done, REFUSED)
    for one in answers:
        messages.success(request, one.outcome.message)
    if any(("state", "unverified") in one.outcome.facts for one in answers):
        said = "It is held unverified: enter the seller's verification statement, and it may go on as reduced-CI."
        messages.warning(request, said)
    for doubt in doubts:
        messages.warning(request, f"{doubt.cause} {doubt.remedy}")
    return redirect("custody_incoming", desk.id)


def _shown(
    request: PersonRequest,
    form: DocumentForm,
    problems: tuple[Problem, ...] = (),
    ways: list[tuple[str, str]] | None = None,
    done: list[str] | None = None,
    status: int = 200,
) -> HttpResponseBase:
    context = {"form": form, "problems": problems, "ways": ways or [], "done": done or []}
    return render(request, "custody/receive.html", context, status=status)


def _links(desk: CustodyContext, cures: list[EventOffer]) -> list[tuple[str, str]]:
    return [(one.what, form_of(desk, one)) for one in cures]
