"""What an amended or withdrawn report does to bushels already sold (READINGS 35).

Downward only: a worse carbon intensity or fewer bushels reach every claim that can still move; a better one reaches
what the farm has not sold. Missing bushels are taken from the farm's unsold serials first, the highest first, then
from claims down the chain, the latest acquired first; what then lacks went into claims already ended, and their last
holders get a notice. Nothing posted is changed: a closed period keeps its statement and gets a restatement beside it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import ClassVar

from provender.custody.amounts import BUSHEL, show_amount
from provender.custody.desk import Draft, demand, grown, record_of, where
from provender.custody.entities import Entity
from provender.custody.facts import EVERYONE, Facts, Outcome
from provender.custody.lots import LIVE, Lot, LotState, Piece, whole
from provender.custody.origins import Origin, Standing, Version
from provender.custody.periods import Period, period_of
from provender.custody.requests import Request
from provender.custody.statuses import Status
from provender.quantity import CI_SCALE, show


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
        change: what changed in the report, where that is not the reason itself: for a shortfall. None in notices
            stated before this was kept.
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
    change: NoticeKind | None = None

    @property
    def changed(self) -> NoticeKind:
        """Return what changed in the report."""
        return self.change or self.reason

    @property
    def key(self) -> str:
        """Return what the record is found by."""
        return self.number

    @property
    def group(self) -> str:
        """Notices are listed per holder."""
        return self.holder


class Change:
    """One change of a report in the making: what it writes, and whom it tells."""

    def __init__(self, request: Request, origin: Origin) -> None:
        self.request = request
        self.origin = origin
        self.draft = Draft(request)
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


def check_holders(facts: Facts, origin: Origin, request: Request) -> None:
    """Refuse a change dated in a period that one of the holders has closed: it is entered in the open one.

    Raises:
        Refusal: PERIOD_CLOSED. A day for which a holder has declared no period yet is no obstacle.
    """
    for lot in facts.lots_at(origin.id, *origin.span):
        holder = facts.one(Entity, lot.owner)
        period = period_of(facts.many(Period, lot.owner), request.day) if lot.state in LIVE else None
        if holder is not None and period is not None:
            demand(period.closed is None, Status.PERIOD_CLOSED, f"{holder.name} closed {period.start} to {period.end}.")


def check_later(facts: Facts, origin: Origin, request: Request) -> None:
    """Refuse a change dated before the last movement of a claim it may reach."""
    for lot in facts.lots_at(origin.id, *origin.span):
        demand(lot.state not in LIVE or lot.since <= request.day, Status.NOT_HELD_YET, where(lot))


def amend(facts: Facts, request: Request, origin: Origin, version: Version) -> Outcome:
    """Enter the next version of a report and carry it as far down the chain as it may reach."""
    change = Change(request, origin)
    before = origin.current
    lots = facts.lots_at(origin.id, *origin.span)
    cut = _taken_back(lots, origin, before.bushels - version.bushels)
    pieces: list[tuple[Piece, dict[str, object]]] = [
        (piece, {"state": LotState.VOID, "by": request.id, "since": request.day}) for piece in cut
    ]
    for piece in cut:
        said = f"{show_amount(piece.crop_amount, BUSHEL)} are no longer in the report."
        change.tell(piece.lot.owner, piece.start, piece.stop, NoticeKind.FEWER_BUSHELS, said)
    untouched = _without(lots, cut)
    for piece in untouched:
        lot = piece.lot
        if lot.state not in LIVE or version.ci == lot.ci:
            continue
        if lot.owner == origin.issuer or version.ci > lot.ci:
            pieces.append((piece, {"ci": version.ci}))
            said = f"CI {show(lot.ci, CI_SCALE)} becomes {show(version.ci, CI_SCALE)}."
            change.tell(lot.owner, piece.start, piece.stop, NoticeKind.WORSE_CI, said)
    write_pieces(change.draft, pieces)
    short = before.bushels - version.bushels - sum(piece.crop_amount for piece in cut)
    _tell_ended(change, untouched, before, version, max(short, 0))
    issued = origin.issued + max(0, version.bushels - before.bushels)
    after = replace(origin, versions=(*origin.versions, version), issued=issued)
    if version.bushels > before.bushels:
        _extend(change.draft, origin, before, version)
    change.draft.state(after)
    return change.draft.outcome(f"Version {version.number} of {origin.id}; {change.notices} notices to holders.")


def _extend(draft: Draft, origin: Origin, before: Version, version: Version) -> None:
    """Give the farm serials for bushels it adds; numbers once void stay void, so new ones follow the last."""
    lot = grown(origin, version, origin.issued, origin.issued + version.bushels - before.bushels)
    draft.enter(lot)


def _taken_back(lots: Sequence[Lot], origin: Origin, bushels: int) -> list[Piece]:
    """Return the pieces that absorb missing bushels: unsold, highest serials first, then the latest acquired."""
    live = [lot for lot in lots if lot.state in LIVE]
    unsold = sorted((lot for lot in live if lot.owner == origin.issuer), key=lambda lot: -lot.start)
    sold = sorted((lot for lot in live if lot.owner != origin.issuer), key=lambda lot: (lot.acquired, lot.start))
    taken: list[Piece] = []
    for lot in [*unsold, *reversed(sold)]:
        if bushels <= 0:
            break
        start = max(lot.start, lot.stop - bushels)
        kept = 0 if start == lot.start else lot.product * (start - lot.start) // lot.crop_amount
        taken.append(Piece(lot, start, lot.stop, lot.product - kept))
        bushels -= lot.stop - start
    return taken


def _without(lots: Iterable[Lot], cut: Sequence[Piece]) -> list[Piece]:
    """Return the pieces of lots that remain when others are taken from their upper ends."""
    by_lot = {piece.lot.id: piece for piece in cut}
    left = []
    for lot in lots:
        piece = by_lot.get(lot.id)
        if piece is None:
            left.append(whole(lot))
        elif piece.start > lot.start:
            left.append(Piece(lot, lot.start, piece.start, lot.product - piece.product))
    return left


def write_pieces(draft: Draft, pieces: Sequence[tuple[Piece, dict[str, object]]]) -> None:
    """Write several changes to parts of the same lots in one go, so that each lot ends once."""
    by_lot: dict[str, list[tuple[Piece, dict[str, object]]]] = {}
    for piece, changes in pieces:
        by_lot.setdefault(piece.lot.id, []).append((piece, changes))
    for parts in by_lot.values():
        draft.alter_each(parts)


def _tell_ended(change: Change, pieces: Iterable[Piece], before: Version, version: Version, short: int) -> None:
    """Tell the last holders of claims that ended before the change, the latest first, as far as it concerns them."""
    ended = [piece for piece in pieces if piece.lot.state is LotState.RETIRED]
    for piece in sorted(ended, key=lambda one: (one.lot.since, one.start), reverse=True):
        lot = piece.lot
        if version.ci > before.ci and version.ci > lot.ci:
            said = f"Retired at CI {show(lot.ci, CI_SCALE)}; the report now says {show(version.ci, CI_SCALE)}."
            change.tell(lot.owner, piece.start, piece.stop, NoticeKind.SHORTFALL, said, NoticeKind.WORSE_CI)
        if short > 0:
            start = max(piece.start, piece.stop - short)
            said = f"{show_amount(piece.stop - start, BUSHEL)} retired are no longer in the report."
            change.tell(lot.owner, start, piece.stop, NoticeKind.SHORTFALL, said, NoticeKind.FEWER_BUSHELS)
            short -= piece.stop - start


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawEvent(Request):
    """Withdraws a report: every claim on it that can still move ends.

    Attributes:
        origin: the origin's id.
        reason: in words.
    """

    type: ClassVar[str] = "withdraw"
    origin: str
    reason: str = ""

    def parties(self) -> tuple[str, ...]:
        """Return everybody: any holder may be reached."""
        return (EVERYONE,)


def decide_withdraw(facts: Facts, request: WithdrawEvent) -> Outcome:
    """Void what can still move, and tell every holder past and present."""
    origin = record_of(facts, Origin, request.origin)
    demand(origin.standing is not Standing.WITHDRAWN, Status.ALREADY_ANSWERED, "It was withdrawn before.")
    check_holders(facts, origin, request)
    check_later(facts, origin, request)
    change = Change(request, origin)
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
    change.draft.state(replace(origin, standing=Standing.WITHDRAWN))
    return change.draft.outcome(f"{origin.id} is withdrawn; {change.notices} notices.")
