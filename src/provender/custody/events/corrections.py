"""Returns: crop or product goes back to whom it came from, dated today (interpretation 48)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from provender.custody.events import rules
from provender.custody.events.allocation import check_origins, check_pieces, pieces_at, stands, take
from provender.custody.events.closing import CloseSiteEvent, closure_of
from provender.custody.events.farm_trade import AssignEvent, Pending, PendingEvent, PurchaseEvent, SlipEvent
from provender.custody.events.outside import ENDING, DocumentEvent
from provender.custody.events.plant import CampaignTotals, check_campaign, check_less, claimed_by
from provender.custody.events.processing import ProcessEvent, TruedUp
from provender.custody.events.reports import Notice, NoticeKind
from provender.custody.events.trade import (
    PAPER_HELP,
    Changed,
    as_told,
    check_paper,
    consents,
    homes_of,
    is_elsewhere,
    is_in_transit,
    shows,
    titles_before,
    trade_behind,
    with_pounds_told,
)
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
    paper: Signed = field("Paper", help=PAPER_HELP, asked=False, default="")


def moved_by(facts: StoreView, movement: str) -> list[Lot]:
    """Return the lots that a movement changed hands or form of, without the rests it only split."""
    return [lot for lot in facts.lots_by(movement) if lot.by == movement]


def decide_return(facts: StoreView, request: ReturnEvent) -> Decision:
    """Move crop or product back to whom it came from; both books carry the day of the return."""
    giver, taker = rules.entity_of(facts, request.giver), rules.entity_of(facts, request.taker)
    rules.require(giver.id != taker.id, Status.PARTIES_ARE_ONE)
    posted = facts.posted(request.movement)
    if _is_link(facts, request, posted):
        return _link(facts, request, rules.home_of(facts, taker, request.site))
    if not request.paper:
        rules.home_of(facts, taker, request.site)
    if posted is None or posted.request.type not in rules.TRADES:
        raise Refusal(Status.RECORD_NOT_FOUND, f"There is no purchase or sale {request.movement!r}.")
    sale = posted.request
    parties = (getattr(sale, "giver", ""), getattr(sale, "taker", ""))
    rules.require(parties == (taker.id, giver.id), Status.PARTIES_DIFFER, f"{sale.id} is another's.")
    void = taken_back_by(facts, posted)
    rules.require(not void, Status.ALREADY_ANSWERED, f"{sale.id} was taken back by {void}: nothing of it is left.")
    moved = moved_by(facts, sale.id)
    form = moved[0].form
    if request.amount:
        rules.check_amounts((request.amount, unit_of(form)))
    rules.check_ranges(request.lots)
    if not is_elsewhere(facts, giver.id) and any(
        lot.owner == giver.id and lot.state in STOCK
        for lot in [lot for one in moved for lot in facts.lots_at(one.origin, one.start, one.stop)]
    ):
        rules.open_period(facts, giver, request.day)
    rules.check_former(facts, taker, request.day, sale)
    pieces = _returned(facts, request, moved, form)
    agreed = consents(facts, request, giver.id, taker.id, giver.id, sale, pieces)
    draft = rules.MovementDraft(request)
    back = titles_before(facts, sale.id, pieces)
    today = dict.fromkeys(("acquired", "titled", "since"), request.day)
    marks = {"custodian": taker.id, "by": request.id, **today}
    marks["state"] = LotState.HELD if agreed else LotState.DISPUTED
    homes = homes_of(facts, taker, request.site, sale.id if request.paper else "", pieces)
    placed = [(piece, {**title, **marks, "site": site}) for (piece, title), site in zip(back, homes, strict=True)]
    changed = as_told(request, placed)
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
    rules.check_ranges(request.lots)
    pieces = pieces_at(facts, request.lots)
    away = is_elsewhere(facts, request.giver)
    rules.require(away, Status.PARTIES_DIFFER, f"The book of {request.giver} is here.")
    check_origins(facts, pieces)
    for piece in pieces:
        check_pieces([piece], request.giver, request, form=piece.lot.form, states=_ANY)
    check_paper(facts, request.paper, ({request.giver}, request.taker), request, request.movement, pieces)
    today = dict.fromkeys(("acquired", "titled", "since"), request.day)
    marks = {"owner": request.taker, "custodian": request.taker, "site": site, "supplier": "", "state": LotState.HELD}
    draft = rules.MovementDraft(request)
    changed = as_told(request, [(piece, {**marks, **today, "by": request.id}) for piece in pieces])
    draft.alter_each(with_pounds_told(facts, request, changed, {request.giver}))
    return draft.outcome(f"{counted(len(pieces), 'lot')} went back to {request.taker}.")


def _other_trade(facts: StoreView, request: ReturnEvent, piece: Piece) -> str:
    """Return the trade by which the giver has a piece now, where that is not the one to be taken back."""
    if piece.lot.owner != request.giver:
        return ""
    by = rules.trade_of(facts, piece.lot)
    return "" if by == request.movement else by


def _returned(facts: StoreView, request: ReturnEvent, moved: Sequence[Lot], form: str) -> list[Piece]:
    """Return the pieces that go back: those named, or what the buyer still has, lowest serials first."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for lot in moved:
        spans.setdefault(lot.origin, []).append((lot.start, lot.stop))
    if request.lots:
        pieces = pieces_at(facts, request.lots)
        for one in request.lots:
            inside = any(start <= one.start and one.stop <= stop for start, stop in joined(spans.get(one.origin, [])))
            rules.require(inside, Status.OUTSIDE_MOVEMENT, f"{one.origin}.")
        for piece in pieces:
            other = piece.lot.owner == request.giver and piece.lot.supplier != request.taker
            rules.require(not other, Status.OUTSIDE_MOVEMENT, f"They came from {piece.lot.supplier} since.")
        for piece in pieces:
            by = _other_trade(facts, request, piece)
            rules.require(not by, Status.OUTSIDE_MOVEMENT, f"They came by {by} since: name that.")
        check_origins(facts, pieces)
        states = _ANY if is_elsewhere(facts, request.giver) else STOCK
        waiting = all(is_in_transit(facts, one.lot, request.movement) for one in pieces)
        check_pieces(pieces, request.giver, request, form=form, states=LIVE if waiting else states)
        have = sum(piece.amount for piece in pieces)
        rules.require(
            request.amount in (0, have), Status.EXCEEDS_STOCK, f"The lots named hold {show_amount(have, '')}."
        )
        return pieces
    everything = pieces_at(
        facts, [Range(name, *span) for name, listed in sorted(spans.items()) for span in joined(listed)]
    )
    try:
        check_origins(facts, everything)
    except Refusal as refused:
        raise Refusal(refused.status, f"{refused.detail} {_others(facts, request, everything)}".strip()) from None
    mine = [one for one in everything if (one.lot.owner, one.lot.supplier) == (request.giver, request.taker)]
    mine = [one for one in mine if one.lot.form == form and not _other_trade(facts, request, one)]
    mine = [one for one in mine if one.lot.state in STOCK or is_in_transit(facts, one.lot, request.movement)]
    rules.require(bool(mine), Status.NOT_HELD, rules.lot_location(everything[0].lot))
    ready = [one for one in mine if one.lot.since <= request.day]
    have, can = sum(one.amount for one in mine), sum(one.amount for one in ready)
    wanted = request.amount or have
    rules.require(can >= min(wanted, have), Status.NOT_HELD_YET, rules.lot_location(mine[0].lot))
    rules.require(wanted <= have, Status.EXCEEDS_STOCK, f"{show_amount(have, unit_of(form))} are left of it.")
    return take(ready, wanted)


def _others(facts: StoreView, request: ReturnEvent, pieces: Sequence[Piece]) -> str:
    """Say which lots of a sale may still go back, where the report behind some of it keeps the rest."""
    free = [
        f"{one.lot.origin} {show(one.start)} to {show(one.stop)}"
        for one in pieces
        if one.lot.owner == request.giver and one.lot.state in LIVE
        and ((origin := facts.one(Origin, one.lot.origin)) is None or stands(origin, one.lot))
    ]  # fmt: skip
    return f"Name the lots that go back; these may: {listed(free, 10)}." if free else ""


# Corrections: a movement that should never have been entered is taken back by one more movement, dated today.
#
# A correction reaches only what is still where the movement put it, and says where the rest went. It can be taken back
# itself. Nothing is deleted, and a closed period stays as it was closed.

ENDINGS: Final = frozenset({"release", "loss", "retire"})


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
    paper: Signed = field("Paper", help=PAPER_HELP, asked=False, default="")


def decide_correct(facts: StoreView, request: CorrectEvent) -> Decision:
    """Restore what a movement took, as far as everything is still where it put it."""
    rules.entity_of(facts, request.entity)
    posted = facts.posted(request.movement)
    if posted is None:
        raise Refusal(Status.RECORD_NOT_FOUND, f"There is no event {request.movement!r}.")
    root = root_of(facts, posted)
    rules.require(
        request.entity in root.request.principals(), Status.PARTIES_DIFFER, f"{root.request.id} is another's."
    )
    kind = posted.request.type
    rules.require(posted.request.correctable, Status.NOT_CORRECTABLE, f"{posted.request.id} is a {kind}.")
    by = f"{posted.corrected_by} took it back."
    rules.require(not posted.corrected_by, Status.ALREADY_ANSWERED, by)
    moved = moved_by(facts, posted.request.id)
    now = [part(lot, one.start, one.stop) for one in moved for lot in facts.lots_at(one.origin, one.start, one.stop)]
    undone = _depth(facts, posted) % 2 == 0
    beside = _beside(facts, root, now, request.day, undone=undone)
    _check_periods(facts, request, root, [*facts.parents(posted.request.id), *(piece.lot for piece in now)])
    _check_revived(facts, now)
    for piece in now:
        rules.require(_untouched(facts, piece.lot, posted), Status.NOT_HELD, rules.lot_location(piece.lot))
    for piece in now:
        rules.require(piece.lot.since <= request.day, Status.NOT_HELD_YET, rules.lot_location(piece.lot))
    restored = _restored(facts, request, posted, now)
    if isinstance(root.request, ProcessEvent) and now:
        back = sum(int(str(change.get("product", 0))) for _, change in restored)
        product = sum(piece.product for piece in now) if undone else back
        beside.append(_campaign(facts, root.request, product, undone=undone))
    changed, without = _with_consent(facts, request, restored)
    draft = rules.MovementDraft(request)
    draft.alter_each(changed)
    draft.state(*beside)
    more = f" The bushels are in dispute until {' and '.join(without)} agrees." if without else ""
    name = root.request.id
    gone = [one for one in tickets_behind(facts, name) if one.void or one.claim not in ("", name)]
    if gone and not undone:
        tickets = "; ".join(
            f"{one.number} of {one.site} {'is void' if one.void else f'stands behind {one.claim}'}" for one in gone
        )
        more += f" {root.request.id} stands again without all its tickets: {tickets}."
    return draft.outcome(f"{posted.request.id} is taken back.{more}", corrected=posted.request.id)


def _with_consent(
    facts: StoreView, request: CorrectEvent, restored: list[tuple[Piece, dict[str, object]]]
) -> tuple[list[Changed], list[str]]:
    """Put in dispute what a correction takes out of the stock of somebody who does not agree; return also who that is.

    What is still on its way nobody has accepted: its seller may take it back alone (interpretation 78).
    """
    taken = [
        piece
        for piece, change in restored
        if change.get("state") in STOCK
        and (piece.lot.state in STOCK or (request.accepted and piece.lot.state is LotState.IN_TRANSIT))
        and change.get("owner") != piece.lot.owner
    ]
    trade = trade_behind(facts, _known(facts, request.movement)).request
    between: dict[tuple[str, str], list[Piece]] = {}
    for piece, change in restored:
        if piece in taken:
            between.setdefault((piece.lot.owner, str(change["owner"])), []).append(piece)
    without = sorted(
        {
            holder
            for (holder, gets), pieces in between.items()
            if not consents(facts, request, holder, gets, request.entity, trade, pieces)
        }
    )
    found: list[Changed] = []
    for piece, change in restored:
        doubtful = piece in taken and piece.lot.owner in without and change.get("state") in LIVE
        after = {**change, "state": LotState.DISPUTED} if doubtful else change
        told = piece in taken or shows(facts, request, piece, str(change["owner"]), trade)
        found.extend(as_told(request, [(piece, after)]) if told else [(piece, after)])
    return found, without


def _depth(facts: StoreView, posted: Posted) -> int:
    """Return how many corrections deep an event is: 0 for a movement, 1 for its correction, ..."""
    depth = 0
    while isinstance(posted.request, CorrectEvent):
        depth += 1
        posted = _known(facts, posted.request.movement)
    return depth


def _known(facts: StoreView, name: str) -> Posted:
    found = facts.posted(name)
    if found is None:
        raise Refusal(Status.RECORD_NOT_FOUND, f"There is no event {name!r}.")
    return found


def _check_periods(facts: StoreView, request: CorrectEvent, root: Posted, lots: Sequence[Lot]) -> None:
    """Refuse a correction dated in a closed period, or one that revives claims ended in a closed period.

    A claim given up cannot come back after the close: the grain has gone on without it (interpretation 37).
    """
    # What is in transit is in nobody's stock: a buyer whose book is elsewhere has no period here.
    for name in sorted({lot.owner for lot in lots if lot.state in STOCK}):
        holder = facts.one(Entity, name)
        # A house that declared no period here keeps its book elsewhere, where its periods are.
        if holder is not None and facts.many(Period, name):
            rules.open_period(facts, holder, request.day)
    if root.request.type in ENDINGS:
        owner = getattr(root.request, "entity", "")
        period = period_of(facts.many(Period, owner), root.request.day)
        rules.require(period is None or period.closed is None, Status.PERIOD_CLOSED, "What ended in it stays ended.")


def _check_revived(facts: StoreView, now: Sequence[Piece]) -> None:
    """Refuse to bring claims back that ended before their report lost them: a shortfall would become a claim again.

    Raises:
        Refusal: REPORT_WITHDRAWN, where the report was withdrawn, has no bushels left for them, or whoever gave them
            told of a change that ended them (interpretation 35).
    """
    ended = [piece for piece in now if piece.lot.state not in LIVE]
    for name in dict.fromkeys(piece.lot.origin for piece in ended):
        origin = facts.one(Origin, name)
        mine = [piece for piece in ended if piece.lot.origin == name]
        if origin is None:
            continue
        said = f"{name}: these bushels left the report after their claims had ended."
        rules.require(origin.standing is not ReportStanding.WITHDRAWN, Status.REPORT_WITHDRAWN, said)
        told = [
            (one.start, one.stop)
            for owner in {piece.lot.owner for piece in mine}
            for one in facts.many(Notice, owner)
            if one.origin == name and one.reason is NoticeKind.SHORTFALL and one.change in ENDING
        ]
        spans = [(piece.start, piece.stop) for piece in mine]
        rules.require(length(subtract_spans(spans, told)) == length(spans), Status.REPORT_WITHDRAWN, said)
        if origin.source is OriginKind.REPORT:
            lots = facts.lots_at(name, *origin.span)
            standing = sum(lot.crop_amount for lot in lots if lot.state in LIVE or lot.state is LotState.RETIRED)
            more = sum(piece.crop_amount for piece in mine if piece.lot.state is not LotState.RETIRED)
            rules.require(standing + more <= origin.current.bushels, Status.REPORT_WITHDRAWN, said)


def _untouched(facts: StoreView, lot: Lot, posted: Posted) -> bool:
    """Tell whether a lot is as the movement left it, as its buyer accepted it, or on its way again unanswered."""
    if lot.by == posted.request.id or is_in_transit(facts, lot, posted.request.id):
        return True
    later = facts.posted(lot.by)
    accepted = later is not None and later.request.type == "accept"
    return accepted and getattr(later.request if later else None, "movement", "") == posted.request.id


def _restored(
    facts: StoreView, request: CorrectEvent, posted: Posted, now: Sequence[Piece]
) -> list[tuple[Piece, dict[str, object]]]:
    """Return each piece with the title, place and form it had before the movement.

    Its carbon intensity stays, except of a claim that had ended and lives again: a worse one that came while it was
    ended reaches it now (interpretation 35). Pounds and yield come back with the form. Where the form is the same they
    stay: a true-up may have changed both.
    """
    changes: list[tuple[Piece, dict[str, object]]] = []
    for piece, parent in with_parents(now, facts.parents(posted.request.id)):
        if parent is None:
            # It came on a document, whose writer has it again as far as this book can say.
            seller, day = piece.lot.supplier, request.day
            again = {"owner": seller, "custodian": seller, "site": "", "supplier": "", "state": LotState.HELD}
            changes.append((piece, {**again, "acquired": day, "titled": day, "by": request.id, "since": day}))
            continue
        names = ("owner", "custodian", "site", "supplier", "state", "acquired", "titled")
        title: dict[str, object] = {name: getattr(parent, name) for name in names}
        if parent.form != piece.lot.form:
            title |= {name: getattr(parent, name) for name in ("form", "rate", "batch")}
            title["product"] = part(parent, piece.start, piece.stop).product
        if piece.lot.state not in LIVE and parent.state in LIVE:
            origin = facts.one(Origin, parent.origin)
            title["ci"] = origin.worst_since(part(parent, piece.start, piece.stop)) if origin else piece.lot.ci
        changes.append((piece, {**title, "by": request.id, "since": request.day}))
    return changes


def _beside(facts: StoreView, root: Posted, now: Sequence[Piece], day: date, *, undone: bool) -> list[Record]:
    """Return the records that go with the lots: slips, pending purchases, tickets."""
    request = root.request
    found: list[Record] = []
    if isinstance(request, SlipEvent):
        slip = facts.one(Slip, request.id)
        rules.require(
            slip is not None and bool(slip.open_spans) and undone, Status.ALREADY_ANSWERED, "The slip is used up."
        )
        found.append(replace(_slip(facts, request.id), open_spans=()))
    if isinstance(request, DocumentEvent):
        found.extend(_slips_behind(facts, request, undone=undone))
    if isinstance(request, PurchaseEvent | AssignEvent):
        spans = [(piece.start, piece.stop) for piece in now]
        found.append(_with_spans(_slip(facts, request.slip), spans, back=undone))
    if isinstance(request, AssignEvent):
        pending = facts.one(Pending, request.pending)
        change = sum(piece.crop_amount for piece in now) * (1 if undone else -1)
        if pending is not None:
            found.append(replace(pending, left=pending.left + change))
    if isinstance(request, PendingEvent):
        pending = facts.one(Pending, request.id)
        if pending is not None:
            free = pending.left == (pending.bushels if undone else 0)
            rules.require(free, Status.ALREADY_ANSWERED, "Some of it is assigned.")
            found.append(replace(pending, left=0 if undone else pending.bushels))
    if isinstance(request, ProcessEvent) and now and not undone:
        _check_redo(facts, request)
    if isinstance(request, CloseSiteEvent):
        other = None if undone else rules.closed_sites(facts, request.entity).get(request.site)
        rules.require(
            other is None, Status.ALREADY_ANSWERED, f"{other.by} closed {request.site} since." if other else ""
        )
        closing = SiteClosure(request.entity, request.site, None, request.id)
        # A closing that comes back on its day or later is for a coming day no longer: nothing may lie there.
        again = replace(request, ahead=request.ahead and day < request.day)
        found.append(closing if undone else closure_of(facts, again))
    tickets = (one for one in tickets_behind(facts, request.id) if one.claim in ("", request.id))
    found.extend(replace(one, claim="" if undone else request.id) for one in tickets)
    return found


def _slips_behind(facts: StoreView, request: DocumentEvent, *, undone: bool) -> Iterator[Slip]:
    """Yield the farms' slips by which a document took serials from them, with these open again, or used up anew."""
    farms = [lot for lot in facts.parents(request.id) if lot.owner != request.giver]
    for name in dict.fromkeys(line.origin for line in request.lines):
        lines = [(line.start, line.start + line.bushels) for line in request.lines if line.origin == name]
        spans = overlaps(((lot.start, lot.stop) for lot in farms if lot.origin == name), lines)
        for slip in slips_to_others(facts, name) if spans else ():
            mine = overlaps(slip.spans, spans)
            left = joined([*slip.open_spans, *mine]) if undone else subtract_spans(slip.open_spans, mine)
            if tuple(left) != slip.open_spans:
                yield replace(slip, open_spans=tuple(left))


def _slip(facts: StoreView, name: str) -> Slip:
    slip = facts.one(Slip, name)
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


def _check_redo(facts: StoreView, request: ProcessEvent) -> None:
    """Refuse to bring back a processing whose campaign is trued up: its claims may stand at the provisional yield."""
    batch = moved_by(facts, request.id)[0].batch
    trued = facts.one(TruedUp, f"{batch}/{request.entity}") is not None
    rules.require(not trued, Status.ALREADY_ANSWERED, f"{batch} is trued up: enter the processing anew.")


def _campaign(facts: StoreView, request: ProcessEvent, product: int, *, undone: bool) -> CampaignTotals:
    """Take a processing out of its campaign's totals, or put it in again.

    ``product`` is what its claims stand for now, which a true-up may have changed; what comes back must fit in as a new
    one.

    Raises:
        Refusal: claims would lie (further) above the actual product times the share of their crop (interpretation 41).
    """
    before = {lot.id: lot for lot in facts.parents(request.id)}
    moved = moved_by(facts, request.id)
    used = sum(part(before[lot.parent], lot.start, lot.stop).amount for lot in moved)
    claimed = claimed_by(facts, moved[0].batch, request.entity)
    sign = -1 if undone else 1
    after = replace(claimed, used=claimed.used + sign * used, made=claimed.made + sign * product)
    if undone:
        check_less(facts, claimed, after)
    else:
        check_campaign(facts, after)
    return after
