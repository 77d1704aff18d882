"""Who gave which serials to whom, from any number of books and documents: what a search runs over (``claim_rows``).

The same transfer stands in the seller's book, in the buyer's book and on the document between them. Rows of one
transfer share a key (the slip's or document's number, the movement a return or correction names), by which they are
counted once. A claim that ends goes to nobody, the party ``ENDED``.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from provender.custody.events.closing import RetireEvent
from provender.custody.events.corrections import CorrectEvent, ReturnEvent
from provender.custody.events.farm_trade import AssignEvent, PurchaseEvent, ShareEvent, SlipEvent
from provender.custody.events.outside import DocumentEvent
from provender.custody.events.reports import ReportEvent
from provender.custody.events.trade import RejectEvent, SaleEvent
from provender.custody.model import balances
from provender.custody.model import lots as serials
from provender.custody.model.entities import GROWERS, Entity, Period
from provender.custody.model.event import DocumentLine, Event
from provender.custody.model.lots import LIVE, Lot, LotState, Slip, Span
from provender.custody.model.store_view import Posted, StoreView, root_of, with_before
from provender.exact import CI_SCALE, show

SHARE: Final = " share"
"""Key of every share between a farm and its landowner: each book names those that it is shown for itself. Keys that no
number can be begin with a blank."""
ENDED: Final = ""
"""The taker of a claim that was released, lost, retired or voided."""
_VOIDED: Final = "voided"
"""Kind of the rows of ``ended_by_reports``."""
TRADES: Final = ("sale", "document", "slip", "purchase", "assign", "share")
"""Kinds of rows by which title is meant to pass on; the others undo or end."""


class Claim(NamedTuple):
    """One range of serials changing hands, as one source has it."""

    source: int  # number of the file
    kind: str  # the type of the event, or ``document`` and ``slip``
    key: str  # what the rows of one transfer share
    origin: str  # whose serials
    start: int  # first serial, thousandths of a bushel
    stop: int  # the serial after the last
    giver: str  # who had them
    taker: str  # who has them then; ``ENDED`` when the claim ended
    day: date  # the day of it


def claims_of_book(source: int, store: StoreView, events: Iterable[Posted]) -> Iterator[Claim]:
    """Return every change of hands in a book, in the order of the book.

    What a changed report ended was given to nobody: such rows are left out (``ended_by_reports``).
    """
    shown: dict[str, list[Span]] = defaultdict(list)
    for posted in events:
        event = posted.event
        if isinstance(event, DocumentEvent) and not posted.corrected_by:
            yield from _against_the_book(source, store, event)
        if isinstance(event, SlipEvent):
            if not posted.corrected_by:
                yield from (_came_back if event.returned else _left_before)(source, store, event, shown)
            continue
        opened = store.lots_by(event.id)
        undone = store.posted(event.movement) if isinstance(event, CorrectEvent) else None
        # A slip that is taken back says nothing of serials that came back.
        if not opened or (undone and isinstance(undone.event, SlipEvent)):
            continue
        key = _key(store, event)
        parents = {lot.id: lot for lot in store.parents(event.id)}
        of_paper, kind, day = isinstance(event, DocumentEvent), event.type, event.day
        for before, lot in with_before(opened, parents):
            if of_paper:
                yield from _from_the_farm(source, store, (before, lot), event, shown)
            pair = _hands(store, before, lot, event)
            if pair and pair[0] != pair[1] and lot.state is not LotState.VOID:
                yield Claim(source, kind, key, lot.origin, lot.start, lot.stop, *pair, day)


def ended_by_reports(source: int, store: StoreView, events: Iterable[Posted]) -> Iterator[Claim]:
    """Return the serials that a book took for unsold when a report shrank, as given by the farm to nobody.

    What the farm's slips say was sold is not among them: there the book knew better.
    """
    for posted in events:
        event = posted.event
        if not isinstance(event, ReportEvent):
            continue
        for lot in store.lots_by(event.id):
            grower = store.one(Entity, lot.owner)
            if lot.state is not LotState.VOID or lot.by != event.id or not (grower and grower.may(GROWERS)):
                continue
            slips = (span for slip in store.many(Slip, lot.origin) if slip.giver == lot.owner for span in slip.spans)
            for span in serials.subtract_spans([(lot.start, lot.stop)], slips):
                yield Claim(source, _VOIDED, event.id, lot.origin, *span, lot.owner, ENDED, event.day)


def _against_the_book(source: int, store: StoreView, paper: DocumentEvent) -> Iterator[Claim]:
    """Yield what a paper between two others says of serials that lay elsewhere on its day, as this book knows by now.

    When it was taken in the book passed them over, since it had not seen yet where they went.
    """
    if store.owner in ("", paper.giver, paper.taker):
        return
    for line in paper.lines:
        stop = line.start + line.bushels
        lots: Sequence[Lot] = store.lots_at(line.origin, line.start, stop) if line.origin else ()
        here = balances.slips_here(store, line.origin) if lots else []
        for lot in lots:
            gone_on = balances.may_be_sold_elsewhere(store, lot, line.start, stop, here)
            if not balances.may_have_been_elsewhere(store, lot, paper.day, gone_on=gone_on):
                span = (max(line.start, lot.start), min(stop, lot.stop))
                yield Claim(source, paper.type, paper.number, line.origin, *span, paper.giver, paper.taker, paper.day)


def _came_back(source: int, store: StoreView, event: SlipEvent, shown: dict[str, list[Span]]) -> Iterator[Claim]:
    """Yield what a slip says of serials that came back to the farm: how they had left it, and their return."""
    earlier = store.one(Slip, event.returned)
    for span in event.spans if earlier else ():
        yield from _shown(source, earlier, event.origin, span, shown)
        if earlier:
            back = (earlier.taker, earlier.giver)
            key = back_of(serials.slip_number(earlier.id, earlier.giver))
            yield Claim(source, "return", key, event.origin, *span, *back, event.day)


def _left_before(source: int, store: StoreView, event: SlipEvent, shown: dict[str, list[Span]]) -> Iterator[Claim]:
    """Yield what a slip to a party elsewhere says of serials that this book first saw on a trader's document."""
    slip = store.one(Slip, event.id) if store.owner and not store.many(Period, event.taker) else None
    if slip is None:
        return
    unseen = serials.subtract_spans(slip.spans, balances.seen_on_documents(store, event.origin))
    for span in serials.subtract_spans(slip.spans, unseen):
        yield from _shown(source, slip, event.origin, span, shown)


def _shown(source: int, slip: Slip | None, origin: str, span: Span, shown: dict[str, list[Span]]) -> Iterator[Claim]:
    """Yield what a slip assigns of some serials, each serial once in a book."""
    if slip is None:
        return
    for start, stop in serials.subtract_spans(serials.overlaps(slip.spans, [span]), shown[slip.id]):
        number = serials.slip_number(slip.id, slip.giver)
        yield Claim(source, "slip", number, origin, start, stop, slip.giver, slip.taker, slip.day)
        shown[slip.id].append((start, stop))


def back_of(number: str) -> str:
    """Return the key of whatever takes a transfer back: a return, a refusal, a correction.

    The seller's book may have taken a sale back as entered in error while the buyer's returned it: one change of hands.
    """
    return f" back of {number}"


def _hands(store: StoreView, before: Lot | None, after: Lot, event: Event) -> tuple[str, str] | None:
    """Return giver and taker of serials, by their lots; None where serials come into being."""
    taker = after.owner if after.state in LIVE else ENDED
    if isinstance(event, DocumentEvent):
        if after.by == event.id:
            return event.giver, taker
        # What is left of another's lot once its paper has cut it, its own book knows: here its pounds are a guess.
        if store.owner not in ("", after.owner):
            return None
    if before is None:
        return None
    giver = before.owner if before.state in LIVE else ENDED
    paper = _corrected_paper(store, event) if isinstance(event, CorrectEvent) else None
    if paper and after.by == event.id:
        # Whoever had them here before, the one who wrote the paper gave them, and has them when it is taken back.
        return (giver, paper.giver) if giver == paper.taker else (paper.giver, taker)
    return giver, taker


def _corrected_paper(store: StoreView, event: CorrectEvent) -> DocumentEvent | None:
    posted = store.posted(event.id)
    root = root_of(store, posted).event if posted else None
    return root if isinstance(root, DocumentEvent) else None


def _from_the_farm(
    source: int, store: StoreView, lots: tuple[Lot | None, Lot], event: Event, shown: dict[str, list[Span]]
) -> Iterator[Claim]:
    """Yield what a farm's slips to parties elsewhere say of serials that came back on a document (``handed_on``)."""
    before, after = lots
    if not isinstance(event, DocumentEvent) or before is None or before.owner in (event.giver, after.owner):
        return
    for slip in balances.slips_to_others(store, after.origin):
        if slip.giver == before.owner:
            yield from _shown(source, slip, after.origin, (after.start, after.stop), shown)


def _key(store: StoreView, event: Event) -> str:
    if isinstance(event, DocumentEvent):
        return event.number
    if isinstance(event, PurchaseEvent | AssignEvent):
        return serials.slip_number(event.slip, event.giver)
    if isinstance(event, SlipEvent):
        return serials.slip_number(event.id, event.giver)
    if isinstance(event, ShareEvent):
        return SHARE
    if isinstance(event, ReturnEvent | RejectEvent | CorrectEvent):
        return back_of(_number(store, event.movement))
    return event.id


def _number(store: StoreView, movement: str) -> str:
    """Return what all books know a movement by: a document's number, a purchase's slip, or the movement's id."""
    posted = store.posted(movement)
    return _key(store, posted.event) if posted else movement


# The two legs of a trade, compared in everything they say, and the acts by which bushels went back.

Trade = tuple[str, str, str]
"""From whom, to whom, under which number."""


class LegPart(NamedTuple):
    """Serials of a leg as one source has them; the origin is empty where it names none."""

    origin: str
    start: int
    stop: int
    crop: str
    harvest_year: int
    ci: int
    form: str
    pounds: int


class Leg(NamedTuple):
    """What one source says of a trade: the day title passed, and the parts."""

    day: date
    parts: tuple[LegPart, ...]

    @property
    def named(self) -> bool:
        return all(part.origin for part in self.parts)


def leg_of_event(store: StoreView, event: SaleEvent | DocumentEvent | RetireEvent) -> Leg:
    """Return the leg that a book has: what was sold or retired, or what the document said."""
    if isinstance(event, DocumentEvent):
        return leg_of_lines(event.day, event.lines)
    lots = [lot for lot in store.lots_by(event.id) if lot.by == event.id]
    return Leg(event.day, tuple(map(_of_lot, lots)))


def _of_lot(lot: Lot) -> LegPart:
    return LegPart(lot.origin, lot.start, lot.stop, lot.crop, lot.harvest_year, lot.ci, lot.form, lot.product)


def leg_of_lines(day: date, lines: Iterable[DocumentLine]) -> Leg:
    return Leg(
        day,
        tuple(
            LegPart(
                one.origin, one.start, one.start + one.bushels, one.crop, one.harvest_year, one.ci, one.form, one.pounds
            )
            for one in lines
        ),
    )


def leg_of_spans(day: date, origin: str, spans: Iterable[Span]) -> Leg:
    """Return the leg that a slip states: serials, and nothing of the report behind them."""
    return Leg(day, tuple(LegPart(origin, *span, "", 0, 0, "", 0) for span in spans))


_SHOWN: Final[Mapping[str, str]] = {
    "crop": "crop",
    "harvest_year": "harvest year",
    "ci": "carbon intensity",
    "form": "form",
}


def differences(one: Leg, other: Leg) -> Iterator[str]:
    """Yield in words what two legs of one trade say differently; bushels are compared by the caller."""
    if one.day != other.day:
        yield f"title date {one.day} and {other.day}"
    for name, word in _SHOWN.items():
        here, there = _by(one, name), _by(other, name)
        if name == "harvest_year" and 0 in here.keys() | there.keys():
            continue  # a paper from outside need not say it
        # Where one has fewer bushels, a value that it lacks may be of those; a value that each has alone is not.
        alone = bool(here.keys() - there.keys()) and bool(there.keys() - here.keys())
        if here != there and (alone or sum(here.values()) == sum(there.values())):
            yield f"{word} {_difference_text(name, here)} and {_difference_text(name, there)}"
    if (mine := _pounds(one)) != (its := _pounds(other)):
        yield f"pounds {_difference_text('pounds', mine)} and {_difference_text('pounds', its)}"
    if one.named != other.named:
        yield "serials in one, none in the other"
    elif one.named and _serials(one) != _serials(other) and _size(one) == _size(other):
        yield "serials"


def _by(leg: Leg, name: str) -> Counter[object]:
    found: Counter[object] = Counter()
    for part in leg.parts:
        found[getattr(part, name)] += part.stop - part.start
    return found


def _pounds(leg: Leg) -> Counter[object]:
    found: Counter[object] = Counter()
    for part in leg.parts:
        found[part.form] += part.pounds
    return +found


def _difference_text(name: str, found: Counter[object]) -> str:
    if name == "ci":
        return ", ".join(show(int(str(ci)), CI_SCALE) for ci in sorted(found, key=str))
    if name == "pounds":
        return ", ".join(f"{show(found[form], group=True)} of {form}" for form in sorted(found, key=str)) or "none"
    return ", ".join(str(one) for one in sorted(found, key=str))


def _size(leg: Leg) -> int:
    return sum(part.stop - part.start for part in leg.parts)


def _serials(leg: Leg) -> dict[str, list[Span]]:
    found: dict[str, list[Span]] = defaultdict(list)
    for part in leg.parts:
        found[part.origin].append((part.start, part.stop))
    return {origin: serials.joined(spans) for origin, spans in found.items()}


class OneSided(NamedTuple):
    """Bushels that one party's book has back and the other's still has."""

    trade: Trade  # the trade they went by
    back: int  # the file in which they are back
    still: int  # the file that has them as they were
    bushels: int  # thousandths


def one_sided(
    claims: Sequence[Claim], books: Mapping[int, frozenset[str]], doubled: Mapping[str, Sequence[Span]]
) -> Iterator[OneSided]:
    """Yield what went back in the book of one party and not in that of the other, but for what is told as doubled."""
    forth: dict[Trade, dict[int, dict[str, list[Span]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    again: dict[Trade, dict[int, dict[str, list[Span]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    undone = {trade for one in claims if one.key.startswith(_BACK) for trade in _trades_of(one)}
    for one in claims if undone else ():
        number, times = _undone(one.key)
        span = (one.start, one.stop)
        if times % 2:
            again[one.taker, one.giver, number][one.source][one.origin].append(span)
        elif times:
            # What was taken back in error is on its way once more.
            held = again[one.giver, one.taker, number][one.source]
            held[one.origin] = serials.subtract_spans(held[one.origin], [span])
        elif one.kind in TRADES and (one.giver, one.taker, number) in undone:
            forth[one.giver, one.taker, number][one.source][one.origin].append(span)
    for trade in sorted(again):
        parties = set(trade[:2])
        for back, spans in sorted(again[trade].items()):
            for still, had in sorted(forth[trade].items()):
                others = books.get(still, frozenset()) & parties - books.get(back, frozenset())
                if still == back or not others:
                    continue
                left = sum(
                    serials.length(
                        serials.subtract_spans(
                            serials.common_spans(spans[origin], had[origin]),
                            [*again[trade][still][origin], *doubled.get(origin, ())],
                        )
                    )
                    for origin in list(spans)
                )
                if left:
                    yield OneSided(trade, back, still, left)


_BACK: Final = back_of("")


def _trades_of(one: Claim) -> tuple[Trade, Trade]:
    """Return which trades a claim that takes something back may be about."""
    number, _ = _undone(one.key)
    return (one.taker, one.giver, number), (one.giver, one.taker, number)


def _undone(key: str) -> tuple[str, int]:
    """Return the number of a trade from the key of a claim, and how often it was taken back and given again."""
    times = 0
    while key.startswith(_BACK):
        key, times = key.removeprefix(_BACK), times + 1
    return key, times
