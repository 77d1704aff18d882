"""The long seasons' own PostgreSQL: started from the wheel, migrated, thrown away."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Final

from bench.posting import postgres

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
