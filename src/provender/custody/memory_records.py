"""The records of a store in memory, by kind, key and group; the grain of a site is kept added up by day."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from provender.custody.model.amounts import FORMS
from provender.custody.model.editions import SIXTH
from provender.custody.model.grain_book import GrainEntry, grain_group
from provender.custody.model.grain_stock import GrainStock
from provender.custody.model.store_view import R, Record

if TYPE_CHECKING:
    from provender.custody.saved_state import SavedState

Group = tuple[str, str]
"""Kind and group."""


class MemoryRecords:
    """Records as they were stated last: the half of a store in memory that knows of no lots.

    Args:
        saved: the state that the store goes on from; what is here came since, or was looked at.
    """

    def __init__(self, saved: "SavedState | None") -> None:
        self._saved = saved
        self._held: dict[str, dict[str, Any]] = defaultdict(dict)
        self._groups: dict[Group, dict[str, None]] = defaultdict(dict)
        self._left: dict[Group, set[str]] = {}
        self._grain: dict[str, GrainStock] = {}

    def one(self, kind: type[R], key: str) -> R | None:
        """Return the record of a kind under a key, or None."""
        held = self._held[kind.kind]
        if key not in held and self._saved:
            saved = self._saved.record(kind.kind, key)
            if saved is not None:
                held[key] = saved
        found: R | None = held.get(key)
        return found

    def many(self, kind: type[R], group: str) -> Sequence[R]:
        """Return the records of a kind in a group, in the order in which their keys were first stated."""
        if self._saved is None:
            if not (keys := self._groups.get((kind.kind, group))):
                return []
            held = self._held[kind.kind]
            return [held[key] for key in keys]
        return [one for key in self._keys((kind.kind, group)) if (one := self.one(kind, key)) is not None]

    def grain(self, group: str) -> GrainStock:
        """Return the grain of a site and form, as it is from now on: nobody changes it but the store."""
        if (stock := self._grain.get(group)) is None:
            stock = self._grain[group] = GrainStock(MemoryRecords.many(self, GrainEntry, group))
        return stock

    def _put(self, record: Record, edition: int) -> None:
        """Keep a record in its group. One that is stated anew in another, as a ticket of another crop, leaves its old.

        Up to the fifth edition it stayed in both: what was posted then stays posted.
        """
        kind, key, group = record.kind, record.key, record.group
        before = self.one(type(record), key)
        if before is not None and before.group != group:
            self._leave((kind, before.group), key, edition)
        if self._left and (gone := self._left.get((kind, group))):
            gone.discard(key)
        self._held[kind][key] = record
        self._groups[kind, group][key] = None
        if isinstance(record, GrainEntry):
            self._restock(record, restated=before is not None)

    def _leave(self, group: Group, key: str, edition: int) -> None:
        if edition >= SIXTH:
            self._groups[group].pop(key, None)
            self._left.setdefault(group, set()).add(key)
            self._grain.pop(group[1], None)

    def _restock(self, entry: GrainEntry, *, restated: bool) -> None:
        """Bring what was added up to what an entry says now: of an earlier edition, each list that it stands in."""
        for form in FORMS if restated else (entry.form,):
            stock = self._grain.get(grain_group(entry.entity, entry.site, form))
            if stock and (form == entry.form or stock.has(entry.number)):
                stock.put(entry)

    def all_records(self) -> Iterator[Record]:
        """Yield every record as it was stated last."""
        if saved := self._saved:
            for (kind, key), _ in saved.keys("record"):
                if key not in self._held[kind]:
                    self._held[kind][key] = saved.record(kind, key)
        for held in self._held.values():
            yield from held.values()

    def all_groups(self) -> Iterator[tuple[Group, Sequence[str]]]:
        """Yield of every kind and group the keys, in the order in which they were first stated."""
        before = {(kind, group): None for (kind, group), _ in self._saved.keys("group")} if self._saved else {}
        for group in before | dict.fromkeys(self._groups):
            yield group, self._keys(group)

    def _keys(self, group: Group) -> Sequence[str]:
        now = self._groups.get(group, {})
        before = self._saved.at("group", *group) if self._saved else None
        gone = self._left.get(group, ())
        return [key for key in dict.fromkeys(before) | now if key not in gone] if before else list(now)
