"""One of several processes that post at once: ``python -m tests.simulation.worker NAME``.

Each line on its standard input is a list: an event, and the number of the database statement before which the process
kills itself, 0 for none. Each line on its standard output is the answer. Nobody catches SIGKILL, so what the database
has of a killed process is what it would have after a power cut of that machine.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any


class Fuse:
    """Counts the statements of a posting and kills the process before one of them, or after the commit."""

    def __init__(self) -> None:
        self.left = 0

    def burn(self) -> None:
        """Take one step towards the end."""
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def statement(self, execute: Callable[..., Any], *arguments: Any) -> Any:  # noqa: ANN401 - Django's wrapper
        self.burn()
        return execute(*arguments)

    def before(self, commit: Callable[[], Any]) -> Callable[[], Any]:
        def counted() -> Any:  # noqa: ANN401 - whatever the driver returns
            self.burn()
            return commit()

        return counted


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "provender.web.settings")
    import django

    django.setup()
    from django.db import connection

    from provender.database.actor import Actor
    from provender.database.store.custody import SqlStore
    from tests.simulation.season import put

    store, fuse = SqlStore(Actor(None, sys.argv[1])), Fuse()
    connection.ensure_connection()
    session = connection.connection.info.backend_pid if connection.vendor == "postgresql" else 0
    connection.execute_wrappers.append(fuse.statement)
    connection.commit = fuse.before(connection.commit)  # type: ignore[method-assign]
    sys.stdout.write(f"{session}\n")
    sys.stdout.flush()
    for line in sys.stdin:
        event, fuse.left = json.loads(line)
        try:
            answer = put(store, event)
        except Exception as broken:  # noqa: BLE001 - whatever goes wrong is an answer that nobody expects
            answer = (f"error: {type(broken).__name__}", str(broken))
        if fuse.left > 0:
            os.kill(os.getpid(), signal.SIGKILL)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
