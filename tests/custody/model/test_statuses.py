"""The order of precedence, rung by rung.

A ladder is one request that breaks many conditions at once, and the repairs that mend them one after the other: each
repair shows the next status, in the documented order, until the request is posted. So every rung breaks the conditions
of the rungs below it. Together the ladders and the lines that cannot be read name every status there is.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Final

import pytest

from provender.custody.events import rules
from provender.custody.memory_store import MemoryStore
from provender.custody.model.event import Status
from provender.custody.model.store_view import Store
from provender.custody.store import run_lines
from tests.custody.ladders import LADDERS
from tests.custody.ladders_stock import Ladder
from tests.custody.world import CAST, posted, run

UNREADABLE = [
    ("line_unreadable", "{"),
    ("line_unreadable", '["no", "event"]'),
    ("line_unreadable", '{"type": "entity", "type": "entity"}'),
    ("line_unreadable", '{"type": "entity", "bushels": NaN}'),
    ("field_missing", "{}"),
    ("type_unknown", '{"type": "gift", "nonsense": 1}'),
    ("field_unknown", '{"type": "slip", "colour": "red", "bushels": "x"}'),
    ("field_missing", '{"type": "slip", "id": 7, "bushels": "x"}'),
    (
        "field_unreadable",
        '{"type": "slip", "id": "s", "day": "2026-02-30", "giver": "a", "taker": "b", "origin": "o"}',
    ),
    ("field_unreadable", '{"type": "suspend", "id": "", "day": "2026-02-03", "origin": "o"}'),
    ("field_unreadable", '{"type": "slip", "id": "s", "day": "2026-02-03", "giver": "a", "taker": "b", "origin": 5}'),
]


@pytest.mark.parametrize("ladder", LADDERS, ids=[ladder.name for ladder in LADDERS])
def test_every_repair_shows_the_next_status_in_order_of_precedence(ladder: Ladder, store: Store) -> None:
    posted(store, ladder.world)
    event = ladder.event
    seen: list[Status] = []
    for expected, repair in ladder.rungs:
        outcome = run(store, [event])[0]
        assert (outcome.status, len(seen)) == (expected, len(seen)), outcome.message
        seen.append(Status(outcome.status))
        event = {name: value for name, value in {**event, **repair}.items() if value is not None}
    assert [status.rank for status in seen] == sorted({status.rank for status in seen})
    outcome = run(store, [event])[0]
    assert outcome.status == ladder.end, outcome.message


LAST: Final = {
    Status.PERIOD_DECLARED_LATE,
    Status.YIELDS_OVERLAP,
    Status.BEYOND_CROP,
    Status.BEYOND_ACTUAL_PRODUCT,
    Status.NOTHING_TO_ADJUST,
    Status.CLAIMS_EXCEED_GRAIN,
    Status.SITE_IN_USE,
    Status.SITE_CLOSED,
}
"""Statuses that no event can have together with one that stands further down."""
LOOKED_UP: Final = {
    Status.RULE_NOT_IN_FORCE,
    Status.ENTITY_NOT_FOUND,
    Status.SITE_NOT_FOUND,
    Status.RECORD_NOT_FOUND,
    Status.PERIOD_NOT_DECLARED,
    Status.YIELD_NOT_FOUND,
    Status.YIELD_OUT_OF_DATE,
    Status.NO_GRAIN_BOOK,
}
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
        store, event = posted(MemoryStore(), ladder.world), ladder.event
        for (expected, repair), (_, following) in pairwise(ladder.rungs):
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
            event = {name: value for name, value in {**event, **repair}.items() if value is not None}
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
    named |= {status for status, _ in UNREADABLE} | {"exists", "id_has_other_content"}
    assert named == set(map(str, Status))


def test_every_status_is_a_sentence_for_people() -> None:
    for status in Status:
        assert status.sentence.endswith(".")
        assert status.well == (status in ("posted", "exists"))
