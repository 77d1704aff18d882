"""A store in memory: what the command line replays a book into, and the yardstick for every other store.

It may go on from a saved state: then it holds what came since, and asks the state for the rest when it is asked.
"""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import date
from heapq import merge
from threading import RLock
from typing import TYPE_CHECKING, Any, Self

from provender.custody.events.flows import flows_against
from provender.custody.memory_records import MemoryRecords
from provender.custody.model.editions import NOW, THIRD
from provender.custody.model.event import Event
from provender.custody.model.lots import LIVE, STOCK, Lot, LotState
from provender.custody.model.origins import Origin, Slip
from provender.custody.model.stock import Stock
from provender.custody.model.store_view import CustodyStep, Decision, Posted, with_before

if TYPE_CHECKING:
    from provender.custody.saved_state import Entry, SavedState


class MemoryStore(MemoryRecords):
    """Books in memory. One lock for all: the parties are not locked one by one. Within ``with`` it is locked.

    Args:
        owner: whose own book it is.
        saved: what it goes on from; the fields below then hold what came since and what was looked at.
    """

    def __init__(self, owner: str = "", saved: "SavedState | None" = None) -> None:
        super().__init__(saved)
        self.owner = owner
        self.edition = NOW
        self._before = saved.count if saved else 0
        self._gone: set[str] = set()
        self._slips: dict[str, dict[str, Slip]] = {}
        self._entered: list[str] = []
        self._lock = RLock()
        self._events: dict[str, Posted] = {}
        self._lots: dict[str, Lot] = {}
        self._current: dict[str, list[Lot | int]] = {}
        self._starts: dict[str, list[int]] = {}
        self._owned: dict[tuple[str, str], dict[str, Lot]] = defaultdict(dict)
        self._stocks: dict[tuple[str, str, str], Stock] = {}
        self._doubtful: dict[str, Origin] = {}
        self._placed: dict[tuple[str, str, str], dict[str, Lot]] = defaultdict(dict)
        self._amounts: dict[tuple[str, str, str], int] = defaultdict(int)
        self._unverified: dict[str, dict[str, Lot]] = defaultdict(dict)
        self._opened: dict[str, tuple[Lot, ...]] = {}
        self._ended: dict[str, tuple[Lot, ...]] = {}
        self._steps: dict[str, list[tuple[date, int, CustodyStep]]] = defaultdict(list)
        self._written: int = saved.at("count of steps") if saved else 0
        self._origin_steps: dict[str, list[CustodyStep]] = defaultdict(list)
        for name in saved.at("doubtful") if saved else ():
            self._doubtful[name] = self._known(name)

    def __enter__(self) -> Self:
        self._lock.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    # what a store offers

    def locked(self, parties: tuple[str, ...], reads: tuple[str, ...] = (), event: str = "") -> Self:
        """Lock the whole store, whoever the parties are."""
        del parties, reads, event
        return self

    def answering(self, request: Event) -> Self:
        """Lock the whole store, whatever the request touches."""
        del request
        return self

    def reading(self) -> Self:
        """Give the facts for reports."""
        return self

    def events(self) -> Sequence[Posted]:
        """Return every event in the order of the book."""
        if self._saved is None:
            return tuple(self._events.values())
        every = {posted.request.id: posted for posted in self._saved.events()} | self._events
        return tuple(sorted(every.values(), key=lambda posted: posted.number))

    @property
    def count(self) -> int:
        """Return how many events stand."""
        return self._before + len(self._entered)

    def facts(self) -> "MemoryStore":
        """Return what a decision may ask: the store itself."""
        return self

    def apply(self, request: Event, outcome: Decision) -> None:
        """Write a posted outcome.

        Raises:
            ValueError: the outcome was not decided on the lots as they are; nothing is written.
        """
        parents = self.lots_named(outcome.ended)
        alone = len(parents) == 1  # whether that one is current is asked when it is taken out, before all else
        if not outcome.status.well or not (alone or all(map(self._is_current, parents.values()))):
            raise ValueError(f"{request.id} was not decided on the lots as they are")
        moved = with_before(outcome.opened, parents)
        if moved and self.edition >= THIRD and flows_against(self, request, moved):
            raise ValueError(f"{request.id} changes what a closed period left, or takes what was not there yet")
        for lot in parents.values():
            self._remove(lot)
        for lot in outcome.opened:
            self._insert(lot)
        self._opened[request.id], self._ended[request.id] = outcome.opened, tuple(parents.values())
        name, kind, day = request.id, request.type, request.day
        for before, after in moved:
            self._keep(CustodyStep(name, kind, day, before, after))
        for record in outcome.records:
            self._put(record, self.edition)
            if isinstance(record, Origin):
                self._note_standing(record)
            elif isinstance(record, Slip) and (slips := self._slips.get(record.origin)) is not None:
                slips.pop(record.id, None)
                slips |= {record.id: record} if record.open_spans else {}
        if outcome.corrected and (corrected := self.posted(outcome.corrected)):
            self._events[outcome.corrected] = replace(corrected, corrected_by=request.id)
        self._entered.append(request.id)
        self._events[request.id] = Posted(request, self.count)

    def know_digest(self, event_id: str, digest: str) -> None:
        """Keep the hash of an event's content, which somebody made already."""
        found = self._events[event_id]
        self._events[event_id] = Posted(found.request, found.number, found.corrected_by, digest)

    # what a decision may ask

    def posted(self, event_id: str) -> Posted | None:
        """Return the event of that id, or None."""
        found = self._events.get(event_id)
        if found is None and self._saved and (found := self._saved.posted(event_id)):
            self._events[event_id] = found
        return found

    def digest(self, event_id: str) -> str:
        """Return the hash of the content of the event of that id; empty where there is none."""
        found = self._events.get(event_id)
        return found.digest if found else self._saved.digest(event_id) if self._saved else ""

    def lots_named(self, names: Sequence[str]) -> dict[str, Lot]:
        """Return lots, current or not, by their ids."""
        if self._saved is None:
            return {name: self._lots[name] for name in names}
        return {name: self._lot_named(name) for name in names}

    def open_slips(self, origin: str) -> Sequence[Slip]:
        """Return the slips of an origin that are not used up."""
        if (slips := self._slips.get(origin)) is None:
            slips = self._slips[origin] = {one.id: one for one in self.many(Slip, origin) if one.open_spans}
        return list(slips.values())

    def lots_at(self, origin: str, start: int, stop: int) -> Sequence[Lot]:
        """Return the current lots that overlap the serials."""
        starts, found = self._starts_of(origin), []
        for place in range(max(0, bisect_right(starts, start) - 1), len(starts)):
            if starts[place] >= stop:
                break
            lot = self._lot_in(origin, place)
            if lot.stop > start:
                found.append(lot)
        return found

    def lots_of(self, owner: str, crop: str) -> Sequence[Lot]:
        """Return the current lots in an owner's stock."""
        return self._listed("owned", (owner, crop), self._owned)

    def stock(self, owner: str, crop: str, form: str) -> Stock:
        """Return an owner's stock of one form, as it is from now on: nobody changes it but the store."""
        if (stock := self._stocks.get((owner, crop, form))) is None:
            stock = Stock(lot for lot in self.lots_of(owner, crop) if lot.form == form)
            self._stocks[owner, crop, form] = stock
        return stock

    def doubtful_origins(self, names: Collection[str]) -> Sequence[Origin]:
        """Return those of some origins whose report is not in force for all of their serials."""
        return [origin for origin in self._doubtful.values() if origin.id in names]

    def amount_in(self, custodian: str, site: str, form: str) -> int:
        """Return the sum of the current lots in stock at a site in a form."""
        before = self._saved.at("amount", custodian, site, form) if self._saved else 0
        return (before or 0) + self._amounts.get((custodian, site, form), 0)

    def lots_in(self, custodian: str, site: str, form: str) -> Sequence[Lot]:
        """Return the current lots in stock at a site in a form."""
        return self._listed("placed", (custodian, site, form), self._placed)

    def live_at(self, custodian: str, site: str) -> Sequence[Lot]:
        """Return the current lots that lie at a site, in stock or not; asked only when a site is closed."""
        came = {step.after.id: step.after for step in self.steps(custodian)}
        there = [one for one in came.values() if (one.custodian, one.site) == (custodian, site) and one.state in LIVE]
        return [lot for lot in there if lot in self.lots_at(lot.origin, lot.start, lot.stop)]

    def lots_by(self, movement: str) -> Sequence[Lot]:
        """Return all lots a movement opened."""
        if self._saved and movement not in self._opened:
            return self._saved.movement(movement)[0]
        return self._opened.get(movement, ())

    def parents(self, movement: str) -> Sequence[Lot]:
        """Return all lots a movement ended."""
        if self._saved and movement not in self._ended:
            return self._saved.movement(movement)[1]
        return self._ended.get(movement, ())

    def unverified_from(self, supplier: str) -> Sequence[Lot]:
        """Return the current lots held unverified from a supplier."""
        return self._listed("unverified", (supplier,), self._unverified, supplier)

    def held_from(self, supplier: str) -> Sequence[Lot]:
        """Return the current lots held from a supplier; asked only when a verification statement goes."""
        before = {(owner, crop) for (owner, crop), _ in self._saved.keys("owned")} if self._saved else set()
        stocks = dict.fromkeys([*sorted(before), *self._owned])
        held = (lot for owner, crop in stocks for lot in self.lots_of(owner, crop))
        return tuple(lot for lot in held if lot.supplier == supplier and lot.state is LotState.HELD)

    def steps(self, party: str, start: date | None = None) -> Sequence[CustodyStep]:
        """Return the steps in which a party is owner or custodian, by day."""
        found = self._steps.get(party, [])
        if self._saved:
            found = list(merge(self._saved.steps(party), found, key=lambda entry: entry[:2]))
        first = 0 if start is None else bisect_left(found, (start,), key=lambda entry: entry[:1])
        return [step for _, _, step in found[first:]]

    def steps_of(self, origin: str) -> Sequence[CustodyStep]:
        """Return all steps of an origin."""
        found = self._origin_steps.get(origin, [])
        return [*self._saved.steps_of(origin), *found] if self._saved else found

    # for the state that another store goes on from

    def entries(self, places: Sequence[int]) -> "Iterator[Entry]":
        """Yield what is posted in the order of the book, given where the lines of events stand that are new."""
        from provender.custody.saved_state import Entry

        for entry in self._saved.entries() if self._saved else ():
            now = self._events.get(entry.id)
            yield replace(entry, corrected_by=now.corrected_by) if now else entry
        for name, place in zip(self._entered, places, strict=True):
            posted = self._events[name]
            request, lots = posted.request, (self._opened[name], self._ended[name])
            yield Entry(name, request.type, request.day, place, posted.digest, posted.corrected_by, *lots)

    # what the state holds, and what came since

    def _listed(self, word: str, key: Any, now: dict[Any, dict[str, Lot]], name: str = "") -> Sequence[Lot]:  # noqa: ANN401
        came = now.get(name or key, {}).values()
        if self._saved is None:
            return tuple(came)
        before = (lot for lot in self._saved.lots(word, *key) if lot.id not in self._gone)
        return (*before, *came)

    def _starts_of(self, origin: str) -> list[int]:
        if (starts := self._starts.get(origin)) is None:
            held = (self._saved.at("current", origin) if self._saved else None) or []
            starts, self._current[origin] = held[::2], held[1::2]
            self._starts[origin] = starts
        return starts

    def _lot_named(self, lot_id: str) -> Lot:
        if self._saved and lot_id not in self._lots:
            return self._saved.named(lot_id)
        return self._lots[lot_id]

    def _lot_in(self, origin: str, place: int) -> Lot:
        lot = self._current[origin][place]
        if isinstance(lot, int) and self._saved:
            lot = self._current[origin][place] = self._saved.lot(lot)
        return lot  # type: ignore[return-value]  # places stand only where there is a state

    # keeping the indexes

    def _is_current(self, lot: Lot) -> bool:
        return self._find(lot) is not None

    def _find(self, lot: Lot) -> int | None:
        starts = self._starts_of(lot.origin)
        place = bisect_right(starts, lot.start) - 1
        return place if 0 <= place < len(starts) and self._lot_in(lot.origin, place).id == lot.id else None

    def _remove(self, lot: Lot) -> None:
        place = self._find(lot)
        if place is None:
            raise ValueError(f"lot {lot.id} is ended already")
        del self._current[lot.origin][place], self._starts[lot.origin][place]
        if lot.id not in self._lots:
            self._gone.add(lot.id)
        # Whoever gave anything has its place here from then on: lists of several owners keep that order.
        self._owned[lot.owner, lot.crop].pop(lot.id, None)
        if lot.state in STOCK:
            if stock := self._stocks.get((lot.owner, lot.crop, lot.form)):
                stock.remove(lot)
            lies = lot.custodian, lot.site, lot.form
            self._amounts[lies] -= lot.amount
            self._placed[lies].pop(lot.id, None)
        if lot.state is LotState.UNVERIFIED:
            self._unverified[lot.supplier].pop(lot.id, None)

    def _insert(self, lot: Lot) -> None:
        name, origin, start = lot.id, lot.origin, lot.start
        starts = self._starts_of(origin)
        before = bisect_right(starts, start)
        if before and self._lot_in(origin, before - 1).stop > start:
            raise ValueError(f"lot {name} overlaps a current lot")
        if before < len(starts) and starts[before] < lot.stop:
            raise ValueError(f"lot {name} overlaps a current lot")
        starts.insert(before, start)
        self._current[origin].insert(before, lot)
        self._lots[name] = lot
        if lot.state in STOCK:
            owner, crop, form = lot.owner, lot.crop, lot.form
            self._owned[owner, crop][name] = lot
            if stock := self._stocks.get((owner, crop, form)):
                stock.add(lot)
            place = lot.custodian, lot.site, form
            self._amounts[place] += lot.amount
            self._placed[place][name] = lot
        if lot.state is LotState.UNVERIFIED:
            self._unverified[lot.supplier][name] = lot

    def _known(self, name: str) -> Origin:
        origin = self.one(Origin, name)
        if origin is None:
            raise KeyError(name)
        return origin

    def _note_standing(self, origin: Origin) -> None:
        if origin.is_doubtful:
            self._doubtful[origin.id] = origin
        else:
            self._doubtful.pop(origin.id, None)

    def _keep(self, step: CustodyStep) -> None:
        after, before = step.after, step.before
        parties = {after.owner, after.custodian}
        if before is not None:
            parties |= {before.owner, before.custodian}
        self._written += 1
        entry = (step.day, self._written, step)
        for party in parties:
            # Nearly always the last place; a back-dated movement goes where its day belongs.
            steps = self._steps[party]
            if not steps or steps[-1][0] <= step.day:
                steps.append(entry)
            else:
                insort(steps, entry, key=lambda entry: entry[:2])
        self._origin_steps[after.origin].append(step)
