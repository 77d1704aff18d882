"""How SQLite finds its way: what pages ask for goes by the partial indexes over current lots, told by nobody."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

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
