"""Serials that a farm signed over to a house whose book is elsewhere (interpretations 34, 45).

This book holds the farm's report and so all its serials, but sees only what the farm sold here. What it sold elsewhere
may come back on a trader's document. The farm's sale slip to that house shows that it gave them away: then, and only
then, a document may take them out of the farm's hands. Without it anybody's document could take unsold bushels.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from provender.custody.model.entities import Entity
from provender.custody.model.lots import LIVE, Lot, LotState, Span, joined, subtract_spans
from provender.custody.model.origins import Slip
from provender.custody.model.periods import Period
from provender.custody.model.store_view import StoreView


def slips_to_others(facts: StoreView, origin: str) -> list[Slip]:
    """Return the slips over serials of an origin to houses that keep no book in this store."""
    return [slip for slip in facts.many(Slip, origin) if not facts.many(Period, slip.taker)]


def slips_here(facts: StoreView, origin: str) -> list[Slip]:
    """Return the slips over serials of an origin to houses that keep their book in this store."""
    return [slip for slip in facts.many(Slip, origin) if facts.many(Period, slip.taker)]


def may_be_sold_elsewhere(facts: StoreView, lot: Lot, start: int, stop: int, here: Iterable[Slip]) -> bool:
    """Tell whether serials were last seen with somebody whose later sales this book need not know.

    That is a house whose book is elsewhere, or a farm or landowner who has them as crop, unless a slip assigns some of
    them to a house of this book: then two papers of the farm stand against each other.
    """
    holder = facts.one(Entity, lot.owner)
    if holder is None or lot.state not in LIVE:
        return False
    if holder.keeps_balance:
        return not facts.many(Period, holder.id)
    spans = (span for slip in here if slip.giver == lot.owner for span in slip.open_spans)
    return all(high <= max(start, lot.start) or min(stop, lot.stop) <= low for low, high in spans)


def is_handed_on(lot: Lot, start: int, stop: int, slips: Iterable[Slip]) -> bool:
    """Tell whether serials that lie with a grower are all on its slips to houses elsewhere, not used up yet."""
    if lot.state is not LotState.HELD or lot.is_product:
        return False
    spans = joined(span for slip in slips if slip.giver == lot.owner for span in slip.open_spans)
    return any(low <= max(start, lot.start) and min(stop, lot.stop) <= high for low, high in spans)


def used_up(slips: Iterable[Slip], taken: Sequence[Span]) -> Iterator[Slip]:
    """Yield the slips that serials are on, without these serials."""
    for slip in slips:
        left = tuple(subtract_spans(slip.open_spans, taken))
        if left != slip.open_spans:
            yield replace(slip, open_spans=left)
