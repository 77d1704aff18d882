"""Stock in bands against the national default of the reports behind it: table, filter, fold and chart say the same."""

from dataclasses import replace

import pytest
from django.urls import reverse
from django.utils import timezone

from provender.custody.queries.bands import Band
from provender.database.models import BookKind, ReportVersion
from provender.services.custody import stock
from provender.services.custody.bands import banded, defaults_of
from provender.services.custody.context import CustodyContext, context_of
from provender.services.farm.book import open_book
from tests.web.cast import Cast
from tests.web.custody_season import BY, Season, fill_custody

REPORT = "0f" * 32
"""The hash that the season's report carries."""


@pytest.fixture
def season(cast: Cast) -> Season:
    return fill_custody(cast)


def name_default(cast: Cast) -> None:
    """Put the report behind the season's soybeans on this server; it names a national default."""
    ReportVersion.objects.create(
        book=open_book(cast.farm, BookKind.FARM, actor=BY), crop="soybeans", harvest_year=2025, number=1, book_head="",
        at=timezone.now(), document='{"national_default_g_per_bu": "7000.00"}', document_hash=REPORT,
    )  # fmt: skip


def desk_of(cast: Cast) -> CustodyContext:
    found = context_of(cast.mill, actor=BY, today=timezone.localdate())
    assert found is not None
    return found


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


def test_the_chart_has_the_same_bands(cast: Cast, season: Season) -> None:
    name_default(cast)
    drawn = stock.draw_stock(desk_of(cast), lambda draw: draw(960))
    assert "soybeans 2025, 20 to 30 % below" in drawn
    assert "by crop and band of carbon intensity against the national default" in drawn
