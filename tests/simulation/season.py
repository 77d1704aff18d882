"""One simulated season against one store: every answer held against the auditor's, every cell and sum at the end."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from provender.custody.documents.build import restated
from provender.custody.events.closing import Closing
from provender.custody.events.plant import CampaignTotals
from provender.custody.events.registry import post
from provender.custody.model.balances import balance_document, period_balances
from provender.custody.model.event import Refusal
from provender.custody.model.grain import grain_on
from provender.custody.model.lots import Lot, Origin
from provender.custody.model.store_view import Store, StoreView
from tests.custody.world import read
from tests.simulation.auditor import Auditor
from tests.simulation.cast import BOOKS
from tests.simulation.ledger import MILLION, Event, Seg
from tests.simulation.workload import WholeWorkload

Mark = tuple[int, int, int, tuple[Any, ...]]
"""First serial, the serial after the last, pounds, and everything else."""


@dataclass(slots=True)
class Tally:
    """What a season came to."""

    movements: int = 0
    refusals: int = 0
    differences: list[str] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=dict)

    def count(self, status: str, times: int = 1) -> None:
        """Note answers of one kind."""
        self.statuses[status] = self.statuses.get(status, 0) + times
        if status == "posted":
            self.movements += times
        else:
            self.refusals += times

    def __add__(self, other: "Tally") -> "Tally":
        both = Tally(differences=[*self.differences, *other.differences])
        for status, number in (*self.statuses.items(), *other.statuses.items()):
            both.count(status, number)
        return both

    def __str__(self) -> str:
        return f"simulation: {self.movements} movements, {self.refusals} refusals, {len(self.differences)} differences"


def season(store: Store, seed: int, movements: int) -> Tally:
    """Run so many posted movements after the opening of the cast's books and audit the result."""
    auditor, tally = Auditor(), Tally()
    workload = WholeWorkload(seed, auditor)
    for event in workload.opening():
        ask(store, auditor, event, tally)
    opened = tally.movements
    while tally.movements - opened < movements and not tally.differences:
        for event in workload.batch():
            if ask(store, auditor, event, tally) == "posted":
                workload.noted(event)
    with store.reading() as facts:
        tally.differences.extend(compare(facts, auditor))
    return tally


def follow(store: Store, events: Iterable[Event]) -> Tally:
    """Ask events that all stood somewhere, in that order; each must stand, and the result is audited."""
    auditor, tally = Auditor(), Tally()
    for event in events:
        expected = ask(store, auditor, event, tally)
        if expected != "posted":
            tally.differences.append(f"{event}: it stood, and would now be {expected}")
        if tally.differences:
            break
    with store.reading() as facts:
        tally.differences.extend(compare(facts, auditor))
    return tally


def ask(store: Store, auditor: Auditor, event: Event, tally: Tally) -> str:
    expected = auditor.answer(event)
    status, message = put(store, event)
    tally.count(status)
    if status != expected:
        tally.differences.append(f"{event}: expected {expected}, got {status}: {message}")
    return expected


def put(store: Store, event: Event) -> tuple[str, str]:
    """Return the status and message that a store answers a request with, whether it could be read or not."""
    try:
        outcome = post(store, read(event))
    except Refusal as refused:
        return str(refused.status), refused.message
    return str(outcome.status), outcome.message


def compare(facts: StoreView, auditor: Auditor) -> Iterator[str]:
    """Lay every stretch and every sum of the auditor beside the store's."""
    for origin in auditor.origins:
        yield from compare_origin(facts, auditor, origin)
    for name in BOOKS:
        yield from compare_sums(facts, auditor, name)
        yield from compare_restated(facts, name)
    yield from compare_campaigns(facts, auditor)
    yield from compare_grain(facts, auditor)


def compare_grain(facts: StoreView, auditor: Auditor) -> Iterator[str]:
    """Lay the grain of every site beside the book's, on its last days."""
    for spot, weights in auditor.grain.items():
        for day in sorted({one.day for one in weights})[-20:]:
            ours, theirs = auditor.stock(spot, day), grain_on(facts, spot, day)
            if theirs != ours:
                yield f"{spot} on {day}: {ours} lay there, the book says {theirs}"


def compare_origin(facts: StoreView, auditor: Auditor, origin: str) -> Iterator[str]:
    """Lay one origin beside the store's lots: they tile it, and each serial is whose and as what it should be."""
    issued = auditor.origins[origin].issued
    lots = list(facts.lots_at(origin, 0, issued))
    edges = [0, *(lot.stop for lot in lots)]
    # Of somebody else's report the book knows the serials it has seen, which may have gaps.
    blind = auditor.origins[origin].blind
    if not blind and ([lot.start for lot in lots] != edges[:-1] or edges[-1] != issued):
        yield f"{origin}: the lots do not tile it"
        return
    ours, theirs = list(joined(map(of_lot, lots))), list(joined(map(of_seg, auditor.books.segs[origin])))
    if ours != theirs:
        yield f"{origin}: {sorted(set(theirs) - set(ours))} are {sorted(set(ours) - set(theirs))}"
    for lot in lots:
        # A document without a yield gets the one that its pounds and bushels make, rounded down: only ours are bound.
        # What a report takes back is rounded up, against the claimant.
        if lot.batch and lot.state != "void" and lot.product * MILLION > lot.rate * lot.crop_amount:
            yield f"{origin}: {lot.state} by {lot.by}, {lot.product} pounds stand on {lot.crop_amount} at {lot.rate}"


def of_lot(lot: Lot) -> Mark:
    """Return a lot as both sides write it."""
    place = (lot.owner, str(lot.state), lot.form, lot.custodian, lot.site, lot.supplier, lot.batch)
    return lot.start, lot.stop, lot.product, (*place, lot.since, lot.acquired, lot.titled, lot.ci, lot.rate)


def of_seg(seg: Seg) -> Mark:
    """Return a stretch as both sides write it."""
    place = (seg.owner, seg.state, seg.form, seg.custodian, seg.site, seg.supplier, seg.batch)
    return seg.start, seg.stop, seg.pounds, (*place, seg.since, seg.acquired, seg.titled, seg.ci, seg.rate)


def joined(marks: Iterable[Mark]) -> Iterator[Mark]:
    """Yield marks with neighbours made one where nothing tells them apart: who cut a crop where says nothing."""
    last: Mark | None = None
    for mark in marks:
        if last is not None and last[3] == mark[3] and not last[2] and not mark[2]:
            last = (last[0], mark[1], 0, mark[3])
            continue
        if last is not None:
            yield last
        last = mark
    if last is not None:
        yield last


def compare_campaigns(facts: StoreView, auditor: Auditor) -> Iterator[str]:
    """Lay what each owner claimed of a campaign beside the store's: the oil that stands is within it, none negative."""
    standing: dict[str, int] = {}
    for segs in auditor.books.segs.values():
        for seg in segs:
            if seg.state != "void":
                standing[seg.batch] = standing.get(seg.batch, 0) + seg.pounds
    for batch, claims in auditor.claimed.items():
        theirs = {one.owner: (one.used, one.made) for one in facts.many(CampaignTotals, batch)}
        if theirs != claims:
            yield f"{batch}: {claims} were used and made, the book says {theirs}"
        if min(amount for pair in claims.values() for amount in pair) < 0:
            yield f"{batch}: {claims} is below zero"
        if standing.get(batch, 0) > sum(made for _, made in claims.values()):
            yield f"{batch}: {standing[batch]} pounds stand on {claims}"


def at_first(auditor: Auditor, name: str) -> dict[tuple[str, int, int], int]:
    """Return what was there before the first period: opening stock, less what left before its first day."""
    first: dict[tuple[str, int, int], int] = {}
    for book, sign in ((auditor.books.came, 1), (auditor.books.went, -1)):
        for (key, place), amount in book.items():
            if key[0] == name and place < 0:
                first[key[1:]] = first.get(key[1:], 0) + sign * amount
    return first


class AsClosed:
    """A book in which no report is found, so that none of them changed after a close."""

    def __init__(self, facts: StoreView) -> None:
        self._facts = facts

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the book has
        return getattr(self._facts, name)

    def one(self, kind: Any, key: str) -> Any:  # noqa: ANN401 - as the book answers
        return None if kind is Origin else self._facts.one(kind, key)


def compare_restated(facts: StoreView, name: str) -> Iterator[str]:
    """Lay each statement beside its period restated as if no report had changed."""
    for closing in facts.many(Closing, name):
        unchanged = restated(cast("StoreView", AsClosed(facts)), closing)
        if balance_document(unchanged) != json.loads(closing.statement):
            yield f"{closing.key}: no report changed, and it is restated"


def compare_sums(facts: StoreView, auditor: Auditor, name: str) -> Iterator[str]:
    """Lay what came and went in every period beside the balances, each close beside the next opening."""
    balances = period_balances(facts, name)
    closings = {closing.start: closing for closing in facts.many(Closing, name)}
    ending = at_first(auditor, name)
    forms: dict[tuple[tuple[str, int, int], str], int] = {}
    books = auditor.books
    seen: set[tuple[tuple[str, str, int, int], int]] = set()
    for number, balance in enumerate(balances):
        for line in balance.lines:
            key = ((name, *line.key), number)
            if line.beginning != ending.get(line.key, 0):
                yield f"{key}: beginning is {line.beginning}"
            seen.add(key)
            flows = books.came.get(key, 0), books.went.get(key, 0)
            if (line.total_incoming, line.total_outgoing) != flows:
                yield f"{key}: {flows} came and went, the balance says {line.incoming} and {line.outgoing}"
            ending[line.key] = line.ending
            forms |= {(line.key, form): sheet.ending for form, sheet in line.sheets.items()}
        closing = closings.get(balance.start)
        if (closing is not None) != books.terms[name][number].closed:
            yield f"{name} {balance.start}: it is closed in one book and open in the other"
        if closing is not None:
            left = {(one.crop, one.harvest_year, one.ci): one.bushels for one in closing.endings}
            if left != {key: amount for key, amount in ending.items() if amount}:
                yield f"{name} {balance.start}: the close left {left}, the equation leaves {ending}"
    left_out = {key for book in (books.came, books.went) for key in book if key[0][0] == name and key[1] >= 0} - seen
    yield from (f"{key}: no line in any balance" for key in sorted(left_out))
    stock: dict[tuple[tuple[str, int, int], str], int] = {}
    for seg in books.owned[name].values():
        held = ((seg.crop, seg.year, seg.ci), seg.form)
        stock[held] = stock.get(held, 0) + seg.amount
    if stock != {key: amount for key, amount in forms.items() if amount}:
        yield f"{name}: the stock is not what the last period leaves"
