"""The chain behind a claim, from its holder back to the farm's report (2100.032(a))."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from provender.custody.model.external_holdings import slips_to_others
from provender.custody.model.lots import Lot, subtract_spans
from provender.custody.model.origins import Origin
from provender.custody.model.store_view import CustodyStep, StoreView


@dataclass(frozen=True, slots=True)
class Link:
    """One station of a claim.

    Attributes:
        movement: the event.
        type: what it was.
        day: when.
        giver: who had it; empty where the serials enter the book.
        taker: who has it then.
        start: first serial that this chain is about.
        stop: the serial after the last.
        form: crop or product.
        state: held, in transit, retired, ...
    """

    movement: str
    type: str
    day: date
    giver: str
    taker: str
    start: int
    stop: int
    form: str
    state: str


@dataclass(frozen=True, slots=True)
class Chain:
    """A lot, its origin, and every station between, the oldest first."""

    lot: Lot
    origin: Origin | None
    links: tuple[Link, ...]

    def was_held_by(self, party: str) -> bool:
        """Tell whether a party has or had title to the serials."""
        return self.lot.owner == party or any(party in (link.giver, link.taker) for link in self.links)


def chain_of(facts: StoreView, lot: Lot) -> Chain:
    """Return the stations of a lot, each giver being the taker before, as far as this book saw them.

    Stations at which nothing changed hands, form or state (a split of what stayed) are left out. Where a document
    brought back what a farm had signed away to a house elsewhere, the farm's slip stands before it.
    """
    made = {step.after.id: step for step in facts.steps_of(lot.origin)}
    links: list[Link] = []
    name = lot.id
    while name in made:
        step = made[name]
        if step.before is None or step.after.by == step.movement:
            links.append(_link(step, lot))
            links.extend(_signed_away(facts, step, lot))
        name = step.after.parent
    return Chain(lot, facts.one(Origin, lot.origin), tuple(reversed(links)))


def _link(step: CustodyStep, lot: Lot) -> Link:
    taker = step.after
    giver = step.before.owner if step.before else ""
    if step.type == "document" and giver:
        giver = taker.supplier  # as far as this book knew, its serials may have been a farm's before
    return Link(step.movement, step.type, step.day, giver, taker.owner, lot.start, lot.stop, taker.form, taker.state)


def _signed_away(facts: StoreView, step: CustodyStep, lot: Lot) -> list[Link]:
    """Return the farm's slip by which serials left it before a trader's document brought them."""
    before, after = step.before, step.after
    if step.type != "document" or before is None or before.owner in (after.supplier, after.owner):
        return []
    slips = [slip for slip in slips_to_others(facts, lot.origin) if slip.giver == before.owner and slip.day <= step.day]
    covering = [slip for slip in slips if not subtract_spans([(lot.start, lot.stop)], slip.spans)][-1:]
    place = (lot.start, lot.stop, before.form, "signed away")
    return [Link(slip.id, "slip", slip.day, slip.giver, slip.taker, *place) for slip in covering]


def chains_at(facts: StoreView, origin: str, start: int, stop: int) -> Sequence[Chain]:
    """Return the chains of every current lot that overlaps some serials."""
    return [chain_of(facts, lot) for lot in facts.lots_at(origin, start, stop)]
