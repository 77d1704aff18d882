"""Serials that a farm signed over to a house whose book is elsewhere (interpretations 34, 45).

This book holds the farm's report and so all its serials, but sees only what the farm sold here. What it sold elsewhere
may come back on a trader's document. The farm's sale slip to that house shows that it gave them away: then, and only
then, a document may take them out of the farm's hands. Without it anybody's document could take unsold bushels.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from provender.custody.model.entities import Entity
from provender.custody.model.lots import LIVE, Lot, LotState, Span, joined, subtract_spans
from provender.custody.model.origins import Slip
from provender.custody.model.periods import Period
from provender.custody.model.store_view import CustodyStep, StoreView


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


def seen_on_documents(facts: StoreView, origin: str) -> list[Span]:
    """Return the serials of an origin that this book first saw on a trader's document."""
    came = (step for step in facts.steps_of(origin) if step.before is None and step.type == "document")
    return joined((step.after.start, step.after.stop) for step in came)


def _opened(facts: StoreView, lot: Lot) -> CustodyStep | None:
    """Return the step that opened a lot: its movement is in its id, so that no other step is looked at."""
    posted = facts.posted(lot.id.rpartition("/")[0])
    if posted is None:
        return None
    before = facts.lots_named([lot.parent])[lot.parent] if lot.parent else None
    return CustodyStep(posted.request.id, posted.request.type, posted.request.day, before, lot)


def may_have_been_elsewhere(facts: StoreView, lot: Lot, day: date, *, gone_on: bool) -> bool:
    """Tell whether a lot may have been in hands, on a day, that this book does not see.

    From hand to hand, back to the farm's report: with a house whose book is elsewhere nobody here knows what it did in
    between; with a grower only where its serials came back on somebody's document, or on a slip that says so. Of a day
    on which they lay with this book's owner, or with a grower that sold them straight on from here, the book knows.
    What was taken back as entered in error says nothing. ``gone_on``: whoever has it now may have sold it elsewhere.
    """
    ended: CustodyStep | None = None
    while True:
        came = _came(facts, lot)
        begun = date.min if came is None or _is_grown(came) else came.day
        unseen = gone_on if ended is None else day <= ended.day and _acts_unseen(facts, lot, ended)
        if begun <= day and unseen:
            return True
        if came is None or came.before is None:
            return came is not None and not _is_grown(came) and day <= came.day
        entered = facts.posted(came.movement)
        if begun <= day and entered is not None and entered.corrected_by:
            return True
        lot, ended = came.before, came


def _came(facts: StoreView, lot: Lot) -> CustodyStep | None:
    """Return the step by which a lot came to its owner, before which it was cut and changed in the same hands."""
    step = _opened(facts, lot)
    while step is not None and step.before is not None and step.before.owner == lot.owner:
        step = _opened(facts, step.before)
    return step


def _is_grown(step: CustodyStep) -> bool:
    return step.before is None and step.type in ("report", "opening")


def _acts_unseen(facts: StoreView, lot: Lot, ended: CustodyStep) -> bool:
    """Tell whether a lot's owner may have given it away and had it again before it gave it on by a step."""
    holder = facts.one(Entity, lot.owner)
    if holder is not None and holder.keeps_balance:
        return holder.id != facts.owner and not facts.many(Period, holder.id)
    entered = facts.posted(ended.movement)
    named = getattr(entered.request, "slip", ended.movement) if entered else ""
    slip = facts.one(Slip, named)
    return ended.type == "document" or bool(slip and slip.returned)


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
