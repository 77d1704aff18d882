"""A store locks the parties that a request names: whatever a request may change must be theirs, or everybody's.

In memory one lock is over all, so that a season in memory would never show a party forgotten; here it is asked for.
"""

import os
import sys
from typing import Final

from provender.custody.events.outside import DocumentEvent
from provender.custody.memory_store import MemoryStore
from provender.custody.model.event import EVERYONE, Event
from provender.custody.model.store_view import Decision
from tests.simulation.season import season

SEED = int(os.environ.get("SEED", "20261121"))

SHARED_RECORDS: Final = frozenset({"origin", "slip", "yield", "claimed", "pending"})
"""Kinds of records that are read, changed and stated anew: two requests that do so must wait for each other."""


class Watchful(MemoryStore):
    """A store in memory that notes whose lots and which records were changed without their owner being locked."""

    def __init__(self) -> None:
        super().__init__()
        self.forgotten: list[str] = []
        self.documents_of_farms = 0

    def apply(self, request: Event, outcome: Decision) -> None:
        """Write a posted outcome, after a look at whom it reaches."""
        locked = set(request.locks()) - set(request.only_reads())
        owners = {self._lots[name].owner for name in outcome.ended}
        if isinstance(request, DocumentEvent):
            self.documents_of_farms += bool(owners)
        if EVERYONE not in locked:
            self.forgotten += [f"{request}: ends lots of {owner}" for owner in sorted(owners - locked)]
            for record in outcome.records:
                known = self.one(type(record), record.key)
                if known is not None and known != record and record.kind in SHARED_RECORDS:
                    self.forgotten += [] if _is_of(known, locked) else [f"{request}: states {known} anew"]
        super().apply(request, outcome)


def _is_of(record: object, locked: set[str]) -> bool:
    """Tell whether everybody who may state a record anew names one of the locked parties."""
    names = {getattr(record, name, "") for name in ("giver", "taker", "entity", "owner", "issuer")}
    return bool(names & locked)


def test_whoever_a_movement_takes_from_was_locked() -> None:
    store = Watchful()
    tally = season(store, SEED, 2_600)
    sys.stdout.write(f"seed {SEED}: {tally}, {store.documents_of_farms} documents over serials of this book\n")
    assert store.forgotten == []
    assert store.documents_of_farms > 10
