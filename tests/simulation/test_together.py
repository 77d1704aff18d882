"""Several processes post at once, some are killed, and the book is the one that the auditor knows."""

import sys

import pytest
from django.db import connections

from provender.custody.store import MemoryStore
from provender.database.actor import Actor
from provender.database.store.custody import SqlStore
from tests.database.store.test_custody_race import SHARED, way_to
from tests.simulation.crew import Crew
from tests.simulation.runs import committed_since, wait_until_gone
from tests.simulation.season import follow
from tests.simulation.test_season import SEED
from tests.simulation.together import Asked, Together, windows


@pytest.mark.slow
@pytest.mark.parametrize("using", SHARED)
def test_whoever_is_killed_what_was_acknowledged_stands_and_nothing_is_half_there(using: str) -> None:
    store = SqlStore(Actor(None, "auditor"), using)
    workers = 3 if connections[using].vendor == "postgresql" else 2
    with Crew(workers, way_to(using), wait_until_gone(using)) as crew:
        season = Together(store, crew, workers, committed_since(using), SEED)
        tally = season.run(150, 5)
    sys.stdout.write(f"seed {SEED}: {tally}, {crew.deaths} killed\n")
    assert tally.differences == []
    assert crew.deaths >= 5
    assert season.contested > 10
    again = follow(MemoryStore(), season.order)
    assert (again.differences, again.movements) == ([], tally.movements)
    assert follow(MemoryStore(), [*season.order[:-1], {**season.order[-1], "day": "2024-01-01"}]).differences


def test_a_refusal_is_judged_between_what_its_own_worker_did_before_and_after() -> None:
    first, wrong, last = (Asked(0, {"id": name}, status, "") for name, status in
                          (("a", "posted"), ("b", "not_held"), ("c", "posted")))  # fmt: skip
    others = [Asked(1, {"id": name}, "posted", "") for name in ("x", "y")]
    (judged,) = windows([first, wrong, last], [others[0], first, others[1], last])
    assert (judged.low, judged.high) == (2, 3)
