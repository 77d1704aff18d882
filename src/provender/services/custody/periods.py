"""Mass balance time periods: which there are, what is due, their equations, and those equations restated."""

from datetime import date, timedelta
from typing import Any

from provender.custody.documents.build import restatements
from provender.custody.events.closing import CloseEvent, Closing, balance_of
from provender.custody.events.registry import decide
from provender.custody.model.balances import (
    balance_document,
)
from provender.custody.model.entities import Period, first_open, latest_end, rhythm_end
from provender.custody.model.store_view import Decision
from provender.custody.queries.day_sheet import DaySheet
from provender.custody.queries.day_sheet import day_sheet as sheet_of
from provender.custody.queries.deliveries import CameIn, came_in, days_meant
from provender.database.store.custody import SqlFacts
from provender.database.store.custody_lists import reports_changed
from provender.services.custody.balances import BalanceSumView, interim, sums
from provender.services.custody.context import READER, CustodyContext, kept
from provender.services.custody.stock import defaults_of
from provender.services.custody.views import EventOffer, PeriodView, offer
from provender.signing.canonical import read_json


def periods(context: CustodyContext) -> list[PeriodView]:
    return [
        PeriodView(
            start=period.start, end=period.end, policy=str(period.policy), closed=period.closed,
            standing=_period_state(context, period),
        )
        for period in context.periods
    ]  # fmt: skip


def _period_state(context: CustodyContext, period: Period) -> str:
    late = f", declared late on {period.declared}" if period.late else ""
    if period.closed:
        return f"Closed on {period.closed}{late}"
    if period.holds(context.today):
        return f"Open{late}"
    return "Not begun" if period.start > context.today else f"Ended, to be closed{late}"


def period_at(context: CustodyContext, start: date) -> Period | None:
    return next((period for period in context.periods if period.start == start), None)


def due_period(context: CustodyContext) -> Period | None:
    """Return the first period that is open and over: the one to close."""
    due = first_open(context.periods)
    return due if due is not None and due.end <= context.today else None


def closing(context: CustodyContext) -> EventOffer | None:
    """Return the event that closes the period that is due today; None where none is."""
    due = due_period(context)
    if due is None:
        return None
    return offer("Close", "close", entity=context.id, day=due.end.isoformat(), closed_on=context.today.isoformat())


def would_close(context: CustodyContext, period: Period) -> Decision | None:
    """Return what closing a period would be answered as the book stands; None where another is to be closed first.

    Nothing is entered. A period that is not over is asked about its last day.
    """
    if period != first_open(context.periods):
        return None
    close = CloseEvent(
        id=f"{context.id}-close-trial", day=period.end, entity=context.id, closed_on=max(period.end, context.today)
    )
    with READER.reading() as store:
        return decide(store, close)


def next_period(context: CustodyContext) -> EventOffer:
    """Return the event that declares the next period, from the day after the last one, or tomorrow."""
    last = context.periods[-1] if context.periods else None
    start = (last.end if last else context.today) + timedelta(days=1)
    end = rhythm_end(last, start) if last and start <= context.today else latest_end(start)
    known = {"start_day": start.isoformat(), "end_day": end.isoformat()}
    known |= {"policy": str(last.policy)} if last else {}
    return offer("Declare", "period", entity=context.id, **known)


def balance(context: CustodyContext, period: Period) -> dict[str, Any]:
    """Return the balance of a period: a closed one as it was closed, an open one kept until something moves."""
    with READER.reading() as store:
        closed = store.one(Closing, period.key)
    if closed is not None:
        document: Any = read_json(closed.statement.encode())
        return dict(document)
    return dict(kept(context, f"balance-{period.start}", lambda store: balance_document(balance_of(store, period))))


def cached_interim(context: CustodyContext, last: date, first: date | None = None) -> dict[str, Any]:
    """Return the equations as of the end of any day, kept until something moves; arguments as ``interim``.

    Raises:
        ProblemsError: the first day lies after the last one.
    """
    what = f"interim-{first}-{last}-{len(context.periods)}"
    return dict(kept(context, what, lambda store: interim(store, context.id, last, first)))


def day_sheet(context: CustodyContext, day: date) -> DaySheet:
    """Return a day of the organisation: tickets, grain against claims at each site, claims by carbon intensity."""
    with READER.reading() as store:
        store.know_steps(context.id)
        return sheet_of(store, context.entity, day, defaults_of(context))


def bands(context: CustodyContext, document: dict[str, Any]) -> list[BalanceSumView]:
    """Return a balance of the organisation by band of carbon intensity, as its stock is told."""
    crops = {(line["crop"], line["harvest_year"]) for line in document["lines"]}
    return sums(document, defaults_of(context, crops)) if crops else []


def restated(context: CustodyContext, period: Period) -> dict[str, Any] | None:
    """Return the balance of a closed period as the farms' reports stand now; None where nothing changed since."""
    if not period.closed:
        return None

    def restate(store: SqlFacts) -> dict[str, dict[str, Any]]:
        found = restatements(store, context.id) if reports_changed(context.id) else ()
        return {str(each["start"]): each for each in found}

    return kept(context, f"restated-{len(context.periods)}", restate).get(period.start.isoformat())


# What came into an organisation's stock over some days, kept until something moves.


def came_in_of(context: CustodyContext, first: date | None = None, last: date | None = None) -> CameIn:
    """Return what came in for an organisation, kept until something moves; days as ``days_meant`` takes them."""
    span = days_meant(context.periods, context.today, first, last)

    def look(store: SqlFacts) -> CameIn:
        store.know_events(context.id)
        return came_in(store, context.id, span)

    return kept(context, f"came-in-{span.start}-{span.end}", look)
