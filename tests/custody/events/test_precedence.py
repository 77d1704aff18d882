"""Whatever conditions a request breaks together, they answer in the documented order.

Requests are put together at random from the fields that the ladders use. Of each the condition that answered is taken
out of the program, then the next one, and so on: every answer must stand further down than the last.
"""

from random import Random
from typing import Any, Final

import pytest

from provender.custody.events.registry import decide, read_event
from provender.custody.memory_store import MemoryStore
from provender.custody.model.event import Event as Request
from provender.custody.model.event import Refusal, Status
from provender.custody.model.store_view import StoreView
from tests.custody.ladders import LADDERS
from tests.custody.ladders_stock import STOCKED
from tests.custody.model.test_statuses import deaf
from tests.custody.world import Event, posted

TRIES: Final = 60


def values() -> dict[str, dict[str, list[Any]]]:
    """Return, by type of event and field, every value that a ladder gives it."""
    found: dict[str, dict[str, list[Any]]] = {}
    for ladder in LADDERS:
        steps: list[Event] = [*ladder.world, ladder.event]
        for _, repair in ladder.rungs:
            steps.append({name: value for name, value in {**steps[-1], **repair}.items() if value is not None})
        for step in steps:
            for name, value in step.items():
                known = found.setdefault(step["type"], {}).setdefault(name, [])
                if value not in known:
                    known.append(value)
    return found


def drawn(kind: str, fields: dict[str, list[Any]], base: Event, chance: Random) -> Request | None:
    """Return a request of a kind with fields from anywhere; None where it cannot be read."""
    named = [name for name in fields if name not in ("type", "id") and (name in base or chance.random() < 0.3)]
    try:
        return read_event({"type": kind, "id": "drawn", **{name: chance.choice(fields[name]) for name in named}})
    except Refusal:
        return None


def answers(facts: StoreView, request: Request) -> list[Status]:
    """Return one answer after the other, each with the conditions of those before it taken out."""
    found: list[Status] = []
    with deaf() as out:
        while True:
            try:
                status = Status(decide(facts, request).status)
            except Exception:  # noqa: BLE001 - without its conditions the program may stumble over what they keep out
                return found
            if status.well or status in found:
                return found
            found.append(status)
            out.add(status)


@pytest.mark.parametrize("kind", sorted(values()))
def test_conditions_broken_together_answer_in_order(kind: str) -> None:
    chance, fields = Random(kind), values()[kind]
    ladders = [ladder for ladder in LADDERS if ladder.event["type"] == kind]
    worlds = [ladder.world for ladder in ladders] or [STOCKED]
    bases = [ladder.event for ladder in ladders] or [one for one in STOCKED if one["type"] == kind] or [{}]
    for world in worlds:
        with posted(MemoryStore(), world).reading() as facts:
            for _ in range(TRIES):
                request = drawn(kind, fields, chance.choice(bases), chance)
                found = answers(facts, request) if request else []
                assert found == sorted(found, key=lambda status: status.rank), request
