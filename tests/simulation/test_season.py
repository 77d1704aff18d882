"""A short season in every test run; ``make simulate`` runs the long ones.

A store locks the parties that a request names; in memory one lock is over all, so what it may change is asked for.
"""

import os
import sys
from dataclasses import replace
from typing import Final

from provender.custody.events.outside import DocumentEvent
from provender.custody.model.event import EVERYONE
from provender.custody.model.event import Event as Request
from provender.custody.model.store_view import Decision
from provender.custody.store import MemoryStore
from tests.simulation.auditor import Auditor
from tests.simulation.season import Tally, ask, compare, season
from tests.simulation.workload_outside import WholeWorkload

SEED = int(os.environ.get("SEED", "20261121"))


SHARED_RECORDS: Final = frozenset({"origin", "slip", "yield", "claimed", "pending"})
"""Kinds of records that are read, changed and stated anew: two requests that do so must wait for each other."""


class Watchful(MemoryStore):
    """A store in memory that notes whose lots and which records were changed without their owner being locked."""

    def __init__(self) -> None:
        super().__init__()
        self.forgotten: list[str] = []
        self.documents_of_farms = 0

    def apply(self, request: Request, outcome: Decision) -> None:
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


def test_a_season_of_honest_and_false_requests_is_answered_as_the_auditor_says() -> None:
    """What a request may change must be of the parties that it locks, or of everybody; memory alone never shows it."""
    store = Watchful()
    tally = season(store, SEED, 900)
    sys.stdout.write(f"seed {SEED}: {tally}, {store.documents_of_farms} documents over serials of this book\n")
    assert tally.differences == []
    assert tally.refusals > 150
    assert len(tally.statuses) >= 15
    assert store.forgotten == []
    assert store.documents_of_farms > 5


def test_a_bushel_moved_behind_the_auditors_back_is_a_difference() -> None:
    store, auditor, tally = MemoryStore(), Auditor(), Tally()
    workload = WholeWorkload(SEED, auditor)
    for event in workload.opening():
        ask(store, auditor, event, tally)
    opened = tally.movements
    while tally.movements - opened < 200:
        for event in workload.batch():
            if ask(store, auditor, event, tally) == "posted":
                workload.noted(event)
    with store.reading() as facts:
        assert list(compare(facts, auditor)) == []
        segs = next(iter(auditor.books.segs.values()))
        segs[0] = replace(segs[0], owner="somebody else")
        assert len(list(compare(facts, auditor))) == 1
