"""Replaying a party's own book while it is taken out of the shared one, so that it comes to the very same serials.

Which claims a policy takes, which serials bear a shortfall, what a buyer still has of a sale: a book of one party may
answer otherwise than the book of all, since it does not see the others. Where it would, the event names the serials
that the shared book moved. Where it would not, the event stays as it was entered, so that whoever verifies the book
sees the declared policy at work.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

from provender.custody.events.correction import CorrectEvent
from provender.custody.events.processing import ProcessEvent
from provender.custody.events.purchase import SlipEvent
from provender.custody.events.registry import decide
from provender.custody.memory_store import MemoryStore
from provender.custody.model.entities import Entity
from provender.custody.model.event import Event, Range
from provender.custody.model.lots import LIVE, Lot, LotState, Span, subtract_spans
from provender.custody.model.origins import Slip
from provender.custody.model.statuses import Status
from provender.custody.model.store_view import Decision, StoreView


def moved(lots: Iterable[Lot], movement: str) -> list[Lot]:
    """Return the lots that a movement changed, without the rests it only split."""
    return [lot for lot in lots if lot.by == movement]


def ranges(lots: Iterable[Lot]) -> tuple[Range, ...]:
    """Return the serials of lots as an event names them, lot by lot, with the pounds of a product."""
    return tuple(Range(lot.origin, lot.start, lot.stop, lot.product) for lot in lots)


def in_doubt(facts: StoreView, party: str) -> frozenset[str]:
    """Return the corrections by which a party has in dispute what its buyer had accepted.

    The party's own book sees such a sale on its way: that it was accepted stands in the buyer's.
    """
    made = (step for step in facts.steps(party) if step.type == CorrectEvent.type and step.after.owner == party)
    return frozenset(step.movement for step in made if step.after.state is LotState.DISPUTED)


class Replay:
    """A party's own book in the making.

    Attributes:
        own: what it has come to so far.
    """

    def __init__(self, party: str) -> None:
        self.party = party
        self.own = MemoryStore()

    def entered(
        self, request: Event, shared: Sequence[Lot] | None = None, name: str = "", *, needed: bool = True
    ) -> Iterator[Event]:
        """Yield the event as it comes into the book, once.

        Args:
            request: the event as the party would enter it.
            shared: the lots that it opened in the shared book; None where they follow from the event itself.
            name: its id in the shared book.
            needed: whether it belongs into the book even if that refuses it; else it is left out then.
        """
        for way in self._ways(request, shared, name):
            outcome = decide(self.own, way)
            if outcome.status is Status.POSTED and (shared is None or self._same(outcome, way, shared, name)):
                self.own.apply(way, outcome)
                yield way
                return
        outcome = decide(self.own, request)
        if outcome.status is Status.POSTED:
            self.own.apply(request, outcome)
        if needed or outcome.status is Status.POSTED:
            yield request

    def _ways(self, request: Event, shared: Sequence[Lot] | None, name: str) -> Iterator[Event]:
        """Yield an event as it is, then with what its own book cannot find by itself."""
        yield request
        if shared is not None and any(one.name == "lots" for one in fields(request)):
            lots = [lot for lot in moved(shared, name) if self.party in (lot.owner, lot.supplier)]
            # What a processing opened carries the pounds that came out, not those that went in.
            went_in = (replace(lot, product=0) for lot in lots)
            named: dict[str, Any] = {"lots": ranges(went_in if isinstance(request, ProcessEvent) else lots)}
            yield replace(request, **named)
            whole: dict[str, Any] = {name: 0 for name in ("bushels", "pounds", "amount") if hasattr(request, name)}
            yield replace(request, **named, **whole)
        if isinstance(request, SlipEvent) and not request.returned:
            for slip in self.own.many(Slip, request.origin):
                if slip.giver == request.giver and slip.taker != request.taker:
                    yield replace(request, returned=slip.id)

    def _same(self, outcome: Decision, request: Event, shared: Sequence[Lot], name: str) -> bool:
        """Tell whether a decision moves what the shared book moved, as far as it was or is the party's."""
        return self._told(outcome.opened, request.id) == self._told(shared, name)

    def _told(self, lots: Iterable[Lot], movement: str) -> set[tuple[object, ...]]:
        mine = [lot for lot in moved(lots, movement) if self.party in (lot.owner, lot.supplier)]
        return {(lot.origin, lot.start, lot.stop, lot.form, lot.product, lot.owner, lot.state) for lot in mine}

    def at_growers(self, origin: str, spans: Iterable[Span]) -> list[Span]:
        """Return those of some serials that this book still sees with a farm or landowner, on no slip to others."""
        found = []
        shown = [span for slip in self.own.many(Slip, origin) if slip.taker != self.party for span in slip.open_spans]
        for start, stop in spans:
            away = []
            lots = self.own.lots_at(origin, start, stop)
            for lot in lots:
                holder = self.own.one(Entity, lot.owner)
                if holder is None or holder.keeps_balance:
                    away.append((lot.start, lot.stop))
            found += subtract_spans([(start, stop)], [*away, *shown]) if lots else []
        return found

    def held_by(self, owner: str, origin: str, spans: Iterable[Span]) -> list[Span]:
        """Return those of some serials that this book sees with somebody."""
        return [
            (max(lot.start, start), min(lot.stop, stop))
            for start, stop in spans
            for lot in self.own.lots_at(origin, start, stop)
            if lot.owner == owner
        ]

    def out_of_sight(self, origin: str, start: int, stop: int, giver: str) -> list[tuple[str, int, int]]:
        """Return which of some serials this book saw last with a house elsewhere that is not their giver, and whose."""
        found = []
        for lot in self.own.lots_at(origin, start, stop):
            holder = self.own.one(Entity, lot.owner)
            if lot.state in LIVE and lot.owner not in (giver, self.party) and holder and holder.keeps_balance:
                found.append((lot.owner, max(lot.start, start), min(lot.stop, stop)))
        return found
