"""The stories of the golden book: the shipped examples and the ladders, each event answered, some taken back.

Only the maker reads this page. The test reads what the maker wrote into ``book.jsonl``.
"""

import json
from importlib.resources import files
from typing import Any, Final, NamedTuple

from tests.custody.events.test_refusals import UNREADABLE
from tests.custody.ladders import LADDERS, Ladder
from tests.custody.world import CAST, Event, ev
from tests.golden.machine import EVENT_TYPES, answers, memory_store

EXAMPLES: Final[list[Event]] = [
    json.loads(line)
    for line in (files("provender.custody") / "data" / "example_events.jsonl").read_text(encoding="utf-8").splitlines()
]
PARTIES: Final = ("entity", "giver", "taker", "owner", "custodian", "issuer")


class Story(NamedTuple):
    """A name and the lines that are posted one after the other into an empty store."""

    name: str
    lines: list[str]


def text(event: Event) -> str:
    return json.dumps(event, ensure_ascii=False)


def corrections(event: Event, day: str) -> list[Event]:
    """Return a correction of an event by each of its parties, a stranger first: each but the last may be refused."""
    names = dict.fromkeys(["nobody", *(event[name] for name in PARTIES if name in event)])
    return [
        ev("correct", f"back-{event['id']}-{name}", day, entity=name, movement=event["id"], reason="entered in error")
        for name in names
    ]


def story_of_ladders(number: int, world: list[Event], ladders: list[Ladder]) -> Story:
    """Return one story of all ladders over one world: what is refused first, then what stands, each taken back."""
    refused: list[Event] = []
    last: list[Event] = []
    for ladder in ladders:
        *faulty, whole = ladder.steps()
        refused += faulty
        last.append({**whole, "id": f"ladder of {ladder.name}"})
    lines = [*world, *refused]
    for event in last:
        lines += [event, *corrections(event, event["day"])]
    return Story(f"ladders {number}: {ladders[0].name}", [text(event) for event in lines])


def of_ladders() -> list[Story]:
    worlds: dict[str, list[Ladder]] = {}
    for ladder in LADDERS:
        worlds.setdefault(json.dumps(ladder.world), []).append(ladder)
    return [
        story_of_ladders(number, json.loads(world), ladders)
        for number, (world, ladders) in enumerate(worlds.items(), 1)
    ]


def of_examples() -> Story:
    """Return the story of the shipped examples: posted, posted again, and taken back from the last to the first."""
    lines = list(EXAMPLES)
    lines += [EXAMPLES[0], {**EXAMPLES[0], "actor": "bea"}, {**EXAMPLES[0], "name": "Another"}]
    for event in reversed(EXAMPLES):
        lines += corrections(event, "2026-06-30")
    return Story("examples", [text(event) for event in lines])


def of_each_example_taken_back() -> list[Story]:
    """Return for each type of event a story that ends with its example, taken back, taken back again and again."""
    found = []
    for kind in EVENT_TYPES:
        number = next(number for number, event in enumerate(EXAMPLES) if event["type"] == kind)
        event = EXAMPLES[number]
        lines = [*EXAMPLES[: number + 1]]
        back = corrections(event, event["day"])
        lines += [*back, *(again for one in back for again in corrections(one, event["day"]))]
        if _some_correction_stands(lines, number + 1):
            found.append(Story(f"example of {kind} taken back", [text(one) for one in lines]))
    return found


def _some_correction_stands(lines: list[Event], first: int) -> bool:
    return any(answer["status"] == "posted" for answer in answers(memory_store(), map(text, lines))[first:])


def of_unreadable_lines() -> Story:
    """Return the story of lines that cannot be read, of types that no ladder refuses, and of one who signs."""
    wrong: list[dict[str, Any]] = []
    for event in EXAMPLES:
        wrong += [{**event, "colour": "red"}, {**event, "day": "2024-01-01"}, {**event, "day": "soon"}]
        wrong += [{**event, name: "nobody"} for name in PARTIES if name in event]
        wrong += [{key: value for key, value in event.items() if key != name} for name in event]
    signed = {**CAST[0], "id": "signed", "actor": "bea"}
    lines = [text(event) for event in CAST]
    return Story("unreadable", [*lines, *(line for _, line in UNREADABLE), *map(text, wrong), text(signed)])


def stories() -> list[Story]:
    return [of_examples(), *of_each_example_taken_back(), of_unreadable_lines(), *of_ladders()]
