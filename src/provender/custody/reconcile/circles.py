"""Serials that came back to somebody who had sold them, not as a return (2100.032(a))."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from operator import le
from typing import Final

from provender.custody.model.lots import Span, length, subtract_spans
from provender.custody.queries.claims import TRADES, Claim, back_of
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.quantity import show

_Key = tuple[str, ...]
_PASSING: Final = frozenset(TRADES) - {"slip"}


def circles(claims: Sequence[Claim], roots: Mapping[str, str]) -> Iterator[Discrepancy]:
    """Find serials that came back to somebody who had sold them, not as a return.

    Who bought and sold on one day bought first: only what it had besides came round.
    """
    trades = [one for one in claims if one.kind in _PASSING]
    of_party: dict[_Key, _BySerial] = {}
    undone = _by(((one.origin, one.taker, one.key), one) for one in claims if one.kind not in TRADES)
    # Only who got of an origin what it had given comes round: nearly every giver of one never got of it.
    got = {(one.origin, one.taker) for one in trades}
    gave = _by((key, one) for one in trades if (key := (one.origin, one.giver)) in got)
    taken = _by((key, one) for one in claims if one.kind != "slip" and (key := (one.origin, one.taker)) in gave)
    seen: set[tuple[str, str, str, str]] = set()
    for back in trades:
        given = gave.get((back.origin, back.taker))
        if given is None or _came_first(back, given, taken[back.origin, back.taker], roots):
            continue
        for out in given.meeting(back.start, back.stop):
            if out.day > back.day or out.key == back.key:
                continue
            start, stop = max(out.start, back.start), min(out.stop, back.stop)
            mark = (back.origin, back.taker, out.key, back.key)
            if start >= stop or mark in seen:
                continue
            if out.day == back.day and roots.get(back.origin) != back.taker:
                of_party = of_party or _by_party(claims, gave)
                if not _had_before(out, back, (start, stop), of_party[back.origin, back.taker]):
                    continue
            came_back = _meeting(undone, (out.origin, out.giver, back_of(out.key)), (start, stop))
            spans = subtract_spans([(start, stop)], ((one.start, one.stop) for one in came_back if one.day <= back.day))
            spans = subtract_spans(spans, _refused(undone, back)) if spans else spans
            if not spans:
                continue
            start = spans[0][0]
            seen.add(mark)
            again = f"sold serials from {show(start, group=True)} ({out.key}) and has them again ({back.key})"
            said = f"{back.origin}: {back.taker} {again}."
            yield Discrepancy(DiscrepancyKind.CIRCULAR_TRADE, length(spans), said)


def _came_first(back: Claim, given: "_BySerial", taken: "_BySerial", roots: Mapping[str, str]) -> bool:
    """Tell whether nothing that a trade brought can have come round, as of nearly all trades.

    Its taker gave nothing of the origin before that day, and never took a serial of it twice: it bought, then sold.
    """
    return back.day <= given.first and taken.apart and roots.get(back.origin) != back.taker


def _meeting(claims: Mapping[_Key, "_BySerial"], key: _Key, span: Span) -> Sequence[Claim]:
    return claims[key].meeting(*span) if key in claims else ()


def _refused(undone: Mapping[_Key, "_BySerial"], trade: Claim) -> list[Span]:
    """Return the serials of a trade that its taker never had: refused, or entered in error, and that still stands."""
    back, span = back_of(trade.key), (trade.start, trade.stop)
    gone = _meeting(undone, (trade.origin, trade.giver, back), span)
    again = _meeting(undone, (trade.origin, trade.taker, back_of(back)), span)
    spans = [(one.start, one.stop) for one in gone if one.kind in ("reject", "correct")]
    return subtract_spans(spans, ((one.start, one.stop) for one in again))


class _BySerial:
    """Claims on one origin, found by the serials that they meet.

    Attributes:
        first: the earliest day of them.
        apart: whether no two have a serial in common.
    """

    def __init__(self, claims: Sequence[Claim]) -> None:
        """Sort the claims; of several that overlap a stop counts as far as any before it reaches."""
        placed = sorted(enumerate(claims), key=lambda pair: pair[1].start)
        self._placed = placed
        self._starts = [one.start for _, one in placed]
        self._reach = list(accumulate((one.stop for _, one in placed), max))
        self.first = min(one.day for one in claims)
        self.apart = all(map(le, self._reach, self._starts[1:]))

    def meeting(self, start: int, stop: int) -> list[Claim]:
        """Return the claims that meet some serials, in the order in which they were given."""
        near = self._placed[bisect_right(self._reach, start) : bisect_left(self._starts, stop)]
        found = [pair for pair in near if pair[1].stop > start]
        return [one for _, one in sorted(found)] if len(found) > 1 else [one for _, one in found]


def _by(pairs: Iterable[tuple[_Key, Claim]]) -> dict[_Key, _BySerial]:
    found: dict[_Key, list[Claim]] = defaultdict(list)
    for key, one in pairs:
        found[key].append(one)
    return {key: _BySerial(claims) for key, claims in found.items()}


def _by_party(claims: Sequence[Claim], asked: Container[_Key]) -> dict[_Key, _BySerial]:
    """Return what each party gave and got of each origin, of those that are asked for."""
    moved = (one for one in claims if one.kind != "slip")
    pairs = (((one.origin, party), one) for one in moved for party in (one.giver, one.taker))
    return _by(pair for pair in pairs if pair[0] in asked)


def _had_before(out: Claim, back: Claim, span: Span, claims: _BySerial) -> bool:
    """Tell whether a party had some serials besides by the trade of the day by which it is to have them again."""
    party, day = out.giver, out.day
    met = [one for one in claims.meeting(*span) if one.day <= day]
    if not any(one.taker == party and (one.key != back.key or one.day < day) for one in met):
        return False  # it came by that trade alone, as nearly all that is bought and sold on one day
    edges = sorted({span[0], *(one.start for one in met if span[0] < one.start < span[1])})
    return any(_had_at(place, out, back, met) for place in edges)


def _had_at(place: int, out: Claim, back: Claim, met: Sequence[Claim]) -> bool:
    """Tell it of one serial: more came before that day than went, or another trade of the day that was not given back.

    Several books tell of one change of hands: it counts once.
    """
    here = {(one.key, one.giver, one.taker): one for one in met if one.start <= place < one.stop}
    party, day = out.giver, out.day
    before = sum((one.taker == party) - (one.giver == party) for one in here.values() if one.day < day)
    returned = {one.key for one in here.values() if one.giver == party}
    others = (one for one in here.values() if one.day == day and one.taker == party and one.kind in TRADES)
    return before > 0 or any(one.key != back.key and back_of(one.key) not in returned for one in others)
