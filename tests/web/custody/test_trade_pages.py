"""Trade in one look: what there is beside the amount, the deed on its preview only, a period as one statement."""

from datetime import date

import pytest
from django.urls import reverse

from provender.database.models import CustodyEvent
from provender.quantity import parse
from provender.services.custody.taken import taken_view
from provender.services.custody.views import LotView
from tests.web.cast import Cast
from tests.web.custody_season import Season, days_ago, fill_custody


def lot(ci: int, bushels: int, origin: str = "a") -> LotView:
    return LotView(
        lot="x", origin=origin, start_bu=5_000, stop_bu=5_000 + bushels * 1000, crop="corn", harvest_year=2025,
        ci_g_per_bu=ci, form="corn", amount=bushels * 1000, unit="bu", custodian="me", site="n", supplier="s",
        state="held", titled=date(2025, 11, 1),
    )  # fmt: skip


def test_what_an_event_takes_is_told_by_its_mean_three_shares_and_its_origins() -> None:
    lots = [lot(500_000, 600, "a"), lot(700_000, 300, "b"), lot(600_000, 90, "a"), lot(800_000, 10, "c")]
    taken = taken_view(lots)
    assert taken is not None
    assert (taken.bushels, taken.origins, taken.lots) == (1_000_000, 3, 4)
    assert taken.mean_ci_g_per_bu == (600 * 500_000 + 300 * 700_000 + 90 * 600_000 + 10 * 800_000) // 1000
    assert [(one.ci_g_per_bu, one.bushels, one.share) for one in taken.shares] == [
        (500_000, 600_000, 600), (700_000, 300_000, 300), (None, 100_000, 100),
    ]  # fmt: skip
    three = taken_view(lots[:3])
    assert three is not None
    assert [one.ci_g_per_bu for one in three.shares] == [500_000, 600_000, 700_000], "three need no rest"
    assert taken_view([]) is None


@pytest.fixture
def season(cast: Cast) -> Season:
    return fill_custody(cast)


def where(cast: Cast, view: str, *more: str) -> str:
    return reverse(view, args=(cast.mill.handle, *more))


def test_the_deed_stands_on_the_preview_and_the_amount_has_its_stock_beside_it(cast: Cast, season: Season) -> None:
    client = cast.client()
    asked = client.get(where(cast, "custody_enter", "sale"))
    page = asked.content.decode()
    assert 'value="preview"' in page
    assert 'value="post"' not in page, "a form offers its preview only"
    assert "In stock: " in asked.context["form"].fields["bushels"].help_text
    assert "soybeans 2025" in asked.context["form"].fields["bushels"].help_text
    before = CustodyEvent.objects.count()
    data = {"event": asked.context["form"].initial["event"], "day": days_ago(0), "do": "preview",
            "taker": cast.elevator.handle, "crop": "soybeans", "bushels": "100", "site": "north"}  # fmt: skip
    previewed = client.post(where(cast, "custody_enter", "sale"), data)
    shown = previewed.content.decode()
    assert CustodyEvent.objects.count() == before
    assert 'value="post"' in shown
    taken = previewed.context["preview"]["taken"]
    assert (taken["bushels"], taken["origins"], sum(share for *_, share in taken["shares"])) == ("100", 1, 1000)
    assert client.post(where(cast, "custody_enter", "sale"), {**data, "do": "post"}).status_code == 302


def test_a_period_is_one_statement_whose_columns_add_up(cast: Cast, season: Season) -> None:
    for start in (season.closed, season.open):
        answer = cast.client().get(where(cast, "custody_period"), {"start": start.isoformat()})
        tables = answer.context
        for row in tables["balance"].rows:
            opening, came, processed, out, held = (parse(cell.text) or 0 for cell in row[1:6])
            assert opening + came == processed + out + held, row[0].text
        ends = sum(parse(row[4].text) or 0 for row in tables["equations"].rows)
        assert sum(parse(row[5].text) or 0 for row in tables["balance"].rows if row[0].text != "Total") == ends
