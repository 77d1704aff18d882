"""From the farm to its buyer: shares, slips, purchases, storage (2100.031(b), 2100.032(a), interpretations 38, 50)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Any, Final

from provender.custody.events import rules
from provender.custody.events.allocation import check_origins, check_pieces, pieces_at, take
from provender.custody.events.footing import UNVERIFIED_SAID, slip_grounds, state_on
from provender.custody.events.grain import ticket_records, tickets_show
from provender.custody.events.parties import under_contract
from provender.custody.model.balances import may_be_sold_elsewhere, seen_on_documents, used_up
from provender.custody.model.entities import FROM_FARMS, STORERS, ContractKind, Period, Role, period_of
from provender.custody.model.event import (
    EVERYONE,
    Event,
    PaperEvent,
    Party,
    Range,
    Record,
    Refusal,
    RestsOn,
    Status,
    Ticket,
    event,
    ticket_amounts,
)
from provender.custody.model.grain import Direction, GrainEntry, grain_on
from provender.custody.model.lots import (
    BUSHEL,
    LotState,
    Origin,
    Piece,
    Slip,
    Span,
    joined,
    length,
    show_amount,
    subtract_spans,
    unit_of,
)
from provender.custody.model.store_view import Decision, StoreView
from provender.exact import Bushels, Serials, show
from provender.schema import Code, Day, Name, Text, When, Whole, field

_TO_FIRST_POINT: Final = "From a grower to a first point."


@event("share", RestsOn.LATER_PAPER, correctable=True)
class ShareEvent(Event):
    """Issues a landowner's share of the farm's bushels: the landowner holds it, the farm counts once."""

    giver: Name = field("Seller", help="The farm.", party=Party.ENTERS)
    taker: Name = field("Buyer", help="The landowner.", party=Party.CHANGES, choices="growers")
    origin: Code = field("Origin", help="Whose serials.")
    bushels: Bushels = field("Bushels", help="How many, lowest free serials first.", default=0)
    spans: tuple[Serials, ...] = field(
        "Spans", help="Exactly these serials instead.", folded=True, example=[["0", "500"]], default=()
    )


@event("slip", RestsOn.SIGNATURE, speaker="giver", correctable=True)
class SlipEvent(PaperEvent):
    """A sale slip that the farm signs: it assigns serials to one buyer. Without ``spans`` the lowest free ones."""

    giver: Name = field("Seller", help="The farm, or the landowner for a share.", party=Party.ENTERS)
    taker: Name = field("Buyer", party=Party.CHANGES, choices="first_buyers")
    origin: Code = field("Origin", help="Whose serials.")
    bushels: Bushels = field("Bushels", help="How many, lowest free serials first.", default=0)
    spans: tuple[Serials, ...] = field(
        "Spans", help="Exactly these serials instead.", folded=True, example=[["0", "500"]], default=()
    )
    returned: Text = field(
        "Returned",
        help=(
            "The earlier slip by which these serials went to a company whose book is elsewhere, when it gave them back:"
            " the farm says so under its signature, since this book did not see it."
        ),
        default="",
    )

    def locks(self) -> tuple[str, ...]:
        """Return giver and taker; everybody where serials came back from somebody else."""
        return (EVERYONE,) if self.returned else self.parties()


def _assigned(store: StoreView, event: ShareEvent | SlipEvent) -> list[Piece]:
    """Return the free pieces of the giver that the farm hands out: those named, or the lowest."""
    origin = rules.record_of(store, Origin, event.origin)
    giver = rules.entity_of(store, event.giver)
    rules.require(
        origin.issuer == giver.id or Role.LANDOWNER in giver.roles, Status.PARTIES_DIFFER, f"{origin.id} is another's."
    )
    ranges = [Range(origin.id, start, stop) for start, stop in event.spans]
    if event.bushels or not event.spans:
        rules.check_amounts((event.bushels, BUSHEL))
    rules.check_ranges(ranges)
    taken = joined(span for slip in store.open_slips(origin.id) for span in slip.open_spans)
    if ranges:
        pieces = pieces_at(store, ranges)
        rules.check_standing(origin)
        for start, stop in event.spans:
            free = all(stop <= low or high <= start for low, high in taken)
            rules.require(free, Status.SERIALS_ASSIGNED, f"{origin.id}.")
        mine = _not_seen_before(store, event, pieces)
        check_pieces(mine, giver.id, event, form=origin.crop, states=(LotState.HELD,))
        have = length(event.spans)
        rules.require(event.bushels in (0, have), Status.EXCEEDS_STOCK, f"The ranges hold {show_amount(have, BUSHEL)}.")
        return mine
    rules.check_standing(origin)
    free_pieces = _free(store, giver.id, origin, taken, event.day)
    have = sum(piece.crop_amount for piece in free_pieces)
    rules.require(have >= event.bushels, Status.EXCEEDS_STOCK, lambda: f"{show_amount(have, BUSHEL)} are free.")
    return take(free_pieces, event.bushels)


def _not_seen_before(store: StoreView, event: ShareEvent | SlipEvent, pieces: list[Piece]) -> list[Piece]:
    """Leave out what this book first saw on a trader's document: a slip to a party elsewhere says how it got there.

    Only in a book of one party, which is shown the farm's slips to others: in a book of all the farm signs over what it
    has. Whether the trader had them from that party is told when books lie side by side (``claims_of_book``).

    Raises:
        Refusal: SERIALS_ASSIGNED, where another slip has them.
    """
    away = [piece for piece in pieces if piece.lot.owner != event.giver]
    if not (away and store.owner and isinstance(event, SlipEvent)) or store.many(Period, event.taker):
        return pieces
    seen = seen_on_documents(store, event.origin)
    signed = joined(span for slip in store.many(Slip, event.origin) for span in slip.spans)
    for piece in away:
        spans = [(piece.start, piece.stop)]
        rules.require(subtract_spans(spans, signed) == spans, Status.SERIALS_ASSIGNED, f"{event.origin}.")
        if subtract_spans(spans, seen):
            return pieces
    return [piece for piece in pieces if piece.lot.owner == event.giver]


def _free(store: StoreView, owner: str, origin: Origin, taken: Sequence[Span], day: date) -> list[Piece]:
    """Return what an owner holds of an origin and no open slip has assigned, lowest serials first."""
    pieces: list[Piece] = []
    for lot in sorted(store.lots_of(owner, origin.crop), key=lambda one: one.start):
        if lot.origin != origin.id or lot.is_product or lot.since > day or lot.state is not LotState.HELD:
            continue
        pieces += [Piece(lot, *span, 0) for span in subtract_spans([(lot.start, lot.stop)], taken)]
    return pieces


def decide_share(store: StoreView, event: ShareEvent) -> Decision:
    roles = frozenset({Role.FARM}), frozenset({Role.LANDOWNER})
    giver, taker = rules.parties_of(store, event.giver, event.taker, roles, "From farm to landowner.")
    pieces = _assigned(store, event)
    draft = rules.MovementDraft(event)
    days = {"acquired": event.day, "titled": event.day}
    draft.move(pieces, owner=taker.id, custodian=taker.id, site="", supplier=giver.id, **days)
    return draft.outcome(f"{taker.name} holds {show_amount(sum(one.crop_amount for one in pieces), BUSHEL)}.")


def decide_slip(store: StoreView, event: SlipEvent) -> Decision:
    """Record a slip; the serials stay with the giver until they are purchased."""
    giver, taker = rules.parties_of(store, event.giver, event.taker, FROM_FARMS, _TO_FIRST_POINT)
    draft = rules.MovementDraft(event)
    if event.returned:
        spans = left = _take_returned(store, event, draft)
    else:
        left = tuple(joined((piece.start, piece.stop) for piece in _assigned(store, event)))
        spans = tuple(joined(event.spans)) or left
    draft.state(Slip(event.id, giver.id, taker.id, event.origin, spans, event.day, left, event.returned))
    shown = "; ".join([f"{show(start, group=True)}-{show(stop, group=True)}" for start, stop in spans])
    return draft.outcome(f"{show_amount(length(spans), BUSHEL)}: serials {shown}.", details=(("serials", shown),))


def _take_returned(store: StoreView, event: SlipEvent, draft: rules.MovementDraft) -> tuple[Span, ...]:
    """Take serials that came back to a farm out of its earlier slip, and from whoever elsewhere had them last here.

    Returns:
        The serials, which lie with the giver now.
    """
    origin, earlier = rules.record_of(store, Origin, event.origin), rules.record_of(store, Slip, event.returned)
    same = (earlier.giver, earlier.origin) == (event.giver, origin.id)
    rules.require(same, Status.PARTIES_DIFFER, f"Slip {earlier.id}.")
    here = bool(store.many(Period, earlier.taker))
    rules.require(not here, Status.PARTIES_DIFFER, f"The book of {earlier.taker} is here: enter its return.")
    ranges = [Range(origin.id, start, stop) for start, stop in event.spans]
    rules.require(bool(ranges), Status.SPAN_NOT_POSSIBLE, "Name the serials that came back.")
    rules.check_ranges(ranges)
    pieces = pieces_at(store, ranges)
    inside = not subtract_spans(event.spans, earlier.spans)
    rules.require(inside, Status.OUTSIDE_MOVEMENT, f"Slip {earlier.id}.")
    rules.check_standing(origin)
    others = [slip for slip in store.open_slips(origin.id) if slip.id != earlier.id]
    free = subtract_spans(event.spans, (span for slip in others for span in slip.open_spans))
    rules.require(length(free) == length(event.spans), Status.SERIALS_ASSIGNED, f"{origin.id}.")
    away = [piece for piece in pieces if piece.lot.owner != event.giver]
    for piece in away:
        rules.require(
            may_be_sold_elsewhere(store, piece.lot, piece.start, piece.stop, ()),
            Status.NOT_HELD,
            rules.lot_location(piece.lot),
        )
    for piece in pieces:
        rules.require(piece.lot.form == origin.crop, Status.OTHER_FORM, rules.lot_location(piece.lot))
    for piece in pieces:
        rules.require(piece.lot.since <= event.day, Status.NOT_HELD_YET, rules.lot_location(piece.lot))
    home: dict[str, Any] = {"owner": event.giver, "custodian": event.giver, "site": "", "supplier": ""}
    days = {"acquired": event.day, "titled": event.day}
    if away:
        draft.move(away, state=LotState.HELD, **home, **days)
    draft.state(*used_up([earlier], list(event.spans)))
    return tuple(joined(event.spans))


class Terms(StrEnum):
    """When title passes."""

    CASH = "cash"
    DELAYED_PRICE = "delayed_price"
    """Title passes at delivery, the price is fixed later."""
    OPEN_STORAGE = "open_storage"
    """The grain was the grower's until this day."""
    WAREHOUSE_RECEIPT = "warehouse_receipt"


@event("purchase", RestsOn.OWN_ACT, title="Buy from a farm", verb="Enter the purchase", correctable=True)
class PurchaseEvent(Event):
    """A purchase from a grower on the day title passes, of serials that a slip assigned."""

    giver: Name = field("Seller", help="The farm or landowner.", party=Party.CHANGES, choices="growers")
    taker: Name = field("Buyer", party=Party.ENTERS)
    slip: Text = field("Sale slip", help="The id of the slip.", choices="slips")
    bushels: Bushels = field("Bushels", help="Bushels to buy. Leave empty for all that is left.", default=0)
    site: Name = field("Site", help="Site where the grain is. Optional if you have one.", choices="sites", default="")
    tickets: tuple[Ticket, ...] = field(
        "Tickets", help="The scale tickets behind it, which enter the site's grain book.", folded=True, default=()
    )
    contract: Name = field("Contract", help="Which of the buyer's contracts it fills.", folded=True, default="")
    terms: Terms = field("Terms", help="When title passes.", default=Terms.CASH)
    delivered: Day | None = field(
        "Delivered", help="The day of delivery, which under delayed price is the title date.", folded=True,
        when=When("terms", (Terms.CASH,), hides=True), default=None,
    )  # fmt: skip


def decide_purchase(store: StoreView, event: PurchaseEvent) -> Decision:
    giver, taker = rules.parties_of(store, event.giver, event.taker, FROM_FARMS, _TO_FIRST_POINT)
    site = rules.site_of(store, taker, event.site)
    slip = rules.record_of(store, Slip, event.slip)
    rules.require((slip.giver, slip.taker) == (giver.id, taker.id), Status.PARTIES_DIFFER, f"Slip {slip.id}.")
    rules.require(bool(slip.open_spans), Status.ALREADY_ANSWERED, f"Slip {slip.id} is used up or void.")
    wanted = event.bushels or length(slip.open_spans)
    origin = rules.record_of(store, Origin, slip.origin)
    trade = (taker.id, giver.id, event.day)
    under_contract(store, trade, event.contract, origin.crop, ContractKind.SUPPLIER)
    rules.check_amounts((wanted, BUSHEL), *ticket_amounts(event.tickets, BUSHEL))
    rules.open_period(store, taker, event.day)
    records = ticket_records(store, event, taker.id, site, origin.crop, Direction.IN)
    shown = sum(ticket.bushels for ticket in event.tickets)
    rules.require(
        not event.tickets or shown >= wanted,
        Status.TICKETS_BELOW_CLAIM,
        lambda: tickets_show(len(event.tickets), shown),
    )
    delayed = event.terms is Terms.DELAYED_PRICE
    rules.require(not delayed or event.delivered in (None, event.day), Status.TITLE_NOT_AT_DELIVERY)
    draft, flag, marks = _take_slip(store, event, slip, origin, wanted, site=site, titled=event.day)
    _check_harvest(records, origin.harvest_year)
    draft.state(*records)
    return draft.outcome(f"{taker.name} holds {show_amount(wanted, BUSHEL)} from {giver.name}.{flag}", details=marks)


def _take_slip(
    store: StoreView,
    event: "PurchaseEvent | AssignEvent",
    slip: Slip,
    origin: Origin,
    wanted: int,
    **where: Any,  # noqa: ANN401 - site and title date
) -> tuple[rules.MovementDraft, str, tuple[tuple[str, str], ...]]:
    """Take serials of a slip for its buyer; return the draft, what the answer says of it, and its marks."""
    taken, left = _split_spans(slip.open_spans, wanted)
    pieces = pieces_at(store, [Range(origin.id, start, stop) for start, stop in taken])
    rules.check_standing(origin)
    check_pieces(pieces, slip.giver, event, form=origin.crop, states=(LotState.HELD,))
    have = length(slip.open_spans)
    rules.require(wanted <= have, Status.EXCEEDS_STOCK, lambda: f"The slip has {show_amount(have, BUSHEL)} left.")
    draft = rules.MovementDraft(event)
    state = state_on(slip_grounds(store, slip.id, origin))
    hands = {"owner": slip.taker, "custodian": slip.taker, "supplier": slip.giver}
    draft.move(pieces, state=state, acquired=event.day, **hands, **where)
    draft.state(replace(slip, open_spans=left))
    early = event.day < slip.day
    flag = f" The slip is of {slip.day}, after the purchase: the verifier sees it." if early else ""
    flag += UNVERIFIED_SAID if state is LotState.UNVERIFIED else ""
    return draft, flag, (("before_its_slip", slip.day.isoformat()),) if early else ()


def _check_harvest(records: Iterable[Record], harvest_year: int) -> None:
    """Refuse tickets from before the harvest: no grain of it was on a scale then.

    Trade calls a crop by the year it is sold in, too: it may have been cut in the year before.
    """
    first = date(harvest_year - 1, 1, 1)
    for one in records:
        if isinstance(one, GrainEntry) and one.day < first:
            said = f"Ticket {one.number} is of {one.day}, before the harvest of {harvest_year}."
            raise Refusal(Status.NOT_HELD_YET, said)


def _split_spans(spans: Sequence[Span], bushels: int) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Split spans after so many bushels: what is taken, lowest serials first, and what is left."""
    taken: list[Span] = []
    for start, stop in spans:
        middle = min(stop, start + bushels)
        bushels -= middle - start
        taken += [(start, middle)] if start < middle else []
    return tuple(taken), tuple(subtract_spans(spans, taken))


@event("storage", RestsOn.LATER_PAPER, title="Store for somebody", verb="Take into storage", correctable=True)
class StorageEvent(Event):
    """Stores an owner's own crop with somebody who has no title to it: open storage or a warehouse receipt."""

    owner: Name = field("Whose it stays", help="Whose crop it stays.", party=Party.CHANGES, choices="partners")
    custodian: Name = field("Custodian", help="Who stores it.", party=Party.ENTERS, folded=True)
    site: Name = field("Site", help="Where; may be left out by a company with one site.", choices="sites", default="")
    lots: tuple[Range, ...] = field("Lots named", help="Which serials.", folded=True)
    form: Text = field("Form", help="The product. Leave empty for the crop.", choices="forms", default="")
    tickets: tuple[Ticket, ...] = field("Tickets", help="The scale tickets in.", folded=True, default=())


def decide_storage(store: StoreView, event: StorageEvent) -> Decision:
    """Move possession, not title: the lots stay the grower's."""
    owner, custodian = rules.entity_of(store, event.owner), rules.entity_of(store, event.custodian)
    rules.require(owner.id != custodian.id, Status.PARTIES_ARE_ONE)
    rules.require(custodian.may(STORERS), Status.ROLE_NOT_ALLOWED, f"{custodian.name} stores for nobody.")
    site = rules.site_of(store, custodian, event.site)
    origins = [rules.record_of(store, Origin, one.origin) for one in event.lots]
    if not origins:
        raise Refusal(Status.FIELD_UNREADABLE, "lots: name the serials that are stored.")
    form = event.form or origins[0].crop
    rules.check_form(form, origins[0].crop)
    rules.check_amounts(*ticket_amounts(event.tickets, unit_of(form)))
    rules.check_ranges(event.lots)
    records = ticket_records(store, event, custodian.id, site, form, Direction.IN)
    pieces = pieces_at(store, event.lots)
    check_origins(store, pieces)
    check_pieces(pieces, owner.id, event, form=form, states=(LotState.HELD, LotState.UNVERIFIED))
    draft = rules.MovementDraft(event)
    draft.move(pieces, custodian=custodian.id, site=site)
    draft.state(*records)
    return draft.outcome(f"{custodian.name} stores it for {owner.name}.")


# Purchases before the report exists: "CI pending" until a slip assigns serials (interpretation 39).


@dataclass(frozen=True, slots=True)
class Pending(Record, kind="pending", key="id", group="taker"):
    """Bushels bought whose report is not at hand."""

    id: str  # the purchase
    giver: str  # who sold
    taker: str  # who bought
    site: str  # where they lie
    crop: str  # which crop
    harvest_year: int  # of which year
    bushels: int  # thousandths of a bushel bought
    left: int  # not assigned yet
    day: date  # the day title passed


@event(
    "purchase_pending", RestsOn.LATER_PAPER, title="Buy with CI pending", verb="Enter the purchase", correctable=True
)
class PendingEvent(Event):
    """A purchase whose report comes later. It makes no claim yet; its tickets are its evidence."""

    giver: Name = field("Seller", help="The farm or landowner.", party=Party.CHANGES, choices="growers")
    taker: Name = field("Buyer", party=Party.ENTERS)
    crop: Text = field("Crop", choices="crops")
    harvest_year: Whole = field("Harvest year", folded=True)
    bushels: Bushels = field("Bushels", help="How many.")
    tickets: tuple[Ticket, ...] = field("Tickets", help="The scale tickets behind it.", folded=True)
    site: Name = field("Site", help="Where they lie.", choices="sites", default="")


def decide_pending(store: StoreView, event: PendingEvent) -> Decision:
    giver, taker = rules.parties_of(store, event.giver, event.taker, FROM_FARMS, _TO_FIRST_POINT)
    site = rules.site_of(store, taker, event.site)
    rules.check_crop(event.crop)
    rules.check_amounts((event.bushels, BUSHEL), *ticket_amounts(event.tickets, BUSHEL))
    rules.open_period(store, taker, event.day)
    records = ticket_records(store, event, taker.id, site, event.crop, Direction.IN)
    shown = sum(ticket.bushels for ticket in event.tickets)
    rules.require(shown >= event.bushels, Status.TICKETS_BELOW_CLAIM, tickets_show(len(event.tickets), shown))
    _check_harvest(records, event.harvest_year)
    draft = rules.MovementDraft(event)
    crop = (event.crop, event.harvest_year)
    draft.state(Pending(event.id, giver.id, taker.id, site, *crop, event.bushels, event.bushels, event.day), *records)
    return draft.outcome(f"{show_amount(event.bushels, BUSHEL)} with CI pending.")


@event("assign", RestsOn.OWN_ACT, title="Assign a sale slip to a purchase", verb="Assign", correctable=True)
class AssignEvent(Event):
    """Accepts the claim of a pending purchase once the farm's slip is there: incoming on this day."""

    giver: Name = field("Seller", help="The farm or landowner.", party=Party.CHANGES, choices="growers")
    taker: Name = field("Buyer", party=Party.ENTERS)
    pending: Text = field("Purchase that waits", help="The id of the pending purchase.", choices="pending")
    slip: Text = field("Sale slip", help="The id of the slip.", choices="slips")
    bushels: Bushels = field("Bushels", help="How many; as many as both have left without.", default=0)


def decide_assign(store: StoreView, event: AssignEvent) -> Decision:
    """Take a slip's serials for a pending purchase: in its period or the next, and never beyond the grain."""
    giver, taker = rules.entity_of(store, event.giver), rules.entity_of(store, event.taker)
    pending, slip = rules.record_of(store, Pending, event.pending), rules.record_of(store, Slip, event.slip)
    origin = rules.record_of(store, Origin, slip.origin)
    same = (pending.giver, pending.taker) == (slip.giver, slip.taker) == (giver.id, taker.id)
    same = same and (pending.crop, pending.harvest_year) == (origin.crop, origin.harvest_year)
    rules.require(same, Status.PARTIES_DIFFER, f"{pending.id} and {slip.id}.")
    rules.require(
        bool(slip.open_spans and pending.left), Status.ALREADY_ANSWERED, f"{pending.id} or {slip.id} is used up."
    )
    wanted = event.bushels or min(length(slip.open_spans), pending.left)
    rules.check_amounts((wanted, BUSHEL))
    rules.open_period(store, taker, event.day)
    draft, flag, marks = _take_slip(store, event, slip, origin, wanted, site=pending.site, titled=pending.day)
    _check_in_time(store, pending, event.day)
    rules.require(wanted <= pending.left, Status.EXCEEDS_PENDING, f"{show_amount(pending.left, BUSHEL)} are pending.")
    _check_grain(store, (taker.id, pending.site), origin.crop, wanted, event.day)
    draft.state(replace(pending, left=pending.left - wanted))
    return draft.outcome(f"{show_amount(wanted, BUSHEL)} now carry the farm's CI.{flag}", details=marks)


def _check_in_time(store: StoreView, pending: Pending, day: date) -> None:
    """Refuse an assignment before the purchase or after the period that follows its own."""
    periods = store.many(Period, pending.taker)
    bought, now = period_of(periods, pending.day), period_of(periods, day)
    late = bought is None or now is None or list(periods).index(now) - list(periods).index(bought) not in (0, 1)
    rules.require(not late and day >= pending.day, Status.PENDING_TOO_LATE, f"It was bought on {pending.day}.")


def _check_grain(store: StoreView, place: tuple[str, str], form: str, more: int, day: date) -> None:
    """Refuse claims at a site beyond the grain of that day. Raises Refusal: NO_GRAIN_BOOK or CLAIMS_EXCEED_GRAIN."""
    stock = grain_on(store, (*place, form), day)
    if stock is None:
        raise Refusal(Status.NO_GRAIN_BOOK, f"{place[1]}, {form}.")
    claims = sum(lot.amount for lot in store.lots_in(*place, form)) + more
    enough = f"{place[1]} holds {show_amount(stock, BUSHEL)}, claims would be {show_amount(claims, BUSHEL)}."
    rules.require(claims <= stock, Status.CLAIMS_EXCEED_GRAIN, enough)
