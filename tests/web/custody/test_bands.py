"""Stock in bands against the national default of the reports behind it: table, filter, fold and chart say the same."""

from dataclasses import replace

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from provender.custody.events.registry import read_event
from provender.custody.queries.day_sheet import Band
from provender.custody.store import post
from provender.database.models.farm import BookKind, ReportVersion
from provender.database.store.custody import SqlStore
from provender.exact import show
from provender.services.custody import stock
from provender.services.custody.stock import agreed, banded, defaults_of
from provender.services.farm.book import open_book
from tests.custody.world import ev
from tests.web.cast import Cast
from tests.web.custody.asking import desk_of
from tests.web.custody_season import BY, Season, days_ago

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


def test_without_a_report_that_names_a_default_there_are_no_bands(cast: Cast, season: Season) -> None:
    assert defaults_of(desk_of(cast)) == {}
    assert "By crop, against the national default" not in page(cast)


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


def test_the_page_tells_the_bands_folds_the_rows_and_filters_them(cast: Cast, season: Season) -> None:
    name_default(cast)
    whole = page(cast)
    assert "By crop, against the national default" in whole
    assert "20 to 30 % below" in whole
    assert "<details><summary>Every carbon intensity and site" in whole
    chosen = page(cast, crop="soybeans", year="2025", band=str(Band.TWENTY))
    assert "Only Soybeans, 2025, 20 to 30 % below." in chosen
    assert "5,000.25" in chosen
    other = page(cast, crop="soybeans", year="2025", band=str(Band.TEN))
    assert "5,000.25" not in other


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


def test_a_report_is_read_once_for_its_default(cast: Cast, season: Season) -> None:
    desk = desk_of(cast)
    assert defaults_of(desk) == {}
    name_default(cast)
    assert defaults_of(desk) == {("soybeans", 2025): 700_000}
    with CaptureQueriesContext(connection) as asked:
        assert defaults_of(desk) == {("soybeans", 2025): 700_000}
    assert not [one["sql"] for one in asked if "reportversion" in one["sql"]]


def test_of_two_reports_that_differ_neither_decides() -> None:
    assert agreed([("soybeans", 2025, 700_000), ("soybeans", 2025, 710_000), ("corn", 2025, 1), ("corn", 2025, 1)]) == {
        ("corn", 2025): 1
    }


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


def test_defaults_of_what_was_ever_owned_are_asked_by_crop_and_year(cast: Cast, season: Season) -> None:
    name_default(cast)
    desk = desk_of(cast)
    assert defaults_of(desk, {("soybeans", 2025)}) == {("soybeans", 2025): 700_000}
    assert defaults_of(desk, {("corn", 2025)}) == {}
