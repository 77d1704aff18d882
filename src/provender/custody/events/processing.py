"""Processing (2100.033): crop becomes product by the plant's yield; the range of serials stays with the product."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from provender.custody.events.allocation import Choosing, check_choosing, choose, matched
from provender.custody.events.campaign import Basis, Yield, check_campaign, check_less, check_step, claimed_by, yield_on
from provender.custody.events.rules import MovementDraft, entity_of, open_period, require, site_of
from provender.custody.model.amounts import FORMS, RATE_ONE, chained, product_of, show_amount
from provender.custody.model.entities import STORERS, TRADERS
from provender.custody.model.event import Event, Party, event
from provender.custody.model.lots import Lot, LotState, Piece, whole
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import Decision, StoreView
from provender.plain import field
from provender.quantity import RATE_SCALE, floor_div, show
from provender.wire import Name, Text


@event("process", title="Process", verb="Process")
class ProcessEvent(Choosing):
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


def decide_process(facts: StoreView, request: ProcessEvent) -> Decision:
    """Make product from claims: rounded down, within the campaign, remainder and empty rests booked as lost."""
    owner = entity_of(facts, request.entity)
    plant = entity_of(facts, request.plant or request.entity)
    require(owner.may(TRADERS) and plant.may(STORERS), Status.ROLE_NOT_ALLOWED, f"{owner.name}, {plant.name}.")
    site = site_of(facts, plant, request.site)
    check_choosing(request)
    check_step(request.of_form, request.output)
    period = open_period(facts, owner, request.day)
    rate = yield_on(facts, plant.id, site, (request.of_form, request.output), request.day)
    choice = choose(facts, owner.id, request, period, (plant.id, site))
    draft = MovementDraft(request)
    made = [(piece, *made_from(piece, rate.rate)) for piece in choice.pieces]
    total = sum(product for _, product, _ in made)
    require(total > 0, Status.NO_PRODUCT, f"{rate.campaign} gives {show(rate.rate, RATE_SCALE)}.")
    before = claimed_by(facts, rate.batch, owner.id)
    claimed = replace(before, used=before.used + choice.amount, made=before.made + total)
    check_campaign(facts, claimed)
    moved = {"form": request.output, "batch": rate.batch, "by": request.id, "since": request.day}
    changes = []
    for piece, product, per_bushel in made:
        state = piece.lot.state if product else LotState.LOST
        changes.append((piece, {**moved, "product": product, "rate": per_bushel, "state": state}))
    draft.alter_each(changes)
    draft.state(claimed)
    said = f"{show_amount(choice.crop_amount, 'bu')} of crop used give {show_amount(total, 'lb')} of {request.output}."
    shown = (
        ("product", show(total)),
        ("crop_used", show(choice.crop_amount)),
        ("rate", show(rate.rate, RATE_SCALE)),
        ("basis", str(rate.basis)),
    )
    return draft.outcome(said, facts=(*matched(choice), *shown))


@event("true_up", title="Adjust a campaign to its final yield", verb="Adjust", everyone=True)
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


def _yields(facts: StoreView, group: str, campaign: str) -> tuple[Yield, Yield]:
    found = {one.basis: one for one in facts.many(Yield, group) if one.campaign == campaign}
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


def _made_by(facts: StoreView, owner: str, lots: Sequence[Lot], made_of: str) -> list[Lot]:
    """Return the lots that were made into this product while they were an owner's own.

    A later processing that was taken back gave the product back without making it.
    """
    made = {step.after.id: step for origin in {lot.origin for lot in lots} for step in facts.steps_of(origin)}
    found = []
    for lot in lots:
        step = made[lot.id]
        while step.before is not None and step.before.form != made_of:
            step = made[step.before.id]
        if step.after.owner == owner:
            found.append(lot)
    return found


def decide_true_up(facts: StoreView, request: TrueUpEvent) -> Decision:
    """True a campaign up for the claims that one owner still has of it."""
    owner = entity_of(facts, request.entity)
    plant = entity_of(facts, request.plant or request.entity)
    site = site_of(facts, plant, request.site)
    check_step(request.made_of, request.output)
    open_period(facts, owner, request.day)
    group = f"{plant.id}/{site}/{request.made_of}/{request.output}"
    old, new = _yields(facts, group, request.campaign)
    crop = FORMS[request.output].crop
    lots = [lot for lot in facts.lots_of(owner.id, crop) if (lot.batch, lot.form) == (new.batch, request.output)]
    lots = _made_by(facts, owner.id, lots, request.made_of)
    lots.sort(key=lambda lot: (lot.acquired, lot.origin, lot.start))
    for lot in lots:
        require(lot.since <= request.day, Status.NOT_HELD_YET, f"{lot.id} is since {lot.since}.")
    claimed = claimed_by(facts, new.batch, owner.id)
    done = facts.one(TruedUp, f"{new.batch}/{owner.id}") is not None
    require(bool(lots) and not done, Status.NOTHING_TO_ADJUST, f"Campaign {request.campaign}.")
    trued = _trued(lots, old, new)
    held = sum(lot.product for lot in lots)
    gone = max(0, claimed.made - held)
    over = max(0, gone - gone * new.rate // old.rate)
    draft = MovementDraft(request)
    changes = []
    for piece, product, rate in reversed(trued):
        taken = min(over, product)
        over -= taken
        left = product - taken
        change: dict[str, object] = {"product": left, "rate": rate}
        if not left:
            change |= {"state": LotState.LOST, "by": request.id, "since": request.day}
        changes.append((piece, change))
    draft.alter_each(changes)
    now = sum(int(str(change["product"])) for _, change in changes)
    after = replace(claimed, made=claimed.made + now - held)
    check_less(facts, claimed, after)
    draft.state(after, TruedUp(new.batch, owner.id))
    said = f"{show_amount(held, 'lb')} become {show_amount(now, 'lb')}."
    short = f" {show_amount(over, 'lb')} sold too much remain." if over else ""
    return draft.outcome(said + short, facts=(("shortfall", show(over)),))


@dataclass(frozen=True, slots=True)
class TruedUp:
    """Marks that an owner's claims of a campaign stand at the final yield."""

    kind: ClassVar[str] = "trued_up"
    batch: str
    owner: str

    @property
    def key(self) -> str:
        """Return what the record is found by."""
        return f"{self.batch}/{self.owner}"

    @property
    def group(self) -> str:
        """Marks are listed per campaign."""
        return self.batch
