"""What went from a farm to its landowner, and what a third book was shown of shares and slips, serial by serial.

A share has no paper of its own and no number that two books need have in common: a book that is shown a landowner's
share keeps of it what its own trade needs, under a name of its own. So not entries are compared but all serials of an
origin that went from one party to another.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import combinations

from provender.custody.model.lots import Span, joined, length, subtract_spans
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.custody.reconcile.gathered import Gathered
from provender.custody.reconcile.noted import Dated, Hands
from provender.quantity import show


def share_discrepancies(gathered: Gathered) -> Iterator[Discrepancy]:
    """Yield shares that the books of farm and landowner tell differently, and serials that a third book alone has."""
    for hands, told in sorted(gathered.shares.items()):
        yield from _missing(gathered, hands, told)
        for (one, mine), (other, its) in combinations(sorted(told.items()), 2):
            yield from _differing(gathered, hands, (one, mine), (other, its))
    yield from _beyond(gathered)


def _said(hands: Hands) -> str:
    giver, taker, origin = hands
    return f"{giver} to {taker}, share of {origin}"


def _missing(gathered: Gathered, hands: Hands, told: Mapping[int, Sequence[Dated]]) -> Iterator[Discrepancy]:
    for party, word in zip(hands, ("farm", "landowner"), strict=False):
        books = [source for source, owners in enumerate(gathered.owners) if party in owners]
        if books and not any(source in told for source in books):
            most = max(length(_spans(spans)) for spans in told.values())
            said = f"{_said(hands)}: the {word}'s book ({gathered.names[books[0]]}) does not have it."
            yield Discrepancy(DiscrepancyKind.MISSING_COUNTERPART, most, said)


def _differing(
    gathered: Gathered, hands: Hands, one: tuple[int, Sequence[Dated]], other: tuple[int, Sequence[Dated]]
) -> Iterator[Discrepancy]:
    mine, its = _spans(one[1]), _spans(other[1])
    apart = length(subtract_spans(mine, its)) + length(subtract_spans(its, mine))
    if mine != its:
        has = " and ".join(f"{show(length(spans), group=True)} bu in {gathered.names[source]}"
                           for source, spans in ((one[0], mine), (other[0], its)))  # fmt: skip
        same = " of other serials" if length(mine) == length(its) else ""
        yield Discrepancy(DiscrepancyKind.MISSING_COUNTERPART, apart, f"{_said(hands)}: {has}{same}.")
    elif days := _other_days(one[1], other[1]):
        files = f"{gathered.names[one[0]]} and {gathered.names[other[0]]}"
        said = f"{_said(hands)}: {files} differ in title date {days[0]} and {days[1]}."
        yield Discrepancy(DiscrepancyKind.LEGS_DIFFER, length(mine), said)


def _spans(told: Sequence[Dated]) -> list[Span]:
    return joined((start, stop) for start, stop, _ in told)


def _other_days(mine: Sequence[Dated], its: Sequence[Dated]) -> tuple[date, date] | None:
    """Return the first two days that the same serials have in two books."""
    pairs = ((day, other) for start, stop, day in mine for low, high, other in its if start < high and low < stop)
    return next(((day, other) for day, other in pairs if day != other), None)


def _beyond(gathered: Gathered) -> Iterator[Discrepancy]:
    """Yield what somebody else's book has of slips and shares beyond what farm, landowner or buyer have themselves."""
    signed = _signed(gathered) if gathered.shown else {}
    for hands, shown in sorted(gathered.shown.items()):
        told = signed.get(hands, {})
        books = [source for source, owners in enumerate(gathered.owners) if owners & {*hands[:2]}]
        for source, spans in sorted(shown.items()):
            over = subtract_spans(joined(spans), [span for book in books for span in told.get(book, ())])
            if books and over:
                giver, taker, origin = hands
                has = f"{gathered.names[source]} was shown {show(length(over), group=True)} bu of {origin}"
                said = f"{giver} to {taker}: {has} that {gathered.names[books[0]]} does not have."
                yield Discrepancy(DiscrepancyKind.LEGS_DIFFER, length(over), said)


def _signed(gathered: Gathered) -> dict[Hands, dict[int, list[Span]]]:
    """Return the serials that left each grower to each buyer by what a file says of them."""
    found: dict[Hands, dict[int, list[Span]]] = defaultdict(lambda: defaultdict(list))
    for (giver, taker, _), legs in gathered.legs.items():
        for source, leg in legs.items():
            for part in leg.parts:
                found[giver, taker, part.origin][source].append((part.start, part.stop))
    for hands, told in gathered.shares.items():
        for source, spans in told.items():
            found[hands][source] += _spans(spans)
    # Of a slip that was taken back its buyer has what it had purchased before, and what came back was shown as a sale.
    for one in gathered.claims:
        if (one.giver, one.taker, one.origin) in gathered.shown:
            found[one.giver, one.taker, one.origin][one.source].append((one.start, one.stop))
    return found
