"""What becomes of claims: processed, trued up, released, lost, retired; then the close of a period, and of a site."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import ClassVar

from provender.custody.events import allocation
from provender.custody.events.plant import (
    Basis,
    Conversion,
    Yield,
    beyond_batches,
    check_campaign,
    check_less,
    check_step,
    claimed_by,
    yield_on,
    yields_at,
)
from provender.custody.events.rules import MovementDraft, closed_sites, entity_of, open_period, require, site_of
from provender.custody.events.typed import typed_entries
from provender.custody.model.balances import Balance, Ending, Place, Span, balance_document, balances, endings, held_on
from provender.custody.model.entities import (
    GROWERS,
    STORERS,
    TRADERS,
    Entity,
    Period,
    Role,
    SiteClosure,
    Surplus,
    first_open,
)
from provender.custody.model.event import Event, Party, Record, Refusal, RestsOn, Status, event
from provender.custody.model.grain import GrainEntry, grain_group, grain_on, shortfalls, stock_on
from provender.custody.model.lots import (
    FORMS,
    LIVE,
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
from provender.custody.model.store_view import CustodyStep, Decision, StoreView, steps_made
from provender.exact import RATE_SCALE, Gallons, ceil_div, floor_div, show
from provender.rule.crops import Crop
from provender.rule.law import rule_version
from provender.schema import Day, Name, Text, field
from provender.signing.canonical import canonical_json, sha256_hex

# Processing (2100.033): crop becomes product by the plant's yield; the range of serials stays with the product.


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
    entity = entity_of(store, event.entity)
    require(entity.may(GROWERS | TRADERS), Status.ROLE_NOT_ALLOWED, f"{entity.name} holds no claims.")
    return _ended(event, allocation.taken(store, entity, event, _site(store, entity, event)), LotState.RELEASED)


def decide_loss(store: StoreView, event: LossEvent) -> Decision:
    """Book a loss: of claims as named, or the claims' share of a loss of the whole site."""
    entity = entity_of(store, event.entity)
    require(entity.may(GROWERS | TRADERS), Status.ROLE_NOT_ALLOWED, f"{entity.name} holds no claims.")
    if not event.shared:
        return _ended(event, allocation.taken(store, entity, event, _site(store, entity, event)), LotState.LOST)
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
    entity = entity_of(store, event.entity)
    require(Role.REFINER in entity.roles, Status.ROLE_NOT_ALLOWED, f"{entity.name} makes no fuel.")
    more = [(event.gallons, "gal")] if event.gallons else []
    choice = allocation.taken(store, entity, event, _site(store, entity, event), *more)
    outcome = _ended(event, choice, LotState.RETIRED)
    return replace(outcome, details=(*outcome.details, ("fuel", event.fuel), ("batch", event.batch)))


# The close of a period: claims against grain, surplus, statement (2100.034(b) to (d), interpretation 37).


@dataclass(frozen=True, slots=True)
class Closing(Record, kind="closing", key="entity/start", group="entity"):
    """A closed period as it was closed. Never restated: a restatement stands beside it."""

    entity: str  # whose period
    start: date  # its first day
    end: date  # its last day
    closed_on: date  # the day it was closed
    endings: tuple[Ending, ...]  # what it leaves; the next period begins with exactly this
    statement: str  # the balance in canonical JSON
    digest: str  # its SHA-256, for the signature
    by: str  # the event that closed it
    typed: tuple[str, ...] = ()  # what was typed and no paper showed at the close, in sentences


@event("close", RestsOn.OWN_ACT, title="Close a period", verb="Close the period", everyone=True)
class CloseEvent(Event):
    """Closes the period that ends on ``day``. Its claims are then held against the grain at every site.

    A site with claims must have an entry of grain by then, if only a measurement of nothing. What is released there is
    spread over the carbon intensities by what is in stock of each, the oldest first within them.
    """

    entity: Name = field("Entity", help="Whose period.", party=Party.ENTERS)
    closed_on: Day = field("Closed on", help="Not before its last day, and not a day to come.")
    surplus: Surplus = field(
        "Surplus", help="What becomes of claims beyond the grain.", folded=True, default=Surplus.AS_RULED
    )
    day: Day = field("Last day of the period", help="The period ends on it, such as 2026-03-31.")


def decide_close(store: StoreView, event: CloseEvent) -> Decision:
    """Close a period in its turn and keep its statement."""
    entity = entity_of(store, event.entity)
    period = _period(store, event)
    draft = MovementDraft(event)
    released = []
    places = sorted(claims_by_place(store, entity.id, period.end).items())
    stocks = {place: _stock(store, place, period) for place, _ in places}
    for short in shortfalls(store, entity, period.start, period.end):
        # Claims that were sold without grain bar the close until it has come (interpretation 77).
        require(not short.left, Status.CLAIMS_EXCEED_GRAIN, short.said())
    for one in yields_at(store, entity.id, *entity.sites):
        above = beyond_batches(store, one) if one.start <= period.end and period.start <= one.end else ""
        require(not above, Status.BEYOND_ACTUAL_PRODUCT, f"{above} State its final yield anew.")
    for place, own in places:
        pieces = _surplus(store, event, place, own, period, stocks[place])
        if pieces:
            draft.move(pieces, state=LotState.RELEASED)
            released.append(f"{show_amount(sum(one.amount for one in pieces), unit_of(place[2]))} at {place[1]}")
    spans = sorted({(lot.origin, lot.start, lot.stop) for lot in draft.opened})
    parents = {lot.id: lot for span in spans for lot in store.lots_at(*span)}
    chosen = balance_of(store, period, steps_made(event, draft.opened, parents))
    text = canonical_json(balance_document(chosen))
    days = (period.start, period.end, event.closed_on)
    typed = tuple(one.said() for one in typed_entries(store, entity.id))
    closing = Closing(entity.id, *days, endings(chosen), text.decode(), sha256_hex(text), event.id, typed)
    draft.state(replace(period, closed=event.closed_on), closing)
    said = f"Released without claim: {'; '.join(released)}." if released else ""
    late = f"It was declared late, on {period.declared}." if period.late else ""
    told = f"{period.start} to {period.end} is closed. {said} {late}"
    gone = (("released", "; ".join(released)),) if released else ()
    return draft.outcome(told.strip(), details=(("digest", closing.digest), *gone))


def _period(store: StoreView, event: CloseEvent) -> Period:
    periods = store.many(Period, event.entity)
    period = next((one for one in periods if one.end == event.day), None)
    if period is None:
        raise Refusal(Status.PERIOD_NOT_DECLARED, f"No period ends on {event.day}.")
    require(period.closed is None, Status.PERIOD_CLOSED, f"It was closed on {period.closed}.")
    due = first_open(periods)
    require(due == period, Status.CLOSE_OUT_OF_ORDER, f"{due.start if due else ''} is first.")
    require(event.closed_on >= period.end, Status.PERIOD_NOT_ENDED, f"It ends on {period.end}.")
    return period


def balance_of(store: StoreView, period: Period, more: Sequence[CustodyStep] = ()) -> Balance:
    """Return the equations of one period, beginning with what the period before it was closed with.

    While that one is open, everything before the first day counts as the beginning.
    """
    before = [one for one in store.many(Closing, period.entity) if one.end < period.start]
    adjacent = bool(before) and before[-1].end == period.start - timedelta(days=1)
    start = period.start if adjacent else None
    steps = [*store.steps(period.entity, start), *more]
    opening = before[-1].endings if adjacent else ()
    return balances(steps, period.entity, [Span(period.start, period.end)], opening)[0]


def claims_by_place(store: StoreView, entity: str, day: date) -> dict[Place, int]:
    """Return what an entity has in stock at the end of a day, by custodian, site and form, in the form's unit."""
    current = [lot for crop in Crop for lot in store.lots_of(entity, crop)]
    later = store.steps(entity, day + timedelta(days=1))
    return held_on(current, later, lambda lot: lot.owner == entity and lot.state in STOCK)


def claims_at(store: StoreView, place: Place, day: date) -> int:
    """Return what all owners have in stock at a place at the end of a day, in the form's unit."""
    later = store.steps(place[0], day + timedelta(days=1))
    return held_on(
        store.lots_in(*place), later, lambda lot: (lot.custodian, lot.site, lot.form) == place and lot.state in STOCK
    ).get(place, 0)


def _stock(store: StoreView, place: Place, period: Period) -> int:
    stock = grain_on(store, place, period.end)
    if stock is None:
        raise Refusal(Status.NO_GRAIN_BOOK, f"{place[1]}, {place[2]}.")
    return stock


def _surplus(store: StoreView, event: CloseEvent, place: Place, own: int, period: Period, stock: int) -> list[Piece]:
    """Return the entity's share of the claims at a place beyond its grain; refuse what cannot be released."""
    claims = claims_at(store, place, period.end)
    if claims <= stock:
        return []
    said = short_of_grain(event.entity, place, own, claims, stock)
    rule = rule_version(period.end).surplus_at_close
    choice = rule if event.surplus is Surplus.AS_RULED else str(event.surplus)
    require(choice == Surplus.RELEASED, Status.CLAIMS_EXCEED_GRAIN, said)
    part = min(own, ceil_div((claims - max(stock, 0)) * own, claims))
    free = [lot for lot in store.lots_in(*place) if lot.owner == event.entity and lot.since <= period.end]
    free.sort(key=lambda lot: (lot.acquired, lot.origin, lot.start))
    have = sum(lot.amount for lot in free)
    require(have >= part, Status.CLAIMS_EXCEED_GRAIN, f"{said} What could be released has moved on.")
    return allocation.proportional(free, part)


def short_of_grain(asker: str, place: Place, own: int, claims: int, stock: int) -> str:
    """Say that the grain of a place is less than the claims on it.

    Args:
        asker: who is told; of another's site only that, for its grain and what others have there are not the asker's.
        place: custodian, site and form.
        own: the asker's claims there, thousandths of the form's unit.
        claims: those of all.
        stock: the grain.
    """
    custodian, site, form = place
    unit = unit_of(form)
    if custodian != asker:
        yours = show_amount(own, unit)
        return f"{custodian} {site} has less {form} than there are claims on it; yours are {yours}.".replace("  ", " ")
    return f"{site} holds {show_amount(stock, unit)}, claims are {show_amount(claims, unit)}."


# Closing a site: from its day on nothing comes to lie there, and nothing is sold from there (interpretation 37).


@event("close_site", RestsOn.OWN_ACT, title="Close a site", verb="Close the site", correctable=True)
class CloseSiteEvent(Event):
    """Closes a site: nothing is stored there, sold from there, moved there or made there from the day on.

    No grain and no claims may lie there, but where it is for a coming day: until then it is open as before. Its book is
    kept: tickets and plant figures of earlier days can still be entered, and tickets taken out. To take back an entry
    whose claims lay there, or to open the site again, take this entry back first.
    """

    entity: Name = field("Entity", help="Whose site.", party=Party.ENTERS)
    site: Name = field("Site", help="Which of its sites.", choices="sites")
    reason: Text = field("Reason", help="In words.", default="")
    ahead: bool = field(
        "For a coming day",
        help="The site is open until the day; what lies there then must be moved or released.",
        folded=True,
        default=False,
    )


def decide_close_site(store: StoreView, event: CloseSiteEvent) -> Decision:
    entity = entity_of(store, event.entity)
    site = site_of(store, entity, event.site)
    before = closed_sites(store, entity.id).get(site)
    require(before is None, Status.ALREADY_ANSWERED, f"{site} is closed since {before.closed if before else ''}.")
    draft = MovementDraft(event)
    draft.state(closure_of(store, event))
    return draft.outcome(f"{site} is closed from {event.day} on.")


def closure_of(store: StoreView, event: CloseSiteEvent) -> SiteClosure:
    """Return what a closing states, or refuse it.

    Raises:
        Refusal: SITE_IN_USE, naming what lies there or came there on a later day.
    """
    for form in FORMS if not event.ahead else ():
        claims = sum(lot.amount for lot in store.lots_in(event.entity, event.site, form))
        said = f"Claims on {show_amount(claims, unit_of(form))} of {form} lie at {event.site}."
        require(not claims, Status.SITE_IN_USE, said)
        grain = grain_on(store, (event.entity, event.site, form), event.day) or 0
        said = f"{event.site} holds {show_amount(grain, unit_of(form))} of {form} by its tickets."
        require(grain <= 0, Status.SITE_IN_USE, said)
    for form in FORMS:
        entries = store.many(GrainEntry, grain_group(event.entity, event.site, form))
        late = [one for one in entries if one.day > event.day and one.amount and not one.void]
        said = f"Ticket {late[0].number} of {event.site} is of {late[0].day}." if late else ""
        require(not late, Status.SITE_IN_USE, said)
    for step in store.steps(event.entity, event.day + timedelta(days=1)):
        late_step = any(
            (lot is not None and (lot.custodian, lot.site) == (event.entity, event.site) and lot.state in LIVE)
            for lot in (step.before, step.after)
        )
        require(not late_step, Status.SITE_IN_USE, f"Entry {step.movement} of {step.day} moves claims there.")
    for one in yields_at(store, event.entity, event.site):
        for made in store.many(Conversion, one.batch):
            said = f"Batch {made.number} of {event.site} ends on {made.end}."
            require(made.void or made.end < event.day, Status.SITE_IN_USE, said)
    for lot in store.live_at(event.entity, event.site) if not event.ahead else ():
        raise Refusal(Status.SITE_IN_USE, f"Claims of {lot.by} are in dispute and lie at {event.site}.")
    return SiteClosure(event.entity, event.site, event.day, event.id, event.ahead)


def lying_at_closed(store: StoreView, entity: str, day: date) -> Iterator[tuple[str, int, str]]:
    """Yield what lies at closed sites: in a sentence, the bushels of claims in thousandths, and what closed the site.

    Others gave it back, or the scale said of earlier days later on.
    """
    for site, closing in closed_sites(store, entity).items():
        for form in FORMS if closing.shuts(day) else ():
            lots = store.lots_in(entity, site, form)
            grain = grain_on(store, (entity, site, form), day) or 0
            lies = max(sum(lot.amount for lot in lots), grain)
            if lies > 0:
                shown = f"{show_amount(lies, unit_of(form))} of {form}"
                said = f"{site} is closed since {closing.closed}, and {shown} lie there: move or release them."
                yield said, sum(lot.crop_amount for lot in lots), closing.by
