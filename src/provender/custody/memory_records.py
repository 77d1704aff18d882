"""The records of a store in memory, by kind, key and group; the grain of a site is kept added up by day."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, cast

from provender.custody.model.grain_book import GrainEntry
from provender.custody.model.grain_stock import GrainStock
from provender.custody.model.store_view import R, Record

Group = tuple[str, str]
"""Kind and group."""


class MemoryRecords:
    """Records as they were stated last: the half of a store in memory that knows of no lots."""

    def __init__(self) -> None:
        self._held: dict[str, dict[str, Any]] = defaultdict(dict)
        self._groups: dict[Group, dict[str, None]] = defaultdict(dict)
        self._grain: dict[str, GrainStock] = {}

    def one(self, kind: type[R], key: str) -> R | None:
        """Return the record of a kind under a key, or None."""
        return cast("R | None", self._held[kind.kind].get(key))

    def many(self, kind: type[R], group: str) -> Sequence[R]:
        """Return the records of a kind in a group, in the order in which their keys were first stated."""
        if not (keys := self._groups.get((kind.kind, group))):
            return []
        held = self._held[kind.kind]
        return [held[key] for key in keys]

    def grain(self, group: str) -> GrainStock:
        """Return the grain of a site and form, as it is from now on: nobody changes it but the store."""
        if (stock := self._grain.get(group)) is None:
            stock = self._grain[group] = GrainStock(MemoryRecords.many(self, GrainEntry, group))
        return stock

    def _put(self, record: Record) -> None:
        """Keep a record in its group; one stated anew in another, as a ticket of another crop, leaves its old one."""
        kind, key, group = record.kind, record.key, record.group
        before = self.one(type(record), key)
        if before is not None and before.group != group:
            self._groups[kind, before.group].pop(key, None)
            self._grain.pop(before.group, None)
        self._held[kind][key] = record
        self._groups[kind, group][key] = None
        if isinstance(record, GrainEntry):
            stock = self._grain.get(group)
            if stock is not None:
                stock.put(record)

    def all_records(self) -> Iterator[Record]:
        """Yield every record as it was stated last."""
        for held in self._held.values():
            yield from held.values()
