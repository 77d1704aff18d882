"""Contracts about deliveries and what is still to deliver."""

from django.http import HttpResponseBase
from django.views.decorators.http import require_GET

from provender.paper.table import table_of
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.deliveries import ContractDeliveryView, deliveries
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import at_desk
from provender.web.custody.pages.days import day_in
from provender.web.custody.pages.movements import party_cell
from provender.web.tables import Cell, page_with_tables


@require_GET
@at_desk()
def custody_deliveries(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """List contracts about deliveries."""
    day = day_in(request.GET.get("on", "")) or desk.today
    with READER.reading() as facts:
        facts.know_steps(desk.id)
        facts.know_events(desk.id)
        found = deliveries(facts, desk.id, day)
    contracts = table_of(
        ContractDeliveryView, found, name="deliveries", caption=f"Contracts about deliveries on {day}",
        only=("contract", "partner", "form", "unit", "agreed_amount", "delivered_amount", "left_amount", "first",
              "last", "ci_min_g_per_bu", "ci_max_g_per_bu", "overdue"),
        empty="No contract is about deliveries. Put its amount on file with the contract.",
        cells={
            "partner": lambda one: party_cell(desk.partners, one.partner),
            "form": lambda one: Cell(words(one.form)),
            "overdue": lambda one: Cell("Overdue" if one.overdue else ""),
        },
    )  # fmt: skip
    return page_with_tables(request, "custody/deliveries.html", {"contracts": contracts}, {})
