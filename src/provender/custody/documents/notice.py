"""The notice as a document: written from the seller's book, read into the buyer's (interpretation 35).

One document tells one holder what one change of one report means for the serials it was given. Origins stay blinded.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from provender.custody.documents.build import FORMAT, party
from provender.custody.documents.read import Fields
from provender.custody.events.changed_report import Notice, NoticeKind
from provender.custody.events.notice import NoticeEvent
from provender.custody.model.entities import Entity
from provender.custody.model.lots import LotState, Span, joined, subtract_spans
from provender.custody.model.origins import Origin
from provender.custody.model.store_view import Posted, StoreView
from provender.problem import Problem, refuse
from provender.quantity import CI_SCALE, show
from provender.rule import rule_version

NOTICE: Final = "custody-notice"
_DIGITS: Final = 16
_TAKES_BACK: Final = ("return", "reject", "correct")
"""Movements by which serials are again whose they were before: nobody gets them anew by one."""
WORDS: Final = {
    NoticeKind.WORSE_CI: "The farm's report was amended: these bushels have the carbon intensity given here.",
    NoticeKind.FEWER_BUSHELS: "The farm's report was amended: these bushels are no longer in it and carry no claim.",
    NoticeKind.WITHDRAWN: "The farm's report was withdrawn: its bushels carry no claim.",
    NoticeKind.SUSPENDED: "The farm's report is suspended: its claims rest until it is reinstated.",
    NoticeKind.REINSTATED: "The farm's report is in force again.",
}


@dataclass(frozen=True, slots=True)
class NoticePaper:
    """A notice as read.

    Attributes:
        number: the sender's number of it.
        seller: who sends it.
        buyer: who is told.
        day: the day of the change.
        origin: whose serials, blinded.
        ci: the carbon intensity they have now; None where that did not change.
        report: hash of the new version of the report; empty where there is none.
        changes: what changed, and for which serials.
    """

    number: str
    seller: str
    buyer: str
    day: date
    origin: str
    ci: int | None
    report: str
    changes: tuple[tuple[NoticeKind, tuple[Span, ...]], ...]


def holders_to_notify(facts: StoreView, event: str, sender: str) -> list[str]:
    """Return to whom a sender gave the bushels that an event changed; in order of their ids."""
    return sorted({one.holder for one in _given(facts, sender, _told(facts, event))})


def _told(facts: StoreView, event: str) -> list[Notice]:
    everyone = (one for holder in facts.many(Entity, "") for one in facts.many(Notice, holder.id))
    found = [one for one in everyone if one.number.startswith(f"{event}/notice/")]
    posted = facts.posted(event)
    request = posted.request if posted else None
    return [*found, *_first_writer(facts, request)] if isinstance(request, NoticeEvent) else found


def _first_writer(facts: StoreView, request: NoticeEvent) -> Iterator[Notice]:
    """Yield what a notice means for whoever wrote the first paper over its serials and has some of them again.

    A change that reaches the book by another is news to that one too; the book itself states only what others are told.
    """
    origin = facts.one(Origin, request.origin)
    if origin is None or origin.issuer == request.giver:
        return
    for start, stop in request.spans:
        for lot in facts.lots_at(origin.id, start, stop):
            if lot.owner == origin.issuer and lot.state is not LotState.LOST:
                spans = (max(start, lot.start), min(stop, lot.stop))
                number, day, why = f"{request.id}/notice/0", request.day, request.reason
                yield Notice(number, lot.owner, origin.id, *spans, day, why, "", why)


def _given(facts: StoreView, sender: str, told: Sequence[Notice]) -> list[Notice]:
    """Return notices of the serials that the sender gave, for whoever had them from it last.

    Papers between others may have shown the sender who has them now; it never sold to that one. Each tells those it
    sold to, and so the change follows the bushels.
    """
    changed: defaultdict[str, list[Notice]] = defaultdict(list)
    for one in told:
        changed[one.origin].append(one)
    found = []
    for origin, notices in changed.items():
        for start, stop, taker in _handed_out(facts, sender, origin, [(one.start, one.stop) for one in notices]):
            for one in notices:
                low, high = max(start, one.start), min(stop, one.stop)
                if low < high:
                    found.append(replace(one, holder=taker, start=low, stop=high))
    return found


def _handed_out(facts: StoreView, sender: str, origin: str, asked: Sequence[Span]) -> Iterator[tuple[int, int, str]]:
    """Yield who had serials from a sender last, the latest first; whoever gave them back to it has them no more.

    What the sender took back without the other's paper the other may still have: that one is told.
    """
    left: list[Span] = joined(asked)
    back: list[Span] = []
    for step in reversed(facts.steps_of(origin)):
        if not left:
            return
        lot = step.before if step.before and step.after.state is LotState.VOID else step.after
        met = [(max(step.after.start, low), min(step.after.stop, high)) for low, high in left]
        spans = [span for span in met if span[0] < span[1]]
        away = subtract_spans(spans, back)
        if lot.supplier == sender != lot.owner:
            yield from ((start, stop, lot.owner) for start, stop in away)
        elif lot.owner != sender:
            # What the sender gave back counts as if it had never come: whom it gave it to since then had given it back.
            back += away if step.before and step.before.owner == sender else []
            continue
        elif lot.state is LotState.DISPUTED:
            continue
        elif step.type not in _TAKES_BACK and (step.before is None or step.before.owner != sender):
            back = subtract_spans(back, spans)
        left = subtract_spans(left, away)


def notice_document(facts: StoreView, sender: str, event: str, holder: str, *, as_of: date) -> dict[str, Any]:
    """Return what a change of a report means for one holder of its bushels.

    Args:
        facts: the sender's book.
        sender: whose book it is.
        event: the event by which the report changed: its new version, its suspension, withdrawal, or a notice received.
        holder: who is to be told.
        as_of: the day the document is made.

    Raises:
        ProblemsError: the book has no such event, or it changed nothing for that holder.
    """
    posted = facts.posted(event)
    if posted is None:
        remedy = "Name the report's new version, its suspension or withdrawal, or the notice you received."
        raise refuse(event, "The book has no event of this name.", remedy, cite="2100.032(a)")
    told = [one for one in _given(facts, sender, _told(facts, event)) if one.holder == holder]
    if not told:
        others = ", ".join(one for one in holders_to_notify(facts, event, sender) if one != holder) or "nobody"
        remedy = f"Name one of those it concerns: {others}."
        cause = f"It changed nothing for {holder}." if holder else "It is not said who is to be told."
        raise refuse(event, cause, remedy, cite="2100.032(a)")
    origin = facts.one(Origin, told[0].origin)
    assert origin is not None  # noqa: S101 - a notice is only ever stated about an origin of the book
    law = rule_version(posted.request.day)
    return {
        "type": NOTICE,
        "format": FORMAT,
        "number": number_of(posted, holder),
        "made_on": as_of.isoformat(),
        "rule": {"id": law.id, "citation": law.citation, "cite": ["2100.032(a)"]},
        "seller": party(facts, sender),
        "buyer": party(facts, holder),
        "day": posted.request.day.isoformat(),
        "crop": origin.crop,
        "harvest_year": origin.harvest_year,
        "origin": origin.id,
        "ci_g_per_bu": show(ci, CI_SCALE) if (ci := ci_told(posted, told)) is not None else None,
        "report": getattr(posted.request, "report", ""),
        "changes": [_change(kind, told) for kind in WORDS if any(one.change is kind for one in told)],
    }


def number_of(posted: Posted, holder: str) -> str:
    """Return the number of a notice: the event's name may hold the farm's, which the holder may not learn."""
    return f"{posted.digest[:_DIGITS]}/{holder}"


def ci_told(posted: Posted, told: Sequence[Notice]) -> int | None:
    """Return the carbon intensity that bushels have now; None where it did not change."""
    worse = any(one.change is NoticeKind.WORSE_CI for one in told)
    return getattr(posted.request, "ci", None) if worse else None


def _change(kind: NoticeKind, told: Sequence[Notice]) -> dict[str, object]:
    spans = joined((one.start, one.stop) for one in told if one.change is kind)
    return {
        "change": str(kind),
        "words": WORDS[kind],
        "bushels": show(sum(stop - start for start, stop in spans)),
        "spans": [{"start": show(start), "stop": show(stop)} for start, stop in spans],
    }


def read_notice(data: object, file: str) -> tuple[NoticePaper | None, list[Problem]]:
    """Read a notice; its bushels must agree with its serials, and a worse carbon intensity must be named."""
    problems: list[Problem] = []
    doc = Fields(data, file, problems)
    if doc.data.get("type") != NOTICE:
        doc.fault("type", f"is not {NOTICE}")
    changes = tuple(_read_change(row) for row in doc.rows("changes"))
    ci = doc.number("ci_g_per_bu", CI_SCALE) if doc.data.get("ci_g_per_bu") is not None else None
    if ci is None and any(kind is NoticeKind.WORSE_CI for kind, _ in changes):
        doc.fault("ci_g_per_bu", "must name the carbon intensity that the bushels have now")
    if len({kind for kind, _ in changes}) < len(changes):
        doc.fault("changes", "names a change twice")
    parties = doc.part("seller").name("id"), doc.part("buyer").name("id")
    report = doc.text("report", needed=False)
    paper = NoticePaper(doc.name("number"), *parties, doc.day("day"), doc.text("origin"), ci, report, changes)
    return (None, problems) if problems else (paper, [])


def _read_change(row: Fields) -> tuple[NoticeKind, tuple[Span, ...]]:
    spans = tuple((one.number("start"), one.number("stop")) for one in row.rows("spans"))
    if sum(stop - start for start, stop in spans) != row.number("bushels"):
        row.fault("bushels", "differs from the serial ranges")
    named = row.text("change")
    if named not in set(WORDS):
        row.fault("change", f"{named!r} is none of {', '.join(WORDS)}")
        return NoticeKind.SUSPENDED, spans
    return NoticeKind(named), spans


def notice_events(paper: NoticePaper, facts: StoreView, day: date) -> list[NoticeEvent]:
    """Return the events that a notice makes, one a change, on the day it is received; a repeat keeps its day."""
    made = []
    for kind, spans in paper.changes:
        name = f"notice-{paper.seller}-{paper.number}-{kind}"
        known = facts.posted(name)
        made.append(
            NoticeEvent(
                id=name,
                day=known.request.day if known else max(day, paper.day),
                giver=paper.seller,
                taker=paper.buyer,
                number=paper.number,
                origin=paper.origin,
                reason=kind,
                spans=spans,
                ci=paper.ci if kind is NoticeKind.WORSE_CI else None,
                report=paper.report,
            )
        )
    return made
