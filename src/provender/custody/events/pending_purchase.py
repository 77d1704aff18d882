"""Purchases before the report exists: "CI pending" until a slip assigns serials (interpretation 39)."""

from dataclasses import dataclass, replace
from datetime import date
from typing import ClassVar

from provender.custody.events.allocation import check_pieces, pieces_at
from provender.custody.events.purchase import split_spans
from provender.custody.events.rules import (
    MovementDraft,
    check_amounts,
    check_crop,
    check_standing,
    entity_of,
    open_period,
    record_of,
    require,
    site_of,
)
from provender.custody.events.ticket import ticket_records, tickets_show
from provender.custody.model.amounts import BUSHEL, show_amount
from provender.custody.model.entities import BUYERS_FROM_FARMS, GROWERS
from provender.custody.model.event import Event, Party, Range, Ticket, event, ticket_amounts
from provender.custody.model.grain_book import Direction, grain_group
from provender.custody.model.lots import LotState, length
from provender.custody.model.origins import Origin, Slip
from provender.custody.model.periods import Period, period_of
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import Decision, StoreView
from provender.plain import field
from provender.quantity import Bushels
from provender.wire import Name, Text, Whole


@dataclass(frozen=True, slots=True)
class Pending:
    """Bushels bought whose report is not at hand.

    Attributes:
        id: the purchase.
        giver: who sold.
        taker: who bought.
        site: where they lie.
        crop: which crop.
        harvest_year: of which year.
        bushels: thousandths of a bushel bought.
        left: not assigned yet.
        day: the day title passed.
    """

    kind: ClassVar[str] = "pending"
    id: str
    giver: str
    taker: str
    site: str
    crop: str
    harvest_year: int
    bushels: int
    left: int
    day: date

    @property
    def key(self) -> str:
        """Return what the record is found by."""
        return self.id

    @property
    def group(self) -> str:
        """Pending purchases are listed per buyer."""
        return self.taker


@event("purchase_pending", title="Buy with CI pending", verb="Enter the purchase")
class PendingEvent(Event):
    """A purchase whose report comes later. It makes no claim yet; its tickets are its evidence."""

    giver: Name = field("Seller", help="The farm or landowner.", party=Party.CHANGES, choices="partners")
    taker: Name = field("Buyer", party=Party.ENTERS)
    crop: Text = field("Crop", choices="crops")
    harvest_year: Whole = field("Harvest year", folded=True)
    bushels: Bushels = field("Bushels", help="How many.")
    tickets: tuple[Ticket, ...] = field("Tickets", help="The scale tickets behind it.", folded=True)
    site: Name = field("Site", help="Where they lie.", choices="sites", default="")


def decide_pending(facts: StoreView, request: PendingEvent) -> Decision:
    """Note the purchase and its tickets."""
    giver, taker = entity_of(facts, request.giver), entity_of(facts, request.taker)
    require(giver.id != taker.id, Status.PARTIES_ARE_ONE)
    roles = giver.may(GROWERS) and taker.may(BUYERS_FROM_FARMS)
    require(roles, Status.ROLE_NOT_ALLOWED, "From a grower to a first point.")
    site = site_of(facts, taker, request.site)
    check_crop(request.crop)
    check_amounts((request.bushels, BUSHEL), *ticket_amounts(request.tickets, BUSHEL))
    open_period(facts, taker, request.day)
    records = ticket_records(facts, request, taker.id, site, request.crop, Direction.IN)
    shown = sum(ticket.bushels for ticket in request.tickets)
    require(shown >= request.bushels, Status.TICKETS_BELOW_CLAIM, tickets_show(len(request.tickets), shown))
    draft = MovementDraft(request)
    crop = (request.crop, request.harvest_year)
    draft.state(
        Pending(request.id, giver.id, taker.id, site, *crop, request.bushels, request.bushels, request.day), *records
    )
    return draft.outcome(f"{show_amount(request.bushels, BUSHEL)} with CI pending.")


@event("assign", title="Assign a sale slip to a purchase", verb="Assign")
class AssignEvent(Event):
    """Accepts the claim of a pending purchase once the farm's slip is there: incoming on this day."""

    giver: Name = field("Seller", help="The farm or landowner.", party=Party.CHANGES, choices="partners")
    taker: Name = field("Buyer", party=Party.ENTERS)
    pending: Text = field("Purchase that waits", help="The id of the pending purchase.", choices="pending")
    slip: Text = field("Sale slip", help="The id of the slip.", choices="slips")
    bushels: Bushels = field("Bushels", help="How many; as many as both have left without.", default=0)


def decide_assign(facts: StoreView, request: AssignEvent) -> Decision:
    """Take a slip's serials for a pending purchase: in its period or the next, and never beyond the grain."""
    giver, taker = entity_of(facts, request.giver), entity_of(facts, request.taker)
    pending, slip = record_of(facts, Pending, request.pending), record_of(facts, Slip, request.slip)
    origin = record_of(facts, Origin, slip.origin)
    same = (pending.giver, pending.taker) == (slip.giver, slip.taker) == (giver.id, taker.id)
    same = same and (pending.crop, pending.harvest_year) == (origin.crop, origin.harvest_year)
    require(same, Status.PARTIES_DIFFER, f"{pending.id} and {slip.id}.")
    require(bool(slip.open_spans and pending.left), Status.ALREADY_ANSWERED, f"{pending.id} or {slip.id} is used up.")
    wanted = request.bushels or min(length(slip.open_spans), pending.left)
    check_amounts((wanted, BUSHEL))
    open_period(facts, taker, request.day)
    taken, left = split_spans(slip.open_spans, wanted)
    pieces = pieces_at(facts, [Range(origin.id, start, stop) for start, stop in taken])
    check_standing(origin)
    check_pieces(pieces, giver.id, request, form=origin.crop, states=(LotState.HELD,))
    have = length(slip.open_spans)
    require(wanted <= have, Status.EXCEEDS_STOCK, f"The slip has {show_amount(have, BUSHEL)} left.")
    _check_in_time(facts, pending, request.day)
    require(wanted <= pending.left, Status.EXCEEDS_PENDING, f"{show_amount(pending.left, BUSHEL)} are pending.")
    check_grain(facts, (taker.id, pending.site), origin.crop, wanted, request.day)
    draft = MovementDraft(request)
    days = {"acquired": request.day, "titled": pending.day}
    draft.move(pieces, owner=taker.id, custodian=taker.id, site=pending.site, supplier=giver.id, **days)
    draft.state(replace(slip, open_spans=left), replace(pending, left=pending.left - wanted))
    return draft.outcome(f"{show_amount(wanted, BUSHEL)} are no longer pending.")


def _check_in_time(facts: StoreView, pending: Pending, day: date) -> None:
    """Refuse an assignment before the purchase or after the period that follows its own."""
    periods = facts.many(Period, pending.taker)
    bought, now = period_of(periods, pending.day), period_of(periods, day)
    late = bought is None or now is None or list(periods).index(now) - list(periods).index(bought) not in (0, 1)
    require(not late and day >= pending.day, Status.PENDING_TOO_LATE, f"It was bought on {pending.day}.")


def check_grain(facts: StoreView, place: tuple[str, str], form: str, more: int, day: date) -> None:
    """Refuse claims at a site beyond the grain of that day.

    Raises:
        Refusal: NO_GRAIN_BOOK or CLAIMS_EXCEED_GRAIN.
    """
    stock = facts.grain(grain_group(*place, form)).on(day)
    if stock is None:
        raise Refusal(Status.NO_GRAIN_BOOK, f"{place[1]}, {form}.")
    claims = facts.amount_in(*place, form) + more
    enough = f"{place[1]} holds {show_amount(stock, BUSHEL)}, claims would be {show_amount(claims, BUSHEL)}."
    require(claims <= stock, Status.CLAIMS_EXCEED_GRAIN, enough)
