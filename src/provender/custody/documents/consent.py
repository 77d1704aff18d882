"""The paper by which a party agrees that bushels go back: a return slip, a refusal, a correction (interpretation 78).

It is written from the book of the one who had the bushels, once that book has them no longer, and entered into the
other's: as the act itself, or as what settles the dispute that the other's own entry began.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import count
from typing import Any, Final

from provender.custody.documents.build import FORMAT, party
from provender.custody.documents.read import Fields
from provender.custody.events.consent import CONSENT, number_of
from provender.custody.events.correction import CorrectEvent
from provender.custody.events.dispute import SettleEvent, trade_behind
from provender.custody.events.document import DocumentEvent
from provender.custody.events.goods_return import ReturnEvent, moved_by
from provender.custody.events.sale import RejectEvent
from provender.custody.model.entities import Entity
from provender.custody.model.event import Event, Range
from provender.custody.model.lots import Lot, LotState, Span, joined
from provender.custody.model.periods import Period
from provender.custody.model.store_view import Posted, StoreView, taken_back_by
from provender.problem import Problem, refuse
from provender.quantity import CI_SCALE, show

NAME: Final = CONSENT
"""The document's type."""
ACTS: Final = ("return", "reject", "correct")
WORDS: Final = {
    "return": "The bushels named were given back.",
    "reject": "The delivery was refused: the bushels named were not taken.",
    "correct": "The sale was entered in error: the bushels named go back.",
}


@dataclass(frozen=True, slots=True)
class Consent:
    """A consent as read.

    Attributes:
        number: the writer's number of it.
        seller: who writes: the one who had the bushels.
        buyer: who gets them back.
        day: the day of the act.
        act: what became of them.
        movement: the number of the trade that both know.
        spans: which serials of which origin, with the pounds of a product; 0 where the paper says none.
        signed: the whole envelope as one line of JSON.
    """

    number: str
    seller: str
    buyer: str
    day: date
    act: str
    movement: str
    spans: tuple[Range, ...]
    signed: str


def consent_document(facts: StoreView, me: str, event: str, *, as_of: date) -> dict[str, Any]:
    """Return what a party says of bushels that it gave back, refused, or took back the entry of.

    Raises:
        ProblemsError: the book has no such act of that party.
    """
    posted = facts.posted(event)
    gone = [lot for lot in moved_by(facts, event) if lot.owner != me] if posted else []
    if posted is None or posted.request.type not in ACTS or not gone:
        remedy = "Name a return, a refusal or a correction by which the other party has bushels again."
        raise refuse(event, "The book has no such act.", remedy, cite="2100.032(a)")
    if by := taken_back_by(facts, posted):
        remedy = "Make a paper for the act that replaces it."
        raise refuse(event, f"This was taken back by {by}.", remedy, cite="2100.032(a)")
    trade = trade_behind(facts, posted).request
    # A document taken back may leave the bushels with the farm that signed them away: its writer is who gets them.
    gets = trade.giver if isinstance(trade, DocumentEvent) else gone[0].owner
    return {
        "type": CONSENT,
        "format": FORMAT,
        "number": event,
        "made_on": as_of.isoformat(),
        "seller": party(facts, me),
        "buyer": party(facts, gets),
        "day": posted.request.day.isoformat(),
        "act": posted.request.type,
        "words": WORDS[posted.request.type],
        "movement": number_of(trade),
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
        Range(row.text("origin"), row.number("start"), row.number("stop"), row.number("product_lb", needed=False))
        for row in rows
    )
    parties = doc.part("seller").name("id"), doc.part("buyer").name("id")
    consent = Consent(doc.name("number"), *parties, doc.day("day"), act, doc.text("movement"), spans, "")
    return (None, problems) if problems else (consent, [])


def consent_events(paper: Consent, facts: StoreView, day: date, site: str = "") -> list[Event]:
    """Return the events that a consent makes: each dispute it settles, or the act itself.

    Raises:
        ProblemsError: the book has no trade of that number with the party.
    """
    # Between two others it happened when it did; what comes back to this book comes back today.
    between = bool(facts.owner) and facts.owner not in (paper.seller, paper.buyer)
    name, when = f"consent-{paper.seller}-{paper.number}", paper.day if between else max(day, paper.day)
    known = facts.posted(name)
    rest = _still_there(facts, paper) if known and between else ""
    if known and not rest:
        return [known.request]
    lots = [lot for one in paper.spans for lot in facts.lots_at(one.origin, one.start, one.stop)]
    acts = dict.fromkeys(lot.by for lot in lots if lot.state is LotState.DISPUTED and lot.owner == paper.buyer)
    if acts:
        return _settled(paper, acts, name, when)
    trade = rest or _trade(facts, paper)
    if known:  # shown again after more of its trade: now the book can follow the rest
        name = next(other for number in count(2) if not facts.posted(other := f"{name}-{number}"))
    if not trade and not between:
        cause = f"The book has no trade {paper.movement} with {paper.seller} about these serials."
        raise refuse(paper.number, cause, "Ask the sender which sale of yours it means.", cite="2100.032(a)")
    site = site or _home(facts, paper, trade)
    if trade and paper.act == "correct":
        why = f"agreed by {paper.seller}"
        return [CorrectEvent(id=name, day=when, entity=paper.buyer, movement=trade, reason=why, paper=paper.signed)]
    if trade and paper.act == "reject":
        return [
            RejectEvent(
                id=name, day=when, giver=paper.buyer, taker=paper.seller, movement=trade, site=site, paper=paper.signed
            )
        ]
    cut = (len(facts.lots_at(one.origin, one.start, one.stop)) for one in paper.spans)
    ranges = tuple(one if lots == 1 else replace(one, pounds=0) for one, lots in zip(paper.spans, cut, strict=True))
    if between:
        ranges = _seen(facts, paper, trade)
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


def _home(facts: StoreView, paper: Consent, trade: str) -> str:
    """Return the site to which bushels come back where none is named: where they were before the trade."""
    parents = facts.parents(trade) if trade else ()
    before = next((lot.site for lot in parents if lot.owner == paper.buyer), "")
    gets = facts.one(Entity, paper.buyer)
    if before or gets is None or facts.many(Period, gets.id):
        return before
    return next(iter(gets.sites), "")  # where a house elsewhere keeps it this book does not say


def _settled(paper: Consent, acts: Iterable[str], name: str, day: date) -> list[Event]:
    """Return an end for each disputed act; ids follow from the paper."""
    return [
        SettleEvent(
            id=name if number == 1 else f"{name}-{number}", day=day, entity=paper.seller, movement=act,
            paper=paper.signed,
        )
        for number, act in enumerate(acts, 1)
    ]  # fmt: skip


def _seen(facts: StoreView, paper: Consent, trade: str) -> tuple[Range, ...]:
    """Return what a paper between two others names and this book has with its writer by that trade.

    Of a trade that this book never saw it is all that the writer has of these serials now and had before that day: what
    came to it on the day itself, by a trade that this book knows, may have come after it gave the same serials back.

    Raises:
        ProblemsError: that is nothing.
    """
    had: list[Lot] | tuple[Range, ...] = paper.spans
    if trade:
        had = [lot for lot in moved_by(facts, trade) for one in paper.spans if lot.origin == one.origin]
    found: dict[str, list[Span]] = {}
    for one in paper.spans:
        for lot in facts.lots_at(one.origin, one.start, one.stop):
            if not trade and lot.titled >= paper.day:
                continue
            mine_of = (each for each in had if each.origin == one.origin)
            spans = ((max(lot.start, each.start, one.start), min(lot.stop, each.stop, one.stop)) for each in mine_of)
            mine = [span for span in spans if span[0] < span[1] and lot.owner == paper.seller]
            found.setdefault(one.origin, []).extend(mine)
    ranges = tuple(Range(origin, *span) for origin in sorted(found) for span in joined(found[origin]))
    if not ranges:
        cause = f"This book has nothing of {paper.movement} with {paper.seller}."
        raise refuse(paper.number, cause, "Nothing to do: what went back is not on this book's way.")
    return ranges


def _trade(facts: StoreView, paper: Consent) -> str:
    """Return the trade by which the writer had the bushels, as this book calls it; empty where it has none."""
    steps = (step for one in paper.spans for step in facts.steps_of(one.origin))
    for name in dict.fromkeys(step.movement for step in steps):
        posted = facts.posted(name)
        if posted and number_of(posted.request) == paper.movement and _is_trade(posted, paper):
            return name
    return ""


def _still_there(facts: StoreView, paper: Consent) -> str:
    """Return the trade by which the writer still has bushels that the paper gives back; empty where there is none."""
    for lot in (lot for one in paper.spans for lot in facts.lots_at(one.origin, one.start, one.stop)):
        posted = facts.posted(lot.by) if lot.owner == paper.seller else None
        if posted and number_of(posted.request) == paper.movement and _is_trade(posted, paper):
            return lot.by
    return ""


def _is_trade(posted: Posted, paper: Consent) -> bool:
    sold = (getattr(posted.request, "giver", ""), getattr(posted.request, "taker", "")) == (paper.buyer, paper.seller)
    return sold and (isinstance(posted.request, DocumentEvent) or posted.request.type not in ACTS)
