"""What an amended or withdrawn report does to bushels already sold (interpretation 35).

Downward only: a worse carbon intensity or fewer bushels reach every claim that can still move; a better one reaches
what the farm has not sold. Missing bushels are taken from unsold serials first, then from what was sold, the latest
first (``shortfall``); what then lacks went into claims already ended, and their last holders get a notice. Nothing
posted is changed: a closed period keeps its statement and gets a restatement beside it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import ClassVar

from provender.custody.events.rules import MovementDraft, lot_as_grown, lot_location, record_of, require
from provender.custody.events.shortfall import doubted, named, who_bears
from provender.custody.model.amounts import BUSHEL, counted, show_amount
from provender.custody.model.entities import Entity
from provender.custody.model.event import Event, event
from provender.custody.model.external_holdings import used_up
from provender.custody.model.lots import LIVE, Lot, LotState, Piece, Span, part, rests, subtract_spans, whole
from provender.custody.model.origins import Origin, ReportStanding, Slip, Version
from provender.custody.model.periods import Period, period_of
from provender.custody.model.statuses import Status
from provender.custody.model.store_view import Decision, StoreView
from provender.plain import field
from provender.quantity import CI_SCALE, show
from provender.wire import Text


class NoticeKind(StrEnum):
    """Why a holder is told."""

    WORSE_CI = "worse_ci"
    FEWER_BUSHELS = "fewer_bushels"
    WITHDRAWN = "withdrawn"
    SUSPENDED = "suspended"
    REINSTATED = "reinstated"
    SHORTFALL = "shortfall"
    """The claim ended (retired, sold outside) before the report changed."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Tells a holder that a report behind its claims changed.

    Attributes:
        number: event and running number.
        holder: who is told.
        origin: whose serials.
        start: first serial.
        stop: the serial after the last.
        day: the day of the change.
        reason: why.
        said: in words.
        change: what changed in the report; not the reason itself for a shortfall.
    """

    kind: ClassVar[str] = "notice"
    number: str
    holder: str
    origin: str
    start: int
    stop: int
    day: date
    reason: NoticeKind
    said: str
    change: NoticeKind

    @property
    def key(self) -> str:
        """Return what the record is found by."""
        return self.number

    @property
    def group(self) -> str:
        """Notices are listed per holder."""
        return self.holder


class ReportChange:
    """One change of a report in the making: what it writes, and whom it tells."""

    def __init__(self, request: Event, origin: Origin) -> None:
        self.request = request
        self.origin = origin
        self.draft = MovementDraft(request)
        self.notices = 0

    def tell(
        self, holder: str, start: int, stop: int, reason: NoticeKind, said: str, change: NoticeKind | None = None
    ) -> None:
        """State a notice, unless the holder is the farm or sender itself, who made the change."""
        if holder == self.origin.issuer:
            return
        self.notices += 1
        number = f"{self.request.id}/notice/{self.notices}"
        day, origin = self.request.day, self.origin.id
        self.draft.state(Notice(number, holder, origin, start, stop, day, reason, said, change or reason))


def check_holders(facts: StoreView, origin: Origin, request: Event) -> None:
    """Refuse a change dated in a period that one of the holders has closed: it is entered in the open one.

    Raises:
        Refusal: PERIOD_CLOSED. A day for which a holder has declared no period yet is no obstacle.
    """
    for lot in facts.lots_at(origin.id, *origin.span):
        holder = facts.one(Entity, lot.owner)
        period = period_of(facts.many(Period, lot.owner), request.day) if lot.state in LIVE else None
        if holder is not None and period is not None:
            require(
                period.closed is None, Status.PERIOD_CLOSED, f"{holder.name} closed {period.start} to {period.end}."
            )


def check_later(facts: StoreView, origin: Origin, request: Event) -> None:
    """Refuse a change dated before the last movement of a claim it may reach."""
    for lot in facts.lots_at(origin.id, *origin.span):
        require(lot.state not in LIVE or lot.since <= request.day, Status.NOT_HELD_YET, lot_location(lot))


def amend(
    facts: StoreView,
    request: Event,
    origin: Origin,
    version: Version,
    bear: Sequence[Span] = (),
    sold: Sequence[Span] = (),
) -> Decision:
    """Enter the next version of a report and carry it as far down the chain as it may reach.

    Args:
        facts: the store.
        request: the event.
        origin: as it stands.
        version: the new version.
        bear: the serials that bear missing bushels, where a wider book found them; else this book finds them.
        sold: serials that a better carbon intensity does not reach, where a wider book knows that others had them.
    """
    change = ReportChange(request, origin)
    before = origin.current
    lots = facts.lots_at(origin.id, *origin.span)
    missing = before.bushels - version.bushels
    borne = named(lots, bear) if bear else who_bears(facts, origin, lots, missing)
    pieces: list[tuple[Piece, dict[str, object]]] = [
        (piece, {"state": LotState.VOID, "by": request.id, "since": request.day}) for piece in borne.pieces
    ]
    for piece in borne.pieces:
        said = f"{show_amount(piece.crop_amount, BUSHEL)} are no longer in the report."
        change.tell(piece.lot.owner, piece.start, piece.stop, NoticeKind.FEWER_BUSHELS, said)
    _shorten_slips(facts, change, borne.pieces)
    untouched = _without(lots, borne.pieces)
    pieces += _reached(change, untouched, version.ci, sold)
    write_pieces(change.draft, pieces)
    ended = [piece for piece in untouched if piece.lot.state is LotState.RETIRED]
    _tell_worse(change, ended, before, version)
    _tell_short(change, _among(ended, bear) if bear else ended, max(missing - borne.bushels, 0))
    issued = origin.issued + max(0, -missing)
    after = replace(origin, versions=(*origin.versions, version), issued=issued)
    if missing < 0:
        _extend(change.draft, origin, before, version)
    doubt = doubted(origin, request.id, request.day, borne, lots)
    change.draft.state(after, *doubt)
    unsold = show_amount(sum(piece.crop_amount for piece in borne.unsold), BUSHEL)
    more = f" {unsold} were taken as unsold: no slip here shows otherwise." if doubt else ""
    told = f"Version {version.number} of {origin.id}; {counted(change.notices, 'notice')} to holders.{more}"
    return change.draft.outcome(told, facts=(("taken_as_unsold", unsold),) if doubt else ())


def _reached(
    change: ReportChange, untouched: Sequence[Piece], ci: int, sold: Sequence[Span]
) -> Iterator[tuple[Piece, dict[str, object]]]:
    """Yield the pieces that the version's carbon intensity reaches: a worse one all, a better one the issuer's own."""
    for piece in untouched:
        lot = piece.lot
        if lot.state not in LIVE or ci == lot.ci:
            continue
        if ci > lot.ci:
            said = f"CI {show(lot.ci, CI_SCALE)} becomes {show(ci, CI_SCALE)}."
            change.tell(lot.owner, piece.start, piece.stop, NoticeKind.WORSE_CI, said)
            yield piece, {"ci": ci}
        elif lot.owner == change.origin.issuer:
            spans = subtract_spans([(piece.start, piece.stop)], sold)
            for span in spans:
                yield part(lot, *span), {"ci": ci}


def _shorten_slips(facts: StoreView, change: ReportChange, cut: Sequence[Piece]) -> None:
    """Take serials that are void now out of the slips that assign them, and tell those who were to have them."""
    gone = [(piece.start, piece.stop) for piece in cut]
    slips = facts.many(Slip, change.origin.id) if gone else ()
    for slip in slips:
        for low, high in slip.open_spans:
            for start, stop in ((max(low, start), min(high, stop)) for start, stop in gone):
                if start < stop:
                    said = f"{show_amount(stop - start, BUSHEL)} of slip {slip.id} are no longer in the report."
                    change.tell(slip.taker, start, stop, NoticeKind.FEWER_BUSHELS, said)
    change.draft.state(*used_up(slips, gone))


def _extend(draft: MovementDraft, origin: Origin, before: Version, version: Version) -> None:
    """Give the farm serials for bushels it adds; numbers once void stay void, so new ones follow the last."""
    lot = lot_as_grown(origin, version, origin.issued, origin.issued + version.bushels - before.bushels)
    draft.enter(lot)


def _without(lots: Iterable[Lot], cut: Sequence[Piece]) -> list[Piece]:
    """Return the pieces of lots that remain when others are taken out of them."""
    touched = {piece.lot.id for piece in cut}
    return [*(whole(lot) for lot in lots if lot.id not in touched), *rests(cut)]


def _among(pieces: Iterable[Piece], spans: Sequence[Span]) -> list[Piece]:
    """Return the parts of pieces that lie in some spans."""
    return [
        part(piece.lot, max(piece.start, low), min(piece.stop, high))
        for piece in pieces
        for low, high in spans
        if piece.start < high and low < piece.stop
    ]


def write_pieces(draft: MovementDraft, pieces: Sequence[tuple[Piece, dict[str, object]]]) -> None:
    """Write several changes to parts of the same lots in one go, so that each lot ends once."""
    by_lot: dict[str, list[tuple[Piece, dict[str, object]]]] = {}
    for piece, changes in pieces:
        by_lot.setdefault(piece.lot.id, []).append((piece, changes))
    for parts in by_lot.values():
        draft.alter_each(parts)


def _tell_worse(change: ReportChange, ended: Iterable[Piece], before: Version, version: Version) -> None:
    """Tell those who retired claims at a carbon intensity that is worse now, the latest first."""
    for piece in _latest(ended):
        lot = piece.lot
        if version.ci > before.ci and version.ci > lot.ci:
            said = f"Retired at CI {show(lot.ci, CI_SCALE)}; the report now says {show(version.ci, CI_SCALE)}."
            change.tell(lot.owner, piece.start, piece.stop, NoticeKind.SHORTFALL, said, NoticeKind.WORSE_CI)


def _tell_short(change: ReportChange, ended: Iterable[Piece], short: int) -> None:
    """Tell those who retired claims on bushels that are missing and nobody else can bear, the latest first."""
    for piece in _latest(ended):
        if short <= 0:
            break
        start = max(piece.start, piece.stop - short)
        said = f"{show_amount(piece.stop - start, BUSHEL)} retired are no longer in the report."
        change.tell(piece.lot.owner, start, piece.stop, NoticeKind.SHORTFALL, said, NoticeKind.FEWER_BUSHELS)
        short -= piece.stop - start


def _latest(pieces: Iterable[Piece]) -> list[Piece]:
    return sorted(pieces, key=lambda one: (one.lot.since, one.start), reverse=True)


@event("withdraw", everyone=True)
class WithdrawEvent(Event):
    """Withdraws a report: every claim on it that can still move ends."""

    origin: Text = field("Origin", help="The origin's id.")
    reason: Text = field("Reason", help="In words.", default="")


def decide_withdraw(facts: StoreView, request: WithdrawEvent) -> Decision:
    """Void what can still move, and tell every holder past and present."""
    origin = record_of(facts, Origin, request.origin)
    require(origin.standing is not ReportStanding.WITHDRAWN, Status.ALREADY_ANSWERED, "It was withdrawn before.")
    check_holders(facts, origin, request)
    check_later(facts, origin, request)
    change = ReportChange(request, origin)
    lots = facts.lots_at(origin.id, *origin.span)
    live = [whole(lot) for lot in lots if lot.state in LIVE]
    if live:
        change.draft.move(live, state=LotState.VOID)
    for lot in lots:
        if lot.state in LIVE:
            change.tell(lot.owner, lot.start, lot.stop, NoticeKind.WITHDRAWN, "The report was withdrawn.")
        elif lot.state is LotState.RETIRED:
            said = "The report was withdrawn after these claims were retired."
            change.tell(lot.owner, lot.start, lot.stop, NoticeKind.SHORTFALL, said, NoticeKind.WITHDRAWN)
    change.draft.state(replace(origin, standing=ReportStanding.WITHDRAWN))
    return change.draft.outcome(f"{origin.id} is withdrawn; {counted(change.notices, 'notice')}.")
