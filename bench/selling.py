"""Houses that sell: ``python -m bench.selling prepare | look | SELLER FIRST COUNT``.

``prepare`` makes the tables and the opening stock; ``look`` tells whether the book is sound and how many sales stand.
A seller waits for a line on its standard input, then posts its sales one after the other.
"""

import os
import random
import sys
from collections.abc import Iterator
from typing import Any, Final

SELLERS: Final = tuple(f"seller-{number}" for number in range(4))
BUYERS: Final = tuple(f"buyer-{number}" for number in range(4))
INTENSITIES: Final = 12
"""Lots a seller begins with, one to a carbon intensity."""
OPENING: Final = 100_000
"""Bushels of each."""


def trader(name: str) -> Iterator[dict[str, Any]]:
    """Yield the declarations of a house that keeps a balance and is verified."""
    head = {"day": "2025-12-01", "entity": name}
    yield {"type": "entity", "id": name, "name": name, "roles": ["first_point"], "sites": ["yard"], **head}
    days = {"start_day": "2026-01-01", "end_day": "2026-03-31", "policy": "oldest_first"}
    yield {"type": "period", "id": f"p-{name}", **head, **days}
    covered = {"start_day": "2025-12-01", "end_day": "2026-12-31", "crops": ["corn"], "opinion": "favourable"}
    yield {"type": "statement", "id": f"v-{name}", **head, "verifier": "v", "number": name, **covered}


def opening_events() -> Iterator[dict[str, Any]]:
    """Return the declarations of eight houses and the opening stock of the four that sell."""
    for name in (*SELLERS, *BUYERS):
        yield from trader(name)
    for at, name in enumerate(SELLERS):
        sheet = {"sha256": str(at) * 64, "name": "bins.pdf"}
        yield {"type": "file", "id": f"f-{name}", "day": "2025-12-03", "entity": name, **sheet}
        for number in range(INTENSITIES):
            stock = {"crop": "corn", "harvest_year": 2025, "ci": str(5000 + number), "bushels": str(OPENING)}
            head = {"id": f"o-{name}-{number}", "day": "2025-12-03", "entity": name, "number": str(number)}
            yield {"type": "opening", **head, "evidence": sheet["sha256"], **stock}


def sales(seller: str, first: int, count: int) -> Iterator[dict[str, Any]]:
    """Return sales of one house to the four buyers, 1 to 90 bushels each."""
    chance = random.Random(f"{seller} {first}")
    for number in range(first, first + count):
        yield {
            "type": "sale", "id": f"{seller}-{number}", "day": "2026-02-01", "giver": seller,
            "taker": chance.choice(BUYERS), "crop": "corn", "bushels": str(chance.randint(1, 90)),
        }  # fmt: skip


def main() -> None:
    """Do what the arguments say."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "provender.web.settings"
    import django

    django.setup()
    {"prepare": _prepare, "look": _look}.get(sys.argv[1], _sell)()


def _prepare() -> None:
    from django.core.management import call_command

    from provender.custody.events.registry import post, read_posted
    from provender.database.actor import Actor
    from provender.database.store.custody import SqlStore

    call_command("migrate", verbosity=0)
    for event in opening_events():
        post(SqlStore(Actor(None, "benchmark")), read_posted(event))


def _sell() -> None:
    from provender.custody.events.registry import post, read_event
    from provender.database.actor import Actor
    from provender.database.store.custody import SqlStore

    store = SqlStore(Actor(None, "benchmark"))
    with store.reading() as facts:
        facts.posted("")  # connects before the clock runs
    events = [read_event(event) for event in sales(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))]
    _say("ready")
    sys.stdin.readline()
    for event in events:
        post(store, event)


def _look() -> None:
    from bench.posting import sound
    from provender.database.actor import Actor
    from provender.database.store.custody import SqlStore

    with SqlStore(Actor(None, "benchmark")).reading() as facts:
        openings = [f"o-{name}-{number}" for name in SELLERS for number in range(INTENSITIES)]
        origins = [lot.origin for one in openings for lot in facts.lots_by(one)]
        lots = [lot for origin in origins for lot in facts.lots_at(origin, 0, 2**36)]
        stand = sum(one.event.type == "sale" for one in facts.events())
    _say(f"{'sound' if sound(lots) else 'unsound'} {stand}")


def _say(line: str) -> None:
    """Tell the parent, who waits for the line."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
