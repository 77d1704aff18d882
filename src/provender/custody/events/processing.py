"""Processing (2100.033): crop becomes product by the plant's yield; the range of serials stays with the product."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from provender.custody.events import allocation
from provender.custody.events.allocation import taken
from provender.custody.events.plant import Basis, Yield, check_campaign, check_less, check_step, claimed_by, yield_on
from provender.custody.events.rules import MovementDraft, entity_of, open_period, require, site_of
from provender.custody.model.entities import GROWERS, STORERS, TRADERS, Entity, Role
from provender.custody.model.event import Event, Party, Record, Refusal, RestsOn, Status, event
from provender.custody.model.grain import GrainEntry, grain_group, stock_on
from provender.custody.model.lots import (
    FORMS,
    RATE_ONE,
    STOCK,
    Lot,
    LotState,
    Piece,
    chained,
    product_of,
    show_amount,
    unit_of,
    whole,
)
from provender.custody.model.store_view import Decision, StoreView
from provender.exact import RATE_SCALE, Gallons, ceil_div, floor_div, show
from provender.schema import Name, Text, field


@event("process", RestsOn.BATCH, title="Process", verb="Process", correctable=True)
class ProcessEvent(allocation.TakesFromStock):
    """Turns claims on crop (or on a product) into claims on a product."""

    entity: Name = field("Entity", help="Who owns the claims.", party=Party.ENTERS)
    output: Text = field("Output", help="What they become.", choices="forms")
    plant: Name = field(
        "Plant",
        help="Who crushes; the owner itself unless it is toll crushing.",
        party=Party.HOSTS,
        choices="partners",
        folded=True,
        default="",
    )
    site: Name = field("Site", help="The plant's site, where the crop lies.", choices="sites", default="")


def made_from(piece: Piece, rate: int) -> tuple[int, int]:
    """Return product and yield per bushel of a piece after one more step, both rounded down."""
    if not piece.lot.is_product:
        return product_of(piece.crop_amount, rate), rate
    per_bushel = chained(piece.lot.rate, rate)
    return min(floor_div(piece.product * rate, RATE_ONE), product_of(piece.crop_amount, per_bushel)), per_bushel


def decide_process(store: StoreView, event: ProcessEvent) -> Decision:
    """Make product from claims: rounded down, within the campaign, remainder and empty rests booked as lost."""
    owner = entity_of(store, event.entity)
    plant = entity_of(store, event.plant or event.entity)
    require(owner.may(TRADERS) and plant.may(STORERS), Status.ROLE_NOT_ALLOWED, f"{owner.name}, {plant.name}.")
    site = site_of(store, plant, event.site)
    allocation.check_choosing(event)
    check_step(event.of_form, event.output)
    period = open_period(store, owner, event.day)
    rate = yield_on(store, plant.id, site, (event.of_form, event.output), event.day)
    choice = allocation.choose(store, owner.id, event, period, (plant.id, site))
    draft = MovementDraft(event)
    made = [(piece, *made_from(piece, rate.rate)) for piece in choice.pieces]
    total = sum(product for _, product, _ in made)
    require(total > 0, Status.NO_PRODUCT, f"{rate.campaign} gives {show(rate.rate, RATE_SCALE)}.")
    before = claimed_by(store, rate.batch, owner.id)
    claimed = replace(before, used=before.used + choice.amount, made=before.made + total)
    check_campaign(store, claimed)
    moved = {"form": event.output, "batch": rate.batch, "by": event.id, "since": event.day}
    changes = []
    for piece, product, per_bushel in made:
        state = piece.lot.state if product else LotState.LOST
        changes.append((piece, {**moved, "product": product, "rate": per_bushel, "state": state}))
    draft.alter_each(changes)
    draft.state(claimed)
    said = f"{show_amount(choice.crop_amount, 'bu')} of crop used give {show_amount(total, 'lb')} of {event.output}."
    shown = (
        ("product", show(total)),
        ("crop_used", show(choice.crop_amount)),
        ("rate", show(rate.rate, RATE_SCALE)),
        ("basis", str(rate.basis)),
    )
    return draft.outcome(said, details=(*allocation.matched(choice), *shown))


@event("true_up", RestsOn.BATCH, title="Adjust a campaign to its final yield", verb="Adjust", everyone=True)
class TrueUpEvent(Event):
    """Brings the claims of a campaign from its provisional to its final yield.

    Claims still in stock take the final yield. What was sold at a provisional yield that proved too high is taken out
    of those in stock too, the latest first; what they cannot bear is reported as a shortfall. What an owner bought of
    the campaign stays at its supplier's yield (interpretation 41).
    """

    entity: Name = field("Entity", help="Who owns the claims.", party=Party.ENTERS)
    made_of: Text = field("Made of", help="What went in.", choices="forms")
    output: Text = field("Output", help="What came out.", choices="forms")
    campaign: Name = field("Campaign", help="The run.")
    plant: Name = field(
        "Plant",
        help="Who crushed; the owner itself unless it was toll crushing.",
        party=Party.HOSTS,
        choices="partners",
        folded=True,
        default="",
    )
    site: Name = field("Site", help="Which plant.", choices="sites", default="")


def _yields(store: StoreView, group: str, campaign: str) -> tuple[Yield, Yield]:
    found = {one.basis: one for one in store.many(Yield, group) if one.campaign == campaign}
    if Basis.FINAL not in found or Basis.PROVISIONAL not in found:
        raise Refusal(Status.YIELD_NOT_FOUND, f"{campaign!r} needs a provisional and a final yield.")
    return found[Basis.PROVISIONAL], found[Basis.FINAL]


def _trued(lots: Sequence[Lot], old: Yield, new: Yield) -> list[tuple[Piece, int, int]]:
    """Return, per lot, pounds and yield per bushel at the final yield."""
    found = []
    for lot in lots:
        rate = lot.rate * new.rate // old.rate
        found.append((whole(lot), min(lot.product * new.rate // old.rate, product_of(lot.crop_amount, rate)), rate))
        if rate == new.rate:
            found[-1] = (whole(lot), product_of(lot.crop_amount, rate), rate)
    return found


def _made_by(store: StoreView, owner: str, lots: Sequence[Lot], made_of: str) -> list[Lot]:
    """Return the lots that were made into this product while they were an owner's own.

    A later processing that was taken back gave the product back without making it.
    """
    made = {step.after.id: step for origin in {lot.origin for lot in lots} for step in store.steps_of(origin)}
    found = []
    for lot in lots:
        step = made[lot.id]
        while step.before is not None and step.before.form != made_of:
            step = made[step.before.id]
        if step.after.owner == owner:
            found.append(lot)
    return found


def decide_true_up(store: StoreView, event: TrueUpEvent) -> Decision:
    """True a campaign up for the claims that one owner still has of it."""
    owner = entity_of(store, event.entity)
    plant = entity_of(store, event.plant or event.entity)
    site = site_of(store, plant, event.site)
    check_step(event.made_of, event.output)
    open_period(store, owner, event.day)
    group = f"{plant.id}/{site}/{event.made_of}/{event.output}"
    old, new = _yields(store, group, event.campaign)
    crop = FORMS[event.output].crop
    lots = [lot for lot in store.lots_of(owner.id, crop) if (lot.batch, lot.form) == (new.batch, event.output)]
    lots = _made_by(store, owner.id, lots, event.made_of)
    lots.sort(key=lambda lot: (lot.acquired, lot.origin, lot.start))
    for lot in lots:
        require(lot.since <= event.day, Status.NOT_HELD_YET, f"{lot.id} is since {lot.since}.")
    claimed = claimed_by(store, new.batch, owner.id)
    done = store.one(TruedUp, f"{new.batch}/{owner.id}") is not None
    require(bool(lots) and not done, Status.NOTHING_TO_ADJUST, f"Campaign {event.campaign}.")
    trued = _trued(lots, old, new)
    held = sum(lot.product for lot in lots)
    gone = max(0, claimed.made - held)
    over = max(0, gone - gone * new.rate // old.rate)
    draft = MovementDraft(event)
    changes = []
    for piece, product, rate in reversed(trued):
        taken = min(over, product)
        over -= taken
        left = product - taken
        change: dict[str, object] = {"product": left, "rate": rate}
        if not left:
            change |= {"state": LotState.LOST, "by": event.id, "since": event.day}
        changes.append((piece, change))
    draft.alter_each(changes)
    now = sum(int(str(change["product"])) for _, change in changes)
    after = replace(claimed, made=claimed.made + now - held)
    check_less(store, claimed, after)
    draft.state(after, TruedUp(new.batch, owner.id))
    said = f"{show_amount(held, 'lb')} become {show_amount(now, 'lb')}."
    short = f" {show_amount(over, 'lb')} sold too much remain." if over else ""
    return draft.outcome(said + short, details=(("shortfall", show(over)),))


@dataclass(frozen=True, slots=True)
class TruedUp(Record, kind="trued_up", key="batch/owner", group="batch"):
    """Marks that an owner's claims of a campaign stand at the final yield."""

    batch: str
    owner: str


# How claims end: released without claim, lost, retired into fuel (2100.034(d)(1)(ii), interpretations 42, 48).


@event("release", RestsOn.OWN_ACT, title="Release without claim", verb="Release", correctable=True)
class ReleaseEvent(allocation.TakesFromStock):
    """Gives up claims: crop sold, fed or kept without its carbon intensity, or in dispute."""

    giving: ClassVar[frozenset[LotState]] = STOCK | {LotState.DISPUTED}
    entity: Name = field("Entity", help="Whose claims.", party=Party.ENTERS)
    reason: Text = field("Reason", help="In words.", default="")


@event("loss", RestsOn.OWN_ACT, title="Loss", verb="Enter the loss", correctable=True)
class LossEvent(allocation.TakesFromStock):
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


@event("retire", RestsOn.OWN_ACT, title="Retire into fuel", verb="Retire", correctable=True)
class RetireEvent(allocation.TakesFromStock):
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


def _site(store: StoreView, entity: Entity, event: allocation.TakesFromStock) -> str:
    return site_of(store, entity, event.site) if event.site else ""


def _ended(event: allocation.TakesFromStock, choice: allocation.Choice, state: LotState) -> Decision:
    draft = MovementDraft(event)
    draft.move(choice.pieces, state=state)
    shown = show_amount(choice.amount, unit_of(event.of_form))
    return draft.outcome(f"{shown} of {event.of_form} {state}.", details=allocation.matched(choice))


def decide_release(store: StoreView, event: ReleaseEvent) -> Decision:
    """End claims without a buyer for them."""
    entity = entity_of(store, event.entity)
    require(entity.may(GROWERS | TRADERS), Status.ROLE_NOT_ALLOWED, f"{entity.name} holds no claims.")
    return _ended(event, taken(store, entity, event, _site(store, entity, event)), LotState.RELEASED)


def decide_loss(store: StoreView, event: LossEvent) -> Decision:
    """Book a loss: of claims as named, or the claims' share of a loss of the whole site."""
    entity = entity_of(store, event.entity)
    require(entity.may(GROWERS | TRADERS), Status.ROLE_NOT_ALLOWED, f"{entity.name} holds no claims.")
    if not event.shared:
        return _ended(event, taken(store, entity, event, _site(store, entity, event)), LotState.LOST)
    site = site_of(store, entity, event.site)
    allocation.check_choosing(event, amount_said=True)
    open_period(store, entity, event.day)
    return _ended(event, _share(store, event, entity, site), LotState.LOST)


def _share(store: StoreView, event: LossEvent, entity: Entity, site: str) -> allocation.Choice:
    """Return the claims' part of a site's loss: rounded up, over all carbon intensities in proportion."""
    lots = [
        lot
        for lot in store.lots_in(entity.id, site, event.of_form)
        if lot.owner == entity.id and lot.since <= event.day
    ]
    lots.sort(key=lambda lot: (lot.acquired, lot.origin, lot.start))
    claims = sum(lot.amount for lot in lots)
    require(claims > 0, Status.EXCEEDS_STOCK, f"No claims lie at {site}.")
    entries = store.many(GrainEntry, grain_group(entity.id, site, event.of_form))
    # The stock that shrank is the one before a measurement of the same day found it smaller.
    stock = stock_on(entries, event.day, before_measuring=True)
    if stock is None:
        raise Refusal(Status.NO_GRAIN_BOOK, f"{site}, {event.of_form}.")
    part = min(claims, ceil_div(event.wanted * claims, max(stock, claims)))
    return allocation.Choice(tuple(allocation.proportional(lots, part)), "shared over all carbon intensities")


def decide_retire(store: StoreView, event: RetireEvent) -> Decision:
    """Retire claims into a batch of fuel."""
    entity = entity_of(store, event.entity)
    require(Role.REFINER in entity.roles, Status.ROLE_NOT_ALLOWED, f"{entity.name} makes no fuel.")
    more = [(event.gallons, "gal")] if event.gallons else []
    choice = taken(store, entity, event, _site(store, entity, event), *more)
    outcome = _ended(event, choice, LotState.RETIRED)
    return replace(outcome, details=(*outcome.details, ("fuel", event.fuel), ("batch", event.batch)))
