"""How SQLite finds its way: every question goes by an index, told by nobody, whether rows were counted or not."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, Final

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from provender.database.store import custody as queries
from provender.database.store.custody_lists import OPEN_PENDING, OPEN_SLIPS, in_transit_to, lots_page, stock_of
from provender.database.store.records import ENTITIES, PENDING, SLIPS, TABLES


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
