"""Amounts of a trader: stock in bands, figures as all pages write them, files that hold numbers with their unit."""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

import openpyxl
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from provender.custody.events.registry import read_event
from provender.custody.queries.day_sheet import Band
from provender.custody.store import post
from provender.database.models.custody import CustodyEvent
from provender.database.models.farm import BookKind, ReportVersion
from provender.database.store.custody import SqlStore
from provender.exact import show
from provender.services.custody import stock
from provender.services.custody.balances import RETIRED, sums
from provender.services.custody.stock import StockView, agreed, banded, defaults_of
from provender.services.farm.book import open_book
from provender.web.custody.pages.movements import facts_of
from provender.web.custody.pages.stock import whole_cell
from provender.web.tables import PagedTable
from tests.custody.world import ev
from tests.web.cast import Cast
from tests.web.custody.asking import desk_of
from tests.web.custody_season import BY, Season, days_ago

pytestmark = pytest.mark.django_db

REPORT = "0f" * 32
"""The hash that the season's report carries."""


def name_default(cast: Cast) -> None:
    """Put the report behind the season's soybeans on this server; it names a national default."""
    ReportVersion.objects.create(
        book=open_book(cast.farm, BookKind.FARM, actor=BY), crop="soybeans", harvest_year=2025, number=1, book_head="",
        at=timezone.now(), document='{"national_default_g_per_bu": "7000.00"}', document_hash=REPORT,
    )  # fmt: skip


def page(cast: Cast, **asked: str) -> str:
    return cast.client("owner").get(reverse("custody_stock", args=(cast.mill.handle,)), asked).content.decode()


def test_the_bands_of_a_crop_add_up_to_its_sum(cast: Cast, season: Season) -> None:
    name_default(cast)
    desk = desk_of(cast)
    rows, defaults = stock.stock(desk), defaults_of(desk)
    assert defaults == {("soybeans", 2025): 700_000}
    spread = [replace(row, ci_g_per_bu=ci) for row in rows for ci in (100, 500_025, 690_000, 700_000)]
    first, *parts = banded(spread, defaults)
    assert [(one.band, one.share) for one in (first, *parts)] == [
        ("", 1000), (str(Band.THIRTY), 250), (str(Band.TWENTY), 250), (str(Band.LESS), 250), (str(Band.DEFAULT), 250),
    ]  # fmt: skip
    assert sum(one.bushels for one in parts) == first.bushels == sum(row.bushels for row in spread)
    assert sum(one.lots for one in parts) == first.lots
    assert banded(spread, {}) == []


def test_the_chart_keeps_its_bands_when_a_crop_is_sold_out(cast: Cast, season: Season) -> None:
    name_default(cast)
    desk = desk_of(cast)
    for number, ((form, _, unit), amount) in enumerate(stock.available(desk).items()):
        much = {"pounds" if unit == "lb" else "bushels": show(amount)}
        sale = ev("sale", f"out-{number}", days_ago(1), giver=desk.id, crop="soybeans", form=form,
                  taker=cast.elevator.handle, **much)  # fmt: skip
        outcome = post(SqlStore(BY), read_event(sale))
        assert outcome.status == "posted", outcome.message
    assert stock.stock(desk) == []
    assert "soybeans 2025, 20 to 30 % below" in stock.draw_stock(desk, lambda draw: draw(960))


def test_a_report_is_read_once_for_its_default_without_which_there_are_no_bands(cast: Cast, season: Season) -> None:
    desk = desk_of(cast)
    assert defaults_of(desk) == {}
    assert "By crop, against the national default" not in page(cast)
    name_default(cast)
    assert defaults_of(desk) == {("soybeans", 2025): 700_000}
    with CaptureQueriesContext(connection) as asked:
        assert defaults_of(desk) == {("soybeans", 2025): 700_000}
    assert not [one["sql"] for one in asked if "reportversion" in one["sql"]]
    desk = desk_of(cast)
    assert defaults_of(desk, {("soybeans", 2025)}) == {("soybeans", 2025): 700_000}
    assert defaults_of(desk, {("corn", 2025)}) == {}
    two = [("soybeans", 2025, 700_000), ("soybeans", 2025, 710_000), ("corn", 2025, 1), ("corn", 2025, 1)]
    assert agreed(two) == {("corn", 2025): 1}, "of two reports that differ neither decides"


def test_a_period_a_sale_and_a_day_are_told_by_the_bands_of_the_stock(cast: Cast, season: Season) -> None:
    client, handle = cast.client("owner"), cast.mill.handle
    period = reverse("custody_period", args=(handle,))
    asked = {"start": season.open.isoformat()}
    assert "bands" not in client.get(period, asked).context
    name_default(cast)
    shown = client.get(period, asked).context
    whole, parts = shown["balance"].rows, shown["bands"].rows
    soy = next(row for row in whole if row[0].text == "Soybeans 2025")
    mine = [row for row in parts if row[0].text == "Soybeans 2025"]
    assert [row[1].text for row in mine] == [str(Band.TWENTY)]
    for place in range(1, 6):
        assert sum(row[place + 1].saved for row in mine) == soy[place].saved
    sale = reverse("custody_enter", args=(handle, "sale"))
    data = {"event": client.get(sale).context["form"].initial["event"], "day": days_ago(0), "do": "preview",
            "taker": cast.elevator.handle, "crop": "soybeans", "bushels": "100", "site": "north"}  # fmt: skip
    taken = client.post(sale, data).context["preview"]["taken"]
    assert taken["shares"] == [(str(Band.TWENTY), "100", 1000)]
    day = client.get(reverse("custody_day", args=(handle,))).context["claims"]
    assert str(Band.TWENTY) in [row[1].text for row in day.rows]


def line(ci: str, ending: str, retired: str) -> dict[str, Any]:
    return {
        "crop": "soybeans", "harvest_year": 2025, "ci_g_per_bu": ci, "beginning_bu": "0", "incoming_bu": "0",
        "outgoing_bu": retired, "ending_bu": ending, "unverified_bu": "0", "incoming": {}, "forms": [],
        "outgoing": {RETIRED: retired},
    }  # fmt: skip


def test_a_balance_gives_means_and_tanks_are_said_in_their_own_unit() -> None:
    document = {"lines": [line("5000", "100", "300"), line("7000", "100", "100")], "start": "a", "end": "b"}
    (one,) = sums(document)
    assert (one.mean_ci_g_per_bu, one.retired_mean_ci_g_per_bu) == (600_000, 550_000)
    (none,) = sums({**document, "lines": [line("5000", "0", "0")]})
    assert (none.mean_ci_g_per_bu, none.retired_mean_ci_g_per_bu) == (None, None)
    found = stock.product_sums([row("soybeans", 5), row("soybean_oil", 2), row("soybean_oil", 3)])
    assert found == [("soybean_oil", 5, "lb")]
    assert [whole_cell(value).text for value in (775, 18_000, 0, 1_000)] == ["< 1", "18", "0", "1"]
    cell = whole_cell(775, "lb")
    assert (cell.text, cell.in_file, cell.unit) == ("< 1 lb", Decimal("0.775"), "lb")


def row(form: str, amount: int) -> StockView:
    return StockView(
        crop="soybeans", harvest_year=2025, ci_g_per_bu=1, form=form, custodian="x", site="s", state="held",
        bushels=1, amount=amount, lots=1,
    )  # fmt: skip


PAGES: Final[dict[str, dict[str, str]]] = {
    "custody_sales": {}, "custody_movements": {}, "custody_stock": {}, "custody_lots": {}, "custody_grain": {},
    "custody_incoming": {}, "custody_deliveries": {}, "custody_movement": {"id": "sale-mill"},
    "custody_document": {"sale": "sale-mill"}, "custody_day": {}, "custody_balance": {}, "custody_checks": {},
    "custody_trace": {"find": "sale-mill"}, "custody_partners": {}, "custody_suppliers": {},
}  # fmt: skip
AMOUNT_AS_TEXT: Final = re.compile(r"-?[\d,]+(\.\d+)? (bu|lb)|-?\d{1,3}(,\d{3})+(\.\d+)?")


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


@pytest.mark.slow
def test_no_file_of_a_trade_page_has_an_amount_as_text(cast: Cast, season: Season) -> None:
    for page, asked, table in tables_of(cast, season):
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


def test_a_total_of_sales_leaves_out_what_came_back(cast: Cast, season: Season) -> None:
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
