"""The two long seasons, each for a process of its own, and PostgreSQL for one: started from the wheel, thrown away."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench.posting import postgres
from provender.custody.store import MemoryStore
from tests.simulation.crew import Crew
from tests.simulation.season import Tally, follow, season
from tests.simulation.together import Together

GONE_WITHIN: Final = 60.0
"""Seconds the server may take to notice that a client died."""


@contextmanager
def fresh_database() -> Iterator[None]:
    """Start a server, set Django up on it, migrate; end it and remove its folder."""
    with TemporaryDirectory(prefix="provender-simulation-") as folder, postgres() as address:
        os.environ["PROVENDER_DATABASE_URL"] = address
        os.environ["PROVENDER_FOLDER"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "provender.web.settings"
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        yield


def wait_until_gone(using: str = "default") -> Callable[[int], None]:
    """Return what waits until the server has ended the session of a killed client, and with it its transaction."""
    from django.db import connections

    connection = connections[using]

    def wait(session: int) -> None:
        if connection.vendor != "postgresql":
            return
        until = time.monotonic() + GONE_WITHIN
        while time.monotonic() < until:
            with connection.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE pid = %s", [session])
                if cursor.fetchone() == (0,):
                    return
            time.sleep(0.005)
        raise TimeoutError(f"session {session} is still there")

    return wait


def committed_since(using: str = "default") -> Callable[[], list[str]]:
    """Return what tells the names of the events that are new in the book, in their order."""
    from provender.database.models.custody import CustodyEvent

    last = 0

    def new() -> list[str]:
        nonlocal last
        rows = list(CustodyEvent.objects.using(using).filter(id__gt=last).order_by("id").values_list("id", "name"))
        last = rows[-1][0] if rows else last
        return [name for _, name in rows]

    return new


WORKERS: Final = 4


def in_memory(seed: int, movements: int) -> Tally:
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
