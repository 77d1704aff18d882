"""Disputes: bushels that one party took back in another's name, until the other agrees (interpretation 78)."""

from provender.custody.events.consent import (
    PAPER_HELP,
    as_told,
    check_paper,
    number_of,
    verifiers_of,
    with_pounds_told,
)
from provender.custody.events.rules import MovementDraft, entity_of, open_period, require
from provender.custody.events.statement import verified
from provender.custody.model.amounts import show_amount, unit_of
from provender.custody.model.entities import Entity
from provender.custody.model.event import Event, Party, event
from provender.custody.model.lots import Lot, LotState, Piece, part, with_parents
from provender.custody.model.periods import Period
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import Decision, Posted, StoreView, root_of
from provender.plain import field
from provender.wire import Name, Signed, Text


@event("settle", title="Settle a dispute", verb="Agree", everyone=True)
class SettleEvent(Event):
    """Ends a dispute: the other party agrees that the bushels went back.

    In a book of its own a party names the other's signed paper, or one of its verifier, who looked at the evidence.
    Without either they are released without claim, or the act itself is taken back.
    """

    entity: Name = field("Entity", help="Who agrees: the party that had the bushels.", party=Party.ENTERS)
    movement: Text = field("Act in dispute", help="The return, refusal or correction.")
    paper: Signed = field("Paper", help=PAPER_HELP, asked=False, default="")


def disputed(facts: StoreView, act: str) -> list[Lot]:
    """Return what is in dispute since an act."""
    spans = [(lot.origin, lot.start, lot.stop) for lot in facts.lots_by(act) if lot.by == act]
    now = (lot for span in spans for lot in facts.lots_at(*span))
    return list({lot.id: lot for lot in now if lot.by == act and lot.state is LotState.DISPUTED}.values())


def trade_behind(facts: StoreView, act: Posted) -> Posted:
    """Return the trade that a return, a refusal or a correction is about."""
    posted = root_of(facts, act)
    while (name := getattr(posted.request, "movement", "")) and (below := facts.posted(name)):
        posted = below
    return posted


def decide_settle(facts: StoreView, request: SettleEvent) -> Decision:
    """Put what was in dispute into the stock of the one who has it, dated today."""
    entity_of(facts, request.entity)
    act = facts.posted(request.movement)
    if act is None:
        raise Refusal(Status.RECORD_NOT_FOUND, f"There is no event {request.movement!r}.")
    lots = disputed(facts, act.request.id)
    require(bool(lots), Status.ALREADY_ANSWERED, f"Nothing of {act.request.id} is in dispute.")
    pieces = with_parents([part(lot, lot.start, lot.stop) for lot in lots], facts.parents(act.request.id))
    _check_agreed(facts, request, act, pieces)
    for name in sorted({lot.owner for lot in lots}):
        holder = facts.one(Entity, name)
        if holder is not None and facts.many(Period, name):
            open_period(facts, holder, request.day)
    for lot in lots:
        require(lot.since <= request.day, Status.NOT_HELD_YET, f"It is in dispute since {lot.since}.")
    draft = MovementDraft(request)
    marks = {"by": request.id, "since": request.day, "acquired": request.day}
    changed = [(part(lot, lot.start, lot.stop), {**marks, "state": _state(facts, lot)}) for lot in lots]
    holders = {_holder(*each) for each in pieces}
    made = draft.alter_each(with_pounds_told(facts, request, as_told(request, changed), holders))
    shown = show_amount(sum(lot.amount for lot in made), unit_of(lots[0].form))
    return draft.outcome(f"{shown} of {lots[0].form} are no longer in dispute.")


def _check_agreed(facts: StoreView, request: SettleEvent, act: Posted, pieces: list[tuple[Piece, Lot | None]]) -> None:
    trade = trade_behind(facts, act).request
    for holder in sorted({_holder(*each) for each in pieces}):
        mine = [piece for piece, parent in pieces if _holder(piece, parent) == holder]
        if request.paper:
            gets = mine[0].lot.owner
            signers = {holder, *verifiers_of(facts, gets, {piece.lot.crop for piece in mine})}
            check_paper(facts, request.paper, (signers, gets), request, number_of(trade), mine)
        else:
            said = f"{holder} has not agreed that {number_of(trade)} went back."
            require(holder == (facts.owner or request.entity), Status.PAPER_NOT_SHOWN, said)


def _holder(piece: Piece, parent: Lot | None) -> str:
    """Return who had a piece before it came into dispute."""
    return parent.owner if parent else piece.lot.supplier


def _state(facts: StoreView, lot: Lot) -> LotState:
    supplier = facts.one(Entity, lot.supplier) if lot.supplier else None
    sure = supplier is None or not supplier.keeps_balance or verified(facts, supplier, lot.titled, lot.crop)
    return LotState.HELD if sure else LotState.UNVERIFIED
