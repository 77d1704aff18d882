"""The golden book: what every type of event is answered, and how it is written, has not changed.

Each of the types is posted, refused and, where that can be, taken back. The committed file holds what was posted, every
answer, the canonical text, digest and seal of every event, its lots, the origins and the balances at the end.
"""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Final

import pytest
from _pytest.mark import ParameterSet
from django.db import connections

from provender.custody.model.store_view import Store
from provender.database.actor import Actor
from provender.database.store.custody import SqlStore
from tests.database.test_guards import BOTH
from tests.golden import machine
from tests.golden.book import Recorded, committed, on_disk, record

STORIES: Final = committed()
NEVER_TAKEN_BACK: Final = frozenset(
    {"entity", "contract", "statement", "period", "report", "suspend", "reinstate", "withdraw", "notice", "opening"}
    | {"receipt", "shipment", "measurement", "yield", "convert", "crush", "true_up", "close", "settle"}
)


def assert_same(recorded: Recorded, store: Store) -> None:
    """Post a story into an empty store and compare it line by line with what was recorded."""
    answered = record(recorded.name, recorded.lines, store)
    lines = [line for line in recorded.lines if line.strip()]
    for line, answer, expected in zip(lines, answered.answers, recorded.answers, strict=True):
        assert answer == expected, line
    for event, expected in zip(answered.events, recorded.events, strict=True):
        assert event == expected
    assert answered.end == recorded.end


@pytest.mark.parametrize("name", STORIES)
def test_a_store_in_memory_answers_as_recorded(name: str) -> None:
    assert_same(STORIES[name][0], machine.memory_store())


@pytest.mark.parametrize("name", STORIES)
def test_a_book_on_disk_is_written_byte_by_byte_as_recorded(name: str, tmp_path: Path) -> None:
    recorded, disk = STORIES[name]
    assert on_disk(recorded, tmp_path) == disk


def in_sql() -> Iterator[ParameterSet]:
    """Yield every story in each database; before a push the examples and ladders in SQLite, the first in PostgreSQL.

    Ladders take back what they end with, so that stories of one event taken back tell a database little more.
    """
    for name, using in product(STORIES, BOTH):
        (database,) = using.values
        first = ("examples", "ladders 1:") if database == "postgres" else ("examples", "ladders", "unreadable")
        marks = using.marks if name.startswith(first) else [*using.marks, pytest.mark.slow]
        yield pytest.param(name, database, marks=marks, id=f"{name}-{database}")


@pytest.mark.parametrize(("name", "using"), list(in_sql()))
def test_a_store_in_sql_answers_and_writes_as_recorded(name: str, using: str, db: None) -> None:
    recorded, _ = STORIES[name]
    assert_same(recorded, SqlStore(Actor(None, "test"), using))
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT name, text, digest FROM database_custodyevent ORDER BY id")
        assert cursor.fetchall() == [(event["id"], event["text"], event["digest"]) for event in recorded.events]


def test_each_type_of_event_is_posted_refused_and_where_it_can_be_taken_back() -> None:
    posted, refused, back = set(), set(), set()
    for recorded, _ in STORIES.values():
        for event in recorded.events:
            posted.add(json.loads(event["text"])["type"])
            if event["corrected_by"]:
                back.add(json.loads(event["text"])["type"])
        lines = [line for line in recorded.lines if line.strip()]
        for line, answer in zip(lines, recorded.answers, strict=True):
            # A line that cannot be read has no type that could be counted.
            if answer["status"] not in ("posted", "exists", "line_unreadable"):
                refused.add(json.loads(line).get("type"))
    types = set(machine.EVENT_TYPES)
    assert posted == types
    assert types <= refused
    assert back == types - NEVER_TAKEN_BACK
