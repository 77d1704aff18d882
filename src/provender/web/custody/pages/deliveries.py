"""Contracts about deliveries, what is still to deliver, and the lines to settle."""

from django.http import HttpResponseBase
from django.views.decorators.http import require_GET

from provender.paper.table import table_of
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.deliveries import (
    ContractDeliveryView,
    SettlementLineView,
    deliveries_and_lines,
    lines_csv,
)
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import at, at_desk
from provender.web.custody.pages.days import day_in
from provender.web.custody.pages.movements import party_cell
from provender.web.download import download
from provender.web.tables import Cell, page_with_tables


@require_GET
@at_desk()
def custody_deliveries(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """List contracts about deliveries and the lines to settle; ``as=csv`` gives those as accounting reads them."""
    day = day_in(request.GET.get("on", "")) or desk.today
    with READER.reading() as facts:
        facts.know_steps(desk.id)
        facts.know_events(desk.id)
        found, lines = deliveries_and_lines(facts, desk.id, day)
    if request.GET.get("as") == "csv":
        return download(lines_csv(lines), "text/csv; charset=utf-8", "settlement-lines.csv")
    contracts = table_of(
        ContractDeliveryView, found, name="deliveries", caption=f"Contracts about deliveries on {day}",
        only=("contract", "partner", "form", "unit", "agreed_amount", "delivered_amount", "left_amount", "first",
              "last", "ci_min_g_per_bu", "ci_max_g_per_bu", "premium_per_bu", "overdue"),
        empty="No contract is about deliveries. Put its amount on file with the contract.",
        cells={
            "partner": lambda one: party_cell(desk.partners, one.partner),
            "form": lambda one: Cell(words(one.form)),
            "overdue": lambda one: Cell("Overdue" if one.overdue else ""),
        },
    )  # fmt: skip
    settled = table_of(
        SettlementLineView, lines, name="lines", caption="Lines to settle",
        empty="Nothing was delivered under a contract: name it with the sale.",
        cells={
            "number": lambda one: Cell(one.number, at(desk, "custody_movement", id=one.number)),
            "partner": lambda one: party_cell(desk.partners, one.partner),
            "form": lambda one: Cell(words(one.form)),
        },
    )  # fmt: skip
    context = {"accounts": at(desk, "custody_deliveries", on=day, **{"as": "csv"})}
    return page_with_tables(request, "custody/deliveries.html", {"contracts": contracts, "lines": settled}, context)
