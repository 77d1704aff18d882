"""The paper by which a party agrees that bushels go back: a return slip, a refusal, a correction (interpretation 78).

It is written from the book of the one who had the bushels, once that book has them no longer, and entered into the
other's: as the act itself, or as what settles the dispute that the other's own entry began.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from provender.custody.documents import build
from provender.custody.documents.build import paper_head
from provender.custody.documents.read import Fields
from provender.custody.documents.refiner_figures import FIGURES, figures_document
from provender.custody.events.closing import Closing
from provender.custody.events.corrections import CorrectEvent, ReturnEvent, moved_by
from provender.custody.events.outside import DocumentEvent, NoticeEvent
from provender.custody.events.reports import Notice, NoticeKind
from provender.custody.events.trade import CONSENT, RejectEvent, SettleEvent, trade_behind
from provender.custody.events.trade import number_of as trade_number_of
from provender.custody.model.entities import Entity, Period
from provender.custody.model.event import Event, Range
from provender.custody.model.lots import (
    LIVE,
    Lot,
    LotState,
    Origin,
    Slip,
    Span,
    joined,
    length,
    overlaps,
    subtract_spans,
)
from provender.custody.model.store_view import Posted, StoreView, free_name, taken_back_by
from provender.exact import CI_SCALE, parse, show
from provender.problem import Problem, ProblemsError, refuse
from provender.rule.law import rule_version

NAME: Final = CONSENT
"""The document's type."""
ACTS: Final = ("return", "reject", "correct")
"""By these serials are again whose they were before: nobody gets them anew by one."""
WORDS: Final = {
    "return": "The bushels named were given back.",
    "reject": "The delivery was refused: the bushels named were not taken.",
    "correct": "The sale was entered in error: the bushels named go back.",
}


@dataclass(frozen=True, slots=True)
class Consent:
    """A consent as read."""

    number: str  # the writer's number of it
    seller: str  # who writes: the one who had the bushels
    buyer: str  # who gets them back
    day: date  # the day of the act
    act: str  # what became of them
    movement: str  # the number of the trade that both know
    spans: tuple[Range, ...]  # which serials of which origin, with the pounds of a product; 0 where the paper says none
    signed: str  # the whole envelope as one line of JSON


def consent_document(store: StoreView, me: str, event: str, *, as_of: date) -> dict[str, Any]:
    """Return what a party says of bushels that it gave back, refused, or took back the entry of.

    Raises:
        ProblemsError: the book has no such act of that party.
    """
    posted = store.posted(event)
    gone = [lot for lot in moved_by(store, event) if lot.owner != me] if posted else []
    if posted is None or posted.event.type not in ACTS or not gone:
        remedy = "Name a return, a refusal or a correction by which the other party has bushels again."
        raise refuse(event, "The book has no such act.", remedy, cite="2100.032(a)")
    if by := taken_back_by(store, posted):
        remedy = "Make a paper for the act that replaces it."
        raise refuse(event, f"This was taken back by {by}.", remedy, cite="2100.032(a)")
    trade = trade_behind(store, posted).event
    # A document taken back may leave the bushels with the farm that signed them away: its writer is who gets them.
    gets = trade.giver if isinstance(trade, DocumentEvent) else gone[0].owner
    return {
        **paper_head(CONSENT, event, as_of, store, me, gets),
        "day": posted.event.day.isoformat(),
        "act": posted.event.type,
        "words": WORDS[posted.event.type],
        "movement": trade_number_of(trade),
        "spans": list(_spans(gone)),
    }


def _spans(gone: Sequence[Lot]) -> Iterator[dict[str, str]]:
    """Yield the serials that go back, as what they are now: a report amended in between was told to their holder alone.

    They go lot by lot, a product with its pounds, so that both books round alike, also what is made of them later.
    """
    for lot in sorted(gone, key=lambda lot: (lot.origin, lot.ci, lot.is_product, lot.start)):
        row = {"origin": lot.origin, "start": show(lot.start), "stop": show(lot.stop)}
        pounds = {"product_lb": show(lot.product)} if lot.is_product else {}
        yield {**row, "ci_g_per_bu": show(lot.ci, CI_SCALE), **pounds}


def read_consent(data: object, file: str) -> tuple[Consent | None, list[Problem]]:
    """Read a consent without its signature; ``signed`` is filled by who has the envelope."""
    problems: list[Problem] = []
    doc = Fields(data, file, problems)
    if doc.data.get("type") != CONSENT:
        doc.fault("type", f"is not {CONSENT}")
    act = doc.text("act")
    if act not in ACTS:
        doc.fault("act", f"{act!r} is none of {', '.join(ACTS)}")
    rows = doc.rows("spans")
    for row in rows:
        row.number("ci_g_per_bu", CI_SCALE, needed=False)
    spans = tuple(
        Range(row.code("origin"), row.number("start"), row.number("stop"), row.number("product_lb", needed=False))
        for row in rows
    )
    parties = doc.part("seller").name("id"), doc.part("buyer").name("id")
    consent = Consent(doc.name("number"), *parties, doc.day("day"), act, doc.text("movement"), spans, "")
    return (None, problems) if problems else (consent, [])


def consent_events(paper: Consent, store: StoreView, day: date, site: str = "") -> list[Event]:
    """Return the events that a consent makes: each dispute it settles, or the act itself.

    Raises:
        ProblemsError: the book has no trade of that number with the party.
    """
    # Between two others it happened when it did; what comes back to this book comes back today.
    between = bool(store.owner) and store.owner not in (paper.seller, paper.buyer)
    name, when = f"consent-{paper.seller}-{paper.number}", paper.day if between else max(day, paper.day)
    known = store.posted(name)
    rest = _still_there(store, paper) if known and between else ""
    if known and not rest:
        return [known.event]
    lots = [lot for one in paper.spans for lot in store.lots_at(one.origin, one.start, one.stop)]
    acts = dict.fromkeys(lot.by for lot in lots if lot.state is LotState.DISPUTED and lot.owner == paper.buyer)
    if acts:
        return _settled(paper, acts, name, when)
    trade = rest or _trade(store, paper)
    if known:  # shown again after more of its trade: now the book can follow the rest
        name = free_name(store, name)
    if not trade and not between:
        cause = f"The book has no trade {paper.movement} with {paper.seller} about these serials."
        raise refuse(paper.number, cause, "Ask the sender which sale of yours it means.", cite="2100.032(a)")
    site = site or _home(store, paper, trade)
    if trade and paper.act == "correct":
        why = f"agreed by {paper.seller}"
        return [CorrectEvent(id=name, day=when, entity=paper.buyer, movement=trade, reason=why, paper=paper.signed)]
    if trade and paper.act == "reject":
        return [
            RejectEvent(
                id=name, day=when, giver=paper.buyer, taker=paper.seller, movement=trade, site=site, paper=paper.signed
            )
        ]
    cut = (len(store.lots_at(one.origin, one.start, one.stop)) for one in paper.spans)
    ranges = tuple(one if lots == 1 else replace(one, pounds=0) for one, lots in zip(paper.spans, cut, strict=True))
    if between:
        ranges = _seen(store, paper, trade)
    return [
        ReturnEvent(
            id=name,
            day=when,
            giver=paper.seller,
            taker=paper.buyer,
            movement=trade or paper.movement,
            lots=ranges,
            site=site,
            paper=paper.signed,
        )
    ]


def _home(store: StoreView, paper: Consent, trade: str) -> str:
    """Return the site to which bushels come back where none is named; none where each comes back to its own."""
    parents = store.parents(trade) if trade else ()
    before = {lot.site for lot in parents if lot.site and lot.owner == lot.custodian == paper.buyer}
    gets = store.one(Entity, paper.buyer)
    if before or gets is None or store.many(Period, gets.id):
        return before.pop() if len(before) == 1 else ""
    return next(iter(gets.sites), "")  # where a party elsewhere keeps it this book does not say


def _settled(paper: Consent, acts: Iterable[str], name: str, day: date) -> list[Event]:
    """Return an end for each disputed act; ids follow from the paper."""
    return [
        SettleEvent(
            id=name if number == 1 else f"{name}-{number}", day=day, entity=paper.seller, movement=act,
            paper=paper.signed,
        )
        for number, act in enumerate(acts, 1)
    ]  # fmt: skip


def _seen(store: StoreView, paper: Consent, trade: str) -> tuple[Range, ...]:
    """Return what a paper between two others names and this book has with its writer by that trade.

    Of a trade that this book never saw it is all that the writer has of these serials now and had before that day: what
    came to it on the day itself, by a trade that this book knows, may have come after it gave the same serials back.

    Raises:
        ProblemsError: that is nothing.
    """
    had: list[Lot] | tuple[Range, ...] = paper.spans
    if trade:
        had = [lot for lot in moved_by(store, trade) for one in paper.spans if lot.origin == one.origin]
    found: dict[str, list[Span]] = {}
    for one in paper.spans:
        for lot in store.lots_at(one.origin, one.start, one.stop):
            if not trade and lot.titled >= paper.day:
                continue
            if lot.owner == paper.seller:
                mine = [(each.start, each.stop) for each in had if each.origin == one.origin]
                spans = overlaps(overlaps([(lot.start, lot.stop)], [(one.start, one.stop)]), mine)
                found.setdefault(one.origin, []).extend(spans)
    ranges = tuple(Range(origin, *span) for origin in sorted(found) for span in joined(found[origin]))
    if not ranges:
        cause = f"This book has nothing of {paper.movement} with {paper.seller}."
        raise refuse(paper.number, cause, "Nothing to do: what went back is not on this book's way.")
    return ranges


def _trade(store: StoreView, paper: Consent) -> str:
    """Return the trade by which the writer had the bushels, as this book calls it; empty where it has none."""
    steps = (step for one in paper.spans for step in store.steps_of(one.origin))
    for name in dict.fromkeys(step.movement for step in steps):
        posted = store.posted(name)
        if posted and trade_number_of(posted.event) == paper.movement and _is_trade(posted, paper):
            return name
    return ""


def _still_there(store: StoreView, paper: Consent) -> str:
    """Return the trade by which the writer still has bushels that the paper gives back; empty where there is none."""
    for lot in (lot for one in paper.spans for lot in store.lots_at(one.origin, one.start, one.stop)):
        posted = store.posted(lot.by) if lot.owner == paper.seller else None
        if posted and trade_number_of(posted.event) == paper.movement and _is_trade(posted, paper):
            return lot.by
    return ""


def _is_trade(posted: Posted, paper: Consent) -> bool:
    sold = (getattr(posted.event, "giver", ""), getattr(posted.event, "taker", "")) == (paper.buyer, paper.seller)
    return sold and (isinstance(posted.event, DocumentEvent) or posted.event.type not in ACTS)


# The notice as a document: written from the seller's book, read into the buyer's (interpretation 35).
#
# One document tells one holder what one change of one report means for the serials it was given. Origins stay blinded.

NOTICE: Final = "custody-notice"
_DIGITS: Final = 16
NOTICE_WORDS: Final = {
    NoticeKind.WORSE_CI: "The farm's report was amended: these bushels have the carbon intensity given here.",
    NoticeKind.FEWER_BUSHELS: "The farm's report was amended: these bushels are no longer in it and carry no claim.",
    NoticeKind.WITHDRAWN: "The farm's report was withdrawn: its bushels carry no claim.",
    NoticeKind.SUSPENDED: "The farm's report is suspended: its claims rest until it is reinstated.",
    NoticeKind.REINSTATED: "The farm's report is in force again.",
}


@dataclass(frozen=True, slots=True)
class NoticePaper:
    """A notice as read."""

    number: str  # the sender's number of it
    seller: str  # who sends it
    buyer: str  # who is told
    day: date  # the day of the change
    origin: str  # whose serials, blinded
    ci: int | None  # the carbon intensity they have now; None where that did not change
    report: str  # hash of the new version of the report; empty where there is none
    changes: tuple[tuple[NoticeKind, tuple[Span, ...]], ...]  # what changed, and for which serials


def holders_to_notify(store: StoreView, event: str, sender: str) -> list[str]:
    """Return to whom a sender gave the bushels that an event changed; in order of their ids."""
    return sorted({one.holder for one in given_by(store, sender, _notices_by_event(store, event))})


def _notices_of(store: StoreView, origin: str) -> list[Notice]:
    everyone = (one for holder in store.many(Entity, "") for one in store.many(Notice, holder.id))
    return [one for one in everyone if one.origin == origin]


def _notices_by_event(store: StoreView, event: str) -> list[Notice]:
    everyone = (one for holder in store.many(Entity, "") for one in store.many(Notice, holder.id))
    found = [one for one in everyone if one.number.startswith(f"{event}/notice/")]
    posted = store.posted(event)
    request = posted.event if posted else None
    return [*found, *_first_writer(store, request)] if isinstance(request, NoticeEvent) else found


def _first_writer(store: StoreView, event: NoticeEvent) -> Iterator[Notice]:
    """Yield what a notice means for whoever wrote the first paper over its serials and has some of them again.

    A change that reaches the book by another is news to that one too; the book itself states only what others are told.
    """
    origin = store.one(Origin, event.origin)
    if origin is None or origin.issuer == event.giver:
        return
    for start, stop in event.spans:
        for lot in store.lots_at(origin.id, start, stop):
            if lot.owner == origin.issuer and lot.state is not LotState.LOST:
                spans = (max(start, lot.start), min(stop, lot.stop))
                number, day, why = f"{event.id}/notice/0", event.day, event.reason
                yield Notice(number, lot.owner, origin.id, *spans, day, why, "", why)


def given_by(store: StoreView, sender: str, told: Sequence[Notice]) -> list[Notice]:
    """Return notices of the serials that the sender gave, for whoever had them from it last.

    Papers between others may have shown the sender who has them now; it never sold to that one. Each tells those it
    sold to, and so the change follows the bushels.
    """
    changed: defaultdict[str, list[Notice]] = defaultdict(list)
    for one in told:
        changed[one.origin].append(one)
    found = []
    for origin, notices in changed.items():
        for start, stop, taker in _handed_out(store, sender, origin, [(one.start, one.stop) for one in notices]):
            for one in notices:
                for low, high in overlaps([(start, stop)], [(one.start, one.stop)]):
                    found.append(replace(one, holder=taker, start=low, stop=high))
    return found


def _handed_out(store: StoreView, sender: str, origin: str, asked: Sequence[Span]) -> Iterator[tuple[int, int, str]]:
    """Yield who had serials from a sender last, the latest first; whoever gave them back to it has them no more.

    What the sender took back without the other's paper the other may still have: that one is told.
    """
    left: list[Span] = joined(asked)
    back: list[Span] = []
    for step in reversed(store.steps_of(origin)):
        if not left:
            return
        lot = step.before if step.before and step.after.state is LotState.VOID else step.after
        spans = overlaps(left, [(step.after.start, step.after.stop)])
        away = subtract_spans(spans, back)
        if lot.supplier == sender != lot.owner:
            yield from ((start, stop, lot.owner) for start, stop in away)
        elif lot.owner != sender:
            # What the sender gave back counts as if it had never come: whom it gave it to since then had given it back.
            back += away if step.before and step.before.owner == sender else []
            continue
        elif lot.state is LotState.DISPUTED:
            continue
        elif step.type not in ACTS and (step.before is None or step.before.owner != sender):
            back = subtract_spans(back, spans)
        left = subtract_spans(left, away)


def notice_document(store: StoreView, sender: str, event: str, holder: str, *, as_of: date) -> dict[str, Any]:
    """Return what a change of a report means for one holder of its bushels.

    The event is the one by which the report changed: its new version, its suspension or withdrawal, or a notice
    received.

    Raises:
        ProblemsError: the book has no such event, or it changed nothing for that holder.
    """
    posted = store.posted(event)
    if posted is None:
        remedy = "Name the report's new version, its suspension or withdrawal, or the notice you received."
        raise refuse(event, "The book has no event of this name.", remedy, cite="2100.032(a)")
    told = [one for one in given_by(store, sender, _notices_by_event(store, event)) if one.holder == holder]
    if not told:
        others = ", ".join(one for one in holders_to_notify(store, event, sender) if one != holder) or "nobody"
        remedy = f"Name one of those it concerns: {others}."
        cause = f"It changed nothing for {holder}." if holder else "It is not said who is to be told."
        raise refuse(event, cause, remedy, cite="2100.032(a)")
    origin = store.one(Origin, told[0].origin)
    assert origin is not None  # noqa: S101 - a notice is only ever stated about an origin of the book
    law = rule_version(posted.event.day)
    return {
        **paper_head(NOTICE, number_of(posted, holder), as_of, store, sender, holder),
        "rule": {"id": law.id, "citation": law.citation, "cite": ["2100.032(a)"]},
        "day": posted.event.day.isoformat(),
        "crop": origin.crop,
        "harvest_year": origin.harvest_year,
        "origin": origin.id,
        "ci_g_per_bu": show(ci, CI_SCALE) if (ci := ci_told(posted, told)) is not None else None,
        "report": getattr(posted.event, "report", ""),
        "changes": [_change(kind, told) for kind in NOTICE_WORDS if any(one.change is kind for one in told)],
    }


def number_of(posted: Posted, holder: str) -> str:
    """Return the number of a notice: the event's name may hold the farm's, which the holder may not learn."""
    return f"{posted.digest[:_DIGITS]}/{holder}"


def ci_told(posted: Posted, told: Sequence[Notice]) -> int | None:
    """Return the carbon intensity that bushels have now; None where it did not change."""
    worse = any(one.change is NoticeKind.WORSE_CI for one in told)
    return getattr(posted.event, "ci", None) if worse else None


def _change(kind: NoticeKind, told: Sequence[Notice]) -> dict[str, object]:
    spans = joined((one.start, one.stop) for one in told if one.change is kind)
    return {
        "change": str(kind),
        "words": NOTICE_WORDS[kind],
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
    paper = NoticePaper(doc.name("number"), *parties, doc.day("day"), doc.code("origin"), ci, report, changes)
    return (None, problems) if problems else (paper, [])


def _read_change(row: Fields) -> tuple[NoticeKind, tuple[Span, ...]]:
    spans = tuple((one.number("start"), one.number("stop")) for one in row.rows("spans"))
    if sum(stop - start for start, stop in spans) != row.number("bushels"):
        row.fault("bushels", "differs from the serial ranges")
    named = row.text("change")
    if named not in set(NOTICE_WORDS):
        row.fault("change", f"{named!r} is none of {', '.join(NOTICE_WORDS)}")
        return NoticeKind.SUSPENDED, spans
    return NoticeKind(named), spans


def notice_events(paper: NoticePaper, store: StoreView, day: date) -> list[NoticeEvent]:
    """Return the events that a notice makes, one a change, on the day it is received; a repeat keeps its day."""
    made = []
    for kind, spans in paper.changes:
        name = f"notice-{paper.seller}-{paper.number}-{kind}"
        known = store.posted(name)
        made.append(
            NoticeEvent(
                id=name,
                day=known.event.day if known else max(day, paper.day),
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


# Signed papers made again from a book, so that each kind is held against what its signer's book says.

Document = Mapping[str, Any]
_ISSUERS: Final = {build.PERIOD: "entity", build.RESTATEMENT: "entity", FIGURES: "refiner"}
"""Which party of a paper signs it; of all others the seller."""


def issuer_of(document: Document) -> str:
    """Return the party that must have signed a paper."""
    return str(document[_ISSUERS.get(str(document["type"]), "seller")]["id"])


def parties_of(document: Document) -> set[str]:
    """Return who signed a paper, and to whom it is, as far as it says so."""
    buyer = document.get("buyer")
    return {issuer_of(document), *([str(buyer.get("id"))] if isinstance(buyer, Mapping) else [])}


def again(store: StoreView, document: Document) -> list[dict[str, Any]]:
    """Return what the book of a paper's signer could have given it as, one of which it must be.

    Raises:
        ProblemsError: the book has nothing to make it from.
    """
    return _AGAIN[str(document["type"])](store, document)


def decided(document: Document) -> dict[str, Any]:
    """Return what of a paper the book of its signer decides; the rest is of the day of making, or of other papers."""
    kind, keep = str(document["type"]), dict[str, Any]()
    if kind == FIGURES:
        sums = {name: [{**one, "kg_per_mmbtu": None} for one in document[name]] for name in ("crops", "periods")}
        keep = {**sums, "batches": list(document["batches"]), "lots": list(_retired(document["lots"]))}
    elif kind == CONSENT:
        spans = [(one["origin"], (parse(one["start"]), parse(one["stop"]))) for one in document["spans"]]
        keep = {name: document[name] for name in ("day", "act", "movement")} | {"spans": _by_origin(spans)}
    elif kind == NOTICE:
        keep = {name: document[name] for name in ("origin", "ci_g_per_bu")}
        keep["changes"] = [
            {
                "change": one["change"],
                "spans": _joined((parse(each["start"]), parse(each["stop"])) for each in one["spans"]),
            }
            for one in document["changes"]
        ]
    return {**keep, "type": kind} if keep else dict(document)


def _joined(spans: Any) -> list[dict[str, str]]:  # noqa: ANN401 - any spans
    return [{"start": show(start), "stop": show(stop)} for start, stop in joined(spans)]


def _by_origin(spans: list[tuple[str, Span]]) -> list[dict[str, str]]:
    found: dict[str, list[Span]] = defaultdict(list)
    for origin, span in spans:
        found[origin].append(span)
    return [{"origin": origin, **one} for origin in sorted(found) for one in _joined(found[origin])]


def _retired(lots: list[Document]) -> Iterator[dict[str, Any]]:
    """Yield what each retirement took, whatever lots a book had cut it into."""
    found: dict[tuple[str, ...], list[Span]] = defaultdict(list)
    names = ("retirement", "day", "fuel", "batch", "origin", "ci_g_per_bu", "form")
    for one in lots:
        found[tuple(str(one[name]) for name in names)].append((parse(one["start"]), parse(one["stop"])))
    for key in sorted(found):
        yield from ({**dict(zip(names, key, strict=True)), **span} for span in _joined(found[key]))


def _day(document: Document) -> date:
    return date.fromisoformat(str(document.get("made_on", "2025-01-17")))


def _transfer(store: StoreView, document: Document) -> list[dict[str, Any]]:
    made = build.transfer_document(store, str(document["number"]), as_of=_day(document))
    # Campaigns of products that came from a supplier: the paper names them, the book does not.
    named = {(line.get("origin"), line.get("start")): line.get("campaign") for line in document["lines"]}
    lines = [
        {**line, "campaign": named.get((line["origin"], line["start"]))}
        if line["product_lb"] is not None and line["campaign"] is None
        else line
        for line in made["lines"]
    ]
    return [{**made, "lines": lines}]


def _slip(store: StoreView, document: Document) -> list[dict[str, Any]]:
    """Return a slip with each version of the report that the farm could have in hand that day."""
    number, day = str(document["number"]), _day(document)
    slip = store.one(Slip, number)
    origin = store.one(Origin, slip.origin) if slip else None
    versions = build.in_force(origin, day) if origin else [None]
    return [build.slip_document(store, number, as_of=day, version=one) for one in versions]


def _period(store: StoreView, document: Document) -> list[dict[str, Any]]:
    return [build.period_document(store, issuer_of(document), date.fromisoformat(str(document["start"])))]


def _restatement(store: StoreView, document: Document) -> list[dict[str, Any]]:
    """Return a restatement after each change of a report behind it: a later one makes no earlier one false."""
    entity, start = issuer_of(document), date.fromisoformat(str(document["start"]))
    closing = store.one(Closing, f"{entity}/{start}")
    if closing is None:
        return _period(store, document)  # which says that there is none
    changes = build.changes_after(store, closing)
    found = [build.restatement_document(store, entity, start, as_of=_day(document), upto=one) for one in changes]
    return found or [build.restatement_document(store, entity, start, as_of=_day(document))]


def _figures(store: StoreView, document: Document) -> list[dict[str, Any]]:
    refiner = issuer_of(document)
    entity = store.one(Entity, refiner)
    if entity is None:
        raise refuse(refiner, "The book does not know this refiner.", "Give the book of the refiner.")
    first, last = (date.fromisoformat(str(document[name])) for name in ("start", "end"))
    return [figures_document(store, entity, (first, last), as_of=_day(document))]


def _consent(store: StoreView, document: Document) -> list[dict[str, Any]]:
    return [consent_document(store, issuer_of(document), str(document["number"]), as_of=_day(document))]


def _notice(store: StoreView, document: Document) -> list[dict[str, Any]]:
    """Return a notice with what its sender's book knows of such a change of these serials.

    What the holder has from the sender moves on and comes back: serials that a change concerned belong to the notice,
    and those that the holder had of the sender at the change and has still may not be left out.
    """
    paper, problems = read_notice(document, "notice")
    if paper is None:
        raise ProblemsError(problems)
    told = [one for one in _notices_of(store, paper.origin) if one.day <= max(paper.day, _day(document))]
    origin = store.one(Origin, paper.origin)
    if origin is None or (not told and origin.issuer != paper.buyer):
        raise refuse(paper.number, "The book has no such change of the report.", "Ask the sender for its book.")
    if not told:
        return [dict(document)]  # of what it tells the first writer a book keeps no notice
    changes = []
    for row, (kind, spans) in zip(document["changes"], paper.changes, strict=True):
        concerned = [one for one in told if one.change is kind]
        left_out = given_by(store, paper.seller, [one for one in concerned if one.holder != paper.seller])
        still = [(one.start, one.stop) for one in left_out if one.holder == paper.buyer]
        mine = [*overlaps(joined(spans), joined((one.start, one.stop) for one in concerned)), *still]
        row_made = {**row, "bushels": show(length(joined(mine))), "spans": _joined(mine)}
        changes += [row_made] if mine else []
    stated = {one.ci for one in origin.versions[1:]}
    is_known = paper.ci is None or paper.ci in stated
    ci = document["ci_g_per_bu"] if is_known else show(origin.current.ci, CI_SCALE)
    return [{**document, "ci_g_per_bu": ci, "changes": changes}]


_AGAIN: Final[Mapping[str, Callable[[StoreView, Document], list[dict[str, Any]]]]] = {
    build.TRANSFER: _transfer,
    build.SLIP: _slip,
    build.PERIOD: _period,
    build.RESTATEMENT: _restatement,
    FIGURES: _figures,
    CONSENT: _consent,
    NOTICE: _notice,
}
"""Every kind of paper that this program signs for a trader or farm, but the report itself, which records make again."""


def passed_over(store: StoreView, document: Document) -> int:
    """Return how many bushels of a notice its buyer's book has as if it had not come, in thousandths."""
    paper, _ = read_notice(document, "notice")
    left: list[Span] = []
    for kind, spans in paper.changes if paper else ():
        for lot in (lot for span in spans for lot in store.lots_at(paper.origin, *span)):  # type: ignore[union-attr]
            gone = kind in (NoticeKind.FEWER_BUSHELS, NoticeKind.WITHDRAWN)
            worse = kind is NoticeKind.WORSE_CI and lot.ci < (paper.ci or 0)  # type: ignore[union-attr]
            if lot.owner == paper.buyer and lot.state in LIVE and (gone or worse):  # type: ignore[union-attr]
                left += overlaps(spans, [(lot.start, lot.stop)])
    return length(joined(left))
