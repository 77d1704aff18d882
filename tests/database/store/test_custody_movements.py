"""The list of movements: each on one page, whole, however the lots of movements written at once alternate.

How SQLite finds its way: every question goes by an index, told by nobody, whether rows were counted or not.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, NamedTuple

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from provender.custody.model.lots import LotState
from provender.database.models.custody import CustodyEvent, CustodyLot, CustodyOrigin, CustodyStep
from provender.database.store import custody as queries
from provender.database.store import custody_lists
from provender.database.store.custody_lists import (
    OPEN_PENDING,
    OPEN_SLIPS,
    Movement,
    Wanted,
    in_transit_to,
    lots_page,
    movements_page,
    stock_of,
)
from provender.database.store.records import ENTITIES, PENDING, SLIPS, TABLES

FIRST = date(2026, 2, 1)

LONG = 10


class Step(NamedTuple):
    """A lot opened by one of five movements, of which even ones are sales; a rest is what a cut left."""

    movement: int
    rest: bool = False

    @property
    def day(self) -> date:
        """Return the movement's day: all but the last share one."""
        return FIRST + timedelta(days=self.movement // 4)

    @property
    def type(self) -> str:
        return "sale" if self.movement % 2 == 0 else "loss"


alternating = st.lists(st.builds(Step, st.integers(0, 4), st.integers(0, 3).map(lambda one: one == 0)), max_size=20)


def write(written: Sequence[Step]) -> None:
    """Write the lots of movements in this order, of one bushel and then one thousandth more each."""
    origin = CustodyOrigin.objects.create(name="ada-soy")
    at = datetime(2026, 3, 1, tzinfo=UTC)
    events: dict[int, CustodyEvent] = {}
    for number, step in enumerate(written):
        if step.movement not in events:
            events[step.movement] = CustodyEvent.objects.create(
                name=f"m{step.movement}", type=step.type, day=step.day, digest="", text="{}", at=at
            )
        event = events[step.movement]
        start = number * 10_000
        lot = CustodyLot.objects.create(
            name=f"lot-{number}", origin=origin, crop="soybeans", harvest_year=2025, span_start=start,
            span_stop=start + 1000 + number, owner="crush", custodian="crush", site="plant", form="soybeans",
            product=0, rate=0, ci=0, state=LotState.HELD, since=step.day, acquired=step.day, titled=step.day,
            supplier="coop", batch="", by="sooner" if step.rest else event.name, opened_by=event,
        )  # fmt: skip
        CustodyStep.objects.create(party="crush", day=step.day, lot=lot)


def turned(size: int, kinds: Sequence[str] = ()) -> list[Movement]:
    """Return what all pages hold, one after the other."""
    found: list[Movement] = []
    place = None
    for _ in range(100):
        page = movements_page("crush", before=place, size=size, wanted=Wanted(kinds))
        assert len(page.movements) <= size
        found += page.movements
        if page.older is None:
            return found
        place = page.older
    raise AssertionError("the pages never end")


def expected(written: Sequence[Step], kinds: Sequence[str] = ()) -> list[tuple[str, int]]:
    """Return the movements and amounts that the list must show, newest first: by day, then by the newest lot."""
    numbered = sorted(enumerate(written), key=lambda one: (one[1].day, one[0]), reverse=True)
    sums: dict[str, int] = {}
    for number, step in numbered:
        if not step.rest and (not kinds or step.type in kinds):
            sums[f"m{step.movement}"] = sums.get(f"m{step.movement}", 0) + 1000 + number
    return list(sums.items())


def shown(found: Sequence[Movement]) -> list[tuple[str, int]]:
    return [(one.event, one.amount) for one in found]


class TestAnyOrder(TestCase):
    """Hypothesis writes the lots of movements in any alternation."""

    @given(written=alternating, size=st.integers(1, 3), kinds=st.sampled_from([(), (), (), ("sale",), ("loss",)]))
    def test_pages_hold_each_movement_once_and_whole(
        self, written: list[Step], size: int, kinds: tuple[str, ...]
    ) -> None:
        write(written)
        assert shown(turned(size, kinds)) == expected(written, kinds)


@pytest.mark.django_db
@pytest.mark.parametrize(("corrections", "corrected"), [(0, False), (1, True), (2, False), (3, True)])
def test_a_movement_is_shown_as_taken_back_while_its_correction_stands(corrections: int, corrected: bool) -> None:
    write([Step(0)])
    last = CustodyEvent.objects.get()
    for number in range(corrections):
        last = CustodyEvent.objects.create(
            name=f"c{number}", type="correct", day=FIRST, digest="", text="{}", at=last.at, corrects=last
        )
    (shown_one,) = movements_page("crush").movements
    assert shown_one.corrected is corrected


@pytest.mark.django_db
@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_movement_over_the_edge_of_what_is_looked_at_is_whole(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(custody_lists, "SCANNED", 4)
    monkeypatch.setattr(custody_lists, "CHUNK", 2)
    written = [Step(number % 2) for number in range(LONG)]
    write(written)
    assert shown(turned(size)) == expected(written)


@pytest.mark.django_db
def test_a_movement_on_both_sides_of_an_edge_stands_on_the_first_page_only() -> None:
    write([Step(0), Step(1), Step(0)])
    first = movements_page("crush", size=1)
    assert shown(first.movements) == [("m0", 1000 + 1002)]
    assert first.older is not None
    second = movements_page("crush", before=first.older, size=1)
    assert shown(second.movements) == [("m1", 1001)]
    assert second.older is None


@pytest.fixture
def beside(db: None) -> Iterator[sqlite3.Connection]:
    """Return an empty database of the same tables: SQLite remembers counted rows even when ANALYZE is taken back."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%%'")
        made = [sql for (sql,) in cursor.fetchall()]
    with closing(sqlite3.connect(":memory:")) as found:
        for sql in sorted(made, key=lambda sql: not sql.startswith("CREATE TABLE")):
            found.execute(sql)
        yield found


def plan_of(database: sqlite3.Connection, query: str, given: int = 0) -> list[str]:
    asked = database.execute(f"EXPLAIN QUERY PLAN {query.replace('%s', '?')}", ["1"] * given)
    return [step for *_, step in asked]


@pytest.mark.parametrize(
    ("ask", "index"),
    [(stock_of, "lot_current_owner"), (lots_page, "lot_current_owner"), (in_transit_to, "lot_in_transit_to")],
)
@pytest.mark.parametrize("counted", [False, True])
def test_lots_go_by_an_index(ask: Callable[[str], Any], index: str, counted: bool, beside: sqlite3.Connection) -> None:
    with CaptureQueriesContext(connection) as asked:
        ask("mill")
    if counted:
        beside.execute("ANALYZE")
    plan = plan_of(beside, asked.captured_queries[0]["sql"])
    assert any(f"USING INDEX {index} (owner=?" in step for step in plan), plan


COUNTED: Final = (
    ("database_custodystep", "sqlite_autoindex_database_custodystep_1", "3649400 338 13 1"),
    ("database_custodyorigin", "sqlite_autoindex_database_custodyorigin_1", "20000 1"),
    ("database_custodyrecord", "record_of_group", "300000 75000 36 1"),
    ("database_custodyrecord", "sqlite_autoindex_database_custodyrecord_1", "300000 75000 1"),
    ("database_custodygrainentry", "grain_entry_of_group", "1200000 4000 1"),
    ("database_custodygrainentry", "sqlite_autoindex_database_custodygrainentry_1", "1200000 1"),
    ("database_custodyslip", "slip_of_origin", "60000 3 1"),
    ("database_custodyslip", "slip_open_to", "4000 200 1"),
    ("database_custodyslip", "sqlite_autoindex_database_custodyslip_1", "60000 1"),
    ("database_custodystanding", "origin_of_group", "20000 1 1"),
    ("database_custodystanding", "origin_changed", "400 1"),
    ("database_custodystanding", "sqlite_autoindex_database_custodystanding_1", "20000 1"),
    ("database_custodyeventparty", "sqlite_autoindex_database_custodyeventparty_1", "2100000 2100 1"),
    ("database_custodylot", "lot_ended_by", "2103400 4"),
    ("database_custodylot", "lot_of_origin", "2617800 131 1"),
    ("database_custodylot", "lot_current_place", "176600 17 17 9"),
    ("database_custodylot", "lot_current_owner", "176600 17 9"),
    ("database_custodylot", "lot_current_serials", "514400 1"),
    ("database_custodylot", "sqlite_autoindex_database_custodylot_1", "2617800 1"),
    ("database_custodyevent", "sqlite_autoindex_database_custodyevent_2", "1078800 1078800"),
    ("database_custodyevent", "sqlite_autoindex_database_custodyevent_1", "1078800 1"),
)

"""What ANALYZE counts on a server with a million movements of which none corrects another: table, index, rows, and rows
per value of the index's columns."""


QUESTIONS: Final = (
    (queries.EVENT_NAMED, 1), (queries.OPENED_BY, 1), (queries.ENDED_BY, 1), (queries.STOCK_OF_OWNER, 2),
    (queries.ORIGINS_OF_STOCK, 2), (f"{queries.STEPS_OF_PARTY} ORDER BY s.day, l.id", 1),
    (f"{queries.STEP} WHERE o.name = %s ORDER BY l.id", 1),
    *((table.named(["x"]).sql, 1) for table in TABLES.values()),
    *((table.listed(["x"]).sql, 1) for table in TABLES.values() if table is not ENTITIES),
    (SLIPS.where("taker", ["x"], OPEN_SLIPS).sql, 1), (PENDING.where("taker", ["x"], OPEN_PENDING).sql, 1),
)  # fmt: skip


@pytest.mark.parametrize("counted", [False, True])
def test_no_question_walks_through_a_table(counted: bool, beside: sqlite3.Connection) -> None:
    if counted:
        beside.execute("ANALYZE")
        beside.execute("DELETE FROM sqlite_stat1")
        beside.executemany("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)", COUNTED)
        beside.execute("ANALYZE sqlite_schema")
    plans = {query: plan_of(beside, query, given) for query, given in QUESTIONS}
    assert {query: plan for query, plan in plans.items() if any(step.startswith("SCAN") for step in plan)} == {}
