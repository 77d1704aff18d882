"""A sale at its form: lots by limit and order, of what was chosen; where a refusal leads on; what is sent back.

Amounts of a trader: stock in bands, figures as all pages write them, files that hold numbers with their unit.
"""

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
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from provender.custody.events.registry import post, read_event
from provender.custody.events.registry import post as post_to
from provender.custody.queries.day_sheet import Band
from provender.database.actor import Actor
from provender.database.models.custody import CustodyEvent, CustodyGrainEntry
from provender.database.models.farm import BookKind, ReportVersion
from provender.database.store.custody import SqlStore
from provender.exact import CI_SCALE, SCALE, half_even, show
from provender.services.custody import stock
from provender.services.custody.balances import RETIRED, sums
from provender.services.custody.context import CustodyContext, context_of
from provender.services.custody.entry import enter as enter_at
from provender.services.custody.entry import new_event_id, preview, read_fields, register_entity
from provender.services.custody.stock import StockView, agreed, banded, defaults_of
from provender.services.farm.book import open_book
from provender.web.custody.pages.movements import facts_of
from provender.web.custody.pages.stock import whole_cell
from provender.web.tables import PagedTable
from tests.custody.world import ev
from tests.web.cast import Cast
from tests.web.custody.asking import TODAY, desk_of, enter, entered, sale, texts, where
from tests.web.custody_season import BY, SALT, Season, days_ago

pytestmark = pytest.mark.django_db

FARMS = (("bea", 2024, "6000", "plant"), ("ada", 2025, "4000.5", "north"))


@pytest.fixture
def spread(cast: Cast, season: Season) -> Season:
    """Return the mill's season with soybeans of two more intensities, bought at two sites."""
    store = SqlStore(BY)
    mill = cast.mill.handle
    for farm, year, ci, site in FARMS:
        entered(ev("entity", f"entity-{farm}", days_ago(60), entity=farm, name=farm, roles=["farm"]))
        fields = {"crop": "soybeans", "harvest_year": year, "bushels": "300", "ci": ci, "salt": SALT}
        entered(ev("report", f"report-{farm}", days_ago(55), entity=farm, report=f"{year}" * 16, **fields))
        origin = store.events()[-1].event.origin  # type: ignore[attr-defined]
        slip = f"slip-{farm}"
        entered(ev("slip", slip, days_ago(50), giver=farm, origin=origin, taker=mill, bushels="100"))
        tickets = [{"number": f"T-{farm}", "bushels": "100"}]
        bought = {"giver": farm, "taker": mill, "slip": slip, "bushels": "100", "site": site, "tickets": tickets}
        entered(ev("purchase", f"buy-{farm}", days_ago(5), **bought))
        # Each site has grain behind what the season sold from it.
        grain = {"entity": mill, "site": site, "form": "soybeans", "number": f"G-{site}", "amount": "1000"}
        entered(ev("receipt", f"grain-{site}", days_ago(5), **grain))
    return season


@pytest.fixture
def desk(cast: Cast, spread: Season) -> CustodyContext:
    found = context_of(cast.mill, actor=Actor(None, "test"), today=timezone.localdate(), may_write=True)
    assert found is not None
    return found


def asked(desk: CustodyContext, cast: Cast, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    fields = {"giver": desk.id, "taker": cast.elevator.handle, "crop": "soybeans", "bushels": "40"}
    return {"id": new_event_id(cast.mill, "sale"), "day": timezone.localdate().isoformat(), **fields, **more}


def sold(desk: CustodyContext, fields: dict[str, Any]) -> list[tuple[int, int]]:
    """Return carbon intensity and thousandths of a bushel of each lot that a sale gave away."""
    event = read_fields("sale", fields)
    foreseen = preview(desk, event)  # type: ignore[arg-type]
    done = enter_at(desk, event)  # type: ignore[arg-type]
    assert done.status == "posted", done.message
    assert done.message == foreseen.message
    with SqlStore(BY).reading() as facts:
        lots = [(lot.ci, lot.crop_amount) for lot in facts.lots_by(fields["id"]) if lot.by == fields["id"]]
    assert foreseen.details == done.details
    return lots


def held_by(desk: CustodyContext) -> dict[int, int]:
    with SqlStore(BY).reading() as facts:
        held: dict[int, int] = {}
        for lot in facts.stock(desk.id, "soybeans", "soybeans").lots:
            held[lot.ci] = held.get(lot.ci, 0) + lot.amount
        return held


@pytest.mark.parametrize(
    ("order", "bushels", "taken"),
    [
        ("lowest_ci_first", "40", {400_050: 40}),
        ("lowest_ci_first", "130", {400_050: 100, 500_025: 30}),
        ("highest_ci_first", "40", {600_000: 40}),
        ("by_policy", "40", {500_025: 40}),
    ],
)
def test_a_sale_takes_what_its_order_says_and_the_balance_of_each_intensity_is_exact(
    cast: Cast, desk: CustodyContext, order: str, bushels: str, taken: dict[int, int]
) -> None:
    before = held_by(desk)
    found: dict[int, int] = {}
    for ci, amount in sold(desk, asked(desk, cast, bushels=bushels, order=order)):
        found[ci] = found.get(ci, 0) + amount
    assert found == {ci: each * 10**SCALE for ci, each in taken.items()}
    after = held_by(desk)
    assert {ci: before[ci] - after.get(ci, 0) for ci in before if before[ci] != after.get(ci, 0)} == found


def test_limits_site_and_year_bound_the_order_too(cast: Cast, desk: CustodyContext) -> None:
    def cis(**more: Any) -> set[int]:  # noqa: ANN401 - any field
        return {ci for ci, _ in sold(desk, asked(desk, cast, bushels="10", order="lowest_ci_first", **more))}

    assert cis(ci_min="4500") == {500_025}
    assert cis(site="plant") == {500_025}
    assert cis(harvest_year=2024) == {600_000}
    too_much = read_fields("sale", asked(desk, cast, bushels="101", order="lowest_ci_first", harvest_year=2024))
    assert enter_at(desk, too_much).status == "exceeds_stock"  # type: ignore[arg-type]


def test_a_sale_sent_again_is_recognized_by_what_it_asked(cast: Cast, desk: CustodyContext) -> None:
    first = asked(desk, cast, bushels="100", order="lowest_ci_first")
    sold(desk, first)
    again = enter_at(desk, read_fields("sale", first))  # type: ignore[arg-type]
    assert again.status == "exists"
    other = enter_at(desk, read_fields("sale", {**first, "bushels": "90"}))  # type: ignore[arg-type]
    assert other.status == "id_has_other_content"


def test_a_sales_page_says_its_mean_and_no_codes(cast: Cast, desk: CustodyContext, owner: Client) -> None:
    fields = asked(desk, cast, order="lowest_ci_first", bushels="150")
    parts = sold(desk, fields)
    assert len(parts) > 1
    answer = owner.get(reverse("custody_movement", args=(desk.id,)), {"id": fields["id"]})
    said = dict(answer.context["said"])
    assert not [text for text in said.values() if re.search(r"[0-9a-f]{40}", text)]
    labels = [label for label, _ in answer.context["said"]]
    assert labels.index("Mean CI") == labels.index("Bushels (bu)") + 1
    mean = half_even(sum(ci * bushels for ci, bushels in parts), sum(bushels for _, bushels in parts))
    assert said["Mean CI"] == f"{show(mean, CI_SCALE, group=True)} g CO2e/bu"
    assert "Lots named" not in said, "they stand in the table below"


def test_a_form_leads_nowhere_else_and_tells_no_lots(cast: Cast, owner: Client, season: Season) -> None:
    theirs = owner.get(where(cast, "custody_enter", "sale"), {"lots": "nowhere 0-500"}).content.decode()
    assert "Named here" not in theirs
    sent = {"day": TODAY, "counterparty": cast.elevator.handle, "role": "recipient", "number": "1",
            "start_day": TODAY, "do": "post"}  # fmt: skip
    answer = owner.post(where(cast, "custody_enter", "contract") + "?next=https://elsewhere.example/", sent)
    assert answer["Location"] == where(cast, "custody_partners")


def test_a_contract_not_on_file_is_put_there_for_the_sale(cast: Cast, season: Season, owner: Client) -> None:
    page = enter(owner, cast, "sale", **sale(cast, contract="4711", site="north"))
    assert page.status_code == 409
    assert "No contract 4711 is on file with you." in texts(page)
    assert f"{cast.mill.handle}/4711" not in texts(page), "a key of the book tells a clerk nothing"
    ((label, href),) = page.context["onward"]
    assert label == "Put contract 4711 on file"
    form = owner.get(href).context["form"]
    assert [form[name].value() for name in ("counterparty", "role", "number")] == [
        cast.elevator.handle, "recipient", "4711",
    ]  # fmt: skip
    sent = {"day": TODAY, "counterparty": cast.elevator.handle, "role": "recipient", "number": "4711",
            "start_day": days_ago(3), "do": "post"}  # fmt: skip
    again = owner.post(href, sent)
    assert again.status_code == 302
    back = owner.get(again["Location"]).context["form"]
    assert [back[name].value() for name in ("taker", "bushels", "contract", "site")] == [
        cast.elevator.handle, "100", "4711", "north",
    ]  # fmt: skip
    assert enter(owner, cast, "sale", **sale(cast, contract="4711", site="north")).status_code == 302


def _ticket(cast: Cast, number: str = "C-607", **more: str) -> None:
    event = ev("receipt", f"ticket-{number}", days_ago(2), entity=cast.mill.handle, site="north", form="corn",
               amount="1200.5", number=number, **more)  # fmt: skip
    assert post_to(SqlStore(BY), read_event(event)).status.well


def test_a_ticket_in_the_list_is_made_void_by_a_form_filled_in(cast: Cast, season: Season, owner: Client) -> None:
    _ticket(cast)
    asked = {"site": "north", "form": "corn"}
    rows = {row[1].text: row for row in owner.get(where(cast, "custody_grain"), asked).context["tickets"].rows}
    way = rows["C-607"][-1]
    assert way.text == "Void"
    form = owner.get(way.href).context["form"]
    said = {name: form[name].value() for name in ("day", "form", "amount", "number", "site", "void")}
    assert said == {"day": days_ago(2), "form": "corn", "amount": "1200.5", "number": "C-607", "site": "north",
                    "void": "on"}  # fmt: skip
    assert form.further_open, "the tick is seen before it is sent"
    assert owner.post(way.href, {**said, "do": "post"}).status_code == 302
    assert CustodyGrainEntry.objects.get(number="C-607").void
    rows = {row[1].text: row for row in owner.get(where(cast, "custody_grain"), asked).context["tickets"].rows}
    assert rows["C-607"][-1].text == "", "it is void already"


def test_taking_a_tickets_number_back_leads_to_ones_own(cast: Cast, season: Season, owner: Client) -> None:
    page = enter(owner, cast, "correct", movement="T-buy-elevator", reason="typed twice")
    assert "Not yours: T-buy-elevator." in texts(page)
    assert page.context["onward"] == []
    _ticket(cast)
    page = enter(owner, cast, "correct", movement="C-607", reason="typed twice")
    assert page.status_code == 409
    assert "C-607 is a scale ticket at north, not an entry of claims." in texts(page)
    ((label, href),) = page.context["onward"]
    assert (label, owner.get(href).context["form"]["void"].value()) == ("Make ticket C-607 void", "on")
    behind = enter(owner, cast, "correct", movement="T-buy-mill", reason="typed twice")
    assert "It stands behind buy-mill" in texts(behind)
    assert behind.context["onward"][0][1] == where(cast, "custody_enter", "correct") + "?movement=buy-mill"


def test_stock_beside_the_amount_is_what_the_book_would_sell(cast: Cast, season: Season, owner: Client) -> None:
    where_sold = reverse("custody_enter", args=(cast.mill.handle, "sale"))
    assert "1,900 bu of soybeans" in owner.get(where_sold).context["form"].fields["bushels"].beside
    assert enter(owner, cast, "sale", **sale(cast, "0.296", site="north")).status_code == 302
    beside = owner.get(where_sold).context["form"].fields["bushels"].beside
    assert "1,899.704 bu of soybeans" in beside, "1,900 would be refused"
    page = enter(owner, cast, "sale", **sale(cast, "1900"))
    assert "You do not hold that much. You hold 1,899.704 bu" in texts(page)
    assert "giver" not in page.context["form"].errors["bushels"][0]
    assert enter(owner, cast, "sale", **sale(cast, "0.3", site="north")).status_code == 302
    assert "1,899 bu of soybeans" in owner.get(where_sold).context["form"].fields["bushels"].beside, "less is no harm"


def test_a_sale_without_ticket_is_told_twice_and_its_contracts_limit(cast: Cast, season: Season, owner: Client) -> None:
    address, said = where(cast, "custody_enter", "sale"), "No scale ticket is named"
    for more, told in (({"site": "north"}, True), ({}, True), ({"site": "north", "tickets": "S-9, 10"}, False)):
        typed = {"day": days_ago(0), "taker": cast.elevator.handle, "crop": "soybeans", "bushels": "10", **more}
        shown = owner.post(address, {**typed, "do": "preview"})
        assert shown.context["preview"], shown.context["form"].errors
        assert (said in shown.content.decode()) is told
        done = owner.post(address, {**typed, "do": "post"}, follow=True)
        assert (said in done.content.decode()) is told
    agreed = ev("contract", "c-9", days_ago(3), entity=cast.mill.handle, counterparty=cast.elevator.handle,
                role="recipient", number="C-9", start_day=days_ago(3), form="soybeans", amount="500",
                ci_max="5050")  # fmt: skip
    assert post_to(SqlStore(BY), read_event(agreed)).status == "posted"
    typed = {"do": "preview", "day": days_ago(0), "taker": cast.elevator.handle, "crop": "soybeans", "bushels": "10"}
    shown = owner.post(where(cast, "custody_enter", "sale"), {**typed, "contract": "C-9", "ci_max": "6000"})
    assert "Only of CI at most 5,050 g CO2e/bu" in shown.content.decode()


@pytest.fixture
def two_sites(cast: Cast, season: Season) -> Season:
    register_entity(cast.elevator, day=SqlStore(BY).events()[-1].event.day, actor=BY, sites=["scale", "annex"])
    return season


@pytest.mark.parametrize(("site", "lies"), [("", ["scale"]), ("annex", ["annex", "scale"])])
def test_a_delivery_goes_back_to_the_site_it_left(cast: Cast, two_sites: Season, site: str, lies: list[str]) -> None:
    client = cast.client()
    address = where(cast, "custody_enter", "reject")
    form = client.get(address, {"movement": "sale-elevator", "giver": cast.elevator.handle})
    offered = [value for value, _ in form.context["form"].fields["site"].choices]
    assert offered == ["", "scale", "annex"], "the seller's sites, and none of one's own"
    typed = {"movement": "sale-elevator", "giver": cast.elevator.handle, "day": days_ago(0), "reason": "wet"}
    done = client.post(address, {"do": "post", **typed, "site": site})
    assert done.status_code == 302, done.content.decode()[-3000:]
    with SqlStore(BY).reading() as facts:
        assert sorted({lot.site for lot in facts.lots_of(cast.elevator.handle, "soybeans")}) == lies


def test_a_form_names_the_sites_of_nobody_whom_one_does_not_deal_with(cast: Cast, two_sites: Season) -> None:
    address = where(cast, "custody_enter", "reject")
    form = cast.client().get(address, {"movement": "sale-elevator", "giver": "somebody-else"})
    assert "annex" not in form.content.decode()


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
