"""Between entities: sale, acceptance, refusal of a delivery, and moves between an entity's own sites."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, TypeVar

from provender.custody.events.allocation import Choosing, check_choosing, choose, matched
from provender.custody.events.consent import PAPER_HELP, as_told, consents
from provender.custody.events.registration import under_contract
from provender.custody.events.rules import (
    MovementDraft,
    check_amounts,
    check_former,
    entity_of,
    home_of,
    open_period,
    require,
    site_of,
)
from provender.custody.events.statement import verified
from provender.custody.events.ticket import ticket_records
from provender.custody.events.titles import trade_of
from provender.custody.model.amounts import show_amount, unit_of
from provender.custody.model.entities import STORERS, TRADERS, ContractKind, Delivery, Entity
from provender.custody.model.event import Event, Party, Ticket, event, ticket_amounts
from provender.custody.model.grain_book import Direction
from provender.custody.model.lots import STOCK, Lot, LotState, Piece, whole, with_parents
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import Decision, StoreView, root_of
from provender.plain import declared, field
from provender.wire import Name, Signed, Text

E = TypeVar("E", bound=Event)


@event("sale", title="Sell", verb="Sell")
class SaleEvent(Choosing):
    """A sale on the day title passes. The claims leave the seller's stock and are in transit until accepted."""

    from_closed: ClassVar[bool] = False
    giver: Name = field("Seller", party=Party.ENTERS)
    taker: Name = field("Buyer", party=Party.READS, choices="buyers")
    contract: Name = field(
        "Contract", help="Which of the seller's contracts it fills; only claims that it asks for go.", default=""
    )
    tickets: tuple[Ticket, ...] = field(
        "Tickets",
        help=("The shipments, if they are known: entries of the site's grain book, which stands beside the claims."),
        folded=True,
        default=(),
    )
    destination: tuple[Ticket, ...] = field(
        "Tickets of the destination",
        help=(
            "The buyer's scale tickets for grain that went there straight from the farm: the grain behind these claims,"
            " which the seller's own sites never saw."
        ),
        folded=True,
        default=(),
    )


def decide_sale(facts: StoreView, request: SaleEvent) -> Decision:
    """Send claims from one trader to another."""
    giver, taker = entity_of(facts, request.giver), entity_of(facts, request.taker)
    require(giver.id != taker.id, Status.PARTIES_ARE_ONE)
    require(giver.may(TRADERS) and taker.may(TRADERS), Status.ROLE_NOT_ALLOWED, "A farm sells by slip and purchase.")
    site = site_of(facts, giver, request.site) if request.site or request.tickets else ""
    agreed = under_contract(
        facts, (giver.id, taker.id, request.day), request.contract, request.of_form, ContractKind.RECIPIENT
    )
    check_choosing(request)
    period = open_period(facts, giver, request.day)
    records = ticket_records(facts, request, giver.id, site, request.of_form, Direction.OUT)
    place = (giver.id, site) if site else None
    choice = choose(facts, giver.id, _within(request, agreed), period, place)
    draft = MovementDraft(request)
    away = {"owner": taker.id, "custodian": taker.id, "site": "", "supplier": giver.id}
    draft.move(choice.pieces, state=LotState.IN_TRANSIT, acquired=request.day, titled=request.day, **away)
    draft.state(*records)
    shown = show_amount(choice.amount, unit_of(request.of_form))
    statement = verified(facts, giver, request.day, request.crop)
    facts_shown = (*matched(choice), ("verification", statement.id if statement else "none"))
    return draft.outcome(f"{shown} of {request.of_form} to {taker.name}, {choice.how}.", facts=facts_shown)


def _within(request: SaleEvent, agreed: Delivery | None) -> SaleEvent:
    """Return a sale that takes only claims within its own range and its contract's."""
    if agreed is None:
        return request
    lows = [ci for ci in (request.ci_min, agreed.ci_min) if ci is not None]
    highs = [ci for ci in (request.ci_max, agreed.ci_max) if ci is not None]
    return replace(request, ci_min=max(lows, default=None), ci_max=min(highs, default=None))


@declared
class AnswerEvent(Event):
    """Fields of a buyer's answer to a sale or a document."""

    taker: Name = field("Buyer", help="The buyer, who answers.", party=Party.ENTERS)
    movement: Text = field("Movement", help="The id of the sale or document.")


@event("accept", title="Accept a delivery", verb="Accept")
class AcceptEvent(AnswerEvent):
    """The buyer takes what is in transit into its stock: its incoming has this day (interpretation 43)."""

    custodian: Name = field(
        "Custodian",
        help="The house where it lies, if that is not the buyer's own.",
        party=Party.HOSTS,
        choices="partners",
        folded=True,
        default="",
    )
    site: Name = field(
        "Site", help="Which of its sites; may be left out where there is one.", choices="sites", default=""
    )
    tickets: tuple[Ticket, ...] = field("Tickets", help="The scale tickets in.", folded=True, default=())


@event("reject", title="Send a delivery back", verb="Send it back")
class RejectEvent(AnswerEvent):
    """The buyer does not take what is in transit: it goes back into the seller's stock."""

    giver: Name = field("Seller", party=Party.CHANGES, choices="partners")
    site: Name = field("Site", help="Where it comes back to.", choices="sites", default="")
    reason: Text = field("Reason", help="In words.", default="")
    paper: Signed = field("Paper", help=PAPER_HELP, asked=False, default="")


def sale_in_transit(facts: StoreView, by: str) -> str:
    """Return the sale or document that has a lot in transit on its way.

    Args:
        facts: the book.
        by: what put the lot in transit: the sale itself, or the correction of an answer to it (or of its correction),
            after which the buyer answers anew.
    """
    posted = facts.posted(by)
    if posted is None:
        return by
    answer = root_of(facts, posted).request
    return getattr(answer, "movement", "") or answer.id


def is_in_transit(facts: StoreView, lot: Lot, movement: str) -> bool:
    """Tell whether a sale or document has a lot on its way to the buyer, perhaps again: its resale was refused."""
    if lot.state is not LotState.IN_TRANSIT:
        return False
    return movement in (lot.by, sale_in_transit(facts, lot.by)) or trade_of(facts, lot) == movement


def in_transit(facts: StoreView, request: AnswerEvent) -> list[Piece]:
    """Return what a sale left in transit to the buyer who answers."""
    sale = facts.posted(request.movement)
    if sale is None or sale.request.type not in ("sale", "document"):
        raise Refusal(Status.RECORD_NOT_FOUND, f"There is no sale {request.movement!r}.")
    same = getattr(sale.request, "taker", "") == request.taker
    require(same, Status.PARTIES_DIFFER, f"{request.movement} is another's.")
    sent = [lot for lot in facts.lots_by(request.movement) if lot.by == request.movement]
    now = [lot for one in sent for lot in facts.lots_at(one.origin, one.start, one.stop)]
    waiting = [lot for lot in now if lot.owner == request.taker and is_in_transit(facts, lot, request.movement)]
    require(bool(waiting), Status.ALREADY_ANSWERED, f"Nothing of {request.movement} is in transit.")
    return [whole(lot) for lot in waiting]


def decide_accept(facts: StoreView, request: AcceptEvent) -> Decision:
    """Take a sale into stock: unverified while the seller's verification is missing (interpretation 46)."""
    taker = entity_of(facts, request.taker)
    house = entity_of(facts, request.custodian or request.taker)
    require(house.may(STORERS), Status.ROLE_NOT_ALLOWED, f"{house.name} stores nothing.")
    site = site_of(facts, house, request.site)
    pieces = in_transit(facts, request)
    lot = pieces[0].lot
    check_amounts(*ticket_amounts(request.tickets, unit_of(lot.form)))
    open_period(facts, taker, request.day)
    records = ticket_records(facts, request, house.id, site, lot.form, Direction.IN)
    for piece in pieces:
        early = f"Title passed on {piece.lot.since}."
        require(piece.lot.since <= request.day, Status.NOT_HELD_YET, early)
    draft = MovementDraft(request)
    seller = entity_of(facts, lot.supplier)
    states = {piece.lot.crop: _state(facts, seller, piece) for piece in pieces}
    marks = {"custodian": house.id, "site": site, "acquired": request.day, "by": request.id, "since": request.day}
    draft.alter_each([(piece, {**marks, "state": states[piece.lot.crop]}) for piece in pieces])
    draft.state(*records)
    shown = show_amount(sum(piece.amount for piece in pieces), unit_of(lot.form))
    held = ", ".join(sorted({str(state) for state in states.values()}))
    return draft.outcome(f"{taker.name} has {shown} {held}.", facts=(("state", held),))


def _state(facts: StoreView, seller: Entity, piece: Piece) -> LotState:
    found = verified(facts, seller, piece.lot.titled, piece.lot.crop)
    return LotState.HELD if found else LotState.UNVERIFIED


def decide_reject(facts: StoreView, request: RejectEvent) -> Decision:
    """Send what is in transit back to the seller, dated today."""
    giver = entity_of(facts, request.giver)
    entity_of(facts, request.taker)
    site = home_of(facts, giver, request.site)
    pieces = in_transit(facts, request)
    require(pieces[0].lot.supplier == giver.id, Status.PARTIES_DIFFER, f"{request.movement} is from another seller.")
    sale = facts.posted(request.movement)
    if sale is not None:
        check_former(facts, giver, request.day, sale.request)
    for piece in pieces:
        require(piece.lot.since <= request.day, Status.NOT_HELD_YET, f"Title passed on {piece.lot.since}.")
    draft = MovementDraft(request)
    today = dict.fromkeys(("acquired", "titled", "since"), request.day)
    marks = {"custodian": giver.id, "site": site, "by": request.id, **today}
    holder = request.taker
    agreed = sale is None or consents(facts, request, holder, giver.id, holder, sale.request, pieces)
    if not agreed:
        marks["state"] = LotState.DISPUTED
    back = titles_before(facts, request.movement, pieces)
    draft.alter_each(as_told(request, [(piece, {**title, **marks}) for piece, title in back]))
    said = "has it back" if agreed else f"has it back in dispute, until {request.taker} has signed that it refuses it"
    return draft.outcome(f"{giver.name} {said}.")


def titles_before(facts: StoreView, movement: str, pieces: Sequence[Piece]) -> list[tuple[Piece, dict[str, object]]]:
    """Return, for pieces that a movement gave, the title they had before it: owner, supplier, state.

    Where they lie is for the caller to say: they come back to a site of whoever gets them, not to the house that stored
    them before. What the report says of them now (carbon intensity) stays as it is. Serials that came in on a document
    go back to who wrote it, whoever had them before as far as this book knew.
    """
    found: list[tuple[Piece, dict[str, object]]] = []
    for piece, parent in with_parents(pieces, facts.parents(movement)):
        seller = piece.lot.supplier
        outside = {"owner": seller, "supplier": "", "state": LotState.HELD}
        names = ("owner", "supplier", "state")
        known = parent if parent and parent.owner == seller else None
        found.append((piece, {name: getattr(known, name) for name in names} if known else dict(outside)))
    return found


@event("move", title="Move between sites", verb="Move")
class MoveEvent(Choosing):
    """A move between two sites of one entity: a linked pair, no change of title (interpretation 49)."""

    giving: ClassVar[frozenset[LotState]] = STOCK
    while_suspended: ClassVar[bool] = True
    entity: Name = field("Entity", help="Whose sites.", party=Party.ENTERS)
    to_site: Name = field("To site", help="Where it goes.", choices="sites")


def decide_move(facts: StoreView, request: MoveEvent) -> Decision:
    """Move claims to another site of the same entity."""
    entity = entity_of(facts, request.entity)
    site, to = site_of(facts, entity, request.site), site_of(facts, entity, request.to_site)
    require(site != to, Status.PARTIES_ARE_ONE, "Both sites are the same.")
    check_choosing(request)
    period = open_period(facts, entity, request.day)
    choice = choose(facts, entity.id, request, period, (entity.id, site))
    draft = MovementDraft(request)
    draft.move(choice.pieces, custodian=entity.id, site=to)
    shown = show_amount(choice.amount, unit_of(request.of_form))
    return draft.outcome(f"{shown} of {request.of_form} from {site} to {to}.", facts=matched(choice))
