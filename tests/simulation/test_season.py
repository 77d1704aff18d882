"""A short season in every test run, and a few in books of their own; ``python -m tests.simulation`` runs the long ones.

A store locks the parties that a request names; in memory one lock is over all, so what it may change is asked for.
``python -m tests.simulation --apart 200`` plays many seasons in books of their own."""

import os
import sys
from dataclasses import replace
from typing import Final

import pytest

from provender.custody.events.outside import DocumentEvent
from provender.custody.events.registry import post, read_event
from provender.custody.model.event import EVERYONE, Status
from provender.custody.model.event import Event as Request
from provender.custody.model.store_view import Decision
from provender.custody.store import MemoryStore
from provender.exact import show
from tests.simulation.apart_season import played
from tests.simulation.auditor import Auditor
from tests.simulation.season import Tally, ask, compare, season
from tests.simulation.workload import WholeWorkload

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


MORE = [9, 15, 30, 20261152, 20261168, 20261182, 20261199, 20261214, 20261306]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in MORE)])
def test_own_books_with_papers_between_them_come_to_what_a_shared_book_says(seed: int) -> None:
    books = played(seed)
    assert list(books.differences()) == []
    assert list(books.false_alarms()) == []
    assert len(books.trades) > 12
    assert books.posted > 250


def test_a_release_that_only_one_book_has_is_a_difference() -> None:
    books = played(0, 60)
    assert list(books.differences()) == []
    lot = next(lot for lot in books.own["east"].lots_of("east", "soybeans") if lot.form == "soybeans")
    only = {"type": "release", "id": "only", "day": lot.since.isoformat(), "entity": "east", "crop": "soybeans"}
    spans = [{"origin": lot.origin, "start": show(lot.start), "stop": show(lot.start + 1)}]
    assert post(books.own["east"], read_event({**only, "lots": spans})).status is Status.POSTED
    assert any(one.startswith("east: the stock") for one in books.differences())
