"""One of several processes that post at once: ``python -m tests.database.racing NAME FIRST_SERIAL STEP COUNT [toll]``.

It waits for a line on its standard input, then posts sales of one bushel each and prints their statuses; with ``toll``
the crushing of one bushel of its own at somebody else's plant.
"""

import os
import sys
from typing import Any


def sale_of(name: str, number: int, start: int) -> dict[str, Any]:
    from tests.custody.world import ADA_SOY, ev

    lots = [{"origin": ADA_SOY, "start": str(start), "stop": str(start + 1)}]
    return ev("sale", f"{name}-{number}", "2026-02-01", giver="coop", taker="crush", crop="soybeans", lots=lots)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "provender.web.settings")
    import django

    django.setup()
    from provender.custody.events.registry import post, read_event
    from provender.database.actor import Actor
    from provender.database.store.custody import SqlStore
    from tests.custody.world import ev

    name, first, step, count = sys.argv[1], *map(int, sys.argv[2:5])
    tolled = "toll" in sys.argv[5:]
    store = SqlStore(Actor(None, name))
    print("ready", flush=True)  # noqa: T201 - the parent waits for it
    sys.stdin.readline()
    for number in range(count):
        sale = sale_of(name, number, first + number * step)
        own = {"entity": name, "plant": "crush", "site": "plant", "crop": "soybeans", "output": "soybean_oil"}
        crushing = ev("process", f"{name}-{number}", "2026-02-01", bushels="1", **own)
        print(post(store, read_event(crushing if tolled else sale)).status, flush=True)  # noqa: T201 - the parent reads it


if __name__ == "__main__":
    main()
