"""Sales and their transfer documents: made from the book, signed, kept and printed here."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Final, NamedTuple

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from provender.custody.documents.build import MARK, TRANSFER, mark_words
from provender.custody.documents.consents import NAME as CONSENT
from provender.custody.documents.consents import NOTICE
from provender.custody.documents.print import mean_ci
from provender.custody.documents.receive import TYPS, Answered, ReceivedDocument
from provender.custody.documents.refiner_figures import CAUTION, CERTIFICATES, FIGURES, SHORT, TITLE, Energy
from provender.custody.model.event import Status
from provender.database.choices import Area
from provender.exact import grouped, show_whole
from provender.paper.tables import Cell, Column, Row, Table, heads, numeric, quantity, table_of
from provender.problem import Problem, ProblemsError
from provender.services.custody import documents, movements
from provender.services.custody.checks import by_sale, waiting
from provender.services.custody.context import CustodyContext, party_names
from provender.services.custody.documents import KEYS, MOST_BYTES, DocumentRef, Paper
from provender.services.custody.figures import certificates_of, days_of, energy_of, lots_csv
from provender.services.custody.views import DeliverySumView, DeliveryView, EventOffer, PendingView, SlipView, offer
from provender.services.custody.views import refused as refused_answer
from provender.services.farm.folder import for_page
from provender.signing.canonical import canonical_json, read_json
from provender.signing.keys import PublicKey
from provender.web.access import PersonRequest
from provender.web.custody.forms import at, form_of, site_choices, trader_view, words
from provender.web.custody.pages.movements import (
    around,
    ci_span,
    movements_table,
    next_page,
    page_asked,
    partner_asked,
    place_in,
)
from provender.web.custody.pages.stock import whole_cell
from provender.web.inputs import attempt, number_in
from provender.web.signing_pages import answered, asked, key_context, keys_table, register_here, sealed_key, text_of
from provender.web.tables import JSON, PDF, ROWS, all_said, download, page_with_tables, rows_wanted

# What the pages of a trader's papers share where one is signed: in the browser, or as a file that is brought back.

SIGNED: Final = "The document is signed and kept. Its signature stands in the PDF and in the JSON."


class SignedForm(forms.Form):
    """The signed file, as it comes from the signer's machine."""

    file = forms.FileField(label="Signed document (JSON)", help_text="The file that the signing program wrote.")

    def envelope(self) -> object:
        """Return what the file holds. Raises ProblemsError: it is no JSON, or too large."""
        file = self.cleaned_data["file"]
        return read_json(file.read(MOST_BYTES + 1), file=file.name, max_bytes=MOST_BYTES)


class ShownPaper(NamedTuple):
    """A paper that a page shows, with what the part of the page needs in which it is signed, and the status."""

    document: dict[str, Any]
    context: dict[str, Any]
    status: int


def _paper_answer(
    request: PersonRequest, trader: CustodyContext, kind: str, which: documents.Which, back: str
) -> HttpResponseBase | ShownPaper:
    """Answer for one paper: file, its text to sign in the browser, or the signed file brought back; else show it.

    Raises:
        ProblemsError: the book has nothing to make it from.
        PermissionDenied: somebody would sign in the browser who may not sign for the organisation.
    """
    if request.method == "POST" and request.content_type == "application/json":
        return _signed_here(request, trader, kind, which, back)
    form = SignedForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid() and _keep(trader, form, kind, which):
        messages.success(request, "The signed document is kept. It is printed into the PDF.")
        return redirect(back)
    paper = documents.paper(trader, kind, which)
    wanted = request.GET.get("as", "")
    if wanted in ("pdf", "json"):
        return _paper_file(paper, wanted, request.build_absolute_uri(back))
    context = {
        "document": paper.document, "signed": paper.signed, "form": form, "back": back, "typ": TYPS[kind],
        "shown": documents.document_ref(paper.document), "held": KEYS.in_use(trader.organisation),
        "before": documents.figures_signed_before(trader, paper) if kind == FIGURES else (), "kind": kind,
        **sealed_key(request.access, KEYS),
    }  # fmt: skip
    return ShownPaper(paper.document, context, _UNREAD if form.errors else 200)


def _keep(trader: CustodyContext, form: SignedForm, kind: str, which: documents.Which) -> bool:
    def keep() -> object:
        raw = form.envelope()
        expected = documents.expected_for(trader, raw, kind, which if isinstance(which, str) else "")
        return documents.keep_signed(trader.organisation, raw, expected, actor=trader.actor)

    return attempt(form, keep) is not None


def _signed_here(
    request: PersonRequest, trader: CustodyContext, kind: str, which: documents.Which, back: str
) -> JsonResponse:
    """Answer the signing script: the text to sign with its hash; where it sends a signature, the document is kept."""
    if not request.access.may_sign:
        raise PermissionDenied
    holder = request.access.person

    def deed() -> dict[str, Any]:
        found = asked(request)
        told = found.get("fields")
        given = told if isinstance(told, dict) else {}
        shown = DocumentRef(text_of(given, "shown"), text_of(given, "made_on"), number_in(text_of(given, "lines")))
        signature = text_of(found, "signature")
        if not signature:
            _, document = documents.document_to_sign(trader, kind, which, shown, holder=holder)
            return {"document": canonical_json(document).decode(), "sha256": shown.sha256}
        documents.sign_shown(trader, kind, which, shown, signature, holder=holder)
        messages.success(request, SIGNED)
        return {"location": back}

    return answered(deed)


def _paper_file(paper: Paper, wanted: str, address: str = "") -> HttpResponse:
    """Return a paper as the file that is asked for, ``pdf`` or ``json``; signed where it is, with its address."""
    if wanted == "json":
        text = json.dumps(paper.envelope or paper.document, indent=1, ensure_ascii=False) + "\n"
        return download(text, JSON, paper.file_name(wanted))
    return download(paper.pdf(address), PDF, paper.file_name(wanted))


# The page where a party of custody makes its signing key: sealed in the browser, registered with proof.

TOLD = "Give it to your buyers before you sign."
_ALONE = (
    "Buyers on this server with which you have a contract get a notice that your key was replaced, and no more: the "
    "program changes no contract of theirs. Call each buyer yourself, read the new key to one another, and give the "
    "code for its contract; whoever is not on this server hears of it from you alone."
)


@require_http_methods(["GET", "POST"])
@trader_view()
def custody_key(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Show the keys of the party; a POST registers one that the page has made.

    Raises:
        PermissionDenied: somebody registers who may not sign for the party.
    """
    access, here = request.access, at(trader, "custody_key")
    if request.method == "POST":
        if not access.may_sign:
            raise PermissionDenied
        return answered(lambda: register_here(request, access, KEYS, address=here, told=TOLD))
    context = {"here": here, **key_context(access, KEYS)}
    held, own = context["held"], context["own"]
    context["short"] = PublicKey.from_jwk(held.public).short if held else ""
    context["lost"] = (
        "I lost that passphrase: register a new key without it" if own
        else "Register a new key without a word of the key in use"
    )  # fmt: skip
    context["alone"] = _ALONE
    keys = keys_table(access, KEYS, empty="No key yet. Make one below, and sign documents with it on their pages.")
    return page_with_tables(request, "custody/key.html", {"keys": keys}, context)


# A refiner's figures of a year: looked at, signed, kept.

_PLANT: Final = ("gallons_per_bu", "btu_per_gallon", "energy_source")
_SHOWN = ("retired_bu", "sum_g", "mean_ci_g_per_bu", "lowest_ci_g_per_bu", "highest_ci_g_per_bu")
_LABELS = ("Bushels retired", "Sum, g CO2e", "Mean, g CO2e/bu", "Lowest", "Highest")


@require_http_methods(["GET", "POST"])
@trader_view(areas=(Area.BOOKS,))
def custody_figures(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Show what was retired into fuel in a year, to be signed; ``as=pdf``, ``csv`` or ``json`` gives it as a file.

    ``kept`` names figures that were signed before, as a file. A POST signs what the page shows, or keeps the file that
    was signed elsewhere.

    Raises:
        Http404: the organisation signed no such figures, or there is nothing to sign.
    """
    if kept := request.GET.get("kept", ""):
        return _kept_figures(trader, kept, request.GET.get("as", ""))
    year = number_in(request.GET.get("year", "")) or trader.today.year
    plant = {name: request.GET.get(name, "") for name in _PLANT}
    named = {name: request.GET.get(name, "") for name in CERTIFICATES}
    back = at(trader, "custody_figures", year=year, **plant, **{name: text for name, text in named.items() if text})
    certificates = [(name, word, named[name]) for name, word in CERTIFICATES.items()]
    context: dict[str, Any] = {"year": year, "plant": plant, "certificates": certificates}
    context |= {"title": TITLE, "caution": CAUTION}
    try:
        energy = _energy(request, plant, context)
        asked = documents.FiguresAsked(days_of(year, None, None, trader.today), energy, certificates_of(named))
        answer = _paper_answer(request, trader, FIGURES, asked, back)
    except ProblemsError as refused:
        if request.method == "POST":
            raise Http404 from None
        context["problem"] = _problem_told(refused)
        return page_with_tables(request, "custody/figures.html", {}, context)
    if not isinstance(answer, ShownPaper):
        return answer
    made = answer.document
    if request.GET.get("as") == "csv":
        return download(lots_csv(made), "text/csv; charset=utf-8", f"figures-{year}.csv")
    last = date.fromisoformat(made["end"])
    before = [(one, at(trader, "custody_figures", kept=one.pk)) for one in answer.context["before"]]
    context |= {**answer.context, "made": made, "before": before}
    context["book"] = mark_words(made[MARK], head=False) if MARK in made else ""
    context["running"] = last if (last.month, last.day) != (12, 31) else None
    return page_with_tables(request, "custody/figures.html", _figure_tables(made), context, status=answer.status)


def _energy(request: PersonRequest, plant: dict[str, str], context: dict[str, Any]) -> Energy | None:
    """Return the plant's yield. What cannot be read of it is told beside figures without it, and nothing is signed.

    Raises:
        ProblemsError: it cannot be read, and a paper is to be signed.
    """
    try:
        return energy_of(*(plant[name] for name in _PLANT))
    except ProblemsError as refused:
        if request.method == "POST":
            raise
        context["problem"] = f"{_problem_told(refused)} The figures below are without it."
        return None


def _problem_told(refused: ProblemsError) -> str:
    told = for_page(refused.problems[0])
    return f"{told.cause} {told.remedy}"


def _kept_figures(trader: CustodyContext, kept: str, wanted: str) -> HttpResponseBase:
    paper = documents.signed_figures(trader, number_in(kept) or 0)
    if paper is None or wanted not in ("pdf", "json"):
        raise Http404
    return _paper_file(paper, wanted)


def _figure_tables(made: dict[str, Any]) -> dict[str, Table]:
    energy = ("kg_per_mmbtu",) if made["energy"] else ()
    return {
        "crops": _figure_table("crops", "By crop", made["crops"], ("crop",), energy),
        "periods": _figure_table("periods", "By mass balance period", made["periods"], ("period", "crop"), ()),
        "batches": _figure_table("batches", "By batch of fuel", made["batches"], ("fuel", "batch", "gallons"), ()),
        "lots": _figure_table("lots", "Lots, and what stands behind each", made["lots"], LOT, (), shown=()),
    }


LOT = ("day", "batch", "crop", "origin", "start", "stop", "bushels", "ci_g_per_bu", "supplier", "report_sha256",
       "document")  # fmt: skip
_HEADS: Final = {
    "start": "Serials from", "stop": "Up to, not including", "ci_g_per_bu": "CI (g CO2e/bu)", "report_sha256": "Report",
}  # fmt: skip
"""Headings of columns that are called otherwise than their name; ``words`` writes the others."""
_HASHES: Final = frozenset({"origin", "report_sha256"})
_NAMES: Final = frozenset({"crop", "fuel"})
_AMOUNTS: Final = frozenset({"gallons", "start", "stop", "bushels", "ci_g_per_bu", "kg_per_mmbtu", *_SHOWN})


def _figure_table(
    name: str,
    caption: str,
    rows: list[dict[str, Any]],
    heads: tuple[str, ...],
    more: tuple[str, ...],
    shown: tuple[str, ...] = _SHOWN,
) -> Table:
    columns = [Column(_HEADS.get(head) or words(head), number=head in _AMOUNTS) for head in heads]
    columns += [Column(label, number=True) for label in _LABELS[: len(shown)]]
    columns += [Column("kg CO2e/mmBtu", number=True) for _ in more]
    cells = [[_cell(key, str(one[key] or "")) for key in (*heads, *shown, *more)] for one in rows]
    return Table(name, columns, cells, caption=caption)


def _cell(key: str, text: str) -> Cell:
    """Write a figure for people; a file keeps every digit, and whole hashes."""
    if text and key in _AMOUNTS:
        return Cell(f"{Decimal(text):,f}", saved=Decimal(text))
    if key in _HASHES:
        return Cell(text[:SHORT], saved=text)
    return Cell(words(text), saved=text) if key in _NAMES else Cell(text)


_REFUSED: Final = 409
_UNREAD: Final = 422


@require_GET
@trader_view()
def custody_sales(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """List what was sold, newest first."""
    asked = partner_asked(request, trader)
    page = page_asked(request, trader, asked, movements.SOLD)
    shown = [] if "save" in request.GET else [line.event for line in page.movements]  # a file names no documents
    signed = documents.signed_among(trader, TRANSFER, shown)
    table = movements_table(
        trader, page.movements, name="sales", caption="Sales, newest first",
        beside=lambda line: _document_of(trader, line, signed),
    )  # fmt: skip
    tables = {
        "sales": all_said(request, table, more=page.older is not None),
        "sold": _sold(movements.sold(trader, asked.codes)),
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
            "sold_amount": lambda one: whole_cell(one.sold_amount, one.unit),
            "back_amount": lambda one: whole_cell(one.back_amount, one.unit),
            "left_amount": lambda one: whole_cell(one.left_amount, one.unit),
        },
    )


def _document_of(trader: CustodyContext, line: movements.Movement, signed: Collection[str]) -> Cell:
    """Return where a sale's transfer document is, and whether it is signed; nothing for what has none."""
    if line.type != "sale" or line.giver != trader.id or line.corrected:
        return Cell("")
    there = at(trader, "custody_document", sale=line.event)
    return Cell("Document", there, note="Signed" if line.event in signed else "Not signed")


@require_http_methods(["GET", "POST"])
@trader_view()
def custody_document(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Show a sale's transfer document; ``as=pdf`` or ``as=json`` gives the file; POST keeps the signed one.

    Raises:
        Http404: the organisation has no such sale.
    """
    sale = request.GET.get("sale", "")
    own = movements.own_movement(trader, sale)
    if own is None or own.posted.event.type != "sale" or getattr(own.posted.event, "giver", "") != trader.id:
        raise Http404
    contract = str(getattr(own.posted.event, "contract", ""))
    return _paper_page(request, trader, TRANSFER, sale, at(trader, "custody_document", sale=sale), contract)


@require_http_methods(["GET", "POST"])
@trader_view(areas=(Area.BOOKS,))
def custody_statement(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Show the statement of a closed period (2100.034(c)); files and signing as for a transfer document.

    ``restated=yes`` shows the restatement beside it.

    Raises:
        Http404: no period begins on that day, it is not closed, or there is nothing to restate.
    """
    again = request.GET.get("restated") == "yes"
    try:
        start = date.fromisoformat(request.GET.get("start", ""))
        kind, number = documents.statement_of(trader, start, restated=again)
    except (ValueError, ProblemsError):
        raise Http404 from None
    which = {"start": start.isoformat(), **({"restated": "yes"} if again else {})}
    return _paper_page(request, trader, kind, number, at(trader, "custody_statement", **which))


@require_http_methods(["GET", "POST"])
@trader_view()
def custody_consent(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Show the paper by which the organisation says that bushels went back; files and signing as for a sale's.

    Raises:
        Http404: it entered no such return, refusal or correction, or nobody has bushels again by it.
    """
    act = request.GET.get("act", "")
    own = movements.own_movement(trader, act)
    if own is None or not documents.has_consent(trader, act, own.posted.event.type):
        raise Http404
    return _paper_page(request, trader, CONSENT, act, at(trader, "custody_consent", act=act))


@require_GET
@trader_view()
def custody_notices(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """List whom the organisation tells of changed reports, newest first, each with its notice."""
    told = table_of(
        documents.BuyerNotice,
        documents.buyer_notices(trader),
        name="notices",
        only=("day", "name", "crop", "said", "ci_g_per_bu", "bushels", "number"),
        empty="No report behind what your partners have from you has changed.",
        cells={
            "crop": lambda one: Cell(f"{words(one.crop)} {one.harvest_year}"),
            "number": lambda one: Cell(
                "Notice", at(trader, "custody_notice", number=one.number), note="Signed" if one.signed else "Not signed"
            ),
        },
    )
    return page_with_tables(request, "custody/notices.html", {"told": told}, {})


@require_http_methods(["GET", "POST"])
@trader_view()
def custody_notice(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Show the notice to one partner of one changed report; files and signing as for a sale's paper.

    Raises:
        Http404: there is no such notice.
    """
    number = request.GET.get("number", "")
    try:
        documents.paper(trader, NOTICE, number)
    except ProblemsError:
        raise Http404 from None
    return _paper_page(request, trader, NOTICE, number, at(trader, "custody_notice", number=number))


def _paper_page(
    request: PersonRequest, trader: CustodyContext, kind: str, number: str, back: str, contract: str = ""
) -> HttpResponseBase:
    """Answer for one document; see ``_paper_answer``."""
    answer = _paper_answer(request, trader, kind, number, back)
    if not isinstance(answer, ShownPaper):
        return answer
    document, context, status = answer
    if kind == NOTICE:
        template, tables = "custody/notice.html", {"changes": _changed(document)}
    elif kind == CONSENT:
        template, tables = "custody/consent.html", {"spans": _spans(document)}
    elif kind == TRANSFER:
        template, tables = "custody/document.html", {"pieces": _pieces(document)}
        context |= {"contract": contract, "mean": mean_ci(document, show_whole)}
    else:
        template, tables = "custody/statement.html", {}
    return page_with_tables(request, template, tables, context, status=status)


def _pieces(document: Mapping[str, Any]) -> Table:
    """Return what a document hands over of each carbon intensity: the exact figures, which the mean leaves out."""
    unit = document["unit"]
    amounts = {"amount": f"Amount ({unit})", **({} if unit == "bu" else {"crop_used_bu": "Crop used (bu)"})}
    labels = ("CI (g CO2e/bu)", *amounts.values())
    rows = [[grouped(one["ci_g_per_bu"]), *(grouped(one[name]) for name in amounts)] for one in document["cis"]]
    columns = heads(*map(numeric, labels))
    return Table("pieces", columns, rows, caption="By carbon intensity, lowest first", sorts=True)


_SPAN: Final = ("Serials from", "Up to, not including")


def _changed(document: Mapping[str, Any]) -> Table:
    rows = [
        [change["words"], *(grouped(span[name]) for name in ("start", "stop"))]
        for change in document["changes"]
        for span in change["spans"]
    ]
    return Table("changes", heads("What changed", *map(numeric, _SPAN)), rows, caption="What changed")


def _spans(document: Mapping[str, Any]) -> Table:
    """Return the serials that went back, lot by lot."""
    numbers = (*_SPAN, "CI (g CO2e/bu)", "Product (lb)")
    names = ("start", "stop", "ci_g_per_bu", "product_lb")
    rows: list[Row] = [
        [
            Cell(one["origin"][:SHORT], saved=one["origin"]),
            *(grouped(one[name]) if name in one else "" for name in names),
        ]
        for one in document["spans"]
    ]
    return Table("spans", heads("Origin", *map(numeric, numbers)), rows, caption="What went back")


# What is on its way in: deliveries to accept, sale slips to buy, purchases that wait for a report.

_LATEST: Final = 12


@require_GET
@trader_view()
def custody_incoming(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Show everything that waits for the organisation, and what came in last."""
    view = waiting(trader)
    farms = [*(one.farm for one in view.slips), *(one.farm for one in view.pending)]
    names = party_names([*(one.seller for one in view.deliveries), *farms])
    tables = {
        "deliveries": _deliveries(trader, view.deliveries, names),
        "slips": _slips(trader, view.slips, names),
        "waiting": _pending(trader, view.pending, names),
    }
    # Of three lists those that are empty say nothing; that nothing waits at all is said once.
    tables = {name: table for name, table in tables.items() if table.rows}
    context: dict[str, object] = {"buys": trader.buys_from_farms, "no_sites": trader.lacks_site, "waits": bool(tables)}
    size = rows_wanted(request)
    latest = movements.movements(
        trader, before=place_in(request), size=_LATEST if size == ROWS else size, kinds=movements.RECEIVED,
        scanned=movements.LOOKED_AT if size == ROWS else movements.WHOLE_BOOK,
    )  # fmt: skip
    table = movements_table(trader, latest.movements, name="received", caption="Came in last")
    tables["latest"] = all_said(request, table, more=latest.older is not None)
    context |= {"more": next_page(latest), "back_to": latest.older and latest.older.day}
    return page_with_tables(request, "custody/incoming.html", tables, context)


def _button(trader: CustodyContext, label: str, kind: str, **known: str) -> Cell:
    return Cell(label, form_of(trader, offer(label, kind, **known))) if trader.may_write else Cell("")


def _deliveries(trader: CustodyContext, sent: Sequence[DeliveryView], names: dict[str, str]) -> Table:
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
            "": lambda one: _button(trader, "Accept", "accept", movement=one.sale),
        },
    )


def _slips(trader: CustodyContext, slips: Sequence[SlipView], names: dict[str, str]) -> Table:
    return table_of(
        SlipView,
        slips,
        name="slips",
        only=("day", "farm", "crop", "bushels_left", "ci_g_per_bu"),
        caption="Sale slips of farms, with their report",
        cells={
            "farm": lambda one: Cell(names[one.farm], note=f"{one.farm} · {one.slip}", typed=True),
            "crop": lambda one: Cell(f"{words(one.crop)} {one.harvest_year}" if one.crop else ""),
            "": lambda one: _button(trader, "Buy", "purchase", slip=one.slip, giver=one.farm),
        },
    )


def _pending(trader: CustodyContext, pending: Sequence[PendingView], names: dict[str, str]) -> Table:
    return table_of(
        PendingView,
        pending,
        name="waiting",
        only=("day", "farm", "crop", "bushels_left", "site"),
        caption="Bought with CI pending",
        cells={
            "farm": lambda one: Cell(names[one.farm], note=f"{one.farm} · {one.purchase}", typed=True),
            "crop": lambda one: Cell(f"{words(one.crop)} {one.harvest_year}"),
            "": lambda one: _button(trader, "Assign a slip", "assign", pending=one.purchase, giver=one.farm),
        },
    )


# Taking in a document that came from outside: signature against the pinned key, chain, overlap, then the book.

_NO_SITE = ("", "The only one")


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
@trader_view("write")
def custody_receive(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Take in a document, or say what speaks against it and what to do."""
    form = DocumentForm(request.POST or None, request.FILES or None)
    field = form.fields["site"]
    assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared above
    field.choices = [_NO_SITE, *site_choices(trader)]
    if request.method == "GET":
        return _shown(request, form)
    if not form.is_valid():
        return _shown(request, form, status=_UNREAD)
    file = form.cleaned_data["file"]
    content = file.read(documents.MOST_BYTES + 1)
    try:
        if form.cleaned_data["on_file"]:
            said = documents.put_on_file(trader, file.name, content)
            return _shown(request, form, done=[said])
        raw = read_json(content, file=file.name, max_bytes=documents.MOST_BYTES)
        incoming = documents.open_file(raw, trader, file.name)
        if incoming.content is None or incoming.problems:
            ways = _links(trader, documents.suggested_contracts(incoming, raw))
            return _shown(request, form, incoming.problems, ways, status=_REFUSED)
        site, accept = form.cleaned_data["site"], not form.cleaned_data["in_transit"]
        answers, doubts = documents.receive_file(
            trader, incoming, name=file.name, content=content, site=site, accept=accept
        )
    except ProblemsError as refused:
        return _shown(request, form, refused.problems, status=_REFUSED)
    return _answered(request, trader, form, incoming, answers, doubts)


def _answered(
    request: PersonRequest,
    trader: CustodyContext,
    form: DocumentForm,
    incoming: ReceivedDocument,
    answers: list[Answered],
    doubts: list[Problem],
) -> HttpResponseBase:
    last = answers[-1]
    if not last.outcome.status.well:
        problems = (refused_answer(last.outcome, file=incoming.kind),)
        absent = last.outcome.status is Status.ENTITY_NOT_FOUND
        cures = [documents.register_sender(documents.sender_of(incoming))] if absent else []
        done = [one.outcome.message for one in answers[:-1] if one.outcome.status.well]
        return _shown(request, form, problems, _links(trader, cures), done, _REFUSED)
    for one in answers:
        messages.success(request, one.outcome.message)
    if any(("state", "unverified") in one.outcome.details for one in answers):
        said = "It is held unverified: enter the seller's verification statement, and it may go on as reduced-CI."
        messages.warning(request, said)
    for doubt in doubts:
        messages.warning(request, f"{doubt.cause} {doubt.remedy}")
    return redirect("custody_incoming", trader.id)


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


def _links(trader: CustodyContext, cures: list[EventOffer]) -> list[tuple[str, str]]:
    return [(one.what, form_of(trader, one)) for one in cures]
