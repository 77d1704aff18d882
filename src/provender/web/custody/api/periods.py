"""Mass balance time periods: which there are, what is due, their equations, and those equations restated."""

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest
from ninja import Query, Router, Schema

from provender.custody.model.periods import Period
from provender.web.api.pages import Page, PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.custody.api.context import READ, desk_of
from provender.web.custody.pages.context import CustodyContext
from provender.web.custody.pages.periods import (
    closing_of,
    due_period,
    next_period,
    period_document,
    restated,
    standing_of,
)

router = Router(tags=["custody"])


class PeriodOut(Schema):
    """A mass balance time period; ``standing`` says in words where it stands today."""

    start: str
    end: str
    policy: str
    closed: str | None
    standing: str


class PeriodsDue(Schema):
    """What an event would hold that declares the next period, and one that closes the period that is due, if one is."""

    declare: dict[str, str]
    close: dict[str, str] | None


@router.get("/custody/periods", response={200: Page[PeriodOut], **REFUSALS}, auth=READ)
def list_periods(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the mass balance time periods, the oldest first."""
    desk = desk_of(request)
    return page_of_list(desk.periods, page, lambda one: _period(desk, one))


def _period(desk: CustodyContext, one: Period) -> PeriodOut:
    closed = one.closed.isoformat() if one.closed else None
    return PeriodOut(
        start=one.start.isoformat(), end=one.end.isoformat(), policy=str(one.policy), closed=closed,
        standing=standing_of(desk, one),
    )  # fmt: skip


@router.get("/custody/periods/due", response={200: PeriodsDue, **REFUSALS}, auth=READ)
def get_periods_due(request: HttpRequest) -> PeriodsDue:
    """Return the fields of the next events about periods; post them with ``id`` and what else their kind needs."""
    desk = desk_of(request)
    due = due_period(desk)
    declare = {"type": "period", "entity": desk.id, **next_period(desk)}
    close = {"type": "close", "entity": desk.id, **closing_of(desk, due)} if due else None
    return PeriodsDue(declare=declare, close=close)


@router.get("/custody/periods/{start}/balance", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_balance(request: HttpRequest, start: date) -> dict[str, Any]:
    """Return the equations of 2100.034(d) of one period, as it was closed or as it stands."""
    desk = desk_of(request)
    return period_document(desk, _at(desk, start))


@router.get("/custody/periods/{start}/restatement", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_restatement(request: HttpRequest, start: date) -> dict[str, Any]:
    """Return the equations of a closed period as the farms' reports stand now; 404 where no report changed since."""
    desk = desk_of(request)
    found = restated(desk, start) if _at(desk, start).closed else None
    if found is None:
        raise Http404
    return dict(found)


def _at(desk: CustodyContext, start: date) -> Period:
    found = next((one for one in desk.periods if one.start == start), None)
    if found is None:
        raise Http404
    return found
