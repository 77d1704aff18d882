"""What a trader of the chain of custody does next: deliveries, slips, periods, contracts."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from django.utils.formats import date_format

from provender.custody.model.periods import Period
from provender.database.models import CustodyContract, Organisation
from provender.database.store.custody_lists import in_transit_to, open_pending, open_slips, sales_behind
from provender.services.custody.checks import alerts
from provender.services.custody.context import READER, CustodyContext, trades
from provender.services.steps import NextStep, counted

AHEAD: Final = timedelta(days=30)
"""So many days before something ends, its successor is asked for."""


def trade_steps(organisation: Organisation, context: CustodyContext | None) -> list[NextStep]:
    """Return what comes next in an organisation's book of custody, None before it is open; nothing without trade."""
    if not trades(organisation):
        return []
    if context is None:
        why = "It keeps every bushel with a claim: what came in, what was sold, what is left."
        return [NextStep("custody_stock", "Open the book", why)]
    return [*_incoming(context), *period_steps(context), *_contracts(context)]


def before_a_close(context: CustodyContext) -> list[NextStep]:
    """Return what waits or asks to be looked at before a period is closed, though it keeps no close back."""
    found = len(alerts(context))
    why = "None of it keeps the close back; whoever verifies will ask."
    asked = [NextStep("custody_checks", f"Look at {counted(found, 'check')}", why)] if found else []
    return [*_incoming(context), *asked]


def _incoming(context: CustodyContext) -> Iterator[NextStep]:
    where = "custody_incoming"
    sent = in_transit_to(context.id)
    with READER.reading() as facts:
        sales = sales_behind(facts, sent)
    if deliveries := len(set(sales.values())):
        words = f"Accept {counted(deliveries, 'delivery', 'deliveries')}"
        yield NextStep(where, words, "They are on their way to you.")
    if not context.buys_from_farms:
        return
    if slips := len(open_slips(context.id)):
        yield NextStep(where, f"Buy {counted(slips, 'sale slip')}", "Farms have assigned you bushels of their reports.")
    if pending := len(open_pending(context.id)):
        yield NextStep(
            where,
            f"Assign slips to {counted(pending, 'purchase')}",
            "They were bought before their farm's report came.",
        )


def period_steps(context: CustodyContext) -> Iterator[NextStep]:
    """Yield what is to be done about the organisation's mass balance time periods."""
    ended = [one for one in context.periods if one.closed is None and one.end < context.today]
    for one in ended[:1]:
        why = "It has ended. Enter the measured stock, then close it."
        query = (("start", str(one.start)),)
        yield NextStep("custody_period", f"Close the period {_days(one)}", why, query=query)
    last = max((one.end for one in context.periods), default=None)
    declare = "custody_periods"
    if last is None or last < context.today:
        why = "Purchases and sales need an open one, declared before it begins."
        yield NextStep(declare, "Declare a mass balance time period", why)
    elif last - context.today < AHEAD:
        yield NextStep(declare, "Declare the next period", f"This one ends on {date_format(last, 'DATE_FORMAT')}.")


def _days(period: Period) -> str:
    return " to ".join(date_format(day, "DATE_FORMAT") for day in (period.start, period.end))


def _contracts(context: CustodyContext) -> Iterator[NextStep]:
    if not CustodyContract.objects.filter(entity=context.id).exists():
        why = "You buy from and sell to those you have a contract with."
        yield NextStep("custody_partners", "Put your contracts on file", why)
