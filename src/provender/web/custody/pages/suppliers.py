"""What an organisation's own suppliers reported: a map of counties, practices, gaps, findings, what is at stake."""

from dataclasses import replace
from typing import Final

from django.http import HttpResponseBase
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_GET

from provender.paper.table import Table, amount, table_of
from provender.portfolio.report_page import county_map, tables
from provender.quantity import CI_SCALE
from provender.services.custody.came_in import came_in_of
from provender.services.custody.context import CustodyContext
from provender.services.custody.supplier_reports import SupplierReportView, Suppliers, suppliers
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.came_in import sums_table
from provender.web.custody.pages.context import at_desk
from provender.web.tables import Cell, page_with_tables
from provender.web.words import said_plainly

SHOWN: Final = {
    "Practices": ("practices", "Verdicts by practice, fields"),
    "Gaps": ("gaps", "Missing records that hold back most bushels"),
    "Counties": ("counties", "Counties"),
    "Findings": ("findings", "Findings of the reports"),
    "Claims": ("stakes", "Claims at stake in your own book"),
}
"""Tables of the portfolio's report: the name and caption under which a page shows each."""


@require_GET
@at_desk()
def custody_suppliers(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show what the reports behind the bought crop say."""
    found = suppliers(desk)
    if not found.reports:
        # All that is left would be the organisation's own book, and it is no supplier of its own.
        came = came_in_of(desk)
        sellers = sums_table(came, "Sellers whose deliveries came in", saved="save" in request.GET)
        return page_with_tables(request, "custody/suppliers.html", {"sellers": sellers}, {"span": came.span})
    shown = {one.name: one for one in tables(found.overview)}
    named = {name: _named(shown[key], name, caption) for key, (name, caption) in SHOWN.items()}
    context = {
        # Drawn by us: names of counties in it are escaped where it is drawn.
        "map": mark_safe(county_map(found.overview.counties, shaded=True)),  # noqa: S308 - drawn by us, names escaped
        "reports_without": found.without,
    }
    return page_with_tables(request, "custody/suppliers.html", {"reports": _reports(found), **named}, context)


def _named(table: Table, name: str, caption: str) -> Table:
    """Return a table of the report as pages name it."""
    columns = [replace(one, label=one.label[:1].upper() + one.label[1:]) for one in table.columns]
    rows = [[replace(one, text=said_plainly(one.text), saved=one.in_file) for one in row] for row in table.cells]
    return replace(table, name=name, caption=caption, columns=columns, rows=rows, empty=f"{caption}: none.")


def _reports(found: Suppliers) -> Table:
    return table_of(
        SupplierReportView,
        found.reports,
        name="reports",
        only=("name", "crop", "harvest_year", "county", "bought_bu", "reported_bu", "ci_g_per_bu", "version", "label"),
        caption="Reports behind what you bought",
        empty="You have bought no crop from a farm yet.",
        cells={
            "name": lambda one: Cell(one.name, note=one.farm),
            "crop": lambda one: Cell(words(one.crop)),
            "county": lambda one: Cell(one.county or "not recorded"),
            "reported_bu": lambda one: amount(one.reported_bu, missing="not shown"),
            "ci_g_per_bu": lambda one: amount(one.ci_g_per_bu, CI_SCALE, missing="not shown"),
            "version": lambda one: Cell(str(one.version or "none")),
        },
    )
