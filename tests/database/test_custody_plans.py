"""How SQLite finds its way: every question goes by an index, told by nobody, whether rows were counted or not."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from provender.database import custody_queries as queries
from provender.database.custody_views import in_transit_to, lots_page, stock_of


@pytest.mark.parametrize(
    ("ask", "index"),
    [(stock_of, "lot_current_owner"), (lots_page, "lot_current_owner"), (in_transit_to, "lot_in_transit_to")],
)
@pytest.mark.parametrize("counted", [False, True])
def test_a_page_of_current_lots_goes_by_their_index(
    ask: Callable[[str], Any], index: str, counted: bool, db: None
) -> None:
    with connection.cursor() as cursor:
        if counted:
            cursor.execute("ANALYZE")
        with CaptureQueriesContext(connection) as asked:
            ask("mill")
        cursor.execute(f"EXPLAIN QUERY PLAN {asked.captured_queries[0]['sql']}")
        plan = [step for *_, step in cursor.fetchall()]
    assert any(f"USING INDEX {index} (owner=?" in step for step in plan), plan


COUNTED: Final = (
    ("database_custodystep", "sqlite_autoindex_database_custodystep_1", "3649400 338 13 1"),
    ("database_custodyorigin", "sqlite_autoindex_database_custodyorigin_1", "20000 1"),
    ("database_custodyrecord", "record_of_group", "1592800 159280 36 1"),
    ("database_custodyrecord", "sqlite_autoindex_database_custodyrecord_1", "1592800 159280 1"),
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


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize(
    ("query", "given"),
    [
        (queries.EVENT_NAMED, 1), (queries.OPENED_BY, 1), (queries.ENDED_BY, 1), (queries.STOCK_OF_OWNER, 2),
        (queries.ORIGINS_OF_STOCK, 2), (f"{queries.STEPS_OF_PARTY} ORDER BY s.day, l.id", 1), (queries.RECORD, 2),
        (f"{queries.STEP} WHERE o.name = %s ORDER BY l.id", 1), (queries.RECORDS, 2),
    ],
)  # fmt: skip
def test_no_question_of_the_book_walks_through_a_table_whether_its_rows_were_counted_or_not(
    query: str, given: int, counted: bool, db: None
) -> None:
    with connection.cursor() as cursor:
        if counted:
            cursor.execute("ANALYZE")
            cursor.execute("DELETE FROM sqlite_stat1")
            cursor.executemany("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (%s, %s, %s)", COUNTED)
            cursor.execute("ANALYZE sqlite_schema")
        cursor.execute(f"EXPLAIN QUERY PLAN {query}", ["1"] * given)
        plan = [step for *_, step in cursor.fetchall()]
    assert not [step for step in plan if step.startswith("SCAN")], plan
