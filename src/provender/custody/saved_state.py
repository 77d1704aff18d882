"""The state of a book on one day as a file: every lot, record and step, each found by its key without reading the rest.

Two parts of lines. First rows: the head, then lots and steps as JSON arrays, in the order of the book. Then the index:
keys in JSON, a tab, and what stands under them, sorted by bytes. A row is named by the byte at which it begins, so
the same events always give the same bytes, and one hash stands for all of it.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import date
from functools import lru_cache
from itertools import chain
from mmap import mmap
from operator import attrgetter
from typing import Any, Final, Protocol

from provender import plain
from provender.custody.events.record_kinds import RECORDS
from provender.custody.events.registry import read_posted
from provender.custody.model.lots import STOCK, Lot, LotState
from provender.custody.model.origins import Origin
from provender.custody.model.store_view import CustodyStep, Posted, Record
from provender.frozen import frozen
from provender.signing.canonical import canonical_json, json_writer
from provender.signing.hashes import sha256_hex
from provender.wire import types_of

_KEPT: Final[tuple[type[Any], ...]] = (Lot, *RECORDS.values())
LAYOUT: Final = sha256_hex(canonical_json([1, *([each.name for each in fields(cls)] for cls in _KEPT)]))[:16]
"""Changes with what a lot or a record is made of: a state of another layout is not read."""
_MANY: Final = 100
"""After so many questions for one event each, all are read: that costs as much as some thousand questions."""
Key = tuple[str, ...]
DatedStep = tuple[date, int, CustodyStep]
_tight: Final = json_writer(ascii_only=True, sort_keys=False)
_text: Final = json.encoder.encode_basestring_ascii
"""What the encoder writes of a text; rows are put together of it, since every event has several."""
_day = lru_cache(maxsize=4_096)(date.fromisoformat)
_STATES: Final = {state.value: state for state in LotState}
_FIELDS: Final = tuple(each.name for each in fields(Lot))
_TYPES: Final = tuple(types_of(Lot)[name] for name in _FIELDS)
_STATE, _SINCE, _ACQUIRED, _TITLED = map(_FIELDS.index, ("state", "since", "acquired", "titled"))
_values = attrgetter(*_FIELDS)
_written_day = lru_cache(maxsize=4_096)(lambda day: f'"{day.isoformat()}"')
_BY_TYPE: Final[Mapping[Any, Callable[[Any], str]]] = {str: _text, int: str, LotState: _text, date: _written_day}
_WRITERS: Final = tuple(_BY_TYPE[each] for each in _TYPES)
"""How each field of a lot is written, in their order."""


@frozen
class Entry:
    """A posted event, as far as a state keeps it: the event itself stands in the book.

    Attributes:
        id: its id.
        type: its type.
        day: its day.
        place: the byte of the book at which its line begins.
        digest: hash of its content.
        corrected_by: the correction that took it back; empty otherwise.
        opened: the lots it opened.
        ended: the lots it ended.
    """

    id: str
    type: str
    day: date
    place: int
    digest: str
    corrected_by: str
    opened: Sequence[Lot]
    ended: Sequence[Lot]


class Whole(Protocol):
    """Everything that a store holds, for a state to be made of it."""

    def entries(self, places: Sequence[int]) -> Iterator[Entry]:
        """Yield what is posted in the order of the book, given where the lines of events stand that are new."""

    def all_records(self) -> Iterable[Record]:
        """Return every record as it was stated last."""

    def all_groups(self) -> Iterable[tuple[tuple[str, str], Sequence[str]]]:
        """Return of every kind and group the keys, in the order in which they were first stated."""


class _Rows:
    """Rows as they are written, and what stands under which key."""

    def __init__(self, head: Mapping[str, object]) -> None:
        self.head = canonical_json(head)
        self.rows: list[str] = []
        self.size = len(self.head) + 1
        self.under: dict[Key, Any] = {}
        self.events: list[str] = []

    def add(self, row: str) -> int:
        """Write a row, which is ASCII; return the byte at which it begins."""
        place = self.size
        self.rows.append(row)
        self.size += len(row) + 1
        return place

    def list_under(self, *key: str) -> list[int]:
        """Return the list under a key."""
        found: list[int] = self.under.setdefault(key, [])
        return found

    def written(self) -> bytes:
        """Return the whole file."""
        index = [f"[{', '.join(map(_text, key))}]\t{_tight(held)}" for key, held in self.under.items()]
        index = sorted([*index, *self.events])
        return self.head + "\n".join(["", *self.rows, "", *index, ""]).encode("ascii")


def state_of(store: Whole, head: Mapping[str, object], places: Sequence[int]) -> bytes:
    """Return the state of a store.

    Args:
        store: the events posted.
        head: what the state says of the book: whose, how far, its seal and the hash of its bytes.
        places: where the lines of new events begin in the book.
    """
    made = _Rows(head)
    where: dict[str, int] = {}
    current: dict[str, Lot] = {}
    days: dict[str, list[tuple[date, int, int]]] = {}
    written = 0
    for number, entry in enumerate(store.entries(places), 1):
        day = _written_day(entry.day)
        begins = f"[{_text(entry.id)},{_text(entry.type)},{day}"
        opened = [made.add(_lot_row(lot)) for lot in entry.opened]
        where |= {lot.id: place for lot, place in zip(entry.opened, opened, strict=True)}
        ended = [where[lot.id] for lot in entry.ended]
        parents = {lot.id: lot for lot in entry.ended}
        for lot in entry.ended:
            del current[lot.id]
        for lot in entry.opened:
            before = parents.get(lot.parent) if lot.parent else None
            step = made.add(f"{begins},{where[lot.parent] if before else 0},{where[lot.id]}]")
            current[lot.id] = lot
            written += 1
            made.list_under("steps of", lot.origin).append(step)
            for party in {lot.owner, lot.custodian, *((before.owner, before.custodian) if before else ())}:
                days.setdefault(party, []).append((entry.day, written, step))
        told = f"{number},{entry.place},{_text(entry.type)},{day},{_text(entry.digest)},{_text(entry.corrected_by)}"
        lots = f"[{','.join(map(str, opened))}],[{','.join(map(str, ended))}]"
        made.events.append(f'["event", {_text(entry.id)}]\t[{told},{lots}]')
    made.under[("count of steps",)] = written
    for party, steps in days.items():
        made.under["steps", party] = list(chain.from_iterable((n, step) for _, n, step in sorted(steps)))
    _lay_out(made, where, current.values())
    _state_records(made, store)
    return made.written()


def _lay_out(made: _Rows, where: Mapping[str, int], current: Iterable[Lot]) -> None:
    """Write where each current lot is looked for."""
    for lot in sorted(current, key=lambda one: (one.origin, one.start)):
        place = where[lot.id]
        made.list_under("current", lot.origin).extend((lot.start, place))
        if lot.state in STOCK:
            made.list_under("owned", lot.owner, lot.crop).append(place)
            made.list_under("placed", lot.custodian, lot.site, lot.form).append(place)
            amount = made.under.get(("amount", lot.custodian, lot.site, lot.form), 0)
            made.under["amount", lot.custodian, lot.site, lot.form] = amount + lot.amount
        if lot.state is LotState.UNVERIFIED:
            made.list_under("unverified", lot.supplier).append(place)


def _state_records(made: _Rows, store: Whole) -> None:
    doubtful = []
    for record in store.all_records():
        made.under["record", record.kind, record.key] = plain.write(record, whole=True)
        if isinstance(record, Origin) and record.is_doubtful:
            doubtful.append(record.key)
    made.under[("doubtful",)] = sorted(doubtful)
    for (kind, group), keys in store.all_groups():
        made.under["group", kind, group] = list(keys)


def _lot_row(lot: Lot) -> str:
    return f"[{','.join([write(value) for write, value in zip(_WRITERS, _values(lot), strict=True)])}]"


class SavedState:
    """A state that was written, read where it is asked; it belongs to a book that begins with the same bytes.

    Args:
        raw: the file, its hash compared by the caller.
        book: the book as a file in memory; lines before the state's end are read from it.
    """

    def __init__(self, raw: bytes | mmap, book: bytes | mmap) -> None:
        self._raw, self._book = raw, book
        self.head: dict[str, Any] = json.loads(raw[: raw.find(b"\n")])
        self._first = raw.rfind(b"\n\n") + 2
        self._lots: dict[int, Lot] = {}
        self._named: dict[str, Lot] = {}
        self._digests: dict[str, str] | None = None
        self._asked = 0

    @property
    def count(self) -> int:
        """Return how many events are posted."""
        return int(self.head["events"])

    def at(self, *key: str) -> Any:  # noqa: ANN401 - JSON
        """Return what stands under a key, or None."""
        wanted = json.dumps(key).encode() + b"\t"
        low, high = self._first, len(self._raw)
        while low < high:
            middle = (low + high) // 2
            start = self._raw.rfind(b"\n", low - 1, middle) + 1 or low
            stop = self._raw.find(b"\n", middle)
            line = self._raw[start : start + len(wanted)]
            if line == wanted:
                return json.loads(self._raw[start + len(wanted) : stop])
            low, high = (stop + 1, high) if line < wanted else (low, start)
        return None

    def keys(self, word: str) -> Iterator[tuple[list[str], Any]]:
        """Yield every key of a word and what stands under it."""
        begin = b"\n" + json.dumps([word]).encode()[:-1]
        start = self._raw.find(begin, self._first - 1)
        while start >= 0:
            stop = self._raw.find(b"\n", start + 1)
            key, _, held = self._raw[start + 1 : stop].partition(b"\t")
            if not key.startswith(begin[1:]):
                return
            yield json.loads(key)[1:], json.loads(held)
            start = stop if stop + 1 < len(self._raw) else -1

    def _all_at_once(self, word: str) -> Iterator[tuple[list[str], Any]]:
        """Return every whole key of a word and what stands under it, read as one text: tabs are only between them."""
        begin = b"\n" + json.dumps([word]).encode()[:-1]
        start = self._raw.find(begin, self._first - 1)
        if start < 0:
            return iter(())
        stop = self._raw.find(b"\n", self._raw.rfind(begin) + 1)
        read = iter(json.loads(b"[%b]" % self._raw[start + 1 : stop].replace(b"\t", b",").replace(b"\n", b",")))
        return zip(read, read, strict=True)

    def _row(self, place: int) -> Any:  # noqa: ANN401 - JSON
        return json.loads(self._raw[place : self._raw.find(b"\n", place)])

    def lot(self, place: int) -> Lot:
        """Return the lot whose row begins at a byte."""
        if (lot := self._lots.get(place)) is None:
            row = self._row(place)
            row[_STATE] = _STATES[row[_STATE]]
            for dated in (_SINCE, _ACQUIRED, _TITLED):
                row[dated] = _day(row[dated])
            lot = self._lots[place] = Lot(*row)
            self._named[lot.id] = lot
        return lot

    def named(self, lot_id: str) -> Lot:
        """Return the lot of an id."""
        if lot_id not in self._named:
            self.movement(lot_id.rpartition("/")[0])
        return self._named[lot_id]

    def lots(self, *key: str) -> list[Lot]:
        """Return the lots listed under a key."""
        return [self.lot(place) for place in self.at(*key) or ()]

    def posted(self, event_id: str) -> Posted | None:
        """Return the event of that id as the book has it, or None."""
        row = self.at("event", event_id)
        return None if row is None else self._posted(row)

    def digest(self, event_id: str) -> str:
        """Return the hash of an event's content, or empty text; who asks for many has them all read at once."""
        if self._digests is None and self._asked >= _MANY:
            self._digests = {key[1]: row[4] for key, row in self._all_at_once("event")}
        if self._digests is not None:
            return self._digests.get(event_id, "")
        self._asked += 1
        row = self.at("event", event_id)
        return row[4] if row else ""

    def _posted(self, row: Sequence[Any]) -> Posted:
        number, place, _, _, digest, corrected_by, *_ = row
        line = json.loads(self._book[place : self._book.find(b"\n", place)], parse_float=str)
        return Posted(read_posted(line["event"]), number, corrected_by, digest)

    def events(self) -> Iterator[Posted]:
        """Yield every event, in no order."""
        return (self._posted(row) for _, row in self.keys("event"))

    def entries(self) -> list[Entry]:
        """Return every event as far as the state keeps it, in the order of the book."""
        rows = sorted((row[0], key[0], row[1:]) for key, row in self.keys("event"))
        return [
            Entry(name, kind, _day(day), place, digest, by, [*map(self.lot, opened)], [*map(self.lot, ended)])
            for _, name, (place, kind, day, digest, by, opened, ended) in rows
        ]

    def movement(self, event_id: str) -> tuple[tuple[Lot, ...], tuple[Lot, ...]]:
        """Return the lots that an event opened, and those that it ended."""
        row = self.at("event", event_id)
        return ((), ()) if row is None else (tuple(map(self.lot, row[-2])), tuple(map(self.lot, row[-1])))

    def record(self, kind: str, key: str) -> Any:  # noqa: ANN401 - of the kind
        """Return a record as it was stated last, or None."""
        raw = self.at("record", kind, key)
        return None if raw is None else plain.read(RECORDS[kind], raw)

    def steps(self, party: str) -> list[DatedStep]:
        """Return the steps of a party by day, each with its place in the order of the store."""
        held = self.at("steps", party) or []
        steps = map(self._step, held[1::2])
        return [(step.day, number, step) for number, step in zip(held[::2], steps, strict=True)]

    def steps_of(self, origin: str) -> list[CustodyStep]:
        """Return the steps of an origin."""
        return [self._step(place) for place in self.at("steps of", origin) or ()]

    def _step(self, place: int) -> CustodyStep:
        movement, kind, day, before, after = self._row(place)
        return CustodyStep(movement, kind, _day(day), self.lot(before) if before else None, self.lot(after))
