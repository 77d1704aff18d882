"""The two legs of a trade, compared in everything they say, and the acts by which bushels went back."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from provender.custody.events.outside import DocumentEvent
from provender.custody.events.processing import RetireEvent
from provender.custody.events.trade import SaleEvent
from provender.custody.model.event import DocumentLine
from provender.custody.model.lots import Lot, Span, common_spans, joined, length, subtract_spans
from provender.custody.model.store_view import StoreView
from provender.custody.queries.claims import TRADES, Claim, back_of
from provender.exact import CI_SCALE, show

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
        """Tell whether all of it names serials."""
        return all(part.origin for part in self.parts)


def leg_of_event(facts: StoreView, request: SaleEvent | DocumentEvent | RetireEvent) -> Leg:
    """Return the leg that a book has: what was sold or retired, or what the document said."""
    if isinstance(request, DocumentEvent):
        return leg_of_lines(request.day, request.lines)
    lots = [lot for lot in facts.lots_by(request.id) if lot.by == request.id]
    return Leg(request.day, tuple(map(_of_lot, lots)))


def _of_lot(lot: Lot) -> LegPart:
    return LegPart(lot.origin, lot.start, lot.stop, lot.crop, lot.harvest_year, lot.ci, lot.form, lot.product)


def leg_of_lines(day: date, lines: Iterable[DocumentLine]) -> Leg:
    """Return the leg that a document states."""
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
            yield f"{word} {_words(name, here)} and {_words(name, there)}"
    if (mine := _pounds(one)) != (its := _pounds(other)):
        yield f"pounds {_words('pounds', mine)} and {_words('pounds', its)}"
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


def _words(name: str, found: Counter[object]) -> str:
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
    return {origin: joined(spans) for origin, spans in found.items()}


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
            held[one.origin] = subtract_spans(held[one.origin], [span])
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
                    length(
                        subtract_spans(
                            common_spans(spans[origin], had[origin]),
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
