"""Mass balance time periods: which there are, what is due, their equations, and those equations restated."""

from datetime import date
from typing import Annotated, Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from provender.custody.model.periods import Period
from provender.custody.queries.day_sheet import sheet_document
from provender.services.custody import balances, periods
from provender.services.custody.balances import BalanceSumView
from provender.services.custody.context import CustodyContext
from provender.services.custody.views import PeriodView
from provender.web.api.pages import PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.view_schema import file_of, shown
from provender.web.custody.api.context import READ, AskedDay, desk_of, page_of_views
from provender.web.download import PDF, download

router = Router(tags=["custody"])


class PeriodsDue(Schema):
    """What an event would hold that declares the next period, and one that closes the period that is due, if one is."""

    declare: dict[str, str]
    close: dict[str, str] | None


class DaysIn(Schema):
    """Which days: to the end of ``on``, without it today, from ``since`` or the first day of the period; or a month."""

    on: AskedDay | None = None
    since: AskedDay | None = None
    month: Annotated[str, Field(max_length=7, description="Such as 2026-02, instead of the days.")] = ""

    def span(self, today: date) -> tuple[date | None, date]:
        """Return the first day, None for that of the period, and the last.

        Raises:
            ProblemsError: the month is none.
        """
        return balances.month_of(self.month) if self.month else (self.since, self.on or today)


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


@router.get("/custody/balance", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_interim_balance(request: HttpRequest, days: Query[DaysIn]) -> dict[str, Any]:
    """Return the equations as of the end of any day, of the days since another, or of a month; they close nothing."""
    desk = desk_of(request)
    first, last = days.span(desk.today)
    return periods.interim(desk, last, first)


@router.get("/custody/balance/sums", response={200: page_of_views(BalanceSumView), **REFUSALS}, auth=READ)
def list_balance_sums(request: HttpRequest, page: Query[PageQuery], days: Query[DaysIn]) -> dict[str, object]:
    """List the same by crop and harvest year, all carbon intensities together."""
    desk = desk_of(request)
    first, last = days.span(desk.today)
    return page_of_list(balances.sums(periods.interim(desk, last, first)), page, shown)


@router.get("/custody/balance.pdf", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(PDF))
def print_interim_balance(request: HttpRequest, days: Query[DaysIn]) -> HttpResponse:
    """Return the same to print."""
    desk = desk_of(request)
    first, last = days.span(desk.today)
    return download(periods.interim_paper(desk, last, first), PDF, f"balance-{last}.pdf")


@router.get("/custody/day", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_day_sheet(request: HttpRequest, on: AskedDay | None = None) -> dict[str, Any]:
    """Return a day, today without one: tickets, grain against claims at each site, claims by carbon intensity."""
    desk = desk_of(request)
    return sheet_document(periods.day_sheet(desk, on or desk.today))


@router.get("/custody/day.pdf", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(PDF))
def print_day_sheet(request: HttpRequest, on: AskedDay | None = None) -> HttpResponse:
    """Return the same to print."""
    desk = desk_of(request)
    day = on or desk.today
    return download(balances.day_paper(periods.day_sheet(desk, day), desk.today), PDF, f"day-{day}.pdf")


def _at(desk: CustodyContext, start: date) -> Period:
    period = periods.period_at(desk, start)
    if period is None:
        raise Http404
    return period
