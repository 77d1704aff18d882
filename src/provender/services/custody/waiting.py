"""What waits for an organisation: deliveries to accept, sale slips to buy, purchases that wait for a report."""

from provender.custody.events.pending_purchase import Pending
from provender.custody.model.lots import length
from provender.custody.model.origins import Origin, Slip
from provender.database.store.custody_lists import in_transit_to, open_pending, open_slips, sales_behind
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.views import DeliveryView, PendingView, SlipView, WaitingView, lot_view


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
