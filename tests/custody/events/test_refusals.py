"""Every refusal: its cause and remedy, and the order in which conditions answer."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from random import Random
from typing import Any, Final

import pytest

from provender.custody.events import rules
from provender.custody.events.registry import DECISIONS, decide, problem_of, read_event
from provender.custody.model.event import Event as Request
from provender.custody.model.event import Refusal, Status
from provender.custody.model.store_view import Decision, Store, StoreView
from provender.custody.store import MemoryStore, run_lines
from provender.rule.crops import Cite
from tests.custody.ladders import LADDERS, STOCKED, Ladder
from tests.custody.world import CAST, Event, posted, run
from tests.draws import part_of_draws

# The order of precedence, rung by rung.
#
# A ladder is one request that breaks many conditions at once, and the repairs that mend them one after the other:
# each repair shows the next status, in the documented order, until the request is posted. So every rung breaks the
# conditions of the rungs below it. Together the ladders and the lines that cannot be read name every status there is.

UNREADABLE = [
    ("line_unreadable", "{"),
    ("line_unreadable", '["no", "event"]'),
    ("line_unreadable", '{"type": "entity", "type": "entity"}'),
    ("line_unreadable", '{"type": "entity", "bushels": NaN}'),
    ("field_missing", "{}"),
    ("type_unknown", '{"type": "gift", "nonsense": 1}'),
    ("field_unknown", '{"type": "slip", "colour": "red", "bushels": "x"}'),
    ("field_missing", '{"type": "slip", "id": 7, "bushels": "x"}'),
    ("field_unreadable", '{"type": "slip", "id": "s", "day": "2026-02-30", "giver": "a", "taker": "b", "origin": "o"}'),
    ("field_unreadable", '{"type": "suspend", "id": "", "day": "2026-02-03", "origin": "o"}'),
    ("field_unreadable", '{"type": "slip", "id": "s", "day": "2026-02-03", "giver": "a", "taker": "b", "origin": 5}'),
]


@pytest.mark.parametrize("ladder", LADDERS, ids=[ladder.name for ladder in LADDERS])
def test_every_repair_shows_the_next_status_in_order_of_precedence(ladder: Ladder, store: Store) -> None:
    posted(store, ladder.world)
    ends = [*(Status(status) for status, _ in ladder.rungs), Status(ladder.end)]
    for number, (event, expected) in enumerate(zip(ladder.steps(), ends, strict=True)):
        outcome = run(store, [event])[0]
        assert (outcome.status, number) == (expected, number), outcome.message
    assert [status.rank for status in ends[:-1]] == sorted({status.rank for status in ends[:-1]})


LAST: Final = {
    Status.PERIOD_DECLARED_LATE, Status.YIELDS_OVERLAP, Status.BEYOND_CROP, Status.BEYOND_ACTUAL_PRODUCT,
    Status.NOTHING_TO_ADJUST, Status.CLAIMS_EXCEED_GRAIN, Status.SITE_IN_USE, Status.SITE_CLOSED,
}  # fmt: skip
"""Statuses that no event can have together with one that stands further down."""
LOOKED_UP: Final = {
    Status.RULE_NOT_IN_FORCE, Status.ENTITY_NOT_FOUND, Status.SITE_NOT_FOUND, Status.RECORD_NOT_FOUND,
    Status.PERIOD_NOT_DECLARED, Status.YIELD_NOT_FOUND, Status.YIELD_OUT_OF_DATE, Status.NO_GRAIN_BOOK,
}  # fmt: skip
"""Without what is not there nothing more can be asked; the fields that break the next condition are there already."""


@contextmanager
def deaf() -> Iterator[set[Status]]:
    """Give a set of conditions that are taken out of the program, wherever they are asked, while they stand in it.

    Those that are looked up cannot be.
    """
    out: set[Status] = set()
    ask = rules.require

    def require(condition: bool, status: Status, detail: str = "") -> None:
        if status not in out:
            ask(condition, status, detail)

    askers = [
        module
        for name, module in list(sys.modules.items())
        if name.startswith("provender.custody.") and getattr(module, "require", None) is ask
    ]
    assert askers
    for module in askers:
        module.require = require  # type: ignore[attr-defined]
    try:
        yield out
    finally:
        for module in askers:
            module.require = ask  # type: ignore[attr-defined]


def test_for_every_status_a_row_breaks_a_later_condition_too() -> None:
    """Of each row the condition it is answered with is taken out: the answer must be a later refusal."""
    rows = {Status(status) for ladder in LADDERS for status, _ in ladder.rungs}
    for ladder in LADDERS:
        store = posted(MemoryStore(), ladder.world)
        for event, ((expected, repair), (_, following)) in zip(ladder.steps(), pairwise(ladder.rungs), strict=False):
            status = Status(expected)
            if status in LOOKED_UP and repair.keys().isdisjoint(following):
                rows.discard(status)
            if status in rows - LOOKED_UP:
                with deaf() as out:
                    out.add(status)
                    found = run(store, [event])[0].status
                if not found.well and found.rank > status.rank:
                    rows.discard(status)
                if found.well:
                    store = posted(MemoryStore(), ladder.world)  # it shows nothing, and has moved something
    assert rows == LAST


@pytest.mark.parametrize(("status", "line"), UNREADABLE)
def test_a_line_that_cannot_be_read_is_answered_and_the_rest_goes_on(status: str, line: str, store: Store) -> None:
    good = '{"type": "entity", "id": "e", "day": "2026-01-01", "entity": "x", "name": "X", "roles": ["farm"]}'
    answers = list(run_lines(store, [line, "", good]))
    assert [(answer.line, answer.status) for answer in answers] == [(1, status), (3, "posted")]


def test_a_repeat_is_recognised_and_another_event_of_that_id_is_refused(store: Store) -> None:
    posted(store, CAST)
    assert [outcome.status for outcome in run(store, CAST[:1])] == ["exists"]
    assert run(store, [{**CAST[0], "name": "Other", "roles": []}])[0].status == "id_has_other_content"


def test_the_ladders_name_every_status() -> None:
    named = {status for ladder in LADDERS for status, _ in ladder.rungs} | {ladder.end for ladder in LADDERS}
    named |= {status for status, _ in UNREADABLE} | {"exists", "id_has_other_content", "day_ahead"}
    assert named == set(map(str, Status))


def test_every_status_is_a_sentence_for_people() -> None:
    for status in Status:
        assert status.sentence.endswith(".")
        assert status.well == (status in ("posted", "exists"))


# Every refusal can be shown at a form: a cause, a remedy, and a field that some event has.


def test_every_refusal_has_a_cause_and_a_remedy() -> None:
    detail = "It says so."
    for status in Status:
        if not status.well:
            problem = problem_of(Decision(status, Refusal(status, detail).message))
            assert problem.cause.endswith(detail), status
            assert problem.remedy, status
            assert problem.remedy not in problem.cause, status
            assert problem.code == status


def test_every_field_a_refusal_points_to_is_a_field_of_some_event() -> None:
    known = {name for event in DECISIONS for name in event.__dataclass_fields__}
    assert {name for status in Status for name in status.fields} <= known


def test_the_place_is_a_field_that_the_event_has() -> None:
    outcome = Decision(Status.EXCEEDS_STOCK, Status.EXCEEDS_STOCK.sentence)
    assert problem_of(outcome, known=("day", "pounds")).place.column == "pounds"
    assert problem_of(outcome, known=("day",)).place.column == ""


def test_a_field_that_cannot_be_read_is_named() -> None:
    refused = Refusal(Status.FIELD_UNREADABLE, "bushels: 'many' is not a number.")
    outcome = Decision(refused.status, refused.message)
    assert problem_of(outcome, known=("day", "bushels")).place.column == "bushels"


def test_every_citation_is_written_as_one() -> None:
    assert [Cite.parse(status.cite) for status in Status if status.cite]


# Whatever conditions a request breaks together, they answer in the documented order.
#
# Requests are put together at random from the fields that the ladders use. Of each the condition that answered is taken
# out of the program, then the next one, and so on: every answer must stand further down than the last.

TRIES: Final = part_of_draws(4)


def values() -> dict[str, dict[str, list[Any]]]:
    """Return, by type of event and field, every value that a ladder gives it."""
    found: dict[str, dict[str, list[Any]]] = {}
    for ladder in LADDERS:
        for step in [*ladder.world, *ladder.steps()]:
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
