"""Returns: crop or product goes back to whom it came from, dated today (interpretation 48)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from provender.custody.events import rules
from provender.custody.events import trade as trade_rules
from provender.custody.events.allocation import check_origins, check_pieces, pieces_at, stands, take
from provender.custody.events.closing import CloseSiteEvent, ProcessEvent, TruedUp, closure_of
from provender.custody.events.farm_trade import AssignEvent, Pending, PendingEvent, PurchaseEvent, SlipEvent
from provender.custody.events.outside import ENDING, DocumentEvent
from provender.custody.events.plant import CampaignTotals, check_campaign, check_less, claimed_by
from provender.custody.events.reports import Notice, NoticeKind
from provender.custody.model.balances import slips_to_others
from provender.custody.model.entities import Entity, Period, SiteClosure, period_of
from provender.custody.model.event import Event, Party, Range, Record, Refusal, RestsOn, Status, event
from provender.custody.model.grain import tickets_behind
from provender.custody.model.lots import (
    LIVE,
    STOCK,
    Lot,
    LotState,
    Origin,
    OriginKind,
    Piece,
    ReportStanding,
    Slip,
    joined,
    length,
    overlaps,
    part,
    show_amount,
    subtract_spans,
    unit_of,
    with_parents,
)
from provender.custody.model.store_view import Decision, Posted, StoreView, root_of, taken_back_by
from provender.exact import Amount, show
from provender.problem import counted, listed
from provender.schema import Name, Signed, Text, field


@event("return", RestsOn.CONSENT, title="Return to the seller", verb="Return", correctable=True)
class ReturnEvent(Event):
    """The buyer gives back crop or product of a purchase or sale: all it still has of it, or the lots named.

    Serials that it sold and has again from somebody else go back to that one, by that purchase or sale.
    What it has not accepted yet may be given back too: a part of a sale that a buyer with a book elsewhere refuses.
    """

    giver: Name = field("Buyer, who gives it back", help="The buyer, who gives back.", party=Party.ENTERS)
    taker: Name = field(
        "Seller, who gets it back", help="The seller, who gets it back.", party=Party.CHANGES, choices="traders"
    )
    movement: Text = field("Movement", help="The purchase or sale.")
    amount: Amount = field(
        "Amount",
        unit="bu or lb",
        help=("How much, in the unit of the form; 0 for all that the buyer still has."),
        default=0,
    )
    lots: tuple[Range, ...] = field(
        "Lots named", help="Which serials; left out, the lowest up to `amount`.", folded=True, default=()
    )
    site: Name = field("Site", help="Where it comes back to.", choices="sites", default="")
    reason: Text = field("Reason", help="In words.", default="")
    paper: Signed = field("Paper", help=trade_rules.PAPER_HELP, asked=False, default="")


def moved_by(store: StoreView, movement: str) -> list[Lot]:
    """Return the lots that a movement changed hands or form of, without the rests it only split."""
    return [lot for lot in store.lots_by(movement) if lot.by == movement]


def decide_return(store: StoreView, event: ReturnEvent) -> Decision:
    """Move crop or product back to whom it came from; both books carry the day of the return."""
    giver, taker = rules.entity_of(store, event.giver), rules.entity_of(store, event.taker)
    rules.require(giver.id != taker.id, Status.PARTIES_ARE_ONE)
    posted = store.posted(event.movement)
    if _is_link(store, event, posted):
        return _link(store, event, rules.home_of(store, taker, event.site))
    if not event.paper:
        rules.home_of(store, taker, event.site)
    if posted is None or posted.event.type not in rules.TRADES:
        raise Refusal(Status.RECORD_NOT_FOUND, f"There is no purchase or sale {event.movement!r}.")
    sale = posted.event
    parties = (getattr(sale, "giver", ""), getattr(sale, "taker", ""))
    rules.require(parties == (taker.id, giver.id), Status.PARTIES_DIFFER, f"{sale.id} is another's.")
    void = taken_back_by(store, posted)
    rules.require(not void, Status.ALREADY_ANSWERED, f"{sale.id} was taken back by {void}: nothing of it is left.")
    moved = moved_by(store, sale.id)
    form = moved[0].form
    if event.amount:
        rules.check_amounts((event.amount, unit_of(form)))
    rules.check_ranges(event.lots)
    if not trade_rules.is_elsewhere(store, giver.id) and any(
        lot.owner == giver.id and lot.state in STOCK
        for lot in [lot for one in moved for lot in store.lots_at(one.origin, one.start, one.stop)]
    ):
        rules.open_period(store, giver, event.day)
    rules.check_former(store, taker, event.day, sale)
    pieces = _returned(store, event, moved, form)
    agreed = trade_rules.consents(store, event, giver.id, taker.id, giver.id, sale, pieces)
    draft = rules.MovementDraft(event)
    back = trade_rules.titles_before(store, sale.id, pieces)
    today = dict.fromkeys(("acquired", "titled", "since"), event.day)
    marks = {"custodian": taker.id, "by": event.id, **today}
    marks["state"] = LotState.HELD if agreed else LotState.DISPUTED
    homes = trade_rules.homes_of(store, taker, event.site, sale.id if event.paper else "", pieces)
    placed = [(piece, {**title, **marks, "site": site}) for (piece, title), site in zip(back, homes, strict=True)]
    changed = trade_rules.as_told(event, placed)
    made = draft.alter_each(trade_rules.with_pounds_told(store, event, changed, {event.giver}))
    shown = show_amount(sum(lot.amount for lot in made), unit_of(form))
    if not agreed:
        return draft.outcome(f"{shown} of {form} are in dispute until {giver.name} has signed for them.")
    return draft.outcome(f"{shown} of {form} are {taker.name}'s again.")


_ANY: Final = STOCK | {LotState.IN_TRANSIT}
"""What a party whose book is elsewhere may have: what it took into stock this book need not know."""


def _is_link(store: StoreView, event: ReturnEvent, posted: Posted | None) -> bool:
    """Tell whether two others gave back between them what this book saw nothing of but the bushels."""
    between = bool(store.owner) and store.owner not in (event.giver, event.taker)
    sale = posted.event if posted else None
    known = (getattr(sale, "giver", ""), getattr(sale, "taker", "")) == (event.taker, event.giver)
    return between and bool(event.paper and event.lots) and not known


def _link(store: StoreView, event: ReturnEvent, site: str) -> Decision:
    """Take in from a signed paper between two others that bushels went back, by a trade that this book never saw."""
    rules.check_ranges(event.lots)
    pieces = pieces_at(store, event.lots)
    away = trade_rules.is_elsewhere(store, event.giver)
    rules.require(away, Status.PARTIES_DIFFER, f"The book of {event.giver} is here.")
    check_origins(store, pieces)
    for piece in pieces:
        check_pieces([piece], event.giver, event, form=piece.lot.form, states=_ANY)
    trade_rules.check_paper(store, event.paper, ({event.giver}, event.taker), event, event.movement, pieces)
    today = dict.fromkeys(("acquired", "titled", "since"), event.day)
    marks = {"owner": event.taker, "custodian": event.taker, "site": site, "supplier": "", "state": LotState.HELD}
    draft = rules.MovementDraft(event)
    changed = trade_rules.as_told(event, [(piece, {**marks, **today, "by": event.id}) for piece in pieces])
    draft.alter_each(trade_rules.with_pounds_told(store, event, changed, {event.giver}))
    return draft.outcome(f"{counted(len(pieces), 'lot')} went back to {event.taker}.")


def _other_trade(store: StoreView, event: ReturnEvent, piece: Piece) -> str:
    """Return the trade by which the giver has a piece now, where that is not the one to be taken back."""
    if piece.lot.owner != event.giver:
        return ""
    by = rules.trade_of(store, piece.lot)
    return "" if by == event.movement else by


def _returned(store: StoreView, event: ReturnEvent, moved: Sequence[Lot], form: str) -> list[Piece]:
    """Return the pieces that go back: those named, or what the buyer still has, lowest serials first."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for lot in moved:
        spans.setdefault(lot.origin, []).append((lot.start, lot.stop))
    if event.lots:
        pieces = pieces_at(store, event.lots)
        for one in event.lots:
            inside = any(start <= one.start and one.stop <= stop for start, stop in joined(spans.get(one.origin, [])))
            rules.require(inside, Status.OUTSIDE_MOVEMENT, f"{one.origin}.")
        for piece in pieces:
            other = piece.lot.owner == event.giver and piece.lot.supplier != event.taker
            rules.require(not other, Status.OUTSIDE_MOVEMENT, f"They came from {piece.lot.supplier} since.")
        for piece in pieces:
            by = _other_trade(store, event, piece)
            rules.require(not by, Status.OUTSIDE_MOVEMENT, f"They came by {by} since: name that.")
        check_origins(store, pieces)
        states = _ANY if trade_rules.is_elsewhere(store, event.giver) else STOCK
        waiting = all(trade_rules.is_in_transit(store, one.lot, event.movement) for one in pieces)
        check_pieces(pieces, event.giver, event, form=form, states=LIVE if waiting else states)
        have = sum(piece.amount for piece in pieces)
        rules.require(event.amount in (0, have), Status.EXCEEDS_STOCK, f"The lots named hold {show_amount(have, '')}.")
        return pieces
    everything = pieces_at(
        store, [Range(name, *span) for name, listed in sorted(spans.items()) for span in joined(listed)]
    )
    try:
        check_origins(store, everything)
    except Refusal as refused:
        raise Refusal(refused.status, f"{refused.detail} {_lots_to_name(store, event, everything)}".strip()) from None
    mine = [one for one in everything if (one.lot.owner, one.lot.supplier) == (event.giver, event.taker)]
    mine = [one for one in mine if one.lot.form == form and not _other_trade(store, event, one)]
    mine = [one for one in mine if one.lot.state in STOCK or trade_rules.is_in_transit(store, one.lot, event.movement)]
    rules.require(bool(mine), Status.NOT_HELD, rules.lot_location(everything[0].lot))
    ready = [one for one in mine if one.lot.since <= event.day]
    have, can = sum(one.amount for one in mine), sum(one.amount for one in ready)
    wanted = event.amount or have
    rules.require(can >= min(wanted, have), Status.NOT_HELD_YET, rules.lot_location(mine[0].lot))
    rules.require(wanted <= have, Status.EXCEEDS_STOCK, f"{show_amount(have, unit_of(form))} are left of it.")
    return take(ready, wanted)


def _lots_to_name(store: StoreView, event: ReturnEvent, pieces: Sequence[Piece]) -> str:
    """Say which lots of a sale may still go back, where the report behind some of it keeps the rest."""
    free = [
        f"{one.lot.origin} {show(one.start)} to {show(one.stop)}"
        for one in pieces
        if one.lot.owner == event.giver and one.lot.state in LIVE
        and ((origin := store.one(Origin, one.lot.origin)) is None or stands(origin, one.lot))
    ]  # fmt: skip
    return f"Name the lots that go back; these may: {listed(free, 10)}." if free else ""


# Corrections: a movement that should never have been entered is taken back by one more movement, dated today.
#
# A correction reaches only what is still where the movement put it, and says where the rest went. It can be taken back
# itself. Nothing is deleted, and a closed period stays as it was closed.

_ENDINGS: Final = frozenset({"release", "loss", "retire"})


@event("correct", RestsOn.CONSENT, title="Take an entry back", verb="Take it back", everyone=True, correctable=True)
class CorrectEvent(Event):
    """Takes a movement back as entered in error. To correct a correction, take that one back.

    All of it must still be where the movement put it: of a sale, in transit or as its buyer accepted it. When an answer
    is taken back, the sale is in transit again and its buyer answers anew. What was released, lost or retired in a
    period that is closed stays so.
    """

    entity: Name = field("Entity", help="Who corrects: a party of the movement.", party=Party.ENTERS)
    movement: Text = field("Entry to take back", help="The event taken back.")
    reason: Text = field("Reason", help="In words.")
    accepted: bool = field(
        "Accepted by the buyer",
        help="The buyer had taken it into its stock, though this book shows it on its way: then both must agree.",
        folded=True,
        default=False,
    )
    paper: Signed = field("Paper", help=trade_rules.PAPER_HELP, asked=False, default="")


def decide_correct(store: StoreView, event: CorrectEvent) -> Decision:
    """Restore what a movement took, as far as everything is still where it put it."""
    rules.entity_of(store, event.entity)
    posted = store.posted(event.movement)
    if posted is None:
        raise Refusal(Status.RECORD_NOT_FOUND, f"There is no event {event.movement!r}.")
    root = root_of(store, posted)
    rules.require(event.entity in root.event.principals(), Status.PARTIES_DIFFER, f"{root.event.id} is another's.")
    kind = posted.event.type
    rules.require(posted.event.correctable, Status.NOT_CORRECTABLE, f"{posted.event.id} is of type {kind}.")
    by = f"{posted.corrected_by} took it back."
    rules.require(not posted.corrected_by, Status.ALREADY_ANSWERED, by)
    moved = moved_by(store, posted.event.id)
    now = [part(lot, one.start, one.stop) for one in moved for lot in store.lots_at(one.origin, one.start, one.stop)]
    undone = _depth(store, posted) % 2 == 0
    beside = _records_with_lots(store, root, now, event.day, undone=undone)
    _check_periods(store, event, root, [*store.parents(posted.event.id), *(piece.lot for piece in now)])
    _check_revived(store, now)
    for piece in now:
        rules.require(_untouched(store, piece.lot, posted), Status.NOT_HELD, rules.lot_location(piece.lot))
    for piece in now:
        rules.require(piece.lot.since <= event.day, Status.NOT_HELD_YET, rules.lot_location(piece.lot))
    restored = _restored(store, event, posted, now)
    if isinstance(root.event, ProcessEvent) and now:
        back = sum(int(str(change.get("product", 0))) for _, change in restored)
        product = sum(piece.product for piece in now) if undone else back
        beside.append(_campaign(store, root.event, product, undone=undone))
    changed, without = _with_consent(store, event, restored)
    draft = rules.MovementDraft(event)
    draft.alter_each(changed)
    draft.state(*beside)
    more = f" The bushels are in dispute until {' and '.join(without)} agrees." if without else ""
    name = root.event.id
    gone = [one for one in tickets_behind(store, name) if one.void or one.claim not in ("", name)]
    if gone and not undone:
        tickets = "; ".join(
            f"{one.number} of {one.site} {'is void' if one.void else f'stands behind {one.claim}'}" for one in gone
        )
        more += f" {root.event.id} stands again without all its tickets: {tickets}."
    return draft.outcome(f"{posted.event.id} is taken back.{more}", corrected=posted.event.id)


def _with_consent(
    store: StoreView, event: CorrectEvent, restored: list[tuple[Piece, dict[str, object]]]
) -> tuple[list[trade_rules.Changed], list[str]]:
    """Put in dispute what a correction takes out of the stock of somebody who does not agree; return also who that is.

    What is still on its way nobody has accepted: its seller may take it back alone (interpretation 78).
    """
    taken = [
        piece
        for piece, change in restored
        if change.get("state") in STOCK
        and (piece.lot.state in STOCK or (event.accepted and piece.lot.state is LotState.IN_TRANSIT))
        and change.get("owner") != piece.lot.owner
    ]
    trade = trade_rules.trade_behind(store, _posted_or_refuse(store, event.movement)).event
    between: dict[tuple[str, str], list[Piece]] = {}
    for piece, change in restored:
        if piece in taken:
            between.setdefault((piece.lot.owner, str(change["owner"])), []).append(piece)
    without = sorted(
        {
            holder
            for (holder, gets), pieces in between.items()
            if not trade_rules.consents(store, event, holder, gets, event.entity, trade, pieces)
        }
    )
    found: list[trade_rules.Changed] = []
    for piece, change in restored:
        doubtful = piece in taken and piece.lot.owner in without and change.get("state") in LIVE
        after = {**change, "state": LotState.DISPUTED} if doubtful else change
        told = piece in taken or trade_rules.shows(store, event, piece, str(change["owner"]), trade)
        found.extend(trade_rules.as_told(event, [(piece, after)]) if told else [(piece, after)])
    return found, without


def _depth(store: StoreView, posted: Posted) -> int:
    """Return how many corrections deep an event is: 0 for a movement, 1 for its correction, ..."""
    depth = 0
    while isinstance(posted.event, CorrectEvent):
        depth += 1
        posted = _posted_or_refuse(store, posted.event.movement)
    return depth


def _posted_or_refuse(store: StoreView, name: str) -> Posted:
    found = store.posted(name)
    if found is None:
        raise Refusal(Status.RECORD_NOT_FOUND, f"There is no event {name!r}.")
    return found


def _check_periods(store: StoreView, event: CorrectEvent, root: Posted, lots: Sequence[Lot]) -> None:
    """Refuse a correction dated in a closed period, or one that revives claims ended in a closed period.

    A claim given up cannot come back after the close: the grain has gone on without it (interpretation 37).
    """
    # What is in transit is in nobody's stock: a buyer whose book is elsewhere has no period here.
    for name in sorted({lot.owner for lot in lots if lot.state in STOCK}):
        holder = store.one(Entity, name)
        # A party that declared no period here keeps its book elsewhere, where its periods are.
        if holder is not None and store.many(Period, name):
            rules.open_period(store, holder, event.day)
    if root.event.type in _ENDINGS:
        owner = getattr(root.event, "entity", "")
        period = period_of(store.many(Period, owner), root.event.day)
        rules.require(period is None or period.closed is None, Status.PERIOD_CLOSED, "What ended in it stays ended.")


def _check_revived(store: StoreView, now: Sequence[Piece]) -> None:
    """Refuse to bring claims back that ended before their report lost them: a shortfall would become a claim again.

    Raises:
        Refusal: REPORT_WITHDRAWN, where the report was withdrawn, has no bushels left for them, or whoever gave them
            told of a change that ended them (interpretation 35).
    """
    ended = [piece for piece in now if piece.lot.state not in LIVE]
    for name in dict.fromkeys(piece.lot.origin for piece in ended):
        origin = store.one(Origin, name)
        mine = [piece for piece in ended if piece.lot.origin == name]
        if origin is None:
            continue
        said = f"{name}: these bushels left the report after their claims had ended."
        rules.require(origin.standing is not ReportStanding.WITHDRAWN, Status.REPORT_WITHDRAWN, said)
        told = [
            (one.start, one.stop)
            for owner in {piece.lot.owner for piece in mine}
            for one in store.many(Notice, owner)
            if one.origin == name and one.reason is NoticeKind.SHORTFALL and one.change in ENDING
        ]
        spans = [(piece.start, piece.stop) for piece in mine]
        rules.require(length(subtract_spans(spans, told)) == length(spans), Status.REPORT_WITHDRAWN, said)
        if origin.source is OriginKind.REPORT:
            lots = store.lots_at(name, *origin.span)
            standing = sum(lot.crop_amount for lot in lots if lot.state in LIVE or lot.state is LotState.RETIRED)
            more = sum(piece.crop_amount for piece in mine if piece.lot.state is not LotState.RETIRED)
            rules.require(standing + more <= origin.current.bushels, Status.REPORT_WITHDRAWN, said)


def _untouched(store: StoreView, lot: Lot, posted: Posted) -> bool:
    """Tell whether a lot is as the movement left it, as its buyer accepted it, or on its way again unanswered."""
    if lot.by == posted.event.id or trade_rules.is_in_transit(store, lot, posted.event.id):
        return True
    later = store.posted(lot.by)
    accepted = later is not None and later.event.type == "accept"
    return accepted and getattr(later.event if later else None, "movement", "") == posted.event.id


def _restored(
    store: StoreView, event: CorrectEvent, posted: Posted, now: Sequence[Piece]
) -> list[tuple[Piece, dict[str, object]]]:
    """Return each piece with the title, place and form it had before the movement.

    Its carbon intensity stays, except of a claim that had ended and lives again: a worse one that came while it was
    ended reaches it now (interpretation 35). Pounds and yield come back with the form. Where the form is the same they
    stay: a true-up may have changed both.
    """
    changes: list[tuple[Piece, dict[str, object]]] = []
    for piece, parent in with_parents(now, store.parents(posted.event.id)):
        if parent is None:
            # It came on a document, whose writer has it again as far as this book can say.
            seller, day = piece.lot.supplier, event.day
            again = {"owner": seller, "custodian": seller, "site": "", "supplier": "", "state": LotState.HELD}
            changes.append((piece, {**again, "acquired": day, "titled": day, "by": event.id, "since": day}))
            continue
        names = ("owner", "custodian", "site", "supplier", "state", "acquired", "titled")
        title: dict[str, object] = {name: getattr(parent, name) for name in names}
        if parent.form != piece.lot.form:
            title |= {name: getattr(parent, name) for name in ("form", "rate", "batch")}
            title["product"] = part(parent, piece.start, piece.stop).product
        if piece.lot.state not in LIVE and parent.state in LIVE:
            origin = store.one(Origin, parent.origin)
            title["ci"] = origin.worst_since(part(parent, piece.start, piece.stop)) if origin else piece.lot.ci
        changes.append((piece, {**title, "by": event.id, "since": event.day}))
    return changes


def _records_with_lots(
    store: StoreView, root: Posted, now: Sequence[Piece], day: date, *, undone: bool
) -> list[Record]:
    """Return the records that go with the lots: slips, pending purchases, tickets."""
    event = root.event
    found: list[Record] = []
    if isinstance(event, SlipEvent):
        slip = store.one(Slip, event.id)
        rules.require(
            slip is not None and bool(slip.open_spans) and undone, Status.ALREADY_ANSWERED, "The slip is used up."
        )
        found.append(replace(_slip(store, event.id), open_spans=()))
    if isinstance(event, DocumentEvent):
        found.extend(_slips_behind(store, event, undone=undone))
    if isinstance(event, PurchaseEvent | AssignEvent):
        spans = [(piece.start, piece.stop) for piece in now]
        found.append(_with_spans(_slip(store, event.slip), spans, back=undone))
    if isinstance(event, AssignEvent):
        pending = store.one(Pending, event.pending)
        change = sum(piece.crop_amount for piece in now) * (1 if undone else -1)
        if pending is not None:
            found.append(replace(pending, left=pending.left + change))
    if isinstance(event, PendingEvent):
        pending = store.one(Pending, event.id)
        if pending is not None:
            free = pending.left == (pending.bushels if undone else 0)
            rules.require(free, Status.ALREADY_ANSWERED, "Some of it is assigned.")
            found.append(replace(pending, left=0 if undone else pending.bushels))
    if isinstance(event, ProcessEvent) and now and not undone:
        _check_redo(store, event)
    if isinstance(event, CloseSiteEvent):
        other = None if undone else rules.closed_sites(store, event.entity).get(event.site)
        rules.require(other is None, Status.ALREADY_ANSWERED, f"{other.by} closed {event.site} since." if other else "")
        closing = SiteClosure(event.entity, event.site, None, event.id)
        # A closing that comes back on its day or later is for a coming day no longer: nothing may lie there.
        again = replace(event, ahead=event.ahead and day < event.day)
        found.append(closing if undone else closure_of(store, again))
    tickets = (one for one in tickets_behind(store, event.id) if one.claim in ("", event.id))
    found.extend(replace(one, claim="" if undone else event.id) for one in tickets)
    return found


def _slips_behind(store: StoreView, event: DocumentEvent, *, undone: bool) -> Iterator[Slip]:
    """Yield the farms' slips by which a document took serials from them, with these open again, or used up anew."""
    farms = [lot for lot in store.parents(event.id) if lot.owner != event.giver]
    for name in dict.fromkeys(line.origin for line in event.lines):
        lines = [(line.start, line.start + line.bushels) for line in event.lines if line.origin == name]
        spans = overlaps(((lot.start, lot.stop) for lot in farms if lot.origin == name), lines)
        for slip in slips_to_others(store, name) if spans else ():
            mine = overlaps(slip.spans, spans)
            left = joined([*slip.open_spans, *mine]) if undone else subtract_spans(slip.open_spans, mine)
            if tuple(left) != slip.open_spans:
                yield replace(slip, open_spans=tuple(left))


def _slip(store: StoreView, name: str) -> Slip:
    slip = store.one(Slip, name)
    if slip is None:
        raise Refusal(Status.RECORD_NOT_FOUND, f"There is no slip {name!r}.")
    return slip


def _with_spans(slip: Slip, spans: Sequence[tuple[int, int]], *, back: bool) -> Slip:
    """Give spans back to a slip, or take them out again."""
    if back:
        return replace(slip, open_spans=tuple(joined([*slip.open_spans, *spans])))
    left = subtract_spans(slip.open_spans, spans)
    if length(slip.open_spans) - length(left) != length(joined(spans)):
        raise Refusal(Status.ALREADY_ANSWERED, f"Slip {slip.id} has assigned them anew.")
    return replace(slip, open_spans=tuple(left))


def _check_redo(store: StoreView, event: ProcessEvent) -> None:
    """Refuse to bring back a processing whose campaign is trued up: its claims may stand at the provisional yield."""
    batch = moved_by(store, event.id)[0].batch
    trued = store.one(TruedUp, f"{batch}/{event.entity}") is not None
    rules.require(not trued, Status.ALREADY_ANSWERED, f"{batch} is trued up: enter the processing anew.")


def _campaign(store: StoreView, event: ProcessEvent, product: int, *, undone: bool) -> CampaignTotals:
    """Take a processing out of its campaign's totals, or put it in again.

    ``product`` is what its claims stand for now, which a true-up may have changed; what comes back must fit in as a new
    one.

    Raises:
        Refusal: claims would lie (further) above the actual product times the share of their crop (interpretation 41).
    """
    before = {lot.id: lot for lot in store.parents(event.id)}
    moved = moved_by(store, event.id)
    used = sum(part(before[lot.parent], lot.start, lot.stop).amount for lot in moved)
    claimed = claimed_by(store, moved[0].batch, event.entity)
    sign = -1 if undone else 1
    after = replace(claimed, used=claimed.used + sign * used, made=claimed.made + sign * product)
    if undone:
        check_less(store, claimed, after)
    else:
        check_campaign(store, after)
    return after
