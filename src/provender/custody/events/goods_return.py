"""Returns: crop or product goes back to whom it came from, dated today (interpretation 48)."""

from collections.abc import Sequence
from typing import Final

from provender.custody.events.allocation import check_origins, check_pieces, pieces_at, take
from provender.custody.events.consent import PAPER_HELP, as_told, check_paper, consents, is_elsewhere, with_pounds_told
from provender.custody.events.rules import (
    MovementDraft,
    check_amounts,
    check_former,
    check_ranges,
    entity_of,
    home_of,
    lot_location,
    open_period,
    require,
)
from provender.custody.events.sale import is_in_transit, titles_before
from provender.custody.events.titles import TRADES, trade_of
from provender.custody.model.amounts import counted, show_amount, unit_of
from provender.custody.model.event import Event, Party, Range, event
from provender.custody.model.lots import LIVE, STOCK, Lot, LotState, Piece, joined
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import Decision, Posted, StoreView, taken_back_by
from provender.plain import field
from provender.quantity import Amount
from provender.wire import Name, Signed, Text


@event("return", title="Return to the seller", verb="Return")
class ReturnEvent(Event):
    """The buyer gives back crop or product of a purchase or sale: all it still has of it, or the lots named.

    Serials that it sold and has again from somebody else go back to that one, by that purchase or sale.
    What it has not accepted yet may be given back too: a part of a sale that a buyer with a book elsewhere refuses.
    """

    giver: Name = field("Buyer, who gives it back", help="The buyer, who gives back.", party=Party.ENTERS)
    taker: Name = field(
        "Seller, who gets it back", help="The seller, who gets it back.", party=Party.CHANGES, choices="partners"
    )
    movement: Text = field("Movement", help="The purchase or sale.")
    amount: Amount = field(
        "Amount",
        unit="bu or lb",
        help=("How much, in the unit of the form; 0 for all that the buyer still has."),
        default=0,
    )
    lots: tuple[Range, ...] = field(
        "Lots named",
        help="Which serials; left out, the lowest up to `amount`.",
        folded=True,
        default=(),
    )
    site: Name = field("Site", help="Where it comes back to.", choices="sites", default="")
    reason: Text = field("Reason", help="In words.", default="")
    paper: Signed = field("Paper", help=PAPER_HELP, asked=False, default="")


def moved_by(facts: StoreView, movement: str) -> list[Lot]:
    """Return the lots that a movement changed hands or form of, without the rests it only split."""
    return [lot for lot in facts.lots_by(movement) if lot.by == movement]


def decide_return(facts: StoreView, request: ReturnEvent) -> Decision:
    """Move crop or product back to whom it came from; both books carry the day of the return."""
    giver, taker = entity_of(facts, request.giver), entity_of(facts, request.taker)
    require(giver.id != taker.id, Status.PARTIES_ARE_ONE)
    site = home_of(facts, taker, request.site)
    posted = facts.posted(request.movement)
    if _is_link(facts, request, posted):
        return _link(facts, request, site)
    if posted is None or posted.request.type not in TRADES:
        raise Refusal(Status.RECORD_NOT_FOUND, f"There is no purchase or sale {request.movement!r}.")
    sale = posted.request
    parties = (getattr(sale, "giver", ""), getattr(sale, "taker", ""))
    require(parties == (taker.id, giver.id), Status.PARTIES_DIFFER, f"{sale.id} is another's.")
    void = taken_back_by(facts, posted)
    require(not void, Status.ALREADY_ANSWERED, f"{sale.id} was taken back by {void}: nothing of it is left.")
    moved = moved_by(facts, sale.id)
    form = moved[0].form
    if request.amount:
        check_amounts((request.amount, unit_of(form)))
    check_ranges(request.lots)
    if not is_elsewhere(facts, giver.id) and any(
        lot.owner == giver.id and lot.state in STOCK for lot in _now(facts, moved)
    ):
        open_period(facts, giver, request.day)
    check_former(facts, taker, request.day, sale)
    pieces = _returned(facts, request, moved, form)
    agreed = consents(facts, request, giver.id, taker.id, giver.id, sale, pieces)
    draft = MovementDraft(request)
    back = titles_before(facts, sale.id, pieces)
    today = dict.fromkeys(("acquired", "titled", "since"), request.day)
    marks = {"custodian": taker.id, "site": site, "by": request.id, **today}
    marks["state"] = LotState.HELD if agreed else LotState.DISPUTED
    changed = as_told(request, [(piece, {**title, **marks}) for piece, title in back])
    made = draft.alter_each(with_pounds_told(facts, request, changed, {request.giver}))
    shown = show_amount(sum(lot.amount for lot in made), unit_of(form))
    if not agreed:
        return draft.outcome(f"{shown} of {form} are in dispute until {giver.name} has signed for them.")
    return draft.outcome(f"{shown} of {form} are {taker.name}'s again.")


_ANY: Final = STOCK | {LotState.IN_TRANSIT}
"""What a house whose book is elsewhere may have: what it took into stock this book need not know."""


def _is_link(facts: StoreView, request: ReturnEvent, posted: Posted | None) -> bool:
    """Tell whether two others gave back between them what this book saw nothing of but the bushels."""
    between = bool(facts.owner) and facts.owner not in (request.giver, request.taker)
    sale = posted.request if posted else None
    known = (getattr(sale, "giver", ""), getattr(sale, "taker", "")) == (request.taker, request.giver)
    return between and bool(request.paper and request.lots) and not known


def _link(facts: StoreView, request: ReturnEvent, site: str) -> Decision:
    """Take in from a signed paper between two others that bushels went back, by a trade that this book never saw."""
    check_ranges(request.lots)
    pieces = pieces_at(facts, request.lots)
    away = is_elsewhere(facts, request.giver)
    require(away, Status.PARTIES_DIFFER, f"The book of {request.giver} is here.")
    check_origins(facts, pieces)
    for piece in pieces:
        check_pieces([piece], request.giver, request, form=piece.lot.form, states=_ANY)
    check_paper(facts, request.paper, ({request.giver}, request.taker), request, request.movement, pieces)
    today = dict.fromkeys(("acquired", "titled", "since"), request.day)
    marks = {"owner": request.taker, "custodian": request.taker, "site": site, "supplier": "", "state": LotState.HELD}
    draft = MovementDraft(request)
    changed = as_told(request, [(piece, {**marks, **today, "by": request.id}) for piece in pieces])
    draft.alter_each(with_pounds_told(facts, request, changed, {request.giver}))
    return draft.outcome(f"{counted(len(pieces), 'lot')} went back to {request.taker}.")


def _other_trade(facts: StoreView, request: ReturnEvent, piece: Piece) -> str:
    """Return the trade by which the giver has a piece now, where that is not the one to be taken back."""
    if piece.lot.owner != request.giver:
        return ""
    by = trade_of(facts, piece.lot)
    return "" if by == request.movement else by


def _now(facts: StoreView, moved: Sequence[Lot]) -> list[Lot]:
    return [lot for one in moved for lot in facts.lots_at(one.origin, one.start, one.stop)]


def _returned(facts: StoreView, request: ReturnEvent, moved: Sequence[Lot], form: str) -> list[Piece]:
    """Return the pieces that go back: those named, or what the buyer still has, lowest serials first."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for lot in moved:
        spans.setdefault(lot.origin, []).append((lot.start, lot.stop))
    if request.lots:
        pieces = pieces_at(facts, request.lots)
        for one in request.lots:
            inside = any(start <= one.start and one.stop <= stop for start, stop in joined(spans.get(one.origin, [])))
            require(inside, Status.OUTSIDE_MOVEMENT, f"{one.origin}.")
        for piece in pieces:
            other = piece.lot.owner == request.giver and piece.lot.supplier != request.taker
            require(not other, Status.OUTSIDE_MOVEMENT, f"They came from {piece.lot.supplier} since.")
        for piece in pieces:
            by = _other_trade(facts, request, piece)
            require(not by, Status.OUTSIDE_MOVEMENT, f"They came by {by} since: name that.")
        check_origins(facts, pieces)
        states = _ANY if is_elsewhere(facts, request.giver) else STOCK
        waiting = all(is_in_transit(facts, one.lot, request.movement) for one in pieces)
        check_pieces(pieces, request.giver, request, form=form, states=LIVE if waiting else states)
        have = sum(piece.amount for piece in pieces)
        require(request.amount in (0, have), Status.EXCEEDS_STOCK, f"The lots named hold {show_amount(have, '')}.")
        return pieces
    everything = pieces_at(
        facts, [Range(name, *span) for name, listed in sorted(spans.items()) for span in joined(listed)]
    )
    check_origins(facts, everything)
    mine = [one for one in everything if (one.lot.owner, one.lot.supplier) == (request.giver, request.taker)]
    mine = [one for one in mine if one.lot.form == form and not _other_trade(facts, request, one)]
    mine = [one for one in mine if one.lot.state in STOCK or is_in_transit(facts, one.lot, request.movement)]
    require(bool(mine), Status.NOT_HELD, lot_location(everything[0].lot))
    ready = [one for one in mine if one.lot.since <= request.day]
    have, can = sum(one.amount for one in mine), sum(one.amount for one in ready)
    wanted = request.amount or have
    require(can >= min(wanted, have), Status.NOT_HELD_YET, lot_location(mine[0].lot))
    require(wanted <= have, Status.EXCEEDS_STOCK, f"{show_amount(have, unit_of(form))} are left of it.")
    return take(ready, wanted)
