"""Serials that came back to somebody who had sold them, not as a return (2100.032(a))."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from provender.custody.model.lots import Span, length, subtract_spans
from provender.custody.queries.claims import TRADES, Claim, back_of
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.quantity import show


def circles(claims: Sequence[Claim], roots: Mapping[str, str]) -> Iterator[Discrepancy]:
    """Find serials that came back to somebody who had sold them, not as a return.

    Who bought and sold on one day bought first: only what it had besides came round.
    """
    trades = [one for one in claims if one.kind in TRADES and one.kind != "slip"]
    gave: dict[tuple[str, str], list[Claim]] = defaultdict(list)
    of_party: dict[tuple[str, str], list[Claim]] = {}
    undone: dict[tuple[str, str, str], list[Claim]] = defaultdict(list)
    for one in claims:
        if one.kind not in TRADES:
            undone[one.origin, one.taker, one.key].append(one)
    for one in trades:
        gave[one.origin, one.giver].append(one)
    seen: set[tuple[str, str, str, str]] = set()
    for back in trades:
        for out in gave.get((back.origin, back.taker), ()):
            start, stop = max(out.start, back.start), min(out.stop, back.stop)
            mark = (back.origin, back.taker, out.key, back.key)
            if start >= stop or out.day > back.day or mark in seen or out.key == back.key:
                continue
            if out.day == back.day and roots.get(back.origin) != back.taker:
                of_party = of_party or _by_party(claims)
                if not _had_before(out, back, (start, stop), of_party[back.origin, back.taker]):
                    continue
            came_back = undone.get((out.origin, out.giver, back_of(out.key)), ())
            spans = subtract_spans([(start, stop)], ((one.start, one.stop) for one in came_back if one.day <= back.day))
            if not spans:
                continue
            start = spans[0][0]
            seen.add(mark)
            again = f"sold serials from {show(start)} ({out.key}) and has them again ({back.key})"
            said = f"{back.origin}: {back.taker} {again}."
            yield Discrepancy(DiscrepancyKind.CIRCULAR_TRADE, length(spans), said)


def _by_party(claims: Sequence[Claim]) -> dict[tuple[str, str], list[Claim]]:
    """Return what each party gave and got of each origin."""
    found: dict[tuple[str, str], list[Claim]] = defaultdict(list)
    for one in claims:
        if one.kind != "slip":
            found[one.origin, one.giver].append(one)
            found[one.origin, one.taker].append(one)
    return found


def _had_before(out: Claim, back: Claim, span: Span, claims: Sequence[Claim]) -> bool:
    """Tell whether a party had some serials besides by the trade of the day by which it is to have them again."""
    met = [one for one in claims if one.day <= out.day and one.start < span[1] and span[0] < one.stop]
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
