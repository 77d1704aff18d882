"""The two long seasons, each for a process of its own."""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Final

from provender.custody.store import MemoryStore
from tests.simulation.crew import Crew
from tests.simulation.postgres import committed_since, fresh_database, wait_until_gone
from tests.simulation.season import Tally, follow, season
from tests.simulation.together import Together

WORKERS: Final = 4


def in_memory(seed: int, movements: int) -> Tally:
    """Run a season in memory."""
    return season(MemoryStore(), seed, movements)


def replayed(order: Path) -> Tally:
    """Ask what several processes committed once more, in the order of their book, of one store in memory."""
    with order.open(encoding="utf-8") as lines:
        return follow(MemoryStore(), map(json.loads, lines))


def in_postgres(seed: int, movements: int, deaths: int) -> tuple[Tally, str]:
    """Run a season of several processes against a PostgreSQL of its own."""
    # Whoever ends the run early ends its server too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with fresh_database():
        from provender.database.actor import Actor
        from provender.database.store.custody import SqlStore

        with Crew(WORKERS, os.environ, wait_until_gone()) as crew:
            together = Together(SqlStore(Actor(None, "auditor")), crew, WORKERS, committed_since(), seed)
            tally = together.run(movements, deaths)
        kept = Path("out") / f"simulation-{seed}.order"
        kept.parent.mkdir(exist_ok=True)
        kept.write_text("".join(json.dumps(event) + "\n" for event in together.order), encoding="utf-8")
        said = f"{WORKERS} processes, {crew.deaths} killed, {together.contested} requests contested; order in {kept}"
    return tally, said
