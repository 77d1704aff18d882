"""A notice: a seller tells a buyer with a book of its own that a report behind its claims changed (interpretation 35).

The buyer's book does not hold the farm's report; it holds serials that came on the seller's documents. The notice
names those serials and the change, and the buyer's book carries it on as a store with the report itself would: to
what the buyer still holds, and by notices of its own to those who have the rest.

A notice counts under its sender's pinned signature (``receiving``) and only for serials that the sender gave: whoever
gave ten bushels of a report cannot suspend or end the thousands that came from others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from provender.custody.events.changed_report import NoticeKind, ReportChange, check_holders, check_later, write_pieces
from provender.custody.events.report import check_ci
from provender.custody.events.rules import entity_of, record_of, require, show_span
from provender.custody.model.amounts import counted
from provender.custody.model.entities import TRADERS
from provender.custody.model.event import Event, Party, event
from provender.custody.model.lots import LIVE, Lot, LotState, Piece, Span, joined, part, subtract_spans
from provender.custody.model.origins import Origin, OriginKind, ReportStanding, Version
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import Decision, StoreView
from provender.plain import field
from provender.quantity import CI_SCALE, Ci, Serials, show
from provender.wire import Name, Text

STANDINGS: Final = frozenset({NoticeKind.WITHDRAWN, NoticeKind.SUSPENDED, NoticeKind.REINSTATED})
"""Changes of the whole report; the others change some bushels of it."""
ENDING: Final = frozenset({NoticeKind.WITHDRAWN, NoticeKind.FEWER_BUSHELS})
"""Changes by which a claim ends."""


@event("notice", everyone=True)
class NoticeEvent(Event):
    """A seller's notice that a report behind what it sold changed. ``day`` is the day it is received."""

    giver: Name = field("Seller", help="The seller, who sends it.", party=Party.CHANGES, choices="partners")
    taker: Name = field("Buyer", help="The buyer, whose book this is.", party=Party.CHANGES, choices="partners")
    number: Name = field("Number", help="The notice's number, unique for its sender.")
    origin: Text = field("Origin", help="Whose serials.")
    reason: NoticeKind = field("Reason", help="What changed.")
    spans: tuple[Serials, ...] = field(
        "Spans", help="Which serials of those the seller gave.", folded=True, example=[["0", "500"]]
    )
    ci: Ci | None = field("Carbon intensity", help="The carbon intensity they have now, for `worse_ci`.", default=None)
    report: Text = field(
        "Report", help="Hash of the report's version that changed it, where there is one.", asked=False, default=""
    )


def decide_notice(facts: StoreView, request: NoticeEvent) -> Decision:
    """Carry a change of a report to the serials that the sender gave, whoever of this store has them now."""
    giver, taker = entity_of(facts, request.giver), entity_of(facts, request.taker)
    require(giver.id != taker.id, Status.PARTIES_ARE_ONE)
    require(giver.may(TRADERS) and taker.may(TRADERS), Status.ROLE_NOT_ALLOWED, "From trader to trader.")
    origin = record_of(facts, Origin, request.origin)
    own = origin.source is OriginKind.DOCUMENT
    require(own, Status.PARTIES_DIFFER, f"What stands behind {origin.id} is in this book itself: change that.")
    came = _came(facts, origin, request)
    require(bool(came), Status.PARTIES_DIFFER, f"Nothing of {origin.id} came from {giver.name}.")
    require(_is_news(facts, origin, request, came), Status.ALREADY_ANSWERED, "These serials stand so already.")
    _check_spans(request.spans)
    _check_new_ci(request)
    check_holders(facts, origin, request)
    for start, stop in request.spans:
        inside = any(low <= start and stop <= high for low, high in came)
        require(inside, Status.OUTSIDE_ORIGIN, f"Not all of {show_span(start, stop)} came from {giver.name}.")
    check_later(facts, origin, request)
    change = ReportChange(request, origin)
    pieces = _pieces(facts, request)
    _carry(change, request, pieces)
    resting = _resting(origin, request)
    change.draft.state(replace(origin, resting=resting, versions=_versions(origin, request, pieces)))
    reason = request.reason.replace("_ci", " CI").replace("_", " ")
    told = counted(change.notices, "notice")
    return change.draft.outcome(f"{reason[:1].upper()}{reason[1:]} for {origin.id}; {told}.")


def _came(facts: StoreView, origin: Origin, request: NoticeEvent) -> list[Span]:
    """Return the serials that the sender ever gave to the receiver."""
    lots = (step.after for step in facts.steps_of(origin.id))
    return joined((lot.start, lot.stop) for lot in lots if (lot.supplier, lot.owner) == (request.giver, request.taker))


def _is_news(facts: StoreView, origin: Origin, request: NoticeEvent, came: Sequence[Span]) -> bool:
    """Tell whether a notice changes anything: something the sender gave has not ended, and does not rest already."""
    lots = [lot for span in came for lot in facts.lots_at(origin.id, *span)]
    if origin.standing is ReportStanding.WITHDRAWN or all(lot.state is LotState.VOID for lot in lots):
        return False
    resting = [any(low <= start and stop <= high for low, high in origin.resting) for start, stop in request.spans]
    if request.reason is NoticeKind.SUSPENDED:
        return not resting or not all(resting)
    return request.reason is not NoticeKind.REINSTATED or any(origin.rests(*span) for span in request.spans)


def _resting(origin: Origin, request: NoticeEvent) -> tuple[Span, ...]:
    """Return the serials that rest after a notice."""
    if request.reason is NoticeKind.SUSPENDED:
        return tuple(joined([*origin.resting, *request.spans]))
    ended = request.spans if request.reason is NoticeKind.REINSTATED else ()
    return tuple(joined(subtract_spans(origin.resting, ended)))


def _check_spans(spans: Sequence[Span]) -> None:
    require(bool(spans), Status.SPAN_NOT_POSSIBLE, "It names no serials.")
    for start, stop in spans:
        require(0 <= start < stop, Status.SPAN_NOT_POSSIBLE, f"{show_span(start, stop)}.")
    for (_, before), (start, stop) in pairwise(sorted(spans)):
        require(before <= start, Status.SPAN_NOT_POSSIBLE, f"{show_span(start, stop)}.")


def _check_new_ci(request: NoticeEvent) -> None:
    if request.reason is NoticeKind.WORSE_CI:
        if request.ci is None:
            raise Refusal(Status.CI_NOT_POSSIBLE, "It names none.")
        check_ci(request.ci)


def _pieces(facts: StoreView, request: NoticeEvent) -> list[Piece]:
    return [
        part(lot, start, stop)
        for start, stop in sorted(request.spans)
        for lot in facts.lots_at(request.origin, start, stop)
    ]


def _carry(change: ReportChange, request: NoticeEvent, pieces: Iterable[Piece]) -> None:
    altered: list[tuple[Piece, dict[str, object]]] = []
    for piece in pieces:
        lot = piece.lot
        if lot.state not in LIVE and lot.state is not LotState.RETIRED:
            continue
        if request.reason is NoticeKind.WORSE_CI and lot.ci >= (request.ci or 0):
            continue
        if lot.state in LIVE:
            altered += [(piece, changes)] if (changes := _changes(request)) else []
        kind = request.reason if lot.state in LIVE or request.reason in STANDINGS else NoticeKind.SHORTFALL
        kind = NoticeKind.SHORTFALL if lot.state is LotState.RETIRED and request.reason in ENDING else kind
        change.tell(lot.owner, piece.start, piece.stop, kind, _said(request, lot), request.reason)
    write_pieces(change.draft, altered)


def _changes(request: NoticeEvent) -> dict[str, object]:
    if request.reason in ENDING:
        return {"state": LotState.VOID, "by": request.id, "since": request.day}
    return {"ci": request.ci} if request.reason is NoticeKind.WORSE_CI else {}


def _said(request: NoticeEvent, lot: Lot) -> str:
    sender = f"{request.giver} gave notice {request.number}"
    if request.reason is NoticeKind.WORSE_CI:
        return f"{sender}: CI {show(lot.ci, CI_SCALE)} becomes {show(request.ci or 0, CI_SCALE)}."
    words = {
        NoticeKind.FEWER_BUSHELS: "these bushels are no longer in the report",
        NoticeKind.WITHDRAWN: "the report was withdrawn",
        NoticeKind.SUSPENDED: "the report is suspended",
        NoticeKind.REINSTATED: "the report is in force again",
    }
    return f"{sender}: {words[request.reason]}."


def _versions(origin: Origin, request: NoticeEvent, pieces: Sequence[Piece]) -> tuple[Version, ...]:
    """Return the versions with the change added by which closed periods are restated: of the serials it names."""
    now = origin.current
    if request.reason is NoticeKind.WORSE_CI and request.ci is not None:
        ci = request.ci
    elif request.reason in ENDING:
        ci = min((piece.lot.ci for piece in pieces), default=now.ci)
    else:
        return origin.versions
    spans = tuple(joined(request.spans))
    return (*origin.versions, Version(now.number + 1, request.day, now.bushels, ci, request.report, spans))
