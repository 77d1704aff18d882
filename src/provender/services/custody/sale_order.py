"""A sale that takes the lowest or the highest carbon intensity first: one choice for whoever sells, lots in the book.

The book knows a sale by the period's policy and a sale that names its lots. One that asks for an order is entered as
the second, so any reader of the book understands it, and what leaves of each carbon intensity is what it names.
"""

from dataclasses import fields, replace
from enum import StrEnum
from typing import Any, Final

from provender.custody.events.allocation import Choosing, may_go, take
from provender.custody.events.sale import SaleEvent
from provender.custody.model.digest import digest_of
from provender.custody.model.entities import Delivery
from provender.custody.model.event import Event, Range, event
from provender.custody.model.lots import whole
from provender.custody.model.statuses import Status
from provender.custody.model.store_view import Decision, StoreView
from provender.plain import field
from provender.services.refused import refusal


class LotOrder(StrEnum):
    """Which lots of a stock go first."""

    BY_POLICY = "by_policy"
    LOWEST = "lowest_ci_first"
    HIGHEST = "highest_ci_first"


SAID: Final = {
    LotOrder.LOWEST: "Lots are chosen by the lowest carbon intensity first, the oldest among equals.",
    LotOrder.HIGHEST: "Lots are chosen by the highest carbon intensity first, the oldest among equals.",
}


@event("sale", title="Sell", verb="Sell")
class SaleAct(SaleEvent):
    """A sale on the day title passes. The claims leave the seller's stock and are in transit until accepted."""

    order: LotOrder = field(
        "Which lots go first",
        help=(
            "By the period's policy unless chosen. With the lowest or the highest carbon intensity first the sale names"
            " its lots in that order."
        ),
        default=LotOrder.BY_POLICY,
    )


def in_order(facts: StoreView, asked: Event) -> Event:
    """Return a sale as the book is to have it: by the policy, or with the lots named that its order takes.

    Sent again it is the sale that stands, though the stock has other lots by now. Where the stock cannot give the
    amount it goes without lots, and the book says what is in the way.

    Raises:
        RefusedError: it names lots and asks for an order as well.
    """
    if not isinstance(asked, SaleAct):
        return asked
    same: dict[str, Any] = {each.name: getattr(asked, each.name) for each in fields(SaleEvent)}
    sale = SaleEvent(**same)
    if asked.order is LotOrder.BY_POLICY:
        return sale
    if sale.lots:
        cause = "A sale names its lots or says which go first, not both."
        raise refusal("lots_and_order", cause, "Leave one of them out.", column="order")
    known = facts.posted(sale.id)
    if known is not None and isinstance(known.request, SaleEvent) and known.request.lots:
        again = replace(sale, lots=known.request.lots)
        if digest_of(again) == digest_of(known.request):
            return again
    return replace(sale, lots=_first(facts, sale, highest=asked.order is LotOrder.HIGHEST))


def _first(facts: StoreView, sale: SaleEvent, *, highest: bool) -> tuple[Range, ...]:
    """Return the lots that go first by carbon intensity; none where they do not hold what is sold."""
    least, most = limits_in(facts, sale)
    place = (sale.giver, sale.site) if sale.site else None
    free = may_go(facts, sale.giver, replace(sale, ci_min=least, ci_max=most), place)
    if not 0 < sale.wanted <= sum(lot.amount for lot in free):
        return ()
    free.sort(key=lambda lot: -lot.ci if highest else lot.ci)
    pieces = take(map(whole, free), sale.wanted)
    return tuple(Range(one.lot.origin, one.start, one.stop, one.product) for one in pieces)


def told_in_order(asked: Event, outcome: Decision) -> Decision:
    """Return the answer to a sale with how its lots were chosen."""
    said = SAID.get(asked.order) if isinstance(asked, SaleAct) else None
    if said is None or outcome.status is not Status.POSTED:
        return outcome
    return replace(outcome, message=f"{outcome.message} {said}")


def limits_in(facts: StoreView, event: Event) -> tuple[int | None, int | None]:
    """Return the carbon intensities between which an event takes lots: its own limits, and those of its contract."""
    if not isinstance(event, Choosing):
        return None, None
    limits: list[tuple[int | None, int | None]] = [(event.ci_min, event.ci_max)]
    if isinstance(event, SaleEvent) and event.contract:
        agreed = facts.one(Delivery, f"{event.giver}/{event.contract}")
        limits += [(agreed.ci_min, agreed.ci_max)] if agreed else []
    lows, highs = ([end for end in ends if end is not None] for ends in zip(*limits, strict=True))
    return max(lows, default=None), min(highs, default=None)
