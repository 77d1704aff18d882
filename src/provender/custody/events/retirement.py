"""How claims end: released without claim, lost, retired into fuel (2100.034(d)(1)(ii), interpretations 42, 48)."""

from dataclasses import replace
from typing import ClassVar

from provender.custody.events.allocation import Choice, Choosing, Place, check_choosing, choose, matched, proportional
from provender.custody.events.rules import MovementDraft, entity_of, open_period, require, site_of
from provender.custody.model.amounts import show_amount, unit_of
from provender.custody.model.entities import GROWERS, TRADERS, Entity, Role
from provender.custody.model.event import Party, event
from provender.custody.model.grain_book import grain_group
from provender.custody.model.lots import STOCK, LotState
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import Decision, StoreView
from provender.plain import field
from provender.quantity import Gallons, ceil_div
from provender.wire import Name, Text


@event("release", title="Release without claim", verb="Release")
class ReleaseEvent(Choosing):
    """Gives up claims: crop sold, fed or kept without its carbon intensity, or in dispute."""

    giving: ClassVar[frozenset[LotState]] = STOCK | {LotState.DISPUTED}
    entity: Name = field("Entity", help="Whose claims.", party=Party.ENTERS)
    reason: Text = field("Reason", help="In words.", default="")


@event("loss", title="Loss", verb="Enter the loss")
class LossEvent(Choosing):
    """Crop discarded, wasted or shrunk. It counts as outgoing."""

    giving: ClassVar[frozenset[LotState]] = STOCK
    while_suspended: ClassVar[bool] = True
    entity: Name = field("Entity", help="Whose claims.", party=Party.ENTERS)
    shared: bool = field(
        "Shared",
        help=(
            "The amount is what the whole site lost; the claims bear their share of it, rounded up, and that is "
            "spread over all their carbon intensities."
        ),
        default=False,
    )
    reason: Text = field("Reason", help="In words.", default="")


@event("retire", title="Retire into fuel", verb="Retire")
class RetireEvent(Choosing):
    """A refiner turns claims into fuel: they end in the batch (interpretation 42)."""

    from_closed: ClassVar[bool] = False
    entity: Name = field("Entity", help="The refiner.", party=Party.ENTERS)
    fuel: Name = field("Fuel", help="Which fuel.")
    batch: Name = field("Batch of fuel", help="The batch of fuel.")
    gallons: Gallons = field(
        "Gallons",
        help="Made of these claims; a missing or odd figure is told to the verifier, and says nothing of the claims.",
        default=0,
    )


def _place(facts: StoreView, entity: Entity, request: Choosing) -> Place | None:
    return (entity.id, site_of(facts, entity, request.site)) if request.site else None


def _end(facts: StoreView, request: Choosing, entity: Entity, state: LotState) -> Decision:
    place = _place(facts, entity, request)
    check_choosing(request)
    period = open_period(facts, entity, request.day)
    choice = choose(facts, entity.id, request, period, place)
    return _ended(request, choice, state)


def _ended(request: Choosing, choice: Choice, state: LotState) -> Decision:
    draft = MovementDraft(request)
    draft.move(choice.pieces, state=state)
    shown = show_amount(choice.amount, unit_of(request.of_form))
    return draft.outcome(f"{shown} of {request.of_form} {state}.", facts=matched(choice))


def decide_release(facts: StoreView, request: ReleaseEvent) -> Decision:
    """End claims without a buyer for them."""
    entity = entity_of(facts, request.entity)
    require(entity.may(GROWERS | TRADERS), Status.ROLE_NOT_ALLOWED, f"{entity.name} holds no claims.")
    return _end(facts, request, entity, LotState.RELEASED)


def decide_loss(facts: StoreView, request: LossEvent) -> Decision:
    """Book a loss: of claims as named, or the claims' share of a loss of the whole site."""
    entity = entity_of(facts, request.entity)
    require(entity.may(GROWERS | TRADERS), Status.ROLE_NOT_ALLOWED, f"{entity.name} holds no claims.")
    if not request.shared:
        return _end(facts, request, entity, LotState.LOST)
    site = site_of(facts, entity, request.site)
    check_choosing(request, amount_said=True)
    open_period(facts, entity, request.day)
    return _ended(request, _share(facts, request, entity, site), LotState.LOST)


def _share(facts: StoreView, request: LossEvent, entity: Entity, site: str) -> Choice:
    """Return the claims' part of a site's loss: rounded up, over all carbon intensities in proportion."""
    lots = [
        lot
        for lot in facts.lots_in(entity.id, site, request.of_form)
        if lot.owner == entity.id and lot.since <= request.day
    ]
    lots.sort(key=lambda lot: (lot.acquired, lot.origin, lot.start))
    claims = sum(lot.amount for lot in lots)
    require(claims > 0, Status.EXCEEDS_STOCK, f"No claims lie at {site}.")
    # The stock that shrank is the one before a measurement of the same day found it smaller.
    stock = facts.grain(grain_group(entity.id, site, request.of_form)).on(request.day, before_measuring=True)
    if stock is None:
        raise Refusal(Status.NO_GRAIN_BOOK, f"{site}, {request.of_form}.")
    part = min(claims, ceil_div(request.wanted * claims, max(stock, claims)))
    return Choice(tuple(proportional(lots, part)), "shared over all carbon intensities")


def decide_retire(facts: StoreView, request: RetireEvent) -> Decision:
    """Retire claims into a batch of fuel."""
    entity = entity_of(facts, request.entity)
    require(Role.REFINER in entity.roles, Status.ROLE_NOT_ALLOWED, f"{entity.name} makes no fuel.")
    place = _place(facts, entity, request)
    check_choosing(request, *([(request.gallons, "gal")] if request.gallons else []))
    period = open_period(facts, entity, request.day)
    choice = choose(facts, entity.id, request, period, place)
    outcome = _ended(request, choice, LotState.RETIRED)
    return replace(outcome, facts=(*outcome.facts, ("fuel", request.fuel), ("batch", request.batch)))
