"""Posting: lock, ask, decide, apply. One movement, one transaction."""

import gc
import json
from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from operator import attrgetter
from threading import RLock
from typing import Any, Final, Never, Self, cast

from provender.custody.events.registry import post, problem_of, read_event
from provender.custody.events.rules import flows_against
from provender.custody.model.balances import balance_document, period_balances
from provender.custody.model.entities import Entity
from provender.custody.model.event import Event, Record, Refusal, Status
from provender.custody.model.lots import LIVE, STOCK, Lot, LotState, Origin, Slip, Stock
from provender.custody.model.store_view import CustodyStep, Decision, Posted, R, Store, StoreView, with_before
from provender.problem import Problem
from provender.schema import frozen


@contextmanager
def many_at_once() -> Iterator[None]:
    """Post or compare many events without looking for rings of objects between them: it leaves none, and a book grows.

    Each look goes over all that is there, so the time of a long book, or of many, would grow faster than they do. What
    was made is set aside at the end, or the first look after it would go over all of it at once.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.freeze()
            gc.enable()


# Events one a line in, one answer a line out: how books of other systems are fed through.
#
# The format is described, with an example of every type, on the page *Custody events* of the reference.

_DIGITS: Final = 100
"""A whole number with more digits is no amount, year or version of anything."""


@frozen
class BatchAnswer:
    """The answer to one line."""

    line: int  # number of the line, from 1
    id: str  # the event's id; empty where it could not be read
    status: Status  # the answer
    message: str  # the answer in whole sentences
    details: tuple[tuple[str, str], ...] = ()  # particulars, such as the serials a slip assigned
    # the fields of the event as they were read, one of which a refusal may be about; None where none were
    known: Mapping[str, object] | None = None
    # why an act was refused before the book was asked; the status is then the nearest one that it has
    problem: Problem | None = None

    @property
    def word(self) -> str:
        """Return the name of the answer: that of the status, or of what an act was refused for."""
        return self.problem.code if self.problem else str(self.status)

    def as_json(self) -> dict[str, object]:
        """Return plain data for one line of output; of a refusal also the field, the remedy and the paragraph."""
        plain: dict[str, object] = {"line": self.line, "id": self.id, "status": self.word, "message": self.message}
        if not self.status.well:
            problem = self.problem or problem_of(Decision(self.status, self.message), known=self.known or {})
            more = {"field": problem.place.column, "remedy": problem.remedy, "cite": problem.cite}
            plain |= {name: said for name, said in more.items() if said}
        return {**plain, "facts": dict(self.details)} if self.details else plain


def read_line(text: str) -> object:
    """Read one line of JSON; numbers with a fraction stay text, so that no digit is lost.

    Raises:
        Refusal: LINE_UNREADABLE, with the reason and the column.
    """
    try:
        return _READER.decode(text.strip())
    except json.JSONDecodeError as wrong:
        raise Refusal(Status.LINE_UNREADABLE, f"{wrong.msg} at column {wrong.colno}.") from None
    except RecursionError:
        raise Refusal(Status.LINE_UNREADABLE, "It is nested too deeply.") from None
    except ValueError as wrong:
        raise Refusal(Status.LINE_UNREADABLE, f"{wrong}.") from None


def _read_integer(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise ValueError(f"A number of {len(digits)} digits is too long")
    return int(digits)


def _no_number(word: str) -> Never:
    raise ValueError(f"{word} is not a number")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("A field stands twice")
    return found


_READER: Final = json.JSONDecoder(
    parse_float=str, parse_int=_read_integer, parse_constant=_no_number, object_pairs_hook=_object
)


def run_lines(store: Store, lines: Iterable[str]) -> Iterator[BatchAnswer]:
    """Post the events of some lines in the order given; a bad line is answered and the rest goes on."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        event_id, known = "", {}
        try:
            raw = read_line(line.lstrip("\ufeff"))
            if isinstance(raw, dict):
                known = raw
                event_id = raw["id"] if isinstance(raw.get("id"), str) else ""
            outcome = post(store, read_event(raw))
        except Refusal as refused:
            outcome = Decision(refused.status, refused.message)
        yield BatchAnswer(number, event_id, outcome.status, outcome.message, outcome.details, known)


def all_balances(store: StoreView) -> list[dict[str, object]]:
    """Return the balance documents of every declared period of every entity, entities in order of registration."""
    entities = store.many(Entity, "")
    return [balance_document(one) for entity in entities for one in period_balances(store, entity.id)]


# A store in memory: what the command line replays a book into, and the yardstick for every other store.

_START = attrgetter("start")


class MemoryStore:
    """Books in memory. One lock for all: the parties are not locked one by one. Within ``with`` it is locked.

    Args:
        owner: whose own book it is.
    """

    def __init__(self, owner: str = "") -> None:
        self.owner = owner
        self._slips: dict[str, dict[str, Slip]] = {}
        self._held: dict[str, dict[str, Any]] = defaultdict(dict)
        self._groups: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        self._lock = RLock()
        self._events: dict[str, Posted] = {}
        self._lots: dict[str, Lot] = {}
        self._current: dict[str, list[Lot]] = defaultdict(list)
        self._owned: dict[tuple[str, str], dict[str, Lot]] = defaultdict(dict)
        self._stocks: dict[tuple[str, str, str], Stock] = {}
        self._doubtful: dict[str, Origin] = {}
        self._placed: dict[tuple[str, str, str], dict[str, Lot]] = defaultdict(dict)
        self._opened: dict[str, tuple[Lot, ...]] = {}
        self._ended: dict[str, tuple[Lot, ...]] = {}
        self._steps: dict[str, list[tuple[date, int, CustodyStep]]] = defaultdict(list)
        self._moved: dict[str, str] = {}
        self._written = 0
        self._origin_steps: dict[str, list[CustodyStep]] = defaultdict(list)

    def __enter__(self) -> Self:
        self._lock.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    # what a store offers

    def locked(self, parties: tuple[str, ...], reads: tuple[str, ...] = (), event: str = "") -> Self:
        del parties, reads, event
        return self

    def answering(self, event: Event) -> Self:
        del event
        return self

    def reading(self) -> Self:
        return self

    def events(self) -> Sequence[Posted]:
        return tuple(self._events.values())

    @property
    def count(self) -> int:
        return len(self._events)

    def view(self) -> "MemoryStore":
        return self

    def apply(self, event: Event, outcome: Decision) -> None:
        """Write a posted outcome.

        Raises:
            ValueError: the outcome was not decided on the lots as they are; nothing is written.
        """
        parents = self.lots_named(outcome.ended)
        if not outcome.status.well or any(self._find(lot) is None for lot in parents.values()):
            raise ValueError(f"{event.id} was not decided on the lots as they are")
        moved = with_before(outcome.opened, parents)
        if moved and flows_against(self, event, moved):
            raise ValueError(f"{event.id} changes what a closed period left, or takes what was not there yet")
        for lot in parents.values():
            self._remove(lot)
        for lot in outcome.opened:
            self._insert(lot)
        self._opened[event.id], self._ended[event.id] = outcome.opened, tuple(parents.values())
        name, kind, day = event.id, event.type, event.day
        for before, after in moved:
            self._keep(CustodyStep(name, kind, day, before, after))
        for record in outcome.records:
            self._put(record)
            if isinstance(record, Origin):
                self._doubtful.pop(record.id, None)
                self._doubtful |= {record.id: record} if record.is_doubtful else {}
            elif isinstance(record, Slip) and (slips := self._slips.get(record.origin)) is not None:
                slips.pop(record.id, None)
                slips |= {record.id: record} if record.open_spans else {}
        if outcome.corrected and (corrected := self.posted(outcome.corrected)):
            self._events[outcome.corrected] = replace(corrected, corrected_by=event.id)
        self._events[event.id] = Posted(event, self.count + 1)

    # what a decision may ask

    def posted(self, event_id: str) -> Posted | None:
        return self._events.get(event_id)

    def digest(self, event_id: str) -> str:
        found = self._events.get(event_id)
        return found.digest if found else ""

    def lots_named(self, names: Sequence[str]) -> dict[str, Lot]:
        return {name: self._lots[name] for name in names}

    def one(self, kind: type[R], key: str) -> R | None:
        return cast("R | None", self._held[kind.kind].get(key))

    def many(self, kind: type[R], group: str) -> Sequence[R]:
        if not (keys := self._groups.get((kind.kind, group))):
            return []
        held = self._held[kind.kind]
        return [held[key] for key in keys]

    def open_slips(self, origin: str) -> Sequence[Slip]:
        if (slips := self._slips.get(origin)) is None:
            slips = self._slips[origin] = {one.id: one for one in self.many(Slip, origin) if one.open_spans}
        return list(slips.values())

    def lots_at(self, origin: str, start: int, stop: int) -> Sequence[Lot]:
        lots = self._current[origin]
        first = max(0, bisect_right(lots, start, key=_START) - 1)
        return [lot for lot in lots[first : bisect_left(lots, stop, key=_START)] if lot.stop > start]

    def lots_of(self, owner: str, crop: str) -> Sequence[Lot]:
        return tuple(self._owned.get((owner, crop), {}).values())

    def stock(self, owner: str, crop: str, form: str) -> Stock:
        if (stock := self._stocks.get((owner, crop, form))) is None:
            stock = Stock(lot for lot in self.lots_of(owner, crop) if lot.form == form)
            self._stocks[owner, crop, form] = stock
        return stock

    def doubtful_origins(self, names: Collection[str]) -> Sequence[Origin]:
        return [origin for origin in self._doubtful.values() if origin.id in names]

    def lots_in(self, custodian: str, site: str, form: str) -> Sequence[Lot]:
        return tuple(self._placed.get((custodian, site, form), {}).values())

    def live_at(self, custodian: str, site: str) -> Sequence[Lot]:
        """Return the current lots that lie at a site, in stock or not; asked only when a site is closed."""
        came = {step.after.id: step.after for step in self.steps(custodian)}
        there = [one for one in came.values() if (one.custodian, one.site) == (custodian, site) and one.state in LIVE]
        return [lot for lot in there if lot in self.lots_at(lot.origin, lot.start, lot.stop)]

    def lots_by(self, movement: str) -> Sequence[Lot]:
        return self._opened.get(movement, ())

    def parents(self, movement: str) -> Sequence[Lot]:
        return self._ended.get(movement, ())

    def lots_from(self, supplier: str, state: LotState) -> Sequence[Lot]:
        """Return the current lots from a supplier; asked only when a verification statement comes."""
        held = (lot for lots in self._owned.values() for lot in lots.values())
        return tuple(lot for lot in held if lot.supplier == supplier and lot.state is state)

    def steps(self, party: str, start: date | None = None) -> Sequence[CustodyStep]:
        found = self._steps.get(party, [])
        first = 0 if start is None else bisect_left(found, (start,), key=lambda entry: entry[:1])
        return [step for _, _, step in found[first:]]

    def first_moved(self, party: str) -> Posted | None:
        return self._events.get(self._moved.get(party, ""))

    def steps_of(self, origin: str) -> Sequence[CustodyStep]:
        return self._origin_steps.get(origin, [])

    # keeping the indexes

    def _put(self, record: Record) -> None:
        """Keep a record in its group; one stated anew in another, as a ticket of another crop, leaves its old one."""
        kind, key, group = record.kind, record.key, record.group
        before = self.one(type(record), key)
        if before is not None and before.group != group:
            self._groups[kind, before.group].pop(key, None)
        self._held[kind][key] = record
        self._groups[kind, group][key] = None

    def _find(self, lot: Lot) -> int | None:
        lots = self._current[lot.origin]
        place = bisect_right(lots, lot.start, key=_START) - 1
        return place if place >= 0 and lots[place].id == lot.id else None

    def _remove(self, lot: Lot) -> None:
        place = self._find(lot)
        if place is None:
            raise ValueError(f"lot {lot.id} is ended already")
        del self._current[lot.origin][place]
        # Whoever gave anything has its place here from then on: lists of several owners keep that order.
        self._owned[lot.owner, lot.crop].pop(lot.id, None)
        if lot.state in STOCK:
            if stock := self._stocks.get((lot.owner, lot.crop, lot.form)):
                stock.remove(lot)
            self._placed[lot.custodian, lot.site, lot.form].pop(lot.id, None)

    def _insert(self, lot: Lot) -> None:
        name = lot.id
        if self.lots_at(lot.origin, lot.start, lot.stop):
            raise ValueError(f"lot {name} overlaps a current lot")
        insort(self._current[lot.origin], lot, key=_START)
        self._lots[name] = lot
        if lot.state in STOCK:
            owner, crop, form = lot.owner, lot.crop, lot.form
            self._owned[owner, crop][name] = lot
            if stock := self._stocks.get((owner, crop, form)):
                stock.add(lot)
            self._placed[lot.custodian, lot.site, form][name] = lot

    def _keep(self, step: CustodyStep) -> None:
        after, before = step.after, step.before
        parties = {after.owner, after.custodian}
        if before is not None:
            parties |= {before.owner, before.custodian}
        self._written += 1
        entry = (step.day, self._written, step)
        for party in parties:
            if step.type != "opening":
                self._moved.setdefault(party, step.movement)
            # Nearly always the last place; a back-dated movement goes where its day belongs.
            steps = self._steps[party]
            if not steps or steps[-1][0] <= step.day:
                steps.append(entry)
            else:
                insort(steps, entry, key=lambda entry: entry[:2])
        self._origin_steps[after.origin].append(step)
