"""What waits for an organisation: deliveries to accept, sale slips to buy, purchases that wait for a report."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from provender.custody.events.pending_purchase import Pending
from provender.custody.model.lots import length
from provender.custody.model.origins import Origin, Slip
from provender.database.store.custody_lists import in_transit_to, open_pending, open_slips, sales_behind
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.views import DeliverySumView, DeliveryView, PendingView, SlipView, WaitingView, lot_view


def waiting(context: CustodyContext) -> WaitingView:
    """Return everything that waits for the organisation."""
    slips = open_slips(context.id) if context.buys_from_farms else []
    pending = open_pending(context.id) if context.buys_from_farms else []
    sent = in_transit_to(context.id)
    with READER.reading() as facts:
        origins = {slip.origin: facts.one(Origin, slip.origin) for slip in slips}
        sales = sales_behind(facts, sent)
    return WaitingView(
        deliveries=tuple(
            DeliveryView(sale=sales[lot.by], seller=lot.supplier, day=lot.since, lot=lot_view(lot)) for lot in sent
        ),
        slips=tuple(_slip(slip, origins[slip.origin]) for slip in slips),
        pending=tuple(map(_pending, pending)),
    )


class SlipLeft(NamedTuple):
    """A sale slip of which serials can still be bought, as a form offers it."""

    slip: str
    day: date
    farm: str
    bushels_left: int


def slips_left(context: CustodyContext) -> list[SlipLeft]:
    """Return the slips to the organisation whose serials it has not bought yet, the oldest first."""
    return [SlipLeft(slip.id, slip.day, slip.giver, length(slip.open_spans)) for slip in open_slips(context.id)]


def pending_left(context: CustodyContext) -> list[PendingView]:
    """Return the purchases of the organisation that still wait for a report, the oldest first."""
    return list(map(_pending, open_pending(context.id)))


def by_sale(deliveries: Sequence[DeliveryView]) -> list[DeliverySumView]:
    """Return what is on its way by sale, the lots of each together, in the order of their first lots."""
    sales: dict[str, list[DeliveryView]] = {}
    for one in deliveries:
        sales.setdefault(one.sale, []).append(one)
    return [_delivery(parts) for parts in sales.values()]


def _delivery(parts: Sequence[DeliveryView]) -> DeliverySumView:
    first, cis = parts[0], [part.lot.ci_g_per_bu for part in parts]
    return DeliverySumView(
        sale=first.sale, seller=first.seller, day=first.day, form=first.lot.form, harvest_year=first.lot.harvest_year,
        amount=sum(part.lot.amount for part in parts), unit=first.lot.unit, lowest_ci_g_per_bu=min(cis),
        highest_ci_g_per_bu=max(cis),
    )  # fmt: skip


def _slip(slip: Slip, origin: Origin | None) -> SlipView:
    return SlipView(
        slip=slip.id, farm=slip.giver, day=slip.day, origin=slip.origin, crop=str(origin.crop) if origin else None,
        harvest_year=origin.harvest_year if origin else None, ci_g_per_bu=origin.current.ci if origin else None,
        bushels_left=length(slip.open_spans),
    )  # fmt: skip


def _pending(purchase: Pending) -> PendingView:
    return PendingView(
        purchase=purchase.id, farm=purchase.giver, day=purchase.day, crop=purchase.crop,
        harvest_year=purchase.harvest_year, site=purchase.site, bushels_left=purchase.left,
    )  # fmt: skip
