"""A refiner's figures of a year."""

from decimal import Decimal
from functools import partial
from typing import Any, Final

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from provender.custody.documents.book_mark import MARK, mark_words
from provender.custody.documents.refiner_figures import CAUTION, SHORT, TITLE
from provender.database.choices import Area
from provender.problem import ProblemsError
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.documents import mark_on_server
from provender.services.custody.figures import days_of, energy_of, figures, figures_pdf, lots_csv
from provender.services.farm.remedy_words import for_page
from provender.signing.canonical import canonical_json
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import at, at_desk
from provender.web.download import JSON, PDF, download
from provender.web.inputs import number_in
from provender.web.tables import Cell, Column, Table, page_with_tables

SHOWN = ("retired_bu", "sum_g", "mean_ci_g_per_bu", "lowest_ci_g_per_bu", "highest_ci_g_per_bu")
LABELS = ("Bushels retired", "Sum, g CO2e", "Mean, g CO2e/bu", "Lowest", "Highest")


@require_GET
@at_desk(areas=(Area.BOOKS,))
def custody_figures(request: PersonRequest, desk: CustodyContext) -> HttpResponse:
    """Show what was retired into fuel in a year; ``as=pdf``, ``csv`` or ``json`` gives it as a file."""
    asked = request.GET
    year = number_in(asked.get("year", "")) or desk.today.year
    plant = {name: asked.get(name, "") for name in ("gallons_per_bu", "btu_per_gallon", "energy_source")}
    made: dict[str, Any] | None = None
    problem = ""
    try:
        energy = energy_of(plant["gallons_per_bu"], plant["btu_per_gallon"], plant["energy_source"])
        days, mark = days_of(year, None, None, desk.today), partial(mark_on_server, party=desk.id)
        with READER.reading() as facts:
            made = figures(facts, desk.entity, days, as_of=desk.today, mark=mark, energy=energy)
    except ProblemsError as refused:
        told = for_page(refused.problems[0])
        problem = f"{told.cause} {told.remedy}"
    file = _file(made, asked.get("as", ""), year) if made else None
    if file is not None:
        return file
    context = {
        "book": mark_words(made[MARK], head=False) if made and MARK in made else "", "year": year, "plant": plant,
        "problem": problem, "made": made, "title": TITLE, "caution": CAUTION,
        "file": at(desk, "custody_figures", year=year, **plant),
    }  # fmt: skip
    return page_with_tables(request, "custody/figures.html", _tables(made) if made else {}, context)


def _file(made: dict[str, Any], kind: str, year: int) -> HttpResponse | None:
    match kind:
        case "pdf":
            return download(figures_pdf(made), PDF, f"figures-{year}.pdf")
        case "csv":
            return download(lots_csv(made), "text/csv; charset=utf-8", f"figures-{year}.csv")
        case "json":
            return download(canonical_json(made), JSON, f"figures-{year}.json")
    return None


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
