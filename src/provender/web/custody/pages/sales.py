"""Sales and their transfer documents: made from the book, signed on the seller's own machine, kept and printed here."""

import json
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import get_valid_filename
from django.views.decorators.http import require_GET, require_http_methods

from provender.custody.documents.build import TRANSFER, period_document, transfer_document
from provender.custody.documents.print import document_pdf
from provender.custody.model.store_view import StoreView
from provender.custody.queries.period_restatement import restatement_document
from provender.database.models import SignedDocument
from provender.database.store.custody_movements import movements_page
from provender.problem import ProblemsError
from provender.services.custody.documents import keep_signed
from provender.signing.canonical import read_json
from provender.web.access import PersonRequest
from provender.web.custody.pages.context import READER, CustodyContext, at_desk
from provender.web.custody.pages.movements import movements_table, next_page, own_movement, place_in
from provender.web.download import JSON, PDF, download
from provender.web.inputs import attempt
from provender.web.tables import page_with_tables, rows_wanted

MOST_BYTES: Final = 4 * 2**20
UNREAD: Final = 422
SOLD: Final = ("sale", "return", "reject")


@require_GET
@at_desk()
def custody_sales(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """List what was sold, newest first."""
    page = movements_page(desk.id, before=place_in(request), size=rows_wanted(request), kinds=SOLD)
    table = movements_table(desk, page.movements, name="sales", caption="Sales, newest first")
    return page_with_tables(request, "custody/sales.html", {"sales": table}, {"more": next_page(page)})


class SignedForm(forms.Form):
    """The signed file, as it comes from the seller's machine."""

    file = forms.FileField(label="Signed document (JSON)", help_text="The file that the signing program wrote.")

    def envelope(self) -> object:
        """Return what the file holds.

        Raises:
            ProblemsError: it is no JSON, or too large.
        """
        file = self.cleaned_data["file"]
        return read_json(file.read(MOST_BYTES + 1), file=file.name, max_bytes=MOST_BYTES)


@require_http_methods(["GET", "POST"])
@at_desk()
def custody_document(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show a sale's transfer document; ``as=pdf`` or ``as=json`` gives the file; POST keeps the signed one.

    Raises:
        Http404: the organisation has no such sale.
    """
    sale = request.GET.get("sale", "")
    posted, _ = own_movement(desk, sale)
    if posted.request.type != "sale" or getattr(posted.request, "giver", "") != desk.id:
        raise Http404
    back = f"{reverse('custody_document', args=(desk.id,))}?{urlencode({'sale': sale})}"
    make = lambda facts, day: transfer_document(facts, sale, as_of=day)  # noqa: E731 - handed on at once
    return paper_page(request, desk, make, kind=TRANSFER, number=sale, back=back)


@require_http_methods(["GET", "POST"])
@at_desk()
def custody_statement(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show the statement of a closed period (2100.034(c)); files and signing as for a transfer document.

    ``restated=yes`` shows the restatement beside it.

    Raises:
        Http404: no period begins on that day, it is not closed, or there is nothing to restate.
    """
    again = request.GET.get("restated") == "yes"
    try:
        start = date.fromisoformat(request.GET.get("start", ""))
        with READER.reading() as facts:
            document = _stated(facts, desk, start, desk.today if again else None)
    except (ValueError, ProblemsError):
        raise Http404 from None
    which = {"start": start.isoformat(), **({"restated": "yes"} if again else {})}
    back = f"{reverse('custody_statement', args=(desk.id,))}?{urlencode(which)}"
    make = lambda facts, day: _stated(facts, desk, start, day if again else None)  # noqa: E731 - handed on at once
    return paper_page(request, desk, make, kind=document["type"], number=document["number"], back=back)


def _stated(facts: StoreView, desk: CustodyContext, start: date, as_of: date | None) -> dict[str, Any]:
    """Return the statement of a period, or its restatement as of a day."""
    if as_of is None:
        return period_document(facts, desk.id, start)
    return restatement_document(facts, desk.id, start, as_of=as_of)


Making = Callable[[StoreView, date], dict[str, Any]]


def paper_page(
    request: PersonRequest, desk: CustodyContext, make: Making, *, kind: str, number: str, back: str
) -> HttpResponseBase:
    """Answer for one document: page, file, or the signed file brought back.

    Raises:
        ProblemsError: the book has nothing to make it from.
    """
    signed = SignedDocument.objects.filter(organisation=desk.access.organisation, kind=kind, number=number).first()
    envelope = read_json(signed.text.encode()) if signed else None
    form = SignedForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid() and _keep(desk, form, make):
        messages.success(request, "The signed document is kept. It is printed into the PDF.")
        return redirect(back)
    with READER.reading() as facts:
        document = envelope["document"] if isinstance(envelope, dict) else make(facts, desk.today)
    wanted = request.GET.get("as")
    if wanted in ("pdf", "json"):
        return paper_file(wanted, document, envelope, signed, number)
    context = {"document": document, "signed": signed, "form": form, "back": back, "kind": kind}
    template = "custody/document.html" if kind == TRANSFER else "custody/statement.html"
    return render(request, template, context, status=UNREAD if form.errors else 200)


def _keep(desk: CustodyContext, form: SignedForm, make: Making) -> SignedDocument | None:
    def deed() -> SignedDocument:
        raw = form.envelope()
        inner = raw.get("document") if isinstance(raw, dict) else None
        made_on = str(inner.get("made_on") or "") if isinstance(inner, dict) else ""
        try:
            day = date.fromisoformat(made_on) if made_on else desk.today
        except ValueError:
            day = desk.today
        with READER.reading() as facts:
            expected = make(facts, day)
        return keep_signed(desk.access.organisation, raw, expected, actor=desk.access.actor)

    return attempt(form, deed)


def paper_file(
    wanted: str, document: Mapping[str, Any], envelope: object, signed: SignedDocument | None, number: str
) -> HttpResponse:
    """Return a document as a file, ``pdf`` or ``json``; an envelope is one with its signature."""
    stem = get_valid_filename(f"{document['type']}-{number}".replace("/", "_"))
    whole = envelope if isinstance(envelope, dict) else None
    if wanted == "json":
        return download(json.dumps(whole or document, indent=1, ensure_ascii=False) + "\n", JSON, f"{stem}.json")
    content = document_pdf(document, envelope=whole, fingerprint=signed.fingerprint if signed else "")
    return download(content, PDF, f"{stem}.{wanted}")
