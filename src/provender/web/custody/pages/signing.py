"""What the pages of a trader's papers share where one is signed: in the browser, or as a file that is brought back."""

import json
from datetime import date
from decimal import Decimal
from typing import Any, Final, NamedTuple

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from provender.custody.documents.build import MARK, mark_words
from provender.custody.documents.refiner_figures import CAUTION, FIGURES, SHORT, TITLE, Energy
from provender.custody.documents.sign import TYPS
from provender.database.choices import Area
from provender.paper.tables import Cell, Column, Table
from provender.problem import ProblemsError
from provender.services.custody import documents
from provender.services.custody.context import CustodyContext
from provender.services.custody.documents import KEYS, MOST_BYTES, Paper, Shown
from provender.services.custody.figures import days_of, energy_of, lots_csv
from provender.services.farm.folder import for_page
from provender.signing.canonical import canonical_json, read_json
from provender.signing.keys import PublicKey
from provender.web.access import PersonRequest
from provender.web.custody.forms import at, at_desk, words
from provender.web.inputs import attempt, number_in
from provender.web.signing_pages import answered, asked, key_context, keys_table, register_here, sealed_key, text_of
from provender.web.tables import JSON, PDF, download, page_with_tables

UNREAD: Final = 422
SIGNED: Final = "The document is signed and kept. Its signature stands in the PDF and in the JSON."


class SignedForm(forms.Form):
    """The signed file, as it comes from the signer's machine."""

    file = forms.FileField(label="Signed document (JSON)", help_text="The file that the signing program wrote.")

    def envelope(self) -> object:
        """Return what the file holds.

        Raises:
            ProblemsError: it is no JSON, or too large.
        """
        file = self.cleaned_data["file"]
        return read_json(file.read(MOST_BYTES + 1), file=file.name, max_bytes=MOST_BYTES)


class ShownPaper(NamedTuple):
    """A paper that a page shows, with what the part of the page needs in which it is signed, and the status."""

    document: dict[str, Any]
    context: dict[str, Any]
    status: int


def paper_answer(
    request: PersonRequest, desk: CustodyContext, kind: str, which: documents.Which, back: str
) -> HttpResponseBase | ShownPaper:
    """Answer for one paper: file, its text to sign in the browser, or the signed file brought back; else show it.

    Raises:
        ProblemsError: the book has nothing to make it from.
        PermissionDenied: somebody would sign in the browser who may not sign for the organisation.
    """
    if request.method == "POST" and request.content_type == "application/json":
        return _signed_here(request, desk, kind, which, back)
    form = SignedForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid() and _keep(desk, form, kind, which):
        messages.success(request, "The signed document is kept. It is printed into the PDF.")
        return redirect(back)
    paper = documents.paper(desk, kind, which)
    wanted = request.GET.get("as", "")
    if wanted in ("pdf", "json"):
        return paper_file(paper, wanted)
    context = {
        "document": paper.document, "signed": paper.signed, "form": form, "back": back, "typ": TYPS[kind],
        "shown": documents.shown_of(paper.document), "held": KEYS.in_use(desk.organisation),
        "before": documents.figures_signed_before(desk, paper) if kind == FIGURES else (), "kind": kind,
        **sealed_key(request.access, KEYS),
    }  # fmt: skip
    return ShownPaper(paper.document, context, UNREAD if form.errors else 200)


def _keep(desk: CustodyContext, form: SignedForm, kind: str, which: documents.Which) -> bool:
    def keep() -> object:
        raw = form.envelope()
        expected = documents.expected_for(desk, raw, kind, which if isinstance(which, str) else "")
        return documents.keep_signed(desk.organisation, raw, expected, actor=desk.actor)

    return attempt(form, keep) is not None


def _signed_here(
    request: PersonRequest, desk: CustodyContext, kind: str, which: documents.Which, back: str
) -> JsonResponse:
    """Answer the signing script: the text to sign with its hash; where it sends a signature, the document is kept."""
    if not request.access.may_sign:
        raise PermissionDenied
    holder = request.access.person

    def deed() -> dict[str, Any]:
        found = asked(request)
        told = found.get("fields")
        given = told if isinstance(told, dict) else {}
        shown = Shown(text_of(given, "shown"), text_of(given, "made_on"), number_in(text_of(given, "lines")))
        signature = text_of(found, "signature")
        if not signature:
            _, document = documents.document_to_sign(desk, kind, which, shown, holder=holder)
            return {"document": canonical_json(document).decode(), "sha256": shown.sha256}
        documents.sign_shown(desk, kind, which, shown, signature, holder=holder)
        messages.success(request, SIGNED)
        return {"location": back}

    return answered(deed)


def paper_file(paper: Paper, wanted: str) -> HttpResponse:
    """Return a paper as the file that is asked for, ``pdf`` or ``json``; signed where it is."""
    if wanted == "json":
        text = json.dumps(paper.envelope or paper.document, indent=1, ensure_ascii=False) + "\n"
        return download(text, JSON, paper.file_name(wanted))
    return download(paper.pdf(), PDF, paper.file_name(wanted))


# The page where a party of custody makes its signing key: sealed in the browser, registered with proof.

TOLD = "Give it to your buyers before you sign."
ALONE = (
    "Buyers on this server with which you have a contract get a notice that your key was replaced, and no more: the "
    "program changes no contract of theirs. Call each buyer yourself, read the new key to one another, and give the "
    "code for its contract; whoever is not on this server hears of it from you alone."
)


@require_http_methods(["GET", "POST"])
@at_desk()
def custody_key(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show the keys of the party; a POST registers one that the page has made.

    Raises:
        PermissionDenied: somebody registers who may not sign for the party.
    """
    access, here = request.access, at(desk, "custody_key")
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
    context["alone"] = ALONE
    keys = keys_table(access, KEYS, empty="No key yet. Make one below, and sign documents with it on their pages.")
    return page_with_tables(request, "custody/key.html", {"keys": keys}, context)


# A refiner's figures of a year: looked at, signed, kept.

PLANT: Final = ("gallons_per_bu", "btu_per_gallon", "energy_source")
SHOWN = ("retired_bu", "sum_g", "mean_ci_g_per_bu", "lowest_ci_g_per_bu", "highest_ci_g_per_bu")
LABELS = ("Bushels retired", "Sum, g CO2e", "Mean, g CO2e/bu", "Lowest", "Highest")


@require_http_methods(["GET", "POST"])
@at_desk(areas=(Area.BOOKS,))
def custody_figures(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show what was retired into fuel in a year, to be signed; ``as=pdf``, ``csv`` or ``json`` gives it as a file.

    ``kept`` names figures that were signed before, as a file. A POST signs what the page shows, or keeps the file that
    was signed elsewhere.

    Raises:
        Http404: the organisation signed no such figures, or there is nothing to sign.
    """
    if kept := request.GET.get("kept", ""):
        return _kept(desk, kept, request.GET.get("as", ""))
    year = number_in(request.GET.get("year", "")) or desk.today.year
    plant = {name: request.GET.get(name, "") for name in PLANT}
    back = at(desk, "custody_figures", year=year, **plant)
    context: dict[str, Any] = {"year": year, "plant": plant, "title": TITLE, "caution": CAUTION}
    try:
        asked = documents.FiguresAsked(days_of(year, None, None, desk.today), _energy(request, plant, context))
        answer = paper_answer(request, desk, FIGURES, asked, back)
    except ProblemsError as refused:
        if request.method == "POST":
            raise Http404 from None
        context["problem"] = _told(refused)
        return page_with_tables(request, "custody/figures.html", {}, context)
    if not isinstance(answer, ShownPaper):
        return answer
    made = answer.document
    if request.GET.get("as") == "csv":
        return download(lots_csv(made), "text/csv; charset=utf-8", f"figures-{year}.csv")
    last = date.fromisoformat(made["end"])
    before = [(one, at(desk, "custody_figures", kept=one.pk)) for one in answer.context["before"]]
    context |= {**answer.context, "made": made, "before": before}
    context["book"] = mark_words(made[MARK], head=False) if MARK in made else ""
    context["running"] = last if (last.month, last.day) != (12, 31) else None
    return page_with_tables(request, "custody/figures.html", _tables(made), context, status=answer.status)


def _energy(request: PersonRequest, plant: dict[str, str], context: dict[str, Any]) -> Energy | None:
    """Return the plant's yield. What cannot be read of it is told beside figures without it, and nothing is signed.

    Raises:
        ProblemsError: it cannot be read, and a paper is to be signed.
    """
    try:
        return energy_of(*(plant[name] for name in PLANT))
    except ProblemsError as refused:
        if request.method == "POST":
            raise
        context["problem"] = f"{_told(refused)} The figures below are without it."
        return None


def _told(refused: ProblemsError) -> str:
    told = for_page(refused.problems[0])
    return f"{told.cause} {told.remedy}"


def _kept(desk: CustodyContext, kept: str, wanted: str) -> HttpResponseBase:
    paper = documents.signed_figures(desk, number_in(kept) or 0)
    if paper is None or wanted not in ("pdf", "json"):
        raise Http404
    return paper_file(paper, wanted)


def _tables(made: dict[str, Any]) -> dict[str, Table]:
    energy = ("kg_per_mmbtu",) if made["energy"] else ()
    return {
        "crops": _table("crops", "By crop", made["crops"], ("crop",), energy),
        "periods": _table("periods", "By mass balance period", made["periods"], ("period", "crop"), ()),
        "batches": _table("batches", "By batch of fuel", made["batches"], ("fuel", "batch", "gallons"), ()),
        "lots": _table("lots", "Lots, and what stands behind each", made["lots"], LOT, (), shown=()),
    }


LOT = ("day", "batch", "crop", "origin", "start", "stop", "bushels", "ci_g_per_bu", "supplier", "report_sha256",
       "document")  # fmt: skip
HEADS: Final = {
    "start": "Serials from", "stop": "Up to, not including", "ci_g_per_bu": "CI (g CO2e/bu)", "report_sha256": "Report",
}  # fmt: skip
"""Headings of columns that are called otherwise than their name; ``words`` writes the others."""
HASHES: Final = frozenset({"origin", "report_sha256"})
NAMES: Final = frozenset({"crop", "fuel"})
AMOUNTS: Final = frozenset({"gallons", "start", "stop", "bushels", "ci_g_per_bu", "kg_per_mmbtu", *SHOWN})


def _table(
    name: str,
    caption: str,
    rows: list[dict[str, Any]],
    heads: tuple[str, ...],
    more: tuple[str, ...],
    shown: tuple[str, ...] = SHOWN,
) -> Table:
    columns = [Column(HEADS.get(head) or words(head), number=head in AMOUNTS) for head in heads]
    columns += [Column(label, number=True) for label in LABELS[: len(shown)]]
    columns += [Column("kg CO2e/mmBtu", number=True) for _ in more]
    cells = [[_cell(key, str(one[key] or "")) for key in (*heads, *shown, *more)] for one in rows]
    return Table(name, columns, cells, caption=caption)


def _cell(key: str, text: str) -> Cell:
    """Write a figure for people; a file keeps every digit, and whole hashes."""
    if text and key in AMOUNTS:
        return Cell(f"{Decimal(text):,f}", saved=Decimal(text))
    if key in HASHES:
        return Cell(text[:SHORT], saved=text)
    return Cell(words(text), saved=text) if key in NAMES else Cell(text)
