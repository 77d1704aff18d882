"""Mass balance time periods: which there are, what is due, their equations, and those equations restated."""

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest
from ninja import Query, Router, Schema

from provender.custody.model.periods import Period
from provender.services.custody import periods
from provender.services.custody.context import CustodyContext
from provender.services.custody.views import PeriodView
from provender.web.api.pages import PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.view_schema import shown
from provender.web.custody.api.context import READ, desk_of, page_of_views

router = Router(tags=["custody"])


class PeriodsDue(Schema):
    """What an event would hold that declares the next period, and one that closes the period that is due, if one is."""

    declare: dict[str, str]
    close: dict[str, str] | None


@router.get("/custody/periods", response={200: page_of_views(PeriodView, name="PeriodOut"), **REFUSALS}, auth=READ)
def list_periods(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the mass balance time periods, the oldest first."""
    return page_of_list(periods.periods(desk_of(request)), page, shown)


@router.get("/custody/periods/due", response={200: PeriodsDue, **REFUSALS}, auth=READ)
def get_periods_due(request: HttpRequest) -> dict[str, object]:
    """Return the fields of the next events about periods; post them with ``id`` and what else their kind needs."""
    desk = desk_of(request)
    close = periods.closing(desk)
    return {"declare": periods.next_period(desk).event, "close": close.event if close else None}


@router.get("/custody/periods/{start}/balance", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_balance(request: HttpRequest, start: date) -> dict[str, Any]:
    """Return the equations of 2100.034(d) of one period, as it was closed or as it stands."""
    desk = desk_of(request)
    return periods.balance(desk, _at(desk, start))


@router.get("/custody/periods/{start}/restatement", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_restatement(request: HttpRequest, start: date) -> dict[str, Any]:
    """Return the equations of a closed period as the farms' reports stand now; 404 where no report changed since."""
    desk = desk_of(request)
    document = periods.restated(desk, _at(desk, start))
    if document is None:
        raise Http404
    return document


def _at(desk: CustodyContext, start: date) -> Period:
    period = periods.period_at(desk, start)
    if period is None:
        raise Http404
    return period
