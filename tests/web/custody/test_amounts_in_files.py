"""Files of the trade pages hold amounts as numbers, with the unit in a column of its own."""

import csv
import io
import re
from collections.abc import Iterator
from typing import Any, Final

import openpyxl
import pytest
from django.urls import reverse

from provender.custody.events.registry import read_event
from provender.custody.store import post
from provender.database.models.custody import CustodyEvent
from provender.database.store.custody import SqlStore
from provender.web.custody.pages.movements import facts_of
from provender.web.tables import PagedTable
from tests.custody.world import ev
from tests.web.cast import Cast
from tests.web.custody_season import BY, Season, days_ago

PAGES: Final[dict[str, dict[str, str]]] = {
    "custody_sales": {}, "custody_movements": {}, "custody_stock": {}, "custody_lots": {}, "custody_grain": {},
    "custody_incoming": {}, "custody_deliveries": {}, "custody_movement": {"id": "sale-mill"},
    "custody_document": {"sale": "sale-mill"}, "custody_day": {}, "custody_balance": {}, "custody_checks": {},
    "custody_trace": {"find": "sale-mill"}, "custody_partners": {}, "custody_suppliers": {},
}  # fmt: skip
AMOUNT_AS_TEXT: Final = re.compile(r"-?[\d,]+(\.\d+)? (bu|lb)|-?\d{1,3}(,\d{3})+(\.\d+)?")

pytestmark = pytest.mark.django_db


def saved(cast: Cast, page: str, table: str, kind: str, asked: dict[str, str]) -> bytes:
    answer = cast.client().get(reverse(page, args=(cast.mill.handle,)), {**asked, "save": kind, "table": table})
    assert answer.status_code == 200
    return bytes(answer.content)


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def tables_of(cast: Cast, season: Season) -> Iterator[tuple[str, dict[str, str], str]]:
    """Yield page, question and name of each table that a page of trade shows."""
    for page, said in PAGES.items():
        asked = {**said, "start": season.open.isoformat()}
        shown = cast.client().get(reverse(page, args=(cast.mill.handle,)), asked)
        parts = [part for each in shown.context for part in getattr(each, "dicts", [each])]
        tables = {one.name for part in parts for one in part.values() if isinstance(one, PagedTable)}
        assert tables, page
        yield from ((page, asked, table) for table in tables)


def test_no_file_of_a_trade_page_has_an_amount_as_text(cast: Cast, season: Season) -> None:
    for page, asked, table in tables_of(cast, season):
        content = saved(cast, page, table, "csv", asked)
        cells = [(head, text) for row in rows_of(content) for head, text in row.items()]
        assert not [one for one in cells if AMOUNT_AS_TEXT.fullmatch(one[1] or "")], (page, table)
        sheet = openpyxl.load_workbook(io.BytesIO(saved(cast, page, table, "xlsx", asked))).active
        assert sheet is not None
        texts = [cell.value for row in sheet.iter_rows(min_row=2) for cell in row if isinstance(cell.value, str)]
        assert not [one for one in texts if AMOUNT_AS_TEXT.fullmatch(one)], (page, table)


def test_a_period_s_sheets_per_form_are_numbers_too(cast: Cast, season: Season) -> None:
    asked = {"start": season.open.isoformat()}
    for table in ("sheets", "equations", "kinds", "kind sums"):
        rows = rows_of(saved(cast, "custody_period", table, "csv", asked))
        assert rows
        assert not [text for row in rows for text in row.values() if AMOUNT_AS_TEXT.fullmatch(text)], table
    (oil,) = [row for row in rows_of(saved(cast, "custody_period", "sheets", "csv", asked)) if "oil" in row["Form"]]
    assert oil["Unit"] == "lb"


def test_sales_are_summed_by_crop_and_saved_with_their_unit(cast: Cast, season: Season) -> None:
    rows = rows_of(saved(cast, "custody_sales", "sales", "csv", {}))
    own = next(row for row in rows if row["Amount"] == "500")
    assert own["Unit"] == "bu"
    page = cast.client().get(reverse("custody_sales", args=(cast.mill.handle,)))
    assert "500 bu" in page.content.decode()
    totals = rows_of(saved(cast, "custody_sales", "sold", "csv", {}))
    assert totals == [{"What": "Soybeans", "Sales": "1", "Sold": "500", "Sent back": "0", "Stays sold": "500",
                       "Unit": "bu"}]  # fmt: skip
    assert page.context["sold"].cells[0][0].text == "Soybeans"


def test_a_total_of_sales_leaves_out_what_was_taken_back_or_came_back_and_goes_by_the_partner(
    cast: Cast, season: Season
) -> None:
    def totals(**asked: str) -> list[Any]:
        found = rows_of(saved(cast, "custody_sales", "sold", "csv", asked))
        return [(row["Sold"], row["Sent back"], row["Stays sold"]) for row in found]

    client, mill = cast.client(), cast.mill.handle
    enter = reverse("custody_enter", args=(mill, "sale"))
    fields = {"do": "post", "day": days_ago(1), "taker": cast.elevator.handle, "crop": "soybeans", "site": "north"}
    for bushels in ("1,000.5", "20"):
        assert client.post(enter, {**fields, "bushels": bushels}).status_code == 302
    assert totals() == [("1520.5", "0", "1520.5")]
    assert totals(partner=cast.elevator.handle) == totals()
    assert totals(partner=cast.farm.handle) == []
    back = ev("reject", "back", days_ago(0), taker=cast.elevator.handle, giver=mill, movement=season.sale, site="north")
    assert post(SqlStore(BY), read_event(back)).status.well
    assert totals() == [("1520.5", "500", "1020.5")]
    sale = CustodyEvent.objects.filter(type="sale").order_by("-id")[0].name
    correct = reverse("custody_enter", args=(mill, "correct"))
    done = client.post(correct, {"do": "post", "day": days_ago(0), "movement": sale, "reason": "typed wrongly"})
    assert done.status_code == 302, done.context["form"].errors
    assert totals() == [("1500.5", "500", "1000.5")]


def test_a_movements_page_groups_amounts_and_leaves_numbers() -> None:
    event = {"type": "sale", "id": "s", "day": "2026-01-05", "giver": "a", "taker": "b", "crop": "soybeans",
             "bushels": "33317", "harvest_year": 2025, "ci_max": "29150.37", "contract": "88123",
             "tickets": [{"number": "40012", "bushels": "33317.5"}]}  # fmt: skip
    said = dict(facts_of(event))
    assert said["Bushels (bu)"] == "33,317"
    assert said["Harvest year"] == "2025"
    assert said["Contract"] == "88123"
    assert said["Tickets"] == "40012, 33,317.5 bu"
    assert "29,150.37" in said.values()
    slip = {name: event[name] for name in ("id", "day", "giver", "taker", "bushels")}
    spans = facts_of({**slip, "type": "slip", "origin": "o", "spans": [["0", "12500"]]})
    assert "12,500" in str(spans)


@pytest.mark.parametrize(("form", "unit"), [("corn", "bu"), ("soybean_oil", "lb"), ("", "bu")])
def test_a_ticket_of_a_product_is_said_in_the_unit_it_was_weighed_in(form: str, unit: str) -> None:
    tickets = [{"number": "S-713", "bushels": "15650"}]
    sale = {"type": "sale", "id": "s", "day": "2026-10-05", "giver": "a", "taker": "b", "form": form}
    for column in ("tickets", "destination"):
        said = dict(facts_of({**sale, column: tickets}))
        assert f"15,650 {unit}" in next(text for text in said.values() if "S-713" in text)
