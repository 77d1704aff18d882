"""A refiner's figures of a year: looked at, signed, kept."""

from datetime import date
from decimal import Decimal
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from provender.custody.documents.book_mark import MARK, mark_words
from provender.custody.documents.refiner_figures import CAUTION, SHORT, TITLE, Energy
from provender.database.choices import Area
from provender.problem import ProblemsError
from provender.services.custody.context import CustodyContext
from provender.services.custody.documents import keep_signed
from provender.services.custody.figures import days_of, energy_of, lots_csv
from provender.services.custody.figures_signing import (
    FiguresAsked,
    FiguresPaper,
    expected_figures,
    figures_paper,
    figures_to_sign,
    sign_figures,
    signed_before,
    signed_figures,
)
from provender.services.farm.remedy_words import for_page
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import at, at_desk
from provender.web.custody.pages.signing import (
    BROUGHT,
    UNREAD,
    SignedForm,
    is_signing,
    paper_file,
    signed_here,
    signing_context,
)
from provender.web.download import download
from provender.web.inputs import attempt, number_in
from provender.web.tables import Cell, Column, Table, page_with_tables

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
        energy = _energy(request, plant, context)
        asked = FiguresAsked(days_of(year, None, None, desk.today), energy)
        if is_signing(request):
            return _signed(request, desk, asked, back)
        paper = figures_paper(desk, asked)
    except ProblemsError as refused:
        if request.method == "POST":
            raise Http404 from None
        context["problem"] = _told(refused)
        return page_with_tables(request, "custody/figures.html", {}, context)
    return _page(request, desk, paper, back, context)


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


def _page(
    request: PersonRequest, desk: CustodyContext, paper: FiguresPaper, back: str, context: dict[str, Any]
) -> HttpResponseBase:
    """Show figures with the part in which they are signed, or give the file that is asked for."""
    form = SignedForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid() and _keep(desk, form):
        messages.success(request, BROUGHT)
        return redirect(back)
    wanted, made = request.GET.get("as", ""), paper.document
    if wanted == "csv":
        return download(lots_csv(made), "text/csv; charset=utf-8", f"figures-{context['year']}.csv")
    if wanted in ("pdf", "json"):
        return paper_file(paper, wanted)
    before = [(one, at(desk, "custody_figures", kept=one.pk)) for one in signed_before(desk, paper)]
    context |= {"made": made, "book": mark_words(made[MARK], head=False) if MARK in made else "", "before": before}
    last = date.fromisoformat(made["end"])
    context |= {"running": last if (last.month, last.day) != (12, 31) else None}
    context |= signing_context(request, desk, paper, form, back)
    status = UNREAD if form.errors else 200
    return page_with_tables(request, "custody/figures.html", _tables(made), context, status=status)


def _signed(request: PersonRequest, desk: CustodyContext, asked: FiguresAsked, back: str) -> HttpResponseBase:
    holder = request.access.person
    return signed_here(
        request, back,
        lambda shown: figures_to_sign(desk, asked, shown, holder=holder)[1],
        lambda shown, signature: sign_figures(desk, asked, shown, signature, holder=holder),
    )  # fmt: skip


def _keep(desk: CustodyContext, form: SignedForm) -> bool:
    def keep() -> object:
        raw = form.envelope()
        return keep_signed(desk.organisation, raw, expected_figures(desk, raw), actor=desk.actor)

    return attempt(form, keep) is not None


def _kept(desk: CustodyContext, kept: str, wanted: str) -> HttpResponseBase:
    paper = signed_figures(desk, number_in(kept) or 0)
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
