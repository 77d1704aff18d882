"""What came in over some days: entry by entry, and in all with the mean carbon intensity."""

from datetime import date

from django.http import HttpRequest
from ninja import Query, Router, Schema

from provender.custody.queries.incoming import CameIn, CameInSumView, CameInView
from provender.services.custody.came_in import came_in_of
from provender.web.api.pages import PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.view_schema import shown
from provender.web.custody.api.context import READ, AskedDay, desk_of, page_of_views

router = Router(tags=["custody"])


class CameInDays(Schema):
    """Which days: without any those of the open period up to today."""

    since: AskedDay | None = None
    on: AskedDay | None = None


@router.get("/custody/came-in", response={200: page_of_views(CameInView), **REFUSALS}, auth=READ)
def list_came_in(request: HttpRequest, page: Query[PageQuery], days: Query[CameInDays]) -> dict[str, object]:
    """List what was bought and accepted over some days, the latest first; what was taken back is not in it."""
    return page_of_list(_found(request, days.since, days.on).rows, page, shown)


@router.get("/custody/came-in/sums", response={200: page_of_views(CameInSumView), **REFUSALS}, auth=READ)
def list_came_in_sums(request: HttpRequest, page: Query[PageQuery], days: Query[CameInDays]) -> dict[str, object]:
    """List the same by crop or product, in all and then by supplier, with the mean weighted by bushels."""
    found = _found(request, days.since, days.on)
    return page_of_list([*found.in_all, *found.by_supplier], page, shown)


def _found(request: HttpRequest, since: date | None, on: date | None) -> CameIn:
    return came_in_of(desk_of(request), since, on)
