"""Contracts about deliveries: what is still to deliver."""

from django.http import HttpRequest
from ninja import Query, Router

from provender.services.custody.context import READER
from provender.services.custody.deliveries import ContractDeliveryView, deliveries
from provender.web.api.pages import PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.view_schema import shown
from provender.web.custody.api.context import READ, AskedDay, desk_of, page_of_views

router = Router(tags=["custody"])


@router.get("/custody/deliveries", response={200: page_of_views(ContractDeliveryView), **REFUSALS}, auth=READ)
def list_deliveries(request: HttpRequest, page: Query[PageQuery], on: AskedDay | None = None) -> dict[str, object]:
    """List the contracts about deliveries as they stand at the end of a day, today without one."""
    desk = desk_of(request)
    with READER.reading() as facts:
        facts.know_events(desk.id)
        return page_of_list(deliveries(facts, desk.id, on or desk.today), page, shown)
