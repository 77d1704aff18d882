"""A store in memory: what the command line replays a book into, and the yardstick for every other store."""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from threading import RLock
from typing import Any

from provender.custody.digest import digest_of
from provender.custody.model.editions import NOW
from provender.custody.model.event import Event
from provender.custody.model.lots import STOCK, Lot, LotState
from provender.custody.model.origins import Origin
from provender.custody.model.stock import Stock
from provender.custody.model.store_view import CustodyStep, Decision, Posted, R, steps_made


class MemoryStore:
    """Books in memory. One lock for all: the parties are not locked one by one."""

    def __init__(self, owner: str = "") -> None:
        self.owner = owner
        self.edition = NOW
        self._lock = RLock()
        self._events: dict[str, Posted] = {}
        self._records: dict[str, dict[str, Any]] = defaultdict(dict)
        self._groups: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        self._lots: dict[str, Lot] = {}
        self._current: dict[str, list[Lot]] = defaultdict(list)
        self._starts: dict[str, list[int]] = defaultdict(list)
        self._owned: dict[tuple[str, str], dict[str, Lot]] = defaultdict(dict)
        self._stocks: dict[tuple[str, str, str], Stock] = defaultdict(Stock)
        self._doubtful: dict[str, Origin] = {}
        self._placed: dict[tuple[str, str, str], dict[str, Lot]] = defaultdict(dict)
        self._amounts: dict[tuple[str, str, str], int] = defaultdict(int)
        self._unverified: dict[str, dict[str, Lot]] = defaultdict(dict)
        self._opened: dict[str, tuple[Lot, ...]] = {}
        self._ended: dict[str, tuple[Lot, ...]] = {}
        self._steps: dict[str, list[tuple[date, int, CustodyStep]]] = defaultdict(list)
        self._written = 0
        self._origin_steps: dict[str, list[CustodyStep]] = defaultdict(list)

    # what a store offers

    @contextmanager
    def locked(self, parties: tuple[str, ...], reads: tuple[str, ...] = (), event: str = "") -> Iterator["MemoryStore"]:
        """Lock the whole store, whoever the parties are."""
        del parties, reads, event
        with self._lock:
            yield self

    @contextmanager
    def reading(self) -> Iterator["MemoryStore"]:
        """Give the facts for reports."""
        with self._lock:
            yield self

    def events(self) -> Sequence[Posted]:
        """Return every event in the order of the book."""
        return tuple(self._events.values())

    @property
    def count(self) -> int:
        """Return how many events stand."""
        return len(self._events)

    def facts(self) -> "MemoryStore":
        """Return what a decision may ask: the store itself."""
        return self

    def apply(self, request: Event, outcome: Decision) -> None:
        """Write a posted outcome.

        Raises:
            ValueError: the outcome was not decided on the lots as they are; nothing is written.
        """
        parents = {lot_id: self._lots[lot_id] for lot_id in outcome.ended}
        if not outcome.status.well or any(self._find(lot) is None for lot in parents.values()):
            raise ValueError(f"{request.id} was not decided on the lots as they are")
        for lot in parents.values():
            self._remove(lot)
        for lot in outcome.opened:
            self._insert(lot)
        self._opened[request.id] = outcome.opened
        self._ended[request.id] = tuple(parents.values())
        for step in steps_made(request, outcome.opened, parents):
            self._keep(step)
        for record in outcome.records:
            self._records[record.kind][record.key] = record
            self._groups[record.kind, record.group][record.key] = None
            if isinstance(record, Origin):
                self._note_standing(record)
        if outcome.corrected:
            self._events[outcome.corrected] = replace(self._events[outcome.corrected], corrected_by=request.id)
        self._events[request.id] = Posted(request, digest_of(request), len(self._events) + 1)

    # what a decision may ask

    def posted(self, event_id: str) -> Posted | None:
        """Return the event of that id, or None."""
        return self._events.get(event_id)

    def one(self, kind: type[R], key: str) -> R | None:
        """Return the record of a kind under a key, or None."""
        found: R | None = self._records[kind.kind].get(key)
        return found

    def many(self, kind: type[R], group: str) -> Sequence[R]:
        """Return the records of a kind in a group."""
        held = self._records[kind.kind]
        return [held[key] for key in self._groups.get((kind.kind, group), ())]

    def lots_at(self, origin: str, start: int, stop: int) -> Sequence[Lot]:
        """Return the current lots that overlap the serials."""
        lots = self._current.get(origin, [])
        found = []
        for place in range(max(0, bisect_right(self._starts[origin], start) - 1), len(lots)):
            if lots[place].start >= stop:
                break
            if lots[place].stop > start:
                found.append(lots[place])
        return found

    def lots_of(self, owner: str, crop: str) -> Sequence[Lot]:
        """Return the current lots in an owner's stock."""
        return tuple(self._owned.get((owner, crop), {}).values())

    def stock(self, owner: str, crop: str, form: str) -> Stock:
        """Return an owner's stock of one form, as it is from now on: nobody changes it but the store."""
        return self._stocks.get((owner, crop, form), Stock())

    def doubtful_origins(self, names: Collection[str]) -> Sequence[Origin]:
        """Return those of some origins whose report is not in force for all of their serials."""
        return [origin for origin in self._doubtful.values() if origin.id in names]

    def amount_in(self, custodian: str, site: str, form: str) -> int:
        """Return the sum of the current lots in stock at a site in a form."""
        return self._amounts.get((custodian, site, form), 0)

    def lots_in(self, custodian: str, site: str, form: str) -> Sequence[Lot]:
        """Return the current lots in stock at a site in a form."""
        return tuple(self._placed.get((custodian, site, form), {}).values())

    def lots_by(self, movement: str) -> Sequence[Lot]:
        """Return all lots a movement opened."""
        return self._opened.get(movement, ())

    def parents(self, movement: str) -> Sequence[Lot]:
        """Return all lots a movement ended."""
        return self._ended.get(movement, ())

    def unverified_from(self, supplier: str) -> Sequence[Lot]:
        """Return the current lots held unverified from a supplier."""
        return tuple(self._unverified.get(supplier, {}).values())

    def held_from(self, supplier: str) -> Sequence[Lot]:
        """Return the current lots held from a supplier; asked only when a verification statement goes."""
        held = (lot for lots in self._owned.values() for lot in lots.values())
        return tuple(lot for lot in held if lot.supplier == supplier and lot.state is LotState.HELD)

    def steps(self, party: str, start: date | None = None) -> Sequence[CustodyStep]:
        """Return the steps in which a party is owner or custodian, by day."""
        found = self._steps.get(party, [])
        first = 0 if start is None else bisect_left(found, (start,), key=lambda entry: entry[:1])
        return [step for _, _, step in found[first:]]

    def steps_of(self, origin: str) -> Sequence[CustodyStep]:
        """Return all steps of an origin."""
        return self._origin_steps.get(origin, [])

    # keeping the indexes

    def _find(self, lot: Lot) -> int | None:
        place = bisect_right(self._starts[lot.origin], lot.start) - 1
        lots = self._current[lot.origin]
        return place if 0 <= place < len(lots) and lots[place].id == lot.id else None

    def _remove(self, lot: Lot) -> None:
        place = self._find(lot)
        if place is None:
            raise ValueError(f"lot {lot.id} is ended already")
        del self._current[lot.origin][place], self._starts[lot.origin][place]
        self._owned[lot.owner, lot.crop].pop(lot.id, None)
        if lot.state in STOCK:
            self._stocks[lot.owner, lot.crop, lot.form].remove(lot)
            self._amounts[lot.custodian, lot.site, lot.form] -= lot.amount
        self._placed[lot.custodian, lot.site, lot.form].pop(lot.id, None)
        self._unverified[lot.supplier].pop(lot.id, None)

    def _insert(self, lot: Lot) -> None:
        starts, lots = self._starts[lot.origin], self._current[lot.origin]
        place = bisect_right(starts, lot.start)
        if (place and lots[place - 1].stop > lot.start) or (place < len(lots) and lots[place].start < lot.stop):
            raise ValueError(f"lot {lot.id} overlaps a current lot")
        starts.insert(place, lot.start)
        lots.insert(place, lot)
        self._lots[lot.id] = lot
        if lot.state in STOCK:
            self._owned[lot.owner, lot.crop][lot.id] = lot
            self._stocks[lot.owner, lot.crop, lot.form].add(lot)
            self._amounts[lot.custodian, lot.site, lot.form] += lot.amount
            self._placed[lot.custodian, lot.site, lot.form][lot.id] = lot
        if lot.state is LotState.UNVERIFIED:
            self._unverified[lot.supplier][lot.id] = lot

    def _note_standing(self, origin: Origin) -> None:
        if origin.is_doubtful:
            self._doubtful[origin.id] = origin
        else:
            self._doubtful.pop(origin.id, None)

    def _keep(self, step: CustodyStep) -> None:
        parties = {step.after.owner, step.after.custodian}
        if step.before:
            parties |= {step.before.owner, step.before.custodian}
        self._written += 1
        for party in parties:
            # Nearly always the last place; a back-dated movement goes where its day belongs.
            steps = self._steps[party]
            if not steps or steps[-1][0] <= step.day:
                steps.append((step.day, self._written, step))
            else:
                insort(steps, (step.day, self._written, step), key=lambda entry: entry[:2])
        self._origin_steps[step.after.origin].append(step)
