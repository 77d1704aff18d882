"""A short season in every test run; ``make simulate`` runs the long ones."""

import os
import sys
from dataclasses import replace

from provender.custody.memory_store import MemoryStore
from provender.custody.model.store_view import Store
from tests.simulation.auditor import Auditor
from tests.simulation.ledger import Event
from tests.simulation.season import Tally, ask, compare, season
from tests.simulation.workload_outside import WholeWorkload

SEED = int(os.environ.get("SEED", "20261121"))


def test_a_season_of_honest_and_false_requests_is_answered_as_the_auditor_says(store: Store) -> None:
    tally = season(store, SEED, 1_120)
    sys.stdout.write(f"seed {SEED}: {tally}\n")
    assert tally.differences == []
    assert tally.refusals > 300
    assert len(tally.statuses) >= 15


def test_a_bushel_moved_behind_the_auditors_back_is_a_difference(store: Store) -> None:
    auditor, tally = Auditor(), Tally()
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


def test_the_movements_of_a_season_are_counted_after_the_opening_of_its_books() -> None:
    store = MemoryStore()
    season(store, SEED, 20)
    opening = {event["id"] for event in WholeWorkload(SEED, Auditor()).opening()}
    assert len([one for one in store.events() if one.request.id not in opening]) >= 20


def test_the_same_seed_makes_the_same_season() -> None:
    def requests() -> list[Event]:
        workload = WholeWorkload(SEED, Auditor())
        return workload.opening()

    assert requests() == requests()
