"""What came in over some days, from whom, and at which mean carbon intensity; its file holds rows and totals."""

from dataclasses import replace
from typing import Final

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from provender.custody.queries.incoming import CameIn, CameInSumView, CameInView
from provender.paper.table import table_of, year_cell
from provender.problem import ProblemsError
from provender.quantity import CI_SCALE, show, to_decimal
from provender.services.custody.came_in import came_in_of
from provender.services.custody.context import CustodyContext
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import at, at_desk
from provender.web.custody.pages.days import UNREAD, day_in
from provender.web.custody.pages.movements import DONE, party_cell
from provender.web.custody.pages.stock import whole_cell
from provender.web.tables import Cell, Column, Table, page_with_tables

IN_FILE: Final = "came in"
EMPTY: Final = "Nothing was bought or accepted in these days."


@require_GET
@at_desk()
def custody_came_in(request: PersonRequest, desk: CustodyContext) -> HttpResponse:
    """Show what came in between two days, without them in the open period: mean by crop and supplier, and each entry.

    A file of the entries holds the total of each crop below them.
    """
    asked, problem = request.GET, ""
    try:
        found = came_in_of(desk, day_in(asked.get("since", "")), day_in(asked.get("on", "")))
    except ProblemsError as refused:
        problem = f"{refused.problems[0].cause} {refused.problems[0].remedy}"
        found = came_in_of(desk)
    entries = _file(found) if asked.get("save") else _entries(desk, found)
    tables = {"sums": sums_table(found, "By crop and supplier", saved="save" in asked), "entries": entries}
    context = {
        "span": found.span,
        "problem": problem,
        "leads": [_lead(found, one) for one in found.in_all],
        "asked": any(asked.get(name) for name in ("since", "on")),
    }
    return page_with_tables(request, "custody/came_in.html", tables, context, status=UNREAD if problem else 200)


def _lead(found: CameIn, one: CameInSumView) -> tuple[str, str, str, int]:
    """Return what leads the page for a crop: its name, bushels, mean and how many supplied it."""
    suppliers = sum(part.form == one.form for part in found.by_supplier)
    return words(one.form), whole_cell(one.bushels).text, show(one.mean_ci_g_per_bu, CI_SCALE, group=True), suppliers


def _ci(value: int) -> Cell:
    return Cell(show(value, CI_SCALE, group=True), saved=to_decimal(value, CI_SCALE))


def sums_table(found: CameIn, caption: str, *, saved: bool) -> Table:
    """Return what came in by crop and supplier, with the sum of each crop below; a file says of which days."""
    # Of one supplier alone the sum of the crop says the same again: a file has it all the same.
    alone = len(found.by_supplier) == len(found.in_all) and not saved
    totals = [] if alone else found.in_all
    made = table_of(
        CameInSumView,
        [*found.by_supplier, *totals],
        name="came in by supplier",
        only=(
            "form",
            "supplier",
            "entries",
            "bushels",
            "mean_ci_g_per_bu",
            "lowest_ci_g_per_bu",
            "highest_ci_g_per_bu",
        ),
        caption=f"{caption}, each rounded to whole bushels of crop; means weighted by bushels",
        empty=EMPTY,
        cells={
            "form": lambda one: Cell(words(one.form) if one.supplier else _all(one)),
            "supplier": lambda one: party_cell({one.supplier: one.name}, one.supplier),
            "bushels": lambda one: whole_cell(one.bushels),
            "mean_ci_g_per_bu": lambda one: _ci(one.mean_ci_g_per_bu),
            "lowest_ci_g_per_bu": lambda one: _ci(one.lowest_ci_g_per_bu),
            "highest_ci_g_per_bu": lambda one: _ci(one.highest_ci_g_per_bu),
        },
    )
    return _of_days(found, replace(made, totals=len(totals)))


def _of_days(found: CameIn, table: Table) -> Table:
    """Return a table whose file names the days it is of, in its name and in each row."""
    days = [Cell(str(found.span.start)), Cell(str(found.span.end))]
    columns = [Column("First day", file_only=True), Column("Last day", file_only=True), *table.columns]
    file = f"{table.name} {found.span.start} to {found.span.end}"
    return replace(table, columns=columns, rows=[[*days, *row] for row in table.cells], file=file)


def _all(one: CameInSumView) -> str:
    return f"All {words(one.form).lower()}"


def _entries(desk: CustodyContext, found: CameIn) -> Table:
    """Return each entry with its mean; the file has it by carbon intensity."""
    columns = [Column("Day"), Column("Entry"), Column("From"), Column("What"), Column("Bushels", number=True)]
    columns += [Column("Mean CI (g CO2e/bu)", number=True), Column("Lowest to highest", number=True)]
    rows = [
        [
            Cell(str(one.day)), Cell(DONE.get(one.type) or words(one.type), at(desk, "custody_movement", id=one.entry)),
            party_cell({one.supplier: one.name}, one.supplier), Cell(words(one.form)), whole_cell(whole.bushels),
            _ci(whole.mean_ci_g_per_bu), Cell(_span(whole)),
        ]
        for one, whole in found.entries
    ]  # fmt: skip
    caption = "Each entry, newest first, in whole bushels; a file has each by carbon intensity, and the total below"
    return Table(IN_FILE, columns, rows, caption=caption, empty=EMPTY, sorts=True)


def _span(one: CameInSumView) -> str:
    ends = (one.lowest_ci_g_per_bu, one.highest_ci_g_per_bu)
    return " to ".join(show(end, CI_SCALE, group=True) for end in dict.fromkeys(ends))


def _file(found: CameIn) -> Table:
    """Return what a file holds: each entry by carbon intensity, exact, and at the end the total of each crop, once.

    Whoever sums a column must not count an entry a third time: by supplier there is a file of its own.
    """
    made = table_of(
        CameInView,
        found.rows,
        name=IN_FILE,
        only=("day", "entry", "type", "supplier", "form", "harvest_year", "bushels", "ci_g_per_bu"),
        cells={
            "type": lambda one: Cell(DONE.get(one.type) or words(one.type)),
            "supplier": lambda one: party_cell({one.supplier: one.name}, one.supplier),
            "form": lambda one: Cell(words(one.form)),
            "harvest_year": lambda one: year_cell(one.harvest_year),
            "bushels": lambda one: whole_cell(one.bushels),
            "ci_g_per_bu": lambda one: _ci(one.ci_g_per_bu),
        },
    )
    sums = [
        [Cell("Total"), Cell(""), Cell(""), Cell("All"), Cell(words(one.form)), Cell(""), whole_cell(one.bushels),
         _ci(one.mean_ci_g_per_bu)]
        for one in found.in_all
    ]  # fmt: skip
    return _of_days(found, replace(made, rows=[*made.cells, *sums], totals=len(sums)))
